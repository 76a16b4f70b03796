//! The report for the browser.

use std::fmt::Write as _;

use render::html::{Page, cards};
use solver::study::{Estimate, LeadResult};

use super::Question;

/// The whole page.
pub(super) fn page(question: &Question, results: &[LeadResult], layouts: u64) -> String {
    let mut page = Page::new(&format!(
        "{} leads against {}",
        question.leader().name(),
        question.contract
    ));
    let vulnerable = if question.vulnerable() {
        "vulnerable"
    } else {
        "not vulnerable"
    };
    page.raw(&format!("<p>{}</p>\n", cards(question.hand)));
    page.paragraph(&format!(
        "Declarer {vulnerable}; {layouts} layouts, solved double dummy. Faint numbers are 95 % \
         confidence intervals; cards in sequence are one lead."
    ));
    page.raw(&summary(results));
    page.heading("IMPs a board, row against column");
    page.paragraph("Coloured where the interval leaves no doubt who wins.");
    page.raw(&duels(results));
    page.finish()
}

fn summary(results: &[LeadResult]) -> String {
    let mut table = "<div class=\"scroll\"><table><tr><th>lead</th><th>tricks</th>\
                     <th>beats the contract</th><th></th><th>score</th><th>IMPs</th>\
                     <th>matchpoints</th></tr>\n"
        .to_owned();
    for (i, result) in results.iter().enumerate() {
        let class = if i == 0 { " class=\"best\"" } else { "" };
        let Estimate { value, low, high } = result.sets.scaled(100.0);
        let _ = writeln!(
            table,
            "<tr{class}><td>{lead}</td>{tricks}<td>{value:.1} % <span class=\"faint\">{low:.1} – \
             {high:.1}</span></td><td class=\"bar\"><div style=\"width:{value:.1}%\"></div></td>\
             {score}{imps}{matchpoints}</tr>",
            lead = cards(result.cards),
            tricks = mean(result.tricks, 2, ""),
            score = mean(result.score, 0, ""),
            imps = mean(result.imps, 2, ""),
            matchpoints = mean(result.matchpoints.scaled(100.0), 1, " %"),
        );
    }
    table + "</table></div>\n"
}

fn mean(estimate: Estimate, decimals: usize, unit: &str) -> String {
    let (value, margin) = (estimate.value, estimate.margin());
    // One deal says nothing about an interval.
    let margin = match margin.is_nan() {
        true => String::new(),
        false => format!(" <span class=\"faint\">± {margin:.decimals$}</span>"),
    };
    format!("<td>{value:.decimals$}{unit}{margin}</td>")
}

/// IMPs of every lead against every other one.
fn duels(results: &[LeadResult]) -> String {
    let mut table = "<div class=\"scroll\"><table><tr><th></th>".to_owned();
    for result in results {
        let _ = write!(table, "<th>{}</th>", cards(result.cards));
    }
    table.push_str("</tr>\n");
    for (i, result) in results.iter().enumerate() {
        let _ = write!(table, "<tr><td>{}</td>", cards(result.cards));
        for (j, duel) in result.duels.iter().enumerate() {
            let class = match duel {
                _ if i == j => {
                    table.push_str("<td></td>");
                    continue;
                }
                duel if duel.low > 0.0 => "plus",
                duel if duel.high < 0.0 => "minus",
                _ => "faint",
            };
            let _ = write!(table, "<td class=\"{class}\">{:+.2}</td>", duel.value);
        }
        table.push_str("</tr>\n");
    }
    table + "</table></div>\n"
}
