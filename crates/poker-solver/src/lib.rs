//! Equilibria of two kinds of hold'em games.
//!
//! [`push`] solves push-or-fold games of two to nine players, in chips or with the payouts of a tournament (ICM).
//! [`postflop`] solves games of two ranges from the flop, turn or river on, by discounted counterfactual regret
//! minimisation over all hands.
//!
//! ```
//! use poker::parse_cards;
//! use croupier_poker_solver::postflop::{PostflopSolver, SolverOptions, Spot, PostflopGoals};
//!
//! // Aces or queens against kings: aces bet, some queens bluff, some kings call.
//! let board = parse_cards("2c2d2h2s3c")?;
//! let spot = Spot::new(board, ["AsAh,QsQh".parse()?, "KsKh".parse()?], 100.0, 100.0);
//! let mut solver = PostflopSolver::new(spot.with_sizes("a", "none")?, SolverOptions::default())?;
//! let outcome = solver.run(&PostflopGoals::default(), |_| true);
//! assert!(outcome.reached);
//! // Half of the time the aces win all: the pot, and the bet half of the time.
//! assert!((solver.expected_values()[0] - 75.0).abs() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod postflop;
pub mod push;
