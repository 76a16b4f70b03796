//! Words for groups of hold'em hands: `pairs`, `broadway`, `suited connectors`.

use cards::CardSet;

use super::for_each_hand;
use crate::Game;

/// Indices of the ranks ten and ace; deuces have 0.
const TEN: usize = 8;
const ACE: usize = 12;

/// A group of hands with a name.
#[derive(Clone, Copy)]
pub(super) struct Word {
    /// The name without spaces.
    name: &'static str,
    fits: fn(Ranks) -> bool,
}

/// The ranks of a hand and whether its cards have the same suit.
#[derive(Clone, Copy)]
struct Ranks {
    high: usize,
    low: usize,
    suited: bool,
}

impl Ranks {
    fn gap(self) -> usize {
        self.high - self.low
    }

    fn is_broadway(self) -> bool {
        self.gap() > 0 && self.low >= TEN
    }

    fn is_ace(self) -> bool {
        self.gap() > 0 && self.high == ACE
    }
}

/// The words. Connectors are two neighbouring ranks from 32 to AK; one-gappers are 42 to AQ.
const WORDS: [Word; 15] = [
    word("pairs", |it| it.gap() == 0),
    word("pocketpairs", |it| it.gap() == 0),
    word("suited", |it| it.suited),
    word("offsuit", |it| !it.suited && it.gap() > 0),
    word("broadway", Ranks::is_broadway),
    word("broadways", Ranks::is_broadway),
    word("suitedbroadway", |it| it.is_broadway() && it.suited),
    word("offsuitbroadway", |it| it.is_broadway() && !it.suited),
    word("connectors", |it| it.gap() == 1),
    word("suitedconnectors", |it| it.gap() == 1 && it.suited),
    word("offsuitconnectors", |it| it.gap() == 1 && !it.suited),
    word("suitedonegappers", |it| it.gap() == 2 && it.suited),
    word("suitedgappers", |it| it.gap() == 2 && it.suited),
    word("suitedaces", |it| it.is_ace() && it.suited),
    word("offsuitaces", |it| it.is_ace() && !it.suited),
];

const fn word(name: &'static str, fits: fn(Ranks) -> bool) -> Word {
    Word { name, fits }
}

impl Word {
    /// Returns the word with this text, in the games with two hole cards. Hyphens do not matter.
    pub(super) fn find(text: &str, game: Game) -> Option<Word> {
        let text: String = text.chars().filter(|&letter| letter != '-').collect();
        let same = |word: &Word| game.has_two_hole_cards() && word.name == text;
        WORDS.into_iter().find(same)
    }

    /// Returns the hands, of all 52 cards.
    pub(super) fn hands(self) -> Vec<CardSet> {
        let mut hands = Vec::new();
        for_each_hand(CardSet::FULL, 2, &mut |hand| {
            let cards: Vec<_> = hand.iter().collect();
            let ranks = [cards[0].rank().index(), cards[1].rank().index()];
            let ranks = Ranks {
                high: ranks[0].max(ranks[1]),
                low: ranks[0].min(ranks[1]),
                suited: cards[0].suit() == cards[1].suit(),
            };
            if (self.fits)(ranks) {
                hands.push(hand);
            }
        });
        hands
    }
}
