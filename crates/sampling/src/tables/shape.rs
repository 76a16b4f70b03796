//! The shapes of a tracked hand, and for each the totals that its own conditions accept.

use std::collections::HashMap;
use std::sync::Arc;

use cards::BySuit;

use crate::setup::budget::{CostMeter, SetupError};
use crate::setup::layout::{Clause, ResolvedAtom, Role, Source};
use crate::setup::needs::Needs;
use crate::tables::bits::Bits;
use crate::tables::pile::Pile;
use crate::tables::values::Values;

/// Number of cards that a hand takes from each pile.
pub(crate) type Taken = [u8; 4];

/// The shapes of one hand that its own conditions allow.
#[derive(Debug)]
pub(crate) struct Shapes {
    pub(crate) list: Vec<ShapeOf>,
    /// The different answers, by number: one set of totals for each leaf about this hand.
    pub(crate) answers: Vec<Vec<Bits>>,
    /// Totals that some shape accepts.
    pub(crate) useful: Bits,
}

/// A shape and the number of its answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeOf {
    pub(crate) taken: Taken,
    pub(crate) answer: u32,
}

/// The cards left of each pile after one hand has taken its cards: one byte for each pile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room(u32);

impl Room {
    /// The top bit of each byte, which no number of cards reaches.
    const TOPS: u32 = 0x8080_8080;

    pub(crate) fn after(piles: &[Pile], taken: &Taken) -> Room {
        let mut left = [0; 4];
        for (left, (pile, taken)) in left.iter_mut().zip(piles.iter().zip(taken)) {
            *left = pile.size as u8 - taken;
        }
        Room::of(&left)
    }

    pub(crate) fn of(left: &Taken) -> Room {
        Room(u32::from_le_bytes(*left) | Self::TOPS)
    }

    /// Returns whether the other hand can take these cards. The top bit of each byte absorbs the borrow, so that bytes
    /// are subtracted separately.
    #[inline]
    pub(crate) fn holds(self, taken: &Taken) -> bool {
        (self.0 - u32::from_le_bytes(*taken)) & Self::TOPS == Self::TOPS
    }
}

/// Returns the length of each suit for a hand that takes `taken` from the piles; -1 if the pile has two suits.
pub(crate) fn lengths(piles: &[Pile], role: usize, taken: &Taken) -> BySuit<i32> {
    let mut lengths = BySuit([-1; 4]);
    for (pile, &cards) in piles.iter().zip(taken) {
        if let [suit] = pile.suits[..] {
            let fixed = pile.fixed[role].count_ones();
            lengths[suit] = i32::from(cards) + fixed as i32;
        }
    }
    lengths
}

/// Returns all ways to take `places` cards from piles with these sizes.
pub(crate) fn all_taken(sizes: &[usize], places: usize) -> Vec<Taken> {
    fn extend(sizes: &[usize], left: usize, at: usize, taken: &mut Taken, list: &mut Vec<Taken>) {
        if at == sizes.len() {
            if left == 0 {
                list.push(*taken);
            }
            return;
        }
        let room: usize = sizes[at + 1..].iter().sum();
        for cards in left.saturating_sub(room)..=left.min(sizes[at]) {
            taken[at] = cards as u8;
            extend(sizes, left - cards, at + 1, taken, list);
        }
        taken[at] = 0;
    }
    let mut list = Vec::new();
    extend(sizes, places, 0, &mut [0; 4], &mut list);
    list
}

/// A tracked hand: its piles, its role (0 = A, 1 = B), its free places, its possible totals.
#[derive(Clone, Copy)]
pub(crate) struct Hand<'a> {
    pub(crate) piles: &'a [Pile],
    pub(crate) role: usize,
    pub(crate) places: usize,
    pub(crate) totals: &'a Values,
}

/// Evaluates atoms about one hand for all its possible totals at once.
struct HandEvaluator<'a> {
    role: usize,
    totals: &'a Values,
    meter: &'a CostMeter<'a>,
    /// Truth of the atoms that do not depend on lengths.
    known: HashMap<*const ResolvedAtom, Bits>,
}

impl HandEvaluator<'_> {
    fn evaluate(&self, question: &ResolvedAtom, lengths: &BySuit<i32>) -> Result<Bits, SetupError> {
        self.meter
            .spend(question.cost() * self.totals.len() as f64)?;
        Ok(Bits::from_fn(self.totals.len(), |total| {
            question.evaluate(|source| match source {
                Source::Length(_, suit) => lengths[suit],
                Source::Feature(_, feature) => self.totals.list()[total][feature],
            })
        }))
    }

    fn truth(&mut self, clause: &Clause, lengths: &BySuit<i32>) -> Result<Bits, SetupError> {
        let size = self.totals.len();
        self.meter.spend(8.0 + size as f64 / 64.0)?;
        Ok(match clause {
            Clause::Constant(truth) => Bits::filled(size, *truth),
            Clause::ResolvedAtom { question, negated } => {
                let mut bits = self.answer(question, lengths)?;
                if *negated {
                    bits.invert();
                }
                bits
            }
            Clause::All(parts) => {
                let mut bits = Bits::filled(size, true);
                for part in parts {
                    if bits.any() {
                        bits.and(&self.truth(part, lengths)?);
                    }
                }
                bits
            }
            Clause::Any(parts) => {
                let mut bits = Bits::filled(size, false);
                for part in parts {
                    bits.or(&self.truth(part, lengths)?);
                }
                bits
            }
        })
    }

    fn answer(
        &mut self,
        question: &Arc<ResolvedAtom>,
        lengths: &BySuit<i32>,
    ) -> Result<Bits, SetupError> {
        let feature = [Needs::FEATURE_A, Needs::FEATURE_B][self.role];
        let length = [Needs::LENGTH_A, Needs::LENGTH_B][self.role];
        if !question.needs.meets(feature) {
            let truth = question.evaluate(|source| match source {
                Source::Length(_, suit) => lengths[suit],
                Source::Feature(..) => 0,
            });
            return Ok(Bits::filled(self.totals.len(), truth));
        }
        if question.needs.meets(length) {
            return self.evaluate(question, lengths);
        }
        if let Some(bits) = self.known.get(&Arc::as_ptr(question)) {
            return Ok(bits.clone());
        }
        let bits = self.evaluate(question, lengths)?;
        self.known.insert(Arc::as_ptr(question), bits.clone());
        Ok(bits)
    }
}

impl Shapes {
    /// Computes the shapes of a hand from the leaves about it; `required` is the leaf that must hold.
    pub(crate) fn new(
        hand: &Hand<'_>,
        leaves: &[Clause],
        required: Option<usize>,
        meter: &CostMeter<'_>,
    ) -> Result<Shapes, SetupError> {
        let &Hand {
            piles,
            role,
            places,
            totals,
        } = hand;
        let sizes: Vec<usize> = piles.iter().map(|pile| pile.size).collect();
        let mut oracle = HandEvaluator {
            role,
            totals,
            meter,
            known: HashMap::new(),
        };
        let mut numbers: HashMap<Vec<Bits>, u32> = HashMap::new();
        let mut shapes = Shapes {
            list: Vec::new(),
            answers: Vec::new(),
            useful: Bits::filled(totals.len(), required.is_none()),
        };
        for taken in all_taken(&sizes, places) {
            let lengths = lengths(piles, role, &taken);
            if let Some(required) = required {
                // Most shapes fail the required leaf. Their other leaves are not evaluated.
                let bits = oracle.truth(&leaves[required], &lengths)?;
                if !bits.any() {
                    continue;
                }
                shapes.useful.or(&bits);
            }
            let answer: Vec<Bits> = leaves
                .iter()
                .map(|leaf| oracle.truth(leaf, &lengths))
                .collect::<Result<_, _>>()?;
            let next = shapes.answers.len() as u32;
            let number = *numbers.entry(answer).or_insert_with_key(|answer| {
                shapes.answers.push(answer.clone());
                next
            });
            shapes.list.push(ShapeOf {
                taken,
                answer: number,
            });
        }
        Ok(shapes)
    }
}

/// Evaluates an atom about lengths of A and B.
pub(crate) fn evaluate_lengths(question: &ResolvedAtom, a: &BySuit<i32>, b: &BySuit<i32>) -> bool {
    question.evaluate(|source| match source {
        Source::Length(Role::A | Role::C, suit) => a[suit],
        Source::Length(_, suit) => b[suit],
        Source::Feature(..) => 0,
    })
}

/// Evaluates a clause about the lengths of two hands: A and B, or C and D.
pub(crate) fn truth_of_lengths(clause: &Clause, a: &BySuit<i32>, b: &BySuit<i32>) -> bool {
    match clause {
        Clause::Constant(truth) => *truth,
        Clause::ResolvedAtom { question, negated } => evaluate_lengths(question, a, b) != *negated,
        Clause::All(parts) => parts.iter().all(|part| truth_of_lengths(part, a, b)),
        Clause::Any(parts) => parts.iter().any(|part| truth_of_lengths(part, a, b)),
    }
}
