//! Exact counts for known hands, without enumerating all boards.
//!
//! First flushes are ignored. Then only the ranks of the missing board cards matter: at most 6,175 multisets with
//! weights instead of 1.7 million boards. All but the last card of the multiset make a prefix; rows ([`crate::rows`])
//! cover the last. Then, suit by suit, the boards that give a player a flush are corrected: their outcome without the
//! flush is subtracted, the one with it added. No board makes flushes in two suits.

use cards::CardSet;

use crate::equity::MAX_PLAYERS;
use crate::reference::{SUIT_MASK, rank_counts};
use crate::rows::{Row, Rows, rank_key};
use crate::tables::displace::RANK_KEYS;

/// Known hands and the cards that can still be dealt.
#[derive(Clone, Copy)]
pub(super) struct Spot<'a> {
    pub(super) rows: &'static Rows,
    pub(super) hands: &'a [CardSet],
    pub(super) board: CardSet,
    /// The deck without hands, board and dead cards.
    pub(super) left: CardSet,
}

impl Spot<'_> {
    /// Adds to `wins`, by winner set (bit i for player i), the number of boards that each set wins.
    pub(super) fn count(&self, prefixes: &mut Vec<Prefix>, wins: &mut [u64]) {
        if self.board.len() == 5 {
            wins[self.winners_on_full_board()] += 1;
            return;
        }
        Prefix::list(&self.available(), 4 - self.board.len(), prefixes);
        if self.hands.len() == 2 {
            let mut scorer = HeadsUp::default();
            self.run(prefixes, &mut scorer);
            let total = binomial(self.left.len(), 5 - self.board.len());
            wins[1] += scorer.first as u64;
            wins[2] += scorer.second as u64;
            wins[3] += total - scorer.first as u64 - scorer.second as u64;
        } else {
            let mut scorer = Several {
                wins: vec![0; wins.len()],
            };
            self.run(prefixes, &mut scorer);
            for (sum, count) in wins.iter_mut().zip(scorer.wins) {
                *sum += count as u64;
            }
        }
    }

    fn winners_on_full_board(&self) -> usize {
        let mut ranks = [i16::MAX; MAX_PLAYERS];
        for (rank, hand) in ranks.iter_mut().zip(self.hands) {
            *rank = self.rows.evaluate((*hand | self.board).0) as i16;
        }
        winners(&ranks[..self.hands.len()])
    }

    fn available(&self) -> [i32; 16] {
        let counts = rank_counts(self.left);
        std::array::from_fn(|rank| counts.get(rank).map_or(0, |&count| i32::from(count)))
    }

    fn run(&self, prefixes: &[Prefix], scorer: &mut impl Scorer) {
        #[cfg(target_arch = "x86_64")]
        if cpu::CpuPath::best() >= cpu::CpuPath::Avx2 {
            // SAFETY: the processor has AVX2, as checked above.
            unsafe { self.run_avx2(prefixes, scorer) };
            return;
        }
        self.run_lanes(prefixes, scorer);
    }

    /// Runs [`Spot::run_lanes`], compiled for wider registers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn run_avx2(&self, prefixes: &[Prefix], scorer: &mut impl Scorer) {
        self.run_lanes(prefixes, scorer);
    }

    #[inline(always)]
    fn run_lanes(&self, prefixes: &[Prefix], scorer: &mut impl Scorer) {
        self.ignore_flushes(prefixes, scorer);
        for suit in 0..4 {
            self.correct_flushes(suit, scorer);
        }
    }

    #[inline(always)]
    fn keys(&self) -> [u32; MAX_PLAYERS] {
        let mut keys = [0; MAX_PLAYERS];
        for (key, hand) in keys.iter_mut().zip(self.hands) {
            *key = rank_key((*hand | self.board).0);
        }
        keys
    }

    #[inline(always)]
    fn ignore_flushes(&self, prefixes: &[Prefix], scorer: &mut impl Scorer) {
        let players = self.hands.len();
        let keys = self.keys();
        let available = self.available();
        for prefix in prefixes {
            let rows = self.rows_of(&keys, prefix.key);
            scorer.lanes(&rows[..players], prefix.weight, prefix.above, &available);
            if prefix.weight_again != 0 {
                let lane = prefix.above - 1;
                let mut ranks = [0; MAX_PLAYERS];
                for player in 0..players {
                    ranks[player] = rows[player][lane];
                }
                scorer.single(&ranks[..players], prefix.weight_again);
            }
        }
        scorer.finish_series(&available);
    }

    #[inline(always)]
    fn rows_of(&self, keys: &[u32; MAX_PLAYERS], key: u32) -> [&Row; MAX_PLAYERS] {
        let mut rows = [&PADDING; MAX_PLAYERS];
        for player in 0..self.hands.len() {
            rows[player] = self.rows.row(keys[player] + key);
        }
        rows
    }

    /// Corrects the counts of the boards with a flush in the suit.
    #[inline(always)]
    fn correct_flushes(&self, suit: usize, scorer: &mut impl Scorer) {
        let ranks_of = |cards: CardSet| cards.0 >> (13 * suit) & SUIT_MASK;
        let held = self
            .hands
            .iter()
            .map(|&hand| ranks_of(hand).count_ones())
            .max()
            .unwrap_or(0);
        let board = ranks_of(self.board);
        let coming = ranks_of(self.left);
        let missing = 5 - self.board.len() as u32;
        let others = CardSet(self.left.0 & !(SUIT_MASK << (13 * suit)));
        let counts = rank_counts(others);
        let off_suit: [i32; 16] =
            std::array::from_fn(|rank| counts.get(rank).map_or(0, |&count| i32::from(count)));
        let keys = self.keys();
        let needed = 5u32.saturating_sub(held).saturating_sub(board.count_ones());
        for new in needed..=missing.min(coming.count_ones()) {
            for &suited in masks_of(new)
                .iter()
                .filter(|&&mask| u64::from(mask) & !coming == 0)
            {
                let board = board | u64::from(suited);
                let mut flush = [None; MAX_PLAYERS];
                for (flush, &hand) in flush.iter_mut().zip(self.hands) {
                    let all = ranks_of(hand) | board;
                    if all.count_ones() >= 5 {
                        *flush = Some(self.rows.flush_rank(all));
                    }
                }
                let key = rank_key(u64::from(suited));
                self.correct_board(&keys, key, missing - new, &flush, &off_suit, scorer);
            }
        }
        scorer.finish_series(&off_suit);
    }

    /// Corrects the counts of the boards with these new suited cards and `rest` more of other suits.
    #[inline(always)]
    fn correct_board(
        &self,
        keys: &[u32; MAX_PLAYERS],
        key: u32,
        rest: u32,
        flush: &[Option<i16>; MAX_PLAYERS],
        off_suit: &[i32; 16],
        scorer: &mut impl Scorer,
    ) {
        let players = self.hands.len();
        let mut made = [PADDING; MAX_PLAYERS];
        for player in 0..players {
            made[player] = [flush[player].unwrap_or(0); 16];
        }
        let mut swap = |key: u32, weight: i32, above: usize, again: i64| {
            let plain = self.rows_of(keys, key);
            let mut better = plain;
            for player in 0..players {
                if flush[player].is_some() {
                    better[player] = &made[player];
                }
            }
            scorer.lanes(&plain[..players], -weight, above, off_suit);
            scorer.lanes(&better[..players], weight, above, off_suit);
            if again != 0 {
                let lane = above - 1;
                let mut ranks = [0; MAX_PLAYERS];
                for (sign, rows) in [(-1, &plain), (1, &better)] {
                    for player in 0..players {
                        ranks[player] = rows[player][lane];
                    }
                    scorer.single(&ranks[..players], sign * again);
                }
            }
        };
        match rest {
            0 => {
                let mut ranks = [0; MAX_PLAYERS];
                for player in 0..players {
                    ranks[player] = self.rows.rank(keys[player] + key);
                }
                scorer.single(&ranks[..players], -1);
                for player in 0..players {
                    ranks[player] = flush[player].unwrap_or(ranks[player]);
                }
                scorer.single(&ranks[..players], 1);
            }
            1 => swap(key, 1, 0, 0),
            _ => {
                for rank in (0..13).filter(|&rank| off_suit[rank] > 0) {
                    let count = off_suit[rank];
                    let twice = i64::from(count * (count - 1) / 2);
                    swap(key + RANK_KEYS[rank], count, rank + 1, twice);
                }
            }
        }
    }
}

static PADDING: Row = [0; 16];

/// All but the last of the missing board cards, as ranks in ascending order.
pub(super) struct Prefix {
    key: u32,
    /// Number of ways to choose the suits.
    weight: i32,
    /// Lowest rank above those of the prefix. The last card has this rank or a higher one, or the highest rank of the
    /// prefix once more.
    above: usize,
    /// Number of ways in which the last card has the highest rank of the prefix once more, times the ways of the
    /// prefix.
    weight_again: i64,
}

impl Prefix {
    /// Fills `prefixes` with all prefixes of `size` cards from those available.
    fn list(available: &[i32; 16], size: usize, prefixes: &mut Vec<Prefix>) {
        fn extend(
            available: &[i32; 16],
            first: usize,
            size: usize,
            start: (u32, i32),
            prefixes: &mut Vec<Prefix>,
        ) {
            for rank in first..13 {
                let (mut key, mut weight) = start;
                for count in 1..=size.min(available[rank] as usize) {
                    let still = available[rank] - count as i32 + 1;
                    weight = weight * still / count as i32;
                    key += RANK_KEYS[rank];
                    if count < size {
                        extend(available, rank + 1, size - count, (key, weight), prefixes);
                        continue;
                    }
                    let weight_again = i64::from(weight * (still - 1) / (count as i32 + 1));
                    prefixes.push(Prefix {
                        key,
                        weight,
                        above: rank + 1,
                        weight_again,
                    });
                }
            }
        }
        prefixes.clear();
        if size == 0 {
            prefixes.push(Prefix {
                key: 0,
                weight: 1,
                above: 0,
                weight_again: 0,
            });
        } else {
            extend(available, 0, size, (0, 1), prefixes);
        }
    }
}

/// Returns the masks of thirteen bits with `count` set bits, in ascending order.
fn masks_of(count: u32) -> &'static [u16] {
    static MASKS: std::sync::OnceLock<[Vec<u16>; 6]> = std::sync::OnceLock::new();
    let all = MASKS.get_or_init(|| {
        std::array::from_fn(|count| {
            (0..1 << 13)
                .filter(|mask: &u16| mask.count_ones() as usize == count)
                .collect()
        })
    });
    all.get(count as usize).map_or(&[], |masks| masks)
}

/// Returns the players with the smallest rank, as bits.
#[inline(always)]
pub(super) fn winners(ranks: &[i16]) -> usize {
    let best = ranks.iter().copied().min().unwrap_or(0);
    ranks.iter().enumerate().fold(0, |set, (player, &rank)| {
        set | usize::from(rank == best) << player
    })
}

/// Returns the binomial coefficient C(n, k) for small numbers.
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |value, i| value * (n as u64 - i) / (i + 1))
}

/// Sums outcomes.
trait Scorer {
    /// Adds `weight * available[rank]` to the winners of each lane, for ranks from `above` up.
    fn lanes(&mut self, rows: &[&Row], weight: i32, above: usize, available: &[i32; 16]);
    /// Adds `weight` to the winners of one comparison.
    fn single(&mut self, ranks: &[i16], weight: i64);
    /// Ends a series of `lanes` calls with the same available cards.
    fn finish_series(&mut self, available: &[i32; 16]);
}

/// Two players: lanes are summed first and multiplied by the available cards at the end of a series. Ties are the
/// difference to the total.
#[derive(Default)]
struct HeadsUp {
    first_lanes: [i32; 16],
    second_lanes: [i32; 16],
    first: i64,
    second: i64,
}

/// Masks with all ones in the lanes from the index up.
static FROM_LANE: [[i32; 16]; 14] = {
    let mut masks = [[0; 16]; 14];
    let mut from = 0;
    while from < 14 {
        let mut lane = from;
        while lane < 16 {
            masks[from][lane] = -1;
            lane += 1;
        }
        from += 1;
    }
    masks
};

impl Scorer for HeadsUp {
    #[inline(always)]
    fn lanes(&mut self, rows: &[&Row], weight: i32, above: usize, _: &[i32; 16]) {
        let (a, b, mask) = (rows[0], rows[1], &FROM_LANE[above]);
        for lane in 0..16 {
            let weight = weight & mask[lane];
            self.first_lanes[lane] += if a[lane] < b[lane] { weight } else { 0 };
            self.second_lanes[lane] += if b[lane] < a[lane] { weight } else { 0 };
        }
    }

    #[inline(always)]
    fn single(&mut self, ranks: &[i16], weight: i64) {
        self.first += if ranks[0] < ranks[1] { weight } else { 0 };
        self.second += if ranks[1] < ranks[0] { weight } else { 0 };
    }

    #[inline(always)]
    fn finish_series(&mut self, available: &[i32; 16]) {
        let lanes = self
            .first_lanes
            .iter()
            .zip(&self.second_lanes)
            .zip(available);
        for ((&first, &second), &count) in lanes {
            self.first += i64::from(first) * i64::from(count);
            self.second += i64::from(second) * i64::from(count);
        }
        (self.first_lanes, self.second_lanes) = ([0; 16], [0; 16]);
    }
}

/// Any number of players: a count for every winner set.
struct Several {
    wins: Vec<i64>,
}

impl Scorer for Several {
    #[inline(always)]
    fn lanes(&mut self, rows: &[&Row], weight: i32, above: usize, available: &[i32; 16]) {
        let mut best = *rows[0];
        for row in &rows[1..] {
            for lane in 0..16 {
                best[lane] = best[lane].min(row[lane]);
            }
        }
        let mut sets = [0i16; 16];
        for (player, row) in rows.iter().enumerate() {
            for lane in 0..16 {
                sets[lane] |= i16::from(row[lane] == best[lane]) << player;
            }
        }
        for lane in above..13 {
            self.wins[sets[lane] as usize] += i64::from(weight * available[lane]);
        }
    }

    #[inline(always)]
    fn single(&mut self, ranks: &[i16], weight: i64) {
        self.wins[winners(ranks)] += weight;
    }

    #[inline(always)]
    fn finish_series(&mut self, _: &[i32; 16]) {}
}
