//! The answer for a goal as users read it: value, line, and the other first plays.

use crate::fraction::Fraction;
use crate::line::{Layout, SuitLine};
use crate::solver::{PayoffError, SuitGoal, SuitSolver};

/// A goal and its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedGoal {
    /// The goal.
    pub goal: SuitGoal,
    /// Name, such as `4 tricks` or `average`.
    pub name: String,
    /// Whether the value is a probability.
    pub is_chance: bool,
}

impl NamedGoal {
    /// Returns the goal of at least `tricks` tricks.
    #[must_use]
    pub fn tricks(tricks: usize) -> NamedGoal {
        NamedGoal {
            goal: SuitGoal::AtLeast(tricks),
            name: match tricks {
                1 => "1 trick".to_owned(),
                tricks => format!("{tricks} tricks"),
            },
            is_chance: true,
        }
    }

    /// Returns the usual goals: every number of tricks that is in doubt, the greatest number that is certain, and the
    /// average.
    pub fn usual(solver: &mut SuitSolver) -> Vec<NamedGoal> {
        let mut goals = Vec::new();
        for tricks in (1..=solver.problem().combination().tricks()).rev() {
            let value = solver.chance(tricks);
            if value > Fraction::ZERO {
                goals.push(NamedGoal::tricks(tricks));
            }
            if value == Fraction::ONE {
                break;
            }
        }
        goals.push(NamedGoal {
            goal: SuitGoal::Average,
            name: "average".to_owned(),
            is_chance: false,
        });
        goals
    }
}

/// The answer for one goal.
#[derive(Clone, Debug)]
pub struct GoalSummary {
    /// Name of the goal.
    pub name: String,
    /// Whether the value is a probability.
    pub is_chance: bool,
    /// Value of the best line.
    pub value: Fraction,
    /// The best line; `None` if the tricks are certain and no line was requested for them.
    pub line: Option<SuitLine>,
    /// The first plays in words with their values, the best first. Plays that differ only in equal cards are one.
    pub first_plays: Vec<(String, Fraction)>,
    /// A remark on the line, such as its margins at matchpoints.
    pub note: Option<String>,
}

impl GoalSummary {
    /// Computes the answer. A certain number of tricks gets a line only if `shows_certain`.
    ///
    /// # Errors
    /// If the payoffs of the goal are invalid.
    pub fn new(
        solver: &mut SuitSolver,
        named: NamedGoal,
        shows_certain: bool,
    ) -> Result<GoalSummary, PayoffError> {
        let value = solver.value(&named.goal)?;
        let mut summary = GoalSummary {
            name: named.name,
            is_chance: named.is_chance,
            value,
            line: None,
            first_plays: Vec::new(),
            note: None,
        };
        let is_certain = named.is_chance && value == Fraction::ONE;
        if is_certain && !shows_certain {
            return Ok(summary);
        }
        summary.line = Some(solver.line(&named.goal)?);
        for first in solver.first_moves(&named.goal)? {
            let play = first.text(solver.problem());
            if summary.first_plays.iter().all(|(other, _)| *other != play) {
                summary.first_plays.push((play, first.value));
            }
        }
        summary.leave_out_leads_to_winners();
        Ok(summary)
    }

    /// Leaves out a lead to a winner that is worth no more than cashing the winner.
    fn leave_out_leads_to_winners(&mut self) {
        let plays = std::mem::take(&mut self.first_plays);
        let is_cashed = |(play, value): &(String, Fraction)| {
            let cash = play
                .strip_prefix("low to the ")
                .map(|card| format!("cash the {card}"));
            plays
                .iter()
                .any(|(other, worth)| Some(other) == cash.as_ref() && worth == value)
        };
        let kept = plays.iter().filter(|play| !is_cashed(play));
        self.first_plays = kept.cloned().collect();
    }

    /// Formats a value of the goal: a chance in percent, any other value as a number.
    #[must_use]
    pub fn text(&self, value: Fraction) -> String {
        match self.is_chance {
            true => format!("{:.2} %", value.percent()),
            false => format!("{:.4}", value.value()),
        }
    }

    /// Returns the layouts in which the line takes tricks: those that it wins against, if the value is a chance.
    #[must_use]
    pub fn layouts(&self) -> Vec<&Layout> {
        let layouts = self.line.iter().flat_map(SuitLine::layouts);
        layouts
            .filter(|layout| !self.is_chance || layout.tricks > 0)
            .collect()
    }

    /// Returns the first play of the line in words.
    #[must_use]
    pub fn play(&self) -> String {
        match &self.line {
            Some(line) => line.first_play(),
            None => "take the top tricks".to_owned(),
        }
    }
}
