//! Selection of the deals to solve: short searches screen each deal, and deals with a large remaining variance are selected
//! more often.

use cards::Deal;
use solver::{Bounds, MIN_MEMORY, Solver};

use crate::question::StudyQuestion;
use crate::sample::SampleEntry;
use crate::trick_estimate::TrickEstimate;
use statistics::precision::PrecisionUnit;

/// Number of deals that calibrate the variance. They are not used for anything else.
pub(crate) const CALIBRATION_DEALS: usize = 100;
/// Variance that every deal has at least, as a fraction of the mean, because the other quantities are reported as well.
const VARIANCE_FLOOR: f64 = 0.06;
/// Mean number of screened deals for each solved one. At this ratio both parts of the interval cost about the same.
const SCREENED_PER_SOLVE: f64 = 4.0;
/// Number of cases in which the estimates are about right; see [`cases`].
const LIKELY: usize = 8;
/// Number of cases in which the estimates are far off.
const UNLIKELY: usize = 4;

/// Mean variance and mean standard deviation that screening leaves, over the calibration deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Calibration {
    pub(crate) variance: f64,
    pub(crate) deviation: f64,
}

impl Calibration {
    /// Screens `deals`; returns `None` if no variance is left.
    pub(crate) fn measure(
        question: &impl StudyQuestion,
        unit: PrecisionUnit,
        deals: &[Deal],
    ) -> Option<Calibration> {
        let mut solver = Solver::with_memory(MIN_MEMORY);
        let variances: Vec<f64> = deals
            .iter()
            .map(|deal| {
                solver.forget();
                let bounds = question.short_searches(&mut solver, deal);
                expectation(question, unit, deal, &bounds).1
            })
            .collect();
        let variance = variances.iter().sum::<f64>() / deals.len() as f64;
        let deviations = variances
            .iter()
            .map(|&it| Calibration::deviation_of(it, variance));
        let deviation = deviations.sum::<f64>() / deals.len() as f64;
        (variance > 0.0).then_some(Calibration {
            variance,
            deviation,
        })
    }

    fn deviation_of(variance: f64, mean: f64) -> f64 {
        (variance / mean + VARIANCE_FLOOR).sqrt()
    }

    /// Returns the probability with which a deal of this variance is selected.
    fn probability(self, variance: f64) -> f64 {
        let deviation = Calibration::deviation_of(variance, self.variance);
        (deviation / (SCREENED_PER_SOLVE * self.deviation)).min(1.0)
    }
}

/// Selects the deals to solve. Threads share a selector.
///
/// For a fixed number of solves the variance of a mean is smallest if deals are selected in proportion to their standard
/// deviation (Neyman allocation, with a stratum for every deviation). The random number of each deal depends only on its
/// place, so that the selection does not depend on threads.
#[derive(Clone, Debug)]
pub struct DealSelector<Q> {
    pub(crate) question: Q,
    /// Unit of the precision with its calibration; `None` selects every deal without screening.
    pub(crate) screening: Option<(PrecisionUnit, Calibration)>,
}

/// A screened deal and whether it was selected for solving.
#[derive(Clone, Debug)]
pub struct ScreenedDeal {
    pub(crate) entry: SampleEntry,
    is_selected: bool,
}

impl ScreenedDeal {
    /// Returns whether the deal is to be solved.
    #[must_use]
    pub fn is_selected(&self) -> bool {
        self.is_selected
    }
}

impl<Q: StudyQuestion> DealSelector<Q> {
    /// Returns the bounds that short searches find for each option; none if every deal is selected.
    #[must_use]
    pub fn search(&self, solver: &mut Solver, deal: &Deal) -> Vec<Bounds> {
        match self.screening {
            None => Vec::new(),
            Some(_) => {
                solver.forget();
                self.question.short_searches(solver, deal)
            }
        }
    }

    /// Decides whether the deal at `place` is solved, given the bounds that [`search`](Self::search) returned.
    #[must_use]
    pub fn select(&self, place: usize, deal: &Deal, bounds: &[Bounds]) -> ScreenedDeal {
        let controls = self.question.controls(deal);
        let Some((unit, calibration)) = self.screening else {
            return ScreenedDeal {
                entry: SampleEntry::unscreened(controls),
                is_selected: true,
            };
        };
        let (expected, variance) = expectation(&self.question, unit, deal, bounds);
        let probability = calibration.probability(variance);
        ScreenedDeal {
            entry: SampleEntry {
                controls,
                expected,
                deviation: (variance / calibration.variance).sqrt(),
                probability,
                values: None,
            },
            is_selected: probability >= 1.0 || uniform(place) < probability,
        }
    }
}

/// Returns possible tricks of the options with the weight of each case. In the likely cases all estimates are off in the
/// same direction by about their spread. In the unlikely cases they are off independently, by more.
fn cases(estimates: &[(TrickEstimate, bool)], bounds: &[Bounds]) -> Vec<(Vec<u8>, f64)> {
    let mut cases: Vec<(Vec<u8>, f64)> = Vec::new();
    for case in 0..LIKELY + UNLIKELY {
        let share = |option: usize| match case < LIKELY {
            true => (case as f64 + 0.5) / LIKELY as f64,
            false => ((case + option) % UNLIKELY) as f64 / UNLIKELY as f64 + 0.5 / UNLIKELY as f64,
        };
        let options = estimates.iter().zip(bounds).enumerate();
        let tricks = options.map(|(option, (&(estimate, is_opposed), &bounds))| {
            let estimate = match case < LIKELY {
                true => estimate,
                false => estimate.with_double_spread(),
            };
            let share = share(option);
            estimate.quantile(if is_opposed { 1.0 - share } else { share }, bounds)
        });
        let tricks: Vec<u8> = tricks.collect();
        let weight = 1.0 / (LIKELY + UNLIKELY) as f64;
        match cases.iter_mut().find(|(other, _)| *other == tricks) {
            Some((_, sum)) => *sum += weight,
            None => cases.push((tricks, weight)),
        }
    }
    cases
}

/// Returns the means of all quantities over the [`cases`], and the sum of the variances of the target quantities.
fn expectation(
    question: &impl StudyQuestion,
    unit: PrecisionUnit,
    deal: &Deal,
    bounds: &[Bounds],
) -> (Vec<f64>, f64) {
    let cases: Vec<(Vec<f64>, f64)> = cases(&question.trick_estimates(deal), bounds)
        .into_iter()
        .map(|(tricks, weight)| (question.quantities(&tricks), weight))
        .collect();
    // A quantity that is equal in all cases is taken as it is: a weighted sum would round it.
    let (first, _) = &cases[0];
    let varies = |which: usize| {
        cases
            .iter()
            .any(|(values, _)| values[which] != first[which])
    };
    let mean = |which: usize| match varies(which) {
        true => cases
            .iter()
            .map(|(values, weight)| weight * values[which])
            .sum(),
        false => first[which],
    };
    let means: Vec<f64> = (0..question.quantity_count()).map(mean).collect();
    let (targets, _) = question.target_quantities(unit);
    let variance = |&which: &usize| -> f64 {
        let deviation = |values: &[f64]| values[which] - means[which];
        cases
            .iter()
            .map(|(values, weight)| weight * deviation(values).powi(2))
            .sum()
    };
    let variance = targets.iter().map(variance).sum();
    (means, variance)
}

/// Returns a pseudo-random number from 0 to 1 that depends on `place` alone (SplitMix64).
fn uniform(place: usize) -> f64 {
    let mut z = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / 2f64.powi(53)
}
