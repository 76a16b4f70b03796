//! Counts the deals of a run in each of the classes that its script defines.

use std::ops::ControlFlow;

use cards::Deal;
use engine::{Options, ProducedDeal, Progress, Sink, mixture};
use script::plan::{NodeId, Plan};
use serde::{Deserialize, Serialize};

/// Number of deals whose classes are determined together.
const AT_ONCE: usize = 4096;

/// A class of the script (a variable `HandType_...`) and the produced deals whose first class it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandType {
    /// Name of the class, without the prefix.
    pub name: String,
    /// Deals of this class.
    pub produced: u64,
}

/// A sink adapter that counts the deals of every class.
pub struct HandTypes<'a> {
    sink: &'a mut dyn Sink,
    plan: &'a Plan,
    nodes: Vec<NodeId>,
    types: Vec<HandType>,
    waiting: Vec<Deal>,
}

impl<'a> HandTypes<'a> {
    /// Creates a sink that counts the classes `HandType_...`.
    pub fn new(sink: &'a mut dyn Sink, plan: &'a Plan) -> HandTypes<'a> {
        HandTypes::of(mixture::hand_types(plan), sink, plan)
    }

    /// Creates a sink that counts the classes `LevelType_...`.
    pub fn of_levels(sink: &'a mut dyn Sink, plan: &'a Plan) -> HandTypes<'a> {
        HandTypes::of(mixture::level_types(plan), sink, plan)
    }

    fn of(classes: Vec<(String, NodeId)>, sink: &'a mut dyn Sink, plan: &'a Plan) -> HandTypes<'a> {
        let (types, nodes) = classes
            .into_iter()
            .map(|(name, node)| (HandType { name, produced: 0 }, node))
            .unzip();
        HandTypes {
            sink,
            plan,
            nodes,
            types,
            waiting: Vec::new(),
        }
    }

    /// Returns the classes in the order of the script, with their deals.
    #[must_use]
    pub fn finish(mut self) -> Vec<HandType> {
        self.count();
        self.types
    }

    fn count(&mut self) {
        let options = Options::default();
        let classes = mixture::class_of_each(self.plan, &self.nodes, &self.waiting, &options);
        for class in classes.into_iter().flatten() {
            self.types[class].produced += 1;
        }
        self.waiting.clear();
    }
}

impl Sink for HandTypes<'_> {
    fn needs_deals(&self) -> bool {
        !self.nodes.is_empty() || self.sink.needs_deals()
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        if !self.nodes.is_empty() {
            self.waiting.push(deal.deal);
            if self.waiting.len() == AT_ONCE {
                self.count();
            }
        }
        match self.sink.needs_deals() {
            true => self.sink.on_deal(deal),
            false => ControlFlow::Continue(()),
        }
    }

    fn on_progress(&mut self, progress: Progress) {
        self.sink.on_progress(progress);
    }
}
