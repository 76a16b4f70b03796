//! Compares the values of the language with the reference programs: every function on 640 deals, expressions, scores,
//! IMPs.

use crate::common;

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::common::{plan, rows};
use cards::{Deal, Seat};
use croupier_engine::{
    DealFacts, FastSource, Machine, NoRandom, Options, PreparedPlan, ProducedDeal, Program,
    RunDeals, RunError, SeriesSource, run,
};
use script::plan::{Action, EsItem, Mode, NodeId, Plan};
use shuffle::{FastDealer, Key, Predeal};

/// Returns the values of the plan's single action for each deal, through the run loop.
fn run_values(plan: &Plan, deals: &[Deal]) -> Result<Vec<Vec<i32>>, RunError> {
    let source = SeriesSource::new(deals.iter().map(|&deal| Ok(deal.into())));
    let mut values = Vec::new();
    let mut sink = |deal: &ProducedDeal<'_>| {
        values.push(deal.values(0).to_vec());
        ControlFlow::Continue(())
    };
    run(
        plan,
        RunDeals::Blocks(&source),
        &Options::default(),
        &mut sink,
    )
    .map(|_| values)
}

/// Returns the values of the plan's single action for each deal, on the scalar machine.
fn machine_values(plan: &Plan, deals: &[Deal]) -> Vec<Vec<i32>> {
    let [Action::PrintEs(items)] = plan.actions.as_slice() else {
        panic!("one printes")
    };
    let nodes: Vec<NodeId> = items
        .iter()
        .map(|item| match item {
            EsItem::Value(node) => *node,
            other => panic!("a value, not {other:?}"),
        })
        .collect();
    let options = Options::default();
    let prepared = PreparedPlan::new(plan, &options);
    let program = Program::new(plan, nodes.iter().copied());
    let mut machine = Machine::new(&prepared, &program);
    deals
        .iter()
        .map(|&deal| {
            machine.set_deal(deal, DealFacts::new(), 0, 0);
            nodes
                .iter()
                .map(|&node| machine.evaluate(node, &mut NoRandom).unwrap())
                .collect()
        })
        .collect()
}

fn one_line(text: &str) -> Deal {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns pairs of a column name of functions.csv and the expressions in it; several values are separated by `/`.
fn columns(seat: &str, dialect: &str) -> Vec<(String, Vec<String>)> {
    let suits = [
        ("s", "spades"),
        ("h", "hearts"),
        ("d", "diamonds"),
        ("c", "clubs"),
    ];
    // v1 has no `ltc`.
    let functions = match dialect {
        "v1" => &["hcp", "controls", "losers"][..],
        _ => &["hcp", "controls", "losers", "ltc"],
    };
    let mut columns = Vec::new();
    let mut add = |name: String, expressions: Vec<String>| columns.push((name, expressions));
    for (letter, suit) in suits {
        add(format!("len_{letter}"), vec![format!("{suit}({seat})")]);
        for function in functions {
            add(
                format!("{function}_{letter}"),
                vec![format!("{function}({seat},{suit})")],
            );
        }
        let counts = (0..10).map(|n| format!("pt{n}({seat},{suit})")).collect();
        add(format!("pt0_9_{letter}"), counts);
        add(
            format!("quality_{letter}_{dialect}"),
            vec![format!("quality({seat},{suit})")],
        );
    }
    for function in functions {
        add((*function).to_owned(), vec![format!("{function}({seat})")]);
    }
    for n in 0..10 {
        add(format!("pt{n}"), vec![format!("pt{n}({seat})")]);
    }
    add(format!("cccc_{dialect}"), vec![format!("cccc({seat})")]);
    columns
}

#[test]
fn every_function_on_640_deals_has_the_value_of_the_reference() {
    let rows = rows("language/functions.csv");
    assert_eq!(rows.len(), 2560);
    for (mode, dialect) in [
        (Mode::V1, "v1"),
        (Mode::Exe, "v1"),
        (Mode::V2, "v2"),
        (Mode::Native, "v2"),
    ] {
        for seat in Seat::ALL {
            let name = seat.name().to_lowercase();
            let rows: Vec<&HashMap<_, _>> = rows.iter().filter(|row| row["seat"] == name).collect();
            let deals: Vec<Deal> = rows.iter().map(|row| one_line(&row["deal"])).collect();
            let columns = columns(&name, dialect);
            let expressions: Vec<&str> = columns
                .iter()
                .flat_map(|(_, list)| list)
                .map(String::as_str)
                .collect();
            let plan = plan(mode, &format!("action printes({})", expressions.join(",")));
            let values = run_values(&plan, &deals).unwrap();
            assert_eq!(values, machine_values(&plan, &deals), "{mode:?} {name}");
            assert_eq!(values.len(), 640);
            for (row, values) in rows.iter().zip(values) {
                let mut values = values.into_iter();
                for (column, list) in &columns {
                    let got: Vec<String> = values
                        .by_ref()
                        .take(list.len())
                        .map(|value| value.to_string())
                        .collect();
                    assert_eq!(
                        got.join("/"),
                        row[column],
                        "{mode:?} {column} {}",
                        row["deal"]
                    );
                }
            }
        }
    }
}

/// Returns the expected result of an expression in a mode: a value or an error code; `None` if the row is about syntax.
fn expected(row: &HashMap<String, String>, mode: Mode) -> Option<String> {
    let is_value = |text: &String| text.parse::<i32>().is_ok() || text.starts_with("E8");
    if !row["croupier"].is_empty() {
        return Some(&row["croupier"])
            .filter(|text| is_value(text))
            .cloned();
    }
    if mode == Mode::Native && has_large_literal(&row["expr"]) {
        // The classic programs wrap such a number; language.md 1.5 rejects it in native mode.
        return Some("E104".to_owned());
    }
    if mode == Mode::Native && is_chain(row) {
        // In native mode `3 > 2 > 1` is a range; the tests of the script crate cover its rules.
        return None;
    }
    let (v1, v2) = (&row["v1"], &row["v2"]);
    let own = match mode {
        Mode::V1 | Mode::Exe => v1,
        Mode::V2 => v2,
        Mode::Native if row["expr"] == "rnd(0)" || !is_value(v1) => v2,
        Mode::Native => v1,
    };
    Some(own).filter(|text| is_value(text)).cloned()
}

/// Returns whether the expression is a chain of comparisons, which causes a warning in the classic dialects.
fn is_chain(row: &HashMap<String, String>) -> bool {
    let text = format!("{}\ncondition {}", row["setup"], row["expr"]).replace("\\n", "\n");
    let options = script::CompileOptions {
        mode: Mode::V1,
        ..Default::default()
    };
    let compiled = script::compile(&script::ScriptSource::new("row", text), &options);
    compiled.is_ok_and(|(_, warnings)| warnings.iter().any(|warning| warning.code == "W05"))
}

/// Returns whether a number in the text does not fit 32 bits.
fn has_large_literal(text: &str) -> bool {
    let numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty());
    numbers
        .into_iter()
        .any(|digits| digits.parse::<i32>().is_err())
}

/// Returns the value of the expression after the setup, on the given deal or on any, as a produced deal prints it.
fn evaluate(row: &HashMap<String, String>, mode: Mode) -> Result<String, String> {
    let unescaped = |field: &str| row[field].replace("\\n", "\n");
    let text = format!(
        "{}\naction printes({})",
        unescaped("setup"),
        unescaped("expr")
    );
    let options = script::CompileOptions {
        mode,
        ..Default::default()
    };
    let plan = match script::compile(&script::ScriptSource::new("row", text.as_str()), &options) {
        Ok((plan, _)) => plan,
        // A constant division by zero is reported before any dealing.
        Err(errors) => return Err(errors[0].code.to_owned()),
    };
    let options = Options {
        generate: 1,
        produce: 1,
        ..Options::default()
    };
    let mut value = None;
    let mut sink = |deal: &ProducedDeal<'_>| {
        value = Some(deal.values(0)[0].to_string());
        ControlFlow::Continue(())
    };
    let fast = FastSource::new(FastDealer::new(Key::from_seed(1), &Predeal::NONE));
    let result = match row["deal"].as_str() {
        "" => run(&plan, RunDeals::Blocks(&fast), &options, &mut sink),
        deal => {
            let source = SeriesSource::new([Ok(one_line(deal).into())].into_iter());
            run(&plan, RunDeals::Blocks(&source), &options, &mut sink)
        }
    };
    match result {
        Ok(_) => Ok(value.expect("one deal was produced")),
        Err(RunError::Evaluation { error, .. }) => Err(error.code().unwrap_or("?").to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn every_expression_has_its_value_in_every_mode() {
    let rows = rows("language/expressions.csv");
    assert_eq!(rows.len(), 537);
    let mut checked = 0;
    for row in &rows {
        for mode in [Mode::V1, Mode::Exe, Mode::V2, Mode::Native] {
            if let Some(expected) = expected(row, mode) {
                let (Ok(got) | Err(got)) = evaluate(row, mode);
                assert_eq!(
                    got, expected,
                    "{mode:?} row {}: {} {}",
                    row["id"], row["setup"], row["expr"]
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 1500, "only {checked} checked");
}

#[test]
fn scores_of_all_contracts_with_any_number_of_tricks() {
    let rows = rows("language/score.csv");
    assert_eq!(rows.len(), 2940);
    for mode in [Mode::V1, Mode::V2, Mode::Native] {
        let mut expressions = Vec::new();
        let mut expected = Vec::new();
        for row in &rows {
            let doubled = "x".repeat(row["doubled"].parse().unwrap());
            if mode == Mode::V1 && !doubled.is_empty() {
                continue;
            }
            // The tricks come from a function of the deal, so that no constant folding occurs.
            expressions.push(format!(
                "score({},x{}{}{doubled},{}+0*hcp(north))",
                row["vul"], row["level"], row["strain"], row["tricks"]
            ));
            let column = if mode == Mode::V1 {
                "score_v1"
            } else {
                "score_v2"
            };
            expected.push(row[column].parse::<i32>().unwrap());
        }
        let deal = one_line(&common::rows("language/functions.csv")[0]["deal"]);
        for (list, expected) in expressions.chunks(200).zip(expected.chunks(200)) {
            let plan = plan(mode, &format!("action printes({})", list.join(",")));
            assert_eq!(run_values(&plan, &[deal]).unwrap(), [expected.to_vec()]);
            assert_eq!(machine_values(&plan, &[deal]), [expected.to_vec()]);
        }
    }
}

#[test]
fn imps_of_every_difference() {
    let rows = rows("language/imps.csv");
    assert_eq!(rows.len(), 1101);
    let deal = one_line(&common::rows("language/functions.csv")[0]["deal"]);
    for (mode, column) in [
        (Mode::V1, "imps_v1"),
        (Mode::V2, "imps_v2"),
        (Mode::Native, "imps_correct"),
    ] {
        for rows in rows.chunks(200) {
            let list: Vec<String> = rows
                .iter()
                .map(|row| format!("imps(0*hcp(north)+({}))", row["diff"]))
                .collect();
            let expected: Vec<i32> = rows
                .iter()
                .map(|row| row[column].parse().unwrap())
                .collect();
            let plan = plan(mode, &format!("action printes({})", list.join(",")));
            assert_eq!(
                run_values(&plan, &[deal]).unwrap(),
                std::slice::from_ref(&expected)
            );
            assert_eq!(machine_values(&plan, &[deal]), [expected]);
        }
    }
}
