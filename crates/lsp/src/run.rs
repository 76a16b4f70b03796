//! The command `croupier.run`: runs a script and returns its output as text.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use croupier::Job;
use croupier::render::{
    Classic, DialectStyle, Heading, KeptDeals, Output, OutputOptions, OutputPipeline, RunContext,
};
use croupier::script::Dialect;
use croupier::session::{Ended, Error};

use crate::analysis::OpenFiles;

/// Time limit of a run. Long runs belong on the command line.
pub const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Maximum bytes of output that are kept.
const MOST_BYTES: usize = 4 << 20;

/// Number of lines that a message window shows.
const LINES_OF_MESSAGE: usize = 40;

/// A script to run, with copies of the files that the editor has open.
pub struct ScriptRun {
    /// Path of the script, which is its name in messages.
    pub name: String,
    /// Text of the script.
    pub text: String,
    /// Dialect of the script.
    pub dialect: Dialect,
    /// Texts of all files that the editor has open.
    pub open: HashMap<PathBuf, String>,
    /// Number of deals to produce, if the caller sets it.
    pub produce: Option<u64>,
    /// Seed, if the caller sets it.
    pub seed: Option<i64>,
    /// Flag that ends the run early.
    pub cancel: Arc<AtomicBool>,
}

/// Output that ends at a maximum size.
#[derive(Default)]
struct LimitedText {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Write for LimitedText {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let free = MOST_BYTES - self.bytes.len();
        self.is_cut |= text.len() > free;
        self.bytes.extend_from_slice(&text[..text.len().min(free)]);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ScriptRun {
    /// Runs the script and returns its output, as `dealer` prints it.
    ///
    /// # Errors
    /// The message for the user.
    pub(crate) fn run(self) -> Result<String, String> {
        let open = self.open;
        let mut job = Job::new(self.text)
            .name(self.name)
            .dialect(self.dialect)
            .imports(OpenFiles {
                open: move |path: &Path| open.get(path).cloned(),
            })
            .time_limit(TIME_LIMIT)
            .cancel(self.cancel);
        #[cfg(feature = "bidding")]
        {
            job = job.robots(std::sync::Arc::new(
                croupier::bidding::BuiltInRobots::default(),
            ));
        }
        if let Some(produce) = self.produce {
            job = job.produce(produce);
        }
        if let Some(seed) = self.seed {
            job = job.seed(seed);
        }
        let session = job.prepare().map_err(|error| shown(&error))?;
        let settings = session.settings();
        let heading = Heading {
            seed: settings.seed.to_string(),
            shows_hand_types: self.dialect.dealer3,
            ..Heading::of(settings, &OutputOptions::default())
        };
        let plan = session.plan();
        let run = RunContext {
            plan,
            heading: &heading,
            style: DialectStyle::of(plan.mode),
        };
        let mut text = LimitedText::default();
        let wrong = |error: io::Error| error.to_string();
        let outcome = {
            let output = Output::new(Classic::default(), &mut text);
            let mut pipeline =
                OutputPipeline::new(run, vec![output], KeptDeals::default()).map_err(wrong)?;
            let outcome = session.run(&mut pipeline).map_err(|error| shown(&error))?;
            pipeline.flush().map_err(wrong)?;
            pipeline.end(&outcome, false).map_err(wrong)?;
            outcome
        };
        let mut result = String::from_utf8_lossy(&text.bytes).into_owned();
        if text.is_cut {
            result += "\n... (cut here: run the script with `dealer` to see all of it)\n";
        }
        match outcome.ended {
            Ended::TimedOut => {
                let seconds = TIME_LIMIT.as_secs();
                result +=
                    &format!("Stopped after {seconds} seconds; `dealer` runs without a limit.\n");
            }
            Ended::Cancelled => result += "Stopped.\n",
            _ => {}
        }
        Ok(result)
    }
}

fn shown(error: &Error) -> String {
    match error {
        Error::Script(messages) => messages.iter().map(|it| it.render()).collect(),
        error => error.to_string(),
    }
}

/// Returns the beginning of a text, for editors that can only show a message.
#[must_use]
pub fn beginning(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(LINES_OF_MESSAGE + 1).collect();
    if lines.len() > LINES_OF_MESSAGE {
        lines[LINES_OF_MESSAGE] = "...";
    }
    lines.join("\n")
}
