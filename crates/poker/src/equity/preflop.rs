//! Two hold'em hands before the flop: a table of all match-ups.
//!
//! Up to an exchange of suits and of the players there are 47,008 different match-ups of two hands. Their counts are
//! embedded (six bytes each, as differences from the one before, in an order that writer and reader both compute) and
//! unfolded on first use, which takes a few milliseconds. The table has, for each of the 169 kinds of first hand and
//! all 1326 second hands, the number of the 1,712,304 boards that the first wins and that tie. The result for any two
//! weighted ranges is then a sum over pairs of hands.

use std::sync::OnceLock;

use cards::CardSet;

use super::fixed::Spot;
use super::symmetry::SuitPermutation;
use super::threads::sum_in_parallel;
use crate::Rules;
use crate::rows::Rows;

/// The embedded file, as [`generate`] writes it.
const EMBEDDED: &[u8] = include_bytes!("preflop.bin");

/// The number of hands of two cards.
pub(super) const HANDS: usize = 1326;
/// The number of kinds of hands: 13 pairs, 78 suited, 78 offsuit.
const KINDS: usize = 169;
/// The number of boards that two hands leave.
pub(super) const BOARDS: u32 = 1_712_304;
/// Bytes of a match-up in the file.
const RECORD: usize = 6;

/// Returns the number of a hand, by its higher card, then its lower.
#[inline]
pub(super) fn number(hand: CardSet) -> usize {
    let low = hand.0.trailing_zeros() as usize;
    let high = 63 - hand.0.leading_zeros() as usize;
    high * (high - 1) / 2 + low
}

/// The result of a match-up: boards that the first hand wins, boards that tie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) wins: u32,
    pub(super) ties: u32,
}

/// The hands, their kinds, and the images of hands under exchanges of suits.
struct Symmetry {
    hands: Vec<CardSet>,
    /// For each of the 24 exchanges, the image of every hand.
    images: Vec<Vec<u16>>,
    /// Every hand's kind, and the exchange that maps it to the representative of its kind.
    kind: Vec<(u8, u8)>,
    representatives: Vec<u16>,
    /// For every kind, the exchanges that keep its representative.
    stabilisers: Vec<Vec<usize>>,
}

impl Symmetry {
    fn new() -> Symmetry {
        let hands: Vec<CardSet> = (1..52)
            .flat_map(|high| (0..high).map(move |low| CardSet(1 << high | 1 << low)))
            .collect();
        let images: Vec<Vec<u16>> = SuitPermutation::all()
            .into_iter()
            .map(|exchange| {
                let image = |&hand: &CardSet| number(exchange.apply(hand)) as u16;
                hands.iter().map(image).collect()
            })
            .collect();
        let mut representatives: Vec<u16> = Vec::new();
        let mut kind = Vec::with_capacity(HANDS);
        for hand in 0..HANDS {
            let smallest = (0..images.len())
                .min_by_key(|&x| images[x][hand])
                .unwrap_or(0);
            let image = images[smallest][hand];
            if usize::from(image) == hand {
                representatives.push(image);
            }
            let place = representatives.partition_point(|&other| other < image);
            kind.push((place as u8, smallest as u8));
        }
        let stabilisers = representatives
            .iter()
            .map(|&hand| {
                let stays = |&x: &usize| images[x][usize::from(hand)] == hand;
                (0..images.len()).filter(stays).collect()
            })
            .collect();
        Symmetry {
            hands,
            images,
            kind,
            representatives,
            stabilisers,
        }
    }

    /// Returns the representative of a match-up: the kind of the first hand, and the smallest image of the second hand.
    fn match_up(&self, first: usize, second: usize) -> (usize, usize) {
        let (kind, exchange) = self.kind[first];
        let kind = usize::from(kind);
        let second = usize::from(self.images[usize::from(exchange)][second]);
        let images = self.stabilisers[kind]
            .iter()
            .map(|&x| self.images[x][second]);
        (kind, usize::from(images.min().unwrap_or(second as u16)))
    }

    /// Calls `visit` with every representative match-up in the order of the file, and with its mirror image.
    fn for_each(&self, mut visit: impl FnMut((usize, usize), (usize, usize))) {
        for kind in 0..KINDS {
            let first = usize::from(self.representatives[kind]);
            for second in 0..HANDS {
                let apart = self.hands[first].is_disjoint(self.hands[second]);
                if apart && self.match_up(first, second) == (kind, second) {
                    visit((kind, second), self.match_up(second, first));
                }
            }
        }
    }
}

/// The unfolded table.
pub(super) struct Preflop {
    symmetry: Symmetry,
    /// By kind of the first hand and number of the second.
    counts: Vec<Counts>,
}

impl Preflop {
    /// Returns the table, unfolded on first use.
    pub(super) fn table() -> &'static Preflop {
        static TABLE: OnceLock<Preflop> = OnceLock::new();
        TABLE.get_or_init(|| Preflop::unfold(EMBEDDED))
    }

    fn unfold(file: &[u8]) -> Preflop {
        let symmetry = Symmetry::new();
        let mut counts = vec![Counts::default(); KINDS * HANDS];
        let mut records = file.chunks_exact(RECORD);
        let mut last = Counts::default();
        symmetry.for_each(|(kind, second), (other_kind, other_second)| {
            let own = if (kind, second) <= (other_kind, other_second) {
                let record = records.next().unwrap_or(&[0; RECORD]);
                let moved = |count: u32, at: usize| {
                    let step = [record[at], record[at + 1], record[at + 2], 0];
                    count.wrapping_add_signed(from_unsigned(u32::from_le_bytes(step)))
                };
                last = Counts {
                    wins: moved(last.wins, 0),
                    ties: moved(last.ties, 3),
                };
                last
            } else {
                let mirror = counts[other_kind * HANDS + other_second];
                Counts {
                    wins: BOARDS - mirror.wins - mirror.ties,
                    ties: mirror.ties,
                }
            };
            for &exchange in &symmetry.stabilisers[kind] {
                let image = usize::from(symmetry.images[exchange][second]);
                counts[kind * HANDS + image] = own;
            }
        });
        Preflop { symmetry, counts }
    }

    /// Returns the counts of a first hand against all others: a row, and the position of each hand's number in it.
    pub(super) fn against(&self, first: CardSet) -> (&[Counts], &[u16]) {
        let (kind, exchange) = self.symmetry.kind[number(first)];
        let start = usize::from(kind) * HANDS;
        (
            &self.counts[start..start + HANDS],
            &self.symmetry.images[usize::from(exchange)],
        )
    }

    /// Returns the counts by winner set over all pairs of hands of two ranges with integer weights.
    pub(super) fn count(&self, ranges: &[Vec<(CardSet, u64)>], threads: usize) -> Vec<u128> {
        let [first, second] = ranges else {
            return vec![0; 4];
        };
        // A small sum takes less time than the start of a thread.
        let threads = if first.len() * second.len() < 100_000 {
            1
        } else {
            threads
        };
        let numbers: Vec<(CardSet, usize, u128)> = second
            .iter()
            .map(|&(hand, weight)| (hand, number(hand), weight.into()))
            .collect();
        sum_in_parallel(threads, first.len(), 4, || {
            let numbers = &numbers;
            move |item: usize, sums: &mut [u128]| {
                let (hand, weight) = first[item];
                let (row, images) = self.against(hand);
                let (mut wins, mut ties, mut all) = (0u128, 0u128, 0u128);
                for &(other, number, other_weight) in numbers {
                    if other.is_disjoint(hand) {
                        let counts = row[usize::from(images[number])];
                        wins += other_weight * u128::from(counts.wins);
                        ties += other_weight * u128::from(counts.ties);
                        all += other_weight;
                    }
                }
                let weight = u128::from(weight);
                sums[1] += weight * wins;
                sums[2] += weight * (all * u128::from(BOARDS) - wins - ties);
                sums[3] += weight * ties;
            }
        })
    }
}

/// The result of a hand against another before the flop, over all boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchUp {
    /// Boards that the first hand wins.
    pub wins: u32,
    /// Boards that tie.
    pub ties: u32,
}

impl MatchUp {
    /// The number of boards that two hands leave.
    pub const BOARDS: u32 = BOARDS;

    /// Returns the share of boards that the first hand wins.
    #[must_use]
    pub fn win(&self) -> f64 {
        f64::from(self.wins) / f64::from(BOARDS)
    }

    /// Returns the share of boards that tie.
    #[must_use]
    pub fn tie(&self) -> f64 {
        f64::from(self.ties) / f64::from(BOARDS)
    }
}

/// Looks up two hands of two cards in the embedded table. `None` if they share a card or are not two cards each.
///
/// ```
/// use croupier_poker::equity::preflop::match_up;
/// use croupier_poker::parse_cards;
/// let found = match_up(parse_cards("AhAs").unwrap(), parse_cards("KdKc").unwrap()).unwrap();
/// assert_eq!((found.wins, found.ties), (1_388_072, 6_538));
/// ```
#[must_use]
pub fn match_up(first: CardSet, second: CardSet) -> Option<MatchUp> {
    let is_hand = |hand: CardSet| hand.len() == 2 && CardSet::FULL.contains_all(hand);
    if !(is_hand(first) && is_hand(second) && first.is_disjoint(second)) {
        return None;
    }
    let (row, images) = Preflop::table().against(first);
    let Counts { wins, ties } = row[usize::from(images[number(second)])];
    Some(MatchUp { wins, ties })
}

/// The kinds of hands, best first.
pub struct Order {
    kinds: Vec<Vec<CardSet>>,
}

impl Order {
    /// Returns the kinds with their hands, best first.
    #[must_use]
    pub fn kinds(&self) -> &[Vec<CardSet>] {
        &self.kinds
    }

    /// Returns the hands of whole kinds: as many as fit into `taken` hands, without those that fit into `skipped`.
    pub(crate) fn as_flattened_until(&self, skipped: usize, taken: usize) -> Vec<CardSet> {
        let mut count = 0;
        let mut hands = Vec::new();
        for kind in &self.kinds {
            count += kind.len();
            if count > taken {
                break;
            }
            if count > skipped {
                hands.extend_from_slice(kind);
            }
        }
        hands
    }
}

/// Returns the 169 kinds of hold'em hands by their exact equity against one random hand; equal ones by the higher card.
#[must_use]
pub fn by_equity() -> &'static Order {
    static ORDER: OnceLock<Order> = OnceLock::new();
    ORDER.get_or_init(|| {
        let table = Preflop::table();
        let symmetry = &table.symmetry;
        let mut kinds: Vec<(u64, usize)> = (0..KINDS)
            .map(|kind| {
                let first = symmetry.hands[usize::from(symmetry.representatives[kind])];
                let (row, images) = table.against(first);
                let others = (0..HANDS).filter(|&other| symmetry.hands[other].is_disjoint(first));
                let shares = others.map(|other| {
                    let counts = row[usize::from(images[other])];
                    u64::from(2 * counts.wins + counts.ties)
                });
                (shares.sum(), kind)
            })
            .collect();
        kinds.sort_unstable_by(|a, b| b.cmp(a));
        let hands_of = |kind: usize| {
            let of_kind = |&&hand: &&CardSet| usize::from(symmetry.kind[number(hand)].0) == kind;
            symmetry.hands.iter().filter(of_kind).copied().collect()
        };
        Order {
            kinds: kinds.into_iter().map(|(_, kind)| hands_of(kind)).collect(),
        }
    })
}

/// Returns the 169 kinds of hold'em hands by their [`sklansky_chubukov`] numbers.
#[must_use]
pub fn by_sklansky_chubukov() -> &'static Order {
    static ORDER: OnceLock<Order> = OnceLock::new();
    ORDER.get_or_init(|| {
        let number = |kind: &Vec<CardSet>| sklansky_chubukov(kind[0]).unwrap_or(0.0);
        let mut kinds: Vec<(f64, &Vec<CardSet>)> = by_equity()
            .kinds
            .iter()
            .map(|kind| (number(kind), kind))
            .collect();
        // The sort is stable: kinds with equal numbers stay in the order of their equity.
        kinds.sort_by(|a, b| b.0.total_cmp(&a.0));
        Order {
            kinds: kinds.into_iter().map(|(_, kind)| kind.clone()).collect(),
        }
    })
}

/// Returns the Sklansky-Chubukov number of a hand: the largest stack, in small blinds, with which the small blind loses
/// nothing by going all-in with open cards, when the big blind has twice that blind and calls only with hands that profit.
/// Infinite for aces; `None` unless there are two cards.
///
/// ```
/// use croupier_poker::equity::preflop::sklansky_chubukov;
/// let number = |hand: &str| sklansky_chubukov(croupier_poker::parse_cards(hand).unwrap()).unwrap();
/// // The published numbers of kings and of ace-king suited.
/// assert_eq!(format!("{:.2} {:.2}", number("KhKs"), number("AhKh")), "954.00 554.51");
/// assert!(number("AhAs").is_infinite());
/// ```
#[must_use]
pub fn sklansky_chubukov(hand: CardSet) -> Option<f64> {
    /// Larger stacks count as infinite.
    const MOST: f64 = 1e6;
    /// Halvings of the interval.
    const STEPS: usize = 80;
    if hand.len() != 2 || !CardSet::FULL.contains_all(hand) {
        return None;
    }
    let table = Preflop::table();
    let (row, images) = table.against(hand);
    let others = table
        .symmetry
        .hands
        .iter()
        .filter(|other| other.is_disjoint(hand));
    let equities: Vec<f64> = others
        .map(|&other| {
            let counts = row[usize::from(images[number(other)])];
            f64::from(2 * counts.wins + counts.ties) / f64::from(2 * BOARDS)
        })
        .collect();
    // The gain of going all-in with `stack` chips behind the small blind of 1, over folding.
    let gain = |stack: f64| -> f64 {
        let pot = 2.0 * (stack + 1.0);
        let against = |equity: f64| match (1.0 - equity) * pot > stack - 1.0 {
            true => equity * pot - stack,
            false => 3.0,
        };
        equities.iter().map(|&equity| against(equity)).sum()
    };
    if gain(MOST) >= 0.0 {
        return Some(f64::INFINITY);
    }
    let (mut low, mut high) = (0.0, MOST);
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if gain(middle) >= 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// Counts all match-ups and returns the bytes of the embedded file. Takes about ten seconds of one core.
#[must_use]
pub fn generate(threads: usize) -> Vec<u8> {
    let symmetry = Symmetry::new();
    let mut wanted = Vec::new();
    symmetry.for_each(|own, mirror| {
        if own <= mirror {
            wanted.push(own);
        }
    });
    let sums = sum_in_parallel(threads, wanted.len(), 2 * wanted.len(), || {
        let (symmetry, wanted) = (&symmetry, &wanted);
        move |item: usize, sums: &mut [u128]| {
            let (kind, second) = wanted[item];
            let first = usize::from(symmetry.representatives[kind]);
            let counts = count_boards(symmetry.hands[first], symmetry.hands[second]);
            sums[2 * item] = counts.wins.into();
            sums[2 * item + 1] = counts.ties.into();
        }
    });
    let before = [0, 0].iter().chain(&sums);
    sums.iter()
        .zip(before)
        .map(|(&count, &before)| to_unsigned(count as i32 - before as i32))
        .flat_map(|step| step.to_le_bytes().into_iter().take(3))
        .collect()
}

/// Maps small differences of either sign to small numbers. Neighbours are similar, so the file compresses well.
fn to_unsigned(step: i32) -> u32 {
    (step << 1 ^ step >> 31) as u32
}

/// Returns the inverse of [`to_unsigned`].
fn from_unsigned(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// Counts the boards of one match-up.
fn count_boards(first: CardSet, second: CardSet) -> Counts {
    let spot = Spot {
        rows: Rows::of(Rules::Standard),
        hands: &[first, second],
        board: CardSet::EMPTY,
        left: CardSet::FULL - first - second,
    };
    let mut wins = [0; 4];
    spot.count(&mut Vec::new(), &mut wins);
    Counts {
        wins: wins[1] as u32,
        ties: wins[3] as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_a_record_for_every_match_up() {
        let symmetry = Symmetry::new();
        let (mut ordered, mut stored) = (0, 0);
        symmetry.for_each(|own, mirror| {
            ordered += 1;
            stored += usize::from(own <= mirror);
        });
        assert_eq!(symmetry.representatives.len(), KINDS);
        assert_eq!(ordered, 93_769);
        assert_eq!(EMBEDDED.len(), RECORD * stored);
    }

    /// Match-ups from all over the table, both ways round and in other suits, are counted again.
    #[test]
    fn the_table_agrees_with_counting() {
        let table = Preflop::table();
        let hands = &table.symmetry.hands;
        let mut tried = 0;
        for step in 0..600 {
            let (a, b) = (step * 7919 % HANDS, step * 104_729 % HANDS);
            if !hands[a].is_disjoint(hands[b]) {
                continue;
            }
            let (row, images) = table.against(hands[a]);
            let found = row[usize::from(images[b])];
            assert_eq!(found, count_boards(hands[a], hands[b]), "{a} {b}");
            tried += 1;
        }
        assert!(tried > 400);
    }

    #[test]
    #[ignore = "counts all match-ups"]
    fn long_the_embedded_file_is_what_the_generator_writes() {
        assert!(generate(2) == EMBEDDED);
    }
}
