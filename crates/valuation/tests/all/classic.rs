//! Compares valuations with the classic dealer: the package `dealer` must be installed.

use std::io::Write;
use std::process::{Command, Stdio};

use cards::{Deal, Seat, Suit};
use croupier_valuation::{
    FourCsVersion, cccc, controls, hcp, losers, quality, suit_controls, suit_losers,
};

const PROGRAM: &str = "/usr/games/dealer";

/// Runs a script with the classic dealer.
fn classic(script: &str, seed: u32) -> String {
    let mut child = Command::new(PROGRAM)
        .args(["-s", &seed.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{PROGRAM}: {error}; install Debian's package dealer"));
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// Returns the values to compare for every hand: expressions of the classic language, and our functions.
fn question(seat: &str) -> String {
    let mut terms = vec![format!("hcp({seat})"), format!("controls({seat})")];
    terms.extend([format!("losers({seat})"), format!("cccc({seat})")]);
    for suit in ["spades", "hearts", "diamonds", "clubs"] {
        for function in ["quality", "losers", "controls"] {
            terms.push(format!("{function}({seat},{suit})"));
        }
    }
    terms.join(",\" \",")
}

fn ours(deal: &Deal, seat: Seat) -> Vec<i32> {
    let hand = deal.hand(seat);
    let mut values = vec![
        hcp(hand),
        controls(hand),
        losers(hand),
        cccc(hand, FourCsVersion::V1),
    ];
    for suit in Suit::DESCENDING {
        let holding = hand.holding(suit);
        values.push(quality(holding, FourCsVersion::V1));
        values.push(suit_losers(holding));
        values.push(suit_controls(holding));
    }
    values
}

#[test]
fn the_classic_dealer_agrees_on_every_hand_it_deals() {
    let seats = ["north", "east", "south", "west"];
    let questions: Vec<String> = seats.iter().map(|seat| question(seat)).collect();
    let script = format!(
        "produce 500\naction printoneline, printes({},\\n)\n",
        questions.join(",\" \",")
    );
    let mut hands = 0;
    for seed in [1, 20_211_121] {
        let output = classic(&script, seed);
        let mut lines = output.lines().filter(|line| !line.trim().is_empty());
        while let Some(deal) = lines.next().and_then(|line| line.parse::<Deal>().ok()) {
            let values: Vec<i32> = lines
                .next()
                .expect("a line of values")
                .split_whitespace()
                .map(|value| value.parse().expect("a number"))
                .collect();
            for (seat, theirs) in Seat::ALL.into_iter().zip(values.chunks(16)) {
                assert_eq!(ours(&deal, seat), theirs, "{seat:?} of {deal}");
                hands += 1;
            }
        }
    }
    assert_eq!(hands, 4000);
}
