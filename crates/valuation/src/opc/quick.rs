//! The figures alone, without the parts that they are made of: the same sums, several times as fast.

use cards::{BySuit, Suit};

use super::suit::{honours, length_points, synergy};
use super::trumps::{Lengths, dfit};
use super::{
    HALF, Opc, Opener, Pair, adjustment, fit_honours, longest_fit, misfit, quick_losers, waste,
};
use crate::ranks;

/// What [`OpcParts::of`](super::OpcParts::of) finds for the whole pair.
pub(super) fn opc(pair: &Pair) -> Opc {
    let hands = [pair.south_west, pair.north_east].map(ranks::bits_of_hand);
    let lengths = [
        Lengths::new(hands[0].map(ranks::length)),
        Lengths::new(hands[1].map(ranks::length)),
    ];
    let opener = usize::from(pair.opener == Opener::NorthEast);
    // All in half points.
    let (mut hl, mut helped, mut wasted, mut welcome, mut shortage) = (0, 0, 0, 0, 0);
    for hand in 0..2 {
        let (own, partner, opens) = (&hands[hand], &hands[1 - hand], hand == opener);
        let mut length = 0;
        for suit in 0..4 {
            let (holding, facing) = (own.0[suit], partner.0[suit]);
            hl += honours(holding) + synergy(holding);
            length += length_points(holding);
            helped += fit_honours(holding, facing) + misfit(holding, facing);
            match waste(holding, facing) {
                entry @ ..0 => wasted += entry,
                entry => welcome += entry,
            }
        }
        hl += if opens { length } else { length.min(4) };
        hl += 2 * adjustment(own, opens);
        shortage += match (lengths[hand].shortest(), opens) {
            (0, true) => 6,
            (0, false) | (1, true) => 4,
            (1, false) => 2,
            _ => 0,
        };
    }
    let fits = BySuit::from_fn(|suit| lengths[0].of[suit] + lengths[1].of[suit]);
    let fit_length: i32 = fits.0.iter().map(|cards| 2 * (cards - 7).clamp(0, 3)).sum();
    let mirror = super::mirror(&lengths) / HALF;
    let base = (hl.max(0) + helped + fit_length + mirror + wasted).max(0);
    let mut dfits = BySuit::default();
    for suit in Suit::ALL {
        let shares = dfit(&lengths, opener, suit);
        dfits[suit] = shares[0] + shares[1];
    }
    let [quick_losers_suit, quick_losers_notrump] = quick_losers(&hands);
    Opc {
        suits: dfits.map(|points| HALF * (base + welcome + points)),
        notrump: HALF * (base - shortage).max(0),
        longest_fit: longest_fit(&fits, &dfits),
        quick_losers_suit,
        quick_losers_notrump,
    }
}

#[cfg(test)]
mod tests {
    use super::super::OpcParts;
    use super::*;
    use cards::CardSet;

    /// Pairs of hands from a pack shuffled by a simple generator, many of them wild.
    fn pairs(count: usize) -> impl Iterator<Item = Pair> {
        let mut state = 1u64;
        let mut below = move |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        (0..count).map(move |number| {
            let mut pack: [u8; 52] = std::array::from_fn(|card| card as u8);
            // Few exchanges leave long suits together.
            for _ in 0..[4, 12, 30, 200][number % 4] {
                pack.swap(below(52), below(52));
            }
            let first = below(3) * 13;
            let hand = |cards: &[u8]| CardSet(cards.iter().fold(0, |set, card| set | 1 << card));
            Pair {
                north_east: hand(&pack[first..first + 13]),
                south_west: hand(&pack[39..]),
                opener: [Opener::NorthEast, Opener::SouthWest][below(2)],
            }
        })
    }

    #[test]
    fn the_figures_are_those_of_the_parts() {
        for pair in pairs(40_000) {
            assert_eq!(opc(&pair), OpcParts::of(&pair).opc, "{pair:?}");
        }
    }
}
