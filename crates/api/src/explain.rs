//! Why so few: how many deals get past each part of the condition.

use engine::{FastSource, Options, explain_deal, sample_clauses};
use script::plan::{NodeId, Plan};
use serde::{Deserialize, Serialize};
use shuffle::{FastDealer, Key, Predeal};

use crate::boards;
use crate::check::{self, Dialect};
use crate::{Limits, Problem};

/// A script, and perhaps a deal, to explain.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explain {
    /// The script.
    pub script: String,
    /// Whose meaning it has.
    #[serde(default)]
    pub dialect: Dialect,
    /// How many deals to try.
    #[serde(default)]
    pub deals: Option<u64>,
    /// Explain this deal instead of a sample.
    #[serde(default)]
    pub deal: Option<String>,
}

/// A part of the condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Part {
    /// As written.
    pub text: String,
    /// Deals that passed all parts before it.
    pub reached: u64,
    /// Deals among them that passed it.
    pub passed: u64,
    /// Its value on the deal that was asked about.
    pub value: Option<i32>,
}

/// A value of the script on a deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Named {
    /// The variable.
    pub name: String,
    /// Its value, if it has one.
    pub value: Option<i32>,
}

/// How a condition works.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explained {
    /// Deals tried.
    pub deals: u64,
    /// Deals that passed everything.
    pub accepted: u64,
    /// The parts in the order in which they are looked at.
    pub parts: Vec<Part>,
    /// The script's variables on the deal that was asked about.
    pub variables: Vec<Named>,
}

/// Explains a script on a sample, or a single deal.
///
/// # Errors
/// If the script has errors, or fails on a deal.
pub fn explain(ask: Explain, limits: &Limits) -> Result<Explained, Problem> {
    let plan = check::plan(&ask.script, ask.dialect, limits)?;
    let options = limits.options();
    if let Some(deal) = &ask.deal {
        return one_deal(&plan, deal, &options);
    }
    // A condition that asks the solver gets a small sample.
    let dear = plan
        .clauses()
        .iter()
        .any(|&clause| plan.facts_of(clause).cost > 100_000);
    let usual = if dear { 2_000 } else { 100_000 };
    let deals =
        ask.deals
            .unwrap_or(usual)
            .min(limits.samples)
            .min(if dear { 2_000 } else { u64::MAX });
    let predeal = Predeal::in_order(plan.predeal_order.iter().copied())
        .map_err(|error| Problem::run(error.to_string()))?;
    let source = FastSource::new(FastDealer::new(Key::from_i64(1), &predeal));
    let sample = sample_clauses(&plan, &source, deals, &options)
        .map_err(|error| Problem::run(error.to_string()))?;
    Ok(Explained {
        deals: sample.deals,
        accepted: sample.accepted(),
        parts: sample
            .clauses
            .iter()
            .map(|it| Part {
                text: text_of(&plan, it.node),
                reached: it.reached,
                passed: it.passed,
                value: None,
            })
            .collect(),
        variables: Vec::new(),
    })
}

fn one_deal(plan: &Plan, deal: &str, options: &Options<'_>) -> Result<Explained, Problem> {
    let deal = boards::deal(deal)?;
    let found = explain_deal(plan, &deal, None, options);
    let accepted = u64::from(found.is_accepted());
    Ok(Explained {
        deals: 1,
        accepted,
        parts: found
            .clauses
            .iter()
            .map(|it| {
                let value = it.value.as_ref().ok().copied();
                Part {
                    text: text_of(plan, it.node),
                    reached: 1,
                    passed: u64::from(value.is_some_and(|value| value != 0)),
                    value,
                }
            })
            .collect(),
        variables: plan
            .variables
            .iter()
            .zip(&found.variables)
            .map(|(variable, it)| Named {
                name: variable.name.clone(),
                value: it.value.as_ref().ok().copied(),
            })
            .collect(),
    })
}

fn text_of(plan: &Plan, node: NodeId) -> String {
    plan.expression(node)
}
