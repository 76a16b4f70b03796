//! Values in files as the text that people write for them.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

/// Writes what [`Display`] shows.
pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Reads it back.
pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(from)?
        .parse()
        .map_err(|error| de::Error::custom(error))
}

/// A side, by the letters of its seats.
pub mod side {
    use super::{Deserialize, Deserializer, Serializer, de};
    use cards::Side;

    /// Writes `NS` or `EW`.
    pub fn serialize<S: Serializer>(side: &Side, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(side.letters())
    }

    /// Reads it back.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Side, D::Error> {
        let text = String::deserialize(from)?;
        [Side::NorthSouth, Side::EastWest]
            .into_iter()
            .find(|side| side.letters() == text)
            .ok_or_else(|| de::Error::custom(format!("{text:?} is not a side: NS or EW")))
    }
}
