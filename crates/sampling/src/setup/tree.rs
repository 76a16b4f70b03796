//! Sorts a condition by whose cards it is about.

use std::sync::Arc;

use crate::setup::layout::{Clause, Question};
use crate::setup::needs::Needs;

/// What the largest parts of a condition that need only one kind of knowledge are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Hand A alone.
    A,
    /// Hand B alone.
    B,
    /// The lengths of C.
    C,
    /// The lengths of D.
    D,
    /// The lengths of A and B together.
    Lengths,
    /// The lengths of C and D together.
    Others,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] = [
        Kind::A,
        Kind::B,
        Kind::C,
        Kind::D,
        Kind::Lengths,
        Kind::Others,
    ];

    fn of(needs: Needs) -> Option<Kind> {
        let kinds = [
            (Needs::A, Kind::A),
            (Needs::B, Kind::B),
            (Needs::LENGTH_C, Kind::C),
            (Needs::LENGTH_D, Kind::D),
            (Needs::LENGTHS_AB, Kind::Lengths),
            (Needs::OTHERS, Kind::Others),
        ];
        let fits = kinds.into_iter().find(|(whole, _)| needs.is_within(*whole));
        fits.map(|(_, kind)| kind)
    }
}

/// A condition whose leaves are the parts about one kind of knowledge.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Constant(bool),
    Leaf(Kind, usize),
    /// A question about features of both A and B.
    Joint {
        question: usize,
        negated: bool,
    },
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

impl Tree {
    /// Number of nodes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Tree::Constant(_) | Tree::Leaf(..) | Tree::Joint { .. } => 1,
            Tree::All(parts) | Tree::Any(parts) => 1 + parts.iter().map(Tree::size).sum::<usize>(),
        }
    }
}

/// The condition as a tree, and the parts that its leaves stand for.
#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) tree: Tree,
    /// Leaves by kind.
    pub(crate) leaves: [Vec<Clause>; 6],
    /// Questions about features of both hands.
    pub(crate) joint: Vec<Arc<Question>>,
    /// For each kind, the leaf that must hold whatever else is true.
    pub(crate) required: [Option<usize>; 6],
}

impl Partition {
    pub(crate) fn new(conditions: Vec<Clause>) -> Partition {
        let mut partition = Partition {
            tree: Tree::Constant(true),
            leaves: Default::default(),
            joint: Vec::new(),
            required: [None; 6],
        };
        let consequences: Vec<Clause> = conditions.iter().flat_map(consequences).collect();
        let all = conditions.into_iter().chain(consequences).collect();
        partition.tree = partition.grow(simplify(Clause::All(all)));
        let top = match &partition.tree {
            Tree::All(parts) => parts.as_slice(),
            leaf => std::slice::from_ref(leaf),
        };
        for part in top {
            if let Tree::Leaf(kind, index) = part {
                partition.required[*kind as usize] = Some(*index);
            }
        }
        partition
    }

    pub(crate) fn of_kind(&self, kind: Kind) -> &[Clause] {
        &self.leaves[kind as usize]
    }

    /// How many leaves there are about the hands that are not tracked.
    pub(crate) fn leaves_of_others(&self) -> usize {
        let kinds = [Kind::C, Kind::D, Kind::Others];
        kinds.iter().map(|&kind| self.of_kind(kind).len()).sum()
    }

    fn leaf(&mut self, kind: Kind, clause: Clause) -> Tree {
        let leaves = &mut self.leaves[kind as usize];
        leaves.push(clause);
        Tree::Leaf(kind, leaves.len() - 1)
    }

    fn grow(&mut self, clause: Clause) -> Tree {
        if let Clause::Constant(truth) = clause {
            return Tree::Constant(truth);
        }
        if let Some(kind) = Kind::of(clause.needs()) {
            return self.leaf(kind, clause);
        }
        match clause {
            Clause::Constant(truth) => Tree::Constant(truth),
            Clause::Question { question, negated } => {
                self.joint.push(question);
                Tree::Joint {
                    question: self.joint.len() - 1,
                    negated,
                }
            }
            Clause::All(parts) => Tree::All(self.branch(parts, Clause::All)),
            Clause::Any(parts) => Tree::Any(self.branch(parts, Clause::Any)),
        }
    }

    /// Parts of the same kind become one leaf; the others grow branches of their own.
    fn branch(&mut self, parts: Vec<Clause>, join: fn(Vec<Clause>) -> Clause) -> Vec<Tree> {
        let mut grouped: [Vec<Clause>; 6] = Default::default();
        let mut branches = Vec::new();
        for part in parts {
            match Kind::of(part.needs()) {
                Some(kind) => grouped[kind as usize].push(part),
                None => branches.push(self.grow(part)),
            }
        }
        for (kind, group) in Kind::ALL.into_iter().zip(grouped) {
            if !group.is_empty() {
                branches.push(self.leaf(kind, join(group)));
            }
        }
        branches
    }
}

/// What a condition about several hands implies for each hand alone. It adds nothing to the truth, but
/// shapes that can never be accepted are dropped before anything is multiplied.
fn consequences(condition: &Clause) -> Vec<Clause> {
    if Kind::of(condition.needs()).is_some() {
        return Vec::new();
    }
    [Needs::A, Needs::B, Needs::LENGTH_C, Needs::LENGTH_D]
        .into_iter()
        .map(|known| simplify(weaken(condition, known)))
        .filter(|clause| !matches!(clause, Clause::Constant(true)))
        .collect()
}

/// The condition with every question beyond what is `known` taken as answered in its favour.
fn weaken(clause: &Clause, known: Needs) -> Clause {
    let all = |parts: &[Clause]| parts.iter().map(|part| weaken(part, known)).collect();
    match clause {
        Clause::Question { question, .. } if !question.needs.is_within(known) => {
            Clause::Constant(true)
        }
        Clause::All(parts) => Clause::All(all(parts)),
        Clause::Any(parts) => Clause::Any(all(parts)),
        other => other.clone(),
    }
}

/// Removes constants and nested lists of the same kind.
fn simplify(clause: Clause) -> Clause {
    let (parts, is_all) = match clause {
        Clause::All(parts) => (parts, true),
        Clause::Any(parts) => (parts, false),
        other => return other,
    };
    let mut kept = Vec::new();
    for part in parts.into_iter().map(simplify) {
        match part {
            Clause::Constant(truth) if truth == is_all => (),
            Clause::Constant(truth) => return Clause::Constant(truth),
            Clause::All(inner) if is_all => kept.extend(inner),
            Clause::Any(inner) if !is_all => kept.extend(inner),
            other => kept.push(other),
        }
    }
    match kept.len() {
        0 => Clause::Constant(is_all),
        1 => kept.remove(0),
        _ if is_all => Clause::All(kept),
        _ => Clause::Any(kept),
    }
}
