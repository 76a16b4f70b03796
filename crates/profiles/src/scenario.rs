//! Chooses the subprofiles and the random suits of a board.

use std::fmt;

use cards::{BySeat, Seat, Side, Suit};

use crate::demand::Demand;
use crate::model::*;

/// The subprofile of each seat (0 for the first), North first.
pub type Picks = [usize; 4];

/// The choices of one board: a subprofile for each seat, and the suits drawn for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SubprofileChoice {
    /// The subprofile of each seat, North first.
    pub picks: Picks,
    /// The suits drawn for each seat with a random-suit constraint, in order.
    pub suits: BySeat<Vec<Suit>>,
}

/// Sum to which the weights of a seat are scaled. Products of four of them and of the totals of a random driver then
/// stay below 2^128.
const WEIGHT_UNIT: f64 = (1 << 20) as f64;

/// Two seats' subprofiles with their weight.
type SideChoice = (usize, usize, u128);

/// All combinations of subprofiles with their weights, as exact integers.
#[derive(Clone, Debug)]
pub struct Combinations {
    all: Vec<(Picks, u128)>,
}

/// Maximum number of combinations of subprofiles.
pub const MAX_COMBINATIONS: usize = 1 << 20;

/// The reason why subprofiles cannot be combined or dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubprofileError {
    /// Weights and roles leave a side without a subprofile to choose.
    NoSubprofile(Side),
    /// There are more than `MAX_COMBINATIONS` combinations.
    TooMany,
    /// No combination is possible.
    NothingPossible,
    /// A contingent constraint refers to a seat that has drawn no suit, as described.
    NoSuitDrawn(String),
    /// The demands of a scenario exclude each other, for the given reason.
    Impossible(String),
}

impl fmt::Display for SubprofileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubprofileError::NoSubprofile(side) => write!(
                f,
                "{}: the weights and roles (driver_only, follower_only) leave no subprofile to choose",
                side.letters()
            ),
            SubprofileError::TooMany => {
                write!(
                    f,
                    "more than {MAX_COMBINATIONS} combinations of subprofiles"
                )
            }
            SubprofileError::NothingPossible => {
                f.write_str("no combination of subprofiles is possible")
            }
            SubprofileError::NoSuitDrawn(reason) | SubprofileError::Impossible(reason) => {
                f.write_str(reason)
            }
        }
    }
}

impl std::error::Error for SubprofileError {}

impl Combinations {
    /// Returns the combinations of a profile.
    ///
    /// # Errors
    /// If there is none, because roles leave a seat without a subprofile, or if there are too many.
    pub fn of(profile: &HandProfile) -> Result<Combinations, SubprofileError> {
        let [north_south, east_west] =
            [Side::NorthSouth, Side::EastWest].map(|side| side_choices(profile, side));
        let (north_south, east_west) = (north_south?, east_west?);
        if north_south.len().saturating_mul(east_west.len()) > MAX_COMBINATIONS {
            return Err(SubprofileError::TooMany);
        }
        let mut all = Vec::new();
        for &(n, s, ns_weight) in &north_south {
            for &(e, w, ew_weight) in &east_west {
                all.push(([n, e, s, w], ns_weight * ew_weight));
            }
        }
        Ok(Combinations { all })
    }

    /// Keeps only the combinations that are `possible`.
    pub fn retain(&mut self, mut possible: impl FnMut(&Picks) -> bool) {
        self.all.retain(|(picks, _)| possible(picks));
    }

    /// Returns the combinations with their weights.
    #[must_use]
    pub fn all(&self) -> &[(Picks, u128)] {
        &self.all
    }

    /// Returns the sum of all weights.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.all.iter().map(|(_, weight)| weight).sum()
    }

    /// Returns the combination at `r` of the cumulative weights; `r` is below the total.
    #[must_use]
    pub fn at(&self, mut r: u128) -> Picks {
        for (picks, weight) in &self.all {
            if r < *weight {
                return *picks;
            }
            r -= weight;
        }
        self.all.last().map_or([0; 4], |(picks, _)| *picks)
    }
}

fn weights(subprofiles: &[SubProfile]) -> Vec<u128> {
    let sum: f64 = subprofiles.iter().map(|s| s.weight_percent).sum();
    if sum > 0.0 && sum.is_finite() {
        let unit = |s: &SubProfile| match s.weight_percent {
            weight if weight > 0.0 => ((weight / sum * WEIGHT_UNIT).round() as u128).max(1),
            _ => 0,
        };
        subprofiles.iter().map(unit).collect()
    } else {
        vec![1; subprofiles.len()]
    }
}

/// Returns the driver of the side, if there is one, for each outcome of the random choice.
fn drivers(profile: &HandProfile, side: Side) -> Vec<Option<Seat>> {
    let first = |a: Seat, b: Seat| {
        profile
            .hand_dealing_order
            .into_iter()
            .find(|&seat| seat == a || seat == b)
            .unwrap_or(a)
    };
    let [a, b] = side.seats();
    match (side, profile.ns_role_mode) {
        (Side::EastWest, _) | (_, RoleMode::NoDriver) => vec![Some(first(a, b))],
        (_, RoleMode::NoDriverNoIndex) => vec![None],
        (_, RoleMode::NorthDrives) => vec![Some(Seat::North)],
        (_, RoleMode::SouthDrives) => vec![Some(Seat::South)],
        (_, RoleMode::RandomDriver) => vec![Some(Seat::North), Some(Seat::South)],
    }
}

fn side_choices(profile: &HandProfile, side: Side) -> Result<Vec<SideChoice>, SubprofileError> {
    let cases: Vec<Vec<SideChoice>> = drivers(profile, side)
        .into_iter()
        .map(|driver| driven(profile, side, driver))
        .collect();
    let totals: Vec<u128> = cases
        .iter()
        .map(|case| case.iter().map(|(_, _, weight)| weight).sum())
        .collect();
    if totals.iter().all(|&total| total == 0) {
        return Err(SubprofileError::NoSubprofile(side));
    }
    // Each outcome of the random choice is equally likely, so each case is multiplied by the totals of the others.
    // Cases without any choice are dropped.
    let mut choices = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        let others: u128 = totals
            .iter()
            .enumerate()
            .filter(|&(j, &t)| j != i && t > 0)
            .map(|(_, &t)| t)
            .product();
        choices.extend(
            case.iter()
                .filter(|choice| choice.2 > 0)
                .map(|&(a, b, weight)| (a, b, weight * others)),
        );
    }
    Ok(choices)
}

fn driven(profile: &HandProfile, side: Side, driver: Option<Seat>) -> Vec<SideChoice> {
    let seats = side.seats();
    let [a, b] = seats.map(|seat| profile.subprofiles(seat));
    let may = |seat: Seat, subprofile: &SubProfile| match (side, driver, subprofile.ns_role_usage) {
        (Side::NorthSouth, Some(driver), RoleUsage::DriverOnly) => seat == driver,
        (Side::NorthSouth, Some(driver), RoleUsage::FollowerOnly) => seat != driver,
        _ => true,
    };
    let (wa, wb) = (weights(a), weights(b));
    let mut choices = Vec::new();
    match driver {
        Some(driver) if a.len() == b.len() && a.len() > 1 => {
            let drive = if driver == seats[0] { &wa } else { &wb };
            for (i, &weight) in drive.iter().enumerate() {
                if may(seats[0], &a[i]) && may(seats[1], &b[i]) {
                    choices.push((i, i, weight));
                }
            }
        }
        _ => {
            for (i, sub_a) in a.iter().enumerate().filter(|(_, s)| may(seats[0], s)) {
                let _ = sub_a;
                for (j, _) in b.iter().enumerate().filter(|(_, s)| may(seats[1], s)) {
                    choices.push((i, j, wa[i] * wb[j]));
                }
            }
        }
    }
    choices
}

impl SubprofileChoice {
    /// Returns the requirements on each seat, North first.
    ///
    /// # Errors
    /// If a contingent constraint refers to a seat that has drawn no suit.
    pub fn demands(&self, profile: &HandProfile) -> Result<BySeat<Demand>, SubprofileError> {
        let mut demands = BySeat([const { Demand::OPEN }; 4]);
        for seat in Seat::ALL {
            demands[seat] = self.demand(profile, seat)?;
        }
        Ok(demands)
    }

    fn demand(&self, profile: &HandProfile, seat: Seat) -> Result<Demand, SubprofileError> {
        let pick = self.picks[seat.index()];
        let subprofile = &profile.subprofiles(seat)[pick];
        let special = match &subprofile.special {
            None => Vec::new(),
            Some(Special::RandomSuit(random)) => random.ranges_for(&self.suits[seat]),
            Some(Special::Partner(contingent) | Special::Opponent(contingent)) => {
                let suit = self.contingent_suit(profile, contingent).ok_or_else(|| {
                    no_suit_drawn(seat, pick, contingent, self.picks[contingent.seat.index()])
                })?;
                vec![(suit, contingent.suit_range)]
            }
        };
        let excluded = profile.excluded_shapes(seat, pick);
        Ok(Demand {
            standard: subprofile.standard,
            special,
            excluded,
        })
    }

    fn contingent_suit(&self, profile: &HandProfile, contingent: &Contingent) -> Option<Suit> {
        let chosen = *self.suits[contingent.seat].first()?;
        if !contingent.use_non_chosen_suit {
            return Some(chosen);
        }
        match &profile.subprofiles(contingent.seat)[self.picks[contingent.seat.index()]].special {
            Some(Special::RandomSuit(random)) => match random.allowed_suits[..] {
                [a, b] => Some(if a == chosen { b } else { a }),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns all ways to draw the random suits of a combination.
    pub fn draws(profile: &HandProfile, picks: Picks) -> Vec<SubprofileChoice> {
        let mut scenarios = vec![SubprofileChoice {
            picks,
            suits: BySeat([const { Vec::new() }; 4]),
        }];
        for seat in Seat::ALL {
            if let Some(Special::RandomSuit(random)) =
                &profile.subprofiles(seat)[picks[seat.index()]].special
            {
                scenarios = scenarios
                    .iter()
                    .flat_map(|scenario| {
                        random.draws().into_iter().map(|suits| {
                            let mut scenario = scenario.clone();
                            scenario.suits[seat] = suits;
                            scenario
                        })
                    })
                    .collect();
            }
        }
        scenarios
    }
}

impl fmt::Display for SubprofileChoice {
    /// Formats as `N1(S) E1 S2 W1`: each seat's subprofile with its drawn suits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for seat in Seat::ALL {
            let gap = if seat == Seat::North { "" } else { " " };
            write!(f, "{gap}{}{}", seat.letter(), self.picks[seat.index()] + 1)?;
            if !self.suits[seat].is_empty() {
                let suits: String = self.suits[seat].iter().map(|s| s.letter()).collect();
                write!(f, "({suits})")?;
            }
        }
        Ok(())
    }
}

fn no_suit_drawn(
    seat: Seat,
    pick: usize,
    contingent: &Contingent,
    other_pick: usize,
) -> SubprofileError {
    let (own, other) = (pick + 1, other_pick + 1);
    let missing = if contingent.use_non_chosen_suit {
        "has no random-suit constraint with exactly two allowed suits"
    } else {
        "has no random-suit constraint"
    };
    SubprofileError::NoSuitDrawn(format!(
        "seat {}, subprofile {own}: its contingent constraint looks at seat {}, whose subprofile {other} {missing}",
        seat.letter(),
        contingent.seat.letter(),
    ))
}

impl RandomSuit {
    /// Returns all ordered selections of the required number of suits.
    #[must_use]
    pub fn draws(&self) -> Vec<Vec<Suit>> {
        let mut samples = vec![Vec::new()];
        for _ in 0..self.required_suits_count {
            samples = samples
                .iter()
                .flat_map(|sample: &Vec<Suit>| {
                    self.allowed_suits
                        .iter()
                        .filter(|suit| !sample.contains(suit))
                        .map(|&suit| {
                            let mut longer = sample.clone();
                            longer.push(suit);
                            longer
                        })
                })
                .collect();
        }
        samples
    }

    /// Returns the ranges of the drawn suits.
    #[must_use]
    pub fn ranges_for(&self, drawn: &[Suit]) -> Vec<(Suit, SuitRange)> {
        if let &[x, y] = drawn {
            let pair = self.pair_overrides.iter().find(|o| {
                let [a, b] = o.suits;
                (a, b) == (x, y) || (a, b) == (y, x)
            });
            if let Some(pair) = pair {
                return vec![
                    (pair.suits[0], pair.first_range),
                    (pair.suits[1], pair.second_range),
                ];
            }
        }
        drawn
            .iter()
            .copied()
            .zip(self.suit_ranges.iter().copied())
            .collect()
    }
}
