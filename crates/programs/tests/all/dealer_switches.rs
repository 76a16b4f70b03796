//! Rarely used switches and statements of the older programs that existing scripts depend on.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{croupier, dealer, dealer_path, err, feed, out, refused};

#[test]
fn links_named_like_the_shape_expander_run_it() {
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
fn the_point_count_reports_quick_losers_and_tricks() {
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
    // The function is evaluated once per deal in the condition. For produced deals its value comes from the cache.
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
fn a_run_that_finds_nothing_suggests_a_sufficient_limit() {
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
fn an_explanation_does_not_predict_the_number_of_deals() {
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
fn every_documented_construct_has_its_example() {
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
fn a_server_receives_its_debug_level() {
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
        // The server does not answer, so the run fails. The test checks only the arguments that the server received.
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

#[test]
fn strings_and_lists_end_where_they_end_elsewhere() {
    // A text over several lines, as in Debian's own tests.
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

/// The limits of the importing script override those of the imported one, and the warning names the file.
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
fn messages_name_the_error_of_a_script() {
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
