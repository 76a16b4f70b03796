//! `croupier bid`, `match` and `infer`, and auctions for `lead` and `compare`.
#![cfg(feature = "bidding")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{croupier, done, err, failure, out};
use croupier::bidding::Auction;
use croupier::formats::Reader;

const DEAL: &str = "N:AQ32.K53.QJ4.A92 K87.AQ.T983.QJT6 J9654.T62.K52.K7 T.J9874.A76.8543";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bidding-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a file of dealt boards.
fn boards(folder: &Path, number: usize) -> String {
    let path = folder.join("boards.pbn").display().to_string();
    let number = number.to_string();
    done(&[
        "scenario", "deal", "stayman", "-n", &number, "-s", "3", "--rotate", "-o", &path,
    ]);
    path
}

fn read(path: &Path) -> Vec<croupier::formats::Board> {
    let file = fs::File::open(path).unwrap();
    Reader::new(file).unwrap().map(Result::unwrap).collect()
}

#[test]
fn boards_are_written_with_auction_notes_contract_result_and_score() {
    let folder = folder("formats");
    let boards = boards(&folder, 6);
    let mut seen = Vec::new();
    for ending in ["pbn", "lin"] {
        let path = folder.join(format!("out.{ending}"));
        let report = done(&["bid", &boards, "-o", &path.display().to_string(), "--list"]);
        assert!(report.contains("boards            6\n"), "{report}");
        assert!(
            report.contains("NS against par") && report.contains("(95 % intervals in brackets)"),
            "{report}"
        );
        for board in read(&path) {
            let (_, dealer, _) = board.place();
            let record = board.record.unwrap();
            let auction = Auction::parse(&record.auction.join(" "), dealer).unwrap();
            assert!(auction.is_over(), "{auction}");
            let declared = auction.declared();
            assert_eq!(record.contract, declared.map(|it| it.contract));
            assert_eq!(record.declarer, declared.map(|it| it.declarer));
            assert!(!record.notes.is_empty());
            seen.push((auction, record.notes));
        }
    }
    let (pbn, lin) = seen.split_at(6);
    assert_eq!(pbn, lin);
    let text = fs::read_to_string(folder.join("out.pbn")).unwrap();
    for tag in [
        "[Auction \"",
        "[Note \"1:",
        "[Result \"",
        "[Score \"NS ",
        "[ParImps \"NS ",
    ] {
        assert!(text.contains(tag), "{tag}");
    }
    assert!(text.is_ascii());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn output_does_not_depend_on_threads() {
    let folder = folder("threads");
    let boards = boards(&folder, 12);
    let one = done(&["bid", &boards, "--no-solve", "-j", "1"]);
    assert_eq!(one, done(&["bid", &boards, "--no-solve", "-j", "3"]));
    let dutch = done(&["bid", &boards, "--no-solve", "--ew", "dutch"]);
    assert_eq!(
        dutch,
        done(&["bid", &boards, "--no-solve", "--ew", "dutch", "-j", "5"])
    );
    fs::remove_dir_all(folder).unwrap();
}

/// Returns the command that runs the built-in robot as an external one.
fn served() -> String {
    format!("\"{}\" bid --serve-robot", env!("CARGO_BIN_EXE_croupier"))
}

#[test]
fn the_built_in_robot_as_an_external_one_bids_the_same() {
    let folder = folder("served");
    let boards = boards(&folder, 8);
    let built_in = done(&["bid", &boards, "--no-solve"]);
    for threads in ["1", "2"] {
        let external = done(&[
            "bid",
            &boards,
            "--no-solve",
            "--robot",
            &served(),
            "-j",
            threads,
        ]);
        assert_eq!(external, built_in);
    }
    // Each side of the table has its own robot.
    let other = format!("robot:{}", served());
    let mixed = done(&["bid", &boards, "--no-solve", "--ew", &other]);
    assert_eq!(mixed, built_in);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_served_robot_reports_questions_that_make_no_sense() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args(["bid", "--serve-robot", "--system", "dutch"]);
    let question = |hand: &str, seat: &str, auction: &str| {
        format!(
            "{{\"hand\":\"{hand}\",\"seat\":\"{seat}\",\"dealer\":\"N\",\"vulnerable\":\"none\",\"auction\":[{auction}]}}\n"
        )
    };
    let hand = "AQ32.K53.QJ4.A92";
    let questions = [
        question(hand, "N", ""),
        "hello\n".to_owned(),
        question("AQ32.K53.QJ4.A9", "N", ""),
        question(hand, "E", ""),
        question(hand, "S", "\"2C\",\"2C\""),
        question(hand, "N", "\"P\",\"P\",\"P\",\"P\""),
    ];
    let output = crate::common::feed(&mut command, &questions.concat());
    assert!(output.status.success(), "{}", err(&output));
    let answers = out(&output);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), questions.len(), "{answers}");
    assert_eq!(lines[0], "{\"call\":\"1N\"}");
    for (line, message) in lines[1..].iter().zip([
        "not a question: ",
        "hand: a hand has 13 cards, not 12",
        "seat: it is the turn of north",
        "auction: call 2, \\\"2C\\\": a bid must be higher than 2C",
        "auction: it is over",
    ]) {
        assert!(
            line.starts_with("{\"error\":\"") && line.contains(message),
            "{line}"
        );
    }
}

#[test]
#[cfg(unix)]
fn robots_that_fail_end_the_run_with_one_message() {
    let forever = "sh -c 'while read line; do echo ANSWER; done'";
    for (robot, message) in [
        (
            "sleep 100".to_owned(),
            "robot `sleep 100` did not answer within 0.5 seconds",
        ),
        (
            "/no/such/robot".to_owned(),
            "robot `/no/such/robot` cannot be started: ",
        ),
        (
            "".to_owned(),
            "robot `` cannot be started: the command is empty",
        ),
        (
            "'sleep".to_owned(),
            "cannot be started: a quote is not closed",
        ),
        (
            "false".to_owned(),
            "robot `false` ended instead of answering: exit status: 1",
        ),
        (
            "sh -c 'echo out of memory >&2; exit 3'".to_owned(),
            "exit status: 3, \"out of memory\"",
        ),
        (
            "sh -c 'read line; echo hello; sleep 9'".to_owned(),
            "answered \"hello\": expected value",
        ),
        (
            "cat".to_owned(),
            "it has no \"call\"; expected a line such as {\"call\":\"1N\"}",
        ),
        (
            forever.replace("ANSWER", "\"{\\\"call\\\":\\\"9Z\\\"}\""),
            "\"9Z\" is no call",
        ),
        (
            forever.replace("ANSWER", "\"{\\\"call\\\":\\\"2C\\\"}\""),
            "made an illegal call after 2C: call 2, \"2C\": a bid must be higher than 2C",
        ),
        (
            forever.replace("ANSWER", "\"{\\\"error\\\":\\\"no model\\\"}\""),
            "reports: no model",
        ),
    ] {
        // Double quotes inside single quotes of the robot's command line are text.
        let output = croupier(&[
            "bid",
            DEAL,
            "--no-solve",
            "--robot-time",
            "0.5",
            "--robot",
            &robot,
        ]);
        let errors = err(&output);
        assert!(
            matches!(output.status.code(), Some(1 | 2)),
            "{robot}: {errors}"
        );
        assert!(errors.contains(message), "{robot}: {errors}");
        assert_eq!(
            (errors.lines().count(), out(&output).as_str()),
            (1, ""),
            "{errors}"
        );
    }
}

#[test]
fn unknown_systems_and_illegal_auctions_are_reported() {
    let unknown = |name: &str| {
        format!(
            "there is no system \"{name}\"; use 2/1, dutch, a file such as my.bid, or robot:COMMAND"
        )
    };
    assert!(failure(&["bid", DEAL, "--system", "acol"], 2).contains(&unknown("acol")));
    assert!(failure(&["match", "2/1", "precision"], 2).contains(&unknown("precision")));
    assert_eq!(
        failure(&["infer", "2C-2C"], 2),
        "croupier: auction \"2C-2C\": call 2, \"2C\": a bid must be higher than 2C\n"
    );
    let robot = failure(&["infer", "1N", "--system", "robot:cat"], 2);
    assert!(
        robot.contains("the rules of an external robot are not known"),
        "{robot}"
    );
    let hand = [
        "infer",
        "1N-P-3N",
        "--hand",
        "AKQJ9.9.876.5432",
        "--seat",
        "N",
    ];
    let wrong = failure(&hand, 2);
    let expected = "north's hand AKQJ9.9.876.5432 contradicts the auction: call 1, 1N, shows ";
    assert!(
        wrong.contains(expected) && wrong.contains("15-17 HCP"),
        "{wrong}"
    );
    let lead = failure(
        &["lead", "--auction", "P-P-P-P", "-H", "KQJ4.T9.A2.87632"],
        2,
    );
    assert!(
        lead.contains("there is no contract to lead against"),
        "{lead}"
    );
    assert!(failure(&["lead", "-H", "KQJ4.T9.A2.87632"], 2).contains("give the contract"));
}

#[test]
fn a_match_has_an_interval_and_does_not_depend_on_threads() {
    let folder = folder("match");
    let page = folder.join("match.html").display().to_string();
    let one = done(&[
        "match", "2/1", "dutch", "-n", "12", "-j", "1", "--html", &page,
    ]);
    assert!(one.starts_with("2/1 against dutch: "), "{one}");
    assert!(
        one.contains(" IMPs a board, ") && one.contains("12 boards: "),
        "{one}"
    );
    assert_eq!(one, done(&["match", "2/1", "dutch", "-n", "12", "-j", "3"]));
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<h1>2/1 against dutch</h1>") && html.contains("Boards that swing most"));
    let own = done(&["match", "dutch", "dutch", "-n", "6"]);
    assert!(
        own.contains("+0 (0 to 0) IMPs") && own.contains("differ on 0"),
        "{own}"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_auction_is_shown_in_words_as_a_script_and_in_exact_tables() {
    let told = done(&["infer", "1N-P-2C-P-2H", "--honours", "-n", "2"]);
    assert!(told.contains("north  1N   15-17 HCP"), "{told}");
    assert!(told.contains("south  2C!"), "{told}");
    assert!(
        told.contains("\ncondition ") && told.contains("hcp(north) >= 15"),
        "{told}"
    );
    let lines: Vec<&str> = told
        .lines()
        .filter(|line| line.starts_with("north HCP "))
        .collect();
    assert_eq!(lines.len(), 1, "{told}");
    for part in ["15: ", "16: ", "17: "] {
        assert!(lines[0].contains(part), "{}", lines[0]);
    }
    assert!(told.contains("\nAS "), "{told}");
    let deals: Vec<&str> = told.lines().filter(|line| line.starts_with("N:")).collect();
    assert_eq!(deals.len(), 2, "{told}");
    for deal in deals {
        let deal: croupier::cards::Deal = deal.parse().unwrap();
        assert!((15..=17).contains(&croupier::valuation::hcp(
            deal[croupier::cards::Seat::North]
        )));
    }
    // The script alone can be used with other commands.
    let script = done(&["infer", "1N-P-2C-P-2H", "--script"]);
    assert!(told.contains(&script), "{script}");
    let output = crate::common::dealer(&["-p", "3", "-s", "1", "-f", "oneline", "-"], &script);
    assert!(
        output.status.success() && out(&output).lines().count() >= 3,
        "{}",
        err(&output)
    );
}

#[test]
fn leads_and_contracts_are_studied_by_auction() {
    let leads = [
        "lead",
        "--auction",
        "1N-P-3N-P-P-P",
        "--dealer",
        "S",
        "-H",
        "KQJ4.T9.A2.87632",
        "-n",
        "6",
    ];
    let told = done(&leads);
    assert!(
        told.starts_with("west leads KQJ4.T9.A2.87632 against 3N by S"),
        "{told}"
    );
    let told = done(&[
        "compare",
        "--auction",
        "1S-P-2S",
        "-k",
        "3S-N",
        "-k",
        "4S-N",
        "-n",
        "6",
    ]);
    assert!(told.starts_with("6 deals, nobody vulnerable"), "{told}");
    let both = failure(&["lead", "--auction", "1N-P-3N", "-c", "hcp(north) > 3"], 2);
    assert!(both.contains("cannot be used with"), "{both}");
}

/// Returns the command of an adapter in examples/robots.
fn adapter(name: &str, arguments: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/robots");
    format!("python3 \"{}\" {arguments}", path.join(name).display())
}

/// Starts a server that answers every request of a ben client with a call: one notrump first, then passes.
fn ben_server() -> u16 {
    use std::io::{BufRead, BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            assert!(request.starts_with("GET /bid?hand="), "{request}");
            let bid = if request.contains("ctx= ") {
                "1N"
            } else {
                "PASS"
            };
            let body =
                format!("{{\"bid\":\"{bid}\",\"explanation\":\"a model\",\"alert\":\"True\"}}");
            let length = body.len();
            let head = "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
            write!(stream, "{head}{length}\r\n\r\n{body}").unwrap();
        }
    });
    port
}

#[test]
#[cfg(unix)]
fn the_adapters_of_the_examples_follow_the_protocol() {
    let ben = adapter("ben.py", &format!("http://127.0.0.1:{}", ben_server()));
    let told = done(&["bid", DEAL, "--no-solve", "--robot", &ben, "-j", "1"]);
    assert!(told.contains("1NT =1= Pass"), "{told}");
    assert!(told.contains("[Note \"1:a model\"]"), "{told}");
    let folder = folder("adapters");
    let bidder = folder.join("bidder.py");
    let program =
        "import sys\nopen(sys.argv[2], 'w').write(open(sys.argv[1]).read() + 'Pass AP\\n')\n";
    fs::write(&bidder, program).unwrap();
    let words = format!("python3 \"{}\" {{in}} {{out}}", bidder.display());
    let told = done(&[
        "bid",
        DEAL,
        "--no-solve",
        "--robot",
        &adapter("pbn_program.py", &words),
        "-j",
        "1",
    ]);
    assert!(told.contains("Pass Pass Pass Pass"), "{told}");
    let dead = adapter("ben.py", "http://127.0.0.1:1");
    let message = err(&croupier(&["bid", DEAL, "--no-solve", "--robot", &dead]));
    assert!(
        message.contains("reports: http://127.0.0.1:1: "),
        "{message}"
    );
    fs::remove_dir_all(folder).unwrap();
}

/// The program contains the robot: `weak-jump-overcall` is the name of one of its rules. A test in the package of
/// `dealer` checks that `dealer` does not contain it.
#[test]
fn the_robot_is_in_croupier() {
    let bytes = fs::read(env!("CARGO_BIN_EXE_croupier")).unwrap();
    let rule = b"weak-jump-overcall";
    assert!(bytes.windows(rule.len()).any(|window| window == rule));
}

/// Returns the path of the example system.
fn natural() -> String {
    concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/systems/natural.bid"
    )
    .to_owned()
}

#[test]
fn a_file_of_rules_is_a_system_everywhere() {
    let folder = folder("rules");
    let boards = boards(&folder, 6);
    let one = done(&[
        "bid",
        &boards,
        "--no-solve",
        "--system",
        &natural(),
        "-j",
        "1",
    ]);
    assert!(
        one.contains("Stayman") || one.contains("15-17, balanced"),
        "{one}"
    );
    let three = done(&[
        "bid",
        &boards,
        "--no-solve",
        "--system",
        &natural(),
        "-j",
        "3",
    ]);
    assert_eq!(one, three);
    let played = done(&["match", &natural(), "2/1", "-n", "6"]);
    assert!(played.contains("Simple natural"), "{played}");
    let shown = done(&["infer", "1N-P-2C-P-2H", "--system", &natural()]);
    assert!(shown.contains("north  1N   15-17, balanced\n"), "{shown}");
    assert!(shown.contains("south  2C!  Stayman\n"), "{shown}");
    let wrong = failure(
        &[
            "infer",
            "1N-P-3N",
            "--system",
            &natural(),
            "--hand",
            "AKQJ9.9.876.5432",
            "--seat",
            "N",
        ],
        2,
    );
    assert!(
        wrong.contains("contradicts the auction: call 1, 1N, shows 15-17, balanced"),
        "{wrong}"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_system_is_checked_and_its_versions_are_compared() {
    let folder = folder("check");
    let path = |name: &str| folder.join(name).display().to_string();
    let old = "1N: 15 <= hcp(me) <= 17 and balanced(me)\n1C: hcp(me) >= 12\nP: hcp(me) < 11\n";
    fs::write(path("old.bid"), old).unwrap();
    fs::write(path("new.bid"), old.replace("< 11", "< 12")).unwrap();
    let page = path("check.html");
    let report = done(&[
        "system",
        "check",
        &path("old.bid"),
        "-n",
        "500",
        "--html",
        &page,
    ]);
    assert!(report.contains("  gap  8.94 %"), "{report}");
    assert!(
        fs::read_to_string(&page)
            .unwrap()
            .contains("<details open>")
    );
    let again = ["system", "check", &path("old.bid"), "-n", "500", "-j", "1"];
    assert_eq!(done(&again), report);
    let strict = croupier(&["system", "check", &path("old.bid"), "-n", "500", "--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    let json = done(&[
        "system",
        "check",
        &path("new.bid"),
        "-n",
        "500",
        "-f",
        "json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["points"][0]["gap"]["value"], 0.0);
    let changed = done(&[
        "system",
        "check",
        &path("old.bid"),
        &path("new.bid"),
        "-n",
        "500",
    ]);
    assert!(changed.ends_with("0 of 1 points differ\n"), "{changed}");
    fs::write(path("wrong.bid"), "1N: hcp(me) >= 15\n1S: hcp(north) > 3\n").unwrap();
    let wrong = failure(&["system", "check", &path("wrong.bid")], 2);
    assert!(wrong.contains("wrong.bid:2:5: error[E811]"), "{wrong}");
    assert!(failure(&["system", "check", &path("none.bid")], 2).contains("none.bid"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn boards_of_a_scenario_are_bid() {
    let folder = folder("scenario");
    let rules = format!("--bid={}", natural());
    for (number, bid) in ["--bid", &rules].into_iter().enumerate() {
        let path = folder.join(format!("{number}.pbn"));
        let file = path.display().to_string();
        done(&[
            "scenario", "deal", "stayman", "-n", "5", "-s", "3", bid, "-o", &file,
        ]);
        for board in read(&path) {
            let (_, dealer, _) = board.place();
            let record = board.record.unwrap();
            let auction = Auction::parse(&record.auction.join(" "), dealer).unwrap();
            assert!(auction.is_over(), "{auction}");
            assert!(!record.notes.is_empty());
        }
    }
    let unknown = ["scenario", "deal", "stayman", "-n", "1", "--bid=acol"];
    assert!(failure(&unknown, 2).contains("there is no system \"acol\"; use 2/1, dutch"));
    fs::remove_dir_all(folder).unwrap();
}

/// Writes a script and returns its path.
fn script(folder: &Path, text: &str) -> String {
    let path = folder.join("script.dl");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn scripts_select_deals_by_their_auctions() {
    let folder = folder("language");
    let text = "condition bids(\"1N-P-2C\") and shape(south, any 4xxx)\nproduce 3\naction frequency \"contract\" (contract(), 0, 39)";
    let path = script(&folder, text);
    let dealt = |switches: &[&str]| {
        let arguments = ["deal", &path, "-s", "5", "-f", "pbn"];
        done(&[&arguments[..], switches].concat())
    };
    let one = dealt(&["-R", "1"]);
    assert_eq!(one, dealt(&["-R", "3"]));
    // Every board has the dealer and the vulnerability with which the robots bid it.
    assert_eq!(one.matches("[Dealer \"N\"]").count(), 3, "{one}");
    assert_eq!(one.matches("[Vulnerable \"None\"]").count(), 3, "{one}");
    let boards = folder.join("boards.pbn").display().to_string();
    fs::write(&boards, &one).unwrap();
    let bid = done(&["bid", &boards, "--no-solve", "--no-notes"]);
    assert_eq!(bid.matches("1NT Pass 2C").count(), 3, "{bid}");
    let external = format!("robot:{}", served());
    assert_eq!(one, dealt(&["--bidding-system", &external]));
    let counted = dealt(&["-D", "2", "--no-deals"]);
    assert!(counted.contains("Tot Ask Auction"), "{counted}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn systems_of_scripts_that_do_not_work_are_reported() {
    let folder = folder("language-errors");
    let path = script(&folder, "condition bids(\"1N\")\nproduce 1");
    for (switches, status, expected) in [
        (
            &["--bidding-system", "acol"][..],
            2,
            "--bidding-system: there is no system \"acol\"; use 2/1, dutch",
        ),
        (
            &["--bidding-system", "missing.bid"],
            2,
            "--bidding-system: missing.bid: ",
        ),
        (
            &["--bidding-system", "robot:echo nonsense"],
            1,
            "robot `echo nonsense` answered \"nonsense\"",
        ),
        (
            &["--bidding-system", "robot:false"],
            1,
            "robot `false` ended instead of answering",
        ),
    ] {
        let error = failure(
            &[&["deal", &path, "-s", "1"][..], switches].concat(),
            status,
        );
        assert!(error.contains(expected), "{error}");
    }
    let illegal = script(&folder, "condition bids(\"2C-2C\")");
    let error = failure(&["deal", &illegal], 1);
    assert!(
        error.contains("no auction begins so: call 2, \"2C\": a bid must be higher than 2C"),
        "{error}"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn words_of_an_auction_without_deals_are_printed() {
    let folder = folder("no-deals");
    let path = folder.join("aces.bid");
    let rules = "1N: aces(me) == 4 \"all aces\"\n1N-P: 1\n1N-P-2C: aces(me) == 4\n1N-P-P: 1\n";
    fs::write(&path, rules).unwrap();
    let system = path.display().to_string();
    let output = croupier(&["infer", "1N-P-2C", "--system", &system]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        out(&output).contains("north  1N   all aces"),
        "{}",
        out(&output)
    );
    let errors = err(&output);
    assert!(
        errors.contains("no deal fits the auction") && errors.lines().count() == 1,
        "{errors}"
    );
    fs::remove_dir_all(folder).unwrap();
}
