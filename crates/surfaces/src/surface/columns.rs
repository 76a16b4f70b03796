//! Comparison of the batch evaluator with the scalar evaluator.

use std::ops::ControlFlow;

use engine::reference::{Found, one_by_one};
use engine::{FastSource, NoDeals, Options, ProducedDeal, RunDeals, RunError, Tally, run};
use script::plan::{Action, Node, Plan};
use shuffle::{FastDealer, Key, Predeal, ShufflePath};

use crate::observed::Observed;
use crate::{Mutator, Surface, seeds};

/// Expressions in both evaluators and with every SIMD instruction set.
pub static COLUMNS: Surface = Surface {
    name: "columns",
    about: "A condition and a value, a line each: the machine that looks at deals one by one, columns on every kind of registers, and three threads find the same deals, values and errors.",
    feed,
    seeds: expressions,
    words: seeds::language,
    inputs: 60,
};

/// Number of deals: two blocks, the second not full.
const DEALS: u64 = 1300;

/// Maximum estimated cost of a value, in nanoseconds. It excludes expressions that use the double-dummy solver.
const MAX_COST: u32 = 100_000;

/// Returns conditions that hold sometimes, with the expressions of the vectors as values, and vice versa.
fn expressions() -> Vec<Vec<u8>> {
    let mut found = seeds::column("crates/engine/tests/data/language/expressions.csv", "expr");
    found.retain(|text| !text.contains("\\n"));
    found = found.into_iter().step_by(10).collect();
    let mut author = ExpressionGenerator(Mutator::new(7, &[]));
    found.extend((0..60).map(|_| author.expression(4)));
    let pairs = found.iter().zip(found.iter().rev());
    pairs
        .map(|(condition, value)| format!("{condition}\n{value}").into_bytes())
        .collect()
}

/// Generator of expressions.
struct ExpressionGenerator(Mutator);

impl ExpressionGenerator {
    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        list[self.0.below(list.len())]
    }

    fn leaf(&mut self) -> String {
        let seat = self.pick(&["north", "east", "south", "west"]);
        let suit = self.pick(&["clubs", "diamonds", "hearts", "spades"]);
        match self.0.below(10) {
            0 => (self.0.below(80) as i64 - 20).to_string(),
            1 => self
                .pick(&[
                    "1000",
                    "2147483647",
                    "(0-2147483647-1)",
                    "70000",
                    "32767",
                    "-129",
                ])
                .to_owned(),
            2 => format!("{suit}({seat})"),
            3 => format!("quality({seat},{suit})"),
            4 => format!("cccc({seat})"),
            5 => format!("hascard({seat},{})", self.pick(&["AS", "2C", "TH", "KD"])),
            6 => {
                let list = self.pick(&[
                    "any 4333 + any 4432",
                    "5xxx - any 5440",
                    "x4x4",
                    "any 6xxx + 7222",
                ]);
                format!("shape({seat},{list})")
            }
            7 => format!("rnd({})", self.0.below(9)),
            8 => {
                let count = self.pick(&[
                    "hcp", "controls", "losers", "top3", "tens", "c13", "pt8", "ltc", "aces",
                ]);
                format!("{count}({seat},{suit})")
            }
            _ => {
                let count = self.pick(&[
                    "hcp", "controls", "losers", "top3", "tens", "c13", "pt8", "ltc", "aces",
                ]);
                format!("{count}({seat})")
            }
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.0.below(5) == 0 {
            return self.leaf();
        }
        let a = self.expression(depth - 1);
        match self.0.below(12) {
            0 => format!("(not {a})"),
            1 => format!("(-{a})"),
            2 => format!("imps({a})"),
            3 => format!("score(vul,x4S,{a})"),
            4 => format!("({a} ? {} : {})", self.leaf(), self.expression(depth - 1)),
            5 => format!("({a} / {})", self.leaf()),
            6 => format!("({a} % {})", self.leaf()),
            _ => {
                let operator =
                    self.pick(&["+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "and", "or"]);
                format!("({a} {operator} {})", self.expression(depth - 1))
            }
        }
    }
}

fn feed(input: &[u8]) -> u64 {
    let Ok(text) = std::str::from_utf8(input) else {
        return 0;
    };
    let (condition, value) = text.split_once('\n').unwrap_or((text, "1"));
    // Words of the language may be written in capitals.
    let small = text.to_ascii_lowercase();
    if text.len() > 2000 {
        return 1;
    }
    let mut observed = Observed::default();
    let draws = small.contains("rnd");
    // An average beside the value would draw another random number.
    let average = if draws { "" } else { ", average vvv" };
    let script = format!("vvv = {value}\ncondition {condition}\naction printoneline(vvv){average}");
    let source = script::ScriptSource::new("columns", script);
    let plan = match script::compile(&source, &script::CompileOptions::default()) {
        Ok((plan, _)) => plan,
        Err(errors) => return observed.note(errors[0].code).number(),
    };
    let asks_a_program = |node: &Node| matches!(node, Node::UserEval { .. });
    if plan.facts.iter().any(|facts| facts.cost > MAX_COST) || plan.nodes.iter().any(asks_a_program)
    {
        return 1;
    }
    if engine::counts_produced(&plan)
        || !matches!(plan.actions.first(), Some(Action::PrintOneLine(Some(_))))
    {
        return 2;
    }
    let key = Key::from_seed(
        input
            .iter()
            .fold(0, |sum, &byte| sum * 31 % 1_000_003 + u64::from(byte)),
    );
    let dealer = FastDealer::new(key, &Predeal::NONE);
    let expected = by_machine(&plan, &dealer);
    for path in ShufflePath::ALL
        .into_iter()
        .filter(|path| path.is_available())
    {
        let found = by_run(&plan, &dealer, 1, path, draws);
        assert_eq!(found, expected, "{path:?} against the machine: {text}");
    }
    let found = by_run(&plan, &dealer, 3, ShufflePath::fastest(), draws);
    assert_eq!(found, expected, "three threads against the machine: {text}");
    for node in &plan.nodes {
        observed.note(std::mem::discriminant(node));
    }
    match expected {
        Ok(found) => observed.about(found.len()),
        Err((_, class)) => observed.note(class),
    };
    observed.number()
}

/// Evaluates one deal after the other.
fn by_machine(plan: &Plan, dealer: &FastDealer) -> Found {
    let Some(Action::PrintOneLine(Some(value))) = plan.actions.first() else {
        unreachable!("looked at before")
    };
    one_by_one(plan, *value, dealer, DEALS)
}

fn by_run(
    plan: &Plan,
    dealer: &FastDealer,
    threads: usize,
    path: ShufflePath,
    draws: bool,
) -> Found {
    let source = FastSource::new(dealer.clone());
    let options = Options {
        generate: DEALS,
        threads,
        path,
        ..Options::default()
    };
    let mut found = Vec::new();
    let mut sink = |deal: &ProducedDeal<'_>| {
        found.push((deal.index, deal.values(0)[0]));
        ControlFlow::Continue(())
    };
    match run(plan, RunDeals::Blocks(&source), &options, &mut sink) {
        Ok(report) => {
            assert_eq!(
                (report.generated, report.produced),
                (DEALS, found.len() as u64)
            );
            if !draws {
                check_average(report.tallies[1].as_ref(), &found);
                // The threads collect the averages themselves, without deals.
                let report = run(plan, RunDeals::Blocks(&source), &options, &mut NoDeals)
                    .expect("as before");
                check_average(report.tallies[1].as_ref(), &found);
            }
            Ok(found)
        }
        Err(RunError::Evaluation { error, deal, .. }) => Err((deal, error.code())),
        Err(error) => panic!("{error}"),
    }
}

fn check_average(tally: Option<&Tally>, found: &[(u64, i32)]) {
    let Some(Tally::Average(average)) = tally else {
        panic!("an average")
    };
    let sum: i128 = found.iter().map(|&(_, value)| i128::from(value)).sum();
    let squares: u128 = found
        .iter()
        .map(|&(_, value)| u128::from(value.unsigned_abs()).pow(2))
        .sum();
    assert_eq!(
        (average.sum, average.squares),
        (sum, squares),
        "the sums of {} values",
        found.len()
    );
}
