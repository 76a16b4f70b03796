//! The dialects of the dealer language that a user can choose: one row each.
//!
//! Names on command lines, in JSON and in Python, the help and the table in docs/dealer.md come from this list.

use std::fmt;
use std::str::FromStr;

use crate::plan::Mode;

/// A dialect that a user can choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// Language, deals and page layout.
    pub mode: Mode,
    /// Whether operator precedence and switches are those of dealer3. Requires the native mode.
    pub dealer3: bool,
}

/// A row of the list of dialects.
#[derive(Clone, Copy, Debug)]
pub struct DialectEntry {
    /// The dialect.
    pub dialect: Dialect,
    /// Name of the dialect in options.
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// Name of a link to the program `dealer` that chooses the dialect.
    pub link: Option<&'static str>,
}

const fn row(
    name: &'static str,
    mode: Mode,
    link: Option<&'static str>,
    about: &'static str,
) -> DialectEntry {
    DialectEntry {
        dialect: Dialect {
            mode,
            dealer3: false,
        },
        name,
        about,
        link,
    }
}

/// Every dialect, the default first.
pub const DIALECTS: [DialectEntry; 5] = [
    row(
        "native",
        Mode::Native,
        None,
        "croupier's own language, deals and pages",
    ),
    row(
        "v1",
        Mode::V1,
        Some("dealerv1"),
        "behave as Debian's dealer: its language, deals, pages, switches and exit status",
    ),
    row("v2", Mode::V2, Some("dealerv2"), "behave as DealerV2"),
    row(
        "exe",
        Mode::Exe,
        None,
        "as v1, with the deals of dealer.exe",
    ),
    DialectEntry {
        dialect: Dialect {
            mode: Mode::Native,
            dealer3: true,
        },
        name: "dealer3",
        about: "deals and pages of this program, with the operators and switches of dealer3",
        link: None,
    },
];

impl Dialect {
    /// Returns the row of the dialect.
    #[must_use]
    pub fn entry(self) -> &'static DialectEntry {
        DIALECTS
            .iter()
            .find(|row| row.dialect == self)
            .unwrap_or(&DIALECTS[0])
    }
}

impl From<Mode> for Dialect {
    fn from(mode: Mode) -> Dialect {
        Dialect {
            mode,
            dealer3: false,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.entry().name)
    }
}

/// Reads the name of a dialect.
///
/// ```
/// use croupier_script::{Dialect, Mode};
/// assert_eq!("v2".parse(), Ok(Dialect::from(Mode::V2)));
/// assert_eq!(
///     "v3".parse::<Dialect>().unwrap_err().to_string(),
///     "there is no dialect \"v3\"; use native, v1, v2, exe or dealer3",
/// );
/// ```
impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Dialect, UnknownDialect> {
        DIALECTS
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.dialect)
            .ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

/// A text that is not the name of a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect(String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no dialect {:?}; use {}", self.0, names())
    }
}

impl std::error::Error for UnknownDialect {}

/// Returns the names of all dialects as words: `native, v1, v2, exe or dealer3`.
#[must_use]
pub fn names() -> String {
    let names = DIALECTS.map(|row| row.name);
    let (last, others) = names.split_last().expect("there are dialects");
    format!("{} or {last}", others.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_for_its_dialect() {
        for row in DIALECTS {
            assert_eq!(row.name.parse(), Ok(row.dialect));
            assert_eq!(row.dialect.to_string(), row.name);
        }
    }
}
