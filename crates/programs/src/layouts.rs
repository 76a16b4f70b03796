//! Deals of a study, produced by a dealer script.

use std::cell::Cell;
use std::path::PathBuf;

use croupier::cards::{Deal, Seat};
use croupier::session::{DefaultSettings, Job, Session};
use croupier::studies::{DEFAULT_NUMBER, Precision, StudyExecution, StudyOptions, StudyProgress};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::ItemProgress;
use crate::robots;
use crate::scripts;
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;

/// Default limit on the number of deals tried if neither switch nor script gives one.
const DEFAULT_LIMIT: i64 = 10_000_000_000;

/// Switches that select the deals of a study, and the number of deals to solve.
#[derive(clap::Args)]
pub struct Layouts {
    /// Dealer script with the condition (and predeal) for the hands; `-` is standard input.
    script: Option<PathBuf>,
    /// Condition instead of a script, for example "hcp(north) >= 15".
    #[arg(short, long, value_name = "EXPRESSION", conflicts_with = "script")]
    condition: Option<String>,
    /// Number of deals [default: that of the script, else 1000].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// Try at most N deals to find them [default: the script's limit, else 10000000000].
    #[arg(short, long, value_name = "N")]
    generate: Option<u64>,
    /// Seed of the deals; a seed always gives the same deals [default: the script's, else 1].
    #[arg(short, long, value_name = "N")]
    seed: Option<i64>,
    /// Cards for North, for example SAKQ,H2; replaces those of the script.
    #[arg(short = 'N', long, value_name = "CARDS")]
    north: Option<String>,
    /// Cards for East.
    #[arg(short = 'E', long, value_name = "CARDS")]
    east: Option<String>,
    /// Cards for South.
    #[arg(short = 'S', long, value_name = "CARDS")]
    south: Option<String>,
    /// Cards for West.
    #[arg(short = 'W', long, value_name = "CARDS")]
    west: Option<String>,
    /// Solve until half the width of the 95 % confidence interval is at most this: 0.5%, 0.05 tricks, 0.2 imps or 5
    /// points. Solves at most --number deals [default: all of --control].
    #[arg(long, value_name = "HALF_WIDTH")]
    precision: Option<Precision>,
    /// Deal N deals, of which only some are solved. Simple properties of the others, such as points and lengths, make
    /// the intervals narrower without bias [default: 100000 with --precision, else only the deals that are solved].
    #[arg(long, value_name = "N")]
    control: Option<u64>,
    /// Memory of the solvers.
    #[command(flatten)]
    memory: SolverMemory,
    /// Number of threads.
    #[command(flatten)]
    threads: Threads,
    /// Interrupt that ends a study with the deals solved so far.
    #[arg(skip)]
    pub interrupt: Interrupt,
    /// Script generated from an auction; replaces the script file.
    #[arg(skip)]
    pub auction_script: Option<String>,
    /// Expression by which the deals are grouped.
    #[arg(skip)]
    pub by: Option<String>,
}

impl Layouts {
    /// Returns the options of the study.
    #[must_use]
    pub fn options(&self) -> StudyOptions {
        StudyOptions {
            number: self.number,
            precision: self.precision,
            control: self.control,
        }
    }

    /// Calls `run` with the execution options of the switches, and shows its progress through `total` items. `items` names
    /// them in the plural.
    pub fn execute<T>(
        &self,
        items: &'static str,
        total: usize,
        run: impl FnOnce(StudyExecution<'_>) -> T,
    ) -> T {
        let mut progress = ItemProgress::new(items, Some(total as u64));
        let mut shown = 0;
        let mut show = |now: StudyProgress| {
            progress.advance((now.solved - shown) as u64);
            shown = now.solved;
        };
        let cancel = self.interrupt.flag();
        let value = run(StudyExecution {
            threads: self.threads.count(),
            solver_memory: self.memory.megabytes(),
            cancel: Some(&cancel),
            progress: Some(&mut show),
        });
        progress.finish();
        value
    }

    /// Sets the cards of a seat, as its switch does.
    pub fn predeal(&mut self, seat: Seat, cards: String) {
        *match seat {
            Seat::North => &mut self.north,
            Seat::East => &mut self.east,
            Seat::South => &mut self.south,
            Seat::West => &mut self.west,
        } = Some(cards);
    }

    /// Reads the script and prints its warnings to standard error.
    ///
    /// # Errors
    /// If the script cannot be read or has errors.
    pub fn session(&self) -> Result<Session, Failure> {
        let mut session = self.job()?.prepare().map_err(scripts::failure)?;
        scripts::show(session.warnings());
        if session.plan().settings.level.is_some() {
            eprintln!("croupier: a study takes the deals as they come: `level` is ignored");
        }
        // A study needs only the deals, so the actions of the script are dropped.
        let last = session.plan().actions.len().wrapping_sub(1);
        let place = Cell::new(0);
        session.retain_actions(|_| self.by.is_some() && place.replace(place.get() + 1) == last);
        Ok(session)
    }

    fn job(&self) -> Result<Job, Failure> {
        let mut job = match (&self.script, &self.condition) {
            (Some(path), _) => scripts::job(path)?,
            (None, Some(condition)) => Job::new(format!("condition {condition}")).name("condition"),
            (None, None) => match &self.auction_script {
                Some(script) => Job::new(script.as_str()).name("auction"),
                None => Job::new(""),
            },
        };
        if let Some(by) = &self.by {
            // The run returns the value of an action with each deal.
            let mut spec = job.spec().clone();
            let mut text = spec.script.bytes().to_vec();
            text.extend_from_slice(format!("\naction csvrpt({by})\n").as_bytes());
            spec.script = text.into();
            job = Job::from_spec(spec).imports(scripts::IMPORTS);
        }
        job = robots::with_robots(job)
            .as_dealt()
            .threads(self.threads.count())
            .cancel(self.interrupt.flag())
            .defaults(DefaultSettings {
                seed: Some(1),
                produce: Some(DEFAULT_NUMBER as i64),
                generate: Some(DEFAULT_LIMIT),
            });
        if let Some(seed) = self.seed {
            job = job.seed(seed);
        }
        if let Some(number) = self.options().deals_needed() {
            job = job.produce(number);
        }
        if let Some(limit) = self.generate {
            job = job.generate(limit);
        }
        let hands = [
            (Seat::North, &self.north),
            (Seat::East, &self.east),
            (Seat::South, &self.south),
            (Seat::West, &self.west),
        ];
        for (seat, cards) in hands {
            if let Some(cards) = cards {
                job = job.predeal(seat, cards.clone());
            }
        }
        Ok(job)
    }

    /// Returns the deals that satisfy the condition, in order.
    ///
    /// # Errors
    /// If the predeal is impossible, an expression fails, or no deal is found.
    pub fn deals(&self, session: &Session) -> Result<Vec<Deal>, Failure> {
        Ok(self.grouped_deals(session)?.0)
    }

    /// Returns the deals that satisfy the condition, and the group of each deal; no groups without an expression.
    ///
    /// # Errors
    /// As for [`Self::deals`].
    pub fn grouped_deals(&self, session: &Session) -> Result<(Vec<Deal>, Vec<i32>), Failure> {
        let mut deals = Vec::new();
        let mut groups = Vec::new();
        let mut keep = |produced: &croupier::session::ProducedDeal<'_>| {
            deals.push(produced.deal);
            groups.extend(produced.all_values().first().filter(|_| self.by.is_some()));
            std::ops::ControlFlow::Continue(())
        };
        let outcome = session.run(&mut keep).map_err(scripts::failure)?;
        if deals.is_empty() && self.interrupt.is_requested() {
            return Err(self.nothing_solved());
        }
        if deals.is_empty() {
            return Err(Failure::runtime(format!(
                "none of {} deals satisfies the condition",
                outcome.generated
            )));
        }
        let needed = self.options().deals_needed();
        let wanted = needed.or(session.plan().settings.produce);
        let short = (deals.len() as u64) < wanted.unwrap_or(DEFAULT_NUMBER);
        if short && !self.interrupt.is_requested() {
            eprintln!(
                "croupier: only {} deals satisfy the condition among {} (--generate looks at more)",
                deals.len(),
                outcome.generated
            );
        }
        Ok((deals, groups))
    }

    /// Returns the failure of a study that was interrupted before it had a result.
    #[must_use]
    pub fn nothing_solved(&self) -> Failure {
        let text = self.interrupt.text();
        Failure::runtime(format!("{text} before the first deal was solved"))
            .with_runtime_status(self.interrupt.status())
    }

    /// Prints how many deals were solved, if the study was interrupted.
    pub fn report_interrupt(&self, solved: u64, of: usize) {
        if self.interrupt.is_requested() {
            let text = self.interrupt.text();
            eprintln!("croupier: {text}: {solved} of {of} deals are solved");
        }
    }
}
