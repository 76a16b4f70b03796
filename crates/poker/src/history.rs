//! Hand histories: hands as they were played, from files in the formats PHH and Open Hand History (OHH), and the equity
//! at every decision.
//!
//! ```
//! use croupier_poker::history::{HistoryOptions, read};
//!
//! let text = r#"
//! variant = "NT"
//! antes = [0, 0]
//! blinds_or_straddles = [1, 2]
//! min_bet = 2
//! starting_stacks = [200, 200]
//! actions = ["d dh p1 AhKh", "d dh p2 QcQd", "p2 cbr 6", "p1 cc", "d db Qh7h2c", "p1 cc", "p2 cbr 8", "p1 f"]
//! "#;
//! let hands = read(text)?;
//! let report = hands[0].report(&HistoryOptions::default())?;
//! let last = report.decisions.last().expect("a decision");
//! // The call costs 8 for a pot of 20: more than two sevenths are needed.
//! assert_eq!(last.to_string(), "p1 folds on Qh7h2c, pot 20, 8 to call");
//! assert_eq!(format!("{:.4}", last.needed().unwrap()), "0.2857");
//! assert_eq!(format!("{:.4}", last.own_equity().unwrap()), "0.2556");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chips;
mod ohh;
mod phh;
mod replay;
mod report;

use std::fmt;

use cards::{Card, CardSet};

use crate::Game;
use crate::notation::{format_cards, parse_cards};

pub use chips::Chips;
pub use replay::{HistoryDecision, PlayerAction};
pub use report::{
    DecisionEquity, HistoryOptions, HistoryReport, HistoryView, MissingEquity, ReportedDecision,
};

/// A hand as it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct HandHistory {
    /// Number or name of the hand, if the file has one.
    pub name: Option<String>,
    /// The game.
    pub game: Game,
    /// Draws of the game: the rounds in which players exchange cards.
    pub draws: usize,
    /// The players, in the order of the file.
    pub players: Vec<HistoryPlayer>,
    /// All that happened, in order.
    pub(crate) events: Vec<Event>,
}

/// A player of a hand.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryPlayer {
    /// Name; `p1`, `p2` and so on if the file has none.
    pub name: String,
    /// Chips before the hand; `None` if unknown.
    pub stack: Option<Chips>,
}

/// A card of a player: `None` if the file does not show it.
type HeldCard = Option<Card>;

/// Something that happened in a hand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// A forced bet. A live one counts towards the bets of the round; an ante does not.
    Post {
        player: usize,
        amount: Chips,
        is_live: bool,
    },
    /// Cards for a player.
    Deal { player: usize, cards: Vec<HeldCard> },
    /// Cards on the board.
    Board(CardSet),
    /// A decision.
    Act { player: usize, act: Act },
    /// A player shows cards.
    Show { player: usize, cards: Vec<HeldCard> },
    /// The next round of betting begins.
    NextRound,
}

/// A decision as a file gives it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    Fold,
    /// A check, or a call of everything there is to call.
    CheckOrCall,
    /// A bet or raise to a total of the round.
    BetTo(Chips),
    /// Chips put in, for a call, bet or raise.
    Put(Chips),
    /// An exchange of cards; none to stand pat.
    Discard(Vec<HeldCard>),
}

/// Reads the hands of a text in one of the formats PHH, PHHS (several hands) and OHH. The format is recognised by the text.
///
/// # Errors
/// If the text is in none of the formats, or a hand contradicts itself; the error names the hand and the action.
pub fn read(text: &str) -> Result<Vec<HandHistory>, HistoryError> {
    let text = text.trim_start_matches('\u{feff}');
    let hands = match text.trim_start().chars().next() {
        None => return Err(HistoryError::whole("the text is empty")),
        Some('{') => ohh::read(text)?,
        Some(_) => phh::read(text)?,
    };
    if hands.is_empty() {
        return Err(HistoryError::whole("there is no hand in the text"));
    }
    Ok(hands)
}

impl HandHistory {
    /// Returns the number of the player named `name`, from 0: a name of the file (in any case), or `p1`, `p2` and so on.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<usize> {
        let name = name.trim();
        let named = |player: &HistoryPlayer| player.name.to_lowercase() == name.to_lowercase();
        let numbered = || {
            let number: usize = name.strip_prefix(['p', 'P'])?.parse().ok()?;
            (1..=self.players.len())
                .contains(&number)
                .then(|| number - 1)
        };
        self.players.iter().position(named).or_else(numbered)
    }
}

/// A text that is no hand history, or a hand that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryError {
    /// Number of the hand in the text, from 1; `None` if the error is not in one hand.
    pub hand: Option<usize>,
    /// The place in the hand: an action or a field.
    pub place: Option<String>,
    /// The problem.
    pub problem: String,
}

impl HistoryError {
    fn whole(problem: impl Into<String>) -> HistoryError {
        HistoryError {
            hand: None,
            place: None,
            problem: problem.into(),
        }
    }

    fn at(place: impl Into<String>, problem: impl Into<String>) -> HistoryError {
        HistoryError {
            hand: None,
            place: Some(place.into()),
            problem: problem.into(),
        }
    }

    fn in_hand(mut self, number: usize) -> HistoryError {
        self.hand = Some(number);
        self
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(hand) = self.hand {
            write!(f, "hand {hand}: ")?;
        }
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for HistoryError {}

/// Reads cards of a player, where `??` is a card that is not shown.
fn held_cards(text: &str) -> Result<Vec<HeldCard>, String> {
    let letters: Vec<char> = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    if letters.len() % 2 == 1 {
        return Err(format!("{text:?} is not a list of cards such as AhKh"));
    }
    let mut cards = Vec::new();
    for pair in letters.chunks(2) {
        if pair == ['?', '?'] {
            cards.push(None);
            continue;
        }
        let one: String = pair.iter().collect();
        let card = parse_cards(&one).ok().and_then(|set| set.iter().next());
        let card = card.ok_or_else(|| format!("{one:?} is not a card such as Ah"))?;
        if cards.contains(&Some(card)) {
            return Err(format!("{one} is there twice"));
        }
        cards.push(Some(card));
    }
    Ok(cards)
}

/// Returns the cards that are known.
fn known(cards: &[HeldCard]) -> CardSet {
    let known = cards.iter().flatten();
    known.fold(CardSet::EMPTY, |set, &card| set | CardSet::of(card))
}

/// Reads board cards, all of which must be known.
fn board_cards(text: &str) -> Result<CardSet, String> {
    let cards = held_cards(text)?;
    match cards.iter().all(Option::is_some) {
        true => Ok(known(&cards)),
        false => Err("a card of the board is not known".to_owned()),
    }
}

/// Returns an error if a card is dealt twice.
fn once(seen: &mut CardSet, cards: CardSet) -> Result<(), String> {
    let twice = *seen & cards;
    if !twice.is_empty() {
        return Err(format!("{} is dealt twice", format_cards(twice)));
    }
    *seen |= cards;
    Ok(())
}
