//! Files after faults: the process is killed or interrupted, the disk is full, permissions are missing, or another
//! process writes the file.
//!
//! `tools/faults N` tries every writer N times with each fault and prints the table of docs/reliability.md.

use crate::common::dealer_path;
use crate::process_control;
mod writers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use writers::{Shape, WRITERS, Writer};

/// A folder with the input files of a trial.
struct Place {
    folder: PathBuf,
    input: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let input = writers::inputs(&folder);
        Place { folder, input }
    }

    /// Creates a new folder for one writer, and returns the path of its file.
    fn file(&self, writer: &Writer) -> PathBuf {
        let folder = self.folder.join("out");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder.join(writer.file)
    }

    /// Returns the output of an undisturbed run, and its duration.
    fn undisturbed(&self, writer: &Writer) -> (Vec<u8>, Duration) {
        let out = self.file(writer);
        writer.prepare(&out);
        let began = Instant::now();
        let output = writer.command(&self.input, &out).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}: {}",
            writer.name,
            err(&output)
        );
        (fs::read(&out).unwrap(), began.elapsed())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the temporary files left behind.
fn left_behind(out: &Path) -> usize {
    let entries = fs::read_dir(out.parent().unwrap()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".part")).count()
}

/// Returns pseudorandom moments, equal in every test run.
fn moment(round: u32, longest: Duration) -> Duration {
    let share = round.wrapping_mul(2_654_435_761) >> 16;
    longest.mul_f64(f64::from(share % 1000) / 1000.0)
}

/// Checks a file after a disturbed run: its state is allowed, and a continued run ends with the output of an
/// undisturbed one.
fn check_file(writer: &Writer, place: &Place, out: &Path, whole: &[u8], fault: &str) {
    let wrong = writer.wrong(out, whole);
    assert_eq!(wrong, None, "{} after {fault}", writer.name);
    if writer.shape == Shape::Journal {
        let again = writer.command(&place.input, out).output().unwrap();
        assert_eq!(
            again.status.code(),
            Some(0),
            "{}: {}",
            writer.name,
            err(&again)
        );
        assert!(
            fs::read(out).unwrap() == whole,
            "{} after {fault} and again",
            writer.name
        );
    }
}

/// Checks a file after `kill -9` in the middle of a write: appending to it is refused and does not change it.
fn check_partial_record(writer: &Writer, place: &Place, out: &Path) {
    let before = fs::read(out).unwrap();
    let appending = writer.arguments(&place.input, out);
    let appending = appending
        .iter()
        .map(|word| word.replace("Nw:", "N:").replace("w:", ""));
    let mut again = Command::new(writer.program());
    let again = again.args(appending).stdin(Stdio::null()).output().unwrap();
    if !writer.command_appends() {
        assert_eq!(again.status.code(), Some(0), "{}", err(&again));
        return;
    }
    assert_eq!(again.status.code(), Some(1), "{}", writer.name);
    let told = err(&again);
    assert!(
        told.contains("is not whole") || told.contains("has no end"),
        "{told}"
    );
    assert!(fs::read(out).unwrap() == before, "{}", writer.name);
}

/// Ends runs of every writer by a signal at a number of moments. Returns how many runs were ended early, and how many
/// have a partial last record.
fn ended_by(name: &str, status: Option<i32>, rounds: u32) -> (u32, u32) {
    let place = Place::new(name.trim_start_matches('-'));
    let (mut ended, mut cut) = (0, 0);
    for (number, writer) in (0..).zip(&WRITERS) {
        let (whole, time) = place.undisturbed(writer);
        for round in 0..rounds {
            let out = place.file(writer);
            writer.prepare(&out);
            let mut child = writer.command(&place.input, &out).spawn().unwrap();
            thread::sleep(moment(round * 31 + number * 7 + 1, time));
            if child.try_wait().unwrap().is_none() {
                process_control::send(&child, name);
                ended += 1;
            }
            let output = child.wait_with_output().unwrap();
            let code = output.status.code();
            let asked = status.is_some() && code == status;
            if name == "-KILL" && writer.is_cut_short(&out, &whole) {
                check_partial_record(writer, &place, &out);
                cut += 1;
                continue;
            }
            if !(asked && writer.has_reported_boards(&out, &whole, &err(&output))) {
                check_file(writer, &place, &out, &whole, name);
            }
            if name != "-KILL" {
                assert_eq!(left_behind(&out), 0, "{} after {name}", writer.name);
                // The run may have been complete by then, or not yet have installed its signal handler.
                assert!(
                    code == Some(0) || code == status || code.is_none(),
                    "{} after {name}: {code:?} {}",
                    writer.name,
                    err(&output)
                );
                // With exit status 0 the file must be complete.
                assert!(
                    code != Some(0) || writers::same(&fs::read(&out).unwrap(), &whole),
                    "{} after {name}: status 0 without its file",
                    writer.name
                );
            }
        }
    }
    (ended, cut)
}

/// Runs every writer with a limit on the length of files, which acts like a full disk.
fn without_room(rounds: u32) -> u32 {
    let place = Place::new("room");
    let mut refused = 0;
    for writer in &WRITERS {
        let (whole, _) = place.undisturbed(writer);
        for round in 0..rounds {
            // At least half a kilobyte is missing.
            let most = (whole.len().saturating_sub(1) / 512).min(1 + 37 * round as usize);
            let out = place.file(writer);
            writer.prepare(&out);
            // The shell counts in units of 512 bytes. With the signal ignored, a write beyond the limit is an error.
            let limits = format!("trap '' XFSZ; ulimit -f {most}; exec \"$0\" \"$@\"");
            let output = Command::new("sh")
                .args(["-c", &limits, writer.program()])
                .args(writer.arguments(&place.input, &out))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .output()
                .unwrap();
            assert_eq!(
                output.status.code(),
                Some(1),
                "{}, {most}: {}",
                writer.name,
                err(&output)
            );
            let told = err(&output);
            assert!(
                told.contains(writer.file) && told.contains("too large"),
                "{}: {told}",
                writer.name
            );
            assert_eq!(left_behind(&out), 0, "{}", writer.name);
            check_file(writer, &place, &out, &whole, "no room");
            refused += 1;
        }
    }
    refused
}

/// Runs every writer with impossible paths: below a file, and in a folder without write permission.
fn without_permission() -> u32 {
    let place = Place::new("permission");
    let blocked = place.folder.join("blocked");
    fs::write(&blocked, "a file, no folder").unwrap();
    let mut refused = 0;
    for writer in &WRITERS {
        for folder in [blocked.as_path(), Path::new("/proc")] {
            let out = folder.join(writer.file);
            let output = writer.command(&place.input, &out).output().unwrap();
            // `fmt` reads the file that it writes; one that is missing is an error of the command line.
            let is_missing = writer.name == "fmt" && !out.exists() && folder != blocked;
            assert_eq!(
                output.status.code(),
                Some(if is_missing { 2 } else { 1 }),
                "{}: {}",
                writer.name,
                err(&output)
            );
            assert!(
                err(&output).contains(writer.file),
                "{}: {}",
                writer.name,
                err(&output)
            );
            refused += 1;
        }
    }
    refused
}

/// Runs every writer twice at the same time on one file.
fn not_alone(rounds: u32) -> u32 {
    let place = Place::new("twice");
    let mut pairs = 0;
    for writer in &WRITERS {
        let (whole, time) = place.undisturbed(writer);
        for round in 0..rounds {
            let out = place.file(writer);
            writer.prepare(&out);
            let first = writer.command(&place.input, &out).spawn().unwrap();
            thread::sleep(moment(round * 13 + 1, time / 2));
            let second = writer.command(&place.input, &out).spawn().unwrap();
            let outputs = [first, second].map(|child| child.wait_with_output().unwrap());
            let codes = outputs.each_ref().map(|output| output.status.code());
            assert!(codes.contains(&Some(0)), "{}: {codes:?}", writer.name);
            for output in outputs.iter().filter(|output| !output.status.success()) {
                let told = err(output);
                let refused =
                    told.contains("another run is writing this file") || told.contains("exists");
                assert!(
                    refused && output.status.code() == Some(1),
                    "{}: {told}",
                    writer.name
                );
            }
            let found = fs::read(&out).unwrap();
            assert!(
                writers::same(&found, &whole),
                "{}: two at once",
                writer.name
            );
            pairs += 1;
        }
    }
    pairs
}

#[test]
fn killed_processes_leave_no_partial_files() {
    ended_by("-KILL", None, 1);
}

/// Nothing is appended after a partial record.
#[test]
fn half_a_record_is_not_appended_to() {
    let place = Place::new("halves");
    for writer in WRITERS.iter().filter(|it| it.command_appends()) {
        let out = place.file(writer);
        let (whole, _) = place.undisturbed(writer);
        fs::write(&out, &whole[..whole.len() - 7]).unwrap();
        assert!(writer.is_cut_short(&out, &whole), "{}", writer.name);
        check_partial_record(writer, &place, &out);
    }
}

#[test]
fn interrupted_processes_clean_up_and_print_a_message() {
    ended_by("-TERM", Some(143), 1);
    ended_by("-HUP", Some(129), 1);
}

#[test]
fn a_full_disk_is_reported_and_leaves_no_partial_file() {
    without_room(1);
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    without_permission();
}

#[test]
fn two_processes_on_one_file_do_not_mix() {
    not_alone(1);
}

/// If another program truncates a library during a run, the run ends with an error message and is not killed by a
/// signal.
#[test]
#[cfg(target_os = "linux")]
fn a_truncated_library_is_reported() {
    use std::io::Write;
    let place = Place::new("library");
    let library = place.folder.join("library.zrd");
    let made = Command::new(dealer_path())
        .args(["-v", "-s", "1", "-p", "50000", "--no-deals", "-Z"])
        .arg(format!("Nw:{}", library.display()))
        .arg(place.input.join("any.dl"))
        .status()
        .unwrap();
    assert!(made.success());
    for left in [0, 1000, 23 * 40_000] {
        let copy = place.folder.join("copy.zrd");
        fs::copy(&library, &copy).unwrap();
        let mut child = Command::new(dealer_path())
            .args(["-p", "100000", "-g", "100000", "--no-deals", "-L"])
            .arg(&copy)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program opens the library before it reads the script.
        let descriptors = format!("/proc/{}/fd", child.id());
        let opened = || {
            let mut links = fs::read_dir(&descriptors).into_iter().flatten().flatten();
            links.any(|link| fs::read_link(link.path()).is_ok_and(|path| path == copy))
        };
        let began = Instant::now();
        while !opened() && began.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(5));
        }
        let file = fs::File::options().write(true).open(&copy).unwrap();
        file.set_len(left).unwrap();
        let mut script = child.stdin.take().unwrap();
        script.write_all(b"action average hcp(north)\n").unwrap();
        drop(script);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{left}: {}", err(&output));
        let told = err(&output);
        assert!(
            told.contains("copy.zrd has become shorter"),
            "{left}: {told}"
        );
    }
}

#[test]
#[ignore = "about an hour for 500 rounds; run by ./check --long with 20, by tools/faults with any number"]
fn long_faults() {
    let rounds = std::env::var("CROUPIER_FAULTS").ok();
    let rounds: u32 = rounds.map_or(20, |text| text.parse().expect("a number of rounds"));
    let writers = WRITERS.len();
    println!("{writers} writers, {rounds} rounds each");
    println!("| fault | tried | last record cut in two |\n|---|--:|--:|");
    let counted = |name: &str, (tried, cut): (u32, u32)| println!("| {name} | {tried} | {cut} |");
    let row = |name: &str, tried: u32| counted(name, (tried, 0));
    counted("kill -9 at any moment", ended_by("-KILL", None, rounds));
    counted("SIGTERM", ended_by("-TERM", Some(143), rounds));
    counted("SIGHUP", ended_by("-HUP", Some(129), rounds));
    row("no room on the disk", without_room(rounds.min(40)));
    row("no permission", without_permission());
    row("two processes on one file", not_alone(rounds.min(40)));
}
