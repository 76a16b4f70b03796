//! Bidding and play of a board.

use cards::{Card, Contract, Doubling, Seat, Strain};

/// The auction, the contract it led to, and the cards in the order in which they were played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// The calls as written in the file, the dealer's first, without alerts and notes. [`Call::read`] parses them.
    pub auction: Vec<String>,
    /// Explanations of calls: the position of the call and the text, which is empty for an alert alone.
    pub notes: Vec<(usize, String)>,
    /// The contract, if there was one.
    pub contract: Option<Contract>,
    /// The declarer.
    pub declarer: Option<Seat>,
    /// The tricks that declarer took.
    pub result: Option<u8>,
    /// The cards in order of play, as far as they are given.
    pub play: Vec<Card>,
    /// Comments on cards played: the position of the card and the text.
    pub play_notes: Vec<(usize, String)>,
}

/// A call of the auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// No bid.
    Pass,
    /// Double.
    Double,
    /// Redouble.
    Redouble,
    /// A bid: level and strain. The doubling is not used.
    Bid(Contract),
}

impl Call {
    /// Reads a call in the notation of PBN, LIN or common spellings.
    #[must_use]
    pub fn read(word: &str) -> Option<Call> {
        match word.to_ascii_lowercase().as_str() {
            "p" | "pass" | "-" | "--" => Some(Call::Pass),
            "d" | "x" | "dbl" | "double" => Some(Call::Double),
            "r" | "xx" | "rdbl" | "redouble" => Some(Call::Redouble),
            bid => {
                let bid: Contract = bid.parse().ok()?;
                (bid.doubling == Doubling::Undoubled).then_some(Call::Bid(bid))
            }
        }
    }

    /// Reads calls that are written without blanks between them, such as `1nppp` or `2Cpass2S`.
    pub(crate) fn read_joined(word: &str) -> Option<Vec<Call>> {
        const WORDS: [&str; 10] = [
            "redouble", "double", "rdbl", "pass", "dbl", "xx", "p", "d", "x", "r",
        ];
        let word = word.to_ascii_lowercase();
        let mut rest = word.as_str();
        let mut calls = Vec::new();
        while !rest.is_empty() {
            let named = WORDS.into_iter().find(|name| rest.starts_with(name));
            let bid = || {
                let lengths = [3, 2].into_iter().filter_map(|len| rest.get(..len));
                lengths.into_iter().find(|text| {
                    text.starts_with(|c: char| c.is_ascii_digit()) && Call::read(text).is_some()
                })
            };
            let text = named.or_else(bid)?;
            calls.push(Call::read(text)?);
            rest = &rest[text.len()..];
        }
        (!calls.is_empty()).then_some(calls)
    }

    /// Returns the call in PBN: `Pass`, `X`, `XX`, `1NT`, `2H`.
    #[must_use]
    pub fn pbn(self) -> String {
        match self {
            Call::Pass => "Pass".to_owned(),
            Call::Double => "X".to_owned(),
            Call::Redouble => "XX".to_owned(),
            Call::Bid(bid) => contract_text(bid),
        }
    }

    /// Returns the call in LIN: `p`, `d`, `r`, `1N`, `2H`.
    #[must_use]
    pub fn lin(self) -> String {
        match self {
            Call::Pass => "p".to_owned(),
            Call::Double => "d".to_owned(),
            Call::Redouble => "r".to_owned(),
            Call::Bid(bid) => format!("{}{}", bid.level(), bid.strain.letter()),
        }
    }
}

/// Returns a contract in PBN: `3NT`, `4SX`, `6HXX`.
pub(crate) fn contract_text(contract: Contract) -> String {
    let strain = match contract.strain {
        Strain::Notrump => "NT".to_owned(),
        suit => suit.letter().to_string(),
    };
    let doubled = match contract.doubling {
        Doubling::Undoubled => "",
        Doubling::Doubled => "X",
        Doubling::Redoubled => "XX",
    };
    format!("{}{strain}{doubled}", contract.level())
}

impl Record {
    /// Returns whether the record has no data.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Record::default()
    }

    /// Returns the calls up to the first that cannot be parsed.
    pub(crate) fn calls(&self) -> Vec<Call> {
        let calls = self.auction.iter();
        calls.map_while(|word| Call::read(word)).collect()
    }

    /// Returns whether all four players passed.
    #[must_use]
    pub fn passed_out(&self) -> bool {
        let calls = self.calls();
        calls.len() >= 4 && calls.iter().all(|&call| call == Call::Pass)
    }

    /// Returns whether the auction has ended.
    pub(crate) fn closed(calls: &[Call]) -> bool {
        calls.len() >= 4
            && calls[calls.len() - 3..]
                .iter()
                .all(|&call| call == Call::Pass)
    }

    /// Returns contract and declarer of the auction, which `dealer` began, if there is a bid.
    pub(crate) fn concluded(&self, dealer: Seat) -> Option<(Contract, Seat)> {
        let mut copy = Record {
            auction: self.auction.clone(),
            ..Record::default()
        };
        copy.conclude(Some(dealer), self.is_over());
        copy.contract.zip(copy.declarer)
    }

    /// Returns the number of tricks that the declaring side won with the cards played.
    pub(crate) fn tricks_won(&self) -> Option<u8> {
        let (contract, declarer) = self.contract.zip(self.declarer)?;
        let mut won = 0;
        let mut leader = declarer.next();
        for trick in self.play.chunks_exact(4) {
            leader = winner(trick, leader, contract.strain);
            won += u8::from(leader.side() == declarer.side());
        }
        Some(won)
    }

    /// Returns the tricks of declarer if all cards were played.
    pub(crate) fn result_of_play(&self) -> Option<u8> {
        (self.play.len() == 52).then(|| self.tricks_won()).flatten()
    }

    /// Returns the play in rows of four, the leader's column first, as in PBN.
    pub(crate) fn rows(&self) -> Vec<[Option<(usize, Card)>; 4]> {
        let Some((contract, declarer)) = self.contract.zip(self.declarer) else {
            return Vec::new();
        };
        let first = declarer.next();
        let mut leader = first;
        let mut rows = Vec::new();
        for (trick, cards) in self.play.chunks(4).enumerate() {
            let mut row = [None; 4];
            for (i, &card) in cards.iter().enumerate() {
                let column = (leader.clockwise(i).index() + 4 - first.index()) % 4;
                row[column] = Some((4 * trick + i, card));
            }
            rows.push(row);
            leader = winner(cards, leader, contract.strain);
        }
        rows
    }

    /// Returns whether the board was played, so that its auction had ended.
    pub(crate) fn is_over(&self) -> bool {
        !self.play.is_empty() || self.result.is_some()
    }

    /// Sets a missing contract and declarer by the auction, which `dealer` began. An auction without its last passes
    /// has a contract only if it `is_over`.
    pub(crate) fn conclude(&mut self, dealer: Option<Seat>, is_over: bool) {
        let is_over = is_over || Record::closed(&self.calls());
        let Some(dealer) = dealer.filter(|_| is_over && self.contract.is_none()) else {
            return;
        };
        let given = self.declarer;
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
        // The player of the side who first bid the strain.
        let named =
            |&&(seat, named): &&(Seat, Strain)| named == strain && seat.side() == bidder.side();
        let found = bids.iter().find(named).map(|&(seat, _)| seat);
        // A declarer in the file is kept, even if it contradicts the auction.
        self.declarer = given.or(found);
    }

    /// Returns contract and declarer of the auction, which `dealer` began, if they differ from those in the file.
    #[must_use]
    pub fn contradicted_by_auction(&self, dealer: Seat) -> Option<(Contract, Seat)> {
        let calls = self.calls();
        let is_whole = calls.len() == self.auction.len() && Record::closed(&calls);
        let (contract, declarer) = self.concluded(dealer).filter(|_| is_whole)?;
        let differs = self.contract.is_some_and(|given| given != contract)
            || self.declarer.is_some_and(|given| given != declarer);
        differs.then_some((contract, declarer))
    }
}

/// Returns the winner of a trick that `leader` led to.
fn winner(cards: &[Card], leader: Seat, trumps: Strain) -> Seat {
    let mut best = (leader, cards.first().copied());
    for (i, &card) in cards.iter().enumerate() {
        let wins = best.1.is_none_or(|winner: Card| {
            if card.suit() == winner.suit() {
                card.rank() > winner.rank()
            } else {
                trumps.suit() == Some(card.suit())
            }
        });
        if wins {
            best = (leader.clockwise(i), Some(card));
        }
    }
    best.0
}

/// Returns the cards in the order of play from the columns of the seats, trick by trick. `first` is the seat of the
/// first column; a missing card ends the play.
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
