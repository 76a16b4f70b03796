//! The evaluators compared with the test vectors, the reference evaluator and each other.

use crate::common::{BestOfFives, Random, by_rank, vectors};
use cards::CardSet;
use croupier_poker::{Category, CpuPath, HandRank, evaluate, parse_cards, reference};

/// Every row of `ranks7.csv` and `ranks56.csv`: mask, rank, category and best five.
#[test]
fn vectors_of_five_six_and_seven_cards() {
    let rows = [vectors("ranks7.csv"), vectors("ranks56.csv")].concat();
    assert_eq!(rows.len(), 2638);
    for row in rows {
        let [cards, mask, rank, category, best5, ..] = &row[..] else {
            panic!("{row:?}")
        };
        let hand = parse_cards(cards).unwrap();
        assert_eq!(
            hand.0,
            u64::from_str_radix(&mask[2..], 16).unwrap(),
            "{cards}"
        );
        let expected = HandRank(rank.parse().unwrap());
        assert_eq!(evaluate(hand), Some(expected), "{cards}");
        assert_eq!(reference::evaluate(hand), expected, "{cards}");
        assert_eq!(expected.category().key(), category, "{cards}");
        assert_eq!(&expected.pattern(), best5, "{cards}");
        let five = croupier_poker::best_five(hand).unwrap();
        assert_eq!(five.len(), 5, "{cards}");
        assert!(hand.contains_all(five), "{cards}");
        assert_eq!(evaluate(five), Some(expected), "{cards}");
    }
}

/// `classes.csv` lists all 7,462 classes; the numbering makes the same list.
#[test]
fn numbering_agrees_with_the_list_of_classes() {
    let rows = vectors("classes.csv");
    assert_eq!(rows.len(), HandRank::COUNT);
    for (rank, row) in rows.iter().enumerate() {
        let rank = HandRank(rank as u16);
        assert_eq!(rank.0.to_string(), row[0]);
        assert_eq!(rank.category().key(), row[1]);
        assert_eq!(rank.pattern(), row[2]);
        assert!(rank.category().ranks().contains(&rank.0));
    }
}

/// A million random hands of seven cards, and some of six and five, compared with the best of all their fives in the
/// list of classes, without the crate's own evaluators.
#[test]
fn a_million_random_hands_agree_with_best_of_fives() {
    let fives = BestOfFives::new();
    let mut random = Random(7);
    for (size, count) in [(7, 1_000_000), (6, 100_000), (5, 100_000)] {
        for _ in 0..count {
            let hand = random.hand(size);
            let expected = fives.best(&by_rank(hand));
            assert_eq!(evaluate(hand), Some(HandRank(expected)), "{hand:?}");
        }
    }
}

#[test]
fn plain_evaluator_agrees_with_best_of_fives() {
    let fives = BestOfFives::new();
    let mut random = Random(8);
    for round in 0..30_000 {
        let hand = random.hand(5 + round % 3);
        assert_eq!(
            reference::evaluate(hand).0,
            fives.best(&by_rank(hand)),
            "{hand:?}"
        );
    }
}

/// Returns streams of hands that each test one part: only flushes, only quads, one constant hand, and random hands.
fn streams(size: usize, count: usize) -> Vec<Vec<CardSet>> {
    let mut random = Random(9 + size as u64);
    let mut stream = |make: &mut dyn FnMut(&mut Random) -> CardSet| -> Vec<CardSet> {
        (0..count).map(|_| make(&mut random)).collect()
    };
    let clubs = CardSet(0x1FFF);
    let flushes = stream(&mut |random| {
        let suit = 13 * random.below(4);
        let suited = CardSet(random.hand_from(clubs, 5).0 << suit);
        let mut hand = suited;
        while hand.len() < size {
            hand |= CardSet(1 << random.below(52));
        }
        hand
    });
    let quads = stream(&mut |random| {
        let mut hand = CardSet(0x80_0400_2001 << random.below(13));
        while hand.len() < size {
            hand |= CardSet(1 << random.below(52));
        }
        hand
    });
    let constant = vec![random_hand(size); count];
    let uniform = stream(&mut |random| random.hand(size));
    vec![flushes, quads, constant, uniform]
}

fn random_hand(size: usize) -> CardSet {
    Random(3).hand(size)
}

type Batch = fn(CpuPath, &[CardSet], &mut [HandRank]);

const BATCHES: [(usize, Batch); 3] = [
    (5, croupier_poker::evaluate5_batch_with),
    (6, croupier_poker::evaluate6_batch_with),
    (7, croupier_poker::evaluate7_batch_with),
];

/// Every path of this processor, on every stream, at unusual lengths and alignments.
#[test]
fn all_paths_agree_with_the_scalar_evaluator() {
    for (size, batch) in BATCHES {
        for stream in streams(size, 4096 + 7) {
            for path in CpuPath::available() {
                for length in [
                    0,
                    1,
                    15,
                    16,
                    17,
                    31,
                    32,
                    33,
                    63,
                    64,
                    65,
                    127,
                    129,
                    4096,
                    4096 + 7,
                ] {
                    for skip in [0, 1, 3] {
                        let hands = &stream[skip.min(stream.len() - length)..][..length];
                        let mut ranks = vec![HandRank(9999); length];
                        batch(path, hands, &mut ranks);
                        for (hand, rank) in hands.iter().zip(&ranks) {
                            assert_eq!(Some(*rank), evaluate(*hand), "{path:?} {hand:?}");
                        }
                    }
                }
            }
        }
    }
}

/// A buffer with the ranks of an earlier batch is overwritten.
#[test]
fn a_reused_buffer_is_overwritten() {
    let streams = streams(7, 300);
    let mut ranks = vec![HandRank::default(); 300];
    for stream in streams {
        croupier_poker::evaluate7_batch(&stream, &mut ranks);
        assert!(
            stream
                .iter()
                .zip(&ranks)
                .all(|(&hand, &rank)| evaluate(hand) == Some(rank))
        );
    }
}

/// Masks that are not hands do not read outside the tables.
#[test]
fn any_mask_is_harmless_in_a_batch() {
    let mut random = Random(10);
    let mut masks: Vec<CardSet> = (0..10_000).map(|_| CardSet(random.next())).collect();
    masks.extend([
        CardSet(0),
        CardSet(u64::MAX),
        CardSet::FULL,
        CardSet(!CardSet::FULL.0),
    ]);
    masks.extend((0..64).map(|bit| CardSet(u64::MAX >> bit)));
    let mut ranks = vec![HandRank::default(); masks.len()];
    for (_, batch) in BATCHES {
        for path in CpuPath::available() {
            batch(path, &masks, &mut ranks);
        }
    }
}

#[test]
#[should_panic(expected = "as many ranks as hands")]
fn batches_need_room_for_every_rank() {
    croupier_poker::evaluate7_batch(&[CardSet(0x7F); 3], &mut [HandRank::default(); 2]);
}

/// Examples that many evaluators get wrong: low straight flushes inside longer suits, two trips, three pairs, kickers
/// compared from the top.
#[test]
fn hands_that_trip_evaluators_up() {
    let rank = |text: &str| evaluate(parse_cards(text).unwrap()).unwrap().0;
    assert_eq!(
        rank("Ks6s5s4s3s2s9h"),
        8,
        "the six-high straight flush, not the king"
    );
    assert_eq!(rank("As9s5s4s3s2s9h"), 9, "the steel wheel");
    assert_eq!(rank("AsKsQsJsTs9s8s"), 0);
    assert_eq!(rank("KsKhKdQsQhQd2c"), 179);
    assert_eq!(rank("9s9h9d5c5d4h4s"), 234);
    assert_eq!(rank("KsKhQdQcJsJh9d"), 2600);
    assert_eq!(rank("AsAhAdAcKsKhKd"), 10);
    assert_eq!(
        rank("9s7s5s3s2s6h4d"),
        1574,
        "a flush beats the straight beside it"
    );
    assert!(
        rank("AsKsQsJs2s4h7d") < rank("AsKsQsTs9s4h7d"),
        "the fourth kicker decides"
    );
    assert!(rank("AsTd9h8c4s3d2h") < rank("KsQdTh9c8s3d2h"));
}

#[test]
fn words_for_hands() {
    let words = |text: &str| evaluate(parse_cards(text).unwrap()).unwrap().describe();
    assert_eq!(words("AsKsQsJsTs"), "royal flush");
    assert_eq!(words("TsThTd4s4h"), "full house, tens full of fours");
    assert_eq!(words("AsAhAdAcKs"), "four of a kind, aces with king kicker");
    assert_eq!(words("5s4h3d2cAs"), "straight, five high");
    assert_eq!(
        words("7s5s4s3s2s"),
        "flush, seven, five, four, three, deuce"
    );
    assert_eq!(words("6s6h6dAcKs"), "three of a kind, sixes with ace, king");
    assert_eq!(words("2s2h7dAcKs"), "pair of deuces with ace, king, seven");
    assert_eq!(
        words("7s5h4d3c2s"),
        "high card, seven, five, four, three, deuce"
    );
    assert_eq!(Category::Quads.to_string(), "four of a kind");
}
