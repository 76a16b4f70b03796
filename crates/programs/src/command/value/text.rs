//! Text tables of the valuations: one line per part, suits or hands side by side.

use std::io::{self, Write};

use croupier::cards::Suit;
use croupier::valuation::entries::{ListedValue, TOTAL, ValueList};

use super::number;
use crate::table::{Listing, ListingCell, TableFormat};

/// Writes a table of hands, then one of the points of a pair, then one of the metrics of each side.
pub(super) fn write(entries: &ValueList, out: &mut impl Write) -> io::Result<()> {
    let (metrics, hands): (Vec<&ListedValue>, Vec<&ListedValue>) =
        entries.iter().partition(|entry| entry.slot.is_some());
    if !hands.is_empty() {
        by_suit(&hands).write(TableFormat::Text, out)?;
    }
    if !metrics.is_empty() {
        if !hands.is_empty() {
            writeln!(out)?;
        }
        by_hand(&metrics).write(TableFormat::Text, out)?;
    }
    Ok(())
}

/// Returns groups of consecutive numbers of one part; each group becomes a line.
fn lines<'a>(entries: &'a [&'a ListedValue]) -> impl Iterator<Item = &'a [&'a ListedValue]> {
    entries.chunk_by(|a, b| (&a.whose, a.valuation, &a.part) == (&b.whose, b.valuation, &b.part))
}

/// Returns a value as a text cell, so that integers and decimals align in one column.
fn cell(entry: Option<&&ListedValue>) -> ListingCell {
    entry.map_or(ListingCell::Empty, |entry| number(entry))
}

fn by_suit(entries: &[&ListedValue]) -> Listing {
    let mut table = Listing::new(&[
        "whose",
        "valuation",
        "part",
        "spades",
        "hearts",
        "diamonds",
        "clubs",
        "total",
    ]);
    for line in lines(entries) {
        let of = |suit: Option<Suit>| cell(line.iter().find(|entry| entry.suit == suit));
        let part = if line[0].part == TOTAL {
            ""
        } else {
            &line[0].part
        };
        let mut row = vec![
            ListingCell::from(line[0].whose.as_str()),
            ListingCell::from(line[0].valuation),
            ListingCell::from(part),
        ];
        row.extend(Suit::DESCENDING.map(|suit| of(Some(suit))));
        row.push(of(None));
        table.push(row);
    }
    table
}

/// Returns the table of a side's metrics: the value of both hands, of the first and of the second.
fn by_hand(entries: &[&ListedValue]) -> Listing {
    let mut table = Listing::new(&[
        "side",
        "metric",
        "what",
        "side total",
        "N or E",
        "S or W",
        "slots",
    ]);
    for metric in entries.chunk_by(|a, b| a.valuation == b.valuation) {
        for name in parts_in_order(metric) {
            let line: Vec<&ListedValue> = metric
                .iter()
                .copied()
                .filter(|entry| entry.part == name)
                .collect();
            push_lines(&mut table, &line);
        }
    }
    table
}

/// Returns the names of the parts in order of first appearance, without duplicates.
fn parts_in_order<'a>(entries: &[&'a ListedValue]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for entry in entries {
        if !names.contains(&entry.part.as_str()) {
            names.push(&entry.part);
        }
    }
    names
}

/// Adds one line for numbers of different hands; a hand that occurs again starts another line.
fn push_lines(table: &mut Listing, entries: &[&ListedValue]) {
    let mut rest = entries;
    while !rest.is_empty() {
        let repeated = (1..rest.len()).find(|&end| {
            rest[..end]
                .iter()
                .any(|entry| entry.whose == rest[end].whose)
        });
        let (line, after) = rest.split_at(repeated.unwrap_or(rest.len()));
        rest = after;
        let of = |wanted: &[&str]| {
            cell(
                line.iter()
                    .find(|entry| wanted.contains(&entry.whose.as_str())),
            )
        };
        let is_north_south = line
            .iter()
            .any(|entry| matches!(entry.whose.as_str(), "NS" | "N" | "S"));
        let side = if is_north_south { "NS" } else { "EW" };
        let slots: Vec<String> = line
            .iter()
            .filter_map(|entry| entry.slot)
            .map(|slot| slot.to_string())
            .collect();
        table.push(vec![
            ListingCell::from(side),
            ListingCell::from(line[0].valuation),
            ListingCell::from(line[0].part.as_str()),
            of(&["NS", "EW"]),
            of(&["N", "E"]),
            of(&["S", "W"]),
            ListingCell::from(slots.join(" ").as_str()),
        ]);
    }
}
