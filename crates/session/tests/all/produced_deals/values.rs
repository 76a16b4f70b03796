//! Values of hands and scores, counted card by card from their definitions. Values that have test vectors of their own
//! (metrics, double-dummy tricks) come from the crate that computes them.

use cards::{Deal, Seat, Side, Strain, Suit};
use solver::Solver;
use valuation::metrics;

/// The suits in the order in which shapes are written.
pub const SUITS: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

/// Returns the ranks of a hand in a suit, or in all suits, as indices from the ace.
pub fn places(deal: &Deal, seat: Seat, suit: Option<Suit>) -> impl Iterator<Item = usize> {
    let cards = deal.hand(seat).iter();
    let cards = cards.filter(move |card| suit.is_none_or(|suit| card.suit() == suit));
    cards.map(|card| 12 - card.rank().index())
}

pub fn length(deal: &Deal, seat: Seat, suit: Suit) -> u8 {
    places(deal, seat, Some(suit)).count() as u8
}

/// Returns lengths in the order spades, hearts, diamonds, clubs.
pub fn lengths(deal: &Deal, seat: Seat) -> [u8; 4] {
    SUITS.map(|suit| length(deal, seat, suit))
}

/// Returns the sum over one suit, or over all four.
pub fn by_suit(suit: Option<Suit>, of: impl Fn(Suit) -> i32) -> i32 {
    match suit {
        Some(suit) => of(suit),
        None => SUITS.into_iter().map(of).sum(),
    }
}

/// Returns the ranks of one suit as letters, highest first, with `x` for everything below the ten.
pub fn honours(deal: &Deal, seat: Seat, suit: Suit) -> String {
    let mut held: Vec<usize> = places(deal, seat, Some(suit)).collect();
    held.sort_unstable();
    let letters = held.into_iter();
    letters
        .map(|place| *b"AKQJTxxxxxxxx".get(place).unwrap_or(&b'x') as char)
        .collect()
}

pub fn losers(held: &str) -> i32 {
    let counting = held.len().min(3);
    let winners = "AKQ"[..counting].chars();
    counting as i32 - winners.filter(|&honour| held.contains(honour)).count() as i32
}

/// Returns the modern losing trick count of the three highest cards, in hundredths.
pub fn ltc(held: &str) -> i32 {
    let top = &held[..held.len().min(3)];
    match top {
        "" | "A" | "AK" | "AKQ" => 0,
        "K" | "AQ" | "AKJ" | "AQJ" => 50,
        "AJT" | "KJT" => 150,
        "QJT" | "QJx" => 200,
        _ if top.len() == 1 => 100,
        _ if top.len() == 2 => match top.starts_with(['A', 'K']) {
            true => 100,
            false => 200,
        },
        _ if ["AK", "AQ", "KQ"].iter().any(|two| top.starts_with(two)) => 100,
        _ if top.starts_with(['A', 'K']) => 200,
        _ if top.starts_with('Q') => 250,
        _ => 300,
    }
}

/// Returns the IMPs for a difference, by the table of the language: the largest difference for 0, 1, ... 23.
pub fn imps(difference: i32) -> i32 {
    const UP_TO: [u32; 24] = [
        10, 40, 80, 120, 160, 210, 260, 310, 360, 410, 490, 590, 740, 890, 1090, 1190, 1490, 1740,
        1990, 2240, 2490, 2990, 3490, 3990,
    ];
    let size = difference.unsigned_abs();
    let imps = UP_TO.iter().filter(|&&limit| size > limit).count() as i32;
    imps * difference.signum()
}

/// Returns a result of a metric by its slot.
pub fn slot(tag: i32, deal: &Deal, side: Side, slot: usize) -> i32 {
    let slots = metrics::evaluate(tag, deal, side).expect("a built-in metric");
    slots[slot]
}

/// Returns a result of a metric by its name and index: side, first hand, second hand; then these in the best fit.
pub fn metric(name: &str, deal: &Deal, side: Side, place: usize) -> i32 {
    let metric = metrics::by_name(name).expect("a built-in metric");
    slot(metric.tag, deal, side, place)
}

/// Returns the score of an undoubled contract for `tricks` tricks.
pub fn score(level: i32, strain: Strain, vulnerable: bool, tricks: i32) -> i32 {
    let over = tricks - 6 - level;
    let when = |vulnerable_one: i32, other: i32| if vulnerable { vulnerable_one } else { other };
    if over < 0 {
        return over * when(100, 50);
    }
    let (first, each) = match strain {
        Strain::Clubs | Strain::Diamonds => (20, 20),
        Strain::Hearts | Strain::Spades => (30, 30),
        Strain::Notrump => (40, 30),
    };
    let bid = first + each * (level - 1);
    let bonus = if bid >= 100 { when(500, 300) } else { 50 };
    let slam = match level {
        6 => when(750, 500),
        7 => when(1500, 1000),
        _ => 0,
    };
    bid + each * over + bonus + slam
}

/// Returns the double-dummy tricks of a declarer.
pub fn tricks(deal: &Deal, declarer: Seat, strain: Strain) -> i32 {
    Solver::with_memory(16)
        .tricks(deal, declarer, strain)
        .into()
}
