//! Files that are not scripts: deals in an exchange format given by mistake, and practice scenarios that contain a script.

use crate::diagnostic::Report;
use crate::plan::Span;

/// Returns the name of the exchange format if the text is a file of deals.
fn exchange_format(text: &[u8]) -> Option<&'static str> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let start = text.iter().position(|b| !b.is_ascii_whitespace())?;
    let text = &text[start..];
    let tag =
        |name: &[u8]| text.len() > name.len() && text[..name.len()].eq_ignore_ascii_case(name);
    if tag(b"% PBN") || tag(b"[Event ") || tag(b"[Board ") || tag(b"[Deal ") || tag(b"[Site ") {
        return Some("PBN");
    }
    let lin = [b"vg|", b"pn|", b"qx|", b"md|", b"st|", b"rs|"];
    if lin.iter().any(|start| tag(*start)) {
        return Some("LIN");
    }
    None
}

/// Returns an error if the text is a file of deals.
pub(crate) fn report(text: &[u8]) -> Option<Report> {
    let kind = exchange_format(text)?;
    let start = Span {
        source: 0,
        start: 0,
        end: 1,
    };
    let message = format!("this is a {kind} file with deals, not a script");
    Some(
        Report::error("E107", start, message)
            .note("to filter or count its deals, run a script over them")
            .classic_syntax_error(),
    )
}

/// Extracts the script from a practice scenario for BBO: a file with a line `Script,name` and a call ``setDealerCode(`...`)``.
/// All other bytes become blanks, so that places in messages fit the file.
pub(crate) fn script_inside(text: &[u8]) -> Option<Vec<u8>> {
    const CALL: &[u8] = b"setDealerCode(";
    let find = |needle: &[u8], from: usize| {
        let found = text[from..].windows(needle.len()).position(|w| w == needle);
        found.map(|at| from + at)
    };
    let call = find(CALL, 0)? + CALL.len();
    let header = text.starts_with(b"Script,") || find(b"\nScript,", 0).is_some_and(|at| at < call);
    let blanks = text[call..].iter().position(|b| !b.is_ascii_whitespace())?;
    let quote = text[call + blanks];
    if !header || !b"`\"'".contains(&quote) {
        return None;
    }
    let start = call + blanks + 1;
    let end = find(&[quote], start)?;
    let inside = |(at, &byte): (usize, &u8)| match byte {
        b'\n' => byte,
        _ if (start..end).contains(&at) => byte,
        _ => b' ',
    };
    Some(text.iter().enumerate().map(inside).collect())
}
