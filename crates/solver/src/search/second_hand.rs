//! Tricks that the side of second hand can cash at once after a lead, found without searching.

use super::cards::{Cards, Lengths, Shape, TRUMPS, bottom, one_card, suit, top};
use super::quick::quick_tricks;
use super::{Hands, Trick};

/// A way for the side of second hand to win the trick, whatever third hand plays.
struct TrickWin {
    seat: usize,
    card: Cards,
    /// The winning card if its rank matters, else empty.
    rank: Cards,
}

/// Tests whether the side of second hand wins the trick, whatever third hand plays, and takes the rest of the `want`
/// tricks by cashing. Returns the cards that this depends on. With trumps only one trick is looked for: looking for
/// more costs as much time as it saves.
#[inline(always)]
pub(crate) fn quick_after_lead<const NT: bool>(
    hands: &[Cards; 4],
    second_hand: usize,
    lengths: Lengths,
    trick: &Trick,
    played: Cards,
    want: i32,
) -> Option<Cards> {
    if !NT && want > 1 {
        return None;
    }
    let taking = take::<NT>(hands, second_hand, trick.led, played)?;
    if want <= 1 {
        return Some(taking.rank);
    }
    let mut next = Some(taking);
    while let Some(taking) = next {
        let around = after_trick(hands, second_hand, lengths, trick.led, &taking);
        if let Some((_, ranks)) = quick_tricks::<NT>(&around, trick.all, want - 1, trick.n - 1) {
            return Some(ranks | taking.rank);
        }
        next = leave_to_partner(hands, second_hand, trick.led, played, &taking);
    }
    None
}

/// Finds a winning card: second or fourth hand ruffs, or beats the lead and third hand with a card of the suit led.
#[inline(always)]
fn take<const NT: bool>(
    hands: &[Cards; 4],
    second_hand: usize,
    led: u32,
    played: Cards,
) -> Option<TrickWin> {
    let k = suit(led);
    let third = hands[(second_hand + 1) & 3];
    let fourth = (second_hand + 2) & 3;
    if !NT && led != 0 {
        let ruffs = |hand: Cards| hand & k == 0 && hand & TRUMPS != 0;
        if ruffs(third) {
            return None;
        }
        for seat in [second_hand & 3, fourth] {
            if ruffs(hands[seat]) {
                let card = bottom(hands[seat]);
                return Some(TrickWin {
                    seat,
                    card,
                    rank: 0,
                });
            }
        }
    }
    let ours = (hands[second_hand & 3] | hands[fourth]) & k;
    if ours <= third & k | played {
        return None;
    }
    let card = top(ours);
    let seat = match hands[fourth] & card {
        0 => second_hand & 3,
        _ => fourth,
    };
    Some(TrickWin {
        seat,
        card,
        rank: card,
    })
}

/// Lets the partner of the hand with the highest card win the trick, if the partner can. For notrump only.
#[inline(always)]
fn leave_to_partner(
    hands: &[Cards; 4],
    second_hand: usize,
    led: u32,
    played: Cards,
    taking: &TrickWin,
) -> Option<TrickWin> {
    let k = suit(led);
    let seat = (taking.seat + 2) & 3;
    let (third, partners) = (hands[(second_hand + 1) & 3] & k, hands[seat] & k);
    let low = bottom(hands[taking.seat & 3] & k);
    if partners <= third | played | low {
        return None;
    }
    let card = top(partners);
    // A second exchange would lead back to the first hand and its highest card.
    (card < taking.card).then_some(TrickWin {
        seat,
        card,
        rank: card,
    })
}

/// Returns the hands relative to the winner of the trick. For notrump only. Its partner played low, or discarded the
/// lowest card of its longest suit. Third hand followed with its lowest card if it could; a higher one would leave it
/// weaker cards. A discard of third hand is still counted in its hand.
#[inline(always)]
fn after_trick(
    hands: &[Cards; 4],
    second_hand: usize,
    lengths: Lengths,
    led: u32,
    taking: &TrickWin,
) -> Hands {
    let k = suit(led);
    let (seat, partner) = (taking.seat & 3, (taking.seat + 2) & 3);
    let partners = match hands[partner] & k {
        0 => longest_suit(Shape::of(lengths, partner)),
        _ => led,
    };
    let low = bottom(hands[partner] & suit(partners));
    let mut lengths = lengths - one_card(seat, led) - one_card(partner, partners);
    let third = (second_hand + 1) & 3;
    let falls = bottom(hands[third] & k);
    if falls != 0 {
        lengths -= one_card(third, led);
    }
    Hands {
        me: hands[seat] ^ taking.card,
        left: hands[(seat + 1) & 3] & !falls,
        partner: hands[partner] ^ low,
        right: hands[(seat + 3) & 3] & !falls,
        my_shape: Shape::of(lengths, seat),
        left_shape: Shape::of(lengths, seat + 1),
        partner_shape: Shape::of(lengths, seat + 2),
        right_shape: Shape::of(lengths, seat + 3),
    }
}

/// Returns the longest suit.
#[inline(always)]
fn longest_suit(shape: Shape) -> u32 {
    let mut longest = 0;
    for s in 1..4 {
        if shape.len(s) > shape.len(longest) {
            longest = s;
        }
    }
    longest
}
