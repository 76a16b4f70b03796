//! The deals of a block that are still selected.

use shuffle::{Block, Group, ShufflePath};

use super::column::{BLOCK, GROUP};
use super::compaction::{Compactor, SLACK};

/// The selected deals of a block and their lanes.
///
/// At first the view is the whole block. When few deals are left, they are moved together: lane *i* of the view is then
/// lane `origin[i]` of the block.
pub(super) struct View {
    /// Deals in the view.
    pub lanes: usize,
    /// The selected lanes, one word per group.
    pub active: [u32; BLOCK / GROUP],
    /// Whether the view is the block itself.
    whole: bool,
    /// If the view is not the block: the lane of the block for each lane of the view, with room for whole vectors after
    /// them.
    origin: [u16; BLOCK + SLACK],
    /// Whether enough lanes are selected to move whole words at once.
    many: bool,
    /// If many lanes are selected: the lanes as bits, one word per group of the block.
    picked: [u32; BLOCK / GROUP],
    compactor: Compactor,
    /// One plane of the compacted deals.
    plane: Box<[u16; BLOCK + SLACK]>,
    /// Planes of the compacted deals.
    groups: Box<[Group]>,
    /// The planes that have been fetched (bit = 4 * suit + seat).
    fetched: u16,
}

impl View {
    pub fn new(path: ShufflePath) -> Self {
        View {
            lanes: 0,
            active: [0; BLOCK / GROUP],
            whole: true,
            origin: [0; BLOCK + SLACK],
            many: false,
            picked: [0; BLOCK / GROUP],
            compactor: Compactor::on(path),
            plane: Box::new([0; BLOCK + SLACK]),
            groups: vec![Group::EMPTY; BLOCK / GROUP].into_boxed_slice(),
            fetched: 0,
        }
    }

    /// Selects the first `lanes` deals of a block.
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

    /// Returns the planes to compute from.
    pub fn groups<'a>(&'a self, block: &'a Block) -> &'a [Group] {
        let groups = self.lanes.div_ceil(GROUP);
        if self.whole {
            &block.groups()[..groups]
        } else {
            &self.groups[..groups]
        }
    }

    /// Returns the number of selected lanes.
    pub fn survivors(&self) -> usize {
        self.active
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Calls `f(lane of the view, lane of the block)` for each selected lane, in order.
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

    /// Deselects a lane of the view.
    pub fn drop_lane(&mut self, lane: usize) {
        self.active[lane / GROUP] &= !(1 << (lane % GROUP));
    }

    /// Returns whether the lanes of the view are those of the block.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Returns whether every lane of the view is selected.
    pub fn is_dense(&self) -> bool {
        self.survivors() == self.lanes
    }

    /// Moves the selected lanes together. Their planes are fetched when they are needed, because most deals are
    /// rejected before all of their cards are read.
    pub fn compact(&mut self) {
        self.many = self.whole && self.compactor.pays(self.survivors(), BLOCK / GROUP);
        let mut count = 0;
        if self.many {
            self.picked = self.active;
            let words = LANE_NUMBERS.as_chunks().0.iter().zip(self.picked);
            count = self.compactor.put(words, &mut self.origin);
        } else {
            for (group, mut word) in self.active.into_iter().enumerate() {
                while word != 0 {
                    let lane = group * GROUP + word.trailing_zeros() as usize;
                    // `count` is never ahead of `lane`, so nothing is overwritten before it is read.
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

    /// Makes these planes (bit = 4 * suit + seat) readable.
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

    /// Fetches plane by plane, whole words of lanes at once.
    fn fetch_planes(&mut self, block: &Block, planes: &[usize]) {
        for &plane in planes {
            let sources = block.groups().iter();
            let words = sources
                .map(|group| &group.planes.as_flattened()[plane])
                .zip(self.picked);
            self.compactor.put(words, &mut self.plane[..]);
            let moved = self.plane[..self.lanes.next_multiple_of(GROUP)].chunks_exact(GROUP);
            for (group, values) in self.groups.iter_mut().zip(moved) {
                group.planes.as_flattened_mut()[plane].copy_from_slice(values);
            }
        }
    }

    /// Fetches lane by lane, all planes of a lane together: faster if few lanes are left.
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

/// The lane numbers of a block.
static LANE_NUMBERS: [u16; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut lane = 0;
    while lane < BLOCK {
        numbers[lane] = lane as u16;
        lane += 1;
    }
    numbers
};
