//! Auctions in common spellings are read completely, or rejected with the word that is not a call.

use cards::{Seat, Strain};
use croupier_formats::{Board, BoardReadError, Call, OutputFormat, Reader, Writer};

const DEAL: &str =
    "[Deal \"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7\"]";

fn game(tags: &str, auction: &str) -> Result<Board, BoardReadError> {
    let file = format!("[Board \"1\"]\n[Dealer \"N\"]\n{DEAL}\n{tags}[Auction \"N\"]\n{auction}\n");
    Reader::new(file.as_bytes()).unwrap().next().unwrap()
}

fn calls(board: &Board) -> Vec<String> {
    let record = board.record.as_ref().unwrap();
    record
        .auction
        .iter()
        .map(|call| Call::read(call).unwrap().pbn())
        .collect()
}

#[test]
fn marks_of_calls_do_not_cut_the_auction() {
    for auction in [
        "1C Pass 4C* Pass\nPass Pass",
        "1C! p 4C? $1 pass\nAll Pass",
        "1c PASS 4c! $14 P\nAP",
        "1C =1= (p) 4C*=2= - Pass\nallpass",
        "1C Pass 4C Pass\nall pass",
        "1C Pass 4C Pass\nap *",
    ] {
        let auction = auction.replace("(p)", "p").replace(" - ", " ");
        let board = game("", &auction).unwrap_or_else(|problem| panic!("{auction}: {problem}"));
        let expected = ["1C", "Pass", "4C", "Pass", "Pass", "Pass"];
        let read = calls(&board);
        assert_eq!(read[..expected.len()], expected, "{auction}");
        let record = board.record.unwrap();
        let contract = record.contract.unwrap();
        assert_eq!(
            (contract.level(), contract.strain),
            (4, Strain::Clubs),
            "{auction}"
        );
        assert_eq!(record.declarer, Some(Seat::North), "{auction}");
    }
}

#[test]
fn calls_without_blanks_between_them_are_read() {
    let board = game("", "1NTpass3C pass 3NT\nAP").unwrap();
    let expected = ["1NT", "Pass", "3C", "Pass", "3NT", "Pass", "Pass", "Pass"];
    assert_eq!(calls(&board), expected);
    assert_eq!(board.record.unwrap().declarer, Some(Seat::North));
    for word in ["XS", "1NTX?3", "4NT/5D", "relay"] {
        assert!(game("", &format!("1C {word}")).is_err(), "{word}");
    }
}

#[test]
fn an_auction_in_progress_has_no_contract() {
    for auction in ["1C Pass\n+", "1C Pass ____", "1C Pass ?"] {
        let board = game("", auction).unwrap();
        assert_eq!(calls(&board), ["1C", "Pass"], "{auction}");
        let record = board.record.unwrap();
        assert_eq!(
            (record.contract, record.declarer),
            (None, None),
            "{auction}"
        );
    }
    assert!(game("", "1C ____ 1H Pass").is_err());
    // Dashes before the first call are the seats before the dealer.
    let file = format!("[Dealer \"E\"]\n{DEAL}\n[Auction \"S\"]\n- - - 1C\nPass Pass Pass\n");
    let board = Reader::new(file.as_bytes())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(calls(&board), ["1C", "Pass", "Pass", "Pass"]);
    assert_eq!(board.record.unwrap().declarer, Some(Seat::East));
}

#[test]
fn an_unknown_word_in_an_auction_is_an_error_with_its_line() {
    let problem = game("", "1C Pass\n4Q Pass Pass Pass").unwrap_err();
    assert_eq!(
        problem.to_string(),
        "line 6, board 1: \"4Q\" is no call of an auction"
    );
    let lin =
        "qx|o3|md|3S98642H842D52C652,S753HA963DKJ4CAK7,SAKJHKQJDA9873CQ9|\nmb|1N|mb|8x|mb|p|pg||\n";
    let problem = Reader::new(lin.as_bytes())
        .unwrap()
        .next()
        .unwrap()
        .unwrap_err();
    assert_eq!(
        problem.to_string(),
        "line 2, board 3: \"8x\" is no call of an auction"
    );
}

#[test]
fn contract_and_declarer_of_the_file_survive_lin_where_the_auction_differs() {
    for tags in [
        "[Declarer \"S\"]\n[Contract \"4C\"]\n",
        "[Declarer \"N\"]\n[Contract \"5C\"]\n",
        "[Declarer \"W\"]\n[Contract \"3NTX\"]\n",
    ] {
        let board = game(tags, "1C Pass 4C Pass Pass Pass").unwrap();
        let given = board.record.clone().unwrap();
        assert!(
            given.contradicted_by_auction(Seat::North).is_some(),
            "{tags}"
        );
        let (mut file, mut writer) = (Vec::new(), Writer::new(OutputFormat::Lin));
        writer.write(&mut file, &board, &board.deal().unwrap());
        let back = Reader::new(&file[..]).unwrap().next().unwrap().unwrap();
        let back = back.record.unwrap();
        assert_eq!(
            (back.contract, back.declarer),
            (given.contract, given.declarer),
            "{tags}"
        );
    }
    let board = game("[Declarer \"N\"]\n[Contract \"4C\"]\n", "1C Pass 4C AP").unwrap();
    assert_eq!(
        board.record.unwrap().contradicted_by_auction(Seat::North),
        None
    );
}
