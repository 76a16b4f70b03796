//! Which shapes a pattern covers, and how probable they are.

use croupier::cards::{Shape, ShapeSet};
use croupier::script::shape::{FdLengths, expansion, fd};
use serde::{Deserialize, Serialize};

use crate::{Limits, Problem};

/// All hands of thirteen cards.
const HANDS: u64 = 635_013_559_600;

/// A pattern of shapes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskShapes {
    /// What stands between the braces of `shape{seat, ...}`.
    pub pattern: String,
}

/// One of the 560 shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShapeData {
    /// Spades, hearts, diamonds, clubs.
    pub lengths: [u8; 4],
    /// How many hands have it.
    pub hands: u64,
}

/// What a pattern covers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Shapes {
    /// How many of the 560.
    pub count: usize,
    /// How many hands.
    pub hands: u64,
    /// Of all hands.
    pub out_of: u64,
    /// Their share.
    pub probability: f64,
    /// The same in the classic notation.
    pub classic: String,
    /// The shapes.
    pub shapes: Vec<ShapeData>,
    /// What is odd about the pattern.
    pub warnings: Vec<String>,
}

/// Expands a pattern.
///
/// # Errors
/// If it is wrong; the message says where.
pub fn shapes(ask: AskShapes, limits: &Limits) -> Result<Shapes, Problem> {
    limits.script(&ask.pattern)?;
    let text = ask.pattern.replace(['\t', '\r', '\n'], " ");
    let text = text.trim();
    let wrong = |errors: Vec<fd::ShapeDiagnostic>| match errors.first() {
        None => Problem::request("the pattern is wrong"),
        Some(error) => {
            let before = text.get(..error.range.start).unwrap_or(text);
            let column = before.chars().count() + 1;
            Problem::request(format!("character {column}: {}", error.message))
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
        let ask = AskShapes {
            pattern: "5M(332)".to_owned(),
        };
        let found = shapes(ask, &Limits::default()).unwrap();
        assert_eq!(found.count, 6);
        assert_eq!(
            found.shapes.iter().map(|it| it.hands).sum::<u64>(),
            found.hands
        );
    }

    #[test]
    fn a_wrong_pattern_says_where() {
        let ask = AskShapes {
            pattern: "5M(33".to_owned(),
        };
        let problem = shapes(ask, &Limits::default()).unwrap_err();
        assert!(problem.message.starts_with("character"), "{problem}");
    }
}
