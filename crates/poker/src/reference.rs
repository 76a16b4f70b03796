//! The reference evaluator: rank counts and suit masks without tables, every rule written out.
//!
//! The generator makes the tables from it, and the tests compare with it. It is slow (about a hundred nanoseconds a
//! hand) and written to be read.

use std::sync::OnceLock;

use cards::CardSet;

use crate::HandRank;
use crate::rank::Category;
pub(crate) use crate::tables::SUIT_MASK;

/// The ranking of hands: standard, or short deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The usual ranking with 52 cards.
    Standard,
    /// 36 cards, sixes to aces: A-6-7-8-9 is the lowest straight and a flush beats a full house.
    ShortDeck {
        /// Whether three of a kind beats a straight, as in some card rooms.
        trips_beat_straight: bool,
    },
}

impl Rules {
    /// Returns the cards in play.
    ///
    /// ```
    /// assert_eq!(croupier_poker::Rules::Standard.deck().len(), 52);
    /// assert_eq!(croupier_poker::Rules::ShortDeck { trips_beat_straight: false }.deck().len(), 36);
    /// ```
    #[must_use]
    pub const fn deck(self) -> CardSet {
        let suit = match self {
            Rules::Standard => SUIT_MASK,
            Rules::ShortDeck { .. } => SUIT_MASK & !0xF,
        };
        CardSet(suit | suit << 13 | suit << 26 | suit << 39)
    }

    /// Returns the lowest rank in play: 0 (deuces) or 4 (sixes).
    pub(crate) const fn lowest_rank(self) -> usize {
        match self {
            Rules::Standard => 0,
            Rules::ShortDeck { .. } => 4,
        }
    }

    /// Returns the ace and the four lowest ranks: the straight in which the ace is low.
    const fn wheel(self) -> u16 {
        0x1000 | 0xF << self.lowest_rank()
    }

    /// Returns the strength of a category; larger is better.
    const fn strength(self, category: Category) -> u32 {
        let usual = match category {
            Category::HighCard => 0,
            Category::Pair => 1,
            Category::TwoPair => 2,
            Category::Trips => 3,
            Category::Straight => 4,
            Category::Flush => 5,
            Category::FullHouse => 6,
            Category::Quads => 7,
            Category::StraightFlush | Category::RoyalFlush => 8,
        };
        match self {
            Rules::Standard => usual,
            Rules::ShortDeck {
                trips_beat_straight,
            } => match category {
                Category::Flush => 6,
                Category::FullHouse => 5,
                Category::Trips if trips_beat_straight => 4,
                Category::Straight if trips_beat_straight => 3,
                _ => usual,
            },
        }
    }
}

/// The value of a hand as a number that can be compared under one set of rules: the strength of the category, then up
/// to five ranks of four bits, the most significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandScore(u32);

impl HandScore {
    fn new(rules: Rules, category: Category, ranks: &[usize]) -> HandScore {
        let mut value = rules.strength(category);
        for place in 0..5 {
            value = value << 4 | ranks.get(place).map_or(0, |&rank| rank as u32);
        }
        HandScore(value)
    }
}

/// Returns the category and the five ranks of the best five cards, most significant first. `counts` has the number of
/// cards of each rank and `suits` the ranks in each suit.
fn best_five_ranks(rules: Rules, counts: &[u8; 13], suits: &[u16; 4]) -> (Category, Vec<usize>) {
    let flush = suits
        .iter()
        .copied()
        .filter(|suit| suit.count_ones() >= 5)
        .max();
    if let Some(high) = flush.and_then(|suit| straight_high(rules, suit)) {
        let category = if high == 12 {
            Category::RoyalFlush
        } else {
            Category::StraightFlush
        };
        return (category, straight_ranks(rules, high));
    }
    let of = |count: u8| (0..13).rev().filter(move |&rank| counts[rank] >= count);
    let others = |taken: &[usize], number: usize| -> Vec<usize> {
        of(1)
            .filter(|rank| !taken.contains(rank))
            .take(number)
            .collect()
    };
    if let Some(quad) = of(4).next() {
        return (
            Category::Quads,
            [vec![quad; 4], others(&[quad], 1)].concat(),
        );
    }
    let trips = of(3).next();
    if let Some(trips) = trips
        && let Some(pair) = of(2).find(|&rank| rank != trips)
    {
        return (
            Category::FullHouse,
            [vec![trips; 3], vec![pair; 2]].concat(),
        );
    }
    if let Some(suit) = flush {
        let ranks = (0..13)
            .rev()
            .filter(|rank| suit >> rank & 1 == 1)
            .take(5)
            .collect();
        return (Category::Flush, ranks);
    }
    let held = of(1).fold(0u16, |held, rank| held | 1 << rank);
    let straight = straight_high(rules, held).map(|high| straight_ranks(rules, high));
    let set = trips.map(|trips| [vec![trips; 3], others(&[trips], 2)].concat());
    let better_of_two = match (straight, set) {
        (Some(straight), Some(set)) => {
            let set_wins = rules.strength(Category::Trips) > rules.strength(Category::Straight);
            Some(if set_wins {
                (Category::Trips, set)
            } else {
                (Category::Straight, straight)
            })
        }
        (Some(straight), None) => Some((Category::Straight, straight)),
        (None, Some(set)) => Some((Category::Trips, set)),
        (None, None) => None,
    };
    if let Some(found) = better_of_two {
        return found;
    }
    let pairs: Vec<usize> = of(2).take(2).collect();
    match pairs[..] {
        [high, low] => (
            Category::TwoPair,
            [vec![high; 2], vec![low; 2], others(&[high, low], 1)].concat(),
        ),
        [pair] => (Category::Pair, [vec![pair; 2], others(&[pair], 3)].concat()),
        _ => (Category::HighCard, others(&[], 5)),
    }
}

/// Returns the top rank of the highest straight in a set of ranks.
fn straight_high(rules: Rules, ranks: u16) -> Option<usize> {
    let lowest = rules.lowest_rank();
    let run = |high: usize| 0x1F << (high - 4);
    (lowest + 4..13)
        .rev()
        .find(|&high| ranks & run(high) == run(high))
        .or((ranks & rules.wheel() == rules.wheel()).then_some(lowest + 3))
}

fn straight_ranks(rules: Rules, high: usize) -> Vec<usize> {
    if high == rules.lowest_rank() + 3 {
        (rules.lowest_rank()..=high).rev().chain([12]).collect()
    } else {
        (high - 4..=high).rev().collect()
    }
}

/// Returns the number of cards of each rank.
pub(crate) fn rank_counts(hand: CardSet) -> [u8; 13] {
    std::array::from_fn(|rank| (hand.0 & 0x80_0400_2001 << rank).count_ones() as u8)
}

/// Returns the ranks held in each suit, clubs first.
pub(crate) fn suit_masks(hand: CardSet) -> [u16; 4] {
    std::array::from_fn(|suit| (hand.0 >> (13 * suit) & SUIT_MASK) as u16)
}

/// Returns the score of the best five of five to seven cards.
#[must_use]
pub fn score(rules: Rules, hand: CardSet) -> HandScore {
    score_of_counts(rules, &rank_counts(hand), &suit_masks(hand))
}

/// Returns the score of rank counts. `suits` may be empty masks if no flush is possible.
pub(crate) fn score_of_counts(rules: Rules, counts: &[u8; 13], suits: &[u16; 4]) -> HandScore {
    let (category, ranks) = best_five_ranks(rules, counts, suits);
    HandScore::new(rules, category, &significant(category, &ranks))
}

/// Returns the ranks that decide, without repetitions: a full house has two, a straight one.
fn significant(category: Category, ranks: &[usize]) -> Vec<usize> {
    let mut ranks = ranks.to_vec();
    ranks.dedup();
    if matches!(
        category,
        Category::Straight | Category::StraightFlush | Category::RoyalFlush
    ) {
        ranks.truncate(1);
    }
    ranks
}

/// A class of equal five-card hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandClass {
    /// The category of the hand.
    pub category: Category,
    /// The five ranks (0 for a deuce to 12 for an ace), the significant ones first.
    pub ranks: [u8; 5],
    score: HandScore,
}

impl HandClass {
    /// Returns the class in words.
    #[must_use]
    pub fn describe(&self) -> String {
        crate::rank::describe(self)
    }
}

/// All classes of five-card hands under one set of rules, the best first.
#[derive(Debug)]
pub struct Numbering {
    rules: Rules,
    classes: Vec<HandClass>,
}

impl Numbering {
    /// Sorts the distinct five-card hands (6,175 rank multisets and 1,287 suited rank sets with
    /// the full deck) into classes.
    #[must_use]
    pub fn new(rules: Rules) -> Numbering {
        let lowest = rules.lowest_rank();
        let mut classes = Vec::with_capacity(7462);
        let mut add = |counts: &[u8; 13], suits: &[u16; 4]| {
            let (category, ranks) = best_five_ranks(rules, counts, suits);
            let score = HandScore::new(rules, category, &significant(category, &ranks));
            classes.push(HandClass {
                category,
                ranks: std::array::from_fn(|i| ranks[i] as u8),
                score,
            });
        };
        for_each_multiset(5, lowest, &mut |counts| add(counts, &[0; 4]));
        for suited in (0..1u16 << 13).filter(|m| m.count_ones() == 5 && m >> lowest << lowest == *m)
        {
            let counts = std::array::from_fn(|rank| (suited >> rank & 1) as u8);
            add(&counts, &[suited, 0, 0, 0]);
        }
        classes.sort_by_key(|class| std::cmp::Reverse(class.score));
        Numbering { rules, classes }
    }

    /// Returns the classes, best first; the index is the rank.
    #[must_use]
    pub fn classes(&self) -> &[HandClass] {
        &self.classes
    }

    /// Returns the rules of this numbering.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the rank of a score: the number of better classes.
    #[must_use]
    pub fn rank(&self, score: HandScore) -> HandRank {
        HandRank(self.classes.partition_point(|class| class.score > score) as u16)
    }
}

/// Returns the numbering of these rules, made on first use.
#[must_use]
pub fn numbering(rules: Rules) -> &'static Numbering {
    static SHORT_DECK: [OnceLock<Numbering>; 2] = [OnceLock::new(), OnceLock::new()];
    match rules {
        Rules::Standard => standard(),
        Rules::ShortDeck {
            trips_beat_straight,
        } => {
            let place = &SHORT_DECK[usize::from(trips_beat_straight)];
            place.get_or_init(|| Numbering::new(rules))
        }
    }
}

/// Returns the numbering of the standard rules, made on first use.
pub fn standard() -> &'static Numbering {
    static STANDARD: OnceLock<Numbering> = OnceLock::new();
    STANDARD.get_or_init(|| Numbering::new(Rules::Standard))
}

/// Returns the rank of the best five of five to seven cards under the standard rules, without tables.
///
/// ```
/// let hand = croupier_poker::parse_cards("KsKhKdQsQhQd2c").unwrap();
/// assert_eq!(croupier_poker::reference::evaluate(hand).0, 179);
/// ```
#[must_use]
pub fn evaluate(hand: CardSet) -> HandRank {
    standard().rank(score(Rules::Standard, hand))
}

/// Calls `visit` with the counts of every multiset of `size` cards, at most four of a rank, with ranks from `lowest`
/// up.
pub(crate) fn for_each_multiset(size: u8, lowest: usize, visit: &mut impl FnMut(&[u8; 13])) {
    fn extend(rank: usize, left: u8, counts: &mut [u8; 13], visit: &mut impl FnMut(&[u8; 13])) {
        if left == 0 {
            visit(counts);
            return;
        }
        if rank == 13 {
            return;
        }
        for count in 0..=left.min(4) {
            counts[rank] = count;
            extend(rank + 1, left - count, counts, visit);
        }
        counts[rank] = 0;
    }
    extend(lowest, size, &mut [0; 13], visit);
}
