//! Checks of systems that are scripts: how often each rule makes its call, gaps, overlaps, rules that never apply, and the
//! differences between two versions.

mod differences;
mod report;

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cards::{Deal, Hand, Seat, Vulnerability};
use engine::ChancesError;
use formats::Call;
use serde::Serialize;
use session::{Job, ProducedDeal, Session, SupplyError};

use crate::Auction;
use crate::scripted::{ScriptSystem, position};
use formats::auction::call_text;

pub use differences::{Change, DifferencesReport, PointDifferences, differences};

/// Options of a check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Vulnerability of the boards.
    pub vulnerability: Vulnerability,
    /// Number of deals that are dealt at each point of the auction.
    pub deals: u64,
    /// Seed of these deals.
    pub seed: i64,
    /// Estimated time that counting the calls of a point may take, in seconds. Longer counts are replaced by shares of the deals.
    pub count_seconds: f64,
    /// Number of examples of gaps and overlaps at each point.
    pub examples: usize,
    /// Maximum number of points of the auction.
    pub points: usize,
    /// Number of threads; 0 for one on each core.
    pub threads: usize,
    /// Ends the check when it becomes true.
    pub cancel: Arc<AtomicBool>,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            vulnerability: Vulnerability::None,
            deals: 20_000,
            seed: 1,
            count_seconds: 2.0,
            examples: 3,
            points: 500,
            threads: 0,
            cancel: Arc::default(),
        }
    }
}

/// A share from 0 to 1, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CheckedShare {
    /// The share.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Whether the share was counted, so that both ends are the share.
    pub is_exact: bool,
}

impl CheckedShare {
    fn exact(value: f64) -> CheckedShare {
        CheckedShare {
            value,
            low: value,
            high: value,
            is_exact: true,
        }
    }

    fn of_sample(hits: u64, tried: u64) -> CheckedShare {
        let (low, high) = statistics::interval::share(hits as f64, tried as f64, 0.95);
        CheckedShare {
            value: hits as f64 / tried.max(1) as f64,
            low,
            high,
            is_exact: false,
        }
    }

    /// Returns whether the share is known to be 0.
    #[must_use]
    pub fn is_never(self) -> bool {
        self.is_exact && self.value == 0.0
    }
}

/// How often a rule applies at a point of the auction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleShare {
    /// Number of the rule, from 0.
    pub rule: usize,
    /// Line of the rule in the script.
    pub line: usize,
    /// Call of the rule.
    pub call: String,
    /// Meaning: the text of the rule, or its condition.
    pub text: String,
    /// Share of the hands that make the call by this rule.
    pub share: CheckedShare,
}

/// Two rules with different calls that some hands satisfy both; the first one has priority.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overlap {
    /// Number of the rule that makes the call, from 0.
    pub first: usize,
    /// Number of the other rule.
    pub second: usize,
    /// The calls of both.
    pub calls: [String; 2],
    /// Share of the hands that satisfy both.
    pub share: CheckedShare,
    /// Examples of such hands.
    pub examples: Vec<String>,
}

/// A point of the auction at which the script has rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointReport {
    /// The calls so far, joined by hyphens; empty for the opening.
    pub auction: String,
    /// Share of all deals that reach the point, if the system is played by all and the first seat deals.
    pub reached: CheckedShare,
    /// The rules, in the order of their priority.
    pub rules: Vec<RuleShare>,
    /// Share of the hands that satisfy no rule, and pass.
    pub gap: CheckedShare,
    /// Examples of such hands.
    pub gap_examples: Vec<String>,
    /// Pairs of rules with common hands, the most frequent first.
    pub overlaps: Vec<Overlap>,
}

/// A rule that makes no call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnreachableRule {
    /// Number of the rule, from 0.
    pub rule: usize,
    /// Line of the rule in the script.
    pub line: usize,
    /// The auction before the call, as the rule has it, and the call.
    pub calls: String,
    /// Whether this is proved: the auction cannot arise, or the rules before it leave no hand. Otherwise no dealt hand came to the
    /// rule.
    pub is_certain: bool,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SystemReport {
    /// Name of the system.
    pub name: String,
    /// The points of the auction, shorter auctions first.
    pub points: Vec<PointReport>,
    /// Rules that make no call.
    pub unreachable: Vec<UnreachableRule>,
    /// Whether the check ended early: at the maximum number of points, or because it was cancelled.
    pub is_cut_short: bool,
}

/// Checks a system at every point of the auction that its own rules lead to.
///
/// # Errors
/// If the script of a point cannot be run.
pub fn check(
    system: &ScriptSystem,
    options: &CheckOptions,
    mut progress: impl FnMut(usize, &str),
) -> Result<SystemReport, session::Error> {
    let mut points = Vec::new();
    // The largest share of each rule, and whether all its shares are exact.
    let mut best: BTreeMap<usize, (f64, bool)> = BTreeMap::new();
    let is_cut_short = walk(system, options, |auction| {
        progress(points.len(), &auction.to_string());
        let report = point(system, auction, options)?;
        let Some(report) = report.filter(|_| !options.cancel.load(Ordering::Relaxed)) else {
            return Ok(Vec::new());
        };
        for rule in &report.rules {
            let (share, exact) = best.entry(rule.rule).or_insert((0.0, true));
            *share = share.max(rule.share.value);
            *exact &= rule.share.is_exact;
        }
        let mut calls: Vec<Call> = Vec::new();
        // A rule that only the dealt hands did not use may still be used by others.
        for rule in report.rules.iter().filter(|rule| !rule.share.is_never()) {
            let call = system.call(rule.rule);
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
        if report.gap.value > 0.0 && !calls.contains(&Call::Pass) {
            calls.push(Call::Pass);
        }
        points.push(report);
        Ok(calls)
    })?;
    let rules = system.script().rules().iter().enumerate();
    let unreachable = rules.filter_map(|(number, rule)| {
        let is_certain = match best.get(&number) {
            Some((share, _)) if *share > 0.0 => return None,
            Some((_, is_exact)) => *is_exact,
            None => !is_cut_short,
        };
        let calls = match rule.auction.as_str() {
            "" => rule.call.clone(),
            before => format!("{before}-{}", rule.call),
        };
        Some(UnreachableRule {
            rule: number,
            line: system.script().line(number),
            calls,
            is_certain,
        })
    });
    Ok(SystemReport {
        name: crate::robot::BiddingSystem::name(system).to_owned(),
        unreachable: unreachable.collect(),
        points,
        is_cut_short,
    })
}

/// Visits the auctions that the rules lead to, shorter ones first. `visit` returns the calls that continue an auction for which
/// there are rules. Where there are none the caller passes. Returns whether the walk ended early: at the maximum number of points,
/// or because it was cancelled.
fn walk(
    system: &ScriptSystem,
    options: &CheckOptions,
    mut visit: impl FnMut(&Auction) -> Result<Vec<Call>, session::Error>,
) -> Result<bool, session::Error> {
    let mut waiting = VecDeque::from([Auction::new(Seat::North)]);
    let mut visited = 0;
    while let Some(auction) = waiting.pop_front() {
        if auction.is_over() || !system.reaches(&auction) {
            continue;
        }
        // Passes before the opening bid lead to the same rules again.
        let is_passed = !auction.calls().is_empty() && auction.declared().is_none();
        let rules = system.rules_after(&auction);
        let repeats = is_passed && rules == system.rules_after(&Auction::new(Seat::North));
        let calls = match rules.is_empty() || repeats {
            true => vec![Call::Pass],
            false if visited == options.points => return Ok(true),
            false => {
                visited += 1;
                let calls = visit(&auction);
                if options.cancel.load(Ordering::Relaxed) {
                    return Ok(true);
                }
                calls?
            }
        };
        for call in calls {
            let mut next = auction.clone();
            if next.push(call).is_ok() {
                waiting.push_back(next);
            }
        }
    }
    Ok(false)
}

/// Returns the script for the deals on which the system bids `auction`: definitions and a condition.
pub(crate) fn script_of(
    system: &ScriptSystem,
    auction: &Auction,
    vulnerability: Vulnerability,
) -> (Vec<String>, String) {
    let (mut lines, mut terms): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (place, &call) in auction.calls().iter().enumerate() {
        let before = auction.prefix(place);
        let rules = system.rules_after(&before);
        if rules.is_empty() {
            continue;
        }
        let shown = system.call_condition(&rules, call, position(&before, vulnerability));
        add_lines(&mut lines, &shown.definitions);
        terms.extend(shown.condition.map(|condition| format!("({condition})")));
    }
    let condition = match terms.is_empty() {
        true => "1".to_owned(),
        false => terms.join("\n  and "),
    };
    (lines, condition)
}

fn add_lines(lines: &mut Vec<String>, text: &str) {
    for line in text.lines() {
        if !lines.iter().any(|known| known == line) {
            lines.push(line.to_owned());
        }
    }
}

/// Limit on the number of deals that are tried at a point.
const TRIED_DEALS: u64 = 2_000_000_000;

fn session(script: &str, options: &CheckOptions) -> Result<Session, session::Error> {
    job(script, options).prepare()
}

fn job(script: &str, options: &CheckOptions) -> Job {
    Job::new(script)
        .name("system")
        .as_dealt()
        .seed(options.seed)
        .produce(options.deals.max(1))
        .generate(TRIED_DEALS)
        .threads(options.threads)
        .cancel(Arc::clone(&options.cancel))
}

/// Deals the hands of a point.
fn dealt(script: &str, options: &CheckOptions) -> Result<Vec<Deal>, session::Error> {
    let mut session = session(script, options)?;
    session.retain_actions(|_| false);
    let mut deals = Vec::new();
    let mut keep = |produced: &ProducedDeal<'_>| {
        deals.push(produced.deal);
        ControlFlow::Continue(())
    };
    session.run(&mut keep)?;
    Ok(deals)
}

/// Number of deals on which the share of a condition is estimated if it cannot be counted.
const TRIAL_DEALS: u64 = 100_000;

/// Reports on a point of the auction; none if no deal reaches it.
fn point(
    system: &ScriptSystem,
    auction: &Auction,
    options: &CheckOptions,
) -> Result<Option<PointReport>, session::Error> {
    let rules = system.rules_after(auction);
    let position = position(auction, options.vulnerability);
    let script = system.script();
    let (mut lines, condition) = script_of(system, auction, options.vulnerability);
    let reach: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let reach = format!("{reach}condition {condition}\n");
    add_lines(
        &mut lines,
        &script.definitions(rules.iter().copied(), position),
    );
    // The number of the rule that makes the call, from 1; 0 if there is none.
    let mut chain = String::new();
    for (number, &rule) in (1..).zip(&rules) {
        chain += &format!("({}) ? {number} : ", script.condition(rule, position));
    }
    let definitions: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let counting = format!(
        "{definitions}condition {condition}\naction frequency \"rule\" ({chain}0, 0, {})\n",
        rules.len()
    );
    let found = session(&counting, options)?.chances(TRIAL_DEALS, options.count_seconds * 1e9)?;
    let (low, high) = found.condition.interval();
    let reached = CheckedShare {
        value: found.condition.probability(),
        low,
        high,
        is_exact: found.condition.is_exact(),
    };
    if reached.value == 0.0 {
        return Ok(None);
    }
    let counted = found.tables.tables.first().map(|table| {
        let mut shares = vec![0.0; rules.len() + 1];
        for (bin, share) in table.rows.iter().zip(&table.cells) {
            let place = bin.low.filter(|_| bin.low == bin.high);
            let place = place.and_then(|place| usize::try_from(place).ok());
            if let Some(cell) = place.and_then(|place| shares.get_mut(place)) {
                *cell = *share;
            }
        }
        shares
    });
    let counted = match counted {
        None if reached.is_exact => count_rules(system, auction, reached.value, options)?,
        counted => counted,
    };
    let deals = dealt(&reach, options)?;
    let hands = Sample::new(system, &rules, position.caller, &deals, auction, options);
    let share = |place: usize, hits: u64| match &counted {
        Some(shares) => CheckedShare::exact(shares[place]),
        None => CheckedShare::of_sample(hits, deals.len() as u64),
    };
    let rule_shares = (1..).zip(&rules).map(|(place, &rule)| RuleShare {
        rule,
        line: script.line(rule),
        call: call_text(system.call(rule)),
        text: system.rule_text(rule),
        share: share(place, hands.made[place]),
    });
    // A rule for any hand leaves no gap.
    let is_complete = rules.iter().any(|&rule| script.condition_text(rule) == "1");
    Ok(Some(PointReport {
        auction: auction.to_string(),
        reached,
        rules: rule_shares.collect(),
        gap: match is_complete {
            true => CheckedShare::exact(0.0),
            false => share(0, hands.made[0]),
        },
        gap_examples: hands.gaps.iter().map(Hand::to_string).collect(),
        overlaps: hands.overlaps(system, deals.len() as u64),
    }))
}

/// Counts how often each rule makes its call, one by one: the share of hands without a rule, then those of the rules. None if one of
/// them cannot be counted in time.
fn count_rules(
    system: &ScriptSystem,
    auction: &Auction,
    reached: f64,
    options: &CheckOptions,
) -> Result<Option<Vec<f64>>, session::Error> {
    let rules = system.rules_after(auction);
    let position = position(auction, options.vulnerability);
    let script = system.script();
    let (mut lines, condition) = script_of(system, auction, options.vulnerability);
    add_lines(
        &mut lines,
        &script.definitions(rules.iter().copied(), position),
    );
    let definitions: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let limit = Duration::from_secs_f64(options.count_seconds.clamp(0.0, 1e6) / rules.len() as f64);
    let mut shares = vec![0.0];
    let mut others = String::new();
    for &rule in &rules {
        let own = script.condition(rule, position);
        let text = format!("{definitions}condition {condition}\n  and ({own}){others}\n");
        let counted = job(&text, options)
            .time_limit(limit)
            .prepare()?
            .probability(1);
        let found = match counted {
            Ok(found) if found.is_exact() => found,
            // The time is over, perhaps before one deal could be tried instead.
            Ok(_) | Err(session::Error::Supply(SupplyError::Chances(ChancesError::Stopped))) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        shares.push(found.probability() / reached);
        others += &format!("\n  and not ({own})");
    }
    shares[0] = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    Ok(Some(shares))
}

/// Counts of dealt hands by the rules that they satisfy.
struct Sample {
    /// Number of hands whose call each rule makes. Entry 0 counts the hands that satisfy no rule; entry `i` belongs to rule `i - 1`
    /// of the point.
    made: Vec<u64>,
    gaps: Vec<Hand>,
    /// Pairs of rules: how many hands satisfy both, and examples.
    pairs: BTreeMap<(usize, usize), (u64, Vec<Hand>)>,
}

impl Sample {
    fn new(
        system: &ScriptSystem,
        rules: &[usize],
        caller: Seat,
        deals: &[Deal],
        auction: &Auction,
        options: &CheckOptions,
    ) -> Sample {
        let position = position(auction, options.vulnerability);
        let mut conditions = system.conditions();
        let mut sample = Sample {
            made: vec![0; rules.len() + 1],
            gaps: Vec::new(),
            pairs: BTreeMap::new(),
        };
        for deal in deals {
            let hand = deal[caller];
            let satisfied = conditions.all(rules, hand, position);
            let Some((&first, others)) = satisfied.split_first() else {
                sample.made[0] += 1;
                if sample.gaps.len() < options.examples {
                    sample.gaps.push(hand);
                }
                continue;
            };
            let place = rules.iter().position(|&rule| rule == first);
            sample.made[place.map_or(0, |place| place + 1)] += 1;
            for &other in others {
                // The rule for all remaining hands overlaps with every other one.
                let is_rest = system.script().condition_text(other) == "1";
                if is_rest || system.call(other) == system.call(first) {
                    continue;
                }
                let (number, examples) = sample.pairs.entry((first, other)).or_default();
                *number += 1;
                if examples.len() < options.examples {
                    examples.push(hand);
                }
            }
        }
        sample
    }

    fn overlaps(&self, system: &ScriptSystem, deals: u64) -> Vec<Overlap> {
        let pairs = self.pairs.iter();
        let overlap =
            |(&(first, second), (number, examples)): (&(usize, usize), &(u64, Vec<Hand>))| {
                Overlap {
                    first,
                    second,
                    calls: [first, second].map(|rule| call_text(system.call(rule))),
                    share: CheckedShare::of_sample(*number, deals),
                    examples: examples.iter().map(Hand::to_string).collect(),
                }
            };
        let mut overlaps: Vec<Overlap> = pairs.map(overlap).collect();
        overlaps.sort_by(|a, b| b.share.value.total_cmp(&a.share.value));
        overlaps
    }
}
