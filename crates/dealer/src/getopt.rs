//! Parser for one-letter switches as in GNU `getopt`, which the classic programs use.
//!
//! Switches may be bundled (`-vq`), an argument may be attached or separate (`-s5`, `-s 5`), they may follow file
//! names, and `--` ends them. The classic programs have no long switches; those of the native dialect are accepted.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};

use crate::system::os_string;

/// The one-letter switches of a dialect, in the notation of `getopt`: a colon follows letters that take an argument.
#[derive(Clone, Copy, Debug)]
pub struct Letters(pub &'static str);

/// Role of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LetterKind {
    Unknown,
    Flag,
    WithArgument,
}

impl Letters {
    fn kind(self, letter: u8) -> LetterKind {
        let text = self.0.as_bytes();
        match text
            .iter()
            .position(|&other| other == letter && letter != b':')
        {
            None => LetterKind::Unknown,
            Some(at) if text.get(at + 1) == Some(&b':') => LetterKind::WithArgument,
            Some(_) => LetterKind::Flag,
        }
    }
}

/// An element of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A one-letter switch, with its argument if it takes one.
    Switch(u8, Option<OsString>),
    /// A long switch (`--name`) and its value, if it takes one.
    Long(OsString, Option<OsString>),
    /// An argument that is not a switch.
    Word(OsString),
    /// A letter that the dialect does not have.
    Unknown(u8),
    /// A letter without the argument it needs.
    Missing(u8),
}

/// Splits the arguments after the program's name. `long` returns whether a long switch of this name exists and takes a
/// value. Unknown long switches are reported as the letter `-`, as `getopt` does.
pub fn scan(
    words: &[OsString],
    letters: Letters,
    long: impl Fn(&str) -> Option<bool>,
) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest: VecDeque<&OsString> = words.iter().collect();
    while let Some(word) = rest.pop_front() {
        let bytes = word.as_encoded_bytes();
        match bytes {
            b"--" => {
                items.extend(rest.drain(..).map(|word| Item::Word(word.clone())));
            }
            [b'-', b'-', name @ ..] => {
                let (name, value) = split_value(name);
                items.push(match std::str::from_utf8(name).ok().and_then(&long) {
                    None => Item::Unknown(b'-'),
                    Some(true) if value.is_none() => match rest.pop_front() {
                        Some(value) => Item::Long(os_string(name), Some(value.clone())),
                        None => Item::Missing(b'-'),
                    },
                    Some(_) => Item::Long(os_string(name), value.map(os_string)),
                });
            }
            [b'-', bundle @ ..] if !bundle.is_empty() => {
                scan_bundle(bundle, letters, &mut rest, &mut items)
            }
            _ => items.push(Item::Word(word.clone())),
        }
    }
    items
}

fn scan_bundle(
    bundle: &[u8],
    letters: Letters,
    rest: &mut VecDeque<&OsString>,
    items: &mut Vec<Item>,
) {
    for (at, &letter) in bundle.iter().enumerate() {
        match letters.kind(letter) {
            LetterKind::Unknown => items.push(Item::Unknown(letter)),
            LetterKind::Flag => items.push(Item::Switch(letter, None)),
            LetterKind::WithArgument => {
                let attached = &bundle[at + 1..];
                let argument = if attached.is_empty() {
                    rest.pop_front().cloned()
                } else {
                    Some(os_string(attached))
                };
                items.push(match argument {
                    Some(argument) => Item::Switch(letter, Some(argument)),
                    None => Item::Missing(letter),
                });
                return;
            }
        }
    }
}

fn split_value(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    match name.iter().position(|&byte| byte == b'=') {
        Some(at) => (&name[..at], Some(&name[at + 1..])),
        None => (name, None),
    }
}

/// Parses a number as C's `atoi` and `atol` do: leading blanks, a sign, digits; any other text is 0. Values that are
/// too large saturate.
pub fn leading_integer(text: &OsStr) -> i64 {
    let text = text.as_encoded_bytes();
    let blanks = text
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b)
        .count();
    let text = &text[blanks..];
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .fold(0i64, |value, digit| {
            let digit = i64::from(digit - b'0');
            let ten_times = value.saturating_mul(10);
            if negative {
                ten_times.saturating_sub(digit)
            } else {
                ten_times.saturating_add(digit)
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn scan_v1(line: &str) -> Vec<Item> {
        let long = |name: &str| match name {
            "threads" => Some(true),
            "rotate" => Some(false),
            _ => None,
        };
        scan(&words(line), Letters("023ehuvmqp:g:s:t:l:V"), long)
    }

    fn switch(letter: char, argument: Option<&str>) -> Item {
        Item::Switch(letter as u8, argument.map(OsString::from))
    }

    fn word(text: &str) -> Item {
        Item::Word(text.into())
    }

    #[test]
    fn bundles_attached_arguments_and_files_in_any_order() {
        assert_eq!(
            scan_v1("-qvs107 file -p 3 - -m"),
            [
                switch('q', None),
                switch('v', None),
                switch('s', Some("107")),
                word("file"),
                switch('p', Some("3")),
                word("-"),
                switch('m', None),
            ]
        );
        assert_eq!(scan_v1("-v -- -q"), [switch('v', None), word("-q")]);
        assert_eq!(scan_v1("-s -3"), [switch('s', Some("-3"))]);
    }

    #[test]
    fn unknown_letters_and_missing_arguments() {
        assert_eq!(scan_v1("-Yv"), [Item::Unknown(b'Y'), switch('v', None)]);
        assert_eq!(scan_v1("-p"), [Item::Missing(b'p')]);
        assert_eq!(scan_v1("--nonsense"), [Item::Unknown(b'-')]);
    }

    #[test]
    fn long_switches_with_and_without_values() {
        assert_eq!(
            scan_v1("--threads 2 --threads=3 --rotate x"),
            [
                Item::Long("threads".into(), Some("2".into())),
                Item::Long("threads".into(), Some("3".into())),
                Item::Long("rotate".into(), None),
                word("x"),
            ]
        );
    }

    #[test]
    fn numbers_like_atoi() {
        for (text, value) in [
            ("12", 12),
            ("  -7x", -7),
            ("+5", 5),
            ("x", 0),
            ("", 0),
            ("99999999999999999999", i64::MAX),
            ("-99999999999999999999", i64::MIN),
        ] {
            assert_eq!(leading_integer(OsStr::new(text)), value, "{text}");
        }
    }
}
