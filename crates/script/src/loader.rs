//! Reading the script and the files it imports.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::CompileOptions;
use crate::diagnostic::Report;
use crate::lexer::{Lexed, Lexer};
use crate::plan::{Mode, Span};
use crate::source::{Origin, Source, SourceMap};
use crate::spelling::is_contract_of_v2;
use crate::token::{Kind, Token};
use crate::word::Word;

/// Imports deeper than this are surely a mistake.
const DEEPEST_IMPORT: usize = 64;

/// A file found by a [`Loader`].
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What tells this file from others: the same for every way to name it.
    pub identity: String,
    /// Its name for messages, and its text.
    pub source: Source,
}

/// Finds the files that `import` names.
pub trait Loader {
    /// Reads the file `path` for the file named `importer`.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, String>;
}

/// Reads files from the file system, relative to the importing file.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLoader;

impl Loader for FileLoader {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, String> {
        let folder = Path::new(importer).parent().unwrap_or(Path::new(""));
        let file: PathBuf = folder.join(path);
        let text = read_script(&file).map_err(|error| error.to_string())?;
        let identity = file.canonicalize().unwrap_or_else(|_| file.clone());
        let mut source = Source::new(file.to_string_lossy(), text);
        source.is_quotable = is_script_name(&identity);
        Ok(Loaded {
            identity: identity.to_string_lossy().into_owned(),
            source,
        })
    }
}

/// Longer files are no scripts, and devices never end.
const LONGEST_IMPORT: u64 = 16 << 20;

fn read_script(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let input = std::fs::File::open(file)?;
    std::io::Read::read_to_end(
        &mut std::io::Read::take(input, LONGEST_IMPORT + 1),
        &mut text,
    )?;
    match text.len() as u64 > LONGEST_IMPORT {
        true => Err(std::io::Error::other(format!(
            "it has more than {LONGEST_IMPORT} bytes"
        ))),
        false => Ok(text),
    }
}

/// Whether a file is named like a script, so that messages may show lines of it. A script can import any file of the
/// person who runs it; errors in one that is no script, such as a file of passwords, tell only where they are.
fn is_script_name(file: &Path) -> bool {
    const ENDINGS: [&str; 5] = ["dl", "dlr", "deal", "dealer", "dds"];
    let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

/// A file in tokens.
#[derive(Debug)]
pub(crate) struct File {
    pub lexed: Lexed,
}

/// All files of a script.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The script first, then the imported files.
    pub list: Vec<File>,
    /// For the string of an `import`: the number of the file it reads. Files read before are not read again.
    pub imports: HashMap<Span, usize>,
    /// Where each name is first defined.
    pub definitions: HashMap<Vec<u8>, Span>,
}

/// Lexes the script and everything it imports.
pub(crate) fn load(lexer: &mut Lexer<'_>, source: &Source, options: &CompileOptions<'_>) -> Files {
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
            pair[0].kind == Kind::Name
                && pair[1].kind == Kind::Text
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

/// Finds the definitions of all files, and turns soft words that a script defines into names.
fn collect_definitions(lexer: &mut Lexer<'_>, files: &mut Files) {
    let sources = &lexer.sources;
    let mut soft: HashMap<Vec<u8>, ()> = HashMap::new();
    for file in &files.list {
        let tokens = &file.lexed.tokens;
        for at in 0..tokens.len().saturating_sub(1) {
            if tokens[at + 1].kind != Kind::Assign || !may_start_statement(tokens, at) {
                continue;
            }
            let name = sources.bytes(tokens[at].span);
            match tokens[at].kind {
                Kind::Name => {}
                Kind::Word(_) if Word::is_soft_spelling(name) => {
                    soft.insert(name.to_vec(), ());
                }
                Kind::Contract(_) if is_contract_of_v2(name) => {
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
            let called = tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Open);
            if matches!(tokens[at].kind, Kind::Word(_) | Kind::Contract(_))
                && !called
                && soft.contains_key(sources.bytes(tokens[at].span))
            {
                tokens[at].kind = Kind::Name;
            }
        }
    }
}

/// `HCP(North) >= 12 AND ...`: words of the language in any case, unless the script defines a variable so spelt.
fn words_in_any_case(sources: &SourceMap, files: &mut Files) {
    for file in &mut files.list {
        for token in &mut file.lexed.tokens {
            if token.kind != Kind::Name {
                continue;
            }
            let name = sources.bytes(token.span);
            if let Some(word) = Word::in_any_case(name)
                && !files.definitions.contains_key(name)
            {
                token.kind = Kind::Word(word);
            }
        }
    }
}

/// Whether a definition can begin at this token, judged by the one before it.
fn may_start_statement(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return true;
    };
    match tokens[before].kind {
        // Values of statements (`vulnerable all`, `dealer north`), and words that end an expression or a list.
        Kind::Word(Word::Action | Word::Pointcount) => true,
        Kind::Word(Word::And | Word::Or | Word::Not) => false,
        Kind::Word(word) => !word.starts_statement(),
        Kind::Close
        | Kind::Semicolon
        | Kind::Number(_)
        | Kind::Decimal(_)
        | Kind::Name
        | Kind::Text
        | Kind::Holding
        | Kind::Bad
        | Kind::Comma
        | Kind::FdShape(_) => true,
        // `level Game = 60%`
        Kind::Percent => before
            .checked_sub(1)
            .is_some_and(|at| matches!(tokens[at].kind, Kind::Number(_))),
        _ => false,
    }
}
