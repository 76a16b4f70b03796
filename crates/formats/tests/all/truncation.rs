//! Files that were cut anywhere: every complete board is read with its cards, and an incomplete board is reported.
//!
//! The number of complete boards is computed without the readers: by the length of the file after each board was
//! written, by the length of records, or by texts that end a board.

use cards::{Deal, TrickTable};
use croupier_formats::{Board, BoardNames, ExtraTag, Extras, OutputFormat, Reader, Record, Writer};

const DEALS: [&str; 4] = [
    "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7",
    "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
    "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432",
    "N:J987.JT7643.A4.Q .KQ2.QT9.AK98543 AQ42.A8.KJ762.J2 KT653.95.853.T76",
];

fn deals() -> Vec<Deal> {
    DEALS.iter().map(|text| text.parse().unwrap()).collect()
}

/// A file, and the positions at which its boards begin and end.
struct Sample {
    name: String,
    bytes: Vec<u8>,
    /// For each board: the byte after which it can be recognised, and its end.
    boards: Vec<(usize, usize)>,
}

impl Sample {
    fn whole(&self, cut: usize) -> usize {
        self.boards.iter().filter(|(_, end)| *end <= cut).count()
    }

    fn begun(&self, cut: usize) -> usize {
        self.boards
            .iter()
            .filter(|(begins, _)| *begins <= cut)
            .count()
    }
}

/// Returns the end of `part` in `text` at or after `from`.
#[track_caller]
fn behind(text: &[u8], part: &str, from: usize) -> usize {
    let place = text[from..]
        .windows(part.len())
        .position(|window| window == part.as_bytes());
    from + place.unwrap_or_else(|| panic!("no {part:?}")) + part.len()
}

/// Returns a board with all possible data.
fn played(deal: &Deal, number: u64) -> Board {
    Board {
        tricks: TrickTable::new([[7; 5]; 4]),
        par: Some(140),
        par_contracts: Some("NS 3S=, NS 3H=".to_owned()),
        names: Some(Box::new(BoardNames {
            event: "Club evening".to_owned(),
            ..BoardNames::default()
        })),
        record: Some(Box::new(Record {
            auction: ["1NT", "Pass", "Pass", "Pass"].map(str::to_owned).to_vec(),
            contract: "1N".parse().ok(),
            declarer: Some(cards::Seat::dealer_of_board(number)),
            result: Some(7),
            ..Record::default()
        })),
        extras: Some(Box::new(Extras {
            comments: vec!["see https://example.org/x?lin=md|3SAK| there".to_owned()],
            tags: vec![ExtraTag {
                name: "Room".to_owned(),
                value: "Open".to_owned(),
                section: String::new(),
            }],
        })),
        ..Board::duplicate(deal, number)
    }
}

/// Returns the position after which a board of a written file can be recognised, from `start` on.
fn recognised(format: OutputFormat, file: &[u8], start: usize) -> usize {
    match format {
        OutputFormat::Pbn => behind(file, "[Board \"", start),
        OutputFormat::Lin => behind(file, "qx|o", start),
        OutputFormat::Handviewer => behind(file, "?lin=qx", start),
        OutputFormat::OneLine | OutputFormat::Compact => start + 3,
        // A page is recognised by its heading and a line below it.
        OutputFormat::Page => behind(file, "\n", behind(file, "\n", start)),
        OutputFormat::Json => start + 2,
        _ => start + 1,
    }
}

fn written(name: &str, format: OutputFormat, board: fn(&Deal, u64) -> Board) -> Sample {
    let (mut bytes, mut writer) = (Vec::new(), Writer::new(format));
    let mut ends = vec![0];
    for (number, deal) in (1..).zip(deals()) {
        writer.write(&mut bytes, &board(&deal, number), &deal);
        ends.push(bytes.len());
    }
    writer.finish(&mut bytes).unwrap();
    let record = match format {
        OutputFormat::Dup => Some(156),
        OutputFormat::Bri | OutputFormat::Dge => Some(128),
        _ => None,
    };
    let boards = (1..=DEALS.len()).map(|number| match (record, format) {
        (Some(length), _) => (length * (number - 1) + 1, length * number),
        (None, OutputFormat::Dlm) => {
            let from = behind(&bytes, "To board=4\r\n", 0);
            (
                from,
                behind(
                    &bytes,
                    "\r\n",
                    behind(&bytes, &format!("\nBoard {number:02}="), 0),
                ),
            )
        }
        _ => (
            recognised(format, &bytes, ends[number - 1]),
            // The line end may be missing.
            bytes[..ends[number]]
                .trim_ascii_end()
                .len()
                .max(if format.is_binary() { ends[number] } else { 0 }),
        ),
    });
    Sample {
        name: name.to_owned(),
        boards: boards.collect(),
        bytes: bytes.clone(),
    }
}

/// Makes a file as other programs write it, from pieces of text that are a board each.
fn put_together(name: &str, before: &str, begin: &str, boards: &[String]) -> Sample {
    let mut bytes = before.as_bytes().to_vec();
    let mut places = Vec::new();
    for board in boards {
        let begins = bytes.len() + behind(board.as_bytes(), begin, 0) + 1;
        bytes.extend_from_slice(board.as_bytes());
        places.push((begins, bytes.trim_ascii_end().len()));
    }
    Sample {
        name: name.to_owned(),
        bytes,
        boards: places,
    }
}

fn found() -> Vec<Sample> {
    let numbered = || (1..).zip(deals());
    let tags: Vec<String> = numbered()
        .map(|(number, deal)| {
            format!("[Board \"{number}\"]\n[Vulnerable \"All\"]\n[Deal \"{deal}\"]\n[Auction \"N\"]\n1NT Pass Pass Pass\n")
        })
        .collect();
    let apart: Vec<String> = tags
        .iter()
        .map(|game| game.clone() + "{ md|3SAK| }\n\n")
        .collect();
    let lower = |deal: &Deal| {
        let seats = deal.one_line().to_string();
        let words: Vec<&str> = seats.split(' ').collect();
        let hands = words.chunks(2).map(|pair| {
            let suits = pair[1].split('.').zip(["s", "h", "d", "c"]);
            let held: String = suits
                .map(|(ranks, suit)| format!("{suit}{ranks}"))
                .collect();
            format!("{}={held}", pair[0])
        });
        hands.collect::<Vec<_>>().join("&")
    };
    let links: Vec<String> = numbered()
        .map(|(number, deal)| {
            let hands = lower(&deal);
            format!("<a href=\"https://www.bridgebase.com/tools/handviewer.html?b={number}&{hands}\">{number}</a>")
        })
        .collect();
    let table: Vec<String> = numbered()
        .map(|(number, deal)| format!("   20,{},{number}\n", deal.one_line()))
        .collect();
    vec![
        put_together(
            "games apart",
            "% PBN 2.1\n{ lin=md|1S| }\n",
            "[Board \"",
            &apart,
        ),
        put_together("games without blank lines", "", "[Board \"", &tags),
        put_together("links on one line", "<p>", "handviewer.html?", &links),
        put_together("one-line among values", "Some title\n", "n ", &table),
    ]
}

fn samples() -> Vec<Sample> {
    let mut all = Vec::new();
    for (name, format) in OutputFormat::NAMES {
        all.push(written(name, format, Board::duplicate));
        all.push(written(&format!("{name}, played"), format, played));
    }
    all.extend(found());
    all
}

#[test]
fn a_whole_file_has_all_its_boards() {
    for sample in samples() {
        let read = Reader::new(&sample.bytes[..]).unwrap();
        let read: Vec<Deal> = read.map(|board| board.unwrap().deal().unwrap()).collect();
        assert_eq!(read, deals(), "{}", sample.name);
    }
}

#[test]
fn no_board_vanishes_from_a_file_cut_at_any_byte() {
    let deals = deals();
    for sample in samples() {
        for cut in 0..=sample.bytes.len() {
            let bytes = &sample.bytes[..cut];
            let place = || {
                let tail = String::from_utf8_lossy(&bytes[cut.saturating_sub(60)..]).into_owned();
                format!("{} cut at {cut}: ...{tail:?}", sample.name)
            };
            let (mut read, mut problems) = (Vec::new(), 0);
            for item in Reader::new(bytes).unwrap() {
                match item.map(|board| board.deal()) {
                    Ok(Some(deal)) => read.push(deal),
                    Ok(None) | Err(_) => problems += 1,
                }
            }
            assert!(deals.starts_with(&read), "{}: other cards", place());
            assert!(
                read.len() >= sample.whole(cut),
                "{}: {}",
                place(),
                read.len()
            );
            // The commands report a file without any deal as an error.
            let is_reported = problems > 0 || (read.is_empty() && sample.whole(cut) == 0);
            assert!(
                is_reported || read.len() >= sample.begun(cut),
                "{}: silent",
                place()
            );
        }
    }
}
