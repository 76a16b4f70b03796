//! Solves one table with several threads.
//!
//! Each thread has its own solver and solves one strain after another, the hardest first. Strains share no results, and
//! a transposition table that stays with its thread stays in the caches of that processor core. A thread that finds no
//! strain left to start joins the strain with the most work left: it solves a leader that no other thread has taken, or
//! helps another thread with its leader ([`leader_search`]).

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use cards::{Deal, Seat, Strain, TrickTable};

use crate::equal_strains::EqualStrain;
use crate::guess;
use crate::position::Position;
use crate::search::SearchGroup;
use crate::solver::{DEFAULT_MEMORY, LEADERS, MIN_MEMORY, Solver, count, for_north_south};

mod leader_search;

use leader_search::{HelpOffer, Helpers, LeaderSearch, lock, receive};

/// Solvers that work together on one table at a time. The results are the same as those of one [`Solver`].
///
/// ```
/// use croupier_solver::{Solver, Team};
///
/// let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432".parse()?;
/// assert_eq!(Team::new(2).table(&deal), Solver::new().table(&deal));
/// # Ok::<(), cards::NotationError>(())
/// ```
pub struct Team {
    /// The solver of the calling thread.
    solver: Arc<Mutex<Solver>>,
    others: Vec<Worker>,
    /// Whether idle threads join the strains of others. It needs memory for the exchange of proofs.
    joins_strains: bool,
}

/// A further thread, which waits for tables until the team is dropped.
struct Worker {
    solver: Arc<Mutex<Solver>>,
    /// Sends tables to the thread. It answers through `done` when it has no work left.
    tables: Sender<Arc<Work>>,
    done: Receiver<()>,
}

/// Upper limit of threads: more would mostly join the same strain.
const MAX_THREADS: usize = 8;

/// Memory that each thread reserves for the exchange of proofs, in megabytes.
const EXCHANGE_MEMORY: u32 = 2;

/// Cost of searching for each of [`LEADERS`] relative to the first one, measured in positions of random deals.
const LEADER_COSTS: [f64; 4] = [1.0, 0.23, 0.425, 0.165];

/// Order in which a helper takes the remaining leaders of a strain. Opponents of the first leader come first: the
/// search for that leader's partner is mostly answered from the table already.
const HELPER_ORDER: [usize; 4] = [2, 3, 1, 0];

/// Fewest positions left, about a millisecond of work, for which a helper still saves time.
const MIN_WORK_TO_HELP: f64 = 1_000.0;

/// Progress of a strain.
struct Progress {
    strain: Strain,
    leaders: [LeaderState; 4],
    /// Expected tricks of North-South: an estimate from the hands, later the result of the leader solved last.
    guess: f64,
    /// Estimated difficulty of the strain, and the positions searched for the first leader.
    log_difficulty: f64,
    first_positions: u64,
    /// Threads that joined after the first.
    helpers: u32,
    row: [u8; 4],
}

/// Progress of a leader.
#[derive(Clone, Copy, PartialEq)]
enum LeaderState {
    Untaken,
    Taken,
    Solved,
}

/// The table being solved, shared by all threads.
struct Work {
    deal: Deal,
    /// The strains to solve; others are equal to one of them.
    strains: Mutex<Vec<Progress>>,
    leader_searches: [[LeaderSearch; 4]; 5],
    /// Groups through which the threads of each strain exchange proofs; created when a second thread joins.
    groups: [OnceLock<Arc<SearchGroup>>; 5],
    threads: usize,
    joins_strains: bool,
}

impl Team {
    /// Creates a team of `threads` threads with [`DEFAULT_MEMORY`] each.
    #[must_use]
    pub fn new(threads: usize) -> Team {
        Team::with_memory(threads, DEFAULT_MEMORY)
    }

    /// Creates a team of `threads` threads with `megabytes` of memory each. With less than 4 megabytes a thread without
    /// a strain waits instead of joining another.
    #[must_use]
    pub fn with_memory(threads: usize, megabytes: u32) -> Team {
        let threads = threads.clamp(1, MAX_THREADS);
        let joins_strains = threads > 1 && megabytes >= MIN_MEMORY + EXCHANGE_MEMORY;
        let megabytes = if joins_strains {
            megabytes - EXCHANGE_MEMORY
        } else {
            megabytes
        };
        let solver = || Arc::new(Mutex::new(Solver::with_memory(megabytes)));
        Team {
            solver: solver(),
            // If a thread cannot be started, the others do its work.
            others: (1..threads).map_while(|_| Worker::new(solver())).collect(),
            joins_strains,
        }
    }

    /// Returns all twenty results.
    #[must_use]
    pub fn table(&mut self, deal: &Deal) -> TrickTable {
        let work = Arc::new(Work::new(deal, 1 + self.others.len(), self.joins_strains));
        for worker in &self.others {
            worker.begin(&work);
        }
        work.run(&self.solver);
        self.others.iter().for_each(Worker::end);
        let mut table = TrickTable::default();
        for progress in lock(&work.strains).iter() {
            for (seat, tricks) in Seat::ALL.into_iter().zip(progress.row) {
                table.set(seat, progress.strain, tricks);
            }
        }
        for (strain, equal) in Strain::ALL.into_iter().zip(EqualStrain::of(deal)) {
            if let Some(equal) = equal {
                equal.copy(strain, &mut table);
            }
        }
        table
    }

    /// Returns the number of positions searched so far by all threads; see [`Solver::positions_searched`]. A position
    /// that two threads search counts twice.
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
    /// Starts a thread with this solver, or returns `None` if the system cannot start one.
    fn new(solver: Arc<Mutex<Solver>>) -> Option<Worker> {
        let (tables, works) = channel::<Arc<Work>>();
        let (ended, done) = channel();
        let own = Arc::clone(&solver);
        let run = move || {
            while let Some(work) = receive(&works) {
                work.run(&own);
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
        sent.expect("the thread waits for tables");
    }

    /// Waits until the thread has no work left.
    fn end(&self) {
        receive(&self.done).expect("the thread sends when it is done, unless it panicked");
    }
}

impl Work {
    fn new(deal: &Deal, threads: usize, joins_strains: bool) -> Work {
        let solved = Strain::ALL.into_iter().zip(EqualStrain::of(deal));
        let solved = solved.filter(|(_, equal)| equal.is_none());
        let strains = solved.map(|(strain, _)| Progress::new(deal, strain));
        Work {
            deal: *deal,
            strains: Mutex::new(strains.collect()),
            leader_searches: Strain::ALL.map(|_| LEADERS.map(|_| LeaderSearch::new())),
            groups: Default::default(),
            threads,
            joins_strains,
        }
    }

    /// Solves strains, then helps other threads, until no work is left.
    fn run(&self, solver: &Arc<Mutex<Solver>>) {
        self.solve_strains(solver);
        if self.joins_strains {
            self.help(solver);
        }
    }

    /// Solves one strain after another, until all are started.
    fn solve_strains(&self, solver: &Arc<Mutex<Solver>>) {
        while let Some(strain_index) = self.begin() {
            self.solve(strain_index, 0, [0, 1, 2, 3], solver);
        }
    }

    /// Joins strains that other threads solve, until no work is left.
    fn help(&self, solver: &Arc<Mutex<Solver>>) {
        while let Some((strain_index, leader, offer)) = self.offer() {
            if let Some(leader) = self.leader_searches[strain_index][leader].help(&offer, solver) {
                self.solve(strain_index, leader, HELPER_ORDER, solver);
            }
            lock(&self.strains)[strain_index].helpers -= 1;
        }
    }

    /// Takes the hardest strain that is not started, and its first leader.
    fn begin(&self) -> Option<usize> {
        let mut strains = lock(&self.strains);
        let strain_index = strain_with_most_left(&strains, |progress| {
            progress.leaders == [LeaderState::Untaken; 4]
        })?;
        strains[strain_index].leaders[0] = LeaderState::Taken;
        Some(strain_index)
    }

    /// Solves one leader of a strain, then the leaders that no thread has taken; helpers may join.
    fn solve(
        &self,
        strain_index: usize,
        leader: usize,
        order: [usize; 4],
        solver: &Arc<Mutex<Solver>>,
    ) {
        let mut next = Some(leader);
        while let Some(leader) = next {
            let before = lock(solver).positions_searched();
            let tricks = self.lead(strain_index, leader, solver);
            let positions = lock(solver).positions_searched() - before;
            next = {
                // The result is stored and the next leader taken under one lock, so that an unsolved strain always has
                // a thread that works on it.
                let progress = &mut lock(&self.strains)[strain_index];
                progress.solved(leader, tricks, positions);
                progress.take(order)
            };
            self.leader_searches[strain_index][leader].close();
        }
        lock(solver).engine.set_group(None);
    }

    /// Computes the tricks of North-South for one leader of a strain.
    fn lead(&self, strain_index: usize, leader: usize, solver: &Arc<Mutex<Solver>>) -> i32 {
        let (strain, guess) = {
            let progress = &lock(&self.strains)[strain_index];
            (progress.strain, progress.guess.round() as i32)
        };
        let group =
            || self.groups[strain_index].get_or_init(|| Arc::new(SearchGroup::new(self.threads)));
        let untaken = || lock(&self.strains)[strain_index].take(HELPER_ORDER);
        let mut helpers = Helpers::new(&group, &untaken);
        let declarer = LEADERS[leader].clockwise(3);
        let start = lock(solver).load(&Position::opening(&self.deal, declarer, strain));
        let notrump = strain == Strain::Notrump;
        count(start.tricks_left(), guess, |need| {
            self.leader_searches[strain_index][leader].test(
                solver,
                &mut helpers,
                notrump,
                &start,
                need,
            )
        })
    }

    /// Offers help with the strain that has the most work left, to the thread that solves its most expensive leader.
    fn offer(&self) -> Option<(usize, usize, HelpOffer)> {
        let mut strains = lock(&self.strains);
        let strain_index =
            strain_with_most_left(&strains, |progress| progress.hardest().is_some())?;
        let progress = &mut strains[strain_index];
        if progress.work_left() < MIN_WORK_TO_HELP {
            return None;
        }
        progress.helpers += 1;
        let leader = progress.hardest()?;
        Some((
            strain_index,
            leader,
            self.leader_searches[strain_index][leader].offer(),
        ))
    }
}

/// Returns the strain with the most work left among those that satisfy the predicate.
fn strain_with_most_left(strains: &[Progress], of: impl Fn(&Progress) -> bool) -> Option<usize> {
    let some = (0..strains.len()).filter(|&strain_index| of(&strains[strain_index]));
    some.max_by(|&a, &b| strains[a].work_left().total_cmp(&strains[b].work_left()))
}

impl Progress {
    fn new(deal: &Deal, strain: Strain) -> Progress {
        let guess = guess::north_south(deal, strain);
        Progress {
            strain,
            leaders: [LeaderState::Untaken; 4],
            guess,
            log_difficulty: log_difficulty(deal, strain, guess),
            first_positions: 0,
            helpers: 0,
            row: [0; 4],
        }
    }

    /// Takes the first leader in `order` that no thread has taken.
    fn take(&mut self, order: [usize; 4]) -> Option<usize> {
        let untaken = |leader: &usize| self.leaders[*leader] == LeaderState::Untaken;
        let leader = order.into_iter().find(untaken)?;
        self.leaders[leader] = LeaderState::Taken;
        Some(leader)
    }

    /// Returns the most expensive leader that a thread is solving.
    fn hardest(&self) -> Option<usize> {
        let taken = (0..LEADERS.len()).filter(|&k| self.leaders[k] == LeaderState::Taken);
        taken.max_by(|&a, &b| LEADER_COSTS[a].total_cmp(&LEADER_COSTS[b]))
    }

    /// Estimates the positions left to search, divided by the number of threads. Until the first leader is solved the
    /// estimate only ranks the strains, and is larger than any number of positions.
    fn work_left(&self) -> f64 {
        let work_left = match self.leaders[0] {
            LeaderState::Solved => {
                let open = LEADER_COSTS.iter().zip(self.leaders);
                let open = open.filter(|(_, state)| *state != LeaderState::Solved);
                self.first_positions as f64 * open.map(|(cost, _)| cost).sum::<f64>()
            }
            _ => 1e15 * self.log_difficulty.exp(),
        };
        work_left / f64::from(1 + self.helpers)
    }

    fn solved(&mut self, leader: usize, tricks: i32, positions: u64) {
        let declarer = LEADERS[leader].clockwise(3);
        self.row[declarer.index()] = for_north_south(declarer, tricks as u8, 13);
        if leader == 0 {
            self.first_positions = positions;
        }
        self.guess = f64::from(tricks);
        self.leaders[leader] = LeaderState::Solved;
    }
}

/// Estimates the difficulty of a strain: the logarithm of the positions searched, up to a constant. The coefficients
/// come from a regression over 400 random deals (correlation 0.58 within a deal).
fn log_difficulty(deal: &Deal, strain: Strain, guess: f64) -> f64 {
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
    fn helpers_do_not_change_the_results_and_repeat_little_work() {
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
            // Several threads may search the same position. If each searched everything, there would be at least twice
            // as many.
            let work = team.positions_searched() as f64 / alone.positions_searched() as f64;
            assert!(
                work < 1.0 + 0.2 * (threads as f64 - 1.0),
                "{threads}: {work}"
            );
        }
    }

    #[test]
    fn threads_exchange_no_proofs_with_little_memory() {
        let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";
        let deal: Deal = deal.parse().expect("a deal");
        assert!(!Team::with_memory(2, MIN_MEMORY + EXCHANGE_MEMORY - 1).joins_strains);
        assert!(Team::with_memory(2, MIN_MEMORY + EXCHANGE_MEMORY).joins_strains);
        let mut team = Team::with_memory(2, MIN_MEMORY);
        let mut alone = Solver::with_memory(MIN_MEMORY);
        assert_eq!(team.table(&deal), alone.table(&deal));
        assert_eq!(team.positions_searched(), alone.positions_searched());
    }

    #[test]
    fn helpers_join_different_strains() {
        let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";
        let deal: Deal = deal.parse().expect("a deal");
        let work = Work::new(&deal, 2, true);
        let mut begun: Vec<usize> = std::iter::from_fn(|| work.begin()).collect();
        begun.sort_unstable();
        assert_eq!(begun, [0, 1, 2, 3, 4]);
        let offers = (0..2).filter_map(|_| work.offer());
        let helped: Vec<usize> = offers.map(|(strain_index, ..)| strain_index).collect();
        assert_eq!(helped.len(), 2);
        assert_ne!(helped[0], helped[1]);
        // A strain with little work left gets no helper.
        for progress in lock(&work.strains).iter_mut() {
            for leader in 0..3 {
                progress.solved(leader, 7, 5_000);
            }
        }
        assert!(work.offer().is_none());
    }
}
