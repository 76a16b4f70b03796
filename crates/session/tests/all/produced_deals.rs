//! Every produced deal satisfies every statement of its script: predealt cards and lengths, the condition, the classes;
//! and the values of its actions are correct. Random scripts of the whole language are run in every mode that a caller
//! can choose, and an independent evaluator checks each deal ([`language`]).

mod dice;
mod generator;
mod language;
mod statements;
mod values;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use cards::{Deal, Seat};
use cpu::CpuPath;
use croupier_session::{
    Conflict, Error, Job, NoDeals, Outcome, Partial, ProducedDeal, SamplerUse, Session, Sink,
    Supply, Swap, TableData,
};
use dice::SeededRandom;
use engine::mixture::MixtureError;
use generator::ScriptGenerator;
use shuffle::Key;
use statements::Script;

/// The mode in which a script is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RunMode {
    Whole,
    /// Split into this number of parts, which are merged.
    Parts(usize),
    Exchange(u8),
    Tournament,
    /// The classes by a request of the caller, by a statement of the script, or as a tournament.
    Level,
    LevelStatement,
    LevelTournament,
    Mix,
    Interleave,
}

impl RunMode {
    fn choose(dice: &mut SeededRandom) -> RunMode {
        match dice.below(20) {
            0..=9 => RunMode::Whole,
            10 => RunMode::Parts(2 + dice.below(2)),
            11 => RunMode::Exchange(2),
            12 => RunMode::Exchange(3),
            13 => RunMode::Tournament,
            14 => RunMode::Level,
            15 => RunMode::LevelStatement,
            16 => RunMode::LevelTournament,
            17 | 18 => RunMode::Mix,
            _ => RunMode::Interleave,
        }
    }

    fn has_classes(self) -> bool {
        let levels = self.levels();
        levels || self == RunMode::Interleave
    }

    fn levels(self) -> bool {
        matches!(
            self,
            RunMode::Level | RunMode::LevelStatement | RunMode::LevelTournament
        )
    }

    fn is_tournament(self) -> bool {
        matches!(self, RunMode::Tournament | RunMode::LevelTournament)
    }

    fn swap(self) -> Swap {
        match self {
            RunMode::Exchange(2) => Swap::Two,
            RunMode::Exchange(_) => Swap::Three,
            _ => Swap::Off,
        }
    }
}

/// A script with everything that decides its run.
struct Case {
    number: u64,
    way: RunMode,
    script: Script,
    /// The other script of a mixed run.
    other: Option<Script>,
    sampler: SamplerUse,
    threads: usize,
    path: CpuPath,
    limits: (u64, u64),
}

impl Case {
    fn new(number: u64) -> Case {
        let mut dice = SeededRandom::new(number);
        let way = RunMode::choose(&mut dice);
        // Most tournaments and exchanges have no predeal, which they refuse.
        let predeals = match way {
            RunMode::Tournament | RunMode::LevelTournament | RunMode::Exchange(_) => {
                dice.once_in(5)
            }
            _ => !dice.once_in(4),
        };
        let mut script = ScriptGenerator::write(&mut dice, predeals, way.has_classes());
        if way == RunMode::LevelStatement {
            script.text += dice.one_of(&["level C0=2, C1\n", "level\n", "level C0=60%, C1=40%\n"]);
        }
        let other = (way == RunMode::Mix).then(|| {
            loop {
                let other = ScriptGenerator::write(&mut dice, predeals, false);
                if !shares_given_text(&script, &other) {
                    break other;
                }
            }
        });
        let sampler = match dice.below(8) {
            0..=3 => SamplerUse::Off,
            4 => SamplerUse::Auto,
            _ => SamplerUse::On,
        };
        let generate = match (sampler, way) {
            (_, RunMode::Tournament | RunMode::LevelTournament) => 3_000,
            (SamplerUse::On, _) => dice.one_of(&[20_000, 60_000, 400_000]),
            (SamplerUse::Auto, _) => dice.one_of(&[20_000, 600_000]),
            (SamplerUse::Off, _) => 40_000,
        };
        Case {
            number,
            way,
            script,
            other,
            sampler,
            threads: 1 + dice.below(3),
            path: dice.one_of(&CpuPath::available()),
            limits: (generate, 1 + dice.below(12) as u64),
        }
    }

    fn job(&self) -> Job {
        let mut job = Job::new(self.script.text.as_str())
            .seed(self.number as i64)
            .generate(self.limits.0)
            .produce(self.limits.1)
            .threads(self.threads)
            .exchange(self.way.swap());
        job = match self.way.is_tournament() {
            true => job.supply(Supply::Tournament(Some(Key::from_seed(self.number)))),
            false => job.sampler(self.sampler),
        };
        let others = self.other.iter();
        for (number, text) in others
            .clone()
            .flat_map(|other| &other.given)
            .chain(&self.script.given)
        {
            job = job.variable(*number, text.as_str());
        }
        for other in others {
            job = job.mix("other", other.text.as_str(), 2);
        }
        match self.way {
            RunMode::Level | RunMode::LevelTournament => job.level("C0=1,C1=2"),
            RunMode::Interleave => job.interleave(true),
            _ => job,
        }
    }

    fn session(&self) -> Session {
        let session = self.job().prepare();
        session.unwrap_or_else(|error| panic!("{self}\n{error}"))
    }

    /// Returns whether the run must be refused because predealt cards would move to another seat.
    fn is_refused(&self) -> bool {
        let (cards, lengths) = (&self.script.cards, &self.script.lengths);
        match self.way.swap() {
            Swap::Off => self.way.is_tournament() && !(cards.is_empty() && lengths.is_empty()),
            Swap::Two => {
                let moved = |&(seat, _): &(Seat, _)| matches!(seat, Seat::East | Seat::West);
                !lengths.is_empty() || cards.iter().any(moved)
            }
            Swap::Three => {
                !lengths.is_empty() || cards.iter().any(|&(seat, _)| seat != Seat::North)
            }
        }
    }

    /// Returns the scripts that deals may come from.
    fn scripts(&self) -> impl Iterator<Item = &Script> {
        std::iter::once(&self.script).chain(&self.other)
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Case {
            number,
            way,
            sampler,
            threads,
            path,
            limits,
            ..
        } = self;
        write!(
            f,
            "script {number}, {way:?}, sampler {sampler:?}, {threads} threads, {path}, limits {limits:?}"
        )?;
        for script in self.scripts() {
            write!(f, "\n{}{:?}", script.text, script.given)?;
        }
        Ok(())
    }
}

/// The deals of a run with their numbers and the values of their actions.
#[derive(Default, PartialEq, Debug)]
struct Produced(Vec<(u64, Deal, Vec<Vec<i32>>)>);

/// A sink that collects a [`Produced`], for scripts with `actions` actions.
struct Collect {
    actions: usize,
    produced: Produced,
}

impl Sink for Collect {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let values = (0..self.actions).map(|action| deal.values(action).to_vec());
        self.produced
            .0
            .push((deal.index, deal.deal, values.collect()));
        ControlFlow::Continue(())
    }
}

/// Counts of scripts, deals and checks.
#[derive(Default)]
struct Totals {
    scripts: AtomicU64,
    with_lengths: AtomicU64,
    refused: AtomicU64,
    too_rare: AtomicU64,
    deals: AtomicU64,
    statements: AtomicU64,
    values: AtomicU64,
    compared: AtomicU64,
    sampled: AtomicU64,
}

fn add(total: &AtomicU64, count: u64) {
    total.fetch_add(count, Ordering::Relaxed);
}

impl Totals {
    fn report(&self) -> BTreeMap<&'static str, u64> {
        let all = [
            ("scripts", &self.scripts),
            ("scripts with predealt lengths", &self.with_lengths),
            ("runs refused as they must be", &self.refused),
            ("classes too rare", &self.too_rare),
            ("deals", &self.deals),
            ("statements", &self.statements),
            ("values", &self.values),
            ("counts compared with plain dealing", &self.compared),
            ("of these sampled", &self.sampled),
        ];
        let all = all.into_iter();
        all.map(|(name, total)| (name, total.load(Ordering::Relaxed)))
            .collect()
    }
}

/// Runs a case and checks each of its deals.
fn check(case: &Case, totals: &Totals) {
    case.path.choose().expect("an available path");
    add(&totals.scripts, 1);
    add(
        &totals.with_lengths,
        u64::from(!case.script.lengths.is_empty()),
    );
    let mut sink = Collect {
        actions: case.script.actions.len(),
        produced: Produced::default(),
    };
    let session = case.session();
    let run = session.start();
    if case.is_refused() {
        let Err(Error::Conflict(conflict)) = run else {
            panic!("{case}\nthe predeal cannot be kept, but the run is not refused");
        };
        let expected = match (case.way.swap(), case.script.lengths.is_empty()) {
            (Swap::Off, _) => conflict == Conflict::TournamentWithPredeal,
            (_, false) => conflict == Conflict::SwapWithLengths,
            (_, true) => matches!(conflict, Conflict::SwapWithPredeal(_)),
        };
        assert!(expected, "{case}\n{conflict}");
        return add(&totals.refused, 1);
    }
    let mut run = match run {
        Ok(run) => run,
        Err(Error::Mixture(MixtureError::TooRare { .. })) => return add(&totals.too_rare, 1),
        Err(Error::Mixture(MixtureError::Impossible(_))) if case.way.levels() => {
            return add(&totals.too_rare, 1);
        }
        Err(error) => panic!("{case}\n{error}"),
    };
    let outcome = run
        .finish(&mut sink)
        .unwrap_or_else(|error| panic!("{case}\n{error}"));
    let produced = sink.produced;
    for (number, deal, values) in &produced.0 {
        check_deal(case, deal, values, totals);
        assert!(*number < outcome.generated.max(1), "{case}\ndeal {number}");
    }
    assert_eq!(outcome.produced, produced.0.len() as u64, "{case}");
    check_limits(case, &outcome, &produced);
    check_averages(case, &outcome, &produced);
    if case.way.levels() {
        let mixed = run.mixed().expect("a levelled run");
        for (class, kind) in mixed.kinds.iter().enumerate() {
            let deals = produced.0.iter();
            let of_class = deals.filter(|(_, deal, _)| case.script.is_of(class, deal));
            assert!(of_class.count() as u64 >= kind.deals, "{case}\n{kind:?}");
        }
    }
    if let RunMode::Parts(parts) = case.way {
        check_parts(case, parts, &produced, &outcome);
    }
    if case.way == RunMode::Whole && case.number.is_multiple_of(5) && !case.script.solves {
        compare_with_plain(case, totals);
    }
}

/// Returns whether both scripts use a `$n` whose text the caller gives. The caller's texts apply to all scripts of a
/// mixture, so each script would have to be evaluated with the other one's text.
fn shares_given_text(one: &Script, other: &Script) -> bool {
    let given = one.given.iter().chain(&other.given);
    let uses = |script: &Script, number: usize| script.names.parameters[number].is_some();
    given
        .map(|&(number, _)| number)
        .any(|number| uses(one, number) && uses(other, number))
}

/// Checks a deal against the scripts that it may come from, and its values against the first one's actions.
fn check_deal(case: &Case, deal: &Deal, values: &[Vec<i32>], totals: &Totals) {
    let verdicts: Vec<_> = case.scripts().map(|script| script.check(deal)).collect();
    let Some(kept) = verdicts.iter().flatten().max() else {
        panic!("{case}\n{deal}\n{verdicts:?}");
    };
    add(&totals.deals, 1);
    add(&totals.statements, *kept);
    let script = &case.script;
    if case.way.levels() {
        let is_of_one = (0..script.classes.len()).any(|class| script.is_of(class, deal));
        assert!(is_of_one, "{case}\n{deal} is of no class");
        add(&totals.statements, 1);
    }
    for (action, expression) in script.actions.iter().enumerate() {
        let value = expression.value(deal, &script.names);
        let text = expression.text(&script.names);
        assert_eq!(values[action], [value], "{case}\n{deal}\n{text}");
        add(&totals.values, 1);
    }
}

fn check_limits(case: &Case, outcome: &Outcome, produced: &Produced) {
    let (generate, produce) = case.limits;
    assert!(outcome.produced <= produce, "{case}");
    if !case.way.levels() && case.way != RunMode::Mix {
        assert!(outcome.generated <= generate, "{case}");
    }
    let numbers = produced.0.iter().map(|(number, ..)| number);
    assert!(numbers.is_sorted_by(|one, other| one < other), "{case}");
}

/// Checks that averages are those of the produced deals.
fn check_averages(case: &Case, outcome: &Outcome, produced: &Produced) {
    for table in &outcome.tables {
        let TableData::Average { moments, .. } = &table.data else {
            continue;
        };
        let values = produced
            .0
            .iter()
            .map(|(.., values)| values[table.action][0]);
        let sum: i128 = values.map(i128::from).sum();
        let count = produced.0.len() as u64;
        assert_eq!((moments.count, moments.sum), (count, sum), "{case}");
    }
}

/// Checks that parts that were run separately and merged have the deals of the whole run.
fn check_parts(case: &Case, parts: usize, whole: &Produced, outcome: &Outcome) {
    let ranges = case.session().shards(parts).expect("it can be cut");
    let made = ranges.into_iter().map(|range| {
        let part = case.session().run_range(range, true);
        part.unwrap_or_else(|error| panic!("{case}\n{error}"))
    });
    let merged = Partial::merge_all(made).expect("parts of one run");
    let mut sink = Collect {
        actions: case.script.actions.len(),
        produced: Produced::default(),
    };
    let together = merged.outcome(1, &mut sink).expect("all parts are there");
    assert_eq!(&sink.produced, whole, "{case}");
    assert_eq!(
        (together.generated, together.produced),
        (outcome.generated, outcome.produced),
        "{case}"
    );
}

/// Checks that the share of produced deals agrees with plain dealing, up to chance.
fn compare_with_plain(case: &Case, totals: &Totals) {
    /// Maximum difference of two runs in standard deviations; chance exceeds it once in ten thousand million cases.
    const MOST: f64 = 6.5;
    let count = |usage: SamplerUse| {
        let limit = 20_000;
        let job = case.job().sampler(usage).generate(limit).produce(limit);
        let session = job.prepare().expect("it has been prepared before");
        let outcome = session.run(&mut NoDeals);
        let outcome = outcome.unwrap_or_else(|error| panic!("{case}\n{error}"));
        assert_eq!(outcome.generated, limit, "{case}");
        outcome.produced
    };
    let (sampled, plain) = (count(SamplerUse::On), count(SamplerUse::Off));
    let deviation = ((sampled + plain) as f64).sqrt();
    // Small counts are not normal: a Poisson variable exceeds twice its mean plus 20 less often than that.
    let limit = (MOST * deviation).max(20.0);
    let difference = sampled.abs_diff(plain) as f64;
    assert!(difference <= limit, "{case}\n{sampled} and {plain} deals");
    add(&totals.compared, 1);
    add(&totals.sampled, u64::from(sampled != plain));
}

/// Number of scripts between two progress lines.
const REPORTED: u64 = 1_000;

/// Checks the first `count` scripts on all cores.
fn check_scripts(count: u64) -> BTreeMap<&'static str, u64> {
    let totals = Totals::default();
    let next = AtomicU64::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    check(&Case::new(number), &totals);
                    if number.is_multiple_of(REPORTED) && number > 0 {
                        println!("{:?}", totals.report());
                    }
                }
            });
        }
    });
    let report = totals.report();
    println!("{report:?}");
    report
}

#[test]
fn every_deal_keeps_every_statement_of_its_script() {
    let report = check_scripts(2_000);
    assert_eq!(report["scripts"], 2_000);
    assert!(report["deals"] > 4_000, "{report:?}");
    assert!(report["of these sampled"] > 50, "{report:?}");
}

#[test]
#[ignore = "a quarter of an hour; run by ./check --long"]
fn long_every_deal_keeps_every_statement_of_its_script() {
    assert_eq!(check_scripts(100_000)["scripts"], 100_000);
}
