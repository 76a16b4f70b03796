//! The recursion: from the start of a trick through the cards of four hands to the start of the next.

use super::cards::{
    Cards, Lengths, Shape, above, bottom, fill_up, highest, lowest, one_card, suit, suit_of, top,
};
use super::cpu::{Code, Cpu};
use super::group::DeferredCards;
use super::later::{SureSide, later_tricks};
use super::leading::Leads;
use super::ordering::{Following, Order};
use super::quick::quick_tricks;
use super::second_hand::quick_after_lead;
use super::symmetry::Stored;
use super::table::{Entry, TranspositionTable};
use super::{Found, Hands, NO_CARD, Search, Trick, beats};

/// Returns the result of the last trick, which needs no search.
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

/// Converts the tricks of the side on lead to those of North-South, or back.
#[inline(always)]
pub(super) fn for_north_south(north_south_lead: bool, tricks: i32, n: i32) -> i32 {
    if north_south_lead { tricks } else { n - tricks }
}

/// Returns the result if North-South need no more tricks, or more than are left.
#[inline(always)]
fn decided(need: i32, n: i32) -> Found {
    Found {
        tricks: if need <= 0 { 0 } else { n },
        ranks: 0,
    }
}

/// Number of tricks left from which the transposition table is probed before the static rules; with fewer tricks the
/// rules come first.
const TABLE_FIRST: i32 = 5;

/// Searches a position at the start of a trick.
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
    let hands = &search.hands;
    let all = hands[0] | hands[1] | hands[2] | hands[3];
    let mut stored = Stored {
        leader,
        lengths,
        all,
        need,
    };
    if NT {
        stored = search.stored(stored, n);
    }
    let key = TranspositionTable::key(stored.lengths, stored.leader);
    search.table.prefetch(cpu, key);
    let code = cpu.code(&search.owners, stored.all);
    if n >= TABLE_FIRST
        && let Some((tricks, mask)) = search.table.probe(cpu, key, code, stored.need)
    {
        let ranks = cpu.unmask(mask, stored.all);
        let found = Found { tricks, ranks };
        return if NT {
            search.for_position(found, leader, n)
        } else {
            found
        };
    }
    let ns = leader & 1 == 0;
    let want = if ns { need } else { n - need + 1 };
    let relative = Hands {
        me: search.hands[leader & 3],
        left: search.hands[(leader + 1) & 3],
        partner: search.hands[(leader + 2) & 3],
        right: search.hands[(leader + 3) & 3],
        my_shape: Shape::of(lengths, leader),
        left_shape: Shape::of(lengths, leader + 1),
        partner_shape: Shape::of(lengths, leader + 2),
        right_shape: Shape::of(lengths, leader + 3),
    };
    if let Some((tricks, ranks)) = quick_tricks::<NT>(&relative, all, want, n) {
        let tricks = for_north_south(ns, tricks.min(n), n);
        return Found { tricks, ranks };
    }
    if let Some((side, ranks)) = later_tricks::<NT>(&relative, all, n, want, n - want + 1) {
        let enough = (side == SureSide::Leaders) == ns;
        let tricks = if enough { need } else { need - 1 };
        return Found { tricks, ranks };
    }
    if n < TABLE_FIRST
        && let Some((tricks, mask)) = search.table.probe(cpu, key, code, stored.need)
    {
        let ranks = cpu.unmask(mask, stored.all);
        let found = Found { tricks, ranks };
        return if NT {
            search.for_position(found, leader, n)
        } else {
            found
        };
    }
    search.expanded += 1;
    if search.expanded >= search.next_check && search.is_stopped() {
        return Found {
            tricks: need - 1,
            ranks: 0,
        };
    }
    let found = if n >= search.coordinate_from {
        leads_in_group::<C, NT>(search, leader, need, n, lengths, all)
    } else {
        leads::<C, NT, false>(search, leader, need, n, lengths, all)
    };
    if search.stopped {
        return found;
    }
    let to_store = if NT {
        search.to_stored(found, leader, n)
    } else {
        found
    };
    let mask = cpu.mask(fill_up(to_store.ranks) & stored.all, stored.all);
    let bounds = if to_store.tricks >= stored.need {
        (to_store.tricks as u8, n as u8)
    } else {
        (0, to_store.tricks as u8)
    };
    let own = Code([code.0[0] & mask.0[0], code.0[1] & mask.0[1]]);
    let entry = Entry { own, mask, bounds };
    search.table.store(cpu, key, entry);
    if n >= search.send_from {
        search.queue_proof(key, entry);
    }
    found
}

/// The results of the cards that a hand has tried so far.
struct TriedCards {
    /// The best result for the side of the hand, in tricks of North-South.
    best: i32,
    ranks: Cards,
}

impl TriedCards {
    #[inline(always)]
    fn nothing(ns: bool, n: i32) -> TriedCards {
        TriedCards {
            best: if ns { 0 } else { n },
            ranks: 0,
        }
    }

    /// Records that a card failed. Returns the cards that need not be tried any more.
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
            // The equals of the card are not tried. The result depends on their being equal, so their ranks are
            // recorded.
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
            // No card of this suit can change the result: the other hands play as before.
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

/// Tries the leads of a hand. With `SHARED`, other searches of the group may try them too.
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
    let mut tried = TriedCards::nothing(ns, n);
    let mut leads = Leads::NONE;
    let mut ordered = false;
    let mut deferred = DeferredCards::default();
    if SHARED {
        search.reset_deferred(&mut deferred);
    }
    let mut wrong = 0;
    while moves != 0 {
        let card = if wrong == 0 && moves >> remembered & 1 != 0 {
            remembered
        } else {
            if !ordered {
                ordered = true;
                let (hands, lead_history) = (&search.hands, &search.lead_history);
                C::order_lead::<NT>(&mut leads, hands, seat, moves, all, lengths, lead_history);
            }
            match leads.pop() {
                Some(card) => card,
                // Only deferred leads are left.
                None if SHARED => {
                    search.exchange_proofs();
                    let found = search.probe_again(&mut deferred, seat, need, n, lengths, all);
                    if let Some(found) = found {
                        return found;
                    }
                    highest(moves)
                }
                None => break,
            }
        };
        let bit = 1 << card;
        if moves & bit == 0 {
            continue;
        }
        // The stored lead is probably right again, and then no other is tried. So it is never deferred.
        if SHARED && search.defer_or_announce(&mut deferred, card, all, seat) && card != remembered
        {
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
            search.withdraw(card, all, seat);
        }
        if ns == (found.tricks >= need) {
            if ordered {
                search.lead_history.learn(seat, card, wrong, all);
            }
            if card != remembered {
                search.refutations[index] = tag | card;
            }
            return found;
        }
        wrong |= bit;
        moves &= !tried.failed(ns, found, card, hand, all);
        if SHARED
            && let Some(found) = search.probe_again(&mut deferred, seat, need, n, lengths, all)
        {
            return found;
        }
    }
    tried.result()
}

/// Calls [`leads`] for a group. It is a separate function, so that the code for a single search stays small.
#[cold]
#[inline(never)]
fn leads_in_group<C: Cpu, const NT: bool>(
    search: &mut Search<C>,
    seat: usize,
    need: i32,
    n: i32,
    lengths: Lengths,
    all: Cards,
) -> Found {
    leads::<C, NT, true>(search, seat, need, n, lengths, all)
}

/// Searches the cards of a following hand. `PLACE` is 1 for second hand. `winning` is the best card so far, with the
/// seat that played it in bits 6 and 7.
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
    let must_follow = hands[seat] & suit(led) != 0;
    if PLACE == 3 && must_follow {
        return fourth_hand_follows::<C, NT>(search, trick, seat, lengths, winning, played);
    }
    if PLACE < 3 && !must_follow && n >= search.coordinate_from {
        return follows_in_group::<C, NT, PLACE>(search, trick, seat, lengths, winning, played);
    }
    follows::<C, NT, PLACE, false>(search, trick, seat, lengths, winning, played)
}

/// Tries the cards of a following hand. With `SHARED`, other searches of the group may try them too.
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
    let must_follow = in_suit != 0;
    let mut moves = search
        .cpu
        .sequence_tops(if must_follow { in_suit } else { hand }, all);
    let mut order = Order::UPWARDS;
    let mut ordered = true;
    let (mut index, mut tag, mut remembered) = (0, 0, NO_CARD);
    if moves & (moves - 1) != 0 {
        ordered = false;
        let situation = if must_follow {
            (all & suit(led)) >> (led * 16) | u64::from(led) << 16 | u64::from(winner) << 20
        } else {
            hand ^ u64::from(winner) << 26
        };
        let situation = situation ^ (seat as u64) << 61 ^ (PLACE as u64) << 45;
        (index, tag, remembered) = search.refutation(situation);
    }
    let mut first = moves >> remembered & 1 != 0;
    let mut tried = TriedCards::nothing(ns, n);
    let mut deferred = DeferredCards::default();
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
                    must_follow,
                    led,
                    winner,
                    winner_seat,
                    lengths,
                };
                order = C::order_follow::<NT, PLACE>(&search.hands, &following);
            }
            order.next(if SHARED {
                deferred.others(moves)
            } else {
                moves
            })
        };
        let bit = 1 << card;
        if SHARED && search.defer_or_announce(&mut deferred, card, all ^ played, seat) {
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
            search.withdraw(card, all ^ played ^ bit, seat);
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

/// Calls [`follows`] for a group. It is a separate function, so that the code for a single search stays small.
#[cold]
#[inline(never)]
fn follows_in_group<C: Cpu, const NT: bool, const PLACE: usize>(
    search: &mut Search<C>,
    trick: &Trick,
    seat: usize,
    lengths: Lengths,
    winning: u32,
    played: Cards,
) -> Found {
    follows::<C, NT, PLACE, true>(search, trick, seat, lengths, winning, played)
}

/// Plays a fourth hand that must follow suit: it wins as cheaply as it can unless partner wins, else it plays low.
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
    // A card of the suit led wins if it beats the best one and that is not a ruff.
    let beating = if suit_of(winner) == trick.led {
        above(1 << winner)
    } else {
        0
    };
    let first = if partner_wins { 0 } else { beating };
    let left = lengths - one_card(seat, trick.led);
    let mut tried = TriedCards::nothing(ns, trick.n);
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

/// Completes the trick and searches the next one.
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
