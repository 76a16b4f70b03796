//! The 48-bit linear congruential generator of the C library's `drand48` family.

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const INCREMENT: u64 = 0xB;
const MASK: u64 = (1 << 48) - 1;

/// The generator: 48 bits of state, advanced before use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Congruential {
    state: u64,
}

impl Congruential {
    pub(super) fn from_state(state: u64) -> Self {
        Congruential {
            state: state & MASK,
        }
    }

    pub(super) fn state(self) -> u64 {
        self.state
    }

    /// Advances the generator and returns the new state.
    #[inline]
    pub(super) fn step(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        self.state
    }

    /// Draws a number below `bound` (at most 52), as the program computes it in double precision.
    #[cfg(test)]
    fn below(&mut self, bound: u32) -> usize {
        scale(self.step(), bound)
    }

    /// Draws a number scaled to any bound in double precision, truncated toward zero.
    pub(super) fn scaled(&mut self, bound: i64) -> i64 {
        let unit = self.step() as f64 / (1u64 << 48) as f64;
        (unit * bound as f64) as i64
    }

    /// Returns the generator advanced by `steps` steps.
    pub(super) fn ahead(self, steps: u64) -> Self {
        let (mut multiplier, mut increment) = (MULTIPLIER, INCREMENT);
        let (mut state, mut steps) = (self.state, steps);
        while steps > 0 {
            if steps & 1 == 1 {
                state = state.wrapping_mul(multiplier).wrapping_add(increment) & MASK;
            }
            increment = increment.wrapping_mul(multiplier.wrapping_add(1)) & MASK;
            multiplier = multiplier.wrapping_mul(multiplier) & MASK;
            steps >>= 1;
        }
        Congruential { state }
    }

    /// Shuffles by Fisher-Yates from the top, with `len - 1` draws.
    ///
    /// Each state depends on a multiplication of the one before, so four chains of every fourth state run side by side.
    #[inline]
    pub(super) fn shuffle(&mut self, cards: &mut [u8]) {
        const CHAINS: usize = 4;
        const FOUR_STEPS: (u64, u64) = steps(CHAINS as u64);
        let mut next = *self;
        let mut chains: [u64; CHAINS] = std::array::from_fn(|_| next.step());
        for (drawn, i) in (1..cards.len()).rev().enumerate() {
            let chain = &mut chains[drawn % CHAINS];
            self.state = *chain;
            cards.swap(i, scale(self.state, i as u32 + 1));
            *chain = chain.wrapping_mul(FOUR_STEPS.0).wrapping_add(FOUR_STEPS.1) & MASK;
        }
    }
}

/// Computes X * bound / 2^48 as the program does in double precision, for a bound of at most 52.
///
/// The program rounds the product once, to 53 bits. Only products within half a unit of the next integer change by
/// that, and adding one to the product changes exactly these.
#[inline]
fn scale(state: u64, bound: u32) -> usize {
    let product = state * u64::from(bound);
    ((product + u64::from(product >= 1 << 53)) >> 48) as usize
}

/// Returns multiplier and increment of `count` steps at once.
const fn steps(count: u64) -> (u64, u64) {
    let (mut multiplier, mut increment) = (1u64, 0u64);
    let mut i = 0;
    while i < count {
        multiplier = multiplier.wrapping_mul(MULTIPLIER) & MASK;
        increment = increment.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        i += 1;
    }
    (multiplier, increment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_states_of_seed_one() {
        let mut generator = Congruential::from_state(0x1330E);
        let states: Vec<u64> = (0..4).map(|_| generator.step()).collect();
        assert_eq!(
            states,
            [
                0x0AA849495101,
                0x74599DEA6378,
                0xD5B694CA2A23,
                0x56032E3362F2
            ]
        );
    }

    #[test]
    fn jumps_have_the_published_coefficients() {
        for (steps, multiplier, increment) in [
            (1, 0x0005DEECE66D_u64, 0x00000000000B_u64),
            (2, 0xBB20B4600A69, 0x0040942DE6BA),
            (12, 0x199C3838D031, 0xD4CF89E2CFCC),
            (51, 0xB265EAF77A75, 0xB3A2C76F99AD),
            (102, 0xAF6D6C59B979, 0xBA79849847BE),
            (51_000, 0xB4FE6D7DE9E1, 0xA77022652FF8),
            (51_000_000, 0xC064482C4301, 0xC3090A65CCC0),
        ] {
            assert_eq!(
                Congruential::from_state(0).ahead(steps).state(),
                increment,
                "{steps}"
            );
            let one = Congruential::from_state(1).ahead(steps).state();
            assert_eq!(one.wrapping_sub(increment) & MASK, multiplier, "{steps}");
        }
    }

    fn in_doubles(state: u64, bound: u32) -> usize {
        (state as f64 / (1u64 << 48) as f64 * f64::from(bound)) as usize
    }

    /// Returns the generator whose next state is `state`.
    fn before(state: u64) -> Congruential {
        // Newton's iteration for the inverse of the odd multiplier mod 2^48.
        let mut inverse = MULTIPLIER;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(MULTIPLIER.wrapping_mul(inverse)));
        }
        Congruential::from_state(state.wrapping_sub(INCREMENT).wrapping_mul(inverse))
    }

    /// The three states for which the plain integer product would be one too low.
    #[test]
    fn rounding_of_doubles_is_reproduced() {
        for (bound, state, expected) in [
            (41, 0xE7063E7063E7, 37),
            (43, 0xF417D05F417D, 41),
            (49, 0xBC14E5E0A72F, 36),
        ] {
            assert_eq!(in_doubles(state, bound), expected);
            assert_eq!(before(state).below(bound), expected);
        }
    }

    proptest! {
        #[test]
        fn draws_equal_those_in_doubles(state in 0..=MASK, bound in 1u32..=52) {
            prop_assert_eq!(before(state).below(bound), in_doubles(state, bound));
        }

        /// States next to a multiple of 1/bound, where rounding could matter.
        #[test]
        fn draws_at_the_borders_equal_those_in_doubles(bound in 1u32..=52, part in 0u64..52, off in 0u64..5) {
            let border = (part % u64::from(bound)) * (1 << 48) / u64::from(bound);
            let state = (border + off).wrapping_sub(2) & MASK;
            prop_assert_eq!(before(state).below(bound), in_doubles(state, bound));
        }

        #[test]
        fn jumping_is_stepping(state in 0..=MASK, steps in 0u64..500) {
            let mut walked = Congruential::from_state(state);
            (0..steps).for_each(|_| { walked.step(); });
            prop_assert_eq!(Congruential::from_state(state).ahead(steps), walked);
        }
    }
}
