//! Functions that several tests use: vector files, random hands, and an independent evaluator.
#![allow(dead_code)]

use cards::CardSet;
use croupier_poker::{Equity, Game, Query, Range, parse_cards};

/// Returns the rows of a vector file, without the header.
pub fn vectors(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().skip(1).map(fields).collect()
}

/// Returns the fields of a CSV line; quoted fields may contain commas.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(letter),
        }
    }
    fields
}

/// A small generator for test data (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a random hand of `size` cards from those in `deck`.
    pub fn hand_from(&mut self, deck: CardSet, size: usize) -> CardSet {
        let mut hand = CardSet::EMPTY;
        while hand.len() < size {
            hand |= CardSet(1 << self.below(52)) & deck;
        }
        hand
    }

    pub fn hand(&mut self, size: usize) -> CardSet {
        self.hand_from(CardSet::FULL, size)
    }
}

/// An evaluator that shares no code with the crate: it reads the classes from the vector file, finds a five-card hand
/// by its sorted ranks, and tries every five cards of larger hands.
pub struct BestOfFives {
    /// Ranks by the five ranks in descending order as digits of base 13, unsuited then suited.
    rank: Vec<u16>,
}

const DIGITS: usize = 13 * 13 * 13 * 13 * 13;

impl BestOfFives {
    pub fn new() -> BestOfFives {
        let mut rank = vec![u16::MAX; 2 * DIGITS];
        for row in vectors("classes.csv") {
            let mut ranks: Vec<usize> = row[2]
                .chars()
                .map(|c| "23456789TJQKA".find(c).unwrap())
                .collect();
            ranks.sort_unstable_by(|a, b| b.cmp(a));
            let index = ranks.iter().fold(0, |index, rank| 13 * index + rank);
            let suited = matches!(row[1].as_str(), "royal" | "straight_flush" | "flush");
            rank[index + if suited { DIGITS } else { 0 }] = row[0].parse().unwrap();
        }
        BestOfFives { rank }
    }

    /// Returns the rank of five cards given as 4 * rank + suit, highest first.
    #[inline]
    pub fn five(&self, cards: [u8; 5]) -> u16 {
        let index = cards
            .iter()
            .fold(0, |index, card| 13 * index + usize::from(card / 4));
        let suited = cards.iter().all(|card| card % 4 == cards[0] % 4);
        self.rank[index + if suited { DIGITS } else { 0 }]
    }

    /// Returns the best rank among all fives of the cards, given highest first.
    pub fn best(&self, cards: &[u8]) -> u16 {
        let n = cards.len();
        let mut best = u16::MAX;
        for a in 0..n {
            for b in a + 1..n {
                for c in b + 1..n {
                    for d in c + 1..n {
                        for e in d + 1..n {
                            let five = [cards[a], cards[b], cards[c], cards[d], cards[e]];
                            best = best.min(self.five(five));
                        }
                    }
                }
            }
        }
        best
    }
}

/// Returns the cards as 4 * rank + suit, highest first.
pub fn by_rank(hand: CardSet) -> Vec<u8> {
    let mut cards: Vec<u8> = hand
        .iter()
        .map(|card| (4 * card.rank().index() + card.suit() as usize) as u8)
        .collect();
    cards.sort_unstable_by(|a, b| b.cmp(a));
    cards
}

/// Returns the card numbered 4 * rank + suit as a mask.
pub fn mask_of(card: u8) -> u64 {
    1 << (13 * (card % 4) + card / 4)
}

/// Makes a query; ranges are separated by bars.
pub fn query(game: Game, ranges: &str, board: &str, dead: &str) -> Query {
    let players = ranges
        .split('|')
        .map(|text| Range::parse(text, game).unwrap())
        .collect();
    let [board, dead] = [board, dead].map(|cards| parse_cards(cards).unwrap());
    Query {
        folded: Vec::new(),
        game,
        players,
        board,
        dead,
    }
}

/// Returns the counts by winner set in the notation of the vectors.
pub fn counts(equity: &Equity) -> String {
    let by_winners = equity.by_winners();
    let texts: Vec<String> = by_winners
        .iter()
        .map(|(set, count)| format!("{set}:{count}"))
        .collect();
    texts.join(" ")
}

/// Short deck with both rankings of trips and straights.
pub const SHORT_DECKS: [Game; 2] = [
    Game::ShortDeck {
        trips_beat_straight: false,
    },
    Game::ShortDeck {
        trips_beat_straight: true,
    },
];
