//! The subcommands of `croupier`, one file each.

pub mod bench;
