//! Names of bidding systems, and the systems that they open.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::{AuctionSource, DealBidder, EvaluationError};
use script::{Diagnostic, ScriptSource};

use crate::builtin::{BuiltInSystem, SYSTEM_NAMES};
use crate::external::ExternalRobot;
use crate::reading::SystemRules;
use crate::robot::{BiddingSystem, RobotError};
use crate::scripted::ScriptSystem;
use crate::table::{BiddingSetting, BiddingTable, Robots};
use crate::{Auction, Detail};

/// Prefix of a system's name that is followed by the command of a robot.
const ROBOT: &str = "robot:";

/// Name of a bidding system.
///
/// A name can start a program or read a file. For names from others use [`BuiltInSystem::by_name`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemName {
    /// A system of the built-in robot: one of [`SYSTEM_NAMES`].
    BuiltIn(&'static str),
    /// The command of an external robot.
    Robot(String),
    /// A script with the rules of a system.
    File(PathBuf),
}

/// The reason why a system cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum SystemError {
    /// There is no system of this name.
    Unknown(String),
    /// There is no built-in system of this name.
    NotBuiltIn(String),
    /// The file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The script has errors.
    Script {
        /// The file.
        path: PathBuf,
        /// The errors.
        errors: Vec<Diagnostic>,
    },
    /// The robot cannot be started.
    Robot(RobotError),
    /// The rules of an external robot are not known.
    NoRules(String),
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = SYSTEM_NAMES.join(", ");
        match self {
            SystemError::Unknown(name) => write!(
                f,
                "there is no system {name:?}; use {names}, a file such as my.bid, or {ROBOT}COMMAND"
            ),
            SystemError::NotBuiltIn(name) => {
                write!(
                    f,
                    "there is no system {name:?}: use {}",
                    SYSTEM_NAMES.join(" or ")
                )
            }
            SystemError::Read { path, error } if error.kind() == io::ErrorKind::NotFound => {
                write!(f, "{}: there is no file of this name", path.display())
            }
            SystemError::Read { path, error } => write!(f, "{}: {error}", path.display()),
            SystemError::Script { path, errors } => {
                let shown: String = errors.iter().map(Diagnostic::render).collect();
                write!(f, "{} has errors\n{}", path.display(), shown.trim_end())
            }
            SystemError::Robot(error) => error.fmt(f),
            SystemError::NoRules(command) => write!(
                f,
                "{ROBOT}{command}: the rules of an external robot are not known; name {names} or a file of rules"
            ),
        }
    }
}

impl std::error::Error for SystemError {}

impl SystemName {
    /// Parses `2/1`, `dutch`, `robot:COMMAND` or the name of a file.
    ///
    /// # Errors
    /// If there is no such system; the message lists them.
    pub fn parse(text: &str) -> Result<SystemName, SystemError> {
        if let Some(command) = text.strip_prefix(ROBOT) {
            return Ok(SystemName::Robot(command.to_owned()));
        }
        let mut known = SYSTEM_NAMES.into_iter();
        if let Some(name) = known.find(|name| name.eq_ignore_ascii_case(text)) {
            return Ok(SystemName::BuiltIn(name));
        }
        let path = Path::new(text);
        match path.extension().is_some() || path.is_file() {
            true => Ok(SystemName::File(path.to_owned())),
            false => Err(SystemError::Unknown(text.to_owned())),
        }
    }

    /// Opens the system. A robot has `time_limit` for each call.
    ///
    /// # Errors
    /// If a file cannot be read or has errors, or the command of a robot cannot be parsed.
    pub fn open(&self, time_limit: Duration) -> Result<Box<dyn BiddingSystem>, SystemError> {
        Ok(match self {
            SystemName::BuiltIn(name) => Box::new(built_in(name)?),
            SystemName::Robot(command) => {
                let robot = ExternalRobot::new(command, time_limit);
                Box::new(robot.map_err(SystemError::Robot)?)
            }
            SystemName::File(path) => Box::new(read_system(path)?),
        })
    }

    /// Returns the rules of the system.
    ///
    /// # Errors
    /// If the system is an external robot, which has no rules to read, or a file that cannot be read.
    pub fn rules(&self) -> Result<OpenRules, SystemError> {
        match self {
            SystemName::BuiltIn(name) => Ok(OpenRules::BuiltIn(built_in(name)?)),
            SystemName::Robot(command) => Err(SystemError::NoRules(command.clone())),
            SystemName::File(path) => Ok(OpenRules::Script(Box::new(read_system(path)?))),
        }
    }
}

impl fmt::Display for SystemName {
    /// Writes the name so that [`SystemName::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SystemName::BuiltIn(name) => f.write_str(name),
            SystemName::Robot(command) => write!(f, "{ROBOT}{command}"),
            SystemName::File(path) => path.display().fmt(f),
        }
    }
}

fn built_in(name: &str) -> Result<&'static BuiltInSystem, SystemError> {
    BuiltInSystem::by_name(name).ok_or_else(|| SystemError::Unknown(name.to_owned()))
}

/// Reads a system from a file.
///
/// # Errors
/// If the file cannot be read, or has errors.
pub fn read_system(path: &Path) -> Result<ScriptSystem, SystemError> {
    let text = fs::read(path).map_err(|error| SystemError::Read {
        path: path.to_owned(),
        error,
    })?;
    let source = ScriptSource::new(path.to_string_lossy(), text);
    ScriptSystem::parse(&source).map_err(|errors| SystemError::Script {
        path: path.to_owned(),
        errors,
    })
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

/// The opened systems of North-South and East-West.
pub struct OpenSystems([Box<dyn BiddingSystem>; 2]);

impl OpenSystems {
    /// Opens the systems of North-South and East-West. A robot has `time_limit` for each call.
    ///
    /// # Errors
    /// As [`SystemName::open`].
    pub fn new(
        [north_south, east_west]: [&SystemName; 2],
        time_limit: Duration,
    ) -> Result<OpenSystems, SystemError> {
        Ok(OpenSystems([
            north_south.open(time_limit)?,
            east_west.open(time_limit)?,
        ]))
    }

    /// Returns the table of the systems.
    #[must_use]
    pub fn table(&self) -> BiddingTable<'_> {
        let [north_south, east_west] = &self.0;
        BiddingTable {
            north_south: north_south.as_ref(),
            east_west: east_west.as_ref(),
        }
    }
}

impl AuctionSource for OpenSystems {
    fn bidder(&self) -> Result<Box<dyn DealBidder + '_>, EvaluationError> {
        bidder(self.table())
    }
}

/// Built-in systems of North-South and East-West as a source of auctions. They are built when the first deal is bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInRobots([&'static str; 2]);

impl Default for BuiltInRobots {
    fn default() -> BuiltInRobots {
        BuiltInRobots([SYSTEM_NAMES[0]; 2])
    }
}

impl BuiltInRobots {
    /// Returns the robots of these systems, each one of [`SYSTEM_NAMES`].
    ///
    /// # Errors
    /// If another name is given.
    pub fn new(names: [&str; 2]) -> Result<BuiltInRobots, SystemError> {
        let [north_south, east_west] = names.map(|name| {
            let mut known = SYSTEM_NAMES.into_iter();
            let found = known.find(|known| known.eq_ignore_ascii_case(name));
            found.ok_or_else(|| SystemError::NotBuiltIn(name.to_owned()))
        });
        Ok(BuiltInRobots([north_south?, east_west?]))
    }
}

impl AuctionSource for BuiltInRobots {
    fn bidder(&self) -> Result<Box<dyn DealBidder + '_>, EvaluationError> {
        let [north_south, east_west] = self.0.map(built_in);
        let failed = |error: SystemError| EvaluationError::Auction(error.to_string());
        bidder(BiddingTable {
            north_south: north_south.map_err(failed)?,
            east_west: east_west.map_err(failed)?,
        })
    }
}

fn bidder(table: BiddingTable<'_>) -> Result<Box<dyn DealBidder + '_>, EvaluationError> {
    match table.robots() {
        Ok(robots) => Ok(Box::new(robots)),
        Err(error) => Err(EvaluationError::Auction(error.to_string())),
    }
}

impl DealBidder for Robots<'_> {
    fn bid(
        &mut self,
        deal: &cards::Deal,
        dealer: cards::Seat,
        vulnerability: cards::Vulnerability,
    ) -> Result<Auction, EvaluationError> {
        let setting = BiddingSetting {
            deal: *deal,
            dealer,
            vulnerability,
        };
        match self.bid(&setting, Detail::Call) {
            Ok(bidding) => Ok(bidding.auction),
            Err(error) => Err(EvaluationError::Auction(error.to_string())),
        }
    }
}
