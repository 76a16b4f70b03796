//! The lines of `printrpt` and `csvrpt`.

use std::io::{self, Write};

use cards::{Seat, Strain, TrickTable};
use formats::{csv, hand, number};
use script::plan::{Action, NodeId, Plan, ReportTerm};

use crate::{ProducedBoard, Renderer, RunContext};

/// Writes a line of `printrpt` or `csvrpt`: `values` are those of its expressions, in order.
pub fn line(
    out: &mut Vec<u8>,
    run: &RunContext<'_>,
    board: &ProducedBoard<'_>,
    terms: &[ReportTerm],
    values: &[i32],
) {
    let deal = &board.deal;
    let table = board.tricks.unwrap_or_default();
    let mut values = values.iter().copied();
    for (index, term) in terms.iter().enumerate() {
        out.push(if index == 0 { b' ' } else { b',' });
        match term {
            ReportTerm::Hand(seat) => hand::report(out, deal, *seat),
            ReportTerm::Side(side) => side
                .seats()
                .into_iter()
                .for_each(|seat| hand::report(out, deal, seat)),
            ReportTerm::Deal => hand::all_four(out, deal),
            ReportTerm::Value(_) => number::integer(out, i64::from(values.next().unwrap_or(0))),
            ReportTerm::Text(text) => quoted(out, text.as_bytes()),
            ReportTerm::Tricks(seat) => tricks(out, &[*seat], &table),
            ReportTerm::AllTricks => tricks(out, &Seat::ALL, &table),
            ReportTerm::ParContract(vulnerable) => {
                let vulnerable = vulnerable.unwrap_or(run.heading.par_vulnerability);
                quoted(out, solver::par(&table, vulnerable).to_string().as_bytes());
            }
        }
    }
    out.push(b'\n');
}

/// Writes a line of `csvrpt`: like [`line()`] in the classic dialects, in the native one by RFC 4180, so that any
/// program can read it.
pub fn csv_line(
    out: &mut Vec<u8>,
    run: &RunContext<'_>,
    board: &ProducedBoard<'_>,
    terms: &[ReportTerm],
    values: &[i32],
) {
    if !run.style.csv_fields {
        line(out, run, board, terms, values);
        return;
    }
    let deal = &board.deal;
    let table = board.tricks.unwrap_or_default();
    let mut values = values.iter().copied();
    let mut text = Vec::new();
    for (index, term) in terms.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        text.clear();
        match term {
            ReportTerm::Hand(seat) => hand::report(&mut text, deal, *seat),
            ReportTerm::Side(side) => side
                .seats()
                .into_iter()
                .for_each(|seat| hand::report(&mut text, deal, seat)),
            ReportTerm::Deal => hand::all_four(&mut text, deal),
            ReportTerm::Text(words) => text.extend_from_slice(words.as_bytes()),
            ReportTerm::ParContract(vulnerable) => {
                let vulnerable = vulnerable.unwrap_or(run.heading.par_vulnerability);
                let par = solver::par(&table, vulnerable).to_string();
                text.extend_from_slice(par.as_bytes());
            }
            ReportTerm::Value(_) => {
                number::integer(out, i64::from(values.next().unwrap_or(0)));
                continue;
            }
            ReportTerm::Tricks(seat) => {
                tricks(out, &[*seat], &table);
                continue;
            }
            ReportTerm::AllTricks => {
                tricks(out, &Seat::ALL, &table);
                continue;
            }
        }
        match run.heading.csv_safe {
            true => csv::field(out, &csv::guarded(text.trim_ascii())),
            false => csv::field(out, text.trim_ascii()),
        }
    }
    out.push(b'\n');
}

/// Writes a text between apostrophes: a string of the script or a par contract.
fn quoted(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'\'');
    out.extend_from_slice(text);
    out.push(b'\'');
}

fn tricks(out: &mut Vec<u8>, declarers: &[Seat], table: &TrickTable) {
    let all = declarers.iter().flat_map(|&declarer| table.row(declarer));
    for (index, tricks) in all.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        number::integer(out, i64::from(tricks));
    }
}

/// `csvrpt` for a file of its own.
#[derive(Clone, Copy, Debug)]
pub struct ReportFile {
    /// Whether to write the column names first: at the start of a new file.
    pub header: bool,
}

impl Renderer for ReportFile {
    fn needs_deals(&self, run: &RunContext<'_>) -> bool {
        reports(run.plan).next().is_some()
    }

    fn begin(&self, out: &mut dyn Write, run: &RunContext<'_>) -> io::Result<()> {
        let mut all = reports(run.plan);
        match (all.next(), all.next()) {
            (Some((_, terms)), None) if self.header => {
                out.write_all(&column_names(run.plan, terms, run.heading.csv_safe))
            }
            // Reports with different columns in one file have no common header.
            _ => Ok(()),
        }
    }

    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        for (index, terms) in reports(run.plan) {
            csv_line(out, run, board, terms, board.produced.values(index));
        }
    }
}

fn reports(plan: &Plan) -> impl Iterator<Item = (usize, &[ReportTerm])> {
    let numbered = plan.actions.iter().enumerate();
    numbered.filter_map(|(index, action)| match action {
        Action::CsvReport(terms) => Some((index, &terms[..])),
        _ => None,
    })
}

/// Returns the header row of a report: variables by their names, other expressions as written in the script, tricks as
/// `N_C` to `W_N`.
fn column_names(plan: &Plan, terms: &[ReportTerm], is_safe: bool) -> Vec<u8> {
    let tricks =
        |seat: Seat| Strain::ALL.map(|strain| format!("{}_{}", seat.letter(), strain.letter()));
    let mut names: Vec<String> = Vec::new();
    for term in terms {
        match term {
            ReportTerm::Hand(seat) => names.push(seat.name().into()),
            ReportTerm::Side(side) => names.push(side.letters().into()),
            ReportTerm::Deal => names.push("deal".into()),
            ReportTerm::Text(_) => names.push("text".into()),
            ReportTerm::Tricks(seat) => names.extend(tricks(*seat)),
            ReportTerm::AllTricks => names.extend(Seat::ALL.into_iter().flat_map(tricks)),
            ReportTerm::ParContract(_) => names.push("parcontract".into()),
            ReportTerm::Value(node) => names.push(name_of(plan, *node)),
        }
    }
    let mut row = Vec::new();
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            row.push(b',');
        }
        match is_safe {
            true => csv::field(&mut row, &csv::guarded(name.as_bytes())),
            false => csv::field(&mut row, name.as_bytes()),
        }
    }
    row.push(b'\n');
    row
}

/// Returns the variable of an expression, or the expression's own text.
fn name_of(plan: &Plan, node: NodeId) -> String {
    if let Some(variable) = plan
        .variables
        .iter()
        .find(|variable| variable.value == node)
    {
        return variable.name.clone();
    }
    let place = plan.sources.place(plan.facts_of(node).span);
    let text = place.text.chars().skip(place.mark_from);
    text.take(place.mark_length).collect()
}

/// `export` for a file of its own.
#[derive(Clone, Copy, Debug)]
pub struct ExportFile;

impl Renderer for ExportFile {
    fn needs_deals(&self, run: &RunContext<'_>) -> bool {
        let exports =
            |action: &Action| matches!(action, Action::ExportSeat(_) | Action::ExportSide(_));
        run.plan.actions.iter().any(exports)
    }

    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        for action in &run.plan.actions {
            match action {
                Action::ExportSeat(seat) => hand::export_seat(out, &board.deal, *seat),
                Action::ExportSide(side) => hand::export_side(out, &board.deal, *side),
                // The other values belong to the other outputs.
                _ => {}
            }
        }
    }
}
