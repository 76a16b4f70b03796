//! The strength of a hold'em hand on a board: made hands by their usual names, and draws.
//!
//! ```
//! use croupier_poker::strength::{Made, classify};
//! use croupier_poker::{Game, parse_cards};
//!
//! let strength = classify(Game::Holdem, parse_cards("AhTh")?, parse_cards("Ts9h2h")?);
//! assert_eq!(strength.made, Made::TopPair);
//! assert!(strength.draws.flush);
//! # Ok::<(), croupier_poker::CardsError>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;

use cards::CardSet;

use crate::equity::boards::representatives;
use crate::equity::symmetry::SuitPermutation;
use crate::equity::threads::sum_in_parallel;
use crate::rank::Category;
use crate::reference::{self, SUIT_MASK};
use crate::{Game, Range};

/// The made hand, best first. A pair, two pair or three of a kind on the board alone is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Made {
    /// Straight flush, royal or not.
    StraightFlush,
    /// Four of a kind.
    Quads,
    /// Full house.
    FullHouse,
    /// Flush.
    Flush,
    /// Straight.
    Straight,
    /// A pair in hand and a third card on the board.
    Set,
    /// One card in hand and a pair on the board.
    Trips,
    /// Both cards paired with the board.
    TwoPair,
    /// A pair in hand above all cards of the board.
    Overpair,
    /// A pair with the highest card of the board.
    TopPair,
    /// A pair in hand between the two highest ranks of the board.
    PocketPair,
    /// A pair with the second rank of the board.
    SecondPair,
    /// Any lower pair.
    WeakPair,
    /// No pair, with an ace.
    AceHigh,
    /// No pair and no ace.
    Nothing,
}

impl Made {
    /// All kinds of made hands, best first.
    pub const ALL: [Made; 15] = [
        Made::StraightFlush,
        Made::Quads,
        Made::FullHouse,
        Made::Flush,
        Made::Straight,
        Made::Set,
        Made::Trips,
        Made::TwoPair,
        Made::Overpair,
        Made::TopPair,
        Made::PocketPair,
        Made::SecondPair,
        Made::WeakPair,
        Made::AceHigh,
        Made::Nothing,
    ];

    /// Returns the name: `top pair`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "straight flush",
            "quads",
            "full house",
            "flush",
            "straight",
            "set",
            "trips",
            "two pair",
            "overpair",
            "top pair",
            "pocket pair",
            "second pair",
            "weak pair",
            "ace high",
            "nothing",
        ][self as usize]
    }
}

/// Draws: hands that the next cards can make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Draws {
    /// Four cards to a flush, at least one of them in hand.
    pub flush: bool,
    /// On the flop: three cards to a flush, among them both hole cards.
    pub backdoor_flush: bool,
    /// Two ranks or more make a straight.
    pub open_ended: bool,
    /// One rank makes a straight.
    pub gutshot: bool,
    /// Both cards above the board, without a pair.
    pub overcards: bool,
}

impl Draws {
    /// Returns the names of the draws and whether each is present, in the order of reports.
    #[must_use]
    pub fn named(self) -> [(&'static str, bool); 6] {
        let straight = self.open_ended || self.gutshot;
        [
            ("flush draw", self.flush),
            ("open-ended straight draw", self.open_ended),
            ("gutshot", self.gutshot),
            ("combo draw", self.flush && straight),
            ("backdoor flush draw", self.backdoor_flush),
            ("overcards", self.overcards),
        ]
    }

    /// Returns whether there is a draw to a flush or a straight with the next card.
    #[must_use]
    pub fn any(self) -> bool {
        self.flush || self.open_ended || self.gutshot
    }
}

/// The made hand and the draws of a hand on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strength {
    /// The made hand.
    pub made: Made,
    /// The draws.
    pub draws: Draws,
}

/// Returns the strength of two hole cards on a board of three to five cards.
#[must_use]
pub fn classify(game: Game, hand: CardSet, board: CardSet) -> Strength {
    let made = made(game, hand, board);
    let mut draws = Draws::default();
    if board.len() < 5 {
        let flush = |own_at_least: usize, together: usize| {
            (0..4).any(|suit| {
                let in_suit = |cards: CardSet| (cards.0 >> (13 * suit) & SUIT_MASK).count_ones();
                in_suit(hand) as usize >= own_at_least && in_suit(hand | board) as usize == together
            })
        };
        draws.flush = made > Made::Flush && flush(1, 4);
        draws.backdoor_flush = board.len() == 3 && made > Made::Flush && flush(2, 3);
        if made > Made::Straight {
            match straight_ranks(game, hand, board) {
                0 => {}
                1 => draws.gutshot = true,
                _ => draws.open_ended = true,
            }
        }
        let highest = |cards: CardSet| 15 - ranks(cards).leading_zeros();
        let lowest = |cards: CardSet| ranks(cards).trailing_zeros();
        draws.overcards = made >= Made::AceHigh && lowest(hand) > highest(board);
    }
    Strength { made, draws }
}

/// Returns a mask of the ranks that occur, deuce in bit 0.
fn ranks(cards: CardSet) -> u16 {
    let any = cards.0 | cards.0 >> 13 | cards.0 >> 26 | cards.0 >> 39;
    (any & SUIT_MASK) as u16
}

/// Returns the number of ranks that make a straight with the hand, but not with the board alone.
fn straight_ranks(game: Game, hand: CardSet, board: CardSet) -> usize {
    let wheel = if game.deck().len() == 36 {
        0x10F0
    } else {
        0x100F
    };
    let best = |ranks: u16| {
        let run = (0..9).rev().find(|low| ranks >> low & 0x1F == 0x1F);
        run.map(|low| low + 1)
            .or((ranks & wheel == wheel).then_some(0))
    };
    let in_play = ranks(game.deck());
    (0..13)
        .filter(|rank| in_play >> rank & 1 == 1)
        .filter(|rank| {
            let with = best(ranks(hand | board) | 1 << rank);
            with.is_some() && with > best(ranks(board) | 1 << rank)
        })
        .count()
}

fn category(game: Game, cards: CardSet) -> Category {
    if game == Game::Holdem
        && let Some(rank) = crate::evaluate(cards)
    {
        return rank.category();
    }
    let numbering = reference::numbering(game.rules());
    let rank = numbering.rank(reference::score(game.rules(), cards));
    numbering.classes()[usize::from(rank.0)].category
}

fn made(game: Game, hand: CardSet, board: CardSet) -> Made {
    match category(game, hand | board) {
        Category::RoyalFlush | Category::StraightFlush => Made::StraightFlush,
        Category::Quads => Made::Quads,
        Category::FullHouse => Made::FullHouse,
        Category::Flush => Made::Flush,
        Category::Straight => Made::Straight,
        _ => of_pairs(hand, board),
    }
}

/// Returns the made hand of equal ranks: what the two cards add to the board.
fn of_pairs(hand: CardSet, board: CardSet) -> Made {
    let on_board = |rank: usize| {
        board
            .iter()
            .filter(|card| card.rank().index() == rank)
            .count()
    };
    let own: Vec<usize> = hand.iter().map(|card| card.rank().index()).collect();
    let [a, b] = own[..] else {
        return Made::Nothing;
    };
    // The ranks of the board, highest first.
    let mut table: Vec<usize> = (0..13).rev().filter(|&rank| on_board(rank) > 0).collect();
    table.truncate(2);
    let top = table.first().copied().unwrap_or(0);
    let second = table.get(1).copied().unwrap_or(0);
    if a == b {
        return match on_board(a) {
            0 if a > top => Made::Overpair,
            0 if a > second => Made::PocketPair,
            0 => Made::WeakPair,
            _ => Made::Set,
        };
    }
    match (on_board(a), on_board(b)) {
        (0, 0) if a == 12 || b == 12 => Made::AceHigh,
        (0, 0) => Made::Nothing,
        (2.., _) | (_, 2..) => Made::Trips,
        (1, 1) => Made::TwoPair,
        (one, _) => match if one == 1 { a } else { b } {
            rank if rank == top => Made::TopPair,
            rank if rank == second => Made::SecondPair,
            _ => Made::WeakPair,
        },
    }
}

/// The distribution of a range over made hands and draws on a board, in millionths of a hand.
#[derive(Clone, Debug, Default)]
pub struct StrengthDistribution {
    /// The weight of each made hand that occurs.
    pub made: BTreeMap<Made, u64>,
    /// The weight of each kind of draw that occurs, by its name.
    pub draws: BTreeMap<&'static str, u64>,
    /// The weight of all playable hands.
    pub total: u64,
    /// The number of playable hands.
    pub hands: usize,
    /// The number of boards; all weights are sums over them.
    pub boards: u64,
}

/// Returns the distribution of a range on a board of three to five cards, without hands that contain a card of the
/// board or a dead one.
#[must_use]
pub fn distribution(
    game: Game,
    range: &Range,
    board: CardSet,
    dead: CardSet,
) -> StrengthDistribution {
    let mut distribution = StrengthDistribution::default();
    for (hand, weight) in range.hands() {
        if !hand.is_disjoint(board | dead) {
            continue;
        }
        let weight = weight.millionths();
        let strength = classify(game, *hand, board);
        *distribution.made.entry(strength.made).or_default() += weight;
        for (name, _) in strength.draws.named().into_iter().filter(|&(_, has)| has) {
            *distribution.draws.entry(name).or_default() += weight;
        }
        distribution.total += weight;
        distribution.hands += 1;
    }
    distribution.boards = 1;
    distribution
}

/// The largest number of hands to classify, one for each hand of the range and each board.
const MOST_HANDS: u64 = 400_000_000;

/// Returns the distribution of a range over all completions of a board to `cards` cards, from 3 for the flop to 5 for the
/// river, each equally likely. Hands that share a card with a completion are left out on it, as in [`distribution`].
///
/// ```
/// use croupier_poker::strength::{Made, distribution_after};
/// use croupier_poker::{CardSet, Game};
///
/// // A pair in hand makes a set or better on 11.8 % of the flops.
/// let sevens = "77".parse()?;
/// let found = distribution_after(Game::Holdem, &sevens, CardSet::EMPTY, CardSet::EMPTY, 3, 1)?;
/// assert_eq!(found.boards, 22_100);
/// let sets = found.made[&Made::Set] + found.made[&Made::FullHouse] + found.made[&Made::Quads];
/// // 2,304 of the 19,600 flops for each hand have a seven, 48 of the others three cards of one rank.
/// assert_eq!((found.total / 6_000_000, sets / 6_000_000), (19_600, 2_352));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the board has more cards already, `cards` is not 3, 4 or 5, or there are too many hands and boards.
pub fn distribution_after(
    game: Game,
    range: &Range,
    board: CardSet,
    dead: CardSet,
    cards: usize,
    threads: usize,
) -> Result<StrengthDistribution, StrengthError> {
    /// Boards that a thread takes at a time.
    const CHUNK: usize = 64;
    /// Places of the sums: made hands, draws, the total.
    const DRAWS: usize = Made::ALL.len();
    let names = Draws::default().named().map(|(name, _)| name);
    let total = DRAWS + names.len();
    if !(3..=5).contains(&cards) || board.len() > cards {
        return Err(StrengthError::Street {
            board: board.len(),
            cards,
        });
    }
    let hands: Vec<(CardSet, u64)> = range
        .hands()
        .iter()
        .filter(|(hand, _)| hand.is_disjoint(board | dead))
        .map(|&(hand, weight)| (hand, weight.millionths()))
        .collect();
    let keeps = |permutation: &SuitPermutation| {
        permutation.fixes(board)
            && permutation.fixes(dead)
            && permutation.fixes_range(range.hands())
    };
    let symmetries: Vec<_> = SuitPermutation::all().into_iter().filter(keeps).collect();
    let boards = representatives(board, game.deck() - board - dead, cards, &symmetries);
    if boards.len() as u64 * hands.len() as u64 > MOST_HANDS {
        return Err(StrengthError::TooMany);
    }
    let chunks: Vec<_> = boards.chunks(CHUNK).collect();
    let sums = sum_in_parallel(threads.max(1), chunks.len(), total + 1, || {
        |chunk: usize, sums: &mut [u128]| {
            for board in chunks[chunk] {
                for &(hand, weight) in hands
                    .iter()
                    .filter(|(hand, _)| hand.is_disjoint(board.cards))
                {
                    let weight = u128::from(weight * board.copies);
                    let strength = classify(game, hand, board.cards);
                    sums[strength.made as usize] += weight;
                    for (place, (_, has)) in strength.draws.named().into_iter().enumerate() {
                        sums[DRAWS + place] += if has { weight } else { 0 };
                    }
                    sums[total] += weight;
                }
            }
        }
    });
    let weight = |place: usize| Some(sums[place] as u64).filter(|&weight| weight > 0);
    let made = Made::ALL.into_iter();
    Ok(StrengthDistribution {
        made: made
            .filter_map(|made| Some((made, weight(made as usize)?)))
            .collect(),
        draws: names
            .into_iter()
            .enumerate()
            .filter_map(|(place, name)| Some((name, weight(DRAWS + place)?)))
            .collect(),
        total: sums[total] as u64,
        hands: hands.len(),
        boards: boards.iter().map(|board| board.copies).sum(),
    })
}

/// A distribution over boards that is impossible or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StrengthError {
    /// A board with more cards than asked for, or a street that there is not.
    Street {
        /// The cards on the board.
        board: usize,
        /// The number of cards asked for.
        cards: usize,
    },
    /// Too many hands and boards.
    TooMany,
}

impl fmt::Display for StrengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StrengthError::Street { board, cards } => write!(
                f,
                "the board has {board} cards already; a board of {cards} is not to come"
            ),
            StrengthError::TooMany => f.write_str(
                "too many hands and boards; give a board, a narrower range or an earlier street",
            ),
        }
    }
}

impl std::error::Error for StrengthError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_cards;

    fn at(hand: &str, board: &str) -> Strength {
        classify(
            Game::Holdem,
            parse_cards(hand).unwrap(),
            parse_cards(board).unwrap(),
        )
    }

    #[test]
    fn made_hands_are_named_as_players_name_them() {
        let cases = [
            ("AhAd", "KsTc4h", Made::Overpair),
            ("KhQd", "KsTc4h", Made::TopPair),
            ("QhQd", "KsTc4h", Made::PocketPair),
            ("JhTd", "KsTc4h", Made::SecondPair),
            ("9h9d", "KsTc4h", Made::WeakPair),
            ("5d4c", "KsTc4h", Made::WeakPair),
            ("4d4c", "KsTc4h", Made::Set),
            ("KdTd", "KsTc4h", Made::TwoPair),
            ("Kd5d", "KsKc4h", Made::Trips),
            ("Ad5d", "KsKc4h", Made::AceHigh),
            ("7d6d", "KsKc4h", Made::Nothing),
            ("QdQc", "KsKc4h", Made::PocketPair),
            ("Kd4d", "KsKc4h", Made::FullHouse),
            ("AdQd", "KdTd4d", Made::Flush),
            ("QdJc", "KsTc9h", Made::Straight),
            ("7d2c", "KsKcKh", Made::Nothing),
        ];
        for (hand, board, made) in cases {
            assert_eq!(at(hand, board).made, made, "{hand} on {board}");
        }
    }

    #[test]
    fn draws_are_seen() {
        assert!(at("AhTh", "Ts9h2h").draws.flush);
        assert!(at("AhKh", "Ts9h2c").draws.backdoor_flush);
        assert!(at("QcJd", "Ts9h2c").draws.open_ended);
        assert!(at("KcJd", "Ts9h2c").draws.gutshot);
        // A double gutshot has two ranks, like an open end: a ten or a six.
        assert!(at("9c7d", "Js8h5c").draws.open_ended);
        assert!(at("AcKd", "Ts9h2c").draws.overcards);
        assert!(!at("AcTd", "Ts9h2c").draws.overcards);
        // A draw of the board alone is not a draw of the hand.
        assert!(
            !at("2c2d", "QsJhTc9d").draws.gutshot || at("8c2d", "QsJhTc9d").made == Made::Straight
        );
        assert_eq!(at("AhKh", "QhJhTh2c3d").draws, Draws::default());
    }
}
