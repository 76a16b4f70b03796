//! Auctions that robots bid, alone or together with the reader.

use serde::{Deserialize, Serialize};

use crate::auction::{AuctionRequest, CallMeaning};
#[cfg(any(feature = "bidding", feature = "openapi"))]
use crate::boards;
use crate::{RequestError, RequestLimits};

/// A request for calls of robots: a deal, the auction so far, and the seats for which they call.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BidRequest {
    /// The deal, as in PBN.
    pub deal: String,
    /// The calls so far, dealer, vulnerability and systems.
    pub auction: AuctionRequest,
    /// Seats for which robots call, such as `NEW`. They call until another seat has the turn. Default: all.
    #[serde(default)]
    pub robots: Option<String>,
    /// Double-dummy results of the deal: rows N E S W, columns clubs, diamonds, hearts, spades, notrump. With them a
    /// complete auction has a result.
    #[serde(default)]
    pub tricks: Option<[[u8; 5]; 4]>,
    /// Score of North-South at another table, to compare with.
    #[serde(default)]
    pub other_score: Option<i32>,
}

/// The value of a complete auction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuctionResult {
    /// Declarer's tricks, double dummy; null if the board was passed out.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub tricks: Option<u8>,
    /// Score of North-South.
    pub score: i32,
    /// Par score of North-South.
    pub par: i32,
    /// IMPs of North-South above par.
    pub imps: i32,
    /// IMPs of North-South above the other table; null if its score is not in the request.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub imps_against: Option<i32>,
}

/// An auction with the meaning of each call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BidAnswer {
    /// All calls, those of the request first.
    pub calls: Vec<CallMeaning>,
    /// Seat that calls next; null when the auction is over.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<boards::SeatName>))]
    pub turn: Option<String>,
    /// The calls that the seat may make.
    pub legal: Vec<String>,
    /// Contract, such as `4Sx`; null if there is no bid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub contract: Option<String>,
    /// Declarer; null if there is no bid.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<boards::SeatName>))]
    pub declarer: Option<String>,
    /// The value of the contract; null while the auction goes on, and without double-dummy results.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub result: Option<AuctionResult>,
}

/// Lets robots continue an auction.
///
/// # Errors
/// If the deal, a call, a seat or a system is wrong.
#[cfg(feature = "bidding")]
pub fn bid(request: BidRequest, limits: &RequestLimits) -> Result<BidAnswer, RequestError> {
    use croupier::bidding::auction::call_text;
    use croupier::bidding::{BiddingSetting, BiddingTable, BoardResult, Detail};
    use croupier::cards::{BySeat, TrickTable, scoring};
    use croupier::solver::par_report;

    let wrong = |error: &dyn std::fmt::Display| RequestError::request(error.to_string());
    let deal = boards::deal(&request.deal)?;
    let robots = request.robots.as_deref().unwrap_or("NESW");
    let mut is_robot = BySeat::from_fn(|_| false);
    for letter in boards::shortened(robots).chars() {
        is_robot[boards::seat(&letter.to_string())?] = true;
    }
    let vulnerability = boards::vulnerability(request.auction.vulnerable.as_deref())?;
    let [north_south, east_west] = request.auction.systems()?;
    let mut auction = request.auction.parsed()?;
    let setting = BiddingSetting {
        deal,
        dealer: auction.dealer(),
        vulnerability,
    };
    let table = BiddingTable {
        north_south,
        east_west,
    };
    let mut players = table.robots().map_err(|error| wrong(&error))?;
    while auction.turn().is_some_and(|seat| is_robot[seat]) {
        limits.check_cancelled()?;
        players
            .call(&setting, &mut auction, Detail::Call)
            .map_err(|error| wrong(&error))?;
    }
    let declared = auction.declared();
    let result = match request.tricks {
        Some(rows) if auction.is_over() => {
            let tricks = TrickTable::new(rows)
                .ok_or_else(|| RequestError::request("nobody takes more than thirteen tricks"))?;
            let par = par_report(&tricks, vulnerability, auction.dealer()).score;
            let result = BoardResult::new(declared, &tricks, vulnerability, par);
            Some(AuctionResult {
                tricks: result.tricks,
                score: result.score,
                par,
                imps: result.imps_to_par(),
                imps_against: request
                    .other_score
                    .map(|other| scoring::imps(result.score.saturating_sub(other))),
            })
        }
        _ => None,
    };
    let legal = match auction.is_over() {
        true => Vec::new(),
        false => auction.legal_calls().into_iter().map(call_text).collect(),
    };
    let turn = auction.turn().map(boards::seat_letter);
    Ok(BidAnswer {
        turn,
        legal,
        contract: declared.map(|it| it.contract.to_string()),
        declarer: declared.map(|it| boards::seat_letter(it.declarer)),
        result,
        calls: request.auction.shown(auction)?.calls(),
    })
}

/// Returns the error of a build without auctions.
///
/// # Errors
/// Always.
#[cfg(not(feature = "bidding"))]
pub fn bid(_: BidRequest, _: &RequestLimits) -> Result<BidAnswer, RequestError> {
    Err(crate::auction::not_built())
}

#[cfg(all(test, feature = "bidding"))]
mod tests {
    use super::*;

    const DEAL: &str = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7";

    fn ask(calls: &str, robots: Option<&str>) -> BidRequest {
        BidRequest {
            deal: DEAL.to_owned(),
            auction: AuctionRequest {
                calls: calls.to_owned(),
                ..AuctionRequest::default()
            },
            robots: robots.map(str::to_owned),
            tricks: None,
            other_score: None,
        }
    }

    fn calls(answer: &BidAnswer) -> String {
        let calls: Vec<&str> = answer.calls.iter().map(|it| &*it.call).collect();
        calls.join("-")
    }

    #[test]
    fn robots_call_until_another_seat_has_the_turn() {
        let limits = RequestLimits::default();
        let whole = bid(ask("", None), &limits).unwrap();
        assert_eq!(whole.turn, None);
        assert!(whole.legal.is_empty() && whole.contract.is_some());
        // The reader is South and makes the robot's own calls.
        let mut auction = String::new();
        loop {
            let answer = bid(ask(&auction, Some("NEW")), &limits).unwrap();
            let place = answer.calls.len();
            auction = calls(&answer);
            if answer.turn.is_none() {
                break;
            }
            assert_eq!(answer.turn.as_deref(), Some("S"));
            assert!(answer.legal.contains(&"P".to_owned()));
            auction = format!("{auction}-{}", whole.calls[place].call);
        }
        assert_eq!(auction, calls(&whole));
    }

    #[test]
    fn a_complete_auction_has_a_result_if_the_tricks_are_known() {
        let mut request = ask("3N-P-P-P", None);
        let limits = RequestLimits::default();
        assert_eq!(bid(request.clone(), &limits).unwrap().result, None);
        // North-South take nine tricks in notrump, and nobody makes anything else.
        let row = |notrump| [6, 6, 6, 6, notrump];
        request.tricks = Some([row(9), row(4), row(9), row(4)]);
        request.other_score = Some(-50);
        let answer = bid(request, &limits).unwrap();
        let result = answer.result.unwrap();
        assert_eq!((result.tricks, result.score), (Some(9), 400));
        assert_eq!((result.par, result.imps), (400, 0));
        assert_eq!(result.imps_against, Some(10));
        assert_eq!(answer.contract.as_deref(), Some("3N"));
    }

    #[test]
    fn wrong_deals_seats_and_calls_are_refused() {
        let limits = RequestLimits::default();
        for (request, text) in [
            (ask("1N-1C", None), "auction"),
            (ask("", Some("NX")), "is not a seat"),
            (
                BidRequest {
                    deal: "N:AK".to_owned(),
                    ..ask("", None)
                },
                "N:AK",
            ),
        ] {
            let problem = bid(request, &limits).unwrap_err();
            assert!(problem.message.contains(text), "{}", problem.message);
        }
    }
}
