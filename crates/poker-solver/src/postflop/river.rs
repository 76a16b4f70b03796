//! Showdowns: all hands of a river sorted by strength, and the sums for the payoffs.
//!
//! A hand {a, b} meets the opponent's hands that contain neither a nor b. Given the weight of a set of the opponent's
//! hands, in total and by card, that is the total minus the sums of both cards, plus the hand {a, b} itself, which was
//! subtracted twice.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use cards::CardSet;
use poker::evaluate7;

use super::deals::{Hands, NONE, same_places};

/// A number type: single precision while solving, double precision for results and small games.
pub(super) trait Number:
    Copy
    + Default
    + Send
    + Sync
    + PartialOrd
    + AddAssign
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn of(value: f64) -> Self;

    fn get(self) -> f64;

    /// Returns the number if it is positive, else zero.
    fn positive(self) -> Self {
        if self > Self::default() {
            self
        } else {
            Self::default()
        }
    }
}

impl Number for f32 {
    fn of(value: f64) -> f32 {
        value as f32
    }

    fn get(self) -> f64 {
        self.into()
    }
}

impl Number for f64 {
    fn of(value: f64) -> f64 {
        value
    }

    fn get(self) -> f64 {
        self
    }
}

/// The weight of a set of hands, in total and by card.
struct Sums<T> {
    all: T,
    /// Large enough for any six-bit index.
    by_card: [T; 64],
}

impl<T: Number> Sums<T> {
    fn new() -> Sums<T> {
        Sums {
            all: T::default(),
            by_card: [T::default(); 64],
        }
    }

    fn add(&mut self, cards: &[[u8; 2]], weights: &[T]) {
        for (&[a, b], &weight) in cards.iter().zip(weights) {
            self.all += weight;
            self.by_card[usize::from(a & 63)] += weight;
            self.by_card[usize::from(b & 63)] += weight;
        }
    }

    /// Returns the weight minus that of both cards. A hand of these two cards is subtracted twice.
    fn without(&self, &[a, b]: &[u8; 2]) -> T {
        self.all - self.by_card[usize::from(a & 63)] - self.by_card[usize::from(b & 63)]
    }
}

/// The hands of a player on a river, worst first.
#[derive(Debug)]
pub(super) struct Side {
    /// Indices in the player's list of hands.
    pub hands: Vec<u16>,
    pub cards: Vec<[u8; 2]>,
    /// The index of the hand on the other side, or [`NONE`].
    pub same: Vec<u16>,
}

/// A river.
#[derive(Debug)]
pub(super) struct River {
    pub sides: [Side; 2],
    /// For each strength, the weakest first: the index after its last hand, for both players.
    groups: Vec<[u16; 2]>,
}

impl River {
    pub fn new(board: CardSet, hands: &[Hands; 2]) -> River {
        let sorted = [0, 1].map(|player: usize| {
            let mut ranked: Vec<(u16, u16)> = (0u16..)
                .zip(&hands[player].sets)
                .filter(|(_, hand)| hand.is_disjoint(board))
                // The best hand has the smallest rank: sorted by the complement, the worst comes first.
                .map(|(place, &hand)| (u16::MAX - evaluate7(hand | board).0, place))
                .collect();
            ranked.sort_unstable();
            ranked
        });
        let mut groups = Vec::new();
        let mut ends = [0usize; 2];
        while let Some(strength) = (0..2)
            .filter_map(|player| sorted[player].get(ends[player]).map(|hand| hand.0))
            .min()
        {
            for player in 0..2 {
                let rest = sorted[player][ends[player]..].iter();
                ends[player] += rest.take_while(|hand| hand.0 == strength).count();
            }
            groups.push(ends.map(|end| end as u16));
        }
        let set = |player: usize, place: u16| hands[player].sets[usize::from(place)];
        let side = |player: usize| {
            let places: Vec<u16> = sorted[player].iter().map(|hand| hand.1).collect();
            let sets: Vec<CardSet> = places.iter().map(|&place| set(player, place)).collect();
            let others = sorted[1 - player]
                .iter()
                .map(|hand| set(1 - player, hand.1));
            Side {
                cards: places
                    .iter()
                    .map(|&place| hands[player].cards[usize::from(place)])
                    .collect(),
                same: same_places(&sets, others),
                hands: places,
            }
        };
        River {
            sides: [side(0), side(1)],
            groups,
        }
    }

    /// Returns the memory in use in bytes.
    pub fn bytes(&self) -> usize {
        let side = |side: &Side| 6 * side.hands.len();
        side(&self.sides[0]) + side(&self.sides[1]) + 4 * self.groups.len()
    }

    /// Computes the gain of each hand of `player` at a showdown for `amount` against hands with the weights `reach`.
    pub fn showdown<T: Number>(&self, player: usize, reach: &[T], amount: T, values: &mut [T]) {
        let (own, other) = (&self.sides[player], &self.sides[1 - player]);
        // Wins minus losses are the weight below, plus the weight below or equal, minus the total. Each weight is added
        // once and read three times, because reading sums that were just written is slow.
        let mut sums = Sums::<T>::new();
        let (mut mine, mut theirs) = (0, 0);
        for ends in &self.groups {
            let mine_end = usize::from(ends[player]);
            let theirs_end = usize::from(ends[1 - player]);
            let hands = values[mine..mine_end]
                .iter_mut()
                .zip(&own.cards[mine..mine_end]);
            hands.for_each(|(value, cards)| *value = sums.without(cards));
            sums.add(&other.cards[theirs..theirs_end], &reach[theirs..theirs_end]);
            let hands = values[mine..mine_end]
                .iter_mut()
                .zip(&own.cards[mine..mine_end]);
            hands.for_each(|(value, cards)| *value += sums.without(cards));
            (mine, theirs) = (mine_end, theirs_end);
        }
        for (value, cards) in values.iter_mut().zip(&own.cards) {
            *value = amount * (*value - sums.without(cards));
        }
    }

    /// Computes for each hand of `player` the weight of the opponent's hands without a common card, times `amount`.
    pub fn meet<T: Number>(&self, player: usize, reach: &[T], amount: T, values: &mut [T]) {
        let (own, other) = (&self.sides[player], &self.sides[1 - player]);
        meet(&own.cards, &own.same, &other.cards, reach, amount, values);
    }
}

/// Computes for each hand with `own_cards` the weight of the other hands that share no card with it, times `amount`.
pub(super) fn meet<T: Number>(
    own_cards: &[[u8; 2]],
    same: &[u16],
    other_cards: &[[u8; 2]],
    reach: &[T],
    amount: T,
    values: &mut [T],
) {
    let mut sums = Sums::new();
    sums.add(other_cards, reach);
    for ((value, cards), &same) in values.iter_mut().zip(own_cards).zip(same) {
        let twice = if same == NONE {
            T::default()
        } else {
            reach[usize::from(same)]
        };
        *value = amount * (sums.without(cards) + twice);
    }
}
