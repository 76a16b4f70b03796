//! Equity compared with the test vectors, with plain enumeration, and with other algorithms of the crate.

use crate::common::{Random, SHORT_DECKS, counts, query, vectors};
use cards::CardSet;
use croupier_poker::equity::Algorithm;
use croupier_poker::{
    Equity, EquityError, EquityMethod, EquityOptions, Game, HandRank, Query, Range, RangeContext,
    Weight, evaluate_omaha, parse_cards, reference,
};

fn solve(game: Game, ranges: &str, board: &str, dead: &str) -> Equity {
    query(game, ranges, board, dead)
        .solve(&EquityOptions::default())
        .unwrap()
}

fn equities(equity: &Equity) -> String {
    let players = equity.players();
    let texts: Vec<String> = players
        .iter()
        .map(|p| format!("{:.12}", p.equity))
        .collect();
    texts.join(" ")
}

fn check_row(row: &[String]) {
    let [id, players, ranges, board, dead, deals, winners, equity] = row else {
        panic!("{row:?}")
    };
    let found = solve(Game::Holdem, ranges, board, dead);
    assert!(found.is_exact(), "{id}");
    assert_eq!(found.players().len().to_string(), *players, "{id}");
    assert_eq!(found.deals().to_string(), *deals, "{id}");
    assert_eq!(counts(&found), *winners, "{id}");
    assert_eq!(equities(&found), *equity, "{id}");
}

/// Every row of `equity.csv` except one that takes seconds and has its own test.
#[test]
fn vectors_of_equity() {
    let rows = vectors("equity.csv");
    assert_eq!(rows.len(), 30);
    for row in rows.iter().filter(|row| row[0] != "rr07") {
        check_row(row);
    }
}

/// Random against random before the flop: 2.8 million million deals.
#[test]
fn vector_of_random_against_random() {
    check_row(
        vectors("equity.csv")
            .iter()
            .find(|row| row[0] == "rr07")
            .unwrap(),
    );
}

/// Every row of `equity_weighted.csv`: decimal weights, exact to the last of six digits.
#[test]
fn vectors_of_weighted_equity() {
    let rows = vectors("equity_weighted.csv");
    assert_eq!(rows.len(), 6);
    for row in rows {
        let [id, _, ranges, board, dead, total, winners, equity] = &row[..] else {
            panic!("{row:?}")
        };
        let found = solve(Game::Holdem, ranges, board, dead);
        let six = |number: f64| format!("{number:.6}");
        assert_eq!(six(found.deals().to_f64()), *total, "{id}");
        let by_winners = found.by_winners();
        let texts: Vec<String> = by_winners
            .iter()
            .map(|(set, weight)| format!("{set}:{}", six(weight.to_f64())))
            .collect();
        assert_eq!(texts.join(" "), *winners, "{id}");
        assert_eq!(equities(&found), *equity, "{id}");
    }
}

/// Every row of `omaha4.csv`.
#[test]
fn vectors_of_omaha() {
    let rows = vectors("omaha4.csv");
    assert_eq!(rows.len(), 200);
    for row in rows {
        let [hole, board] = [&row[0], &row[1]].map(|cards| parse_cards(cards).unwrap());
        let rank = evaluate_omaha(hole, board).unwrap();
        assert_eq!(rank.to_string(), row[2], "{row:?}");
        assert_eq!(rank.category().key(), row[3], "{row:?}");
    }
}

/// Returns the counts by winner set, from every hand of every player on every board.
fn by_enumeration(query: &Query) -> Vec<u128> {
    let rank: Box<dyn Fn(CardSet, CardSet) -> u16> = match query.game {
        Game::Holdem => Box::new(|hole, board| reference::evaluate(hole | board).0),
        Game::ShortDeck { .. } => {
            let rules = query.game.rules();
            let numbering = reference::Numbering::new(rules);
            Box::new(move |hole, board| numbering.rank(reference::score(rules, hole | board)).0)
        }
        _ => Box::new(|hole, board| best_of_omaha(hole, board).0),
    };
    let deck = query.game.deck() - query.board - query.dead;
    let mut counts = vec![0; 1 << query.players.len()];
    for board in boards(query.board, deck) {
        let ranked: Vec<Vec<(CardSet, u128, u16)>> = query
            .players
            .iter()
            .map(|range| {
                let playable = range
                    .hands()
                    .iter()
                    .filter(|(hand, _)| hand.is_disjoint(board) && deck.contains_all(*hand));
                let ranked = |&(hand, weight): &(CardSet, Weight)| {
                    (hand, u128::from(weight.millionths()), rank(hand, board))
                };
                playable.map(ranked).collect()
            })
            .collect();
        count_deals(&ranked, CardSet::EMPTY, 1, &mut Vec::new(), &mut counts);
    }
    counts
}

fn best_of_omaha(hole: CardSet, board: CardSet) -> HandRank {
    let subsets = |cards: CardSet, size: usize| -> Vec<CardSet> {
        let all: Vec<CardSet> = cards.iter().map(CardSet::of).collect();
        (0..1u32 << all.len())
            .filter(|chosen| chosen.count_ones() as usize == size)
            .map(|chosen| {
                let of = |i: usize| {
                    if chosen >> i & 1 == 1 {
                        all[i]
                    } else {
                        CardSet::EMPTY
                    }
                };
                (0..all.len()).fold(CardSet::EMPTY, |set, i| set | of(i))
            })
            .collect()
    };
    let triples = subsets(board, 3);
    let fives = subsets(hole, 2)
        .into_iter()
        .flat_map(|pair| triples.iter().map(move |&t| t | pair));
    fives.map(reference::evaluate).min().unwrap()
}

fn boards(board: CardSet, deck: CardSet) -> Vec<CardSet> {
    if board.len() == 5 {
        return vec![board];
    }
    let mut later = deck;
    deck.iter()
        .flat_map(|card| {
            later.remove(card);
            boards(board | CardSet::of(card), later)
        })
        .collect()
}

fn count_deals(
    ranked: &[Vec<(CardSet, u128, u16)>],
    used: CardSet,
    weight: u128,
    ranks: &mut Vec<u16>,
    counts: &mut [u128],
) {
    let Some(range) = ranked.get(ranks.len()) else {
        let best = ranks.iter().min().unwrap();
        let winners = (0..ranks.len())
            .filter(|&i| ranks[i] == *best)
            .map(|i| 1 << i);
        counts[winners.sum::<usize>()] += weight;
        return;
    };
    for &(hand, hand_weight, rank) in range {
        if hand.is_disjoint(used) {
            ranks.push(rank);
            count_deals(ranked, used | hand, weight * hand_weight, ranks, counts);
            ranks.pop();
        }
    }
}

fn agree_with_enumeration(query: &Query) {
    let expected = by_enumeration(query);
    let found = query.solve(&EquityOptions {
        method: EquityMethod::Exact,
        ..EquityOptions::default()
    });
    if expected.iter().all(|&count| count == 0) {
        let error = found.unwrap_err();
        assert!(
            matches!(error, EquityError::NoDeal | EquityError::NothingLeft { .. }),
            "{error}"
        );
        return;
    }
    let found = found.unwrap_or_else(|error| panic!("{query:?}: {error}"));
    let million = 1_000_000u128.pow(query.players.len() as u32);
    let mut counts = vec![0.0; expected.len()];
    for (set, weight) in found.by_winners() {
        counts[set] = weight.to_f64();
    }
    for (set, &count) in expected.iter().enumerate() {
        let expected = count as f64 / million as f64;
        assert!(
            (counts[set] - expected).abs() <= 1e-9 * expected,
            "{query:?} {set}"
        );
    }
}

/// Random ranges on random boards of three to five cards, with dead cards and weights, compared with plain enumeration
/// by the reference evaluator.
#[test]
fn random_queries_agree_with_enumeration() {
    let ranges = [
        "AA",
        "AKs",
        "T9s,98s:0.25",
        "JJ-99",
        "AsKs",
        "QQ+:0.5,AKo",
        "86s-75s,KQo:0.125",
        "9h8h",
    ];
    let mut random = Random(12);
    for round in 0..60 {
        let game = [Game::Holdem, SHORT_DECKS[0], SHORT_DECKS[1]][round % 3];
        let players = 2 + random.below(2) as usize;
        let board = random.hand_from(game.deck(), 3 + round % 3);
        let dead_cards = random.below(3) as usize;
        let dead = random.hand_from(game.deck() - board, dead_cards);
        let mut pick = || {
            let text = ranges[random.below(ranges.len() as u64) as usize];
            Range::parse(text, game).unwrap()
        };
        let players = (0..players).map(|_| pick()).collect();
        agree_with_enumeration(&Query {
            folded: Vec::new(),
            game,
            players,
            board,
            dead,
        });
    }
}

/// Known hands before the flop, which use most of the optimised counting. A smaller deck keeps the enumeration short.
#[test]
fn known_hands_before_the_flop_agree_with_enumeration() {
    let mut random = Random(13);
    for (round, players) in [(0, 2), (1, 2), (2, 3), (3, 2)] {
        let game = if round == 3 {
            SHORT_DECKS[1]
        } else {
            Game::Holdem
        };
        let mut deck = game.deck();
        let mut hands = Vec::new();
        for _ in 0..players {
            let hand = random.hand_from(deck, 2);
            deck -= hand;
            hands.push(Range::of_hand(hand));
        }
        let dead = random.hand_from(deck, deck.len() - 17);
        agree_with_enumeration(&Query {
            folded: Vec::new(),
            game,
            players: hands,
            board: CardSet::EMPTY,
            dead,
        });
    }
}

/// Boards of one or two cards are allowed too.
#[test]
fn short_boards_agree_with_enumeration() {
    let mut random = Random(14);
    for cards in [1, 2] {
        let mut query = query(Game::Holdem, "AKs|QQ:0.5,JTs", "", "");
        query.board = random.hand(cards);
        query.dead = random.hand_from(!query.board, 30 + cards);
        agree_with_enumeration(&query);
    }
}

#[test]
fn omaha_agrees_with_enumeration() {
    for (ranges, board) in [
        ("AsAhKsKh|9c8c7d6d", "Tc5h2s"),
        ("AsAhKsKh|9c8c7d6d|QQJJds", "Tc9h2sJd"),
        ("AAKKds:0.5,AsAhQsQh|TT99r", "Tc5c2c8h"),
    ] {
        agree_with_enumeration(&query(Game::Omaha, ranges, board, ""));
    }
}

/// Three ranges that share hands and cards, with weights, ties on the board and dead cards, on boards of three to five
/// cards and in the short deck.
#[test]
fn three_wide_ranges_agree_with_enumeration() {
    for (game, ranges, board, dead) in [
        (
            Game::Holdem,
            "55+,A9s+,KQ|55+,A9s+,KQ|55+,A9s+,KQ",
            "Ts9s2d5h7c",
            "",
        ),
        (
            Game::Holdem,
            "88+,AK:0.5|99+,AKs,QJ:0.25|suited aces",
            "Ts9s2d5h",
            "",
        ),
        (
            Game::Holdem,
            "77+,broadway|AT+:0.3,76s|random[any pair]",
            "TsTd2d2h5c",
            "Ah",
        ),
        // The board plays: nearly all deals are shared by three.
        (Game::Holdem, "99+,AK|22+,AQ|A2s+,K9o+", "AsKsQsJsTs", ""),
        (
            Game::Holdem,
            "99-22,76s|66-22,A5s-A2s|22+",
            "KsKdKhQcQd",
            "Kc",
        ),
        (Game::Holdem, "QQ+,AKs|JJ+,AQs+|AA,KQs,JTs", "Ts9s2d", ""),
        (SHORT_DECKS[0], "99+,AK|TT+,KQ|A9s+,JT", "Ts9s6d7h8c", ""),
        (SHORT_DECKS[1], "99+,AK|TT+,KQ|A9s+,JT", "Ts9s6d7h", "Ac"),
    ] {
        let (board, dead) = (parse_cards(board).unwrap(), parse_cards(dead).unwrap());
        let setting = RangeContext {
            board,
            ..RangeContext::of(game)
        };
        let range = |text| Range::parse_in(text, &setting).unwrap();
        let query = Query {
            folded: Vec::new(),
            game,
            players: ranges.split('|').map(range).collect(),
            board,
            dead,
        };
        let found = query.solve(&EquityOptions::default()).unwrap();
        assert_eq!(found.algorithm(), Algorithm::BoardByBoard, "{query:?}");
        agree_with_enumeration(&query);
    }
}

/// Three to five narrow ranges, with hands in common, weights and ties, on boards of three to five cards.
#[test]
fn several_narrow_ranges_agree_with_enumeration() {
    let mut by_boards = 0;
    for (ranges, board, dead) in [
        ("QQ+|AK|JTs,T9s|22,55", "Ts9s2d5h", ""),
        (
            "99+|TT+,AKs:0.5|TT,99:0.25,AK:0.125|A9s+",
            "Ts9s2d5h7c",
            "Ad",
        ),
        ("AA,KK|QQ,AK|JJ,KQ|TT,QJs", "AsKsQsJsTs", ""),
        ("QQ+|AKs|JTs|77|22+", "Ts9s2d", ""),
        ("AKs|AKs|AKs:0.5,AA|QQ|KQs", "Kd9h2s2c", ""),
        ("AhKh,AdQd|88+,broadway|JTs,QQ", "Ts9s2d5h", ""),
        ("22+|22+,AK|55+|22+,A2s+", "2c2d7h7s7c", ""),
    ] {
        let query = query(Game::Holdem, ranges, board, dead);
        let found = query.solve(&EquityOptions::default()).unwrap();
        // The estimate of the work decides, and both results are compared.
        by_boards += usize::from(found.algorithm() == Algorithm::BoardByBoard);
        agree_with_enumeration(&query);
    }
    assert!(by_boards >= 5, "{by_boards} by boards");
}

/// Wide ranges are counted by boards; the sum over their single hands is counted by hands.
#[test]
fn boards_first_and_hands_first_agree() {
    let board = "Ts9s2d5h";
    let wide = solve(Game::Holdem, "22+,A2s+,KTo+|random", board, "3c");
    assert_eq!(wide.algorithm(), Algorithm::BoardByBoard);
    let range: Range = "22+,A2s+,KTo+".parse().unwrap();
    let mut sums = [0.0; 4];
    for (hand, _) in range.hands() {
        let players = vec![Range::of_hand(*hand), Range::random(Game::Holdem)];
        let [board, dead] = [board, "3c"].map(|cards| parse_cards(cards).unwrap());
        let single = Query {
            folded: Vec::new(),
            game: Game::Holdem,
            players,
            board,
            dead,
        };
        if let Ok(single) = single.solve(&EquityOptions::default()) {
            assert_eq!(single.algorithm(), Algorithm::HandByHand);
            single
                .by_winners()
                .iter()
                .for_each(|(set, count)| sums[*set] += count.to_f64());
        }
    }
    for (set, count) in wide.by_winners() {
        assert_eq!(count.to_f64(), sums[set]);
    }
}

/// Three players with about 200 hands each on a full board are compared with the sum over the first player's hands: board
/// by board, and hand by hand, where combinations are too many to be grouped into classes. Weights with many digits do
/// not fit into the integers of the first.
#[test]
fn many_combinations_agree_with_their_parts() {
    let wide = "22+,A2s+,K9s+,QTs+,JTs,A8o+,KTo+";
    let board = "Ts9s2d5hKc";
    let ask = |ranges: &str| {
        let query = query(Game::Holdem, ranges, board, "");
        query.solve(&EquityOptions {
            method: EquityMethod::Exact,
            ..EquityOptions::default()
        })
    };
    let weighted = format!("{{{wide}}}:0.999999");
    for (others, algorithm) in [
        (wide, Algorithm::BoardByBoard),
        (&weighted, Algorithm::HandByHand),
    ] {
        let whole = ask(&[wide, others, others].join("|")).unwrap();
        assert_eq!(whole.algorithm(), algorithm);
        assert!(whole.deals().to_f64() > 4e6);
        let mut sums = [0.0; 8];
        for (hand, _) in wide.parse::<Range>().unwrap().hands() {
            let first = croupier_poker::format_cards(*hand);
            if let Ok(part) = ask(&[&first, others, others].join("|")) {
                part.by_winners()
                    .iter()
                    .for_each(|(set, count)| sums[*set] += count.to_f64());
            }
        }
        for (set, count) in whole.by_winners() {
            assert!((count.to_f64() - sums[set]).abs() <= 1e-12 * sums[set]);
        }
    }
}

#[test]
fn the_order_of_players_changes_nothing() {
    let there = solve(Game::Holdem, "QQ+|AKs|JTs", "", "");
    let back = solve(Game::Holdem, "JTs|AKs|QQ+", "", "");
    let reversed = |set: usize| (set & 1) << 2 | set & 2 | set >> 2;
    let mut turned: Vec<(usize, String)> = back
        .by_winners()
        .iter()
        .map(|(set, n)| (reversed(*set), n.to_string()))
        .collect();
    turned.sort();
    let there: Vec<(usize, String)> = there
        .by_winners()
        .iter()
        .map(|(set, n)| (*set, n.to_string()))
        .collect();
    assert_eq!(there, turned);
}

#[test]
fn exchanging_suits_changes_nothing() {
    let a = solve(Game::Holdem, "AsKs|QhQd|7c7d", "2s9h", "3c");
    let b = solve(Game::Holdem, "AcKc|QdQs|7h7s", "2c9d", "3h");
    assert_eq!(counts(&a), counts(&b));
}

#[test]
fn exact_counts_do_not_depend_on_threads() {
    for (game, ranges, board) in [
        (Game::Holdem, "QQ+,AK|JJ-99,KQs", ""),
        (Game::Holdem, "22+|random", "Ts9s2d"),
        (Game::Omaha, "AsAhKsKh|9c8c7d6d", "Tc5h"),
    ] {
        let query = query(game, ranges, board, "");
        let with = |threads| {
            query
                .solve(&EquityOptions {
                    threads,
                    ..EquityOptions::default()
                })
                .unwrap()
        };
        assert_eq!(counts(&with(1)), counts(&with(3)));
    }
}

#[test]
fn invalid_queries_are_errors() {
    let error = |game, ranges: &str, board, dead| {
        let query = query(game, ranges, board, dead);
        query
            .solve(&EquityOptions::default())
            .unwrap_err()
            .to_string()
    };
    assert!(error(Game::Holdem, "AA", "", "").ends_with("not 1"));
    assert!(error(Game::Holdem, &["AA"; 11].join("|"), "", "").ends_with("not 11"));
    assert!(error(Game::Holdem, "AA|KK", "2c3c4c5c6c7c", "").starts_with("6 cards on the board"));
    assert!(error(Game::Holdem, "AA|KK", "2c3c4c", "4c").starts_with("4c cannot be"));
    assert!(error(Game::Holdem, "AhKh|QQ", "Ah2c3c", "").starts_with("player 1: no hand of AhKh"));
    assert!(error(Game::Holdem, "AhKh|AhQh", "", "").contains("cannot be dealt together"));
    assert!(error(Game::Holdem, "AA|AA|AA", "", "").contains("cannot be dealt together"));
    assert!(error(SHORT_DECKS[0], "AA|KK", "2c", "").contains("has no 2c"));
    assert!(error(Game::Holdem, "AA:0|KK", "", "").starts_with("player 1: no hand"));
    let mixed = Query::new(Game::Omaha, vec![Range::random(Game::Holdem); 2]);
    assert!(
        mixed
            .solve(&EquityOptions::default())
            .unwrap_err()
            .to_string()
            .contains("2 cards")
    );
}
