//! Clusters of deals that were derived from one another by exchanging hands: the sums that correct intervals need.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use engine::{ProducedDeal, Progress, Scale, Sink, Tally};
use script::plan::Plan;

use crate::table::{Table, TableData};

/// Exact sums over clusters of deals, of a quantity that each deal has once (a value, or 1 for membership in a class).
/// With `n` deals and the sum `s` in a cluster:
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterSums {
    /// Clusters with at least one deal.
    pub clusters: u64,
    /// Sum of `n`, the deals of a cluster, over all clusters.
    pub deals: u64,
    /// Sum of `n * n` over all clusters.
    pub sizes: u128,
    /// Sum of `s`, the total of a cluster's values, over all clusters.
    pub sum: i128,
    /// Sum of `s * s` over all clusters.
    pub squares: u128,
    /// The sum of all `s * n`.
    pub products: i128,
}

impl ClusterSums {
    /// Returns the variance of the mean `sum / deals` as an estimator. It is that of a ratio of two sums over clusters,
    /// which differ in size because the condition rejects some of their deals. `None` for fewer than two clusters.
    #[must_use]
    pub fn variance_of_mean(&self) -> Option<f64> {
        if self.clusters < 2 {
            return None;
        }
        // The sum of (s - mean n)^2, times deals^2.
        let deals = i128::from(self.deals);
        let exact = || {
            let squares = i128::try_from(self.squares).ok()?.checked_mul(deals)?;
            let products = self.products.checked_mul(self.sum)?.checked_mul(2)?;
            let sizes = i128::try_from(self.sizes).ok()?.checked_mul(self.sum)?;
            let by_deals = squares.checked_sub(products)?.checked_mul(deals)?;
            Some(by_deals.checked_add(sizes.checked_mul(self.sum)?)? as f64)
        };
        let n = self.deals as f64;
        let residuals = exact().unwrap_or_else(|| {
            let mean = self.sum as f64 / n;
            let moved = self.squares as f64 - 2.0 * mean * self.products as f64;
            (moved + mean * mean * self.sizes as f64) * n * n
        });
        let clusters = self.clusters as f64;
        Some(residuals.max(0.0) / n.powi(4) * clusters / (clusters - 1.0))
    }
}

/// The cluster sums of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    clusters: u64,
    deals: u64,
    sizes: u64,
    sums: Sums,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Sums {
    /// The deals are in clusters, but no sums were collected.
    Unknown,
    /// For `average`: sum, squares and products.
    Values(i128, u128, i128),
    /// For `frequency`, of one or two expressions: count, squares and products of each cell.
    Cells(BTreeMap<usize, [u64; 3]>),
    /// For `evalcontract`: for each pair of trick counts, how often both occur in one cluster.
    Tricks(Box<[[u64; TRICKS]; TRICKS]>),
}

/// Number of possible trick counts: 0 to 13.
const TRICKS: usize = 14;

impl Clusters {
    /// Returns sums for a table whose clusters were not collected: it has no intervals.
    pub(crate) fn unknown() -> Clusters {
        Clusters {
            clusters: 0,
            deals: 0,
            sizes: 0,
            sums: Sums::Unknown,
        }
    }

    pub(crate) fn of(data: &TableData) -> Clusters {
        let sums = match data {
            TableData::Average { .. } => Sums::Values(0, 0, 0),
            TableData::Frequency { .. } | TableData::Grid { .. } => Sums::Cells(BTreeMap::new()),
            TableData::Contract { .. } => Sums::Tricks(Box::default()),
        };
        Clusters {
            clusters: 0,
            deals: 0,
            sizes: 0,
            sums,
        }
    }

    /// Adds the values, numbers of cells or numbers of tricks of the deals of one cluster.
    pub(crate) fn add(&mut self, values: &[i32]) {
        let n = values.len() as u64;
        self.clusters += 1;
        self.deals += n;
        self.sizes += n * n;
        match &mut self.sums {
            Sums::Unknown => {}
            Sums::Values(sum, squares, products) => {
                let s: i128 = values.iter().map(|&value| i128::from(value)).sum();
                *sum += s;
                *squares += (s * s).unsigned_abs();
                *products += s * i128::from(n);
            }
            Sums::Cells(cells) => {
                for (place, cell) in values.iter().enumerate() {
                    // Each cell is added once, at the first of its values.
                    if values[..place].contains(cell) {
                        continue;
                    }
                    let s = values.iter().filter(|&other| other == cell).count() as u64;
                    let entry = cells.entry(*cell as usize).or_default();
                    for (entry, more) in entry.iter_mut().zip([s, s * s, s * n]) {
                        *entry += more;
                    }
                }
            }
            Sums::Tricks(pairs) => {
                let tricks = || values.iter().map(|&t| t.clamp(0, 13) as usize);
                for a in tricks() {
                    for b in tricks() {
                        pairs[a][b] += 1;
                    }
                }
            }
        }
    }

    fn sums(&self, sum: i128, squares: u128, products: i128) -> ClusterSums {
        ClusterSums {
            clusters: self.clusters,
            deals: self.deals,
            sizes: u128::from(self.sizes),
            sum,
            squares,
            products,
        }
    }

    /// Returns the sums of an average's values.
    #[must_use]
    pub fn values(&self) -> Option<ClusterSums> {
        match self.sums {
            Sums::Values(sum, squares, products) => Some(self.sums(sum, squares, products)),
            _ => None,
        }
    }

    /// Returns the sums of membership in a cell of a frequency table: 0 is below the first bucket. The cells of a table
    /// of two expressions are numbered row by row.
    #[must_use]
    pub fn cell(&self, cell: usize) -> Option<ClusterSums> {
        match &self.sums {
            Sums::Cells(cells) => {
                let [sum, squares, products] = cells.get(&cell).copied().unwrap_or_default();
                Some(self.sums(sum.into(), squares.into(), products.into()))
            }
            _ => None,
        }
    }

    /// Returns the sums for `of`, a function of the tricks that a declarer takes. `counts` has the number of deals with
    /// each number of tricks.
    #[must_use]
    pub fn tricks(&self, counts: &[u64; TRICKS], of: impl Fn(usize) -> i32) -> Option<ClusterSums> {
        let Sums::Tricks(pairs) = &self.sums else {
            return None;
        };
        let value = |tricks: usize| i128::from(of(tricks));
        let (mut sum, mut squares, mut products) = (0, 0, 0);
        for (a, (row, &count)) in pairs.iter().zip(counts).enumerate() {
            sum += value(a) * i128::from(count);
            for (b, &together) in row.iter().enumerate() {
                squares += value(a) * value(b) * i128::from(together);
                products += value(a) * i128::from(together);
            }
        }
        Some(self.sums(sum, squares.unsigned_abs(), products))
    }
}

/// The values of a deal that a table counts.
pub(crate) enum CountedValue {
    /// The value itself.
    Value,
    /// The number of its cell.
    Cell(Scale),
    /// The number of the cell of two values, row by row.
    GridCell(Scale, Scale),
}

impl CountedValue {
    pub(crate) fn of(data: &TableData) -> CountedValue {
        match data {
            TableData::Average { .. } | TableData::Contract { .. } => CountedValue::Value,
            TableData::Frequency { counts, .. } => CountedValue::Cell(counts.scale),
            TableData::Grid { counts, .. } => CountedValue::GridCell(counts.rows, counts.columns),
        }
    }

    /// Returns the number to enter for a deal with these values.
    pub(crate) fn number(&self, values: &[i32]) -> Option<i32> {
        let cell = match (self, values) {
            (CountedValue::Value, &[value, ..]) => return Some(value),
            (CountedValue::Cell(scale), &[value, ..]) => scale.cell(value),
            (CountedValue::GridCell(rows, columns), &[row, column, ..]) => {
                rows.cell(row) * columns.cells() + columns.cell(column)
            }
            _ => return None,
        };
        i32::try_from(cell).ok()
    }
}

/// The sums of a table during a run.
struct Entry {
    action: usize,
    counted: CountedValue,
    clusters: Clusters,
    /// The numbers of the current cluster's deals.
    present: Vec<i32>,
}

/// A sink adapter that collects the sums over clusters.
pub struct Clustered<'a> {
    sink: &'a mut dyn Sink,
    size: u64,
    cluster: u64,
    entries: Vec<Entry>,
}

impl<'a> Clustered<'a> {
    /// Collects sums for the tables of `plan`; every `size` consecutive deals are one cluster.
    pub fn new(sink: &'a mut dyn Sink, plan: &Plan, size: u64) -> Clustered<'a> {
        let empty: Vec<_> = plan.actions.iter().map(Tally::for_action).collect();
        let tables = Table::all(plan, &empty).into_iter();
        let entry = |table: Table| Entry {
            action: table.action,
            counted: CountedValue::of(&table.data),
            clusters: Clusters::of(&table.data),
            present: Vec::new(),
        };
        Clustered {
            sink,
            size: size.max(1),
            cluster: 0,
            entries: tables.map(entry).collect(),
        }
    }

    fn close(&mut self) {
        for entry in &mut self.entries {
            if !entry.present.is_empty() {
                entry.clusters.add(&entry.present);
                entry.present.clear();
            }
        }
    }

    /// Ends the run: adds the sums to its tables.
    pub fn finish(mut self, tables: &mut [Table]) {
        self.close();
        for entry in self.entries {
            let table = tables.iter_mut().find(|it| it.action == entry.action);
            if let Some(table) = table {
                table.clusters = Some(entry.clusters);
            }
        }
    }
}

impl Sink for Clustered<'_> {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let cluster = deal.index / self.size;
        if cluster != self.cluster {
            self.close();
            self.cluster = cluster;
        }
        for entry in &mut self.entries {
            let number = entry.counted.number(deal.values(entry.action));
            entry.present.extend(number);
        }
        match self.sink.needs_deals() {
            true => self.sink.on_deal(deal),
            false => ControlFlow::Continue(()),
        }
    }

    fn on_progress(&mut self, progress: Progress) {
        self.sink.on_progress(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::NoDeals;
    use script::plan::Mode;

    use crate::{Job, Swap};

    #[test]
    fn sums_are_those_of_the_definition() {
        let mut values = Clusters {
            clusters: 0,
            deals: 0,
            sizes: 0,
            sums: Sums::Values(0, 0, 0),
        };
        let clusters: [&[i32]; 4] = [&[3, 5], &[10], &[0, 0, 1], &[-4, 7]];
        clusters.iter().for_each(|it| values.add(it));
        let sums = values.values().unwrap();
        assert_eq!((sums.clusters, sums.deals, sums.sizes), (4, 8, 18));
        let mean = 22.0 / 8.0;
        let residual =
            |it: &&[i32]| (f64::from(it.iter().sum::<i32>()) - mean * it.len() as f64).powi(2);
        let sum: f64 = clusters.iter().map(residual).sum();
        let expected = sum / 64.0 * 4.0 / 3.0;
        assert!((sums.variance_of_mean().unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn copies_count_once_and_opposites_cancel() {
        let variance = |clusters: &[[i32; 2]]| {
            let mut sums = Clusters::of(&TableData::Average {
                value: String::new(),
                moments: Default::default(),
                range: [-10, 10],
            });
            clusters.iter().for_each(|it| sums.add(it));
            sums.values().unwrap().variance_of_mean().unwrap()
        };
        // Equal deals in a cluster carry no more information than one of them: the values 1, 2, 3 have the variance 1.
        let copies = variance(&[[1, 1], [2, 2], [3, 3]]);
        assert!((copies - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(variance(&[[1, -1], [2, -2], [3, -3]]), 0.0);
    }

    /// The cards of East and West together follow from the North-South cards: a table of their points has as many
    /// independent deals as clusters, and one of East's alone has more.
    #[test]
    fn a_run_fills_the_tables() {
        let script = "produce 600 action average hcp(east) + hcp(west), frequency (hcp(east), 0, 40), average hcp(east)";
        let session = Job::new(script)
            .seed(5)
            .exchange(Swap::Two)
            .prepare()
            .unwrap();
        assert_eq!(session.plan().mode, Mode::Native);
        let mut run = session.start().unwrap();
        let plan = run.plan();
        let mut nothing = NoDeals;
        let mut sink = Clustered::new(&mut nothing, &plan, 2);
        let mut outcome = run.finish(&mut sink).unwrap();
        sink.finish(&mut outcome.tables);
        let of = |table: usize| outcome.tables[table].clusters.as_ref().unwrap();
        let both = of(0).values().unwrap();
        assert_eq!((both.clusters, both.deals, both.sizes), (300, 600, 1200));
        let cells: i128 = (0..=42).map(|cell| of(1).cell(cell).unwrap().sum).sum();
        assert_eq!(cells, 600);
        let (alone, both) = (of(2).values().unwrap(), both);
        let ratio = both.variance_of_mean().unwrap() / alone.variance_of_mean().unwrap();
        assert!(
            (ratio - 4.0).abs() < 1e-9,
            "the mean of East is half of that of both: {ratio}"
        );
    }
}
