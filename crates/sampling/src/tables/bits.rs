//! A set of small numbers as an array of bits.

/// A fixed number of bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bits {
    words: Box<[u64]>,
    len: usize,
}

impl Bits {
    pub(crate) fn filled(len: usize, truth: bool) -> Bits {
        let mut bits = Bits {
            words: vec![if truth { u64::MAX } else { 0 }; len.div_ceil(64)].into(),
            len,
        };
        bits.trim();
        bits
    }

    pub(crate) fn from_fn(len: usize, mut truth: impl FnMut(usize) -> bool) -> Bits {
        let mut bits = Bits::filled(len, false);
        for i in 0..len {
            bits.words[i / 64] |= u64::from(truth(i)) << (i % 64);
        }
        bits
    }

    fn trim(&mut self) {
        if let (Some(last), used @ 1..) = (self.words.last_mut(), self.len % 64) {
            *last &= (1 << used) - 1;
        }
    }

    pub(crate) fn get(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    pub(crate) fn any(&self) -> bool {
        self.words.iter().any(|&word| word != 0)
    }

    pub(crate) fn and(&mut self, other: &Bits) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    pub(crate) fn or(&mut self, other: &Bits) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    pub(crate) fn invert(&mut self) {
        for word in &mut self.words {
            *word = !*word;
        }
        self.trim();
    }
}
