//! Playouts: declarer chooses every card without sight of the defenders' cards, the defenders play double dummy.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use cards::{Card, CardSet, Deal};
use engine::parallel;
use solver::{Position, Solver};
use studies::{DeclaredContract, Estimate, StudyExecution, StudyProgress};

use crate::layouts::LayoutSource;
use crate::plan::{PlanOptions, PlayPlanError, choose};
use crate::question::PlayQuestion;
use crate::search::takes;

/// Decisions are kept for plays of at most this number of cards: later plays hardly occur twice.
const KEPT_CARDS: usize = 12;

/// The options of playouts.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutOptions {
    /// Options of each decision.
    pub plan: PlanOptions,
}

impl Default for PlayoutOptions {
    fn default() -> PlayoutOptions {
        PlayoutOptions {
            plan: PlanOptions {
                depth: 1,
                worlds: 20,
                exact_cards: 4,
            },
        }
    }
}

/// Processor time of a playout, in seconds for each world of a decision, by depth. Measured on random contracts, see
/// docs/dev/single-dummy.md.
const SECONDS_PER_WORLD: [f64; 2] = [0.008, 0.012];

impl PlayoutOptions {
    /// Returns the expected processor time of `playouts` playouts in seconds. It is that of a fast desktop core; different
    /// contracts need different times.
    #[must_use]
    pub fn expected_seconds(&self, playouts: usize) -> f64 {
        let depth = self.plan.depth.clamp(1, SECONDS_PER_WORLD.len());
        // Each further card of depth multiplies the work by about four.
        let deeper = 4f64.powi(self.plan.depth.saturating_sub(depth) as i32);
        SECONDS_PER_WORLD[depth - 1] * deeper * self.plan.worlds as f64 * playouts as f64
    }
}

/// Results of playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playouts {
    /// Number of deals played.
    pub deals: u64,
    /// Number of deals on which declarer made the contract.
    pub made: u64,
    /// Number of deals on which the contract makes double dummy.
    pub made_double_dummy: u64,
}

impl Playouts {
    /// Returns the share of deals on which declarer made the contract.
    #[must_use]
    pub fn share(&self) -> Estimate {
        Estimate::proportion(self.made, self.deals)
    }

    /// Returns the share of deals on which the contract makes double dummy.
    #[must_use]
    pub fn double_dummy_share(&self) -> Estimate {
        Estimate::proportion(self.made_double_dummy, self.deals)
    }

    fn add(&mut self, (made, double_dummy): (bool, bool)) {
        self.deals += 1;
        self.made += u64::from(made);
        self.made_double_dummy += u64::from(double_dummy);
    }
}

/// Plays the question on each of `deals` to the end, and counts how often the contract makes. Declarer expects layouts of
/// `source`; deals that contradict the question are left out. A cancelled call returns the deals played so far.
///
/// # Errors
/// If an option is out of range, or the source has no layouts.
pub fn play_out(
    question: &PlayQuestion,
    deals: &[Deal],
    source: &dyn LayoutSource,
    options: &PlayoutOptions,
    execution: StudyExecution<'_>,
) -> Result<Playouts, PlayPlanError> {
    let kept = Mutex::new(HashMap::new());
    let admitted = deals.iter().filter(|deal| question.admits(deal));
    run(
        admitted,
        |_| question.clone(),
        Some(&kept),
        source,
        options,
        execution,
    )
}

/// Plays a contract on each of `deals` to the end; declarer's hands may differ from deal to deal.
///
/// # Errors
/// As [`play_out`].
pub fn play_out_deals(
    declared: DeclaredContract,
    deals: &[Deal],
    source: &dyn LayoutSource,
    options: &PlayoutOptions,
    execution: StudyExecution<'_>,
) -> Result<Playouts, PlayPlanError> {
    let dummy = declared.declarer.partner();
    let hands = |deal: &Deal| (deal.hand(declared.declarer), deal.hand(dummy));
    let is_one_question = deals.windows(2).all(|two| hands(&two[0]) == hands(&two[1]));
    let kept = Mutex::new(HashMap::new());
    let question = |deal: &Deal| PlayQuestion::of_deal(declared, deal);
    let kept = is_one_question.then_some(&kept);
    run(deals.iter(), question, kept, source, options, execution)
}

/// Cards that declarer chose after plays of the same question. A choice depends on the play alone, so that it does not
/// matter which deal it was made on.
type KeptChoices = Mutex<HashMap<Vec<Card>, Card>>;

fn run<'d>(
    deals: impl Iterator<Item = &'d Deal> + Send,
    question: impl Fn(&Deal) -> PlayQuestion + Sync,
    kept: Option<&KeptChoices>,
    source: &dyn LayoutSource,
    options: &PlayoutOptions,
    execution: StudyExecution<'_>,
) -> Result<Playouts, PlayPlanError> {
    options.plan.check()?;
    let StudyExecution {
        threads,
        solver_memory,
        cancel,
        mut progress,
    } = execution;
    let is_cancelled = || cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let worker = || Player {
        source,
        options: &options.plan,
        kept,
        solvers: Vec::new(),
        defender: Solver::with_memory(solver_memory),
        memory: solver_memory,
    };
    let work =
        |player: &mut Player<'_>, deal: &Deal| player.play(question(deal), deal, &is_cancelled);
    let mut playouts = Playouts::default();
    let sink = |result: Result<Option<(bool, bool)>, PlayPlanError>| match result {
        Ok(Some(result)) => {
            playouts.add(result);
            let done = playouts.deals as usize;
            if let Some(progress) = &mut progress {
                progress(StudyProgress {
                    solved: done,
                    screened: done,
                });
            }
            ControlFlow::Continue(())
        }
        Ok(None) => ControlFlow::Break(None),
        Err(error) => ControlFlow::Break(Some(error)),
    };
    match parallel::ordered_map(threads, deals, worker, work, sink) {
        ControlFlow::Break(Some(error)) => Err(error),
        ControlFlow::Break(None) | ControlFlow::Continue(()) => Ok(playouts),
    }
}

/// Returns the card of a defender among those that are best double dummy.
///
/// Double dummy many cards are equal because every queen is found. Of these the defender avoids a lead from an honour that
/// declarer would have to find, and a discard that leaves an honour without its guards. Then the lowest card is played.
fn defenders_card(position: &Position, best: CardSet) -> Option<Card> {
    let seat = position.to_play();
    let hand = position.hands()[seat.index()];
    let declaring = [seat.next(), seat.next().partner()];
    let is_following = |card: Card| {
        let led = position.trick().first();
        led.is_some_and(|led| led.suit() == card.suit())
    };
    let gives_away = |card: Card| {
        let holding = hand & CardSet::of_suit(card.suit());
        let Some(highest) = holding.iter().next() else {
            return false;
        };
        let theirs = declaring.into_iter().fold(CardSet::EMPTY, |all, seat| {
            all | position.hands()[seat.index()]
        });
        let theirs = theirs & CardSet::of_suit(card.suit());
        let above = theirs.iter().filter(|other| other.rank() > highest.rank());
        let (above, below) = (above.clone().count(), theirs.len() - above.count());
        // An honour that declarer can capture but not ignore: some of declarer's cards are above it and some below.
        let is_target = above > 0 && below > 0 && holding.len() > above;
        match position.trick().is_empty() {
            true => is_target,
            false => is_target && holding.len() == above + 1,
        }
    };
    best.iter().min_by_key(|&card| {
        let cost = !is_following(card) && gives_away(card);
        (cost, card.rank(), card.suit())
    })
}

/// Plays deals, with solvers that are kept from one deal to the next.
struct Player<'a> {
    source: &'a dyn LayoutSource,
    options: &'a PlanOptions,
    kept: Option<&'a KeptChoices>,
    /// A solver for each world of a decision.
    solvers: Vec<Solver>,
    defender: Solver,
    memory: u32,
}

impl Player<'_> {
    /// Plays a deal. Returns whether the contract made, and whether it makes double dummy; `None` if cancelled.
    fn play(
        &mut self,
        mut question: PlayQuestion,
        deal: &Deal,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<(bool, bool)>, PlayPlanError> {
        let mut position = question.position(deal);
        let side = question.declared().declarer.side();
        let need = question.tricks_needed();
        let double_dummy = takes(&mut self.defender, &position, side, need);
        while question.tricks_needed() > 0
            && usize::from(question.tricks_needed()) <= question.tricks_left()
        {
            if is_cancelled() {
                return Ok(None);
            }
            let card = match question.is_declarers_turn() {
                true => self.declarers_card(&question, is_cancelled)?,
                false => {
                    let best = self.defender.choices(&position).best_cards();
                    defenders_card(&position, best)
                }
            };
            let Some(card) = card else {
                return Ok(None);
            };
            question.play(card).expect("the card is legal");
            position.play(card).expect("the card is legal");
        }
        Ok(Some((question.tricks_needed() == 0, double_dummy)))
    }

    fn declarers_card(
        &mut self,
        question: &PlayQuestion,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Card>, PlayPlanError> {
        let kept = self.kept.filter(|_| question.played().len() <= KEPT_CARDS);
        if let Some(kept) = kept {
            let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(&card) = kept.get(question.played()) {
                return Ok(Some(card));
            }
        }
        if let [only] = question.choices()[..] {
            return Ok(Some(crate::equal_cards::lowest(only)));
        }
        let count = self.options.layouts_needed(question);
        let layouts = self.source.layouts(question, count);
        let layouts = layouts.map_err(PlayPlanError::Layouts)?;
        let card = choose(
            question,
            &layouts,
            self.options,
            &mut self.solvers,
            self.memory,
            is_cancelled,
        );
        if let (Some(kept), Some(card)) = (kept, card) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.insert(question.played().to_vec(), card);
        }
        Ok(card)
    }
}
