//! Several searches for one answer.
//!
//! Each has its own memory, and all answer the same question from the start. They tell one another what they proved, and
//! where they are: a suit that another search is trying in the same situation is tried last, when its answer is probably
//! known. So nobody hands out work or waits, and a search that comes late takes part at once. (The idea is Weill's
//! ABDADA, in the simple form of T. Kerrigan. Suits instead of cards, because a card that fails often shows that the
//! others of its suit need not be tried; a memory for each, because it is asked too often for a lock.)

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cards::{Cards, Lengths};
use super::cpu::{Cpu, Portable};
use super::table::{Entry, Table};
use super::{Found, Search};

/// With this many tricks left, or more, searches look at what others are trying and have proven.
pub(crate) const LOOKS_FROM: i32 = 8;

/// With this many tricks left, or more, what is proven is told. What is below is searched faster than told.
pub(crate) const TELLS_FROM: i32 = 6;

/// What searches for the same answer share.
pub(crate) struct Together {
    news: Mutex<News>,
    /// How much has been told in all.
    told: AtomicUsize,
    /// Where suits are being tried; a later one may take the place of an earlier.
    trying: Vec<AtomicU64>,
    members: AtomicUsize,
}

/// Proofs that were told.
struct News {
    proofs: Vec<Proof>,
    /// How many were told before these and are dropped.
    dropped: usize,
}

/// A pattern that was entered in a table.
#[derive(Clone, Copy)]
struct Proof {
    member: usize,
    key: u64,
    entry: Entry,
}

/// So many proofs are kept for those who have not heard of them; whoever is slower has to find them out.
const KEPT: usize = 1 << 15;

/// How many are noted at once.
const PLACES: usize = 1 << 10;

impl Together {
    /// Nothing proven, nothing tried.
    pub(crate) fn new() -> Together {
        Together {
            news: Mutex::new(News {
                proofs: Vec::new(),
                dropped: 0,
            }),
            told: AtomicUsize::new(0),
            trying: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
            members: AtomicUsize::new(0),
        }
    }

    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of the searches.
pub(crate) struct Member {
    shared: Arc<Together>,
    number: usize,
    /// What the others have not been told.
    untold: Vec<Proof>,
    /// How much of what was told is known here.
    heard: usize,
}

impl Member {
    /// A search that knows all that was told.
    pub(crate) fn new(shared: &Arc<Together>) -> Member {
        Member {
            shared: Arc::clone(shared),
            number: shared.members.fetch_add(1, Relaxed),
            untold: Vec::new(),
            heard: shared.told.load(Relaxed),
        }
    }

    /// Notes something for the others.
    pub(crate) fn tell(&mut self, key: u64, entry: Entry) {
        self.untold.push(Proof {
            member: self.number,
            key,
            entry,
        });
    }

    /// Tells the others and enters in the table what they have told. Whether there was anything.
    pub(crate) fn exchange(&mut self, table: &mut Table) -> bool {
        if self.untold.is_empty() && self.shared.told.load(Relaxed) == self.heard {
            return false;
        }
        let mut news = self.shared.news();
        let known = self.heard.saturating_sub(news.dropped);
        let mut any = false;
        for proof in &news.proofs[known..] {
            if proof.member != self.number {
                table.add(proof.key, proof.entry);
                any = true;
            }
        }
        if news.proofs.len() >= KEPT {
            news.dropped += news.proofs.len();
            news.proofs.clear();
        }
        news.proofs.append(&mut self.untold);
        self.heard = news.dropped + news.proofs.len();
        self.shared.told.store(self.heard, Relaxed);
        any
    }

    /// Tells the others that a card is being tried now. Or, if another search is trying its suit and it is not the first of
    /// its hand, says that it should be tried last, but only once.
    pub(crate) fn put_off(&self, put_off: &mut PutOff, card: u32, place: Place) -> bool {
        let noted = self.noted(place);
        let late = put_off.begun && put_off.cards >> card & 1 == 0;
        if late && noted.load(Relaxed) == place.0 {
            put_off.cards |= 1 << card;
            return true;
        }
        put_off.begun = true;
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
        &self.shared.trying[place.0 as usize & (PLACES - 1)]
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

    /// What others have found about a position, if there is anything new.
    #[cold]
    #[inline(never)]
    pub(super) fn others_found(
        &mut self,
        leader: usize,
        need: i32,
        lengths: Lengths,
        all: Cards,
    ) -> Option<Found> {
        if !self.together.as_mut()?.exchange(&mut self.table) {
            return None;
        }
        let code = self.cpu.code(&self.owners, all);
        let key = Table::key(lengths, leader);
        // Patterns are compared in the same way on every processor.
        let (tricks, mask) = self.table.probe(Portable, key, code, need)?;
        let ranks = self.cpu.unmask(mask, all);
        Some(Found { tricks, ranks })
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

/// The cards of a hand that are tried last, once it has begun.
#[derive(Default)]
pub(crate) struct PutOff {
    begun: bool,
    cards: Cards,
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
