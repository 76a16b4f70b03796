//! Translates a profile to a script in the dealer language.

use std::fmt::Write as _;

use cards::{BySeat, Seat, Suit};

use crate::demand::Demand;
use crate::model::{HandProfile, SuitRange, shape_text};
use crate::scenario::{Combinations, SubprofileChoice, SubprofileError};

/// Returns the condition of one demand on a seat; none if every hand satisfies it.
#[must_use]
pub fn condition(seat: Seat, demand: &Demand) -> Option<String> {
    let mut parts = Vec::new();
    let (low, high) = (demand.standard.total_min_hcp, demand.standard.total_max_hcp);
    between(&mut parts, &format!("hcp({seat})"), low, high, 37);
    for suit in Suit::DESCENDING {
        suit_range(&mut parts, seat, suit, demand.standard.suits[suit]);
    }
    for (suit, range) in &demand.special {
        suit_range(&mut parts, seat, *suit, *range);
    }
    if !demand.excluded.is_empty() {
        // A classic shape has no digit for ten or more cards; x means the rest.
        let shapes: Vec<String> = demand
            .excluded
            .iter()
            .map(|shape| shape_text(shape).replace(['A', 'B', 'C', 'D'], "x"))
            .collect();
        parts.push(format!("not shape({seat}, {})", shapes.join(" + ")));
    }
    if parts.is_empty() {
        None
    } else {
        Some(parts.join(" && "))
    }
}

fn suit_range(parts: &mut Vec<String>, seat: Seat, suit: Suit, range: SuitRange) {
    between(
        parts,
        &format!("{suit}({seat})"),
        range.min_cards,
        range.max_cards,
        13,
    );
    between(
        parts,
        &format!("hcp({seat}, {suit})"),
        range.min_hcp,
        range.max_hcp,
        10,
    );
}

fn between(parts: &mut Vec<String>, what: &str, low: u8, high: u8, most: u8) {
    match (low > 0, high < most) {
        (true, true) if low == high => parts.push(format!("{what} == {low}")),
        (true, true) => parts.push(format!("{what} >= {low} && {what} <= {high}")),
        (true, false) => parts.push(format!("{what} >= {low}")),
        (false, true) => parts.push(format!("{what} <= {high}")),
        (false, false) => {}
    }
}

/// Returns the condition of all four demands of a board.
#[must_use]
pub fn board_condition(demands: &BySeat<Demand>) -> String {
    let parts: Vec<String> = Seat::ALL
        .into_iter()
        .filter_map(|seat| condition(seat, &demands[seat]))
        .collect();
    if parts.is_empty() {
        "1".to_owned()
    } else {
        parts.join("\n    && ")
    }
}

/// Returns the whole profile as a script: one `HandType_` variable for every combination of subprofiles and every draw
/// of random suits, and a condition that accepts any of them.
///
/// Plain dealing produces them as often as they occur at random. Dealt with levels, they occur with the profile's
/// weights, which the script has as shares.
///
/// # Errors
/// If no combination of subprofiles is possible.
pub fn to_script(profile: &HandProfile) -> Result<String, SubprofileError> {
    let combinations = Combinations::of(profile)?;
    let total = combinations.total() as f64;
    let mut script = format!("// {}\n", one_line(&profile.profile_name));
    if !profile.description.is_empty() {
        let _ = writeln!(script, "// {}", one_line(&profile.description));
    }
    let _ = writeln!(script, "dealer {}", profile.dealer);
    let mut names = Vec::new();
    for (picks, weight) in combinations.all() {
        let draws = SubprofileChoice::draws(profile, *picks);
        let alternatives: Vec<String> = draws
            .iter()
            .filter_map(|scenario| scenario.demands(profile).ok())
            .map(|demands| format!("({})", board_condition(&demands)))
            .collect();
        let short = format!(
            "N{}E{}S{}W{}",
            picks[0] + 1,
            picks[1] + 1,
            picks[2] + 1,
            picks[3] + 1
        );
        // All draws of the random suits have the same probability, however rare their deals are.
        let share = WHOLE * *weight as f64 / total / alternatives.len().max(1) as f64;
        for (number, alternative) in alternatives.iter().enumerate() {
            let name = match alternatives.len() {
                1 => format!("HandType_{short}"),
                _ => format!("HandType_{short}_{}", number + 1),
            };
            let _ = writeln!(script, "\n{name} =\n    {alternative}");
            let _ = writeln!(script, "{name}_Share = {}", share.round().max(1.0));
            names.push(name);
        }
    }
    if names.is_empty() {
        return Err(SubprofileError::NothingPossible);
    }
    if names.len() > 1 {
        let _ = writeln!(
            script,
            "\n// Dealt with levels, the classes have the profile's weights."
        );
    }
    let _ = writeln!(script, "\ncondition {}", names.join(" || "));
    Ok(script)
}

/// Approximate sum of the shares of all classes.
const WHOLE: f64 = 100_000.0;

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
