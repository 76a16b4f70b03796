//! Tables of a run, with charts.

use std::fmt::Write as _;
use std::iter;
use std::ops::RangeInclusive;

use cards::Doubling;
use formats::number::grouped;
use session::interval::{self, CONFIDENCE, Interval};
use session::{AverageSums, Frequency, Frequency2, Scale, Table, TableData};

use super::chart::{self, Bar};
use super::{escape, strain};
use crate::classic::table::{Higher, HigherContracts, Summary};
use crate::draw::{ContractCounts, Draw, draw};

/// Maximum size of a grid; a larger one is unreadable on a page.
const MOST_CELLS: usize = 20_000;

/// A label and its number of deals.
pub(crate) struct Row {
    pub name: String,
    pub count: u64,
    pub interval: Option<Interval>,
}

/// Returns a table of a run with its chart and its heading. Estimates have `digits` decimals, or as many as their
/// intervals support.
#[must_use]
pub fn table_html(table: &Table, digits: Option<usize>) -> String {
    let mut figures = Figures {
        out: String::new(),
        digits: Digits(digits),
    };
    draw(table, &mut figures);
    figures.out
}

/// Returns all averages among the tables in one table; empty if there is none. `digits` as in [`table_html`].
#[must_use]
pub fn averages_html(tables: &[Table], digits: Option<usize>) -> String {
    let mut rows = String::new();
    for table in tables {
        if let TableData::Average { moments, .. } = &table.data {
            rows.push_str(&average_row(table, moments, Digits(digits)));
        }
    }
    match rows.is_empty() {
        true => rows,
        false => averages(&rows),
    }
}

/// Formats counts by name under a heading: a chart with error bars, and a table with shares and running shares.
///
/// ```
/// let html = croupier_render::html::histogram("Tricks", "tricks", &[("9".to_owned(), 3), ("10".to_owned(), 1)]);
/// assert!(html.contains("<h2>Tricks</h2>") && html.contains("75 %"));
/// ```
#[must_use]
pub fn histogram(title: &str, axis: &str, rows: &[(String, u64)]) -> String {
    let mut figures = Figures {
        out: String::new(),
        digits: Digits(None),
    };
    let total: u64 = rows.iter().map(|(_, count)| count).sum();
    let rows: Vec<Row> = rows
        .iter()
        .map(|(name, count)| Row {
            name: name.clone(),
            count: *count,
            interval: interval::of_seen_share(*count, total, None, CONFIDENCE),
        })
        .collect();
    figures.open(title);
    figures.counts(title, axis, &rows);
    figures.close();
    figures.out
}

fn averages(rows: &str) -> String {
    format!(
        "<section><h2>Averages</h2>\n<div class=\"scroll\"><table><caption class=\"sr\">Averages with 95 % confidence \
         intervals</caption><thead><tr><th scope=\"col\">average</th><th scope=\"col\">mean</th>\
         <th scope=\"col\">95 % interval</th><th scope=\"col\">standard deviation</th><th scope=\"col\">deals</th></tr>\
         </thead><tbody>\n{rows}</tbody></table></div></section>\n"
    )
}

fn average_row(table: &Table, moments: &AverageSums, digits: Digits) -> String {
    let interval = table.mean_interval(CONFIDENCE);
    let decimals = digits.decimals(interval);
    let number =
        |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.decimals$}"));
    let deviation = moments
        .variance()
        .filter(|_| moments.count > 1)
        .map(f64::sqrt);
    format!(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"faint\">{}</td><td>{}</td><td>{}</td></tr>\n",
        escape(&table.title()),
        number(moments.mean()),
        digits.limits(interval, 1.0, ""),
        number(deviation),
        grouped(u128::from(moments.count)),
    )
}

/// The decimals of estimates: a fixed number, or as many as their intervals support.
#[derive(Clone, Copy, Default)]
pub(crate) struct Digits(pub Option<usize>);

impl Digits {
    /// Returns the decimals of an estimate with this interval; two without one.
    pub fn decimals(self, interval: Option<Interval>) -> usize {
        let supported = |(low, high)| interval::decimals(low, high);
        self.0.unwrap_or_else(|| interval.map_or(2, supported))
    }

    /// Formats both limits of an interval, times `scale`.
    pub fn limits(self, interval: Option<Interval>, scale: f64, unit: &str) -> String {
        let Some((low, high)) = interval else {
            return "–".to_owned();
        };
        let (low, high) = (scale * low, scale * high);
        let decimals = self.decimals(Some((low, high)));
        format!("{low:.decimals$} to {high:.decimals$}{unit}")
    }

    /// Formats a share in percent.
    pub fn percent(self, share: f64, interval: Option<Interval>) -> String {
        let decimals = self.decimals(interval.map(|(low, high)| (100.0 * low, 100.0 * high)));
        format!("{:.decimals$} %", 100.0 * share)
    }
}

/// Returns the label of a bucket: its value, or the range that it covers.
fn class_name(scale: &Scale, bucket: usize) -> String {
    let low = scale.name(bucket);
    match scale.size {
        1 => low.to_string(),
        size => format!("{low}–{}", low + i64::from(size) - 1),
    }
}

/// Returns the names of all cells of a scale, with those beyond it at both ends.
pub(crate) fn cell_names(scale: &Scale) -> Vec<String> {
    let classes = (0..scale.buckets).map(|bucket| class_name(scale, bucket));
    let above = match scale.buckets {
        0 => format!("≥ {}", scale.low),
        buckets => format!("> {}", scale.name(buckets) - 1),
    };
    iter::once(format!("< {}", scale.low))
        .chain(classes)
        .chain(iter::once(above))
        .collect()
}

/// Returns the rows of a frequency table. Rows beyond the scale are shown only if they are not empty.
pub(crate) fn frequency_rows(table: &Table, counts: &Frequency) -> Vec<Row> {
    let last = counts.scale.buckets + 1;
    let mut intervals = table.cell_intervals(CONFIDENCE);
    let names = cell_names(&counts.scale).into_iter().enumerate();
    let rows = names.map(|(cell, name)| {
        let row = Row {
            name,
            count: counts.cell(cell),
            interval: intervals.cell(cell),
        };
        (cell, row)
    });
    rows.filter(|(cell, row)| row.count > 0 || (*cell != 0 && *cell != last))
        .map(|(_, row)| row)
        .collect()
}

/// Returns the rows of a contract's tricks.
pub(crate) fn trick_rows(
    table: &Table,
    results: &ContractCounts<'_>,
    shown: RangeInclusive<usize>,
) -> Vec<Row> {
    let row = |tricks: usize| Row {
        name: tricks.to_string(),
        count: results.tricks[tricks],
        interval: table.tricks_interval(|other| other == tricks, CONFIDENCE),
    };
    shown.map(row).collect()
}

/// Returns the rows as bars of a chart.
pub(crate) fn bars(rows: &[Row]) -> Vec<Bar> {
    let total: u64 = rows.iter().map(|row| row.count).sum();
    let bar = |row: &Row| Bar {
        name: row.name.clone(),
        share: row.count as f64 / total.max(1) as f64,
        interval: row.interval,
    };
    rows.iter().map(bar).collect()
}

struct Figures {
    out: String,
    digits: Digits,
}

impl Figures {
    /// Adds counts with shares and running shares beside a chart.
    fn counts(&mut self, title: &str, axis: &str, rows: &[Row]) {
        let digits = self.digits;
        let total: u64 = rows.iter().map(|row| row.count).sum();
        let share = |count: u64| count as f64 / total.max(1) as f64;
        let bars = bars(rows);
        self.out.push_str("<div class=\"figure\">");
        self.out.push_str(&chart::bars(title, axis, &bars));
        let _ = writeln!(
            self.out,
            "<div class=\"scroll\"><table><caption class=\"sr\">{}</caption><thead><tr><th scope=\"col\">{}</th>\
             <th scope=\"col\">count</th><th scope=\"col\">share</th><th scope=\"col\">95 % interval</th>\
             <th scope=\"col\">cumulative</th></tr></thead><tbody>",
            escape(title),
            escape(axis),
        );
        let mut running = 0;
        for row in rows {
            running += row.count;
            let _ = writeln!(
                self.out,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"faint\">{}</td><td>{}</td></tr>",
                escape(&row.name),
                grouped(u128::from(row.count)),
                digits.percent(share(row.count), row.interval),
                digits.limits(row.interval, 100.0, " %"),
                digits.percent(share(running), row.interval),
            );
        }
        let _ = writeln!(
            self.out,
            "</tbody><tfoot><tr><th scope=\"row\">total</th><td>{}</td><td></td><td></td><td></td></tr></tfoot>\
             </table></div></div>",
            grouped(u128::from(total))
        );
    }

    fn open(&mut self, title: &str) {
        let _ = writeln!(self.out, "<section><h2>{}</h2>", escape(title));
    }

    fn close(&mut self) {
        self.out.push_str("</section>\n");
    }
}

impl Draw for Figures {
    fn average(&mut self, table: &Table, _: &str, moments: &AverageSums) {
        self.out
            .push_str(&averages(&average_row(table, moments, self.digits)));
    }

    fn frequency(&mut self, table: &Table, axis: &str, counts: &Frequency, _: bool) {
        let rows = frequency_rows(table, counts);
        let title = table.title();
        self.open(&title);
        self.counts(&title, axis, &rows);
        self.close();
    }

    fn grid(&mut self, table: &Table, axes: [&str; 2], grid: &Frequency2, _: bool) {
        let title = table.title();
        self.open(&title);
        if grid.rows.cells().saturating_mul(grid.columns.cells()) > MOST_CELLS {
            let _ = writeln!(
                self.out,
                "<p>{} by {} cells are too many for a page; CSV and JSON have them.</p>",
                grid.rows.cells(),
                grid.columns.cells()
            );
        } else {
            self.heat_map(table, axes, grid);
        }
        self.close();
    }

    fn contract(&mut self, table: &Table, results: &ContractCounts<'_>) {
        let summary = Summary::of(false, results);
        let (contract, total) = (results.contract, results.tricks.iter().sum::<u64>());
        let doubling = match contract.doubling {
            Doubling::Undoubled => "",
            Doubling::Doubled => "×",
            Doubling::Redoubled => "××",
        };
        let _ = writeln!(
            self.out,
            "<section><h2>{}{}{doubling} by {}{}</h2>",
            contract.level(),
            strain(contract.strain),
            results.side.letters(),
            if results.vulnerable {
                ", vulnerable"
            } else {
                ""
            },
        );
        if total == 0 {
            self.out.push_str("<p>No deals.</p></section>\n");
            return;
        }
        let digits = self.digits;
        let score = table.mean_interval(CONFIDENCE);
        let made = table.tricks_interval(
            |tricks| tricks >= usize::from(contract.tricks_needed()),
            CONFIDENCE,
        );
        let _ = write!(
            self.out,
            "<dl><dt>Average score</dt><dd>{:.*} <span class=\"faint\">{}</span></dd>\
             <dt>Makes</dt><dd>{} <span class=\"faint\">{}</span></dd>",
            digits.decimals(score),
            summary.score,
            digits.limits(score, 1.0, ""),
            digits.percent(summary.made / 100.0, made),
            digits.limits(made, 100.0, " %"),
        );
        let higher = HigherContracts::than(contract, results.vulnerable);
        let missed = [
            ("Game", summary.missed_game, summary.game_imps, Higher::Game),
            ("Slam", summary.missed_slam, summary.slam_imps, Higher::Slam),
        ];
        for (name, share, imps, which) in missed {
            let missed =
                table.tricks_interval(|tricks| higher.is_missed(which, tricks), CONFIDENCE);
            let cost = |tricks| higher.imps(which, tricks);
            let cost = table.value_of_tricks_interval(cost, CONFIDENCE);
            let _ = write!(
                self.out,
                "<dt>{name} missed</dt><dd>{} <span class=\"faint\">{}</span>, \
                 {imps:.*} IMPs a board <span class=\"faint\">{}</span></dd>",
                digits.percent(share / 100.0, missed),
                digits.limits(missed, 100.0, " %"),
                digits.decimals(cost),
                digits.limits(cost, 1.0, ""),
            );
        }
        self.out.push_str("</dl>\n");
        let first = results.tricks.iter().position(|&deals| deals > 0);
        let last = results.tricks.iter().rposition(|&deals| deals > 0);
        let rows = trick_rows(table, results, first.unwrap_or(0)..=last.unwrap_or(13));
        self.counts(&table.title(), "tricks", &rows);
        self.close();
    }
}

impl Figures {
    /// Formats a two-dimensional table whose cells are darker the larger their counts, with sums on both sides.
    fn heat_map(&mut self, table: &Table, axes: [&str; 2], grid: &Frequency2) {
        let title = table.title();
        let mut intervals = table.cell_intervals(CONFIDENCE);
        let (rows, columns) = (cell_names(&grid.rows), cell_names(&grid.columns));
        // The cells beyond the scales are shown only if they are not empty.
        let row_sum = |r: usize| (0..columns.len()).map(|c| grid.cell(r, c)).sum::<u64>();
        let column_sum = |c: usize| (0..rows.len()).map(|r| grid.cell(r, c)).sum::<u64>();
        let shown = |at: usize, cells: usize, sum: u64| sum > 0 || (at != 0 && at + 1 != cells);
        let shown_rows: Vec<usize> = (0..rows.len())
            .filter(|&r| shown(r, rows.len(), row_sum(r)))
            .collect();
        let shown_columns: Vec<usize> = (0..columns.len())
            .filter(|&c| shown(c, columns.len(), column_sum(c)))
            .collect();
        let total = grid.total();
        let most = (0..rows.len())
            .flat_map(|r| (0..columns.len()).map(move |c| grid.cell(r, c)))
            .max()
            .unwrap_or(0)
            .max(1);
        let (out, digits) = (&mut self.out, self.digits);
        let _ = write!(
            out,
            "<div class=\"scroll\"><table class=\"heat\"><caption class=\"sr\">{}: {} by row, {} by column</caption>\
             <thead><tr><td></td><td></td><th scope=\"colgroup\" class=\"name\" colspan=\"{}\">{}</th><td></td></tr>\n\
             <tr><td></td><td></td>",
            escape(&title),
            escape(axes[0]),
            escape(axes[1]),
            shown_columns.len(),
            escape(axes[1]),
        );
        for &c in &shown_columns {
            let _ = write!(out, "<th scope=\"col\">{}</th>", escape(&columns[c]));
        }
        out.push_str("<th scope=\"col\">total</th></tr></thead><tbody>\n");
        for (place, &r) in shown_rows.iter().enumerate() {
            out.push_str("<tr>");
            if place == 0 {
                let _ = write!(
                    out,
                    "<th scope=\"rowgroup\" class=\"name\" rowspan=\"{}\"><span>{}</span></th>",
                    shown_rows.len(),
                    escape(axes[0])
                );
            }
            let _ = write!(out, "<th scope=\"row\">{}</th>", escape(&rows[r]));
            for &c in &shown_columns {
                let count = grid.cell(r, c);
                // The square root keeps small counts visible beside large ones.
                let strength = 85.0 * (count as f64 / most as f64).sqrt();
                let share = count as f64 / total.max(1) as f64;
                let interval = intervals.grid_cell(r, c);
                let _ = write!(
                    out,
                    "<td style=\"--heat:{strength:.0}%\" title=\"{} ({})\">{count}</td>",
                    digits.percent(share, interval),
                    digits.limits(interval, 100.0, " %"),
                );
            }
            let _ = writeln!(out, "<td class=\"sum\">{}</td></tr>", row_sum(r));
        }
        out.push_str("</tbody><tfoot><tr><td></td><th scope=\"row\">total</th>");
        for &c in &shown_columns {
            let _ = write!(out, "<td class=\"sum\">{}</td>", column_sum(c));
        }
        let _ = writeln!(
            out,
            "<td class=\"sum\">{total}</td></tr></tfoot></table></div>"
        );
    }
}
