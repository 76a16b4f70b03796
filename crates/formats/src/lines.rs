//! Lines of a stream that end with LF, CRLF or CR.

use std::io::{self, BufRead};

/// Maximum length of a line in bytes. A longer line is an error, so that reading does not fill the memory.
pub const LONGEST_LINE: usize = 16 << 20;

/// Reads lines one by one and counts them.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    after_return: bool,
    is_open: bool,
    /// The bytes of the lines since the last [`Lines::take_raw`], with their line ends; `None` if they are not kept.
    raw: Option<Vec<u8>>,
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader of the lines in `input`.
    pub fn new(input: R) -> Self {
        Lines {
            input,
            line: Vec::new(),
            number: 0,
            after_return: false,
            is_open: false,
            raw: None,
        }
    }

    /// Keeps the bytes of the lines for [`Lines::take_raw`].
    pub(crate) fn keep_raw(&mut self) {
        self.raw = Some(Vec::new());
    }

    /// Returns the bytes of the lines since the last call, with their line ends; none without [`Lines::keep_raw`].
    pub(crate) fn take_raw(&mut self) -> Vec<u8> {
        self.raw.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Returns the number of the last line that was read, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns whether the last line was the end of the input and had no line end, so that it may have been cut.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the next line without its line end; `None` at the end of the input. Skips a byte order mark at the
    /// start.
    ///
    /// # Errors
    /// If reading fails or a line is longer than [`LONGEST_LINE`].
    pub fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        self.is_open = false;
        let mut anything = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                self.is_open = anything;
                break;
            }
            // The LF of a CRLF belongs to the previous line.
            if self.after_return && buffer[0] == b'\n' {
                self.after_return = false;
                self.input.consume(1);
                continue;
            }
            self.after_return = false;
            anything = true;
            match buffer
                .iter()
                .position(|&byte| byte == b'\n' || byte == b'\r')
            {
                Some(at) => {
                    self.after_return = buffer[at] == b'\r';
                    self.line.extend_from_slice(&buffer[..at]);
                    if let Some(raw) = &mut self.raw {
                        raw.extend_from_slice(&buffer[..=at]);
                    }
                    self.input.consume(at + 1);
                    self.keep_line_feed()?;
                    break;
                }
                None => {
                    let len = buffer.len();
                    self.line.extend_from_slice(buffer);
                    if let Some(raw) = &mut self.raw {
                        raw.extend_from_slice(buffer);
                    }
                    self.input.consume(len);
                    if self.line.len() > LONGEST_LINE {
                        return Err(io::Error::new(
                            io::ErrorKind::InvalidData,
                            format!(
                                "line {} is longer than {LONGEST_LINE} bytes",
                                self.number + 1
                            ),
                        ));
                    }
                }
            }
        }
        if !anything {
            return Ok(None);
        }
        self.number += 1;
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(Some(&self.line))
    }

    /// Reads the LF of a CRLF together with its line if the bytes are kept, so that each line has its whole line end.
    fn keep_line_feed(&mut self) -> io::Result<()> {
        let Some(raw) = self.raw.as_mut().filter(|_| self.after_return) else {
            return Ok(());
        };
        loop {
            match self.input.fill_buf() {
                Ok([b'\n', ..]) => {
                    raw.push(b'\n');
                    self.after_return = false;
                    self.input.consume(1);
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
    }
}

/// The characters 0x80 to 0x9F of Windows-1252. The five unused codes stand for themselves.
#[rustfmt::skip]
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes bytes as UTF-8 if valid, else as Windows-1252, which never fails.
pub fn decode_text(bytes: &[u8]) -> String {
    let character = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        byte => char::from(byte),
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(character).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], capacity: usize) -> Vec<String> {
        let mut lines = Lines::new(io::BufReader::with_capacity(capacity, input));
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            all.push(decode_text(line));
        }
        all
    }

    #[test]
    fn every_line_end_counts_once() {
        // Capacities of one or two bytes put CR and LF into different reads.
        for capacity in [1, 2, 3, 64] {
            assert_eq!(
                lines(b"\xef\xbb\xbfa\r\nb\rc\n\nd\r\r\ne", capacity),
                ["a", "b", "c", "", "d", "", "e"]
            );
            assert_eq!(lines(b"", capacity), Vec::<String>::new());
            assert_eq!(lines(b"\n", capacity), [""]);
        }
    }

    #[test]
    fn windows_1252_is_read_where_utf_8_is_not() {
        assert_eq!(decode_text(b"M\xfcller"), "Müller");
        assert_eq!(
            decode_text(b"\x93Zia\x94 \x96 Rosenberg"),
            "“Zia” – Rosenberg"
        );
        assert_eq!(decode_text("Müller".as_bytes()), "Müller");
    }
}
