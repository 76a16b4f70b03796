//! Profile files: reading, writing again, and errors.

use croupier_profiles::{HandProfile, ProfileMessage, read};
use proptest::prelude::*;

fn file(name: &str) -> String {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn good(name: &str) -> HandProfile {
    let (profile, warnings) = read(&file(name)).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    assert_eq!(warnings, [], "{name}");
    profile
}

const ALL: [&str; 13] = [
    "a-open",
    "b-five-spades",
    "c-points",
    "coupled",
    "d-both",
    "e-six-exactly",
    "e6-six-or-more",
    "exclusions",
    "impossible",
    "roles",
    "two-suiter",
    "two-tight",
    "weak-two",
];

#[test]
fn json_to_model_to_json_loses_nothing() {
    for name in ALL {
        let text = file(&format!("{name}.json"));
        let profile = good(&format!("{name}.json"));
        let written = profile.to_json();
        assert_eq!(read(&written).unwrap(), (profile, vec![]), "{name}");
        // Every field of the file is in the written file too (null means absent).
        let before: serde_json::Value = serde_json::from_str(&text).unwrap();
        let after: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_covers(&before, &after, name);
    }
}

fn assert_covers(before: &serde_json::Value, after: &serde_json::Value, path: &str) {
    use serde_json::Value;
    match (before, after) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a.iter().filter(|(_, value)| !value.is_null()) {
                let path = format!("{path}.{key}");
                assert_covers(
                    value,
                    b.get(key).unwrap_or_else(|| panic!("{path} is lost")),
                    &path,
                );
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{path}");
            a.iter().zip(b).for_each(|(a, b)| assert_covers(a, b, path));
        }
        (Value::Number(a), Value::Number(b)) => assert_eq!(a.as_f64(), b.as_f64(), "{path}"),
        _ => assert_eq!(before, after, "{path}"),
    }
}

#[test]
fn toml_and_json_are_the_same_model() {
    assert_eq!(good("weak-two.toml"), good("weak-two.json"));
}

#[test]
fn unknown_fields_are_reported_and_kept() {
    let text = file("b-five-spades.json").replacen('{', "{ \"colour\": {\"a\": [1, 2.5]},", 1);
    let (profile, warnings) = read(&text).unwrap();
    assert_eq!(warnings.len(), 1);
    assert_eq!(
        warnings[0].to_string(),
        "1:3: colour: unknown field \"colour\" has no effect"
    );
    let again: serde_json::Value = serde_json::from_str(&profile.to_json()).unwrap();
    assert_eq!(again["colour"], serde_json::json!({"a": [1, 2.5]}));
}

fn first_error(text: &str) -> String {
    let errors: Vec<ProfileMessage> = read(text).unwrap_err();
    errors[0].to_string()
}

/// The file with one piece of text replaced, and the first error that it must give.
#[test]
fn every_mistake_names_its_path_line_and_reason() {
    let base = file("b-five-spades.json");
    let change = |from: &str, to: &str| {
        assert!(base.contains(from), "{from}");
        first_error(&base.replacen(from, to, 1))
    };
    assert_eq!(
        change(
            "\"profile_name\": \"B: North 5+ spades\"",
            "\"profile_name\": \" \""
        ),
        "2:19: profile_name: the name of a profile must not be empty"
    );
    assert_eq!(
        change("\"dealer\": \"N\"", "\"dealer\": \"Q\""),
        "6:13: dealer: unknown value \"Q\"; it should be one of N, E, S, W"
    );
    assert_eq!(
        change("\"dealer\": \"N\",", ""),
        "1:1: dealer: the field \"dealer\" is missing"
    );
    assert_eq!(
        change("\"dealer\": \"N\"", "\"dealer\": 7"),
        "6:13: dealer: expected text, found a number"
    );
    assert_eq!(
        change("\"min_cards\": 5", "\"min_cards\": 14"),
        "23:28: seat_profiles.N.subprofiles[0].standard.spades.min_cards: 14 should be a whole number from 0 to 13"
    );
    assert_eq!(
        change("\"max_cards\": 13", "\"max_cards\": 4"),
        "24:28: seat_profiles.N.subprofiles[0].standard.spades.max_cards: seat N, subprofile 1, spades, cards: the minimum 5 is above the maximum 4"
    );
    assert_eq!(
        change("\"weight_percent\": 100", "\"weight_percent\": -1"),
        "52:29: seat_profiles.N.subprofiles[0].weight_percent: seat N, subprofile 1: the weight -1 is negative"
    );
    assert_eq!(
        change("\"ns_role_usage\": \"any\"", "\"ns_role_usage\": \"boss\""),
        "53:28: seat_profiles.N.subprofiles[0].ns_role_usage: unknown value \"boss\"; it should be one of any, driver_only, follower_only"
    );
    assert!(change("\"subprofile_exclusions\": []", "\"subprofile_exclusions\": [{\"seat\":\"N\",\"subprofile_index\":2,\"excluded_shapes\":[\"5332\"]}]")
        .ends_with("there is no subprofile 2; the seat has 1"));
    assert!(
        change(
            "\"subprofile_exclusions\": []",
            "\"subprofile_exclusions\": [{\"seat\":\"N\",\"subprofile_index\":1}]"
        )
        .ends_with("either excluded_shapes or clauses, and only one of them")
    );
    assert!(change("\"subprofile_exclusions\": []", "\"subprofile_exclusions\": [{\"seat\":\"N\",\"subprofile_index\":1,\"excluded_shapes\":[\"5333\"]}]")
        .ends_with("\"5333\" is not a shape: four digits, spades first, sum 13"));
    assert!(first_error("{ \"profile_name\": ").starts_with("1:"));
    assert!(first_error("profile_name = ").starts_with("1:16: "));
    assert!(!first_error("").is_empty());
    assert!(first_error("[1,2]").contains("missing") || !first_error("[1,2]").is_empty());
}

#[test]
fn weights_that_do_not_add_up_are_a_warning() {
    let text = file("coupled.json").replacen("\"weight_percent\": 70", "\"weight_percent\": 60", 1);
    let (_, warnings) = read(&text).unwrap();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].message.contains("add up to 90, not to 100"));
}

#[test]
fn more_random_suits_than_allowed_is_an_error() {
    let text = file("two-suiter.json").replacen(
        "\"required_suits_count\": 2",
        "\"required_suits_count\": 4",
        1,
    );
    let errors = read(&text).unwrap_err();
    assert!(
        errors
            .iter()
            .any(|e| e.message.contains("need 4 suit ranges, not 2")),
        "{errors:?}"
    );
    assert!(
        errors
            .iter()
            .any(|e| e.message.contains("pair overrides are for exactly two")),
        "{errors:?}"
    );
}

proptest! {
    /// A file that is cut, doubled or overwritten anywhere is read or rejected without a panic.
    #[test]
    fn damaged_files_never_panic(which in 0..ALL.len(), at in 0usize..4000, len in 0usize..40, junk in "\\PC{0,6}") {
        let text = file(&format!("{}.json", ALL[which]));
        let mut chars: Vec<char> = text.chars().collect();
        let at = at.min(chars.len());
        let end = (at + len).min(chars.len());
        chars.splice(at..end, junk.chars());
        let _ = read(&chars.into_iter().collect::<String>());
    }

    #[test]
    fn damaged_toml_never_panics(at in 0usize..1200, len in 0usize..40, junk in "\\PC{0,6}") {
        let mut chars: Vec<char> = file("weak-two.toml").chars().collect();
        let at = at.min(chars.len());
        let end = (at + len).min(chars.len());
        chars.splice(at..end, junk.chars());
        let _ = read(&chars.into_iter().collect::<String>());
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for text in [
        "[".repeat(200_000),
        format!("{{\"a\":{}", "[".repeat(100_000)),
        format!("a = {}", "[".repeat(100_000)),
    ] {
        assert!(read(&text).is_err());
    }
}
