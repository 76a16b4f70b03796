//! `croupier plan`: ranks declarer's plays by the chance of the contract, without sight of the defenders' cards.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use croupier::cards::{Card, CardSet, Deal, Hand, Vulnerability};
use croupier::declarer::{
    DeclarerOptions, LayoutError, LayoutSource, PlayPlan, PlayPlanError, PlayQuestion,
    PlayoutOptions, Playouts, ScriptLayouts, UniformLayouts,
};
use croupier::render::html::{Page, escape};
use croupier::session::Job;
use croupier::studies::{DeclaredContract, StudyExecution, StudyProgress};

use super::lead::{EstimateCells, hand};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::ItemProgress;
use crate::robots;
use crate::scripts;
use crate::solver_memory::SolverMemory;
use crate::table::{self, Listing, ListingCell, TableFormat};
use crate::threads::Threads;
use crate::whole_file;

/// Rank declarer's plays by the chance that the contract makes.
///
/// Declarer sees two hands, the opening lead and the cards played so far. The defenders' hands are drawn from all that are
/// possible, or from those that satisfy --auction, --condition or --given. Each play is searched against defenders who see
/// all cards (αμ search). The chance never assumes that you see a queen, as a double-dummy result does.
///
/// With --playouts the whole hand is played on many layouts: an estimate of what the contract is worth to a declarer who
/// cannot see the defenders' cards, beside the double-dummy one.
#[derive(clap::Args)]
pub struct Args {
    /// Declarer's hand and dummy, such as AKQJ.A32.432.432 T987.654.AKQ.AQ5; or a deal such as "N:... ... ... ...".
    #[arg(value_name = "HAND", required = true, num_args = 1..=2)]
    hands: Vec<String>,
    /// Contract and declarer: 4S-S, 3N-W; without a declarer South plays it [default: that of --auction].
    #[arg(short = 'k', long, value_name = "CONTRACT")]
    contract: Option<DeclaredContract>,
    /// The opening lead, such as HK.
    #[arg(long, value_name = "CARD", conflicts_with = "played")]
    lead: Option<Card>,
    /// All cards played so far in order, from the opening lead on, such as HK,H5,H2,HA.
    #[arg(long, value_name = "CARDS", value_delimiter = ',')]
    played: Vec<Card>,
    /// Number of declarer's cards to search before double-dummy results decide, 1 to 5. 1 is plain Monte Carlo; each
    /// further card takes several times as long.
    #[arg(long, value_name = "N", default_value_t = 2)]
    depth: usize,
    /// Number of layouts of the defenders' cards for a decision, at most 256 [default: 60; 20 for playouts].
    #[arg(long, value_name = "N")]
    worlds: Option<usize>,
    /// Also play the whole hand on N layouts. The expected time is printed before it starts.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    playouts: Option<u64>,
    /// Condition on the deal, for example "hcp(west) >= 12".
    #[arg(short, long, value_name = "EXPRESSION", conflicts_with = "script")]
    condition: Option<String>,
    /// Script with a condition (and predeal) on the deal.
    #[arg(id = "script", long = "given", value_name = "SCRIPT")]
    script: Option<PathBuf>,
    /// Vulnerable side, for the meaning of --auction: none, ns, ew or both.
    #[arg(long, value_name = "WHO")]
    vulnerable: Option<Vulnerability>,
    /// Seed of the layouts; a seed always gives the same answer.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Format of the tables.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the tables instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Decimals of the estimates [default: as many as their intervals support].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=12))]
    digits: Option<u8>,
    /// Also write a report to be opened in a browser.
    #[arg(long, visible_alias = "report", value_name = "FILE")]
    html: Option<PathBuf>,
    #[cfg(feature = "bidding")]
    #[command(flatten)]
    auction: crate::systems::AuctionArgs,
    #[command(flatten)]
    memory: SolverMemory,
    #[command(flatten)]
    threads: Threads,
    #[arg(skip)]
    interrupt: Interrupt,
}

/// Converts an error of the layouts. Errors of a script are printed first.
pub(super) fn layout_failure(error: LayoutError) -> Failure {
    match error {
        LayoutError::Script(error) => scripts::failure(error),
        error => Failure::runtime(error.to_string()),
    }
}

/// Converts an error of a search.
pub(super) fn plan_failure(error: PlayPlanError) -> Failure {
    match error {
        PlayPlanError::Layouts(error) => layout_failure(error),
        error @ (PlayPlanError::Depth(_)
        | PlayPlanError::Worlds(_)
        | PlayPlanError::Playouts(_)) => Failure::usage(error.to_string()),
        error => Failure::runtime(error.to_string()),
    }
}

impl Args {
    /// Returns declarer's hand and dummy.
    fn two_hands(&self, declared: DeclaredContract) -> Result<(Hand, Hand), Failure> {
        match &self.hands[..] {
            [declarer, dummy] => {
                let parse = |text: &str| {
                    hand(text).map_err(|error| Failure::usage(format!("{text:?}: {error}")))
                };
                Ok((parse(declarer)?, parse(dummy)?))
            }
            hands => {
                let text = &hands[0];
                let deal: Deal = text.parse().map_err(|error| {
                    Failure::usage(format!(
                        "{text:?} is not a deal: {error}; give a deal, or declarer's hand and dummy"
                    ))
                })?;
                let declarer = declared.declarer;
                Ok((deal.hand(declarer), deal.hand(declarer.partner())))
            }
        }
    }

    /// Returns the question, and the script of the auction if there is one.
    fn question(&self) -> Result<(PlayQuestion, Option<String>), Failure> {
        let declared = self.contract;
        #[cfg(feature = "bidding")]
        let auction = self.auction.auction()?;
        #[cfg(feature = "bidding")]
        let declared = declared.or_else(|| auction.as_ref().and_then(|it| it.declared()));
        let declared =
            declared.ok_or_else(|| Failure::usage("give the contract: --contract 4S-S"))?;
        let (declarer, dummy) = self.two_hands(declared)?;
        let question = PlayQuestion::new(declared, declarer, dummy);
        let mut question = question.map_err(|error| Failure::usage(error.to_string()))?;
        for &card in self.lead.iter().chain(&self.played) {
            let played = question.play(card);
            played.map_err(|error| Failure::usage(error.to_string()))?;
        }
        #[cfg(feature = "bidding")]
        if let Some(auction) = auction {
            let seat = declared.declarer;
            let known = [(seat, declarer), (seat.partner(), dummy)];
            let vulnerability = self.vulnerable.unwrap_or(Vulnerability::None);
            let script = self.auction.script(&auction, vulnerability, &known)?;
            return Ok((question, Some(script)));
        }
        Ok((question, None))
    }

    /// Converts an error; a cancelled search has the status of its cause.
    fn failure(&self, error: PlayPlanError) -> Failure {
        match error {
            PlayPlanError::Cancelled if self.interrupt.is_requested() => {
                let text = format!("{} before the first result", self.interrupt.text());
                Failure::runtime(text).with_runtime_status(self.interrupt.status())
            }
            error => plan_failure(error),
        }
    }

    /// Returns the source of layouts.
    fn source(&self, auction: Option<String>) -> Result<Box<dyn LayoutSource>, Failure> {
        let job = match (&self.script, &self.condition, auction) {
            (Some(path), _, _) => scripts::job(path)?,
            (None, Some(condition), _) => {
                Job::new(format!("condition {condition}")).name("condition")
            }
            (None, None, Some(script)) => Job::new(script).name("auction"),
            (None, None, None) => return Ok(Box::new(UniformLayouts::new(self.seed))),
        };
        let job = robots::with_robots(job).cancel(self.interrupt.flag());
        let layouts = ScriptLayouts::new(job, self.seed).map_err(layout_failure)?;
        scripts::show(layouts.session().warnings());
        Ok(Box::new(layouts))
    }

    fn options(&self) -> DeclarerOptions {
        DeclarerOptions {
            depth: Some(self.depth),
            worlds: self.worlds,
            playouts: self.playouts.map(|number| number as usize),
        }
    }

    /// Calls `run` with the execution options of the switches, and shows its progress.
    fn execute<T>(
        &self,
        items: &'static str,
        total: Option<u64>,
        run: impl FnOnce(StudyExecution<'_>) -> T,
    ) -> T {
        let mut progress = ItemProgress::new(items, total);
        let mut shown = 0;
        let mut show = |now: StudyProgress| {
            progress.advance((now.solved - shown) as u64);
            shown = now.solved;
        };
        let cancel = self.interrupt.flag();
        let value = run(StudyExecution {
            threads: self.threads.count(),
            solver_memory: self.memory.megabytes(),
            cancel: Some(&cancel),
            progress: Some(&mut show),
        });
        progress.finish();
        value
    }
}

/// Runs the command.
///
/// # Errors
/// If hands, contract, cards or a script are wrong, no layout is possible, or a file cannot be written.
pub fn run(mut args: Args) -> Result<ExitCode, Failure> {
    args.interrupt = Interrupt::watch();
    let options = args.options();
    let (question, auction) = args.question()?;
    options.check(&question).map_err(|error| match error {
        PlayPlanError::NotDeclarersTurn => Failure::usage(format!(
            "{} plays the next card: give it with --lead or --played, or ask what the contract is worth with --playouts 100",
            question.to_play().name()
        )),
        error => plan_failure(error),
    })?;
    let source = args.source(auction)?;
    let mut tables = Vec::new();
    let mut headings = vec![heading(&question)];
    let estimates = EstimateCells::new(args.format, args.digits);
    let plan = args.execute("plays", None, |execution| {
        options.rank_plays(&question, source.as_ref(), execution)
    });
    let plan = plan.map_err(|error| args.failure(error))?;
    if let Some(plan) = &plan {
        headings.push(plan_text(plan));
        tables.push(("plays", plays(plan, estimates)));
    }
    if let Some(number) = options.playouts {
        print_cost(&options.playout(), number);
    }
    let playouts = args.execute("playouts", args.playouts, |execution| {
        options.play_out(&question, source.as_ref(), execution)
    });
    let playouts = playouts.map_err(|error| args.failure(error))?;
    if let Some(playouts) = &playouts {
        tables.push(("value", value(playouts, estimates)));
    }
    let mut text = Vec::new();
    if args.format == TableFormat::Text {
        for heading in &headings {
            writeln!(text, "{heading}")?;
        }
    }
    table::write_named(&tables, args.format, &mut text)?;
    if let Some(path) = &args.html {
        let page = page(&question, &headings, plan.as_ref(), playouts, args.digits);
        whole_file::write(path, page.as_bytes())?;
    }
    whole_file::write(&args.output, &text)?;
    if args.interrupt.is_requested() {
        let cause = args.interrupt.text();
        eprintln!("croupier: {cause}: the result is that of the work done so far");
    }
    Ok(args.interrupt.exit_code())
}

/// Prints the expected time of `number` playouts to standard error.
pub(super) fn print_cost(options: &PlayoutOptions, number: usize) {
    let seconds = options.expected_seconds(number);
    let time = match seconds < 120.0 {
        true => format!("{seconds:.0} seconds"),
        false => format!("{:.0} minutes", seconds / 60.0),
    };
    eprintln!(
        "croupier: {number} playouts with {} worlds for each card, depth {}: about {time} of processor time",
        options.plan.worlds, options.plan.depth
    );
}

/// Returns suit and ranks: `SKQJ`.
fn name(cards: CardSet) -> String {
    cards.suit_holdings().to_string()
}

fn heading(question: &PlayQuestion) -> String {
    let declared = question.declared();
    let played = question.played();
    let play = match played {
        [] => String::new(),
        cards => {
            let cards: Vec<String> = cards.iter().map(|&card| name(CardSet::of(card))).collect();
            format!(", played {}", cards.join(" "))
        }
    };
    format!("{declared}{play}")
}

fn plan_text(plan: &PlayPlan) -> String {
    let depth = match plan.is_exact {
        true => "to the last card".to_owned(),
        false => format!("depth {}", plan.depth),
    };
    format!("{} worlds, {depth}", plan.worlds)
}

const MADE: [&str; 3] = ["made_pct", "made_low", "made_high"];

fn plays(plan: &PlayPlan, estimates: EstimateCells) -> Listing {
    let mut columns = vec!["play"];
    columns.extend(estimates.titles(MADE));
    columns.extend(["double_dummy_pct", "tricks"]);
    let mut table = Listing::new(&columns);
    for play in &plan.plays {
        let mut row = vec![ListingCell::Text(name(play.cards))];
        row.extend(estimates.percentage(play.made));
        row.push(ListingCell::Decimal(100.0 * play.by_depth[0], 1));
        row.push(ListingCell::Decimal(play.tricks, 2));
        table.push(row);
    }
    table
}

/// Returns the table of the value of the contract.
pub(super) fn value(result: &Playouts, estimates: EstimateCells) -> Listing {
    let mut columns = vec!["declarer", "layouts"];
    columns.extend(estimates.titles(MADE));
    let mut table = Listing::new(&columns);
    let rows = [
        ("sees two hands", result.share()),
        ("sees all hands", result.double_dummy_share()),
    ];
    for (declarer, share) in rows {
        let mut row = vec![
            ListingCell::Text(declarer.to_owned()),
            ListingCell::Whole(result.deals),
        ];
        row.extend(estimates.percentage(share));
        table.push(row);
    }
    table
}

fn page(
    question: &PlayQuestion,
    headings: &[String],
    plan: Option<&PlayPlan>,
    playouts: Option<Playouts>,
    digits: Option<u8>,
) -> String {
    let declarer = question.declared().declarer;
    let mut page = Page::new(&format!("Plan: {}", headings[0]));
    for seat in [declarer, declarer.partner()] {
        page.paragraph(&format!("{}: {}", seat.name(), question.remaining(seat)));
    }
    let digits = digits.map(usize::from);
    if let Some(plan) = plan {
        page.heading("Plays");
        page.paragraph(&plan_text(plan));
        let mut rows = "<table><tr><th>play</th><th>made %</th><th>95 %</th><th>double dummy %</th><th>tricks</th></tr>\n".to_owned();
        for play in &plan.plays {
            let [value, low, high] = play.made.scaled(100.0).texts(digits);
            rows.push_str(&format!(
                "<tr><td>{}</td><td>{value}</td><td>{low} to {high}</td><td>{:.1}</td><td>{:.2}</td></tr>\n",
                escape(&name(play.cards)),
                100.0 * play.by_depth[0],
                play.tricks
            ));
        }
        page.raw(&(rows + "</table>\n"));
    }
    if let Some(playouts) = playouts {
        page.heading("Value of the contract");
        let [value, low, high] = playouts.share().scaled(100.0).texts(digits);
        let [dd, dd_low, dd_high] = playouts.double_dummy_share().scaled(100.0).texts(digits);
        page.paragraph(&format!(
            "{} layouts. A declarer who sees two hands makes it in {value} % ({low} to {high}); one who sees all hands in {dd} % ({dd_low} to {dd_high}).",
            playouts.deals
        ));
    }
    page.finish()
}
