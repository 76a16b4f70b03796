//! The deals of a block that are still in question.

use shuffle::{Block, Group, Path};

use super::column::{BLOCK, GROUP};
use super::squeeze::{SLACK, Squeeze};

/// Which deals are looked at, and in which lanes they lie.
///
/// At first every lane of the block. When few are left they are moved together: lane *i* of the view is then
/// lane `origin[i]` of the block.
pub(super) struct View {
    /// Deals in the view.
    pub lanes: usize,
    /// Which of them still count, one word a group.
    pub active: [u32; BLOCK / GROUP],
    /// Whether the view is the block itself.
    whole: bool,
    /// Lanes of the block, if it is not; room behind them for whole vectors.
    origin: [u16; BLOCK + SLACK],
    /// Whether there are so many of them that whole words are moved at once.
    many: bool,
    /// If so: the lanes as bits, one word a group of the block.
    picked: [u32; BLOCK / GROUP],
    squeeze: Squeeze,
    /// One plane of the deals moved together.
    plane: Box<[u16; BLOCK + SLACK]>,
    /// Planes of the deals moved together.
    groups: Box<[Group]>,
    /// Which of them have been fetched (bit = 4 * suit + seat).
    fetched: u16,
}

impl View {
    pub fn new(path: Path) -> Self {
        View {
            lanes: 0,
            active: [0; BLOCK / GROUP],
            whole: true,
            origin: [0; BLOCK + SLACK],
            many: false,
            picked: [0; BLOCK / GROUP],
            squeeze: Squeeze::on(path),
            plane: Box::new([0; BLOCK + SLACK]),
            groups: vec![Group::EMPTY; BLOCK / GROUP].into_boxed_slice(),
            fetched: 0,
        }
    }

    /// Looks at the first `lanes` deals of a block, all of them.
    pub fn reset(&mut self, lanes: usize) {
        self.lanes = lanes;
        self.whole = true;
        self.activate_all();
    }

    fn activate_all(&mut self) {
        let lanes = self.lanes;
        for (group, word) in self.active.iter_mut().enumerate() {
            let left = lanes.saturating_sub(group * GROUP);
            *word = if left >= GROUP {
                u32::MAX
            } else {
                (1u32 << left) - 1
            };
        }
    }

    /// The planes to compute from.
    pub fn groups<'a>(&'a self, block: &'a Block) -> &'a [Group] {
        let groups = self.lanes.div_ceil(GROUP);
        if self.whole {
            &block.groups()[..groups]
        } else {
            &self.groups[..groups]
        }
    }

    /// Lanes that still count.
    pub fn survivors(&self) -> usize {
        self.active
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Calls `f(lane of the view, lane of the block)` for each lane that counts, in order.
    pub fn for_each(&self, mut f: impl FnMut(usize, usize)) {
        super::feature::for_active(&self.active, |group, lane| {
            let lane = group * GROUP + lane;
            f(
                lane,
                if self.whole {
                    lane
                } else {
                    usize::from(self.origin[lane])
                },
            );
        });
    }

    /// Takes a lane of the view out.
    pub fn drop_lane(&mut self, lane: usize) {
        self.active[lane / GROUP] &= !(1 << (lane % GROUP));
    }

    /// Whether lanes of the view are those of the block.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether every lane of the view still counts.
    pub fn is_dense(&self) -> bool {
        self.survivors() == self.lanes
    }

    /// Moves the lanes that count together. Their planes are fetched when they are needed: most deals are rejected
    /// before anyone looks at all of their cards.
    pub fn compact(&mut self) {
        self.many = self.whole && self.squeeze.pays(self.survivors(), BLOCK / GROUP);
        let mut count = 0;
        if self.many {
            self.picked = self.active;
            let words = LANE_NUMBERS.as_chunks().0.iter().zip(self.picked);
            count = self.squeeze.put(words, &mut self.origin);
        } else {
            for (group, mut word) in self.active.into_iter().enumerate() {
                while word != 0 {
                    let lane = group * GROUP + word.trailing_zeros() as usize;
                    // Never ahead of `lane`, so nothing is overwritten before it is read.
                    self.origin[count] = if self.whole {
                        lane as u16
                    } else {
                        self.origin[lane]
                    };
                    count += 1;
                    word &= word - 1;
                }
            }
        }
        self.lanes = count;
        self.whole = false;
        self.fetched = 0;
        self.activate_all();
    }

    /// Makes sure that these planes (bit = 4 * suit + seat) can be read.
    pub fn require(&mut self, block: &Block, planes: u16) {
        let missing = planes & !self.fetched;
        if !self.whole && missing != 0 {
            let mut wanted = [0usize; 16];
            let mut count = 0;
            for plane in (0..16).filter(|plane| missing >> plane & 1 == 1) {
                wanted[count] = plane;
                count += 1;
            }
            if self.many {
                self.fetch_planes(block, &wanted[..count]);
            } else {
                self.fetch_lanes(block, &wanted[..count]);
            }
            self.fetched |= missing;
        }
    }

    /// Plane by plane, whole words of lanes at once.
    fn fetch_planes(&mut self, block: &Block, planes: &[usize]) {
        for &plane in planes {
            let sources = block.groups().iter();
            let words = sources
                .map(|group| &group.planes.as_flattened()[plane])
                .zip(self.picked);
            self.squeeze.put(words, &mut self.plane[..]);
            let moved = self.plane[..self.lanes.next_multiple_of(GROUP)].chunks_exact(GROUP);
            for (group, values) in self.groups.iter_mut().zip(moved) {
                group.planes.as_flattened_mut()[plane].copy_from_slice(values);
            }
        }
    }

    /// Lane by lane, all planes of a lane together: better if few lanes are left.
    fn fetch_lanes(&mut self, block: &Block, planes: &[usize]) {
        let from = block.groups();
        let origins = self.origin[..self.lanes].chunks(GROUP);
        for (group, origins) in self.groups.iter_mut().zip(origins) {
            let to = group.planes.as_flattened_mut();
            for (lane, &origin) in origins.iter().enumerate() {
                let origin = usize::from(origin);
                let source = from[origin / GROUP].planes.as_flattened();
                for &plane in planes {
                    to[plane][lane] = source[plane][origin % GROUP];
                }
            }
        }
    }
}

/// The numbers of the lanes of a block.
static LANE_NUMBERS: [u16; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut lane = 0;
    while lane < BLOCK {
        numbers[lane] = lane as u16;
        lane += 1;
    }
    numbers
};
