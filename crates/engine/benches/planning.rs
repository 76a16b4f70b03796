//! Checks that the automatic choice of the sampler never loses: processor time of every script of `examples/` and
//! `scenarios/` and of 200 generated scenario-like scripts with the sampler in automatic mode, switched on and switched
//! off.
//!
//! `cargo bench -p croupier-engine --bench planning [-- PRODUCE [GENERATED]] [NAME]`, best pinned: `taskset -c 1 cargo
//! bench ...`; with a name only the scripts whose name contains it, with files (`*.dl`) those instead.
//! Each run has one thread and takes at most two seconds. The rule is: automatic mode takes at most 1.2 times the
//! better of the other two plus 20 ms; no run takes longer than 2.3 s by the clock (less the time that it waited for a
//! processor); the means of North's points agree within five standard errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use croupier_engine::{
    Analysis, NoDeals, Options, Report, RunDeals, SampledSource, SamplerDecision, SamplerUse,
    Tally, TimeLimit, run,
};
use sampling::{Budget, CostMeter};
use script::plan::Plan;
use shuffle::{BlockWords, FastDealer, Key, Predeal, RandomWords, Stream};

const LIMIT: Duration = Duration::from_secs(2);

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse::<u64>().ok());
    let given: Vec<String> = std::env::args().skip(1).collect();
    let files: Vec<PathBuf> = given
        .iter()
        .filter(|name| name.ends_with(".dl"))
        .map(PathBuf::from)
        .collect();
    let mut names = given.iter().filter(|name| !name.ends_with(".dl"));
    let wanted = names.find(|name| name.parse::<u64>().is_err() && !name.starts_with('-'));
    let produce = numbers.next().unwrap_or(200);
    let generated = numbers.next().unwrap_or(200);
    let mut scripts = match files.is_empty() {
        true => stored_scripts(),
        false => texts(files),
    };
    let mut words = BlockWords::new(Stream::Sampler, &Key::from_seed(20), 0);
    let generated = if given.iter().any(|name| name.ends_with(".dl")) {
        0
    } else {
        generated
    };
    scripts.extend((0..generated).map(|n| (format!("generated {n}"), scenario(&mut words))));
    println!(
        "{:34} {:>9} {:>9} {:>9} {:>7} {:>9} {:>9}  (ms)",
        "script", "auto", "on", "off", "ratio", "planned", "counted"
    );
    let mut worst = (0.0, String::new());
    let (mut broken, mut late, mut differ, mut sums) = (0, 0, 0, [0.0; 3]);
    let named = |name: &&(String, String)| wanted.is_none_or(|it| name.0.contains(it));
    for (name, text) in scripts.iter().filter(named) {
        let Some(plan) = compile(name, text) else {
            continue;
        };
        let uses = [SamplerUse::Auto, SamplerUse::On, SamplerUse::Off];
        let runs = uses.map(|usage| timed(&plan, usage, produce));
        let [auto, on, off] = runs.each_ref().map(|run| run.cpu);
        for (sum, time) in sums.iter_mut().zip([auto, on, off]) {
            *sum += time;
        }
        // The limit is 1.2 times the better time plus 20 ms.
        let ratio = (auto - 20.0).max(0.0) / on.min(off);
        if ratio > worst.0 {
            worst = (ratio, name.clone());
        }
        let slow = ratio > 1.2;
        let is_late = runs.iter().any(|run| run.wall > 2300.0);
        let unlike =
            !agree(&runs[0].report, &runs[2].report) || !agree(&runs[1].report, &runs[2].report);
        broken += u32::from(slow);
        late += u32::from(is_late);
        differ += u32::from(unlike);
        let (planned, counted) = planning(&plan);
        let mark = match (slow, is_late, unlike) {
            (true, ..) => "  LOSES",
            (_, true, _) => "  LATE",
            (_, _, true) => "  DIFFERS",
            _ => "",
        };
        let name = name.rsplit('/').next().unwrap_or(name);
        println!(
            "{name:34} {auto:>9.1} {on:>9.1} {off:>9.1} {ratio:>7.2} {planned:>9.1} {counted:>9.1}{mark}  {}",
            runs[0].decision
        );
        if slow || is_late || unlike {
            println!("{text}\n");
        }
    }
    println!(
        "total ms: auto {:.0}, on {:.0}, off {:.0}",
        sums[0], sums[1], sums[2]
    );
    println!(
        "worst ratio {:.2} ({}); {broken} lose, {late} late, {differ} differ",
        worst.0, worst.1
    );
}

struct Timed {
    /// Milliseconds of processor time, and of wall-clock time without waiting for a processor.
    cpu: f64,
    wall: f64,
    report: Report,
    /// The sampler's first decision.
    decision: String,
}

fn timed(plan: &Plan, usage: SamplerUse, produce: u64) -> Timed {
    let options = Options {
        generate: 10_000_000,
        produce: plan.settings.produce.unwrap_or(produce).max(produce),
        threads: 1,
        time_limit: Some(TimeLimit::Always(LIMIT)),
        ..Options::default()
    };
    let wall = Instant::now();
    let (before, waited_before) = account();
    let predeal = Predeal::new(plan.predeal).expect("a predeal that fits");
    let dealer = FastDealer::new(Key::from_seed(1), &predeal);
    let limits = (options.generate, options.produce);
    let source = SampledSource::new(plan, dealer, usage, limits).expect("deals");
    let source = source.within(Some(LIMIT));
    let report = run(plan, RunDeals::Blocks(&source), &options, &mut NoDeals).expect("a run");
    let (cpu, waited) = account();
    Timed {
        cpu: (cpu - before) * 1e3,
        wall: (wall.elapsed().as_secs_f64() - (waited - waited_before)) * 1e3,
        report,
        decision: match source.decision() {
            SamplerDecision::Plain { reason } => format!("plain: {reason}"),
            SamplerDecision::Sampled { reason, .. } => format!("sampler: {reason}"),
        },
    }
}

/// Returns the milliseconds of planning with a large budget, by the processor and by the meter.
fn planning(plan: &Plan) -> (f64, f64) {
    let meter = CostMeter::new(Budget {
        nanoseconds: 300e6,
        search: 300e6,
        bytes: 256e6,
    });
    let analysis = Analysis::new(plan);
    let (before, _) = account();
    let _ = analysis.metered(&meter);
    ((account().0 - before) * 1e3, meter.spent() / 1e6)
}

/// Returns whether two runs agree on the mean of the first average, if there is one.
fn agree(one: &Report, other: &Report) -> bool {
    let mean = |report: &Report| {
        let average = report
            .tallies
            .iter()
            .flatten()
            .find_map(|tally| match tally {
                Tally::Average(average) => Some(*average),
                _ => None,
            })?;
        let n = average.count as f64;
        if n < 30.0 {
            return None;
        }
        let mean = average.sum as f64 / n;
        let variance = average.squares as f64 / n - mean * mean;
        Some((mean, variance / n))
    };
    match (mean(one), mean(other)) {
        (Some((a, va)), Some((b, vb))) => (a - b).abs() <= 5.0 * (va + vb).sqrt() + 1e-9,
        _ => true,
    }
}

/// Returns seconds of processor time of this process, and seconds that it waited for a processor.
fn account() -> (f64, f64) {
    // The kernel updates these figures when the scheduler runs.
    std::thread::yield_now();
    let stat = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let mut seconds = stat
        .split(' ')
        .map_while(|text| text.parse::<f64>().ok())
        .map(|nanoseconds| nanoseconds / 1e9);
    match (seconds.next(), seconds.next()) {
        (Some(cpu), Some(waited)) => (cpu, waited),
        _ => {
            static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
            (START.get_or_init(Instant::now).elapsed().as_secs_f64(), 0.0)
        }
    }
}

fn compile(name: &str, text: &str) -> Option<Plan> {
    let source = script::ScriptSource::new(name, text);
    match script::compile(&source, &script::CompileOptions::default()) {
        Ok((plan, _)) => Some(plan),
        Err(errors) => {
            println!("{name}: {}", errors[0].render());
            None
        }
    }
}

fn stored_scripts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![root.join("examples"), root.join("scenarios")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "dl") {
                files.push(path);
            }
        }
    }
    files.sort();
    texts(files)
}

/// Returns the scripts in these files that need no external program, by path.
fn texts(files: Vec<PathBuf>) -> Vec<(String, String)> {
    files
        .into_iter()
        .filter_map(|path| {
            let text = fs::read_to_string(&path).ok()?;
            let alone = !text.contains("usereval");
            alone.then(|| (path.to_string_lossy().into(), text))
        })
        .collect()
}

const SUITS: [&str; 4] = ["spades", "hearts", "diamonds", "clubs"];
const SEATS: [&str; 4] = ["north", "east", "south", "west"];

/// Generates a script in the style of practice scenarios: total points, unguarded honours, clauses over four seats.
fn scenario(words: &mut impl RandomWords) -> String {
    let mut text = String::from("average \"hcp\" hcp(north)\n");
    let mut clauses = Vec::new();
    let seats = 1 + words.below(4) as usize;
    for (number, seat) in SEATS.iter().enumerate().take(seats) {
        let count = 1 + words.below(3) as usize;
        for _ in 0..count {
            clauses.push(clause(words, seat, number, &mut text));
        }
    }
    if words.below(3) == 0 {
        let (a, b) = (words.below(4) as usize, words.below(4) as usize);
        let [x, y] = [a, b].map(|seat| SEATS[seat]);
        let suit = SUITS[words.below(4) as usize];
        clauses.push(match words.below(4) {
            0 => format!("hcp({x})+hcp({y})>={}", 18 + words.below(12)),
            1 => format!("{suit}({x})+{suit}({y})>={}", 7 + words.below(4)),
            2 => format!("not ({suit}({x})>=5 and hcp({y})>=12)"),
            _ => format!("(hcp({x})>={} or {suit}({y})>=6)", 14 + words.below(8)),
        });
    }
    text + "condition " + &clauses.join("\n and ") + "\n"
}

fn clause(words: &mut impl RandomWords, seat: &str, number: usize, text: &mut String) -> String {
    let suit = SUITS[words.below(4) as usize];
    let other = SUITS[words.below(4) as usize];
    let low = words.below(16);
    match words.below(9) {
        0 => format!(
            "hcp({seat})>={low} and hcp({seat})<={}",
            low + 1 + words.below(6)
        ),
        1 => format!("{suit}({seat})>={}", 4 + words.below(4)),
        2 => {
            let name = format!("tp{number}_{}", text.lines().count());
            let short: Vec<String> = SUITS
                .iter()
                .map(|suit| {
                    format!("({suit}({seat})==0 ? 3 : {suit}({seat})==1 ? 2 : {suit}({seat})==2 ? 1 : 0)")
                })
                .collect();
            text.push_str(&format!("{name} = hcp({seat})+{}\n", short.join("+")));
            format!("{name}>={}", low + 4)
        }
        3 => {
            let name = format!("up{number}_{}", text.lines().count());
            let bare: Vec<String> = SUITS
                .iter()
                .map(|suit| format!("({suit}({seat})<3 and hcp({seat},{suit})>0)"))
                .collect();
            text.push_str(&format!("{name} = hcp({seat})-{}\n", bare.join("-")));
            format!("{name}>={}", low + 2)
        }
        4 => format!("shape({seat}, any 4333 + any 4432 + any 5332)"),
        5 => format!(
            "({suit}({seat})>=5 or {other}({seat})>=5 or hcp({seat})>={})",
            low + 4
        ),
        6 => format!("losers({seat})<={}", 4 + words.below(4)),
        7 => format!(
            "hcp({seat},{suit})>={} and {suit}({seat})>=4",
            3 + words.below(5)
        ),
        _ => format!(
            "not ({suit}({seat})>=5 and {other}({seat})<=2) and controls({seat})>={}",
            words.below(6)
        ),
    }
}
