//! Short deck (6+): hold'em with the 36 cards from six to ace. A flush beats a full house and A-6-7-8-9 is a straight.
//! Card rooms differ in whether three of a kind beats a straight.

use cards::CardSet;

use super::Worth;
use crate::reference::{self, Rules};
use crate::rows::Rows;

pub(super) fn worth(rules: Rules, own: CardSet, board: CardSet) -> Worth {
    Worth::whole(Rows::of(rules).evaluate((own | board).0).into())
}

pub(super) fn describe(rules: Rules, own: CardSet, board: CardSet) -> String {
    let rank = Rows::of(rules).evaluate((own | board).0);
    reference::numbering(rules).classes()[usize::from(rank)].describe()
}
