//! Deals in given proportions: the classes of one script, or several scripts mixed.

mod classes;
mod markers;

use cards::Deal;
use engine::mixture::{self, Component, Mixture};
use engine::{Ended, NoDeals, Options, RunDeals, SampledSource, SamplerUse, TournamentSource};
use script::plan::{Mode, NodeId, Plan};
use serde::{Deserialize, Serialize};
use shuffle::{FastDealer, Key, Predeal, Swap};

use self::classes::{Class, Classes};
use crate::error::{Conflict, Error, LevelError, SupplyError};
use crate::run::located;
use crate::session::Session;
use crate::settings::DealLimits;
use crate::supply;
use crate::supply::SupplySpec;

/// The result of a levelled or mixed run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mixed {
    /// The classes or scripts.
    pub kinds: Vec<ComponentShare>,
    /// The reason why it ended before all deals were found, if it did.
    pub interrupted: Option<Ended>,
    /// Number of deals generated, if all components were taken from the same deals.
    #[serde(default)]
    pub common: Option<u64>,
    /// Component of each deal of the run, in order: positions in `kinds`. Not part of reports.
    #[serde(skip)]
    pub kind_of_deal: Vec<usize>,
}

/// The result for one class or script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComponentShare {
    /// Name of the class or script.
    pub name: String,
    /// Requested share, relative to the sum of all shares.
    pub share: u64,
    /// Deals generated to find those of this class or script.
    pub generated: u64,
    /// Deals found.
    pub produced: u64,
    /// Deals of the run.
    pub deals: u64,
    /// Number of the deals that belong to another class too; `None` for scripts.
    pub overlap: Option<u64>,
    /// Exact probability, if it was counted; otherwise `produced` of `generated` estimates it.
    pub probability: Option<f64>,
}

impl ComponentShare {
    /// Returns the natural frequency: the counted probability twice, or the ends of a 95 % interval.
    #[must_use]
    pub fn natural(&self) -> (f64, f64) {
        let trial = engine::Trial {
            passed: self.produced,
            tried: self.generated,
        };
        match self.probability {
            Some(exact) => (exact, exact),
            None if self.generated == 0 => (0.0, 1.0),
            None => trial.interval(crate::interval::CONFIDENCE),
        }
    }
}

impl Mixed {
    /// Returns the number of deals generated for all components.
    #[must_use]
    pub fn generated(&self) -> u64 {
        let each = || self.kinds.iter().map(|kind| kind.generated).sum();
        self.common.unwrap_or_else(each)
    }

    fn new(
        kinds: &[Component],
        mixture: &Mixture,
        overlaps: Option<Vec<u64>>,
        counted: &[Option<f64>],
    ) -> Mixed {
        let count = |number| {
            mixture
                .deals
                .iter()
                .filter(|(kind, _)| *kind == number)
                .count()
        };
        let kinds = kinds.iter().zip(&mixture.results).enumerate();
        Mixed {
            kinds: kinds
                .map(|(number, (kind, result))| ComponentShare {
                    name: kind.name.clone(),
                    share: kind.share,
                    generated: result.generated,
                    produced: result.produced,
                    deals: count(number) as u64,
                    overlap: overlaps.as_ref().map(|overlaps| overlaps[number]),
                    probability: match &result.counted {
                        Some(count) => Some(count.probability()),
                        None => counted.get(number).copied().flatten(),
                    },
                })
                .collect(),
            interrupted: mixture.interrupted,
            common: None,
            kind_of_deal: mixture.deals.iter().map(|(kind, _)| *kind).collect(),
        }
    }
}

/// Returns the classes that a session levels, if it does.
fn classes_of(session: &Session) -> Result<Option<Classes>, Error> {
    let (spec, plan) = (&session.spec, &session.plan);
    let levels_itself = plan.mode == Mode::Native
        && spec.mix.is_empty()
        && !spec.as_dealt
        && spec.supply.makes_deals();
    let by_script = plan.settings.level.as_deref().filter(|_| levels_itself);
    let text = spec.level.as_deref().or(by_script);
    let read = |text: &str| Classes::read(plan, text, spec.dealer3);
    Ok(text.map(read).transpose()?)
}

/// The classes of a levelled run one by one, with the probability of each that can be counted.
struct Cells {
    cells: Vec<Class>,
    counted: Vec<Option<f64>>,
}

impl Cells {
    /// Adjusts the shares for pairs of crossed classes that are impossible.
    fn new(plan: &Plan, classes: &Classes) -> Result<Cells, Error> {
        let mut cells = classes.cells();
        let count = |class: &Class| {
            let count = mixture::counted(&narrowed(plan, class).without_actions());
            count.map(|count| count.probability())
        };
        let mut counted: Vec<Option<f64>> = cells.iter().map(count).collect();
        let possible: Vec<bool> = counted.iter().map(|&it| it != Some(0.0)).collect();
        if let Classes::Crossed(rows, columns) = classes
            && possible.contains(&false)
        {
            let shares = |classes: &[Class]| -> Vec<u64> {
                classes.iter().map(|class| class.share).collect()
            };
            let Some(fitted) = mixture::fitted(&shares(rows), &shares(columns), &possible) else {
                let missing = cells
                    .iter()
                    .zip(&possible)
                    .filter(|(_, possible)| !**possible);
                let names = missing.map(|(class, _)| class.name.clone()).collect();
                return Err(LevelError::Impossible(names).into());
            };
            for (class, share) in cells.iter_mut().zip(&fitted) {
                class.share = *share;
            }
            let mut kept = fitted.iter().map(|&share| share > 0);
            counted.retain(|_| kept.next().unwrap_or(true));
            cells.retain(|class| class.share > 0);
        }
        Ok(Cells { cells, counted })
    }
}

fn narrowed(plan: &Plan, class: &Class) -> Plan {
    let nodes = class.nodes.iter();
    nodes.fold(plan.clone(), |plan, &node| plan.narrowed(node))
}

/// The deals of a levelled or mixed run.
pub(crate) struct Made {
    pub mixed: Mixed,
    pub deals: Vec<Deal>,
    /// The class or script of each deal, if their numbers are fixed.
    pub components: Vec<usize>,
    /// For a tournament: its key, and the numbers of the deals.
    pub tournament: Option<(Key, Vec<u64>)>,
}

/// Makes the deals of a levelled or mixed run, if the session is one.
pub(crate) fn mix(session: &Session) -> Result<Option<Made>, Error> {
    let (spec, plan) = (&session.spec, &session.plan);
    let classes = classes_of(session)?;
    let mixes = classes.is_some() || !spec.mix.is_empty() || spec.interleave;
    if mixes && spec.exchange != Swap::Off {
        return Err(Conflict::SwapNeedsPlainDeals.into());
    }
    let classes = classes.map(|classes| Cells::new(plan, &classes));
    let classes = classes.transpose()?;
    if let (SupplySpec::Tournament(key), Some(classes)) = (spec.supply, &classes) {
        return for_a_tournament(session, classes, key).map(Some);
    }
    let mut kinds = match &classes {
        Some(classes) => kinds_of_classes(plan, &classes.cells),
        None if !spec.mix.is_empty() => kinds_of_scripts(session),
        None if spec.interleave => return interleaved(session).map(Some),
        None => return Ok(None),
    };
    let usage = spec.supply.sampler().unwrap_or(SamplerUse::Auto);
    let options = options(session);
    let key = &session.settings.seed.key;
    let counted = classes.as_ref().map(|classes| classes.counted.clone());
    let counted = counted.unwrap_or_default();
    if let Some(budget) = spec.level_budget.filter(|_| classes.is_some()) {
        shares_within_budget(&mut kinds, &counted, budget, key, &options)?;
    }
    let shares: Vec<u64> = kinds.iter().map(|kind| kind.share).collect();
    let order = match spec.even {
        true => mixture::evenly(key, &shares, options.produce),
        false => mixture::shuffled(key, &shares, options.produce),
    };
    let unlimited =
        DealLimits::given_generate(spec, plan).is_none() && spec.defaults.generate.is_none();
    let dealing = Options {
        generate: match unlimited {
            true => u64::MAX,
            false => options.generate,
        },
        ..options.clone()
    };
    let mixture = mixture::mix(&kinds, &order, key, usage, &dealing).map_err(Error::Mixture)?;
    let nodes = classes.map(|classes| -> Vec<Vec<NodeId>> {
        let cells = classes.cells.into_iter();
        cells.map(|class| class.nodes).collect()
    });
    let overlaps = nodes.map(|nodes| mixture::overlaps(plan, &nodes, &mixture.deals, &options));
    let mixed = Mixed::new(&kinds, &mixture, overlaps, &counted);
    let (components, deals) = mixture.deals.into_iter().unzip();
    Ok(Some(Made {
        mixed,
        deals,
        components,
        tournament: None,
    }))
}

/// Makes verifiable boards of classes: the key decides the order of the classes, and each takes the next of its deals
/// from the stream of the tournament.
fn for_a_tournament(session: &Session, classes: &Cells, key: Option<Key>) -> Result<Made, Error> {
    let (spec, plan, options) = (&session.spec, &session.plan, options(session));
    if spec.level_budget.is_some() {
        return Err(Conflict::TournamentWithBudget.into());
    }
    let key = supply::whole_boards(plan, key)?;
    let shares: Vec<u64> = classes.cells.iter().map(|class| class.share).collect();
    let order = match spec.even {
        true => mixture::evenly(&key, &shares, options.produce),
        false => mixture::shuffled(&key, &shares, options.produce),
    };
    let named = classes.cells.iter();
    let named: Vec<_> = named
        .map(|class| (class.name.clone(), class.nodes.clone()))
        .collect();
    let source = TournamentSource { key };
    let found =
        mixture::in_order(plan, &named, &order, &source, &options).map_err(Error::Mixture)?;
    let boards = |class: usize| found.boards.iter().filter(|board| board.0 == class).count() as u64;
    let kinds = classes.cells.iter().zip(&classes.counted).enumerate();
    let kinds = kinds.map(|(number, (class, counted))| ComponentShare {
        name: class.name.clone(),
        share: class.share,
        generated: found.generated,
        produced: found.met[number],
        deals: boards(number),
        overlap: None,
        probability: *counted,
    });
    let numbers = found.boards.iter().map(|&(_, number, _)| number).collect();
    Ok(Made {
        mixed: Mixed {
            kinds: kinds.collect(),
            interrupted: found.interrupted,
            common: Some(found.generated),
            kind_of_deal: found.boards.iter().map(|&(kind, ..)| kind).collect(),
        },
        deals: found.boards.iter().map(|&(.., deal)| deal).collect(),
        components: found.boards.iter().map(|&(class, ..)| class).collect(),
        tournament: Some((key, numbers)),
    })
}

/// Deals without levelling, then spreads the classes of the script evenly.
fn interleaved(session: &Session) -> Result<Made, Error> {
    let plan = Plan::clone(&session.plan).without_actions();
    let types = mixture::hand_types(&plan);
    if types.is_empty() {
        return Err(LevelError::NoClasses.into());
    }
    let options = options(session);
    let key = &session.settings.seed.key;
    let source = source_of(&plan, key, SamplerUse::Auto, &options)?;
    let mut deals: Vec<Deal> = Vec::new();
    let mut keep = |deal: &engine::ProducedDeal<'_>| {
        deals.push(deal.deal);
        std::ops::ControlFlow::Continue(())
    };
    let report = engine::run(&plan, RunDeals::Blocks(&source), &options, &mut keep)
        .map_err(|error| located(&plan, error))?;
    let nodes: Vec<NodeId> = types.iter().map(|(_, node)| *node).collect();
    let classes = mixture::class_of_each(&plan, &nodes, &deals, &options);
    let order = mixture::interleaved(&classes);
    let count = |number| classes.iter().filter(|&&c| c == Some(number)).count() as u64;
    let kinds = types
        .iter()
        .enumerate()
        .map(|(number, (name, _))| ComponentShare {
            name: name.clone(),
            share: count(number),
            generated: report.generated,
            produced: count(number),
            deals: count(number),
            overlap: None,
            probability: None,
        });
    let mixed = Mixed {
        kinds: kinds.collect(),
        interrupted: match report.ended {
            Ended::Cancelled | Ended::TimedOut => Some(report.ended),
            _ => None,
        },
        common: Some(report.generated),
        // A deal without a class has the number after the last class.
        kind_of_deal: order
            .iter()
            .map(|&place| classes[place].unwrap_or(types.len()))
            .collect(),
    };
    Ok(Made {
        mixed,
        deals: order.into_iter().map(|place| deals[place]).collect(),
        components: Vec::new(),
        tournament: None,
    })
}

/// Returns uniform deals with the predealt cards and lengths of a plan.
fn source_of(
    plan: &Plan,
    key: &Key,
    usage: SamplerUse,
    options: &Options<'_>,
) -> Result<SampledSource, Error> {
    let predeal = Predeal::new(plan.predeal).map_err(SupplyError::Predeal)?;
    let dealer = FastDealer::new(*key, &predeal);
    let limits = (options.generate, options.produce);
    let source =
        SampledSource::new(plan, dealer, usage, limits).map_err(SupplyError::PredealtLengths)?;
    Ok(source.with_user_metrics(options.user_metrics))
}

fn options(session: &Session) -> Options<'_> {
    let (generate, produce) = session.settings.limits.counts();
    let limit = session
        .execution
        .time_limit
        .filter(|_| session.execution.clock);
    Options {
        generate,
        produce,
        threads: session.execution.threads,
        batch: session.execution.batch,
        solver_memory: session.execution.solver_memory,
        time_limit: limit.map(engine::TimeLimit::Always),
        cancel: Some(&session.execution.cancel),
        par_vulnerability: session.settings.par_vulnerability,
        opener: session.settings.opener,
        user_metrics: session.execution.metrics.as_deref(),
        auctions: session.settings.auctions(&session.execution),
        ..Options::default()
    }
}

/// Returns for each class a component with the script restricted to it.
fn kinds_of_classes(plan: &Plan, classes: &[Class]) -> Vec<Component> {
    let kind = |class: &Class| Component {
        name: class.name.clone(),
        share: class.share,
        plan: narrowed(plan, class),
    };
    classes.iter().map(kind).collect()
}

/// Returns every script as a component of the mixture.
fn kinds_of_scripts(session: &Session) -> Vec<Component> {
    let spec = &session.spec;
    let first = Component {
        name: spec.name.clone(),
        share: spec.share.max(1),
        plan: Plan::clone(&session.plan),
    };
    let others = spec.mix.iter().zip(&session.mixed);
    let others = others.map(|(script, plan)| Component {
        name: script.name.clone(),
        share: script.share.max(1),
        plan: plan.clone(),
    });
    std::iter::once(first).chain(others).collect()
}

/// Number of deals generated to measure how often the classes occur.
const TRIAL: u64 = 4_000_000;

/// Number of hits in a trial below which the levelled run itself gives a better estimate.
const FEW_HITS: u64 = 1_000;

impl Session {
    /// Returns the script with keep rates in its condition, for programs that cannot level. `mixed` is the result of
    /// the run.
    ///
    /// # Errors
    /// If the session levels nothing, or an expression fails while the rates are measured.
    pub fn leveled_script(&self, mixed: &Mixed) -> Result<Vec<u8>, Error> {
        let plan = &self.plan;
        let classes = classes_of(self)?.ok_or(LevelError::NoClasses)?;
        let classes = Cells::new(plan, &classes)?.cells;
        let kinds = kinds_of_classes(plan, &classes);
        let options = options(self);
        let key = &self.settings.seed.key;
        let rates = kinds
            .iter()
            .zip(&mixed.kinds)
            .map(|(kind, result)| match result.probability {
                Some(probability) => Ok(probability),
                None => rate(kind, result, key, &options),
            })
            .collect::<Result<Vec<f64>, Error>>()?;
        let mut shares: Vec<u64> = classes.iter().map(|class| class.share).collect();
        if let Some(budget) = self.spec.level_budget {
            shares = mixture::affordable(&rates, &shares, budget as f64);
        }
        let keep = mixture::keep_rates(&rates, &shares);
        let mut choice = String::from("0");
        for (class, keep) in classes.iter().zip(&keep).rev() {
            let variable = class_variable(plan, class);
            choice = format!("({variable}) ? rnd(1000000) < {keep} : {choice}");
        }
        let condition = plan
            .condition
            .map_or("1".into(), |condition| plan.expression(condition));
        let names = classes.iter().map(|class| class.name.clone());
        let mix: Vec<(String, u64)> = names.zip(shares).collect();
        let mut text = markers::fill(self.spec.script.bytes(), &mix)?;
        if text.last() != Some(&b'\n') {
            text.push(b'\n');
        }
        text.extend_from_slice(
            format!("// Levelled by croupier: each class is kept by its rate in millionths.\ncondition ({condition}) and ({choice})\n").as_bytes(),
        );
        Ok(text)
    }
}

/// Moves the shares towards the natural ones until rejection costs no more than the budget.
fn shares_within_budget(
    kinds: &mut [Component],
    counted: &[Option<f64>],
    budget: u64,
    key: &Key,
    options: &Options<'_>,
) -> Result<(), Error> {
    let nothing = ComponentShare {
        name: String::new(),
        share: 1,
        generated: 0,
        produced: 0,
        deals: 0,
        overlap: None,
        probability: None,
    };
    let rates = kinds
        .iter()
        .zip(counted)
        .map(|(kind, &counted)| match counted {
            Some(probability) => Ok(probability),
            None => rate(kind, &nothing, key, options),
        })
        .collect::<Result<Vec<f64>, Error>>()?;
    let shares: Vec<u64> = kinds.iter().map(|kind| kind.share).collect();
    let affordable = mixture::affordable(&rates, &shares, budget as f64);
    for (kind, share) in kinds.iter_mut().zip(affordable) {
        kind.share = share.max(1);
    }
    Ok(())
}

/// Returns a class as a script writes it.
fn class_variable(plan: &Plan, class: &Class) -> String {
    let one = |&node: &NodeId| {
        let of_node = |v: &&script::plan::Variable| v.value == node;
        let prefixed = |v: &&script::plan::Variable| {
            let [hand, level] = [mixture::CLASS_PREFIX, mixture::LEVEL_PREFIX];
            v.name.starts_with(hand) || v.name.starts_with(level)
        };
        let mut named = plan.variables.iter().filter(of_node);
        let first = named.clone().find(prefixed).or_else(|| named.next());
        first.map_or_else(|| plan.expression(node), |variable| variable.name.clone())
    };
    let all: Vec<String> = class.nodes.iter().map(one).collect();
    all.join(") and (")
}

/// Returns how often a class occurs among all deals.
fn rate(
    kind: &Component,
    result: &ComponentShare,
    key: &Key,
    options: &Options<'_>,
) -> Result<f64, Error> {
    let plan = kind.plan.clone().without_actions();
    let limits = Options {
        generate: TRIAL,
        produce: u64::MAX,
        ..options.clone()
    };
    let source = source_of(&plan, key, SamplerUse::Off, &limits)?;
    let trial = engine::run(&plan, RunDeals::Blocks(&source), &limits, &mut NoDeals)
        .map_err(|error| located(&plan, error))?;
    let (hits, deals) = if trial.produced < FEW_HITS && result.generated > 0 {
        (result.produced, result.generated)
    } else {
        (trial.produced, trial.generated)
    };
    Ok(hits as f64 / deals.max(1) as f64)
}
