//! Files of matches, lessons and other dealing programs, as they come from archives.

use cards::{Deal, Seat};
use croupier_formats::{Board, InputFormat, OutputFormat, Reader, Writer};

const DEAL: &str = "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3";

fn deal() -> Deal {
    DEAL.parse().unwrap()
}

fn read(bytes: &[u8]) -> Vec<Board> {
    let reader = Reader::new(bytes).unwrap().keeping_source();
    reader.map(|board| board.unwrap()).collect()
}

fn written(boards: &[Board], format: OutputFormat) -> Vec<u8> {
    let (mut bytes, mut writer) = (Vec::new(), Writer::new(format));
    for board in boards {
        match board.deal() {
            Some(deal) => writer.write(&mut bytes, board, &deal),
            None => assert!(writer.write_partial(&mut bytes, board)),
        }
    }
    writer.finish(&mut bytes).unwrap();
    bytes
}

/// A file with directives, an item without a deal, comments, unknown tags and sections, and blank lines everywhere.
const LESSON: &str = "% PBN 2.1\r\n%Font:Times\r\n; by hand\r\n\r\n[Event \"Lesson\"]\r\n[Board \"\"]\r\n[Deal \"\"]\r\n\
    {Read this first.}\r\n\r\n\r\n[Event \"#\"]\r\n[Board \"3\"]\r\n[Dealer \"S\"]\r\n[Vulnerable \"EW\"]\r\n\
    [Deal \"N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3\"] ; a comment\r\n\
    [BCFlags \"1f\"]\r\n{Lead {a heart.}\r\n[Auction \"S\"]\r\n1S! $1 pass 2s*  =1=\r\nAll Pass\r\n[Note \"1:weak\"]\r\n\
    [Custom \"A;B\"]\r\nx 1\r\n\r\n; the end\r\n";

#[test]
fn pbn_written_again_has_the_same_bytes() {
    for text in [
        LESSON.to_owned(),
        LESSON.replace("\r\n", "\n"),
        LESSON.replace("\r\n", "\r"),
    ] {
        let boards = read(text.as_bytes());
        assert_eq!(boards.len(), 1);
        let record = boards[0].record.as_ref().unwrap();
        assert_eq!(record.auction, ["1S", "Pass", "2S", "Pass", "Pass", "Pass"]);
        assert_eq!(record.notes, [(2, "weak".to_owned())]);
        assert_eq!(
            written(&boards, OutputFormat::Pbn),
            text.as_bytes(),
            "{text}"
        );
    }
}

#[test]
fn only_the_changed_tags_of_a_game_change() {
    let mut boards = read(LESSON.as_bytes());
    boards[0].number = Some(7);
    let new = String::from_utf8(written(&boards, OutputFormat::Pbn)).unwrap();
    assert_eq!(new, LESSON.replace("[Board \"3\"]", "[Board \"7\"]"));
    let board = boards[0].clone().turned(1);
    let new = String::from_utf8(written(&[board], OutputFormat::Pbn)).unwrap();
    let turned = LESSON
        .replace("[Board \"3\"]", "[Board \"7\"]")
        .replace("[Dealer \"S\"]", "[Dealer \"W\"]")
        .replace("[Auction \"S\"]", "[Auction \"W\"]")
        .replace("\"EW\"", "\"NS\"")
        .replace(
            "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3",
            "W:AKQ62.KJ5.T.JT76 973.9876.AJ87.A3 T85.AT.Q96543.Q8 J4.Q432.K2.K9542",
        );
    assert_eq!(new, turned);
}

#[test]
fn a_game_that_repeats_values_is_written_out_without_the_game_before_it() {
    let game = |n: u32, event: &str| {
        format!("[Event \"{event}\"]\n[Board \"{n}\"]\n[Deal \"{DEAL}\"]\n\n")
    };
    let text = game(1, "Cup") + &game(2, "#");
    let boards = read(text.as_bytes());
    let second = String::from_utf8(written(&boards[1..], OutputFormat::Pbn)).unwrap();
    assert!(second.contains("[Event \"Cup\"]"), "{second}");
    assert_eq!(written(&boards, OutputFormat::Pbn), text.as_bytes());
}

#[test]
fn partial_deals_and_endings_are_kept() {
    for value in [
        "N:AKQ2.KJ5.T43.JT7 - T85.AT2.QJ965.Q8 -",
        "W:T95...Q 8.T..T5 .J..987 ...AJ62",
        // Two suits of two hands, and a lead against two hands.
        "N:8.AQ2.. - A42.K75.. -",
        "N:Q.J753.AK52.7642 - A95.QT986.Q3.A83 ...K",
    ] {
        let text =
            format!("[Board \"1\"]\n[Dealer \"N\"]\n[Vulnerable \"None\"]\n[Deal \"{value}\"]\n");
        let boards = read(text.as_bytes());
        assert_eq!(boards[0].deal(), None);
        assert_eq!(written(&boards, OutputFormat::Pbn), text.as_bytes());
        let again = read(&written(&boards, OutputFormat::Lin));
        assert_eq!(again[0].hands, boards[0].hands, "{value}");
        let plain = Board {
            source: None,
            ..boards[0].clone()
        };
        assert_eq!(
            read(&written(&[plain], OutputFormat::Pbn))[0].hands,
            boards[0].hands
        );
    }
    // One hand with a card too few is still an error, as is a card that two hands hold.
    let wrong = [
        &DEAL.replace("T85.", "T8."),
        "N:8... ... A82... ...",
        "N:AKx... - A52... -",
    ];
    for value in wrong {
        let text = format!("[Deal \"{value}\"]\n");
        let board = Reader::new(text.as_bytes()).unwrap().next().unwrap();
        assert!(board.is_err(), "{value}");
    }
}

const MATCH: &str = "vg|Cup; final,Segment 1,I,3,4,Ireland,10,Norway,2|\n\
    rs|4SS=,3NN-1,PASS,2HXE+1|\n\
    pn|Ann,Bob,Cid,Dan,Eve,Fay,Gus,Hal|mp|1,2|bn|3,4|pw|a,b|pg||\n\
    qx|o3|md|3SAKQ62HKJ5DTCJT76,S973H9876DAJ87CA3,ST85HATDQ96543CQ8,|rh||ah|Board 3|sv|e|mb|p|mb|p|mb|p|mb|p|pg||\n\
    qx|c3|md|3SAKQ62HKJ5DTCJT76,S973H9876DAJ87CA3,ST85HATDQ96543CQ8,|rh||ah|Board 3|sv|e|pg||\n\
    qx|c4|md|4SAKQ62HKJ5DTCJT76,S973H9876DAJ87CA3,ST85HATDQ96543CQ8,|rh||ah|Board 4|sv|b|pg||\n";

#[test]
fn the_header_of_a_match_belongs_to_every_board() {
    let boards = read(MATCH.as_bytes());
    assert_eq!(boards.len(), 3);
    for (board, players) in boards.iter().zip([
        ["Cid", "Dan", "Ann", "Bob"],
        ["Gus", "Hal", "Eve", "Fay"],
        ["Gus", "Hal", "Eve", "Fay"],
    ]) {
        let names = board.names.as_ref().unwrap();
        assert_eq!(names.event, "Cup; final");
        assert_eq!(names.players.0, players);
        let extras = board.extras.as_ref().unwrap();
        assert_eq!(extras.tag("HomeTeam"), Some("Ireland"));
        assert_eq!(extras.tag("VisitTeam"), Some("Norway"));
    }
    // The results of the header complete the boards without an auction.
    let contract = |board: &Board| {
        let record = board.record.as_ref().unwrap();
        (
            record.contract.map(|it| it.to_string()),
            record.declarer,
            record.result,
        )
    };
    assert_eq!(contract(&boards[0]), (None, None, None));
    assert_eq!(
        contract(&boards[1]),
        (Some("3N".into()), Some(Seat::North), Some(8))
    );
    assert_eq!(
        contract(&boards[2]),
        (Some("2Hx".into()), Some(Seat::East), Some(9))
    );
    // LIN to PBN to LIN keeps the header and the boards.
    let pbn = written(&boards, OutputFormat::Pbn);
    let from_pbn: Vec<Board> = Reader::new(&pbn[..])
        .unwrap()
        .map(|board| board.unwrap())
        .collect();
    let lin = String::from_utf8(written(&from_pbn, OutputFormat::Lin)).unwrap();
    for pair in [
        "vg|Cup; final,Segment 1,I,3,4,Ireland,10,Norway,2|",
        "rs|4SS=,3NN-1,PASS,2HXE+1|",
        "mp|1,2|",
        "bn|3,4|",
        "pw|a,b|",
    ] {
        assert_eq!(lin.matches(pair).count(), 1, "{pair} {lin}");
    }
    assert!(!lin.contains("px|"));
    let again = read(lin.as_bytes());
    let comparable = |board: &Board| Board {
        line: 0,
        hands: croupier_formats::Hands::of(&board.deal().unwrap()),
        ..board.clone()
    };
    assert_eq!(
        again.iter().map(comparable).collect::<Vec<_>>(),
        boards.iter().map(comparable).collect::<Vec<_>>()
    );
}

#[test]
fn a_pair_px_of_another_program_is_no_tag_of_ours() {
    let line = MATCH
        .lines()
        .nth(4)
        .unwrap()
        .replace("pg||", "px|North Sea|px|Foo bar|pg||");
    let board = &read(line.as_bytes())[0];
    assert!(
        board
            .extras
            .as_ref()
            .is_none_or(|extras| extras.tag("Foo").is_none())
    );
}

#[test]
fn utf_16_and_windows_1252_are_read() {
    let text = format!("[Board \"1\"]\n[North \"Błażej “B”\"]\n[Deal \"{DEAL}\"]\n");
    let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
    for bytes in [
        units
            .iter()
            .flat_map(|unit| unit.to_le_bytes())
            .collect::<Vec<u8>>(),
        units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
    ] {
        assert_eq!(
            read(&bytes)[0].names.as_ref().unwrap().players[Seat::North],
            "Błażej “B”"
        );
    }
    let mut old = b"[Board \"1\"]\n[North \"\x93Zia\x94\"]\n".to_vec();
    old.extend_from_slice(format!("[Deal \"{DEAL}\"]\n").as_bytes());
    assert_eq!(
        read(&old)[0].names.as_ref().unwrap().players[Seat::North],
        "“Zia”"
    );
}

#[test]
fn other_formats_of_big_deal_are_read() {
    // The deal in which each seat has one suit, and the deal of the other tests, written by the rules of the formats.
    let deck: Vec<(usize, cards::Card)> = {
        let ranks = cards::Rank::ALL.into_iter().rev();
        let cards = cards::Suit::DESCENDING
            .into_iter()
            .flat_map(|suit| ranks.clone().map(move |rank| cards::Card::new(suit, rank)));
        cards.enumerate().collect()
    };
    let seat_of = |card: cards::Card| {
        Seat::ALL
            .into_iter()
            .find(|&seat| deal().hand(seat).contains(card))
            .unwrap()
    };
    let ber: Vec<u8> = deck
        .iter()
        .map(|&(_, card)| b'1' + seat_of(card).index() as u8)
        .collect();
    let letter = |place: usize| {
        if place < 26 {
            b'A' + place as u8
        } else {
            b'a' + place as u8 - 26
        }
    };
    let hand = |seat: Seat| {
        deck.iter()
            .filter(|(_, card)| seat_of(*card) == seat)
            .map(|&(place, _)| letter(place))
            .collect::<Vec<u8>>()
    };
    // East deals the second board.
    let line = |first: Seat| {
        (0..4)
            .flat_map(|step| hand(first.clockwise(step)))
            .chain([b'\n'])
            .collect::<Vec<u8>>()
    };
    let bhg = [b"\n".to_vec(), line(Seat::North), line(Seat::East)].concat();
    let mut cds = vec![1];
    for rank in 0..13 {
        let bits = (0..4)
            .map(|suit| ((seat_of(deck[13 * suit + rank].1).index() + 1) % 4) << (6 - 2 * suit));
        cds.push(bits.sum::<usize>() as u8);
    }
    let holdings: Vec<String> = DEAL[2..]
        .split([' ', '.'])
        .map(|holding| format!("\"{}\"", holding.replace('T', "10")))
        .collect();
    let csv = format!("{},\"1\",\"N/-\"\n", holdings.join(","));
    for (file, count) in [
        (ber.repeat(2), 2),
        (bhg, 2),
        (cds, 1),
        (csv.into_bytes(), 1),
    ] {
        let reader = Reader::new(&file[..]).unwrap();
        assert_eq!(reader.format(), InputFormat::BigDeal);
        let deals: Vec<Deal> = reader.map(|board| board.unwrap().deal().unwrap()).collect();
        assert_eq!(deals, vec![deal(); count]);
    }
}

#[test]
fn lin_whose_first_bytes_look_like_a_cds_record_is_lin() {
    let lin = "pn|yésl\\ eé,\"d\"t\",I\\é\\JW,kYiM\\éc\"é|st||qx|o787|md|4SAQ7HJ96DKT75CKT6,SK54HQ8743DJ964C5,\
               SJT3HK2DA83CAJ732,S9862HAT5DQ2CQ984|rh||ah|Board 787|sv|n|pg||\n";
    let reader = Reader::new(lin.as_bytes()).unwrap();
    assert_eq!(reader.format(), InputFormat::Lin);
    assert_eq!(reader.filter_map(Result::ok).count(), 1);
}

/// A match of two tables in which the second record of a board does not repeat the deal.
fn shared_deals() -> String {
    let first = |number: u32| {
        format!(
            "[Event \"Cup\"]\n[Board \"{number}\"]\n[Dealer \"N\"]\n[Vulnerable \"Both\"]\n[Deal \"{DEAL}\"]\n"
        )
    };
    let record =
        |contract: &str| format!("[Declarer \"S\"]\n[Contract \"{contract}\"]\n[Result \"8\"]\n\n");
    first(7) + &record("3NT") + &record("4S") + &first(8) + &record("2S") + &record("2NT")
}

#[test]
fn a_game_without_a_deal_is_another_record_of_the_board_before_it() {
    let text = shared_deals();
    let boards = read(text.as_bytes());
    let contract = |board: &Board| board.record.as_ref().unwrap().contract.unwrap().to_string();
    let told: Vec<(u64, String)> = boards
        .iter()
        .map(|board| (board.number.unwrap(), contract(board)))
        .collect();
    let expected = [(7, "3N"), (7, "4S"), (8, "2S"), (8, "2N")];
    assert_eq!(
        told,
        expected.map(|(number, text)| (number, text.to_owned()))
    );
    for board in &boards {
        assert_eq!(board.deal(), Some(deal()));
        assert_eq!(board.dealer, Some(Seat::North));
        assert_eq!(board.vulnerable, Some(cards::Vulnerability::Both));
        assert_eq!(board.names.as_ref().unwrap().event, "Cup");
    }
    assert_eq!(written(&boards, OutputFormat::Pbn), text.as_bytes());
    // Without the first record of a board, the second one is written with its deal.
    let seconds = [boards[1].clone(), boards[3].clone()];
    let again = read(&written(&seconds, OutputFormat::Pbn));
    assert_eq!(again.len(), 2);
    assert_eq!(again[0].deal(), Some(deal()));
    let turned: Vec<Board> = boards.iter().map(|board| board.clone().turned(1)).collect();
    let again = read(&written(&turned, OutputFormat::Pbn));
    for (board, turned) in again.iter().zip(&turned) {
        assert_eq!(board.deal(), turned.deal());
        assert_eq!(board.dealer, turned.dealer);
    }
}

#[test]
fn any_tag_can_repeat_the_value_of_the_game_before_it() {
    let game = |event: &str, stage: &str| {
        format!("[Event \"{event}\"]\n[Deal \"{DEAL}\"]\n[Stage \"{stage}\"]\n\n")
    };
    // A text without a deal is a game, too.
    let text =
        game("Cup", "Final") + "[Event \"Talk\"]\n[Deal \"\"]\n[Stage \"#\"]\n\n" + &game("#", "#");
    let boards = read(text.as_bytes());
    assert_eq!(boards[1].names.as_ref().unwrap().event, "Talk");
    assert_eq!(
        boards[1].extras.as_ref().unwrap().tag("Stage"),
        Some("Final")
    );
}

#[test]
fn unknown_pairs_of_lin_are_kept() {
    let line = "nt|A lesson|at|^b|pg||qx|o3|md|3SAKQ62HKJ5DTCJT76,S973H9876DAJ87CA3,ST85HATDQ96543CQ8,|rh||\
                ah|Board 3|ah|Your aim: two tricks {%}|sv|e|mb|1nppp|zz|0.53|zz|a b|pg||\n";
    let board = &read(line.as_bytes())[0];
    assert_eq!(
        board.record.as_ref().unwrap().auction,
        ["1NT", "Pass", "Pass", "Pass"]
    );
    assert_eq!(board.number, Some(3));
    // A line of PBN must not begin with a percent sign.
    let long = line.replace("a b", &" %".repeat(300));
    for line in [line, &long] {
        let pbn = written(&read(line.as_bytes()), OutputFormat::Pbn);
        let lin = written(&read(&pbn), OutputFormat::Lin);
        let lin = String::from_utf8(lin).unwrap();
        let parts: Vec<&str> = line.trim_end().split('|').collect();
        for pair in parts.chunks_exact(2).filter(|pair| !pair[1].is_empty()) {
            if matches!(pair[0], "md" | "mb") {
                continue;
            }
            let pair = format!("{}|{}|", pair[0], pair[1]);
            assert!(lin.contains(&pair), "{pair:?} is not in {lin}");
        }
    }
}

#[test]
fn comments_of_a_board_keep_their_order_in_lin() {
    let text = format!("[Board \"1\"]\n[Deal \"{DEAL}\"]\n{{one}} {{two\nlines}} {{three}}\n");
    let back = read(&written(&read(text.as_bytes()), OutputFormat::Lin));
    let comments = &back[0].extras.as_ref().unwrap().comments;
    assert_eq!(*comments, ["one", "two\nlines", "three"]);
}

#[test]
fn comments_on_a_card_keep_their_order() {
    let line = "qx|o3|md|3SAKQ62HKJ5DTCJT76,S973H9876DAJ87CA3,ST85HATDQ96543CQ8,|sv|e|mb|1S|mb|p|mb|p|mb|p|\
                pc|DA|nt|why not a trump|nt|because of dummy|nt|ah|pc|D3|pg||\n";
    let pbn = written(&read(line.as_bytes()), OutputFormat::Pbn);
    let record = read(&pbn)[0].record.clone().unwrap();
    let texts: Vec<&str> = record
        .play_notes
        .iter()
        .map(|(_, text)| text.as_str())
        .collect();
    assert_eq!(texts, ["why not a trump", "because of dummy", "ah"]);
}

#[test]
fn data_that_no_field_holds_is_listed() {
    let game = |text: &str| {
        let text = format!("[Board \"1\"]\n[Dealer \"N\"]\n[Deal \"{DEAL}\"]\n{text}\n");
        let lost = OutputFormat::Lin.loses(&read(text.as_bytes())[0]);
        assert!(lost.len() <= 1, "{lost:?}");
        lost.first().copied().unwrap_or_default()
    };
    assert_eq!(game("[Auction \"N\"]\n1C =1= AP\n[Note \"1:strong\"]"), "");
    let notes = game("[Auction \"N\"]\n1C AP\n[Note \"1:strong\"]");
    assert_eq!(notes, "notes to no call or card");
    let marks = game("[Auction \"N\"]\n1C! $2 AP");
    assert_eq!(marks, "marks of calls and cards (!, ?, $1)");
    let cards = game("[Declarer \"N\"]\n[Contract \"1C\"]\n[Play \"E\"]\nHQ - HK HA\n");
    assert_eq!(cards, "cards after a gap in the play");
    for tag in ["[Contract \"H\"]", "[OptimumScore \"high\"]"] {
        assert_eq!(game(tag), "values of tags that cannot be interpreted");
    }
    let label = read(format!("[Board \"Finesse-4\"]\n[Deal \"{DEAL}\"]\n").as_bytes());
    let kinds = OutputFormat::Json.loses(&label[0]);
    assert_eq!(kinds, ["values of tags that cannot be interpreted"]);
    let long = format!("[Deal \"{DEAL}\"]\n[Event \"{}\"]\n", "x".repeat(300));
    let kinds = OutputFormat::Pbn.loses(&read(long.as_bytes())[0]);
    assert_eq!(kinds, ["the end of texts longer than a line"]);
}
