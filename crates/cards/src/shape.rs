//! Shapes: how many cards a hand has in each suit.

use crate::CardSet;

/// The lengths of a hand's suits in the order spades, hearts, diamonds, clubs; one of 560.
///
/// Shapes are numbered in lexicographic order of their lengths, 0-0-0-13 first.
///
/// ```
/// use cards::Shape;
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

/// Shapes before the first with `s` spades, and before the first with `h` hearts among those.
const fn index_of(lengths: [u8; 4]) -> u16 {
    let [s, h, d, _] = lengths;
    // With r cards for three suits there are C(r+2, 2) ways; for two suits r+1.
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
    /// How many shapes there are.
    pub const COUNT: usize = 560;

    /// The shape with these lengths, spades first, if they add up to thirteen.
    #[must_use]
    pub const fn new(lengths: [u8; 4]) -> Option<Shape> {
        let [s, h, d, c] = lengths;
        if s as u32 + h as u32 + d as u32 + c as u32 == 13 {
            Some(Shape(index_of(lengths)))
        } else {
            None
        }
    }

    /// The shape of a hand, if it has thirteen cards.
    #[must_use]
    pub const fn of(hand: CardSet) -> Option<Shape> {
        Shape::new(hand.lengths())
    }

    /// The shape's number, 0 to 559.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The shape with this number, if it is below 560.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Shape> {
        if index < Shape::COUNT {
            Some(Shape(index as u16))
        } else {
            None
        }
    }

    /// Spades, hearts, diamonds, clubs.
    #[must_use]
    pub const fn lengths(self) -> [u8; 4] {
        LENGTHS[self.0 as usize]
    }

    /// The lengths in descending order, for example `[5, 3, 3, 2]`.
    #[must_use]
    pub fn pattern(self) -> [u8; 4] {
        let mut lengths = self.lengths();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    /// All 560 shapes in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Shape> + ExactSizeIterator + Clone {
        (0..Shape::COUNT as u16).map(Shape)
    }
}

/// A set of shapes, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShapeSet([u64; 9]);

impl ShapeSet {
    /// No shape.
    pub const EMPTY: ShapeSet = ShapeSet([0; 9]);

    /// Every shape.
    #[must_use]
    pub fn full() -> ShapeSet {
        Shape::all().collect()
    }

    /// Puts a shape in.
    pub const fn insert(&mut self, shape: Shape) {
        self.0[shape.0 as usize / 64] |= 1 << (shape.0 % 64);
    }

    /// Takes a shape out.
    pub const fn remove(&mut self, shape: Shape) {
        self.0[shape.0 as usize / 64] &= !(1 << (shape.0 % 64));
    }

    /// Whether the shape is in the set.
    #[must_use]
    pub const fn contains(&self, shape: Shape) -> bool {
        self.0[shape.0 as usize / 64] >> (shape.0 % 64) & 1 != 0
    }

    /// How many shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no shape.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 9]
    }

    /// The shapes in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Shape> + '_ {
        Shape::all().filter(|&shape| self.contains(shape))
    }

    fn zip(mut self, other: &ShapeSet, f: impl Fn(u64, u64) -> u64) -> ShapeSet {
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            *a = f(*a, b);
        }
        self
    }

    /// Shapes in either set.
    #[must_use]
    pub fn union(self, other: &ShapeSet) -> ShapeSet {
        self.zip(other, |a, b| a | b)
    }

    /// Shapes in both sets.
    #[must_use]
    pub fn intersection(self, other: &ShapeSet) -> ShapeSet {
        self.zip(other, |a, b| a & b)
    }

    /// Shapes in this set and not in the other.
    #[must_use]
    pub fn difference(self, other: &ShapeSet) -> ShapeSet {
        self.zip(other, |a, b| a & !b)
    }

    /// Shapes not in this set.
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
