//! Deal and value cards: bridge deals by condition, exact probabilities, double dummy, studies, suit play, poker.
//!
//! Everything that most programs need is at the root of this crate. The inner crates are its modules ([`cards`],
//! [`shuffle`], [`valuation`], `session`, `solver`, ...), with the rest of their types.
//!
//! # Deals that satisfy a condition
//!
//! A [`Job`] is a script of the dealer language, or a condition built in Rust, with the settings that the caller
//! requests.
//!
//! ```
//! # #[cfg(feature = "scripts")] {
//! use croupier::{Collected, Job, Seat, Suit, north, ns};
//!
//! let notrump = north().hcp().between(15, 17) & north().balanced() & !ns().fit(Suit::Spades, 8);
//! let Collected { deals, .. } = Job::new(notrump).seed(1).produce(3).collect()?;
//! for dealt in &deals {
//!     println!("{}", dealt.deal[Seat::North]);
//! }
//! assert_eq!(deals.len(), 3);
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
//! # Probabilities
//!
//! ```
//! # #[cfg(feature = "scripts")] {
//! use croupier::{north, probability};
//!
//! let answer = probability(north().spades().equals(7))?;
//! assert!(answer.is_exact());
//! println!("{} of {} {}", answer.bound.hits(), answer.bound.out_of(), answer.bound.unit());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Double dummy
//!
//! ```
//! # #[cfg(feature = "solver")] {
//! use croupier::{Deal, Seat, Solver, Strain, Vulnerability, par, solve};
//!
//! let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse()?;
//! let tricks = solve(&deal);
//! println!("{tricks}");
//! assert_eq!(Solver::new().tricks(&deal, Seat::North, Strain::Spades), tricks.tricks(Seat::North, Strain::Spades));
//! println!("par {}", par(&tricks, Vulnerability::None).score);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which card to lead
//!
//! ```
//! # #[cfg(feature = "studies")] {
//! use croupier::{
//!     Collected, StudyExecution, Job, LeadQuestion, Seat, Study, StudyDeals, StudyOptions, Vulnerability, parse_hand, south,
//! };
//!
//! let west = parse_hand("QJT92.A3.T94.752")?;
//! let job = Job::new(south().hcp().between(15, 17) & south().balanced())
//!     .predeal(Seat::West, west.suit_holdings().to_string());
//! let Collected { deals, .. } = job.seed(1).produce(20).collect()?;
//! let deals: Vec<_> = deals.iter().map(|dealt| dealt.deal).collect();
//! let question = LeadQuestion::new("3N-S".parse()?, west, Vulnerability::None)?;
//! let mut study = Study::new(question, StudyDeals::dealt(&deals), &StudyOptions::default())?;
//! study.run(StudyExecution::default());
//! for lead in study.results() {
//!     println!("{}: sets {:.0} %", lead.cards, 100.0 * lead.sets.value);
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files of deals
//!
//! ```
//! # #[cfg(feature = "formats")] {
//! use croupier::{Reader, read_boards};
//!
//! let pbn = "[Board \"1\"]\n[Deal \"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7\"]\n";
//! assert_eq!(read_boards(pbn.as_bytes())?.len(), 1);
//! for board in Reader::new(pbn.as_bytes())? {
//!     println!("board {:?}", board?.number);
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Suit combinations
//!
//! ```
//! # #[cfg(feature = "suits")] {
//! use croupier::{Combination, SuitGoal, WeightedCombination, SuitSolver, VacantPlaces};
//!
//! let combination = Combination::parse("AQT98", "5432")?;
//! let mut solver = SuitSolver::new(WeightedCombination::new(combination, VacantPlaces::default())?);
//! let chance = solver.solve().chance(5);
//! assert_eq!(format!("{:.4}", chance.percent()), "26.5652");
//! assert_eq!(solver.line(&SuitGoal::AtLeast(5))?.value(), chance);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Plans for declarer
//!
//! ```
//! # #[cfg(feature = "declarer")] {
//! use croupier::{
//!     StudyExecution, LayoutSource, PlanOptions, PlayQuestion, UniformLayouts, parse_hand, rank_plays,
//! };
//!
//! let (south, north) = (parse_hand("KQT982.A5.K32.A2")?, parse_hand("AJ43.432.A54.K43")?);
//! let mut question = PlayQuestion::new("4S-S".parse()?, south, north)?;
//! question.play("HK".parse()?)?;
//! let options = PlanOptions { worlds: 10, ..PlanOptions::default() };
//! let layouts = UniformLayouts::new(1).layouts(&question, options.layouts_needed(&question))?;
//! let plan = rank_plays(&question, &layouts, &options, StudyExecution::default())?;
//! println!("{}: {:.0} %", plan.plays[0].cards, 100.0 * plan.plays[0].made.value);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Poker
//!
//! ```
//! # #[cfg(feature = "poker")] {
//! use croupier::poker::{EquityOptions, Game, Query, Range};
//!
//! let aces = Range::parse("AhAs", Game::Holdem)?;
//! let kings = Range::parse("KdKc", Game::Holdem)?;
//! let equity = Query::new(Game::Holdem, vec![aces, kings]).solve(&EquityOptions::default())?;
//! assert_eq!(equity.players()[0].wins, 1_388_072);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
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
//! | `declarer` | declarer play without sight of the defenders' cards: plans and playouts |
//! | `bidding` | auctions, bidding robots, and the hands that an auction shows |
//! | `full` | all of these |
//!
//! Without features the crate has cards, uniform deals and the values of hands, and builds in seconds:
//!
//! ```
//! use croupier::{FastDealer, Key, Predeal, Seat, valuation};
//!
//! let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
//! let strong = (0..1000).filter(|&i| valuation::hcp(dealer.deal(i).hand(Seat::North)) >= 20);
//! println!("{} of the first thousand deals", strong.count());
//! ```

#[cfg(feature = "bidding")]
pub use bidding;
pub use cards;
pub use cpu;
#[cfg(feature = "declarer")]
pub use declarer;
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

mod questions;

#[cfg(feature = "solver")]
pub use questions::solve;
#[cfg(feature = "scripts")]
pub use questions::{PROBABILITY_SAMPLES, probability};
#[cfg(feature = "formats")]
pub use questions::{ReadBoardsError, read_boards};

pub use cards::notation::{hand as parse_hand, suit_holdings as parse_cards};
pub use cards::{
    BySeat, BySuit, Card, CardSet, Contract, Deal, DealError, Doubling, Hand, Holding,
    NotationError, Rank, Seat, Shape, ShapeSet, Side, Strain, Suit, TrickTable, Vulnerability,
};
pub use shuffle::{FastDealer, Key, KeyError, Predeal, PredealError, Swap};

#[cfg(feature = "bidding")]
pub use bidding::{
    Auction, AuctionError, AuctionPattern, AuctionReading, Bidding, BiddingSetting, BiddingSystem,
    BiddingTable, BoardResult, BuiltInSystem, ContradictionError, ExternalRobot, Robot, RobotError,
};
#[cfg(feature = "declarer")]
pub use declarer::{
    DeclarerAnswer, DeclarerOptions, LayoutSource, PlanOptions, PlayPlan, PlayPlanError,
    PlayQuestion, PlayoutOptions, Playouts, RankedPlay, ScriptLayouts, UniformLayouts, play_out,
    rank_plays,
};
#[cfg(feature = "scripts")]
pub use engine::Probability;
#[cfg(feature = "formats")]
pub use formats::{Board, BoardReadError, InputFormat, OutputFormat, Reader, Writer};
#[cfg(feature = "profiles")]
pub use profiles::{HandProfile, ProfileDealer};
#[cfg(feature = "records")]
pub use records::{Sheet, pdf};
#[cfg(feature = "scripts")]
pub use sampling::Count;
#[cfg(feature = "scripts")]
pub use script::expression::{
    Expression, Pair, Player, ShapesError, all_of, any_of, east, ew, north, ns, pair, player,
    south, west,
};
#[cfg(feature = "scripts")]
pub use script::plan::Plan;
#[cfg(feature = "scripts")]
pub use session::{
    AverageSums, BundledImports, Collected, ColumnName, ConditionTester, Conflict, DealExplanation,
    DefaultSettings, Diagnostic, Ended, Error, Explanation, FileLoader, FolderImports, Frequency,
    Frequency2, HandTypes, Job, JobScript, JobSpec, KeptDeal, LevelError, LoadError, Loader, Mode,
    NoDeals, Notice, Origin, Outcome, PartError, Partial, PreciseAverage, PrecisionResult,
    ProducedDeal, Progress, Run, RunSettings, SamplerUse, ScriptProbability, ScriptText, Session,
    Sink, SourceError, Supply, SupplyError, Table, TableData, UserMetrics,
};
#[cfg(feature = "solver")]
pub use solver::{
    Choice, Choices, DealCache, DecidingCards, Leads, Par, ParContract, Played, Position,
    PositionError, ReviewError, SolvedLead, Solver, SolverBatch, Swing, Team, estimate::estimate,
    par::par,
};
#[cfg(feature = "studies")]
pub use studies::{
    ContractQuestion, ContractResult, DeclaredContract, Estimate, LeadQuestion, LeadResult,
    ParseDeclaredContractError, ParsePrecisionError, Precision, Study, StudyDeals, StudyError,
    StudyExecution, StudyOptions, StudyProgress, StudyQuestion,
};
#[cfg(feature = "suits")]
pub use suits::{
    Combination, CombinationError, CombinationWeightError, Fraction, PayoffError, SuitGoal,
    SuitLine, SuitSolution, SuitSolver, VacantPlaces, WeightedCombination,
};

/// Compiles and runs the programs in docs/library.md.
#[cfg(all(doctest, feature = "studies"))]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;

/// The types that a program with a job names: `use croupier::prelude::*`.
pub mod prelude {
    pub use std::ops::ControlFlow;

    pub use cards::{Card, CardSet, Contract, Deal, Seat, Side, Strain, Suit, Vulnerability};
    #[cfg(feature = "scripts")]
    pub use script::expression::{Expression, all_of, any_of, east, ew, north, ns, south, west};
    #[cfg(feature = "scripts")]
    pub use session::{Collected, Error, Job, NoDeals, Outcome, ProducedDeal, Sink, TableData};
    pub use shuffle::{FastDealer, Key};
    #[cfg(feature = "solver")]
    pub use solver::Solver;
}

/// Compiles and runs the program in README.md.
#[cfg(all(doctest, feature = "scripts"))]
#[doc = include_str!("../README.md")]
struct Readme;
