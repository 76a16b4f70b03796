//! How many deals to look at and to produce: what the switches, the script and the dialect say.

use script::plan::{Mode, Plan};

use super::request::Request;

/// The generate limit when nobody gives one.
const GENERATE: i64 = 10_000_000;
/// The produce limit of a run that prints deals, when nobody gives one.
const PRODUCE: i64 = 40;

/// The two limits of a run. In the classic dialects they may be negative: then nothing is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Deals to look at.
    pub generate: i64,
    /// Deals to produce.
    pub produce: i64,
}

impl Limits {
    /// Switch before script before default; zero counts as not given. `deals` is the number of
    /// deals that a finite source holds; the second value is a complaint about a limit beyond it.
    pub fn of(request: &Request, plan: &Plan, deals: Option<usize>) -> (Limits, Option<String>) {
        let statement = |limit: Option<u64>| limit.and_then(|limit| i64::try_from(limit).ok());
        let first = |switch: Option<i64>, statement: Option<i64>| {
            switch.filter(|&n| n != 0).or(statement.filter(|&n| n != 0))
        };
        let deals = deals.map(|deals| deals as i64);
        let given = first(request.generate, statement(plan.settings.generate));
        let mut complaint = None;
        let generate = match (given, deals) {
            (Some(limit), Some(deals)) if limit > deals => {
                complaint = Some(format!(
                    "dealinit_subs.c::Finalize Options::ERR maxgenerate too big. Library does not contain {limit} records. Setting to {deals} \n"
                ));
                deals
            }
            (Some(limit), _) => limit,
            (None, Some(deals)) => GENERATE.min(deals),
            (None, None) => GENERATE,
        };
        let prints = plan.prints_deals || request.format.is_some();
        let default = if prints { PRODUCE } else { generate };
        let produce = first(request.produce, statement(plan.settings.produce)).unwrap_or(default);
        // v1 alone lets produce exceed generate; it shows in nothing but the progress meter.
        let produce = if request.mode.is_v1() {
            produce
        } else {
            produce.min(generate)
        };
        (
            Limits { generate, produce },
            complaint.filter(|_| request.mode == Mode::V2),
        )
    }

    /// The same as counts: nothing for a negative limit.
    pub fn counts(self) -> (u64, u64) {
        (self.generate.max(0) as u64, self.produce.max(0) as u64)
    }
}
