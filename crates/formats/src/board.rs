//! A deal with what a file says about it.

use crate::Record;
use cards::{BySeat, CardSet, Deal, DealError, Seat, TrickTable, Vulnerability};

/// Four hands of which some may be unknown: what a file gives as a deal or as a predeal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hands(pub BySeat<Option<CardSet>>);

impl Hands {
    /// All four hands of a deal.
    pub fn of(deal: &Deal) -> Hands {
        Hands(BySeat(deal.hands()).map(Some))
    }

    /// The whole deal: four known hands, or three and the remaining cards.
    ///
    /// # Errors
    /// If a known hand does not have thirteen cards or two hands share one.
    /// `Ok(None)` if fewer than three hands are known.
    pub fn complete(&self) -> Result<Option<Deal>, DealError> {
        let known = self.check()?;
        let mut unknown = Seat::ALL.into_iter().filter(|seat| self.0[*seat].is_none());
        let hands = self.0.map(Option::unwrap_or_default);
        match (unknown.next(), unknown.next()) {
            (None, _) => Deal::new(hands.0).map(Some),
            (Some(last), None) => {
                let mut hands = hands;
                hands[last] = !known;
                Deal::new(hands.0).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// All known cards, after checking that they can be hands of one deal.
    fn check(&self) -> Result<CardSet, DealError> {
        let mut seen = CardSet::EMPTY;
        for (seat, hand) in &self.0 {
            let Some(hand) = hand else { continue };
            if hand.len() != 13 {
                return Err(DealError::Count {
                    seat,
                    cards: hand.len(),
                });
            }
            if !seen.is_disjoint(*hand) {
                let holds = |other: Option<CardSet>| other.is_some_and(|h| !h.is_disjoint(*hand));
                let earlier = self.0.into_iter().find(|&(_, other)| holds(other));
                let first = earlier.map_or(seat, |(first, _)| first);
                return Err(DealError::Shared {
                    first,
                    second: seat,
                    cards: seen & *hand,
                });
            }
            seen |= *hand;
        }
        Ok(seen)
    }
}

/// The texts that may stand around a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Names {
    /// What was played.
    pub event: String,
    /// Where.
    pub site: String,
    /// When: `YYYY.MM.DD`.
    pub date: String,
    /// Who sat where, North first.
    pub players: BySeat<String>,
}

/// What else a file says about a board, kept so that another file can say it too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extras {
    /// Remarks in words, in order.
    pub comments: Vec<String>,
    /// Tags of PBN that mean nothing to us, in order.
    pub tags: Vec<ExtraTag>,
}

/// A tag of PBN that is passed on as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExtraTag {
    /// Its name.
    pub name: String,
    /// What stands between the quotes.
    pub value: String,
    /// The lines that follow it, joined by line feeds; mostly none.
    pub section: String,
}

impl Extras {
    /// The value of the tag with this name, in either case.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let named = |tag: &&ExtraTag| tag.name.eq_ignore_ascii_case(name);
        self.tags.iter().find(named).map(|tag| tag.value.as_str())
    }
}

/// A deal as a file gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// The cards.
    pub hands: Hands,
    /// The number on the board, from 1.
    pub number: Option<u64>,
    /// Who deals.
    pub dealer: Option<Seat>,
    /// Who is vulnerable.
    pub vulnerable: Option<Vulnerability>,
    /// Double-dummy tricks, if they were given.
    pub tricks: Option<TrickTable>,
    /// Par score for North-South, if it was given.
    pub par: Option<i32>,
    /// The contracts of par in words, if they were given: `NS 3H=, NS 3S=`.
    pub par_contracts: Option<String>,
    /// Event, site, date and players, if any was given.
    pub names: Option<Box<Names>>,
    /// Auction and play, if any was given.
    pub record: Option<Box<Record>>,
    /// Comments and unknown tags, if any was given.
    pub extras: Option<Box<Extras>>,
    /// The line (text) or record (binary) at which the board begins, from 1.
    pub line: u64,
}

impl Board {
    /// A board of nothing but a deal.
    pub fn of(deal: &Deal) -> Board {
        Board {
            hands: Hands::of(deal),
            ..Board::default()
        }
    }

    /// A board of a duplicate set: dealer and vulnerability follow the number.
    pub fn duplicate(deal: &Deal, number: u64) -> Board {
        Board {
            number: Some(number),
            ..Board::of(deal)
        }
        .with_number(number)
    }

    /// Fills in what is missing: the number, and dealer and vulnerability by the number.
    #[must_use]
    pub fn with_number(mut self, number: u64) -> Board {
        let number = *self.number.get_or_insert(number);
        self.dealer.get_or_insert(Seat::dealer_of_board(number));
        self.vulnerable
            .get_or_insert(Vulnerability::of_board(number));
        self
    }

    /// Number, dealer and vulnerability. Where they are not said, the number is 1, and the others are those of the number.
    #[must_use]
    pub fn place(&self) -> (u64, Seat, Vulnerability) {
        let number = self.number.unwrap_or(1);
        let dealer = self.dealer.unwrap_or_else(|| Seat::dealer_of_board(number));
        let vulnerable = self.vulnerable;
        let vulnerable = vulnerable.unwrap_or_else(|| Vulnerability::of_board(number));
        (number, dealer, vulnerable)
    }

    /// The board with everything on it turned clockwise by so many seats: cards, dealer, vulnerability, tricks, players
    /// and declarer. Calls and cards keep their order. Par is North-South's again, but its contracts are not known any more.
    #[must_use]
    pub fn turned(mut self, steps: usize) -> Board {
        let steps = steps % 4;
        if steps == 0 {
            return self;
        }
        let turn = |seat: Seat| seat.clockwise(steps);
        let crosswise = steps % 2 == 1;
        self.hands.0.0.rotate_right(steps);
        self.dealer = self.dealer.map(turn);
        if crosswise {
            self.vulnerable = self.vulnerable.map(|vulnerable| match vulnerable {
                Vulnerability::NorthSouth => Vulnerability::EastWest,
                Vulnerability::EastWest => Vulnerability::NorthSouth,
                same @ (Vulnerability::None | Vulnerability::Both) => same,
            });
            self.par = self.par.and_then(i32::checked_neg);
        }
        self.par_contracts = None;
        self.tricks = self.tricks.and_then(|table| {
            let mut rows = table.rows();
            rows.rotate_right(steps);
            TrickTable::new(rows)
        });
        if let Some(names) = &mut self.names {
            names.players.0.rotate_right(steps);
        }
        if let Some(record) = &mut self.record {
            record.declarer = record.declarer.map(turn);
        }
        self
    }

    /// The whole deal, if it is one.
    pub fn deal(&self) -> Option<Deal> {
        self.hands.complete().ok().flatten()
    }
}
