//! Published differences between tricks at the table and double-dummy tricks.

use std::error::Error;
use std::fmt;

use cards::{Contract, Strain};

/// Mean differences between tricks at the table and double-dummy tricks, by contract, with their source.
///
/// ```
/// use croupier_studies::PlayDifferences;
///
/// let game: cards::Contract = "4S".parse().unwrap();
/// assert_eq!(PlayDifferences::okbridge().difference(game), Some(-0.01));
///
/// let own = "# Our club, 2024\ncontract,difference\n4,0.2\n4S,-0.1\n";
/// assert_eq!(PlayDifferences::read(own).unwrap().difference(game), Some(-0.1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlayDifferences {
    column: &'static str,
    source: String,
    /// Differences by level and strain.
    differences: [[Option<f64>; 5]; 7],
}

/// The error of a text that is not a table of differences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayDifferencesError {
    /// Line number, from 1.
    pub line: usize,
    problem: DifferencesFault,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum DifferencesFault {
    NoSource,
    NoHeading,
    NoRow,
    Shape,
    Contract(String),
    Difference(String),
    Twice(String),
}

const HEADING: &str = "contract,difference";

impl PlayDifferences {
    /// Returns the differences of Peter Cheung's analysis of 30 million plays on OKbridge (2002), by level.
    #[must_use]
    pub fn okbridge() -> PlayDifferences {
        // The figures of the source's table of levels, from 1 to 7.
        const BY_LEVEL: [f64; 7] = [0.37, 0.15, 0.14, -0.01, 0.06, -0.09, -0.09];
        PlayDifferences {
            column: "tricks_okbridge",
            source: "P. Cheung, 30 million plays on OKbridge, mean difference by level, crystalwebsite.tripod.com/double_dummy_accurate.htm".to_owned(),
            differences: BY_LEVEL.map(|difference| [Some(difference); 5]),
        }
    }

    /// Reads a line `# source`, the heading `contract,difference`, and rows for contracts (`3N,0.2`) or for levels
    /// (`3,0.1`: all contracts of that level that have no row).
    ///
    /// # Errors
    ///
    /// If a line has another form.
    pub fn read(text: &str) -> Result<PlayDifferences, PlayDifferencesError> {
        let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
        let mut lines = lines
            .map(|(line, number)| (line.trim(), number))
            .filter(|(line, _)| !line.is_empty());
        let at = |line, problem| PlayDifferencesError { line, problem };
        let (first, number) = lines.next().ok_or(at(1, DifferencesFault::NoSource))?;
        let source = first.strip_prefix('#').map(str::trim);
        let source = source.filter(|source| !source.is_empty());
        let source = source
            .ok_or(at(number, DifferencesFault::NoSource))?
            .to_owned();
        let mut lines = lines.filter(|(line, _)| !line.starts_with('#'));
        let heading = match lines.next() {
            Some((line, number)) if is_heading(line) => number,
            Some((_, number)) => return Err(at(number, DifferencesFault::NoHeading)),
            None => return Err(at(number + 1, DifferencesFault::NoHeading)),
        };
        let mut rows = Rows::default();
        for (line, number) in lines {
            rows.add(line).map_err(|problem| at(number, problem))?;
        }
        if rows == Rows::default() {
            return Err(at(heading + 1, DifferencesFault::NoRow));
        }
        Ok(PlayDifferences {
            column: "tricks_played",
            source,
            differences: rows.all(),
        })
    }

    /// Returns the mean of tricks at the table minus double-dummy tricks for contracts like `contract`; `None` if the
    /// source has no figure for them.
    #[must_use]
    pub fn difference(&self, contract: Contract) -> Option<f64> {
        self.differences[usize::from(contract.level()) - 1][contract.strain.index()]
    }

    /// Returns the name of the column with the tricks at the table.
    #[must_use]
    pub fn column(&self) -> &'static str {
        self.column
    }

    /// Returns the source of the differences.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }
}

fn is_heading(line: &str) -> bool {
    let mut names = line.split(',').map(str::trim);
    HEADING.split(',').all(|name| names.next() == Some(name)) && names.next().is_none()
}

/// Rows of a file, for levels and for contracts.
#[derive(Default, PartialEq)]
struct Rows {
    levels: [Option<f64>; 7],
    contracts: [[Option<f64>; 5]; 7],
}

impl Rows {
    fn add(&mut self, line: &str) -> Result<(), DifferencesFault> {
        let (contract, difference) = line.split_once(',').ok_or(DifferencesFault::Shape)?;
        let (contract, difference) = (contract.trim(), difference.trim());
        let value: Option<f64> = difference.parse().ok();
        let value = value.filter(|value| value.abs() <= 13.0);
        let value = value.ok_or_else(|| DifferencesFault::Difference(difference.to_owned()))?;
        let place = match contract.as_bytes() {
            [level @ b'1'..=b'7'] => &mut self.levels[usize::from(level - b'1')],
            _ => {
                let parsed: Result<Contract, _> = contract.parse();
                let parsed = parsed.map_err(|_| DifferencesFault::Contract(contract.to_owned()))?;
                if parsed.doubling != cards::Doubling::Undoubled {
                    return Err(DifferencesFault::Contract(contract.to_owned()));
                }
                &mut self.contracts[usize::from(parsed.level()) - 1][parsed.strain.index()]
            }
        };
        match place.replace(value) {
            None => Ok(()),
            Some(_) => Err(DifferencesFault::Twice(contract.to_owned())),
        }
    }

    fn all(self) -> [[Option<f64>; 5]; 7] {
        let mut all = self.contracts;
        for (contracts, level) in all.iter_mut().zip(self.levels) {
            for strain in Strain::ALL {
                let contract = &mut contracts[strain.index()];
                *contract = contract.or(level);
            }
        }
        all
    }
}

impl fmt::Display for PlayDifferencesError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            DifferencesFault::NoSource => {
                f.write_str("the first line tells the source: # Our club, 2024")
            }
            DifferencesFault::NoHeading => write!(f, "the heading {HEADING} is missing"),
            DifferencesFault::NoRow => f.write_str("there is no row, such as 3N,0.2"),
            DifferencesFault::Shape => {
                f.write_str("expected a contract, a comma and a number, as in 3N,0.2")
            }
            DifferencesFault::Contract(text) => write!(
                f,
                "{text:?} is neither a contract, such as 3N, nor a level from 1 to 7"
            ),
            DifferencesFault::Difference(text) => write!(
                f,
                "{text:?} is no difference of tricks; write a number from -13 to 13"
            ),
            DifferencesFault::Twice(text) => write!(f, "there is a row for {text} already"),
        }
    }
}

impl Error for PlayDifferencesError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn difference(played: &PlayDifferences, contract: &str) -> Option<f64> {
        played.difference(contract.parse().expect("a contract"))
    }

    #[test]
    fn rows_of_contracts_take_precedence_over_rows_of_levels() {
        let text = "\u{feff}# A book\r\n\r\n# two hundred deals\r\ncontract, difference\r\n3nt, -0.25\r\n 3,0.5\r\n7C,+1\r\n";
        let played = PlayDifferences::read(text).expect("figures");
        assert_eq!(played.source(), "A book");
        assert_eq!(difference(&played, "3N"), Some(-0.25));
        assert_eq!(difference(&played, "3Sx"), Some(0.5));
        assert_eq!(difference(&played, "7C"), Some(1.0));
        assert_eq!(difference(&played, "7D"), None);
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| PlayDifferences::read(text).expect_err(text).to_string();
        let with = |row| message(&format!("# A book\ncontract,difference\n1N,0.3\n{row}\n"));
        assert!(message("").starts_with("line 1: the first line tells the source"));
        assert!(message("3N,0.2\n").starts_with("line 1: the first line tells the source"));
        assert!(message("#\n3N,0.2\n").starts_with("line 1: the first line tells the source"));
        assert!(message("# A book").starts_with("line 2: the heading"));
        assert!(message("# A book\n3N,0.2").starts_with("line 2: the heading"));
        assert!(message("# A book\ncontract,difference\n").starts_with("line 3: there is no row"));
        assert!(with("3N").starts_with("line 4: expected a contract"));
        for row in ["8,0.1", "0N,0.1", "3X,0.1", "3Nx,0.1", ",0.1", "spades,0.1"] {
            assert!(with(row).contains("is neither a contract"), "{row}");
        }
        for row in ["3N,", "3N,x", "3N,nan", "3N,14", "3N,0.1,0.2", "3N,inf"] {
            assert!(with(row).contains("is no difference"), "{row}");
        }
        assert!(with("1NT,0.1").contains("already"));
    }

    proptest! {
        #[test]
        fn no_text_panics(rows in "[#a-z0-9NSHDCx,. \n\u{feff}-]{0,60}") {
            let _ = PlayDifferences::read(&rows);
            let _ = PlayDifferences::read(&format!("# A book\ncontract,difference\n{rows}"));
        }

        #[test]
        fn every_row_is_read_back(level in 1u8..8, strain in 0usize..5, hundredths in -1300i32..1301) {
            let contract = Contract::new(level, Strain::ALL[strain], cards::Doubling::Undoubled);
            let contract = contract.expect("a contract");
            let value = f64::from(hundredths) / 100.0;
            let text = format!("# A book\ncontract,difference\n{contract},{value}\n");
            prop_assert_eq!(PlayDifferences::read(&text).expect("figures").difference(contract), Some(value));
        }
    }
}
