//! Errors in a profile: path, line, column and reason.

use std::fmt;

/// An error or warning about a profile file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileMessage {
    /// Path in the structure, for example `seat_profiles.N.subprofiles[0].standard.hearts`.
    pub path: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in the line, in characters, from 1.
    pub column: usize,
    /// Explanation and correction.
    pub message: String,
}

impl ProfileMessage {
    /// Creates a message about the byte at `at` of the text.
    pub(crate) fn new(text: &str, at: usize, path: String, message: String) -> ProfileMessage {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        ProfileMessage {
            path,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message,
        }
    }
}

impl fmt::Display for ProfileMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}
