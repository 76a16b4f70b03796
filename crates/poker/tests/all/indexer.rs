//! Numbers of deals up to exchanges of suits.

use cards::CardSet;
use croupier_poker::{HandIndexer, IndexerError, parse_cards};

use crate::common::Random;

/// Published numbers of classes: hold'em by street (K. Waugh 2013), hands of five, six and seven cards, flops alone.
#[test]
fn numbers_of_classes_are_the_published_ones() {
    for (rounds, classes) in [
        (&[2][..], 169),
        (&[3], 1_755),
        (&[2, 3], 1_286_792),
        (&[2, 3, 1], 55_190_538),
        (&[2, 3, 1, 1], 2_428_287_420),
        (&[2, 4], 13_960_050),
        (&[2, 5], 123_156_254),
        (&[4], 16_432),
        (&[5], 134_459),
        (&[6], 962_988),
        (&[7], 6_009_159),
    ] {
        let indexer = HandIndexer::new(rounds).unwrap();
        assert_eq!(indexer.classes(), classes, "{rounds:?}");
    }
}

/// Every deal of two hole cards and a flop belongs to exactly one class.
#[test]
fn deals_of_all_classes_are_all_deals() {
    for (rounds, deals) in [
        (&[2][..], 1326),
        (&[3], 22_100),
        (&[1, 1, 1], 52 * 51 * 50),
        (&[2, 2], 1326 * 1225),
        (&[5], 2_598_960),
        (&[2, 3], 1326 * 19_600),
    ] {
        let indexer = HandIndexer::new(rounds).unwrap();
        let sum: u64 = (0..indexer.classes())
            .map(|class| indexer.deals(class).unwrap())
            .sum();
        assert_eq!(sum, deals, "{rounds:?}");
        assert_eq!(indexer.deals(indexer.classes()), None);
        assert_eq!(indexer.representative(indexer.classes()), None);
    }
}

#[test]
fn representatives_have_their_own_number() {
    let mut random = Random(3);
    for rounds in [
        &[2][..],
        &[3],
        &[2, 3],
        &[2, 3, 1],
        &[2, 3, 1, 1],
        &[2, 2, 5],
        &[4, 3, 1, 1],
        &[1; 9],
        &[13],
        &[6, 7],
    ] {
        let indexer = HandIndexer::new(rounds).unwrap();
        let classes = indexer.classes();
        let some = (0..3000).map(|_| random.below(classes));
        for class in some.chain([0, classes - 1]).chain(0..classes.min(2000)) {
            let deal = indexer.representative(class).unwrap();
            assert_eq!(indexer.index(&deal), Ok(class), "{rounds:?}");
        }
    }
}

/// A class contains exactly the deals that exchanges of suits make of one: equal numbers for these, and as many
/// different ones as the class counts.
#[test]
fn classes_are_the_exchanges_of_suits() {
    let mut random = Random(4);
    let suits = |cards: CardSet| -> [u64; 4] {
        std::array::from_fn(|suit| cards.0 >> (13 * suit) & 0x1FFF)
    };
    let orders: Vec<[usize; 4]> = (0..256)
        .map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6])
        .filter(|order| order.iter().fold(0, |seen, suit| seen | 1 << suit) == 15)
        .collect();
    assert_eq!(orders.len(), 24);
    for rounds in [&[2, 3, 1, 1][..], &[2, 2], &[4, 5], &[3]] {
        let indexer = HandIndexer::new(rounds).unwrap();
        for _ in 0..2000 {
            let mut used = CardSet::EMPTY;
            let deal: Vec<CardSet> = rounds
                .iter()
                .map(|&size| {
                    let mut cards = CardSet::EMPTY;
                    while cards.len() < size {
                        let card = CardSet(1 << random.below(52));
                        if card.is_disjoint(used) {
                            used |= card;
                            cards |= card;
                        }
                    }
                    cards
                })
                .collect();
            let class = indexer.index(&deal).unwrap();
            let mut images: Vec<Vec<CardSet>> = Vec::new();
            for order in &orders {
                let exchanged = |&cards: &CardSet| {
                    let own = suits(cards);
                    CardSet((0..4).map(|suit| own[suit] << (13 * order[suit])).sum())
                };
                let image: Vec<CardSet> = deal.iter().map(exchanged).collect();
                assert_eq!(indexer.index(&image), Ok(class));
                images.push(image);
            }
            images.sort();
            images.dedup();
            assert_eq!(indexer.deals(class), Some(images.len() as u64));
        }
    }
}

#[test]
fn wrong_deals_and_rounds_are_errors() {
    for rounds in [&[][..], &[0], &[2, 0], &[14], &[7, 7], &[usize::MAX, 2]] {
        let error = HandIndexer::new(rounds).unwrap_err();
        assert!(error.to_string().contains("as in [2, 3, 1, 1]"), "{error}");
    }
    let indexer = HandIndexer::new(&[2, 3]).unwrap();
    let deal = |hand, board| [parse_cards(hand).unwrap(), parse_cards(board).unwrap()];
    let error = indexer.index(&deal("AsKs", "QsJs")).unwrap_err();
    assert!(error.to_string().contains("[2, 2]"), "{error}");
    let error = indexer.index(&deal("AsKs", "QsJsKs")).unwrap_err();
    assert_eq!(error, IndexerError::Twice(parse_cards("Ks").unwrap()));
    assert!(error.to_string().contains("Ks is in two rounds"), "{error}");
    assert!(indexer.index(&deal("AsKs", "QsJsTs")[..1]).is_err());
}
