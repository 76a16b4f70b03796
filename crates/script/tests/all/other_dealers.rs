//! Scripts of dealer3, suokko's dealer, endplay and practice files, and messages about common mistakes.

use croupier_script::plan::{Action, Node, Plan};
use croupier_script::{CompileOptions, Diagnostic, ScriptSource, compile};
use valuation::FourCsVersion;

fn compile_native(text: &str, dealer3: bool) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let options = CompileOptions {
        dealer3,
        ..CompileOptions::default()
    };
    compile(&ScriptSource::new("test.dl", text), &options)
}

fn plan(text: &str, dealer3: bool) -> Plan {
    match compile_native(text, dealer3) {
        Ok((plan, _)) => plan,
        Err(errors) => panic!("{text}\n{}", errors[0].render()),
    }
}

/// Returns the condition of a script in croupier's syntax.
fn condition(text: &str, dealer3: bool) -> String {
    let plan = plan(text, dealer3);
    plan.expression(plan.condition.expect("a condition"))
}

fn errors(text: &str) -> Vec<String> {
    let errors = compile_native(text, false).expect_err(text);
    errors.iter().map(Diagnostic::render).collect()
}

fn warnings(text: &str, dealer3: bool) -> Vec<String> {
    let (_, warnings) = compile_native(text, dealer3).expect(text);
    let codes = warnings.iter().map(|w| w.code.to_owned());
    codes.collect()
}

/// Asserts that the only error of a script contains `part`.
fn assert_message(text: &str, part: &str) {
    let errors = errors(text);
    assert!(
        errors.len() == 1 && errors[0].contains(part),
        "{text}\n{}",
        errors.join("\n")
    );
}

#[test]
fn counts_of_dealer3_are_those_of_v1() {
    use croupier_script::plan::Counter;
    let text = "altcount 0 9\naltcount 1 1 1\naltcount 2 7\naltcount 11 5\ncondition losers(north) > 6 and cccc(north) > 1200";
    let dealer3 = plan(text, true);
    let ace = |counter: Counter| dealer3.counters[counter.index()][12];
    assert_eq!(ace(Counter::Hcp), 9);
    assert_eq!(ace(Counter::Controls), 1);
    assert_eq!(ace(Counter::Pt(0)), 7);
    assert_eq!(ace(Counter::Pt(9)), 5);
    assert_eq!(dealer3.four_cs, FourCsVersion::V1);
    assert!(dealer3.nodes.iter().any(|node| matches!(
        node,
        Node::Losers {
            rule: croupier_script::plan::LoserRule::Tables,
            ..
        }
    )));
    assert_eq!(
        plan("condition cccc(north) > 1200", false).four_cs,
        FourCsVersion::V2
    );
    assert!(warnings(text, true).is_empty());
}

#[test]
fn native_counts_that_differ_from_v1_are_warned_of_once() {
    let text = "altcount 0 9\naltcount 3 1\ncondition cccc(north) > 1200 and quality(south, spades) > 300 and cccc(south) > 3";
    assert_eq!(warnings(text, false), ["W06", "W22"]);
    // A script that uses the counter of native mode was not written for v1.
    assert!(warnings("altcount 9 3 2 1\ncondition pt9(north) > 4", false).is_empty());
    assert_eq!(
        warnings("altcount 9 3 2 1\ncondition pt7(north) > 4", false),
        ["W06"]
    );
    assert!(warnings("pointcount 6 4 2 1\ncondition hcp(north) > 20", false).is_empty());
}

#[test]
fn contracts_by_number_may_be_doubled_and_computed() {
    let score = |contract: &str| {
        let text = format!("condition score(vul, {contract}, hcp(north)) > 100");
        condition(&text, true)
    };
    assert_eq!(score("19"), score("x3N"));
    assert_eq!(score("63"), score("x4Sx"));
    assert_eq!(score("103"), score("x4Sxx"));
    assert_eq!(score("15+notrump"), score("x3N"));
    assert_eq!(score("4 * 5 + spades"), score("x4S"));
    let named = "level_ = 3\nc = level_ * 5 + notrump\ncondition score(vul, c, hcp(north)) > 100";
    assert_eq!(condition(named, true), score("x3N"));
    for wrong in [
        "4",
        "40",
        "125",
        "15 + hcp(north)",
        "15 +",
        "5 * 3 * 100000000",
    ] {
        let text = format!("condition score(vul, {wrong}, hcp(north)) > 100");
        assert!(compile_native(&text, true).is_err(), "{wrong}");
    }
    // A chain of variables that double in size is given up.
    let mut text = String::from("a0 = 1\n");
    for n in 1..60 {
        text += &format!("a{n} = a{0} + a{0}\n", n - 1);
    }
    text += "condition score(vul, a59, hcp(north)) > 100";
    assert!(compile_native(&text, true).is_err());
}

#[test]
fn strains_are_numbers_in_dealer3() {
    assert_eq!(
        condition("x = notrump + 1\ncondition hcp(north) > x + spades", true),
        condition("condition hcp(north) > 8", true)
    );
    assert!(compile_native("condition hcp(north) > notrump", false).is_err());
}

#[test]
fn par_takes_the_side_of_a_seat() {
    assert_eq!(
        condition("condition par(south) > 100", false),
        condition("condition par(NS) > 100", false)
    );
}

#[test]
fn suits_of_ten_cards_are_shapes() {
    let ten = plan("condition shape(north, :111)", false);
    assert_eq!(ten.shapes[0].len(), 1);
    assert_eq!(
        ten.shapes[0].iter().next().unwrap().lengths(),
        [10, 1, 1, 1]
    );
    let any = plan("condition shape(north, any 1:11 + 0xx: - 4333)", false);
    assert_eq!(any.shapes[0].len(), 4 + 4);
    assert!(errors("condition shape(north, :211)")[0].contains("add up to 14"));
}

#[test]
fn names_of_classes_may_look_like_something_else() {
    let text = "HandType_12_14 = hcp(north) < 15\nHandType_B = hcp(north) > 14\nlevel 12_14=2, B\n";
    assert_eq!(
        plan(text, false).settings.level.as_deref(),
        Some("12_14=2,B")
    );
    let text =
        "HandType_Xa = hcp(north) < 15\nLevelType_C = hcp(south) > 14\nlevel Xa*C = 2\ncondition 1";
    assert_eq!(plan(text, false).settings.level.as_deref(), Some("Xa*C=2"));
    assert_message("12_14 = 3\ncondition 12_14 > 2", "cannot be a name");
}

#[test]
fn metric_is_a_name_and_a_function() {
    assert_eq!(
        condition("metric = 4\ncondition metric(zar, north) > metric", false),
        condition("condition metric(zar, north) > 4", false)
    );
    assert_eq!(
        condition("metric = 4\nx = metric\n(hcp(north) > x)", false),
        condition("condition hcp(north) > 4", false)
    );
}

#[test]
fn an_unclosed_title_ends_with_its_line() {
    let text = "title \"Weak twos\ncondition hcp(north) > 3\n";
    assert_eq!(
        plan(text, false).settings.title.as_deref(),
        Some("Weak twos")
    );
    assert_eq!(warnings(text, false), ["W23"]);
}

#[test]
fn averages_with_a_test_are_accepted_with_a_warning() {
    let text = "action average \"points\" (hcp(north), avg > 5000), printall";
    assert_eq!(warnings(text, false), ["W24"]);
    let actions = plan(text, false).actions.clone();
    assert!(matches!(
        actions[..],
        [Action::Average { .. }, Action::PrintAll]
    ));
    assert!(compile_native("action average (hcp(north), 3)", false).is_err());
    assert!(warnings("action average (hcp(north)) + 1", false).is_empty());
}

#[test]
fn evalcontract_without_arguments_counts_tricks_in_every_strain() {
    let plan = plan("action evalcontract,\n", false);
    assert_eq!(plan.actions.len(), 10);
    assert!(
        plan.actions
            .iter()
            .all(|a| matches!(a, Action::Frequency { .. }))
    );
}

#[test]
fn the_value_of_printcompact_needs_no_parentheses() {
    let text =
        "action printcompact hcp(north) + 1, printoneline hcp(south)\ncondition hcp(north) > 3";
    let plan = plan(text, false);
    assert!(matches!(
        plan.actions[..],
        [Action::PrintCompact(Some(_)), Action::PrintOneLine(Some(_))]
    ));
    // A value on the next line is the condition.
    let next = compile_native("action printcompact\nhcp(north) > 3", false)
        .expect("valid")
        .0;
    assert!(next.condition.is_some());
    assert!(matches!(next.actions[..], [Action::PrintCompact(None)]));
}

#[test]
fn practice_scenarios_are_read_from_their_wrapper() {
    let text = "Script,Weak_2\nsetDealerCode(`\nproduce 5\ncondition hcp(north) < 11\n`,\"S\",true)\nScript\nButton,Weak 2,x\n";
    assert_eq!(plan(text, false).settings.produce, Some(5));
    assert_eq!(warnings(text, false), ["W25"]);
    let wrong = text.replace("north", "nroth");
    assert!(errors(&wrong)[0].starts_with("test.dl:4:15"));
}

#[test]
fn messages_suggest_the_right_syntax() {
    assert_message("condition shape(north, 4333 or 4432)", "joined with `+`");
    assert_message("condition shape(north, 5-6xxx)", "shape{north, [5-6]xxx}");
    assert!(compile_native("condition shape{north, [5-6]xxx}", false).is_ok());
    assert_message("condition shape(north, 5-3-3-2)", "separators: `5332`");
    assert_message("condition shape(north, 5+xxx)", "shape{north, 5+xxx}");
    let no_shape_at_all = errors("condition shape(north, 5-6xxxx)");
    assert!(
        !no_shape_at_all[0].contains("braces"),
        "{no_shape_at_all:?}"
    );
    assert_message("produce 10*5\ncondition 1", "takes a number");
    assert_message("action printline", "did you mean `printoneline`?");
    assert_message("if hcp(north)>3 then 1", "condition ? value : other value");
    assert_message("condition if hcp(north)>3 then 1 else 0", "? value :");
    assert_message("a := hcp(north)\ncondition a > 3", "with `=` alone");
    assert_message("condition hcp(NS) > 20", "hcp(north) + hcp(south)");
    assert_message(
        "1ntopen = hcp(north) > 15\ncondition 1ntopen",
        "names begin with a letter",
    );
    assert_message("condition hcp(nroth) > 3", "did you mean `north`?");
    assert_message("condition hcp(north, spaeds) > 3", "did you mean `spades`?");
    assert_message("condition spaeds(north) > 3", "did you mean `spades`?");
    let several = "action printcompact hcp(north), hcp(south)";
    assert_message(several, "print one value; repeat the action");
    let on_two_lines = "action printcompact hcp(north),\nhcp(south) > 3";
    assert!(compile_native(on_two_lines, false).is_ok());
    assert!(compile_native("action printall, hcp(south) > 3", false).is_ok());
    assert_eq!(
        warnings("condition hcp(north) == 15-17", false),
        ["W13", "W21"]
    );
    assert!(warnings("condition hcp(north) == 17-15", false).is_empty());
}

#[test]
fn the_layout_keeps_lines_that_mean_something() {
    for text in [
        "action printcompact hcp(north) + 1, printall\ncondition hcp(north) > 3\n",
        "action printcompact\nhcp(north) > 3\n",
        "printoneline hcp(south)\nhcp(north) > 3\n",
        "HandType_A = hcp(north) > 9\nLevelType_C = hcp(south) > 9\nlevel A*C = 2,\n A*C = 3\nhcp(north) > 3\n",
        "HandType_12_14 = hcp(north) > 9\nlevel 12_14 = 60%\nhcp(north) > 3\n",
    ] {
        let laid_out = String::from_utf8(croupier_script::format(text.as_bytes())).expect("UTF-8");
        let (before, after) = (plan(text, false), plan(&laid_out, false));
        assert_eq!(before.explain(), after.explain(), "{laid_out}");
        assert_eq!(before.settings.level, after.settings.level, "{laid_out}");
    }
}

/// DealerV2 checks the switches after it has read the script.
#[test]
fn a_card_predealt_by_switch_and_script_is_noticed_at_the_end_of_the_script() {
    let mut options = CompileOptions {
        mode: croupier_script::plan::Mode::V2,
        ..CompileOptions::default()
    };
    options.predeal[cards::Seat::North] = Some("SA".to_owned());
    let text = "predeal north SA\ncondition 1\nproduce 1\n";
    let errors = compile(&ScriptSource::new("v2.dl", text), &options).expect_err("dealt twice");
    assert_eq!(
        errors[0].render_classic().as_deref(),
        Some("line 4: Card predealt twice")
    );
}
