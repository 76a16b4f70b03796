//! The built-in robot: legal calls, any number of threads, explanations, speed.

use std::ops::ControlFlow;

use cards::{Deal, Seat, Vulnerability};
use croupier_bidding::{
    Auction, BiddingSetting, BiddingTable, BuiltInSystem, Detail, SYSTEM_NAMES,
};
use shuffle::{Block, FastDealer, Key, Predeal};

/// Returns the boards of a seed: dealer and vulnerability follow the number.
fn boards(seed: u64, number: usize) -> Vec<BiddingSetting> {
    let dealer = FastDealer::new(Key::from_seed(seed), &Predeal::NONE);
    let mut block = Block::new();
    (0..number)
        .map(|place| {
            if place % 1024 == 0 {
                dealer.fill(place as u64 / 1024, &mut block).unwrap();
            }
            let board = place as u64 + 1;
            BiddingSetting {
                deal: block.deal(place % 1024),
                dealer: Seat::dealer_of_board(board),
                vulnerability: Vulnerability::of_board(board),
            }
        })
        .collect()
}

fn table(north_south: &str, east_west: &str) -> BiddingTable<'static> {
    BiddingTable {
        north_south: BuiltInSystem::by_name(north_south).unwrap(),
        east_west: BuiltInSystem::by_name(east_west).unwrap(),
    }
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

fn bid_and_check(number: usize) {
    for (ours, theirs) in [("2/1", "2/1"), ("dutch", "2/1"), ("dutch", "dutch")] {
        let made = auctions(table(ours, theirs), boards(34, number), 0);
        assert_eq!(made.len(), number);
        for auction in made {
            let again = Auction::parse(&auction.to_string(), auction.dealer());
            assert_eq!(again.as_ref(), Ok(&auction));
            assert!(auction.is_over(), "{auction}");
        }
    }
}

#[test]
fn three_hundred_boards_are_bid_without_an_illegal_call() {
    bid_and_check(300);
}

#[test]
#[ignore = "takes a minute"]
fn long_ten_thousand_boards_are_bid_without_an_illegal_call() {
    bid_and_check(10_000);
}

#[test]
fn auctions_do_not_depend_on_the_number_of_threads() {
    let one = auctions(table("2/1", "dutch"), boards(1, 100), 1);
    for threads in [2, 5] {
        assert_eq!(
            auctions(table("2/1", "dutch"), boards(1, 100), threads),
            one
        );
    }
}

#[test]
fn robots_do_not_depend_on_other_boards() {
    let settings = boards(2, 40);
    let table = table("2/1", "2/1");
    let mut robots = table.robots().unwrap();
    for setting in settings.iter().rev().chain(&settings) {
        let fresh = table.robots().unwrap().bid(setting, Detail::Call).unwrap();
        assert_eq!(robots.bid(setting, Detail::Call).unwrap(), fresh);
        let explained = robots.bid(setting, Detail::Explained).unwrap();
        assert_eq!(explained.auction, fresh.auction);
    }
}

#[test]
fn auctions_are_those_of_pons_alone() {
    let pons_deal =
        |deal: &Deal| -> contract_bridge::FullDeal { deal.to_string().parse().unwrap() };
    let system = pons::american_default();
    let vulnerabilities = ["none", "ns", "ew", "both"];
    for setting in boards(5, 16) {
        let seat = contract_bridge::Seat::ALL[setting.dealer.index()];
        let vulnerability = vulnerabilities[setting.vulnerability.index()]
            .parse()
            .unwrap();
        let peer = pons::Table::of_systems(&system, &system, seat, vulnerability);
        let expected = peer.bid_out(&pons_deal(&setting.deal));
        let ours = table("2/1", "2/1")
            .robots()
            .unwrap()
            .bid(&setting, Detail::Call)
            .unwrap();
        let words = expected
            .iter()
            .map(|call| call.to_string().replace("NT", "N"));
        let words: Vec<String> = words.collect();
        let expected = Auction::parse(&words.join(" "), setting.dealer).unwrap();
        assert_eq!(ours.auction, expected);
    }
}

#[test]
fn systems_are_found_by_name() {
    for name in SYSTEM_NAMES {
        assert_eq!(
            croupier_bidding::BiddingSystem::name(
                BuiltInSystem::by_name(&name.to_uppercase()).unwrap()
            ),
            name
        );
    }
    assert!(BuiltInSystem::by_name("acol").is_none());
}

#[test]
fn calls_are_explained_by_their_rules() {
    let deal: Deal = "N:AQ32.K53.QJ4.A92 K87.AQ.T983.QJT6 J9654.T62.K52.K7 T.J9874.A76.8543"
        .parse()
        .unwrap();
    let setting = BiddingSetting {
        deal,
        dealer: Seat::North,
        vulnerability: Vulnerability::None,
    };
    let bidding = table("2/1", "2/1")
        .robots()
        .unwrap()
        .bid(&setting, Detail::Explained)
        .unwrap();
    assert!(
        bidding.auction.to_string().starts_with("1N-P-2H-P-2S"),
        "{}",
        bidding.auction
    );
    let explained: Vec<_> = bidding.explanations.iter().flatten().collect();
    assert_eq!(explained.len(), bidding.auction.calls().len());
    assert!(
        explained[0].text.starts_with("15-17 HCP"),
        "{}",
        explained[0].text
    );
    assert!(!explained[0].is_alerted && explained[2].is_alerted);
    assert!(
        explained[2].text.contains("5+ spades"),
        "{}",
        explained[2].text
    );
    let shown = explained[2].meaning.as_ref().unwrap();
    assert!(shown.admits(deal[Seat::South]) && !shown.admits(deal[Seat::West]));
    assert!(
        explained.iter().all(|told| told.text.is_ascii()),
        "{explained:?}"
    );
}

/// Processor time of the robot against that of `pons` alone, on the same boards; other work on the machine does not count.
#[test]
#[ignore = "measures"]
fn long_bidding_takes_at_most_a_tenth_more_than_pons_alone() {
    use cpu_time::ThreadTime;
    let settings = boards(7, 200);
    let table = table("2/1", "2/1");
    let partnership = pons::american_default().bind();
    let deals: Vec<contract_bridge::FullDeal> = settings
        .iter()
        .map(|setting| setting.deal.to_string().parse().unwrap())
        .collect();
    // One table for each dealer and vulnerability, made in advance, because copying the rules of a partnership takes long.
    let peers: Vec<_> = (0..16)
        .map(|place: usize| {
            let seat = contract_bridge::Seat::ALL[place % 4];
            let vulnerability = ["none", "ns", "ew", "both"][place / 4].parse().unwrap();
            let (ours, theirs) = (partnership.clone(), partnership.clone());
            pons::Table::new(ours, theirs, seat, vulnerability)
        })
        .collect();
    let mut ratios = Vec::new();
    for _ in 0..5 {
        let mut times = [0.0; 2];
        let mut robots = table.robots().unwrap();
        // Board by board, so that other load on the machine affects both alike; each is first on half of the boards.
        for (number, (setting, deal)) in settings.iter().zip(&deals).enumerate() {
            for turn in [number % 2, (number + 1) % 2] {
                let place = setting.dealer.index() + 4 * setting.vulnerability.index();
                let started = ThreadTime::now();
                match turn {
                    0 => drop(std::hint::black_box(peers[place].bid_out(deal))),
                    _ => drop(std::hint::black_box(robots.bid(setting, Detail::Call))),
                }
                times[turn] += started.elapsed().as_secs_f64();
            }
        }
        ratios.push(times[1] / times[0]);
    }
    ratios.sort_by(f64::total_cmp);
    eprintln!("processor time against pons alone: {ratios:.3?}");
    assert!(ratios[2] < 1.1, "{ratios:?}");
}
