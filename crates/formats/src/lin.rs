//! LIN, the format of Bridge Base Online: a stream of `tag|value|` pairs.

use std::collections::{HashSet, VecDeque};
use std::io::{self, BufRead};

use cards::{BySeat, Card, Deal, Seat, Suit, Vulnerability, notation};

use crate::lines::{Lines, decode_text};
use crate::{Board, Hands, Names, Problem, Record, number};

/// The order of hands, names and dealer digits.
const SEATS: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];

/// Writes a board as one line. What the board leaves open follows its number; without a number it
/// is board 1. A board that is not a whole deal writes nothing.
pub fn write(out: &mut Vec<u8>, board: &Board) {
    let Some(deal) = board.deal() else { return };
    let names = board.names.as_deref();
    let named = names.filter(|names| names.players.values().any(|name| !name.is_empty()));
    let players: Option<String> = named.map(|names| {
        let players = SEATS.map(|seat| plain(&names.players[seat]));
        players.join(",")
    });
    write_deal(out, board, &deal, players.as_deref());
}

/// The same for a deal that is known to be whole; `players` from South on, joined by commas, if they have names.
pub fn write_deal(out: &mut Vec<u8>, board: &Board, deal: &Deal, players: Option<&str>) {
    let number = board.number.unwrap_or(1);
    let dealer = board
        .dealer
        .unwrap_or_else(|| Seat::dealer_of_board(number));
    let vulnerable = board
        .vulnerable
        .unwrap_or_else(|| Vulnerability::of_board(number));
    if let Some(players) = players {
        out.extend_from_slice(b"pn|");
        out.extend_from_slice(players.as_bytes());
        out.extend_from_slice(b"|st||");
    }
    out.extend_from_slice(b"qx|o");
    number::integer(out, number as i64);
    out.extend_from_slice(b"|md|");
    md_value(out, deal, dealer);
    out.extend_from_slice(b"|rh||ah|Board ");
    number::integer(out, number as i64);
    let vulnerable = match vulnerable {
        Vulnerability::NorthSouth => b'n',
        Vulnerability::EastWest => b'e',
        Vulnerability::Both => b'b',
        Vulnerability::None => b'o',
    };
    out.extend_from_slice(&[b'|', b's', b'v', b'|', vulnerable]);
    out.extend_from_slice(b"|pg||\n");
}

/// A name without the characters that would end it.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '|' | ',') && !c.is_control())
        .collect()
}

fn md_value(out: &mut Vec<u8>, deal: &Deal, dealer: Seat) {
    let digit = SEATS.iter().position(|&seat| seat == dealer).unwrap_or(0) as u8;
    out.push(b'1' + digit);
    for (index, seat) in SEATS.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        for suit in Suit::DESCENDING {
            out.push(suit.letter() as u8);
            crate::hand::holding(out, deal.hand(seat), suit);
        }
    }
}

/// What has been read of a board.
#[derive(Debug, Default)]
struct Draft {
    md: Option<(u64, String)>,
    number_ah: Option<u64>,
    number_qx: Option<u64>,
    vulnerable: Option<Vulnerability>,
    names: Option<BySeat<String>>,
    record: Record,
    from_qx: bool,
}

/// Reads boards from a LIN stream, plain or inside `lin=` addresses.
#[derive(Debug)]
pub struct LinReader<R> {
    lines: Lines<R>,
    token: Vec<u8>,
    tag: Option<Vec<u8>>,
    draft: Draft,
    names: Option<BySeat<String>>,
    /// Boards with a room (`qx`), to drop the other room's copy.
    seen: HashSet<(Option<u64>, Hands)>,
    ready: VecDeque<Result<Board, Problem>>,
    boards: u64,
    ended: bool,
}

/// A longer value is not LIN.
const LONGEST_VALUE: usize = 1 << 20;
/// Two copies of a board stand close together; no need to remember more.
const REMEMBERED: usize = 4096;

impl<R: BufRead> LinReader<R> {
    /// Boards of this input.
    pub fn new(input: R) -> Self {
        LinReader {
            lines: Lines::new(input),
            token: Vec::new(),
            tag: None,
            draft: Draft::default(),
            names: None,
            seen: HashSet::new(),
            ready: VecDeque::new(),
            boards: 0,
            ended: false,
        }
    }

    /// Reads a line; `false` at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        let Some(line) = self.lines.next_line()? else {
            return Ok(false);
        };
        let text = match position(line, b"lin=") {
            Some(at) => {
                let value = line[at + 4..]
                    .split(|byte| matches!(byte, b'&' | b'"' | b'\'' | b' ' | b'<'))
                    .next();
                percent_decode(value.unwrap_or_default())
            }
            None => line.to_vec(),
        };
        for &byte in &text {
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
        Ok(true)
    }

    fn pair(&mut self, tag: &[u8], value: &[u8]) {
        match tag {
            b"qx" => {
                self.finish();
                self.draft.from_qx = true;
                self.draft.number_qx = first_integer(&decode_text(value));
            }
            b"md" => {
                if self.draft.md.is_some() {
                    self.finish();
                }
                self.draft.md = Some((self.lines.number(), decode_text(value)));
                self.draft.names = self.names.take();
            }
            b"sv" => self.draft.vulnerable = vulnerability(&decode_text(value)),
            b"ah" => self.draft.number_ah = first_integer(&decode_text(&percent_decode(value))),
            b"pn" => self.names = Some(names(&decode_text(value))),
            b"mb" => {
                let call = decode_text(value);
                let call = call.trim().trim_end_matches('!');
                self.draft.record.auction.push(call.to_owned());
            }
            b"pc" => self.draft.record.play.extend(cards_of(&decode_text(value))),
            _ => {}
        }
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
                    .push_back(Err(Problem::board(line, board, message)));
                return;
            }
        };
        if draft.from_qx {
            if self.seen.len() >= REMEMBERED {
                self.seen.clear();
            }
            if !self.seen.insert((number, hands)) {
                return;
            }
        }
        let players = draft.names.or_else(|| self.names.take());
        let mut record = draft.record;
        record.conclude(dealer);
        let board = Board {
            hands,
            number,
            dealer,
            vulnerable: draft.vulnerable,
            names: players.map(|players| {
                Box::new(Names {
                    players,
                    ..Names::default()
                })
            }),
            record: (!record.is_empty()).then(|| Box::new(record)),
            line,
            ..Board::default()
        };
        self.ready.push_back(Ok(board.with_number(self.boards)));
    }
}

impl<R: BufRead> Iterator for LinReader<R> {
    type Item = Result<Board, Problem>;

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
                    self.finish();
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(Problem::io(self.lines.number(), error)));
                }
            }
        }
    }
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
    hands.complete().map_err(|error| error.to_string())?;
    Ok((dealer, hands))
}

/// The cards of a `pc` value: suit and rank, usually one card, in old files several.
fn cards_of(value: &str) -> Vec<Card> {
    let symbols: Vec<char> = value.chars().filter(|c| !c.is_whitespace()).collect();
    let card = |pair: &[char]| pair.iter().collect::<String>().parse().ok();
    symbols.chunks(2).map_while(card).collect()
}

/// The first letter decides, as in the files of those who write `both` or `ns` here.
fn vulnerability(value: &str) -> Option<Vulnerability> {
    let first = value.trim().get(..1)?;
    first.parse().ok()
}

/// The names in table order; team files give eight, of which the first four sit in the open room.
fn names(value: &str) -> BySeat<String> {
    let mut players = BySeat::default();
    for (seat, name) in SEATS.into_iter().zip(value.split(',')) {
        players[seat] = name.trim().to_owned();
    }
    players
}

fn first_integer(text: &str) -> Option<u64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits: String = text[start..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok().filter(|&number| number > 0)
}

pub(crate) fn position(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// `%20` and `+` of an address as what they stand for.
fn percent_decode(text: &[u8]) -> Vec<u8> {
    let hex = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], hex(text.get(at + 1)), hex(text.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                plain.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', _, _) => plain.push(b' '),
            (byte, _, _) => plain.push(byte),
        }
        at += 1;
    }
    plain
}
