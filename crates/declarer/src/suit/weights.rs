//! Weights of layouts under a condition: exact counts of deals where the condition can be counted.

use std::sync::atomic::Ordering;

use cards::{Holding, Seat, Suit};
use session::{Job, Session};
use suits::Combination;

use super::SuitQuestionError;

/// Maximum number of missing cards whose layouts are all counted.
pub(super) const MAX_MISSING: usize = 10;

/// Maximum number of deals to try for each layout.
pub const MAX_SUIT_SAMPLES: u64 = 1_000_000;

/// Quantile of the normal distribution for 95 % confidence.
const QUANTILE: f64 = 1.96;

/// A condition on the whole deal, which makes some layouts of a suit more likely than others.
pub struct SuitCondition {
    session: Session,
    suit: Suit,
    samples: u64,
}

/// The weights of layouts.
pub(super) struct Weights {
    /// West's cards, and a weight in proportion to the number of deals.
    pub(super) layouts: Vec<(Holding, u128)>,
    /// If the weights are estimates: the number of deals tried for each layout, and an upper bound on half the width of the
    /// 95 % confidence interval of any chance.
    estimated: Option<(u64, f64)>,
}

impl Weights {
    /// Returns the text that says how the weights were found.
    pub(super) fn text(&self) -> String {
        match self.estimated {
            None => "layouts weighted by exact counts of the deals that satisfy the condition"
                .to_owned(),
            Some((samples, error)) => format!(
                "layouts weighted by {samples} deals each; chances are within {:.2} % (95 % confidence)",
                100.0 * error
            ),
        }
    }
}

impl SuitCondition {
    /// Creates the condition of a job's script, whose predealt cards are kept. `suit` is the suit of the holdings. Where the
    /// condition cannot be counted exactly, `samples` deals are tried for each layout. The cancel flag of the job ends the
    /// counting.
    ///
    /// # Errors
    /// If the script has an error, or the number of samples is out of range.
    pub fn new(job: Job, suit: Suit, samples: u64) -> Result<SuitCondition, SuitQuestionError> {
        if !(1..=MAX_SUIT_SAMPLES).contains(&samples) {
            return Err(SuitQuestionError::Samples(samples));
        }
        let session = job.prepare().map_err(SuitQuestionError::Script)?;
        Ok(SuitCondition {
            session,
            suit,
            samples,
        })
    }

    /// Returns the session of the job.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Counts the deals that satisfy the condition, for each layout of the missing cards.
    pub(super) fn weights(&self, combination: Combination) -> Result<Weights, SuitQuestionError> {
        let missing = combination.missing();
        if missing.len() > MAX_MISSING {
            return Err(SuitQuestionError::TooManyMissing(missing.len()));
        }
        let own = [
            (Seat::North, combination.north()),
            (Seat::South, combination.south()),
        ];
        for (seat, holding) in own {
            let told = self.session.plan().predeal[seat].holding(self.suit);
            if !(told - holding).is_empty() {
                return Err(SuitQuestionError::ScriptCards(seat, told, holding));
            }
        }
        let mut layouts = Vec::new();
        let mut variances = Vec::new();
        for bits in (0..1u16 << 13).filter(|bits| bits & !missing.0 == 0) {
            let west = Holding(bits);
            let hands = [
                own[0],
                (Seat::East, missing - west),
                own[1],
                (Seat::West, west),
            ];
            if let Some((weight, variance)) = self.weight(hands)? {
                layouts.push((west, weight));
                variances.push(variance);
            }
        }
        let total: u128 = layouts.iter().map(|(_, weight)| weight).sum();
        if total == 0 {
            return Err(SuitQuestionError::NoDeals);
        }
        let share = |weight: u128| weight as f64 / total as f64;
        let weighted = layouts.iter().zip(&variances);
        let variance: f64 = weighted
            .map(|((_, weight), variance)| share(*weight).powi(2) * variance)
            .sum();
        let is_exact = variances.iter().all(|variance| *variance == 0.0);
        Ok(Weights {
            layouts,
            estimated: (!is_exact).then(|| (self.samples, QUANTILE * variance.sqrt())),
        })
    }

    /// Returns the weight of one layout and the relative variance of its estimate, or `None` if the cards do not fit.
    fn weight(
        &self,
        hands: [(Seat, Holding); 4],
    ) -> Result<Option<(u128, f64)>, SuitQuestionError> {
        let execution = self.session.execution();
        let mut job = Job::from_spec(self.session.spec().clone()).execution(execution.clone());
        let mut places = [0; 4];
        for (place, (seat, holding)) in hands.into_iter().enumerate() {
            let told = self.session.plan().predeal[seat];
            if !(told.holding(self.suit) - holding).is_empty() {
                return Ok(None);
            }
            let cards = told | holding.in_suit(self.suit);
            match 13usize.checked_sub(cards.len()) {
                Some(left) => places[place] = left,
                None => return Ok(None),
            }
            if !cards.is_empty() {
                job = job.predeal(seat, cards.suit_holdings().to_string());
            }
        }
        let chances = job.prepare().and_then(|it| it.probability(self.samples));
        let chances = chances.map_err(|error| match execution.cancel.load(Ordering::Relaxed) {
            true => SuitQuestionError::Cancelled,
            false => SuitQuestionError::Script(error),
        })?;
        // The count may be of hands; the number of deals is a multiple of it.
        let (hits, out_of) = chances.bound.lowest_terms();
        let deals = deals(places);
        let counted = deals / out_of * hits + deals % out_of * hits / out_of;
        let samples = u128::from(self.samples);
        Ok(Some(match chances.trial {
            None => (counted * samples, 0.0),
            Some(trial) => {
                let (passed, tried) = (u128::from(trial.passed), u128::from(trial.tried.max(1)));
                let weight = counted * passed * samples / tried;
                // Adding one success and one failure keeps the variance of rare layouts finite.
                let share = (trial.passed as f64 + 1.0) / (trial.tried as f64 + 2.0);
                (weight, (1.0 - share) / (share * trial.tried.max(1) as f64))
            }
        }))
    }
}

/// Returns the number of ways to deal the other cards to seats with these vacant places.
fn deals(places: [usize; 4]) -> u128 {
    let mut left: usize = places.iter().sum();
    let mut ways = 1;
    for number in places {
        ways *= (0..number).fold(1, |ways, i| ways * (left - i) as u128 / (i + 1) as u128);
        left -= number;
    }
    ways
}
