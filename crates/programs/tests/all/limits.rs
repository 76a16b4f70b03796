//! `--time` and `--memory`: every command ends in every phase, with its results so far.

use crate::common::dealer_path;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use clap::CommandFactory;
use croupier_programs::command::Cli;

/// Time limit of the tests: far more than a command needs on a busy machine, far less than most need without limits.
const STATED: Duration = Duration::from_secs(300);

fn program(name: &str) -> Command {
    let mut command = Command::new(match name {
        "dealer" => dealer_path(),
        _ => env!("CARGO_BIN_EXE_croupier"),
    });
    command.env_remove("CROUPIER_COMPAT");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("limits-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a command line, which must end by its limit, and returns its output.
#[track_caller]
fn limited(words: &str, folder: &Path) -> Output {
    let words = words.replace("IN/", &format!("{}/", folder.display()));
    let mut words = words.split_whitespace();
    let mut command = program(words.next().unwrap());
    let child = command.args(words.clone()).spawn().unwrap();
    ended(child, &words.collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn ended(child: Child, words: &str) -> Output {
    let began = Instant::now();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(began.elapsed() < STATED, "{words}: {:?}", began.elapsed());
    assert_eq!(output.status.code(), Some(124), "{words}: {errors}");
    assert!(
        errors.contains("is up (--time") || errors.contains("is used up (--memory"),
        "{words}: {errors}"
    );
    output
}

/// The condition that took longest to count in a random search: several seconds.
const HARD: &str = "condition losers(east)+losers(east)<=13 and hcp(east)+spades(east)>=16
  and hascard(south,TD) and hcp(east)+hcp(south)>=16
action average \"a\" hcp(east), frequency \"f\" (losers(east), 0, 12)
";

#[test]
fn reading_planning_counting_dealing_and_solving_end_in_time() {
    let folder = folder("phases");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("hard.dl", HARD);
    write(
        "never.dl",
        "condition rnd(1000000) == 7 and hcp(north) > 20 action average hcp(east)\n",
    );
    let deals = program("dealer")
        .args(["-v", "-s", "3", "-p", "3000", "-f", "oneline", "-"])
        .output()
        .unwrap();
    fs::write(folder.join("deals.txt"), deals.stdout).unwrap();
    for words in [
        "dealer --time 1 -s 1 -g 90000000000000 -p 90000000000 IN/never.dl",
        "dealer --time 1 -s 1 -g 90000000000000 -p 90000000000 --sampler on IN/hard.dl",
        "croupier probability --time 0.5 IN/hard.dl",
        "croupier probability --time 1 --tables IN/hard.dl",
        "croupier solve --time 1 IN/deals.txt",
        "croupier convert --time 1 --solve IN/deals.txt --to pbn",
        "croupier record --time 1 --solve IN/deals.txt -o IN/out.html",
        "croupier scenario deal --time 1 weak-two -n 3000 --solve -o IN/out.lin",
        "croupier lead --time 1 -n 100000 -k 3N-S -H KQJ4.T9.A2.87632",
        "croupier match --time 2 2/1 dutch -n 1000000",
        "croupier --time 1 poker equity --exact random random random",
        "croupier deal --time 1 -s 1 -g 90000000000000 -p 90000000000 IN/never.dl",
        "croupier bench --time 600 --memory 1",
    ] {
        limited(words, &folder);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn complete_results_are_reported_and_written() {
    let folder = folder("complete");
    let deals = program("dealer")
        .args(["-v", "-s", "3", "-p", "3000", "-f", "oneline", "-"])
        .output()
        .unwrap();
    fs::write(folder.join("deals.txt"), deals.stdout).unwrap();
    let solved = limited("croupier solve --time 3 IN/deals.txt -f csv", &folder);
    let errors = String::from_utf8_lossy(&solved.stderr);
    // The first line names the columns. The last row may have been printed but not yet counted.
    let rows = String::from_utf8_lossy(&solved.stdout).lines().count();
    let rows = rows.saturating_sub(1);
    let told = |rows: usize| errors.contains(&format!(": {rows} deals done"));
    assert!(told(rows) || rows > 0 && told(rows - 1), "{rows}: {errors}");
    fs::write(
        folder.join("any.dl"),
        "action average \"points\" hcp(north)\n",
    )
    .unwrap();
    let dealt = limited(
        "dealer --time 1 -s 1 -g 900000000000 -p 900000000000 IN/any.dl",
        &folder,
    );
    let out = String::from_utf8_lossy(&dealt.stdout);
    assert!(
        out.contains("points: Mean=") && out.contains("Produced "),
        "{out}"
    );
    // An incomplete file is removed.
    limited(
        "croupier convert --time 1 --solve IN/deals.txt -o IN/out.pbn",
        &folder,
    );
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    fs::write(folder.join("hard.dl"), HARD).unwrap();
    // Counting takes far longer; the time of an estimate depends on the machine.
    let mut time = 0.5;
    loop {
        let estimate = limited(
            &format!("croupier probability --time {time} IN/hard.dl"),
            &folder,
        );
        let (out, errors) = (
            String::from_utf8_lossy(&estimate.stdout),
            String::from_utf8_lossy(&estimate.stderr),
        );
        if out.contains("95 % confidence") {
            assert!(errors.contains("tried"), "{out}{errors}");
            break;
        }
        assert!(out.is_empty(), "{out}{errors}");
        time *= 1.5;
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn waiting_for_input_and_for_readers_ends_in_time() {
    for words in [
        &["dealer", "--time", "1", "-"][..],
        &["dealer", "--time", "1", "--input-deals", "-", "-"],
        &["croupier", "solve", "--time", "1", "-"],
        &["croupier", "fmt", "--time", "1", "-"],
        &["croupier", "lsp", "--time", "1"],
    ] {
        let mut child = program(words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        ended(child, &words.join(" "));
        drop(stdin);
    }
    // No process reads the output.
    let mut child = program("dealer")
        .args(["--time", "1", "-p", "1000000", "-s", "1", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"action printall")
        .unwrap();
    let began = Instant::now();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(124));
    assert!(began.elapsed() < STATED);
}

/// Every command that reads files; `IN/pipe` is a pipe without a writer.
const READERS: [&str; 20] = [
    "bid IN/pipe",
    "dealer IN/pipe",
    "dealer -L IN/pipe",
    "compare -k 3N -k 4S --deals IN/pipe",
    "convert IN/pipe --to pbn",
    "deal IN/pipe",
    "fmt IN/pipe",
    "lead -k 3N-S -H KQJ4.T9.A2.87632 IN/pipe",
    "merge IN/pipe",
    "plan A53.AK4.T83.AK62 42.Q32.AQJ92.543 -k 3N-S --lead SK --given IN/pipe",
    "play IN/pipe",
    "probability IN/pipe",
    "profile IN/pipe",
    "record IN/pipe -o IN/out.html",
    "results IN/pipe",
    "solve IN/pipe",
    "suit AQ32 654 --suit hearts --given IN/pipe",
    "system check IN/pipe",
    "validate IN/pipe",
    "verify IN/pipe IN/pipe",
];
/// Commands that read no file and may take long; other tests here end them.
const WORKERS: [&str; 5] = ["infer", "lsp", "match", "poker", "scenario"];
/// Commands whose `--time` has another meaning, and commands that end at once. `value` reads regular files only.
const OTHERS: [&str; 7] = [
    "bench",
    "serve",
    "completions",
    "man",
    "metrics",
    "shapes",
    "value",
];

/// Returns a command line of the list, with its program first.
fn with_program(words: &str, limit: &str) -> String {
    match words.strip_prefix("dealer ") {
        Some(rest) => format!("dealer {limit} {rest}"),
        None => format!("croupier {limit} {words}"),
    }
}

#[test]
fn the_lists_have_every_command() {
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        let reads = |words: &&str| words.split(' ').next() == Some(name);
        let listed = READERS.iter().any(reads) || WORKERS.contains(&name) || OTHERS.contains(&name);
        assert!(listed, "{name}: which test ends it?");
    }
}

#[test]
#[cfg(unix)]
fn reading_a_silent_pipe_ends_in_time() {
    let folder = folder("pipe");
    let pipe = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for words in READERS {
        limited(&with_program(words, "--time 0.3"), &folder);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::remove_dir_all(folder).unwrap();
}

/// Endless input is refused or ended by a limit: by the memory limit if it is read as a whole, by the time limit if it
/// is read board by board.
#[test]
#[cfg(target_os = "linux")]
fn reading_an_endless_file_ends_in_time() {
    let folder = folder("endless");
    for words in READERS {
        let words = with_program(words, "--memory 150 --time 2").replace("IN/pipe", "/dev/zero");
        let words = words.replace("IN/", &format!("{}/", folder.display()));
        let mut words = words.split_whitespace();
        let began = Instant::now();
        let output = program(words.next().unwrap())
            .args(words.clone())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let words = words.collect::<Vec<_>>().join(" ");
        assert!(
            matches!(output.status.code(), Some(1 | 2 | 124)) && !errors.is_empty(),
            "{words}: {:?} {errors}",
            output.status
        );
        assert!(!errors.contains("panicked"), "{words}: {errors}");
        assert!(began.elapsed() < STATED, "{words}: {:?}", began.elapsed());
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_memory_limit_ends_a_command() {
    let folder = folder("memory");
    limited(
        "croupier scenario deal weak-two -n 90000000 -s 1 --memory 80 -o IN/out.lin",
        &folder,
    );
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::write(folder.join("hard.dl"), HARD).unwrap();
    limited("croupier probability --memory 3 IN/hard.dl", &folder);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    for words in [
        ["--time", "0"],
        ["--time", "soon"],
        ["--time", "-3"],
        ["--memory", "0"],
        ["--memory", "1.5"],
    ] {
        for name in ["dealer", "croupier"] {
            let output = program(name).args(words).arg("metrics").output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{words:?}");
        }
    }
}

/// Returns a script of variables, each of which uses the previous one twice: 2^59 draws per deal.
fn doubling() -> String {
    let mut text = String::from("a0=rnd(9)\n");
    for level in 1..60 {
        text += &format!("a{level}=a{0}+a{0}\n", level - 1);
    }
    text + "condition a59>3\n"
}

/// Scripts for which the time limit of dealing (`-t`) used to have no effect.
#[test]
fn dealing_ends_in_time_for_every_action() {
    let folder = folder("dealing");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("doubling.dl", &doubling());
    let counted = "produce 100000 generate 100000 action printrpt(rnd(0), trix(deal))\n";
    write("counted.dl", counted);
    for words in [
        "-t 1 -s 1 doubling.dl",
        "-t 1 -s 1 counted.dl",
        "--compat v1 -s 1 -t 1 doubling.dl",
        "--compat v2 -s 1 --timeout 1 doubling.dl",
        "--compat v2 -s 1 --timeout 1 counted.dl",
    ] {
        let began = Instant::now();
        let output = program("dealer")
            .current_dir(&folder)
            .args(words.split(' '))
            .output()
            .unwrap();
        assert!(began.elapsed() < Duration::from_secs(60), "{words}");
        assert!(output.status.code().is_some(), "{words}");
    }
    for words in [
        "croupier probability --time 1 IN/doubling.dl",
        "dealer --time 1 -s 1 IN/doubling.dl",
        "dealer --time 1 -s 1 IN/counted.dl",
        "dealer --time 1 --explain IN/doubling.dl",
    ] {
        limited(words, &folder);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
#[cfg(unix)]
fn the_first_interrupt_ends_a_deal() {
    let folder = folder("interrupt");
    fs::write(folder.join("doubling.dl"), doubling()).unwrap();
    let mut child = program("dealer")
        .args(["-s", "1"])
        .arg(folder.join("doubling.dl"))
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(60), "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    fs::remove_dir_all(folder).unwrap();
}

/// Tens of thousands of averages: the buffer for deals that are computed out of order has a limit.
#[test]
#[cfg(target_os = "linux")]
fn many_averages_take_little_memory() {
    let folder = folder("averages");
    let averages: Vec<String> = (0..20_000)
        .map(|n| format!("average hcp(north)+{n}"))
        .collect();
    let text = format!("action {}\n", averages.join(",\n"));
    fs::write(folder.join("averages.dl"), text).unwrap();
    let output = program("dealer")
        .args(["-s", "1", "-g", "2000", "--memory", "150"])
        .arg(folder.join("averages.dl"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    fs::remove_dir_all(folder).unwrap();
}

/// Returns a shell command that sets a system limit and runs a program.
#[cfg(target_os = "linux")]
fn in_shell(limit: &str, words: &str) -> Output {
    let (name, rest) = words.split_once(' ').unwrap();
    let path = match name {
        "dealer" => dealer_path(),
        _ => env!("CARGO_BIN_EXE_croupier"),
    };
    Command::new("sh")
        .args(["-c", &format!("{limit} && exec \"$0\" {rest}"), path])
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn little_address_space_means_fewer_threads_and_smaller_solvers() {
    let folder = folder("space");
    let deals = program("dealer")
        .args(["-v", "-s", "3", "-p", "8", "-f", "oneline", "-"])
        .output()
        .unwrap();
    let path = folder.join("deals.txt");
    fs::write(&path, deals.stdout).unwrap();
    let words = format!("croupier solve -j 8 {}", path.display());
    let expected = in_shell("true", &words);
    assert_eq!(expected.status.code(), Some(0));
    for kilobytes in [300_000, 500_000, 1_000_000] {
        let output = in_shell(&format!("ulimit -v {kilobytes}"), &words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{kilobytes}: {errors}");
        assert!(output.stdout == expected.stdout, "{kilobytes}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// If the system allows few threads, the available ones do the work. The limit does not apply to root, so the programs
/// run as another user, from a folder that all users can read. Where that is not possible the test is skipped.
#[test]
#[cfg(target_os = "linux")]
fn few_threads_do_the_work_of_many() {
    let folder = std::env::temp_dir().join(format!("croupier-threads-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (name, path) in [
        ("dealer", dealer_path()),
        ("croupier", env!("CARGO_BIN_EXE_croupier")),
    ] {
        fs::copy(path, folder.join(name)).unwrap();
    }
    let deals = program("dealer")
        .args(["-v", "-s", "3", "-p", "8", "-f", "oneline", "-"])
        .output()
        .unwrap();
    fs::write(folder.join("deals.txt"), deals.stdout).unwrap();
    fs::write(
        folder.join("many.dl"),
        "condition hcp(north)>3 and rnd(100)>5\nproduce 100000\ngenerate 300000\naction average hcp(south)\n",
    )
    .unwrap();
    let run = |limit: &str, words: &[&str]| {
        let mut command = Command::new("timeout");
        command.args(["120", "setpriv", "--reuid=54321", "--clear-groups"]);
        command.args(limit.split_whitespace());
        command.arg(folder.join(words[0])).args(&words[1..]);
        command.current_dir(&folder).stdin(Stdio::null());
        command.output()
    };
    let allowed = run("", &["dealer", "--version"]).is_ok_and(|it| it.status.success());
    for words in [
        &["croupier", "solve", "-j", "6", "deals.txt"][..],
        &["dealer", "-v", "-s", "1", "-j", "6", "many.dl"],
        &["croupier", "poker", "equity", "AhAs", "KK"],
        &["croupier", "serve", "--port", "0"],
    ] {
        if !allowed {
            break;
        }
        for limit in 1..=5 {
            let output = run(&format!("prlimit --nproc={limit}"), words).unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(!errors.contains("panicked"), "{limit} {words:?}: {errors}");
            let one_line = output.status.code() == Some(1) && errors.lines().count() == 1;
            let done = output.status.code() == Some(0);
            assert!(
                done || one_line,
                "{limit} {words:?}: {:?} {errors}",
                output.status
            );
        }
    }
    fs::remove_dir_all(folder).unwrap();
}
