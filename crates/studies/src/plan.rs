//! The plan of a study that uses deals which it does not solve.

use std::fmt;

use cards::Deal;

use crate::error::SamplingPlanError;
use crate::options::StudyOptions;
use crate::question::StudyQuestion;
use crate::sample::{ControlTotals, Sample};
use crate::screening::{CALIBRATION_DEALS, Calibration, DealSelector};
use statistics::precision::{Precision, PrecisionUnit};

/// First field of the text of a plan: its format.
const FORMAT: &str = "1";
/// Text of a field without a value.
const NONE: &str = "-";

/// The part of a study that depends on all deals: which of them may be solved, the totals of the controls, the
/// calibration of the screening, and when to stop.
///
/// With its plan a study can be done in portions by independent workers, each of which knows only its own deals. The
/// [text](fmt::Display) of a plan holds the exact numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingPlan {
    pub(crate) precision: Option<Precision>,
    /// Largest number of deals to solve.
    pub(crate) limit: usize,
    /// Number of all deals.
    pub(crate) deals: usize,
    /// Number of deals that may be solved: the first ones.
    pub(crate) candidates: usize,
    pub(crate) controls: ControlTotals,
    pub(crate) screening: Option<(PrecisionUnit, Calibration)>,
}

impl SamplingPlan {
    /// Creates the plan of a study of `deals`. With `is_selecting` and a precision in another unit than tricks, the first
    /// half of the deals is screened and the other half gives the controls. Otherwise all deals give the controls and
    /// are solved in their order, as are deals that are too few to calibrate or leave no variance. Tricks are about
    /// equally uncertain on all deals, so that a selection would not help.
    pub(crate) fn new<Q: StudyQuestion>(
        question: &Q,
        deals: &[Deal],
        options: &StudyOptions,
        is_selecting: bool,
    ) -> SamplingPlan {
        let unit = options.precision.map(|precision| precision.unit);
        let unit = unit.filter(|_| is_selecting);
        SamplingPlan {
            precision: options.precision,
            limit: options.solve_limit(deals.len()),
            ..SamplingPlan::screening(question, deals, unit, deals.len() / 2)
        }
    }

    /// Creates a plan without a precision that screens the first `candidates` deals for `unit`.
    pub fn screening<Q: StudyQuestion>(
        question: &Q,
        deals: &[Deal],
        unit: Option<PrecisionUnit>,
        candidates: usize,
    ) -> SamplingPlan {
        let unit = unit.filter(|&unit| unit != PrecisionUnit::Tricks);
        let screened = unit.and_then(|unit| {
            let rest = &deals[candidates.min(deals.len())..];
            let (calibration, controls) = rest.split_at_checked(CALIBRATION_DEALS)?;
            let measured = Calibration::measure(question, unit, calibration)?;
            (controls.len() >= CALIBRATION_DEALS).then_some(((unit, measured), controls))
        });
        let (screening, candidates, control_deals) = match screened {
            Some((screening, controls)) => (Some(screening), candidates, controls),
            None => (None, deals.len(), deals),
        };
        let mut controls = ControlTotals::default();
        for deal in control_deals {
            controls.add(&question.controls(deal));
        }
        SamplingPlan {
            precision: None,
            limit: deals.len(),
            deals: deals.len(),
            candidates,
            controls,
            screening,
        }
    }

    /// Returns the number of deals that may be solved: the first ones.
    #[must_use]
    pub fn candidates(&self) -> usize {
        self.candidates
    }

    /// Returns the selector of the deals to solve.
    #[must_use]
    pub fn selector<Q: StudyQuestion>(&self, question: &Q) -> DealSelector<Q> {
        DealSelector {
            question: question.clone(),
            screening: self.screening,
        }
    }

    /// Returns an empty sample with the controls of the plan.
    pub(crate) fn sample<Q: StudyQuestion>(&self, question: &Q) -> Sample {
        let preferred = question.preferred_controls();
        let sample = match self.screening {
            Some((unit, _)) => Sample::screened(preferred, question.target_quantities(unit).0),
            None => Sample::new(preferred),
        };
        let ranges = (0..question.quantity_count()).map(|which| question.quantity_range(which));
        sample
            .with_ranges(ranges.collect())
            .with_controls(self.controls.clone())
    }

    /// Reads the text of a plan for `question`.
    ///
    /// # Errors
    /// If the text is not the plan of such a question.
    pub fn parse<Q: StudyQuestion>(
        question: &Q,
        text: &str,
    ) -> Result<SamplingPlan, SamplingPlanError> {
        let fields: Vec<&str> = text.split(';').collect();
        let &[FORMAT, precision, counts, screening, sums] = fields.as_slice() else {
            return Err(SamplingPlanError::Fields);
        };
        let optional = |text: &str| match text {
            NONE => Ok(None),
            text => text.parse().map(Some).map_err(SamplingPlanError::Precision),
        };
        let counts: Result<Vec<usize>, _> = counts.split(' ').map(str::parse).collect();
        let counts = counts.map_err(|_| SamplingPlanError::Number)?;
        let &[limit, deals, candidates, control_deals] = counts.as_slice() else {
            return Err(SamplingPlanError::Fields);
        };
        if candidates > deals || control_deals > deals {
            return Err(SamplingPlanError::Number);
        }
        let precision: Option<Precision> = optional(precision)?;
        let calibrated = floats(screening.trim_start_matches(NONE))?;
        let screening = match (calibrated.as_slice(), precision) {
            ([], _) => None,
            (&[variance, deviation], Some(precision)) if variance > 0.0 && deviation > 0.0 => {
                let calibration = Calibration {
                    variance,
                    deviation,
                };
                Some((precision.unit, calibration))
            }
            _ => return Err(SamplingPlanError::Fields),
        };
        let sums = floats(sums)?;
        if sums.len() != question.control_count() {
            return Err(SamplingPlanError::Fields);
        }
        Ok(SamplingPlan {
            precision,
            limit,
            deals,
            candidates,
            controls: ControlTotals {
                deals: control_deals,
                sums,
            },
            screening,
        })
    }
}

/// Reads finite numbers separated by spaces.
fn floats(text: &str) -> Result<Vec<f64>, SamplingPlanError> {
    let number = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(SamplingPlanError::Number),
        Err(error) => Err(SamplingPlanError::Float(error)),
    };
    text.split_whitespace().map(number).collect()
}

impl fmt::Display for SamplingPlan {
    /// Writes format, precision, counts, calibration and control totals. Rust writes the shortest decimal that reads back
    /// as the same number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FORMAT};")?;
        match self.precision {
            Some(precision) => write!(f, "{precision};")?,
            None => write!(f, "{NONE};")?,
        }
        let (limit, deals, candidates) = (self.limit, self.deals, self.candidates);
        write!(f, "{limit} {deals} {candidates} {};", self.controls.deals)?;
        match self.screening {
            Some((_, it)) => write!(f, "{} {};", it.variance, it.deviation)?,
            None => write!(f, "{NONE};")?,
        }
        let sums: Vec<String> = self.controls.sums.iter().map(f64::to_string).collect();
        f.write_str(&sums.join(" "))
    }
}
