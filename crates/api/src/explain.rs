//! Explanation of a condition: how many deals pass each part of it.

use std::collections::BTreeMap;

use croupier::cards::Deal;
use croupier::session::Session;
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::check::{self, Check, Dialect};
use crate::{RequestError, RequestLimits};

/// A request to explain the condition of a script, for a sample of deals or for one deal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// Text of the script.
    pub script: String,
    /// Dialect of the script.
    #[serde(default)]
    pub dialect: Dialect,
    /// Files that the script may import: name and text.
    #[serde(default)]
    pub imports: BTreeMap<String, String>,
    /// Texts for `$0` to `$9`.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// Number of deals to try.
    #[serde(default)]
    pub deals: Option<u64>,
    /// Explain the condition for this deal instead of a sample.
    #[serde(default)]
    pub deal: Option<String>,
}

/// A part of the condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Clause {
    /// Source text of the part.
    pub text: String,
    /// Number of deals that passed all parts before this one.
    pub reached: u64,
    /// Number of deals of `reached` that passed this part.
    pub passed: u64,
    /// Value of the part for the given deal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub value: Option<i32>,
}

/// A variable of the script and its value for a deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NamedValue {
    /// Name of the variable.
    pub name: String,
    /// Value, if it could be computed.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub value: Option<i32>,
}

/// Explanation of a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explained {
    /// Number of deals tried.
    pub deals: u64,
    /// Number of deals that passed all parts.
    pub accepted: u64,
    /// Parts in the order of evaluation.
    pub parts: Vec<Clause>,
    /// Variables of the script for the given deal.
    pub variables: Vec<NamedValue>,
}

/// Explains a script on a sample, or a single deal.
///
/// # Errors
/// If the script has errors, or its evaluation fails on a deal.
pub fn explain(request: Explain, limits: &RequestLimits) -> Result<Explained, RequestError> {
    let script = Check {
        script: request.script,
        dialect: request.dialect,
        imports: request.imports,
        variables: request.variables,
    };
    let session = check::session(&script, limits)?;
    if let Some(deal) = &request.deal {
        return Ok(one_deal(&session, &boards::deal(deal)?));
    }
    let plan = session.plan();
    // A condition that uses the solver gets a small sample.
    let uses_solver = plan
        .clauses()
        .iter()
        .any(|&clause| plan.facts_of(clause).cost > 100_000);
    let usual = if uses_solver { 2_000 } else { 100_000 };
    let deals = request
        .deals
        .unwrap_or(usual)
        .min(limits.samples)
        .min(if uses_solver { 2_000 } else { u64::MAX });
    let sample = session
        .sample(deals)
        .map_err(|error| RequestError::of_session(&script.script, error))?;
    limits.check_cancelled()?;
    if let Some(failure) = sample.failure {
        return Err(RequestError::run(failure));
    }
    let part = |it: croupier::session::Clause| Clause {
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
    let part = |it: croupier::session::NamedValue| Clause {
        passed: u64::from(it.holds()),
        text: it.name,
        reached: 1,
        value: it.value.ok(),
    };
    let named = |it: croupier::session::NamedValue| NamedValue {
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
