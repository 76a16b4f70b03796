//! `croupier validate`: checks that every deal satisfies the condition of a script.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use croupier::formats::Board;
use croupier::script::Dialect;
use croupier::session::{ConditionTester, Error, Job, Session};

use crate::failure::Failure;
use crate::given::{self, BoardIterator};
use crate::scripts;
use crate::values;

/// Check deals from standard input against the condition of a script.
///
/// Deals may be in any format that dealer reads; other lines are ignored. Exit status: 0 if all deals pass (or there
/// are none), 1 if a deal fails, 2 for an error.
#[derive(clap::Args)]
pub struct Args {
    /// Script with the condition to check.
    #[arg(value_name = "FILTER")]
    filter: PathBuf,
    /// File of deals, or a deal; `-` is standard input.
    #[arg(value_name = "DEALS", default_value = "-")]
    deals: PathBuf,
    /// Print PASS or FAIL for every deal.
    #[arg(short, long)]
    verbose: bool,
    /// Print the failing deals.
    #[arg(short = 'f', long)]
    show_failures: bool,
    /// Continue after the first failure.
    #[arg(short = 'c', long = "continue")]
    go_on: bool,
    /// Print no summary.
    #[arg(short, long)]
    quiet: bool,
    /// Dialect in which the script is written.
    #[arg(long, value_name = "DIALECT", default_value = "native", value_parser = values::dialects())]
    compat: Dialect,
}

/// Creates a failure with status 2; status 1 means that a deal failed.
fn error_failure(message: impl std::fmt::Display) -> Failure {
    Failure::usage(message)
}

/// Runs the check.
///
/// # Errors
/// If the script or the deals cannot be read, or the condition cannot be evaluated.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let session = prepare(&args)?;
    let boards = given::open(&args.deals).map_err(Failure::as_usage)?;
    let mut tally = Tally {
        passed: 0,
        failed: 0,
        unreadable: 0,
    };
    session.test_deals(|judge| check(&args, boards, judge, &mut tally))?;
    if !args.quiet {
        tally.report();
    }
    Ok(ExitCode::from(match tally {
        Tally {
            failed: 0,
            unreadable: 0,
            ..
        } => 0,
        Tally { failed: 0, .. } => 2,
        _ => 1,
    }))
}

/// Checks all boards, or the boards up to the first that fails.
fn check(
    args: &Args,
    boards: BoardIterator,
    judge: &mut ConditionTester<'_>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout());
    for board in boards {
        let board = match board {
            Ok(board) => board,
            Err(problem) if problem.io.is_some() => return Err(error_failure(problem)),
            Err(problem) => {
                tally.unreadable += 1;
                let _ = writeln!(io::stderr(), "croupier: {problem}");
                continue;
            }
        };
        let passed = verdict(judge, &board, tally)?;
        show(args, &mut out, &board, passed)?;
        if passed == Some(false) && !args.go_on {
            break;
        }
    }
    Ok(out.flush()?)
}

struct Tally {
    passed: u64,
    failed: u64,
    unreadable: u64,
}

impl Tally {
    fn report(&self) {
        let unreadable = match self.unreadable {
            0 => String::new(),
            n => format!(", {n} unreadable"),
        };
        let _ = writeln!(
            io::stderr(),
            "{} deals: {} passed, {} failed{unreadable}",
            self.passed + self.failed,
            self.passed,
            self.failed
        );
    }
}

fn prepare(args: &Args) -> Result<Session, Failure> {
    let name = args.filter.display().to_string();
    let text = std::fs::read(&args.filter)
        .map_err(|error| Failure::file(&args.filter, &error).as_usage())?;
    let job = Job::new(text).name(name).dialect(args.compat);
    job.imports(scripts::IMPORTS)
        .prepare()
        .map_err(|error| match error {
            Error::Script(diagnostics) => {
                scripts::show(&diagnostics);
                Failure::Reported {
                    status: crate::failure::USAGE,
                }
            }
            other => error_failure(other),
        })
}

/// Returns whether the deal satisfies the condition, or `None` if the board is not a complete deal.
fn verdict(
    judge: &mut ConditionTester<'_>,
    board: &Board,
    tally: &mut Tally,
) -> Result<Option<bool>, Failure> {
    let Some(deal) = board.deal() else {
        tally.unreadable += 1;
        let _ = writeln!(
            io::stderr(),
            "croupier: line {}: not a whole deal",
            board.line
        );
        return Ok(None);
    };
    let holds = judge
        .accepts(&deal, board.tricks)
        .map_err(|error| error_failure(format!("line {}: {error}", board.line)))?;
    if holds {
        tally.passed += 1;
    } else {
        tally.failed += 1;
    }
    Ok(Some(holds))
}

fn show(args: &Args, out: &mut impl Write, board: &Board, passed: Option<bool>) -> io::Result<()> {
    let (Some(passed), Some(deal)) = (passed, board.deal()) else {
        return Ok(());
    };
    if args.verbose {
        writeln!(
            out,
            "{}: {}",
            if passed { "PASS" } else { "FAIL" },
            deal.one_line()
        )
    } else if !passed && args.show_failures {
        writeln!(out, "{}", deal.one_line())
    } else {
        Ok(())
    }
}
