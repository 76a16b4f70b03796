//! Reading the script and the files it imports.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::CompileOptions;
use crate::diagnostic::Report;
use crate::lexer::{Lexed, Lexer};
use crate::plan::{Mode, Span};
use crate::source::{Origin, ScriptSource, SourceMap};
use crate::spelling::is_contract_of_v2;
use crate::token::{Token, TokenKind};
use crate::word::Word;

/// Maximum depth of imports; deeper nesting is a mistake.
const DEEPEST_IMPORT: usize = 64;

/// A file that a [`Loader`] has read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Identity of the file: the same for all paths that lead to the file.
    pub identity: String,
    /// Name of the file in messages, and its text.
    pub source: ScriptSource,
}

/// Reads the files that `import` names.
pub trait Loader {
    /// Reads the file `path` for the file named `importer`.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError>;
}

/// The reason why a file cannot be imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    Unreadable(std::io::Error),
    /// The file is longer than [`LONGEST_IMPORT`] bytes.
    TooLong,
    /// The loader does not have the file, for the given reason.
    Refused(Cow<'static, str>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Unreadable(error) => error.fmt(f),
            LoadError::TooLong => write!(f, "it has more than {LONGEST_IMPORT} bytes"),
            LoadError::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Unreadable(error) => Some(error),
            LoadError::TooLong | LoadError::Refused(_) => None,
        }
    }
}

/// Reads files from the file system, relative to the importing file.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLoader;

impl Loader for FileLoader {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let folder = Path::new(importer).parent().unwrap_or(Path::new(""));
        let file: PathBuf = folder.join(path);
        let text = read_script(&file)?;
        let identity = file.canonicalize().unwrap_or_else(|_| file.clone());
        let mut source = ScriptSource::new(file.to_string_lossy(), text);
        source.is_quotable = is_script_name(&identity);
        Ok(Loaded {
            identity: identity.to_string_lossy().into_owned(),
            source,
        })
    }
}

/// Maximum size of an imported file in bytes. Longer files are not scripts, and devices never end.
pub const LONGEST_IMPORT: u64 = 16 << 20;

fn read_script(file: &Path) -> Result<Vec<u8>, LoadError> {
    let mut text = Vec::new();
    let input = std::fs::File::open(file).map_err(LoadError::Unreadable)?;
    std::io::Read::read_to_end(
        &mut std::io::Read::take(input, LONGEST_IMPORT + 1),
        &mut text,
    )
    .map_err(LoadError::Unreadable)?;
    match text.len() as u64 > LONGEST_IMPORT {
        true => Err(LoadError::TooLong),
        false => Ok(text),
    }
}

/// Returns whether a file has the name of a script, so that messages may show its lines. A script can import any file
/// that the user can read. If that is not a script (a file of passwords, say), messages contain only the place of the
/// error.
fn is_script_name(file: &Path) -> bool {
    const ENDINGS: [&str; 5] = ["dl", "dlr", "deal", "dealer", "dds"];
    let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

/// The tokens of one file.
#[derive(Debug)]
pub(crate) struct File {
    pub lexed: Lexed,
}

/// All files of a script.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The script, then the imported files.
    pub list: Vec<File>,
    /// Number of the file that each `import` reads, by the span of its string. A file that was read before has no entry.
    pub imports: HashMap<Span, usize>,
    /// Place of the first definition of each name.
    pub definitions: HashMap<Vec<u8>, Span>,
}

/// Lexes the script and everything it imports.
pub(crate) fn load(
    lexer: &mut Lexer<'_>,
    source: &ScriptSource,
    options: &CompileOptions<'_>,
) -> Files {
    let mut files = Files::default();
    let root = lexer.sources.add(
        source.name.clone(),
        source.text.as_slice().into(),
        Origin::Script,
    );
    let identity = Path::new(&source.name).canonicalize().map_or_else(
        |_| source.name.clone(),
        |p| p.to_string_lossy().into_owned(),
    );
    let mut stack = vec![identity];
    let mut seen: HashMap<String, ()> = HashMap::new();
    load_file(lexer, root, options, &mut files, &mut stack, &mut seen);
    collect_definitions(lexer, &mut files);
    files
}

fn load_file(
    lexer: &mut Lexer<'_>,
    source: u32,
    options: &CompileOptions<'_>,
    files: &mut Files,
    stack: &mut Vec<String>,
    seen: &mut HashMap<String, ()>,
) -> usize {
    let lexed = lexer.file(source);
    let wanted: Vec<(Span, Span)> = lexed
        .tokens
        .windows(2)
        .filter(|pair| {
            pair[0].kind == TokenKind::Name
                && pair[1].kind == TokenKind::Text
                && lexer.sources.bytes(pair[0].span) == b"import"
                && lexer.mode() == Mode::Native
        })
        .map(|pair| (pair[0].span, pair[1].span))
        .collect();
    let number = files.list.len();
    files.list.push(File { lexed });
    for (word, name) in wanted {
        let file = lexer.sources.in_file(name);
        let importer = lexer.sources.get(file.source).name.clone();
        let path = lexer.sources.text(name);
        let path = path.trim_matches('"');
        let loaded = match options.loader.load(&importer, path) {
            Ok(loaded) => loaded,
            Err(why) => {
                let message = format!("cannot read the file \"{path}\": {why}");
                lexer.reports.add(Report::error("E901", name, message));
                continue;
            }
        };
        if stack.contains(&loaded.identity) {
            let message = format!("the file \"{path}\" imports itself, directly or through others");
            lexer.reports.add(Report::error("E902", name, message));
            continue;
        }
        if stack.len() >= DEEPEST_IMPORT {
            let message = format!("files import each other more than {DEEPEST_IMPORT} deep");
            lexer.reports.add(Report::error("E903", name, message));
            continue;
        }
        if seen.insert(loaded.identity.clone(), ()).is_some() {
            continue;
        }
        let source = lexer.sources.add_import(loaded.source, word);
        stack.push(loaded.identity);
        let file = load_file(lexer, source, options, files, stack, seen);
        stack.pop();
        files.imports.insert(name, file);
    }
    number
}

/// Finds the definitions of all files, and turns words that v1 does not have into names if the script defines them.
fn collect_definitions(lexer: &mut Lexer<'_>, files: &mut Files) {
    let sources = &lexer.sources;
    let mut soft: HashMap<Vec<u8>, ()> = HashMap::new();
    for file in &files.list {
        let tokens = &file.lexed.tokens;
        for at in 0..tokens.len().saturating_sub(1) {
            if tokens[at + 1].kind != TokenKind::Assign || !may_start_statement(tokens, at) {
                continue;
            }
            let name = sources.bytes(tokens[at].span);
            match tokens[at].kind {
                TokenKind::Name => {}
                TokenKind::Word(_) if Word::is_newer_than_v1(name) => {
                    soft.insert(name.to_vec(), ());
                }
                TokenKind::Contract(_) if is_contract_of_v2(name) => {
                    soft.insert(name.to_vec(), ());
                }
                _ => continue,
            }
            files
                .definitions
                .entry(name.to_vec())
                .or_insert(tokens[at].span);
        }
    }
    if lexer.mode() == Mode::Native {
        words_in_any_case(&lexer.sources, files);
    }
    if soft.is_empty() {
        return;
    }
    for file in &mut files.list {
        let tokens = &mut file.lexed.tokens;
        for at in 0..tokens.len() {
            let called = tokens
                .get(at + 1)
                .is_some_and(|t| t.kind == TokenKind::Open);
            if matches!(tokens[at].kind, TokenKind::Word(_) | TokenKind::Contract(_))
                && !called
                && soft.contains_key(sources.bytes(tokens[at].span))
            {
                tokens[at].kind = TokenKind::Name;
            }
        }
    }
}

/// Accepts words of the language in any case (`HCP(North) >= 12 AND ...`), unless the script defines a variable of that spelling.
fn words_in_any_case(sources: &SourceMap, files: &mut Files) {
    for file in &mut files.list {
        for token in &mut file.lexed.tokens {
            if token.kind != TokenKind::Name {
                continue;
            }
            let name = sources.bytes(token.span);
            if let Some(word) = Word::in_any_case(name)
                && !files.definitions.contains_key(name)
            {
                token.kind = TokenKind::Word(word);
            }
        }
    }
}

/// Returns whether a definition can begin at this token, to judge by the token before it.
fn may_start_statement(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return true;
    };
    match tokens[before].kind {
        // After values of statements (`vulnerable all`, `dealer north`), and after words that end an expression or a list.
        TokenKind::Word(Word::Action | Word::Pointcount) => true,
        TokenKind::Word(Word::And | Word::Or | Word::Not) => false,
        TokenKind::Word(word) => !word.starts_statement(),
        TokenKind::Close
        | TokenKind::Semicolon
        | TokenKind::Number(_)
        | TokenKind::Decimal(_)
        | TokenKind::Name
        | TokenKind::Text
        | TokenKind::Holding
        | TokenKind::Bad
        | TokenKind::Comma
        | TokenKind::FdShape(_) => true,
        // In `level Game = 60%`, a percentage ends the statement.
        TokenKind::Percent => before
            .checked_sub(1)
            .is_some_and(|at| matches!(tokens[at].kind, TokenKind::Number(_))),
        _ => false,
    }
}
