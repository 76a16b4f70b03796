//! `croupier validate`: does every deal satisfy the condition of a script?

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use engine::{DealFacts, Machine, NoRandom, Options, Prepared, Program};
use formats::{Board, Reader};
use script::plan::{Mode, Plan};
use script::{CompileOptions, Source};

use crate::failure::Failure;

/// Check deals from standard input against the condition of a script.
///
/// Deals may be in any format that dealer reads; other lines are ignored. Exit status: 0 if all deals
/// pass (or there are none), 1 if one fails, 2 for an error.
#[derive(clap::Args)]
pub struct Args {
    /// The script whose condition is checked.
    #[arg(value_name = "FILTER")]
    filter: PathBuf,
    /// File of deals; `-` is standard input.
    #[arg(value_name = "DEALS", default_value = "-")]
    deals: PathBuf,
    /// Print PASS or FAIL for every deal.
    #[arg(short, long)]
    verbose: bool,
    /// Print the failing deals.
    #[arg(short = 'f', long)]
    show_failures: bool,
    /// Go on after the first failure.
    #[arg(short = 'c', long = "continue")]
    go_on: bool,
    /// No summary.
    #[arg(short, long)]
    quiet: bool,
    /// Meaning of the script: v1, v2 or native.
    #[arg(long, value_name = "DIALECT", default_value = "native", value_parser = mode)]
    compat: Mode,
}

/// Reads the name of a dialect.
///
/// # Errors
/// If there is none of that name.
pub fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "v1" => Ok(Mode::V1),
        "exe" => Ok(Mode::Exe),
        "v2" => Ok(Mode::V2),
        "native" => Ok(Mode::Native),
        _ => Err("use v1, exe, v2 or native".into()),
    }
}

/// Errors of the validator have status 2: 1 means that a deal failed.
fn wrong(message: impl std::fmt::Display) -> Failure {
    Failure::usage(message)
}

/// Runs the check.
///
/// # Errors
/// If the script or the deals cannot be read, or the condition cannot be evaluated.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let plan = compile(&args)?;
    let input: Box<dyn Read> = match args.deals.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(
            File::open(&args.deals)
                .map_err(|error| wrong(format!("{}: {error}", args.deals.display())))?,
        ),
    };
    let reader = Reader::new(input).map_err(wrong)?;
    let options = Options {
        opener: plan.settings.opener.unwrap_or(cards::Seat::West),
        ..Options::default()
    };
    let prepared = Prepared::new(&plan, &options);
    let program = Program::new(&plan, plan.condition);
    let mut machine = Machine::new(&prepared, &program);
    let mut tally = Tally {
        passed: 0,
        failed: 0,
        unreadable: 0,
    };
    let mut out = BufWriter::new(io::stdout());
    for board in reader {
        let board = match board {
            Ok(board) => board,
            Err(problem) if problem.io.is_some() => return Err(wrong(problem)),
            Err(problem) => {
                tally.unreadable += 1;
                let _ = writeln!(io::stderr(), "croupier: {problem}");
                continue;
            }
        };
        let passed = judge(&plan, &mut machine, &board, &mut tally)?;
        show(&args, &mut out, &board, passed)?;
        if passed == Some(false) && !args.go_on {
            break;
        }
    }
    out.flush()?;
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

fn compile(args: &Args) -> Result<Plan, Failure> {
    let name = args.filter.display().to_string();
    let text = std::fs::read(&args.filter).map_err(|error| wrong(format!("{name}: {error}")))?;
    let options = CompileOptions {
        mode: args.compat,
        ..CompileOptions::default()
    };
    match script::compile(&Source::new(name, text), &options) {
        Ok((plan, _)) => Ok(plan),
        Err(diagnostics) => {
            for diagnostic in diagnostics {
                let _ = io::stderr().write_all(diagnostic.render().as_bytes());
            }
            Err(Failure {
                message: String::new(),
                status: crate::failure::USAGE,
            })
        }
    }
}

/// Whether the deal satisfies condition and predeal; nothing if the board is not a whole deal.
fn judge(
    plan: &Plan,
    machine: &mut Machine<'_>,
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
    let facts = board
        .tricks
        .map_or_else(DealFacts::new, DealFacts::with_tricks);
    machine.look_at(deal, facts, tally.passed + tally.failed, tally.passed);
    let holds = match plan.condition {
        None => true,
        Some(condition) => {
            let value = machine.evaluate(condition, &mut NoRandom);
            value.map_err(|error| wrong(format!("line {}: {error}", board.line)))? != 0
        }
    };
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
