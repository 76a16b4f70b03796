//! The differences between two versions of a system.

use std::collections::BTreeMap;

use cards::Hand;
use formats::Call;
use serde::Serialize;

use super::{CheckOptions, CheckedShare, dealt, script_of, walk};
use crate::Auction;
use crate::scripted::{ScriptSystem, position};
use formats::auction::call_text;

/// Hands that make another call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The call of the first version.
    pub from: String,
    /// The call of the second version; none if it has no rules there.
    pub to: Option<String>,
    /// Share of the hands at this point.
    pub share: CheckedShare,
    /// Examples of such hands.
    pub examples: Vec<String>,
}

/// A point of the auction at which two versions differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointDifferences {
    /// The calls so far, joined by hyphens; empty for the opening.
    pub auction: String,
    /// Share of the hands at this point that make another call.
    pub share: CheckedShare,
    /// The changes, the most frequent first.
    pub changes: Vec<Change>,
}

/// The differences between two versions of a system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferencesReport {
    /// Names of both versions.
    pub names: [String; 2],
    /// Number of points of the auction that were compared: those of the first version.
    pub compared: usize,
    /// The points at which they differ.
    pub points: Vec<PointDifferences>,
}

/// Compares two versions of a system at every point of the auction that the rules of the first one lead to.
///
/// # Errors
/// If the script of a point cannot be run.
pub fn differences(
    systems: [&ScriptSystem; 2],
    options: &CheckOptions,
    mut progress: impl FnMut(usize, &str),
) -> Result<DifferencesReport, session::Error> {
    let [first, second] = systems;
    let mut points = Vec::new();
    let mut compared = 0;
    walk(first, options, |auction| {
        progress(compared, &auction.to_string());
        compared += 1;
        let (lines, condition) = script_of(first, auction, options.vulnerability);
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let deals = dealt(&format!("{lines}condition {condition}\n"), options)?;
        let position = position(auction, options.vulnerability);
        let mut calls = [first, second].map(|system| Calls::new(system, auction));
        let mut made: Vec<Call> = Vec::new();
        let mut changed: BTreeMap<(String, Option<String>), (u64, Vec<Hand>)> = BTreeMap::new();
        for deal in &deals {
            let hand = deal[position.caller];
            let [old, new] = [0, 1].map(|version| calls[version].call(hand, position));
            let Some(old) = old else { continue };
            if !made.contains(&old) {
                made.push(old);
            }
            if new != Some(old) {
                let key = (call_text(old), new.map(call_text));
                let (number, examples) = changed.entry(key).or_default();
                *number += 1;
                if examples.len() < options.examples {
                    examples.push(hand);
                }
            }
        }
        let number: u64 = changed.values().map(|(number, _)| number).sum();
        if number > 0 {
            let all = deals.len() as u64;
            let change = |((from, to), (number, examples)): (_, (u64, Vec<Hand>))| Change {
                from,
                to,
                share: CheckedShare::of_sample(number, all),
                examples: examples.iter().map(Hand::to_string).collect(),
            };
            let mut changes: Vec<Change> = changed.into_iter().map(change).collect();
            changes.sort_by(|a, b| b.share.value.total_cmp(&a.share.value));
            points.push(PointDifferences {
                auction: auction.to_string(),
                share: CheckedShare::of_sample(number, all),
                changes,
            });
        }
        Ok(made)
    })?;
    Ok(DifferencesReport {
        names: systems.map(|system| crate::robot::BiddingSystem::name(system).to_owned()),
        compared,
        points,
    })
}

/// The calls of a system at one point of the auction.
struct Calls<'a> {
    system: &'a ScriptSystem,
    rules: Vec<usize>,
    conditions: crate::scripted::RuleConditions<'a>,
}

impl<'a> Calls<'a> {
    fn new(system: &'a ScriptSystem, auction: &Auction) -> Calls<'a> {
        Calls {
            system,
            rules: system.rules_after(auction),
            conditions: system.conditions(),
        }
    }

    /// Returns the call of a hand; none if the system has no rules.
    fn call(&mut self, hand: Hand, position: script::system::CallerPosition) -> Option<Call> {
        let rule = self.conditions.first(&self.rules, hand, position);
        (!self.rules.is_empty()).then(|| rule.map_or(Call::Pass, |rule| self.system.call(rule)))
    }
}
