//! Hand histories: files of other programs, and the states and equities at their decisions.

use std::path::Path;

use croupier_poker::history::{
    HandHistory, HistoryOptions, HistoryView, MissingEquity, PlayerAction, read,
};
use croupier_poker::{EquityOptions, Game, Query, Range, format_cards, parse_cards};

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/histories");
    let path = folder.join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn code(action: PlayerAction) -> &'static str {
    match action {
        PlayerAction::Fold => "f",
        PlayerAction::Check | PlayerAction::Call(_) => "cc",
        PlayerAction::Bet(_) | PlayerAction::RaiseTo(_) => "cbr",
        PlayerAction::Draw(_) => "sd",
    }
}

/// Eighty-eight random hands of all eleven variants, written and replayed by pokerkit
/// (tests/peer/pokerkit_histories.py): player, pot, costs of a call, players left and board at every decision.
#[test]
fn decisions_are_those_of_pokerkit() {
    let hands = read(&data("hands.phhs")).unwrap();
    assert_eq!(hands.len(), 88);
    let mut ours = Vec::new();
    for (number, hand) in (1..).zip(&hands) {
        for decision in hand
            .decisions()
            .unwrap_or_else(|e| panic!("hand {number}: {e}"))
        {
            ours.push(format!(
                "{number},{},{},{},{},{},{}",
                decision.player + 1,
                code(decision.action),
                decision.pot,
                decision.to_call,
                decision.live.len(),
                format_cards(decision.board),
            ));
        }
    }
    let theirs = data("decisions.csv");
    let theirs: Vec<String> = theirs.lines().skip(1).map(with_sorted_board).collect();
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
}

fn with_sorted_board(line: &str) -> String {
    let (rest, board) = line.rsplit_once(',').unwrap();
    format!("{rest},{}", format_cards(parse_cards(board).unwrap()))
}

/// The equity at a decision is that of the cards as a question of its own.
#[test]
fn equities_are_those_of_the_cards_at_each_decision() {
    let hands = read(&data("hands.phhs")).unwrap();
    let mut seen = 0;
    let options = HistoryOptions {
        equity: EquityOptions {
            stop: croupier_poker::StopRule {
                samples: 1_000,
                standard_error: 0.0,
            },
            ..EquityOptions::default()
        },
        ..HistoryOptions::default()
    };
    for hand in hands
        .iter()
        .filter(|hand| hand.game == Game::Holdem || hand.game == Game::Stud)
    {
        for decision in hand.report(&options).unwrap().decisions {
            let cards = |player: usize| decision.cards(player);
            let folded = (0..hand.players.len()).filter(|it| !decision.live.contains(it));
            let ranges = decision
                .live
                .iter()
                .map(|&player| Range::of_hand(cards(player)));
            let query = Query {
                board: decision.board,
                dead: folded
                    .map(cards)
                    .fold(parse_cards("").unwrap(), |all, its| all | its),
                ..Query::new(hand.game, ranges.collect())
            };
            let expected = query.solve(&options.equity).unwrap();
            let found = decision.equity.as_ref().unwrap();
            for (&player, expected) in decision.live.iter().zip(expected.players()) {
                assert_eq!(found.shares[player], Some(expected.equity), "{decision}");
            }
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen}");
}

fn one(text: &str) -> HandHistory {
    read(text).unwrap().remove(0)
}

/// Two players, blinds 1 and 2; `more` is added to the actions.
fn heads_up(more: &str) -> String {
    format!(
        r#"variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
players = ["Ann", "Bob"]
actions = ["d dh p1 AhKh", "d dh p2 ????", "p2 cbr 6", "p1 cc", {more}]
"#
    )
}

#[test]
fn cards_shown_later_count_for_spectators_but_not_for_a_player() {
    let hand = one(&heads_up(
        r#""d db Qh7h2c", "p1 cc", "p2 cbr 8", "p1 cc", "p2 sm QcQd""#,
    ));
    let own = |options: &HistoryOptions| {
        let report = hand.report(options).unwrap();
        report.decisions[3].own_equity().unwrap()
    };
    let queens = own(&HistoryOptions::default());
    // Bob bets with three queens against a flush draw.
    assert!((queens - 0.744_4).abs() < 0.001, "{queens}");
    let mine = HistoryOptions {
        view: HistoryView::Player(1),
        ..HistoryOptions::default()
    };
    // Bob does not see the cards of Ann, who has any hand.
    let against_any = own(&mine);
    assert!(against_any > 0.9, "{against_any}");
    // Nobody knows that she has a draw, but Bob may think so.
    let mut guess = mine.clone();
    guess.ranges.insert(0, "[flush draw]".to_owned());
    let report = hand.report(&guess).unwrap();
    assert!(
        matches!(&report.decisions[0].equity, Err(MissingEquity::Problem(text)) if text.contains("needs a board"))
    );
    let guessed = report.decisions[3].own_equity().unwrap();
    assert!(guessed < against_any, "{guessed}");
}

#[test]
fn games_with_draws_have_equities_after_the_last_one() {
    let hands = read(&data("hands.phhs")).unwrap();
    let mut counts = [0, 0];
    for hand in hands.iter().filter(|hand| hand.draws > 0) {
        for decision in hand.report(&HistoryOptions::default()).unwrap().decisions {
            match &decision.equity {
                Ok(equity) => {
                    assert_eq!(decision.draws_left, 0);
                    let sum: f64 = equity.shares.iter().flatten().sum();
                    assert!(equity.is_exact && (sum - 1.0).abs() < 1e-12);
                    counts[0] += 1;
                }
                Err(missing) => {
                    assert_eq!(*missing, MissingEquity::DrawsToCome);
                    counts[1] += 1;
                }
            }
        }
    }
    assert!(counts[0] > 20 && counts[1] > 100, "{counts:?}");
}

/// The example of a hand in the Open Hand History format; amounts are what a player puts in at once.
const OHH: &str = r#"{"ohh": {
  "spec_version": "1.4.6", "site_name": "Test", "game_type": "Holdem", "game_number": "77",
  "bet_limit": {"bet_type": "NL"}, "small_blind_amount": 0.5, "big_blind_amount": 1, "ante_amount": 0.1,
  "players": [
    {"id": 10, "seat": 1, "name": "Ann", "starting_stack": 100},
    {"id": 11, "seat": 2, "name": "Bob", "starting_stack": 80},
    {"id": 12, "seat": 3, "name": "Cid", "starting_stack": 50.5}],
  "rounds": [
    {"id": 0, "street": "Preflop", "actions": [
      {"player_id": 10, "action": "Post Ante", "amount": 0.1},
      {"player_id": 11, "action": "Post Ante", "amount": 0.1},
      {"player_id": 12, "action": "Post Ante", "amount": 0.1},
      {"player_id": 11, "action": "Post SB", "amount": 0.5},
      {"player_id": 12, "action": "Post BB", "amount": 1},
      {"player_id": 10, "action": "Dealt Cards", "cards": ["As", "Ks"]},
      {"player_id": 10, "action": "Raise", "amount": 3},
      {"player_id": 11, "action": "Fold"},
      {"player_id": 12, "action": "Raise", "amount": 9},
      {"player_id": 10, "action": "Call", "amount": 7}]},
    {"id": 1, "street": "Flop", "cards": ["Kd", "7s", "2s"], "actions": [
      {"player_id": 12, "action": "Bet", "amount": 40.4, "is_allin": true},
      {"player_id": 10, "action": "Call", "amount": 40.4}]},
    {"id": 2, "street": "Turn", "cards": ["2d"], "actions": []},
    {"id": 3, "street": "River", "cards": ["2h"], "actions": []},
    {"id": 4, "street": "Showdown", "actions": [
      {"player_id": 12, "action": "Shows Cards", "cards": ["Qc", "Qd"]}]}],
  "pots": []}}"#;

#[test]
fn open_hand_histories_are_read() {
    let hands = read(&format!("{OHH}\n\n{OHH}\n")).unwrap();
    assert_eq!(hands.len(), 2);
    let hand = &hands[0];
    assert_eq!(
        (hand.game, hand.name.as_deref()),
        (Game::Holdem, Some("77"))
    );
    assert_eq!(
        (hand.player("bob"), hand.player("p3"), hand.player("p4")),
        (Some(1), Some(2), None)
    );
    let report = hand.report(&HistoryOptions::default()).unwrap();
    let lines: Vec<String> = report.decisions.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "Ann raises to 3, pot 1.8, 1 to call",
            "Bob folds, pot 4.8, 2.5 to call",
            "Cid raises to 10, pot 4.8, 2 to call",
            "Ann calls 7, pot 13.8, 7 to call",
            "Cid bets 40.4 on Kd7s2s, pot 20.8",
            "Ann calls 40.4 on Kd7s2s, pot 61.2, 40.4 to call",
        ]
    );
    let last = &report.decisions[5];
    let expected = Query {
        board: last.board,
        ..Query::new(
            Game::Holdem,
            vec!["AsKs".parse().unwrap(), "QcQd".parse().unwrap()],
        )
    };
    let expected = expected.solve(&EquityOptions::default()).unwrap();
    assert_eq!(last.own_equity(), Some(expected.players()[0].equity));
    let needed = last.needed().unwrap();
    assert!((needed - 40.4 / 101.6).abs() < 1e-12, "{needed}");
}

/// Every mistake is one line with its place.
#[test]
fn mistakes_are_reported_with_their_place() {
    for (text, expected) in [
        ("", "the text is empty"),
        (
            "a = 1",
            "the field variant is missing; a PHH file has it, and an OHH file begins with {",
        ),
        (
            "variant = \"XX\"",
            "variant: unknown variant \"XX\"; known are FT, NT,",
        ),
        ("variant = \"NT\"\nvariant = 1", "line 2: "),
        (
            &heads_up(r#""p3 cc""#),
            "action 5 (\"p3 cc\"): \"p3\" is not a player from p1 to p2",
        ),
        (
            &heads_up(r#""d db AhAhKd""#),
            "action 5 (\"d db AhAhKd\"): Ah is there twice",
        ),
        (
            &heads_up(r#""d db ??2c3d""#),
            "a card of the board is not known",
        ),
        (&heads_up(r#""p1 jumps""#), "unknown action; known are"),
        (
            &heads_up(r#""p1 cbr -5""#),
            "\"-5\" is not an amount of chips",
        ),
        (
            "{\"ohh\": 1}",
            "hand 1: players: the field is missing or no list",
        ),
        ("{\"ohh\": ", "hand 1: EOF while parsing"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    for (actions, expected) in [
        (r#""d db AhQc2d""#, "after 2 decisions: Ah is dealt twice"),
        (r#""p1 f", "p1 cc""#, "Ann acts after folding"),
        (r#""d db 2c3c4c", "p1 cbr 500""#, "Ann bets 500 but has 94"),
        (
            r#""d db 2c3c4c", "p1 cbr 10", "p2 cbr 5""#,
            "Bob raises to 5, but 10 is bet",
        ),
        (r#""p1 sd AhKh""#, "Ann exchanges cards once too often"),
        (r#""p1 sm QcQd""#, "Ann shows QdQc, which was not dealt"),
        (r#""d dh p1 2c""#, "Ann has 3 cards; holdem hands have 2"),
    ] {
        let error = one(&heads_up(actions)).decisions().unwrap_err().to_string();
        assert!(error.contains(expected), "{actions}: {error}");
    }
}
