//! Drawing: from random words to a deal, each of those that were counted exactly equally likely.

pub(crate) mod ahead;
pub(crate) mod alternatives;
pub(crate) mod completing;
pub(crate) mod dealer;
pub(crate) mod draws;
pub(crate) mod geometric;
pub(crate) mod guide;
pub(crate) mod lay;
pub(crate) mod lengths;
pub(crate) mod subsets;
