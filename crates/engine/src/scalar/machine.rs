//! The stack machine and its cache of facts about the current deal.

use std::borrow::Borrow;
use std::sync::atomic::{AtomicU64, Ordering};

use cards::{Card, Deal, Seat, Side, Strain, TrickTable, Vulnerability};
use script::plan::{AuctionQuery, BinaryOp, Node, NodeId};
use solver::{DealCache, Leads, SeatSet, Solver};
use usermetrics::{Evaluator, MetricRequest, MetricResults, UserMetricError};
use valuation::{HandPair, Opc};

use super::compile::{Program, Step};
use crate::auctions::{self, AuctionCache};
use crate::outcome::{EvaluationError, SolverCalls};
use crate::prepared::{self, PreparedPlan};
use crate::run::Clock;
use crate::user::UserQuery;

/// Number of steps between two checks of the clock: less than a millisecond of work.
const STEPS_PER_CLOCK_CHECK: usize = 50_000;

/// The source of random numbers for `rnd`.
pub trait Randomness {
    /// Draws a number from 0 to `n - 1` (to `-(|n| - 1)` for a negative `n`).
    fn draw(&mut self, n: i32) -> i32;

    /// Returns whether a draw with the same limit always gives the same number, so that values that depend on draws can
    /// be cached.
    fn is_constant(&self) -> bool {
        false
    }
}

/// A source without randomness, for evaluations without `rnd` and for explaining a single deal: every draw is 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRandom;

impl Randomness for NoRandom {
    fn draw(&mut self, _: i32) -> i32 {
        0
    }

    fn is_constant(&self) -> bool {
        true
    }
}

/// Ends evaluations at the time limit or when the run is cancelled.
#[derive(Clone, Copy)]
struct Watch<'a> {
    clock: Clock<'a>,
    /// The number of deals produced so far; `None` if the machine itself has it.
    produced: Option<&'a AtomicU64>,
}

/// A subroutine that has not returned yet.
struct Call {
    node: NodeId,
    /// Whether the value of the subroutine is cached.
    remembered: bool,
    /// Address of the subroutine's code, and the return address.
    start: usize,
    back: usize,
}

/// Cached results for a deal: tricks and `opc`.
#[derive(Clone, Debug, Default)]
pub struct DealFacts {
    tricks: DealCache,
    opc: [Option<Opc>; 2],
}

impl DealFacts {
    /// Creates an empty cache.
    #[must_use]
    pub fn new() -> Self {
        DealFacts::default()
    }

    /// Creates a cache with all double-dummy results.
    #[must_use]
    pub fn with_tricks(table: impl Borrow<TrickTable>) -> Self {
        DealFacts {
            tricks: DealCache::from(table.borrow()),
            opc: [None; 2],
        }
    }

    /// Returns whether `opc` was evaluated for the side. DealerV2 then sorts the hands of that side, which affects its
    /// next shuffle.
    #[must_use]
    pub fn has_evaluated_opc(&self, side: Side) -> bool {
        self.opc[side.index()].is_some()
    }
}

/// Evaluates compiled expressions on one deal after another.
pub struct Machine<'a> {
    prepared: &'a PreparedPlan<'a>,
    program: &'a Program,
    stack: Vec<i32>,
    calls: Vec<Call>,
    watch: Option<Watch<'a>>,
    /// Steps until the next check of the clock.
    steps_left: usize,
    /// Cached values with the number of the deal they belong to.
    memory: Vec<(u64, i32)>,
    epoch: u64,
    deal: Deal,
    produced: u64,
    facts: DealFacts,
    solver: Option<Solver>,
    call_counts: SolverCalls,
    /// The tricks for each lead in the deal with that number, for each declarer and strain requested so far.
    leads: (u64, Vec<(Seat, Strain, Leads)>),
    /// Number of the deal, from 0.
    number: u64,
    user: Option<Box<dyn Evaluator>>,
    auctions: Option<AuctionCache<'a>>,
    /// The last evaluation of each side: deal and tag, and its results. Scripts often use several of them.
    results: [Option<(u64, i32, Box<MetricResults>)>; 2],
}

impl<'a> Machine<'a> {
    /// Creates a machine for the expressions compiled in `program`.
    #[must_use]
    pub fn new(prepared: &'a PreparedPlan<'a>, program: &'a Program) -> Self {
        Machine {
            prepared,
            program,
            stack: Vec::new(),
            calls: Vec::new(),
            watch: None,
            steps_left: STEPS_PER_CLOCK_CHECK,
            memory: vec![(0, 0); prepared.plan.nodes.len()],
            epoch: 0,
            deal: prepared::any_deal(),
            produced: 0,
            facts: DealFacts::new(),
            solver: None,
            call_counts: SolverCalls::default(),
            leads: (0, Vec::new()),
            number: 0,
            user: None,
            auctions: prepared.auctions.map(AuctionCache::new),
            results: [None, None],
        }
    }

    /// Makes evaluations end with [`EvaluationError::Interrupted`] when the clock requires it. `produced` is the number
    /// of deals produced so far, if it is not passed with each deal.
    pub(crate) fn with_clock(self, clock: Clock<'a>, produced: Option<&'a AtomicU64>) -> Self {
        Machine {
            watch: Some(Watch { clock, produced }),
            ..self
        }
    }

    /// Sets the current deal, its number (from 0) and how many deals were produced so far.
    pub fn set_deal(&mut self, deal: Deal, facts: DealFacts, number: u64, produced: u64) {
        self.epoch += 1;
        self.number = number;
        self.deal = deal;
        self.facts = facts;
        self.produced = produced;
    }

    /// Sets the number of produced deals. The cached values stay valid, because only draws can depend on it.
    pub fn set_produced(&mut self, produced: u64) {
        self.produced = produced;
    }

    /// Returns the cached results of the current deal.
    #[must_use]
    pub fn facts(&self) -> &DealFacts {
        &self.facts
    }

    /// Takes the cached results of the current deal, to be restored later.
    pub fn take_facts(&mut self) -> DealFacts {
        std::mem::take(&mut self.facts)
    }

    /// Returns the call counts of the expensive functions since the last call.
    pub fn take_calls(&mut self) -> SolverCalls {
        std::mem::take(&mut self.call_counts)
    }

    /// Returns the tricks of a declarer in the current deal.
    ///
    /// # Errors
    /// If the run has to end before they are known. This holds for all methods that use the solver.
    pub fn tricks(&mut self, declarer: Seat, strain: Strain) -> Result<i32, EvaluationError> {
        let known = self.facts.tricks.known(declarer, strain).is_some();
        self.call_counts.tricks.note(known);
        let tricks = self.solve(|known, solver, deal| known.tricks(solver, deal, declarer, strain));
        tricks.map(i32::from)
    }

    /// Calls the solver for the current deal. If it is interrupted, the cached results of the deal are discarded.
    fn solve<T>(
        &mut self,
        work: impl FnOnce(&mut DealCache, &mut Solver, &Deal) -> T,
    ) -> Result<T, EvaluationError> {
        let memory = self.prepared.solver_memory;
        let solver = self
            .solver
            .get_or_insert_with(|| Solver::with_memory(memory));
        let (known, deal) = (&mut self.facts.tricks, &self.deal);
        let Some(Watch { clock, produced }) = self.watch else {
            return Ok(work(known, solver, deal));
        };
        let produced = produced.map_or(self.produced, |count| count.load(Ordering::Acquire));
        let done = solver.with_deadline(clock.flag(), clock.deadline(produced), |solver| {
            work(known, solver, deal)
        });
        done.ok_or(EvaluationError::Interrupted)
    }

    /// Counts steps, and checks the clock after every [`STEPS_PER_CLOCK_CHECK`] of them.
    #[inline]
    fn spend(&mut self, steps: usize) -> Result<(), EvaluationError> {
        match self.steps_left.checked_sub(steps) {
            Some(left) => {
                self.steps_left = left;
                Ok(())
            }
            None => self.check_clock(),
        }
    }

    #[cold]
    fn check_clock(&mut self) -> Result<(), EvaluationError> {
        self.steps_left = STEPS_PER_CLOCK_CHECK;
        let Some(Watch { clock, produced }) = self.watch else {
            return Ok(());
        };
        let produced = produced.map_or(self.produced, |count| count.load(Ordering::Acquire));
        match clock.stop(produced) {
            Some(_) => Err(EvaluationError::Interrupted),
            None => Ok(()),
        }
    }

    /// Returns the tricks of a declarer in the current deal after the lead of `card`, or after the best lead if it is
    /// `None`.
    fn lead_tricks(
        &mut self,
        declarer: Seat,
        strain: Strain,
        card: Option<Card>,
    ) -> Result<i32, EvaluationError> {
        let Some(card) = card else {
            return self.tricks(declarer, strain);
        };
        if self.leads.0 != self.epoch {
            self.leads = (self.epoch, Vec::new());
        }
        let is_requested =
            |(seat, trumps, _): &&(Seat, Strain, Leads)| (*seat, *trumps) == (declarer, strain);
        let found = self
            .leads
            .1
            .iter()
            .find(is_requested)
            .map(|(.., leads)| leads.tricks(card));
        self.call_counts.tricks.note(found.is_some());
        let tricks = match found {
            Some(tricks) => tricks,
            None => {
                let leads = self.solve(|_, solver, deal| solver.leads(deal, declarer, strain))?;
                let tricks = leads.tricks(card);
                self.leads.1.push((declarer, strain, leads));
                tricks
            }
        };
        // The leader cannot lead a card of another hand: the value is 0.
        Ok(tricks.map_or(0, |defence| 13 - i32::from(defence)))
    }

    /// Returns all twenty double-dummy results of the current deal.
    ///
    /// # Errors
    /// As [`tricks`](Self::tricks).
    pub fn table(&mut self) -> Result<TrickTable, EvaluationError> {
        let all = Seat::ALL
            .into_iter()
            .flat_map(|seat| Strain::ALL.map(|strain| (seat, strain)));
        let known = |(seat, strain)| self.facts.tricks.known(seat, strain).is_some();
        self.call_counts.tricks.note(all.into_iter().all(known));
        self.known_table()
    }

    /// Returns the results after an earlier call of [`table`](Self::table), without counting a call.
    pub(crate) fn known_table(&mut self) -> Result<TrickTable, EvaluationError> {
        self.solve(|known, solver, deal| known.table(solver, deal))
    }

    /// Returns the double-dummy results of some declarers in all strains, 0 for the others.
    ///
    /// # Errors
    /// As [`tricks`](Self::tricks).
    pub fn rows(&mut self, declarers: SeatSet) -> Result<TrickTable, EvaluationError> {
        self.solve(|known, solver, deal| known.rows(solver, deal, declarers))
    }

    /// Solves these declarers of the current deal, by strain: the declarers of a strain share most of the search.
    ///
    /// # Errors
    /// As [`tricks`](Self::tricks).
    pub fn solve_together(&mut self, wanted: &[SeatSet; 5]) -> Result<(), EvaluationError> {
        if *wanted == [SeatSet::ALL; 5] {
            // Solving in advance does not count as a call: later calls use the results.
            let made = self.call_counts.tricks.made;
            self.table()?;
            self.call_counts.tricks.made = made;
            return Ok(());
        }
        for (strain, &declarers) in Strain::ALL.into_iter().zip(wanted) {
            if !declarers.is_empty() {
                let unknown = |seat: &Seat| self.facts.tricks.known(*seat, strain).is_none();
                let unknown = declarers.iter().filter(unknown).count();
                self.call_counts.tricks.computed += unknown as u64;
                self.solve(|known, solver, deal| known.solve(solver, deal, declarers, strain))?;
            }
        }
        Ok(())
    }

    /// Returns the value of an expression on the current deal.
    ///
    /// # Panics
    /// If the expression is not among those the program was compiled for.
    pub fn evaluate(
        &mut self,
        node: NodeId,
        random: &mut dyn Randomness,
    ) -> Result<i32, EvaluationError> {
        let entry = self.program.entry(node);
        self.stack.clear();
        self.calls.clear();
        self.execute(entry.expect("the expression was compiled"), random)
    }

    fn execute(
        &mut self,
        entry: usize,
        random: &mut dyn Randomness,
    ) -> Result<i32, EvaluationError> {
        let program = self.program;
        let target = |label: u32| program.labels[label as usize] as usize;
        let constant = random.is_constant();
        let mut at = entry;
        loop {
            let step = program.steps[at];
            at += 1;
            match step {
                Step::Constant(value) => self.stack.push(value),
                Step::Leaf(node) => {
                    let value = self.leaf(node)?;
                    self.stack.push(value);
                }
                Step::Call {
                    node,
                    routine,
                    pure,
                } => {
                    let (epoch, value) = self.memory[node.index()];
                    let remembered = pure || constant;
                    if remembered && epoch == self.epoch {
                        self.stack.push(value);
                    } else {
                        let start = target(routine);
                        self.calls.push(Call {
                            node,
                            remembered,
                            start,
                            back: at,
                        });
                        at = start;
                    }
                }
                Step::Return => {
                    let call = self.calls.pop().expect("calls and returns match");
                    if call.remembered {
                        self.memory[call.node.index()] = (self.epoch, self.top());
                    }
                    self.spend(at - call.start)?;
                    at = call.back;
                }
                Step::Stop => {
                    self.spend(at - entry)?;
                    return Ok(self.take());
                }
                Step::Binary { op, node } => {
                    let right = self.take();
                    let left = self.take();
                    self.stack.push(binary(op, left, right, node)?);
                }
                Step::Not => self.change(|x| i32::from(x == 0)),
                Step::Negate => self.change(i32::wrapping_neg),
                Step::Abs => self.change(i32::wrapping_abs),
                Step::JumpIfZero(label) => {
                    if self.take() == 0 {
                        at = target(label);
                    }
                }
                Step::JumpUnlessZero(label) => {
                    if self.take() != 0 {
                        at = target(label);
                    }
                }
                Step::Jump(label) => at = target(label),
                Step::Draw => {
                    let n = self.take();
                    self.stack.push(random.draw(n));
                }
                Step::ProducedIfZero(label) | Step::ProducedIfZeroElseKeep(label) => {
                    let n = self.take();
                    if n == 0 {
                        self.stack.push(self.produced as i32);
                        at = target(label);
                    } else if matches!(step, Step::ProducedIfZeroElseKeep(_)) {
                        self.stack.push(n);
                    }
                }
                Step::Score {
                    contract,
                    vulnerable,
                } => {
                    self.change(|tricks| contract.score(vulnerable, tricks));
                }
                Step::Imps => {
                    let count = self.prepared.imps;
                    self.change(count);
                }
            }
        }
    }

    fn take(&mut self) -> i32 {
        self.stack.pop().expect("the compiler balances the stack")
    }

    fn top(&self) -> i32 {
        *self.stack.last().expect("the compiler balances the stack")
    }

    fn change(&mut self, f: impl Fn(i32) -> i32) {
        let x = self.take();
        self.stack.push(f(x));
    }

    /// Returns the value of a node without operands.
    fn leaf(&mut self, id: NodeId) -> Result<i32, EvaluationError> {
        let prepared = self.prepared;
        let hand = |seat: Seat| self.deal.hand(seat);
        Ok(match *prepared.plan.node(id) {
            Node::Constant(value) => value,
            Node::Length(seat, suit) => hand(seat).holding(suit).len() as i32,
            Node::Count {
                counter,
                seat,
                suit,
            } => prepared.count(counter, hand(seat), suit),
            Node::Losers { rule, seat, suit } => prepared.losers(rule, hand(seat), suit),
            Node::HasCard(seat, card) => i32::from(hand(seat).contains(card)),
            Node::Shape(seat, set) => i32::from(prepared.has_shape(hand(seat), set)),
            Node::HandValue { rule, seat, suit } => prepared.hand_value(rule, hand(seat), suit),
            Node::Estimate(seat, strain) => solver::estimate(&self.deal, seat.side(), strain),
            Node::Opc(side, strain) => {
                let opc = self.opc(side);
                strain.map_or_else(|| opc.longest(), |strain| opc.strain(strain))
            }
            Node::UserEval {
                tag,
                subject,
                strain,
                index,
            } => self.user(&UserQuery {
                tag,
                subject,
                strain,
                index,
            })?,
            Node::Tricks(seat, strain) => self.tricks(seat, strain)?,
            Node::LeadTricks(seat, strain, card) => self.lead_tricks(seat, strain, card)?,
            Node::TricksAtLeast(seat, strain, tricks) => {
                let bounds = self.facts.tricks.bounds(seat, strain);
                self.call_counts
                    .tricks
                    .note(bounds.at_least(tricks).is_some());
                let enough = self.solve(|known, solver, deal| {
                    known.at_least(solver, deal, seat, strain, tricks)
                });
                i32::from(enough?)
            }
            Node::Par(side, vulnerability) => self.par(side, vulnerability)?,
            Node::Auction(ref query) => self.auction(query)?,
            Node::Score { .. }
            | Node::Imps(_)
            | Node::Rnd(_)
            | Node::Not(_)
            | Node::Negate(_)
            | Node::Abs(_)
            | Node::Binary { .. }
            | Node::And(_)
            | Node::Or(_)
            | Node::Choose { .. } => unreachable!("nodes with operands are compiled to steps"),
        })
    }

    fn opc(&mut self, side: Side) -> Opc {
        let opener = self.prepared.opener;
        let deal = &self.deal;
        self.call_counts
            .opc
            .note(self.facts.opc[side.index()].is_some());
        *self.facts.opc[side.index()]
            .get_or_insert_with(|| valuation::opc(&HandPair::of(deal, side, opener)))
    }

    fn user(&mut self, query: &UserQuery) -> Result<i32, EvaluationError> {
        let slot = query.slot().ok_or_else(|| {
            EvaluationError::User(format!("usereval: result {} is out of range", query.index))
        })?;
        let side = query.side().index();
        if let Some((epoch, tag, results)) = &self.results[side]
            && (*epoch, *tag) == (self.epoch, query.tag)
        {
            self.call_counts.user.note(true);
            return Ok(results[slot]);
        }
        self.call_counts.user.note(false);
        let results = self
            .evaluate_user(query)
            .map_err(|error| EvaluationError::User(error.to_string()))?;
        self.results[side] = Some((self.epoch, query.tag, Box::new(results)));
        Ok(results[slot])
    }

    fn evaluate_user(&mut self, query: &UserQuery) -> Result<MetricResults, UserMetricError> {
        let evaluator = match &mut self.user {
            Some(evaluator) => evaluator,
            none => none.insert(self.prepared.user_metrics().evaluator()?),
        };
        let request = MetricRequest {
            tables: &self.prepared.count_tables,
            ..MetricRequest::new(query.tag, &self.deal, query.side())
        };
        if !self.prepared.user_metrics().needs_further_data() {
            return evaluator.evaluate(&request);
        }
        let tricks =
            Seat::ALL.map(|seat| Strain::ALL.map(|strain| self.facts.tricks.known(seat, strain)));
        evaluator.evaluate(&MetricRequest {
            seat: query.seat(),
            suit: query.strain.and_then(Strain::suit),
            index: query.index,
            generated: Some(self.number + 1),
            produced: self.produced,
            shape_terms: self.prepared.shape_terms(&self.deal),
            opc: self.facts.opc,
            tricks: Some(&tricks),
            ..request
        })
    }

    /// Returns the value of a query about the auction of the current deal.
    fn auction(&mut self, query: &AuctionQuery) -> Result<i32, EvaluationError> {
        self.check_clock()?;
        let (epoch, deal) = (self.epoch, &self.deal);
        let cache = self.auctions.as_mut().ok_or(EvaluationError::NoRobots)?;
        self.call_counts.auctions.note(cache.knows(epoch));
        let vulnerability = cache.vulnerability();
        let auction = cache.auction(epoch, deal)?;
        let AuctionQuery::Score(side) = *query else {
            return Ok(auctions::value(query, auction));
        };
        let Some(declared) = auction.declared() else {
            return Ok(0);
        };
        let tricks = self.tricks(declared.declarer, declared.contract.strain)?;
        Ok(declared.score(tricks as u8, vulnerability, side))
    }

    fn par(
        &mut self,
        side: Side,
        vulnerability: Option<Vulnerability>,
    ) -> Result<i32, EvaluationError> {
        self.call_counts.par += 1;
        let vulnerability = vulnerability.unwrap_or(self.prepared.par_vulnerability);
        let score = solver::par::score_when_first(&self.table()?, vulnerability, Side::NorthSouth);
        Ok(match side {
            Side::NorthSouth => score,
            Side::EastWest => -score,
        })
    }
}

/// Applies an operator that evaluates both operands, with its 32-bit meaning.
pub(crate) fn binary(
    op: BinaryOp,
    left: i32,
    right: i32,
    node: NodeId,
) -> Result<i32, EvaluationError> {
    Ok(match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
            return Err(EvaluationError::DivisionByZero(node));
        }
        BinaryOp::Divide | BinaryOp::Remainder if left == i32::MIN && right == -1 => {
            return Err(EvaluationError::DivisionOverflow(node));
        }
        BinaryOp::Divide => left / right,
        BinaryOp::Remainder => left % right,
        BinaryOp::Equal => i32::from(left == right),
        BinaryOp::NotEqual => i32::from(left != right),
        BinaryOp::Less => i32::from(left < right),
        BinaryOp::LessEqual => i32::from(left <= right),
        BinaryOp::Greater => i32::from(left > right),
        BinaryOp::GreaterEqual => i32::from(left >= right),
    })
}
