//! The interface between a study and its question: leads or contracts.

use cards::{Deal, TrickTable};
use solver::{Bounds, Solver};

use crate::error::StudyError;
use crate::estimate::Estimate;
use crate::trick_estimate::TrickEstimate;
use statistics::precision::PrecisionUnit;

/// A question about deals whose answer is a number of tricks for each option: for each lead or each contract.
///
/// Everything else, such as score or IMPs, is a quantity computed from these tricks.
pub trait StudyQuestion: Clone + Send + Sync {
    /// Exact sums over solved deals.
    type Tally: Clone;
    /// Result of one option.
    type Item;

    /// Checks that the question applies to `deals`.
    ///
    /// # Errors
    /// If a deal does not fit the question.
    fn check(&self, deals: &[Deal]) -> Result<(), StudyError>;

    /// Returns the number of options.
    fn options(&self) -> usize;

    /// Returns the tricks of each option. `known` is the trick table of the deal if it is known.
    fn solve(&self, solver: &mut Solver, deal: &Deal, known: Option<&TrickTable>) -> Vec<u8>;

    /// Creates an empty tally.
    fn new_tally(&self) -> Self::Tally;

    /// Adds the tricks of one deal to a tally.
    fn add_to_tally(&self, tally: &mut Self::Tally, tricks: &[u8]);

    /// Returns the results of a tally.
    fn results(&self, tally: &Self::Tally) -> Vec<Self::Item>;

    /// Replaces the estimates of `results` by `means`, the controlled means of all quantities.
    fn with_means(&self, results: Vec<Self::Item>, means: &[Estimate]) -> Vec<Self::Item>;

    /// Returns the control variates of a deal.
    fn controls(&self, deal: &Deal) -> Vec<f64>;

    /// Returns the number of control variates, which is the same for all deals.
    fn control_count(&self) -> usize;

    /// Returns the number of controls with the smaller penalty in regressions: the first ones.
    fn preferred_controls(&self) -> usize;

    /// Returns the bounds of each option's tricks that short searches find.
    fn short_searches(&self, solver: &mut Solver, deal: &Deal) -> Vec<Bounds>;

    /// Returns for each option the distribution of its tricks and whether its tricks belong to the other side than those
    /// of the first option.
    fn trick_estimates(&self, deal: &Deal) -> Vec<(TrickEstimate, bool)>;

    /// Returns the number of quantities.
    fn quantity_count(&self) -> usize;

    /// Returns all quantities that follow from the tricks of the options.
    fn quantities(&self, tricks: &[u8]) -> Vec<f64>;

    /// Returns the quantities that a precision in `unit` is about, and the factor that converts them to `unit`.
    fn target_quantities(&self, unit: PrecisionUnit) -> (Vec<usize>, f64);

    /// Returns the smallest and the largest possible value of a quantity. They are equal only if no deal can change it.
    fn quantity_range(&self, quantity: usize) -> (f64, f64);

    /// Returns whether a quantity is always 0 or 1.
    fn is_proportion(&self, quantity: usize) -> bool;

    /// Returns the quantity that is the number of tricks of an option.
    fn tricks_quantity(&self, option: usize) -> usize;
}
