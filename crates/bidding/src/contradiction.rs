//! Hands that contradict an auction.

use std::fmt;

use cards::{Hand, Seat};

use crate::{AuctionReading, CallReading};
use formats::auction::call_text;

impl AuctionReading {
    /// Checks that hands fit the calls of their seats.
    ///
    /// # Errors
    /// If a hand does not; the error names the first call that does not fit.
    pub fn check_hands(&self, hands: &[(Seat, Hand)]) -> Result<(), ContradictionError> {
        for &(seat, hand) in hands {
            let mut wrong = (self.calls.iter().enumerate())
                .filter(|(_, call)| call.seat == seat && !call.meaning.admits(hand));
            if let Some((place, call)) = wrong.next() {
                return Err(ContradictionError {
                    place,
                    hand,
                    call: call.clone(),
                });
            }
        }
        Ok(())
    }

    /// Checks that the `known` hands fit the calls of their seats, and returns the dealer script for the shown hands of the other
    /// seats.
    ///
    /// # Errors
    /// If a known hand does not fit.
    pub fn script_beside(&self, known: &[(Seat, Hand)]) -> Result<String, ContradictionError> {
        self.check_hands(known)?;
        let seats: Vec<Seat> = known.iter().map(|&(seat, _)| seat).collect();
        Ok(self.script(&seats))
    }
}

/// A hand that does not fit a call of its seat.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContradictionError {
    /// Position of the call in the auction, from 0 on.
    pub place: usize,
    /// The hand.
    pub hand: Hand,
    /// The call and the hands that it shows.
    pub call: CallReading,
}

impl fmt::Display for ContradictionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}'s hand {} contradicts the auction: call {}, {}, shows {}",
            self.call.seat.name(),
            self.hand,
            self.place + 1,
            call_text(self.call.call),
            self.call.meaning,
        )
    }
}

impl std::error::Error for ContradictionError {}
