//! The public interface of the search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cards::{CardSet, Deal, Seat, Strain, TrickTable};

use crate::choice::{Choice, Choices, OptimalPlay};
use crate::engine::{self, Engine, from_search};
use crate::equal_strains::EqualStrain;
use crate::guess;
use crate::lead::Leads;
use crate::position::Position;
use crate::search::{Cards, Start, sequence_tops};

/// Memory limit of a solver unless another one is given, in megabytes.
pub const DEFAULT_MEMORY: u32 = 256;

/// Smallest memory limit of a solver, in megabytes.
pub const MIN_MEMORY: u32 = 2;

/// A double-dummy solver. Create one for each thread.
///
/// A solver is a plain value. Creating one takes microseconds. Its memory grows with the deal (about a megabyte for
/// most deals), is reused for the next search, and never exceeds the limit. Results do not depend on the limit, on
/// earlier searches, or on the machine.
pub struct Solver {
    pub(crate) engine: Box<Engine>,
    /// Strain and hands that the engine's tables belong to.
    loaded: Option<(Strain, [Cards; 4])>,
    /// Whether the tables are kept for other hands in the same strain.
    keeps_tables: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatSet([bool; 4]);

impl SeatSet {
    /// All four seats.
    pub const ALL: SeatSet = SeatSet([true; 4]);

    /// No seat.
    pub const NONE: SeatSet = SeatSet([false; 4]);

    /// Creates a set of one seat.
    #[must_use]
    pub fn of(seat: Seat) -> SeatSet {
        [seat].into_iter().collect()
    }

    /// Returns whether the set contains a seat.
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0[seat as usize]
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == SeatSet::NONE
    }

    /// Returns the seats, North first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::ALL
            .into_iter()
            .filter(move |&seat| self.contains(seat))
    }
}

impl std::ops::BitOrAssign for SeatSet {
    fn bitor_assign(&mut self, other: SeatSet) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine |= theirs;
        }
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::default();
        for seat in seats {
            set.0[seat.index()] = true;
        }
        set
    }
}

/// Order of the leaders of a strain in which each result is the best guess for the next.
pub(crate) const LEADERS: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

impl Solver {
    /// Creates a solver with [`DEFAULT_MEMORY`].
    #[must_use]
    pub fn new() -> Self {
        Solver::with_memory(DEFAULT_MEMORY)
    }

    /// Creates a solver that uses at most `megabytes` of memory, but at least [`MIN_MEMORY`].
    #[must_use]
    pub fn with_memory(megabytes: u32) -> Self {
        Solver::with_engine(megabytes, false)
    }

    /// Creates a solver that uses no special instructions, as on machines without BMI2 and AVX2. Its results are the
    /// same.
    #[must_use]
    pub fn portable(megabytes: u32) -> Self {
        Solver::with_engine(megabytes, true)
    }

    fn with_engine(megabytes: u32, portable: bool) -> Self {
        let bytes = (megabytes.max(MIN_MEMORY) as usize).saturating_mul(1 << 20);
        Solver {
            engine: Box::new(Engine::new(bytes, portable)),
            loaded: None,
            keeps_tables: false,
        }
    }

    /// Returns the number of positions searched so far: positions at the start of a trick that neither the table nor a
    /// static rule decided. This measure of work does not depend on the load of the machine.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        self.engine.expanded()
    }

    /// Runs `work` with this solver. Stops within milliseconds and returns `None` if `stop` becomes true before it is
    /// done.
    ///
    /// ```
    /// use std::sync::{Arc, atomic::AtomicBool};
    /// # let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432".parse()?;
    /// let mut solver = croupier_solver::Solver::new();
    /// let stop = Arc::new(AtomicBool::new(false));
    /// assert!(solver.with_cancellation(&stop, |solver| solver.table(&deal)).is_some());
    /// stop.store(true, std::sync::atomic::Ordering::Relaxed);
    /// assert!(solver.with_cancellation(&stop, |solver| solver.table(&deal)).is_none());
    /// # Ok::<(), cards::NotationError>(())
    /// ```
    pub fn with_cancellation<T>(
        &mut self,
        stop: &Arc<AtomicBool>,
        work: impl FnOnce(&mut Solver) -> T,
    ) -> Option<T> {
        let done = self.with_deadline(Some(stop), None, work);
        done.filter(|_| !stop.load(Ordering::Relaxed))
    }

    /// Runs `work` with this solver. Stops within milliseconds and returns `None` if `stop` becomes true or `deadline`
    /// passes before it is done.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// # let hard = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962".parse()?;
    /// let mut solver = croupier_solver::Solver::new();
    /// let deadline = Instant::now() + Duration::from_millis(10);
    /// assert!(solver.with_deadline(None, Some(deadline), |solver| solver.table(&hard)).is_none());
    /// # Ok::<(), cards::NotationError>(())
    /// ```
    pub fn with_deadline<T>(
        &mut self,
        stop: Option<&Arc<AtomicBool>>,
        deadline: Option<Instant>,
        work: impl FnOnce(&mut Solver) -> T,
    ) -> Option<T> {
        self.engine.stop_when(stop.cloned(), deadline);
        let done = work(self);
        let stopped = self.engine.was_stopped();
        self.engine.stop_when(None, None);
        if stopped {
            self.loaded = None;
            return None;
        }
        Some(done)
    }

    /// Sets whether the tables are kept when other hands are solved in the same strain. Results never depend on it.
    pub(crate) fn keep_tables(&mut self, keep: bool) {
        self.keeps_tables = keep;
    }

    /// Clears all tables, so that the next searches visit as many positions as with a new solver. Results never depend
    /// on earlier searches, but whether one arrives within a [position limit](Solver::with_position_limit) does.
    pub fn forget(&mut self) {
        self.engine.forget();
        self.loaded = None;
    }

    /// Runs `work` with this solver. Stops and returns `None` when it has searched `positions`
    /// [positions](Solver::positions_searched).
    ///
    /// ```
    /// # use cards::{Deal, Seat, Strain};
    /// let deal: Deal = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962".parse()?;
    /// let mut solver = croupier_solver::Solver::new();
    /// let mut enough = |tricks| {
    ///     solver.with_position_limit(300, |solver| solver.at_least(&deal, Seat::South, Strain::Notrump, tricks))
    /// };
    /// assert_eq!(enough(13), Some(false));
    /// assert_eq!(enough(7), None);
    /// # Ok::<(), cards::NotationError>(())
    /// ```
    pub fn with_position_limit<T>(
        &mut self,
        positions: u64,
        work: impl FnOnce(&mut Solver) -> T,
    ) -> Option<T> {
        self.engine.stop_after(Some(positions));
        let done = work(self);
        if self.engine.stop_after(None) {
            self.loaded = None;
            return None;
        }
        Some(done)
    }

    /// Returns the tricks of `declarer` when the hand to the left leads.
    #[must_use]
    pub fn tricks(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> u8 {
        let row = self.results(deal, strain, SeatSet::of(declarer));
        row[declarer.index()].unwrap_or(0)
    }

    /// Returns whether `declarer` takes at least `tricks`. Costs a fraction of the count.
    #[must_use]
    pub fn at_least(&mut self, deal: &Deal, declarer: Seat, strain: Strain, tricks: u8) -> bool {
        match tricks {
            0 => true,
            1..=13 => {
                let start = self.load(&Position::opening(deal, declarer, strain));
                let tricks = i32::from(tricks);
                match declarer.index() & 1 {
                    0 => self.reaches(strain, &start, tricks),
                    _ => !self.reaches(strain, &start, 14 - tricks),
                }
            }
            _ => false,
        }
    }

    /// Returns the results of all four declarers in one strain, North first.
    ///
    /// They share one transposition table: four together cost about as much as two solved separately.
    #[must_use]
    pub fn strain(&mut self, deal: &Deal, strain: Strain) -> [u8; 4] {
        self.results(deal, strain, SeatSet::ALL)
            .map(|tricks| tricks.unwrap_or(0))
    }

    /// Returns the results of some declarers in one strain, North first; `None` for the others.
    #[must_use]
    pub fn results(&mut self, deal: &Deal, strain: Strain, declarers: SeatSet) -> [Option<u8>; 4] {
        let mut guess = guess::north_south(deal, strain).round() as i32;
        let mut row = [None; 4];
        for leader in LEADERS {
            let declarer = leader.clockwise(3);
            if !declarers.contains(declarer) {
                continue;
            }
            guess = self.led_by(deal, leader, strain, guess);
            row[declarer.index()] = Some(for_north_south(declarer, guess as u8, 13));
        }
        row
    }

    /// Returns the tricks of North-South when `leader` leads. The search is fastest if they are near `guess`.
    pub(crate) fn led_by(&mut self, deal: &Deal, leader: Seat, strain: Strain, guess: i32) -> i32 {
        let start = self.load(&Position::opening(deal, leader.clockwise(3), strain));
        self.count(strain, &start, guess)
    }

    /// Returns all twenty results.
    #[must_use]
    pub fn table(&mut self, deal: &Deal) -> TrickTable {
        let mut table = TrickTable::default();
        let equal_strains = EqualStrain::of(deal);
        for strain in Strain::ALL.into_iter().rev() {
            if let Some(equal) = equal_strains[strain.index()] {
                equal.copy(strain, &mut table);
                continue;
            }
            for (seat, tricks) in Seat::ALL.into_iter().zip(self.strain(deal, strain)) {
                table.set(seat, strain, tricks);
            }
        }
        table
    }

    /// Returns the tricks after each opening lead of the hand to the left of `declarer`, best first.
    #[must_use]
    pub fn leads(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> Leads {
        let guess = guess::north_south(deal, strain).round() as i32;
        let position = Position::opening(deal, declarer, strain);
        self.choices_near(&position, guess).into()
    }

    /// Returns the opening leads after which the defence takes at least `tricks`, equal cards included.
    ///
    /// Much cheaper than [`Solver::leads`] if you only need to know which leads beat a contract.
    #[must_use]
    pub fn leads_taking(
        &mut self,
        deal: &Deal,
        declarer: Seat,
        strain: Strain,
        tricks: u8,
    ) -> CardSet {
        match tricks {
            0 => deal.hand(declarer.next()),
            1..=13 => {
                let position = Position::opening(deal, declarer, strain);
                self.cards_taking(&position, i32::from(tricks))
            }
            _ => CardSet::EMPTY,
        }
    }

    /// Returns the tricks of North-South from a position on, the current trick included.
    #[must_use]
    pub fn north_south(&mut self, position: &Position) -> u8 {
        self.north_south_near(position, position.tricks_left() as i32 / 2)
    }

    /// Returns the tricks of North-South. The search is fastest if they are near `guess`.
    pub(crate) fn north_south_near(&mut self, position: &Position, guess: i32) -> u8 {
        let start = self.load(position);
        self.count(position.strain(), &start, guess) as u8
    }

    /// Returns whether North-South take at least `tricks` from a position on, the current trick included.
    #[must_use]
    pub fn north_south_at_least(&mut self, position: &Position, tricks: u8) -> bool {
        let start = self.load(position);
        let tricks = i32::from(tricks);
        tricks <= 0
            || tricks <= start.tricks_left() && self.reaches(position.strain(), &start, tricks)
    }

    /// Returns the tricks after each legal card, for the side that plays it.
    #[must_use]
    pub fn choices(&mut self, position: &Position) -> Choices {
        self.choices_near(position, position.tricks_left() as i32 / 2)
    }

    /// Returns an optimal line of play to the end, with the equally good cards at each step.
    ///
    /// Of the best cards the lowest is played, of the suit led or else of the lowest suit.
    #[must_use]
    pub fn line(&mut self, position: &Position) -> Vec<OptimalPlay> {
        let mut position = position.clone();
        let mut line = Vec::new();
        let mut guess = position.tricks_left() as i32 / 2;
        while position.tricks_left() > 0 {
            let seat = position.to_play();
            let choices = self.choices_near(&position, guess);
            let north_south = for_north_south(seat, choices.best(), position.tricks_left());
            let alternatives = choices.best_cards();
            let cheapest = |card: &cards::Card| (card.rank(), card.suit());
            let Some(card) = alternatives.iter().min_by_key(cheapest) else {
                break;
            };
            line.push(OptimalPlay {
                seat,
                card,
                alternatives,
                north_south,
            });
            let winner = position.play(card).ok().flatten();
            let won = winner.is_some_and(|seat| seat.index() & 1 == 0);
            guess = i32::from(north_south) - i32::from(won);
        }
        line
    }

    fn cards_taking(&mut self, position: &Position, tricks: i32) -> CardSet {
        let strain = position.strain();
        let start = self.load(position);
        let ns = start.to_play() & 1 == 0;
        let n = start.tricks_left();
        let mut taking = CardSet::EMPTY;
        for (card, cards) in sequences(&start) {
            let (after, won) = after(&start, card, strain);
            let reached = if ns {
                self.reaches(strain, &after, tricks - won)
            } else {
                !self.reaches(strain, &after, n - tricks + 1 - won)
            };
            if reached {
                taking |= from_search(cards, strain);
            }
        }
        taking
    }

    /// Returns the choices of a position. The search is fastest if the tricks of North-South are near `guess`.
    pub(crate) fn choices_near(&mut self, position: &Position, guess: i32) -> Choices {
        let strain = position.strain();
        let start = self.load(position);
        let n = start.tricks_left();
        if n == 0 {
            return Choices::new(Vec::new());
        }
        let best = self.count(strain, &start, guess);
        let seat = position.to_play();
        let mut choices = Vec::new();
        for (card, cards) in sequences(&start) {
            let (after, won) = after(&start, card, strain);
            let north_south = won + self.count_from_best(strain, &after, best - won, seat);
            let cards = from_search(cards, strain);
            let card = cards.iter().next().expect("a sequence has a highest card");
            choices.push(Choice {
                card,
                equals: cards - CardSet::of(card),
                tricks: for_north_south(seat, north_south as u8, n as usize),
            });
        }
        Choices::new(choices)
    }

    /// Prepares the engine for a position. Its tables are kept if they belong to the same cards.
    pub(crate) fn load(&mut self, position: &Position) -> Start {
        let start = engine::start(position);
        let within = |(strain, hands): &(Strain, [Cards; 4])| {
            *strain == position.strain()
                && start
                    .hands
                    .iter()
                    .zip(hands)
                    .all(|(now, then)| now & !then == 0)
        };
        if !self.loaded.as_ref().is_some_and(within) {
            let notrump = position.strain() == Strain::Notrump;
            match self.loaded {
                Some((strain, _)) if self.keeps_tables && strain == position.strain() => {
                    self.engine.begin_related(notrump, &start.hands);
                }
                _ => self.engine.begin(notrump, &start.hands),
            }
            self.loaded = Some((position.strain(), start.hands));
        }
        start
    }

    /// Copies the tables of another solver.
    pub(crate) fn copy_from(&mut self, other: &Solver) {
        self.engine.copy_from(&other.engine);
        self.loaded = other.loaded;
    }

    fn reaches(&mut self, strain: Strain, start: &Start, need: i32) -> bool {
        self.engine.test(strain == Strain::Notrump, start, need) >= need
    }

    /// Counts the tricks of North-South.
    fn count(&mut self, strain: Strain, start: &Start, guess: i32) -> i32 {
        let notrump = strain == Strain::Notrump;
        count(start.tricks_left(), guess, |need| {
            self.engine.test(notrump, start, need)
        })
    }

    /// Counts the tricks of North-South after a card of `seat`, given that no card is better for its side than `best`.
    fn count_from_best(&mut self, strain: Strain, after: &Start, best: i32, seat: Seat) -> i32 {
        let ns = seat.index() & 1 == 0;
        self.count(strain, after, if ns { best } else { best + 1 })
    }
}

/// Counts the tricks of North-South with yes-or-no tests from `guess` outwards. `test` returns bounds as
/// [`Engine::test`] does.
pub(crate) fn count(left: i32, guess: i32, mut test: impl FnMut(i32) -> i32) -> i32 {
    let (mut low, mut high) = (0, left);
    let mut need = guess.clamp(1, high.max(1));
    while low < high {
        let tricks = test(need);
        if tricks >= need {
            low = low.max(tricks);
            need = low + 1;
        } else {
            high = high.min(tricks);
            need = high;
        }
    }
    low
}

/// Converts the tricks of a seat's side to those of North-South, and back.
pub(crate) fn for_north_south(seat: Seat, tricks: u8, of: usize) -> u8 {
    if seat.index() & 1 == 0 {
        tricks
    } else {
        of as u8 - tricks
    }
}

/// Returns the sequences that can be played: the highest card and all cards of each.
fn sequences(start: &Start) -> Vec<(u32, Cards)> {
    let hand = start.hands[start.to_play()];
    let in_suit = match start.played {
        0 => hand,
        _ => hand & 0xffff << (start.trick[0] & !15),
    };
    let legal = if in_suit == 0 { hand } else { in_suit };
    let all = start.all();
    let mut tops = sequence_tops(legal, all);
    let mut found = Vec::new();
    let mut left = legal;
    // A sequence reaches from its top down to the next lower top, or to a card of another hand.
    while tops != 0 {
        let card = 63 - tops.leading_zeros();
        tops ^= 1 << card;
        let in_suit = 0xffff << (card & !15);
        let next = (tops & in_suit)
            .checked_ilog2()
            .map_or(0, |next| (2u64 << next) - 1);
        let run = left & in_suit & ((2u64 << card) - 1) & !next;
        left &= !run;
        found.push((card, run));
    }
    found
}

/// Returns the position after a card, and the number of tricks that North-South have won by it: 0 or 1.
fn after(start: &Start, card: u32, strain: Strain) -> (Start, i32) {
    let mut next = *start;
    next.hands[start.to_play()] &= !(1 << card);
    if start.played < 3 {
        next.trick[start.played] = card;
        next.played += 1;
        return (next, 0);
    }
    let trick = [start.trick[0], start.trick[1], start.trick[2], card];
    let mut best = 0;
    for i in 1..4 {
        let wins = if trick[i] >> 4 == trick[best] >> 4 {
            trick[i] > trick[best]
        } else {
            strain != Strain::Notrump && trick[i] < 16
        };
        if wins {
            best = i;
        }
    }
    next.played = 0;
    next.leader = (start.leader + best) & 3;
    (next, i32::from(next.leader & 1 == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_search_ends_soon_and_stores_no_wrong_result() {
        let hard: Deal = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962"
            .parse()
            .unwrap();
        let mut solver = Solver::new();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                flag.store(true, Ordering::Relaxed);
            });
            assert!(
                solver
                    .with_cancellation(&stop, |solver| solver.table(&hard))
                    .is_none()
            );
        });
        // Solving the whole table takes millions of positions more.
        assert!(solver.positions_searched() < 3_000_000);
        let easy: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
            .parse()
            .unwrap();
        assert_eq!(solver.tricks(&easy, Seat::South, Strain::Notrump), 13);
        let (declarer, strain) = (Seat::North, Strain::Spades);
        let fresh = Solver::new().at_least(&hard, declarer, strain, 13);
        assert_eq!(solver.at_least(&hard, declarer, strain, 13), fresh);
    }

    #[test]
    fn memory_stays_within_its_limit() {
        let deal: Deal = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962"
            .parse()
            .unwrap();
        let mut solver = Solver::with_memory(MIN_MEMORY);
        let _ = solver.at_least(&deal, Seat::South, Strain::Spades, 9);
        assert!(
            solver.engine.bytes() <= (MIN_MEMORY as usize) << 20,
            "{}",
            solver.engine.bytes()
        );
    }
}
