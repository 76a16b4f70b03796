//! The words of each dialect. A newer word is an ordinary name in an older dialect.

use crate::common;

use common::compile_in;
use croupier_script::plan::Mode;

/// Words of v1, which DealerV2 has too, with all their spellings.
const V1: &str = "and or not generate produce dealer vulnerable predeal pointcount altcount condition action
    print printall printew printpbn printcompact printoneline printes average frequency evalcontract
    nv vul ns NS ew EW all none north east south west
    club clubs diamond diamonds heart hearts spade spades notrump notrumps
    hcp hcps pt0 pt1 pt2 pt3 pt4 pt5 pt6 pt7 pt8 pt9 ten tens jack jacks queen queens king kings ace aces
    top2 top3 top4 top5 c13 loser losers control controls quality cccc trick tricks score imp imps
    hascard shape any rnd";

/// Words that DealerV2 added.
const V2: &str = "seed title opener startboard both printns printside deal csvrpt printrpt bktfreq export usereval
    parcontract trix ltc dds par opc";

/// Returns the words and metrics that only croupier has.
fn native_words() -> Vec<&'static str> {
    let older: Vec<&str> = V1.split_whitespace().chain(V2.split_whitespace()).collect();
    let spellings =
        croupier_script::words().flat_map(|word| [vec![word.name], word.aliases].concat());
    let newer: Vec<&str> = spellings.filter(|word| !older.contains(word)).collect();
    assert!(newer.contains(&"abs") && newer.contains(&"balanced") && newer.contains(&"import"));
    newer
}

/// Returns scripts in which `word` is a variable, with `(` on the next line.
fn scripts(word: &str) -> [String; 5] {
    [
        format!("{word}=5\ncondition {word}==5"),
        format!("{word}=5\n{word}\n(hcp(north)>3)"),
        format!("{word}=hcp(north)\nx={word}\n(x>3)\ncondition {word}>x"),
        format!("{word}=5\naction average {word}\n(hcp(north) > {word})"),
        format!("{word}=1\naction printes({word}, \"text\", {word} + 1), average \"t\" {word}"),
    ]
}

fn assert_names(mode: Mode, words: impl IntoIterator<Item = &'static str>) {
    for word in words {
        for text in scripts(word) {
            let refused = compile_in(mode, text.as_str()).err();
            assert!(refused.is_none(), "{mode:?} {text:?}: {refused:?}");
        }
    }
}

#[test]
fn words_of_dealer_v2_are_names_in_v1() {
    for mode in [Mode::V1, Mode::Exe] {
        assert_names(mode, V2.split_whitespace());
        assert_names(mode, ["z3N", "x4Sx", "z7Nxx"]);
        // DealerV2 needs a blank after these words; v1 ignores it.
        assert_names(mode, ["title ", "seed ", "opener ", "startboard "]);
        assert!(compile_in(mode, "title = 5\nboth = 7\ncondition title < both").is_ok());
    }
}

#[test]
fn native_words_are_names_in_the_compatibility_modes() {
    for mode in [Mode::V1, Mode::Exe, Mode::V2] {
        assert_names(mode, native_words());
    }
}

#[test]
fn words_of_a_dialect_are_no_names_there() {
    for mode in [Mode::V1, Mode::Exe, Mode::V2, Mode::Native] {
        for word in V1.split_whitespace() {
            // DealerV2 reads a word with a value as a word only if a blank follows.
            let takes_value = ["generate", "produce", "dealer", "vulnerable"].contains(&word);
            if mode != Mode::V2 || !takes_value {
                let text = format!("{word}=5\ncondition 1");
                assert!(compile_in(mode, text).is_err(), "{mode:?} {word}");
            }
        }
    }
}

#[test]
fn undefined_newer_words_are_errors() {
    for text in [
        "condition par(NS) > 3",
        "condition dds(north, spades) > 3",
        "action csvrpt(deal)",
        "title \"text\"",
        "condition score(nv, z3N, 9) > 3",
        "vulnerable both",
    ] {
        assert!(compile_in(Mode::V2, text).is_ok(), "{text}");
        for mode in [Mode::V1, Mode::Exe] {
            assert!(compile_in(mode, text).is_err(), "{mode:?} {text}");
        }
    }
    for text in [
        "condition balanced(north)",
        "condition abs(hcp(north) - 10) > 3",
        "condition metric(zar, north) > 20",
        "level",
        "import \"file\"",
    ] {
        for mode in [Mode::V1, Mode::Exe, Mode::V2] {
            let errors = compile_in(mode, text).expect_err(text);
            let message = errors[0].render_classic().unwrap_or_default();
            assert!(
                message.ends_with(": unknown variable"),
                "{mode:?} {text}: {message}"
            );
        }
    }
}

#[test]
fn nul_ends_a_v1_script_and_its_strings() {
    let (plan, _) = compile_in(Mode::V1, "condition 1\0(((").expect("valid up to NUL");
    assert!(plan.condition.is_some());
    let (plan, _) = compile_in(Mode::V1, "action average \"ab\0cd\" hcp(north)").expect("valid");
    assert_eq!(plan.explain().matches("\"ab\"").count(), 1);
    assert!(compile_in(Mode::V1, "/* \0 */ // \0\ncondition 1").is_ok());
}

#[test]
fn operators_in_capitals_can_be_defined() {
    for mode in [Mode::V1, Mode::V2, Mode::Native] {
        let text = "x = 5\nAnd = 3\nAnd\ny = x\nOR = And\nNot = 1\ncondition Not + OR > x";
        assert!(compile_in(mode, text).is_ok(), "{mode:?}");
    }
}
