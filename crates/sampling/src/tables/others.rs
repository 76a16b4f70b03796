//! The third and the fourth hand: how the cards that A and B leave can be shared by lengths.

use std::collections::{BTreeMap, HashMap};

use crate::binomial::choose;
use crate::setup::budget::{GaveUp, Meter};
use crate::setup::layout::Clause;
use crate::setup::tree::{Kind, Partition};
use crate::tables::pile::Pile;
use crate::tables::shape::{Taken, all_taken, truth_of_lengths};
use crate::tables::values::Quick;

/// Shapes of C with the same truth of all leaves about C and D.
#[derive(Debug)]
pub(crate) struct Sharing {
    /// Truth of the leaves about C, about D, about both.
    pub(crate) truth: [u64; 3],
    /// What C takes, with the number of ways up to and including it.
    pub(crate) shapes: Vec<(Taken, u64)>,
}

impl Sharing {
    /// The number of ways.
    pub(crate) fn ways(&self) -> u64 {
        self.shapes.last().map_or(0, |&(_, ways)| ways)
    }
}

/// What A and B can leave, by numbers of cards, at most.
pub(crate) const MOST_LEFTS: f64 = 1834.0;

/// Shapes that C may take of it, about.
pub(crate) const USUAL_SHAPES: f64 = 150.0;

/// Nanoseconds for one shape of C, with so many leaves about C and D.
pub(crate) fn cost_of_shape(leaves: usize) -> f64 {
    35.0 + 15.0 * leaves as f64
}

/// Finds and remembers the sharings of what is left.
pub(crate) struct Others<'a> {
    partition: &'a Partition,
    piles: &'a [Pile],
    places: usize,
    /// Fixed cards of C and D by pile.
    fixed: [[i32; 4]; 2],
    known: HashMap<Taken, std::ops::Range<usize>, Quick>,
    pub(crate) list: Vec<Sharing>,
}

impl<'a> Others<'a> {
    /// `fixed` are the fixed cards of C and D by suit, `places` the free places of C.
    pub(crate) fn new(
        partition: &'a Partition,
        piles: &'a [Pile],
        places: usize,
        fixed: [[i32; 4]; 2],
    ) -> Others<'a> {
        Others {
            partition,
            piles,
            places,
            fixed,
            known: HashMap::default(),
            list: Vec::new(),
        }
    }

    fn lengths(&self, who: usize, taken: impl Fn(usize) -> u8) -> [i32; 4] {
        let mut lengths = [0; 4];
        for (place, pile) in self.piles.iter().enumerate() {
            let suit = pile.suits[0].index();
            lengths[suit] = self.fixed[who][suit] + i32::from(taken(place));
        }
        lengths
    }

    /// The numbers of the sharings of these cards.
    pub(crate) fn of(
        &mut self,
        left: Taken,
        meter: &Meter<'_>,
    ) -> Result<std::ops::Range<usize>, GaveUp> {
        if let Some(range) = self.known.get(&left) {
            return Ok(range.clone());
        }
        let sizes = left.map(usize::from);
        let leaves = self.partition.leaves_of_others();
        let mut found: BTreeMap<[u64; 3], Vec<(Taken, u64)>> = BTreeMap::new();
        for taken in all_taken(&sizes[..self.piles.len()], self.places) {
            meter.spend(cost_of_shape(leaves))?;
            let c = self.lengths(0, |place| taken[place]);
            let d = self.lengths(1, |place| left[place] - taken[place]);
            let Some(truth) = self.truth(&c, &d) else {
                continue;
            };
            let ways = (0..self.piles.len())
                .map(|place| choose(sizes[place], usize::from(taken[place])))
                .product::<u64>();
            let shapes = found.entry(truth).or_default();
            let before = shapes.last().map_or(0, |&(_, ways)| ways);
            shapes.push((taken, before + ways));
        }
        let start = self.list.len();
        let sharings = found.into_iter();
        self.list
            .extend(sharings.map(|(truth, shapes)| Sharing { truth, shapes }));
        self.known.insert(left, start..self.list.len());
        Ok(start..self.list.len())
    }

    /// The truth of all leaves, or none if a leaf that must hold does not.
    fn truth(&self, c: &[i32; 4], d: &[i32; 4]) -> Option<[u64; 3]> {
        let mut truth = [0; 3];
        for (word, kind) in truth.iter_mut().zip([Kind::C, Kind::D, Kind::Others]) {
            let required = self.partition.required[kind as usize];
            let leaves: &[Clause] = self.partition.of_kind(kind);
            for (index, leaf) in leaves.iter().enumerate() {
                let holds = truth_of_lengths(leaf, c, d);
                if !holds && required == Some(index) {
                    return None;
                }
                *word |= u64::from(holds) << index;
            }
        }
        Some(truth)
    }
}
