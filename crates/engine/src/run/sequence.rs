//! Deal-by-deal runs, for runs in which a deal affects later ones: with classic generators, and with scripts that use
//! the number of deals produced so far.

use std::ops::ControlFlow;

use cards::{Deal, Side, TrickTable};
use shuffle::legacy::LegacyDealer;
use shuffle::{DealRandom, RandomWords};

use super::clock::Clock;
use super::failure;
use super::ledger::Ledger;
use super::needs::Needs;
use crate::action_inputs::Quantity;
use crate::outcome::{Ended, EvaluationError, Options, Report, RunError, Sink};
use crate::prepared::PreparedPlan;
use crate::scalar::{DealFacts, Machine, Randomness};
use crate::source::{Batch, DealSource};
use script::plan::Mode;

/// Number of deals between two checks of the clock.
const DEALS_PER_CLOCK_CHECK: u64 = 256;

/// The random numbers of a deal in native mode.
pub(crate) struct DealDraws(pub DealRandom);

impl Randomness for DealDraws {
    fn draw(&mut self, n: i32) -> i32 {
        self.0.rnd(i64::from(n)) as i32
    }
}

/// The random numbers of a classic generator, drawn from the stream of its deals.
struct ClassicDraws<'a>(&'a mut dyn LegacyDealer);

impl Randomness for ClassicDraws<'_> {
    fn draw(&mut self, n: i32) -> i32 {
        self.0.rnd(i64::from(n)) as i32
    }
}

/// Evaluates single deals and records the accepted ones.
struct Sequence<'a, 's> {
    prepared: &'a PreparedPlan<'a>,
    needs: &'a Needs,
    clock: Clock<'a>,
    machine: Machine<'a>,
    ledger: Ledger<'a, 's>,
    values: Vec<i32>,
}

impl<'a, 's> Sequence<'a, 's> {
    fn new(
        prepared: &'a PreparedPlan<'a>,
        needs: &'a Needs,
        options: &'a Options<'a>,
        sink: &'s mut dyn Sink,
    ) -> Self {
        let clock = Clock::start(options);
        Sequence {
            prepared,
            needs,
            clock,
            machine: Machine::new(prepared, &needs.program).with_clock(clock, None),
            ledger: Ledger::new(prepared.plan, needs, options, sink),
            values: Vec::new(),
        }
    }

    /// Returns the reason to stop now, if there is one.
    fn stop(&self) -> Option<Ended> {
        self.clock.stop(self.ledger.produced)
    }

    /// Returns how many deals to evaluate between two checks of the clock. The machine checks it too during long
    /// evaluations, so this interval is for fast deals.
    fn deals_per_clock_check(&self) -> u64 {
        if self.needs.solves {
            1
        } else {
            DEALS_PER_CLOCK_CHECK
        }
    }

    /// Returns how a run ends in which an expression has no value: with an error, or with the reason of the
    /// interruption.
    fn end(&self, error: EvaluationError, number: u64, deal: Deal) -> Result<Ended, RunError> {
        match error {
            EvaluationError::Interrupted => Ok(self.stop().unwrap_or(Ended::Cancelled)),
            error => Err(failure(self.prepared.plan, error, number, deal)),
        }
    }

    /// Returns whether the deal satisfies the condition.
    fn accepts(
        &mut self,
        number: u64,
        deal: Deal,
        tricks: Option<TrickTable>,
        random: &mut dyn Randomness,
    ) -> Result<bool, EvaluationError> {
        let facts = tricks.map_or_else(DealFacts::new, DealFacts::with_tricks);
        self.machine
            .set_deal(deal, facts, number, self.ledger.produced);
        match self.prepared.plan.condition {
            Some(condition) => Ok(self.machine.evaluate(condition, random)? != 0),
            None => Ok(true),
        }
    }

    fn close(mut self, ended: Ended) -> Report {
        self.ledger.calls += self.machine.take_calls();
        self.ledger.close(ended)
    }

    /// Evaluates the actions' expressions in the order of the list, and records the deal.
    fn enter(
        &mut self,
        number: u64,
        deal: Deal,
        random: &mut dyn Randomness,
    ) -> Result<ControlFlow<Ended>, EvaluationError> {
        // v1 counts a deal after its actions, the others before.
        let counted = u64::from(!self.prepared.plan.mode.is_v1());
        self.machine.set_produced(self.ledger.produced + counted);
        self.values.clear();
        self.machine.solve_together(&self.needs.together)?;
        for quantity in self
            .needs
            .action_inputs
            .iter()
            .flat_map(|inputs| &inputs.quantities)
        {
            self.values.push(match *quantity {
                Quantity::Value(node) => self.machine.evaluate(node, random)?,
                Quantity::Tricks(seat, strain) => self.machine.tricks(seat, strain)?,
            });
        }
        let tables = self.needs.tables;
        let tricks = match tables.is_empty() {
            true => None,
            false => Some(self.machine.rows(tables)?),
        };
        Ok(self.ledger.enter(number, deal, tricks, &self.values))
    }
}

/// Runs a plan on a classic generator.
pub(super) fn run_classic<'a>(
    prepared: &'a PreparedPlan<'a>,
    needs: &'a Needs,
    dealer: &mut dyn LegacyDealer,
    options: &'a Options<'a>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    let mut sequence = Sequence::new(prepared, needs, options, sink);
    let sorts = prepared.plan.mode == Mode::V2;
    let mut number = options.from.generated;
    let ended = loop {
        if sequence.ledger.produced >= options.produce {
            break Ended::Produced;
        }
        if number >= options.generate {
            break Ended::Generated;
        }
        if number.is_multiple_of(DEALS_PER_CLOCK_CHECK) {
            sequence.ledger.pass(number);
        }
        if number.is_multiple_of(sequence.deals_per_clock_check())
            && let Some(ended) = sequence.stop()
        {
            break ended;
        }
        if let Some(deal) = dealer.next_deal() {
            let accepted = match sequence.accepts(number, deal, None, &mut ClassicDraws(dealer)) {
                Ok(accepted) => accepted,
                Err(error) => break sequence.end(error, number, deal)?,
            };
            if sorts {
                for side in [Side::NorthSouth, Side::EastWest] {
                    if sequence.machine.facts().has_evaluated_opc(side) {
                        dealer.opc_evaluated(side);
                    }
                }
            }
            if accepted {
                dealer.accept();
                match sequence.enter(number, deal, &mut ClassicDraws(dealer)) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(ended)) => {
                        number += 1;
                        break ended;
                    }
                    Err(error) => break sequence.end(error, number, deal)?,
                }
            }
        }
        number += 1;
    };
    sequence.ledger.pass(number);
    Ok(sequence.close(ended))
}

/// Runs a plan on blocks, one deal after the other.
pub(super) fn run_source<'a>(
    prepared: &'a PreparedPlan<'a>,
    needs: &'a Needs,
    source: &dyn DealSource,
    options: &'a Options<'a>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    let mut sequence = Sequence::new(prepared, needs, options, sink);
    let (key, stream) = source.random();
    let mut random = DealDraws(DealRandom::on(stream, &key, 0));
    let mut batch = Batch::new();
    for block in source.block_of(options.from.generated).. {
        if let Some(ended) = sequence.ledger.complete(options) {
            return Ok(sequence.close(ended));
        }
        if let Some(ended) = sequence.stop() {
            return Ok(sequence.close(ended));
        }
        let (clock, produced) = (sequence.clock, sequence.ledger.produced);
        if !source.fill_unless(block, &mut batch, &|| clock.stop(produced).is_some()) {
            let ended = sequence.stop().unwrap_or(Ended::Cancelled);
            return Ok(sequence.close(ended));
        }
        for place in 0..batch.count {
            let number = batch.number(place);
            if number < options.from.generated {
                continue;
            }
            if number >= options.generate {
                sequence.ledger.pass(options.generate);
                return Ok(sequence.close(Ended::Generated));
            }
            if number.is_multiple_of(sequence.deals_per_clock_check())
                && let Some(ended) = sequence.stop()
            {
                return Ok(sequence.close(ended));
            }
            let deal = batch.block.deal(place);
            random.0.restart(number);
            let accepted = sequence.accepts(number, deal, batch.tricks(place), &mut random);
            let entered = match accepted {
                Ok(true) => sequence.enter(number, deal, &mut random),
                Ok(false) => Ok(ControlFlow::Continue(())),
                Err(error) => Err(error),
            };
            match entered {
                Ok(ControlFlow::Continue(())) => sequence.ledger.generated = number + 1,
                Ok(ControlFlow::Break(ended)) => return Ok(sequence.close(ended)),
                Err(error) => {
                    let ended = sequence.end(error, number, deal)?;
                    return Ok(sequence.close(ended));
                }
            }
        }
        if batch.goes_on {
            sequence.ledger.generated = batch.end.min(options.generate);
        }
        sequence.ledger.pass(sequence.ledger.generated);
        if let Some(error) = batch.failure.take() {
            return Err(RunError::Source(error));
        }
        if batch.count == 0 && batch.first >= options.generate {
            sequence.ledger.pass(options.generate);
            return Ok(sequence.close(Ended::Generated));
        }
        if !batch.is_full() && !batch.goes_on {
            return Ok(sequence.close(Ended::Exhausted));
        }
    }
    Ok(sequence.close(Ended::Generated))
}
