//! Runs a plan: from a source of deals to produced deals, tallies and a report.

mod blocks;
mod clock;
mod filter;
mod inscribing;
mod ledger;
mod needs;
mod sequence;
mod solving;

use std::iter;

use script::plan::{NodeId, Plan};
use shuffle::legacy::LegacyDealer;

use crate::outcome::{Options, Report, RunError, Sink};
use crate::prepared::Prepared;
use crate::source::{ClassicSource, SeriesSource, Source};
pub(crate) use clock::{BETWEEN_LOOKS, Clock};
use needs::Needs;
pub use needs::counts_produced;
pub(crate) use sequence::DealDraws;

/// Actions that want more values of a deal than this get them deal by deal: a block of them would take too much memory.
const MOST_VALUES: usize = 4096;

/// Where the deals of a run come from.
pub enum Deals<'a> {
    /// Blocks that any thread can fill.
    Blocks(&'a dyn Source),
    /// A classic generator whose next deal may depend on what happened to the last one. It deals in the order
    /// of the run, whatever the number of threads.
    Classic(&'a mut (dyn LegacyDealer + Send)),
}

/// Evaluates the plan on deal after deal until a limit is reached, hands the produced deals to the sink in order
/// and collects what the plan's actions ask for.
///
/// The result does not depend on the number of threads.
///
/// # Errors
/// If an expression fails on a deal that a run deal by deal would have reached, or the source fails before the run
/// has what it needs. Deals before that have been handed to the sink.
pub fn run(
    plan: &Plan,
    deals: Deals<'_>,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    let prepared = Prepared::new(plan, options);
    let needs = Needs::new(&prepared, options, sink.wants_deals());
    let threads = || crate::parallel::threads(options.threads);
    // Deals that depend neither on what becomes of earlier ones nor on rnd can be dealt by several threads.
    let rounds = match &deals {
        Deals::Classic(dealer) if !needs.draws && threads() > 1 => dealer.rounds(),
        _ => None,
    };
    if let Some(rounds) = rounds {
        let source = ClassicSource::new(rounds, threads());
        return run_blocks(&prepared, &needs, &source, options, sink);
    }
    match deals {
        Deals::Classic(dealer) if plan.mode.is_v1() && !needs.draws => {
            // What becomes of a deal does not show in v1's later ones: they may be evaluated in blocks.
            let dealt = iter::from_fn(|| dealer.next_deal().map(|deal| Ok(deal.into())));
            let source = SeriesSource::new(dealt).starting_at(options.from.generated);
            run_blocks(&prepared, &needs, &source, options, sink)
        }
        Deals::Classic(dealer) => sequence::run_classic(&prepared, &needs, dealer, options, sink),
        Deals::Blocks(source) => run_blocks(&prepared, &needs, source, options, sink),
    }
}

fn run_blocks(
    prepared: &Prepared<'_>,
    needs: &Needs,
    source: &dyn Source,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    if needs.counts_produced || needs.values() > MOST_VALUES {
        sequence::run_source(prepared, needs, source, options, sink)
    } else if needs.solves && !source.has_tricks() {
        solving::run(prepared, needs, source, options, sink)
    } else {
        blocks::run(prepared, needs, source, options, sink)
    }
}

/// An evaluation error as the error of the run.
pub(crate) fn failure(
    plan: &Plan,
    error: crate::EvaluationError,
    number: u64,
    cards: cards::Deal,
) -> RunError {
    let span = error.node().map(|node: NodeId| plan.facts_of(node).span);
    RunError::Evaluation {
        error,
        deal: number + 1,
        cards,
        span,
    }
}
