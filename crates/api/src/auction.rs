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

/// A request for tables of the hands that an auction shows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct InferTablesRequest {
    /// The auction.
    pub auction: AuctionRequest,
    /// Known hands as in PBN: North, East, South, West.
    #[serde(default)]
    pub hands: [Option<String>; 4],
    /// Whether to tabulate who has the aces, kings and queens.
    #[serde(default)]
    pub honours: bool,
    /// Number of layouts to deal, at most 1,000.
    #[serde(default)]
    pub layouts: u32,
    /// Seed of the layouts and of measured tables. Default: 1.
    #[serde(default)]
    pub seed: Option<i32>,
}

/// How often each value of a property comes among the hands of a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InferredTable {
    /// Owner of the hand.
    #[cfg_attr(feature = "openapi", schema(value_type = boards::SeatName))]
    pub seat: String,
    /// The property: `HCP`, `spades`, `hearts`, `diamonds`, `clubs`, or a card such as `KS`, of which 1 means that the hand has it.
    pub quantity: String,
    /// The values that come, with their shares from 0 to 1.
    pub shares: Vec<(i32, f64)>,
    /// Whether the shares were counted; otherwise they are those of dealt hands.
    pub exact: bool,
}

/// The hands that fit an auction, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InferredTables {
    /// Share of the deals that fit, among all deals with the known hands.
    pub share: f64,
    /// Lower end of the 95 % interval of the share; the share itself if it was counted.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Whether the share was counted.
    pub exact: bool,
    /// The tables: points and lengths of each unknown hand, then the honours.
    pub tables: Vec<InferredTable>,
    /// Number of deals on which tables were measured; none if all tables were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<u64>,
    /// Layouts in PBN, drawn uniformly from the deals that fit.
    pub layouts: Vec<String>,
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
    use croupier::cards::Seat;

    let shown = request.auction.read()?;
    let known = known_hands(&request.hands)?;
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

/// Reads the known hands of a request.
#[cfg(feature = "bidding")]
fn known_hands(
    hands: &[Option<String>; 4],
) -> Result<Vec<(croupier::cards::Seat, croupier::cards::Hand)>, RequestError> {
    use croupier::cards::{Seat, notation};

    let mut known = Vec::new();
    for (seat, text) in Seat::ALL.into_iter().zip(hands) {
        let Some(text) = text.as_deref().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        let text = boards::shortened(text);
        let hand = notation::hand(text.trim());
        let hand = hand.map_err(|error| RequestError::request(format!("{text}: {error}")))?;
        known.push((seat, hand));
    }
    Ok(known)
}

/// Tabulates the hands that fit an auction, and deals layouts.
///
/// # Errors
/// If the request is wrong as for [`infer`], too many layouts are requested, or no deal fits.
#[cfg(feature = "bidding")]
pub fn infer_tables(
    request: InferTablesRequest,
    limits: &RequestLimits,
) -> Result<InferredTables, RequestError> {
    use croupier::bidding::{HandTableOptions, HandTablesError};
    use croupier::session::ExecutionOptions;

    /// Maximum number of layouts.
    const MAX_LAYOUTS: u32 = 1000;
    /// Maximum number of deals to try for layouts and measured tables: some ten seconds.
    const MAX_TRIES: u64 = 20_000_000;

    if request.layouts > MAX_LAYOUTS {
        return Err(RequestError::limit(format!(
            "{} layouts; at most {MAX_LAYOUTS} are dealt at once",
            request.layouts
        )));
    }
    let shown = request.auction.read()?;
    let known = known_hands(&request.hands)?;
    let script = shown.script(&known)?;
    let options = HandTableOptions {
        honours: request.honours,
        layouts: request.layouts.into(),
        seed: request.seed.unwrap_or(1).into(),
        table_nanoseconds: limits.exact_work,
        tries: MAX_TRIES,
    };
    let execution = ExecutionOptions {
        threads: limits.threads,
        cancel: limits.cancel.clone(),
        // The answer does not depend on the time of day: the number of tried deals is limited instead.
        clock: false,
        ..ExecutionOptions::default()
    };
    let found = shown.reading.tables(&known, &options, &execution);
    let found = found.map_err(|error| match error {
        HandTablesError::Session(error) => RequestError::of_session(&script, error),
        error => RequestError::run(error.to_string()),
    })?;
    let (low, high) = found.fitting.interval();
    let tables = found.tables.into_iter().map(|table| InferredTable {
        seat: table.seat.letter().to_string(),
        quantity: table.quantity.to_string(),
        shares: table.shares,
        exact: table.is_exact,
    });
    Ok(InferredTables {
        share: found.fitting.probability(),
        low,
        high,
        exact: found.fitting.is_exact(),
        tables: tables.collect(),
        measured: found.measured,
        layouts: found.layouts.iter().map(ToString::to_string).collect(),
    })
}

/// Returns the error of a build without auctions.
///
/// # Errors
/// Always.
#[cfg(not(feature = "bidding"))]
pub fn infer_tables(
    _: InferTablesRequest,
    _: &RequestLimits,
) -> Result<InferredTables, RequestError> {
    Err(not_built())
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

    #[test]
    fn hands_of_an_auction_are_tabulated_and_dealt() {
        let request = InferTablesRequest {
            auction: auction("1N-P-3N"),
            hands: [None, None, None, Some("KQJ4.T9.A2.87632".to_owned())],
            honours: true,
            layouts: 2,
            seed: None,
        };
        let found = infer_tables(request.clone(), &RequestLimits::default()).unwrap();
        let table = |seat: &str, quantity: &str| {
            let mut tables = found.tables.iter();
            tables.find(|table| (&*table.seat, &*table.quantity) == (seat, quantity))
        };
        let points = table("N", "HCP").unwrap();
        let values: Vec<i32> = points.shares.iter().map(|(value, _)| *value).collect();
        assert_eq!(values, [15, 16, 17]);
        let total: f64 = points.shares.iter().map(|(_, share)| share).sum();
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        assert!(table("W", "HCP").is_none());
        // West has the king of spades, and the others the ace.
        assert!(table("E", "KS").is_none());
        assert!(table("E", "AS").is_some());
        assert_eq!(found.layouts.len(), 2);
        let again = infer_tables(request, &RequestLimits::default()).unwrap();
        assert_eq!(found, again);
    }

    #[test]
    fn tables_of_too_many_layouts_or_of_a_contradiction_are_refused() {
        let many = InferTablesRequest {
            auction: auction("1N"),
            layouts: 1001,
            ..InferTablesRequest::default()
        };
        let problem = infer_tables(many, &RequestLimits::default()).unwrap_err();
        assert!(
            problem.message.contains("at most 1000"),
            "{}",
            problem.message
        );
        let weak = Some("T98.JT98.K76.QJT".to_owned());
        let request = InferTablesRequest {
            auction: auction("1N"),
            hands: [weak, None, None, None],
            ..InferTablesRequest::default()
        };
        let problem = infer_tables(request, &RequestLimits::default()).unwrap_err();
        assert!(
            problem.message.contains("contradicts"),
            "{}",
            problem.message
        );
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
