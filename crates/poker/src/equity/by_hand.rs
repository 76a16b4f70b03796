//! The equity of every hand of a range.

use cards::CardSet;

use super::boards::{Board, Sweep};
use super::outcome::ShareIntervals;
use super::plan::Playable;
use super::preflop::{BOARDS, Preflop, number};
use super::threads::sum_in_parallel;
use super::{EquityError, EquityOptions, Query};
use crate::range::Weight;
use crate::{Game, Range};

/// The equity of one hand of a range.
#[derive(Clone, Debug)]
pub struct HandEquity {
    /// The hand.
    pub hand: CardSet,
    /// Weight of the hand in the range.
    pub weight: Weight,
    /// Share of the pot that the hand wins: 0 to 1.
    pub equity: f64,
    /// The share of deals in which it takes the whole pot.
    pub win_share: f64,
    /// The share of deals in which it shares the pot.
    pub tie_share: f64,
    /// The weight of the opponents' hands that share no card with it. A mean over the range weights each hand by this
    /// times its own weight.
    pub room: f64,
    /// The standard error of the equity; `None` if it is exact.
    pub standard_error: Option<f64>,
    /// The 95 % intervals of equity, wins and ties; `None` if they are exact.
    pub intervals: Option<ShareIntervals>,
}

/// Returns the equity of each playable hand of player `player` (from 0).
pub(super) fn by_hand(
    query: &Query,
    player: usize,
    options: &EquityOptions,
) -> Result<Vec<HandEquity>, EquityError> {
    query.check()?;
    let playable = Playable::new(query)?;
    let heads_up =
        query.players.len() == 2 && query.folded.is_empty() && query.game.has_two_hole_cards();
    let weighted: Vec<(CardSet, Weight)> = query.players[player]
        .hands()
        .iter()
        .filter(|(hand, _)| query.left().contains_all(*hand))
        .copied()
        .collect();
    let nothing_known = query.board.is_empty() && query.dead.is_empty();
    if heads_up && query.game == Game::Holdem && nothing_known {
        return Ok(before_the_flop(
            &weighted,
            &playable.lists(query)[1 - player],
        ));
    }
    if heads_up && query.board.len() >= 3 {
        return Ok(on_a_board(
            query,
            &playable,
            player,
            &weighted,
            options.threads,
        ));
    }
    one_by_one(query, player, &weighted, options)
}

/// Makes the result of a hand from the weights of wins, ties and all deals.
fn summary(hand: CardSet, weight: Weight, [wins, ties, all]: [u128; 3], boards: f64) -> HandEquity {
    let total = all.max(1) as f64;
    HandEquity {
        hand,
        weight,
        equity: (wins as f64 + ties as f64 / 2.0) / total,
        win_share: wins as f64 / total,
        tie_share: ties as f64 / total,
        room: all as f64 / boards,
        standard_error: None,
        intervals: None,
    }
}

fn before_the_flop(hands: &[(CardSet, Weight)], others: &[(CardSet, u64)]) -> Vec<HandEquity> {
    let table = Preflop::table();
    let mut answers = Vec::with_capacity(hands.len());
    for &(hand, weight) in hands {
        let (row, images) = table.against(hand);
        let mut sums = [0u128; 3];
        for &(other, other_weight) in others.iter().filter(|(other, _)| other.is_disjoint(hand)) {
            let counts = row[usize::from(images[number(other)])];
            let other_weight = u128::from(other_weight);
            sums[0] += other_weight * u128::from(counts.wins);
            sums[1] += other_weight * u128::from(counts.ties);
            sums[2] += other_weight * u128::from(BOARDS);
        }
        if sums[2] > 0 {
            answers.push(summary(hand, weight, sums, BOARDS.into()));
        }
    }
    answers
}

fn on_a_board(
    query: &Query,
    playable: &Playable,
    player: usize,
    hands: &[(CardSet, Weight)],
    threads: usize,
) -> Vec<HandEquity> {
    let lists = playable.lists(query);
    let ranges = [&lists[player], &lists[1 - player]].map(Clone::clone);
    let boards = Board::all(query.board, query.left());
    let entries = Sweep::new(query.game.rules(), &ranges).hands();
    let sums = sum_in_parallel(threads.max(1), boards.len(), 3 * entries.len(), || {
        let mut sweep = Sweep::new(query.game.rules(), &ranges);
        let boards = &boards;
        move |item: usize, sums: &mut [u128]| sweep.add_each(boards[item], sums)
    });
    let boards_per_pair =
        super::fixed::binomial(query.left().len() - 4, 5 - query.board.len()) as f64;
    let mut answers = Vec::with_capacity(hands.len());
    for &(hand, weight) in hands {
        let Ok(place) = entries.binary_search(&hand) else {
            continue;
        };
        let [wins, ties, all] = [0, 1, 2].map(|k| sums[3 * place + k]);
        if all > 0 {
            answers.push(summary(hand, weight, [wins, ties, all], boards_per_pair));
        }
    }
    answers
}

/// Solves any query, by one query for each hand.
fn one_by_one(
    query: &Query,
    player: usize,
    hands: &[(CardSet, Weight)],
    options: &EquityOptions,
) -> Result<Vec<HandEquity>, EquityError> {
    let mut answers = Vec::with_capacity(hands.len());
    for &(hand, weight) in hands {
        let mut single = query.clone();
        single.players[player] = Range::of_hand(hand);
        let answer = match single.solve(options) {
            Err(EquityError::NoDeal | EquityError::NothingLeft { .. }) => continue,
            answer => answer?,
        };
        let own = &answer.players()[player];
        answers.push(HandEquity {
            hand,
            weight,
            equity: own.equity,
            win_share: own.win_share,
            tie_share: own.tie_share,
            room: if answer.is_exact() {
                answer.deals().to_f64()
            } else {
                1.0
            },
            standard_error: own.standard_error,
            intervals: own.intervals,
        });
    }
    if answers.is_empty() {
        return Err(EquityError::NoDeal);
    }
    Ok(answers)
}
