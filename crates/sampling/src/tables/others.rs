//! The third and the fourth hand: how the cards that A and B leave can be shared by lengths.

use std::collections::{BTreeMap, HashMap};

use cards::BySuit;

use crate::binomial::choose;
use crate::setup::budget::{GaveUp, Meter};
use crate::setup::draft::Draft;
use crate::setup::layout::Clause;
use crate::setup::tree::{Kind, Partition};
use crate::tables::pile::Pile;
use crate::tables::shape::{Room, Taken, all_taken, truth_of_lengths};
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

/// Nanoseconds for one shape of C, with so many leaves about C and D together.
fn cost_of_shape(leaves: usize) -> f64 {
    20.0 + 40.0 * leaves as f64
}

/// Nanoseconds to see that a shape does not fit.
const COST_OF_FITTING: f64 = 1.0;

/// Nanoseconds to find out what the leaves about one hand say about one shape of it.
const COST_OF_ANSWER: f64 = 60.0;

/// Finds and remembers the sharings of what is left.
pub(crate) struct Others<'a> {
    partition: &'a Partition,
    piles: &'a [Pile],
    /// Fixed cards of C and D.
    fixed: [BySuit<i32>; 2],
    /// What C may take, in order, with the truth of the leaves about C.
    of_c: Vec<(Taken, u64)>,
    /// The truth of the leaves about D by what D takes.
    of_d: HashMap<Taken, u64, Quick>,
    known: HashMap<Taken, std::ops::Range<usize>, Quick>,
    pub(crate) list: Vec<Sharing>,
}

impl<'a> Others<'a> {
    /// For a draft, if anybody asks about these hands.
    pub(crate) fn find(draft: &'a Draft, meter: &Meter<'_>) -> Result<Option<Others<'a>>, GaveUp> {
        if draft.partition.leaves_of_others() == 0 {
            return Ok(None);
        }
        let hand = |role: usize| draft.layout.fixed[draft.layout.seats[role][0]];
        let lengths = |role| BySuit::from_fn(|suit| hand(role).holding(suit).len() as i32);
        let places = [2, 3].map(|role| 13 - hand(role).len());
        let fixed = [2, 3].map(lengths);
        Others::new(&draft.partition, &draft.piles, places, fixed, meter).map(Some)
    }

    /// `fixed` are the fixed cards of C and D, `places` their free places.
    fn new(
        partition: &'a Partition,
        piles: &'a [Pile],
        places: [usize; 2],
        fixed: [BySuit<i32>; 2],
        meter: &Meter<'_>,
    ) -> Result<Others<'a>, GaveUp> {
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
            if let Some(truth) = others.truth(Kind::C, &lengths, &BySuit([0; 4])) {
                others.of_c.push((taken, truth));
            }
        }
        for taken in all_taken(&sizes, places[1]) {
            meter.spend(COST_OF_ANSWER)?;
            let lengths = others.lengths(1, |place| taken[place]);
            if let Some(truth) = others.truth(Kind::D, &BySuit([0; 4]), &lengths) {
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

    /// The numbers of the sharings of these cards.
    pub(crate) fn of(
        &mut self,
        left: Taken,
        meter: &Meter<'_>,
    ) -> Result<std::ops::Range<usize>, GaveUp> {
        if let Some(range) = self.known.get(&left) {
            return Ok(range.clone());
        }
        let together = self.partition.of_kind(Kind::Others).len();
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
                match self.truth(Kind::Others, &c, &d) {
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

    /// The truth of the leaves of a kind, or none if one that must hold does not.
    fn truth(&self, kind: Kind, c: &BySuit<i32>, d: &BySuit<i32>) -> Option<u64> {
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
