//! Deals for events: each of the 5.36e28 deals is reachable, and each deal uses 128 new bits of ChaCha20 under a
//! 256-bit secret, so that earlier boards give no information about later ones.
//!
//! Before the event the organiser publishes [`Key::commitment`]; afterwards the key. Then anyone can reproduce the
//! boards: deal *i* takes the first 16 bytes of the ChaCha20 block with counter *i* and stream 2 as a little-endian
//! number X, and has the rank floor(X * D / 2^128) among the D deals. (A number X that would make some deals more
//! likely, one in 2^32, is replaced by the next 16 bytes.)
//!
//! ```
//! use croupier_shuffle::{Key, tournament};
//!
//! let key = Key::from_seed(1);
//! assert_eq!(
//!     tournament::deal(&key, 0).to_string(),
//!     "N:T6.853.QJ9.KQT76 9843.AT.T8432.J3 K75.J9.AK7.A9854 AQJ2.KQ7642.65.2"
//! );
//! ```

use cards::{CardSet, Deal};

use crate::draw_pool;
use crate::{DealRandom, Key, RandomWords, Stream};

/// `CHOOSE[n][k]`: the number of k-subsets of n, for the 13-card hands of a pack. Rows are padded to 16 entries.
static CHOOSE: [[u64; 16]; 53] = {
    let mut table = [[0; 16]; 53];
    let mut n = 0;
    while n < 53 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 14 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The boards of a key in sequence, faster than separate calls of [`deal`].
///
/// ```
/// use croupier_shuffle::{Key, tournament::{self, Boards}};
///
/// let key = Key::from_seed(1);
/// let mut boards = Boards::new(&key);
/// assert!((0..10).all(|index| boards.deal(index) == tournament::deal(&key, index)));
/// ```
#[derive(Clone, Debug)]
pub struct Boards(DealRandom);

impl Boards {
    /// Creates the boards of a key.
    #[must_use]
    pub fn new(key: &Key) -> Boards {
        Boards(DealRandom::on(Stream::Tournament, key, 0))
    }

    /// Returns board `index` (from 0), in any order.
    #[must_use]
    pub fn deal(&mut self, index: u64) -> Deal {
        self.0.restart(index);
        unrank(self.0.below128(Deal::COUNT))
    }
}

/// Returns board `index` (from 0) of a key.
#[must_use]
pub fn deal(key: &Key, index: u64) -> Deal {
    unrank(DealRandom::on(Stream::Tournament, key, index).below128(Deal::COUNT))
}

/// Returns the deal of this rank, 0 .. [`Deal::COUNT`] - 1 (higher ranks wrap around).
///
/// North's hand is the most significant digit, then East's among the 39 cards left, then South's
/// among 26; each is a 13-subset in colexicographic order of ascending cards.
#[must_use]
pub fn unrank(rank: u128) -> Deal {
    let south_hands = u128::from(CHOOSE[26][13]);
    let east_hands = u128::from(CHOOSE[39][13]);
    let rank = rank % Deal::COUNT;
    let (rest, south_rank) = (rank / south_hands, (rank % south_hands) as u64);
    let (north_rank, east_rank) = ((rest / east_hands) as u64, (rest % east_hands) as u64);

    let [north, east, south] = subsets([north_rank, east_rank, south_rank]);
    let north = CardSet(north);
    let left = !north;
    let east = CardSet(draw_pool::deposit(east, left.0));
    let left = left - east;
    let south = CardSet(draw_pool::deposit(south, left.0));
    Deal::from_valid_hands([north, east, south, left - south])
}

/// Returns the rank of a deal, the inverse of [`unrank`].
#[must_use]
pub fn rank(deal: &Deal) -> u128 {
    let [north, east, south, _] = deal.hands();
    let left = !north;
    let north_rank = subset_rank(north.0);
    let east_rank = subset_rank(draw_pool::extract(east.0, left.0));
    let south_rank = subset_rank(draw_pool::extract(south.0, (left - east).0));
    let rest = u128::from(north_rank) * u128::from(CHOOSE[39][13]) + u128::from(east_rank);
    rest * u128::from(CHOOSE[26][13]) + u128::from(south_rank)
}

/// Returns the 13-subsets of 52, 39 and 26 places with these colexicographic ranks.
///
/// Each step depends on the one before, so the three are computed side by side. There are no branches, because they
/// would be unpredictable.
fn subsets(ranks: [u64; 3]) -> [u64; 3] {
    let mut subsets = ranks.map(|rank| Subset {
        bits: 0,
        rank,
        left: 13,
    });
    let [north, east, south] = &mut subsets;
    for place in (39..52).rev() {
        north.test_place(place);
    }
    for place in (26..39).rev() {
        north.test_place(place);
        east.test_place(place);
    }
    for place in (0..26).rev() {
        north.test_place(place);
        east.test_place(place);
        south.test_place(place);
    }
    subsets.map(|subset| subset.bits)
}

/// A subset whose members are found one by one, highest first.
struct Subset {
    bits: u64,
    rank: u64,
    /// Members still to be found, at most 13.
    left: usize,
}

impl Subset {
    /// Tests one place: the largest place p with C(p, k) <= rank holds the k-th member. If no member is left, C(p, 0) =
    /// 1 is more than the rank, which is 0 then.
    #[inline(always)]
    fn test_place(&mut self, place: usize) {
        let below = CHOOSE[place][self.left & 15];
        let member = u64::from(below <= self.rank);
        self.rank -= below & member.wrapping_neg();
        self.bits |= member << place;
        self.left -= member as usize;
    }
}

fn subset_rank(bits: u64) -> u64 {
    let (mut bits, mut rank, mut k) = (bits, 0, 1);
    while bits != 0 {
        rank += CHOOSE[bits.trailing_zeros() as usize][k];
        bits &= bits - 1;
        k += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ranks_end_with_the_highest_hands() {
        assert_eq!(
            unrank(0).hands(),
            [0, 1, 2, 3].map(|seat| CardSet(0x1fff << (13 * seat)))
        );
        assert_eq!(
            unrank(Deal::COUNT - 1).hands(),
            [3, 2, 1, 0].map(|seat| CardSet(0x1fff << (13 * seat)))
        );
        assert_eq!(unrank(Deal::COUNT), unrank(0));
    }

    #[test]
    fn the_digits_multiply_to_all_deals() {
        let product =
            u128::from(CHOOSE[52][13]) * u128::from(CHOOSE[39][13]) * u128::from(CHOOSE[26][13]);
        assert_eq!(product, Deal::COUNT);
    }

    proptest! {
        #[test]
        fn rank_and_unrank_are_inverse(number in 0..Deal::COUNT) {
            let deal = unrank(number);
            prop_assert!(Deal::new(deal.hands()).is_ok());
            prop_assert_eq!(rank(&deal), number);
        }
    }
}
