//! The strict export format of PBN 2.1: fifteen mandatory tags in order, then what was solved.

use cards::{BySeat, Deal, Seat, Strain, TrickTable, Vulnerability};

use crate::{Board, Names, hand, number};

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

/// The texts around a game, borrowed from wherever they are kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Labels<'a> {
    /// What was played.
    pub event: &'a [u8],
    /// Where.
    pub site: &'a [u8],
    /// When: `YYYY.MM.DD`.
    pub date: &'a [u8],
    /// Who sat where.
    pub players: BySeat<&'a [u8]>,
}

impl<'a> From<&'a Names> for Labels<'a> {
    fn from(names: &'a Names) -> Self {
        Labels {
            event: names.event.as_bytes(),
            site: names.site.as_bytes(),
            date: names.date.as_bytes(),
            players: names.players.each_ref().map(|name| name.as_bytes()),
        }
    }
}

/// Writes one board as a game. Call it with `first` for the first game of a file: the others are
/// preceded by an empty line. What the board leaves open follows its number; without a number it
/// is board 1.
pub fn write(out: &mut Vec<u8>, board: &Board, deal: &Deal, first: bool, end: LineEnd) {
    let labels = board.names.as_deref().map(Labels::from);
    write_labelled(out, board, &labels.unwrap_or_default(), deal, first, end);
}

/// The same with the texts from elsewhere; the board's own do not count.
pub fn write_labelled(
    out: &mut Vec<u8>,
    board: &Board,
    labels: &Labels<'_>,
    deal: &Deal,
    first: bool,
    end: LineEnd,
) {
    let mut lines = Writer { out, end };
    if !first {
        lines.line("");
    }
    let number = board.number.unwrap_or(1);
    let dealer = board
        .dealer
        .unwrap_or_else(|| Seat::dealer_of_board(number));
    let vulnerable = board
        .vulnerable
        .unwrap_or_else(|| Vulnerability::of_board(number));
    lines.tag("Event", labels.event);
    lines.tag("Site", labels.site);
    lines.tag("Date", labels.date);
    lines.tag_with("Board", |out| number::integer(out, number as i64));
    for seat in [Seat::West, Seat::North, Seat::East, Seat::South] {
        lines.tag(hand::name(seat), labels.players[seat]);
    }
    lines.tag("Dealer", &[dealer.letter() as u8]);
    lines.tag("Vulnerable", vulnerable.pbn().as_bytes());
    lines.tag_with("Deal", |out| deal_value(out, deal, dealer));
    for tag in ["Scoring", "Declarer", "Contract", "Result"] {
        lines.tag(tag, b"");
    }
    if let Some(table) = &board.tricks {
        lines.tag_with("DoubleDummyTricks", |out| double_dummy_digits(out, table));
    }
    if let Some(par) = board.par {
        lines.tag_with("OptimumScore", |out| {
            out.extend_from_slice(b"NS ");
            number::integer(out, i64::from(par));
        });
    }
    if let Some(table) = &board.tricks {
        lines.result_table(table);
    }
}

/// The value of a Deal tag that starts with `first`.
fn deal_value(out: &mut Vec<u8>, deal: &Deal, first: Seat) {
    out.push(first.letter() as u8);
    for step in 0..4 {
        out.push(if step == 0 { b':' } else { b' ' });
        hand::dotted(out, deal.hand(first.clockwise(step)));
    }
}

/// Twenty hexadecimal digits: N S E W, each in NT S H D C.
fn double_dummy_digits(out: &mut Vec<u8>, table: &TrickTable) {
    for declarer in DECLARERS {
        let row = STRAINS.map(|strain| table.tricks(declarer, strain));
        out.extend(row.map(|tricks| b"0123456789abcdef"[usize::from(tricks & 15)]));
    }
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

    fn tag(&mut self, name: &str, value: &[u8]) {
        // Two brackets, two quotes, a blank and the name take their share of the line.
        let room = LONGEST_LINE - name.len() - 5;
        self.tag_with(name, |out| escaped(out, value, room));
    }

    fn tag_with(&mut self, name: &str, value: impl FnOnce(&mut Vec<u8>)) {
        self.out.push(b'[');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b" \"");
        value(self.out);
        self.line("\"]");
    }

    fn result_table(&mut self, table: &TrickTable) {
        // The backslashes belong to the column format and are not escaped.
        self.line("[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]");
        for declarer in DECLARERS {
            for strain in STRAINS {
                let name = match strain {
                    Strain::Notrump => *b"NT",
                    suit => [b' ', suit.letter() as u8],
                };
                self.out.extend_from_slice(&[declarer.letter() as u8, b' ']);
                self.out.extend_from_slice(&name);
                self.out.push(b' ');
                number::padded(self.out, 2, i64::from(table.tricks(declarer, strain)));
                self.line("");
            }
        }
    }
}

/// Writes a string with quotes and backslashes escaped and control characters dropped, at most
/// `room` bytes of it and never half a character.
pub(super) fn escaped(out: &mut Vec<u8>, text: &[u8], room: usize) {
    let is_plain = |&byte: &u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if text.len() <= room && text.iter().all(is_plain) {
        out.extend_from_slice(text);
        return;
    }
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
