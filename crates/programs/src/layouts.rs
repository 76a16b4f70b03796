//! The deals that a study looks at: those of a dealer script.

use std::path::PathBuf;

use cards::{Deal, Seat};
use session::{Job, Session, Usual};

use crate::failure::Failure;
use crate::scripts;

/// Layouts that are dealt when neither switch nor script gives a number.
const USUAL_NUMBER: i64 = 1000;
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
    #[arg(short, long, value_name = "N")]
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
    /// Threads; 0 means one for each core. The result does not depend on it.
    #[arg(short = 'R', long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
}

impl Layouts {
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
        session.retain_actions(|_| false);
        Ok(session)
    }

    fn job(&self) -> Result<Job, Failure> {
        let mut job = match (&self.script, &self.condition) {
            (Some(path), _) => scripts::job(path)?,
            (None, Some(condition)) => Job::new(format!("condition {condition}")).name("condition"),
            (None, None) => Job::new(""),
        };
        job = job.as_dealt().threads(self.threads).usual(Usual {
            seed: Some(1),
            produce: Some(USUAL_NUMBER),
            generate: Some(USUAL_LIMIT),
        });
        if let Some(seed) = self.seed {
            job = job.seed(seed);
        }
        if let Some(number) = self.number {
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

    /// The deals that satisfy the condition, in order.
    ///
    /// # Errors
    /// If the predeal is impossible, an expression fails, or no deal is found.
    pub fn deals(&self, session: &Session) -> Result<Vec<Deal>, Failure> {
        let mut deals = Vec::new();
        let mut keep = |produced: &session::ProducedDeal<'_>| {
            deals.push(produced.deal);
            std::ops::ControlFlow::Continue(())
        };
        let outcome = session.run(&mut keep).map_err(scripts::failure)?;
        if deals.is_empty() {
            return Err(Failure::runtime(format!(
                "none of {} deals satisfies the condition",
                outcome.generated
            )));
        }
        let wanted = self.number.or(session.plan().settings.produce);
        if (deals.len() as u64) < wanted.unwrap_or(USUAL_NUMBER as u64) {
            eprintln!(
                "croupier: only {} deals satisfy the condition among {} (--generate looks at more)",
                deals.len(),
                outcome.generated
            );
        }
        Ok(deals)
    }
}
