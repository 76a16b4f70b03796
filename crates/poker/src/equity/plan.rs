//! Estimates the work of each algorithm and chooses one.

use std::fmt;

use cards::CardSet;

use super::boards::{Sweep, representatives};
use super::dealt::Dealt;
use super::fixed::binomial;
use super::hands::{MAX_TUPLES, hand_by_hand};
use super::many_ranges::{self, ManyRanges};
use super::monte_carlo::Simulation;
use super::outcome::from_sets;
use super::preflop::Preflop;
use super::symmetry::SuitPermutation;
use super::threads::sum_in_parallel;
use super::three_ranges::ThreeRanges;
use super::tuples::Ranges;
use super::{Equity, EquityError, EquityMethod, EquityOptions, Query};
use crate::range::{Weight, for_each_hand};
use crate::{Game, Range};

/// The algorithm of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// All deals: counts the boards for each combination of hands, up to exchange of suits.
    HandByHand,
    /// All deals: ranks every hand once on each board.
    BoardByBoard,
    /// All deals, from the table of match-ups before the flop.
    Table,
    /// All deals, one by one.
    DealByDeal,
    /// Deals drawn at random.
    MonteCarlo,
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Algorithm::HandByHand => "exact, hand by hand",
            Algorithm::BoardByBoard => "exact, board by board",
            Algorithm::Table => "exact, from the preflop table",
            Algorithm::DealByDeal => "exact, deal by deal",
            Algorithm::MonteCarlo => "simulation",
        })
    }
}

/// Maximum work, in nanoseconds of one core, for which deals are counted by default. The choice must not depend on the
/// machine or its load, so it uses estimates.
const MAX_EXACT_NANOSECONDS: f64 = 10e9;

/// The hands that a player may hold, without those that board and dead cards exclude.
pub(super) enum Holding {
    /// Hands with integer weights.
    Listed(Vec<(CardSet, u64)>),
    /// Any hand of the remaining cards, all equally likely; their number. Six-card Omaha has twenty million, which are
    /// listed only if an algorithm needs each.
    Anything(u64),
}

impl Holding {
    fn len(&self) -> usize {
        match self {
            Holding::Listed(hands) => hands.len(),
            Holding::Anything(hands) => *hands as usize,
        }
    }

    fn sum(&self) -> u128 {
        match self {
            Holding::Listed(hands) => hands.iter().map(|&(_, w)| u128::from(w)).sum(),
            Holding::Anything(hands) => (*hands).into(),
        }
    }
}

/// The players' holdings with integer weights, and after them those of folded hands.
pub(super) struct Playable {
    holdings: Vec<Holding>,
    /// The count that a weight of one stands for: the product over the ranges. `None` if it is too large.
    unit: Option<u128>,
}

/// The largest unit with which results can be printed digit by digit.
const LARGEST_UNIT: u128 = 10u128.pow(36);

impl Playable {
    pub(super) fn new(query: &Query) -> Result<Playable, EquityError> {
        let left = query.left();
        let full = query.game.hole_cards();
        let fits = |hand: CardSet| match query.game.deals_own_cards() {
            true => hand.len() <= full,
            false => hand.len() == full,
        };
        let mut holdings = Vec::new();
        let mut unit = Some(1u128);
        // Any hand as a folded hand leaves all cards equally likely.
        for (number, range) in (1..).zip(query.players.iter().chain(&query.folded)) {
            if range.is_everything_in(query.game) {
                if number > query.players.len() {
                    continue;
                }
                holdings.push(Holding::Anything(binomial(
                    left.len(),
                    query.game.hole_cards(),
                )));
                continue;
            }
            let hands: Vec<_> = range
                .hands()
                .iter()
                .filter(|(hand, _)| left.contains_all(*hand))
                .filter(|(hand, _)| number <= query.players.len() || fits(*hand))
                .collect();
            if hands.is_empty() {
                let range = range.to_string();
                return Err(match number.checked_sub(query.players.len()) {
                    None | Some(0) => EquityError::NothingLeft {
                        player: number,
                        range,
                    },
                    Some(number) => EquityError::FoldedRange { number, range },
                });
            }
            let one = Weight::ONE.millionths();
            let step = hands
                .iter()
                .fold(one, |step, (_, w)| greatest_divisor(step, w.millionths()));
            let in_steps =
                |(hand, weight): &&(CardSet, Weight)| (*hand, weight.millionths() / step);
            holdings.push(Holding::Listed(hands.iter().map(in_steps).collect()));
            unit = unit
                .and_then(|unit| unit.checked_mul(u128::from(one / step)))
                .filter(|&unit| unit <= LARGEST_UNIT);
        }
        Ok(Playable { holdings, unit })
    }

    /// Returns the hands that each player may hold.
    pub(super) fn holdings(&self) -> &[Holding] {
        &self.holdings
    }

    /// Returns all hands of all players.
    pub(super) fn lists(&self, query: &Query) -> Vec<Vec<(CardSet, u64)>> {
        let left = query.left();
        let list = |holding: &Holding| match holding {
            Holding::Listed(hands) => hands.clone(),
            Holding::Anything(_) => {
                let mut hands = Vec::with_capacity(holding.len());
                for_each_hand(left, query.game.hole_cards(), &mut |hand| {
                    hands.push((hand, 1))
                });
                hands.sort_unstable();
                hands
            }
        };
        self.holdings.iter().map(list).collect()
    }

    /// Returns the sums of the ranges' weights.
    fn sums(&self) -> impl Iterator<Item = u128> {
        self.holdings.iter().map(Holding::sum)
    }

    /// Returns whether the counts of all deals fit into 128 bits with room for shares.
    fn fits(&self, boards: u64) -> bool {
        let sums = self.sums().try_fold(u128::from(boards), u128::checked_mul);
        self.unit.is_some() && sums.is_some_and(|all| all < u128::MAX / 2520)
    }

    fn tuples(&self) -> f64 {
        self.holdings
            .iter()
            .map(|range| range.len() as f64)
            .product()
    }
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_divisor(b, a % b)
    }
}

/// Solves a query.
pub(super) fn solve(query: &Query, options: &EquityOptions) -> Result<Equity, EquityError> {
    query.check()?;
    let playable = Playable::new(query)?;
    let work = Work::estimate(query, &playable);
    let algorithm = match options.method {
        _ if query.game.is_split() || query.game.deals_own_cards() => Algorithm::DealByDeal,
        EquityMethod::MonteCarlo => Algorithm::MonteCarlo,
        _ if work.fits && has_table(query) => Algorithm::Table,
        EquityMethod::Exact if !work.fits => return Err(EquityError::TooLarge),
        EquityMethod::Auto if !work.fits || work.least() > MAX_EXACT_NANOSECONDS => {
            Algorithm::MonteCarlo
        }
        _ if work.board_by_board < work.hand_by_hand => Algorithm::BoardByBoard,
        _ => Algorithm::HandByHand,
    };
    let threads = options.threads.max(1);
    let unit = playable.unit.unwrap_or(1);
    let (counts, unit) = match algorithm {
        Algorithm::HandByHand => {
            let (ranges, symmetries) = (playable.lists(query), symmetries(query, &[]));
            (hand_by_hand(query, &ranges, &symmetries, threads), unit)
        }
        Algorithm::Table => {
            let ranges = playable.lists(query);
            (Preflop::table().count(&ranges, threads), unit)
        }
        Algorithm::BoardByBoard => {
            let ranges = playable.lists(query);
            (
                board_by_board(
                    query,
                    &ranges,
                    BoardMethod::choose(query, &playable).0,
                    threads,
                ),
                unit,
            )
        }
        Algorithm::DealByDeal => return solve_dealt(query, &playable, options),
        Algorithm::MonteCarlo => {
            let left = query.left();
            let (holdings, players) = (playable.holdings(), query.players.len());
            let simulation = Simulation::new(query.game, holdings, players, query.board, left)?;
            (simulation.run(options.seed, threads, options.stop)?, 1)
        }
    };
    if counts.iter().all(|&count| count == 0) {
        return Err(EquityError::NoDeal);
    }
    let names = query.players.iter().map(Range::to_string).collect();
    Ok(Equity {
        algorithm,
        names,
        outcomes: from_sets(&counts),
        unit,
    })
}

/// Returns whether the table of match-ups before the flop has the answer.
fn has_table(query: &Query) -> bool {
    let nothing_known = query.board.is_empty() && query.dead.is_empty() && query.folded.is_empty();
    query.game == Game::Holdem && query.players.len() == 2 && nothing_known
}

/// Solves a query of a game without the fast counts: by all deals, or a simulation.
fn solve_dealt(
    query: &Query,
    playable: &Playable,
    options: &EquityOptions,
) -> Result<Equity, EquityError> {
    let ranges = playable.lists(query);
    let dealt = Dealt::new(query, &ranges);
    let fits = playable.fits(dealt.completions().min(1e18) as u64);
    let draw = match options.method {
        EquityMethod::MonteCarlo => true,
        EquityMethod::Exact if !fits => return Err(EquityError::TooLarge),
        EquityMethod::Exact => false,
        EquityMethod::Auto => {
            !fits || playable.tuples() * dealt.nanoseconds() > MAX_EXACT_NANOSECONDS
        }
    };
    let threads = options.threads.max(1);
    let (algorithm, outcomes, unit) = if draw {
        let outcomes = dealt.simulate(options.seed, threads, options.stop)?;
        (Algorithm::MonteCarlo, outcomes, 1)
    } else {
        let outcomes = dealt.count(&symmetries(query, &[]), threads);
        (Algorithm::DealByDeal, outcomes, playable.unit.unwrap_or(1))
    };
    if outcomes.is_empty() {
        return Err(EquityError::NoDeal);
    }
    Ok(Equity {
        algorithm,
        names: query.players.iter().map(Range::to_string).collect(),
        outcomes,
        unit,
    })
}

/// Nanoseconds of a board with three ranges, and of a hand there, from measurements.
const THREE_RANGES: [f64; 2] = [5_000.0, 150.0];

/// The methods to count the hands of all players on a board, by their number of ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoardMethod {
    Two,
    Three,
    Many,
}

impl BoardMethod {
    /// Returns the fastest method and its estimated nanoseconds for each board; infinite if none is possible.
    fn choose(query: &Query, playable: &Playable) -> (BoardMethod, f64) {
        let sums: Vec<u128> = playable.sums().collect();
        let hands: usize = playable.holdings.iter().map(Holding::len).sum();
        if playable.holdings.len() > query.players.len() {
            // These methods have no place for folded hands.
            return (BoardMethod::Two, f64::INFINITY);
        }
        if query.players.len() == 2 {
            let fits = sums.iter().product::<u128>() < 1 << 63;
            let estimate = 300.0 + 15.0 * hands.min(1326) as f64;
            let estimate = if fits { estimate } else { f64::INFINITY };
            return (BoardMethod::Two, estimate);
        }
        let three = match ThreeRanges::fits(&sums) {
            true => THREE_RANGES[0] + THREE_RANGES[1] * hands as f64,
            false => f64::INFINITY,
        };
        let many = match ManyRanges::fits(&sums) && hands < 1 << 14 {
            true => many_ranges::nanoseconds(&playable.lists(query)),
            false => f64::INFINITY,
        };
        match three <= many {
            true => (BoardMethod::Three, three),
            false => (BoardMethod::Many, many),
        }
    }
}

/// Estimated nanoseconds of each algorithm, from measurements.
struct Work {
    hand_by_hand: f64,
    board_by_board: f64,
    fits: bool,
}

impl Work {
    fn estimate(query: &Query, playable: &Playable) -> Work {
        let players = playable.holdings.len() as f64;
        let left = query.left().len();
        let missing = query.game.board_cards() - query.board.len();
        let tuples = playable.tuples();
        let fixing = symmetries(query, &[]).len() as f64;
        let cards_left = left.saturating_sub(playable.holdings.len() * query.game.hole_cards());
        let boards = binomial(cards_left, missing);
        let per_class = match query.game {
            Game::Omaha | Game::Omaha5 | Game::Omaha6 => {
                let pairs = binomial(query.game.hole_cards(), 2) as f64;
                match missing {
                    2 => (2_000.0 + 700.0 * pairs) * players,
                    _ => boards as f64 * 12.5 * pairs * players,
                }
            }
            _ => {
                let heads_up = [20.0, 200.0, 2_000.0, 9_000.0, 30_000.0, 110_000.0][missing];
                heads_up * (players - 1.0)
            }
        };
        let hand_by_hand = if tuples <= MAX_TUPLES {
            // Few hands have as many images as there are symmetries.
            let classes = (2.0 * tuples / fixing).max(1.0).min(tuples);
            tuples * 40.0 * players + classes * per_class
        } else {
            tuples * (20.0 * players + per_class)
        };
        let per_board = match query.game.has_two_hole_cards() {
            true => BoardMethod::choose(query, playable).1,
            false => f64::INFINITY,
        };
        let joined = symmetries(query, &query.players).len() as f64;
        let board_by_board = per_board * binomial(left, missing) as f64 / joined;
        Work {
            hand_by_hand,
            board_by_board,
            fits: playable.fits(boards),
        }
    }

    fn least(&self) -> f64 {
        self.hand_by_hand.min(self.board_by_board)
    }
}

/// Returns the exchanges of suits that change neither board nor dead cards nor the given ranges.
fn symmetries(query: &Query, ranges: &[Range]) -> Vec<SuitPermutation> {
    let keeps = |permutation: &SuitPermutation| {
        permutation.fixes(query.board)
            && permutation.fixes(query.dead)
            && ranges.iter().all(|range| {
                range.is_everything_in(query.game) || permutation.fixes_range(range.hands())
            })
    };
    SuitPermutation::all().into_iter().filter(keeps).collect()
}

fn board_by_board(
    query: &Query,
    ranges: &Ranges,
    method: BoardMethod,
    threads: usize,
) -> Vec<u128> {
    /// Boards that a thread takes at a time.
    const CHUNK: usize = 32;
    let boards = representatives(
        query.board,
        query.left(),
        5,
        &symmetries(query, &query.players),
    );
    let chunk = |item: usize| boards.iter().skip(item * CHUNK).take(CHUNK);
    let (items, rules) = (boards.len().div_ceil(CHUNK), query.game.rules());
    match method {
        BoardMethod::Two => sum_in_parallel(threads, items, 4, || {
            let mut two = Sweep::new(rules, ranges);
            move |item: usize, sums: &mut [u128]| {
                chunk(item).for_each(|&board| two.add(board, sums));
            }
        }),
        BoardMethod::Three => sum_in_parallel(threads, items, 8, || {
            let mut three = ThreeRanges::new(rules, ranges);
            move |item: usize, sums: &mut [u128]| {
                chunk(item).for_each(|&board| three.add(board, sums));
            }
        }),
        BoardMethod::Many => sum_in_parallel(threads, items, 1 << ranges.len(), || {
            let mut many = ManyRanges::new(rules, ranges);
            move |item: usize, sums: &mut [u128]| {
                chunk(item).for_each(|&board| many.add(board, sums));
            }
        }),
    }
}
