//! LIN, the format of Bridge Base Online: a stream of `tag|value|` pairs.
//!
//! Data that LIN has no code for (event, site, date, tricks, par, PBN tags) is written in pairs `kv|Name value|` of our
//! own, with `%`, `|` and control characters percent-encoded, so that reading restores it. Other programs ignore codes
//! that they do not know. Files of earlier versions have `px` instead, a code that other programs use too. Pairs of
//! other programs that are not understood are kept (module `kept`).

mod header;
mod kept;

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::ops::Range;

use cards::{BySeat, Card, Deal, Seat, Suit, TrickTable, Vulnerability, notation};

use crate::lines::{Lines, decode_text};
use crate::record::contract_text;
use crate::{
    Board, BoardNames, BoardReadError, Call, ExtraTag, Extras, Hands, Record, handviewer, number,
};
use header::{HEADER, Header};
use kept::PAIRS;

/// The order of hands, names and dealer digits.
const SEATS: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];

/// Writes a board as one line. Missing data follows from its number; the default number is 1.
pub fn write(out: &mut Vec<u8>, board: &Board) {
    write_or(out, board, None);
}

/// Writes a board like [`write()`], with `unnamed` in place of missing player names.
pub(crate) fn write_or(out: &mut Vec<u8>, board: &Board, unnamed: Option<&str>) {
    let names = board.names.as_deref();
    let named = names.filter(|names| names.players.values().any(|name| !name.is_empty()));
    let players: Option<String> = named.map(|names| {
        let players = SEATS.map(|seat| plain(&names.players[seat]));
        players.join(",")
    });
    let players = players.as_deref().or(unnamed);
    match board.deal() {
        Some(deal) => write_deal(out, board, &deal, players),
        None => write_line(out, board, players, |out, dealer| {
            md_of_hands(out, &board.hands, dealer)
        }),
    }
}

/// Writes a board whose deal is known to be complete; `players` from South on, joined by commas, if they have names.
pub fn write_deal(out: &mut Vec<u8>, board: &Board, deal: &Deal, players: Option<&str>) {
    write_line(out, board, players, |out, dealer| {
        md_value(out, deal, dealer)
    });
}

fn write_line(
    out: &mut Vec<u8>,
    board: &Board,
    players: Option<&str>,
    cards: impl FnOnce(&mut Vec<u8>, Seat),
) {
    let (number, dealer, vulnerable) = board.place();
    if let Some(extras) = &board.extras {
        header::write(out, extras);
    }
    if let Some(players) = players {
        out.extend_from_slice(b"pn|");
        out.extend_from_slice(players.as_bytes());
        out.extend_from_slice(b"|st||");
    }
    let mut tags = board.extras.iter().flat_map(|extras| &extras.tags);
    let room = match tags.any(|tag| *tag == closed_room()) {
        true => b"qx|c",
        false => b"qx|o",
    };
    out.extend_from_slice(room);
    number::natural(out, number);
    out.extend_from_slice(b"|md|");
    cards(out, dealer);
    out.extend_from_slice(b"|rh||ah|Board ");
    number::natural(out, number);
    let vulnerable = match vulnerable {
        Vulnerability::NorthSouth => b'n',
        Vulnerability::EastWest => b'e',
        Vulnerability::Both => b'b',
        Vulnerability::None => b'o',
    };
    out.extend_from_slice(&[b'|', b's', b'v', b'|', vulnerable, b'|']);
    if let Some(extras) = &board.extras {
        // Comments from the first one on that `nt` cannot hold are written as `kv` pairs, so that their order is kept.
        let shown = extras.comments.iter().take_while(|text| fits(text));
        shown.for_each(|text| pair(out, "nt", text));
    }
    if let Some(record) = &board.record {
        write_record(out, record);
    }
    for (name, value) in private(board, dealer) {
        pair(out, PRIVATE, &format!("{name} {}", encoded(&value)));
    }
    if let Some(extras) = &board.extras {
        kept::write(out, extras, PAIRS, "");
    }
    out.extend_from_slice(b"pg||\n");
}

/// The PBN tag of the room in which a board was played.
const ROOM: &str = "Room";

/// Returns the tag of a board that was played in the closed room.
fn closed_room() -> ExtraTag {
    ExtraTag {
        name: ROOM.to_owned(),
        value: "Closed".to_owned(),
        section: String::new(),
    }
}

/// A board whose `qx` has other text than a room and a number.
const LABEL: &str = "labels of boards";

/// The code of the pairs with data that LIN has no code for. No other program is known to use it.
const PRIVATE: &str = "kv";

fn pair(out: &mut Vec<u8>, code: &str, value: &str) {
    for part in [code, "|", value, "|"] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// Writes auction, play and claim.
fn write_record(out: &mut Vec<u8>, record: &Record) {
    for (i, call) in record.calls().into_iter().enumerate() {
        let mut notes = record.notes.iter().filter(|(at, _)| *at == i).peekable();
        let alert = if notes.peek().is_some() { "!" } else { "" };
        pair(out, "mb", &format!("{}{alert}", call.lin()));
        for (_, text) in notes.filter(|(_, text)| !text.is_empty()) {
            pair(out, "an", &plain_text(text));
        }
    }
    for (i, card) in record.play.iter().enumerate() {
        let card = format!("{}{}", card.suit().letter(), card.rank().letter());
        pair(out, "pc", &card);
        for (_, text) in record.play_notes.iter().filter(|(at, _)| *at == i) {
            pair(out, "nt", &plain_text(text));
        }
    }
    if let Some(result) = record.result
        && record.contract.is_some()
        && record.result_of_play() != Some(result)
    {
        pair(out, "mc", &result.to_string());
    }
}

/// Returns the data of a board that LIN has no code for, by the names of PBN tags.
fn private(board: &Board, dealer: Seat) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            all.push((name.to_owned(), value.to_owned()));
        }
    };
    if let Some(names) = &board.names {
        add("Event", &names.event);
        add("Site", &names.site);
        add("Date", &names.date);
        for (seat, name) in &names.players {
            if plain(name) != *name || name.trim() != name {
                add(crate::hand::name(seat), name);
            }
        }
    }
    if let Some(record) = &board.record {
        let known = record.concluded(dealer);
        if let Some(contract) = record.contract
            && known.map(|(contract, _)| contract) != Some(contract)
        {
            add("Contract", &contract_text(contract));
        }
        // If the contract is written, the reader does not derive it from the auction.
        if let Some(declarer) = record.declarer
            && (known.map(|(_, declarer)| declarer) != Some(declarer)
                || known.map(|(contract, _)| contract) != record.contract)
        {
            add("Declarer", &declarer.letter().to_string());
        }
        if let Some(result) = record.result.filter(|_| record.contract.is_none()) {
            add("Result", &result.to_string());
        }
    }
    if let Some(table) = &board.tricks {
        let mut digits = Vec::new();
        crate::pbn::double_dummy_digits(&mut digits, table);
        add("DoubleDummyTricks", &decode_text(&digits));
    }
    if let Some(par) = board.par {
        add("OptimumScore", &format!("NS {par}"));
    }
    add(
        "ParContract",
        board.par_contracts.as_deref().unwrap_or_default(),
    );
    if let Some(extras) = &board.extras {
        for comment in extras.comments.iter().skip_while(|text| fits(text)) {
            add("Comment", comment);
        }
        // The pair `qx` names the room; header and pairs are written as they were read.
        let is_written =
            |tag: &&ExtraTag| **tag == closed_room() || tag.name == HEADER || tag.name == PAIRS;
        for tag in extras.tags.iter().filter(|tag| !is_written(tag)) {
            let (value, section) = (&tag.value, &tag.section);
            match section.is_empty() {
                true => add(&tag.name, value),
                false => add(&tag.name, &format!("{value}\n{section}")),
            }
        }
    }
    all
}

/// Reads a private pair into the draft.
fn take_private(draft: &mut Draft, name: &str, value: &str) {
    let names = &mut draft.around;
    match name {
        "Event" => names.event = value.to_owned(),
        "Site" => names.site = value.to_owned(),
        "Date" => names.date = value.to_owned(),
        "North" | "East" | "South" | "West" => {
            if let Ok(seat) = name.parse::<Seat>() {
                names.players[seat] = value.to_owned();
            }
        }
        "Contract" => draft.record.contract = value.parse().ok(),
        "Declarer" => draft.record.declarer = value.parse().ok(),
        "Result" => draft.record.result = value.parse().ok().filter(|&tricks| tricks <= 13),
        "DoubleDummyTricks" => draft.tricks = crate::pbn::from_digits(value.as_bytes()),
        "OptimumScore" => draft.par = crate::pbn::par(value),
        "ParContract" => draft.par_contracts = Some(value.to_owned()),
        "Comment" => draft.extras.comments.push(value.to_owned()),
        _ => {
            let (value, section) = value.split_once('\n').unwrap_or((value, ""));
            draft.extras.tags.push(ExtraTag {
                name: name.to_owned(),
                value: value.to_owned(),
                section: section.to_owned(),
            });
        }
    }
}

/// Returns whether a text can be written in LIN unchanged.
fn fits(text: &str) -> bool {
    !text.contains('|') && !text.chars().any(char::is_control)
}

/// Returns a text without characters that would end it.
fn plain_text(text: &str) -> String {
    text.replace('|', "/")
        .replace(|c: char| c.is_control(), " ")
}

/// Returns a value with `%`, `|` and control characters percent-encoded.
fn encoded(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '%' | '|' | '\0'..='\x1f' | '\x7f' => text.push_str(&format!("%{:02X}", c as u32)),
            c => text.push(c),
        }
    }
    text
}

/// Returns a name without the characters that would end it.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '|' | ',') && !c.is_control())
        .collect()
}

/// Writes the hands that are known; the others are empty.
fn md_of_hands(out: &mut Vec<u8>, hands: &Hands, dealer: Seat) {
    let digit = SEATS.iter().position(|&seat| seat == dealer).unwrap_or(0) as u8;
    out.push(b'1' + digit);
    for (i, seat) in SEATS.into_iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        for suit in Suit::DESCENDING
            .into_iter()
            .filter(|_| hands.0[seat].is_some())
        {
            out.push(suit.letter() as u8);
            let cards = hands.0[seat].unwrap_or_default();
            out.extend(
                cards
                    .iter()
                    .filter(|card| card.suit() == suit)
                    .map(|card| card.rank().letter() as u8),
            );
        }
    }
}

fn md_value(out: &mut Vec<u8>, deal: &Deal, dealer: Seat) {
    let digit = SEATS.iter().position(|&seat| seat == dealer).unwrap_or(0) as u8;
    // A digit and four hands of thirteen ranks, four letters and a comma, and room for the fixed-size copies.
    let mut line = [0; 1 + 4 * 18 + 16];
    line[0] = b'1' + digit;
    let mut at = 1;
    for seat in SEATS {
        for suit in Suit::DESCENDING {
            line[at] = suit.letter() as u8;
            at += 1;
            at += crate::hand::place_holding(&mut line[at..], deal.hand(seat), suit);
        }
        line[at] = b',';
        at += 1;
    }
    out.extend_from_slice(&line[..at - 1]);
}

/// The part of a board that has been read.
#[derive(Debug, Default)]
struct Draft {
    md: Option<(u64, String)>,
    number_ah: Option<u64>,
    number_qx: Option<u64>,
    vulnerable: Option<Vulnerability>,
    names: Option<TableNames>,
    record: Record,
    tricks: Option<TrickTable>,
    par: Option<i32>,
    par_contracts: Option<String>,
    /// Event, site, date, and names that contain commas.
    around: BoardNames,
    extras: Extras,
    /// Line and message for the first word of the auction that is not a call.
    wrong_call: Option<(u64, String)>,
    /// Whether a `pg` has ended a part of the board, so that names after it belong to the next one.
    has_pages: bool,
    /// The room that `qx` names: open or closed.
    room: Option<u8>,
    /// Pairs whose codes the reader does not interpret.
    pairs: Vec<(String, String)>,
    /// Whether the board has a label instead of a number.
    has_label: bool,
}

/// Reads boards from a LIN stream, plain or inside `lin=` addresses.
#[derive(Debug)]
pub struct LinReader<R> {
    lines: Lines<R>,
    token: Vec<u8>,
    tag: Option<Vec<u8>>,
    draft: Draft,
    /// Whether pairs of the next board have been read, but not its cards.
    is_announced: bool,
    /// The names of the next board.
    names: Option<TableNames>,
    /// The names of all boards of a match, which the header or a `pn` with eight names gives.
    match_names: Option<TableNames>,
    header: Header,
    /// Pairs without a meaning before the cards of the next board.
    pairs: Vec<(String, String)>,
    ready: VecDeque<Result<Board, BoardReadError>>,
    boards: u64,
    ended: bool,
}

/// Maximum length of a value in bytes; longer text is not LIN.
const LONGEST_VALUE: usize = 1 << 20;

impl<R: BufRead> LinReader<R> {
    /// Creates a reader of the boards in `input`.
    pub fn new(input: R) -> Self {
        LinReader {
            lines: Lines::new(input),
            token: Vec::new(),
            tag: None,
            draft: Draft::default(),
            is_announced: false,
            names: None,
            match_names: None,
            header: Header::default(),
            pairs: Vec::new(),
            ready: VecDeque::new(),
            boards: 0,
            ended: false,
        }
    }

    /// Reads a line. Returns `false` at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        let Some(line) = self.lines.next_line()? else {
            return Ok(false);
        };
        let line = line.to_vec();
        if self.tag.is_none() {
            // A code does not continue in the next line, so this is other text.
            self.token.clear();
            // An address begins the line; later in the line it is part of a text.
            let text_from = line.iter().position(|&byte| byte == b'|');
            let first = address(&line, 0);
            if first.is_some_and(|first| text_from.is_none_or(|from| first.value.start < from)) {
                self.read_links(&line);
                return Ok(true);
            }
        }
        self.read_text(&line);
        Ok(true)
    }

    /// Reads every address of a line as a separate board.
    fn read_links(&mut self, line: &[u8]) {
        self.end_text("the text");
        let mut at = 0;
        while let Some(found) = address(line, at) {
            at = found.value.end;
            let value = &line[found.value];
            let boards = self.boards;
            if found.is_lin {
                self.read_text(&percent_decode(value));
                self.end_text("the link");
                if self.boards == boards {
                    self.boards += 1;
                    let message = "the link holds no deal";
                    let problem = BoardReadError::board(self.lines.number(), self.boards, message);
                    self.ready.push_back(Err(problem));
                }
                continue;
            }
            self.boards += 1;
            let (line, number) = (self.lines.number(), self.boards);
            let board = handviewer::board(&decode_text(value), line);
            let board = board.map(|board| board.with_number(number));
            let board = board.map_err(|message| BoardReadError::board(line, number, message));
            self.ready.push_back(board);
        }
    }

    fn read_text(&mut self, text: &[u8]) {
        for &byte in text {
            if byte != b'|' {
                if self.token.len() < LONGEST_VALUE {
                    self.token.push(byte);
                }
                continue;
            }
            let token = std::mem::take(&mut self.token);
            match self.tag.take() {
                None => self.tag = Some(token.trim_ascii().to_ascii_lowercase()),
                Some(tag) => self.pair(&tag, &token),
            }
        }
    }

    /// Finishes the last board of `whole`, which is the file or a link. It reports a cut if a pair is not closed, or if
    /// a board has pairs but no cards.
    fn end_text(&mut self, whole: &str) {
        let token = std::mem::take(&mut self.token);
        let rest = token.trim_ascii();
        let (is_cut, begins_board) = match self.tag.take().as_deref() {
            // In most files the last pair is `pg` without a value.
            Some(b"pg") => (false, false),
            Some(tag) => (true, self.is_announced || announces(tag)),
            // The rest is the beginning of a code, of this board or the next.
            None => {
                let is_code = rest.len() <= 2 && rest.iter().all(u8::is_ascii_alphanumeric);
                (is_code && !rest.is_empty(), true)
            }
        };
        if begins_board && self.draft.md.is_some() {
            self.finish();
        }
        let draft = &self.draft;
        let has_no_cards = draft.md.is_none() && draft.room.is_some();
        if is_cut || has_no_cards {
            self.boards += 1;
            let line = draft.md.as_ref().map(|(line, _)| *line);
            let line = line.unwrap_or(self.lines.number());
            let number = draft.number_ah.or(draft.number_qx).unwrap_or(self.boards);
            let message = format!("{whole} ends inside this board");
            self.ready
                .push_back(Err(BoardReadError::board(line, number, message)));
            self.draft = Draft::default();
        }
        self.finish();
        self.names = None;
        self.match_names = None;
        self.is_announced = false;
    }

    fn pair(&mut self, tag: &[u8], value: &[u8]) {
        self.is_announced = match tag {
            b"md" => false,
            tag => self.is_announced || announces(tag),
        };
        match tag {
            b"qx" => {
                self.finish();
                let label = decode_text(value);
                self.draft.room = value.trim_ascii().first().map(u8::to_ascii_lowercase);
                self.draft.number_qx = first_integer(&label);
                let number = label.trim().trim_start_matches(['o', 'c', 'O', 'C']);
                self.draft.has_label = number.parse::<u64>().is_err() && !number.is_empty();
            }
            b"md" => {
                if self.draft.md.is_some() {
                    self.finish();
                }
                self.draft.md = Some((self.lines.number(), decode_text(value)));
                self.draft.pairs.append(&mut self.pairs);
                let names = self.names.take();
                self.draft.names = names.or_else(|| self.match_names.clone());
            }
            b"sv" => self.draft.vulnerable = vulnerability(&decode_text(value)),
            b"ah" => {
                let number = first_integer(&decode_text(&percent_decode(value)));
                match number.filter(|_| self.draft.number_ah.is_none()) {
                    Some(number) => self.draft.number_ah = Some(number),
                    None => self.keep(tag, value),
                }
            }
            b"pn" => {
                let text = decode_text(value);
                if self.boards == 0 && self.draft.md.is_none() {
                    self.header.take("pn", &text);
                }
                let names = names(&text);
                // In some files the names of a board follow its cards.
                if self.draft.md.is_some() && self.draft.names.is_none() && !self.draft.has_pages {
                    self.draft.names.clone_from(&names);
                }
                let in_header =
                    self.boards == 0 && self.draft.md.is_none() && self.header.is_match();
                match in_header || text.split(',').count() > 4 {
                    true => self.match_names = names,
                    false => self.names = names,
                }
            }
            b"pg" => {
                self.draft.has_pages = self.draft.md.is_some();
                self.header.ends_names();
            }
            b"vg" | b"rs" | b"mp" | b"bn" | b"pw"
                if self.boards == 0 && self.draft.md.is_none() =>
            {
                let code = decode_text(tag);
                self.header.take(&code, &decode_text(value));
            }
            b"mb" => {
                let text = decode_text(value);
                let call = text.trim().trim_end_matches(['!', '?', '*']);
                let read = Call::read(call).map(|call| vec![call]);
                let read = read.or_else(|| Call::read_joined(call));
                if read.is_none() && !call.is_empty() {
                    let wrong = (
                        self.lines.number(),
                        format!("{:?} is no call of an auction", text.trim()),
                    );
                    self.draft.wrong_call.get_or_insert(wrong);
                }
                let record = &mut self.draft.record;
                record
                    .auction
                    .extend(read.unwrap_or_default().into_iter().map(Call::pbn));
                if call.len() < text.trim().len()
                    && let Some(last) = record.auction.len().checked_sub(1)
                {
                    record.notes.push((last, String::new()));
                }
            }
            b"an" if !self.draft.record.auction.is_empty() => {
                let record = &mut self.draft.record;
                let last = record.auction.len() - 1;
                record
                    .notes
                    .retain(|(at, text)| *at != last || !text.is_empty());
                record
                    .notes
                    .push((last, decode_text(value).trim().to_owned()));
            }
            b"mc" => {
                let tricks = decode_text(value).trim().parse().ok();
                self.draft.record.result = tricks.filter(|&tricks| tricks <= 13);
                if self.draft.record.result.is_none() {
                    self.keep(tag, value);
                }
            }
            b"nt" if self.draft.md.is_some() => {
                let text = decode_text(value).trim().to_owned();
                let record = &mut self.draft.record;
                match record.play.len().checked_sub(1) {
                    _ if text.is_empty() => {}
                    Some(last) => record.play_notes.push((last, text)),
                    None => self.draft.extras.comments.push(text),
                }
            }
            b"kv" | b"px" => {
                let text = decode_text(value);
                if let Some((name, value)) = text.split_once(' ')
                    && (tag == b"kv" || EARLIER_NAMES.contains(&name))
                {
                    let value = decode_text(&percent_decoded(value.as_bytes(), false));
                    take_private(&mut self.draft, name, &value);
                }
            }
            b"pc" => {
                let text = decode_text(value);
                let cards = cards_of(&text);
                if 2 * cards.len() != text.chars().filter(|c| !c.is_whitespace()).count() {
                    self.keep(tag, value);
                }
                self.draft.record.play.extend(cards);
            }
            b"rh" | b"st" | b"" => {}
            _ => self.keep(tag, value),
        }
    }

    /// Keeps a pair whose code the reader does not interpret, for the board to which it belongs or for the next one.
    fn keep(&mut self, tag: &[u8], value: &[u8]) {
        let value = decode_text(value);
        if value.trim().is_empty() {
            return;
        }
        let pairs = match self.draft.md {
            Some(_) => &mut self.draft.pairs,
            None => &mut self.pairs,
        };
        pairs.push((decode_text(tag), value));
    }

    /// Turns the draft into a board.
    fn finish(&mut self) {
        let draft = std::mem::take(&mut self.draft);
        let Some((line, md)) = draft.md else { return };
        self.boards += 1;
        let number = draft.number_ah.or(draft.number_qx);
        let (dealer, hands) = match md_hands(&md) {
            Ok(read) => read,
            Err(message) => {
                let board = number.unwrap_or(self.boards);
                self.ready
                    .push_back(Err(BoardReadError::board(line, board, message)));
                return;
            }
        };
        if let Some((line, message)) = draft.wrong_call {
            let board = number.unwrap_or(self.boards);
            self.ready
                .push_back(Err(BoardReadError::board(line, board, message)));
            return;
        }
        let mut names = draft.around;
        if let Some(players) = draft.names {
            for (seat, name) in players.at(draft.room) {
                if names.players[seat].is_empty() {
                    names.players[seat].clone_from(name);
                }
            }
        }
        let mut extras = draft.extras;
        if draft.room == Some(b'c') && extras.tag(ROOM).is_none() {
            extras.tags.insert(0, closed_room());
        }
        if !draft.pairs.is_empty() {
            extras.tags.push(kept::tag_of_pairs(PAIRS, &draft.pairs));
        }
        let mut record = draft.record;
        self.header
            .complete(&mut names, &mut extras, self.boards == 1);
        let is_over = record.is_over();
        record.conclude(dealer, is_over);
        let place = number.unwrap_or(self.boards);
        self.header
            .complete_record(&mut record, place, draft.room == Some(b'c'));
        record.result = record.result.or_else(|| record.result_of_play());
        let board = Board {
            hands,
            number,
            dealer,
            vulnerable: draft.vulnerable,
            tricks: draft.tricks,
            par: draft.par,
            par_contracts: draft.par_contracts,
            names: (names != BoardNames::default()).then(|| Box::new(names)),
            record: (!record.is_empty()).then(|| Box::new(record)),
            extras: (extras != Extras::default()).then(|| Box::new(extras)),
            source: None,
            unread: draft.has_label.then_some(LABEL).into_iter().collect(),
            line,
        };
        self.ready.push_back(Ok(board.with_number(self.boards)));
    }
}

impl<R: BufRead> Iterator for LinReader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(board) = self.ready.pop_front() {
                return Some(board);
            }
            if self.ended {
                return None;
            }
            match self.read_line() {
                Ok(true) => {}
                Ok(false) => {
                    self.ended = true;
                    self.end_text("the file");
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BoardReadError::io(self.lines.number(), error)));
                }
            }
        }
    }
}

/// Returns whether the pair comes before the cards of a board.
fn announces(tag: &[u8]) -> bool {
    matches!(tag, b"pn" | b"st" | b"qx" | b"md")
}

fn md_hands(md: &str) -> Result<(Option<Seat>, Hands), String> {
    let md = md.trim();
    let (dealer, rest) = match md.chars().next() {
        Some(digit @ '0'..='9') => {
            let seat = (digit as usize)
                .checked_sub('1' as usize)
                .and_then(|index| SEATS.get(index));
            (seat.copied(), &md[1..])
        }
        _ => (None, md),
    };
    let mut hands = Hands::default();
    for (index, text) in rest.split(',').enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let Some(seat) = SEATS.get(index) else {
            return Err(format!("a deal has four hands, not {}", index + 1));
        };
        let cards =
            notation::suit_holdings(text).map_err(|error| format!("{}: {error}", seat.name()))?;
        hands.0[*seat] = Some(cards);
    }
    hands.check_part().map_err(|error| error.to_string())?;
    Ok((dealer, hands))
}

/// Returns the cards of a `pc` value: suit and rank, usually one card, in old files several.
fn cards_of(value: &str) -> Vec<Card> {
    let symbols: Vec<char> = value.chars().filter(|c| !c.is_whitespace()).collect();
    let card = |pair: &[char]| pair.iter().collect::<String>().parse().ok();
    symbols.chunks(2).map_while(card).collect()
}

/// Reads the vulnerability by its first letter, because some programs write `both` or `ns` here.
fn vulnerability(value: &str) -> Option<Vulnerability> {
    let first = value.trim().get(..1)?;
    first.parse().ok()
}

/// The names of the players in the open room and in the closed room. A file of one table has only the first four.
#[derive(Clone, Debug, Default)]
struct TableNames {
    open: BySeat<String>,
    closed: BySeat<String>,
}

impl TableNames {
    /// Returns the names at the table of this room: `o` or `c`.
    fn at(&self, room: Option<u8>) -> &BySeat<String> {
        let has_closed = self.closed.values().any(|name| !name.is_empty());
        match room == Some(b'c') && has_closed {
            true => &self.closed,
            false => &self.open,
        }
    }
}

/// Reads the names of a `pn` value, the open room first. `None` if all are empty.
fn names(value: &str) -> Option<TableNames> {
    let mut tables = TableNames::default();
    for (i, name) in value.split(',').take(8).enumerate() {
        let players = if i < 4 {
            &mut tables.open
        } else {
            &mut tables.closed
        };
        players[SEATS[i % 4]] = name.trim().to_owned();
    }
    let all = tables.open.values().chain(tables.closed.values());
    let is_named = all.into_iter().any(|name| !name.is_empty());
    is_named.then_some(tables)
}

/// The names of the data in pairs `px`, which earlier versions wrote. Other programs use this code for other data.
const EARLIER_NAMES: [&str; 13] = [
    "Event",
    "Site",
    "Date",
    "North",
    "East",
    "South",
    "West",
    "Contract",
    "Declarer",
    "Result",
    "DoubleDummyTricks",
    "OptimumScore",
    "ParContract",
];

fn first_integer(text: &str) -> Option<u64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits: String = text[start..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok().filter(|&number| number > 0)
}

/// An address with a board in a line.
pub(crate) struct Address {
    /// Whether the board is LIN; otherwise it has separate hands.
    pub is_lin: bool,
    /// Position of the LIN text or the parameters in the line.
    pub value: Range<usize>,
}

/// Finds the first address at or after `from`: `?lin=…`, or a hand viewer link with parameters.
pub(crate) fn address(line: &[u8], from: usize) -> Option<Address> {
    const LIN: &[u8] = b"lin=";
    const VIEWER: &[u8] = b"handviewer.html?";
    let has = |at: usize, word: &[u8]| {
        let here = line.get(at..at + word.len());
        here.is_some_and(|here| here.eq_ignore_ascii_case(word))
    };
    let is_lin = |at: usize| {
        let begins = at == 0 || matches!(line[at - 1], b'?' | b'&' | b';');
        begins && has(at, LIN)
    };
    let up_to = |start: usize, ends: &[u8]| {
        let end = line[start..].iter().position(|byte| ends.contains(byte));
        start..end.map_or(line.len(), |end| start + end)
    };
    let at = (from..line.len()).find(|&at| is_lin(at) || has(at, VIEWER))?;
    let parameters = match is_lin(at) {
        true => at..at,
        false => up_to(at + VIEWER.len(), b"\"' <>"),
    };
    let mut places = parameters.start..=parameters.end;
    Some(match places.find(|&at| is_lin(at)) {
        Some(lin) => Address {
            is_lin: true,
            value: up_to(lin + LIN.len(), b"&\"' <"),
        },
        None => Address {
            is_lin: false,
            value: parameters,
        },
    })
}

/// Decodes `%20` and `+` of an address.
pub(crate) fn percent_decode(text: &[u8]) -> Vec<u8> {
    percent_decoded(text, true)
}

fn percent_decoded(text: &[u8], plus: bool) -> Vec<u8> {
    let hex = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], hex(text.get(at + 1)), hex(text.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                plain.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', _, _) if plus => plain.push(b' '),
            (byte, _, _) => plain.push(byte),
        }
        at += 1;
    }
    plain
}
