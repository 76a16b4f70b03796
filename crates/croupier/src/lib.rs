//! Deal and value cards: run dealer scripts and get deals, values and tables as data.
//!
//! ```
//! # #[cfg(feature = "scripts")] {
//! use croupier::prelude::*;
//!
//! let script = "condition hcp(north) >= 20  action printoneline(hcp(south))";
//! let Collected { deals, outcome } = Job::new(script).seed(1).produce(3).collect()?;
//! for dealt in &deals {
//!     println!("{} {} = {}", dealt.deal, outcome.columns[0].name, dealt.values[0]);
//! }
//! assert_eq!(outcome.produced, 3);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`prelude`] has the names that most programs need. The crates behind it are modules of their own: [`cards`],
//! [`shuffle`] (random streams and uniform deals), [`valuation`] (metrics of hands), and by features `script` (the
//! language), `engine` (running plans), `session` (jobs and outcomes), `formats` (files of deals), `usermetrics`,
//! `solver`, `studies`, `render`, `poker` and `profiles`.
//!
//! | feature | what it adds |
//! |---|---|
//! | `scripts` | the dealer language: jobs, tables, imports (on unless `default-features = false`) |
//! | `formats` | files of deals (part of `scripts`) |
//! | `solver` | the double-dummy solver as a library (scripts can always use it) |
//! | `studies` | studies of opening leads and contracts on many deals |
//! | `render` | output of a run: text, JSON, HTML, files of deals |
//! | `modules` | metrics in WebAssembly |
//! | `text` | metrics in the text format of WebAssembly (`.wat`) |
//! | `poker` | poker hands and equities |
//! | `profiles` | profiles of the seats: points and shapes as data |
//! | `poker-solver` | push or fold with prizes, and play after the flop |
//! | `records` | hand records, practice hands and labels as PDF |
//! | `scenarios` | the bundled scripts of `scenarios/` |
//! | `suits` | suit combinations: exact chances and lines of play |
//! | `bidding` | auctions, bidding robots, and the hands that an auction shows |
//! | `full` | all of these |
//!
//! Without any feature the crate has cards, uniform deals and the values of hands, which build in seconds:
//!
//! ```
//! use croupier::prelude::*;
//! use croupier::{shuffle::Predeal, valuation};
//!
//! let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
//! let strong = (0..1000).filter(|&i| valuation::hcp(dealer.deal(i).hand(Seat::North)) >= 20);
//! println!("{} of the first thousand deals", strong.count());
//! ```

#[cfg(feature = "bidding")]
pub use bidding;
pub use cards;
pub use cpu;
#[cfg(feature = "scripts")]
pub use engine;
#[cfg(feature = "formats")]
pub use formats;
#[cfg(feature = "poker")]
pub use poker;
#[cfg(feature = "poker-solver")]
pub use poker_solver;
#[cfg(feature = "profiles")]
pub use profiles;
#[cfg(feature = "records")]
pub use records;
#[cfg(feature = "render")]
pub use render;
#[cfg(any(feature = "scripts", feature = "profiles"))]
pub use sampling;
#[cfg(feature = "scenarios")]
pub use scenarios;
#[cfg(feature = "scripts")]
pub use script;
#[cfg(feature = "scripts")]
pub use session;
pub use shuffle;
#[cfg(feature = "solver")]
pub use solver;
pub use statistics;
#[cfg(feature = "studies")]
pub use studies;
#[cfg(feature = "suits")]
pub use suits;
#[cfg(feature = "scripts")]
pub use usermetrics;
pub use valuation;

/// The names that most programs need: `use croupier::prelude::*`.
pub mod prelude {
    pub use std::ops::ControlFlow;

    pub use cards::{
        Card, CardSet, Contract, Deal, Seat, Side, Strain, Suit, TrickTable, Vulnerability,
    };
    #[cfg(feature = "scripts")]
    pub use session::{
        BundledImports, Collected, Ended, Error, FolderImports, Job, JobSpec, KeptDeal, Mode,
        NoDeals, Outcome, Partial, ProducedDeal, Run, SamplerUse, Session, Sink, Supply, Table,
        TableData,
    };
    pub use shuffle::{FastDealer, Key};
    #[cfg(feature = "solver")]
    pub use solver::Solver;
}
