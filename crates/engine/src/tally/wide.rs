//! Serialises 128-bit integers: as a number if every reader can represent it, else as a string of digits.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserializer, Serializer, de};

/// Writes the integer.
pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Copy + fmt::Display + TryInto<i64>,
    S: Serializer,
{
    /// Readers with floating-point numbers only would lose digits beyond this.
    const LARGEST: u64 = 1 << 53;
    match (*value).try_into() {
        Ok(small) if small.unsigned_abs() <= LARGEST => serializer.serialize_i64(small),
        _ => serializer.collect_str(value),
    }
}

/// Reads the output of [`serialize`].
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: TryFrom<i64> + TryFrom<u64> + std::str::FromStr,
    D: Deserializer<'de>,
{
    deserializer.deserialize_any(Wide(PhantomData))
}

struct Wide<T>(PhantomData<T>);

impl<T: TryFrom<i64> + TryFrom<u64> + std::str::FromStr> de::Visitor<'_> for Wide<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer, as a number or as its digits in a string")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<T, E> {
        T::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<T, E> {
        T::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &self))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<T, E> {
        value
            .parse()
            .map_err(|_| E::invalid_value(de::Unexpected::Str(value), &self))
    }
}
