//! `croupier bench`: measures how fast this machine deals, and checks that it deals the right cards.

use std::hint::black_box;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use croupier::cards::Seat;
use croupier::shuffle::draw_pool::{self, BitSelection, DrawPool};
use croupier::shuffle::legacy::parallel::{ParallelMap, Rounds};
use croupier::shuffle::legacy::{LegacyDealer, V1, V2, V2Start, Variant};
use croupier::shuffle::{
    BLOCK_DEALS, Block, BlockWords, Checksum, FastDealer, Key, Predeal, ShufflePath, Stream, Swap,
    tournament,
};

use crate::failure::{Failure, ShownPath};
use crate::table::{Listing, ListingCell, TableFormat};

/// Checksum of the first million deals of seed 1. No version may change it: a seed gives the same deals for ever.
const CHECKSUM: &str = "56dfa56da71c7a55";
/// Length of a slice in nanoseconds. A measurement is the median of many slices.
const SLICE_NANOSECONDS: u128 = 50_000;
/// Minimum number of slices of a measurement.
const FEWEST_SLICES: usize = 7;
/// Deals per run of the peer program.
const PEER_DEALS: u64 = 500_000;
/// Runs of the peer program; the fastest counts.
const PEER_RUNS: usize = 2;

/// Measure how fast this machine deals with every generator, and check the first million deals.
#[derive(clap::Args)]
pub struct Args {
    /// Seconds to spend on each row of the table
    #[arg(long, default_value_t = 0.3, value_name = "SECONDS")]
    time: f64,
    /// Threads for the rows that use several [default: all]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    /// Also time this classic dealer program (condition 1, one average) and show its speed in the column "ratio"
    #[arg(long, value_name = "PROGRAM")]
    peer: Option<PathBuf>,
    /// How to write the table
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// A row of the report.
struct Row {
    generator: String,
    path: String,
    threads: usize,
    nanoseconds: f64,
}

/// Runs the measurements and prints the report.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    if !(args.time.is_finite() && args.time > 0.0 && args.time <= 3600.0) {
        return Err(Failure::usage(
            "--time: expected seconds between 0 and 3600",
        ));
    }
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let bench = Bench {
        seconds: args.time,
        threads: args.threads.unwrap_or(all).clamp(1, 1024),
    };
    let checksum = checksum_of_a_million();

    let peer = args.peer.as_deref();
    // The peer runs before and after: if the machine slows down meanwhile, the two times differ.
    let before = peer.map(peer_nanoseconds).transpose()?;
    let rows = bench.rows();
    let after = peer.map(peer_nanoseconds).transpose()?;
    let peer = before.zip(after).map(|(before, after)| before.min(after));
    report(&args, &bench, &rows, peer, &checksum)?;
    if checksum != CHECKSUM {
        return Err(Failure::runtime(format!(
            "the deals are wrong: checksum {checksum}, expected {CHECKSUM}; please report this"
        )));
    }
    Ok(ExitCode::SUCCESS)
}

fn report(
    args: &Args,
    bench: &Bench,
    rows: &[Row],
    peer: Option<f64>,
    checksum: &str,
) -> Result<(), Failure> {
    let mut table = Listing::new(&[
        "generator",
        "path",
        "threads",
        "ns_per_deal",
        "million_per_s",
        "ratio",
        "checksum",
    ]);
    let mut push = |row: &Row, checksum: ListingCell| {
        table.push(vec![
            row.generator.as_str().into(),
            row.path.as_str().into(),
            ListingCell::Whole(row.threads as u64),
            ListingCell::Decimal(row.nanoseconds, 2),
            ListingCell::Decimal(1000.0 / row.nanoseconds, 2),
            peer.map_or(ListingCell::Empty, |peer| {
                ListingCell::Decimal(peer / row.nanoseconds, 1)
            }),
            checksum,
        ]);
    };
    if let (Some(program), Some(nanoseconds)) = (&args.peer, peer) {
        let generator = format!("peer: {}", program.display());
        push(
            &Row {
                generator,
                path: String::new(),
                threads: 1,
                nanoseconds,
            },
            ListingCell::Empty,
        );
    }
    for (number, row) in rows.iter().enumerate() {
        push(
            row,
            if number == 0 {
                checksum.into()
            } else {
                ListingCell::Empty
            },
        );
    }
    let mut out = std::io::stdout().lock();
    table.write(args.format, &mut out)?;
    if args.format == TableFormat::Text {
        writeln!(
            out,
            "\nThis machine deals on the path \"{}\" and strikes with \"{}\"; {} threads. \
             Medians of short slices, wall clock.\n\
             Checksum of the first million deals of seed 1: {checksum}",
            ShufflePath::fastest(),
            BitSelection::fastest().name(),
            bench.threads,
        )?;
    }
    Ok(())
}

/// Returns the checksum of deals 0 to 999,999 of seed 1; each deal contributes its North, East, South and West hands.
fn checksum_of_a_million() -> String {
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let mut checksum = Checksum::new();
    let mut block = Block::new();
    for first in (0..1_000_000).step_by(BLOCK_DEALS) {
        if dealer
            .fill((first / BLOCK_DEALS) as u64, &mut block)
            .is_err()
        {
            break;
        }
        for i in 0..BLOCK_DEALS.min(1_000_000 - first) {
            checksum.add(Seat::ALL.map(|seat| block.hand(i, seat)));
        }
    }
    checksum.to_string()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the classic program's time per deal for the cheapest possible script: the fastest of several runs, in CPU
/// time where the system reports it, else in wall-clock time.
fn peer_nanoseconds(program: &Path) -> Result<f64, Failure> {
    let mut quickest = f64::INFINITY;
    for _ in 0..PEER_RUNS {
        quickest = quickest.min(peer_seconds(program)?);
    }
    Ok(quickest * 1e9 / PEER_DEALS as f64)
}

fn peer_seconds(program: &Path) -> Result<f64, Failure> {
    let cannot = |error: &dyn std::fmt::Display| {
        Failure::runtime(format!(
            "--peer {}: {error}; expected a classic dealer program",
            program.shown()
        ))
    };
    let script = format!(
        "generate {PEER_DEALS}\nproduce {PEER_DEALS}\ncondition 1\naction average hcp(north)\n"
    );
    let (clock, processor) = (Instant::now(), seconds_of_children());
    let mut child = Command::new(program)
        .args(["-s", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| cannot(&error))?;
    if let Some(mut input) = child.stdin.take() {
        input
            .write_all(script.as_bytes())
            .map_err(|error| cannot(&error))?;
    }
    let output = child.wait_with_output().map_err(|error| cannot(&error))?;
    let on_the_wall = clock.elapsed().as_secs_f64();
    if !String::from_utf8_lossy(&output.stdout).contains(&format!("Generated {PEER_DEALS} ")) {
        return Err(cannot(&"it did not generate the deals"));
    }
    let used = seconds_of_children()
        .zip(processor)
        .map(|(after, before)| after - before);
    Ok(used.filter(|&used| used > 0.0).unwrap_or(on_the_wall))
}

/// Returns the CPU time of all child processes that have ended. Linux reports it in `/proc/self/stat`, fields 16 and
/// 17, in hundredths of a second; other systems return `None`.
fn seconds_of_children() -> Option<f64> {
    let line = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name in parentheses and may contain spaces and parentheses.
    let numbers: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let hundredths = |field: usize| numbers.get(field - 3)?.parse::<f64>().ok();
    Some((hundredths(16)? + hundredths(17)?) / 100.0)
}

/// Parameters of the measurements.
struct Bench {
    seconds: f64,
    threads: usize,
}

impl Bench {
    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        self.native_rows(&mut rows);
        self.legacy_rows(&mut rows);
        self.shuffle_rows(&mut rows);
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
        rows
    }

    /// Returns the median time per deal over many short slices. `work` returns the number of deals that it made. Other
    /// processes on the machine disturb some slices, but seldom half of them.
    fn measure(
        &self,
        rows: &mut Vec<Row>,
        generator: &str,
        path: &str,
        threads: usize,
        mut work: impl FnMut() -> u64,
    ) {
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K{generator} {path}");
        }
        work();
        let begin = Instant::now();
        let mut slices = Vec::new();
        while slices.len() < FEWEST_SLICES || begin.elapsed().as_secs_f64() < self.seconds {
            let slice = Instant::now();
            let mut deals = 0;
            while deals == 0 || slice.elapsed().as_nanos() < SLICE_NANOSECONDS {
                deals += work();
            }
            slices.push(slice.elapsed().as_secs_f64() * 1e9 / deals as f64);
        }
        rows.push(Row {
            generator: generator.to_owned(),
            path: path.to_owned(),
            threads,
            nanoseconds: median(slices),
        });
    }

    fn native_rows(&self, rows: &mut Vec<Row>) {
        let fast = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
        let mut number = 0;
        let mut block = Block::new();
        for dealer in ShufflePath::ALL
            .into_iter()
            .filter_map(|path| fast.clone().on_path(path))
        {
            self.measure(rows, "native", dealer.path().name(), 1, || {
                number += 1;
                black_box(dealer.fill(number, &mut block).is_ok());
                BLOCK_DEALS as u64
            });
        }
        let fixed: Predeal = "north SAK,H2 west DQJT9".parse().unwrap_or_default();
        let around = FastDealer::new(Key::from_seed(1), &fixed);
        self.measure(
            rows,
            "native, 7 cards predealt",
            around.path().name(),
            1,
            || {
                number += 1;
                black_box(around.fill(number, &mut block).is_ok());
                BLOCK_DEALS as u64
            },
        );
        self.measure(rows, "native", fast.path().name(), self.threads, || {
            self.all_threads(&fast, &mut number)
        });
        let key = Key::from_seed(1);
        self.measure(rows, "tournament", "chacha20", 1, || {
            number += 64;
            for i in number..number + 64 {
                black_box(tournament::deal(&key, i));
            }
            64
        });
    }

    /// Deals one share of blocks on every thread. A share is large enough that the cost of starting threads is
    /// negligible.
    fn all_threads(&self, dealer: &FastDealer, number: &mut u64) -> u64 {
        const SHARE: u64 = 1024;
        let first = *number;
        *number += SHARE * self.threads as u64;
        std::thread::scope(|scope| {
            for thread in 0..self.threads as u64 {
                scope.spawn(move || {
                    let mut block = Block::new();
                    for i in 0..SHARE {
                        black_box(dealer.fill(first + thread * SHARE + i, &mut block).is_ok());
                    }
                });
            }
        });
        SHARE * self.threads as u64 * BLOCK_DEALS as u64
    }

    fn legacy_rows(&self, rows: &mut Vec<Row>) {
        let (none, start) = (&Predeal::NONE, V2Start::from_seed(1));
        let one_by_one: [(&str, Box<dyn LegacyDealer>); 3] = [
            ("v1", Box::new(V1::new(Variant::Debian, 1, none, Swap::Off))),
            (
                "v1-upstream",
                Box::new(V1::new(Variant::Upstream, 1, none, Swap::Off)),
            ),
            ("v2", Box::new(V2::new(start, Swap::Off))),
        ];
        for (name, mut dealer) in one_by_one {
            self.measure(rows, name, "deal by deal", 1, || {
                for _ in 0..256 {
                    black_box(dealer.next_deal());
                }
                256
            });
        }
        let v1 = V1::new(Variant::Debian, 1, none, Swap::Off).rounds();
        let in_runs = [
            v1.map(|rounds| ("v1", rounds)),
            Some(("v2", Rounds::v2(start, Swap::Off))),
        ];
        for (name, mut rounds) in in_runs.into_iter().flatten() {
            self.measure(rows, name, "in runs", self.threads, || {
                let round = rounds.next_round(4 * self.threads, self);
                let deals = round.iter().map(|run| run.len() as u64).sum();
                self.map(round, |run| {
                    for i in 0..run.len() {
                        black_box(run.deal(i));
                    }
                });
                deals
            });
        }
    }

    /// Measures full shuffles of 52 cards: draws from a set of the cards left, and exchanges in an array.
    fn shuffle_rows(&self, rows: &mut Vec<Row>) {
        const PACK: u64 = (1 << 52) - 1;
        let mut random = BlockWords::new(Stream::Choices, &Key::from_seed(1), 0);
        let mut order = [0; 52];
        for method in BitSelection::ALL
            .into_iter()
            .filter(|method| method.is_available())
        {
            self.measure(rows, "pack of 52 by striking", method.name(), 1, || {
                (0..64).for_each(|_| {
                    DrawPool::with_method(PACK, method).draw_into(&mut order, &mut random);
                    black_box(&order);
                });
                64
            });
        }
        let mut pack: [u8; 52] = std::array::from_fn(|i| i as u8);
        self.measure(rows, "pack of 52 by Fisher-Yates", "byte array", 1, || {
            (0..64).for_each(|_| {
                draw_pool::fisher_yates(&mut pack, &mut random);
                black_box(&pack);
            });
            64
        });
        for method in BitSelection::ALL
            .into_iter()
            .filter(|method| method.is_available())
        {
            self.measure(rows, "5 cards of 52 by striking", method.name(), 1, || {
                for _ in 0..64 {
                    let mut pool = DrawPool::with_method(PACK, method);
                    black_box(pool.draw_set(5, &mut random));
                }
                64
            });
        }
    }
}

impl ParallelMap for Bench {
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        let share = items.len().div_ceil(self.threads).max(1);
        let mut items = items.into_iter();
        std::thread::scope(|scope| {
            let mut handles = Vec::new();
            loop {
                let part: Vec<T> = items.by_ref().take(share).collect();
                if part.is_empty() {
                    break;
                }
                let work = &work;
                handles.push(scope.spawn(move || part.into_iter().map(work).collect::<Vec<R>>()));
            }
            let joined = handles.into_iter().map(|handle| handle.join());
            joined
                .flat_map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }
}
