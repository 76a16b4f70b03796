//! The words of systems, and their replacement by those of the dealer language.

use std::ops::Range;

use cards::Seat;

use super::{CallerPosition, Definition};
use crate::source::ScriptSource;

/// The words that only systems have, with their meanings.
pub const SYSTEM_WORDS: [(&str, &str); 7] = [
    ("me", "The caller: `hcp(me)`."),
    ("partner", "The caller's partner, in `vulnerable(partner)`."),
    (
        "lho",
        "The opponent to the caller's left, in `vulnerable(lho)`.",
    ),
    (
        "rho",
        "The opponent to the caller's right, in `vulnerable(rho)`.",
    ),
    (
        "vulnerable",
        "Whether a player is vulnerable: `vulnerable(me)`, `vulnerable(lho)`.",
    ),
    (
        "position",
        "The caller's place in the first round: 1 for the dealer to 4.",
    ),
    (
        "otherwise",
        "The system that calls where this one has no rules: `otherwise \"2/1\"`.",
    ),
];

/// A player as seen by the caller: the number of places clockwise.
pub(super) fn relative(word: &[u8]) -> Option<usize> {
    Some(match word {
        b"me" => 0,
        b"lho" => 1,
        b"partner" => 2,
        b"rho" => 3,
        _ => return None,
    })
}

/// A word of a system and its replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replaced {
    /// A player, the given number of places clockwise from the caller.
    Player(usize),
    /// The name of the definition with this number.
    Name(usize),
    /// `vulnerable(lho)`: whether this player is vulnerable.
    Vulnerable(usize),
    /// `position`
    Turn,
}

/// An expression of a system.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Bytes of the expression.
    pub range: Range<usize>,
    /// The bytes that are replaced, in reading order.
    pub replaced: Vec<(Range<usize>, Replaced)>,
}

/// Returns the name of a definition for a caller.
pub(super) fn name_for(name: &str, caller: Seat) -> String {
    format!("{name}_{}", caller.name())
}

/// Text in the dealer language, and where its parts come from.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub text: String,
    /// The beginnings of pieces of `text`, with the bytes of the system they come from.
    pub origins: Vec<(usize, Range<usize>)>,
}

impl Written {
    /// Appends text that comes from a range of the system.
    pub fn push(&mut self, text: &str, origin: Range<usize>) {
        self.origins.push((self.text.len(), origin));
        self.text += text;
    }

    /// Returns the bytes of the system from which a range of the text comes.
    pub fn origin(&self, range: Range<usize>) -> Range<usize> {
        let place = |offset: usize| {
            let next = self.origins.partition_point(|&(start, _)| start <= offset);
            let (start, origin) = &self.origins[next.saturating_sub(1)];
            let end = self
                .origins
                .get(next)
                .map_or(self.text.len(), |&(at, _)| at);
            // The bytes of copied text correspond one to one; those of replaced words do not.
            let copied = end - start == origin.len();
            match copied {
                true => origin.start + (offset - start)..origin.start + (offset - start) + 1,
                false => origin.clone(),
            }
        };
        let first = place(range.start);
        let last = place(range.end.max(range.start + 1) - 1);
        first.start..last.end.max(first.start)
    }
}

impl Part {
    /// Returns the numbers of the definitions that it uses.
    pub fn names(&self) -> impl Iterator<Item = usize> {
        self.replaced
            .iter()
            .filter_map(|(_, replaced)| match replaced {
                Replaced::Name(number) => Some(*number),
                _ => None,
            })
    }

    /// Returns the text as it is written.
    pub fn source_text(&self, source: &ScriptSource) -> String {
        String::from_utf8_lossy(&source.text[self.range.clone()]).into_owned()
    }

    /// Writes the expression for a caller.
    pub fn write(
        &self,
        source: &ScriptSource,
        definitions: &[Definition],
        position: CallerPosition,
        out: &mut Written,
    ) {
        let copy = |range: Range<usize>, out: &mut Written| {
            if !range.is_empty() {
                out.push(&String::from_utf8_lossy(&source.text[range.clone()]), range);
            }
        };
        let mut at = self.range.start;
        for (range, replaced) in &self.replaced {
            copy(at..range.start, out);
            let text = match *replaced {
                Replaced::Player(steps) => position.caller.clockwise(steps).name().to_owned(),
                Replaced::Name(number) => name_for(&definitions[number].name, position.caller),
                Replaced::Vulnerable(steps) => u8::from(position.vulnerable[steps % 2]).to_string(),
                Replaced::Turn => position.turn.to_string(),
            };
            out.push(&text, range.clone());
            at = range.end;
        }
        copy(at..self.range.end, out);
    }
}
