//! The sections of a PBN game about bidding and play: auction, play and their notes.

use std::collections::BTreeMap;

use cards::{Card, Seat};

use super::game::Tag;
use super::read::find;
use crate::lines::decode_text;
use crate::record::in_order;
use crate::{Call, Record};

/// A wrong word: number of lines before it in the game, and the message.
pub(super) type WrongWord = (u64, String);

/// Auction, contract and play of a game, if it has any of them, and what no field of a board can hold.
pub(super) type ReadRecord = (Option<Box<Record>>, Vec<&'static str>);

const UNPLACED_NOTES: &str = "notes to no call or card";
const MARKS: &str = "marks of calls and cards (!, ?, $1)";
const LATER_CARDS: &str = "cards after a gap in the play";

/// Returns auction, contract and play.
///
/// # Errors
/// If a word of the auction is not a call.
pub(super) fn record(tags: &[Tag], dealer: Option<Seat>) -> Result<ReadRecord, WrongWord> {
    let mut unread = Vec::new();
    let value = |name: &[u8]| find(tags, name).map(|tag| decode_text(&tag.value).trim().to_owned());
    let contract = value(b"contract").unwrap_or_default();
    let mut record = Record {
        contract: contract.parse().ok(),
        // `^S` marks an irregular declarer.
        declarer: value(b"declarer").and_then(|text| text.trim_start_matches('^').parse().ok()),
        result: value(b"result").and_then(|text| result(&text)),
        ..Record::default()
    };
    let notes = notes(tags);
    if let Some(tag) = find(tags, b"auction") {
        let Calls {
            calls,
            marks,
            alerts,
            before,
            has_marks,
        } = calls(&decode_text(&tag.section), tag.line)?;
        record.auction = calls;
        unread.extend(has_marks.then_some(MARKS));
        unread.extend(leaves_notes(&marks, &notes[0]).then_some(UNPLACED_NOTES));
        record.notes = resolved(marks, &notes[0]);
        let noted =
            |notes: &[(usize, String)], at: usize| notes.iter().any(|(place, _)| *place == at);
        for at in alerts {
            if !noted(&record.notes, at) {
                record.notes.push((at, String::new()));
            }
        }
        record.notes.sort_by_key(|(at, _)| *at);
        let first: Option<Seat> = decode_text(&tag.value).trim().parse().ok();
        let first = first.map(|seat| seat.clockwise(before));
        let play = find(tags, b"play").map(|tag| tricks_played(&decode_text(&tag.section)));
        let is_played = play.is_some_and(|play| play.rows.iter().flatten().any(Option::is_some));
        record.conclude(first.or(dealer), is_played || record.result.is_some());
    } else if contract.eq_ignore_ascii_case("pass") {
        record.auction = vec![Call::Pass.pbn(); 4];
    }
    if let Some(tag) = find(tags, b"play") {
        let named = decode_text(&tag.value).trim().parse().ok();
        let leader = named.or(record.declarer.map(Seat::next));
        let strain = record.contract.map(|contract| contract.strain);
        if let Some(leader) = leader {
            let Tricks {
                rows,
                marks,
                has_marks,
            } = tricks_played(&decode_text(&tag.section));
            record.play = in_order(&rows, leader, strain);
            let cards = rows.iter().flatten().flatten().count();
            unread.extend((cards > record.play.len()).then_some(LATER_CARDS));
            unread.extend(has_marks.then_some(MARKS));
            let place = |card: Card| record.play.iter().position(|&played| played == card);
            let marks = marks.into_iter();
            let marks = marks.filter_map(|(card, mark)| Some((place(card)?, mark)));
            let marks: Vec<(usize, u32)> = marks.collect();
            unread.extend(leaves_notes(&marks, &notes[1]).then_some(UNPLACED_NOTES));
            let mut texts = resolved(marks, &notes[1]);
            texts.sort_by_key(|(at, _)| *at);
            record.play_notes = texts;
        }
    }
    record.result = record.result.or_else(|| record.result_of_play());
    Ok(((!record.is_empty()).then(|| Box::new(record)), unread))
}

/// Reads the tricks that declarer took: `9`, `NS 9`, `EW 4` (the number is that of the declaring side), `^9`.
fn result(text: &str) -> Option<u8> {
    let word = text.split_whitespace().last()?;
    let tricks: u8 = word.trim_start_matches('^').parse().ok()?;
    (tricks <= 13).then_some(tricks)
}

/// Returns the notes to the auction and to the play, by number.
fn notes(tags: &[Tag]) -> [BTreeMap<u32, String>; 2] {
    let mut notes = [BTreeMap::new(), BTreeMap::new()];
    let mut section = 0;
    for tag in tags {
        if tag.name.eq_ignore_ascii_case(b"play") {
            section = 1;
        } else if tag.name.eq_ignore_ascii_case(b"auction") {
            section = 0;
        } else if tag.name.eq_ignore_ascii_case(b"note")
            && let Some((number, text)) = decode_text(&tag.value).split_once(':')
            && let Ok(number) = number.trim().parse()
        {
            notes[section].insert(number, text.trim().to_owned());
        }
    }
    notes
}

/// Replaces the numbers of notes by their texts, and drops numbers without a note.
fn resolved(marks: Vec<(usize, u32)>, notes: &BTreeMap<u32, String>) -> Vec<(usize, String)> {
    let text = |(place, mark): (usize, u32)| Some((place, notes.get(&mark)?.clone()));
    marks.into_iter().filter_map(text).collect()
}

/// Returns whether no mark refers to one of the notes.
fn leaves_notes(marks: &[(usize, u32)], notes: &BTreeMap<u32, String>) -> bool {
    let is_used = |number: &u32| marks.iter().any(|(_, mark)| mark == number);
    !notes.keys().all(is_used)
}

/// Reads the number of a reference to a note: `=7=`.
fn mark(word: &str) -> Option<u32> {
    let word = word.strip_prefix('=')?;
    word.trim_end_matches('=').parse().ok()
}

/// The calls of an auction.
#[derive(Default)]
struct Calls {
    calls: Vec<String>,
    /// Positions of calls with a note, and the number of the note.
    marks: Vec<(usize, u32)>,
    /// Positions of calls with an alert (`4C*`).
    alerts: Vec<usize>,
    /// Number of dashes before the first call: seats between the one that the tag names and the dealer.
    before: usize,
    /// Whether the section has marks of the quality of calls.
    has_marks: bool,
}

/// Reads the calls of an auction section, which begins at `line`, and their notes (`=1=`). Marks of quality (`$5`, `!`)
/// and end marks are skipped. A blank to fill in (`____`, `?`) ends the auction. A word that is not a call is an error,
/// so an auction is never shortened.
fn calls(section: &str, line: u64) -> Result<Calls, WrongWord> {
    let Calls {
        mut calls,
        mut marks,
        mut alerts,
        mut before,
        mut has_marks,
    } = Calls::default();
    // Dashes since the last call.
    let mut dashes = 0;
    let mut has_blank = false;
    let numbered = (line..).zip(section.split('\n'));
    let words =
        numbered.flat_map(|(line, text)| text.split_whitespace().map(move |word| (line, word)));
    let mut words = words.peekable();
    while let Some((line, word)) = words.next() {
        if let Some(number) = mark(word) {
            if let Some(last) = calls.len().checked_sub(1) {
                marks.push((last, number));
            }
            continue;
        }
        if !word.is_empty() && word.chars().all(|c| c == '_' || c == '?') {
            has_blank = true;
            continue;
        }
        if word.starts_with(['=', '$', '*', '+', '-', '^', '!']) {
            dashes += usize::from(word.starts_with('-'));
            has_marks |= word.starts_with(['$', '^', '!']);
            continue;
        }
        // A bracket alone is the end of a file that was cut.
        if word.starts_with('[') {
            break;
        }
        if has_blank {
            return Err((
                line,
                format!("{word:?} follows a blank, so its player is unknown"),
            ));
        }
        match calls.is_empty() {
            true => before += dashes,
            false => calls.extend(std::iter::repeat_n("Pass".to_owned(), dashes)),
        }
        dashes = 0;
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        let all = is("all")
            && words
                .next_if(|(_, next)| next.eq_ignore_ascii_case("pass"))
                .is_some();
        if all || is("AP") || is("allpass") {
            let opened = calls
                .iter()
                .any(|call| Call::read(call) != Some(Call::Pass));
            let passes = if opened {
                3
            } else {
                4_usize.saturating_sub(calls.len())
            };
            calls.extend(std::iter::repeat_n("Pass".to_owned(), passes));
            continue;
        }
        let (call, note) = match word.find('=') {
            Some(at) => (&word[..at], mark(&word[at..])),
            None => (word, None),
        };
        let marked = call;
        let call = call.trim_end_matches(['!', '?', '*']);
        has_marks |= marked[call.len()..].contains(['!', '?']);
        let read = Call::read(call).map(|call| vec![call]);
        let Some(read) = read.or_else(|| Call::read_joined(call)) else {
            return Err((line, format!("{word:?} is no call of an auction")));
        };
        calls.extend(read.into_iter().map(Call::pbn));
        if marked[call.len()..].contains('*') {
            alerts.push(calls.len() - 1);
        }
        marks.extend(note.map(|note| (calls.len() - 1, note)));
    }
    Ok(Calls {
        calls,
        marks,
        alerts,
        before,
        has_marks,
    })
}

/// A play section.
struct Tricks {
    /// A card for each column, none for a hyphen.
    rows: Vec<Vec<Option<Card>>>,
    /// Cards with a note, and the number of the note.
    marks: Vec<(Card, u32)>,
    /// Whether the section has marks of the quality of cards, or of irregularities.
    has_marks: bool,
}

/// Reads a play section.
fn tricks_played(section: &str) -> Tricks {
    let (mut rows, mut marks) = (vec![Vec::new()], Vec::new());
    let mut last: Option<Card> = None;
    let mut has_marks = false;
    for word in section.split_whitespace() {
        if let Some(number) = mark(word) {
            marks.extend(last.map(|card| (card, number)));
            continue;
        }
        if word.starts_with(['=', '$', '!', '?', '^']) {
            has_marks |= !word.starts_with('=');
            continue;
        }
        if word.starts_with(['*', '+']) {
            break;
        }
        if rows.last().is_some_and(|row| row.len() == 4) {
            rows.push(Vec::new());
        }
        let (card, note) = match word.find('=') {
            Some(at) => (&word[..at], mark(&word[at..])),
            None => (word, None),
        };
        has_marks |= card.ends_with(['!', '?']);
        let card: Option<Card> = card.trim_end_matches(['!', '?']).parse().ok();
        last = card;
        marks.extend(card.zip(note));
        if let Some(row) = rows.last_mut() {
            row.push(card);
        }
    }
    Tricks {
        rows,
        marks,
        has_marks,
    }
}
