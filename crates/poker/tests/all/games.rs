//! Every game compared with an independent implementation and with brute force.

use crate::naive;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::naive::{SplitMix, for_each_hand};
use cards::CardSet;
use croupier_poker::{EquityMethod, EquityOptions, Game, Query, Range, StopRule, format_cards};

/// The short deck as it is usually played.
const SHORT_DECK: Game = Game::ShortDeck {
    trips_beat_straight: false,
};

/// Returns the games of the test vectors with their names there.
fn peer_games() -> Vec<(&'static str, Game)> {
    vec![
        ("holdem", Game::Holdem),
        ("omaha", Game::Omaha),
        ("omaha5", Game::Omaha5),
        ("omaha6", Game::Omaha6),
        ("omaha8", Game::OmahaHiLo),
        ("omaha5-8", Game::Omaha5HiLo),
        ("short-deck", SHORT_DECK),
        ("stud", Game::Stud),
        ("stud8", Game::StudHiLo),
        ("razz", Game::Razz),
        ("2-7", Game::DeuceToSeven),
        ("a-5", Game::AceToFive),
        ("badugi", Game::Badugi),
    ]
}

/// Returns every game, the short deck with both rankings of trips and straights.
fn all_games() -> Vec<(&'static str, Game)> {
    let exchanged = Game::ShortDeck {
        trips_beat_straight: true,
    };
    let mut games = peer_games();
    games.push(("short-deck, trips beat straights", exchanged));
    games
}

/// Returns every hand of a game without a board, in the order of `tests/peer/pokerkit_ranks.py`.
fn every_hand(game: Game) -> Vec<(CardSet, CardSet)> {
    let mut hands = Vec::new();
    for_each_hand(game.deck(), game.hole_cards(), &mut |hand| {
        hands.push((hand, CardSet::EMPTY));
    });
    hands
}

/// Returns the hands of `tests/peer/pokerkit_ranks.py`: the player's cards and the board.
fn peer_hands(game: Game, count: usize, seed: u64) -> Vec<(CardSet, CardSet)> {
    let mut random = SplitMix(seed);
    // Clubs and deuces first, as in that program.
    let deck: Vec<CardSet> = (0..52)
        .map(|bit| CardSet(1 << bit))
        .filter(|&card| game.deck().contains_all(card))
        .collect();
    let (own, board) = (game.hole_cards(), game.board_cards());
    (0..count)
        .map(|_| {
            let mut deck = deck.clone();
            for i in 0..own + board {
                let j = i + (random.word() % (deck.len() - i) as u64) as usize;
                deck.swap(i, j);
            }
            let join = |cards: &[CardSet]| cards.iter().fold(CardSet::EMPTY, |a, &b| a | b);
            (join(&deck[..own]), join(&deck[own..own + board]))
        })
        .collect()
}

/// Checks that our values order the hands exactly as the peer's index does.
fn compare(name: &str, game: Game, hands: &[(CardSet, CardSet)], ranks: &[u8]) {
    assert_eq!(ranks.len(), 2 * hands.len(), "{name}");
    let is_low = game.is_split()
        || matches!(
            game,
            Game::Razz | Game::DeuceToSeven | Game::AceToFive | Game::Badugi
        );
    let mut pairs: Vec<(i64, i64, usize)> = Vec::new();
    for (place, (&(own, board), rank)) in hands.iter().zip(ranks.chunks(2)).enumerate() {
        let rank = i64::from(u16::from_le_bytes([rank[0], rank[1]]));
        let worth = game.worth(own, board);
        let ours = if game.is_split() {
            assert_eq!(worth.low.is_none(), rank == 65535, "{}", format_cards(own));
            worth.low.map_or(i64::MAX, i64::from)
        } else {
            i64::from(worth.main)
        };
        pairs.push((if is_low { rank } else { -rank }, ours, place));
    }
    pairs.sort_unstable();
    for pair in pairs.windows(2) {
        let ((rank, ours, a), (next, theirs, b)) = (pair[0], pair[1]);
        let show = |place: usize| {
            let (own, board) = hands[place];
            format!("{} on {}", format_cards(own), format_cards(board))
        };
        let same = (rank == next) == (ours == theirs) && ours <= theirs;
        assert!(same, "{name}: {} and {}", show(a), show(b));
    }
}

/// Twenty thousand random hands of each game, ranked by pokerkit (tests/peer/pokerkit_ranks.py, seed 1).
#[test]
fn every_game_orders_hands_as_pokerkit_does() {
    for (name, game) in peer_games() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data/pokerkit")
            .join(format!("{name}.bin"));
        let ranks = std::fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        compare(name, game, &peer_hands(game, ranks.len() / 2, 1), &ranks);
    }
}

/// Compares other hands of a game with ranks that pokerkit computes during the test: a hundred thousand with its
/// evaluator, a million with its table of five cards, or all.
fn compare_live(name: &str, way: &[&str]) {
    let game = peer_games().into_iter().find(|(other, _)| *other == name);
    let game = game.expect("a game of the vectors").1;
    let python = peer_python();
    let seed = 20_260_101;
    let hands = match way {
        [] => peer_hands(game, 100_000, seed),
        ["all"] => every_hand(game),
        _ => peer_hands(game, 1_000_000, seed),
    };
    let output = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peer/pokerkit_ranks.py"))
        .args([name, &hands.len().to_string(), &seed.to_string()])
        .args(way)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    compare(name, game, &hands, &output.stdout);
}

/// Returns a Python with pokerkit, which the first test that needs it installs.
fn peer_python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pokerkit-numpy");
        let installed = folder.join("installed");
        if !installed.exists() {
            let made = Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(&folder)
                .status();
            assert!(made.unwrap().success(), "a virtual environment");
            let pip = Command::new(folder.join("bin/pip"))
                .args(["-q", "install", "pokerkit==0.7.7", "numpy==2.2.6"])
                .status();
            assert!(pip.unwrap().success(), "pokerkit and numpy from PyPI");
            std::fs::write(&installed, "").unwrap();
        }
        folder.join("bin/python")
    })
}

/// Defines one test for each game, so that each can be run separately.
macro_rules! live {
    ($($test:ident: $name:literal $(, $way:literal)?);* $(;)?) => {$(
        #[test]
        #[ignore = "installs pokerkit and runs for minutes"]
        fn $test() {
            compare_live($name, &[$($way)?]);
        }
    )*};
}

live! {
    long_holdem_is_ordered_as_pokerkit_does: "holdem";
    long_omaha_is_ordered_as_pokerkit_does: "omaha";
    long_five_card_omaha_is_ordered_as_pokerkit_does: "omaha5";
    long_six_card_omaha_is_ordered_as_pokerkit_does: "omaha6";
    long_omaha_lows_are_ordered_as_pokerkit_does: "omaha8";
    long_five_card_omaha_lows_are_ordered_as_pokerkit_does: "omaha5-8";
    long_short_deck_is_ordered_as_pokerkit_does: "short-deck";
    long_stud_is_ordered_as_pokerkit_does: "stud";
    long_stud_lows_are_ordered_as_pokerkit_does: "stud8";
    long_razz_is_ordered_as_pokerkit_does: "razz";
    long_deuce_to_seven_is_ordered_as_pokerkit_does: "2-7";
    long_ace_to_five_is_ordered_as_pokerkit_does: "a-5";
    long_badugi_is_ordered_as_pokerkit_does: "badugi";
    long_a_million_holdem_hands: "holdem", "table";
    long_a_million_omaha_hands: "omaha", "table";
    long_a_million_five_card_omaha_hands: "omaha5", "table";
    long_a_million_six_card_omaha_hands: "omaha6", "table";
    long_a_million_omaha_lows: "omaha8", "table";
    long_a_million_five_card_omaha_lows: "omaha5-8", "table";
    long_a_million_short_deck_hands: "short-deck", "table";
    long_a_million_stud_hands: "stud", "table";
    long_a_million_stud_lows: "stud8", "table";
    long_a_million_razz_hands: "razz", "table";
    long_a_million_deuce_to_seven_hands: "2-7", "table";
    long_a_million_ace_to_five_hands: "a-5", "table";
    long_every_badugi_hand: "badugi", "all";
}

/// Small random queries of every game: exact results, weights, dead cards, two to four players.
#[test]
fn exact_answers_are_those_of_brute_force_in_every_game() {
    for (name, game) in all_games() {
        let mut random = SplitMix(game.hole_cards() as u64 * 1000 + name.len() as u64);
        for case in 0..200 {
            let (query, weights) = naive::small_query(game, &mut random);
            let options = EquityOptions {
                method: EquityMethod::Exact,
                threads: 1 + case % 3,
                ..EquityOptions::default()
            };
            let answer = query
                .solve(&options)
                .unwrap_or_else(|e| panic!("{name} {case}: {e}"));
            let (deals, shares) = naive::brute_force(&query, &weights);
            assert!(answer.is_exact());
            assert_eq!(answer.deals(), deals, "{name} {case}: {query:?}");
            for (player, share) in answer.players().iter().zip(shares) {
                let expected = share as f64 / (deals as f64 * naive::POT as f64);
                assert!(
                    (player.equity - expected).abs() < 1e-12,
                    "{name} {case}: {} is {}, not {expected}; {query:?}",
                    player.range,
                    player.equity
                );
            }
        }
    }
}

/// The 95 % interval contains the exact equity in about 95 of 100 simulations, in every game.
#[test]
fn intervals_of_simulations_have_their_stated_coverage() {
    let questions = [
        (Game::Holdem, vec!["AhKh", "QcQd"], ""),
        (Game::Holdem, vec!["QQ+,AKs", "TT,AQo:0.5"], "Kh7d2c"),
        (Game::Holdem, vec!["AsKs", "QhQd", "JcTc"], ""),
        (Game::Omaha, vec!["AsAhKdQd", "9c8c7h6h"], "Ts7s2d"),
        (Game::Omaha5, vec!["AsAhKdQd3c", "9c8c7h6h5h"], "Ts7s2d"),
        (Game::Omaha6, vec!["AsAhKdQd3c2c", "9c8c7h6h5h4h"], "Ts7s2d"),
        (Game::OmahaHiLo, vec!["As2s3dKh", "KcKdQh8c"], "7s6d2h"),
        (SHORT_DECK, vec!["AsKs", "QhQd,JTs"], ""),
        (Game::Stud, vec!["AsAdKc4h9s", "2s2d2c6h7h"], ""),
        (Game::Razz, vec!["As2d3c4h9s", "2s3d5c6h7h"], ""),
        (Game::DeuceToSeven, vec!["2c3d4h7s", "2d3h5s8c9c"], ""),
        (Game::Badugi, vec!["Ac2d3h", "4c5d6h8s"], ""),
    ];
    let (mut inside, mut all) = (0u64, 0u64);
    for (game, players, board) in questions {
        let players = players.iter().map(|text| Range::parse(text, game).unwrap());
        let query = Query {
            board: croupier_poker::parse_cards(board).unwrap(),
            ..Query::new(game, players.collect())
        };
        let exact = EquityOptions {
            method: EquityMethod::Exact,
            threads: 1,
            ..EquityOptions::default()
        };
        let truth = query.solve(&exact).unwrap().players()[0].equity;
        for seed in 0..100 {
            let options = EquityOptions {
                method: EquityMethod::MonteCarlo,
                seed,
                stop: StopRule {
                    samples: 4_000,
                    standard_error: 0.0,
                },
                ..exact
            };
            let player = &query.solve(&options).unwrap().players()[0];
            let (low, high) = player.confidence_interval().unwrap();
            inside += u64::from((low..=high).contains(&truth));
            all += 1;
        }
    }
    // 1,200 trials at 95 %: 1,140 expected, standard deviation 7.5. The limits are five standard deviations.
    assert!((1102..=1178).contains(&inside), "{inside} of {all}");
}

/// Results do not depend on threads. (Nor on the path of the processor: see the tests of the simulation module and of
/// the program.)
#[test]
fn simulations_of_every_game_depend_on_the_seed_alone() {
    for (name, game) in all_games() {
        let query = Query::new(game, vec![Range::random(game); 3]);
        let solve = |threads: usize, seed: u64| {
            let options = EquityOptions {
                method: EquityMethod::MonteCarlo,
                threads,
                seed,
                stop: StopRule {
                    samples: 20_000,
                    standard_error: 0.0,
                },
            };
            let answer = query.solve(&options).unwrap();
            assert_eq!(answer.deals(), 20_000, "{name}");
            answer
                .players()
                .iter()
                .map(|p| p.equity)
                .collect::<Vec<_>>()
        };
        assert_eq!(solve(1, 7), solve(3, 7), "{name}");
        assert_ne!(solve(1, 7), solve(1, 8), "{name}");
        let sum: f64 = solve(2, 9).iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{name}");
    }
}

/// Folded hands take cards from the deck: brute force over every choice of them, in every game.
#[test]
fn folded_hands_take_cards_from_the_deck() {
    for (name, game) in all_games() {
        let mut random = SplitMix(7 * name.len() as u64 + game.hole_cards() as u64);
        let mut answered = 0;
        for case in 0..40 {
            let (mut query, weights) = naive::small_query(game, &mut random);
            // The hands of another small query of the same game, as folded ranges.
            let (other, folded_weights) = naive::small_query(game, &mut random);
            query.folded = other.players[..1 + case % 2].to_vec();
            let (mut deals, mut shares) = (0u128, vec![0u128; query.players.len()]);
            let mut rest = vec![(CardSet::EMPTY, 1u128)];
            for (range, weights) in query.folded.iter().zip(&folded_weights) {
                let hands = || range.hands().iter().zip(weights);
                rest = rest
                    .iter()
                    .flat_map(|&(used, weight)| {
                        let free = hands().filter(move |((hand, _), _)| hand.is_disjoint(used));
                        free.map(move |((hand, _), more)| (used | *hand, weight * more))
                    })
                    .collect();
            }
            for (hands, weight) in rest {
                if !hands.is_disjoint(query.board | query.dead) {
                    continue;
                }
                let mut known = query.clone();
                known.dead |= hands;
                let (some, its) = naive::brute_force(&known, &weights);
                deals += weight * some;
                for (share, more) in shares.iter_mut().zip(its) {
                    *share += weight * more;
                }
            }
            let exact = EquityOptions {
                method: EquityMethod::Exact,
                threads: 1 + case % 3,
                ..EquityOptions::default()
            };
            let Ok(answer) = query.solve(&exact) else {
                assert_eq!(deals, 0, "{name} {case}: {query:?}");
                continue;
            };
            answered += 1;
            assert_eq!(answer.deals(), deals, "{name} {case}: {query:?}");
            let simulated = EquityOptions {
                method: EquityMethod::MonteCarlo,
                stop: StopRule {
                    samples: 4_000,
                    standard_error: 0.0,
                },
                ..exact
            };
            let simulated = query.solve(&simulated).unwrap();
            for (player, share) in shares.iter().enumerate() {
                let expected = *share as f64 / (deals as f64 * naive::POT as f64);
                let found = answer.players()[player].equity;
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{name} {case}: {found}, {expected}"
                );
                let drawn = simulated.players()[player].equity;
                assert!(
                    (drawn - expected).abs() < 0.05,
                    "{name} {case}: {drawn}, {expected}"
                );
            }
        }
        assert!(answered > 0, "{name}: {answered}");
    }
}

/// Aces are less likely in the deck if the others fold hands without aces less often.
#[test]
fn folded_ranges_matter_and_any_folded_hand_does_not() {
    let ask = |folded: &[&str]| {
        let mut query = Query::new(
            Game::Holdem,
            vec!["AhKh".parse().unwrap(), "QcQd".parse().unwrap()],
        );
        query.folded = folded.iter().map(|text| text.parse().unwrap()).collect();
        query.solve(&EquityOptions::default())
    };
    let plain = ask(&[]).unwrap().players()[0].equity;
    let any = ask(&["random", "random"]).unwrap();
    assert!(any.is_exact());
    assert_eq!(any.players()[0].equity, plain);
    let small = ask(&["55-22,72o,83o"]).unwrap().players()[0].equity;
    let aces = ask(&["A2o+"]).unwrap().players()[0].equity;
    assert!(small > plain && aces < plain, "{small} {plain} {aces}");
    let error = ask(&["AhKh"]).unwrap_err().to_string();
    assert!(error.contains("cannot be dealt together"), "{error}");
    let error = ask(&["22"; 9]).unwrap_err().to_string();
    assert!(error.contains("at most 10 together"), "{error}");
}
