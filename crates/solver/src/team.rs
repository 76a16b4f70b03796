//! One table, several threads.
//!
//! Every thread has a solver of its own and takes strain after strain, those first that look hard: what is found for one
//! strain says nothing about another, and a memory that stays with its thread stays in the caches near it. A
//! thread that finds no strain to begin takes part in the one that seems to have most left: with a leader that nobody has
//! taken, or else by helping with one ([`joint`]).

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use cards::{Deal, Seat, Strain, TrickTable};

use crate::guess;
use crate::position::Position;
use crate::search::Together;
use crate::solver::{DEFAULT_MEMORY, LEADERS, LEAST_MEMORY, Solver, count, for_north_south};

mod joint;

use joint::{Helpers, Joint, Offer, lock, next};

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
    /// That of the thread which asks.
    solver: Arc<Mutex<Solver>>,
    others: Vec<Worker>,
    /// Whether there is memory for what threads tell one another; if not, strains are all they share.
    helps: bool,
}

/// Another thread, which waits for tables as long as there is the team.
struct Worker {
    solver: Arc<Mutex<Solver>>,
    /// Where it gets them, and says that it has nothing left to do.
    tables: Sender<Arc<Work>>,
    done: Receiver<()>,
}

/// More threads than this would mostly help the same strain.
const MOST_THREADS: usize = 8;

/// Megabytes that are kept for what threads tell one another.
const NEWS: u32 = 2;

/// What each of [`LEADERS`] costs when the first one costs 1, counted in positions of random deals.
const COSTS: [f64; 4] = [1.0, 0.23, 0.425, 0.165];

/// In this order those who come later take leaders: opponents of the first one, whose partner has most of its work done.
const FROM_BEHIND: [usize; 4] = [2, 3, 1, 0];

/// With fewer positions left than this, about a millisecond, a helper comes too late.
const WORTH_HELP: f64 = 1_000.0;

/// How far a strain is.
struct Progress {
    strain: Strain,
    leaders: [State; 4],
    /// Tricks of North-South, by a guess from the hands, or with the last leader that is solved.
    guess: f64,
    /// How hard the strain looks, and the positions that the first leader took.
    looks: f64,
    first: u64,
    /// Threads that came later.
    helpers: u32,
    row: [u8; 4],
}

/// How far a leader is.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Untaken,
    Taken,
    Solved,
}

/// What the threads share.
struct Work {
    deal: Deal,
    strains: Mutex<Vec<Progress>>,
    joints: [[Joint; 4]; 5],
    /// What those who work on a strain tell one another, once there are several.
    together: [OnceLock<Arc<Together>>; 5],
    threads: usize,
    helps: bool,
}

impl Team {
    /// So many threads, each of which may use the default memory.
    #[must_use]
    pub fn new(threads: usize) -> Team {
        Team::with_memory(threads, DEFAULT_MEMORY)
    }

    /// The same with so many megabytes a thread. With less than 4 they share strains only, and whoever has none left waits.
    #[must_use]
    pub fn with_memory(threads: usize, megabytes: u32) -> Team {
        let threads = threads.clamp(1, MOST_THREADS);
        let helps = threads > 1 && megabytes >= LEAST_MEMORY + NEWS;
        let megabytes = if helps { megabytes - NEWS } else { megabytes };
        let solver = || Arc::new(Mutex::new(Solver::with_memory(megabytes)));
        Team {
            solver: solver(),
            // Where a thread cannot be had, the others do its work.
            others: (1..threads).map_while(|_| Worker::new(solver())).collect(),
            helps,
        }
    }

    /// All twenty results.
    #[must_use]
    pub fn table(&mut self, deal: &Deal) -> TrickTable {
        let work = Arc::new(Work::new(deal, 1 + self.others.len(), self.helps));
        for worker in &self.others {
            worker.begin(&work);
        }
        work.take_part(&self.solver);
        self.others.iter().for_each(Worker::end);
        let mut table = TrickTable::default();
        for progress in lock(&work.strains).iter() {
            for (seat, tricks) in Seat::ALL.into_iter().zip(progress.row) {
                table.set(seat, progress.strain, tricks);
            }
        }
        table
    }

    /// Positions searched so far by all threads; see [`Solver::positions_searched`]. What is searched twice counts twice.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        let others = self.others.iter().map(|worker| &worker.solver);
        let solvers = others.chain([&self.solver]);
        solvers
            .map(|solver| lock(solver).positions_searched())
            .sum()
    }
}

impl Worker {
    /// A thread with this solver, if there can be one.
    fn new(solver: Arc<Mutex<Solver>>) -> Option<Worker> {
        let (tables, works) = channel::<Arc<Work>>();
        let (ended, done) = channel();
        let own = Arc::clone(&solver);
        let run = move || {
            while let Some(work) = next(&works) {
                work.take_part(&own);
                drop(work);
                let _ = ended.send(());
            }
        };
        thread::Builder::new().spawn(run).ok()?;
        Some(Worker {
            solver,
            tables,
            done,
        })
    }

    fn begin(&self, work: &Arc<Work>) {
        let sent = self.tables.send(Arc::clone(work));
        sent.expect("a thread that waits for tables");
    }

    /// Waits until it has nothing left to do.
    fn end(&self) {
        next(&self.done).expect("a thread that has told why it panicked");
    }
}

impl Work {
    fn new(deal: &Deal, threads: usize, helps: bool) -> Work {
        let strains = Strain::ALL.map(|strain| Progress::new(deal, strain));
        Work {
            deal: *deal,
            strains: Mutex::new(strains.into()),
            joints: Strain::ALL.map(|_| LEADERS.map(|_| Joint::new())),
            together: Default::default(),
            threads,
            helps,
        }
    }

    /// Solves strains, then helps others, until nobody has anything to do.
    fn take_part(&self, solver: &Arc<Mutex<Solver>>) {
        self.solve_strains(solver);
        if self.helps {
            self.help(solver);
        }
    }

    /// Solves strain after strain, as long as there are any that nobody has begun.
    fn solve_strains(&self, solver: &Arc<Mutex<Solver>>) {
        while let Some(place) = self.begin() {
            self.solve(place, 0, [0, 1, 2, 3], solver);
        }
    }

    /// Takes part in what others do, until nobody has anything to do.
    fn help(&self, solver: &Arc<Mutex<Solver>>) {
        while let Some((place, leader, offer)) = self.offer() {
            if let Some(leader) = self.joints[place][leader].help(&offer, solver) {
                self.solve(place, leader, FROM_BEHIND, solver);
            }
            lock(&self.strains)[place].helpers -= 1;
        }
    }

    /// The strain that looks hardest of those that nobody has begun; its first leader is taken.
    fn begin(&self) -> Option<usize> {
        let mut strains = lock(&self.strains);
        let place = most(&strains, |progress| progress.leaders == [State::Untaken; 4])?;
        strains[place].leaders[0] = State::Taken;
        Some(place)
    }

    /// Solves a leader of a strain, then those that nobody has taken, with those who help.
    fn solve(&self, place: usize, leader: usize, order: [usize; 4], solver: &Arc<Mutex<Solver>>) {
        let mut next = Some(leader);
        while let Some(leader) = next {
            let before = lock(solver).positions_searched();
            let tricks = self.lead(place, leader, solver);
            let positions = lock(solver).positions_searched() - before;
            next = {
                // At once, so that somebody always works on a strain that is not solved.
                let progress = &mut lock(&self.strains)[place];
                progress.solved(leader, tricks, positions);
                progress.take(order)
            };
            self.joints[place][leader].close();
        }
        lock(solver).engine.share(None);
    }

    /// Tricks of North-South with a leader of a strain.
    fn lead(&self, place: usize, leader: usize, solver: &Arc<Mutex<Solver>>) -> i32 {
        let (strain, guess) = {
            let progress = &lock(&self.strains)[place];
            (progress.strain, progress.guess.round() as i32)
        };
        let together =
            || self.together[place].get_or_init(|| Arc::new(Together::new(self.threads)));
        let untaken = || lock(&self.strains)[place].take(FROM_BEHIND);
        let mut helpers = Helpers::new(&together, &untaken);
        let declarer = LEADERS[leader].clockwise(3);
        let start = lock(solver).load(&Position::opening(&self.deal, declarer, strain));
        let notrump = strain == Strain::Notrump;
        count(start.tricks_left(), guess, |need| {
            self.joints[place][leader].test(solver, &mut helpers, notrump, &start, need)
        })
    }

    /// Offers help with the strain that seems to have most left to do, to whoever has most of it.
    fn offer(&self) -> Option<(usize, usize, Offer)> {
        let mut strains = lock(&self.strains);
        let place = most(&strains, |progress| progress.hardest().is_some())?;
        let progress = &mut strains[place];
        if progress.left() < WORTH_HELP {
            return None;
        }
        progress.helpers += 1;
        let leader = progress.hardest()?;
        Some((place, leader, self.joints[place][leader].offer()))
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
            leaders: [State::Untaken; 4],
            guess,
            looks: looks(deal, strain, guess),
            first: 0,
            helpers: 0,
            row: [0; 4],
        }
    }

    /// Takes the next leader.
    fn take(&mut self, order: [usize; 4]) -> Option<usize> {
        let untaken = |leader: &usize| self.leaders[*leader] == State::Untaken;
        let leader = order.into_iter().find(untaken)?;
        self.leaders[leader] = State::Taken;
        Some(leader)
    }

    /// The leader that somebody works on and that costs most.
    fn hardest(&self) -> Option<usize> {
        let taken = (0..LEADERS.len()).filter(|&k| self.leaders[k] == State::Taken);
        taken.max_by(|&a, &b| COSTS[a].total_cmp(&COSTS[b]))
    }

    /// About how many positions are left to search for each who searches. As long as the first leader has not told, they
    /// count for more than any that can be told.
    fn left(&self) -> f64 {
        let left = match self.leaders[0] {
            State::Solved => {
                let open = COSTS.iter().zip(self.leaders);
                let open = open.filter(|(_, state)| *state != State::Solved);
                self.first as f64 * open.map(|(cost, _)| cost).sum::<f64>()
            }
            _ => 1e15 * self.looks.exp(),
        };
        left / f64::from(1 + self.helpers)
    }

    fn solved(&mut self, leader: usize, tricks: i32, positions: u64) {
        let declarer = LEADERS[leader].clockwise(3);
        self.row[declarer.index()] = for_north_south(declarer, tricks as u8, 13);
        if leader == 0 {
            self.first = positions;
        }
        self.guess = f64::from(tricks);
        self.leaders[leader] = State::Solved;
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
    fn without_memory_for_it_nobody_tells_anything() {
        let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";
        let deal: Deal = deal.parse().expect("a deal");
        assert!(!Team::with_memory(2, LEAST_MEMORY + NEWS - 1).helps);
        assert!(Team::with_memory(2, LEAST_MEMORY + NEWS).helps);
        let mut team = Team::with_memory(2, LEAST_MEMORY);
        let mut alone = Solver::with_memory(LEAST_MEMORY);
        assert_eq!(team.table(&deal), alone.table(&deal));
        assert_eq!(team.positions_searched(), alone.positions_searched());
    }

    #[test]
    fn those_who_help_share_the_strains() {
        let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";
        let deal: Deal = deal.parse().expect("a deal");
        let work = Work::new(&deal, 2, true);
        let mut begun: Vec<usize> = std::iter::from_fn(|| work.begin()).collect();
        begun.sort_unstable();
        assert_eq!(begun, [0, 1, 2, 3, 4]);
        let offers = (0..2).filter_map(|_| work.offer());
        let helped: Vec<usize> = offers.map(|(place, ..)| place).collect();
        assert_eq!(helped.len(), 2);
        assert_ne!(helped[0], helped[1]);
        // A strain of which little is left is not worth it.
        for progress in lock(&work.strains).iter_mut() {
            for leader in 0..3 {
                progress.solved(leader, 7, 5_000);
            }
        }
        assert!(work.offer().is_none());
    }
}
