//! The cheap part of the set-up: piles, shapes and halves, and an estimate of the rest.

use cards::Suit;

use crate::setup::budget::{CostMeter, SetupCost, SetupError};
use crate::setup::layout::Layout;
use crate::setup::tree::{LeafKind, Partition};
use crate::tables::bits::Bits;
use crate::tables::cell::Cells;
use crate::tables::half::{Half, Totals};
use crate::tables::others::{MAX_REMAINDERS, Others};
use crate::tables::pairs::{
    COST_OF_ADDING, COST_OF_ALONE, COST_OF_CELL, COST_OF_PAIR, COST_OF_PRODUCT, COST_OF_ROOM,
    COST_OF_ROW, COST_OF_RUN,
};
use crate::tables::pile::{self, Pile};
use crate::tables::shape::{Hand, Room, Shapes, Taken, lengths, truth_of_lengths};
use crate::tables::values::{self, Values, sum};

/// A layout with its piles, shapes and halves.
pub(crate) struct Draft {
    pub(crate) layout: Layout,
    pub(crate) partition: Partition,
    /// Free places of A and B.
    pub(crate) places: pile::Places,
    pub(crate) piles: Vec<Pile>,
    pub(crate) cells: Vec<Cells>,
    pub(crate) shapes: [Shapes; 2],
    pub(crate) halves: [Half; 2],
    pub(crate) totals: [Totals; 2],
}

/// Largest number of leaves of one kind: their truth is stored in one word.
const MAX_LEAVES: usize = 64;

/// With more different totals of one hand than this, tables are too large.
const MAX_TOTALS: usize = 20_000;

/// Nanoseconds for the smallest draft.
const COST_OF_DRAFT: f64 = 40e3;

/// Nanoseconds to add two vectors and look up the sum.
const COST_OF_SUM: f64 = 8.0;

/// Nanoseconds to count a pair of compatible shapes.
const COST_OF_COUNT: f64 = 0.8;

/// Assumed share of the pairs of shapes that is left if few are.
const SHARE_LEFT_IF_FEW: f64 = 0.03;

/// Assumed share of the rows that is filled if only sums of both hands count.
const SHARE_FILLED_IF_POOLED: f64 = 0.3;

/// Number of pairs of shapes in the sample that estimates how many are left.
const PAIRS_SAMPLED: usize = 100;

/// Nanoseconds to test whether two shapes are compatible.
pub(crate) const COST_OF_PAIR_TEST: f64 = 4.0;

impl Draft {
    /// Prepares a layout. `order` permutes the piles; it must not change any result.
    pub(crate) fn new(
        mut layout: Layout,
        merge: bool,
        order: usize,
        meter: &CostMeter<'_>,
    ) -> Result<Draft, SetupError> {
        let features = layout.features.iter().map(Vec::len).max();
        if features > Some(values::MAX_FEATURES) {
            return Err(SetupError::TooExpensive);
        }
        meter.spend(COST_OF_DRAFT)?;
        let suits = pile::choose_piles(&layout, merge);
        let partition = Partition::new(std::mem::take(&mut layout.conditions));
        if partition
            .leaves
            .iter()
            .any(|leaves| leaves.len() > MAX_LEAVES)
        {
            return Err(SetupError::TooExpensive);
        }
        let places = [0, 1].map(|role: usize| {
            let seats = layout.seats[role].iter();
            seats.map(|seat| 13 - layout.fixed[*seat].len()).sum()
        });
        let mut piles = Vec::new();
        for suits in permuted(suits, order) {
            piles.push(pile::build(&layout, &suits, places, meter)?);
        }
        let all = [all_totals(&piles, 0, meter)?, all_totals(&piles, 1, meter)?];
        let shapes_of = |kind: LeafKind| {
            let required = partition.required[kind as usize];
            let leaves = partition.of_kind(kind);
            let role = kind as usize;
            let hand = Hand {
                piles: &piles,
                role,
                places: places[role],
                totals: &all[role],
            };
            Shapes::new(&hand, leaves, required, meter)
        };
        let shapes = [shapes_of(LeafKind::A)?, shapes_of(LeafKind::B)?];
        let mut draft = Draft {
            layout,
            partition,
            places,
            cells: Vec::new(),
            halves: Default::default(),
            totals: Default::default(),
            shapes,
            piles,
        };
        draft.pair_piles();
        draft.connect(&all, meter)?;
        // Even if few of the pairs are left, each must test every value of half 1.
        let [x, y] = draft.halves[0].size();
        let partition = &draft.partition;
        let some_go = partition.required[LeafKind::Lengths as usize].is_some()
            || partition.leaves_of_others() > 0;
        let share = if some_go { SHARE_LEFT_IF_FEW } else { 1.0 };
        let least = share * COST_OF_CELL * (x * y) as f64 * draft.pairs(meter)? as f64;
        if meter.rules_out(least) {
            return Err(SetupError::TooExpensive);
        }
        draft.find_cells(meter)?;
        Ok(draft)
    }

    fn used_lengths(&self, place: usize) -> [Vec<bool>; 2] {
        [0, 1].map(|role: usize| {
            let most = self.places[role].min(self.piles[place].size);
            let mut used = vec![false; most + 1];
            for shape in &self.shapes[role].list {
                used[usize::from(shape.taken[place])] = true;
            }
            used
        })
    }

    /// Orders four piles so that both halves have similarly few pairs of lengths.
    fn pair_piles(&mut self) {
        if self.piles.len() < 4 {
            return;
        }
        let combinations: Vec<usize> = (0..4)
            .map(|place| {
                let used = self.used_lengths(place);
                let count = |lengths: &Vec<bool>| lengths.iter().filter(|used| **used).count();
                count(&used[0]) * count(&used[1])
            })
            .collect();
        let orders = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2]];
        let cost = |order: &[usize; 4]| {
            let [a, b, c, d] = order.map(|place| combinations[place]);
            a * b + c * d
        };
        let Some(best) = orders.into_iter().min_by_key(cost) else {
            return;
        };
        let mut piles: Vec<Option<Pile>> = self.piles.drain(..).map(Some).collect();
        self.piles = best
            .iter()
            .filter_map(|&place| piles[place].take())
            .collect();
        for shapes in &mut self.shapes {
            for shape in &mut shapes.list {
                shape.taken = best.map(|place| shape.taken[place]);
            }
        }
    }

    fn find_cells(&mut self, meter: &CostMeter<'_>) -> Result<(), SetupError> {
        for place in 0..self.piles.len() {
            let used = self.used_lengths(place);
            let cells = Cells::new(&mut self.piles[place], &used, meter)?;
            self.cells.push(cells);
        }
        Ok(())
    }

    /// Forms the halves, and drops values that cannot lead to an accepted total.
    fn connect(&mut self, all: &[Values; 2], meter: &CostMeter<'_>) -> Result<(), SetupError> {
        let parts = match self.piles.len() {
            4 => [(0, Some(1)), (2, Some(3))],
            3 => [(0, Some(1)), (2, None)],
            _ => [(0, None), (1, None)],
        };
        let mut halves = parts.map(|part| Half::new(&self.piles, part));
        for (role, all) in all.iter().enumerate() {
            let useful: &Bits = &self.shapes[role].useful;
            let [one, other] = &mut halves;
            // In the worst case one look-up for each pair of values; most end sooner.
            let pairs = one.values[role].len() * other.values[role].len();
            meter.spend(COST_OF_SUM * 2.0 * pairs as f64)?;
            let leads = |a: &values::Vector, values: &Values| {
                values.list().iter().any(|b| {
                    let total = all.position(&sum(a, b));
                    total.is_some_and(|total| useful.get(total as usize))
                })
            };
            let keep_one: Vec<bool> = one.values[role]
                .list()
                .iter()
                .map(|value| leads(value, &other.values[role]))
                .collect();
            one.keep(role, |number| keep_one[number]);
            let keep_other: Vec<bool> = other.values[role]
                .list()
                .iter()
                .map(|value| leads(value, &one.values[role]))
                .collect();
            other.keep(role, |number| keep_other[number]);
        }
        halves.iter_mut().for_each(|half| half.connect(&self.piles));
        self.totals = [0, 1].map(|role: usize| {
            let values = all[role].clone();
            Totals::new(values, &halves[0].values[role], &halves[1].values[role])
        });
        self.halves = halves;
        Ok(())
    }

    /// Counts the pairs of compatible shapes.
    fn pairs(&self, meter: &CostMeter<'_>) -> Result<usize, SetupError> {
        let [all_a, all_b] = self.shapes.each_ref().map(|shapes| &shapes.list);
        let taken_b: Vec<Taken> = all_b.iter().map(|shape| shape.taken).collect();
        meter.spend(COST_OF_COUNT * (all_a.len() * all_b.len()) as f64)?;
        let fitting = all_a.iter().map(|a| {
            let room = Room::after(&self.piles, &a.taken);
            taken_b.iter().filter(|b| room.holds(b)).count()
        });
        Ok(fitting.sum())
    }

    /// Estimates the expensive part of the set-up from counted work.
    pub(crate) fn estimate(&self, meter: &CostMeter<'_>) -> Result<SetupCost, SetupError> {
        let pairs = self.pairs(meter)?;
        let mut products = [0f64; 2];
        let mut tables = [0usize; 2];
        for half in 0..2 {
            (tables[half], products[half]) = self.tables_of(half, meter)?;
        }
        let [size_one, size_two] = self.halves.each_ref().map(Half::size);
        let cells = (size_one[0] * size_one[1]) as f64;
        let (share, sharing) = self.share_left(pairs, meter)?;
        let fitting = pairs as f64;
        let pairs = share * fitting;
        // There are no more tables than pairs.
        let tables = tables.map(|tables| tables as f64);
        let used = tables.map(|tables| (pairs / tables.max(1.0)).min(1.0));
        let completions = used[1] * tables[1] * (size_one[0] * size_two[0]) as f64;
        // Without joint atoms a matrix has few sets of totals.
        let runs = match self.partition.joint.is_empty() {
            true => 1.5 * used[1] * tables[1] * size_two[0] as f64,
            false => completions,
        };
        let completion = match size_one[1] {
            1 => COST_OF_ALONE,
            width => COST_OF_ADDING * width as f64 + COST_OF_ROW,
        };
        let room = used[0] * tables[0] * cells
            + used[1] * tables[1] * (cells + (size_two[0] * size_two[1]) as f64);
        // Equal answers share a matrix, so this is an upper bound, often a generous one.
        let answers = self
            .shapes
            .each_ref()
            .map(|shapes| shapes.answers.len() as f64);
        let matrices = (answers[0] * answers[1]).min(pairs);
        let [x, y] = self.totals.each_ref().map(|totals| totals.values.len());
        // Only some of the pairs of shapes have each sum of both hands.
        let filled = if self.layout.pooled {
            SHARE_FILLED_IF_POOLED
        } else {
            1.0
        };
        let joint = self.partition.joint.iter().map(|question| question.cost());
        Ok(SetupCost {
            nanoseconds: fitting.min(MAX_REMAINDERS) * sharing
                + COST_OF_PAIR * fitting
                + COST_OF_PRODUCT * (used[0] * products[0] + used[1] * products[1])
                + completion * completions
                + COST_OF_RUN * runs * size_one[1] as f64
                + COST_OF_ROOM * room
                + COST_OF_CELL * pairs * cells
                + joint.sum::<f64>() * (x * y) as f64
                + matrices * self.cost_of_matrix(),
            bytes: 32.0 * filled * pairs * size_one[0] as f64 + 8.0 * room,
        })
    }

    /// Returns the cards that A and B leave of each pile.
    pub(crate) fn left(&self, a: &Taken, b: &Taken) -> Taken {
        std::array::from_fn(|place| {
            let size = self.piles.get(place).map_or(0, |pile| pile.size as u8);
            size - a[place].min(size) - b[place].min(size)
        })
    }

    /// Estimates, from a sample of pairs spread over the list, the share of compatible pairs of shapes that the other
    /// hands and the lengths allow, and the cost of computing the sharings of a pair.
    fn share_left(&self, pairs: usize, meter: &CostMeter<'_>) -> Result<(f64, f64), SetupError> {
        let required = self.partition.required[LeafKind::Lengths as usize];
        let required = required.map(|leaf| &self.partition.of_kind(LeafKind::Lengths)[leaf]);
        let mut others = Others::find(self, meter)?;
        if required.is_none() && others.is_none() {
            return Ok((1.0, 0.0));
        }
        let every = (pairs / PAIRS_SAMPLED).max(1);
        let (mut number, mut sampled, mut left) = (0usize, 0usize, 0usize);
        let (mut shared, mut spent) = (0usize, 0.0);
        let [all_a, all_b] = self.shapes.each_ref().map(|shapes| &shapes.list);
        for a in all_a {
            let room = Room::after(&self.piles, &a.taken);
            meter.spend(COST_OF_COUNT * all_b.len() as f64)?;
            for b in all_b.iter().filter(|b| room.holds(&b.taken)) {
                number += 1;
                if number % every != 0 {
                    continue;
                }
                sampled += 1;
                meter.spend(COST_OF_PAIR)?;
                let allowed = required.is_none_or(|leaf| {
                    let [a, b] = [(0, a), (1, b)]
                        .map(|(role, shape)| lengths(&self.piles, role, &shape.taken));
                    truth_of_lengths(leaf, &a, &b)
                });
                left += usize::from(match &mut others {
                    _ if !allowed => false,
                    Some(others) => {
                        let before = meter.spent();
                        let found = others.of(self.left(&a.taken, &b.taken), meter)?;
                        shared += usize::from(meter.spent() > before);
                        spent += meter.spent() - before;
                        !found.is_empty()
                    }
                    None => true,
                });
            }
        }
        // Counts one more pair as tested and left, so that the share is never 0.
        let share = (left + 1) as f64 / (sampled + 1) as f64;
        Ok((share, spent / shared.max(1) as f64))
    }

    /// Returns an upper bound on the number of tables of a half, and the number of products they take. There is a table
    /// for each combination of lengths within the half that some shape of A and some shape of B have.
    fn tables_of(&self, half: usize, meter: &CostMeter<'_>) -> Result<(usize, f64), SetupError> {
        let (first, second) = self.halves[half].piles;
        let lengths = self.shapes.each_ref().map(|shapes| {
            let mut seen: Vec<Taken> = Vec::new();
            let mut known = [false; 32 * 32];
            for shape in &shapes.list {
                let mut part = [0; 4];
                part[first] = shape.taken[first];
                let mut key = usize::from(part[first]);
                if let Some(second) = second {
                    part[second] = shape.taken[second];
                    key = key << 5 | usize::from(part[second]);
                }
                if !std::mem::replace(&mut known[key], true) {
                    seen.push(part);
                }
            }
            seen
        });
        let [of_a, of_b] = &lengths;
        meter.spend(COST_OF_PAIR_TEST * (of_a.len() * of_b.len()) as f64)?;
        let (mut tables, mut products) = (0, 0.0);
        for a in of_a {
            let room = Room::after(&self.piles, a);
            for b in of_b.iter().filter(|b| room.holds(b)) {
                tables += 1;
                products += self.products(half, a, b);
            }
        }
        Ok((tables, products))
    }

    /// Returns the nanoseconds to find the totals of A and B that are accepted together.
    pub(crate) fn cost_of_matrix(&self) -> f64 {
        let [x, y] = self
            .totals
            .each_ref()
            .map(|totals| totals.values.len() as f64);
        let each = self.partition.tree.size() as f64 * (25.0 + y / 64.0);
        match self.partition.joint.is_empty() {
            // Totals of A fall into few classes with equal answers.
            true => 10.0 * x + 4.0 * each,
            false => x * each,
        }
    }

    pub(crate) fn products(&self, half: usize, a: &Taken, b: &Taken) -> f64 {
        let entries = |place: usize| self.cells[place].get(a[place], b[place]).entries.len() as f64;
        let (first, second) = self.halves[half].piles;
        entries(first) * second.map_or(1.0, entries)
    }

    /// Returns a number for the lengths within a half.
    #[inline]
    pub(crate) fn lengths_key(&self, half: usize, a: &Taken, b: &Taken) -> usize {
        let number = |place: usize| self.cells[place].number(a[place], b[place]);
        match self.halves[half].piles {
            (first, Some(second)) => number(first) * self.cells[second].list.len() + number(second),
            (first, None) => number(first),
        }
    }

    /// Returns how many numbers [`lengths_key`](Self::lengths_key) can return.
    pub(crate) fn lengths_keys(&self, half: usize) -> usize {
        let (first, second) = self.halves[half].piles;
        self.cells[first].list.len() * second.map_or(1, |second| self.cells[second].list.len())
    }
}

fn permuted(mut suits: Vec<Vec<Suit>>, order: usize) -> Vec<Vec<Suit>> {
    let single = suits.iter().take_while(|pile| pile.len() == 1).count();
    if single > 0 {
        suits[..single].rotate_left(order % single);
    }
    suits
}

/// Returns every total that the features of a hand can have, or an error if there are too many.
fn all_totals(piles: &[Pile], role: usize, meter: &CostMeter<'_>) -> Result<Values, SetupError> {
    let mut totals = Values::new([Default::default()]);
    for pile in piles {
        let values = &pile.values[role];
        let sums = totals.len() * values.len();
        if sums > 16 * MAX_TOTALS {
            return Err(SetupError::TooExpensive);
        }
        meter.spend(4.0 * COST_OF_SUM * sums as f64)?;
        totals = Values::new(
            totals
                .list()
                .iter()
                .flat_map(|one| values.list().iter().map(move |other| sum(one, other))),
        );
    }
    if totals.len() > MAX_TOTALS {
        return Err(SetupError::TooExpensive);
    }
    Ok(totals)
}
