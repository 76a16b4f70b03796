//! The answer as an HTML page.

use std::fmt::Write as _;

use croupier::render::html::{Page, escape};

use super::report::{GoalAnswer, Report};

/// Returns the page.
pub(super) fn page(report: &Report) -> String {
    let mut page = Page::new(&report.title());
    for condition in &report.conditions {
        page.paragraph(condition);
    }
    page.raw(&summary(report));
    for answer in &report.answers {
        if answer.line.is_some() {
            page.heading(&format!("{}: {}", answer.name, answer.text(answer.value)));
            page.raw(&line(report, answer));
            page.raw(&alternatives(answer));
            if report.shows_layouts {
                page.raw(&layouts(answer));
            }
        }
    }
    page.finish()
}

fn summary(report: &Report) -> String {
    let mut table = "<table><tr><th>goal</th><th>value</th><th>best play</th></tr>\n".to_owned();
    for answer in &report.answers {
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
fn line(report: &Report, answer: &GoalAnswer) -> String {
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

fn alternatives(answer: &GoalAnswer) -> String {
    if answer.alternatives.len() < 2 {
        return String::new();
    }
    let mut table = "<table><tr><th>first play</th><th>value</th></tr>\n".to_owned();
    for other in &answer.alternatives {
        let best = match other.value == answer.value {
            true => " class=\"best\"",
            false => "",
        };
        let _ = writeln!(
            table,
            "<tr{best}><td>{}</td><td>{}</td></tr>",
            escape(&other.play),
            answer.text(other.value)
        );
    }
    table + "</table>\n"
}

fn layouts(answer: &GoalAnswer) -> String {
    let mut table =
        "<table><tr><th>West</th><th>East</th><th>tricks</th><th>chance</th></tr>\n".to_owned();
    for (west, east, tricks, chance) in answer.layouts() {
        let _ = writeln!(
            table,
            "<tr><td>{west}</td><td>{east}</td><td>{tricks}</td><td>{:.2} %</td></tr>",
            chance.percent()
        );
    }
    table + "</table>\n"
}
