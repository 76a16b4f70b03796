//! Errors, notices and reports of a session in the words of the command line.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use engine::mixture::MixtureError;
use session::{Conflict, Diagnostic, Error, LevelError, Mixed, Mode, Notice};

use super::request::Request;
use crate::failure::{Failure, RUNTIME};
use crate::scripts;

/// The failure for an error.
pub fn failure(mode: Mode, error: Error) -> Failure {
    match error {
        Error::Script(diagnostics) => script(mode, &diagnostics),
        Error::Conflict(Conflict::TournamentWithPredeal) => {
            Failure::usage("--tournament deals whole boards: it cannot be used with a predeal")
        }
        Error::Conflict(Conflict::SwapWithLengths) => {
            Failure::usage("-x cannot be used with predealt lengths")
        }
        Error::Conflict(
            error @ (Conflict::FoundDealsWithPredeal | Conflict::FoundDealsWithSwap),
        ) => Failure::usage(error),
        Error::Level(error @ (LevelError::NotAShare { .. } | LevelError::Weights { .. })) => {
            Failure::usage(format!("--level: {error}"))
        }
        Error::Level(error) => Failure::runtime(format!("--level: {error}")),
        Error::Mixture(error @ MixtureError::TooRare { .. }) => {
            Failure::runtime(format!("{error} (-g)"))
        }
        Error::TableTooLarge => out_of_memory(mode),
        other => scripts::failure(other),
    }
}

/// What is wrong with a script: all of it, or what the classic programs say.
fn script(mode: Mode, diagnostics: &[Diagnostic]) -> Failure {
    let mut errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == script::Severity::Error);
    let classic = errors.next().and_then(Diagnostic::render_classic);
    match classic.filter(|_| mode != Mode::Native) {
        Some(line) => drop(writeln!(io::stderr(), "{line}")),
        None => scripts::show(diagnostics),
    }
    Failure::Told { status: RUNTIME }
}

/// What the classic programs print before their message about a script.
pub fn before_script_error(request: &Request, text: &[u8], diagnostics: &[Diagnostic]) {
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == script::Severity::Error);
    let Some((_, said)) = errors.map(|error| error.classic.as_ref()).next().flatten() else {
        return;
    };
    if request.mode != Mode::Native && said == "EOF found in comment" {
        // Their scanners copy what they do not know in a comment, also in one that never ends.
        let leaks = script::leaks(&script::Source::new("script", text), request.mode);
        let _ = io::stdout().write_all(&leaks);
    }
    if request.mode == Mode::V2 && !request.predeal.is_empty() && said == "Card predealt twice" {
        let _ = writeln!(
            io::stderr(),
            "ERR**: setDealMode::Cmd Line Predeal Overrides Input File Predeal"
        );
    }
}

/// Why nothing came out, and what to do about it.
pub fn nothing_produced(outcome: &session::Outcome) {
    let generated = outcome.generated;
    let said = match outcome.ended {
        session::Ended::Generated if generated > 0 => format!(
            "dealer: none of the {generated} deals looked at satisfies the condition; -g looks at more, --explain shows which clause fails"
        ),
        session::Ended::Exhausted => "dealer: none of the deals satisfies the condition".to_owned(),
        _ => return,
    };
    let _ = writeln!(io::stderr(), "{said}");
}

/// A table or list that does not fit the memory.
pub fn out_of_memory(mode: Mode) -> Failure {
    if mode == Mode::Native {
        return Failure::runtime(Error::TableTooLarge);
    }
    let _ = writeln!(io::stderr(), "Out of memory");
    Failure::Told { status: RUNTIME }
}

/// Says what a run of v2 ignores, as v2 does; the others are silent about it.
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

/// Natural share, target and result of each kind of a levelled or mixed run.
pub fn mixed(mixed: &Mixed) -> String {
    let kinds = &mixed.kinds;
    let rates: Vec<f64> = kinds
        .iter()
        .map(|kind| kind.produced as f64 / kind.generated.max(1) as f64)
        .collect();
    let all: f64 = rates.iter().sum();
    let shares: u64 = kinds.iter().map(|kind| kind.share).sum();
    let total = kinds.iter().map(|kind| kind.deals).sum::<u64>().max(1) as f64;
    let mut text =
        String::from("class                 probability  natural   target   result   deals\n");
    for (kind, rate) in kinds.iter().zip(rates) {
        let _ = writeln!(
            text,
            "{:<20} {rate:>12.6} {:>7.2}% {:>7.2}% {:>7.2}% {:>7}",
            kind.name,
            100.0 * rate / all.max(f64::MIN_POSITIVE),
            100.0 * kind.share as f64 / shares as f64,
            100.0 * kind.deals as f64 / total,
            kind.deals,
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
