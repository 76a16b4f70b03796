//! Building plans.

use std::collections::HashMap;

use super::{
    Action, Counter, Mode, Node, NodeFacts, NodeId, Plan, PlanContents, RankValues, ScriptSettings,
    ShapeId, Span, Variable,
};
use crate::source::SourceMap;
use cards::{BySeat, BySuit, Card, CardSet, Seat, ShapeSet};

/// Builds a plan. Every node gets its facts when it is added, and equal nodes are stored once.
///
/// ```
/// use croupier_script::plan::{Action, Builder, Counter, Mode, Node};
///
/// let mut builder = Builder::new(Mode::Native);
/// let points = builder.add(
///     Node::Count { counter: Counter::Hcp, seat: cards::Seat::North, suit: None },
///     Default::default(),
/// );
/// builder.action(Action::Average { label: None, value: points });
/// let plan = builder.build();
/// assert_eq!(plan.facts_of(points).max, 37);
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    contents: PlanContents,
    numbers: HashMap<Node, NodeId>,
}

impl Builder {
    /// Creates a plan that accepts every deal and has no actions.
    #[must_use]
    pub fn new(mode: Mode) -> Builder {
        Builder {
            contents: PlanContents {
                mode,
                four_cs: match mode.is_v1() {
                    true => valuation::FourCsVersion::V1,
                    false => valuation::FourCsVersion::V2,
                },
                nodes: Vec::new(),
                facts: Vec::new(),
                condition: None,
                variables: Vec::new(),
                actions: Vec::new(),
                prints_deals: false,
                predeal: BySeat::default(),
                lengths: BySeat::default(),
                counters: crate::default_counters(),
                shapes: Vec::new(),
                settings: ScriptSettings::default(),
                predeal_order: Vec::new(),
                empty_predeal: false,
                echo: Vec::new(),
                sources: SourceMap::default(),
            },
            numbers: HashMap::new(),
        }
    }

    /// Continues with a finished plan.
    #[must_use]
    pub fn from_plan(plan: Plan) -> Builder {
        let numbered = plan.contents.nodes.iter().enumerate();
        Builder {
            numbers: numbered
                .map(|(number, node)| (node.clone(), NodeId(number as u32)))
                .collect(),
            contents: plan.contents,
        }
    }

    /// Returns the dialect of the plan.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.contents.mode
    }

    /// Sets the dialect of `cccc` and `quality`; the default is that of the mode.
    pub fn four_cs(&mut self, dialect: valuation::FourCsVersion) {
        self.contents.four_cs = dialect;
    }

    /// Returns node number `id`.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.contents.nodes[id.index()]
    }

    /// Returns the properties of node number `id`.
    #[must_use]
    pub fn facts_of(&self, id: NodeId) -> &NodeFacts {
        &self.contents.facts[id.index()]
    }

    /// Adds a node unsimplified, or returns the number of an equal one. Add its operands and shapes, and set the
    /// counters, before.
    ///
    /// # Panics
    /// If an operand or shape set is not in the plan yet.
    pub fn add(&mut self, node: Node, span: Span) -> NodeId {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let facts = self.contents.analyse(&node, span);
        let id = NodeId(self.contents.nodes.len() as u32);
        self.numbers.insert(node.clone(), id);
        self.contents.nodes.push(node);
        self.contents.facts.push(facts);
        id
    }

    /// Returns the value of a node that has only one value, cannot fail and is not random.
    pub(crate) fn constant_value(&self, node: &Node) -> Option<i32> {
        if self.numbers.contains_key(node) {
            return None;
        }
        let facts = self.contents.analyse(node, Span::default());
        (facts.min == facts.max && !facts.random && !facts.can_fail).then_some(facts.min)
    }

    /// Adds a shape set and returns its number for nodes.
    pub fn shape(&mut self, set: ShapeSet) -> ShapeId {
        self.contents.shapes.push(set);
        ShapeId(self.contents.shapes.len() as u32 - 1)
    }

    /// Sets the tables of the counters.
    pub fn counters(&mut self, counters: [RankValues; Counter::COUNT]) {
        self.contents.counters = counters;
    }

    /// Sets the condition.
    pub fn condition(&mut self, condition: Option<NodeId>) {
        self.contents.condition = condition;
    }

    /// Adds a condition: deals must satisfy the old one and this one.
    pub fn require(&mut self, further: NodeId) {
        let condition = match self.contents.condition {
            None => further,
            Some(first) => self.add(Node::And([first, further].into()), Span::default()),
        };
        self.contents.condition = Some(condition);
    }

    /// Adds an action.
    pub fn action(&mut self, action: Action) {
        self.contents.actions.push(action);
    }

    /// Adds a variable.
    pub fn variable(&mut self, variable: Variable) {
        self.contents.variables.push(variable);
    }

    /// Sets the settings, and whether the script prints deals (the default for `produce` is then 40).
    pub fn settings(&mut self, settings: ScriptSettings, prints_deals: bool) {
        self.contents.settings = settings;
        self.contents.prints_deals = prints_deals;
    }

    /// Fixes cards, in the order in which the script names them, and lengths.
    pub fn predeal(&mut self, cards: Vec<(Seat, Card)>, lengths: BySeat<BySuit<Option<u8>>>) {
        self.contents.predeal = BySeat([CardSet::EMPTY; 4]);
        for &(seat, card) in &cards {
            self.contents.predeal[seat].insert(card);
        }
        self.contents.predeal_order = cards;
        self.contents.lengths = lengths;
    }

    /// Sets whether DealerV2 ignores its predeal switches.
    pub(crate) fn empty_predeal(&mut self, empty: bool) {
        self.contents.empty_predeal = empty;
    }

    /// Sets the scanner's echo, and the texts that spans point into.
    pub(crate) fn texts(&mut self, echo: Vec<u8>, sources: SourceMap) {
        self.contents.echo = echo;
        self.contents.sources = sources;
    }

    /// Returns the finished plan.
    #[must_use]
    pub fn build(self) -> Plan {
        Plan {
            contents: self.contents,
        }
    }

    /// Removes nodes that nothing refers to.
    pub(crate) fn compact(&mut self) {
        let plan = &mut self.contents;
        let mut needed = vec![false; plan.nodes.len()];
        let mut mark = |id: NodeId| needed[id.index()] = true;
        plan.condition.into_iter().for_each(&mut mark);
        plan.variables.iter().for_each(|v| mark(v.value));
        for action in &plan.actions {
            action.for_each_value(&mut mark);
        }
        for number in (0..plan.nodes.len()).rev() {
            if needed[number] {
                plan.nodes[number].for_each_operand(|id| needed[id.index()] = true);
            }
        }
        let mut renumbered: Vec<NodeId> = Vec::with_capacity(needed.len());
        let mut next = 0;
        for &keep in &needed {
            renumbered.push(NodeId(next));
            next += u32::from(keep);
        }
        let rename = |id: &mut NodeId| *id = renumbered[id.index()];
        let mut keep = needed.iter();
        plan.facts.retain(|_| keep.next().is_some_and(|&k| k));
        let mut keep = needed.iter();
        plan.nodes.retain(|_| keep.next().is_some_and(|&k| k));
        for node in &mut plan.nodes {
            node.for_each_operand_mut(rename);
        }
        plan.condition.as_mut().into_iter().for_each(rename);
        for variable in &mut plan.variables {
            rename(&mut variable.value);
        }
        for action in &mut plan.actions {
            action.for_each_value_mut(rename);
        }
        let numbered = plan.nodes.iter().enumerate();
        self.numbers = numbered
            .map(|(number, node)| (node.clone(), NodeId(number as u32)))
            .collect();
    }
}
