//! Printing of a run, from the first deal to the statistics.

use std::io::{self, Write};
use std::path::PathBuf;

use croupier::cards::Seat;
use croupier::render::classic::prints_deals;
use croupier::render::classic::statistics::Meter;
use croupier::render::{Heading, OutputPipeline, Style};
use croupier::script::plan::{Action, Plan};
use croupier::session::{
    Clustered, Ended, Error, HandTypes, Mode, Outcome, Session, Settings, Sink,
};

use super::output::{self, DeferredOutput, ProgressDisplays, ProgressSink};
use super::precision::{Averages, PrecisionSink};
use super::request::Request;
use super::side_files::SideFiles;
use super::{notices, stats_json, tables, words};
use crate::failure::{Failure, ShownPath};
use crate::interrupt::{Cause, Interrupt};
use crate::progress::RunProgress;
use crate::system;

/// Prints a run.
pub struct RunPrinter<'a> {
    /// The request.
    pub request: &'a Request,
    /// The settings of the run.
    pub session: &'a Session,
    /// The compiled script.
    pub plan: &'a Plan,
    /// Title, board numbers and names.
    pub heading: Heading,
}

/// Returns the heading of a run without names and seed.
pub fn heading(request: &Request, settings: &Settings) -> Heading {
    let (dealer, vulnerable) = match request.rotate {
        true => (None, None),
        false => (settings.dealer, settings.vulnerable),
    };
    let first_board = request.first_board.unwrap_or(settings.first_board);
    let wanted = i64::try_from(settings.limits.counts().1).unwrap_or(i64::MAX);
    Heading {
        date: system::today(),
        first_board,
        last_board: first_board.saturating_add(wanted).saturating_sub(1),
        dealer,
        vulnerable,
        rotate_from: request
            .rotate
            .then(|| settings.dealer.unwrap_or(Seat::North)),
        par_vulnerability: settings.vulnerability,
        digits: request.digits,
        csv_safe: request.csv_safe,
        ..Heading::default()
    }
}

/// Returns whether an action produces a table.
fn is_counted(action: &Action) -> bool {
    action.counted().is_some()
}

impl RunPrinter<'_> {
    /// Runs `deal` with a sink that prints the deals, then prints the tables and statistics. Returns the outcome, and
    /// the cause if the run ended early.
    ///
    /// # Errors
    /// If the run fails (output before the failure stays), or an output cannot be written.
    pub fn print(
        &self,
        mut files: SideFiles,
        deal: impl FnOnce(&mut dyn Sink) -> Result<Outcome, Error>,
    ) -> Result<(Outcome, Option<Cause>), Failure> {
        let request = self.request;
        let mut averages = match request.precision {
            Some(precision) => {
                let arrangements = request.swap.arrangements();
                Some(Averages::new(self.plan, precision, arrangements)?)
            }
            None => None,
        };
        let shown = croupier::render::Run {
            plan: self.plan,
            heading: &self.heading,
            style: Style::of(request.mode),
        };
        let mut deferred = DeferredOutput::default();
        if request.debug.server > 0 && request.mode == Mode::V2 {
            io::stdout().write_all(b"\x0c")?;
        }
        let outputs = output::outputs(request, &shown, &mut files, &mut deferred);
        let pipeline = OutputPipeline::new(shown, outputs, output::kept_deals(request.threads))?;
        let mut with_progress = self.with_progress(pipeline);
        let (mut levels, mut types) = (None, None);
        let mut sink: &mut dyn Sink = match request.stats_json {
            true => {
                let plan = self.session.plan();
                let levels = levels.insert(HandTypes::of_levels(&mut with_progress, plan));
                types.insert(HandTypes::new(levels, plan))
            }
            false => &mut with_progress,
        };
        let mut watching;
        if let Some(averages) = &mut averages {
            watching = PrecisionSink { sink, averages };
            sink = &mut watching;
        }
        let shows_intervals = request.report.is_some()
            || !request.tables.is_empty()
            || request.mode == Mode::Native && self.plan.actions.iter().any(is_counted);
        let outcome = match request.swap.arrangements() {
            2.. if shows_intervals => {
                let mut sink = Clustered::new(sink, self.plan, request.swap.arrangements());
                let outcome = deal(&mut sink);
                outcome.map(|mut outcome| {
                    sink.finish(&mut outcome.tables);
                    outcome
                })
            }
            _ => deal(sink),
        };
        let types = types.map(HandTypes::finish);
        let levels = levels.map(HandTypes::finish).unwrap_or_default();
        let (mut pipeline, meter) = with_progress.finish();
        pipeline.flush()?;
        let outcome = outcome.map_err(|error| words::failure(request.mode, error))?;
        if let Some(types) = types {
            drop(pipeline);
            stats_json::print(self.session, &outcome, &types, &levels)?;
        } else {
            self.finish((pipeline, meter), &outcome)?;
        }
        if let Some(averages) = &averages {
            averages.report(&outcome);
        }
        // A run that was complete when the interrupt came counts as complete.
        let early = matches!(outcome.ended, Ended::Cancelled | Ended::TimedOut);
        if outcome.ended == Ended::TimedOut {
            request.time_is_up();
        }
        let cause = Interrupt::peek().cause().filter(|_| early);
        // After a signal, existing files are not replaced.
        let completes_files = !matches!(cause, Some(Cause::Signal(_)));
        if completes_files || files.deals.is_none() {
            let boards = (self.heading.first_board, outcome.produced);
            output::write_deferred(request, boards, &mut deferred, &mut files)?;
        }
        if completes_files {
            output::write_page(request.report.as_deref(), &deferred.page)?;
            tables::write(&request.tables, request.csv_safe, &outcome)?;
            if let Some(file) = files.deals {
                file.finish()?;
            }
        }
        if let Some(cause) = cause {
            self.report_early_end(cause, &outcome);
        }
        Ok((outcome, cause))
    }

    /// Prints how far a run came that ended early.
    fn report_early_end(&self, cause: Cause, outcome: &Outcome) {
        let (generated, produced) = (outcome.generated, outcome.produced);
        let mut text = format!(
            "{}: {generated} deals looked at, {produced} produced",
            cause.text()
        );
        let files = [&self.request.output, &self.request.report];
        let files = files.into_iter().flatten().map(PathBuf::as_path);
        let tables = self.request.tables.iter().map(|file| file.path());
        for path in files.chain(tables) {
            if matches!(cause, Cause::Signal(_)) {
                text += &format!("; {} is not written", path.shown());
            }
        }
        if self.request.mode == Mode::Native {
            let _ = writeln!(io::stderr(), "dealer: {text}");
        }
    }

    /// Wraps the pipeline in a sink that shows the progress.
    fn with_progress<'p>(&self, pipeline: OutputPipeline<'p>) -> ProgressSink<'p> {
        let (request, limits) = (self.request, self.session.settings().limits);
        let mut displays = ProgressDisplays::default();
        if request.meter {
            let meter = Meter::new(limits.produce);
            let _ = io::stderr().write_all(meter.start().as_bytes());
            displays.meter = Some(meter);
        } else if request.mode == Mode::Native {
            let (generate, produce) = limits.counts();
            let prints = request.format.is_some() || self.plan.actions.iter().any(prints_deals);
            displays.progress = RunProgress::new(produce, generate, prints);
        }
        ProgressSink::new(pipeline, displays)
    }

    /// Prints tables, statistics and the messages of the classic programs.
    fn finish(
        &self,
        (mut pipeline, meter): (OutputPipeline<'_>, Option<Meter>),
        outcome: &Outcome,
    ) -> Result<(), Failure> {
        let request = self.request;
        if let Some(meter) = meter {
            let _ = io::stderr().write_all(meter.end().as_bytes());
        }
        notices::print(request, self.plan, outcome);
        if outcome.ended == Ended::Exhausted && request.mode == Mode::V2 {
            let _ = writeln!(
                io::stderr(),
                "2 : Too Many Passes through Library. Ending Run Now "
            );
        }
        let calls = request.debug.level >= 2;
        pipeline.end(outcome, calls)?;
        if request.mode == Mode::Native && outcome.produced == 0 && outcome.generated > 0 {
            words::nothing_produced(self.session, outcome);
        }
        Ok(())
    }
}
