//! The inputs that a condition depends on: lengths and features of the four roles.

use std::ops::BitOr;

/// A set of inputs that a condition may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs(u8);

impl Needs {
    pub(crate) const NOTHING: Needs = Needs(0);
    pub(crate) const LENGTH_A: Needs = Needs(1);
    pub(crate) const FEATURE_A: Needs = Needs(2);
    pub(crate) const LENGTH_B: Needs = Needs(4);
    pub(crate) const FEATURE_B: Needs = Needs(8);
    pub(crate) const LENGTH_C: Needs = Needs(16);
    pub(crate) const LENGTH_D: Needs = Needs(32);
    pub(crate) const A: Needs = Needs(Self::LENGTH_A.0 | Self::FEATURE_A.0);
    pub(crate) const B: Needs = Needs(Self::LENGTH_B.0 | Self::FEATURE_B.0);
    pub(crate) const FEATURES: Needs = Needs(Self::FEATURE_A.0 | Self::FEATURE_B.0);
    /// The lengths of the two tracked hands.
    pub(crate) const LENGTHS_AB: Needs = Needs(Self::LENGTH_A.0 | Self::LENGTH_B.0);
    /// The lengths of the two other hands.
    pub(crate) const OTHERS: Needs = Needs(Self::LENGTH_C.0 | Self::LENGTH_D.0);
    pub(crate) const ALL: Needs = Needs(Self::A.0 | Self::B.0 | Self::OTHERS.0);

    /// Returns whether every input of this set is in `other`.
    pub(crate) const fn is_within(self, other: Needs) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns whether the sets have an input in common.
    pub(crate) const fn meets(self, other: Needs) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the inputs of this set that are not in `other`.
    pub(crate) const fn without(self, other: Needs) -> Needs {
        Needs(self.0 & !other.0)
    }
}

impl BitOr for Needs {
    type Output = Needs;

    fn bitor(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }
}

impl FromIterator<Needs> for Needs {
    fn from_iter<I: IntoIterator<Item = Needs>>(needs: I) -> Needs {
        needs.into_iter().fold(Needs::NOTHING, BitOr::bitor)
    }
}
