//! Messages over a pair of byte streams, with the framing of the protocol: a header `Content-Length: N`, an empty line, and
//! `N` bytes of JSON.
//!
//! Bytes that are no message are answered with an error and skipped, so that a faulty editor does not end the server.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Mutex, PoisonError};

use lsp_server::{Connection, ErrorCode, Message, Request};
use serde_json::{Value, json};

use crate::ServerError;

/// Maximum size of a message in bytes. Longer ones are skipped.
const MOST_BYTES: u64 = 256 << 20;

/// Maximum size of a header line in bytes.
const MOST_HEADER: u64 = 8192;

/// Method of the message that ends the writing thread. It is never written.
const CLOSE: &str = "$/close";

/// Serves an editor over two byte streams until it ends the session or closes `input`.
///
/// # Errors
/// If the editor ends without `shutdown`, or `output` cannot be written.
pub fn serve_streams(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServerError> {
    let (own, editor) = Connection::memory();
    let output = std::sync::Arc::new(Mutex::new(output));
    let (incoming, outgoing) = (editor.sender, editor.receiver);
    let errors = std::sync::Arc::clone(&output);
    // This thread is not joined: it may wait for input for ever, which must not keep the process running.
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(move || {
            let mut input = input;
            while let Ok(Some(bytes)) = read_frame(&mut input) {
                let sent = match parse(&bytes) {
                    Ok(message) => incoming.send(message).is_ok(),
                    Err(answer) => answer.is_none_or(|answer| write(&errors, &answer).is_ok()),
                };
                if !sent {
                    break;
                }
            }
        })?;
    let writer =
        std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || -> io::Result<()> {
                for message in outgoing {
                    match message {
                        Message::Notification(last) if last.method == CLOSE => break,
                        message => write(&output, &with_version(&message)?)?,
                    }
                }
                Ok(())
            })?;
    let served = crate::serve(&own);
    let close = lsp_server::Notification::new(CLOSE.into(), Value::Null);
    // If the writer has ended already, the output is closed.
    let _ = own.sender.send(Message::Notification(close));
    let written = writer.join().unwrap_or(Ok(()));
    served?;
    Ok(written?)
}

/// Adds the version of JSON-RPC to a message.
fn with_version(message: &Message) -> io::Result<Value> {
    let mut value = serde_json::to_value(message)?;
    value["jsonrpc"] = "2.0".into();
    Ok(value)
}

fn write(output: &Mutex<impl Write>, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// Reads the bytes of the next message. Returns `None` at the end of the input. Header lines without a length are skipped.
fn read_frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input
            .by_ref()
            .take(MOST_HEADER)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if let Some(found) = content_length(line) {
            length = Some(found);
        }
        let Some(length) = length.filter(|_| line.is_empty()) else {
            continue;
        };
        if length > MOST_BYTES {
            io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
            return Ok(Some(Vec::new()));
        }
        // The buffer grows with the bytes that arrive: a wrong length does not reserve memory.
        let mut bytes = Vec::new();
        input.by_ref().take(length).read_to_end(&mut bytes)?;
        let is_whole = bytes.len() as u64 == length;
        return Ok(is_whole.then_some(bytes));
    }
}

fn content_length(line: &[u8]) -> Option<u64> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    let is_length = name.trim().eq_ignore_ascii_case("content-length");
    is_length.then(|| value.trim().parse().ok()).flatten()
}

/// Parses a message. The error is the answer to the editor; `None` if a wrong response must not be answered.
fn parse(bytes: &[u8]) -> Result<Message, Option<Value>> {
    let answer = |id: Value, code: ErrorCode, message: &str| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } });
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let text = format!("this is not JSON: {error}");
        Some(answer(Value::Null, ErrorCode::ParseError, &text))
    })?;
    let wrong = |id: Value, message: &str| Some(answer(id, ErrorCode::InvalidRequest, message));
    let Value::Object(fields) = &value else {
        return Err(wrong(Value::Null, "a message is a JSON object"));
    };
    let id = fields.get("id").cloned();
    let has_method = fields.get("method").is_some_and(Value::is_string);
    match (has_method, id) {
        (true, None) => serde_json::from_value(value)
            .map(Message::Notification)
            .map_err(|error| wrong(Value::Null, &error.to_string())),
        (true, Some(id)) => serde_json::from_value::<Request>(value)
            .map(Message::Request)
            .map_err(|_| wrong(id, "an id is a whole number of 32 bits or a string")),
        (false, Some(_)) if fields.contains_key("result") || fields.contains_key("error") => {
            serde_json::from_value(value)
                .map(Message::Response)
                .map_err(|_| None)
        }
        (false, id) => {
            let id = id.unwrap_or(Value::Null);
            Err(wrong(id, "a message has a method, or an id with a result"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_with_wrong_headers_are_skipped() {
        let text = b"\r\nhello\r\n\r\nContent-Length: x\r\n\r\ncontent-length:2\r\nOther: 1\r\n\r\n{}Content-Length: 3\r\n\r\n[]";
        let mut input = &text[..];
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), b"{}");
        assert_eq!(read_frame(&mut input).unwrap(), None);
    }

    #[test]
    fn wrong_messages_have_answers_with_their_id() {
        let code = |text: &str| match parse(text.as_bytes()) {
            Err(Some(answer)) => Some((answer["id"].clone(), answer["error"]["code"].clone())),
            _ => None,
        };
        assert_eq!(code("{"), Some((Value::Null, json!(-32700))));
        assert_eq!(code("\u{0}"), Some((Value::Null, json!(-32700))));
        assert_eq!(code("[]"), Some((Value::Null, json!(-32600))));
        assert_eq!(code("{}"), Some((Value::Null, json!(-32600))));
        assert_eq!(code(r#"{"id":7}"#), Some((json!(7), json!(-32600))));
        assert_eq!(
            code(r#"{"id":7,"method":3}"#),
            Some((json!(7), json!(-32600)))
        );
        assert_eq!(
            code(r#"{"id":1.5,"method":"x"}"#),
            Some((json!(1.5), json!(-32600)))
        );
        assert_eq!(
            code(r#"{"id":5000000000,"method":"x"}"#),
            Some((json!(5_000_000_000_u64), json!(-32600)))
        );
        let response = parse(br#"{"id":7,"result":null}"#);
        assert!(matches!(response, Ok(Message::Response(_))));
        assert!(parse(br#"{"id":7,"method":"x"}"#).is_ok());
        assert!(parse(br#"{"method":"x","params":3}"#).is_ok());
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(parse(deep.as_bytes()).is_err());
    }
}
