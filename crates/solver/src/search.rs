//! The double-dummy search: whether North-South get so many of the tricks that are left.
//!
//! A zero-window search over cards, sequences counting as one, with three ways to stop early: a table of positions
//! proven before ([`table`]), tricks that can be cashed at once ([`quick`]) and tricks that are sure later ([`later`]).
//! Every answer comes with its *ranks*: the cards whose places in the order of their suits it rests on. Only the lowest
//! of each suit counts; everything below could be dealt otherwise and the answer would stand. That makes the table's
//! patterns general, and lets a hand skip cards that could not have made a difference.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

mod cards;
mod cpu;
mod experience;
mod guards;
mod lasting;
mod later;
mod leading;
mod ordering;
mod quick;
mod second;
mod table;
mod together;

pub(crate) use cards::{Cards, sequence_tops};
use cards::{
    Lengths, Shape, above, bottom, fill_up, highest, lengths, lowest, one_card, suit, suit_of, top,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use cpu::Bmi2;
pub(crate) use cpu::{Cpu, Portable};
use experience::Experience;
use later::{Sure, later_tricks};
use leading::Leads;
use ordering::{Following, Order};
use quick::quick_tricks;
use second::quick_after_lead;
use table::{Entry, Table};
pub(crate) use together::Together;
use together::{LOOKS_FROM, Member, Place, PutOff, TELLS_FROM};

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

/// Positions between two looks at whether to stop: about a tenth of a millisecond.
const BETWEEN_LOOKS: u64 = 128;

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
    /// Ends the search when `expanded` gets there.
    end_at: u64,
    /// When to look at both again, in `expanded`; at once after the search was ended.
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

    /// From now on searches with others for the same answers, or alone.
    pub(crate) fn share(&mut self, together: Option<&Arc<Together>>) {
        (self.tells_from, self.looks_from) = match together {
            Some(_) => (TELLS_FROM, LOOKS_FROM),
            None => (i32::MAX, i32::MAX),
        };
        self.together = together.map(Member::new);
    }

    /// Whether the last search was ended before it had an answer.
    pub(crate) fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// From now on the search ends when `stop` becomes true; then what it says means nothing.
    pub(crate) fn watch(&mut self, stop: Option<Arc<AtomicBool>>) {
        self.stopped = false;
        self.look_at = match stop {
            Some(_) => self.expanded,
            None => self.end_at,
        };
        self.stop = stop;
    }

    /// From now on the search ends after so many more positions; then, too, what it says means nothing. Tells
    /// whether an earlier end was reached.
    pub(crate) fn end_after(&mut self, positions: Option<u64>) -> bool {
        let ended = self.expanded >= self.end_at;
        self.end_at = positions.map_or(u64::MAX, |more| self.expanded.saturating_add(more));
        let stop = self.stop.take();
        self.watch(stop);
        ended
    }

    /// Looks whether the search should end.
    #[cold]
    fn is_stopped(&mut self) -> bool {
        let stopped = self.stopped
            || self.expanded >= self.end_at
            || self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed));
        self.stopped = stopped;
        self.look_at = match stopped {
            true => 0,
            false => (self.expanded + BETWEEN_LOOKS).min(self.end_at),
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

/// What is asked of and told to those who search for the same answer.
impl<C: Cpu> Search<C> {
    #[cold]
    fn tell_others(&mut self, key: u64, entry: Entry) {
        if let Some(member) = &mut self.together {
            member.tell(key, entry);
        }
    }

    /// What others have found about a position, if there is anything new.
    #[cold]
    #[inline(never)]
    fn others_found(
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
    fn put_off(&self, put_off: &mut PutOff, card: u32, cards: Cards, seat: usize) -> bool {
        let member = self.together.as_ref();
        member.is_some_and(|member| member.put_off(put_off, card, Place::of(cards, seat, card)))
    }

    #[cold]
    #[inline(never)]
    fn tried(&self, card: u32, cards: Cards, seat: usize) {
        if let Some(member) = &self.together {
            member.tried(Place::of(cards, seat, card));
        }
    }
}

/// The last trick needs no search.
#[inline(always)]
fn last_trick<const NT: bool>(hands: &[Cards; 4], leader: usize) -> Found {
    let mut winner = hands[leader];
    let mut seat = leader;
    for i in 1..4 {
        let next = (leader + i) & 3;
        if beats::<NT>(highest(hands[next]), highest(winner)) {
            (winner, seat) = (hands[next], next);
        }
    }
    let all = hands[0] | hands[1] | hands[2] | hands[3];
    let contested = all & suit(suit_of(highest(winner))) != winner;
    Found {
        tricks: i32::from(seat & 1 == 0),
        ranks: if contested { winner } else { 0 },
    }
}

/// From the tricks of the side on lead to those of North-South.
#[inline(always)]
fn for_north_south(north_south_lead: bool, tricks: i32, n: i32) -> i32 {
    if north_south_lead { tricks } else { n - tricks }
}

/// North-South need nothing more, or more than there is.
#[inline(always)]
fn decided(need: i32, n: i32) -> Found {
    Found {
        tricks: if need <= 0 { 0 } else { n },
        ranks: 0,
    }
}

/// With this many tricks left the table is asked before the static rules, otherwise after them.
const TABLE_FIRST: i32 = 5;

/// A position at the start of a trick.
#[inline(always)]
pub(crate) fn trick_start<C: Cpu, const NT: bool>(
    search: &mut Search<C>,
    leader: usize,
    need: i32,
    n: i32,
    lengths: Lengths,
) -> Found {
    if need <= 0 || need > n {
        return decided(need, n);
    }
    if n == 1 {
        return last_trick::<NT>(&search.hands, leader);
    }
    let cpu = search.cpu;
    let key = Table::key(lengths, leader);
    search.table.prefetch(cpu, key);
    let hands = &search.hands;
    let all = hands[0] | hands[1] | hands[2] | hands[3];
    let code = cpu.code(&search.owners, all);
    if n >= TABLE_FIRST
        && let Some((tricks, mask)) = search.table.probe(cpu, key, code, need)
    {
        let ranks = cpu.unmask(mask, all);
        return Found { tricks, ranks };
    }
    let ns = leader & 1 == 0;
    let want = if ns { need } else { n - need + 1 };
    let around = Hands {
        me: search.hands[leader & 3],
        left: search.hands[(leader + 1) & 3],
        partner: search.hands[(leader + 2) & 3],
        right: search.hands[(leader + 3) & 3],
        my_shape: Shape::of(lengths, leader),
        left_shape: Shape::of(lengths, leader + 1),
        partner_shape: Shape::of(lengths, leader + 2),
        right_shape: Shape::of(lengths, leader + 3),
    };
    if let Some((tricks, ranks)) = quick_tricks::<NT>(&around, all, want, n) {
        let tricks = for_north_south(ns, tricks.min(n), n);
        return Found { tricks, ranks };
    }
    if let Some((side, ranks)) = later_tricks::<NT>(&around, all, n, want, n - want + 1) {
        let enough = (side == Sure::Leaders) == ns;
        let tricks = if enough { need } else { need - 1 };
        return Found { tricks, ranks };
    }
    if n < TABLE_FIRST
        && let Some((tricks, mask)) = search.table.probe(cpu, key, code, need)
    {
        let ranks = cpu.unmask(mask, all);
        return Found { tricks, ranks };
    }
    if n >= search.looks_from
        && let Some(found) = search.others_found(leader, need, lengths, all)
    {
        return found;
    }
    search.expanded += 1;
    if search.expanded >= search.look_at && search.is_stopped() {
        return Found {
            tricks: need - 1,
            ranks: 0,
        };
    }
    let found = if n >= search.looks_from {
        leads_among_others::<C, NT>(search, leader, need, n, lengths, all)
    } else {
        leads::<C, NT, false>(search, leader, need, n, lengths, all)
    };
    if search.stopped {
        return found;
    }
    let mask = cpu.mask(fill_up(found.ranks) & all, all);
    let bounds = if found.tricks >= need {
        (found.tricks as u8, n as u8)
    } else {
        (0, found.tricks as u8)
    };
    let own = cpu::Code([code.0[0] & mask.0[0], code.0[1] & mask.0[1]]);
    let entry = Entry { own, mask, bounds };
    search.table.store(cpu, key, entry);
    if n >= search.tells_from {
        search.tell_others(key, entry);
    }
    found
}

/// What a hand has tried so far.
struct Tried {
    /// The best for its side, in tricks of North-South.
    best: i32,
    ranks: Cards,
}

impl Tried {
    #[inline(always)]
    fn nothing(ns: bool, n: i32) -> Tried {
        Tried {
            best: if ns { 0 } else { n },
            ranks: 0,
        }
    }

    /// Notes that a card failed; returns the cards that need not be tried any more.
    #[inline(always)]
    fn failed(&mut self, ns: bool, found: Found, card: u32, hand: Cards, all: Cards) -> Cards {
        self.best = if ns {
            self.best.max(found.tricks)
        } else {
            self.best.min(found.tricks)
        };
        let (k, bit) = (suit(suit_of(card)), 1 << card);
        self.ranks |= found.ranks;
        let of_suit = found.ranks & k;
        if of_suit & (bit | (bit - 1)) != 0 {
            // The card's equals were not tried because they are equal: that they are must be remembered.
            let below = k & (bit | (bit - 1));
            let others = all & !hand & below;
            let run = if others == 0 {
                below
            } else {
                below & above(top(others))
            };
            self.ranks |= hand & run;
        }
        if of_suit == 0 {
            // Whatever the hand plays of this suit, the others answer the same way.
            k
        } else if bit < bottom(of_suit) {
            k & (bottom(of_suit) - 1)
        } else {
            0
        }
    }

    #[inline(always)]
    fn result(self) -> Found {
        Found {
            tricks: self.best,
            ranks: self.ranks,
        }
    }
}

/// Tries the leads of a hand; if `SHARED`, others may be at it too.
#[inline(always)]
fn leads<C: Cpu, const NT: bool, const SHARED: bool>(
    search: &mut Search<C>,
    seat: usize,
    need: i32,
    n: i32,
    lengths: Lengths,
    all: Cards,
) -> Found {
    let seat = seat & 3;
    let hand = search.hands[seat];
    let mut moves = search.cpu.sequence_tops(hand, all);
    let (index, tag, remembered) = search.refutation(hand ^ (seat as u64) << 61);
    let ns = seat & 1 == 0;
    let mut tried = Tried::nothing(ns, n);
    let mut leads = Leads::NONE;
    let mut ordered = false;
    let mut put_off = PutOff::default();
    let mut wrong = 0;
    while moves != 0 {
        let card = if wrong == 0 && moves >> remembered & 1 != 0 {
            remembered
        } else {
            if !ordered {
                ordered = true;
                let (hands, experience) = (&search.hands, &search.experience);
                C::order_lead::<NT>(&mut leads, hands, seat, moves, all, lengths, experience);
            }
            match leads.pop() {
                Some(card) => card,
                // Those that were put off.
                None if SHARED => highest(moves),
                None => break,
            }
        };
        let bit = 1 << card;
        if moves & bit == 0 {
            continue;
        }
        if SHARED && search.put_off(&mut put_off, card, all, seat) {
            continue;
        }
        moves ^= bit;
        search.hands[seat] = hand ^ bit;
        let led = suit_of(card);
        let trick = Trick { all, need, n, led };
        let winning = card | (seat as u32) << 6;
        let left = lengths - one_card(seat, led);
        let found = C::following::<NT, 1>(search, &trick, (seat + 1) & 3, left, winning, bit);
        search.hands[seat] = hand;
        if SHARED {
            search.tried(card, all, seat);
        }
        if ns == (found.tricks >= need) {
            if ordered {
                search.experience.learn(seat, card, wrong, all);
            }
            if card != remembered {
                search.refutations[index] = tag | card;
            }
            return found;
        }
        wrong |= bit;
        moves &= !tried.failed(ns, found, card, hand, all);
        if SHARED && let Some(found) = search.others_found(seat, need, lengths, all) {
            return found;
        }
    }
    tried.result()
}

/// The same, apart from the search for one alone.
#[cold]
#[inline(never)]
fn leads_among_others<C: Cpu, const NT: bool>(
    search: &mut Search<C>,
    seat: usize,
    need: i32,
    n: i32,
    lengths: Lengths,
    all: Cards,
) -> Found {
    leads::<C, NT, true>(search, seat, need, n, lengths, all)
}

/// A hand that follows to a trick: `PLACE` is 1 for second hand. `winning` is the best card so far with the seat that
/// played it in bits 6 and 7.
#[inline(always)]
pub(crate) fn following<C: Cpu, const NT: bool, const PLACE: usize>(
    search: &mut Search<C>,
    trick: &Trick,
    seat: usize,
    lengths: Lengths,
    winning: u32,
    played: Cards,
) -> Found {
    let seat = seat & 3;
    let &Trick { need, n, led, .. } = trick;
    let hands = &search.hands;
    if PLACE == 1 {
        let ns = seat & 1 == 0;
        let want = if ns { need } else { n - need + 1 };
        if let Some(ranks) = quick_after_lead::<NT>(hands, seat, lengths, trick, played, want) {
            let tricks = if ns { need } else { need - 1 };
            return Found { tricks, ranks };
        }
    }
    let bound = hands[seat] & suit(led) != 0;
    if PLACE == 3 && bound {
        return fourth_hand_follows::<C, NT>(search, trick, seat, lengths, winning, played);
    }
    if PLACE < 3 && !bound && n >= search.looks_from {
        return follows_among_others::<C, NT, PLACE>(search, trick, seat, lengths, winning, played);
    }
    follows::<C, NT, PLACE, false>(search, trick, seat, lengths, winning, played)
}

/// Tries the cards of a hand that follows; if `SHARED`, others may be at it too.
#[inline(always)]
fn follows<C: Cpu, const NT: bool, const PLACE: usize, const SHARED: bool>(
    search: &mut Search<C>,
    trick: &Trick,
    seat: usize,
    lengths: Lengths,
    winning: u32,
    played: Cards,
) -> Found {
    let seat = seat & 3;
    let &Trick { all, need, n, led } = trick;
    let (winner, winner_seat) = (winning & 63, (winning >> 6) as usize);
    let hand = search.hands[seat];
    let ns = seat & 1 == 0;
    let in_suit = hand & suit(led);
    let bound = in_suit != 0;
    let mut moves = search
        .cpu
        .sequence_tops(if bound { in_suit } else { hand }, all);
    let mut order = Order::UPWARDS;
    let mut ordered = true;
    let (mut index, mut tag, mut remembered) = (0, 0, NO_CARD);
    if moves & (moves - 1) != 0 {
        ordered = false;
        let situation = if bound {
            (all & suit(led)) >> (led * 16) | u64::from(led) << 16 | u64::from(winner) << 20
        } else {
            hand ^ u64::from(winner) << 26
        };
        let situation = situation ^ (seat as u64) << 61 ^ (PLACE as u64) << 45;
        (index, tag, remembered) = search.refutation(situation);
    }
    let mut first = moves >> remembered & 1 != 0;
    let mut tried = Tried::nothing(ns, n);
    let mut put_off = PutOff::default();
    while moves != 0 {
        let card = if first {
            first = false;
            remembered
        } else {
            if !ordered {
                ordered = true;
                let following = Following {
                    seat,
                    moves,
                    bound,
                    led,
                    winner,
                    winner_seat,
                    lengths,
                };
                order = C::order_follow::<NT, PLACE>(&search.hands, &following);
            }
            order.next(if SHARED { put_off.others(moves) } else { moves })
        };
        let bit = 1 << card;
        if SHARED && search.put_off(&mut put_off, card, all ^ played, seat) {
            continue;
        }
        moves ^= bit;
        search.hands[seat] = hand ^ bit;
        let left = lengths - one_card(seat, suit_of(card));
        let winning = if beats::<NT>(card, winner) {
            card | (seat as u32) << 6
        } else {
            winning
        };
        let (next, played) = ((seat + 1) & 3, played | bit);
        let found = match PLACE {
            1 => C::following::<NT, 2>(search, trick, next, left, winning, played),
            2 => following::<C, NT, 3>(search, trick, next, left, winning, played),
            _ => next_trick::<C, NT>(search, trick, left, winning, played),
        };
        search.hands[seat] = hand;
        if SHARED {
            search.tried(card, all ^ played ^ bit, seat);
        }
        if ns == (found.tricks >= need) {
            if card != remembered && tag != 0 {
                search.refutations[index] = tag | card;
            }
            return found;
        }
        moves &= !tried.failed(ns, found, card, hand, all);
    }
    tried.result()
}

/// The same, apart from the search for one alone.
#[cold]
#[inline(never)]
fn follows_among_others<C: Cpu, const NT: bool, const PLACE: usize>(
    search: &mut Search<C>,
    trick: &Trick,
    seat: usize,
    lengths: Lengths,
    winning: u32,
    played: Cards,
) -> Found {
    follows::<C, NT, PLACE, true>(search, trick, seat, lengths, winning, played)
}

/// Fourth hand has a card of the suit led: it wins as cheaply as it can, unless partner does, and else plays low.
#[inline(always)]
fn fourth_hand_follows<C: Cpu, const NT: bool>(
    search: &mut Search<C>,
    trick: &Trick,
    seat: usize,
    lengths: Lengths,
    winning: u32,
    played: Cards,
) -> Found {
    let (winner, winner_seat) = (winning & 63, (winning >> 6) as usize);
    let hand = search.hands[seat];
    let ns = seat & 1 == 0;
    let mut moves = search.cpu.sequence_tops(hand & suit(trick.led), trick.all);
    let partner_wins = (winner_seat ^ seat) & 1 == 0;
    // A card of the suit led beats the best one unless that is a trump.
    let beating = if suit_of(winner) == trick.led {
        above(1 << winner)
    } else {
        0
    };
    let first = if partner_wins { 0 } else { beating };
    let left = lengths - one_card(seat, trick.led);
    let mut tried = Tried::nothing(ns, trick.n);
    while moves != 0 {
        let higher = moves & first;
        let bit = bottom(if higher != 0 { higher } else { moves });
        let card = lowest(bit);
        moves ^= bit;
        search.hands[seat] = hand ^ bit;
        let winning = if bit & beating != 0 {
            card | (seat as u32) << 6
        } else {
            winning
        };
        let found = next_trick::<C, NT>(search, trick, left, winning, played | bit);
        search.hands[seat] = hand;
        if ns == (found.tricks >= trick.need) {
            return found;
        }
        moves &= !tried.failed(ns, found, card, hand, trick.all);
    }
    tried.result()
}

/// The trick is complete.
#[inline(always)]
fn next_trick<C: Cpu, const NT: bool>(
    search: &mut Search<C>,
    trick: &Trick,
    lengths: Lengths,
    winning: u32,
    played: Cards,
) -> Found {
    let (winner, seat) = (winning & 63, (winning >> 6) as usize);
    let won = i32::from(seat & 1 == 0);
    let (need, n) = (trick.need - won, trick.n - 1);
    let rest = if need <= 0 || need > n {
        decided(need, n)
    } else {
        C::trick_start::<NT>(search, seat, need, n, lengths)
    };
    // The winner's rank matters only if another card of its suit was played.
    let contested = played & suit(suit_of(winner)) & !(1 << winner) != 0;
    let ranks = rest.ranks | u64::from(contested) << winner;
    Found {
        tricks: rest.tricks + won,
        ranks,
    }
}
