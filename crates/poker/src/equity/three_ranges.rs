//! Three ranges: all boards, with every hand ranked once per board.
//!
//! On a board all hands are sorted by rank and visited from the worst up, in groups of equal rank. For each hand of one
//! player, the pass counts the pairs of the other players' hands that are worse, or equal, and share no card with it
//! or with each other. With the weights by card and by pair of cards of the hands visited so far this takes one step
//! for each card of the deck: pairs in all, less the pairs that share a card, for each card that they may share. Pairs of
//! the same two cards share two and are added once. The work per board grows with the number of hands, not of
//! combinations of hands.

use std::collections::BTreeMap;

use cards::CardSet;

use super::boards::Board;
use super::sorted_hands::{SortedHands, place, strength};
use crate::Rules;

/// The number of cards.
const DECK: usize = 52;
/// The two others of each player.
const OTHERS: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

/// A hand that some players may hold.
#[derive(Clone, Copy)]
struct Entry {
    cards: [usize; 2],
    weights: [u32; 3],
}

/// The weights of some hands of one player, in total, by card and by pair of cards.
#[derive(Clone)]
struct Sums {
    all: u64,
    by_card: [u32; DECK],
    by_pair: Vec<[u32; DECK]>,
}

impl Sums {
    fn new() -> Sums {
        Sums {
            all: 0,
            by_card: [0; DECK],
            by_pair: vec![[0; DECK]; DECK],
        }
    }

    fn add(&mut self, [a, b]: [usize; 2], weight: u32) {
        self.all += u64::from(weight);
        self.by_card[a] += weight;
        self.by_card[b] += weight;
        self.by_pair[a][b] += weight;
        self.by_pair[b][a] += weight;
    }

    fn clear(&mut self) {
        self.all = 0;
        self.by_card = [0; DECK];
        self.by_pair.fill([0; DECK]);
    }

    /// Returns the weight of the hands without two cards.
    fn without(&self, [a, b]: [usize; 2]) -> u64 {
        self.all + u64::from(self.by_pair[a][b])
            - u64::from(self.by_card[a])
            - u64::from(self.by_card[b])
    }
}

/// The products of two players' weights of the same hand, in total and by card.
#[derive(Clone)]
struct SameHand {
    all: u64,
    by_card: [u64; DECK],
}

impl SameHand {
    fn new() -> SameHand {
        SameHand {
            all: 0,
            by_card: [0; DECK],
        }
    }

    fn add(&mut self, [a, b]: [usize; 2], product: u64) {
        self.all += product;
        self.by_card[a] += product;
        self.by_card[b] += product;
    }
}

/// The hands below the current group, or up to it.
struct Passed {
    sums: [Sums; 3],
    /// For the two others of each player.
    same: [SameHand; 3],
}

impl Passed {
    fn new() -> Passed {
        Passed {
            sums: std::array::from_fn(|_| Sums::new()),
            same: std::array::from_fn(|_| SameHand::new()),
        }
    }

    fn clear(&mut self) {
        self.sums.iter_mut().for_each(Sums::clear);
        self.same = std::array::from_fn(|_| SameHand::new());
    }

    fn add(&mut self, entry: &Entry) {
        for (sums, &weight) in self.sums.iter_mut().zip(&entry.weights) {
            if weight > 0 {
                sums.add(entry.cards, weight);
            }
        }
        for (same, [one, other]) in self.same.iter_mut().zip(OTHERS) {
            let product = u64::from(entry.weights[one]) * u64::from(entry.weights[other]);
            if product > 0 {
                same.add(entry.cards, product);
            }
        }
    }
}

/// Returns the weight of the pairs of a hand of each of two sets that share no card with each other or with a hand.
/// `same` is the weight of the pairs of equal hands without its cards.
fn disjoint_pairs(one: &Sums, other: &Sums, hand: [usize; 2], same: u64) -> u64 {
    let (all, all_others) = (one.without(hand), other.without(hand));
    if all == 0 || all_others == 0 {
        return 0;
    }
    let [a, b] = hand;
    let rows = [&one.by_pair[a], &one.by_pair[b]];
    let other_rows = [&other.by_pair[a], &other.by_pair[b]];
    let sharing = |card: usize| {
        let left = one.by_card[card] - rows[0][card] - rows[1][card];
        let left_others = other.by_card[card] - other_rows[0][card] - other_rows[1][card];
        u64::from(left) * u64::from(left_others)
    };
    let with_own: u64 = (0..DECK).map(sharing).sum();
    let shared = with_own - sharing(a) - sharing(b);
    all * all_others + same - shared
}

/// The hands of three ranges. Each thread has one.
pub(super) struct ThreeRanges {
    entries: Vec<Entry>,
    hands: SortedHands,
    below: Passed,
    up_to: Passed,
}

impl ThreeRanges {
    /// Returns whether all numbers of the pass fit into their integers.
    pub(super) fn fits(sums: &[u128]) -> bool {
        let all_fit = sums.iter().all(|&sum| sum < 1 << 31);
        all_fit && sums.len() == 3 && sums.iter().product::<u128>() < 1 << 62
    }

    /// Prepares three ranges of two-card hands with integer weights.
    pub(super) fn new(rules: Rules, ranges: &[Vec<(CardSet, u64)>]) -> ThreeRanges {
        let mut weights = BTreeMap::<CardSet, [u32; 3]>::new();
        for (player, range) in ranges.iter().enumerate().take(3) {
            for &(hand, weight) in range {
                weights.entry(hand).or_default()[player] = weight as u32;
            }
        }
        let entry = |(hand, &weights): (&CardSet, &[u32; 3])| Entry {
            cards: [
                hand.0.trailing_zeros() as usize,
                63 - hand.0.leading_zeros() as usize,
            ],
            weights,
        };
        ThreeRanges {
            entries: weights.iter().map(entry).collect(),
            hands: SortedHands::new(rules, weights.keys().copied().collect()),
            below: Passed::new(),
            up_to: Passed::new(),
        }
    }

    /// Adds the outcomes of all combinations of hands on a board to `wins` (by winner set).
    pub(super) fn add(&mut self, board: Board, wins: &mut [u128]) {
        let (entries, below, up_to) = (&self.entries, &mut self.below, &mut self.up_to);
        below.clear();
        up_to.clear();
        let mut totals = [0u64; 8];
        let order = self.hands.on_board(board.cards);
        for group in order.chunk_by(|&a, &b| strength(a) == strength(b)) {
            let group = || group.iter().map(|&key| &entries[place(key)]);
            let mut hands = [0; 3];
            for entry in group() {
                up_to.add(entry);
                for (hands, &weight) in hands.iter_mut().zip(&entry.weights) {
                    *hands += u32::from(weight > 0);
                }
            }
            for entry in group() {
                for player in 0..3 {
                    if entry.weights[player] > 0 {
                        count(player, entry, hands, below, up_to, &mut totals);
                    }
                }
            }
            group().for_each(|entry| below.add(entry));
        }
        for (sum, total) in wins.iter_mut().zip(totals) {
            *sum += u128::from(total) * u128::from(board.copies);
        }
    }
}

/// Adds the deals that a player's hand wins alone, or shares with players after it, to `totals` by winner set. `hands`
/// are the numbers of hands of each player in the group of equal ranks.
fn count(
    player: usize,
    entry: &Entry,
    hands: [u32; 3],
    below: &Passed,
    up_to: &Passed,
    totals: &mut [u64; 8],
) {
    let [one, other] = OTHERS[player];
    let cards = entry.cards;
    let weight = u64::from(entry.weights[player]);
    let same_without = |passed: &Passed, own: u64| {
        let same = &passed.same[player];
        same.all + own - same.by_card[cards[0]] - same.by_card[cards[1]]
    };
    // The hand itself contains both its cards and was subtracted twice.
    let own = u64::from(entry.weights[one]) * u64::from(entry.weights[other]);
    let same_below = same_without(below, 0);
    let pairs = |one_passed: &Passed, other_passed: &Passed, same: u64| {
        let sums = [&one_passed.sums[one], &other_passed.sums[other]];
        disjoint_pairs(sums[0], sums[1], cards, same)
    };
    let alone = pairs(below, below, same_below);
    totals[1 << player] += weight * alone;
    // A deal with several winners is counted for the first of them.
    let ties_one = one > player && hands[one] > 0;
    let ties_other = other > player && hands[other] > 0;
    let set = |others: &[usize]| {
        others
            .iter()
            .fold(1 << player, |set, other| set | 1 << other)
    };
    let with_one = match ties_one {
        true => pairs(up_to, below, same_below) - alone,
        false => 0,
    };
    let with_other = match ties_other {
        true => pairs(below, up_to, same_below) - alone,
        false => 0,
    };
    totals[set(&[one])] += weight * with_one;
    totals[set(&[other])] += weight * with_other;
    if ties_one && ties_other {
        let all = pairs(up_to, up_to, same_without(up_to, own));
        totals[set(&[one, other])] += weight * (all - alone - with_one - with_other);
    }
}
