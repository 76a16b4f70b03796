//! Deals in printed text: one-line, compact, `printall` pages and export lines, wherever they stand
//! among lines that are something else.

mod spread;

use std::io::BufRead;

use cards::{CardSet, Seat, notation};

use crate::lines::{Lines, decode_text};
use crate::{Board, Hands, Problem};

/// Reads boards from text. Lines that are no part of a deal are skipped.
#[derive(Debug)]
pub struct TextReader<R> {
    lines: Lines<R>,
    /// A line that was read too far.
    held: Option<(u64, String)>,
    ended: bool,
}

impl<R: BufRead> TextReader<R> {
    /// Boards of this input.
    pub fn new(input: R) -> Self {
        TextReader {
            lines: Lines::new(input),
            held: None,
            ended: false,
        }
    }

    fn next_line(&mut self) -> Result<Option<(u64, String)>, Problem> {
        if let Some(line) = self.held.take() {
            return Ok(Some(line));
        }
        match self.lines.next_line() {
            Ok(line) => {
                let line = line.map(decode_text);
                Ok(line.map(|line| (self.lines.number(), line)))
            }
            Err(error) => {
                self.ended = true;
                Err(Problem::io(self.lines.number(), error))
            }
        }
    }

    /// The four suit lines below a page's heading.
    fn page(&mut self, number: u64, line: u64) -> Result<Option<Board>, Problem> {
        let mut suits: [String; 4] = Default::default();
        for suit in &mut suits {
            match self.next_line()? {
                // Only suit lines are eaten: a list of numbered items must not hide a deal.
                Some((_, text)) if spread::is_suit_line(&text) => *suit = text,
                other => {
                    self.held = other;
                    return Ok(None);
                }
            }
        }
        match spread::deal(&suits) {
            Some(deal) => Ok(Some(Board {
                number: Some(number),
                line,
                ..Board::of(&deal)
            })),
            None => Err(Problem::board(
                line,
                number,
                "the printed suits do not make four hands of 13",
            )),
        }
    }

    /// The lines of a compact deal after its first.
    fn compact(&mut self, seat: Seat, hand: CardSet, line: u64) -> Result<Option<Board>, Problem> {
        let mut hands = Hands::default();
        hands.0[seat] = Some(hand);
        for _ in 0..3 {
            let next = self.next_line()?;
            match next.as_ref().and_then(|(_, text)| named_hand(text)) {
                Some((seat, hand)) if hands.0[seat].is_none() => hands.0[seat] = Some(hand),
                _ => {
                    self.held = next;
                    return Ok(None);
                }
            }
        }
        whole(hands, line)
    }
}

/// A board of complete hands, or what is wrong with them.
fn whole(hands: Hands, line: u64) -> Result<Option<Board>, Problem> {
    match hands.complete() {
        Ok(_) => Ok(Some(Board {
            hands,
            line,
            ..Board::default()
        })),
        Err(error) => Err(Problem::at(line, error)),
    }
}

impl<R: BufRead> Iterator for TextReader<R> {
    type Item = Result<Board, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let (line, text) = match self.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(problem) => return Some(Err(problem)),
            };
            let found = if let Some(number) = spread::page_number(&text) {
                self.page(number, line)
            } else if let Some((seat, hand)) = named_hand(&text) {
                self.compact(seat, hand, line)
            } else {
                one_line(&text, line)
            };
            if let Some(board) = found.transpose() {
                return Some(board);
            }
        }
        None
    }
}

/// A line of a compact deal: `n AKQ.JT9..8765432` and nothing else.
fn named_hand(text: &str) -> Option<(Seat, CardSet)> {
    let mut words = text.split_whitespace();
    let seat = seat_letter(words.next()?)?;
    let hand = notation::hand(words.next()?).ok()?;
    words.next().is_none().then_some((seat, hand))
}

fn seat_letter(word: &str) -> Option<Seat> {
    let mut chars = word.chars();
    let seat = chars.next().and_then(Seat::from_letter)?;
    chars.next().is_none().then_some(seat)
}

/// A deal that stands on one line: a PBN tag, an export line, or named hands in one of the
/// comma-separated fields.
fn one_line(text: &str, line: u64) -> Result<Option<Board>, Problem> {
    let trimmed = text.trim();
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
            Some((value, _)) => pbn_value(value, line),
            None => Ok(None),
        };
    }
    if trimmed.get(1..2) == Some(":")
        && trimmed.starts_with(|c| Seat::from_letter(c).is_some())
        && trimmed.contains('.')
    {
        return pbn_value(trimmed, line);
    }
    if let Some(hands) = export_line(trimmed) {
        return hands
            .and_then(|hands| whole(hands, line).map_err(|problem| problem.message))
            .map_err(|message| Problem::at(line, message));
    }
    for field in trimmed.split(',') {
        if let Some(hands) = named_hands(field) {
            return hands
                .map_err(|message| Problem::at(line, message))
                .and_then(|hands| whole(hands, line));
        }
    }
    Ok(None)
}

fn pbn_value(value: &str, line: u64) -> Result<Option<Board>, Problem> {
    let (_, hands) = crate::pbn::hands(value).map_err(|message| Problem::at(line, message))?;
    whole(hands, line)
}

/// `n <hand> e <hand> s <hand> w <hand>` and anything behind it; seats in any order. `None` if the
/// text does not begin like that.
fn named_hands(field: &str) -> Option<Result<Hands, String>> {
    let words: Vec<&str> = field.split_whitespace().take(8).collect();
    let pairs: Vec<(Seat, &str)> = words
        .chunks_exact(2)
        .map_while(|pair| {
            Some((seat_letter(pair[0])?, pair[1])).filter(|(_, hand)| hand.contains('.'))
        })
        .collect();
    if pairs.len() < 4 {
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
    Some(Ok(hands))
}

/// `-N SAKJ,HKQJ,DA9873,CQ9  -S S98642,H842,D52,C652`. `None` if the line is not of that kind.
fn export_line(text: &str) -> Option<Result<Hands, String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() || !words.len().is_multiple_of(2) {
        return None;
    }
    let mut hands = Hands::default();
    for pair in words.chunks_exact(2) {
        let seat = seat_letter(pair[0].strip_prefix('-')?)?;
        match notation::suit_holdings(pair[1]) {
            Ok(hand) => hands.0[seat] = Some(hand),
            Err(error) => return Some(Err(format!("{}: {error}", seat.name()))),
        }
    }
    Some(Ok(hands))
}
