//! Names: definitions, uses and renaming.

use std::path::Path;

use croupier::script::outline::{Outline, TokenClass};
use lsp_types::{Location, TextEdit, Uri};

use crate::analysis::{path_of, uri_of};
use crate::document::Document;

/// A file of the script: the document itself or an imported file.
pub struct File {
    /// Address of the file.
    pub uri: Uri,
    /// Text and outline of the file.
    pub document: Document,
}

/// Returns the document and all its direct and indirect imports; `read` returns the text of a file.
#[must_use]
pub fn files(uri: &Uri, document: &Document, read: &dyn Fn(&Path) -> Option<String>) -> Vec<File> {
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
                    document: Document::new(text, 0),
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
pub fn name_at(document: &Document, offset: usize) -> Option<(&str, std::ops::Range<usize>)> {
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

/// Checks that a text can be used as a name.
///
/// # Errors
/// A message for the user.
pub fn check_name(files: &[File], old: &str, new: &str) -> Result<(), String> {
    let is_name = new.starts_with(|c: char| c.is_ascii_alphabetic())
        && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!(
            "`{new}` cannot be a name: names begin with a letter and go on with letters, digits and _"
        ));
    }
    // Before `=` every word is a name; as a word alone its class is visible.
    let outline = Outline::of(new.as_bytes());
    if outline
        .tokens
        .first()
        .is_none_or(|mark| mark.class != TokenClass::Variable)
    {
        return Err(format!(
            "`{new}` is a word of the language or looks like a card or shape"
        ));
    }
    let taken = |file: &File| {
        file.document
            .outline
            .definitions()
            .any(|(name, _)| name == new)
    };
    if old != new && files.iter().any(taken) {
        return Err(format!("`{new}` is defined already"));
    }
    Ok(())
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
