//! Tricks that second hand's side can cash at once after a lead, seen without searching.

use super::cards::{Cards, Lengths, Shape, TRUMPS, bottom, one_card, suit, top};
use super::quick::quick_tricks;
use super::{Hands, Trick};

/// How second hand's side wins the trick, whatever third hand does.
struct Taking {
    seat: usize,
    card: Cards,
    /// The card if its rank matters.
    rank: Cards,
}

/// If second hand's side wins the trick, whatever third hand does, and takes the rest of the `want` tricks by cashing: the
/// cards on which that rests. With trumps only one trick is looked for: there more costs as much time as it saves.
#[inline(always)]
pub(crate) fn quick_after_lead<const NT: bool>(
    hands: &[Cards; 4],
    second: usize,
    lengths: Lengths,
    trick: &Trick,
    played: Cards,
    want: i32,
) -> Option<Cards> {
    if !NT && want > 1 {
        return None;
    }
    let taking = take::<NT>(hands, second, trick.led, played)?;
    if want <= 1 {
        return Some(taking.rank);
    }
    let mut next = Some(taking);
    while let Some(taking) = next {
        let around = after_trick(hands, second, lengths, trick.led, &taking);
        if let Some((_, ranks)) = quick_tricks::<NT>(&around, trick.all, want - 1, trick.n - 1) {
            return Some(ranks | taking.rank);
        }
        next = leave_to_partner(hands, second, trick.led, played, &taking);
    }
    None
}

/// Second or fourth hand ruffs, or has a card of the suit led that beats the lead and third hand.
#[inline(always)]
fn take<const NT: bool>(
    hands: &[Cards; 4],
    second: usize,
    led: u32,
    played: Cards,
) -> Option<Taking> {
    let k = suit(led);
    let third = hands[(second + 1) & 3];
    let fourth = (second + 2) & 3;
    if !NT && led != 0 {
        let ruffs = |hand: Cards| hand & k == 0 && hand & TRUMPS != 0;
        if ruffs(third) {
            return None;
        }
        for seat in [second & 3, fourth] {
            if ruffs(hands[seat]) {
                let card = bottom(hands[seat]);
                return Some(Taking {
                    seat,
                    card,
                    rank: 0,
                });
            }
        }
    }
    let ours = (hands[second & 3] | hands[fourth]) & k;
    if ours <= third & k | played {
        return None;
    }
    let card = top(ours);
    let seat = match hands[fourth] & card {
        0 => second & 3,
        _ => fourth,
    };
    Some(Taking {
        seat,
        card,
        rank: card,
    })
}

/// In notrump: the partner of the hand with the highest card takes the trick, if that is possible too.
#[inline(always)]
fn leave_to_partner(
    hands: &[Cards; 4],
    second: usize,
    led: u32,
    played: Cards,
    taking: &Taking,
) -> Option<Taking> {
    let k = suit(led);
    let seat = (taking.seat + 2) & 3;
    let (third, partners) = (hands[(second + 1) & 3] & k, hands[seat] & k);
    let low = bottom(hands[taking.seat & 3] & k);
    if partners <= third | played | low {
        return None;
    }
    let card = top(partners);
    // After that it would be the first hand again, with its highest card.
    (card < taking.card).then_some(Taking {
        seat,
        card,
        rank: card,
    })
}

/// In notrump: the hands around the one that took the trick. Its partner played low, or threw the lowest card of its longest
/// suit away; third hand followed with its lowest card if it could: with a higher one it would have less left to fight with. What
/// else it may have thrown away is still counted.
#[inline(always)]
fn after_trick(
    hands: &[Cards; 4],
    second: usize,
    lengths: Lengths,
    led: u32,
    taking: &Taking,
) -> Hands {
    let k = suit(led);
    let (seat, partner) = (taking.seat & 3, (taking.seat + 2) & 3);
    let partners = match hands[partner] & k {
        0 => longest_suit(Shape::of(lengths, partner)),
        _ => led,
    };
    let low = bottom(hands[partner] & suit(partners));
    let mut lengths = lengths - one_card(seat, led) - one_card(partner, partners);
    let third = (second + 1) & 3;
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

/// The longest suit.
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
