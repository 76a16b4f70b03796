//! Bidding boards: one, or many on all threads.

use std::ops::ControlFlow;

use cards::{Deal, Seat, Side, Vulnerability};
use engine::parallel;
use formats::{Call, Record};

use crate::Auction;
use crate::robot::{
    Answer, BiddingSystem, CallExplanation, CallPosition, Detail, Robot, RobotError,
};

/// A deal to bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BiddingSetting {
    /// The hands.
    pub deal: Deal,
    /// The seat that calls first.
    pub dealer: Seat,
    /// Vulnerability of the board.
    pub vulnerability: Vulnerability,
}

/// An auction that robots have bid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bidding {
    /// The calls.
    pub auction: Auction,
    /// An explanation for each call, if requested and given by the robots.
    pub explanations: Vec<Option<CallExplanation>>,
}

impl Bidding {
    /// Returns the auction in the form that files hold: calls, and notes for the calls with an explanation.
    #[must_use]
    pub fn record(&self) -> Record {
        let calls = self.auction.calls();
        let declared = self.auction.declared();
        let note = |(place, explanation): (usize, &Option<CallExplanation>)| {
            let explanation = explanation.as_ref()?;
            let text = explanation.text.as_str();
            // A pass that shows nothing needs no note.
            let is_silent = text.is_empty()
                || calls[place] == Call::Pass && matches!(text, "any strength" | "any hand");
            (explanation.is_alerted || !is_silent).then(|| (place, text.to_owned()))
        };
        Record {
            auction: calls.iter().map(|call| call.pbn()).collect(),
            notes: self
                .explanations
                .iter()
                .enumerate()
                .filter_map(note)
                .collect(),
            contract: declared.map(|declared| declared.contract),
            declarer: declared.map(|declared| declared.declarer),
            ..Record::default()
        }
    }
}

/// The systems of both sides.
#[derive(Clone, Copy)]
pub struct BiddingTable<'a> {
    /// The system of North-South.
    pub north_south: &'a dyn BiddingSystem,
    /// The system of East-West.
    pub east_west: &'a dyn BiddingSystem,
}

/// The robots of both sides, on one thread.
pub struct Robots<'a> {
    table: BiddingTable<'a>,
    robots: [Box<dyn Robot + 'a>; 2],
}

impl<'a> BiddingTable<'a> {
    /// Returns the system of a seat.
    #[must_use]
    pub fn system(&self, seat: Seat) -> &'a dyn BiddingSystem {
        match seat.side() {
            Side::NorthSouth => self.north_south,
            Side::EastWest => self.east_west,
        }
    }

    /// Creates the robots of both sides.
    ///
    /// # Errors
    /// If one cannot be started.
    pub fn robots(&self) -> Result<Robots<'a>, RobotError> {
        Ok(Robots {
            table: *self,
            robots: [self.north_south.robot()?, self.east_west.robot()?],
        })
    }

    /// Bids boards on `threads` threads (0: one for each core) and passes the auctions to `sink` in the order of the boards.
    /// Auctions do not depend on the number of threads. When `sink` breaks, no further board is started.
    ///
    /// # Errors
    /// The error of the first board that could not be bid.
    pub fn bid_all(
        &self,
        settings: impl IntoIterator<Item = BiddingSetting, IntoIter: Send>,
        threads: usize,
        detail: Detail,
        mut sink: impl FnMut(Bidding) -> ControlFlow<()>,
    ) -> Result<(), RobotError> {
        let end = parallel::ordered_map(
            threads,
            settings,
            || self.robots(),
            |robots, setting| match robots {
                Ok(robots) => robots.bid(&setting, detail),
                Err(error) => Err(error.clone()),
            },
            |bidding| match bidding.map(&mut sink) {
                Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                Ok(ControlFlow::Break(())) => ControlFlow::Break(Ok(())),
                Err(error) => ControlFlow::Break(Err(error)),
            },
        );
        match end {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(end) => end,
        }
    }
}

impl Robots<'_> {
    /// Bids a board to the end.
    ///
    /// # Errors
    /// If a robot does not answer, or answers with an illegal call.
    pub fn bid(&mut self, setting: &BiddingSetting, detail: Detail) -> Result<Bidding, RobotError> {
        let mut auction = Auction::new(setting.dealer);
        let mut explanations = Vec::new();
        while !auction.is_over() {
            explanations.push(self.call(setting, &mut auction, detail)?);
        }
        Ok(Bidding {
            auction,
            explanations,
        })
    }

    /// Adds the call of the seat whose turn it is and returns its explanation. An auction that is over stays as it is.
    ///
    /// # Errors
    /// If the robot does not answer, or answers with an illegal call.
    pub fn call(
        &mut self,
        setting: &BiddingSetting,
        auction: &mut Auction,
        detail: Detail,
    ) -> Result<Option<CallExplanation>, RobotError> {
        let Some(seat) = auction.turn() else {
            return Ok(None);
        };
        let question = CallPosition {
            hand: setting.deal[seat],
            auction,
            vulnerability: setting.vulnerability,
        };
        let robot = &mut self.robots[seat.side().index()];
        let Answer { call, explanation } = robot.answer(&question, detail)?;
        auction.push(call).map_err(|error| RobotError::Illegal {
            system: self.table.system(seat).name().to_owned(),
            auction: auction.to_string(),
            error,
        })?;
        Ok(explanation)
    }
}
