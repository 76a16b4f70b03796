//! Parameters of scripts: the texts of `$0` to `$9`, and their declarations in comments.
//!
//! ```text
//! # param 0 = west      # who opens
//! # param 1 = 15        # least points
//! ```
//!
//! A declaration is a line of its own, which all programs of the dealer family read as a comment. The text before the second `#`
//! replaces `$n` unless the caller sets another one.

use crate::CompileOptions;
use crate::diagnostic::Report;
use crate::lexer::Lexer;
use crate::loader::Files;
use crate::plan::Span;

/// Declaration and use of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptParameter {
    /// 0 to 9.
    pub number: u8,
    /// Text that replaces it by default.
    pub default: Option<String>,
    /// Description for the user.
    pub description: Option<String>,
    /// Whether the script mentions it outside comments and strings.
    pub used: bool,
}

/// Returns the parameters that a script declares or uses, by number.
///
/// ```
/// let text = b"# param 1 = 15 # least points\ncondition hcp($0) >= $1\n";
/// let found = croupier_script::parameters(text);
/// assert_eq!((found[0].number, found[0].default.as_deref()), (0, None));
/// assert_eq!(found[1].default.as_deref(), Some("15"));
/// assert_eq!(found[1].description.as_deref(), Some("least points"));
/// ```
#[must_use]
pub fn parameters(text: &[u8]) -> Vec<ScriptParameter> {
    let text = String::from_utf8_lossy(text);
    let used = mentioned(&text);
    let declared: Vec<_> = text.lines().filter_map(declaration).collect();
    (0..10)
        .filter_map(|number| {
            let first = declared.iter().find(|(n, ..)| *n == number);
            let used = used[usize::from(number)];
            if first.is_none() && !used {
                return None;
            }
            let (default, description) = first.map_or((None, None), |(_, text, about)| {
                (Some((*text).to_owned()), about.map(str::to_owned))
            });
            Some(ScriptParameter {
                number,
                default,
                description,
                used,
            })
        })
        .collect()
}

/// Reads a declaration `# param 3 = text # description`: number, text and description.
fn declaration(line: &str) -> Option<(u8, &str, Option<&str>)> {
    let line = line.trim_start();
    let body = line
        .strip_prefix('#')
        .or_else(|| line.strip_prefix("//"))?
        .trim_start();
    let (word, rest) = body.split_at_checked(5)?;
    if !word.eq_ignore_ascii_case("param") || !rest.starts_with([' ', '\t']) {
        return None;
    }
    let (number, value) = rest.split_once('=')?;
    let number = number.trim();
    let number: u8 = number.strip_prefix('$').unwrap_or(number).parse().ok()?;
    let (text, about) = match value.split_once('#') {
        Some((text, about)) => (text.trim(), Some(about.trim()).filter(|a| !a.is_empty())),
        None => (value.trim(), None),
    };
    (number <= 9 && !text.is_empty()).then_some((number, text, about))
}

/// Returns for each `$n` whether it occurs outside comments and strings.
fn mentioned(text: &str) -> [bool; 10] {
    let mut used = [false; 10];
    let bytes = text.as_bytes();
    let mut at = 0;
    let end_of = |at: usize, end: &str| {
        text[at..]
            .find(end)
            .map_or(text.len(), |n| at + n + end.len())
    };
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        at = match (byte, next) {
            (b'#', _) | (b'/', Some(b'/')) => end_of(at, "\n"),
            (b'/', Some(b'*')) => end_of(at, "*/"),
            (b'"', _) => end_of(at + 1, "\""),
            (b'$', Some(digit)) if digit.is_ascii_digit() => {
                used[usize::from(digit - b'0')] = true;
                at + 2
            }
            _ => at + 1,
        };
    }
    used
}

/// Sets parameters that the caller did not set to the declared texts.
pub(crate) fn fill(variables: &mut [Option<String>; 10], text: &[u8]) {
    if !text
        .windows(5)
        .any(|word| word.eq_ignore_ascii_case(b"param"))
    {
        return;
    }
    for parameter in parameters(text) {
        let slot = &mut variables[usize::from(parameter.number)];
        if slot.is_none() {
            *slot = parameter.default;
        }
    }
}

/// Warns about texts that the script does not use. For dealer3, reports parameters without a text as errors.
pub(crate) fn check(lexer: &mut Lexer<'_>, files: &Files, options: &CompileOptions<'_>) {
    let start = Span {
        source: 0,
        start: 0,
        end: 1,
    };
    for (number, given) in options.script_variables.iter().enumerate() {
        if given.is_some() && !lexer.used[number] {
            let message =
                format!("a text is given for `${number}`, but the script has no `${number}`");
            lexer.reports.add(Report::warning("W19", start, message));
        }
    }
    if !options.dealer3 {
        return;
    }
    for file in &files.list {
        for &(_, number, span) in &file.lexed.empty_variables {
            let message = format!(
                "`${number}` has no text: give one, or let the script say it: `# param {number} = text`"
            );
            lexer.reports.add(Report::error("E106", span, message));
        }
    }
}
