//! `croupier.bid` and `croupier.infer`: auctions of the built-in systems, and the hands that they show.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use croupier::bidding::auction::call_text;
use croupier::bidding::{
    Auction, AuctionReading, BiddingSetting, BuiltInRobots, DEFAULT_CALL_TIME, Detail,
    HandTableOptions, OpenSystems, SystemName,
};
use croupier::cards::{Hand, Seat, Vulnerability};
use croupier::formats::Board as FileBoard;
use croupier::session::{ExecutionOptions, Job};
use pyo3::prelude::*;

use crate::arguments::{self, SeatArgument, VulnerabilityArgument, value_error};
use crate::board::Board;
use crate::contract::Contract;
use crate::deal::Deal;
use crate::hand::HandArgument;
use crate::script::DealError;
use crate::systems::{SystemArgument, open_systems};
use crate::waiting::{Events, Link, wait};

/// Gives a job the robots of its systems, or those that bid if no system is named.
pub(crate) fn with_robots(job: Job) -> Job {
    let Some(systems) = job.spec().systems.clone() else {
        return job.robots(Arc::new(BuiltInRobots::default()));
    };
    let open = |[north_south, east_west]: [String; 2]| {
        let names = [
            SystemName::parse(&north_south)?,
            SystemName::parse(&east_west)?,
        ];
        OpenSystems::new(names.each_ref(), DEFAULT_CALL_TIME)
    };
    match open(systems) {
        Ok(systems) => job.robots(Arc::new(systems)),
        // The systems were checked when the job was made; a file that has gone since is reported by the run.
        Err(_) => job,
    }
}

/// Bids boards and returns them with their auctions.
#[pyfunction]
#[pyo3(signature = (boards, north_south, east_west, notes, seconds, threads, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn bid_boards(
    py: Python<'_>,
    boards: Vec<Bound<'_, Board>>,
    north_south: SystemArgument,
    east_west: SystemArgument,
    notes: bool,
    seconds: f64,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Board>> {
    let mut settings = Vec::new();
    let mut open: Vec<FileBoard> = Vec::new();
    for (number, board) in (1..).zip(&boards) {
        let whole = board.get().whole()?;
        let board = board.get().0.clone().with_number(number);
        let (_, dealer, vulnerability) = board.place();
        settings.push(BiddingSetting {
            deal: whole,
            dealer,
            vulnerability,
        });
        open.push(board);
    }
    let systems = open_systems(py, [&north_south, &east_west], seconds)?;
    let link = Link::default();
    let shared = link.clone();
    let work = move |_: &Events<(), _>| {
        let table = systems.table();
        let detail = match notes {
            true => Detail::Explained,
            false => Detail::Call,
        };
        let mut done = Vec::new();
        let mut open = open.into_iter();
        let end = table.bid_all(settings, threads, detail, |bidding| {
            if let Some(mut board) = open.next() {
                board.record = Some(Box::new(bidding.record()));
                done.push(Board(board));
                shared.set_done(done.len() as u64);
            }
            match shared.is_cancelled() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        end.map(|()| done).map_err(|error| error.to_string())
    };
    wait(py, &link, progress, work, |()| Ok(()))?.map_err(DealError::new_err)
}

/// Seat, call and meaning of a call, and whether it is conventional.
type CallRow<'py> = (Bound<'py, PyAny>, String, String, bool);

/// The condition of a seat's hand, and the definitions that it uses.
type SeatCondition = (String, Vec<String>);

/// The calls of an auction, the condition of each seat, a script, and the contract so far.
type ReadAuction<'py> = (
    Vec<CallRow<'py>>,
    Vec<Option<SeatCondition>>,
    String,
    Option<Contract>,
);

/// Returns the meaning of each call of an auction, the condition of each seat, the script for the hands of all seats except
/// `known`, and the contract so far. `hands` must fit the auction.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn read_auction<'py>(
    py: Python<'py>,
    auction: &str,
    dealer: SeatArgument,
    vulnerable: VulnerabilityArgument,
    north_south: SystemArgument,
    east_west: SystemArgument,
    known: Vec<SeatArgument>,
    hands: Vec<(SeatArgument, HandArgument)>,
) -> PyResult<ReadAuction<'py>> {
    let systems = [&north_south, &east_west];
    let hands: Vec<(Seat, Hand)> = hands.into_iter().map(|(seat, it)| (seat.0, it.0)).collect();
    let (read, reading) = shown_hands(py, auction, dealer.0, vulnerable.0, systems, &hands)?;
    let mut calls = Vec::new();
    for call in &reading.calls {
        calls.push((
            arguments::seat(py, call.seat)?,
            call.call.pbn(),
            call.text.clone(),
            call.is_alerted,
        ));
    }
    let conditions = Seat::ALL.map(|seat| {
        let condition = reading.condition(seat)?;
        Some((condition, reading.definitions(seat)))
    });
    let known: Vec<Seat> = known.into_iter().map(|seat| seat.0).collect();
    let declared = read.declared();
    let contract = declared.map(|it| Contract::of(it.contract, Some(it.declarer)));
    let script = reading.script(&known);
    Ok((calls, conditions.to_vec(), script, contract))
}

/// Reads an auction and checks that `hands` fit it.
fn shown_hands(
    py: Python<'_>,
    auction: &str,
    dealer: Seat,
    vulnerability: Vulnerability,
    systems: [&SystemArgument; 2],
    hands: &[(Seat, Hand)],
) -> PyResult<(Auction, AuctionReading)> {
    let rules = [systems[0].rules(py)?, systems[1].rules(py)?];
    let read = Auction::parse(auction, dealer)
        .map_err(|error| value_error(format!("{auction:?}: {error}")))?;
    let reading = py.detach(|| AuctionReading::new(rules.each_ref(), &read, vulnerability));
    for &(seat, hand) in hands {
        let wrong = reading.contradiction(rules.each_ref(), &read, vulnerability, seat, hand);
        if let Some(place) = wrong {
            let call = &reading.calls[place];
            return Err(value_error(format!(
                "{}'s hand {hand} contradicts the auction: {} shows {}",
                seat.name(),
                call_text(call.call),
                call.shown(),
            )));
        }
    }
    Ok((read, reading))
}

/// Number of deals that fit, number of all deals, and the passed and tried deals if the first number is only an upper bound.
type Fitting = (u128, u128, Option<(u64, u64)>);

/// A table: seat, property, values with their shares, and whether it was counted.
type TableRow<'py> = (Bound<'py, PyAny>, String, Vec<(i32, f64)>, bool);

/// Share of the deals that fit, tables, number of measured deals, and layouts.
type InferredTables<'py> = (Fitting, Vec<TableRow<'py>>, Option<u64>, Vec<Deal>);

/// Tabulates the hands that fit an auction. Returns the share of the deals that fit, the tables, the number of measured deals, and
/// layouts.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn infer_tables<'py>(
    py: Python<'py>,
    auction: &str,
    dealer: SeatArgument,
    vulnerable: VulnerabilityArgument,
    north_south: SystemArgument,
    east_west: SystemArgument,
    hands: Vec<(SeatArgument, HandArgument)>,
    honours: bool,
    layouts: u64,
    seed: i64,
    time: f64,
) -> PyResult<InferredTables<'py>> {
    let systems = [&north_south, &east_west];
    let hands: Vec<(Seat, Hand)> = hands.into_iter().map(|(seat, it)| (seat.0, it.0)).collect();
    let (_, reading) = shown_hands(py, auction, dealer.0, vulnerable.0, systems, &hands)?;
    let limit = Duration::try_from_secs_f64(time)
        .ok()
        .filter(|limit| !limit.is_zero());
    let limit =
        limit.ok_or_else(|| value_error(format!("time must be greater than 0, not {time}")))?;
    let link = Link::default();
    let execution = ExecutionOptions {
        time_limit: Some(limit),
        cancel: Arc::clone(&link.cancel),
        ..ExecutionOptions::default()
    };
    let options = HandTableOptions {
        honours,
        layouts,
        seed,
        ..HandTableOptions::default()
    };
    let work = move |_: &Events<(), _>| {
        let found = reading.tables(&hands, &options, &execution);
        found.map_err(|error| error.to_string())
    };
    let found = wait(py, &link, None, work, |()| Ok(()))?.map_err(DealError::new_err)?;
    let trial = found.fitting.trial.map(|trial| (trial.passed, trial.tried));
    let bound = &found.fitting.bound;
    let mut tables = Vec::new();
    for table in found.tables {
        tables.push((
            arguments::seat(py, table.seat)?,
            table.quantity.to_string(),
            table.shares,
            table.is_exact,
        ));
    }
    let layouts = found.layouts.into_iter().map(Deal).collect();
    Ok((
        (bound.hits(), bound.out_of(), trial),
        tables,
        found.measured,
        layouts,
    ))
}
