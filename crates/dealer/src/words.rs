//! Errors, notices and reports of a session as messages of the command line.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use croupier::engine::mixture::MixtureError;
use croupier::script::plan::{Action, Node, NodeId, Plan, ReportTerm};
use croupier::session::{
    ComponentShare, Conflict, Diagnostic, Error, LevelError, Mixed, Mode, Notice, Outcome,
    PrecisionResult, PrecisionUnit, Session,
};

use super::command_line::CommandLine;
use crate::failure::{Failure, RUNTIME};
use crate::robots::NO_ROBOTS;
use crate::scripts;
use command_line::rounded;

/// Converts an error to a failure.
pub fn failure(mode: Mode, error: Error) -> Failure {
    match error {
        Error::Script(diagnostics) => script(mode, &diagnostics),
        Error::Conflict(Conflict::TournamentWithPredeal) => {
            Failure::usage("--tournament deals whole boards: it cannot be used with a predeal")
        }
        Error::Conflict(Conflict::SwapWithLengths) => {
            Failure::usage("-x cannot be used with predealt lengths")
        }
        Error::Conflict(error @ (Conflict::SwapWithPredeal(_) | Conflict::SwapNeedsPlainDeals)) => {
            Failure::usage(format!("-x: {error}"))
        }
        Error::Conflict(
            error @ (Conflict::PrecisionWithoutAverage | Conflict::PrecisionWithProportions),
        ) => Failure::usage(error.to_string().replacen("a precision", "--precision", 1)),
        Error::Level(
            error @ (LevelError::NotAShare { .. }
            | LevelError::Weights { .. }
            | LevelError::MixedUnits
            | LevelError::Percents { .. }),
        ) => Failure::usage(format!("--level: {error}")),
        Error::Level(error) => Failure::runtime(format!("--level: {error}")),
        Error::Mixture(error @ MixtureError::Impossible(_)) => {
            Failure::runtime(format!("--level: {error}"))
        }
        Error::Mixture(error @ MixtureError::TooRare { .. }) => {
            Failure::runtime(format!("{error} (-g)"))
        }
        Error::OutOfRange {
            setting: "produce" | "generate",
            ..
        } => Failure::usage("-p and -g count deals and cannot be negative"),
        Error::NoRobots { .. } => Failure::runtime(format!("{error}: {NO_ROBOTS}")),
        Error::TableTooLarge => out_of_memory(mode),
        other => scripts::failure(other),
    }
}

/// Prints the errors of a script: all of them, or the one that the classic programs print.
fn script(mode: Mode, diagnostics: &[Diagnostic]) -> Failure {
    let classic = first_noticed(diagnostics).and_then(Diagnostic::render_classic);
    match classic.filter(|_| mode != Mode::Native) {
        Some(line) => drop(writeln!(io::stderr(), "{line}")),
        None => scripts::show(diagnostics),
    }
    Failure::Reported { status: RUNTIME }
}

/// Returns the error at which the classic programs stop: the one that they detect first. Their parser reads one token
/// ahead: it completes the phrase before the token and only then detects that the token does not fit.
fn first_noticed(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    let errors = diagnostics.iter();
    let mut errors = errors.filter(|it| it.severity == croupier::script::Severity::Error);
    let noticed = errors.clone().filter(|it| it.classic.is_some());
    let noticed = noticed.filter(|it| it.noticed.is_some());
    let order = |it: &Diagnostic| match it.classic.as_ref().map(|(_, said)| said.as_str()) {
        Some("EOF found in comment") => 0,
        Some("syntax error") => 2,
        _ => 1,
    };
    let first = noticed.min_by_key(|it| (it.noticed, order(it)));
    first.or(errors.next())
}

/// Prints the text that the classic programs print before their message about a script.
pub fn before_script_error(line: &CommandLine, text: &[u8], diagnostics: &[Diagnostic]) {
    let mode = line.dialect();
    let Some(error) = first_noticed(diagnostics).filter(|error| error.classic.is_some()) else {
        return;
    };
    if let Some(until) = error.noticed.filter(|_| mode != Mode::Native) {
        // The scanners of the classic programs copy unknown characters in comments before that place to standard
        // output.
        let source = croupier::script::ScriptSource::new("script", text);
        let echo = croupier::script::classic_echo(&source, mode, until);
        let _ = io::stdout().write_all(&echo);
    }
    let said = error.classic.as_ref().map(|(_, said)| said.as_str());
    if mode == Mode::V2
        && line.job.predeal.values().any(Option::is_some)
        && said == Some("Card predealt twice")
    {
        let _ = writeln!(
            io::stderr(),
            "ERR**: setDealMode::Cmd Line Predeal Overrides Input File Predeal"
        );
    }
}

/// Prints each average of a run with a precision, and whether the precision was reached after `produced` deals.
pub fn precision(result: &PrecisionResult, produced: u64) {
    let unit = match result.precision.unit {
        PrecisionUnit::Percent => "%",
        PrecisionUnit::Tricks | PrecisionUnit::Imps | PrecisionUnit::Points => "",
    };
    let mut err = io::stderr().lock();
    for average in &result.averages {
        let name = average.name.trim_end_matches([' ', ':']);
        let value = average.value.unwrap_or(f64::NAN);
        let (low, high) = average.interval.unwrap_or((f64::NAN, f64::NAN));
        let decimals = croupier::session::interval::decimals(low, high);
        let _ = writeln!(
            err,
            "{name}: {value:.decimals$}{unit}, 95 % interval {low:.decimals$} to {high:.decimals$}"
        );
    }
    if !result.reached {
        let _ = writeln!(
            err,
            "dealer: the precision of {} was not reached with {produced} deals",
            result.precision
        );
    }
}

/// Prints why no deal was produced, and what to do about it.
pub fn nothing_produced(session: &Session, outcome: &Outcome) {
    let generated = outcome.generated;
    let said = match outcome.ended {
        croupier::session::Ended::Generated if generated > 0 => {
            let looked = format!("none of the {generated} deals looked at satisfies the condition");
            match session.counted() {
                Some(count) if count.hits() == 0 => {
                    format!(
                        "no deal can satisfy the condition (--explain shows which clause fails); {looked}"
                    )
                }
                Some(count) => {
                    let one_in = 1.0 / count.probability();
                    let (_, wanted) = session.settings().limits.counts();
                    let wanted = wanted.min(40);
                    // Twice the mean number of deals is practically always enough for five or more deals.
                    let enough = 2.0 * (wanted.max(5) as f64) * one_in;
                    format!(
                        "{looked}, for one deal in {} does: -g {} finds {wanted} at little cost, for they are dealt directly",
                        rounded(one_in, one_in / 10.0),
                        rounded(enough, enough / 10.0)
                    )
                }
                None => format!("{looked}; -g looks at more, --explain shows which clause fails"),
            }
        }
        croupier::session::Ended::Exhausted => {
            "none of the deals satisfies the condition".to_owned()
        }
        _ => return,
    };
    let _ = writeln!(io::stderr(), "dealer: {said}");
}

/// Returns the failure for a table or list that does not fit into memory.
pub fn out_of_memory(mode: Mode) -> Failure {
    if mode == Mode::Native {
        return Failure::runtime(Error::TableTooLarge);
    }
    let _ = writeln!(io::stderr(), "Out of memory");
    Failure::Reported { status: RUNTIME }
}

/// Prints the settings that v2 ignores, as v2 does. The other dialects print nothing.
pub fn notices(mode: Mode, notices: &[Notice]) {
    if mode != Mode::V2 {
        return;
    }
    for notice in notices {
        let text = match notice {
            Notice::GenerateBeyondLibrary { limit, deals } => {
                let _ = writeln!(
                    io::stderr(),
                    "dealinit_subs.c::Finalize Options::ERR maxgenerate too big. Library does not contain {limit} records. Setting to {deals} "
                );
                continue;
            }
            Notice::LibraryWithoutLengths => {
                "setDealMode::Cant have bias deals and Library mode. Discarding Bias Deal request"
            }
            Notice::LibraryWithoutPredeal => {
                "setDealMode::Cant have predealt cards and Library mode. Discarding Predeal request"
            }
            Notice::LibraryWithoutSwap => {
                "setDealMode::Cant have swapping and Library mode. Discarding Swapping request"
            }
            Notice::LengthsWithoutCards => {
                "setDealMode::Cant mix predealt cards and Bias predeal. Discarding Predeal Cards request"
            }
            Notice::LengthsWithoutSwap => {
                "setDealMode::Cant have swapping and Bias predealing. Discarding Swapping request"
            }
            Notice::PredealOverScript => {
                "setDealMode::Cmd Line Predeal Overrides Input File Predeal"
            }
            Notice::PredealWithoutSwap => {
                "setDealMode::Cant have swapping and predealing. Discarding Swapping request"
            }
            Notice::ScriptPredealWithoutSwap => {
                "Cant have swapping and predealing. Discarding Swapping request"
            }
        };
        let _ = writeln!(io::stderr(), "ERR**: {text}");
    }
}

/// Formats natural share, target and result of each class of a levelled or mixed run.
pub fn mixed(mixed: &Mixed) -> String {
    let kinds = &mixed.kinds;
    let rates: Vec<f64> = kinds
        .iter()
        .map(|kind| {
            let found = kind.produced as f64 / kind.generated.max(1) as f64;
            kind.probability.unwrap_or(found)
        })
        .collect();
    let all: f64 = rates.iter().sum();
    let shares: u64 = kinds.iter().map(|kind| kind.share).sum();
    let total = kinds.iter().map(|kind| kind.deals).sum::<u64>().max(1) as f64;
    let mut text = String::from(
        "class                           probability   natural   target   result   deals\n",
    );
    for (kind, rate) in kinds.iter().zip(rates) {
        let about = if kind.probability.is_some() { " " } else { "~" };
        let _ = writeln!(
            text,
            "{:<20} {:>22} {about}{:>7.2}% {:>7.2}% {:>7.2}% {:>7}",
            kind.name,
            probability(kind),
            100.0 * rate / all.max(f64::MIN_POSITIVE),
            100.0 * kind.share as f64 / shares.max(1) as f64,
            100.0 * kind.deals as f64 / total,
            kind.deals,
        );
    }
    if kinds.iter().any(|kind| kind.probability.is_none()) {
        text.push_str(
            "~ estimated from the deals of this run; the probability is a 95 % interval\n",
        );
    }
    for kind in kinds {
        if let Some(overlap) = kind.overlap.filter(|&overlap| overlap > 0) {
            let _ = writeln!(
                text,
                "overlap: {overlap} deals of {} belong to another class too",
                kind.name
            );
        }
    }
    text
}

/// Formats an exact probability with six digits, or the ends of an interval with two digits of its width.
fn probability(kind: &ComponentShare) -> String {
    let (low, high) = kind.natural();
    match kind.probability {
        Some(exact) => rounded(exact, 0.0),
        None => format!("{}-{}", rounded(low, high - low), rounded(high, high - low)),
    }
}

const PAR: &str = "In ParScore:: Using Parscore requires TableMode. Setting Mode and continuing..";
const TRIX: &str = "In csv_trix:: Using csv_trix requires TableMode. Setting Mode and continuing..";

/// Prints the notice that v2 prints when it first needs all twenty results of a deal.
pub fn table_mode(line: &CommandLine, plan: &Plan, outcome: &Outcome) {
    let solves_anyway = line.output.zrd.as_ref().is_some_and(|file| !file.unsolved);
    let has_library = line.inputs.library.is_some();
    if line.dialect() != Mode::V2 || line.v2.table_mode || solves_anyway || has_library {
        return;
    }
    let has_par = |root: NodeId| reaches_par(plan, root);
    let mut note = plan
        .condition
        .filter(|&condition| outcome.generated > 0 && has_par(condition))
        .map(|_| PAR);
    if note.is_none() && outcome.produced > 0 {
        note = plan
            .actions
            .iter()
            .find_map(|action| first_note(action, &has_par));
    }
    if let Some(note) = note {
        let _ = writeln!(io::stderr(), "{note}");
    }
}

fn first_note(action: &Action, has_par: &dyn Fn(NodeId) -> bool) -> Option<&'static str> {
    if let Action::CsvReport(terms) | Action::PrintReport(terms) = action {
        return terms.iter().find_map(|term| match term {
            ReportTerm::Tricks(_) | ReportTerm::AllTricks => Some(TRIX),
            ReportTerm::ParContract(_) => Some(PAR),
            ReportTerm::Value(node) if has_par(*node) => Some(PAR),
            _ => None,
        });
    }
    let mut found = false;
    action.for_each_value(|node| found |= has_par(node));
    found.then_some(PAR)
}

/// Returns whether an expression uses par.
fn reaches_par(plan: &Plan, root: NodeId) -> bool {
    let mut found = matches!(plan.node(root), Node::Par(..));
    plan.node(root)
        .for_each_operand(|operand| found = found || reaches_par(plan, operand));
    found
}
