//! Mixtures of deals in given proportions: levelled classes of one script, or several scripts.
//!
//! The component of every deal is chosen first, by its share; then each component deals as many as were chosen. So a
//! rare component is as frequent as it should be without rejecting deals of the others, and with the exact sampler it
//! costs no more than a common one.

mod classes;
mod shares;

use std::ops::ControlFlow;

use cards::Deal;
use sampling::{Budget, Count, Sampler};
use script::plan::{NodeId, Plan};
use shuffle::{DealRandom, FastDealer, Key, Predeal, PredealError, RandomWords, Stream};

use crate::PreparedPlan;
use crate::analysis::Analysis;
use crate::outcome::{Ended, Options, ProducedDeal, Report, RunError, SolverCalls};
use crate::run::{RunDeals, run};
use crate::sampled::{PredealtLengthsError, SampledSource, SamplerDecision, SamplerUse};
use crate::scalar::{DealFacts, Machine, NoRandom, Program};

pub use classes::{
    CLASS_PREFIX, LEVEL_PREFIX, class_of_each, classes, hand_types, level_types, overlaps, share_of,
};
pub use shares::{affordable, by_share, evenly, fitted, interleaved, keep_rates, shuffled};

/// One component of a mixture.
#[derive(Clone, Debug)]
pub struct Component {
    /// The name for messages.
    pub name: String,
    /// The share of this component, relative to the sum of all shares.
    pub share: u64,
    /// The plan whose condition accepts exactly the deals of this component.
    pub plan: Plan,
}

/// The result for one component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentResult {
    /// Deals generated to find its deals.
    pub generated: u64,
    /// Deals of this component.
    pub produced: u64,
    /// The exact probability of the component, if it was computed.
    pub counted: Option<Count>,
}

/// Deals in the given proportions.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// The deals with the index of their component.
    pub deals: Vec<(usize, Deal)>,
    /// The results by component.
    pub results: Vec<ComponentResult>,
    /// The reason why the run ended before all deals were found, if it did.
    pub interrupted: Option<Ended>,
}

/// An error of [`mix`] or [`in_order`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MixtureError {
    /// A component was not found often enough.
    TooRare {
        /// The name of the component.
        name: String,
        /// Number of deals of the component that were found.
        found: u64,
        /// Number of deals of the component that were needed.
        needed: u64,
        /// Number of deals generated.
        generated: u64,
    },
    /// No deal belongs to this component.
    Impossible(String),
    /// The predealt cards of a component do not fit.
    Predeal(PredealError),
    /// The predealt lengths of a component do not fit.
    PredealtLengths(PredealtLengthsError),
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
            MixtureError::Predeal(error) => error.fmt(f),
            MixtureError::PredealtLengths(error) => error.fmt(f),
            MixtureError::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MixtureError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            MixtureError::TooRare { .. } | MixtureError::Impossible(_) => None,
            MixtureError::Predeal(error) => Some(error),
            MixtureError::PredealtLengths(error) => Some(error),
            MixtureError::Run(error) => Some(error),
        }
    }
}

/// Returns the probability of a plan's condition, if counting it takes little work.
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

/// Returns the key of a component's deals: words of the keystream that are used for nothing else, so that no two
/// components share deals.
fn component_key(key: &Key, kind: usize) -> Key {
    let mut words = DealRandom::on(Stream::Choices, key, u64::MAX - kind as u64);
    let mut bytes = [0; 32];
    for part in bytes.chunks_exact_mut(8) {
        part.copy_from_slice(&words.word().to_le_bytes());
    }
    Key::new(bytes)
}

/// The default generate limit of plain dealing: deals per wanted deal, and the minimum.
const DEFAULT_GENERATE: (u64, u64) = (1_000_000, 10_000_000);

/// The generate limit for deals that a sampler skips without making them.
const UNLIMITED: u64 = 1 << 62;

/// Deals the components in the given order. A generate limit of `u64::MAX` means the default limit; a component that
/// the sampler deals directly then has no limit.
///
/// # Errors
/// If a component has no deals or is too rare for the generate limit, its predeal is impossible, or an expression
/// fails.
pub fn mix(
    kinds: &[Component],
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
        let dealt = deal_component(kind, needed, &component_key(key, number), usage, options)?;
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
        results.push(ComponentResult {
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

/// Boards of several classes from one stream of deals.
#[derive(Clone, Debug)]
pub struct NumberedMixture {
    /// The boards: class, number in the stream, cards.
    pub boards: Vec<(usize, u64, Deal)>,
    /// Number of deals of each class that were found.
    pub met: Vec<u64>,
    /// Number of deals generated.
    pub generated: u64,
    /// The reason why the run ended before all boards were found, if it did.
    pub interrupted: Option<Ended>,
}

/// Takes boards of the classes in the given order from one source. Every class gets its deals in the order of the
/// source, and a deal of several classes belongs to the first of them. So the choice of boards is determined, and no
/// deal occurs twice. A deal belongs to a class if all conditions of the class hold.
///
/// # Errors
/// If a class is too rare for the generate limit, or an expression fails.
pub fn in_order(
    plan: &Plan,
    classes: &[(String, Vec<NodeId>)],
    order: &[usize],
    source: &dyn crate::DealSource,
    options: &Options<'_>,
) -> Result<NumberedMixture, MixtureError> {
    let plan = plan.clone().without_actions();
    let needed = |class: usize| order.iter().filter(|&&it| it == class).count();
    let needed: Vec<usize> = (0..classes.len()).map(needed).collect();
    let mut piles: Vec<Vec<(u64, Deal)>> = vec![Vec::new(); classes.len()];
    let mut met = vec![0u64; classes.len()];
    let prepared = PreparedPlan::new(&plan, options);
    let nodes = classes.iter().flat_map(|(_, nodes)| nodes).copied();
    let program = Program::new(&plan, nodes);
    let mut machine = Machine::new(&prepared, &program);
    let mut open = needed.iter().filter(|&&needed| needed > 0).count();
    let mut keep = |produced: &ProducedDeal<'_>| {
        machine.set_deal(produced.deal, DealFacts::new(), 0, 0);
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
    let report =
        run(&plan, RunDeals::Blocks(source), &all, &mut keep).map_err(MixtureError::Run)?;
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

fn deal_component(
    kind: &Component,
    needed: u64,
    key: &Key,
    usage: SamplerUse,
    options: &Options<'_>,
) -> Result<(Report, Vec<Deal>, Option<Count>), MixtureError> {
    if needed == 0 {
        // There is nothing to deal, but the result needs a report.
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
    let predeal = Predeal::new(plan.predeal).map_err(MixtureError::Predeal)?;
    let has_default_limit = options.generate == u64::MAX;
    let limits = match has_default_limit {
        true => (UNLIMITED, needed),
        false => (options.generate, needed),
    };
    let source = SampledSource::new(&plan, FastDealer::new(*key, &predeal), usage, limits)
        .map_err(MixtureError::PredealtLengths)?
        .with_user_metrics(options.user_metrics);
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
        let report = run(&plan, RunDeals::Blocks(&source), &options, &mut keep);
        report
            .map(|report| (report, deals))
            .map_err(MixtureError::Run)
    };
    let first = match has_default_limit {
        true => needed
            .saturating_mul(DEFAULT_GENERATE.0)
            .max(DEFAULT_GENERATE.1),
        false => options.generate,
    };
    let (mut report, mut deals) = run_to(first)?;
    if report.produced < needed && report.ended == Ended::Generated {
        match source.decided(report.generated) {
            Some(SamplerDecision::Sampled { probability, .. }) if probability.hits() == 0 => {
                return Err(MixtureError::Impossible(kind.name.clone()));
            }
            // Deals that the sampler skips cost nothing.
            Some(SamplerDecision::Sampled { .. }) if has_default_limit => {
                (report, deals) = run_to(UNLIMITED)?
            }
            _ => {}
        }
    }
    let counted = match source.decided(report.generated) {
        Some(SamplerDecision::Sampled {
            sampler,
            probability,
            ..
        }) if sampler.is_complete() => Some(*probability),
        _ => None,
    };
    Ok((report, deals, counted))
}
