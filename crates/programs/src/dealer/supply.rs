//! Where the deals of a run come from: a generator, a library or a file of deals.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cards::{Seat, Suit};
use engine::{
    Deals, FastSource, SampledSource, SeriesDeal, SeriesSource, Source, TournamentSource,
};
use formats::Reader;
use formats::zrd::Library;
use script::plan::{Mode, Plan};
use session::Origin;
use shuffle::legacy::{LegacyDealer, LengthPredeal, V1, V2, V2Start, Variant};
use shuffle::{FastDealer, Key, Predeal, Swap};

use super::library::{LibraryFile, LibrarySource};
use super::limits::Limits;
use super::request::Request;
use crate::failure::Failure;

/// The seed of a run: as given, or fresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The number that the classic generators start from, and that a library is entered by.
    pub value: i64,
    /// Whether somebody gave it.
    pub given: bool,
    /// The key of our own generator.
    pub key: Key,
}

impl Seed {
    /// Switch before script before the clock (v1) or the operating system.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub fn of(request: &Request, plan: &Plan) -> Result<Seed, Failure> {
        let statement = plan.settings.seed.filter(|_| !request.mode.is_v1());
        let given = request.seed.or(statement.filter(|_| request.key.is_none()));
        // To v2 the seed 0 means that there is none.
        let given = given.filter(|&seed| seed != 0 || request.mode != Mode::V2);
        if let Some(value) = given {
            return Ok(Seed {
                value,
                given: true,
                key: Key::from_i64(value),
            });
        }
        let value = match request.mode {
            Mode::V1 | Mode::Exe => {
                let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                now.map_or(0, |now| now.as_secs() as i64)
            }
            Mode::V2 => V2Start::from_os().map_err(Failure::runtime)?.state() as i64,
            // All 256 bits count; see `key`.
            Mode::Native => 0,
        };
        let key = match (request.mode, request.key) {
            (Mode::Native, Some(key)) => key,
            (Mode::Native, None) => Key::from_os().map_err(Failure::runtime)?,
            _ => Key::from_i64(value),
        };
        Ok(Seed {
            value,
            given: request.key.is_some(),
            key,
        })
    }

    fn v2_start(self) -> V2Start {
        if self.given {
            V2Start::from_seed(self.value)
        } else {
            V2Start::from_state(self.value as u64)
        }
    }
}

impl std::fmt::Display for Seed {
    /// What repeats the run when it is given as the seed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.key.seed() {
            Some(_) => write!(f, "{}", self.value as u64),
            None => self.key.fmt(f),
        }
    }
}

/// A supply of deals, whatever its kind.
pub enum Supply<'a> {
    /// Numbered blocks that threads take.
    Blocks(Box<dyn Source + 'a>),
    /// A generator of a classic program.
    Classic(Box<dyn LegacyDealer + Send>),
    /// A library of solved deals.
    Library(LibrarySource<'a>, Library<'a>),
    /// Boards that people play for.
    Tournament(TournamentSource),
    /// Deals from a file or a pipe.
    File(Box<dyn Source + 'a>, Arc<AtomicU64>),
}

impl<'a> Supply<'a> {
    /// Deals that were made before.
    pub fn mixed(deals: Vec<cards::Deal>, seed: Seed) -> Supply<'a> {
        let deals = deals.into_iter().map(|deal| Ok(SeriesDeal::from(deal)));
        Supply::Blocks(Box::new(SeriesSource::new(deals).with_key(seed.key)))
    }

    /// For the engine.
    pub fn deals(&mut self) -> Deals<'_> {
        match self {
            Supply::Blocks(source) | Supply::File(source, _) => Deals::Blocks(&**source),
            Supply::Classic(dealer) => Deals::Classic(&mut **dealer),
            Supply::Library(source, _) => Deals::Blocks(source),
            Supply::Tournament(source) => Deals::Blocks(source),
        }
    }

    /// For the statistics: where the deals came from. `exhausted` says that the last question
    /// found nothing.
    pub fn origin(&self, seed: Seed, deals: u64, exhausted: bool) -> Origin {
        match self {
            Supply::Library(source, library) => Origin::Library {
                records: deals,
                wraps: source.wraps(deals, exhausted),
                start: library.start_block(),
            },
            Supply::File(..) => Origin::Given,
            Supply::Tournament(source) => Origin::Commitment(source.key.commitment()),
            _ => Origin::Seed(seed.to_string()),
        }
    }

    /// Boards of an input file that could not be read.
    pub fn bad_boards(&self) -> u64 {
        match self {
            Supply::File(_, bad) => bad.load(Ordering::Relaxed),
            _ => 0,
        }
    }
}

/// Chooses the supply. `library` is the mapped library file if the request names one.
///
/// # Errors
/// If an input file cannot be opened, or predealt cards cannot be.
pub fn choose<'a>(
    request: &Request,
    plan: &Plan,
    seed: Seed,
    limits: Limits,
    library: Option<&'a LibraryFile>,
) -> Result<Supply<'a>, Failure> {
    let key = seed.key;
    if let Some(path) = &request.input_deals {
        return input_deals(path, key);
    }
    if let Some(file) = library {
        if request.mode == Mode::V2 {
            library_discards(request, plan);
        }
        let start = if seed.given {
            u64::try_from(seed.value).unwrap_or(0)
        } else {
            0
        };
        let library = Library::new(file.bytes(), start);
        return Ok(Supply::Library(LibrarySource::new(library, key), library));
    }
    let predeal =
        Predeal::in_order(plan.predeal_order.iter().copied()).map_err(Failure::runtime)?;
    let lengths = lengths(plan)?;
    Ok(match request.mode {
        Mode::V1 => Supply::Classic(Box::new(V1::new(
            Variant::Debian,
            seed.value,
            &predeal,
            request.swap,
        ))),
        Mode::Exe => Supply::Classic(Box::new(V1::new(
            Variant::Upstream,
            seed.value,
            &predeal,
            request.swap,
        ))),
        Mode::V2 => Supply::Classic(Box::new(v2(request, plan, seed, &predeal, &lengths))),
        Mode::Native => native(request, plan, key, limits, &predeal)?,
    })
}

fn lengths(plan: &Plan) -> Result<LengthPredeal, Failure> {
    let mut lengths = LengthPredeal::NONE;
    for seat in Seat::ALL {
        for suit in Suit::ALL {
            if let Some(length) = plan.lengths[seat.index()][suit.index()] {
                lengths
                    .require(seat, suit, length)
                    .map_err(Failure::runtime)?;
            }
        }
    }
    Ok(lengths)
}

/// Library beats lengths beats cards beats swapping; v2 tells what it drops.
fn v2(
    request: &Request,
    plan: &Plan,
    seed: Seed,
    predeal: &Predeal,
    lengths: &LengthPredeal,
) -> V2 {
    let start = seed.v2_start();
    let swaps = request.swap != Swap::Off;
    if !lengths.is_empty() {
        if !predeal.is_empty() {
            warn(
                "setDealMode::Cant mix predealt cards and Bias predeal. Discarding Predeal Cards request",
            );
        }
        if swaps {
            warn(
                "setDealMode::Cant have swapping and Bias predealing. Discarding Swapping request",
            );
        }
        return V2::with_lengths(start, lengths);
    }
    if !predeal.is_empty() || plan.empty_predeal {
        if !request.predeal.is_empty() && !plan.empty_predeal {
            warn("setDealMode::Cmd Line Predeal Overrides Input File Predeal");
            if swaps {
                warn("setDealMode::Cant have swapping and predealing. Discarding Swapping request");
            }
        } else if swaps {
            warn("Cant have swapping and predealing. Discarding Swapping request");
        }
        return V2::with_predeal(start, predeal);
    }
    V2::new(start, request.swap)
}

fn library_discards(request: &Request, plan: &Plan) {
    if plan.lengths != [[None; 4]; 4] {
        warn("setDealMode::Cant have bias deals and Library mode. Discarding Bias Deal request");
    }
    if plan.predeal.iter().any(|hand| !hand.is_empty()) || plan.empty_predeal {
        warn("setDealMode::Cant have predealt cards and Library mode. Discarding Predeal request");
    }
    if request.swap != Swap::Off {
        warn("setDealMode::Cant have swapping and Library mode. Discarding Swapping request");
    }
}

fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "ERR**: {text}");
}

fn native<'a>(
    request: &Request,
    plan: &Plan,
    key: Key,
    limits: Limits,
    predeal: &Predeal,
) -> Result<Supply<'a>, Failure> {
    let has_lengths = plan.lengths != [[None; 4]; 4];
    if let Some(secret) = &request.tournament {
        if !predeal.is_empty() || has_lengths {
            return Err(Failure::usage(
                "--tournament deals whole boards: it cannot be used with a predeal",
            ));
        }
        let key = tournament_key(secret.as_deref())?;
        return Ok(Supply::Tournament(TournamentSource { key }));
    }
    let dealer = FastDealer::new(key, predeal);
    if request.swap != Swap::Off {
        if has_lengths {
            return Err(Failure::usage("-x cannot be used with predealt lengths"));
        }
        let source = FastSource::new(dealer).swapping(request.swap);
        return Ok(Supply::Blocks(Box::new(source)));
    }
    let usage = super::levelling::sampler_use(request.sampler);
    let source =
        SampledSource::new(plan, dealer, usage, limits.counts()).map_err(Failure::runtime)?;
    Ok(Supply::Blocks(Box::new(source)))
}

/// The key of a tournament: given, or from the operating system.
fn tournament_key(given: Option<&str>) -> Result<Key, Failure> {
    match given {
        None => Key::from_os().map_err(Failure::runtime),
        Some(text) if text.starts_with("key:") => text.parse().map_err(Failure::usage),
        Some(text) => format!("key:{text}").parse().map_err(Failure::usage),
    }
}

/// Deals from a file or, for `-`, from standard input.
fn input_deals<'a>(path: &Path, key: Key) -> Result<Supply<'a>, Failure> {
    let name = if path.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let input: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| {
            Failure::runtime(format!("{name}: {}", super::side_files::reason(&error)))
        })?)
    };
    let reader =
        Reader::new(input).map_err(|error| Failure::runtime(format!("{name}: {error}")))?;
    let bad = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&bad);
    let deals = reader.filter_map(move |board| match board {
        Ok(board) => match board.deal() {
            Some(deal) => Some(Ok(SeriesDeal {
                deal,
                tricks: board.tricks,
            })),
            None => {
                complain(
                    &counter,
                    &format!(
                        "{name}: line {}: not a whole deal: fewer than three hands",
                        board.line
                    ),
                );
                None
            }
        },
        Err(problem) if problem.io.is_some() => Some(Err(format!("{name}: {problem}"))),
        Err(problem) => {
            complain(&counter, &format!("{name}: {problem}"));
            None
        }
    });
    Ok(Supply::File(
        Box::new(SeriesSource::new(deals).with_key(key)),
        bad,
    ))
}

fn complain(counter: &AtomicU64, text: &str) {
    counter.fetch_add(1, Ordering::Relaxed);
    let _ = writeln!(io::stderr(), "dealer: {text}");
}
