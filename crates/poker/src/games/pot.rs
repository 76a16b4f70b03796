//! Divides a pot: halves, quarters, and odd chips.

use super::Worth;

/// A player's hand at the showdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowdownHand {
    /// The player has folded.
    Folded,
    /// The hand is shown and has this value.
    Hand(Worth),
}

/// Divides a pot of whole chips among the hands shown, in the order of the seats left of the button.
///
/// In a split game the pot is halved first; an odd chip goes to the high half. Without a low hand, the high hands take
/// all. Within a half, equal hands share equally, and the remaining chips go one each to the first of them left of the
/// button. Most card rooms do it this way; equity always uses exact fractions instead.
///
/// ```
/// use croupier_poker::{Game, ShowdownHand, parse_cards, split_pot};
///
/// let board = parse_cards("8h7s4cKdQd")?;
/// let show = |own: &str| parse_cards(own).map(|own| ShowdownHand::Hand(Game::OmahaHiLo.worth(own, board)));
/// // The first wins the high half, the other two tie for the low half: a quarter each.
/// let chips = split_pot(101, &[show("KsKhJcTc")?, show("As2dJhTh")?, show("Ad2sJdTd")?]);
/// assert_eq!(chips, [51, 25, 25]);
/// # Ok::<(), croupier_poker::CardsError>(())
/// ```
#[must_use]
pub fn split_pot(chips: u64, shown: &[ShowdownHand]) -> Vec<u64> {
    let mut shares = vec![0; shown.len()];
    let worth = |player: &ShowdownHand| match player {
        ShowdownHand::Folded => None,
        ShowdownHand::Hand(worth) => Some(*worth),
    };
    let main: Vec<Option<u32>> = shown.iter().map(|p| worth(p).map(|w| w.main)).collect();
    let low: Vec<Option<u32>> = shown.iter().map(|p| worth(p).and_then(|w| w.low)).collect();
    let low_half = if low.iter().any(Option::is_some) {
        chips / 2
    } else {
        0
    };
    share_out(chips - low_half, &main, &mut shares);
    share_out(low_half, &low, &mut shares);
    shares
}

/// Gives chips to the best hands, odd ones to the first of them.
fn share_out(chips: u64, worth: &[Option<u32>], shares: &mut [u64]) {
    let Some(best) = worth.iter().flatten().min().copied() else {
        return;
    };
    let winners: Vec<usize> = (0..worth.len())
        .filter(|&player| worth[player] == Some(best))
        .collect();
    let count = winners.len() as u64;
    for (place, winner) in (0..).zip(winners) {
        shares[winner] += chips / count + u64::from(place < chips % count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(main: u32, low: Option<u32>) -> ShowdownHand {
        ShowdownHand::Hand(Worth { main, low })
    }

    #[test]
    fn no_chip_is_lost_and_odd_ones_go_to_the_high_half_and_the_first_seats() {
        assert_eq!(
            split_pot(7, &[hand(1, None), hand(1, None), hand(9, None)]),
            [4, 3, 0]
        );
        assert_eq!(split_pot(7, &[hand(2, Some(5)), hand(1, None)]), [3, 4]);
        // The second player is quartered: it wins the high half alone and shares the low half.
        assert_eq!(
            split_pot(100, &[hand(2, Some(5)), hand(1, Some(5))]),
            [25, 75]
        );
        assert_eq!(
            split_pot(103, &[hand(1, Some(5)), hand(1, Some(5))]),
            [52, 51]
        );
        assert_eq!(
            split_pot(10, &[ShowdownHand::Folded, hand(1, None)]),
            [0, 10]
        );
        assert_eq!(
            split_pot(10, &[ShowdownHand::Folded, ShowdownHand::Folded]),
            [0, 0]
        );
        for chips in 0..200 {
            let shown = [
                hand(1, Some(4)),
                hand(1, Some(4)),
                hand(1, None),
                hand(2, Some(4)),
            ];
            assert_eq!(split_pot(chips, &shown).iter().sum::<u64>(), chips);
        }
    }
}
