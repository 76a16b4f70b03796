//! The evaluation and the result that a `usereval` names.

use cards::{Seat, Side, Strain};
use script::plan::{Node, SideOrSeat};

/// One `usereval(tag, subject, [strain,] index)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct UserQuery {
    /// The number of the evaluation.
    pub tag: i32,
    /// The seat or side that is evaluated.
    pub subject: SideOrSeat,
    /// The strain, if one was named.
    pub strain: Option<Strain>,
    /// The index of the result.
    pub index: i32,
}

impl UserQuery {
    /// Returns the query of a node, if it is one.
    pub fn of(node: &Node) -> Option<UserQuery> {
        match *node {
            Node::UserEval {
                tag,
                subject,
                strain,
                index,
            } => Some(UserQuery {
                tag,
                subject,
                strain,
                index,
            }),
            _ => None,
        }
    }

    /// Number of results of one evaluation of a side.
    pub const RESULTS: usize = 128;

    /// Returns the seat that the query names, if it names one.
    pub fn seat(&self) -> Option<Seat> {
        match self.subject {
            SideOrSeat::Side(_) => None,
            SideOrSeat::Seat(seat) => Some(seat),
        }
    }

    /// Returns the side whose hands are evaluated.
    #[must_use]
    pub fn side(&self) -> Side {
        match self.subject {
            SideOrSeat::Side(side) => side,
            SideOrSeat::Seat(seat) => seat.side(),
        }
    }

    /// Returns the position of the result among the 128 of the side: each of the four forms of the function has a
    /// region.
    #[must_use]
    pub fn slot(&self) -> Option<usize> {
        let suit = self.strain.map(|strain| strain.index() as i64);
        let index = i64::from(self.index);
        let slot = match (self.subject, suit) {
            (SideOrSeat::Side(_), None) => index,
            (SideOrSeat::Side(_), Some(suit)) => 32 + 8 * suit + index,
            (SideOrSeat::Seat(seat), None) => 64 + 16 * second(seat) + index,
            (SideOrSeat::Seat(seat), Some(suit)) => 96 + 16 * second(seat) + 4 * suit + index,
        };
        usize::try_from(slot)
            .ok()
            .filter(|&slot| index >= 0 && slot < UserQuery::RESULTS)
    }
}

/// Returns 0 for the first hand of a side (North, East) and 1 for the second (South, West).
fn second(seat: Seat) -> i64 {
    i64::from(matches!(seat, Seat::South | Seat::West))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_its_region() {
        let slot = |subject, strain, index| {
            UserQuery {
                tag: 0,
                subject,
                strain,
                index,
            }
            .slot()
        };
        let (side, south) = (
            SideOrSeat::Side(Side::EastWest),
            SideOrSeat::Seat(Seat::South),
        );
        assert_eq!(slot(side, None, 5), Some(5));
        assert_eq!(slot(side, Some(Strain::Spades), 2), Some(32 + 24 + 2));
        assert_eq!(slot(south, None, 3), Some(64 + 16 + 3));
        assert_eq!(
            slot(SideOrSeat::Seat(Seat::East), Some(Strain::Hearts), 1),
            Some(96 + 8 + 1)
        );
        assert_eq!(slot(south, None, -1), None);
        assert_eq!(slot(side, None, 128), None);
    }
}
