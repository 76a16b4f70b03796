//! A block of 1024 deals, stored as planes of holdings for vector operations.

use cards::{CardSet, Deal, Holding, Seat, Suit};

use crate::Swap;

/// Deals in a group: one for each lane of the planes.
pub const GROUP_DEALS: usize = 32;
/// Groups in a block.
pub const BLOCK_GROUPS: usize = 32;
/// Deals in a block, the unit of work and of addressing.
pub const BLOCK_DEALS: usize = GROUP_DEALS * BLOCK_GROUPS;

/// One holding (13 bits, bit = rank) of each of 32 deals.
pub type Plane = [u16; GROUP_DEALS];

/// 32 deals as sixteen planes: `planes[suit][seat][lane]`.
///
/// Thirty-two holdings of the same suit and seat are adjacent, so that lengths, points and tests take a few vector
/// operations for all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Group {
    /// Holdings by suit (clubs first), seat (North first) and lane.
    pub planes: [[Plane; 4]; 4],
}

impl Group {
    /// A group without cards.
    pub const EMPTY: Group = Group {
        planes: [[[0; GROUP_DEALS]; 4]; 4],
    };

    /// Returns the holdings of one suit and seat in all 32 deals.
    #[inline]
    #[must_use]
    pub const fn plane(&self, suit: Suit, seat: Seat) -> &Plane {
        &self.planes[suit as usize][seat as usize]
    }

    /// Returns one seat's hand in the deal of a lane.
    #[inline]
    #[must_use]
    pub fn hand(&self, lane: usize, seat: Seat) -> CardSet {
        // Written out for each suit: the compiler does not inline `map` over an array here.
        let holding = |suit| Holding(self.plane(suit, seat)[lane]);
        let [clubs, diamonds, hearts, spades] = Suit::ALL;
        CardSet::from_holdings([
            holding(clubs),
            holding(diamonds),
            holding(hearts),
            holding(spades),
        ])
    }

    /// Copies a deal from a lane of another group.
    pub(crate) fn take_lane(&mut self, lane: usize, from: &Group, from_lane: usize) {
        for (planes, from_planes) in self.planes.iter_mut().zip(&from.planes) {
            for (plane, from_plane) in planes.iter_mut().zip(from_planes) {
                plane[lane] = from_plane[from_lane];
            }
        }
    }
}

/// 1024 deals, filled by [`FastDealer::fill`](crate::FastDealer::fill).
///
/// ```
/// use cards::{Seat, Suit};
/// use croupier_shuffle::{Block, FastDealer, Key, Predeal};
///
/// let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
/// let mut block = Block::new();
/// dealer.fill(0, &mut block)?;
/// assert_eq!(
///     block.deal(5).to_string(),
///     "N:AKQ9542.953.QJ4. J6.KQ76.A62.T852 8.JT42.T987.AKJ3 T73.A8.K53.Q9764"
/// );
/// assert_eq!(block.holding(5, Suit::Spades, Seat::North).len(), 7);
/// # Ok::<(), croupier_shuffle::BlockNumberTooLarge>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    groups: Box<[Group]>,
}

impl Block {
    /// Creates a block without cards. It can be filled many times.
    #[must_use]
    pub fn new() -> Self {
        Block {
            groups: vec![Group::EMPTY; BLOCK_GROUPS].into_boxed_slice(),
        }
    }

    /// Returns the 32 groups, in order of deal number.
    #[inline]
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the groups for writing, for sources that fill a block themselves.
    #[inline]
    pub fn groups_mut(&mut self) -> &mut [Group] {
        &mut self.groups
    }

    /// Returns the holding of one suit and seat in deal `index` (0 .. 1023) of the block.
    #[inline]
    #[must_use]
    pub fn holding(&self, index: usize, suit: Suit, seat: Seat) -> Holding {
        Holding(self.groups[index / GROUP_DEALS].plane(suit, seat)[index % GROUP_DEALS])
    }

    /// Returns one seat's hand in deal `index` of the block.
    #[inline]
    #[must_use]
    pub fn hand(&self, index: usize, seat: Seat) -> CardSet {
        self.groups[index / GROUP_DEALS].hand(index % GROUP_DEALS, seat)
    }

    /// Returns deal `index` of the block.
    #[inline]
    #[must_use]
    pub fn deal(&self, index: usize) -> Deal {
        let (group, lane) = (&self.groups[index / GROUP_DEALS], index % GROUP_DEALS);
        let [north, east, south, west] = Seat::ALL;
        Deal::from_valid_hands([
            group.hand(lane, north),
            group.hand(lane, east),
            group.hand(lane, south),
            group.hand(lane, west),
        ])
    }

    /// Writes a deal at `index`.
    pub fn set_deal(&mut self, index: usize, deal: &Deal) {
        let group = &mut self.groups[index / GROUP_DEALS];
        for suit in Suit::ALL {
            for seat in Seat::ALL {
                group.planes[suit as usize][seat as usize][index % GROUP_DEALS] =
                    deal.hand(seat).holding(suit).0;
            }
        }
    }

    /// Fills consecutive places of the block, starting at `places`, with deals made from `base` by exchanging hands.
    /// `deals` yields for each place the index of the deal in `base` and its arrangement, and no more items than there
    /// is room for.
    pub fn set_arranged(
        &mut self,
        places: usize,
        base: &Block,
        deals: impl Iterator<Item = (usize, usize)>,
    ) {
        let sources: [[Seat; 4]; 6] = std::array::from_fn(Swap::sources);
        for (place, (deal, arrangement)) in (places..).zip(deals) {
            let from = &base.groups[deal / GROUP_DEALS].planes;
            let to = &mut self.groups[place / GROUP_DEALS].planes;
            let (lane, from_lane) = (place % GROUP_DEALS, deal % GROUP_DEALS);
            let [north, east, south, west] = sources[arrangement % sources.len()];
            for suit in 0..4 {
                let holding = |seat: Seat| from[suit][seat as usize][from_lane];
                to[suit][0][lane] = holding(north);
                to[suit][1][lane] = holding(east);
                to[suit][2][lane] = holding(south);
                to[suit][3][lane] = holding(west);
            }
        }
    }
}

impl Default for Block {
    fn default() -> Self {
        Block::new()
    }
}
