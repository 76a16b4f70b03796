//! Boards of the bundled scenarios: nobody opens out of turn.

use croupier::cards::{CardSet, Deal, Seat, Suit};
use croupier::formats::{Board, Reader};
use croupier::scenarios::{SCENARIOS, Scenario};
use croupier::session::{Job, Supply};

use crate::common::done;

/// Returns the boards that the command deals.
fn dealt(scenario: &Scenario, number: usize, switches: &[&str]) -> Vec<Board> {
    let number = number.to_string();
    let words = ["scenario", "deal", scenario.name, "-n", &number, "-s", "17"];
    let text = done(&[&words, switches].concat());
    let boards = Reader::new(text.as_bytes()).expect("PBN");
    boards
        .map(|board| board.expect("the board can be read"))
        .collect()
}

/// Returns whether a hand can open the bidding: with 11 points, a six-card suit, or five cards in a major and four in a
/// minor with 6 points (the two-suited weak two).
fn opens(hand: CardSet) -> bool {
    let points: usize = hand
        .iter()
        .map(|card| card.rank().index().saturating_sub(8))
        .sum();
    let length = |suit: Suit| hand.holding(suit).len();
    let longest = Suit::ALL.map(length).into_iter().max().unwrap_or(0);
    let majors = length(Suit::Spades).max(length(Suit::Hearts));
    let minors = length(Suit::Diamonds).max(length(Suit::Clubs));
    points >= 11 || longest >= 6 || (points >= 6 && majors == 5 && minors >= 4)
}

/// Returns how many of the deals satisfy the script.
fn satisfying(scenario: &Scenario, deals: Vec<Deal>) -> u64 {
    let count = deals.len() as u64;
    let mut session = Job::new(scenario.script)
        .supply(Supply::deals(deals))
        .produce(count)
        .prepare()
        .expect("the script has no errors");
    session.retain_actions(|_| false);
    let mut keep = |_: &croupier::session::ProducedDeal<'_>| std::ops::ControlFlow::Continue(());
    session.run(&mut keep).expect("the script runs").produced
}

/// Switches of `scenario deal`, and the expected dealer of each board.
type DealerOfBoards<'a> = (&'a [&'a str], &'a dyn Fn(u64) -> Seat);

/// Checks boards of a scenario: the dealer opens, with the hand that opens in the script, so no hand calls before it.
fn check(scenario: &Scenario, number: usize) {
    let opener = scenario.opener();
    let switches: [DealerOfBoards<'_>; 3] = [
        (&[], &|_| opener),
        (&["--rotate"], &Seat::dealer_of_board),
        (&["--dealer", "S"], &|_| Seat::South),
    ];
    for (switch, dealer) in switches {
        let boards = dealt(scenario, number, switch);
        assert_eq!(boards.len(), number, "{} {switch:?}", scenario.name);
        let mut back = Vec::new();
        for board in &boards {
            let place = board.number.expect("a number");
            let seat = board.dealer.expect("a dealer");
            assert_eq!(
                seat,
                dealer(place),
                "{} {switch:?} board {place}",
                scenario.name
            );
            let deal = board.deal().expect("all cards");
            let hand = deal.hand(seat);
            assert!(
                opens(hand),
                "{} {switch:?} board {place}: {hand:?}",
                scenario.name
            );
            back.push(deal.rotated((opener.index() + 4 - seat.index()) % 4));
        }
        let right = satisfying(scenario, back);
        assert_eq!(right, number as u64, "{} {switch:?}", scenario.name);
    }
}

#[test]
fn the_dealer_opens_in_every_scenario() {
    for scenario in SCENARIOS {
        check(scenario, 16);
    }
}

#[test]
#[ignore = "long"]
fn long_the_dealer_opens_on_ten_thousand_boards_of_every_scenario() {
    for scenario in SCENARIOS {
        check(scenario, 10_000);
    }
}
