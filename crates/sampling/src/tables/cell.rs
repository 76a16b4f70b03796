//! For each pile and each pair of lengths: in how many ways the tracked hands A and B get each pair of features.

use crate::setup::budget::{CostMeter, SetupError};
use crate::tables::half::NONE;
use crate::tables::pile::Pile;

/// A way to get some features: one group of patterns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) weight: u64,
    /// Number of patterns, and of ways to complete each.
    pub(crate) bounds: [u64; 3],
    /// First pattern of the group.
    pub(crate) first: u32,
    /// Marks of A and of B in each pattern.
    pub(crate) marks: [u8; 2],
}

impl Choice {
    /// The only way to take no cards.
    pub(crate) const NOTHING: Choice = Choice {
        weight: 1,
        bounds: [1; 3],
        first: 0,
        marks: [0; 2],
    };
}

/// Features of A and B in a pile with the number of ways to get them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) ways: Ways,
}

/// The number of ways to get some features, and the position of the groups that give them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ways {
    pub(crate) weight: u64,
    first: u32,
    pub(crate) choices: u32,
}

/// All features that A and B can have when they take given numbers of cards from a pile.
#[derive(Debug)]
pub(crate) struct Cell {
    /// Sorted by weight, largest first, because draws scan from the front.
    pub(crate) entries: Vec<Entry>,
    /// Groups; those of one entry are adjacent.
    choices: Vec<Choice>,
    /// For each group, the number of ways up to and including it. Padding follows the last, so that
    /// [`COMPARED_AT_ONCE`] ends can always be read.
    ends: Vec<u64>,
    /// The ways by (x, y), with one row and one column of zeros after the last.
    dense: Vec<Ways>,
    width: usize,
}

/// Number of groups that are compared without testing how many there are.
const COMPARED_AT_ONCE: usize = 4;

impl Cell {
    pub(crate) fn new(pile: &Pile, a: usize, b: usize) -> Cell {
        let [rows, columns] = pile.values.each_ref().map(|values| values.len() + 1);
        let mut cell = Cell {
            entries: Vec::new(),
            choices: Vec::new(),
            ends: Vec::new(),
            dense: vec![Ways::default(); rows * columns],
            width: columns,
        };
        // Groups are sorted by (x, y), so those of one entry are adjacent.
        for group in pile.groups(a, b) {
            let [one, other] = pile.bounds(group, a, b);
            let bounds = [u64::from(group.count), one, other];
            let weight: u64 = bounds.iter().product();
            if weight == 0 {
                continue;
            }
            let first = cell.choices.len() as u32;
            let end = match cell.entries.last_mut() {
                Some(last) if (last.x, last.y) == (group.x, group.y) => {
                    last.ways.weight += weight;
                    last.ways.choices += 1;
                    last.ways.weight
                }
                _ => {
                    cell.entries.push(Entry {
                        x: group.x,
                        y: group.y,
                        ways: Ways {
                            weight,
                            first,
                            choices: 1,
                        },
                    });
                    weight
                }
            };
            cell.ends.push(end);
            cell.choices.push(Choice {
                weight,
                bounds,
                first: group.first,
                marks: group.marks,
            });
        }
        cell.ends.extend([0; COMPARED_AT_ONCE]);
        cell.entries
            .sort_by_key(|entry| (std::cmp::Reverse(entry.ways.weight), entry.x, entry.y));
        for entry in &cell.entries {
            let place = entry.x as usize * columns + entry.y as usize;
            cell.dense[place] = entry.ways;
        }
        cell
    }

    /// Returns the ways to get these features; none for the index after the last.
    #[inline]
    pub(crate) fn ways(&self, x: u32, y: u32) -> Ways {
        self.dense[x as usize * self.width + y as usize]
    }

    /// Returns the group that contains way number `number`.
    #[inline(always)]
    pub(crate) fn choice(&self, ways: Ways, number: u64) -> &Choice {
        let (first, last) = (ways.first as usize, ways.choices as usize - 1);
        let few = &self.ends[first..][..COMPARED_AT_ONCE];
        // The branch would be unpredictable, so a few are compared without one.
        let mut place = 0;
        for (i, &end) in few.iter().enumerate() {
            place += usize::from(i < last && end <= number);
        }
        if place == COMPARED_AT_ONCE {
            while place < last && self.ends[first + place] <= number {
                place += 1;
            }
        }
        &self.choices[first + place]
    }

    /// Increases the largest weight by one part in `parts`, so that tests can check that they detect an error.
    #[cfg(test)]
    pub(crate) fn spoil(&mut self, parts: u64) {
        if let Some(entry) = self.entries.first_mut() {
            entry.ways.weight += entry.ways.weight / parts;
            self.dense[entry.x as usize * self.width + entry.y as usize] = entry.ways;
        }
    }
}

/// The cells of a pile by the lengths of A and B.
#[derive(Debug)]
pub(crate) struct Cells {
    pub(crate) list: Vec<Cell>,
    index: Vec<u32>,
    width: usize,
}

impl Cells {
    /// Builds cells for all pairs of lengths that occur.
    pub(crate) fn new(
        pile: &mut Pile,
        lengths: &[Vec<bool>; 2],
        meter: &CostMeter<'_>,
    ) -> Result<Cells, SetupError> {
        let width = lengths[1].len();
        let mut bytes = 0.0;
        let mut cells = Cells {
            list: Vec::new(),
            index: vec![NONE; lengths[0].len() * width],
            width,
        };
        for (a, _) in lengths[0].iter().enumerate().filter(|(_, used)| **used) {
            for (b, _) in lengths[1].iter().enumerate().filter(|(_, used)| **used) {
                if a + b <= pile.size {
                    cells.index[a * width + b] = cells.list.len() as u32;
                    let [rows, columns] = pile.values.each_ref().map(|values| values.len() + 1);
                    pile.find_groups(a, b, meter)?;
                    let groups = pile.groups(a, b).len();
                    meter.spend(1.5 * (rows * columns) as f64 + 60.0 * groups as f64 + 150.0)?;
                    bytes += (rows * columns * 12 + groups * 80) as f64;
                    meter.has_room(bytes)?;
                    cells.list.push(Cell::new(pile, a, b));
                }
            }
        }
        Ok(cells)
    }

    /// Returns the number of the cell for these lengths, which must occur.
    #[inline]
    pub(crate) fn number(&self, a: u8, b: u8) -> usize {
        self.index[usize::from(a) * self.width + usize::from(b)] as usize
    }

    /// Returns the cell for these lengths, which must occur.
    #[inline]
    pub(crate) fn get(&self, a: u8, b: u8) -> &Cell {
        &self.list[self.number(a, b)]
    }
}
