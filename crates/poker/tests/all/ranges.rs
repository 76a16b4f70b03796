//! Range notation compared with the test vectors, and with damaged text.

use crate::common::{Random, vectors};
use cards::CardSet;
use croupier_poker::{Game, NamedRanges, Range, RangeContext, Weight, format_cards, parse_cards};
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
fn errors_have_a_reason_and_a_place() {
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
    // Every message ends with a correction after its semicolon.
    for wrong in [
        "",
        "A",
        "AhK",
        "1Ks",
        "AhKx2",
        "AAs",
        "AhAh",
        "QQ+AKs",
        "A5s-K2s",
        "AA:x",
        "AA:0.1234567",
        "AA[",
        "@button",
        "sqeeze",
        "[flush draw]",
        "5%-1%",
        "0.1%",
        "200%",
    ] {
        assert!(
            message(wrong).contains("; ") || message(wrong).contains("as in"),
            "{}",
            message(wrong)
        );
    }
}

/// Suit symbols with the variation selector that keyboards insert, and tens in two digits.
#[test]
fn symbols_and_tens_are_letters() {
    let hands = |text: &str| text.parse::<Range>().unwrap().hands().to_vec();
    assert_eq!(hands("A\u{2660}\u{fe0f}10\u{2666}\u{fe0f}"), hands("AsTd"));
    assert_eq!(hands("A\u{2664}K\u{2662}"), hands("AsKd"));
    assert_eq!(hands("1010+,A10s+,109s"), hands("TT+,ATs+,T9s"));
    assert_eq!(hands("K10\u{2665}\u{2665}"), hands("KhTh"));
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
    // Exactly two aces, three, four.
    assert_eq!(omaha("AAxx"), Ok(6 * 48 * 47 / 2 + 4 * 48 + 1));
    assert_eq!(omaha("AKQJr"), Ok(24));
    let short = omaha("AKs").unwrap_err().to_string();
    assert!(
        short.contains("not complete") && short.contains("AAxx"),
        "{short}"
    );
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

/// Any character inserted, removed or replaced anywhere in valid ranges: the parser returns a range or an error at a
/// position inside the text.
#[test]
fn damaged_ranges_give_a_range_or_an_error() {
    let good = [
        "QQ+,AKs,AKo",
        "22+:0.5,A2s+,KTs-K8s",
        "AsKs,AdKd:0.25",
        "random:0.1,AA",
        "JTs-76s,99-66",
        "[50]AK s,QQ[/50] {AA, KK}@20",
        "suited connectors 50%66-;Ah*",
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
        // Omaha patterns are slow to expand, so only some of the rounds use them.
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
    /// Cards are the same after writing and reading.
    #[test]
    fn cards_survive_a_round_trip(mask in 0u64..1 << 52) {
        let cards = CardSet(mask);
        prop_assert_eq!(parse_cards(&format_cards(cards)), Ok(cards));
    }

    /// Both parsers return a result for any text.
    #[test]
    fn any_text_gets_an_answer(text in ".{0,40}") {
        let _ = parse_cards(&text);
        let _ = text.parse::<Range>();
    }

    /// A range written as a list of its hands is the same range.
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

    /// Weights are the same after writing and reading.
    #[test]
    fn weights_survive_a_round_trip(millionths in 0u64..=1_000_000_000_000) {
        let text = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
        let weight: Weight = text.parse().unwrap();
        prop_assert_eq!(weight.millionths(), millionths);
        prop_assert_eq!(weight.to_string().parse::<Weight>().unwrap(), weight);
    }
}

fn range(text: &str) -> Range {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn assert_same_range(one: &str, other: &str) {
    assert_eq!(
        range(one).hands(),
        range(other).hands(),
        "{one} and {other}"
    );
}

#[test]
fn common_notations_are_accepted() {
    assert_same_range("A10s, 1010+", "ATs,TT+");
    assert_same_range("10♥9♥, A♠K♦", "Th9h,AsKd");
    assert_same_range("QQ+,AK,!AKs", "QQ+,AKo");
    assert_same_range("AKhh, AKhd", "AhKh,AhKd");
    assert_same_range("AhKx", "AhKc,AhKd,AhKh,AhKs");
    assert_same_range("Axs", "A2s+");
    assert_same_range("Kxo,!AKo", "K2o+");
    assert_same_range("Ax", "A2+,AA");
    assert_eq!(range("!AA").len(), 1326 - 6);
    assert_eq!(range("random,!22-66,!AA").len(), 1326 - 36);
    assert_eq!(range("!72o").hands().len(), 1326 - 12);
}

#[test]
fn spaces_and_semicolons_separate_items() {
    assert_same_range("QQ AKs", "QQ,AKs");
    assert_same_range("QQ+ AKs\n76s:0.5\tJJ", "QQ+,AKs,76s:0.5,JJ");
    assert_same_range("QQ; AKs;JJ", "QQ,AKs,JJ");
    assert_same_range("15% 72o", "15%,72o");
    assert_same_range("AhKh QsQd", "AhKh,QsQd");
    assert_same_range("AhKh:0.5 QsQd", "AhKh:0.5,QsQd");
    assert_same_range("random !AA", "random,!AA");
    // Parts of one item may be apart, too.
    assert_same_range("A\u{2660} K\u{2666}", "AsKd");
    assert_same_range("Ah Kh, 10d 10c", "AhKh,TdTc");
    assert_same_range("99 - 66, AK s, Q Q", "99-66,AKs,QQ");
    assert_same_range("AKs : 0.5, ! AA, top 15%", "AKs:0.5,!AA,15%");
    let hands = |text: &str, game| Range::parse(text, game).unwrap().hands().to_vec();
    assert_eq!(hands("KKAA r", Game::Omaha), hands("KKAAr", Game::Omaha));
    assert_eq!(
        hands("As Ah Kd Qd", Game::Omaha),
        hands("AsAhKdQd", Game::Omaha)
    );
    assert_eq!(
        hands("AAKKds QQJJss", Game::Omaha).len(),
        hands("AAKKds,QQJJss", Game::Omaha).len()
    );
    assert_eq!(hands("As 2d 3h", Game::Razz).len(), 1);
}

/// Weights are shares with a colon, percentages with a percent sign, `@` or brackets.
#[test]
fn weights_are_shares_or_percentages() {
    for same in [
        "AKs:50%",
        "AKs@50",
        "AKs@50%",
        "AKs(50%)",
        "AKs(0.5)",
        "50%AKs",
        "[50]AKs[/50]",
        "[50%]AKs[/]",
        "{AKs}:0.5",
        "AKs :50%",
        "AKs (50%)",
    ] {
        assert_same_range(same, "AKs:0.5");
    }
    assert_same_range("[50]AKs,QQ+[/50],JJ", "AKs:0.5,QQ+:0.5,JJ");
    assert_same_range("[50]AKs QQ+:0.5[/50] JJ", "AKs:0.5,QQ+:0.25,JJ");
    assert_same_range("[12.5]AKs[/12.5][25]AQs[/25]", "AKs:0.125,AQs:0.25");
    assert_same_range("{QQ+,AKs:0.5}:50%,!{AA,KK}", "QQ:0.5,AKs:0.25");
    assert_same_range("50%15%", "15%:0.5");
    assert_same_range("AKs:100%,QQ:0%", "AKs");
    let message = |text: &str| text.parse::<Range>().unwrap_err().to_string();
    assert_eq!(
        message("QQ,AKs:50"),
        "character 8: the weight \"50\" has two readings: for 50 percent write :50%; for 50 times the weight of \
         other hands give these :1 and the others :0.02"
    );
    assert_eq!(
        message("AKs@0.5"),
        "character 5: the weight \"0.5\" has two readings; write :0.5% for 0.5 percent, or :0.5 for 50 percent"
    );
    assert!(message("AKs:150%").contains("too large; the largest is 100%"));
    assert!(message("AKs@x").contains("cannot follow"));
    for wrong in [
        "[50]AKs",
        "AKs[/50]",
        "[50][20]AKs[/20][/50]",
        "[50][/50]",
        "AKs[50]",
    ] {
        let message = message(wrong);
        assert!(
            message.contains("as in [50]AKs,AQs[/50]") || message.contains("a hand is missing"),
            "{wrong}: {message}"
        );
    }
    for wrong in ["{AKs", "AKs}", "AA{KK}", "{AA}{KK}", "{}"] {
        let message = message(wrong);
        assert!(
            message.contains("as in {QQ+,AKs}:0.5") || message.contains("a hand is missing"),
            "{wrong}: {message}"
        );
    }
}

#[test]
fn minus_stars_and_words_name_groups() {
    assert_same_range("66-", "66-22");
    assert_same_range("66-,AK", "66-22,AK");
    assert_same_range("ATs-", "ATs-A2s");
    assert_same_range("76s-", "76s-32s");
    assert_same_range("22-", "22");
    assert_eq!(range("Ah*").len(), 51);
    assert_same_range("Ahx", "Ah*");
    assert_eq!(range("xhxh").len(), 13 * 12 / 2);
    assert_same_range("pairs", "22+");
    assert_same_range("pocket pairs", "22+");
    assert_same_range("broadway", "ATs+,ATo+,KT+,QT+,JT");
    assert_same_range("suited broadway QQ+", "ATs+,KTs+,QTs+,JTs,QQ+");
    assert_same_range("suited connectors", "32s+");
    assert_same_range("suited-connectors:0.5", "32s+:0.5");
    assert_same_range("Suited AA", "suited,AA");
    assert_eq!(range("suited").len(), 312);
    assert_eq!(range("offsuit").len(), 936);
    assert_same_range("!{pairs}, !suited", "offsuit");
    assert_same_range("suited aces", "A2s+");
    assert_eq!(range("suited one-gappers").len(), 12 * 4 - 4);
    // A name of a file may be one of these words.
    let names = NamedRanges::parse("broadway = KQs", Game::Holdem).unwrap();
    let setting = RangeContext {
        names: &names,
        ..RangeContext::of(Game::Holdem)
    };
    assert_eq!(Range::parse_in("broadway", &setting).unwrap().len(), 4);
}

/// Both forms give the same hands and weights again.
#[test]
fn condensed_and_expanded_ranges_are_read_back() {
    for text in [
        "QQ+,AKs",
        "22+",
        "A2s+,K9o+,QJ",
        "random",
        "random:0.25",
        "!AA",
        "15%",
        "5%-20%",
        "99-66,A5s-A2s,JTs-76s",
        "AhKh,AsKs,AKo:0.5",
        "[12.5]QQ+,AKs[/12.5],AhKh,KQ:0.3",
        "32,43s",
        "offsuit broadway, suited one-gappers:1%",
    ] {
        let (condensed, expanded) = (range(text).condensed(), range(text).expanded());
        assert_same_range(&condensed, text);
        assert_same_range(&expanded, text);
    }
    assert_eq!(range("AA,KK,QQ,AK,AQs,AJs").condensed(), "QQ+,AJs+,AKo");
    assert_eq!(range("99,88,77,T9s,T8s").condensed(), "99-77,T8s+");
    assert_eq!(range("A5s,A4s,A2s").condensed(), "A5s-A4s,A2s");
    assert_eq!(range("random:0.25").condensed(), "random:0.25");
    assert_eq!(range("AK:0.5").expanded().split(',').count(), 16);
    let omaha = Range::parse("AAAKr", Game::Omaha).unwrap();
    let again = Range::parse(&omaha.condensed(), Game::Omaha).unwrap();
    assert_eq!(again.hands(), omaha.hands());
    let mut random = Random(5);
    for _ in 0..300 {
        // Kinds and hands with one of three weights.
        let hands = range("random").hands().to_vec();
        let weights = ["0.5", "1", "0.125"].map(|weight| weight.parse::<Weight>().unwrap());
        let kept = hands.iter().filter_map(|&(hand, _)| {
            let cards: Vec<_> = hand.iter().collect();
            let kind = cards[0].rank().index() * 13 + cards[1].rank().index();
            let choice = (kind as u64 * 7 + random.below(9) / 8) % 5;
            Some((hand, *weights.get(choice as usize)?))
        });
        let one = Range::of_hands("", kept);
        assert_same_range(&one.condensed(), &one.expanded());
        assert_eq!(range(&one.condensed()).hands(), one.hands());
    }
}

/// Messages and the range itself show the text as it was typed.
#[test]
fn texts_are_shown_as_typed() {
    let message = |text: &str| text.parse::<Range>().unwrap_err().to_string();
    assert!(message("QQ+,AKZ").starts_with("character 7: \"Z\" cannot follow here"));
    assert!(message("QQ, Sqeeze").contains("no range named \"Sqeeze\""));
    assert!(message("AA:X").contains("\"X\" is no weight"));
    assert!(message("AhZ").contains("'Z' is no rank"));
    assert!(message("TOP0.1%").starts_with("character 1: TOP0.1% is less"));
    assert_eq!(range(" QQ+,  AKs ").to_string(), "QQ+, AKs");
    let board = parse_cards("Qh-7h-2c").unwrap();
    let setting = RangeContext {
        board,
        ..RangeContext::of(Game::Holdem)
    };
    let shown = Range::parse_in("88+[top pair+]", &setting).unwrap();
    assert_eq!(shown.to_string(), "88+[top pair+]");
}

/// Hands are ranked by exact equity against a random hand, and kinds are taken whole.
#[test]
fn percentages_follow_the_documented_order() {
    assert_same_range("0.5%", "AA");
    assert_same_range("1%", "AA,KK");
    assert_same_range("2.3%", "AA,KK,QQ,JJ,TT");
    assert_same_range("100%", "random");
    assert_eq!(range("0%-100%").len(), 1326);
    let (five, twenty) = (range("5%"), range("20%"));
    assert_eq!(range("5%-20%").len(), twenty.len() - five.len());
    assert!(five.len() <= 66 && twenty.len() <= 265 && twenty.len() > 250);
    assert_same_range("top15%:0.5", "15%:0.5");
    for wrong in ["101%", "20%-5%", "%", "5-20%", "0.1%", "x%"] {
        assert!(wrong.parse::<Range>().is_err(), "{wrong}");
    }
    assert!(Range::parse("10%", Game::Omaha).is_err());
}

#[test]
fn filters_use_the_board() {
    let board = parse_cards("Kh7h2c").unwrap();
    let on = |text: &str| {
        let setting = RangeContext {
            board,
            ..RangeContext::of(Game::Holdem)
        };
        Range::parse_in(text, &setting)
    };
    let hands = |text: &str| on(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    // Two of the eleven remaining hearts.
    assert_eq!(hands("[flush draw]").len(), 55);
    assert_eq!(hands("AA-QQ[overpair]").len(), 6);
    assert_eq!(hands("[set]").len(), 9);
    assert_eq!(hands("[two pair]").len(), 27);
    assert_eq!(hands("[top pair]").len(), 3 * 40);
    let better = hands("[top pair+]").len();
    assert_eq!(better, hands("[overpair+]").len() + 120);
    assert_eq!(
        hands("[any pair]").len() + hands("[no pair]").len(),
        49 * 48 / 2
    );
    assert_eq!(
        hands("[weak pair & flush draw, set]").len(),
        hands("[weak pair&flush draw]").len() + 9
    );
    assert_eq!(
        hands("[no pair & !flush draw]").len() + hands("[no pair & flush draw]").len(),
        hands("[no pair]").len()
    );
    let wrong = |text: &str| on(text).unwrap_err().to_string();
    assert_eq!(
        wrong("AA,[flsh draw]"),
        "character 5: \"flsh draw\" is no filter; did you mean \"flush draw\"?"
    );
    assert!(wrong("72o[overpair]").contains("no hand here has [overpair]"));
    assert!(wrong("[set").contains("one [ and one ]"));
    let nowhere = "[set]".parse::<Range>().unwrap_err().to_string();
    assert!(nowhere.contains("needs a board"), "{nowhere}");
}

#[test]
fn names_refer_to_ranges() {
    let text = "# cash game\nopen = 15%\nopen10 = 10%\nthreebet = QQ+, AKs, A5s:0.5  # bluffs\nsqueeze = threebet, AKo\n";
    let names = NamedRanges::parse(text, Game::Holdem).unwrap();
    let setting = RangeContext {
        names: &names,
        ..RangeContext::of(Game::Holdem)
    };
    let read = |text: &str| Range::parse_in(text, &setting);
    let squeeze = read("@squeeze, !AA").unwrap();
    assert_eq!(squeeze.len(), 18 - 6 + 4 + 4 + 12);
    assert_eq!(read("open10").unwrap().hands(), range("10%").hands());
    let halved = read("threebet:0.5").unwrap();
    assert_eq!(halved.total_weight(), (18.0 + 4.0 + 2.0) / 2.0);
    let error = read("AA,@sqeeze").unwrap_err();
    assert_eq!(error.position(), 4);
    assert!(
        error.to_string().contains("did you mean \"squeeze\"?"),
        "{error}"
    );
    for short in ["utg", "co"] {
        let error = read(short).unwrap_err().to_string();
        assert!(
            error.starts_with("character 1: there is no range named"),
            "{error}"
        );
    }
    for (text, problem) in [
        ("open 15%", "line 1: a name, ="),
        ("a b = AA", "line 1: \"a b\" is no name"),
        ("x1 = AA\nx1 = KK", "line 2: \"x1\" is named twice"),
        ("ak = QQ", "line 1: \"ak\" is a range already"),
        ("\n\nopen = AKx", "line 3: character"),
        (
            "open = AA[flsh draw]",
            "line 1: character 5: \"flsh draw\" is no filter; did you mean",
        ),
    ] {
        let error = NamedRanges::parse(text, Game::Holdem)
            .unwrap_err()
            .to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// Filters of named ranges use the board. Without a board it is an error only to use the name.
#[test]
fn named_ranges_have_filters() {
    let text = "call = 22+,A2s+,KTs+\nraise = call[top pair+]\ndraws = call[flush draw]\n";
    let read = |range: &str, board: &str| {
        let board = parse_cards(board).unwrap();
        let names = NamedRanges::parse_on(text, Game::Holdem, board).unwrap();
        let setting = RangeContext {
            game: Game::Holdem,
            board,
            names: &names,
        };
        Range::parse_in(range, &setting).map_err(|error| error.to_string())
    };
    let raise = read("raise", "Kh7h2c").unwrap();
    assert_eq!(
        raise.hands(),
        read("call[top pair+]", "Kh7h2c").unwrap().hands()
    );
    assert!(read("draws", "Kh7h2c").is_ok());
    assert!(read("call", "").is_ok());
    let error = read("AA,raise", "").unwrap_err();
    assert!(
        error.starts_with("character 4: a filter needs a board"),
        "{error}"
    );
    let error = read("draws", "Kh7d2c").unwrap_err();
    assert!(error.contains("no hand here has [flush draw]"), "{error}");
}

#[test]
fn the_other_games_have_their_hands() {
    let hands = |text: &str, game: Game| Range::parse(text, game);
    assert_eq!(hands("AsKsQsJsTs", Game::Omaha5).unwrap().len(), 1);
    assert_eq!(hands("AsKsQsJsTs9s", Game::Omaha6).unwrap().len(), 1);
    assert!(hands("AsKsQsJs", Game::Omaha5).is_err());
    assert_eq!(hands("AsKs2d", Game::Razz).unwrap().hands()[0].0.len(), 3);
    assert_eq!(hands("random", Game::Badugi).unwrap().hands()[0].0.len(), 0);
    assert!(hands("As2s3s4s5s", Game::Badugi).is_err());
    assert!(hands("AAxx[set]", Game::Omaha).is_err());
}

/// Published Sklansky-Chubukov numbers (D. Sklansky and E. Miller, "No Limit Hold 'em: Theory and Practice", 2006, as
/// computed by V. Chubukov), in small blinds.
#[test]
fn percentages_by_sklansky_chubukov_numbers() {
    use croupier_poker::equity::preflop::sklansky_chubukov;
    for (hand, published) in [
        ("KhKs", 953.995),
        ("AhKh", 554.510),
        ("QhQs", 478.008),
        ("AhKs", 331.887),
        ("JhJs", 319.213),
        ("AhQh", 274.211),
        ("ThTs", 239.821),
        ("AhQs", 192.670),
        ("9h9s", 191.413),
        ("AhJh", 183.221),
        ("8h8s", 159.296),
    ] {
        let found = sklansky_chubukov(croupier_poker::parse_cards(hand).unwrap()).unwrap();
        assert!(
            (found - published).abs() < 0.001,
            "{hand}: {found}, {published}"
        );
    }
    let names = |text: &str| Range::parse(text, Game::Holdem).unwrap().condensed();
    // AA KK AKs QQ AKo: 34 hands; by equity against a random hand JJ and TT come before ace-king.
    assert_eq!(names("sc 2.6%"), names("AA,KK,AKs,QQ,AKo"));
    assert_eq!(names("sc2.6%:0.5"), names("{QQ+,AK}:0.5"));
    // 1 % are 13 hands, which AA and KK fill with 12.
    assert_eq!(names("top sc 1%-2.6%"), names("QQ,AK"));
    assert_eq!(names("sc 100%"), names("random"));
}
