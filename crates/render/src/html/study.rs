//! Pages of studies: opening leads and contracts.

use std::fmt::Write as _;

use studies::{
    ContractQuestion, ContractResult, Estimate, LeadQuestion, LeadResult, Study, StudyQuestion,
};

use super::{Page, cards, escape, histogram};

/// Returns the page of a study of opening leads: `results` of `layouts` solved layouts. Estimates have `digits` decimals,
/// or as many as their intervals support.
#[must_use]
pub fn lead_study_page(
    question: &LeadQuestion,
    results: &[LeadResult],
    layouts: u64,
    digits: Option<usize>,
) -> String {
    let cells = EstimateCells { digits };
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
    page.raw(&lead_summary(results, cells));
    page.heading("IMPs a board, row against column");
    page.paragraph("Coloured where the interval leaves no doubt who wins.");
    page.raw(&lead_pairs(results, cells));
    page.finish()
}

fn lead_summary(results: &[LeadResult], estimates: EstimateCells) -> String {
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
            tricks = estimates.cell(result.tricks, ""),
            sets = estimates.cell(result.sets.scaled(100.0), " %"),
            score = estimates.cell(result.score, ""),
            imps = estimates.cell(result.imps, ""),
            matchpoints = estimates.cell(result.matchpoints.scaled(100.0), " %"),
        );
    }
    table + "</table></div>\n"
}

/// Returns the table of the IMPs of every lead against every other lead.
fn lead_pairs(results: &[LeadResult], estimates: EstimateCells) -> String {
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
                false => table.push_str(&estimates.signed_cell(*imps)),
            }
        }
        table.push_str("</tr>\n");
    }
    table + "</table></div>\n"
}

/// Returns the page of a study of contracts. `heading` names the deals, and `by` the expression of the groups. Estimates
/// have `digits` decimals, or as many as their intervals support.
#[must_use]
pub fn contract_study_page(
    heading: &str,
    study: &Study<'_, ContractQuestion>,
    results: &[ContractResult],
    by: Option<&str>,
    digits: Option<usize>,
) -> String {
    let cells = EstimateCells { digits };
    let names: Vec<String> = results.iter().map(|it| it.declared.to_string()).collect();
    let mut page = Page::new(&names.join(" or "));
    page.paragraph(&format!(
        "{heading}, solved double dummy. Faint numbers are 95 % confidence intervals; scores are those of the side that \
         declares the first contract."
    ));
    page.raw(&contract_summary(results, cells));
    page.heading("IMPs a board, row against column");
    page.paragraph("Coloured where the interval leaves no doubt who wins.");
    page.raw(&contract_pairs(results, cells));
    for (contract, name) in names.iter().enumerate() {
        let tricks = study.tally().histogram(contract);
        let first = tricks.iter().position(|&deals| deals > 0).unwrap_or(0);
        let last = tricks.iter().rposition(|&deals| deals > 0).unwrap_or(13);
        let weighted = study.weighted_histogram(contract);
        let rows: Vec<(String, u64)> = (first..=last)
            .map(|number| (number.to_string(), weighted[number]))
            .collect();
        page.raw(&histogram(&format!("Tricks in {name}"), "tricks", &rows));
        page.raw(&trick_shares(study, contract, first..=last, cells));
    }
    if let Some(by) = by {
        page.heading(&format!("By {by}"));
        page.raw(&contract_groups(by, study, cells));
    }
    page.finish()
}

fn contract_summary(results: &[ContractResult], estimates: EstimateCells) -> String {
    let mut table = "<div class=\"scroll\"><table><caption class=\"sr\">The contracts</caption><thead><tr>\
                     <th scope=\"col\">contract</th><th scope=\"col\">tricks</th><th scope=\"col\">makes</th>\
                     <th scope=\"col\">score</th></tr></thead><tbody>\n"
        .to_owned();
    for result in results {
        let _ = writeln!(
            table,
            "<tr><th scope=\"row\">{}</th>{}{}{}</tr>",
            escape(&result.declared.to_string()),
            estimates.cell(result.tricks, ""),
            estimates.cell(result.made.scaled(100.0), " %"),
            estimates.cell(result.score, ""),
        );
    }
    table + "</tbody></table></div>\n"
}

/// Returns the table of the IMPs of every contract against every other contract.
fn contract_pairs(results: &[ContractResult], estimates: EstimateCells) -> String {
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
            table.push_str(&estimates.signed_cell(*imps));
        }
        table.push_str("</tr>\n");
    }
    table + "</tbody></table></div>\n"
}

/// Returns the table of the shares of the numbers of tricks that a contract takes.
fn trick_shares(
    study: &Study<'_, ContractQuestion>,
    contract: usize,
    numbers: std::ops::RangeInclusive<usize>,
    estimates: EstimateCells,
) -> String {
    let mut table =
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">tricks</th><th scope=\"col\">share</th></tr></thead><tbody>\n"
            .to_owned();
    for number in numbers {
        let share = study.share_of_tricks(contract, number as u8).scaled(100.0);
        let cell = estimates.cell(share, " %");
        let _ = writeln!(table, "<tr><th scope=\"row\">{number}</th>{cell}</tr>");
    }
    table + "</tbody></table></div>\n"
}

fn contract_groups(
    by: &str,
    study: &Study<'_, ContractQuestion>,
    estimates: EstimateCells,
) -> String {
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
                estimates.cell(result.tricks, ""),
                estimates.cell(result.made.scaled(100.0), " %"),
                estimates.cell(result.score, ""),
                estimates.cell(result.imps[0], ""),
            );
        }
    }
    table + "</tbody></table></div>\n"
}

/// Cells of estimates with `digits` decimals, or with as many as their intervals support.
#[derive(Clone, Copy)]
struct EstimateCells {
    digits: Option<usize>,
}

impl EstimateCells {
    /// Returns a cell with value and interval.
    fn cell(self, estimate: Estimate, unit: &str) -> String {
        format!("<td>{}</td>", self.text(estimate, unit))
    }

    /// Returns the cell of a difference, with its sign. The CSS class marks the winner if the interval excludes zero.
    fn signed_cell(self, estimate: Estimate) -> String {
        let class = match estimate {
            Estimate { low, .. } if low > 0.0 => "plus",
            Estimate { high, .. } if high < 0.0 => "minus",
            _ => "",
        };
        let sign = if estimate.value >= 0.0 { "+" } else { "" };
        format!(
            "<td class=\"{class}\">{sign}{}</td>",
            self.text(estimate, "")
        )
    }

    fn text(self, estimate: Estimate, unit: &str) -> String {
        let [value, low, high] = estimate.texts(self.digits);
        match estimate.interval() {
            Some(_) => {
                format!("{value}{unit} <span class=\"faint\">{low} to {high}</span>")
            }
            // A single deal has no interval.
            None => format!("{value}{unit}"),
        }
    }
}
