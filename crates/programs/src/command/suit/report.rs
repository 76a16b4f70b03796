//! The answer as text, CSV and JSON.

use std::io::{self, Write};

use croupier::declarer::SuitAnalysis;
use croupier::suits::{Fraction, GoalSummary, SuitLine, holding_text};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::table::{Listing, ListingCell, TableFormat};

/// Number of levels of a line that are printed without `--tree`.
pub(super) const DEFAULT_DEPTH: usize = 2;

/// The answer, and what to print of it.
pub(super) struct Report {
    pub(super) answer: SuitAnalysis,
    pub(super) shows_layouts: bool,
    /// Number of levels of cases to print.
    pub(super) deepest: usize,
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
            holding_text(self.answer.combination.north()),
            holding_text(self.answer.combination.south()),
            holding_text(self.answer.combination.missing())
        )
    }

    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.title())?;
        for condition in &self.answer.assumptions {
            writeln!(out, "{condition}")?;
        }
        writeln!(out)?;
        let width = self
            .answer
            .goals
            .iter()
            .map(|answer| answer.name.len())
            .max();
        for answer in &self.answer.goals {
            let name = format!("{:>1$}", answer.name, width.unwrap_or(0));
            writeln!(
                out,
                "{name}  {:>9}  {}",
                answer.text(answer.value),
                answer.play()
            )?;
        }
        for answer in &self.answer.goals {
            if let Some(line) = &answer.line {
                writeln!(out)?;
                self.text_of_line(answer, line, out)?;
            }
        }
        Ok(())
    }

    fn text_of_line(
        &self,
        answer: &GoalSummary,
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
            .first_plays
            .iter()
            .take(6)
            .map(|(play, value)| format!("{play} {}", answer.text(*value)))
            .collect();
        if others.len() > 1 {
            writeln!(out, "  First plays: {}.", others.join("; "))?;
        }
        if self.shows_layouts {
            writeln!(out, "  {:>9}  {:>9}  tricks  chance", "West", "East")?;
            for layout in answer.layouts() {
                let (west, east) = layout.texts();
                writeln!(
                    out,
                    "  {west:>9}  {east:>9}  {:6}  {:6.2} %",
                    layout.tricks,
                    layout.chance.percent()
                )?;
            }
        }
        Ok(())
    }

    /// Returns a table with a row for each goal and first play.
    fn table(&self) -> Listing {
        let mut table = Listing::new(&["goal", "play", "value", "fraction", "best"]);
        for answer in &self.answer.goals {
            let mut row = |play: &str, value: Fraction, is_best: bool| {
                table.push(vec![
                    ListingCell::Text(answer.name.clone()),
                    play.into(),
                    ListingCell::Decimal(value.value(), 12),
                    ListingCell::Text(value.to_string()),
                    if is_best { "yes" } else { "no" }.into(),
                ]);
            };
            if answer.first_plays.is_empty() {
                row(&answer.play(), answer.value, true);
            }
            for (play, value) in &answer.first_plays {
                row(play, *value, *value == answer.value);
            }
        }
        table
    }

    fn json(&self) -> JsonReport<'_> {
        JsonReport {
            north: holding_text(self.answer.combination.north()),
            south: holding_text(self.answer.combination.south()),
            missing: holding_text(self.answer.combination.missing()),
            conditions: &self.answer.assumptions,
            goals: self
                .answer
                .goals
                .iter()
                .map(|answer| self.json_answer(answer))
                .collect(),
        }
    }

    fn json_answer<'a>(&self, answer: &'a GoalSummary) -> JsonGoal<'a> {
        let first_plays = answer.first_plays.iter().map(|(play, value)| JsonPlay {
            play,
            value: digits(*value),
        });
        let layouts = answer.layouts().into_iter().map(|layout| {
            let (west, east) = layout.texts();
            JsonLayout {
                west,
                east,
                tricks: layout.tricks,
                chance: digits(layout.chance),
            }
        });
        JsonGoal {
            goal: &answer.name,
            value: digits(answer.value),
            fraction: answer.value.to_string(),
            play: answer.play(),
            line: answer.line.as_ref().map(|line| line.outline().to_string()),
            note: answer.note.as_deref(),
            first_plays: first_plays.collect(),
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
