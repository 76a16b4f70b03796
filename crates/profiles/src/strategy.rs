//! The two strategies that deal and check: plain shuffling and pre-allocation.

use cards::{BySeat, CardSet, Deal, Seat};
use shuffle::draw_pool::DrawPool;
use shuffle::{BLOCK_DEALS, Block, FastDealer, Key, Predeal, RandomWords};

use crate::demand::Demand;

/// The method of finding the cards of a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DealingStrategy {
    /// Draws exactly uniformly among all deals that satisfy the demands.
    Exact,
    /// Shuffles and checks until a deal fits.
    Plain,
    /// Gives tight seats some of their cards in advance, fills up and checks until a deal fits. The result is biased.
    Preallocate(Preallocation),
}

impl DealingStrategy {
    /// Returns the default for the maximum number of attempts per board. An attempt of pre-allocation costs more.
    #[must_use]
    pub fn default_max_attempts(&self) -> u64 {
        match self {
            DealingStrategy::Preallocate(_) => 10_000,
            DealingStrategy::Exact | DealingStrategy::Plain => 10_000_000,
        }
    }
}

/// The two parameters of pre-allocation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preallocation {
    /// A seat is tight if one of its suits has at most this probability of being long enough.
    pub shape_prob_threshold: f64,
    /// The share of each minimum that a tight seat gets in advance.
    pub pre_allocate_fraction: f64,
}

impl Default for Preallocation {
    fn default() -> Self {
        Preallocation {
            shape_prob_threshold: 0.19,
            pre_allocate_fraction: 0.50,
        }
    }
}

/// Returns the probability that a random hand has at least `least` cards of a given suit.
///
/// ```
/// assert!((croupier_profiles::at_least(5) - 0.1763).abs() < 5e-5);
/// ```
#[must_use]
pub fn at_least(least: u8) -> f64 {
    let choose =
        |n: u64, k: u64| (0..k).fold(1u128, |c, i| c * u128::from(n - i) / u128::from(i + 1));
    let hands: u128 = (u64::from(least)..=13)
        .map(|k| choose(13, k) * choose(39, 13 - k))
        .sum();
    hands as f64 / choose(52, 13) as f64
}

/// The attempts of one board by plain shuffling: a separate range of the deals of the key.
pub(crate) struct PlainAttempts {
    dealer: FastDealer,
    block: Box<Block>,
    next: u64,
    first_block: u64,
}

/// Blocks of 1024 deals that belong to one board: more than a thousand million attempts.
const BLOCKS_PER_BOARD: u64 = 1 << 20;

impl PlainAttempts {
    pub fn new(key: Key, board: u64) -> Self {
        PlainAttempts {
            dealer: FastDealer::new(key, &Predeal::NONE),
            block: Box::new(Block::new()),
            next: 0,
            first_block: (board % (1 << 40)) * BLOCKS_PER_BOARD,
        }
    }

    pub fn next_deal(&mut self) -> Deal {
        let deals = BLOCK_DEALS as u64;
        let place = (self.next % deals) as usize;
        if place == 0 {
            let number = self.first_block + self.next / deals % BLOCKS_PER_BOARD;
            // The number is below 2^60, which is always valid.
            let _ = self.dealer.fill(number, &mut self.block);
        }
        self.next += 1;
        self.block.deal(place)
    }
}

impl Preallocation {
    /// Returns which seats get cards in advance.
    #[must_use]
    pub fn tight_seats(&self, demands: &BySeat<Demand>) -> BySeat<bool> {
        demands.each_ref().map(|demand| {
            demand
                .ranges()
                .values()
                .any(|r| at_least(r.min_cards) <= self.shape_prob_threshold)
        })
    }

    /// Makes one attempt: cards in advance for tight seats, then random cards, in dealing order.
    pub(crate) fn attempt(
        &self,
        demands: &BySeat<Demand>,
        tight: BySeat<bool>,
        order: [Seat; 4],
        random: &mut impl RandomWords,
    ) -> Deal {
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        let mut left = CardSet::FULL;
        for seat in order {
            let mut hand = CardSet::EMPTY;
            if tight[seat] {
                for (suit, range) in demands[seat].ranges() {
                    let advance = f64::from(range.min_cards) * self.pre_allocate_fraction;
                    let room = 13 - hand.len();
                    let count = (advance.floor() as u32).min(room as u32);
                    hand |= draw(left & CardSet::of_suit(suit), count, random);
                }
            }
            left -= hand;
            let rest = draw(left, 13 - hand.len() as u32, random);
            left -= rest;
            hands[seat] = hand | rest;
        }
        Deal::from_valid_hands(hands.0)
    }
}

fn draw(cards: CardSet, count: u32, random: &mut impl RandomWords) -> CardSet {
    CardSet(DrawPool::new(cards.0).draw_set(count, random))
}

/// Deals at random.
pub(crate) fn random_deal(random: &mut impl RandomWords) -> Deal {
    let mut left = CardSet::FULL;
    let hands = Seat::ALL.map(|_| {
        let hand = draw(left, 13, random);
        left -= hand;
        hand
    });
    Deal::from_valid_hands(hands)
}
