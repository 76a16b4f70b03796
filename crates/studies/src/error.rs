//! Reasons for which a study cannot be done.

use std::fmt;
use std::num::ParseFloatError;

use cards::Seat;

use statistics::precision::ParsePrecisionError;

/// The error of a study that cannot begin.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StudyError {
    /// There are no deals.
    NoDeals,
    /// There are no contracts to compare.
    NoContracts,
    /// The leader's hand does not have 13 cards.
    IncompleteHand {
        /// Seat that leads.
        leader: Seat,
        /// Number of cards of the hand.
        cards: usize,
    },
    /// The leader does not hold the hand of the question in every deal.
    OtherHand {
        /// Seat that leads.
        leader: Seat,
    },
    /// The lists of known results or of groups do not have an element for each deal.
    Lengths,
    /// The tricks or bounds of a deal do not fit the question.
    Answer,
    /// The text of a [`SamplingPlan`](crate::SamplingPlan) cannot be read.
    Plan(SamplingPlanError),
}

/// The error of a text that is not a [`SamplingPlan`](crate::SamplingPlan) of the question.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SamplingPlanError {
    /// A field is missing, or there are too many.
    Fields,
    /// A number is not finite, or not positive where it must be.
    Number,
    /// A number cannot be read.
    Float(ParseFloatError),
    /// The precision cannot be read.
    Precision(ParsePrecisionError),
}

impl fmt::Display for StudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StudyError::NoDeals => f.write_str("there are no layouts to study"),
            StudyError::NoContracts => f.write_str("there are no contracts to compare"),
            StudyError::IncompleteHand { leader, cards } => {
                write!(f, "{leader}, who leads, has {cards} known cards, not 13")
            }
            StudyError::OtherHand { leader } => write!(
                f,
                "{leader}, who leads, does not hold the same cards in all layouts"
            ),
            StudyError::Lengths => {
                f.write_str("results and groups need an element for each deal, or none at all")
            }
            StudyError::Answer => {
                f.write_str("a deal needs a number of tricks, 0 to 13, for each lead or contract")
            }
            StudyError::Plan(_) => f.write_str("the plan is not one of this study"),
        }
    }
}

impl std::error::Error for StudyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StudyError::Plan(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for SamplingPlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SamplingPlanError::Fields => "the number of fields is wrong",
            SamplingPlanError::Number => "a number is out of range",
            SamplingPlanError::Float(_) => "a number cannot be read",
            SamplingPlanError::Precision(_) => "the precision cannot be read",
        })
    }
}

impl std::error::Error for SamplingPlanError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SamplingPlanError::Float(error) => Some(error),
            SamplingPlanError::Precision(error) => Some(error),
            SamplingPlanError::Fields | SamplingPlanError::Number => None,
        }
    }
}

impl From<SamplingPlanError> for StudyError {
    fn from(error: SamplingPlanError) -> StudyError {
        StudyError::Plan(error)
    }
}
