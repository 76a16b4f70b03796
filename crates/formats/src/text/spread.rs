//! Reads the four hands of a `printall` page.
//!
//! The cards of a suit take two characters each, in a column of twenty. A suit of eleven or more cards shifts the
//! following columns to the right. So the border between two hands can be ambiguous on one line; it follows only from
//! thirteen cards for each hand.

use cards::{CardSet, Deal, Holding, Rank, Suit};

use crate::page::COLUMN_CARDS;

/// The heading of a page.
pub(super) struct Heading {
    /// The number of the board.
    pub number: u64,
    /// Whether the names of the seats follow. No other kind of line has them.
    pub names_seats: bool,
}

/// Reads the heading of a page: `   1.` alone (v1) or followed by the names of the seats.
pub(super) fn heading(text: &str) -> Option<Heading> {
    let (number, rest) = text.trim().split_once('.')?;
    let named = rest.to_ascii_lowercase();
    let names_seats = named
        .split_whitespace()
        .eq(["north", "east", "south", "west"]);
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || !(names_seats || rest.trim().is_empty()) {
        return None;
    }
    let number = number.parse().ok()?;
    Some(Heading {
        number,
        names_seats,
    })
}

/// Returns whether a line consists of single ranks and dashes.
pub(super) fn is_suit_line(text: &str) -> bool {
    !text.trim().is_empty()
        && text
            .split_whitespace()
            .all(|word| word == "-" || (word.len() == 1 && rank_of(word.as_bytes()[0]).is_some()))
}

fn rank_of(byte: u8) -> Option<Rank> {
    Rank::from_letter(char::from(byte))
}

/// Returns the deal on four suit lines, spades first, if there is exactly one way to read thirteen cards for each hand.
pub(super) fn deal(lines: &[String; 4]) -> Option<Deal> {
    // The narrowest margin is the indentation, because a card or a dash begins there.
    let margin = lines
        .iter()
        .map(|line| line.len() - line.trim_start().len())
        .min()?;
    let splits: Vec<Vec<[Holding; 4]>> = lines
        .iter()
        .map(|line| {
            let line = line.trim_end().as_bytes();
            let exact = column_splits(&line[margin.min(line.len())..]);
            if exact.is_empty() {
                blank_splits(line).into_iter().collect()
            } else {
                exact
            }
        })
        .collect();
    let mut deals = Vec::new();
    combine(&splits, [CardSet::EMPTY; 4], &mut deals);
    match deals[..] {
        [deal] => Some(deal),
        _ => None,
    }
}

/// Finds all choices of one split for each suit that make a deal.
fn combine(splits: &[Vec<[Holding; 4]>], hands: [CardSet; 4], deals: &mut Vec<Deal>) {
    let Some((first, rest)) = splits.split_first() else {
        deals.extend(Deal::new(hands));
        return;
    };
    let suit = Suit::from_index(rest.len());
    for split in first {
        let mut hands = hands;
        for (hand, holding) in hands.iter_mut().zip(split) {
            *hand |= holding.in_suit(suit);
        }
        if hands.iter().all(|hand| hand.len() <= 13) {
            combine(rest, hands, deals);
        }
    }
}

/// Returns all ways in which the page writer could have produced this line.
fn column_splits(line: &[u8]) -> Vec<[Holding; 4]> {
    let mut splits = Vec::new();
    split_from(line, 0, &mut Vec::new(), &mut splits);
    splits
}

fn split_from(line: &[u8], at: usize, groups: &mut Vec<Holding>, splits: &mut Vec<[Holding; 4]>) {
    let at_or_blank = |at: usize| line.get(at).copied().unwrap_or(b' ');
    if let [a, b, c, d] = groups[..] {
        if at >= line.len() {
            splits.push([a, b, c, d]);
        }
        return;
    }
    let mut try_group = |holding: Holding, printed: usize, groups: &mut Vec<Holding>| {
        let last = groups.len() == 3;
        let end = at + 2 * printed;
        let next = if last {
            end
        } else {
            at + 2 * printed.max(COLUMN_CARDS)
        };
        if (end..next).all(|at| at_or_blank(at) == b' ') {
            groups.push(holding);
            split_from(line, next, groups, splits);
            groups.pop();
        }
    };
    if at_or_blank(at) == b'-' && at_or_blank(at + 1) == b' ' {
        try_group(Holding::EMPTY, 1, groups);
        return;
    }
    let mut holding = Holding::EMPTY;
    let mut lowest = Rank::ALL.len();
    for printed in 1..=13 {
        let here = at + 2 * (printed - 1);
        match rank_of(at_or_blank(here)) {
            Some(rank) if rank.index() < lowest && at_or_blank(here + 1) == b' ' => {
                holding.insert(rank);
                lowest = rank.index();
                try_group(holding, printed, groups);
            }
            _ => break,
        }
    }
}

/// Splits a line of a page that was edited by hand: hands separated by two or more blanks.
fn blank_splits(line: &[u8]) -> Option<[Holding; 4]> {
    let text = std::str::from_utf8(line).ok()?.replace('\t', "    ");
    let groups: Vec<&str> = text
        .trim()
        .split("  ")
        .map(str::trim)
        .filter(|group| !group.is_empty())
        .collect();
    let groups: [&str; 4] = groups.try_into().ok()?;
    let mut holdings = [Holding::EMPTY; 4];
    for (holding, group) in holdings.iter_mut().zip(groups) {
        for word in group.split_whitespace().filter(|&word| word != "-") {
            holding.insert(rank_of(*word.as_bytes().first()?)?);
        }
    }
    Some(holdings)
}
