//! Deal and value cards: run dealer scripts and get deals, values and tables as data.
//!
//! ```
//! use croupier::prelude::*;
//!
//! let script = "condition hcp(north) >= 20  action printoneline(hcp(south))";
//! let Collected { deals, outcome } = Job::new(script).seed(1).produce(3).collect()?;
//! for dealt in &deals {
//!     println!("{} {} = {}", dealt.deal, outcome.columns[0].name, dealt.values[0]);
//! }
//! assert_eq!(outcome.produced, 3);
//! # Ok::<(), Error>(())
//! ```
//!
//! The [`prelude`] is what most programs need. The rooms behind it are here by their own names: [`cards`],
//! [`shuffle`] (random streams and uniform deals), [`script`] (the language), [`engine`] (running plans),
//! [`session`] (jobs and outcomes), [`valuation`] (metrics of hands), [`formats`] (files of deals) and
//! [`usermetrics`]; with features also `solver`, `render`, `poker` and `profiles`.
//!
//! | feature | what it adds |
//! |---|---|
//! | `solver` | the double-dummy solver as a library (scripts can always ask it) |
//! | `render` | what people read of a run: text, JSON, HTML, files of deals |
//! | `modules` | metrics in WebAssembly |
//! | `text` | the same as text (`.wat`) |
//! | `poker` | poker hands and equities |
//! | `profiles` | the constraints of bidding as data |
//! | `full` | all of these |

pub use cards;
pub use engine;
pub use formats;
#[cfg(feature = "poker")]
pub use poker;
#[cfg(feature = "profiles")]
pub use profiles;
#[cfg(feature = "render")]
pub use render;
pub use script;
pub use session;
pub use shuffle;
#[cfg(feature = "solver")]
pub use solver;
pub use usermetrics;
pub use valuation;

/// What most programs need: `use croupier::prelude::*`.
pub mod prelude {
    pub use std::ops::ControlFlow;

    pub use cards::{
        Card, CardSet, Contract, Deal, Seat, Side, Strain, Suit, TrickTable, Vulnerability,
    };
    pub use session::{
        BundledImports, Collected, Ended, Error, FolderImports, Job, JobSpec, KeptDeal, Key, Mode,
        NoDeals, Outcome, Partial, ProducedDeal, Run, SamplerUse, Session, Sink, Supply, Table,
        TableData,
    };
    #[cfg(feature = "solver")]
    pub use solver::Solver;
}
