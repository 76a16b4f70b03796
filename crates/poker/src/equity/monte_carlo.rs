//! Simulation: deals drawn at random, in blocks that can be counted in any order.
//!
//! Hands are drawn by weight for all players at once and rejected together if two share a card, which keeps the
//! probability of every deal right. Players with a random hand are not drawn from a list: they and the board get cards
//! from the rest of the deck. Every block of deals has its own random stream, so the counts do not depend on threads.
//!
//! All deals of a batch take each step together, in columns ([`lanes`]): numbers for choices of hands ([`hands`]) and
//! for cards, their cards, ranks, winners ([`batch_dealer`]). Each number comes from 16 or 32 random bits. The bits that are
//! too many for equal shares are rejected: a deal with such a number does not count, so all deals are exactly equally
//! likely.

mod batch_dealer;
mod hands;
mod lanes;

use cards::CardSet;
use cpu::CpuPath;

use super::plan::Holding;
use super::random::words;
use super::threads::sum_in_parallel;
use super::{EquityError, MAX_PLAYERS, StopRule};
use crate::Game;
use batch_dealer::BatchDealer;
use hands::{Choices, Group, Pool, join_all, join_short};
use lanes::{BATCH, Pack};

/// Deals per random stream.
const BLOCK: u64 = 1 << 14;
/// The number of the block from which a trial is drawn; no simulation reaches it.
const TRIAL: u64 = (1 << 61) - 1;
/// Batches of choices of hands in a trial.
const TRIALS: usize = 4;
/// Blocks between two checks of the stop rule.
const ROUND: u64 = 32;
/// Below this share of draws without a common card the hands of all players are listed together.
const MIN_FITTING_SHARE: f64 = 1.0 / 32.0;
/// Maximum length of the list of hands of several players together.
const LONGEST_LIST: usize = 500_000;

/// Data that all blocks share.
pub(super) struct Simulation {
    game: Game,
    players: usize,
    /// Number of hands drawn: those of the players and folded ones, which only take cards.
    hands: usize,
    /// Players with hands drawn from ranges.
    groups: Vec<Group>,
    /// Players with a random hand.
    anything: Vec<usize>,
    /// Players with one hand only.
    known: [CardSet; MAX_PLAYERS],
    board: CardSet,
    /// The deck without board, dead cards and known hands.
    left: CardSet,
}

impl Simulation {
    /// Prepares a simulation. `ranges` are the playable hands with integer weights, `left` the
    /// deck without board and dead cards. Ranges after those of `players` are folded hands.
    pub(super) fn new(
        game: Game,
        ranges: &[Holding],
        players: usize,
        board: CardSet,
        left: CardSet,
    ) -> Result<Simulation, EquityError> {
        let mut simulation = Simulation {
            game,
            players,
            hands: ranges.len(),
            groups: Vec::new(),
            anything: Vec::new(),
            known: [CardSet::EMPTY; MAX_PLAYERS],
            board,
            left,
        };
        let every_hand = super::fixed::binomial(left.len(), game.hole_cards());
        let mut drawn = Vec::new();
        for (player, range) in ranges.iter().enumerate() {
            let list = match range {
                Holding::Anything(_) => {
                    simulation.anything.push(player);
                    continue;
                }
                Holding::Listed(list) => list,
            };
            let is_uniform = list.windows(2).all(|pair| pair[0].1 == pair[1].1);
            match list[..] {
                [(hand, _)] => {
                    if !simulation.left.contains_all(hand) {
                        return Err(EquityError::NoDeal);
                    }
                    simulation.known[player] = hand;
                    simulation.left -= hand;
                }
                _ if list.len() as u64 == every_hand && is_uniform => {
                    if player < players {
                        simulation.anything.push(player);
                    }
                }
                _ => drawn.push((player, list)),
            }
        }
        simulation.prepare_hands(&drawn)?;
        Ok(simulation)
    }

    fn prepare_hands(
        &mut self,
        drawn: &[(usize, &Vec<(CardSet, u64)>)],
    ) -> Result<(), EquityError> {
        let playable: Vec<Vec<(CardSet, u64)>> = drawn
            .iter()
            .map(|(_, list)| {
                let fits = |&&(hand, _): &&(CardSet, u64)| self.left.contains_all(hand);
                list.iter().filter(fits).copied().collect()
            })
            .collect();
        if playable.iter().any(Vec::is_empty) {
            return Err(EquityError::NoDeal);
        }
        let groups = drawn
            .iter()
            .zip(playable)
            .map(|(&(player, _), range)| Choices {
                players: vec![player],
                hands: range.iter().map(|&(hand, _)| hand).collect(),
                weights: range.iter().map(|&(_, weight)| weight.into()).collect(),
            });
        let groups = join_short(groups.collect());
        self.set_groups(&groups);
        if groups.len() > 1
            && self.share_of_fitting_draws() < MIN_FITTING_SHARE
            && let Some(joined) = join_all(&groups, LONGEST_LIST)
        {
            self.set_groups(&[joined]);
        }
        if self.groups.iter().any(|group| group.hands.is_empty()) {
            return Err(EquityError::NoDeal);
        }
        Ok(())
    }

    fn set_groups(&mut self, groups: &[Choices]) {
        let mut slot_of = [0; 64];
        for (slot, card) in self.pack().iter().take(self.left.len()).enumerate() {
            slot_of[card.0.trailing_zeros() as usize % 64] = slot as u8;
        }
        let group = |choices| Group::new(choices, &slot_of);
        self.groups = groups.iter().map(group).collect();
    }

    /// Returns the card of every slot: the deck without board, dead cards and known hands, in ascending order of bits.
    fn pack(&self) -> Pack {
        let mut pack = [CardSet::EMPTY; 64];
        let bits = (0..64).filter(|bit| self.left.0 >> bit & 1 == 1);
        for (card, bit) in pack.iter_mut().zip(bits) {
            *card = CardSet(1 << bit);
        }
        pack
    }

    /// Returns the share of accepted draws in a trial of a thousand, which is the same in every run.
    fn share_of_fitting_draws(&self) -> f64 {
        let mut random = words(0, TRIAL);
        let mut pool = Pool::new(&self.groups, CpuPath::best());
        let mut fitting = 0;
        for _ in 0..TRIALS {
            pool.clear();
            pool.draw(&self.groups, &mut random);
            fitting += pool.waiting();
        }
        fitting as f64 / (TRIALS * BATCH) as f64
    }

    /// Runs until the stop rule ends it. Returns counts by winner set.
    pub(super) fn run(
        &self,
        seed: u64,
        threads: usize,
        stop: StopRule,
    ) -> Result<Vec<u128>, EquityError> {
        self.run_on(CpuPath::best(), seed, threads, stop)
    }

    /// Runs like [`Simulation::run`] on a chosen processor path.
    fn run_on(
        &self,
        path: CpuPath,
        seed: u64,
        threads: usize,
        stop: StopRule,
    ) -> Result<Vec<u128>, EquityError> {
        let sets = 1 << self.players;
        let mut counts = vec![0u128; sets];
        let blocks = stop.samples.div_ceil(BLOCK).max(1);
        let mut done = 0;
        while done < blocks {
            let round = ROUND.min(blocks - done);
            let part = sum_in_parallel(threads, round as usize, sets + 1, || {
                let mut table = BatchDealer::new(self, path);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equity::plan::Playable;
    use crate::{Query, Range, parse_cards};

    /// A seed gives the same winners on every path, however hands are drawn: known, joined with others, separately, by
    /// fine weights, at random.
    #[test]
    fn every_path_counts_the_same_winners() {
        for (game, ranges, board) in [
            (Game::Holdem, "AhAs|KdKc", ""),
            (Game::Holdem, "QQ+:0.5,AKs|22+,A2s+", "Ts9s2d"),
            (Game::Holdem, "50%|60%|70%", ""),
            (
                Game::Holdem,
                "22+:0.123457,A2s+:0.765431|50%|AhKh",
                "Ts9s2d",
            ),
            (Game::Holdem, "AhAs|random|QQ|random", ""),
            (Game::Omaha5, "AsAhKsKhQd|random", "Tc5s2s"),
        ] {
            let range = |text| Range::parse(text, game).unwrap();
            let query = Query {
                board: parse_cards(board).unwrap(),
                ..Query::new(game, ranges.split('|').map(range).collect())
            };
            let playable = Playable::new(&query).unwrap();
            let simulation = {
                let (holdings, players) = (playable.holdings(), query.players.len());
                Simulation::new(game, holdings, players, query.board, query.left()).unwrap()
            };
            let stop = StopRule {
                samples: 20_000,
                standard_error: 0.0,
            };
            let plain = simulation.run_on(CpuPath::Portable, 5, 1, stop).unwrap();
            assert_eq!(plain.iter().sum::<u128>(), 20_000, "{ranges}");
            for path in CpuPath::available() {
                let counts = simulation.run_on(path, 5, 2, stop).unwrap();
                assert_eq!(counts, plain, "{ranges} on {path}");
            }
        }
    }
}
