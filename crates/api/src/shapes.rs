//! Expansion of shape patterns, with their probabilities.

use croupier::cards::{Shape, ShapeSet};
use croupier::script::shape::{FdLengths, expansion, fd};
use serde::{Deserialize, Serialize};

use crate::{RequestError, RequestLimits};

/// Number of hands of thirteen cards: 52 choose 13.
const HANDS: u64 = 635_013_559_600;

/// A request for the shapes of a pattern.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ShapesRequest {
    /// Text between the braces of `shape{seat, ...}`.
    pub pattern: String,
}

/// One of the 560 shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShapeData {
    /// Lengths in spades, hearts, diamonds and clubs.
    #[cfg_attr(feature = "openapi", schema(value_type = (u8, u8, u8, u8)))]
    pub lengths: [u8; 4],
    /// Number of hands with this shape.
    pub hands: u64,
}

/// Shapes of a pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Shapes {
    /// Number of shapes, of 560.
    pub count: usize,
    /// Number of hands.
    pub hands: u64,
    /// Number of all hands.
    pub out_of: u64,
    /// Share of all hands.
    pub probability: f64,
    /// The pattern in the classic notation.
    pub classic: String,
    /// Shapes of the pattern.
    pub shapes: Vec<ShapeData>,
    /// Warnings about the pattern.
    pub warnings: Vec<String>,
}

/// Expands a pattern.
///
/// # Errors
/// If the pattern is invalid; the message contains the position.
pub fn shapes(request: ShapesRequest, limits: &RequestLimits) -> Result<Shapes, RequestError> {
    limits.script(&request.pattern)?;
    let text = request.pattern.replace(['\t', '\r', '\n'], " ");
    let text = text.trim();
    let wrong = |errors: Vec<fd::ShapeDiagnostic>| match errors.first() {
        None => RequestError::request("the pattern is wrong"),
        Some(error) => {
            let before = text.get(..error.range.start).unwrap_or(text);
            let column = before.chars().count() + 1;
            RequestError::request(format!("character {column}: {}", error.message))
        }
    };
    let found = fd::shapes(text.as_bytes(), FdLengths::All).map_err(wrong)?;
    let classic = expansion::expand(text.as_bytes())
        .map_err(wrong)?
        .to_string();
    let hands = hands_of(&found.set);
    Ok(Shapes {
        count: found.set.len(),
        hands,
        out_of: HANDS,
        probability: hands as f64 / HANDS as f64,
        classic,
        shapes: found
            .set
            .iter()
            .map(|shape| ShapeData {
                lengths: shape.lengths(),
                hands: ways(shape),
            })
            .collect(),
        warnings: found.warnings.into_iter().map(|it| it.message).collect(),
    })
}

fn ways(shape: Shape) -> u64 {
    let choose = |n: u8| (0..u64::from(n)).fold(1, |ways, i| ways * (13 - i) / (i + 1));
    shape.lengths().into_iter().map(choose).product()
}

fn hands_of(set: &ShapeSet) -> u64 {
    set.iter().map(ways).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_five_card_major_and_no_singleton() {
        let request = ShapesRequest {
            pattern: "5M(332)".to_owned(),
        };
        let found = shapes(request, &RequestLimits::default()).unwrap();
        assert_eq!(found.count, 6);
        assert_eq!(
            found.shapes.iter().map(|it| it.hands).sum::<u64>(),
            found.hands
        );
    }

    #[test]
    fn a_wrong_pattern_is_an_error_with_its_place() {
        let request = ShapesRequest {
            pattern: "5M(33".to_owned(),
        };
        let problem = shapes(request, &RequestLimits::default()).unwrap_err();
        assert!(problem.message.starts_with("character"), "{problem}");
    }
}
