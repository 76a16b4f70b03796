//! `croupier match`: plays two bidding systems against each other on the same boards.

mod html;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use croupier::bidding::{
    Bidding, BiddingSetting, Detail, IMPS, OpenSystems, POINTS, RobotError, Robots, SystemName,
    north_south_score,
};
use croupier::cards::scoring;
use croupier::engine::parallel;
use croupier::formats::Board;
use croupier::session::{DefaultSettings, Job};
use croupier::solver::Solver;
use croupier::studies::{DeclaredContract, Estimate, Moments};

use super::bid::{mean_text, setting};
use crate::boards;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::ItemProgress;
use crate::scripts;
use crate::solver_memory::SolverMemory;
use crate::systems::{self, RobotTime};
use crate::table::{Listing, ListingCell, TableFormat};
use crate::threads::Threads;
use crate::whole_file;

/// Default of the limit on the number of deals that are tried to satisfy --condition.
const DEFAULT_LIMIT: i64 = 10_000_000_000;

/// Play a match between two bidding systems on the same boards.
///
/// Every board is bid twice: once with the first system North-South, once with it East-West. The contracts are scored
/// double dummy. Prints the IMPs per board that the first system wins, with their 95 % confidence interval, and the
/// boards with the largest swings.
#[derive(clap::Args)]
pub struct Args {
    /// The first system: 2/1, dutch, a file of rules, or robot:COMMAND.
    #[arg(value_name = "SYSTEM", value_parser = SystemName::parse)]
    first: SystemName,
    /// The second system, in the same notation as the first.
    #[arg(value_name = "AGAINST", value_parser = SystemName::parse)]
    second: SystemName,
    /// Number of boards.
    #[arg(short, long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,
    /// Seed of the deals; the same seed gives the same deals.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    seed: i64,
    /// Use only deals that satisfy this condition, for example "hcp(north) + hcp(south) >= 30".
    #[arg(short, long, value_name = "EXPRESSION")]
    condition: Option<String>,
    /// Use the boards of this file, in any format, instead of dealing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["condition", "seed"])]
    deals: Option<PathBuf>,
    /// List the N boards with the largest swings.
    #[arg(long, value_name = "N", default_value_t = 10)]
    swings: usize,
    /// Format of the table of swings.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the result instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Also write a report to be opened in a browser.
    #[arg(long, visible_alias = "report", value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    time: RobotTime,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: SolverMemory,
}

/// A board and the auctions of both tables.
struct PlayedBoard {
    board: Board,
    /// Auctions. The first system is North-South at the first table and East-West at the second.
    biddings: [Bidding; 2],
    /// Scores of North-South at both tables.
    scores: [i32; 2],
}

impl PlayedBoard {
    fn declared(&self) -> [Option<DeclaredContract>; 2] {
        [0, 1].map(|table| self.biddings[table].auction.declared())
    }

    /// Returns the total points that the first system wins.
    fn points(&self) -> i32 {
        self.scores[0] - self.scores[1]
    }

    fn imps(&self) -> i32 {
        scoring::imps(self.points())
    }
}

/// Sums over the boards.
#[derive(Default)]
struct Totals {
    imps: Moments,
    points: Moments,
    different: u64,
    won: u64,
    lost: u64,
    /// Whether both systems make the same calls, so that no board can be won.
    is_mirrored: bool,
}

impl Totals {
    fn add(&mut self, played: &PlayedBoard) {
        let [first, second] = played.declared();
        self.imps.add(played.imps());
        self.points.add(played.points());
        self.different += u64::from(first != second);
        self.won += u64::from(played.imps() > 0);
        self.lost += u64::from(played.imps() < 0);
    }

    /// Returns the mean of IMPs that the first system wins on a board.
    fn mean_imps(&self) -> Estimate {
        self.imps
            .mean(if self.is_mirrored { (0.0, 0.0) } else { IMPS })
    }

    /// Returns the mean of points that the first system wins on a board.
    fn mean_points(&self) -> Estimate {
        self.points
            .mean(if self.is_mirrored { (0.0, 0.0) } else { POINTS })
    }
}

/// Runs the command.
///
/// # Errors
/// If a robot fails, the condition has an error or a file cannot be read or written.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let interrupt = Interrupt::watch();
    let tables = [
        systems::open([&args.first, &args.second], args.time)?,
        systems::open([&args.second, &args.first], args.time)?,
    ];
    let names = [tables[0].table(), tables[1].table()].map(|table| table.north_south.name());
    let boards = match &args.deals {
        Some(path) => {
            let mut boards = boards::read(path)?;
            boards.truncate(usize::try_from(args.number).unwrap_or(usize::MAX));
            (1..)
                .zip(boards)
                .map(|(place, board)| board.with_number(place))
                .collect()
        }
        None => dealt(&args, &interrupt)?,
    };
    let wanted = boards.len();
    let (totals, mut swings) = play(&args, &tables, boards, &interrupt)?;
    if totals.imps.count() == 0 {
        let text = format!("{} before the first board was complete", interrupt.text());
        return Err(Failure::runtime(text).with_runtime_status(interrupt.status()));
    }
    // Largest swing first. `sort_by_key` is stable: equal swings stay in the order of the boards.
    swings.sort_by_key(|played| std::cmp::Reverse(played.imps().abs()));
    swings.truncate(args.swings);
    if let Some(path) = &args.html {
        let page = html::page(names, &totals, &swings);
        whole_file::write(path, page.as_bytes())?;
    }
    let mut out = Vec::new();
    if args.format == TableFormat::Text {
        writeln!(out, "{}", heading(names, &totals))?;
    }
    swing_table(&swings).write(args.format, &mut out)?;
    whole_file::write(&args.output, &out)?;
    if interrupt.is_requested() {
        let (text, number) = (interrupt.text(), totals.imps.count());
        eprintln!("croupier: {text}: {number} of {wanted} boards are played");
    }
    Ok(interrupt.exit_code())
}

fn dealt(args: &Args, interrupt: &Interrupt) -> Result<Vec<Board>, Failure> {
    let script = args.condition.as_ref();
    let script = script.map_or(String::new(), |condition| format!("condition {condition}"));
    let job = Job::new(script)
        .name("condition")
        .as_dealt()
        .seed(args.seed)
        .produce(args.number)
        .threads(args.threads.count())
        .cancel(interrupt.flag())
        .defaults(DefaultSettings {
            generate: Some(DEFAULT_LIMIT),
            ..DefaultSettings::default()
        });
    let session = job.prepare().map_err(scripts::failure)?;
    scripts::show(session.warnings());
    let mut boards = Vec::new();
    let mut keep = |produced: &croupier::session::ProducedDeal<'_>| {
        boards.push(Board::duplicate(&produced.deal, boards.len() as u64 + 1));
        ControlFlow::Continue(())
    };
    let outcome = session.run(&mut keep).map_err(scripts::failure)?;
    if boards.is_empty() && !interrupt.is_requested() {
        return Err(Failure::runtime(format!(
            "none of {} deals satisfies the condition",
            outcome.generated
        )));
    }
    Ok(boards)
}

/// The robots of both tables and a solver; each thread has its own.
type Worker<'a> = Result<([Robots<'a>; 2], Solver), RobotError>;

/// Plays the boards on all threads. After an interrupt only the boards played so far count. Returns the sums and the
/// boards with a swing.
fn play(
    args: &Args,
    tables: &[OpenSystems; 2],
    boards: Vec<Board>,
    interrupt: &Interrupt,
) -> Result<(Totals, Vec<PlayedBoard>), Failure> {
    let boards: Vec<(Board, BiddingSetting)> = boards
        .into_iter()
        .map(|board| setting(&board).map(|setting| (board, setting)))
        .collect::<Result<_, _>>()?;
    let detail = match args.html {
        Some(_) => Detail::Explained,
        None => Detail::Call,
    };
    let [first, second] = tables;
    let worker = || -> Worker<'_> {
        let robots = [first.table().robots()?, second.table().robots()?];
        Ok((robots, args.memory.solver()))
    };
    let work = |worker: &mut Worker<'_>,
                (board, setting): (Board, BiddingSetting)|
     -> Result<Option<PlayedBoard>, RobotError> {
        if interrupt.is_requested() {
            return Ok(None);
        }
        let (robots, solver) = worker.as_mut().map_err(|error| error.clone())?;
        let [first, second] = robots;
        let biddings = [first.bid(&setting, detail)?, second.bid(&setting, detail)?];
        Ok(Some(scored(board, &setting, biddings, solver)))
    };
    let mut progress = ItemProgress::new("boards", Some(boards.len() as u64));
    // An external robot may make different calls each time.
    let is_mirrored = args.first == args.second && !matches!(args.first, SystemName::Robot(_));
    let totals = Totals {
        is_mirrored,
        ..Totals::default()
    };
    let (mut totals, mut swings) = (totals, Vec::new());
    let threads = args.threads.count();
    let end = parallel::ordered_map(threads, boards, worker, work, |played| match played {
        Ok(Some(played)) => {
            totals.add(&played);
            if played.imps() != 0 {
                swings.push(played);
            }
            progress.advance(1);
            ControlFlow::Continue(())
        }
        Ok(None) => ControlFlow::Break(None),
        Err(error) => ControlFlow::Break(Some(error)),
    });
    progress.finish();
    match end {
        ControlFlow::Break(Some(error)) => Err(Failure::runtime(error)),
        _ => Ok((totals, swings)),
    }
}

/// Scores both tables double dummy. If both play the same contract, it is solved once.
fn scored(
    board: Board,
    setting: &BiddingSetting,
    biddings: [Bidding; 2],
    solver: &mut Solver,
) -> PlayedBoard {
    let declared = [0, 1].map(|table: usize| biddings[table].auction.declared());
    let mut score = |declared: Option<DeclaredContract>| {
        let tricks = declared.map(|it| match board.tricks {
            Some(known) => known.tricks(it.declarer, it.contract.strain),
            None => solver.tricks(&setting.deal, it.declarer, it.contract.strain),
        });
        north_south_score(declared.zip(tricks), setting.vulnerability)
    };
    let first = score(declared[0]);
    let second = match declared[0] == declared[1] {
        true => first,
        false => score(declared[1]),
    };
    PlayedBoard {
        board,
        biddings,
        scores: [first, second],
    }
}

fn heading([first, second]: [&str; 2], totals: &Totals) -> String {
    let boards = totals.imps.count();
    let tied = boards - totals.won - totals.lost;
    format!(
        "{first} against {second}: {} IMPs a board, {} points (95 % intervals in brackets)\n\
         {boards} boards: {} won, {} lost, {tied} tied; contracts differ on {}\n",
        mean_text(totals.mean_imps()),
        mean_text(totals.mean_points()),
        totals.won,
        totals.lost,
        totals.different,
    )
}

fn contract_text(declared: Option<DeclaredContract>) -> String {
    declared.map_or("passed out".to_owned(), |declared| declared.to_string())
}

fn swing_table(swings: &[PlayedBoard]) -> Listing {
    let mut table = Listing::new(&[
        "board",
        "imps",
        "contract_1",
        "score_ns_1",
        "contract_2",
        "score_ns_2",
        "auction_1",
        "auction_2",
    ]);
    for played in swings {
        let [first, second] = played.declared().map(contract_text);
        let [one, two] = played
            .scores
            .map(|score| ListingCell::Decimal(score.into(), 0));
        let [calls, others] = [0, 1].map(|at: usize| played.biddings[at].auction.to_string());
        table.push(vec![
            ListingCell::Whole(played.board.place().0),
            ListingCell::Decimal(played.imps().into(), 0),
            ListingCell::Text(first),
            one,
            ListingCell::Text(second),
            two,
            ListingCell::Text(calls),
            ListingCell::Text(others),
        ]);
    }
    table
}
