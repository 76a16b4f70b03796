//! The answer as text, CSV and JSON.

use std::io::{self, Write};

use croupier::suits::{Combination, Fraction, Layout, SuitLine, holding_text};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::table::{Listing, ListingCell, TableFormat};

/// Number of levels of a line that are printed without `--tree`.
pub(super) const DEFAULT_DEPTH: usize = 2;

/// A first play and its value.
pub(super) struct Alternative {
    pub(super) play: String,
    pub(super) value: Fraction,
}

/// The best line for one goal, with its value.
pub(super) struct GoalAnswer {
    pub(super) name: String,
    /// Whether the value is a probability.
    pub(super) is_chance: bool,
    pub(super) value: Fraction,
    /// The line of play, or `None` if the tricks are certain.
    pub(super) line: Option<SuitLine>,
    /// Descriptions of the first plays, the best first.
    pub(super) alternatives: Vec<Alternative>,
    pub(super) note: Option<String>,
}

/// All answers for a combination.
pub(super) struct Report {
    pub(super) combination: Combination,
    pub(super) conditions: Vec<String>,
    pub(super) answers: Vec<GoalAnswer>,
    pub(super) shows_layouts: bool,
    /// Number of levels of cases to print.
    pub(super) deepest: usize,
}

impl GoalAnswer {
    /// Formats a chance in percent, any other value as a number.
    pub(super) fn text(&self, value: Fraction) -> String {
        match self.is_chance {
            true => format!("{:.2} %", value.percent()),
            false => format!("{:.4}", value.value()),
        }
    }

    /// Returns the first play of the line.
    pub(super) fn play(&self) -> String {
        match &self.line {
            Some(line) => line.first_play(),
            None => "take the top tricks".to_owned(),
        }
    }

    /// Returns the layouts against which the line succeeds, if the value is a chance: West's and East's cards.
    pub(super) fn layouts(&self) -> Vec<(String, String, u8, Fraction)> {
        let Some(line) = &self.line else {
            return Vec::new();
        };
        let won = |layout: &&Layout| !self.is_chance || layout.tricks > 0;
        let rows = line.layouts().iter().filter(won);
        rows.map(|layout| {
            let (west, east) = cards_of(layout);
            (west, east, layout.tricks, layout.chance)
        })
        .collect()
    }
}

/// Formats the defenders' cards of a layout. Equivalent cards that are divided between both hands are each written as
/// `x`.
fn cards_of(layout: &Layout) -> (String, String) {
    let mut hands = [String::new(), String::new()];
    for &(group, west) in &layout.west {
        let number = group.len();
        for (hand, held) in [(0, usize::from(west)), (1, number - usize::from(west))] {
            if held == number {
                hands[hand] += &group.to_string();
            } else {
                hands[hand] += &"x".repeat(held);
            }
        }
    }
    let [west, east] = hands.map(|text| match text.is_empty() {
        true => "-".to_owned(),
        false => text,
    });
    (west, east)
}

impl Report {
    /// Writes the report.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(super) fn write(&self, format: TableFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            TableFormat::Text => self.text(out),
            TableFormat::Csv | TableFormat::CsvSafe => self.table().write(format, out),
            TableFormat::Json => {
                serde_json::to_writer(&mut *out, &self.json())?;
                writeln!(out)
            }
        }
    }

    pub(super) fn title(&self) -> String {
        format!(
            "{} opposite {}, missing {}",
            holding_text(self.combination.north()),
            holding_text(self.combination.south()),
            holding_text(self.combination.missing())
        )
    }

    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.title())?;
        for condition in &self.conditions {
            writeln!(out, "{condition}")?;
        }
        writeln!(out)?;
        let width = self.answers.iter().map(|answer| answer.name.len()).max();
        for answer in &self.answers {
            let name = format!("{:>1$}", answer.name, width.unwrap_or(0));
            writeln!(
                out,
                "{name}  {:>9}  {}",
                answer.text(answer.value),
                answer.play()
            )?;
        }
        for answer in &self.answers {
            if let Some(line) = &answer.line {
                writeln!(out)?;
                self.text_of_line(answer, line, out)?;
            }
        }
        Ok(())
    }

    fn text_of_line(
        &self,
        answer: &GoalAnswer,
        line: &SuitLine,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let exact = match answer.value.denominator() {
            1 => String::new(),
            _ => format!(" = {}", answer.value),
        };
        writeln!(out, "{}: {}{exact}", answer.name, answer.text(answer.value))?;
        for (depth, sentence) in line.outline().lines(self.deepest) {
            writeln!(out, "{:1$}{sentence}", "", 2 + 2 * depth)?;
        }
        if let Some(note) = &answer.note {
            writeln!(out, "  ({note})")?;
        }
        let others: Vec<String> = answer
            .alternatives
            .iter()
            .take(6)
            .map(|other| format!("{} {}", other.play, answer.text(other.value)))
            .collect();
        if others.len() > 1 {
            writeln!(out, "  First plays: {}.", others.join("; "))?;
        }
        if self.shows_layouts {
            writeln!(out, "  {:>9}  {:>9}  tricks  chance", "West", "East")?;
            for (west, east, tricks, chance) in answer.layouts() {
                writeln!(
                    out,
                    "  {west:>9}  {east:>9}  {tricks:6}  {:6.2} %",
                    chance.percent()
                )?;
            }
        }
        Ok(())
    }

    /// Returns a table with a row for each goal and first play.
    fn table(&self) -> Listing {
        let mut table = Listing::new(&["goal", "play", "value", "fraction", "best"]);
        for answer in &self.answers {
            let mut row = |play: &str, value: Fraction, is_best: bool| {
                table.push(vec![
                    ListingCell::Text(answer.name.clone()),
                    play.into(),
                    ListingCell::Decimal(value.value(), 12),
                    ListingCell::Text(value.to_string()),
                    if is_best { "yes" } else { "no" }.into(),
                ]);
            };
            if answer.alternatives.is_empty() {
                row(&answer.play(), answer.value, true);
            }
            for other in &answer.alternatives {
                row(&other.play, other.value, other.value == answer.value);
            }
        }
        table
    }

    fn json(&self) -> JsonReport<'_> {
        JsonReport {
            north: holding_text(self.combination.north()),
            south: holding_text(self.combination.south()),
            missing: holding_text(self.combination.missing()),
            conditions: &self.conditions,
            goals: self
                .answers
                .iter()
                .map(|answer| self.json_answer(answer))
                .collect(),
        }
    }

    fn json_answer<'a>(&self, answer: &'a GoalAnswer) -> JsonGoal<'a> {
        let alternatives = answer.alternatives.iter().map(|other| JsonPlay {
            play: &other.play,
            value: digits(other.value),
        });
        let layouts = answer
            .layouts()
            .into_iter()
            .map(|(west, east, tricks, chance)| JsonLayout {
                west,
                east,
                tricks,
                chance: digits(chance),
            });
        JsonGoal {
            goal: &answer.name,
            value: digits(answer.value),
            fraction: answer.value.to_string(),
            play: answer.play(),
            line: answer.line.as_ref().map(|line| line.outline().to_string()),
            note: answer.note.as_deref(),
            first_plays: alternatives.collect(),
            layouts: self.shows_layouts.then(|| layouts.collect()),
        }
    }
}

/// Returns a JSON number with twelve decimals.
fn digits(value: Fraction) -> Option<Box<RawValue>> {
    RawValue::from_string(format!("{:.12}", value.value())).ok()
}

#[derive(Serialize)]
struct JsonReport<'a> {
    north: String,
    south: String,
    missing: String,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    conditions: &'a [String],
    goals: Vec<JsonGoal<'a>>,
}

#[derive(Serialize)]
struct JsonGoal<'a> {
    goal: &'a str,
    value: Option<Box<RawValue>>,
    fraction: String,
    play: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    first_plays: Vec<JsonPlay<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layouts: Option<Vec<JsonLayout>>,
}

#[derive(Serialize)]
struct JsonPlay<'a> {
    play: &'a str,
    value: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct JsonLayout {
    west: String,
    east: String,
    tricks: u8,
    chance: Option<Box<RawValue>>,
}
