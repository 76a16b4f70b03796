//! Shapes: the numbers of cards of a hand in each suit.

use crate::CardSet;

/// The lengths of a hand's suits in the order spades, hearts, diamonds, clubs. There are 560 shapes.
///
/// Shapes are numbered in lexicographic order of their lengths, 0-0-0-13 first.
///
/// ```
/// use croupier_cards::Shape;
/// let shape = Shape::new([4, 3, 3, 3]).unwrap();
/// assert_eq!(shape.lengths(), [4, 3, 3, 3]);
/// assert_eq!(Shape::from_index(shape.index()), Some(shape));
/// assert_eq!(Shape::new([4, 4, 4, 4]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape(u16);

const LENGTHS: [[u8; 4]; Shape::COUNT] = {
    let mut all = [[0; 4]; Shape::COUNT];
    let mut n = 0;
    let mut s = 0;
    while s <= 13 {
        let mut h = 0;
        while s + h <= 13 {
            let mut d = 0;
            while s + h + d <= 13 {
                all[n] = [s, h, d, 13 - s - h - d];
                n += 1;
                d += 1;
            }
            h += 1;
        }
        s += 1;
    }
    all
};

/// Returns the index of a shape: the number of shapes before it in lexicographic order.
const fn index_of(lengths: [u8; 4]) -> u16 {
    let [s, h, d, _] = lengths;
    // Returns the number of ways to divide `r` cards among three suits: C(r+2, 2). For two suits there are r+1 ways.
    const fn three(r: u16) -> u16 {
        (r + 2) * (r + 1) / 2
    }
    const fn up_to_three(r: u16) -> u16 {
        (r + 3) * (r + 2) * (r + 1) / 6
    }
    let (s, h, d) = (s as u16, h as u16, d as u16);
    let rest = 13 - s;
    up_to_three(13) - up_to_three(rest) + three(rest) - three(rest - h) + d
}

impl Shape {
    /// Number of shapes.
    pub const COUNT: usize = 560;

    /// Returns the shape with these lengths, spades first, or `None` if their sum is not thirteen.
    #[must_use]
    pub const fn new(lengths: [u8; 4]) -> Option<Shape> {
        let [s, h, d, c] = lengths;
        if s as u32 + h as u32 + d as u32 + c as u32 == 13 {
            Some(Shape(index_of(lengths)))
        } else {
            None
        }
    }

    /// Returns the shape of a hand, or `None` if it does not have thirteen cards.
    #[must_use]
    pub const fn of(hand: CardSet) -> Option<Shape> {
        Shape::new(hand.lengths())
    }

    /// Returns the number of the shape, 0 to 559.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the shape with this number, or `None` if it is above 559.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Shape> {
        if index < Shape::COUNT {
            Some(Shape(index as u16))
        } else {
            None
        }
    }

    /// Returns the lengths of spades, hearts, diamonds, clubs.
    #[must_use]
    pub const fn lengths(self) -> [u8; 4] {
        LENGTHS[self.0 as usize]
    }

    /// Returns the lengths in descending order, for example `[5, 3, 3, 2]`.
    #[must_use]
    pub fn pattern(self) -> [u8; 4] {
        let mut lengths = self.lengths();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    /// Returns all 560 shapes in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Shape> + ExactSizeIterator + Clone {
        (0..Shape::COUNT as u16).map(Shape)
    }
}

/// A set of shapes, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShapeSet([u64; 9]);

impl ShapeSet {
    /// The set without shapes.
    pub const EMPTY: ShapeSet = ShapeSet([0; 9]);

    /// Returns the set of all shapes.
    #[must_use]
    pub fn full() -> ShapeSet {
        Shape::all().collect()
    }

    /// Adds a shape.
    pub const fn insert(&mut self, shape: Shape) {
        self.0[shape.0 as usize / 64] |= 1 << (shape.0 % 64);
    }

    /// Removes a shape.
    pub const fn remove(&mut self, shape: Shape) {
        self.0[shape.0 as usize / 64] &= !(1 << (shape.0 % 64));
    }

    /// Returns whether the shape is in the set.
    #[must_use]
    pub const fn contains(&self, shape: Shape) -> bool {
        self.0[shape.0 as usize / 64] >> (shape.0 % 64) & 1 != 0
    }

    /// Returns the number of shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 9]
    }

    /// Returns the shapes in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Shape> + '_ {
        Shape::all().filter(|&shape| self.contains(shape))
    }

    fn zip(mut self, other: &ShapeSet, f: impl Fn(u64, u64) -> u64) -> ShapeSet {
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            *a = f(*a, b);
        }
        self
    }

    /// Returns the shapes in either set.
    #[must_use]
    pub fn union(self, other: &ShapeSet) -> ShapeSet {
        self.zip(other, |a, b| a | b)
    }

    /// Returns the shapes in both sets.
    #[must_use]
    pub fn intersection(self, other: &ShapeSet) -> ShapeSet {
        self.zip(other, |a, b| a & b)
    }

    /// Returns the shapes in this set and not in the other.
    #[must_use]
    pub fn difference(self, other: &ShapeSet) -> ShapeSet {
        self.zip(other, |a, b| a & !b)
    }

    /// Returns the shapes not in this set.
    #[must_use]
    pub fn complement(self) -> ShapeSet {
        ShapeSet::full().difference(&self)
    }
}

impl FromIterator<Shape> for ShapeSet {
    fn from_iter<I: IntoIterator<Item = Shape>>(shapes: I) -> ShapeSet {
        let mut set = ShapeSet::EMPTY;
        shapes.into_iter().for_each(|shape| set.insert(shape));
        set
    }
}
