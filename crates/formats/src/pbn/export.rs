//! The strict export format of PBN 2.1: fifteen mandatory tags in order, then double-dummy results.

use cards::{BySeat, Deal, Seat, Strain, TrickTable};

use crate::record::contract_text;
use crate::{Board, BoardNames, ExtraTag, Hands, Record, hand, number};

/// Lines of the export format have at most 255 bytes, their end not counted.
const LONGEST_LINE: usize = 255;
/// Maximum length of a tag name, so that its value has room on the line. No common tag is longer.
const LONGEST_NAME: usize = 100;
/// The declarers in the order of PBN's double-dummy tables.
pub(super) const DECLARERS: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];
/// The strains in the order of PBN's double-dummy tables.
pub(super) const STRAINS: [Strain; 5] = Strain::DESCENDING;

/// The line ends of an exported file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEnd {
    /// CR and LF, as the standard demands.
    #[default]
    CrLf,
    /// LF alone, for Unix programs that need it.
    Lf,
}

impl LineEnd {
    pub(crate) fn text(self) -> &'static str {
        match self {
            LineEnd::CrLf => "\r\n",
            LineEnd::Lf => "\n",
        }
    }
}

/// Joins empty tags to one text at compile time, because most dealt boards have many empty tags.
macro_rules! open_tags {
    ($end:expr, $($name:literal),*) => {
        match $end {
            LineEnd::CrLf => concat!($("[", $name, " \"\"]\r\n"),*),
            LineEnd::Lf => concat!($("[", $name, " \"\"]\n"),*),
        }
    };
}

/// Writes the lines at the start of a file.
pub fn write_header(out: &mut Vec<u8>, end: LineEnd) {
    for line in ["% PBN 2.1", "% EXPORT"] {
        out.extend_from_slice(line.as_bytes());
        out.extend_from_slice(end.text().as_bytes());
    }
}

/// Borrowed names of the event, the place and the players of a game, and its date.
#[derive(Clone, Copy, Debug, Default)]
pub struct Labels<'a> {
    /// The event.
    pub event: &'a [u8],
    /// The place.
    pub site: &'a [u8],
    /// The date: `YYYY.MM.DD`.
    pub date: &'a [u8],
    /// The players.
    pub players: BySeat<&'a [u8]>,
}

impl<'a> From<&'a BoardNames> for Labels<'a> {
    fn from(names: &'a BoardNames) -> Self {
        Labels {
            event: names.event.as_bytes(),
            site: names.site.as_bytes(),
            date: names.date.as_bytes(),
            players: names.players.each_ref().map(|name| name.as_bytes()),
        }
    }
}

/// Writes one board as a game. Set `first` for the first game of a file; an empty line precedes the others. Missing
/// data follows from the number of the board, which is 1 by default.
pub fn write(out: &mut Vec<u8>, board: &Board, deal: &Deal, first: bool, end: LineEnd) {
    let labels = board.names.as_deref().map(Labels::from);
    write_labelled(out, board, &labels.unwrap_or_default(), deal, first, end);
}

/// Writes a board like [`write()`] with the given names instead of its own.
pub fn write_labelled(
    out: &mut Vec<u8>,
    board: &Board,
    labels: &Labels<'_>,
    deal: &Deal,
    first: bool,
    end: LineEnd,
) {
    let dealer = board.place().1;
    write_game(out, board, labels, first, end, |out| {
        deal_value(out, deal, dealer)
    });
}

/// Writes a board like [`write()`] whose hands need not be complete.
pub(crate) fn write_hands(out: &mut Vec<u8>, board: &Board, first: bool, end: LineEnd) {
    let labels = board.names.as_deref().map(Labels::from).unwrap_or_default();
    let dealer = board.place().1;
    write_game(out, board, &labels, first, end, |out| {
        hands_value(out, &board.hands, dealer)
    });
}

fn write_game(
    out: &mut Vec<u8>,
    board: &Board,
    labels: &Labels<'_>,
    first: bool,
    end: LineEnd,
    deal: impl FnOnce(&mut Vec<u8>),
) {
    let mut lines = Writer { out, end };
    if !first {
        lines.line("");
    }
    let (number, dealer, vulnerable) = board.place();
    lines.tag("Event", labels.event);
    lines.tag("Site", labels.site);
    lines.tag("Date", labels.date);
    lines.tag_with("Board", |out| number::natural(out, number));
    let players = [Seat::West, Seat::North, Seat::East, Seat::South];
    if players.iter().all(|&seat| labels.players[seat].is_empty()) {
        let players = open_tags!(end, "West", "North", "East", "South");
        lines.out.extend_from_slice(players.as_bytes());
    } else {
        for seat in players {
            lines.tag(hand::name(seat), labels.players[seat]);
        }
    }
    lines.tag("Dealer", &[dealer.letter() as u8]);
    lines.tag("Vulnerable", vulnerable.pbn().as_bytes());
    lines.tag_with("Deal", deal);
    let extras = board.extras.as_deref();
    let scoring = extras.and_then(|extras| extras.tag("Scoring"));
    let record = board.record.as_deref();
    if record.is_none() && scoring.is_none_or(str::is_empty) {
        let result = open_tags!(end, "Scoring", "Declarer", "Contract", "Result");
        lines.out.extend_from_slice(result.as_bytes());
    } else {
        lines.tag("Scoring", scoring.unwrap_or_default().as_bytes());
        lines.result(record);
    }
    let tags = extras.map_or(&[][..], |extras| &extras.tags[..]);
    lines.comments(extras.map_or(&[], |extras| &extras.comments));
    for tag in tags.iter().filter(|tag| tag.section.is_empty()) {
        lines.extra(tag);
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
    if let Some(contracts) = &board.par_contracts {
        lines.tag("ParContract", contracts.as_bytes());
    }
    if let Some(record) = record {
        lines.auction(record, dealer);
        lines.play(record);
    }
    if let Some(table) = &board.tricks {
        lines.result_table(table);
    }
    for tag in tags.iter().filter(|tag| !tag.section.is_empty()) {
        lines.extra(tag);
    }
}

/// Returns whether a text of the board is longer than its line, so that its end is not written.
pub(crate) fn cuts_texts(board: &Board) -> bool {
    let is_cut = |name: &str, text: &str| {
        let escapes = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\'));
        text.len() + escapes.count() + name.len() + 5 > LONGEST_LINE
    };
    let names = board.names.iter().any(|names| {
        let around = [&names.event, &names.site, &names.date];
        let players = names.players.values();
        players.chain(around).any(|text| is_cut("Event", text))
    });
    let notes = board.record.iter().any(|record| {
        let mut notes = record.notes.iter().chain(&record.play_notes);
        notes.any(|(_, text)| is_cut("Note00:", text))
    });
    let tags = board.extras.iter().flat_map(|extras| &extras.tags);
    names
        || notes
        || tags
            .clone()
            .any(|tag| tag.section.is_empty() && is_cut(&tag.name, &tag.value))
}

/// Writes the value of a Deal tag that starts with `first`.
fn deal_value(out: &mut Vec<u8>, deal: &Deal, first: Seat) {
    out.extend_from_slice(&[first.letter() as u8, b':']);
    hand::dotted_from(out, deal, first);
}

/// Writes the value of a Deal tag that starts with `first`, with `-` for an unknown hand.
pub(super) fn hands_value(out: &mut Vec<u8>, hands: &Hands, first: Seat) {
    out.extend_from_slice(&[first.letter() as u8, b':']);
    for step in 0..4 {
        if step > 0 {
            out.push(b' ');
        }
        match hands.0[first.clockwise(step)] {
            Some(cards) => hand::dotted(out, cards),
            None => out.push(b'-'),
        }
    }
}

/// Writes the table of double-dummy tricks.
pub(super) fn result_table(out: &mut Vec<u8>, table: &TrickTable, end: LineEnd) {
    Writer { out, end }.result_table(table);
}

/// Writes twenty hexadecimal digits: N S E W, each in NT S H D C.
pub(crate) fn double_dummy_digits(out: &mut Vec<u8>, table: &TrickTable) {
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
        // Subtract two brackets, two quotes, a blank and the name.
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

    /// Writes declarer, contract and result; unknown ones are empty.
    fn result(&mut self, record: Option<&Record>) {
        let declarer = record.and_then(|record| record.declarer);
        let letter = declarer.map(|seat| seat.letter().to_string());
        self.tag("Declarer", letter.unwrap_or_default().as_bytes());
        let contract = record.and_then(|record| match record.contract {
            Some(contract) => Some(contract_text(contract)),
            None => record.passed_out().then(|| "Pass".to_owned()),
        });
        self.tag("Contract", contract.unwrap_or_default().as_bytes());
        let result = record.and_then(|record| record.result);
        let result = result.map(|tricks| tricks.to_string());
        self.tag("Result", result.unwrap_or_default().as_bytes());
    }

    /// Writes comments in braces. A brace inside a comment would end it.
    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let text = comment.replace('}', ")");
            let mut lines = Vec::new();
            for line in text.lines() {
                folded(line, LONGEST_LINE - 2, &mut lines);
            }
            let last = lines.len().saturating_sub(1);
            for (i, line) in lines.iter().enumerate() {
                let (open, close) = (
                    if i == 0 { "{" } else { "" },
                    if i == last { "}" } else { "" },
                );
                // A line that begins with % would be an escape line.
                let guard = if line.starts_with('%') && i > 0 {
                    " "
                } else {
                    ""
                };
                self.line(&format!("{open}{guard}{line}{close}"));
            }
        }
    }

    fn extra(&mut self, tag: &ExtraTag) {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if tag.name.is_empty()
            || tag.name.len() > LONGEST_NAME
            // A reader regards a tag with this value as empty.
            || tag.section.is_empty() && matches!(tag.value.trim(), "" | "?" | "#")
            || !tag.name.chars().all(plain)
            || tag.name.eq_ignore_ascii_case("Scoring")
            || super::read::has_own_field(tag.name.as_bytes())
        {
            return;
        }
        // Backslashes of column formats are not escapes.
        match tag.section.is_empty() {
            true => self.tag(&tag.name, tag.value.as_bytes()),
            false => self.tag_with(&tag.name, |out| out.extend_from_slice(tag.value.as_bytes())),
        }
        for line in tag.section.lines().filter(|line| !line.trim().is_empty()) {
            self.line(line);
        }
    }

    fn auction(&mut self, record: &Record, dealer: Seat) {
        let calls = record.calls();
        if calls.is_empty() {
            return;
        }
        self.tag("Auction", &[dealer.letter() as u8]);
        let mut notes = Notes::default();
        for (row, four) in calls.chunks(4).enumerate() {
            let words: Vec<String> = four
                .iter()
                .enumerate()
                .map(|(i, call)| call.pbn() + &notes.marks(&record.notes, 4 * row + i))
                .collect();
            self.line(&words.join(" "));
        }
        if !Record::closed(&calls) {
            self.line("*");
        }
        self.notes(&notes);
    }

    fn play(&mut self, record: &Record) {
        let rows = record.rows();
        let Some(declarer) = record.declarer.filter(|_| !rows.is_empty()) else {
            return;
        };
        self.tag("Play", &[declarer.next().letter() as u8]);
        let mut notes = Notes::default();
        for row in &rows {
            let words = row.map(|cell| match cell {
                None => "-".to_owned(),
                Some((place, card)) => {
                    let name = format!("{}{}", card.suit().letter(), card.rank().letter());
                    name + &notes.marks(&record.play_notes, place)
                }
            });
            self.line(&words.join(" "));
        }
        if record.play.len() < 52 {
            self.line("*");
        }
        self.notes(&notes);
    }

    fn notes(&mut self, notes: &Notes<'_>) {
        for (number, text) in (1..).zip(&notes.texts) {
            self.tag("Note", format!("{number}:{text}").as_bytes());
        }
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

/// The notes of a section, in the order of their numbers.
#[derive(Default)]
struct Notes<'a> {
    texts: Vec<&'a str>,
}

impl<'a> Notes<'a> {
    /// Returns the references to the notes of this place: ` =1=`.
    fn marks(&mut self, notes: &'a [(usize, String)], place: usize) -> String {
        let mut marks = String::new();
        for (_, text) in notes.iter().filter(|(at, _)| *at == place) {
            let known = self.texts.iter().position(|known| known == text);
            let number = known.unwrap_or_else(|| {
                self.texts.push(text);
                self.texts.len() - 1
            });
            marks.push_str(&format!(" ={}=", number + 1));
        }
        marks
    }
}

/// Breaks a line at blanks into pieces of at most `room` bytes.
fn folded(line: &str, room: usize, lines: &mut Vec<String>) {
    let mut piece = String::new();
    for word in line.split(' ') {
        if !piece.is_empty() && piece.len() + 1 + word.len() > room {
            lines.push(std::mem::take(&mut piece));
        } else if !piece.is_empty() {
            piece.push(' ');
        }
        for character in word.chars() {
            if piece.len() + character.len_utf8() > room {
                lines.push(std::mem::take(&mut piece));
            }
            piece.push(character);
        }
    }
    lines.push(piece);
}

/// Writes a string with quotes and backslashes escaped and control characters dropped: at most `room` bytes and only
/// whole characters.
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
