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
    /// Payoffs for 0, 1, 2 ... tricks to play for, which must not decrease.
    #[serde(default)]
    pub payoff: Option<Vec<i32>>,
    /// Contract whose score to play for.
    #[serde(default)]
    pub contract: Option<SuitContract>,
    /// Whether to look also for the line that beats the others most often at matchpoints.
    #[serde(default)]
    pub matchpoints: bool,
    /// Condition on the deal, such as `hcp(west) >= 12`.
    #[serde(default)]
    pub condition: Option<String>,
    /// Script with a condition on the deal, instead of `condition`.
    #[serde(default)]
    pub script: Option<String>,
    /// Suit of the holdings for a condition or script: S, H, D or C.
    #[serde(default)]
    pub suit: Option<String>,
    /// Number of deals to try for each layout if the condition cannot be counted exactly. Default: 10,000.
    #[serde(default)]
    pub samples: Option<u32>,
    /// Number of entries to North. Default: unlimited.
    #[serde(default)]
    pub entries_north: Option<u8>,
    /// Number of entries to South. Default: unlimited.
    #[serde(default)]
    pub entries_south: Option<u8>,
    /// A second suit, such as `AQ/32`; `need` then counts the tricks of both suits.
    #[serde(default)]
    pub second: Option<String>,
    /// Whether to list the layouts that each line wins against.
    #[serde(default)]
    pub layouts: bool,
}

/// A contract in which the suit is played.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SuitContract {
    /// The contract, such as `3N` or `4Hx`.
    pub contract: String,
    /// Number of tricks outside the suit.
    pub outside: u8,
    /// Whether declarer is vulnerable.
    #[serde(default)]
    pub vulnerable: bool,
    /// Whether to count IMPs instead of the score.
    #[serde(default)]
    pub imps: bool,
    /// With IMPs, the score at the other table. Default: the contract just made.
    #[serde(default)]
    pub other_table: Option<i32>,
}

/// A layout of the defenders' cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitLayout {
    /// West's cards; equal cards that are divided between both hands are written as `x`.
    pub west: String,
    /// East's cards.
    pub east: String,
    /// Tricks of the line.
    pub tricks: u8,
    /// Probability of the layout.
    pub chance: f64,
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
    /// Name of the goal: `4 tricks`, `average`, `payoff`, `score`, `IMPs` or `matchpoints`.
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
    /// A remark on the line, such as its margins at matchpoints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The layouts that the line wins against, if they were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<SuitLayout>,
}

/// How to play a suit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitAnswer {
    /// North's cards; of two suits those of the one to play first.
    pub north: String,
    /// South's cards.
    pub south: String,
    /// Cards of the defenders.
    pub missing: String,
    /// Assumptions of the chances, in words: vacant places, a condition, entries, the order of two suits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// The goals, the most tricks first.
    pub goals: Vec<SuitGoalAnswer>,
}

/// Computes how to play a suit.
///
/// # Errors
/// If the holdings, the goal, the vacant places or the condition are invalid.
pub fn suit(request: SuitRequest, limits: &RequestLimits) -> Result<SuitAnswer, RequestError> {
    use croupier::declarer::SuitQuestion;
    use croupier::suits::{Combination, VacantPlaces, holding_text};

    use crate::boards;

    limits.check_cancelled()?;
    let [north, south] = [&request.north, &request.south].map(|text| boards::shortened(text));
    let combination = Combination::parse(&north, &south).map_err(wrong)?;
    let second = request.second.as_deref().map(boards::shortened);
    let second = second
        .map(|text| text.parse::<Combination>())
        .transpose()
        .map_err(wrong)?;
    let places = |places: Option<u8>| places.unwrap_or(13);
    let purpose = purpose(&request)?;
    let condition = condition(&request, limits)?;
    let question = SuitQuestion {
        matchpoints: request.matchpoints,
        vacant: VacantPlaces {
            west: places(request.west),
            east: places(request.east),
        },
        condition: condition.as_ref(),
        entries: entries(&request)?,
        second,
        ..SuitQuestion::new(combination, &purpose)
    };
    let script = request.script.as_deref().unwrap_or_default();
    let answer = question.answer().map_err(|error| problem(script, error))?;
    let goals = answer.goals.into_iter();
    Ok(SuitAnswer {
        north: holding_text(answer.combination.north()),
        south: holding_text(answer.combination.south()),
        missing: holding_text(answer.combination.missing()),
        assumptions: answer.assumptions,
        goals: goals
            .map(|goal| goal_answer(goal, request.layouts))
            .collect(),
    })
}

fn wrong(error: impl std::fmt::Display) -> RequestError {
    RequestError::request(error.to_string())
}

fn problem(script: &str, error: croupier::declarer::SuitQuestionError) -> RequestError {
    use croupier::declarer::SuitQuestionError;

    match error {
        SuitQuestionError::Cancelled => RequestError::cancelled(),
        SuitQuestionError::Script(error) => RequestError::of_session(script, error),
        error @ SuitQuestionError::NoDeals => RequestError::run(error.to_string()),
        error => wrong(error),
    }
}

fn purpose(request: &SuitRequest) -> Result<croupier::declarer::SuitPurpose, RequestError> {
    use croupier::declarer::{SuitContract, SuitPurpose};

    use crate::boards;

    Ok(match (request.need, &request.payoff, &request.contract) {
        (None, None, None) => SuitPurpose::EveryNumber,
        (Some(need), None, None) => SuitPurpose::Tricks(need.into()),
        (None, Some(list), None) => SuitPurpose::Payoffs(list.clone()),
        (None, None, Some(of)) => {
            let text = boards::shortened(&of.contract);
            let contract = text.parse::<croupier::cards::Contract>();
            let contract = contract.map_err(|_| wrong(format!("{text:?} is not a contract")))?;
            let contract = SuitContract {
                contract,
                vulnerable: of.vulnerable,
                outside: of.outside,
            };
            match of.imps {
                true => SuitPurpose::Imps(contract, of.other_table),
                false => SuitPurpose::Score(contract),
            }
        }
        _ => {
            return Err(wrong(
                "give a number of tricks, payoffs or a contract, not several",
            ));
        }
    })
}

fn entries(request: &SuitRequest) -> Result<Option<croupier::suits::Entries>, RequestError> {
    use croupier::cards::Seat;
    use croupier::suits::Entries;

    match (request.entries_north, request.entries_south) {
        (None, None) => Ok(None),
        (Some(number), None) => Ok(Some(Entries {
            hand: Seat::North,
            number,
        })),
        (None, Some(number)) => Ok(Some(Entries {
            hand: Seat::South,
            number,
        })),
        (Some(_), Some(_)) => Err(wrong("limit the entries to one hand")),
    }
}

fn condition(
    request: &SuitRequest,
    limits: &RequestLimits,
) -> Result<Option<croupier::declarer::SuitCondition>, RequestError> {
    use croupier::declarer::SuitCondition;
    use croupier::session::Job;

    use crate::boards;

    /// Number of deals to try for each layout, unless the request has another.
    const SAMPLES: u32 = 10_000;

    let script = match (&request.condition, &request.script) {
        (None, None) => return Ok(None),
        (Some(condition), None) => format!("condition {condition}"),
        (None, Some(script)) => script.clone(),
        (Some(_), Some(_)) => return Err(wrong("give a condition or a script, not both")),
    };
    if request.west.is_some() || request.east.is_some() {
        return Err(wrong("give vacant places or a condition, not both"));
    }
    limits.script(&script)?;
    let strain = match &request.suit {
        Some(text) => boards::strain(text)?,
        None => return Err(wrong("give the suit for the condition: S, H, D or C")),
    };
    let suit = strain.suit();
    let suit = suit.ok_or_else(|| wrong("notrump is no suit: S, H, D or C"))?;
    let job = Job::new(script.as_str()).threads(limits.threads);
    let job = job.cancel(limits.cancel.clone());
    let samples = request.samples.unwrap_or(SAMPLES);
    let condition = SuitCondition::new(job, suit, samples.into());
    condition.map(Some).map_err(|error| problem(&script, error))
}

fn goal_answer(goal: croupier::suits::GoalSummary, with_layouts: bool) -> SuitGoalAnswer {
    let sentences = match &goal.line {
        Some(line) => line.outline().lines(usize::MAX),
        None => Vec::new(),
    };
    let layouts = match with_layouts {
        true => goal.layouts(),
        false => Vec::new(),
    };
    let layouts = layouts.into_iter().map(|layout| {
        let (west, east) = layout.texts();
        SuitLayout {
            west,
            east,
            tricks: layout.tricks,
            chance: layout.chance.value(),
        }
    });
    let plays = goal.first_plays.iter().map(|(play, value)| SuitPlay {
        play: play.clone(),
        value: value.value(),
    });
    let line = sentences.into_iter().map(|(depth, text)| SuitSentence {
        depth: depth as u32,
        text,
    });
    SuitGoalAnswer {
        chance: goal.is_chance,
        value: goal.value.value(),
        fraction: [
            goal.value.numerator().to_string(),
            goal.value.denominator().to_string(),
        ],
        play: goal.play(),
        line: line.collect(),
        plays: plays.collect(),
        layouts: layouts.collect(),
        note: goal.note,
        goal: goal.name,
    }
}

/// A request for the suit combinations of a kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SuitBookRequest {
    /// Number of cards of both hands together. Default: any.
    #[serde(default)]
    pub fit: Option<u8>,
    /// The missing ones of ace, king, queen and jack, such as `Q`; `-` is none. Default: any.
    #[serde(default)]
    pub missing: Option<String>,
    /// Lengths of the hands, such as `5-3`. Default: any.
    #[serde(default)]
    pub split: Option<String>,
    /// Number of rows to leave out at the beginning.
    #[serde(default)]
    pub skip: u32,
    /// Maximum number of rows, at most 1,000. Default: 100.
    #[serde(default)]
    pub rows: Option<u32>,
    /// Whether to add the first play of the line with the best average.
    #[serde(default)]
    pub plays: bool,
}

/// A suit combination with its chances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitBookRow {
    /// North's cards.
    pub north: String,
    /// South's cards.
    pub south: String,
    /// Cards of the defenders.
    pub missing: String,
    /// Chances of at least 1, 2, 3 ... tricks, 0 to 1.
    pub chances: Vec<f64>,
    /// Best average number of tricks.
    pub average: f64,
    /// First play of the line with the best average, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<String>,
}

/// Suit combinations of a kind, in the order of printed tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuitBook {
    /// Number of combinations of this kind.
    pub total: u32,
    /// The rows of the request.
    pub rows: Vec<SuitBookRow>,
}

/// Lists the chances of the suit combinations of a kind.
///
/// # Errors
/// If the kind is invalid, or too many rows are requested.
pub fn suit_book(
    request: SuitBookRequest,
    limits: &RequestLimits,
) -> Result<SuitBook, RequestError> {
    use croupier::suits::book::{Book, BookSelection};
    use croupier::suits::holding_text;

    use crate::boards;

    /// Number of rows, unless the request has another.
    const ROWS: u32 = 100;
    /// Maximum number of rows.
    const MAX_ROWS: u32 = 1000;

    let rows = request.rows.unwrap_or(ROWS);
    if rows > MAX_ROWS {
        return Err(wrong(format!(
            "{rows} rows at once; at most {MAX_ROWS} are listed"
        )));
    }
    let honours = |text: &String| BookSelection::honours(&boards::shortened(text));
    let lengths = |text: &String| BookSelection::lengths(&boards::shortened(text));
    let selection = BookSelection {
        fit: request.fit,
        missing: request
            .missing
            .as_ref()
            .map(honours)
            .transpose()
            .map_err(wrong)?,
        split: request
            .split
            .as_ref()
            .map(lengths)
            .transpose()
            .map_err(wrong)?,
    };
    let book = Book::shipped();
    let entries = book.select(selection);
    let chosen = entries.iter().skip(request.skip as usize);
    let mut found = Vec::new();
    for entry in chosen.take(rows as usize) {
        limits.check_cancelled()?;
        let (combination, solution) = (entry.combination, &entry.solution);
        found.push(SuitBookRow {
            north: holding_text(combination.north()),
            south: holding_text(combination.south()),
            missing: holding_text(combination.missing()),
            chances: solution.chances.iter().map(|it| it.value()).collect(),
            average: solution.average.value(),
            play: request.plays.then(|| entry.best_play()),
        });
    }
    Ok(SuitBook {
        total: entries.len() as u32,
        rows: found,
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
                need: Some(3),
                payoff: Some(vec![0, 1]),
                ..request.clone()
            },
            SuitRequest {
                condition: Some("hcp(west) > 9".to_owned()),
                ..request.clone()
            },
            SuitRequest {
                second: Some("AQ/32".to_owned()),
                ..request.clone()
            },
            SuitRequest {
                entries_north: Some(1),
                entries_south: Some(1),
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

    fn finesse() -> SuitRequest {
        SuitRequest {
            north: "AQ".to_owned(),
            south: "32".to_owned(),
            ..SuitRequest::default()
        }
    }

    fn value(request: SuitRequest) -> f64 {
        let answer = suit(request, &RequestLimits::default()).unwrap();
        answer.goals.last().unwrap().value
    }

    #[test]
    fn conditions_weight_the_layouts() {
        let with_king = SuitRequest {
            need: Some(2),
            condition: Some("hascard(west, KH)".to_owned()),
            suit: Some("hearts".to_owned()),
            layouts: true,
            ..finesse()
        };
        let answer = suit(with_king, &RequestLimits::default()).unwrap();
        assert_eq!(answer.goals[0].value, 1.0);
        assert!(answer.assumptions[0].contains("exact counts"), "{answer:?}");
        let layouts = &answer.goals[0].layouts;
        assert!(
            layouts.iter().all(|it| it.west.starts_with('K')),
            "{layouts:?}"
        );
    }

    #[test]
    fn scores_imps_matchpoints_entries_and_a_second_suit_are_options() {
        let contract = |imps| SuitContract {
            contract: "3N".to_owned(),
            outside: 7,
            imps,
            ..SuitContract::default()
        };
        let of = |contract| SuitRequest {
            contract: Some(contract),
            ..finesse()
        };
        // Nine tricks need the finesse, which wins in half of the deals.
        assert_eq!(value(of(contract(false))), (400.0 - 50.0) / 2.0);
        assert_eq!(value(of(contract(true))), -10.0 / 2.0);
        let two_suits = SuitRequest {
            need: Some(3),
            second: Some("AQ/32".to_owned()),
            ..finesse()
        };
        assert_eq!(value(two_suits), 0.76);
        let no_entry = SuitRequest {
            need: Some(2),
            entries_south: Some(0),
            ..finesse()
        };
        // Only a singleton king falls.
        assert!((0.0..0.05).contains(&value(no_entry)));
        let matchpoints = SuitRequest {
            matchpoints: true,
            ..finesse()
        };
        let answer = suit(matchpoints, &RequestLimits::default()).unwrap();
        let note = answer.goals.last().unwrap().note.as_deref();
        assert!(note.is_some_and(|note| note.contains("beats")), "{note:?}");
    }

    #[test]
    fn the_book_lists_combinations_of_a_kind() {
        let limits = RequestLimits::default();
        let kind = SuitBookRequest {
            fit: Some(9),
            missing: Some("Q".to_owned()),
            split: Some("4-5".to_owned()),
            rows: Some(3),
            plays: true,
            ..SuitBookRequest::default()
        };
        let book = suit_book(kind.clone(), &limits).unwrap();
        assert!(book.total > 100 && book.rows.len() == 3, "{book:?}");
        let first = &book.rows[0];
        assert_eq!(first.missing, "Q432");
        assert!(first.play.is_some() && first.chances[4] > 0.5, "{first:?}");
        let rest = SuitBookRequest {
            skip: 1,
            ..kind.clone()
        };
        assert_eq!(suit_book(rest, &limits).unwrap().rows[0], book.rows[1]);
        for wrong in [
            SuitBookRequest {
                missing: Some("T".to_owned()),
                ..kind.clone()
            },
            SuitBookRequest {
                split: Some("5".to_owned()),
                ..kind.clone()
            },
            SuitBookRequest {
                rows: Some(100_000),
                ..kind
            },
        ] {
            assert!(suit_book(wrong, &limits).is_err());
        }
    }
}
