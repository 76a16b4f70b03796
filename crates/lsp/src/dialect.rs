//! The dialect of a document: the editor's setting, or a comment such as `# dialect: v1` in the script.

use std::ops::Range;

use croupier::script::outline::TokenClass;
use croupier::script::{Dialect, UnknownDialect};

use crate::document::OpenDocument;

/// The dialect that a comment of the script names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedDialect {
    /// A known dialect.
    Known(Dialect),
    /// The place of a name that is no dialect.
    Unknown(Range<usize>),
}

/// Returns the dialect with this name, in any case.
///
/// # Errors
/// If there is none; the message lists the names.
pub fn named(name: &str) -> Result<Dialect, UnknownDialect> {
    name.to_ascii_lowercase().parse()
}

/// Finds the first comment `# dialect: NAME` (or `//`, `/*`).
#[must_use]
pub fn in_comment(document: &OpenDocument) -> Option<NamedDialect> {
    let tokens = document.outline.tokens.iter();
    let mut comments = tokens.filter(|token| token.class == TokenClass::Comment);
    comments.find_map(|token| {
        let text = document.outline.text(token.range.clone());
        let body = text.trim_start_matches(['#', '/', '*', ' ', '\t']);
        let word = body.get(.."dialect".len())?;
        let rest = body["dialect".len()..].trim_start();
        let name = rest
            .strip_prefix(':')
            .filter(|_| word.eq_ignore_ascii_case("dialect"))?;
        let name = name.trim_start();
        let length = name
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(name.len());
        Some(match named(&name[..length]) {
            Ok(dialect) => NamedDialect::Known(dialect),
            Err(_) => {
                let start = token.range.start + (text.len() - name.len());
                NamedDialect::Unknown(start..start + length)
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier::script::plan::Mode;

    #[test]
    fn comments_name_dialects() {
        let found = |text: &str| in_comment(&OpenDocument::new(text.into(), None));
        let v1 = Some(NamedDialect::Known(Mode::V1.into()));
        for text in [
            "# dialect: v1",
            "hcp(north) > 3 // Dialect:V1 of Debian",
            "/* dialect : v1 */",
            "# other\n#dialect: v1\n# dialect: v2",
        ] {
            assert_eq!(found(text), v1, "{text}");
        }
        assert_eq!(found("# dialect: v7"), Some(NamedDialect::Unknown(11..13)));
        assert_eq!(found("# é"), None);
        assert_eq!(found("dialect: v1"), None);
    }
}
