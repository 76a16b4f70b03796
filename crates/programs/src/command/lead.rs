//! `croupier lead`: which opening lead is best, by double-dummy analysis of many layouts.

mod html;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use cards::{CardSet, Deal, Hand, Seat, Vulnerability, notation};
use engine::parallel;
use solver::Solver;
use solver::study::{Declared, Estimate, LeadResult, LeadStudy, SetStudy};
use studies::{Examined, LeadSample, Precision, Stopping};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::layouts::Layouts;
use crate::progress::Progress;
use crate::table::{Cell, Table, TableFormat};
use crate::whole_file;

/// Find the best opening lead against a contract.
///
/// Deals layouts that satisfy the script (the auction as a condition), solves each for every lead of
/// the hand to declarer's left, and tells for every lead: tricks for the defence, how often it beats
/// the contract, and IMPs and matchpoints against the other leads, each with its 95 % confidence
/// interval. Cards in sequence are one lead.
#[derive(clap::Args)]
pub struct Args {
    /// Contract and declarer: 3N-S, 4Hx-W; without a declarer South plays it [default: that of --auction].
    #[arg(short = 'k', long, value_name = "CONTRACT")]
    contract: Option<Declared>,
    /// The leader's hand, KQJ4.T9.A2.87632; without it the script must predeal all its cards.
    #[arg(short = 'H', long, value_name = "HAND", value_parser = hand)]
    hand: Option<Hand>,
    /// Who is vulnerable: none, ns, ew or both [default: the script's, else none].
    #[arg(long, value_name = "WHO")]
    vulnerable: Option<Vulnerability>,
    /// Only find out how often each lead beats the contract: several times faster.
    #[arg(long, conflicts_with_all = ["html", "precision", "control"])]
    sets_only: bool,
    /// How to write the table.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the table instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Also write a report for the browser.
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

/// What is studied.
struct Question {
    contract: Declared,
    hand: Hand,
    vulnerability: Vulnerability,
}

impl Question {
    fn leader(&self) -> Seat {
        self.contract.declarer.next()
    }

    fn vulnerable(&self) -> bool {
        self.vulnerability.includes(self.contract.declarer.side())
    }
}

/// Runs the command.
///
/// # Errors
/// If the script is wrong, the leader's hand is not known, or a file cannot be written.
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
    let question = Question {
        contract,
        hand: plan.predeal[leader],
        vulnerability: args
            .vulnerable
            .or(plan.settings.vulnerable)
            .unwrap_or(Vulnerability::None),
    };
    if question.hand.len() != 13 {
        return Err(Failure::usage(format!(
            "{leader}, who leads, has {} known cards; give all 13 with --hand or by predeal",
            question.hand.len()
        )));
    }
    let (deals, most) = args.layouts.deals(&session)?;
    let mut out = Vec::new();
    let text = args.format == TableFormat::Text;
    if args.sets_only {
        let (study, solved) = study_sets(&question, &deals[..most], &args.layouts);
        if solved == 0 {
            return Err(args.layouts.nothing_yet());
        }
        if text {
            writeln!(out, "{}", heading(&question, solved))?;
        }
        set_table(&study).write(args.format, &mut out)?;
        whole_file::write(&args.output, &out)?;
        args.layouts.tell_interrupt(solved as u64, most);
        return Ok(args.layouts.interrupt.exit_code());
    }
    let (study, sample) = study(&question, &deals, most, &args.layouts);
    if study.layouts() == 0 {
        return Err(args.layouts.nothing_yet());
    }
    let results = match &sample {
        Some(sample) => sample.sharpen(study.results()),
        None => study.results(),
    };
    if text {
        let seen = sample.map_or(String::new(), |sample| {
            solved_of(sample.solved(), sample.looked_into(), deals.len())
        });
        writeln!(
            out,
            "{}{seen}",
            heading(&question, study.layouts() as usize)
        )?;
    }
    if let Some(path) = &args.html {
        let page = html::page(&question, &results, study.layouts());
        whole_file::write(path, page.as_bytes())?;
    }
    table(&results).write(args.format, &mut out)?;
    whole_file::write(&args.output, &out)?;
    args.layouts.tell_interrupt(study.layouts(), most);
    Ok(args.layouts.interrupt.exit_code())
}

/// Returns the contract: as given, else that of the auction, whose hands then are the layouts.
fn contract(args: &mut Args) -> Result<Declared, Failure> {
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

/// Asks about layouts on all threads and hands the answers over in order, until `take` has enough; it tells how many layouts
/// were solved for each. At most `most` will be.
fn solve<'a, T: Send>(
    layouts_to_ask: impl Iterator<Item = (usize, &'a Deal)> + Send,
    most: usize,
    layouts: &Layouts,
    ask: impl Fn(&mut Solver, (usize, &Deal)) -> T + Sync,
    mut take: impl FnMut(T) -> (usize, ControlFlow<()>),
) {
    let mut progress = Progress::new("layouts", Some(most as u64));
    let solver = || layouts.memory.solver();
    let ask = |solver: &mut Solver, task: (usize, &'a Deal)| {
        (!layouts.interrupt.came()).then(|| ask(solver, task))
    };
    let threads = layouts.threads.count();
    let _ = parallel::ordered_map(threads, layouts_to_ask, solver, ask, |answer| {
        let Some(answer) = answer else {
            return ControlFlow::Break(());
        };
        let (solved, flow) = take(answer);
        progress.advance(solved as u64);
        flow
    });
    progress.finish();
}

/// Solves at most so many of the deals, and looks at the others if that is wished.
fn study<'a>(
    question: &Question,
    deals: &'a [Deal],
    most: usize,
    layouts: &Layouts,
) -> (LeadStudy, Option<LeadSample<'a>>) {
    let Declared { contract, declarer } = question.contract;
    let (hand, vulnerable) = (question.hand, question.vulnerable());
    let mut study = LeadStudy::new(hand, contract, vulnerable);
    let declared = question.contract;
    let mut sample = match (layouts.looks_further(), layouts.precision) {
        (false, _) => None,
        (true, None) => Some(LeadSample::new(hand, declared, vulnerable, deals)),
        (true, Some(Precision { unit, .. })) => {
            let cut = layouts.cut(deals.len());
            let sample = LeadSample::choosing(hand, declared, vulnerable, unit, deals, cut);
            Some(sample)
        }
    };
    let mut stopping = layouts.precision.map(Stopping::at);
    let examiner = sample.as_ref().map(LeadSample::examiner);
    let stream: Box<dyn Iterator<Item = (usize, &'a Deal)> + Send> = match &sample {
        Some(sample) => Box::new(sample.stream()),
        None => Box::new(deals.iter().enumerate().take(most)),
    };
    let ask = |solver: &mut Solver, (place, deal): (usize, &Deal)| {
        let examined = examiner.as_ref().map(|it| it.examine(solver, place, deal));
        let chosen = examined.as_ref().is_none_or(Examined::is_chosen);
        let leads = chosen.then(|| solver.leads(deal, declarer, contract.strain));
        (examined, leads)
    };
    solve(stream, most, layouts, ask, |(examined, leads)| {
        if let Some(leads) = &leads {
            study.add(leads);
        }
        let solved = usize::from(leads.is_some());
        let (Some(sample), Some(examined)) = (&mut sample, examined) else {
            return (solved, ControlFlow::Continue(()));
        };
        sample.add(examined, leads.as_ref());
        let enough = |stopping: &mut Stopping| {
            solved > 0 && stopping.enough(sample.solved(), |precision| sample.reached(precision))
        };
        match stopping.as_mut().is_some_and(enough) || sample.solved() >= most {
            true => (solved, ControlFlow::Break(())),
            false => (solved, ControlFlow::Continue(())),
        }
    });
    (study, sample)
}

/// The study and how many layouts were solved for it.
fn study_sets(question: &Question, deals: &[Deal], layouts: &Layouts) -> (SetStudy, usize) {
    let Declared { contract, declarer } = question.contract;
    let enough = 14 - contract.tricks_needed();
    let mut study = SetStudy::new(question.hand);
    let ask = |solver: &mut Solver, (_, deal): (usize, &Deal)| {
        solver.leads_taking(deal, declarer, contract.strain, enough)
    };
    let mut solved = 0;
    let all = deals.iter().enumerate();
    solve(all, deals.len(), layouts, ask, |beating| {
        study.add(beating);
        solved += 1;
        (1, ControlFlow::Continue(()))
    });
    (study, solved)
}

/// How a number of solved deals goes on: of how many, and how many were looked into by short searches.
pub(super) fn solved_of(solved: usize, looked_into: usize, all: usize) -> String {
    match looked_into > solved {
        true => format!(" solved, {looked_into} looked into, of {all}"),
        false => format!(" solved of {all}"),
    }
}

fn heading(question: &Question, layouts: usize) -> String {
    format!(
        "{} leads {} against {}, {} vulnerable, {layouts} layouts",
        question.leader(),
        question.hand,
        question.contract,
        if question.vulnerable() {
            "declarer"
        } else {
            "declarer not"
        },
    )
}

/// Suit and ranks: `SKQJ`.
fn name(cards: CardSet) -> String {
    cards.suit_holdings().to_string()
}

/// The two cells of a mean: value and half the width of its interval, if there is one.
pub(super) fn mean(estimate: Estimate, decimals: usize) -> [Cell; 2] {
    let margin = match estimate.margin() {
        margin if margin.is_nan() => Cell::Empty,
        margin => Cell::Decimal(margin, decimals),
    };
    [Cell::Decimal(estimate.value, decimals), margin]
}

/// The three cells of a share in percent: value and both ends of its interval.
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

fn set_table(study: &SetStudy) -> Table {
    let mut table = Table::new(&["lead", "set_pct", "set_low", "set_high"]);
    for (cards, sets) in study.results() {
        let mut row = vec![Cell::Text(name(cards))];
        row.extend(percentage(sets));
        table.push(row);
    }
    table
}
