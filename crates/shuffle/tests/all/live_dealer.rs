//! Compares the Debian package `dealer` with its reproduction.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use cards::Deal;
use croupier_shuffle::legacy::{LegacyDealer, V1, Variant};
use croupier_shuffle::{BlockWords, FastDealer, Key, Predeal, RandomWords, Stream, Swap};

/// Path of the installed program; the PATH of a non-interactive shell often lacks its directory.
const INSTALLED: &str = "/usr/games/dealer";

/// Returns the deals that the program prints for a script without condition.
fn live_deals(switches: &[&str], script: &str) -> Vec<Deal> {
    let program = if Path::new(INSTALLED).exists() {
        INSTALLED
    } else {
        "dealer"
    };
    let mut child = Command::new(program)
        .args(switches)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("this test compares with the classic program: install the Debian package dealer ({error})")
        });
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let deals: Vec<Deal> = text
        .lines()
        .filter(|line| line.starts_with("n "))
        .map(|line| line.trim().parse().unwrap())
        .collect();
    assert!(
        !deals.is_empty(),
        "dealer {switches:?} printed no deal: {text}"
    );
    deals
}

fn compare(seed: i64, swap: Swap, predeal: &str) {
    let seed_text = seed.to_string();
    let swap_switch = ["-0", "-2", "-3"][swap as usize];
    let statement = if predeal.is_empty() {
        String::new()
    } else {
        format!("predeal {predeal}\n")
    };
    let script = format!("generate 60\nproduce 60\n{statement}action printoneline\n");
    let live = live_deals(&["-s", &seed_text, swap_switch], &script);
    let mut dealer = V1::new(Variant::Debian, seed, &predeal.parse().unwrap(), swap);
    let ours: Vec<Deal> = (0..60).map(|_| dealer.next_deal().unwrap()).collect();
    assert_eq!(live, ours, "seed {seed}, {swap:?}, predeal {predeal:?}");
}

/// Returns 120 seeds of all sizes from our own generator.
fn seeds() -> Vec<i64> {
    let mut random = BlockWords::new(Stream::Choices, &Key::from_seed(20_211_121), 0);
    (0..120)
        .map(|i| {
            let word = random.word() as i64;
            // The program rejects i64::MIN, which an arithmetic shift yields only for a shift of 0.
            (word >> (i % 64)).max(i64::MIN + 1)
        })
        .collect()
}

#[test]
fn deals_of_120_random_seeds_are_those_of_the_program() {
    for seed in seeds() {
        compare(seed, Swap::Off, "");
    }
}

#[test]
fn swapped_deals_are_those_of_the_program() {
    for seed in &seeds()[..20] {
        compare(*seed, Swap::Two, "");
        compare(*seed, Swap::Three, "");
    }
}

/// Returns fixed cards of a random deal in the notation of the language: some for every seat, high cards first.
fn random_predeal(seed: i64) -> String {
    let mut random = BlockWords::new(Stream::Choices, &Key::from_i64(seed), 1);
    let source = FastDealer::new(Key::from_i64(seed), &Predeal::NONE).deal(0);
    let mut words = Vec::new();
    for seat in cards::Seat::ALL {
        // Sometimes the seat gets all thirteen cards, where the program's table of slots is irregular.
        let count = if random.below(4) == 0 {
            13
        } else {
            random.below(8) as usize
        };
        let fixed: cards::CardSet = source.hand(seat).iter().take(count).collect();
        if fixed.is_empty() {
            continue;
        }
        let holdings: Vec<String> = cards::Suit::DESCENDING
            .into_iter()
            .filter(|&suit| !fixed.holding(suit).is_empty())
            .map(|suit| format!("{}{}", suit.letter(), fixed.holding(suit)))
            .collect();
        words.push(format!(
            "{} {}",
            seat.name().to_lowercase(),
            holdings.join(",")
        ));
    }
    words.join(" ")
}

#[test]
fn predealt_cards_are_dealt_as_by_the_program() {
    for seed in &seeds()[..30] {
        compare(*seed, Swap::Off, &random_predeal(*seed));
        compare(*seed, Swap::Three, &random_predeal(*seed));
    }
}
