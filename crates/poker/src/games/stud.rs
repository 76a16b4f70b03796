//! Seven-card stud: the best five of seven own cards.

use cards::CardSet;

use super::Worth;
use crate::evaluate7;

pub(super) fn worth(own: CardSet) -> Worth {
    Worth::whole(evaluate7(own).0.into())
}

pub(super) fn describe(own: CardSet) -> String {
    evaluate7(own).describe()
}
