//! Expands `shape{...}` to a classic list, with the text that DealerV2's expander `fdp` writes.
//!
//! Like that program it handles only lengths up to nine. [`fd::shapes`] has no such limit.

use std::collections::BTreeSet;
use std::fmt;

use super::fd::{self, Alternative, ShapeDiagnostic, Spec, Term};
use super::lengths::permutations;

/// A classic list: terms with a sign, each a list of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Whether the term is subtracted, and its patterns in order.
    pub terms: Vec<(bool, Vec<String>)>,
}

impl fmt::Display for Expansion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (minus, patterns)) in self.terms.iter().enumerate() {
            let sign = if *minus { " - " } else { " + " };
            if number > 0 {
                f.write_str(sign)?;
            }
            f.write_str(&patterns.join(sign))?;
        }
        Ok(())
    }
}

/// Expands an expression.
///
/// ```
/// use croupier_script::shape::expansion::expand;
///
/// let list = expand(b"5M(332)").unwrap();
/// assert_eq!(list.to_string(), "2533 + 3523 + 3532 + 5233 + 5323 + 5332");
/// ```
///
/// # Errors
/// The errors in the text, with their places.
pub fn expand(text: &[u8]) -> Result<Expansion, Vec<ShapeDiagnostic>> {
    let terms = fd::terms(text)?;
    Ok(Expansion {
        terms: terms
            .iter()
            .map(|term| (term.minus, term_patterns(term)))
            // Drop empty terms and subtractions at the start, which a classic list cannot have.
            .filter(|(_, patterns)| !patterns.is_empty())
            .skip_while(|(minus, _)| *minus)
            .collect(),
    })
}

/// Replaces every `shape{seat, ...}` in a line, as `fdp` does. Other text is copied.
///
/// # Errors
/// The errors in one of them, with their places in the line.
pub fn expand_line(line: &str) -> Result<String, Vec<ShapeDiagnostic>> {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("shape") {
        let after = &rest[at + 5..];
        let inside = after.trim_start();
        let Some(inside) = inside.strip_prefix('{') else {
            out.push_str(&rest[..at + 5]);
            rest = after;
            continue;
        };
        let from = line.len() - inside.len();
        let Some(length) = inside.find('}') else {
            let message = "this `{` is not closed; `}` is missing";
            return Err(vec![ShapeDiagnostic::error(
                "E412",
                from - 1..from,
                message,
            )]);
        };
        let Some((seat, shapes)) = inside[..length].split_once(',') else {
            let message = "a `,` is missing after the seat";
            return Err(vec![ShapeDiagnostic::error(
                "E417",
                from..from + length,
                message,
            )]);
        };
        let shift = from + seat.len() + 1;
        let list = expand(shapes.as_bytes()).map_err(|errors| {
            let shifted = |e: ShapeDiagnostic| ShapeDiagnostic {
                range: e.range.start + shift..e.range.end + shift,
                ..e
            };
            errors.into_iter().map(shifted).collect::<Vec<_>>()
        })?;
        out.push_str(&rest[..at]);
        out.push_str(&format!("shape({seat},{list})"));
        rest = &inside[length + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn term_patterns(term: &Term) -> Vec<String> {
    let mut patterns: BTreeSet<String> = BTreeSet::new();
    for alternative in &term.alternatives {
        alternative_patterns(alternative, &mut patterns);
    }
    patterns.into_iter().collect()
}

/// One character per suit.
type Pattern = [u8; 4];

fn alternative_patterns(alternative: &Alternative, out: &mut BTreeSet<String>) {
    let body = &alternative.body;
    let condition = alternative.condition.as_ref().filter(|c| !c.is_zero);
    if body.fixed.is_empty() && condition.is_none() {
        return any_patterns(&body.group, out);
    }
    let fixed: Vec<Spec> = body.fixed.iter().map(|f| f.spec).collect();
    let strings = develop_body(&fixed, &body.group);
    body.for_each_choice(|places, major, minor| {
        let free: Vec<usize> = (0..4).filter(|place| !places.contains(place)).collect();
        let order: Vec<usize> = places.iter().copied().chain(free).collect();
        for string in &strings {
            let mut pattern: Pattern = *b"xxxx";
            for (&place, &character) in order.iter().zip(string) {
                pattern[place] = character;
            }
            let pattern = filled(pattern);
            let Some(condition) = condition else {
                out.insert(String::from_utf8_lossy(&pattern).into_owned());
                continue;
            };
            let either = |bound: Option<usize>, mentioned: bool, all: [usize; 2]| match bound {
                Some(place) => vec![place],
                None if mentioned => all.to_vec(),
                None => vec![all[0]],
            };
            for &major in &either(major, condition.mentions_major, [0, 1]) {
                for &minor in &either(minor, condition.mentions_minor, [2, 3]) {
                    let mut mentions = condition.mentions;
                    mentions[major] |= condition.mentions_major;
                    mentions[minor] |= condition.mentions_minor;
                    for opened in opened(pattern, mentions) {
                        let lengths = opened.map(|c| if c == b'x' { 0 } else { c - b'0' });
                        if condition.holds(lengths, major, minor) {
                            out.insert(String::from_utf8_lossy(&opened).into_owned());
                        }
                    }
                }
            }
        }
    });
}

/// Writes `(5332)` with `any` instead of all its orders.
fn any_patterns(group: &[Spec], out: &mut BTreeSet<String>) {
    for mut string in develop(group, 13, true) {
        string.sort_unstable_by(|a, b| b.cmp(a));
        if let Ok(pattern) = Pattern::try_from(string) {
            let text = String::from_utf8_lossy(&filled(pattern)).into_owned();
            out.insert(format!("any {text}"));
        }
    }
}

/// Returns the characters that can stand for a length.
fn characters(spec: &Spec) -> Vec<u8> {
    if spec.open {
        return vec![b'x'];
    }
    (0..10_u8)
        .filter(|length| spec.lengths.0 >> length & 1 != 0)
        .map(|length| b'0' + length)
        .collect()
}

fn sum(string: &[u8]) -> u32 {
    let digits = string.iter().filter(|c| c.is_ascii_digit());
    digits.map(|c| u32::from(c - b'0')).sum()
}

/// Returns all strings of characters whose digits add up to at most `most`. With `complete`, the sum of a string
/// without `x` is exactly `most`.
fn develop(specs: &[Spec], most: u32, complete: bool) -> Vec<Vec<u8>> {
    let choices: Vec<Vec<u8>> = specs.iter().map(characters).collect();
    develop_characters(&choices, most, complete)
}

fn develop_characters(choices: &[Vec<u8>], most: u32, complete: bool) -> Vec<Vec<u8>> {
    let mut strings: Vec<Vec<u8>> = vec![vec![]];
    for characters in choices {
        let mut longer = Vec::new();
        for string in &strings {
            for &character in characters {
                let mut next = string.clone();
                next.push(character);
                if sum(&next) <= most {
                    longer.push(next);
                }
            }
        }
        strings = longer;
    }
    if complete {
        strings.retain(|s| s.contains(&b'x') || sum(s) == most);
    }
    strings
}

/// Returns the strings of a body, fixed lengths first.
fn develop_body(fixed: &[Spec], group: &[Spec]) -> Vec<Vec<u8>> {
    if group.is_empty() {
        return develop(fixed, 13, true);
    }
    let mut strings = Vec::new();
    for start in develop(fixed, 13, false) {
        let complete = !start.contains(&b'x');
        for end in develop(group, 13 - sum(&start), complete) {
            permutations(&end, |order| {
                strings.push([start.as_slice(), order].concat());
            });
        }
    }
    strings
}

/// Replaces a lone `x` by the rest to 13, and every `x` by 0 if the rest is 0.
fn filled(mut pattern: Pattern) -> Pattern {
    let left = 13_u32.saturating_sub(sum(&pattern));
    let open = pattern.iter().filter(|&&c| c == b'x').count();
    if left == 0 || open == 1 && left <= 9 {
        for character in &mut pattern {
            if *character == b'x' {
                *character = b'0' + left as u8;
            }
        }
    }
    pattern
}

/// Replaces each `x` of a mentioned suit by all possible lengths.
fn opened(pattern: Pattern, mentions: [bool; 4]) -> Vec<Pattern> {
    let choices: Vec<Vec<u8>> = (0..4)
        .map(|place| match pattern[place] {
            b'x' if mentions[place] => (b'0'..=b'9').collect(),
            character => vec![character],
        })
        .collect();
    develop_characters(&choices, 13, true)
        .into_iter()
        .filter_map(|string| Pattern::try_from(string).ok())
        .map(filled)
        .collect()
}
