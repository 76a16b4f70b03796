//! Measures nanoseconds per deal for five scripts, and the ratio to the time of Debian's dealer in the same run.
//!
//! `cargo bench -p croupier-engine --bench dealer [-- DEALS [REPEATS]]`, best pinned: `taskset -c 1 cargo bench ...`.
//! Both programs read the same script and deal as many hands on one thread. Times are processor time if the system
//! reports it, so that other programs disturb less; ours are medians. The last column is the wall-clock time of one
//! thread divided by that of two. It needs a second core, so pin to two (`taskset -c 0,1`) or not at all for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use croupier_engine::{FastSource, NoDeals, Options, RunDeals, run};
use script::plan::Plan;
use shuffle::{BLOCK_DEALS, Block, FastDealer, Key, Predeal};

/// A script, and the minimum ratio of the classic program's time to ours.
const SCRIPTS: [(&str, f64); 5] = [
    ("average", 40.0),
    ("fifteen", 50.0),
    ("notrump", 50.0),
    ("stayman", 30.0),
    ("weaktwo", 30.0),
];

const CLASSIC: &str = "/usr/games/dealer";

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse::<u64>().ok());
    let deals = numbers.next().unwrap_or(5_000_000);
    let repeats = numbers.next().unwrap_or(7) as usize;
    let generation = median(repeats, || processor_time(|| generate(deals)));
    println!(
        "{deals} deals; making them alone takes {:.2} ns each",
        per_deal(generation, deals)
    );
    println!(
        "{:10} {:>9} {:>11} {:>8} {:>8} {:>12}",
        "script", "ns/deal", "dealer ns", "ratio", "target", "two threads"
    );
    for (name, target) in SCRIPTS {
        let path =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("benches/scripts/{name}.dl"));
        let plan = compile(&path);
        let ours = median(repeats, || processor_time(|| produce(&plan, deals, 1)));
        let (classic, ratio) = match classic(&path, deals) {
            Some(time) => (
                format!("{:.0}", per_deal(time, deals)),
                format!("{:.0}", time.as_secs_f64() / ours.as_secs_f64()),
            ),
            None => ("missing".to_owned(), "-".to_owned()),
        };
        let speedup = speedup(&plan, deals, repeats);
        let ns = per_deal(ours, deals);
        println!("{name:10} {ns:>9.2} {classic:>11} {ratio:>8} {target:>8.0} {speedup:>12}");
    }
}

fn compile(path: &Path) -> Plan {
    let text = fs::read_to_string(path).expect("the script is in the repository");
    let (plan, _) = script::compile(
        &script::ScriptSource::new("bench", text),
        &Default::default(),
    )
    .unwrap_or_else(|errors| panic!("{}", errors[0].render()));
    plan
}

fn produce(plan: &Plan, deals: u64, threads: usize) {
    let source = FastSource::new(FastDealer::new(Key::from_seed(1), &Predeal::NONE));
    let options = Options {
        generate: deals,
        threads,
        ..Options::default()
    };
    let report =
        run(plan, RunDeals::Blocks(&source), &options, &mut NoDeals).expect("no division here");
    assert_eq!(report.generated, deals);
}

fn generate(deals: u64) {
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let mut block = Block::new();
    for number in 0..deals.div_ceil(BLOCK_DEALS as u64) {
        dealer
            .fill(number, &mut block)
            .expect("a small block number");
    }
}

/// Returns the speed-up of a second thread; empty on a single core.
fn speedup(plan: &Plan, deals: u64, repeats: usize) -> String {
    if std::thread::available_parallelism().is_ok_and(|cores| cores.get() < 2) {
        return "one core".to_owned();
    }
    let time = |threads| median(repeats, || clock_time(|| produce(plan, deals, threads)));
    format!("{:.2}", time(1).as_secs_f64() / time(2).as_secs_f64())
}

/// Returns the time of the classic program on a script; `None` if it is not installed.
fn classic(script: &Path, deals: u64) -> Option<Duration> {
    let before = children_time();
    let start = Instant::now();
    let status = Command::new(CLASSIC)
        .args([
            "-s",
            "1",
            "-g",
            &deals.to_string(),
            "-p",
            &deals.to_string(),
        ])
        .arg(script)
        .stdout(Stdio::null())
        .status()
        .ok()?;
    assert!(status.success(), "{CLASSIC} failed on {}", script.display());
    Some(match (before, children_time()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed(),
    })
}

fn median(repeats: usize, mut time: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..repeats.max(1)).map(|_| time()).collect();
    times.sort();
    times[times.len() / 2]
}

fn per_deal(time: Duration, deals: u64) -> f64 {
    time.as_nanos() as f64 / deals as f64
}

fn clock_time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Returns the processor time of this thread, or the wall-clock time if the system does not report it.
fn processor_time(work: impl FnOnce()) -> Duration {
    let before = thread_time();
    let elapsed = clock_time(work);
    match (before, thread_time()) {
        (Some(before), Some(after)) => after - before,
        _ => elapsed,
    }
}

/// Reads the nanoseconds that the main thread has spent on a processor (Linux only).
fn thread_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace()
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

/// Reads the time of finished child processes, in hundredths of a second (Linux only).
fn children_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field, the name, may contain blanks; it ends with the last parenthesis.
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks: u64 = fields.get(13)?.parse::<u64>().ok()? + fields.get(14)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}
