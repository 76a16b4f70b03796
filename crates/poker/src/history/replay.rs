//! Goes through a hand and finds the state at every decision.

use std::fmt;

use cards::CardSet;

use super::{Act, Chips, Event, HandHistory, HeldCard, HistoryError, known, once};
use crate::notation::format_cards;

/// A decision that a player made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerAction {
    /// Gives up the hand.
    Fold,
    /// Bets nothing, where nothing is to call.
    Check,
    /// Calls with this amount.
    Call(Chips),
    /// Bets this amount.
    Bet(Chips),
    /// Raises to this total of the round.
    RaiseTo(Chips),
    /// Exchanges this number of cards; 0 to stand pat.
    Draw(usize),
}

impl PlayerAction {
    /// Returns the name: `fold`, `check`, `call`, `bet`, `raise`, `draw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PlayerAction::Fold => "fold",
            PlayerAction::Check => "check",
            PlayerAction::Call(_) => "call",
            PlayerAction::Bet(_) => "bet",
            PlayerAction::RaiseTo(_) => "raise",
            PlayerAction::Draw(_) => "draw",
        }
    }

    /// Returns the chips of a call or bet, or the total of a raise.
    #[must_use]
    pub const fn amount(self) -> Option<Chips> {
        match self {
            PlayerAction::Call(chips) | PlayerAction::Bet(chips) | PlayerAction::RaiseTo(chips) => {
                Some(chips)
            }
            _ => None,
        }
    }
}

impl fmt::Display for PlayerAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerAction::Fold => f.pad("folds"),
            PlayerAction::Check => f.pad("checks"),
            PlayerAction::Call(chips) => f.pad(&format!("calls {chips}")),
            PlayerAction::Bet(chips) => f.pad(&format!("bets {chips}")),
            PlayerAction::RaiseTo(chips) => f.pad(&format!("raises to {chips}")),
            PlayerAction::Draw(0) => f.pad("stands pat"),
            PlayerAction::Draw(cards) => f.pad(&format!("draws {cards}")),
        }
    }
}

/// A decision and the state before it.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryDecision {
    /// Name of the round: `preflop`, `flop`, `turn`, `river`; in stud `third street` and so on; in draw games `predraw`,
    /// `first draw` and so on, after the last draw made.
    pub street: &'static str,
    /// The player, from 0.
    pub player: usize,
    /// The decision made.
    pub action: PlayerAction,
    /// The cards on the board.
    pub board: CardSet,
    /// All chips bet so far, in this round too.
    pub pot: Chips,
    /// The chips that a call costs; 0 if the player may check.
    pub to_call: Chips,
    /// The players who have not folded.
    pub live: Vec<usize>,
    /// Rounds of exchanging cards still to come.
    pub draws_left: usize,
    /// Every player's cards that the file shows at this point, in the order of the deal.
    pub(super) held: Vec<Vec<HeldCard>>,
}

impl HistoryDecision {
    /// Returns the share of the pot that a call must win on average, not to lose chips: the costs of the call divided by
    /// the pot after it. `None` if there is nothing to call.
    #[must_use]
    pub fn needed(&self) -> Option<f64> {
        let cost = self.to_call.to_f64();
        (cost > 0.0).then(|| cost / (self.pot + self.to_call).to_f64())
    }

    /// Returns the cards of a player that the file shows at this point.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn cards(&self, player: usize) -> CardSet {
        known(&self.held[player])
    }
}

/// A hand in progress.
struct Replay<'a> {
    history: &'a HandHistory,
    stacks: Vec<Option<Chips>>,
    /// Chips bet in this round.
    bets: Vec<Chips>,
    /// All chips put into the pot.
    put: Vec<Chips>,
    folded: Vec<bool>,
    held: Vec<Vec<HeldCard>>,
    board: CardSet,
    /// The cards dealt so far.
    seen: CardSet,
    /// Exchanges of cards that each player has made.
    draws: Vec<usize>,
}

impl HandHistory {
    /// Returns all decisions in order.
    ///
    /// # Errors
    /// If the hand contradicts itself: a player acts after folding, a card is dealt twice, a raise is lower than the bet.
    pub fn decisions(&self) -> Result<Vec<HistoryDecision>, HistoryError> {
        let count = self.players.len();
        let mut replay = Replay {
            history: self,
            stacks: self.players.iter().map(|player| player.stack).collect(),
            bets: vec![Chips::ZERO; count],
            put: vec![Chips::ZERO; count],
            folded: vec![false; count],
            held: vec![Vec::new(); count],
            board: CardSet::EMPTY,
            seen: CardSet::EMPTY,
            draws: vec![0; count],
        };
        let mut decisions = Vec::new();
        for event in &self.events {
            let number = decisions.len() + 1;
            let decision = replay.play(event);
            let place = || format!("after {} decisions", number - 1);
            decisions.extend(decision.map_err(|problem| HistoryError::at(place(), problem))?);
        }
        Ok(decisions)
    }

    /// Returns the cards that the file shows of a player at any time; in games without draws these are the cards that the
    /// player holds from the start.
    pub(super) fn shown(&self, player: usize) -> CardSet {
        let all = self.events.iter().map(|event| match event {
            Event::Deal { player: who, cards } | Event::Show { player: who, cards }
                if *who == player =>
            {
                known(cards)
            }
            _ => CardSet::EMPTY,
        });
        all.fold(CardSet::EMPTY, |all, cards| all | cards)
    }
}

impl Replay<'_> {
    /// Plays an event, and returns the decision if it is one.
    fn play(&mut self, event: &Event) -> Result<Option<HistoryDecision>, String> {
        match event {
            Event::Post {
                player,
                amount,
                is_live,
            } => {
                let amount = self.stacks[*player].map_or(*amount, |left| left.min(*amount));
                self.pay(*player, amount);
                if *is_live {
                    self.bets[*player] += amount;
                }
            }
            Event::Deal { player, cards } => self.deal(*player, cards)?,
            Event::Board(cards) => {
                once(&mut self.seen, *cards)?;
                self.board |= *cards;
                if self.board.len() > self.history.game.board_cards() {
                    let most = self.history.game.board_cards();
                    return Err(format!(
                        "{} cards on the board; {most} are possible",
                        self.board.len()
                    ));
                }
            }
            Event::Act { player, act } => return self.act(*player, act).map(Some),
            Event::Show { player, cards } => self.show(*player, cards)?,
            Event::NextRound => self.end_round(),
        }
        Ok(None)
    }

    /// Ends a round of betting. Chips that nobody called go back to the bettor.
    fn end_round(&mut self) {
        let mut sorted: Vec<(Chips, usize)> = self.bets.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        if let [.., (second, _), (highest, player)] = sorted[..] {
            let uncalled = highest - second;
            self.put[player] = self.put[player] - uncalled;
            self.stacks[player] = self.stacks[player].map(|left| left + uncalled);
        }
        self.bets.fill(Chips::ZERO);
    }

    fn pay(&mut self, player: usize, amount: Chips) {
        self.put[player] += amount;
        self.stacks[player] = self.stacks[player].map(|left| left - amount);
    }

    fn name(&self, player: usize) -> &str {
        &self.history.players[player].name
    }

    fn deal(&mut self, player: usize, cards: &[HeldCard]) -> Result<(), String> {
        let game = self.history.game;
        once(&mut self.seen, known(cards))?;
        let foreign = known(cards) - game.deck();
        if !foreign.is_empty() {
            return Err(format!(
                "the deck of {game} has no {}",
                format_cards(foreign)
            ));
        }
        let held = &mut self.held[player];
        held.extend_from_slice(cards);
        if held.len() > game.hole_cards() {
            return Err(format!(
                "{} has {} cards; {game} hands have {}",
                self.history.players[player].name,
                held.len(),
                game.hole_cards()
            ));
        }
        Ok(())
    }

    /// Checks that shown cards may be the player's.
    fn show(&mut self, player: usize, cards: &[HeldCard]) -> Result<(), String> {
        let new = known(cards) - known(&self.held[player]);
        let hidden = self.held[player]
            .iter()
            .filter(|card| card.is_none())
            .count();
        let is_dealt = !self.held[player].is_empty();
        if is_dealt && new.len() > hidden {
            let name = self.name(player);
            return Err(format!(
                "{name} shows {}, which was not dealt",
                format_cards(new)
            ));
        }
        once(&mut self.seen, new)
    }

    /// Returns the name of the round in which a player decides after `drawn` draws.
    fn street(&self, player: usize, drawn: usize) -> &'static str {
        const DRAWS: [&str; 4] = ["predraw", "first draw", "second draw", "third draw"];
        const STUD: [&str; 5] = [
            "third street",
            "fourth street",
            "fifth street",
            "sixth street",
            "seventh street",
        ];
        let game = self.history.game;
        if self.history.draws > 0 {
            return DRAWS[drawn.min(3)];
        }
        if game.deals_own_cards() {
            return STUD[self.held[player].len().saturating_sub(3).min(4)];
        }
        match self.board.len() {
            0 => "preflop",
            1..=3 => "flop",
            4 => "turn",
            _ => "river",
        }
    }

    fn act(&mut self, player: usize, act: &Act) -> Result<HistoryDecision, String> {
        if self.folded[player] {
            return Err(format!("{} acts after folding", self.name(player)));
        }
        let highest = self.bets.iter().copied().max().unwrap_or(Chips::ZERO);
        let bet = self.bets[player];
        let left = self.stacks[player];
        let owed = highest - bet;
        let to_call = left.map_or(owed, |left| owed.min(left));
        let live = (0..self.folded.len()).filter(|&other| !self.folded[other]);
        let drawing = matches!(act, Act::Discard(_));
        let drawn = match drawing {
            true => self.draws[player],
            false => self.draws.iter().copied().max().unwrap_or(0),
        };
        let draws_left = self.history.draws.saturating_sub(drawn);
        if drawing && draws_left == 0 {
            return Err(format!(
                "{} exchanges cards once too often",
                self.name(player)
            ));
        }
        let mut decision = HistoryDecision {
            street: self.street(player, drawn),
            player,
            action: PlayerAction::Fold,
            board: self.board,
            pot: self.put.iter().copied().sum(),
            to_call: if drawing { Chips::ZERO } else { to_call },
            live: live.collect(),
            draws_left,
            held: self.held.clone(),
        };
        let paid = match act {
            Act::Fold => {
                self.folded[player] = true;
                let cards = self.held[player].clone();
                self.return_cards(&cards);
                if self.history.draws > 0 {
                    self.held[player].clear();
                }
                return Ok(decision);
            }
            Act::Discard(cards) => {
                self.draws[player] += 1;
                self.discard(player, cards)?;
                decision.action = PlayerAction::Draw(cards.len());
                return Ok(decision);
            }
            Act::CheckOrCall => to_call,
            Act::Put(chips) => *chips,
            Act::BetTo(total) if *total <= highest => {
                return Err(format!(
                    "{} raises to {total}, but {highest} is bet",
                    self.name(player)
                ));
            }
            Act::BetTo(total) => *total - bet,
        };
        if let Some(left) = left.filter(|&left| paid > left) {
            return Err(format!("{} bets {paid} but has {left}", self.name(player)));
        }
        decision.action = match (paid, highest) {
            (Chips::ZERO, _) => PlayerAction::Check,
            (paid, _) if paid <= owed => PlayerAction::Call(paid),
            (paid, Chips::ZERO) => PlayerAction::Bet(paid),
            (paid, _) => PlayerAction::RaiseTo(bet + paid),
        };
        self.pay(player, paid);
        self.bets[player] += paid;
        Ok(decision)
    }

    /// Takes cards from a player: those that are known, and as many unknown ones as are not.
    fn discard(&mut self, player: usize, cards: &[HeldCard]) -> Result<(), String> {
        for card in cards {
            let held = &mut self.held[player];
            let place = held.iter().position(|held| held == card);
            let place = place.or_else(|| held.iter().position(Option::is_none));
            let Some(place) = place else {
                let name = &self.history.players[player].name;
                return Err(format!("{name} discards a card that was not dealt"));
            };
            held.remove(place);
        }
        self.return_cards(cards);
        Ok(())
    }

    /// Takes discarded cards out of the cards seen: in draw games they are dealt again when the deck is used up.
    fn return_cards(&mut self, cards: &[HeldCard]) {
        if self.history.draws > 0 {
            self.seen -= known(cards);
        }
    }
}
