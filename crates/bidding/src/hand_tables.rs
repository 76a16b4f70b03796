//! Tables of the hands that fit an auction: points, lengths and honours of each seat, counted or measured.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cards::{Card, Deal, Hand, Rank, Seat, Suit};
use engine::{Bin, ExactTable, Probability};
use session::{ExecutionOptions, Job, ProducedDeal};

use crate::{AuctionReading, NumberRange};

/// Number of deals tried to estimate the share that fits, if it cannot be counted.
const TRIAL_DEALS: u64 = 100_000;
/// Number of deals on which tables are measured that cannot be counted.
const MEASURED_DEALS: u64 = 20_000;
/// Part of the time limit for counting; the rest is for measuring and dealing.
const COUNTING: f64 = 0.5;

/// Tables and layouts to make of the hands that fit an auction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandTableOptions {
    /// Whether to tabulate who has the aces, kings and queens.
    pub honours: bool,
    /// Number of layouts to deal.
    pub layouts: u64,
    /// Seed of the layouts, and of the deals on which tables are measured.
    pub seed: i64,
    /// Estimated time limit for counting one table, in nanoseconds. Tables that would take longer are measured.
    pub table_nanoseconds: f64,
    /// Maximum number of deals to try for layouts and measured tables.
    pub tries: u64,
}

impl Default for HandTableOptions {
    fn default() -> Self {
        HandTableOptions {
            honours: false,
            layouts: 0,
            seed: 1,
            table_nanoseconds: 2e9,
            tries: 1_000_000_000,
        }
    }
}

/// A property of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandQuantity {
    /// High card points.
    Hcp,
    /// Number of cards in a suit.
    Length(Suit),
    /// 1 if the hand has the card.
    Holds(Card),
}

/// How often each value of a quantity comes among the deals that fit.
#[derive(Clone, Debug, PartialEq)]
pub struct HandTable {
    /// Owner of the hand.
    pub seat: Seat,
    /// The tabulated property.
    pub quantity: HandQuantity,
    /// The values that come, with their shares from 0 to 1.
    pub shares: Vec<(i32, f64)>,
    /// Whether the shares were counted; otherwise they are those of the measured deals.
    pub is_exact: bool,
}

/// The hands that fit an auction, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct HandTables {
    /// Share of the deals that fit, among all deals with the known hands.
    pub fitting: Probability,
    /// The tables: points and lengths of each unknown hand, then the honours. Empty if there are neither counts nor measured
    /// deals.
    pub tables: Vec<HandTable>,
    /// Number of deals on which tables were measured; `None` if all tables were counted.
    pub measured: Option<u64>,
    /// Layouts, drawn uniformly from the deals that fit. If the time or the number of tries ended first, there are fewer than
    /// requested.
    pub layouts: Vec<Deal>,
}

/// The reason why there are no tables.
#[derive(Debug)]
#[non_exhaustive]
pub enum HandTablesError {
    /// No deal fits.
    NoDeals,
    /// The deals could not be counted or made, or the computation was cancelled.
    Session(session::Error),
}

impl fmt::Display for HandTablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HandTablesError::NoDeals => f.write_str(
                "no deal fits the auction and the hands; the meanings of the calls contradict each other",
            ),
            HandTablesError::Session(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HandTablesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            HandTablesError::NoDeals => None,
            HandTablesError::Session(error) => Some(error),
        }
    }
}

impl From<session::Error> for HandTablesError {
    fn from(error: session::Error) -> HandTablesError {
        HandTablesError::Session(error)
    }
}

impl HandQuantity {
    /// Returns the value of a hand.
    #[must_use]
    pub fn value(self, hand: Hand) -> i32 {
        match self {
            HandQuantity::Hcp => valuation::hcp(hand),
            HandQuantity::Length(suit) => hand.holding(suit).len() as i32,
            HandQuantity::Holds(card) => i32::from(hand.contains(card)),
        }
    }
}

impl fmt::Display for HandQuantity {
    /// Writes `HCP`, the name of the suit, or the card as in the dealer language: `KS`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HandQuantity::Hcp => f.write_str("HCP"),
            HandQuantity::Length(suit) => f.write_str(suit.name()),
            HandQuantity::Holds(card) => {
                write!(f, "{}{}", card.rank().letter(), card.suit().letter())
            }
        }
    }
}

impl AuctionReading {
    /// Returns the script for the shown hands of the other seats, with the `known` hands as predealt cards.
    #[must_use]
    pub fn script_with(&self, known: &[(Seat, Hand)]) -> String {
        let seats: Vec<Seat> = known.iter().map(|&(seat, _)| seat).collect();
        let predeal = known
            .iter()
            .map(|(seat, hand)| format!("predeal {} {}\n", seat.name(), hand.suit_holdings()));
        predeal.collect::<String>() + &self.script(&seats)
    }

    /// Tabulates the hands of the deals that fit the auction and have the `known` hands. Shares that cannot be counted are
    /// measured on dealt hands. A time limit in `execution` ends the counting after half of it, and the measuring with the deals
    /// made by then.
    ///
    /// # Errors
    /// If no deal fits, or the computation is cancelled.
    pub fn tables(
        &self,
        known: &[(Seat, Hand)],
        options: &HandTableOptions,
        execution: &ExecutionOptions,
    ) -> Result<HandTables, HandTablesError> {
        let started = execution.clock.then(Instant::now);
        let limit = execution.time_limit.filter(|_| execution.clock);
        let quantities = quantities(known, options.honours);
        let actions = quantities.iter().map(|it| self.action(*it));
        let actions: Vec<String> = actions.collect();
        let script = format!(
            "{}action {}\n",
            self.script_with(known),
            actions.join(",\n  ")
        );
        let job = |time_limit: Option<Duration>| {
            let execution = ExecutionOptions {
                time_limit,
                ..execution.clone()
            };
            let job = Job::new(script.as_str()).name("auction").as_dealt();
            job.seed(options.seed).execution(execution)
        };
        let counting = job(limit.map(|limit| limit.mul_f64(COUNTING))).prepare()?;
        let found = counting.chances(TRIAL_DEALS, options.table_nanoseconds)?;
        if found.condition.bound.hits() == 0 {
            return Err(HandTablesError::NoDeals);
        }
        let counted: Vec<Option<Vec<(i32, f64)>>> = quantities
            .iter()
            .map(|&it| {
                let mut tables = found.tables.tables.iter();
                let table = tables.find(|table| table.label == Some(label(it)))?;
                Some(exact_shares(table))
            })
            .collect();
        let is_measured = counted.iter().any(Option::is_none);
        let wanted = match is_measured {
            true => options.layouts.max(MEASURED_DEALS),
            false => options.layouts,
        };
        let left = limit.map(|limit| {
            let spent = started.map(|started| started.elapsed()).unwrap_or_default();
            limit.saturating_sub(spent)
        });
        let mut deals = Vec::new();
        if wanted > 0 {
            let measuring = job(left).produce(wanted).generate(options.tries);
            let mut session = measuring.prepare()?;
            session.retain_actions(|_| false);
            session.run(&mut |produced: &ProducedDeal<'_>| {
                deals.push(produced.deal);
                ControlFlow::Continue(())
            })?;
        }
        let tables = quantities.iter().zip(counted);
        let tables = tables.filter_map(|(&(seat, quantity), shares)| {
            let is_exact = shares.is_some();
            let shares = shares.unwrap_or_else(|| measured_shares(seat, quantity, &deals));
            (!shares.is_empty()).then_some(HandTable {
                seat,
                quantity,
                shares,
                is_exact,
            })
        });
        let tables = tables.collect();
        let measured = is_measured.then_some(deals.len() as u64);
        deals.truncate(usize::try_from(options.layouts).unwrap_or(usize::MAX));
        Ok(HandTables {
            fitting: found.condition,
            tables,
            measured,
            layouts: deals,
        })
    }

    /// Returns the script action that tabulates a quantity over the range that the auction leaves.
    fn action(&self, (seat, quantity): (Seat, HandQuantity)) -> String {
        let hull = self.seats[seat].hull();
        let name = seat.name();
        let (value, NumberRange { least, most }) = match quantity {
            HandQuantity::Hcp => (format!("hcp({name})"), hull.hcp),
            HandQuantity::Length(suit) => (format!("{}({name})", suit.name()), hull.lengths[suit]),
            HandQuantity::Holds(_) => (
                format!("hascard({name}, {quantity})"),
                NumberRange::new(0, 1),
            ),
        };
        let label = label((seat, quantity));
        format!("frequency \"{label}\" ({value}, {least}, {most})")
    }
}

/// Returns the title of a table in the script.
fn label((seat, quantity): (Seat, HandQuantity)) -> String {
    format!("{} {quantity}", seat.name())
}

/// Returns what to tabulate: points and lengths of each unknown hand, then each honour that is in no known hand.
fn quantities(known: &[(Seat, Hand)], honours: bool) -> Vec<(Seat, HandQuantity)> {
    let is_unknown = |seat: &Seat| known.iter().all(|(known, _)| known != seat);
    let seats: Vec<Seat> = Seat::ALL.into_iter().filter(is_unknown).collect();
    let mut all = Vec::new();
    for &seat in &seats {
        all.push((seat, HandQuantity::Hcp));
        all.extend(Suit::DESCENDING.map(|suit| (seat, HandQuantity::Length(suit))));
    }
    for suit in Suit::DESCENDING.into_iter().filter(|_| honours) {
        for rank in [Rank::ACE, Rank::KING, Rank::QUEEN] {
            let card = Card::new(suit, rank);
            if known.iter().all(|(_, hand)| !hand.contains(card)) {
                all.extend(seats.iter().map(|&seat| (seat, HandQuantity::Holds(card))));
            }
        }
    }
    all
}

/// Returns the shares of a counted table. Values outside its range do not come.
fn exact_shares(table: &ExactTable) -> Vec<(i32, f64)> {
    let value = |bin: &Bin| bin.low.filter(|_| bin.low == bin.high);
    let rows = table.rows.iter().zip(&table.cells);
    rows.filter_map(|(bin, &share)| Some((value(bin)?, share)))
        .filter(|&(_, share)| share > 0.0)
        .collect()
}

/// Returns the shares among dealt hands.
fn measured_shares(seat: Seat, quantity: HandQuantity, deals: &[Deal]) -> Vec<(i32, f64)> {
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    for deal in deals {
        *counts.entry(quantity.value(deal[seat])).or_default() += 1;
    }
    let share = |(value, count)| (value, count as f64 / deals.len() as f64);
    counts.into_iter().map(share).collect()
}
