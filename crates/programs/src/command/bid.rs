//! `croupier bid`: bids boards with robots.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use croupier::bidding::{
    Bidding, BiddingSetting, BiddingSummary, BoardResult, Detail, OpenSystems, protocol,
};
use croupier::formats::{Board, ExtraTag};
use croupier::studies::Estimate;

use crate::boards::{self, BoardFormat};
use crate::failure::Failure;
use crate::given::with_par;
use crate::interrupt::Interrupt;
use crate::progress::ItemProgress;
use crate::sheet::SheetArgs;
use crate::solver_memory::SolverMemory;
use crate::systems::{RobotTime, TableArgs};
use crate::table::{Listing, ListingCell, TableFormat};
use crate::threads::Threads;

/// Bid boards with robots: auctions with explanations, contracts, results and the difference to par.
///
/// Reads boards in any format and writes them with the auction, the meaning of each call, the contract, its
/// double-dummy result and the score. A summary shows which contracts were reached, which games and slams were missed,
/// and how far the scores are from par, with 95 % confidence intervals. The built-in robot plays 2/1 or a Dutch system;
/// docs/bidding.md explains how to use other robots.
#[derive(clap::Args)]
pub struct Args {
    /// File of boards in any format, `-` for standard input, or a deal: "N:AKQ... ...".
    #[arg(value_name = "FILE|DEAL", required_unless_present = "serve_robot")]
    input: Option<PathBuf>,
    /// File to write: .pbn, .lin, .json, ...; `-` is standard output, and the summary then goes to standard error.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Format to write [default: by the name of the file, else pbn].
    #[arg(short, long, value_name = "FORMAT", value_parser = BoardFormat::by_name)]
    format: Option<BoardFormat>,
    /// Bid only the first N boards.
    #[arg(short, long, value_name = "N")]
    number: Option<usize>,
    #[command(flatten)]
    systems: TableArgs,
    /// Program that bids for all four players: short for --system robot:COMMAND.
    #[arg(long, value_name = "COMMAND", conflicts_with = "system")]
    robot: Option<String>,
    #[command(flatten)]
    time: RobotTime,
    /// Leave out the explanations of the calls.
    #[arg(long)]
    no_notes: bool,
    /// Only bid: no double-dummy results, no par, no summary.
    #[arg(long)]
    no_solve: bool,
    /// Also list the boards with contract, score and par.
    #[arg(long, conflicts_with = "no_solve")]
    list: bool,
    /// Act as a robot: read positions from standard input and answer with calls of --system, in the protocol that
    /// docs/bidding.md describes.
    #[arg(long, conflicts_with_all = ["input", "output", "number", "ew"])]
    serve_robot: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: SolverMemory,
    #[command(flatten)]
    sheet: SheetArgs,
}

/// Runs the command.
///
/// # Errors
/// If boards cannot be read or written, a robot fails, or a system is not known.
pub fn run(mut args: Args) -> Result<ExitCode, Failure> {
    if let Some(command) = args.robot.take() {
        args.systems.use_robot(command);
    }
    let opened = args.systems.open(args.time)?;
    if args.serve_robot {
        let system = opened.table().north_south;
        protocol::serve(system, io::stdin().lock(), io::stdout().lock())?;
        return Ok(ExitCode::SUCCESS);
    }
    let target = match args.format {
        Some(target) => target,
        None if args.output.as_os_str() == "-" => {
            BoardFormat::by_name("pbn").map_err(Failure::usage)?
        }
        None => BoardFormat::of_file(&args.output)?,
    };
    let input = args.input.take().unwrap_or_else(|| PathBuf::from("-"));
    let mut boards = boards::read(&input)?;
    boards.truncate(args.number.unwrap_or(usize::MAX));
    let boards = (1..)
        .zip(boards)
        .map(|(place, board)| board.with_number(place));
    let boards: Vec<Board> = boards.collect();
    let interrupt = Interrupt::watch();
    let wanted = boards.len();
    let detail = match args.no_notes {
        true => Detail::Call,
        false => Detail::Explained,
    };
    let threads = args.threads.count();
    let mut boards = bid_boards(&opened, boards, detail, threads, &interrupt)?;
    if !args.no_solve {
        boards::solve(&mut boards, args.threads.count(), args.memory, &interrupt);
    }
    if boards.is_empty() {
        let text = interrupt.text();
        let text = format!("{text} before the first board was complete; nothing is written");
        return Err(Failure::runtime(text).with_runtime_status(interrupt.status()));
    }
    let report = (!args.no_solve).then(|| conclude(&mut boards, args.list));
    boards::write(&args.output, target, &boards, &args.sheet, None)?;
    if let Some(report) = report.transpose()? {
        match args.output.as_os_str() == "-" {
            true => io::stderr().write_all(report.as_bytes())?,
            false => io::stdout().write_all(report.as_bytes())?,
        }
    }
    if interrupt.is_requested() {
        let (text, number) = (interrupt.text(), boards.len());
        eprintln!("croupier: {text}: the first {number} of {wanted} boards are written");
    }
    Ok(interrupt.exit_code())
}

/// Bids the boards. After an interrupt only the boards bid so far remain.
pub(super) fn bid_boards(
    opened: &OpenSystems,
    boards: Vec<Board>,
    detail: Detail,
    threads: usize,
    interrupt: &Interrupt,
) -> Result<Vec<Board>, Failure> {
    let settings: Vec<BiddingSetting> = boards.iter().map(setting).collect::<Result<_, _>>()?;
    let mut progress = ItemProgress::new("boards", Some(settings.len() as u64));
    let mut open = boards.into_iter();
    let mut done = Vec::new();
    let take = |bidding: Bidding| match open.next().filter(|_| !interrupt.is_requested()) {
        None => ControlFlow::Break(()),
        Some(mut board) => {
            board.record = Some(Box::new(bidding.record()));
            done.push(board);
            progress.advance(1);
            ControlFlow::Continue(())
        }
    };
    let end = opened.table().bid_all(settings, threads, detail, take);
    progress.finish();
    end.map_err(Failure::runtime)?;
    Ok(done)
}

/// Returns the deal, dealer and vulnerability of a board.
pub(super) fn setting(board: &Board) -> Result<BiddingSetting, Failure> {
    let (number, dealer, vulnerability) = board.place();
    let deal = board.deal().ok_or_else(|| {
        Failure::runtime(format!("board {number}: fewer than three hands are known"))
    })?;
    Ok(BiddingSetting {
        deal,
        dealer,
        vulnerability,
    })
}

/// Adds results and scores to the boards and returns the report over them.
fn conclude(boards: &mut [Board], list: bool) -> Result<String, Failure> {
    let mut summary = BiddingSummary::default();
    let mut listing = Listing::new(&[
        "board",
        "dealer",
        "vulnerable",
        "contract",
        "tricks",
        "score_ns",
        "par_ns",
        "imps_to_par",
        "auction",
    ]);
    for board in boards.iter_mut() {
        let Some(tricks) = board.tricks else { continue };
        if board.par.is_none() {
            *board = with_par(std::mem::take(board));
        }
        let (number, dealer, vulnerability) = board.place();
        let par = board.par.unwrap_or(0);
        let Some(record) = board.record.as_deref_mut() else {
            continue;
        };
        let declared = record.contract.zip(record.declarer);
        let declared = declared
            .map(|(contract, declarer)| croupier::studies::DeclaredContract { contract, declarer });
        let result = BoardResult::new(declared, &tricks, vulnerability, par);
        record.result = result.tricks;
        let calls = record.auction.join(" ");
        summary.add(&result, &tricks);
        let extras = board.extras.get_or_insert_default();
        tag(extras, "Score", format!("NS {}", result.score));
        tag(extras, "ParDifference", format!("NS {:+}", result.to_par()));
        tag(extras, "ParImps", format!("NS {:+}", result.imps_to_par()));
        listing.push(vec![
            ListingCell::Whole(number),
            ListingCell::Text(dealer.letter().to_string()),
            ListingCell::from(vulnerability.pbn()),
            ListingCell::Text(declared.map_or("passed out".to_owned(), |it| it.to_string())),
            result.tricks.map_or(ListingCell::Empty, |tricks| {
                ListingCell::Whole(tricks.into())
            }),
            ListingCell::Decimal(result.score.into(), 0),
            ListingCell::Decimal(par.into(), 0),
            ListingCell::Decimal(result.imps_to_par().into(), 0),
            ListingCell::Text(calls),
        ]);
    }
    let mut text = Vec::new();
    if list {
        listing.write(TableFormat::Text, &mut text)?;
        writeln!(text)?;
    }
    Ok(String::from_utf8_lossy(&text).into_owned() + &summary_text(&summary))
}

/// Sets a tag, replacing the value that the file may have had.
fn tag(extras: &mut croupier::formats::Extras, name: &str, value: String) {
    extras
        .tags
        .retain(|tag| !tag.name.eq_ignore_ascii_case(name));
    extras.tags.push(ExtraTag {
        name: name.to_owned(),
        value,
        section: String::new(),
    });
}

/// Writes a mean with its interval and the digits that this supports.
pub(super) fn mean_text(mean: Estimate) -> String {
    let [value, low, high] = mean.texts(None);
    let sign = if mean.value >= 0.0 { "+" } else { "" };
    match mean.interval() {
        Some(_) => format!("{sign}{value} ({low} to {high})"),
        None => format!("{sign}{value}"),
    }
}

fn summary_text(summary: &BiddingSummary) -> String {
    let mut text = String::new();
    let boards = summary.boards;
    let _ = writeln!(text, "boards            {boards}");
    for (kind, name) in ["partscores", "games", "slams"].into_iter().enumerate() {
        let (reached, made) = (summary.reached[kind], summary.made[kind]);
        let _ = writeln!(text, "{name:<17} {reached}, {made} made");
    }
    let _ = writeln!(text, "passed out        {}", summary.passed_out);
    for (name, missed) in [
        ("games missed", summary.missed_games),
        ("slams missed", summary.missed_slams),
    ] {
        let share = Estimate::proportion(missed, boards).scaled(100.0);
        let [value, low, high] = share.texts(None);
        let _ = writeln!(
            text,
            "{name:<17} {missed} ({value} % of the boards, {low} to {high} %)"
        );
    }
    let _ = writeln!(
        text,
        "NS against par    {} points, {} IMPs a board\naway from par     {} IMPs a board\n(95 % intervals in brackets)",
        mean_text(summary.points_to_par()),
        mean_text(summary.imps_to_par()),
        mean_text(summary.distance_to_par()).trim_start_matches('+'),
    );
    text
}
