//! Systems that are scripts: calls, readings, and checks against counts of dealt hands.

use std::ops::ControlFlow;

use cards::{Deal, Seat, Vulnerability, notation};
use croupier_bidding::check::{CheckOptions, CheckedShare, SystemReport, check, differences};
use croupier_bidding::{
    Auction, AuctionReading, BiddingSetting, BiddingSystem, BiddingTable, BuiltInSystem, Detail,
    ScriptSystem,
};
use script::ScriptSource;
use shuffle::{Block, FastDealer, Key, Predeal};

const NATURAL: &str = include_str!("../../../../examples/systems/natural.bid");

fn system(text: &str) -> ScriptSystem {
    ScriptSystem::parse(&ScriptSource::new("system.bid", text)).unwrap_or_else(|errors| {
        let shown: String = errors.iter().map(script::Diagnostic::render).collect();
        panic!("{shown}")
    })
}

fn errors(text: &str) -> Vec<String> {
    let errors = ScriptSystem::parse(&ScriptSource::new("system.bid", text)).unwrap_err();
    errors
        .into_iter()
        .map(|error| format!("{} {} {}", error.place.line, error.code, error.message))
        .collect()
}

/// Calls `with` with the deals of a seed.
fn deals(seed: u64, number: usize, mut with: impl FnMut(usize, Deal)) {
    let dealer = FastDealer::new(Key::from_seed(seed), &Predeal::NONE);
    let mut block = Block::new();
    for place in 0..number {
        if place % 1024 == 0 {
            dealer.fill(place as u64 / 1024, &mut block).unwrap();
        }
        with(place, block.deal(place % 1024));
    }
}

fn settings(seed: u64, number: usize) -> Vec<BiddingSetting> {
    let mut settings = Vec::new();
    deals(seed, number, |place, deal| {
        settings.push(BiddingSetting {
            deal,
            dealer: Seat::from_index(place),
            vulnerability: Vulnerability::ALL[place / 4 % 4],
        });
    });
    settings
}

fn auctions(
    table: BiddingTable<'_>,
    settings: Vec<BiddingSetting>,
    threads: usize,
) -> Vec<Auction> {
    let mut auctions = Vec::new();
    let take = |bidding: croupier_bidding::Bidding| {
        auctions.push(bidding.auction);
        ControlFlow::Continue(())
    };
    table
        .bid_all(settings, threads, Detail::Call, take)
        .unwrap();
    auctions
}

fn options(deals: u64) -> CheckOptions {
    CheckOptions {
        deals,
        ..CheckOptions::default()
    }
}

fn checked(text: &str, deals: u64) -> SystemReport {
    check(&system(text), &options(deals), |_, _| {}).unwrap()
}

#[test]
fn a_script_bids_its_hands_and_leaves_the_rest_to_another_system() {
    let natural = system(NATURAL);
    let table = BiddingTable {
        north_south: &natural,
        east_west: &natural,
    };
    let deal = "N:AK32.K53.QJ4.A92 87.AQ2.T9832.T64 QJ654.T6.K5.K753 T9.J9874.A76.QJ8"
        .parse()
        .unwrap();
    let setting = BiddingSetting {
        deal,
        dealer: Seat::North,
        vulnerability: Vulnerability::None,
    };
    let bidding = table
        .robots()
        .unwrap()
        .bid(&setting, Detail::Explained)
        .unwrap();
    let text = bidding.auction.to_string();
    assert!(text.starts_with("1N-P-2H-P-3S-P"), "{text}");
    let transfer = bidding.explanations[2].as_ref().unwrap();
    assert_eq!(transfer.text, "transfer to spades");
    assert!(transfer.is_alerted);
    assert_eq!(natural.name(), "Simple natural");
}

#[test]
fn auctions_of_scripts_are_legal_and_do_not_depend_on_threads() {
    let natural = system(NATURAL);
    let two_over_one = BuiltInSystem::by_name("2/1").unwrap();
    let table = BiddingTable {
        north_south: &natural,
        east_west: two_over_one,
    };
    let one = auctions(table, settings(7, 120), 1);
    assert_eq!(one, auctions(table, settings(7, 120), 3));
    for auction in &one {
        assert!(auction.is_over(), "{auction}");
    }
    let opened = |auction: &&Auction| auction.to_string().contains("1N");
    assert!(one.iter().filter(opened).count() > 5);
}

#[test]
fn position_and_vulnerability_decide() {
    let weak = system(
        "2S: spades(me) >= 6 and position == 3 and not vulnerable(me) and vulnerable(rho)\nP: 1\n",
    );
    let hand = notation::hand("KQT987.32.432.32").unwrap();
    let mut robot = weak.robot().unwrap();
    let mut call = |auction: &str, dealer, vulnerability| {
        let auction = Auction::parse(auction, dealer).unwrap();
        let question = croupier_bidding::CallPosition {
            hand,
            auction: &auction,
            vulnerability,
        };
        let call = robot.answer(&question, Detail::Call).unwrap().call;
        croupier_bidding::auction::call_text(call)
    };
    assert_eq!(call("P-P", Seat::North, Vulnerability::EastWest), "2S");
    assert_eq!(call("P-P", Seat::East, Vulnerability::EastWest), "P");
    assert_eq!(call("P-P", Seat::East, Vulnerability::NorthSouth), "2S");
    assert_eq!(call("P-P", Seat::North, Vulnerability::Both), "P");
    assert_eq!(call("", Seat::North, Vulnerability::EastWest), "P");
}

/// The deals that the script of an auction accepts are exactly those on which the system bids so.
#[test]
fn the_script_of_an_auction_accepts_the_deals_that_are_bid_so() {
    let natural = system(NATURAL);
    for text in [
        "1N-P-2C-P-2H",
        "1D-1S",
        "P",
        "1H-P-2H",
        "2S-P-3S",
        "1C-X",
        "P-P-1S-P",
    ] {
        let auction = Auction::parse(text, Seat::North).unwrap();
        let reading = AuctionReading::new([&natural, &natural], &auction, Vulnerability::Both);
        let job = session::Job::new(reading.script(&[])).name("auction");
        let session = job
            .prepare()
            .unwrap_or_else(|error| panic!("{text}: {error}\n{}", reading.script(&[])));
        let mut robot = natural.robot().unwrap();
        let mut accepted = 0;
        session.test_deals(|tester| {
            deals(5, 3000, |_, deal| {
                let is_bid = (0..auction.calls().len()).all(|place| {
                    let before = auction.prefix(place);
                    let question = croupier_bidding::CallPosition {
                        hand: deal[before.seat(place)],
                        auction: &before,
                        vulnerability: Vulnerability::Both,
                    };
                    // The script shows nothing about calls that the other system makes.
                    natural.rules_after(&before).is_empty()
                        || robot.answer(&question, Detail::Call).unwrap().call
                            == auction.calls()[place]
                });
                let fits = tester.accepts(&deal, None).unwrap();
                assert_eq!(fits, is_bid, "{text} {deal}");
                accepted += u32::from(fits);
                for seat in Seat::ALL {
                    let systems = [&natural, &natural];
                    let wrong = reading.contradiction(
                        systems,
                        &auction,
                        Vulnerability::Both,
                        seat,
                        deal[seat],
                    );
                    assert!(!(fits && wrong.is_some()), "{text} {deal}");
                }
            });
        });
        assert!(accepted > 0 || text.len() > 8, "{text}");
    }
}

#[test]
fn words_of_a_reading_are_those_of_the_script() {
    let natural = system(NATURAL);
    let auction = Auction::parse("1N-P-2C-P-2D-P-3N", Seat::West).unwrap();
    let reading = AuctionReading::new([&natural, &natural], &auction, Vulnerability::None);
    let texts: Vec<&str> = reading
        .calls
        .iter()
        .map(|call| call.text.as_str())
        .collect();
    assert_eq!(texts[0], "15-17, balanced");
    assert_eq!((texts[2], reading.calls[2].is_alerted), ("Stayman", true));
    assert_eq!(texts[4], "no 4-card major");
    assert!(
        reading.script(&[]).contains("hcp(west) <= 17"),
        "{}",
        reading.script(&[])
    );
    assert_eq!(reading.condition(Seat::North), None);
}

#[test]
fn wrong_calls_and_systems_are_reported() {
    assert_eq!(
        errors("1N-P-1S: 1\n"),
        ["1 E812 call 3, \"1S\": a bid must be higher than 1N"]
    );
    assert_eq!(
        errors("P: 1\notherwise \"acol\"\n"),
        ["2 E813 there is no system \"acol\"; use 2/1, dutch or pass"]
    );
    assert_eq!(
        errors("X: 1\n"),
        ["1 E812 call 1, \"X\": only the opponents' last bid can be doubled"]
    );
}

#[test]
fn the_shipped_system_has_no_gap_and_no_unused_rule() {
    let report = checked(NATURAL, 300);
    assert_eq!(report.points.len(), 26, "{}", report.text());
    assert!(!report.is_cut_short);
    assert_eq!(report.gaps(), 0, "{}", report.text());
    let certain = report
        .unreachable
        .iter()
        .filter(|rule| rule.is_certain)
        .count();
    assert_eq!(certain, 0, "{}", report.text());
    for point in &report.points {
        assert!(point.gap.is_never(), "{} {:?}", point.auction, point.gap);
        let sum: f64 = point.rules.iter().map(|rule| rule.share.value).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{}: {sum}", point.auction);
    }
}

/// Counts with which rule random hands open, and compares the shares with those of the report.
fn compare_openings(number: usize) {
    let natural = system(NATURAL);
    let first = CheckOptions {
        points: 1,
        ..CheckOptions::default()
    };
    let report = check(&natural, &first, |_, _| {}).unwrap();
    let opening = &report.points[0];
    assert_eq!(opening.auction, "");
    let rules = natural.rules_after(&Auction::new(Seat::North));
    let mut counts = vec![0_u64; rules.len()];
    let mut conditions = natural.conditions();
    let position = script::system::CallerPosition {
        caller: Seat::North,
        turn: 1,
        vulnerable: [false; 2],
    };
    deals(11, number, |_, deal| {
        for seat in Seat::ALL {
            let rule = conditions.first(&rules, deal[seat], position).unwrap();
            counts[rules.iter().position(|&it| it == rule).unwrap()] += 1;
        }
    });
    let hands = 4.0 * number as f64;
    for (rule, count) in opening.rules.iter().zip(counts) {
        let share: CheckedShare = rule.share;
        let expected = share.value * hands;
        // Five standard deviations of both samples; the four hands of a deal depend on each other little.
        let sampled = match share.is_exact {
            true => 0.0,
            false => hands / first.deals as f64,
        };
        let error = 5.0 * (expected * (1.0 - share.value) * (1.0 + sampled)).sqrt() + 1.0 + sampled;
        assert!(
            (count as f64 - expected).abs() <= error,
            "{}: {count} of {hands}, expected {expected}",
            rule.call
        );
    }
}

#[test]
fn shares_of_openings_equal_a_count_of_dealt_hands() {
    compare_openings(20_000);
}

#[test]
#[ignore = "ten million hands"]
fn long_shares_of_openings_equal_a_count_of_dealt_hands() {
    compare_openings(2_500_000);
}

const TINY: &str = "\
1N: 15 <= hcp(me) <= 17 and balanced(me)
1C: hcp(me) >= 12
P: hcp(me) < 12
1N-P-2C: hcp(me) >= 8
1N-P-P: 1
";

#[test]
fn injected_faults_are_found() {
    let fine = checked(TINY, 1000);
    assert_eq!(
        (fine.gaps(), fine.unreachable.len()),
        (0, 0),
        "{}",
        fine.text()
    );
    // A gap: hands with 12 points.
    let gap = checked(
        &TINY.replace("1C: hcp(me) >= 12", "1C: hcp(me) >= 13"),
        1000,
    );
    assert_eq!(gap.gaps(), 1);
    let example = notation::hand(&gap.points[0].gap_examples[0]).unwrap();
    assert_eq!(valuation::hcp(example), 12);
    assert!(
        (gap.points[0].gap.value - 0.080_281).abs() < 1e-4,
        "{:?}",
        gap.points[0].gap
    );
    // An overlap: hands with 15 to 17 points satisfy both rules anyway, and those with 11 now too.
    let overlap = checked(&TINY.replace("P: hcp(me) < 12", "P: hcp(me) < 13"), 1000);
    let pairs: Vec<&[String; 2]> = overlap.points[0]
        .overlaps
        .iter()
        .map(|it| &it.calls)
        .collect();
    assert!(
        pairs.contains(&&["1C".to_owned(), "P".to_owned()]),
        "{pairs:?}"
    );
    assert!(!fine.points[0].overlaps.iter().any(|it| it.calls[1] == "P"));
    // Rules that leave nothing, and auctions that do not arise.
    let unused = checked(&format!("{TINY}2H: hcp(me) == 12\n2H-P-2S: 1\n"), 1000);
    let found: Vec<(&str, bool)> = unused
        .unreachable
        .iter()
        .map(|rule| (rule.calls.as_str(), rule.is_certain))
        .collect();
    assert_eq!(found, [("2H", true), ("2H-P-2S", true)]);
}

#[test]
fn two_versions_are_compared() {
    let old = system(TINY);
    let new = system(&TINY.replace("1C: hcp(me) >= 12", "2N: hcp(me) >= 20\n1C: hcp(me) >= 12"));
    let report = differences([&old, &new], &options(5000), |_, _| {}).unwrap();
    assert_eq!(report.points.len(), 1, "{}", report.text());
    let change = &report.points[0].changes[0];
    assert_eq!(
        (change.from.as_str(), change.to.as_deref()),
        ("1C", Some("2N"))
    );
    let hand = notation::hand(&change.examples[0]).unwrap();
    assert!(valuation::hcp(hand) >= 20);
    let same = differences([&old, &old], &options(500), |_, _| {}).unwrap();
    assert!(same.points.is_empty());
}

#[test]
fn reports_are_text_json_and_a_page() {
    let report = checked(&TINY.replace("P: hcp(me) < 12", "P: hcp(me) < 11"), 500);
    let text = report.text();
    assert!(
        text.contains("Opening  (reached on 100.00 % of the deals)"),
        "{text}"
    );
    assert!(text.contains("  gap  "), "{text}");
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(json["points"][0]["rules"][0]["call"], "1N");
    assert_eq!(json["points"][0]["rules"][0]["line"], 1);
    let page = report.html();
    assert_eq!(page.matches("<details").count(), report.points.len());
    assert_eq!(
        page.matches("<details").count(),
        page.matches("</details>").count()
    );
}

#[test]
fn a_condition_that_fails_only_when_vulnerable_is_reported() {
    let text = "1N: hcp(me) / (1 - vulnerable(me)) >= 15\nP: 1\n";
    assert_eq!(errors(text).len(), 1);
    assert!(errors(text)[0].starts_with("1 "), "{:?}", errors(text));
}
