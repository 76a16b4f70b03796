//! Deals in wanted proportions: the classes of one script (`--level`), or several scripts (`--mix`).

use std::fmt::Write as _;
use std::io::{self, Write as _};

use engine::mixture::{self, CLASS_PREFIX, Kind, Mixture};
use engine::{Deals, FastSource, NoDeals, Options, SamplerUse};
use script::plan::{NodeId, Plan};
use shuffle::{FastDealer, Key, Predeal};

use super::request::Sampler;
use crate::failure::Failure;

/// One class of deals and how many parts of all it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Name, without the prefix.
    pub name: String,
    /// Its condition.
    pub node: NodeId,
    /// Its share.
    pub share: u64,
}

/// Reads `Game=2,Slam=1` against the variables of the script; an empty text means all classes of the
/// script in equal shares.
///
/// # Errors
/// If a name is unknown, a share is no number, or there is no class.
pub fn classes(plan: &Plan, text: &str) -> Result<Vec<Class>, Failure> {
    let by_prefix = mixture::classes(plan);
    if text.trim().is_empty() {
        if by_prefix.is_empty() {
            return Err(Failure::runtime(format!(
                "--level: the script has no variable whose name begins with {CLASS_PREFIX}; name the classes: --level A=1,B=1"
            )));
        }
        return Ok(by_prefix
            .into_iter()
            .map(|(name, node)| Class {
                name,
                node,
                share: 1,
            })
            .collect());
    }
    text.split(',')
        .map(|part| one_class(plan, &by_prefix, part.trim()))
        .collect()
}

fn one_class(plan: &Plan, by_prefix: &[(String, NodeId)], part: &str) -> Result<Class, Failure> {
    let (name, share) = part.split_once('=').unwrap_or((part, "1"));
    let share: u64 = share
        .trim()
        .parse()
        .ok()
        .filter(|&share| (1..=1_000_000).contains(&share))
        .ok_or_else(|| {
            Failure::usage(format!("--level: {share:?} is not a share; write {name}=2"))
        })?;
    let name = name.trim();
    let named = by_prefix
        .iter()
        .find(|(other, _)| other == name)
        .map(|(_, node)| *node);
    let node = named.or_else(|| plan.variables.iter().find(|v| v.name == name).map(|v| v.value)).ok_or_else(|| {
        let known: Vec<&str> = by_prefix.iter().map(|(name, _)| name.as_str()).collect();
        Failure::runtime(format!(
            "--level: the script has no variable {CLASS_PREFIX}{name} or {name}; its classes are: {}",
            if known.is_empty() { "none".into() } else { known.join(", ") }
        ))
    })?;
    Ok(Class {
        name: name.into(),
        node,
        share,
    })
}

/// Reads `2:1` for this many scripts; nothing means equal shares.
///
/// # Errors
/// If there are not as many shares as scripts.
pub fn shares(text: Option<&str>, scripts: usize) -> Result<Vec<u64>, Failure> {
    let Some(text) = text else {
        return Ok(vec![1; scripts]);
    };
    let shares: Option<Vec<u64>> = text
        .split(':')
        .map(|part| {
            part.trim()
                .parse()
                .ok()
                .filter(|&share| share > 0 && share <= 1_000_000)
        })
        .collect();
    match shares {
        Some(shares) if shares.len() == scripts => Ok(shares),
        _ => Err(Failure::usage(format!(
            "--mix: {text:?} must give {scripts} numbers with colons between, one for each script"
        ))),
    }
}

/// How the exact sampler is to be used.
pub fn sampler_use(sampler: Sampler) -> SamplerUse {
    match sampler {
        Sampler::Auto => SamplerUse::Auto,
        Sampler::On => SamplerUse::On,
        Sampler::Off => SamplerUse::Off,
    }
}

/// The kinds of `--level`: the script narrowed to each class.
pub fn kinds_of_classes(plan: &Plan, classes: &[Class]) -> Vec<Kind> {
    classes
        .iter()
        .map(|class| Kind {
            name: class.name.clone(),
            share: class.share,
            plan: mixture::narrowed(plan, class.node),
        })
        .collect()
}

/// Deals the kinds, as many as are to be produced, in random order without clusters.
///
/// # Errors
/// If a kind is too rare for the generate limit or cannot be dealt at all.
pub fn deal(
    kinds: &[Kind],
    key: &Key,
    sampler: Sampler,
    options: &Options<'_>,
) -> Result<Mixture, Failure> {
    let shares: Vec<u64> = kinds.iter().map(|kind| kind.share).collect();
    let order = mixture::evenly(key, &shares, options.produce);
    mixture::mix(kinds, &order, key, sampler_use(sampler), options).map_err(Failure::runtime)
}

/// Shows natural share, target and result of each kind on standard error.
pub fn report(kinds: &[Kind], mixture: &Mixture, overlaps: Option<&[u64]>) {
    let text = report_text(kinds, mixture, overlaps);
    let _ = io::stderr().write_all(text.as_bytes());
}

fn report_text(kinds: &[Kind], mixture: &Mixture, overlaps: Option<&[u64]>) -> String {
    let rates: Vec<f64> = mixture
        .results
        .iter()
        .map(|result| result.produced as f64 / result.generated.max(1) as f64)
        .collect();
    let (all, shares): (f64, u64) = (
        rates.iter().sum(),
        kinds.iter().map(|kind| kind.share).sum(),
    );
    let total = mixture.deals.len().max(1) as f64;
    let mut text =
        String::from("class                 probability  natural   target   result   deals\n");
    for (number, kind) in kinds.iter().enumerate() {
        let count = mixture
            .deals
            .iter()
            .filter(|(own, _)| *own == number)
            .count();
        let _ = writeln!(
            text,
            "{:<20} {:>12.6} {:>7.2}% {:>7.2}% {:>7.2}% {count:>7}",
            kind.name,
            rates[number],
            100.0 * rates[number] / all.max(f64::MIN_POSITIVE),
            100.0 * kind.share as f64 / shares as f64,
            100.0 * count as f64 / total,
        );
    }
    for (kind, &overlap) in kinds.iter().zip(overlaps.unwrap_or_default()) {
        if overlap > 0 {
            let _ = writeln!(
                text,
                "overlap: {overlap} deals of {} belong to another class too",
                kind.name
            );
        }
    }
    text
}

/// Deals looked at to measure how often the classes occur.
const TRIAL: u64 = 4_000_000;

/// Hits in a trial below which the levelled run itself tells the frequency better.
const FEW_HITS: u64 = 1_000;

/// How often each class occurs among all deals.
fn rates(
    kinds: &[Kind],
    mixture: &Mixture,
    key: &Key,
    options: &Options<'_>,
) -> Result<Vec<f64>, Failure> {
    let rate = |kind: &Kind, result: &mixture::KindResult| {
        let plan = kind.plan.clone().without_actions();
        let predeal = Predeal::new(plan.predeal).map_err(Failure::runtime)?;
        let source = FastSource::new(FastDealer::new(*key, &predeal));
        let limits = Options {
            generate: TRIAL,
            produce: u64::MAX,
            ..options.clone()
        };
        let trial = engine::run(&plan, Deals::Blocks(&source), &limits, &mut NoDeals)
            .map_err(Failure::runtime)?;
        let (hits, deals) = if trial.produced < FEW_HITS {
            (result.produced, result.generated)
        } else {
            (trial.produced, trial.generated)
        };
        Ok(hits as f64 / deals.max(1) as f64)
    };
    kinds
        .iter()
        .zip(&mixture.results)
        .map(|(kind, result)| rate(kind, result))
        .collect()
}

/// The script with keep rates in its condition, for programs that cannot level.
///
/// # Errors
/// If an expression fails while the rates are measured.
pub fn leveled_script(
    source: &[u8],
    plan: &Plan,
    classes: &[Class],
    (kinds, mixture): (&[Kind], &Mixture),
    key: &Key,
    options: &Options<'_>,
) -> Result<Vec<u8>, Failure> {
    let rates = rates(kinds, mixture, key, options)?;
    let shares: Vec<u64> = classes.iter().map(|class| class.share).collect();
    let keep = mixture::keep_rates(&rates, &shares);
    let mut text = source.to_vec();
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    let mut choice = String::from("0");
    for (class, keep) in classes.iter().zip(&keep).rev() {
        let variable = plan
            .variables
            .iter()
            .find(|variable| {
                variable.value == class.node
                    && (variable.name == class.name || variable.name.ends_with(&class.name))
            })
            .map_or_else(
                || plan.expression(class.node),
                |variable| variable.name.clone(),
            );
        choice = format!("({variable}) ? rnd(1000000) < {keep} : {choice}");
    }
    let condition = plan
        .condition
        .map_or("1".into(), |condition| plan.expression(condition));
    text.extend_from_slice(
        format!("// Levelled by croupier: each class is kept by its rate in millionths.\ncondition ({condition}) and ({choice})\n").as_bytes(),
    );
    Ok(text)
}
