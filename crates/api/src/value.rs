//! What hands are worth, by every method.

use croupier::cards::{Seat, notation};
use croupier::valuation::entries::Entries;
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::{Limits, Problem};

/// Cards to value.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Value {
    /// A hand, two hands of partners, or a deal as in PBN.
    pub cards: Vec<String>,
    /// Who opened, for `opc`.
    #[serde(default)]
    pub opener: Option<String>,
}

/// One number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Number {
    /// `hand`, a seat or a side.
    pub whose: String,
    /// The method.
    pub valuation: String,
    /// Which part of it; `total` is the result.
    pub part: String,
    /// `S`, `H`, `D` or `C`, if it is about one suit.
    pub suit: Option<String>,
    /// The number in its own units.
    pub value: i32,
    /// How many units make a point.
    pub scale: i32,
}

/// All numbers, in the order in which they are shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Valued {
    /// The numbers.
    pub numbers: Vec<Number>,
}

/// Values cards.
///
/// # Errors
/// If they are not a hand, two hands or a deal.
pub fn value(ask: Value, _: &Limits) -> Result<Valued, Problem> {
    let opener = ask
        .opener
        .as_deref()
        .map_or(Ok(Seat::North), boards::seat)?;
    let hand = |text: &String| {
        notation::hand(text.trim())
            .map_err(|error| Problem::request(format!("{}: {error}", boards::shortened(text))))
    };
    let mut entries = Entries::default();
    match ask.cards.as_slice() {
        [text] if text.trim().contains([' ', ':']) => {
            entries.deal(&boards::deal(text)?, opener);
        }
        [text] => entries.hand("hand", hand(text)?),
        [first, second] => {
            let (north, south) = (hand(first)?, hand(second)?);
            if let Some(card) = (north & south).iter().next() {
                return Err(Problem::request(format!("both hands hold the card {card}")));
            }
            entries.pair(north, south, opener);
        }
        _ => return Err(Problem::request("give a hand, two hands or a deal")),
    }
    let numbers = entries.iter().map(|it| Number {
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
