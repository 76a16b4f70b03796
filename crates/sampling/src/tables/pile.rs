//! Piles: one or two suits taken together, and the number of ways to take given cards from them.

use std::collections::HashMap;

use cards::{BySuit, Suit};

use crate::binomial::choose;
use crate::setup::budget::{CostMeter, SetupError};
use crate::setup::layout::{Layout, Role, Source};
use crate::tables::half::NONE;
use crate::tables::hand_in_pile::{COST_OF_FEATURE, HandInPile, find_marks};
use crate::tables::values::{Values, Vector, sum};

/// Patterns with the same features and the same numbers of marks: `count` of them, beginning at `first`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) marks: [u8; 2],
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// The marks that A and B take.
pub(crate) type Pattern = [u32; 2];

/// A pile of one or two suits. Positions are bits: 13 for the first suit, 13 more for the second.
#[derive(Debug)]
pub(crate) struct Pile {
    pub(crate) suits: Vec<Suit>,
    /// Positions of the first and of the second suit in the deck.
    shifts: [u8; 2],
    /// The free cards.
    pub(crate) cards: u32,
    /// The free cards whose owner matters beyond the count.
    pub(crate) marks: Vec<u32>,
    /// The other free cards, which are interchangeable.
    pub(crate) spots: u32,
    /// The number of free cards, and of spots among them.
    pub(crate) size: usize,
    pub(crate) spot_count: usize,
    /// Fixed cards of A and B.
    pub(crate) fixed: [u32; 2],
    /// Whether marks are assigned to B too.
    pub(crate) splits_b: bool,
    /// Whether features of A and B depend on the number of spots.
    depends: [bool; 2],
    /// Possible features of A and B in this pile.
    pub(crate) values: [Values; 2],
    pub(crate) patterns: Vec<Pattern>,
    /// The features by marks and lengths, from which groups are formed.
    held: [HandFeatures; 2],
    /// All ways to divide the marks among A, B and the other hands, ordered by numbers of marks, then by the marks themselves.
    ways: Vec<Pattern>,
    /// Used if only sums over A and B count.
    pool: Option<Pool>,
    /// Groups by (length of A, length of B), with 0 for a length on which they do not depend; filled on demand.
    families: HashMap<(u8, u8), Vec<Group>>,
}

/// The number of a hand's features in a pile, given its marks and its number of cards.
#[derive(Debug, Default)]
struct HandFeatures {
    /// Number of the features by (length, marks as a number); `NONE` if that is impossible.
    numbers: Vec<u32>,
    /// Number of sets of marks.
    width: usize,
}

/// The number of the sum of the features of A and B in a pile, by (number of A's features, number of B's).
#[derive(Debug)]
struct Pool {
    numbers: Vec<u32>,
    width: usize,
}

impl HandFeatures {
    #[inline]
    fn with(&self, length: usize) -> &[u32] {
        &self.numbers[length * self.width..][..self.width]
    }
}

impl Pile {
    /// Returns the lengths on which groups depend.
    fn family(&self, a: usize, b: usize) -> (u8, u8) {
        (
            if self.depends[0] { a as u8 } else { 0 },
            if self.depends[1] { b as u8 } else { 0 },
        )
    }

    /// Returns the groups for these numbers of cards of A and B. Call [`Pile::find_groups`] first.
    pub(crate) fn groups(&self, a: usize, b: usize) -> &[Group] {
        let groups = self.families.get(&self.family(a, b));
        groups.map_or(&[], Vec::as_slice)
    }

    /// Computes the groups for these numbers of cards of A and B.
    pub(crate) fn find_groups(
        &mut self,
        a: usize,
        b: usize,
        meter: &CostMeter<'_>,
    ) -> Result<(), SetupError> {
        let key = self.family(a, b);
        if !self.families.contains_key(&key) {
            meter.spend(COST_OF_GROUPED * self.ways.len() as f64)?;
            let groups = self.group(usize::from(key.0), usize::from(key.1));
            self.families.insert(key, groups);
        }
        Ok(())
    }

    /// Merges patterns with the same features and numbers of marks into groups.
    fn group(&mut self, a: usize, b: usize) -> Vec<Group> {
        let [of_a, of_b] = [self.held[0].with(a), self.held[1].with(b)];
        // Sort by features; the order of the ways decides among equal ones.
        let mut keyed: Vec<u64> = Vec::with_capacity(self.ways.len());
        for (number, way) in self.ways.iter().enumerate() {
            let (mut x, mut y) = (of_a[way[0] as usize], of_b[way[1] as usize]);
            if x != NONE && y != NONE {
                if let Some(pool) = &self.pool {
                    (x, y) = (pool.numbers[x as usize * pool.width + y as usize], 0);
                }
                keyed.push(u64::from(x) << 48 | u64::from(y) << 32 | number as u64);
            }
        }
        keyed.sort_unstable();
        let mut groups: Vec<Group> = Vec::new();
        for key in keyed {
            let (x, y) = ((key >> 48) as u32, (key >> 32) as u32 & 0xffff);
            let way = self.ways[key as u32 as usize];
            let marks = way.map(|marks| marks.count_ones() as u8);
            match groups.last_mut() {
                Some(last) if (last.x, last.y, last.marks) == (x, y, marks) => last.count += 1,
                _ => groups.push(Group {
                    x,
                    y,
                    marks,
                    first: self.patterns.len() as u32,
                    count: 1,
                }),
            }
            let pattern = way.map(|marks| spread(marks, &self.marks));
            self.patterns.push(pattern);
        }
        groups
    }

    /// Returns the number of ways to choose the spots (and B's cards) for one pattern of a group.
    pub(crate) fn bounds(&self, group: &Group, a: usize, b: usize) -> [u64; 2] {
        let [ka, kb] = group.marks.map(usize::from);
        let spots = self.spot_count;
        if a < ka || a - ka > spots {
            return [0, 0];
        }
        let first = choose(spots, a - ka);
        if self.splits_b {
            if b < kb {
                return [0, 0];
            }
            [first, choose(spots - (a - ka), b - kb)]
        } else {
            [first, choose(self.size - a, b)]
        }
    }

    /// Converts a set of positions to cards of the deck.
    #[inline]
    pub(crate) fn place(&self, positions: u32) -> u64 {
        let [low, high] = self.shifts;
        u64::from(positions & 0x1fff) << low | u64::from(positions >> 13) << high
    }
}

/// Largest number of patterns, counted for each pair of lengths they depend on.
const MAX_PATTERNS: f64 = 1_000_000.0;

/// Nanoseconds for each pattern, and to add it to a group.
const COST_OF_PATTERN: f64 = 2.5;
const COST_OF_GROUPED: f64 = 15.0;

/// Nanoseconds to add the features of A and B, and to find the sum.
const COST_OF_POOLED: f64 = 30.0;

/// Nanoseconds for the marks that a hand may hold with a length, besides its features.
const COST_OF_MARKS: f64 = 40.0;

/// Numbers of free places of A and B.
pub(crate) type Places = [usize; 2];

/// Chooses the piles. A suit is separate if a condition depends on its length, or on a feature that is not a sum over
/// cards; the other suits are paired.
pub(crate) fn choose_piles(layout: &Layout, merge: bool) -> Vec<Vec<Suit>> {
    let mut single = BySuit([!merge; 4]);
    for condition in &layout.conditions {
        condition.for_each_resolved_atom(&mut |question| {
            for source in question.values.iter().flat_map(|value| &value.sources) {
                match *source {
                    Source::Length(Role::C | Role::D, _) => single = BySuit([true; 4]),
                    Source::Length(_, suit) => single[suit] = true,
                    Source::Feature(..) => (),
                }
            }
        });
    }
    for (features, filters) in layout.features.iter().zip(&layout.filters) {
        for suit in Suit::ALL {
            single[suit] |= filters[suit].is_some();
            for functions in features {
                let function = functions[suit].as_ref();
                single[suit] |= function.is_some_and(|function| !function.is_additive());
            }
        }
    }
    let (mut alone, mut others): (Vec<Suit>, Vec<Suit>) =
        Suit::ALL.into_iter().partition(|&suit| single[suit]);
    if others.len() % 2 == 1 {
        alone.push(others.remove(0));
    }
    let mut piles: Vec<Vec<Suit>> = alone.into_iter().map(|suit| vec![suit]).collect();
    piles.extend(others.chunks(2).map(<[Suit]>::to_vec));
    piles
}

/// Builds one pile.
pub(crate) fn build(
    layout: &Layout,
    suits: &[Suit],
    places: Places,
    meter: &CostMeter<'_>,
) -> Result<Pile, SetupError> {
    let local = |cards: cards::CardSet| {
        suits.iter().rev().fold(0, |bits, &suit| {
            bits << 13 | u32::from(cards.holding(suit).0)
        })
    };
    let fixed = [0, 1].map(|role: usize| {
        let seats = layout.seats[role].iter();
        seats.fold(0, |bits, seat| bits | local(layout.fixed[*seat]))
    });
    let hands_in_pile = [0, 1].map(|role| HandInPile {
        features: &layout.features[role],
        filters: &layout.filters[role],
        fixed: fixed[role],
        suits,
    });
    let depends = hands_in_pile.each_ref().map(HandInPile::depends_on_length);
    let cards = local(layout.deck);
    let splits_b = places[1] > 0 && !hands_in_pile[1].is_empty();
    let used_views = if splits_b {
        &hands_in_pile[..]
    } else {
        &hands_in_pile[..1]
    };
    let (marks, spots) = find_marks(used_views, &depends, cards, meter)?;
    // If spots contribute to features, the features depend on their number.
    let depends = [0, 1].map(|role: usize| {
        let spot = spots & spots.wrapping_neg();
        depends[role] || hands_in_pile[role].features(spot) != hands_in_pile[role].features(0)
    });
    let hands: f64 = if splits_b { 3.0 } else { 2.0 };
    // Number of pairs of lengths that fit into a suit.
    let families: f64 = match depends {
        [true, true] => 105.0,
        [false, false] => 1.0,
        _ => 14.0,
    };
    let estimate = hands.powi(marks.len() as i32) * families;
    if estimate > MAX_PATTERNS {
        return Err(SetupError::TooExpensive);
    }
    meter.spend(estimate * COST_OF_PATTERN)?;
    let ways = all_ways(marks.len(), splits_b);
    let mut pile = Pile {
        suits: suits.to_vec(),
        shifts: [0, 1].map(|number| suits.get(number).map_or(0, |suit| 13 * suit.index() as u8)),
        cards,
        marks,
        spots,
        size: cards.count_ones() as usize,
        spot_count: spots.count_ones() as usize,
        fixed,
        splits_b,
        depends: [depends[0], depends[1] && splits_b],
        values: Default::default(),
        patterns: Vec::new(),
        held: Default::default(),
        ways,
        pool: None,
        families: HashMap::new(),
    };
    pile.find_values(&hands_in_pile, places, meter)?;
    if layout.pooled {
        pile.pool(meter)?;
    }
    Ok(pile)
}

/// Returns every assignment of `marks` marks to A, B (with `splits_b`) and the rest, as sets of numbers of marks,
/// ordered by how many marks A and B get, then by which.
fn all_ways(marks: usize, splits_b: bool) -> Vec<Pattern> {
    let mut ways = vec![[0, 0]];
    for mark in (0..marks).map(|mark| 1 << mark) {
        let before = ways.len();
        for i in 0..before {
            let [a, b] = ways[i];
            ways.push([a | mark, b]);
            if splits_b {
                ways.push([a, b | mark]);
            }
        }
    }
    ways.sort_unstable_by_key(|way| (way.map(u32::count_ones), *way));
    ways
}

/// Converts a set of numbers of marks to the marks.
fn spread(numbers: u32, marks: &[u32]) -> u32 {
    let mut left = numbers;
    let mut found = 0;
    while left != 0 {
        found |= marks[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    found
}

fn lowest(mut from: u32, count: usize) -> u32 {
    let mut taken = 0;
    for _ in 0..count {
        taken |= from & from.wrapping_neg();
        from &= from - 1;
    }
    taken
}

impl Pile {
    /// Computes the features that A and B can have with compatible lengths.
    fn find_values(
        &mut self,
        hands_in_pile: &[HandInPile<'_>; 2],
        places: Places,
        meter: &CostMeter<'_>,
    ) -> Result<(), SetupError> {
        let lengths = [0, 1].map(|role: usize| {
            let most = places[role].min(self.size);
            if self.depends[role] { most + 1 } else { 1 }
        });
        let mut values: [Values; 2] = Default::default();
        for role in 0..2 {
            let splits = role == 0 || self.splits_b;
            let width = if splits { 1 << self.marks.len() } else { 1 };
            let each = COST_OF_MARKS + COST_OF_FEATURE * hands_in_pile[role].features.len() as f64;
            meter.spend(each * (lengths[role] * width) as f64)?;
            let mut vectors: Vec<Option<Vector>> = Vec::with_capacity(lengths[role] * width);
            for length in 0..lengths[role] {
                vectors.extend((0..width as u32).map(|numbers| {
                    let cards = self.with_spots(role, numbers, length)?;
                    let possible = !self.depends[role] || hands_in_pile[role].allows(cards);
                    possible.then(|| hands_in_pile[role].features(cards))
                }));
            }
            values[role] = Values::new(vectors.iter().flatten().copied());
            if values[role].len() > usize::from(u16::MAX) {
                return Err(SetupError::TooExpensive);
            }
            let number = |vector: &Option<Vector>| {
                let place = vector.as_ref().and_then(|it| values[role].position(it));
                place.unwrap_or(NONE)
            };
            self.held[role] = HandFeatures {
                numbers: vectors.iter().map(number).collect(),
                width,
            };
        }
        self.keep_joint(lengths, values);
        Ok(())
    }

    /// Returns cards with these marks and `length` cards altogether, if that is possible.
    fn with_spots(&self, role: usize, numbers: u32, length: usize) -> Option<u32> {
        let marks = numbers.count_ones() as usize;
        let cards = spread(numbers, &self.marks);
        if !self.depends[role] {
            return Some(cards);
        }
        let spots = length.checked_sub(marks)?;
        (spots <= self.spot_count).then(|| cards | lowest(self.spots, spots))
    }

    /// Keeps the features of each hand that are compatible with some features of the other.
    fn keep_joint(&mut self, lengths: [usize; 2], values: [Values; 2]) {
        let mut used = values.each_ref().map(|values| vec![false; values.len()]);
        for a in 0..lengths[0] {
            for b in (0..lengths[1]).filter(|b| a + b <= self.size) {
                let [of_a, of_b] = [self.held[0].with(a), self.held[1].with(b)];
                for way in &self.ways {
                    let (x, y) = (of_a[way[0] as usize], of_b[way[1] as usize]);
                    if x != NONE && y != NONE {
                        used[0][x as usize] = true;
                        used[1][y as usize] = true;
                    }
                }
            }
        }
        for ((held, values), (used, kept)) in self
            .held
            .iter_mut()
            .zip(values)
            .zip(used.into_iter().zip(&mut self.values))
        {
            let mut next = 0;
            let renumbered: Vec<u32> = used
                .iter()
                .map(|&used| {
                    next += u32::from(used);
                    if used { next - 1 } else { NONE }
                })
                .collect();
            for number in held.numbers.iter_mut().filter(|number| **number != NONE) {
                *number = renumbered[*number as usize];
            }
            let list = values.list().iter().zip(&used);
            *kept = Values::new(list.filter(|(_, used)| **used).map(|(value, _)| *value));
        }
    }
    /// Replaces the features of A and B by their sums, which become the features of A.
    fn pool(&mut self, meter: &CostMeter<'_>) -> Result<(), SetupError> {
        let [of_a, of_b] = self.values.each_ref().map(Values::list);
        meter.spend(COST_OF_POOLED * (of_a.len() * of_b.len()) as f64)?;
        let sums: Vec<Vector> = of_a
            .iter()
            .flat_map(|a| of_b.iter().map(move |b| sum(a, b)))
            .collect();
        let values = Values::new(sums.iter().copied());
        let number = |sum: &Vector| values.position(sum).unwrap_or(NONE);
        self.pool = Some(Pool {
            numbers: sums.iter().map(number).collect(),
            width: of_b.len(),
        });
        self.values = [values, Values::new([Vector::default()])];
        Ok(())
    }
}
