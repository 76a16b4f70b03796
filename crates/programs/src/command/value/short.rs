//! The short form of the valuations: the numbers that players use most, with names and in groups.

use std::io::{self, Write};

use croupier::cards::Suit;
use croupier::valuation::entries::{ListedValue, TOTAL, ValueList};
use croupier::valuation::metrics;

use super::number;
use crate::table::{Listing, ListingCell, TableFormat};

/// The valuations of a hand, by group: title, then method and name of each.
const HAND_GROUPS: [(&str, &[(&str, &str)]); 3] = [
    (
        "Points",
        &[
            ("hcp", "High-card points"),
            ("bumwrap", "Points with tens (bumwrap)"),
            ("cccc", "Kaplan-Rubens points (cccc)"),
        ],
    ),
    (
        "Tricks",
        &[
            ("controls", "Controls, ace 2 and king 1"),
            ("losers", "Losers"),
            ("ltc", "Losers in halves (ltc)"),
        ],
    ),
    ("Suits", &[("quality", "Quality of the suit")]),
];

/// Parts of the optimal point count that the short form shows; names of strains may follow.
const OPC_PARTS: [&str; 5] = [
    "in the longest fit",
    "in notrump",
    "tricks expected",
    "quick losers, suit contract",
    "quick losers, notrump",
];

/// Last metric that values both hands of a side.
const LAST_SIDE_METRIC: i32 = 19;

/// Writes the short form.
pub(super) fn write(entries: &ValueList, out: &mut impl Write) -> io::Result<()> {
    let all: Vec<&ListedValue> = entries.iter().collect();
    let mut owners: Vec<&str> = Vec::new();
    for entry in &all {
        if !owners.contains(&entry.whose.as_str()) {
            owners.push(&entry.whose);
        }
    }
    let (sides, hands): (Vec<&str>, Vec<&str>) = owners
        .into_iter()
        .partition(|owner| matches!(*owner, "NS" | "EW"));
    for (title, rows) in HAND_GROUPS {
        let table = match hands.as_slice() {
            [_] => Some(by_suit(&all, title, rows)),
            hands if title != "Suits" => Some(by_hand(&all, title, rows, hands)),
            _ => None,
        };
        if let Some(table) = table {
            table.write(TableFormat::Text, out)?;
            writeln!(out)?;
        }
    }
    if !sides.is_empty() {
        for side in &sides {
            optimal_points(&all, side).write(TableFormat::Text, out)?;
            writeln!(out)?;
        }
        methods(&all, &sides).write(TableFormat::Text, out)?;
        writeln!(out)?;
    }
    writeln!(
        out,
        "--all shows every method with its parts, --only NAMES some of them (croupier metrics)."
    )
}

/// Returns the value of a method for a hand or a side.
fn value<'a>(
    all: &[&'a ListedValue],
    (whose, valuation, part): (&str, &str, &str),
    suit: Option<Suit>,
) -> Option<&'a ListedValue> {
    let mut entries = all.iter();
    let found = entries.find(|entry| {
        entry.whose == whose
            && entry.valuation == valuation
            && entry.part == part
            && entry.suit == suit
    });
    found.copied()
}

fn cell(entry: Option<&ListedValue>) -> ListingCell {
    entry.map_or(ListingCell::Empty, number)
}

/// Returns the table of one hand, suit by suit.
fn by_suit(
    all: &[&ListedValue],
    title: &'static str,
    rows: &[(&'static str, &'static str)],
) -> Listing {
    let whose = all.first().map_or("", |entry| entry.whose.as_str());
    let mut table = Listing::new(&[title, "spades", "hearts", "diamonds", "clubs", "total"]);
    for (valuation, name) in rows {
        let of = |suit| cell(value(all, (whose, valuation, TOTAL), suit));
        let mut row = vec![ListingCell::from(*name)];
        row.extend(Suit::DESCENDING.map(|suit| of(Some(suit))));
        row.push(of(None));
        table.push(row);
    }
    table
}

/// Returns the table of several hands side by side.
fn by_hand(
    all: &[&ListedValue],
    title: &'static str,
    rows: &[(&'static str, &'static str)],
    hands: &[&str],
) -> Listing {
    let names = ["N", "E", "S", "W"]
        .into_iter()
        .filter(|name| hands.contains(name));
    let columns: Vec<&str> = std::iter::once(title).chain(names).collect();
    let mut table = Listing::new(&columns);
    for (valuation, name) in rows {
        let values = hands
            .iter()
            .map(|hand| cell(value(all, (hand, valuation, TOTAL), None)));
        table.push(
            std::iter::once(ListingCell::from(*name))
                .chain(values)
                .collect(),
        );
    }
    table
}

/// Returns the optimal points of a side, its tricks and its quick losers.
fn optimal_points(all: &[&ListedValue], side: &str) -> Listing {
    let title = match side {
        "NS" => "Optimal point count, North-South",
        _ => "Optimal point count, East-West",
    };
    let mut table = Listing::new(&[title, ""]);
    let own = all
        .iter()
        .filter(|entry| entry.whose == side && entry.valuation == "opc");
    for entry in own.filter(|entry| entry.suit.is_none()) {
        if OPC_PARTS.iter().any(|part| entry.part.starts_with(part)) {
            let mut name = entry.part.clone();
            name[..1].make_ascii_uppercase();
            table.push(vec![ListingCell::Text(name), number(entry)]);
        }
    }
    table
}

/// Returns the points of both hands by every method, in a fit and in notrump.
fn methods(all: &[&ListedValue], sides: &[&str]) -> Listing {
    let headings = sides.iter().flat_map(|side| match *side {
        "NS" => ["NS in a fit", "NS in notrump"],
        _ => ["EW in a fit", "EW in notrump"],
    });
    let columns: Vec<&str> = std::iter::once("Both hands").chain(headings).collect();
    let mut table = Listing::new(&columns);
    for metric in metrics::list()
        .iter()
        .filter(|metric| metric.tag <= LAST_SIDE_METRIC)
    {
        let mut row = vec![ListingCell::from(method_name(metric.name, metric.summary))];
        for side in sides {
            for part in ["fit", "notrump"] {
                let whole = |entry: &&&ListedValue| {
                    entry.whose == *side && entry.valuation == metric.name && entry.part == part
                };
                row.push(cell(all.iter().find(whole).copied()));
            }
        }
        if row[1..].iter().any(|cell| *cell != ListingCell::Empty) {
            table.push(row);
        }
    }
    table
}

/// Returns the name of a metric for players: the words before the colon of its description.
fn method_name(name: &'static str, summary: &'static str) -> &'static str {
    match name {
        "karpin_b" => "Karpin, fractions",
        "knr" => "Kaplan-Rubens with fit",
        "larsson_b" => "Larsson, fractions",
        "zar" => "Zar",
        "zar_advanced" => "Zar, advanced",
        _ => summary.split_once(':').map_or(name, |(name, _)| name),
    }
}
