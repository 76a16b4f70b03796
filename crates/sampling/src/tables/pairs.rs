//! The expensive part of the set-up: the number of ways for every pair of shapes.

use std::collections::HashMap;

use cards::BySuit;

use crate::setup::budget::{CostMeter, SetupError};
use crate::setup::draft::{COST_OF_PAIR_TEST, Draft};
use crate::setup::layout::Role;
use crate::setup::tree::LeafKind;
use crate::tables::accept::{Acceptance, Context, EMPTY_SET, Matrix, Runs};
use crate::tables::half::NONE;
use crate::tables::others::{Others, Sharing};
use crate::tables::shape::{Room, Taken, lengths, truth_of_lengths};
use crate::tables::values::FastHash;

/// Two shapes, and the positions of their tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) a: Taken,
    pub(crate) b: Taken,
    /// Start of the table of half 1, of the sums of half 2, and of the completions.
    pub(crate) first: u32,
    pub(crate) sums: u32,
    pub(crate) completions: u32,
    /// The matrix of accepted totals.
    pub(crate) matrix: u32,
    /// The sharing of the rest between C and D; `NONE` if no condition is about them.
    pub(crate) sharing: u32,
    /// The number of ways to divide the rest, or 1.
    pub(crate) factor: u64,
}

/// A pair of shapes with the features of A in half 1. The fields that a draw needs first are stored together, because
/// they are seldom in the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Row {
    /// Ways up to and including this row.
    pub(crate) end: u128,
    pub(crate) pair: u32,
    pub(crate) x: u32,
    /// Index in [`Tables::ways`] of the pair's numbers of ways in half 1; the completions have a start of their own.
    pub(crate) ways: u32,
    pub(crate) completions: u32,
}

/// All tables that drawing needs besides the draft.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) rows: Vec<Row>,
    /// Ways in half 1 by (x, y), one table after the other.
    pub(crate) ways: Vec<u64>,
    /// Ways in half 2: for each x the sums over y.
    pub(crate) sums: Vec<u64>,
    /// For (x, y) in half 1, the ways of half 2 that complete them to an accepted total.
    pub(crate) completions: Vec<u64>,
    pub(crate) matrices: Vec<Matrix>,
    pub(crate) runs: Runs,
    pub(crate) sharings: Vec<Sharing>,
}

impl Tables {
    pub(crate) fn total(&self) -> u128 {
        self.rows.last().map_or(0, |row| row.end)
    }

    /// Returns the memory in bytes. This number decides which tables fit the budget, and so which deals a seed gives.
    /// So each row counts with its essential size, whatever its size in memory.
    pub(crate) fn bytes(&self) -> usize {
        const BYTES_OF_ROW: usize = 24;
        std::mem::size_of_val(&self.pairs[..])
            + BYTES_OF_ROW * self.rows.len()
            + 8 * (self.ways.len() + self.sums.len() + self.completions.len())
    }
}

/// Fills the tables.
struct TableBuilder<'a> {
    draft: &'a Draft,
    tables: Tables,
    /// Position of the table of each half by the key of its lengths; `NONE` if it is not built yet.
    known: [Vec<u32>; 2],
    completions: HashMap<(u32, u32), u32, FastHash>,
    meter: &'a CostMeter<'a>,
    weights: Weights,
}

/// The weights that each set of totals of B allows, for one table of half 2. The memory is reused.
#[derive(Default)]
struct Weights {
    /// The index of a set among those of the matrix, or `NONE`.
    slots: Vec<u32>,
    /// The sets that have an index.
    used: Vec<u32>,
    /// Whether the weights are computed, by index of the set and x in half 2.
    known: Vec<bool>,
    /// Ways by index of the set, x in half 2, y in half 1.
    weights: Vec<u64>,
    /// Start of the weights of the set of each total of A, if B has no features.
    starts: Vec<u32>,
}

impl Weights {
    /// Clears the weights and gives an index to each set of the matrix, for `values` values of x.
    fn start(&mut self, matrix: &Matrix, values: usize) {
        for set in self.used.drain(..) {
            self.slots[set as usize] = NONE;
        }
        let largest = matrix.iter().copied().max().unwrap_or(EMPTY_SET) as usize;
        if largest >= self.slots.len() {
            self.slots.resize(largest + 1, NONE);
        }
        for &set in matrix.iter().filter(|set| **set != EMPTY_SET) {
            if self.slots[set as usize] == NONE {
                self.slots[set as usize] = self.used.len() as u32;
                self.used.push(set);
            }
        }
        self.known.clear();
        self.known.resize(self.used.len() * values, false);
    }

    /// Returns `width` weights, starting at `place` times `width`.
    fn of(&mut self, place: usize, width: usize) -> &mut [u64] {
        let end = (place + 1) * width;
        if self.weights.len() < end {
            self.weights.resize(end, 0);
        }
        &mut self.weights[end - width..end]
    }
}

/// Nanoseconds for a pair of compatible shapes, besides its rows.
pub(crate) const COST_OF_PAIR: f64 = 60.0;

/// Nanoseconds for an entry of a table of ways, and for a product of two of them.
pub(crate) const COST_OF_CELL: f64 = 1.5;
pub(crate) const COST_OF_PRODUCT: f64 = 3.0;

/// Nanoseconds to allocate and clear one number.
pub(crate) const COST_OF_ROOM: f64 = 2.5;

/// Nanoseconds to add the weights that a set allows for one y, and to find them.
pub(crate) const COST_OF_ADDING: f64 = 0.7;
pub(crate) const COST_OF_ROW: f64 = 2.5;
pub(crate) const COST_OF_RUN: f64 = 4.0;

/// Nanoseconds to add the weight of a set if B has no features.
pub(crate) const COST_OF_ALONE: f64 = 1.0;

/// Builds the tables, as far as the meter allows.
pub(crate) fn build(draft: &Draft, meter: &CostMeter<'_>) -> Result<Tables, SetupError> {
    let mut filling = TableBuilder {
        draft,
        tables: Tables {
            runs: Runs::new(draft.halves[0].size()[1]),
            ..Tables::default()
        },
        known: [0, 1].map(|half| vec![NONE; draft.lengths_keys(half)]),
        completions: HashMap::default(),
        meter,
        weights: Weights::default(),
    };
    filling.all_pairs()?;
    Ok(filling.tables)
}

impl<'a> TableBuilder<'a> {
    fn all_pairs(&mut self) -> Result<(), SetupError> {
        let draft = self.draft;
        let [of_a, of_b] = &draft.shapes;
        if of_a.list.is_empty() || of_b.list.is_empty() {
            return Ok(());
        }
        let totals = draft.totals.each_ref().map(|totals| &totals.values);
        let mut acceptance = Acceptance::new(&draft.partition, [of_a, of_b], totals);
        let mut others = Others::find(draft, self.meter)?;
        let lengths_b: Vec<BySuit<i32>> = of_b
            .list
            .iter()
            .map(|shape| lengths(&draft.piles, 1, &shape.taken))
            .collect();
        for a in &of_a.list {
            let lengths_a = lengths(&draft.piles, 0, &a.taken);
            self.meter
                .spend(COST_OF_PAIR_TEST * of_b.list.len() as f64)?;
            let room = Room::after(&draft.piles, &a.taken);
            for (b, lengths_b) in of_b.list.iter().zip(&lengths_b) {
                if !room.holds(&b.taken) {
                    continue;
                }
                self.meter.spend(COST_OF_PAIR)?;
                let Some(mut context) = self.context(&acceptance, &lengths_a, lengths_b) else {
                    continue;
                };
                let sharings = match &mut others {
                    Some(others) => others.of(draft.left(&a.taken, &b.taken), self.meter)?,
                    None => 0..1,
                };
                for number in sharings {
                    let (mut sharing, mut factor) = (NONE, 1);
                    if let Some(others) = &others {
                        context.others = others.list[number].truth;
                        factor = others.list[number].ways();
                        sharing = number as u32;
                    }
                    let id = acceptance.context(&context, self.meter)?;
                    let matrix = acceptance.matrix(id, a.answer, b.answer, self.meter)?;
                    if acceptance.accepts_something(matrix) {
                        let pair = self.pair(&mut acceptance, a.taken, b.taken, matrix)?;
                        self.rows(Pair {
                            sharing,
                            factor,
                            ..pair
                        });
                    }
                }
            }
            self.meter.has_room(self.tables.bytes() as f64)?;
        }
        self.tables.matrices = acceptance.matrix_list;
        self.tables.sharings = others.map_or_else(Vec::new, |others| others.list);
        Ok(())
    }

    /// Returns the context of these lengths; `None` if a required leaf fails.
    fn context(&self, known: &Acceptance<'_>, a: &BySuit<i32>, b: &BySuit<i32>) -> Option<Context> {
        let partition = &self.draft.partition;
        let required = partition.required[LeafKind::Lengths as usize];
        let mut context = Context::default();
        for (index, leaf) in partition.of_kind(LeafKind::Lengths).iter().enumerate() {
            let holds = truth_of_lengths(leaf, a, b);
            if !holds && required == Some(index) {
                return None;
            }
            context.lengths |= u64::from(holds) << index;
        }
        let joint = known.joint_lengths.iter();
        context.joint = joint
            .map(|&(role, suit)| if role == Role::A { a[suit] } else { b[suit] })
            .collect();
        Some(context)
    }

    /// Finds or builds the tables of a pair of shapes.
    fn pair(
        &mut self,
        acceptance: &mut Acceptance<'_>,
        a: Taken,
        b: Taken,
        matrix: u32,
    ) -> Result<Pair, SetupError> {
        let draft = self.draft;
        let first = self.table_of(0, &a, &b)?;
        let sums = self.table_of(1, &a, &b)?;
        let completions = match self.completions.get(&(sums, matrix)) {
            Some(&known) => known,
            None => {
                let start = self.tables.completions.len() as u32;
                self.complete(acceptance, sums, matrix)?;
                self.completions.insert((sums, matrix), start);
                start
            }
        };
        let [rows, width] = draft.halves[0].size();
        self.meter.spend(COST_OF_CELL * (rows * width) as f64)?;
        Ok(Pair {
            a,
            b,
            first,
            sums,
            completions,
            matrix,
            sharing: NONE,
            factor: 1,
        })
    }

    /// Returns the position of the table of a half for these lengths, and fills the table if it is new.
    fn table_of(&mut self, half: usize, a: &Taken, b: &Taken) -> Result<u32, SetupError> {
        let key = self.draft.lengths_key(half, a, b);
        if self.known[half][key] != NONE {
            return Ok(self.known[half][key]);
        }
        let [rows, width] = self.draft.halves[half].size();
        let products = self.draft.products(half, a, b);
        self.meter
            .spend(COST_OF_PRODUCT * products + COST_OF_ROOM * (rows * width) as f64)?;
        let table = match half {
            0 => &mut self.tables.ways,
            _ => &mut self.tables.sums,
        };
        let start = table.len();
        // Each row of sums begins with a 0.
        let stride = width + half;
        table.resize(start + rows * stride, 0);
        let table = &mut table[start..];
        combine(self.draft, half, (a, b), stride, table);
        if half == 1 {
            for row in table.chunks_mut(stride) {
                let mut sum = 0;
                for ways in row {
                    sum += *ways;
                    *ways = sum;
                }
            }
        }
        self.known[half][key] = start as u32;
        Ok(start as u32)
    }

    /// Computes for each (x, y) of half 1 the ways of half 2 that lead to an accepted total.
    fn complete(
        &mut self,
        acceptance: &mut Acceptance<'_>,
        sums: u32,
        matrix: u32,
    ) -> Result<(), SetupError> {
        let draft = self.draft;
        let [first, second] = draft.halves.each_ref().map(|half| half.size());
        let [of_a, of_b] = &draft.totals;
        self.tables
            .runs
            .extend(acceptance.sets(), second[1], self.meter, |one, other| {
                of_b.of(one, other)
            })?;
        let matrix = &acceptance.matrix_list[matrix as usize];
        self.meter
            .spend(COST_OF_ROOM * (first[0] * first[1]) as f64)?;
        self.weights.start(matrix, second[0]);
        if first[1] == 1 {
            return self.complete_alone(sums, matrix);
        }
        let rows = &self.tables.sums[sums as usize..];
        let row = |other: usize| &rows[other * (second[1] + 1)..][..=second[1]];
        let weights = &mut self.weights;
        for x in 0..first[0] {
            let (mut added, mut found) = (0, 0);
            let start = self.tables.completions.len();
            self.tables.completions.resize(start + first[1], 0);
            let completions = &mut self.tables.completions[start..];
            for (other, &total) in of_a.with(x).iter().enumerate() {
                let set = matrix[total as usize];
                let slot = weights.slots[set as usize];
                if slot == NONE {
                    continue;
                }
                let row = row(other);
                if row[second[1]] == 0 {
                    continue;
                }
                let place = slot as usize * second[0] + other;
                if !std::mem::replace(&mut weights.known[place], true) {
                    found += first[1];
                    let ways = |&(from, to): &(u32, u32)| row[to as usize] - row[from as usize];
                    let runs = |y: usize| self.tables.runs.get(set, y).iter();
                    for (y, weight) in weights.of(place, first[1]).iter_mut().enumerate() {
                        *weight = runs(y).map(ways).sum();
                    }
                }
                added += first[1];
                for (sum, weight) in completions.iter_mut().zip(weights.of(place, first[1])) {
                    *sum += *weight;
                }
            }
            self.meter.spend(
                COST_OF_ADDING * added as f64
                    + COST_OF_RUN * found as f64
                    + COST_OF_ROW * second[0] as f64,
            )?;
        }
        Ok(())
    }

    /// Computes completions if B has no features: a set then allows one number for each x in half 2.
    fn complete_alone(&mut self, sums: u32, matrix: &Matrix) -> Result<(), SetupError> {
        let draft = self.draft;
        let [first, second] = draft.halves.each_ref().map(|half| half.size());
        let Weights {
            used,
            weights,
            slots,
            starts,
            ..
        } = &mut self.weights;
        self.meter.spend(
            COST_OF_RUN * (used.len() * second[0]) as f64
                + COST_OF_ALONE * (matrix.len() + first[0] * second[0]) as f64,
        )?;
        // The first row, of the empty set, is all zero; one row of weights for each further set follows.
        weights.clear();
        weights.resize(second[0], 0);
        let rows = self.tables.sums[sums as usize..].chunks_exact(second[1] + 1);
        for &set in used.iter() {
            let runs = self.tables.runs.get(set, 0);
            weights.extend(rows.clone().take(second[0]).map(|row| {
                let ways = |&(from, to): &(u32, u32)| row[to as usize] - row[from as usize];
                runs.iter().map(ways).sum::<u64>()
            }));
        }
        starts.clear();
        starts.extend(matrix.iter().map(|&set| match slots[set as usize] {
            NONE => 0,
            slot => (slot + 1) * second[0] as u32,
        }));
        let of_a = &draft.totals[0];
        self.tables.completions.extend((0..first[0]).map(|x| {
            let totals = of_a.with(x).iter().enumerate();
            let weight =
                |(other, &total): (usize, &u32)| weights[starts[total as usize] as usize + other];
            totals.map(weight).sum::<u64>()
        }));
        Ok(())
    }

    /// Adds the rows of a pair of shapes.
    fn rows(&mut self, pair: Pair) {
        let tables = &mut self.tables;
        let [rows, width] = self.draft.halves[0].size();
        let ways = &tables.ways[pair.first as usize..][..rows * width];
        let completions = &tables.completions[pair.completions as usize..][..rows * width];
        let number = tables.pairs.len() as u32;
        let mut end = tables.total();
        let before = end;
        let product = |ways: u64, rest: u64| u128::from(ways) * u128::from(rest);
        let mut add = |x: usize, sum: u128| {
            if sum > 0 {
                end += sum * u128::from(pair.factor);
                let place = (x * width) as u32;
                tables.rows.push(Row {
                    end,
                    pair: number,
                    x: x as u32,
                    ways: pair.first + place,
                    completions: pair.completions + place,
                });
            }
        };
        if width == 1 {
            let both = ways.iter().zip(completions).enumerate();
            both.for_each(|(x, (&ways, &rest))| add(x, product(ways, rest)));
        } else {
            let lines = [ways, completions].map(|table| table.chunks_exact(width.max(1)));
            let [ways, completions] = lines;
            let both = ways.zip(completions);
            for (x, (ways, rest)) in both.enumerate() {
                let products = ways.iter().zip(rest);
                add(x, products.map(|(&ways, &rest)| product(ways, rest)).sum());
            }
        }
        if end > before {
            tables.pairs.push(pair);
        }
    }
}

/// Adds the number of ways to get each (x, y) in a half to `table`. A row for each x has `stride` numbers; the numbers
/// for y are at its end.
fn combine(draft: &Draft, half: usize, (a, b): (&Taken, &Taken), stride: usize, table: &mut [u64]) {
    let half = &draft.halves[half];
    let before = stride - half.size()[1];
    let cell = |place: usize| draft.cells[place].get(a[place], b[place]);
    let mut add = |x: u32, y: u32, ways: u64| {
        if x != NONE && y != NONE {
            table[x as usize * stride + before + y as usize] += ways;
        }
    };
    let (first, second) = half.piles;
    for one in &cell(first).entries {
        let (sums_x, sums_y) = (half.sums(0, one.x), half.sums(1, one.y));
        match second {
            None => add(sums_x[0], sums_y[0], one.ways.weight),
            Some(second) => {
                for other in &cell(second).entries {
                    let (x, y) = (sums_x[other.x as usize], sums_y[other.y as usize]);
                    add(x, y, one.ways.weight * other.ways.weight);
                }
            }
        }
    }
}
