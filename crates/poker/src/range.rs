//! Ranges: the hands that a player may hold, each with a weight.
//!
//! ```
//! use croupier_poker::{Game, Range};
//! let range = Range::parse("QQ+, AJs+, 76s:0.5", Game::Holdem)?;
//! assert_eq!(range.len(), 18 + 12 + 4);
//! assert_eq!(range.total_weight(), 18.0 + 12.0 + 2.0);
//! # Ok::<(), croupier_poker::RangeError>(())
//! ```

mod condensed;
mod error;
mod filter;
mod holdem;
mod item;
mod names;
mod omaha;
mod own_cards;
mod percent;
mod players;
mod reader;
mod weight;
mod words;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use cards::CardSet;

pub use error::{RangeError, RangeProblem};
pub use names::{NamedRanges, NamedRangesError};
pub use players::split_players;
pub use weight::Weight;

use item::Item;

use crate::Game;
use crate::notation::format_cards;

/// Hands with weights, no hand twice and no weight zero.
#[derive(Clone, Debug)]
pub struct Range {
    text: String,
    hands: Hands,
}

/// The hands of a range.
#[derive(Clone, Debug)]
enum Hands {
    Listed(Vec<(CardSet, Weight)>),
    /// Every hand of a game with a weight of one. Six-card Omaha has twenty million, so the list is made on first use.
    /// A simulation does not use it.
    Everything(Game, OnceLock<Vec<(CardSet, Weight)>>),
}

impl PartialEq for Range {
    fn eq(&self, other: &Range) -> bool {
        let same_hands = || match (&self.hands, &other.hands) {
            (Hands::Everything(a, _), Hands::Everything(b, _)) if a == b => true,
            _ => self.hands() == other.hands(),
        };
        self.text == other.text && same_hands()
    }
}

impl Eq for Range {}

/// The game, board and named ranges that a range may refer to.
#[derive(Clone, Copy, Debug)]
pub struct RangeContext<'a> {
    /// The game.
    pub game: Game,
    /// The board, for filters such as `[flush draw]`.
    pub board: CardSet,
    /// Named ranges.
    pub names: &'a NamedRanges,
}

impl RangeContext<'static> {
    /// Creates a context without board and named ranges.
    #[must_use]
    pub fn of(game: Game) -> RangeContext<'static> {
        RangeContext {
            game,
            board: CardSet::EMPTY,
            names: NamedRanges::none(),
        }
    }
}

impl Range {
    /// Reads a range of the game. Items are separated by commas, semicolons or spaces; case does not matter:
    ///
    /// | item | means |
    /// |---|---|
    /// | `AhKd`, `Ah Kd`, `A♥K♦` | one hand |
    /// | `QQ`, `AK`, `AKs`, `AKo` | a pair; two ranks of any suits, suited, offsuit |
    /// | `AKhh`, `AhKx`, `Ah*` | two ranks with their suits; a card and another of any suit, or any other card |
    /// | `Axs`, `Kx` | a rank with any lower or higher one |
    /// | `QQ+`, `66-` | this pair and all higher, or all lower |
    /// | `ATs+`, `ATs-` | the lower card rises to just below the higher (ATs AJs AQs AKs), or falls to a deuce |
    /// | `76s+`, `76s-` | connectors rise together (76s 87s ... AKs), or fall to 32s |
    /// | `99-66`, `A5s-A2s`, `JTs-76s` | pairs, kickers or equal gaps between the two |
    /// | `pairs`, `broadway`, `suited connectors` | groups of hands with a name |
    /// | `15%`, `5%-20%` | the best hands before the flop, by equity against a random hand |
    /// | `sc 15%` | the same by Sklansky-Chubukov numbers: hands that can go all-in with many chips |
    /// | `random`, `any`, `*` | every hand |
    /// | `!AKs` | not these; at the start of a range, all others |
    /// | `[flush draw]`, `QQ-77[overpair]` | hands with this draw or made hand on the board; see [`RangeContext`] |
    /// | `{QQ+,AKs}` | these items as one, before a filter or weight or after `!` |
    /// | `@name`, `name` | a range of the [`NamedRanges`] |
    /// | `item:0.5`, `item:50%`, `item@50`, `item(50%)`, `50%item` | any of these with a weight; the last weight of a hand counts, 0 removes it |
    /// | `[50]AKs,AQs[/50]` | the weight of all items up to its end |
    ///
    /// Tens are `T` or `10`. Omaha hands have as many cards as the game (`AsAhKdQd`) or as many ranks, with `x` for any
    /// card (`AAxx`). Ranks may have a suit pattern: `ds` double suited, `ss` single suited, `r` rainbow. In the games
    /// without a board a hand is a list of the known cards; `random` means none.
    ///
    /// # Errors
    /// Names the mistake, its position and a correction.
    pub fn parse(text: &str, game: Game) -> Result<Range, RangeError> {
        Range::parse_in(text, &RangeContext::of(game))
    }

    /// Reads a range that may refer to a board and to named ranges.
    ///
    /// ```
    /// use croupier_poker::{Game, NamedRanges, Range, RangeContext, parse_cards};
    ///
    /// let names = NamedRanges::parse("button = 22+, A2s+, KTs+, A9o+", Game::Holdem).unwrap();
    /// let board = parse_cards("Kh7h2c").unwrap();
    /// let setting = RangeContext { game: Game::Holdem, board, names: &names };
    /// let range = Range::parse_in("button[flush draw], !AhKh", &setting).unwrap();
    /// assert!(range.hands().iter().all(|(hand, _)| hand.len() == 2));
    /// ```
    ///
    /// # Errors
    /// Names the mistake, its position and a correction.
    pub fn parse_in(text: &str, setting: &RangeContext) -> Result<Range, RangeError> {
        Range::read(text, setting).map_err(|error| error.with_typed_text(text))
    }

    fn read(text: &str, setting: &RangeContext) -> Result<Range, RangeError> {
        let items = reader::items(text, setting.game)?;
        let written = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let [item] = &items[..]
            && item.is_everything(setting)
        {
            return Ok(Range::everything(written, setting.game));
        }
        Ok(Range::of_hands(&written, item::combine(&items, setting)?))
    }

    /// Creates a range of given hands with their weights. The last weight of a hand counts.
    #[must_use]
    pub fn of_hands(name: &str, hands: impl IntoIterator<Item = (CardSet, Weight)>) -> Range {
        let weights: HashMap<CardSet, Weight> = hands.into_iter().collect();
        let mut hands: Vec<_> = weights.into_iter().filter(|(_, w)| !w.is_zero()).collect();
        hands.sort_unstable();
        Range {
            text: name.to_string(),
            hands: Hands::Listed(hands),
        }
    }

    /// Creates the range of one hand.
    #[must_use]
    pub fn of_hand(hand: CardSet) -> Range {
        Range {
            text: format_cards(hand),
            hands: Hands::Listed(vec![(hand, Weight::ONE)]),
        }
    }

    /// Creates the range of every hand of the game.
    #[must_use]
    pub fn random(game: Game) -> Range {
        Range::everything("random".to_string(), game)
    }

    fn everything(text: String, game: Game) -> Range {
        let hands = if game.deals_own_cards() {
            // No card is known; all are dealt.
            Hands::Listed(vec![(CardSet::EMPTY, Weight::ONE)])
        } else {
            Hands::Everything(game, OnceLock::new())
        };
        Range { text, hands }
    }

    /// Returns whether the range is every hand of the game with a weight of one, stored without a list.
    pub(crate) fn is_everything_in(&self, game: Game) -> bool {
        let cards = |game: Game| (game.deck(), game.hole_cards());
        matches!(self.hands, Hands::Everything(own, _) if cards(own) == cards(game))
    }

    /// Returns the hands and their weights, in the order of their masks.
    #[must_use]
    pub fn hands(&self) -> &[(CardSet, Weight)] {
        match &self.hands {
            Hands::Listed(hands) => hands,
            Hands::Everything(game, list) => list.get_or_init(|| {
                let mut hands = all_hands(*game, Weight::ONE);
                hands.sort_unstable();
                hands
            }),
        }
    }

    /// Returns the number of hands.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.hands {
            Hands::Listed(hands) => hands.len(),
            Hands::Everything(game, _) => count_hands(*game),
        }
    }

    /// Returns whether there is no hand (weights of zero can remove all).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sum of the weights.
    #[must_use]
    pub fn total_weight(&self) -> f64 {
        let total: u64 = match &self.hands {
            Hands::Listed(hands) => hands.iter().map(|(_, w)| w.millionths()).sum(),
            Hands::Everything(..) => self.len() as u64 * Weight::ONE.millionths(),
        };
        total as f64 / Weight::ONE.millionths() as f64
    }
}

impl fmt::Display for Range {
    /// Prints the range as it was written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for Range {
    type Err = RangeError;

    /// Reads a range of hold'em.
    fn from_str(text: &str) -> Result<Range, RangeError> {
        Range::parse(text, Game::Holdem)
    }
}

/// Returns every hand of the game's deck with a weight; in the games without a board only the hand without known cards.
fn all_hands(game: Game, weight: Weight) -> Vec<(CardSet, Weight)> {
    let mut hands = Vec::with_capacity(count_hands(game));
    let size = if game.deals_own_cards() {
        0
    } else {
        game.hole_cards()
    };
    for_each_hand(game.deck(), size, &mut |hand| hands.push((hand, weight)));
    hands
}

/// Returns the number of hands that [`all_hands`] lists.
fn count_hands(game: Game) -> usize {
    if game.deals_own_cards() {
        return 1;
    }
    let (deck, size) = (game.deck().len(), game.hole_cards());
    (0..size).fold(1, |count, drawn| count * (deck - drawn) / (drawn + 1))
}

/// Calls `visit` with every set of `size` of the cards.
pub(crate) fn for_each_hand(cards: CardSet, size: usize, visit: &mut impl FnMut(CardSet)) {
    fn extend(hand: CardSet, from: CardSet, left: usize, visit: &mut impl FnMut(CardSet)) {
        if left == 0 {
            return visit(hand);
        }
        let mut later = from;
        for card in from {
            later.remove(card);
            extend(hand | CardSet::of(card), later, left - 1, visit);
        }
    }
    extend(CardSet::EMPTY, cards, size, visit);
}
