//! The question of declarer: two hands, a contract, and the cards played so far.

use std::fmt;

use cards::{BySeat, Card, CardSet, Contract, Deal, Hand, Seat, Suit};
use shuffle::{Predeal, PredealError};
use solver::Position;
use studies::DeclaredContract;

/// Contract, declarer's two hands and the cards played so far, as declarer sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayQuestion {
    declared: DeclaredContract,
    /// All cards whose owner is known: declarer's two hands, and the cards that the defenders have played.
    known: [CardSet; 4],
    /// Suits in which a seat has shown out.
    voids: [[bool; 4]; 4],
    played: Vec<Card>,
    /// Seat that played each card.
    players: Vec<Seat>,
    leader: Seat,
    /// Cards of the current trick.
    trick: Vec<Card>,
    tricks_won: u8,
}

/// The reason why hands and cards do not form a question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayQuestionError {
    /// A hand of declarer's side does not have 13 cards.
    HandLength(Seat, usize),
    /// A card is in both hands.
    Twice(Card),
    /// A played card is not in the hand of the declaring seat that must play it.
    NotHeld(Seat, Card),
    /// A card was played although its seat could follow suit, or had shown out of its suit.
    Revoke(Seat, Card),
    /// A defender played a card of declarer's side, or a card that was played before.
    NotAvailable(Seat, Card),
    /// All 52 cards were played.
    Over,
}

impl fmt::Display for PlayQuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayQuestionError::HandLength(seat, cards) => {
                write!(
                    f,
                    "{} has {cards} cards; declarer and dummy need 13 each",
                    seat.name()
                )
            }
            PlayQuestionError::Twice(card) => write!(f, "{card} is in both hands"),
            PlayQuestionError::NotHeld(seat, card) => {
                write!(f, "{} is to play and does not hold {card}", seat.name())
            }
            PlayQuestionError::Revoke(seat, card) => {
                write!(f, "{card} from {} does not follow suit", seat.name())
            }
            PlayQuestionError::NotAvailable(seat, card) => {
                write!(f, "{} is to play and cannot hold {card}", seat.name())
            }
            PlayQuestionError::Over => f.write_str("all cards are played"),
        }
    }
}

impl std::error::Error for PlayQuestionError {}

impl PlayQuestion {
    /// Creates the question before the opening lead. `declarer` and `dummy` are the two hands of the declaring side.
    ///
    /// # Errors
    /// If a hand does not have 13 cards, or a card is in both.
    pub fn new(
        declared: DeclaredContract,
        declarer: Hand,
        dummy: Hand,
    ) -> Result<PlayQuestion, PlayQuestionError> {
        let mut known = [CardSet::EMPTY; 4];
        for (seat, hand) in [
            (declared.declarer, declarer),
            (declared.declarer.partner(), dummy),
        ] {
            if hand.len() != 13 {
                return Err(PlayQuestionError::HandLength(seat, hand.len()));
            }
            known[seat.index()] = hand;
        }
        if let Some(card) = (declarer & dummy).iter().next() {
            return Err(PlayQuestionError::Twice(card));
        }
        Ok(PlayQuestion {
            declared,
            known,
            voids: [[false; 4]; 4],
            played: Vec::new(),
            players: Vec::new(),
            leader: declared.declarer.next(),
            trick: Vec::new(),
            tricks_won: 0,
        })
    }

    /// Creates the question before the opening lead from a whole deal, of which declarer sees two hands.
    #[must_use]
    pub fn of_deal(declared: DeclaredContract, deal: &Deal) -> PlayQuestion {
        let hand = |seat| deal.hand(seat);
        PlayQuestion::new(
            declared,
            hand(declared.declarer),
            hand(declared.declarer.partner()),
        )
        .expect("the hands of a deal have 13 different cards")
    }

    /// Plays a card of the seat that is to play.
    ///
    /// # Errors
    /// If that seat cannot play the card; the question is unchanged then.
    pub fn play(&mut self, card: Card) -> Result<(), PlayQuestionError> {
        if self.is_over() {
            return Err(PlayQuestionError::Over);
        }
        let seat = self.to_play();
        let (suit, led) = (card.suit(), self.trick.first().map(|led| led.suit()));
        if self.is_declaring(seat) {
            let hand = self.remaining(seat);
            if !hand.contains(card) {
                return Err(PlayQuestionError::NotHeld(seat, card));
            }
            if led.is_some_and(|led| led != suit && !hand.holding(led).is_empty()) {
                return Err(PlayQuestionError::Revoke(seat, card));
            }
        } else {
            if self.known.iter().any(|cards| cards.contains(card)) {
                return Err(PlayQuestionError::NotAvailable(seat, card));
            }
            if self.voids[seat.index()][suit.index()] {
                return Err(PlayQuestionError::Revoke(seat, card));
            }
            let before = (self.known, self.voids);
            if let Some(led) = led.filter(|&led| led != suit) {
                self.voids[seat.index()][led.index()] = true;
            }
            self.known[seat.index()].insert(card);
            // All hidden cards of a suit are with the partner of a seat that has shown out, who needs places for them.
            if self.possible_predeal().is_err() {
                (self.known, self.voids) = before;
                return Err(PlayQuestionError::Revoke(seat, card));
            }
        }
        self.players.push(seat);
        self.played.push(card);
        self.trick.push(card);
        if self.trick.len() == 4 {
            let winner = winner(&self.trick, self.declared.contract);
            self.leader = self.leader.clockwise(winner);
            self.tricks_won += u8::from(self.is_declaring(self.leader));
            self.trick.clear();
        }
        Ok(())
    }

    /// Returns the contract and its declarer.
    #[must_use]
    pub fn declared(&self) -> DeclaredContract {
        self.declared
    }

    /// Returns the cards played so far, in order.
    #[must_use]
    pub fn played(&self) -> &[Card] {
        &self.played
    }

    /// Returns the seat that plays next.
    #[must_use]
    pub fn to_play(&self) -> Seat {
        self.leader.clockwise(self.trick.len())
    }

    /// Returns whether declarer chooses the next card.
    #[must_use]
    pub fn is_declarers_turn(&self) -> bool {
        !self.is_over() && self.is_declaring(self.to_play())
    }

    /// Returns whether all cards are played.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.played.len() == 52
    }

    /// Returns the tricks that declarer has won.
    #[must_use]
    pub fn tricks_won(&self) -> u8 {
        self.tricks_won
    }

    /// Returns the tricks that declarer still needs for the contract.
    #[must_use]
    pub fn tricks_needed(&self) -> u8 {
        let needed = self.declared.contract.tricks_needed();
        needed.saturating_sub(self.tricks_won)
    }

    /// Returns the number of tricks left, the current one included.
    #[must_use]
    pub fn tricks_left(&self) -> usize {
        13 - self.played.len() / 4
    }

    /// Returns the cards that a seat of the declaring side still holds; empty for a defender.
    #[must_use]
    pub fn remaining(&self, seat: Seat) -> CardSet {
        match self.is_declaring(seat) {
            true => self.known[seat.index()] - self.played_set(),
            false => CardSet::EMPTY,
        }
    }

    /// Returns the cards that can be played next, if it is declarer's turn.
    #[must_use]
    pub fn legal(&self) -> CardSet {
        let hand = self.remaining(self.to_play());
        let following = self
            .trick
            .first()
            .map(|led| hand & CardSet::of_suit(led.suit()));
        match following {
            Some(cards) if !cards.is_empty() => cards,
            _ => hand,
        }
    }

    /// Returns the groups of equal cards that can be played next, if it is declarer's turn.
    #[must_use]
    pub fn choices(&self) -> Vec<CardSet> {
        let hand = self.remaining(self.to_play());
        let on_table: CardSet = self.trick.iter().copied().collect();
        crate::equal_cards(self.legal(), (!self.played_set() - hand) | on_table)
    }

    /// Returns the cards whose place is known: the two hands, the played cards, and the cards that a defender must hold
    /// because the other one has shown out.
    #[must_use]
    pub fn predeal(&self) -> Predeal {
        self.possible_predeal()
            .expect("the play was checked card by card")
    }

    fn possible_predeal(&self) -> Result<Predeal, PredealError> {
        let mut known = self.known;
        for seat in Seat::ALL {
            for suit in Suit::ALL {
                if self.voids[seat.index()][suit.index()] {
                    known[seat.partner().index()] |= self.hidden_cards_of(suit);
                }
            }
        }
        Predeal::new(BySeat(known))
    }

    /// Returns whether a deal has the known hands and could have been played like this.
    #[must_use]
    pub fn admits(&self, deal: &Deal) -> bool {
        Seat::ALL.into_iter().all(|seat| {
            let hand = deal.hand(seat);
            let rest = hand - self.played_set();
            let is_void = |suit: Suit| {
                !self.voids[seat.index()][suit.index()] || rest.holding(suit).is_empty()
            };
            hand.contains_all(self.known[seat.index()]) && Suit::ALL.into_iter().all(is_void)
        })
    }

    /// Returns the position in a deal.
    pub(crate) fn position(&self, deal: &Deal) -> Position {
        let played = self.played_set();
        let hands = deal.hands().map(|hand| hand - played);
        let strain = self.declared.contract.strain;
        Position::new(hands, strain, self.leader, &self.trick)
            .expect("the play is possible in the deal")
    }

    /// Returns the weight of a deal: the probability that the defenders would have played these of their equal cards, if
    /// they choose at random among them.
    ///
    /// Cards of a defender count as equal here if no card of declarer's side lies between them. Without this weight a
    /// small card that was played would be evidence against length in its suit, and an honour that was played evidence
    /// for the touching honour (the principle of restricted choice).
    pub(crate) fn likelihood(&self, deal: &Deal) -> f64 {
        let mut hands = deal.hands();
        let mut weight = 1.0;
        for (place, (&card, &seat)) in self.played.iter().zip(&self.players).enumerate() {
            if !self.is_declaring(seat) {
                let mut ours = CardSet::EMPTY;
                for seat in self.declared.declarer.side().seats() {
                    ours |= hands[seat.index()];
                }
                let start = place / 4 * 4;
                for (&card, &seat) in self.played[start..place].iter().zip(&self.players[start..]) {
                    if self.is_declaring(seat) {
                        ours.insert(card);
                    }
                }
                let in_suit = hands[seat.index()] & CardSet::of_suit(card.suit());
                let groups = crate::equal_cards(in_suit, ours);
                let group = groups.into_iter().find(|group| group.contains(card));
                weight /= group.map_or(1, |group| group.len()) as f64;
            }
            hands[seat.index()].remove(card);
        }
        weight
    }

    pub(crate) fn is_declaring(&self, seat: Seat) -> bool {
        seat.side() == self.declared.declarer.side()
    }

    fn played_set(&self) -> CardSet {
        self.played.iter().copied().collect()
    }

    fn hidden_cards_of(&self, suit: Suit) -> CardSet {
        let known = self.known.iter().fold(CardSet::EMPTY, |all, &it| all | it);
        CardSet::of_suit(suit) - known
    }
}

/// Returns the place of the winning card in a whole trick.
fn winner(trick: &[Card], contract: Contract) -> usize {
    let mut best = 0;
    for (place, card) in trick.iter().enumerate().skip(1) {
        let winning = trick[best];
        let wins = match card.suit() == winning.suit() {
            true => card.rank() > winning.rank(),
            false => contract.strain.suit() == Some(card.suit()),
        };
        if wins {
            best = place;
        }
    }
    best
}
