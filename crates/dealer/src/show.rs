//! Everything that a run prints, from the first deal to the statistics.

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

use super::output::{self, Gauges, Held, Watched};
use super::precision::{Averages, Watching};
use super::request::Request;
use super::side_files::SideFiles;
use super::{notices, stats_json, tables, words};
use crate::failure::{Failure, ShownPath};
use crate::interrupt::{Cause, Interrupt};
use crate::progress::RunProgress;
use crate::system;

/// What is printed, and how.
pub struct Show<'a> {
    /// What the command line asks for.
    pub request: &'a Request,
    /// The settings of the run.
    pub session: &'a Session,
    /// What is done with each deal.
    pub plan: &'a Plan,
    /// Titles, numbers, names.
    pub heading: Heading,
}

/// The heading of a run, but for names and seed.
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

/// Whether an action makes a table.
fn is_counted(action: &Action) -> bool {
    action.counted().is_some()
}

impl Show<'_> {
    /// Prints what `deal` hands to its sink and what it gives back, with the reason if that was not all.
    ///
    /// # Errors
    /// If the run fails (what was printed before stays printed) or an output takes no more.
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
        let mut held = Held::default();
        if request.debug.server > 0 && request.mode == Mode::V2 {
            io::stdout().write_all(b"\x0c")?;
        }
        let outputs = output::outputs(request, &shown, &mut files, &mut held);
        let press = OutputPipeline::new(shown, outputs, output::kept_deals(request.threads))?;
        let mut watched = self.watched(press);
        let (mut levels, mut types) = (None, None);
        let mut sink: &mut dyn Sink = match request.stats_json {
            true => {
                let plan = self.session.plan();
                let levels = levels.insert(HandTypes::of_levels(&mut watched, plan));
                types.insert(HandTypes::new(levels, plan))
            }
            false => &mut watched,
        };
        let mut watching;
        if let Some(averages) = &mut averages {
            watching = Watching { sink, averages };
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
        let (mut press, meter) = watched.finish();
        press.flush()?;
        let outcome = outcome.map_err(|error| words::failure(request.mode, error))?;
        if let Some(types) = types {
            drop(press);
            stats_json::print(self.session, &outcome, &types, &levels)?;
        } else {
            self.finish((press, meter), &outcome)?;
        }
        if let Some(averages) = &averages {
            averages.tell(&outcome);
        }
        // What was complete when somebody asked for an end is complete.
        let early = matches!(outcome.ended, Ended::Cancelled | Ended::TimedOut);
        if outcome.ended == Ended::TimedOut {
            request.time_is_up();
        }
        let cause = Interrupt::unheeded().cause().filter(|_| early);
        // What was told to end leaves the files that were there.
        let goes_on = !matches!(cause, Some(Cause::Signal(_)));
        if goes_on || files.deals.is_none() {
            let boards = (self.heading.first_board, outcome.produced);
            output::write_held(request, boards, &mut held, &mut files)?;
        }
        if goes_on {
            output::write_page(request.report.as_deref(), &held.page)?;
            tables::write(&request.tables, request.csv_safe, &outcome)?;
            if let Some(file) = files.deals {
                file.finish()?;
            }
        }
        if let Some(cause) = cause {
            self.tell(cause, &outcome);
        }
        Ok((outcome, cause))
    }

    /// How far a run came that ended early.
    fn tell(&self, cause: Cause, outcome: &Outcome) {
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

    /// The press, and what shows how far it has come.
    fn watched<'p>(&self, press: OutputPipeline<'p>) -> Watched<'p> {
        let (request, limits) = (self.request, self.session.settings().limits);
        let mut gauges = Gauges::default();
        if request.meter {
            let meter = Meter::new(limits.produce);
            let _ = io::stderr().write_all(meter.start().as_bytes());
            gauges.meter = Some(meter);
        } else if request.mode == Mode::Native {
            let (generate, produce) = limits.counts();
            let prints = request.format.is_some() || self.plan.actions.iter().any(prints_deals);
            gauges.progress = RunProgress::new(produce, generate, prints);
        }
        Watched::new(press, gauges)
    }

    /// Tables, statistics, and what the classic programs say besides.
    fn finish(
        &self,
        (mut press, meter): (OutputPipeline<'_>, Option<Meter>),
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
        press.end(outcome, calls)?;
        if request.mode == Mode::Native && outcome.produced == 0 && outcome.generated > 0 {
            words::nothing_produced(self.session, outcome);
        }
        Ok(())
    }
}
