//! Input that was cut, concatenated, mistyped or never was a file of deals. Readers may report errors, but must not
//! panic, hang or return an invalid deal.

use cards::Deal;
use croupier_formats::page::{self, Caption};
use croupier_formats::{Board, InputFormat, Reader, csv, dl52, hand, json, lin, pbn, style, zrd};

const FORMATS: [InputFormat; 13] = [
    InputFormat::Zrd,
    InputFormat::Dl52,
    InputFormat::Dup,
    InputFormat::Bri,
    InputFormat::Dge,
    InputFormat::Dlm,
    InputFormat::BigDeal,
    InputFormat::Handviewer,
    InputFormat::Lin,
    InputFormat::Pbn,
    InputFormat::Json,
    InputFormat::Csv,
    InputFormat::Text,
];

/// A random generator with a fixed seed, so that a failure can be repeated.
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn samples() -> Vec<Vec<u8>> {
    let deals: Vec<Deal> = [
        "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7",
        "E:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
        "S:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432",
    ]
    .iter()
    .map(|text| text.parse().unwrap())
    .collect();
    let mut files = vec![Vec::new(); 9];
    pbn::write_header(&mut files[0], pbn::LineEnd::CrLf);
    files[5].extend_from_slice(csv::HEADER.as_bytes());
    files[6].extend_from_slice(&zrd::headers(b"a title that needs two records"));
    for (index, deal) in deals.iter().enumerate() {
        let mut board = Board::duplicate(deal, index as u64 + 1);
        board.tricks = Some(cards::TrickTable::default());
        pbn::write(&mut files[0], &board, deal, index == 0, pbn::LineEnd::CrLf);
        lin::write(&mut files[1], &board);
        hand::one_line(&mut files[2], deal, Some(-3));
        hand::compact(&mut files[3], deal, None);
        json::write(&mut files[4], &board, deal, &[]);
        csv::write(&mut files[5], &board, deal);
        files[6].extend_from_slice(&zrd::encode(deal, None));
        dl52::append(&mut files[7], deal);
        let caption = Caption {
            title: b"t",
            produced: 1,
            board: 1,
            earlier: 0,
        };
        page::four_hands(
            &mut files[8],
            if index == 1 { &style::V1 } else { &style::V2 },
            &caption,
            deal,
        );
        hand::export_side(&mut files[8], deal, cards::Side::EastWest);
    }
    files
}

/// Reads everything and checks that each complete deal is valid.
fn read_all(bytes: &[u8], format: Option<InputFormat>) -> usize {
    let reader = match format {
        Some(format) => Reader::with_format(bytes, format),
        None => Reader::new(bytes).unwrap(),
    };
    let mut items = 0;
    for item in reader {
        items += 1;
        assert!(items <= bytes.len() + 1, "more boards than bytes");
        if let Ok(board) = item
            && let Some(deal) = board.deal()
        {
            assert!(Deal::new(deal.hands()).is_ok());
        }
    }
    items
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Xorshift) {
    const SPICE: &[u8] = b"\0\n\r\"\\[]{}|%,.:;#-+ \t\x0c\xff\xc3AKQ29nNeEsSwWmd";
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len() + 1);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = SPICE[random.below(SPICE.len())],
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => bytes.insert(at, SPICE[random.below(SPICE.len())]),
            3 if at < bytes.len() => {
                drop(bytes.drain(at..(at + 1 + random.below(20)).min(bytes.len())))
            }
            4 => bytes.truncate(at),
            _ => {
                let from = random.below(bytes.len() + 1);
                let piece = bytes[from..(from + random.below(40)).min(bytes.len())].to_vec();
                let tail = bytes.split_off(at.min(bytes.len()));
                bytes.extend_from_slice(&piece);
                bytes.extend_from_slice(&tail);
            }
        }
    }
}

fn mutations(rounds: usize, seed: u64) {
    let mut random = Xorshift(seed);
    for sample in samples() {
        for _ in 0..rounds {
            let mut bytes = sample.clone();
            mutate(&mut bytes, &mut random);
            read_all(&bytes, None);
            read_all(&bytes, Some(FORMATS[random.below(FORMATS.len())]));
        }
    }
}

#[test]
fn mutated_files_never_panic() {
    mutations(1_000, 0x9e37_79b9_7f4a_7c15);
}

#[test]
#[ignore = "a soak test for ./check --long"]
fn long_mutated_files_never_panic() {
    for round in 1..=40 {
        mutations(5_000, 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(2 * round + 1));
    }
}

#[test]
fn noise_never_panics() {
    let mut random = Xorshift(88_172_645_463_325_252);
    for _ in 0..300 {
        let noise: Vec<u8> = (0..random.below(2_000))
            .map(|_| random.below(256) as u8)
            .collect();
        read_all(&noise, None);
        for format in FORMATS {
            read_all(&noise, Some(format));
        }
    }
}

#[test]
fn empty_input_has_no_boards() {
    for format in FORMATS {
        assert_eq!(read_all(b"", Some(format)), 0);
    }
    assert_eq!(read_all(b"", None), 0);
}

#[test]
fn an_endless_line_is_an_error_and_not_a_full_memory() {
    use std::io::Read;
    let endless = std::io::repeat(b'x').take(64 << 20);
    let mut reader = Reader::new(endless).unwrap();
    let problem = reader.next().unwrap().unwrap_err();
    assert!(problem.message.contains("longer than"), "{problem}");
    assert!(reader.next().is_none());
}
