//! Range notation against the vectors, and against mutilated text.

mod common;

use cards::CardSet;
use common::{Random, vectors};
use poker::{Game, Range, Weight, format_cards, parse_cards};
use proptest::prelude::*;

/// Every row of `ranges.csv`.
#[test]
fn vectors_of_ranges() {
    let rows = vectors("ranges.csv");
    assert_eq!(rows.len(), 54);
    for row in rows {
        let [text, status, count, weight_sum, list] = &row[..] else {
            panic!("{row:?}")
        };
        let range: Result<Range, _> = text.parse();
        assert_eq!(range.is_ok(), status == "ok", "{text:?}: {range:?}");
        let Ok(range) = range else { continue };
        assert_eq!(range.len().to_string(), *count, "{text}");
        assert_eq!(
            format!("{:.6}", range.total_weight()),
            *weight_sum,
            "{text}"
        );
        if !list.is_empty() {
            let mut hands: Vec<String> = range.hands().iter().map(hand_text).collect();
            hands.sort();
            assert_eq!(hands.join(" "), *list, "{text}");
        }
    }
}

fn hand_text((hand, weight): &(CardSet, Weight)) -> String {
    let suffix = if *weight == Weight::ONE {
        String::new()
    } else {
        format!(":{weight}")
    };
    format!("{}{suffix}", format_cards(*hand))
}

#[test]
fn errors_say_what_and_where() {
    let message = |text: &str| text.parse::<Range>().unwrap_err().to_string();
    assert!(message("QQ+,AKx").starts_with("character 7: \"x\" cannot follow here"));
    assert!(message("1Ks").starts_with("character 1: '1' is no rank"));
    assert!(message("AA,,KK").starts_with("character 4: a hand is missing"));
    assert!(message("AA,AhAh").contains("the same card twice"));
    assert!(message("AAs").contains("neither suited nor offsuit"));
    assert!(message("A5s-K2s").starts_with("character 4: nothing lies between"));
    assert!(message("AA:-1").starts_with("character 4: \"-1\" is no weight"));
    assert!(message("AA:0.1234567").contains("more than six digits"));
    assert!(message("A").contains("not complete"));
    assert!(message("AhK").contains("not complete"));
}

#[test]
fn ranges_of_other_games() {
    let short = Game::ShortDeck {
        trips_beat_straight: false,
    };
    assert_eq!(Range::parse("random", short).unwrap().len(), 630);
    assert_eq!(Range::parse("22+", short).unwrap().len(), 9 * 6);
    assert!(
        Range::parse("22", short)
            .unwrap_err()
            .to_string()
            .contains("deck")
    );
    let omaha = |text: &str| Range::parse(text, Game::Omaha).map(|range| range.len());
    assert_eq!(omaha("*"), Ok(270_725));
    assert_eq!(omaha("AsAhKsKh"), Ok(1));
    assert_eq!(omaha("AAKK"), Ok(36));
    assert_eq!(omaha("AAKKds"), Ok(6));
    assert_eq!(omaha("KKAA r"), Ok(6));
    assert_eq!(omaha("AAAA"), Ok(1));
    // Two aces exactly, three, four.
    assert_eq!(omaha("AAxx"), Ok(6 * 48 * 47 / 2 + 4 * 48 + 1));
    assert_eq!(omaha("AKQJr"), Ok(24));
    for wrong in [
        "AAA",
        "AAAAss",
        "AAAAA",
        "AsAhKsK",
        "AsAhKsKhQd",
        "AsAhKsKs",
        "AAKKx",
        "AzKK",
    ] {
        assert!(omaha(wrong).is_err(), "{wrong}");
    }
}

/// Every printable character and some others, put in, left out or exchanged anywhere in good
/// ranges: the reader answers with a range or an error at a place inside the text.
#[test]
fn mutilated_ranges_get_an_answer() {
    let good = [
        "QQ+,AKs,AKo",
        "22+:0.5,A2s+,KTs-K8s",
        "AsKs,AdKd:0.25",
        "random:0.1,AA",
        "JTs-76s,99-66",
        "AAxx:0.3,KKQQds",
        "*",
    ];
    let letters: Vec<char> = (' '..='~').chain("äß→🂡\t\0".chars()).collect();
    let games = [
        Game::Holdem,
        Game::Omaha,
        Game::ShortDeck {
            trips_beat_straight: true,
        },
    ];
    let mut random = Random(11);
    for round in 0..60_000 {
        let mut text: Vec<char> = good[round % good.len()].chars().collect();
        for _ in 0..=random.below(3) {
            let place = random.below(text.len() as u64 + 1) as usize;
            let letter = letters[random.below(letters.len() as u64) as usize];
            match random.below(3) {
                0 => text.insert(place, letter),
                1 if place < text.len() => drop(text.remove(place)),
                _ if place < text.len() => text[place] = letter,
                _ => text.push(letter),
            }
        }
        let text: String = text.into_iter().collect();
        // Omaha patterns are slow to expand; a share of the rounds is enough.
        let game = games[if round % 50 == 0 { 1 } else { round % 2 * 2 }];
        match Range::parse(&text, game) {
            Ok(range) => {
                assert!(
                    range
                        .hands()
                        .iter()
                        .all(|(hand, _)| hand.len() == game.hole_cards())
                );
            }
            Err(error) => {
                assert!(
                    (1..=text.chars().count() + 1).contains(&error.position()),
                    "{text:?}"
                );
                assert!(!error.to_string().is_empty());
            }
        }
        let _ = parse_cards(&text);
    }
}

proptest! {
    /// Cards survive writing and reading.
    #[test]
    fn cards_survive_a_round_trip(mask in 0u64..1 << 52) {
        let cards = CardSet(mask);
        prop_assert_eq!(parse_cards(&format_cards(cards)), Ok(cards));
    }

    /// Any text at all gets an answer from both readers.
    #[test]
    fn any_text_gets_an_answer(text in ".{0,40}") {
        let _ = parse_cards(&text);
        let _ = text.parse::<Range>();
    }

    /// A range written as its hands is the same range.
    #[test]
    fn a_range_is_its_hands(high in 0usize..13, low in 0usize..13, suffix in 0usize..3) {
        let letters = b"23456789TJQKA";
        let suffix = if high == low { "" } else { ["", "s", "o"][suffix] };
        let text = format!("{}{}{suffix}+", letters[high] as char, letters[low] as char);
        let range: Range = text.parse().unwrap();
        let hands: Vec<String> = range.hands().iter().map(|(h, _)| format_cards(*h)).collect();
        let same: Range = hands.join(",").parse().unwrap();
        prop_assert_eq!(range.hands(), same.hands());
    }

    /// Weights survive writing and reading.
    #[test]
    fn weights_survive_a_round_trip(millionths in 0u64..=1_000_000_000_000) {
        let text = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
        let weight: Weight = text.parse().unwrap();
        prop_assert_eq!(weight.millionths(), millionths);
        prop_assert_eq!(weight.to_string().parse::<Weight>().unwrap(), weight);
    }
}
