//! Tests of `croupier poker`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn poker(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .arg("poker")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // The program may close its input early.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn succeeds(arguments: &[&str], input: &str) -> String {
    let output = poker(arguments, input);
    let usage_error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {usage_error}");
    String::from_utf8(output.stdout).expect("the text is UTF-8")
}

/// Returns the exit status and the line on standard error.
fn fails(arguments: &[&str], input: &str) -> (i32, String) {
    let output = poker(arguments, input);
    let usage_error = String::from_utf8(output.stderr).expect("the text is UTF-8");
    assert_eq!(usage_error.lines().count(), 1, "{usage_error}");
    (
        output.status.code().expect("the program exits by itself"),
        usage_error,
    )
}

#[test]
fn hands_as_arguments() {
    let one = succeeds(&["eval", "As Kd Qh Jc Ts"], "");
    assert_eq!(one, "AsKdQhJcTs      1599  straight, ace high\n");
    assert_eq!(succeeds(&["eval", "As", "Kd", "Qh", "Jc", "Ts"], ""), one);
    let board = ["eval", "--board", "QhJcTs", "AsKd"];
    assert_eq!(
        succeeds(&board, ""),
        "AsKd            1599  straight, ace high\n"
    );
}

#[test]
fn hands_from_standard_input_as_csv() {
    let text = succeeds(
        &["eval", "--format", "csv"],
        "TsThTd4s4hAc2d\n\nAsKsQsJsTs\n",
    );
    assert_eq!(
        text,
        "cards,rank,category,description\n\
         AcTsThTd4s4h2d,223,full_house,\"full house, tens full of fours\"\n\
         AsKsQsJsTs,0,royal,royal flush\n"
    );
}

#[test]
fn hands_as_json() {
    let text = succeeds(
        &[
            "eval",
            "--format",
            "json",
            "2c2d2h2s3c3d3h",
            "AsKsQsJsTs2c3d",
        ],
        "",
    );
    let rows: Value = serde_json::from_str(&text).expect("the text is JSON");
    assert_eq!(rows[0]["rank"], 165);
    assert_eq!(rows[1]["category"], "royal");
    let empty = succeeds(&["eval", "--format", "json"], "");
    assert_eq!(
        serde_json::from_str::<Value>(&empty).expect("the text is JSON"),
        Value::Array(Vec::new())
    );
}

#[test]
fn hands_of_other_games() {
    let omaha = [
        "eval",
        "--game",
        "omaha",
        "--board",
        "QsJsTs9h2d",
        "AsKsQd2c",
    ];
    assert!(succeeds(&omaha, "").ends_with("0  royal flush\n"));
    // In short deck a flush beats a full house.
    let text = succeeds(
        &[
            "eval",
            "--game",
            "short-deck",
            "--format",
            "csv",
            "AsKsQsJs9s",
            "AhAdAcKhKd",
        ],
        "",
    );
    let ranks: Vec<u32> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(ranks[0] < ranks[1], "{text}");
}

#[test]
fn bad_hands_are_reported() {
    let (status, usage_error) = fails(&["eval", "AsAsKdQhJc"], "");
    assert_eq!(status, 2);
    assert_eq!(
        usage_error,
        "croupier: \"AsAsKdQhJc\": character 3: As occurs twice\n"
    );
    let (status, usage_error) = fails(&["eval"], "AsKsQsJsTs\nAsKx\n");
    assert_eq!(status, 1);
    assert!(
        usage_error.starts_with("croupier: line 2: character 4: 'x' is no suit"),
        "{usage_error}"
    );
    let (status, usage_error) = fails(&["eval", "AsKsQsJs"], "");
    assert_eq!(status, 2);
    assert!(
        usage_error.contains("4 cards; a hand has 5, 6 or 7"),
        "{usage_error}"
    );
}

#[test]
fn exact_equity_as_json_has_whole_counts() {
    let text = succeeds(&["equity", "AhAs", "KdKc", "--format", "json"], "");
    let answer: Value = serde_json::from_str(&text).expect("the text is JSON");
    assert_eq!(answer["exact"], true);
    assert_eq!(answer["deals"], 1_712_304);
    assert_eq!(answer["players"][0]["range"], "AhAs");
    assert_eq!(answer["players"][0]["win"], 1_388_072);
    assert_eq!(answer["players"][0]["tie"], 6_538);
    assert_eq!(answer["players"][1]["win"], 317_694);
    assert_eq!(answer["players"][0]["equity"], 0.812_554_896_794);
}

#[test]
fn equity_on_a_board_as_text_and_csv() {
    let question = ["equity", "JhTh", "AcAd", "--board", "9h8h2s"];
    let text = succeeds(&question, "");
    assert_eq!(
        text,
        "holdem, board 9h8h2s: 990 deals, exact, hand by hand\n\
         player  range  equity%     win%    tie%\n\
         \u{20}    1  JhTh   56.2626  56.2626  0.0000\n\
         \u{20}    2  AcAd   43.7374  43.7374  0.0000\n"
    );
    let csv = succeeds(&[&question[..], &["--format", "csv"]].concat(), "");
    assert!(
        csv.contains(
            "\n1,JhTh,true,990,557,0,0.562626262626,,,,0.562626262626,,,0.000000000000,,\n"
        ),
        "{csv}"
    );
}

#[test]
fn simulations_repeat_on_any_number_of_threads() {
    let ask = |threads: &str, seed: &str| {
        let question = [
            "equity",
            "AKs",
            "22+:0.5",
            "random",
            "--monte-carlo",
            "--format",
            "json",
        ];
        let limits = ["--samples", "100000", "--threads", threads, "--seed", seed];
        succeeds(&[&question[..], &limits].concat(), "")
    };
    let one = ask("1", "7");
    assert_eq!(one, ask("2", "7"));
    assert_ne!(one, ask("2", "8"));
    let answer: Value = serde_json::from_str(&one).expect("the text is JSON");
    assert_eq!(answer["exact"], false);
    assert_eq!(answer["deals"], 100_000);
    let player = &answer["players"][0];
    assert!(player["low"].as_f64() < player["equity"].as_f64());
    assert!(player["equity"].as_f64() < player["high"].as_f64());
}

/// Every SIMD instruction set, with one thread and with several, gives the same answer, byte by byte.
#[test]
fn answers_do_not_depend_on_the_processor() {
    let games: [&[&str]; 6] = [
        &["AKs", "22+:0.5", "random"],
        &["22+", "A2s+", "KTs+", "QJs", "AJo+", "T9s"],
        &["QQ+", "20%", "--board", "Kh7d2c"],
        &["AsAhKdQd", "random", "--game", "omaha"],
        &["As2d3c", "random", "--game", "razz"],
        &["AA", "random", "JTs", "--game", "short-deck"],
    ];
    for game in games {
        let ask = |path: &str, threads: &str| {
            let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
                .env("CROUPIER_CPU", path)
                .args(["poker", "equity", "--monte-carlo", "--format", "json"])
                .args(["--samples", "50000", "--seed", "3", "--threads", threads])
                .args(game)
                .output()
                .expect("the program starts");
            let usage_error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{path}: {usage_error}");
            String::from_utf8(output.stdout).expect("the text is UTF-8")
        };
        let plain = ask("portable", "1");
        for path in croupier::poker::CpuPath::available() {
            for threads in ["1", "3"] {
                assert_eq!(ask(path.name(), threads), plain, "{game:?} on {path}");
            }
        }
    }
}

#[test]
fn bad_questions_are_errors() {
    let (status, usage_error) = fails(&["equity", "AKq", "QQ"], "");
    assert_eq!(status, 2);
    assert!(
        usage_error.starts_with("croupier: range \"AKq\": character 3"),
        "{usage_error}"
    );
    assert_eq!(fails(&["equity", "AA"], "").0, 2);
    assert_eq!(fails(&["equity", "AA", "KK", "--board", "Kx"], "").0, 2);
    assert_eq!(fails(&["equity", "AhKh", "AhQh"], "").0, 1);
    assert_eq!(
        fails(&["equity", "AA", "KK", "--trips-beat-straight"], "").0,
        2
    );
    assert_eq!(fails(&["equity", "AA", "KK", "--error", "2"], "").0, 2);
}

#[test]
fn bench_measures_and_checks() {
    let text = succeeds(&["bench", "--time", "0.001", "--format", "json"], "");
    let rows: Value = serde_json::from_str(&text).expect("the text is JSON");
    let names: Vec<&str> = rows
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["what"].as_str().unwrap())
        .collect();
    for name in [
        "seven cards, one by one",
        "prepared hands, one by one",
        "all seven-card hands, the sum alone",
        "equity of AA v random",
    ] {
        assert!(names.contains(&name), "{name} is missing: {text}");
    }
}

#[test]
fn a_grid_of_all_hands() {
    let text = succeeds(&["matrix", "--format", "csv"], "");
    assert_eq!(text.lines().count(), 170);
    // The exact equity of aces and of the worst hand against a random one.
    assert!(text.contains("AA,6,1.000000,0.852037133,"), "{text}");
    assert!(text.contains("32o,12,1.000000,0.323"), "{text}");
    let grid = succeeds(&["matrix", "QQ+,AKs", "--against", "random"], "");
    assert_eq!(grid.lines().count(), 1 + 26 + 1);
    assert!(grid.contains("22 hands, equity "));
    assert!(!grid.contains('\x1b'), "no colours in a pipe");
    let coloured = succeeds(&["matrix", "AA", "--color", "always"], "");
    assert!(coloured.contains("\x1b[48;2;"));
    let page = succeeds(
        &["matrix", "AA,KK", "--board", "Kh7d2c", "--format", "html"],
        "",
    );
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<small>"));
    let json: Value =
        serde_json::from_str(&succeeds(&["matrix", "AA", "--format", "json"], "")).unwrap();
    assert_eq!(json["kinds"].as_array().unwrap().len(), 169);
    assert!(json["kinds"][1]["equity"].is_null());
    assert_eq!(json["range"], "AA");
    assert_eq!(json["against"][0], "random");
    assert_eq!(json["exact"], true);
    assert!((json["equity"].as_f64().unwrap() - 0.852037133021).abs() < 1e-12);
}

#[test]
fn combinations_and_their_histogram_add_up() {
    let json: Value = serde_json::from_str(&succeeds(
        &[
            "combos",
            "QQ+,AKs:0.5",
            "--against",
            "TT+",
            "--board",
            "Kh7d2c",
            "--format",
            "json",
        ],
        "",
    ))
    .unwrap();
    let rows = json["hands"].as_array().unwrap();
    // Six aces, three kings that the board leaves, six queens, three suited ace-kings.
    assert_eq!(rows.len(), 6 + 3 + 6 + 3);
    assert_eq!(rows[0]["hand"].as_str().unwrap().chars().next(), Some('K'));
    let whole: Value = serde_json::from_str(&succeeds(
        &[
            "equity", "AsAh", "TT+", "--board", "Kh7d2c", "--format", "json",
        ],
        "",
    ))
    .unwrap();
    let aces = rows.iter().find(|row| row["hand"] == "AsAh").unwrap();
    let (one, other) = (&aces["equity"], &whole["players"][0]["equity"]);
    assert!((one.as_f64().unwrap() - other.as_f64().unwrap()).abs() < 1e-8);
    let csv = succeeds(
        &[
            "histogram",
            "15%",
            "--against",
            "QQ+",
            "--bins",
            "10",
            "--format",
            "csv",
        ],
        "",
    );
    let combos: u64 = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(2).unwrap().parse::<u64>().unwrap())
        .sum();
    assert!(combos > 150 && combos <= 198);
}

#[test]
fn strength_and_outs_of_a_range() {
    let csv = succeeds(
        &["strength", "random", "--board", "Kh7h2c", "--format", "csv"],
        "",
    );
    assert!(csv.contains("made,set,9,0.77,"), "{csv}");
    assert!(csv.contains("made,top pair,120,10.20,"), "{csv}");
    assert!(csv.contains("draw,flush draw,55,4.68,"), "{csv}");
    let outs = succeeds(
        &["outs", "AhKh", "--against", "QcQd", "--board", "Qh7h2c"],
        "",
    );
    let first = outs.lines().next().unwrap();
    // An out is a card after which the flush draw is ahead: a heart, except hearts that pair the board and give the
    // opponent a full house.
    assert!(first.contains("outs of 45 cards"), "{outs}");
    // Against a range that it beats more often than not, outs are the cards that raise the equity.
    let against_range = [
        "outs",
        "AhKh",
        "--against",
        "88+,ATs+,KQs,AQo+",
        "--board",
        "Qh9h4c",
    ];
    let outs = succeeds(&against_range, "");
    assert!(!outs.contains("ahead"), "{outs}");
    assert!(outs.contains("more than an even share already"), "{outs}");
    let json: Value = serde_json::from_str(&succeeds(
        &[&against_range[..], &["--format", "json"]].concat(),
        "",
    ))
    .unwrap();
    let now = json["equity"].as_f64().unwrap();
    assert!((now - 0.538357).abs() < 1e-6, "{json}");
    let cards = json["cards"].as_array().unwrap();
    let outs = cards.iter().filter(|card| card["out"] == true).count();
    assert_eq!(json["outs"].as_u64().unwrap() as usize, outs);
    assert!(outs > 5 && outs < cards.len(), "{json}");
    for card in cards {
        let (equity, change) = (&card["equity"], &card["change"]);
        let (equity, change) = (equity.as_f64().unwrap(), change.as_f64().unwrap());
        assert!((equity - change - now).abs() < 1e-9 && (0.0..=1.0).contains(&equity));
        assert_eq!(card["out"], change > 0.0, "{card}");
    }
    let (status, error) = fails(&["outs", "AhKh", "--against", "QcQd"], "");
    assert!(
        status == 2 && error.contains("three or four cards"),
        "{error}"
    );
}

/// JSON has shares from 0 to 1 and the headline of the text.
#[test]
fn json_has_shares_and_the_headline() {
    let json = |arguments: &[&str]| -> Value {
        let all = [arguments, &["--format", "json"]].concat();
        serde_json::from_str(&succeeds(&all, "")).unwrap()
    };
    let sum = |rows: &Value, name: &str| -> f64 {
        let rows = rows.as_array().unwrap().iter();
        rows.filter_map(|row| row[name].as_f64()).sum()
    };
    let strength = json(&["strength", "88+,KQs:50%", "--board", "Kh7h2c"]);
    assert_eq!(strength["hands"], 6 * 6 + 3 + 3);
    let made = strength["kinds"].as_array().unwrap().iter();
    let made: Vec<Value> = made.filter(|row| row["kind"] == "made").cloned().collect();
    assert!((sum(&Value::from(made), "share") - 1.0).abs() < 1e-6);
    let histogram = json(&["histogram", "15%", "--against", "QQ+", "--bins", "10"]);
    assert_eq!(histogram["bins"][9]["to"], 1.0);
    assert!((sum(&histogram["bins"], "share") - 1.0).abs() < 1e-6);
    let combos = json(&["combos", "QQ", "--against", "AK", "--board", "Kh7d2c"]);
    assert_eq!(combos["board"], "Kh7d2c");
    assert!(combos["equity"].is_f64() && combos["win_share"].is_f64());
    // Weights are visible in every form of the matrix.
    let matrix = json(&["matrix", "AA,AKs:25%", "--against", "QQ"]);
    assert_eq!(matrix["kinds"][1]["weight"], 0.25);
    let text = succeeds(&["matrix", "AA,AKs:25%", "--against", "QQ"], "");
    assert!(
        text.contains("25%") && text.lines().count() == 1 + 39 + 1,
        "{text}"
    );
    let page = succeeds(
        &[
            "matrix",
            "AA,AKs:25%",
            "--against",
            "QQ",
            "--format",
            "html",
        ],
        "",
    );
    assert!(page.contains("of weight 25%"), "{page}");
}

#[test]
fn streets_and_next_cards() {
    let text = succeeds(
        &[
            "equity",
            "AhKh",
            "QcQd",
            "--board",
            "Qh7h2c5h",
            "--streets",
            "--format",
            "csv",
        ],
        "",
    );
    let names: Vec<&str> = text
        .lines()
        .skip(1)
        .map(|l| l.split(',').next().unwrap())
        .collect();
    // A row for each player, first for the question itself.
    assert_eq!(names[..2], ["now"; 2]);
    let streets: Vec<&str> = names[2..].iter().copied().step_by(2).collect();
    assert_eq!(streets, ["preflop", "flop Qh7h2c", "turn Qh7h5h2c"]);
    let columns = "after,player,range,exact,deals,win,tie,equity,";
    assert!(text.starts_with(columns), "{text}");
    assert!(text.contains("\npreflop,1,AhKh,true,1712304,"), "{text}");
    // Both together, with simulated parts.
    let both = succeeds(
        &[
            "equity",
            "AhKh vs QcQd",
            "--board",
            "Qh7h2c",
            "--streets",
            "--next",
            "--format",
            "csv",
        ],
        "",
    );
    assert_eq!(both.lines().count(), 1 + 2 * (1 + 2 + 45), "{both}");
    let plain = succeeds(
        &[
            "equity",
            "AhKh vs QcQd",
            "--board",
            "Qh7h2c",
            "--format",
            "csv",
        ],
        "",
    );
    assert!(plain.starts_with("player,range,"), "{plain}");
    let json: Value = serde_json::from_str(&succeeds(
        &[
            "equity", "AhKh", "QcQd", "--board", "Qh7h2c", "--next", "--format", "json",
        ],
        "",
    ))
    .unwrap();
    assert_eq!(json["breakdown"].as_array().unwrap().len(), 45);
}

#[test]
fn every_game_has_equity_and_evaluation() {
    for (game, hands, expected) in [
        ("omaha5", ["AsAhKsKhQd", "9c8c7d6d5h"], 1.0),
        ("omaha-hi-lo", ["AsAh2s3h", "KcKdQcQd"], 1.0),
        ("razz", ["As2s3s4s9h", "KcKdQcQdJh"], 1.0),
        ("omaha5-hi-lo", ["AsAh2s3hKd", "KcKhQcQdJd"], 1.0),
        ("stud-hi-lo", ["As2s3s4s9h", "KcKdQcQdJh"], 1.0),
        ("2-7", ["2s3s4s5d7c", "KcKdQcQdJh"], 1.0),
        ("a-5", ["As2s3s4d5c", "KcKdQcQdJh"], 1.0),
        ("badugi", ["As2d3c4h", "KsKdQcQh"], 1.0),
    ] {
        let text = succeeds(
            &[
                "equity", "--game", game, hands[0], hands[1], "--error", "0.01", "--format", "json",
            ],
            "",
        );
        let json: Value = serde_json::from_str(&text).unwrap();
        let sum: f64 = (0..2)
            .map(|p| json["players"][p]["equity"].as_f64().unwrap())
            .sum();
        assert!((sum - expected).abs() < 1e-9, "{text}");
        assert!(
            json["players"][0]["equity"].as_f64().unwrap() > 0.5,
            "{text}"
        );
    }
    let badugi = succeeds(&["eval", "--game", "badugi", "As2d3c4h"], "");
    assert!(badugi.contains("4-3-2-A badugi"), "{badugi}");
    let low = succeeds(
        &[
            "eval",
            "--game",
            "omaha-hi-lo",
            "--board",
            "8h7s4cKdQd",
            "As2dKhKc",
        ],
        "",
    );
    assert!(
        low.contains("three of a kind") && low.contains("8-7-4-2-A low"),
        "{low}"
    );
    // 8-7-4-2-A is the ranks with the bits 7, 6, 3, 1 and 0.
    let stud = |hand: &str| {
        let arguments = ["eval", "--game", "stud-hi-lo", "--format", "csv", hand];
        succeeds(&arguments, "")
    };
    let low = stud("As2d4h7c8hKhKc");
    assert!(low.contains("cards,rank,low_rank,category,"), "{low}");
    assert!(low.contains(",203,pair,"), "{low}");
    assert!(stud("As2d4hTc9hKhKc").contains(",,pair,"));
    let (status, error) = fails(&["eval", "--game", "badugi", "As2d3c"], "");
    assert!(status == 2 && error.contains("badugi needs 4"), "{error}");
}

#[test]
fn a_file_of_ranges_and_a_forgotten_word() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("ranges.txt");
    std::fs::write(&path, "utg = QQ+,AKs\nbutton = 20%\n").unwrap();
    let file = path.to_str().unwrap();
    let text = succeeds(&["equity", "utg", "@button", "--ranges-file", file], "");
    assert!(
        text.contains("utg") && text.contains("exact, from the preflop table"),
        "{text}"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["equity", "AA", "KK"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let usage_error = String::from_utf8(output.stderr).unwrap();
    assert!(
        usage_error.contains("croupier poker equity"),
        "{usage_error}"
    );
}

/// Text, CSV and JSON of a simulation show an interval beside equity, wins and ties, with the digits that it supports.
#[test]
fn simulated_shares_have_intervals_in_every_format() {
    let answer = |format: &str| {
        let options = ["--monte-carlo", "--samples", "2000", "--seed", "1"];
        let query = ["equity", "AhKs", "AdKc", "QQ", "--format", format];
        succeeds(&[&query[..], &options].concat(), "")
    };
    let (text, csv) = (answer("text"), answer("csv"));
    let json: Value = serde_json::from_str(&answer("json")).unwrap();
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let titles = lines.next().unwrap();
    let column = |name: &str| titles.iter().position(|title| *title == name).unwrap();
    let mut compared = 0;
    for (fields, player) in lines.zip(json["players"].as_array().unwrap()) {
        for names in [
            ["equity", "low", "high"],
            ["win_share", "win_low", "win_high"],
            ["tie_share", "tie_low", "tie_high"],
        ] {
            let numbers = names.map(|name| fields[column(name)].parse::<f64>().unwrap());
            assert_eq!(names.map(|name| player[name].as_f64().unwrap()), numbers);
            let [share, low, high] = numbers;
            assert!(
                low <= share && share <= high && low < high,
                "{names:?}: {csv}"
            );
            // An interval of a few percent supports two or three decimals of a share.
            let decimals = fields[column(names[0])].split('.').nth(1).unwrap().len();
            assert!((2..=4).contains(&decimals), "{csv}");
            compared += 1;
        }
    }
    assert_eq!(compared, 9);
    assert_eq!(
        text.lines().nth(1).unwrap().matches("95%").count(),
        3,
        "{text}"
    );
    assert_eq!(text.matches(" to ").count(), 9, "{text}");
}

#[test]
fn breakdowns_of_simulations_have_intervals_and_exact_ones_do_not() {
    let options = ["--samples", "2000", "--seed", "1"];
    let board = ["--board", "Kh7d2c"];
    let ranges = ["AhAd", "--against", "KK,QQ", "22+"];
    let listing = |command: &str, more: &[&str]| {
        let all = [&[command], &ranges[..], &board, more, &["--format", "csv"]].concat();
        succeeds(&all, "")
    };
    let simulated = |command: &str| listing(command, &[&options[..], &["--monte-carlo"]].concat());
    for (command, name) in [
        ("outs", "high%"),
        ("combos", "tie_high"),
        ("matrix", "win_low"),
    ] {
        let table = simulated(command);
        assert!(
            table.lines().next().unwrap().contains(name),
            "{command}: {table}"
        );
        let exact = listing(command, &["--exact"]);
        assert!(
            !exact.lines().next().unwrap().contains("low"),
            "{command}: {exact}"
        );
    }
    let streets = [
        "equity",
        "AhAd",
        "KK",
        "22+",
        "--board",
        "Kh7d2c",
        "--streets",
    ];
    let table = succeeds(
        &[
            &streets[..],
            &options,
            &["--monte-carlo", "--format", "csv"],
        ]
        .concat(),
        "",
    );
    assert!(
        table.starts_with("after,player,range,exact,deals,win,tie,equity,standard_error,low,high,"),
        "{table}"
    );
    let after = table.lines().find(|line| line.starts_with("flop")).unwrap();
    assert!(after.split(',').all(|field| !field.is_empty()), "{table}");
}

/// Two players; the first has a flush draw against three queens.
const HAND: &str = r#"variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
players = ["Ann", "Bob"]
actions = ["d dh p1 AhKh", "d dh p2 QcQd", "p2 cbr 6", "p1 cc", "d db Qh7h2c", "p1 cc", "p2 cbr 8", "p1 f"]
"#;

#[test]
fn hand_histories_have_pot_odds_and_equities() {
    let text = succeeds(&["history", "-"], HAND);
    assert!(
        text.starts_with("hand: holdem, Ann (200), Bob (200)"),
        "{text}"
    );
    let last = text.lines().last().unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(
        words,
        [
            "flop", "Qh7h2c", "Ann", "folds", "20", "8", "28.6", "25.6", "Ann", "25.6,", "Bob",
            "74.4"
        ]
    );
    let json: Value =
        serde_json::from_str(&succeeds(&["history", "-", "--format", "json"], HAND)).unwrap();
    let last = json[0]["decisions"].as_array().unwrap().last().unwrap();
    assert_eq!(last["needed"].as_f64(), Some(8.0 / 28.0));
    assert_eq!(last["players"][1]["cards"], "QdQc");
    let csv = succeeds(&["history", "-", "--format", "csv", "--hand", "1"], HAND);
    assert!(
        csv.starts_with("hand,game,street,board,player,action,amount,pot,to_call,needed,equity"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 6);
    // With the cards of one player alone, the other's range decides.
    let blind = [
        "history", "-", "--hero", "ann", "--range", "Bob=22", "--format", "json",
    ];
    let json: Value = serde_json::from_str(&succeeds(&blind, HAND)).unwrap();
    let second = &json[0]["decisions"][1];
    assert!(
        (second["equity"].as_f64().unwrap() - 0.5).abs() < 0.05,
        "{second}"
    );
    for (arguments, expected) in [
        (
            vec!["history", "-", "--hero", "Cid"],
            "hand 1 has no player \"Cid\"; the players are Ann, Bob",
        ),
        (vec!["history", "-", "--range", "Ann"], "write PLAYER=RANGE"),
        (vec!["history", "-", "--hand", "2"], "- has 1 hands"),
    ] {
        let (status, error) = fails(&arguments, HAND);
        assert!(status == 2 && error.contains(expected), "{error}");
    }
    let (status, error) = fails(&["history", "-"], "variant = 1");
    assert!(status == 1 && error.contains("variant"), "{error}");
}

#[test]
fn folded_ranges_change_the_equity_in_every_command() {
    let json =
        |arguments: &[&str]| -> Value { serde_json::from_str(&succeeds(arguments, "")).unwrap() };
    let plain = json(&["equity", "AhKh", "QcQd", "--format", "json"]);
    let folded = json(&[
        "equity", "AhKh", "QcQd", "--folded", "A2o+", "--format", "json",
    ]);
    assert_eq!(folded["folded"][0], "A2o+");
    assert!(folded["exact"].as_bool().unwrap() && plain.get("folded").is_none());
    let equity = |json: &Value| json["players"][0]["equity"].as_f64().unwrap();
    assert!(equity(&folded) < equity(&plain) - 0.005, "{folded}");
    let outs = [
        "outs",
        "AhKh",
        "--against",
        "QcQd",
        "--board",
        "Jh7h2c",
        "--format",
        "json",
    ];
    let more = [&outs[..], &["--folded", "AdAc"]].concat();
    assert!(json(&more)["equity"].as_f64().unwrap() < json(&outs)["equity"].as_f64().unwrap());
    let text = succeeds(&["equity", "AhKh", "QcQd", "--folded", "KcKd", "KsQs"], "");
    assert!(text.starts_with("holdem, folded KcKd and KsQs: "), "{text}");
    let (status, error) = fails(
        &[
            "equity", "AhKh", "QcQd", "--folded", "5h5s", "--board", "5h5s2c",
        ],
        "",
    );
    assert!(
        status == 1 && error.contains("folded range 1: no hand of 5h5s is left"),
        "{error}"
    );
}

#[test]
fn made_hands_over_all_flops() {
    let text = succeeds(&["strength", "77", "--by", "flop"], "");
    assert!(
        text.starts_with("holdem: 77 by the flop, 6 hands, 22100 boards"),
        "{text}"
    );
    let json: Value = serde_json::from_str(&succeeds(
        &["strength", "77", "--by", "flop", "--format", "json"],
        "",
    ))
    .unwrap();
    let of = |name: &str| {
        let kinds = json["kinds"].as_array().unwrap();
        kinds.iter().find(|it| it["hand"] == name).unwrap()["share"]
            .as_f64()
            .unwrap()
    };
    // 2,304 of 19,600 flops have a seven; on 48 others three cards of one rank make a full house.
    let sum = of("set") + of("full house") + of("quads");
    assert!((sum - 2352.0 / 19600.0).abs() < 1e-8, "{sum}");
    let (status, error) = fails(
        &["strength", "77", "--by", "flop", "--board", "Kh7d2c5s"],
        "",
    );
    assert!(
        status == 2 && error.contains("the board has 4 cards already"),
        "{error}"
    );
}
