//! The defenders' cards in classes of equal cards, and the worlds that follow from them.

use cards::{Holding, Rank};

use crate::counts::Counts;
use crate::worlds::WorldSet;

/// No card of the suit: a number below the lowest class and the lowest gap.
pub(crate) const VOID: u8 = u8::MAX;

/// The defenders' cards of the suit.
///
/// Class 0 is the highest. Cards of a class are equal: none of declarer's cards is between them at the start, and the
/// weight of a layout depends only on how many of them West holds. Declarer's cards are in gaps: gap `g` is directly
/// above class `g`, the last gap is below all classes. A card in gap `g` beats a card of class `i` if `g <= i`.
///
/// A world is a number of cards of each class for West, `w[i]`. Its index is the sum of
/// `w[i] * strides[i]`. During the play `w` counts the cards that West has left.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    cards: Vec<Holding>,
    strides: Vec<usize>,
    worlds: usize,
}

impl Classes {
    /// Groups the cards that `declarer` does not have. Neighbours are in one class if `are_equal` holds for them, which
    /// must be an equivalence.
    pub(crate) fn new(declarer: Holding, are_equal: impl Fn(Rank, Rank) -> bool) -> Classes {
        let mut cards: Vec<Holding> = Vec::new();
        let mut first_of_run = 0;
        for rank in Rank::ALL.into_iter().rev() {
            if declarer.contains(rank) {
                first_of_run = cards.len();
                continue;
            }
            let class = cards[first_of_run..]
                .iter_mut()
                .find(|class| class.iter().all(|other| are_equal(other, rank)));
            let card: Holding = [rank].into_iter().collect();
            match class {
                Some(class) => *class |= card,
                None => cards.push(card),
            }
        }
        let mut worlds = 1;
        let strides = cards.iter().map(|class| {
            let stride = worlds;
            worlds *= class.len() + 1;
            stride
        });
        Classes {
            strides: strides.collect(),
            cards,
            worlds,
        }
    }

    /// Returns the number of classes.
    pub(crate) fn len(&self) -> u8 {
        self.cards.len() as u8
    }

    /// Returns the number of worlds.
    pub(crate) fn worlds(&self) -> usize {
        self.worlds
    }

    /// Returns the cards of a class.
    pub(crate) fn cards(&self, class: u8) -> Holding {
        self.cards[usize::from(class)]
    }

    /// Returns the number of cards of each class.
    pub(crate) fn sizes(&self) -> Counts {
        let sizes = self.cards.iter().zip(0..);
        sizes.fold(Counts::default(), |counts, (cards, class)| {
            counts.plus(class, cards.len() as u8)
        })
    }

    /// Returns how many cards of `class` West holds in `world`.
    pub(crate) fn west_holds(&self, world: usize, class: u8) -> u8 {
        let place = usize::from(class);
        (world / self.strides[place] % (self.cards[place].len() + 1)) as u8
    }

    /// Returns the world in which West holds `west`.
    pub(crate) fn world_of(&self, west: Holding) -> usize {
        let classes = self.cards.iter().zip(&self.strides);
        classes
            .map(|(&cards, stride)| (cards & west).len() * stride)
            .sum()
    }

    /// Returns the number of classes above `rank`: the gap of declarer's card of that rank.
    pub(crate) fn gap(&self, rank: Rank) -> u8 {
        let above = self
            .cards
            .iter()
            .filter(|class| class.iter().next().is_some_and(|highest| highest > rank));
        above.count() as u8
    }
}

/// Sets of worlds in which a defender can play a card of a class.
pub(crate) struct Holders<const W: usize> {
    west: Vec<WorldSet<W>>,
    /// For every class and remaining number of its cards: the worlds in which East has one.
    east: Vec<Vec<WorldSet<W>>>,
    strides: Vec<usize>,
}

/// One way in which a defender follows to a trick.
pub(crate) struct Following<const W: usize> {
    /// The worlds in which the defender can play this card, by the index before the card.
    pub(crate) worlds: WorldSet<W>,
    /// Cards of every class that remain after the card is played.
    pub(crate) left: Counts,
    /// The distance between the indices of a world before and after the card.
    pub(crate) shift: usize,
}

impl<const W: usize> Holders<W> {
    pub(crate) fn new(classes: &Classes) -> Self {
        let number = classes.worlds();
        let all = 0..classes.len();
        let west = all
            .clone()
            .map(|class| WorldSet::collect(number, |world| classes.west_holds(world, class) >= 1));
        let east = all.map(|class| {
            let left = 0..=classes.cards(class).len() as u8;
            let sets = left.map(|left| {
                WorldSet::collect(number, |world| classes.west_holds(world, class) < left)
            });
            sets.collect()
        });
        Holders {
            west: west.collect(),
            east: east.collect(),
            strides: classes.strides.clone(),
        }
    }

    /// Returns the ways in which West (or else East) can follow with a card of `class`, or discard for [`VOID`], in the
    /// worlds of `within`, if the cards `left` remain.
    #[inline]
    pub(crate) fn follow(
        &self,
        is_west: bool,
        class: u8,
        left: Counts,
        within: &WorldSet<W>,
    ) -> Option<Following<W>> {
        let following = if class == VOID {
            let void = match is_west {
                true => 0,
                false => self.east_void(left),
            };
            let mut worlds = WorldSet::EMPTY;
            if within.contains(void) {
                worlds.insert(void);
            }
            Following {
                worlds,
                left,
                shift: 0,
            }
        } else {
            let number = left.get(class);
            if number == 0 {
                return None;
            }
            let place = usize::from(class);
            let holders = match is_west {
                true => self.west[place],
                false => self.east[place][usize::from(number)],
            };
            Following {
                worlds: *within & holders,
                left: left.minus_one(class),
                shift: if is_west { self.strides[place] } else { 0 },
            }
        };
        (!following.worlds.is_empty()).then_some(following)
    }

    fn east_void(&self, left: Counts) -> usize {
        let strides = self.strides.iter().zip(0..);
        strides
            .map(|(stride, class)| usize::from(left.get(class)) * stride)
            .sum()
    }

    /// Returns every card that a defender can show: the classes, highest first, and then [`VOID`].
    pub(crate) fn cards(&self) -> impl Iterator<Item = u8> + use<W> {
        (0..self.strides.len() as u8).chain([VOID])
    }
}
