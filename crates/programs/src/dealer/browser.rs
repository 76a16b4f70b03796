//! `--report`: the run as a page for the browser.

use engine::{Report, Scale, Tally};
use formats::Board;
use formats::html::{AverageRow, Page};
use formats::table::{self, ContractResults};
use script::plan::{Action, Plan};

/// Boards shown as diagrams at most.
pub const MOST_BOARDS: usize = 500;

/// The page of a run.
pub fn page(
    title: &str,
    plan: &Plan,
    report: &Report,
    boards: &[Board],
    statistics: &str,
) -> String {
    let mut page = Page::new(if title.is_empty() { "Deals" } else { title });
    for line in statistics.lines().filter(|line| !line.is_empty()) {
        page.paragraph(line);
    }
    averages(&mut page, plan, report);
    for (action, tally) in plan.actions.iter().zip(&report.tallies) {
        if let Some(tally) = tally {
            one_table(&mut page, action, tally);
        }
    }
    if !boards.is_empty() {
        page.heading("Boards");
        if report.produced as usize > boards.len() {
            page.paragraph(&format!(
                "The first {} of {} produced deals.",
                boards.len(),
                report.produced
            ));
        }
        for board in boards {
            if let Some(deal) = board.deal() {
                page.board(board, &deal);
            }
        }
    }
    page.finish()
}

fn averages(page: &mut Page, plan: &Plan, report: &Report) {
    let rows: Vec<AverageRow> = plan
        .actions
        .iter()
        .zip(&report.tallies)
        .filter_map(|(action, tally)| match (action, tally) {
            (Action::Average { label, value }, Some(Tally::Average(average))) => Some(AverageRow {
                label: label.clone().unwrap_or_else(|| plan.expression(*value)),
                mean: average.mean()?,
                deviation: average.variance()?.sqrt(),
                count: average.count,
            }),
            _ => None,
        })
        .collect();
    if !rows.is_empty() {
        page.heading("Averages");
        page.averages(&rows);
    }
}

/// The names of an axis: Low, the classes, High.
fn names(scale: &Scale) -> Vec<String> {
    let classes = (0..scale.buckets).map(|bucket| scale.name(bucket).to_string());
    std::iter::once("Low".to_owned())
        .chain(classes)
        .chain(std::iter::once("High".to_owned()))
        .collect()
}

fn one_table(page: &mut Page, action: &Action, tally: &Tally) {
    match (action, tally) {
        (
            Action::Frequency { label, .. } | Action::BucketFrequency { label, .. },
            Tally::Frequency(frequency),
        ) => {
            let count = |cell: usize| match cell {
                0 => frequency.below(),
                cell if cell > frequency.scale.buckets => frequency.above(),
                cell => frequency.count(cell - 1),
            };
            let last = frequency.scale.buckets + 1;
            let rows: Vec<(String, u64)> = names(&frequency.scale)
                .into_iter()
                .enumerate()
                .map(|(cell, name)| (cell, name, count(cell)))
                .filter(|&(cell, _, count)| count > 0 || (cell != 0 && cell != last))
                .map(|(_, name, count)| (name, count))
                .collect();
            page.bars(label.as_deref().unwrap_or("Frequency"), &rows);
        }
        (
            Action::Frequency2 { label, .. } | Action::BucketFrequency2 { label, .. },
            Tally::Frequency2(grid),
        ) => {
            let label = label.as_deref().unwrap_or("Frequency");
            page.heat_map(
                label,
                &names(&grid.rows),
                &names(&grid.columns),
                |row, column| grid.cell(row, column),
            );
        }
        (
            &Action::EvalContract {
                side,
                contract,
                vulnerable,
            },
            Tally::Tricks(tricks),
        ) => {
            let mut text = Vec::new();
            let results = ContractResults {
                side,
                contract,
                vulnerable,
                tricks: &tricks.0,
            };
            table::contract_results(&mut text, formats::Dialect::Native.style(), &results);
            for line in String::from_utf8_lossy(&text)
                .lines()
                .filter(|line| !line.is_empty())
            {
                page.paragraph(line);
            }
        }
        _ => {}
    }
}
