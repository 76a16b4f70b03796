//! Mutation of inputs, reproducible by a seed.

/// Maximum length of an input. Longer ones reach no new code and take long.
const LONGEST: usize = 1 << 15;

/// Numbers at the limits of integer types.
const EDGES: &[&str] = &[
    "0",
    "1",
    "-1",
    "13",
    "14",
    "52",
    "53",
    "127",
    "128",
    "255",
    "256",
    "1023",
    "1024",
    "1025",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e308",
    "1e-400",
    "0.5",
    "00000000000000000001",
];

/// Bytes with a meaning in some notation.
const SPECIAL_BYTES: &[u8] =
    b"\0\n\r\t\x0b\x0c\x1a\x7f\x80\xc3\xff \"'`\\/|,.:;#%$@!?&^~+-*<>=()[]{}_0123456789AKQJTxXnesw";

/// Makes new inputs from existing ones.
pub struct Mutator {
    state: u64,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    /// Creates a mutator. Equal seeds give equal inputs.
    #[must_use]
    pub fn new(seed: u64, words: &[String]) -> Mutator {
        Mutator {
            state: seed.wrapping_mul(2).wrapping_add(1),
            words: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
        }
    }

    /// Returns a number below `limit` (0 if that is 0): SplitMix64, by Steele, Lea and Flood.
    pub fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ word >> 31) % limit.max(1) as u64) as usize
    }

    /// Returns a mutated copy of one of the inputs.
    pub fn next(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = inputs[self.below(inputs.len())].clone();
        // Mostly one or two mutations, because heavily damaged inputs are rejected early.
        for _ in 0..=[0, 0, 0, 1, 1, 2, 5][self.below(7)] {
            self.damage(&mut bytes, inputs);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn damage(&mut self, bytes: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let at = self.below(bytes.len() + 1);
        match self.below(14) {
            0 => {
                let end = (at + 1 + self.below(16)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            1 if at < bytes.len() => bytes[at] = SPECIAL_BYTES[self.below(SPECIAL_BYTES.len())],
            2 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            3 => bytes.insert(at, SPECIAL_BYTES[self.below(SPECIAL_BYTES.len())]),
            4 | 5 if !self.words.is_empty() => {
                let chosen = self.below(self.words.len());
                let word = self.words[chosen].clone();
                bytes.splice(at..at, word);
            }
            6 | 7 if !self.words.is_empty() => {
                let chosen = self.below(self.words.len());
                let word = self.words[chosen].clone();
                bytes.splice(word_around(bytes, at), word);
            }
            8 => {
                let other = &inputs[self.below(inputs.len())];
                let from = self.below(other.len() + 1);
                let to = (from + self.below(60)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            9 => {
                let end = (at + self.below(40)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = self.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            10 => {
                let edge = EDGES[self.below(EDGES.len())];
                let place = number_after(bytes, at).unwrap_or(at..at);
                bytes.splice(place, edge.bytes());
            }
            11 => bytes.truncate(at),
            12 => self.repeat(bytes, at),
            _ => {
                // Exchange two lines.
                let mut lines: Vec<Vec<u8>> =
                    bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
                let (a, b) = (self.below(lines.len()), self.below(lines.len()));
                lines.swap(a, b);
                *bytes = lines.join(&b'\n');
            }
        }
    }

    /// Repeats a span many times, for constructs that nest or grow.
    fn repeat(&mut self, bytes: &mut Vec<u8>, at: usize) {
        let end = (at + 1 + self.below(6)).min(bytes.len());
        let piece = bytes[at.min(end)..end].to_vec();
        let times = [3, 20, 150, 1200][self.below(4)].min(LONGEST / piece.len().max(1));
        let many: Vec<u8> = piece
            .iter()
            .copied()
            .cycle()
            .take(piece.len() * times)
            .collect();
        bytes.splice(at..at, many);
    }
}

/// Returns the range of letters and digits around a position.
fn word_around(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let inner = |&&byte: &&u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let before = bytes[..at].iter().rev().take_while(inner).count();
    let after = bytes[at..].iter().take_while(inner).count();
    at - before..at + after
}

/// Returns the first number at or after a position.
fn number_after(bytes: &[u8], at: usize) -> Option<std::ops::Range<usize>> {
    let start = at + bytes[at..].iter().position(u8::is_ascii_digit)?;
    let length = bytes[start..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_make_equal_inputs() {
        let inputs = [
            b"condition hcp(north) > 12\n".to_vec(),
            b"produce 40".to_vec(),
        ];
        let words = ["shape(".to_owned()];
        let many = |seed| {
            let mut mutator = Mutator::new(seed, &words);
            (0..500).map(|_| mutator.next(&inputs)).collect::<Vec<_>>()
        };
        assert_eq!(many(1), many(1));
        assert_ne!(many(1), many(2));
        assert!(many(1).iter().any(|input| input.starts_with(b"condition")));
        assert!(many(3).iter().all(|input| input.len() <= LONGEST));
    }
}
