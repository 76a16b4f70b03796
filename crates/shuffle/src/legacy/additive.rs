//! The additive feedback generator of the C library: r(n) = r(n-3) + r(n-31) mod 2^32.

/// Number of words of the state.
const DEGREE: usize = 31;
/// Distance of the nearer word in the recurrence.
const NEAR: usize = 3;
/// Steps that are discarded after seeding.
const DISCARDED: usize = 310;

/// The version of the generator. The versions differ in seeding and in the bits they use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Debian's dealer 20211121, which uses the C library's `rand()`.
    Debian,
    /// The upstream release with its own copy of the generator: dealer.exe, `dealer3 --legacy`.
    Upstream,
}

/// Words generated at a time, so that the recurrence runs over plain memory.
const BATCH: usize = 8 * DEGREE;

/// The generator: 31 words of history, then words generated ahead, of which `next` is the next to be used. The 31 words
/// before `next` are always the state of the recurrence.
#[derive(Clone, Debug)]
pub(super) struct Additive {
    words: [u32; DEGREE + BATCH],
    next: usize,
}

impl Additive {
    /// Creates the generator; only the low 32 bits of the seed count.
    pub(super) fn new(variant: Variant, seed: i64) -> Self {
        let first = match (variant, seed as u32) {
            (Variant::Debian, 0) => 1,
            (_, seed) => seed,
        };
        let mut table = [first; DEGREE];
        for i in 1..DEGREE {
            table[i] = match variant {
                Variant::Debian => minimal_standard(table[i - 1]),
                Variant::Upstream => table[i - 1].wrapping_mul(1_103_515_145).wrapping_add(12345),
            };
        }
        // The program's first step adds word 0 to word 3: word 3 is the oldest, word 2 the newest.
        table.rotate_left(NEAR);
        let mut generator = Additive::after(table);
        for _ in 0..DISCARDED {
            generator.step();
        }
        generator
    }

    /// Creates the generator that continues after these words, oldest first.
    fn after(history: [u32; DEGREE]) -> Self {
        let mut words = [0; DEGREE + BATCH];
        words[BATCH..].copy_from_slice(&history);
        Additive {
            words,
            next: DEGREE + BATCH,
        }
    }

    /// Returns the next word of the recurrence, all 32 bits.
    #[inline]
    pub(super) fn step(&mut self) -> u32 {
        if self.next == self.words.len() {
            self.refill();
        }
        self.next += 1;
        self.words[self.next - 1]
    }

    fn refill(&mut self) {
        // Keep the state and the unused words at the front.
        let kept = self.words.len() - (self.next - DEGREE);
        self.words.copy_within(self.next - DEGREE.., 0);
        // The three words before are kept in registers: reading back words that were just written would take longer.
        let mut before: [u32; NEAR] = std::array::from_fn(|i| self.words[kept - NEAR + i]);
        let mut i = kept;
        while i + NEAR <= DEGREE + BATCH {
            for (k, word) in before.iter_mut().enumerate() {
                *word = word.wrapping_add(self.words[i + k - DEGREE]);
                self.words[i + k] = *word;
            }
            i += NEAR;
        }
        for i in i..DEGREE + BATCH {
            self.words[i] = self.words[i - DEGREE].wrapping_add(self.words[i - NEAR]);
        }
        self.next = DEGREE;
    }

    /// Returns the next `N` words without using them.
    #[inline]
    pub(super) fn peek<const N: usize>(&mut self) -> &[u32; N] {
        const { assert!(N <= BATCH) };
        if self.words.len() - self.next < N {
            self.refill();
        }
        match self.words[self.next..].first_chunk() {
            Some(words) => words,
            None => unreachable!("there are {BATCH} words after a refill"),
        }
    }

    /// Uses the next `count` words.
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        self.next += count;
    }

    /// Returns the generator after a jump, without computing the words between.
    pub(super) fn jump(&self, jump: &Jump) -> Self {
        // The 31 words of the state and the 30 after them: each word of the new state is a combination of 31 adjacent
        // ones.
        let mut run = self.clone();
        let mut window = [0u32; 2 * DEGREE - 1];
        window[..DEGREE].copy_from_slice(&self.words[self.next - DEGREE..self.next]);
        for word in &mut window[DEGREE..] {
            *word = run.step();
        }
        Additive::after(std::array::from_fn(|i| jump.0.combine(&window[i..])))
    }
}

/// A jump of the generator by a fixed number of steps: word r(n + N) is the combination of 31 consecutive words with
/// the coefficients of x^N mod (x^31 - x^28 - 1), which are computed once.
#[derive(Clone, Debug)]
pub(super) struct Jump(Polynomial);

impl Jump {
    pub(super) fn new(steps: u64) -> Self {
        Jump(Polynomial::power_of_x(steps))
    }
}

/// Computes 16807 * w mod 2^31-1 by Schrage's method in signed arithmetic, which gives seeds from 2^31 up the C
/// library's values.
fn minimal_standard(word: u32) -> u32 {
    let word = i64::from(word as i32);
    let next = 16807 * (word % 127_773) - 2836 * (word / 127_773);
    (if next < 0 { next + 2_147_483_647 } else { next }) as u32
}

/// A polynomial of degree below 31 with coefficients mod 2^32.
#[derive(Clone, Copy, Debug)]
struct Polynomial([u32; DEGREE]);

impl Polynomial {
    /// Computes x^n mod (x^31 - x^28 - 1), by squaring.
    fn power_of_x(n: u64) -> Self {
        let mut power = Polynomial([0; DEGREE]);
        power.0[0] = 1;
        for bit in (0..u64::BITS - n.leading_zeros()).rev() {
            power = power.times(&power);
            if n >> bit & 1 == 1 {
                power = power.times_x();
            }
        }
        power
    }

    fn times_x(mut self) -> Self {
        self.0.rotate_right(1);
        // x^31 = x^28 + 1: the coefficient that was rotated from the top to index 0 is also added at index 28.
        self.0[DEGREE - NEAR] = self.0[DEGREE - NEAR].wrapping_add(self.0[0]);
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = [0u32; 2 * DEGREE - 1];
        for (i, &a) in self.0.iter().enumerate() {
            for (j, &b) in other.0.iter().enumerate() {
                product[i + j] = product[i + j].wrapping_add(a.wrapping_mul(b));
            }
        }
        for i in (DEGREE..product.len()).rev() {
            let high = product[i];
            product[i - NEAR] = product[i - NEAR].wrapping_add(high);
            product[i - DEGREE] = product[i - DEGREE].wrapping_add(high);
        }
        Polynomial(std::array::from_fn(|i| product[i]))
    }

    fn combine(&self, words: &[u32]) -> u32 {
        self.0
            .iter()
            .zip(words)
            .fold(0u32, |sum, (&c, &w)| sum.wrapping_add(c.wrapping_mul(w)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_one_gives_the_c_librarys_numbers() {
        let mut generator = Additive::new(Variant::Debian, 1);
        let outputs: Vec<u32> = (0..6).map(|_| generator.step() >> 1).collect();
        assert_eq!(
            outputs,
            [
                1804289383, 846930886, 1681692777, 1714636915, 1957747793, 424238335
            ]
        );
    }

    /// The millionth and the thousand-millionth output; the latter is only reached by jumping.
    #[test]
    fn far_outputs_are_reached_by_jumping() {
        let start = Additive::new(Variant::Debian, 1);
        assert_eq!(start.jump(&Jump::new(999_999)).step() >> 1, 429357853);
        assert_eq!(start.jump(&Jump::new(999_999_999)).step() >> 1, 999576363);
    }

    #[test]
    fn peeked_words_are_the_next_words() {
        let mut ahead = Additive::new(Variant::Debian, 5);
        let mut steps = ahead.clone();
        for used in [0, 1, 52, 51, 7, 52, 52, 30, 52, 52, 52, 0, 52, 52, 44] {
            let peek = *ahead.peek::<52>();
            ahead.skip(used);
            assert!(peek[..used].iter().all(|&word| word == steps.step()));
        }
        assert_eq!(ahead.step(), steps.step());
        assert_eq!(
            ahead.jump(&Jump::new(100)).step(),
            steps.jump(&Jump::new(100)).step()
        );
    }

    #[test]
    fn a_jump_equals_single_steps() {
        for variant in [Variant::Debian, Variant::Upstream] {
            let start = Additive::new(variant, -77);
            let mut walked = start.clone();
            for steps in 0..200 {
                let (mut jumped, mut here) = (start.jump(&Jump::new(steps)), walked.clone());
                assert!(
                    (0..70).all(|_| jumped.step() == here.step()),
                    "{steps} steps"
                );
                walked.step();
            }
        }
    }
}
