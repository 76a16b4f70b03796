//! Tag 0: Marty Bergen's "adjust-3".
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 less 1 for the stiff king is 12, and 2 for length: 14. South: 10. South's king of
//! trumps helps (1), and with four trumps the stiff diamond is worth 3; North's fifth trump is worth
//! 1 and the stiff heart 2. In the fit 17 + 14 = 31. A stiff faces five diamonds: in notrump length
//! does not count, 12 + 10 = 22.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Outline, Outlines, best_trumps};
use super::rounding::half_up;
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [-50, -100, -100, -100, 0],
    [
        0, 0, -50, 0, 0, -50, -50, 0, 0, -100, -100, -100, -100, -100, 0,
    ],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    0,
    Some('B'),
    "bergen",
    "Bergen: points adjusted for aces and tens, good suits, length, fit",
    DETAILS,
    bergen,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    // The points for length are lower in a misfit.
    Outline::between(
        Bound::sum(honours, least).with_shape(2, |hand| -i32::from(hand.square)),
        Bound::sum(points, most).with_shape(2, |hand| -i32::from(hand.square)),
    ),
    Outline::between(
        Bound::sum(points, least).with_shape(2, |hand| -i32::from(hand.square)),
        // At most two suits count.
        Bound::sum(points, |sum, hands| most(sum, hands) + 2 * hands).with_shape(2, |hand| {
            best_trumps(hand, |hand, trumps| {
                dummy_points(hand, trumps).max(declarer_points(hand, trumps))
            }) - i32::from(hand.square)
        }),
    ),
];

/// Returns the least value of the side. Aces and tens against queens and jacks cost two points at most, roundings half
/// a point.
fn least(halves: i32, hands: i32) -> i32 {
    halves.div_euclid(2) - 2 * hands
}

fn most(halves: i32, hands: i32) -> i32 {
    (halves + hands).div_euclid(2) + 2 * hands
}

/// Returns points with deductions, and good suits, in halves of a point.
fn honours(hand: &HandFacts) -> i32 {
    2 * hand.hcp + SHORT_HONOURS.hand(hand) / 50 + 2 * good_suits(hand)
}

/// Returns points with deductions, good suits and length, in halves of a point.
fn points(hand: &HandFacts) -> i32 {
    honours(hand) + 2 * hand.long_cards(4, 13)
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("unused"),
    whole("length"),
    whole("aces and tens"),
    whole("good suits"),
    whole("unused"),
    whole("dummy"),
    whole("declarer"),
    whole("help"),
    whole("square"),
])];

/// Computes Bergen's count: points and length, adjusted for aces and tens against queens and jacks, for good suits,
/// short honours and square shape; in a fit also help in partner's suits, shortness and trump length. A misfit takes
/// the length points out of notrump.
pub(super) fn bergen(side: &SideAnalysis) -> Valuation {
    let length = side.each(|hand| hand.long_cards(4, 13));
    let synergy = side.each(good_suits);
    let balance = side.each(aces_and_tens);
    let square = side.each(|hand| -i32::from(hand.square));
    let base = [0, 1].map(|h: usize| {
        let hand = &side.hands[h];
        let points = half_up(100 * hand.hcp + SHORT_HONOURS.hand(hand));
        (points + synergy[h] + length[h] + balance[h] + square[h]).max(0)
    });
    let help = [0, 1].map(|h| help(side, h));
    let fit = side.fit_points(dummy_points, declarer_points);
    let misfit = side.has_misfit(4);
    let notrump = [0, 1].map(|h: usize| {
        if misfit {
            (base[h] - length[h]).max(0)
        } else {
            base[h]
        }
    });
    let in_fit = [0, 1].map(|h: usize| base[h] + help[h] + fit.ruffs[h] + fit.length[h]);
    // The first detail was meant for short honours, but DealerV2's server always leaves it 0.
    Valuation::new(notrump, in_fit).with_each(|h| {
        [
            0,
            length[h],
            balance[h],
            synergy[h],
            0,
            fit.ruffs[h],
            fit.length[h],
            help[h],
            square[h],
        ]
    })
}

/// Counts the suits of four or more cards with three of the top five cards.
fn good_suits(hand: &HandFacts) -> i32 {
    let good = |&&suit: &&Suit| hand.length[suit] >= 4 && hand.top5[suit] >= 3;
    Suit::ALL.iter().filter(good).count() as i32
}

/// Returns one point for every three aces and tens in excess of queens and jacks, up to two; negative for an excess of
/// queens and jacks.
fn aces_and_tens(hand: &HandFacts) -> i32 {
    match hand.tens + hand.aces - hand.queens - hand.jacks {
        ..=-6 => -2,
        -5..=-3 => -1,
        -2..=2 => 0,
        3..=5 => 1,
        6.. => 2,
    }
}

/// Counts the suits with a minor honour that helps a fit or partner's long suit, two at most.
fn help(side: &SideAnalysis, h: usize) -> i32 {
    let (hand, partner) = (&side.hands[h], &side.hands[1 - h]);
    let helps = |&&suit: &&Suit| {
        let useful = side.fit[suit] >= 8 || partner.length[suit] >= 5 && side.fit[suit] >= 7;
        useful && (1..=3).contains(&hand.hcp_in[suit])
    };
    (Suit::ALL.iter().filter(helps).count() as i32).min(2)
}

fn dummy_points(hand: &HandFacts, trumps: Suit) -> i32 {
    let held = hand.length[trumps];
    if held <= 2 {
        return 0;
    }
    hand.side_suits(trumps, |length| match length {
        0 => held,
        1 => 3 - i32::from(held == 3),
        2 => 1,
        _ => 0,
    })
}

fn declarer_points(hand: &HandFacts, trumps: Suit) -> i32 {
    let length = match hand.length[trumps] {
        ..5 => 0,
        held => 1 + 2 * (held - 5),
    };
    let two_doubletons = i32::from(hand.suits_of_length(2) >= 2);
    length + 3 * hand.suits_of_length(0) + 2 * hand.suits_of_length(1) + two_doubletons
}
