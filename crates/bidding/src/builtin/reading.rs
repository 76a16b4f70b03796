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
