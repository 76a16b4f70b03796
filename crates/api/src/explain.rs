//! Why so few: how many deals get past each part of the condition.

use croupier::cards::Deal;
use croupier::session::{Clause, Session};
use serde::{Deserialize, Serialize};

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
    let session = check::session(&ask.script, ask.dialect, limits)?;
    if let Some(deal) = &ask.deal {
        return Ok(one_deal(&session, &boards::deal(deal)?));
    }
    let plan = session.plan();
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
    let sample = session
        .sample(deals)
        .map_err(|error| Problem::of_session(&ask.script, error))?;
    limits.go_on()?;
    if let Some(failure) = sample.failure {
        return Err(Problem::run(failure));
    }
    let part = |it: Clause| Part {
        text: it.expression,
        reached: it.reached,
        passed: it.passed,
        value: None,
    };
    Ok(Explained {
        deals: sample.deals,
        accepted: sample.accepted,
        parts: sample.clauses.into_iter().map(part).collect(),
        variables: Vec::new(),
    })
}

fn one_deal(session: &Session, deal: &Deal) -> Explained {
    let found = session.explain_deal(deal, None);
    let part = |it: croupier::session::Named| Part {
        passed: u64::from(it.holds()),
        text: it.name,
        reached: 1,
        value: it.value.ok(),
    };
    let named = |it: croupier::session::Named| Named {
        name: it.name,
        value: it.value.ok(),
    };
    Explained {
        deals: 1,
        accepted: u64::from(found.accepted),
        parts: found.clauses.into_iter().map(part).collect(),
        variables: found.variables.into_iter().map(named).collect(),
    }
}
