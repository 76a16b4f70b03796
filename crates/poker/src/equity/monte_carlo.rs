//! Simulation: deals drawn at random, in blocks that can be counted in any order.
//!
//! Hands are drawn by weight for all players at once and thrown away together if two share a card,
//! which keeps every deal's chance right. Players who may hold anything are not drawn from a list:
//! they and the board take cards from the rest of the deck. Every block of deals has a random
//! stream of its own, so that the counts do not depend on threads.

use cards::CardSet;
use shuffle::{BlockWords, Words};

#[cfg(target_arch = "x86_64")]
use super::draw::Pdep;
use super::draw::{Digits, Pick, Plain};
use super::random::{Choice, words};
use super::threads::sum_in_parallel;
use super::{EquityError, MAX_PLAYERS, Stop};
use crate::games::{BoardCards, HoleCards};
use crate::rows::Rows;
use crate::{Game, HandRank, evaluate7_batch};

/// Deals with one random stream.
const BLOCK: u64 = 1 << 14;
/// The number of the block from which a trial is drawn; no simulation gets there.
const TRIAL: u64 = (1 << 61) - 1;
/// Deals evaluated together.
const BATCH: usize = 256;
/// Blocks between two looks at the stop rule.
const ROUND: u64 = 32;
/// Draws of hands after which a block gives up. Only ranges that almost exclude each other, and
/// too wide to be listed together, get there.
const PATIENCE: u64 = 50_000_000;
/// Below this share of fitting draws the hands are listed together instead.
const SELDOM: f64 = 1.0 / 32.0;
/// The longest list of hands of several players together.
const LONGEST_LIST: usize = 500_000;

/// How the hands of the players with ranges are drawn.
enum Hands {
    /// Each player by weight, all again if two share a card.
    Apart(Vec<(Vec<CardSet>, Choice)>),
    /// All players at once from the list of what fits.
    Together(Vec<Vec<CardSet>>, Choice),
}

/// Everything the blocks share.
pub(super) struct Simulation {
    game: Game,
    players: usize,
    /// Which players are drawn from ranges, in the order of `hands`.
    drawn: Vec<usize>,
    hands: Hands,
    /// Which players take any cards.
    anything: Vec<usize>,
    /// Players with one hand only.
    known: [CardSet; MAX_PLAYERS],
    board: CardSet,
    /// The deck without board, dead cards and known hands.
    left: CardSet,
}

impl Simulation {
    /// Prepares a simulation. `ranges` are the playable hands with integer weights, `left` the
    /// deck without board and dead cards.
    pub(super) fn new(
        game: Game,
        ranges: &[Vec<(CardSet, u64)>],
        board: CardSet,
        left: CardSet,
    ) -> Result<Simulation, EquityError> {
        let mut simulation = Simulation {
            game,
            players: ranges.len(),
            drawn: Vec::new(),
            hands: Hands::Apart(Vec::new()),
            anything: Vec::new(),
            known: [CardSet::EMPTY; MAX_PLAYERS],
            board,
            left,
        };
        let every_hand = super::fixed::binomial(left.len(), game.hole_cards());
        for (player, range) in ranges.iter().enumerate() {
            let is_uniform = range.windows(2).all(|pair| pair[0].1 == pair[1].1);
            match range[..] {
                [(hand, _)] => {
                    if !simulation.left.contains_all(hand) {
                        return Err(EquityError::NoDeal);
                    }
                    simulation.known[player] = hand;
                    simulation.left -= hand;
                }
                _ if range.len() as u64 == every_hand && is_uniform => {
                    simulation.anything.push(player);
                }
                _ => simulation.drawn.push(player),
            }
        }
        simulation.prepare_hands(ranges)?;
        Ok(simulation)
    }

    fn prepare_hands(&mut self, ranges: &[Vec<(CardSet, u64)>]) -> Result<(), EquityError> {
        let playable: Vec<Vec<(CardSet, u64)>> = self
            .drawn
            .iter()
            .map(|&player| {
                let fits = |&&(hand, _): &&(CardSet, u64)| self.left.contains_all(hand);
                ranges[player].iter().filter(fits).copied().collect()
            })
            .collect();
        if playable.iter().any(Vec::is_empty) {
            return Err(EquityError::NoDeal);
        }
        let apart = playable
            .iter()
            .map(|range| {
                let weights: Vec<u128> = range.iter().map(|&(_, w)| u128::from(w)).collect();
                (
                    range.iter().map(|&(hand, _)| hand).collect(),
                    Choice::new(&weights),
                )
            })
            .collect();
        self.hands = Hands::Apart(apart);
        if self.share_of_fitting_draws() < SELDOM
            && let Some(list) = list_together(&playable)
        {
            let sum = list
                .iter()
                .try_fold(0u128, |sum, (_, weight)| sum.checked_add(*weight));
            let (tuples, weights): (Vec<_>, Vec<_>) = list.into_iter().unzip();
            if tuples.is_empty() {
                return Err(EquityError::NoDeal);
            }
            if sum.is_some_and(|sum| sum <= u128::from(u64::MAX)) {
                self.hands = Hands::Together(tuples, Choice::new(&weights));
            }
        }
        Ok(())
    }

    /// A trial of a thousand draws, the same in every run.
    fn share_of_fitting_draws(&self) -> f64 {
        let mut random = words(0, TRIAL);
        let mut hands = [CardSet::EMPTY; MAX_PLAYERS];
        let fitting = (0..1000).filter(|_| self.draw_hands(&mut random, &mut hands).is_some());
        fitting.count() as f64 / 1000.0
    }

    /// One draw of hands; the cards used, or `None` if two hands share a card.
    #[inline]
    fn draw_hands(
        &self,
        random: &mut BlockWords,
        hands: &mut [CardSet; MAX_PLAYERS],
    ) -> Option<CardSet> {
        let mut used = CardSet::EMPTY;
        match &self.hands {
            Hands::Apart(ranges) => {
                for ((list, choice), &player) in ranges.iter().zip(&self.drawn) {
                    let hand = list[choice.draw(random)];
                    if !hand.is_disjoint(used) {
                        return None;
                    }
                    used |= hand;
                    hands[player] = hand;
                }
            }
            Hands::Together(tuples, choice) => {
                let tuple = &tuples[choice.draw(random)];
                for (&hand, &player) in tuple.iter().zip(&self.drawn) {
                    used |= hand;
                    hands[player] = hand;
                }
            }
        }
        Some(used)
    }

    /// Draws a deal: everybody's hand and, as the result, the board. `None` if two hands share a card or a word has to
    /// be thrown away; then all is drawn again.
    #[inline(always)]
    fn draw<P: Pick>(
        &self,
        pick: P,
        stages: &Stages,
        random: &mut BlockWords,
        hands: &mut [CardSet; MAX_PLAYERS],
    ) -> Option<CardSet> {
        let mut used = CardSet::EMPTY;
        match (&self.hands, stages.hands) {
            (Hands::Apart(ranges), Some(product)) => {
                let mut digits = Digits::of(random.word());
                let mut apart = true;
                for ((list, _), &player) in ranges.iter().zip(&self.drawn) {
                    let hand = list[digits.below(list.len() as u64) as usize];
                    apart &= hand.is_disjoint(used);
                    used |= hand;
                    hands[player] = hand;
                }
                if !apart || !digits.accepted(product) {
                    return None;
                }
            }
            _ if self.drawn.is_empty() => {}
            _ => used = self.draw_hands(random, hands)?,
        }
        // What leaves the deck is what was drawn.
        let mut left = (self.left - used).0;
        let mut count = stages.left;
        let mut good = true;
        let mut board = self.board;
        if stages.missing > 0 {
            let (before, mut digits) = (left, Digits::of(random.word()));
            for _ in 0..stages.missing {
                left ^= pick.nth(left, digits.below(count));
                count -= 1;
            }
            board |= CardSet(before ^ left);
            good = digits.accepted(stages.board);
        }
        for (players, product) in &stages.anything {
            let mut digits = Digits::of(random.word());
            for &player in players {
                let before = left;
                for _ in 0..stages.own {
                    left ^= pick.nth(left, digits.below(count));
                    count -= 1;
                }
                hands[player] = CardSet(before ^ left);
            }
            good &= digits.accepted(*product);
        }
        good.then_some(board)
    }

    /// Runs until the stop rule says so; counts by winner set.
    pub(super) fn run(
        &self,
        seed: u64,
        threads: usize,
        stop: Stop,
    ) -> Result<Vec<u128>, EquityError> {
        let sets = 1 << self.players;
        let mut counts = vec![0u128; sets];
        let blocks = stop.samples.div_ceil(BLOCK).max(1);
        let mut done = 0;
        while done < blocks {
            let round = ROUND.min(blocks - done);
            let part = sum_in_parallel(threads, round as usize, sets + 1, || {
                let mut table = Table::new(self);
                move |block: usize, sums: &mut [u128]| {
                    let deals = BLOCK.min(stop.samples - (done + block as u64) * BLOCK);
                    let random = words(seed, done + block as u64);
                    if !table.play(random, deals, sums) {
                        sums[sets] += 1;
                    }
                }
            });
            if part[sets] > 0 {
                return Err(EquityError::TooFewDeals);
            }
            for (count, value) in counts.iter_mut().zip(part) {
                *count += value;
            }
            done += round;
            if super::largest_standard_error(&super::outcome::from_sets(&counts), self.players)
                <= stop.standard_error
            {
                break;
            }
        }
        Ok(counts)
    }
}

/// All tuples of disjoint hands with the products of their weights; `None` if there are too many.
fn list_together(ranges: &[Vec<(CardSet, u64)>]) -> Option<Vec<(Vec<CardSet>, u128)>> {
    let mut tuples = vec![(Vec::new(), 1u128)];
    for range in ranges {
        let mut longer = Vec::new();
        for (tuple, weight) in &tuples {
            let used = tuple.iter().fold(CardSet::EMPTY, |used, &hand| used | hand);
            for &(hand, hand_weight) in range.iter().filter(|(hand, _)| hand.is_disjoint(used)) {
                let mut tuple = tuple.clone();
                tuple.push(hand);
                longer.push((tuple, weight.checked_mul(u128::from(hand_weight))?));
                if longer.len() > LONGEST_LIST {
                    return None;
                }
            }
        }
        tuples = longer;
    }
    Some(tuples)
}

/// Which numbers of a deal come out of one word, and the products of their bounds. Products stay below 2^52: then a
/// word in four thousand at most needs a division, and hardly any is thrown away.
struct Stages {
    /// The product of the sizes of the ranges, if all are drawn evenly from one word.
    hands: Option<u64>,
    /// The cards left after the hands from ranges.
    left: u64,
    /// The cards that the board lacks, and the product of their bounds.
    missing: usize,
    board: u64,
    /// The hole cards of a player.
    own: usize,
    /// The players who may hold anything, as many as one word serves, and the products.
    anything: Vec<(Vec<usize>, u64)>,
}

impl Stages {
    const LARGEST: u64 = 1 << 52;

    fn new(simulation: &Simulation) -> Stages {
        let own = simulation.game.hole_cards();
        let left = (simulation.left.len() - own * simulation.drawn.len()) as u64;
        let hands = match &simulation.hands {
            Hands::Apart(ranges) if !ranges.is_empty() => ranges
                .iter()
                .map(|(_, choice)| choice.even())
                .try_fold(1u64, |product, size| product.checked_mul(size?))
                .filter(|&product| product < Stages::LARGEST),
            _ => None,
        };
        let missing = 5 - simulation.board.len();
        let mut count = left;
        let mut draw = |cards: usize| {
            (0..cards).fold(1u64, |product, _| {
                count -= 1;
                product * (count + 1)
            })
        };
        let board = draw(missing);
        let mut anything: Vec<(Vec<usize>, u64)> = Vec::new();
        for &player in &simulation.anything {
            let product = draw(own);
            match anything.last_mut() {
                Some((players, all))
                    if all
                        .checked_mul(product)
                        .is_some_and(|p| p < Stages::LARGEST) =>
                {
                    players.push(player);
                    *all *= product;
                }
                _ => anything.push((vec![player], product)),
            }
        }
        Stages {
            hands,
            left,
            missing,
            board,
            own,
            anything,
        }
    }
}

/// The buffers of one thread.
struct Table<'a> {
    simulation: &'a Simulation,
    rows: &'static Rows,
    stages: Stages,
    hands: Vec<CardSet>,
    boards: Vec<CardSet>,
    ranks: Vec<HandRank>,
}

impl<'a> Table<'a> {
    fn new(simulation: &'a Simulation) -> Table<'a> {
        Table {
            simulation,
            rows: Rows::of(simulation.game.rules()),
            stages: Stages::new(simulation),
            hands: vec![CardSet::EMPTY; BATCH * simulation.players],
            boards: vec![CardSet::EMPTY; BATCH],
            ranks: vec![HandRank::default(); BATCH * simulation.players],
        }
    }

    /// Plays a block of deals and counts the winner sets; false if hands that fit together were
    /// too hard to find.
    fn play(&mut self, mut random: BlockWords, deals: u64, counts: &mut [u128]) -> bool {
        let mut wins = [0u64; 1 << MAX_PLAYERS];
        let mut left = deals as usize;
        let mut patience = PATIENCE;
        while left > 0 {
            let batch = left.min(BATCH);
            if !self.deal(&mut random, batch, &mut patience) {
                return false;
            }
            self.evaluate(batch);
            self.score(batch, &mut wins);
            left -= batch;
        }
        for (count, &wins) in counts.iter_mut().zip(&wins[..1 << self.simulation.players]) {
            *count += u128::from(wins);
        }
        true
    }

    /// Deals a batch; false if patience runs out.
    fn deal(&mut self, random: &mut BlockWords, batch: usize, patience: &mut u64) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Some(pdep) = Pdep::new() {
            // SAFETY: the processor has BMI1, BMI2 and POPCNT; `pdep` is the proof.
            return unsafe { self.deal_pdep(pdep, random, batch, patience) };
        }
        self.deal_with(Plain, random, batch, patience)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn deal_pdep(
        &mut self,
        pdep: Pdep,
        random: &mut BlockWords,
        batch: usize,
        patience: &mut u64,
    ) -> bool {
        self.deal_with(pdep, random, batch, patience)
    }

    #[inline(always)]
    fn deal_with<P: Pick>(
        &mut self,
        pick: P,
        random: &mut BlockWords,
        batch: usize,
        patience: &mut u64,
    ) -> bool {
        let simulation = self.simulation;
        let mut hands = simulation.known;
        for deal in 0..batch {
            let board = loop {
                match simulation.draw(pick, &self.stages, random, &mut hands) {
                    Some(board) => break board,
                    None if *patience == 0 => return false,
                    None => *patience -= 1,
                }
            };
            self.boards[deal] = board;
            let with_board = self.seen_with(board);
            for (player, &hand) in hands[..simulation.players].iter().enumerate() {
                self.hands[player * batch + deal] = hand | with_board;
            }
        }
        true
    }

    /// What is evaluated together with the hole cards: in Omaha the board is apart.
    fn seen_with(&self, board: CardSet) -> CardSet {
        if self.simulation.game == Game::Omaha {
            CardSet::EMPTY
        } else {
            board
        }
    }

    fn evaluate(&mut self, batch: usize) {
        let players = self.simulation.players;
        let (hands, ranks) = (
            &self.hands[..batch * players],
            &mut self.ranks[..batch * players],
        );
        match self.simulation.game {
            Game::Holdem => evaluate7_batch(hands, ranks),
            Game::ShortDeck { .. } => {
                for (rank, hand) in ranks.iter_mut().zip(hands) {
                    *rank = HandRank(self.rows.evaluate(hand.0));
                }
            }
            _ => {
                for deal in 0..batch {
                    let board = BoardCards::new(self.boards[deal]);
                    for player in 0..players {
                        let place = player * batch + deal;
                        ranks[place] = HandRank(HoleCards::new(hands[place]).rank(&board));
                    }
                }
            }
        }
    }

    fn score(&self, batch: usize, wins: &mut [u64; 1 << MAX_PLAYERS]) {
        let players = self.simulation.players;
        if players == 2 {
            let (first, second) = self.ranks[..2 * batch].split_at(batch);
            let pairs = || first.iter().zip(second);
            let first_wins: u64 = pairs().map(|(a, b)| u64::from(a < b)).sum();
            let second_wins: u64 = pairs().map(|(a, b)| u64::from(b < a)).sum();
            wins[1] += first_wins;
            wins[2] += second_wins;
            wins[3] += batch as u64 - first_wins - second_wins;
            return;
        }
        let mut best = [i16::MAX; BATCH];
        let mut sets = [0i16; BATCH];
        let of = |player: usize| &self.ranks[player * batch..(player + 1) * batch];
        for player in 0..players {
            for (best, rank) in best.iter_mut().zip(of(player)) {
                *best = (*best).min(rank.0 as i16);
            }
        }
        for player in 0..players {
            for ((set, best), rank) in sets.iter_mut().zip(&best).zip(of(player)) {
                *set |= i16::from(rank.0 as i16 == *best) << player;
            }
        }
        for &set in &sets[..batch] {
            wins[set as usize & ((1 << MAX_PLAYERS) - 1)] += 1;
        }
    }
}
