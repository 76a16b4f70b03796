//! Questions about a script: is it right, what does it ask for, why was this deal accepted?

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

use cards::Deal;
use session::{DealExplanation, Dealing, Explanation, Session, Trial};

use super::request::Inquiry;
use super::words;
use crate::failure::Failure;

/// Answers a question. The script has been read: its errors and warnings have been shown.
///
/// # Errors
/// If the predeal is impossible or the answer cannot be printed.
pub fn answer(inquiry: &Inquiry, session: &Session) -> Result<ExitCode, Failure> {
    let text = match inquiry {
        Inquiry::Check => String::new(),
        Inquiry::Explain => {
            let explained = session.explain();
            explanation(&explained.map_err(|error| words::failure(session.plan().mode, error))?)
        }
        Inquiry::ExplainDeal(deal) => about_deal(deal, &session.explain_deal(deal, None)),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The plan, what the sampler makes of it, and a trial run.
fn explanation(explained: &Explanation) -> String {
    let mut text = explained.plan.clone();
    dealing(&mut text, &explained.dealing);
    if let Some(counted) = &explained.trial {
        trial(&mut text, counted);
    }
    text
}

fn dealing(text: &mut String, dealing: &Dealing) {
    match dealing {
        Dealing::Plain { reason } => drop(writeln!(text, "dealing: plain; {reason}")),
        Dealing::Sampled {
            reason,
            covered,
            tested,
            probability,
            percent,
        } => {
            let _ = writeln!(text, "dealing: by the exact sampler; {reason}");
            list(text, "every deal satisfies", covered);
            list(text, "tested on each deal", tested);
            let _ = writeln!(
                text,
                "      probability of what every deal satisfies: {probability} ({percent} %)"
            );
        }
    }
}

fn list(text: &mut String, heading: &str, expressions: &[String]) {
    for (number, expression) in expressions.iter().enumerate() {
        let heading = if number == 0 {
            format!("{heading}:")
        } else {
            String::new()
        };
        let _ = writeln!(text, "      {heading:22}{expression}");
    }
}

fn trial(text: &mut String, trial: &Trial) {
    let share = |part: u64, whole: u64| match whole {
        0 => "     -  ".to_owned(),
        _ => format!("{:7.3}%", 100.0 * part as f64 / whole as f64),
    };
    let _ = writeln!(
        text,
        "trial: {} deals\n       reached     holds",
        trial.deals
    );
    for (number, clause) in trial.clauses.iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>4}. {:7}  {}   {}",
            number + 1,
            clause.reached,
            share(clause.passed, clause.reached),
            clause.expression
        );
    }
    let _ = writeln!(
        text,
        "      {} accepted ({} )",
        trial.accepted,
        share(trial.accepted, trial.deals).trim()
    );
    if let Some(failure) = &trial.failure {
        let _ = writeln!(text, "      a run over these deals fails: {failure}");
        return;
    }
    let never = |clause: &session::Clause| clause.reached > 0 && clause.passed == 0;
    if trial.accepted == 0
        && let Some(number) = trial.clauses.iter().position(never)
    {
        let _ = writeln!(
            text,
            "      nothing was accepted: clause {} held in none of the {} deals that reached it",
            number + 1,
            trial.clauses[number].reached
        );
    }
}

/// Every variable and clause on one deal.
fn about_deal(deal: &Deal, explained: &DealExplanation) -> String {
    let mut text = format!("{}\n", deal.one_line());
    if !explained.variables.is_empty() {
        text.push_str("variables:\n");
        for variable in &explained.variables {
            let _ = writeln!(text, "      {} = {}", variable.name, shown(&variable.value));
        }
    }
    if explained.clauses.is_empty() {
        text.push_str("accepted: there is no condition\n");
        return text;
    }
    text.push_str("condition:\n");
    for (number, clause) in explained.clauses.iter().enumerate() {
        let verdict = if clause.holds() { "holds" } else { "fails" };
        let verdict = match clause.value {
            Ok(0 | 1) => verdict.to_owned(),
            _ => format!("{verdict} ({})", shown(&clause.value)),
        };
        let _ = writeln!(text, "{:>4}. {verdict:6}  {}", number + 1, clause.name);
    }
    match explained.rejected_by() {
        None => text.push_str("accepted\n"),
        Some(number) => drop(writeln!(text, "rejected: clause {number} fails")),
    }
    text
}

fn shown(value: &Result<i32, String>) -> String {
    match value {
        Ok(value) => value.to_string(),
        Err(error) => error.clone(),
    }
}
