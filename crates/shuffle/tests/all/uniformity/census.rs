//! Counts of everything that a biased shuffle could get wrong, and their exact probabilities.

use std::sync::LazyLock;

use cards::{CardSet, Shape};

use super::chi_square::{self, Verdict};

/// All counts of one source of deals. They are integers, so that parts counted separately can be added.
#[derive(Clone)]
pub struct Census {
    deals: u64,
    /// By seat, suit, length.
    lengths: [[[u64; 14]; 4]; 4],
    /// By seat and high-card points.
    points: [[u64; 38]; 4],
    /// By seat and shape.
    shapes: Vec<[u64; Shape::COUNT]>,
    /// North's and South's spades.
    joint_spades: [[u64; 14]; 14],
    /// North's and South's points.
    joint_points: Box<[[u64; 38]; 38]>,
    /// By seat and card.
    seats: [[u64; 52]; 4],
    /// Deals in which two cards are in the same hand, by pair.
    pairs: Box<[u64; PAIRS]>,
    /// North's cards in common with the deal 1, 32 and 1024 places before.
    repeats: [[u64; 14]; 3],
    /// The last 64 deals as bits per deal: seat number's low and high bit of every card.
    waiting: Vec<(u64, u64)>,
    /// North's hands of the last 1024 deals.
    norths: Vec<CardSet>,
}

/// Pairs of different cards.
const PAIRS: usize = 52 * 51 / 2;
/// Distances of the deals whose North hands are compared: neighbours, groups, blocks.
const DISTANCES: [usize; 3] = [1, 32, 1024];
/// Aces, kings, queens and jacks of a pack, with their points.
const HONOURS: [usize; 4] = [4, 3, 2, 1];

/// Returns the mask of the four cards of the rank with these points.
fn rank_mask(points: usize) -> u64 {
    let rank = 8 + points;
    (0..4).fold(0, |mask, suit| mask | 1 << (13 * suit + rank))
}

fn points(hand: CardSet) -> usize {
    HONOURS
        .iter()
        .map(|&value| value * (hand.0 & rank_mask(value)).count_ones() as usize)
        .sum()
}

impl Census {
    pub fn new() -> Self {
        Census {
            deals: 0,
            lengths: [[[0; 14]; 4]; 4],
            points: [[0; 38]; 4],
            shapes: vec![[0; Shape::COUNT]; 4],
            joint_spades: [[0; 14]; 14],
            joint_points: Box::new([[0; 38]; 38]),
            seats: [[0; 52]; 4],
            pairs: Box::new([0; PAIRS]),
            repeats: [[0; 14]; 3],
            waiting: Vec::with_capacity(64),
            norths: Vec::with_capacity(1024),
        }
    }

    /// Counts the next deal of the stream.
    pub fn add(&mut self, hands: [CardSet; 4]) {
        let mut spades = [0; 4];
        let mut hcp = [0; 4];
        for (seat, hand) in hands.into_iter().enumerate() {
            let lengths: [usize; 4] =
                std::array::from_fn(|suit| (hand.0 >> (13 * suit) & 0x1fff).count_ones() as usize);
            for (suit, &length) in lengths.iter().enumerate() {
                self.lengths[seat][suit][length] += 1;
            }
            spades[seat] = lengths[3];
            hcp[seat] = points(hand);
            self.points[seat][hcp[seat]] += 1;
            self.shapes[seat][Shape::of(hand).expect("thirteen cards").index()] += 1;
        }
        self.joint_spades[spades[0]][spades[2]] += 1;
        self.joint_points[hcp[0]][hcp[2]] += 1;
        self.count_repeats(hands[0]);
        self.waiting
            .push((hands[1].0 | hands[3].0, hands[2].0 | hands[3].0));
        if self.waiting.len() == 64 {
            self.count_waiting();
        }
        self.deals += 1;
    }

    fn count_repeats(&mut self, north: CardSet) {
        let now = self.deals as usize;
        for (counts, distance) in self.repeats.iter_mut().zip(DISTANCES) {
            if now >= distance {
                counts[(self.norths[(now - distance) % 1024] & north).len()] += 1;
            }
        }
        if self.norths.len() < 1024 {
            self.norths.push(north);
        } else {
            self.norths[now % 1024] = north;
        }
    }

    /// Counts seats of cards and pairs of 64 deals at once: one word for each card, one bit for each deal.
    fn count_waiting(&mut self) {
        let mut low = [0; 64];
        let mut high = [0; 64];
        for (i, (l, h)) in self.waiting.drain(..).enumerate() {
            (low[i], high[i]) = (l, h);
        }
        transpose(&mut low);
        transpose(&mut high);
        for card in 0..52 {
            let (l, h) = (low[card], high[card]);
            let seats = [!l & !h, l & !h, !l & h, l & h];
            for (counts, deals) in self.seats.iter_mut().zip(seats) {
                counts[card] += u64::from(deals.count_ones());
            }
        }
        let mut pair = 0;
        for a in 1..52 {
            for b in 0..a {
                let same = !(low[a] ^ low[b] | high[a] ^ high[b]);
                self.pairs[pair] += u64::from(same.count_ones());
                pair += 1;
            }
        }
    }

    /// Adds the counts of another range of deals. Comparisons across the border are left out.
    pub fn merge(&mut self, other: &Census) {
        fn add<'a>(to: impl Iterator<Item = &'a mut u64>, from: impl Iterator<Item = &'a u64>) {
            to.zip(from).for_each(|(to, from)| *to += from);
        }
        self.deals += other.deals;
        add(
            self.lengths
                .as_flattened_mut()
                .as_flattened_mut()
                .iter_mut(),
            other.lengths.as_flattened().as_flattened().iter(),
        );
        add(
            self.points.as_flattened_mut().iter_mut(),
            other.points.as_flattened().iter(),
        );
        add(
            self.shapes.as_flattened_mut().iter_mut(),
            other.shapes.as_flattened().iter(),
        );
        add(
            self.joint_spades.as_flattened_mut().iter_mut(),
            other.joint_spades.as_flattened().iter(),
        );
        add(
            self.joint_points.as_flattened_mut().iter_mut(),
            other.joint_points.as_flattened().iter(),
        );
        add(
            self.seats.as_flattened_mut().iter_mut(),
            other.seats.as_flattened().iter(),
        );
        add(self.pairs.iter_mut(), other.pairs.iter());
        add(
            self.repeats.as_flattened_mut().iter_mut(),
            other.repeats.as_flattened().iter(),
        );
    }

    /// Returns the results of all tests. The number of deals must be a multiple of 64.
    pub fn verdicts(&self) -> Vec<Verdict> {
        assert!(self.waiting.is_empty(), "count whole words of deals");
        let names = ["North", "East", "South", "West"];
        let mut verdicts = Vec::new();
        for (seat, name) in names.iter().enumerate() {
            for (suit, counts) in self.lengths[seat].iter().enumerate() {
                let what = format!("{name}'s length in suit {suit}");
                verdicts.push(chi_square::test(what, counts, &EXACT.length));
            }
            verdicts.push(chi_square::test(
                format!("{name}'s points"),
                &self.points[seat],
                &EXACT.points,
            ));
            verdicts.push(chi_square::test(
                format!("{name}'s shape"),
                &self.shapes[seat],
                &EXACT.shape,
            ));
            verdicts.push(self.seat_of_cards(seat, name));
        }
        let joint =
            |counts: &[u64], exact: &[f64], what: &str| chi_square::test(what, counts, exact);
        verdicts.push(joint(
            self.joint_spades.as_flattened(),
            &EXACT.joint_spades,
            "spades of N and S",
        ));
        verdicts.push(joint(
            self.joint_points.as_flattened(),
            &EXACT.joint_points,
            "points of N and S",
        ));
        for (counts, distance) in self.repeats.iter().zip(DISTANCES) {
            let what = format!("North's cards in common with {distance} deals before");
            verdicts.push(chi_square::test(what, counts, &EXACT.length));
        }
        verdicts.push(self.largest_pair());
        verdicts
    }

    /// Tests how often a seat holds each card. The 52 counts depend on each other, because they sum to 13 for each deal;
    /// with the factor 51/52 the usual sum has the chi-square distribution with 51 degrees of freedom.
    fn seat_of_cards(&self, seat: usize, name: &str) -> Verdict {
        let deals = self.deals as f64;
        let squares: f64 = self.seats[seat]
            .iter()
            .map(|&count| (count as f64 - deals / 4.0).powi(2))
            .sum();
        let statistic = squares / (deals * 3.0 / 16.0) * 51.0 / 52.0;
        chi_square::from_statistic(format!("cards that {name} holds"), statistic, 51.0)
    }

    /// Tests how often two cards are in the same hand, which has probability 12/51. Returns the verdict for the pair
    /// with the largest deviation.
    fn largest_pair(&self) -> Verdict {
        let (deals, p) = (self.deals as f64, 12.0 / 51.0);
        let deviation = (deals * p * (1.0 - p)).sqrt();
        let z = self
            .pairs
            .iter()
            .map(|&count| ((count as f64 - deals * p) / deviation).abs());
        chi_square::from_largest_z("pairs of cards in one hand", z.fold(0.0, f64::max), PAIRS)
    }
}

/// Transposes 64 words of 64 bits: bit i of word j becomes bit j of word i.
fn transpose(words: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width > 0 {
        for i in (0..64).filter(|i| i & width == 0) {
            let moved = (words[i] >> width ^ words[i + width]) & mask;
            words[i] ^= moved << width;
            words[i + width] ^= moved;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Exact probabilities.
struct Exact {
    length: [f64; 14],
    points: Vec<f64>,
    shape: Vec<f64>,
    joint_spades: Vec<f64>,
    joint_points: Vec<f64>,
}

static EXACT: LazyLock<Exact> = LazyLock::new(|| Exact {
    length: std::array::from_fn(|l| ratio(choose(13, l) * choose(39, 13 - l), choose(52, 13))),
    points: point_probabilities(),
    shape: Shape::all()
        .map(|shape| {
            let ways = shape
                .lengths()
                .iter()
                .map(|&length| choose(13, usize::from(length)))
                .product();
            ratio(ways, choose(52, 13))
        })
        .collect(),
    joint_spades: joint_spade_probabilities(),
    joint_points: joint_point_probabilities(),
});

fn ratio(ways: u128, all: u128) -> f64 {
    ways as f64 / all as f64
}

/// Returns the number of k-subsets of n; 0 if k > n.
pub fn choose(n: usize, k: usize) -> u128 {
    if k > n {
        0
    } else {
        (0..k).fold(1, |ways, i| ways * (n - i) as u128 / (i as u128 + 1))
    }
}

/// Returns the probabilities of points: the ways to hold `cards` honours worth `points`, times the ways to fill up with
/// the 36 other cards.
fn point_probabilities() -> Vec<f64> {
    let mut ways = vec![[0u128; 38]; 17];
    ways[0][0] = 1;
    for value in HONOURS {
        let mut next = vec![[0; 38]; 17];
        for (cards, row) in ways.iter().enumerate() {
            for (points, &count) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
                for held in 0..=4 {
                    // More than 37 points need more than 13 cards.
                    if points + held * value < 38 {
                        next[cards + held][points + held * value] += count * choose(4, held);
                    }
                }
            }
        }
        ways = next;
    }
    let total = |points: usize| {
        (0..=13)
            .map(|cards| ways[cards][points] * choose(36, 13 - cards))
            .sum()
    };
    (0..38)
        .map(|points| ratio(total(points), choose(52, 13)))
        .collect()
}

fn joint_spade_probabilities() -> Vec<f64> {
    let all = choose(52, 13) * choose(39, 13);
    let mut probabilities = Vec::new();
    for n in 0..14 {
        for s in 0..14 {
            let ways = if n + s > 13 {
                0
            } else {
                choose(13, n) * choose(39, 13 - n) * choose(13 - n, s) * choose(26 + n, 13 - s)
            };
            probabilities.push(ratio(ways, all));
        }
    }
    probabilities
}

/// Computes joint probabilities of points: honours are divided among North, South and the others.
fn joint_point_probabilities() -> Vec<f64> {
    use std::collections::HashMap;
    let mut ways = HashMap::from([((0, 0, 0, 0), 1u128)]);
    for value in HONOURS {
        let mut next = HashMap::new();
        for (&(n, np, s, sp), &count) in &ways {
            for north in 0..=4 {
                for south in 0..=4 - north {
                    let key = (n + north, np + north * value, s + south, sp + south * value);
                    if key.0 <= 13 && key.2 <= 13 {
                        *next.entry(key).or_insert(0) +=
                            count * choose(4, north) * choose(4 - north, south);
                    }
                }
            }
        }
        ways = next;
    }
    let all = choose(52, 13) * choose(39, 13);
    let mut probabilities = vec![0.0; 38 * 38];
    for ((n, np, s, sp), count) in ways {
        let fill = choose(36, 13 - n) * choose(23 + n, 13 - s);
        probabilities[38 * np + sp] += ratio(count * fill, all);
    }
    probabilities
}

#[test]
fn exact_probabilities_are_the_known_ones() {
    assert!((EXACT.points[10] - 0.094_051_1).abs() < 1e-6, "ten points");
    assert!((EXACT.length[4] - 0.238_6).abs() < 1e-4, "four spades");
    let flat: f64 = EXACT.joint_points[..].iter().sum();
    assert!((flat - 1.0).abs() < 1e-12);
}

#[test]
fn transposing_turns_rows_into_columns() {
    let mut words: [u64; 64] =
        std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let before = words;
    transpose(&mut words);
    for (i, row) in before.iter().enumerate() {
        for (j, column) in words.iter().enumerate() {
            assert_eq!(row >> j & 1, column >> i & 1);
        }
    }
}
