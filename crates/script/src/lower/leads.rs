//! `leadtricks`: a number for each card that the leader may lead, so what it stands in is meant for each of them.

use cards::{BySeat, Card, CardSet, Rank, Seat};

use crate::diagnostic::{Report, Reports};
use crate::plan::{Action, Builder, Node, NodeId, Span};

/// The cards that everybody was predealt.
pub(super) type Predealt<'a> = &'a BySeat<CardSet>;

/// Adds an action; one with `leadtricks` becomes one for each card that the leader may lead, or is an error.
pub(super) fn action(
    plan: &mut Builder,
    action: Action,
    predealt: Predealt<'_>,
    reports: &mut Reports,
) {
    let mut values = Vec::new();
    action.for_each_value(|id| values.push(id));
    let found: Vec<(Seat, Span)> = values.iter().flat_map(|&id| calls(plan, id)).collect();
    let Some(&(declarer, span)) = found.first() else {
        plan.action(action);
        return;
    };
    if !matches!(
        action,
        Action::Average { .. } | Action::Frequency { .. } | Action::BucketFrequency { .. }
    ) {
        let message = "leadtricks is a number for each card of the leader: it can stand in the condition, in average and in frequency";
        reports.add(Report::error("E306", span, message));
        return;
    }
    let Some(cards) = leads(&found, declarer, predealt, reports) else {
        return;
    };
    for card in cards {
        let mut of_card = action.clone();
        of_card.for_each_value_mut(|id| *id = with_card(plan, *id, card));
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
        plan.action(of_card);
    }
}

/// A condition with `leadtricks` must hold for each card that the leader may lead.
pub(super) fn condition(
    plan: &mut Builder,
    condition: NodeId,
    predealt: Predealt<'_>,
    reports: &mut Reports,
) -> NodeId {
    let found = calls(plan, condition);
    let Some(&(declarer, _)) = found.first() else {
        return condition;
    };
    let cards = leads(&found, declarer, predealt, reports).unwrap_or_default();
    let span = plan.facts_of(condition).span;
    let all: Vec<NodeId> = cards
        .into_iter()
        .map(|card| with_card(plan, condition, card))
        .collect();
    match all.is_empty() {
        true => condition,
        false => plan.add(Node::And(all.into()), span),
    }
}

/// The declarers of all `leadtricks` below a node, with their places.
fn calls(plan: &Builder, root: NodeId) -> Vec<(Seat, Span)> {
    let mut needed = vec![false; root.index() + 1];
    needed[root.index()] = true;
    let mut found = Vec::new();
    for number in (0..=root.index()).rev() {
        if !needed[number] {
            continue;
        }
        let id = NodeId(number as u32);
        let node = plan.node(id);
        if let Node::LeadTricks(declarer, _, None) = node {
            found.push((*declarer, plan.facts_of(id).span));
        }
        node.for_each_operand(|operand| needed[operand.index()] = true);
    }
    found
}

/// The cards that the leader may lead: the highest of each sequence, for the others are worth the same.
fn leads(
    found: &[(Seat, Span)],
    declarer: Seat,
    predealt: Predealt<'_>,
    reports: &mut Reports,
) -> Option<Vec<Card>> {
    if let Some((_, span)) = found.iter().find(|(seat, _)| *seat != declarer) {
        let message = "two declarers have two leaders: leadtricks of one declarer at a time";
        reports.add(Report::error("E306", *span, message));
        return None;
    }
    let leader = declarer.next();
    let hand = predealt[leader];
    if hand.len() != 13 {
        let message = format!(
            "{leader} leads when {declarer} is the declarer: leadtricks needs all 13 cards of that hand from predeal, and there are {}",
            hand.len()
        );
        reports.add(Report::error("E306", found[0].1, message));
        return None;
    }
    let follows = |card: Card| {
        let above = Rank::from_index(card.rank().index() + 1);
        above.is_some_and(|rank| hand.contains(Card::new(card.suit(), rank)))
    };
    Some(hand.iter().filter(|&card| !follows(card)).collect())
}

/// The same expression for one card that is led.
fn with_card(plan: &mut Builder, root: NodeId, card: Card) -> NodeId {
    // Operands come before what they stand in.
    let mut renamed: Vec<NodeId> = Vec::with_capacity(root.index() + 1);
    for number in 0..=root.index() {
        let id = NodeId(number as u32);
        let mut node = plan.node(id).clone();
        match &mut node {
            Node::LeadTricks(_, _, led @ None) => *led = Some(card),
            other => other.for_each_operand_mut(|operand| *operand = renamed[operand.index()]),
        }
        let changed = *plan.node(id) != node;
        renamed.push(match changed {
            true => {
                let span = plan.facts_of(id).span;
                plan.add(node, span)
            }
            false => id,
        });
    }
    renamed[root.index()]
}
