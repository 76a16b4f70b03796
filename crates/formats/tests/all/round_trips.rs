//! Any deal is the same after writing and reading, in every format.

use cards::{Card, CardSet, Deal, Seat, Strain, TrickTable, Vulnerability};
use croupier_formats::page::{self, Caption};
use croupier_formats::pbn::LineEnd;
use croupier_formats::{
    Board, BoardNames, InputFormat, Reader, csv, dl52, hand, json, lin, pbn, style, zrd,
};
use proptest::prelude::*;

/// Returns any deal. In half of the cases the pack is only half shuffled, so that long suits are frequent.
fn deals() -> impl Strategy<Value = Deal> {
    let pack: Vec<usize> = (0..52).collect();
    let swaps = proptest::collection::vec((0usize..52, 0usize..52), 0..80);
    (Just(pack), swaps).prop_map(|(mut pack, swaps)| {
        for (a, b) in swaps {
            pack.swap(a, b);
        }
        let hand = |seat: usize| -> CardSet {
            pack[13 * seat..13 * seat + 13]
                .iter()
                .filter_map(|&index| Card::from_index(index))
                .collect()
        };
        Deal::new([hand(0), hand(1), hand(2), hand(3)]).unwrap()
    })
}

fn tables() -> impl Strategy<Value = TrickTable> {
    proptest::array::uniform4(proptest::array::uniform5(0u8..=13))
        .prop_map(|rows| TrickTable::new(rows).unwrap())
}

fn boards() -> impl Strategy<Value = Board> {
    let names = proptest::array::uniform4("[A-Za-zé \"\\\\]{0,12}").prop_map(|players| {
        let players = players.map(|name| name.trim().to_owned());
        BoardNames {
            event: "Club \"evening\"".into(),
            site: "".into(),
            date: "2025.07.01".into(),
            players: cards::BySeat(players),
        }
    });
    (
        deals(),
        1u64..2000,
        0usize..4,
        0usize..4,
        proptest::option::of(tables()),
        proptest::option::of(-7600i32..7600),
        names,
    )
        .prop_map(
            |(deal, number, dealer, vulnerable, tricks, par, names)| Board {
                number: Some(number),
                dealer: Some(Seat::from_index(dealer)),
                vulnerable: Some(Vulnerability::ALL[vulnerable]),
                tricks,
                par,
                names: Some(Box::new(names)),
                ..Board::of(&deal)
            },
        )
}

/// Reads a stream that must be detected as `format` and have only good boards.
fn read(bytes: &[u8], format: InputFormat) -> Vec<Board> {
    let reader = Reader::new(bytes).unwrap();
    assert_eq!(
        reader.format(),
        format,
        "{}",
        String::from_utf8_lossy(bytes)
    );
    reader
        .map(|board| Board {
            line: 0,
            ..board.unwrap()
        })
        .collect()
}

fn read_deals(bytes: &[u8], format: InputFormat) -> Vec<Deal> {
    read(bytes, format)
        .iter()
        .map(|board| board.deal().unwrap())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pbn_export(boards in proptest::collection::vec(boards(), 1..5), lf: bool) {
        let end = if lf { LineEnd::Lf } else { LineEnd::CrLf };
        let mut file = Vec::new();
        pbn::write_header(&mut file, end);
        for (index, board) in boards.iter().enumerate() {
            pbn::write(&mut file, board, &board.deal().unwrap(), index == 0, end);
        }
        prop_assert!(file.split(|&byte| byte == b'\n').all(|line| line.len() <= 256));
        prop_assert_eq!(read(&file, InputFormat::Pbn), boards);
    }

    #[test]
    fn lin(boards in proptest::collection::vec(boards(), 1..5)) {
        let mut file = Vec::new();
        boards.iter().for_each(|board| lin::write(&mut file, board));
        let read = read(&file, InputFormat::Lin);
        // Two boards of a test with the same number and deal are equal; LIN drops the copy.
        prop_assert_eq!(read.len(), boards.len());
        for (read, board) in read.iter().zip(&boards) {
            prop_assert_eq!(read.hands, board.hands);
            prop_assert_eq!((read.number, read.dealer, read.vulnerable), (board.number, board.dealer, board.vulnerable));
        }
    }

    #[test]
    fn json_lines(boards in proptest::collection::vec(boards(), 1..5)) {
        let mut file = Vec::new();
        for board in &boards {
            json::write(&mut file, board, &board.deal().unwrap(), &[3, -1]);
        }
        prop_assert_eq!(read(&file, InputFormat::Json), boards);
    }

    #[test]
    fn comma_separated(boards in proptest::collection::vec(boards(), 1..5)) {
        let mut file = csv::HEADER.as_bytes().to_vec();
        for board in &boards {
            csv::write(&mut file, board, &board.deal().unwrap());
        }
        let boards: Vec<Board> = boards.into_iter().map(|board| Board { names: None, ..board }).collect();
        prop_assert_eq!(read(&file, InputFormat::Csv), boards);
    }

    #[test]
    fn binary(deals in proptest::collection::vec(deals(), 1..5), table in tables(), title in "[ -~]{0,60}") {
        let mut file = Vec::new();
        for deal in &deals {
            dl52::append(&mut file, deal);
        }
        prop_assert_eq!(read_deals(&file, InputFormat::Dl52), deals.clone());
        file = zrd::headers(title.as_bytes());
        for deal in &deals {
            file.extend_from_slice(&zrd::encode(deal, Some(&table)));
        }
        let read = read(&file, InputFormat::Zrd);
        prop_assert_eq!(read.iter().map(|board| board.deal().unwrap()).collect::<Vec<_>>(), deals);
        let solved = (table != TrickTable::default()).then_some(table);
        prop_assert!(read.iter().all(|board| board.tricks == solved));
    }

    #[test]
    fn printed(deals in proptest::collection::vec(deals(), 1..5), value: i32, title in "[a-z]{0,9}") {
        let mut one_line = Vec::new();
        let mut compact = Vec::new();
        for deal in &deals {
            hand::one_line(&mut one_line, deal, Some(value));
            hand::compact(&mut compact, deal, Some(value));
        }
        prop_assert_eq!(read_deals(&one_line, InputFormat::Text), deals.clone());
        prop_assert_eq!(read_deals(&compact, InputFormat::Text), deals.clone());
        for style in [&style::V1, &style::V2, &style::NATIVE] {
            let mut pages = Vec::new();
            for (index, deal) in deals.iter().enumerate() {
                let caption = Caption { title: title.as_bytes(), produced: index as u64 + 1, board: index as i64 + 7, earlier: 0 };
                page::four_hands(&mut pages, style, &caption, deal);
            }
            let read = read(&pages, InputFormat::Text);
            prop_assert_eq!(read.iter().map(|board| board.deal().unwrap()).collect::<Vec<_>>(), deals.clone());
            prop_assert_eq!(read[0].number, Some(7));
        }
    }

    #[test]
    fn export_lines(deal in deals()) {
        let mut lines = Vec::new();
        hand::export_seat(&mut lines, &deal, Seat::West);
        hand::export_side(&mut lines, &deal, cards::Side::NorthSouth);
        let boards = read(&lines, InputFormat::Text);
        prop_assert_eq!(boards.len(), 2);
        prop_assert_eq!(boards[0].hands.0.0, [None, None, None, Some(deal[Seat::West])]);
        prop_assert_eq!(boards[1].hands.0.0, [Some(deal[Seat::North]), None, Some(deal[Seat::South]), None]);
    }

    /// Suits of eleven or more cards shift the columns; the total of thirteen cards restores them.
    #[test]
    fn pages_with_very_long_suits(seed in deals(), long in 9usize..=13, owner in 0usize..4) {
        let suit = CardSet((1 << 13) - 1);
        let mut hands = seed.hands();
        // Give `owner` the `long` lowest clubs by exchanging cards with their holders.
        for index in 0..long {
            let club = CardSet(1 << index);
            let holder = (0..4).find(|&seat| !hands[seat].is_disjoint(club)).unwrap();
            if holder != owner {
                let back = hands[owner].iter().find(|&card| !CardSet::of(card).0 & suit.0 == suit.0 || card.index() >= long);
                let back = CardSet::of(back.unwrap());
                hands[owner] = (hands[owner] - back) | club;
                hands[holder] = (hands[holder] - club) | back;
            }
        }
        let deal = Deal::new(hands).unwrap();
        for style in [&style::V1, &style::V2] {
            let mut page = Vec::new();
            let caption = Caption { title: b"", produced: 1, board: 1, earlier: 0 };
            page::four_hands(&mut page, style, &caption, &deal);
            let read: Vec<_> = Reader::with_format(&page[..], InputFormat::Text).collect();
            prop_assert_eq!(read.len(), 1);
            prop_assert_eq!(read[0].as_ref().unwrap().deal(), Some(deal));
        }
    }
}

/// The exchange example in the description of the format, both ways, byte for byte.
#[test]
fn documented_pbn_and_lin() {
    let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
        .parse()
        .unwrap();
    let mut table = TrickTable::default();
    for seat in Seat::ALL {
        let row = if seat.side() == cards::Side::NorthSouth {
            [5, 7, 6, 9, 5]
        } else {
            [8, 5, 7, 4, 7]
        };
        for strain in Strain::ALL {
            table.set(seat, strain, row[strain.index()]);
        }
    }
    let mut line = Vec::new();
    lin::write(&mut line, &Board::duplicate(&deal, 1));
    assert_eq!(
        String::from_utf8(line).unwrap(),
        "qx|o1|md|3S98642H842D52C652,S753HA963DKJ4CAK7,SAKJHKQJDA9873CQ9,SQTHT75DQT6CJT843|rh||ah|Board 1|sv|o|pg||\n"
    );
    let board = Board {
        tricks: Some(table),
        par: Some(140),
        ..Board::duplicate(&deal, 1)
    };
    let mut file = Vec::new();
    pbn::write_header(&mut file, LineEnd::CrLf);
    pbn::write(&mut file, &board, &deal, true, LineEnd::CrLf);
    let text = String::from_utf8(file).unwrap();
    let expected = "% PBN 2.1\r\n% EXPORT\r\n[Event \"\"]\r\n[Site \"\"]\r\n[Date \"\"]\r\n[Board \"1\"]\r\n[West \"\"]\r\n\
        [North \"\"]\r\n[East \"\"]\r\n[South \"\"]\r\n[Dealer \"N\"]\r\n[Vulnerable \"None\"]\r\n\
        [Deal \"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7\"]\r\n[Scoring \"\"]\r\n\
        [Declarer \"\"]\r\n[Contract \"\"]\r\n[Result \"\"]\r\n[DoubleDummyTricks \"59675596757475874758\"]\r\n\
        [OptimumScore \"NS 140\"]\r\n[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\r\n\
        N NT  5\r\nN  S  9\r\nN  H  6\r\nN  D  7\r\nN  C  5\r\nS NT  5\r\n";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(text.lines().count(), 19 + 1 + 20);
}
