//! Syntax of dealer3's scripts, and of expressions that users try, in native mode.

use cards::Seat;
use croupier_script::plan::{Action, Mode, Node, Plan};
use croupier_script::{CompileOptions, Diagnostic, ScriptSource, compile};

fn compile_native(text: &str, dealer3: bool) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let options = CompileOptions {
        dealer3,
        ..CompileOptions::default()
    };
    compile(&ScriptSource::new("test.dl", text), &options)
}

fn native(text: &str) -> Plan {
    match compile_native(text, false) {
        Ok((plan, _)) => plan,
        Err(errors) => panic!("{text}\n{}", errors[0].render()),
    }
}

fn condition(plan: &Plan) -> String {
    plan.expression(plan.condition.expect("a condition"))
}

fn assert_same_condition(text: &str, usual: &str) {
    assert_eq!(
        condition(&native(text)),
        condition(&native(usual)),
        "{text}"
    );
}

fn messages(text: &str) -> Vec<String> {
    match compile_native(text, false) {
        Ok(_) => panic!("accepted: {text}"),
        Err(errors) => errors.iter().map(Diagnostic::render).collect(),
    }
}

fn message(text: &str) -> String {
    messages(text).remove(0)
}

fn warnings(text: &str) -> Vec<String> {
    let (_, warnings) = compile_native(text, false).expect(text);
    warnings.iter().map(Diagnostic::render).collect()
}

#[test]
fn seats_by_letter_and_words_in_any_case() {
    assert_same_condition("hcp(n) >= 15", "hcp(north) >= 15");
    assert_same_condition(
        "HCP(N) >= 15 AND Hearts(S) > 4",
        "hcp(north) >= 15 and hearts(south) > 4",
    );
    assert_same_condition(
        "Condition NOT Shape(e, any 4333)",
        "condition not shape(east, any 4333)",
    );
    assert_same_condition("SHAPE{W, 4+xxx}", "shape{west, 4+xxx}");
    let plan = native("predeal n SAK w HQ\ndealer S\nhcp(e) > 3");
    assert_eq!(plan.predeal[Seat::North].to_string(), "AK...");
    assert_eq!(plan.settings.dealer, Some(cards::Seat::South));
    // A variable keeps its name even if that resembles a word.
    assert_same_condition("HCP = 3\nhcp(north) > HCP", "x = 3\nhcp(north) > x");
    assert_same_condition("x = 1; HCP = 3; hcp(north) > HCP", "x = 3\nhcp(north) > x");
    // The classic programs accept none of these.
    for mode in [Mode::V1, Mode::V2] {
        let options = CompileOptions {
            mode,
            ..CompileOptions::default()
        };
        assert!(compile(&ScriptSource::new("old.dl", "hcp(n) > 3"), &options).is_err());
    }
}

#[test]
fn semicolons_and_actions_by_themselves() {
    let plan =
        native("x = hcp(north); condition x > 10; produce 5;\naverage \"points\" x\nprintoneline");
    assert_eq!(plan.settings.produce, Some(5));
    assert!(matches!(
        plan.actions[..],
        [Action::Average { .. }, Action::PrintOneLine(None)]
    ));
    assert!(plan.prints_deals);
    // The further actions are added to the list. A minus after `;` does not begin a subtraction.
    let plan = native("action printall; csvrpt(n, ns, deal)");
    assert_eq!(plan.actions.len(), 2);
    assert_same_condition("x = 10; -3 < hcp(n) and x > 0", "-3 < hcp(north)");
}

#[test]
fn strains_contracts_and_vulnerability_by_number() {
    assert_same_condition("tricks(south, 3) > 9", "tricks(south, spades) > 9");
    assert_same_condition("tricks(s, notrump) > 8", "dds(south, 4) > 8");
    assert_same_condition(
        "score(0, 19, tricks(n, 4)) > 0",
        "score(nv, x3N, tricks(north, notrump)) > 0",
    );
    assert_same_condition("score(1, 34, 12) == 1440 and hcp(n) > 3", "hcp(north) > 3");
    assert!(matches!(
        native("printside(ns)").actions[..],
        [Action::PrintSide(_)]
    ));
}

#[test]
fn parameters_declared_in_comments() {
    let text = "# param 0 = west   # who opens\n// Param $1 = 15\ncondition hcp($0) >= $1\n";
    assert_same_condition(text, "hcp(west) >= 15");
    let options = CompileOptions {
        script_variables: std::array::from_fn(|n| (n == 1).then(|| "20".to_owned())),
        ..CompileOptions::default()
    };
    let (plan, _) = compile(&ScriptSource::new("test.dl", text), &options).expect("right");
    assert_eq!(condition(&plan), "hcp(west) >= 20");
    let listed = croupier_script::parameters(text.as_bytes());
    assert_eq!(listed[0].description.as_deref(), Some("who opens"));
    assert!(listed.iter().all(|parameter| parameter.used));
    // Comments that only resemble declarations stay comments.
    assert!(
        croupier_script::parameters(b"# parameters 0 = x\n# Param: y\n#param 12 = z\n").is_empty()
    );
}

#[test]
fn a_parameter_without_text_or_use_is_reported() {
    assert!(
        compile_native("average $2 hcp(north)", true).unwrap_err()[0]
            .message
            .contains("`# param 2 = text`")
    );
    let options = CompileOptions {
        script_variables: std::array::from_fn(|n| (n == 2).then(|| "file.dl".to_owned())),
        ..CompileOptions::default()
    };
    let (_, warnings) =
        compile(&ScriptSource::new("test.dl", "hcp(north) > 3"), &options).expect("right");
    assert!(
        warnings[0].message.contains("has no `$2`"),
        "{}",
        warnings[0].message
    );
    assert!(message("usereval(12, NS, $3) > 5").contains("`$3` stands for nothing"));
    // There is one error, and none about the remaining text.
    let lacking = messages("shape{north, $4}");
    assert_eq!(lacking.len(), 1, "{lacking:?}");
    assert!(lacking[0].contains("`$4` stands for nothing"));
}

fn has(text: &str, code: &str) -> bool {
    warnings(text).iter().any(|warning| warning.contains(code))
}

#[test]
fn chained_comparisons_are_a_range() {
    assert_same_condition(
        "15 <= hcp(north) <= 17",
        "hcp(north) >= 15 and hcp(north) <= 17",
    );
    assert_same_condition(
        "17 >= hcp(north) > 14",
        "hcp(north) <= 17 and hcp(north) > 14",
    );
    assert_same_condition(
        "1 < spades(n) <= hearts(n) < 6",
        "spades(north) > 1 and spades(north) <= hearts(north) and hearts(north) < 6",
    );
    assert!(warnings("condition 15 <= hcp(north) <= 17").is_empty());
    // Comparisons in opposite directions and equalities are not ranges: they keep their classic meaning and warning.
    assert!(has("condition spades(n) == hearts(n) == 4", "W05"));
    assert!(has("condition 3 < spades(n) > 5", "W05"));
    assert!(has("condition not hcp(n) > 5", "W03"));
}

#[test]
fn dealer3_has_its_own_operator_grouping() {
    let as_dealer3 = |text: &str| condition(&compile_native(text, true).expect(text).0);
    assert_eq!(as_dealer3("not hcp(n) > 5"), "hcp(north) <= 5");
    assert_eq!(
        as_dealer3("not hcp(n) > 5 and spades(n) > 3"),
        as_dealer3("hcp(n) <= 5 and spades(n) > 3")
    );
    assert_eq!(as_dealer3("not not hcp(n) > 5"), "hcp(north) > 5");
    assert_eq!(
        as_dealer3("spades(n) == hearts(n) == 4"),
        as_dealer3("spades(n) == hearts(n) and hearts(n) == 4")
    );
    assert_eq!(
        as_dealer3("100 * not hascard(n, AS) > 50"),
        as_dealer3("100 * (not hascard(n, AS)) > 50")
    );
}

#[test]
fn functions_of_other_dealers_are_accepted() {
    assert_same_condition(
        "abs(hcp(n) - hcp(s)) <= 2",
        "abs(hcp(north) - hcp(south)) <= 2",
    );
    assert!(
        native("abs(hcp(n) - hcp(s)) <= 2")
            .nodes
            .iter()
            .any(|node| matches!(node, Node::Abs(_)))
    );
    assert_eq!(
        condition(&native("abs(-3) + hcp(n) > 5")),
        "3 + hcp(north) > 5"
    );
    assert_same_condition(
        "balanced(n)",
        "shape(north, any 4333 + any 4432 + any 5332)",
    );
    // Both words can be variables, as in many old scripts.
    native("balanced = shape(south, any 4333)\nabs = 3\ncondition balanced and hcp(south) > abs");
    assert!(
        message("leadtricks(south, notrump) > 3").contains("west leads when south is the declarer")
    );
    // One action for each lead: the nine highest cards of sequences.
    let plan =
        native("predeal west SAQ4, HJ, DKJ6543, C632\ncondition leadtricks(south, notrump) > 3");
    let leads = |node: &&Node| matches!(node, Node::LeadTricks(_, _, Some(_)));
    assert_eq!(plan.nodes.iter().filter(leads).count(), 9);
    assert!(message("length(north, spades) > 3").contains("spades(north)"));
    assert!(message("spads(south) > 3").contains("did you mean `spades`?"));
    assert!(message("dds(south) > 3").contains("a suit or notrump is missing"));
}

#[test]
fn strings_over_lines_and_unclosed_ones() {
    let plan = native("action average \"two\nlines\" hcp(north)");
    assert!(
        matches!(&plan.actions[0], Action::Average { label: Some(text), .. } if text == "two\nlines")
    );
    assert!(message("average \"open\naverage \"x\" hcp(north)").contains("E102"));
    let v2 = CompileOptions {
        mode: Mode::V2,
        ..CompileOptions::default()
    };
    let (plan, _) = compile(
        &ScriptSource::new("v2.dl", "title \"open\ncondition hcp(north) > 3\n"),
        &v2,
    )
    .expect("v2 ends it with the line");
    assert_eq!(plan.settings.title.as_deref(), Some("open"));
    assert_same_condition("shape(north, , 5332)", "shape(north, 5332)");
}

#[test]
fn limits_of_the_script_win_over_imported_ones() {
    struct Imported;
    impl croupier_script::Loader for Imported {
        fn load(
            &self,
            _: &str,
            path: &str,
        ) -> Result<croupier_script::Loaded, croupier_script::LoadError> {
            Ok(croupier_script::Loaded {
                identity: path.to_owned(),
                source: ScriptSource::new(path, "produce 7\n"),
            })
        }
    }
    let options = CompileOptions {
        loader: &Imported,
        ..CompileOptions::default()
    };
    for text in [
        "import \"lib.dl\"\nproduce 3\n",
        "produce 3\nimport \"lib.dl\"\n",
    ] {
        let (plan, warnings) =
            compile(&ScriptSource::new("main.dl", text), &options).expect("right");
        assert_eq!(plan.settings.produce, Some(3), "{text}");
        assert!(
            warnings[0].message.contains("main.dl"),
            "{}",
            warnings[0].message
        );
    }
}

#[test]
fn shares_of_classes_are_numbers() {
    native("HandType_A = hcp(n) > 10\nHandType_A_Share = 4\nLevelType_B = 1\ncondition 1");
    assert!(message("HandType_A = 1\nHandType_A_Share = hcp(n)\ncondition 1").contains("E706"));
}

#[test]
fn messages_name_the_missing_part() {
    assert!(
        message("action printrpt(deal, trix)")
            .contains("`trix` needs its arguments: trix(compass) or trix(deal)")
    );
    assert!(message("action printrpt(hcp(north), )").contains("a term is missing before this `)`"));
    assert!(message("action frequency (hcp(north), 0, 2+3)").contains("plain numbers"));
    assert!(message("[Event \"x\"]\n[Deal \"N:...\"]").contains("this is a PBN file"));
    assert!(message("pn|a,b,c,d|md|3S").contains("this is a LIN file"));
    assert!(warnings("seed 0\ncondition hcp(n) > 3")[0].contains("W18"));
    assert!(warnings("action bktfreq \"b\" (hcp(south), 0, 12, 5)")[0].contains("10 to 14"));
    assert!(warnings("action bktfreq \"b\" (hcp(south), 0, 40, 5)").is_empty());
}

#[test]
fn unused_names_are_summed_up() {
    let mut text = String::new();
    for n in 0..20 {
        text += &format!("v{n} = hcp(north) + {n}\n");
    }
    let said = warnings(&(text + "condition hcp(south) > 3\n"));
    assert_eq!(said.len(), 1);
    assert!(said[0].contains("and 19 more"), "{}", said[0]);
}
