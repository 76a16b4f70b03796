//! Switches for bidding systems and auctions.

use std::path::{Path, PathBuf};
use std::time::Duration;

use croupier::bidding::{
    Auction, AuctionReading, BiddingSystem, BiddingTable, BuiltInSystem, ExternalRobot,
    SYSTEM_NAMES, ScriptSystem, SystemRules,
};
use croupier::cards::{Hand, Seat, Vulnerability};
use croupier::script::{Diagnostic, ScriptSource};

use crate::failure::Failure;
use crate::scripts;

/// Prefix of a system's name that is followed by the command of a robot.
const ROBOT: &str = "robot:";

/// Name of a system on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemName {
    /// A system of the built-in robot.
    BuiltIn(&'static str),
    /// The command of an external robot.
    Robot(String),
    /// A script with the rules of a system.
    File(PathBuf),
}

/// Reads a system from a file.
///
/// # Errors
/// If the file cannot be read, or has errors.
pub fn read_script(path: &Path) -> Result<ScriptSystem, Failure> {
    let text = scripts::read(path)?;
    let source = ScriptSource::new(path.to_string_lossy(), text);
    ScriptSystem::parse(&source).map_err(|errors| {
        let shown: String = errors.iter().map(Diagnostic::render).collect();
        Failure::usage(format!(
            "{} has errors\n{}",
            path.display(),
            shown.trim_end()
        ))
    })
}

impl SystemName {
    /// Parses `2/1`, `dutch`, `robot:COMMAND` or the name of a file.
    ///
    /// # Errors
    /// If there is no such system; the message lists them.
    pub fn parse(text: &str) -> Result<SystemName, String> {
        if let Some(command) = text.strip_prefix(ROBOT) {
            return Ok(SystemName::Robot(command.to_owned()));
        }
        let known = SYSTEM_NAMES.into_iter();
        let mut known = known.filter(|name| name.eq_ignore_ascii_case(text));
        let path = Path::new(text);
        let is_file = path.extension().is_some() || path.is_file();
        let file = is_file.then(|| SystemName::File(path.to_owned()));
        known
            .next()
            .map(SystemName::BuiltIn)
            .or(file)
            .ok_or_else(|| {
                let names = SYSTEM_NAMES.join(", ");
                format!(
                    "there is no such system; use {names}, a file such as my.bid, or {ROBOT}COMMAND"
                )
            })
    }

    /// Returns the system; a robot has `seconds` for each call.
    ///
    /// # Errors
    /// If the command of a robot cannot be parsed.
    pub fn open(&self, seconds: f64) -> Result<Box<dyn BiddingSystem>, Failure> {
        Ok(match self {
            SystemName::BuiltIn(name) => Box::new(SharedSystem(built_in(name)?)),
            SystemName::Robot(command) => {
                let limit = Duration::from_secs_f64(seconds);
                Box::new(ExternalRobot::new(command, limit).map_err(Failure::usage)?)
            }
            SystemName::File(path) => Box::new(read_script(path)?),
        })
    }

    /// Returns the rules of the system.
    ///
    /// # Errors
    /// If the system is an external robot, which has no rules to read, or a file that cannot be read.
    pub fn rules(&self) -> Result<OpenRules, Failure> {
        match self {
            SystemName::BuiltIn(name) => Ok(OpenRules::BuiltIn(built_in(name)?)),
            SystemName::Robot(command) => Err(Failure::usage(format!(
                "{ROBOT}{command}: the rules of an external robot are not known; name {} or a file of rules",
                SYSTEM_NAMES.join(", ")
            ))),
            SystemName::File(path) => Ok(OpenRules::Script(Box::new(read_script(path)?))),
        }
    }
}

/// The rules of a system.
pub enum OpenRules {
    /// A built-in system.
    BuiltIn(&'static BuiltInSystem),
    /// A script.
    Script(Box<ScriptSystem>),
}

impl<'a> From<&'a OpenRules> for SystemRules<'a> {
    fn from(rules: &'a OpenRules) -> Self {
        match rules {
            OpenRules::BuiltIn(system) => SystemRules::BuiltIn(system),
            OpenRules::Script(system) => SystemRules::Script(system),
        }
    }
}

fn built_in(name: &str) -> Result<&'static BuiltInSystem, Failure> {
    BuiltInSystem::by_name(name).ok_or_else(|| Failure::usage(format!("{name}: no such system")))
}

/// A built-in system, of which the process has one instance.
struct SharedSystem(&'static BuiltInSystem);

impl BiddingSystem for SharedSystem {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn robot(
        &self,
    ) -> Result<Box<dyn croupier::bidding::Robot + '_>, croupier::bidding::RobotError> {
        self.0.robot()
    }
}

/// Default of the time that an external robot has for a call, in seconds.
pub const DEFAULT_CALL_SECONDS: f64 = 30.0;

/// Time limit of external robots.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct RobotTime {
    /// Time that an external robot has for a call, in seconds.
    #[arg(long = "robot-time", value_name = "SECONDS", default_value_t = DEFAULT_CALL_SECONDS, value_parser = seconds)]
    pub seconds: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("use a number of seconds greater than 0, such as 10 or 0.5".to_owned()),
    }
}

/// Switches for the systems of a table.
#[derive(Clone, Debug, clap::Args)]
pub struct TableArgs {
    /// System of all players, or of North-South with --ew: 2/1, dutch, a file of rules, or robot:COMMAND for an external robot.
    #[arg(long, value_name = "SYSTEM", default_value = "2/1", value_parser = SystemName::parse)]
    system: SystemName,
    /// System of East-West.
    #[arg(long, value_name = "SYSTEM", value_parser = SystemName::parse)]
    ew: Option<SystemName>,
}

/// The opened systems of a table.
pub struct OpenTable {
    systems: [Box<dyn BiddingSystem>; 2],
}

impl OpenTable {
    /// Opens the systems of North-South and East-West.
    ///
    /// # Errors
    /// If the command of a robot cannot be parsed.
    pub fn new(systems: [&SystemName; 2], time: RobotTime) -> Result<OpenTable, Failure> {
        let [ns, ew] = systems;
        Ok(OpenTable {
            systems: [ns.open(time.seconds)?, ew.open(time.seconds)?],
        })
    }

    /// Returns the table.
    #[must_use]
    pub fn table(&self) -> BiddingTable<'_> {
        let [ns, ew] = &self.systems;
        BiddingTable {
            north_south: ns.as_ref(),
            east_west: ew.as_ref(),
        }
    }
}

impl TableArgs {
    /// Replaces the system of all players by a robot.
    pub fn use_robot(&mut self, command: String) {
        self.system = SystemName::Robot(command);
    }

    /// Returns the systems of North-South and East-West.
    #[must_use]
    pub fn systems(&self) -> [&SystemName; 2] {
        [&self.system, self.ew.as_ref().unwrap_or(&self.system)]
    }
}

/// Switches for an auction that describes the hands.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Auction")]
pub struct AuctionArgs {
    /// Deal hands that fit this auction, instead of a script: 1N-P-3N-P-P-P.
    #[arg(long, value_name = "CALLS", conflicts_with_all = ["script", "condition"])]
    auction: Option<String>,
    /// Seat that called first in the auction [default: north].
    #[arg(
        long,
        value_name = "SEAT",
        default_value = "north",
        hide_default_value = true
    )]
    dealer: Seat,
    #[command(flatten)]
    systems: TableArgs,
}

impl AuctionArgs {
    /// Parses the auction, if one was given.
    ///
    /// # Errors
    /// If the auction is illegal.
    pub fn auction(&self) -> Result<Option<Auction>, Failure> {
        let text = self.auction.as_deref();
        text.map(|text| read_auction(text, self.dealer)).transpose()
    }

    /// Returns the script for the hands that an auction shows, and checks that the `known` hands fit it.
    ///
    /// # Errors
    /// If a known hand contradicts the auction, or a system has no rules to read.
    pub fn script(
        &self,
        auction: &Auction,
        vulnerability: Vulnerability,
        known: &[(Seat, Hand)],
    ) -> Result<String, Failure> {
        let read = read(&self.systems, auction, vulnerability)?;
        read.check_hands(auction, vulnerability, known)?;
        let seats: Vec<Seat> = known.iter().map(|&(seat, _)| seat).collect();
        Ok(read.reading.script(&seats))
    }
}

/// Parses an auction.
///
/// # Errors
/// If the auction is illegal.
pub fn read_auction(text: &str, dealer: Seat) -> Result<Auction, Failure> {
    Auction::parse(text, dealer)
        .map_err(|error| Failure::usage(format!("auction {text:?}: {error}")))
}

/// An auction as the rules of both sides read it.
pub struct ReadAuction {
    /// The hands that the auction shows.
    pub reading: AuctionReading,
    rules: [OpenRules; 2],
}

/// Returns the hands that an auction of two systems shows.
///
/// # Errors
/// If a system is an external robot.
pub fn read(
    systems: &TableArgs,
    auction: &Auction,
    vulnerability: Vulnerability,
) -> Result<ReadAuction, Failure> {
    let [ns, ew] = systems.systems();
    let rules = [ns.rules()?, ew.rules()?];
    let reading = AuctionReading::new(rules.each_ref(), auction, vulnerability);
    Ok(ReadAuction { reading, rules })
}

impl ReadAuction {
    /// Checks that hands fit their calls.
    ///
    /// # Errors
    /// If a hand does not; the message names the first call that does not fit.
    pub fn check_hands(
        &self,
        auction: &Auction,
        vulnerability: Vulnerability,
        hands: &[(Seat, Hand)],
    ) -> Result<(), Failure> {
        for &(seat, hand) in hands {
            let rules = self.rules.each_ref();
            let reading = &self.reading;
            let wrong = reading.contradiction(rules, auction, vulnerability, seat, hand);
            if let Some(place) = wrong {
                let call = &reading.calls[place];
                let shows = match call.condition {
                    Some(_) => call.text.clone(),
                    None => call.meaning.to_string(),
                };
                return Err(Failure::usage(format!(
                    "{}'s hand {hand} contradicts the auction: call {}, {}, shows {shows}",
                    seat.name(),
                    place + 1,
                    croupier::bidding::auction::call_text(call.call),
                )));
            }
        }
        Ok(())
    }
}
