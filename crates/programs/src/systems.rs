//! Switches for bidding systems and auctions.

use std::time::Duration;

use croupier::bidding::{Auction, AuctionReading, OpenRules, OpenSystems, SystemName};
use croupier::cards::{Hand, Seat, Vulnerability};

use crate::failure::Failure;

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

/// Opens the systems of North-South and East-West.
///
/// # Errors
/// If a system cannot be opened.
pub fn open(systems: [&SystemName; 2], time: RobotTime) -> Result<OpenSystems, Failure> {
    OpenSystems::new(systems, Duration::from_secs_f64(time.seconds)).map_err(Failure::usage)
}

impl TableArgs {
    /// Replaces the system of all players by a robot.
    pub fn use_robot(&mut self, command: String) {
        self.system = SystemName::Robot(command);
    }

    /// Opens the systems of North-South and East-West.
    ///
    /// # Errors
    /// If a system cannot be opened.
    pub fn open(&self, time: RobotTime) -> Result<OpenSystems, Failure> {
        open(self.systems(), time)
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
    let rules = |system: &SystemName| system.rules().map_err(Failure::usage);
    let rules = [rules(ns)?, rules(ew)?];
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
                return Err(Failure::usage(format!(
                    "{}'s hand {hand} contradicts the auction: call {}, {}, shows {}",
                    seat.name(),
                    place + 1,
                    croupier::bidding::auction::call_text(call.call),
                    call.shown(),
                )));
            }
        }
        Ok(())
    }
}
