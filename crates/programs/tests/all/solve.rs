//! `croupier solve`: correct results in every format, and runs that are killed at any moment.

use crate::common::dealer_path;
use crate::process_control;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use croupier::cards::Deal;
use croupier::formats::{Board, OutputFormat, Reader, Writer};
use croupier::shuffle::{FastDealer, Key, Predeal};
use croupier::solver::Solver;

const FORMATS: [&str; 4] = ["zrd", "pbn", "csv", "json"];

/// A directory for one test, removed at the end.
struct Workplace(PathBuf);

impl Workplace {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("solve-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory for the test");
        Workplace(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn solve(input: &Path, output: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.arg("solve").arg(input).arg("--output").arg(output);
    command.stdin(Stdio::null());
    command
}

fn run(command: &mut Command) {
    let output = command.output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

/// Returns the random deals of a seed.
fn dealt(seed: u64) -> impl Iterator<Item = Deal> {
    let dealer = FastDealer::new(Key::from_seed(seed), &Predeal::NONE);
    (0..).map(move |index| dealer.deal(index))
}

/// Writes random deals, reproducible by the seed.
fn random_deals(path: &Path, seed: u64, deals: usize) {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(OutputFormat::OneLine);
    for (i, deal) in dealt(seed).take(deals).enumerate() {
        writer.write(&mut bytes, &Board::duplicate(&deal, i as u64 + 1), &deal);
    }
    fs::write(path, bytes).expect("the deals can be written");
}

/// Returns random deals with made-up results, computed from the cards without solving.
fn boards_with_results(deals: usize) -> Vec<(Board, Deal)> {
    let with_results = |(i, deal): (usize, Deal)| {
        let rows = deal
            .hands()
            .map(|hand| hand.lengths().map(|length| length + i as u8 % 4));
        let rows = rows.map(|[s, h, d, c]| [c, d, h, s, (s + h) % 14]);
        let board = Board {
            tricks: Some(croupier::cards::TrickTable::new(rows).expect("at most 13")),
            ..Board::duplicate(&deal, i as u64 + 1)
        };
        (board, deal)
    };
    let few = |deal: &Deal| {
        deal.hands()
            .iter()
            .all(|hand| hand.lengths().iter().all(|&n| n < 10))
    };
    dealt(9)
        .filter(few)
        .take(deals)
        .enumerate()
        .map(with_results)
        .collect()
}

#[test]
fn several_threads_share_single_tables_and_write_the_same() {
    let place = Workplace::new("threads");
    let input = place.file("deals.pbn");
    // Solved and unsolved boards alternate.
    let mut bytes = Vec::new();
    let mut writer = Writer::new(OutputFormat::Pbn);
    let unsolved: Vec<Deal> = dealt(11).take(3).collect();
    for (i, ((board, known), deal)) in boards_with_results(3).iter().zip(&unsolved).enumerate() {
        writer.write(&mut bytes, board, known);
        writer.write(&mut bytes, &Board::duplicate(deal, i as u64 + 10), deal);
    }
    fs::write(&input, bytes).unwrap();
    let written: Vec<Vec<u8>> = ["1", "2", "7"]
        .into_iter()
        .map(|threads| {
            let output = place.file(&format!("{threads}.pbn"));
            run(solve(&input, &output).args(["--threads", threads]));
            fs::read(&output).unwrap()
        })
        .collect();
    assert_eq!(written[0], written[1]);
    assert_eq!(written[0], written[2]);
    let boards: Vec<Board> = Reader::new(written[0].as_slice())
        .unwrap()
        .map(|board| board.expect("the board can be read"))
        .collect();
    let mut solver = Solver::new();
    let found: Vec<_> = boards.iter().skip(1).step_by(2).map(|b| b.tricks).collect();
    let expected: Vec<_> = unsolved.iter().map(|d| Some(solver.table(d))).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_single_board_is_shared_by_all_threads_and_comes_out_the_same() {
    let place = Workplace::new("single");
    let input = place.file("deal.pbn");
    random_deals(&input, 12, 1);
    let written = ["1", "2", "7"].map(|threads| {
        let output = place.file(&format!("{threads}.pbn"));
        run(solve(&input, &output).args(["--threads", threads, "--solver-memory", "2"]));
        fs::read_to_string(&output).unwrap()
    });
    assert_eq!(written[0], written[1]);
    assert_eq!(written[0], written[2]);
    let deal = dealt(12).next().expect("the board has a deal");
    let board = Reader::new(written[0].as_bytes()).unwrap().next();
    let tricks = board
        .expect("the board can be read")
        .expect("that can be read")
        .tricks;
    assert_eq!(tricks, Some(Solver::new().table(&deal)));
}

/// Runs a script with counts and thresholds in `dealer`.
fn dealt_with_memory(megabytes: &str) -> std::process::Output {
    let work = Workplace::new(&format!("memory-{megabytes}"));
    let script = work.file("script.dl");
    let text = "condition dds(south, notrump) >= 7\naction average \"tricks\" dds(north, hearts)\n";
    fs::write(&script, text).expect("a script is written");
    let mut command = Command::new(dealer_path());
    command.args(["-s", "3", "-p", "4", "--solver-memory", megabytes]);
    command.arg(&script).output().expect("dealer runs")
}

#[test]
fn the_solver_memory_of_dealer_changes_nothing_but_memory() {
    let (small, large) = (dealt_with_memory("2"), dealt_with_memory("256"));
    assert!(small.status.success());
    assert!(String::from_utf8_lossy(&small.stdout).contains("tricks"));
    let first_line = |text: &[u8]| text.split(|&b| b == b'\n').next().map(<[u8]>::to_vec);
    assert_eq!(first_line(&small.stdout), first_line(&large.stdout));
    let refused = dealt_with_memory("1");
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--solver-memory"));
}

#[test]
fn every_format_carries_the_results_and_par() {
    let place = Workplace::new("formats");
    let input = place.file("deals.txt");
    random_deals(&input, 3, 2);
    let deals: Vec<Deal> = dealt(3).take(2).collect();
    let mut solver = Solver::new();
    let expected: Vec<_> = deals.iter().map(|deal| solver.table(deal)).collect();
    for format in FORMATS {
        let output = place.file(&format!("out.{format}"));
        run(&mut solve(&input, &output));
        let reader = Reader::new(fs::File::open(&output).unwrap()).unwrap();
        let boards: Vec<Board> = reader
            .map(|board| board.expect("the board can be read"))
            .collect();
        assert_eq!(boards.len(), 2, "{format}");
        for ((board, deal), table) in boards.iter().zip(&deals).zip(&expected) {
            assert_eq!(board.deal(), Some(*deal), "{format}");
            assert_eq!(board.tricks, Some(*table), "{format}");
            if format != "zrd" {
                let par = croupier::solver::par(
                    table,
                    board.vulnerable.expect("the file can be written"),
                );
                assert_eq!(board.par, Some(par.score), "{format}");
            }
        }
    }
}

#[test]
fn a_file_cut_at_any_byte_is_completed() {
    let place = Workplace::new("cut");
    let input = place.file("deals.json");
    let mut bytes = Vec::new();
    let mut writer = Writer::new(OutputFormat::Json);
    for (board, deal) in boards_with_results(6) {
        writer.write(&mut bytes, &board, &deal);
    }
    fs::write(&input, bytes).unwrap();
    for format in FORMATS {
        let output = place.file(&format!("out.{format}"));
        run(&mut solve(&input, &output));
        let whole = fs::read(&output).unwrap();
        // A step that is prime to the length of a board reaches all positions in a board.
        let step = (whole.len() / 40).max(1) | 1;
        for length in (0..=whole.len()).step_by(step) {
            fs::write(&output, &whole[..length]).unwrap();
            run(&mut solve(&input, &output));
            assert!(
                fs::read(&output).unwrap() == whole,
                "{format} cut at {length}"
            );
        }
    }
}

#[test]
fn a_file_that_is_something_else_is_left_alone() {
    let place = Workplace::new("foreign");
    let input = place.file("deals.txt");
    random_deals(&input, 4, 1);
    for (name, text) in [
        ("a.pbn", "my notes\n"),
        ("a.csv", "a,b\n"),
        ("a.zrd", "23 bytes and some more of them"),
    ] {
        let output = place.file(name);
        fs::write(&output, text).unwrap();
        let result = solve(&input, &output).output().unwrap();
        assert_eq!(result.status.code(), Some(2));
        let message = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(message.contains("--force"), "{message}");
        assert_eq!(fs::read_to_string(&output).unwrap(), text);
    }
}

#[test]
fn a_bad_board_is_reported_and_left_out() {
    let place = Workplace::new("bad");
    let (input, output) = (place.file("deals.pbn"), place.file("out.json"));
    let (board, deal) = boards_with_results(1).remove(0);
    let mut bytes = b"[Board \"1\"]\n[Deal \"N:AK.AK.AK.AK - - -\"]\n\n".to_vec();
    let mut good = Vec::new();
    Writer::new(OutputFormat::Pbn).write(&mut good, &board, &deal);
    bytes.extend(good);
    fs::write(&input, bytes).unwrap();
    let result = solve(&input, &output).output().unwrap();
    assert_eq!(result.status.code(), Some(1));
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(message.contains("board 1"), "{message}");
    assert_eq!(fs::read_to_string(&output).unwrap().lines().count(), 1);
}

/// Kills the run repeatedly, each time a little later, until it completes; the file must then be that of an undisturbed
/// run.
fn survives_kills(name: &str, format: &str, deals: usize, kills: u32, pause: Duration) {
    let place = Workplace::new(name);
    let input = place.file("deals.txt");
    random_deals(&input, 5, deals);
    let (whole, broken) = (
        place.file(&format!("whole.{format}")),
        place.file(&format!("broken.{format}")),
    );
    run(&mut solve(&input, &whole));
    let mut interrupted = 0;
    for kill in 0..kills {
        let mut child = solve(&input, &broken).spawn().expect("the program starts");
        // Pseudorandom moments, equal in every test run.
        let moment = pause * (1 + kill * 7919 % 10) / 5;
        interrupted += u32::from(process_control::wait_for_cpu_time(&mut child, moment));
        child.kill().expect("kill -9");
        child.wait().expect("it is dead");
    }
    assert!(interrupted > 0, "no run was interrupted: lengthen it");
    run(&mut solve(&input, &broken));
    assert!(fs::read(&whole).unwrap() == fs::read(&broken).unwrap());
    // Once more: a complete file is not changed.
    run(&mut solve(&input, &broken));
    assert!(fs::read(&whole).unwrap() == fs::read(&broken).unwrap());
}

#[test]
fn twenty_deals_survive_kills() {
    survives_kills("kill-20", "pbn", 20, 6, Duration::from_millis(700));
}

#[test]
#[ignore = "about five minutes; run by ./check --long"]
fn long_300_deals_survive_kills() {
    survives_kills("kill-300", "zrd", 300, 40, Duration::from_millis(1500));
}

/// A board with twelve tricks in notrump and a play of two tricks.
const PLAYED: &str = "[Board \"3\"]\n[Dealer \"S\"]\n[Vulnerable \"EW\"]\n\
[Deal \"N:A2.K32.AKQJ.5432 9876.QJT.765.T98 K43.A54.T98.AKQ6 QJT5.9876.432.J7\"]\n\
[Declarer \"S\"]\n[Contract \"3NT\"]\n[Play \"W\"]\nSQ SA S6 S3\nD2 DJ D5 D8\n*\n";

/// Runs `croupier solve` on a text and returns output and errors.
fn solved(input: &str, switches: &[&str]) -> (String, String, bool) {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["solve", "-"])
        .args(switches)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    stdin
        .write_all(input.as_bytes())
        .expect("the input can be written");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the text is UTF-8");
    (
        text(output.stdout),
        text(output.stderr),
        output.status.success(),
    )
}

#[test]
fn optimum_play_has_a_row_for_each_card_of_the_play() {
    let (one, errors, success) = solved(PLAYED, &["--optimum-play", "-R", "1"]);
    assert!(success, "{errors}");
    let (two, _, _) = solved(PLAYED, &["--optimum-play", "-R", "2"]);
    assert_eq!(one, two);
    let board = Reader::new(one.as_bytes())
        .expect("PBN")
        .next()
        .expect("a board");
    let board = board.expect("a board");
    let rows = croupier::formats::pbn::optimum_play(&board).expect("the table");
    let record = board.record.as_deref().expect("a record");
    let deal = board.deal().expect("a deal");
    let mut now = croupier::solver::Position::opening(
        &deal,
        croupier::cards::Seat::South,
        croupier::cards::Strain::Notrump,
    );
    assert_eq!(rows.len(), record.play.len());
    for (row, &card) in rows.iter().zip(&record.play) {
        assert_eq!(*row, Solver::new().choices(&now).best_cards());
        now.play(card).expect("a legal card");
    }
    // A table that is there already is replaced.
    let (again, _, _) = solved(&one, &["--optimum-play"]);
    assert_eq!(again.matches("OptimumPlayTable").count(), 1, "{again}");
    let (_, errors, success) = solved(PLAYED, &["--optimum-play", "--format", "csv"]);
    assert!(!success && errors.contains("only PBN"), "{errors}");
    let revoke = PLAYED.replace("D2 DJ D5 D8", "S5 DJ D5 D8");
    let (_, errors, success) = solved(&revoke, &["--optimum-play"]);
    assert!(!success && errors.contains("card 8"), "{errors}");
}

#[test]
fn a_file_with_optimum_play_is_replaced_only_with_force() {
    let place = Workplace::new("optimum");
    let (input, output) = (place.file("in.pbn"), place.file("out.pbn"));
    fs::write(&input, PLAYED).expect("the input can be written");
    run(solve(&input, &output).arg("--optimum-play"));
    let whole = fs::read(&output).expect("the output");
    let again = solve(&input, &output).arg("--optimum-play").output();
    let again = again.expect("the program runs");
    let errors = String::from_utf8_lossy(&again.stderr);
    assert!(
        !again.status.success() && errors.contains("--force"),
        "{errors}"
    );
    run(solve(&input, &output).args(["--optimum-play", "--force"]));
    assert_eq!(fs::read(&output).expect("the output"), whole);
}

#[test]
fn the_principal_line_has_all_cards_and_keeps_its_tricks() {
    let (text, errors, success) = solved(PLAYED, &["--line", "--format", "csv"]);
    assert!(success, "{errors}");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "board,contract,tricks,trick,seat,card,as good");
    assert_eq!(rows.len(), 53);
    assert!(rows[1].starts_with("3,3N by S,12,1,west,"), "{}", rows[1]);
    // The contract of the switch has precedence over that of the board.
    let (text, _, _) = solved(
        PLAYED,
        &["--line", "--contract", "4S-W", "--format", "json"],
    );
    assert!(
        text.contains("\"4S by W\"") && text.contains("\"north\""),
        "{text}"
    );
    let (_, errors, success) = solved(PLAYED, &["--line", "--format", "zrd"]);
    assert!(!success && errors.contains("csv or json"), "{errors}");
    let (_, errors, success) = solved(PLAYED, &["--contract", "4S-W"]);
    assert!(!success && errors.contains("--line"), "{errors}");
}

#[test]
fn deciding_cards_are_explained_in_words_and_as_data() {
    // Only the ten of spades is missing; with the jack in East's hand a trick is lost.
    let deal = "[Board \"1\"]\n[Deal \"N:5432.432.432.432 T876.KQJ.KQJ.KQJ AKQJ9.AT9.AT9.A9 .8765.8765.T8765\"]\n";
    let (text, errors, success) = solved(deal, &["--explain", "--contract", "4S-S"]);
    assert!(success, "{errors}");
    assert!(text.starts_with("board 1, 4S by S: "), "{text}");
    assert!(text.contains("spades: "), "{text}");
    let (json, _, _) = solved(
        deal,
        &["--explain", "--contract", "4S-S", "--format", "json"],
    );
    let data: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(data["boards"][0]["contract"], "4S by S");
    assert!(data["swings"].is_array());
    // Each swing is in the text, too.
    let swings = data["swings"].as_array().expect("a list").len();
    assert_eq!(text.matches(" matters: ").count(), swings, "{text}");
}
