//! Runs a plan: from a source of deals to produced deals, tallies and a report.

mod blocks;
mod clock;
mod filter;
mod ledger;
mod needs;
mod parallel_text;
mod sequence;
mod solving;

use std::iter;

use script::plan::{NodeId, Plan};
use shuffle::legacy::LegacyDealer;

use crate::outcome::{Options, Report, RunError, Sink};
use crate::prepared::PreparedPlan;
use crate::source::{ClassicSource, DealSource, SeriesSource};
pub(crate) use clock::{Clock, DEALS_PER_CLOCK_CHECK};
use needs::Needs;
pub use needs::counts_produced;
pub(crate) use sequence::DealDraws;

/// Maximum number of values of a deal that actions need in columns. With more, runs evaluate deal by deal, because a
/// block of values would take too much memory.
const MAX_VALUES: usize = 4096;

/// The source of the deals of a run.
pub enum RunDeals<'a> {
    /// Blocks that any thread can fill.
    Blocks(&'a dyn DealSource),
    /// A classic generator whose next deal may depend on the evaluation of the last one. It deals in the order of the
    /// run, for any number of threads.
    Classic(&'a mut (dyn LegacyDealer + Send)),
}

/// Evaluates the plan on one deal after another until a limit is reached, passes the produced deals to the sink in
/// order and collects the statistics of the plan's actions.
///
/// The result does not depend on the number of threads.
///
/// # Errors
/// If an expression fails on a deal that a deal-by-deal run would have reached, or the source fails before the run is
/// complete. The deals before the error have been passed to the sink.
pub fn run(
    plan: &Plan,
    deals: RunDeals<'_>,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    let prepared = PreparedPlan::new(plan, options);
    let needs = Needs::new(&prepared, options, sink.needs_deals());
    let threads = || crate::parallel::threads(options.threads);
    // Several threads can deal if the deals depend neither on the evaluation of earlier ones nor on `rnd`.
    let rounds = match &deals {
        RunDeals::Classic(dealer) if !needs.draws && threads() > 1 => dealer.rounds(),
        _ => None,
    };
    if let Some(rounds) = rounds {
        let source = ClassicSource::new(rounds, threads());
        return run_blocks(&prepared, &needs, &source, options, sink);
    }
    match deals {
        RunDeals::Classic(dealer) if plan.mode.is_v1() && !needs.draws => {
            // In v1 the evaluation of a deal does not affect later deals, so they may be evaluated in blocks.
            let dealt = iter::from_fn(|| dealer.next_deal().map(|deal| Ok(deal.into())));
            let source = SeriesSource::new(dealt).starting_at(options.from.generated);
            run_blocks(&prepared, &needs, &source, options, sink)
        }
        RunDeals::Classic(dealer) => {
            sequence::run_classic(&prepared, &needs, dealer, options, sink)
        }
        RunDeals::Blocks(source) => run_blocks(&prepared, &needs, source, options, sink),
    }
}

fn run_blocks(
    prepared: &PreparedPlan<'_>,
    needs: &Needs,
    source: &dyn DealSource,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    if needs.counts_produced || needs.values() > MAX_VALUES {
        sequence::run_source(prepared, needs, source, options, sink)
    } else if needs.solves && !source.has_tricks() {
        solving::run(prepared, needs, source, options, sink)
    } else {
        blocks::run(prepared, needs, source, options, sink)
    }
}

/// Converts an evaluation error to an error of the run.
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
