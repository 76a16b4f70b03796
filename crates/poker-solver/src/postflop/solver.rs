//! The solver: iterates until a goal is reached.

use super::cfr::{Discounts, Scratch, Walk};
use super::evaluate::{Evaluation, Play};
use super::game::Game;
use super::river::{Number, River};
use super::spot::{Spot, SpotError};
use super::storage::{Storage, StoragePrecision};
use super::tree::Extent;

/// Options of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// The number format of stored values; `None` means [`StoragePrecision::Single`] on the river and [`StoragePrecision::Compact`]
    /// before.
    pub precision: Option<StoragePrecision>,
    /// Number of threads. The result does not depend on it. Threads divide only the cards to be dealt.
    pub threads: usize,
    /// Maximum memory in bytes.
    pub memory: u64,
}

impl Default for SolverOptions {
    /// Returns the default options: one thread and 4 GiB.
    fn default() -> SolverOptions {
        SolverOptions {
            precision: None,
            threads: 1,
            memory: 4 << 30,
        }
    }
}

/// The size of a game, known before it is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSize {
    /// Bytes of memory.
    pub bytes: u64,
    /// Number of decisions, on all boards that are played out.
    pub decisions: usize,
    /// Number of hands of each player.
    pub hands: [usize; 2],
    /// The number format of stored values.
    pub precision: StoragePrecision,
}

/// The goals of a run. It stops when one is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PostflopGoals {
    /// The target exploitability as a share of the pot.
    pub exploitability: f64,
    /// Maximum number of iterations, including those before a resumption.
    pub iterations: u32,
    /// Iterations between two computations of the exploitability.
    pub check_every: u32,
}

impl Default for PostflopGoals {
    /// Returns the default goals: 0.1 % of the pot, checked every 10 iterations, at most 10,000.
    fn default() -> PostflopGoals {
        PostflopGoals {
            exploitability: 0.001,
            iterations: 10_000,
            check_every: 10,
        }
    }
}

/// The progress of a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverProgress {
    /// Iterations done.
    pub iteration: u32,
    /// The last exploitability that was computed, in chips.
    pub exploitability: Option<f64>,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverOutcome {
    /// Iterations done.
    pub iterations: u32,
    /// The exploitability in chips.
    pub exploitability: f64,
    /// Whether the target exploitability is reached.
    pub reached: bool,
    /// Whether the caller cancelled the run.
    pub cancelled: bool,
}

/// A solver of a game.
#[derive(Debug)]
pub struct PostflopSolver {
    pub(super) game: Game,
    pub(super) storage: Storage,
    pub(super) precision: StoragePrecision,
    pub(super) iteration: u32,
    threads: usize,
}

/// Returns the memory besides the storage in bytes: tables of rivers, and buffers of every thread.
fn other_bytes(game: &Game, threads: usize) -> u64 {
    let rivers: usize = game.deals.rivers.iter().map(River::bytes).sum();
    let hands = game.deals.hands[0].len() + game.deals.hands[1].len();
    // A walk holds a few vectors of hands for every node on its path.
    let buffers = threads * hands * 64 * 8;
    (rivers + buffers) as u64
}

impl PostflopSolver {
    /// Prepares a spot and returns its size, without allocating the storage.
    ///
    /// # Errors
    /// Reports an invalid spot.
    pub fn estimate(spot: &Spot, options: &SolverOptions) -> Result<GameSize, SpotError> {
        let game = Game::new(spot.clone())?;
        Ok(estimate(&game, options))
    }

    /// Prepares a spot.
    ///
    /// # Errors
    /// Reports an invalid spot, or one that needs more memory than the options allow.
    pub fn new(spot: Spot, options: SolverOptions) -> Result<PostflopSolver, SpotError> {
        let game = Game::new(spot)?;
        let needed = estimate(&game, &options);
        if needed.bytes > options.memory {
            return Err(SpotError::Memory(needed.bytes, options.memory));
        }
        Ok(PostflopSolver {
            storage: Storage::new(needed.precision, game.extent()),
            precision: needed.precision,
            game,
            iteration: 0,
            threads: options.threads.max(1),
        })
    }

    /// Returns the spot.
    #[must_use]
    pub fn spot(&self) -> &Spot {
        &self.game.spot
    }

    /// Returns the number of iterations done.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.iteration
    }

    /// Changes the number of threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Returns the size of the game.
    #[must_use]
    pub fn size(&self) -> GameSize {
        let options = SolverOptions {
            precision: Some(self.precision),
            threads: self.threads,
            memory: 0,
        };
        estimate(&self.game, &options)
    }

    /// Does one iteration: an update of each player.
    pub fn step(&mut self) {
        for player in 0..2 {
            match self.precision {
                StoragePrecision::Double => self.update::<f64>(player),
                StoragePrecision::Single | StoragePrecision::Compact => self.update::<f32>(player),
            }
        }
        self.iteration += 1;
    }

    fn update<T: Number>(&mut self, player: usize) {
        let walk = Walk {
            game: &self.game,
            player,
            iteration: self.iteration,
            discounts: Discounts::of(self.iteration),
            threads: self.threads,
        };
        let root = &self.game.deals.root;
        let reach: Vec<T> = self.game.weights(1 - player);
        let mut values = vec![T::default(); self.game.deals.sizes(root)[player]];
        walk.visit(
            0,
            root,
            &mut self.storage.slab(),
            &reach,
            &mut values,
            &mut Scratch::default(),
        );
    }

    /// Returns the gain of a player with one of the two strategies, summed over the player's range and divided by the
    /// weight of all deals: chips beyond half of the pot.
    fn gain(&self, player: usize, play: Play) -> f64 {
        let evaluation = Evaluation {
            game: &self.game,
            storage: &self.storage,
            player,
            play,
            threads: self.threads,
        };
        let root = &self.game.deals.root;
        let reach = self.game.weights(1 - player);
        let values = evaluation.values(0, root, Extent::default(), &reach);
        let weights: Vec<f64> = self.game.weights(player);
        let sum: f64 = weights
            .iter()
            .zip(&values)
            .map(|(weight, value)| weight * value)
            .sum();
        sum / self.game.deals_weight
    }

    /// Returns the exploitability in chips: half of what best responses to both average strategies win together.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        (self.gain(0, Play::Best) + self.gain(1, Play::Best)) / 2.0
    }

    /// Returns the expected values of both players in chips; together they are the pot.
    #[must_use]
    pub fn expected_values(&self) -> [f64; 2] {
        let gain = self.gain(0, Play::Average);
        let half = self.game.spot.pot / 2.0;
        [half + gain, half - gain]
    }

    /// Iterates until a goal of `stop` is reached or `keep_going`, called after every iteration, returns false.
    pub fn run(
        &mut self,
        stop: &PostflopGoals,
        mut keep_going: impl FnMut(&SolverProgress) -> bool,
    ) -> SolverOutcome {
        let goal = stop.exploitability * self.game.spot.pot;
        let mut last = None;
        let mut cancelled = false;
        while self.iteration < stop.iterations {
            self.step();
            if self.iteration.is_multiple_of(stop.check_every.max(1)) {
                last = Some((self.iteration, self.exploitability()));
            }
            let progress = SolverProgress {
                iteration: self.iteration,
                exploitability: last.map(|last| last.1),
            };
            if last.is_some_and(|last| last.1 <= goal) {
                break;
            }
            if !keep_going(&progress) {
                cancelled = true;
                break;
            }
        }
        let known = last
            .filter(|last| last.0 == self.iteration)
            .map(|last| last.1);
        let exploitability = known.unwrap_or_else(|| self.exploitability());
        SolverOutcome {
            iterations: self.iteration,
            exploitability,
            reached: exploitability <= goal,
            cancelled,
        }
    }
}

fn estimate(game: &Game, options: &SolverOptions) -> GameSize {
    let default = match game.deals.root.river {
        Some(_) => StoragePrecision::Single,
        None => StoragePrecision::Compact,
    };
    let precision = options.precision.unwrap_or(default);
    let extent = game.extent();
    GameSize {
        bytes: precision.bytes(extent) + other_bytes(game, options.threads.max(1)),
        decisions: extent.decisions,
        hands: game.deals.sizes(&game.deals.root),
        precision,
    }
}
