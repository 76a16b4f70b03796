//! One deal after the other, for runs in which a deal's fate shows in later ones: the classic generators, and
//! scripts that ask how many deals were produced so far.

use std::ops::ControlFlow;

use cards::{Deal, Side, TrickTable};
use shuffle::legacy::LegacyDealer;
use shuffle::{DealRandom, Words};

use super::clock::Clock;
use super::failure;
use super::ledger::Ledger;
use super::needs::Needs;
use crate::outcome::{Ended, EvaluationError, Options, Report, RunError, Sink};
use crate::prepared::Prepared;
use crate::scalar::{DealFacts, Machine, Randomness};
use crate::source::{Batch, Source};
use crate::wanted::Quantity;
use script::plan::Mode;

/// Deals between two looks at the clock.
const LOOK: u64 = 256;

/// The random numbers of a deal in native mode.
pub(crate) struct DealDraws(pub DealRandom);

impl Randomness for DealDraws {
    fn draw(&mut self, n: i32) -> i32 {
        self.0.rnd(i64::from(n)) as i32
    }
}

/// The random numbers of a classic generator come from the stream of its deals.
struct ClassicDraws<'a>(&'a mut dyn LegacyDealer);

impl Randomness for ClassicDraws<'_> {
    fn draw(&mut self, n: i32) -> i32 {
        self.0.rnd(i64::from(n)) as i32
    }
}

/// Evaluates single deals and enters the accepted ones.
struct Sequence<'a, 's> {
    prepared: &'a Prepared<'a>,
    needs: &'a Needs,
    clock: Clock<'a>,
    machine: Machine<'a>,
    ledger: Ledger<'a, 's>,
    values: Vec<i32>,
}

impl<'a, 's> Sequence<'a, 's> {
    fn new(
        prepared: &'a Prepared<'a>,
        needs: &'a Needs,
        options: &'a Options<'a>,
        sink: &'s mut dyn Sink,
    ) -> Self {
        let clock = Clock::start(options);
        Sequence {
            prepared,
            needs,
            clock,
            machine: Machine::new(prepared, &needs.program).watching(clock, None),
            ledger: Ledger::new(prepared.plan, needs, options, sink),
            values: Vec::new(),
        }
    }

    /// Why to stop now, if so.
    fn stop(&self) -> Option<Ended> {
        self.clock.stop(self.ledger.produced)
    }

    /// How many deals to look at between two looks at the clock. The machine looks at it too, so these are the deals
    /// that take no time to speak of.
    fn between_looks(&self) -> u64 {
        if self.needs.solves { 1 } else { LOOK }
    }

    /// The end of a run in which an expression has no value: an error, or the reason for which it was interrupted.
    fn end(&self, error: EvaluationError, number: u64, deal: Deal) -> Result<Ended, RunError> {
        match error {
            EvaluationError::Interrupted => Ok(self.stop().unwrap_or(Ended::Cancelled)),
            error => Err(failure(self.prepared.plan, error, number, deal)),
        }
    }

    /// Whether the deal satisfies the condition.
    fn accepts(
        &mut self,
        number: u64,
        deal: Deal,
        tricks: Option<TrickTable>,
        random: &mut dyn Randomness,
    ) -> Result<bool, EvaluationError> {
        let facts = tricks.map_or_else(DealFacts::new, DealFacts::with_tricks);
        self.machine
            .look_at(deal, facts, number, self.ledger.produced);
        match self.prepared.plan.condition {
            Some(condition) => Ok(self.machine.evaluate(condition, random)? != 0),
            None => Ok(true),
        }
    }

    fn close(mut self, ended: Ended) -> Report {
        self.ledger.calls += self.machine.take_calls();
        self.ledger.close(ended)
    }

    /// Evaluates the actions' expressions, in the order of the list, and enters the deal.
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
        for quantity in self.needs.wishes.iter().flat_map(|wish| &wish.quantities) {
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

/// Runs on a classic generator.
pub(super) fn run_classic<'a>(
    prepared: &'a Prepared<'a>,
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
        if number.is_multiple_of(LOOK) {
            sequence.ledger.pass(number);
        }
        if number.is_multiple_of(sequence.between_looks())
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
                    if sequence.machine.facts().looked_at_opc(side) {
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

/// Runs on blocks, but one deal after the other.
pub(super) fn run_source<'a>(
    prepared: &'a Prepared<'a>,
    needs: &'a Needs,
    source: &dyn Source,
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
            if number.is_multiple_of(sequence.between_looks())
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
        if let Some(text) = batch.failure.take() {
            return Err(RunError::Source(text));
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
