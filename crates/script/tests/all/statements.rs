//! The meaning of statements and words, as far as the test vectors do not cover it.

use crate::common;

use std::collections::HashMap;

use cards::{Seat, Vulnerability};
use common::{compile_in, constant};
use croupier_script::plan::{Action, Counter, LoserRule, Mode, Node, Plan, SideOrSeat};
use croupier_script::{CompileOptions, Diagnostic, Loaded, Loader, ScriptSource, compile};

fn plan(mode: Mode, text: &str) -> Plan {
    match compile_in(mode, text) {
        Ok((plan, _)) => plan,
        Err(errors) => panic!("{text}\n{}", errors[0].render()),
    }
}

fn errors(mode: Mode, text: &str) -> Vec<Diagnostic> {
    compile_in(mode, text).map(|_| ()).expect_err(text)
}

fn condition(plan: &Plan) -> &Node {
    plan.node(plan.condition.expect("condition"))
}

#[test]
fn settings_are_read_from_the_script() {
    let plan = plan(
        Mode::Native,
        "produce 0 produce 7 generate 100 seed 99 title \"a title\" dealer east vulnerable Both\n\
         opener south startboard 5",
    );
    let settings = &plan.settings;
    assert_eq!(settings.produce, Some(7));
    assert_eq!(settings.generate, Some(100));
    assert_eq!(settings.seed, Some(99));
    assert_eq!(settings.title.as_deref(), Some("a title"));
    assert_eq!(settings.dealer, Some(Seat::East));
    assert_eq!(settings.vulnerable, Some(Vulnerability::Both));
    assert_eq!(settings.opener, Some(Seat::South));
    assert_eq!(settings.start_board, Some(5));
    assert_eq!(plan.actions, [Action::PrintAll]);
    assert!(plan.prints_deals);
}

#[test]
fn a_replaced_action_list_still_counts_as_printing() {
    let replaced = plan(Mode::V1, "action printall action average hcp(north)");
    assert!(replaced.prints_deals && replaced.actions.len() == 1);
    let empty = plan(Mode::V1, "action");
    assert!(!empty.prints_deals && empty.actions.is_empty());
    assert!(!plan(Mode::V2, "action export(NS), evalcontract(NS, z3N, vul),").prints_deals);
}

#[test]
fn dealer_v2_reads_values_in_its_scanner() {
    let plan = plan(Mode::V2, "produce +2 dealer North east vulnerable both");
    assert_eq!(plan.settings.produce, Some(2));
    assert_eq!(plan.settings.dealer, Some(Seat::East));
    assert_eq!(plan.settings.vulnerable, Some(Vulnerability::None));
    assert_eq!(plan.echo, b"+North");
    assert_eq!(errors(Mode::Native, "produce +2")[0].code, "E206");
}

#[test]
fn classic_scanners_copy_letters_of_comments() {
    let text = "/* EOF marker <here> FOE *E */ condition 1";
    assert_eq!(plan(Mode::V1, text).echo, b"EOF<>FOEE");
    assert_eq!(plan(Mode::Native, text).echo, b"");
}

#[test]
fn altcount_is_shifted_in_v1() {
    let shifted = plan(Mode::V1, "altcount 2 9 8 pointcount 1 altcount 1 2 1 1");
    assert_eq!(shifted.counter(Counter::Pt(0))[12], 9);
    assert_eq!(shifted.counter(Counter::Hcp)[12], 1);
    assert_eq!(shifted.counter(Counter::Hcp)[11], 0);
    assert_eq!(shifted.counter(Counter::Controls)[10], 1);
    let direct = plan(Mode::V2, "altcount 2 9 8 altcount 10 5");
    assert_eq!(direct.counter(Counter::Pt(2))[12], 9);
    assert_eq!(direct.counter(Counter::Hcp)[12], 5);
}

#[test]
fn losers_follow_the_tables_in_v1() {
    let rule = |mode, text: &str| match condition(&plan(mode, text)) {
        Node::Binary { left, .. } => match plan(mode, text).node(*left) {
            Node::Losers { rule, .. } => *rule,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let changed = "altcount 1 1 1 condition losers(north) > 6";
    assert_eq!(rule(Mode::V1, changed), LoserRule::Tables);
    assert_eq!(rule(Mode::V2, changed), LoserRule::Cards);
    assert_eq!(
        rule(Mode::V1, "condition losers(north) > 6"),
        LoserRule::Cards
    );
    let outside = "altcount 1 5 1 condition losers(north) > 6";
    assert_eq!(errors(Mode::V1, outside)[0].code, "E603");
    assert!(compile_in(Mode::V1, "altcount 1 5 1 condition hcp(north) > 6").is_ok());
}

#[test]
fn words_of_v2_and_new_ones_can_be_variables() {
    for word in [
        "par", "deal", "both", "ltc", "seed", "title", "import", "metric", "level", "z3N", "x3Nx",
    ] {
        let got = constant(Mode::Native, &format!("{word}=4"), &format!("{word}+1"));
        assert_eq!(got, Ok(5), "{word}");
    }
    // `par(NS)` still calls the function, although `par` is a variable.
    let plan = plan(Mode::Native, "par = 4 condition par(NS) > par * 100");
    assert!(plan.nodes.iter().any(|n| matches!(n, Node::Par(..))));
}

#[test]
fn level_statements_are_read_with_their_shares() {
    let text = "HandType_Game = hcp(north) > 12\nslam = hcp(north) > 17\ncondition 1\n";
    let given = plan(Mode::Native, &format!("{text}level Game = 2, slam"));
    assert_eq!(given.settings.level.as_deref(), Some("Game=2,slam"));
    assert_eq!(
        plan(Mode::Native, &format!("level\n{text}"))
            .settings
            .level
            .as_deref(),
        Some("")
    );
    let wrong = errors(Mode::Native, &format!("{text}level Gane = 2"));
    assert_eq!(wrong[0].code, "E301");
    assert!(wrong[0].message.contains("`Game`"), "{}", wrong[0].message);
    assert_eq!(
        errors(Mode::Native, &format!("{text}level Game = 0"))[0].code,
        "E201"
    );
}

#[test]
fn dealer_v2_takes_value_words_without_a_blank_as_names() {
    assert_eq!(constant(Mode::V2, "generate=4", "generate+1"), Ok(5));
}

#[test]
fn metrics_by_name() {
    let plan = plan(
        Mode::Native,
        "condition metric(zar, EW, notrump) > 26 and metric(Bergen, north) > 12",
    );
    let evaluations: Vec<&Node> = plan
        .nodes
        .iter()
        .filter(|n| matches!(n, Node::UserEval { .. }))
        .collect();
    assert_eq!(evaluations.len(), 2);
    let zar = Node::UserEval {
        tag: 12,
        subject: SideOrSeat::Side(cards::Side::EastWest),
        strain: None,
        index: 0,
    };
    assert!(evaluations.contains(&&zar), "{evaluations:?}");
    let wrong = errors(Mode::Native, "condition metric(bergan, NS) > 3");
    assert_eq!(wrong[0].code, "E306");
    assert!(
        wrong[0].message.contains("`bergen`"),
        "{}",
        wrong[0].message
    );
}

#[test]
fn double_dummy_comparisons_become_thresholds() {
    for (text, negated, count) in [
        ("dds(south, hearts) >= 10", false, 10),
        ("dds(south, hearts) > 9", false, 10),
        ("10 <= tricks(south, hearts)", false, 10),
        ("dds(south, hearts) < 10", true, 10),
        ("not dds(south, hearts) <= 9", false, 0),
    ] {
        let plan = plan(Mode::Native, &format!("condition {text}"));
        let node = match condition(&plan) {
            Node::Not(inner) if negated => plan.node(*inner),
            node => node,
        };
        if count > 0 {
            let expected = Node::TricksAtLeast(Seat::South, cards::Strain::Hearts, count);
            assert_eq!(node, &expected, "{text}");
        }
    }
}

#[test]
fn an_exact_number_of_tricks_is_two_thresholds() {
    for (text, clauses) in [
        (
            "dds(south, hearts) == 9",
            &["dds(south, hearts) >= 9", "not (dds(south, hearts) >= 10)"][..],
        ),
        ("dds(south, hearts) == 13", &["dds(south, hearts) >= 13"]),
        (
            "dds(south, hearts) == 0",
            &["not (dds(south, hearts) >= 1)"],
        ),
    ] {
        let plan = plan(Mode::Native, &format!("condition {text}"));
        let found: Vec<String> = plan
            .clauses()
            .iter()
            .map(|&clause| plan.expression(clause))
            .collect();
        assert_eq!(found, clauses, "{text}");
    }
    let plan = plan(Mode::Native, "condition dds(south, hearts) != 9");
    assert!(matches!(condition(&plan), Node::Not(_) | Node::Or(_)));
}

#[test]
fn tests_are_ordered_by_cost_unless_the_order_has_an_effect() {
    let texts = |mode, text: &str| {
        let plan = plan(mode, text);
        plan.clauses()
            .iter()
            .map(|&c| plan.expression(c))
            .collect::<Vec<_>>()
    };
    let script = "condition dds(south, hearts) >= 10 and cccc(north) > 1500 and hearts(south) > 4";
    assert_eq!(
        texts(Mode::Native, script),
        [
            "hearts(south) > 4",
            "cccc(north) > 1500",
            "dds(south, hearts) >= 10"
        ]
    );
    assert_eq!(
        texts(Mode::V2, script),
        [
            "dds(south, hearts) >= 10",
            "cccc(north) > 1500",
            "hearts(south) > 4"
        ]
    );
    assert_eq!(
        texts(
            Mode::Native,
            "condition cccc(north) > 1500 and rnd(2) and hearts(south) > 4"
        )[0],
        "cccc(north) > 1500"
    );
    let guarded = "condition spades(north) > 0 and 12 / spades(north) > 2 and clubs(north) > 1";
    assert_eq!(texts(Mode::Native, guarded)[0], "spades(north) > 0");
}

#[test]
fn random_values_are_not_folded() {
    let plan = plan(Mode::Native, "y = rnd(1000) condition y == y");
    assert!(matches!(condition(&plan), Node::Binary { .. }));
}

#[test]
fn all_errors_are_reported_in_reading_order() {
    let text = "condition hcp(nort) > 3\nx = shape(north, 5333)\npredeal north SAA\naction printal, average hpc(north)\n";
    let codes: Vec<(&str, u32)> = errors(Mode::Native, text)
        .iter()
        .filter(|d| d.code.starts_with('E'))
        .map(|d| (d.code, d.place.line))
        .collect();
    assert_eq!(
        codes,
        [
            ("E306", 1),
            ("E401", 2),
            ("E507", 3),
            ("E704", 4),
            ("E302", 4)
        ]
    );
}

#[test]
fn the_caret_stands_under_the_token() {
    let wrong = errors(Mode::Native, "\tcondition \t\"é\" hcp(q)");
    assert_eq!(
        wrong[0].render(),
        "script.dl:1:13: error[E201]: the string \"é\" does not fit here; expected a value: a number, a variable, a \
         function or `(`\n    1 | \tcondition \t\"é\" hcp(q)\n      | \t          \t^^^\n"
    );
    let coloured = wrong[0].render_coloured();
    assert!(coloured.contains("\x1b[1;31merror[E201]"), "{coloured:?}");
    let crlf = errors(Mode::Native, "condition hcp(q)\r\n");
    assert!(!crlf[0].render().contains('\r'));
}

#[test]
fn script_variables() {
    let mut options = CompileOptions::default();
    options.script_variables[1] = Some("hcp(north)".to_owned());
    options.script_variables[2] = Some("x = 5".to_owned());
    options.script_variables[3] = Some("5M(332)".to_owned());
    let run = |text: &str| compile(&ScriptSource::new("s.dl", text), &options);
    let (plan, _) = run("$2 condition $1 > x and shape{north, $3}").expect("valid");
    assert_eq!(plan.clauses().len(), 2);
    assert_eq!(plan.variables[0].name, "x");
    let wrong = run("condition $1 > $2").unwrap_err();
    assert_eq!((wrong[0].place.line, wrong[0].place.column), (1, 16));
    assert!(wrong[0].notes[0].contains("-2"), "{:?}", wrong[0].notes);
    // A token never extends beyond the end of the text of `$n`.
    assert_eq!(run("condition $1p").unwrap_err()[0].code, "E301");
    assert_eq!(
        run("action printes(\"$1\")")
            .map(|(p, _)| p.actions.len())
            .ok(),
        Some(1)
    );
    assert!(run("produce $4 5").is_ok());
}

#[test]
fn predeal_switches() {
    let mut options = CompileOptions::default();
    options.predeal[Seat::North] = Some("SAK,h2".to_owned());
    let run = |options: &CompileOptions<'_>, text: &str| {
        compile(&ScriptSource::new("s.dl", text), options)
    };
    let (plan, _) = run(&options, "predeal north SQ south DA").expect("valid");
    assert_eq!(plan.predeal[Seat::North].to_string(), "AK.2..");
    assert_eq!(plan.predeal[Seat::South].len(), 1);
    let twice = run(&options, "predeal south SA").unwrap_err();
    assert_eq!(twice[0].code, "E501");
    options.mode = Mode::V2;
    let (ignored, _) = run(&options, "condition 1").expect("valid");
    assert!(ignored.empty_predeal && ignored.predeal.values().all(|cards| cards.is_empty()));
    let (replaced, _) = run(&options, "predeal south DA").expect("valid");
    assert!(!replaced.empty_predeal && replaced.predeal[Seat::South].is_empty());
    options.predeal[Seat::East] = Some("nonsense".to_owned());
    let wrong = run(&options, "condition 1").unwrap_err();
    assert!(wrong[0].place.file == "-E" && wrong[0].code == "E507");
}

#[test]
fn impossible_predeals() {
    for text in [
        "predeal north SAKQJT98765432 spades(south) == 1",
        "predeal north SA spades(north) == 0",
        "predeal spades(north) == 5 north HAKQJT9876",
        "predeal spades(north)==7 spades(east)==6 south S2",
    ] {
        assert_eq!(errors(Mode::Native, text)[0].code, "E509", "{text}");
        assert!(compile_in(Mode::V1, text).is_ok(), "{text}");
    }
    assert!(
        compile_in(
            Mode::Native,
            "predeal north SAK spades(north) == 5 spades(south)==8"
        )
        .is_ok()
    );
}

/// Files in memory.
struct MemoryLoader(HashMap<&'static str, &'static str>);

impl Loader for MemoryLoader {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, croupier_script::LoadError> {
        let text = self.0.get(path);
        let text = text.ok_or(croupier_script::LoadError::Refused("no such file".into()))?;
        assert!(!importer.is_empty());
        Ok(Loaded {
            identity: path.to_owned(),
            source: ScriptSource::new(path, *text),
        })
    }
}

#[test]
fn imported_files_define_names() {
    let shelf = MemoryLoader(HashMap::from([
        (
            "a.dl",
            "import \"b.dl\"\nstrong = hcp(north) > 15\nfrom_a = from_b + 1",
        ),
        ("b.dl", "from_b = 7"),
        ("wrong.dl", "# a comment\nx = hcp(nort)"),
        ("circle.dl", "import \"round.dl\""),
        ("round.dl", "import \"circle.dl\""),
    ]));
    let options = CompileOptions {
        loader: &shelf,
        ..CompileOptions::default()
    };
    let run = |text: &str| compile(&ScriptSource::new("main.dl", text), &options);
    let (plan, warnings) =
        run("import \"a.dl\" import \"b.dl\" condition strong and from_a == 8").expect("valid");
    assert!(warnings.is_empty(), "{}", warnings[0].render());
    assert_eq!(plan.clauses().len(), 1);
    let wrong = run("condition 1\nimport \"wrong.dl\"").unwrap_err();
    assert_eq!(
        (wrong[0].place.file.as_str(), wrong[0].place.line),
        ("wrong.dl", 2)
    );
    assert!(
        wrong[0].notes.iter().any(|n| n.contains("main.dl:2")),
        "{:?}",
        wrong[0].notes
    );
    assert_eq!(run("import \"circle.dl\"").unwrap_err()[0].code, "E902");
    assert_eq!(run("import \"nowhere.dl\"").unwrap_err()[0].code, "E901");
    let twice = run("strong = 1 import \"a.dl\"").unwrap_err();
    assert_eq!(
        (twice[0].code, twice[0].place.file.as_str()),
        ("E303", "a.dl")
    );
}

#[test]
fn files_are_found_beside_the_script() {
    let folder = std::env::temp_dir().join(format!("croupier-import-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inner")).expect("folder");
    std::fs::write(folder.join("inner/x.dl"), "import \"y.dl\"\nx = y + 1").expect("file");
    std::fs::write(folder.join("inner/y.dl"), "y = 2").expect("file");
    let name = folder.join("main.dl").to_string_lossy().into_owned();
    let source = ScriptSource::new(name, "import \"inner/x.dl\"\naction printes(x)");
    let result = compile(&source, &CompileOptions::default());
    std::fs::remove_dir_all(&folder).expect("clean");
    let (plan, _) = result.unwrap_or_else(|e| panic!("{}", e[0].render()));
    assert!(plan.nodes.contains(&Node::Constant(3)));
}

#[test]
fn old_encodings_in_strings() {
    let text = b"action printes(\"na\xefve\")".to_vec();
    let (plan, _) = compile_in(Mode::Native, text).expect("valid");
    assert_eq!(
        plan.actions,
        [Action::PrintEs(vec![croupier_script::plan::EsItem::Text(
            "naïve".to_owned()
        )])]
    );
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let wrong = errors(Mode::Native, "\u{feff}condition hcp(q)");
    assert_eq!((wrong[0].code, wrong[0].place.column), ("E306", 15));
}
