//! Time to set up a sampler and time for each deal, compared with plain dealing and with Debian's dealer.
//!
//! `cargo bench -p croupier-sampling --bench sampler [-- FILTER]`. Times are CPU times if the system reports them
//! (Linux), else wall times; the least of three rounds. Without `/usr/games/dealer` that column stays empty.

#[path = "../tests/language/mod.rs"]
mod language;

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use croupier_sampling::{Budget, Sampler};
use language::ConditionText;
use shuffle::{BLOCK_DEALS, Block, FastDealer, Key, Predeal};

const BALANCED: &str = "any 4333 + any 4432 + any 5332";

/// Returns the conditions of the published comparison, with short names.
fn conditions() -> Vec<(&'static str, String)> {
    let table = include_str!("../tests/data/exact-counts.csv");
    let w6 = table
        .lines()
        .find(|line| line.starts_with("e28"))
        .and_then(|line| line.split('"').nth(1))
        .unwrap_or_default();
    vec![
        ("one seat: 6+ spades, 10-12", "spades(north)>=6 and hcp(north)>=10 and hcp(north)<=12".into()),
        ("W5: the same, South 5+ hearts, 13-15", "spades(north)>=6 and hcp(north)>=10 and hcp(north)<=12 and hearts(south)>=5 and hcp(south)>=13 and hcp(south)<=15".into()),
        ("W6: 7-4 two-suiter, void opposite", w6.into()),
        ("four seats, 7+ of each suit", "spades(north)>=7 and hearts(east)>=7 and diamonds(south)>=7 and clubs(west)>=7".into()),
        ("four seats, lengths and points", format!("hcp(north)>=15 and hcp(north)<=17 and shape(north,{BALANCED}) and hearts(south)>=5 and hcp(south)<=9 and spades(east)>=5 and hcp(east)>=8 and hcp(east)<=14 and diamonds(west)>=3 and hcp(west)<=11")),
        ("four seats, 10 points each", "hcp(north)==10 and hcp(east)==10 and hcp(south)==10 and hcp(west)==10".into()),
        ("three seats", "hearts(north)==6 and spades(north)<=3 and hcp(north)>=5 and hcp(north)<=9 and spades(east)>=4 and hcp(east)>=12 and diamonds(west)>=3 and hcp(west)<=9".into()),
        ("15-17 balanced, 5-card major 8-11", format!("hcp(north)>=15 and hcp(north)<=17 and shape(north,{BALANCED}) and (spades(south)>=5 or hearts(south)>=5) and hcp(south)>=8 and hcp(south)<=11")),
        ("15-17 balanced, sum 25+, 8+ hearts", format!("hcp(north)>=15 and hcp(north)<=17 and shape(north,{BALANCED}) and hcp(north)+hcp(south)>=25 and hearts(north)+hearts(south)>=8")),
        ("side: sum 25+, 8+ hearts", "hcp(north)+hcp(south)>=25 and hearts(north)+hearts(south)>=8".into()),
        ("5+ hearts 8-11, at most 6 losers", "hearts(north)>=5 and hcp(north)>=8 and hcp(north)<=11 and losers(north)<=6".into()),
        ("15-17 opposite 8-9", "hcp(north)>=15 and hcp(north)<=17 and hcp(south)>=8 and hcp(south)<=9".into()),
    ]
}

/// A stopwatch that counts only the CPU time of this thread.
struct Stopwatch {
    wall: Instant,
    cpu: Option<u64>,
}

/// Returns the nanoseconds that this thread has run.
fn cpu_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch {
            wall: Instant::now(),
            cpu: cpu_time(),
        }
    }

    fn seconds(&self) -> f64 {
        match (self.cpu, cpu_time()) {
            (Some(before), Some(now)) => (now - before) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// Returns the seconds for one call of `work`, the least of three rounds. The system counts CPU time in ticks of
/// several milliseconds, so a round takes at least a hundred milliseconds.
fn seconds(mut work: impl FnMut()) -> f64 {
    let round = |work: &mut dyn FnMut()| {
        let start = Stopwatch::start();
        let mut calls = 0u32;
        while calls == 0 || start.seconds() < 0.1 {
            work();
            calls += 1;
        }
        start.seconds() / f64::from(calls)
    };
    (0..3)
        .map(|_| round(&mut work))
        .fold(f64::INFINITY, f64::min)
}

/// Returns the seconds for each candidate, and the share of candidates that pass.
fn draws(text: &ConditionText, sampler: &Sampler) -> (f64, f64) {
    let key = Key::from_seed(1);
    let mut deals = Vec::new();
    let mut number = 0;
    let time = seconds(|| {
        for _ in 0..16 {
            sampler.block(&key, number, &mut deals);
            number += 1;
            black_box(&deals);
        }
    });
    let mut passed = 0;
    for number in 0..16 {
        sampler.block(&key, number, &mut deals);
        passed += deals.iter().filter(|deal| text.accepts(deal)).count();
    }
    let share = passed as f64 / (16.0 * BLOCK_DEALS as f64);
    (time / (16.0 * BLOCK_DEALS as f64), share)
}

/// Returns the seconds for a plain deal, without its evaluation.
fn plain() -> f64 {
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::default());
    let mut block = Block::new();
    let mut number = 0;
    let blocks = 200;
    let time = seconds(|| {
        for _ in 0..blocks {
            dealer.fill(number, &mut block).expect("a small number");
            number += 1;
            black_box(&block);
        }
    });
    time / (f64::from(blocks) * BLOCK_DEALS as f64)
}

/// Returns the CPU seconds of Debian's dealer for a raw deal with this condition.
fn debian(condition: &str) -> Option<f64> {
    let deals = 200_000;
    let mut child = Command::new("sh")
        .args(["-c", "/usr/games/dealer \"$@\" >/dev/null; times", "dealer"])
        .args(["-s", "1", "-g", &deals.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let script = format!("condition {condition}\naction average hcp(north)\n");
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    // The last line of `times`: user and system time of the children, as 0m1.234000s.
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let user = text.lines().last()?.split(' ').next()?;
    let (minutes, seconds) = user.trim_end_matches('s').split_once('m')?;
    let time = 60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?;
    (time > 0.0).then(|| time / f64::from(deals))
}

fn main() {
    let filter = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let plain = plain();
    println!(
        "plain dealing without evaluation: {:.1} ns per deal\n",
        plain * 1e9
    );
    println!(
        "{:38} {:>10} {:>9} {:>8} {:>11} {:>11} {:>13} {:>11}",
        "condition", "p", "set-up ms", "kB", "ns/candid.", "ns/deal", "plain ns/deal", "v Debian"
    );
    for (name, condition) in conditions() {
        if filter
            .as_ref()
            .is_some_and(|filter| !name.contains(filter.as_str()))
        {
            continue;
        }
        let text = ConditionText::read(&condition);
        let problem = text.problem();
        let build = || Sampler::new(&problem, Budget::default()).expect("within the budget");
        let setup = seconds(|| drop(black_box(build())));
        let sampler = build();
        let (candidate, passed) = draws(&text, &sampler);
        let p = sampler.count().probability() * passed;
        let deal = candidate / passed;
        let ratio =
            debian(&condition).map_or("-".to_owned(), |raw| format!("{:.0}", raw / p / deal));
        println!(
            "{name:38} {p:>10.3e} {:>9.1} {:>8} {:>11.0} {:>11.0} {:>13.0} {ratio:>11}",
            setup * 1e3,
            sampler.bytes() / 1000,
            candidate * 1e9,
            deal * 1e9,
            plain / p * 1e9,
        );
    }
}
