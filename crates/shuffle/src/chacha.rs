//! The ChaCha keystream in its original layout: 256-bit key, 64-bit counter, 64-bit stream number.
//!
//! Counter and stream are both free, so every use of randomness in the program gets its own pair, and no two uses get
//! the same words.

/// "expand 32-byte k", the constants of ChaCha as four little-endian words.
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Number of keystream blocks that [`four_blocks`] computes side by side.
const SIDE_BY_SIDE: usize = 4;

/// Four words: one of each of four blocks, or a row of one block. The compiler turns plain loops over them into vector
/// instructions.
type Word = [u32; SIDE_BY_SIDE];

#[inline(always)]
fn map(a: Word, b: Word, f: impl Fn(u32, u32) -> u32) -> Word {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// One word of each of four blocks, in a 128-bit register if the processor has one.
trait FourWords: Copy {
    fn splat(value: u32) -> Self;
    fn from_words(words: Word) -> Self;
    fn to_words(self) -> Word;
    fn add(self, other: Self) -> Self;
    /// Returns the exclusive or of both, rotated left by `L` bits; `R` is 32 - `L`.
    fn xor_rotate_left<const L: i32, const R: i32>(self, other: Self) -> Self;
}

impl FourWords for Word {
    #[inline(always)]
    fn splat(value: u32) -> Word {
        [value; SIDE_BY_SIDE]
    }
    #[inline(always)]
    fn from_words(words: Word) -> Word {
        words
    }
    #[inline(always)]
    fn to_words(self) -> Word {
        self
    }
    #[inline(always)]
    fn add(self, other: Word) -> Word {
        map(self, other, u32::wrapping_add)
    }
    #[inline(always)]
    fn xor_rotate_left<const L: i32, const R: i32>(self, other: Word) -> Word {
        map(self, other, |x, y| (x ^ y).rotate_left(L as u32))
    }
}

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::*;

    use super::{FourWords, Word};

    // SAFETY of every block below: every x86-64 processor has SSE2.
    impl FourWords for __m128i {
        #[inline(always)]
        fn splat(value: u32) -> __m128i {
            // SAFETY: every x86-64 processor has SSE2.
            unsafe { _mm_set1_epi32(value as i32) }
        }
        #[inline(always)]
        fn from_words([a, b, c, d]: Word) -> __m128i {
            // SAFETY: every x86-64 processor has SSE2.
            unsafe { _mm_set_epi32(d as i32, c as i32, b as i32, a as i32) }
        }
        #[inline(always)]
        fn to_words(self) -> Word {
            let mut words = [0; 4];
            // SAFETY: every x86-64 processor has SSE2; the array has the 16 bytes that are written.
            unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self) };
            words
        }
        #[inline(always)]
        fn add(self, other: __m128i) -> __m128i {
            // SAFETY: every x86-64 processor has SSE2.
            unsafe { _mm_add_epi32(self, other) }
        }
        #[inline(always)]
        fn xor_rotate_left<const L: i32, const R: i32>(self, other: __m128i) -> __m128i {
            // SAFETY: every x86-64 processor has SSE2.
            unsafe {
                let bits = _mm_xor_si128(self, other);
                _mm_or_si128(_mm_slli_epi32::<L>(bits), _mm_srli_epi32::<R>(bits))
            }
        }
    }
}

#[inline(always)]
fn quarter_round<F: FourWords>(s: &mut [F; 16], [a, b, c, d]: [usize; 4]) {
    s[a] = s[a].add(s[b]);
    s[d] = s[d].xor_rotate_left::<16, 16>(s[a]);
    s[c] = s[c].add(s[d]);
    s[b] = s[b].xor_rotate_left::<12, 20>(s[c]);
    s[a] = s[a].add(s[b]);
    s[d] = s[d].xor_rotate_left::<8, 24>(s[a]);
    s[c] = s[c].add(s[d]);
    s[b] = s[b].xor_rotate_left::<7, 25>(s[c]);
}

/// Mixes the columns of a state, then its diagonals, with the `quarter_round` in scope. It is a macro, so that the code
/// is compiled with the caller's processor features.
macro_rules! double_round {
    ($state:expr) => {
        quarter_round($state, [0, 4, 8, 12]);
        quarter_round($state, [1, 5, 9, 13]);
        quarter_round($state, [2, 6, 10, 14]);
        quarter_round($state, [3, 7, 11, 15]);
        quarter_round($state, [0, 5, 10, 15]);
        quarter_round($state, [1, 6, 11, 12]);
        quarter_round($state, [2, 7, 8, 13]);
        quarter_round($state, [3, 4, 9, 14]);
    };
}

/// Returns the state before the first round, except for the counter in words 12 and 13.
#[inline(always)]
fn start(key: &[u8; 32], stream: u64) -> [u32; 16] {
    let mut words = [0; 16];
    words[..4].copy_from_slice(&CONSTANTS);
    for (word, bytes) in words[4..12].iter_mut().zip(key.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    words[14] = stream as u32;
    words[15] = (stream >> 32) as u32;
    words
}

/// Returns the 64 bytes at `counter`, `counter + 1`, `+ 2` and `+ 3` of the stream, as little-endian u64.
///
/// `stream` is the 64-bit stream number: the use in its low half, the sub-stream in its high half.
pub(crate) fn four_blocks(
    key: &[u8; 32],
    rounds: u32,
    stream: u64,
    counter: u64,
) -> [[u64; 8]; SIDE_BY_SIDE] {
    #[cfg(target_arch = "x86_64")]
    return four_blocks_in::<std::arch::x86_64::__m128i>(key, rounds, stream, counter);
    #[cfg(not(target_arch = "x86_64"))]
    four_blocks_in::<Word>(key, rounds, stream, counter)
}

fn four_blocks_in<F: FourWords>(
    key: &[u8; 32],
    rounds: u32,
    stream: u64,
    counter: u64,
) -> [[u64; 8]; SIDE_BY_SIDE] {
    let mut initial = start(key, stream).map(F::splat);
    let counters: [u64; SIDE_BY_SIDE] = std::array::from_fn(|i| counter.wrapping_add(i as u64));
    initial[12] = F::from_words(counters.map(|counter| counter as u32));
    initial[13] = F::from_words(counters.map(|counter| (counter >> 32) as u32));

    let mut state = initial;
    for _ in 0..rounds / 2 {
        double_round!(&mut state);
    }
    let mut blocks = [[0; 8]; SIDE_BY_SIDE];
    for pair in 0..8 {
        let half = |w: usize| state[w].add(initial[w]).to_words();
        let (low, high) = (half(2 * pair), half(2 * pair + 1));
        for (block, (low, high)) in blocks.iter_mut().zip(low.into_iter().zip(high)) {
            block[pair] = u64::from(low) | u64::from(high) << 32;
        }
    }
    blocks
}

/// Number of keystream blocks that [`eight_blocks`] computes.
pub(crate) const EIGHT: usize = 8;

/// Returns the 64 bytes at `counter` and the seven counters after it, as little-endian u64. Computes eight blocks side
/// by side if the processor has registers of eight words, else four and four.
pub(crate) fn eight_blocks(
    key: &[u8; 32],
    rounds: u32,
    stream: u64,
    counter: u64,
) -> [[u64; 8]; EIGHT] {
    #[cfg(target_arch = "x86_64")]
    match cpu::CpuPath::best() {
        // SAFETY: the best path is one that the processor has.
        cpu::CpuPath::Avx512 => return unsafe { wide::with_avx512(key, rounds, stream, counter) },
        // SAFETY: the best path is one that the processor has.
        cpu::CpuPath::Avx2 => return unsafe { wide::with_avx2(key, rounds, stream, counter) },
        _ => (),
    }
    let mut blocks = [[0; 8]; EIGHT];
    for (i, blocks) in blocks.chunks_exact_mut(SIDE_BY_SIDE).enumerate() {
        let counter = counter.wrapping_add((i * SIDE_BY_SIDE) as u64);
        blocks.copy_from_slice(&four_blocks(key, rounds, stream, counter));
    }
    blocks
}

/// Writes the first eight bytes at `counter` and at each counter after it, as little-endian u64: the first words of the
/// blocks of [`eight_blocks`]. Faster, because no other words are transposed.
pub(crate) fn first_words(
    key: &[u8; 32],
    rounds: u32,
    stream: u64,
    mut counter: u64,
    words: &mut [u64],
) {
    for words in words.chunks_mut(EIGHT) {
        let eight = eight_first_words(key, rounds, stream, counter);
        words.copy_from_slice(&eight[..words.len()]);
        counter = counter.wrapping_add(EIGHT as u64);
    }
}

fn eight_first_words(key: &[u8; 32], rounds: u32, stream: u64, counter: u64) -> [u64; EIGHT] {
    #[cfg(target_arch = "x86_64")]
    match cpu::CpuPath::best() {
        cpu::CpuPath::Avx512 => {
            // SAFETY: the best path is one that the processor has.
            return unsafe { wide::firsts_avx512(key, rounds, stream, counter) };
        }
        // SAFETY: the best path is one that the processor has.
        cpu::CpuPath::Avx2 => return unsafe { wide::firsts_avx2(key, rounds, stream, counter) },
        _ => (),
    }
    eight_blocks(key, rounds, stream, counter).map(|block| block[0])
}

#[cfg(target_arch = "x86_64")]
mod wide {
    //! Plain loops over eight words, compiled for processors on which they are single instructions. Closures would not
    //! be compiled with these features, and iterators are not always vectorised.
    #![expect(clippy::needless_range_loop)]

    use super::{EIGHT, start};

    type Wide = [u32; EIGHT];

    #[target_feature(enable = "avx2")]
    pub(super) fn with_avx2(
        key: &[u8; 32],
        rounds: u32,
        stream: u64,
        counter: u64,
    ) -> [[u64; 8]; EIGHT] {
        blocks(key, rounds, stream, counter)
    }

    /// Computes the blocks like [`with_avx2`], with a rotate instruction.
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(super) fn with_avx512(
        key: &[u8; 32],
        rounds: u32,
        stream: u64,
        counter: u64,
    ) -> [[u64; 8]; EIGHT] {
        blocks(key, rounds, stream, counter)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn firsts_avx2(
        key: &[u8; 32],
        rounds: u32,
        stream: u64,
        counter: u64,
    ) -> [u64; EIGHT] {
        firsts(key, rounds, stream, counter)
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    pub(super) fn firsts_avx512(
        key: &[u8; 32],
        rounds: u32,
        stream: u64,
        counter: u64,
    ) -> [u64; EIGHT] {
        firsts(key, rounds, stream, counter)
    }

    /// Computes `s[a] += s[b]`, then `s[d] = (s[d] ^ s[a])` rotated left by `L` bits.
    #[inline(always)]
    fn mix<const L: u32>(s: &mut [Wide; 16], a: usize, b: usize, d: usize) {
        for i in 0..EIGHT {
            s[a][i] = s[a][i].wrapping_add(s[b][i]);
        }
        for i in 0..EIGHT {
            s[d][i] = (s[d][i] ^ s[a][i]).rotate_left(L);
        }
    }

    #[inline(always)]
    fn quarter_round(s: &mut [Wide; 16], [a, b, c, d]: [usize; 4]) {
        mix::<16>(s, a, b, d);
        mix::<12>(s, c, d, b);
        mix::<8>(s, a, b, d);
        mix::<7>(s, c, d, b);
    }

    /// Returns the words of eight blocks, grouped by position.
    #[inline(always)]
    fn mixed(key: &[u8; 32], rounds: u32, stream: u64, counter: u64) -> [Wide; 16] {
        let mut initial = [[0; EIGHT]; 16];
        for (word, same) in initial.iter_mut().zip(start(key, stream)) {
            *word = [same; EIGHT];
        }
        for i in 0..EIGHT {
            let counter = counter.wrapping_add(i as u64);
            initial[12][i] = counter as u32;
            initial[13][i] = (counter >> 32) as u32;
        }
        let mut state = initial;
        for _ in 0..rounds / 2 {
            double_round!(&mut state);
        }
        for (word, initial) in state.iter_mut().zip(&initial) {
            for i in 0..EIGHT {
                word[i] = word[i].wrapping_add(initial[i]);
            }
        }
        state
    }

    #[inline(always)]
    pub(super) fn firsts(key: &[u8; 32], rounds: u32, stream: u64, counter: u64) -> [u64; EIGHT] {
        let [low, high, ..] = mixed(key, rounds, stream, counter);
        let mut words = [0; EIGHT];
        for i in 0..EIGHT {
            words[i] = u64::from(low[i]) | u64::from(high[i]) << 32;
        }
        words
    }

    #[inline(always)]
    pub(super) fn blocks(
        key: &[u8; 32],
        rounds: u32,
        stream: u64,
        counter: u64,
    ) -> [[u64; 8]; EIGHT] {
        let state = mixed(key, rounds, stream, counter);
        let mut blocks = [[0; 8]; EIGHT];
        for (i, block) in blocks.iter_mut().enumerate() {
            for (pair, word) in block.iter_mut().enumerate() {
                *word = u64::from(state[2 * pair][i]) | u64::from(state[2 * pair + 1][i]) << 32;
            }
        }
        blocks
    }
}

/// Returns the 64 bytes at `counter` of the stream, as eight little-endian u64.
///
/// The four columns of the state are mixed side by side; rotating the rows turns the diagonals into columns.
pub(crate) fn one_block(key: &[u8; 32], rounds: u32, stream: u64, counter: u64) -> [u64; 8] {
    let key_word =
        |i: usize| u32::from_le_bytes([key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]]);
    let initial = [
        CONSTANTS,
        std::array::from_fn(key_word),
        std::array::from_fn(|i| key_word(i + 4)),
        [
            counter as u32,
            (counter >> 32) as u32,
            stream as u32,
            (stream >> 32) as u32,
        ],
    ];
    let mut rows = initial;
    for _ in 0..rounds / 2 {
        mix_columns(&mut rows);
        rows = [
            rows[0],
            rotated::<1>(rows[1]),
            rotated::<2>(rows[2]),
            rotated::<3>(rows[3]),
        ];
        mix_columns(&mut rows);
        rows = [
            rows[0],
            rotated::<3>(rows[1]),
            rotated::<2>(rows[2]),
            rotated::<1>(rows[3]),
        ];
    }
    std::array::from_fn(|i| {
        let half = |w: usize| u64::from(rows[w / 4][w % 4].wrapping_add(initial[w / 4][w % 4]));
        half(2 * i) | half(2 * i + 1) << 32
    })
}

/// Returns the row rotated so that word `N` is first.
#[inline(always)]
fn rotated<const N: usize>(row: Word) -> Word {
    std::array::from_fn(|i| row[(i + N) % SIDE_BY_SIDE])
}

#[inline(always)]
fn mix_columns(rows: &mut [Word; 4]) {
    half_mix::<16, 12>(rows);
    half_mix::<8, 7>(rows);
}

#[inline(always)]
fn half_mix<const D: u32, const B: u32>(rows: &mut [Word; 4]) {
    rows[0] = map(rows[0], rows[1], u32::wrapping_add);
    rows[3] = map(rows[3], rows[0], |x, y| (x ^ y).rotate_left(D));
    rows[2] = map(rows[2], rows[3], u32::wrapping_add);
    rows[1] = map(rows[1], rows[2], |x, y| (x ^ y).rotate_left(B));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_zero_input_gives_the_published_first_bytes() {
        for (rounds, expected) in [
            (8, 0x3e00_ef2f_895f_40d6_u64),
            (12, 0x9bf4_9a6a_0755_f953),
            (20, 0x76b8_e0ad_a0f1_3d90),
        ] {
            assert_eq!(
                one_block(&[0; 32], rounds, 0, 0)[0],
                expected.swap_bytes(),
                "{rounds} rounds"
            );
        }
    }

    #[test]
    fn blocks_side_by_side_are_the_blocks_one_by_one() {
        let key = std::array::from_fn(|i| i as u8);
        for counter in [0, 7, u64::from(u32::MAX) - 1, u64::MAX - 1] {
            let four = four_blocks(&key, 8, 5 << 32 | 1, counter);
            assert_eq!(four, four_blocks_in::<Word>(&key, 8, 5 << 32 | 1, counter));
            let eight = eight_blocks(&key, 8, 5 << 32 | 1, counter);
            assert_eq!(eight[..4], four);
            let next = counter.wrapping_add(4);
            assert_eq!(eight[4..], four_blocks(&key, 8, 5 << 32 | 1, next));
            #[cfg(target_arch = "x86_64")]
            {
                assert_eq!(eight, wide::blocks(&key, 8, 5 << 32 | 1, counter));
                let firsts = wide::firsts(&key, 8, 5 << 32 | 1, counter);
                assert_eq!(firsts, eight.map(|block| block[0]));
            }
            for (i, block) in four.iter().enumerate() {
                assert_eq!(
                    *block,
                    one_block(&key, 8, 5 << 32 | 1, counter.wrapping_add(i as u64))
                );
            }
        }
    }

    #[test]
    fn first_words_are_those_of_the_blocks() {
        let key = std::array::from_fn(|i| 3 * i as u8);
        for counter in [0, 5, u64::from(u32::MAX) - 20, u64::MAX - 30] {
            for count in [0, 1, 7, 8, 9, 70] {
                let mut words = vec![0; count];
                first_words(&key, 8, 4, counter, &mut words);
                for (i, &word) in words.iter().enumerate() {
                    let counter = counter.wrapping_add(i as u64);
                    assert_eq!(word, one_block(&key, 8, 4, counter)[0]);
                }
            }
        }
    }
}
