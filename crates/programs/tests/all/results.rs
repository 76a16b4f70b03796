//! Tests of `croupier results`: travellers, rankings and USEBIO.

use crate::common::{done, failure};

const DEAL: &str = "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3";

/// Returns a board of four tables: 420 twice, 170 and -50.
fn score_table() -> String {
    format!(
        "[Event \"Club evening\"]\n[Board \"1\"]\n[Dealer \"N\"]\n[Vulnerable \"None\"]\n[Deal \"{DEAL}\"]\n\
        [ScoreTable \"PairId_NS\\2R;PairId_EW\\2R;Contract\\5L;Declarer\\1R;Result\\2R;Lead\\2L\"]\n\
         1  2 4S    S 10 H9\n 3  4 4S    S 10 DA\n 5  6 2S    S 10 -\n 7  8 4S    S  9 CA\n\
        [TotalScoreTable \"Rank;PairId;Names\"]\n1 1 \"Ann & Bob\"\n"
    )
}

#[test]
fn matchpoints_imps_and_butler_of_a_score_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a.pbn"), score_table()).unwrap();
    let text = done(&["results", &path("a.pbn"), "-f", "csv"]);
    for row in [
        "1,Ann & Bob,2,4S,S,H9,10,420,5,1",
        "1,5,6,2S,S,,10,170,2,4",
        "1,7,8,4S,S,CA,9,-50,0,6",
        "1,8,1,6,100.00",
        "2,Ann & Bob,1,5,83.33",
    ] {
        assert!(text.lines().any(|line| line == row), "{row}: {text}");
    }
    // 420 against 420, 170 and -50: 0, 6 and 10 IMPs.
    let text = done(&["results", &path("a.pbn"), "-f", "csv", "--scoring", "imps"]);
    assert!(text.contains(",420,5.33,-5.33"), "{text}");
    // The datum is (420 + 420 + 170 - 50) / 4 = 240.
    let text = done(&[
        "results",
        &path("a.pbn"),
        "-f",
        "csv",
        "--scoring",
        "butler",
    ]);
    assert!(
        text.contains(",420,5,-5") && text.contains(",-50,-7,7"),
        "{text}"
    );
    let text = done(&["results", &path("a.pbn")]);
    assert!(text.starts_with("Club evening\n\nBoard 1\n"), "{text}");
}

#[test]
fn usebio_written_and_read_gives_the_same_ranking() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a.pbn"), score_table()).unwrap();
    done(&["results", &path("a.pbn"), "-o", &path("a.xml")]);
    for scoring in ["mp", "imps", "butler"] {
        let ranking =
            |name: &str| done(&["results", &path(name), "--scoring", scoring, "-f", "json"]);
        assert_eq!(ranking("a.xml"), ranking("a.pbn"));
    }
    let xml = std::fs::read_to_string(path("a.xml")).unwrap();
    std::fs::write(path("cut.xml"), &xml[..xml.len() / 2]).unwrap();
    let message = failure(&["results", &path("cut.xml")], 1);
    assert!(
        message.contains("the file ends inside") || message.contains("not closed"),
        "{message}"
    );
}

#[test]
fn two_rooms_are_a_match_of_teams() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.lin").display().to_string();
    let deal =
        "md|3SAKQ62HKJ5DTCJT76,S973H9876DAJ87CA3,ST85HATDQ96543CQ8,|rh||ah|Board 3|sv|o|pg||";
    let text = format!(
        "vg|Cup,1,I,3,3,Ireland,0,Norway,0|\nrs|4SS=,2SS+2|\npn|A,B,C,D,E,F,G,H|pg||\nqx|o3|{deal}\nqx|c3|{deal}\n"
    );
    std::fs::write(&path, text).unwrap();
    let ranking = done(&["results", &path, "--ranking", "-f", "csv"]);
    // 420 against 170: 6 IMPs.
    assert_eq!(
        ranking,
        "rank,name,boards,total,percent\n1,Ireland,1,6,\n2,Norway,1,-6,\n"
    );
    let text = done(&["results", &path]);
    assert!(text.contains("C – A") && text.contains("4S"), "{text}");
}

#[test]
fn a_file_without_results_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.pbn").display().to_string();
    std::fs::write(&path, format!("[Deal \"{DEAL}\"]\n")).unwrap();
    assert!(failure(&["results", &path], 1).contains("there are no results in it"));
    assert!(failure(&["results", "nofile.pbn"], 2).contains("there is no file of this name"));
}

#[test]
fn travellers_and_ranking_are_printed_with_the_hands() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a.pbn"), score_table()).unwrap();
    done(&["results", &path("a.pbn"), "-o", &path("a.xml")]);
    let mut bare = std::fs::read_to_string(path("a.xml")).unwrap();
    while let (Some(from), Some(to)) = (bare.find("<HAND>"), bare.find("</HAND>")) {
        bare.replace_range(from..to + "</HAND>".len(), "");
    }
    std::fs::write(path("bare.xml"), bare).unwrap();
    for input in ["a.pbn", "a.xml", "bare.xml"] {
        let page = path(&format!("{input}.pdf"));
        done(&["results", &path(input), "-o", &page]);
        let text = std::process::Command::new("pdftotext")
            .args(["-layout", &page, "-"])
            .output()
            .expect("pdftotext runs");
        let text = String::from_utf8(text.stdout).unwrap();
        for part in [
            "Club evening",
            "Ann & Bob",
            "4♠ S ♥9 10",
            "420",
            "-50",
            "Ranking",
            "83.33",
        ] {
            assert!(text.contains(part), "{input}: {part}: {text}");
        }
        // A file without cards has no diagrams.
        assert_eq!(text.contains("Board 1"), input == "bare.xml", "{text}");
    }
}

/// Returns a USEBIO file with these elements in its event.
fn usebio(elements: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n<!DOCTYPE USEBIO SYSTEM \"usebio_v1_2.dtd\">\n\
         <USEBIO Version=\"1.2\"><EVENT EVENT_TYPE=\"PAIRS\"><EVENT_DESCRIPTION>Club</EVENT_DESCRIPTION>\n{elements}\n\
         </EVENT></USEBIO>\n"
    )
}

fn usebio_pair(number: u32, direction: &str, name: &str) -> String {
    format!(
        "<PAIR><PAIR_NUMBER>{number}</PAIR_NUMBER><DIRECTION>{direction}</DIRECTION>\
         <PLAYER><PLAYER_NAME>{name}</PLAYER_NAME></PLAYER></PAIR>"
    )
}

fn usebio_line(pairs: [u32; 2], contract: &str, tricks: &str, score: &str) -> String {
    let [north_south, east_west] = pairs;
    format!(
        "<TRAVELLER_LINE><NS_PAIR_NUMBER>{north_south}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{east_west}</EW_PAIR_NUMBER>\
         <CONTRACT>{contract}</CONTRACT><PLAYED_BY>S</PLAYED_BY><TRICKS>{tricks}</TRICKS><SCORE>{score}</SCORE></TRAVELLER_LINE>"
    )
}

/// Pairs that keep their direction have numbers twice, and sections have the same numbers.
#[test]
fn usebio_pairs_of_both_directions_and_of_sections_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let section = |id: &str, score: &str| {
        format!(
            "<SECTION SECTION_ID=\"{id}\"><PARTICIPANTS>{}{}</PARTICIPANTS><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{}</BOARD></SECTION>",
            usebio_pair(1, "NS", &format!("Ann {id}")),
            usebio_pair(1, "EW", &format!("Zo&#233; {id} &amp; Co")),
            usebio_line([1, 1], "4S", "10", score)
        )
    };
    let text = usebio(&(section("A", "420") + &section("B", "170")));
    std::fs::write(path("a.xml"), text).unwrap();
    let rows = done(&["results", &path("a.xml"), "-f", "csv"]);
    for row in [
        "1,Ann A,Zoé A & Co,4S,S,,10,420",
        "1,Ann B,Zoé B & Co,4S,S,,10,170",
    ] {
        assert!(
            rows.lines().any(|line| line.starts_with(row)),
            "{row}: {rows}"
        );
    }
    done(&["results", &path("a.xml"), "-o", &path("b.xml")]);
    assert_eq!(done(&["results", &path("b.xml"), "-f", "csv"]), rows);
}

/// A result without a score gets one from contract and tricks; an adjusted score is named.
#[test]
fn usebio_results_without_a_score_are_computed_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.xml").display().to_string();
    let board = |number: u64, lines: &[String]| {
        let lines = lines.concat();
        format!("<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{lines}</BOARD>")
    };
    let boards = [
        board(
            2,
            &[
                usebio_line([1, 2], "3NTX", "9", ""),
                usebio_line([3, 4], "Pass", "", ""),
            ],
        ),
        board(
            3,
            &[
                usebio_line([1, 2], "", "", "0"),
                usebio_line([3, 4], "2H", "8", "A6040"),
            ],
        ),
        board(4, &[usebio_line([1, 2], "", "", "A60")]),
    ];
    std::fs::write(&path, usebio(&boards.concat())).unwrap();
    let output = crate::common::croupier(&["results", &path, "-f", "csv"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    // North-South are vulnerable on board 2.
    assert!(text.contains("2,1,2,3Nx,S,,9,750,"), "{text}");
    assert!(text.contains("2,3,4,pass,S,,,0,"), "{text}");
    assert!(
        output.status.success() && errors.contains("left out, on boards 3, 3, 4"),
        "{errors}"
    );
}

#[test]
fn usebio_matches_of_pairs_and_hands_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let hands = |south: &str| {
        let hand = |seat: &str, suits: [&str; 4]| {
            let [spades, hearts, diamonds, clubs] = suits;
            format!(
                "<HAND><DIRECTION>{seat}</DIRECTION><CLUBS>{clubs}</CLUBS><DIAMONDS>{diamonds}</DIAMONDS>\
                 <HEARTS>{hearts}</HEARTS><SPADES>{spades}</SPADES></HAND>"
            )
        };
        hand("N", ["T85", "AT", "Q96543", "Q8"])
            + &hand("E", ["J4", "Q432", "K2", "K9542"])
            + &hand("S", ["AKQ62", "KJ5", "T", south])
            + &hand("W", ["973", "9876", "AJ87", "A3"])
    };
    let line = |score: &str| {
        format!(
            "<TRAVELLER_LINE><CONTRACT>4S</CONTRACT><PLAYED_BY>S</PLAYED_BY><TRICKS>10</TRICKS><SCORE>{score}</SCORE></TRAVELLER_LINE>"
        )
    };
    let of_match = |pairs: [u32; 2], score: &str, south: &str| {
        let [north_south, east_west] = pairs;
        format!(
            "<MATCH><NS_PAIR_NUMBER>{north_south}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{east_west}</EW_PAIR_NUMBER>\
             <BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{}{}</BOARD></MATCH>",
            hands(south),
            line(score)
        )
    };
    let text =
        |south: &str| usebio(&(of_match([1, 2], "420", south) + &of_match([3, 4], "-50", south)));
    std::fs::write(path("a.xml"), text("JT76")).unwrap();
    let rows = done(&["results", &path("a.xml"), "-f", "csv"]);
    assert!(
        rows.contains("1,1,2,4S,S,,10,420,2,0") && rows.contains("1,3,4,4S,S,,10,-50,0,2"),
        "{rows}"
    );
    // The cards are printed, and written again.
    done(&["results", &path("a.xml"), "-o", &path("b.xml")]);
    done(&["results", &path("b.xml"), "-o", &path("b.pdf")]);
    let page = std::process::Command::new("pdftotext")
        .args(["-layout", &path("b.pdf"), "-"])
        .output()
        .expect("pdftotext runs");
    let page = String::from_utf8_lossy(&page.stdout).into_owned();
    assert!(
        page.contains("Q96543") || page.contains("Q 9 6 5 4 3"),
        "{page}"
    );
    std::fs::write(path("c.xml"), text("JT7")).unwrap();
    let message = failure(&["results", &path("c.xml")], 1);
    assert!(message.contains("the hands of board 1: "), "{message}");
    std::fs::write(
        path("d.xml"),
        usebio(&format!("<BOARD>{}</BOARD>", line("420"))),
    )
    .unwrap();
    let message = failure(&["results", &path("d.xml")], 1);
    assert!(
        message.contains("matches of teams are not supported"),
        "{message}"
    );
}
