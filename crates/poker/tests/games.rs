//! Every game against an independent implementation, against published counts, and against brute force.

mod naive;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use cards::CardSet;
use naive::SplitMix;
use poker::{Game, Method, Options, Query, Range, Stop, format_cards};

/// The games of the vectors with their names there.
fn peer_games() -> Vec<(&'static str, Game)> {
    vec![
        ("holdem", Game::Holdem),
        ("omaha", Game::Omaha),
        ("omaha5", Game::Omaha5),
        ("omaha6", Game::Omaha6),
        ("omaha8", Game::OmahaHiLo),
        (
            "short-deck",
            Game::ShortDeck {
                trips_beat_straight: false,
            },
        ),
        ("stud", Game::Stud),
        ("razz", Game::Razz),
        ("2-7", Game::DeuceToSeven),
        ("badugi", Game::Badugi),
    ]
}

/// The hands of `tests/peer/pokerkit_ranks.py`: the player's cards and the board.
fn peer_hands(game: Game, count: usize, seed: u64) -> Vec<(CardSet, CardSet)> {
    let mut random = SplitMix(seed);
    // Clubs and deuces first, as there.
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

/// Our worth must order the hands exactly as the peer's index does.
fn compare(name: &str, game: Game, hands: &[(CardSet, CardSet)], ranks: &[u8]) {
    assert_eq!(ranks.len(), 2 * hands.len(), "{name}");
    let is_low = matches!(
        game,
        Game::OmahaHiLo | Game::Razz | Game::DeuceToSeven | Game::Badugi
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

/// Twenty thousand random hands a game, ranked by pokerkit (tests/peer/pokerkit_ranks.py, seed 1).
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

/// Other hands of a game, ranked by pokerkit while the test runs: a hundred thousand as a whole, or a million by its table of
/// five cards.
fn compare_live(name: &str, way: &[&str]) {
    let game = peer_games().into_iter().find(|(other, _)| *other == name);
    let game = game.expect("a game of the vectors").1;
    let python = peer_python();
    let count = if way.is_empty() { 100_000 } else { 1_000_000 };
    let seed = 20_260_101;
    let output = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peer/pokerkit_ranks.py"))
        .args([name, &count.to_string(), &seed.to_string()])
        .args(way)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    compare(name, game, &peer_hands(game, count, seed), &output.stdout);
}

/// A Python with pokerkit, made by the first test that needs it.
fn peer_python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pokerkit-numpy");
        let installed = folder.join("installed");
        if !installed.exists() {
            let made = Command::new("python3")
                .args(["-m", "venv"])
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

/// One test a game, so that each can be run by itself.
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
    long_short_deck_is_ordered_as_pokerkit_does: "short-deck";
    long_stud_is_ordered_as_pokerkit_does: "stud";
    long_razz_is_ordered_as_pokerkit_does: "razz";
    long_deuce_to_seven_is_ordered_as_pokerkit_does: "2-7";
    long_badugi_is_ordered_as_pokerkit_does: "badugi";
    long_a_million_holdem_hands: "holdem", "table";
    long_a_million_omaha_hands: "omaha", "table";
    long_a_million_five_card_omaha_hands: "omaha5", "table";
    long_a_million_six_card_omaha_hands: "omaha6", "table";
    long_a_million_omaha_lows: "omaha8", "table";
    long_a_million_short_deck_hands: "short-deck", "table";
    long_a_million_stud_hands: "stud", "table";
    long_a_million_razz_hands: "razz", "table";
    long_a_million_deuce_to_seven_hands: "2-7", "table";
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
}

/// Calls `visit` with all sets of `size` cards.
fn for_each_hand(size: usize, visit: &mut impl FnMut(CardSet)) {
    fn extend(hand: CardSet, mut later: CardSet, size: usize, visit: &mut impl FnMut(CardSet)) {
        if size == 0 {
            return visit(hand);
        }
        for card in later.iter() {
            later.remove(card);
            extend(hand | CardSet::of(card), later, size - 1, visit);
        }
    }
    extend(CardSet::EMPTY, CardSet::FULL, size, visit);
}

/// The published frequencies of badugi hands: 17,160 of four cards, 154,440 of three, 96,252 of two, 2,873 of one (four
/// cards of one suit, 4 x 715, or of one rank, 13).
#[test]
fn badugi_hands_are_as_frequent_as_published() {
    let mut counts = [0u32; 5];
    let mut best = 0;
    for_each_hand(4, &mut |hand| {
        let rank = poker::evaluate_badugi(hand);
        counts[rank.cards() as usize] += 1;
        best += u32::from(rank.number() == 0b1111);
    });
    assert_eq!(counts, [0, 2_873, 96_252, 154_440, 17_160]);
    assert_eq!(best, 24, "A-2-3-4 in four suits");
}

/// Low hands from deuce to seven by their highest card: 4 x 1020 seven-high, 14 x 1020 eight-high and so on.
#[test]
fn deuce_to_seven_hands_are_as_frequent_as_published() {
    let mut by_class = std::collections::BTreeMap::new();
    let mut no_pair = 0u32;
    for_each_hand(5, &mut |hand| {
        let rank = poker::evaluate_deuce_to_seven(hand);
        *by_class.entry(rank).or_insert(0u32) += 1;
        no_pair += u32::from(rank.is_no_pair());
    });
    // As many classes as high hands: A-5-4-3-2 is a new ace-high hand, suited and not, and no longer a straight.
    assert_eq!(by_class.len(), 7462);
    assert_eq!(no_pair, 1_302_540 + 1_020);
    let highs = [4, 14, 34, 69, 125, 209, 329, 494].map(|hands| hands * 1_020);
    let mut counts = by_class.into_iter();
    for (high, expected) in highs.into_iter().enumerate() {
        let classes = expected / 1_020;
        let sum: u32 = counts.by_ref().take(classes as usize).map(|(_, n)| n).sum();
        assert_eq!(sum, expected, "{}-high", high + 7);
    }
}

/// The published frequencies of the best low of seven cards, ace to five: 781,824 wheels of 133,784,560 hands, and so
/// on up to king-high; counted over all 49,205 multisets of ranks.
#[test]
fn razz_hands_are_as_frequent_as_published() {
    let mut by_high = [0u64; 13];
    let mut paired = 0u64;
    naive::for_each_multiset(7, &mut |counts| {
        let ways: u64 = counts.iter().map(|&c| choose(4, c.into())).product();
        let mut hand = CardSet::EMPTY;
        for (rank, &count) in counts.iter().enumerate() {
            for suit in 0..usize::from(count) {
                hand |= CardSet(1 << (13 * suit + rank));
            }
        }
        match poker::evaluate_razz(hand).high_card() {
            Some(high) => by_high[high] += ways,
            None => paired += ways,
        }
    });
    assert_eq!(by_high[..4], [0; 4]);
    assert_eq!(by_high[4..8], [781_824, 3_151_360, 7_426_560, 13_171_200]);
    assert_eq!(by_high.iter().sum::<u64>() + paired, 133_784_560);
    // With five different ranks of the lowest h + 1, the rest anywhere: counted by inclusion of ranks.
    for high in 4..13 {
        let below: u64 = by_high[..=high].iter().sum();
        assert_eq!(
            below,
            naive::hands_with_five_ranks_among(high + 1),
            "{high}"
        );
    }
}

/// A low of eight or better in five cards: 1,024 suits for each of 56 sets of ranks.
#[test]
fn there_are_56_lows_of_eight_or_better() {
    let mut by_high = [0u32; 9];
    let mut lows = std::collections::BTreeSet::new();
    for ranks in 0u32..1 << 13 {
        if ranks.count_ones() != 5 {
            continue;
        }
        let cards: Vec<CardSet> = (0..13)
            .filter(|rank| ranks >> rank & 1 == 1)
            .map(|rank| CardSet(1 << rank))
            .collect();
        // Two own cards, three of the board and two kings that cannot help.
        let own = cards[0] | cards[1] | CardSet(1 << 24) | CardSet(1 << 37);
        let board = cards[2] | cards[3] | cards[4] | CardSet(1 << 50) | CardSet(1 << 49);
        if let Some(low) = poker::evaluate_omaha_low(own, board) {
            by_high[(8 - low.ranks().leading_zeros()) as usize] += 1;
            lows.insert(low);
        }
    }
    assert_eq!(lows.len(), 56);
    assert_eq!(by_high, [0, 0, 0, 0, 0, 1, 5, 15, 35]);
}

/// Small random questions of every game: exact answers, weights, dead cards, two to four players.
#[test]
fn exact_answers_are_those_of_brute_force_in_every_game() {
    for (name, game) in peer_games() {
        let mut random = SplitMix(game.hole_cards() as u64 * 1000 + name.len() as u64);
        for case in 0..200 {
            let (query, weights) = naive::small_question(game, &mut random);
            let options = Options {
                method: Method::Exact,
                threads: 1 + case % 3,
                ..Options::default()
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

/// The interval of 95 % holds the exact equity in about 95 of 100 simulations, for a game of every kind.
#[test]
fn intervals_of_simulations_cover_the_truth_as_often_as_they_say() {
    let questions = [
        (Game::Holdem, vec!["AhKh", "QcQd"], ""),
        (Game::Holdem, vec!["QQ+,AKs", "TT,AQo:0.5"], "Kh7d2c"),
        (Game::Holdem, vec!["AsKs", "QhQd", "JcTc"], ""),
        (Game::Omaha, vec!["AsAhKdQd", "9c8c7h6h"], "Ts7s2d"),
        (Game::OmahaHiLo, vec!["As2s3dKh", "KcKdQh8c"], "7s6d2h"),
        (Game::Razz, vec!["As2d3c4h9s", "2s3d5c6h7h"], ""),
        (Game::DeuceToSeven, vec!["2c3d4h7s", "2d3h5s8c9c"], ""),
        (Game::Badugi, vec!["Ac2d3h", "4c5d6h8s"], ""),
    ];
    let (mut inside, mut all) = (0u64, 0u64);
    for (game, players, board) in questions {
        let players = players.iter().map(|text| Range::parse(text, game).unwrap());
        let query = Query {
            board: poker::parse_cards(board).unwrap(),
            ..Query::new(game, players.collect())
        };
        let exact = Options {
            method: Method::Exact,
            threads: 1,
            ..Options::default()
        };
        let truth = query.solve(&exact).unwrap().players()[0].equity;
        for seed in 0..100 {
            let options = Options {
                method: Method::MonteCarlo,
                seed,
                stop: Stop {
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
    // 800 trials at 95 %: 760 expected, standard deviation 6.2; five of them on either side.
    assert!((729..=791).contains(&inside), "{inside} of {all}");
}

/// Threads and the path of the processor change nothing.
#[test]
fn simulations_of_every_game_depend_on_the_seed_alone() {
    for (name, game) in peer_games() {
        let query = Query::new(game, vec![Range::random(game); 3]);
        let solve = |threads: usize, seed: u64| {
            let options = Options {
                method: Method::MonteCarlo,
                threads,
                seed,
                stop: Stop {
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
