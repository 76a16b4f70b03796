//! Reads auctions by the rules of a script.

use cards::{Seat, Vulnerability};
use formats::Call;
use script::system::CallerPosition;

use super::{ScriptSystem, position};
use crate::Auction;

/// The hands that a call shows, as text in the dealer language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallCondition {
    /// Definitions that the condition uses, a line each.
    pub definitions: String,
    /// The condition; none if every hand makes the call.
    pub condition: Option<String>,
}

/// A call as the rules of a script read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScriptReading {
    /// The meaning in words.
    pub text: String,
    /// Whether the call is conventional.
    pub is_alerted: bool,
    /// The hands that make it.
    pub shown: CallCondition,
}

impl ScriptSystem {
    /// Reads the call after `before`; none if the script has no rules there.
    pub(crate) fn read(
        &self,
        before: &Auction,
        call: Call,
        vulnerability: Vulnerability,
    ) -> Option<ScriptReading> {
        let rules = self.rules_after(before);
        if rules.is_empty() {
            return None;
        }
        let making: Vec<usize> = rules
            .iter()
            .copied()
            .filter(|&rule| self.call(rule) == call)
            .collect();
        let mut texts: Vec<String> = Vec::new();
        for &rule in &making {
            let text = self.rule_text(rule);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let text = match (texts.is_empty(), call) {
            (false, _) => texts.join("; or "),
            (true, Call::Pass) => "no other call".to_owned(),
            (true, _) => "a call that no rule makes".to_owned(),
        };
        Some(ScriptReading {
            text,
            is_alerted: making
                .iter()
                .any(|&rule| self.script.rules()[rule].is_alerted),
            shown: self.call_condition(&rules, call, position(before, vulnerability)),
        })
    }

    /// Returns the hands with which a caller makes `call`, if `rules` are those for the next call.
    #[must_use]
    pub fn call_condition(
        &self,
        rules: &[usize],
        call: Call,
        position: CallerPosition,
    ) -> CallCondition {
        // A rule for any hand ends the list.
        let texts: Vec<String> = rules
            .iter()
            .map(|&rule| self.script.condition(rule, position))
            .collect();
        let end = texts.iter().position(|text| text == "1");
        let used = end.map_or(rules.len(), |end| end + 1);
        let grouped = |texts: &[&str]| match texts {
            [one] => format!("({one})"),
            several => {
                let several: Vec<String> = several.iter().map(|text| format!("({text})")).collect();
                format!("({})", several.join(" or "))
            }
        };
        // Runs of rules that make the call, each with the other rules before it.
        let mut terms: Vec<Option<String>> = Vec::new();
        let (mut before, mut run): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        let term = |run: &[&str], before: &[&str]| {
            let makes = (!run.contains(&"1")).then(|| grouped(run));
            let others = (!before.is_empty()).then(|| format!("not {}", grouped(before)));
            match (makes, others) {
                (Some(makes), Some(others)) => Some(format!("{makes} and {others}")),
                (one, other) => one.or(other),
            }
        };
        for (&rule, text) in rules.iter().zip(&texts).take(used) {
            if self.call(rule) == call {
                run.push(text);
                continue;
            }
            if !run.is_empty() {
                terms.push(term(&run, &before));
                run.clear();
            }
            before.push(text);
        }
        if call == Call::Pass && end.is_none() {
            // Hands that satisfy no rule pass.
            run.push("1");
        }
        if !run.is_empty() {
            terms.push(term(&run, &before));
        }
        if terms.is_empty() && self.never_makes(rules, call) {
            terms.push(Some("0".to_owned()));
        }
        let condition = match terms.iter().cloned().collect::<Option<Vec<String>>>() {
            // One of the terms is every hand.
            None => None,
            Some(terms) => match terms.as_slice() {
                [one] => Some(one.clone()),
                several => {
                    let several: Vec<String> =
                        several.iter().map(|term| format!("({term})")).collect();
                    Some(format!("({})", several.join(" or ")))
                }
            },
        };
        CallCondition {
            definitions: match condition {
                Some(_) => self
                    .script
                    .definitions(rules[..used].iter().copied(), position),
                None => String::new(),
            },
            condition,
        }
    }

    fn never_makes(&self, rules: &[usize], call: Call) -> bool {
        call != Call::Pass && rules.iter().all(|&rule| self.call(rule) != call)
    }

    /// Returns the first call of a seat that its hand does not make by the rules, counted from 0. Calls for which the script has
    /// no rules are left out.
    #[must_use]
    pub fn contradiction(
        &self,
        auction: &Auction,
        vulnerability: Vulnerability,
        seat: Seat,
        hand: cards::Hand,
    ) -> Option<usize> {
        let mut conditions = self.conditions();
        let places = 0..auction.calls().len();
        places
            .filter(|&place| auction.seat(place) == seat)
            .find(|&place| {
                let before = auction.prefix(place);
                let rules = self.rules_after(&before);
                let made = conditions.first(&rules, hand, position(&before, vulnerability));
                let made = made.map_or(Call::Pass, |rule| self.call(rule));
                !rules.is_empty() && made != auction.calls()[place]
            })
    }
}
