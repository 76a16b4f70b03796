//! Conversion of a request to a job.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use croupier::session::{DefaultSettings, Job, JobSpec, MixedScript, Mode, SupplySpec};

use super::input::InputDeals;
use super::library::LibraryFile;
use super::reading::read_script;
use super::request::{Request, Tournament};
use crate::failure::Failure;
use crate::scripts;

/// Files from which a job takes deals.
#[derive(Default)]
pub struct Sources {
    /// A library of solved deals.
    pub library: Option<LibraryFile>,
    /// Deals of a file or pipe.
    pub input: Option<InputDeals>,
}

/// Returns the job of a request.
///
/// # Errors
/// If a script cannot be read or the shares of several scripts are invalid.
pub fn job(request: &Request, sources: Sources, cancel: Arc<AtomicBool>) -> Result<Job, Failure> {
    let (name, text) = read_script(request.scripts.first(), request.mode)?;
    let mut spec = spec(request);
    spec.name = name;
    spec.script = text.into();
    if request.scripts.len() > 1 {
        let shares = shares(request.mix.as_deref(), request.scripts.len())?;
        spec.share = shares[0];
        for (script, share) in request.scripts.iter().zip(shares).skip(1) {
            spec.mix.push(mixed(script, share, request.mode)?);
        }
    }
    let mut job = Job::from_spec(spec)
        .imports(scripts::IMPORTS)
        .threads(crate::threads::affordable(request.threads))
        .batch(request.batch)
        .solver_memory(request.solver_memory)
        .cancel(cancel);
    if let Some(library) = sources.library {
        job = job.supply(croupier::session::Supply::Library(Arc::new(library)));
    }
    if let Some(input) = sources.input {
        job = job.supply(croupier::session::Supply::Given(input.deals));
    }
    let dealing = request.time_limit.map(Duration::from_secs);
    if let Some(limit) = dealing.into_iter().chain(request.limits.duration()).min() {
        job = job.time_limit(limit);
    }
    Ok(job)
}

fn spec(request: &Request) -> JobSpec {
    let mut spec = JobSpec {
        dialect: request.mode,
        dealer3: request.dealer3,
        variables: request.variables.clone(),
        seed: request.seed,
        key: request.key,
        produce: request.produce,
        generate: request.generate,
        shows_deals: request.format.is_some(),
        swap: request.swap,
        supply: match request.tournament {
            None => SupplySpec::Random(request.sampler.usage()),
            Some(Tournament::Fresh) => SupplySpec::Tournament(None),
            Some(Tournament::Of(key)) => SupplySpec::Tournament(Some(key)),
        },
        opener: request.opener,
        vulnerability: request.par_vulnerability,
        solve: request.solve
            || request.zrd.as_ref().is_some_and(|file| !file.unsolved)
            || request
                .format
                .is_some_and(|format| format.names.contains(&"zrd")),
        title: request.title.clone().map(Into::into),
        dealer: request.dealer,
        vulnerable: request.vulnerable,
        level: request.level.clone(),
        even: request.even,
        level_budget: request.level_budget,
        interleave: request.interleave,
        rnd_seed: request.rnd_seed,
        ..JobSpec::default()
    };
    for (seat, cards) in &request.predeal {
        spec.predeal[*seat] = Some(cards.clone());
    }
    if request.precision.is_some() {
        // The precision ends the run.
        spec.usual.produce = Some(i64::MAX);
    }
    if request.inquiry.is_some() {
        // The answer to a question must not depend on a random seed.
        spec.usual = DefaultSettings {
            seed: Some(1),
            ..DefaultSettings::default()
        };
    }
    spec
}

fn mixed(script: &OsString, share: u64, mode: Mode) -> Result<MixedScript, Failure> {
    let (name, text) = read_script(Some(script), mode)?;
    Ok(MixedScript {
        name,
        script: text.into(),
        share,
    })
}

/// Parses `2:1` for this number of scripts; `None` means equal shares.
fn shares(text: Option<&str>, scripts: usize) -> Result<Vec<u64>, Failure> {
    let Some(text) = text else {
        return Ok(vec![1; scripts]);
    };
    let share = |part: &str| {
        let share = part.trim().parse().ok();
        share.filter(|&share| share > 0 && share <= 1_000_000)
    };
    let shares: Option<Vec<u64>> = text.split(':').map(share).collect();
    match shares {
        Some(shares) if shares.len() == scripts => Ok(shares),
        _ => Err(Failure::usage(format!(
            "--mix: {text:?} must give {scripts} numbers with colons between, one for each script"
        ))),
    }
}
