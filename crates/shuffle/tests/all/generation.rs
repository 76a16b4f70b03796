//! Compares the native generator with recorded deals and checksums, and its code paths with each other.

use crate::support::{deal, number, rows};
use croupier_shuffle::{
    BLOCK_DEALS, BLOCK_LIMIT, Block, Checksum, FastDealer, Key, Predeal, ShufflePath,
};
use proptest::prelude::*;

fn paths() -> impl Iterator<Item = ShufflePath> {
    ShufflePath::ALL
        .into_iter()
        .filter(|path| path.is_available())
}

fn dealer(key: Key, predeal: &Predeal, path: ShufflePath) -> FastDealer {
    FastDealer::new(key, predeal)
        .on_path(path)
        .expect("the path is available")
}

#[test]
fn seeds_give_the_published_deals_on_every_path() {
    for path in paths() {
        for row in rows("generation/fast.csv") {
            let dealer = dealer(Key::from_seed(number(&row[0])), &Predeal::NONE, path);
            assert_eq!(
                dealer.deal(number(&row[1])),
                deal(&row[2]),
                "{path} {row:?}"
            );
        }
    }
}

#[test]
fn full_keys_give_the_published_deals() {
    for row in rows("generation/fast-key.csv") {
        let key: Key = number(&format!("key:{}", row[0]));
        let dealer = FastDealer::new(key, &Predeal::NONE);
        assert_eq!(dealer.deal(number(&row[1])), deal(&row[2]), "{row:?}");
    }
}

#[test]
fn predeals_give_the_published_deals_on_every_path() {
    for path in paths() {
        for row in rows("generation/fast-predeal.csv") {
            let dealer = dealer(Key::from_seed(number(&row[0])), &number(&row[1]), path);
            assert_eq!(
                dealer.deal(number(&row[2])),
                deal(&row[3]),
                "{path} {row:?}"
            );
        }
    }
}

#[test]
fn checksums_are_the_pinned_ones() {
    for row in rows("generation/checksum.csv") {
        let dealer = FastDealer::new(Key::from_seed(number(&row[0])), &Predeal::NONE);
        let deals: usize = number(&row[1]);
        let mut checksum = Checksum::new();
        let mut block = Block::new();
        for first in (0..deals).step_by(BLOCK_DEALS) {
            dealer
                .fill((first / BLOCK_DEALS) as u64, &mut block)
                .unwrap();
            for i in 0..BLOCK_DEALS.min(deals - first) {
                checksum.add(block.deal(i).hands());
            }
        }
        assert_eq!(checksum.to_string(), row[2], "{row:?}");
    }
}

#[test]
fn a_block_number_beyond_the_stream_is_an_error() {
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let mut block = Block::new();
    assert!(dealer.fill(BLOCK_LIMIT - 1, &mut block).is_ok());
    assert!(dealer.fill(BLOCK_LIMIT, &mut block).is_err());
}

fn assert_paths_agree(key: Key, predeal: &Predeal, number: u64) {
    let mut expected = Block::new();
    dealer(key, predeal, ShufflePath::OneLane)
        .fill(number, &mut expected)
        .unwrap();
    for path in paths() {
        let mut block = Block::new();
        dealer(key, predeal, path).fill(number, &mut block).unwrap();
        assert!(
            block == expected,
            "{path} differs in block {number} of {key} with {predeal:?}"
        );
    }
}

#[test]
fn paths_agree_at_the_corners_of_the_block_numbers() {
    let predeal: Predeal = "north SA,H2 east DKQJ west CA2".parse().unwrap();
    for number in [0, 1, 1 << 32, 1 << 53, (1 << 54) - 1, BLOCK_LIMIT - 1] {
        for key in [
            Key::from_seed(0),
            Key::from_seed(u64::MAX),
            Key::new([0xa5; 32]),
        ] {
            assert_paths_agree(key, &Predeal::NONE, number);
            assert_paths_agree(key, &predeal, number);
        }
    }
}

#[test]
fn a_predeal_of_all_but_few_cards_still_deals() {
    let full = FastDealer::new(Key::from_seed(7), &Predeal::NONE).deal(0);
    for fixed in [52, 51, 50, 39] {
        let order = cards::Seat::ALL
            .into_iter()
            .flat_map(|seat| full.hand(seat).iter().map(move |card| (seat, card)))
            .take(fixed);
        let predeal = Predeal::in_order(order).unwrap();
        assert_paths_agree(Key::from_seed(3), &predeal, 0);
        let dealt = FastDealer::new(Key::from_seed(3), &predeal).deal(5);
        for seat in cards::Seat::ALL {
            assert!(dealt.hand(seat).contains_all(predeal.hand(seat)));
        }
    }
}

/// Generates any predeal: a random number of the first cards of a random deal.
fn any_predeal() -> impl Strategy<Value = Predeal> {
    (any::<u64>(), 0usize..=52).prop_map(|(seed, fixed)| {
        let source = FastDealer::new(Key::from_seed(seed), &Predeal::NONE).deal(seed % 1000);
        let all = cards::Seat::ALL
            .into_iter()
            .flat_map(|seat| source.hand(seat).iter().map(move |card| (seat, card)));
        let mut cards: Vec<_> = all.collect();
        cards.sort_by_key(|(_, card)| (card.index() as u64).wrapping_mul(seed | 1).rotate_left(17));
        Predeal::in_order(cards.into_iter().take(fixed)).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn paths_agree_on_any_key_block_and_predeal(
        key: [u8; 32],
        number in 0..BLOCK_LIMIT,
        predeal in any_predeal(),
    ) {
        assert_paths_agree(Key::new(key), &predeal, number);
        assert_paths_agree(Key::new(key), &Predeal::NONE, number);
    }

    #[test]
    fn every_deal_is_a_deal_and_respects_the_predeal(seed: u64, index: u64, predeal in any_predeal()) {
        let dealt = FastDealer::new(Key::from_seed(seed), &predeal).deal(index);
        prop_assert!(cards::Deal::new(dealt.hands()).is_ok());
        for seat in cards::Seat::ALL {
            prop_assert!(dealt.hand(seat).contains_all(predeal.hand(seat)));
        }
    }
}

#[test]
fn tournament_boards_are_the_published_ones() {
    for row in rows("generation/tournament.csv") {
        let key: Key = number(&format!("key:{}", row[0]));
        let board = croupier_shuffle::tournament::deal(&key, number(&row[1]));
        assert_eq!(board, deal(&row[2]), "{row:?}");
    }
}

/// The boards that come with the verification script are those of the key that the guide names.
#[test]
fn the_example_set_can_be_verified() {
    let key: Key = number("key:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    let commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
    assert_eq!(key.commitment(), commitment);
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/tournament/boards.pbn"
    );
    let text = std::fs::read_to_string(file).unwrap();
    let boards: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Deal \"")?.strip_suffix("\"]"))
        .collect();
    assert_eq!(boards.len(), 4);
    for (i, board) in boards.into_iter().enumerate() {
        assert_eq!(
            croupier_shuffle::tournament::deal(&key, i as u64),
            deal(board)
        );
    }
}
