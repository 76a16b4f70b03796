//! Poker: cards, ranges, named ranges, and requests about them.

use cards::CardSet;
use poker::{
    EquityMethod, EquityOptions, Game, NamedRanges, Query, Range, RangeContext, StopRule,
    format_cards, parse_cards,
};

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Ranges and cards.
pub static RANGES: Surface = Surface {
    name: "ranges",
    about: "Lines of text as a game, a board, named ranges and the ranges of the players: errors with their places, or ranges that read back as they are written and equities that add up to one.",
    feed,
    seeds: lines,
    words,
    inputs: 600,
};

fn lines() -> Vec<Vec<u8>> {
    let mut found: Vec<String> = seeds::column("crates/poker/tests/data/ranges.csv", "range")
        .into_iter()
        .map(|range| format!("holdem\n\n\n{range}|random"))
        .collect();
    let ranges = seeds::column("crates/poker/tests/data/equity.csv", "ranges");
    let boards = seeds::column("crates/poker/tests/data/equity.csv", "board");
    found.extend(
        ranges
            .iter()
            .zip(&boards)
            .map(|(ranges, board)| format!("holdem\n{board}\nbutton = 22+, A2s+\n{ranges}")),
    );
    for (game, range) in [
        ("omaha", "AAxx:ds|KsKhQsQh"),
        ("omaha5", "AsKsQdJd9c|random"),
        ("omaha6", "AsKsQdJd9c8c|random"),
        ("omaha8", "A23x|random"),
        ("short-deck", "AKs, 66+|QQ"),
        ("stud", "AsAdAc|KsKdKc"),
        ("stud8", "As2d3c|KsKdKc"),
        ("razz", "As2d3c|KsKdKc"),
        ("2-7", "2s3d4c5h7s|random"),
        ("a-5", "As2s3d4c6h|random"),
        ("badugi", "As2d3c4h|random"),
        ("holdem", "15%|5%-20%, [flush draw]"),
        ("holdem", "!22-66, @button:0.5|AhKx"),
    ] {
        let board = if game == "holdem" { "Kh7h2c" } else { "" };
        found.push(format!(
            "{game}\n{board}\nbutton = 22+, A2s+, K9s+:0.5\n{range}"
        ));
    }
    found.into_iter().map(String::into_bytes).collect()
}

fn words() -> Vec<String> {
    let words = [
        "AKs",
        "AKo",
        "QQ+",
        "ATs+",
        "76s+",
        "99-66",
        "A5s-A2s",
        "15%",
        "5%-20%",
        "100%",
        "0%",
        "random",
        "any",
        "*",
        "!",
        "[flush draw]",
        "[overpair]",
        "[",
        "]",
        "@button",
        "button",
        ":0.5",
        ":0",
        ":1",
        ":1e9",
        "AhKd",
        "A♥K♦",
        "AhKx",
        "Kx",
        "Axs",
        "AAxx",
        "ds",
        "ss",
        "r",
        "10",
        "T",
        "x",
        "xx",
        ",",
        "|",
        "\n",
        "holdem",
        "omaha",
        "omaha5",
        "omaha6",
        "omaha8",
        "short-deck",
        "stud",
        "razz",
        "2-7",
        "badugi",
        "+",
        "-",
        "22+",
        "AA-22",
        "A",
        "2",
        "= ",
        "[set]",
        "[top pair]",
    ];
    words.map(str::to_owned).to_vec()
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let Ok(text) = std::str::from_utf8(input) else {
        return 0;
    };
    let mut rest = text.splitn(4, '\n');
    let mut line = || rest.next().unwrap_or("");
    let (game, board, names, ranges) = (line(), line(), line(), line());
    let Ok(game) = game.parse::<Game>() else {
        return 1;
    };
    observed.note(game);
    let board = match parse_cards(board) {
        Ok(board) => {
            assert_eq!(
                parse_cards(&format_cards(board)),
                Ok(board),
                "cards read back as they are written"
            );
            board
        }
        Err(error) => {
            observed.message(&error.to_string());
            CardSet::EMPTY
        }
    };
    let names = NamedRanges::parse(names, game).unwrap_or_else(|error| {
        assert!(!error.to_string().is_empty());
        NamedRanges::none().clone()
    });
    let setting = RangeContext {
        game,
        board,
        names: &names,
    };
    let mut players = Vec::new();
    for text in ranges.split('|').take(4) {
        match Range::parse_in(text, &setting) {
            Ok(range) => {
                assert!(range.total_weight().is_finite());
                // There are twenty million hands of six cards, so they are listed only if needed.
                if range.len() < 50_000 {
                    assert_eq!(range.len(), range.hands().len());
                    assert!(
                        range
                            .hands()
                            .iter()
                            .all(|(hand, _)| game.deck().contains_all(*hand))
                    );
                    let again =
                        Range::parse_in(&range.to_string(), &setting).expect("as it was written");
                    assert_eq!(
                        again.hands(),
                        range.hands(),
                        "{text:?} reads back as it is written"
                    );
                }
                observed.about(range.len());
                players.push(range);
            }
            Err(error) => {
                assert!(
                    error.position() <= text.chars().count() + 1,
                    "a place in {text:?}"
                );
                observed.message(&error.to_string());
            }
        }
    }
    equities(
        Query {
            board,
            ..Query::new(game, players)
        },
        &mut observed,
    );
    observed.number()
}

/// Runs a short simulation and checks that it fails or that the shares add up.
fn equities(query: Query, observed: &mut Observed) {
    let options = EquityOptions {
        method: EquityMethod::MonteCarlo,
        threads: 1,
        seed: 5,
        stop: StopRule {
            samples: 600,
            standard_error: 0.0,
        },
    };
    match query.solve(&options) {
        Ok(equity) => {
            let sum: f64 = equity.players().iter().map(|player| player.equity).sum();
            assert!((sum - 1.0).abs() < 1e-6, "the shares add up to {sum}");
            observed.note(std::mem::discriminant(&equity.algorithm()));
        }
        Err(error) => {
            observed.message(&error.to_string());
        }
    }
}
