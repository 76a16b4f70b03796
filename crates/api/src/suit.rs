//! Requests for the play of one suit, and their answers.

use serde::{Deserialize, Serialize};

use crate::{RequestError, RequestLimits};

/// A request for the play of one suit: two holdings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SuitRequest {
    /// North's cards, such as `AQT98`; `x` is a small card, `-` a void.
    pub north: String,
    /// South's cards.
    pub south: String,
    /// Number of tricks to play for. Default: every number that is in doubt, and the average.
    #[serde(default)]
    pub need: Option<u8>,
    /// Vacant places of West: 13 minus the known cards in other suits. Default: 13.
    #[serde(default)]
    pub west: Option<u8>,
    /// Vacant places of East. Default: 13.
    #[serde(default)]
    pub east: Option<u8>,
}

/// A first play with its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitPlay {
    /// The play in words, such as `low to the queen`.
    pub play: String,
    /// Chance, 0 to 1, or average.
    pub value: f64,
}

/// A sentence of a line of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitSentence {
    /// Depth of the case: 0 is the first play, and a deeper sentence belongs to the one before it with less depth.
    pub depth: u32,
    /// The sentence.
    pub text: String,
}

/// The answer for one goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitGoalAnswer {
    /// Name of the goal: `4 tricks` or `average`.
    pub goal: String,
    /// Whether the value is a chance, 0 to 1.
    pub chance: bool,
    /// Value of the best line.
    pub value: f64,
    /// The value as an exact fraction: numerator and denominator.
    pub fraction: [String; 2],
    /// First play of the best line.
    pub play: String,
    /// The best line; empty if the tricks are certain.
    pub line: Vec<SuitSentence>,
    /// The first plays with their values, the best first.
    pub plays: Vec<SuitPlay>,
}

/// How to play a suit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitAnswer {
    /// North's cards.
    pub north: String,
    /// South's cards.
    pub south: String,
    /// Cards of the defenders.
    pub missing: String,
    /// The goals, the most tricks first.
    pub goals: Vec<SuitGoalAnswer>,
}

/// Computes how to play a suit.
///
/// # Errors
/// If the holdings, the number of tricks or the vacant places are invalid.
pub fn suit(request: SuitRequest, limits: &RequestLimits) -> Result<SuitAnswer, RequestError> {
    use croupier::suits::{
        Combination, GoalSummary, NamedGoal, SuitSolver, VacantPlaces, WeightedCombination,
        holding_text,
    };

    use crate::boards;

    fn wrong(error: impl std::fmt::Display) -> RequestError {
        RequestError::request(error.to_string())
    }

    limits.check_cancelled()?;
    let [north, south] = [&request.north, &request.south].map(|text| boards::shortened(text));
    let combination = Combination::parse(&north, &south).map_err(wrong)?;
    let places = |places: Option<u8>| places.unwrap_or(13);
    let vacant = VacantPlaces {
        west: places(request.west),
        east: places(request.east),
    };
    if vacant.west > 13 || vacant.east > 13 {
        return Err(RequestError::request("a hand has at most 13 vacant places"));
    }
    let problem = WeightedCombination::new(combination, vacant).map_err(wrong)?;
    let mut solver = SuitSolver::new(problem);
    let most = combination.tricks();
    let goals = match request.need.map(usize::from) {
        Some(need) if (1..=most).contains(&need) => vec![NamedGoal::tricks(need)],
        Some(_) => {
            let message = format!("the suit has 1 to {most} tricks to play for");
            return Err(RequestError::request(message));
        }
        None => NamedGoal::usual(&mut solver),
    };
    let mut answers = Vec::new();
    for named in goals {
        limits.check_cancelled()?;
        let summary = GoalSummary::new(&mut solver, named, request.need.is_some());
        let summary = summary.map_err(wrong)?;
        let sentences = match &summary.line {
            Some(line) => line.outline().lines(usize::MAX),
            None => Vec::new(),
        };
        answers.push(SuitGoalAnswer {
            chance: summary.is_chance,
            value: summary.value.value(),
            fraction: [
                summary.value.numerator().to_string(),
                summary.value.denominator().to_string(),
            ],
            play: summary.play(),
            line: sentences
                .into_iter()
                .map(|(depth, text)| SuitSentence {
                    depth: depth as u32,
                    text,
                })
                .collect(),
            plays: summary
                .first_plays
                .iter()
                .map(|(play, value)| SuitPlay {
                    play: play.clone(),
                    value: value.value(),
                })
                .collect(),
            goal: summary.name,
        });
    }
    Ok(SuitAnswer {
        north: holding_text(combination.north()),
        south: holding_text(combination.south()),
        missing: holding_text(combination.missing()),
        goals: answers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_and_lines_of_a_suit_are_answered() {
        let request = SuitRequest {
            north: "AQT98".to_owned(),
            south: "5432".to_owned(),
            ..SuitRequest::default()
        };
        let answer = suit(request.clone(), &RequestLimits::default()).unwrap();
        assert_eq!(answer.missing, "KJ76");
        let five = &answer.goals[0];
        assert_eq!(
            (five.goal.as_str(), five.play.as_str()),
            ("5 tricks", "low to the queen")
        );
        assert!((five.value - 0.265_652).abs() < 1e-6);
        assert!(five.line.len() > 1 && five.line[0].depth == 0);
        assert!(five.plays[0].value > five.plays[1].value);
        let fewer = SuitRequest {
            west: Some(5),
            need: Some(5),
            ..request.clone()
        };
        let other = suit(fewer, &RequestLimits::default()).unwrap();
        assert!(other.goals.len() == 1 && other.goals[0].value < five.value);
        for wrong in [
            SuitRequest {
                need: Some(9),
                ..request.clone()
            },
            SuitRequest {
                west: Some(40),
                ..request.clone()
            },
            SuitRequest {
                north: "AQX1".to_owned(),
                ..request
            },
        ] {
            assert!(suit(wrong, &RequestLimits::default()).is_err());
        }
    }
}
