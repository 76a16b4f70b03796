//! The JSON of a board is written by hand and must equal the output of serde.

use cards::{Card, CardSet, Deal, Seat, TrickTable, Vulnerability};
use croupier_formats::{Board, BoardNames, json};
use proptest::prelude::*;
use serde::Serialize;

/// The object as docs/formats.md describes it, with the fields that these tests use.
#[derive(Serialize)]
struct Object<'a> {
    board: u64,
    dealer: char,
    vulnerable: &'a str,
    hands: BySeat<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tricks: Option<BySeat<[u8; 5]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    par: Option<i32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    par_contracts: Vec<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    event: &'a str,
    #[serde(skip_serializing_if = "<[i32]>::is_empty")]
    values: &'a [i32],
}

#[derive(Serialize)]
struct BySeat<T> {
    north: T,
    east: T,
    south: T,
    west: T,
}

impl<T> From<[T; 4]> for BySeat<T> {
    fn from([north, east, south, west]: [T; 4]) -> Self {
        BySeat {
            north,
            east,
            south,
            west,
        }
    }
}

fn by_serde(board: &Board, deal: &Deal, values: &[i32]) -> Vec<u8> {
    let number = board.number.unwrap_or(1);
    let dealer = board.dealer.unwrap_or(Seat::dealer_of_board(number));
    let vulnerable = board.vulnerable;
    let names = board.names.as_deref();
    let object = Object {
        board: number,
        dealer: dealer.letter(),
        vulnerable: vulnerable.unwrap_or(Vulnerability::of_board(number)).pbn(),
        hands: Seat::ALL.map(|seat| deal.hand(seat).to_string()).into(),
        tricks: board.tricks.map(|table| table.rows().into()),
        par: board.par,
        par_contracts: board
            .par_contracts
            .iter()
            .flat_map(|text| text.split(", "))
            .collect(),
        event: names.map_or("", |names| &names.event),
        values,
    };
    let mut line = serde_json::to_vec(&object).unwrap();
    line.push(b'\n');
    line
}

/// Returns any deal, including long suits and voids.
fn deals() -> impl Strategy<Value = Deal> {
    let swaps = proptest::collection::vec((0usize..52, 0usize..52), 0..80);
    swaps.prop_map(|swaps| {
        let mut pack: Vec<usize> = (0..52).collect();
        swaps.into_iter().for_each(|(a, b)| pack.swap(a, b));
        let hand = |seat: usize| -> CardSet {
            let cards = pack[13 * seat..13 * seat + 13].iter();
            cards.filter_map(|&index| Card::from_index(index)).collect()
        };
        Deal::new([hand(0), hand(1), hand(2), hand(3)]).unwrap()
    })
}

/// Returns numbers of any length.
fn numbers() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0u32..64).prop_map(|(number, less)| (number >> less).max(1))
}

/// Returns boards, most of them with cards only.
fn boards() -> impl Strategy<Value = (Board, Deal)> {
    let table = proptest::array::uniform4(proptest::array::uniform5(0u8..=13));
    let rarely = 0.3;
    let event = prop_oneof![Just(""), Just("Club \"evening\"\n\u{1}é")];
    let place = (
        proptest::option::of(numbers()),
        proptest::option::of(0usize..4),
        proptest::option::of(0usize..4),
    );
    let details = (
        proptest::option::weighted(rarely, table),
        proptest::option::weighted(rarely, any::<i32>()),
        proptest::option::weighted(rarely, "(|NS 3H=|NS 3H=, EW 1NT=)"),
        proptest::option::weighted(rarely, event),
    );
    (deals(), place, details).prop_map(|(deal, (number, dealer, vulnerable), details)| {
        let (tricks, par, par_contracts, event) = details;
        let names = event.map(|event| BoardNames {
            event: event.into(),
            ..BoardNames::default()
        });
        let board = Board {
            number,
            dealer: dealer.map(Seat::from_index),
            vulnerable: vulnerable.map(|place| Vulnerability::ALL[place]),
            tricks: tricks.map(|rows| TrickTable::new(rows).unwrap()),
            par,
            par_contracts,
            names: names.map(Box::new),
            ..Board::of(&deal)
        };
        (board, deal)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_board_is_what_serde_would_write(
        (board, deal) in boards(),
        values in proptest::collection::vec((any::<i32>(), 0u32..32).prop_map(|(value, less)| value >> less), 0..40),
    ) {
        let mut line = b"before\n".to_vec();
        json::write(&mut line, &board, &deal, &values);
        let expected = [b"before\n", &by_serde(&board, &deal, &values)[..]].concat();
        prop_assert_eq!(String::from_utf8(line), String::from_utf8(expected));
    }
}
