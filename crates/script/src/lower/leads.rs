//! `leadtricks` depends on the card led. An action with it is repeated for each lead, and a condition must hold for each lead.

use std::collections::HashMap;

use cards::{BySeat, Card, CardSet, Rank, Seat};

use crate::diagnostic::{Report, Reports};
use crate::plan::{Action, Builder, Node, NodeId, Span};

/// The predealt cards of each seat.
pub(super) type Predealt<'a> = &'a BySeat<CardSet>;

/// Replaces `leadtricks` in the expressions of a plan by a version for each lead. Each node is visited once for each card, even
/// if several expressions share it.
pub(super) struct LeadLowering<'a> {
    plan: &'a mut Builder,
    predealt: Predealt<'a>,
    /// For each node, a bit for each declarer of a `leadtricks` in it.
    declarers: Vec<u8>,
    /// The version of a node for a card led.
    with_card: HashMap<(NodeId, Card), NodeId>,
}

impl<'a> LeadLowering<'a> {
    /// Creates the pass over `plan` with these predealt cards.
    pub fn new(plan: &'a mut Builder, predealt: Predealt<'a>) -> Self {
        LeadLowering {
            plan,
            predealt,
            declarers: Vec::new(),
            with_card: HashMap::new(),
        }
    }

    /// Adds an action. An action with `leadtricks` is added once for each lead, or reported as an error.
    pub fn action(&mut self, action: Action, reports: &mut Reports) {
        let mut values = Vec::new();
        action.for_each_value(|id| values.push(id));
        values.retain(|&id| self.declarers_below(id) != 0);
        if values.is_empty() {
            self.plan.action(action);
            return;
        }
        if reports.is_full() {
            return;
        }
        if !matches!(
            action,
            Action::Average { .. } | Action::Frequency { .. } | Action::BucketFrequency { .. }
        ) {
            let message = "leadtricks is a number for each card of the leader: it can stand in the condition, in average and in frequency";
            let span = self.calls(&values)[0].1;
            reports.add(Report::error("E306", span, message));
            return;
        }
        let Some(cards) = self.leads(&values, reports) else {
            return;
        };
        for card in cards {
            let mut of_card = action.clone();
            of_card.for_each_value_mut(|id| *id = self.with_card(*id, card));
            if let Action::Average { label, .. }
            | Action::Frequency { label, .. }
            | Action::BucketFrequency { label, .. } = &mut of_card
            {
                let lead = format!("{card} led");
                *label = Some(match label.take() {
                    Some(label) => format!("{label}, {lead}"),
                    None => lead,
                });
            }
            self.plan.action(of_card);
        }
    }

    /// Returns the condition. One with `leadtricks` must hold for each lead.
    pub fn condition(&mut self, condition: NodeId, reports: &mut Reports) -> NodeId {
        if self.declarers_below(condition) == 0 {
            return condition;
        }
        let cards = self.leads(&[condition], reports).unwrap_or_default();
        let span = self.plan.facts_of(condition).span;
        let all: Vec<NodeId> = cards
            .into_iter()
            .map(|card| self.with_card(condition, card))
            .collect();
        match all.is_empty() {
            true => condition,
            false => self.plan.add(Node::And(all.into()), span),
        }
    }

    /// Returns the declarers of all `leadtricks` without a card in the expression `root`.
    fn declarers_below(&mut self, root: NodeId) -> u8 {
        // Operands have smaller numbers than the nodes that use them.
        for number in self.declarers.len()..=root.index() {
            let node = self.plan.node(NodeId(number as u32));
            let mut found = match node {
                Node::LeadTricks(declarer, _, None) => 1 << declarer.index(),
                _ => 0,
            };
            node.for_each_operand(|operand| found |= self.declarers[operand.index()]);
            self.declarers.push(found);
        }
        self.declarers[root.index()]
    }

    /// Returns declarer and place of all `leadtricks` in `roots`. Only error messages need it.
    fn calls(&self, roots: &[NodeId]) -> Vec<(Seat, Span)> {
        let last = roots.iter().map(|root| root.index()).max().unwrap_or(0);
        let mut needed = vec![false; last + 1];
        roots.iter().for_each(|root| needed[root.index()] = true);
        let mut found = Vec::new();
        for number in (0..=last).rev() {
            if !needed[number] {
                continue;
            }
            let id = NodeId(number as u32);
            let node = self.plan.node(id);
            if let Node::LeadTricks(declarer, _, None) = node {
                found.push((*declarer, self.plan.facts_of(id).span));
            }
            node.for_each_operand(|operand| needed[operand.index()] = true);
        }
        found
    }

    /// Returns the cards that the leader may lead: of each sequence only the highest, because the others take as many
    /// tricks.
    fn leads(&mut self, roots: &[NodeId], reports: &mut Reports) -> Option<Vec<Card>> {
        let below = roots
            .iter()
            .fold(0, |all, &id| all | self.declarers_below(id));
        let declarer = Seat::ALL.into_iter().find(|it| below == 1 << it.index());
        let Some(declarer) = declarer else {
            let found = self.calls(roots);
            let other = found.iter().find(|(seat, _)| *seat != found[0].0);
            let span = other.map_or(found[0].1, |(_, span)| *span);
            let message = "two declarers have two leaders: leadtricks of one declarer at a time";
            reports.add(Report::error("E306", span, message));
            return None;
        };
        let leader = declarer.next();
        let hand = self.predealt[leader];
        if hand.len() != 13 {
            let message = format!(
                "{leader} leads when {declarer} is the declarer: leadtricks needs all 13 cards of that hand from predeal, and there are {}",
                hand.len()
            );
            reports.add(Report::error("E306", self.calls(roots)[0].1, message));
            return None;
        }
        let follows = |card: Card| {
            let above = Rank::from_index(card.rank().index() + 1);
            above.is_some_and(|rank| hand.contains(Card::new(card.suit(), rank)))
        };
        Some(hand.iter().filter(|&card| !follows(card)).collect())
    }

    /// Returns the version of an expression for one card led.
    fn with_card(&mut self, root: NodeId, card: Card) -> NodeId {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.declarers_below(id) == 0 || self.with_card.contains_key(&(id, card)) {
                continue;
            }
            let mut node = self.plan.node(id).clone();
            if !ready {
                stack.push((id, true));
                node.for_each_operand(|operand| stack.push((operand, false)));
                continue;
            }
            match &mut node {
                Node::LeadTricks(_, _, led @ None) => *led = Some(card),
                other => other.for_each_operand_mut(|operand| *operand = self.led(*operand, card)),
            }
            let span = self.plan.facts_of(id).span;
            let changed = self.plan.add(node, span);
            self.with_card.insert((id, card), changed);
        }
        self.led(root, card)
    }

    /// Returns the version of a node for `card`, or the node itself if it does not depend on the lead.
    fn led(&self, id: NodeId, card: Card) -> NodeId {
        self.with_card.get(&(id, card)).copied().unwrap_or(id)
    }
}
