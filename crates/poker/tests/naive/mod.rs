//! The rules spelled out a second time, slowly: what the games are compared with.

use cards::{Card, CardSet};
use poker::{Game, Query, Range};

/// A whole pot in parts that two halves and up to four winners divide.
pub const POT: u128 = 5040;

/// The generator of the vectors.
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

/// All ways to have so many cards of the thirteen ranks, up to four each.
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

/// Seven-card hands that have at least five different ones of the `ranks` lowest ranks.
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

/// Five cards by the usual rules, larger is better: (category, ranks by count then size).
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

/// Five cards from ace to five, smaller is better.
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

/// What a hand is worth: (for the pot, for the low half), larger is better.
type Naive = (Vec<i64>, Option<Vec<i64>>);

fn better(values: &[usize]) -> Vec<i64> {
    values.iter().map(|&value| value as i64).collect()
}

fn worse(values: &[usize]) -> Vec<i64> {
    values.iter().map(|&value| -(value as i64)).collect()
}

pub fn worth(game: Game, own: CardSet, board: CardSet) -> Naive {
    let short_deck = matches!(game, Game::ShortDeck { .. });
    let best_high = |hands: &[CardSet]| {
        let highs = hands
            .iter()
            .map(|&hand| better(&high5(hand, short_deck, true)));
        highs.max().unwrap()
    };
    match game {
        Game::Holdem | Game::ShortDeck { .. } | Game::Stud => {
            (best_high(&subsets(own | board, 5)), None)
        }
        Game::Omaha | Game::Omaha5 | Game::Omaha6 | Game::OmahaHiLo => {
            let mut hands = Vec::new();
            for two in subsets(own, 2) {
                for three in subsets(board, 3) {
                    hands.push(two | three);
                }
            }
            let lows = hands.iter().map(|&hand| low5(hand));
            let good = lows.filter(|low| low[0] == 0 && low[1] <= 7);
            let low = good.map(|low| worse(&low)).max();
            let low = if game == Game::OmahaHiLo { low } else { None };
            (best_high(&hands), low)
        }
        Game::Razz => {
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

/// A question with few deals, and the integer weights of its hands.
pub fn small_question(game: Game, random: &mut SplitMix) -> (Query, Vec<Vec<u128>>) {
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
    let mut texts = Vec::new();
    let mut weights = Vec::new();
    for player in 0..players {
        let known = match game.board_cards() {
            0 if player == 0 => game.hole_cards() - missing,
            _ => game.hole_cards(),
        };
        let (mut items, mut row) = (Vec::new(), Vec::new());
        for _ in 0..1 + random.below(2) {
            let weight = 1 + random.below(3);
            items.push(format!("{}:{weight}", poker::format_cards(deal(known))));
            row.push(weight as u128);
        }
        texts.push(items.join(","));
        weights.push(row);
    }
    let dead = deal(random.below(3));
    let ranges: Vec<Range> = texts
        .iter()
        .map(|t| Range::parse(t, game).unwrap())
        .collect();
    // Ranges sort their hands; the weights have to follow.
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

/// All deals one by one: their weight, and everybody's shares in parts of [`POT`].
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
