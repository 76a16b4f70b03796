//! Damaged boards are reported with number and line, and only the structure decides the format.

use cards::Deal;
use croupier_formats::{Board, BoardReadError, InputFormat, OutputFormat, Reader, Writer};

const HANDS: [&str; 4] = [
    "AKJ.KQJ.A9873.Q9",
    "QT.T75.QT6.JT843",
    "98642.842.52.652",
    "753.A963.KJ4.AK7",
];

fn deal() -> Deal {
    format!("N:{}", HANDS.join(" ")).parse().unwrap()
}

fn read(text: impl AsRef<[u8]>) -> (usize, Vec<String>) {
    let items: Vec<Result<Board, BoardReadError>> = Reader::new(text.as_ref()).unwrap().collect();
    let problems = items.iter().filter_map(|item| item.as_ref().err());
    let problems: Vec<String> = problems.map(ToString::to_string).collect();
    (items.len() - problems.len(), problems)
}

fn game(number: u64) -> String {
    format!("[Board \"{number}\"]\n[Deal \"N:{}\"]\n", HANDS.join(" "))
}

fn written(name: &str) -> Vec<u8> {
    let format = OutputFormat::from_name(name).unwrap();
    let (mut file, mut writer) = (Vec::new(), Writer::new(format));
    for number in 1..=3 {
        writer.write(&mut file, &Board::duplicate(&deal(), number), &deal());
    }
    writer.finish(&mut file).unwrap();
    file
}

#[test]
fn words_in_comments_do_not_decide_the_format() {
    let link = "https://www.bridgebase.com/tools/handviewer.html?lin=md%7C3SAK%7C";
    let long = format!("{{ {} {link} }}\n", "a remark ".repeat(1000));
    for comment in [
        format!("{{ see {link} }}\n"),
        format!("{{ see\n{link}\nmd|3SAKQ|\nqx|o1|pg||\n }}\n"),
        format!("; {link}\n"),
        format!("% {link}\n"),
        long,
        "{\"Hello\" md|3SAK|}\n".to_owned(),
    ] {
        let file = format!("{comment}{}{comment}\n{}", game(1), game(2));
        assert_eq!(
            InputFormat::detect(file.as_bytes()),
            InputFormat::Pbn,
            "{comment:.80}"
        );
        assert_eq!(read(&file), (2, vec![]), "{comment:.80}");
    }
    let text = format!(
        "[md|x] a title\nn {} e {} s {} w {}\n",
        HANDS[0], HANDS[1], HANDS[2], HANDS[3]
    );
    assert_eq!(read(text), (1, vec![]));
    let lin = String::from_utf8(written("lin")).unwrap();
    let titled = format!(
        "A match\n{}",
        lin.replace("pg||", "nt|[Deal \"no\"]\n[Board \"9\"]|pg||")
    );
    assert_eq!(read(titled), (3, vec![]));
}

#[test]
fn a_broken_tag_names_the_board() {
    let broken = [
        (
            "[Deal \"N:AKJ.KQJ",
            "line 5, board 2: the tag [Deal is broken",
        ),
        (
            "[Deal N:AKJ.KQJ]",
            "line 5, board 2: the tag [Deal is broken",
        ),
        (
            "[Dea \"N:AKJ.KQJ\"]",
            "line 4, board 2: the board has no Deal tag",
        ),
        (
            "[Vulnerable \"All]",
            "line 5, board 2: the tag [Vulnerable is broken",
        ),
    ];
    for (tag, message) in broken {
        let file = format!("{}\n[Board \"2\"]\n{tag}\n\n{}", game(1), game(3));
        let (boards, problems) = read(file);
        assert_eq!((boards, problems.len()), (2, 1), "{tag}: {problems:?}");
        assert!(problems[0].starts_with(message), "{tag}: {problems:?}");
    }
}

#[test]
fn games_without_a_blank_line_between_them_are_all_read() {
    let file = game(1) + &game(2) + &game(3);
    let boards = Reader::new(file.as_bytes()).unwrap();
    let numbers: Vec<Option<u64>> = boards.map(|board| board.unwrap().number).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3)]);
    // A repeated tag does not begin a new game.
    let twice = format!("[Event \"x\"]\n{}[Event \"y\"]\n", game(1));
    assert_eq!(read(twice), (1, vec![]));
}

#[test]
fn an_open_comment_that_swallows_games_is_reported() {
    let file = format!("{}{{ a remark\n\n{}\n{}", game(1), game(2), game(3));
    let (boards, problems) = read(file);
    assert_eq!(boards, 1);
    assert!(
        problems[0].starts_with("line 3: the comment that begins here is not closed"),
        "{problems:?}"
    );
    assert_eq!(read(game(1) + "{ a remark"), (1, vec![]));
}

#[test]
fn compact_and_one_line_deals_with_a_wrong_hand_are_reported() {
    let [n, e, s, w] = HANDS;
    let doubled = n.replace("AKJ", "AAJ");
    let line = |n: &str, e: &str| format!("n {n} e {e} s {s} w {w}\n");
    let block = |n: &str, e: &str| format!("n {n}\ne {e}\ns {s}\nw {w}\n");
    for make in [&line as &dyn Fn(&str, &str) -> String, &block] {
        let file = make(n, e) + &make(&doubled, e) + &make(n, "QT.T75.QT6.J#843") + &make(n, e);
        let (boards, problems) = read(&file);
        assert_eq!((boards, problems.len()), (2, 2), "{file}{problems:?}");
        assert!(problems[0].contains("AS appears twice"), "{problems:?}");
    }
    for wrong in [
        format!("n {n} x {e} s {s} w {w}\n"),
        format!("{n} {e} {s} {w}\n"),
        format!("n {n} e {e}\n"),
        format!("n {n}\ne {e}\n\n"),
        format!("[Deal \"N:{n} {e}\n"),
    ] {
        let (boards, problems) = read(line(n, e) + &wrong + &line(n, e));
        assert_eq!((boards, problems.len()), (2, 1), "{wrong}{problems:?}");
    }
}

#[test]
fn numbers_with_points_are_no_hands() {
    let text =
        "from 2026.11.16 to 2026.12.24\n255.255.255.255 192.168.100.254\n1.\n2.\n3.\nn 8.8.8.8\n";
    let line = format!(
        "n {} e {} s {} w {}\n",
        HANDS[0], HANDS[1], HANDS[2], HANDS[3]
    );
    assert_eq!(read(line.clone() + text + &line), (2, vec![]));
}

#[test]
fn a_page_without_all_suits_is_reported() {
    let page = String::from_utf8(written("all")).unwrap();
    let lines: Vec<&str> = page.lines().collect();
    let board = lines.iter().position(|line| line.contains("2.")).unwrap();
    for missing in 1..=4 {
        let mut lines = lines.clone();
        lines[board + missing] = "no cards here";
        let (boards, problems) = read(lines.join("\n"));
        assert_eq!((boards, problems.len()), (2, 1), "{missing}: {problems:?}");
        assert!(
            problems[0].contains("board 2: the page has 3 lines of suits"),
            "{problems:?}"
        );
    }
}

#[test]
fn every_link_of_a_line_is_read() {
    let lin = String::from_utf8(written("bbo")).unwrap();
    let named = "https://www.bridgebase.com/tools/handviewer.html?n=sakjhkqjda9873cq9&e=sqtht75dqt6cjt843&s=s98642h842d52c652";
    let links: Vec<String> = lin
        .lines()
        .map(|link| format!("<a href='{link}'>"))
        .collect();
    let page = format!("<p>{}<a href='{named}'></p>", links.concat());
    assert_eq!(read(page), (4, vec![]));
    let (boards, problems) = read(format!("{named}\n{}", lin.replace("md%7C", "mx%7C")));
    assert_eq!((boards, problems.len()), (1, 3), "{problems:?}");
}

#[test]
fn blank_records_and_missing_lines_of_a_set_are_reported() {
    for (name, length) in [("dup", 156), ("bri", 128), ("dge", 128)] {
        let mut file = written(name);
        file[length..2 * length].fill(b' ');
        let (boards, problems) = read(&file);
        assert_eq!((boards, problems.len()), (2, 1), "{name}: {problems:?}");
        assert!(problems[0].contains("board 2"), "{problems:?}");
        // Zeros may fill the end.
        let mut file = written(name);
        file.extend(vec![0; 3 * length]);
        assert_eq!(read(&file), (3, vec![]), "{name}");
    }
    let file = String::from_utf8(written("dlm")).unwrap();
    let (boards, problems) = read(file.replace("\r\nBoard 02=", "\r\nBoxrd 02="));
    assert_eq!((boards, problems.len()), (2, 1), "{problems:?}");
    assert!(problems[0].contains("board 2"), "{problems:?}");
}

#[test]
fn json_and_csv_boards_without_cards_are_reported() {
    let json = String::from_utf8(written("json")).unwrap();
    let (boards, problems) =
        read(json.replacen("\"hands\"", "\"hnds\"", 1) + "{\"statistics\":{}}\n");
    assert_eq!((boards, problems.len()), (2, 1), "{problems:?}");
    let csv = String::from_utf8(written("csv")).unwrap();
    let (boards, problems) = read(csv.replacen("None,", "None,\"", 1));
    assert_eq!((boards, problems.len()), (2, 1), "{problems:?}");
}
