//! Keys: the 256 bits from which every random choice of a run follows.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// The secret or seed of a run. Deal number *i* of a key is always the same.
///
/// A numeric seed is a short key: its eight bytes, then zeros. Use it for simulations that must be repeatable. For
/// deals of an event, take all 256 bits from the operating system.
///
/// ```
/// use croupier_shuffle::Key;
///
/// let seed: Key = "42".parse()?;
/// assert_eq!(seed, Key::from_seed(42));
/// let key: Key = "key:2a00ff".parse()?;
/// assert_eq!(key.bytes()[..4], [0x2a, 0x00, 0xff, 0]);
/// // The printed form of a key repeats the run.
/// assert_eq!(key.to_string().parse::<Key>()?, key);
/// # Ok::<(), croupier_shuffle::KeyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key([u8; 32]);

impl Key {
    /// Creates a key from its bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Key(bytes)
    }

    /// Creates the key of a numeric seed.
    #[must_use]
    pub const fn from_seed(seed: u64) -> Self {
        let short = seed.to_le_bytes();
        let mut bytes = [0; 32];
        let mut i = 0;
        while i < short.len() {
            bytes[i] = short[i];
            i += 1;
        }
        Key(bytes)
    }

    /// Creates the key of a seed that may be negative: its two's complement.
    #[must_use]
    pub const fn from_i64(seed: i64) -> Self {
        Key::from_seed(seed as u64)
    }

    /// Returns a fresh key of 256 bits from the operating system's generator.
    pub fn from_os() -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| KeyError::NoEntropy(error.to_string()))?;
        Ok(Key(bytes))
    }

    /// Returns the 32 bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the seed if the key is numeric (all bytes after the eighth are zero).
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        let (short, rest) = self.0.split_first_chunk::<8>()?;
        rest.iter()
            .all(|&byte| byte == 0)
            .then(|| u64::from_le_bytes(*short))
    }

    /// Returns all 32 bytes as 64 hexadecimal digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }

    /// Returns the SHA-256 hash of the 32 bytes in hexadecimal. Publish it before the event and the key after it; then
    /// everyone can check that the key was not chosen after the boards were known.
    ///
    /// ```
    /// use croupier_shuffle::Key;
    /// assert_eq!(
    ///     Key::from_seed(0).commitment(),
    ///     "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    /// );
    /// ```
    #[must_use]
    pub fn commitment(&self) -> String {
        hex(&Sha256::digest(self.0))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A numeric seed as the number, any other key as `key:` and 64 hexadecimal digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seed() {
            Some(seed) => write!(f, "{seed}"),
            None => write!(f, "key:{}", self.to_hex()),
        }
    }
}

/// Reads a number (-2^63 .. 2^64-1) or `key:` with 2 to 64 hexadecimal digits.
impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        if let Some(digits) = text.strip_prefix("key:") {
            return parse_hex(digits);
        }
        let number: i128 = text
            .parse()
            .map_err(|_| KeyError::NotANumber(text.to_owned()))?;
        if let Ok(seed) = u64::try_from(number) {
            Ok(Key::from_seed(seed))
        } else if let Ok(seed) = i64::try_from(number) {
            Ok(Key::from_i64(seed))
        } else {
            Err(KeyError::OutOfRange(text.to_owned()))
        }
    }
}

fn parse_hex(digits: &str) -> Result<Key, KeyError> {
    let wrong = || KeyError::BadHex(digits.to_owned());
    let ascii = digits.as_bytes();
    if ascii.is_empty() || ascii.len() > 64 || !ascii.len().is_multiple_of(2) {
        return Err(wrong());
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(ascii.chunks_exact(2)) {
        let digit = |c: u8| (c as char).to_digit(16).ok_or_else(wrong);
        *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
    }
    Ok(Key(bytes))
}

/// The reason why a text is not a key, or why no key could be created.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum KeyError {
    /// Neither a number nor `key:...`.
    NotANumber(String),
    /// A number outside -2^63 .. 2^64-1.
    OutOfRange(String),
    /// The text after `key:` is not an even number (2 to 64) of hexadecimal digits.
    BadHex(String),
    /// The operating system gave no random bytes.
    NoEntropy(String),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyError::NotANumber(text) => {
                write!(
                    f,
                    "seed {text:?}: expected a whole number or \"key:\" with hexadecimal digits"
                )
            }
            KeyError::OutOfRange(text) => write!(
                f,
                "seed {text}: must be between -9223372036854775808 and 18446744073709551615; \
                 for more bits use \"key:\" with up to 64 hexadecimal digits"
            ),
            KeyError::BadHex(text) => {
                write!(
                    f,
                    "key \"{text}\": expected an even number, 2 to 64, of hexadecimal digits after \"key:\""
                )
            }
            KeyError::NoEntropy(reason) => {
                write!(
                    f,
                    "the operating system gave no random bytes ({reason}); give a seed instead"
                )
            }
        }
    }
}

impl std::error::Error for KeyError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_seed_is_its_twos_complement() {
        assert_eq!("-1".parse(), Ok(Key::from_seed(u64::MAX)));
        assert_eq!("-9223372036854775808".parse(), Ok(Key::from_seed(1 << 63)));
        assert_eq!("18446744073709551615".parse(), Ok(Key::from_seed(u64::MAX)));
    }

    #[test]
    fn a_full_key_prints_with_all_digits_and_a_short_one_as_its_number() {
        let text = "key:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
        assert_eq!(
            text.parse::<Key>().map(|key| key.to_string()),
            Ok(text.to_owned())
        );
        assert_eq!(
            "key:0100".parse::<Key>().map(|key| key.to_string()),
            Ok("1".to_owned())
        );
    }

    #[test]
    fn bad_keys_are_errors_with_a_correction() {
        for text in [
            "", "one", "1.5", "0x10", "key", "key:", "key:1", "key:zz", "key:é",
        ] {
            assert!(text.parse::<Key>().is_err(), "{text:?}");
        }
        assert!(matches!(
            "18446744073709551616".parse::<Key>(),
            Err(KeyError::OutOfRange(_))
        ));
        assert!(matches!(
            "-9223372036854775809".parse::<Key>(),
            Err(KeyError::OutOfRange(_))
        ));
        let long = format!("key:{}", "0".repeat(66));
        assert!(matches!(long.parse::<Key>(), Err(KeyError::BadHex(_))));
    }

    #[test]
    fn two_keys_from_the_system_differ() {
        assert_ne!(Key::from_os(), Key::from_os());
    }
}
