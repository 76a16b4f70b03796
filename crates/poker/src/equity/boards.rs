//! Two wide ranges: all boards, with every hand ranked once per board.
//!
//! On a board all hands are sorted by rank and visited from the worst up. The pass keeps the weight of the opponent's
//! hands visited so far, in total and by card. A hand {a, b} beats that total less the hands with a or b. The work per
//! board grows with the number of hands, not of pairs of hands.

use cards::CardSet;

use super::sorted_hands::{SortedHands, place, strength};
use super::symmetry::SuitPermutation;
use crate::Rules;

/// A board, and the number of boards that it represents.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub(crate) cards: CardSet,
    pub(crate) copies: u64,
}

impl Board {
    /// Returns all completions of a board.
    pub(super) fn all(board: CardSet, left: CardSet) -> Vec<Board> {
        representatives(board, left, 5, &SuitPermutation::all()[..1])
    }
}

/// Returns one board of `size` cards of every class of boards that are equal under the symmetries.
pub(crate) fn representatives(
    board: CardSet,
    left: CardSet,
    size: usize,
    symmetries: &[SuitPermutation],
) -> Vec<Board> {
    fn extend(
        board: CardSet,
        left: CardSet,
        missing: usize,
        symmetries: &[SuitPermutation],
        boards: &mut Vec<Board>,
    ) {
        if missing == 0 {
            let mut stabiliser = 0;
            for symmetry in symmetries {
                let image = symmetry.apply(board);
                if image < board {
                    return;
                }
                stabiliser += usize::from(image == board);
            }
            let copies = (symmetries.len() / stabiliser.max(1)) as u64;
            boards.push(Board {
                cards: board,
                copies,
            });
            return;
        }
        let mut later = left;
        for card in left {
            later.remove(card);
            extend(
                board | CardSet::of(card),
                later,
                missing - 1,
                symmetries,
                boards,
            );
        }
    }
    let mut boards = Vec::new();
    extend(
        board,
        left,
        size.saturating_sub(board.len()),
        symmetries,
        &mut boards,
    );
    boards
}

/// A hand that one or both players may hold.
#[derive(Clone, Copy)]
struct Entry {
    cards: [u8; 2],
    weights: [u64; 2],
}

/// The hands of both ranges. Each thread has one.
pub(super) struct Sweep {
    entries: Vec<Entry>,
    /// Whether both players have the same range, so that their wins are equal.
    mirrored: bool,
    all_hands: Vec<CardSet>,
    hands: SortedHands,
}

/// The weights of one player's hands visited so far, in total and by card.
struct PassedWeights {
    all: u64,
    by_card: [u64; 52],
}

impl PassedWeights {
    fn add(&mut self, entry: &Entry, weight: u64) {
        self.all += weight;
        self.by_card[usize::from(entry.cards[0])] += weight;
        self.by_card[usize::from(entry.cards[1])] += weight;
    }

    /// Returns the weight of the visited hands without a card of `entry`, which is not visited yet.
    fn apart_from(&self, entry: &Entry) -> u64 {
        let [a, b] = entry.cards.map(|card| self.by_card[usize::from(card)]);
        self.all.wrapping_sub(a).wrapping_sub(b)
    }
}

impl Sweep {
    /// Prepares two ranges of two-card hands with integer weights.
    pub(super) fn new(rules: Rules, ranges: &[Vec<(CardSet, u64)>]) -> Sweep {
        let mut weights = std::collections::BTreeMap::<CardSet, [u64; 2]>::new();
        for (player, range) in ranges.iter().enumerate().take(2) {
            for &(hand, weight) in range {
                weights.entry(hand).or_default()[player] = weight;
            }
        }
        let all_hands: Vec<CardSet> = weights.keys().copied().collect();
        let entries: Vec<Entry> = weights
            .into_iter()
            .map(|(hand, weights)| {
                let low = hand.0.trailing_zeros() as u8;
                let high = 63 - hand.0.leading_zeros() as u8;
                Entry {
                    cards: [low, high],
                    weights,
                }
            })
            .collect();
        let mirrored = entries
            .iter()
            .all(|entry| entry.weights[0] == entry.weights[1]);
        Sweep {
            entries,
            mirrored,
            hands: SortedHands::new(rules, all_hands.clone()),
            all_hands,
        }
    }

    /// Adds the outcomes of all pairs of hands on a board to `wins` (by winner set).
    pub(super) fn add(&mut self, board: Board, wins: &mut [u128]) {
        let order = self.hands.on_board(board.cards);
        let totals = if self.mirrored {
            sweep::<true>(&self.entries, order)
        } else {
            sweep::<false>(&self.entries, order)
        };
        for (sum, total) in wins[1..].iter_mut().zip(totals) {
            *sum += u128::from(total) * u128::from(board.copies);
        }
    }

    /// Returns the hands of both ranges in the order of the sums of [`Sweep::add_each`].
    pub(super) fn hands(&self) -> Vec<CardSet> {
        self.all_hands.clone()
    }

    /// Adds three sums for each hand of the first range: the weights of the opponent's hands on a board that it beats, that it ties
    /// with, and that share no card with it.
    pub(super) fn add_each(&mut self, board: Board, sums: &mut [u128]) {
        let order = self.hands.on_board(board.cards);
        let mut passed = PassedWeights {
            all: 0,
            by_card: [0; 52],
        };
        for group in order.chunk_by(|&a, &b| strength(a) == strength(b)) {
            for &key in group {
                let entry = &self.entries[place(key)];
                sums[3 * place(key)] += u128::from(passed.apart_from(entry));
            }
            let before = (passed.all, passed.by_card);
            for &key in group {
                let entry = &self.entries[place(key)];
                passed.add(entry, entry.weights[1]);
            }
            let before = PassedWeights {
                all: before.0,
                by_card: before.1,
            };
            for &key in group {
                let entry = &self.entries[place(key)];
                // The hand itself was subtracted twice, once for each of its cards.
                let reached = passed.apart_from(entry).wrapping_add(entry.weights[1]);
                let ties = reached.wrapping_sub(before.apart_from(entry));
                sums[3 * place(key) + 1] += u128::from(ties);
            }
        }
        for &key in order {
            let entry = &self.entries[place(key)];
            let met = passed.apart_from(entry).wrapping_add(entry.weights[1]);
            sums[3 * place(key) + 2] += u128::from(met);
        }
    }
}

/// Returns the weights of the pairs in which the first wins, the second wins, and of ties.
fn sweep<const MIRRORED: bool>(entries: &[Entry], order: &[u32]) -> [u64; 3] {
    let mut passed = [
        PassedWeights {
            all: 0,
            by_card: [0; 52],
        },
        PassedWeights {
            all: 0,
            by_card: [0; 52],
        },
    ];
    let mut totals = [0u64; 3];
    let entry = |key: u32| &entries[place(key)];
    for group in order.chunk_by(|&a, &b| strength(a) == strength(b)) {
        let mut before = 0;
        for &key in group {
            let entry = entry(key);
            let beaten = passed[1].apart_from(entry);
            before += entry.weights[0] * beaten;
            if !MIRRORED {
                totals[1] += entry.weights[1] * passed[0].apart_from(entry);
            }
        }
        totals[0] += before;
        for &key in group {
            let entry = entry(key);
            passed[1].add(entry, entry.weights[1]);
            if !MIRRORED {
                passed[0].add(entry, entry.weights[0]);
            }
        }
        if group.len() > 1 {
            // The group has now been visited too; the difference ties. The hand itself was subtracted twice, once
            // for each of its cards.
            let mut after = 0;
            for &key in group {
                let entry = entry(key);
                let reached = passed[1].apart_from(entry).wrapping_add(entry.weights[1]);
                after += entry.weights[0] * reached;
            }
            totals[2] += after - before;
        }
    }
    if MIRRORED {
        totals[1] = totals[0];
    }
    totals
}
