//! A group of searches for one answer.
//!
//! Each search has its own transposition table, and all run the same test from the start. They send one another what
//! they prove. They also announce which suit they are trying in which situation: a suit that another search is trying
//! there is tried last, when its result is probably known. So no work is handed out, no search waits, and a late search
//! takes part at once. (This is Weill's ABDADA in the simple form of T. Kerrigan. It announces suits instead of cards,
//! because a card that fails often shows that the others of its suit need not be tried. Each search has its own table,
//! because a shared one would be locked too often.)

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cards::{Cards, Lengths};
use super::cpu::{Cpu, Portable};
use super::symmetry::Stored;
use super::table::{Entry, TranspositionTable};
use super::{Found, Search};

/// Fewest tricks left at which a search considers what others are trying and have proven.
pub(crate) const COORDINATE_FROM: i32 = 10;

/// Fewest tricks left at which proofs are sent. Smaller positions are searched faster than sent.
pub(crate) const SEND_FROM: i32 = 5;

/// State that the searches of a group share.
pub(crate) struct SearchGroup {
    /// Proofs that were sent to each member and not yet stored.
    inboxes: Vec<Inbox>,
    /// Suits that are being tried. A later entry may overwrite an earlier one.
    tried_suits: Vec<TriedSuit>,
}

/// Inbox of one member. The lock is held only while proofs are copied.
#[derive(Default)]
#[repr(align(128))]
struct Inbox {
    /// Whether a member uses this inbox.
    is_open: AtomicBool,
    has_proofs: AtomicBool,
    proofs: Mutex<Vec<Proof>>,
}

/// A suit that is being tried, in a cache line of its own so that writes to other entries do not slow it down.
#[derive(Default)]
#[repr(align(64))]
struct TriedSuit(AtomicU64);

/// A pattern that was stored in a transposition table.
#[derive(Clone, Copy)]
struct Proof {
    key: u64,
    entry: Entry,
}

/// Capacity of an inbox. When it is full, further proofs are dropped and the member derives them itself.
const INBOX_CAPACITY: usize = 1 << 13;

/// Number of suits that can be announced at once.
const TRIED_SUITS: usize = 1 << 10;

impl SearchGroup {
    /// Creates a group of at most `members` searches.
    pub(crate) fn new(members: usize) -> SearchGroup {
        SearchGroup {
            inboxes: (0..members).map(|_| Inbox::default()).collect(),
            tried_suits: (0..TRIED_SUITS).map(|_| TriedSuit::default()).collect(),
        }
    }
}

/// Membership of one search.
pub(crate) struct Member {
    shared: Arc<SearchGroup>,
    number: usize,
    /// Proofs to send at the next exchange.
    outbox: Vec<Proof>,
    /// Buffer for proofs taken from the inbox.
    received: Vec<Proof>,
    /// Number of proofs received so far.
    received_count: u64,
}

impl Member {
    /// Joins a group, unless it is full.
    pub(crate) fn new(shared: &Arc<SearchGroup>) -> Option<Member> {
        let free = |inbox: &Inbox| !inbox.is_open.swap(true, Relaxed);
        Some(Member {
            number: shared.inboxes.iter().position(free)?,
            shared: Arc::clone(shared),
            outbox: Vec::new(),
            received: Vec::new(),
            received_count: 0,
        })
    }

    /// Returns whether the member belongs to the group `shared`.
    pub(crate) fn is_of(&self, shared: &Arc<SearchGroup>) -> bool {
        Arc::ptr_eq(&self.shared, shared)
    }

    /// Queues a proof for the other members.
    pub(crate) fn queue(&mut self, key: u64, entry: Entry) {
        self.outbox.push(Proof { key, entry });
    }

    /// Sends the queued proofs, and stores the received ones in the table.
    pub(crate) fn exchange_proofs(&mut self, table: &mut TranspositionTable) {
        if !self.outbox.is_empty() {
            for (number, inbox) in self.shared.inboxes.iter().enumerate() {
                if number != self.number && inbox.is_open.load(Relaxed) {
                    inbox.send(&self.outbox);
                }
            }
            self.outbox.clear();
        }
        let inbox = &self.shared.inboxes[self.number];
        if inbox.has_proofs.load(Relaxed) {
            inbox.receive(&mut self.received);
            self.received_count += self.received.len() as u64;
            for proof in self.received.drain(..) {
                table.add(proof.key, proof.entry);
            }
        }
    }

    /// Announces that a card is being tried. If another search is trying its suit, returns true instead, once for each
    /// card: the card is then tried last.
    pub(crate) fn defer_or_announce(
        &self,
        deferred: &mut DeferredCards,
        card: u32,
        key: SuitKey,
    ) -> bool {
        let tried_suit = self.tried_suit(key);
        if deferred.cards >> card & 1 == 0 && tried_suit.load(Relaxed) == key.0 {
            deferred.cards |= 1 << card;
            return true;
        }
        tried_suit.store(key.0, Relaxed);
        false
    }

    /// Withdraws the announcement of a suit.
    pub(crate) fn withdraw(&self, key: SuitKey) {
        // Another search that is still trying the suit finds most of it in its table by then.
        let tried_suit = self.tried_suit(key);
        let _ = tried_suit.compare_exchange(key.0, 0, Relaxed, Relaxed);
    }

    fn tried_suit(&self, key: SuitKey) -> &AtomicU64 {
        &self.shared.tried_suits[key.0 as usize & (TRIED_SUITS - 1)].0
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let inbox = &self.shared.inboxes[self.number];
        inbox.receive(&mut self.received);
        inbox.is_open.store(false, Relaxed);
    }
}

impl Inbox {
    fn proofs(&self) -> MutexGuard<'_, Vec<Proof>> {
        self.proofs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, proofs: &[Proof]) {
        let mut waiting = self.proofs();
        if waiting.len() < INBOX_CAPACITY {
            waiting.extend_from_slice(proofs);
        }
        self.has_proofs.store(true, Relaxed);
    }

    /// Moves all proofs to an empty list.
    fn receive(&self, to: &mut Vec<Proof>) {
        let mut waiting = self.proofs();
        std::mem::swap(&mut *waiting, to);
        self.has_proofs.store(false, Relaxed);
    }
}

/// The part of the search that communicates with the group, kept out of line so that a search without a group stays
/// fast.
impl<C: Cpu> Search<C> {
    #[cold]
    pub(super) fn queue_proof(&mut self, key: u64, entry: Entry) {
        if let Some(member) = &mut self.group {
            member.queue(key, entry);
        }
    }

    /// Sends and receives proofs if the search belongs to a group.
    #[cold]
    pub(super) fn exchange_proofs(&mut self) {
        if let Some(member) = &mut self.group {
            member.exchange_proofs(&mut self.table);
        }
    }

    /// Probes the table for a position again if proofs have arrived since the last probe.
    #[cold]
    #[inline(never)]
    pub(super) fn probe_again(
        &mut self,
        deferred: &mut DeferredCards,
        leader: usize,
        need: i32,
        n: i32,
        lengths: Lengths,
        all: Cards,
    ) -> Option<Found> {
        let received_count = self.group.as_ref()?.received_count;
        if received_count == deferred.received_count {
            return None;
        }
        deferred.received_count = received_count;
        let position = Stored {
            leader,
            lengths,
            all,
            need,
        };
        let stored = self.stored(position, n);
        let code = self.cpu.code(&self.owners, stored.all);
        let key = TranspositionTable::key(stored.lengths, stored.leader);
        // The portable comparison gives the same result on every processor.
        let (tricks, mask) = self.table.probe(Portable, key, code, stored.need)?;
        let ranks = self.cpu.unmask(mask, stored.all);
        Some(self.for_position(Found { tricks, ranks }, leader, n))
    }

    /// Resets the state of a hand that has tried nothing yet.
    #[cold]
    pub(super) fn reset_deferred(&self, deferred: &mut DeferredCards) {
        deferred.received_count = self
            .group
            .as_ref()
            .map_or(0, |member| member.received_count);
    }

    /// Returns whether a card is deferred because others are trying its suit; if not, announces it. `cards` are all
    /// cards held.
    #[cold]
    #[inline(never)]
    pub(super) fn defer_or_announce(
        &self,
        deferred: &mut DeferredCards,
        card: u32,
        cards: Cards,
        seat: usize,
    ) -> bool {
        let member = self.group.as_ref();
        member.is_some_and(|member| {
            member.defer_or_announce(deferred, card, SuitKey::of(cards, seat, card))
        })
    }

    #[cold]
    #[inline(never)]
    pub(super) fn withdraw(&self, card: u32, cards: Cards, seat: usize) {
        if let Some(member) = &self.group {
            member.withdraw(SuitKey::of(cards, seat, card));
        }
    }
}

/// The cards of a hand that are tried last, and the number of proofs received at the last probe of the table.
#[derive(Default)]
pub(crate) struct DeferredCards {
    cards: Cards,
    received_count: u64,
}

impl DeferredCards {
    /// Returns the cards that are not deferred, or all if only deferred ones are left.
    #[inline(always)]
    pub(crate) fn others(&self, moves: Cards) -> Cards {
        match moves & !self.cards {
            0 => moves,
            others => others,
        }
    }
}

/// Hash, never 0, of a suit that a hand may play in a situation.
#[derive(Clone, Copy)]
pub(crate) struct SuitKey(u64);

impl SuitKey {
    /// Hashes the suit of `card`, played by `seat`, when the hands hold `cards`. (Cards and seat nearly always
    /// determine the trick on the table; where they do not, a card may be deferred needlessly.)
    pub(crate) fn of(cards: Cards, seat: usize, card: u32) -> SuitKey {
        let choice = (seat as u64) << 2 | u64::from(card >> 4);
        let choice = choice.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (cards ^ choice).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        SuitKey(mixed ^ mixed >> 32 | 1 << 63)
    }
}
