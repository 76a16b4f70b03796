//! The tables of the native dialect: every estimate has its 95 % interval, and no more digits than that supports.

use formats::number;
use session::interval::{CONFIDENCE, Interval};
use session::{AverageSums, Frequency, Table};

use super::table::{Higher, HigherContracts, Summary, row_name};
use crate::draw::ContractCounts;
use crate::style::DialectStyle;

/// Decimals of a number without an interval, as in the tables of the classic programs.
const CLASSIC_DECIMALS: usize = 4;

/// Writes estimates with `digits` decimals, or with as many as their intervals support.
#[derive(Clone, Copy)]
pub(super) struct Estimates {
    pub digits: Option<usize>,
    pub style: &'static DialectStyle,
}

impl Estimates {
    fn decimals(self, interval: Option<Interval>, otherwise: usize) -> usize {
        let supported = |(low, high)| session::interval::decimals(low, high);
        self.digits
            .unwrap_or_else(|| interval.map_or(otherwise, supported))
    }

    fn number(self, out: &mut Vec<u8>, width: usize, decimals: usize, value: Option<f64>) {
        match value {
            Some(value) => number::fixed(out, width, decimals, value),
            None => number::word(out, width, self.style.not_a_number),
        }
    }

    /// Appends the interval as ` (7.1 to 9.2)`, or nothing without one.
    fn limits(self, out: &mut Vec<u8>, interval: Option<Interval>) {
        if let Some((low, high)) = interval {
            let decimals = self.decimals(interval, 0);
            let text = format!(" ({low:.decimals$} to {high:.decimals$})");
            out.extend_from_slice(text.as_bytes());
        }
    }

    /// Prints the result of an `average`.
    pub fn average(self, out: &mut Vec<u8>, table: &Table, moments: &AverageSums) {
        if let Some(label) = &table.label {
            out.extend_from_slice(label.as_bytes());
            out.extend_from_slice(b": ");
        }
        let interval = table.mean_interval(CONFIDENCE);
        let decimals = self.decimals(interval, CLASSIC_DECIMALS);
        out.extend_from_slice(b"Mean=");
        self.number(out, 10, decimals, moments.mean());
        out.extend_from_slice(b", Std Dev=");
        self.number(out, 10, decimals, moments.deviation());
        out.extend_from_slice(b", Var=");
        self.number(out, 10, decimals, moments.variance());
        out.extend_from_slice(b", Sample Size=");
        number::integer(out, moments.count as i64);
        if let Some((low, high)) = interval {
            let text = format!(", 95 % interval {low:.decimals$} to {high:.decimals$}");
            out.extend_from_slice(text.as_bytes());
        }
        out.push(b'\n');
    }

    /// Prints the counts of `frequency` and `bktfreq` with shares, running shares and intervals in percent, above
    /// `rule`.
    pub fn percentages(self, out: &mut Vec<u8>, table: &Table, counts: &Frequency, rule: &str) {
        let total = counts.total();
        let percent = |count: u64| (total > 0).then(|| 100.0 * count as f64 / total as f64);
        let mut intervals = table.cell_intervals(CONFIDENCE);
        let cells = 0..counts.scale.cells();
        let shown: Vec<_> = cells
            .map(|cell| {
                let interval = intervals.cell(cell);
                let interval = interval.map(|(low, high)| (100.0 * low, 100.0 * high));
                (cell, counts.cell(cell), interval)
            })
            .collect();
        // The widest interval decides, so that decimal points are aligned.
        let width = |&(low, high): &Interval| high - low;
        let widest = shown.iter().filter_map(|row| row.2);
        let widest = widest.max_by(|a, b| width(a).total_cmp(&width(b)));
        let decimals = self.decimals(widest, 2);
        out.extend_from_slice(b"Value\t   Count\t   Pct.\t  CumPct\t95 % interval\n");
        let mut running = 0;
        for (cell, count, interval) in shown {
            if !row_name(out, self.style, &counts.scale, cell, count) {
                continue;
            }
            running += count;
            number::padded(out, 8, count as i64);
            for share in [percent(count), percent(running)] {
                out.push(b'\t');
                self.number(out, 7, decimals, share);
            }
            out.push(b'\t');
            if let Some((low, high)) = interval {
                let text = format!("{low:.decimals$} to {high:.decimals$}");
                out.extend_from_slice(text.as_bytes());
            }
            out.push(b'\n');
        }
        out.extend_from_slice(rule.as_bytes());
        out.extend_from_slice(b"Total\t");
        number::padded(out, 8, total as i64);
        out.push(b'\t');
        number::fixed(out, 7, decimals, 100.0);
        out.push(b'\n');
    }

    /// Writes the figures of `evalcontract`, after the name of the contract.
    pub fn contract(self, out: &mut Vec<u8>, table: &Table, results: &ContractCounts<'_>) {
        let summary = Summary::of(false, results);
        let higher = HigherContracts::than(results.contract, results.vulnerable);
        let needed = usize::from(results.contract.tricks_needed());
        let share = |counts: &dyn Fn(usize) -> bool| {
            let interval = table.tricks_interval(counts, CONFIDENCE);
            interval.map(|(low, high)| (100.0 * low, 100.0 * high))
        };
        let cost = |which| {
            let imps = |tricks| higher.imps(which, tricks);
            table.value_of_tricks_interval(imps, CONFIDENCE)
        };
        let missed = |which| share(&|tricks| higher.is_missed(which, tricks));
        let figures = [
            (
                " Avg Result =",
                summary.score,
                table.mean_interval(CONFIDENCE),
            ),
            (
                ", Made pct=",
                summary.made,
                share(&|tricks| tricks >= needed),
            ),
            (
                ", Fail pct=",
                summary.failed,
                share(&|tricks| tricks < needed),
            ),
            (
                "\nMissed Game_pct=",
                summary.missed_game,
                missed(Higher::Game),
            ),
            (
                ", Missed Slam_pct=",
                summary.missed_slam,
                missed(Higher::Slam),
            ),
            (
                "\nMissed Game Imps/board=",
                summary.game_imps,
                cost(Higher::Game),
            ),
            (
                ", Missed Slam Imps/board=",
                summary.slam_imps,
                cost(Higher::Slam),
            ),
        ];
        for (name, value, interval) in figures {
            out.extend_from_slice(name.as_bytes());
            let decimals = self.decimals(interval, 2);
            self.number(
                out,
                7,
                decimals,
                Some(value).filter(|value| !value.is_nan()),
            );
            self.limits(out, interval);
        }
        out.push(b'\n');
    }
}
