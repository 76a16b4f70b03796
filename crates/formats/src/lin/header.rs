//! The header of a LIN file of a match: title and teams, results, numbers of the boards, matchpoints and pairs.

use cards::{Contract, Doubling, Seat, Strain};

use super::kept;
use crate::{BoardNames, ExtraTag, Extras, Record};

/// The tag that carries the header of a LIN file through other formats, on the first board.
pub(super) const HEADER: &str = "LinHeader";

/// The pairs before the first board of a file.
#[derive(Debug, Default)]
pub(super) struct Header {
    pairs: Vec<(String, String)>,
    event: String,
    tags: Vec<(&'static str, String)>,
    first_board: u64,
    numbers: Vec<u64>,
    results: Vec<String>,
    /// Whether names that follow are those of a board.
    has_names: bool,
}

impl Header {
    /// Reads a pair of the header.
    pub fn take(&mut self, code: &str, value: &str) {
        let fields: Vec<&str> = value.split(',').map(str::trim).collect();
        if code == "pn" && self.has_names {
            return;
        }
        match code {
            "vg" => {
                let field = |at: usize| fields.get(at).copied().unwrap_or_default();
                self.event = field(0).to_owned();
                self.first_board = field(3).parse().unwrap_or(1);
                let tags = [("Stage", 1), ("HomeTeam", 5), ("VisitTeam", 7)];
                let tags = tags
                    .into_iter()
                    .map(|(name, at)| (name, field(at).to_owned()));
                self.tags = tags.filter(|(_, value)| !value.is_empty()).collect();
            }
            "rs" => self.results = fields.iter().map(|&field| field.to_owned()).collect(),
            "bn" => {
                self.numbers = fields
                    .iter()
                    .filter_map(|field| field.parse().ok())
                    .collect()
            }
            _ => {}
        }
        self.pairs.push((code.to_owned(), value.trim().to_owned()));
    }

    /// Ends the names of the header: those after it belong to a board.
    pub fn ends_names(&mut self) {
        self.has_names = true;
    }

    /// Returns whether the file is that of a match. The names of players alone do not make one.
    pub fn is_match(&self) -> bool {
        self.pairs.iter().any(|(code, _)| code != "pn")
    }

    /// Adds event and teams to a board, and the whole header to the first one.
    pub fn complete(&self, names: &mut BoardNames, extras: &mut Extras, is_first: bool) {
        if names.event.is_empty() {
            names.event.clone_from(&self.event);
        }
        for (name, value) in &self.tags {
            if extras.tag(name).is_none() {
                extras.tags.push(ExtraTag {
                    name: (*name).to_owned(),
                    value: value.clone(),
                    section: String::new(),
                });
            }
        }
        if is_first && self.is_match() {
            extras.tags.push(kept::tag_of_pairs(HEADER, &self.pairs));
        }
    }

    /// Sets missing contract, declarer and result of a board by the results of the header.
    pub fn complete_record(&self, record: &mut Record, number: u64, is_closed: bool) {
        let boards = match self.numbers.is_empty() {
            true => number
                .checked_sub(self.first_board.max(1))
                .map(|place| place as usize),
            false => self.numbers.iter().position(|&other| other == number),
        };
        let place =
            boards.and_then(|place| place.checked_mul(2)?.checked_add(usize::from(is_closed)));
        let Some(result) = place.and_then(|place| self.results.get(place)) else {
            return;
        };
        let Some((contract, declarer, tricks)) = read_result(result) else {
            return;
        };
        if record.contract.is_none() && record.auction.is_empty() {
            record.contract = Some(contract);
            record.declarer = Some(declarer);
        }
        if (record.contract, record.declarer) == (Some(contract), Some(declarer))
            && record.result.is_none()
        {
            record.result = tricks;
        }
    }
}

/// Reads a result: `3NE=`, `4SXN-1`, `1NTW+2`. The number of tricks is unknown if nothing follows the declarer.
fn read_result(text: &str) -> Option<(Contract, Seat, Option<u8>)> {
    let text = text.to_ascii_uppercase();
    let level = text.chars().next()?.to_digit(10)? as u8;
    let rest = &text[1..];
    let strain = Strain::from_letter(rest.chars().next()?)?;
    let rest = rest.strip_prefix("NT").unwrap_or(&rest[1..]);
    let (doubling, rest) = if let Some(rest) = rest.strip_prefix("XX") {
        (Doubling::Redoubled, rest)
    } else if let Some(rest) = rest.strip_prefix('X') {
        (Doubling::Doubled, rest)
    } else {
        (Doubling::Undoubled, rest)
    };
    let declarer = Seat::from_letter(rest.chars().next()?)?;
    let contract = Contract::new(level, strain, doubling)?;
    let change: Option<i8> = match &rest[1..] {
        "=" => Some(0),
        change => change.parse().ok(),
    };
    let tricks = change.and_then(|change| (level as i8 + 6).checked_add(change));
    let tricks = tricks
        .and_then(|tricks| u8::try_from(tricks).ok())
        .filter(|&tricks| tricks <= 13);
    Some((contract, declarer, tricks))
}

/// Writes the header that a board carries, on lines before it.
pub(super) fn write(out: &mut Vec<u8>, extras: &Extras) {
    if kept::write(out, extras, HEADER, "\n") {
        out.extend_from_slice(b"pg||\n");
    }
}
