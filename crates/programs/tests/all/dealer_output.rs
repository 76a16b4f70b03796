//! Output of dealer: formats, reports, tables and statistics.

use std::fs;

use crate::common::{croupier, dealer, done, err, out};
use crate::levels::LADDER;

#[test]
fn json_stays_json() {
    let script = "x = hcp(north)\naction printrpt(x, \"a\"), csvrpt(x, deal), printes(x, \\n), average \"m\" x";
    let output = dealer(&["-s", "1", "-p", "2", "-f", "json"], script);
    for line in out(&output).lines() {
        let value: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(value.is_object(), "{line}");
    }
    assert_eq!(out(&output).lines().count(), 3);
    for format in ["csv", "json"] {
        let none = out(&dealer(
            &["-s", "1", "-p", "2", "-f", format, "--no-deals"],
            script,
        ));
        assert!(
            !none.contains("hands\":") && !none.contains("north,east"),
            "{none}"
        );
    }
    // With --no-deals, tables are still printed as CSV or JSON.
    let tables = out(&dealer(
        &["-s", "1", "-p", "2", "-f", "json", "--no-deals"],
        script,
    ));
    let value: serde_json::Value =
        serde_json::from_str(&tables).unwrap_or_else(|error| panic!("{error}: {tables}"));
    assert_eq!(value["tables"][0]["label"], "m");
    assert_eq!(value["statistics"]["produced"], 2);
}

#[test]
fn reports_in_csv_are_read_by_every_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.csv");
    let path = path.to_str().unwrap();
    let script = "points = hcp(north)\naction csvrpt(points, hcp(south), \"a, b\", north)";
    let output = dealer(&["-s", "1", "-p", "1", "-C", path], script);
    assert!(output.status.success(), "{}", err(&output));
    let rows = fs::read_to_string(path).unwrap();
    assert_eq!(
        rows,
        "points,hcp(south),text,north\n8,14,\"a, b\",n T85.AT.Q96543.Q8\n"
    );
    // Classic programs do not escape quotation marks.
    let classic = out(&dealer(
        &["--compat", "v2", "-s", "1", "-p", "1", "-v"],
        script,
    ));
    assert!(classic.contains("'a, b'"), "{classic}");
}

#[test]
fn the_rule_of_turned_boards_is_printed() {
    let script = "produce 2 action printrpt(deal, trix(south)), average hcp(south)";
    let turned = out(&dealer(&["-s", "1", "--rotate"], script));
    assert!(turned.contains("Boards are turned:"), "{turned}");
    assert!(!out(&dealer(&["-s", "1"], script)).contains("turned"));
}

#[test]
fn statistics_as_json() {
    let script = format!(
        "{LADDER}average \"points\" hcp(south), frequency \"spades\" (spades(south), 0, 13)\n"
    )
    .replace("action printes(hcp(south), \\n)\n", "action ");
    let output = dealer(&["-s", "1", "--no-deals", "--stats-json"], &script);
    let value: serde_json::Value = serde_json::from_str(&out(&output))
        .unwrap_or_else(|error| panic!("{error}: {}", out(&output)));
    assert_eq!(value["produced"], 40);
    assert_eq!(value["seed"], 1);
    assert_eq!(value["averages"][0]["label"], "points");
    let bins = value["frequencies"][0]["bins"].as_array().unwrap();
    let total: u64 = bins.iter().map(|bin| bin["count"].as_u64().unwrap()).sum();
    assert_eq!(total, 40);
    let types = value["hand_types"].as_array().unwrap();
    let produced: u64 = types
        .iter()
        .map(|it| it["produced"].as_u64().unwrap())
        .sum();
    assert_eq!((types.len(), produced), (2, 40));
}

#[test]
fn rare_estimates_have_the_digits_that_they_support() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rare.dl");
    fs::write(
        &path,
        "condition hcp(north) >= 20 and hcp(south) >= 10 and cccc(north) > 2600\n",
    )
    .unwrap();
    let path = path.to_str().unwrap();
    let text = out(&croupier(&["probability", path, "--samples", "2000"]));
    let about = text
        .lines()
        .find(|line| line.starts_with("about "))
        .unwrap();
    let digits = |word: &str| word.trim_start_matches(['0', '.']).replace('.', "").len();
    for word in about
        .split_whitespace()
        .filter(|word| word.starts_with("0."))
    {
        assert!((1..=4).contains(&digits(word)), "{word} in {about}");
    }
    let json = out(&croupier(&[
        "probability",
        path,
        "--samples",
        "2000",
        "-f",
        "json",
    ]));
    assert!(
        json.contains("\"at_most\":") && !json.contains("\"count\":"),
        "{json}"
    );
    assert_eq!(
        croupier(&["probability", path, "--samples", "0"])
            .status
            .code(),
        Some(2)
    );
}

/// The last bucket is as wide as the others and is labelled with its range. `probability` uses the same buckets.
#[test]
fn buckets_have_one_definition() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bk.dl");
    let script = "action bktfreq \"bk\" (hcp(south),0,12,5)\n";
    fs::write(&path, script).unwrap();
    let dealt = dealer(&["-s", "1", "-p", "20000"], script);
    assert!(err(&dealt).contains("10 to 14"), "{}", err(&dealt));
    let counted = done(&["probability", path.to_str().unwrap()]);
    assert!(counted.contains("10..14"), "{counted}");
    // The probability of the last bucket is that of 10 to 14 points.
    fs::write(&path, "condition hcp(south) >= 10 and hcp(south) <= 14\n").unwrap();
    let exact = done(&["probability", path.to_str().unwrap(), "-f", "json"]);
    let exact: serde_json::Value = serde_json::from_str(&exact).unwrap();
    let exact: f64 = exact["decimal"].as_str().unwrap().parse().unwrap();
    let share = |text: &str, row: &str| -> f64 {
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with(row))
            .unwrap_or_else(|| panic!("{row}: {text}"));
        let words: Vec<&str> = line.split_whitespace().collect();
        words[1].trim_end_matches('%').parse().unwrap()
    };
    assert!((share(&out(&dealt), "10") / 20_000.0 - exact).abs() < 0.015);
    assert!((share(&counted, "10..14") / 100.0 - exact).abs() < 1e-4);
}

#[test]
fn nothing_divided_by_nothing_is_a_dash() {
    for action in [
        "average \"a\" hcp(north)",
        "frequency \"f\" (hcp(north), 0, 2)",
        "frequency \"f\" (hcp(north), 0, 2, hcp(south), 0, 2)",
        "bktfreq \"b\" (hcp(north), 0, 9, 5)",
    ] {
        let script = format!("generate 50 condition hcp(north) + hcp(south) > 39 action {action}");
        let output = dealer(&["-s", "1"], &script);
        assert!(
            !out(&output).to_lowercase().contains("nan"),
            "{}",
            out(&output)
        );
        let script = format!("generate 50 condition hcp(north) + hcp(south) > 40 action {action}");
        let output = dealer(&["-s", "1"], &script);
        assert!(
            !out(&output).to_lowercase().contains("nan"),
            "{}",
            out(&output)
        );
    }
}

/// A script that prints shows 40 deals by default; one that only counts uses all deals tried, if `generate` gives their
/// number.
#[test]
fn a_format_does_not_change_the_number_of_deals() {
    let count = |switches: &[&str], script: &str| {
        let words = [&["-s", "1", "-v", "-f", "oneline"], switches].concat();
        out(&dealer(&words, script)).matches("n ").count()
    };
    let average = "action average \"x\" spades(south)";
    assert_eq!(count(&[], ""), 40);
    assert_eq!(count(&[], average), 40);
    assert_eq!(count(&[], &format!("produce 3 {average}")), 3);
    assert_eq!(count(&[], &format!("generate 50 {average}")), 50);
    assert_eq!(count(&["-g", "60"], average), 60);
    assert_eq!(count(&["-g", "60"], &format!("produce 7 {average}")), 7);
    assert_eq!(count(&["-p", "0"], average), 0);
}

#[test]
fn rotated_boards_follow_the_numbers() {
    let script = "dealer south condition hcp(south) >= 20 produce 8 action printpbn";
    let text = out(&dealer(&["-s", "3", "--rotate", "-v"], script));
    let dealers: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Dealer \"")?.strip_suffix("\"]"))
        .collect();
    assert_eq!(dealers, ["N", "E", "S", "W", "N", "E", "S", "W"]);
    let vulnerable: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Vulnerable \"")?.strip_suffix("\"]"))
        .collect();
    assert_eq!(
        vulnerable,
        ["None", "NS", "EW", "All", "NS", "EW", "All", "None"]
    );
    // The dealer always has the strong hand.
    for (line, dealer) in text
        .lines()
        .filter(|line| line.starts_with("[Deal "))
        .zip(dealers)
    {
        let deal: croupier::cards::Deal = line[7..line.len() - 2].parse().unwrap();
        let seat: croupier::cards::Seat = dealer.parse().unwrap();
        let points: u32 = deal[seat]
            .iter()
            .map(|card| (card.rank().index() as u32).saturating_sub(8))
            .sum();
        assert!(points >= 20, "{line}");
    }
}

#[test]
fn a_report_file_has_a_header_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.csv");
    let switch = path.to_str().unwrap();
    for _ in 0..2 {
        dealer(
            &["-s", "1", "-p", "2", "-C", switch],
            "action csvrpt(hcp(north), hcp(north,spades), east, trix(south))",
        );
    }
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(
        text.lines().next(),
        Some("hcp(north),\"hcp(north,spades)\",east,S_C,S_D,S_H,S_S,S_N")
    );
    assert_eq!(text.lines().count(), 5);
}

#[test]
fn a_page_for_the_browser() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.html");
    let script = "title \"Strong & flat\" produce 6 action printall, average \"points\" hcp(north), frequency \"f\" (hcp(south), 0, 20), frequency \"g\" (hcp(north), 0, 3, hcp(south), 0, 3)";
    let output = dealer(&["-s", "1", "--report", path.to_str().unwrap()], script);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let page = fs::read_to_string(&path).unwrap();
    assert!(
        page.contains("Strong &amp; flat") && page.contains("Board 6") && page.contains("points")
    );
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "the page is self-contained"
    );
}

#[test]
fn statistics_as_json_name_the_source_of_the_deals() {
    let key = format!("--tournament={:064x}", 77);
    let words = [key.as_str(), "-p", "2", "--stats-json", "--no-deals"];
    let output = dealer(&words, "");
    let object: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    assert!(object.get("seed").is_none(), "{object}");
    assert_eq!(
        object["commitment"].as_str().map(str::len),
        Some(64),
        "{object}"
    );
    let seeded = dealer(&["-s", "5", "-p", "2", "--stats-json", "--no-deals"], "");
    let object: serde_json::Value = serde_json::from_str(&out(&seeded)).unwrap();
    assert_eq!(object["seed"], 5);
}

#[test]
fn csv_for_spreadsheets_holds_no_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let [report, tables] = ["report.csv", "tables.csv"].map(|name| folder.path().join(name));
    let names = [&report, &tables].map(|path| path.to_str().unwrap().to_owned());
    let script = "action csvrpt(\"=1+1\", -5, \"@x\"), average \"+cmd|' /C calc'!A0\" hcp(north)";
    let written = |safe: &[&str]| {
        let _ = fs::remove_file(&report);
        let mut words = vec!["-s", "1", "-p", "1", "--force"];
        words.extend(["-C", &names[0], "--tables", &names[1]]);
        words.extend(safe);
        let output = dealer(&words, script);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        fs::read_to_string(&report).unwrap() + &fs::read_to_string(&tables).unwrap()
    };
    let plain = written(&[]);
    assert!(
        plain.contains("\n=1+1,-5,@x\n") && plain.contains("\n+cmd"),
        "{plain}"
    );
    let safe = written(&["--csv-safe"]);
    assert!(
        safe.contains("\n'=1+1,-5,'@x\n") && safe.contains("\n'+cmd"),
        "{safe}"
    );
}

#[test]
fn existing_files_are_replaced_only_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(
        path("s.dl"),
        "produce 2 action average \"points\" hcp(north)",
    )
    .unwrap();
    let (first, part) = (path("a.pbn"), path("part.json"));
    for outputs in [
        &["-o", &first][..],
        &["-o", &path("new.lin"), "-o", &first],
        &["--report", &first],
        &["--tables", &path("a.csv")],
        &["--shard", "1/2", "--partial", &part],
    ] {
        let name = outputs.last().unwrap();
        std::fs::write(name, "mine").unwrap();
        let script = path("s.dl");
        let run = |more: &[&str]| {
            let words = [&["-s", "1", "-g", "100"], outputs, more, &[&script]].concat();
            let output = std::process::Command::new(crate::common::dealer_path())
                .env_remove("CROUPIER_COMPAT")
                .args(&words)
                .output()
                .expect("the program runs");
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            (output.status.code(), errors)
        };
        let (status, errors) = run(&[]);
        assert!(
            status == Some(2) && errors.contains("the file exists; --force replaces it"),
            "{outputs:?}: {status:?} {errors}"
        );
        assert_eq!(std::fs::read(name).unwrap(), b"mine");
        let (status, errors) = run(&["--force"]);
        assert_eq!(status, Some(0), "{outputs:?}: {errors}");
        assert_ne!(std::fs::read(name).unwrap(), b"mine");
    }
}

#[test]
fn the_same_deals_become_pages_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("s.dl"), "hcp(north) >= 20\n").unwrap();
    let files = ["a.pdf", "a.lin", "a.dup", "a.pbn"].map(path);
    let script = path("s.dl");
    let mut words = vec!["-s", "1", "-n", "3", &script];
    files
        .iter()
        .for_each(|file| words.extend(["-o", file.as_str()]));
    crate::common::done(&[&["deal"][..], &words].concat());
    // The pages exist now.
    let again = [&["deal"][..], &words].concat();
    assert_eq!(crate::common::croupier(&again).status.code(), Some(2));
    for start in [&["deal", "--force"][..], &["--force", "deal"]] {
        crate::common::done(&[start, &words].concat());
    }
    let page = std::process::Command::new("pdftotext")
        .args(["-layout", &files[0], "-"])
        .output()
        .expect("pdftotext runs");
    let page = String::from_utf8_lossy(&page.stdout).into_owned();
    let boards = std::fs::read(&files[3]).unwrap();
    let boards = croupier::formats::Reader::new(&boards[..]).unwrap();
    let boards: Vec<_> = boards.map(Result::unwrap).collect();
    assert_eq!(boards.len(), 3);
    for board in boards {
        let north = board.deal().unwrap().hand(croupier::cards::Seat::North);
        let spades = north.holding(croupier::cards::Suit::Spades).to_string();
        assert!(
            page.contains(&spades.replace('T', "10")),
            "{spades}: {page}"
        );
    }
}
