//! Hands to which cards are added and from which they are removed, hands as lists, and the ranks of all hands.

use crate::common::{Random, vectors};
use cards::{Card, CardSet};
use croupier_poker::enumeration::{HANDS, SUM_OF_RANKS, for_each_rank, for_each_rank_from};
use croupier_poker::{
    PokerHand, evaluate, evaluate5_cards, evaluate6_cards, evaluate7, evaluate7_cards, parse_cards,
};

/// Returns the cards in a random order.
fn shuffled(hand: CardSet, random: &mut Random) -> Vec<Card> {
    let mut cards: Vec<Card> = hand.iter().collect();
    for place in (1..cards.len()).rev() {
        cards.swap(place, random.below(place as u64 + 1) as usize);
    }
    cards
}

fn rank_of_list(cards: &[Card]) -> Option<croupier_poker::HandRank> {
    match cards.len() {
        5 => Some(evaluate5_cards(cards.try_into().unwrap())),
        6 => Some(evaluate6_cards(cards.try_into().unwrap())),
        7 => Some(evaluate7_cards(cards.try_into().unwrap())),
        _ => None,
    }
}

/// Checks the hand and the list in a random order against the evaluator of masks.
fn check(hand: CardSet, random: &mut Random) {
    let cards = shuffled(hand, random);
    let added: PokerHand = cards.iter().copied().collect();
    assert_eq!(added.cards(), hand);
    assert_eq!(added, PokerHand::from(hand));
    assert_eq!(added.rank(), evaluate(hand), "{hand:?}");
    assert_eq!(rank_of_list(&cards), evaluate(hand), "{cards:?}");
}

#[test]
fn hands_and_lists_have_the_ranks_of_their_masks() {
    let mut random = Random(11);
    for row in [vectors("ranks7.csv"), vectors("ranks56.csv")].concat() {
        check(parse_cards(&row[0]).unwrap(), &mut random);
    }
    for round in 0..100_000 {
        let hand = random.hand(5 + round % 3);
        check(hand, &mut random);
    }
}

/// Flushes of five to seven cards in every suit, and the other cards of any suit.
#[test]
fn flushes_in_every_suit_are_found_in_hands_and_lists() {
    let mut random = Random(12);
    for round in 0..20_000 {
        let suit = 13 * (round % 4);
        let suited = random.hand_from(CardSet(0x1FFF), 5).0 << suit;
        let mut hand = CardSet(suited);
        while hand.len() < 5 + round % 3 {
            hand |= CardSet(1 << random.below(52));
        }
        check(hand, &mut random);
    }
}

/// A hand that gains and loses cards, alone and together, always equals the hand made from its cards.
#[test]
fn cards_that_are_added_and_removed_leave_no_trace() {
    let mut random = Random(13);
    let mut hand = PokerHand::EMPTY;
    assert!(hand.is_empty() && hand == PokerHand::default());
    for _ in 0..100_000 {
        let card = Card::from_index(random.below(52) as usize).unwrap();
        if hand.contains(card) {
            hand -= card;
        } else {
            hand += card;
        }
        let others = PokerHand::from(random.hand_from(!hand.cards() & CardSet::FULL, 1));
        assert_eq!((hand + others) - others, hand);
        assert_eq!((hand + others).len(), hand.len() + 1);
        // More than twelve cards of a suit overflow the suit's counter until they are removed.
        assert_eq!(hand, PokerHand::from(hand.cards()));
        assert_eq!(hand.rank(), evaluate(hand.cards()));
    }
}

/// Calls `visit` with every hand and rank of a group, in its order.
fn for_each_hand(
    five: CardSet,
    ranks: &[croupier_poker::HandRank],
    mut visit: impl FnMut(CardSet, croupier_poker::HandRank),
) {
    let last = five.0.ilog2();
    let mut ranks = ranks.iter();
    for sixth in last + 1..52 {
        for seventh in sixth + 1..52 {
            let hand = five | CardSet(1 << sixth | 1 << seventh);
            visit(hand, *ranks.next().expect("a rank for every hand"));
        }
    }
    assert!(ranks.next().is_none(), "more ranks than hands");
}

/// 27 cards: two whole suits and a card of a third, so that most groups have flushes; and the first groups of all.
#[test]
fn ranks_of_all_hands_of_two_suits_are_right() {
    let mut hands = 0;
    for lowest in (25..52).filter_map(Card::from_index) {
        for_each_rank_from(lowest, |five, ranks| {
            for_each_hand(five, ranks, |hand, rank| {
                assert_eq!(rank, evaluate7(hand), "{hand:?}");
                hands += 1;
            });
        });
    }
    assert_eq!(hands, 888_030, "C(27, 7)");
}

#[test]
#[ignore = "134 million hands; ./check --long"]
fn long_ranks_of_all_hands_are_right() {
    let (mut hands, mut sum) = (0, 0);
    for_each_rank(|five, ranks| {
        for_each_hand(five, ranks, |hand, rank| {
            assert_eq!(rank, evaluate7(hand), "{hand:?}");
            hands += 1;
            sum += u64::from(rank.0);
        });
    });
    assert_eq!((hands, sum), (HANDS, SUM_OF_RANKS));
}
