//! Metrics in scripts: built in, by name, by a WebAssembly module, by a server.

use crate::common::dealer_path;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use croupier::engine::{FastSource, NoDeals, Options, Report, RunDeals, RunError, run};
use croupier::script::{CompileOptions, ScriptSource, compile};
use croupier::shuffle::{FastDealer, Key, Predeal};
use croupier::usermetrics::{ProgramLimits, UserMetrics};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/metrics")
        .join(name)
}

/// Runs a script over the first deals of a fixed seed.
fn try_run(
    text: &str,
    generate: u64,
    threads: usize,
    metrics: Option<&UserMetrics>,
) -> Result<Report, RunError> {
    let source = ScriptSource::new("test.dl", text);
    let (plan, _) = compile(&source, &CompileOptions::default())
        .unwrap_or_else(|errors| panic!("{}", errors[0].render()));
    let deals = FastSource::new(FastDealer::new(Key::from_seed(6), &Predeal::NONE));
    let options = Options {
        generate,
        threads,
        user_metrics: metrics,
        ..Options::default()
    };
    run(&plan, RunDeals::Blocks(&deals), &options, &mut NoDeals)
}

fn report(text: &str, generate: u64) -> Report {
    try_run(text, generate, 2, None).unwrap()
}

/// Returns how many of 20,000 deals satisfy a condition.
fn count(condition: &str) -> u64 {
    report(&format!("condition {condition}\naction average 1"), 20_000).produced
}

#[test]
fn metrics_by_name_are_metrics_by_tag_and_slot() {
    let pairs = [
        ("metric(bergen, NS)", "usereval(0, NS, 3)"),
        ("metric(zar, EW, notrump)", "usereval(12, EW, 0)"),
        ("metric(roth, north)", "usereval(14, NS, 4)"),
        ("metric(goren, west, notrump)", "usereval(3, EW, 2)"),
        ("metric(fifths, south)", "usereval(25, NS, 2)"),
        ("usereval(66, NS, 3)", "usereval(0, NS, 3)"),
        ("metric(sheinwold, NS, 12)", "usereval(11, NS, 12)"),
    ];
    for (name, tag) in pairs {
        assert_eq!(count(&format!("{name} == {tag}")), 20_000, "{name}");
        assert!(count(&format!("{name} == 20")) < 20_000, "{name}");
    }
}

#[test]
fn every_listed_metric_is_found_by_its_name() {
    for metric in croupier::valuation::metrics::list() {
        let (name, tag) = (metric.name, metric.tag);
        let same = format!("metric({name}, EW, 5) == usereval({tag}, EW, 5)");
        let text = format!("condition {same}\naction average 1");
        assert_eq!(report(&text, 1000).produced, 1000, "{name}");
    }
}

#[test]
fn the_four_forms_read_their_own_slots() {
    // The metric `syntax test` returns the position of each slot.
    let forms = [
        ("usereval(99, NS, 31)", -32),
        ("usereval(99, EW, hearts, 7)", 307),
        ("usereval(99, south, 15)", 2015),
        ("usereval(99, east, clubs, 3)", 1103),
    ];
    for (form, value) in forms {
        assert_eq!(count(&format!("{form} == {value}")), 20_000, "{form}");
    }
}

#[test]
fn the_optimal_point_count_depends_on_the_opener() {
    let text = "condition opc(NS) >= 26.0 and opc(NS, notrump) >= 25.0 and opc(NS, spades) >= 20.0\naction average 1";
    let source = ScriptSource::new("test.dl", text);
    let produced = |opener| {
        let (plan, _) = compile(&source, &CompileOptions::default()).unwrap();
        let deals = FastSource::new(FastDealer::new(Key::from_seed(6), &Predeal::NONE));
        let options = Options {
            generate: 50_000,
            opener,
            ..Options::default()
        };
        run(&plan, RunDeals::Blocks(&deals), &options, &mut NoDeals)
            .unwrap()
            .produced
    };
    let [north, east, south, west] = croupier::cards::Seat::ALL.map(produced);
    assert!(north > 0 && south > 0 && north != south);
    assert_eq!((north, south), (east, west));
}

#[test]
fn a_module_gives_the_numbers_of_its_built_in_twin_on_any_number_of_threads() {
    let module = UserMetrics::open(example("bumwrap.wat"), ProgramLimits::default()).unwrap();
    let text = "condition usereval(23, NS, 0) >= 22
        action average \"exact\" usereval(23, NS, 3), frequency (usereval(23, EW, 126), 0, 12)";
    // The number of evaluations differs: a module computes both sides of a deal at once.
    let numbers = |mut report: Report| {
        report.calls.user.computed = 0;
        report
    };
    let built_in = numbers(report(text, 20_000));
    assert!(built_in.produced > 1000 && built_in.calls.user.made > 20_000);
    for threads in [1, 3] {
        let of_module = try_run(text, 20_000, threads, Some(&module)).unwrap();
        assert_eq!(numbers(of_module), built_in);
    }
}

#[test]
fn a_module_that_fails_ends_the_run_with_its_message() {
    let module = UserMetrics::open(example("bumwrap.wat"), ProgramLimits::default()).unwrap();
    let text = "condition usereval(15, NS, 0) >= 22\naction average 1";
    let error = try_run(text, 20_000, 2, Some(&module))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("the module does not know the tag 15"),
        "{error}"
    );
}

/// Returns the test server of `usermetrics`, under a name that selects its behaviour.
#[cfg(target_os = "linux")]
fn server(behaviour: &str) -> UserMetrics {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../usermetrics/tests/server.c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("user-metrics")
        .join(behaviour);
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(behaviour);
    let compiled = Command::new("cc")
        .args(["-O1", "-pthread", "-o"])
        .args([&program, &source])
        .status()
        .expect("the tests need a C compiler named cc");
    assert!(compiled.success(), "tests/server.c does not compile");
    let limits = ProgramLimits {
        time: Duration::from_millis(3000),
        ..ProgramLimits::default()
    };
    UserMetrics::open(program, limits).unwrap()
}

/// Runs `dealer` with a script on standard input and a seed.
fn dealer(arguments: &[&str], script: &str) -> std::process::Output {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = Command::new(dealer_path())
        .args(["-s", "5", "-q"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn the_program_takes_a_module_by_its_switch() {
    let module = example("bumwrap.wat");
    let script = "condition usereval(23, NS, 0) >= 22
        produce 50
        action printrpt(deal, usereval(23, NS, 3), metric(zar, NS), opc(NS))";
    let deals = |arguments: &[&str]| -> Vec<String> {
        let output = dealer(arguments, script);
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        // The report at the end contains the time, which may differ.
        text.lines()
            .filter(|line| line.starts_with(" n "))
            .map(String::from)
            .collect()
    };
    let built_in = deals(&[]);
    assert_eq!(built_in.len(), 50);
    assert_eq!(deals(&["-U", module.to_str().unwrap()]), built_in);
}

#[test]
fn a_failing_metric_is_one_line_and_exit_status_1() {
    let module = example("bumwrap.wat");
    let script = "condition usereval(15, NS, 0) >= 0 action printoneline";
    for program in [module.to_str().unwrap(), "no/such/server"] {
        let output = dealer(&["-U", program], script);
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.contains(program), "{message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_answers_a_script_on_several_threads() {
    let server = server("good");
    // Slot 0 is the side's points computed from the shared memory page, slot 17 is ten times the tag plus 17.
    let text =
        "condition usereval(4, NS, 0) == hcp(north) + hcp(south) and usereval(4, NS, 17) == 57
        and usereval(6, west, hearts, 1) == 60 + 96 + 16 + 8 + 1
        action average usereval(4, EW, 0)";
    let report = try_run(text, 2000, 3, Some(&server)).unwrap();
    assert_eq!(report.produced, 2000);
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_fails_in_mid_run_ends_it_with_one_message() {
    let cases = [
        ("crasher", "ended before it answered (killed by signal 11)"),
        ("hanging", "no answer within 3 seconds"),
        ("babbler", "replied more than once"),
    ];
    for (behaviour, expected) in cases {
        let server = server(behaviour);
        let text = "condition usereval(4, NS, 0) >= 0\naction average 1";
        let error = try_run(text, 2000, 2, Some(&server))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{behaviour}: {error}");
    }
}

#[test]
fn wrong_tags_and_names_are_reported() {
    let failing = |text: &str| try_run(text, 10, 1, None).unwrap_err().to_string();
    let unknown = failing("condition usereval(28, NS, 0) > 0\naction average 1");
    assert!(unknown.contains("no metric has the tag 28"), "{unknown}");
    let stop = failing("condition usereval(81, NS, 0) > 0\naction average 1");
    assert!(stop.contains("order to stop"), "{stop}");
    let source = ScriptSource::new("test.dl", "condition metric(bergn, NS) > 20");
    let errors = compile(&source, &CompileOptions::default()).unwrap_err();
    assert!(
        errors[0].render().contains("did you mean `bergen`?"),
        "{}",
        errors[0].render()
    );
    for (call, last) in [
        ("usereval(0, NS, 128)", 127),
        ("usereval(0, EW, spades, 8)", 7),
        ("usereval(0, north, 16)", 15),
        ("metric(bergen, west, hearts, 4)", 3),
    ] {
        let source = ScriptSource::new("test.dl", format!("condition {call} > 20"));
        let errors = compile(&source, &CompileOptions::default()).unwrap_err();
        let message = errors[0].render();
        assert!(
            message.contains(&format!("numbered 0 to {last}")),
            "{message}"
        );
    }
}

/// A server that ends with the test.
struct Served(std::process::Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_served_page_uses_the_given_module_and_starts_no_program() {
    use std::io::{BufRead, BufReader, Read, Write};
    // For every hand, the answer to tag 4711 is 42.
    let text = r#"(module (memory (export "memory") 1)
        (func (export "evaluate")
            (param $tag i32) (param $side i32) (param $deal i32) (param $results i32) (result i32)
            (i32.store (local.get $results) (i32.const 42)) (i32.const 1)))"#;
    let module = Path::new(env!("CARGO_TARGET_TMPDIR")).join("served.wat");
    std::fs::write(&module, text).unwrap();
    let croupier = || Command::new(env!("CARGO_BIN_EXE_croupier"));
    let mut child = croupier()
        .args(["serve", "--port", "0", "--module"])
        .arg(&module)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let _served = Served(child);
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split('/').next());
    let address = address.unwrap_or_else(|| panic!("{line}"));
    let body = r#"{"script":"produce 3 action average usereval(4711,NS,0)","seed":"1"}"#;
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /api/run HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("42"), "{answer}");

    let refused = croupier()
        .args(["serve", "--port", "0", "--module", "/bin/sh"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && said.contains("--module /bin/sh"),
        "{said}"
    );
}
