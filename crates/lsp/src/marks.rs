//! Semantic tokens, symbols and folding ranges.

use croupier::script::outline::{OutlineStatement, StatementRole, TokenClass};
use lsp_types::{
    DocumentSymbol, FoldingRange, FoldingRangeKind, SemanticToken, SemanticTokenModifier,
    SemanticTokenType, SymbolKind,
};

use crate::document::OpenDocument;

/// Kinds of tokens that are announced to the editor, in the order of their numbers.
pub const TYPES: [SemanticTokenType; 10] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::MACRO,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::COMMENT,
];

/// Modifier of a name at its definition.
pub const MODIFIERS: [SemanticTokenModifier; 1] = [SemanticTokenModifier::DEFINITION];

/// Returns the number of a token's kind; punctuation has none.
fn type_of(class: TokenClass) -> Option<u32> {
    let kind = match class {
        TokenClass::Keyword => SemanticTokenType::KEYWORD,
        TokenClass::Action => SemanticTokenType::MACRO,
        TokenClass::Function => SemanticTokenType::FUNCTION,
        TokenClass::Seat | TokenClass::Strain | TokenClass::Card => SemanticTokenType::ENUM_MEMBER,
        TokenClass::Operator => SemanticTokenType::OPERATOR,
        TokenClass::Number | TokenClass::Shape => SemanticTokenType::NUMBER,
        TokenClass::Text => SemanticTokenType::STRING,
        TokenClass::Definition | TokenClass::Variable => SemanticTokenType::VARIABLE,
        TokenClass::Parameter => SemanticTokenType::PARAMETER,
        TokenClass::Comment => SemanticTokenType::COMMENT,
        TokenClass::Punctuation => return None,
    };
    TYPES
        .iter()
        .position(|own| *own == kind)
        .map(|at| at as u32)
}

/// Returns every token with its kind, as differences from the previous one. Tokens over several lines are split by
/// line.
#[must_use]
pub fn tokens(document: &OpenDocument) -> Vec<SemanticToken> {
    let mut tokens = Vec::new();
    let (mut line, mut column) = (0, 0);
    for mark in &document.outline.tokens {
        let Some(token_type) = type_of(mark.class) else {
            continue;
        };
        let mut at = mark.range.start;
        for piece in document.text[mark.range.clone()].split_inclusive('\n') {
            let shown = piece.trim_end_matches(['\n', '\r']);
            let start = document.position(at);
            at += piece.len();
            if shown.is_empty() {
                continue;
            }
            tokens.push(SemanticToken {
                delta_line: start.line - line,
                delta_start: if start.line == line {
                    start.character - column
                } else {
                    start.character
                },
                length: shown.encode_utf16().count() as u32,
                token_type,
                token_modifiers_bitset: u32::from(mark.class == TokenClass::Definition),
            });
            (line, column) = (start.line, start.character);
        }
    }
    tokens
}

fn symbol_kind(part: &OutlineStatement) -> SymbolKind {
    match part.role {
        StatementRole::Setting => SymbolKind::CONSTANT,
        StatementRole::Definition => SymbolKind::VARIABLE,
        StatementRole::Condition => SymbolKind::BOOLEAN,
        StatementRole::Action => SymbolKind::EVENT,
        StatementRole::Rule => SymbolKind::FUNCTION,
    }
}

/// Returns the statements of the script as symbols.
#[must_use]
#[expect(
    deprecated,
    reason = "the protocol's structure has a field of the past"
)]
pub fn symbols(document: &OpenDocument) -> Vec<DocumentSymbol> {
    let outline = &document.outline;
    let symbols = outline.statements.iter().map(|part| {
        let text = outline.text(part.range.clone());
        let name = match part.role {
            StatementRole::Definition | StatementRole::Rule => {
                outline.text(part.head.clone()).to_owned()
            }
            StatementRole::Condition => "condition".to_owned(),
            StatementRole::Action => "action".to_owned(),
            StatementRole::Setting => text.lines().next().unwrap_or("").to_owned(),
        };
        DocumentSymbol {
            name,
            detail: None,
            kind: symbol_kind(part),
            tags: None,
            deprecated: None,
            range: document.range(part.range.clone()),
            selection_range: document.range(part.head.clone()),
            children: None,
        }
    });
    symbols.collect()
}

/// Returns folding ranges: statements over several lines, and blocks of comment lines.
#[must_use]
pub fn folds(document: &OpenDocument) -> Vec<FoldingRange> {
    let fold = |start: u32, end: u32, kind: Option<FoldingRangeKind>| FoldingRange {
        start_line: start,
        start_character: None,
        end_line: end,
        end_character: None,
        kind,
        collapsed_text: None,
    };
    let mut folds = Vec::new();
    for part in &document.outline.statements {
        let range = document.range(part.range.clone());
        if range.end.line > range.start.line {
            folds.push(fold(range.start.line, range.end.line, None));
        }
    }
    let mut block: Option<(u32, u32)> = None;
    let mut close = |block: &mut Option<(u32, u32)>| {
        if let Some((start, end)) = block.take().filter(|(start, end)| end > start) {
            folds.push(fold(start, end, Some(FoldingRangeKind::Comment)));
        }
    };
    for mark in &document.outline.tokens {
        let range = document.range(mark.range.clone());
        let alone = mark.class == TokenClass::Comment
            && document.text[..mark.range.start]
                .rsplit('\n')
                .next()
                .is_some_and(|before| before.trim().is_empty());
        match &mut block {
            _ if !alone => close(&mut block),
            Some((_, end)) if range.start.line == *end + 1 => *end = range.end.line,
            _ => {
                close(&mut block);
                block = Some((range.start.line, range.end.line));
            }
        }
    }
    close(&mut block);
    folds.sort_by_key(|fold| fold.start_line);
    folds
}
