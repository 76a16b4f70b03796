//! What is printed when the dealing is over: tables and statistics.

use std::io;

use engine::{Report, Scale, Tally};
use formats::json::{self, Object};
use formats::page;
use formats::statistics::{Origin, Statistics};
use formats::style::Style;
use formats::table::{self, Axis, ContractResults, Counts, Grid, Moments};
use script::plan::{Action, Plan};

use super::pages::Pages;

/// Deals in a row of `print`.
const ROW: usize = 4;

/// Prints the tables of the end-of-run actions, in the order of the list.
///
/// # Errors
/// If kept deals cannot be read back.
pub fn tables(pages: &mut Pages<'_>, report: &Report) -> io::Result<()> {
    for (action, tally) in pages.plan.actions.iter().zip(&report.tallies) {
        match (action, tally) {
            (Action::Print(seats), _) => kept_hands(pages, seats)?,
            (action, Some(tally)) => one_table(&mut pages.text, pages.style, action, tally),
            _ => {}
        }
    }
    Ok(())
}

/// `print(seats)`.
fn kept_hands(pages: &mut Pages<'_>, seats: &[cards::Seat]) -> io::Result<()> {
    for seat in cards::Seat::ALL
        .into_iter()
        .filter(|seat| seats.contains(seat))
    {
        page::seat_heading(&mut pages.text, pages.style, &pages.heading.title, seat);
        let mut kept = std::mem::take(&mut pages.kept);
        let mut number = pages.heading.first_board;
        let result = kept.in_rows(ROW, |deals| {
            let row: Vec<(i64, cards::Deal)> = deals
                .iter()
                .zip(number..)
                .map(|(&deal, number)| (number, deal))
                .collect();
            number += deals.len() as i64;
            page::row_of_hands(&mut pages.text, seat, &row);
            if pages.text.len() > 1 << 16 {
                pages.flush()
            } else {
                Ok(())
            }
        });
        pages.kept = kept;
        result?;
        pages.text.push(b'\x0c');
    }
    Ok(())
}

fn axis(scale: &Scale) -> Axis {
    Axis {
        low: scale.low,
        size: scale.size,
        classes: scale.buckets,
    }
}

fn moments(average: &engine::Moments, style: &Style) -> Moments {
    let squares = if style.squares_wrap {
        i128::from(average.wrapped_squares)
    } else {
        average.squares as i128
    };
    Moments {
        count: average.count,
        sum: average.sum,
        squares,
    }
}

fn bytes(label: &Option<String>) -> &[u8] {
    label.as_deref().unwrap_or_default().as_bytes()
}

fn one_table(out: &mut Vec<u8>, style: &Style, action: &Action, tally: &Tally) {
    match (action, tally) {
        (Action::Average { label, .. }, Tally::Average(average)) => {
            table::average(
                out,
                style,
                label.as_deref().map(str::as_bytes),
                &moments(average, style),
            );
        }
        (
            Action::Frequency { label, .. } | Action::BucketFrequency { label, .. },
            Tally::Frequency(frequency),
        ) => {
            let count = |cell: usize| match cell {
                0 => frequency.below(),
                cell if cell > frequency.scale.buckets => frequency.above(),
                cell => frequency.count(cell - 1),
            };
            let counts = Counts {
                axis: axis(&frequency.scale),
                count: &count,
            };
            match action {
                Action::Frequency { .. } => table::frequency(out, style, bytes(label), &counts),
                _ => table::bucket_frequency(out, bytes(label), &counts),
            }
        }
        (
            Action::Frequency2 { label, .. } | Action::BucketFrequency2 { label, .. },
            Tally::Frequency2(frequency),
        ) => {
            let grid = Grid {
                rows: axis(&frequency.rows),
                columns: axis(&frequency.columns),
                count: &|row, column| frequency.cell(row, column),
            };
            match action {
                Action::Frequency2 { .. } => table::frequency_grid(out, style, bytes(label), &grid),
                _ => table::bucket_grid(out, bytes(label), &grid),
            }
        }
        (
            &Action::EvalContract {
                side,
                contract,
                vulnerable,
            },
            Tally::Tricks(tricks),
        ) => {
            table::contract_results(
                out,
                style,
                &ContractResults {
                    side,
                    contract,
                    vulnerable,
                    tricks: &tricks.0,
                },
            );
        }
        _ => {}
    }
}

/// The largest table that is printed; the classic programs run out of memory somewhere there too.
const MOST_CELLS: u128 = 1 << 24;

/// Whether a table of the plan has more cells than anybody could read.
pub fn too_large(plan: &Plan) -> bool {
    plan.actions
        .iter()
        .filter_map(Tally::for_action)
        .any(|tally| match tally {
            Tally::Frequency(frequency) => frequency.scale.cells() as u128 > MOST_CELLS,
            Tally::Frequency2(grid) => {
                grid.rows.cells() as u128 * grid.columns.cells() as u128 > MOST_CELLS
            }
            _ => false,
        })
}

/// Tables and statistics as one JSON object.
pub fn json(out: &mut Vec<u8>, plan: &Plan, report: &Report, run: &Statistics<'_>) {
    let mut object = Object::open(out);
    object.object("statistics", |statistics| {
        if !run.title.is_empty() {
            statistics.text("title", run.title);
        }
        statistics
            .integer("generated", run.generated)
            .integer("produced", run.produced);
        match &run.origin {
            // A key does not fit a number of JSON.
            Origin::Seed(seed) if seed.starts_with("key:") => {
                statistics.text("seed", seed.as_bytes());
            }
            Origin::Seed(seed) => statistics.key("seed").extend_from_slice(seed.as_bytes()),
            Origin::Commitment(hash) => {
                statistics.text("commitment", hash.as_bytes());
            }
            Origin::Library {
                records,
                wraps,
                start,
            } => {
                statistics
                    .integer("records", *records as i64)
                    .integer("wraps", *wraps as i64)
                    .integer("start", *start as i64);
            }
            Origin::File => {}
        }
        statistics.number("seconds", run.seconds);
    });
    let out = object.key("tables");
    out.push(b'[');
    let mut first = true;
    for (action, tally) in plan.actions.iter().zip(&report.tallies) {
        if let Some(tally) = tally {
            if !std::mem::take(&mut first) {
                out.push(b',');
            }
            json_table(out, action, tally);
        }
    }
    out.push(b']');
    object.close();
}

fn json_table(out: &mut Vec<u8>, action: &Action, tally: &Tally) {
    let mut object = Object::open(out);
    match (action, tally) {
        (Action::Average { label, .. }, Tally::Average(average)) => {
            object
                .text("kind", b"average")
                .text("label", bytes(label))
                .integer("count", average.count as i64);
            object.number("mean", average.mean().unwrap_or(f64::NAN));
            object.number("variance", average.variance().unwrap_or(f64::NAN));
        }
        (
            Action::Frequency { label, .. } | Action::BucketFrequency { label, .. },
            Tally::Frequency(frequency),
        ) => {
            object
                .text("kind", b"frequency")
                .text("label", bytes(label));
            json_axis(&mut object, "", &frequency.scale);
            object
                .integer("below", frequency.below() as i64)
                .integer("above", frequency.above() as i64);
            object.integers(
                "counts",
                (0..frequency.scale.buckets).map(|bucket| frequency.count(bucket) as i64),
            );
        }
        (
            Action::Frequency2 { label, .. } | Action::BucketFrequency2 { label, .. },
            Tally::Frequency2(grid),
        ) => {
            object
                .text("kind", b"frequency2")
                .text("label", bytes(label));
            json_axis(&mut object, "row_", &grid.rows);
            json_axis(&mut object, "column_", &grid.columns);
            let out = object.key("counts");
            out.push(b'[');
            for row in 0..grid.rows.cells() {
                if row > 0 {
                    out.push(b',');
                }
                json::integers(
                    out,
                    (0..grid.columns.cells()).map(|column| grid.cell(row, column) as i64),
                );
            }
            out.push(b']');
        }
        (
            Action::EvalContract {
                side,
                contract,
                vulnerable,
            },
            Tally::Tricks(tricks),
        ) => {
            object
                .text("kind", b"contract")
                .text("side", side.letters().as_bytes());
            object
                .text("contract", contract.to_string().as_bytes())
                .integer("vulnerable", i64::from(*vulnerable));
            object.integers("tricks", tricks.0.map(|deals| deals as i64));
        }
        _ => {}
    }
    object.close();
}

fn json_axis(object: &mut Object<'_>, prefix: &str, scale: &Scale) {
    object
        .integer(&format!("{prefix}low"), i64::from(scale.low))
        .integer(&format!("{prefix}size"), i64::from(scale.size));
}
