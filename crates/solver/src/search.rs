//! The double-dummy search: whether North-South get so many of the tricks that are left.
//!
//! A zero-window search over cards, sequences counting as one, with three ways to stop early: a table of positions
//! proven before ([`table`]), tricks that can be cashed at once ([`quick`]) and tricks that are sure later ([`later`]).
//! Every answer comes with its *ranks*: the cards whose places in the order of their suits it rests on. Only the lowest
//! of each suit counts; everything below could be dealt otherwise and the answer would stand. That makes the table's
//! patterns general, and lets a hand skip cards that could not have made a difference.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

mod cards;
mod cpu;
mod experience;
mod guards;
mod lasting;
mod later;
mod leading;
mod ordering;
mod play;
mod quick;
mod second;
mod table;
mod together;

pub(crate) use cards::{Cards, sequence_tops};
use cards::{Shape, lengths, suit_of};
#[cfg(target_arch = "x86_64")]
pub(crate) use cpu::Bmi2;
pub(crate) use cpu::{Cpu, Portable};
use experience::Experience;
use table::Table;
pub(crate) use together::Together;
use together::{LOOKS_FROM, Member, TELLS_FROM};

/// What a search found: if North-South get the tricks needed, they get at least `tricks`, otherwise at most.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) tricks: i32,
    /// The cards it rests on, of which only the lowest of each suit counts.
    ranks: Cards,
}

/// The four hands around a leader.
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

/// What stays the same while a trick is played.
pub(crate) struct Trick {
    /// The cards in play when it began.
    all: Cards,
    /// North-South need so many of the n tricks left, this one included.
    need: i32,
    n: i32,
    led: u32,
}

/// Positions between two looks at whether to stop: some hundredths of a millisecond.
const BETWEEN_LOOKS: u64 = 32;

/// The same while others search for the same answer, and are told and asked what is proven.
const BETWEEN_NEWS: u64 = 16;

/// Entries in the memory of cards that were best in similar situations.
const REFUTATIONS: usize = 1 << 15;

/// Bytes that a search uses besides its table.
const BESIDES_TABLE: usize = REFUTATIONS * size_of::<u32>() + Experience::BYTES;

/// A search with its memory, for one deal and strain at a time. No two share a cache line, since every position writes
/// to it.
#[repr(align(128))]
pub(crate) struct Search<C: Cpu> {
    cpu: C,
    hands: [Cards; 4],
    owners: C::Owners,
    table: Table,
    refutations: Vec<u32>,
    experience: Experience,
    /// Makes what an earlier deal left in `refutations` look foreign.
    salt: u64,
    /// Positions at the start of a trick whose leads were tried.
    pub(crate) expanded: u64,
    /// Ends the search when it becomes true.
    stop: Option<Arc<AtomicBool>>,
    /// Ends the search when it has passed.
    deadline: Option<Instant>,
    /// Ends the search when `expanded` gets there.
    end_at: u64,
    /// When to look at these again, in `expanded`; at once after the search was ended.
    look_at: u64,
    /// The search was ended: what it says means nothing, and is not remembered.
    stopped: bool,
    /// Others who search for the same answer, and with how many tricks left they are told and asked about it.
    together: Option<Member>,
    tells_from: i32,
    looks_from: i32,
}

/// The situation a search begins with, suits in the order of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// What the four seats hold, North first.
    pub(crate) hands: [Cards; 4],
    /// Who led to this trick.
    pub(crate) leader: usize,
    /// The cards on the table, at most three.
    pub(crate) trick: [u32; 3],
    pub(crate) played: usize,
}

impl Start {
    /// Who plays next.
    pub(crate) fn to_play(self) -> usize {
        (self.leader + self.played) & 3
    }

    /// The tricks left, this one included.
    pub(crate) fn tricks_left(&self) -> i32 {
        self.hands[self.to_play()].count_ones() as i32
    }

    /// The cards in play when the trick began.
    pub(crate) fn all(&self) -> Cards {
        let on_table = self.trick[..self.played].iter().map(|card| 1 << card);
        let held = self.hands.iter().copied();
        held.chain(on_table).fold(0, |all, cards| all | cards)
    }
}

/// Whether a card beats the best one so far.
#[inline(always)]
fn beats<const NT: bool>(card: u32, winner: u32) -> bool {
    if suit_of(card) == suit_of(winner) {
        card > winner
    } else {
        !NT && card < 16
    }
}

impl<C: Cpu> Search<C> {
    /// A search that remembers at most so many bytes.
    pub(crate) fn new(cpu: C, bytes: usize) -> Self {
        Search {
            cpu,
            hands: [0; 4],
            owners: cpu.owners(&[0; 4]),
            table: Table::new(bytes.saturating_sub(BESIDES_TABLE)),
            refutations: vec![0; REFUTATIONS],
            experience: Experience::new(),
            salt: 0,
            expanded: 0,
            stop: None,
            deadline: None,
            end_at: u64::MAX,
            look_at: u64::MAX,
            stopped: false,
            together: None,
            tells_from: i32::MAX,
            looks_from: i32::MAX,
        }
    }

    /// Knows from now on what another search of the same processor knows, and searches where it does.
    pub(crate) fn copy_from(&mut self, other: &Search<C>) {
        self.owners.clone_from(&other.owners);
        self.table.copy_from(&other.table);
        self.refutations.clone_from(&other.refutations);
        self.experience.clone_from(&other.experience);
        self.salt = other.salt;
    }

    /// From now on searches with others who know what this search knows, or alone.
    pub(crate) fn share(&mut self, together: Option<&Arc<Together>>) {
        let already = self.together.as_ref();
        if let (Some(member), Some(together)) = (already, together)
            && member.is_of(together)
        {
            return;
        }
        self.together = together.and_then(Member::new);
        self.tells_from = match self.together {
            Some(_) => TELLS_FROM,
            None => i32::MAX,
        };
        self.same_question(false);
    }

    /// Whether those who share also search for the same answer, from now on.
    pub(crate) fn same_question(&mut self, same: bool) {
        self.looks_from = match self.together {
            Some(_) if same => LOOKS_FROM,
            _ => i32::MAX,
        };
    }

    /// Whether the last search was ended before it had an answer.
    pub(crate) fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// From now on the search ends when `stop` becomes true or `deadline` has passed; then what it says means nothing.
    pub(crate) fn watch(&mut self, stop: Option<Arc<AtomicBool>>, deadline: Option<Instant>) {
        self.stopped = false;
        self.look_at = match (&stop, deadline) {
            (None, None) => self.end_at,
            _ => self.expanded,
        };
        self.stop = stop;
        self.deadline = deadline;
    }

    /// From now on the search ends after so many more positions; then, too, what it says means nothing. Tells
    /// whether an earlier end was reached.
    pub(crate) fn end_after(&mut self, positions: Option<u64>) -> bool {
        let ended = self.expanded >= self.end_at;
        self.end_at = positions.map_or(u64::MAX, |more| self.expanded.saturating_add(more));
        let stop = self.stop.take();
        self.watch(stop, self.deadline);
        ended
    }

    /// Looks whether the search should end.
    #[cold]
    fn is_stopped(&mut self) -> bool {
        let stopped = self.stopped
            || self.expanded >= self.end_at
            || self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed))
            || self.deadline.is_some_and(|end| Instant::now() >= end);
        self.stopped = stopped;
        let between = match self.together {
            Some(_) => BETWEEN_NEWS,
            None => BETWEEN_LOOKS,
        };
        self.exchange();
        self.look_at = match stopped {
            true => 0,
            false => (self.expanded + between).min(self.end_at),
        };
        stopped
    }

    /// From now on the search goes as that of a new one would, whatever was asked before.
    pub(crate) fn forget(&mut self) {
        self.refutations.fill(0);
        self.salt = 0;
    }

    /// Forgets what was found and begins with another deal or strain.
    pub(crate) fn begin(&mut self, hands: &[Cards; 4]) {
        self.owners = self.cpu.owners(hands);
        self.table.clear();
        self.experience.clear();
        self.salt = self.salt.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }

    /// Whether North-South get `need` of the tricks left: at least the tricks returned if that is `need` or more, else
    /// at most those.
    pub(crate) fn test<const NT: bool>(&mut self, start: &Start, need: i32) -> i32 {
        self.hands = start.hands;
        let lengths = lengths(&self.hands);
        let n = start.tricks_left();
        if start.played == 0 {
            return C::trick_start::<NT>(self, start.leader, need, n, lengths).tricks;
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
        let found = match start.played {
            1 => C::following::<NT, 1>(self, &trick, seat, lengths, winning, played),
            2 => C::following::<NT, 2>(self, &trick, seat, lengths, winning, played),
            _ => C::following::<NT, 3>(self, &trick, seat, lengths, winning, played),
        };
        found.tricks
    }

    /// Bytes in use.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes() + BESIDES_TABLE
    }

    /// Where the best card of a situation is remembered, the situation's tag, and the card if there is one.
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
