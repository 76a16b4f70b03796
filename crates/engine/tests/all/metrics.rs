//! Built-in metrics in conditions: values and bounds that the exact sampler uses before dealing.

use croupier_engine::{
    Analysis, NoDeals, Options, RunDeals, SampledSource, SamplerDecision, SamplerUse, Tally, run,
};
use sampling::Budget;
use script::plan::Plan;
use script::{CompileOptions, ScriptSource, compile};
use shuffle::{FastDealer, Key, Predeal};

fn plan(text: &str) -> Plan {
    let compiled = compile(&ScriptSource::new("test", text), &CompileOptions::default());
    compiled
        .unwrap_or_else(|errors| panic!("{text}: {}", errors[0].render()))
        .0
}

fn source_of(script: &Plan, usage: SamplerUse, limits: (u64, u64)) -> SampledSource {
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let source = SampledSource::new(script, dealer, usage, limits).unwrap();
    source.with_user_metrics(None)
}

/// Zar points of one hand and Karpin points of both in notrump are counted; for a side's Zar points there is only a
/// bound.
#[test]
fn metrics_that_suits_determine_are_counted() {
    let analyse = |text: &str| {
        let script = plan(&format!("condition {text}"));
        let analysis = Analysis::counting(&script, &Options::default());
        analysis.sampler(Budget::large()).unwrap()
    };
    for text in [
        "metric(zar, south) >= 40",
        "metric(goren, north, notrump) >= 24",
        "metric(karpin, NS, notrump) >= 38",
        "metric(bumwrap, east) >= 20",
        "usereval(23, EW, 3) >= 3000",
    ] {
        let sampler = analyse(text);
        assert!(sampler.is_complete(), "{text}");
        assert!(sampler.count().probability() < 0.05, "{text}");
    }
    let side = analyse("metric(zar, NS) >= 80");
    assert!(!side.is_complete() && side.count().probability() < 0.001);
    // With other point tables or user-defined metrics the sampler cannot use them.
    let script = plan("altcount 0 5 3 2 1\npointcount 5 3 2 1\ncondition metric(zar, south) >= 40");
    let unknown = Analysis::for_run(&script, &Options::default());
    let sampler = unknown.sampler(Budget::default()).unwrap();
    assert!(!sampler.is_complete() && sampler.count().probability() == 1.0);
    let script = plan("condition metric(zar, south) >= 40");
    let sampler = Analysis::new(&script).sampler(Budget::default()).unwrap();
    assert!(!sampler.is_complete() && sampler.count().probability() == 1.0);
}

/// Deals of a side with many Zar points: as many as without the sampler, and as strong on average.
#[test]
fn rare_metrics_are_as_frequent_as_in_a_plain_run() {
    let script = plan("average hcp(north)\ncondition metric(zar, NS) >= 76");
    let limits = (3_000_000, 1_000_000);
    let source = source_of(&script, SamplerUse::Auto, limits);
    assert!(matches!(source.decision(), SamplerDecision::Sampled { .. }));
    let [auto, off] = [SamplerUse::Auto, SamplerUse::Off].map(|usage| {
        let options = Options {
            generate: limits.0,
            produce: limits.1,
            ..Options::default()
        };
        let source = source_of(&script, usage, limits);
        let report = run(&script, RunDeals::Blocks(&source), &options, &mut NoDeals).unwrap();
        let Some(Tally::Average(average)) = &report.tallies[0] else {
            panic!("no average");
        };
        let n = report.produced as f64;
        let mean = average.sum as f64 / n;
        (n, mean, (average.squares as f64 / n - mean * mean) / n)
    });
    assert!(off.0 > 500.0);
    assert!((auto.0 - off.0).abs() < 5.0 * (auto.0 + off.0).sqrt());
    assert!((auto.1 - off.1).abs() < 5.0 * (auto.2 + off.2).sqrt());
}
