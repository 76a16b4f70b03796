//! Pages of studies: opening leads and contracts.

use std::fmt::Write as _;

use studies::{
    ContractQuestion, ContractResult, Estimate, LeadQuestion, LeadResult, Study, StudyQuestion,
};

use super::{Page, cards, escape, histogram};

/// Returns the page of a study of opening leads: `results` of `layouts` solved layouts.
#[must_use]
pub fn lead_study_page(question: &LeadQuestion, results: &[LeadResult], layouts: u64) -> String {
    let mut page = Page::new(&format!(
        "{} leads against {}",
        question.leader().name(),
        question.contract()
    ));
    let vulnerable = if question.is_vulnerable() {
        "vulnerable"
    } else {
        "not vulnerable"
    };
    page.raw(&format!("<p>{}</p>\n", cards(question.hand())));
    page.paragraph(&format!(
        "Declarer {vulnerable}; {layouts} layouts, solved double dummy. Faint numbers are 95 % \
         confidence intervals; cards in sequence are one lead."
    ));
    page.raw(&lead_summary(results));
    page.heading("IMPs a board, row against column");
    page.paragraph("Coloured where the interval leaves no doubt who wins.");
    page.raw(&lead_pairs(results));
    page.finish()
}

fn lead_summary(results: &[LeadResult]) -> String {
    let mut table = "<div class=\"scroll\"><table><tr><th>lead</th><th>tricks</th>\
                     <th>beats the contract</th><th></th><th>score</th><th>IMPs</th>\
                     <th>matchpoints</th></tr>\n"
        .to_owned();
    for (i, result) in results.iter().enumerate() {
        let class = if i == 0 { " class=\"best\"" } else { "" };
        let Estimate { value, .. } = result.sets.scaled(100.0);
        let _ = writeln!(
            table,
            "<tr{class}><td>{lead}</td>{tricks}{sets}<td class=\"bar\"><div style=\"width:{value:.1}%\"></div></td>\
             {score}{imps}{matchpoints}</tr>",
            lead = cards(result.cards),
            tricks = mean_cell(result.tricks, 2, ""),
            sets = share_cell(result.sets),
            score = mean_cell(result.score, 0, ""),
            imps = mean_cell(result.imps, 2, ""),
            matchpoints = mean_cell(result.matchpoints.scaled(100.0), 1, " %"),
        );
    }
    table + "</table></div>\n"
}

/// Returns the table of the IMPs of every lead against every other lead.
fn lead_pairs(results: &[LeadResult]) -> String {
    let mut table = "<div class=\"scroll\"><table><tr><th></th>".to_owned();
    for result in results {
        let _ = write!(table, "<th>{}</th>", cards(result.cards));
    }
    table.push_str("</tr>\n");
    for (i, result) in results.iter().enumerate() {
        let _ = write!(table, "<tr><td>{}</td>", cards(result.cards));
        for (j, imps) in result.imps_against.iter().enumerate() {
            match i == j {
                true => table.push_str("<td></td>"),
                false => {
                    let class = sign_class(imps, "faint");
                    let _ = write!(table, "<td class=\"{class}\">{:+.2}</td>", imps.value);
                }
            }
        }
        table.push_str("</tr>\n");
    }
    table + "</table></div>\n"
}

/// Returns the page of a study of contracts. `heading` names the deals, and `by` the expression of the groups.
#[must_use]
pub fn contract_study_page(
    heading: &str,
    study: &Study<'_, ContractQuestion>,
    results: &[ContractResult],
    by: Option<&str>,
) -> String {
    let names: Vec<String> = results.iter().map(|it| it.declared.to_string()).collect();
    let mut page = Page::new(&names.join(" or "));
    page.paragraph(&format!(
        "{heading}, solved double dummy. Faint numbers are 95 % confidence intervals; scores are those of the side that \
         declares the first contract."
    ));
    page.raw(&contract_summary(results));
    page.heading("IMPs a board, row against column");
    page.paragraph("Coloured where the interval leaves no doubt who wins.");
    page.raw(&contract_pairs(results));
    for (contract, name) in names.iter().enumerate() {
        let tricks = study.tally().histogram(contract);
        let first = tricks.iter().position(|&deals| deals > 0).unwrap_or(0);
        let last = tricks.iter().rposition(|&deals| deals > 0).unwrap_or(13);
        let weighted = study.weighted_histogram(contract);
        let rows: Vec<(String, u64)> = (first..=last)
            .map(|number| (number.to_string(), weighted[number]))
            .collect();
        page.raw(&histogram(&format!("Tricks in {name}"), "tricks", &rows));
    }
    if let Some(by) = by {
        page.heading(&format!("By {by}"));
        page.raw(&contract_groups(by, study));
    }
    page.finish()
}

fn contract_summary(results: &[ContractResult]) -> String {
    let mut table = "<div class=\"scroll\"><table><caption class=\"sr\">The contracts</caption><thead><tr>\
                     <th scope=\"col\">contract</th><th scope=\"col\">tricks</th><th scope=\"col\">makes</th>\
                     <th scope=\"col\">score</th></tr></thead><tbody>\n"
        .to_owned();
    for result in results {
        let _ = writeln!(
            table,
            "<tr><th scope=\"row\">{}</th>{}{}{}</tr>",
            escape(&result.declared.to_string()),
            mean_cell(result.tricks, 2, ""),
            share_cell(result.made),
            mean_cell(result.score, 0, ""),
        );
    }
    table + "</tbody></table></div>\n"
}

/// Returns the table of the IMPs of every contract against every other contract.
fn contract_pairs(results: &[ContractResult]) -> String {
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
            if i == j {
                table.push_str("<td></td>");
                continue;
            }
            let class = sign_class(imps, "");
            let sign = if imps.value >= 0.0 { "+" } else { "" };
            let start = format!("<td class=\"{class}\">{sign}");
            let cell = mean_cell(*imps, 2, "").replacen("<td>", &start, 1);
            table.push_str(&cell);
        }
        table.push_str("</tr>\n");
    }
    table + "</tbody></table></div>\n"
}

fn contract_groups(by: &str, study: &Study<'_, ContractQuestion>) -> String {
    let mut table = format!(
        "<div class=\"scroll\"><table><caption class=\"sr\">The contracts by {by}</caption><thead><tr>\
         <th scope=\"col\">{by}</th><th scope=\"col\">deals</th><th scope=\"col\">contract</th>\
         <th scope=\"col\">tricks</th><th scope=\"col\">makes</th><th scope=\"col\">score</th>\
         <th scope=\"col\">IMPs against the first</th></tr></thead><tbody>\n",
        by = escape(by)
    );
    for (value, tally) in study.groups() {
        for result in study.question().results(tally) {
            let _ = writeln!(
                table,
                "<tr><th scope=\"row\">{value}</th><td>{}</td><td>{}</td>{}{}{}{}</tr>",
                tally.deals(),
                escape(&result.declared.to_string()),
                mean_cell(result.tricks, 2, ""),
                share_cell(result.made),
                mean_cell(result.score, 0, ""),
                mean_cell(result.imps[0], 2, ""),
            );
        }
    }
    table + "</tbody></table></div>\n"
}

/// Returns the class of a difference: by its sign if the interval excludes zero, otherwise `open`.
fn sign_class<'a>(estimate: &Estimate, open: &'a str) -> &'a str {
    if estimate.low > 0.0 {
        "plus"
    } else if estimate.high < 0.0 {
        "minus"
    } else {
        open
    }
}

fn mean_cell(estimate: Estimate, decimals: usize, unit: &str) -> String {
    let (value, margin) = (estimate.value, estimate.margin());
    // A single deal has no interval.
    let margin = match margin.is_nan() {
        true => String::new(),
        false => format!(" <span class=\"faint\">± {margin:.decimals$}</span>"),
    };
    format!("<td>{value:.decimals$}{unit}{margin}</td>")
}

fn share_cell(estimate: Estimate) -> String {
    let Estimate { value, low, high } = estimate.scaled(100.0);
    format!("<td>{value:.1} % <span class=\"faint\">{low:.1} – {high:.1}</span></td>")
}
