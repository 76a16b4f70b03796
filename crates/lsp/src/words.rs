//! Hover texts, completion and signature help.

use std::sync::OnceLock;

use croupier::script::outline::{ClassifiedToken, OutlineStatement, StatementRole, TokenClass};
use croupier::script::plan::{NodeId, Plan};
use croupier::script::system::SYSTEM_WORDS;
use croupier::script::{WordCategory, WordEntry};
use lsp_types::{
    CompletionItem, CompletionItemKind, Documentation, Hover, HoverContents, InsertTextFormat,
    MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureInformation,
};

use crate::analysis::CompiledDocument;
use crate::chances::Frequencies;
use crate::document::OpenDocument;
use crate::lens::is_test;
use crate::names::File;

fn entries() -> &'static [WordEntry] {
    static ENTRIES: OnceLock<Vec<WordEntry>> = OnceLock::new();
    ENTRIES.get_or_init(|| croupier::script::words().collect())
}

/// Returns the documentation of a word. Names of metrics are only recognised where a metric is expected.
fn entry(word: &str, metric: bool) -> Option<&'static WordEntry> {
    entries().iter().find(|entry| {
        (entry.category == WordCategory::Metric) == metric
            && (entry.name.eq_ignore_ascii_case(word)
                || entry
                    .aliases
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(word)))
    })
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    }
}

/// Formats signature and description of a word, and its other spellings.
fn described(entry: &WordEntry) -> String {
    let mut text = format!(
        "```dealer\n{}\n```\n{}",
        entry.signature, entry.documentation
    );
    if !entry.aliases.is_empty() {
        let others: Vec<String> = entry
            .aliases
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        text += &format!("\n\nAlso {}.", others.join(", "));
    }
    text
}

/// Formats values, cost and frequency of a part of the script.
fn facts(plan: &Plan, fingerprint: u64, node: NodeId, frequencies: &Frequencies) -> String {
    let facts = plan.facts_of(node);
    let mut lines = Vec::new();
    if facts.min == facts.max {
        lines.push(format!("always {}", facts.min));
    } else if is_test(plan, node) {
        if let Some(frequency) = frequencies.get(fingerprint, node) {
            lines.push(format!(
                "holds {} ({})",
                frequency.text(),
                frequency.percent()
            ));
        } else {
            lines.push("true or false".to_owned());
        }
    } else {
        lines.push(format!("{} to {}", facts.min, facts.max));
    }
    lines.push(match facts.cost {
        cost if cost >= 1_000_000 => format!("about {:.1} ms a deal", f64::from(cost) / 1e6),
        cost => format!("about {cost} ns a deal"),
    });
    if facts.random {
        lines.push("random".to_owned());
    }
    lines.join(" · ")
}

/// Returns the meaning of a word that only bidding systems have, if the document is one.
fn system_word(document: &OpenDocument, word: &str) -> Option<&'static str> {
    let is_rule = |part: &OutlineStatement| part.role == StatementRole::Rule;
    let mut known = SYSTEM_WORDS.iter().filter(|(name, _)| *name == word);
    let (_, meaning) = known.next()?;
    document
        .outline
        .statements
        .iter()
        .any(is_rule)
        .then_some(*meaning)
}

/// Returns the hover text at the cursor.
#[must_use]
pub fn hover(
    files: &[File],
    document: &OpenDocument,
    analysis: &CompiledDocument,
    frequencies: &Frequencies,
    offset: usize,
) -> Option<Hover> {
    let mark = document.outline.at(offset)?;
    let word = document.outline.text(mark.range.clone());
    let plan = analysis.plan.as_deref();
    let text = match mark.class {
        TokenClass::Definition | TokenClass::Variable => {
            variable(files, word, analysis, frequencies)
                .or_else(|| entry(word, true).map(described))?
        }
        _ => {
            let mut text = match system_word(document, word) {
                Some(meaning) => format!("```dealer\n{word}\n```\n{meaning}"),
                None => described(entry(word, false)?),
            };
            let condition = plan.and_then(|plan| Some((plan, plan.condition?)));
            if word == "condition"
                && let Some((plan, node)) = condition
            {
                text += &format!(
                    "\n\nHere: {}",
                    facts(plan, analysis.fingerprint, node, frequencies)
                );
            }
            text
        }
    };
    Some(Hover {
        contents: HoverContents::Markup(markdown(text)),
        range: Some(document.range(mark.range.clone())),
    })
}

/// Formats the definition of a variable and the known facts about its value.
fn variable(
    files: &[File],
    name: &str,
    analysis: &CompiledDocument,
    frequencies: &Frequencies,
) -> Option<String> {
    let text = files.iter().find_map(|file| {
        let outline = &file.document.outline;
        let part = outline.statements.iter().find(|part| {
            part.role == StatementRole::Definition && outline.text(part.head.clone()) == name
        })?;
        Some(outline.text(part.range.clone()))
    })?;
    let mut shown = format!("```dealer\n{text}\n```");
    let value = analysis.plan.as_deref().and_then(|plan| {
        let variable = plan
            .variables
            .iter()
            .find(|variable| variable.name == name)?;
        Some(facts(
            plan,
            analysis.fingerprint,
            variable.value,
            frequencies,
        ))
    });
    if let Some(value) = value {
        shown += &format!("\n{value}");
    }
    Some(shown)
}

fn kind(category: WordCategory) -> CompletionItemKind {
    match category {
        WordCategory::Statement | WordCategory::Operator => CompletionItemKind::KEYWORD,
        WordCategory::Action => CompletionItemKind::EVENT,
        WordCategory::Function => CompletionItemKind::FUNCTION,
        WordCategory::Value => CompletionItemKind::ENUM_MEMBER,
        WordCategory::Term => CompletionItemKind::FIELD,
        WordCategory::Metric => CompletionItemKind::REFERENCE,
    }
}

/// Returns a snippet with placeholders for the required arguments of a function.
fn snippet(entry: &WordEntry) -> Option<String> {
    match (entry.category, entry.name) {
        (WordCategory::Function, "shape") => Some("shape(${1:north}, ${2:any 4333})".into()),
        (WordCategory::Function, name) => {
            let needed: Vec<String> = entry
                .parameters
                .iter()
                .filter(|parameter| !parameter.optional)
                .enumerate()
                .map(|(at, parameter)| {
                    format!("${{{}:{}}}", at + 1, placeholder(parameter.argument))
                })
                .collect();
            (!needed.is_empty()).then(|| format!("{name}({})", needed.join(", ")))
        }
        (WordCategory::Action, "average") => Some("average \"${1:text}\" ${2:hcp(north)}".into()),
        (WordCategory::Action, "frequency") => {
            Some("frequency \"${1:text}\" (${2:hcp(north)}, ${3:0}, ${4:20})".into())
        }
        (WordCategory::Statement, "predeal") => Some("predeal ${1:north} ${2:SAK}".into()),
        _ => None,
    }
}

fn placeholder(argument: croupier::script::Argument) -> &'static str {
    use croupier::script::Argument::*;
    match argument {
        Seat => "north",
        Suit => "spades",
        Strain => "notrump",
        Side => "NS",
        Vulnerability => "none",
        Vulnerable => "nv",
        Card => "AS",
        Contract => "x3N",
        Shapes => "any 4333",
        SideOrSeat => "NS",
        Number => "0",
        Calls => "\"1N-P-2C\"",
        Value => "value",
    }
}

/// Returns the words and names that are possible at the cursor.
#[must_use]
pub fn completions(files: &[File], document: &OpenDocument, offset: usize) -> Vec<CompletionItem> {
    let outline = &document.outline;
    let silent = outline.tokens.iter().any(|mark| {
        matches!(mark.class, TokenClass::Comment | TokenClass::Text)
            && mark.range.start < offset
            && offset < mark.range.end
    });
    if silent {
        return Vec::new();
    }
    let metric = inside_call(document, offset)
        .is_some_and(|(name, argument)| name.eq_ignore_ascii_case("metric") && argument == 0);
    let words = entries()
        .iter()
        .filter(|entry| (entry.category == WordCategory::Metric) == metric)
        .map(|entry| {
            let snippet = snippet(entry);
            CompletionItem {
                label: entry.name.to_owned(),
                kind: Some(kind(entry.category)),
                detail: Some(entry.signature.to_owned()),
                documentation: Some(Documentation::MarkupContent(markdown(described(entry)))),
                insert_text_format: snippet.as_ref().map(|_| InsertTextFormat::SNIPPET),
                insert_text: snippet,
                sort_text: Some(format!("1{}", entry.name)),
                ..CompletionItem::default()
            }
        });
    let names = files.iter().flat_map(|file| {
        let outline = &file.document.outline;
        outline.definitions().map(|(name, _)| CompletionItem {
            label: name.to_owned(),
            kind: Some(CompletionItemKind::VARIABLE),
            sort_text: Some(format!("0{name}")),
            ..CompletionItem::default()
        })
    });
    let mut items: Vec<CompletionItem> = names.chain(words).collect();
    items.dedup_by(|a, b| a.label == b.label);
    items
}

/// Returns the function or action whose arguments contain the cursor, and the number of the argument. Parentheses that
/// only group are ignored.
fn inside_call(document: &OpenDocument, offset: usize) -> Option<(&str, usize)> {
    let outline = &document.outline;
    let marks = &outline.tokens;
    let before = marks.partition_point(|mark| mark.range.end <= offset);
    let word_before = |at: usize| {
        let mut words = marks[..at].iter().rev();
        words.find(|mark| !matches!(mark.class, TokenClass::Comment | TokenClass::Text))
    };
    let is_callable = |mark: &ClassifiedToken| {
        matches!(
            mark.class,
            TokenClass::Function | TokenClass::Action | TokenClass::Keyword
        )
    };
    // All of `{...}` is one token.
    if let Some(braces) = marks.get(before)
        && braces.class == TokenClass::Shape
        && braces.range.start < offset
        && outline.text(braces.range.clone()).starts_with('{')
    {
        let name = word_before(before).filter(|mark| is_callable(mark))?;
        let inside = outline.text(braces.range.start..offset);
        return Some((
            outline.text(name.range.clone()),
            inside.matches(',').count(),
        ));
    }
    let (mut depth, mut commas) = (0usize, 0);
    for at in (0..before).rev() {
        match outline.text(marks[at].range.clone()) {
            ")" => depth += 1,
            "(" if depth == 0 => {
                if let Some(name) = word_before(at).filter(|mark| is_callable(mark)) {
                    return Some((outline.text(name.range.clone()), commas));
                }
                commas = 0;
            }
            "(" => depth -= 1,
            "," if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

/// Returns the statement or action at the cursor, outside of parentheses.
fn statement_at(document: &OpenDocument, offset: usize) -> Option<&str> {
    let outline = &document.outline;
    let mut statements = outline.statements.iter().rev();
    let statement = statements.find(|statement| statement.range.start < offset)?;
    let mut marks = outline
        .tokens
        .iter()
        .rev()
        .filter(|mark| mark.range.end < offset && mark.range.start >= statement.range.start);
    let word = marks.find(|mark| {
        let is_word = matches!(mark.class, TokenClass::Keyword | TokenClass::Action);
        is_word && outline.text(mark.range.clone()) != "any"
    })?;
    Some(outline.text(word.range.clone()))
}

/// Returns the signature of the function at the cursor.
#[must_use]
pub fn signature(document: &OpenDocument, offset: usize) -> Option<SignatureHelp> {
    let in_comment = |mark: &ClassifiedToken| {
        mark.class == TokenClass::Comment && mark.range.start < offset && offset <= mark.range.end
    };
    if document.outline.tokens.iter().any(in_comment) {
        return None;
    }
    let (entry, argument) = match inside_call(document, offset) {
        Some((name, argument)) => (entry(name, false)?, argument),
        None => (entry(statement_at(document, offset)?, false)?, 0),
    };
    let label = entry.signature.to_owned();
    let parameters = parameter_labels(&label);
    let active = (argument as u32).min(parameters.len().saturating_sub(1) as u32);
    Some(SignatureHelp {
        signatures: vec![SignatureInformation {
            label,
            documentation: Some(Documentation::MarkupContent(markdown(
                entry.documentation.to_owned(),
            ))),
            parameters: Some(parameters),
            active_parameter: Some(active),
        }],
        active_signature: Some(0),
        active_parameter: Some(active),
    })
}

/// Returns the spans between the commas of a signature's parentheses.
fn parameter_labels(signature: &str) -> Vec<ParameterInformation> {
    let (Some(open), Some(close)) = (signature.find('('), signature.rfind(')')) else {
        return Vec::new();
    };
    let mut labels = Vec::new();
    let mut start = open + 1;
    for (at, _) in signature[..close].match_indices(',').chain([(close, "")]) {
        let part = &signature[start.min(at)..at];
        let shown = part.trim_matches([' ', '[', ']']);
        let from = start + part.find(shown).unwrap_or(0);
        labels.push(ParameterInformation {
            label: ParameterLabel::LabelOffsets([from as u32, (from + shown.len()) as u32]),
            documentation: None,
        });
        start = at + 1;
    }
    labels
}
