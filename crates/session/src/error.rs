//! Errors of a job.

use std::fmt;
use std::io;
use std::sync::Arc;

use cards::Seat;
use engine::mixture::MixtureError;
use engine::{ChancesError, PredealtLengthsError, RunError};
use script::{Diagnostic, Place};
use shuffle::legacy::LengthPredealError;
use shuffle::{KeyError, PredealError};

/// An error of a job. Errors are values: nothing has been printed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The script has errors; warnings may be among them.
    Script(Vec<Diagnostic>),
    /// A variable `$n` whose number is not 0 to 9.
    NoSuchVariable(usize),
    /// Two requested settings exclude each other.
    Conflict(Conflict),
    /// The classes or shares of a levelled or mixed run are wrong.
    Level(LevelError),
    /// A setting whose value is out of range.
    OutOfRange {
        /// Name of the setting.
        setting: &'static str,
        /// The value.
        value: i64,
        /// The smallest value that is allowed.
        least: i64,
    },
    /// No deal can be made.
    Supply(SupplyError),
    /// A component of a levelled or mixed run could not be dealt.
    Mixture(MixtureError),
    /// The script uses a metric that does not exist.
    UnknownMetric {
        /// Number of the metric.
        tag: i32,
        /// The place in the script.
        place: Box<Place>,
    },
    /// The script uses auctions, and there are no robots.
    NoRobots {
        /// The place in the script.
        place: Box<Place>,
    },
    /// A frequency table has too many cells.
    TableTooLarge,
    /// An expression or the source failed while dealing.
    Run {
        /// The error of the engine.
        error: RunError,
        /// The place in the script, if the error belongs to one.
        place: Option<Box<Place>>,
    },
    /// Parts of a run do not fit together, or the run cannot be split.
    Part(PartError),
}

/// The reason why no deal can be made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SupplyError {
    /// The predealt cards do not fit.
    Predeal(PredealError),
    /// The predealt lengths do not fit.
    Lengths(LengthPredealError),
    /// No deal has the predealt lengths.
    PredealtLengths(PredealtLengthsError),
    /// There is no random key.
    Key(KeyError),
    /// The probability of the condition can be neither counted nor estimated.
    Chances(ChancesError),
    /// The library cannot be read.
    Library(Arc<io::Error>),
    /// The job takes its deals from a library, but has none.
    NoLibrary,
    /// The library holds no deal.
    EmptyLibrary,
    /// The library ends inside a record.
    TruncatedLibrary {
        /// Number of the record, from 1.
        record: usize,
    },
    /// The given deals have been used by an earlier run.
    GivenDealsUsed,
}

impl fmt::Display for SupplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SupplyError::Predeal(error) => error.fmt(f),
            SupplyError::Lengths(error) => error.fmt(f),
            SupplyError::PredealtLengths(error) => error.fmt(f),
            SupplyError::Key(error) => error.fmt(f),
            SupplyError::Chances(error) => error.fmt(f),
            SupplyError::Library(error) => write!(f, "the library: {error}"),
            SupplyError::NoLibrary => f.write_str("there is no library"),
            SupplyError::EmptyLibrary => f.write_str("there is no deal in the library"),
            SupplyError::TruncatedLibrary { record } => write!(
                f,
                "the library ends inside record {record}: a record has {} bytes",
                formats::zrd::RECORD
            ),
            SupplyError::GivenDealsUsed => f.write_str("the given deals have been used"),
        }
    }
}

/// Requested settings that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conflict {
    /// Tournament deals are whole boards: nothing can be predealt.
    TournamentWithPredeal,
    /// The boards of a tournament come from croupier's own generator.
    TournamentInClassicDialect,
    /// The cost of levelling is measured, but a tournament must follow from its key alone.
    TournamentWithBudget,
    /// Hands cannot be exchanged when their lengths are fixed.
    SwapWithLengths,
    /// Cards are predealt to this seat, whose hand is exchanged.
    SwapWithPredeal(Seat),
    /// Exchanging hands requires plain deals: not tournaments, classes or several scripts.
    SwapNeedsPlainDeals,
    /// A time limit needs a clock.
    TimeLimitWithoutClock,
    /// Classes and several scripts require croupier's generator and the native dialect.
    LevelNeedsOwnDeals,
    /// A precision requires an average in its unit.
    PrecisionWithoutAverage,
    /// A precision requires deals in their natural proportions.
    PrecisionWithProportions,
    /// Existing deals cannot have predealt cards.
    FoundDealsWithPredeal,
    /// Existing deals cannot have their hands exchanged.
    FoundDealsWithSwap,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Conflict::TournamentWithPredeal => {
                "tournament deals are whole boards: nothing can be predealt"
            }
            Conflict::TournamentInClassicDialect => {
                "the boards of a tournament are croupier's own deals: use its own dialect"
            }
            Conflict::TournamentWithBudget => {
                "the classes of a tournament have the shares that are given, whatever they cost"
            }
            Conflict::SwapWithLengths => "hands cannot be exchanged when lengths are predealt",
            Conflict::SwapWithPredeal(seat) => {
                return write!(
                    f,
                    "the hand of {seat} is exchanged, so no cards can be predealt to it; predeal them to north, or write a condition: hascard({seat}, AS)"
                );
            }
            Conflict::SwapNeedsPlainDeals => {
                "hands are not exchanged in a tournament, in classes of deals or in deals of several scripts"
            }
            Conflict::TimeLimitWithoutClock => "a time limit needs a clock",
            Conflict::FoundDealsWithPredeal => {
                "cards and lengths cannot be predealt to deals from a file or library; write them as a condition: hascard(north, AS) and spades(north) == 5"
            }
            Conflict::PrecisionWithoutAverage => {
                "a precision needs a quantity to measure: an action `average` of a condition (in %) or of a number (in tricks, \
                 imps or points), or `evalcontract` (in %, tricks or points)"
            }
            Conflict::PrecisionWithProportions => {
                "a precision needs deals as they come: none that are levelled or mixed"
            }
            Conflict::FoundDealsWithSwap => "hands of deals from a file or library are not exchanged",
            Conflict::LevelNeedsOwnDeals => {
                "classes in proportion need croupier's own deals in its own dialect"
            }
        })
    }
}

/// An error in the classes of a levelled run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelError {
    /// The script has no classes and none were named.
    NoClasses,
    /// A class that the script does not have.
    UnknownClass {
        /// Name of the class.
        name: String,
        /// The classes of the script.
        known: Vec<String>,
    },
    /// The number of weights differs from the number of classes.
    Weights {
        /// Number of weights given.
        given: usize,
        /// The classes of the script.
        classes: Vec<String>,
    },
    /// A share that is not a number from 1 to 1,000,000.
    NotAShare {
        /// The class.
        name: String,
        /// The given text.
        share: String,
    },
    /// Some shares are in percent and some are not.
    MixedUnits,
    /// Percentages whose sum is not 100.
    Percents {
        /// Sum of the percentages.
        sum: String,
    },
    /// Crossed classes whose targets cannot all be met, because some of the pairs are impossible.
    Impossible(Vec<String>),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = engine::mixture::CLASS_PREFIX;
        match self {
            LevelError::NoClasses => write!(
                f,
                "the script has no variable whose name begins with {prefix}; name the classes: A=1,B=1"
            ),
            LevelError::UnknownClass { name, known } => {
                let known = match known.is_empty() {
                    true => "none".to_owned(),
                    false => known.join(", "),
                };
                write!(
                    f,
                    "the script has no variable {prefix}{name} or {name}; its classes are: {known}"
                )
            }
            LevelError::Weights { given, classes } => write!(
                f,
                "{given} weights are given, but the script has {} classes: {}",
                classes.len(),
                classes.join(", ")
            ),
            LevelError::NotAShare { name, share } => {
                write!(f, "{share:?} is not a share; write {name}=2 or {name}=40%")
            }
            LevelError::MixedUnits => {
                f.write_str("give all shares in percent, or none: A=60%,B=40% or A=3,B=2")
            }
            LevelError::Percents { sum } => {
                write!(f, "the percents make {sum}, not 100")
            }
            LevelError::Impossible(cells) => write!(
                f,
                "no deal is of the classes {}, and without them not all targets can be met; give the pairs that you want: A*B=2,A*C=1",
                cells.join(", ")
            ),
        }
    }
}

/// An error of splitting a run or merging its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartError {
    /// The run cannot be split, for this reason.
    Whole(&'static str),
    /// The run was stopped before the end of the part.
    Stopped,
    /// The range of deal numbers of a part is not within the run.
    BadRange {
        /// First deal.
        first: u64,
        /// The deal after the last.
        last: u64,
        /// Number of deals of the whole run.
        generate: u64,
    },
    /// The parts belong to different jobs or versions.
    Different,
    /// The fingerprint of a part does not match its job and this version.
    WrongFingerprint {
        /// The version that made the part.
        made_by: String,
    },
    /// One part keeps the produced deals, the other does not.
    DealsMissing,
    /// Deals from the first number to the second are in two parts.
    Overlap(u64, u64),
    /// Deals from the first number to the second are in no part.
    Gap(u64, u64),
    /// The contents of a part do not match the job's script.
    Damaged,
    /// No part was given.
    Nothing,
}

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartError::Whole(why) => write!(f, "this run cannot be cut into parts: {why}"),
            PartError::Stopped => f.write_str("the part was stopped before its end"),
            PartError::BadRange {
                first,
                last,
                generate,
            } => write!(
                f,
                "deals {first} to {last} are no part of a run over deals 0 to {generate}"
            ),
            PartError::Different => f.write_str(
                "the parts belong to different jobs: script, key and settings must be the same",
            ),
            PartError::WrongFingerprint { made_by } => write!(
                f,
                "the fingerprint of the part is not that of its job (made by version {made_by}, this is {})",
                crate::partial::VERSION
            ),
            PartError::DealsMissing => {
                f.write_str("one part keeps its deals and another does not: make all parts alike")
            }
            PartError::Overlap(first, last) => {
                write!(f, "deals {first} to {last} are in more than one part")
            }
            PartError::Gap(first, last) => write!(f, "deals {first} to {last} are missing"),
            PartError::Damaged => {
                f.write_str("a part does not hold what the script of its job collects")
            }
            PartError::Nothing => f.write_str("there is no part to put together"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Script(diagnostics) => {
                for diagnostic in diagnostics {
                    f.write_str(&diagnostic.render())?;
                }
                Ok(())
            }
            Error::NoSuchVariable(number) => {
                write!(f, "there is no variable ${number}; scripts have $0 to $9")
            }
            Error::Conflict(conflict) => conflict.fmt(f),
            Error::Level(error) => error.fmt(f),
            Error::OutOfRange {
                setting,
                value,
                least,
            } => write!(f, "{setting} is {value}, but must be at least {least}"),
            Error::Supply(error) => error.fmt(f),
            Error::Mixture(error) => error.fmt(f),
            Error::UnknownMetric { tag, place } => write!(
                f,
                "{}:{}:{}: no metric has the tag {tag}",
                place.file, place.line, place.column
            ),
            Error::NoRobots { place } => write!(
                f,
                "{}:{}:{}: the auctions of deals need bidding robots",
                place.file, place.line, place.column
            ),
            Error::TableTooLarge => f.write_str(
                "a frequency table has more than 16 million cells; make its range smaller",
            ),
            Error::Run { error, place } => {
                if let Some(place) = place {
                    write!(f, "{}:{}:{}: ", place.file, place.line, place.column)?;
                }
                error.fmt(f)
            }
            Error::Part(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Script(_)
            | Error::NoSuchVariable(_)
            | Error::OutOfRange { .. }
            | Error::UnknownMetric { .. }
            | Error::NoRobots { .. }
            | Error::TableTooLarge => None,
            Error::Conflict(error) => Some(error),
            Error::Level(error) => Some(error),
            Error::Supply(error) => Some(error),
            Error::Mixture(error) => Some(error),
            Error::Run { error, .. } => Some(error),
            Error::Part(error) => Some(error),
        }
    }
}

impl std::error::Error for SupplyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SupplyError::Predeal(error) => Some(error),
            SupplyError::Lengths(error) => Some(error),
            SupplyError::PredealtLengths(error) => Some(error),
            SupplyError::Key(error) => Some(error),
            SupplyError::Chances(error) => Some(error),
            SupplyError::Library(error) => Some(&**error),
            SupplyError::NoLibrary
            | SupplyError::EmptyLibrary
            | SupplyError::TruncatedLibrary { .. }
            | SupplyError::GivenDealsUsed => None,
        }
    }
}

impl From<SupplyError> for Error {
    fn from(error: SupplyError) -> Error {
        Error::Supply(error)
    }
}

impl std::error::Error for Conflict {}

impl std::error::Error for LevelError {}

impl std::error::Error for PartError {}

impl From<PartError> for Error {
    fn from(error: PartError) -> Error {
        Error::Part(error)
    }
}

impl From<LevelError> for Error {
    fn from(error: LevelError) -> Error {
        Error::Level(error)
    }
}

impl From<Conflict> for Error {
    fn from(conflict: Conflict) -> Error {
        Error::Conflict(conflict)
    }
}
