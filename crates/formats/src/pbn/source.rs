//! The text of games as it is in a PBN file, so that writing PBN again keeps every byte that was not changed.

use cards::Seat;

use super::export::{LineEnd, double_dummy_digits, escaped, hands_value, result_table};
use super::game::Stripper;
use crate::{Board, hand};

/// The text of a game in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourceText {
    /// The text between the previous game and this one: blank lines, directives, comments, items without a deal.
    pub before: Vec<u8>,
    /// The lines of the game, with their line ends.
    pub game: Vec<u8>,
    /// The rest of the file after its last game.
    pub after: Vec<u8>,
    /// The position of the game among the games of its file, from 0.
    pub position: u64,
    /// The board as it was read, without its text.
    pub board: Box<Board>,
}

/// Changed values of tags.
type Changes = Vec<(&'static str, Vec<u8>)>;

impl SourceText {
    /// Returns whether the text between the games contains tags: items without a deal, such as texts of a lesson.
    #[must_use]
    pub fn has_texts_before(&self) -> bool {
        let tagged = |text: &[u8]| {
            text.split(|&byte| byte == b'\n')
                .any(|line| line.trim_ascii_start().starts_with(b"["))
        };
        tagged(&self.before) || tagged(&self.after)
    }

    /// Returns whether the game needs the one before it: a value repeats its value (`#`), or the game shares its deal.
    pub(crate) fn inherits(&self) -> bool {
        let lines = self.game.split(|&byte| matches!(byte, b'\n' | b'\r'));
        let mut tags = lines.filter_map(tag_of);
        let has_deal = tags.any(|tag| tag.name.eq_ignore_ascii_case(b"deal"));
        !has_deal || self.game.windows(2).any(|pair| pair == b"\"#")
    }

    /// Returns the directives (lines that begin with `%`) before the game.
    #[must_use]
    pub fn directives(&self) -> Vec<u8> {
        let lines = self.before.split_inclusive(|&byte| byte == b'\n');
        lines
            .filter(|line| line.starts_with(b"%"))
            .flatten()
            .copied()
            .collect()
    }

    /// Returns the text of the game with the values of `board`, which differs from the game as it was read. Returns
    /// `None` if more differs than values of tags.
    pub(crate) fn revised(&self, board: &Board) -> Option<Vec<u8>> {
        let old = &*self.board;
        let mut now = board.clone();
        now.source = None;
        if now == *old {
            return Some(self.game.clone());
        }
        let changes = changes(old, &now)?;
        let end = match self.game.windows(2).any(|pair| pair == b"\r\n") {
            true => LineEnd::CrLf,
            false => LineEnd::Lf,
        };
        let table = now.tricks.filter(|_| now.tricks != old.tricks);
        let mut text = replaced(&self.game, changes, end, table.is_some())?;
        if let Some(table) = table {
            if !text.ends_with(b"\n") {
                text.extend_from_slice(end.text().as_bytes());
            }
            result_table(&mut text, &table, end);
        }
        Some(text)
    }
}

/// Returns the tags that differ. `None` if anything else differs.
fn changes(old: &Board, now: &Board) -> Option<Changes> {
    let mut changes: Changes = Vec::new();
    let letter = |seat: Seat| vec![seat.letter() as u8];
    // The known values are set in a copy of the old board, which must then be the new one.
    let mut copy = old.clone();
    let (number, dealer, vulnerable) = now.place();
    if old.number != now.number {
        changes.push(("Board", number.to_string().into_bytes()));
        copy.number = now.number;
    }
    if old.dealer != now.dealer {
        changes.push(("Dealer", letter(dealer)));
        changes.push(("Auction", letter(dealer)));
        copy.dealer = now.dealer;
    }
    if old.vulnerable != now.vulnerable {
        changes.push(("Vulnerable", vulnerable.pbn().as_bytes().to_vec()));
        copy.vulnerable = now.vulnerable;
    }
    if old.hands != now.hands {
        let mut value = Vec::new();
        hands_value(&mut value, &now.hands, dealer);
        changes.push(("Deal", value));
        copy.hands = now.hands;
    }
    if let (Some(old), Some(names)) = (&mut copy.names, &now.names) {
        for seat in Seat::ALL {
            if old.players[seat] != names.players[seat] {
                let mut value = Vec::new();
                escaped(&mut value, names.players[seat].as_bytes(), 200);
                changes.push((hand::name(seat), value));
            }
        }
        old.players = names.players.clone();
    }
    if let (Some(old), Some(record)) = (&mut copy.record, &now.record)
        && let Some(declarer) = record.declarer.filter(|_| old.declarer != record.declarer)
    {
        changes.push(("Declarer", letter(declarer)));
        changes.push(("Play", letter(declarer.next())));
        old.declarer = record.declarer;
    }
    if let Some(table) = now.tricks.filter(|_| old.tricks != now.tricks) {
        let mut value = Vec::new();
        double_dummy_digits(&mut value, &table);
        changes.push(("DoubleDummyTricks", value));
        copy.tricks = now.tricks;
    }
    if let Some(par) = now.par.filter(|_| old.par != now.par) {
        changes.push(("OptimumScore", format!("NS {par}").into_bytes()));
        copy.par = now.par;
    }
    if let Some(contracts) = now
        .par_contracts
        .as_ref()
        .filter(|_| old.par_contracts != now.par_contracts)
    {
        let mut value = Vec::new();
        escaped(&mut value, contracts.as_bytes(), 200);
        changes.push(("ParContract", value));
        copy.par_contracts.clone_from(&now.par_contracts);
    }
    (copy == *now).then_some(changes)
}

/// Tags that follow from other data of the game, so that a missing one is not added.
const DERIVED: [&str; 3] = ["Auction", "Play", "Declarer"];

/// Returns the game with other values of tags. A missing tag is added after the Deal tag. With `drop_table`, the old
/// table of double-dummy tricks is left out. Returns `None` if the tags are not on lines of their own.
fn replaced(game: &[u8], mut changes: Changes, end: LineEnd, drop_table: bool) -> Option<Vec<u8>> {
    let mut stripper = Stripper::default();
    let mut text = Vec::with_capacity(game.len() + 200);
    let mut after_deal = None;
    let mut dropping = false;
    for line in game.split_inclusive(|&byte| byte == b'\n') {
        let in_comment = stripper.in_comment();
        stripper.push(&mut Vec::new(), line.trim_ascii_end());
        let tag = (!in_comment).then(|| tag_of(line)).flatten();
        let Some(Tag { name, value }) = tag else {
            if !dropping {
                text.extend_from_slice(line);
            }
            continue;
        };
        if line.windows(2).any(|pair| pair == b"][") {
            return None;
        }
        dropping = drop_table && name.eq_ignore_ascii_case(b"OptimumResultTable");
        if dropping {
            continue;
        }
        let change = changes
            .iter()
            .position(|(changed, _)| name.eq_ignore_ascii_case(changed.as_bytes()));
        match change {
            Some(at) => {
                let (_, new) = changes.remove(at);
                text.extend_from_slice(&line[..value.start]);
                text.extend_from_slice(&new);
                text.extend_from_slice(&line[value.end..]);
            }
            None => text.extend_from_slice(line),
        }
        if name.eq_ignore_ascii_case(b"deal") {
            after_deal = Some(text.len());
        }
    }
    let mut added = Vec::new();
    for (name, value) in changes.iter().filter(|(name, _)| !DERIVED.contains(name)) {
        added.extend_from_slice(format!("[{name} \"").as_bytes());
        added.extend_from_slice(value);
        added.extend_from_slice(b"\"]");
        added.extend_from_slice(end.text().as_bytes());
    }
    let at = after_deal?;
    text.splice(at..at, added);
    Some(text)
}

/// A tag on a line of its own.
struct Tag<'a> {
    name: &'a [u8],
    /// Position of the value between its quotes.
    value: std::ops::Range<usize>,
}

fn tag_of(line: &[u8]) -> Option<Tag<'_>> {
    let start = line.iter().position(|byte| !byte.is_ascii_whitespace())?;
    if line[start] != b'[' {
        return None;
    }
    let first = line.iter().position(|&byte| byte == b'"')?;
    let last = line
        .iter()
        .rposition(|&byte| byte == b'"')
        .filter(|&last| last > first)?;
    Some(Tag {
        name: line[start + 1..first].trim_ascii(),
        value: first + 1..last,
    })
}
