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
    machine: Machine<'a>,
    ledger: Ledger<'a, 's>,
    values: Vec<i32>,
}

impl<'a, 's> Sequence<'a, 's> {
    fn new(
        prepared: &'a Prepared<'a>,
        needs: &'a Needs,
        options: &Options<'_>,
        sink: &'s mut dyn Sink,
    ) -> Self {
        Sequence {
            prepared,
            needs,
            machine: Machine::new(prepared, &needs.program),
            ledger: Ledger::new(prepared.plan, needs, options, sink),
            values: Vec::new(),
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
        self.machine.solve_together(&self.needs.together);
        for quantity in self.needs.wishes.iter().flat_map(|wish| &wish.quantities) {
            self.values.push(match *quantity {
                Quantity::Value(node) => self.machine.evaluate(node, random)?,
                Quantity::Tricks(seat, strain) => self.machine.tricks(seat, strain),
            });
        }
        let tables = self.needs.tables;
        let tricks = (!tables.is_empty()).then(|| self.machine.rows(tables));
        Ok(self.ledger.enter(number, deal, tricks, &self.values))
    }
}

/// Runs on a classic generator.
pub(super) fn run_classic(
    prepared: &Prepared<'_>,
    needs: &Needs,
    dealer: &mut dyn LegacyDealer,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    let clock = Clock::start(options);
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
            if let Some(ended) = clock.stop(sequence.ledger.produced) {
                break ended;
            }
        }
        if let Some(deal) = dealer.next_deal() {
            let wrong = |error| failure(prepared.plan, error, number, deal);
            let accepted = sequence
                .accepts(number, deal, None, &mut ClassicDraws(dealer))
                .map_err(wrong)?;
            if sorts {
                for side in [Side::NorthSouth, Side::EastWest] {
                    if sequence.machine.facts().looked_at_opc(side) {
                        dealer.opc_evaluated(side);
                    }
                }
            }
            if accepted {
                dealer.accept();
                let entered = sequence.enter(number, deal, &mut ClassicDraws(dealer));
                if let ControlFlow::Break(ended) = entered.map_err(wrong)? {
                    number += 1;
                    break ended;
                }
            }
        }
        number += 1;
    };
    sequence.ledger.pass(number);
    Ok(sequence.close(ended))
}

/// Runs on blocks, but one deal after the other.
pub(super) fn run_source(
    prepared: &Prepared<'_>,
    needs: &Needs,
    source: &dyn Source,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    let clock = Clock::start(options);
    let mut sequence = Sequence::new(prepared, needs, options, sink);
    let (key, stream) = source.random();
    let mut random = DealDraws(DealRandom::on(stream, &key, 0));
    let mut batch = Batch::new();
    for block in source.block_of(options.from.generated).. {
        if let Some(ended) = sequence.ledger.complete(options) {
            return Ok(sequence.close(ended));
        }
        if let Some(ended) = clock.stop(sequence.ledger.produced) {
            return Ok(sequence.close(ended));
        }
        let produced = sequence.ledger.produced;
        let stop = || clock.stop(produced);
        if !source.fill_unless(block, &mut batch, &|| stop().is_some()) {
            let ended = stop().unwrap_or(Ended::Cancelled);
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
            let deal = batch.block.deal(place);
            let wrong = |error| failure(prepared.plan, error, number, deal);
            random.0.restart(number);
            if sequence
                .accepts(number, deal, batch.tricks(place), &mut random)
                .map_err(wrong)?
            {
                let entered = sequence.enter(number, deal, &mut random).map_err(wrong)?;
                if let ControlFlow::Break(ended) = entered {
                    return Ok(sequence.close(ended));
                }
            }
            sequence.ledger.generated = number + 1;
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
