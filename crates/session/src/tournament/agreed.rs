//! The key file of the boards that a session deals.

use std::fmt;

use cards::Seat;
use shuffle::Key;

use super::{KeyFile, Terms};
use crate::Session;

/// A key file whose terms are not those of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherTerms {
    /// The first line of the terms that the commitment covers and the run does not have.
    pub covered: String,
    /// The line of the run in its place.
    pub requested: String,
}

impl fmt::Display for OtherTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the commitment of this key covers {}, this run has {}; use the script and the settings with which the key was made, or a new key",
            self.covered, self.requested
        )
    }
}

impl std::error::Error for OtherTerms {}

impl Session {
    /// Returns the shares of classes that the caller or the script gives; `None` if no classes are levelled.
    #[must_use]
    pub fn levelled_shares(&self) -> Option<String> {
        let by_script = || self.plan.settings.level.clone();
        self.spec.level.clone().or_else(by_script)
    }

    /// Returns the texts of the script's parameters, by their numbers.
    #[must_use]
    pub fn parameters(&self) -> Vec<(usize, String)> {
        let texts = (0..).zip(&self.spec.variables);
        texts
            .filter_map(|(number, text)| Some((number, text.clone()?)))
            .collect()
    }

    /// Returns the terms of a tournament with the boards of this session. With `is_rotated` the deals are turned to
    /// the dealer of each board.
    #[must_use]
    pub fn tournament_terms(&self, is_rotated: bool, beacon: Option<String>) -> Terms {
        let settings = &self.settings;
        let level = self.levelled_shares().map(|shares| {
            let order = if self.spec.even { "even" } else { "shuffled" };
            format!("{order} {shares}").trim_end().to_owned()
        });
        Terms {
            boards: settings.limits.counts().1,
            first_board: settings.first_board.max(1).unsigned_abs(),
            rotated_from: is_rotated.then(|| settings.dealer.unwrap_or(Seat::North)),
            dealer: settings.dealer.filter(|_| !is_rotated),
            vulnerable: settings.vulnerable.filter(|_| !is_rotated),
            parameters: self.parameters(),
            level,
            beacon,
            ..Terms::default().with_script(self.spec.script.bytes())
        }
    }
}

impl KeyFile {
    /// Returns the key file for these terms: with the key of `given`, whose own terms must be the same, or with
    /// `fresh`. The words for a public value come from `given` if `terms` has none.
    ///
    /// # Errors
    /// If the commitment of `given` covers other terms.
    pub fn agreed(
        given: Option<&KeyFile>,
        fresh: Key,
        mut terms: Terms,
    ) -> Result<KeyFile, OtherTerms> {
        let promised = given.and_then(|file| file.terms.as_ref());
        if let Some(promised) = promised {
            terms.beacon = terms.beacon.or_else(|| promised.beacon.clone());
            if let Some([covered, requested]) = promised.difference(&terms) {
                return Err(OtherTerms { covered, requested });
            }
        }
        Ok(KeyFile::new(given.map_or(fresh, |file| file.key), terms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Job;

    fn terms(script: &str, boards: u64) -> Terms {
        let session = Job::new(script).seed(1).produce(boards).first_board(5);
        let session = session.variable(0, "12").prepare().expect("a valid script");
        session.tournament_terms(false, Some("lottery".to_owned()))
    }

    #[test]
    fn a_key_is_for_the_boards_of_its_terms_alone() {
        let script = "condition hcp(north) > $0";
        let key = KeyFile::agreed(None, Key::from_seed(1), terms(script, 8)).unwrap();
        let text = key.to_string();
        for line in ["boards:8", "first:5", "parameter:0=12", "beacon:lottery"] {
            assert!(text.lines().any(|it| it == line), "{text}");
        }
        let mut again = terms(script, 8);
        again.beacon = None;
        assert_eq!(
            KeyFile::agreed(Some(&key), Key::from_seed(2), again),
            Ok(key.clone())
        );
        let other = KeyFile::agreed(Some(&key), Key::from_seed(2), terms(script, 9)).unwrap_err();
        assert_eq!(
            (other.covered.as_str(), other.requested.as_str()),
            ("boards:8", "boards:9")
        );
        let other = terms("condition hcp(south) > $0", 8);
        assert!(KeyFile::agreed(Some(&key), Key::from_seed(2), other).is_err());
    }
}
