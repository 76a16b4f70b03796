//! Random expressions: our compiler against an evaluator written for this test, and against Debian's dealer.

use crate::common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::constant;
use croupier_script::plan::Mode;
use proptest::prelude::*;

/// Operators and their levels in v1 and v2, loosest first.
const OPERATORS: &[(&str, u8, u8)] = &[
    ("or", 2, 2),
    ("||", 2, 2),
    ("and", 3, 3),
    ("&&", 3, 3),
    ("==", 4, 4),
    ("!=", 4, 5),
    ("<", 6, 6),
    ("<=", 6, 7),
    (">", 6, 8),
    (">=", 6, 9),
    ("+", 10, 10),
    ("-", 10, 10),
    ("*", 11, 11),
    ("/", 11, 12),
    ("%", 11, 13),
];

/// An operand of an expression.
#[derive(Clone, Debug)]
enum Operand {
    Number(i32),
    Group(Box<Ungrouped>),
    Not(Box<Operand>),
    Imps(Box<Ungrouped>),
}

/// Operands with operators between them, before grouping, and perhaps `? yes : no` at the end.
#[derive(Clone, Debug)]
struct Ungrouped {
    first: Operand,
    rest: Vec<(usize, Operand)>,
    choice: Option<Box<(Ungrouped, Ungrouped)>>,
}

fn operand_text(part: &Operand) -> String {
    match part {
        Operand::Number(n) => n.to_string(),
        Operand::Group(flat) => format!("({})", text(flat)),
        Operand::Not(part) => format!("not {}", operand_text(part)),
        Operand::Imps(flat) => format!("imps({})", text(flat)),
    }
}

fn text(flat: &Ungrouped) -> String {
    let mut out = operand_text(&flat.first);
    for (operator, part) in &flat.rest {
        out += &format!(" {} {}", OPERATORS[*operator].0, operand_text(part));
    }
    if let Some(choice) = &flat.choice {
        out += &format!(" ? {} : {}", text(&choice.0), text(&choice.1));
    }
    out
}

fn imps(difference: i32, v2: bool) -> i32 {
    if v2 {
        cards::scoring::imps_dealer_v2(difference)
    } else {
        cards::scoring::imps(difference)
    }
}

fn operand_value(part: &Operand, mode: Mode) -> Option<i32> {
    Some(match part {
        Operand::Number(n) => *n,
        Operand::Group(flat) => value(flat, mode)?,
        Operand::Not(part) => i32::from(operand_value(part, mode)? == 0),
        Operand::Imps(flat) => imps(value(flat, mode)?, mode == Mode::V2),
    })
}

/// Returns the value; none if a division fails.
fn value(flat: &Ungrouped, mode: Mode) -> Option<i32> {
    let test = chain_value(&flat.first, &flat.rest, mode)?;
    match &flat.choice {
        None => Some(test),
        Some(choice) if test != 0 => value(&choice.0, mode),
        Some(choice) => value(&choice.1, mode),
    }
}

/// The level of the comparisons in v1.
const COMPARISONS: u8 = 6;

fn compare(sign: &str, a: i32, b: i32) -> bool {
    match sign {
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        _ => a >= b,
    }
}

/// Splits at the loosest operator, the last one of its level, and evaluates both sides.
fn chain_value(first: &Operand, rest: &[(usize, Operand)], mode: Mode) -> Option<i32> {
    let level = |operator: usize| {
        let (_, one, two) = OPERATORS[operator];
        if mode == Mode::V2 { two } else { one }
    };
    let Some(loosest) = rest.iter().map(|(operator, _)| level(*operator)).min() else {
        return operand_value(first, mode);
    };
    let at = rest
        .iter()
        .rposition(|(operator, _)| level(*operator) == loosest)?;
    let (operator, right_first) = &rest[at];
    let left = || chain_value(first, &rest[..at], mode);
    let right = || chain_value(right_first, &rest[at + 1..], mode);
    let truth = |b: bool| Some(i32::from(b));
    // In native mode `a < b < c` is a range: the comparison before this one, in the same direction, must hold too.
    let way = |operator: usize| OPERATORS[operator].0.as_bytes()[0];
    let before = rest[..at]
        .iter()
        .rposition(|(earlier, _)| level(*earlier) == loosest && loosest == COMPARISONS)
        .filter(|&before| mode == Mode::Native && way(rest[before].0) == way(*operator));
    if let Some(before) = before {
        let middle = || chain_value(&rest[before].1, &rest[before + 1..at], mode);
        let sign = OPERATORS[*operator].0;
        return truth(left()? != 0 && compare(sign, middle()?, right()?));
    }
    match OPERATORS[*operator].0 {
        "or" | "||" => truth(left()? != 0 || right()? != 0),
        "and" | "&&" => truth(left()? != 0 && right()? != 0),
        sign => {
            let (a, b) = (left()?, right()?);
            match sign {
                "==" => truth(a == b),
                "!=" => truth(a != b),
                "<" | "<=" | ">" | ">=" => truth(compare(sign, a, b)),
                "+" => Some(a.wrapping_add(b)),
                "-" => Some(a.wrapping_sub(b)),
                "*" => Some(a.wrapping_mul(b)),
                "/" => a.checked_div(b),
                _ => a.checked_rem(b),
            }
        }
    }
}

fn expressions() -> impl Strategy<Value = Ungrouped> {
    let number = prop_oneof![6 => -99..100_i32, 1 => Just(46341), 1 => Just(i32::MAX)];
    let leaf = number.prop_map(|n| Ungrouped {
        first: Operand::Number(n),
        rest: Vec::new(),
        choice: None,
    });
    leaf.prop_recursive(4, 40, 5, |inner| {
        let part = prop_oneof![
            4 => (-99..100_i32).prop_map(Operand::Number),
            1 => inner.clone().prop_map(|f| Operand::Group(Box::new(f))),
            1 => inner.clone().prop_map(|f| Operand::Not(Box::new(Operand::Group(Box::new(f))))),
            1 => (0..9_i32).prop_map(|n| Operand::Not(Box::new(Operand::Number(n)))),
            1 => inner.clone().prop_map(|f| Operand::Imps(Box::new(f))),
        ];
        let operators = 0..OPERATORS.len();
        let choice = prop::option::weighted(0.2, (inner.clone(), inner));
        (
            part.clone(),
            prop::collection::vec((operators, part), 0..5),
            choice,
        )
            .prop_map(|(first, rest, choice)| Ungrouped {
                first,
                rest,
                choice: choice.map(Box::new),
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn constants_fold_as_in_the_tables(flat in expressions()) {
        let text = text(&flat);
        for mode in [Mode::V1, Mode::Native, Mode::V2] {
            let got = constant(mode, "", &text);
            match value(&flat, mode) {
                Some(expected) => prop_assert_eq!(got, Ok(expected), "{:?} {}", mode, text),
                None => prop_assert!(
                    matches!(got.as_ref().map_err(String::as_str), Err("E801" | "E802")),
                    "{:?} {}: {:?}", mode, text, got
                ),
            }
        }
    }
}

/// Returns the values of expressions computed by Debian's dealer.
fn values_from_debian_dealer(expressions: &[String]) -> Vec<i32> {
    let list = expressions.join(",\\n,");
    let script = format!("produce 1\naction printes({list},\\n)\n");
    let mut dealer = Command::new("/usr/games/dealer")
        .args(["-v", "-s", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test needs Debian's dealer at /usr/games/dealer: apt-get install dealer");
    let mut stdin = dealer.stdin.take().expect("pipe");
    stdin.write_all(script.as_bytes()).expect("write");
    drop(stdin);
    let output = dealer.wait_with_output().expect("output");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .map(|line| line.parse().expect("a number"))
        .collect()
}

#[test]
fn values_equal_those_of_debians_dealer() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut texts = Vec::new();
    while texts.len() < 400 {
        let flat = expressions().new_tree(&mut runner).expect("tree").current();
        if value(&flat, Mode::V1).is_some() {
            texts.push(text(&flat));
        }
    }
    let theirs = values_from_debian_dealer(&texts);
    assert_eq!(theirs.len(), texts.len());
    for (text, theirs) in texts.iter().zip(theirs) {
        assert_eq!(constant(Mode::V1, "", text), Ok(theirs), "{text}");
    }
}
