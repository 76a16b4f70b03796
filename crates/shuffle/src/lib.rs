//! Random streams and exactly uniform deals.
//!
//! [`FastDealer`] produces the deals of a key, 1024 at a time, in a few nanoseconds each. Deal number *i* is the same
//! on every machine, code path and number of threads. [`tournament`] produces deals for events, from a 256-bit secret
//! that can be verified afterwards. [`legacy`] reproduces the deals of the classic programs, bit for bit. [`draw_pool`]
//! draws a few cards from those that are left.
//!
//! ```
//! use croupier_shuffle::{Block, FastDealer, Key, Predeal};
//!
//! let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
//! let mut block = Block::new();
//! dealer.fill(0, &mut block)?;
//! assert_eq!(
//!     block.deal(0).to_string(),
//!     "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3"
//! );
//! # Ok::<(), croupier_shuffle::BlockNumberTooLarge>(())
//! ```

mod block;
mod chacha;
pub mod draw_pool;
mod draws;
mod fast;
mod key;
mod lanes;
pub mod legacy;
mod predeal;
mod swap;
pub mod tournament;
mod words;

pub use block::{BLOCK_DEALS, BLOCK_GROUPS, Block, GROUP_DEALS, Group, Plane};
pub use fast::{BLOCK_LIMIT, BlockNumberTooLarge, Checksum, FastDealer, ShufflePath};
pub use key::{Key, KeyError};
pub use predeal::{Predeal, PredealError};
pub use swap::{Swap, UnknownSwap};
pub use words::{BlockWords, DealRandom, RandomWords, Stream};
