//! Reads PBN games as boards. Errors that do not change the cards are tolerated.

use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead};

use cards::{BySeat, CardSet, Seat, Strain, TrickTable, notation};

use super::export::{DECLARERS, STRAINS};
use super::game::{Stripper, Tag, games, tags};
use super::section::record;
use super::source::SourceText;
use crate::lines::{Lines, decode_text};
use crate::{Board, BoardNames, BoardReadError, ExtraTag, Extras, Hands};

/// Maximum size of a game in bytes; the rest is read as the next game.
const LONGEST_GAME: usize = 1 << 20;

/// Tags whose value `#` repeats that of the previous game, in the order of [`BoardNames`].
const INHERITABLE: [&[u8]; 7] = [
    b"event", b"site", b"date", b"north", b"east", b"south", b"west",
];

/// The other tags that are read into fields of a board.
const UNDERSTOOD: [&[u8]; 13] = [
    b"board",
    b"dealer",
    b"vulnerable",
    b"deal",
    b"declarer",
    b"contract",
    b"result",
    b"doubledummytricks",
    b"optimumscore",
    b"parcontract",
    b"auction",
    b"play",
    b"note",
];

/// Returns whether a [`Board`] has a field for a tag named `name`.
pub(super) fn has_own_field(name: &[u8]) -> bool {
    let is = |known: &&[u8]| name.eq_ignore_ascii_case(known);
    INHERITABLE.iter().any(is) || UNDERSTOOD.iter().any(is)
}

/// Tags that change the board, so that a broken one is an error.
const BOARD_TAGS: [&[u8]; 4] = [b"board", b"dealer", b"vulnerable", b"deal"];

/// Reads boards from a PBN stream. Games that have neither a deal nor the number of a board are skipped.
#[derive(Debug)]
pub struct PbnReader<R> {
    lines: Lines<R>,
    stripper: Stripper,
    game: Vec<u8>,
    /// Number of games with a deal so far, for boards without a number.
    games: u64,
    previous: [String; 7],
    sticky: [bool; 7],
    /// Values of the other tags of the previous game, which `#` repeats, by name in lower case.
    repeatable: HashMap<Vec<u8>, Vec<u8>>,
    /// The previous board, whose deal a game without a deal shares.
    shared: Option<Box<Board>>,
    /// Boards of the last game text.
    ready: VecDeque<Result<Board, BoardReadError>>,
    /// The line on which the open comment began, and whether it contains tags.
    comment: Option<(u64, bool)>,
    ended: bool,
    /// The text since the last board, if the text of games is kept.
    source: Option<KeptText>,
}

/// Text of the file that no board has yet.
#[derive(Debug, Default)]
struct KeptText {
    /// The text between the previous board and the current game.
    before: Vec<u8>,
    /// The lines of the current game.
    game: Vec<u8>,
    /// The blank line after the current game.
    after: Vec<u8>,
    /// Number of games with a text so far.
    position: u64,
}

impl<R: BufRead> PbnReader<R> {
    /// Creates a reader of the boards in `input`.
    pub fn new(input: R) -> Self {
        PbnReader {
            lines: Lines::new(input),
            stripper: Stripper::default(),
            game: Vec::new(),
            games: 0,
            previous: Default::default(),
            sticky: [false; 7],
            repeatable: HashMap::new(),
            shared: None,
            ready: VecDeque::new(),
            comment: None,
            ended: false,
            source: None,
        }
    }

    /// Keeps the text of each game in its board. The last board then has the rest of the file.
    #[must_use]
    pub fn keeping_source(mut self) -> Self {
        self.lines.keep_raw();
        self.source = Some(KeptText::default());
        self
    }

    /// Collects the next game. Returns the number of its first line.
    fn next_game(&mut self) -> io::Result<Option<u64>> {
        self.game.clear();
        let mut first = 0;
        loop {
            let Some(line) = self.lines.next_line()? else {
                self.ended = true;
                return Ok((first > 0).then_some(first));
            };
            let blank = line.iter().all(u8::is_ascii_whitespace);
            if blank && !self.stripper.in_comment() {
                if let Some(kept) = &mut self.source {
                    let place = if first > 0 {
                        &mut kept.after
                    } else {
                        &mut kept.before
                    };
                    place.extend(self.lines.take_raw());
                }
                if first > 0 {
                    return Ok(Some(first));
                }
                continue;
            }
            let has_tag = line.trim_ascii_start().starts_with(b"[");
            let was_open = self.stripper.in_comment();
            self.stripper.push(&mut self.game, line);
            if let Some(kept) = &mut self.source {
                kept.game.extend(self.lines.take_raw());
            }
            self.comment = match (self.stripper.in_comment(), was_open, self.comment) {
                (true, true, Some((from, hides))) => Some((from, hides || has_tag)),
                (true, ..) => Some((self.lines.number(), false)),
                (false, ..) => None,
            };
            if first == 0 {
                first = self.lines.number();
            }
            if self.game.len() > LONGEST_GAME {
                return Ok(Some(first));
            }
        }
    }

    /// Reads the boards of the collected text, which begins at `first_line`.
    fn read_game(&mut self, first_line: u64) {
        let mut tags = tags(&self.game);
        let cut = match self.ended && is_cut(&tags) {
            true => tags.pop(),
            false => None,
        };
        let mut games = games(tags);
        for tags in &mut games {
            self.repeat(tags);
        }
        let pieces = self.split_text(&games);
        for (tags, text) in games.iter().zip(pieces) {
            let board = self.board(tags, first_line);
            let board = board.map(|board| board.map(|board| self.with_source(board, text.clone())));
            if let (None, Some(kept)) = (&board, &mut self.source) {
                kept.before.extend(text);
            }
            self.ready.extend(board);
        }
        if let Some(kept) = &mut self.source {
            kept.before.extend(std::mem::take(&mut kept.game));
            kept.before.extend(std::mem::take(&mut kept.after));
        }
        // If the cut makes the board incomplete, an error has been reported already.
        if let Some(tag) = cut.filter(|_| !matches!(self.ready.back(), Some(Err(_)))) {
            let name = decode_text(&tag.name);
            let message = format!("the file ends inside the tag [{name}");
            let problem = BoardReadError::board(first_line + tag.line, self.games.max(1), message);
            self.ready.push_back(Err(problem));
        }
    }

    /// Returns the text of each of these games, which follow each other without a blank line. The texts are empty if
    /// they are not kept or two games share a line.
    fn split_text(&mut self, games: &[Vec<Tag>]) -> Vec<Vec<u8>> {
        let nothing = vec![Vec::new(); games.len()];
        let Some(kept) = &mut self.source else {
            return nothing;
        };
        let starts: Vec<u64> = games
            .iter()
            .map(|tags| tags.first().map_or(0, |tag| tag.line))
            .collect();
        if games.iter().any(Vec::is_empty) || starts.windows(2).any(|pair| pair[0] == pair[1]) {
            return nothing;
        }
        let text = std::mem::take(&mut kept.game);
        let mut texts = nothing;
        let mut lines = 0;
        let mut is_leading = true;
        let mut rest = &text[..];
        while !rest.is_empty() {
            // A line ends with LF, CRLF or CR.
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let mut end = end.map_or(rest.len(), |end| end + 1);
            if rest[..end].ends_with(b"\r") && rest.get(end) == Some(&b'\n') {
                end += 1;
            }
            let (line, others) = rest.split_at(end);
            rest = others;
            is_leading &= line.starts_with(b"%");
            let game = starts
                .iter()
                .rposition(|&start| start <= lines)
                .unwrap_or(0);
            match is_leading {
                true => kept.before.extend_from_slice(line),
                false => texts[game].extend_from_slice(line),
            }
            lines += 1;
        }
        texts
    }

    /// Returns the board with the text of its game, unless that is empty.
    fn with_source(&mut self, board: Board, game: Vec<u8>) -> Board {
        let Some(kept) = self.source.as_mut().filter(|_| !game.is_empty()) else {
            return board;
        };
        let source = SourceText {
            before: std::mem::take(&mut kept.before),
            game,
            after: Vec::new(),
            position: kept.position,
            board: Box::new(board.clone()),
        };
        kept.position += 1;
        Board {
            source: Some(Box::new(source)),
            ..board
        }
    }

    /// Gives the rest of the file to the last board.
    fn keep_rest(&mut self) {
        if let Some(kept) = &mut self.source
            && let Some(Ok(board)) = self.ready.back_mut()
            && let Some(source) = &mut board.source
        {
            source.after.append(&mut kept.before);
        }
    }

    /// Reports a comment without a closing brace before the end of the file, if it contains tags.
    fn report_open_comment(&mut self) {
        if let Some((from, true)) = self.comment.take() {
            let message = "the comment that begins here is not closed, and tags stand in it";
            self.ready.push_back(Err(BoardReadError::at(from, message)));
        }
    }

    /// Replaces values `#` of tags without a field of their own by those of the previous game.
    fn repeat(&mut self, tags: &mut [Tag]) {
        let mut values = HashMap::new();
        for tag in tags.iter_mut().filter(|tag| tag.is_whole) {
            let name = tag.name.to_ascii_lowercase();
            if INHERITABLE.contains(&&name[..]) {
                continue;
            }
            if tag.value == b"#" {
                tag.value = self.repeatable.get(&name).cloned().unwrap_or_default();
            }
            values.insert(name, tag.value.clone());
        }
        self.repeatable = values;
    }

    /// Returns the previous board if a game without a deal is another record of it.
    fn shared_with(&mut self, tags: &[Tag], number: Option<u64>) -> Option<Box<Board>> {
        const RECORD: [&[u8]; 5] = [b"contract", b"declarer", b"result", b"auction", b"play"];
        let board = self.shared.take()?;
        let is_record = RECORD.iter().any(|name| find(tags, name).is_some());
        let is_same = is_record
            && find(tags, b"deal").is_none()
            && number.is_none_or(|number| board.number == Some(number));
        is_same.then_some(board)
    }

    fn board(&mut self, tags: &[Tag], first_line: u64) -> Option<Result<Board, BoardReadError>> {
        let mut names = self.names(tags);
        let number = find(tags, b"board")
            .and_then(|tag| decode_text(&tag.value).trim().parse().ok())
            .filter(|&number| number > 0);
        let shared = self.shared_with(tags, number);
        let number = number.or(shared.as_ref().and_then(|board| board.number));
        let broken = tags.iter().find(|tag| !tag.is_whole && changes_board(tag));
        let deal = find(tags, b"deal");
        // Programs for lessons write texts as games with an empty deal.
        if deal.is_some_and(|deal| deal.value.trim_ascii().is_empty()) && broken.is_none() {
            return None;
        }
        if deal.is_none() && broken.is_none() && number.is_none() && shared.is_none() {
            return None;
        }
        self.games += 1;
        let games = self.games;
        let wrong = |line: u64, message: String| {
            let board = number.unwrap_or(games);
            Some(Err(BoardReadError::board(
                first_line + line,
                board,
                message,
            )))
        };
        if let Some(tag) = broken {
            let name = decode_text(&tag.name);
            let message = format!(
                "the tag [{name} is broken: a tag is a name and a value in quotes, [{name} \"...\"]"
            );
            return wrong(tag.line, message);
        }
        let (deal_line, read) = match (deal, &shared) {
            (Some(deal), _) => {
                let read = hands(&decode_text(&deal.value)).and_then(|(first, hands)| {
                    hands.check_part().map_err(|error| error.to_string())?;
                    Ok((first, hands))
                });
                (deal.line, read)
            }
            (None, Some(shared)) => (0, Ok((shared.dealer, shared.hands))),
            (None, None) => {
                let line = find(tags, b"board").map_or(0, |tag| tag.line);
                return wrong(line, "the board has no Deal tag".to_owned());
            }
        };
        let (first, hands) = match read {
            Ok(read) => read,
            Err(message) => return wrong(deal_line, message),
        };
        let line = first_line + deal_line;
        let dealer =
            find(tags, b"dealer").and_then(|tag| decode_text(&tag.value).trim().parse().ok());
        let shared_dealer = shared.as_ref().and_then(|board| board.dealer);
        let dealer = dealer
            .or(shared_dealer)
            .or(if number.is_none() { first } else { None });
        let (record, mut unread) = match record(tags, dealer) {
            Ok(read) => read,
            Err((line, message)) => return wrong(line, message),
        };
        if let Some(event) = shared.as_ref().and_then(|board| board.names.as_ref()) {
            let names = names.get_or_insert_default();
            for (own, shared) in [
                (&mut names.event, &event.event),
                (&mut names.site, &event.site),
                (&mut names.date, &event.date),
            ] {
                if own.is_empty() {
                    own.clone_from(shared);
                }
            }
        }
        let mut board = Board {
            hands,
            number,
            dealer,
            vulnerable: find(tags, b"vulnerable")
                .and_then(|tag| decode_text(&tag.value).parse().ok())
                .or(shared.and_then(|board| board.vulnerable)),
            tricks: tricks(tags),
            par: find(tags, b"optimumscore").and_then(|tag| par(&decode_text(&tag.value))),
            par_contracts: find(tags, b"parcontract")
                .map(|tag| decode_text(&tag.value).trim().to_owned())
                .filter(|text| !text.is_empty()),
            names,
            record,
            extras: self.extras(tags),
            source: None,
            unread: Vec::new(),
            line,
        };
        if leaves_values(tags, &board) {
            unread.push(UNREAD_VALUES);
        }
        unread.sort_unstable();
        unread.dedup();
        board.unread = unread;
        board = board.with_number(self.games);
        self.shared = Some(Box::new(Board {
            hands: board.hands,
            number: board.number,
            dealer: board.dealer,
            vulnerable: board.vulnerable,
            names: board.names.clone(),
            ..Board::default()
        }));
        Some(Ok(board))
    }

    /// Returns comments, and tags without a field of their own.
    fn extras(&mut self, tags: &[Tag]) -> Option<Box<Extras>> {
        let known = |tag: &&Tag| {
            let is = |name: &&[u8]| tag.name.eq_ignore_ascii_case(name);
            has_own_field(&tag.name)
                // An incomplete table is passed on unchanged.
                || (is(&&b"optimumresulttable"[..]) && from_result_table(tag).is_some())
        };
        let text = |tag: &Tag| ExtraTag {
            name: decode_text(&tag.name),
            value: decode_text(&tag.value).trim_end().to_owned(),
            section: decode_text(&tag.section)
                .lines()
                .map(str::trim_end)
                .collect::<Vec<_>>()
                .join("\n")
                .trim_matches('\n')
                .to_owned(),
        };
        let unknown = tags.iter().filter(|tag| tag.is_whole && !known(tag));
        let tags: Vec<ExtraTag> = unknown.map(text).collect();
        let said = |tag: &ExtraTag| {
            !tag.section.is_empty() || !matches!(tag.value.as_str(), "" | "?" | "#")
        };
        let extras = Extras {
            comments: self.stripper.take_comments(),
            tags: tags.into_iter().filter(said).collect(),
        };
        (extras != Extras::default()).then(|| Box::new(extras))
    }

    /// Returns event, site, date and players, with `#` and `##` resolved.
    fn names(&mut self, tags: &[Tag]) -> Option<Box<BoardNames>> {
        for (index, name) in INHERITABLE.into_iter().enumerate() {
            let value = find(tags, name).map(|tag| decode_text(&tag.value));
            match value {
                Some(value) if value.starts_with("##") => {
                    self.previous[index] = value[2..].to_owned();
                    self.sticky[index] = true;
                }
                Some(value) if value == "#" => {}
                Some(value) => {
                    self.previous[index] = value;
                    self.sticky[index] = false;
                }
                None if self.sticky[index] => {}
                None => self.previous[index].clear(),
            }
        }
        let [event, site, date, north, east, south, west] = self.previous.clone();
        let names = BoardNames {
            event,
            site,
            date,
            players: BySeat([north, east, south, west]),
        };
        (names != BoardNames::default()).then(|| Box::new(names))
    }
}

impl<R: BufRead> Iterator for PbnReader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // The rest of the file belongs to the last board.
            let held = usize::from(self.source.is_some() && !self.ended);
            if self.ready.len() > held
                && let Some(board) = self.ready.pop_front()
            {
                return Some(board);
            }
            if self.ended {
                return None;
            }
            match self.next_game() {
                Ok(first_line) => {
                    if let Some(first_line) = first_line {
                        self.read_game(first_line);
                    }
                    if self.ended {
                        self.keep_rest();
                        self.report_open_comment();
                    }
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BoardReadError::io(self.lines.number(), error)));
                }
            }
        }
    }
}

const UNREAD_VALUES: &str = "values of tags that cannot be interpreted";

/// Returns whether a tag has a value that the field for it does not hold, such as the board `A7`.
fn leaves_values(tags: &[Tag], board: &Board) -> bool {
    let record = board.record.as_ref();
    let known: [(&[u8], bool); 8] = [
        (b"board", board.number.is_some()),
        (b"dealer", board.dealer.is_some()),
        (b"vulnerable", board.vulnerable.is_some()),
        (b"declarer", record.is_some_and(|it| it.declarer.is_some())),
        (
            b"contract",
            record.is_some_and(|it| it.contract.is_some() || it.passed_out()),
        ),
        (b"result", record.is_some_and(|it| it.result.is_some())),
        (b"optimumscore", board.par.is_some()),
        (b"doubledummytricks", board.tricks.is_some()),
    ];
    let is_empty = |value: &[u8]| matches!(value.trim_ascii(), b"" | b"?" | b"-" | b"#");
    known.into_iter().any(|(name, is_read)| {
        !is_read && find(tags, name).is_some_and(|tag| !is_empty(&tag.value))
    })
}

/// Returns whether a broken tag of this name is an error.
fn changes_board(tag: &Tag) -> bool {
    BOARD_TAGS
        .iter()
        .any(|name| tag.name.eq_ignore_ascii_case(name))
}

/// Returns whether the last tag of a file was cut and would not change the board before it.
fn is_cut(tags: &[Tag]) -> bool {
    let Some((last, others)) = tags.split_last() else {
        return false;
    };
    !last.is_whole && (!changes_board(last) || find(others, &last.name).is_some())
}

pub(super) fn find<'a>(tags: &'a [Tag], name: &[u8]) -> Option<&'a Tag> {
    tags.iter()
        .find(|tag| tag.is_whole && tag.name.eq_ignore_ascii_case(name))
}

/// Reads the value of a Deal tag: the optional seat before the colon, and the hands.
pub(crate) fn hands(text: &str) -> Result<(Option<Seat>, Hands), String> {
    let (first, rest) = match text.split_once(':') {
        Some((seat, rest)) => {
            let seat: Seat = seat
                .trim()
                .parse()
                .map_err(|error: cards::NotationError| error.to_string())?;
            (Some(seat), rest)
        }
        None => (None, text),
    };
    let mut words: Vec<&str> = rest.split_whitespace().collect();
    // Some programs leave unknown hands empty, so that two blanks follow each other.
    let parts: Vec<&str> = rest.split(' ').map(str::trim).collect();
    if (1..4).contains(&words.len()) && parts.len() == 4 {
        words = parts;
    }
    if words.len() != 4 {
        return Err(format!("a deal has four hands, not {}", words.len()));
    }
    let mut hands = Hands::default();
    for (step, word) in words.into_iter().enumerate() {
        let seat = first.unwrap_or(Seat::North).clockwise(step);
        hands.0[seat] = one_hand(word).map_err(|error| format!("{}: {error}", seat.name()))?;
    }
    Ok((first, hands))
}

/// Reads a dotted hand, or `-` for an unknown hand.
fn one_hand(word: &str) -> Result<Option<CardSet>, String> {
    if matches!(word, "" | "-") {
        return Ok(None);
    }
    if word.contains(['x', 'X']) {
        return Err("x for any low card is not supported; each card needs its rank".to_owned());
    }
    // Four suits without a card stand for an unknown hand.
    notation::holdings(word)
        .map(|cards| (!cards.is_empty()).then_some(cards))
        .map_err(|error| error.to_string())
}

/// Reads North-South's score from `NS 140`, `EW 140` or `NS 140 EW -140`.
pub(crate) fn par(text: &str) -> Option<i32> {
    let mut words = text.split_whitespace();
    let side = words.next()?.to_ascii_uppercase();
    let score: i32 = words.next()?.parse().ok()?;
    match side.as_str() {
        "NS" => Some(score),
        "EW" => score.checked_neg(),
        _ => None,
    }
}

/// Returns a complete table from either of the two tags that may have one.
fn tricks(tags: &[Tag]) -> Option<TrickTable> {
    let digits = find(tags, b"doubledummytricks").and_then(|tag| from_digits(&tag.value));
    digits.or_else(|| find(tags, b"optimumresulttable").and_then(from_result_table))
}

pub(crate) fn from_digits(value: &[u8]) -> Option<TrickTable> {
    let digits: Vec<u8> = value
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    if digits.len() != 20 {
        return None;
    }
    let mut table = TrickTable::default();
    for (declarer, five) in DECLARERS.into_iter().zip(digits.chunks_exact(5)) {
        for (strain, &digit) in STRAINS.into_iter().zip(five) {
            let tricks = char::from(digit)
                .to_digit(16)
                .filter(|&tricks| tricks <= 13)?;
            table.set(declarer, strain, tricks as u8);
        }
    }
    Some(table)
}

fn from_result_table(tag: &Tag) -> Option<TrickTable> {
    let heads = decode_text(&tag.value);
    let column = |name: &str| {
        heads.split(';').position(|head| {
            let head = head.trim().trim_start_matches(['+', '-']);
            head.split('\\')
                .next()
                .unwrap_or(head)
                .trim()
                .eq_ignore_ascii_case(name)
        })
    };
    let (declarer, strain, result) = (
        column("Declarer")?,
        column("Denomination")?,
        column("Result")?,
    );
    let width = heads.split(';').count();
    let text = decode_text(&tag.section);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut table = TrickTable::default();
    let mut filled = [[false; 5]; 4];
    for row in words.chunks_exact(width) {
        let cell = (
            row[declarer].parse::<Seat>().ok(),
            strain_of(row[strain]),
            row[result].parse::<u8>().ok(),
        );
        if let (Some(seat), Some(strain), Some(tricks @ 0..=13)) = cell {
            table.set(seat, strain, tricks);
            filled[seat.index()][strain.index()] = true;
        }
    }
    (filled == [[true; 5]; 4]).then_some(table)
}

fn strain_of(word: &str) -> Option<Strain> {
    if word.eq_ignore_ascii_case("NT") {
        return Some(Strain::Notrump);
    }
    let mut chars = word.chars();
    chars
        .next()
        .and_then(Strain::from_letter)
        .filter(|_| chars.next().is_none())
}
