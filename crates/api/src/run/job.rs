//! Conversion of a request to the job of the library.

use std::sync::Arc;

use croupier::Key;
use croupier::session::tournament::KeyFile;
use croupier::session::{
    DefaultSettings, Job, ParsePrecisionError, SamplerUse, Session, Supply, Swap,
};

use super::RunOptions;
use super::messages::{Mix, RunRequest};
use crate::boards;
use crate::check::{self, Check};
use crate::{RequestError, RequestLimits};

/// Returns the job of a request.
///
/// # Errors
/// If a field is wrong or exceeds a limit.
pub(super) fn job(
    request: &RunRequest,
    limits: &RequestLimits,
    options: &RunOptions,
) -> Result<Job, RequestError> {
    let script = Check {
        script: request.script.clone(),
        dialect: request.dialect,
        imports: request.imports.clone(),
        variables: request.variables.clone(),
    };
    let mut job = check::job(&script, limits)?
        .shows_deals(request.deals_only)
        .cancel(Arc::clone(&options.cancel));
    job = match options.time {
        Some(time) => job.threads(options.threads).time_limit(time),
        None => job.without_threads_or_clock(),
    };
    if let Some(seed) = request.seed.as_deref().map(str::trim) {
        job = match seed.parse::<i64>() {
            Ok(seed) => job.seed(seed),
            Err(_) => job.key(seed.parse().map_err(|_| {
                RequestError::request(format!(
                    "{:?} is not a seed: write a number, or key: and 64 hexadecimal digits",
                    boards::shortened(seed)
                ))
            })?),
        };
    } else if request.dialect.0.mode.is_v1() {
        // Without a seed the dialect v1 would take one from the clock, which browsers lack.
        job = job.seed(1);
    }
    if let Some(produce) = request.produce {
        job = job.produce(produce);
    }
    if let Some(generate) = request.generate {
        job = job.generate(generate);
    }
    if let Some(precision) = &request.precision {
        let precision = precision.parse();
        job = job.precision(
            precision
                .map_err(|error: ParsePrecisionError| RequestError::request(error.to_string()))?,
        );
    }
    for (seat, cards) in &request.predeal {
        job = job.predeal(boards::seat(seat)?, cards.as_str());
    }
    if let Some(level) = &request.level {
        job = job.level(level.as_str());
    }
    if let Some(mix) = &request.mix {
        job = mixed(job, mix, limits)?;
    }
    with_settings(supplied(job, request, limits)?, request, limits)
}

/// Returns the given key of a tournament; `None` for other runs and for a new key.
fn given_key(request: &RunRequest) -> Result<Option<KeyFile>, RequestError> {
    let text = request.tournament.as_deref().map(str::trim);
    let file = match text.filter(|&text| text != "new") {
        None => None,
        Some(text) => Some(text.parse::<KeyFile>().map_err(|error| {
            let text = boards::shortened(text);
            RequestError::request(format!(
                "{text:?} is not the key of a tournament: {error}; write \"new\", a key, or the content of a key file"
            ))
        })?),
    };
    match (
        file.as_ref().and_then(KeyFile::beacon),
        &request.beacon_value,
    ) {
        (Some(what), None) => Err(RequestError::request(format!(
            "the boards of this key depend on a public value, give it when it is known: {what}"
        ))),
        (None, Some(_)) => Err(RequestError::request(
            "a public value is for the key of a tournament that names one",
        )),
        _ => Ok(file),
    }
}

/// Returns the key of a tournament with its terms; `None` for other runs.
///
/// # Errors
/// If the commitment of the given key covers other terms than those of the run.
pub(super) fn key_file(
    request: &RunRequest,
    session: &Session,
) -> Result<Option<KeyFile>, RequestError> {
    let Some(dealt) = session.tournament_key() else {
        return Ok(None);
    };
    let terms = session.tournament_terms(false, None);
    KeyFile::agreed(given_key(request)?.as_ref(), dealt, terms)
        .map(Some)
        .map_err(|error| RequestError::request(error.to_string()))
}

/// Sets the source of the deals.
fn supplied(job: Job, request: &RunRequest, limits: &RequestLimits) -> Result<Job, RequestError> {
    match (&request.sampler, &request.tournament, &request.deals[..]) {
        (None, None, []) if request.beacon_value.is_none() => Ok(job),
        (Some(sampler), None, []) => Ok(job.sampler(match sampler.as_str() {
            "auto" => SamplerUse::Auto,
            "on" => SamplerUse::On,
            "off" => SamplerUse::Off,
            _ => return Err(RequestError::request("the sampler is auto, on or off")),
        })),
        (None, Some(_), []) => {
            let value = request.beacon_value.as_deref();
            let key = match given_key(request)? {
                Some(file) => file.dealing_key(value),
                None => Key::from_os().map_err(|error| RequestError::run(error.to_string()))?,
            };
            Ok(job.supply(Supply::Tournament(Some(key))))
        }
        (None, None, texts) if request.beacon_value.is_none() => {
            limits.boards(texts.len())?;
            let deals: Result<Vec<_>, _> = texts.iter().map(|text| boards::deal(text)).collect();
            let all = texts.len() as i64;
            let defaults = DefaultSettings {
                produce: Some(all),
                generate: Some(all),
                ..DefaultSettings::default()
            };
            Ok(job.supply(Supply::deals(deals?)).defaults(defaults))
        }
        _ => Err(RequestError::request(
            "give one of sampler, tournament and deals: a run has one source of deals, and a public value is for a tournament",
        )),
    }
}

/// Sets the systems that bid the deals.
fn with_systems(
    job: Job,
    systems: [&String; 2],
    limits: &RequestLimits,
) -> Result<Job, RequestError> {
    let open = limits.robots.ok_or_else(|| {
        RequestError::request("there are no bidding robots here: open the page of `croupier serve`")
    })?;
    let robots = open(Some(systems.map(String::as_str)))?;
    Ok(job.systems(systems.map(Clone::clone)).robots(robots))
}

/// Sets the options of the request that are passed on as they are.
fn with_settings(
    mut job: Job,
    request: &RunRequest,
    limits: &RequestLimits,
) -> Result<Job, RequestError> {
    if let Some(exchange) = request.exchange {
        let swap = Swap::from_switch(exchange.into());
        job = job.exchange(swap.map_err(|error| RequestError::request(error.to_string()))?);
    }
    if let Some(title) = &request.title {
        limits.script(title)?;
        job = job.title(title.as_str());
    }
    if let Some(dealer) = &request.dealer {
        job = job.dealer(boards::seat(dealer)?);
    }
    if let Some(vulnerable) = &request.vulnerable {
        job = job.vulnerable(boards::vulnerability(Some(vulnerable))?);
    }
    if let Some(system) = &request.bidding_system {
        let opponents = request.bidding_system_ew.as_ref().unwrap_or(system);
        job = with_systems(job, [system, opponents], limits)?;
    }
    if let Some(number) = request.first_board {
        job = job.first_board(number);
    }
    if let Some(opener) = &request.opener {
        job = job.opener(boards::seat(opener)?);
    }
    if let Some(vulnerability) = &request.par_vulnerability {
        job = job.par_vulnerability(boards::vulnerability(Some(vulnerability))?);
    }
    if let Some(seed) = request.rnd_seed {
        job = job.rnd_seed(seed);
    }
    if let Some(deals) = request.level_budget {
        job = job.level_budget(deals);
    }
    Ok(job
        .even(request.even)
        .interleave(request.interleave)
        .solve(request.solve))
}

fn mixed(mut job: Job, mix: &Mix, limits: &RequestLimits) -> Result<Job, RequestError> {
    /// Maximum number of scripts in a mix.
    const MOST: usize = 50;
    if mix.scripts.len() > MOST || mix.shares.len() != mix.scripts.len() + 1 {
        return Err(RequestError::request(
            "give a share for the script and for each script that is mixed in, at most 50",
        ));
    }
    let name = |number: usize| match mix.names.get(number) {
        Some(name) => name.clone(),
        None => format!("script {}", number + 1),
    };
    job = job.name(name(0)).share(mix.shares[0]);
    for (number, (script, share)) in (1..).zip(mix.scripts.iter().zip(&mix.shares[1..])) {
        limits.script(script)?;
        job = job.mix(name(number), script.as_str(), *share);
    }
    Ok(job)
}
