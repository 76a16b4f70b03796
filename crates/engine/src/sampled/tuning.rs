//! The constants of the decision between plain dealing and the sampler.
//!
//! A change of any of them can change the deals of a script. Times are counted nanoseconds: fixed costs of operations,
//! not clock time. Two constants are measured on one core with AVX2. The others are chosen: they are values with which
//! `cargo bench -p croupier-engine --bench planning` passes. It requires, for the scripts of `examples/` and
//! `scenarios/` and 200 generated ones, that the automatic choice takes at most 1.2 times as long as the better of the
//! two fixed choices, plus 20 ms.

/// Work of plain dealing before the sampler is considered, in counted nanoseconds. Chosen. Runs that end within it
/// never pay for tables.
pub(super) const PLAIN_WORK: f64 = 2.4e6;

/// The minimum and maximum number of plain blocks before the sampler is considered. Chosen: with 32 blocks (32,768
/// deals) the pilot shows conditions that one deal in 10,000 satisfies; 256 blocks without a condition take 1.6 ms.
pub(super) const PLAIN_BLOCKS: (u64, u64) = (32, 256);

/// Number of times the sampler is considered. Chosen.
pub(super) const STAGES: usize = 3;

/// Factor between the blocks before one stage and those before the next. Chosen: the last stage comes after 1,024 times
/// the first plain blocks, about two seconds into a run of one thread.
pub(super) const NEXT_STAGE: u64 = 32;

/// Number of passing deals after which the pilot ends. Chosen: the share of passing deals then has a relative standard
/// error of 1/8, because the square root of 64 is 8.
pub(super) const ENOUGH_HITS: u64 = 64;

/// Nanoseconds to deal a plain deal and to evaluate it, without its columns. Measured.
pub(super) const PLAIN_DEAL: f64 = 6.2;

/// Ratio of the time of a condition's columns to the sum of their counted nanoseconds. Measured. It is above 1 because
/// few deals of a block are left after the first column.
pub(super) const COLUMN_TIME_RATIO: f64 = 3.0;

/// Number of passing deals to assume if none passed. Chosen below 1, because the condition may be much rarer than the
/// pilot can show.
pub(super) const ASSUMED_HITS: f64 = 0.05;

/// Smallest remaining plain work for which tables are built, in counted nanoseconds. Chosen.
pub(super) const MIN_PLAIN_WORK: f64 = 4e6;

/// Smallest share of the deals of a run that is assumed to be still needed. Chosen, because the share of passing deals
/// is an estimate.
pub(super) const MIN_NEEDED_SHARE: f64 = 0.1;

/// The largest share of the remaining plain work that planning may take. Chosen.
pub(super) const MAX_PLANNING_SHARE: f64 = 0.8;

/// The largest share of the remaining plain work that may be wasted if planning fails. Chosen: with the fixed part of
/// the bench's rule it stays below a fifth.
pub(super) const MAX_WASTED_SHARE: f64 = 0.13;

/// Counted nanoseconds that planning may waste in any run. Chosen below the 20 ms of the bench's rule.
pub(super) const MIN_WASTED_WORK: f64 = 8e6;

/// Upper limit of the counted nanoseconds of planning. Chosen.
pub(super) const MAX_WASTED_WORK: f64 = 3e9;

/// Factor by which the budget must have grown before a planner that gave up is called again. Chosen: with 2, all
/// attempts together cost at most twice the last one.
pub(super) const WORTH_ANOTHER_TRY: f64 = 2.0;

/// The minimum and maximum memory of tables in bytes; between them, a byte for each counted nanosecond of planning.
/// Chosen.
pub(super) const TABLE_BYTES: (f64, f64) = (64e6, 1e9);
