//! `croupier lead` and `croupier compare`: tables in every format, compared with deals solved in the tests.

use std::fs;
use std::path::Path;

use crate::common::{done as text, failure};
use croupier::cards::{Deal, Seat, Strain};
use croupier::solver::Solver;

const HAND: &str = "KQJ4.T9.A2.87632";

/// Studies a complete deal, fixed by predeal: the only layout is solved in the test as well.
#[test]
fn a_study_of_one_layout_is_its_solution() {
    let deal: Deal = "N:A52.AK3.KQJ5.954 T973.7654.T98.QJ 86.QJ82.7643.AKT KQJ4.T9.A2.87632"
        .parse()
        .unwrap();
    let [n, e, s, w] = deal.hands().map(|hand| hand.suit_holdings().to_string());
    let table = text(&[
        "lead", "-k", "3N-S", "-N", &n, "-E", &e, "-S", &s, "-W", &w, "-n", "1", "--format", "csv",
    ]);
    let leads = Solver::new().leads(&deal, Seat::South, Strain::Notrump);
    let mut lines = table.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("lead,tricks,tricks_low,tricks_high,set_pct")
    );
    let mut cards = 0;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let held = croupier::cards::notation::suit_holdings(fields[0]).unwrap();
        let tricks: f64 = fields[1].parse().unwrap();
        for card in held {
            assert_eq!(tricks, f64::from(leads.tricks(card).unwrap()), "{line}");
            cards += 1;
        }
        let sets: f64 = fields[4].parse().unwrap();
        assert_eq!(sets, if tricks >= 5.0 { 100.0 } else { 0.0 }, "{line}");
    }
    assert_eq!(cards, 13);
}

#[test]
fn leads_do_not_depend_on_threads_and_sets_only_agrees() {
    let arguments = |threads: &'static str, more: &'static [&'static str]| {
        let mut all = vec![
            "lead",
            "-k",
            "3N-S",
            "-H",
            HAND,
            "-c",
            "hcp(south) >= 15 and hcp(north) >= 9",
            "-n",
            "8",
            "--format",
            "csv",
            "-R",
            threads,
        ];
        all.extend(more);
        all
    };
    let one = text(&arguments("1", &[]));
    assert_eq!(one, text(&arguments("3", &[])));
    // How often each lead beats the contract, by lead.
    let sets = |table: &str, column: usize| {
        let mut rows: Vec<(String, String)> = table
            .lines()
            .skip(1)
            .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>())
            .map(|fields| (fields[0].clone(), fields[column].clone()))
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(
        sets(&one, 4),
        sets(&text(&arguments("2", &["--sets-only"])), 1)
    );
}

#[test]
fn the_report_for_the_browser_is_complete() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lead.html");
    let name = path.to_str().unwrap();
    let table = text(&["lead", "-k", "4H-E", "-H", HAND, "-n", "2", "--html", name]);
    assert!(
        table.starts_with("south leads KQJ4.T9.A2.87632 against 4H by E"),
        "{table}"
    );
    let page = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(page.contains("<h1>south leads against 4H by E</h1>"));
    // Seven leads: a row each in the first table, a row and a column each in the second.
    assert_eq!(page.matches("<tr").count(), 1 + 7 + 1 + 7);
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn contracts_are_compared_with_the_results_of_the_file() {
    // One deal with stored tricks that differ from the double-dummy results.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare.json");
    let hands = r#""north":"AKQ.AKQ.AKQ.AKQJ","east":"JT98.JT9.JT9.T98","south":"7654.876.876.765","west":"32.5432.5432.432""#;
    let tricks =
        r#""north":[1,1,1,1,1],"east":[2,2,2,2,2],"south":[8,8,8,10,9],"west":[5,5,5,5,5]"#;
    fs::write(
        &path,
        format!("{{\"hands\":{{{hands}}},\"tricks\":{{{tricks}}}}}\n"),
    )
    .unwrap();
    let name = path.to_str().unwrap();
    let arguments = [
        "compare", "-k", "3N", "-k", "4S", "-k", "2Dx-W", "--deals", name, "--format", "json",
    ];
    let json = text(&arguments);
    fs::remove_file(&path).unwrap();
    let value: serde_json::Value = serde_json::from_str(&json).expect("the text is JSON");
    let scores: Vec<f64> = (0..3)
        .map(|i| value["contracts"][i]["score"].as_f64().unwrap())
        .collect();
    assert_eq!(scores, [400.0, 420.0, 500.0]);
    assert_eq!(value["contracts"][0]["made_pct"], 100.0);
    let duel = &value["duels"][0];
    assert_eq!(
        (&duel["contract"], &duel["against"]),
        (&"3N by S".into(), &"4S by S".into())
    );
    let number = |name: &str| duel[name].as_f64();
    assert_eq!((number("imps"), number("mp_pct")), (Some(-1.0), Some(0.0)));
}

#[test]
fn mistakes_get_one_clear_message() {
    for (arguments, status, words) in [
        (&["lead", "-k", "3N", "-n", "3"][..], 2, "has 0 known cards"),
        (&["lead", "-k", "3N", "-H", "AKQ"], 2, "--hand"),
        (&["lead", "-k", "9N", "-H", HAND], 2, "is not a contract"),
        (
            &["lead", "-k", "3N", "-H", HAND, "-c", "hcp(south) >= "],
            1,
            "error",
        ),
        (
            &[
                "lead",
                "-k",
                "3N",
                "-H",
                HAND,
                "-c",
                "hcp(south) > 40",
                "-g",
                "5000",
            ],
            1,
            "none of 5000 deals",
        ),
        (
            &["lead", "-k", "3N", "-H", HAND, "no-such-script.dl"],
            2,
            "no-such-script.dl",
        ),
        (&["compare", "-k", "3N"], 2, "at least two contracts"),
        (
            &["compare", "-k", "3N", "-k", "4S", "--deals", "no-such-file"],
            2,
            "no-such-file",
        ),
    ] {
        let message = failure(arguments, status);
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}

/// Selected deals are weighted, and the selection does not depend on the number of threads.
#[test]
fn a_precision_ends_a_study_of_selected_deals() {
    let condition =
        "hcp(south) >= 15 and hcp(south) <= 17 and hcp(north) >= 10 and spades(north) == 5";
    let study = |precision: &str, threads: &str| {
        let arguments = [
            "compare", "-k", "3N", "-k", "4S-N", "-c", condition, "-j", threads,
        ];
        text(
            &[
                &arguments[..],
                &["--precision", precision, "--control", "4000"],
            ]
            .concat(),
        )
    };
    let share = study("9%", "2");
    assert!(share.starts_with("220 deals solved, "), "{share}");
    assert!(share.contains(" looked into, of 4000, "), "{share}");
    assert_eq!(share, study("9%", "1"));
    // Columns of the last table: contract, by, seat, tricks, share, from, to, to.
    let rows = share
        .lines()
        .rev()
        .take_while(|line| !line.starts_with("contract"));
    let words = rows.map(|line| line.split_whitespace().collect::<Vec<_>>());
    let shares = words
        .filter(|words| words[0] == "4S")
        .map(|words| words[4].parse::<f64>().unwrap());
    let sum: f64 = shares.sum();
    assert!((sum - 100.0).abs() < 2.0, "{share}");
    assert!(!share.contains("-0.0"), "{share}");
    // Tricks are about equally uncertain on every deal, so the first deals are solved.
    assert!(study("0.2 tricks", "2").starts_with("220 deals solved of 4000"));
}

/// The CSV table of a study has the numbers that the text, the JSON and the page for the browser show.
#[test]
fn every_output_of_a_study_shows_one_set_of_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("leads.html");
    let page = page.to_str().unwrap();
    let study = |more: &[&str]| {
        let condition = "hcp(south) >= 15 and hcp(north) >= 9";
        let mut all = vec!["lead", "-k", "3N-S", "-H", HAND, "-c", condition];
        all.extend(["-n", "12", "-s", "1"]);
        all.extend(more);
        text(&all)
    };
    let csv = study(&["--format", "csv", "--html", page]);
    let words = study(&[]);
    let json: serde_json::Value = serde_json::from_str(&study(&["--format", "json"])).unwrap();
    let page = fs::read_to_string(page).unwrap();
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let titles = lines.next().unwrap();
    let column = |name: &str| titles.iter().position(|title| *title == name).unwrap();
    let rows = json.as_array().unwrap();
    let mut compared = 0;
    for (fields, row) in lines.zip(rows) {
        let text_row = words
            .lines()
            .find(|line| line.split_whitespace().next() == Some(fields[0]))
            .unwrap();
        for name in ["tricks", "score", "imps"] {
            let ends = ["", "_low", "_high"].map(|end| format!("{name}{end}"));
            let numbers = ends.each_ref().map(|end| fields[column(end)]);
            for (end, number) in ends.iter().zip(numbers) {
                let number: f64 = number.parse().unwrap();
                assert_eq!(row[end].as_f64().unwrap(), number, "{end}: {row}");
            }
            let [value, low, high] = numbers;
            let interval = format!("{low} to {high}");
            assert!(text_row.contains(&interval), "{interval}: {text_row}");
            assert!(page.contains(&interval), "{interval} on the page");
            assert!(page.contains(&format!(">{value}")), "{value} on the page");
            compared += 1;
        }
    }
    assert!(compared >= 15, "{compared}");
}
