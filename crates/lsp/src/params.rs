//! Parameters of the editor's messages. They are read leniently: an address that is not encoded or a version in quotation
//! marks is accepted, and a missing field is an error for this message alone.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use serde_json::Value;

/// Error of a message whose parameters are wrong or missing; the text is for the editor's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongParams(pub String);

impl WrongParams {
    fn missing(field: &str) -> WrongParams {
        WrongParams(format!("{field} is missing or wrong"))
    }
}

/// Parses an address. Characters that must be encoded (blanks, letters with accents) are encoded.
#[must_use]
pub fn address(text: &str) -> Option<Uri> {
    if let Ok(uri) = text.parse() {
        return Some(uri);
    }
    let bytes = text.as_bytes();
    let mut encoded = String::with_capacity(text.len());
    for (at, &byte) in bytes.iter().enumerate() {
        let escape = byte == b'%'
            && bytes.len() > at + 2
            && bytes[at + 1..at + 3].iter().all(u8::is_ascii_hexdigit);
        if escape || byte.is_ascii_alphanumeric() || b"-._~/:?@!$&'()*+,;=".contains(&byte) {
            encoded.push(byte as char);
        } else {
            encoded += &format!("%{byte:02X}");
        }
    }
    encoded.parse().ok()
}

/// Returns the address of the document that a message is about, and its spelling in the message.
///
/// # Errors
/// If there is none.
pub fn document(params: &Value) -> Result<(Uri, &str), WrongParams> {
    let missing = || WrongParams::missing("textDocument.uri");
    let text = params.pointer("/textDocument/uri").and_then(Value::as_str);
    let text = text.filter(|text| !text.is_empty()).ok_or_else(missing)?;
    Ok((address(text).ok_or_else(missing)?, text))
}

/// Returns the version of the document that a message is about, if it has one.
#[must_use]
pub fn version(params: &Value) -> Option<i32> {
    let version = params.pointer("/textDocument/version")?;
    match version.as_str() {
        Some(text) => text.trim().parse().ok(),
        None => version.as_i64()?.try_into().ok(),
    }
}

/// Returns the text field of a message.
///
/// # Errors
/// If it is missing.
pub fn text<'a>(params: &'a Value, pointer: &str) -> Result<&'a str, WrongParams> {
    let text = params.pointer(pointer).and_then(Value::as_str);
    text.ok_or_else(|| WrongParams::missing(pointer[1..].replace('/', ".").as_str()))
}

fn parsed_position(value: &Value) -> Option<Position> {
    let number = |field: &str| value.get(field)?.as_u64()?.try_into().ok();
    Some(Position::new(number("line")?, number("character")?))
}

fn parsed_range(value: &Value) -> Option<Range> {
    let end = |field: &str| parsed_position(value.get(field)?);
    Some(Range::new(end("start")?, end("end")?))
}

/// Returns the position that a message is about.
///
/// # Errors
/// If it is missing, or not two numbers.
pub fn position(params: &Value) -> Result<Position, WrongParams> {
    let position = params.get("position").and_then(parsed_position);
    position.ok_or_else(|| WrongParams::missing("position"))
}

/// Returns the range that a message is about.
///
/// # Errors
/// If it is missing, or not two positions.
pub fn range(params: &Value) -> Result<Range, WrongParams> {
    let range = params.get("range").and_then(parsed_range);
    range.ok_or_else(|| WrongParams::missing("range"))
}

/// Returns the changes of a document.
///
/// # Errors
/// If one of them is wrong: then none may be applied.
pub fn changes(params: &Value) -> Result<Vec<TextDocumentContentChangeEvent>, WrongParams> {
    let missing = || WrongParams::missing("contentChanges");
    let list = params.get("contentChanges").and_then(Value::as_array);
    let change = |change: &Value| {
        let range = match change.get("range") {
            None | Some(Value::Null) => None,
            Some(range) => Some(parsed_range(range)?),
        };
        Some(TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: change.get("text")?.as_str()?.to_owned(),
        })
    };
    let changes = list.ok_or_else(missing)?.iter().map(change);
    changes.collect::<Option<_>>().ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn addresses_are_encoded() {
        for (text, encoded) in [
            ("file:///a%20b.dl", "file:///a%20b.dl"),
            ("file:///a b.dl", "file:///a%20b.dl"),
            ("file:///é 100%.dl", "file:///%C3%A9%20100%25.dl"),
            ("file:///a[1]#x.dl", "file:///a%5B1%5D%23x.dl"),
            ("untitled:Untitled-1", "untitled:Untitled-1"),
        ] {
            assert_eq!(address(text).unwrap().as_str(), encoded, "{text}");
        }
    }

    #[test]
    fn versions_may_be_texts() {
        let version_of = |given: Value| version(&json!({ "textDocument": { "version": given } }));
        assert_eq!(version_of(json!(3)), Some(3));
        assert_eq!(version_of(json!("4")), Some(4));
        assert_eq!(version_of(json!(null)), None);
        assert_eq!(version_of(json!(1e300)), None);
    }

    #[test]
    fn one_wrong_change_refuses_the_whole_message() {
        let good = json!({ "text": "x" });
        let bad = json!({ "text": "x", "range": { "start": { "line": -1, "character": 0 } } });
        assert_eq!(
            changes(&json!({ "contentChanges": [good] })).unwrap().len(),
            1
        );
        assert!(changes(&json!({ "contentChanges": [good, bad] })).is_err());
        assert!(changes(&json!({})).is_err());
    }
}
