//! The fast stream: exactly uniform deals, 1024 at a time, addressable by number.
//!
//! Cards are placed from the spade ace down to the club deuce. When n cards are left, the card goes to
//! a seat with f free places with probability f/n: a number v below n is compared with the cumulative
//! free places of North, North and East, and North, East and South. Multiplied over the pack this gives
//! every deal the probability 13!^4 / 52!.
//!
//! Four code paths give the same deals: [`ShufflePath::Avx512`], [`ShufflePath::Avx2`], [`ShufflePath::Portable`] (plain loops that
//! compilers vectorise for any 128-bit machine; WebAssembly has its own, `simd128`) and [`ShufflePath::OneLane`] (one deal
//! at a time, directly from the
//! definition, as a reference for tests).

use std::fmt;

use cards::{BySeat, CardSet, Deal, Seat, Suit};

use crate::block::{BLOCK_DEALS, BLOCK_GROUPS, Block, Group};
use crate::lanes::Lanes;
use crate::{Key, Predeal, Stream};

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod halves;
mod one_lane;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod wide;

/// Limit of block numbers: the keystream counter 4*block + 3 must fit in 64 bits.
pub const BLOCK_LIMIT: u64 = 1 << 62;

/// A code path that computes the deals. All paths give the same deals; only the time differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShufflePath {
    /// 64 lanes in 512-bit registers (x86-64 with AVX-512 F, BW and VBMI: Ice Lake, Zen 4 and later). Processors that
    /// split 512-bit operations into halves ([`cpu::works_in_halves`]) use 32 lanes in 256-bit registers.
    Avx512,
    /// 32 lanes in 256-bit registers (x86-64 with AVX2).
    Avx2,
    /// 32 lanes in plain arrays, on any machine.
    Portable,
    /// One lane after the other: slow and simple, for tests.
    OneLane,
}

impl ShufflePath {
    /// Every path, fastest first.
    pub const ALL: [ShufflePath; 4] = [
        ShufflePath::Avx512,
        ShufflePath::Avx2,
        ShufflePath::Portable,
        ShufflePath::OneLane,
    ];

    /// Returns whether this machine can run the path.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            ShufflePath::Avx512 => cpu::CpuPath::Avx512.is_available(),
            ShufflePath::Avx2 => cpu::CpuPath::Avx2.is_available(),
            ShufflePath::Portable | ShufflePath::OneLane => true,
        }
    }

    /// Returns the path that corresponds to [`cpu::CpuPath::best`].
    #[must_use]
    pub fn fastest() -> ShufflePath {
        match cpu::CpuPath::best() {
            cpu::CpuPath::Avx512 => ShufflePath::Avx512,
            cpu::CpuPath::Avx2 => ShufflePath::Avx2,
            // The compiler generates NEON code from the portable loops.
            cpu::CpuPath::Neon | cpu::CpuPath::Portable => ShufflePath::Portable,
        }
    }

    /// Returns the name for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ShufflePath::Avx512 => "avx512",
            ShufflePath::Avx2 => "avx2",
            ShufflePath::Portable => "portable",
            ShufflePath::OneLane => "one-lane",
        }
    }
}

impl fmt::Display for ShufflePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The predeal in the form that the kernels use.
#[derive(Clone, Debug)]
struct Placing {
    /// By card index: the bound n of the draw that places the card; 0 for a fixed card.
    bound: [u8; 52],
    /// Cumulative free places of N; N and E; N, E and S.
    thresholds: [u8; 3],
    /// Free ranks of each suit.
    free: [u16; 4],
    /// Fixed ranks by suit and seat.
    fixed: [[u16; 4]; 4],
    /// Whether any card is fixed. The kernels for vector registers are faster if none is.
    #[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
    any_fixed: bool,
}

impl Placing {
    fn new(predeal: &Predeal) -> Self {
        let free_cards = predeal.free_cards();
        let mut bound = [0; 52];
        for (placed, card) in free_cards.iter().enumerate() {
            bound[card.index()] = (free_cards.len() - placed) as u8;
        }
        let BySeat([n, e, s, _]) = predeal.free_places().map(|places| places as u8);
        let by_suit_and_seat =
            |suit: Suit| Seat::ALL.map(|seat| predeal.hand(seat).holding(suit).0);
        Placing {
            bound,
            thresholds: [n, n + e, n + e + s],
            free: Suit::ALL.map(|suit| free_cards.holding(suit).0),
            fixed: Suit::ALL.map(by_suit_and_seat),
            #[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
            any_fixed: !predeal.is_empty(),
        }
    }
}

/// Computes deals of the fast stream: deal *i* depends only on the key, *i* and the predeal.
///
/// ```
/// use croupier_shuffle::{FastDealer, Key, Predeal};
///
/// let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
/// assert_eq!(
///     dealer.deal(0).to_string(),
///     "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct FastDealer {
    key: Key,
    placing: Placing,
    path: ShufflePath,
}

impl FastDealer {
    /// Creates a dealer for a key and fixed cards, on the fastest path of this machine.
    #[must_use]
    pub fn new(key: Key, predeal: &Predeal) -> Self {
        FastDealer {
            key,
            placing: Placing::new(predeal),
            path: ShufflePath::fastest(),
        }
    }

    /// Selects a path; returns `None` if this machine cannot run it.
    #[must_use]
    pub fn on_path(self, path: ShufflePath) -> Option<Self> {
        path.is_available().then_some(FastDealer { path, ..self })
    }

    /// Returns the path in use.
    #[must_use]
    pub fn path(&self) -> ShufflePath {
        self.path
    }

    /// Returns the key of the deals.
    #[must_use]
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Computes deals `1024 * number ..` of the stream; no earlier block is needed.
    ///
    /// # Errors
    /// Returns an error if the number is [`BLOCK_LIMIT`] or more.
    pub fn fill(&self, number: u64, block: &mut Block) -> Result<(), BlockNumberTooLarge> {
        if number >= BLOCK_LIMIT {
            return Err(BlockNumberTooLarge(number));
        }
        self.fill_within_limit(number, block);
        Ok(())
    }

    /// Returns deal number `index` of the stream. Computes its whole block: for many deals use [`fill`](Self::fill).
    #[must_use]
    pub fn deal(&self, index: u64) -> Deal {
        let mut block = Block::new();
        self.fill_within_limit(index / BLOCK_DEALS as u64, &mut block);
        block.deal((index % BLOCK_DEALS as u64) as usize)
    }

    fn fill_within_limit(&self, number: u64, block: &mut Block) {
        let mut lanes = Lanes::seeded(&self.key, Stream::Deals, number);
        let groups = block.groups_mut();
        let mut rejected = [0; BLOCK_GROUPS];
        self.make(&mut lanes, groups, &mut rejected);
        self.repair(&mut lanes, groups, &rejected);
    }

    /// Computes the next groups of the stream, and the rejected lanes of each (bit = lane).
    fn make(&self, lanes: &mut Lanes, groups: &mut [Group], rejected: &mut [u32]) {
        match self.path {
            #[cfg(target_arch = "x86_64")]
            ShufflePath::Avx512 if cpu::works_in_halves() => {
                halves::make(lanes, &self.placing, groups, rejected);
            }
            #[cfg(target_arch = "x86_64")]
            ShufflePath::Avx512 => avx512::make(lanes, &self.placing, groups, rejected),
            #[cfg(target_arch = "x86_64")]
            ShufflePath::Avx2 => avx2::make(lanes, &self.placing, groups, rejected),
            #[cfg(not(target_arch = "x86_64"))]
            ShufflePath::Avx512 | ShufflePath::Avx2 => {
                portable::make(lanes, &self.placing, groups, rejected)
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            ShufflePath::Portable => simd128::make(lanes, &self.placing, groups, rejected),
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            ShufflePath::Portable => portable::make(lanes, &self.placing, groups, rejected),
            ShufflePath::OneLane => one_lane::make(lanes, &self.placing, groups, rejected),
        }
    }

    /// Replaces rejected lanes, in order, by the accepted lanes of further groups of the same stream.
    ///
    /// The cards of a rejected lane are never used, so the result is as uniform as the accepted lanes.
    fn repair(&self, lanes: &mut Lanes, groups: &mut [Group], rejected: &[u32]) {
        let mut spare = Group::EMPTY;
        let mut accepted = 0u32;
        for (group, &mask) in groups.iter_mut().zip(rejected) {
            let mut mask = mask;
            while mask != 0 {
                while accepted == 0 {
                    let mut spare_rejected = [0];
                    self.make(lanes, std::slice::from_mut(&mut spare), &mut spare_rejected);
                    accepted = !spare_rejected[0];
                }
                group.take_lane(
                    mask.trailing_zeros() as usize,
                    &spare,
                    accepted.trailing_zeros() as usize,
                );
                mask &= mask - 1;
                accepted &= accepted - 1;
            }
        }
    }
}

/// A block number beyond the end of the stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockNumberTooLarge(pub u64);

impl fmt::Display for BlockNumberTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "block number {} is too large: a stream has 2^62 blocks of 1024 deals",
            self.0
        )
    }
}

impl std::error::Error for BlockNumberTooLarge {}

/// FNV-1a-64 over the card sets N, E, S, W of deals, little-endian: a checksum of the stream for tests.
///
/// ```
/// use croupier_shuffle::{Block, Checksum, FastDealer, Key, Predeal};
///
/// let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
/// let mut block = Block::new();
/// dealer.fill(0, &mut block)?;
/// let mut checksum = Checksum::new();
/// (0..1024).for_each(|i| checksum.add(block.deal(i).hands()));
/// assert_eq!(checksum.to_string(), "ec03f6933a71c4e5");
/// # Ok::<(), croupier_shuffle::BlockNumberTooLarge>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checksum(u64);

impl Checksum {
    /// Creates the checksum of no deals.
    #[must_use]
    pub const fn new() -> Self {
        Checksum(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a deal's hands, North first.
    pub fn add(&mut self, hands: [CardSet; 4]) {
        for byte in hands.into_iter().flat_map(|hand| hand.0.to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Returns the value.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl Default for Checksum {
    fn default() -> Self {
        Checksum::new()
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
