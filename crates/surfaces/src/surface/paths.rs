//! Comparison of every SIMD instruction set with scalar code: dealing, and ranking of poker hands.

use cards::{Card, CardSet, Seat};
use poker::HandRank;
use shuffle::{BLOCK_DEALS, Block, FastDealer, Key, Predeal, ShufflePath};

use crate::Surface;
use crate::observed::Observed;

/// Scalar code against all instruction sets.
pub static PATHS: Surface = Surface {
    name: "paths",
    about: "Bytes as a key, a block number, predealt cards and poker hands: every kind of registers gives the deals and ranks of plain code, and any deal of a block is the one dealt alone.",
    feed,
    seeds: || {
        (0u8..40)
            .map(|n| (0..160u16).map(|i| (i as u8).wrapping_mul(n) ^ n).collect())
            .collect()
    },
    words: Vec::new,
    inputs: 400,
};

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let byte = |at: usize| input.get(at).copied().unwrap_or(0);
    let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| byte(at + i)));
    let key = Key::from_seed(number(0));
    // Block numbers near both ends matter, and so do those in between.
    let block = match byte(8) % 4 {
        0 => u64::from(byte(9)),
        1 => number(9),
        2 => u64::MAX / BLOCK_DEALS as u64 - u64::from(byte(9)),
        _ => number(9) >> 24,
    };
    let mut predeal = Predeal::NONE;
    for at in 0..usize::from(byte(17) % 53) {
        let (seat, card) = (byte(20 + 2 * at), byte(21 + 2 * at));
        // A card that is dealt already, or to a full hand, is refused.
        let refused = predeal
            .add(
                Seat::ALL[usize::from(seat % 4)],
                Card::from_index(usize::from(card % 52)).expect("of 52"),
            )
            .is_err();
        observed.note(refused);
    }
    deals(key, block, &predeal);
    let hands: Vec<CardSet> = input.windows(8).take(70).map(hand).collect();
    ranks(&hands, &mut observed);
    observed.number()
}

fn deals(key: Key, number: u64, predeal: &Predeal) {
    let plain = FastDealer::new(key, predeal)
        .on_path(ShufflePath::Portable)
        .expect("scalar code runs on every processor");
    let mut expected = Block::new();
    let filled = plain.fill(number, &mut expected);
    for path in ShufflePath::ALL {
        let Some(dealer) = FastDealer::new(key, predeal).on_path(path) else {
            continue;
        };
        let mut found = Block::new();
        assert_eq!(
            dealer.fill(number, &mut found).is_ok(),
            filled.is_ok(),
            "{path:?}"
        );
        if filled.is_err() {
            continue;
        }
        for index in 0..BLOCK_DEALS {
            assert_eq!(
                found.deal(index),
                expected.deal(index),
                "{path:?}, deal {index} of block {number}"
            );
        }
    }
    if filled.is_err() {
        return;
    }
    for index in [0, 1, BLOCK_DEALS / 2, BLOCK_DEALS - 1] {
        let deal = expected.deal(index);
        assert!(
            cards::Deal::new(deal.hands()).is_ok(),
            "four hands of thirteen"
        );
        assert!(
            Seat::ALL
                .iter()
                .all(|&seat| deal.hand(seat).contains_all(predeal.hand(seat))),
            "the predealt cards lie where they should"
        );
        if let Some(first) = number.checked_mul(BLOCK_DEALS as u64) {
            assert_eq!(plain.deal(first + index as u64), deal, "deal {index} alone");
        }
    }
}

/// Returns seven cards determined by eight bytes.
fn hand(bytes: &[u8]) -> CardSet {
    let mut hand = CardSet::EMPTY;
    let mut card = usize::from(bytes[7]);
    let mut step = 0;
    while hand.len() < 7 {
        card = (card + usize::from(bytes[step % 7]) + step) % 52;
        hand |= CardSet(1 << card);
        step += 1;
    }
    hand
}

fn ranks(hands: &[CardSet], observed: &mut Observed) {
    let shorter = |count: usize| -> Vec<CardSet> {
        let keep = |hand: &CardSet| {
            CardSet(
                hand.iter()
                    .take(count)
                    .fold(0, |bits, card| bits | 1 << card.index()),
            )
        };
        hands.iter().map(keep).collect()
    };
    type Batch = fn(cpu::CpuPath, &[CardSet], &mut [HandRank]);
    type Single = fn(CardSet) -> HandRank;
    let games: [(usize, Batch, Single); 3] = [
        (5, poker::evaluate5_batch_with, poker::evaluate5),
        (6, poker::evaluate6_batch_with, poker::evaluate6),
        (7, poker::evaluate7_batch_with, poker::evaluate7),
    ];
    for (cards, batch, single) in games {
        let hands = shorter(cards);
        let expected: Vec<HandRank> = hands.iter().map(|&hand| single(hand)).collect();
        for path in cpu::CpuPath::available() {
            let mut found = vec![HandRank::default(); hands.len()];
            batch(path, &hands, &mut found);
            assert_eq!(found, expected, "{path:?}, {cards} cards");
        }
        observed.note(expected.iter().map(|rank| rank.category() as u8).max());
    }
}
