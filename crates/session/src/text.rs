//! Serialisation of values as the text that users write.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

/// Writes the output of [`Display`].
pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Reads the text with `FromStr`.
pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(from)?
        .parse()
        .map_err(de::Error::custom)
}

/// Reads one of a few words.
fn word<'de, T: Copy, D: Deserializer<'de>>(words: &[(&str, T)], from: D) -> Result<T, D::Error> {
    let text = String::deserialize(from)?;
    let found = words.iter().find(|(word, _)| *word == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        de::Error::custom(format!("{text:?} is none of {}", known.join(", ")))
    })
}

fn word_for<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    let found = words.iter().find(|(_, other)| other == value);
    found.map_or("", |(word, _)| word)
}

/// Functions for optional values.
pub mod optional {
    use super::*;

    /// Writes the text, or null.
    pub fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.collect_str(value),
            None => to.serialize_none(),
        }
    }

    /// Reads the text or null.
    pub fn deserialize<'de, T, D>(from: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(de::Error::custom))
            .transpose()
    }
}

/// Functions for a side, written as the letters of its seats.
pub mod side {
    use super::*;
    use cards::Side;

    const WORDS: [(&str, Side); 2] = [("NS", Side::NorthSouth), ("EW", Side::EastWest)];

    /// Writes `NS` or `EW`.
    pub fn serialize<S: Serializer>(side: &Side, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(word_for(&WORDS, side))
    }

    /// Reads `NS` or `EW`.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Side, D::Error> {
        word(&WORDS, from)
    }
}

/// Functions for a dialect, written as its name.
pub mod mode {
    use super::*;
    use script::plan::Mode;
    use script::{DIALECTS, Dialect};

    /// Writes the name.
    pub fn serialize<S: Serializer>(mode: &Mode, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(Dialect::from(*mode).entry().name)
    }

    /// Reads the name.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Mode, D::Error> {
        let modes = DIALECTS.iter().filter(|row| !row.dialect.dealer3);
        let words: Vec<(&str, Mode)> = modes.map(|row| (row.name, row.dialect.mode)).collect();
        word(&words, from)
    }
}

/// Functions for the exchange of hands, written as its name.
pub mod exchange {
    use super::*;
    use shuffle::Swap;

    const WORDS: [(&str, Swap); 3] = [
        ("off", Swap::Off),
        ("two", Swap::Two),
        ("three", Swap::Three),
    ];

    /// Writes the name.
    pub fn serialize<S: Serializer>(swap: &Swap, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(word_for(&WORDS, swap))
    }

    /// Reads the name.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Swap, D::Error> {
        word(&WORDS, from)
    }
}
