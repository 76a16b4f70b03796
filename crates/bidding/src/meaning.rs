//! Meanings of calls: the hands that a call or an auction shows.

use std::fmt;

use cards::{BySuit, Hand, Seat, Suit};

/// A range of whole numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NumberRange {
    /// The lowest number.
    pub least: u8,
    /// The highest number.
    pub most: u8,
}

impl NumberRange {
    /// All lengths of a suit.
    pub const LENGTHS: NumberRange = NumberRange::new(0, 13);
    /// All point counts of a hand.
    pub const POINTS: NumberRange = NumberRange::new(0, 37);
    /// All point counts of a suit.
    pub const SUIT_POINTS: NumberRange = NumberRange::new(0, 10);

    /// Creates the range from `least` to `most`.
    #[must_use]
    pub const fn new(least: u8, most: u8) -> NumberRange {
        NumberRange { least, most }
    }

    /// Returns whether the range contains `number`.
    #[must_use]
    pub const fn contains(self, number: u8) -> bool {
        self.least <= number && number <= self.most
    }

    /// Returns the numbers that are in both ranges; `None` if there are none.
    #[must_use]
    pub fn intersection(self, other: NumberRange) -> Option<NumberRange> {
        let both = NumberRange::new(self.least.max(other.least), self.most.min(other.most));
        (both.least <= both.most).then_some(both)
    }

    fn hull(self, other: NumberRange) -> NumberRange {
        NumberRange::new(self.least.min(other.least), self.most.max(other.most))
    }

    fn includes(self, other: NumberRange) -> bool {
        self.least <= other.least && other.most <= self.most
    }

    /// Writes the range of a quantity whose full range is `full`: `5+`, `at most 11`, `15-17`, `exactly 6`.
    fn words(self, full: NumberRange) -> String {
        match (self.least == full.least, self.most >= full.most) {
            _ if self.least == self.most => format!("exactly {}", self.least),
            (_, true) => format!("{}+", self.least),
            (true, false) => format!("at most {}", self.most),
            (false, false) => format!("{}-{}", self.least, self.most),
        }
    }
}

/// Ranges of points and suit lengths of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HandRange {
    /// High card points.
    pub hcp: NumberRange,
    /// High card points plus shape: 1 more for an unbalanced hand, 1 more for ten cards in the two longest suits. A
    /// hand is in the range if its points with or without all of these additions can be, because robots omit them for
    /// honours in short suits.
    pub points: NumberRange,
    /// Cards in each suit.
    pub lengths: BySuit<NumberRange>,
    /// High card points in each suit.
    pub suit_hcp: BySuit<NumberRange>,
    /// Minimum support points, with each suit as trumps: high card points, 3 for a void, 2 for a singleton and 1 for a
    /// doubleton beside trumps, 1 for ten cards in the two longest suits. Like `points`, the most that is possible
    /// counts.
    pub support: BySuit<u8>,
}

impl HandRange {
    /// Every hand.
    pub const ANY: HandRange = HandRange {
        hcp: NumberRange::POINTS,
        points: NumberRange::POINTS,
        lengths: BySuit([NumberRange::LENGTHS; 4]),
        suit_hcp: BySuit([NumberRange::SUIT_POINTS; 4]),
        support: BySuit([0; 4]),
    };

    /// Returns whether the hand is in all ranges.
    #[must_use]
    pub fn admits(&self, hand: Hand) -> bool {
        let hcp = valuation::hcp(hand) as u8;
        self.hcp.contains(hcp)
            && hcp <= self.points.most
            && hcp + shape_points(hand) >= self.points.least
            && Suit::ALL.into_iter().all(|suit| {
                self.lengths[suit].contains(hand.holding(suit).len() as u8)
                    && self.suit_hcp[suit].contains(valuation::suit_hcp(hand.holding(suit)) as u8)
                    && hcp + support_bonus(hand, suit) >= self.support[suit]
            })
    }

    /// Returns the intersection; none if no hand of thirteen cards is in both.
    #[must_use]
    pub fn intersection(&self, other: &HandRange) -> Option<HandRange> {
        let mut both = HandRange {
            hcp: self.hcp.intersection(other.hcp)?,
            points: self.points.intersection(other.points)?,
            ..*self
        };
        for suit in Suit::ALL {
            both.lengths[suit] = self.lengths[suit].intersection(other.lengths[suit])?;
            both.suit_hcp[suit] = self.suit_hcp[suit].intersection(other.suit_hcp[suit])?;
            both.support[suit] = self.support[suit].max(other.support[suit]);
        }
        both.tightened()
    }

    /// Narrows the point ranges by each other: points are between high card points and two more. None if no hand of
    /// thirteen cards is in all ranges.
    fn tightened(mut self) -> Option<HandRange> {
        let least: u8 = self.lengths.values().map(|span| span.least).sum();
        let most: u8 = self.lengths.values().map(|span| span.most).sum();
        if least > 13 || most < 13 {
            return None;
        }
        let room = NumberRange::new(
            self.points.least.saturating_sub(MOST_SHAPE_POINTS),
            self.points.most,
        );
        self.hcp = self.hcp.intersection(room)?;
        self.points = self
            .points
            .intersection(NumberRange::new(self.hcp.least, u8::MAX))?;
        Some(self)
    }

    fn includes(&self, other: &HandRange) -> bool {
        self.hcp.includes(other.hcp)
            && self.points.includes(other.points)
            && Suit::ALL.into_iter().all(|suit| {
                self.lengths[suit].includes(other.lengths[suit])
                    && self.suit_hcp[suit].includes(other.suit_hcp[suit])
                    && self.support[suit] <= other.support[suit]
            })
    }

    fn hull(&self, other: &HandRange) -> HandRange {
        HandRange {
            hcp: self.hcp.hull(other.hcp),
            points: self.points.hull(other.points),
            lengths: BySuit::from_fn(|suit| self.lengths[suit].hull(other.lengths[suit])),
            suit_hcp: BySuit::from_fn(|suit| self.suit_hcp[suit].hull(other.suit_hcp[suit])),
            support: BySuit::from_fn(|suit| self.support[suit].min(other.support[suit])),
        }
    }

    /// Returns the suits for which the hand has shown support that does not follow from its high card points.
    fn supported(&self) -> impl Iterator<Item = Suit> {
        let suits = Suit::DESCENDING.into_iter();
        suits.filter(|&suit| self.support[suit] > self.hcp.least)
    }

    /// Returns the condition in the dealer language that a seat's hand is in the ranges; none if every hand is.
    #[must_use]
    pub fn condition(&self, seat: Seat) -> Option<String> {
        let name = seat.name();
        let mut terms = Vec::new();
        let mut between = |what: String, span: NumberRange, full: NumberRange| match (
            span.least > full.least,
            span.most < full.most,
        ) {
            (true, true) if span.least == span.most => {
                terms.push(format!("{what} == {}", span.least));
            }
            (low, high) => {
                if low {
                    terms.push(format!("{what} >= {}", span.least));
                }
                if high {
                    terms.push(format!("{what} <= {}", span.most));
                }
            }
        };
        between(format!("hcp({name})"), self.hcp, NumberRange::POINTS);
        for suit in Suit::DESCENDING {
            let (word, length) = (suit.name(), self.lengths[suit]);
            between(format!("{word}({name})"), length, NumberRange::LENGTHS);
            let points = self.suit_hcp[suit];
            between(
                format!("hcp({name}, {word})"),
                points,
                NumberRange::SUIT_POINTS,
            );
        }
        let least = self.points.least;
        if least > self.hcp.least {
            terms.push(format!("hcp({name}) + shape_points_{name} >= {least}"));
        }
        for suit in self.supported() {
            let (word, least) = (suit.name(), self.support[suit]);
            terms.push(format!("hcp({name}) + support_{word}_{name} >= {least}"));
        }
        (!terms.is_empty()).then(|| terms.join(" and "))
    }
}

impl fmt::Display for HandRange {
    /// Writes the ranges in words: `5+ spades, 12-21 points, 10+ HCP`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for suit in Suit::DESCENDING {
            let span = self.lengths[suit];
            if span != NumberRange::LENGTHS {
                parts.push(format!(
                    "{} {}",
                    span.words(NumberRange::LENGTHS),
                    suit.name()
                ));
            }
        }
        // Points are omitted if they follow from high card points.
        for suit in self.supported() {
            let least = self.support[suit];
            parts.push(format!("{least}+ support points for {}", suit.name()));
        }
        let points_say_more =
            self.points.least > self.hcp.least || self.points.most < self.hcp.most;
        if points_say_more {
            parts.push(format!("{} points", self.points.words(NumberRange::POINTS)));
        }
        let implied = NumberRange::new(
            self.points.least.saturating_sub(MOST_SHAPE_POINTS),
            self.points.most,
        );
        if self.hcp != NumberRange::POINTS && (!points_say_more || self.hcp != implied) {
            parts.push(format!("{} HCP", self.hcp.words(NumberRange::POINTS)));
        }
        for suit in Suit::DESCENDING {
            let span = self.suit_hcp[suit];
            if span != NumberRange::SUIT_POINTS {
                let words = span.words(NumberRange::SUIT_POINTS);
                parts.push(format!("{words} HCP in {}", suit.name()));
            }
        }
        match parts.is_empty() {
            true => f.write_str("any hand"),
            false => f.write_str(&parts.join(", ")),
        }
    }
}

/// Alternatives; a hand satisfies at least one of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meaning(Vec<HandRange>);

/// Maximum number of alternatives. With more, a meaning is widened to one range that contains them all.
const MOST_ALTERNATIVES: usize = 24;

impl Default for Meaning {
    /// Returns the meaning that every hand satisfies.
    fn default() -> Meaning {
        Meaning(vec![HandRange::ANY])
    }
}

impl Meaning {
    /// Creates the meaning of these alternatives. If no hand can satisfy any of them, it shows nothing.
    #[must_use]
    pub fn new(alternatives: impl IntoIterator<Item = HandRange>) -> Meaning {
        let mut kept: Vec<HandRange> = Vec::new();
        for range in alternatives.into_iter().filter_map(HandRange::tightened) {
            if kept.iter().any(|other| other.includes(&range)) {
                continue;
            }
            kept.retain(|other| !range.includes(other));
            kept.push(range);
        }
        match kept.len() {
            0 => Meaning::default(),
            1..=MOST_ALTERNATIVES => Meaning(kept),
            _ => Meaning(vec![hull(&kept)]),
        }
    }

    /// Returns the alternatives; there is at least one.
    #[must_use]
    pub fn alternatives(&self) -> &[HandRange] {
        &self.0
    }

    /// Returns the smallest range that contains all alternatives.
    #[must_use]
    pub fn hull(&self) -> HandRange {
        hull(&self.0)
    }

    /// Returns whether the meaning admits every hand.
    #[must_use]
    pub fn shows_nothing(&self) -> bool {
        self.0.contains(&HandRange::ANY)
    }

    /// Returns whether the hand satisfies the meaning.
    #[must_use]
    pub fn admits(&self, hand: Hand) -> bool {
        self.0.iter().any(|range| range.admits(hand))
    }

    /// Returns the intersection; none if no hand satisfies both.
    #[must_use]
    pub fn intersection(&self, other: &Meaning) -> Option<Meaning> {
        let pairs = self.0.iter().flat_map(|a| {
            let both = other.0.iter().filter_map(move |b| a.intersection(b));
            both.collect::<Vec<_>>()
        });
        let pairs: Vec<HandRange> = pairs.collect();
        (!pairs.is_empty()).then(|| Meaning::new(pairs))
    }

    /// Returns the condition in the dealer language for a seat's hand; none if every hand satisfies it.
    #[must_use]
    pub fn condition(&self, seat: Seat) -> Option<String> {
        let terms: Option<Vec<String>> = self.0.iter().map(|range| range.condition(seat)).collect();
        match terms?.as_slice() {
            [one] => Some(one.clone()),
            several => {
                let several: Vec<String> = several.iter().map(|term| format!("({term})")).collect();
                Some(format!("({})", several.join(" or ")))
            }
        }
    }

    /// Returns the definitions that the text of [`Meaning::condition`] refers to, if there are any.
    #[must_use]
    pub fn definitions(&self, seat: Seat) -> Option<String> {
        let name = seat.name();
        let mut lines = Vec::new();
        if self
            .0
            .iter()
            .any(|range| range.points.least > range.hcp.least)
        {
            lines.push(format!(
                "shape_points_{name} = (shape({name}, {BALANCED}) ? 0 : 1) + (shape({name}, {NINE_CARDS}) ? 0 : 1)"
            ));
        }
        for trumps in Suit::DESCENDING {
            if self
                .0
                .iter()
                .any(|range| range.supported().any(|suit| suit == trumps))
            {
                let others = Suit::DESCENDING.into_iter().filter(|&suit| suit != trumps);
                let short = others.map(|suit| {
                    let length = format!("{}({name})", suit.name());
                    format!("({length} < 3 ? 3 - {length} : 0)")
                });
                let short: Vec<String> = short.collect();
                lines.push(format!(
                    "support_{}_{name} = {} + (shape({name}, {NINE_CARDS}) ? 0 : 1)",
                    trumps.name(),
                    short.join(" + ")
                ));
            }
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

impl fmt::Display for Meaning {
    /// Writes the smallest range that contains all alternatives, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hull().fmt(f)
    }
}

fn hull(ranges: &[HandRange]) -> HandRange {
    let first = ranges.first().copied().unwrap_or(HandRange::ANY);
    ranges.iter().fold(first, |hull, range| hull.hull(range))
}

/// Maximum number of points that shape adds to high card points.
const MOST_SHAPE_POINTS: u8 = 2;
/// Balanced shapes, in the dealer language.
const BALANCED: &str = "any 4333 + any 4432 + any 5332";
/// Shapes with at most nine cards in the two longest suits, in the dealer language.
const NINE_CARDS: &str = "any 4333 + any 4432 + any 4441 + any 5332 + any 5422 + any 5431 + any 5440 + any 6322 + any 6331 + any 7222";

/// Returns the maximum number of points that shape adds for support with `trumps`.
fn support_bonus(hand: Hand, trumps: Suit) -> u8 {
    let mut lengths = Suit::ALL.map(|suit| hand.holding(suit).len());
    let short = Suit::ALL.into_iter().filter(|&suit| suit != trumps);
    let short: usize = short.map(|suit| 3 - lengths[suit.index()].min(3)).sum();
    lengths.sort_unstable();
    short as u8 + u8::from(lengths[2] + lengths[3] >= 10)
}

/// Returns the points that the shape of a hand adds: 1 if it is not balanced, 1 for ten cards in the two longest suits.
fn shape_points(hand: Hand) -> u8 {
    let mut lengths = Suit::ALL.map(|suit| hand.holding(suit).len());
    lengths.sort_unstable();
    let balanced = lengths[0] >= 2 && lengths[1] >= 3;
    u8::from(!balanced) + u8::from(lengths[2] + lengths[3] >= 10)
}
