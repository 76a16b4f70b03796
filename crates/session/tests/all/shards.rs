//! A run that is split into parts and merged equals the whole run, for any split and order.

use std::ops::ControlFlow;

use croupier_session::{
    DefaultSettings, Error, Job, Outcome, PartError, Partial, ProducedDeal, SamplerUse, Session,
    Sink,
};

/// Everything about a produced deal that a caller can see, as text.
#[derive(Default)]
struct Seen(Vec<String>);

impl Sink for Seen {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let values: Vec<&[i32]> = (0..8).map(|action| deal.values(action)).collect();
        self.0.push(format!(
            "{} {} {} {values:?} {:?}",
            deal.ordinal, deal.index, deal.deal, deal.tricks
        ));
        ControlFlow::Continue(())
    }
}

/// Shuffles deterministically.
fn shuffled<T>(mut items: Vec<T>, mut state: u64) -> Vec<T> {
    for last in (1..items.len()).rev() {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        items.swap(last, (state >> 33) as usize % (last + 1));
    }
    items
}

/// Merges in random groups: (a + b) + (c + (d + e)) ...
fn merged(parts: Vec<Partial>, seed: u64) -> Partial {
    let mut piles = shuffled(parts, seed);
    let mut round = seed;
    while piles.len() > 1 {
        piles = shuffled(piles, round);
        round = round.wrapping_mul(31).wrapping_add(7);
        let last = piles.pop().unwrap();
        let first = piles.pop().unwrap();
        piles.push(first.merge(last).unwrap());
    }
    piles.pop().unwrap()
}

/// Serialises and reads a part, as if it came from another machine.
fn sent(part: &Partial) -> Partial {
    serde_json::from_str(&serde_json::to_string(part).unwrap()).unwrap()
}

fn without_time(mut outcome: Outcome) -> String {
    outcome.seconds = None;
    outcome.calls = Default::default();
    serde_json::to_string(&outcome).unwrap()
}

fn session(script: &str, configure: impl Fn(Job) -> Job) -> Session {
    configure(Job::new(script).seed(7)).prepare().unwrap()
}

/// Splits, serialises, merges and compares.
fn check(script: &str, configure: impl Fn(Job) -> Job + Copy) {
    let mut whole_deals = Seen::default();
    let whole = session(script, configure).run(&mut whole_deals).unwrap();
    assert_eq!(whole.produced, whole_deals.0.len() as u64);
    for count in [1, 2, 7, 64] {
        let cut = session(script, configure);
        let shards = cut.shards(count).unwrap();
        assert_eq!((shards.len(), shards[0].start), (count, 0));
        let parts = shards.into_iter().map(|range| {
            // Every part is made by a session of its own, as on different machines.
            let part = session(script, configure).run_range(range, true).unwrap();
            let produce = cut.settings().limits.counts().1;
            assert!(part.parts[0].produced <= produce);
            sent(&part)
        });
        let together = merged(parts.collect(), count as u64);
        let mut deals = Seen::default();
        let outcome = together.outcome(1, &mut deals).unwrap();
        assert_eq!(
            without_time(outcome),
            without_time(whole.clone()),
            "{count} parts"
        );
        assert!(deals.0 == whole_deals.0, "{count} parts: other deals");
    }
}

const TABLES: &str = r#"
    strong = hcp(north) >= 15
    condition strong and spades(south) >= 3
    action average "points" hcp(south),
           average hcp(south) * 100000 + 1600000000,
           frequency "spades" (spades(south), 3, 8),
           frequency "both" (hcp(south), 0, 12, hearts(south), 0, 6),
           bktfreq "wide" (hcp(south), 0, 20, 4)
"#;

#[test]
fn averages_and_frequencies() {
    for usage in [SamplerUse::Off, SamplerUse::On] {
        check(TABLES, |job| job.generate(150_000).sampler(usage));
    }
}

#[test]
fn the_last_produced_deal_may_be_in_any_part() {
    // 19 in 1000 deals are accepted: these limits end in the first, a middle and the last part.
    for produce in [1, 40, 2_000, 3_000, 1_000_000] {
        check(TABLES, |job| {
            job.generate(150_000)
                .produce(produce)
                .sampler(SamplerUse::Off)
        });
    }
}

#[test]
fn a_rare_condition_with_and_without_the_sampler() {
    let script = "condition hearts(north) >= 8 and hcp(north) >= 10 and hcp(south) + rnd(3) > 4
                  action printoneline(hcp(north)), printes(rnd(1000)), average hcp(south)";
    check(script, |job| {
        job.generate(3_000_000).produce(600).sampler(SamplerUse::On)
    });
    check(script, |job| {
        job.generate(300_000).produce(60).sampler(SamplerUse::Off)
    });
    check(script, |job| job.generate(20_000_000).produce(900));
}

#[test]
fn contracts_and_solved_deals() {
    let script = "condition hcp(north) >= 20 and hcp(south) >= 8
                  action evalcontract(NS, x3N, vul), printrpt(trix(north), hcp(north))";
    check(script, |job| job.generate(3_000).produce(4));
}

#[test]
fn predeal_and_swapping_and_fresh_keys() {
    let script = "predeal north SAKQ condition hearts(north) == 4 action printoneline";
    check(script, |job| job.generate(20_000).produce(300));
    check("condition hcp(east) > 15 action printoneline", |job| {
        job.exchange(croupier_session::Swap::Three)
            .generate(20_000)
            .produce(500)
    });
    // A job without a seed has a generated key, which its parts store.
    let fresh = Job::new("action average hcp(north)")
        .generate(10_000)
        .prepare()
        .unwrap();
    let parts: Vec<Partial> = fresh
        .shards(3)
        .unwrap()
        .into_iter()
        .map(|range| sent(&fresh.run_range(range, false).unwrap()))
        .collect();
    let whole = fresh.run(&mut croupier_session::NoDeals).unwrap();
    let outcome = merged(parts, 5)
        .outcome(1, &mut croupier_session::NoDeals)
        .unwrap();
    assert_eq!(without_time(outcome), without_time(whole));
}

#[test]
fn an_error_counts_only_if_the_run_reaches_it() {
    // The condition divides by zero on the first hand with a void in spades.
    let script = "condition 100 / spades(north) > 1 action average spades(north)";
    let make = |produce: u64| {
        let configure = |job: Job| {
            job.generate(8_192)
                .produce(produce)
                .sampler(SamplerUse::Off)
        };
        let parts = session(script, configure).shards(4).unwrap().into_iter();
        let parts = parts.map(|range| session(script, configure).run_range(range, false).unwrap());
        let merged = merged(parts.collect(), 3).outcome(1, &mut croupier_session::NoDeals);
        (
            session(script, configure).run(&mut croupier_session::NoDeals),
            merged,
        )
    };
    let (whole, parts) = make(3);
    assert_eq!(without_time(whole.unwrap()), without_time(parts.unwrap()));
    let (whole, parts) = make(8_000);
    assert_eq!(
        whole.unwrap_err().to_string(),
        parts.unwrap_err().to_string()
    );
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let configure = |job: Job| job.generate(10_000);
    let script = "action average hcp(north)";
    let cut = session(script, configure);
    let part = |range| cut.run_range(range, false).unwrap();
    let (a, b) = (part(0..4096), part(4096..10_000));
    assert_eq!(
        a.clone().merge(part(2048..6144)).unwrap_err(),
        PartError::Overlap(2048, 4096)
    );
    assert!(matches!(
        a.clone().outcome(1, &mut croupier_session::NoDeals),
        Err(Error::Part(PartError::Gap(4096, 10_000)))
    ));
    let other = session(script, |job| job.generate(10_000).seed(8));
    let other = other.run_range(4096..10_000, false).unwrap();
    assert_eq!(a.clone().merge(other).unwrap_err(), PartError::Different);
    let kept = cut.run_range(4096..10_000, true).unwrap();
    assert_eq!(a.clone().merge(kept).unwrap_err(), PartError::DealsMissing);
    let mut edited = a.clone().merge(b.clone()).unwrap();
    edited.job.seed = Some(9);
    assert!(matches!(
        edited.outcome(1, &mut croupier_session::NoDeals),
        Err(Error::Part(PartError::WrongFingerprint { .. }))
    ));
    let mut damaged = a.merge(b).unwrap();
    damaged.parts[0].tallies.clear();
    assert!(matches!(
        damaged.outcome(1, &mut croupier_session::NoDeals),
        Err(Error::Part(PartError::Damaged))
    ));
    assert!(matches!(
        cut.run_range(0..10_001, false),
        Err(Error::Part(PartError::BadRange { .. }))
    ));
}

#[test]
fn runs_that_cannot_be_split_give_a_reason() {
    let whole = |job: Job| match job.prepare().unwrap().shards(2) {
        Err(Error::Part(PartError::Whole(why))) => why,
        other => panic!("{other:?}"),
    };
    whole(Job::new("condition rnd(0) < 3"));
    whole(Job::new("").dialect(croupier_session::Mode::V1).seed(1));
    whole(Job::new("HandType_a = hcp(north) > 10").level(""));
    whole(Job::new("HandType_a = hcp(north) > 10").interleave(true));
    whole(Job::new("").supply(croupier_session::Supply::deals(Vec::<
        croupier_session::SeriesDeal,
    >::new())));
    whole(Job::new("").supply(croupier_session::Supply::Tournament(None)));
    let usual = DefaultSettings {
        seed: Some(3),
        ..DefaultSettings::default()
    };
    assert!(
        Job::new("")
            .defaults(usual)
            .prepare()
            .unwrap()
            .shards(2)
            .is_ok()
    );
}

/// Changes every digit of a file, one after the other: the part must be refused each time.
#[test]
fn a_part_with_a_changed_digit_is_refused() {
    let script = "condition hcp(north) > 14\naction average \"a\" hcp(south), frequency \"f\" (hcp(east), 0, 12), \
        frequency (hearts(north), 0, 5, spades(north), 0, 5), printoneline\n";
    let cut = session(script, |job| job.generate(3_072).seed(7));
    let first = cut.run_range(0..1_024, true).unwrap();
    let rest = cut.run_range(1_024..3_072, true).unwrap();
    let text = serde_json::to_string(&rest).unwrap();
    let digits = |at: &usize| text.as_bytes()[*at].is_ascii_digit();
    let places: Vec<usize> = (0..text.len()).filter(digits).collect();
    assert!(places.len() > 1_000);
    for at in places {
        let mut changed = text.clone().into_bytes();
        changed[at] = b'0' + (changed[at] - b'0' + 1) % 10;
        let Ok(changed) = serde_json::from_slice::<Partial>(&changed) else {
            continue;
        };
        let Ok(whole) = first.clone().merge(changed) else {
            continue;
        };
        let outcome = whole.outcome(1, &mut croupier_session::NoDeals);
        let context = &text[at.saturating_sub(40)..(at + 20).min(text.len())];
        assert!(matches!(outcome, Err(Error::Part(_))), "{context}");
    }
    first
        .merge(rest)
        .unwrap()
        .outcome(1, &mut croupier_session::NoDeals)
        .unwrap();
}
