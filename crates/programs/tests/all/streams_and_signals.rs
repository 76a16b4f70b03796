//! Behaviour of dealer towards its environment: streams, limits, signals, threads.

use crate::process_control;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{dealer as run, dealer_path, err, feed, out};

fn dealer() -> Command {
    let mut command = Command::new(dealer_path());
    command.env_remove("CROUPIER_COMPAT");
    command
}

fn croupier() -> Command {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
}

fn without_time(text: &str) -> String {
    text.split_inclusive('\n')
        .filter(|line| !line.starts_with("Time needed "))
        .collect()
}

const OPENINGS: &str = "condition hcp(north) >= 15 and hcp(north) <= 17 and shape(north, any 4333 + any 4432 + any 5332)\n";

#[test]
fn a_script_comes_from_a_file_a_dash_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.dl");
    fs::write(&path, OPENINGS).unwrap();
    let from_file = out(&dealer()
        .args(["-s", "1", "-p", "2"])
        .arg(&path)
        .output()
        .unwrap());
    let from_dash = out(&run(&["-s", "1", "-p", "2", "-"], OPENINGS));
    let from_nothing = out(&run(&["-s", "1", "-p", "2"], OPENINGS));
    assert_eq!(without_time(&from_file), without_time(&from_dash));
    assert_eq!(without_time(&from_file), without_time(&from_nothing));
    let missing = dealer()
        .arg(folder.path().join("none.dl"))
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        err(&missing).contains("none.dl: there is no file of this name"),
        "{}",
        err(&missing)
    );
}

#[test]
fn output_is_the_same_with_any_number_of_threads() {
    for script in [
        "produce 400 action printoneline",
        "condition hcp(north)+hcp(south) >= 25 produce 300 action printoneline(hcp(north)), average \"n\" hcp(north)",
        "condition hcp(north) >= 20 and spades(south) >= 6 produce 50 action printcompact, frequency (hcp(south), 0, 9)",
        "generate 50000 action average cccc(north), frequency \"2\" (hcp(north), 5, 15, hcp(south), 5, 15)",
        "condition rnd(10) == 0 produce 60 action printes(rnd(100), \" \", hcp(east), \\n)",
        "predeal north SAK,HAK south SQJT produce 60 action printpbn, printew",
        "predeal spades(north)==6 hearts(south)==5 produce 60 action printoneline",
        "produce 3 action printoneline(dds(south, notrump)), average dds(north, spades)",
        "condition spades(north) == 9 and hcp(north) == 12 produce 40 action printall, print(north)",
    ] {
        let reference = without_time(&out(&run(&["-s", "7", "-R", "1"], script)));
        assert!(!reference.is_empty());
        for threads in ["2", "7"] {
            for batch in ["0", "3"] {
                let other = run(&["-s", "7", "-R", threads, "--batch-size", batch], script);
                assert_eq!(
                    without_time(&out(&other)),
                    reference,
                    "{threads} threads, batch {batch}: {script}"
                );
            }
        }
    }
}

#[test]
fn mistakes_are_reported_with_place_and_status() {
    let wrong = run(&[], "condition hcp(north) = 15\n");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(wrong.stdout.is_empty());
    assert!(
        err(&wrong).contains("standard input:1:22: error[E203]"),
        "{}",
        err(&wrong)
    );
    assert_eq!(
        run(&["--check"], "condition hcp(north) == 15\n")
            .status
            .code(),
        Some(0)
    );
    for switches in [
        &["-x", "7"][..],
        &["--nonsense"],
        &["-p", "-3"],
        &["--compat", "v9"],
        &["-e"],
    ] {
        let refused = run(switches, "");
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{switches:?}: {}",
            err(&refused)
        );
    }
    let division = run(
        &["-s", "1"],
        "condition hcp(north) / (hcp(south) - hcp(south)) > 3\n",
    );
    assert_eq!(division.status.code(), Some(1));
    assert!(
        err(&division).contains("division by zero"),
        "{}",
        err(&division)
    );
}

#[test]
fn zero_and_huge_limits_follow_the_dialect() {
    let deals = |switches: &[&str], script: &str| {
        let output = run(switches, script);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        out(&output).matches("n ").count()
    };
    // The native dialect prints no deals if zero are requested. In the classic programs, and in statements, zero means
    // "not given".
    assert_eq!(deals(&["-p", "0", "-s", "1"], "action printoneline"), 0);
    assert_eq!(deals(&["-g", "0", "-s", "1"], "action printoneline"), 0);
    assert_eq!(deals(&["-s", "1"], "produce 0 action printoneline"), 40);
    assert_eq!(
        deals(
            &["--compat", "v2", "-p", "0", "-s", "1"],
            "action printoneline"
        ),
        40
    );
    let huge = run(
        &["-p", "9223372036854775807", "-g", "5", "-s", "1"],
        "action printoneline",
    );
    assert_eq!(out(&huge).matches("n ").count(), 5);
    let never = run(
        &["-g", "1000", "-s", "1"],
        "condition 0 action average hcp(north), print(north)",
    );
    assert_eq!(never.status.code(), Some(0));
    assert!(out(&never).contains("Produced  0 hands"));
    let table = run(&["-s", "1"], "action frequency (hcp(north), 0, 2000000000)");
    assert_eq!(table.status.code(), Some(1));
    assert!(err(&table).contains("cells"), "{}", err(&table));
}

#[test]
fn a_closed_pipe_ends_without_a_message() {
    let mut child = dealer()
        .args(["-p", "1000000", "-s", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"action printoneline")
        .unwrap();
    let mut some = [0; 1000];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut some).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""));
}

#[test]
fn a_full_disk_is_an_error_with_a_name() {
    if !Path::new("/dev/full").exists() {
        panic!("this test needs /dev/full");
    }
    let stdout = dealer()
        .args(["-p", "5000", "-s", "1"])
        .stdin(Stdio::null())
        .stdout(
            fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .unwrap(),
        )
        .output()
        .unwrap();
    assert_eq!(stdout.status.code(), Some(1));
    assert!(
        err(&stdout).contains("standard output: No space left"),
        "{}",
        err(&stdout)
    );
    for (switch, script) in [
        ("-C", "action csvrpt(deal)"),
        ("-X", "action export(north)"),
        ("-l", "action printoneline"),
    ] {
        let side = run(&["-p", "9000", "-s", "1", switch, "/dev/full"], script);
        assert_eq!(side.status.code(), Some(1), "{switch}");
        assert!(
            err(&side).contains("/dev/full: No space left"),
            "{switch}: {}",
            err(&side)
        );
    }
    let unwritable = run(&["-C", "/no/such/folder/x.csv"], "action csvrpt(1)");
    assert_eq!(unwritable.status.code(), Some(1));
    assert!(
        err(&unwritable).contains("cannot write /no/such/folder/x.csv"),
        "{}",
        err(&unwritable)
    );
}

#[test]
fn an_interrupt_ends_the_run_with_its_statistics() {
    let mut child = process_control::command_with_signals(dealer_path())
        .args(["-g", "9000000000000", "-p", "9000000000000", "-s", "1"])
        .args(["--sampler", "off"])
        .env_remove("CROUPIER_COMPAT")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"condition hcp(north) > 36 action average \"a\" hcp(south)")
        .unwrap();
    assert!(process_control::wait_for_signal_handler(&mut child));
    process_control::send(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(
        out(&output).contains("a: Mean=") && out(&output).contains("Generated "),
        "{}",
        out(&output)
    );
}

#[test]
fn a_time_limit_without_a_deal_has_status_1() {
    let output = run(
        &[
            "-t",
            "1",
            "-g",
            "9000000000000",
            "-s",
            "1",
            "--sampler",
            "off",
        ],
        "condition hcp(north) > 36 and spades(north) == 1",
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("Produced  0 hands"));
}

#[test]
fn the_validator_counts_and_lists() {
    let folder = tempfile::tempdir().unwrap();
    let filter = folder.path().join("f.dl");
    fs::write(&filter, OPENINGS).unwrap();
    let good = out(&run(
        &["-s", "1", "-p", "5", "-v", "-f", "oneline"],
        OPENINGS,
    ));
    let validate = |switches: &[&str], deals: &str| {
        let mut command = croupier();
        command.arg("validate").arg(&filter).args(switches);
        feed(&mut command, deals)
    };
    let passed = validate(&[], &good);
    assert_eq!(
        (passed.status.code(), err(&passed).as_str()),
        (Some(0), "5 deals: 5 passed, 0 failed\n")
    );
    let any = out(&run(&["-s", "2", "-p", "50", "-v", "-f", "oneline"], ""));
    let failed = validate(&["-c", "-f"], &(good.clone() + &any));
    assert_eq!(failed.status.code(), Some(1));
    assert!(err(&failed).starts_with("55 deals: "), "{}", err(&failed));
    assert!(out(&failed).lines().count() > 30);
    assert_eq!(validate(&[], "").status.code(), Some(0));
    assert_eq!(
        croupier()
            .args(["validate", "/no/such/file"])
            .output()
            .unwrap()
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn help_version_manual_and_completions_come_from_the_declarations() {
    let help = dealer().arg("--help").output().unwrap();
    assert_eq!(help.status.code(), Some(0));
    for switch in [
        "--input-deals",
        "--rotate",
        "--threads",
        "--compat v1",
        "-9",
    ] {
        assert!(out(&help).contains(switch), "{switch}");
    }
    assert!(out(&dealer().arg("-V").output().unwrap()).starts_with("dealer "));
    let man = out(&croupier().arg("man").output().unwrap());
    assert!(
        man.contains(".TH dealer") && man.contains("input\\-deals"),
        "{man}"
    );
    for shell in ["bash", "zsh", "fish"] {
        let text = out(&croupier().args(["completions", shell]).output().unwrap());
        assert!(text.contains("input-deals"), "{shell}");
    }
    let deal = croupier()
        .args(["deal", "-s", "1", "-p", "1", "-v", "-f", "oneline"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(
        out(&deal),
        out(&run(&["-s", "1", "-p", "1", "-v", "-f", "oneline"], ""))
    );
}

/// Every program uses the instruction set of the variable, prints the same deals, and rejects unknown values.
#[test]
fn the_processor_path_can_be_chosen_and_changes_nothing() {
    let words = ["-p", "3", "-s", "1", "-"];
    let run = |path: Option<&str>| {
        let mut command = Command::new(dealer_path());
        command.env_remove("CROUPIER_COMPAT").args(words);
        command.stdin(std::process::Stdio::null());
        path.map(|path| command.env("CROUPIER_CPU", path));
        command.output().unwrap()
    };
    let usual = run(None);
    let portable = run(Some("portable"));
    assert!(usual.status.success() && !usual.stdout.is_empty());
    assert_eq!(
        usual
            .stdout
            .split(|&b| b == b'\n')
            .take(20)
            .collect::<Vec<_>>(),
        portable
            .stdout
            .split(|&b| b == b'\n')
            .take(20)
            .collect::<Vec<_>>()
    );
    let wrong = run(Some("abacus"));
    assert_eq!(wrong.status.code(), Some(2));
    let message = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        message.contains("CROUPIER_CPU") && message.contains("portable, neon, avx2"),
        "{message}"
    );
}

/// A shell closes standard output before the program starts.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_an_error() {
    let closed = |program: &str, words: &str| {
        let command = format!("exec {program} {words} >&-");
        Command::new("sh")
            .args(["-c", &command])
            .env_remove("CROUPIER_COMPAT")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let deal = "'N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7'";
    let (dealer, croupier) = (dealer_path(), env!("CARGO_BIN_EXE_croupier"));
    for (program, words) in [
        (dealer, "-s 1 -p 3".to_owned()),
        (dealer, "-s 1 -p 3 -f pbn -v".to_owned()),
        (dealer, "-s 1 -p 3 --stats-json --no-deals".to_owned()),
        (croupier, format!("convert {deal} --to lin")),
        (croupier, format!("value {deal}")),
        (croupier, format!("solve {deal}")),
    ] {
        let output = closed(program, &words);
        assert_eq!(output.status.code(), Some(1), "{words}: {}", err(&output));
        assert!(
            err(&output).contains("standard output is closed"),
            "{words}: {}",
            err(&output)
        );
    }
    // This command prints nothing, so a closed standard output is no error.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.lin");
    let output = closed(croupier, &format!("convert {deal} -o {}", file.display()));
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""));
    assert!(file.exists());
}

#[test]
fn control_characters_of_names_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "\u{1b}[31m\nred.pbn";
    let there = folder.path().join(name);
    fs::write(&there, "[Board \"1\"]\n[Deal \"N:AK\n").unwrap();
    let missing = folder.path().join("\u{1b}[2J.dl");
    for output in [
        croupier()
            .args(["convert", "--check"])
            .arg(&there)
            .output()
            .unwrap(),
        croupier().arg("solve").arg(&there).output().unwrap(),
        croupier().arg("value").arg(&there).output().unwrap(),
        dealer()
            .arg("--input-deals")
            .arg(&there)
            .stdin(Stdio::null())
            .output()
            .unwrap(),
        dealer().arg(&missing).output().unwrap(),
        dealer().arg(&there).output().unwrap(),
    ] {
        let text = err(&output);
        assert_ne!(output.status.code(), Some(0), "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
        assert!(
            text.lines().all(|line| !line.starts_with("red.pbn")),
            "{text:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_time_zone_that_is_a_device_is_not_read() {
    for zone in [
        ":/dev/zero",
        "/dev/zero",
        "../../../dev/zero",
        ":/dev/stdin",
    ] {
        let mut child = dealer()
            .env("TZ", zone)
            .args(["-s", "1", "-p", "1", "-f", "pbn"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(b"hcp(north) > 10")
            .unwrap();
        let started = std::time::Instant::now();
        while child.try_wait().unwrap().is_none() {
            if started.elapsed().as_secs() > 30 {
                child.kill().unwrap();
                panic!("{zone} is read for ever");
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{zone}: {}", err(&output));
        assert!(out(&output).contains("[Date \"20"), "{zone}");
    }
}

#[test]
fn lines_of_an_imported_file_that_is_no_script_are_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let secret = "root:$6$hunter2:19000:0:99999:7:::\nalice:$6$swordfish:19000\n";
    for (name, shown) in [("shadow", false), ("defs.dl", true)] {
        fs::write(folder.path().join(name), secret).unwrap();
        let script = folder.path().join("main.dl");
        fs::write(
            &script,
            format!("import \"{name}\"\ncondition hcp(north) > 10\n"),
        )
        .unwrap();
        for switch in ["--check", "--explain"] {
            let output = dealer().arg(switch).arg(&script).output().unwrap();
            let text = err(&output) + &out(&output);
            assert_ne!(output.status.code(), Some(0), "{text}");
            let leaks = ["hunter2", "swordfish", "root", "alice"]
                .iter()
                .any(|word| text.contains(word));
            assert_eq!(leaks, shown, "{name}: {text}");
            assert!(text.contains(&format!("{name}:1:")), "{text}");
        }
    }
    let endless = run(&["--check"], "import \"/dev/zero\"\n");
    assert!(
        err(&endless).contains("more than 16777216 bytes"),
        "{}",
        err(&endless)
    );
}
