//! `15%` and `5%-20%`: the best hands before the flop.
//!
//! The order is that of the exact equity against one random hand, all 169 kinds of hands from AA down to 32o. A kind is
//! taken whole, as long as the hands taken are not more than the percentage of all 1326.

use cards::CardSet;

use super::{Item, RangeError, RangeProblem, Weight};
use crate::Game;
use crate::equity::preflop::by_equity;

/// The hands of a percentage or of a stretch between two.
pub(super) fn hands(item: &Item, game: Game) -> Result<Vec<CardSet>, RangeError> {
    if game != Game::Holdem {
        return Err(item.error(RangeProblem::NoOrder));
    }
    let text = item.text();
    let wrong = || item.error(RangeProblem::Percent(text.clone()));
    let (from, to) = match text.split_once('-') {
        Some((from, to)) => (
            percent(from).ok_or_else(wrong)?,
            percent(to).ok_or_else(wrong)?,
        ),
        None => (0, percent(&text).ok_or_else(wrong)?),
    };
    if from > to {
        return Err(wrong());
    }
    let (skipped, taken) = (count(from), count(to));
    let hands: Vec<CardSet> = by_equity().as_flattened_until(skipped, taken);
    if hands.is_empty() {
        return Err(item.error(RangeProblem::TooFew(text)));
    }
    Ok(hands)
}

/// Millionths of a percent, up to a hundred.
fn percent(text: &str) -> Option<u64> {
    let weight: Weight = text
        .strip_suffix('%')?
        .trim_start_matches("top")
        .parse()
        .ok()?;
    Some(weight.millionths()).filter(|&millionths| millionths <= 100_000_000)
}

/// How many of the 1326 hands a percentage allows.
fn count(percent: u64) -> usize {
    (percent * 1326 / 100_000_000) as usize
}
