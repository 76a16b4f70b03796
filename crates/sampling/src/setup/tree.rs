//! Sorts the parts of a condition by the hands they depend on.

use std::sync::Arc;

use crate::setup::layout::{Clause, ResolvedAtom};
use crate::setup::needs::Needs;

/// The inputs that a leaf depends on. A leaf is a largest part of a condition with one kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeafKind {
    /// The cards of hand A.
    A,
    /// The cards of hand B.
    B,
    /// The suit lengths of hand C.
    C,
    /// The suit lengths of hand D.
    D,
    /// The lengths of A and B together.
    Lengths,
    /// The lengths of C and D together.
    Others,
}

impl LeafKind {
    pub(crate) const ALL: [LeafKind; 6] = [
        LeafKind::A,
        LeafKind::B,
        LeafKind::C,
        LeafKind::D,
        LeafKind::Lengths,
        LeafKind::Others,
    ];

    fn of(needs: Needs) -> Option<LeafKind> {
        let kinds = [
            (Needs::A, LeafKind::A),
            (Needs::B, LeafKind::B),
            (Needs::LENGTH_C, LeafKind::C),
            (Needs::LENGTH_D, LeafKind::D),
            (Needs::LENGTHS_AB, LeafKind::Lengths),
            (Needs::OTHERS, LeafKind::Others),
        ];
        let fits = kinds.into_iter().find(|(whole, _)| needs.is_within(*whole));
        fits.map(|(_, kind)| kind)
    }
}

/// A condition whose leaves each depend on one kind of input.
#[derive(Clone, Debug)]
pub(crate) enum ConditionTree {
    Constant(bool),
    Leaf(LeafKind, usize),
    /// An atom about features of both A and B.
    Joint {
        question: usize,
        negated: bool,
    },
    All(Vec<ConditionTree>),
    Any(Vec<ConditionTree>),
}

impl ConditionTree {
    /// Returns the number of nodes.
    pub(crate) fn size(&self) -> usize {
        match self {
            ConditionTree::Constant(_) | ConditionTree::Leaf(..) | ConditionTree::Joint { .. } => 1,
            ConditionTree::All(parts) | ConditionTree::Any(parts) => {
                1 + parts.iter().map(ConditionTree::size).sum::<usize>()
            }
        }
    }
}

/// The condition as a tree, and the parts at its leaves.
#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) tree: ConditionTree,
    /// Leaves by kind.
    pub(crate) leaves: [Vec<Clause>; 6],
    /// Atoms about features of both hands.
    pub(crate) joint: Vec<Arc<ResolvedAtom>>,
    /// For each kind, the leaf that every accepted deal satisfies.
    pub(crate) required: [Option<usize>; 6],
}

impl Partition {
    pub(crate) fn new(conditions: Vec<Clause>) -> Partition {
        let mut partition = Partition {
            tree: ConditionTree::Constant(true),
            leaves: Default::default(),
            joint: Vec::new(),
            required: [None; 6],
        };
        let consequences: Vec<Clause> = conditions.iter().flat_map(consequences).collect();
        let all = conditions.into_iter().chain(consequences).collect();
        partition.tree = partition.build_tree(simplify(Clause::All(all)));
        let top = match &partition.tree {
            ConditionTree::All(parts) => parts.as_slice(),
            leaf => std::slice::from_ref(leaf),
        };
        for part in top {
            if let ConditionTree::Leaf(kind, index) = part {
                partition.required[*kind as usize] = Some(*index);
            }
        }
        partition
    }

    pub(crate) fn of_kind(&self, kind: LeafKind) -> &[Clause] {
        &self.leaves[kind as usize]
    }

    /// Returns the number of leaves about the hands that are not tracked.
    pub(crate) fn leaves_of_others(&self) -> usize {
        let kinds = [LeafKind::C, LeafKind::D, LeafKind::Others];
        kinds.iter().map(|&kind| self.of_kind(kind).len()).sum()
    }

    fn leaf(&mut self, kind: LeafKind, clause: Clause) -> ConditionTree {
        let leaves = &mut self.leaves[kind as usize];
        leaves.push(clause);
        ConditionTree::Leaf(kind, leaves.len() - 1)
    }

    fn build_tree(&mut self, clause: Clause) -> ConditionTree {
        if let Clause::Constant(truth) = clause {
            return ConditionTree::Constant(truth);
        }
        if let Some(kind) = LeafKind::of(clause.needs()) {
            return self.leaf(kind, clause);
        }
        match clause {
            Clause::Constant(truth) => ConditionTree::Constant(truth),
            Clause::ResolvedAtom { question, negated } => {
                self.joint.push(question);
                ConditionTree::Joint {
                    question: self.joint.len() - 1,
                    negated,
                }
            }
            Clause::All(parts) => ConditionTree::All(self.branch(parts, Clause::All)),
            Clause::Any(parts) => ConditionTree::Any(self.branch(parts, Clause::Any)),
        }
    }

    /// Merges parts of the same kind into one leaf; other parts become branches.
    fn branch(
        &mut self,
        parts: Vec<Clause>,
        join: fn(Vec<Clause>) -> Clause,
    ) -> Vec<ConditionTree> {
        let mut grouped: [Vec<Clause>; 6] = Default::default();
        let mut branches = Vec::new();
        for part in parts {
            match LeafKind::of(part.needs()) {
                Some(kind) => grouped[kind as usize].push(part),
                None => branches.push(self.build_tree(part)),
            }
        }
        for (kind, group) in LeafKind::ALL.into_iter().zip(grouped) {
            if !group.is_empty() {
                branches.push(self.leaf(kind, join(group)));
            }
        }
        branches
    }
}

/// Derives from a condition about several hands what it implies for each hand alone. This does not change the truth,
/// but shapes that can never be accepted are dropped early.
fn consequences(condition: &Clause) -> Vec<Clause> {
    if LeafKind::of(condition.needs()).is_some() {
        return Vec::new();
    }
    [Needs::A, Needs::B, Needs::LENGTH_C, Needs::LENGTH_D]
        .into_iter()
        .map(|known| simplify(weaken(condition, known)))
        .filter(|clause| !matches!(clause, Clause::Constant(true)))
        .collect()
}

/// Weakens the condition: every atom that depends on more than `known` counts as satisfied.
fn weaken(clause: &Clause, known: Needs) -> Clause {
    let all = |parts: &[Clause]| parts.iter().map(|part| weaken(part, known)).collect();
    match clause {
        Clause::ResolvedAtom { question, .. } if !question.needs.is_within(known) => {
            Clause::Constant(true)
        }
        Clause::All(parts) => Clause::All(all(parts)),
        Clause::Any(parts) => Clause::Any(all(parts)),
        other => other.clone(),
    }
}

/// Removes constants, and flattens nested lists of the same kind.
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
