//! `croupier.suit`: chances and lines of play for one suit.

use std::sync::Arc;

use croupier::declarer::{
    SuitAnalysis, SuitCondition, SuitContract, SuitPurpose, SuitQuestion, SuitQuestionError,
};
use croupier::session::Job;
use croupier::suits::book::{Book, BookSelection};
use croupier::suits::{
    Combination, Entries, Fraction, GoalSummary, Layout, VacantPlaces, holding_text,
};
use pyo3::prelude::*;

use crate::arguments::{SeatArgument, SuitArgument, value_error};
use crate::contract::ContractArgument;
use crate::script::{DealError, Script, raise};
use crate::waiting::{Events, Link, wait};

/// Numerator and denominator.
type Ratio = (i128, u128);

fn ratio(fraction: Fraction) -> Ratio {
    (fraction.numerator(), fraction.denominator())
}

/// First play and its value.
type PlayRow = (String, Ratio);

/// West's cards, East's cards, tricks, chance.
type LayoutRow = (String, String, u8, Ratio);

/// Goal in words, value, line in words, first plays, layouts and a remark.
type GoalRow = (
    String,
    Ratio,
    String,
    Vec<PlayRow>,
    Vec<LayoutRow>,
    Option<String>,
);

/// Chances of one trick and more, and the average.
type SolutionRow = (Vec<Ratio>, Ratio);

/// The two hands, the chances, assumptions in words, and a row for each goal.
type AnswerRow = (
    (String, String),
    Option<SolutionRow>,
    Vec<String>,
    Vec<GoalRow>,
);

/// Contract, tricks outside the suit, whether declarer is vulnerable, whether IMPs count, and the score at the other table.
type ContractRow = (ContractArgument, u8, bool, bool, Option<i32>);

fn layout_row(layout: &Layout) -> LayoutRow {
    let (west, east) = layout.texts();
    (west, east, layout.tricks, ratio(layout.chance))
}

fn goal_row(goal: &GoalSummary) -> GoalRow {
    let plays = goal.first_plays.iter();
    let outline = goal.line.as_ref().map(|line| line.outline().to_string());
    (
        goal.name.clone(),
        ratio(goal.value),
        outline.unwrap_or_else(|| "Take the top tricks.".to_owned()),
        plays
            .map(|(play, value)| (play.clone(), ratio(*value)))
            .collect(),
        goal.layouts().into_iter().map(layout_row).collect(),
        goal.note.clone(),
    )
}

fn answer_row(answer: SuitAnalysis) -> AnswerRow {
    let hands = (answer.combination.north(), answer.combination.south());
    let solution = answer.solution.map(|solution| {
        let chances = solution.chances.iter().copied().map(ratio).collect();
        (chances, ratio(solution.average))
    });
    (
        (holding_text(hands.0), holding_text(hands.1)),
        solution,
        answer.assumptions,
        answer.goals.iter().map(goal_row).collect(),
    )
}

fn suit_error(py: Python<'_>, error: &SuitQuestionError) -> PyErr {
    match error {
        SuitQuestionError::Script(error) => raise(py, error),
        SuitQuestionError::NoDeals => DealError::new_err(error.to_string()),
        error => value_error(error),
    }
}

fn purpose(
    need: Option<usize>,
    payoff: Option<Vec<i32>>,
    contract: Option<ContractRow>,
) -> PyResult<SuitPurpose> {
    Ok(match (need, payoff, contract) {
        (Some(need), _, _) => SuitPurpose::Tricks(need),
        (None, Some(payoff), _) => SuitPurpose::Payoffs(payoff),
        (None, None, Some((contract, outside, vulnerable, imps, other_table))) => {
            let contract = contract.0.contract;
            let contract = SuitContract {
                contract: contract.ok_or_else(|| value_error("a pass is no contract to make"))?,
                vulnerable,
                outside,
            };
            match imps {
                true => SuitPurpose::Imps(contract, other_table),
                false => SuitPurpose::Score(contract),
            }
        }
        (None, None, None) => SuitPurpose::EveryNumber,
    })
}

/// Computes how to play a suit. `condition` is a script, the suit of the holdings and the number of deals for each layout.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
#[pyo3(signature = (north, south, need, payoff, contract, matchpoints, vacant, condition, entries, second))]
pub fn solve_suit(
    py: Python<'_>,
    north: &str,
    south: &str,
    need: Option<usize>,
    payoff: Option<Vec<i32>>,
    contract: Option<ContractRow>,
    matchpoints: bool,
    vacant: (u8, u8),
    condition: Option<(Bound<'_, Script>, SuitArgument, u64)>,
    entries: Option<(SeatArgument, u8)>,
    second: Option<(String, String)>,
) -> PyResult<AnswerRow> {
    let combination = Combination::parse(north, south).map_err(value_error)?;
    let second = second.map(|(north, south)| Combination::parse(&north, &south));
    let second = second.transpose().map_err(value_error)?;
    let purpose = purpose(need, payoff, contract)?;
    let entries = entries.map(|(hand, number)| Entries {
        hand: hand.0,
        number,
    });
    let condition =
        condition.map(|(script, suit, samples)| (script.get().spec.clone(), suit.0, samples));
    let link = Link::default();
    let cancel = Arc::clone(&link.cancel);
    let work = move |_: &Events<(), _>| -> Result<AnswerRow, SuitQuestionError> {
        let condition = condition.map(|(spec, suit, samples)| {
            let job = Job::from_spec(spec).cancel(cancel);
            SuitCondition::new(job, suit, samples)
        });
        let condition = condition.transpose()?;
        let question = SuitQuestion {
            matchpoints,
            vacant: VacantPlaces {
                west: vacant.0,
                east: vacant.1,
            },
            condition: condition.as_ref(),
            entries,
            second,
            ..SuitQuestion::new(combination, &purpose)
        };
        question.answer().map(answer_row)
    };
    let found = wait(py, &link, None, work, |()| Ok(()))?;
    found.map_err(|error| suit_error(py, &error))
}

/// North's cards, South's cards, chances, average and first play of a combination.
type BookRow = (String, String, Vec<Ratio>, Ratio, Option<String>);

/// Lists the combinations of a kind.
#[pyfunction]
#[pyo3(signature = (fit, missing, split, plays))]
pub fn suit_book_rows(
    py: Python<'_>,
    fit: Option<u8>,
    missing: Option<&str>,
    split: Option<&str>,
    plays: bool,
) -> PyResult<Vec<BookRow>> {
    let selection = BookSelection {
        fit,
        missing: missing
            .map(BookSelection::honours)
            .transpose()
            .map_err(value_error)?,
        split: split
            .map(BookSelection::lengths)
            .transpose()
            .map_err(value_error)?,
    };
    let link = Link::default();
    let shared = link.clone();
    let work = move |_: &Events<(), _>| -> Vec<BookRow> {
        let book = Book::shipped();
        let entries = book.select(selection).into_iter();
        let rows = entries.take_while(|_| !shared.is_cancelled()).map(|entry| {
            let (combination, solution) = (entry.combination, &entry.solution);
            (
                holding_text(combination.north()),
                holding_text(combination.south()),
                solution.chances.iter().copied().map(ratio).collect(),
                ratio(solution.average),
                plays.then(|| entry.best_play()),
            )
        });
        rows.collect()
    };
    wait(py, &link, None, work, |()| Ok(()))
}
