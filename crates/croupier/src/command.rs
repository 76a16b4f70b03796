//! The subcommands of `croupier`, one file each.
