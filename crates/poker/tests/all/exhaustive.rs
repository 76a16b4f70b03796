//! All hands, with every evaluator. `./check --long` runs these.

use crate::common::{BestOfFives, mask_of, vectors};
use cards::CardSet;
use croupier_poker::{Category, CpuPath, HandRank};

type Scalar = fn(CardSet) -> HandRank;
type Batch = fn(CpuPath, &[CardSet], &mut [HandRank]);

/// Number of hands of each category, royal flush first, for 5, 6 and 7 cards.
const CATEGORY_COUNTS: [[u64; 10]; 3] = [
    [
        4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540,
    ],
    [
        188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900,
    ],
    [
        4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800,
        23_294_460,
    ],
];

/// Calls `visit` with all hands of `size` cards, highest card first, in chunks.
struct AllHands<'a> {
    fives: &'a BestOfFives,
    size: usize,
    cards: Vec<u8>,
    hands: Vec<CardSet>,
    expected: Vec<u16>,
    counts: Vec<u64>,
}

impl AllHands<'_> {
    const CHUNK: usize = 1 << 16;

    fn extend(&mut self, below: u8, mask: u64) {
        if self.cards.len() == self.size {
            self.hands.push(CardSet(mask));
            self.expected.push(self.fives.best(&self.cards));
            if self.hands.len() == Self::CHUNK {
                self.compare();
            }
            return;
        }
        let still_needed = (self.size - self.cards.len() - 1) as u8;
        for card in (still_needed..below).rev() {
            self.cards.push(card);
            self.extend(card, mask | mask_of(card));
            self.cards.pop();
        }
    }

    fn compare(&mut self) {
        let mut ranks = vec![HandRank::default(); self.hands.len()];
        let (scalar, batch): (Scalar, Batch) = match self.size {
            5 => (
                croupier_poker::evaluate5,
                croupier_poker::evaluate5_batch_with,
            ),
            6 => (
                croupier_poker::evaluate6,
                croupier_poker::evaluate6_batch_with,
            ),
            _ => (
                croupier_poker::evaluate7,
                croupier_poker::evaluate7_batch_with,
            ),
        };
        for path in CpuPath::available() {
            batch(path, &self.hands, &mut ranks);
            for ((hand, rank), expected) in self.hands.iter().zip(&ranks).zip(&self.expected) {
                assert_eq!(rank.0, *expected, "{path:?} {hand:?}");
            }
        }
        for (hand, expected) in self.hands.iter().zip(&self.expected) {
            assert_eq!(scalar(*hand).0, *expected, "{hand:?}");
            self.counts[usize::from(*expected)] += 1;
        }
        self.hands.clear();
        self.expected.clear();
    }
}

fn check_all(size: usize, hands: u64, distinct: usize) {
    let fives = BestOfFives::new();
    let mut all = AllHands {
        fives: &fives,
        size,
        cards: Vec::new(),
        hands: Vec::new(),
        expected: Vec::new(),
        counts: vec![0; HandRank::COUNT],
    };
    all.extend(52, 0);
    all.compare();
    assert_eq!(all.counts.iter().sum::<u64>(), hands);
    assert_eq!(
        all.counts.iter().filter(|&&count| count > 0).count(),
        distinct
    );
    for (category, expected) in Category::ALL.into_iter().zip(CATEGORY_COUNTS[size - 5]) {
        let count: u64 = category
            .ranks()
            .map(|rank| all.counts[usize::from(rank)])
            .sum();
        assert_eq!(count, expected, "{category}");
    }
    for (rank, row) in vectors("classes.csv").iter().enumerate() {
        assert_eq!(all.counts[rank].to_string(), row[size - 2], "class {rank}");
    }
}

#[test]
#[ignore = "2.6 million hands on every path; ./check --long"]
fn long_all_five_card_hands() {
    check_all(5, 2_598_960, 7_462);
}

#[test]
#[ignore = "20 million hands; ./check --long"]
fn long_all_six_card_hands() {
    check_all(6, 20_358_520, 6_075);
}

#[test]
#[ignore = "134 million hands; ./check --long"]
fn long_all_seven_card_hands() {
    check_all(7, 133_784_560, 4_824);
}
