//! `15%` and `5%-20%`: the best hands before the flop.
//!
//! Hands are ranked by exact equity against one random hand, all 169 kinds from AA down to 32o; after `sc` by their
//! Sklansky-Chubukov numbers. Only whole kinds are taken, as long as the number of hands is at most the percentage of all 1326.

use cards::CardSet;

use super::{Item, RangeError, RangeProblem, Weight};
use crate::Game;
use crate::equity::preflop::{by_equity, by_sklansky_chubukov};

/// Returns the hands of a percentage, or between two percentages.
pub(super) fn hands(item: &Item, game: Game) -> Result<Vec<CardSet>, RangeError> {
    if game != Game::Holdem {
        return Err(item.error(RangeProblem::NoOrder));
    }
    let text = item.text();
    let (order, numbers) = match text.strip_prefix("top").unwrap_or(&text).strip_prefix("sc") {
        Some(rest) => (by_sklansky_chubukov(), rest),
        None => (by_equity(), text.as_str()),
    };
    let wrong = || item.error(RangeProblem::Percent(text.clone()));
    let (from, to) = match numbers.split_once('-') {
        Some((from, to)) => (
            percent(from).ok_or_else(wrong)?,
            percent(to).ok_or_else(wrong)?,
        ),
        None => (0, percent(numbers).ok_or_else(wrong)?),
    };
    if from > to {
        return Err(wrong());
    }
    let (skipped, taken) = (count(from), count(to));
    let hands: Vec<CardSet> = order.as_flattened_until(skipped, taken);
    if hands.is_empty() {
        return Err(item.error(RangeProblem::TooFew(text)));
    }
    Ok(hands)
}

/// Reads a percentage of at most 100, in millionths of a percent.
fn percent(text: &str) -> Option<u64> {
    let weight: Weight = text
        .strip_suffix('%')?
        .trim_start_matches("top")
        .parse()
        .ok()?;
    Some(weight.millionths()).filter(|&millionths| millionths <= 100_000_000)
}

/// Returns how many of the 1326 hands a percentage allows.
fn count(percent: u64) -> usize {
    (percent * 1326 / 100_000_000) as usize
}
