//! The classes that a script defines, and the class of each deal.

use cards::Deal;
use script::plan::{Node, NodeId, Plan};

use crate::PreparedPlan;
use crate::outcome::Options;
use crate::scalar::{DealFacts, Machine, NoRandom, Program};

/// Prefix of variables that define classes of deals.
pub const CLASS_PREFIX: &str = "HandType_";

/// Prefix of variables that define classes for levelling only. They are crossed with the others, or (in dealer3)
/// replace them.
pub const LEVEL_PREFIX: &str = "LevelType_";

/// Suffix of the variable that holds the share of a class.
const SHARE_SUFFIX: &str = "_Share";

/// Returns the classes of a script: its variables with a class prefix, without the prefix. Shares are not classes.
#[must_use]
pub fn classes(plan: &Plan) -> Vec<(String, NodeId)> {
    let for_levelling = level_types(plan);
    match for_levelling.is_empty() {
        true => hand_types(plan),
        false => for_levelling,
    }
}

/// Returns the classes by which deals are labelled and ordered: `HandType_` variables that are not shares.
#[must_use]
pub fn hand_types(plan: &Plan) -> Vec<(String, NodeId)> {
    with_prefix(plan, CLASS_PREFIX)
}

/// Returns the classes for levelling only: `LevelType_` variables that are not shares.
#[must_use]
pub fn level_types(plan: &Plan) -> Vec<(String, NodeId)> {
    with_prefix(plan, LEVEL_PREFIX)
}

fn with_prefix(plan: &Plan, prefix: &str) -> Vec<(String, NodeId)> {
    plan.variables
        .iter()
        .filter(|v| class_of_share(plan, &v.name).is_none())
        .filter_map(|v| Some((v.name.strip_prefix(prefix)?.to_owned(), v.value)))
        .collect()
}

/// Returns the first class of each deal, if it has one.
#[must_use]
pub fn class_of_each(
    plan: &Plan,
    classes: &[NodeId],
    deals: &[Deal],
    options: &Options<'_>,
) -> Vec<Option<usize>> {
    let prepared = PreparedPlan::new(plan, options);
    let program = Program::new(plan, classes.iter().copied());
    let mut machine = Machine::new(&prepared, &program);
    let mut class = |&deal: &Deal| {
        machine.set_deal(deal, DealFacts::new(), 0, 0);
        classes.iter().position(|&class| {
            let value = machine.evaluate(class, &mut NoRandom);
            value.is_ok_and(|value| value != 0)
        })
    };
    deals.iter().map(&mut class).collect()
}

/// Returns the variable of the class whose share this variable is: `HandType_Slam` for `HandType_Slam_Share`.
fn class_of_share<'a>(plan: &Plan, name: &'a str) -> Option<&'a str> {
    let class = name.strip_suffix(SHARE_SUFFIX)?;
    let prefixed = class.starts_with(CLASS_PREFIX) || class.starts_with(LEVEL_PREFIX);
    (prefixed && plan.variables.iter().any(|v| v.name == class)).then_some(class)
}

/// Returns the share that the script gives to a class with this prefix, as in `HandType_Slam_Share = 3`; 1 by default.
#[must_use]
pub fn share_of(plan: &Plan, prefix: &str, class: &str) -> u64 {
    let name = format!("{prefix}{class}{SHARE_SUFFIX}");
    let variable = plan.variables.iter().find(|v| v.name == name);
    let share = variable.and_then(|variable| match plan.node(variable.value) {
        Node::Constant(share) => u64::try_from(*share).ok(),
        _ => None,
    });
    share.unwrap_or(1)
}

/// Counts for each class the deals that also belong to another class. A deal belongs to a class if all conditions of
/// the class hold.
#[must_use]
pub fn overlaps(
    plan: &Plan,
    classes: &[Vec<NodeId>],
    deals: &[(usize, Deal)],
    options: &Options<'_>,
) -> Vec<u64> {
    let prepared = PreparedPlan::new(plan, options);
    let program = Program::new(plan, classes.iter().flatten().copied());
    let mut machine = Machine::new(&prepared, &program);
    let mut counts = vec![0; classes.len()];
    for &(own, deal) in deals {
        machine.set_deal(deal, DealFacts::new(), 0, 0);
        let mut holds = |&node: &NodeId| {
            let value = machine.evaluate(node, &mut NoRandom);
            value.is_ok_and(|value| value != 0)
        };
        let mut others = classes.iter().enumerate();
        let other = others.any(|(number, class)| number != own && class.iter().all(&mut holds));
        counts[own] += u64::from(other);
    }
    counts
}
