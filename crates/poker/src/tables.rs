//! The lookup tables: their generators, and the embedded copies that the evaluators use.
//!
//! The example `generate_tables` writes the embedded file. It is decoded at compile time, so nothing is computed at
//! start-up. A test generates every table again and compares all bytes.

#[cfg(feature = "std")]
pub mod bbhash;
#[cfg(feature = "std")]
pub mod chd;
#[cfg(feature = "std")]
pub mod displace;
#[cfg(feature = "std")]
pub mod generate;
#[cfg(feature = "std")]
pub mod product;

/// The constant that a card of each rank, deuce first, adds to the key of a hand. The sums are distinct for every fixed
/// number of cards up to seven (found by a greedy search, smallest first).
pub const RANK_KEYS: [u32; 13] = [
    0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181,
];

/// The thirteen bits of one suit in a card mask.
pub(crate) const SUIT_MASK: u64 = 0x1FFF;

/// The embedded file, as the generator writes it.
pub const EMBEDDED: &[u8] = include_bytes!("tables/tables.bin");

/// The FNV-1a checksum of the embedded file.
pub const CHECKSUM: u64 = 0x9C1E_23B6_3E8D_C62B;

/// Returns the FNV-1a checksum of bytes.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Marks the key of a suit with five or more cards. It is larger than all sums of keys.
pub(crate) const FLUSH_FLAG: u32 = 1 << 31;

/// The key sums of all suit masks, with [`FLUSH_FLAG`] where the suit has five or more cards.
pub(crate) static SUIT_KEYS: [u32; 8192] = suit_keys();

const fn suit_keys() -> [u32; 8192] {
    let mut keys = [0u32; 8192];
    let mut mask = 1;
    while mask < 8192 {
        let rest = mask & (mask - 1);
        keys[mask] = (keys[rest] & !FLUSH_FLAG) + RANK_KEYS[mask.trailing_zeros() as usize];
        if mask.count_ones() >= 5 {
            keys[mask] |= FLUSH_FLAG;
        }
        mask += 1;
    }
    keys
}

/// Ranks by key for hands of one size. The length of all arrays is a power of two, so that masking an index keeps any
/// input in bounds.
pub(crate) struct Slots<const BUCKETS: usize, const SLOTS: usize> {
    pub(crate) offsets: [u16; BUCKETS],
    pub(crate) values: [u16; SLOTS],
}

impl<const BUCKETS: usize, const SLOTS: usize> Slots<BUCKETS, SLOTS> {
    /// Returns the slot of a key.
    #[inline]
    pub(crate) fn slot(&self, key: u32) -> usize {
        let offset = self.offsets[key as usize & (BUCKETS - 1)];
        ((key >> BUCKETS.trailing_zeros()) as usize + usize::from(offset)) & (SLOTS - 1)
    }

    /// Returns the rank of a key.
    #[inline]
    pub(crate) fn rank(&self, key: u32) -> u16 {
        self.values[self.slot(key)]
    }
}

/// Product tables for hands of one size. Their lengths keep any planes in bounds.
#[cfg_attr(
    not(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64"))),
    allow(dead_code)
)]
pub(crate) struct Products {
    pub(crate) columns: [u16; 12288],
    pub(crate) rows: [u16; 8192],
    pub(crate) values: [u16; 65536],
}

/// Numbers of entries in the file: slot and product values for 5, 6 and 7 cards.
const SLOTS: [usize; 3] = [9581, 23565, 63100];
const PRODUCTS: [usize; 3] = [9438, 20383, 47463];
const BUCKETS: [usize; 3] = [1 << 10, 1 << 11, 1 << 12];

/// Returns the start of the tables for `5 + size` cards in the file, in entries.
const fn start(size: usize) -> usize {
    let mut start = 2 * 8192;
    let mut smaller = 0;
    while smaller < size {
        start += BUCKETS[smaller] + SLOTS[smaller] + 4096 + 8192 + PRODUCTS[smaller];
        smaller += 1;
    }
    start
}

const _: () = assert!(EMBEDDED.len() == 2 * start(3));

/// Copies `count` entries of the file to the start of a larger array.
const fn fill<const N: usize>(
    mut array: [u16; N],
    at: usize,
    first: usize,
    count: usize,
) -> [u16; N] {
    let mut i = 0;
    while i < count {
        let byte = 2 * (first + i);
        array[at + i] = EMBEDDED[byte] as u16 | (EMBEDDED[byte + 1] as u16) << 8;
        i += 1;
    }
    array
}

const fn slots<const B: usize, const N: usize>(size: usize) -> Slots<B, N> {
    let offsets = fill([0; B], 0, start(size), B);
    let values = fill([u16::MAX; N], 0, start(size) + B, SLOTS[size]);
    Slots { offsets, values }
}

#[cfg(feature = "std")]
const fn products(size: usize) -> Products {
    let columns_start = start(size) + BUCKETS[size] + SLOTS[size];
    let columns = fill([0; 12288], 0, columns_start, 4096);
    let columns = fill(columns, 4096, 8192, 8192);
    let rows = fill([0; 8192], 0, columns_start + 4096, 8192);
    let values = fill(
        [u16::MAX; 65536],
        0,
        columns_start + 4096 + 8192,
        PRODUCTS[size],
    );
    Products {
        columns,
        rows,
        values,
    }
}

/// The rank of a suit with five to seven cards.
pub(crate) static FLUSH: [u16; 8192] = fill([0; 8192], 0, 0, 8192);

pub(crate) static SLOTS5: Slots<1024, 16384> = slots(0);
pub(crate) static SLOTS6: Slots<2048, 32768> = slots(1);
pub(crate) static SLOTS7: Slots<4096, 65536> = slots(2);

#[cfg(feature = "std")]
pub(crate) static PRODUCTS5: Products = products(0);
#[cfg(feature = "std")]
pub(crate) static PRODUCTS6: Products = products(1);
#[cfg(feature = "std")]
pub(crate) static PRODUCTS7: Products = products(2);
