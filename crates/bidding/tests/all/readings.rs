//! Readings of auctions: words, conditions, and how often they hold for real hands.

use std::ops::ControlFlow;

use cards::{BySuit, Seat, Suit, Vulnerability, notation};
use croupier_bidding::{
    Auction, AuctionReading, BiddingSetting, BiddingTable, BuiltInSystem, Detail, HandRange,
    HandTableOptions, HandTablesError, Meaning, NumberRange,
};
use shuffle::{Block, FastDealer, Key, Predeal};

fn reading(text: &str) -> AuctionReading {
    let system = BuiltInSystem::by_name("2/1").unwrap();
    let auction = Auction::parse(text, Seat::North).unwrap();
    AuctionReading::new([system, system], &auction, Vulnerability::None)
}

fn measure(number: usize) -> (usize, usize, usize, Vec<String>) {
    let system = BuiltInSystem::by_name("2/1").unwrap();
    let table = BiddingTable {
        north_south: system,
        east_west: system,
    };
    let dealer = FastDealer::new(Key::from_seed(97), &Predeal::NONE);
    let mut block = Block::new();
    let mut settings = Vec::new();
    for place in 0..number {
        if place % 1024 == 0 {
            dealer.fill(place as u64 / 1024, &mut block).unwrap();
        }
        settings.push(BiddingSetting {
            deal: block.deal(place % 1024),
            dealer: Seat::from_index(place),
            vulnerability: Vulnerability::ALL[place / 4 % 4],
        });
    }
    let (mut hands, mut narrowed, mut boards, mut misses) = (0, 0, 0, Vec::new());
    let mut next = settings.clone().into_iter();
    let take = |bidding: croupier_bidding::Bidding| {
        let setting = next.next().unwrap();
        let reading =
            AuctionReading::new([system, system], &bidding.auction, setting.vulnerability);
        let mut all = true;
        for seat in Seat::ALL {
            let satisfied = reading.seats[seat].admits(setting.deal[seat]);
            hands += usize::from(satisfied);
            narrowed += usize::from(!reading.seats[seat].shows_nothing());
            all &= satisfied;
            if !satisfied {
                let first = reading
                    .calls
                    .iter()
                    .position(|call| call.seat == seat && !call.meaning.admits(setting.deal[seat]));
                let first = first.map_or(String::new(), |at| {
                    format!(
                        "{} ({})",
                        bidding.auction.prefix(at + 1),
                        reading.calls[at].text
                    )
                });
                misses.push(format!("{} {} {first}", seat.letter(), setting.deal[seat]));
            }
        }
        boards += usize::from(all);
        ControlFlow::Continue(())
    };
    table.bid_all(settings, 0, Detail::Call, take).unwrap();
    (hands, narrowed, boards, misses)
}

#[test]
fn real_hands_satisfy_what_their_auction_shows() {
    let (hands, ..) = measure(200);
    assert!(hands * 100 >= 97 * 800, "{hands} of 800");
}

#[test]
#[ignore = "takes a while"]
fn long_real_hands_satisfy_what_their_auction_shows() {
    let (hands, narrowed, boards, misses) = measure(2000);
    eprintln!(
        "{hands} of 8000 hands, {boards} of 2000 boards; {narrowed} hands were narrowed\n{}",
        misses.join("\n")
    );
    assert!(hands * 100 >= 97 * 8000, "{hands} of 8000");
}

#[test]
fn openings_and_responses_are_read() {
    let one_notrump = reading("1N-P-2C-P-2H");
    let north = one_notrump.seats[Seat::North].hull();
    assert_eq!(north.hcp, NumberRange::new(15, 17));
    assert!(north.lengths[Suit::Hearts].least >= 4, "{north}");
    assert!(one_notrump.calls[2].is_alerted);
    assert!(one_notrump.seats[Seat::East].admits(notation::hand("K87.AQ4.T983.J76").unwrap()));
    let spade = reading("1S");
    assert!(
        spade.calls[0].text.contains("5+ spades"),
        "{}",
        spade.calls[0].text
    );
    assert!(spade.seats[Seat::North].hull().hcp.least >= 10);
    // Two over one forces to game: with support a shapely hand is enough, a flat one with six points is not.
    let south = &reading("1S-P-2C").seats[Seat::South];
    assert!(south.admits(notation::hand("K32.4.A432.KQ432").unwrap()));
    assert!(!south.admits(notation::hand("J32.K43.432.Q432").unwrap()));
}

#[test]
fn meanings_intersect_and_are_written_in_words_and_as_conditions() {
    let mut range = HandRange::ANY;
    assert_eq!(range.to_string(), "any hand");
    range.lengths[Suit::Spades] = NumberRange::new(5, 13);
    range.points = NumberRange::new(12, 21);
    let meaning = Meaning::new([range]);
    assert_eq!(meaning.to_string(), "5+ spades, 12-21 points");
    assert_eq!(
        meaning.condition(Seat::West).unwrap(),
        "hcp(west) >= 10 and hcp(west) <= 21 and spades(west) >= 5 and hcp(west) + shape_points_west >= 12"
    );
    // Eleven points and five spades open with a singleton, not with a balanced hand.
    assert!(meaning.admits(notation::hand("AK932.KJ53.962.4").unwrap()));
    assert!(!meaning.admits(notation::hand("AK932.KJ5.962.43").unwrap()));
    let mut hearts = HandRange::ANY;
    hearts.lengths = BySuit([
        NumberRange::LENGTHS,
        NumberRange::LENGTHS,
        NumberRange::new(9, 13),
        NumberRange::LENGTHS,
    ]);
    assert_eq!(meaning.intersection(&Meaning::new([hearts])), None);
    assert_eq!(Meaning::new([]), Meaning::default());
}

/// The conditions of the language accept the hands that the ranges admit, and no others.
#[test]
fn conditions_accept_the_hands_that_the_ranges_admit() {
    for text in [
        "1S-P-2C-P-2N",
        "1C-1H-X-2H",
        "P-P-2D-X",
        "1N-P-2H-P-2S-P-3N",
        "2C-P-2D-P-2H",
    ] {
        let reading = reading(text);
        for seat in Seat::ALL {
            let meaning = &reading.seats[seat];
            let Some(condition) = meaning.condition(seat) else {
                continue;
            };
            let definitions = meaning.definitions(seat).unwrap_or_default();
            let job = session::Job::new(format!("{definitions}\ncondition {condition}\n"));
            let session = job
                .prepare()
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            let mut block = Block::new();
            FastDealer::new(Key::from_seed(3), &Predeal::NONE)
                .fill(0, &mut block)
                .unwrap();
            session.test_deals(|tester| {
                for place in 0..1000 {
                    let deal = block.deal(place);
                    let accepted = tester.accepts(&deal, None).unwrap();
                    assert_eq!(
                        accepted,
                        meaning.admits(deal[seat]),
                        "{text} {seat:?} {}",
                        deal[seat]
                    );
                }
            });
        }
    }
}

#[test]
fn counted_and_measured_tables_of_the_hands_agree() {
    let reading = reading("1N-P-3N");
    let hand = notation::hand("KQJ4.T9.A2.87632").unwrap();
    let known = [(Seat::West, hand)];
    let execution = session::ExecutionOptions::default();
    let tables = |options: HandTableOptions| reading.tables(&known, &options, &execution).unwrap();
    let counted = tables(HandTableOptions::default());
    assert!(counted.fitting.is_exact());
    let measured = tables(HandTableOptions {
        layouts: 3,
        table_nanoseconds: 0.0,
        ..HandTableOptions::default()
    });
    let (deals, layouts) = (measured.measured, &measured.layouts);
    assert_eq!((deals, layouts.len()), (Some(20_000), 3));
    assert!(layouts.iter().all(|deal| deal[Seat::West] == hand));
    let mut compared = 0;
    for (one, other) in counted.tables.iter().zip(&measured.tables) {
        assert_eq!((one.seat, one.quantity), (other.seat, other.quantity));
        assert_ne!(one.seat, Seat::West);
        let total: f64 = one.shares.iter().map(|(_, share)| share).sum();
        assert!((total - 1.0).abs() < 1e-9, "{one:?}");
        for (value, share) in &one.shares {
            let found = other.shares.iter().find(|(other, _)| other == value);
            let found = found.map_or(0.0, |(_, share)| *share);
            let error = (share * (1.0 - share) / 20_000.0).sqrt();
            assert!(
                (found - share).abs() < 5.0 * error + 1e-4,
                "{one:?} {other:?}"
            );
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn hands_that_no_deal_has_are_reported() {
    // Both players have all four aces.
    let system = "1N: aces(me) == 4\n1N-P-2C: aces(me) == 4\n1N-P-P: 1\n1N-P: 1\n";
    let source = script::ScriptSource::new("aces.bid", system);
    let system = croupier_bidding::ScriptSystem::parse(&source).unwrap();
    let auction = Auction::parse("1N-P-2C", Seat::North).unwrap();
    let reading = AuctionReading::new([&system; 2], &auction, Vulnerability::None);
    let found = reading.tables(
        &[],
        &HandTableOptions::default(),
        &session::ExecutionOptions::default(),
    );
    let problem = found.unwrap_err();
    assert!(matches!(problem, HandTablesError::NoDeals), "{problem}");
}
