//! The totals of features that satisfy the conditions: for each total of the tracked hand A, the set of totals of B.

use std::collections::HashMap;

use cards::Suit;

use crate::setup::budget::{CostMeter, SetupError};
use crate::setup::layout::{Role, Source};
use crate::setup::needs::Needs;
use crate::setup::tree::{ConditionTree, LeafKind, Partition};
use crate::tables::bits::Bits;
use crate::tables::half::NONE;
use crate::tables::shape::Shapes;
use crate::tables::values::{FastHash, Values};

/// The truth of all leaves about lengths, and the lengths that joint atoms use. Whether totals are accepted depends
/// only on it and on each hand's own leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Context {
    /// Truth of the leaves about the lengths of A and B together.
    pub(crate) lengths: u64,
    /// Truth of the leaves about C, about D and about both.
    pub(crate) others: [u64; 3],
    /// Lengths that joint atoms need in addition to features.
    pub(crate) joint: Vec<i32>,
}

/// For each total of A, the number of the set of totals of B that satisfy the conditions with it.
pub(crate) type Matrix = Box<[u32]>;

/// The set without elements.
pub(crate) const EMPTY_SET: u32 = 0;

/// Computes acceptance matrices, each once.
pub(crate) struct Acceptance<'a> {
    partition: &'a Partition,
    shapes: [&'a Shapes; 2],
    totals: [&'a Values; 2],
    sets: HashMap<Bits, u32, FastHash>,
    set_list: Vec<Bits>,
    matrices: HashMap<Matrix, u32, FastHash>,
    pub(crate) matrix_list: Vec<Matrix>,
    contexts: HashMap<Context, u32, FastHash>,
    context_list: Vec<Context>,
    /// The context used last.
    last: u32,
    /// Number of the matrix by context and by the answers of A and of B, in one list.
    known: Vec<u32>,
    joint: HashMap<(usize, Vec<i32>), Vec<Bits>>,
    /// Whether a matrix accepts any totals.
    useful: Vec<bool>,
    /// Lengths that joint atoms need, as (role, suit).
    pub(crate) joint_lengths: Vec<(Role, Suit)>,
}

impl<'a> Acceptance<'a> {
    pub(crate) fn new(
        partition: &'a Partition,
        shapes: [&'a Shapes; 2],
        totals: [&'a Values; 2],
    ) -> Acceptance<'a> {
        let empty = Bits::filled(totals[1].len(), false);
        let mut joint_lengths = Vec::new();
        for question in &partition.joint {
            if question.needs.meets(Needs::LENGTHS_AB) {
                for source in question.values.iter().flat_map(|value| &value.sources) {
                    if let Source::Length(role, suit) = *source
                        && !joint_lengths.contains(&(role, suit))
                    {
                        joint_lengths.push((role, suit));
                    }
                }
            }
        }
        Acceptance {
            partition,
            shapes,
            totals,
            sets: [(empty.clone(), EMPTY_SET)].into_iter().collect(),
            set_list: vec![empty],
            matrices: HashMap::default(),
            matrix_list: Vec::new(),
            contexts: HashMap::default(),
            context_list: Vec::new(),
            last: 0,
            known: Vec::new(),
            joint: HashMap::new(),
            useful: Vec::new(),
            joint_lengths,
        }
    }

    /// Returns whether a matrix accepts any totals.
    pub(crate) fn accepts_something(&self, matrix: u32) -> bool {
        self.useful[matrix as usize]
    }

    /// Returns the number of the context of these lengths, a new number if the context is new.
    pub(crate) fn context(
        &mut self,
        context: &Context,
        meter: &CostMeter<'_>,
    ) -> Result<u32, SetupError> {
        // Consecutive pairs of shapes mostly have the same context.
        if self.context_list.get(self.last as usize) == Some(context) {
            return Ok(self.last);
        }
        let number = match self.contexts.get(context) {
            Some(&number) => number,
            None => {
                let pairs = self.shapes[0].answers.len() * self.shapes[1].answers.len();
                meter.spend(100.0 + pairs as f64)?;
                let next = self.context_list.len() as u32;
                self.contexts.insert(context.clone(), next);
                self.context_list.push(context.clone());
                self.known.resize(self.known.len() + pairs, NONE);
                meter.has_room(4.0 * self.known.len() as f64)?;
                next
            }
        };
        self.last = number;
        Ok(number)
    }

    /// Returns the number of the matrix for these answers of A and B in this context.
    pub(crate) fn matrix(
        &mut self,
        context: u32,
        a: u32,
        b: u32,
        meter: &CostMeter<'_>,
    ) -> Result<u32, SetupError> {
        let [all_a, all_b] = self.shapes.map(|shapes| shapes.answers.len());
        let place = (context as usize * all_a + a as usize) * all_b + b as usize;
        if self.known[place] == NONE {
            self.known[place] = self.compute(context, a, b, meter)?;
        }
        Ok(self.known[place])
    }

    fn compute(
        &mut self,
        context: u32,
        a: u32,
        b: u32,
        meter: &CostMeter<'_>,
    ) -> Result<u32, SetupError> {
        let context = self.context_list[context as usize].clone();
        for index in 0..self.partition.joint.len() {
            self.answer_joint(index, &context, meter)?;
        }
        let [x, y] = self.totals.map(Values::len);
        let each = self.partition.tree.size() as f64 * (25.0 + y as f64 / 64.0);
        // Without joint atoms a total of A matters only through the answers of A's own leaves.
        let rank_classes = self.partition.joint.is_empty();
        let shapes = self.shapes[0];
        let answers = &shapes.answers[a as usize];
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut matrix = Vec::with_capacity(x);
        meter.spend(x as f64 * 10.0)?;
        for total in 0..x {
            let leaves = answers.iter().enumerate();
            let key = leaves.fold(0, |key, (leaf, bits)| {
                key | u64::from(bits.get(total)) << leaf
            });
            let number = match known.get(&key) {
                Some(&number) if rank_classes => number,
                _ => {
                    meter.spend(each)?;
                    let set = self.truth(&self.partition.tree, total, &context, a, b);
                    let number = self.set_number(set);
                    known.insert(key, number);
                    number
                }
            };
            matrix.push(number);
        }
        let next = self.matrix_list.len() as u32;
        let (list, useful) = (&mut self.matrix_list, &mut self.useful);
        let matrix = matrix.into_boxed_slice();
        Ok(*self.matrices.entry(matrix).or_insert_with_key(|matrix| {
            useful.push(matrix.iter().any(|&set| set != EMPTY_SET));
            list.push(matrix.clone());
            next
        }))
    }

    fn set_number(&mut self, set: Bits) -> u32 {
        let next = self.set_list.len() as u32;
        let list = &mut self.set_list;
        *self.sets.entry(set).or_insert_with_key(|set| {
            list.push(set.clone());
            next
        })
    }

    fn joint_key(&self, index: usize, context: &Context) -> (usize, Vec<i32>) {
        let needs_lengths = self.partition.joint[index].needs.meets(Needs::LENGTHS_AB);
        let lengths = if needs_lengths {
            context.joint.clone()
        } else {
            Vec::new()
        };
        (index, lengths)
    }

    fn answer_joint(
        &mut self,
        index: usize,
        context: &Context,
        meter: &CostMeter<'_>,
    ) -> Result<(), SetupError> {
        let key = self.joint_key(index, context);
        if self.joint.contains_key(&key) {
            return Ok(());
        }
        let question = &self.partition.joint[index];
        let places = &self.joint_lengths;
        let length = |role, suit| {
            let place = places.iter().position(|&other| other == (role, suit));
            place.map_or(0, |place| context.joint[place])
        };
        let [x, y] = self.totals;
        meter.spend(question.cost() * (x.len() * y.len()) as f64)?;
        let answer = x
            .list()
            .iter()
            .map(|of_a| {
                Bits::from_fn(y.len(), |total| {
                    question.evaluate(|source| match source {
                        Source::Length(role, suit) => length(role, suit),
                        Source::Feature(Role::A, feature) => of_a[feature],
                        Source::Feature(_, feature) => y.list()[total][feature],
                    })
                })
            })
            .collect();
        self.joint.insert(key, answer);
        Ok(())
    }

    /// Returns the totals of B that are accepted with total number `x` of A.
    fn truth(&self, tree: &ConditionTree, x: usize, context: &Context, a: u32, b: u32) -> Bits {
        let size = self.totals[1].len();
        let flag = |word: u64, index: usize| Bits::filled(size, word >> index & 1 == 1);
        match tree {
            ConditionTree::Constant(truth) => Bits::filled(size, *truth),
            ConditionTree::Leaf(LeafKind::A, index) => {
                Bits::filled(size, self.shapes[0].answers[a as usize][*index].get(x))
            }
            ConditionTree::Leaf(LeafKind::B, index) => {
                self.shapes[1].answers[b as usize][*index].clone()
            }
            ConditionTree::Leaf(LeafKind::Lengths, index) => flag(context.lengths, *index),
            ConditionTree::Leaf(LeafKind::C, index) => flag(context.others[0], *index),
            ConditionTree::Leaf(LeafKind::D, index) => flag(context.others[1], *index),
            ConditionTree::Leaf(LeafKind::Others, index) => flag(context.others[2], *index),
            ConditionTree::Joint { question, negated } => {
                let mut bits = self.joint[&self.joint_key(*question, context)][x].clone();
                if *negated {
                    bits.invert();
                }
                bits
            }
            ConditionTree::All(parts) => {
                let mut bits = Bits::filled(size, true);
                for part in parts {
                    if bits.any() {
                        bits.and(&self.truth(part, x, context, a, b));
                    }
                }
                bits
            }
            ConditionTree::Any(parts) => {
                let mut bits = Bits::filled(size, false);
                for part in parts {
                    bits.or(&self.truth(part, x, context, a, b));
                }
                bits
            }
        }
    }

    /// Returns the sets found so far.
    pub(crate) fn sets(&self) -> &[Bits] {
        &self.set_list
    }
}

/// For each set of totals and each value in half 1, the values in half 2 that complete it, as runs of consecutive
/// numbers.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<(u32, u32)>,
    index: Vec<(u32, u32)>,
    width: usize,
}

impl Runs {
    pub(crate) fn new(width: usize) -> Runs {
        Runs {
            width,
            ..Runs::default()
        }
    }

    /// Adds the runs of sets that are new. `total` returns the number of the total of two halves.
    pub(crate) fn extend(
        &mut self,
        sets: &[Bits],
        second: usize,
        meter: &CostMeter<'_>,
        total: impl Fn(usize, usize) -> u32,
    ) -> Result<(), SetupError> {
        let done = self.index.len() / self.width;
        for set in &sets[done..] {
            meter.spend(3.0 * (self.width * second) as f64)?;
            for first in 0..self.width {
                let start = self.runs.len() as u32;
                let mut open = None;
                for other in 0..=second {
                    let inside = other < second && set.get(total(first, other) as usize);
                    match (inside, open) {
                        (true, None) => open = Some(other),
                        (false, Some(from)) => {
                            self.runs.push((from as u32, other as u32));
                            open = None;
                        }
                        _ => (),
                    }
                }
                self.index.push((start, self.runs.len() as u32));
            }
        }
        Ok(())
    }

    /// Returns for each set whether some value of half 2 completes the first value of half 1 to it.
    pub(crate) fn useful(&self) -> Vec<bool> {
        let firsts = self.index.iter().step_by(self.width.max(1));
        firsts.map(|&(start, end)| start < end).collect()
    }

    #[inline]
    pub(crate) fn get(&self, set: u32, first: usize) -> &[(u32, u32)] {
        let (start, end) = self.index[set as usize * self.width + first];
        &self.runs[start as usize..end as usize]
    }
}
