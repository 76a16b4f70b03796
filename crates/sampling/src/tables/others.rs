//! The two hands that are not tracked: divisions by lengths of the cards that A and B leave.

use std::collections::{BTreeMap, HashMap};

use cards::BySuit;

use crate::binomial::choose;
use crate::setup::budget::{CostMeter, SetupError};
use crate::setup::draft::Draft;
use crate::setup::layout::Clause;
use crate::setup::tree::{LeafKind, Partition};
use crate::tables::pile::Pile;
use crate::tables::shape::{Room, Taken, all_taken, truth_of_lengths};
use crate::tables::values::FastHash;

/// Shapes of C for which the leaves about C and D have the same truth values.
#[derive(Debug)]
pub(crate) struct Sharing {
    /// Truth values of the leaves about C, about D, about both.
    pub(crate) truth: [u64; 3],
    /// The cards that C takes from each pile, with the number of ways up to and including this shape.
    pub(crate) shapes: Vec<(Taken, u64)>,
}

impl Sharing {
    /// Returns the number of ways to divide the cards between C and D.
    pub(crate) fn ways(&self) -> u64 {
        self.shapes.last().map_or(0, |&(_, ways)| ways)
    }
}

/// Largest number of different remainders, by numbers of cards, that A and B can leave.
pub(crate) const MAX_REMAINDERS: f64 = 1834.0;

/// Returns the nanoseconds for one shape of C, with `leaves` leaves about C and D together.
fn cost_of_shape(leaves: usize) -> f64 {
    20.0 + 40.0 * leaves as f64
}

/// Nanoseconds to see that a shape is impossible.
const COST_OF_FITTING: f64 = 1.0;

/// Nanoseconds to evaluate the leaves about one hand for one of its shapes.
const COST_OF_ANSWER: f64 = 60.0;

/// Computes the sharings of the cards that are left, each once.
pub(crate) struct Others<'a> {
    partition: &'a Partition,
    piles: &'a [Pile],
    /// Fixed cards of C and D.
    fixed: [BySuit<i32>; 2],
    /// The shapes that C may have, in order, with the truth values of the leaves about C.
    of_c: Vec<(Taken, u64)>,
    /// The truth values of the leaves about D by the cards that D takes.
    of_d: HashMap<Taken, u64, FastHash>,
    known: HashMap<Taken, std::ops::Range<usize>, FastHash>,
    pub(crate) list: Vec<Sharing>,
}

impl<'a> Others<'a> {
    /// Creates the table for a draft; `None` if no condition is about these hands.
    pub(crate) fn find(
        draft: &'a Draft,
        meter: &CostMeter<'_>,
    ) -> Result<Option<Others<'a>>, SetupError> {
        if draft.partition.leaves_of_others() == 0 {
            return Ok(None);
        }
        let hand = |role: usize| draft.layout.fixed[draft.layout.seats[role][0]];
        let lengths = |role| BySuit::from_fn(|suit| hand(role).holding(suit).len() as i32);
        let places = [2, 3].map(|role| 13 - hand(role).len());
        let fixed = [2, 3].map(lengths);
        Others::new(&draft.partition, &draft.piles, places, fixed, meter).map(Some)
    }

    /// Creates the table. `fixed` are the fixed cards of C and D, `places` their free places.
    fn new(
        partition: &'a Partition,
        piles: &'a [Pile],
        places: [usize; 2],
        fixed: [BySuit<i32>; 2],
        meter: &CostMeter<'_>,
    ) -> Result<Others<'a>, SetupError> {
        let mut others = Others {
            partition,
            piles,
            fixed,
            of_c: Vec::new(),
            of_d: HashMap::default(),
            known: HashMap::default(),
            list: Vec::new(),
        };
        let sizes: Vec<usize> = piles.iter().map(|pile| pile.size).collect();
        for taken in all_taken(&sizes, places[0]) {
            meter.spend(COST_OF_ANSWER)?;
            let lengths = others.lengths(0, |place| taken[place]);
            if let Some(truth) = others.truth(LeafKind::C, &lengths, &BySuit([0; 4])) {
                others.of_c.push((taken, truth));
            }
        }
        for taken in all_taken(&sizes, places[1]) {
            meter.spend(COST_OF_ANSWER)?;
            let lengths = others.lengths(1, |place| taken[place]);
            if let Some(truth) = others.truth(LeafKind::D, &BySuit([0; 4]), &lengths) {
                others.of_d.insert(taken, truth);
            }
        }
        Ok(others)
    }

    fn lengths(&self, who: usize, taken: impl Fn(usize) -> u8) -> BySuit<i32> {
        let mut lengths = BySuit([0; 4]);
        for (place, pile) in self.piles.iter().enumerate() {
            let suit = pile.suits[0];
            lengths[suit] = self.fixed[who][suit] + i32::from(taken(place));
        }
        lengths
    }

    /// Returns the numbers of the sharings of these cards.
    pub(crate) fn of(
        &mut self,
        left: Taken,
        meter: &CostMeter<'_>,
    ) -> Result<std::ops::Range<usize>, SetupError> {
        if let Some(range) = self.known.get(&left) {
            return Ok(range.clone());
        }
        let together = self.partition.of_kind(LeafKind::Others).len();
        meter.spend(COST_OF_FITTING * self.of_c.len() as f64)?;
        let mut found: BTreeMap<[u64; 3], Vec<(Taken, u64)>> = BTreeMap::new();
        let room = Room::of(&left);
        for &(taken, of_c) in self.of_c.iter().filter(|(taken, _)| room.holds(taken)) {
            meter.spend(cost_of_shape(together))?;
            let rest: Taken = std::array::from_fn(|place| left[place] - taken[place]);
            let Some(&of_d) = self.of_d.get(&rest) else {
                continue;
            };
            let mut of_both = 0;
            if together > 0 {
                let c = self.lengths(0, |place| taken[place]);
                let d = self.lengths(1, |place| rest[place]);
                match self.truth(LeafKind::Others, &c, &d) {
                    Some(truth) => of_both = truth,
                    None => continue,
                }
            }
            let ways = (0..self.piles.len())
                .map(|place| choose(usize::from(left[place]), usize::from(taken[place])))
                .product::<u64>();
            let shapes = found.entry([of_c, of_d, of_both]).or_default();
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

    /// Returns the truth values of the leaves of a kind; `None` if a required one fails.
    fn truth(&self, kind: LeafKind, c: &BySuit<i32>, d: &BySuit<i32>) -> Option<u64> {
        let required = self.partition.required[kind as usize];
        let leaves: &[Clause] = self.partition.of_kind(kind);
        let mut truth = 0;
        for (index, leaf) in leaves.iter().enumerate() {
            let holds = truth_of_lengths(leaf, c, d);
            if !holds && required == Some(index) {
                return None;
            }
            truth |= u64::from(holds) << index;
        }
        Some(truth)
    }
}
