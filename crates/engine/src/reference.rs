//! A reference implementation: evaluates deals one after the other. It defines every run, and tests compare runs with
//! it.

use script::plan::{NodeId, Plan};
use shuffle::{DealRandom, FastDealer};

use crate::run::DealDraws;
use crate::{DealFacts, Machine, Options, PreparedPlan, Program};

/// The numbers of the deals that satisfy the condition, with a value each; or the number of the first deal with an
/// error (from 1) and the error code.
pub type Found = Result<Vec<(u64, i32)>, (u64, Option<&'static str>)>;

/// Evaluates the first `deals` deals of a dealer, one by one.
///
/// # Errors
/// The first deal whose condition or value cannot be evaluated.
pub fn one_by_one(plan: &Plan, value: NodeId, dealer: &FastDealer, deals: u64) -> Found {
    let options = Options::default();
    let prepared = PreparedPlan::new(plan, &options);
    let program = Program::new(plan, plan.condition.into_iter().chain([value]));
    let mut machine = Machine::new(&prepared, &program);
    let mut found = Vec::new();
    for number in 0..deals {
        let mut random = DealDraws(DealRandom::new(dealer.key(), number));
        machine.set_deal(dealer.deal(number), DealFacts::new(), number, 0);
        let failed = |error: crate::EvaluationError| (number + 1, error.code());
        let condition = plan
            .condition
            .map_or(Ok(1), |node| machine.evaluate(node, &mut random));
        if condition.map_err(failed)? != 0 {
            let value = machine.evaluate(value, &mut random);
            found.push((number, value.map_err(failed)?));
        }
    }
    Ok(found)
}
