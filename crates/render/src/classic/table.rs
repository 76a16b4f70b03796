//! The tables at the end of a run: averages, frequencies, buckets and contract results.
//!
//! All input is exact integers; rounding happens only here.

use std::iter;

use cards::{Contract, Doubling, Strain};
use formats::number;
use session::{AverageSums, Frequency, Frequency2, Scale, Table};

use super::estimates::Estimates;
use crate::draw::{ContractCounts, Draw};
use crate::style::{AverageForm, DialectStyle, FrequencyForm};

/// Draws tables as a dialect prints them.
pub struct Text<'a> {
    /// The buffer for the text.
    pub out: &'a mut Vec<u8>,
    /// The dialect.
    pub style: &'static DialectStyle,
    /// Decimals of estimates in the native dialect; `None` for as many as their intervals support.
    pub digits: Option<usize>,
}

impl Text<'_> {
    /// Returns the form of estimates, if the dialect shows intervals.
    fn estimates(&self) -> Option<Estimates> {
        let (digits, style) = (self.digits, self.style);
        style.intervals.then_some(Estimates { digits, style })
    }
}

fn label(table: &Table) -> &[u8] {
    table.label.as_deref().unwrap_or_default().as_bytes()
}

impl Draw for Text<'_> {
    fn average(&mut self, table: &Table, _: &str, moments: &AverageSums) {
        if let Some(estimates) = self.estimates() {
            return estimates.average(self.out, table, moments);
        }
        let label = table.label.as_deref().map(str::as_bytes);
        average(self.out, self.style, label, moments);
    }

    fn frequency(&mut self, table: &Table, _: &str, counts: &Frequency, bucketed: bool) {
        let rule = frequency_heading(self.out, self.style, label(table), bucketed);
        match self.estimates() {
            Some(estimates) => estimates.percentages(self.out, table, counts, rule),
            None if bucketed || self.style.frequency.percentages => {
                percentages(self.out, self.style, counts, rule);
            }
            None => plain_counts(self.out, self.style, counts),
        }
    }

    fn grid(&mut self, table: &Table, _: [&str; 2], counts: &Frequency2, bucketed: bool) {
        if bucketed {
            bucket_grid(self.out, self.style, label(table), counts);
        } else {
            frequency_grid(self.out, self.style, label(table), counts);
        }
    }

    fn contract(&mut self, table: &Table, results: &ContractCounts<'_>) {
        contract_name(self.out, results);
        match self.estimates() {
            Some(estimates) => estimates.contract(self.out, table, results),
            None => contract_results(self.out, self.style, results),
        }
    }
}

/// Prints an `average`: the mean alone, or with its spread.
fn average(out: &mut Vec<u8>, style: &DialectStyle, label: Option<&[u8]>, average: &AverageSums) {
    if let Some(label) = label {
        out.extend_from_slice(label);
        out.extend_from_slice(b": ");
    }
    match style.average {
        AverageForm::Mean => {
            // The classic program adds up in 32 bits.
            let sum = f64::from(average.sum as i32);
            number::general(out, sum / average.count as f64);
        }
        AverageForm::Moments => {
            let variance = if style.squares_wrap {
                variance_of_v2(average)
            } else {
                average.variance().unwrap_or(f64::NAN)
            };
            out.extend_from_slice(b"Mean=");
            style.fixed(out, 10, 4, average.mean().unwrap_or(f64::NAN));
            out.extend_from_slice(b", Std Dev=");
            style.fixed(out, 10, 4, variance.sqrt());
            out.extend_from_slice(b", Var=");
            style.fixed(out, 10, 4, variance);
            out.extend_from_slice(b", Sample Size=");
            number::integer(out, average.count as i64);
            out.push(b' ');
        }
    }
    out.push(b'\n');
}

/// Returns the variance in v2's order of operations, from squares that wrapped at 32 bits.
fn variance_of_v2(average: &AverageSums) -> f64 {
    let (sum, count) = (average.sum as f64, average.count as f64);
    let freedom = average.count.saturating_sub(1).max(1) as f64;
    (average.wrapped_squares as f64 - sum * sum / count) / freedom
}

impl DialectStyle {
    /// Writes a number as `%10.4f` and similar formats do, with the dialect's word for NaN.
    fn fixed(&self, out: &mut Vec<u8>, width: usize, decimals: usize, value: f64) {
        if value.is_nan() {
            number::word(out, width, self.not_a_number);
        } else {
            number::fixed(out, width, decimals, value);
        }
    }
}

/// Returns the cells of a frequency table: Low, the buckets, High.
fn cells(table: &Frequency) -> impl Iterator<Item = u64> {
    let buckets = (0..table.scale.buckets).map(|bucket| table.count(bucket));
    iter::once(table.below())
        .chain(buckets)
        .chain(iter::once(table.above()))
}

/// Prints the line above a table. In the native dialect it is empty if the table has no label.
fn heading(out: &mut Vec<u8>, form: &FrequencyForm, label: &[u8], end: &str) {
    if label.is_empty() && !form.heads_untitled {
        out.push(b'\n');
        return;
    }
    out.extend_from_slice(form.heading.as_bytes());
    out.extend_from_slice(label);
    out.extend_from_slice(end.as_bytes());
}

/// Writes the heading of a table of one expression and returns the rule above its total.
fn frequency_heading(
    out: &mut Vec<u8>,
    style: &DialectStyle,
    label: &[u8],
    bucketed: bool,
) -> &'static str {
    let (end, rule) = match bucketed {
        true => ("\n", "    \t--------\n"),
        false => (":\n", "    \t--------\t-------\n"),
    };
    heading(out, &style.frequency, label, end);
    rule
}

/// Prints the rows of `frequency` in v1.
fn plain_counts(out: &mut Vec<u8>, style: &DialectStyle, table: &Frequency) {
    for (row, count) in cells(table).enumerate() {
        if row_name(out, style, &table.scale, row, count) {
            number::padded(out, 8, count as i64);
            out.push(b'\n');
        }
    }
}

/// Returns the label of a bucket: its only value, all its values, or the first of them.
fn bucket_name(style: &DialectStyle, scale: &Scale, bucket: usize) -> String {
    let first = scale.name(bucket);
    match style.bucket_ranges && scale.size > 1 {
        true => format!("{first}..{}", scale.name(bucket + 1) - 1),
        false => first.to_string(),
    }
}

/// Returns the length of the longest bucket label.
fn longest_name(style: &DialectStyle, scale: &Scale) -> usize {
    // The first or the last label has the most digits.
    let ends = [0, scale.buckets.saturating_sub(1)];
    let lengths = ends.map(|bucket| bucket_name(style, scale, bucket).len());
    lengths[0].max(lengths[1])
}

/// Writes the name of a row, unless it is an empty Low or High.
pub(super) fn row_name(
    out: &mut Vec<u8>,
    style: &DialectStyle,
    scale: &Scale,
    row: usize,
    count: u64,
) -> bool {
    let last = scale.cells() - 1;
    if row == 0 || row == last {
        if count == 0 {
            return false;
        }
        out.extend_from_slice(if row == 0 { b"Low" } else { b"High" });
    } else {
        number::word(out, 5, &bucket_name(style, scale, row - 1));
    }
    out.push(b'\t');
    true
}

/// Prints counts with their shares and running shares, a rule, and the total.
fn percentages(out: &mut Vec<u8>, style: &DialectStyle, table: &Frequency, rule: &str) {
    let total = table.total();
    let one_percent = total as f64 / 100.0;
    let mut running = 0.0;
    out.extend_from_slice(b"Value\t   Count\t   Pct.\t  CumPct\n");
    for (row, count) in cells(table).enumerate() {
        if row_name(out, style, &table.scale, row, count) {
            let share = count as f64 / one_percent;
            running += share;
            number::padded(out, 8, count as i64);
            for percent in [share, running] {
                out.push(b'\t');
                style.fixed(out, 7, 2, percent);
            }
            out.push(b'\n');
        }
    }
    out.extend_from_slice(rule.as_bytes());
    out.extend_from_slice(b"Total\t");
    number::padded(out, 8, total as i64);
    out.push(b'\t');
    number::fixed(out, 7, 2, 100.0);
    out.push(b'\n');
}

/// The fixed texts around the cells of a two-dimensional table.
struct GridFrame {
    before_low: &'static str,
    last_heads: &'static str,
    cell: usize,
    low: &'static str,
    high: &'static str,
    sum: &'static str,
    after_name: &'static str,
    end: &'static str,
}

/// Prints a `frequency` of two expressions.
fn frequency_grid(out: &mut Vec<u8>, style: &DialectStyle, label: &[u8], grid: &Frequency2) {
    heading(out, &style.frequency, label, ":\n");
    let frame = GridFrame {
        before_low: style.frequency.before_low,
        last_heads: style.frequency.last_heads,
        cell: style.frequency.cell,
        low: "Low ",
        high: "High",
        sum: "Sum ",
        after_name: "",
        end: "\n\n",
    };
    frame.write(out, grid);
}

/// Prints a `bktfreq` of two expressions.
fn bucket_grid(out: &mut Vec<u8>, style: &DialectStyle, label: &[u8], grid: &Frequency2) {
    heading(out, &style.frequency, label, " \n");
    if style.bucket_ranges {
        wide_grid(out, style, grid);
        return;
    }
    let frame = GridFrame {
        before_low: "           ",
        last_heads: "     High    Sum\n",
        cell: 8,
        low: " Low ",
        high: "High ",
        sum: "Sum  ",
        after_name: " ",
        end: "\n",
    };
    frame.write(out, grid);
}

/// Writes a table of two expressions whose buckets are labelled with all their values, in columns as wide as needed.
fn wide_grid(out: &mut Vec<u8>, style: &DialectStyle, grid: &Frequency2) {
    let (rows, columns) = (&grid.rows, &grid.columns);
    let (head, cell) = (
        longest_name(style, rows).max(4),
        longest_name(style, columns).max(8),
    );
    let name = |scale: &Scale, at: usize| match at {
        0 => "Low".to_owned(),
        at if at <= scale.buckets => bucket_name(style, scale, at - 1),
        at if at < scale.cells() => "High".to_owned(),
        _ => "Sum".to_owned(),
    };
    number::word(out, head, "");
    for column in 0..=columns.cells() {
        out.push(b' ');
        number::word(out, cell, &name(columns, column));
    }
    out.push(b'\n');
    let mut sums = vec![0; columns.cells() + 1];
    for row in 0..=rows.cells() {
        number::word(out, head, &name(rows, row));
        if row < rows.cells() {
            let counts = (0..columns.cells()).map(|column| grid.cell(row, column));
            let mut counts: Vec<u64> = counts.collect();
            counts.push(counts.iter().sum());
            for (sum, count) in sums.iter_mut().zip(&counts) {
                *sum += count;
            }
            numbers(out, cell, &counts);
        } else {
            numbers(out, cell, &sums);
        }
    }
}

/// Prints a line of counts.
fn numbers(out: &mut Vec<u8>, cell: usize, counts: &[u64]) {
    for &count in counts {
        out.push(b' ');
        number::padded(out, cell, count as i64);
    }
    out.push(b'\n');
}

impl GridFrame {
    fn write(&self, out: &mut Vec<u8>, grid: &Frequency2) {
        out.extend_from_slice(self.before_low.as_bytes());
        out.extend_from_slice(b"Low");
        for class in 0..grid.columns.buckets {
            self.count(out, grid.columns.name(class));
        }
        out.extend_from_slice(self.last_heads.as_bytes());

        let width = grid.columns.cells();
        let mut sums = vec![0u64; width];
        for row in 0..grid.rows.cells() {
            self.row_name(out, &grid.rows, row);
            let mut row_sum = 0;
            for (column, sum) in sums.iter_mut().enumerate() {
                let count = grid.cell(row, column);
                self.count(out, count as i64);
                *sum += count;
                row_sum += count;
            }
            self.count(out, row_sum as i64);
            out.push(b'\n');
        }
        out.extend_from_slice(self.sum.as_bytes());
        for sum in &sums {
            self.count(out, *sum as i64);
        }
        self.count(out, sums.iter().sum::<u64>() as i64);
        out.extend_from_slice(self.end.as_bytes());
    }

    fn row_name(&self, out: &mut Vec<u8>, rows: &Scale, row: usize) {
        if row == 0 {
            out.extend_from_slice(self.low.as_bytes());
        } else if row == rows.cells() - 1 {
            out.extend_from_slice(self.high.as_bytes());
        } else {
            number::padded(out, 4, rows.name(row - 1));
            out.extend_from_slice(self.after_name.as_bytes());
        }
    }

    fn count(&self, out: &mut Vec<u8>, count: i64) {
        out.push(b' ');
        number::padded(out, self.cell, count);
    }
}

/// Prints an `evalcontract`: the average score, how often the contract makes, and the gain of a higher contract.
fn contract_results(out: &mut Vec<u8>, style: &DialectStyle, results: &ContractCounts) {
    let summary = Summary::of(style.imps_slip, results);
    for (name, width, value) in [
        (" Avg Result =", 8, summary.score),
        (", Made pct=", 7, summary.made),
        (", Fail pct=", 7, summary.failed),
        ("\nMissed Game_pct=", 7, summary.missed_game),
        (", Missed Slam_pct=", 7, summary.missed_slam),
        (", Missed Game Imps/board=", 7, summary.game_imps),
        (", Missed Slam Imps/board=", 7, summary.slam_imps),
    ] {
        out.extend_from_slice(name.as_bytes());
        if value.is_nan() {
            number::word(out, width, style.not_a_number);
        } else {
            number::fixed_with_sign_blank(out, width, 2, value);
        }
    }
    out.push(b'\n');
}

/// Prints the name of a contract, above its figures.
fn contract_name(out: &mut Vec<u8>, results: &ContractCounts) {
    let contract = results.contract;
    let doubling = match contract.doubling {
        Doubling::Undoubled => " ",
        Doubling::Doubled => "x",
        Doubling::Redoubled => "xx",
    };
    let vulnerable = if results.vulnerable { 'V' } else { ' ' };
    let text = format!(
        "{}{}{doubling} {vulnerable}",
        contract.level(),
        contract.strain.letter()
    );
    out.extend_from_slice(format!("\nContract {text:>6} by {}", results.side.letters()).as_bytes());
}

/// The seven numbers of `evalcontract`.
pub(crate) struct Summary {
    pub score: f64,
    pub made: f64,
    pub failed: f64,
    pub missed_game: f64,
    pub missed_slam: f64,
    pub game_imps: f64,
    pub slam_imps: f64,
}

impl Summary {
    /// Computes the figures. `imps_slip` is whether to count IMPs as v2 does.
    pub fn of(imps_slip: bool, results: &ContractCounts) -> Summary {
        let (contract, vulnerable) = (results.contract, results.vulnerable);
        let deals = results.tricks.iter().sum::<u64>() as f64;
        let mut higher = HigherContracts::than(contract, vulnerable);
        if imps_slip {
            higher.imps = cards::scoring::imps_dealer_v2;
        }
        let (mut score, mut made, mut failed) = (0i64, 0u64, 0u64);
        for (tricks, &deals) in results.tricks.iter().enumerate() {
            let one = contract.score(vulnerable, tricks as i32);
            score += i64::from(one) * deals as i64;
            if one > 0 {
                made += deals;
            } else {
                failed += deals;
            }
        }
        let (mut games, mut game_imps, mut slams, mut slam_imps) = (0u64, 0i64, 0u64, 0i64);
        for (tricks, &deals) in results.tricks.iter().enumerate() {
            if higher.is_missed(Higher::Game, tricks) {
                games += deals;
                game_imps += i64::from(higher.imps(Higher::Game, tricks)) * deals as i64;
            }
            if higher.is_missed(Higher::Slam, tricks) {
                slams += deals;
                slam_imps += i64::from(higher.imps(Higher::Slam, tricks)) * deals as i64;
            }
        }
        Summary {
            score: score as f64 / deals,
            made: 100.0 * made as f64 / deals,
            failed: 100.0 * failed as f64 / deals,
            missed_game: 100.0 * games as f64 / deals,
            missed_slam: 100.0 * slams as f64 / deals,
            game_imps: game_imps as f64 / deals,
            slam_imps: slam_imps as f64 / deals,
        }
    }
}

/// A contract that could have been bid instead.
#[derive(Clone, Copy)]
pub(crate) enum Higher {
    Game,
    Slam,
}

/// The games and slams that a lower contract misses.
pub(crate) struct HigherContracts {
    contract: Contract,
    vulnerable: bool,
    imps: fn(i32) -> i32,
}

impl HigherContracts {
    pub fn than(contract: Contract, vulnerable: bool) -> HigherContracts {
        HigherContracts {
            contract,
            vulnerable,
            imps: cards::scoring::imps,
        }
    }

    /// Returns the level of the contract that makes with this number of tricks, if it is higher and makes.
    fn level(&self, which: Higher, tricks: usize) -> Option<u8> {
        let game = match self.contract.strain {
            Strain::Notrump => 3,
            Strain::Hearts | Strain::Spades => 4,
            Strain::Clubs | Strain::Diamonds => 5,
        };
        let bid = self.contract.level();
        match which {
            Higher::Game => (bid < game && tricks >= usize::from(game) + 6).then_some(game),
            Higher::Slam => (bid < 6 && tricks >= 12).then(|| tricks as u8 - 6),
        }
    }

    /// Returns whether the higher contract makes with this number of tricks.
    pub fn is_missed(&self, which: Higher, tricks: usize) -> bool {
        self.level(which, tricks).is_some()
    }

    /// Returns the IMPs that the higher contract would have won, both undoubled; 0 where it does not make.
    pub fn imps(&self, which: Higher, tricks: usize) -> i32 {
        let undoubled = |level: u8| {
            Contract::new(level, self.contract.strain, Doubling::Undoubled)
                .map_or(0, |contract| contract.score(self.vulnerable, tricks as i32))
        };
        self.level(which, tricks).map_or(0, |level| {
            (self.imps)(undoubled(level) - undoubled(self.contract.level()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::draw;
    use crate::style::{NATIVE, V1, V2};
    use cards::Side;
    use session::TableData;

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    /// Returns a table as `style` prints it.
    fn drawn(style: &'static DialectStyle, label: &str, data: TableData) -> String {
        let table = Table {
            label: Some(label.to_owned()),
            action: 0,
            data,
            clusters: None,
            strata: None,
        };
        printed(style, None, &table)
    }

    fn printed(style: &'static DialectStyle, digits: Option<usize>, table: &Table) -> String {
        text(|out| draw(table, &mut Text { out, style, digits }))
    }

    fn averaged(style: &'static DialectStyle, moments: AverageSums) -> String {
        let data = TableData::Average {
            value: String::new(),
            moments,
            range: [i32::MIN, i32::MAX],
        };
        drawn(style, "a", data)
    }

    fn counted(
        style: &'static DialectStyle,
        label: &str,
        counts: &Frequency,
        bucketed: bool,
    ) -> String {
        let data = TableData::Frequency {
            axis: String::new(),
            bucketed,
            counts: counts.clone(),
        };
        drawn(style, label, data)
    }

    #[test]
    fn an_average_of_nothing_is_not_a_number() {
        let nothing = AverageSums::default();
        assert_eq!(
            text(|out| average(out, &V1, Some(b""), &nothing)),
            ": -nan\n"
        );
        assert_eq!(
            text(|out| average(out, &V2, None, &nothing)),
            "Mean=      -nan, Std Dev=      -nan, Var=      -nan, Sample Size=0 \n"
        );
        assert_eq!(
            averaged(&NATIVE, nothing),
            "a: Mean=         -, Std Dev=         -, Var=         -, Sample Size=0\n"
        );
    }

    #[test]
    fn the_classic_sum_wraps_at_32_bits() {
        let four = AverageSums {
            count: 4,
            sum: 6_000_000_000,
            ..AverageSums::default()
        };
        assert_eq!(text(|out| average(out, &V1, None, &four)), "4.26258e+08\n");
    }

    /// Values of about 1.6e9 with a standard deviation of 4: v2's squares wrap, ours do not.
    #[test]
    fn the_spread_of_large_values_is_exact_natively() {
        let mut large = AverageSums::default();
        for points in [5, 8, 10, 12, 15] {
            large.add(1_600_000_000 + points);
        }
        let table = Table {
            label: None,
            action: 0,
            data: TableData::Average {
                value: String::new(),
                moments: large,
                range: [i32::MIN, i32::MAX],
            },
            clusters: None,
            strata: None,
        };
        let native = printed(&NATIVE, Some(4), &table);
        assert!(
            native.contains("Std Dev=    3.8079, Var=   14.5000"),
            "{native}"
        );
        assert!(!text(|out| average(out, &V2, None, &large)).contains("3.8079"));
    }

    #[test]
    fn a_frequency_without_values_still_has_its_rows() {
        let scale = Scale {
            low: -1,
            size: 1,
            buckets: 2,
        };
        assert_eq!(
            counted(&V1, "x", &Frequency::new(scale), false),
            "Frequency x:\n   -1\t       0\n    0\t       0\n"
        );
        let native = counted(&NATIVE, "x", &Frequency::new(scale), false);
        assert!(native.contains("   -1\t       0\t      -\t      -\t\n"));
        let mut none = Frequency::new(Scale {
            buckets: 0,
            ..scale
        });
        (-4..3).for_each(|value| none.add(value));
        assert_eq!(
            counted(&V1, "", &none, false),
            "Frequency :\nLow\t       3\nHigh\t       4\n"
        );
    }

    /// In the native dialect a bucket label gives all its values; v2 labels a bucket with its first value.
    #[test]
    fn buckets_are_named_by_what_they_count() {
        let scale = Scale {
            low: 0,
            size: 5,
            buckets: 3,
        };
        let mut counts = Frequency::new(scale);
        (0..16).for_each(|value| counts.add(value));
        let native = counted(&NATIVE, "b", &counts, true);
        assert!(native.contains(" 0..4\t       5\t"), "{native}");
        assert!(native.contains("10..14\t       5\t"), "{native}");
        let v2 = counted(&V2, "b", &counts, true);
        assert!(
            v2.contains("   10\t       5\t") && !v2.contains(".."),
            "{v2}"
        );
        let mut grid = Frequency2::new(scale, Scale { low: -20, ..scale });
        grid.add(11, -7);
        assert_eq!(
            text(|out| bucket_grid(out, &NATIVE, b"g", &grid)),
            "\nDescription: g \n\
            \x20           Low -20..-16 -15..-11  -10..-6     High      Sum\n\
            \x20  Low        0        0        0        0        0        0\n\
            \x20 0..4        0        0        0        0        0        0\n\
            \x20 5..9        0        0        0        0        0        0\n\
            10..14        0        0        0        1        0        1\n\
            \x20 High        0        0        0        0        0        0\n\
            \x20  Sum        0        0        0        1        0        1\n"
        );
    }

    /// Ten deals in 3NT: nine tricks six times, ten tricks three times, twelve once.
    #[test]
    fn missed_slams_are_counted_below_the_six_level_only() {
        let mut tricks = [0; 14];
        (tricks[9], tricks[10], tricks[12]) = (6, 3, 1);
        let results = |level| ContractCounts {
            side: Side::NorthSouth,
            contract: Contract::new(level, Strain::Notrump, Doubling::Undoubled).unwrap(),
            vulnerable: false,
            tricks: &tricks,
        };
        assert_eq!(
            text(|out| contract_results(out, &V2, &results(3))),
            " Avg Result =  418.00, Made pct= 100.00, Fail pct=   0.00\n\
             Missed Game_pct=   0.00, Missed Slam_pct=  10.00, Missed Game Imps/board=   0.00, Missed Slam Imps/board=   1.10\n"
        );
        assert!(
            text(|out| contract_results(out, &V2, &results(6))).contains("Missed Slam_pct=   0.00")
        );
    }

    /// Ten deals of which none has more than 20 points: the share is not certainly zero.
    #[test]
    fn native_estimates_have_intervals_and_the_digits_they_support() {
        let mut moments = AverageSums::default();
        (0..10).for_each(|_| moments.add(0));
        let data = TableData::Average {
            value: String::new(),
            moments,
            range: [0, 1],
        };
        assert_eq!(
            drawn(&NATIVE, "strong", data),
            "strong: Mean=      0.00, Std Dev=      0.00, Var=      0.00, Sample Size=10, 95 % interval 0.00 to 0.26\n"
        );
        let mut counts = Frequency::new(Scale {
            low: 0,
            size: 1,
            buckets: 2,
        });
        [0, 0, 0, 1].into_iter().for_each(|value| counts.add(value));
        let table = counted(&NATIVE, "f", &counts, false);
        assert!(
            table.contains("    0\t       3\t     75\t     75\t20 to 99\n"),
            "{table}"
        );
        let mut tricks = [0; 14];
        (tricks[8], tricks[9]) = (4, 6);
        let contract = drawn(
            &NATIVE,
            "c",
            TableData::Contract {
                side: Side::NorthSouth,
                contract: Contract::new(3, Strain::Notrump, Doubling::Undoubled).unwrap(),
                vulnerable: false,
                tricks: session::TrickCounts(tricks),
            },
        );
        assert!(
            contract.contains("Made pct=     60 (29 to 86)"),
            "{contract}"
        );
    }
}
