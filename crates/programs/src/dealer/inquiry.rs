//! Questions about a script: is it right, what does it ask for, why was this deal accepted?

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

use cards::Deal;
use engine::{
    Analysis, DealFacts, Decision, EvaluationError, Machine, NoRandom, Options, Prepared, Program,
    Randomness, SampledSource,
};
use script::plan::{NodeId, Plan};
use shuffle::{DealRandom, FastDealer, Key, Predeal, Words};

use super::limits::Limits;
use super::request::{Inquiry, Request};
use crate::failure::Failure;

/// Answers a question. The script has been compiled: its errors and warnings have been shown.
///
/// # Errors
/// If the predeal is impossible or the answer cannot be printed.
pub fn answer(inquiry: &Inquiry, request: &Request, plan: &Plan) -> Result<ExitCode, Failure> {
    let options = Options {
        vulnerability: request.par_vulnerability,
        opener: plan.settings.opener.unwrap_or(cards::Seat::West),
        ..Options::default()
    };
    let prepared = Prepared::new(plan, &options);
    let text = match inquiry {
        Inquiry::Check => String::new(),
        Inquiry::Explain => explain(&prepared, request, plan)?,
        Inquiry::ExplainDeal(deal) => explain_deal(&prepared, plan, deal),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The plan, what the sampler makes of it, and a trial run.
fn explain(prepared: &Prepared<'_>, request: &Request, plan: &Plan) -> Result<String, Failure> {
    let number = request.seed.or(plan.settings.seed).unwrap_or(1);
    let key = request.key.unwrap_or(Key::from_i64(number));
    let predeal = Predeal::new(plan.predeal).map_err(Failure::runtime)?;
    let dealer = FastDealer::new(key, &predeal);
    let mut text = plan.explain();
    text += &sampler_text(request, plan, &dealer)?;
    text += &trial(prepared, plan, &dealer);
    Ok(text)
}

fn sampler_text(request: &Request, plan: &Plan, dealer: &FastDealer) -> Result<String, Failure> {
    let usage = super::levelling::sampler_use(request.sampler);
    let (limits, _) = Limits::of(request, plan, None);
    let source = SampledSource::new(plan, dealer.clone(), usage, limits.counts())
        .map_err(Failure::runtime)?;
    let mut text = String::new();
    match source.decision() {
        Decision::Plain { reason } => drop(writeln!(text, "dealing: plain; {reason}")),
        Decision::Sampled {
            sampler,
            probability,
            reason,
        } => {
            let _ = writeln!(text, "dealing: by the exact sampler; {reason}");
            let (covered, left) = Analysis::new(plan).split(sampler);
            list(&mut text, plan, "every deal satisfies", &covered);
            list(&mut text, plan, "tested on each deal", &left);
            let _ = writeln!(
                text,
                "      probability of what every deal satisfies: {} ({} %)",
                probability.decimal(12, 0),
                probability.decimal(10, 2)
            );
        }
    }
    Ok(text)
}

fn list(text: &mut String, plan: &Plan, heading: &str, nodes: &[NodeId]) {
    for (number, &node) in nodes.iter().enumerate() {
        let heading = if number == 0 {
            format!("{heading}:")
        } else {
            String::new()
        };
        let _ = writeln!(text, "      {heading:22}{}", plan.expression(node));
    }
}

/// The draws of a deal.
struct Draws(DealRandom);

impl Randomness for Draws {
    fn draw(&mut self, n: i32) -> i32 {
        self.0.rnd(i64::from(n)) as i32
    }
}

/// About a second of work, in nanoseconds.
const EFFORT: u64 = 1_000_000_000;
/// Deals of a trial run at most.
const TRIAL: u64 = 200_000;

/// How often each clause is reached and holds, in deals dealt without regard to the condition.
fn trial(prepared: &Prepared<'_>, plan: &Plan, dealer: &FastDealer) -> String {
    let clauses = plan.clauses();
    if clauses.is_empty() {
        return String::new();
    }
    // The number of deals follows from the script, not from the clock: the same question has the
    // same answer.
    let cost: u64 = clauses
        .iter()
        .map(|&clause| u64::from(plan.facts_of(clause).cost))
        .sum();
    let deals = (EFFORT / cost.max(1)).clamp(100, TRIAL);
    let program = Program::new(plan, clauses.iter().copied());
    let mut machine = Machine::new(prepared, &program);
    let mut counts = vec![(0u64, 0u64); clauses.len()];
    let mut accepted = 0;
    for number in 0..deals {
        machine.look_at(dealer.deal(number), DealFacts::new(), number, accepted);
        let mut random = Draws(DealRandom::new(dealer.key(), number));
        let passes = clauses
            .iter()
            .zip(&mut counts)
            .all(|(&clause, (reached, passed))| {
                *reached += 1;
                let holds =
                    matches!(machine.evaluate(clause, &mut random), Ok(value) if value != 0);
                *passed += u64::from(holds);
                holds
            });
        accepted += u64::from(passes);
    }
    trial_text(plan, &clauses, &counts, deals, accepted)
}

fn trial_text(
    plan: &Plan,
    clauses: &[NodeId],
    counts: &[(u64, u64)],
    deals: u64,
    accepted: u64,
) -> String {
    let share = |part: u64, whole: u64| match whole {
        0 => "     -  ".to_owned(),
        _ => format!("{:7.3}%", 100.0 * part as f64 / whole as f64),
    };
    let mut text = format!("trial: {deals} deals\n       reached     holds\n");
    for (number, (&clause, &(reached, passed))) in clauses.iter().zip(counts).enumerate() {
        let expression = plan.expression(clause);
        let _ = writeln!(
            text,
            "{:>4}. {reached:7}  {}   {expression}",
            number + 1,
            share(passed, reached)
        );
    }
    let _ = writeln!(
        text,
        "      {accepted} accepted ({} )",
        share(accepted, deals).trim()
    );
    if accepted == 0
        && let Some(number) = counts
            .iter()
            .position(|&(reached, passed)| reached > 0 && passed == 0)
    {
        let _ = writeln!(
            text,
            "      nothing was accepted: clause {} held in none of the {} deals that reached it",
            number + 1,
            counts[number].0
        );
    }
    text
}

/// Every variable and clause on one deal.
fn explain_deal(prepared: &Prepared<'_>, plan: &Plan, deal: &Deal) -> String {
    let clauses = plan.clauses();
    let roots = plan
        .variables
        .iter()
        .map(|variable| variable.value)
        .chain(clauses.iter().copied());
    let program = Program::new(plan, roots);
    let mut machine = Machine::new(prepared, &program);
    machine.look_at(*deal, DealFacts::new(), 0, 0);
    let mut value = |node: NodeId| machine.evaluate(node, &mut NoRandom);
    let mut text = format!("{}\n", deal.one_line());
    if !plan.variables.is_empty() {
        text.push_str("variables:\n");
        for variable in &plan.variables {
            let _ = writeln!(
                text,
                "      {} = {}",
                variable.name,
                shown(&value(variable.value))
            );
        }
    }
    if clauses.is_empty() {
        text.push_str("accepted: there is no condition\n");
        return text;
    }
    text.push_str("condition:\n");
    let mut failed = None;
    for (number, &clause) in clauses.iter().enumerate() {
        let result = value(clause);
        let holds = matches!(result, Ok(value) if value != 0);
        if !holds {
            failed.get_or_insert(number + 1);
        }
        let verdict = match &result {
            Ok(0) => "fails".to_owned(),
            Ok(1) => "holds".to_owned(),
            other => format!(
                "{} ({})",
                if holds { "holds" } else { "fails" },
                shown(other)
            ),
        };
        let _ = writeln!(
            text,
            "{:>4}. {verdict:6}  {}",
            number + 1,
            plan.expression(clause)
        );
    }
    match failed {
        None => text.push_str("accepted\n"),
        Some(number) => drop(writeln!(text, "rejected: clause {number} fails")),
    }
    text
}

fn shown(value: &Result<i32, EvaluationError>) -> String {
    match value {
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    }
}
