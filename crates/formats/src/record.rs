//! What a file says about bidding and play.

use cards::{Card, Contract, Doubling, Seat, Strain};

/// The auction, the contract it led to, and the cards in the order in which they were played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// The calls as the file writes them, the dealer's first, alerts and notes left out.
    pub auction: Vec<String>,
    /// The contract, if there was one.
    pub contract: Option<Contract>,
    /// Who declared it.
    pub declarer: Option<Seat>,
    /// The cards in order of play, as far as they are given.
    pub play: Vec<Card>,
}

impl Record {
    /// Whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Record::default()
    }

    /// Fills in contract and declarer by the auction, which `dealer` began.
    pub(crate) fn conclude(&mut self, dealer: Option<Seat>) {
        let Some(dealer) = dealer.filter(|_| self.contract.is_none()) else {
            return;
        };
        let mut last: Option<(Seat, u8, Strain)> = None;
        let mut doubling = Doubling::Undoubled;
        let mut bids: Vec<(Seat, Strain)> = Vec::new();
        for (i, call) in self.auction.iter().enumerate() {
            let seat = dealer.clockwise(i);
            match call.to_ascii_lowercase().as_str() {
                "d" | "x" | "dbl" | "double" => doubling = Doubling::Doubled,
                "r" | "xx" | "rdbl" | "redouble" => doubling = Doubling::Redoubled,
                bid => {
                    if let Ok(contract) = bid.parse::<Contract>() {
                        doubling = Doubling::Undoubled;
                        bids.push((seat, contract.strain));
                        last = Some((seat, contract.level(), contract.strain));
                    }
                }
            }
        }
        let Some((bidder, level, strain)) = last else {
            return;
        };
        self.contract = Contract::new(level, strain, doubling);
        // The first of the side to have named the strain.
        let named =
            |&&(seat, named): &&(Seat, Strain)| named == strain && seat.side() == bidder.side();
        self.declarer = bids.iter().find(named).map(|&(seat, _)| seat);
    }
}

/// The seats' columns of cards, trick by trick, in the order in which they were played. `first` is the seat of the
/// first column; a card that is missing ends the play.
pub(crate) fn in_order(
    rows: &[Vec<Option<Card>>],
    first: Seat,
    trumps: Option<Strain>,
) -> Vec<Card> {
    let mut play = Vec::new();
    let mut leader = first;
    for row in rows {
        let mut best: Option<(Seat, Card)> = None;
        for i in 0..4 {
            let seat = leader.clockwise(i);
            let column = (seat.index() + 4 - first.index()) % 4;
            let Some(card) = row.get(column).copied().flatten() else {
                return play;
            };
            play.push(card);
            let wins = |winner: Card| {
                if card.suit() == winner.suit() {
                    card.rank() > winner.rank()
                } else {
                    trumps.and_then(Strain::suit) == Some(card.suit())
                }
            };
            if best.is_none_or(|(_, winner)| wins(winner)) {
                best = Some((seat, card));
            }
        }
        leader = best.map_or(leader, |(seat, _)| seat);
    }
    play
}
