//! Questions over many deals: how many must be solved for how much certainty.
//!
//! A study asks what something is worth on average: a lead, a contract. Solving is what takes the time, so the less is
//! solved for the same certainty the better. Three things help:
//!
//! * [`Precision`]: solve until the interval is as narrow as wished, and no further.
//! * [`Sample`]: besides the solved deals look at many that are not solved. What can be seen of a deal at a glance
//!   ([`controls`]), such as [`solver::estimate()`], explains a good part of why deals differ; that part is averaged over
//!   all deals, and only the rest over the solved ones. The result is unbiased whatever the estimate is worth, and the
//!   interval is that of the combination.
//! * Where the wish is for a share, a score or IMPs, short searches, which cost a fraction of a solve, look into some
//!   thousand deals first ([`Examiner`]). Many are decided then; of the others some are solved, rather those that are left
//!   in doubt, and count for as much more as that was unlikely ([`LeadSample::choosing`], [`ContractSample::choosing`]).
//!
//! [`LeadSample`], [`ContractSample`] and [`TableSample`] ask about leads, contracts and whole tables
//! of results.
#![forbid(unsafe_code)]

mod choice;
mod combined;
mod contracts;
pub mod controls;
mod leads;
mod played;
mod precision;
mod regression;
mod tables;

pub use choice::{Examined, Examiner};
pub use combined::{Entry, Sample};
pub use contracts::{ContractQuestion, ContractSample};
pub use leads::{LeadQuestion, LeadSample};
pub use played::{Played, PlayedError};
pub use precision::{Precision, Stopping, Unit};
pub use tables::{TableRow, TableSample};
