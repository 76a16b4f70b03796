//! The report for the browser.

use std::fmt::Write as _;

use render::html::{Page, escape, histogram};
use solver::study::{ContractResult, Estimate};

use super::Findings;

/// The whole page.
pub(super) fn page(
    heading: &str,
    results: &[ContractResult],
    found: &Findings<'_>,
    by: Option<&str>,
) -> String {
    let names: Vec<String> = results.iter().map(|it| it.declared.to_string()).collect();
    let mut page = Page::new(&names.join(" or "));
    page.paragraph(&format!(
        "{heading}, solved double dummy. Faint numbers are 95 % confidence intervals; scores are those of the side that \
         declares the first contract."
    ));
    page.raw(&summary(results));
    page.heading("IMPs a board, row against column");
    page.paragraph("Coloured where the interval leaves no doubt who wins.");
    page.raw(&duels(results));
    for (place, (name, tricks)) in names.iter().zip(&found.tricks).enumerate() {
        let first = tricks.iter().position(|&deals| deals > 0).unwrap_or(0);
        let last = tricks.iter().rposition(|&deals| deals > 0).unwrap_or(13);
        let solved: u64 = tricks.iter().sum();
        // Deals that were chosen count for as many as they stand for.
        let counted = |place, number| (found.share(place, number) * solved as f64).round() as u64;
        let rows: Vec<(String, u64)> = (first..=last)
            .map(|number| (number.to_string(), counted(place, number)))
            .collect();
        page.raw(&histogram(&format!("Tricks in {name}"), "tricks", &rows));
    }
    if let Some(by) = by {
        page.heading(&format!("By {by}"));
        page.raw(&groups(by, found));
    }
    page.finish()
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

fn share(estimate: Estimate) -> String {
    let Estimate { value, low, high } = estimate.scaled(100.0);
    format!("<td>{value:.1} % <span class=\"faint\">{low:.1} – {high:.1}</span></td>")
}

fn summary(results: &[ContractResult]) -> String {
    let mut table = "<div class=\"scroll\"><table><caption class=\"sr\">The contracts</caption><thead><tr>\
                     <th scope=\"col\">contract</th><th scope=\"col\">tricks</th><th scope=\"col\">makes</th>\
                     <th scope=\"col\">score</th></tr></thead><tbody>\n"
        .to_owned();
    for result in results {
        let _ = writeln!(
            table,
            "<tr><th scope=\"row\">{}</th>{}{}{}</tr>",
            escape(&result.declared.to_string()),
            mean(result.tricks, 2, ""),
            share(result.made),
            mean(result.score, 0, ""),
        );
    }
    table + "</tbody></table></div>\n"
}

/// IMPs of every contract against every other one.
fn duels(results: &[ContractResult]) -> String {
    let mut table =
        "<div class=\"scroll\"><table><caption class=\"sr\">IMPs a board, row against column</caption><thead><tr><td></td>"
            .to_owned();
    for result in results {
        let name = escape(&result.declared.to_string());
        let _ = write!(table, "<th scope=\"col\">{name}</th>");
    }
    table.push_str("</tr></thead><tbody>\n");
    for (i, result) in results.iter().enumerate() {
        let name = escape(&result.declared.to_string());
        let _ = write!(table, "<tr><th scope=\"row\">{name}</th>");
        for (j, imps) in result.imps.iter().enumerate() {
            let class = match imps {
                _ if i == j => {
                    table.push_str("<td></td>");
                    continue;
                }
                imps if imps.low > 0.0 => "plus",
                imps if imps.high < 0.0 => "minus",
                _ => "",
            };
            let sign = if imps.value >= 0.0 { "+" } else { "" };
            let start = format!("<td class=\"{class}\">{sign}");
            let cell = mean(*imps, 2, "").replacen("<td>", &start, 1);
            table.push_str(&cell);
        }
        table.push_str("</tr>\n");
    }
    table + "</tbody></table></div>\n"
}

fn groups(by: &str, found: &Findings<'_>) -> String {
    let mut table = format!(
        "<div class=\"scroll\"><table><caption class=\"sr\">The contracts by {by}</caption><thead><tr>\
         <th scope=\"col\">{by}</th><th scope=\"col\">deals</th><th scope=\"col\">contract</th>\
         <th scope=\"col\">tricks</th><th scope=\"col\">makes</th><th scope=\"col\">score</th>\
         <th scope=\"col\">IMPs against the first</th></tr></thead><tbody>\n",
        by = escape(by)
    );
    for (value, study) in &found.groups {
        for result in study.results() {
            let _ = writeln!(
                table,
                "<tr><th scope=\"row\">{value}</th><td>{}</td><td>{}</td>{}{}{}{}</tr>",
                study.deals(),
                escape(&result.declared.to_string()),
                mean(result.tricks, 2, ""),
                share(result.made),
                mean(result.score, 0, ""),
                mean(result.imps[0], 2, ""),
            );
        }
    }
    table + "</tbody></table></div>\n"
}
