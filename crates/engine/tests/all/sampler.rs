//! The exact sampler with scripts: which conditions the analysis translates, exact probabilities, and runs whose
//! statistics agree with plain runs.

use cards::{Deal, Seat, Suit};
use croupier_engine::{
    Analysis, DealFacts, Ended, ExactTallies, Machine, NoDeals, NoRandom, Options, PreparedPlan,
    Program, Report, RunDeals, SampledSource, SamplerUse, Tally, chances, run,
};
use sampling::{Budget, Count};
use script::plan::{NodeId, Plan};
use script::{CompileOptions, ScriptSource, compile};
use shuffle::{BLOCK_DEALS, Block, BlockWords, FastDealer, Key, Predeal, RandomWords, Stream};

fn plan(text: &str) -> Plan {
    let source = ScriptSource::new("test", text);
    let compiled = compile(&source, &CompileOptions::default());
    compiled
        .unwrap_or_else(|errors| panic!("{text}: {}", errors[0].render()))
        .0
}

fn exact(text: &str) -> Count {
    let chances = chances(&plan(text), &Options::default(), &Key::from_seed(1), 1000).unwrap();
    assert!(chances.is_exact(), "{text}");
    chances.bound
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The crate `sampling` tests this table with its own reader; here the language compiles the conditions.
#[test]
fn all_published_counts_follow_from_the_scripts() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../sampling/tests/data/exact-counts.csv"
    );
    let table = std::fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for line in table.lines().skip(1) {
        let rest = line.splitn(3, ',').nth(2).unwrap();
        let fields: Vec<&str> = rest.rsplitn(5, ',').collect();
        let condition = fields[4].trim_matches('"').replace(';', "\ncondition");
        let [hits, out_of] = [3, 2].map(|field: usize| fields[field].parse::<u128>().unwrap());
        let count = exact(&condition);
        let common = gcd(out_of, count.out_of());
        let (left, right) = (
            count.hits() * (out_of / common),
            hits * (count.out_of() / common),
        );
        assert_eq!(left, right, "{condition}");
        rows += 1;
    }
    assert_eq!(rows, 38);
}

/// Published probabilities, to twelve digits.
#[test]
fn well_known_probabilities() {
    let balanced = "shape(north, any 4333 + any 4432 + any 5332)";
    let known = [
        (
            format!("hcp(north)>=15 and hcp(north)<=17 and {balanced}"),
            4.865_598_807_600_64e-2,
        ),
        ("spades(north) >= 5".to_owned(), 1.763_362_242_068_26e-1),
        ("shape(north, any 4441)".to_owned(), 2.993_218_839_606_02e-2),
        (
            "hcp(north) + hcp(south) == 20".to_owned(),
            8.222_167_329_517_20e-2,
        ),
        (
            "hcp(north) + hcp(south) == 20 and hcp(east) + hcp(west) == 20".to_owned(),
            8.222_167_329_517_20e-2,
        ),
        (
            "spades(north)>=6 and hcp(north)>=10 and hcp(north)<=12 and hearts(south)>=5 \
             and hcp(south)>=13 and hcp(south)<=15"
                .to_owned(),
            5.692_245_286_308_49e-4,
        ),
    ];
    for (condition, probability) in known {
        let found = exact(&condition).probability();
        assert!(
            (found / probability - 1.0).abs() < 1e-12,
            "{condition}: {found}"
        );
    }
}

#[test]
fn the_strong_notrump_is_printed_to_the_last_digit() {
    let count = exact(
        "condition hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    );
    assert_eq!(
        (count.hits(), count.out_of()),
        (30_897_212_184, 635_013_559_600)
    );
    assert_eq!(count.decimal(16, 2), "4.865598807600643");
}

/// Equivalent formulations are translated to equal requirements.
#[test]
fn the_analysis_resolves_variables_and_arithmetic() {
    let same = [
        (
            "hcp(north)+hcp(south)>=25",
            "x = hcp(north)\ny = hcp(south)\ncondition x >= 25 - y",
        ),
        ("hcp(north)+hcp(south)>=25", "hcp(east)+hcp(west)<=15"),
        ("hcp(north)+hcp(south)>=25", "not (hcp(east)+hcp(west)>15)"),
        ("hcp(north)<=9", "hcp(east)+hcp(south)+hcp(west)>30"),
        ("spades(north)>=5", "spades(north)*2>=10"),
        (
            "spades(north)>=5 and hcp(north)>9",
            "(spades(north)>=5 ? hcp(north)>9 : 0)",
        ),
        (
            "hascard(north,AS)",
            "hcp(north,spades)%4==0 and hascard(north,AS)==1 or hascard(north,AS)",
        ),
        ("hearts(north)>=8 or hearts(north)==7", "hearts(north)>6"),
        ("aces(north)==4", "controls(north)-kings(north)==8"),
    ];
    for (one, other) in same {
        let (a, b) = (exact(one), exact(other));
        assert_eq!(a.lowest_terms(), b.lowest_terms(), "{one} / {other}");
    }
}

#[test]
fn uncountable_conditions_are_estimated_within_bounds() {
    let script = plan("condition hcp(north)>=15 and hcp(north)<=17 and cccc(north)>=1600");
    let found = chances(&script, &Options::default(), &Key::from_seed(5), 20_000).unwrap();
    assert!(!found.is_exact());
    let trial = found.trial.unwrap();
    assert_eq!(trial.tried, 20_000);
    // The estimate of plain dealing.
    let report = run_with(&script, SamplerUse::Off, 6, (2_000_000, u64::MAX), 1);
    let plain = report.produced as f64 / 2e6;
    let (low, high) = trial.interval(4.5);
    let bound = found.bound.probability();
    assert!(
        bound * low < plain && plain < bound * high,
        "{plain} {low} {high}"
    );
}

/// Counts by enumeration: the lengths of North's spades in one hand.
#[test]
fn exact_tables_and_averages() {
    let script = plan(
        "condition spades(north)>=5 and hcp(south)>=10\n\
         action average \"points\" hcp(south), frequency \"spades\" (spades(north), 5, 8), \
         frequency \"both\" (spades(north), 5, 6, hearts(south), 0, 3)",
    );
    let tallies = ExactTallies::new(&script, f64::INFINITY);
    assert_eq!((tallies.tables.len(), tallies.averages.len()), (2, 1));
    let spades = &tallies.tables[0];
    let sum: u128 = spades.deals.iter().sum();
    assert!((spades.cells.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let both = &tallies.tables[1];
    assert_eq!(both.deals.iter().sum::<u128>(), sum);
    let five = exact("spades(north)==5 and hcp(south)>=10").probability();
    let all = exact("spades(north)>=5 and hcp(south)>=10").probability();
    assert!((spades.cells[1] - five / all).abs() < 1e-12);
    let report = run_with(&script, SamplerUse::Off, 8, (1_000_000, u64::MAX), 1);
    let Some(Tally::Average(average)) = &report.tallies[0] else {
        panic!("an average")
    };
    let exact = &tallies.averages[0];
    let error = exact.deviation / (report.produced as f64).sqrt();
    assert!((average.mean().unwrap() - exact.mean).abs() < 5.0 * error);
}

fn run_with(
    plan: &Plan,
    usage: SamplerUse,
    seed: u64,
    limits: (u64, u64),
    threads: usize,
) -> Report {
    let predeal = Predeal::new(plan.predeal).unwrap();
    let dealer = FastDealer::new(Key::from_seed(seed), &predeal);
    let source = SampledSource::new(plan, dealer, usage, limits).unwrap();
    let options = Options {
        generate: limits.0,
        produce: limits.1,
        threads,
        ..Options::default()
    };
    run(plan, RunDeals::Blocks(&source), &options, &mut NoDeals).unwrap()
}

const RARE: &str = "spades(north)>=6 and hcp(north)>=10 and hcp(north)<=12 and hearts(south)>=5";

/// Deals under a generate limit are binomial, deals generated for a produce target negative binomial: means within
/// 5 standard errors, and the variance within 5 of its own.
#[test]
fn sampler_statistics_agree_with_a_plain_run() {
    let script = plan(&format!("condition {RARE}\naction average hcp(south)"));
    let p = exact(RARE).probability();
    let runs = 400u32;
    let (limit, target) = (20_000u64, 30u64);
    let (mut produced, mut generated) = (Vec::new(), Vec::new());
    for seed in 0..runs {
        let report = run_with(&script, SamplerUse::On, seed.into(), (limit, u64::MAX), 1);
        assert_eq!((report.generated, report.ended), (limit, Ended::Generated));
        produced.push(report.produced as f64);
        let report = run_with(&script, SamplerUse::On, seed.into(), (u64::MAX, target), 1);
        assert_eq!((report.produced, report.ended), (target, Ended::Produced));
        generated.push(report.generated as f64);
    }
    let check = |values: &[f64], mean: f64, variance: f64| {
        let n = values.len() as f64;
        let found = values.iter().sum::<f64>() / n;
        assert!(
            (found - mean).abs() < 5.0 * (variance / n).sqrt(),
            "{found} {mean}"
        );
        let spread = values.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / n;
        assert!(
            (spread / variance - 1.0).abs() < 5.0 * (2.5 / n).sqrt(),
            "{spread} {variance}"
        );
    };
    let n = limit as f64;
    check(&produced, n * p, n * p * (1.0 - p));
    let r = target as f64;
    check(&generated, r / p, r * (1.0 - p) / (p * p));
}

fn deals_of(plan: &Plan, usage: SamplerUse, threads: usize) -> (Report, Vec<(u64, Deal)>) {
    let predeal = Predeal::new(plan.predeal).unwrap();
    let dealer = FastDealer::new(Key::from_seed(77), &predeal);
    let limits = (40_000_000, 3000);
    let source = SampledSource::new(plan, dealer, usage, limits).unwrap();
    let options = Options {
        generate: limits.0,
        produce: limits.1,
        threads,
        ..Options::default()
    };
    let mut list = Vec::new();
    let mut sink = |deal: &croupier_engine::ProducedDeal<'_>| {
        list.push((deal.index, deal.deal));
        std::ops::ControlFlow::Continue(())
    };
    let report = run(plan, RunDeals::Blocks(&source), &options, &mut sink).unwrap();
    (report, list)
}

#[test]
fn threads_change_nothing() {
    for text in [
        format!("condition {RARE}\naction printoneline, average hcp(south)"),
        format!("condition {RARE} and cccc(south)>1200\naction printoneline, average hcp(south)"),
        "predeal spades(north)==7 hearts(south)==6\ncondition hcp(north)>=10\naction average hcp(south)".to_owned(),
    ] {
        let script = plan(&text);
        for usage in [SamplerUse::On, SamplerUse::Auto] {
            let (one, deals) = deals_of(&script, usage, 1);
            assert_eq!(one.produced, 3000);
            assert!(deals.windows(2).all(|pair| pair[0].0 < pair[1].0));
            for threads in [2, 7] {
                let (more, same) = deals_of(&script, usage, threads);
                assert_eq!(one, more);
                assert_eq!(deals, same);
            }
        }
    }
}

/// The plain part of an automatic run equals the plain run: the first deals are equal.
#[test]
fn automatic_runs_begin_with_plain_deals() {
    let script = plan(&format!(
        "condition {RARE} and hcp(south)>=13\naction printoneline"
    ));
    let (_, auto) = deals_of(&script, SamplerUse::Auto, 2);
    let (_, off) = deals_of(&script, SamplerUse::Off, 2);
    let plain = |deals: &[(u64, Deal)]| -> Vec<(u64, Deal)> {
        deals
            .iter()
            .copied()
            .filter(|(number, _)| *number < 256 * 1024)
            .collect()
    };
    assert!(plain(&auto).len() > 50);
    assert_eq!(plain(&auto), plain(&off));
    assert!(auto != off && auto.len() == off.len());
}

/// Losers and points of two hands are too many for tables. The numbers that are counted instead are far rarer than the
/// condition on one hand alone, and the deals agree with a plain run in number and on average.
#[test]
fn the_most_selective_number_is_counted_if_all_are_too_many() {
    let short = ["spades", "hearts", "diamonds", "clubs"]
        .map(|suit| format!("-({suit}(south)<3 and hcp(south,{suit})>0)"))
        .concat();
    let script = plan(&format!(
        "average hcp(north)
        condition losers(north)<=4 and (hearts(north)>=5 or diamonds(north)>=5 or hcp(north)>=17)
            and shape(east, any 4333 + any 4432 + any 5332) and losers(east)<=6
            and hcp(south){short}>=9 and not (spades(south)>=5 and clubs(south)<=2) and controls(south)>=1"
    ));
    let limits = (10_000_000, 1_000_000);
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let source = SampledSource::new(&script, dealer, SamplerUse::Auto, limits).unwrap();
    match source.decision() {
        croupier_engine::SamplerDecision::Sampled {
            sampler,
            probability,
            ..
        } => assert!(!sampler.is_complete() && probability.probability() < 0.002),
        croupier_engine::SamplerDecision::Plain { reason } => panic!("{reason}"),
    }
    // The number of deals, the sum of North's points and the sum of their squares.
    let [auto, off] = [SamplerUse::Auto, SamplerUse::Off].map(|usage| {
        (1..=3).fold([0.0; 3], |[count, sum, squares], seed| {
            let report = run_with(&script, usage, seed, limits, 1);
            let Some(Tally::Average(average)) = &report.tallies[0] else {
                panic!("no average");
            };
            [
                count + report.produced as f64,
                sum + average.sum as f64,
                squares + average.squares as f64,
            ]
        })
    });
    assert!(off[0] > 100.0);
    assert!((auto[0] - off[0]).abs() < 5.0 * (auto[0] + off[0]).sqrt());
    let [(mean, variance), (plain_mean, plain_variance)] = [auto, off].map(|[n, sum, squares]| {
        let mean = sum / n;
        (mean, (squares / n - mean * mean) / n)
    });
    let error = (variance + plain_variance).sqrt();
    assert!(
        (mean - plain_mean).abs() < 5.0 * error,
        "{mean} {plain_mean}"
    );
}

#[test]
fn impossible_conditions_end_at_the_limit() {
    let script = plan("condition hcp(north)+hcp(south)>=41\naction average hcp(north)");
    let report = run_with(&script, SamplerUse::On, 1, (1_000_000_000_000, u64::MAX), 2);
    assert_eq!((report.generated, report.produced), (1_000_000_000_000, 0));
}

#[test]
fn predealt_lengths_are_dealt_exactly() {
    let script = plan(
        "predeal north SA spades(north)==6 hearts(south)==5 clubs(east)==0\naction printoneline",
    );
    let (report, deals) = deals_of(&script, SamplerUse::Off, 1);
    assert_eq!(report.generated, 3000);
    for (_, deal) in &deals {
        let length = |seat: Seat, suit| deal[seat].holding(suit).len();
        assert_eq!(length(Seat::North, Suit::Spades), 6);
        assert_eq!(length(Seat::South, Suit::Hearts), 5);
        assert_eq!(length(Seat::East, Suit::Clubs), 0);
        assert!(deal[Seat::North].contains("AS".parse().unwrap()));
    }
}

/// Suit lengths of hands that the condition does not mention, with points of more hands than tables can hold: the
/// lengths hold in every deal, and the probability is that of plain dealing among the deals with these lengths.
#[test]
fn predealt_lengths_are_never_left_out() {
    for text in [
        "predeal clubs(south)==3\ncondition hcp(north)>=18 and hcp(east)>=10",
        "predeal spades(west)==6\ncondition losers(north)<=6 and controls(north)>=5 and hcp(east)>=9 and hcp(south)<=9",
        "predeal hearts(east)==2 diamonds(east)==5 spades(south)==4\ncondition hcp(north)+hcp(south)>=25 and losers(west)>=9",
        "predeal spades(north)==5 hearts(west)==1\ncondition hcp(north)>=12 and hcp(south)>=10 and hcp(east)>=6 and hcp(west)<=6",
        "predeal clubs(east)==4\ncondition metric(zar, NS)>=60 and hcp(north)>=14",
    ] {
        let script = plan(&format!("{text}\naction printoneline"));
        for usage in [SamplerUse::On, SamplerUse::Auto] {
            let (_, deals) = deals_of(&script, usage, 1);
            assert!(deals.len() > 1000, "{text}: {}", deals.len());
            let broken = deals.iter().filter(|(_, deal)| !script.has_predeal(deal));
            assert_eq!(broken.count(), 0, "{text}");
        }
        let limits = (300_000, u64::MAX);
        let [sampled, plain] = [SamplerUse::On, SamplerUse::Off]
            .map(|usage| run_with(&script, usage, 3, limits, 1).produced as f64);
        let difference = (sampled - plain).abs();
        assert!(
            plain > 100.0 && difference < 6.0 * (sampled + plain).sqrt(),
            "{text}: {sampled} and {plain} of 300,000"
        );
        let found = chances(&script, &Options::default(), &Key::from_seed(1), 20_000).unwrap();
        let (low, high) = found.interval();
        let (share, slack) = (plain / 3e5, 5.0 * plain.sqrt() / 3e5);
        assert!(
            low - slack < share && share < high + slack,
            "{text}: {low} to {high}, dealt {share}"
        );
    }
}

/// Generates random conditions.
struct Grammar<W>(W);

impl<W: RandomWords> Grammar<W> {
    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.0.below(list.len() as u64) as usize]
    }

    fn number(&mut self, depth: u32) -> String {
        let seat = self.one_of(&["north", "east", "south", "west"]);
        let suit = self.one_of(&["spades", "hearts", "diamonds", "clubs"]);
        match self.0.below(if depth == 0 { 9 } else { 13 }) {
            0 | 1 => format!("{suit}({seat})"),
            2 | 3 => format!("hcp({seat})"),
            4 => format!(
                "{}({seat})",
                self.one_of(&["controls", "losers", "aces", "tens", "top3", "c13"])
            ),
            5 => format!(
                "{}({seat},{suit})",
                self.one_of(&["hcp", "losers", "controls", "quality"])
            ),
            6 => format!("hascard({seat},{}S)", self.one_of(&["A", "Q", "9"])),
            7 => format!("{}({seat})", self.one_of(&["cccc", "ltc"])),
            8 => self.0.below(14).to_string(),
            9 | 10 => format!("({}+{})", self.number(depth - 1), self.number(depth - 1)),
            11 => format!("({}-{})", self.number(depth - 1), self.number(depth - 1)),
            _ => format!("({}*{})", self.number(depth - 1), self.0.below(3)),
        }
    }

    /// Generates a metric of a hand or a side.
    fn metric(&mut self) -> String {
        let name = self.one_of(&[
            "bergen",
            "bissell",
            "dkp",
            "goren",
            "kaplan",
            "karpin",
            "karpin_b",
            "knr",
            "larsson",
            "larsson_b",
            "pavlicek",
            "sheinwold",
            "zar",
            "zar_advanced",
            "roth",
            "bumwrap",
            "fifths",
        ]);
        let who = self.one_of(&["NS", "EW", "north", "east", "south", "west"]);
        let strain = self.one_of(&["", ", notrump"]);
        format!("metric({name}, {who}{strain})")
    }

    /// Generates a condition about metrics, alone or together with others.
    fn about_metrics(&mut self) -> String {
        let metric = self.metric();
        let low = 8 + self.0.below(40);
        match self.0.below(8) {
            0 | 1 => format!("{metric} >= {low}"),
            2 => format!("{metric} <= {low}"),
            3 => format!("{metric} == {low}"),
            4 => format!("not ({metric} < {low} or {} != {low})", self.metric()),
            5 => format!("2*{metric} - {} > {low}", self.metric()),
            6 => format!("{metric} >= {low} and {}", self.condition(1)),
            _ => format!("({metric} > {low} ? {} : {metric} < 12)", self.condition(1)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let seat = self.one_of(&["north", "east", "south", "west"]);
        match self.0.below(if depth == 0 { 4 } else { 10 }) {
            0 => format!(
                "shape({seat}, {})",
                self.one_of(&["any 4333 + any 5332", "5xxx", "xx6x - any 6322"])
            ),
            1 => format!(
                "hcp({seat}) {} {}",
                self.one_of(&[">=", "<=", "=="]),
                5 + self.0.below(10)
            ),
            2 | 3 => {
                let op = self.one_of(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{} {op} {}", self.number(2), self.number(1))
            }
            4..=6 => format!(
                "({} and {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            7 | 8 => format!(
                "({} or {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            _ => format!("not ({})", self.condition(depth - 1)),
        }
    }
}

/// Checks random conditions: a deal that satisfies the condition satisfies the requirements; the requirements are as
/// frequent as their count; and the parts that the sampler covers hold in its deals. Returns how many conditions are
/// covered wholly, and how many are rare.
fn soundness(
    conditions: u64,
    budget: Budget,
    write: impl Fn(&mut Grammar<BlockWords>) -> String,
) -> (u64, u64) {
    let (mut complete, mut rare) = (0, 0);
    let mut block = Block::new();
    for seed in 0..conditions {
        let words = BlockWords::new(Stream::Choices, &Key::from_seed(99), seed);
        let text = write(&mut Grammar(words));
        let script = plan(&text);
        let Some(condition) = script.condition else {
            continue;
        };
        let analysis = match seed % 2 {
            0 => Analysis::for_run(&script, &Options::default()),
            _ => Analysis::counting(&script, &Options::default()),
        };
        let Ok(sampler) = analysis.sampler(budget) else {
            continue;
        };
        let (covered, _) = analysis.split(&sampler);
        let options = Options::default();
        let prepared = PreparedPlan::new(&script, &options);
        let roots: Vec<NodeId> = covered.iter().copied().chain([condition]).collect();
        let program = Program::new(&script, roots.iter().copied());
        let mut machine = Machine::new(&prepared, &program);
        let mut holds = |node: NodeId, deal: Deal| {
            machine.set_deal(deal, DealFacts::new(), 0, 0);
            machine.evaluate(node, &mut NoRandom).unwrap() != 0
        };
        FastDealer::new(Key::from_seed(seed), &Predeal::default())
            .fill(0, &mut block)
            .unwrap();
        let mut hits = 0u32;
        for place in 0..BLOCK_DEALS {
            let deal = block.deal(place);
            if holds(condition, deal) {
                assert!(analysis.problem().accepts(&deal), "{text}\n{deal}");
                hits += 1;
            }
        }
        let p = sampler.count().probability();
        let (n, share) = (BLOCK_DEALS as f64, f64::from(hits) / BLOCK_DEALS as f64);
        let error = (p * (1.0 - p) / n).sqrt() + 1.0 / n;
        assert!(share < p + 5.5 * error, "{text}: {share} of at most {p}");
        if sampler.is_complete() {
            complete += 1;
            assert!(share > p - 5.5 * error, "{text}: {share} {p}");
        }
        rare += u64::from(p < 0.02);
        let mut words = BlockWords::new(Stream::Sampler, &Key::from_seed(seed), 0);
        for _ in 0..20 {
            let Some(deal) = sampler.draw(&mut words) else {
                break;
            };
            for &part in &covered {
                assert!(holds(part, deal), "{text}\n{deal}");
            }
        }
    }
    (complete, rare)
}

#[test]
fn requirements_are_necessary_and_counted_correctly() {
    let (complete, rare) = soundness(150, Budget::default(), |grammar| grammar.condition(3));
    assert!(complete > 37 && rare > 0, "{complete} {rare}");
}

#[test]
#[ignore = "minutes; run by ./check --long"]
fn long_requirements_are_necessary_and_counted_correctly() {
    let (complete, rare) = soundness(10_000, Budget::default(), |grammar| grammar.condition(3));
    assert!(complete > 2500 && rare > 0, "{complete} {rare}");
}

#[test]
fn metric_requirements_are_necessary_and_counted_correctly() {
    let (complete, rare) = soundness(60, Budget::large(), Grammar::about_metrics);
    assert!(complete > 5 && rare > 15, "{complete} {rare}");
}

#[test]
#[ignore = "minutes; run by ./check --long"]
fn long_metric_requirements_are_necessary_and_counted_correctly() {
    let (complete, rare) = soundness(1_500, Budget::large(), Grammar::about_metrics);
    assert!(complete > 120 && rare > 300, "{complete} {rare}");
}
