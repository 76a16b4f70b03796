//! The strict export format of PBN 2.1: fifteen mandatory tags in order, then what was solved.

use cards::{Deal, Seat, Strain, TrickTable};

use crate::{Board, hand};

/// Lines of the export format have at most 255 bytes, their end not counted.
const LONGEST_LINE: usize = 255;
/// The declarers in the order of PBN's double-dummy tables.
pub(super) const DECLARERS: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];
/// The strains in the order of PBN's double-dummy tables.
pub(super) const STRAINS: [Strain; 5] = [
    Strain::Notrump,
    Strain::Spades,
    Strain::Hearts,
    Strain::Diamonds,
    Strain::Clubs,
];

/// How lines end in an exported file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEnd {
    /// As the standard wants it.
    #[default]
    CrLf,
    /// For programs on Unix that insist.
    Lf,
}

impl LineEnd {
    fn text(self) -> &'static str {
        match self {
            LineEnd::CrLf => "\r\n",
            LineEnd::Lf => "\n",
        }
    }
}

/// Writes the lines at the start of a file.
pub fn write_header(out: &mut Vec<u8>, end: LineEnd) {
    for line in ["% PBN 2.1", "% EXPORT"] {
        out.extend_from_slice(line.as_bytes());
        out.extend_from_slice(end.text().as_bytes());
    }
}

/// Writes one board as a game. Call it with `first` for the first game of a file: the others are
/// preceded by an empty line. What the board leaves open follows its number; without a number it
/// is board 1.
pub fn write(out: &mut Vec<u8>, board: &Board, deal: &Deal, first: bool, end: LineEnd) {
    let board = board.clone().with_number(1);
    let mut lines = Writer { out, end };
    if !first {
        lines.line("");
    }
    let names = board.names.clone().unwrap_or_default();
    let dealer = board.dealer.unwrap_or(Seat::North);
    lines.tag("Event", &names.event);
    lines.tag("Site", &names.site);
    lines.tag("Date", &names.date);
    lines.tag("Board", &board.number.unwrap_or(1).to_string());
    for seat in [Seat::West, Seat::North, Seat::East, Seat::South] {
        lines.tag(hand::name(seat), &names.players[seat]);
    }
    lines.tag("Dealer", &dealer.letter().to_string());
    lines.tag(
        "Vulnerable",
        board.vulnerable.map_or("", cards::Vulnerability::pbn),
    );
    lines.tag("Deal", &deal_value(deal, dealer));
    for tag in ["Scoring", "Declarer", "Contract", "Result"] {
        lines.tag(tag, "");
    }
    if let Some(table) = &board.tricks {
        lines.tag("DoubleDummyTricks", &double_dummy_digits(table));
    }
    if let Some(par) = board.par {
        lines.tag("OptimumScore", &format!("NS {par}"));
    }
    if let Some(table) = &board.tricks {
        lines.result_table(table);
    }
}

/// The value of a Deal tag that starts with `first`.
fn deal_value(deal: &Deal, first: Seat) -> String {
    let hands: Vec<String> = (0..4)
        .map(|step| deal.hand(first.clockwise(step)).to_string())
        .collect();
    format!("{}:{}", first.letter(), hands.join(" "))
}

/// Twenty hexadecimal digits: N S E W, each in NT S H D C.
fn double_dummy_digits(table: &TrickTable) -> String {
    DECLARERS
        .into_iter()
        .flat_map(|declarer| STRAINS.map(|strain| table.tricks(declarer, strain)))
        .map(|tricks| char::from_digit(u32::from(tricks & 15), 16).unwrap_or('-'))
        .collect()
}

struct Writer<'a> {
    out: &'a mut Vec<u8>,
    end: LineEnd,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        self.out.extend_from_slice(self.end.text().as_bytes());
    }

    fn tag(&mut self, name: &str, value: &str) {
        self.out.extend_from_slice(format!("[{name} \"").as_bytes());
        // Two brackets, two quotes, a blank and the name take their share of the line.
        escaped(self.out, value.as_bytes(), LONGEST_LINE - name.len() - 5);
        self.line("\"]");
    }

    fn result_table(&mut self, table: &TrickTable) {
        // The backslashes belong to the column format and are not escaped.
        self.line("[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]");
        for declarer in DECLARERS {
            for strain in STRAINS {
                let name = if strain == Strain::Notrump {
                    "NT".into()
                } else {
                    strain.letter().to_string()
                };
                let tricks = table.tricks(declarer, strain);
                self.line(&format!("{} {name:>2} {tricks:>2}", declarer.letter()));
            }
        }
    }
}

/// Writes a string with quotes and backslashes escaped and control characters dropped, at most
/// `room` bytes of it and never half a character.
pub(super) fn escaped(out: &mut Vec<u8>, text: &[u8], room: usize) {
    let mut room = room;
    let chunks = text.utf8_chunks().flat_map(|chunk| {
        let text = chunk.valid();
        let valid = text
            .char_indices()
            .map(|(at, c)| &text.as_bytes()[at..at + c.len_utf8()]);
        valid.chain(chunk.invalid().chunks(1)).collect::<Vec<_>>()
    });
    for character in chunks {
        let escape = matches!(character, b"\"" | b"\\");
        if character.len() == 1 && (character[0] < b' ' || character[0] == 0x7f) {
            continue;
        }
        let len = character.len() + usize::from(escape);
        if len > room {
            break;
        }
        room -= len;
        if escape {
            out.push(b'\\');
        }
        out.extend_from_slice(character);
    }
}
