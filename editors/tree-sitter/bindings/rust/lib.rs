//! The dealer language for [tree-sitter](https://tree-sitter.github.io): the parser and its highlight query.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_dealer::LANGUAGE.into()).unwrap();
//! let tree = parser.parse("condition hcp(north) >= 15", None).unwrap();
//! assert!(!tree.root_node().has_error());
//! ```

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_dealer() -> *const ();
}

/// The language, for `Parser::set_language`.
// SAFETY: the generated parser defines this function with the signature that tree-sitter specifies.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_dealer) };

/// The highlight query, for editors.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");
