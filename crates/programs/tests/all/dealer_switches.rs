//! Rarely used features of the older programs that existing scripts depend on.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{croupier, dealer, dealer_path, done, err, feed, out};

/// Checks that the command fails with this status and message and prints nothing.
fn refused(output: &Output, status: i32, said: &str) {
    assert_eq!(output.status.code(), Some(status), "{}", err(output));
    assert!(err(output).contains(said), "{}", err(output));
    assert_eq!(out(output), "");
}

const SOUTH: &str = "predeal south SAQ4, HJ, DKJ6543, C632\n";

#[test]
fn leadtricks_has_a_table_for_each_lead() {
    let script = format!(
        "{SOUTH}lead = leadtricks(east, hearts) produce 3 action printoneline, frequency \"H\" (lead, 0, 13), average lead"
    );
    let output = dealer(&["-s", "1"], &script);
    let text = out(&output);
    assert!(output.status.success(), "{}", err(&output));
    // The highest card of each sequence, spades first.
    let leads = ["AS", "QS", "4S", "JH", "KD", "JD", "6D", "6C", "3C"];
    for lead in leads {
        assert!(
            text.contains(&format!("Description: H, {lead} led:")),
            "{lead}: {text}"
        );
        assert!(
            text.contains(&format!("{lead} led: Mean=")),
            "{lead}: {text}"
        );
    }
    assert_eq!(text.matches("Description:").count(), leads.len());
    // Declarer's tricks after the best lead are those of tricks(): the minimum over all leads.
    let each = format!(
        "{SOUTH}lead = leadtricks(east, notrump) produce 4 condition lead >= tricks(east, notrump) action average lead - tricks(east, notrump)"
    );
    let output = dealer(&["-s", "1"], &each);
    let text = out(&output);
    assert!(
        text.contains("Generated 4 hands"),
        "no lead gives declarer less: {text}"
    );
    let means: Vec<f64> = text
        .lines()
        .filter_map(|line| {
            line.split_once("led: Mean=")?
                .1
                .split(',')
                .next()?
                .trim()
                .parse()
                .ok()
        })
        .collect();
    assert_eq!(means.len(), 9, "{text}");
    assert!(
        means.iter().all(|&mean| (0.0..13.0).contains(&mean)),
        "{means:?}"
    );
}

#[test]
fn leadtricks_says_what_it_needs() {
    let lead = "lead = leadtricks(east, hearts)\n";
    let without = dealer(&["-s", "1"], &format!("{lead}action average lead"));
    refused(
        &without,
        1,
        "standard input:1:8: error[E306]: south leads when east is the declarer",
    );
    let printed = dealer(&["-s", "1"], &format!("{SOUTH}{lead}action printes(lead)"));
    refused(&printed, 1, "in average and in frequency");
    let two = format!("{SOUTH}{lead}action average lead + leadtricks(south, hearts)");
    refused(&dealer(&["-s", "1"], &two), 1, "two leaders");
}

#[test]
fn links_named_as_the_expander_of_shapes_are_it() {
    let folder = tempfile::tempdir().unwrap();
    for program in [dealer_path(), env!("CARGO_BIN_EXE_croupier")] {
        for name in ["fdp", "fdpi"] {
            let _ = fs::remove_file(folder.path().join(name));
            std::os::unix::fs::symlink(program, folder.path().join(name)).unwrap();
        }
        let line = "shape{north, 5M(332)}";
        let list = "shape(north,2533 + 3523 + 3532 + 5233 + 5323 + 5332)";
        let once = Command::new(folder.path().join("fdp"))
            .arg(line)
            .output()
            .unwrap();
        assert_eq!(out(&once), format!("{list}\n"));
        let dialogue = feed(
            &mut Command::new(folder.path().join("fdpi")),
            &format!("{line}\n"),
        );
        assert_eq!(
            out(&dialogue),
            format!("?>Parsing:: {line}\n[Length:53, patterns: 6] {list}\n\n?>")
        );
    }
}

#[test]
fn the_point_count_tells_quick_losers_and_tricks() {
    let output = croupier(&[
        "value",
        "--only",
        "opc",
        "K95.A842.7.QJ976",
        "AQJ84.K6.KT95.83",
    ]);
    let text = out(&output);
    let number = |name: &str| -> f64 {
        let line = text.lines().find(|line| line.contains(name));
        let line = line.unwrap_or_else(|| panic!("{name}: {text}"));
        line.split_whitespace().last().unwrap().parse().unwrap()
    };
    // 29.5 points with spades as trumps and 25.5 in notrump.
    assert_eq!(number("tricks expected in spades"), 11.0);
    assert_eq!(number("tricks expected in notrump"), 9.0);
    assert_eq!(number("quick losers, suit contract"), 3.0);
    assert_eq!(number("quick losers, notrump"), 3.0);
}

#[test]
fn calls_are_counted_as_the_classic_counts_them() {
    let script = "condition opc(NS) > 2000 produce 20 action average opc(NS)";
    let text = out(&dealer(&["--compat", "v2", "-s", "83", "-D", "2"], script));
    let generated: u64 = text
        .lines()
        .find_map(|line| {
            line.strip_prefix("Generated ")?
                .strip_suffix(" hands")?
                .parse()
                .ok()
        })
        .unwrap();
    // Once per deal in the condition, and again, from the cache, for each produced deal.
    let calls = format!(
        "Tot Calls to OPC ={:6}, OPC Calc   Calls={generated:6}",
        generated + 20
    );
    assert!(text.contains(&calls), "{calls}: {text}");
}

#[test]
fn a_seed_of_zero_is_pointed_at() {
    let output = dealer(&["-s", "0", "-p", "1"], "action printoneline");
    assert!(output.status.success());
    assert!(
        err(&output).contains("-s 0 is a seed like any other"),
        "{}",
        err(&output)
    );
    let quiet = dealer(
        &["-s", "0", "-p", "1", "--no-warnings"],
        "action printoneline",
    );
    assert_eq!(err(&quiet), "");
    assert_eq!(
        err(&dealer(&["-s", "1", "-p", "1"], "action printoneline")),
        ""
    );
}

#[test]
fn a_metric_that_there_is_not_is_found_before_a_deal() {
    let script = "condition hcp(north) > 5\naction printoneline, average usereval(17, NS, 0)";
    for switches in [&["-s", "1"][..], &["--check"], &["--explain"]] {
        let output = dealer(switches, script);
        refused(&output, 1, "standard input:2:30: no metric has the tag 17");
    }
}

#[test]
fn files_without_a_deal_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("empty.pbn", ""),
        ("words.txt", "hello\n"),
        ("head.csv", "board,north\n"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let solved = croupier(&["solve", path]);
        assert_eq!(solved.status.code(), Some(1), "{name}: {}", out(&solved));
        assert!(err(&solved).contains(name), "{}", err(&solved));
        let there = folder.path().join("there.lin");
        let converted = croupier(&["convert", path, "-o", there.to_str().unwrap()]);
        assert_eq!(converted.status.code(), Some(1), "{name}");
        assert!(err(&converted).contains(name), "{}", err(&converted));
        assert!(!there.exists());
        let filtered = dealer(&["--input-deals", path, "-v"], "action printoneline");
        assert_eq!(filtered.status.code(), Some(1), "{name}");
        assert!(err(&filtered).contains(name), "{}", err(&filtered));
    }
}

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
    // With --no-deals the tables are still printed as data.
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
    // The classic programs quote in their own way.
    let classic = out(&dealer(
        &["--compat", "v2", "-s", "1", "-p", "1", "-v"],
        script,
    ));
    assert!(classic.contains("'a, b'"), "{classic}");
}

#[test]
fn a_run_that_finds_nothing_says_what_would() {
    let script = "condition hcp(north) == 37 action printoneline";
    let output = dealer(&["-s", "1", "-p", "5"], script);
    let said = err(&output);
    let more = said
        .split_once("-g ")
        .and_then(|(_, rest)| rest.split(' ').next());
    let more = more.unwrap_or_else(|| panic!("{said}"));
    // The probability is one in 158,753,389,900.
    assert!(said.contains("one deal in 159000000000"), "{said}");
    let again = dealer(&["-s", "1", "-p", "5", "-g", more, "-v"], script);
    assert_eq!(out(&again).lines().count(), 5, "{}", err(&again));
    let never = dealer(&["-s", "1"], "condition hcp(north) + hcp(south) > 40");
    assert!(
        err(&never).contains("no deal can satisfy"),
        "{}",
        err(&never)
    );
}

#[test]
fn the_rule_of_turned_boards_is_told() {
    let script = "produce 2 action printrpt(deal, trix(south)), average hcp(south)";
    let turned = out(&dealer(&["-s", "1", "--rotate"], script));
    assert!(turned.contains("Boards are turned:"), "{turned}");
    assert!(!out(&dealer(&["-s", "1"], script)).contains("turned"));
}

const LADDER: &str = "\
HandType_Low = hcp(south) <= 9
HandType_High = hcp(south) >= 10
produce 40
action printes(hcp(south), \\n)
";

fn numbers(output: &Output) -> Vec<i32> {
    assert!(output.status.success(), "{}", err(output));
    out(output)
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect()
}

#[test]
fn interleaving_orders_what_was_dealt() {
    let plain = numbers(&dealer(&["-s", "1", "-v"], LADDER));
    let ordered = numbers(&dealer(&["-s", "1", "-v", "--interleave"], LADDER));
    let sorted = |mut list: Vec<i32>| {
        list.sort_unstable();
        list
    };
    assert_ne!(plain, ordered);
    assert_eq!(
        sorted(plain),
        sorted(ordered.clone()),
        "the same deals in another order"
    );
    // Each class is about equally frequent in both halves.
    let high = |part: &[i32]| part.iter().filter(|&&points| points >= 10).count() as i32;
    assert!(
        (high(&ordered[..20]) - high(&ordered[20..])).abs() <= 1,
        "{ordered:?}"
    );
    let none = dealer(&["-s", "1", "--interleave"], "action printoneline");
    assert_eq!(none.status.code(), Some(1));
    assert!(err(&none).contains("HandType_"), "{}", err(&none));
}

#[test]
fn random_numbers_have_a_seed_of_their_own() {
    let script = "produce 30 action printes(hcp(north), \" \", rnd(1000), \\n)";
    let run = |more: &[&str]| {
        let text = out(&dealer(&[&["-s", "1", "-v"], more].concat(), script));
        let pair = |line: &str| {
            line.split_once(' ')
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
        };
        text.lines()
            .filter_map(pair)
            .unzip::<String, String, Vec<_>, Vec<_>>()
    };
    let (hands, draws) = run(&[]);
    let (same_hands, other_draws) = run(&["--rnd-seed", "7"]);
    assert_eq!(hands.len(), 30);
    assert_eq!(hands, same_hands);
    assert_ne!(draws, other_draws);
    assert_eq!(run(&["--rnd-seed", "7"]).1, other_draws);
    assert_ne!(run(&["--rnd-seed", "8"]).1, other_draws);
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
fn records_of_solved_deals_hold_their_results() {
    let folder = tempfile::tempdir().unwrap();
    let written = dealer(&["-s", "1", "-p", "2", "-f", "zrd"], "action printoneline");
    let path = folder.path().join("two.zrd");
    fs::write(&path, &written.stdout).unwrap();
    let ask = "action average \"t\" dds(south, notrump)";
    let line = |output: &Output| {
        let text = out(output);
        text.lines()
            .find(|line| line.starts_with("t: Mean"))
            .map(str::to_owned)
    };
    let solved = line(&dealer(&["-s", "1", "-p", "2"], ask));
    assert!(solved.is_some());
    assert_eq!(line(&dealer(&["-L", path.to_str().unwrap()], ask)), solved);
}

#[test]
fn v2_ends_with_its_own_words() {
    let missing = dealer(
        &["--compat", "v2", "-Z", "/no/such/folder/x.zrd", "-s", "1"],
        "action printoneline",
    );
    refused(
        &missing,
        255,
        "ERROR!! Open ZRD Output file FAILED: No such file or directory\nFATAL Error In GetOpts[-18]",
    );
    let twice = dealer(
        &["--compat", "v2", "-N", "SA", "-s", "1"],
        "predeal south SA\n",
    );
    refused(
        &twice,
        255,
        "ERR**: setDealMode::Cmd Line Predeal Overrides Input File Predeal\n",
    );
    assert!(
        err(&twice).contains("Card predealt twice"),
        "{}",
        err(&twice)
    );
}

#[test]
fn a_comment_that_never_ends_leaks_as_in_the_classic() {
    for (script, leaked) in [
        ("/* EOF", "EOF"),
        ("condition 1 /* a EOF b\n c *", "EOF"),
        ("condition 1 /* foo", ""),
    ] {
        let output = dealer(&["--compat", "v1"], script);
        assert_eq!(output.status.code(), Some(255));
        assert_eq!(out(&output), leaked, "{script}");
    }
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

#[test]
fn an_explanation_claims_no_more_than_is_known() {
    let script = "condition losers(north) + losers(south) <= 8";
    for switches in [&["--explain"][..], &["--explain", "--sampler", "on"]] {
        let text = out(&dealer(switches, script));
        assert!(
            text.contains("dealing: ") && !text.contains("only 100"),
            "{text}"
        );
    }
}

#[test]
fn every_corner_has_its_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/dealer3");
    let all: String = fs::read_dir(folder)
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    for construct in [
        "hcp(n)",
        ";",
        "tricks(n, 3)",
        "score(0, 19,",
        "printside(ns)",
        "# param 0",
        "HandType_",
        "_Share = ",
        "LevelType_",
        "HCP(",
        "not ",
        "<= 17",
        "balanced(",
        "abs(",
        "leadtricks(",
    ] {
        assert!(all.contains(construct), "{construct}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_is_told_its_debug_level() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let server = folder.path().join("server");
    fs::write(
        &server,
        "#!/bin/sh\necho \"$#$2\" > \"$0.level\"\necho here I am >&2\n",
    )
    .unwrap();
    fs::set_permissions(&server, fs::Permissions::from_mode(0o755)).unwrap();
    for (level, told) in [("1.3", "2   3"), ("2", "1")] {
        let switches = [
            "-U",
            server.to_str().unwrap(),
            "-D",
            level,
            "-s",
            "1",
            "-p",
            "1",
        ];
        // The server answers nothing, so the run fails; the test checks the arguments that it got.
        let mut command = Command::new(dealer_path());
        command.args(switches).env("TMPDIR", folder.path());
        let output = feed(&mut command, "action average usereval(3, NS, 0)");
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        let seen = fs::read_to_string(folder.path().join("server.level")).unwrap();
        assert_eq!(seen.trim_end(), told);
        // With a server level its messages go to a file, else to standard error.
        let log = err(&output).lines().find_map(|line| {
            line.strip_prefix("dealer: the server's messages go to ")
                .map(str::to_owned)
        });
        assert_eq!(
            err(&output).contains("here I am"),
            log.is_none(),
            "{}",
            err(&output)
        );
        assert_eq!(log.is_some(), level == "1.3");
        if let Some(log) = log {
            let name = Path::new(&log).file_name().unwrap().to_str().unwrap();
            assert!(
                name.starts_with("DealerServer_") && name.ends_with(".log") && name.len() == 23
            );
            assert_eq!(fs::read_to_string(&log).unwrap(), "here I am\n");
        }
    }
}

/// Returns two deals of seed 1 as a file of this format.
fn two_deals(folder: &Path, format: &str) -> String {
    let written = dealer(&["-s", "1", "-p", "2", "-f", format], "");
    assert!(written.status.success(), "{}", err(&written));
    let path = folder.join("two").with_extension(format);
    fs::write(&path, &written.stdout).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn deals_that_exist_are_neither_predealt_nor_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (zrd, pbn) = (
        two_deals(folder.path(), "zrd"),
        two_deals(folder.path(), "pbn"),
    );
    for source in [["-L", &zrd], ["--input-deals", &pbn]] {
        for (switches, script, said) in [
            (&[][..], "predeal north SA", "hascard(north, AS)"),
            (&[], "predeal spades(north) == 5", "spades(north) == 5"),
            (&["-N", "SA"], "", "hascard(north, AS)"),
            (&["-x", "2"], "", "are not exchanged"),
            (&["-x", "3"], "", "are not exchanged"),
        ] {
            let output = dealer(&[&source[..], switches].concat(), script);
            let said = match (source[0], switches) {
                ("--input-deals", [_, ..]) => "cannot be used with",
                _ => said,
            };
            refused(&output, 2, said);
        }
        let taken = dealer(&[&source[..], &["-v"]].concat(), "action printoneline");
        assert_eq!(out(&taken).lines().count(), 2, "{}", err(&taken));
    }
}

#[test]
fn the_usual_library_is_the_one_that_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let library = two_deals(folder.path(), "zrd");
    let script = "action printoneline";
    let with = |name: &str| {
        let mut command = Command::new(dealer_path());
        command
            .args(["-L", "=", "-v"])
            .env_remove("CROUPIER_COMPAT");
        feed(command.env("CROUPIER_LIBRARY", name), script)
    };
    let named = dealer(&["-L", &library, "-v"], script);
    assert_eq!(out(&with(&library)), out(&named));
    assert_eq!(out(&named).lines().count(), 2);
    refused(&with("/no/such.zrd"), 1, "/no/such.zrd");
    refused(&with(""), 2, "CROUPIER_LIBRARY names, but it is not set");
}

/// The title is not read as a deal; DealerV2 returns the first deal twice.
#[test]
fn a_library_with_a_title_has_the_deals_that_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let library = two_deals(folder.path(), "zrd");
    let deals = fs::read(&library).unwrap();
    let titled = [&croupier::formats::zrd::headers(b"Club nights")[..], &deals].concat();
    let path = folder.path().join("titled.zrd");
    fs::write(&path, titled).unwrap();
    let path = path.to_str().unwrap();
    let script = "produce 9 action printoneline";
    let own = out(&dealer(&["-L", &library, "-v"], script));
    assert_eq!(own.lines().count(), 2);
    assert_eq!(out(&dealer(&["-L", path, "-v"], script)), own);
}

#[test]
fn strings_and_lists_end_where_they_end_elsewhere() {
    // Over several lines, as in Debian's own tests.
    let script = "produce 3 action average \"two\nlines\" hcp(north)";
    for switches in [&["-s", "1"][..], &["--compat", "v1", "-s", "1"]] {
        let output = dealer(switches, script);
        assert!(out(&output).contains("two\nlines: "), "{}", out(&output));
    }
    // A title ends with its line, as in DealerV2; three of its examples need that.
    let open = "title \"One notrump\ncondition hcp(north) > 3\nproduce 2\naction printall\n";
    let v2 = dealer(&["--compat", "v2", "-s", "1"], open);
    assert!(
        v2.status.success() && out(&v2).contains("One notrump"),
        "{}",
        err(&v2)
    );
    let native = dealer(&["-s", "1"], open);
    assert!(
        native.status.success() && out(&native).contains("One notrump"),
        "{}",
        err(&native)
    );
    assert!(err(&native).contains("standard input:1:7: warning[W23]"));
    // A list of shapes may begin with a comma.
    let list = "produce 3 condition shape(north, , 5332) action printoneline";
    let usual = list.replace(", ,", ",");
    for compat in [&[][..], &["--compat", "v1"], &["--compat", "v2"]] {
        let run = |script: &str| out(&dealer(&[&["-s", "1", "-v"], compat].concat(), script));
        assert_eq!(run(list).matches("n ").count(), 3, "{compat:?}");
        assert_eq!(run(list), run(&usual), "{compat:?}");
    }
}

#[test]
fn a_seed_of_zero_in_a_script_is_pointed_at_too() {
    let script = "seed 0 produce 2 action printoneline";
    let [first, second] = [0, 1].map(|_| dealer(&["-v"], script));
    assert_eq!(out(&first), out(&second));
    assert!(err(&first).contains("W18"), "{}", err(&first));
}

/// The last bucket is as wide as the others and is labelled with its range; `probability` has the same buckets.
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
    // Its probability is that of 10 to 14 points.
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

/// The limits of the importing script override those of the import, and the warning names the file.
#[test]
fn an_imported_limit_does_not_beat_the_script() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("lib.dl"),
        "produce 7\nunused = 3\nopening = hcp(north) > 11\n",
    )
    .unwrap();
    let main = folder.path().join("main.dl");
    for text in [
        "import \"lib.dl\"\nproduce 3\ncondition opening\naction printoneline\n",
        "produce 3\nimport \"lib.dl\"\ncondition opening\naction printoneline\n",
    ] {
        fs::write(&main, text).unwrap();
        let output = dealer(&["-s", "1", "-v", main.to_str().unwrap()], "");
        assert_eq!(out(&output).lines().count(), 3, "{text}");
        assert!(err(&output).contains("lib.dl"), "{}", err(&output));
        assert!(!err(&output).contains("W17"), "{}", err(&output));
    }
}

#[test]
fn messages_say_what_is_wrong_with_a_script() {
    for (script, said) in [
        ("action printrpt(deal,trix)", "`trix` needs its arguments"),
        ("action printrpt(hcp(north), )", "a term is missing"),
        ("action frequency (hcp(north),0,2+3)", "plain numbers"),
        (
            "condition usereval(12, NS, $3) > 5",
            "`$3` stands for nothing",
        ),
        ("condition shape{north, $4}", "`$4` stands for nothing"),
        ("condition dds(south) > 3", "a suit or notrump is missing"),
        ("condition spads(south) > 3", "did you mean `spades`?"),
        ("pn|a,b,c,d|md|3S", "this is a LIN file"),
        ("[Event \"x\"]\n[Deal \"N:...\"]", "this is a PBN file"),
    ] {
        let output = dealer(&["-s", "1"], script);
        refused(&output, 1, said);
        let told = err(&output);
        assert!(told.lines().next().unwrap().contains(said), "{told}");
    }
}

/// A script that prints shows 40 deals by default; one that only counts uses all deals tried, if `generate` gives their
/// number.
#[test]
fn a_format_does_not_say_how_many_deals() {
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
fn a_budget_keeps_rare_classes_rare() {
    let script = "HandType_Common = hcp(south) < 20\nHandType_Rare = hcp(south) >= 20\nproduce 200\n\
        action printes(hcp(south), \\n)\n";
    let rare = |switches: &[&str]| {
        let words = [&["-s", "1", "-v", "--level"], switches].concat();
        let points = numbers(&dealer(&words, script));
        assert_eq!(points.len(), 200);
        points.iter().filter(|&&points| points >= 20).count()
    };
    assert_eq!(rare(&[]), 100);
    // A strong hand is one in 68; a budget of five deals per kept deal allows about one in fourteen.
    let cheap = rare(&["--level-budget", "5"]);
    assert!((8..=20).contains(&cheap), "{cheap}");
    let none = dealer(&["--level", "--level-budget", "x"], script);
    refused(&none, 2, "--level-budget");
}
