//! Fast drawing if all conditions are about the lengths of one hand, as with predealt lengths.
//!
//! Such a deal takes the same words in the same order as any other deal of [`TableDealer`], but their number is known
//! in advance, and the use of each depends on one row of a small table. Words that decide between a single possibility
//! are skipped. A word that might be rejected, one in thousands of millions, leaves the deal to [`TableDealer::draw`].

use cards::{BySeat, CardSet, Deal, Seat};
use shuffle::RandomWords;

use crate::drawing::dealer::TableDealer;
use crate::drawing::deposit::Deposit;
use crate::drawing::lookahead::LookaheadWords;
use crate::drawing::subsets::Subsets;
use crate::tables::half::NONE;
use crate::tables::pairs::Pair;

/// Largest number of draws of a row: its completion, one for each half and one for each pile.
const MAX_DRAWS: usize = 7;

/// Deals whose words are generated together.
const BATCH: usize = 16;

/// Draws deals by the lengths of one hand.
pub(crate) struct LengthDealer {
    total: u64,
    rows: Vec<Row>,
    /// The row of the first number of each interval of `2^shift` numbers.
    guide: Vec<u32>,
    shift: u32,
    /// Number of draws of each row, and number of random words of each deal.
    draws: usize,
    words: usize,
    seat: Seat,
    fixed: BySeat<CardSet>,
    deck: u64,
    /// The other seats with their free places. The last seat takes the rest.
    others: [(Seat, usize); 2],
    last: Seat,
    subsets: &'static Subsets,
}

/// A shape of the hand.
#[derive(Clone)]
struct Row {
    /// Number of hands up to and including those of this shape.
    end: u64,
    draws: [Draw; MAX_DRAWS],
}

/// The use of a word: it selects `count` of the cards, or nothing.
#[derive(Clone, Copy, Default)]
struct Draw {
    bound: u64,
    size: u8,
    count: u8,
    /// The free cards of the pile, and the positions of its suits in the deck.
    cards: u32,
    shifts: [u8; 2],
}

impl Draw {
    /// Converts positions of the pile to cards of the deck.
    #[inline(always)]
    fn place(&self, positions: u64) -> u64 {
        let [low, high] = self.shifts;
        (positions & 0x1fff) << low | (positions >> 13) << high
    }
}

/// Largest number of words of a deal: one for the row, its draws, five for thirteen of 39 cards and three for thirteen
/// of 26.
const MAX_WORDS: usize = 1 + MAX_DRAWS + 5 + 3;

/// Random words that were generated in advance. It records whether one of them might have to be rejected.
struct KnownWords<'a> {
    words: &'a [u64; MAX_WORDS],
    used: usize,
    again: bool,
}

impl RandomWords for KnownWords<'_> {
    #[inline(always)]
    fn word(&mut self) -> u64 {
        let word = self.words[self.used % MAX_WORDS];
        self.used += 1;
        word
    }

    #[inline(always)]
    fn below(&mut self, n: u64) -> u64 {
        let product = u128::from(self.word()) * u128::from(n);
        self.again |= (product as u64) < n;
        (product >> 64) as u64
    }
}

impl LengthDealer {
    /// Creates a dealer for the deals of `dealer`, if they depend only on the lengths of one hand.
    pub(crate) fn of(dealer: &TableDealer) -> Option<LengthDealer> {
        let layout = &dealer.draft.layout;
        let total = u64::try_from(dealer.total()).ok()?;
        let &[seat] = &layout.seats[0][..] else {
            return None;
        };
        let free = |seat: Seat| 13 - layout.fixed[seat].len();
        let mut others = Seat::ALL.into_iter().filter(|&other| other != seat);
        let others: [Seat; 3] = std::array::from_fn(|_| others.next().unwrap_or(seat));
        let left: usize = others.iter().map(|&seat| free(seat)).sum();
        let [second, third, last] = others;
        let plain = layout.seats[1].is_empty()
            && layout.filters[0].0.iter().all(Option::is_none)
            && dealer.draft.halves.iter().all(|half| half.size() == [1, 1])
            && dealer.draft.piles.iter().all(|pile| pile.spots == pile.cards)
            && total > 0
            // A hand without free places would take no words.
            && others.iter().all(|&seat| free(seat) > 0);
        if !plain {
            return None;
        }
        let mut rows = Vec::new();
        let mut draws = 0;
        for of in &dealer.tables.rows {
            let pair = &dealer.tables.pairs[of.pair as usize];
            let list = draws_of(dealer, pair)?;
            draws = list.len();
            let mut row = Row {
                end: u64::try_from(of.end).ok()?,
                draws: Default::default(),
            };
            row.draws.get_mut(..draws)?.copy_from_slice(&list);
            rows.push(row);
        }
        let shift = (u64::BITS - total.leading_zeros()).saturating_sub(8);
        let row_of = |number: u64| rows.partition_point(|row: &Row| row.end <= number) as u32;
        Some(LengthDealer {
            guide: (0..=total >> shift)
                .map(|entry| row_of(entry << shift))
                .collect(),
            shift,
            total,
            draws,
            words: 1 + draws + Subsets::words(left) + Subsets::words(left - free(second)),
            rows,
            seat,
            fixed: layout.fixed,
            deck: layout.deck.0,
            others: [(second, free(second)), (third, free(third))],
            last,
            subsets: Subsets::shared(),
        })
    }

    /// Draws `count` deals: the same deals as `count` calls of [`TableDealer::draw`].
    #[inline(always)]
    pub(crate) fn deals(
        &self,
        dealer: &TableDealer,
        deposit: impl Deposit,
        words: &mut LookaheadWords,
        count: usize,
        mut push: impl FnMut(Deal),
    ) {
        for _ in 0..count {
            let known = words.peek_ahead(MAX_WORDS, BATCH * MAX_WORDS);
            match self.deal(
                deposit,
                known
                    .first_chunk()
                    .expect("look returns at least this many words"),
            ) {
                Some(deal) => {
                    words.take(self.words);
                    push(deal);
                }
                None => push(dealer.draw(deposit, words)),
            }
        }
    }

    /// Returns the deal of these words, or `None` if one of them might be rejected.
    #[inline(always)]
    fn deal(&self, deposit: impl Deposit, words: &[u64; MAX_WORDS]) -> Option<Deal> {
        let mut words = KnownWords {
            words,
            used: 0,
            again: false,
        };
        let number = words.below(self.total);
        let mut place = self.guide[(number >> self.shift) as usize] as usize;
        while self.rows[place].end <= number {
            place += 1;
        }
        let mut taken = 0;
        for draw in &self.rows[place].draws[..self.draws] {
            let index = words.below(draw.bound);
            if draw.count > 0 {
                let (size, count) = (usize::from(draw.size), usize::from(draw.count));
                let set = self.subsets.get(size, count, index);
                taken |= draw.place(deposit.deposit(set, u64::from(draw.cards)));
            }
        }
        let mut hands = self.fixed;
        hands[self.seat] |= CardSet(taken);
        let mut left = self.deck & !taken;
        for (seat, places) in self.others {
            let size = left.count_ones() as usize;
            let cards = deposit.deposit(self.subsets.some(&mut words, size, places), left);
            hands[seat] |= CardSet(cards);
            left &= !cards;
        }
        hands[self.last] |= CardSet(left);
        (!words.again).then(|| Deal::from_valid_hands(hands.0))
    }
}

/// Returns the draws that follow that of the row, in order; `None` if a draw selects more than cards.
fn draws_of(dealer: &TableDealer, pair: &Pair) -> Option<Vec<Draw>> {
    if pair.sharing != NONE {
        return None;
    }
    let nothing = |bound: u64| Draw {
        bound,
        ..Draw::default()
    };
    let mut draws = vec![nothing(
        dealer.tables.completions[pair.completions as usize],
    )];
    for (number, half) in dealer.draft.halves.iter().enumerate() {
        let (first, second) = half.piles;
        if second.is_some() {
            draws.push(nothing(dealer.ways(number, pair, 0, 0)));
        }
        for place in [Some(first), second].into_iter().flatten() {
            let pile = &dealer.draft.piles[place];
            let cell = dealer.cell(place, pair);
            let [entry] = &cell.entries[..] else {
                return None;
            };
            let choice = cell.choice(entry.ways, 0);
            if entry.ways.choices != 1 || choice.bounds != [1, choice.weight, 1] {
                return None;
            }
            draws.push(Draw {
                bound: choice.weight,
                size: pile.size as u8,
                count: pair.a[place],
                cards: pile.cards,
                shifts: [1, 1 << 13].map(|lowest| pile.place(lowest).trailing_zeros() as u8),
            });
        }
    }
    Some(draws)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::deposit::Portable;
    use crate::problem::filter::Prepared;
    use crate::problem::{Formula, Problem};
    use crate::setup::budget::{Budget, CostMeter};
    use crate::setup::draft::Draft;
    use crate::setup::layout::{Layout, Tracked};
    use crate::setup::needs::Needs;
    use cards::Suit;
    use proptest::prelude::*;
    use shuffle::{BlockWords, Key, Stream};

    /// Returns a dealer for lengths of one hand, with some fixed cards.
    fn dealer(
        seat: Seat,
        lengths: &[(Suit, i32, i32)],
        fixed: BySeat<CardSet>,
        (order, merge): (usize, bool),
    ) -> Option<TableDealer> {
        let mut problem = Problem::new();
        problem.fixed = fixed;
        for &(suit, low, high) in lengths {
            let cards = problem.length(seat, suit);
            problem.require(Formula::between(cards, low, high));
        }
        let meter = CostMeter::new(Budget::default());
        let prepared = Prepared::new(&problem, &meter).ok()?;
        let layout = Layout::new(&prepared, Tracked::One(seat), Needs::ALL);
        let draft = Draft::new(layout, merge, order, &meter).ok()?;
        let dealer = TableDealer::new(draft, &meter).ok()?;
        (dealer.total() > 0).then_some(dealer)
    }

    /// Returns words of a block, some of them 0, which are mostly rejected.
    fn words(seed: u64, zeros_every: usize) -> LookaheadWords {
        let mut words =
            LookaheadWords::new(BlockWords::new(Stream::Sampler, &Key::from_seed(seed), 1));
        words.put_zeros(10_000, zeros_every);
        words
    }

    fn check(dealer: &TableDealer, seed: u64) {
        let quick = dealer
            .lengths
            .as_ref()
            .expect("all conditions are about lengths");
        for zeros_every in [5, 101, 20_000] {
            let mut words = words(seed, zeros_every);
            let mut single = words.clone();
            let mut deals = Vec::new();
            quick.deals(dealer, Portable::new(), &mut words, 200, |deal| {
                deals.push(deal)
            });
            assert_eq!(deals.len(), 200);
            for deal in deals {
                assert_eq!(deal, dealer.draw(Portable::new(), &mut single));
            }
            assert_eq!(words.word(), single.word());
        }
    }

    #[test]
    fn deals_with_five_spades_equal_those_of_the_tables() {
        let five = [(Suit::Spades, 5, 5)];
        let dealer = dealer(Seat::North, &five, BySeat::default(), (0, true)).unwrap();
        check(&dealer, 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn deals_are_those_of_the_tables(
            seat in 0usize..4,
            lengths in proptest::collection::vec((0usize..4, 0i32..7, 0i32..4), 1..4),
            cards in proptest::collection::vec((0u32..52, 0usize..4), 0..12),
            order in 0usize..6,
            merge: bool,
            seed: u64,
        ) {
            let mut fixed = BySeat::<CardSet>::default();
            let mut seen = 0u64;
            for (card, seat) in cards {
                if seen >> card & 1 == 0 {
                    seen |= 1 << card;
                    fixed.0[seat] |= CardSet(1 << card);
                }
            }
            let lengths: Vec<_> = lengths
                .into_iter()
                .map(|(suit, low, more)| (Suit::ALL[suit], low, low + more))
                .collect();
            let seat = Seat::from_index(seat);
            if let Some(dealer) = dealer(seat, &lengths, fixed, (order, merge)) {
                check(&dealer, seed);
            }
        }
    }
}
