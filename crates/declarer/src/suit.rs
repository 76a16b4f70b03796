//! How to play a suit: the options of a user, and the answer with its assumptions in words.

mod weights;

use std::fmt;

use cards::{Contract, Holding, Seat};
use suits::{
    Combination, CombinationWeightError, Entries, Fraction, GoalSummary, NamedGoal, PayoffError,
    SuitGoal, SuitSolution, SuitSolver, TooManyLines, VacantPlaces, WeightedCombination,
    imp_payoffs, score_payoffs, two_suits,
};

pub use weights::{MAX_SUIT_SAMPLES, SuitCondition};

/// Maximum number of lines to compare at matchpoints.
const MAX_LINES: usize = 3000;

/// Goal of the play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SuitPurpose {
    /// Every number of tricks that is in doubt, and the average.
    #[default]
    EveryNumber,
    /// At least this number of tricks; with a second suit from both suits together.
    Tricks(usize),
    /// The best average payoff; the list has the payoffs for 0, 1, 2 ... tricks.
    Payoffs(Vec<i32>),
    /// The best average score in a contract.
    Score(SuitContract),
    /// The best average of IMPs in a contract against this score at the other table, or against the contract just made.
    Imps(SuitContract, Option<i32>),
}

/// A contract and the tricks that declarer takes outside the suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuitContract {
    /// The contract.
    pub contract: Contract,
    /// Whether declarer is vulnerable.
    pub vulnerable: bool,
    /// Number of tricks outside the suit.
    pub outside: u8,
}

/// A suit combination and what is known or required of it.
#[derive(Clone, Copy)]
pub struct SuitQuestion<'a> {
    /// The two holdings.
    pub combination: Combination,
    /// Goal of the play.
    pub purpose: &'a SuitPurpose,
    /// Whether to look also for the line that beats the others most often.
    pub matchpoints: bool,
    /// Vacant places of the defenders. They are not used with a condition.
    pub vacant: VacantPlaces,
    /// Condition on the whole deal, which weights the layouts.
    pub condition: Option<&'a SuitCondition>,
    /// Limit on the entries to one hand.
    pub entries: Option<Entries>,
    /// A second suit, to be played before or after the first.
    pub second: Option<Combination>,
}

/// How to play a suit.
#[derive(Clone, Debug)]
pub struct SuitAnalysis {
    /// The combination; of two suits the one to play first.
    pub combination: Combination,
    /// Assumptions of the chances, in words. Empty if nothing is known of the deal.
    pub assumptions: Vec<String>,
    /// The goals, the most tricks first.
    pub goals: Vec<GoalSummary>,
    /// The chances of every number of tricks and the best average; `None` for two suits.
    pub solution: Option<SuitSolution>,
}

/// The reason why a suit question has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum SuitQuestionError {
    /// The number of tricks is not from 1 to this number.
    Tricks {
        /// The number that was given.
        need: usize,
        /// The largest possible number.
        most: usize,
    },
    /// The layouts or their weights are impossible.
    Combination(CombinationWeightError),
    /// The payoffs decrease, or there are none.
    Payoff(PayoffError),
    /// There are too many lines to compare at matchpoints.
    Lines(TooManyLines),
    /// A second suit is possible only with a number of tricks, and without conditions, entries and matchpoints.
    SecondSuit,
    /// The number of missing cards is too large for a condition.
    TooManyMissing(usize),
    /// The number of deals to try is not from 1 to [`MAX_SUIT_SAMPLES`].
    Samples(u64),
    /// The script gives a hand of declarer's side cards of the suit that it does not hold.
    ScriptCards(Seat, Holding, Holding),
    /// No deal with these holdings satisfies the condition.
    NoDeals,
    /// The counting was cancelled.
    Cancelled,
    /// The script has an error, or its condition fails.
    Script(session::Error),
}

impl fmt::Display for SuitQuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuitQuestionError::Tricks { need, most } => write!(
                f,
                "{need} tricks: there are 1 to {most} tricks to play for"
            ),
            SuitQuestionError::Combination(error) => error.fmt(f),
            SuitQuestionError::Payoff(error) => error.fmt(f),
            SuitQuestionError::Lines(error) => error.fmt(f),
            SuitQuestionError::SecondSuit => f.write_str(
                "a second suit needs a number of tricks, and no condition, limited entries or matchpoints",
            ),
            SuitQuestionError::TooManyMissing(missing) => write!(
                f,
                "{missing} cards of the suit are missing: a condition can be counted for at most {}",
                weights::MAX_MISSING
            ),
            SuitQuestionError::Samples(samples) => {
                write!(f, "{samples} deals for each layout; use 1 to {MAX_SUIT_SAMPLES}")
            }
            SuitQuestionError::ScriptCards(seat, cards, holding) => write!(
                f,
                "the script gives {} {cards} in this suit, and the holding is {holding}",
                seat.name()
            ),
            SuitQuestionError::NoDeals => {
                f.write_str("no deal with these holdings satisfies the condition")
            }
            SuitQuestionError::Cancelled => f.write_str("cancelled while deals were counted"),
            SuitQuestionError::Script(_) => f.write_str("the condition cannot be evaluated"),
        }
    }
}

impl std::error::Error for SuitQuestionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SuitQuestionError::Script(error) => Some(error),
            _ => None,
        }
    }
}

impl From<CombinationWeightError> for SuitQuestionError {
    fn from(error: CombinationWeightError) -> SuitQuestionError {
        SuitQuestionError::Combination(error)
    }
}

impl<'a> SuitQuestion<'a> {
    /// Creates the question without any knowledge of the deal.
    #[must_use]
    pub fn new(combination: Combination, purpose: &'a SuitPurpose) -> SuitQuestion<'a> {
        SuitQuestion {
            combination,
            purpose,
            matchpoints: false,
            vacant: VacantPlaces::default(),
            condition: None,
            entries: None,
            second: None,
        }
    }

    /// Computes how to play the suit.
    ///
    /// # Errors
    /// If the options contradict each other or the cards, or no deal satisfies the condition.
    pub fn answer(&self) -> Result<SuitAnalysis, SuitQuestionError> {
        if let Some(second) = self.second {
            return self.sequence(second);
        }
        let mut assumptions = Vec::new();
        let problem = match self.condition {
            None => WeightedCombination::new(self.combination, self.vacant)?,
            Some(condition) => {
                let weights = condition.weights(self.combination)?;
                assumptions.push(weights.text());
                WeightedCombination::with_layouts(self.combination, &weights.layouts)?
            }
        };
        if self.condition.is_none() && self.vacant != VacantPlaces::default() {
            assumptions.push(self.vacant_text());
        }
        let problem = match self.entries {
            None => problem,
            Some(entries) => {
                let hand = match entries.hand {
                    Seat::North => "North",
                    _ => "South",
                };
                assumptions.push(format!("entries to {hand}: {}", entries.number));
                problem.with_entries(entries)?
            }
        };
        let mut solver = SuitSolver::new(problem);
        let shows_certain = matches!(self.purpose, SuitPurpose::Tricks(_));
        let mut goals = Vec::new();
        for named in self.goals(&mut solver)? {
            let summary = GoalSummary::new(&mut solver, named, shows_certain);
            goals.push(summary.map_err(SuitQuestionError::Payoff)?);
        }
        if self.matchpoints {
            goals.push(matchpoints(&mut solver)?);
        }
        Ok(SuitAnalysis {
            combination: self.combination,
            assumptions,
            goals,
            solution: Some(solver.solve()),
        })
    }

    fn vacant_text(&self) -> String {
        let VacantPlaces { west, east } = self.vacant;
        format!("vacant places: West {west}, East {east}")
    }

    fn goals(&self, solver: &mut SuitSolver) -> Result<Vec<NamedGoal>, SuitQuestionError> {
        let payoff = |list: Vec<i32>, name: &str| {
            vec![NamedGoal {
                goal: SuitGoal::Payoff(list),
                name: name.to_owned(),
                is_chance: false,
            }]
        };
        let most = self.combination.tricks();
        Ok(match self.purpose {
            SuitPurpose::EveryNumber => NamedGoal::usual(solver),
            &SuitPurpose::Tricks(need) if (1..=most).contains(&need) => {
                vec![NamedGoal::tricks(need)]
            }
            &SuitPurpose::Tricks(need) => return Err(SuitQuestionError::Tricks { need, most }),
            SuitPurpose::Payoffs(list) => payoff(list.clone(), "payoff"),
            SuitPurpose::Score(of) => payoff(
                score_payoffs(of.contract, of.vulnerable, of.outside),
                "score",
            ),
            SuitPurpose::Imps(of, other) => {
                let made = i32::from(of.contract.tricks_needed());
                let other = other.unwrap_or_else(|| of.contract.score(of.vulnerable, made));
                let list = imp_payoffs(of.contract, of.vulnerable, of.outside, other);
                payoff(list, "IMPs")
            }
        })
    }

    fn sequence(&self, second: Combination) -> Result<SuitAnalysis, SuitQuestionError> {
        let &SuitPurpose::Tricks(need) = self.purpose else {
            return Err(SuitQuestionError::SecondSuit);
        };
        if self.condition.is_some() || self.entries.is_some() || self.matchpoints {
            return Err(SuitQuestionError::SecondSuit);
        }
        let most = self.combination.tricks() + second.tricks();
        if !(1..=most).contains(&need) {
            return Err(SuitQuestionError::Tricks { need, most });
        }
        let sequence = two_suits(self.combination, second, self.vacant, need)?;
        let mut assumptions = vec![format!(
            "played first, then {}: {need} tricks from both suits",
            sequence.second
        )];
        if self.vacant != VacantPlaces::default() {
            assumptions.push(self.vacant_text());
        }
        Ok(SuitAnalysis {
            combination: sequence.first,
            assumptions,
            goals: vec![GoalSummary {
                name: NamedGoal::tricks(need).name,
                is_chance: true,
                value: sequence.line.value(),
                line: Some(sequence.line),
                first_plays: Vec::new(),
                note: None,
            }],
            solution: None,
        })
    }
}

/// Returns the line for matchpoints, with its margins as a note.
fn matchpoints(solver: &mut SuitSolver) -> Result<GoalSummary, SuitQuestionError> {
    let found = solver.matchpoints(MAX_LINES);
    let found = found.map_err(SuitQuestionError::Lines)?;
    let note = match found.worst_margin >= Fraction::ZERO {
        true => format!("no other of {} lines beats it", found.lines),
        false => format!(
            "no line is unbeaten; this one loses to another by {:.2} % at most",
            -found.worst_margin.percent()
        ),
    };
    let margin = found.margin_over_best_average.percent();
    Ok(GoalSummary {
        name: "matchpoints".to_owned(),
        is_chance: false,
        value: found.line.value(),
        line: Some(found.line),
        first_plays: Vec::new(),
        note: Some(format!(
            "{note}; margin over the line with the best average {margin:.2} %"
        )),
    })
}
