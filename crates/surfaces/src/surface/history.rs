//! Poker: hand histories.

use poker::history::{HistoryOptions, HistoryView, read};
use poker::{EquityMethod, EquityOptions, StopRule};

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Hand histories.
pub static HISTORIES: Surface = Surface {
    name: "histories",
    about: "Text as hand histories in the formats PHH and Open Hand History: errors, or decisions whose pots never shrink within a round and whose equities add up to one.",
    feed,
    seeds: hands,
    words,
    inputs: 300,
};

fn hands() -> Vec<Vec<u8>> {
    let files = seeds::files("crates/poker/tests/data/histories", &["phhs"]);
    let text = files
        .iter()
        .map(|file| String::from_utf8_lossy(file))
        .collect::<String>();
    let mut found: Vec<Vec<u8>> = text
        .split("\n\n")
        .filter_map(|hand| hand.split_once("]\n"))
        .map(|(_, hand)| hand.as_bytes().to_vec())
        .collect();
    found.push(OHH.as_bytes().to_vec());
    found
}

/// A hand in the format Open Hand History.
const OHH: &str = r#"{"ohh": {"game_type": "Omaha", "game_number": "7", "players": [
{"id": 1, "name": "Ann", "starting_stack": 100}, {"id": 2, "name": "Bob", "starting_stack": 80}], "rounds": [
{"street": "Preflop", "actions": [
{"player_id": 1, "action": "Post SB", "amount": 0.5}, {"player_id": 2, "action": "Post BB", "amount": 1},
{"player_id": 1, "action": "Dealt Cards", "cards": ["As", "Ks", "Qd", "Jd"]},
{"player_id": 1, "action": "Raise", "amount": 3}, {"player_id": 2, "action": "Call", "amount": 2.5}]},
{"street": "Flop", "cards": ["Kd", "7s", "2s"], "actions": [{"player_id": 2, "action": "Check"}]},
{"street": "Showdown", "actions": [{"player_id": 2, "action": "Shows Cards", "cards": ["Qc", "Qh", "8c", "3d"]}]}]}}"#;

fn words() -> Vec<String> {
    let words = [
        "variant = ",
        "\"NT\"",
        "\"F7S/8\"",
        "\"FB\"",
        "antes = ",
        "actions = ",
        "starting_stacks = ",
        "inf",
        "d db ",
        "d dh p1 ",
        "p1 cc",
        "p2 f",
        "p3 cbr 8",
        "p1 sd",
        "p2 sm",
        "p1 pb",
        "??",
        "AhKh",
        "[1]\n",
        "{\"ohh\": ",
        "null",
        "\"Raise\"",
        "\"amount\": ",
        "1e300",
        "-1",
    ];
    words.map(str::to_owned).to_vec()
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let Ok(text) = std::str::from_utf8(input) else {
        return 0;
    };
    let hands = match read(text) {
        Ok(hands) => hands,
        Err(error) => {
            observed.message(&error.to_string());
            return observed.number();
        }
    };
    let equity = EquityOptions {
        method: EquityMethod::MonteCarlo,
        threads: 1,
        seed: 5,
        stop: StopRule {
            samples: 100,
            standard_error: 0.0,
        },
    };
    for hand in hands.iter().take(3) {
        observed.note(hand.game);
        for view in [HistoryView::Everybody, HistoryView::Player(0)] {
            let options = HistoryOptions {
                view,
                equity,
                ..HistoryOptions::default()
            };
            let report = match hand.report(&options) {
                Ok(report) => report,
                Err(error) => {
                    observed.message(&error.to_string());
                    continue;
                }
            };
            for decision in &report.decisions {
                if let Some(needed) = decision.needed() {
                    assert!((0.0..=1.0).contains(&needed), "{decision}: {needed}");
                }
                match &decision.equity {
                    Ok(equity) => {
                        let sum: f64 = equity.shares.iter().flatten().sum();
                        assert!((sum - 1.0).abs() < 1e-6, "{decision}: {sum}");
                    }
                    Err(missing) => {
                        observed.message(&missing.to_string());
                    }
                }
            }
            observed.about(report.decisions.len());
        }
    }
    observed.number()
}
