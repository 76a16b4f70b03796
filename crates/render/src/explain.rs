//! Explanations of a script, as text and as HTML; the JSON is serialised with serde.

use std::fmt::Write as _;

use cards::Deal;
use serde::Serialize;
use session::{ClauseTrial, DealExplanation, Dealing, Explanation, NamedValue};

use crate::html::{cards as cards_html, escape};

/// Formats the requirements of a script and how it would be dealt.
#[must_use]
pub fn explanation_text(explanation: &Explanation) -> String {
    let mut text = explanation.plan.clone();
    dealing_text(&mut text, &explanation.dealing);
    if let Some(trial) = &explanation.trial {
        trial_text(&mut text, trial);
    }
    text
}

fn dealing_text(text: &mut String, dealing: &Dealing) {
    match dealing {
        Dealing::Plain { reason } => drop(writeln!(text, "dealing: plain; {reason}")),
        Dealing::Sampled {
            reason,
            covered,
            tested,
            probability,
            percent,
        } => {
            let _ = writeln!(text, "dealing: by the exact sampler; {reason}");
            list(text, "every deal satisfies:", covered);
            list(text, "tested on each deal:", tested);
            let _ = writeln!(
                text,
                "      probability of what every deal satisfies: {probability} ({percent} %)"
            );
        }
    }
}

fn list(text: &mut String, heading: &str, expressions: &[String]) {
    for (number, expression) in expressions.iter().enumerate() {
        let heading = if number == 0 { heading } else { "" };
        let _ = writeln!(text, "      {heading:22}{expression}");
    }
}

/// Returns `part` of `whole` in per cent.
fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => "     -  ".to_owned(),
        _ => format!("{:7.3}%", 100.0 * part as f64 / whole as f64),
    }
}

/// Writes which clause rejects all deals, if there is one.
fn clause_that_rejects_all(trial: &ClauseTrial) -> Option<String> {
    let place = trial
        .clauses
        .iter()
        .position(|clause| clause.reached > 0 && clause.passed == 0)
        .filter(|_| trial.accepted == 0)?;
    Some(format!(
        "nothing was accepted: clause {} held in none of the {} deals that reached it",
        place + 1,
        trial.clauses[place].reached
    ))
}

fn trial_text(text: &mut String, trial: &ClauseTrial) {
    let _ = writeln!(text, "trial: {} deals", trial.deals);
    text.push_str("       reached     holds\n");
    for (number, clause) in trial.clauses.iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>4}. {:7}  {}   {}",
            number + 1,
            clause.reached,
            share(clause.passed, clause.reached),
            clause.expression
        );
    }
    let _ = writeln!(
        text,
        "      {} accepted ({} )",
        trial.accepted,
        share(trial.accepted, trial.deals).trim()
    );
    if let Some(failure) = &trial.failure {
        let _ = writeln!(text, "      a run over these deals fails: {failure}");
    } else if let Some(clause_that_rejects_all) = clause_that_rejects_all(trial) {
        let _ = writeln!(text, "      {clause_that_rejects_all}");
    }
}

/// Formats the explanation as part of an HTML page.
#[must_use]
pub fn explanation_html(explanation: &Explanation) -> String {
    let mut dealing = String::new();
    dealing_text(&mut dealing, &explanation.dealing);
    let mut html = format!(
        "<section><h2>What the script asks for</h2>\n<pre>{}{}</pre></section>\n",
        escape(&explanation.plan),
        escape(&dealing)
    );
    let Some(trial) = &explanation.trial else {
        return html;
    };
    let _ = writeln!(
        html,
        "<section><h2>Trial of {} deals</h2>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">clause</th>\
         <th scope=\"col\">reached</th><th scope=\"col\">holds</th><td></td></tr></thead><tbody>",
        trial.deals
    );
    for clause in &trial.clauses {
        let holds = share(clause.passed, clause.reached);
        let width = 100.0 * clause.passed as f64 / clause.reached.max(1) as f64;
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td>{}</td>\
             <td class=\"bar\"><div style=\"width:{width:.1}%\"></div></td></tr>",
            escape(&clause.expression),
            clause.reached,
            holds.trim(),
        );
    }
    let _ = writeln!(
        html,
        "</tbody></table></div><p>{} accepted ({}).</p>",
        trial.accepted,
        share(trial.accepted, trial.deals).trim()
    );
    let complaint = trial
        .failure
        .as_ref()
        .map(|failure| format!("A run over these deals fails: {failure}"));
    if let Some(complaint) = complaint.or_else(|| clause_that_rejects_all(trial)) {
        let _ = writeln!(html, "<p>{}</p>", escape(&complaint));
    }
    html + "</section>\n"
}

fn shown(value: &Result<i32, String>) -> String {
    match value {
        Ok(value) => value.to_string(),
        Err(error) => error.clone(),
    }
}

/// Returns whether a clause holds, with its value if that is not only 0 or 1.
fn verdict(clause: &NamedValue) -> String {
    match &clause.value {
        Ok(0) => "fails".to_owned(),
        Ok(1) => "holds".to_owned(),
        other if clause.holds() => format!("holds ({})", shown(other)),
        other => format!("fails ({})", shown(other)),
    }
}

/// Formats whether the deal is accepted.
fn decision(explanation: &DealExplanation) -> String {
    match explanation.rejected_by() {
        _ if explanation.clauses.is_empty() => "accepted: there is no condition".to_owned(),
        None => "accepted".to_owned(),
        Some(number) => format!("rejected: clause {number} fails"),
    }
}

/// Formats all values of a script on one deal.
#[must_use]
pub fn deal_explanation_text(deal: &Deal, explanation: &DealExplanation) -> String {
    let mut text = format!("{}\n", deal.one_line());
    if !explanation.variables.is_empty() {
        text.push_str("variables:\n");
        for variable in &explanation.variables {
            let _ = writeln!(text, "      {} = {}", variable.name, shown(&variable.value));
        }
    }
    if !explanation.clauses.is_empty() {
        text.push_str("condition:\n");
    }
    for (number, clause) in explanation.clauses.iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>4}. {:6}  {}",
            number + 1,
            verdict(clause),
            clause.name
        );
    }
    text + &decision(explanation) + "\n"
}

/// Formats the explanation of a deal as part of an HTML page.
#[must_use]
pub fn deal_explanation_html(deal: &Deal, explanation: &DealExplanation) -> String {
    let mut html = String::from("<section>");
    for seat in cards::Seat::ALL {
        let _ = writeln!(
            html,
            "<p>{} {}</p>",
            seat.letter(),
            cards_html(deal.hand(seat))
        );
    }
    let mut table = |heading: &str, rows: &[NamedValue], shown: &dyn Fn(&NamedValue) -> String| {
        if rows.is_empty() {
            return;
        }
        let _ = write!(
            html,
            "<h2>{heading}</h2>\n<div class=\"scroll\"><table><tbody>\n"
        );
        for row in rows {
            let _ = writeln!(
                html,
                "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td></tr>",
                escape(&row.name),
                escape(&shown(row))
            );
        }
        html.push_str("</tbody></table></div>\n");
    };
    table("Variables", &explanation.variables, &|row| {
        shown(&row.value)
    });
    table("Condition", &explanation.clauses, &verdict);
    let _ = writeln!(html, "<p><b>{}</b></p></section>", decision(explanation));
    html
}

/// Formats an explanation as JSON with a line end.
#[must_use]
pub fn json(explanation: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(explanation).unwrap_or_else(|_| b"null".to_vec());
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::Job;

    const SCRIPT: &str = "points = hcp(north) condition points > 15 and hearts(north) == 3";

    #[test]
    fn a_deal_is_explained_clause_by_clause() {
        let session = Job::new(SCRIPT).seed(1).prepare().unwrap();
        let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
            .parse()
            .unwrap();
        let explained = session.explain_deal(&deal, None);
        let text = deal_explanation_text(&deal, &explained);
        assert!(
            text.contains("      points = 20\n")
                && text.contains("   1. holds   hearts(north) == 3\n")
                && text.ends_with("accepted\n"),
            "{text}"
        );
        let html = deal_explanation_html(&deal, &explained);
        assert!(html.contains("hcp(north) &gt; 15") && html.contains("<b>accepted</b>"));
        let turned = deal.rotated(1);
        let text = deal_explanation_text(&turned, &session.explain_deal(&turned, None));
        assert!(text.ends_with("rejected: clause 1 fails\n"), "{text}");
    }

    #[test]
    fn a_script_is_explained_in_three_formats() {
        let session = Job::new(SCRIPT).seed(1).prepare().unwrap();
        let explanation = session.explain().unwrap();
        let text = explanation_text(&explanation);
        assert!(
            text.contains("dealing: ") && text.contains("trial: 200000 deals\n"),
            "{text}"
        );
        assert!(explanation_html(&explanation).contains("hearts(north) == 3"));
        let value: serde_json::Value = serde_json::from_slice(&json(&explanation)).unwrap();
        assert_eq!(value["trial"]["deals"], 200_000);
    }
}
