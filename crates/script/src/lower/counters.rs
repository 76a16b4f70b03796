//! The tables of values of `hcp`, `pt0` to `pt9` and `controls`.

use crate::ast::Script;
use crate::diagnostic::{Report, Reports};
use crate::plan::{Counter, RankValues};

/// Tables before any `pointcount` or `altcount`, from the ace down.
const DEFAULTS: [&[i32]; Counter::COUNT] = [
    &[4, 3, 2, 1],
    &[0, 0, 0, 0, 1],
    &[0, 0, 0, 1],
    &[0, 0, 1],
    &[0, 1],
    &[1],
    &[1, 1],
    &[1, 1, 1],
    &[1, 1, 1, 1],
    &[1, 1, 1, 1, 1],
    &[6, 4, 2, 1],
    &[2, 1],
];

fn table(from_the_ace: &[i32]) -> RankValues {
    let mut values = [0; 13];
    for (place, &value) in from_the_ace.iter().enumerate().take(13) {
        values[12 - place] = value;
    }
    values
}

/// Returns the tables of the classic programs.
#[must_use]
pub fn default_counters() -> [RankValues; Counter::COUNT] {
    DEFAULTS.map(table)
}

/// Returns the tables of a script.
pub(crate) fn counters(script: &Script) -> [RankValues; Counter::COUNT] {
    let mut counters = default_counters();
    for count in &script.counts {
        counters[count.counter.index()] = table(&count.values);
    }
    counters
}

/// Returns whether the script has changed the tables that v1's `losers` uses.
pub(crate) fn losers_depend_on(counters: &[RankValues; Counter::COUNT]) -> bool {
    let changed = |c: Counter| counters[c.index()] != table(DEFAULTS[c.index()]);
    changed(Counter::Controls) || changed(Counter::Pt(6))
}

/// Reports E603 for counts that are outside the table of losers in v1. v1 would read other memory there.
pub(crate) fn check_losers(
    script: &Script,
    counters: &[RankValues; Counter::COUNT],
    reports: &mut Reports,
) {
    for (counter, name) in [(Counter::Controls, "controls"), (Counter::Pt(6), "top3")] {
        let values = &counters[counter.index()];
        let statement = script.counts.iter().rev().find(|c| c.counter == counter);
        let (Some(statement), Some((count, range))) = (statement, outside(counter, values)) else {
            continue;
        };
        reports.add(Report::error(
            "E603",
            statement.span,
            format!("with these values a suit can have a `{name}` count of {count}, but `losers` of this mode needs {range}"),
        ));
    }
}

/// Returns a count that is outside the table of losers, and the text of the allowed range.
fn outside(counter: Counter, values: &RankValues) -> Option<(i64, &'static str)> {
    let mut sorted: Vec<i64> = values.iter().map(|&v| i64::from(v)).collect();
    sorted.sort_unstable();
    let extremes = |cards: usize| -> [i64; 2] {
        [
            sorted[..cards].iter().sum(),
            sorted[13 - cards..].iter().sum(),
        ]
    };
    let beyond = |cards: usize, most: i64| {
        extremes(cards)
            .into_iter()
            .find(|sum| !(0..=most).contains(sum))
    };
    match counter {
        Counter::Controls => beyond(1, 2)
            .map(|sum| (sum, "0 to 2 for a singleton"))
            .or_else(|| beyond(2, 3).map(|sum| (sum, "0 to 3 for a doubleton"))),
        _ => (3..=13)
            .find_map(|cards| beyond(cards, 3))
            .map(|sum| (sum, "0 to 3 for three or more cards")),
    }
}
