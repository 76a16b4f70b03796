//! One table, several threads.
//!
//! Every thread has a solver of its own and takes strain after strain, those first that look hard: what is found for one
//! strain says nothing about another, and a memory that stays with its thread stays in the caches near it. A
//! thread that finds no strain to begin helps with the one that seems to have most left ([`joint`]).

use std::sync::{Mutex, PoisonError};
use std::thread;

use cards::{Deal, Seat, Strain, TrickTable};

use crate::guess;
use crate::position::Position;
use crate::solver::{DEFAULT_MEMORY, LEADERS, LEAST_MEMORY, Solver, count, for_north_south};

mod joint;

use joint::{Helpers, Joint, Offer, lock};

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
    /// One for each thread.
    solvers: Vec<Mutex<Solver>>,
}

/// More threads than this would mostly help the same strain.
const MOST_THREADS: usize = 8;

/// Megabytes that are kept for what threads tell one another.
const NEWS: u32 = 2;

/// What the other leaders of a strain cost when the first one cost 1, counted in positions of random deals: South and the
/// following, East and West, West.
const REST: [f64; 3] = [0.82, 0.59, 0.165];

/// With fewer positions left than this, about a millisecond, a helper comes too late.
const WORTH_HELP: f64 = 1_000.0;

/// How far a strain is.
struct Progress {
    strain: Strain,
    begun: bool,
    /// How many leaders are solved.
    done: usize,
    /// Tricks of North-South, by a guess from the hands.
    guess: f64,
    /// How hard the strain looks, and the positions that the first leader took.
    looks: f64,
    first: u64,
    helpers: u32,
    row: [u8; 4],
}

/// What the threads share.
struct Work<'a> {
    deal: &'a Deal,
    strains: Mutex<Vec<Progress>>,
    joints: [Joint<'a>; 5],
}

impl Team {
    /// So many threads, each of which may use the default memory.
    #[must_use]
    pub fn new(threads: usize) -> Team {
        Team::with_memory(threads, DEFAULT_MEMORY)
    }

    /// The same with so many megabytes a thread.
    #[must_use]
    pub fn with_memory(threads: usize, megabytes: u32) -> Team {
        let threads = threads.clamp(1, MOST_THREADS);
        let megabytes = match threads {
            1 => megabytes,
            _ => megabytes.saturating_sub(NEWS).max(LEAST_MEMORY),
        };
        let solver = |_| Mutex::new(Solver::with_memory(megabytes));
        Team {
            solvers: (0..threads).map(solver).collect(),
        }
    }

    /// All twenty results.
    #[must_use]
    pub fn table(&mut self, deal: &Deal) -> TrickTable {
        let strains = Strain::ALL.map(|strain| Progress::new(deal, strain));
        let work = Work {
            deal,
            strains: Mutex::new(strains.into()),
            joints: Strain::ALL.map(|_| Joint::new()),
        };
        thread::scope(|scope| {
            let mut solvers = self.solvers.iter();
            let mine = solvers.next();
            for solver in solvers {
                scope.spawn(|| work.take_part(solver));
            }
            mine.into_iter().for_each(|solver| work.take_part(solver));
        });
        let mut table = TrickTable::default();
        let strains = work.strains.into_inner();
        for progress in strains.unwrap_or_else(PoisonError::into_inner) {
            for (seat, tricks) in Seat::ALL.into_iter().zip(progress.row) {
                table.set(seat, progress.strain, tricks);
            }
        }
        table
    }

    /// Positions searched so far by all threads; see [`Solver::positions_searched`]. What is searched twice counts twice.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        let solvers = self.solvers.iter();
        solvers
            .map(|solver| lock(solver).positions_searched())
            .sum()
    }
}

impl<'a> Work<'a> {
    /// Solves strain after strain, then helps others, until nobody has anything to do.
    fn take_part(&self, solver: &'a Mutex<Solver>) {
        while let Some(place) = self.begin() {
            self.solve(place, &mut lock(solver));
        }
        while let Some((place, offer)) = self.offer(solver) {
            self.joints[place].help(&offer);
            lock(&self.strains)[place].helpers -= 1;
        }
    }

    /// The strain that looks hardest of those that nobody has begun.
    fn begin(&self) -> Option<usize> {
        let mut strains = lock(&self.strains);
        let place = most(&strains, |progress| !progress.begun)?;
        strains[place].begun = true;
        Some(place)
    }

    /// Solves a strain, leader by leader, with those who help.
    fn solve(&self, place: usize, solver: &mut Solver) {
        let joint = &self.joints[place];
        let mut helpers = Helpers::default();
        let (strain, mut tricks) = {
            let progress = &lock(&self.strains)[place];
            (progress.strain, progress.guess.round() as i32)
        };
        for leader in LEADERS {
            let before = solver.positions_searched();
            let start = solver.load(&Position::opening(self.deal, leader.clockwise(3), strain));
            let notrump = strain == Strain::Notrump;
            tricks = count(start.tricks_left(), tricks, |need| {
                joint.test(&mut solver.engine, &mut helpers, notrump, &start, need)
            });
            let positions = solver.positions_searched() - before;
            lock(&self.strains)[place].solved(leader, tricks, positions);
        }
        joint.close();
        solver.engine.share(None);
    }

    /// Offers help with the strain that seems to have most left to do.
    fn offer(&self, solver: &'a Mutex<Solver>) -> Option<(usize, Offer<'a>)> {
        let mut strains = lock(&self.strains);
        let place = most(&strains, |progress| progress.done < LEADERS.len())?;
        if strains[place].left() < WORTH_HELP {
            return None;
        }
        strains[place].helpers += 1;
        Some((place, self.joints[place].offer(solver)))
    }
}

/// The strain with most left to do of some.
fn most(strains: &[Progress], of: impl Fn(&Progress) -> bool) -> Option<usize> {
    let some = (0..strains.len()).filter(|&place| of(&strains[place]));
    some.max_by(|&a, &b| strains[a].left().total_cmp(&strains[b].left()))
}

impl Progress {
    fn new(deal: &Deal, strain: Strain) -> Progress {
        let guess = guess::north_south(deal, strain);
        Progress {
            strain,
            begun: false,
            done: 0,
            guess,
            looks: looks(deal, strain, guess),
            first: 0,
            helpers: 0,
            row: [0; 4],
        }
    }

    /// About how many positions are left to search for each who searches. As long as the first leader has not told, they
    /// count for more than any that can be told.
    fn left(&self) -> f64 {
        let left = match self.done.checked_sub(1) {
            None => 1e15 * self.looks.exp(),
            Some(known) => REST.get(known).unwrap_or(&0.0) * self.first as f64,
        };
        left / f64::from(1 + self.helpers)
    }

    fn solved(&mut self, leader: Seat, tricks: i32, positions: u64) {
        let declarer = leader.clockwise(3);
        self.row[declarer.index()] = for_north_south(declarer, tricks as u8, 13);
        if self.done == 0 {
            self.first = positions;
        }
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

    #[test]
    fn whoever_has_nothing_left_to_do_helps_and_nothing_changes() {
        let mut alone = Solver::new();
        let deals = include_str!("../tests/data/tables.csv").lines().skip(1);
        let deals: Vec<Deal> = deals
            .filter_map(|line| line.split_once(',')?.0.parse().ok())
            .take(20)
            .collect();
        let tables: Vec<TrickTable> = deals.iter().map(|deal| alone.table(deal)).collect();
        for threads in [1, 2, 3, 8] {
            let mut team = Team::new(threads);
            for (deal, table) in deals.iter().zip(&tables) {
                assert_eq!(team.table(deal), *table, "{deal}");
            }
            // Some positions are searched by several; where each searches everything it would be twice as many and more.
            let work = team.positions_searched() as f64 / alone.positions_searched() as f64;
            assert!(
                work < 1.0 + 0.2 * (threads as f64 - 1.0),
                "{threads}: {work}"
            );
        }
    }

    #[test]
    fn those_who_help_share_the_strains() {
        let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";
        let deal: Deal = deal.parse().expect("a deal");
        let work = Work {
            deal: &deal,
            strains: Mutex::new(
                Strain::ALL
                    .map(|strain| Progress::new(&deal, strain))
                    .into(),
            ),
            joints: Strain::ALL.map(|_| Joint::new()),
        };
        let solver = Mutex::new(Solver::new());
        let mut begun: Vec<usize> = std::iter::from_fn(|| work.begin()).collect();
        begun.sort_unstable();
        assert_eq!(begun, [0, 1, 2, 3, 4]);
        let offers = (0..2).filter_map(|_| work.offer(&solver));
        let helped: Vec<usize> = offers.map(|(place, _)| place).collect();
        assert_eq!(helped.len(), 2);
        assert_ne!(helped[0], helped[1]);
        // A strain of which little is left is not worth it.
        for progress in lock(&work.strains).iter_mut() {
            for leader in &LEADERS[..3] {
                progress.solved(*leader, 7, 5_000);
            }
        }
        assert!(work.offer(&solver).is_none());
    }
}
