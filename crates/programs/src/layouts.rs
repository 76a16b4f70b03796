//! The deals that a study looks at: those of a dealer script.

use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

use cards::{Deal, Seat};
use engine::{Deals, Options, ProducedDeal, SampledSource, SamplerUse};
use script::plan::Plan;
use script::{CompileOptions, Source};
use shuffle::{FastDealer, Key, Predeal};

use crate::failure::Failure;

/// Layouts that are dealt when neither switch nor script gives a number.
const USUAL_NUMBER: u64 = 1000;
/// Deals that are looked at when neither switch nor script gives a limit.
const USUAL_LIMIT: u64 = 10_000_000_000;

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

    /// Compiles the script. Its warnings go to standard error.
    ///
    /// # Errors
    /// If it cannot be read or is not right.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let (name, text) = self.text()?;
        let predeal = [&self.north, &self.east, &self.south, &self.west].map(Clone::clone);
        let options = CompileOptions {
            predeal,
            ..CompileOptions::default()
        };
        match script::compile(&Source::new(name, text), &options) {
            Ok((plan, warnings)) => {
                for warning in warnings {
                    eprint!("{}", warning.render());
                }
                Ok(plan)
            }
            Err(errors) => {
                for error in &errors {
                    eprint!("{}", error.render());
                }
                Err(Failure::runtime("the script has errors"))
            }
        }
    }

    fn text(&self) -> Result<(String, Vec<u8>), Failure> {
        let Some(path) = &self.script else {
            let text = self
                .condition
                .as_ref()
                .map(|condition| format!("condition {condition}"));
            return Ok((
                "condition".to_owned(),
                text.unwrap_or_default().into_bytes(),
            ));
        };
        let name = path.display().to_string();
        let mut text = Vec::new();
        let read = if name == "-" {
            io::stdin().read_to_end(&mut text).map(|_| text)
        } else {
            fs::read(path)
        };
        match read {
            Ok(text) => Ok((name, text)),
            Err(error) => Err(Failure::runtime(format!("{name}: {error}"))),
        }
    }

    /// The deals that satisfy the plan, in order.
    ///
    /// # Errors
    /// If the predeal is impossible, an expression fails, or too few deals are found.
    pub fn deals(&self, plan: Plan) -> Result<Vec<Deal>, Failure> {
        // Only the deals are wanted: what the script would print or count is not computed.
        let plan = plan.without_actions();
        if plan.settings.level.is_some() {
            eprintln!("croupier: a study takes the deals as they come: `level` is ignored");
        }
        let wanted = self
            .number
            .or(plan.settings.produce)
            .unwrap_or(USUAL_NUMBER);
        let limit = self
            .generate
            .or(plan.settings.generate)
            .unwrap_or(USUAL_LIMIT);
        let seed = self.seed.or(plan.settings.seed).unwrap_or(1);
        let predeal = Predeal::new(plan.predeal).map_err(Failure::runtime)?;
        let dealer = FastDealer::new(Key::from_i64(seed), &predeal);
        let source = SampledSource::new(&plan, dealer, SamplerUse::Auto, (limit, wanted))
            .map_err(Failure::runtime)?;
        let options = Options {
            generate: limit,
            produce: wanted,
            threads: self.threads,
            ..Options::default()
        };
        let mut deals = Vec::new();
        let mut collect = |produced: &ProducedDeal<'_>| {
            deals.push(produced.deal);
            ControlFlow::Continue(())
        };
        let report = engine::run(&plan, Deals::Blocks(&source), &options, &mut collect)
            .map_err(Failure::runtime)?;
        if deals.is_empty() {
            return Err(Failure::runtime(format!(
                "none of {} deals satisfies the condition",
                report.generated
            )));
        }
        if (deals.len() as u64) < wanted {
            eprintln!(
                "croupier: only {} deals satisfy the condition among {} (--generate looks at more)",
                deals.len(),
                report.generated
            );
        }
        Ok(deals)
    }
}
