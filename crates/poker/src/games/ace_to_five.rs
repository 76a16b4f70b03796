//! Ace to five (California lowball and its draw games): five own cards. Aces are low, straights and flushes do not count,
//! so 5-4-3-2-A is the best hand.

use cards::CardSet;

use super::{Worth, evaluate_razz};

pub(super) fn worth(own: CardSet) -> Worth {
    Worth::whole(evaluate_razz(own).number())
}

pub(super) fn describe(own: CardSet) -> String {
    evaluate_razz(own).to_string()
}
