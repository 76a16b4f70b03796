//! The deals of a block that are still in question.

use shuffle::{Block, Group};

use super::column::{BLOCK, GROUP};

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
    /// Lanes of the block, if it is not.
    origin: [u16; BLOCK],
    /// Planes of the deals moved together.
    groups: Box<[Group]>,
    /// Which of them have been fetched (bit = 4 * suit + seat).
    fetched: u16,
}

impl View {
    pub fn new() -> Self {
        View {
            lanes: 0,
            active: [0; BLOCK / GROUP],
            whole: true,
            origin: [0; BLOCK],
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

    /// Whether every lane of the view still counts.
    pub fn is_dense(&self) -> bool {
        self.survivors() == self.lanes
    }

    /// Moves the lanes that count together. Their planes are fetched when they are needed: most deals are rejected
    /// before anyone looks at all of their cards.
    pub fn compact(&mut self) {
        let mut count = 0;
        for (group, word) in self.active.into_iter().enumerate() {
            let mut word = word;
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
        self.lanes = count;
        self.whole = false;
        self.fetched = 0;
        self.activate_all();
    }

    /// Makes sure that these planes (bit = 4 * suit + seat) can be read.
    pub fn require(&mut self, block: &Block, planes: u16) {
        let missing = planes & !self.fetched;
        if !self.whole && missing != 0 {
            self.fetch(block, missing);
            self.fetched |= missing;
        }
    }

    fn fetch(&mut self, block: &Block, planes: u16) {
        let mut wanted = [0usize; 16];
        let mut count = 0;
        for plane in (0..16).filter(|plane| planes >> plane & 1 == 1) {
            wanted[count] = plane;
            count += 1;
        }
        let from = block.groups();
        let origins = self.origin[..self.lanes].chunks(GROUP);
        for (group, origins) in self.groups.iter_mut().zip(origins) {
            let to = group.planes.as_flattened_mut();
            for (lane, &origin) in origins.iter().enumerate() {
                let origin = usize::from(origin);
                let source = from[origin / GROUP].planes.as_flattened();
                for &plane in &wanted[..count] {
                    to[plane][lane] = source[plane][origin % GROUP];
                }
            }
        }
    }
}
