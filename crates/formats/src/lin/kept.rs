//! Pairs of a LIN file whose codes the reader does not interpret. A board keeps them for LIN that is written again.

use super::{encoded, pair, percent_decoded};
use crate::lines::decode_text;
use crate::{ExtraTag, Extras};

/// The tag that carries the pairs of a board through other formats.
pub(super) const PAIRS: &str = "LinPairs";

/// Maximum length of a line of the tag in bytes, apart from the last character.
const LONGEST_LINE: usize = 200;

/// Returns the tag `name` with the given pairs in its section.
pub(super) fn tag_of_pairs(name: &str, pairs: &[(String, String)]) -> ExtraTag {
    let lines = pairs.iter().flat_map(|(code, value)| {
        let text = format!("{code}|{}|", encoded(value));
        folded(
            &text
                .replace('{', "%7B")
                .replace('}', "%7D")
                .replace(';', "%3B")
                .replace('[', "%5B"),
        )
    });
    ExtraTag {
        name: name.to_owned(),
        value: String::new(),
        section: lines.collect::<Vec<_>>().join("\n"),
    }
}

/// Appends the pairs in the tag `name` of a board, each followed by `end`. Returns whether the board has this tag.
pub(super) fn write(out: &mut Vec<u8>, extras: &Extras, name: &str, end: &str) -> bool {
    let Some(tag) = extras.tags.iter().find(|tag| tag.name == name) else {
        return false;
    };
    let text: String = tag.section.lines().collect();
    let mut parts = text.split('|');
    while let (Some(code), Some(value)) = (parts.next(), parts.next()) {
        let value = decode_text(&percent_decoded(value.as_bytes(), false));
        pair(out, code, &super::plain_text(&value));
        out.extend_from_slice(end.as_bytes());
    }
    true
}

/// Breaks a text into lines.
fn folded(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for c in text.chars() {
        // A line of PBN that begins with % would be a directive.
        let is_long = lines.last().is_some_and(|line| line.len() >= LONGEST_LINE);
        if is_long && c != ' ' && c != '%' {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            // A blank at the end of a line would be lost.
            match c {
                ' ' => line.push_str("%20"),
                c => line.push(c),
            }
        }
    }
    lines
}
