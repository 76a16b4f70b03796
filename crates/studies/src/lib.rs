//! Studies of many deals: opening leads, contracts, mean trick tables.
//!
//! A [`Study`] estimates what each lead or each contract is worth on average over [`StudyDeals`]. The question is a
//! [`LeadQuestion`] or a [`ContractQuestion`]; [`StudyOptions`] decide how many deals are solved, [`StudyExecution`] how
//! the work is executed. Sums over solved deals are exact integers, and results do not depend on the number of threads.
//!
//! Solving takes most of the time. Three methods need fewer solved deals for the same interval:
//!
//! * [`Precision`]: the study stops when the 95 % interval is narrow enough ([`StoppingRule`]).
//! * Control variates: numbers that are computed without a search, such as [`solver::estimate()`], explain a part of the
//!   variance between deals. That part is averaged over many deals that are not solved, and only the rest over the solved
//!   ones. The mean is unbiased for any controls, and the interval is that of the combination ([`Sample`]).
//! * Screening: for a precision in percent, points or IMPs, short searches, which cost a fraction of a solve, decide many
//!   deals. Of the others those with a large remaining variance are solved more often and weighted accordingly
//!   ([`DealSelector`]).
//!
//! [`TrickTableSample`] estimates whole trick tables. A study can also be done in portions by independent workers, with a
//! [`SamplingPlan`].
#![forbid(unsafe_code)]

mod contracts;
mod controls;
mod differences;
mod error;
mod estimate;
mod leads;
mod options;
mod plan;
mod question;
mod regression;
mod sample;
mod screening;
mod study;
mod tables;
mod trick_estimate;

pub use contracts::{ContractQuestion, ContractResult, ContractTally, TrickHistogram};
pub use differences::{PlayDifferences, PlayDifferencesError};
pub use error::{SamplingPlanError, StudyError};
pub use estimate::{Estimate, Moments};
pub use formats::{DeclaredContract, ParseDeclaredContractError};
pub use leads::{LeadQuestion, LeadResult, LeadTally, SetTally, sequences};
pub use options::{DEFAULT_CONTROL, DEFAULT_NUMBER, StudyExecution, StudyOptions, StudyProgress};
pub use plan::SamplingPlan;
pub use question::StudyQuestion;
pub use sample::{ControlTotals, Sample, SampleEntry};
pub use screening::{DealSelector, ScreenedDeal};
pub use statistics::precision::{ParsePrecisionError, Precision, PrecisionUnit, StoppingRule};
pub use study::{DealAnswer, Study, StudyDeals};
pub use tables::{TrickTableRow, TrickTableSample};
