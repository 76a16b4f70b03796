//! Names: definitions, uses and renaming.

use std::fmt;
use std::path::{Path, PathBuf};

use croupier::script::outline::{Outline, TokenClass};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, Location, SymbolInformation, SymbolKind, TextEdit,
    Uri,
};

use crate::analysis::{path_of, uri_of};
use crate::document::OpenDocument;

/// A file of the script: the document itself or an imported file.
pub struct File {
    /// Address of the file.
    pub uri: Uri,
    /// Text and outline of the file.
    pub document: OpenDocument,
}

/// Returns the document and all its direct and indirect imports; `read` returns the text of a file.
#[must_use]
pub fn files(
    uri: &Uri,
    document: &OpenDocument,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Vec<File> {
    /// Maximum number of files, against endless chains of imports.
    const MOST: usize = 64;
    let mut files = vec![File {
        uri: uri.clone(),
        document: document.clone(),
    }];
    let mut next = 0;
    while next < files.len() && files.len() < MOST {
        let file = &files[next];
        next += 1;
        let Some(path) = path_of(&file.uri) else {
            continue;
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        for name in imports(&file.document.outline) {
            let path = folder.join(name);
            let Some(uri) = uri_of(&path) else { continue };
            if files.iter().any(|file| file.uri == uri) {
                continue;
            }
            if let Some(text) = read(&path) {
                files.push(File {
                    uri,
                    document: OpenDocument::new(text, None),
                });
            }
        }
    }
    files
}

/// Returns the file names after `import`.
fn imports(outline: &Outline) -> Vec<String> {
    outline
        .tokens
        .windows(2)
        .filter(|pair| {
            pair[0].class == TokenClass::Keyword
                && pair[1].class == TokenClass::Text
                && outline.text(pair[0].range.clone()) == "import"
        })
        .map(|pair| {
            outline
                .text(pair[1].range.clone())
                .trim_matches('"')
                .to_owned()
        })
        .collect()
}

/// Returns the name at the cursor, if there is one.
#[must_use]
pub fn name_at(document: &OpenDocument, offset: usize) -> Option<(&str, std::ops::Range<usize>)> {
    let mark = document.outline.at(offset)?;
    matches!(mark.class, TokenClass::Definition | TokenClass::Variable).then(|| {
        (
            document.outline.text(mark.range.clone()),
            mark.range.clone(),
        )
    })
}

/// Returns the definition of a name.
#[must_use]
pub fn definition(files: &[File], name: &str) -> Option<Location> {
    files.iter().find_map(|file| {
        let mut own = file.document.outline.definitions();
        let (_, range) = own.find(|(other, _)| *other == name)?;
        Some(Location::new(file.uri.clone(), file.document.range(range)))
    })
}

/// Returns every occurrence of a name.
#[must_use]
pub fn references(files: &[File], name: &str, with_definition: bool) -> Vec<Location> {
    let mut places = Vec::new();
    for file in files {
        let outline = &file.document.outline;
        let defined: Vec<_> = outline.definitions().map(|(_, range)| range).collect();
        for range in outline.uses(name) {
            if with_definition || !defined.contains(&range) {
                places.push(Location::new(file.uri.clone(), file.document.range(range)));
            }
        }
    }
    places
}

/// Returns the places of the word at the cursor in its document: definitions of a name are written, all others read.
#[must_use]
pub fn highlights(document: &OpenDocument, offset: usize) -> Vec<DocumentHighlight> {
    let outline = &document.outline;
    let Some(mark) = outline.at(offset) else {
        return Vec::new();
    };
    let is_name = |class| matches!(class, TokenClass::Definition | TokenClass::Variable);
    if matches!(
        mark.class,
        TokenClass::Punctuation | TokenClass::Comment | TokenClass::Text
    ) {
        return Vec::new();
    }
    let word = outline.text(mark.range.clone());
    let same = outline.tokens.iter().filter(|token| {
        let is_same_kind = token.class == mark.class || is_name(token.class) && is_name(mark.class);
        is_same_kind && outline.text(token.range.clone()) == word
    });
    same.map(|token| DocumentHighlight {
        range: document.range(token.range.clone()),
        kind: Some(match token.class {
            TokenClass::Definition => DocumentHighlightKind::WRITE,
            _ => DocumentHighlightKind::READ,
        }),
    })
    .collect()
}

/// Returns the file that an import at the cursor names; `read` returns the text of a file.
#[must_use]
pub fn imported_file(
    uri: &Uri,
    document: &OpenDocument,
    offset: usize,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Option<Location> {
    let outline = &document.outline;
    let at = outline.tokens.iter().position(|token| {
        token.class == TokenClass::Text && token.range.start <= offset && offset <= token.range.end
    })?;
    let word = outline.tokens[..at].last()?;
    if outline.text(word.range.clone()) != "import" {
        return None;
    }
    let name = outline
        .text(outline.tokens[at].range.clone())
        .trim_matches('"');
    let path = path_of(uri)?.parent()?.join(name);
    read(&path)?;
    Some(Location::new(uri_of(&path)?, lsp_types::Range::default()))
}

/// Endings of script files.
const ENDINGS: [&str; 4] = ["dl", "dlr", "dls", "dli"];

/// Returns the script files below the folders of the workspace, up to a maximum number.
#[must_use]
pub fn scripts_below(folders: &[PathBuf]) -> Vec<PathBuf> {
    /// Maximum number of files and folders that are visited.
    const MOST_ENTRIES: usize = 20_000;
    /// Maximum number of scripts.
    const MOST_SCRIPTS: usize = 2_000;
    let mut waiting = folders.to_vec();
    let (mut scripts, mut entries) = (Vec::new(), 0);
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MOST_ENTRIES || scripts.len() == MOST_SCRIPTS {
                return scripts;
            }
            let (path, name) = (entry.path(), entry.file_name());
            // Links to folders are not followed: they may form a circle.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let is_script = path
                .extension()
                .is_some_and(|ending| ENDINGS.iter().any(|own| ending.eq_ignore_ascii_case(own)));
            let name = name.to_string_lossy();
            if is_folder && !name.starts_with('.') && name != "target" && name != "node_modules" {
                waiting.push(path);
            } else if is_script && !is_folder {
                scripts.push(path);
            }
        }
    }
    scripts
}

/// Returns whether the letters of `query` occur in `name` in this order, in any case.
fn matches_query(name: &str, query: &str) -> bool {
    let mut letters = name.chars().map(|c| c.to_ascii_lowercase());
    query
        .chars()
        .all(|wanted| letters.any(|letter| letter == wanted.to_ascii_lowercase()))
}

/// Returns the names that a file defines and that match a query.
#[must_use]
#[expect(
    deprecated,
    reason = "the protocol's structure has a field of the past"
)]
pub fn symbols(file: &File, query: &str) -> Vec<SymbolInformation> {
    let definitions = file.document.outline.definitions();
    let file_name = path_of(&file.uri).and_then(|path| {
        let name = path.file_name()?;
        Some(name.to_string_lossy().into_owned())
    });
    definitions
        .filter(|(name, _)| matches_query(name, query))
        .map(|(name, range)| SymbolInformation {
            name: name.to_owned(),
            kind: SymbolKind::VARIABLE,
            tags: None,
            deprecated: None,
            location: Location::new(file.uri.clone(), file.document.range(range)),
            container_name: file_name.clone(),
        })
        .collect()
}

/// The reason why a text cannot become the name of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// The text has the wrong characters.
    Characters(String),
    /// Another variable has this name.
    Taken(String),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Characters(name) => write!(
                f,
                "`{name}` cannot be a name: names have letters, digits and _"
            ),
            NameError::Taken(name) => write!(f, "`{name}` is defined already"),
        }
    }
}

impl std::error::Error for NameError {}

/// Checks that a new name is one word, and that no other variable has it.
///
/// # Errors
/// If it is no word, or another variable has it.
pub fn check_new_name(files: &[File], old: &str, new: &str) -> Result<(), NameError> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if new.is_empty() || !new.chars().all(is_word) {
        return Err(NameError::Characters(new.to_owned()));
    }
    let taken = |file: &File| {
        let mut definitions = file.document.outline.definitions();
        definitions.any(|(name, _)| name == new)
    };
    match old != new && files.iter().any(taken) {
        true => Err(NameError::Taken(new.to_owned())),
        false => Ok(()),
    }
}

/// Returns the text of a document after edits. They must not overlap.
#[must_use]
pub fn edited(document: &OpenDocument, edits: &[TextEdit]) -> String {
    let mut text = document.text.clone();
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.range.start);
    for edit in edits.into_iter().rev() {
        let (start, end) = (
            document.offset(edit.range.start),
            document.offset(edit.range.end),
        );
        text.replace_range(start..end.max(start), &edit.new_text);
    }
    text
}

/// Returns the edits that rename a name, per file.
#[must_use]
pub fn rename(files: &[File], old: &str, new: &str) -> Vec<(Uri, Vec<TextEdit>)> {
    files
        .iter()
        .map(|file| {
            let places = file.document.outline.uses(old);
            let edits =
                places.map(|range| TextEdit::new(file.document.range(range), new.to_owned()));
            (file.uri.clone(), edits.collect::<Vec<_>>())
        })
        .filter(|(_, edits)| !edits.is_empty())
        .collect()
}
