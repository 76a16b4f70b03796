//! Simulation: deals drawn at random, in blocks that can be counted in any order.
//!
//! Hands are drawn by weight for all players at once and thrown away together if two share a card,
//! which keeps every deal's chance right. Players who may hold anything are not drawn from a list:
//! they and the board take cards from the rest of the deck. Every block of deals has a random
//! stream of its own, so that the counts do not depend on threads.

use cards::CardSet;

use super::fixed::winners;
use super::random::{Choice, Random};
use super::threads::sum_in_parallel;
use super::{EquityError, MAX_PLAYERS, Stop};
use crate::omaha::{BoardCards, HoleCards};
use crate::rows::Rows;
use crate::{Game, HandRank, evaluate7_batch};

/// Deals with one random stream.
const BLOCK: u64 = 1 << 14;
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
        let mut random = Random::for_block(0, u64::MAX);
        let mut hands = [CardSet::EMPTY; MAX_PLAYERS];
        let fitting = (0..1000).filter(|_| self.draw_hands(&mut random, &mut hands).is_some());
        fitting.count() as f64 / 1000.0
    }

    /// One draw of hands; the cards used, or `None` if two hands share a card.
    #[inline]
    fn draw_hands(
        &self,
        random: &mut Random,
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
                    let random = Random::for_block(seed, done + block as u64);
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
            if super::largest_standard_error(&counts, self.players) <= stop.standard_error {
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

/// The deck and the buffers of one thread.
struct Table<'a> {
    simulation: &'a Simulation,
    rows: &'static Rows,
    /// The cards that can still come, one by one.
    deck: Vec<CardSet>,
    hands: Vec<CardSet>,
    boards: Vec<CardSet>,
    ranks: Vec<HandRank>,
}

/// Cards drawn from a deck, again if somebody has them already.
struct Stream<'a> {
    deck: &'a [CardSet],
    word: u64,
    draws: u32,
}

impl Stream<'_> {
    /// Any card of the deck. One word is good for five draws: the bias is below 2^-35.
    #[inline]
    fn any(&mut self, random: &mut Random) -> CardSet {
        if self.draws == 0 {
            self.word = random.word();
            self.draws = 5;
        }
        self.draws -= 1;
        let product = u128::from(self.word) * self.deck.len() as u128;
        self.word = product as u64;
        self.deck[(product >> 64) as usize]
    }

    /// A card not in `used`.
    #[inline]
    fn next(&mut self, random: &mut Random, used: &mut CardSet) -> CardSet {
        loop {
            let card = self.any(random);
            if card.is_disjoint(*used) {
                *used |= card;
                return card;
            }
        }
    }
}

impl<'a> Table<'a> {
    fn new(simulation: &'a Simulation) -> Table<'a> {
        Table {
            simulation,
            rows: Rows::of(simulation.game.rules()),
            deck: simulation.left.iter().map(CardSet::of).collect(),
            hands: vec![CardSet::EMPTY; BATCH * simulation.players],
            boards: vec![CardSet::EMPTY; BATCH],
            ranks: vec![HandRank::default(); BATCH * simulation.players],
        }
    }

    /// Plays a block of deals and counts the winner sets; false if hands that fit together were
    /// too hard to find.
    fn play(&mut self, mut random: Random, deals: u64, counts: &mut [u128]) -> bool {
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

    fn deal(&mut self, random: &mut Random, batch: usize, patience: &mut u64) -> bool {
        let simulation = self.simulation;
        if simulation.drawn.is_empty() && simulation.anything.is_empty() {
            match 5 - simulation.board.len() {
                5 => self.deal_boards::<5>(random, batch),
                2 => self.deal_boards::<2>(random, batch),
                1 => self.deal_boards::<1>(random, batch),
                4 => self.deal_boards::<4>(random, batch),
                3 => self.deal_boards::<3>(random, batch),
                _ => self.deal_boards::<0>(random, batch),
            }
            return true;
        }
        let missing = 5 - simulation.board.len();
        let mut hands = simulation.known;
        let mut stream = Stream {
            deck: &self.deck,
            word: 0,
            draws: 0,
        };
        for deal in 0..batch {
            let mut used = CardSet::EMPTY;
            if !simulation.drawn.is_empty() {
                loop {
                    match simulation.draw_hands(random, &mut hands) {
                        Some(cards) => break used = cards,
                        None if *patience == 0 => return false,
                        None => *patience -= 1,
                    }
                }
            }
            stream.draws = 0;
            for &player in &simulation.anything {
                hands[player] = CardSet::EMPTY;
                for _ in 0..simulation.game.hole_cards() {
                    hands[player] |= stream.next(random, &mut used);
                }
            }
            let mut board = simulation.board;
            for _ in 0..missing {
                board |= stream.next(random, &mut used);
            }
            self.boards[deal] = board;
            let with_board = self.seen_with(board);
            for (player, &hand) in hands[..simulation.players].iter().enumerate() {
                self.hands[player * batch + deal] = hand | with_board;
            }
        }
        true
    }

    /// Deals when all hands are known: boards alone, dealt again whole if a card comes twice.
    fn deal_boards<const MISSING: usize>(&mut self, random: &mut Random, batch: usize) {
        let simulation = self.simulation;
        let mut stream = Stream {
            deck: &self.deck,
            word: 0,
            draws: 0,
        };
        for board in &mut self.boards[..batch] {
            loop {
                stream.draws = 0;
                let mut cards = CardSet::EMPTY;
                for _ in 0..MISSING {
                    cards |= stream.any(random);
                }
                if cards.len() == MISSING {
                    *board = simulation.board | cards;
                    break;
                }
            }
        }
        for player in 0..simulation.players {
            for deal in 0..batch {
                let with_board = self.seen_with(self.boards[deal]);
                self.hands[player * batch + deal] = simulation.known[player] | with_board;
            }
        }
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
            Game::Omaha => {
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
        let mut ranks = [0i16; MAX_PLAYERS];
        for deal in 0..batch {
            for (player, rank) in ranks[..players].iter_mut().enumerate() {
                *rank = self.ranks[player * batch + deal].0 as i16;
            }
            wins[winners(&ranks[..players])] += 1;
        }
    }
}
