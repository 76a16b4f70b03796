//! The parts of XML that USEBIO needs: elements, attributes, text and entities.

use super::ResultsError;

/// A part of the XML: the beginning or the end of an element, or text.
pub(super) enum Part<'a> {
    /// The name of the element, and the text of its attributes.
    Begin(&'a str, &'a str),
    End(&'a str),
    Text(&'a str),
}

/// Splits the text into parts, each with its line.
pub(super) fn parts(text: &str) -> Result<Vec<(u64, Part<'_>)>, ResultsError> {
    let mut parts = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while !rest.is_empty() {
        let Some(open) = rest.find('<') else {
            parts.push((line, Part::Text(rest)));
            break;
        };
        parts.push((line, Part::Text(&rest[..open])));
        line += newlines(&rest[..open]);
        let begin = ["<!--", "<![CDATA[", "<"];
        let begin = begin.into_iter().find(|it| rest[open..].starts_with(it));
        let begin = begin.unwrap_or("<");
        let end = match begin {
            "<!--" => "-->",
            "<![CDATA[" => "]]>",
            _ => ">",
        };
        let inner = &rest[open + begin.len()..];
        let Some(close) = inner.find(end) else {
            return Err(ResultsError::Xml(
                line,
                "an element is not closed".to_owned(),
            ));
        };
        let tag = &inner[..close];
        if begin == "<![CDATA[" {
            parts.push((line, Part::Text(tag)));
        } else if begin == "<" && !tag.starts_with(['?', '!']) {
            let word = tag.trim_start_matches('/');
            let length = word.find([' ', '\t', '\r', '\n', '/']);
            let (name, attributes) = word.split_at(length.unwrap_or(word.len()));
            if !tag.starts_with('/') {
                parts.push((line, Part::Begin(name, attributes)));
            }
            if tag.starts_with('/') || tag.ends_with('/') {
                parts.push((line, Part::End(name)));
            }
        }
        line += newlines(tag);
        rest = &inner[close + end.len()..];
    }
    Ok(parts)
}

fn newlines(text: &str) -> u64 {
    text.matches('\n').count() as u64
}

/// Returns the value of an attribute: `A` of `SECTION_ID="A"`.
pub(super) fn attribute(attributes: &str, name: &str) -> Option<String> {
    let (_, rest) = attributes.split_once(name)?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|it| ['"', '\''].contains(it))?;
    let (value, _) = rest[1..].split_once(quote)?;
    Some(unescaped(value))
}

/// Replaces the entities of XML, named and by number.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.trim();
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let entity = rest.split_once(';').and_then(|(name, after)| {
            let number = match name.strip_prefix("#x") {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => name.strip_prefix('#').and_then(|it| it.parse().ok()),
            };
            let character = match name {
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                "amp" => '&',
                _ => char::from_u32(number?)?,
            };
            Some((character, after))
        });
        match entity {
            Some((character, after)) => {
                out.push(character);
                rest = after;
            }
            None => out.push('&'),
        }
    }
    out + rest
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
