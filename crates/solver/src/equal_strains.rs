//! Strains of a symmetric deal whose results follow from those of another strain.

use cards::{Deal, Seat, Strain, Suit, TrickTable};

use crate::engine::to_search;
use crate::search::Symmetry;

/// A strain whose results are those of another one, with the table turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EqualStrain {
    /// The strain to solve instead.
    pub(crate) source: Strain,
    /// A declarer takes as many tricks as the declarer of `source` this many places to the right.
    turn: usize,
}

impl EqualStrain {
    /// Returns for each strain, clubs first, the strain that it is equal to, if any. No source is equal to another
    /// source, and a source is solved before the strains that are equal to it.
    pub(crate) fn of(deal: &Deal) -> [Option<EqualStrain>; 5] {
        let hands = Seat::ALL.map(|seat| to_search(deal.hand(seat), Strain::Notrump));
        let mut equal = [None; 5];
        let symmetries = [1, 2, 3].map(|turn| Symmetry::find(&hands, turn));
        for source in Suit::ALL.into_iter().rev() {
            if equal[source.index()].is_some() {
                continue;
            }
            for symmetry in symmetries.iter().flatten() {
                let image = symmetry.suits[source.index()] as usize;
                if image < source.index() && equal[image].is_none() {
                    equal[image] = Some(EqualStrain {
                        source: Strain::from_index(source.index()),
                        turn: symmetry.turn,
                    });
                }
            }
        }
        equal
    }

    /// Fills in the results of `strain` from those of its source.
    pub(crate) fn copy(self, strain: Strain, table: &mut TrickTable) {
        for seat in Seat::ALL {
            let tricks = table.tricks(seat, self.source);
            table.set(seat.clockwise(self.turn), strain, tricks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_suits_of_a_deal_with_quarter_turns_have_one_source() {
        let deal = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962";
        let equal = EqualStrain::of(&deal.parse().expect("a deal"));
        let sources = equal.map(|equal| equal.map(|equal| equal.source));
        let spades = Some(Strain::Spades);
        assert_eq!(sources, [spades, spades, spades, None, None]);
    }

    #[test]
    fn two_suits_of_a_deal_with_half_turns_have_one_source() {
        let deal = "N:AKQJ5.T9876.432. T9876.AKQJ5..432 432..AKQJ5.T9876 .432.T9876.AKQJ5";
        let equal = EqualStrain::of(&deal.parse().expect("a deal"));
        let sources = equal.map(|equal| equal.map(|equal| (equal.source, equal.turn)));
        let half = |source| Some((source, 2));
        assert_eq!(
            sources,
            [half(Strain::Hearts), half(Strain::Spades), None, None, None]
        );
    }

    #[test]
    fn ordinary_deals_have_no_equal_strains() {
        let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";
        assert_eq!(EqualStrain::of(&deal.parse().expect("a deal")), [None; 5]);
    }
}
