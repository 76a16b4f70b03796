//! Compilation of a document and the messages about it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use croupier::scenarios::OrBundle;
use croupier::script::plan::{Plan, Span};
use croupier::script::system::SystemScript;
use croupier::script::{
    CompileOptions, Dialect, FileLoader, LoadError, Loaded, Loader, ScriptSource, Severity,
};
use lsp_types::{DiagnosticSeverity, NumberOrString, Uri};

use crate::chances::fingerprint;
use crate::dialect::{self, NamedDialect};
use crate::document::OpenDocument;

/// A document after compilation.
#[derive(Clone, Debug)]
pub struct CompiledDocument {
    /// The compiled plan, if the script has no errors.
    pub plan: Option<Arc<Plan>>,
    /// Messages about this document and the files that it imports.
    pub messages: Vec<croupier::script::Diagnostic>,
    /// Name under which the document was compiled.
    pub name: String,
    /// Fingerprint of the plan, under which its frequencies are kept.
    pub fingerprint: u64,
    /// Bytes of a dialect name in a comment, if there is no such dialect.
    pub unknown_dialect: Option<std::ops::Range<usize>>,
}

impl CompiledDocument {
    /// Returns the analysis of a document that is not compiled yet.
    #[must_use]
    pub fn empty() -> CompiledDocument {
        CompiledDocument {
            plan: None,
            messages: Vec::new(),
            name: String::new(),
            fingerprint: 0,
            unknown_dialect: None,
        }
    }
}

/// A loader of imports: from the editor if the file is open there, else from the disk.
pub struct OpenFiles<F> {
    /// Returns the text of a file that the editor has open.
    pub open: F,
}

impl<F: Fn(&Path) -> Option<String>> Loader for OpenFiles<F> {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let folder = Path::new(importer).parent().unwrap_or(Path::new(""));
        let file: PathBuf = folder.join(path);
        match (self.open)(&file) {
            Some(text) => Ok(Loaded {
                identity: file
                    .canonicalize()
                    .unwrap_or_else(|_| file.clone())
                    .to_string_lossy()
                    .into_owned(),
                source: ScriptSource::new(file.to_string_lossy(), text),
            }),
            None => OrBundle(FileLoader).load(importer, path),
        }
    }
}

/// Returns texts for `$0` to `$9`: those that the script declares, else placeholders with which it compiles. The real
/// texts are known only when the script runs.
fn stand_ins(document: &OpenDocument) -> [Option<String>; 10] {
    std::array::from_fn(|digit| {
        document
            .text
            .contains(&format!("${digit}"))
            .then(|| "0".to_owned())
    })
}

/// Returns whether the document is a bidding system: it has rules.
fn is_system(document: &OpenDocument) -> bool {
    croupier::script::system::is_system(document.text.as_bytes())
}

impl CompiledDocument {
    /// Compiles a document. `open` returns the text of files that the editor has open; `default_dialect` is the dialect of documents
    /// that name none.
    #[must_use]
    pub fn of(
        uri: &Uri,
        document: &OpenDocument,
        default_dialect: Dialect,
        open: &dyn Fn(&Path) -> Option<String>,
    ) -> CompiledDocument {
        let name = name_of(uri);
        let named = dialect::in_comment(document);
        let (dialect, unknown_dialect) = match named {
            None => (default_dialect, None),
            Some(NamedDialect::Known(dialect)) => (dialect, None),
            Some(NamedDialect::Unknown(place)) => (default_dialect, Some(place)),
        };
        let options = CompileOptions {
            mode: dialect.mode,
            dealer3: dialect.dealer3,
            script_variables: stand_ins(document),
            loader: &OpenFiles { open },
            ..CompileOptions::default()
        };
        let source = ScriptSource::new(name.clone(), document.text.as_bytes());
        let (plan, messages) = match is_system(document) {
            true => (None, SystemScript::parse(&source).err().unwrap_or_default()),
            false => match croupier::script::compile(&source, &options) {
                Ok((plan, warnings)) => (Some(Arc::new(plan)), warnings),
                Err(messages) => (None, messages),
            },
        };
        CompiledDocument {
            fingerprint: plan.as_deref().map_or(0, fingerprint),
            plan,
            messages,
            name,
            unknown_dialect,
        }
    }

    /// Converts the messages for the editor. Messages about imported files are shown at the first line of the script.
    #[must_use]
    pub fn diagnostics(&self, document: &OpenDocument) -> Vec<lsp_types::Diagnostic> {
        let shown = self.messages.iter().map(|message| {
            let here = message.place.file == self.name;
            let bytes = message.place.bytes.start as usize..message.place.bytes.end as usize;
            let range = if here {
                document.range(bytes)
            } else {
                document.range(0..0)
            };
            let mut text = message.message.clone();
            if !here {
                text = format!("{}:{}: {text}", message.place.file, message.place.line);
            }
            for note in &message.notes {
                text.push('\n');
                text.push_str(note);
            }
            lsp_types::Diagnostic {
                range,
                severity: Some(match message.severity {
                    Severity::Error => DiagnosticSeverity::ERROR,
                    Severity::Warning => DiagnosticSeverity::WARNING,
                }),
                code: Some(NumberOrString::String(message.code.to_owned())),
                source: Some("croupier".to_owned()),
                message: text,
                ..lsp_types::Diagnostic::default()
            }
        });
        let unknown = self
            .unknown_dialect
            .clone()
            .map(|place| lsp_types::Diagnostic {
                range: document.range(place),
                severity: Some(DiagnosticSeverity::WARNING),
                source: Some("croupier".to_owned()),
                message: format!(
                    "there is no such dialect; write {}",
                    croupier::script::dialect::names()
                ),
                ..lsp_types::Diagnostic::default()
            });
        shown.chain(unknown).collect()
    }

    /// Returns the range of a span of the plan in the document, or `None` if it is in another file.
    #[must_use]
    pub fn bytes_of(&self, span: Span) -> Option<std::ops::Range<usize>> {
        let place = self.plan.as_ref()?.sources.place(span);
        let bytes = place.bytes;
        (place.file == self.name).then_some(bytes.start as usize..bytes.end as usize)
    }
}

/// Returns the name under which a document is compiled: its path, or its address.
#[must_use]
pub fn name_of(uri: &Uri) -> String {
    path_of(uri).map_or_else(
        || uri.as_str().to_owned(),
        |path| path.to_string_lossy().into_owned(),
    )
}

/// Returns the path of a `file:` address.
#[must_use]
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let text = uri.as_str().strip_prefix("file://")?;
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push((digit()? * 16 + digit()?) as u8);
    }
    let path = String::from_utf8(bytes).ok()?;
    // On Windows the address is file:///c:/x.
    let is_drive = path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { &path[1..] } else { &path }))
}

/// Returns the `file:` address of a path.
#[must_use]
pub fn uri_of(path: &Path) -> Option<Uri> {
    let mut text = String::from("file://");
    let path = path.to_string_lossy().replace('\\', "/");
    if !path.starts_with('/') {
        text.push('/');
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte) {
            text.push(byte as char);
        } else {
            text += &format!("%{byte:02X}");
        }
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths() {
        for path in ["/home/me/a b.dl", "/x/ä%.dl"] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert_eq!(path_of(&uri).unwrap(), Path::new(path));
        }
        assert!(path_of(&"untitled:Untitled-1".parse().unwrap()).is_none());
    }
}
