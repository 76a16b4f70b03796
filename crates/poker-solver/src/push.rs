//! Push or fold: every player goes all-in or folds before the flop.
//!
//! # The model
//! Players act in turn, the big blind last. The first player who does not fold pushes; the players after the pusher
//! call or fold, and **the first caller ends the betting: there are no overcalls**. All hands are dealt from the deck
//! without the pusher's cards, so card removal between the pusher and the caller is exact; hands of players who folded
//! do not change the odds. With two players this is the exact game.
//!
//! Payoffs are chips, or shares of prizes by the independent chip model (Malmuth and Harville, see [`icm`]).
//!
//! # The iteration
//! Regret matching with predictions (Farina, Kroer and Sandholm, 2021): every decision of every kind of hand (AKs, 77) has
//! a regret for pushing or calling; the next strategy is proportional to the positive part of the regrets plus the last
//! gain, and strategies are averaged with weights that grow with the square of the iteration. With two players and chips, the game is
//! zero-sum and the average converges to an equilibrium. With more players or prizes there is no such theorem; the
//! iteration stops when no player can gain more than the tolerance, and [`PushSolution::largest_gain`] is what remains.

pub mod icm;
mod match_ups;
mod model;
mod response;
mod solve;

pub use model::{MAX_SEATS, Payoffs, PushGame, PushGameError};
pub use response::gains;
pub use solve::{PushGoals, PushSolution, solve};

pub use match_ups::KINDS;
pub use model::{Decision, PushStrategy};
