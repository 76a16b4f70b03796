//! Questions about a script: `--check`, `--explain` and `--explain-deal`.

use std::io::{self, Write as _};
use std::process::ExitCode;

use croupier::render::explain;
use croupier::render::html::Page;
use croupier::session::Session;

use super::request::{Inquiry, Request};
use super::{output, words};
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// An answer in three formats: text, JSON and HTML.
struct InquiryAnswer {
    text: String,
    json: Vec<u8>,
    html: String,
}

/// Prints the answer to a question: as text, with `-f json` as JSON, and with `--report` also as an HTML page. The
/// script was read before, and its errors and warnings were shown. After a limit or a signal the answer is printed as far as
/// it goes, and the exit status is that of the limit.
///
/// # Errors
/// If the predeal is impossible or the answer cannot be printed.
pub fn answer(
    inquiry: &Inquiry,
    request: &Request,
    session: &Session,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let Some(answer) = answer_to(inquiry, session)? else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut out = io::stdout();
    match request.format {
        Some(format) if format.values => out.write_all(&answer.json)?,
        _ => out.write_all(answer.text.as_bytes())?,
    }
    let mut page = Page::new("What the script means");
    page.raw(&answer.html);
    output::write_page(request.report.as_deref(), page.finish().as_bytes())?;
    if interrupt.is_requested() {
        eprintln!(
            "dealer: {}: the explanation is not complete",
            interrupt.text()
        );
        return Ok(interrupt.exit_code());
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the answer, or `None` if there is nothing to print.
fn answer_to(inquiry: &Inquiry, session: &Session) -> Result<Option<InquiryAnswer>, Failure> {
    Ok(match inquiry {
        Inquiry::Check => None,
        Inquiry::Explain => {
            let explained = session
                .explain()
                .map_err(|error| words::failure(session.plan().mode, error))?;
            Some(InquiryAnswer {
                text: explain::explanation_text(&explained),
                json: explain::json(&explained),
                html: explain::explanation_html(&explained),
            })
        }
        Inquiry::ExplainDeal(deal) => {
            let explained = session.explain_deal(deal, None);
            Some(InquiryAnswer {
                text: explain::deal_explanation_text(deal, &explained),
                json: explain::json(&explained),
                html: explain::deal_explanation_html(deal, &explained),
            })
        }
    })
}
