//! Deals of several kinds in wanted proportions: levelled classes of one script, or several scripts mixed.
//!
//! The kind of every deal is chosen first, by its share; then each kind deals as many as were chosen, by itself.
//! So a rare kind is as frequent as it should be without throwing deals of the others away, and with the exact
//! sampler it costs no more than a common one.

use std::ops::ControlFlow;

use cards::Deal;
use sampling::{Budget, Count, Sampler};
use script::plan::{NodeId, Plan};
use shuffle::{DealRandom, FastDealer, Key, Predeal, Stream, Words};

use crate::Prepared;
use crate::analysis::Analysis;
use crate::outcome::{Ended, Options, ProducedDeal, Report, RunError, SolverCalls};
use crate::run::{Deals, run};
use crate::sampled::{Decision, SampledSource, SamplerUse};
use crate::scalar::{DealFacts, Machine, NoRandom, Program};

/// Variables whose names begin like this are classes of deals.
pub const CLASS_PREFIX: &str = "HandType_";

/// Variables whose names begin like this are classes for levelling only: they are crossed with the others, or (in
/// dealer3) count instead of them.
pub const LEVEL_PREFIX: &str = "LevelType_";

/// A variable with the name of a class and this is the share of the class.
const SHARE_SUFFIX: &str = "_Share";

/// One kind of deals.
#[derive(Clone, Debug)]
pub struct Kind {
    /// What to call it.
    pub name: String,
    /// How many parts of all deals are of this kind.
    pub share: u64,
    /// The plan whose condition accepts exactly this kind.
    pub plan: Plan,
}

/// How one kind came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindResult {
    /// Deals looked at to find it.
    pub generated: u64,
    /// Deals of this kind.
    pub produced: u64,
    /// How often it occurs among all deals, if dealing it took an exact count.
    pub counted: Option<Count>,
}

/// Deals in the wanted proportions.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// The deals with the number of their kind.
    pub deals: Vec<(usize, Deal)>,
    /// By kind.
    pub results: Vec<KindResult>,
    /// Why it ended, if before all deals were found.
    pub interrupted: Option<Ended>,
}

/// Why a mixture could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MixtureError {
    /// A kind was not found often enough.
    TooRare {
        /// Which.
        name: String,
        /// How many were found.
        found: u64,
        /// How many were needed.
        needed: u64,
        /// Among how many deals.
        generated: u64,
    },
    /// There are no deals of this kind.
    Impossible(String),
    /// The predealt cards or lengths of a kind do not fit.
    Predeal(String),
    /// An expression failed.
    Run(RunError),
}

impl std::fmt::Display for MixtureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MixtureError::TooRare {
                name,
                found,
                needed,
                generated,
            } => write!(
                f,
                "{name}: found {found} of the {needed} deals needed among {generated}; raise the generate limit"
            ),
            MixtureError::Impossible(name) => write!(f, "{name}: no deal can be of this class"),
            MixtureError::Predeal(text) => f.write_str(text),
            MixtureError::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MixtureError {}

/// The classes of a script: its variables with a prefix, by the rest of their names. Shares are no classes.
#[must_use]
pub fn classes(plan: &Plan) -> Vec<(String, NodeId)> {
    let for_levelling = level_types(plan);
    match for_levelling.is_empty() {
        true => hand_types(plan),
        false => for_levelling,
    }
}

/// The classes that deals are told apart and ordered by: `HandType_` variables that are no shares.
#[must_use]
pub fn hand_types(plan: &Plan) -> Vec<(String, NodeId)> {
    with_prefix(plan, CLASS_PREFIX)
}

/// The classes for levelling only: `LevelType_` variables that are no shares.
#[must_use]
pub fn level_types(plan: &Plan) -> Vec<(String, NodeId)> {
    with_prefix(plan, LEVEL_PREFIX)
}

fn with_prefix(plan: &Plan, prefix: &str) -> Vec<(String, NodeId)> {
    plan.variables
        .iter()
        .filter(|v| class_of_share(plan, &v.name).is_none())
        .filter_map(|v| Some((v.name.strip_prefix(prefix)?.to_owned(), v.value)))
        .collect()
}

/// The first class of each deal, if it has one.
#[must_use]
pub fn class_of_each(
    plan: &Plan,
    classes: &[NodeId],
    deals: &[Deal],
    options: &Options<'_>,
) -> Vec<Option<usize>> {
    let prepared = Prepared::new(plan, options);
    let program = Program::new(plan, classes.iter().copied());
    let mut machine = Machine::new(&prepared, &program);
    let mut class = |&deal: &Deal| {
        machine.look_at(deal, DealFacts::new(), 0, 0);
        classes.iter().position(|&class| {
            let value = machine.evaluate(class, &mut NoRandom);
            value.is_ok_and(|value| value != 0)
        })
    };
    deals.iter().map(&mut class).collect()
}

/// An order in which every class is spread evenly over the deals; deals without a class come last.
#[must_use]
pub fn interleaved(classes: &[Option<usize>]) -> Vec<usize> {
    let count = classes.iter().flatten().max().map_or(0, |most| most + 1);
    let mut totals = vec![0u64; count];
    for &class in classes.iter().flatten() {
        totals[class] += 1;
    }
    let mut seen = vec![0u64; count];
    let mut places: Vec<(bool, u128, u64, usize)> = Vec::new();
    for (number, class) in classes.iter().enumerate() {
        match *class {
            None => places.push((true, 0, number as u64, number)),
            Some(class) => {
                // The middle of its part of the whole, as a fraction of 2^64.
                let middle = (u128::from(2 * seen[class] + 1) << 63) / u128::from(totals[class]);
                // Rounds begin with another class each time.
                let turn = (class as u64 + seen[class]) % count as u64;
                places.push((false, middle, turn, number));
                seen[class] += 1;
            }
        }
    }
    places.sort_unstable();
    places.into_iter().map(|(.., number)| number).collect()
}

/// The variable of the class whose share this variable is: `HandType_Slam` for `HandType_Slam_Share`.
fn class_of_share<'a>(plan: &Plan, name: &'a str) -> Option<&'a str> {
    let class = name.strip_suffix(SHARE_SUFFIX)?;
    let prefixed = class.starts_with(CLASS_PREFIX) || class.starts_with(LEVEL_PREFIX);
    (prefixed && plan.variables.iter().any(|v| v.name == class)).then_some(class)
}

/// The share that the script gives a class of that prefix, `HandType_Slam_Share = 3`; 1 if it gives none.
#[must_use]
pub fn share_of(plan: &Plan, prefix: &str, class: &str) -> u64 {
    let name = format!("{prefix}{class}{SHARE_SUFFIX}");
    let variable = plan.variables.iter().find(|v| v.name == name);
    let share = variable.and_then(|variable| match plan.node(variable.value) {
        script::plan::Node::Constant(share) => u64::try_from(*share).ok(),
        _ => None,
    });
    share.unwrap_or(1)
}

/// How often a plan's condition holds, if that can be counted with little work.
#[must_use]
pub fn counted(plan: &Plan) -> Option<Count> {
    let analysis = Analysis::new(plan);
    if analysis.refusal().is_some() {
        return None;
    }
    let sampler = analysis.sampler(Budget::default()).ok();
    let sampler = sampler.filter(Sampler::is_complete)?;
    analysis.probability(plan, &sampler)
}

/// Shares of the cells of two crossed sets of classes, row by row, where some cells are impossible: the rows and the
/// columns come out in their shares all the same, if there is a way (iterative proportional fitting).
#[must_use]
pub fn fitted(rows: &[u64], columns: &[u64], possible: &[bool]) -> Option<Vec<u64>> {
    /// A tenth of a point.
    const NEAR: f64 = 0.001;
    let share = |shares: &[u64], at: usize| shares[at] as f64 / shares.iter().sum::<u64>() as f64;
    let width = columns.len();
    let mut cells: Vec<f64> = possible.iter().map(|&it| f64::from(u8::from(it))).collect();
    for _ in 0..1000 {
        for row in 0..rows.len() {
            let cells = &mut cells[row * width..][..width];
            let sum: f64 = cells.iter().sum();
            let scale = share(rows, row) / sum.max(f64::MIN_POSITIVE);
            cells.iter_mut().for_each(|cell| *cell *= scale);
        }
        for column in 0..width {
            let of_column = |cell: &usize| cell % width == column;
            let places: Vec<usize> = (0..cells.len()).filter(of_column).collect();
            let sum: f64 = places.iter().map(|&cell| cells[cell]).sum();
            let scale = share(columns, column) / sum.max(f64::MIN_POSITIVE);
            places.iter().for_each(|&cell| cells[cell] *= scale);
        }
    }
    let in_row = |row: usize| cells[row * width..][..width].iter().sum::<f64>();
    let in_column = |column: usize| cells.iter().skip(column).step_by(width).sum::<f64>();
    let near = (0..rows.len()).all(|row| (in_row(row) - share(rows, row)).abs() < NEAR)
        && (0..width).all(|column| (in_column(column) - share(columns, column)).abs() < NEAR);
    near.then(|| {
        cells
            .iter()
            .map(|cell| (1e6 * cell).round() as u64)
            .collect()
    })
}

/// Shares that cost no more than `budget` deals dealt for each deal kept when a plain script is levelled by keeping:
/// every class moves the same part of the way from how often it occurs by itself to its wanted share.
///
/// With r the largest ratio of a wanted share to a natural one, levelling keeps 1 in r of the deals; going the part l
/// of the way keeps 1 in 1 + l (r - 1).
#[must_use]
pub fn affordable(probability: &[f64], shares: &[u64], budget: f64) -> Vec<u64> {
    let base: f64 = probability.iter().sum();
    let total: u64 = shares.iter().sum();
    if base <= 0.0 || total == 0 {
        return shares.to_vec();
    }
    let natural = |i: usize| probability[i] / base;
    let wanted = |i: usize| shares[i] as f64 / total as f64;
    let ratio = |i: usize| wanted(i) / natural(i);
    let largest = (0..shares.len()).map(ratio).fold(0.0, f64::max);
    // Dealt for each deal that satisfies the script is 1 / base; the rest of the budget is for levelling.
    let allowed = (budget * base).max(1.0);
    if largest <= allowed {
        return shares.to_vec();
    }
    let part = (allowed - 1.0) / (largest - 1.0);
    (0..shares.len())
        .map(|i| (1e6 * ((1.0 - part) * natural(i) + part * wanted(i))).round() as u64)
        .collect()
}

/// The plan with a further condition.
#[must_use]
pub fn narrowed(plan: &Plan, further: NodeId) -> Plan {
    plan.clone().narrowed(further)
}

/// The kind of each of `count` deals, chosen independently with probabilities as the shares.
#[must_use]
pub fn by_share(key: &Key, shares: &[u64], count: u64) -> Vec<usize> {
    let total: u64 = shares.iter().sum();
    (0..count)
        .map(|deal| {
            pick(
                shares,
                DealRandom::on(Stream::Choices, key, deal).below(total.max(1)),
            )
        })
        .collect()
}

/// The kind of each of `count` deals: every kind as often as its share says, to the nearest deal, in an order of which
/// every one is as likely as any other.
#[must_use]
pub fn shuffled(key: &Key, shares: &[u64], count: u64) -> Vec<usize> {
    let total = shares.iter().map(|&share| u128::from(share)).sum::<u128>();
    if total == 0 {
        return Vec::new();
    }
    let exact = |kind: usize| u128::from(shares[kind]) * u128::from(count);
    let mut needed: Vec<u64> = (0..shares.len())
        .map(|kind| (exact(kind) / total) as u64)
        .collect();
    // What is left goes to the largest remainders; among equal ones the key decides.
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by_key(|&kind| {
        let word = DealRandom::on(Stream::Choices, key, count + kind as u64).word();
        (std::cmp::Reverse(exact(kind) % total), word)
    });
    let left = count - needed.iter().sum::<u64>();
    for &kind in order.iter().take(left as usize) {
        needed[kind] += 1;
    }
    let mut kinds: Vec<usize> = needed
        .iter()
        .enumerate()
        .flat_map(|(kind, &needed)| std::iter::repeat_n(kind, needed as usize))
        .collect();
    for place in (1..kinds.len()).rev() {
        let other = DealRandom::on(Stream::Choices, key, place as u64).below(place as u64 + 1);
        kinds.swap(place, other as usize);
    }
    kinds
}

/// The kind of each of `count` deals so that every run of as many deals as there are shares has each kind exactly
/// as often as its share, in random order: no kind comes in clusters.
#[must_use]
pub fn evenly(key: &Key, shares: &[u64], count: u64) -> Vec<usize> {
    let total: u64 = shares.iter().sum();
    let mut kinds = Vec::new();
    let mut left: Vec<u64> = Vec::new();
    for deal in 0..count {
        if left.iter().sum::<u64>() == 0 {
            left = shares.to_vec();
        }
        let rest: u64 = left.iter().sum::<u64>().min(total);
        let kind = pick(
            &left,
            DealRandom::on(Stream::Choices, key, deal).below(rest.max(1)),
        );
        left[kind] -= 1;
        kinds.push(kind);
    }
    kinds
}

fn pick(shares: &[u64], mut r: u64) -> usize {
    for (kind, &share) in shares.iter().enumerate() {
        if r < share {
            return kind;
        }
        r -= share;
    }
    shares.len().saturating_sub(1)
}

/// The key of one kind's deals: words of the keystream that nothing else uses, so that no two kinds share deals.
fn key_of_kind(key: &Key, kind: usize) -> Key {
    let mut words = DealRandom::on(Stream::Choices, key, u64::MAX - kind as u64);
    let mut bytes = [0; 32];
    for part in bytes.chunks_exact_mut(8) {
        part.copy_from_slice(&words.word().to_le_bytes());
    }
    Key::new(bytes)
}

/// The limit of a run when nobody gave one: what plain dealing may look at for each deal, and at least.
const USUAL: (u64, u64) = (1_000_000, 10_000_000);

/// Deals that a sampler may pass over: none of them is made.
const UNLIMITED: u64 = 1 << 62;

/// Deals the kinds in the given order. A generate limit of `u64::MAX` means that nobody gave one: then what a sampler
/// deals directly has none.
///
/// # Errors
/// If there are no deals of a kind, it is too rare for the generate limit, its predeal is impossible, or an expression fails.
pub fn mix(
    kinds: &[Kind],
    order: &[usize],
    key: &Key,
    usage: SamplerUse,
    options: &Options<'_>,
) -> Result<Mixture, MixtureError> {
    let mut piles: Vec<std::vec::IntoIter<Deal>> = Vec::new();
    let mut results = Vec::new();
    let mut interrupted = None;
    for (number, kind) in kinds.iter().enumerate() {
        let needed = order.iter().filter(|&&k| k == number).count() as u64;
        let dealt = deal_kind(kind, needed, &key_of_kind(key, number), usage, options)?;
        let (report, deals, counted) = dealt;
        match report.ended {
            Ended::Cancelled | Ended::TimedOut => interrupted = Some(report.ended),
            _ if report.produced < needed => {
                return Err(MixtureError::TooRare {
                    name: kind.name.clone(),
                    found: report.produced,
                    needed,
                    generated: report.generated,
                });
            }
            _ => {}
        }
        results.push(KindResult {
            generated: report.generated,
            produced: report.produced,
            counted,
        });
        piles.push(deals.into_iter());
    }
    let deals = order
        .iter()
        .map_while(|&kind| Some((kind, piles[kind].next()?)))
        .collect();
    Ok(Mixture {
        deals,
        results,
        interrupted,
    })
}

/// Boards of several classes from one stream of deals, as people play for them.
#[derive(Clone, Debug)]
pub struct NumberedMixture {
    /// The boards: class, number in the stream, cards.
    pub boards: Vec<(usize, u64, Deal)>,
    /// Deals of each class that were met.
    pub met: Vec<u64>,
    /// Deals looked at.
    pub generated: u64,
    /// Why it ended, if before all boards were found.
    pub interrupted: Option<Ended>,
}

/// Takes boards of the classes in the given order from one source: every class gets its deals in the order of the source,
/// and a deal of several classes belongs to the first of them, so that nobody can choose and no deal comes twice. A deal is
/// of a class where all of its conditions hold.
///
/// # Errors
/// If a class is too rare for the generate limit, or an expression fails.
pub fn in_order(
    plan: &Plan,
    classes: &[(String, Vec<NodeId>)],
    order: &[usize],
    source: &dyn crate::Source,
    options: &Options<'_>,
) -> Result<NumberedMixture, MixtureError> {
    let plan = plan.clone().without_actions();
    let needed = |class: usize| order.iter().filter(|&&it| it == class).count();
    let needed: Vec<usize> = (0..classes.len()).map(needed).collect();
    let mut piles: Vec<Vec<(u64, Deal)>> = vec![Vec::new(); classes.len()];
    let mut met = vec![0u64; classes.len()];
    let prepared = Prepared::new(&plan, options);
    let nodes = classes.iter().flat_map(|(_, nodes)| nodes).copied();
    let program = Program::new(&plan, nodes);
    let mut machine = Machine::new(&prepared, &program);
    let mut open = needed.iter().filter(|&&needed| needed > 0).count();
    let mut keep = |produced: &ProducedDeal<'_>| {
        machine.look_at(produced.deal, DealFacts::new(), 0, 0);
        let mut holds = |&node: &NodeId| {
            let value = machine.evaluate(node, &mut NoRandom);
            value.is_ok_and(|value| value != 0)
        };
        let class = classes
            .iter()
            .position(|(_, nodes)| nodes.iter().all(&mut holds));
        if let Some(class) = class {
            met[class] += 1;
            if piles[class].len() < needed[class] {
                piles[class].push((produced.index, produced.deal));
                open -= usize::from(piles[class].len() == needed[class]);
            }
        }
        match open {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let all = Options {
        produce: if order.is_empty() { 0 } else { u64::MAX },
        solve: false,
        ..options.clone()
    };
    let report = run(&plan, Deals::Blocks(source), &all, &mut keep).map_err(MixtureError::Run)?;
    let interrupted =
        matches!(report.ended, Ended::Cancelled | Ended::TimedOut).then_some(report.ended);
    let short = (0..classes.len()).find(|&class| piles[class].len() < needed[class]);
    if let Some(class) = short.filter(|_| interrupted.is_none()) {
        return Err(MixtureError::TooRare {
            name: classes[class].0.clone(),
            found: piles[class].len() as u64,
            needed: needed[class] as u64,
            generated: report.generated,
        });
    }
    let mut piles: Vec<_> = piles.into_iter().map(Vec::into_iter).collect();
    let boards = order.iter().map_while(|&class| {
        piles[class]
            .next()
            .map(|(number, deal)| (class, number, deal))
    });
    Ok(NumberedMixture {
        boards: boards.collect(),
        met,
        generated: report.generated,
        interrupted,
    })
}

fn deal_kind(
    kind: &Kind,
    needed: u64,
    key: &Key,
    usage: SamplerUse,
    options: &Options<'_>,
) -> Result<(Report, Vec<Deal>, Option<Count>), MixtureError> {
    if needed == 0 {
        // Nothing to deal, but a run with a limit of nothing still reports.
        let report = Report {
            generated: 0,
            produced: 0,
            tallies: Vec::new(),
            ended: Ended::Produced,
            calls: SolverCalls::default(),
        };
        return Ok((report, Vec::new(), None));
    }
    let plan = kind.plan.clone().without_actions();
    let predeal =
        Predeal::new(plan.predeal).map_err(|error| MixtureError::Predeal(error.to_string()))?;
    let usual = options.generate == u64::MAX;
    let limits = match usual {
        true => (UNLIMITED, needed),
        false => (options.generate, needed),
    };
    let source = SampledSource::new(&plan, FastDealer::new(*key, &predeal), usage, limits)
        .map_err(MixtureError::Predeal)?;
    let run_to = |generate: u64| {
        let mut deals = Vec::new();
        let mut keep = |deal: &ProducedDeal<'_>| {
            deals.push(deal.deal);
            ControlFlow::Continue(())
        };
        let options = Options {
            generate,
            produce: needed,
            solve: false,
            ..options.clone()
        };
        let report = run(&plan, Deals::Blocks(&source), &options, &mut keep);
        report
            .map(|report| (report, deals))
            .map_err(MixtureError::Run)
    };
    let first = match usual {
        true => needed.saturating_mul(USUAL.0).max(USUAL.1),
        false => options.generate,
    };
    let (mut report, mut deals) = run_to(first)?;
    if report.produced < needed && report.ended == Ended::Generated {
        match source.decided(report.generated) {
            Some(Decision::Sampled { probability, .. }) if probability.hits() == 0 => {
                return Err(MixtureError::Impossible(kind.name.clone()));
            }
            // Deals that are only passed over cost nothing.
            Some(Decision::Sampled { .. }) if usual => (report, deals) = run_to(UNLIMITED)?,
            _ => {}
        }
    }
    let counted = match source.decided(report.generated) {
        Some(Decision::Sampled {
            sampler,
            probability,
            ..
        }) if sampler.is_complete() => Some(*probability),
        _ => None,
    };
    Ok((report, deals, counted))
}

/// How many of the deals are of two classes at once: for each class, those that also belong to another. A class is
/// where all of its conditions hold.
#[must_use]
pub fn overlaps(
    plan: &Plan,
    classes: &[Vec<NodeId>],
    deals: &[(usize, Deal)],
    options: &Options<'_>,
) -> Vec<u64> {
    let prepared = Prepared::new(plan, options);
    let program = Program::new(plan, classes.iter().flatten().copied());
    let mut machine = Machine::new(&prepared, &program);
    let mut counts = vec![0; classes.len()];
    for &(own, deal) in deals {
        machine.look_at(deal, DealFacts::new(), 0, 0);
        let mut holds = |&node: &NodeId| {
            let value = machine.evaluate(node, &mut NoRandom);
            value.is_ok_and(|value| value != 0)
        };
        let mut others = classes.iter().enumerate();
        let other = others.any(|(number, class)| number != own && class.iter().all(&mut holds));
        counts[own] += u64::from(other);
    }
    counts
}

/// For each class, the share of it that a plain script must keep so that the classes come out in the wanted shares,
/// in millionths. `probability` is how often each class occurs by itself.
#[must_use]
pub fn keep_rates(probability: &[f64], shares: &[u64]) -> Vec<u32> {
    let wanted = |i: usize| shares[i] as f64 / probability[i];
    let most = (0..shares.len()).map(wanted).fold(0.0, f64::max);
    (0..shares.len())
        .map(|i| (1e6 * wanted(i) / most).round() as u32)
        .collect()
}
