//! Auctions and the hands that they show.

use serde::{Deserialize, Serialize};

#[cfg(any(feature = "bidding", feature = "openapi"))]
use crate::boards;
use crate::{RequestError, RequestLimits};

/// An auction in a request, and the systems in which it was bid.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AuctionRequest {
    /// The calls in order, such as `1N-P-3N-P-P-P`.
    pub calls: String,
    /// Seat that called first. Default: `N`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::SeatName>))]
    pub dealer: Option<String>,
    /// Vulnerable sides. Default: `none`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// System of all players, or of North-South if `ew` is given: `2/1` or `dutch`. Default: `2/1`.
    #[serde(default)]
    pub system: Option<String>,
    /// System of East-West. Default: that of North-South.
    #[serde(default)]
    pub ew: Option<String>,
}

/// A request for the hands that an auction shows, with hands that are known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct InferRequest {
    /// The auction.
    pub auction: AuctionRequest,
    /// Known hands as in PBN: North, East, South, West. The script has no condition for their seats.
    #[serde(default)]
    pub hands: [Option<String>; 4],
}

/// A call and its meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallMeaning {
    /// The caller.
    #[cfg_attr(feature = "openapi", schema(value_type = boards::SeatName))]
    pub seat: String,
    /// The call, such as `1N`, `P`, `X` or `XX`.
    pub call: String,
    /// The meaning in words; empty if the call shows nothing.
    pub meaning: String,
    /// Whether the call is conventional.
    pub alert: bool,
}

/// The hands that an auction shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Inferred {
    /// The calls with their meanings.
    pub calls: Vec<CallMeaning>,
    /// The condition on each hand, North first; none if the seat's calls show nothing.
    pub conditions: [Option<String>; 4],
    /// Script whose deals fit the auction. Use it for a run, a study or a plan.
    pub script: String,
    /// Contract and declarer, such as `3N-N`, if the auction has a bid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
}

/// An auction that was read.
#[cfg(feature = "bidding")]
pub(crate) struct ShownHands {
    auction: croupier::bidding::Auction,
    reading: croupier::bidding::AuctionReading,
}

#[cfg(feature = "bidding")]
impl AuctionRequest {
    /// Reads the calls.
    pub(crate) fn parsed(&self) -> Result<croupier::bidding::Auction, RequestError> {
        use croupier::cards::Seat;

        let dealer = self.dealer.as_deref().map(boards::seat).transpose()?;
        let calls = boards::shortened(&self.calls);
        croupier::bidding::Auction::parse(&self.calls, dealer.unwrap_or(Seat::North))
            .map_err(|error| RequestError::request(format!("the auction {calls:?}: {error}")))
    }

    /// Returns the systems of North-South and East-West.
    pub(crate) fn systems(
        &self,
    ) -> Result<[&'static croupier::bidding::BuiltInSystem; 2], RequestError> {
        use croupier::bidding::{BuiltInSystem, SYSTEM_NAMES};

        let ns = self.system.as_deref().unwrap_or(SYSTEM_NAMES[0]);
        let system = |name: &str| {
            BuiltInSystem::by_name(name).ok_or_else(|| {
                let (name, names) = (boards::shortened(name), SYSTEM_NAMES.join(" or "));
                RequestError::request(format!("there is no system {name:?}: use {names}"))
            })
        };
        Ok([system(ns)?, system(self.ew.as_deref().unwrap_or(ns))?])
    }

    /// Reads the auction.
    pub(crate) fn read(&self) -> Result<ShownHands, RequestError> {
        self.shown(self.parsed()?)
    }

    /// Returns the hands that an auction of these systems shows.
    pub(crate) fn shown(
        &self,
        auction: croupier::bidding::Auction,
    ) -> Result<ShownHands, RequestError> {
        let vulnerability = boards::vulnerability(self.vulnerable.as_deref())?;
        let reading =
            croupier::bidding::AuctionReading::new(self.systems()?, &auction, vulnerability);
        Ok(ShownHands { auction, reading })
    }
}

#[cfg(feature = "bidding")]
impl ShownHands {
    /// Returns the calls with their meanings.
    pub(crate) fn calls(&self) -> Vec<CallMeaning> {
        let calls = self.reading.calls.iter().map(|call| CallMeaning {
            seat: call.seat.letter().to_string(),
            call: croupier::bidding::auction::call_text(call.call),
            meaning: call.text.clone(),
            alert: call.is_alerted,
        });
        calls.collect()
    }

    /// Returns the contract of the auction.
    pub(crate) fn declared(&self) -> Result<croupier::studies::DeclaredContract, RequestError> {
        let declared = self.auction.declared();
        declared
            .ok_or_else(|| RequestError::request("nobody bids in the auction: give the contract"))
    }

    /// Returns the script for the hands of the seats that are not known.
    pub(crate) fn script(
        &self,
        known: &[(croupier::cards::Seat, croupier::cards::Hand)],
    ) -> Result<String, RequestError> {
        let script = self.reading.script_beside(known);
        script.map_err(|error| RequestError::request(error.to_string()))
    }
}

/// Returns the hands that an auction shows.
///
/// # Errors
/// If the auction is illegal, a system or a hand is unknown, or a known hand contradicts the auction.
#[cfg(feature = "bidding")]
pub fn infer(request: InferRequest, _: &RequestLimits) -> Result<Inferred, RequestError> {
    use croupier::cards::{Seat, notation};

    let shown = request.auction.read()?;
    let mut known = Vec::new();
    for (seat, text) in Seat::ALL.into_iter().zip(&request.hands) {
        let Some(text) = text.as_deref().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        let text = boards::shortened(text);
        let hand = notation::hand(text.trim());
        let hand = hand.map_err(|error| RequestError::request(format!("{text}: {error}")))?;
        known.push((seat, hand));
    }
    Ok(Inferred {
        script: shown.script(&known)?,
        conditions: Seat::ALL.map(|seat| shown.reading.seats[seat].condition(seat)),
        calls: shown.calls(),
        contract: shown.auction.declared().map(|declared| {
            let seat = declared.declarer.letter();
            format!("{}-{seat}", declared.contract)
        }),
    })
}

/// An auction that was read; there is none in a build without auctions.
#[cfg(not(feature = "bidding"))]
pub(crate) enum ShownHands {}

#[cfg(not(feature = "bidding"))]
impl AuctionRequest {
    /// Returns the error of a build without auctions.
    pub(crate) fn read(&self) -> Result<ShownHands, RequestError> {
        Err(not_built())
    }
}

#[cfg(not(feature = "bidding"))]
impl ShownHands {
    pub(crate) fn declared(&self) -> Result<croupier::studies::DeclaredContract, RequestError> {
        match *self {}
    }

    pub(crate) fn script(
        &self,
        _: &[(croupier::cards::Seat, croupier::cards::Hand)],
    ) -> Result<String, RequestError> {
        match *self {}
    }
}

/// Returns the error of a build without auctions.
///
/// # Errors
/// Always.
#[cfg(not(feature = "bidding"))]
pub fn infer(_: InferRequest, _: &RequestLimits) -> Result<Inferred, RequestError> {
    Err(not_built())
}

/// Opens built-in robots. A request cannot name others, because it must not start a program or read a file.
///
/// # Errors
/// If there is no built-in system of a name.
#[cfg(feature = "bidding")]
pub fn built_in_robots(
    systems: Option<[&str; 2]>,
) -> Result<std::sync::Arc<dyn croupier::session::AuctionSource>, RequestError> {
    use croupier::bidding::BuiltInRobots;

    let robots = match systems.map(|names| names.map(boards::shortened)) {
        None => BuiltInRobots::default(),
        Some([north_south, east_west]) => BuiltInRobots::new([&north_south, &east_west])
            .map_err(|error| RequestError::request(error.to_string()))?,
    };
    Ok(std::sync::Arc::new(robots))
}

#[cfg(not(feature = "bidding"))]
pub(crate) fn not_built() -> RequestError {
    RequestError::request("this page is built without auctions: open the page of `croupier serve`")
}

#[cfg(all(test, feature = "bidding"))]
mod tests {
    use super::*;

    fn auction(calls: &str) -> AuctionRequest {
        AuctionRequest {
            calls: calls.to_owned(),
            ..AuctionRequest::default()
        }
    }

    #[test]
    fn an_auction_becomes_meanings_conditions_and_a_script() {
        let request = InferRequest {
            auction: auction("1N-P-3N-P-P-P"),
            ..InferRequest::default()
        };
        let shown = infer(request, &RequestLimits::default()).unwrap();
        assert_eq!(shown.calls.len(), 6);
        assert_eq!((&*shown.calls[0].seat, &*shown.calls[0].call), ("N", "1N"));
        assert_eq!(shown.contract.as_deref(), Some("3N-N"));
        assert!(
            shown.conditions[0]
                .as_deref()
                .unwrap()
                .contains("hcp(north)")
        );
        croupier::session::Job::new(shown.script.as_str())
            .prepare()
            .unwrap();
    }

    /// A request must not start a program or read a file on the server.
    #[test]
    fn requests_cannot_start_robots_or_read_files() {
        let started = std::env::temp_dir().join(format!("inferred-{}", std::process::id()));
        let robot = format!("robot:touch {}", started.display());
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../examples/systems/natural.bid"
        );
        for name in [robot.as_str(), file, "/etc/passwd", "natural.bid"] {
            let with = |system: &str, ew: &str| InferRequest {
                auction: AuctionRequest {
                    system: Some(system.to_owned()),
                    ew: Some(ew.to_owned()),
                    ..auction("1N-P-3N")
                },
                ..InferRequest::default()
            };
            for request in [with(name, "2/1"), with("2/1", name)] {
                let problem = infer(request, &RequestLimits::default()).unwrap_err();
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
    fn wrong_auctions_systems_and_hands_are_refused() {
        let weak = [Some("T98.JT98.K76.QJT".to_owned()), None, None, None];
        for (auction, hands, text) in [
            (auction("1N-1C"), Default::default(), "auction"),
            (
                AuctionRequest {
                    system: Some("precision".to_owned()),
                    ..auction("1N")
                },
                Default::default(),
                "use 2/1 or dutch",
            ),
            (auction("1N"), weak, "contradicts the auction: call 1, 1N"),
        ] {
            let problem =
                infer(InferRequest { auction, hands }, &RequestLimits::default()).unwrap_err();
            assert!(problem.message.contains(text), "{}", problem.message);
        }
    }
}
