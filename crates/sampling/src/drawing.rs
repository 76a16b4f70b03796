//! Drawing: turns random words into a deal. Every counted deal is exactly equally likely.

pub(crate) mod alternatives;
pub(crate) mod completion_lists;
pub(crate) mod dealer;
pub(crate) mod deposit;
pub(crate) mod draws;
pub(crate) mod geometric;
pub(crate) mod guide;
pub(crate) mod lengths;
pub(crate) mod lookahead;
pub(crate) mod subsets;
