//! `croupier poker bench`: measures how fast this machine evaluates hands, and checks the results.

use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use cpu_time::ThreadTime;
use croupier::poker::enumeration::{HANDS, SUM_OF_RANKS, for_each_rank, sum_of_ranks};
use croupier::poker::samples::seven_cards;
use croupier::poker::{
    Card, CardSet, CpuPath, EquityMethod, EquityOptions, Game, HandRank, PokerHand, Query, Range,
    StopRule, evaluate_omaha_batch_with, evaluate7, evaluate7_batch_with, evaluate7_cards,
    parse_cards,
};

use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Measurements per row; the median counts.
const REPETITIONS: usize = 5;
/// Number of random hands that the evaluators process.
const STREAM: usize = 1 << 16;

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
    let turn = Duration::from_secs_f64(args.time / REPETITIONS as f64);
    let mut rows = evaluators();
    rows.extend(enumerations());
    rows.extend(match_ups().map_err(Failure::runtime)?);
    // All rows run in turn, so that a change of the clock or of the load concerns all of them.
    for _ in 0..REPETITIONS {
        for row in &mut rows {
            row.measure(turn);
        }
    }
    let mut table = Listing::new(&["what", "path", "per", "nanoseconds", "million_per_s"]);
    for row in rows {
        row.push_to(&mut table);
    }
    let sum = sum_of_ranks();
    let mut out = io::stdout().lock();
    table.write(args.format, &mut out)?;
    if args.format == TableFormat::Text {
        let best = CpuPath::best().name();
        writeln!(
            out,
            "\nProcessor time of one thread; batches take the path \"{best}\" here."
        )?;
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

/// A piece of work that is measured.
struct Row {
    name: String,
    path: &'static str,
    /// The unit of which a pass processes `count`.
    unit: &'static str,
    count: f64,
    pass: Box<dyn FnMut()>,
    /// Nanoseconds per unit, one value for each measurement.
    times: Vec<f64>,
}

impl Row {
    fn new(
        name: &str,
        path: &'static str,
        (unit, count): (&'static str, usize),
        pass: impl FnMut() + 'static,
    ) -> Row {
        Row {
            name: name.to_owned(),
            path,
            unit,
            count: count as f64,
            pass: Box::new(pass),
            times: Vec::new(),
        }
    }

    /// Measures passes for at least `turn`, after a first one that is not measured.
    fn measure(&mut self, turn: Duration) {
        if self.times.is_empty() {
            (self.pass)();
        }
        let start = ThreadTime::now();
        let mut passes = 0;
        while passes == 0 || start.elapsed() < turn {
            (self.pass)();
            passes += 1;
        }
        let time = start.elapsed().as_nanos() as f64 / f64::from(passes);
        self.times.push(time / self.count);
    }

    /// Adds the median to the table.
    fn push_to(mut self, table: &mut Listing) {
        self.times.sort_by(f64::total_cmp);
        let nanoseconds = self.times[self.times.len() / 2];
        let decimals = if nanoseconds < 1000.0 { 3 } else { 0 };
        let rate = match self.unit {
            "question" => ListingCell::Empty,
            _ => ListingCell::Decimal(1000.0 / nanoseconds, 1),
        };
        table.push(vec![
            self.name.as_str().into(),
            self.path.into(),
            self.unit.into(),
            ListingCell::Decimal(nanoseconds, decimals),
            rate,
        ]);
    }
}

/// Creates the row of an evaluator that is called for one hand after the other.
fn one_by_one<H: 'static>(
    name: &str,
    hands: Vec<H>,
    evaluate: impl Fn(&H) -> HandRank + 'static,
) -> Row {
    let mut ranks = vec![HandRank::default(); hands.len()];
    Row::new(name, "", ("hand", hands.len()), move || {
        for (rank, hand) in ranks.iter_mut().zip(black_box(&hands)) {
            *rank = evaluate(hand);
        }
        black_box(&mut ranks);
    })
}

/// Returns the rows of the evaluators.
fn evaluators() -> Vec<Row> {
    let hands = seven_cards(STREAM);
    let lists: Vec<[Card; 7]> = hands.iter().map(|hand| list(*hand)).collect();
    let prepared: Vec<PokerHand> = hands.iter().copied().map(PokerHand::from).collect();
    let mut rows = vec![
        one_by_one("seven cards, one by one", hands.clone(), |hand| {
            evaluate7(*hand)
        }),
        one_by_one("seven cards in lists, one by one", lists, evaluate7_cards),
        one_by_one("prepared hands, one by one", prepared, |hand| hand.rank7()),
    ];
    for path in CpuPath::available() {
        let hands = hands.clone();
        let mut ranks = vec![HandRank::default(); hands.len()];
        let name = "seven cards, in batches";
        rows.push(Row::new(name, path.name(), ("hand", STREAM), move || {
            evaluate7_batch_with(path, black_box(&hands), black_box(&mut ranks));
        }));
    }
    let (holes, boards): (Vec<CardSet>, Vec<CardSet>) =
        hands.iter().map(|&hand| omaha(hand)).unzip();
    let path = CpuPath::best();
    let mut ranks = vec![HandRank::default(); STREAM];
    let name = "Omaha, four cards, in batches";
    rows.push(Row::new(name, path.name(), ("hand", STREAM), move || {
        evaluate_omaha_batch_with(path, black_box(&holes), &boards, black_box(&mut ranks));
    }));
    rows
}

/// Returns the cards of a hand of seven.
fn list(hand: CardSet) -> [Card; 7] {
    let mut cards = hand.iter();
    std::array::from_fn(|_| cards.next().expect("seven cards"))
}

/// Returns four hole cards and a board: a hand of seven cards, and two cards from it moved by some places.
fn omaha(hand: CardSet) -> (CardSet, CardSet) {
    let cards = list(hand);
    let mut hole = CardSet::of(cards[0]) | CardSet::of(cards[3]);
    let board = hand - hole;
    let mut card = cards[5].index();
    while hole.len() < 4 {
        card = (card + 17) % Card::COUNT;
        let next = CardSet(1 << card);
        if next.is_disjoint(board) {
            hole |= next;
        }
    }
    (hole, board)
}

/// Returns the rows of all seven-card hands.
fn enumerations() -> Vec<Row> {
    let count = ("hand", HANDS as usize);
    vec![
        Row::new("all seven-card hands, the sum alone", "", count, || {
            black_box(sum_of_ranks());
        }),
        Row::new("all seven-card hands, a rank for each", "", count, || {
            let mut royal = 0;
            for_each_rank(|_, ranks| {
                royal += ranks.iter().map(|rank| u16::from(rank.0 == 0)).sum::<u16>();
            });
            black_box(royal);
        }),
    ]
}

/// Returns the rows of equities.
fn match_ups() -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut rows = Vec::new();
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
        let name = format!("equity of {name}");
        rows.push(Row::new(&name, "exact", ("question", 1), move || {
            drop(black_box(query.solve(&options)));
        }));
    }
    let samples = 1 << 20;
    let hands = ["AhAs", "KdKc"].map(|text| Range::parse(text, Game::Holdem));
    let query = Query::new(Game::Holdem, hands.into_iter().collect::<Result<_, _>>()?);
    let options = EquityOptions {
        method: EquityMethod::MonteCarlo,
        threads: 1,
        stop: StopRule {
            samples,
            standard_error: 0.0,
        },
        ..EquityOptions::default()
    };
    let name = "equity of AhAs v KdKc";
    let count = ("deal", samples as usize);
    rows.push(Row::new(name, "simulation", count, move || {
        drop(black_box(query.solve(&options)));
    }));
    Ok(rows)
}
