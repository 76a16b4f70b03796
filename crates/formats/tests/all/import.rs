//! Variants of PBN, LIN and printed text that other programs write and that must be accepted.

use cards::{Deal, Seat, Strain, Vulnerability};
use croupier_formats::{Board, BoardReadError, InputFormat, Reader};

const HANDS: [&str; 4] = [
    "AKJ.KQJ.A9873.Q9",
    "QT.T75.QT6.JT843",
    "98642.842.52.652",
    "753.A963.KJ4.AK7",
];

fn deal() -> Deal {
    format!("N:{}", HANDS.join(" ")).parse().unwrap()
}

fn read(text: impl AsRef<[u8]>) -> Vec<Result<Board, BoardReadError>> {
    Reader::new(text.as_ref()).unwrap().collect()
}

#[track_caller]
fn one(text: impl AsRef<[u8]>) -> Board {
    let mut boards = read(text);
    assert_eq!(boards.len(), 1, "{boards:?}");
    boards.remove(0).unwrap()
}

#[test]
fn pbn_deal_tags_in_all_spellings() {
    let [n, e, s, w] = HANDS;
    for value in [
        format!("N:{n} {e} {s} {w}"),
        format!("w:{w} {n}  {e} {s}"),
        format!("E: {e} {s} {w} {n}"),
        format!("{n} {e} {s} {w}"),
        format!("S:{s} {w} {n} {e}").to_lowercase(),
        format!("N:{n} {} {s} {w}", "QT.10 75.QT6.J10843".replace(' ', "")),
        format!("N:{n} {e} - {w}"),
        "N:JKA.KJQ.37A98.9Q QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".into(),
    ] {
        assert_eq!(
            one(format!("[Deal \"{value}\"]")).deal(),
            Some(deal()),
            "{value}"
        );
    }
    let voids = one(
        "[Deal \"N:AKQJT98765432.-.-. .AKQJT98765432.. ..AKQJT98765432. ---.-..AKQJT98765432\"]",
    );
    assert!(voids.deal().is_some());
}

#[test]
fn pbn_lines_comments_and_escapes() {
    let game = format!(
        "\u{feff}% PBN 2.1\n%[Deal \"no\"]\n{{ a comment\n\n[Deal \"no\"] }}\n[Board\n\"7\"] ; [Board \"8\"]\n[Event \"Müller\"][Deal \"N:{}\"]\n",
        HANDS.join(" ")
    );
    for game in [
        game.clone(),
        game.replace('\n', "\r\n"),
        game.replace('\n', "\r"),
    ] {
        let board = one(&game);
        assert_eq!(
            (board.number, board.dealer, board.vulnerable),
            (Some(7), Some(Seat::South), Some(Vulnerability::Both))
        );
        assert_eq!(board.names.unwrap().event, "Müller");
    }
    let latin: Vec<u8> = format!("[Event \"M@ller\"]\n[Deal \"N:{}\"]", HANDS.join(" "))
        .bytes()
        .map(|b| if b == b'@' { 0xfc } else { b })
        .collect();
    assert_eq!(one(latin).names.unwrap().event, "Müller");
}

#[test]
fn pbn_dealer_and_vulnerability_are_given_or_follow_the_board() {
    let game = |tags: &str| {
        one(format!(
            "{tags}\n[Deal \"E:{} {} {} {}\"]",
            HANDS[1], HANDS[2], HANDS[3], HANDS[0]
        ))
    };
    let facts = |board: Board| (board.number, board.dealer, board.vulnerable);
    assert_eq!(
        facts(game("[Board \"6\"][Dealer \"?\"]")),
        (Some(6), Some(Seat::East), Some(Vulnerability::EastWest))
    );
    assert_eq!(
        facts(game("[Board \"6\"][dealer \"west\"][VULNERABLE \"Love\"]")),
        (Some(6), Some(Seat::West), Some(Vulnerability::None))
    );
    // A game without a board number is the first one, and the seat before the colon is the dealer.
    assert_eq!(
        facts(game("[Board \"\"]")),
        (Some(1), Some(Seat::East), Some(Vulnerability::None))
    );
    for (word, vulnerable) in [
        ("N-S", Vulnerability::NorthSouth),
        ("e-w", Vulnerability::EastWest),
        ("Both", Vulnerability::Both),
        ("-", Vulnerability::None),
    ] {
        assert_eq!(
            game(&format!("[Vulnerable \"{word}\"]")).vulnerable,
            Some(vulnerable)
        );
    }
}

#[test]
fn pbn_values_are_inherited() {
    let deal = format!("[Deal \"N:{}\"]", HANDS.join(" "));
    let file = format!(
        "[Event \"##Cup\"][Site \"Bonn\"]\n{deal}\n\n[Event \"#\"][Site \"#\"]\n{deal}\n\n{deal}\n\n[Event \"Other\"]\n{deal}\n\n{deal}"
    );
    let names: Vec<(String, String)> = read(file)
        .into_iter()
        .map(|board| {
            board
                .unwrap()
                .names
                .map(|names| (names.event, names.site))
                .unwrap_or_default()
        })
        .collect();
    let pair = |event: &str, site: &str| (event.to_owned(), site.to_owned());
    assert_eq!(
        names,
        [
            pair("Cup", "Bonn"),
            pair("Cup", "Bonn"),
            pair("Cup", ""),
            pair("Other", ""),
            pair("", "")
        ]
    );
}

#[test]
fn pbn_tables_and_par() {
    let rows: String = ["N", "E", "S", "W"]
        .iter()
        .flat_map(|seat| {
            ["NT", "S", "H", "D", "C"]
                .map(|strain| format!("{} {strain} {seat}\n", if strain == "S" { 9 } else { 4 }))
        })
        .collect();
    let game = format!(
        "[Deal \"N:{}\"]\n[OptimumScore \"EW 140\"]\n[OptimumResultTable \"-Result\\2R;+Denomination\\2R;Declarer\"]\n{rows}[Play \"W\"]\nSA SK S2 S3\n",
        HANDS.join(" ")
    );
    let board = one(game);
    assert_eq!(board.par, Some(-140));
    let table = board.tricks.unwrap();
    assert_eq!(table.tricks(Seat::West, Strain::Spades), 9);
    assert_eq!(table.tricks(Seat::East, Strain::Notrump), 4);
    let digits = one(format!(
        "[Deal \"N:{}\"]\n[DoubleDummyTricks \"5967559675747587475D\"]",
        HANDS.join(" ")
    ));
    assert_eq!(digits.tricks.unwrap().tricks(Seat::West, Strain::Clubs), 13);
    let unknown = one(format!(
        "[Deal \"N:{}\"]\n[DoubleDummyTricks \"*****596757475874758\"]",
        HANDS.join(" ")
    ));
    assert_eq!(unknown.tricks, None);
}

#[test]
fn a_bad_board_is_reported_and_the_next_one_is_read() {
    let good = format!("[Board \"2\"]\n[Deal \"N:{}\"]\n", HANDS.join(" "));
    let bad = good.replace("\"2\"", "\"1\"").replace("AKJ.KQJ", "AKJ.KQ");
    let boards = read(format!("{bad}\n{good}\n[Event \"no deal here\"]\n"));
    assert_eq!(boards.len(), 2);
    let problem = boards[0].as_ref().unwrap_err();
    assert_eq!((problem.line, problem.board), (2, Some(1)));
    assert_eq!(
        problem.to_string(),
        "line 2, board 1: north has 12 cards instead of 13"
    );
    assert_eq!(boards[1].as_ref().unwrap().deal(), Some(deal()));
    let twice = good.replace("QT.T75", "QA.T75");
    assert!(
        read(twice)[0]
            .as_ref()
            .unwrap_err()
            .message
            .contains("both hold")
    );
}

#[test]
fn lin_as_bbo_writes_it() {
    let md = "S98642H842D52C652,S753HA963DKJ4CAK7,SAKJHKQJDA9873CQ9";
    let board = one(format!(
        "pn|a,b,c,d|st||md|4{md},|sv|b|rh||ah|Board 12|mb|p|\nmb|1N|an|strong|pg||\n"
    ));
    assert_eq!(board.deal(), Some(deal()));
    assert_eq!(
        (board.number, board.dealer, board.vulnerable),
        (Some(12), Some(Seat::East), Some(Vulnerability::Both))
    );
    assert_eq!(
        board.names.unwrap().players.0,
        ["c", "d", "a", "b"].map(String::from)
    );
    // The dealer follows from the number; suits are in any order and case, tens have two digits, void suits are
    // omitted.
    let board = one(
        "md|0c256d25h248s24689,h369adj4ks357ckA7,SAKJHKQJDA9873CQ9,sq10ht75dqt6cjt843|ah|Board+7|",
    );
    assert_eq!(board.deal(), Some(deal()));
    assert_eq!(
        (board.dealer, board.vulnerable),
        (Some(Seat::South), Some(Vulnerability::Both))
    );
    // Both rooms of a match have the same board: two records of it.
    let match_file =
        format!("qx|o7|md|1{md}|sv|n|pg||\nqx|c7|md|1{md}|sv|n|pg||\nqx|o8|md|2{md}|pg||\n");
    let boards = read(match_file);
    assert_eq!(
        boards
            .iter()
            .map(|board| board.as_ref().unwrap().number)
            .collect::<Vec<_>>(),
        [Some(7), Some(7), Some(8)]
    );
    let room = |board: &Board| {
        let extras = board.extras.as_ref()?;
        extras.tag("Room").map(str::to_owned)
    };
    let rooms: Vec<Option<String>> = boards
        .iter()
        .map(|board| room(board.as_ref().unwrap()))
        .collect();
    assert_eq!(rooms, [None, Some("Closed".to_owned()), None]);
    let url = format!(
        "https://example.org/hv.html?lin=pn%7Ca%2Cb%2Cc%2Cd%7Cmd%7C3{}%7Csv%7Ce%7Cah%7CBoard%203%7C&x=1",
        md.replace(',', "%2C")
    );
    let board = one(url);
    assert_eq!(
        (board.deal(), board.number, board.vulnerable),
        (Some(deal()), Some(3), Some(Vulnerability::EastWest))
    );
    let bad = read(format!(
        "qx|o1|md|3{}|pg||qx|o2|md|3{md}|pg||",
        md.replace("AK7", "AK")
    ));
    assert!(bad[0].is_err() && bad[1].is_ok());
}

#[test]
fn printed_text_among_other_lines() {
    let [n, e, s, w] = HANDS;
    let text = format!(
        "Some title\n n {n} e {e} s {s} w {w} ,'x',20\nW {w} N {n} E {e} S {s}\n   20,n {n} e {e} s {s} w {w} ,3\n\
         n {n}\ne {e}\ns {s}\nw {w}\n17\n[Deal \"N:{n} {e} {s} {w}\"]\nN:{n} {e} {s} {w}\nGenerated 3 hands\n1.\n2.\n-N SAKJ,HKQJ,DA9873,CQ9 \n"
    );
    let boards: Vec<Board> = Reader::with_format(text.as_bytes(), InputFormat::Text)
        .map(|board| board.unwrap())
        .collect();
    assert_eq!(boards.len(), 7);
    assert!(boards[..6].iter().all(|board| board.deal() == Some(deal())));
    assert_eq!(boards[6].deal(), None);
    assert_eq!(boards[6].hands.0[Seat::North], Some(deal()[Seat::North]));
}

#[test]
fn a_page_edited_by_hand() {
    let page = "  3. North  East  South  West\n\
                A K J     Q T    9 8 6 4 2   7 5 3\n\
                K Q J   T 7 5  8 4 2   A 9 6 3\n\
                A 9 8 7 3  Q T 6   5 2   K J 4\n\
                Q 9     J T 8 4 3    6 5 2    A K 7\n";
    let board = one(page);
    assert_eq!((board.number, board.deal()), (Some(3), Some(deal())));
    let short = page.replace("A K 7", "A K");
    assert!(read(short)[0].is_err());
}

#[test]
fn other_kinds_of_files_are_named() {
    for (start, name) in [
        (&b"\x12\x0a\x03AC3 \x00\x00 a game"[..], "ACBLscore"),
        (b"\x00\x01\x00\x00Standard Jet DB\x00", "Access"),
        (b"%PDF-1.7\n%\xe2\xe3\n1 0 obj\n", "a PDF"),
        (b"PK\x03\x04\x14\x00", "ZIP"),
        (b"\x1f\x8b\x08\x00\x00", "gzip"),
    ] {
        let boards: Vec<_> = Reader::new(start).unwrap().collect();
        let [Err(error)] = &boards[..] else {
            panic!("{name}: {} items", boards.len());
        };
        let message = error.to_string();
        assert!(
            message.contains("this looks like") && message.contains(name),
            "{message}"
        );
    }
}
