//! One table, several threads.
//!
//! The strains have nothing to tell one another, but the four leaders of a strain share what was found. So every strain
//! has a solver of its own, and the threads pass the five solvers around: a thread takes one, solves the next leader
//! with it, and puts it back. The first leader of a strain costs a little more than half of it, and tells what the
//! others will cost. Therefore all strains begin with it, those first that look hard; then the strain with most left to
//! do goes on. A thread that finds nothing to take helps with the strain that seems to have most left ([`joint`]).

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use cards::{Deal, Seat, Strain, TrickTable};

use crate::guess;
use crate::position::Position;
use crate::solver::{DEFAULT_MEMORY, LEADERS, LEAST_MEMORY, Solver, count, for_north_south};

mod joint;

use joint::{Helpers, Joint, Offer};

/// Solvers that work on one table at a time together. The answers are those of one [`Solver`].
///
/// ```
/// use solver::{Solver, Team};
///
/// let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432".parse()?;
/// assert_eq!(Team::new(2).table(&deal), Solver::new().table(&deal));
/// # Ok::<(), cards::NotationError>(())
/// ```
pub struct Team {
    solvers: [Solver; 5],
    /// What threads help with; one at least has work of its own.
    spare: Vec<Mutex<Solver>>,
}

/// More threads than this would mostly help the same strain.
const MOST_THREADS: usize = 8;

/// What the other leaders of a strain cost when the first one cost 1, counted in positions of random deals: of all four,
/// South and the following, East and West, West.
const REST: [f64; 4] = [f64::INFINITY, 0.82, 0.59, 0.165];

/// With fewer positions left than this, about a millisecond, a helper comes too late.
const WORTH_HELP: f64 = 1_000.0;

/// How far a strain is.
struct Progress<'a> {
    strain: Strain,
    /// Nothing while a thread has it.
    solver: Option<&'a mut Solver>,
    /// How many leaders are solved.
    done: usize,
    /// Tricks of North-South, as far as known.
    guess: f64,
    /// How hard the strain looks, and the positions that the first leader took.
    looks: f64,
    first: u64,
    row: [u8; 4],
}

/// What the threads share.
struct Work<'a> {
    deal: &'a Deal,
    board: Mutex<Board<'a>>,
    joints: [Joint<'a>; 5],
}

/// How far the strains are, and the solvers that nobody helps with at the moment.
struct Board<'a> {
    strains: Vec<Progress<'a>>,
    spare: Vec<&'a Mutex<Solver>>,
}

impl Team {
    /// So many threads, each of which may use the default memory.
    #[must_use]
    pub fn new(threads: usize) -> Team {
        Team::with_memory(threads, DEFAULT_MEMORY)
    }

    /// The same with so many megabytes a thread, which the strains and those who help with them share.
    #[must_use]
    pub fn with_memory(threads: usize, megabytes: u32) -> Team {
        let threads = threads.clamp(1, MOST_THREADS);
        // A helper has a memory of its own, and two megabytes are told at most.
        let helpers = threads as u64 - 1;
        let all = u64::from(megabytes) * threads as u64;
        let megabytes = all.saturating_sub(2 * helpers) / (Strain::ALL.len() as u64 + helpers);
        let megabytes = (megabytes as u32).max(LEAST_MEMORY);
        let solver = || Solver::with_memory(megabytes);
        Team {
            solvers: Strain::ALL.map(|_| solver()),
            spare: (1..threads).map(|_| Mutex::new(solver())).collect(),
        }
    }

    /// All twenty results.
    #[must_use]
    pub fn table(&mut self, deal: &Deal) -> TrickTable {
        let strains = Strain::ALL.into_iter().zip(&mut self.solvers);
        let strains = strains.map(|(strain, solver)| Progress::new(deal, strain, solver));
        let work = Work {
            deal,
            board: Mutex::new(Board {
                strains: strains.collect(),
                spare: self.spare.iter().collect(),
            }),
            joints: Strain::ALL.map(|_| Joint::new()),
        };
        thread::scope(|scope| {
            for _ in &self.spare {
                scope.spawn(|| work.take_part());
            }
            work.take_part();
        });
        let mut table = TrickTable::default();
        let board = work.board.into_inner();
        for progress in board.unwrap_or_else(PoisonError::into_inner).strains {
            for (seat, tricks) in Seat::ALL.into_iter().zip(progress.row) {
                table.set(seat, progress.strain, tricks);
            }
        }
        table
    }

    /// Positions searched so far by all threads; see [`Solver::positions_searched`]. What is searched twice counts twice.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        let strains = self.solvers.iter().map(Solver::positions_searched);
        let helpers = self.spare.iter().map(|spare| {
            let solver = spare.lock().unwrap_or_else(PoisonError::into_inner);
            solver.positions_searched()
        });
        strains.chain(helpers).sum()
    }
}

impl<'a> Work<'a> {
    /// The board; a thread that panicked has told so itself.
    fn board(&self) -> MutexGuard<'_, Board<'a>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Solves leader after leader, always of the strain with most to do, then helps others, until nobody has anything to do.
    fn take_part(&self) {
        loop {
            let mut board = self.board();
            if let Some((place, solver)) = Progress::longest(&mut board.strains) {
                drop(board);
                self.solve(place, solver);
            } else if let Some((place, spare, offer)) = self.offer(&mut board) {
                drop(board);
                self.joints[place].help(&offer);
                self.board().spare.push(spare);
            } else {
                return;
            }
        }
    }

    /// Solves the next leader of a strain; with others, all that are left.
    fn solve(&self, place: usize, solver: &'a mut Solver) {
        let joint = &self.joints[place];
        let mut helpers = Helpers::default();
        loop {
            let (strain, leader, guess) = {
                let progress = &self.board().strains[place];
                (progress.strain, LEADERS[progress.done], progress.guess)
            };
            let before = solver.positions_searched();
            let start = solver.load(&Position::opening(self.deal, leader.clockwise(3), strain));
            let notrump = strain == Strain::Notrump;
            let tricks = count(start.tricks_left(), guess.round() as i32, |need| {
                joint.test(&mut solver.engine, &mut helpers, notrump, &start, need)
            });
            let positions = solver.positions_searched() - before;
            let mut board = self.board();
            let progress = &mut board.strains[place];
            progress.solved(leader, tricks, positions);
            if helpers.is_empty() || progress.done == LEADERS.len() {
                joint.close();
                solver.engine.share(None);
                progress.solver = Some(solver);
                return;
            }
        }
    }

    /// Offers help with the strain that seems to have most left to do.
    fn offer(&self, board: &mut Board<'a>) -> Option<(usize, &'a Mutex<Solver>, Offer<'a>)> {
        let place = Progress::most_left(&board.strains, |progress| progress.solver.is_none())?;
        if board.strains[place].left() < WORTH_HELP {
            return None;
        }
        let spare = board.spare.pop()?;
        Some((place, spare, self.joints[place].offer(spare)))
    }
}

impl<'a> Progress<'a> {
    fn new(deal: &Deal, strain: Strain, solver: &'a mut Solver) -> Progress<'a> {
        let guess = guess::north_south(deal, strain);
        Progress {
            strain,
            solver: Some(solver),
            done: 0,
            guess,
            looks: looks(deal, strain, guess),
            first: 0,
            row: [0; 4],
        }
    }

    /// The strain with most left to do of those that nobody has, and its solver.
    fn longest(strains: &mut [Progress<'a>]) -> Option<(usize, &'a mut Solver)> {
        let place = Progress::most_left(strains, |progress| progress.solver.is_some())?;
        let solver = strains[place].solver.take()?;
        Some((place, solver))
    }

    /// The strain with most left to do of some.
    fn most_left(strains: &[Progress<'a>], of: impl Fn(&Progress) -> bool) -> Option<usize> {
        let some = |&place: &usize| of(&strains[place]) && strains[place].done < LEADERS.len();
        (0..strains.len()).filter(some).max_by(|&a, &b| {
            let left = |place: usize| strains[place].left();
            let looks = |place: usize| strains[place].looks;
            left(a)
                .total_cmp(&left(b))
                .then(looks(a).total_cmp(&looks(b)))
        })
    }

    /// About how many positions are left to search.
    fn left(&self) -> f64 {
        match self.done {
            0 => REST[0],
            done => REST[done] * self.first as f64,
        }
    }

    fn solved(&mut self, leader: Seat, tricks: i32, positions: u64) {
        let declarer = leader.clockwise(3);
        self.row[declarer.index()] = for_north_south(declarer, tricks as u8, 13);
        if self.done == 0 {
            self.first = positions;
        }
        self.guess = f64::from(tricks);
        self.done += 1;
    }
}

/// How hard a strain looks: the logarithm of the positions searched but for a constant, from a regression over 400 random
/// deals (correlation 0.58 within a deal).
fn looks(deal: &Deal, strain: Strain, guess: f64) -> f64 {
    let one_sided = (guess - 6.5).powi(2);
    match strain.suit() {
        None => -2.66 - 0.05 * one_sided,
        Some(trumps) => {
            let length = |seat: Seat| deal.hand(seat).holding(trumps).len() as u32;
            let longest = Seat::ALL.into_iter().map(length).max().unwrap_or(0);
            let ours = length(Seat::North) + length(Seat::South);
            let fit = ours.max(13 - ours);
            -0.074 * one_sided - 0.18 * f64::from(fit) - 0.17 * f64::from(longest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions that two equally fast threads and that one thread would search one after the other.
    fn schedule(team: &mut Team, deal: &Deal) -> (u64, u64) {
        let strains = Strain::ALL.into_iter().zip(&mut team.solvers);
        let mut strains: Vec<Progress> = strains
            .map(|(strain, solver)| Progress::new(deal, strain, solver))
            .collect();
        let (mut longer, mut sum) = (0, 0);
        // When a thread is ready, and what it then brings back.
        let mut threads = vec![(0, None), (0, None)];
        while let Some(first) = (0..threads.len()).min_by_key(|&thread| threads[thread].0) {
            let (time, brings) = threads.swap_remove(first);
            longer = longer.max(time);
            if let Some((place, solver, leader, tricks, positions)) = brings {
                let progress: &mut Progress = &mut strains[place];
                progress.solved(leader, tricks, positions);
                progress.solver = Some(solver);
            }
            if let Some((place, solver)) = Progress::longest(&mut strains) {
                let progress = &strains[place];
                let (leader, guess) = (LEADERS[progress.done], progress.guess.round() as i32);
                let before = solver.positions_searched();
                let tricks = solver.led_by(deal, leader, progress.strain, guess);
                let positions = solver.positions_searched() - before;
                sum += positions;
                let brings = Some((place, solver, leader, tricks, positions));
                threads.push((time + positions, brings));
            }
        }
        (longer, sum)
    }

    #[test]
    fn two_threads_share_single_tables_nearly_evenly() {
        let mut team = Team::new(2);
        let (mut two, mut one) = (0, 0);
        let deals = include_str!("../tests/data/tables.csv").lines().skip(1);
        for line in deals.take(25) {
            let (deal, _) = line.split_once(',').expect("a deal and its results");
            let (longer, sum) = schedule(&mut team, &deal.parse().expect("a deal"));
            (two, one) = (two + longer, one + sum);
        }
        let speed = one as f64 / two as f64;
        // It is 1.787 on these deals and 1.849 on all hundred; whole strains in a fixed order come to 1.7 on random deals.
        assert!(speed > 1.75, "{speed}");
    }

    #[test]
    fn whoever_has_nothing_left_to_do_helps_and_nothing_changes() {
        let mut alone = Solver::new();
        let deals = include_str!("../tests/data/tables.csv").lines().skip(1);
        let deals: Vec<Deal> = deals
            .filter_map(|line| line.split_once(',')?.0.parse().ok())
            .collect();
        for threads in [2, 3, 8] {
            let mut team = Team::new(threads);
            for deal in &deals[..20] {
                assert_eq!(team.table(deal), alone.table(deal), "{deal}");
            }
            let own = team.solvers.iter().map(Solver::positions_searched);
            assert!(team.positions_searched() > own.sum(), "{threads}");
        }
    }
}
