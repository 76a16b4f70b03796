//! Deals in printed text: one-line, compact, `printall` pages and export lines, between lines of other text.
//!
//! A line that was meant as a deal but is wrong gives a [`BoardReadError`]: hands without seats, too few hands, a page without
//! a suit. All other lines are skipped.

mod spread;

use std::collections::VecDeque;
use std::io::BufRead;

use cards::{Rank, Seat, notation};

use crate::lines::{Lines, decode_text};
use crate::{Board, BoardReadError, Hands};

/// Reads boards from text. Lines that are not part of a deal are skipped.
#[derive(Debug)]
pub struct TextReader<R> {
    lines: Lines<R>,
    /// Lines that were read ahead, in order.
    held: VecDeque<Line>,
    ended: bool,
}

/// A line of text.
#[derive(Debug)]
struct Line {
    number: u64,
    text: String,
    /// Whether the file ends here without a line end, so that the line may have been cut.
    is_open: bool,
}

impl<R: BufRead> TextReader<R> {
    /// Creates a reader of the boards in `input`.
    pub fn new(input: R) -> Self {
        TextReader {
            lines: Lines::new(input),
            held: VecDeque::new(),
            ended: false,
        }
    }

    fn next_line(&mut self) -> Result<Option<Line>, BoardReadError> {
        if let Some(line) = self.held.pop_front() {
            return Ok(Some(line));
        }
        match self.lines.next_line() {
            Ok(line) => {
                let text = line.map(decode_text);
                Ok(text.map(|text| Line {
                    number: self.lines.number(),
                    text,
                    is_open: self.lines.is_open(),
                }))
            }
            Err(error) => {
                self.ended = true;
                Err(BoardReadError::io(self.lines.number(), error))
            }
        }
    }

    /// Reads the four suit lines below the heading of a page.
    fn page(
        &mut self,
        heading: spread::Heading,
        line: u64,
    ) -> Result<Option<Board>, BoardReadError> {
        let mut below: Vec<Line> = Vec::new();
        while below.len() < 4 {
            match self.next_line()? {
                Some(next)
                    if !next.text.trim().is_empty() && spread::heading(&next.text).is_none() =>
                {
                    below.push(next);
                }
                Some(next) => {
                    self.held.push_front(next);
                    break;
                }
                None => break,
            }
        }
        let (suits, others): (Vec<Line>, Vec<Line>) = below
            .into_iter()
            .partition(|line| spread::is_suit_line(&line.text));
        // A single rank on a line under a number may have another meaning.
        let is_page = heading.names_seats
            || suits
                .iter()
                .any(|suit| suit.text.split_whitespace().nth(1).is_some());
        let found = suits.len();
        if !is_page {
            // The lines below a numbered item may contain a deal.
            let mut all: Vec<Line> = suits.into_iter().chain(others).collect();
            all.sort_by_key(|line| line.number);
            all.into_iter()
                .rev()
                .for_each(|line| self.held.push_front(line));
            return Ok(None);
        }
        others
            .into_iter()
            .rev()
            .for_each(|line| self.held.push_front(line));
        let wrong = |message: String| Err(BoardReadError::board(line, heading.number, message));
        let Ok(suits) =
            <[String; 4]>::try_from(suits.into_iter().map(|suit| suit.text).collect::<Vec<_>>())
        else {
            return wrong(format!("the page has {found} lines of suits, not four"));
        };
        match spread::deal(&suits) {
            Some(deal) => Ok(Some(Board {
                number: Some(heading.number),
                line,
                ..Board::of(&deal)
            })),
            None => wrong("the printed suits do not make four hands of 13".to_owned()),
        }
    }

    /// Reads a compact deal: `first` and the lines of the other seats below it.
    fn compact(&mut self, first: Line) -> Result<Option<Board>, BoardReadError> {
        let start = first.number;
        let mut hands: Vec<(Seat, u64, String)> = Vec::new();
        let mut next = Some(first);
        while let Some(line) = next.take() {
            match named_hand(&line.text) {
                Some((seat, hand)) if hands.iter().all(|(other, ..)| *other != seat) => {
                    hands.push((seat, line.number, hand.to_owned()));
                    if hands.len() < 4 {
                        next = self.next_line()?;
                    }
                }
                _ => self.held.push_front(line),
            }
        }
        let mut known = Hands::default();
        for (seat, line, text) in &hands {
            let hand = notation::hand(text);
            let named = |error| BoardReadError::at(*line, format!("{}: {error}", seat.name()));
            known.0[*seat] = Some(hand.map_err(named)?);
        }
        of_hands(known, hands.len(), start).map(Some)
    }
}

/// Returns a board of complete hands, of which one may follow from the other three.
fn of_hands(hands: Hands, given: usize, line: u64) -> Result<Board, BoardReadError> {
    if given < 3 {
        let message = format!("a deal has four hands, not {given}");
        return Err(BoardReadError::at(line, message));
    }
    whole(hands, line)
}

/// Returns a board of complete hands, or the error in them.
fn whole(hands: Hands, line: u64) -> Result<Board, BoardReadError> {
    match hands.complete() {
        Ok(_) => Ok(Board {
            hands,
            line,
            ..Board::default()
        }),
        Err(error) => Err(BoardReadError::at(line, error)),
    }
}

impl<R: BufRead> Iterator for TextReader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let line = match self.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(problem) => return Some(Err(problem)),
            };
            let found = if let Some(heading) = spread::heading(&line.text) {
                self.page(heading, line.number)
            } else if named_hand(&line.text).is_some() {
                self.compact(line)
            } else {
                one_line(&line)
            };
            if let Some(board) = found.transpose() {
                return Some(board);
            }
        }
        None
    }
}

/// Returns seat and hand of a line `n AKQ.JT9..8765432` of a compact deal. The hand may be wrong.
fn named_hand(text: &str) -> Option<(Seat, &str)> {
    let mut words = text.split_whitespace();
    let seat = seat_letter(words.next()?)?;
    let hand = words.next().filter(|word| is_hand_like(word))?;
    words.next().is_none().then_some((seat, hand))
}

fn seat_letter(word: &str) -> Option<Seat> {
    let mut chars = word.chars();
    let seat = chars.next().and_then(Seat::from_letter)?;
    chars.next().is_none().then_some(seat)
}

fn is_rank(c: char) -> bool {
    matches!(
        c.to_ascii_uppercase(),
        'A' | 'K' | 'Q' | 'J' | 'T' | '0'..='9'
    )
}

/// Returns whether a word was meant as a dotted hand: ranks and points, but perhaps with too many, too few or repeated
/// cards, a missing point, or two wrong characters. Dates and IP addresses do not match.
fn is_hand_like(word: &str) -> bool {
    let word = word.to_ascii_uppercase().replace("10", "T");
    let points = word.matches('.').count();
    let (mut ranks, mut others, mut repeated) = (0, 0, 0);
    for suit in word.split('.') {
        for (at, c) in suit.char_indices().filter(|(_, c)| *c != '-') {
            match Rank::from_letter(c) {
                Some(_) if suit[..at].contains(c) => repeated += 1,
                Some(_) => ranks += 1,
                None => others += 1,
            }
        }
    }
    (2..=4).contains(&points) && (8..=16).contains(&ranks) && others <= 2 && repeated <= 2
}

fn hand_like_words(text: &str) -> usize {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'' | ':' | '|'))
        .filter(|word| is_hand_like(word))
        .count()
}

/// Returns whether a line has a deal of one of these forms, right or wrong.
pub(crate) fn is_deal(line: &[u8]) -> bool {
    let text = decode_text(line);
    named_hand(&text).is_some() || hand_like_words(&text) >= 2
}

/// Reads a deal on one line: a PBN tag, an export line, or named hands in one of the comma-separated fields.
fn one_line(line: &Line) -> Result<Option<Board>, BoardReadError> {
    let (number, trimmed) = (line.number, line.text.trim());
    if let Some(rest) = trimmed
        .get(..5)
        .filter(|start| start.eq_ignore_ascii_case("[deal"))
        .and(trimmed.get(5..))
    {
        let value = rest
            .trim_start()
            .strip_prefix('"')
            .and_then(|rest| rest.rsplit_once('"'));
        return match value {
            Some((value, _)) => pbn_value(value, number).map(Some),
            None if rest.starts_with(|c: char| c.is_ascii_alphanumeric()) => Ok(None),
            None => Err(BoardReadError::at(number, "the Deal tag is not closed")),
        };
    }
    if trimmed.get(1..2) == Some(":")
        && trimmed.starts_with(|c| Seat::from_letter(c).is_some())
        && trimmed.contains('.')
    {
        return pbn_value(trimmed, number).map(Some);
    }
    if let Some(hands) = export_line(trimmed) {
        let hands = hands.map_err(|message| BoardReadError::at(number, message))?;
        return whole(hands, number).map(Some);
    }
    for field in trimmed.split(',') {
        if let Some(hands) = named_hands(field) {
            let (hands, given) = hands.map_err(|message| BoardReadError::at(number, message))?;
            return of_hands(hands, given, number).map(Some);
        }
    }
    match hand_like_words(trimmed) {
        0 | 1 if line.is_open && trimmed.split(',').any(is_cut_deal) => {
            Err(BoardReadError::at(number, "the file ends inside a deal"))
        }
        0 | 1 => Ok(None),
        hands => Err(BoardReadError::at(
            number,
            format!("{hands} hands that do not make a deal: a seat stands before each"),
        )),
    }
}

/// Returns whether the last line of a file is the beginning of a deal: seats and some ranks.
fn is_cut_deal(text: &str) -> bool {
    let is_seat = |word: &str| seat_letter(word.strip_prefix('-').unwrap_or(word)).is_some();
    let is_held = |c: char| is_rank(c) || matches!(c, '.' | '-' | ',' | 'S' | 'H' | 'D' | 'C');
    let mut words = text.split([' ', ':']).filter(|word| !word.is_empty());
    let begins = words.next().is_some_and(is_seat);
    let mut rest = words.peekable();
    begins && rest.peek().is_some() && rest.all(|word| is_seat(word) || word.chars().all(is_held))
}

fn pbn_value(value: &str, line: u64) -> Result<Board, BoardReadError> {
    let (_, hands) =
        crate::pbn::hands(value).map_err(|message| BoardReadError::at(line, message))?;
    whole(hands, line)
}

/// Reads `n <hand> e <hand> s <hand> w <hand>`, seats in any order, and ignores the text after it. Returns the hands
/// and their number, or `None` if the text does not begin with at least two hands.
fn named_hands(field: &str) -> Option<Result<(Hands, usize), String>> {
    let words: Vec<&str> = field.split_whitespace().take(8).collect();
    let pairs: Vec<(Seat, &str)> = words
        .chunks_exact(2)
        .map_while(|pair| {
            Some((seat_letter(pair[0])?, pair[1])).filter(|(_, hand)| hand.contains('.'))
        })
        .collect();
    let given = pairs.len();
    if given < 4 && pairs.iter().filter(|(_, hand)| is_hand_like(hand)).count() < 2 {
        return None;
    }
    let mut hands = Hands::default();
    for (seat, text) in pairs {
        match notation::hand(text) {
            Ok(_) if hands.0[seat].is_some() => {
                return Some(Err(format!("two hands for {}", seat.name())));
            }
            Ok(hand) => hands.0[seat] = Some(hand),
            Err(error) => return Some(Err(format!("{}: {error}", seat.name()))),
        }
    }
    Some(Ok((hands, given)))
}

/// Reads `-N SAKJ,HKQJ,DA9873,CQ9  -S S98642,H842,D52,C652`. `None` if the line has another form.
fn export_line(text: &str) -> Option<Result<Hands, String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // A seat without a hand is the end of a line that was cut.
    let pairs = words.chunks_exact(2);
    if pairs.len() == 0 || !pairs.remainder().iter().all(|word| is_export_seat(word)) {
        return None;
    }
    let mut hands = Hands::default();
    for pair in pairs {
        let seat = seat_letter(pair[0].strip_prefix('-')?)?;
        match notation::suit_holdings(pair[1]) {
            Ok(hand) => hands.0[seat] = Some(hand),
            Err(error) => return Some(Err(format!("{}: {error}", seat.name()))),
        }
    }
    Some(Ok(hands))
}

fn is_export_seat(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|seat| seat.is_empty() || seat_letter(seat).is_some())
}
