//! `croupier lead`: finds the best opening lead by double-dummy analysis of many deals.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use croupier::cards::{CardSet, Hand, Vulnerability, notation};
use croupier::render::html::lead_study_page;
use croupier::studies::{
    DeclaredContract, Estimate, LeadQuestion, LeadResult, SetTally, Study, StudyDeals, StudyError,
    StudyQuestion,
};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::layouts::Layouts;
use crate::table::{Listing, ListingCell, TableFormat};
use crate::whole_file;

/// Find the best opening lead against a contract.
///
/// Deals layouts that satisfy the script (the auction as a condition), solves each for every lead of the player to
/// declarer's left, and prints for every lead: tricks for the defence, how often it beats the contract, and IMPs and
/// matchpoints against the other leads, each with its 95 % confidence interval. Cards in sequence count as one lead.
#[derive(clap::Args)]
pub struct Args {
    /// Contract and declarer: 3N-S, 4Hx-W; without a declarer South plays it [default: that of --auction].
    #[arg(short = 'k', long, value_name = "CONTRACT")]
    contract: Option<DeclaredContract>,
    /// The leader's hand, such as KQJ4.T9.A2.87632; without it the script must predeal all cards of that hand.
    #[arg(short = 'H', long, value_name = "HAND", value_parser = hand)]
    hand: Option<Hand>,
    /// Vulnerable side: none, ns, ew or both [default: the script's, else none].
    #[arg(long, value_name = "WHO")]
    vulnerable: Option<Vulnerability>,
    /// Only compute how often each lead beats the contract: several times faster.
    #[arg(long, conflicts_with_all = ["html", "precision", "control"])]
    sets_only: bool,
    /// Format of the table.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the table instead of standard output.
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
    layouts: Layouts,
}

pub(super) fn hand(text: &str) -> Result<Hand, String> {
    let cards = if text.contains('.') {
        notation::hand(text)
    } else {
        notation::suit_holdings(text)
    };
    match cards {
        Ok(cards) if cards.len() == 13 => Ok(cards),
        Ok(cards) => Err(format!("a hand has 13 cards, not {}", cards.len())),
        Err(error) => Err(error.to_string()),
    }
}

/// Converts an error of the study and adds the switch that helps.
fn failure(error: StudyError) -> Failure {
    match error {
        StudyError::IncompleteHand { leader, cards } => Failure::usage(format!(
            "{leader}, who leads, has {cards} known cards; give all 13 with --hand or by predeal"
        )),
        error => Failure::runtime(error.to_string()),
    }
}

/// Returns the given contract, else the contract of the auction. In the second case the layouts are deals that fit the
/// auction.
fn contract(args: &mut Args) -> Result<DeclaredContract, Failure> {
    #[cfg(feature = "bidding")]
    if let Some(auction) = args.auction.auction()? {
        let declared = args.contract.or(auction.declared()).ok_or_else(|| {
            Failure::usage("nobody bids in the auction: there is no contract to lead against")
        })?;
        let known: Vec<_> = args
            .hand
            .map(|hand| (declared.declarer.next(), hand))
            .into_iter()
            .collect();
        let vulnerability = args.vulnerable.unwrap_or(Vulnerability::None);
        let script = args.auction.script(&auction, vulnerability, &known)?;
        args.layouts.auction_script = Some(script);
        return Ok(declared);
    }
    args.contract
        .ok_or_else(|| Failure::usage("give the contract: --contract 3N-S"))
}

/// Runs the command.
///
/// # Errors
/// If the script has an error, the leader's hand is not known, or a file cannot be written.
pub fn run(mut args: Args) -> Result<ExitCode, Failure> {
    args.layouts.interrupt = Interrupt::watch();
    let contract = contract(&mut args)?;
    let leader = contract.declarer.next();
    if let Some(hand) = args.hand {
        args.layouts
            .predeal(leader, hand.suit_holdings().to_string());
    }
    let session = args.layouts.session()?;
    let plan = session.plan();
    let vulnerability = args
        .vulnerable
        .or(plan.settings.vulnerable)
        .unwrap_or(Vulnerability::None);
    let question = LeadQuestion::new(contract, plan.predeal[leader], vulnerability);
    let question = question.map_err(failure)?;
    let deals = args.layouts.deals(&session)?;
    let options = args.layouts.options();
    let mut out = Vec::new();
    let text = args.format == TableFormat::Text;
    let estimates = EstimateCells::new(args.format, args.digits);
    if args.sets_only {
        let most = options.solve_limit(deals.len());
        let tally = args.layouts.execute("layouts", most, |execution| {
            question.count_sets(&deals[..most], execution)
        });
        let tally = tally.map_err(failure)?;
        let solved = tally.deals();
        if solved == 0 {
            return Err(args.layouts.nothing_solved());
        }
        if text {
            writeln!(out, "{}", heading(&question, solved))?;
        }
        set_table(&tally, estimates).write(args.format, &mut out)?;
        whole_file::write(&args.output, &out)?;
        args.layouts.report_interrupt(solved, most);
        return Ok(args.layouts.interrupt.exit_code());
    }
    let study = Study::new(question, StudyDeals::dealt(&deals), &options);
    let mut study = study.map_err(failure)?;
    let limit = study.limit();
    args.layouts
        .execute("layouts", limit, |execution| study.run(execution));
    let (question, solved) = (study.question(), study.tally().deals());
    if solved == 0 {
        return Err(args.layouts.nothing_solved());
    }
    let results = study.results();
    if text {
        let heading = heading(question, solved);
        writeln!(out, "{heading}{}", sampled_text(&study))?;
    }
    if let Some(path) = &args.html {
        let page = lead_study_page(question, &results, solved, args.digits.map(usize::from));
        whole_file::write(path, page.as_bytes())?;
    }
    table(&results, estimates).write(args.format, &mut out)?;
    whole_file::write(&args.output, &out)?;
    args.layouts.report_interrupt(solved, limit);
    Ok(args.layouts.interrupt.exit_code())
}

/// Returns the text that follows the number of solved deals: the numbers of screened deals and of all deals; empty if
/// every deal was solved.
pub(super) fn sampled_text<Q: StudyQuestion>(study: &Study<'_, Q>) -> String {
    let (solved, screened) = (study.solved(), study.screened());
    match study.sampled_deals() {
        Some(all) if screened > solved => format!(" solved, {screened} looked into, of {all}"),
        Some(all) => format!(" solved of {all}"),
        None => String::new(),
    }
}

fn heading(question: &LeadQuestion, layouts: u64) -> String {
    format!(
        "{} leads {} against {}, {} vulnerable, {layouts} layouts",
        question.leader(),
        question.hand(),
        question.contract(),
        if question.is_vulnerable() {
            "declarer"
        } else {
            "declarer not"
        },
    )
}

/// Returns suit and ranks: `SKQJ`.
fn name(cards: CardSet) -> String {
    cards.suit_holdings().to_string()
}

/// Cells of estimates: the value and its 95 % interval, in one cell as text, in two as CSV and JSON.
#[derive(Clone, Copy)]
pub(in crate::command) struct EstimateCells {
    is_text: bool,
    digits: Option<usize>,
}

impl EstimateCells {
    /// Creates cells for a table in `format`. Without `digits`, estimates have the decimals that their intervals support.
    pub(in crate::command) fn new(format: TableFormat, digits: Option<u8>) -> EstimateCells {
        EstimateCells {
            is_text: format == TableFormat::Text,
            digits: digits.map(usize::from),
        }
    }

    /// Returns the titles of the columns of an estimate, from those of value, lower and upper end.
    pub(in crate::command) fn titles(self, names: [&'static str; 3]) -> Vec<&'static str> {
        match self.is_text {
            true => vec![names[0], "95 %"],
            false => names.to_vec(),
        }
    }

    /// Returns the cells of an estimate.
    pub(in crate::command) fn cells(self, estimate: Estimate) -> Vec<ListingCell> {
        let decimals = estimate.decimals(self.digits);
        let [_, low, high] = estimate.texts(self.digits);
        let number = |number: f64| match number.is_finite() {
            // Zero, not minus zero, for a number that rounds to zero.
            true if number.abs() <= 0.5 * 10f64.powi(-(decimals as i32)) => {
                ListingCell::Decimal(0.0, decimals)
            }
            true => ListingCell::Decimal(number, decimals),
            false => ListingCell::Empty,
        };
        match (self.is_text, estimate.interval()) {
            (true, None) => vec![number(estimate.value), ListingCell::Empty],
            (true, Some(_)) => vec![
                number(estimate.value),
                ListingCell::Text(format!("{low} to {high}")),
            ],
            (false, _) => [estimate.value, estimate.low, estimate.high]
                .map(number)
                .into(),
        }
    }

    /// Returns the cells of a share, in percent.
    pub(in crate::command) fn percentage(self, share: Estimate) -> Vec<ListingCell> {
        self.cells(share.scaled(100.0))
    }
}

/// Columns of estimates: value, lower and upper end.
pub(in crate::command) const TRICKS: [&str; 3] = ["tricks", "tricks_low", "tricks_high"];
pub(super) const SCORE: [&str; 3] = ["score", "score_low", "score_high"];
pub(super) const IMPS: [&str; 3] = ["imps", "imps_low", "imps_high"];
pub(super) const MATCHPOINTS: [&str; 3] = ["mp_pct", "mp_low", "mp_high"];
const SETS: [&str; 3] = ["set_pct", "set_low", "set_high"];

fn table(results: &[LeadResult], estimates: EstimateCells) -> Listing {
    let columns = [TRICKS, SETS, SCORE, IMPS, MATCHPOINTS];
    let columns = columns
        .into_iter()
        .flat_map(|names| estimates.titles(names));
    let columns: Vec<&str> = std::iter::once("lead").chain(columns).collect();
    let mut table = Listing::new(&columns);
    for result in results {
        let mut row = vec![ListingCell::Text(name(result.cards))];
        row.extend(estimates.cells(result.tricks));
        row.extend(estimates.percentage(result.sets));
        row.extend(estimates.cells(result.score));
        row.extend(estimates.cells(result.imps));
        row.extend(estimates.percentage(result.matchpoints));
        table.push(row);
    }
    table
}

fn set_table(tally: &SetTally, estimates: EstimateCells) -> Listing {
    let columns: Vec<&str> = std::iter::once("lead")
        .chain(estimates.titles(SETS))
        .collect();
    let mut table = Listing::new(&columns);
    for (cards, sets) in tally.results() {
        let mut row = vec![ListingCell::Text(name(cards))];
        row.extend(estimates.percentage(sets));
        table.push(row);
    }
    table
}
