//! Texas hold'em: the best five of two own cards and five on the board.

use cards::CardSet;

use super::Worth;
use crate::evaluate7;

pub(super) fn worth(own: CardSet, board: CardSet) -> Worth {
    Worth::whole(evaluate7(own | board).0.into())
}

pub(super) fn describe(own: CardSet, board: CardSet) -> String {
    evaluate7(own | board).describe()
}
