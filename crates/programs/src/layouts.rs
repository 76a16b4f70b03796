//! The deals that a study looks at: those of a dealer script.

use std::cell::Cell;
use std::path::PathBuf;

use cards::{Deal, Seat};
use session::{Job, Session, Usual};
use studies::Precision;

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::scripts;
use crate::solver_memory::SolverMemory;
use crate::threads::Threads;

/// Layouts that are dealt when neither switch nor script gives a number.
const USUAL_NUMBER: i64 = 1000;
/// Deals that a study with a precision looks at when nothing else is said.
const USUAL_CONTROL: u64 = 100_000;
/// Deals that are looked at when neither switch nor script gives a limit.
const USUAL_LIMIT: i64 = 10_000_000_000;

/// Which deals to look at.
#[derive(clap::Args)]
pub struct Layouts {
    /// Dealer script with the condition (and predeal) for the hands; `-` is standard input.
    script: Option<PathBuf>,
    /// Condition instead of a script, for example "hcp(north) >= 15".
    #[arg(short, long, value_name = "EXPRESSION", conflicts_with = "script")]
    condition: Option<String>,
    /// How many deals [default: what the script says, else 1000].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// Look at no more than this many deals to find them [default: the script's, else 10000000000].
    #[arg(short, long, value_name = "N")]
    generate: Option<u64>,
    /// Seed of the deals; the same seed gives the same deals [default: the script's, else 1].
    #[arg(short, long, value_name = "N")]
    seed: Option<i64>,
    /// Cards for North, for example SAKQ,H2; replaces the script's.
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
    /// Solve until the 95 % interval is this narrow on either side: 0.5%, 0.05 tricks, 0.2 imps or 5 points. At most
    /// --number deals are solved [default then: all that --control looks at].
    #[arg(long, value_name = "HALF_WIDTH")]
    pub precision: Option<Precision>,
    /// Look at this many deals in all, of which only some are solved: what can be seen at a glance of the others makes
    /// the intervals narrower, without bias [default: 100000 with --precision, else only those that are solved].
    #[arg(long, value_name = "N")]
    control: Option<u64>,
    /// The solvers.
    #[command(flatten)]
    pub memory: SolverMemory,
    /// The threads.
    #[command(flatten)]
    pub threads: Threads,
    /// Ctrl-C, which ends a study with what it has.
    #[arg(skip)]
    pub interrupt: Interrupt,
    /// Script that an auction was made into, instead of a file.
    #[arg(skip)]
    pub auction_script: Option<String>,
    /// What the deals are grouped by.
    #[arg(skip)]
    pub by: Option<String>,
}

impl Layouts {
    /// How many deals to look at in all, if unsolved ones are to help.
    fn looked_at(&self) -> Option<u64> {
        let control = self.control.or(self.precision.map(|_| USUAL_CONTROL))?;
        Some(control.max(self.number.unwrap_or(0)))
    }

    /// Whether unsolved deals help.
    pub fn looks_further(&self) -> bool {
        self.looked_at().is_some()
    }

    /// How many of the deals may be chosen to be solved; the others are only looked at.
    pub fn cut(&self, deals: usize) -> usize {
        deals / 2
    }

    /// Fixes a seat's cards, as its switch would.
    pub fn predeal(&mut self, seat: Seat, cards: String) {
        *match seat {
            Seat::North => &mut self.north,
            Seat::East => &mut self.east,
            Seat::South => &mut self.south,
            Seat::West => &mut self.west,
        } = Some(cards);
    }

    /// Reads the script. Its warnings go to standard error.
    ///
    /// # Errors
    /// If it cannot be read or is not right.
    pub fn session(&self) -> Result<Session, Failure> {
        let mut session = self.job()?.prepare().map_err(scripts::failure)?;
        scripts::show(session.warnings());
        if session.plan().settings.level.is_some() {
            eprintln!("croupier: a study takes the deals as they come: `level` is ignored");
        }
        // Only the deals are wanted: what the script would print or count is not computed.
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
            // The value of an action comes with each deal.
            let mut spec = job.spec().clone();
            let mut text = spec.script.bytes().to_vec();
            text.extend_from_slice(format!("\naction csvrpt({by})\n").as_bytes());
            spec.script = text.into();
            job = Job::from_spec(spec).imports(scripts::IMPORTS);
        }
        job = job
            .as_dealt()
            .threads(self.threads.count())
            .cancel(self.interrupt.flag())
            .usual(Usual {
                seed: Some(1),
                produce: Some(USUAL_NUMBER),
                generate: Some(USUAL_LIMIT),
            });
        if let Some(seed) = self.seed {
            job = job.seed(seed);
        }
        if let Some(number) = self.looked_at().or(self.number) {
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

    /// The deals that satisfy the condition, in order, and how many of them may be solved.
    ///
    /// # Errors
    /// If the predeal is impossible, an expression fails, or no deal is found.
    pub fn deals(&self, session: &Session) -> Result<(Vec<Deal>, usize), Failure> {
        let (deals, most) = self.grouped_deals(session)?;
        Ok((deals.into_iter().map(|(deal, _)| deal).collect(), most))
    }

    /// The same with the value that each deal is grouped by; 0 if they are not.
    ///
    /// # Errors
    /// As for [`Self::deals`].
    pub fn grouped_deals(&self, session: &Session) -> Result<(Vec<(Deal, i32)>, usize), Failure> {
        let mut deals = Vec::new();
        let mut keep = |produced: &session::ProducedDeal<'_>| {
            let value = produced.all_values().first().copied().unwrap_or(0);
            deals.push((produced.deal, value));
            std::ops::ControlFlow::Continue(())
        };
        let outcome = session.run(&mut keep).map_err(scripts::failure)?;
        if deals.is_empty() && self.interrupt.came() {
            return Err(self.nothing_yet());
        }
        if deals.is_empty() {
            return Err(Failure::runtime(format!(
                "none of {} deals satisfies the condition",
                outcome.generated
            )));
        }
        let wanted = self
            .looked_at()
            .or(self.number)
            .or(session.plan().settings.produce);
        let short = (deals.len() as u64) < wanted.unwrap_or(USUAL_NUMBER as u64);
        if short && !self.interrupt.came() {
            eprintln!(
                "croupier: only {} deals satisfy the condition among {} (--generate looks at more)",
                deals.len(),
                outcome.generated
            );
        }
        let most = match (self.looked_at(), self.number, self.precision) {
            (None, _, _) | (_, None, Some(_)) => u64::MAX,
            (_, Some(number), _) => number,
            (_, None, None) => USUAL_NUMBER as u64,
        };
        let most = deals.len().min(usize::try_from(most).unwrap_or(usize::MAX));
        Ok((deals, most))
    }

    /// The failure of a study that was interrupted before it had a result.
    #[must_use]
    pub fn nothing_yet(&self) -> Failure {
        let text = self.interrupt.text();
        Failure::runtime(format!("{text} before the first deal was solved"))
            .with_runtime_status(self.interrupt.status())
    }

    /// Says how far the study came, if it was interrupted.
    pub fn tell_interrupt(&self, solved: u64, of: usize) {
        if self.interrupt.came() {
            let text = self.interrupt.text();
            eprintln!("croupier: {text}: {solved} of {of} deals are solved");
        }
    }
}
