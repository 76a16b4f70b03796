//! The hands that a call shows by the rules of the built-in systems.

use cards::Vulnerability;
use contract_bridge::auction::Call as PonsCall;
use formats::Call;
use pons::bidding::constraint::Description;

use super::{BuiltInSystem, convert};
use crate::{Auction, Meaning};

/// The meaning that the rules give to a call.
#[derive(Default)]
struct RuleReading {
    text: Option<String>,
    is_alerted: bool,
    meaning: Option<Meaning>,
}

impl BuiltInSystem {
    /// Reads the call after `before`: its meaning in words, if the rules have them, whether it is conventional, and the hands that
    /// it shows.
    pub(crate) fn read(
        &self,
        before: &Auction,
        call: Call,
        vulnerability: Vulnerability,
    ) -> (Option<String>, bool, Vec<Meaning>) {
        let seat = before.seat(before.calls().len());
        let view = convert::vulnerability(vulnerability, seat);
        let mut calls = before.calls().to_vec();
        calls.push(call);
        let calls = convert::calls(&calls);
        let place = before.calls().len();
        let (before, made) = (&calls[..place], calls[place]);
        let rules = self.rules(view, before, made);
        let shown = self.shown(view, before, made);
        let meanings = [Some(shown), rules.meaning].into_iter().flatten();
        (rules.text, rules.is_alerted, meanings.collect())
    }

    /// Reads the rules by which `call` can be made after `before`.
    fn rules(
        &self,
        vulnerability: contract_bridge::auction::RelativeVulnerability,
        before: &[PonsCall],
        call: PonsCall,
    ) -> RuleReading {
        let context = self.partnership.prefixed_context(vulnerability, before);
        let resolved = self.book(before).resolve(&context, before);
        let Some((classifier, origin)) = resolved else {
            return RuleReading::default();
        };
        let Some(rules) = classifier.as_rules().filter(|_| origin.is_authored()) else {
            return RuleReading::default();
        };
        let live: Vec<_> = rules
            .rules()
            .iter()
            .filter(|rule| rule.call() == call && rule.face_live(&context))
            .filter(|rule| can_open_here(&rule.describe().to_string(), before.len() + 1))
            .collect();
        let mut texts: Vec<String> = Vec::new();
        for rule in &live {
            let words = match rule.describe() {
                Description::Opaque => None,
                description => {
                    plain_words(&description.to_string(), rule.alert().map(|alert| alert.0))
                }
            };
            texts.extend(words.filter(|words| !texts.contains(words)));
        }
        let boxes = live.iter().map(|rule| rule.project_band_union(&context));
        let meaning = boxes.reduce(pons::bidding::EnvelopeUnion::union);
        RuleReading {
            text: (!texts.is_empty() && texts.len() == live.len()).then(|| texts.join("; or ")),
            is_alerted: live.iter().any(|rule| rule.alert().is_some()),
            meaning: meaning.map(|union| convert::meaning(&union)),
        }
    }
}

/// Returns whether a rule for openings in certain seats includes `seat`, counted from the dealer. These seats are part
/// of the rule's condition on the auction, which is not in its ranges of hands.
fn can_open_here(description: &str, seat: usize) -> bool {
    const SEAT: &str = "opening in seat ";
    !description.contains(SEAT) || description.contains(&format!("{SEAT}{seat}"))
}

/// Phrases of `pons` that only its authors understand, or that the auction makes superfluous, and their replacements.
const PHRASES: [(&str, &str); 7] = [
    (", and (opening in seat 1, or opening in seat 2)", ""),
    (", and (opening in seat 3, or opening in seat 4)", ""),
    (
        "not (prefers diamonds)",
        "clubs longer than diamonds or 3-3",
    ),
    (
        "prefers diamonds",
        "diamonds longer than clubs, or 4-4 or 5-5",
    ),
    (
        "balanced or 5m(422)/6m(322) 1NT shape",
        "balanced, or 5422 or 6322 with a long minor",
    ),
    (
        "not a weak balanced hand diverted to Pass",
        "not a weak balanced hand",
    ),
    ("stopper in their suit(s)", "a stopper in their suits"),
];

/// Rewrites ranges such as `18.0-20.0 fifths`. The built-in systems count high card points there, and the end of the range is
/// not included: 18 or 19 points.
fn with_whole_points(text: &str) -> String {
    let mut written = String::new();
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        let unit = words.peek().copied().unwrap_or_default();
        let range = word.split_once('-').filter(|_| unit.starts_with("fifths"));
        let numbers = range.and_then(|(least, end)| {
            let least = least.strip_suffix(".0")?.parse::<u8>().ok()?;
            let end = end.strip_suffix(".0")?.parse::<u8>().ok()?;
            Some((least, end.checked_sub(1)?))
        });
        if !written.is_empty() {
            written.push(' ');
        }
        match numbers {
            Some((least, most)) => {
                let rest = unit.trim_start_matches("fifths");
                written += &format!("{least}-{most} HCP{rest}");
                words.next();
            }
            None => written += word,
        }
    }
    written
}

/// Writes a rule of `pons` in plain words: suits by name, no symbols. If the rule has parts without words, only its
/// convention is named, if it is one.
pub(super) fn plain_words(description: &str, alert: Option<&str>) -> Option<String> {
    // `comp:cue-raise` is a cue raise of the competitive rules.
    let name = alert.map(|alert| alert.rsplit(':').next().unwrap_or(alert).replace('-', " "));
    if description.contains("opaque condition") {
        return name;
    }
    let description = match description {
        "0+ HCP" => "any strength",
        other => other,
    };
    let mut text = String::new();
    let mut before = ' ';
    for c in description.chars() {
        match c {
            '♣' | '♦' | '♥' | '♠' => text.push_str(suit_words(c, before)),
            '≤' => text.push_str("at most "),
            '≥' => text.push_str("at least "),
            '–' | '—' => text.push('-'),
            c => text.push(c),
        }
        before = c;
    }
    let text = PHRASES
        .iter()
        .fold(text, |text, (phrase, plain)| text.replace(phrase, plain));
    let text = with_whole_points(&text);
    Some(match name {
        Some(name) if text == "any strength" => name,
        Some(name) => format!("{name}: {text}"),
        None => text,
    })
}

/// Returns the letter of a suit in a bid (`2S`), its name elsewhere.
fn suit_words(symbol: char, before: char) -> &'static str {
    let names = [
        ('♣', "C", "clubs"),
        ('♦', "D", "diamonds"),
        ('♥', "H", "hearts"),
        ('♠', "S", "spades"),
    ];
    let found = names.iter().find(|(suit, ..)| *suit == symbol);
    let (letter, name) = found.map_or(("", ""), |&(_, letter, name)| (letter, name));
    if before.is_ascii_digit() {
        letter
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_rules_are_plain() {
        for (rule, words) in [
            (
                "12–21 points, 10+ HCP, 5+ ♥, and (opening in seat 1, or opening in seat 2)",
                "12-21 points, 10+ HCP, 5+ hearts",
            ),
            ("18.0–20.0 fifths, and balanced", "18-19 HCP, and balanced"),
            (
                "3+ ♣, not (prefers diamonds), ≤4 ♠",
                "3+ clubs, clubs longer than diamonds or 3-3, at most 4 spades",
            ),
            ("15–17 HCP", "15-17 HCP"),
        ] {
            assert_eq!(plain_words(rule, None).as_deref(), Some(words));
        }
    }
}
