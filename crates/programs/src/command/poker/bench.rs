//! `croupier poker bench`: measures how fast this machine evaluates hands, and checks the results.

use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use croupier::poker::enumeration::{HANDS, SUM_OF_RANKS, sum_of_ranks};
use croupier::poker::samples::seven_cards;
use croupier::poker::{
    CpuPath, EquityMethod, EquityOptions, Game, HandRank, Query, Range, StopRule, parse_cards,
};

use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Measurements per row; the median counts.
const REPETITIONS: usize = 5;
/// Number of random hands that the evaluators process.
const STREAM: usize = 1 << 20;

/// Ranges to compare: name, ranges, board.
const MATCH_UPS: [(&str, &[&str], &str); 8] = [
    ("AhAs v KdKc", &["AhAs", "KdKc"], ""),
    ("AsKs v QhQd", &["AsKs", "QhQd"], ""),
    (
        "QQ+,AK v 178 hands",
        &["QQ+,AK", "22+,A2s+,KTs+,QJs,AJo+"],
        "",
    ),
    ("AA v random", &["AA", "random"], ""),
    ("random v random on a flop", &["random", "random"], "AhKd7c"),
    ("three known hands", &["AhAs", "KdKc", "QhQs"], ""),
    ("AA v KK v QQ v JJ", &["AA", "KK", "QQ", "JJ"], ""),
    ("known hands on a flop", &["JhTh", "AcAd"], "9h8h2s"),
];

/// Measure evaluators, enumeration and equity on this machine
#[derive(clap::Args)]
pub struct Args {
    /// Seconds to spend on each row
    #[arg(long, default_value_t = 0.3, value_name = "SECONDS")]
    time: f64,
    /// Format of the table
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// Runs the measurements and prints the report.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    if !(args.time.is_finite() && args.time > 0.0 && args.time <= 3600.0) {
        return Err(Failure::usage(
            "--time: expected seconds between 0 and 3600",
        ));
    }
    let bench = Bench {
        turn: Duration::from_secs_f64(args.time / REPETITIONS as f64),
    };
    let mut table = Listing::new(&["what", "path", "per", "nanoseconds", "million_per_s"]);
    bench.evaluators(&mut table);
    let sum = bench.enumeration(&mut table);
    bench.match_ups(&mut table).map_err(Failure::runtime)?;
    let mut out = io::stdout().lock();
    table.write(args.format, &mut out)?;
    if args.format == TableFormat::Text {
        let best = CpuPath::best().name();
        writeln!(out, "\nOne thread; batches take the path \"{best}\" here.")?;
        writeln!(
            out,
            "Sum of the ranks of all {HANDS} seven-card hands: {sum}"
        )?;
    }
    out.flush()?;
    if sum != SUM_OF_RANKS {
        return Err(Failure::runtime(format!(
            "the ranks are wrong: their sum is {sum}, expected {SUM_OF_RANKS}; please report this"
        )));
    }
    Ok(ExitCode::SUCCESS)
}

struct Bench {
    /// Length of each measurement.
    turn: Duration,
}

impl Bench {
    /// Returns the median time of a pass in nanoseconds.
    fn time(&self, mut pass: impl FnMut()) -> f64 {
        pass();
        let mut times: Vec<f64> = (0..REPETITIONS)
            .map(|_| {
                let start = Instant::now();
                let mut passes = 0;
                while passes == 0 || start.elapsed() < self.turn {
                    pass();
                    passes += 1;
                }
                start.elapsed().as_nanos() as f64 / f64::from(passes)
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times[REPETITIONS / 2]
    }

    fn evaluators(&self, table: &mut Listing) {
        let hands = &seven_cards(STREAM)[..];
        let mut ranks = vec![HandRank::default(); STREAM];
        let per_hand = |time: f64| time / STREAM as f64;
        let scalar = self.time(|| {
            for (rank, hand) in ranks.iter_mut().zip(black_box(hands)) {
                *rank = croupier::poker::evaluate7(*hand);
            }
            black_box(&mut ranks);
        });
        push(
            table,
            "seven cards, one by one",
            "",
            "hand",
            per_hand(scalar),
        );
        for path in CpuPath::available() {
            let batch = self.time(|| {
                croupier::poker::evaluate7_batch_with(
                    path,
                    black_box(hands),
                    black_box(&mut ranks),
                );
            });
            push(
                table,
                "seven cards, in batches",
                path.name(),
                "hand",
                per_hand(batch),
            );
        }
    }

    fn enumeration(&self, table: &mut Listing) -> u64 {
        let mut sum = 0;
        let time = self.time(|| sum = black_box(sum_of_ranks()));
        push(
            table,
            "all seven-card hands",
            "",
            "hand",
            time / HANDS as f64,
        );
        sum
    }

    fn match_ups(&self, table: &mut Listing) -> Result<(), Box<dyn std::error::Error>> {
        for (name, ranges, board) in MATCH_UPS {
            let range = |text: &&str| Range::parse(text, Game::Holdem);
            let players = ranges.iter().map(range).collect::<Result<_, _>>()?;
            let query = Query {
                board: parse_cards(board)?,
                ..Query::new(Game::Holdem, players)
            };
            let options = EquityOptions {
                method: EquityMethod::Exact,
                threads: 1,
                ..EquityOptions::default()
            };
            let time = self.time(|| drop(black_box(query.solve(&options))));
            push(
                table,
                &format!("equity of {name}"),
                "exact",
                "question",
                time,
            );
        }
        let samples = 1 << 20;
        let players = vec![
            Range::parse("AhAs", Game::Holdem)?,
            Range::parse("KdKc", Game::Holdem)?,
        ];
        let query = Query::new(Game::Holdem, players);
        let stop = StopRule {
            samples,
            standard_error: 0.0,
        };
        let options = EquityOptions {
            method: EquityMethod::MonteCarlo,
            threads: 1,
            stop,
            ..EquityOptions::default()
        };
        let time = self.time(|| drop(black_box(query.solve(&options))));
        push(
            table,
            "equity of AhAs v KdKc",
            "simulation",
            "deal",
            time / samples as f64,
        );
        Ok(())
    }
}

fn push(table: &mut Listing, what: &str, path: &str, per: &str, nanoseconds: f64) {
    let decimals = if nanoseconds < 1000.0 { 3 } else { 0 };
    let rate = match per {
        "question" => ListingCell::Empty,
        _ => ListingCell::Decimal(1000.0 / nanoseconds, 1),
    };
    table.push(vec![
        what.into(),
        path.into(),
        per.into(),
        ListingCell::Decimal(nanoseconds, decimals),
        rate,
    ]);
}
