//! `croupier shapes`: expands a set of shapes to a list, a count and a probability.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use croupier::cards::{Shape, ShapeSet};
use croupier::formats::number::grouped;
use croupier::script::shape::{FdLengths, expansion, fd};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::failure::Failure;

/// Expand shapes such as 5M(332) + 6m(322): list them, count them, show their probability.
///
/// An expression is the text between the braces of shape{seat, ...} in a script. Without an expression, reads one per
/// line from standard input.
#[derive(clap::Args)]
pub struct Args {
    /// Expression, or a whole shape{seat, ...}.
    #[arg(value_name = "EXPRESSION")]
    expressions: Vec<String>,
    /// Format of the result.
    #[arg(short, long, value_enum, default_value = "text")]
    format: Format,
    /// Also print every shape of the set.
    #[arg(long)]
    list: bool,
    /// Only replace shape{...} by shape(...) in the text, as DealerV2's fdp does (suit lengths up to nine).
    #[arg(long, conflicts_with_all = ["fdpi", "list"])]
    fdp: bool,
    /// Read lines and answer in the form of DealerV2's interactive fdpi.
    #[arg(long, conflicts_with = "list")]
    fdpi: bool,
}

/// Returns the arguments to insert if the program was started under the name of DealerV2's expander: `fdp` for one
/// expression, `fdpi` for a dialogue.
#[must_use]
pub fn as_expander(program: &str) -> Option<[std::ffi::OsString; 2]> {
    match program {
        "fdp" => Some(["shapes".into(), "--fdp".into()]),
        "fdpi" => Some(["shapes".into(), "--fdpi".into()]),
        _ => None,
    }
}

/// Formats of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Text for reading.
    Text,
    /// A header row and one row per expression.
    Csv,
    /// One JSON object per line.
    Json,
}

/// Number of hands of thirteen cards: 52 choose 13.
const HANDS: u64 = 635_013_559_600;

/// Runs the command.
///
/// # Errors
/// If an expression has an error, or the output cannot be written.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    if args.fdpi {
        return interactive(&args, &mut out);
    }
    if args.format == Format::Csv && !args.fdp {
        writeln!(out, "expression,shapes,hands,out_of,probability,list")?;
    }
    if args.expressions.is_empty() {
        for line in io::stdin().lock().lines() {
            let line = line?;
            if args.fdp || !line.trim().is_empty() {
                print_shapes(&args, &line, &mut out)?;
            }
        }
    }
    for expression in &args.expressions {
        print_shapes(&args, expression, &mut out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// An expression as JSON. Numbers of hands are strings, because many JSON readers lose digits of large numbers.
#[derive(Serialize)]
struct ShapesJson<'a> {
    expression: &'a str,
    classic: &'a str,
    shapes: usize,
    hands: String,
    out_of: String,
    /// Probability with twelve digits.
    probability: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<String>>,
}

fn print_shapes(args: &Args, text: &str, out: &mut impl Write) -> Result<(), Failure> {
    if args.fdp {
        let line =
            expansion::expand_line(text).map_err(|errors| expression_failure(text, &errors))?;
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let expression = inner_expression(text);
    let blanked = expression.replace(['\t', '\r', '\n'], " ");
    let found = fd::shapes(blanked.as_bytes(), FdLengths::All)
        .map_err(|errors| expression_failure(expression, &errors))?;
    let classic = expansion::expand(blanked.as_bytes())
        .map_err(|errors| expression_failure(expression, &errors))?
        .to_string();
    let hands = hands_of(&found.set);
    let probability = hands as f64 / HANDS as f64;
    let count = found.set.len();
    match args.format {
        Format::Text => {
            writeln!(
                out,
                "{}",
                if classic.is_empty() {
                    "(no shape)"
                } else {
                    &classic
                }
            )?;
            write!(
                out,
                "{count} of 560 shapes, {} of {} hands",
                grouped(hands.into()),
                grouped(HANDS.into())
            )?;
            writeln!(out, ", {:.4} %{}", 100.0 * probability, one_in(hands))?;
            let short = fd::shapes(blanked.as_bytes(), FdLengths::UpToNine);
            if short.is_ok_and(|short| short.set != found.set) {
                writeln!(
                    out,
                    "(the list stops at nine cards in a suit, as fdp's does; the count does not)"
                )?;
            }
            if args.list {
                writeln!(out, "{}", names(&found.set))?;
            }
        }
        Format::Csv => {
            let list = if args.list {
                names(&found.set)
            } else {
                classic
            };
            let quoted = expression.replace('"', "\"\"");
            writeln!(
                out,
                "\"{quoted}\",{count},{hands},{HANDS},{probability:.12},\"{list}\""
            )?;
        }
        Format::Json => {
            let list = || found.set.iter().map(|shape| shape.to_string()).collect();
            let print_shapes = ShapesJson {
                expression,
                classic: &classic,
                shapes: count,
                hands: hands.to_string(),
                out_of: HANDS.to_string(),
                probability: RawValue::from_string(format!("{probability:.12}"))
                    .map_err(io::Error::from)?,
                list: args.list.then(list),
            };
            serde_json::to_writer(&mut *out, &print_shapes).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    for warning in &found.warnings {
        eprintln!("croupier shapes: {}", warning.message);
    }
    Ok(())
}

/// Runs the dialogue of fdpi.
fn interactive(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    write!(out, "?>")?;
    let lines: Box<dyn Iterator<Item = io::Result<String>>> = if args.expressions.is_empty() {
        Box::new(io::stdin().lock().lines())
    } else {
        Box::new(args.expressions.iter().cloned().map(Ok))
    };
    for line in lines {
        let line = line?;
        if line.starts_with('#') {
            continue;
        }
        writeln!(out, "Parsing:: {line}")?;
        let code = line.split('#').next().unwrap_or("");
        let text =
            expansion::expand_line(code).map_err(|errors| expression_failure(code, &errors))?;
        let length = text.chars().count() + 1;
        let patterns = 1 + text.matches(['+', '-']).count();
        write!(out, "[Length:{length}, patterns: {patterns}] {text}\n\n?>")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the expression inside `shape{seat, ...}`, or the text itself.
fn inner_expression(text: &str) -> &str {
    let trimmed = text.trim();
    let braces = trimmed
        .strip_prefix("shape")
        .and_then(|rest| rest.trim_start().strip_prefix('{'))
        .and_then(|rest| rest.strip_suffix('}'))
        .and_then(|rest| rest.split_once(','));
    match braces {
        Some((_, shapes)) => shapes.trim(),
        None => trimmed,
    }
}

fn expression_failure(text: &str, errors: &[fd::ShapeDiagnostic]) -> Failure {
    let Some(error) = errors.first() else {
        return Failure::runtime("the shape is wrong");
    };
    let before = text.get(..error.range.start).unwrap_or(text);
    let indent: String = before.chars().map(|_| ' ').collect();
    let length = text
        .get(error.range.clone())
        .map_or(1, |t| t.chars().count().max(1));
    Failure::runtime(format!(
        "column {}: error[{}]: {}\n    {text}\n    {indent}{}",
        before.chars().count() + 1,
        error.code,
        error.message,
        "^".repeat(length)
    ))
}

/// Returns the number of hands with one of the shapes. Each shape contributes the product of the numbers of ways to
/// choose the cards of each suit.
fn hands_of(set: &ShapeSet) -> u64 {
    let choose = |n: u8| (0..u64::from(n)).fold(1, |ways, i| ways * (13 - i) / (i + 1));
    let ways = |shape: Shape| shape.lengths().into_iter().map(choose).product::<u64>();
    set.iter().map(ways).sum()
}

fn names(set: &ShapeSet) -> String {
    let name = |shape: Shape| {
        let lengths = shape.lengths().map(|n| n.to_string());
        lengths.join("-")
    };
    set.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn one_in(hands: u64) -> String {
    match hands {
        0 => String::new(),
        _ => format!(", one in {:.2}", HANDS as f64 / hands as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_shapes_are_all_hands() {
        assert_eq!(hands_of(&ShapeSet::full()), HANDS);
        assert_eq!(grouped(HANDS.into()), "635,013,559,600");
    }

    #[test]
    fn braces_are_optional() {
        assert_eq!(inner_expression("shape{north, 5M(332)}"), "5M(332)");
        assert_eq!(inner_expression(" 5M(332) "), "5M(332)");
    }
}
