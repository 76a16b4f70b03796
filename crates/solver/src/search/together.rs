//! Several searches for one answer.
//!
//! Each has its own memory, and all answer the same question from the start. They tell one another what they proved, and
//! where they are: a suit that another search is trying in the same situation is tried last, when its answer is probably
//! known. So nobody hands out work or waits, and a search that comes late takes part at once. (The idea is Weill's
//! ABDADA, in the simple form of T. Kerrigan. Suits instead of cards, because a card that fails often shows that the
//! others of its suit need not be tried; a memory for each, because it is asked too often for a lock.)

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cards::{Cards, Lengths};
use super::cpu::{Cpu, Portable};
use super::table::{Entry, Table};
use super::{Found, Search};

/// With this many tricks left, or more, searches look at what others are trying and have proven.
pub(crate) const LOOKS_FROM: i32 = 10;

/// With this many tricks left, or more, what is proven is told. What is below is searched faster than told.
pub(crate) const TELLS_FROM: i32 = 5;

/// What searches for the same answer share.
pub(crate) struct Together {
    /// What each member has been told and not yet entered.
    letters: Vec<Letters>,
    /// Where suits are being tried; a later one may take the place of an earlier.
    trying: Vec<Noted>,
}

/// Proofs for one member. (Two members at the same time wait for each other only as long as copying takes.)
#[derive(Default)]
#[repr(align(128))]
struct Letters {
    /// Whether somebody reads them.
    read: AtomicBool,
    any: AtomicBool,
    proofs: Mutex<Vec<Proof>>,
}

/// In a cache line of its own: what others note elsewhere does not disturb.
#[derive(Default)]
#[repr(align(64))]
struct Noted(AtomicU64);

/// A pattern that was entered in a table.
#[derive(Clone, Copy)]
struct Proof {
    key: u64,
    entry: Entry,
}

/// So many proofs wait for a member at most; whoever is slower has to find the others out.
const KEPT: usize = 1 << 13;

/// How many suits are noted at once.
const PLACES: usize = 1 << 10;

impl Together {
    /// Nothing proven, nothing tried, by at most so many members.
    pub(crate) fn new(members: usize) -> Together {
        Together {
            letters: (0..members).map(|_| Letters::default()).collect(),
            trying: (0..PLACES).map(|_| Noted::default()).collect(),
        }
    }
}

/// One of the searches.
pub(crate) struct Member {
    shared: Arc<Together>,
    number: usize,
    /// What the others have not been told.
    untold: Vec<Proof>,
    /// Where letters are read.
    reading: Vec<Proof>,
    /// How much was told by others.
    heard: u64,
}

impl Member {
    /// One more search, if there are not too many.
    pub(crate) fn new(shared: &Arc<Together>) -> Option<Member> {
        let free = |letters: &Letters| !letters.read.swap(true, Relaxed);
        Some(Member {
            number: shared.letters.iter().position(free)?,
            shared: Arc::clone(shared),
            untold: Vec::new(),
            reading: Vec::new(),
            heard: 0,
        })
    }

    /// Whether the search shares this.
    pub(crate) fn is_of(&self, shared: &Arc<Together>) -> bool {
        Arc::ptr_eq(&self.shared, shared)
    }

    /// Notes something for the others.
    pub(crate) fn tell(&mut self, key: u64, entry: Entry) {
        self.untold.push(Proof { key, entry });
    }

    /// Tells the others what is noted, and enters in the table what they have told.
    pub(crate) fn exchange(&mut self, table: &mut Table) {
        if !self.untold.is_empty() {
            for (number, letters) in self.shared.letters.iter().enumerate() {
                if number != self.number && letters.read.load(Relaxed) {
                    letters.send(&self.untold);
                }
            }
            self.untold.clear();
        }
        let letters = &self.shared.letters[self.number];
        if letters.any.load(Relaxed) {
            letters.receive(&mut self.reading);
            self.heard += self.reading.len() as u64;
            for proof in self.reading.drain(..) {
                table.add(proof.key, proof.entry);
            }
        }
    }

    /// Tells the others that a card is being tried now. Or, if another search is trying its suit, says that it should
    /// be tried last, but only once.
    pub(crate) fn put_off(&self, put_off: &mut PutOff, card: u32, place: Place) -> bool {
        let noted = self.noted(place);
        if put_off.cards >> card & 1 == 0 && noted.load(Relaxed) == place.0 {
            put_off.cards |= 1 << card;
            return true;
        }
        noted.store(place.0, Relaxed);
        false
    }

    /// Tells the others that a card has been tried.
    pub(crate) fn tried(&self, place: Place) {
        // Whoever else is trying the suit comes later and finds more of it known.
        let noted = self.noted(place);
        let _ = noted.compare_exchange(place.0, 0, Relaxed, Relaxed);
    }

    fn noted(&self, place: Place) -> &AtomicU64 {
        &self.shared.trying[place.0 as usize & (PLACES - 1)].0
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let letters = &self.shared.letters[self.number];
        letters.receive(&mut self.reading);
        letters.read.store(false, Relaxed);
    }
}

impl Letters {
    fn proofs(&self) -> MutexGuard<'_, Vec<Proof>> {
        self.proofs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, proofs: &[Proof]) {
        let mut waiting = self.proofs();
        if waiting.len() < KEPT {
            waiting.extend_from_slice(proofs);
        }
        self.any.store(true, Relaxed);
    }

    /// Moves everything to an empty list.
    fn receive(&self, to: &mut Vec<Proof>) {
        let mut waiting = self.proofs();
        std::mem::swap(&mut *waiting, to);
        self.any.store(false, Relaxed);
    }
}

/// What is asked of and told to those who search for the same answer, aside from the search for one alone.
impl<C: Cpu> Search<C> {
    #[cold]
    pub(super) fn tell_others(&mut self, key: u64, entry: Entry) {
        if let Some(member) = &mut self.together {
            member.tell(key, entry);
        }
    }

    /// Tells the others what was proven here and hears what they have proven, if there are any.
    #[cold]
    pub(super) fn exchange(&mut self) {
        if let Some(member) = &mut self.together {
            member.exchange(&mut self.table);
        }
    }

    /// What others have found about a position, if there is anything new.
    #[cold]
    #[inline(never)]
    pub(super) fn others_found(
        &mut self,
        put_off: &mut PutOff,
        leader: usize,
        need: i32,
        lengths: Lengths,
        all: Cards,
    ) -> Option<Found> {
        let heard = self.together.as_ref()?.heard;
        if heard == put_off.heard {
            return None;
        }
        put_off.heard = heard;
        let code = self.cpu.code(&self.owners, all);
        let key = Table::key(lengths, leader);
        // Patterns are compared in the same way on every processor.
        let (tricks, mask) = self.table.probe(Portable, key, code, need)?;
        let ranks = self.cpu.unmask(mask, all);
        Some(Found { tricks, ranks })
    }

    /// The state of a hand that has tried nothing.
    #[cold]
    pub(super) fn nothing_put_off(&self, put_off: &mut PutOff) {
        put_off.heard = self.together.as_ref().map_or(0, |member| member.heard);
    }

    /// Whether a card is put off because others are trying its suit; if not, they are told. `cards` are those that
    /// the hands hold.
    #[cold]
    #[inline(never)]
    pub(super) fn put_off(
        &self,
        put_off: &mut PutOff,
        card: u32,
        cards: Cards,
        seat: usize,
    ) -> bool {
        let member = self.together.as_ref();
        member.is_some_and(|member| member.put_off(put_off, card, Place::of(cards, seat, card)))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn tried(&self, card: u32, cards: Cards, seat: usize) {
        if let Some(member) = &self.together {
            member.tried(Place::of(cards, seat, card));
        }
    }
}

/// The cards of a hand that are tried last, and how much was told when the table was last asked.
#[derive(Default)]
pub(crate) struct PutOff {
    cards: Cards,
    heard: u64,
}

impl PutOff {
    /// What is left but those, or else those.
    #[inline(always)]
    pub(crate) fn others(&self, moves: Cards) -> Cards {
        match moves & !self.cards {
            0 => moves,
            others => others,
        }
    }
}

/// A hash, never 0, of a suit that a hand may play in a situation.
#[derive(Clone, Copy)]
pub(crate) struct Place(u64);

impl Place {
    /// Where a hand plays a card when the hands hold these. (With the seat they tell nearly everything about the
    /// trick on the table; what they do not tell can only put off a card in vain.)
    pub(crate) fn of(cards: Cards, seat: usize, card: u32) -> Place {
        let choice = (seat as u64) << 2 | u64::from(card >> 4);
        let choice = choice.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (cards ^ choice).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        Place(mixed ^ mixed >> 32 | 1 << 63)
    }
}
