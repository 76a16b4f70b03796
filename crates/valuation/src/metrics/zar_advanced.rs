//! Tag 13: Zar points with fit adjustments.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 30, and 2 for the king facing four hearts (one honour, and its deduction given back): 32.
//! South: 24, 2 for king and ten of spades, 2 for the fourth trump with a stiff: 28. The side has 54
//! in notrump, 60 in the fit.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, LabelOwner, whole};
use super::outline::{Bound, Outline, Outlines, best_trumps};
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;
use super::zar::{self, SHORT_HONOURS, distribution, halves, zar_hand};

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    13,
    Some('Z'),
    "zar_advanced",
    "Zar points with second fit, honours in fits and ruffing value",
    DETAILS,
    zar_advanced,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    zar::OUTLINE,
    // Honours in two suits of each hand are worth two points each and give back what short ones lose, a second fit two
    // points for one hand.
    Outline::between(
        zar::OUTLINE.bounds.least,
        Bound::sum(
            |suit| suit.hcp + suit.controls,
            |sum, hands| sum + 6 * hands + 2,
        )
        .with_shape(1, |hand| {
            distribution(hand) + best_trumps(hand, most_trumps)
        }),
    ),
];

/// Returns the maximum of the points for trumps, as dummy or declarer.
fn most_trumps(hand: &HandFacts, trumps: Suit) -> i32 {
    let held = hand.length[trumps];
    let ruffs = (held - 3).max(0) * (3 - hand.shortest());
    // Dummy has no more than four trumps of eight.
    ruffs.max(if held >= 3 { held.min(4) } else { 0 })
}

pub(super) const DETAILS: &[Group] = &[
    Group::Totals(whole("fit, halved")),
    Group::Totals(whole("notrump, halved")),
    Group::Hand(
        LabelOwner::First,
        &[whole("unused"), whole("honours in fits"), whole("trumps")],
    ),
    Group::Hand(
        LabelOwner::Second,
        &[
            whole("second fit"),
            whole("honours in fits"),
            whole("trumps"),
            whole("controls"),
            whole("distribution"),
            whole("concentration"),
            whole("body"),
        ],
    ),
];

/// Computes Zar points; with a fit also a second fit, honours in partner's suits and ruffing value.
pub(super) fn zar_advanced(side: &SideAnalysis) -> Valuation {
    let hands = side.hands.each_ref().map(zar_hand);
    let basic = [hands[0].total, hands[1].total];
    let second_fit = second_fit(side);
    let honours = honours_in_fits(side);
    let trumps = trump_points(side);
    let mut in_fit = [0, 1].map(|h: usize| basic[h] + honours[h] + trumps[h]);
    in_fit[1] += second_fit;
    // The last four are details of the basic count that DealerV2's server leaves here, of the second hand only.
    let rest = &side.hands[1];
    Valuation::new(basic, in_fit)
        .with(halves(side, in_fit))
        .with(halves(side, basic))
        .with([0, honours[0], trumps[0]])
        .with([second_fit, honours[1], trumps[1]])
        .with([
            rest.controls,
            hands[1].distribution,
            hands[1].synergy,
            rest.body,
        ])
}

/// Returns the points for a second fit: one for eight cards, two for nine or more.
fn second_fit(side: &SideAnalysis) -> i32 {
    let others = Suit::ALL.iter().filter(|&&suit| side.trumps != Some(suit));
    match others.map(|&suit| side.fit[suit]).max() {
        Some(9..) => 2,
        Some(8) => 1,
        _ => 0,
    }
}

/// Returns up to two points for the shorter hand in every suit where the other has four cards, for its honours, and
/// gives back its deduction for short ones. The two best suits of each hand count.
fn honours_in_fits(side: &SideAnalysis) -> [i32; 2] {
    // The best and the second best score of each hand.
    let mut best = [[0; 2]; 2];
    for suit in Suit::ALL {
        if side.hands.iter().all(|hand| hand.length[suit] < 4) {
            continue;
        }
        let key = |h: usize| {
            let hand = &side.hands[h];
            (hand.length[suit], hand.top5[suit], hand.hcp_in[suit])
        };
        let helping = usize::from(key(1) < key(0));
        let hand = &side.hands[helping];
        let score = hand.top5[suit].min(2) - SHORT_HONOURS.suit(hand, suit) / 100;
        let [first, second] = &mut best[helping];
        if score > *first {
            (*first, *second) = (score, *first);
        } else if score > *second {
            *second = score;
        }
    }
    best.map(|scores| scores[0] + scores[1])
}

/// Returns the points for trumps beyond the fifth with declarer or the third in dummy, times the ruffs they allow. With
/// an eight-card fit only dummy counts, and DealerV2's server uses declarer's shortest suit for it.
fn trump_points(side: &SideAnalysis) -> [i32; 2] {
    let mut points = [0, 0];
    let Some(trumps) = side.eight_card_fit() else {
        return points;
    };
    let (declarer, dummy) = (side.declarer, side.dummy());
    let held = |h: usize| side.hands[h].length[trumps];
    let shortest = |h: usize| side.hands[h].shortest();
    if side.fit_length >= 9 {
        points[dummy] = (held(dummy) - 3).max(0) * (3 - shortest(dummy));
        points[declarer] = (held(declarer) - 5).max(0) * (3 - shortest(declarer));
    } else {
        let ruffs = held(dummy) - shortest(declarer);
        points[dummy] = if held(dummy) >= 3 && ruffs >= 2 {
            ruffs
        } else {
            0
        };
    }
    points
}
