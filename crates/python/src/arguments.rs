//! Conversion of Python arguments to seats, suits and hands, and of results to the Python enumerations.

use std::fmt::Display;

use croupier::cards::{Rank, Seat, Side, Strain, Suit, Vulnerability};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Creates a `ValueError` with this text.
pub fn value_error(text: impl Display) -> PyErr {
    PyValueError::new_err(text.to_string())
}

/// Creates a `TypeError` that names the expected and the given type.
pub fn type_error(wanted: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let kind = got.get_type().name().map(|name| name.to_string());
    PyTypeError::new_err(format!(
        "expected {wanted}, not {}",
        kind.unwrap_or_default()
    ))
}

/// Returns a string argument, or the value of a member of one of croupier's enumerations.
pub fn word(object: &Bound<'_, PyAny>, wanted: &str) -> PyResult<String> {
    let text = object
        .extract::<String>()
        .or_else(|_| object.getattr("value")?.extract());
    text.map_err(|_: PyErr| type_error(wanted, object))
}

/// Defines an argument type that is parsed from a string or an enumeration.
macro_rules! word_argument {
    ($name:ident, $inner:ty, $wanted:literal, $parse:expr) => {
        #[doc = concat!("Reads ", $wanted, ".")]
        #[derive(Clone, Copy)]
        pub struct $name(pub $inner);

        impl<'a, 'py> FromPyObject<'a, 'py> for $name {
            type Error = PyErr;

            fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                let text = word(&object, $wanted)?;
                let parse: fn(&str) -> Option<$inner> = $parse;
                let known = parse(text.trim());
                known
                    .map($name)
                    .ok_or_else(|| value_error(format!("{text:?} is not {}", $wanted)))
            }
        }
    };
}

word_argument!(SeatArgument, Seat, "a seat (N, E, S or W)", |text| text
    .parse()
    .ok());
word_argument!(SideArgument, Side, "a side (NS or EW)", |text| match text
    .to_ascii_lowercase()
    .as_str()
{
    "ns" | "north-south" => Some(Side::NorthSouth),
    "ew" | "east-west" => Some(Side::EastWest),
    _ => None,
});
word_argument!(SuitArgument, Suit, "a suit (S, H, D or C)", suit_of);
word_argument!(
    StrainArgument,
    Strain,
    "a strain (N, S, H, D or C)",
    |text| {
        match text.to_ascii_lowercase().as_str() {
            "n" | "nt" | "notrump" | "no trump" | "notrumps" => Some(Strain::Notrump),
            _ => suit_of(text).map(Strain::from_suit),
        }
    }
);
word_argument!(
    VulnerabilityArgument,
    Vulnerability,
    "a vulnerability (none, NS, EW or both)",
    |text| match text {
        "" => Some(Vulnerability::None),
        word => Vulnerability::from_word(word),
    }
);

/// Parses a suit: its letter, name (`spade`, `spades`) or symbol.
pub fn suit_of(text: &str) -> Option<Suit> {
    let lower = text.to_lowercase();
    Suit::ALL.into_iter().find(|suit| {
        let letter = suit.letter().to_ascii_lowercase();
        lower.chars().eq([letter])
            || lower == suit.name()
            || lower == suit.name().trim_end_matches('s')
            || text.chars().eq([suit.symbol()])
    })
}

/// Returns a member of an enumeration of `croupier.values`.
fn member<'py>(py: Python<'py>, class: &str, value: &str) -> PyResult<Bound<'py, PyAny>> {
    static VALUES: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let values = VALUES.get_or_try_init(py, || py.import("croupier.values").map(Bound::unbind))?;
    let class = values.bind(py).getattr(class)?.cast_into::<PyType>()?;
    class.call1((value,))
}

/// Returns the Python `Seat`.
pub fn seat(py: Python<'_>, seat: Seat) -> PyResult<Bound<'_, PyAny>> {
    member(py, "Seat", &seat.letter().to_string())
}

/// Returns the Python `Suit`.
pub fn suit(py: Python<'_>, suit: Suit) -> PyResult<Bound<'_, PyAny>> {
    member(py, "Suit", &suit.letter().to_string())
}

/// Returns the Python `Rank`.
pub fn rank(py: Python<'_>, rank: Rank) -> PyResult<Bound<'_, PyAny>> {
    member(py, "Rank", &rank.letter().to_string())
}

/// Returns the Python `Strain`.
pub fn strain(py: Python<'_>, strain: Strain) -> PyResult<Bound<'_, PyAny>> {
    member(py, "Strain", &strain.letter().to_string())
}

/// Returns the Python `Vulnerability`.
pub fn vulnerability(py: Python<'_>, who: Vulnerability) -> PyResult<Bound<'_, PyAny>> {
    member(
        py,
        "Vulnerability",
        ["none", "NS", "EW", "both"][who.index()],
    )
}
