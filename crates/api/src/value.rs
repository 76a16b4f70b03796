//! Valuation of hands by every method.

use croupier::cards::{Seat, notation};
use croupier::valuation::entries::ValueList;
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::{RequestError, RequestLimits};

/// A request to value cards.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// A hand, two hands of partners, or a deal as in PBN.
    pub cards: Vec<String>,
    /// Seat that opened, for `opc`.
    #[serde(default)]
    pub opener: Option<String>,
}

/// A number of a valuation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValueNumber {
    /// Owner of the number: `hand`, a seat or a side.
    pub whose: String,
    /// Name of the valuation.
    pub valuation: String,
    /// Part of the valuation; `total` is the result.
    pub part: String,
    /// Suit: `S`, `H`, `D` or `C`, if the number is about one suit.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub suit: Option<String>,
    /// Value in units of the valuation.
    pub value: i32,
    /// Number of units per point.
    pub scale: i32,
}

/// Numbers of all valuations, in the order in which they are shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Valued {
    /// The numbers.
    pub numbers: Vec<ValueNumber>,
}

/// Values cards.
///
/// # Errors
/// If they are not a hand, two hands or a deal.
pub fn value(request: Value, _: &RequestLimits) -> Result<Valued, RequestError> {
    let opener = request
        .opener
        .as_deref()
        .map_or(Ok(Seat::North), boards::seat)?;
    let hand = |text: &String| {
        notation::hand(text.trim())
            .map_err(|error| RequestError::request(format!("{}: {error}", boards::shortened(text))))
    };
    let mut entries = ValueList::default();
    match request.cards.as_slice() {
        [text] if text.trim().contains([' ', ':']) => {
            entries.deal(&boards::deal(text)?, opener);
        }
        [text] => entries.hand("hand", hand(text)?),
        [first, second] => {
            let (north, south) = (hand(first)?, hand(second)?);
            if let Some(card) = (north & south).iter().next() {
                return Err(RequestError::request(format!(
                    "both hands hold the card {card}"
                )));
            }
            entries.pair(north, south, opener);
        }
        _ => return Err(RequestError::request("give a hand, two hands or a deal")),
    }
    let numbers = entries.iter().map(|it| ValueNumber {
        whose: it.whose.clone(),
        valuation: it.valuation.to_owned(),
        part: it.part.clone(),
        suit: it.suit.map(|suit| suit.letter().to_string()),
        value: it.value,
        scale: it.scale,
    });
    Ok(Valued {
        numbers: numbers.collect(),
    })
}
