//! Sources of the deals of a run: a generator, a library, or the caller.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use cards::{Deal, Seat, Suit};
use engine::{
    DealSource, FastSource, RunDeals, SampledSource, SamplerUse, SeriesDeal, SeriesSource,
    SourceError, TournamentSource,
};
use script::plan::{Mode, Plan};
use serde::{Deserialize, Serialize};
use shuffle::legacy::{LegacyDealer, LengthPredeal, V1, V2, Variant};
use shuffle::{FastDealer, Key, Predeal, Swap};

use crate::error::{Conflict, Error, SupplyError};
use crate::execution::ExecutionOptions;
use crate::library::LibrarySource;
use crate::outcome::Origin;
use crate::settings::{RunSettings, Seed};
use crate::spec::JobSpec;

/// The bytes of a library: a vector, or a file of which only the needed parts are read.
pub type LibraryBytes = Arc<dyn LibraryData>;

/// Access to the bytes of a library. Threads read them at the same time.
pub trait LibraryData: Send + Sync {
    /// Returns the number of bytes.
    fn size(&self) -> u64;

    /// Reads the bytes from an offset on.
    ///
    /// # Errors
    /// If they cannot be read, for example because the file has become shorter.
    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;
}

impl<T: AsRef<[u8]> + Send + Sync> LibraryData for T {
    fn size(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(at)
            .ok()
            .and_then(|at| self.as_ref().get(at..)?.get(..bytes.len()));
        bytes.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Deals that the caller supplies, read when they are needed; an error ends the run at its place.
pub type GivenDeals = Box<dyn Iterator<Item = Result<SeriesDeal, SourceError>> + Send>;

/// The source of the deals.
pub enum Supply {
    /// The generator of the dialect: in the native one uniform deals, of which the exact sampler may skip those that
    /// cannot satisfy the condition.
    Random(SamplerUse),
    /// Tournament boards from 256 secret bits; without a key, a new one is generated.
    Tournament(Option<Key>),
    /// A library of solved deals.
    Library(LibraryBytes),
    /// Deals that the caller supplies.
    Given(GivenDeals),
}

impl Supply {
    /// Supplies these deals.
    pub fn deals<D: Into<SeriesDeal>>(deals: impl IntoIterator<Item = D>) -> Supply {
        let deals: Vec<SeriesDeal> = deals.into_iter().map(Into::into).collect();
        Supply::Given(Box::new(deals.into_iter().map(Ok)))
    }

    /// Returns the serialisable part, and puts the rest into `held`.
    pub(crate) fn into_spec(self, held: &mut Held) -> SupplySpec {
        match self {
            Supply::Random(usage) => SupplySpec::Random(usage),
            Supply::Tournament(key) => SupplySpec::Tournament(key),
            Supply::Library(bytes) => {
                held.library = Some(bytes);
                SupplySpec::Library
            }
            Supply::Given(deals) => {
                held.given = Some(deals).into();
                SupplySpec::Given
            }
        }
    }
}

/// The source of the deals, as far as it can be serialised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SupplySpec {
    /// The generator of the dialect; in the native one with this use of the exact sampler.
    Random(SamplerUse),
    /// Tournament boards.
    Tournament(#[serde(with = "crate::text::optional")] Option<Key>),
    /// A library of solved deals, which the caller holds.
    Library,
    /// Deals that the caller holds.
    Given,
}

impl Default for SupplySpec {
    fn default() -> Self {
        SupplySpec::Random(SamplerUse::Auto)
    }
}

impl SupplySpec {
    /// Returns the use of the exact sampler, if it is the source of the deals.
    pub(crate) fn sampler(self) -> Option<SamplerUse> {
        match self {
            SupplySpec::Random(usage) => Some(usage),
            _ => None,
        }
    }

    /// Returns the key of a tournament, if the caller gave it.
    pub(crate) fn tournament_key(self) -> Option<Key> {
        match self {
            SupplySpec::Tournament(key) => key,
            _ => None,
        }
    }

    /// Returns whether the run makes its deals itself, so that it can predeal cards and level classes.
    pub(crate) fn makes_deals(self) -> bool {
        matches!(self, SupplySpec::Random(_) | SupplySpec::Tournament(_))
    }

    /// Returns the reason why the run cannot be divided, if the source of its deals is one.
    pub(crate) fn reason_against_parts(self) -> Option<&'static str> {
        match self {
            SupplySpec::Random(_) | SupplySpec::Tournament(Some(_)) => None,
            SupplySpec::Tournament(None) => Some("every part would have a fresh key; give one"),
            SupplySpec::Library | SupplySpec::Given => Some("its deals are not part of the job"),
        }
    }
}

/// Information about how the deals are made. A notice is not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The generate limit is larger than the library.
    GenerateBeyondLibrary {
        /// The limit that was given.
        limit: i64,
        /// Deals of the library, which replace the limit.
        deals: u64,
    },
    /// Predealt lengths are ignored: the deals come from a library.
    LibraryWithoutLengths,
    /// Predealt cards are ignored: the deals come from a library.
    LibraryWithoutPredeal,
    /// Hands are not exchanged: the deals come from a library.
    LibraryWithoutSwap,
    /// Predealt cards are ignored: lengths are predealt.
    LengthsWithoutCards,
    /// Hands are not exchanged: lengths are predealt.
    LengthsWithoutSwap,
    /// The caller's predealt cards replace the script's.
    PredealOverScript,
    /// Hands are not exchanged: the caller predeals cards.
    PredealWithoutSwap,
    /// Hands are not exchanged: the script predeals cards.
    ScriptPredealWithoutSwap,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notice::GenerateBeyondLibrary { limit, deals } => {
                return write!(f, "the library does not contain {limit} deals but {deals}");
            }
            Notice::LibraryWithoutLengths => {
                "predealt lengths are ignored: the deals come from a library"
            }
            Notice::LibraryWithoutPredeal => {
                "predealt cards are ignored: the deals come from a library"
            }
            Notice::LibraryWithoutSwap => "hands are not exchanged: the deals come from a library",
            Notice::LengthsWithoutCards => "predealt cards are ignored: lengths are predealt",
            Notice::LengthsWithoutSwap => "hands are not exchanged: lengths are predealt",
            Notice::PredealOverScript => "the script's predealt cards are replaced",
            Notice::PredealWithoutSwap | Notice::ScriptPredealWithoutSwap => {
                "hands are not exchanged: cards are predealt"
            }
        })
    }
}

/// The parts of a supply that cannot be serialised.
#[derive(Default)]
pub(crate) struct Held {
    pub library: Option<LibraryBytes>,
    pub given: Mutex<Option<GivenDeals>>,
}

/// An open source of deals.
pub(crate) enum OpenSupply {
    /// Numbered blocks, filled by all threads.
    Blocks(Box<dyn DealSource + Send>),
    /// A generator of a classic program.
    Classic(Box<dyn LegacyDealer + Send>),
    /// A library of solved deals.
    Library(LibrarySource),
    /// Tournament boards.
    Tournament(TournamentSource),
    /// Levelled tournament boards: made before the run, with their deal numbers.
    LevelledTournament(Box<dyn DealSource + Send>, Key, Vec<u64>),
    /// Deals from the caller.
    Given(Box<dyn DealSource + Send>),
}

impl OpenSupply {
    /// Creates a source of deals that were made before.
    pub fn made(deals: Vec<Deal>, key: Key, tournament: Option<(Key, Vec<u64>)>) -> OpenSupply {
        let deals = deals.into_iter().map(|deal| Ok(SeriesDeal::from(deal)));
        let source = |key| Box::new(SeriesSource::new(deals).with_key(key));
        match tournament {
            None => OpenSupply::Blocks(source(key)),
            Some((key, numbers)) => OpenSupply::LevelledTournament(source(key), key, numbers),
        }
    }

    /// Returns the key of a tournament.
    pub fn tournament_key(&self) -> Option<Key> {
        match self {
            OpenSupply::Tournament(source) => Some(source.key),
            OpenSupply::LevelledTournament(_, key, _) => Some(*key),
            _ => None,
        }
    }

    /// Returns the deal numbers of levelled tournament boards; `None` for other sources, which number their deals.
    pub fn tournament_numbers(&self) -> Option<&[u64]> {
        match self {
            OpenSupply::LevelledTournament(.., numbers) => Some(numbers),
            _ => None,
        }
    }

    /// Returns the title stored in a library, if it has one.
    pub fn title(&self) -> Option<Vec<u8>> {
        match self {
            OpenSupply::Library(source) => source.title(),
            _ => None,
        }
    }

    /// Returns the deals in the form that the engine takes.
    pub fn deals(&mut self) -> RunDeals<'_> {
        match self {
            OpenSupply::Blocks(source) | OpenSupply::Given(source) => RunDeals::Blocks(&**source),
            OpenSupply::Classic(dealer) => RunDeals::Classic(&mut **dealer),
            OpenSupply::Library(source) => RunDeals::Blocks(source),
            OpenSupply::Tournament(source) => RunDeals::Blocks(source),
            OpenSupply::LevelledTournament(source, ..) => RunDeals::Blocks(&**source),
        }
    }

    /// Returns the origin of the deals after `deals` of them. `exhausted` is whether the last request found none.
    pub fn origin(&self, settings: &RunSettings, deals: u64, exhausted: bool) -> Origin {
        match self {
            OpenSupply::Library(source) => Origin::Library {
                records: deals,
                wraps: source.wraps(deals, exhausted),
                start: source.reading().start_block(),
            },
            OpenSupply::Given(_) => Origin::Given,
            OpenSupply::Tournament(TournamentSource { key })
            | OpenSupply::LevelledTournament(_, key, _) => Origin::Commitment(key.commitment()),
            _ => Origin::Seed(settings.seed.to_string()),
        }
    }
}

/// Opens the supply of a job. Ignored settings are added to the notices.
pub(crate) fn open(
    spec: &JobSpec,
    held: &Held,
    plan: &Plan,
    settings: &RunSettings,
    execution: &ExecutionOptions,
    notices: &mut Vec<Notice>,
) -> Result<OpenSupply, Error> {
    let seed = settings.seed;
    match spec.supply {
        SupplySpec::Given => {
            let given = held.given.lock().ok().and_then(|mut given| given.take());
            let given = given.ok_or(SupplyError::GivenDealsUsed)?;
            let source = SeriesSource::new(given).with_key(seed.key);
            return Ok(OpenSupply::Given(Box::new(source)));
        }
        SupplySpec::Library => {
            let bytes = held.library.clone();
            let bytes = bytes.ok_or(SupplyError::NoLibrary)?;
            if spec.dialect == Mode::V2 {
                library_discards(spec, plan, notices);
            }
            let start = u64::try_from(seed.value).ok().filter(|_| seed.given);
            let mut source = LibrarySource::new(bytes, start.unwrap_or(0), seed.key)?;
            if spec.dialect == Mode::Native {
                source = source.without_unsolved_tricks()?;
            }
            return Ok(OpenSupply::Library(source));
        }
        SupplySpec::Random(_) | SupplySpec::Tournament(_) => {}
    }
    let predeal =
        Predeal::in_order(plan.predeal_order.iter().copied()).map_err(SupplyError::Predeal)?;
    let lengths = lengths(plan)?;
    let v1 = |variant| V1::new(variant, seed.value, &predeal, spec.exchange);
    Ok(match spec.dialect {
        Mode::V1 => OpenSupply::Classic(Box::new(v1(Variant::Debian))),
        Mode::Exe => OpenSupply::Classic(Box::new(v1(Variant::Upstream))),
        Mode::V2 => OpenSupply::Classic(Box::new(v2(
            spec,
            plan,
            settings.seed,
            (&predeal, &lengths),
            notices,
        ))),
        Mode::Native => native(spec, plan, settings, execution, &predeal)?,
    })
}

fn lengths(plan: &Plan) -> Result<LengthPredeal, Error> {
    let mut lengths = LengthPredeal::NONE;
    for seat in Seat::ALL {
        for suit in Suit::ALL {
            if let Some(length) = plan.lengths[seat][suit] {
                lengths
                    .require(seat, suit, length)
                    .map_err(SupplyError::Lengths)?;
            }
        }
    }
    Ok(lengths)
}

/// Opens the source of DealerV2's dialect. Predealt lengths override predealt cards, which override swapping.
fn v2(
    spec: &JobSpec,
    plan: &Plan,
    seed: Seed,
    (predeal, lengths): (&Predeal, &LengthPredeal),
    notices: &mut Vec<Notice>,
) -> V2 {
    let start = seed.v2_start();
    let swaps = spec.exchange != Swap::Off;
    let mut note = |applies: bool, notice| notices.extend(applies.then_some(notice));
    if !lengths.is_empty() {
        note(!predeal.is_empty(), Notice::LengthsWithoutCards);
        note(swaps, Notice::LengthsWithoutSwap);
        return V2::with_lengths(start, lengths);
    }
    if !predeal.is_empty() || plan.empty_predeal {
        let by_caller = spec.predeal.values().any(Option::is_some) && !plan.empty_predeal;
        note(by_caller, Notice::PredealOverScript);
        note(by_caller && swaps, Notice::PredealWithoutSwap);
        note(!by_caller && swaps, Notice::ScriptPredealWithoutSwap);
        return V2::with_predeal(start, predeal);
    }
    V2::new(start, spec.exchange)
}

fn library_discards(spec: &JobSpec, plan: &Plan, notices: &mut Vec<Notice>) {
    let cards = plan.predeals_cards() || plan.empty_predeal;
    let mut note = |applies: bool, notice| notices.extend(applies.then_some(notice));
    note(plan.predeals_lengths(), Notice::LibraryWithoutLengths);
    note(cards, Notice::LibraryWithoutPredeal);
    note(spec.exchange != Swap::Off, Notice::LibraryWithoutSwap);
}

/// Returns the key of a tournament, whose deals are whole boards: the given one or a new one.
pub(crate) fn whole_boards(plan: &Plan, key: Option<Key>) -> Result<Key, Error> {
    if plan.predeals_cards() || plan.predeals_lengths() {
        return Err(Conflict::TournamentWithPredeal.into());
    }
    let fresh = || Key::from_os().map_err(|error| SupplyError::Key(error).into());
    key.map_or_else(fresh, Ok)
}

fn native(
    spec: &JobSpec,
    plan: &Plan,
    settings: &RunSettings,
    execution: &ExecutionOptions,
    predeal: &Predeal,
) -> Result<OpenSupply, Error> {
    if let SupplySpec::Tournament(key) = spec.supply {
        if spec.exchange != Swap::Off {
            return Err(Conflict::SwapNeedsPlainDeals.into());
        }
        let key = whole_boards(plan, key)?;
        return Ok(OpenSupply::Tournament(TournamentSource { key }));
    }
    let usage = spec.supply.sampler().unwrap_or(SamplerUse::Off);
    let dealer = FastDealer::new(settings.seed.key, predeal);
    if spec.exchange != Swap::Off {
        if plan.predeals_lengths() {
            return Err(Conflict::SwapWithLengths.into());
        }
        // The exchange would move predealt cards to another seat.
        let moved = |&seat: &Seat| spec.exchange.exchanges(seat) && !plan.predeal[seat].is_empty();
        if let Some(seat) = Seat::ALL.into_iter().find(moved) {
            return Err(Conflict::SwapWithPredeal(seat).into());
        }
        let source = FastSource::new(dealer).swapping(spec.exchange);
        return Ok(OpenSupply::Blocks(reseeded(spec, Box::new(source))));
    }
    let limits = settings.limits.counts();
    let source =
        SampledSource::new(plan, dealer, usage, limits).map_err(SupplyError::PredealtLengths)?;
    let source = source
        .within(execution.time_limit)
        .with_user_metrics(execution.metrics.as_deref());
    Ok(OpenSupply::Blocks(reseeded(spec, Box::new(source))))
}

/// Gives `rnd` a seed of its own if the caller requests one; the deals stay the same.
fn reseeded(spec: &JobSpec, source: Box<dyn DealSource + Send>) -> Box<dyn DealSource + Send> {
    match spec.rnd_seed {
        None => source,
        Some(seed) => Box::new(Reseeded {
            source,
            key: Key::from_i64(seed),
        }),
    }
}

/// A source whose `rnd` has a seed of its own.
struct Reseeded {
    source: Box<dyn DealSource + Send>,
    key: Key,
}

impl DealSource for Reseeded {
    fn fill(&self, number: u64, batch: &mut engine::Batch) {
        self.source.fill(number, batch);
    }

    fn fill_unless(&self, number: u64, batch: &mut engine::Batch, stop: &dyn Fn() -> bool) -> bool {
        self.source.fill_unless(number, batch, stop)
    }

    fn random(&self) -> (Key, shuffle::Stream) {
        (self.key, self.source.random().1)
    }

    fn block_of(&self, number: u64) -> u64 {
        self.source.block_of(number)
    }

    fn numbers_are_consecutive(&self, block: u64, stop: &dyn Fn() -> bool) -> bool {
        self.source.numbers_are_consecutive(block, stop)
    }

    fn has_tricks(&self) -> bool {
        self.source.has_tricks()
    }
}
