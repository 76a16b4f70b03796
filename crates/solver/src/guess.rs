//! A guess of the result from points and fit: where a count by targets starts.

use cards::{CardSet, Deal, Rank, Side, Strain};

/// Tricks in tenths for every high-card point above or below the average of twenty.
const PER_POINT_TRUMPS: i32 = 28;
const PER_POINT_NOTRUMP: i32 = 37;
/// Tricks in hundredths for every trump more or less than the average of six and a half.
const PER_HALF_TRUMP: i32 = 42;

/// About how many tricks the side takes; right in one deal of four, off by one in most others.
pub(crate) fn tricks(deal: &Deal, side: Side, strain: Strain) -> u8 {
    let [a, b] = side.seats();
    let cards = deal.hand(a) | deal.hand(b);
    let points = high_card_points(cards) - 20;
    let hundredths = match strain.suit() {
        None => 630 + PER_POINT_NOTRUMP * points,
        Some(trumps) => {
            let half_trumps = 2 * cards.holding(trumps).len() as i32 - 13;
            650 + PER_POINT_TRUMPS * points + PER_HALF_TRUMP * half_trumps
        }
    };
    ((hundredths + 50) / 100).clamp(1, 13) as u8
}

fn high_card_points(cards: CardSet) -> i32 {
    let honours = [
        (Rank::ACE, 4),
        (Rank::KING, 3),
        (Rank::QUEEN, 2),
        (Rank::JACK, 1),
    ];
    cards::Suit::ALL
        .into_iter()
        .map(|suit| {
            let held = cards.holding(suit);
            honours
                .iter()
                .filter(|(rank, _)| held.contains(*rank))
                .map(|(_, points)| points)
                .sum::<i32>()
        })
        .sum()
}
