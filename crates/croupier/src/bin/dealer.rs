//! The program `dealer`: the drop-in successor of the classic.

fn main() {}
