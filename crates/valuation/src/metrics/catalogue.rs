//! The list of metrics: tags, names, one line about each, and the meaning of their results.

use std::sync::LazyLock;

use cards::{Seat, Suit};

use super::labels::{Group, Label, LabelOwner, Labels, Value, whole};
use super::outline::Outlines;
use super::slots::SLOTS;
use super::{SIDE_METRICS, SideMetric, honour_counts};

/// A built-in metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The number by which `usereval` selects it.
    pub tag: i32,
    /// A letter whose character code selects it too, if it has one.
    pub letter: Option<char>,
    /// The name by which `metric` selects it.
    pub name: &'static str,
    /// A description of one line.
    pub summary: &'static str,
    kind: MetricKind,
    /// Bounds on its values from single suits, in notrump and in the fit.
    pub(super) outlines: Option<&'static Outlines>,
}

#[derive(Clone, Copy, Debug)]
enum MetricKind {
    /// Values of a side in notrump and in its fit, and details.
    Side(&'static [Group], SideMetric),
    /// A high card count, the same in every strain.
    HonourCount,
    /// Several metrics at once, or the syntax test.
    Set,
}

impl Metric {
    /// Creates a metric of a side: its tag and name, the labels of its detail slots, and its function.
    pub(super) const fn of_side(
        tag: i32,
        letter: Option<char>,
        name: &'static str,
        summary: &'static str,
        details: &'static [Group],
        compute: SideMetric,
    ) -> Metric {
        Metric {
            tag,
            letter,
            name,
            summary,
            kind: MetricKind::Side(details, compute),
            outlines: None,
        }
    }

    /// Adds bounds on the values from single suits, in notrump and in the fit.
    pub(super) const fn outlined(self, outlines: &'static Outlines) -> Metric {
        Metric {
            outlines: Some(outlines),
            ..self
        }
    }

    /// Returns the function of a metric of a side.
    pub(super) fn compute(&self) -> Option<SideMetric> {
        match self.kind {
            MetricKind::Side(_, compute) => Some(compute),
            MetricKind::HonourCount | MetricKind::Set => None,
        }
    }

    /// Returns the result slot of the plain value: of the side, or of one seat; in notrump, or in the side's best fit.
    /// `None` for sets, which have several values.
    ///
    /// `metric(zar, EW, notrump)` in a script reads slot `slot(None, true)` of `usereval(12, EW, ...)`.
    /// Honour counts are the same in every strain.
    pub fn slot(&self, seat: Option<Seat>, notrump: bool) -> Option<usize> {
        let first = match self.kind {
            MetricKind::Side(..) if notrump => 0,
            MetricKind::Side(..) => 3,
            MetricKind::HonourCount => 0,
            MetricKind::Set => return None,
        };
        Some(match seat {
            None => first,
            Some(Seat::North | Seat::East) => first + 1,
            Some(Seat::South | Seat::West) => first + 2,
        })
    }

    /// Returns labels of all slots that the metric fills.
    pub fn labels(&self) -> Vec<Label> {
        let mut labels = Labels::new();
        match self.kind {
            MetricKind::Side(details, _) => {
                labels.totals("notrump", 1);
                labels.totals("fit", 1);
                labels.groups(details);
            }
            MetricKind::HonourCount => {
                labels.totals("points", 1);
                labels.totals("points, exact", 100);
                labels.groups(honour_counts::DETAILS);
            }
            MetricKind::Set => set_labels(self.tag, &mut labels),
        }
        if self.tag != 99 {
            labels.skip_to(126);
            last_two(
                matches!(self.kind, MetricKind::HonourCount) || self.tag == 41,
                &mut labels,
            );
        }
        labels.into_vec()
    }
}

fn last_two(body: bool, labels: &mut Labels) {
    if body {
        labels.push(LabelOwner::First, "body", 1);
        labels.push(LabelOwner::Second, "body", 1);
    } else {
        fit_labels(labels);
    }
}

fn fit_labels(labels: &mut Labels) {
    labels.push(LabelOwner::Side, "trump suit", 1);
    labels.push(LabelOwner::Side, "fit length", 1);
}

fn set_labels(tag: i32, labels: &mut Labels) {
    match tag {
        40 => {
            for metric in of_dealer_v2(list()) {
                labels.totals(&format!("{} notrump", metric.name), 1);
                labels.totals(&format!("{} fit", metric.name), 1);
            }
        }
        41 => {
            for metric in list()
                .iter()
                .filter(|metric| (20..=27).contains(&metric.tag))
            {
                labels.totals(metric.name, 1);
                labels.totals(&format!("{}, exact", metric.name), 100);
            }
            labels.totals("knr notrump", 1);
            labels.totals("knr notrump, exact", 100);
        }
        42 => {
            side_values(labels);
            for play in ["fit", "notrump"] {
                for (name, scale) in [("karpin_b", 100), ("knr", 100), ("larsson_b", 100)] {
                    labels.push(LabelOwner::Side, format!("{name} {play}, exact"), scale);
                }
                for name in ["zar", "zar_advanced"] {
                    labels.push(LabelOwner::Side, format!("{name} {play}, halved"), 1);
                }
            }
        }
        50 => {
            with_variant("karpin", labels);
            fit_labels(labels);
            fit_labels(labels);
            labels.groups(&[Group::Hand(LabelOwner::Second, KARPIN_B_REST)]);
        }
        51 => {
            with_variant("larsson", labels);
            labels.push(LabelOwner::Side, "unused", 1);
            labels.push(LabelOwner::Side, "unused", 1);
            fit_labels(labels);
            labels.push(LabelOwner::First, "dummy", 1);
            labels.groups(&[Group::Hand(LabelOwner::Second, LARSSON_B_REST)]);
        }
        88 => side_values(labels),
        _ => {
            for slot in 0..SLOTS {
                labels.push(LabelOwner::Side, format!("slot {slot}"), 1);
            }
        }
    }
}

/// Returns the fifteen side metrics of DealerV2's sets, in the order of their slots there. Metrics that were added
/// later have higher tags and no slots in those sets.
pub(super) fn of_dealer_v2(metrics: &[Metric]) -> impl Iterator<Item = &Metric> {
    metrics
        .iter()
        .filter(|metric| metric.compute().is_some() && (0..DEALER_V2).contains(&metric.tag))
}

/// Number of side metrics of DealerV2: tags 0 to 14.
pub(super) const DEALER_V2: i32 = 15;

fn side_values(labels: &mut Labels) {
    for play in ["fit", "notrump"] {
        for metric in of_dealer_v2(list()) {
            labels.push(LabelOwner::Side, format!("{} {play}", metric.name), 1);
        }
    }
}

/// Details of the second hand, besides totals, in the two smaller sets.
const KARPIN_B_REST: &[Value] = &[
    whole("short honours"),
    whole("length"),
    whole("dummy"),
    whole("declarer"),
];
const LARSSON_B_REST: &[Value] = &[
    whole("short honours"),
    whole("length"),
    whole("tens and nines"),
    whole("good suits"),
    whole("dummy"),
];

/// Adds the labels for the totals of a method and of its fractional variant.
fn with_variant(name: &str, labels: &mut Labels) {
    for name in [name.to_string(), format!("{name}_b")] {
        labels.totals(&format!("{name} notrump"), 1);
        labels.totals(&format!("{name} fit"), 1);
    }
}

const fn honours(tag: i32, name: &'static str, summary: &'static str) -> Metric {
    Metric {
        tag,
        letter: None,
        name,
        summary,
        kind: MetricKind::HonourCount,
        outlines: None,
    }
}

const fn set(tag: i32, name: &'static str, summary: &'static str) -> Metric {
    Metric {
        tag,
        letter: None,
        name,
        summary,
        kind: MetricKind::Set,
        outlines: None,
    }
}

/// The honour counts and the sets of DealerV2.
const OTHERS: &[Metric] = &[
    honours(
        20,
        "hcpt050",
        "High cards with tens: A 4, K 3, Q 2, J 1, T 0.5",
    ),
    honours(
        21,
        "hcpa425",
        "High cards with aces 4.25: A 4.25, K 3, Q 2, J 1",
    ),
    honours(
        22,
        "hcpat475",
        "High cards with aces and tens: A 4.25, K 3, Q 2, J 1, T 0.5",
    ),
    honours(23, "bumwrap", "Bum-wrap: A 4.5, K 3, Q 1.5, J 0.75, T 0.25"),
    honours(24, "woolsey", "Woolsey: A 4.5, K 3, Q 1.75, J 0.75"),
    honours(
        25,
        "fifths",
        "Andrews' fifths: A 4, K 2.8, Q 1.8, J 1, T 0.4",
    ),
    honours(
        26,
        "bwjgm",
        "Bum-wrap variant: A 4.25, K 3, Q 1.75, J 0.75, T 0.25",
    ),
    honours(
        27,
        "opcjgm",
        "Honours in the manner of the Optimal Point Count",
    ),
    set(
        40,
        "all_metrics",
        "Set: the six totals of each of the fifteen side metrics",
    ),
    set(
        41,
        "all_honour_counts",
        "Set: the six totals of each honour count, and of knr in notrump",
    ),
    set(
        42,
        "summary",
        "Set: side totals of every side metric, exact and halved ones too",
    ),
    set(50, "both_karpins", "Set: karpin and karpin_b"),
    set(51, "both_larssons", "Set: larsson and larsson_b"),
    set(88, "side_values", "Set: side totals of every side metric"),
    set(
        99,
        "syntax_test",
        "Every slot says where it stands; for trying out queries",
    ),
];

/// Returns all built-in metrics in the order of their tags.
pub fn list() -> &'static [Metric] {
    static LIST: LazyLock<Vec<Metric>> = LazyLock::new(|| {
        let mut list = [SIDE_METRICS, OTHERS].concat();
        list.sort_by_key(|metric| metric.tag);
        list
    });
    &LIST
}

/// Returns the metric with this name, in any case.
///
/// ```
/// use croupier_valuation::metrics;
///
/// assert_eq!(metrics::by_name("Zar").unwrap().tag, 12);
/// assert!(metrics::by_name("milton").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static Metric> {
    list()
        .iter()
        .find(|metric| metric.name.eq_ignore_ascii_case(name))
}

/// Returns the metric with this tag, or with the letter of this character code.
pub fn by_tag(tag: i32) -> Option<&'static Metric> {
    let letter = u8::try_from(tag).ok().map(char::from);
    list()
        .iter()
        .find(|metric| metric.tag == tag || letter.is_some() && metric.letter == letter)
}

/// Returns the slot that one of the four forms of `usereval` reads: `(tag, side, index)`, `(tag, side, suit, index)`,
/// `(tag, seat, index)` or `(tag, seat, suit, index)`. `None` if the index is out of the form's range: 0 to 127, 7, 15
/// and 3.
///
/// ```
/// use cards::{Seat, Suit};
/// use croupier_valuation::metrics::slot_of_form;
///
/// assert_eq!(slot_of_form(None, None, 5), Some(5));
/// assert_eq!(slot_of_form(Some(Seat::East), Some(Suit::Hearts), 2), Some(106));
/// assert_eq!(slot_of_form(Some(Seat::East), Some(Suit::Hearts), 4), None);
/// ```
pub fn slot_of_form(seat: Option<Seat>, suit: Option<Suit>, index: i32) -> Option<usize> {
    let index = usize::try_from(index).ok()?;
    let hand = match seat {
        Some(Seat::South | Seat::West) => 1,
        _ => 0,
    };
    let (first, count) = match (seat, suit) {
        (None, None) => (0, 128),
        (None, Some(suit)) => (32 + 8 * suit.index(), 8),
        (Some(_), None) => (64 + 16 * hand, 16),
        (Some(_), Some(suit)) => (96 + 16 * hand + 4 * suit.index(), 4),
    };
    (index < count).then_some(first + index)
}

#[cfg(test)]
mod tests {
    use super::super::slots::Valuation;
    use super::*;

    /// A side metric that DealerV2 does not have.
    const SIXTEENTH: Metric = Metric::of_side(15, None, "sixteenth", "A newcomer", &[], |_| {
        Valuation::new([1; 2], [1; 2])
    });

    #[test]
    fn a_sixteenth_metric_does_not_shift_the_slots_of_dealer_v2() {
        let tags = |metrics: &[Metric]| -> Vec<i32> {
            of_dealer_v2(metrics).map(|metric| metric.tag).collect()
        };
        let fifteen: Vec<i32> = (0..DEALER_V2).collect();
        assert_eq!(tags(list()), fifteen);
        let mut more = list().to_vec();
        more.insert(3, SIXTEENTH);
        assert_eq!(tags(&more), fifteen);
        // The sets label their slots with the same fifteen metrics.
        let side_values = by_tag(88).expect("a set").labels();
        assert_eq!(side_values[14].text, "roth fit");
        assert_eq!(side_values[15].text, "bergen notrump");
    }

    #[test]
    fn every_metric_has_a_tag_and_a_name_of_its_own() {
        for (number, metric) in list().iter().enumerate() {
            let others = &list()[number + 1..];
            assert!(
                others
                    .iter()
                    .all(|m| m.tag != metric.tag && m.name != metric.name)
            );
            assert!(metric.letter.is_none() || others.iter().all(|m| m.letter != metric.letter));
        }
    }
}
