//! Every reader of files of deals.

use cards::Deal;
use formats::{Board, InputFormat, OutputFormat, Reader, Writer};

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Declares a surface for a format: its name, the reader, and the writers whose files are its seeds.
macro_rules! surface {
    ($constant:ident, $name:literal, $format:ident, $written:expr, $inputs:literal) => {
        #[doc = concat!("Files of the format `", $name, "`.")]
        pub static $constant: Surface = Surface {
            name: $name,
            about: concat!(
                "Any bytes as a file of the format `",
                $name,
                "`, named or found out: problems with their places, or boards of thirteen cards a hand that come back from every format we write."
            ),
            feed: |input| feed(input, InputFormat::$format),
            seeds: || files(&$written),
            words,
            inputs: $inputs,
        };
    };
}

surface!(PBN, "pbn", Pbn, ["pbn"], 1500);
surface!(LIN, "lin", Lin, ["lin"], 1500);
surface!(ZRD, "zrd", Zrd, ["zrd"], 1500);
surface!(DL52, "dl52", Dl52, ["dl52"], 1500);
surface!(CSV, "csv", Csv, ["csv"], 1500);
surface!(JSON, "json", Json, ["json"], 1500);
surface!(PAGES, "pages", Text, ["all", "oneline", "compact"], 1500);
surface!(DUP, "dup", Dup, ["dup"], 1000);
surface!(BRI, "bri", Bri, ["bri"], 1000);
surface!(DGE, "dge", Dge, ["dge"], 1000);
surface!(DLM, "dlm", Dlm, ["dlm"], 1000);
surface!(HANDVIEWER, "handviewer", Handviewer, ["bbo"], 1500);

/// Returns the files of some formats, whole and cut to a board or two.
fn files(names: &[&str]) -> Vec<Vec<u8>> {
    let made = seeds::boards().into_iter();
    made.filter(|(name, _)| names.contains(name))
        .map(|(_, file)| file)
        .collect()
}

fn words() -> Vec<String> {
    let words = [
        "[Deal \"N:",
        "[Board \"",
        "[Dealer \"",
        "[Vulnerable \"",
        "[Auction \"N\"]",
        "[Play \"W\"]",
        "[Note \"1:",
        "\"]",
        "*",
        "=1=",
        "$1",
        "{",
        "}",
        ";",
        "% PBN 2.1",
        "-",
        "+",
        "^",
        "AP",
        "Pass",
        "X",
        "XX",
        "3NT",
        "[OptimumResultTable \"",
        "[DoubleDummyTricks \"",
        "ffffffffffffffffffff",
        "#",
        "##",
        "?",
        "qx|o1|",
        "md|1S",
        "md|",
        "|",
        "rh||",
        "ah|Board 1|",
        "sv|n|",
        "mb|1C|",
        "mb|p|",
        "pc|SA|",
        "mc|9|",
        "pn|",
        "nt|",
        "st||",
        "%7C",
        "S",
        "H",
        "D",
        "C",
        "AKQJT98765432",
        "number",
        "dealer",
        "vulnerable",
        "north",
        "\"hands\":",
        "null",
        "true",
        "{\"",
        "[]",
        "\\u0000",
        "\\ud800",
        ",,",
        "\"\"",
        "?n=",
        "&s=",
        "&d=",
        "&v=",
        "&b=",
        "&a=",
        "&p=",
        "http://",
        "https://www.bridgebase.com/tools/handviewer.html",
        "[Document]",
        "Headline=",
        "From board=",
        "To board=",
        "Board 01=",
        "From board=1\r\n",
        "Duplicates=",
        "n ",
        " e ",
        " s ",
        " w ",
        "---",
        "North",
        "\r\n",
        "\x1a",
        "\u{feff}",
        ".",
        "...",
        "N:... ... ... ...",
        "10",
        "1.",
    ];
    words.map(str::to_owned).to_vec()
}

fn read(input: &[u8], format: Option<InputFormat>, observed: &mut Observed) -> Vec<(Board, Deal)> {
    let reader = match format {
        Some(format) => Reader::with_format(input, format),
        None => Reader::new(input).expect("memory can be read"),
    };
    observed.note(reader.format());
    let (mut items, mut found) = (0, Vec::new());
    for item in reader {
        items += 1;
        assert!(items <= input.len() + 1, "more boards than bytes");
        match item {
            Ok(board) => {
                observed.note((
                    board.number.is_some(),
                    board.dealer,
                    board.vulnerable,
                    board.tricks.is_some(),
                    board.par.is_some(),
                    board.names.is_some(),
                    board.record.is_some(),
                    board.extras.is_some(),
                ));
                if let Some(deal) = board.deal() {
                    assert!(
                        Deal::new(deal.hands()).is_ok(),
                        "thirteen cards a hand, each once"
                    );
                    found.push((board, deal));
                }
            }
            Err(problem) => {
                assert!(!problem.message.is_empty());
                observed.message(&problem.message);
            }
        }
    }
    found
}

fn write(format: OutputFormat, boards: &[(Board, Deal)]) -> Option<Vec<u8>> {
    let (mut file, mut writer) = (Vec::new(), Writer::new(format));
    for (board, deal) in boards {
        writer.write(&mut file, board, deal);
    }
    writer.finish(&mut file).ok()?;
    Some(file)
}

fn feed(input: &[u8], format: InputFormat) -> u64 {
    let mut observed = Observed::default();
    read(input, None, &mut observed);
    let boards = read(input, Some(format), &mut observed);
    if boards.is_empty() {
        return observed.number();
    }
    for (name, output) in OutputFormat::NAMES {
        let Some(file) = write(output, &boards) else {
            continue;
        };
        let mut other = Observed::default();
        let back = read(&file, Some(read_as(output)), &mut other);
        let deals = |list: &[(Board, Deal)]| list.iter().map(|(_, deal)| *deal).collect::<Vec<_>>();
        assert_eq!(
            deals(&back),
            deals(&boards),
            "the deals come back from {name}:\n{}",
            String::from_utf8_lossy(&file)
        );
        let rich = matches!(
            output,
            OutputFormat::Pbn | OutputFormat::Lin | OutputFormat::Json | OutputFormat::Handviewer
        );
        for ((before, _), (after, _)) in boards.iter().zip(&back).filter(|_| rich) {
            let facts = |board: &Board| {
                (
                    board.number,
                    board.dealer,
                    board.vulnerable,
                    board.tricks,
                    board.par,
                )
            };
            // Data that a board lacks is derived from its number; a board without a number gets one.
            if before.number.is_some() && before.dealer.is_some() && before.vulnerable.is_some() {
                assert_eq!(
                    facts(after),
                    facts(before),
                    "what stands on the board comes back from {name}"
                );
            }
        }
        // Blanks around texts are not kept, so compare from the second round on.
        let second = write(output, &back).expect("as before");
        let third = write(output, &read(&second, Some(read_as(output)), &mut other));
        assert_eq!(
            String::from_utf8_lossy(&third.expect("as before")),
            String::from_utf8_lossy(&second),
            "{name} written again is the same"
        );
    }
    observed.number()
}

/// Returns the input format of an output format.
fn read_as(output: OutputFormat) -> InputFormat {
    match output {
        OutputFormat::Pbn => InputFormat::Pbn,
        // The link holds the board as LIN.
        OutputFormat::Lin | OutputFormat::Handviewer => InputFormat::Lin,
        OutputFormat::OneLine | OutputFormat::Compact | OutputFormat::Page => InputFormat::Text,
        OutputFormat::Zrd => InputFormat::Zrd,
        OutputFormat::Dl52 => InputFormat::Dl52,
        OutputFormat::Csv => InputFormat::Csv,
        OutputFormat::Json => InputFormat::Json,
        OutputFormat::Dup => InputFormat::Dup,
        OutputFormat::Bri => InputFormat::Bri,
        OutputFormat::Dge => InputFormat::Dge,
        OutputFormat::Dlm => InputFormat::Dlm,
    }
}
