//! The list of metrics: tags, names, one line about each, and what their results mean.

use cards::{Seat, Suit};

use super::labels::{Group, Label, Labels, Value, Whose, whole};
use super::slots::SLOTS;
use super::{
    bergen, bissell, dkp, goren, honour_counts, kaplan, karpin, karpin_b, knr, larsson, larsson_b,
    pavlicek, roth, sheinwold, zar, zar_advanced,
};

/// A built-in metric.
#[derive(Debug)]
pub struct Metric {
    /// The number by which `usereval` asks for it.
    pub tag: i32,
    /// The letter whose code asks for it too, if it has one.
    pub letter: Option<char>,
    /// The name by which `metric` asks for it.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Values of a side in notrump and in its fit, and details.
    Side(&'static [Group]),
    /// A high card count, the same in every strain.
    HonourCount,
    /// Several metrics at once, or the syntax test.
    Set,
}

impl Metric {
    /// The result slot that holds the plain value: of the side, or of one seat; in notrump, or in the
    /// side's best fit. `None` for sets, which have no one value.
    ///
    /// `metric(zar, EW, notrump)` in a script reads slot `slot(None, true)` of `usereval(12, EW, ...)`.
    /// Honour counts are the same in every strain.
    pub fn slot(&self, seat: Option<Seat>, notrump: bool) -> Option<usize> {
        let first = match self.kind {
            Kind::Side(_) if notrump => 0,
            Kind::Side(_) => 3,
            Kind::HonourCount => 0,
            Kind::Set => return None,
        };
        Some(match seat {
            None => first,
            Some(Seat::North | Seat::East) => first + 1,
            Some(Seat::South | Seat::West) => first + 2,
        })
    }

    /// What every slot holds that the metric fills.
    pub fn labels(&self) -> Vec<Label> {
        let mut labels = Labels::new();
        match self.kind {
            Kind::Side(details) => {
                labels.totals("notrump", 1);
                labels.totals("fit", 1);
                labels.groups(details);
            }
            Kind::HonourCount => {
                labels.totals("points", 1);
                labels.totals("points, exact", 100);
                labels.groups(honour_counts::DETAILS);
            }
            Kind::Set => set_labels(self.tag, &mut labels),
        }
        if self.tag != 99 {
            labels.skip_to(126);
            last_two(
                matches!(self.kind, Kind::HonourCount) || self.tag == 41,
                &mut labels,
            );
        }
        labels.into_vec()
    }
}

fn last_two(body: bool, labels: &mut Labels) {
    if body {
        labels.push(Whose::First, "body", 1);
        labels.push(Whose::Second, "body", 1);
    } else {
        fit_labels(labels);
    }
}

fn fit_labels(labels: &mut Labels) {
    labels.push(Whose::Side, "trump suit", 1);
    labels.push(Whose::Side, "fit length", 1);
}

fn set_labels(tag: i32, labels: &mut Labels) {
    match tag {
        40 => {
            for metric in side_metrics() {
                labels.totals(&format!("{} notrump", metric.name), 1);
                labels.totals(&format!("{} fit", metric.name), 1);
            }
        }
        41 => {
            for metric in METRICS
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
                    labels.push(Whose::Side, format!("{name} {play}, exact"), scale);
                }
                for name in ["zar", "zar_advanced"] {
                    labels.push(Whose::Side, format!("{name} {play}, halved"), 1);
                }
            }
        }
        50 => {
            with_variant("karpin", labels);
            fit_labels(labels);
            fit_labels(labels);
            labels.groups(&[Group::Hand(Whose::Second, KARPIN_B_REST)]);
        }
        51 => {
            with_variant("larsson", labels);
            labels.push(Whose::Side, "unused", 1);
            labels.push(Whose::Side, "unused", 1);
            fit_labels(labels);
            labels.push(Whose::First, "dummy", 1);
            labels.groups(&[Group::Hand(Whose::Second, LARSSON_B_REST)]);
        }
        88 => side_values(labels),
        _ => {
            for slot in 0..SLOTS {
                labels.push(Whose::Side, format!("slot {slot}"), 1);
            }
        }
    }
}

fn side_metrics() -> impl Iterator<Item = &'static Metric> {
    METRICS
        .iter()
        .filter(|metric| matches!(metric.kind, Kind::Side(_)))
}

fn side_values(labels: &mut Labels) {
    for play in ["fit", "notrump"] {
        for metric in side_metrics() {
            labels.push(Whose::Side, format!("{} {play}", metric.name), 1);
        }
    }
}

/// What the two smaller sets show of the second hand besides totals.
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

/// The totals of a method and of its fractional variant.
fn with_variant(name: &str, labels: &mut Labels) {
    for name in [name.to_string(), format!("{name}_b")] {
        labels.totals(&format!("{name} notrump"), 1);
        labels.totals(&format!("{name} fit"), 1);
    }
}

const fn side(
    tag: i32,
    letter: char,
    name: &'static str,
    summary: &'static str,
    details: &'static [Group],
) -> Metric {
    Metric {
        tag,
        letter: Some(letter),
        name,
        summary,
        kind: Kind::Side(details),
    }
}

const fn honours(tag: i32, name: &'static str, summary: &'static str) -> Metric {
    Metric {
        tag,
        letter: None,
        name,
        summary,
        kind: Kind::HonourCount,
    }
}

const fn set(tag: i32, name: &'static str, summary: &'static str) -> Metric {
    Metric {
        tag,
        letter: None,
        name,
        summary,
        kind: Kind::Set,
    }
}

static METRICS: [Metric; 30] = [
    side(
        0,
        'B',
        "bergen",
        "Bergen: points adjusted for aces and tens, good suits, length, fit",
        bergen::DETAILS,
    ),
    side(
        1,
        'b',
        "bissell",
        "Bissell: honours and length of every suit together, no fit points",
        bissell::DETAILS,
    ),
    side(
        2,
        'D',
        "dkp",
        "Kleinman's little jack points: A 13, K 9, Q 5, J 2 thirds, synergy",
        dkp::DETAILS,
    ),
    side(
        3,
        'G',
        "goren",
        "Goren: points and shortness, promoted in dummy",
        goren::DETAILS,
    ),
    side(
        4,
        'E',
        "kaplan",
        "Kaplan: points and length, shortness of both hands in a fit",
        kaplan::DETAILS,
    ),
    side(
        5,
        'K',
        "karpin",
        "Karpin: points and length, shortness by trump length in a fit",
        karpin::DETAILS,
    ),
    side(
        6,
        'J',
        "karpin_b",
        "Karpin with A 4.25, K 3, Q 1.75, J 0.75, T 0.25",
        karpin_b::DETAILS,
    ),
    side(
        7,
        'k',
        "knr",
        "Kaplan-Rubens four C's with fit and misfit",
        knr::DETAILS,
    ),
    side(
        8,
        'L',
        "larsson",
        "Larsson: points, tens and nines, good suits, shortest suit in a big fit",
        larsson::DETAILS,
    ),
    side(
        9,
        'M',
        "larsson_b",
        "Larsson with fractional honours that support each other",
        larsson_b::DETAILS,
    ),
    side(
        10,
        'P',
        "pavlicek",
        "Pavlicek: points, aces and tens, shortness, side suits with declarer",
        pavlicek::DETAILS,
    ),
    side(
        11,
        'S',
        "sheinwold",
        "Sheinwold: points, unsupported honours, solid side suits, quick tricks",
        sheinwold::DETAILS,
    ),
    side(
        12,
        'z',
        "zar",
        "Zar points: points, controls and distribution",
        zar::DETAILS,
    ),
    side(
        13,
        'Z',
        "zar_advanced",
        "Zar points with second fit, honours in fits and ruffing value",
        zar_advanced::DETAILS,
    ),
    side(
        14,
        'R',
        "roth",
        "Roth: points, shortness and the quality of long suits",
        roth::DETAILS,
    ),
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

/// All built-in metrics in the order of their tags.
pub fn list() -> &'static [Metric] {
    &METRICS
}

/// The metric with this name, in any case.
///
/// ```
/// use valuation::metrics;
///
/// assert_eq!(metrics::by_name("Zar").unwrap().tag, 12);
/// assert!(metrics::by_name("milton").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static Metric> {
    METRICS
        .iter()
        .find(|metric| metric.name.eq_ignore_ascii_case(name))
}

/// The metric with this tag, or with the letter of this character code.
pub fn by_tag(tag: i32) -> Option<&'static Metric> {
    let letter = u8::try_from(tag).ok().map(char::from);
    METRICS
        .iter()
        .find(|metric| metric.tag == tag || letter.is_some() && metric.letter == letter)
}

/// The slot that one of the four forms of `usereval` reads: `(tag, side, index)`,
/// `(tag, side, suit, index)`, `(tag, seat, index)` or `(tag, seat, suit, index)`. `None` if the index
/// is out of the form's range: 0 to 127, 7, 15 and 3.
///
/// ```
/// use cards::{Seat, Suit};
/// use valuation::metrics::slot_of_form;
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
