//! A second, slow implementation of the rules, to compare the games with.
#![allow(dead_code)]

use std::cmp::Ordering;

use cards::{Card, CardSet};
use croupier_poker::{Game, Query, Range, Weight};

/// Units of a whole pot, divisible by two halves and up to four winners.
pub const POT: u128 = 5040;

/// The random generator of the vectors.
pub struct SplitMix(pub u64);

impl SplitMix {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }
}

/// Calls `visit` with all counts of `cards` cards over the thirteen ranks, at most four each.
pub fn for_each_multiset(cards: u8, visit: &mut impl FnMut(&[u8; 13])) {
    fn extend(counts: &mut [u8; 13], rank: usize, left: u8, visit: &mut impl FnMut(&[u8; 13])) {
        if rank == 13 {
            if left == 0 {
                visit(counts);
            }
            return;
        }
        for count in 0..=left.min(4) {
            counts[rank] = count;
            extend(counts, rank + 1, left - count, visit);
        }
        counts[rank] = 0;
    }
    extend(&mut [0; 13], 0, cards, visit);
}

/// Calls `visit` with all sets of `size` of the cards, low bits first.
pub fn for_each_hand(cards: CardSet, size: usize, visit: &mut impl FnMut(CardSet)) {
    fn extend(hand: u64, later: u64, size: usize, visit: &mut impl FnMut(CardSet)) {
        if size == 0 {
            return visit(CardSet(hand));
        }
        let mut later = later;
        while later != 0 {
            let card = later & later.wrapping_neg();
            later ^= card;
            extend(hand | card, later, size - 1, visit);
        }
    }
    extend(0, cards.0, size, visit);
}

/// Returns the number of seven-card hands with at least five different ranks among the `ranks` lowest.
pub fn hands_with_five_ranks_among(ranks: usize) -> u64 {
    // ways[different][cards] over the low ranks, then the other ranks freely.
    let mut ways = [[0u64; 8]; 14];
    ways[0][0] = 1;
    for rank in 0..13 {
        let mut next = [[0u64; 8]; 14];
        for different in 0..=13 {
            for cards in 0..=7 {
                for (count, suits) in [1, 4, 6, 4, 1].into_iter().enumerate() {
                    let low = usize::from(rank < ranks && count > 0);
                    if cards + count <= 7 && different + low <= 13 {
                        next[different + low][cards + count] += ways[different][cards] * suits;
                    }
                }
            }
        }
        ways = next;
    }
    ways[5..].iter().map(|row| row[7]).sum()
}

fn subsets(cards: CardSet, size: usize) -> Vec<CardSet> {
    fn extend(hand: CardSet, later: &[Card], size: usize, out: &mut Vec<CardSet>) {
        if size == 0 {
            return out.push(hand);
        }
        for (place, &card) in later.iter().enumerate() {
            extend(hand | CardSet::of(card), &later[place + 1..], size - 1, out);
        }
    }
    let cards: Vec<Card> = cards.iter().collect();
    let mut out = Vec::new();
    extend(CardSet::EMPTY, &cards, size, &mut out);
    out
}

/// Ranks five cards by the usual rules, larger is better: (category, ranks by count then size).
fn high5(hand: CardSet, short_deck: bool, wheel: bool) -> Vec<usize> {
    let mut counts = [0usize; 13];
    for card in hand {
        counts[card.rank().index()] += 1;
    }
    let mut ranks: Vec<(usize, usize)> = (0..13)
        .filter(|&r| counts[r] > 0)
        .map(|r| (counts[r], r))
        .collect();
    ranks.sort_by(|a, b| b.cmp(a));
    let suited = hand.lengths().contains(&5);
    let shape: Vec<usize> = ranks.iter().map(|&(count, _)| count).collect();
    let mut order: Vec<usize> = ranks.iter().map(|&(_, rank)| rank).collect();
    let low_straight = if short_deck {
        [12, 7, 6, 5, 4]
    } else {
        [12, 3, 2, 1, 0]
    };
    let mut straight = shape.len() == 5 && order[0] - order[4] == 4;
    if wheel && order == low_straight {
        straight = true;
        order.rotate_left(1);
    }
    let category = match (&shape[..], straight, suited) {
        (_, true, true) => 8,
        ([4, 1], ..) => 7,
        ([3, 2], ..) if short_deck => 5,
        ([3, 2], ..) => 6,
        (_, _, true) if short_deck => 6,
        (_, _, true) => 5,
        (_, true, _) => 4,
        ([3, 1, 1], ..) => 3,
        ([2, 2, 1], ..) => 2,
        ([2, 1, 1, 1], ..) => 1,
        _ => 0,
    };
    [vec![category], order].concat()
}

/// Ranks five cards from ace to five, smaller is better.
fn low5(hand: CardSet) -> Vec<usize> {
    let mut counts = [0usize; 13];
    for card in hand {
        counts[(card.rank().index() + 1) % 13] += 1;
    }
    let mut ranks: Vec<(usize, usize)> = (0..13)
        .filter(|&r| counts[r] > 0)
        .map(|r| (counts[r], r))
        .collect();
    ranks.sort_by(|a, b| b.cmp(a));
    let shape: Vec<usize> = ranks.iter().map(|&(count, _)| count).collect();
    let pairing = match &shape[..] {
        [1, ..] => 0,
        [2, 1, ..] => 1,
        [2, 2, 1] => 2,
        [3, 1, 1] => 3,
        [3, 2] => 4,
        _ => 5,
    };
    [vec![pairing], ranks.iter().map(|&(_, rank)| rank).collect()].concat()
}

/// The value of a hand: (for the pot, for the low half); larger is better.
type Naive = (Vec<i64>, Option<Vec<i64>>);

fn better(values: &[usize]) -> Vec<i64> {
    values.iter().map(|&value| value as i64).collect()
}

fn worse(values: &[usize]) -> Vec<i64> {
    values.iter().map(|&value| -(value as i64)).collect()
}

/// Returns the best low of five different ranks up to eight.
fn best_low_to_eight(hands: &[CardSet]) -> Option<Vec<i64>> {
    let lows = hands.iter().map(|&hand| low5(hand));
    let good = lows.filter(|low| low[0] == 0 && low[1] <= 7);
    good.map(|low| worse(&low)).max()
}

pub fn worth(game: Game, own: CardSet, board: CardSet) -> Naive {
    let short_deck = matches!(game, Game::ShortDeck { .. });
    let best_high = |hands: &[CardSet]| {
        let highs = hands.iter().map(|&hand| {
            let mut high = high5(hand, short_deck, true);
            let exchanged = Game::ShortDeck {
                trips_beat_straight: true,
            };
            if game == exchanged && [3, 4].contains(&high[0]) {
                high[0] = 7 - high[0];
            }
            better(&high)
        });
        highs.max().unwrap()
    };
    match game {
        Game::Holdem | Game::ShortDeck { .. } | Game::Stud => {
            (best_high(&subsets(own | board, 5)), None)
        }
        Game::StudHiLo => {
            let hands = subsets(own, 5);
            (best_high(&hands), best_low_to_eight(&hands))
        }
        Game::Omaha | Game::Omaha5 | Game::Omaha6 | Game::OmahaHiLo | Game::Omaha5HiLo => {
            let mut hands = Vec::new();
            for two in subsets(own, 2) {
                for three in subsets(board, 3) {
                    hands.push(two | three);
                }
            }
            let low = match game {
                Game::OmahaHiLo | Game::Omaha5HiLo => best_low_to_eight(&hands),
                _ => None,
            };
            (best_high(&hands), low)
        }
        Game::Razz | Game::AceToFive => {
            let lows = subsets(own, 5).into_iter().map(|hand| worse(&low5(hand)));
            (lows.max().unwrap(), None)
        }
        Game::DeuceToSeven => (worse(&high5(own, false, false)), None),
        Game::Badugi => {
            let mut best = Vec::new();
            for size in 1..=4 {
                for hand in subsets(own, size) {
                    let mut ranks: Vec<usize> =
                        hand.iter().map(|c| (c.rank().index() + 1) % 13).collect();
                    ranks.sort_unstable_by(|a, b| b.cmp(a));
                    ranks.dedup();
                    let suits = hand.lengths().iter().filter(|&&n| n > 0).count();
                    if ranks.len() == size && suits == size {
                        best.push([vec![size as i64], worse(&ranks)].concat());
                    }
                }
            }
            (best.into_iter().max().unwrap(), None)
        }
    }
}

/// Returns a query with few deals, and the integer weights of its hands.
pub fn small_query(game: Game, random: &mut SplitMix) -> (Query, Vec<Vec<u128>>) {
    let mut deck: Vec<Card> = game.deck().iter().collect();
    for i in (1..deck.len()).rev() {
        deck.swap(i, random.below(i + 1));
    }
    let mut deal = |count: usize| -> CardSet {
        (0..count)
            .map(|_| CardSet::of(deck.pop().unwrap()))
            .fold(CardSet::EMPTY, |a, b| a | b)
    };
    let players = 2 + random.below(if game.hole_cards() > 5 { 1 } else { 2 });
    let missing = random.below(2);
    let board = match game.board_cards() {
        0 => CardSet::EMPTY,
        full => deal(full - missing),
    };
    let mut lists = Vec::new();
    for player in 0..players {
        let known = match game.board_cards() {
            0 if player == 0 => game.hole_cards() - missing,
            _ => game.hole_cards(),
        };
        let mut hands = Vec::new();
        for _ in 0..1 + random.below(2) {
            let weight: Weight = (1 + random.below(3)).to_string().parse().unwrap();
            hands.push((deal(known), weight));
        }
        lists.push(hands);
    }
    let dead = deal(random.below(3));
    let ranges: Vec<Range> = lists
        .into_iter()
        .map(|hands| Range::of_hands("hands", hands))
        .collect();
    // Ranges sort their hands; the weights must follow that order.
    let weights = ranges
        .iter()
        .map(|range| {
            range
                .hands()
                .iter()
                .map(|(_, weight)| u128::from(weight.millionths() / 1_000_000))
                .collect()
        })
        .collect();
    let query = Query {
        board,
        dead,
        ..Query::new(game, ranges)
    };
    (query, weights)
}

/// Enumerates all deals. Returns their weight, and each player's shares in units of [`POT`].
pub fn brute_force(query: &Query, weights: &[Vec<u128>]) -> (u128, Vec<u128>) {
    let mut result = (0, vec![0; query.players.len()]);
    let left = query.game.deck() - query.board - query.dead;
    choose_hands(query, weights, left, 1, &mut Vec::new(), &mut result);
    result
}

fn choose_hands(
    query: &Query,
    weights: &[Vec<u128>],
    left: CardSet,
    weight: u128,
    hands: &mut Vec<CardSet>,
    result: &mut (u128, Vec<u128>),
) {
    let Some(range) = query.players.get(hands.len()) else {
        let missing = query.game.board_cards() - query.board.len();
        for more in subsets(left, missing) {
            let board = query.board | more;
            complete(query.game, board, left - more, weight, hands, 0, result);
        }
        return;
    };
    let row = &weights[hands.len()];
    for (&(hand, _), &hand_weight) in range.hands().iter().zip(row) {
        if left.contains_all(hand) {
            hands.push(hand);
            choose_hands(
                query,
                weights,
                left - hand,
                weight * hand_weight,
                hands,
                result,
            );
            hands.pop();
        }
    }
}

fn complete(
    game: Game,
    board: CardSet,
    left: CardSet,
    weight: u128,
    hands: &mut [CardSet],
    player: usize,
    result: &mut (u128, Vec<u128>),
) {
    if player == hands.len() {
        return show(game, board, weight, hands, result);
    }
    let known = hands[player];
    for more in subsets(left, game.hole_cards() - known.len()) {
        hands[player] = known | more;
        complete(game, board, left - more, weight, hands, player + 1, result);
    }
    hands[player] = known;
}

fn show(
    game: Game,
    board: CardSet,
    weight: u128,
    hands: &[CardSet],
    result: &mut (u128, Vec<u128>),
) {
    let worths: Vec<Naive> = hands.iter().map(|&hand| worth(game, hand, board)).collect();
    result.0 += weight;
    let low = worths.iter().filter_map(|(_, low)| low.clone()).max();
    let pot = if low.is_some() { POT / 2 } else { POT };
    let best = worths.iter().map(|(high, _)| high.clone()).max().unwrap();
    let highs: Vec<bool> = worths.iter().map(|(high, _)| *high == best).collect();
    let lows: Vec<bool> = worths
        .iter()
        .map(|(_, l)| l.is_some() && *l == low)
        .collect();
    for winners in [highs, lows] {
        let count = winners.iter().filter(|&&wins| wins).count() as u128;
        for (share, wins) in result.1.iter_mut().zip(winners) {
            if wins {
                *share += weight * pot / count;
            }
        }
    }
}

/// Returns the number of hands of Omaha with a board by the highest card of their best low (index 0: none), from the
/// sets of ranks up to eight of the player and the board.
pub fn omaha_lows_by_high_card() -> [u64; 9] {
    let mut by_high = [0; 9];
    for own in 0u32..1 << 8 {
        for board in 0u32..1 << 8 {
            if own.count_ones() > 4 || board.count_ones() > 5 {
                continue;
            }
            let hands = hands_with_ranks(own, board);
            if hands == 0 {
                continue;
            }
            let high = (5..=8).find(|&high| has_low_up_to(own, board, high));
            by_high[high.unwrap_or(0)] += hands;
        }
    }
    by_high
}

/// Returns whether two of the player's ranks and three of the board's make five different ones, all among the `high`
/// lowest.
fn has_low_up_to(own: u32, board: u32, high: usize) -> bool {
    let below = (1 << high) - 1;
    let (own, board) = (own & below, board & below);
    (0..1u32 << 8)
        .any(|pair| pair.count_ones() == 2 && pair & !own == 0 && (board & !pair).count_ones() >= 3)
}

/// Returns the number of hands of four cards with a board of five whose ranks among the first eight are exactly these.
fn hands_with_ranks(own: u32, board: u32) -> u64 {
    // ways[cards of the player][cards of the board]
    let mut ways = [[0u64; 6]; 5];
    ways[0][0] = 1;
    for rank in 0..8 {
        let (mine, common) = (own >> rank & 1 == 1, board >> rank & 1 == 1);
        let mut next = [[0u64; 6]; 5];
        for a in 0..=4usize {
            for b in 0..=4 - a {
                if (a > 0) != mine || (b > 0) != common {
                    continue;
                }
                for i in 0..=4 - a {
                    for j in 0..=5 - b {
                        next[i + a][j + b] += ways[i][j] * choose(4, a) * choose(4 - a, b);
                    }
                }
            }
        }
        ways = next;
    }
    let mut hands = 0;
    for (i, row) in ways.iter().enumerate() {
        for (j, ways) in row.iter().enumerate() {
            hands += ways * choose(20, 4 - i) * choose(20 - (4 - i), 5 - j);
        }
    }
    hands
}

/// Returns the number of ways to choose `k` of `n`.
pub fn choose(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |ways, i| ways * (n as u64 - i) / (i + 1))
}

/// Returns how many sets of cards differ from this one only in suits, if it is the first of them; else `None`.
pub fn weight_of_first_of_its_kind(cards: CardSet) -> Option<u64> {
    let suit = |number: usize| cards.0 >> (13 * number) & 0x1FFF;
    let mut same = 0;
    for order in 0..256usize {
        let order = [order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6];
        if (0..4).all(|number| order.contains(&number)) {
            let moved = (0..4).map(|place| suit(order[place]) << (13 * place));
            match moved.sum::<u64>().cmp(&cards.0) {
                Ordering::Less => return None,
                Ordering::Equal => same += 1,
                Ordering::Greater => {}
            }
        }
    }
    Some(24 / same)
}

/// Returns the number of sets of four cards in which every two are `without` each other.
pub fn sets_of_four(cards: u64, without: &[u64; 52]) -> u64 {
    fn count(cards: u64, without: &[u64; 52], left: u32) -> u64 {
        if left == 1 {
            return cards.count_ones().into();
        }
        let (mut later, mut sets) = (cards, 0);
        while later != 0 {
            let card = later.trailing_zeros() as usize;
            later &= later - 1;
            sets += count(later & without[card], without, left - 1);
        }
        sets
    }
    count(cards, without, 4)
}
