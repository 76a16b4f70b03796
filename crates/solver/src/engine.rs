//! The search compiled for this processor, and the conversion of positions to its representation.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cards::{CardSet, Holding, Strain, Suit};

use crate::Position;
#[cfg(target_arch = "x86_64")]
use crate::search::Bmi2;
use crate::search::{Cards, Found, Portable, Search, SearchGroup, Start};

/// The search, compiled for one kind of processor.
pub(crate) enum Engine {
    Portable(Search<Portable>),
    #[cfg(target_arch = "x86_64")]
    Bmi2(Search<Bmi2>),
}

impl Engine {
    /// Creates the fastest search that this processor can run, or the portable one if `portable` is set.
    pub(crate) fn new(bytes: usize, portable: bool) -> Engine {
        #[cfg(target_arch = "x86_64")]
        if !portable
            && cpu::CpuPath::best() >= cpu::CpuPath::Avx2
            && let Some(cpu) = Bmi2::detect()
        {
            return Engine::Bmi2(Search::new(cpu, bytes));
        }
        let _ = portable;
        Engine::Portable(Search::new(Portable, bytes))
    }

    /// Resets the search heuristics; see [`Search::forget`].
    pub(crate) fn forget(&mut self) {
        match self {
            Engine::Portable(search) => search.forget(),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.forget(),
        }
    }

    /// Clears the table and starts with other hands; see [`Search::begin`].
    pub(crate) fn begin(&mut self, notrump: bool, hands: &[Cards; 4]) {
        match self {
            Engine::Portable(search) => search.begin(notrump, hands),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.begin(notrump, hands),
        }
    }

    /// Starts with other hands in the same strain; see [`Search::begin_related`].
    pub(crate) fn begin_related(&mut self, notrump: bool, hands: &[Cards; 4]) {
        match self {
            Engine::Portable(search) => search.begin_related(notrump, hands),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.begin_related(notrump, hands),
        }
    }

    /// Tests whether North-South take `need` tricks; see [`Search::test`].
    pub(crate) fn test(&mut self, notrump: bool, start: &Start, need: i32) -> i32 {
        self.prove(notrump, start, need).tricks
    }

    /// Tests whether North-South take `need` tricks, and returns the cards that the result depends on.
    pub(crate) fn prove(&mut self, notrump: bool, start: &Start, need: i32) -> Found {
        match (self, notrump) {
            (Engine::Portable(search), true) => search.test::<true>(start, need),
            (Engine::Portable(search), false) => search.test::<false>(start, need),
            #[cfg(target_arch = "x86_64")]
            (Engine::Bmi2(search), true) => search.test::<true>(start, need),
            #[cfg(target_arch = "x86_64")]
            (Engine::Bmi2(search), false) => search.test::<false>(start, need),
        }
    }

    /// Sets when searches stop early; see [`Search::stop_when`].
    pub(crate) fn stop_when(&mut self, stop: Option<Arc<AtomicBool>>, deadline: Option<Instant>) {
        match self {
            Engine::Portable(search) => search.stop_when(stop, deadline),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.stop_when(stop, deadline),
        }
    }

    /// Sets after how many more positions searches stop early; see [`Search::stop_after`].
    pub(crate) fn stop_after(&mut self, positions: Option<u64>) -> bool {
        match self {
            Engine::Portable(search) => search.stop_after(positions),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.stop_after(positions),
        }
    }

    /// Returns whether the last search was stopped before it had an answer.
    pub(crate) fn was_stopped(&self) -> bool {
        match self {
            Engine::Portable(search) => search.was_stopped(),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.was_stopped(),
        }
    }

    /// Joins a group of searches, or leaves it; see [`Search::set_group`].
    pub(crate) fn set_group(&mut self, group: Option<&Arc<SearchGroup>>) {
        match self {
            Engine::Portable(search) => search.set_group(group),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.set_group(group),
        }
    }

    /// Sets whether the group searches for the same answer; see [`Search::set_same_question`].
    pub(crate) fn set_same_question(&mut self, same: bool) {
        match self {
            Engine::Portable(search) => search.set_same_question(same),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.set_same_question(same),
        }
    }

    /// Copies the cards and the tables of another search; see [`Search::copy_from`].
    pub(crate) fn copy_from(&mut self, other: &Engine) {
        match (self, other) {
            (Engine::Portable(search), Engine::Portable(other)) => search.copy_from(other),
            #[cfg(target_arch = "x86_64")]
            (Engine::Bmi2(search), Engine::Bmi2(other)) => search.copy_from(other),
            #[cfg(target_arch = "x86_64")]
            _ => unreachable!("all searches of a team use the same kind of processor"),
        }
    }

    /// Returns the number of positions searched; see [`Search::expanded`].
    pub(crate) fn expanded(&self) -> u64 {
        match self {
            Engine::Portable(search) => search.expanded,
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.expanded,
        }
    }

    /// Returns the memory in use, in bytes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Engine::Portable(search) => search.bytes(),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.bytes(),
        }
    }
}

/// Returns the index of a suit in the search, which keeps trumps in the lowest suit: trumps and clubs change places.
pub(crate) fn suit_index(suit: Suit, strain: Strain) -> usize {
    let trumps = strain.suit().map_or(0, Suit::index);
    match suit.index() {
        s if s == trumps => 0,
        0 => trumps,
        s => s,
    }
}

/// Converts cards to the order of suits that the search uses.
pub(crate) fn to_search(cards: CardSet, strain: Strain) -> Cards {
    Suit::ALL.iter().fold(0, |all, &suit| {
        all | u64::from(cards.holding(suit).0) << (16 * suit_index(suit, strain))
    })
}

/// Converts cards back from the order of suits that the search uses.
pub(crate) fn from_search(cards: Cards, strain: Strain) -> CardSet {
    Suit::ALL.iter().fold(CardSet::EMPTY, |all, &suit| {
        let holding = Holding((cards >> (16 * suit_index(suit, strain)) & 0x1fff) as u16);
        all | holding.in_suit(suit)
    })
}

/// Converts a position for the search.
pub(crate) fn start(position: &Position) -> Start {
    let strain = position.strain();
    let mut trick = [0; 3];
    for (suit_index, &card) in trick.iter_mut().zip(position.trick()) {
        *suit_index = to_search(CardSet::of(card), strain).trailing_zeros();
    }
    Start {
        hands: position.hands().map(|hand| to_search(hand, strain)),
        leader: position.leader().index(),
        trick,
        played: position.trick().len(),
    }
}
