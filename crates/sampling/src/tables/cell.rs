//! For each pile and each pair of lengths: in how many ways A and B get which features.

use crate::setup::budget::{GaveUp, Meter};
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

/// Features of A and B in a pile with the number of ways to get them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) weight: u64,
    first: u32,
    last: u32,
}

/// All features that A and B can have when they take given numbers of cards from a pile.
#[derive(Debug)]
pub(crate) struct Cell {
    /// The largest weight first, because draws scan from the front.
    pub(crate) entries: Vec<Entry>,
    choices: Vec<Choice>,
    /// Weight by (x, y); one row and one column of zeros beyond the last.
    dense: Vec<u64>,
    position: Vec<u32>,
    width: usize,
}

impl Cell {
    pub(crate) fn new(pile: &Pile, a: usize, b: usize) -> Cell {
        let [rows, columns] = pile.values.each_ref().map(|values| values.len() + 1);
        let mut cell = Cell {
            entries: Vec::new(),
            choices: Vec::new(),
            dense: vec![0; rows * columns],
            position: vec![NONE; rows * columns],
            width: columns,
        };
        // Groups come sorted by (x, y), so those of one entry are neighbours.
        for group in pile.groups(a, b) {
            let [one, other] = pile.bounds(group, a, b);
            let bounds = [u64::from(group.count), one, other];
            let weight: u64 = bounds.iter().product();
            if weight == 0 {
                continue;
            }
            let number = cell.choices.len() as u32;
            cell.choices.push(Choice {
                weight,
                bounds,
                first: group.first,
                marks: group.marks,
            });
            match cell.entries.last_mut() {
                Some(last) if (last.x, last.y) == (group.x, group.y) => {
                    last.weight += weight;
                    last.last = number + 1;
                }
                _ => cell.entries.push(Entry {
                    x: group.x,
                    y: group.y,
                    weight,
                    first: number,
                    last: number + 1,
                }),
            }
        }
        cell.entries
            .sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.x, entry.y));
        for (number, entry) in cell.entries.iter().enumerate() {
            let place = entry.x as usize * columns + entry.y as usize;
            cell.dense[place] = entry.weight;
            cell.position[place] = number as u32;
        }
        cell
    }

    /// The number of ways to get these features; 0 for the numbers one past the last.
    #[inline]
    pub(crate) fn weight(&self, x: u32, y: u32) -> u64 {
        self.dense[x as usize * self.width + y as usize]
    }

    /// The groups that give these features.
    #[inline]
    pub(crate) fn choices(&self, x: u32, y: u32) -> &[Choice] {
        let entry = self.position[x as usize * self.width + y as usize];
        match self.entries.get(entry as usize) {
            Some(entry) => &self.choices[entry.first as usize..entry.last as usize],
            None => &[],
        }
    }

    /// Makes the largest weight too large by one part in `parts`, so that tests can see that they
    /// would notice.
    #[cfg(test)]
    pub(crate) fn spoil(&mut self, parts: u64) {
        if let Some(entry) = self.entries.first_mut() {
            entry.weight += entry.weight / parts;
            self.dense[entry.x as usize * self.width + entry.y as usize] = entry.weight;
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
    /// Cells for all pairs of lengths that occur.
    pub(crate) fn new(
        pile: &mut Pile,
        lengths: &[Vec<bool>; 2],
        meter: &Meter<'_>,
    ) -> Result<Cells, GaveUp> {
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

    /// The number of the cell for these lengths, which must be among those asked for.
    #[inline]
    pub(crate) fn number(&self, a: u8, b: u8) -> usize {
        self.index[usize::from(a) * self.width + usize::from(b)] as usize
    }

    /// The cell for these lengths, which must be among those asked for.
    #[inline]
    pub(crate) fn get(&self, a: u8, b: u8) -> &Cell {
        &self.list[self.number(a, b)]
    }
}
