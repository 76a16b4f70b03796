//! The notation of numbers, cards, holdings and contracts.

use cards::{Card, Contract, Doubling, Rank, Strain, Suit};

use crate::plan::Mode;
use crate::token::Number;

/// Returns the value of a string of digits.
pub(crate) fn number(digits: &[u8]) -> Number {
    let mut value: u64 = 0;
    for &digit in digits {
        value = value
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'));
    }
    // The C library's conversion saturates at 2^63 - 1, whose low 32 bits are -1.
    let value = value.min(i64::MAX as u64);
    Number {
        wrapped: value as u32 as i32,
        large: value > i32::MAX as u64,
        four: digits.len() == 4,
    }
}

pub(crate) fn nearest_decimal(whole: &str, fraction: &str) -> String {
    let fraction = fraction.split('.').next().unwrap_or("");
    let whole = whole.trim_start_matches('0');
    if whole.len() > 2 {
        return "99.99".to_owned();
    }
    let whole: u32 = whole.parse().unwrap_or(0);
    let digit = |n: usize| {
        fraction
            .as_bytes()
            .get(n)
            .map_or(0, |b| u32::from(b - b'0'))
    };
    let hundredths = 100 * whole + 10 * digit(0) + digit(1) + u32::from(digit(2) >= 5);
    let hundredths = hundredths.min(9999);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Reads a card: `AS`, `TC`, rank then suit, upper case.
pub(crate) fn card(text: Option<&[u8]>) -> Option<Card> {
    let &[rank, suit] = text? else { return None };
    if !b"23456789TJQKA".contains(&rank) || !b"CDHS".contains(&suit) {
        return None;
    }
    let rank = Rank::from_letter(rank as char)?;
    Some(Card::new(Suit::from_letter(suit as char)?, rank))
}

/// Returns whether the text is a holding such as `SAK`: a suit letter and ranks in descending order.
pub(crate) fn is_holding(text: &[u8]) -> bool {
    let Some((suit, ranks)) = text.split_first() else {
        return false;
    };
    let mut order = b"AKQJT98765432".iter();
    b"CDHS".contains(suit) && ranks.iter().all(|rank| order.any(|r| r == rank))
}

/// Returns whether v1 does not have this notation of a contract: doubled, or with `z`.
pub(crate) fn is_contract_of_v2(text: &[u8]) -> bool {
    text[0] == b'z' || text.len() > 3
}

/// Reads a contract: `x3N`, `z4Sx`, `x7Nxx`. v1 has only the first form.
pub(crate) fn contract(text: &[u8], mode: Mode) -> Option<Contract> {
    if mode.is_v1() && is_contract_of_v2(text) {
        return None;
    }
    let (&[prefix, level, strain], doubling) = text.split_first_chunk()?;
    let doubling = match doubling {
        b"" => Doubling::Undoubled,
        b"x" => Doubling::Doubled,
        b"xx" => Doubling::Redoubled,
        _ => return None,
    };
    if !b"xz".contains(&prefix) || !(b'1'..=b'7').contains(&level) || !b"CDHSN".contains(&strain) {
        return None;
    }
    Contract::new(level - b'0', Strain::from_letter(strain as char)?, doubling)
}
