//! The pages of the reference programs are read and printed again without any difference.
//!
//! The golden files contain the output of Debian dealer (v1) and DealerV2 (v2). Our readers recover the deals, so each
//! case tests a reader and a writer.

use std::path::PathBuf;

use cards::Deal;
use croupier_formats::page::{self, Caption};
use croupier_formats::pbn::{DealTags, deal_tags};
use croupier_formats::{Board, InputFormat, PrintStyle, Reader, hand, style};

fn golden(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../dealer/tests/data/golden")
        .join(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // The statistics, and the title before them, are not part of the pages.
    let end = text
        .windows(10)
        .position(|window| window == b"Generated ")
        .unwrap_or(text.len());
    text[..end].to_vec()
}

fn boards(text: &[u8], format: InputFormat) -> Vec<Board> {
    Reader::with_format(text, format)
        .map(|board| board.unwrap())
        .collect()
}

fn deals(text: &[u8]) -> Vec<Deal> {
    boards(text, InputFormat::Text)
        .iter()
        .map(|board| board.deal().unwrap())
        .collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn check_four_hands(name: &str, style: &PrintStyle, title: &str, first: i64) {
    let expected = golden(name);
    let mut printed = Vec::new();
    for (index, deal) in deals(&expected).iter().enumerate() {
        let caption = Caption {
            title: title.as_bytes(),
            produced: index as u64 + 1,
            board: first + index as i64,
            earlier: 0,
        };
        page::four_hands(&mut printed, style, &caption, deal);
    }
    if !title.is_empty() {
        printed.extend_from_slice(format!("\n{title}\n").as_bytes());
    }
    assert!(!printed.is_empty());
    assert_eq!(text(&printed), text(&expected), "{name}");
}

#[test]
fn four_hands_of_v1() {
    for name in [
        "all_two",
        "all_void_dash",
        "all_numbers_100",
        "all_eleven_cards",
        "all_thirteen_cards",
    ] {
        check_four_hands(&format!("{name}.out"), &style::V1, "", 1);
    }
}

#[test]
fn four_hands_of_v2_with_titles_and_page_breaks() {
    for name in [
        "v_all_default",
        "v_all_ten_no_title",
        "v_all_void",
        "v_all_thirteen",
    ] {
        check_four_hands(&format!("{name}.out"), &style::V2, "", 1);
    }
    check_four_hands("v_all_startboard.out", &style::V2, "", 99);
    check_four_hands("v_all_title_page_break.out", &style::V2, "Pages", 1);
    check_four_hands(
        "v_all_title_spaces.out",
        &style::V2,
        "  two  spaces  inside ",
        1,
    );
}

#[test]
fn one_line_and_compact() {
    for name in [
        "oneline_plain",
        "v_csv_and_export",
        "swap_three",
        "st_predeal_full_deal",
    ] {
        let expected = golden(&format!("{name}.out"));
        let mut printed = Vec::new();
        for deal in deals(&expected) {
            hand::one_line(&mut printed, &deal, None);
        }
        assert_eq!(text(&printed), text(&expected), "{name}");
    }
    for name in ["compact_plain", "compact_void"] {
        let expected = golden(&format!("{name}.out"));
        let mut printed = Vec::new();
        for deal in deals(&expected) {
            hand::compact(&mut printed, &deal, None);
        }
        assert_eq!(text(&printed), text(&expected), "{name}");
    }
    let expected = golden("compact_expr.out");
    let numbers = text(&expected);
    let mut numbers = numbers.lines().filter_map(|line| line.parse().ok());
    let mut printed = Vec::new();
    for deal in deals(&expected) {
        hand::compact(&mut printed, &deal, numbers.next());
    }
    assert_eq!(text(&printed), text(&expected));
}

#[track_caller]
fn check_pbn(name: &str, style: &PrintStyle, tags: DealTags) {
    let expected = golden(&format!("{name}.out"));
    let mut printed = Vec::new();
    for (index, board) in boards(&expected, InputFormat::Pbn).iter().enumerate() {
        let tags = DealTags {
            board: tags.board + index as i64,
            ..tags
        };
        assert_eq!(board.number, Some(tags.board as u64));
        deal_tags(&mut printed, style, &tags, &board.deal().unwrap());
    }
    assert!(!printed.is_empty());
    let mut printed = text(&printed);
    if !tags.title.is_empty() {
        printed.push_str(&format!("\n{}\n", text(tags.title)));
    }
    assert_eq!(printed, text(&expected), "{name}");
}

#[test]
fn pbn_tags_of_both_dialects() {
    let tags = |script: &'static str, seed: &'static str| DealTags {
        script: Some(script.as_bytes()),
        seed,
        title: b"",
        date: "@TODAY@",
        board: 1,
        dealer: None,
        vulnerable: None,
    };
    check_pbn("pbn_rotation", &style::V1, tags("pbn_rotation.v1.dl", "43"));
    check_pbn(
        "pbn_seed_negative",
        &style::V1,
        tags("pbn_seed_negative.v1.dl", "18446744073709551613"),
    );
    check_pbn(
        "pbn_stdin_null_name",
        &style::V1,
        DealTags {
            script: None,
            ..tags("", "46")
        },
    );
    check_pbn(
        "pbn_fixed_dealer_vul",
        &style::V1,
        DealTags {
            dealer: Some(cards::Seat::South),
            vulnerable: Some(cards::Vulnerability::EastWest),
            ..tags("pbn_fixed_dealer_vul.v1.dl", "44")
        },
    );
    check_pbn("v_pbn_one", &style::V2, tags("v_pbn_one.v2.dl", "31"));
    check_pbn(
        "v_pbn_startboard_16",
        &style::V2,
        DealTags {
            board: 15,
            ..tags("v_pbn_startboard_16.v2.dl", "33")
        },
    );
    check_pbn(
        "v_pbn_two_title",
        &style::V2,
        DealTags {
            title: b"My set",
            ..tags("v_pbn_two_title.v2.dl", "32")
        },
    );
    check_pbn(
        "v_pbn_title_quote",
        &style::V2,
        DealTags {
            title: b"a \"quoted\" title",
            ..tags("v_pbn_title_quote.v2.dl", "38")
        },
    );
}

/// Libraries and additional files of the golden cases: binary formats are detected by their content.
#[test]
fn binary_files_are_detected_and_read() {
    let read = |name: &str| {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../dealer/tests/data/golden")
            .join(name);
        std::fs::read(path).unwrap()
    };
    for (name, format, count) in [
        ("v_lib_read.pre/lib.zrd", InputFormat::Zrd, None),
        ("v_lib_header_title.pre/lib.zrd", InputFormat::Zrd, Some(3)),
        ("v_zrd_solved.files/d.zrd", InputFormat::Zrd, Some(1)),
        ("v_zrd_nodds.files/d.zrd", InputFormat::Zrd, Some(3)),
        ("v_dl52.files/d.dl52", InputFormat::Dl52, Some(3)),
    ] {
        let bytes = read(name);
        let reader = Reader::new(&bytes[..]).unwrap();
        assert_eq!(reader.format(), format, "{name}");
        let boards: Vec<Board> = reader.map(|board| board.unwrap()).collect();
        assert_eq!(boards.len(), count.unwrap_or(boards.len()), "{name}");
        assert!(!boards.is_empty());
    }
    let solved = read("v_zrd_solved.files/d.zrd");
    assert!(
        Reader::new(&solved[..])
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .tricks
            .is_some()
    );
    let unsolved = read("v_zrd_nodds.files/d.zrd");
    assert!(
        Reader::new(&unsolved[..])
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .tricks
            .is_none()
    );
}
