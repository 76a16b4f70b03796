//! Deals boards from a profile: chooses the subprofiles, draws the suits, finds the cards.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use cards::{BySeat, Deal, Seat, Vulnerability};
use shuffle::{DealRandom, Key, RandomWords, Stream};

use crate::demand::{Demand, obviously_impossible};
use crate::exact::Exact;
use crate::model::HandProfile;
use crate::report::FailureReport;
use crate::scenario::{Combinations, Picks, SubprofileChoice, SubprofileError};
use crate::strategy::{DealingStrategy, PlainAttempts};

/// Options of dealing from a profile.
#[derive(Clone, Debug)]
pub struct DealOptions {
    /// The random key: board *n* of a key is always the same.
    pub key: Key,
    /// The method of finding the cards.
    pub strategy: DealingStrategy,
    /// Maximum number of attempts per board.
    pub max_attempts: u64,
    /// Whether to turn the boards; none for the setting of the profile.
    pub rotate: Option<bool>,
}

/// A board that was dealt from a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct DealtBoard {
    /// Number of the board, from 1.
    pub number: u64,
    /// Subprofiles and drawn suits that the cards fit.
    pub scenario: SubprofileChoice,
    /// The cards before the board was turned.
    pub unturned: Deal,
    /// Number of seats by which the cards were turned clockwise.
    pub turn: usize,
    /// Dealer, turned like the cards.
    pub dealer: Seat,
    /// Vulnerability, which follows from the board number.
    pub vulnerability: Vulnerability,
}

impl DealtBoard {
    /// Returns the cards as played, after turning.
    #[must_use]
    pub fn deal(&self) -> Deal {
        self.unturned.rotated(self.turn)
    }
}

/// A board that could not be dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFailure {
    /// Number of the board.
    pub board: u64,
    /// Number of deals tried.
    pub attempts: u64,
    /// The seat that failed most often on this board.
    pub hardest: Option<Seat>,
    /// Most frequent reason why this seat failed.
    pub cause: &'static str,
}

impl fmt::Display for BoardFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "board {}: nothing found in {} attempts",
            self.board, self.attempts
        )?;
        match self.hardest {
            Some(seat) => write!(
                f,
                "; the hardest seat is {seat} ({}). Try the exact strategy, or wider ranges there",
                self.cause
            ),
            None => Ok(()),
        }
    }
}

impl std::error::Error for BoardFailure {}

/// A profile that cannot be dealt at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossibleProfile {
    /// The reasons, one for every combination checked, without repetitions.
    pub reasons: Vec<String>,
}

impl fmt::Display for ImpossibleProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no deal satisfies this profile: {}",
            self.reasons.join("; ")
        )
    }
}

impl std::error::Error for ImpossibleProfile {}

/// A scenario that can be dealt: its demands and its sampler.
pub(crate) struct Prepared {
    pub demands: BySeat<Demand>,
    pub exact: Exact,
}

/// Maximum memory of all samplers in bytes. Beyond it they are created again when needed.
const MAX_SAMPLER_BYTES: usize = 1 << 30;

/// Deals boards from one profile.
pub struct ProfileDealer {
    profile: HandProfile,
    options: DealOptions,
    combinations: Combinations,
    total: u128,
    draws: HashMap<Picks, Arc<Vec<SubprofileChoice>>>,
    prepared: HashMap<SubprofileChoice, Result<Arc<Prepared>, SubprofileError>>,
    prepared_bytes: usize,
    report: FailureReport,
}

impl ProfileDealer {
    /// Prepares dealing. The strings are warnings about combinations that can never be dealt.
    ///
    /// # Errors
    /// If no combination of subprofiles can be dealt.
    pub fn new(
        profile: HandProfile,
        options: DealOptions,
    ) -> Result<(ProfileDealer, Vec<String>), ImpossibleProfile> {
        let combinations = Combinations::of(&profile).map_err(|reason| ImpossibleProfile {
            reasons: vec![reason.to_string()],
        })?;
        let total = combinations.total();
        let mut dealer = ProfileDealer {
            profile,
            options,
            combinations,
            total,
            draws: HashMap::new(),
            prepared: HashMap::new(),
            prepared_bytes: 0,
            report: FailureReport::default(),
        };
        let warnings = dealer.find_possible_combination()?;
        Ok((dealer, warnings))
    }

    /// Checks combinations until one can be dealt. Returns the reasons why the ones before it cannot.
    fn find_possible_combination(&mut self) -> Result<Vec<String>, ImpossibleProfile> {
        let mut reasons: Vec<String> = Vec::new();
        for picks in self
            .combinations
            .all()
            .iter()
            .map(|(picks, _)| *picks)
            .collect::<Vec<_>>()
        {
            match self.possible_draws(picks) {
                Ok(_) => {
                    return Ok(reasons);
                }
                Err(reason) if !reasons.contains(&reason) && reasons.len() < 8 => {
                    reasons.push(reason)
                }
                Err(_) => {}
            }
        }
        Err(ImpossibleProfile { reasons })
    }

    /// Returns the draws of suits with which a combination can be dealt; the error is the reason if there is none.
    fn possible_draws(&mut self, picks: Picks) -> Result<Arc<Vec<SubprofileChoice>>, String> {
        if let Some(draws) = self.draws.get(&picks) {
            return if draws.is_empty() {
                Err(String::new())
            } else {
                Ok(draws.clone())
            };
        }
        let mut reason = None;
        let mut possible = Vec::new();
        for scenario in SubprofileChoice::draws(&self.profile, picks) {
            match self.prepare(&scenario) {
                Ok(_) => possible.push(scenario),
                Err(why) => reason = reason.or(Some(why.to_string())),
            }
        }
        let draws = Arc::new(possible);
        self.draws.insert(picks, draws.clone());
        match reason {
            Some(reason) if draws.is_empty() => Err(reason),
            _ => Ok(draws),
        }
    }

    fn prepare(&mut self, scenario: &SubprofileChoice) -> Result<Arc<Prepared>, SubprofileError> {
        if let Some(known) = self.prepared.get(scenario) {
            return known.clone();
        }
        let result = prepare(&self.profile, scenario).map(Arc::new);
        self.prepared_bytes += result.as_ref().map_or(0, |prepared| prepared.exact.bytes());
        if self.prepared_bytes > MAX_SAMPLER_BYTES {
            self.prepared.clear();
            self.prepared_bytes = 0;
        }
        self.prepared.insert(scenario.clone(), result.clone());
        result
    }

    /// Returns the profile.
    #[must_use]
    pub fn profile(&self) -> &HandProfile {
        &self.profile
    }

    /// Returns the counts of failures so far.
    #[must_use]
    pub fn report(&self) -> &FailureReport {
        &self.report
    }

    /// Returns the requirements of a scenario on each seat.
    ///
    /// # Errors
    /// If the scenario cannot be dealt.
    pub fn demands(
        &mut self,
        scenario: &SubprofileChoice,
    ) -> Result<BySeat<Demand>, SubprofileError> {
        Ok(self.prepare(scenario)?.demands.clone())
    }

    /// Returns the subprofiles and suits of board number `number`, without dealing it.
    pub fn scenario(&mut self, number: u64) -> SubprofileChoice {
        self.choose(&mut DealRandom::on(
            Stream::Choices,
            &self.options.key,
            number,
        ))
    }

    /// Deals board number `number` (from 1).
    ///
    /// # Errors
    /// If its cards were not found within the allowed attempts.
    pub fn board(&mut self, number: u64) -> Result<DealtBoard, BoardFailure> {
        let mut random = DealRandom::on(Stream::Choices, &self.options.key, number);
        let scenario = self.choose(&mut random);
        let rotate = self
            .options
            .rotate
            .unwrap_or(self.profile.rotate_deals_by_default);
        let turn = if rotate { random.below(4) as usize } else { 0 };
        self.report.requested += 1;
        let unturned = self.cards(number, &scenario, &mut random)?;
        self.report.succeeded += 1;
        Ok(DealtBoard {
            number,
            scenario,
            unturned,
            turn,
            dealer: self.profile.dealer.clockwise(turn),
            vulnerability: Vulnerability::of_board(number),
        })
    }

    /// Chooses a combination by weight among the possible ones, then its suits among the possible draws.
    fn choose(&mut self, random: &mut impl RandomWords) -> SubprofileChoice {
        loop {
            let picks = self.combinations.at(random.below128(self.total));
            // At least one combination is possible, so the loop ends.
            if let Ok(draws) = self.possible_draws(picks) {
                return draws[random.below(draws.len() as u64) as usize].clone();
            }
        }
    }

    fn cards(
        &mut self,
        number: u64,
        scenario: &SubprofileChoice,
        random: &mut impl RandomWords,
    ) -> Result<Deal, BoardFailure> {
        let order = self.profile.hand_dealing_order;
        let failure = |report: &FailureReport, attempts| BoardFailure {
            board: number,
            attempts,
            hardest: report.hardest_seat(),
            cause: report
                .hardest_seat()
                .map_or("", |seat| report.main_cause(seat)),
        };
        let mut own = FailureReport::default();
        let Ok(prepared) = self.prepare(scenario) else {
            return Err(failure(&own, 0));
        };
        let demands = &prepared.demands;
        let mut plain = PlainAttempts::new(self.options.key, number);
        let tight = match &self.options.strategy {
            DealingStrategy::Preallocate(preallocation) => preallocation.tight_seats(demands),
            _ => BySeat([false; 4]),
        };
        let mut found = None;
        while found.is_none() && own.attempts < self.options.max_attempts {
            let deal = match &self.options.strategy {
                DealingStrategy::Exact => prepared.exact.candidate(random),
                DealingStrategy::Plain => plain.next_deal(),
                DealingStrategy::Preallocate(p) => p.attempt(demands, tight, order, random),
            };
            if own.count(&deal, demands, order) {
                found = Some(deal);
            }
        }
        self.report.merge(&own);
        found.ok_or_else(|| failure(&own, own.attempts))
    }
}

fn prepare(
    profile: &HandProfile,
    scenario: &SubprofileChoice,
) -> Result<Prepared, SubprofileError> {
    let demands = scenario.demands(profile)?;
    if let Some(reason) = obviously_impossible(&demands) {
        return Err(SubprofileError::Impossible(reason));
    }
    let exact = Exact::new(&demands)?;
    Ok(Prepared { demands, exact })
}
