//! Omaha hands in batches, compared with every two hole cards and three board cards.

use crate::common::Random;
use cards::CardSet;
use croupier_poker::{
    CpuPath, HandRank, evaluate_omaha, evaluate_omaha_batch, evaluate_omaha_batch_with, evaluate5,
};

/// Returns all subsets of `size` cards.
fn subsets(cards: CardSet, size: usize) -> Vec<CardSet> {
    let all = (0..1u64 << cards.len()).filter(|chosen| chosen.count_ones() as usize == size);
    let subset = |chosen: u64| {
        let cards = cards.iter().enumerate();
        let cards = cards.filter(|(place, _)| chosen >> place & 1 == 1);
        cards.fold(CardSet::EMPTY, |set, (_, card)| set | CardSet::of(card))
    };
    all.map(subset).collect()
}

fn best(hole: CardSet, board: CardSet) -> HandRank {
    let (pairs, triples) = (subsets(hole, 2), subsets(board, 3));
    let hands = pairs
        .iter()
        .flat_map(|&pair| triples.iter().map(move |&triple| evaluate5(pair | triple)));
    hands.min().expect("at least one hand")
}

/// Returns hands of four to six hole cards and boards. Every second hand is from few suits or few ranks, so that
/// flushes, straight flushes and hands with several pairs are frequent.
fn deals(count: usize) -> (Vec<CardSet>, Vec<CardSet>) {
    let mut random = Random(21);
    let decks = [
        CardSet::FULL,
        CardSet(0x1FFF << 26),
        CardSet::FULL,
        CardSet(0x3FF_FFFF),
        CardSet::FULL,
        CardSet(0x1F00 << 39 | 0x1F00 << 26 | 0x1F00 << 13 | 0x1F00),
    ];
    (0..count)
        .map(|round| {
            let deck = decks[round % decks.len()];
            let hole = random.hand_from(deck, 4 + round / decks.len() % 3);
            (hole, random.hand_from(deck & !hole, 5))
        })
        .unzip()
}

#[test]
fn every_path_finds_the_best_two_and_three_cards() {
    let (holes, boards) = deals(20_000);
    let expected: Vec<HandRank> = holes
        .iter()
        .zip(&boards)
        .map(|(&hole, &board)| best(hole, board))
        .collect();
    for path in CpuPath::available() {
        let mut ranks = vec![HandRank(9999); holes.len()];
        evaluate_omaha_batch_with(path, &holes, &boards, &mut ranks);
        for (deal, rank) in ranks.iter().enumerate() {
            let (hole, board) = (holes[deal], boards[deal]);
            assert_eq!(*rank, expected[deal], "{path:?} {hole:?} {board:?}");
            assert_eq!(evaluate_omaha(hole, board), Some(*rank));
        }
    }
}

#[test]
fn any_masks_are_harmless_in_an_omaha_batch() {
    let mut random = Random(22);
    let mut masks: Vec<CardSet> = (0..10_000).map(|_| CardSet(random.next())).collect();
    masks.extend((0..64).map(|bit| CardSet(u64::MAX >> bit)));
    masks.extend((0..64).map(|bit| CardSet(1 << bit)));
    masks.push(CardSet::EMPTY);
    let boards: Vec<CardSet> = masks.iter().rev().copied().collect();
    let mut ranks = vec![HandRank::default(); masks.len()];
    for path in CpuPath::available() {
        evaluate_omaha_batch_with(path, &masks, &boards, &mut ranks);
    }
    for mask in masks {
        assert_eq!(evaluate_omaha(mask, mask), None);
    }
}

#[test]
#[should_panic(expected = "as many boards as hands")]
fn an_omaha_batch_needs_a_board_for_every_hand() {
    evaluate_omaha_batch(&[CardSet(0xF); 2], &[], &mut [HandRank::default(); 2]);
}
