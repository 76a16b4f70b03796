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
use crate::table::{Cell, Table, TableFormat};
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
        set_table(&tally).write(args.format, &mut out)?;
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
        let page = lead_study_page(question, &results, solved);
        whole_file::write(path, page.as_bytes())?;
    }
    table(&results).write(args.format, &mut out)?;
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

/// Returns the two cells of a mean: value and half the width of its confidence interval, if it has one.
pub(super) fn mean(estimate: Estimate, decimals: usize) -> [Cell; 2] {
    let margin = match estimate.margin() {
        margin if margin.is_nan() => Cell::Empty,
        margin => Cell::Decimal(margin, decimals),
    };
    [Cell::Decimal(estimate.value, decimals), margin]
}

/// Returns the three cells of a share in percent: value and both ends of its confidence interval.
pub(super) fn percentage(share: Estimate) -> [Cell; 3] {
    let Estimate { value, low, high } = share.scaled(100.0);
    [value, low, high].map(|percent| Cell::Decimal(percent, 1))
}

fn table(results: &[LeadResult]) -> Table {
    let mut table = Table::new(&[
        "lead",
        "tricks",
        "tricks_ci",
        "set_pct",
        "set_low",
        "set_high",
        "score",
        "score_ci",
        "imps",
        "imps_ci",
        "mp_pct",
        "mp_ci",
    ]);
    for result in results {
        let mut row = vec![Cell::Text(name(result.cards))];
        row.extend(mean(result.tricks, 3));
        row.extend(percentage(result.sets));
        row.extend(mean(result.score, 1));
        row.extend(mean(result.imps, 3));
        row.extend(mean(result.matchpoints.scaled(100.0), 1));
        table.push(row);
    }
    table
}

fn set_table(tally: &SetTally) -> Table {
    let mut table = Table::new(&["lead", "set_pct", "set_low", "set_high"]);
    for (cards, sets) in tally.results() {
        let mut row = vec![Cell::Text(name(cards))];
        row.extend(percentage(sets));
        table.push(row);
    }
    table
}
