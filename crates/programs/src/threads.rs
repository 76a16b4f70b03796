//! `-j`, the same switch wherever several threads work.

/// How many threads work.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Threads {
    /// Threads; 0 means one for each core. The output does not depend on it.
    #[arg(
        short = 'j',
        visible_short_alias = 'R',
        id = "threads",
        long = "threads",
        value_name = "N",
        default_value_t = 0
    )]
    pub number: usize,
}
