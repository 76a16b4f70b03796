//! One game of a PBN file: its tags without comments, and the text of their sections.

use std::collections::HashSet;
use std::ops::Range;

/// A tag pair and the text that follows it up to the next tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub name: Vec<u8>,
    pub value: Vec<u8>,
    pub section: Vec<u8>,
    /// Lines before the tag, counted from the start of the game.
    pub line: u64,
    /// Whether the tag is complete. A broken one has a name and no value.
    pub is_whole: bool,
}

/// Removes comments and escape lines while lines are collected.
#[derive(Debug, Default)]
pub(super) struct Stripper {
    in_comment: bool,
    /// Removed comments that [`Stripper::take_comments`] has not returned yet.
    comments: Vec<Vec<u8>>,
}

/// Maximum size of the comments that are kept for a game.
const MOST_COMMENTS: usize = 1 << 16;

impl Stripper {
    /// Returns whether a brace comment is still open.
    pub fn in_comment(&self) -> bool {
        self.in_comment
    }

    /// Returns the comments since the last call, without blanks at the ends of their lines.
    pub fn take_comments(&mut self) -> Vec<String> {
        let texts = std::mem::take(&mut self.comments).into_iter().map(|text| {
            let text = crate::lines::decode_text(&text);
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            lines.join("\n").trim().to_owned()
        });
        texts.filter(|text| !text.is_empty()).collect()
    }

    fn note(&mut self, byte: u8) {
        if let Some(comment) = self.comments.last_mut()
            && comment.len() < MOST_COMMENTS
        {
            comment.push(byte);
        }
    }

    fn begin_comment(&mut self) {
        if self.comments.len() < MOST_COMMENTS {
            self.comments.push(Vec::new());
        }
    }

    /// Appends the line without its comments, and a newline.
    pub fn push(&mut self, game: &mut Vec<u8>, line: &[u8]) {
        if !self.in_comment && line.first() == Some(&b'%') {
            game.push(b'\n');
            return;
        }
        // Braces and semicolons inside a quoted value are text. A quote that is open at the end of the line does not
        // count.
        let mut in_string = false;
        let mut in_tag = false;
        for (at, &byte) in line.iter().enumerate() {
            if self.in_comment {
                self.in_comment = byte != b'}';
                if self.in_comment {
                    self.note(byte);
                }
                continue;
            }
            match byte {
                b'[' if !in_string => in_tag = true,
                b']' if !in_string => in_tag = false,
                b'"' if in_tag && (!in_string || !is_escaped(line, at)) => in_string = !in_string,
                b'{' if !in_string => {
                    self.in_comment = true;
                    self.begin_comment();
                    game.push(b' ');
                    continue;
                }
                b';' if !in_string && !in_tag => {
                    self.begin_comment();
                    line[at + 1..].iter().for_each(|&byte| self.note(byte));
                    break;
                }
                _ => {}
            }
            game.push(byte);
        }
        if self.in_comment {
            self.note(b'\n');
        }
        game.push(b'\n');
    }
}

fn is_escaped(line: &[u8], at: usize) -> bool {
    line[..at]
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count()
        % 2
        == 1
}

/// Returns all tags of a game, in order.
pub(super) fn tags(game: &[u8]) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    let mut at = 0;
    let mut line = 0;
    while at < game.len() {
        if game[at] == b'['
            && let Some((name, value, end)) = tag_pair(game, at + 1)
        {
            tags.push(Tag {
                name,
                value,
                section: Vec::new(),
                line,
                is_whole: true,
            });
            line += newlines(&game[at..end]);
            at = end;
            continue;
        }
        if game[at] == b'[' && begins_line(game, at) {
            let name = name_at(game, at + 1);
            if game[name.clone()]
                .first()
                .is_some_and(u8::is_ascii_alphabetic)
            {
                tags.push(Tag {
                    name: game[name].to_vec(),
                    value: Vec::new(),
                    section: Vec::new(),
                    line,
                    is_whole: false,
                });
            }
        }
        if let Some(tag) = tags.last_mut() {
            tag.section.push(game[at]);
        }
        line += u64::from(game[at] == b'\n');
        at += 1;
    }
    tags
}

fn newlines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// Returns whether only blanks precede `at` on its line.
fn begins_line(game: &[u8], at: usize) -> bool {
    let before = game[..at].iter().rev().take_while(|&&byte| byte != b'\n');
    before.copied().all(|byte| byte.is_ascii_whitespace())
}

/// Returns the range of the name that begins at `at`, after blanks.
fn name_at(game: &[u8], at: usize) -> Range<usize> {
    let start = skip_blanks(game, at);
    let letters = game[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    start..start + letters.count()
}

/// Splits tags of games that follow each other without a blank line: at the first tag after a complete deal that the
/// game already has, if another deal or board number follows.
pub(super) fn games(mut tags: Vec<Tag>) -> Vec<Vec<Tag>> {
    let name = |tag: &Tag| tag.name.to_ascii_lowercase();
    let mut starts = vec![0];
    let mut seen = HashSet::new();
    // The first repeated tag after the deal.
    let mut repeated = None;
    for at in 0..tags.len() {
        let tag = name(&tags[at]);
        if seen.contains(&b"deal"[..]) && seen.contains(&tag) && tag != b"note" {
            repeated = repeated.or(Some(at));
        }
        if let Some(start) = repeated
            && matches!(&tag[..], b"deal" | b"board")
            && seen.contains(&tag)
        {
            starts.push(start);
            seen = tags[start..at].iter().map(name).collect();
            repeated = None;
        }
        seen.insert(tag);
    }
    let mut games: Vec<Vec<Tag>> = starts
        .into_iter()
        .rev()
        .map(|start| tags.split_off(start))
        .collect();
    games.reverse();
    games
}

/// Reads `Name "value"]` from `at`. Returns name, value and the position after the bracket.
fn tag_pair(game: &[u8], at: usize) -> Option<(Vec<u8>, Vec<u8>, usize)> {
    let Range { start, end } = name_at(game, at);
    if end == start {
        return None;
    }
    let quote = skip_blanks(game, end);
    if game.get(quote) != Some(&b'"') {
        return None;
    }
    let (value, after) = quoted(game, quote + 1)?;
    let bracket = skip_blanks(game, after);
    let end_of_tag = if game.get(bracket) == Some(&b']') {
        bracket + 1
    } else {
        after
    };
    Some((game[start..end].to_vec(), value, end_of_tag))
}

fn skip_blanks(game: &[u8], at: usize) -> usize {
    let at = at.min(game.len());
    at + game[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// Reads a value up to the quote before `]`. A quote that is neither escaped nor followed by a bracket is kept as text.
/// If no quote of the line is followed by a bracket, the last quote ends the value.
fn quoted(game: &[u8], start: usize) -> Option<(Vec<u8>, usize)> {
    let mut value = Vec::new();
    let mut last_quote = None;
    let mut at = start;
    while let Some(&byte) = game.get(at) {
        match (byte, game.get(at + 1)) {
            (b'\\', Some(&next @ (b'"' | b'\\'))) => {
                value.push(next);
                at += 2;
                continue;
            }
            (b'"', _) if game.get(skip_blanks(game, at + 1)) == Some(&b']') => {
                return Some((value, at + 1));
            }
            (b'"', _) => last_quote = Some((value.len(), at + 1)),
            (b'\n', _) => break,
            _ => {}
        }
        value.push(byte);
        at += 1;
    }
    let (len, after) = last_quote?;
    value.truncate(len);
    Some((value, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        let mut stripper = Stripper::default();
        let mut game = Vec::new();
        for line in text.lines() {
            stripper.push(&mut game, line.as_bytes());
        }
        let utf8 = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        tags(&game)
            .into_iter()
            .map(|tag| (utf8(tag.name), utf8(tag.value)))
            .collect()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.into(), value.into())
    }

    #[test]
    fn tags_come_in_any_arrangement() {
        assert_eq!(
            pairs("[A \"1\"][B\n\"2\"\n] text [ C   \"3\" ]"),
            [pair("A", "1"), pair("B", "2"), pair("C", "3")]
        );
    }

    #[test]
    fn comments_disappear_but_not_inside_values() {
        assert_eq!(
            pairs(
                "% [X \"no\"]\n{ [Y \"no\"]\n\n [Y \"no\"] }[A \"{1};\"] ; [Z \"no\"]\n[B \"2\"]"
            ),
            [pair("A", "{1};"), pair("B", "2")]
        );
    }

    #[test]
    fn quotes_inside_values_survive_escaped_or_not() {
        assert_eq!(
            pairs(r#"[A "a \"quoted\" \\ title"][B "a "quoted" title"][C "5\2R"]"#),
            [
                pair("A", r#"a "quoted" \ title"#),
                pair("B", r#"a "quoted" title"#),
                pair("C", r"5\2R")
            ]
        );
    }
}
