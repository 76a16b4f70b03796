//! The script that selected the boards of a tournament, as the file of boards carries it.

use std::collections::BTreeMap;
use std::fmt;

use super::{Terms, VerifyError};

/// The terms and the public value in a file of boards.
pub(super) struct EmbeddedTerms {
    pub terms: Option<Terms>,
    pub beacon_value: Option<String>,
}

impl EmbeddedTerms {
    /// Reads the lines `%tournament` and `%beacon` of a file of boards.
    pub(super) fn read(boards: &[u8]) -> Result<EmbeddedTerms, VerifyError> {
        let after = |word: &'static str| {
            let lines = boards.split(|&byte| byte == b'\n');
            lines.filter_map(move |line| std::str::from_utf8(line).ok()?.strip_prefix(word))
        };
        Ok(EmbeddedTerms {
            terms: Terms::read(after("%tournament "))
                .map_err(|text| VerifyError::Terms { text })?,
            beacon_value: after("%beacon ").next().map(|it| it.trim().to_owned()),
        })
    }
}

/// A script that selected deals, with the texts of its parameters.
pub(super) struct SelectingScript {
    pub name: String,
    pub text: Vec<u8>,
    pub parameters: BTreeMap<usize, String>,
    pub level: Option<LevelParameters>,
}

/// Parameters of a run with levelled classes.
pub(super) struct LevelParameters {
    pub boards: u64,
    pub even: bool,
    pub shares: String,
}

impl LevelParameters {
    /// Parses `36 shuffled Game=2,Slam=1`.
    fn read(text: &str) -> Option<LevelParameters> {
        let mut words = text.trim().splitn(3, ' ');
        Some(LevelParameters {
            boards: words.next()?.parse().ok()?,
            even: match words.next()? {
                "even" => true,
                "shuffled" => false,
                _ => return None,
            },
            shares: words.next().unwrap_or_default().trim().to_owned(),
        })
    }
}

/// Writes order and shares, as the terms of a tournament hold them.
impl fmt::Display for LevelParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = if self.even { "even" } else { "shuffled" };
        write!(f, "{}", format!("{order} {}", self.shares).trim_end())
    }
}

impl SelectingScript {
    /// Reads the lines `%script`, `%parameter` and `%level` of the file `name`; `other` takes the place of the script
    /// in the file.
    pub(super) fn read(
        boards: &[u8],
        name: &str,
        other: Option<(String, Vec<u8>)>,
    ) -> Result<Option<SelectingScript>, VerifyError> {
        let mut embedded = SelectingScript {
            name: format!("the script in {name}"),
            text: Vec::new(),
            parameters: BTreeMap::new(),
            level: None,
        };
        let mut is_there = false;
        for line in boards.split(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if let Some(more) = line.strip_prefix(b"%script+ ") {
                embedded.text.extend_from_slice(more);
            } else if let Some(text) = line
                .strip_prefix(b"%script ")
                .or_else(|| line.strip_prefix(b"%script"))
            {
                is_there = true;
                if !embedded.text.is_empty() {
                    embedded.text.push(b'\n');
                }
                embedded.text.extend_from_slice(text);
            } else if let Some(level) = line.strip_prefix(b"%level ") {
                let text = String::from_utf8_lossy(level).into_owned();
                let level = LevelParameters::read(&text);
                embedded.level = Some(level.ok_or(VerifyError::Level { text })?);
            } else if let Some(parameter) = line.strip_prefix(b"%parameter ")
                && let Some((number, text)) = String::from_utf8_lossy(parameter).split_once('=')
                && let Some(number) = number.parse().ok().filter(|&number| number <= 9)
            {
                embedded.parameters.insert(number, text.to_owned());
            }
        }
        if let Some((name, text)) = other {
            embedded.text = text;
            embedded.name = name;
            is_there = true;
        }
        Ok(is_there.then_some(embedded))
    }
}
