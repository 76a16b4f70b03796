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
    pub sum: i64,
    /// The sum of their squares, each computed by [`Style::square`].
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

/// The classes of one axis: `names` in the middle, everything below and above at the ends.
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
    /// The axis of `frequency (expr, low, high)`; `None` if `high` is below `low - 1`.
    pub fn values(low: i32, high: i32) -> Option<Axis> {
        let classes = i64::from(high) - i64::from(low) + 1;
        Some(Axis {
            low,
            size: 1,
            classes: usize::try_from(classes).ok()?,
        })
    }

    /// The axis of `bktfreq (expr, low, high, size)`; `None` if there is no class or no size.
    pub fn buckets(low: i32, high: i32, size: i32) -> Option<Axis> {
        if size < 1 {
            return None;
        }
        let classes = 1 + (i64::from(high) - i64::from(low)) / i64::from(size);
        Some(Axis {
            low,
            size,
            classes: usize::try_from(classes).ok().filter(|&n| n > 0)?,
        })
    }

    /// Number of cells: the classes, Low and High.
    pub fn cells(&self) -> usize {
        self.classes + 2
    }

    /// The cell that counts this value: 0 is Low, the last one High.
    ///
    /// ```
    /// use formats::table::Axis;
    /// let axis = Axis::buckets(0, 20, 5).unwrap();
    /// assert_eq!([-1, 0, 4, 5, 24, 25].map(|value| axis.cell(value)), [0, 1, 1, 2, 5, 6]);
    /// ```
    pub fn cell(&self, value: i32) -> usize {
        if value < self.low {
            return 0;
        }
        let above = i64::from(value) - i64::from(self.low);
        let class = (above / i64::from(self.size)) as usize;
        class.min(self.classes) + 1
    }

    /// The name of class number `class` (0-based): its smallest value.
    pub fn name(&self, class: usize) -> i64 {
        i64::from(self.low) + class as i64 * i64::from(self.size)
    }
}

/// Counts along one axis: Low, the classes, High.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a> {
    /// The classes.
    pub axis: Axis,
    /// `axis.cells()` counts.
    pub cells: &'a [u64],
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
    for (row, &count) in counts.cells.iter().enumerate() {
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
    let total: u64 = counts.cells.iter().sum();
    let one_percent = total as f64 / 100.0;
    let mut running = 0.0;
    out.extend_from_slice(b"Value\t   Count\t   Pct.\t  CumPct\n");
    for (row, &count) in counts.cells.iter().enumerate() {
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

/// Counts along two axes, row after row, each with Low first and High last.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// The classes of the first expression.
    pub rows: Axis,
    /// The classes of the second expression.
    pub columns: Axis,
    /// `rows.cells() * columns.cells()` counts.
    pub cells: &'a [u64],
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
        for (row, cells) in grid.cells.chunks_exact(width).enumerate() {
            self.row_name(out, &grid.rows, row);
            for (cell, sum) in cells.iter().zip(&mut sums) {
                self.count(out, *cell as i64);
                *sum += cell;
            }
            self.count(out, cells.iter().sum::<u64>() as i64);
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

/// The table that v1's `evalcontract` (without arguments) means to print: average scores, East's
/// and West's, of every contract, first not vulnerable, then vulnerable.
/// `tricks[seat][strain][t]` counts deals.
pub fn contract_survey(out: &mut Vec<u8>, tricks: &[[[u64; 14]; 5]; 2], deals: u64) {
    for (heading, vulnerable) in [("Not Vulnerable\n", false), ("Vulnerable\n", true)] {
        out.extend_from_slice(heading.as_bytes());
        out.extend_from_slice(b"   ");
        for level in 1..=7 {
            out.extend_from_slice(format!("  {level}       ").as_bytes());
        }
        out.push(b'\n');
        for strain in Strain::ALL {
            out.extend_from_slice(&[strain.letter().to_ascii_lowercase() as u8, b':', b' ']);
            for level in 1..=7 {
                let average = |declarer: usize| {
                    survey_average(
                        level,
                        strain,
                        vulnerable,
                        &tricks[declarer][strain.index()],
                        deals,
                    )
                };
                out.extend_from_slice(format!("{:4}/{:4} ", average(0), average(1)).as_bytes());
            }
            out.push(b'\n');
        }
        out.push(b'\n');
    }
}

fn survey_average(
    level: u8,
    strain: Strain,
    vulnerable: bool,
    tricks: &[u64; 14],
    deals: u64,
) -> i64 {
    let Some(contract) = Contract::new(level, strain, Doubling::Undoubled) else {
        return 0;
    };
    let total: i64 = tricks
        .iter()
        .enumerate()
        .map(|(t, &n)| i64::from(contract.score(vulnerable, t as i32)) * n as i64)
        .sum();
    total.checked_div(deals as i64).unwrap_or(0)
}
