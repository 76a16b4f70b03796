//! Deals and boards in requests and answers.

use croupier::cards::{Card, Deal, Seat, Strain, Vulnerability};
use croupier::formats::{Call, Record};
use serde::{Deserialize, Serialize};

use crate::RequestError;

/// Letter of a seat, for descriptions of the interface.
#[cfg(feature = "openapi")]
#[derive(Serialize, utoipa::ToSchema)]
pub enum SeatName {
    /// North.
    N,
    /// East.
    E,
    /// South.
    S,
    /// West.
    W,
}

/// Vulnerable sides, for descriptions of the interface.
#[cfg(feature = "openapi")]
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Vulnerability)]
#[serde(rename_all = "lowercase")]
pub enum VulnerabilityName {
    /// Neither side.
    None,
    /// North and South.
    Ns,
    /// East and West.
    Ew,
    /// Both sides.
    Both,
}

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
    #[cfg_attr(feature = "openapi", schema(value_type = Option<SeatName>))]
    pub dealer: Option<String>,
    /// Vulnerable sides: `none`, `ns`, `ew` or `both`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// Twenty double-dummy results: rows N E S W, columns clubs to notrump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tricks: Option<[[u8; 5]; 4]>,
    /// Name of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Players, North first, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[String; 4]>,
    /// Auction, contract, result and play, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordData>,
    /// Notes on the board, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The board as PBN with everything that its file had. `write` keeps what the other fields do not replace. Send it
    /// back unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pbn: Option<String>,
}

/// Auction, contract, result and play of a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RecordData {
    /// Calls, the dealer's first: `1NT`, `Pass`, `X`.
    #[serde(default)]
    pub auction: Vec<String>,
    /// Explanations of calls.
    #[serde(default)]
    pub explanations: Vec<CallExplanation>,
    /// Contract, such as `3N` or `4Sx`.
    #[serde(default)]
    pub contract: Option<String>,
    /// Declarer: `N`, `E`, `S` or `W`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<SeatName>))]
    pub declarer: Option<String>,
    /// Number of tricks that declarer took.
    #[serde(default)]
    pub result: Option<u8>,
    /// Cards in the order of play: `SA`, `H10` is `HT`.
    #[serde(default)]
    pub play: Vec<String>,
}

/// Explanation of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CallExplanation {
    /// Position of the call in the auction, from 0.
    pub call: usize,
    /// Text; empty for an alert alone.
    pub text: String,
}

impl From<&Record> for RecordData {
    fn from(record: &Record) -> RecordData {
        let call = |word: &String| Call::read(word).map_or_else(|| word.clone(), Call::pbn);
        let explanations = record.notes.iter().map(|(call, text)| CallExplanation {
            call: *call,
            text: text.clone(),
        });
        RecordData {
            auction: record.auction.iter().map(call).collect(),
            explanations: explanations.collect(),
            contract: record.contract.map(|contract| contract.to_string()),
            declarer: record.declarer.map(seat_letter),
            result: record.result,
            play: record.play.iter().map(Card::to_string).collect(),
        }
    }
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
pub fn deal(text: &str) -> Result<Deal, RequestError> {
    text.trim()
        .parse()
        .map_err(|error| RequestError::request(format!("{}: {error}", shortened(text))))
}

/// Parses a seat.
///
/// # Errors
/// If the text is not a seat.
pub fn seat(text: &str) -> Result<Seat, RequestError> {
    text.trim().parse().map_err(|_| {
        RequestError::request(format!("{:?} is not a seat: N, E, S or W", shortened(text)))
    })
}

/// Parses a vulnerability; `None` means that neither side is vulnerable.
///
/// # Errors
/// If the text is not a vulnerability.
pub fn vulnerability(text: Option<&str>) -> Result<Vulnerability, RequestError> {
    let text = text.map_or("", str::trim);
    if text.is_empty() {
        return Ok(Vulnerability::None);
    }
    text.parse().map_err(|_| {
        RequestError::request(format!(
            "{:?} is not a vulnerability: none, ns, ew or both",
            shortened(text)
        ))
    })
}

/// Parses a strain: C, D, H, S or N.
///
/// # Errors
/// If the text is not a strain.
pub fn strain(text: &str) -> Result<Strain, RequestError> {
    let first = text.trim().chars().next().map(|c| c.to_ascii_uppercase());
    Strain::ALL
        .into_iter()
        .find(|strain| Some(strain.letter()) == first)
        .ok_or_else(|| {
            RequestError::request(format!(
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
