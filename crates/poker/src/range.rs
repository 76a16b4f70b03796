//! Ranges: the hands that a player may hold, each with a weight.
//!
//! ```
//! use croupier_poker::{Game, Range};
//! let range = Range::parse("QQ+, AJs+, 76s:0.5", Game::Holdem)?;
//! assert_eq!(range.len(), 18 + 12 + 4);
//! assert_eq!(range.total_weight(), 18.0 + 12.0 + 2.0);
//! # Ok::<(), croupier_poker::RangeError>(())
//! ```

mod error;
mod filter;
mod holdem;
mod names;
mod omaha;
mod own_cards;
mod percent;
mod weight;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use cards::CardSet;

pub use error::{RangeError, RangeProblem};
pub use names::{NamedRanges, NamedRangesError};
pub use weight::Weight;

use crate::Game;
use crate::notation::{VARIATION, format_cards, suit_letter};

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
    /// Reads a range of the game. Items are separated by commas or spaces; case does not matter:
    ///
    /// | item | means |
    /// |---|---|
    /// | `AhKd`, `A♥K♦` | one hand |
    /// | `QQ`, `AK`, `AKs`, `AKo` | a pair; two ranks of any suits, suited, offsuit |
    /// | `AKhh`, `AhKx` | two ranks with their suits; a card and another of any suit |
    /// | `Axs`, `Kx` | a rank with any lower or higher one |
    /// | `QQ+` | this pair and all higher |
    /// | `ATs+` | the lower card rises to just below the higher: ATs AJs AQs AKs |
    /// | `76s+` | connectors rise together: 76s 87s ... AKs |
    /// | `99-66`, `A5s-A2s`, `JTs-76s` | pairs, kickers or equal gaps between the two |
    /// | `15%`, `5%-20%` | the best hands before the flop, by equity against a random hand |
    /// | `random`, `any`, `*` | every hand |
    /// | `!AKs` | not these; at the start of a range, all others |
    /// | `[flush draw]`, `QQ-77[overpair]` | hands with this draw or made hand on the board; see [`RangeContext`] |
    /// | `@name`, `name` | a range of the [`NamedRanges`] |
    /// | `item:0.5` | any of these with a weight; the last weight of a hand counts, 0 removes it |
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
        let game = setting.game;
        let items = Item::split(text)?;
        let written = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != VARIATION)
            .collect();
        if let [item] = &items[..]
            && item.is_everything(setting)
        {
            return Ok(Range::everything(written, game));
        }
        let mut weights: HashMap<CardSet, Weight> = HashMap::new();
        for (place, item) in items.iter().enumerate() {
            let hands: Vec<(CardSet, Weight)> = item
                .hands(setting)?
                .into_iter()
                .filter(|&(hand, _)| game.deck().contains_all(hand))
                .collect();
            if hands.is_empty() {
                return Err(item.error(item.nothing()));
            }
            if item.excluded && place == 0 {
                weights.extend(all_hands(game, Weight::ONE));
            }
            for (hand, weight) in hands {
                if item.excluded {
                    weights.remove(&hand);
                } else {
                    weights.insert(hand, weight);
                }
            }
        }
        let mut hands: Vec<_> = weights
            .into_iter()
            .filter(|(_, weight)| !weight.is_zero())
            .collect();
        hands.sort_unstable();
        Ok(Range {
            text: written,
            hands: Hands::Listed(hands),
        })
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
    /// Prints the range as given, without spaces.
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

/// One item of a range: its characters with their positions in the text, its filter and its weight.
struct Item {
    letters: Vec<(char, usize)>,
    /// The characters as given, without conversion of tens, to look up a name.
    written: String,
    position: usize,
    weight: Weight,
    /// Whether the item has a weight.
    weighted: bool,
    excluded: bool,
    filter: Option<(String, usize)>,
}

impl Item {
    /// Splits a range at the commas outside brackets and reads the weights.
    fn split(text: &str) -> Result<Vec<Item>, RangeError> {
        let letters: Vec<(char, usize)> = text.chars().zip(1..).collect();
        let mut items = Vec::new();
        let (mut start, mut open) = (0, None);
        for (place, &(letter, position)) in letters.iter().enumerate() {
            match letter {
                '[' if open.is_none() => open = Some(position),
                ']' if open.is_some() => open = None,
                '[' | ']' => return Err(RangeError::new(position, RangeProblem::Bracket)),
                ',' if open.is_none() => {
                    items.push(Item::read(&letters[start..place], position)?);
                    start = place + 1;
                }
                _ => {}
            }
        }
        if let Some(position) = open {
            return Err(RangeError::new(position, RangeProblem::Bracket));
        }
        items.push(Item::read(&letters[start..], letters.len() + 1)?);
        Ok(items)
    }

    /// Reads one item; `end` is the position after it.
    fn read(part: &[(char, usize)], end: usize) -> Result<Item, RangeError> {
        let mut filter = None;
        let mut outside = Vec::new();
        let mut rest = part.iter();
        while let Some(&(letter, position)) = rest.next() {
            if letter == '[' {
                let inside: String = rest
                    .by_ref()
                    .map(|l| l.0)
                    .take_while(|&l| l != ']')
                    .collect();
                if filter.replace((inside, position + 1)).is_some() {
                    return Err(RangeError::new(position, RangeProblem::Bracket));
                }
            } else if !letter.is_whitespace() && letter != VARIATION {
                outside.push((suit_letter(letter).to_ascii_lowercase(), position));
            }
        }
        let start = part.first().map_or(end, |&(_, position)| position);
        let position = outside.first().map_or(start, |&(_, position)| position);
        let excluded = outside.first().is_some_and(|&(letter, _)| letter == '!');
        let mut letters = outside.split_off(usize::from(excluded));
        let (weight, weighted) = take_weight(&mut letters)?;
        if letters.is_empty() && filter.is_none() {
            return Err(RangeError::new(position, RangeProblem::Empty));
        }
        Ok(Item {
            written: letters.iter().map(|&(letter, _)| letter).collect(),
            letters: with_tens(letters),
            position,
            weight,
            weighted,
            excluded,
            filter,
        })
    }

    fn text(&self) -> String {
        self.letters.iter().map(|&(letter, _)| letter).collect()
    }

    /// Returns whether the item means every hand.
    fn names_everything(&self) -> bool {
        matches!(self.text().as_str(), "" | "random" | "any" | "*" | "xx")
    }

    /// Returns whether the item is every hand of the game with a weight of one and no filter.
    fn is_everything(&self, setting: &RangeContext) -> bool {
        let plain = !self.excluded && self.filter.is_none() && self.weight == Weight::ONE;
        plain && self.names_everything() && setting.names.entry(&self.written).is_none()
    }

    /// Returns the hands of the item with their weights.
    fn hands(&self, setting: &RangeContext) -> Result<Vec<(CardSet, Weight)>, RangeError> {
        let game = setting.game;
        let text = self.text();
        let name = self.written.strip_prefix('@').unwrap_or(&self.written);
        let plain = |hands: Vec<CardSet>| hands.into_iter().map(|h| (h, self.weight)).collect();
        let mut hands: Vec<(CardSet, Weight)> = if let Some(range) = setting.names.entry(name) {
            let range = range.map_err(|problem| self.error(problem.clone()))?;
            let scale = |w: Weight| {
                if self.weighted {
                    w.times(self.weight)
                } else {
                    w
                }
            };
            let named = range.hands().iter();
            named.map(|&(hand, weight)| (hand, scale(weight))).collect()
        } else if text.starts_with('@') {
            return Err(self.error(RangeProblem::Name(
                name.to_string(),
                setting.names.near(name),
            )));
        } else if self.names_everything() {
            all_hands(game, self.weight)
        } else if text.contains('%') {
            plain(percent::hands(self, game)?)
        } else if game.has_two_hole_cards() {
            plain(holdem::hands(self, setting.names)?)
        } else if game.deals_own_cards() {
            plain(own_cards::hands(self, game)?)
        } else {
            plain(omaha::hands(self, game)?)
        };
        if let Some((words, position)) = &self.filter {
            let filter = filter::Filter::read(words, *position, setting)?;
            let in_play =
                |hand: CardSet| game.deck().contains_all(hand) && hand.is_disjoint(setting.board);
            hands.retain(|&(hand, _)| in_play(hand) && filter.fits(hand));
        }
        Ok(hands)
    }

    /// Returns the reason why the item has no hand.
    fn nothing(&self) -> RangeProblem {
        match &self.filter {
            Some((words, _)) => RangeProblem::NothingFits(words.clone()),
            None => RangeProblem::NotInDeck,
        }
    }

    /// Makes an error about the whole item.
    fn error(&self, problem: RangeProblem) -> RangeError {
        RangeError::new(self.position, problem)
    }
}

/// Removes a weight such as `:0.5` from the end.
fn take_weight(letters: &mut Vec<(char, usize)>) -> Result<(Weight, bool), RangeError> {
    let Some(colon) = letters.iter().position(|&(letter, _)| letter == ':') else {
        return Ok((Weight::ONE, false));
    };
    let digits: String = letters[colon + 1..].iter().map(|&(l, _)| l).collect();
    let place = letters[colon].1 + 1;
    letters.truncate(colon);
    let weight = digits
        .parse()
        .map_err(|problem| RangeError::new(place, problem))?;
    Ok((weight, true))
}

/// Replaces `10` by `t`, except in percentages and names.
fn with_tens(letters: Vec<(char, usize)>) -> Vec<(char, usize)> {
    if letters
        .iter()
        .any(|&(letter, _)| matches!(letter, '%' | '@'))
    {
        return letters;
    }
    let mut written = Vec::with_capacity(letters.len());
    let mut rest = letters.into_iter().peekable();
    while let Some((letter, position)) = rest.next() {
        if letter == '1' && rest.next_if(|&(next, _)| next == '0').is_some() {
            written.push(('t', position));
        } else {
            written.push((letter, position));
        }
    }
    written
}
