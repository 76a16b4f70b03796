//! Questions about a script: `--check`, `--explain`, `--explain-deal` and `--params`.

use std::io::{self, Write as _};
use std::process::ExitCode;

use croupier::render::explain;
use croupier::render::html::Page;
use croupier::session::Session;

use super::command_line::{CommandLine, Task};
use super::{inputs, words};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::whole_file;

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
    line: &CommandLine,
    session: &Session,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let Some(answer) = answer_to(&line.task, session)? else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut out = io::stdout();
    match line.output.format {
        Some(format) if format.values => out.write_all(&answer.json)?,
        _ => out.write_all(answer.text.as_bytes())?,
    }
    let mut page = Page::new("What the script means");
    page.raw(&answer.html);
    if let Some(path) = &line.output.report {
        whole_file::write(path, page.finish().as_bytes())?;
    }
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
fn answer_to(task: &Task, session: &Session) -> Result<Option<InquiryAnswer>, Failure> {
    Ok(match task {
        Task::Deal | Task::ListParameters | Task::Check => None,
        Task::Explain => {
            let explained = session
                .explain()
                .map_err(|error| words::failure(session.plan().mode, error))?;
            Some(InquiryAnswer {
                text: explain::explanation_text(&explained),
                json: explain::json(&explained),
                html: explain::explanation_html(&explained),
            })
        }
        Task::ExplainDeal(deal) => {
            let explained = session.explain_deal(deal, None);
            Some(InquiryAnswer {
                text: explain::deal_explanation_text(deal, &explained),
                json: explain::json(&explained),
                html: explain::deal_explanation_html(deal, &explained),
            })
        }
    })
}

/// Prints the parameters of the script and their descriptions.
///
/// # Errors
/// If the script cannot be read or the answer cannot be printed.
pub fn list_parameters(line: &CommandLine) -> Result<ExitCode, Failure> {
    let (_, text) = inputs::read_script(line.inputs.scripts.first(), line.dialect())?;
    let mut out = String::new();
    for parameter in croupier::script::parameters(&text) {
        let given = line.job.variables[usize::from(parameter.number)].as_deref();
        let value = given
            .or(parameter.default.as_deref())
            .unwrap_or("(no text)");
        out += &format!("${}  {value}", parameter.number);
        if let Some(description) = &parameter.description {
            out += &format!("  # {description}");
        }
        if !parameter.used {
            out += "  (declared, but not used)";
        }
        out.push('\n');
    }
    if out.is_empty() {
        out = "the script has no parameters\n".to_owned();
    }
    io::stdout().write_all(out.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
