//! Deals and boards in requests and answers.

use croupier::cards::{Deal, Seat, Strain, Vulnerability};
use serde::{Deserialize, Serialize};

use crate::Problem;

/// A deal with the data of its board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BoardData {
    /// The four hands, as in PBN: `N:AKQ2.KJ3.A74.952 ...`.
    pub deal: String,
    /// Number of the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Dealer: `N`, `E`, `S` or `W`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<String>,
    /// Vulnerable sides: `none`, `ns`, `ew` or `both`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vulnerable: Option<String>,
    /// Twenty double-dummy results: rows N E S W, columns clubs to notrump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tricks: Option<[[u8; 5]; 4]>,
    /// Name of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
}

/// Returns the letter of a seat, such as `N`.
#[must_use]
pub fn seat_letter(seat: Seat) -> String {
    seat.letter().to_string()
}

/// Returns `none`, `ns`, `ew` or `both`.
#[must_use]
pub fn vulnerability_name(vulnerability: Vulnerability) -> String {
    vulnerability.word().to_owned()
}

/// Parses a deal.
///
/// # Errors
/// If the text is not a deal.
pub fn deal(text: &str) -> Result<Deal, Problem> {
    text.trim()
        .parse()
        .map_err(|error| Problem::request(format!("{}: {error}", shortened(text))))
}

/// Parses a seat.
///
/// # Errors
/// If the text is not a seat.
pub fn seat(text: &str) -> Result<Seat, Problem> {
    text.trim()
        .parse()
        .map_err(|_| Problem::request(format!("{:?} is not a seat: N, E, S or W", shortened(text))))
}

/// Parses a vulnerability; `None` means that neither side is vulnerable.
///
/// # Errors
/// If the text is not a vulnerability.
pub fn vulnerability(text: Option<&str>) -> Result<Vulnerability, Problem> {
    let text = text.map_or("", str::trim);
    if text.is_empty() {
        return Ok(Vulnerability::None);
    }
    text.parse().map_err(|_| {
        Problem::request(format!(
            "{:?} is not a vulnerability: none, ns, ew or both",
            shortened(text)
        ))
    })
}

/// Parses a strain: C, D, H, S or N.
///
/// # Errors
/// If the text is not a strain.
pub fn strain(text: &str) -> Result<Strain, Problem> {
    let first = text.trim().chars().next().map(|c| c.to_ascii_uppercase());
    Strain::ALL
        .into_iter()
        .find(|strain| Some(strain.letter()) == first)
        .ok_or_else(|| {
            Problem::request(format!(
                "{:?} is not a strain: C, D, H, S or N",
                shortened(text)
            ))
        })
}

/// Shortens a text for use in a message.
#[must_use]
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars()
        .take(LONGEST - 3)
        .chain("...".chars())
        .collect()
}
