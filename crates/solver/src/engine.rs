//! The search on whatever processor this is, and positions in the words of the search.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cards::{CardSet, Holding, Strain, Suit};

use crate::Position;
#[cfg(target_arch = "x86_64")]
use crate::search::Bmi2;
use crate::search::{Cards, Portable, Search, Start, Together};

/// The search, compiled for what was found.
pub(crate) enum Engine {
    Portable(Search<Portable>),
    #[cfg(target_arch = "x86_64")]
    Bmi2(Search<Bmi2>),
}

impl Engine {
    /// The fastest search this machine can run, or the one that runs everywhere.
    pub(crate) fn new(bytes: usize, portable: bool) -> Engine {
        #[cfg(target_arch = "x86_64")]
        if !portable
            && cpu::Path::best() >= cpu::Path::Avx2
            && let Some(cpu) = Bmi2::detect()
        {
            return Engine::Bmi2(Search::new(cpu, bytes));
        }
        let _ = portable;
        Engine::Portable(Search::new(Portable, bytes))
    }

    /// As new; see [`Search::forget`].
    pub(crate) fn forget(&mut self) {
        match self {
            Engine::Portable(search) => search.forget(),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.forget(),
        }
    }

    /// Forgets everything and begins with other cards.
    pub(crate) fn begin(&mut self, hands: &[Cards; 4]) {
        match self {
            Engine::Portable(search) => search.begin(hands),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.begin(hands),
        }
    }

    /// Whether North-South get `need` tricks; see [`Search::test`].
    pub(crate) fn test(&mut self, notrump: bool, start: &Start, need: i32) -> i32 {
        match (self, notrump) {
            (Engine::Portable(search), true) => search.test::<true>(start, need),
            (Engine::Portable(search), false) => search.test::<false>(start, need),
            #[cfg(target_arch = "x86_64")]
            (Engine::Bmi2(search), true) => search.test::<true>(start, need),
            #[cfg(target_arch = "x86_64")]
            (Engine::Bmi2(search), false) => search.test::<false>(start, need),
        }
    }

    /// From now on searches end when `stop` becomes true or `deadline` has passed; see [`Search::watch`].
    pub(crate) fn watch(&mut self, stop: Option<Arc<AtomicBool>>, deadline: Option<Instant>) {
        match self {
            Engine::Portable(search) => search.watch(stop, deadline),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.watch(stop, deadline),
        }
    }

    /// From now on searches end after so many more positions; see [`Search::end_after`].
    pub(crate) fn end_after(&mut self, positions: Option<u64>) -> bool {
        match self {
            Engine::Portable(search) => search.end_after(positions),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.end_after(positions),
        }
    }

    /// Whether the last search was ended before it had an answer.
    pub(crate) fn was_stopped(&self) -> bool {
        match self {
            Engine::Portable(search) => search.was_stopped(),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.was_stopped(),
        }
    }

    /// From now on searches with others for the same answers, or alone; see [`Search::share`].
    pub(crate) fn share(&mut self, together: Option<&Arc<Together>>) {
        match self {
            Engine::Portable(search) => search.share(together),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.share(together),
        }
    }

    /// Whether others search for the same answer; see [`Search::same_question`].
    pub(crate) fn same_question(&mut self, same: bool) {
        match self {
            Engine::Portable(search) => search.same_question(same),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.same_question(same),
        }
    }

    /// Takes over the cards and the memory of another search; see [`Search::copy_from`].
    pub(crate) fn copy_from(&mut self, other: &Engine) {
        match (self, other) {
            (Engine::Portable(search), Engine::Portable(other)) => search.copy_from(other),
            #[cfg(target_arch = "x86_64")]
            (Engine::Bmi2(search), Engine::Bmi2(other)) => search.copy_from(other),
            #[cfg(target_arch = "x86_64")]
            _ => unreachable!("searches that work together run on the same processor"),
        }
    }

    /// Positions whose leads were tried.
    pub(crate) fn expanded(&self) -> u64 {
        match self {
            Engine::Portable(search) => search.expanded,
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.expanded,
        }
    }

    /// Bytes in use.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Engine::Portable(search) => search.bytes(),
            #[cfg(target_arch = "x86_64")]
            Engine::Bmi2(search) => search.bytes(),
        }
    }
}

/// Where a suit lies in the search: trumps are exchanged with the lowest suit.
pub(crate) fn place(suit: Suit, strain: Strain) -> usize {
    let trumps = strain.suit().map_or(0, Suit::index);
    match suit.index() {
        s if s == trumps => 0,
        0 => trumps,
        s => s,
    }
}

/// Cards in the order of the search.
pub(crate) fn to_search(cards: CardSet, strain: Strain) -> Cards {
    Suit::ALL.iter().fold(0, |all, &suit| {
        all | u64::from(cards.holding(suit).0) << (16 * place(suit, strain))
    })
}

/// Cards of the search as everybody else has them.
pub(crate) fn from_search(cards: Cards, strain: Strain) -> CardSet {
    Suit::ALL.iter().fold(CardSet::EMPTY, |all, &suit| {
        let holding = Holding((cards >> (16 * place(suit, strain)) & 0x1fff) as u16);
        all | holding.in_suit(suit)
    })
}

/// A position in the words of the search.
pub(crate) fn start(position: &Position) -> Start {
    let strain = position.strain();
    let mut trick = [0; 3];
    for (place, &card) in trick.iter_mut().zip(position.trick()) {
        *place = to_search(CardSet::of(card), strain).trailing_zeros();
    }
    Start {
        hands: position.hands().map(|hand| to_search(hand, strain)),
        leader: position.leader().index(),
        trick,
        played: position.trick().len(),
    }
}
