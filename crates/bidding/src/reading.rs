//! Reads an auction: the hands that every call shows by the systems of both sides.

use cards::{BySeat, Hand, Seat, Side, Vulnerability};
use formats::Call;

use crate::builtin::BuiltInSystem;
use crate::scripted::{CallCondition, ScriptSystem};
use crate::{Auction, Meaning};

/// The rules of one side.
#[derive(Clone, Copy)]
pub enum SystemRules<'a> {
    /// A system of the built-in robot.
    BuiltIn(&'a BuiltInSystem),
    /// A script.
    Script(&'a ScriptSystem),
}

impl<'a> From<&'a BuiltInSystem> for SystemRules<'a> {
    fn from(system: &'a BuiltInSystem) -> Self {
        SystemRules::BuiltIn(system)
    }
}

impl<'a> From<&'a ScriptSystem> for SystemRules<'a> {
    fn from(system: &'a ScriptSystem) -> Self {
        SystemRules::Script(system)
    }
}

/// Returns whether a text of the dealer language has a word.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(|letter| !is_letter(letter))
        .any(|part| part == word)
}

/// The hands that one call of an auction shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallReading {
    /// The caller.
    pub seat: Seat,
    /// The call.
    pub call: Call,
    /// Meaning of the call by itself, in words: from the rules for it, else from the hands that it adds to those known
    /// before. Empty if it shows nothing.
    pub text: String,
    /// Whether the call is conventional.
    pub is_alerted: bool,
    /// The hands that the caller's calls up to this one show by the rules of the built-in robot.
    pub meaning: Meaning,
    /// The hands that make this call by the rules of a script, if it was read by them.
    pub condition: Option<CallCondition>,
}

impl CallReading {
    /// Returns the hands that the caller's calls up to this one show, in words; those of this call alone if a script
    /// read it.
    #[must_use]
    pub fn shown(&self) -> String {
        match self.condition {
            Some(_) => self.text.clone(),
            None => self.meaning.to_string(),
        }
    }
}

/// The hands that an auction shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuctionReading {
    /// A reading for each call.
    pub calls: Vec<CallReading>,
    /// The hands that each seat's calls show together by the rules of the built-in robot.
    pub seats: BySeat<Meaning>,
}

impl AuctionReading {
    /// Reads an auction of two systems: that of North-South, and that of East-West.
    #[must_use]
    pub fn new<'a>(
        systems: [impl Into<SystemRules<'a>>; 2],
        auction: &Auction,
        vulnerability: Vulnerability,
    ) -> AuctionReading {
        let systems = systems.map(Into::into);
        let mut reading = AuctionReading {
            calls: Vec::new(),
            seats: BySeat::from_fn(|_| Meaning::default()),
        };
        for (place, &call) in auction.calls().iter().enumerate() {
            let seat = auction.seat(place);
            let before = auction.prefix(place);
            let built_in = match systems[usize::from(seat.side() == Side::EastWest)] {
                SystemRules::BuiltIn(system) => Some(system),
                SystemRules::Script(system) => match system.read(&before, call, vulnerability) {
                    None => system.otherwise(),
                    Some(read) => {
                        reading.calls.push(CallReading {
                            seat,
                            call,
                            text: read.text,
                            is_alerted: read.is_alerted,
                            meaning: reading.seats[seat].clone(),
                            condition: Some(read.shown),
                        });
                        continue;
                    }
                },
            };
            let known = &mut reading.seats[seat];
            let old = known.clone();
            let shown = built_in.map(|system| system.read(&before, call, vulnerability));
            let (text, is_alerted, meanings) = shown.unwrap_or_default();
            for more in meanings {
                // If meanings contradict each other, keep the earlier one.
                if let Some(both) = known.intersection(&more) {
                    *known = both;
                }
            }
            let text = match text {
                Some(text) => text,
                None if *known != old => known.to_string(),
                None => String::new(),
            };
            reading.calls.push(CallReading {
                seat,
                call,
                text,
                is_alerted,
                meaning: known.clone(),
                condition: None,
            });
        }
        reading
    }

    /// Returns the condition in the dealer language for a seat's hand; none if every hand satisfies it.
    #[must_use]
    pub fn condition(&self, seat: Seat) -> Option<String> {
        let shown = self.calls.iter().filter(|call| call.seat == seat);
        let scripted = shown.filter_map(|call| call.condition.as_ref()?.condition.clone());
        let mut terms: Vec<String> = Vec::new();
        for term in self.seats[seat].condition(seat).into_iter().chain(scripted) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        (!terms.is_empty()).then(|| terms.join("\n  and "))
    }

    /// Returns the definitions that [`AuctionReading::condition`] uses for a seat, in their order: `name = value`.
    #[must_use]
    pub fn definitions(&self, seat: Seat) -> Vec<String> {
        let built_in = self.seats[seat].definitions(seat);
        let calls = self.calls.iter().filter(|call| call.seat == seat);
        let scripted = calls.filter_map(|call| Some(&call.condition.as_ref()?.definitions));
        let mut lines: Vec<&str> = Vec::new();
        for line in built_in
            .iter()
            .chain(scripted)
            .flat_map(|text| text.lines())
        {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        // A definition uses only names defined before it, so the definitions are visited from the last to the first.
        let mut used = self.condition(seat).unwrap_or_default();
        lines.reverse();
        lines.retain(|line| {
            let name = line.split('=').next().unwrap_or_default().trim();
            let is_used = has_word(&used, name);
            if is_used {
                used += "\n";
                used += line;
            }
            is_used
        });
        lines.into_iter().rev().map(str::to_owned).collect()
    }

    /// Returns the dealer script for the shown hands of all seats without `known` hands: definitions and a condition.
    #[must_use]
    pub fn script(&self, known: &[Seat]) -> String {
        let told = || Seat::ALL.into_iter().filter(|seat| !known.contains(seat));
        let mut lines: Vec<String> = Vec::new();
        for line in told().flat_map(|seat| self.definitions(seat)) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let terms: Vec<String> = told().filter_map(|seat| self.condition(seat)).collect();
        text += "condition ";
        text += &match terms.is_empty() {
            true => "1".to_owned(),
            false => terms.join("\n  and "),
        };
        text + "\n"
    }

    /// Returns the first call of a seat that does not fit its hand, counted from 0. `systems` are those by which the
    /// auction was read.
    #[must_use]
    pub fn contradiction<'a>(
        &self,
        systems: [impl Into<SystemRules<'a>>; 2],
        auction: &Auction,
        vulnerability: Vulnerability,
        seat: Seat,
        hand: Hand,
    ) -> Option<usize> {
        let mut calls = self.calls.iter();
        let by_meaning = calls.position(|call| call.seat == seat && !call.meaning.admits(hand));
        let [ns, ew] = systems.map(Into::into);
        let own = match seat.side() {
            Side::NorthSouth => ns,
            Side::EastWest => ew,
        };
        let by_script = match own {
            SystemRules::Script(system) => system.contradiction(auction, vulnerability, seat, hand),
            SystemRules::BuiltIn(_) => None,
        };
        match (by_meaning, by_script) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
}
