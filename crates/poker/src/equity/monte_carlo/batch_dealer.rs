//! Deals batches for one thread, compares the hands and counts the winners.

use cards::CardSet;
use cpu::CpuPath;
use shuffle::BlockWords;

use super::Simulation;
use super::hands::Pool;
use super::lanes::{
    BATCH, CardWords, Column, Pack, can_deposit, deposit, draw_cards, gather_bits, join,
    join_known, look_up, numbers_to_slots, skip, sort, winners, winners_of_two,
};
use crate::equity::MAX_PLAYERS;
use crate::games::{BoardCards, HoleCards};
use crate::rows::Rows;
use crate::{Game, HandRank, evaluate7_batch_with};

/// Maximum number of batches of choices of hands in a block. Only ranges that almost exclude each other, and are too
/// wide to be listed together, reach it.
const MAX_BATCHES: usize = 200_000;
/// Number of copies of each counter. Two additions in a row to one counter would be slower, because the second waits for
/// the first.
const COUNTERS: usize = 4;

/// The buffers of one thread.
pub(super) struct BatchDealer<'a> {
    simulation: &'a Simulation,
    path: CpuPath,
    rows: &'static Rows,
    pool: Pool,
    /// The choices of every group.
    picks: Vec<Column<u32>>,
    /// The cards of the hands drawn from ranges.
    used: Column<CardSet>,
    /// The deck without board, dead cards and known hands, in ascending order of bits.
    pack: Pack,
    /// The numbers drawn and their slots: for the board, then for the players with a random hand.
    digits: Vec<Column<u8>>,
    slots: Vec<Column<u8>>,
    /// Whether one instruction turns slots into cards. Otherwise slots are moved past the holes and looked up in the
    /// pack, which is as fast if there are no holes.
    deposits: bool,
    /// The slots of cards drawn from ranges, ascending.
    holes: Vec<Column<u8>>,
    boards: Column<CardSet>,
    hands: Vec<Column<CardSet>>,
    ranks: Vec<Column<HandRank>>,
    /// All bits set where the deal counts.
    counts: Column<u16>,
    wins: [[u32; 1 << MAX_PLAYERS]; COUNTERS],
}

impl<'a> BatchDealer<'a> {
    pub(super) fn new(simulation: &'a Simulation, path: CpuPath) -> BatchDealer<'a> {
        let own = simulation.game.hole_cards();
        let missing = simulation.game.board_cards() - simulation.board.len();
        let drawn = missing + own * simulation.anything.len();
        let from_ranges: usize = simulation.groups.iter().map(|g| g.players.len()).sum();
        BatchDealer {
            simulation,
            path,
            rows: Rows::of(simulation.game.rules()),
            pool: Pool::new(&simulation.groups, path),
            picks: vec![[0; BATCH]; simulation.groups.len()],
            used: [CardSet::EMPTY; BATCH],
            pack: simulation.pack(),
            digits: vec![[0; BATCH]; drawn],
            slots: vec![[0; BATCH]; drawn],
            deposits: from_ranges > 0 && can_deposit(path),
            holes: vec![[0; BATCH]; own * from_ranges],
            boards: [CardSet::EMPTY; BATCH],
            hands: vec![[CardSet::EMPTY; BATCH]; simulation.hands],
            ranks: vec![[HandRank::default(); BATCH]; simulation.players],
            counts: [0; BATCH],
            wins: [[0; 1 << MAX_PLAYERS]; COUNTERS],
        }
    }

    /// Plays a block of deals and counts the winner sets. Returns false if it rarely finds hands without a common card.
    pub(super) fn play(&mut self, mut random: BlockWords, deals: u64, sums: &mut [u128]) -> bool {
        self.pool.clear();
        let mut draws_left = MAX_BATCHES;
        let mut left = deals as usize;
        while left > 0 {
            let mut refused = [0; BATCH];
            if !self.choose(&mut random, &mut draws_left, &mut refused) {
                return false;
            }
            self.draw_slots(&mut random, &mut refused);
            left -= self.mark(&refused, left);
            self.deal();
            self.evaluate();
            self.score();
        }
        for set in 0..1 << self.simulation.players {
            for counters in &mut self.wins {
                sums[set] += u128::from(std::mem::take(&mut counters[set]));
            }
        }
        // Deals that do not count have no winner.
        sums[0] = 0;
        true
    }

    /// Chooses hands without a common card for a batch. Returns false at the maximum number of attempts. `refused`
    /// becomes other than zero where random bits are rejected.
    fn choose(
        &mut self,
        random: &mut BlockWords,
        draws_left: &mut usize,
        refused: &mut Column<u16>,
    ) -> bool {
        match &self.simulation.groups[..] {
            [] => {}
            // The hands of a single group cannot conflict.
            [group] => {
                let mut odd = [0; BATCH];
                group.pick(self.path, random, &mut self.picks[0], &mut odd);
                group.used_by(&self.picks[0], &mut self.used);
                for (refused, odd) in refused.iter_mut().zip(odd) {
                    *refused |= odd as u16;
                }
            }
            groups => {
                while self.pool.waiting() < BATCH {
                    if *draws_left == 0 {
                        return false;
                    }
                    *draws_left -= 1;
                    self.pool.draw(groups, random);
                }
                for (group, picks) in self.picks.iter_mut().enumerate() {
                    *picks = *self.pool.front(group);
                }
                self.used = *self.pool.front_used();
                self.pool.advance();
            }
        }
        true
    }

    /// Draws all cards that come from the rest of the deck; `refused` as in [`BatchDealer::choose`].
    fn draw_slots(&mut self, random: &mut BlockWords, refused: &mut Column<u16>) {
        let count = self.simulation.left.len() - self.holes.len();
        let mut words: CardWords = [0; BATCH / 4];
        for (number, digits) in self.digits.iter_mut().enumerate() {
            random.fill(&mut words);
            let bound = (count - number) as u16;
            draw_cards(self.path, &words, bound, digits, refused);
        }
        numbers_to_slots(self.path, &self.digits, &mut self.slots, count as u8);
        if !self.deposits {
            self.find_holes();
            skip(self.path, &self.holes, &mut self.slots);
        }
    }

    /// Finds the slots of the cards in hands from ranges.
    fn find_holes(&mut self) {
        let groups = &self.simulation.groups;
        let mut holes = &mut self.holes[..];
        for (group, picks) in groups.iter().zip(&self.picks) {
            let cards = group.players.len() * self.simulation.game.hole_cards();
            let (own, rest) = holes.split_at_mut(cards);
            group.slots_of(picks, own);
            holes = rest;
        }
        if groups.len() > 1 {
            sort(self.path, &mut self.holes);
        }
    }

    /// Marks the deals that count, at most `wanted`, and returns their number.
    fn mark(&mut self, refused: &Column<u16>, wanted: usize) -> usize {
        let mut marked = 0u16;
        for (counts, &refused) in self.counts.iter_mut().zip(refused) {
            *counts = if refused == 0 { u16::MAX } else { 0 };
            marked += *counts & 1;
        }
        let too_many = usize::from(marked).saturating_sub(wanted);
        let marks = self.counts.iter_mut().rev().filter(|counts| **counts != 0);
        for counts in marks.take(too_many) {
            *counts = 0;
        }
        usize::from(marked) - too_many
    }

    /// Gives all players their cards, joined with those of the board; in Omaha these stay separate.
    fn deal(&mut self) {
        let Simulation {
            game,
            ref known,
            ref anything,
            ref groups,
            board,
            left,
            ..
        } = *self.simulation;
        let missing = game.board_cards() - board.len();
        let (of_board, mut of_players) = self.slots.split_at(missing);
        let (path, pack, used) = (self.path, &self.pack, &self.used);
        let take = |slots: &[Column<u8>], cards: &mut Column<CardSet>| {
            if self.deposits {
                let mut bits = [0; BATCH];
                gather_bits(path, slots, &mut bits);
                deposit(path, &bits, left, used, cards);
            } else {
                look_up(pack, slots, cards);
            }
        };
        take(of_board, &mut self.boards);
        for cards in &mut self.boards {
            *cards |= board;
        }
        let nothing = [CardSet::EMPTY; BATCH];
        let shared = if game.has_two_hole_cards() {
            &self.boards
        } else {
            &nothing
        };
        for (hands, &known) in self.hands.iter_mut().zip(known) {
            if !known.is_empty() {
                join_known(self.path, known, shared, hands);
            }
        }
        for (group, picks) in groups.iter().zip(&self.picks) {
            for (place, &player) in group.players.iter().enumerate() {
                group.hands_of(place, picks, shared, &mut self.hands[player]);
            }
        }
        let mut own = nothing;
        for &player in anything {
            let (slots, rest) = of_players.split_at(game.hole_cards());
            take(slots, &mut own);
            join(self.path, &own, shared, &mut self.hands[player]);
            of_players = rest;
        }
    }

    fn evaluate(&mut self) {
        let shown = &self.hands[..self.simulation.players];
        let (hands, ranks) = (shown.as_flattened(), self.ranks.as_flattened_mut());
        match self.simulation.game {
            Game::Holdem => evaluate7_batch_with(self.path, hands, ranks),
            Game::ShortDeck { .. } => {
                for (rank, hand) in ranks.iter_mut().zip(hands) {
                    *rank = HandRank(self.rows.evaluate(hand.0));
                }
            }
            // Only Omaha remains: the other games are dealt one by one.
            _ => {
                for (deal, &board) in self.boards.iter().enumerate() {
                    let board = BoardCards::new(board);
                    for (ranks, hands) in self.ranks.iter_mut().zip(&self.hands) {
                        ranks[deal] = HandRank(HoleCards::new(hands[deal]).rank(&board));
                    }
                }
            }
        }
    }

    fn score(&mut self) {
        if let Ok(ranks) = <&[_; 2]>::try_from(&self.ranks[..]) {
            let mut wins = [0; 2];
            winners_of_two(self.path, ranks, &self.counts, &mut wins);
            let [first, second] = wins.map(u32::from);
            let all: u32 = self.counts.iter().map(|counts| u32::from(counts & 1)).sum();
            self.wins[0][1] += first;
            self.wins[0][2] += second;
            self.wins[0][3] += all - first - second;
            return;
        }
        let mut sets = [0; BATCH];
        winners(self.path, &self.ranks, &self.counts, &mut sets);
        for some in sets.as_chunks::<COUNTERS>().0 {
            for (counters, &set) in self.wins.iter_mut().zip(some) {
                counters[usize::from(set) % (1 << MAX_PLAYERS)] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equity::plan::Holding;
    use crate::equity::random::words;
    use statistics::chi_square;
    use std::collections::BTreeMap;

    /// A small deck in which every deal can be counted: two weighted ranges, a player with a random hand, one card on
    /// the board. Every deal must occur as often as its weight demands.
    #[test]
    fn every_deal_is_as_likely_as_its_weight() {
        let card = |bit: u32| CardSet(1 << bit);
        let pair = |a, b| card(a) | card(b);
        let left = (0..8).fold(CardSet::EMPTY, |deck, i| deck | card(6 * i + 1));
        let at = |a: u32, b: u32| pair(6 * a + 1, 6 * b + 1);
        let first = vec![(at(0, 1), 1), (at(0, 2), 2), (at(3, 4), 1)];
        let second = vec![(at(1, 2), 3), (at(5, 6), 1), (at(4, 7), 2)];
        let board = card(0) | card(2) | card(3) | card(4);
        let holdings = [
            Holding::Listed(first.clone()),
            Holding::Anything(28),
            Holding::Listed(second.clone()),
        ];
        let simulation = Simulation::new(Game::Holdem, &holdings, 3, board, left).unwrap();
        let mut expected: BTreeMap<[CardSet; 4], f64> = BTreeMap::new();
        for &(one, weight) in &first {
            for &(two, other) in second.iter().filter(|(two, _)| two.is_disjoint(one)) {
                let rest: Vec<CardSet> = (left - one - two).iter().map(CardSet::of).collect();
                for &last in &rest {
                    for &a in rest.iter().filter(|&&a| a != last) {
                        for &b in rest.iter().filter(|&&b| b > a && b != last) {
                            expected.insert([one, a | b, two, last], (weight * other) as f64);
                        }
                    }
                }
            }
        }
        let total: f64 = expected.values().sum();
        let mut table = BatchDealer::new(&simulation, CpuPath::best());
        let mut random = words(3, 0);
        let mut found: BTreeMap<[CardSet; 4], u64> = BTreeMap::new();
        let mut deals = 0;
        for _ in 0..400 {
            let mut refused = [0; BATCH];
            assert!(table.choose(&mut random, &mut 100, &mut refused));
            table.draw_slots(&mut random, &mut refused);
            deals += table.mark(&refused, usize::MAX);
            table.deal();
            for deal in (0..BATCH).filter(|&deal| table.counts[deal] != 0) {
                let all = table.boards[deal];
                let own = |player: usize| table.hands[player][deal] - all;
                *found
                    .entry([own(0), own(1), own(2), all - board])
                    .or_default() += 1;
            }
        }
        assert!(found.keys().all(|deal| expected.contains_key(deal)));
        let pairs = expected.iter().map(|(deal, weight)| {
            let found = found.get(deal).copied().unwrap_or(0);
            (found, deals as f64 * weight / total)
        });
        let sum = chi_square::of(pairs);
        let tail = chi_square::upper_tail(sum, (expected.len() - 1) as f64);
        assert!((1e-6..1.0 - 1e-6).contains(&tail), "{sum} {tail}");
    }
}
