//! The double-dummy search: do North-South take at least `need` of the tricks left?
//!
//! A zero-window search over cards; touching cards count as one. Three rules end it early: a transposition table of
//! proven positions ([`table`]), tricks that can be cashed at once ([`quick`]) and tricks that are sure later
//! ([`later`]). Every result comes with its *ranks*: the cards whose relative ranks the proof depends on. Only the
//! lowest of them in each suit matters; all lower cards could be dealt differently without changing the result. Ranks
//! make the patterns of the table general, and let a hand skip cards that cannot change the result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

mod cards;
mod cpu;
mod group;
mod guards;
mod later;
mod lead_history;
mod leading;
mod ordering;
mod play;
mod quick;
mod second_hand;
mod symmetry;
mod table;
mod uncontested;

pub(crate) use cards::{Cards, fill_up, sequence_tops};
use cards::{Shape, lengths, suit_of};
#[cfg(target_arch = "x86_64")]
pub(crate) use cpu::Bmi2;
pub(crate) use cpu::{Cpu, Portable};
pub(crate) use group::SearchGroup;
use group::{COORDINATE_FROM, Member, SEND_FROM};
use lead_history::LeadHistory;
pub(crate) use symmetry::Symmetry;
use symmetry::{LeaderSymmetries, leader_symmetries};
use table::TranspositionTable;

/// Result of a search: a lower bound on the tricks of North-South if they take the tricks needed, else an upper bound.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) tricks: i32,
    /// The cards that the proof depends on. Only the lowest of each suit matters.
    pub(crate) ranks: Cards,
}

/// The four hands, relative to the leader.
struct Hands {
    me: Cards,
    left: Cards,
    partner: Cards,
    right: Cards,
    my_shape: Shape,
    left_shape: Shape,
    partner_shape: Shape,
    right_shape: Shape,
}

/// Values that stay constant while a trick is played.
pub(crate) struct Trick {
    /// The cards in play when the trick began.
    all: Cards,
    /// North-South need `need` of the `n` tricks left, this one included.
    need: i32,
    n: i32,
    led: u32,
}

/// Positions between two checks whether to stop: some hundredths of a millisecond.
const STOP_CHECK_INTERVAL: u64 = 32;

/// Positions between two checks in a group, where each check also exchanges proofs.
const EXCHANGE_INTERVAL: u64 = 16;

/// Entries in the table of cards that were best in similar situations.
const REFUTATIONS: usize = 1 << 15;

/// Bytes that a search uses in addition to its transposition table.
const BESIDES_TABLE: usize = REFUTATIONS * size_of::<u32>() + LeadHistory::BYTES;

/// A search with its tables, for one deal and strain at a time. It is aligned so that no two share a cache line, since
/// every position writes to it.
#[repr(align(128))]
pub(crate) struct Search<C: Cpu> {
    cpu: C,
    hands: [Cards; 4],
    owners: C::Owners,
    /// Symmetries of the deal, in notrump.
    symmetries: Option<LeaderSymmetries>,
    table: TranspositionTable,
    refutations: Vec<u32>,
    lead_history: LeadHistory,
    /// Changes with every deal, so that entries of an earlier deal in `refutations` do not match.
    salt: u64,
    /// Positions at the start of a trick whose leads were tried.
    pub(crate) expanded: u64,
    /// Stops the search when it becomes true.
    stop: Option<Arc<AtomicBool>>,
    /// Stops the search when it has passed.
    deadline: Option<Instant>,
    /// Stops the search when `expanded` reaches it.
    end_at: u64,
    /// Value of `expanded` at the next check of the stop conditions; 0 once the search is stopped.
    next_check: u64,
    /// Whether the search was stopped. Its result is then meaningless and is not stored.
    stopped: bool,
    /// Membership in a group, and the fewest tricks left at which proofs are sent and the work of others is considered.
    group: Option<Member>,
    send_from: i32,
    coordinate_from: i32,
}

/// A position to search, with suits in the order of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// The cards of the four seats, North first.
    pub(crate) hands: [Cards; 4],
    /// The seat that led to this trick.
    pub(crate) leader: usize,
    /// The cards on the table, at most three.
    pub(crate) trick: [u32; 3],
    pub(crate) played: usize,
}

impl Start {
    /// Returns the seat that plays next.
    pub(crate) fn to_play(self) -> usize {
        (self.leader + self.played) & 3
    }

    /// Returns the number of tricks left, this one included.
    pub(crate) fn tricks_left(&self) -> i32 {
        self.hands[self.to_play()].count_ones() as i32
    }

    /// Returns the cards in play when the trick began.
    pub(crate) fn all(&self) -> Cards {
        let on_table = self.trick[..self.played].iter().map(|card| 1 << card);
        let held = self.hands.iter().copied();
        held.chain(on_table).fold(0, |all, cards| all | cards)
    }
}

/// Returns whether a card beats the best one so far.
#[inline(always)]
fn beats<const NT: bool>(card: u32, winner: u32) -> bool {
    if suit_of(card) == suit_of(winner) {
        card > winner
    } else {
        !NT && card < 16
    }
}

impl<C: Cpu> Search<C> {
    /// Creates a search that uses at most `bytes` bytes of memory.
    pub(crate) fn new(cpu: C, bytes: usize) -> Self {
        Search {
            cpu,
            hands: [0; 4],
            owners: cpu.owners(&[0; 4]),
            symmetries: None,
            table: TranspositionTable::new(bytes.saturating_sub(BESIDES_TABLE)),
            refutations: vec![0; REFUTATIONS],
            lead_history: LeadHistory::new(),
            salt: 0,
            expanded: 0,
            stop: None,
            deadline: None,
            end_at: u64::MAX,
            next_check: u64::MAX,
            stopped: false,
            group: None,
            send_from: i32::MAX,
            coordinate_from: i32::MAX,
        }
    }

    /// Copies the cards and the tables of another search.
    pub(crate) fn copy_from(&mut self, other: &Search<C>) {
        self.owners.clone_from(&other.owners);
        self.symmetries = other.symmetries;
        self.table.copy_from(&other.table);
        self.refutations.clone_from(&other.refutations);
        self.lead_history.clone_from(&other.lead_history);
        self.salt = other.salt;
    }

    /// Joins a group of searches that started from a copy of the same tables, or leaves the group.
    pub(crate) fn set_group(&mut self, group: Option<&Arc<SearchGroup>>) {
        let already = self.group.as_ref();
        if let (Some(member), Some(group)) = (already, group)
            && member.is_of(group)
        {
            return;
        }
        self.group = group.and_then(Member::new);
        self.send_from = match self.group {
            Some(_) => SEND_FROM,
            None => i32::MAX,
        };
        self.set_same_question(false);
    }

    /// Sets whether the group searches for the same answer, so that its members divide the work.
    pub(crate) fn set_same_question(&mut self, same: bool) {
        self.coordinate_from = match self.group {
            Some(_) if same => COORDINATE_FROM,
            _ => i32::MAX,
        };
    }

    /// Returns whether the last search was stopped before it had an answer.
    pub(crate) fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Stops searches when `stop` becomes true or `deadline` has passed. The result of a stopped search is meaningless.
    pub(crate) fn stop_when(&mut self, stop: Option<Arc<AtomicBool>>, deadline: Option<Instant>) {
        self.stopped = false;
        self.next_check = match (&stop, deadline) {
            (None, None) => self.end_at,
            _ => self.expanded,
        };
        self.stop = stop;
        self.deadline = deadline;
    }

    /// Stops searches after `positions` more positions. The result of a stopped search is meaningless. Returns whether
    /// the previous limit was reached.
    pub(crate) fn stop_after(&mut self, positions: Option<u64>) -> bool {
        let ended = self.expanded >= self.end_at;
        self.end_at = positions.map_or(u64::MAX, |more| self.expanded.saturating_add(more));
        let stop = self.stop.take();
        self.stop_when(stop, self.deadline);
        ended
    }

    /// Checks whether the search must stop, and exchanges proofs with the group.
    #[cold]
    fn is_stopped(&mut self) -> bool {
        let stopped = self.stopped
            || self.expanded >= self.end_at
            || self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed))
            || self.deadline.is_some_and(|end| Instant::now() >= end);
        self.stopped = stopped;
        let between = match self.group {
            Some(_) => EXCHANGE_INTERVAL,
            None => STOP_CHECK_INTERVAL,
        };
        self.exchange_proofs();
        self.next_check = match stopped {
            true => 0,
            false => (self.expanded + between).min(self.end_at),
        };
        stopped
    }

    /// Resets the move ordering tables, so that the search visits the same positions as a new one.
    pub(crate) fn forget(&mut self) {
        self.refutations.fill(0);
        self.salt = 0;
    }

    /// Clears the tables and starts with another deal or strain.
    pub(crate) fn begin(&mut self, notrump: bool, hands: &[Cards; 4]) {
        self.table.clear();
        self.begin_related(notrump, hands);
    }

    /// Starts with other hands in the same strain and keeps the tables. Their patterns hold for every deal, because
    /// they name the owners of cards by relative rank.
    pub(crate) fn begin_related(&mut self, notrump: bool, hands: &[Cards; 4]) {
        self.lead_history.clear();
        self.salt = self.salt.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.owners = self.cpu.owners(hands);
        self.symmetries = notrump.then(|| leader_symmetries(hands)).flatten();
    }

    /// Tests whether North-South take `need` of the tricks left. The result is a lower bound on their tricks if it is
    /// `need` or more, else an upper bound.
    pub(crate) fn test<const NT: bool>(&mut self, start: &Start, need: i32) -> Found {
        self.hands = start.hands;
        let lengths = lengths(&self.hands);
        let n = start.tricks_left();
        if start.played == 0 {
            return C::trick_start::<NT>(self, start.leader, need, n, lengths);
        }
        let trick = Trick {
            all: start.all(),
            need,
            n,
            led: suit_of(start.trick[0]),
        };
        let mut winning = start.trick[0] | (start.leader as u32) << 6;
        let mut played = 1 << start.trick[0];
        for i in 1..start.played {
            let card = start.trick[i];
            played |= 1 << card;
            if beats::<NT>(card, winning & 63) {
                winning = card | ((start.leader + i) as u32 & 3) << 6;
            }
        }
        let seat = start.to_play();
        match start.played {
            1 => C::following::<NT, 1>(self, &trick, seat, lengths, winning, played),
            2 => C::following::<NT, 2>(self, &trick, seat, lengths, winning, played),
            _ => C::following::<NT, 3>(self, &trick, seat, lengths, winning, played),
        }
    }

    /// Returns the memory in use, in bytes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes() + BESIDES_TABLE
    }

    /// Returns the index of a situation in `refutations`, its tag, and the card stored for it, if any.
    #[inline(always)]
    fn refutation(&self, situation: u64) -> (usize, u32, u32) {
        let hash = (situation ^ self.salt).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let index = (hash >> (64 - REFUTATIONS.ilog2())) as usize;
        let tag = (hash >> 16) as u32 & 0xffff_ff00;
        let entry = self.refutations[index];
        let card = if entry & 0xffff_ff00 == tag {
            entry & 0xff
        } else {
            NO_CARD
        };
        (index, tag, card)
    }
}

const NO_CARD: u32 = 63;
