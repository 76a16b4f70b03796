//! No script makes the compiler overflow its stack, take more than linear time, or panic.

use crate::common;

use common::compile_in;
use croupier_script::plan::{Mode, Node};
use croupier_script::{CompileOptions, ScriptSource, compile};

const MILLION: usize = 1_000_000;

fn first_error(text: impl Into<Vec<u8>>) -> String {
    match compile_in(Mode::Native, text) {
        Ok(_) => "accepted".to_owned(),
        Err(errors) => errors[0].code.to_owned(),
    }
}

#[test]
fn a_million_parentheses() {
    let text = format!("condition {}1{}", "(".repeat(MILLION), ")".repeat(MILLION));
    assert_eq!(first_error(text), "accepted");
    assert_eq!(
        first_error(format!("condition {}1", "(".repeat(MILLION))),
        "E202"
    );
    assert_eq!(
        first_error(format!("condition 1{}", ")".repeat(MILLION))),
        "E202"
    );
}

#[test]
fn a_million_prefixes() {
    let nots = format!("condition {}hcp(north)", "not ".repeat(MILLION));
    assert_eq!(first_error(nots), "accepted");
    let minuses = format!("condition {}hcp(north)", "-".repeat(MILLION));
    assert_eq!(first_error(minuses), "accepted");
}

#[test]
fn a_million_terms() {
    for (term, sign, count) in [
        ("hcp(north)", "+", MILLION),
        ("hcp(north)>3", " and ", MILLION),
        ("hcp(north)", "-", MILLION / 10),
        ("spades(west)", "*", MILLION / 10),
        ("hcp(north)>3", " or ", MILLION / 10),
        ("hcp(south)", "==", MILLION / 10),
        ("hcp(south)", "/", MILLION / 10),
        ("1", "?2:", MILLION / 10),
    ] {
        let text = format!("condition {term}{}", format!("{sign}{term}").repeat(count));
        assert_eq!(first_error(text), "accepted", "{sign}");
    }
}

/// Far more than a linear algorithm needs on a busy machine. A quadratic one needs minutes.
const TIME_LIMIT: std::time::Duration = std::time::Duration::from_secs(40);

#[test]
fn a_quarter_of_a_million_choices_take_linear_time() {
    let count = MILLION / 4;
    for text in [
        format!("condition {}0", "hcp(north)>3?1:".repeat(count)),
        format!(
            "condition {}1{}",
            "hcp(north)>3?".repeat(count),
            ":0".repeat(count)
        ),
        format!(
            "condition {}1{}",
            "(hcp(north)>3?".repeat(count),
            ":0)".repeat(count)
        ),
        format!(
            "condition {}0",
            "hcp(north)>3?not -spades(south) * 2 + 1:".repeat(count / 4)
        ),
    ] {
        let began = std::time::Instant::now();
        let shown = text[..60].to_owned();
        assert_eq!(first_error(text), "accepted", "{shown}");
        assert!(
            began.elapsed() < TIME_LIMIT,
            "{shown}: {:?}",
            began.elapsed()
        );
    }
}

#[test]
fn tens_of_thousands_of_actions_take_linear_time() {
    for (count, piece) in [
        (60_000, "average hcp(north) + "),
        (10_000, "average leadtricks(south, notrump) + "),
    ] {
        let actions: Vec<String> = (0..count).map(|n| format!("{piece}{n}")).collect();
        let hand = "SAK32,HQ54,DJ76,CT98";
        let text = format!("predeal west {hand} action {}", actions.join(",\n"));
        let began = std::time::Instant::now();
        assert_eq!(first_error(text), "accepted", "{piece}");
        assert!(
            began.elapsed() < TIME_LIMIT,
            "{piece}: {:?}",
            began.elapsed()
        );
    }
}

#[test]
fn different_tests_are_one_list() {
    const COUNT: usize = MILLION / 5;
    let tests: Vec<String> = (0..COUNT)
        .map(|n| format!("hcp(north)*{n} != {}", n + 7))
        .collect();
    let text = format!("condition {}", tests.join(" and "));
    let (plan, _) = compile_in(Mode::V1, text).expect("valid");
    let condition = plan.condition.expect("condition");
    assert!(matches!(plan.node(condition), Node::And(items) if items.len() > COUNT / 2));
    assert!(plan.explain().len() < 50_000_000);
}

#[test]
fn ten_megabytes_of_definitions() {
    let mut text = String::from("v0 = hcp(north)\n");
    let mut n = 0;
    while text.len() < 10 << 20 {
        text += &format!("v{} = v{n} + spades(north) * {n}\n", n + 1);
        n += 1;
    }
    text += &format!("condition v{n} > 5");
    let (plan, _) = compile_in(Mode::Native, text).expect("valid");
    assert_eq!(plan.variables.len(), n + 1);
    let _ = plan.expression(plan.condition.expect("condition"));
}

#[test]
fn definitions_that_double_are_shared() {
    let mut text = String::from("v0 = hcp(north) + spades(south)\n");
    for n in 0..200 {
        text += &format!("v{} = v{n} + v{n} * 3\n", n + 1);
    }
    text += "condition v200 > 5";
    let (plan, _) = compile_in(Mode::Native, text.as_str()).expect("valid");
    assert!(plan.nodes.len() < 1000, "{}", plan.nodes.len());
    assert!(plan.explain().len() < 2_000_000);
    // Nodes with random numbers are shared too.
    let random = text.replacen("hcp(north)", "rnd(7)", 1);
    let (plan, _) = compile_in(Mode::Native, random).expect("valid");
    assert!(plan.nodes.len() < 1000, "{}", plan.nodes.len());
}

#[test]
fn ten_megabytes_of_rubbish() {
    for piece in [
        "@",
        "hcp(",
        "shape{",
        "((]",
        "\"",
        "\"\n",
        "$1",
        "x = ",
        "condition ",
        "/*",
        "é",
        "12.345 ",
        "action , ",
    ] {
        let text = piece.repeat((10 << 20) / piece.len());
        let errors = compile_in(Mode::Native, text)
            .map(|_| ())
            .err()
            .unwrap_or_default();
        assert!(errors.len() <= 200, "{piece}: {}", errors.len());
        for error in &errors {
            assert!(error.render().len() < 2_000, "{piece}");
        }
    }
}

#[test]
fn long_shape_lists() {
    let classic = format!(
        "condition shape(north, 4333{})",
        " + any 4432".repeat(MILLION / 4)
    );
    assert_eq!(first_error(classic), "accepted");
    let fd = format!(
        "condition shape{{north, 4333{}}}",
        " + 5M(332)".repeat(MILLION / 8)
    );
    assert_eq!(first_error(fd), "accepted");
    let condition = format!("condition shape{{north, xxxx:s{}>3}}", "+h".repeat(20_000));
    assert_eq!(first_error(condition), "accepted");
    let deep = format!("condition shape{{north, xxxx:{}s}}", "(".repeat(MILLION));
    assert_eq!(first_error(deep), "E416");
}

#[test]
fn declared_texts_that_multiply_themselves() {
    let mut text = String::new();
    for n in 0..9 {
        let next = format!("${} ", n + 1).repeat(10);
        text += &format!("# param {n} = {next}\n");
    }
    text += "# param 9 = 1+\ncondition $0 1\n";
    let errors = compile_in(Mode::Native, text).map(|_| ()).unwrap_err();
    let limit = errors.iter().any(|e| e.message.contains("1048576 bytes"));
    assert!(limit, "{}", errors[0].message);
}

#[test]
fn texts_that_double_themselves() {
    let mut options = CompileOptions::default();
    for n in 0..9 {
        options.script_variables[n] =
            Some(format!("${0} ${0} ${0} ${0} ${0} ${0} ${0} ${0} ", n + 1));
    }
    options.script_variables[9] = Some("x ".repeat(1000));
    let errors = compile(&ScriptSource::new("bomb.dl", "condition $0"), &options).unwrap_err();
    let bomb = errors.iter().find(|e| e.code == "E106").expect("a message");
    assert!(
        bomb.message.contains("more than 1048576 bytes"),
        "{}",
        bomb.message
    );
    options.script_variables[0] = Some("$0".to_owned());
    let errors = compile(&ScriptSource::new("circle.dl", "condition $0"), &options).unwrap_err();
    assert_eq!(errors[0].code, "E106");
}
