//! Draws several deals at a time: reads random words in advance, and lays out the cards of several deals together.

use cards::Deal;
use shuffle::{BlockWords, RandomWords};

use crate::drawing::dealer::TableDealer;
use crate::drawing::deposit::Deposit;

/// Deals whose cards are laid out together.
const BATCH: usize = 16;

/// The random words of a block, of which some are generated before they are taken.
#[derive(Clone, Debug)]
pub(crate) struct LookaheadWords {
    source: BlockWords,
    known: Vec<u64>,
    used: usize,
}

impl LookaheadWords {
    pub(crate) fn new(source: BlockWords) -> LookaheadWords {
        LookaheadWords {
            source,
            known: Vec::new(),
            used: 0,
        }
    }

    /// Returns at least `count` of the next words without taking them.
    fn peek(&mut self, count: usize) -> &[u64] {
        self.peek_ahead(count, count.max(64))
    }

    /// Returns at least `count` of the next words. If words must be generated, generates up to `most`.
    #[inline]
    pub(crate) fn peek_ahead(&mut self, count: usize, most: usize) -> &[u64] {
        let left = self.known.len() - self.used;
        if left < count {
            self.known.copy_within(self.used.., 0);
            self.known.resize(most, 0);
            self.source.fill(&mut self.known[left..]);
            self.used = 0;
        }
        &self.known[self.used..]
    }

    /// Removes words that [`peek`](Self::peek) returned.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) {
        self.used += count;
    }

    /// Replaces some of the next `count` words by 0. Such a word is rejected and drawn again unless the bound is a
    /// power of two.
    #[cfg(test)]
    pub(crate) fn put_zeros(&mut self, count: usize, every: usize) {
        self.peek(count);
        for word in self.known.iter_mut().step_by(every) {
            *word = 0;
        }
    }
}

impl RandomWords for LookaheadWords {
    #[inline]
    fn word(&mut self) -> u64 {
        let word = self.peek(1)[0];
        self.used += 1;
        word
    }
}

/// Reads words that were generated in advance, without removing them.
struct Reader<'a> {
    known: &'a [u64],
    used: usize,
}

impl RandomWords for Reader<'_> {
    #[inline]
    fn word(&mut self) -> u64 {
        // Words after the end are never used. The largest word is never rejected, so no draw loops forever.
        let word = self.known.get(self.used).copied().unwrap_or(u64::MAX);
        self.used += 1;
        word
    }

    /// Reads the word in any case, to avoid an unpredictable branch.
    #[inline(always)]
    fn below_if(&mut self, wanted: bool, n: u64) -> u64 {
        let word = self.known.get(self.used).copied().unwrap_or(u64::MAX);
        let product = u128::from(word) * u128::from(n);
        if (product as u64) < n {
            return if wanted { self.below(n) } else { 0 };
        }
        self.used += usize::from(wanted);
        (product >> 64) as u64 * u64::from(wanted)
    }
}

/// Draws a multiple of [`BATCH`] deals: the same deals as single calls of [`TableDealer::draw`].
///
/// The position of the next deal's first word is known before the cards are laid out, unless a word is rejected. That
/// happens less than once in a million deals; then the deals are drawn again one by one.
#[inline(always)]
pub(crate) fn deals(
    dealer: &TableDealer,
    deposit: impl Deposit,
    words: &mut LookaheadWords,
    count: usize,
    mut push: impl FnMut(Deal),
) {
    let most = BATCH * dealer.max_words();
    let mut found = [(dealer.nothing_found(), 0, 0); BATCH];
    let mut deals = Vec::with_capacity(BATCH);
    for _ in 0..count / BATCH {
        let known = words.peek(most);
        let mut used = 0;
        // Loops, not iterators: a closure would not be compiled for the caller's processor features.
        for (next, start, end) in &mut found {
            let mut reader = Reader { known, used };
            dealer.find(&mut reader, next);
            *start = reader.used;
            used = *start + dealer.words_to_lay_out(next);
            *end = used;
        }
        let mut foreseen = used <= known.len();
        deals.clear();
        for &(ref next, start, end) in &found {
            let mut reader = Reader { known, used: start };
            deals.push(dealer.lay_out(deposit, &mut reader, next));
            foreseen &= reader.used == end;
        }
        if foreseen {
            words.used += used;
            deals.drain(..).for_each(&mut push);
        } else {
            (0..BATCH).for_each(|_| push(dealer.draw(deposit, words)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::deposit::Portable;
    use crate::problem::feature::SuitFunction;
    use crate::problem::filter::Prepared;
    use crate::problem::{Formula, Problem};
    use crate::setup::budget::{Budget, CostMeter};
    use crate::setup::draft::Draft;
    use crate::setup::layout::{Layout, Tracked};
    use crate::setup::needs::Needs;
    use cards::{Seat, Suit};
    use shuffle::{Key, Stream};

    /// Returns a dealer that follows two hands, with or without lengths of the others.
    fn dealer(others: bool) -> TableDealer {
        let mut problem = Problem::new();
        let spades = problem.length(Seat::North, Suit::Spades);
        let points = problem.points(Seat::South, SuitFunction::hcp());
        problem.require(Formula::between(spades, 5, 13));
        problem.require(Formula::between(points, 8, 14));
        if others {
            let hearts = problem.length(Seat::East, Suit::Hearts);
            problem.require(Formula::between(hearts, 5, 13));
        }
        let meter = CostMeter::new(Budget::default());
        let prepared = Prepared::new(&problem, &meter).unwrap();
        let layout = Layout::new(
            &prepared,
            Tracked::Two(Seat::North, Seat::South),
            Needs::ALL,
        );
        let draft = Draft::new(layout, true, 0, &meter).unwrap();
        TableDealer::new(draft, &meter).unwrap()
    }

    /// Returns a dealer that follows one hand.
    fn weak_two() -> TableDealer {
        let mut problem = Problem::new();
        let spades = problem.length(Seat::North, Suit::Spades);
        let points = problem.points(Seat::North, SuitFunction::hcp());
        problem.require(Formula::between(spades, 6, 13));
        problem.require(Formula::between(points, 10, 12));
        let meter = CostMeter::new(Budget::default());
        let prepared = Prepared::new(&problem, &meter).unwrap();
        let layout = Layout::new(&prepared, Tracked::One(Seat::North), Needs::ALL);
        TableDealer::new(Draft::new(layout, true, 0, &meter).unwrap(), &meter).unwrap()
    }

    /// Returns words of a block, some of them 0. A word 0 is rejected unless the bound is a power of two.
    fn words(zeros_every: usize) -> LookaheadWords {
        let mut words =
            LookaheadWords::new(BlockWords::new(Stream::Sampler, &Key::from_seed(5), 1));
        words.put_zeros(10_000, zeros_every);
        words
    }

    #[test]
    fn deals_laid_out_together_are_those_drawn_one_by_one() {
        for others in [false, true] {
            let dealer = dealer(others);
            for zeros_every in [7, 101, 1009, 20_000] {
                let mut words = words(zeros_every);
                let mut single = words.clone();
                let mut together = Vec::new();
                deals(&dealer, Portable::new(), &mut words, 320, |deal| {
                    together.push(deal)
                });
                assert_eq!(together.len(), 320);
                for deal in together {
                    assert_eq!(deal, dealer.draw(Portable::new(), &mut single));
                }
                assert_eq!(words.word(), single.word());
            }
        }
    }

    #[test]
    fn values_that_complete_nothing_make_no_difference() {
        for mut dealer in [dealer(false), dealer(true), weak_two()] {
            let draw = |dealer: &TableDealer| {
                let mut words = words(20_000);
                let deals = (0..2000).map(|_| dealer.draw(Portable::new(), &mut words));
                deals.collect::<Vec<Deal>>()
            };
            let quick = draw(&dealer);
            dealer.forget_lists();
            assert_eq!(draw(&dealer), quick);
        }
    }
}
