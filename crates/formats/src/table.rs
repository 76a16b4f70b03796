//! The tables at the end of a run: averages, frequencies, buckets and contract results.
//!
//! Everything that comes in is an exact integer; rounding happens here, at the last moment.

use cards::{Contract, Doubling, Side, Strain};

use crate::number;
use crate::style::{AverageForm, Style};

/// What an average has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// How many values.
    pub count: u64,
    /// Their sum.
    pub sum: i128,
    /// The sum of their squares; in v2 each one wraps at 32 bits.
    pub squares: i128,
}

impl Moments {
    /// The mean. Of nothing: not a number.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count as f64
    }

    /// The variance of the sample, in the order of operations that v2 uses.
    pub fn variance(&self) -> f64 {
        let (sum, count) = (self.sum as f64, self.count as f64);
        let freedom = self.count.saturating_sub(1).max(1) as f64;
        (self.squares as f64 - sum * sum / count) / freedom
    }
}

/// `average`: the mean alone, or with its spread.
pub fn average(out: &mut Vec<u8>, style: &Style, label: Option<&[u8]>, moments: &Moments) {
    if let Some(label) = label {
        out.extend_from_slice(label);
        out.extend_from_slice(b": ");
    }
    match style.average {
        AverageForm::Mean => {
            // The classic program adds up in 32 bits.
            let sum = f64::from(moments.sum as i32);
            number::general(out, sum / moments.count as f64);
        }
        AverageForm::Moments => {
            let variance = moments.variance();
            out.extend_from_slice(b"Mean=");
            number::fixed(out, 10, 4, moments.mean());
            out.extend_from_slice(b", Std Dev=");
            number::fixed(out, 10, 4, variance.sqrt());
            out.extend_from_slice(b", Var=");
            number::fixed(out, 10, 4, variance);
            out.extend_from_slice(b", Sample Size=");
            number::integer(out, moments.count as i64);
            out.push(b' ');
        }
    }
    out.push(b'\n');
}

/// The classes of one axis of a table; everything below and above them is Low and High.
///
/// A frequency has classes of size one, a bucket table larger ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The smallest value of the first class.
    pub low: i32,
    /// How many values share a class.
    pub size: i32,
    /// How many classes, without Low and High.
    pub classes: usize,
}

impl Axis {
    /// Number of cells: the classes, Low and High.
    fn cells(&self) -> usize {
        self.classes + 2
    }

    /// The name of class number `class` (0-based): its smallest value.
    fn name(&self, class: usize) -> i64 {
        i64::from(self.low) + class as i64 * i64::from(self.size)
    }
}

/// Counts along one axis.
#[derive(Clone, Copy)]
pub struct Counts<'a> {
    /// The classes.
    pub axis: Axis,
    /// The count of a cell: 0 is Low, then the classes, then High.
    pub count: &'a dyn Fn(usize) -> u64,
}

impl Counts<'_> {
    fn cells(&self) -> impl Iterator<Item = u64> {
        (0..self.axis.cells()).map(self.count)
    }
}

/// `frequency` of one expression.
pub fn frequency(out: &mut Vec<u8>, style: &Style, label: &[u8], counts: &Counts) {
    out.extend_from_slice(style.frequency.heading.as_bytes());
    out.extend_from_slice(label);
    out.extend_from_slice(b":\n");
    if style.frequency.percentages {
        percentages(out, counts, "    \t--------\t-------\n");
        return;
    }
    for (row, count) in counts.cells().enumerate() {
        if row_head(out, &counts.axis, row, count) {
            number::padded(out, 8, count as i64);
            out.push(b'\n');
        }
    }
}

/// `bktfreq` of one expression.
pub fn bucket_frequency(out: &mut Vec<u8>, label: &[u8], counts: &Counts) {
    out.extend_from_slice(b"\nDescription: ");
    out.extend_from_slice(label);
    out.push(b'\n');
    percentages(out, counts, "    \t--------\n");
}

/// Writes the name of a row, unless it is an empty Low or High.
fn row_head(out: &mut Vec<u8>, axis: &Axis, row: usize, count: u64) -> bool {
    let last = axis.cells() - 1;
    if row == 0 || row == last {
        if count == 0 {
            return false;
        }
        out.extend_from_slice(if row == 0 { b"Low" } else { b"High" });
    } else {
        number::padded(out, 5, axis.name(row - 1));
    }
    out.push(b'\t');
    true
}

/// Counts with their share and running share, a rule, and the total.
fn percentages(out: &mut Vec<u8>, counts: &Counts, rule: &str) {
    let total: u64 = counts.cells().sum();
    let one_percent = total as f64 / 100.0;
    let mut running = 0.0;
    out.extend_from_slice(b"Value\t   Count\t   Pct.\t  CumPct\n");
    for (row, count) in counts.cells().enumerate() {
        if row_head(out, &counts.axis, row, count) {
            let share = count as f64 / one_percent;
            running += share;
            number::padded(out, 8, count as i64);
            for percent in [share, running] {
                out.push(b'\t');
                number::fixed(out, 7, 2, percent);
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

/// Counts along two axes.
#[derive(Clone, Copy)]
pub struct Grid<'a> {
    /// The classes of the first expression.
    pub rows: Axis,
    /// The classes of the second expression.
    pub columns: Axis,
    /// The count of a row and a column: in both 0 is Low, then the classes, then High.
    pub count: &'a dyn Fn(usize, usize) -> u64,
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

/// `frequency` of two expressions.
pub fn frequency_grid(out: &mut Vec<u8>, style: &Style, label: &[u8], grid: &Grid) {
    out.extend_from_slice(style.frequency.heading.as_bytes());
    out.extend_from_slice(label);
    out.extend_from_slice(b":\n");
    let frame = GridFrame {
        before_low: "        ",
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

/// `bktfreq` of two expressions.
pub fn bucket_grid(out: &mut Vec<u8>, label: &[u8], grid: &Grid) {
    out.extend_from_slice(b"\nDescription: ");
    out.extend_from_slice(label);
    out.extend_from_slice(b" \n");
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

impl GridFrame {
    fn write(&self, out: &mut Vec<u8>, grid: &Grid) {
        out.extend_from_slice(self.before_low.as_bytes());
        out.extend_from_slice(b"Low");
        for class in 0..grid.columns.classes {
            self.count(out, grid.columns.name(class));
        }
        out.extend_from_slice(self.last_heads.as_bytes());

        let width = grid.columns.cells();
        let mut sums = vec![0u64; width];
        for row in 0..grid.rows.cells() {
            self.row_name(out, &grid.rows, row);
            let mut row_sum = 0;
            for (column, sum) in sums.iter_mut().enumerate() {
                let count = (grid.count)(row, column);
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

    fn row_name(&self, out: &mut Vec<u8>, rows: &Axis, row: usize) {
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

/// What `evalcontract` has seen: how often the declarer takes each number of tricks.
#[derive(Clone, Copy, Debug)]
pub struct ContractResults<'a> {
    /// The declaring side.
    pub side: Side,
    /// What is declared.
    pub contract: Contract,
    /// Whether the declaring side is vulnerable.
    pub vulnerable: bool,
    /// `tricks[t]`: the deals with `t` tricks, 0 to 13.
    pub tricks: &'a [u64; 14],
}

/// `evalcontract`: average score, how often it makes, and what a higher contract would have won.
pub fn contract_results(out: &mut Vec<u8>, style: &Style, results: &ContractResults) {
    let summary = Summary::of(style, results);
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
        number::fixed_with_sign_blank(out, width, 2, value);
    }
    out.push(b'\n');
}

/// The seven numbers of `evalcontract`.
struct Summary {
    score: f64,
    made: f64,
    failed: f64,
    missed_game: f64,
    missed_slam: f64,
    game_imps: f64,
    slam_imps: f64,
}

impl Summary {
    fn of(style: &Style, results: &ContractResults) -> Summary {
        let (contract, vulnerable) = (results.contract, results.vulnerable);
        let deals = results.tricks.iter().sum::<u64>() as f64;
        let level = contract.level();
        let undoubled = |level: u8, tricks: usize| {
            Contract::new(level, contract.strain, Doubling::Undoubled)
                .map_or(0, |contract| contract.score(vulnerable, tricks as i32))
        };
        let imps = if style.imps_slip {
            cards::scoring::imps_dealer_v2
        } else {
            cards::scoring::imps
        };
        let gain = |higher: u8, tricks: usize| {
            i64::from(imps(undoubled(higher, tricks) - undoubled(level, tricks)))
        };

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
        let game = match contract.strain {
            Strain::Notrump => 3,
            Strain::Hearts | Strain::Spades => 4,
            Strain::Clubs | Strain::Diamonds => 5,
        };
        let (mut games, mut game_imps, mut slams, mut slam_imps) = (0u64, 0i64, 0u64, 0i64);
        for (tricks, &deals) in results.tricks.iter().enumerate() {
            if level < game && tricks >= usize::from(game) + 6 {
                games += deals;
                game_imps += gain(game, tricks) * deals as i64;
            }
            if level < 6 && tricks >= 12 {
                slams += deals;
                slam_imps += gain(tricks as u8 - 6, tricks) * deals as i64;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{NATIVE, V1, V2};

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_average_of_nothing_is_not_a_number() {
        let nothing = Moments::default();
        assert_eq!(
            text(|out| average(out, &V1, Some(b""), &nothing)),
            ": -nan\n"
        );
        assert_eq!(
            text(|out| average(out, &V2, None, &nothing)),
            "Mean=      -nan, Std Dev=      -nan, Var=      -nan, Sample Size=0 \n"
        );
    }

    #[test]
    fn the_classic_sum_wraps_at_32_bits() {
        let moments = Moments {
            count: 4,
            sum: 6_000_000_000,
            squares: 0,
        };
        assert_eq!(
            text(|out| average(out, &V1, None, &moments)),
            "4.26258e+08\n"
        );
    }

    #[test]
    fn a_frequency_without_values_still_has_its_rows() {
        let axis = Axis {
            low: -1,
            size: 1,
            classes: 2,
        };
        let counts = Counts {
            axis,
            count: &|_| 0,
        };
        assert_eq!(
            text(|out| frequency(out, &V1, b"x", &counts)),
            "Frequency x:\n   -1\t       0\n    0\t       0\n"
        );
        let none = Counts {
            axis: Axis { classes: 0, ..axis },
            count: &|cell| [3, 4][cell],
        };
        assert_eq!(
            text(|out| frequency(out, &V1, b"", &none)),
            "Frequency :\nLow\t       3\nHigh\t       4\n"
        );
    }

    /// Ten deals in 3NT: nine tricks six times, ten tricks three times, twelve once.
    #[test]
    fn missed_slams_are_counted_below_the_six_level_only() {
        let mut tricks = [0; 14];
        (tricks[9], tricks[10], tricks[12]) = (6, 3, 1);
        let results = |level| ContractResults {
            side: Side::NorthSouth,
            contract: Contract::new(level, Strain::Notrump, Doubling::Undoubled).unwrap(),
            vulnerable: false,
            tricks: &tricks,
        };
        assert_eq!(
            text(|out| contract_results(out, &NATIVE, &results(3))),
            "\nContract  3N    by NS Avg Result =  418.00, Made pct= 100.00, Fail pct=   0.00\n\
             Missed Game_pct=   0.00, Missed Slam_pct=  10.00, Missed Game Imps/board=   0.00, Missed Slam Imps/board=   1.10\n"
        );
        assert!(
            text(|out| contract_results(out, &NATIVE, &results(6)))
                .contains("Missed Slam_pct=   0.00")
        );
    }
}
