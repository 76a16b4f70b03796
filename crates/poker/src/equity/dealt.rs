//! All games, one deal after the other: the missing cards of the board and the players are dealt in every possible way,
//! or in ways drawn at random, and the hands are compared.
//!
//! Games with two hole cards, and Omaha, have faster methods. This one serves the split games and the games without a
//! board.

use cards::CardSet;
use shuffle::{BlockWords, RandomWords};

use super::fixed::binomial;
use super::hands::MAX_TUPLES;
use super::outcome::{Outcomes, Winners, largest_standard_error};
use super::random::{WeightedChoice, words};
use super::symmetry::SuitPermutation;
use super::threads::sum_in_parallel;
use super::tuples::{Ranges, Tuple, classes, for_each_tuple};
use super::{EquityError, MAX_PLAYERS, Query, StopRule};
use crate::Game;
use crate::games::Worth;

/// Deals per random stream.
const BLOCK: u64 = 1 << 12;
/// Blocks between two checks of the stop rule.
const ROUND: u64 = 32;
/// Maximum number of draws of hands in a block.
const MAX_DRAWS: u64 = 10_000_000;

/// A query whose ranges have integer weights.
pub(super) struct Dealt<'a> {
    game: Game,
    /// Number of players; the ranges after theirs are folded hands.
    players: usize,
    ranges: &'a Ranges,
    board: CardSet,
    left: CardSet,
}

impl<'a> Dealt<'a> {
    pub(super) fn new(query: &Query, ranges: &'a Ranges) -> Dealt<'a> {
        Dealt {
            game: query.game,
            players: query.players.len(),
            ranges,
            board: query.board,
            left: query.left(),
        }
    }

    /// Returns the number of cards that each player still gets; folded hands get none.
    fn missing(&self) -> impl Iterator<Item = usize> {
        let full = self.game.hole_cards();
        self.ranges[..self.players]
            .iter()
            .map(move |range| full - range.first().map_or(full, |(hand, _)| hand.len()))
    }

    /// Returns the number of ways to complete known hands.
    pub(super) fn completions(&self) -> f64 {
        let known: usize = self.ranges.iter().map(|range| range[0].0.len()).sum();
        let mut left = self.left.len().saturating_sub(known);
        let board = self.game.board_cards() - self.board.len();
        let mut ways = 1.0;
        for cards in self.missing().chain([board]) {
            ways *= binomial(left, cards) as f64;
            left = left.saturating_sub(cards);
        }
        ways
    }

    /// Returns the estimated time for one combination of known hands, from measurements.
    pub(super) fn nanoseconds(&self) -> f64 {
        let per_hand = match self.game {
            Game::OmahaHiLo => 150.0,
            Game::Omaha5HiLo => 230.0,
            Game::StudHiLo => 20.0,
            Game::Badugi => 80.0,
            _ => 15.0,
        };
        100.0 + self.completions() * per_hand * self.players as f64
    }

    /// Returns the length of a row of sums, one for each possible outcome.
    fn row(&self) -> usize {
        let players = self.players;
        1 << if self.game.is_split() {
            2 * players
        } else {
            players
        }
    }

    fn outcomes(&self, row: &[u128]) -> Outcomes {
        let players = self.players;
        let set = (1 << players) - 1;
        let some = row.iter().enumerate().filter(|&(_, &count)| count > 0);
        some.map(|(place, &count)| {
            let winners = Winners {
                main: (place & set) as u16,
                low: (place >> players) as u16,
            };
            (winners, count)
        })
        .collect()
    }

    /// Counts the deals of the remaining cards by their winners, on `threads` threads.
    pub(super) fn count(&self, symmetries: &[SuitPermutation], threads: usize) -> Outcomes {
        let tuples: f64 = self.ranges.iter().map(|range| range.len() as f64).product();
        let row = if tuples > MAX_TUPLES {
            let largest = (0..self.ranges.len())
                .max_by_key(|&player| self.ranges[player].len())
                .unwrap_or(0);
            sum_in_parallel(threads, self.ranges[largest].len(), self.row(), || {
                move |item: usize, sums: &mut [u128]| {
                    for_each_tuple(self.ranges, largest, item, &mut |hands, weight| {
                        Showdown::new(self, hands, weight, sums).run(None);
                    });
                }
            })
        } else {
            let classes = classes(self.ranges, symmetries);
            let known: usize = self.ranges.iter().map(|range| range[0].0.len()).sum();
            let open = self.completions() > 1.0;
            let parts = if open { self.left.len() - known } else { 1 };
            sum_in_parallel(threads, classes.len() * parts, self.row(), || {
                let classes = &classes;
                move |item: usize, sums: &mut [u128]| {
                    let (hands, weight) = &classes[item / parts];
                    let part = open.then_some(item % parts);
                    Showdown::new(self, hands, *weight, sums).run(part);
                }
            })
        };
        self.outcomes(&row)
    }

    /// Draws deals until the stop rule ends the simulation.
    pub(super) fn simulate(
        &self,
        seed: u64,
        threads: usize,
        stop: StopRule,
    ) -> Result<Outcomes, EquityError> {
        let choices: Vec<WeightedChoice> = self
            .ranges
            .iter()
            .map(|range| {
                let weights: Vec<u128> = range.iter().map(|&(_, weight)| weight.into()).collect();
                WeightedChoice::new(&weights)
            })
            .collect();
        let row = self.row();
        let mut total = vec![0u128; row];
        let blocks = stop.samples.div_ceil(BLOCK).max(1);
        let mut done = 0;
        while done < blocks {
            let round = ROUND.min(blocks - done);
            let part = sum_in_parallel(threads, round as usize, row + 1, || {
                let choices = &choices;
                move |block: usize, sums: &mut [u128]| {
                    let number = done + block as u64;
                    let deals = BLOCK.min(stop.samples - number * BLOCK);
                    let mut random = words(seed, number);
                    if !self.play(choices, &mut random, deals, sums) {
                        sums[row] += 1;
                    }
                }
            });
            if part[row] > 0 {
                return Err(EquityError::TooFewDeals);
            }
            for (sum, value) in total.iter_mut().zip(part) {
                *sum += value;
            }
            done += round;
            let error = largest_standard_error(&self.outcomes(&total), self.players);
            if error <= stop.standard_error {
                break;
            }
        }
        Ok(self.outcomes(&total))
    }

    /// Plays a block of deals. Returns false if it rarely finds hands without a common card.
    fn play(
        &self,
        choices: &[WeightedChoice],
        random: &mut BlockWords,
        deals: u64,
        sums: &mut [u128],
    ) -> bool {
        let mut draws_left = MAX_DRAWS;
        let missing: Vec<usize> = self.missing().collect();
        for _ in 0..deals {
            let Some(mut hands) = self.draw_hands(choices, random, &mut draws_left) else {
                return false;
            };
            let used = hands.iter().fold(CardSet::EMPTY, |used, &hand| used | hand);
            let mut deck: Vec<CardSet> = (self.left - used).iter().map(CardSet::of).collect();
            let mut board = self.board;
            for _ in board.len()..self.game.board_cards() {
                board |= take(&mut deck, random);
            }
            for (hand, &missing) in hands.iter_mut().zip(&missing) {
                for _ in 0..missing {
                    *hand |= take(&mut deck, random);
                }
            }
            let mut worths = [Worth { main: 0, low: None }; MAX_PLAYERS];
            for (worth, &hand) in worths.iter_mut().zip(&hands[..self.players]) {
                *worth = self.game.worth(hand, board);
            }
            sums[place(&worths[..self.players])] += 1;
        }
        true
    }

    /// Draws a hand for every player by weight, and repeats all draws if two hands share a card.
    fn draw_hands(
        &self,
        choices: &[WeightedChoice],
        random: &mut BlockWords,
        draws_left: &mut u64,
    ) -> Option<Tuple> {
        loop {
            let mut hands = [CardSet::EMPTY; MAX_PLAYERS];
            let mut used = CardSet::EMPTY;
            let mut apart = true;
            for ((choice, range), hand) in choices.iter().zip(self.ranges).zip(&mut hands) {
                *hand = range[choice.draw(random)].0;
                apart &= hand.is_disjoint(used);
                used |= *hand;
            }
            if apart {
                return Some(hands);
            }
            *draws_left = draws_left.checked_sub(1)?;
        }
    }
}

/// Removes a random card from the deck.
fn take(deck: &mut Vec<CardSet>, random: &mut BlockWords) -> CardSet {
    let index = random.below(deck.len() as u64) as usize;
    deck.swap_remove(index)
}

/// Returns the index of the winners in a row of sums: the set of winners of the pot, and above it the set for the low
/// half.
fn place(worths: &[Worth]) -> usize {
    let best = worths.iter().map(|worth| worth.main).min();
    let mut place = 0;
    for (player, worth) in worths.iter().enumerate() {
        place |= usize::from(Some(worth.main) == best) << player;
    }
    if let Some(best) = worths.iter().filter_map(|worth| worth.low).min() {
        for (player, worth) in worths.iter().enumerate() {
            place |= usize::from(worth.low == Some(best)) << (worths.len() + player);
        }
    }
    place
}

/// Known hands whose missing cards are dealt in every way.
struct Showdown<'a> {
    game: Game,
    players: usize,
    hands: Tuple,
    board: CardSet,
    left: CardSet,
    weight: u128,
    worths: [Worth; MAX_PLAYERS],
    sums: &'a mut [u128],
}

impl<'a> Showdown<'a> {
    fn new(dealt: &Dealt, hands: &Tuple, weight: u128, sums: &'a mut [u128]) -> Showdown<'a> {
        Showdown {
            game: dealt.game,
            players: dealt.players,
            hands: *hands,
            board: dealt.board,
            left: hands.iter().fold(dealt.left, |left, &hand| left - hand),
            weight,
            worths: [Worth { main: 0, low: None }; MAX_PLAYERS],
            sums,
        }
    }

    /// Enumerates all deals, or those whose first dealt card has the number `part` among the cards left.
    fn run(&mut self, part: Option<usize>) {
        let missing = self.game.board_cards() - self.board.len();
        self.deal_board(self.board, self.left, self.left, missing, part);
    }

    /// Completes the board with `missing` cards of `later`.
    fn deal_board(
        &mut self,
        board: CardSet,
        left: CardSet,
        mut later: CardSet,
        missing: usize,
        part: Option<usize>,
    ) {
        if missing == 0 {
            let hand = self.hands[0];
            return self.deal_player(0, hand, board, left, left, part);
        }
        for (number, card) in later.iter().enumerate() {
            later.remove(card);
            if part.is_none_or(|part| part == number) {
                let one = CardSet::of(card);
                self.deal_board(board | one, left - one, later, missing - 1, None);
            }
        }
    }

    /// Completes a player's hand, then the next player's, and compares them after the last.
    fn deal_player(
        &mut self,
        player: usize,
        hand: CardSet,
        board: CardSet,
        left: CardSet,
        mut later: CardSet,
        part: Option<usize>,
    ) {
        if hand.len() == self.game.hole_cards() {
            self.worths[player] = self.game.worth(hand, board);
            let next = player + 1;
            if next == self.players {
                self.sums[place(&self.worths[..self.players])] += self.weight;
            } else {
                self.deal_player(next, self.hands[next], board, left, left, part);
            }
            return;
        }
        for (number, card) in later.iter().enumerate() {
            later.remove(card);
            if part.is_none_or(|part| part == number) {
                let one = CardSet::of(card);
                self.deal_player(player, hand | one, board, left - one, later, None);
            }
        }
    }
}
