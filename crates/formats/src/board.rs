//! A deal with the other data of its board in a file.

use crate::{Record, SourceText};
use cards::{BySeat, CardSet, Deal, DealError, Seat, TrickTable, Vulnerability};

/// Four hands, some of which may be unknown: a deal or predealt cards in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hands(pub BySeat<Option<CardSet>>);

impl Hands {
    /// Creates the four hands of a deal.
    pub fn of(deal: &Deal) -> Hands {
        Hands(BySeat(deal.hands()).map(Some))
    }

    /// Returns the whole deal: four known hands, or three and the remaining cards.
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

    /// Checks that the cards are a deal, some of its hands (perhaps with a card led), or a part of a deal in which no
    /// hand has thirteen cards: an ending, or some suits.
    ///
    /// # Errors
    /// If they are none of these.
    pub(crate) fn check_part(&self) -> Result<(), DealError> {
        let Err(error) = self.complete() else {
            return Ok(());
        };
        let sizes = || self.0.values().flatten().map(|hand| hand.len());
        let whole = sizes().filter(|&size| size == 13).count();
        let is_part = match whole {
            0 => sizes().count() > 0 && sizes().all(|size| size < 13),
            1 | 2 => sizes().all(|size| size == 13 || size == 1) && sizes().count() == whole + 1,
            _ => false,
        };
        let cards: usize = sizes().sum();
        let known = self.0.values().flatten();
        let distinct = known.fold(CardSet::EMPTY, |all, &hand| all | hand).len();
        match is_part && cards == distinct {
            true => Ok(()),
            false => Err(error),
        }
    }

    /// Returns all known cards after checking that they can be hands of one deal.
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

/// Names of the event, the place and the players of a board, and its date.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BoardNames {
    /// The event.
    pub event: String,
    /// The place.
    pub site: String,
    /// The date: `YYYY.MM.DD`.
    pub date: String,
    /// The players, North first.
    pub players: BySeat<String>,
}

/// Further data of a board that other formats can keep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extras {
    /// Comments, in order.
    pub comments: Vec<String>,
    /// PBN tags that have no field of their own, in order.
    pub tags: Vec<ExtraTag>,
}

/// A PBN tag that is passed on unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExtraTag {
    /// Name of the tag.
    pub name: String,
    /// The text between the quotes.
    pub value: String,
    /// The lines that follow it, joined by line feeds; usually none.
    pub section: String,
}

impl Extras {
    /// Returns the value of the tag with this name, in either case.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let named = |tag: &&ExtraTag| tag.name.eq_ignore_ascii_case(name);
        self.tags.iter().find(named).map(|tag| tag.value.as_str())
    }
}

/// A board as read from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// The cards.
    pub hands: Hands,
    /// The number on the board, from 1.
    pub number: Option<u64>,
    /// The dealer.
    pub dealer: Option<Seat>,
    /// The vulnerability.
    pub vulnerable: Option<Vulnerability>,
    /// Double-dummy tricks, if they were given.
    pub tricks: Option<TrickTable>,
    /// Par score for North-South, if it was given.
    pub par: Option<i32>,
    /// The par contracts as text, if given: `NS 3H=, NS 3S=`.
    pub par_contracts: Option<String>,
    /// Event, site, date and players, if any was given.
    pub names: Option<Box<BoardNames>>,
    /// Auction and play, if any was given.
    pub record: Option<Box<Record>>,
    /// Comments and unknown tags, if any was given.
    pub extras: Option<Box<Extras>>,
    /// The text of the game in its PBN file, if the reader keeps it.
    pub source: Option<Box<SourceText>>,
    /// Kinds of data in the file that no field of the board holds.
    pub unread: Vec<&'static str>,
    /// The line (text) or record (binary) at which the board begins, from 1.
    pub line: u64,
}

impl Board {
    /// Creates a board with only a deal.
    pub fn of(deal: &Deal) -> Board {
        Board {
            hands: Hands::of(deal),
            ..Board::default()
        }
    }

    /// Creates a board of a duplicate set, whose dealer and vulnerability follow from the number.
    pub fn duplicate(deal: &Deal, number: u64) -> Board {
        Board {
            number: Some(number),
            ..Board::of(deal)
        }
        .with_number(number)
    }

    /// Sets a missing number, and a missing dealer and vulnerability by the number.
    #[must_use]
    pub fn with_number(mut self, number: u64) -> Board {
        let number = *self.number.get_or_insert(number);
        self.dealer.get_or_insert(Seat::dealer_of_board(number));
        self.vulnerable
            .get_or_insert(Vulnerability::of_board(number));
        self
    }

    /// Returns number, dealer and vulnerability. The default number is 1; the other defaults follow from the number.
    #[must_use]
    pub fn place(&self) -> (u64, Seat, Vulnerability) {
        let number = self.number.unwrap_or(1);
        let dealer = self.dealer.unwrap_or_else(|| Seat::dealer_of_board(number));
        let vulnerable = self.vulnerable;
        let vulnerable = vulnerable.unwrap_or_else(|| Vulnerability::of_board(number));
        (number, dealer, vulnerable)
    }

    /// Turns the board clockwise by `steps` seats: cards, dealer, vulnerability, tricks, players and declarer. Calls
    /// and cards keep their order. Par is still that of North-South, but its contracts are dropped.
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

    /// Returns the whole deal, if it is complete.
    pub fn deal(&self) -> Option<Deal> {
        self.hands.complete().ok().flatten()
    }
}
