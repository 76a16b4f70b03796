//! The terms of a tournament: the data that a commitment covers besides the key, so that nothing about the boards can be
//! changed after it was published.

use std::fmt;

use cards::{Seat, Vulnerability};
use sha2::{Digest, Sha256};
use shuffle::Key;

/// The data that a commitment covers besides the key.
///
/// The text has a line for each item, and the commitment is the SHA-256 hash of the line with the key and these lines:
///
/// ```
/// use croupier_session::tournament::{KeyFile, Terms};
/// use croupier_session::Key;
///
/// let terms = Terms { boards: 36, ..Terms::default() };
/// let file = KeyFile::new(Key::from_seed(1), terms);
/// let text = file.to_string();
/// assert!(text.starts_with("key:0100") && text.contains("\nboards:36\nfirst:1\ncommitment:"));
/// assert_eq!(text.parse::<KeyFile>().unwrap().expected_commitment(), file.expected_commitment());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Number of boards.
    pub boards: u64,
    /// Number of the first board.
    pub first_board: u64,
    /// Seat whose cards come to the dealer of each board, if the deals are rotated.
    pub rotated_from: Option<Seat>,
    /// Dealer of all boards; `None` if it follows from the board number.
    pub dealer: Option<Seat>,
    /// Vulnerability of all boards; `None` if it follows from the board number.
    pub vulnerable: Option<Vulnerability>,
    /// SHA-256 hash of the script that selects the deals; `None` if every deal is on a board.
    pub script: Option<String>,
    /// Texts of the script's parameters, by their numbers.
    pub parameters: Vec<(usize, String)>,
    /// Order and shares of levelled classes, such as `shuffled Game=2,Slam=1`.
    pub level: Option<String>,
    /// Public value of the future that decides the deals together with the key, in words.
    pub beacon: Option<String>,
}

impl Default for Terms {
    fn default() -> Self {
        Terms {
            boards: 0,
            first_board: 1,
            rotated_from: None,
            dealer: None,
            vulnerable: None,
            script: None,
            parameters: Vec::new(),
            level: None,
            beacon: None,
        }
    }
}

impl Terms {
    /// Sets the script. A blank script selects every deal.
    #[must_use]
    pub fn with_script(mut self, text: &[u8]) -> Terms {
        self.script = (!text.trim_ascii().is_empty()).then(|| script_hash(text));
        self
    }

    /// Reads the lines of terms in a text, whatever other lines it has. Returns `None` without a number of boards, and
    /// the faulty line if a value cannot be read.
    pub(super) fn read<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Option<Terms>, String> {
        let mut terms = Terms::default();
        let mut has_boards = false;
        for line in lines.map(str::trim_end) {
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            let read = match name {
                "boards" => value.parse().map(|boards| {
                    terms.boards = boards;
                    has_boards = true;
                }),
                "first" => value.parse().map(|first| terms.first_board = first),
                "parameter" => {
                    let (number, text) = value.split_once('=').unwrap_or((value, ""));
                    number
                        .parse()
                        .map(|number| terms.parameters.push((number, text.to_owned())))
                }
                "rotated" | "dealer" => {
                    let Ok(seat) = value.parse() else {
                        return Err(line.to_owned());
                    };
                    match name {
                        "dealer" => terms.dealer = Some(seat),
                        _ => terms.rotated_from = Some(seat),
                    }
                    Ok(())
                }
                "vulnerable" => {
                    let mut all = Vulnerability::ALL.into_iter();
                    terms.vulnerable = all.find(|one| one.pbn() == value);
                    if terms.vulnerable.is_none() {
                        return Err(line.to_owned());
                    }
                    Ok(())
                }
                "script" => {
                    terms.script = Some(value.to_ascii_lowercase());
                    Ok(())
                }
                "level" => {
                    terms.level = Some(value.to_owned());
                    Ok(())
                }
                "beacon" => {
                    terms.beacon = Some(value.to_owned());
                    Ok(())
                }
                _ => Ok(()),
            };
            if read.is_err() {
                return Err(line.to_owned());
            }
        }
        Ok(has_boards.then_some(terms))
    }

    /// Returns the first line of these terms that `other` does not have, and the line that it has in its place.
    #[must_use]
    pub fn difference(&self, other: &Terms) -> Option<[String; 2]> {
        let [ours, theirs] = [self, other].map(Terms::to_string);
        let mut lines = ours
            .lines()
            .filter(|line| !theirs.lines().any(|it| it == *line));
        let mut extra = theirs
            .lines()
            .filter(|line| !ours.lines().any(|it| it == *line));
        match (lines.next(), extra.next()) {
            (None, None) => None,
            (line, other) => Some([line, other].map(|it| it.unwrap_or("nothing").to_owned())),
        }
    }

    /// Returns the commitment of a key with these terms.
    pub(super) fn commitment(&self, key: &Key) -> String {
        hash(format!("key:{}\n{self}", key.to_hex()).as_bytes())
    }
}

/// Writes a line for each item.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "boards:{}", self.boards)?;
        writeln!(f, "first:{}", self.first_board)?;
        if let Some(seat) = self.rotated_from {
            writeln!(f, "rotated:{}", seat.letter())?;
        }
        if let Some(seat) = self.dealer {
            writeln!(f, "dealer:{}", seat.letter())?;
        }
        if let Some(vulnerable) = self.vulnerable {
            writeln!(f, "vulnerable:{}", vulnerable.pbn())?;
        }
        if let Some(script) = &self.script {
            writeln!(f, "script:{script}")?;
        }
        for (number, text) in &self.parameters {
            writeln!(f, "parameter:{number}={}", one_line(text))?;
        }
        if let Some(level) = &self.level {
            writeln!(f, "level:{}", one_line(level))?;
        }
        if let Some(beacon) = &self.beacon {
            writeln!(f, "beacon:{}", one_line(beacon))?;
        }
        Ok(())
    }
}

/// Returns a text as one line without blanks at its end.
fn one_line(text: &str) -> String {
    let line = text.replace(['\r', '\n'], " ");
    line.trim_end().to_owned()
}

/// Returns the hash of a script. Line ends and blank lines at the end do not count, because files of boards hold the
/// script line by line.
pub(super) fn script_hash(text: &[u8]) -> String {
    let lines = text.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join(&b'\n');
    hash(text.trim_ascii_end())
}

/// Returns the key of the deals: the secret key, and the public value if there is one.
pub(super) fn dealing_key(key: &Key, value: Option<&str>) -> Key {
    match value {
        None => *key,
        Some(value) => {
            let mut hash = Sha256::new();
            hash.update(key.bytes());
            hash.update(value.trim().as_bytes());
            Key::new(hash.finalize().into())
        }
    }
}

fn hash(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_read_as_it_was_written() {
        let terms = Terms {
            boards: 24,
            first_board: 5,
            rotated_from: Some(Seat::West),
            dealer: Some(Seat::South),
            vulnerable: Some(Vulnerability::NorthSouth),
            parameters: vec![(1, "15".into()), (2, "a=b".into())],
            level: Some("even Game=2".into()),
            beacon: Some("Closing value: Dow Jones".into()),
            ..Terms::default()
        }
        .with_script(b"hcp(north) >= $1\r\n");
        let text = terms.to_string();
        assert_eq!(Terms::read(text.lines()), Ok(Some(terms.clone())));
        assert_eq!(
            terms.script,
            Terms::default().with_script(b"hcp(north) >= $1").script
        );
        for (i, line) in text.lines().enumerate() {
            let without: Vec<&str> = text.lines().filter(|it| *it != line).collect();
            let other = Terms::read(without.into_iter());
            assert_ne!(other, Ok(Some(terms.clone())), "line {i}");
        }
        assert_eq!(
            Terms::read("boards:many".lines()),
            Err("boards:many".to_owned())
        );
        assert_eq!(Terms::read("key:00".lines()), Ok(None));
    }

    #[test]
    fn the_public_value_changes_every_deal() {
        let key = Key::from_seed(1);
        let [plain, one, two] = [None, Some("44910.65"), Some("44910.66")]
            .map(|value| dealing_key(&key, value).to_hex());
        assert_eq!(plain, key.to_hex());
        assert!(one != plain && one != two);
        assert_eq!(one, dealing_key(&key, Some(" 44910.65\n")).to_hex());
    }
}
