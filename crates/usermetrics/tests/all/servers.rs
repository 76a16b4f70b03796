//! Evaluation servers: a well-behaved one, and everything that can go wrong with one. The server is our
//! own, in `server.c`, compiled here with `cc`.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cards::{Deal, Seat, Side};
use croupier_usermetrics::{
    Evaluator, MetricRequest, ProgramLimits, Server, UserMetricError, UserMetrics,
};

/// Compiles the test server. Its file name selects its behaviour.
fn server(behaviour: &str) -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    let program = COMPILED.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server.c");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("evaluation-server");
        let compiled = Command::new("cc")
            .args(["-O1", "-pthread", "-o"])
            .args([&program, &source])
            .status()
            .expect("the tests need a C compiler named cc");
        assert!(compiled.success(), "tests/server.c does not compile");
        program
    });
    let named = folder().join(behaviour);
    if !named.exists() {
        // Another test may create the same link at the same time.
        let _ = std::os::unix::fs::symlink(program, &named);
    }
    named
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("servers");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn deal() -> Deal {
    "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
        .parse()
        .unwrap()
}

fn limits(milliseconds: u64) -> ProgramLimits {
    ProgramLimits {
        time: Duration::from_millis(milliseconds),
        ..ProgramLimits::default()
    }
}

fn start(behaviour: &str, milliseconds: u64) -> Server {
    Server::start(&server(behaviour), limits(milliseconds)).unwrap()
}

/// Returns whether the process exists. A process that has ended and was waited for does not.
fn is_running(process: u32) -> bool {
    Path::new(&format!("/proc/{process}")).exists()
}

/// Sends requests until one fails. Returns the number of results and the error.
fn ask_until_failure(server: &mut Server) -> (usize, UserMetricError) {
    let deal = deal();
    for asked in 0..100 {
        let request = MetricRequest {
            generated: Some(asked + 1),
            ..MetricRequest::new(4, &deal, Side::EastWest)
        };
        if let Err(error) = server.evaluate(&request) {
            return (asked as usize, error);
        }
    }
    panic!("a hundred answers");
}

#[test]
fn a_server_answers_many_queries_and_stops_on_request() {
    let deal = deal();
    let mut server = start("good", 60_000);
    for generated in 1..=1000 {
        for side in Side::ALL {
            let tag = (generated % 90) as i32;
            let request = MetricRequest {
                generated: Some(generated),
                ..MetricRequest::new(tag, &deal, side)
            };
            let answer = server.evaluate(&request).unwrap();
            assert_eq!(
                answer[0],
                [20, 20][side.index()],
                "points by the cards of {side}"
            );
            assert_eq!(answer[1], generated as i32);
            assert_eq!(answer[119], 10 * tag + 119);
        }
    }
    let process = server.process_id();
    drop(server);
    assert!(!is_running(process));
}

#[test]
fn a_server_exits_after_a_request_to_stop() {
    /// Time after which the server would have been killed.
    const STOP_TIMEOUT: Duration = Duration::from_secs(2);
    // A busy machine may be slow in some of the attempts, but not in all of them.
    let left = (0..10).any(|_| {
        let mut server = start("good", 60_000);
        let answer = server.evaluate(&MetricRequest::new(1, &deal(), Side::NorthSouth));
        answer.unwrap();
        let begin = Instant::now();
        drop(server);
        begin.elapsed() < STOP_TIMEOUT
    });
    assert!(left);
}

#[test]
fn threads_take_turns_with_one_server() {
    let deal = deal();
    let metrics = UserMetrics::open(server("good"), limits(60_000)).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let mut evaluator = metrics.evaluator().unwrap();
            scope.spawn(move || {
                for tag in 0..200 {
                    let request = MetricRequest {
                        seat: Some(Seat::West),
                        generated: Some(thread),
                        ..MetricRequest::new(tag, &deal, Side::EastWest)
                    };
                    let answer = evaluator.evaluate(&request).unwrap();
                    assert_eq!(answer[1..3], [thread as i32, 10 * tag + 2]);
                }
            });
        }
    });
}

#[test]
fn a_slow_server_is_waited_for() {
    let mut server = start("slow", 60_000);
    let begin = Instant::now();
    let answer = server
        .evaluate(&MetricRequest::new(4, &deal(), Side::NorthSouth))
        .unwrap();
    assert_eq!(answer[2], 42);
    assert!(begin.elapsed() >= Duration::from_millis(100));
}

#[test]
fn a_server_that_is_too_slow_is_an_error_and_is_stopped() {
    for (behaviour, answers) in [("hanging", 2), ("unready", 0)] {
        // Long enough for the replies before the last one, also on a busy machine.
        let mut server = start(behaviour, 3000);
        let process = server.process_id();
        let (asked, error) = ask_until_failure(&mut server);
        assert_eq!(asked, answers, "{behaviour}");
        assert!(matches!(error, UserMetricError::TimeOut { .. }), "{error}");
        assert!(
            error.to_string().ends_with("no answer within 3 seconds"),
            "{error}"
        );
        assert!(!is_running(process));
    }
}

#[test]
fn a_server_that_ends_by_itself_is_an_error() {
    for (behaviour, status) in [
        ("quitter", "exit status 7"),
        ("crasher", "killed by signal 11"),
    ] {
        let mut server = start(behaviour, 60_000);
        let (asked, error) = ask_until_failure(&mut server);
        assert_eq!(asked, 2);
        assert!(matches!(error, UserMetricError::Ended { .. }), "{error}");
        assert!(error.to_string().contains(status), "{error}");
        // All further requests fail with the same error.
        assert_eq!(ask_until_failure(&mut server), (0, error));
    }
}

#[test]
fn a_server_killed_in_mid_run_is_an_error() {
    let deal = deal();
    let mut server = start("good", 60_000);
    for _ in 0..10 {
        server
            .evaluate(&MetricRequest::new(1, &deal, Side::NorthSouth))
            .unwrap();
    }
    let killed = Command::new("kill")
        .args(["-KILL", &server.process_id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let error = server
        .evaluate(&MetricRequest::new(1, &deal, Side::NorthSouth))
        .unwrap_err();
    assert!(matches!(error, UserMetricError::Ended { .. }), "{error}");
    assert!(error.to_string().contains("killed by signal 9"), "{error}");
}

#[test]
fn a_server_that_breaks_the_protocol_is_an_error_and_is_stopped() {
    let cases = [
        ("scribbler", "header"),
        ("trespasser", "the side it was not asked about"),
        ("babbler", "more than once"),
    ];
    for (behaviour, expected) in cases {
        let mut server = start(behaviour, 60_000);
        let process = server.process_id();
        let (asked, error) = ask_until_failure(&mut server);
        // The second answer of the babbler may come after the first one was read.
        let most = usize::from(behaviour == "babbler");
        assert!(asked <= most, "{behaviour}: {asked}");
        assert!(matches!(error, UserMetricError::BadReply { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(!is_running(process));
    }
}

#[test]
fn a_server_that_ignores_the_stop_is_killed() {
    let mut server = start("stubborn", 3000);
    server
        .evaluate(&MetricRequest::new(1, &deal(), Side::NorthSouth))
        .unwrap();
    let process = server.process_id();
    drop(server);
    assert!(!is_running(process));
}

#[test]
fn a_server_without_queries_is_stopped_too() {
    for behaviour in ["good", "unready"] {
        let server = start(behaviour, 300);
        let process = server.process_id();
        drop(server);
        assert!(!is_running(process));
    }
}

#[test]
fn a_program_that_is_no_server_is_found_out() {
    let mut server = Server::start(Path::new("/bin/true"), limits(60_000)).unwrap();
    let (asked, error) = ask_until_failure(&mut server);
    assert_eq!(asked, 0);
    assert!(
        error
            .to_string()
            .contains("ended before it answered (exit status 0)"),
        "{error}"
    );
}

#[test]
fn a_server_that_cannot_be_started_is_named() {
    let text = folder().join("not-a-program.txt");
    std::fs::write(&text, "just text\n").unwrap();
    for path in [text, PathBuf::from("no/such/server")] {
        let error = UserMetrics::open(&path, limits(1000)).unwrap_err();
        assert!(
            matches!(error, UserMetricError::CannotOpen { .. }),
            "{error}"
        );
        assert!(
            error.to_string().starts_with(&path.display().to_string()),
            "{error}"
        );
    }
}

#[test]
fn negative_tags_do_not_reach_the_server() {
    let mut server = start("good", 60_000);
    let deal = deal();
    let error = server
        .evaluate(&MetricRequest::new(-1, &deal, Side::NorthSouth))
        .unwrap_err();
    assert_eq!(error, UserMetricError::NegativeTag(-1));
    server
        .evaluate(&MetricRequest::new(0, &deal, Side::NorthSouth))
        .unwrap();
}

#[test]
fn a_server_cannot_take_the_page_away() {
    // Reading a page whose file was shortened would crash the dealer.
    let mut server = start("shrinker", 60_000);
    for tag in 0..10 {
        let answer = server.evaluate(&MetricRequest::new(tag, &deal(), Side::NorthSouth));
        assert_eq!(answer.unwrap()[2], 10 * tag + 2);
    }
}

/// Returns the existing semaphores whose names have the form that this program uses.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir("/dev/shm").unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let ours = |name: &String| {
        let name = name.trim_start_matches("sem.");
        name.len() == 30 && (name.starts_with("q_sem_") || name.starts_with("r_sem_"))
    };
    names.filter(ours).collect()
}

#[test]
fn no_semaphore_names_are_left_behind() {
    let mut server = start("good", 60_000);
    server
        .evaluate(&MetricRequest::new(0, &deal(), Side::NorthSouth))
        .unwrap();
    drop(start("unready", 100));
    drop(server);
    // Other tests may have semaphores of their own for a short time.
    let begin = Instant::now();
    while !names().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", names());
        std::thread::sleep(Duration::from_millis(20));
    }
}
