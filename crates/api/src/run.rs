//! Runs of a script, reported as a stream of events.

mod event_sink;
mod job;
mod messages;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use croupier::Key;
use croupier::render::{Classic, Heading, KeptDeals, Output, OutputPipeline};
use croupier::script::plan::{Action, Axis, Counted};
use croupier::session::tournament::KeyFile;
use croupier::session::{Error, Outcome, Partial, Session};

use crate::check;
use crate::tables;
use crate::{RequestError, RequestLimits};
use event_sink::{Bounded, EventSink};
use job::{job, key_file};
pub use messages::{Mix, Produced, RunEvent, RunRequest, TournamentKey};

/// Maximum number of averages and tables of one run.
const MOST_TABLES: usize = 2_000;

/// Maximum number of values of printed deals in one run.
const MOST_VALUES: u64 = 2_000_000;

/// Limits and resources of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Maximum number of deals reported in one run.
    pub deals: u64,
    /// Maximum number of cells of all frequency tables.
    pub cells: u64,
    /// Number of threads; 1 uses the calling thread only.
    pub threads: usize,
    /// Time limit.
    pub time: Option<Duration>,
    /// Cancellation flag; setting it ends the run.
    pub cancel: Arc<AtomicBool>,
    /// Maximum length of the printed text in bytes.
    pub text: usize,
}

impl RunOptions {
    /// Returns the options for a browser: one thread, no clock.
    #[must_use]
    pub fn in_browser() -> RunOptions {
        RunOptions {
            deals: 20_000,
            cells: 1 << 20,
            threads: 1,
            time: None,
            cancel: Arc::default(),
            text: 4 << 20,
        }
    }
}

/// Returns a random name for a run; `None` if the system has no random bytes.
#[must_use]
pub fn random_name() -> Option<String> {
    Some(Key::from_os().ok()?.to_hex())
}

/// A script that is ready to run.
pub struct PreparedScript {
    session: Session,
    /// Whether the script prints deals.
    shows: bool,
    options: RunOptions,
    script: String,
    /// Key and terms of a tournament.
    key_file: Option<KeyFile>,
}

impl PreparedScript {
    /// Compiles the script and checks the request against the limits.
    ///
    /// # Errors
    /// If the script has errors, or the request exceeds a limit.
    pub fn new(
        request: &RunRequest,
        limits: &RequestLimits,
        options: RunOptions,
    ) -> Result<PreparedScript, RequestError> {
        let mut session = job(request, limits, &options)?
            .prepare()
            .map_err(|error| RequestError::of_session(&request.script, error))?;
        let shows = request.deals_only || session.plan().prints_deals;
        if request.deals_only {
            session.retain_actions(|_| false);
        }
        let robots = session.check_robots();
        robots.map_err(|error| RequestError::of_session(&request.script, error))?;
        let (_, produce) = session.settings().limits.counts();
        if shows && produce > options.deals {
            return Err(RequestError::limit(format!(
                "{produce} deals are too many to show here; at most {} are, and any number is counted without printing actions",
                options.deals
            )));
        }
        let actions = &session.plan().actions;
        let tables = actions.iter().filter(|it| it.counted().is_some()).count();
        if tables > MOST_TABLES {
            return Err(RequestError::limit(format!(
                "the script has {tables} averages and tables; at most {MOST_TABLES} are counted here"
            )));
        }
        let values = croupier::engine::value_starts(session.plan())
            .last()
            .copied();
        let values = produce.saturating_mul(values.unwrap_or(0) as u64);
        if shows && values > MOST_VALUES {
            return Err(RequestError::limit(format!(
                "{produce} deals have {values} values; at most {MOST_VALUES} are shown here"
            )));
        }
        let cells: u64 = session
            .plan()
            .actions
            .iter()
            .map(cells)
            .fold(0, u64::saturating_add);
        if cells > options.cells {
            return Err(RequestError::limit(format!(
                "the frequency tables have {cells} cells; at most {} are shown here",
                options.cells
            )));
        }
        Ok(PreparedScript {
            key_file: key_file(request, &session)?,
            session,
            shows,
            options,
            script: request.script.clone(),
        })
    }

    /// Returns the first event.
    #[must_use]
    pub fn start(&self) -> RunEvent {
        let settings = self.session.settings();
        let (generate, produce) = settings.limits.counts();
        let warnings = self.session.warnings().iter();
        RunEvent::Start {
            run: None,
            seed: settings.seed.to_string(),
            title: String::from_utf8_lossy(&settings.title).into_owned(),
            columns: croupier::session::ColumnName::all(self.session.plan())
                .into_iter()
                .map(|column| column.name)
                .collect(),
            warnings: warnings
                .map(|it| check::diagnostic(&self.script, it))
                .collect(),
            produce: (produce < generate).then_some(produce),
        }
    }

    /// Returns the flag that ends the run when it is set.
    #[must_use]
    pub fn cancel_flag(&self) -> &AtomicBool {
        &self.options.cancel
    }

    /// Returns the number of the first board.
    #[must_use]
    pub fn first_board(&self) -> i64 {
        self.session.settings().first_board
    }

    /// Runs the script and sends all events but the first.
    pub fn run(&self, send: &mut dyn FnMut(RunEvent) -> ControlFlow<()>) {
        let session = &self.session;
        let told = self.send_events(send, &|sink| {
            let mut run = session.start()?;
            sink.mixed = run.mixed().cloned();
            run.finish(sink)
        });
        if let Err(problem) = told {
            let _ = send(RunEvent::Problem { problem });
        }
    }

    /// Returns the maximum number of deals of the run, if it can be divided into parts.
    #[must_use]
    pub fn parts(&self) -> Option<u64> {
        self.session.shards(1).ok()?;
        Some(self.session.settings().limits.counts().0)
    }

    /// Runs the deals with the numbers `first` to `last`.
    ///
    /// # Errors
    /// If the run cannot be divided.
    pub fn part(&self, first: u64, last: u64) -> Result<Partial, RequestError> {
        self.session
            .run_range(first..last, self.shows)
            .map_err(|error| RequestError::of_session(&self.script, error))
    }

    /// Merges parts and sends all events but the first. Parts may be missing at the end: then the run counts as
    /// cancelled there.
    pub fn join(&self, parts: &Partial, send: &mut dyn FnMut(RunEvent) -> ControlFlow<()>) {
        let session = &self.session;
        let told = self.send_events(send, &|sink| session.join(parts, sink));
        if let Err(problem) = told {
            let _ = send(RunEvent::Problem { problem });
        }
    }

    fn send_events(
        &self,
        send: &mut dyn FnMut(RunEvent) -> ControlFlow<()>,
        run: &dyn Fn(&mut EventSink<'_, '_>) -> Result<Outcome, Error>,
    ) -> Result<(), RequestError> {
        let settings = self.session.settings();
        let heading = Heading {
            seed: settings.seed.to_string(),
            title: settings.title.clone(),
            first_board: settings.first_board,
            dealer: settings.dealer,
            vulnerable: settings.vulnerable,
            par_vulnerability: settings.par_vulnerability,
            ..Heading::default()
        };
        let plan = self.session.plan();
        let look = croupier::render::RunContext {
            plan,
            heading: &heading,
            style: croupier::render::DialectStyle::of(plan.mode),
        };
        let mut text = Bounded::new(self.options.text);
        let statistics = Classic {
            statistics: false,
            ..Classic::default()
        };
        let wrong = |error: std::io::Error| RequestError::run(error.to_string());
        let outcome = {
            let output = Output::new(statistics, &mut text);
            let pipeline =
                OutputPipeline::new(look, vec![output], KeptDeals::default()).map_err(wrong)?;
            let mut event_sink = EventSink {
                send: &mut *send,
                pipeline,
                shows: self.shows,
                deals: Vec::new(),
                first_board: settings.first_board,
                dealer: settings.dealer,
                vulnerable: settings.vulnerable,
                mixed: None,
            };
            let outcome = run(&mut event_sink)
                .map_err(|error| RequestError::of_session(&self.script, error))?;
            let _ = event_sink.flush();
            event_sink.pipeline.end(&outcome, false).map_err(wrong)?;
            outcome
        };
        let ended = serde_json::to_value(outcome.ended)
            .ok()
            .and_then(|word| word.as_str().map(str::to_owned))
            .unwrap_or_default();
        let _ = send(RunEvent::End {
            ended: ended.to_lowercase(),
            generated: outcome.generated,
            produced: outcome.produced,
            seconds: outcome.seconds.unwrap_or(0.0),
            tables: outcome.tables.iter().map(tables::shown).collect(),
            text: text.into_text(),
            is_precise: outcome.precision.map(|result| result.reached),
            tournament: self.key_file.as_ref().map(|file| TournamentKey {
                file: file.to_string(),
                commitment: file.expected_commitment(),
            }),
        });
        Ok(())
    }
}

/// Returns the number of cells of an action's table.
fn cells(action: &Action) -> u64 {
    let axis = |axis: &Axis| {
        let span = i64::from(axis.high) - i64::from(axis.low);
        span.max(0) as u64 / u64::from(axis.size.max(1).unsigned_abs()) + 3
    };
    match action.counted() {
        Some(Counted::Frequency { rows, columns, .. }) => {
            axis(rows).saturating_mul(columns.map_or(1, axis))
        }
        Some(Counted::Average { .. } | Counted::EvalContract { .. }) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(request: &RunRequest) -> Vec<RunEvent> {
        events_within(request, &RequestLimits::default())
    }

    fn events_within(request: &RunRequest, limits: &RequestLimits) -> Vec<RunEvent> {
        let prepared = PreparedScript::new(request, limits, RunOptions::in_browser()).unwrap();
        let mut list = vec![prepared.start()];
        prepared.run(&mut |event| {
            list.push(event);
            ControlFlow::Continue(())
        });
        list
    }

    fn deals(events: &[RunEvent]) -> Vec<String> {
        let mut list = Vec::new();
        for event in events {
            if let RunEvent::Deals { deals } = event {
                list.extend(deals.iter().map(|it| it.board.deal.clone()));
            }
        }
        list
    }

    fn request(script: &str) -> RunRequest {
        RunRequest {
            script: script.to_owned(),
            seed: Some("1".to_owned()),
            ..RunRequest::default()
        }
    }

    #[cfg(feature = "bidding")]
    fn with_robots() -> RequestLimits {
        RequestLimits {
            robots: Some(crate::auction::built_in_robots),
            ..RequestLimits::default()
        }
    }

    #[cfg(feature = "bidding")]
    #[test]
    fn deals_are_selected_by_their_auctions() {
        let script = "condition bids(\"1N\") produce 2";
        let two_over_one = deals(&events_within(&request(script), &with_robots()));
        assert_eq!(two_over_one.len(), 2);
        let dutch = RunRequest {
            bidding_system: Some("dutch".to_owned()),
            ..request(script)
        };
        assert_eq!(deals(&events_within(&dutch, &with_robots())).len(), 2);
        for request in [request(script), dutch] {
            let limits = RequestLimits::default();
            let refused = PreparedScript::new(&request, &limits, RunOptions::in_browser());
            let problem = refused.err().expect("there are no robots");
            assert!(
                problem.message.contains("bidding robots"),
                "{}",
                problem.message
            );
        }
    }

    /// A request must not start a program or read a file on the server.
    #[cfg(feature = "bidding")]
    #[test]
    fn requests_cannot_start_robots_or_read_files() {
        let started = std::env::temp_dir().join(format!("started-{}", std::process::id()));
        let robot = format!("robot:touch {}", started.display());
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../examples/systems/natural.bid"
        );
        for name in [robot.as_str(), file, "/etc/passwd", "natural.bid"] {
            let request = |ns: &str, ew: &str| RunRequest {
                bidding_system: Some(ns.to_owned()),
                bidding_system_ew: Some(ew.to_owned()),
                ..request("condition bids(\"1N\") produce 1")
            };
            for request in [request(name, "2/1"), request("2/1", name)] {
                let prepared =
                    PreparedScript::new(&request, &with_robots(), RunOptions::in_browser());
                let problem = prepared.err().expect(name);
                assert!(
                    problem.message.contains("use 2/1 or dutch"),
                    "{}",
                    problem.message
                );
            }
        }
        assert!(!started.exists());
    }

    #[test]
    fn a_run_ends_at_its_precision() {
        let with = |precision: &str| RunRequest {
            precision: Some(precision.to_owned()),
            ..request("action average hcp(north)")
        };
        let list = events(&with("0.2 points"));
        let Some(RunEvent::End {
            produced,
            is_precise,
            ..
        }) = list.last()
        else {
            panic!("{list:?}");
        };
        assert!(*is_precise == Some(true) && (200..10_000).contains(produced));
        let refused = |precision: &str| {
            let request = with(precision);
            PreparedScript::new(
                &request,
                &RequestLimits::default(),
                RunOptions::in_browser(),
            )
            .is_err()
        };
        assert!(refused("0.2") && refused("-1 points"));
    }

    #[test]
    fn a_run_sends_events_from_start_to_end() {
        let script =
            "condition hcp(north) > 14 action printoneline, average \"hearts\" hearts(south)";
        let list = events(&request(script));
        assert!(matches!(
            &list[0],
            RunEvent::Start {
                produce: Some(40),
                ..
            }
        ));
        assert_eq!(deals(&list).len(), 40);
        let Some(RunEvent::End {
            produced,
            tables,
            text,
            ..
        }) = list.last()
        else {
            panic!("{list:?}");
        };
        assert_eq!((*produced, tables.len()), (40, 1));
        assert_eq!(
            text.lines().filter(|line| line.starts_with("n ")).count(),
            40
        );
    }

    #[test]
    fn parts_put_together_are_the_run() {
        let script = "condition hcp(north) > 14 action printall, frequency (hearts(south), 0, 13)";
        let request = request(script);
        let whole = events(&request);
        let prepared = PreparedScript::new(
            &request,
            &RequestLimits::default(),
            RunOptions::in_browser(),
        )
        .unwrap();
        assert!(prepared.parts().is_some());
        let parts =
            [(1024, 2048), (0, 1024)].map(|(first, last)| prepared.part(first, last).unwrap());
        let parts = Partial::merge_all(parts).unwrap();
        let mut list = vec![prepared.start()];
        prepared.join(&parts, &mut |event| {
            list.push(event);
            ControlFlow::Continue(())
        });
        assert_eq!(deals(&list), deals(&whole));
        let end = |list: &[RunEvent]| match list.last() {
            Some(RunEvent::End {
                tables,
                text,
                generated,
                ..
            }) => (tables.clone(), text.clone(), *generated),
            other => panic!("{other:?}"),
        };
        assert_eq!(end(&list), end(&whole));
    }

    #[test]
    fn errors_of_the_script_have_their_places() {
        let request = request("condition hcp(nrth) > 3");
        let problem = PreparedScript::new(
            &request,
            &RequestLimits::default(),
            RunOptions::in_browser(),
        )
        .err()
        .unwrap();
        assert_eq!(problem.diagnostics[0].code, "E306");
    }

    #[test]
    fn the_options_of_a_job_reach_the_boards() {
        let mut request = request("condition spades(north) == $1 action printoneline");
        request.produce = Some(2);
        request.variables.insert("1".to_owned(), "5".to_owned());
        request.dealer = Some("W".to_owned());
        request.vulnerable = Some("ew".to_owned());
        request.first_board = Some(7);
        request.title = Some("Tuesday".to_owned());
        request.solve = true;
        let list = events(&request);
        let Some(RunEvent::Start { title, .. }) = list.first() else {
            panic!("{list:?}");
        };
        assert_eq!(title, "Tuesday");
        let boards: Vec<_> = list
            .iter()
            .filter_map(|event| match event {
                RunEvent::Deals { deals } => Some(deals),
                _ => None,
            })
            .flatten()
            .map(|it| &it.board)
            .collect();
        assert_eq!(boards.len(), 2);
        assert_eq!(boards[1].number, Some(8));
        assert_eq!(boards[0].dealer.as_deref(), Some("W"));
        assert_eq!(boards[0].vulnerable.as_deref(), Some("ew"));
        assert!(boards[0].tricks.is_some());
        let deal: croupier::cards::Deal = boards[0].deal.parse().unwrap();
        let north = deal.hand(croupier::cards::Seat::North);
        assert_eq!(north.holding(croupier::cards::Suit::Spades).len(), 5);
        for (exchange, sampler) in [(Some(1), None), (None, Some("maybe".to_owned()))] {
            request.exchange = exchange;
            request.sampler = sampler;
            let options = RunOptions::in_browser();
            assert!(PreparedScript::new(&request, &RequestLimits::default(), options).is_err());
        }
    }

    #[test]
    fn too_many_deals_are_refused() {
        let mut request = request("action printall");
        request.produce = Some(1_000_000);
        let problem = PreparedScript::new(
            &request,
            &RequestLimits::default(),
            RunOptions::in_browser(),
        )
        .err()
        .unwrap();
        assert_eq!(problem.kind, crate::RequestErrorKind::Limit);
    }
}
