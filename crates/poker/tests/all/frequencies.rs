//! Every game compared with the frequencies of its hands: published ones, or counted in another way.

use crate::naive;

use std::collections::BTreeMap;

use crate::naive::{choose, for_each_hand};
use cards::CardSet;
use croupier_poker::{Category, Game, HandRank, reference};

/// The published frequencies of badugi hands: 17,160 of four cards, 154,440 of three, 96,252 of two, 2,873 of one card
/// (four cards of one suit, 4 x 715, or of one rank, 13).
#[test]
fn badugi_hands_are_as_frequent_as_published() {
    let mut counts = [0u32; 5];
    let mut best = 0;
    for_each_hand(CardSet::FULL, 4, &mut |hand| {
        let rank = croupier_poker::evaluate_badugi(hand);
        counts[rank.cards() as usize] += 1;
        best += u32::from(rank.number() == 0b1111);
    });
    assert_eq!(counts, [0, 2_873, 96_252, 154_440, 17_160]);
    assert_eq!(best, 24, "A-2-3-4 in four suits");
}

/// Low hands from deuce to seven by their highest card: 4 x 1020 seven-high, 14 x 1020 eight-high and so on.
#[test]
fn deuce_to_seven_hands_are_as_frequent_as_published() {
    let mut by_class = BTreeMap::new();
    let mut no_pair = 0u32;
    for_each_hand(CardSet::FULL, 5, &mut |hand| {
        let rank = croupier_poker::evaluate_deuce_to_seven(hand);
        *by_class.entry(rank).or_insert(0u32) += 1;
        no_pair += u32::from(rank.is_no_pair());
    });
    // There are as many classes as of high hands: A-5-4-3-2 is not a straight, but a new ace-high hand, suited and not.
    assert_eq!(by_class.len(), 7462);
    assert_eq!(no_pair, 1_302_540 + 1_020);
    let highs = [4, 14, 34, 69, 125, 209, 329, 494].map(|hands| hands * 1_020);
    let mut counts = by_class.into_iter();
    for (high, expected) in highs.into_iter().enumerate() {
        let classes = expected / 1_020;
        let sum: u32 = counts.by_ref().take(classes as usize).map(|(_, n)| n).sum();
        assert_eq!(sum, expected, "{}-high", high + 7);
    }
}

/// The published frequencies of the best low of seven cards, ace to five: 781,824 wheels of 133,784,560 hands, and so
/// on up to king-high; counted over all 49,205 multisets of ranks.
#[test]
fn razz_hands_are_as_frequent_as_published() {
    let mut by_high = [0u64; 13];
    let mut paired = 0u64;
    naive::for_each_multiset(7, &mut |counts| {
        let ways: u64 = counts.iter().map(|&c| choose(4, c.into())).product();
        let mut hand = CardSet::EMPTY;
        for (rank, &count) in counts.iter().enumerate() {
            for suit in 0..usize::from(count) {
                hand |= CardSet(1 << (13 * suit + rank));
            }
        }
        match croupier_poker::evaluate_razz(hand).high_card() {
            Some(high) => by_high[high] += ways,
            None => paired += ways,
        }
    });
    assert_eq!(by_high[..4], [0; 4]);
    assert_eq!(by_high[4..8], [781_824, 3_151_360, 7_426_560, 13_171_200]);
    assert_eq!(by_high.iter().sum::<u64>() + paired, 133_784_560);
    // Hands with five different ranks of the lowest h + 1, the rest free; counted over sets of ranks.
    for high in 4..13 {
        let below: u64 = by_high[..=high].iter().sum();
        assert_eq!(
            below,
            naive::hands_with_five_ranks_among(high + 1),
            "{high}"
        );
    }
}

/// A low of eight or better in five cards: 1,024 suits for each of 56 sets of ranks.
#[test]
fn there_are_56_lows_of_eight_or_better() {
    let mut by_high = [0u32; 9];
    let mut lows = std::collections::BTreeSet::new();
    for ranks in 0u32..1 << 13 {
        if ranks.count_ones() != 5 {
            continue;
        }
        let cards: Vec<CardSet> = (0..13)
            .filter(|rank| ranks >> rank & 1 == 1)
            .map(|rank| CardSet(1 << rank))
            .collect();
        // Two own cards, three of the board, and two kings that do not matter for the low.
        let own = cards[0] | cards[1] | CardSet(1 << 24) | CardSet(1 << 37);
        let board = cards[2] | cards[3] | cards[4] | CardSet(1 << 50) | CardSet(1 << 49);
        if let Some(low) = croupier_poker::evaluate_omaha_low(own, board) {
            by_high[(8 - low.ranks().leading_zeros()) as usize] += 1;
            lows.insert(low);
        }
    }
    assert_eq!(lows.len(), 56);
    assert_eq!(by_high, [0, 0, 0, 0, 0, 1, 5, 15, 35]);
}

/// Returns the number of hands of `cards` cards of the short deck in each category.
fn short_deck_categories(trips_beat_straight: bool, cards: usize) -> BTreeMap<Category, u64> {
    let game = Game::ShortDeck {
        trips_beat_straight,
    };
    let classes = reference::numbering(game.rules()).classes();
    let mut counts = BTreeMap::new();
    for_each_hand(game.deck(), cards, &mut |hand| {
        let rank = match cards {
            7 => game.worth(CardSet::EMPTY, hand).main as usize,
            _ => {
                let score = reference::score(game.rules(), hand);
                usize::from(reference::numbering(game.rules()).rank(score).0)
            }
        };
        *counts.entry(classes[rank].category).or_default() += 1;
    });
    counts
}

/// The 376,992 hands of five cards from six to ace, by the usual formulas (9 x 32 four of a kind and so on). A flush is
/// rarer than a full house, so it beats it.
#[test]
fn short_deck_hands_of_five_cards_have_the_computed_frequencies() {
    let expected = [
        4, 20, 288, 1_728, 480, 6_120, 16_128, 36_288, 193_536, 122_400,
    ];
    for trips_beat_straight in [false, true] {
        let counts = short_deck_categories(trips_beat_straight, 5);
        assert!(Category::ALL.iter().map(|c| counts[c]).eq(expected));
    }
}

/// All 8,347,680 hands of seven cards, by the evaluator of the game, compared with a count by an independent program.
#[test]
#[ignore = "17 million hands; ./check --long"]
fn long_short_deck_hands_of_seven_cards_are_as_frequent_as_counted() {
    // If a hand has both a straight and three of a kind, the rule decides which of them counts.
    let both = {
        let mut both = 0;
        let game = Game::ShortDeck {
            trips_beat_straight: false,
        };
        for_each_hand(game.deck(), 7, &mut |hand| {
            let suits = hand.lengths();
            let mut counts = [0u8; 13];
            for card in hand {
                counts[card.rank().index()] += 1;
            }
            let has = |ranks: [usize; 5]| ranks.iter().all(|&rank| counts[rank] > 0);
            let mut straights = (4..=8).map(|low| std::array::from_fn(|i| low + i));
            let straight = straights.any(has) || has([12, 4, 5, 6, 7]);
            both += u64::from(straight && counts.contains(&3) && suits.iter().all(|&n| n < 5));
        });
        both
    };
    let expected = [
        1_860, 8_700, 44_640, 633_024, 175_560, 1_169_940, 607_200, 3_157_056, 2_316_600, 233_100,
    ];
    assert_eq!(expected.iter().sum::<u64>(), 8_347_680);
    let counts = short_deck_categories(false, 7);
    assert!(
        Category::ALL.iter().map(|c| counts[c]).eq(expected),
        "{counts:?}"
    );
    let mut other = expected;
    other[Category::Straight as usize] -= both;
    other[Category::Trips as usize] += both;
    let counts = short_deck_categories(true, 7);
    assert!(
        Category::ALL.iter().map(|c| counts[c]).eq(other),
        "{counts:?}"
    );
}

/// Returns a hand with these numbers of cards of each rank, without the cards in `taken`.
fn of_ranks(counts: &[u8; 13], taken: &[u8; 13]) -> CardSet {
    let mut hand = CardSet::EMPTY;
    for rank in 0..13 {
        for suit in taken[rank]..taken[rank] + counts[rank] {
            hand |= CardSet(1 << (13 * usize::from(suit) + rank));
        }
    }
    hand
}

/// The boards that give A-2-K-K a low, counted as Alspach does: 195,840 with three low cards (his figure), and by his
/// patterns those with four and five. A low needs three different ranks from three to eight on the board.
#[test]
fn boards_that_make_a_low_are_as_many_as_alspach_counts() {
    let own = croupier_poker::parse_cards("As2dKhKc").unwrap();
    let mut by_low_cards = [0u64; 6];
    for_each_hand(CardSet::FULL - own, 5, &mut |board| {
        if croupier_poker::evaluate_omaha_low(own, board).is_some() {
            let low = board
                .iter()
                .filter(|card| (card.rank().index() + 1) % 13 < 8);
            by_low_cards[low.count()] += 1;
        }
    });
    // Five low cards: five ranks of the six; four and a pair; three and two pairs or three of a kind. Then the same
    // patterns with one or two of the six remaining aces and deuces.
    let of_the_six = 6 * 1024 + 6 * 6 * 10 * 64 + 15 * 36 * 4 * 4 + 6 * 4 * 10 * 16;
    let with_one = 6 * (15 * 256 + 6 * 6 * 10 * 16);
    let with_two = 15 * 20 * 64;
    let five = of_the_six + with_one + with_two;
    assert_eq!(by_low_cards, [0, 0, 0, 195_840, 311_040, five]);
}

/// The lows of all 463,563,500,400 hands of Omaha with a board, by their highest card, compared with a separate count
/// by the sets of low ranks of the player and the board.
#[test]
fn omaha_lows_are_as_frequent_as_counted_by_ranks() {
    let mut holes = Vec::new();
    naive::for_each_multiset(4, &mut |counts| holes.push(*counts));
    let mut boards = Vec::new();
    naive::for_each_multiset(5, &mut |counts| boards.push(*counts));
    let mut by_high = [0u64; 9];
    for hole in &holes {
        let own = of_ranks(hole, &[0; 13]);
        let own_ways: u64 = hole.iter().map(|&count| choose(4, count.into())).product();
        for board in &boards {
            if (0..13).any(|rank| hole[rank] + board[rank] > 4) {
                continue;
            }
            let ways = (0..13).map(|rank| choose((4 - hole[rank]).into(), board[rank].into()));
            let ways = own_ways * ways.product::<u64>();
            let low = croupier_poker::evaluate_omaha_low(own, of_ranks(board, hole));
            by_high[low.map_or(0, |low| 8 - low.ranks().leading_zeros() as usize)] += ways;
        }
    }
    assert_eq!(by_high.iter().sum::<u64>(), 463_563_500_400);
    assert_eq!(by_high, naive::omaha_lows_by_high_card());
}

/// The frequencies of the 463,563,500,400 hands of Omaha with a board: for each kind of board, the sets of four cards
/// of which no pair makes a better category.
#[test]
#[ignore = "134,459 kinds of boards; ./check --long"]
fn long_omaha_hands_are_as_frequent_as_counted() {
    let mut counts = [0u64; 10];
    for_each_hand(CardSet::FULL, 5, &mut |board| {
        let Some(weight) = naive::weight_of_first_of_its_kind(board) else {
            return;
        };
        let left = CardSet::FULL - board;
        // By card, the other cards that do not make the category or a better one with it.
        let mut without = [left.0; 52];
        let mut by_category = vec![Vec::new(); 10];
        for_each_hand(left, 2, &mut |pair| {
            let mut best = HandRank(u16::MAX);
            for_each_hand(board, 3, &mut |three| {
                best = best.min(croupier_poker::evaluate5(pair | three))
            });
            by_category[best.category() as usize].push(pair);
        });
        let mut before = choose(47, 4);
        for (category, pairs) in by_category.into_iter().enumerate() {
            for pair in pairs {
                let (a, b) = (pair.0.trailing_zeros(), 63 - pair.0.leading_zeros());
                without[a as usize] &= !(1 << b);
                without[b as usize] &= !(1 << a);
            }
            let rest = naive::sets_of_four(left.0, &without);
            counts[category] += weight * (before - rest);
            before = rest;
        }
    });
    assert_eq!(counts.iter().sum::<u64>(), 463_563_500_400);
    assert_eq!(counts, OMAHA_COUNTS);
}

/// Number of hands of Omaha in every category, best first, counted by an independent program.
const OMAHA_COUNTS: [u64; 10] = [
    42_807_600,
    368_486_160,
    2_225_270_496,
    29_424_798_576,
    31_216_782_384,
    52_289_648_688,
    40_712_657_408,
    170_775_844_104,
    122_655_542_152,
    13_851_662_832,
];

/// Random hands of Omaha belong to the categories as often as the count predicts.
#[test]
fn omaha_hands_fall_into_categories_as_often_as_counted() {
    let mut random = naive::SplitMix(463);
    let mut counts = [0u64; 10];
    let hands = 300_000;
    for _ in 0..hands {
        let mut cards = CardSet::EMPTY;
        let mut draw = |size: usize| {
            let before = cards;
            while cards.len() < before.len() + size {
                cards |= CardSet(1 << (random.word() % 52));
            }
            cards - before
        };
        let (own, board) = (draw(4), draw(5));
        let rank = croupier_poker::evaluate_omaha(own, board).unwrap();
        counts[rank.category() as usize] += 1;
    }
    let all = OMAHA_COUNTS.iter().sum::<u64>() as f64;
    let expected = OMAHA_COUNTS.map(|count| hands as f64 * count as f64 / all);
    let sum = statistics::chi_square::of(counts.into_iter().zip(expected));
    let tail = statistics::chi_square::upper_tail(sum, 9.0);
    assert!((1e-6..1.0 - 1e-6).contains(&tail), "{counts:?} {tail}");
}
