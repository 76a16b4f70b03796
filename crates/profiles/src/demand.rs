//! The requirements of one board on one hand, and the causes of failure.

use cards::{BySeat, BySuit, Hand, Holding, Shape, ShapeSet, Suit};

use crate::model::{Standard, SuitRange};

/// The requirements on a hand of one board: the chosen subprofile with its drawn suits.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// Lengths and points.
    pub standard: Standard,
    /// Ranges for drawn suits: random-suit and contingent constraints.
    pub special: Vec<(Suit, SuitRange)>,
    /// Shapes that are rejected.
    pub excluded: ShapeSet,
}

/// The cause of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureCause {
    /// Points, in total or in a suit.
    Hcp,
    /// The length of a suit.
    Shape,
    /// A special constraint or an exclusion.
    Other,
}

/// Returns the points of a holding, ace 4 to jack 1.
#[must_use]
pub fn hcp(holding: Holding) -> u8 {
    let honours = holding.0 >> 9;
    [0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10][usize::from(honours & 15)]
}

impl Demand {
    /// No requirements.
    pub const OPEN: Demand = Demand {
        standard: Standard::OPEN,
        special: Vec::new(),
        excluded: ShapeSet::EMPTY,
    };

    /// Returns whether every hand satisfies the demand.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Demand::OPEN
    }

    /// Checks a hand in this order: total points; suit by suit from spades down, length before points; the special
    /// constraint; the exclusions.
    ///
    /// # Errors
    /// The cause of the first failure.
    pub fn check(&self, hand: Hand) -> Result<(), FailureCause> {
        let total: u8 = Suit::ALL
            .into_iter()
            .map(|suit| hcp(hand.holding(suit)))
            .sum();
        if total < self.standard.total_min_hcp || total > self.standard.total_max_hcp {
            return Err(FailureCause::Hcp);
        }
        for suit in Suit::DESCENDING {
            in_range(hand.holding(suit), self.standard.suits[suit])?;
        }
        for (suit, range) in &self.special {
            in_range(hand.holding(*suit), *range).map_err(|_| FailureCause::Other)?;
        }
        match Shape::of(hand) {
            Some(shape) if !self.excluded.contains(shape) => Ok(()),
            _ => Err(FailureCause::Other),
        }
    }

    /// Returns the ranges of the suits, clubs first, combined with the special ones.
    #[must_use]
    pub fn ranges(&self) -> BySuit<SuitRange> {
        let mut ranges = self.standard.suits;
        for (suit, range) in &self.special {
            ranges[*suit] = ranges[*suit].and(*range);
        }
        ranges
    }

    /// Returns the shapes that a hand may have by its lengths alone.
    #[must_use]
    pub fn shapes(&self) -> ShapeSet {
        let ranges = self.ranges();
        let allowed: ShapeSet = Shape::all()
            .filter(|shape| {
                shape
                    .lengths()
                    .iter()
                    .zip(Suit::DESCENDING)
                    .all(|(&length, suit)| {
                        let range = ranges[suit];
                        (range.min_cards..=range.max_cards).contains(&length)
                    })
            })
            .collect();
        allowed.difference(&self.excluded)
    }
}

fn in_range(holding: Holding, range: SuitRange) -> Result<(), FailureCause> {
    if !(range.min_cards..=range.max_cards).contains(&(holding.len() as u8)) {
        return Err(FailureCause::Shape);
    }
    if !(range.min_hcp..=range.max_hcp).contains(&hcp(holding)) {
        return Err(FailureCause::Hcp);
    }
    Ok(())
}

/// Returns a reason why four demands can never be met together, if a quick check finds one.
#[must_use]
pub fn obviously_impossible(demands: &BySeat<Demand>) -> Option<String> {
    for (seat, demand) in demands {
        if demand.shapes().is_empty() {
            return Some(format!(
                "{seat}: no shape satisfies all its suit lengths and exclusions"
            ));
        }
        for (suit, range) in demand.ranges() {
            if range.min_hcp > range.max_hcp {
                return Some(format!(
                    "{seat}: the ranges for points in {suit} contradict each other"
                ));
            }
        }
        if let Some(reason) = points_out_of_reach(demand) {
            return Some(format!("{seat}: {reason}"));
        }
    }
    for suit in Suit::ALL {
        let ranges = demands.each_ref().map(|demand| demand.ranges()[suit]);
        let least: u32 = ranges.values().map(|r| u32::from(r.min_cards)).sum();
        let most: u32 = ranges.values().map(|r| u32::from(r.max_cards)).sum();
        if least > 13 || most < 13 {
            return Some(format!(
                "{suit}: the four seats ask for {least} to {most} cards, but there are 13"
            ));
        }
        let least: u32 = ranges.values().map(|r| u32::from(r.min_hcp)).sum();
        let most: u32 = ranges.values().map(|r| u32::from(r.max_hcp)).sum();
        if least > 10 || most < 10 {
            return Some(format!(
                "{suit}: the four seats ask for {least} to {most} points, but there are 10"
            ));
        }
    }
    let least: u32 = demands
        .values()
        .map(|d| u32::from(d.standard.total_min_hcp))
        .sum();
    let most: u32 = demands
        .values()
        .map(|d| u32::from(d.standard.total_max_hcp))
        .sum();
    if least > 40 || most < 40 {
        return Some(format!(
            "the four seats ask for {least} to {most} points, but there are 40"
        ));
    }
    None
}

fn points_out_of_reach(demand: &Demand) -> Option<String> {
    let ranges = demand.ranges();
    let least: u32 = ranges.values().map(|r| u32::from(r.min_hcp)).sum();
    let most: u32 = ranges.values().map(|r| u32::from(r.max_hcp.min(10))).sum();
    let (low, high) = (demand.standard.total_min_hcp, demand.standard.total_max_hcp);
    if least > u32::from(high) || most < u32::from(low) {
        return Some(format!(
            "its suits give {least} to {most} points, but the total should be {low} to {high}"
        ));
    }
    None
}
