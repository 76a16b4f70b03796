//! The protocol of evaluation servers, with a server that follows orders in the input.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use cards::{Deal, Side};
use usermetrics::{Evaluator, MetricRequest, ProgramLimits, Server};

use crate::Surface;
use crate::observed::Observed;

/// Servers that answer wrongly, too often, late or not at all.
pub static METRIC_SERVER: Surface = Surface {
    name: "metric-server",
    about: "Bytes as orders to an evaluation server (write anywhere in the page, post, sleep, end): results or one clear error, within the limit of time, and no child left.",
    feed,
    seeds: orders,
    words: || {
        [
            "aaaa",
            "qp",
            "qpp",
            "qw\0\0\u{4}xxxx",
            "p",
            "x\u{7}",
            "q",
            "s\u{5}",
        ]
        .map(str::to_owned)
        .to_vec()
    },
    inputs: 25,
};

fn orders() -> Vec<Vec<u8>> {
    let orders: [&[u8]; 12] = [
        b"aaaa",
        b"aaaaqp",
        b"a",
        b"aqpp",
        b"qs\x05paaa",
        b"aqw\x00\x00\x08xxxxxxxxpaa",
        b"aqw\x08\xa0\x08xxxxxxxxpaa",
        b"aqw\x0f\xf0\x20xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxpa",
        b"qx\x07",
        b"ppppqqqq",
        b"",
        b"w\x00\x98\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffaaaa",
    ];
    orders.map(<[u8]>::to_vec).to_vec()
}

/// Maximum time of one evaluation.
const TIME: Duration = Duration::from_millis(300);

/// Returns the folder of the server, which is compiled once. The lock lets one input after the other write its orders.
fn server() -> &'static Mutex<PathBuf> {
    static SERVER: OnceLock<Mutex<PathBuf>> = OnceLock::new();
    SERVER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("croupier-surfaces-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let (source, program) = (folder.join("server.c"), folder.join("server"));
        std::fs::write(&source, include_str!("server.c")).expect("room for the source");
        let compiled = Command::new("cc")
            .arg("-O1")
            .arg("-o")
            .args([&program, &source])
            .arg("-lpthread")
            .status();
        assert!(
            compiled.is_ok_and(|status| status.success()),
            "a C compiler named cc is needed"
        );
        Mutex::new(folder)
    })
}

fn feed(input: &[u8]) -> u64 {
    let folder = server().lock().unwrap_or_else(PoisonError::into_inner);
    std::fs::write(folder.join("orders"), &input[..input.len().min(4096)])
        .expect("room for the orders");
    let limits = ProgramLimits {
        time: TIME,
        ..ProgramLimits::default()
    };
    let mut observed = Observed::default();
    let mut server = Server::start(&folder.join("server"), limits).expect("it can be started");
    let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
        .parse()
        .expect("a deal");
    let mut failed = false;
    for (tag, side) in [
        (3, Side::NorthSouth),
        (4, Side::EastWest),
        (3, Side::NorthSouth),
        (9, Side::EastWest),
    ] {
        let asked = Instant::now();
        let answer = server.evaluate(&MetricRequest::new(tag, &deal, side));
        // The limit allows for a busy machine, but not for a hang.
        assert!(asked.elapsed() < TIME * 20, "an answer within the limit");
        assert!(
            !failed || answer.is_err(),
            "a server that failed is not asked again"
        );
        match answer {
            Ok(_) => observed.note(true),
            Err(error) => {
                failed = true;
                observed.message(&error.to_string())
            }
        };
    }
    let process = server.process_id();
    drop(server);
    let left = std::fs::read_to_string(format!("/proc/{process}/stat"));
    let ours = left.is_ok_and(|stat| stat.contains("(server)"));
    assert!(!ours, "the server is gone when its dealer is");
    observed.number()
}
