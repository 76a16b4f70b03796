//! The answer as an HTML page.

use std::fmt::Write as _;

use croupier::render::html::{Page, escape};
use croupier::suits::GoalSummary;

use super::report::Report;

/// Returns the page.
pub(super) fn page(report: &Report) -> String {
    let mut page = Page::new(&report.title());
    for condition in &report.answer.assumptions {
        page.paragraph(condition);
    }
    page.raw(&summary(report));
    for answer in &report.answer.goals {
        if answer.line.is_some() {
            page.heading(&format!("{}: {}", answer.name, answer.text(answer.value)));
            page.raw(&line(report, answer));
            if let Some(note) = &answer.note {
                page.paragraph(note);
            }
            page.raw(&first_plays(answer));
            if report.shows_layouts {
                page.raw(&layouts(answer));
            }
        }
    }
    page.finish()
}

fn summary(report: &Report) -> String {
    let mut table = "<table><tr><th>goal</th><th>value</th><th>best play</th></tr>\n".to_owned();
    for answer in &report.answer.goals {
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&answer.name),
            answer.text(answer.value),
            escape(&answer.play())
        );
    }
    table + "</table>\n"
}

/// Formats a line of play as nested lists, with an item for each case.
fn line(report: &Report, answer: &GoalSummary) -> String {
    let Some(line) = &answer.line else {
        return String::new();
    };
    let mut list = String::new();
    let mut open = 0;
    for (depth, sentence) in line.outline().lines(report.deepest) {
        while open > depth + 1 {
            list.push_str("</ul>");
            open -= 1;
        }
        while open < depth + 1 {
            list.push_str("<ul>");
            open += 1;
        }
        let _ = writeln!(list, "<li>{}</li>", escape(&sentence));
    }
    list + &"</ul>".repeat(open) + "\n"
}

fn first_plays(answer: &GoalSummary) -> String {
    if answer.first_plays.len() < 2 {
        return String::new();
    }
    let mut table = "<table><tr><th>first play</th><th>value</th></tr>\n".to_owned();
    for (play, value) in &answer.first_plays {
        let best = match *value == answer.value {
            true => " class=\"best\"",
            false => "",
        };
        let _ = writeln!(
            table,
            "<tr{best}><td>{}</td><td>{}</td></tr>",
            escape(play),
            answer.text(*value)
        );
    }
    table + "</table>\n"
}

fn layouts(answer: &GoalSummary) -> String {
    let mut table =
        "<table><tr><th>West</th><th>East</th><th>tricks</th><th>chance</th></tr>\n".to_owned();
    for layout in answer.layouts() {
        let (west, east) = layout.texts();
        let _ = writeln!(
            table,
            "<tr><td>{west}</td><td>{east}</td><td>{}</td><td>{:.2} %</td></tr>",
            layout.tricks,
            layout.chance.percent()
        );
    }
    table + "</table>\n"
}
