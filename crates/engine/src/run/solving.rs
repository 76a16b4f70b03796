//! Runs that ask the double-dummy solver: first everything cheap, then the deals that are left, one by one.
//!
//! Solving takes milliseconds, so the unit of work is a single deal. The cheap parts of the condition run ahead in
//! blocks, a bounded number of candidates wait, every thread has a solver of its own and takes the next candidate,
//! and results come back in deal order.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use cards::{Deal, TrickTable};
use script::plan::NodeId;
use shuffle::DealRandom;

use super::blocks::{Shared, drive, verdict};
use super::clock::Clock;
use super::failure;
use super::filter::Filter;
use super::ledger::Ledger;
use super::needs::Needs;
use super::sequence::DealDraws;
use crate::batch::{BatchPlan, solving_nodes};
use crate::outcome::{Ended, EvaluationError, Options, Report, RunError, Sink};
use crate::parallel::ordered_map;
use crate::prepared::Prepared;
use crate::scalar::{DealFacts, Machine};
use crate::source::Source;
use crate::wanted::Quantity;

/// Candidates that may wait for a solver.
const WAITING: usize = 256;

/// What the cheap part of the run sends on.
enum Message {
    /// A deal that passed everything cheap.
    Candidate { number: u64, deal: Deal },
    /// No deal before this number is left.
    Passed { end: u64 },
    /// The cheap part is over.
    End(Result<Ended, RunError>),
}

/// What became of a message.
enum Verdict {
    Rejected {
        number: u64,
    },
    Accepted {
        number: u64,
        deal: Deal,
        values: Vec<i32>,
        tricks: Option<TrickTable>,
    },
    Passed {
        end: u64,
    },
    End(Result<Ended, RunError>),
}

/// The parts of the condition that are left for the solving threads, and those before them.
///
/// With random numbers in the condition nothing is split: the draws of a deal must be made in one go.
fn split<'t>(prepared: &Prepared<'_>, tail: &'t [NodeId]) -> (&'t [NodeId], &'t [NodeId]) {
    let plan = prepared.plan;
    if tail.iter().any(|part| plan.facts_of(*part).random) {
        return (&[], tail);
    }
    let solving = solving_nodes(&plan.nodes);
    let first = tail
        .iter()
        .position(|part| solving[part.index()])
        .unwrap_or(tail.len());
    tail.split_at(first)
}

/// Runs with a solver on every thread.
pub(super) fn run(
    prepared: &Prepared<'_>,
    needs: &Needs,
    source: &dyn Source,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, RunError> {
    let mut ledger = Ledger::new(prepared.plan, needs, options, sink);
    if options.produce == 0 || options.generate == 0 {
        return Ok(ledger.close(if options.produce == 0 {
            Ended::Produced
        } else {
            Ended::Generated
        }));
    }
    let plan = BatchPlan::new(prepared, &[], options.path);
    let (cheap, dear) = split(prepared, &plan.tail);
    let filter = Filter {
        prepared,
        needs,
        plan: &plan,
        tail: cheap,
        values: false,
        hands_over: true,
    };
    let shared = Shared::new(filter, source, options);
    let (sender, receiver) = sync_channel(WAITING);
    let solving = Solving {
        prepared,
        needs,
        parts: dear,
        source,
    };
    let ended = thread::scope(|scope| {
        scope.spawn(|| supply(&shared, sender));
        let clock = Clock::start(options);
        let candidates = Candidates {
            receiver,
            clock,
            shared: &shared,
            over: false,
        };
        let end = ordered_map(
            options.threads,
            candidates,
            || Solver::new(&solving),
            |solver, message| solver.judge(message),
            |verdict| {
                let flow = enter(&mut ledger, verdict);
                shared.note(&ledger);
                flow
            },
        );
        match end {
            ControlFlow::Break(end) => end,
            ControlFlow::Continue(()) => Ok(Ended::Generated),
        }
    })?;
    Ok(ledger.close(ended))
}

/// The cheap part, on threads of its own: sends candidates until nobody wants more.
fn supply(shared: &Shared<'_>, sender: SyncSender<Message>) {
    let end = drive(shared, |findings| {
        for (number, deal) in findings.accepted.deals {
            if sender.send(Message::Candidate { number, deal }).is_err() {
                return ControlFlow::Break(Ok(Ended::Stopped));
            }
        }
        if sender.send(Message::Passed { end: findings.end }).is_err() {
            return ControlFlow::Break(Ok(Ended::Stopped));
        }
        verdict(findings.stop)
    });
    // The receiver may be gone: then nobody wants to know.
    let _ = sender.send(Message::End(end));
}

/// The messages in order; ends them early when the run is cancelled or late.
struct Candidates<'a> {
    receiver: Receiver<Message>,
    clock: Clock<'a>,
    shared: &'a Shared<'a>,
    over: bool,
}

impl Iterator for Candidates<'_> {
    type Item = Message;

    fn next(&mut self) -> Option<Message> {
        if self.over {
            return None;
        }
        if let Some(ended) = self.clock.stop(self.shared.produced()) {
            self.over = true;
            return Some(Message::End(Ok(ended)));
        }
        self.receiver.recv().ok()
    }
}

/// What all solving threads share.
struct Solving<'a> {
    prepared: &'a Prepared<'a>,
    needs: &'a Needs,
    parts: &'a [NodeId],
    source: &'a dyn Source,
}

/// One thread's tools.
struct Solver<'a> {
    solving: &'a Solving<'a>,
    machine: Machine<'a>,
    random: DealDraws,
}

impl<'a> Solver<'a> {
    fn new(solving: &'a Solving<'a>) -> Self {
        let (key, stream) = solving.source.random();
        Solver {
            solving,
            machine: Machine::new(solving.prepared, &solving.needs.program),
            random: DealDraws(DealRandom::on(stream, &key, 0)),
        }
    }

    fn judge(&mut self, message: Message) -> Verdict {
        match message {
            Message::Passed { end } => Verdict::Passed { end },
            Message::End(end) => Verdict::End(end),
            Message::Candidate { number, deal } => {
                self.machine.look_at(deal, DealFacts::new(), number, 0);
                self.random.0.restart(number);
                match self.examine() {
                    Ok(None) => Verdict::Rejected { number },
                    Ok(Some(values)) => {
                        let tricks = self.solving.needs.tables.then(|| self.machine.table());
                        Verdict::Accepted {
                            number,
                            deal,
                            values,
                            tricks,
                        }
                    }
                    Err(error) => {
                        let plan = self.solving.prepared.plan;
                        Verdict::End(Err(failure(plan, error, number, deal)))
                    }
                }
            }
        }
    }

    /// The numbers that the actions want, if the deal is accepted.
    fn examine(&mut self) -> Result<Option<Vec<i32>>, EvaluationError> {
        for &part in self.solving.parts {
            if self.machine.evaluate(part, &mut self.random)? == 0 {
                return Ok(None);
            }
        }
        if self.solving.needs.tables {
            // Cheaper all at once than one by one.
            self.machine.table();
        }
        let quantities = self
            .solving
            .needs
            .wishes
            .iter()
            .flat_map(|wish| &wish.quantities);
        quantities
            .map(|quantity| match *quantity {
                Quantity::Value(node) => self.machine.evaluate(node, &mut self.random),
                Quantity::Tricks(seat, strain) => Ok(self.machine.tricks(seat, strain)),
            })
            .collect::<Result<Vec<i32>, EvaluationError>>()
            .map(Some)
    }
}

fn enter(ledger: &mut Ledger<'_, '_>, verdict: Verdict) -> ControlFlow<Result<Ended, RunError>> {
    match verdict {
        Verdict::Rejected { number } => ledger.pass(number + 1),
        Verdict::Passed { end } => ledger.pass(end),
        Verdict::End(end) => return ControlFlow::Break(end),
        Verdict::Accepted {
            number,
            deal,
            values,
            tricks,
        } => {
            if let ControlFlow::Break(ended) = ledger.enter(number, deal, tricks, &values) {
                return ControlFlow::Break(Ok(ended));
            }
        }
    }
    ControlFlow::Continue(())
}
