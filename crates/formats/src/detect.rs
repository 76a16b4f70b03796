//! Finds the format of a file by its structure: binary records first, then the first line that only one format can
//! have.
//!
//! Text inside comments does not count: a PBN file may quote a link or a LIN pair in a remark.

use crate::{InputFormat, bigdeal, csv, dl52, duplimate, json, lin, text, zrd};

/// Returns the format of a stream that begins with `sample`.
pub(crate) fn format_of(sample: &[u8]) -> InputFormat {
    if is_dl52(sample) {
        return InputFormat::Dl52;
    }
    if is_zrd(sample) {
        return InputFormat::Zrd;
    }
    match duplimate::detect(sample) {
        Some(duplimate::DuplimateFormat::Dup) => InputFormat::Dup,
        Some(duplimate::DuplimateFormat::Bri) => InputFormat::Bri,
        Some(duplimate::DuplimateFormat::Dge) => InputFormat::Dge,
        None if bigdeal::detect(sample).is_some() => InputFormat::BigDeal,
        None => format_of_text(sample),
    }
}

/// How files begin that people take for boards, and their names.
const OTHER_FILES: [(&[u8], &str); 6] = [
    (
        b"\x12\x0a\x03AC3",
        "a game file of ACBLscore (a format that is not published)",
    ),
    (
        b"\x00\x01\x00\x00Standard Jet DB",
        "a database of Microsoft Access (Bridgemate)",
    ),
    (
        b"\x00\x01\x00\x00Standard ACE DB",
        "a database of Microsoft Access (Bridgemate)",
    ),
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or a workbook"),
    (b"\x1f\x8b\x08", "a file compressed by gzip"),
];

/// Returns the name of a kind of file that has no boards, or boards that cannot be read.
pub(crate) fn other_file(sample: &[u8]) -> Option<&'static str> {
    let begins = |(start, _): &&(&[u8], &str)| sample.starts_with(start);
    let (_, name) = OTHER_FILES.iter().find(begins)?;
    Some(name)
}

fn is_dl52(sample: &[u8]) -> bool {
    sample
        .first_chunk()
        .is_some_and(|record| dl52::decode(record).is_ok())
}

/// Returns whether the sample is ZRD. Text can look like a valid record by accident, but not with bytes that text never
/// contains.
fn is_zrd(sample: &[u8]) -> bool {
    let binary = |byte: &u8| matches!(byte, 0..=8 | 14..=31 | 127..);
    sample.len() >= zrd::RECORD
        && sample.iter().take(zrd::RECORD).any(binary)
        && sample.chunks_exact(zrd::RECORD).take(8).all(|record| {
            record
                .try_into()
                .is_ok_and(|record| !matches!(zrd::decode(record), zrd::Record::Invalid))
        })
}

fn format_of_text(sample: &[u8]) -> InputFormat {
    let sample = sample.strip_prefix(b"\xef\xbb\xbf").unwrap_or(sample);
    let lower = sample.to_ascii_lowercase();
    let lines = || {
        lower
            .split(|&byte| byte == b'\n' || byte == b'\r')
            .map(<[u8]>::trim_ascii)
            .filter(|line| !line.is_empty())
    };
    let Some(first) = lines().next() else {
        return InputFormat::Text;
    };
    if json::is_object(first) {
        return InputFormat::Json;
    }
    if csv::is_header(first) {
        return InputFormat::Csv;
    }
    if let Some(format) = outside_comments(lines()).find_map(format_of_line) {
        return format;
    }
    // A comment may fill the whole sample. In a text that is not PBN a brace does not begin a comment.
    if first.starts_with(b"{") || first.starts_with(b"%") || first.starts_with(b";") {
        return InputFormat::Pbn;
    }
    lines()
        .find_map(format_of_line)
        .unwrap_or(InputFormat::Text)
}

/// Skips the comments of PBN: text in braces, lines that begin with `;` or `%`.
fn outside_comments<'a>(lines: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = &'a [u8]> {
    let mut in_braces = false;
    lines.filter_map(move |line| {
        let mut line = line;
        while in_braces || line.starts_with(b"{") {
            in_braces = true;
            let end = line.iter().position(|&byte| byte == b'}')?;
            line = line[end + 1..].trim_ascii();
            in_braces = false;
        }
        // Braces in the value of a tag do not matter: such a line has been recognised before.
        let opened = line.iter().rposition(|&byte| byte == b'{');
        let closed = line.iter().rposition(|&byte| byte == b'}');
        in_braces = opened.is_some() && opened > closed;
        let skipped = matches!(line.first(), None | Some(b'%' | b';'));
        (!skipped).then_some(line)
    })
}

/// Returns the format if only one has lines like this one (trimmed, in lower case).
fn format_of_line(line: &[u8]) -> Option<InputFormat> {
    if line == b"[document]" {
        Some(InputFormat::Dlm)
    } else if is_pbn_tag(line) {
        Some(InputFormat::Pbn)
    } else if is_lin(line) {
        Some(InputFormat::Lin)
    } else if let Some(at) = lin::address(line, 0) {
        Some(match at.is_lin {
            true => InputFormat::Lin,
            false => InputFormat::Handviewer,
        })
    } else {
        text::is_deal(line).then_some(InputFormat::Text)
    }
}

/// Returns whether the line begins with `[Name "` or is a broken Deal tag.
fn is_pbn_tag(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else {
        return false;
    };
    let rest = rest.trim_ascii_start();
    let name = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let (name, value) = rest.split_at(name);
    let value = value.trim_ascii_start();
    // A tag may continue in the next line.
    !name.is_empty() && (value.is_empty() || value.starts_with(b"\"") || name == b"deal")
}

/// Returns whether the line is a LIN pair: a code of two letters or digits and a value between bars.
fn is_lin(line: &[u8]) -> bool {
    matches!(line, [a, b, b'|', ..] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric())
        && (line[3..].contains(&b'|') || line.starts_with(b"md|"))
}
