//! Weights of layouts under a condition: exact counts of deals where the condition can be counted.

use std::path::Path;

use croupier::cards::{BySeat, CardSet, Holding, Seat, Suit};
use croupier::session::Job;
use croupier::suits::Combination;

use crate::failure::Failure;
use crate::progress::ElapsedTimeLine;
use crate::scripts;

/// Maximum number of missing cards whose layouts are all counted.
const MOST_MISSING: usize = 10;

/// A condition on the whole deal, and the cards that it fixes.
pub(super) struct LayoutCondition {
    job: Job,
    predeal: BySeat<CardSet>,
}

impl LayoutCondition {
    /// Reads the condition or the script and prints warnings to standard error.
    ///
    /// # Errors
    /// If it cannot be read or has an error.
    pub(super) fn new(
        condition: Option<&str>,
        script: Option<&Path>,
    ) -> Result<LayoutCondition, Failure> {
        let job = match (condition, script) {
            (_, Some(path)) => scripts::job(path)?,
            (Some(condition), None) => Job::new(format!("condition {condition}")).name("condition"),
            (None, None) => Job::new(""),
        };
        let session = job_with_script(&job).prepare().map_err(scripts::failure)?;
        scripts::show(session.warnings());
        Ok(LayoutCondition {
            predeal: session.plan().predeal,
            job,
        })
    }
}

/// Returns a new job with the script of `job`.
fn job_with_script(job: &Job) -> Job {
    Job::from_spec(job.spec().clone()).imports(scripts::IMPORTS)
}

/// The weights of layouts.
pub(super) struct Weights {
    /// West's cards, and a weight in proportion to the number of deals.
    pub(super) layouts: Vec<(Holding, u128)>,
    /// If the weights are estimates: an upper bound on half the width of the 95 % confidence interval of any chance.
    pub(super) largest_error: Option<f64>,
}

/// Counts the deals that satisfy the condition, for each layout of the missing cards.
///
/// # Errors
/// If the script's cards contradict the holdings, there are too many layouts, or no deal satisfies the condition.
pub(super) fn weights(
    source: &LayoutCondition,
    combination: Combination,
    suit: Suit,
    samples: u64,
) -> Result<Weights, Failure> {
    let missing = combination.missing();
    if missing.len() > MOST_MISSING {
        return Err(Failure::usage(format!(
            "{} cards of the suit are missing: a condition can be counted for at most {MOST_MISSING}",
            missing.len()
        )));
    }
    let own = [
        (Seat::North, combination.north()),
        (Seat::South, combination.south()),
    ];
    for (seat, holding) in own {
        let told = source.predeal[seat].holding(suit);
        if !(told - holding).is_empty() {
            return Err(Failure::usage(format!(
                "the script gives {seat} {} in this suit, and the holding is {holding}",
                told
            )));
        }
    }
    let waiting = ElapsedTimeLine::show("counting deals");
    let mut layouts = Vec::new();
    let mut variances = Vec::new();
    for bits in (0..1u16 << 13).filter(|bits| bits & !missing.0 == 0) {
        let west = Holding(bits);
        let east = missing - west;
        let hands = [
            (Seat::North, combination.north()),
            (Seat::East, east),
            (Seat::South, combination.south()),
            (Seat::West, west),
        ];
        if let Some((weight, variance)) = weight(source, suit, hands, samples)? {
            layouts.push((west, weight));
            variances.push(variance);
        }
    }
    drop(waiting);
    let total: u128 = layouts.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return Err(Failure::runtime(
            "no deal with these holdings satisfies the condition",
        ));
    }
    let share = |weight: u128| weight as f64 / total as f64;
    let variance: f64 = layouts
        .iter()
        .zip(&variances)
        .map(|((_, weight), variance)| share(*weight).powi(2) * variance)
        .sum();
    let is_exact = variances.iter().all(|variance| *variance == 0.0);
    Ok(Weights {
        layouts,
        largest_error: (!is_exact).then(|| 1.96 * variance.sqrt()),
    })
}

/// Returns the weight of one layout and the relative variance of its estimate, or `None` if the cards do not fit.
fn weight(
    source: &LayoutCondition,
    suit: Suit,
    hands: [(Seat, Holding); 4],
    samples: u64,
) -> Result<Option<(u128, f64)>, Failure> {
    let mut job = job_with_script(&source.job);
    let mut places = [0; 4];
    for (place, (seat, holding)) in hands.into_iter().enumerate() {
        let told = source.predeal[seat];
        if !(told.holding(suit) - holding).is_empty() {
            return Ok(None);
        }
        let cards = told | holding.in_suit(suit);
        match 13usize.checked_sub(cards.len()) {
            Some(left) => places[place] = left,
            None => return Ok(None),
        }
        if !cards.is_empty() {
            job = job.predeal(seat, cards.suit_holdings().to_string());
        }
    }
    let session = job.prepare().map_err(scripts::failure)?;
    let chances = session.probability(samples).map_err(scripts::failure)?;
    // The count may be of hands; the number of deals is a multiple of it.
    let (hits, out_of) = chances.bound.lowest_terms();
    let deals = deals(places);
    let counted = deals / out_of * hits + deals % out_of * hits / out_of;
    Ok(Some(match chances.trial {
        None => (counted * u128::from(samples), 0.0),
        Some(trial) => {
            let (passed, tried) = (u128::from(trial.passed), u128::from(trial.tried.max(1)));
            let weight = counted * passed * u128::from(samples) / tried;
            // Adding one success and one failure keeps the variance of rare layouts finite.
            let share = (trial.passed as f64 + 1.0) / (trial.tried as f64 + 2.0);
            (weight, (1.0 - share) / (share * trial.tried.max(1) as f64))
        }
    }))
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
