//! The transposition table: results proven for whole classes of positions.
//!
//! A position at the start of a trick has a *key* (the lengths of all suits in all hands, and the leader) and a *code*
//! (the owner of each card, by relative rank). A proof that used only the owners of the high cards of each suit holds
//! for every code that agrees on them. So an entry is a pattern, `own` and `mask`, with bounds on the tricks of
//! North-South. The patterns of one key are stored in a list of blocks, four patterns in each.

use super::cards::Lengths;
use super::cpu::{Code, Cpu};

/// Four patterns side by side. The lower bound is in the top byte of `own[0]`, the upper in that of `own[1]`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub(crate) own: [[u64; 4]; 2],
    pub(crate) mask: [[u64; 4]; 2],
}

impl Block {
    /// A bit that no code has. Set in `own` and `mask` of a free lane, it makes the lane match nothing.
    pub(crate) const NOTHING: u64 = 1 << 55;
    const EMPTY: Block = Block {
        own: [[Block::NOTHING; 4], [0; 4]],
        mask: [[Block::NOTHING; 4], [0; 4]],
    };

    #[inline(always)]
    fn get(&self, lane: usize) -> Entry {
        Entry {
            own: Code([self.own[0][lane] & CODE, self.own[1][lane] & CODE]),
            mask: Code([self.mask[0][lane], self.mask[1][lane]]),
            bounds: self.bounds(lane),
        }
    }

    #[inline(always)]
    fn bounds(&self, lane: usize) -> (u8, u8) {
        (
            (self.own[0][lane] >> 56) as u8,
            (self.own[1][lane] >> 56) as u8,
        )
    }

    #[inline(always)]
    fn put(&mut self, lane: usize, entry: Entry) {
        self.own[0][lane] = entry.own.0[0] | u64::from(entry.bounds.0) << 56;
        self.own[1][lane] = entry.own.0[1] | u64::from(entry.bounds.1) << 56;
        self.mask[0][lane] = entry.mask.0[0];
        self.mask[1][lane] = entry.mask.0[1];
    }

    #[inline(always)]
    fn remove(&mut self, lane: usize) {
        for word in 0..2 {
            self.own[word][lane] = Block::EMPTY.own[word][lane];
            self.mask[word][lane] = Block::EMPTY.mask[word][lane];
        }
    }
}

const CODE: u64 = (1 << 56) - 1;

/// A pattern, and bounds on the tricks of North-South in all positions that match it.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// The owners of the cards; zero outside the mask.
    pub(crate) own: Code,
    /// Selects the cards whose owners matter.
    pub(crate) mask: Code,
    /// Lower and upper bound.
    pub(crate) bounds: (u8, u8),
}

/// The list of one key: `len` entries in `1 << class` blocks, beginning at `start`. A key is never 0.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    start: u32,
    len_and_class: u32,
}

impl Slot {
    #[inline(always)]
    fn len(self) -> usize {
        (self.len_and_class & 0xff_ffff) as usize
    }
    #[inline(always)]
    fn class(self) -> usize {
        (self.len_and_class >> 24) as usize
    }
    fn with(self, start: usize, len: usize, class: usize) -> Slot {
        Slot {
            key: self.key,
            start: start as u32,
            len_and_class: len as u32 | (class as u32) << 24,
        }
    }
    /// Returns the number of tricks left: North's cards.
    fn tricks(self) -> usize {
        (0..4).map(|s| self.key as usize >> (4 * s) & 15).sum()
    }
}

/// Initial number of slots: enough for nine deals of ten, and small enough for a near cache.
const FIRST_SLOTS: usize = 1 << 13;
/// Maximum length of a list, in blocks. After that, new patterns overwrite old ones.
const MAX_LIST_BLOCKS: usize = 1 << MAX_CLASS;
const MAX_CLASS: usize = 11;

/// The transposition table. It never exceeds its memory limit: when it is full, it removes the positions with the
/// fewest tricks left, which are the cheapest to search again.
pub(crate) struct TranspositionTable {
    slots: Vec<Slot>,
    used: usize,
    pool: Vec<Block>,
    free: [Vec<u32>; MAX_CLASS + 1],
    max_blocks: usize,
    max_slots: usize,
    overwrite: usize,
}

impl TranspositionTable {
    /// Creates a table of at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> TranspositionTable {
        // One eighth for the slots, the rest for the patterns.
        let max_slots = (bytes / 8 / size_of::<Slot>()).max(1 << 10);
        let max_slots = 1 << max_slots.ilog2();
        let rest = bytes.saturating_sub(max_slots * size_of::<Slot>());
        TranspositionTable {
            slots: vec![Slot::default(); FIRST_SLOTS.min(max_slots)],
            used: 0,
            pool: Vec::new(),
            free: Default::default(),
            max_blocks: (rest / size_of::<Block>()).clamp(2 * MAX_LIST_BLOCKS, u32::MAX as usize),
            max_slots,
            overwrite: 0,
        }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.slots.truncate(FIRST_SLOTS);
        if self.used > 0 {
            self.slots.fill(Slot::default());
        }
        self.used = 0;
        self.pool.clear();
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// Copies the entries of another table, whose limit must not be larger.
    pub(crate) fn copy_from(&mut self, other: &TranspositionTable) {
        self.slots.clone_from(&other.slots);
        self.used = other.used;
        self.pool.clone_from(&other.pool);
        self.free.clone_from(&other.free);
    }

    /// Returns the memory in use, in bytes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>() + self.pool.capacity() * size_of::<Block>()
    }

    /// Returns the key of a position. One length follows from the others; the leader takes its place.
    #[inline(always)]
    pub(crate) fn key(lengths: Lengths, leader: usize) -> u64 {
        lengths & !(0xf << 60) | (leader as u64) << 60 | 1 << 62
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    /// Returns the slot of a key, or the free slot where it would be.
    #[inline(always)]
    fn find(&self, key: u64) -> usize {
        let mut i = self.home(key);
        loop {
            let slot = self.slots[i];
            if slot.key == key || slot.key == 0 {
                return i;
            }
            i = (i + 1) & (self.slots.len() - 1);
        }
    }

    /// Prefetches the slot of a key.
    #[inline(always)]
    pub(crate) fn prefetch<C: Cpu>(&self, cpu: C, key: u64) {
        cpu.prefetch(&self.slots, self.home(key));
    }

    /// Returns a bound that decides whether North-South take `need` tricks, and the mask of the pattern it belongs to.
    #[inline(always)]
    pub(crate) fn probe<C: Cpu>(
        &mut self,
        cpu: C,
        key: u64,
        code: Code,
        need: i32,
    ) -> Option<(i32, Code)> {
        let slot = self.slots[self.find(key)];
        let blocks = slot.len().div_ceil(4);
        let list = &mut self.pool[slot.start as usize..][..blocks];
        for j in 0..blocks {
            let mut lanes = cpu.fits(&list[j], code);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize & 3;
                lanes &= lanes - 1;
                let (least, most) = list[j].bounds(lane);
                let (least, most) = (i32::from(least), i32::from(most));
                if least >= need || most < need {
                    let mask = Code([list[j].mask[0][lane], list[j].mask[1][lane]]);
                    if j > 0 {
                        // Move useful patterns towards the front, but none in front of a more general one.
                        let (found, other) = (list[j].get(lane), list[j / 2].get(lane));
                        if found.cards() <= other.cards() {
                            list[j].put(lane, other);
                            list[j / 2].put(lane, found);
                        }
                    }
                    return Some((if least >= need { least } else { most }, mask));
                }
            }
        }
        None
    }

    /// Stores a pattern.
    #[inline(always)]
    pub(crate) fn store<C: Cpu>(&mut self, cpu: C, key: u64, entry: Entry) {
        let i = self.slot_for(key);
        let slot = self.slots[i];
        let (entry, slot) = self.absorb(cpu, slot, entry);
        let slot = self.append(slot, entry);
        self.slots[i] = slot;
    }

    /// Stores a pattern without comparing it with the others of its list.
    pub(crate) fn add(&mut self, key: u64, entry: Entry) {
        let i = self.slot_for(key);
        self.slots[i] = self.append(self.slots[i], entry);
    }

    /// Returns the slot of a key, and creates it if there is none.
    #[inline(always)]
    fn slot_for(&mut self, key: u64) -> usize {
        let i = self.find(key);
        if self.slots[i].key == key {
            return i;
        }
        if self.used * 4 > self.slots.len() * 3 || self.pool.len() + 1 > self.max_blocks {
            self.make_room();
            return self.slot_for(key);
        }
        self.used += 1;
        let start = self
            .allocate(0)
            .expect("make_room keeps space for one block");
        self.slots[i] = Slot {
            key,
            ..Slot::default()
        }
        .with(start, 0, 0);
        i
    }

    /// Removes patterns from the list that the new one makes redundant. An equal one passes on its bounds.
    #[inline(always)]
    fn absorb<C: Cpu>(&mut self, cpu: C, slot: Slot, mut entry: Entry) -> (Entry, Slot) {
        let start = slot.start as usize;
        let mut len = slot.len();
        let list = &mut self.pool[start..][..len.div_ceil(4)];
        let mut b = 0;
        while b < len.div_ceil(4) {
            let mut lanes = cpu.agrees(&list[b], entry.own, entry.mask);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize & 3;
                lanes &= lanes - 1;
                let old = list[b].get(lane);
                let same = old.mask == entry.mask;
                if same {
                    entry.bounds.0 = entry.bounds.0.max(old.bounds.0);
                    entry.bounds.1 = entry.bounds.1.min(old.bounds.1);
                }
                if same || entry.covers(&old) {
                    len -= 1;
                    let last = list[len / 4].get(len % 4);
                    list[b].put(lane, last);
                    list[len / 4].remove(len % 4);
                    let moved = b * 4 + lane < len;
                    lanes = if moved {
                        cpu.agrees(&list[b], entry.own, entry.mask) & !((1 << lane) - 1)
                    } else {
                        0
                    };
                }
            }
            b += 1;
        }
        (entry, slot.with(start, len, slot.class()))
    }

    /// Appends the pattern to the list. General patterns move forward: a match with one makes the result of the position
    /// general too.
    #[inline(always)]
    fn append(&mut self, slot: Slot, entry: Entry) -> Slot {
        let (start, len, class) = (slot.start as usize, slot.len(), slot.class());
        if len < 4 << class {
            let (mut j, lane) = (len / 4, len % 4);
            let list = &mut self.pool[start..][..j + 1];
            while j > 0 {
                let other = list[j / 2].get(lane);
                if entry.cards() >= other.cards() {
                    break;
                }
                list[j].put(lane, other);
                j /= 2;
            }
            list[j].put(lane, entry);
            return slot.with(start, len + 1, class);
        }
        self.append_to_full(slot, entry)
    }

    /// Moves the list to a longer one. If there is no room, the pattern overwrites an old one in the second half of the
    /// list.
    #[cold]
    #[inline(never)]
    fn append_to_full(&mut self, slot: Slot, entry: Entry) -> Slot {
        let (start, len, class) = (slot.start as usize, slot.len(), slot.class());
        let longer = if class < MAX_CLASS {
            self.allocate(class + 1)
        } else {
            None
        };
        match longer {
            Some(longer) => {
                self.pool.copy_within(start..start + (1 << class), longer);
                self.free[class].push(start as u32);
                self.pool[longer + len / 4].put(len % 4, entry);
                slot.with(longer, len + 1, class + 1)
            }
            None => {
                self.overwrite = self.overwrite.wrapping_add(1);
                let victim = len / 2 + self.overwrite % len.div_ceil(2);
                self.pool[start + victim / 4].put(victim % 4, entry);
                slot
            }
        }
    }

    /// Allocates `1 << class` empty blocks, or returns `None` if there is no room.
    fn allocate(&mut self, class: usize) -> Option<usize> {
        let blocks = 1 << class;
        if let Some(start) = self.free[class].pop() {
            let start = start as usize;
            self.pool[start..start + blocks].fill(Block::EMPTY);
            return Some(start);
        }
        let start = self.pool.len();
        if start + blocks > self.max_blocks {
            return None;
        }
        if start + blocks > self.pool.capacity() {
            let more = (start.max(1 << 12)).min(self.max_blocks - start);
            self.pool.reserve_exact(more.max(blocks));
        }
        self.pool.resize(start + blocks, Block::EMPTY);
        Some(start)
    }

    /// Adds slots, or removes positions.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        if self.slots.len() < self.max_slots && self.pool.len() < self.max_blocks {
            let slots = vec![Slot::default(); 2 * self.slots.len()];
            let old = std::mem::replace(&mut self.slots, slots);
            for slot in old.into_iter().filter(|slot| slot.key != 0) {
                let i = self.find(slot.key);
                self.slots[i] = slot;
            }
        } else {
            self.forget();
        }
    }

    /// Removes positions, those with the fewest tricks left first, until at most half of the memory is in use.
    fn forget(&mut self) {
        let mut size = [(0, 0); 14];
        for slot in self.slots.iter().filter(|slot| slot.key != 0) {
            let of = &mut size[slot.tricks().min(13)];
            of.0 += 1;
            of.1 += 1 << slot.class();
        }
        let (mut slots, mut blocks, mut least) = (0, 0, 14);
        for tricks in (0..14).rev() {
            slots += size[tricks].0;
            blocks += size[tricks].1;
            if slots > self.slots.len() / 3 || blocks > self.max_blocks / 2 {
                break;
            }
            least = tricks;
        }
        let kept = |slot: &Slot| slot.key != 0 && slot.tricks() >= least;
        let mut keep: Vec<Slot> = self.slots.iter().copied().filter(kept).collect();
        keep.sort_unstable_by_key(|slot| slot.start);
        self.slots.fill(Slot::default());
        self.used = keep.len();
        self.free.iter_mut().for_each(Vec::clear);
        let mut end = 0;
        for slot in keep {
            let (start, blocks) = (slot.start as usize, 1 << slot.class());
            self.pool.copy_within(start..start + blocks, end);
            let i = self.find(slot.key);
            self.slots[i] = slot.with(end, slot.len(), slot.class());
            end += blocks;
        }
        self.pool.truncate(end);
    }
}

impl Entry {
    /// Returns the number of bits that the mask selects: few if the pattern is general.
    #[inline(always)]
    fn cards(&self) -> u32 {
        self.mask.0[0].count_ones() + self.mask.0[1].count_ones()
    }

    /// Returns whether this pattern makes the other redundant: it is at least as general, and its bounds are at least
    /// as tight.
    #[inline(always)]
    fn covers(&self, other: &Entry) -> bool {
        let more = self.mask.0[0] & !other.mask.0[0] | self.mask.0[1] & !other.mask.0[1];
        more == 0 && self.bounds.0 >= other.bounds.0 && self.bounds.1 <= other.bounds.1
    }
}
