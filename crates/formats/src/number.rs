//! Numbers in the form of C's `printf` directives, one function each.
//!
//! Rust rounds `{:.2}` like C does (the exact binary value, ties to even). This module adds the sign of a NaN, the `%g`
//! form and the blank that replaces a plus sign.

use std::io::Write;

/// Right-aligns `text` in `width` columns.
fn pad(out: &mut Vec<u8>, width: usize, text: &[u8]) {
    out.resize(out.len() + width.saturating_sub(text.len()), b' ');
    out.extend_from_slice(text);
}

/// Writes a word right-aligned in `width` columns, as `%8s` does.
pub fn word(out: &mut Vec<u8>, width: usize, text: &str) {
    pad(out, width, text.as_bytes());
}

/// Writes the shortest form of an integer, as `%d` does.
///
/// ```
/// let mut out = Vec::new();
/// croupier_formats::number::integer(&mut out, -17);
/// assert_eq!(out, b"-17");
/// ```
pub fn integer(out: &mut Vec<u8>, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    natural(out, value.unsigned_abs());
}

/// Maximum number of digits of a 64-bit number.
const DIGITS: usize = 20;

/// Two digits for each number below 100.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        number += 1;
    }
    pairs
};

/// Writes the shortest form of a number that is not negative, as `%u` does.
pub fn natural(out: &mut Vec<u8>, value: u64) {
    let mut digits = [0; DIGITS];
    let len = place_natural(&mut digits, value);
    out.extend_from_slice(&digits[..len]);
}

/// Writes a number at the start of `line`, which has room for [`DIGITS`] bytes. Returns its length.
pub(crate) fn place_natural(line: &mut [u8], value: u64) -> usize {
    let len = value.checked_ilog10().unwrap_or(0) as usize + 1;
    let (digits, mut rest) = (&mut line[..len], value);
    let mut pairs = digits.rchunks_exact_mut(2);
    for pair in &mut pairs {
        pair.copy_from_slice(&PAIRS[(rest % 100) as usize]);
        rest /= 100;
    }
    if let [first] = pairs.into_remainder() {
        *first = b'0' + rest as u8;
    }
    len
}

/// Writes an integer right-aligned in at least `width` columns, as `%5d` does.
pub fn padded(out: &mut Vec<u8>, width: usize, value: i64) {
    let from = out.len();
    integer(out, value);
    let missing = width.saturating_sub(out.len() - from);
    if missing > 0 {
        out.resize(out.len() + missing, b' ');
        out[from..].rotate_right(missing);
    }
}

/// Writes a number with a fixed number of decimals, as `%10.4f` does. A NaN prints as `-nan`, as glibc prints the
/// quotient 0/0.
///
/// ```
/// let mut out = Vec::new();
/// croupier_formats::number::fixed(&mut out, 8, 2, 0.125);
/// croupier_formats::number::fixed(&mut out, 8, 2, f64::NAN);
/// assert_eq!(out, b"    0.12    -nan");
/// ```
pub fn fixed(out: &mut Vec<u8>, width: usize, decimals: usize, value: f64) {
    pad(
        out,
        width,
        finite(value, |text| write!(text, "{value:.decimals$}")).as_slice(),
    );
}

/// Writes a number with a blank in place of a plus sign, in at least `width` columns, as `% 8.2f` does.
pub fn fixed_with_sign_blank(out: &mut Vec<u8>, width: usize, decimals: usize, value: f64) {
    let text = finite(value, |text| {
        if value.is_sign_positive() {
            text.push(b' ');
        }
        write!(text, "{value:.decimals$}")
    });
    pad(out, width, &text);
}

/// Writes six significant digits as `%g` does: without trailing zeros, with an exponent if that is below -4 or above 5.
///
/// ```
/// let mut out = Vec::new();
/// for value in [10.0, 1234567.0, 0.00001, 9.995] {
///     croupier_formats::number::general(&mut out, value);
///     out.push(b' ');
/// }
/// assert_eq!(out, b"10 1.23457e+06 1e-05 9.995 ");
/// ```
pub fn general(out: &mut Vec<u8>, value: f64) {
    const SIGNIFICANT: i32 = 6;
    let text = finite(value, |text| {
        let scientific = format!("{value:.5e}");
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        if (-4..SIGNIFICANT).contains(&exponent) {
            let decimals = (SIGNIFICANT - 1 - exponent) as usize;
            text.extend_from_slice(without_trailing_zeros(&format!("{value:.decimals$}")));
            Ok(())
        } else {
            text.extend_from_slice(without_trailing_zeros(mantissa));
            let sign = if exponent < 0 { '-' } else { '+' };
            write!(text, "e{sign}{:02}", exponent.abs())
        }
    });
    out.extend_from_slice(&text);
}

fn without_trailing_zeros(text: &str) -> &[u8] {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').as_bytes()
    } else {
        text.as_bytes()
    }
}

/// Returns the text of a number, or `-nan`.
fn finite(value: f64, write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut text = Vec::with_capacity(24);
    if value.is_nan() {
        text.extend_from_slice(b"-nan");
    } else if value.is_infinite() {
        text.extend_from_slice(if value < 0.0 { b"-inf" } else { b"inf" });
    } else {
        // Writing to a Vec cannot fail.
        let _ = write(&mut text);
    }
    text
}

/// Formats a number with commas between thousands.
///
/// ```
/// assert_eq!(croupier_formats::number::grouped(635_013_559_600), "635,013,559,600");
/// ```
#[must_use]
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    /// The expected texts were printed by glibc's printf.
    #[test]
    fn general_form_is_that_of_c() {
        let cases = [
            (0.0, "0"),
            (-1.0, "-1"),
            (-30.25, "-30.25"),
            (1234500.0, "1.2345e+06"),
            (999999.5, "1e+06"),
            (999999.4, "999999"),
            (0.0001, "0.0001"),
            (0.00012345678, "0.000123457"),
            (0.0000999999949, "0.0001"),
            (0.0000999999, "9.99999e-05"),
            (100000.0, "100000"),
            (1e100, "1e+100"),
            (73741824.0, "7.37418e+07"),
            (10.0 / 3.0, "3.33333"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(|out| general(out, value)), expected);
        }
        assert_eq!(text(|out| general(out, f64::NAN)), "-nan");
    }

    #[test]
    fn ties_round_to_even() {
        for (value, expected) in [(0.125, "   0.12"), (0.375, "   0.38"), (0.625, "   0.62")] {
            assert_eq!(text(|out| fixed(out, 7, 2, value)), expected);
        }
        assert_eq!(text(|out| fixed(out, 10, 4, 12.34375)), "   12.3438");
    }

    #[test]
    fn a_blank_stands_for_the_plus_sign_and_counts_in_the_width() {
        assert_eq!(
            text(|out| fixed_with_sign_blank(out, 8, 2, 400.0)),
            "  400.00"
        );
        assert_eq!(
            text(|out| fixed_with_sign_blank(out, 8, 2, 123456.0)),
            " 123456.00"
        );
        assert_eq!(
            text(|out| fixed_with_sign_blank(out, 8, 2, -50.0)),
            "  -50.00"
        );
        assert_eq!(
            text(|out| fixed_with_sign_blank(out, 7, 2, f64::NAN)),
            "   -nan"
        );
    }

    #[test]
    fn integers_of_any_size() {
        let powers = (0..19).map(|power| 10i64.pow(power));
        let steps = powers.flat_map(|power| [power - 1, power, -power, power + 1]);
        for value in steps.chain([i64::MAX, i64::MIN, 1234567890]) {
            assert_eq!(text(|out| integer(out, value)), value.to_string());
            assert_eq!(text(|out| padded(out, 8, value)), format!("{value:8}"));
        }
        assert_eq!(text(|out| natural(out, u64::MAX)), u64::MAX.to_string());
    }
}
