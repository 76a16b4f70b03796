//! The entry point for all clients: precedence of settings, imports, steps, cancellation, outcomes.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cards::{Deal, Seat, Suit};
use croupier_session::{
    BundledImports, Dealing, Ended, Error, FolderImports, HandTypes, Job, Mode, NoDeals, Notice,
    Origin, ProducedDeal, Progress, SamplerUse, SeriesDeal, Sink, Supply, TableData,
};

/// A sink that collects the deals as text.
#[derive(Default)]
struct Lines(Vec<String>);

impl Sink for Lines {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.0.push(format!(
            "{} {} {:?}",
            deal.index,
            deal.deal,
            deal.all_values()
        ));
        ControlFlow::Continue(())
    }
}

#[test]
fn the_caller_overrides_the_script_and_the_script_the_defaults() {
    let script = "produce 7 generate 5000 seed 3 dealer east";
    let settings = |job: Job| job.prepare().unwrap().settings().clone();
    let plain = settings(Job::new(script));
    assert_eq!((plain.limits.generate, plain.limits.produce), (5000, 7));
    assert_eq!(plain.seed.to_string(), "3");
    assert_eq!(plain.dealer, Some(cards::Seat::East));
    let wished = settings(
        Job::new(script)
            .produce(9)
            .seed(4)
            .dealer(cards::Seat::West),
    );
    assert_eq!((wished.limits.generate, wished.limits.produce), (5000, 9));
    assert_eq!(wished.seed.to_string(), "4");
    assert_eq!(wished.dealer, Some(cards::Seat::West));
    let default = settings(Job::new("").seed(1));
    assert_eq!(
        (default.limits.generate, default.limits.produce),
        (10_000_000, 40)
    );
    let collects = settings(Job::new("action average hcp(north)").seed(1));
    assert_eq!(collects.limits.produce, 10_000_000);
    let shown = settings(
        Job::new("action average hcp(north)")
            .seed(1)
            .shows_deals(true),
    );
    assert_eq!(shown.limits.produce, 40);
}

#[test]
fn scripts_import_nothing_by_default() {
    let error = Job::new("import \"/etc/hostname\"")
        .run(&mut NoDeals)
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("E901") && text.contains("cannot import files here"),
        "{text}"
    );
    let bundle = BundledImports::new().with("strong.dl", "strong = hcp(north) >= 15");
    let job = |script: &str| Job::new(script).imports(bundle.clone()).seed(1).produce(3);
    let outcome = job("import \"strong.dl\" condition strong")
        .run(&mut NoDeals)
        .unwrap();
    assert_eq!(outcome.produced, 3);
    let error = job("import \"../../etc/hostname\"")
        .run(&mut NoDeals)
        .unwrap_err();
    assert!(
        error.to_string().contains("no script of this name"),
        "{error}"
    );
}

#[test]
fn imports_stay_within_the_folder() {
    let folder = std::env::temp_dir().join(format!("croupier-imports-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inner")).unwrap();
    std::fs::write(folder.join("inner/a.dl"), "import \"b.dl\"").unwrap();
    std::fs::write(folder.join("inner/b.dl"), "fit = spades(north) > 4").unwrap();
    let secret = folder.with_extension("secret");
    std::fs::write(&secret, "hidden = 1").unwrap();
    let run = |script: String| {
        let imports = FolderImports::new(&folder).unwrap();
        Job::new(script)
            .imports(imports)
            .seed(1)
            .produce(2)
            .run(&mut NoDeals)
    };
    assert_eq!(
        run("import \"inner/a.dl\" condition fit".into())
            .unwrap()
            .produced,
        2
    );
    let outside = secret.file_name().unwrap().to_string_lossy().into_owned();
    for path in [
        format!("../{outside}"),
        secret.display().to_string(),
        "none.dl".into(),
    ] {
        let text = run(format!("import \"{path}\"")).unwrap_err().to_string();
        assert!(text.contains("no such file in the folder"), "{text}");
        assert!(!text.contains("hidden"), "{text}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::remove_file(secret).unwrap();
}

/// Steps of any length give the result of a single run, in every dialect and from every source.
#[test]
fn steps_equal_the_whole_run() {
    let deals: Vec<SeriesDeal> = (0..3000)
        .map(|i| shuffle::tournament::deal(&croupier_session::Key::from_seed(5), i).into())
        .collect();
    let script = "condition hcp(north) > 12 action printoneline(hcp(east)), average hcp(south)";
    let rare = "condition hearts(north) == 9 action printoneline(hcp(east)), average hcp(south)";
    let counted = "condition hcp(north) > 12 and rnd(0) < 90 action printoneline, average rnd(7)";
    type Named<'a> = (&'a str, Box<dyn Fn() -> Job + 'a>);
    let jobs: Vec<Named> = vec![
        ("native", Box::new(|| Job::new(script).seed(1).produce(900))),
        (
            "tables",
            Box::new(|| {
                Job::new("action average hcp(north)")
                    .seed(1)
                    .generate(9_999)
            }),
        ),
        (
            "sampler",
            Box::new(|| Job::new(rare).seed(1).produce(90).sampler(SamplerUse::On)),
        ),
        (
            "rnd(0)",
            Box::new(|| Job::new(counted).seed(1).generate(9_000).produce(800)),
        ),
        (
            "v1",
            Box::new(|| Job::new(script).dialect(Mode::V1).seed(1).produce(900)),
        ),
        (
            "v1 rnd",
            Box::new(|| {
                Job::new("condition rnd(3) == 1")
                    .dialect(Mode::V1)
                    .seed(1)
                    .produce(900)
            }),
        ),
        (
            "v2",
            Box::new(|| Job::new(script).dialect(Mode::V2).seed(1).produce(900)),
        ),
        (
            "given",
            Box::new(|| {
                Job::new(script)
                    .supply(Supply::deals(deals.clone()))
                    .produce(800)
            }),
        ),
        (
            "level",
            Box::new(|| {
                Job::new("HandType_a = hcp(north) > 20 HandType_b = hcp(north) < 3")
                    .level("a=2,b=1")
                    .seed(1)
                    .produce(90)
            }),
        ),
        (
            "solving",
            Box::new(|| {
                Job::new("condition hcp(north) > 22 and dds(north, notrumps) > 8 action average dds(south, spades)")
                    .seed(1)
                    .generate(4_000)
            }),
        ),
    ];
    for (name, job) in &jobs {
        let mut at_once = Lines::default();
        let whole = job().threads(2).run(&mut at_once).unwrap();
        for length in [1, 5_000] {
            let mut in_steps = Lines::default();
            let session = job().without_threads_or_clock().prepare().unwrap();
            let mut run = session.start().unwrap();
            let mut steps = 0;
            while run.step(length, &mut in_steps).unwrap() {
                steps += 1;
                assert!(run.progress().generated <= whole.limits.generate as u64);
            }
            let mut outcome = run.outcome();
            assert_eq!(outcome.seconds, None);
            outcome.seconds = whole.seconds;
            let short = whole.generated <= 1024 || *name == "level";
            assert!(steps > 0 || length > 1 || short, "{name}");
            assert_eq!(outcome, whole, "{name}, steps of {length}");
            assert!(in_steps.0 == at_once.0, "{name}, steps of {length}");
        }
    }
}

#[test]
fn a_run_can_be_cancelled_and_stopped() {
    struct StopAt(u64, Arc<AtomicBool>);
    impl Sink for StopAt {
        fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
            if deal.ordinal == self.0 {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        }
        fn on_progress(&mut self, progress: Progress) {
            if progress.generated > 100_000 {
                self.1.store(true, Ordering::Relaxed);
            }
        }
    }
    let cancel = Arc::new(AtomicBool::new(false));
    let job = || {
        Job::new("condition hcp(north) == 20")
            .seed(1)
            .cancel(Arc::clone(&cancel))
    };
    let stopped = job().run(&mut StopAt(5, Arc::default())).unwrap();
    assert_eq!((stopped.ended, stopped.produced), (Ended::Stopped, 5));
    let endless = job().produce(1_000_000).generate(1_000_000_000);
    let cancelled = endless
        .run(&mut StopAt(u64::MAX, Arc::clone(&cancel)))
        .unwrap();
    assert_eq!(cancelled.ended, Ended::Cancelled);
}

#[test]
fn outcomes_survive_serialisation() {
    let script = "points = hcp(north)
        action printes(points, hcp(south)), average \"strength\" points, average 1600000000 + points,
               frequency (points, 0, 40), frequency \"grid\" (points, 0, 9, spades(south), 0, 9)";
    let outcome = Job::new(script)
        .seed(1)
        .generate(10_000)
        .produce(10_000)
        .run(&mut NoDeals)
        .unwrap();
    assert_eq!(outcome.origin, Origin::Seed("1".into()));
    let names: Vec<&str> = outcome
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(names[..3], ["points", "hcp(south)", "points"]);
    let deviation = |table: usize| match &outcome.tables[table].data {
        TableData::Average { moments, .. } => moments.deviation().unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!(deviation(0), deviation(1));
    assert!((deviation(0) - 4.13).abs() < 0.1);
    let text = serde_json::to_string(&outcome).unwrap();
    assert_eq!(
        serde_json::from_str::<croupier_session::Outcome>(&text).unwrap(),
        outcome
    );
    assert!(
        text.contains(r#""label":"strength","action":1,"kind":"average""#),
        "{text}"
    );
}

#[test]
fn solver_calls_are_counted() {
    let script = "action average dds(north, spades), average dds(north, spades), average par(NS)";
    for threads in [1, 2] {
        let outcome = Job::new(script)
            .seed(1)
            .generate(3)
            .threads(threads)
            .run(&mut NoDeals)
            .unwrap();
        assert_eq!(
            (outcome.calls.tricks.computed, outcome.calls.par),
            (3, 3),
            "{:?}",
            outcome.calls
        );
    }
}

#[test]
fn explanations_show_what_fails() {
    let session = Job::new("condition 12 / spades(north) > 2 produce 9999")
        .seed(1)
        .prepare()
        .unwrap();
    let trial = session.explain().unwrap().trial.unwrap();
    let failure = trial.failure.unwrap();
    assert!(
        failure.contains("E801") && failure.contains("script:1:14"),
        "{failure}"
    );
    let Err(Error::Run { error, .. }) = session.run(&mut NoDeals) else {
        panic!("the run must fail")
    };
    assert!(failure.ends_with(&error.to_string()), "{failure} {error}");
    let rare = Job::new("condition hearts(north) == 10")
        .seed(1)
        .sampler(SamplerUse::On);
    let explained = rare.prepare().unwrap().explain().unwrap();
    assert!(matches!(explained.dealing, Dealing::Sampled { .. }));
    let deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
        .parse()
        .unwrap();
    let session = Job::new("points = hcp(north) condition points > 15 and hearts(north) == 4")
        .prepare()
        .unwrap();
    let explained = session.explain_deal(&deal, None);
    assert_eq!(explained.variables[0].value, Ok(20));
    assert_eq!(
        (explained.accepted, explained.rejected_by()),
        (false, Some(1))
    );
}

#[test]
fn ignored_settings_cause_notices() {
    let script = "predeal spades(north)==4 predeal south HAKQ";
    let job = Job::new(script).dialect(Mode::V2).seed(1).produce(1);
    let session = job.prepare().unwrap();
    assert_eq!(
        session.start().unwrap().notices(),
        [Notice::LengthsWithoutCards]
    );
}

#[test]
fn a_job_survives_serialisation() {
    let job = Job::new("condition hcp(north) > $0")
        .variable(0, "12")
        .seed(5)
        .produce(3);
    let text = serde_json::to_string(job.spec()).unwrap();
    let again = Job::from_spec(serde_json::from_str(&text).unwrap());
    let (mut first, mut second) = (Lines::default(), Lines::default());
    job.run(&mut first).unwrap();
    again.run(&mut second).unwrap();
    assert_eq!(first.0, second.0);
    let short: croupier_session::JobSpec =
        serde_json::from_str(r#"{"script": "produce 2"}"#).unwrap();
    assert_eq!(Job::from_spec(short).run(&mut NoDeals).unwrap().produced, 2);
}

#[test]
fn classes_are_counted_as_the_deals_pass() {
    let script = "HandType_short = hearts(north) < 2\nHandType_long = spades(north) > 5\ncondition spades(north) > 3\n";
    let session = Job::new(script)
        .seed(3)
        .produce(10_000)
        .generate(1 << 40)
        .prepare()
        .unwrap();
    let mut deals = Vec::new();
    let mut keep = |produced: &ProducedDeal<'_>| {
        deals.push(produced.deal);
        ControlFlow::Continue(())
    };
    let mut sink = HandTypes::new(&mut keep, session.plan());
    session.run(&mut sink).unwrap();
    let types = sink.finish();
    let cards = |deal: &Deal, suit| deal[Seat::North].holding(suit).len();
    let short = |deal: &&Deal| cards(deal, Suit::Hearts) < 2;
    let long = |deal: &&Deal| cards(deal, Suit::Spades) > 5;
    let both = deals.iter().filter(long).filter(short).count();
    let expected = [
        deals.iter().filter(short).count(),
        deals.iter().filter(long).count() - both,
    ];
    assert_eq!(deals.len(), 10_000);
    assert_eq!(
        types.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
        ["short", "long"]
    );
    assert_eq!(
        types
            .iter()
            .map(|it| it.produced as usize)
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn a_run_ends_when_its_averages_are_precise() {
    let job = || Job::new("action average \"points\" hcp(north)").seed(1);
    let outcome = job().precision("0.2 points".parse().unwrap());
    let outcome = outcome.run(&mut NoDeals).unwrap();
    let result = outcome.precision.unwrap();
    let (low, high) = result.averages[0].interval.unwrap();
    assert!(result.reached && high - low <= 0.4);
    assert!(outcome.produced < 10_000_000 && outcome.ended == Ended::Stopped);
    assert_eq!(result.averages[0].name, "points");
    // A run in steps ends after the same number of deals.
    let session = job().precision("0.2 points".parse().unwrap());
    let mut run = session.prepare().unwrap().start().unwrap();
    while run.step(2048, &mut NoDeals).unwrap() {}
    assert_eq!(run.outcome().produced, outcome.produced);
    let few = job().precision("0.2 points".parse().unwrap()).produce(300);
    let few = few.run(&mut NoDeals).unwrap();
    assert!(!few.precision.unwrap().reached && few.produced == 300);
    assert!(job().run(&mut NoDeals).unwrap().precision.is_none());
    // A precision in percent needs an average of a condition.
    let wrong = job().precision("1%".parse().unwrap()).run(&mut NoDeals);
    let wrong = wrong.unwrap_err();
    assert!(matches!(
        wrong,
        Error::Conflict(croupier_session::Conflict::PrecisionWithoutAverage)
    ));
    let whole = job().precision("0.2 points".parse().unwrap());
    assert!(whole.prepare().unwrap().shards(2).is_err());
}

#[test]
fn values_out_of_range_are_errors() {
    type Change = fn(&mut croupier_session::JobSpec);
    let spec = |change: Change| {
        let mut spec = Job::new("produce 1").spec().clone();
        change(&mut spec);
        Job::from_spec(spec).prepare().map(drop)
    };
    assert!(spec(|_| ()).is_ok());
    let changes: [(Change, &str); 4] = [
        (|spec| spec.produce = Some(-1), "produce"),
        (|spec| spec.generate = Some(-1), "generate"),
        (|spec| spec.first_board = Some(0), "first_board"),
        (|spec| spec.level_budget = Some(0), "level_budget"),
    ];
    for (change, setting) in changes {
        let error = spec(change).unwrap_err();
        assert!(error.to_string().starts_with(setting), "{error}");
    }
}

#[test]
fn errors_have_their_causes() {
    use std::error::Error as _;
    let given = || Job::new("").supply(Supply::deals(Vec::<Deal>::new()));
    let session = given().prepare().unwrap();
    session.run(&mut NoDeals).unwrap();
    let used = session.run(&mut NoDeals).unwrap_err();
    assert!(matches!(
        used,
        Error::Supply(croupier_session::SupplyError::GivenDealsUsed)
    ));
    assert_eq!(used.source().unwrap().to_string(), used.to_string());
    let broken = std::io::Error::other("the disk is gone");
    let broken = croupier_session::SourceError::unreadable("deals.pbn", broken);
    let deals: croupier_session::GivenDeals = Box::new(std::iter::once(Err(broken)));
    let failed = Job::new("").supply(Supply::Given(deals)).run(&mut NoDeals);
    let failed = failed.unwrap_err();
    assert_eq!(failed.to_string(), "deals.pbn: the disk is gone");
    let cause = failed.source().unwrap().source().unwrap().source().unwrap();
    assert_eq!(cause.to_string(), "the disk is gone");
}
