//! `croupier.poker.Game`: two ranges on a flop, turn or river, solved.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use croupier::poker::format_cards;
use croupier::poker_solver::postflop::{
    LockedNode, PostflopGoals, PostflopSolver, SolverOptions, SolverOutcome, Spot, StoragePrecision,
};
use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::files::{with_name, write_whole};
use crate::poker::TableArgument;
use crate::waiting::{Events, Link, wait};

/// Interval at which a call looks whether an interrupted run has ended.
const IDLE_POLL: Duration = Duration::from_millis(20);

/// A game of two ranges, with the strategies found so far.
#[pyclass(module = "croupier._croupier", frozen)]
pub struct PostflopGame {
    /// A thread that was left behind after Ctrl-C holds the lock until its iteration ends.
    solver: Arc<Mutex<PostflopSolver>>,
}

/// Options of the solver, as Python passes them: bits of stored numbers, threads, megabytes of memory.
#[derive(FromPyObject)]
struct OptionsArgument(Option<u8>, usize, u64);

impl OptionsArgument {
    fn read(&self) -> PyResult<SolverOptions> {
        let &OptionsArgument(bits, threads, memory) = self;
        let precision = match bits {
            None => None,
            Some(16) => Some(StoragePrecision::Compact),
            Some(32) => Some(StoragePrecision::Single),
            Some(64) => Some(StoragePrecision::Double),
            Some(other) => {
                return Err(value_error(format!(
                    "bits must be 16, 32 or 64, not {other}"
                )));
            }
        };
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(SolverOptions {
            precision,
            threads: if threads == 0 { all() } else { threads },
            memory: memory.saturating_mul(1 << 20),
        })
    }
}

/// Bits, decisions, bytes, and the number of hands of both players.
type Size = (u8, usize, u64, (usize, usize));

/// Path, board, street, player, pot, probability and expected values of a decision.
type Place = (String, &'static str, &'static str, f64, f64, (f64, f64));

/// A hand, its weight, the frequencies of the actions, its value, and the values of the actions.
type HandRow = (String, f64, Vec<f64>, Option<f64>, Vec<f64>);

/// A decision: its place, the actions with their frequencies, and the hands.
type Decision = (Place, Vec<(String, f64)>, Vec<HandRow>);

impl PostflopGame {
    fn of(solver: PostflopSolver) -> PostflopGame {
        PostflopGame {
            solver: Arc::new(Mutex::new(solver)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, PostflopSolver> {
        self.solver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no run holds the solver, and calls `work` without the interpreter lock.
    ///
    /// # Errors
    /// The exception of a signal handler (Ctrl-C) during the wait.
    fn when_idle<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&PostflopSolver) -> T + Send,
    ) -> PyResult<T> {
        while matches!(self.solver.try_lock(), Err(TryLockError::WouldBlock)) {
            py.check_signals()?;
            py.detach(|| thread::sleep(IDLE_POLL));
        }
        Ok(py.detach(|| work(&self.lock())))
    }
}

#[pymethods]
impl PostflopGame {
    #[new]
    #[pyo3(signature = (oop, ip, table, pot, stack, bets, raises, all_in_threshold, raise_limit, locks, options))]
    #[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
    fn new(
        py: Python<'_>,
        oop: &str,
        ip: &str,
        table: TableArgument,
        pot: f64,
        stack: f64,
        bets: Vec<String>,
        raises: Vec<String>,
        all_in_threshold: Option<f64>,
        raise_limit: Option<usize>,
        locks: Vec<String>,
        options: OptionsArgument,
    ) -> PyResult<PostflopGame> {
        let table = table.read()?;
        let ranges = [table.range(oop)?, table.range(ip)?];
        let mut spot = Spot::new(table.board, ranges, pot, stack);
        for list in &bets {
            let set = spot.bets.set(list, false);
            set.map_err(|error| value_error(format!("bets={list:?}: {error}")))?;
        }
        for list in &raises {
            let set = spot.raises.set(list, true);
            set.map_err(|error| value_error(format!("raises={list:?}: {error}")))?;
        }
        spot.all_in_threshold = all_in_threshold.unwrap_or(spot.all_in_threshold);
        spot.raise_limit = raise_limit.unwrap_or(spot.raise_limit);
        for lock in &locks {
            let read = LockedNode::parse(lock, &table.context());
            let read = read.map_err(|error| value_error(format!("lock={lock:?}: {error}")))?;
            spot.locks.push(read);
        }
        let options = options.read()?;
        let solver = py.detach(|| PostflopSolver::new(spot, options));
        Ok(PostflopGame::of(solver.map_err(value_error)?))
    }

    /// Reads a saved game.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, options: OptionsArgument) -> PyResult<PostflopGame> {
        let file = File::open(&path).map_err(|error| with_name(error, &path))?;
        let options = options.read()?;
        let solver = py.detach(|| PostflopSolver::load(BufReader::new(file), options));
        let solver = solver.map_err(|error| value_error(format!("{}: {error}", path.display())))?;
        Ok(PostflopGame::of(solver))
    }

    /// Writes the game to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.when_idle(py, |solver| write_whole(&path, |file| solver.save(file)))?
            .map_err(|error| with_name(error, &path))
    }

    /// Improves the strategies; returns the iterations done, the exploitability in chips, and whether it is reached.
    #[pyo3(signature = (exploitability, iterations, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        exploitability: f64,
        iterations: u32,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(u32, f64, bool)> {
        if !(0.0..=1.0).contains(&exploitability) {
            return Err(value_error(format!(
                "exploitability must be a share of the pot from 0 to 1, not {exploitability}"
            )));
        }
        let goals = PostflopGoals {
            exploitability,
            iterations,
            ..PostflopGoals::default()
        };
        let (link, solver) = (Link::default(), Arc::clone(&self.solver));
        let shared = link.clone();
        let work = move |_: &Events<(), SolverOutcome>| {
            let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
            solver.run(&goals, |progress| {
                shared.set_done(progress.iteration.into());
                !shared.is_cancelled()
            })
        };
        let outcome = wait(py, &link, progress, work, |()| Ok(()))?;
        Ok((outcome.iterations, outcome.exploitability, outcome.reached))
    }

    /// Number of iterations done.
    #[getter]
    fn iterations(&self, py: Python<'_>) -> PyResult<u32> {
        self.when_idle(py, PostflopSolver::iterations)
    }

    /// Size of the game.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<Size> {
        let size = self.when_idle(py, PostflopSolver::size)?;
        let bits = match size.precision {
            StoragePrecision::Compact => 16,
            StoragePrecision::Single => 32,
            StoragePrecision::Double => 64,
        };
        Ok((bits, size.decisions, size.bytes, size.hands.into()))
    }

    /// Expected chips of both players.
    #[getter]
    fn expected_values(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.when_idle(py, PostflopSolver::expected_values)
            .map(Into::into)
    }

    /// Returns a decision.
    fn report(&self, py: Python<'_>, path: &str) -> PyResult<Decision> {
        let found = self.when_idle(py, |solver| solver.report(path))?;
        let report = found.map_err(|error| value_error(format!("{path:?}: {error}")))?;
        let place = (
            format_cards(report.board),
            report.street.name(),
            ["oop", "ip"][report.player],
            report.pot,
            report.probability,
            report.expected_values.into(),
        );
        let names = report.actions.iter().map(ToString::to_string);
        let actions = names.zip(report.frequencies).collect();
        let hands = report.hands.into_iter().map(|hand| {
            let cards = format_cards(hand.hand);
            let value = hand.expected_value;
            (cards, hand.weight, hand.strategy, value, hand.action_values)
        });
        Ok((place, actions, hands.collect()))
    }
}
