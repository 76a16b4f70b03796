//! Bidding systems as scripts.
//!
//! A system is a script of definitions and rules. A rule gives a call, after the calls before it, a condition for the caller's hand
//! in the dealer language. The first rule whose condition is true makes the call.
//!
//! ```
//! use cards::Seat;
//! use croupier_script::ScriptSource;
//! use croupier_script::system::{CallerPosition, SystemScript};
//!
//! let text = "points = hcp(me) + (shape(me, any 5xxx) ? 1 : 0)\n1N: 15 <= hcp(me) <= 17 \"balanced\"\n1N-P-2C!: points >= 8\n";
//! let system = SystemScript::parse(&ScriptSource::new("my.bid", text)).unwrap();
//! let stayman = &system.rules()[1];
//! assert_eq!((stayman.auction.as_str(), stayman.call.as_str(), stayman.is_alerted), ("1N-P", "2C", true));
//! let south = CallerPosition { caller: Seat::South, turn: 3, vulnerable: [false; 2] };
//! assert_eq!(system.condition(1, south), "points_south >= 8");
//! assert_eq!(system.definitions([1], south), "points_south = hcp(south) + (shape(south, any 5xxx) ? 1 : 0)\n");
//! ```

mod check;
mod read;
mod words;

use std::ops::Range;

use cards::Seat;

use crate::diagnostic::Diagnostic;
use crate::source::ScriptSource;
use words::Part;

pub use check::RuleValues;
pub use words::SYSTEM_WORDS;

/// A bidding system as a script: definitions, and rules in the order of their priority.
#[derive(Clone, Debug)]
pub struct SystemScript {
    source: ScriptSource,
    title: Option<String>,
    otherwise: Option<OtherSystem>,
    definitions: Vec<Definition>,
    rules: Vec<SystemRule>,
}

/// The system that calls where a script has no rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSystem {
    /// Name of the system.
    pub name: String,
    /// The bytes of the name with its quotes.
    pub range: Range<usize>,
}

/// `name = expression`
#[derive(Clone, Debug)]
struct Definition {
    name: String,
    value: Part,
}

/// A rule: the condition under which a call is made.
#[derive(Clone, Debug)]
pub struct SystemRule {
    /// The calls before it, joined by hyphens, with wildcards: `1N-P`. Empty for an opening.
    pub auction: String,
    /// The call: `2C`.
    pub call: String,
    /// Whether the call is marked as a convention: `2C!`.
    pub is_alerted: bool,
    /// The meaning in words, if the rule has them.
    pub text: Option<String>,
    /// The bytes of the calls.
    pub head: Range<usize>,
    condition: Part,
}

/// The caller of a rule, for the text of its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallerPosition {
    /// The seat.
    pub caller: Seat,
    /// The caller's place in the first round: 1 for the dealer, 4 for the seat to the dealer's right.
    pub turn: u8,
    /// Whether the caller's side and the other side are vulnerable.
    pub vulnerable: [bool; 2],
}

impl SystemScript {
    /// Reads a system and checks all conditions.
    ///
    /// # Errors
    /// All errors found.
    pub fn parse(source: &ScriptSource) -> Result<SystemScript, Vec<Diagnostic>> {
        let system = read::read(source)?;
        check::check(&system)?;
        Ok(system)
    }

    /// Returns the title, if the script has one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the system that calls where the script has no rules; none if it is to pass there.
    #[must_use]
    pub fn otherwise(&self) -> Option<&OtherSystem> {
        self.otherwise.as_ref()
    }

    /// Returns the rules in the order of their priority.
    #[must_use]
    pub fn rules(&self) -> &[SystemRule] {
        &self.rules
    }

    /// Returns whether another system has the same rules, title and definitions.
    pub(crate) fn has_rules_of(&self, other: &SystemScript) -> bool {
        let rule = |system: &SystemScript, number: usize| {
            let rule = &system.rules[number];
            let condition = joined(&rule.condition.source_text(&system.source));
            (
                rule.auction.clone(),
                rule.call.clone(),
                rule.is_alerted,
                rule.text.clone(),
                condition,
            )
        };
        let definition = |system: &SystemScript, number: usize| {
            let definition = &system.definitions[number];
            (
                definition.name.clone(),
                joined(&definition.value.source_text(&system.source)),
            )
        };
        let name = |system: &SystemScript| system.otherwise.as_ref().map(|it| it.name.clone());
        self.title == other.title
            && name(self) == name(other)
            && self.rules.len() == other.rules.len()
            && (0..self.rules.len()).all(|number| rule(self, number) == rule(other, number))
            && self.definitions.len() == other.definitions.len()
            && (0..self.definitions.len())
                .all(|number| definition(self, number) == definition(other, number))
    }

    /// Returns the number of the line at which a rule begins, from 1.
    #[must_use]
    pub fn line(&self, rule: usize) -> usize {
        let before = &self.source.text[..self.rules[rule].head.start];
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// Returns the condition of a rule as it is written, on one line.
    #[must_use]
    pub fn condition_text(&self, rule: usize) -> String {
        one_line(&self.rules[rule].condition.source_text(&self.source))
    }

    /// Returns the condition of a rule for this caller, in the dealer language, on one line.
    #[must_use]
    pub fn condition(&self, rule: usize, position: CallerPosition) -> String {
        one_line(&self.text_of(&self.rules[rule].condition, position))
    }

    /// Returns the definitions that the conditions of these rules use for this caller, a line each. Their names end with that of
    /// the caller's seat.
    #[must_use]
    pub fn definitions(
        &self,
        rules: impl IntoIterator<Item = usize>,
        position: CallerPosition,
    ) -> String {
        let mut needed = vec![false; self.definitions.len()];
        for rule in rules {
            for name in self.rules[rule].condition.names() {
                needed[name] = true;
            }
        }
        // Definitions refer to earlier ones only.
        for number in (0..needed.len()).rev() {
            if needed[number] {
                for name in self.definitions[number].value.names() {
                    needed[name] = true;
                }
            }
        }
        let mut text = String::new();
        for (definition, _) in self
            .definitions
            .iter()
            .zip(&needed)
            .filter(|(_, needed)| **needed)
        {
            let value = one_line(&self.text_of(&definition.value, position));
            text += &format!(
                "{} = {value}\n",
                words::name_for(&definition.name, position.caller)
            );
        }
        text
    }

    fn text_of(&self, part: &Part, position: CallerPosition) -> String {
        let mut text = words::Written::default();
        part.write(&self.source, &self.definitions, position, &mut text);
        text.text
    }

    /// Creates an error about a range of the script.
    #[must_use]
    pub fn error(&self, code: &'static str, range: Range<usize>, message: String) -> Diagnostic {
        read::error(&self.source, code, range, message)
    }
}

/// Returns whether a script is a bidding system: it has rules.
#[must_use]
pub fn is_system(text: &[u8]) -> bool {
    let pieces = crate::pieces::scan(text);
    let (statements, _) = crate::statements::statements(&pieces);
    statements
        .iter()
        .any(|statement| matches!(statement.kind, crate::statements::StatementKind::Rule(_)))
}

/// Returns the pieces of a text without comments, joined by blanks.
fn joined(text: &str) -> String {
    let pieces = crate::pieces::scan(text.as_bytes());
    let code = pieces.iter().filter(|piece| !piece.is_comment());
    let code: Vec<_> = code
        .map(|piece| String::from_utf8_lossy(piece.text))
        .collect();
    code.join(" ")
}

/// Replaces comments and runs of blanks by one blank.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for piece in crate::pieces::scan(text.as_bytes()) {
        if piece.is_comment() {
            continue;
        }
        if piece.apart && !line.is_empty() {
            line.push(' ');
        }
        line += &String::from_utf8_lossy(piece.text);
    }
    line
}
