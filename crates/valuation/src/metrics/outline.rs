//! Bounds on results of metrics from sums over single suits.
//!
//! Most methods add up points of each suit; the rest depends on the shape, on partner and on roundings. So a sum over
//! the suits bounds the result: honours count exactly, and for the rest there are numbers by length that no shape
//! exceeds (see `by_length`). The exact sampler can skip deals whose bound is too low.

use cards::{BySuit, CardSet, Holding, Suit};

use super::by_length::cover;
use super::side::HandFacts;
use super::{SIDE_METRICS, check_tag, honour_counts};

/// The points of one suit. The hand holds only this suit, as its [`SUIT`].
pub(super) type OfSuit = fn(&HandFacts) -> i32;

/// The suit of a hand that has only one.
pub(super) const SUIT: Suit = Suit::Clubs;

/// A sum over the suits of a hand, or of both hands of a side, that bounds a result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Points of one suit.
    pub(super) suit: OfSuit,
    /// Points for the lengths of a hand, in units: a minimum for the lower bound, a maximum for the upper bound. They
    /// do not depend on which suits have these lengths.
    pub(super) shape: fn(&HandFacts) -> i32,
    /// Value of a unit in the sum.
    pub(super) unit: i32,
    /// Returns the least or the greatest result, given the sum and the number of hands.
    pub(super) result: fn(i32, i32) -> i32,
}

/// The bounds on the value of a hand in one strain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) least: Bound,
    pub(super) most: Bound,
    /// Whether the lower bound is always equal to the upper one.
    pub(super) equal: bool,
}

/// The value of a hand as a function of sums over its suits and, if `by_shape`, of its lengths.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub(super) sums: &'static [OfSuit],
    pub(super) by_shape: bool,
    /// Computes the value from the sums and a hand of which only the lengths are valid.
    pub(super) value: fn(&[i32], &HandFacts) -> i32,
    /// Computes bounds from the first sum and the lengths alone, if these are tight.
    pub(super) coarse: Option<fn(i32, &HandFacts) -> [i32; 2]>,
}

/// The bounds on a metric's values in one strain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    pub(super) bounds: Bounds,
    pub(super) exact: Option<Exact>,
}

impl Bound {
    /// Creates the sum of the points of the suits, without points for the shape.
    pub(super) const fn sum(suit: OfSuit, result: fn(i32, i32) -> i32) -> Bound {
        Bound {
            suit,
            shape: |_| 0,
            unit: 1,
            result,
        }
    }

    /// Adds points for the shape.
    pub(super) const fn with_shape(self, unit: i32, shape: fn(&HandFacts) -> i32) -> Bound {
        Bound {
            shape,
            unit,
            ..self
        }
    }
}

impl Outline {
    /// Creates the outline of a result between bounds.
    pub(super) const fn between(least: Bound, most: Bound) -> Outline {
        Outline {
            bounds: Bounds {
                least,
                most,
                equal: false,
            },
            exact: None,
        }
    }

    /// Creates the outline of a result that is exactly a sum over the suits.
    pub(super) const fn sum(suit: OfSuit) -> Outline {
        let sum = Bound::sum(suit, |sum, _| sum);
        let mut outline = Outline::between(sum, sum);
        outline.bounds.equal = true;
        outline
    }

    /// Adds an exact formula for single hands.
    pub(super) const fn exactly(self, exact: Exact) -> Outline {
        Outline {
            exact: Some(exact),
            ..self
        }
    }
}

/// The outlines of a metric in notrump and in the best fit.
pub(super) type Outlines = [Outline; 2];

/// Returns the most that `points` returns for any trump suit.
pub(super) fn best_trumps(hand: &HandFacts, points: impl Fn(&HandFacts, Suit) -> i32) -> i32 {
    let all = Suit::ALL.iter().map(|&trumps| points(hand, trumps));
    all.max().unwrap_or(0)
}

/// The information about a result before both hands are known.
#[derive(Clone, Copy, Debug)]
pub enum KnownResult {
    /// The value of a hand, 0 or 1, exactly.
    Hand(usize, Exact),
    /// A result between two bounds, which are sums over `hands`.
    Between {
        /// The hands that the result is about.
        hands: &'static [usize],
        /// The lower bound.
        least: SuitSum,
        /// The upper bound.
        most: SuitSum,
        /// Whether the lower bound is always equal to the upper one.
        equal: bool,
    },
}

/// A sum over the suits of hands, and the bound that follows from it.
#[derive(Clone, Copy, Debug)]
pub struct SuitSum {
    suit: OfSuit,
    by_length: [i32; 14],
    result: fn(i32, i32) -> i32,
}

impl SuitSum {
    /// Returns the points of a holding.
    #[must_use]
    pub fn of_suit(&self, held: Holding) -> i32 {
        (self.suit)(&one_suit(held)) + self.by_length[held.len()]
    }

    /// Returns the bound of the result, given the sum over `hands` hands.
    #[must_use]
    pub fn result(&self, sum: i32, hands: usize) -> i32 {
        (self.result)(sum, hands as i32).max(0)
    }
}

impl Exact {
    /// Returns the number of sums.
    #[must_use]
    pub fn sums(&self) -> usize {
        self.sums.len()
    }

    /// Returns the points of a holding in a sum.
    #[must_use]
    pub fn of_suit(&self, sum: usize, held: Holding) -> i32 {
        self.sums[sum](&one_suit(held))
    }

    /// Returns whether the value depends on the lengths of the hand too.
    #[must_use]
    pub fn is_by_shape(&self) -> bool {
        self.by_shape
    }

    /// Returns whether the first sum alone gives tight bounds.
    #[must_use]
    pub fn is_mostly_first(&self) -> bool {
        self.coarse.is_some()
    }

    /// Returns the least and the greatest value with this first sum and these lengths.
    #[must_use]
    pub fn range(&self, first: i32, lengths: BySuit<i32>) -> [i32; 2] {
        let shape = HandFacts::of_lengths(lengths);
        let range = self.coarse.map(|coarse| coarse(first, &shape));
        range.map_or([i32::MIN, i32::MAX], |ends| ends.map(|end| end.max(0)))
    }

    /// Returns the value of a hand with these sums and lengths.
    #[must_use]
    pub fn value(&self, sums: &[i32], lengths: BySuit<i32>) -> i32 {
        (self.value)(sums, &HandFacts::of_lengths(lengths)).max(0)
    }
}

fn one_suit(held: Holding) -> HandFacts {
    let mut holdings = [Holding::default(); 4];
    holdings[SUIT as usize] = held;
    HandFacts::new(CardSet::from_holdings(holdings))
}

/// Returns the information about a result of a metric, with the standard count tables; `None` if there is none.
#[must_use]
pub fn known(tag: i32, slot: usize) -> Option<KnownResult> {
    let outline = outline(tag, slot)?;
    Some(match (slot % 3, outline.exact) {
        (0, _) => between(&[0, 1], &outline.bounds),
        (hand, Some(exact)) => KnownResult::Hand(hand - 1, exact),
        (1, None) => between(&[0], &outline.bounds),
        _ => between(&[1], &outline.bounds),
    })
}

/// Returns whether there is any information about a result of a metric.
#[must_use]
pub fn is_known(tag: i32, slot: usize) -> bool {
    outline(tag, slot).is_some()
}

fn outline(tag: i32, slot: usize) -> Option<&'static Outline> {
    let tag = check_tag(tag).ok()?;
    let outlines = match tag {
        20..=27 => &honour_counts::OUTLINES[tag as usize - 20],
        _ => {
            SIDE_METRICS
                .iter()
                .find(|metric| metric.tag == tag)?
                .outlines?
        }
    };
    outlines.get(slot / 3)
}

/// Converts the bounds for these hands.
fn between(hands: &'static [usize], bounds: &Bounds) -> KnownResult {
    let Bounds { least, most, equal } = *bounds;
    let less = cover(|hand| -(least.shape)(hand)).map(|number| -number * least.unit);
    let more = cover(most.shape).map(|number| number * most.unit);
    let sum = |bound: Bound, by_length| SuitSum {
        suit: bound.suit,
        by_length,
        result: bound.result,
    };
    KnownResult::Between {
        hands,
        least: sum(least, less),
        most: sum(most, more),
        equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{SLOTS, Slots, evaluate_hands, list};

    /// Returns the lower and upper bound for two hands.
    fn range(known: &KnownResult, hands: &[CardSet; 2]) -> (i32, i32) {
        let sum = |hand: CardSet, of: &dyn Fn(Holding) -> i32| -> i32 {
            Suit::ALL.iter().map(|&suit| of(hand.holding(suit))).sum()
        };
        match known {
            KnownResult::Hand(hand, exact) => {
                let hand = hands[*hand];
                let sums: Vec<i32> = (0..exact.sums())
                    .map(|number| sum(hand, &|held| exact.of_suit(number, held)))
                    .collect();
                let lengths = BySuit::from_fn(|suit| match exact.is_by_shape() {
                    true => hand.holding(suit).len() as i32,
                    false => 0,
                });
                let value = exact.value(&sums, lengths);
                let [least, most] = exact.range(sums[0], lengths);
                assert!(least <= value && value <= most);
                (value, value)
            }
            KnownResult::Between {
                hands: about,
                least,
                most,
                equal,
            } => {
                let [low, high] = [least, most].map(|bound| {
                    let each = about
                        .iter()
                        .map(|&hand| sum(hands[hand], &|held| bound.of_suit(held)));
                    bound.result(each.sum(), about.len())
                });
                assert!(!equal || low == high);
                (low, high)
            }
        }
    }

    /// Returns two hands, more or less extreme: they take cards in turn, each from the suits and ranks it prefers.
    fn wild_hands(random: &mut impl FnMut() -> u64) -> [CardSet; 2] {
        let wildness = random() % 5;
        let strength = random() % 5;
        let mut taste = [[0u64; 52]; 2];
        for hand in &mut taste {
            let suits: [u64; 4] = std::array::from_fn(|_| random() % 1000 * wildness / 2);
            for (card, value) in hand.iter_mut().enumerate() {
                let rank = card as u64 % 13;
                *value = random() % 1000 + suits[card / 13] + rank * rank * strength;
            }
        }
        let mut hands = [CardSet::EMPTY; 2];
        let mut free: Vec<usize> = (0..52).collect();
        for turn in 0..26 {
            let hand = turn % 2;
            let best = free
                .iter()
                .enumerate()
                .max_by_key(|(_, card)| taste[hand][**card]);
            let place = best.map_or(0, |(place, _)| place);
            hands[hand] |= CardSet(1 << free.swap_remove(place));
        }
        hands
    }

    /// Checks for pairs of hands, ordinary and extreme, weak and strong, that every value is between its bounds.
    fn results_of_pairs(pairs: u32) {
        let mut state = 1u64;
        let mut random = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let mixed = state ^ state >> 29;
            mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
        };
        let asked: Vec<(i32, &str, usize, KnownResult)> = list()
            .iter()
            .flat_map(|metric| (0..SLOTS).map(move |slot| (metric, slot)))
            .filter_map(|(metric, slot)| {
                Some((metric.tag, metric.name, slot, known(metric.tag, slot)?))
            })
            .collect();
        assert_eq!(asked.len(), 6 * (15 + 8));
        let mut slack = vec![0i64; asked.len()];
        for _ in 0..pairs {
            let hands = wild_hands(&mut random);
            let mut known_slots: Option<(i32, Slots)> = None;
            for ((tag, name, slot, known), slack) in asked.iter().zip(&mut slack) {
                if known_slots.is_none_or(|(of, _)| of != *tag) {
                    let found = evaluate_hands(*tag, hands[0], hands[1]).unwrap();
                    known_slots = Some((*tag, found));
                }
                let value = known_slots.unwrap().1[*slot];
                let (low, high) = range(known, &hands);
                assert!(
                    low <= value && value <= high,
                    "{name} {slot}: {low} {value} {high} {hands:?}"
                );
                *slack += i64::from(high - value);
            }
        }
        // Checks that the bounds are not trivial. These hands are far more extreme than random ones.
        for ((_, name, slot, _), slack) in asked.iter().zip(slack) {
            let mean = slack as f64 / f64::from(pairs);
            let most = if slot % 3 == 0 { 40.0 } else { 20.0 };
            assert!(mean < most, "{name} {slot}: {mean}");
        }
    }

    #[test]
    fn results_lie_between_their_bounds() {
        results_of_pairs(20_000);
    }

    #[test]
    #[ignore = "minutes; run by ./check --long"]
    fn long_results_lie_between_their_bounds() {
        results_of_pairs(3_000_000);
    }
}
