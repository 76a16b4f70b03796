//! Tags 40, 41, 42, 50, 51 and 88: several metrics in one evaluation.
//!
//! The sets report hand values before negative ones are raised to 0. Where DealerV2's server uses the wrong details of
//! the Zar metrics, these sets do the same.

use super::catalogue::{DEALER_V2, of_dealer_v2};
use super::honour_counts::{self, COUNTS};
use super::side::SideAnalysis;
use super::slots::{SLOTS, Slots, Valuation};
use super::{SIDE_METRICS, karpin, karpin_b, knr, larsson, larsson_b};

const KARPIN_B: usize = 6;
const KNR: usize = 7;
const LARSSON_B: usize = 9;
const ZAR: usize = 12;
const ZAR_ADVANCED: usize = 13;

fn every_metric(side: &SideAnalysis) -> [Valuation; 15] {
    let mut found = [Valuation::new([0; 2], [0; 2]); DEALER_V2 as usize];
    for metric in of_dealer_v2(SIDE_METRICS) {
        if let Some(compute) = metric.compute() {
            found[metric.tag as usize] = compute(side);
        }
    }
    found
}

/// Computes tag 40: six totals of each of the fifteen side metrics.
pub(super) fn all_metrics(side: &SideAnalysis) -> Slots {
    let mut slots = Slots::EMPTY;
    for (metric, valuation) in every_metric(side).iter().enumerate() {
        let totals = match metric {
            ZAR | ZAR_ADVANCED => {
                let [a, b, c, d] = [6, 7, 8, 9].map(|slot| valuation.slot(slot));
                [a + b, a, b, c + d, c, d]
            }
            _ => valuation.totals(),
        };
        slots.put_all(6 * metric, &totals);
    }
    slots.put_fit(side);
    slots
}

/// Computes tag 41: six totals of each of the eight honour counts, and of Kaplan-Rubens in notrump.
pub(super) fn all_honour_counts(side: &SideAnalysis) -> Slots {
    let mut slots = Slots::EMPTY;
    for (number, count) in COUNTS.iter().enumerate() {
        let suits = honour_counts::suits(side, count);
        slots.put_all(6 * number, &honour_counts::totals(side, &suits));
    }
    let knr = knr::knr(side);
    let [side_total, first, second, ..] = knr.totals();
    slots.put_all(
        48,
        &[
            side_total,
            first,
            second,
            knr.slot(9),
            knr.slot(10),
            knr.slot(11),
        ],
    );
    slots.put_all(126, &[side.hands[0].body, side.hands[1].body]);
    slots
}

/// Writes the side's value in its fit by each side metric, then in notrump.
fn side_totals(metrics: &[Valuation; 15], slots: &mut Slots) {
    for (number, valuation) in metrics.iter().enumerate() {
        let totals = valuation.totals();
        slots.put(number, totals[3]);
        slots.put(15 + number, totals[0]);
    }
}

/// Computes tag 42: side totals of every metric, and the unrounded or halved ones of those that have them.
pub(super) fn summary(side: &SideAnalysis) -> Slots {
    let metrics = every_metric(side);
    let mut slots = Slots::EMPTY;
    side_totals(&metrics, &mut slots);
    for (place, metric) in [KARPIN_B, KNR, LARSSON_B, ZAR, ZAR_ADVANCED]
        .into_iter()
        .enumerate()
    {
        slots.put(30 + place, metrics[metric].slot(6));
        slots.put(35 + place, metrics[metric].slot(9));
    }
    slots.put_fit(side);
    slots
}

/// Computes tag 88: side totals of every metric.
pub(super) fn side_values(side: &SideAnalysis) -> Slots {
    let metrics = every_metric(side);
    let mut slots = Slots::EMPTY;
    side_totals(&metrics, &mut slots);
    let sum = |metric: usize, a, b| metrics[metric].slot(a) + metrics[metric].slot(b);
    slots.put(12, sum(ZAR, 6, 7));
    slots.put(27, sum(ZAR, 6, 7));
    slots.put(13, sum(ZAR_ADVANCED, 8, 9));
    slots.put(28, sum(ZAR_ADVANCED, 6, 7));
    slots.put_fit(side);
    slots
}

/// Returns the totals of a plain metric and of its variant with fractional honours.
fn with_variant(side: &SideAnalysis, plain: &Valuation, variant: &Valuation) -> Slots {
    let mut slots = variant.framed(side);
    let shown = |valuation: &Valuation| valuation.totals().map(|total| total.max(0));
    slots.put_all(0, &shown(plain));
    slots.put_all(6, &shown(variant));
    slots
}

/// Computes tag 50: Karpin with and without fractions.
pub(super) fn both_karpins(side: &SideAnalysis) -> Slots {
    let fit = [side.trump_number(), side.fit_length];
    let mut slots = with_variant(side, &karpin::karpin(side), &karpin_b::karpin_b(side));
    slots.put_all(12, &fit);
    slots.put_all(14, &fit);
    slots
}

/// Computes tag 51: Larsson with and without fractions. Slots 12 and 13 are 0, as in DealerV2's server.
pub(super) fn both_larssons(side: &SideAnalysis) -> Slots {
    let fit = [side.trump_number(), side.fit_length];
    let mut slots = with_variant(side, &larsson::larsson(side), &larsson_b::larsson_b(side));
    slots.put_all(12, &[0, 0]);
    slots.put_all(14, &fit);
    slots
}

/// Computes tag 99: every slot holds its own position, so that users can try the four forms of a query.
pub(super) fn syntax_test() -> Slots {
    let mut values = [0; SLOTS];
    for (slot, value) in (0..).zip(&mut values) {
        let (hand, suit) = (slot / 16 % 2 + 1, slot / 4 % 4 + 1);
        *value = match slot {
            0..32 => -(slot + 1),
            32..64 => 100 * (slot / 8 - 3) + slot % 8,
            64..96 => 1000 * hand + slot % 16,
            _ => 1000 * hand + 100 * suit + slot % 4,
        };
    }
    let mut slots = Slots::EMPTY;
    slots.put_all(0, &values);
    slots
}
