//! Piles: one or two suits taken together, and how many ways there are to take given cards from them.

use std::collections::HashMap;

use cards::{Holding, Suit};

use crate::binomial::choose;
use crate::problem::feature::SuitFunctions;
use crate::problem::filter::Filter;
use crate::setup::budget::{GaveUp, Meter};
use crate::setup::layout::{Layout, Role, Source};
use crate::tables::values::{MOST_FEATURES, Values, Vector};

/// Patterns with the same features and the same numbers of marks: `count` of them from `first` on.
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
    /// The free cards.
    pub(crate) cards: u32,
    /// The free cards whose place matters beyond the count.
    pub(crate) marks: Vec<u32>,
    /// The other free cards; they are interchangeable.
    pub(crate) spots: u32,
    /// How many free cards there are, and how many of them are spots.
    pub(crate) size: usize,
    pub(crate) spot_count: usize,
    /// Fixed cards of A and B.
    pub(crate) fixed: [u32; 2],
    /// Whether marks are shared out to B as well.
    pub(crate) splits_b: bool,
    /// Whether features of A and B depend on the number of spots.
    depends: [bool; 2],
    /// Possible features of A and B in this pile.
    pub(crate) values: [Values; 2],
    pub(crate) patterns: Vec<Pattern>,
    /// Groups by (length of A, length of B), or by 0 where they do not depend on it.
    families: HashMap<(u8, u8), Vec<Group>>,
}

impl Pile {
    /// The groups that apply when A and B take these numbers of cards.
    pub(crate) fn groups(&self, a: usize, b: usize) -> &[Group] {
        let key = (
            if self.depends[0] { a as u8 } else { 0 },
            if self.depends[1] { b as u8 } else { 0 },
        );
        self.families.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The number of ways to choose the spots (and B's cards) that go with one pattern of a group.
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

    /// A set of positions as cards of the deck.
    #[inline]
    pub(crate) fn place(&self, positions: u32) -> u64 {
        let low = u64::from(positions & 0x1fff) << (13 * self.suits[0].index());
        match self.suits.get(1) {
            Some(suit) => low | u64::from(positions >> 13) << (13 * suit.index()),
            None => low,
        }
    }
}

/// What a hand's features and filters look like within a pile.
struct View<'a> {
    features: &'a [SuitFunctions],
    filters: &'a [Option<Filter>; 4],
    fixed: u32,
    suits: &'a [Suit],
}

impl View<'_> {
    fn holding(&self, positions: u32, which: usize) -> Holding {
        Holding(((positions | self.fixed) >> (13 * which)) as u16 & 0x1fff)
    }

    fn features(&self, positions: u32) -> Vector {
        let mut vector = [0; MOST_FEATURES];
        for (value, functions) in vector.iter_mut().zip(self.features) {
            *value = self
                .suits
                .iter()
                .enumerate()
                .filter_map(|(which, suit)| {
                    let function = functions[suit.index()].as_ref()?;
                    Some(function.of(self.holding(positions, which)))
                })
                .sum();
        }
        vector
    }

    fn allows(&self, positions: u32) -> bool {
        self.suits.iter().enumerate().all(|(which, suit)| {
            let filter = self.filters[suit.index()].as_ref();
            filter.is_none_or(|filter| filter.allows(self.holding(positions, which)))
        })
    }

    fn is_empty(&self) -> bool {
        let suits = || self.suits.iter().map(|suit| suit.index());
        let counts = |functions: &SuitFunctions| suits().any(|suit| functions[suit].is_some());
        !self.features.iter().any(counts) && suits().all(|suit| self.filters[suit].is_none())
    }

    /// Whether the values may change with the number of spots.
    fn depends_on_length(&self) -> bool {
        self.suits.iter().any(|suit| {
            let suit = suit.index();
            self.filters[suit].is_some()
                || self.features.iter().any(|functions| {
                    let function = functions[suit].as_ref();
                    function.is_some_and(|function| !function.is_additive())
                })
        })
    }

    /// Whether exchanging two positions never changes anything.
    fn interchangeable(
        &self,
        one: u32,
        other: u32,
        free: u32,
        depends: bool,
        meter: &Meter<'_>,
    ) -> Result<bool, GaveUp> {
        if !depends {
            return Ok(self.features(one) == self.features(other));
        }
        let rest = free & !one & !other;
        let mut subset = rest;
        let each = COST_OF_FEATURE * (1 + 2 * self.features.len()) as f64;
        loop {
            meter.spend(each)?;
            let (with_one, with_other) = (subset | one, subset | other);
            if self.features(with_one) != self.features(with_other)
                || self.allows(with_one) != self.allows(with_other)
            {
                return Ok(false);
            }
            if subset == 0 {
                return Ok(true);
            }
            subset = (subset - 1) & rest;
        }
    }
}

/// More patterns than this, counted again for each pair of lengths they depend on, are never worth it.
const MOST_PATTERNS: f64 = 1_000_000.0;

/// Nanoseconds for each pattern, and for each feature of it.
const COST_OF_PATTERN: f64 = 50.0;
const COST_OF_FEATURE: f64 = 5.0;

/// The numbers of free places of A and B.
pub(crate) type Places = [usize; 2];

/// Chooses the piles: a suit of its own where somebody asks for its length or for something that is
/// not a sum over cards; the others in pairs.
pub(crate) fn choose_piles(layout: &Layout, merge: bool) -> Vec<Vec<Suit>> {
    let mut single = [!merge; 4];
    for condition in &layout.conditions {
        condition.for_each_question(&mut |question| {
            for source in question.values.iter().flat_map(|value| &value.sources) {
                match *source {
                    Source::Length(Role::C | Role::D, _) => single = [true; 4],
                    Source::Length(_, suit) => single[suit] = true,
                    Source::Feature(..) => (),
                }
            }
        });
    }
    for (features, filters) in layout.features.iter().zip(&layout.filters) {
        for suit in Suit::ALL.map(Suit::index) {
            single[suit] |= filters[suit].is_some();
            for functions in features {
                let function = functions[suit].as_ref();
                single[suit] |= function.is_some_and(|function| !function.is_additive());
            }
        }
    }
    let (mut alone, mut others): (Vec<Suit>, Vec<Suit>) =
        Suit::ALL.into_iter().partition(|suit| single[suit.index()]);
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
    meter: &Meter<'_>,
) -> Result<Pile, GaveUp> {
    let local = |cards: cards::CardSet| {
        suits.iter().rev().fold(0, |bits, &suit| {
            bits << 13 | u32::from(cards.holding(suit).0)
        })
    };
    let fixed = [0, 1].map(|role: usize| {
        let seats = layout.seats[role].iter();
        seats.fold(0, |bits, seat| bits | local(layout.fixed[seat.index()]))
    });
    let views = [0, 1].map(|role| View {
        features: &layout.features[role],
        filters: &layout.filters[role],
        fixed: fixed[role],
        suits,
    });
    let depends = views.each_ref().map(View::depends_on_length);
    let cards = local(layout.deck);
    let splits_b = places[1] > 0 && !views[1].is_empty();
    let used_views = if splits_b { &views[..] } else { &views[..1] };
    let (marks, spots) = find_marks(used_views, &depends, cards, meter)?;
    // Spots may count for something too; then the features depend on how many there are.
    let depends = [0, 1].map(|role: usize| {
        let spot = spots & spots.wrapping_neg();
        depends[role] || views[role].features(spot) != views[role].features(0)
    });
    let hands: f64 = if splits_b { 3.0 } else { 2.0 };
    // Pairs of lengths that fit into a suit.
    let families: f64 = match depends {
        [true, true] => 105.0,
        [false, false] => 1.0,
        _ => 14.0,
    };
    let estimate = hands.powi(marks.len() as i32) * families;
    if estimate > MOST_PATTERNS {
        return Err(GaveUp::TooExpensive);
    }
    let features: usize = layout.features.iter().map(Vec::len).sum();
    meter.spend(estimate * (COST_OF_PATTERN + COST_OF_FEATURE * features as f64))?;
    let mut pile = Pile {
        suits: suits.to_vec(),
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
        families: HashMap::new(),
    };
    fill_families(&mut pile, &views, places);
    Ok(pile)
}

/// The largest class of interchangeable positions are the spots, all others are marks.
fn find_marks(
    views: &[View<'_>],
    depends: &[bool; 2],
    cards: u32,
    meter: &Meter<'_>,
) -> Result<(Vec<u32>, u32), GaveUp> {
    let mut classes: Vec<u32> = Vec::new();
    let positions = (0..26).rev().map(|bit| 1 << bit);
    'positions: for position in positions.filter(|bit| cards & bit != 0) {
        for class in &mut classes {
            let other = *class & class.wrapping_neg();
            let mut same = true;
            for (view, &depends) in views.iter().zip(depends) {
                same = same && view.interchangeable(position, other, cards, depends, meter)?;
            }
            if same {
                *class |= position;
                continue 'positions;
            }
        }
        classes.push(position);
    }
    let spots = classes
        .iter()
        .copied()
        .max_by_key(|class| class.count_ones());
    let spots = spots.unwrap_or(0);
    let marks = (0..26)
        .map(|bit| 1 << bit)
        .filter(|bit| cards & !spots & bit != 0)
        .collect();
    Ok((marks, spots))
}

/// Every way to share the marks among A, B (if wanted) and the rest.
fn all_patterns(marks: &[u32], splits_b: bool) -> Vec<Pattern> {
    let mut patterns = vec![[0, 0]];
    for mark in marks {
        let before = patterns.len();
        for i in 0..before {
            let [a, b] = patterns[i];
            patterns.push([a | mark, b]);
            if splits_b {
                patterns.push([a, b | mark]);
            }
        }
    }
    patterns
}

/// A pattern with the features it gives A and B.
type Valued = (Vector, Vector, Pattern);

fn lowest(mut from: u32, count: usize) -> u32 {
    let mut taken = 0;
    for _ in 0..count {
        taken |= from & from.wrapping_neg();
        from &= from - 1;
    }
    taken
}

fn fill_families(pile: &mut Pile, views: &[View<'_>; 2], places: Places) {
    let patterns = all_patterns(&pile.marks, pile.splits_b);
    let spots = pile.spot_count;
    let lengths = |role: usize| {
        let most = places[role].min(pile.cards.count_ones() as usize);
        0..=if pile.depends[role] { most } else { 0 }
    };
    let mut found: Vec<((u8, u8), Vec<Valued>)> = Vec::new();
    for a in lengths(0) {
        for b in lengths(1) {
            if a + b > pile.size {
                continue;
            }
            let mut list = Vec::new();
            for pattern in &patterns {
                let mut vectors = [[0; MOST_FEATURES]; 2];
                let mut possible = true;
                for (role, length) in [(0, a), (1, b)] {
                    if role == 1 && !pile.splits_b {
                        vectors[1] = views[1].features(0);
                        continue;
                    }
                    let marks = pattern[role].count_ones() as usize;
                    let mut held = pattern[role];
                    if pile.depends[role] {
                        if length < marks || length - marks > spots {
                            possible = false;
                            break;
                        }
                        held |= lowest(pile.spots, length - marks);
                        possible &= views[role].allows(held);
                    }
                    vectors[role] = views[role].features(held);
                }
                if possible {
                    list.push((vectors[0], vectors[1], *pattern));
                }
            }
            found.push(((a as u8, b as u8), list));
        }
    }
    let all = || found.iter().flat_map(|(_, list)| list);
    pile.values = [
        Values::new(all().map(|item| item.0)),
        Values::new(all().map(|item| item.1)),
    ];
    for (key, list) in found {
        let groups = group(pile, list);
        pile.families.insert(key, groups);
    }
}

fn group(pile: &mut Pile, list: Vec<Valued>) -> Vec<Group> {
    let position = |role: usize, value: &Vector| pile.values[role].position(value).unwrap_or(0);
    let mut keyed: Vec<(_, Pattern)> = list
        .iter()
        .map(|(x, y, pattern)| {
            let marks = pattern.map(|marks| marks.count_ones() as u8);
            ((position(0, x), position(1, y), marks), *pattern)
        })
        .collect();
    keyed.sort_unstable();
    let mut groups: Vec<Group> = Vec::new();
    for (key @ (x, y, marks), pattern) in keyed {
        match groups.last_mut() {
            Some(last) if (last.x, last.y, last.marks) == key => last.count += 1,
            _ => groups.push(Group {
                x,
                y,
                marks,
                first: pile.patterns.len() as u32,
                count: 1,
            }),
        }
        pile.patterns.push(pattern);
    }
    groups
}
