//! Bidding systems as scripts: reading, texts for a caller, errors with their places, layout.

use cards::Seat;
use croupier_script::outline::{Outline, StatementRole, TokenClass};
use croupier_script::system::{CallerPosition, SystemScript, is_system};
use croupier_script::{CompileOptions, ScriptSource};

const SYSTEM: &str = "\
title \"Short\"
otherwise \"2/1\" // elsewhere
strong = hcp(me) >= 16
light = strong ? 0 : vulnerable(me) + 10 * position
1C!: strong \"16+\"
1N: light > 10 and
    balanced(me)  # a comment
P: 1
1C-P-1D!: hcp(me) < 8
1C-(1S)-X: hcp(me) >= 8 \"values\"
1N--2C!: 1
";

fn parse(text: &str) -> Result<SystemScript, Vec<String>> {
    SystemScript::parse(&ScriptSource::new("s.bid", text)).map_err(|errors| {
        let shown = errors.iter().map(|error| {
            let place = &error.place;
            format!(
                "{}:{} {} {}",
                place.line, place.column, error.code, error.message
            )
        });
        shown.collect()
    })
}

fn errors(text: &str) -> Vec<String> {
    parse(text).unwrap_err()
}

#[test]
fn rules_are_read_with_call_auction_alert_and_text() {
    let system = parse(SYSTEM).unwrap();
    assert_eq!(system.title(), Some("Short"));
    assert_eq!(system.otherwise().unwrap().name, "2/1");
    let rules: Vec<(&str, &str, bool, Option<&str>)> = system
        .rules()
        .iter()
        .map(|rule| {
            (
                rule.auction.as_str(),
                rule.call.as_str(),
                rule.is_alerted,
                rule.text.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        rules,
        [
            ("", "1C", true, Some("16+")),
            ("", "1N", false, None),
            ("", "P", false, None),
            ("1C-P", "1D", true, None),
            ("1C-(1S)", "X", false, Some("values")),
            ("1N-P", "2C", true, None),
        ]
    );
    assert_eq!(system.line(1), 6);
    assert_eq!(system.condition_text(1), "light > 10 and balanced(me)");
}

#[test]
fn conditions_are_written_for_the_caller() {
    let system = parse(SYSTEM).unwrap();
    let east = CallerPosition {
        caller: Seat::East,
        turn: 2,
        vulnerable: [true, false],
    };
    assert_eq!(
        system.condition(1, east),
        "light_east > 10 and balanced(east)"
    );
    assert_eq!(
        system.definitions([1], east),
        "strong_east = hcp(east) >= 16\nlight_east = strong_east ? 0 : 1 + 10 * 2\n"
    );
    assert_eq!(system.definitions([3], east), "");
    let plain = format!(
        "{}condition {}",
        system.definitions([1], east),
        system.condition(1, east)
    );
    croupier_script::compile(&ScriptSource::new("", plain), &CompileOptions::default()).unwrap();
}

#[test]
fn errors_are_shown_at_their_places_in_the_system() {
    assert_eq!(
        errors("1N: hcp(me) >= 15\n1S: spadse(me) >= 5\n"),
        ["2:5 E302 there is no function `spadse`; did you mean `spades`?"]
    );
    assert_eq!(
        errors("a = hcp(me)\nbb = a + lenght\n1N: bb = 3\n").len(),
        2,
        "both errors are found"
    );
    assert_eq!(
        errors("1N: hcp(north) >= 15\n"),
        [
            "1:5 E811 a call can depend only on the caller's own hand: use `me`, and no values of other hands, of both, or of the play"
        ]
    );
    assert!(errors("1N: tricks(me, spades) > 8\n")[0].contains("E811"));
    assert!(errors("1N: hcp(partner) > 8\n")[0].starts_with("1:5 E811"));
    assert_eq!(
        errors("1N: hcp(me) > 14\n8N: hcp(me) > 20\n"),
        ["2:1 E810 `8N` is not a call; write for example P, X, XX, 1C or 3N"]
    );
    assert_eq!(
        errors("1N:\n"),
        ["1:1 E810 the condition is missing; write `1` for any hand"]
    );
    assert!(errors("1N: 1\nproduce 10\n")[0].starts_with("2:1 E810 `produce` does not belong"));
    assert!(errors("1N: 1\naction printall\n")[0].contains("`action` does not belong"));
    assert!(errors("me = 3\n1N: 1\n")[0].contains("`me` is a word of bidding systems"));
    assert!(errors("a = 3\na = 4\n1N: 1\n")[0].starts_with("2:1 E810 `a` is already defined"));
    assert!(errors("1N: vulnerable\n")[0].contains("write `vulnerable(me)`"));
    assert!(errors("a = hcp(me) > 3\n")[0].contains("no bidding system"));
    assert!(errors("")[0].contains("no bidding system"));
}

#[test]
fn the_place_of_an_error_after_replaced_words_is_right() {
    let text = "1N: hcp(me) >= 15 and vulnerable(lho) and hcp(me) = 16\n";
    assert_eq!(
        errors(text),
        ["1:51 E203 `=` defines a name; to compare write `==`"]
    );
}

#[test]
fn any_text_is_read_without_a_panic() {
    let words = [
        "1N",
        "-",
        ":",
        "P",
        "hcp(me)",
        "(",
        ")",
        "!",
        "\"a\"",
        "=",
        "a",
        "\n",
        "vulnerable",
        "?",
        "*",
        "/*",
        "é",
    ];
    let mut state = 1_u64;
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text += words[(state >> 33) as usize % words.len()];
            if state >> 62 == 0 {
                text.push(' ');
            }
        }
        let _ = SystemScript::parse(&ScriptSource::new("", text.as_str()));
        let _ = croupier_script::format(text.as_bytes());
        let _ = Outline::of(text.as_bytes());
    }
    assert!(SystemScript::parse(&ScriptSource::new("", vec![b'1', b'N', b':', 0xff])).is_err());
}

#[test]
fn scripts_for_dealing_are_no_systems() {
    assert!(is_system(SYSTEM.as_bytes()));
    for text in [
        "condition hcp(north) > 3 ?\n P : 1",
        "P = 3\nX = 4\ncondition hcp(north) > 3 ? P : X",
        "a = hcp(north) > 12\n  ? 1\n  : 0\ncondition a",
        "action printoneline",
    ] {
        assert!(!is_system(text.as_bytes()), "{text}");
    }
}

#[test]
fn systems_have_one_layout() {
    let source = ScriptSource::new("s.bid", SYSTEM);
    let once = croupier_script::reformat(&source, &CompileOptions::default()).unwrap();
    let text = String::from_utf8(once.clone()).unwrap();
    assert!(
        text.contains("\n1C-(1S)-X: hcp(me) >= 8 \"values\"\n"),
        "{text}"
    );
    assert!(text.contains("\n1N--2C!: 1\n"), "{text}");
    let twice = croupier_script::reformat(
        &ScriptSource::new("s.bid", once.clone()),
        &CompileOptions::default(),
    );
    assert_eq!(twice.unwrap(), once);
    let spread = croupier_script::format(b"1N  -  P-2C ! :hcp(me)>=8   \"Stayman\"");
    assert_eq!(spread, b"1N-P-2C!: hcp(me) >= 8 \"Stayman\"\n");
}

#[test]
fn editors_see_rules_and_their_words() {
    let outline = Outline::of(SYSTEM.as_bytes());
    let rules: Vec<&str> = outline
        .statements
        .iter()
        .filter(|statement| statement.role == StatementRole::Rule)
        .map(|statement| outline.text(statement.head.clone()))
        .collect();
    assert_eq!(
        rules,
        ["1C!", "1N", "P", "1C-P-1D!", "1C-(1S)-X", "1N--2C!"]
    );
    let class = |word: &str| {
        let found = outline
            .tokens
            .iter()
            .find(|token| outline.text(token.range.clone()) == word);
        found.map(|token| token.class)
    };
    assert_eq!(class("me"), Some(TokenClass::Seat));
    assert_eq!(class("position"), Some(TokenClass::Keyword));
    assert_eq!(class("1D"), Some(TokenClass::Card));
    assert_eq!(class("light"), Some(TokenClass::Definition));
}
