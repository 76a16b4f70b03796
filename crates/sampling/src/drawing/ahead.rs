//! Several deals at a time: random words seen in advance, and deals whose cards are laid out together.

use cards::Deal;
use shuffle::{BlockWords, Words};

use crate::drawing::dealer::TableDealer;
use crate::drawing::lay::Lay;

/// Deals whose cards are laid out together.
const TOGETHER: usize = 16;

/// The random words of a block, of which some are known before they are taken.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    source: BlockWords,
    known: Vec<u64>,
    used: usize,
}

impl Ahead {
    pub(crate) fn new(source: BlockWords) -> Ahead {
        Ahead {
            source,
            known: Vec::new(),
            used: 0,
        }
    }

    /// At least so many words that come next. They are not taken.
    fn look(&mut self, count: usize) -> &[u64] {
        self.look_far(count, count.max(64))
    }

    /// The same; if words have to be made, there are `most` afterwards.
    #[inline]
    pub(crate) fn look_far(&mut self, count: usize, most: usize) -> &[u64] {
        let left = self.known.len() - self.used;
        if left < count {
            self.known.copy_within(self.used.., 0);
            self.known.resize(most, 0);
            self.source.fill(&mut self.known[left..]);
            self.used = 0;
        }
        &self.known[self.used..]
    }

    /// Takes words that were looked at.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) {
        self.used += count;
    }

    /// Replaces some of the next `count` words by 0: such a word must be drawn again wherever the bound is no power of two.
    #[cfg(test)]
    pub(crate) fn put_zeros(&mut self, count: usize, every: usize) {
        self.look(count);
        for word in self.known.iter_mut().step_by(every) {
            *word = 0;
        }
    }
}

impl Words for Ahead {
    #[inline]
    fn word(&mut self) -> u64 {
        let word = self.look(1)[0];
        self.used += 1;
        word
    }
}

/// Reads known words without taking them.
struct Reader<'a> {
    known: &'a [u64],
    used: usize,
}

impl Words for Reader<'_> {
    #[inline]
    fn word(&mut self) -> u64 {
        // Beyond the end nothing is meant, but the largest word is never drawn again, so that no draw waits forever.
        let word = self.known.get(self.used).copied().unwrap_or(u64::MAX);
        self.used += 1;
        word
    }

    /// Without a branch on what cannot be foreseen: the word is read in any case.
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

/// A multiple of [`TOGETHER`] deals: the same as so many calls of [`TableDealer::draw`] give.
///
/// Where the words of the next deal begin is known before the cards are laid out, unless a word has to be drawn again. That
/// happens less than once in a million deals; then the deals are drawn once more, one after the other.
#[inline(always)]
pub(crate) fn deals(
    dealer: &TableDealer,
    lay: impl Lay,
    words: &mut Ahead,
    count: usize,
    mut push: impl FnMut(Deal),
) {
    let most = TOGETHER * dealer.most_words();
    let mut found = [(dealer.nothing_found(), 0, 0); TOGETHER];
    let mut deals = Vec::with_capacity(TOGETHER);
    for _ in 0..count / TOGETHER {
        let known = words.look(most);
        let mut used = 0;
        // Loops, not iterators: a closure would not be compiled for the processor that the caller knows.
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
            deals.push(dealer.lay_out(lay, &mut reader, next));
            foreseen &= reader.used == end;
        }
        if foreseen {
            words.used += used;
            deals.drain(..).for_each(&mut push);
        } else {
            (0..TOGETHER).for_each(|_| push(dealer.draw(lay, words)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::lay::Portable;
    use crate::problem::feature::SuitFunction;
    use crate::problem::filter::Prepared;
    use crate::problem::{Formula, Problem};
    use crate::setup::budget::{Budget, Meter};
    use crate::setup::draft::Draft;
    use crate::setup::layout::{Layout, Tracked};
    use crate::setup::needs::Needs;
    use cards::{Seat, Suit};
    use shuffle::{Key, Stream};

    /// A dealer that follows two hands, with or without lengths of the others.
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
        let meter = Meter::new(Budget::default());
        let prepared = Prepared::new(&problem, &meter).unwrap();
        let layout = Layout::new(
            &prepared,
            Tracked::Two(Seat::North, Seat::South),
            Needs::ALL,
        );
        let draft = Draft::new(layout, true, 0, &meter).unwrap();
        TableDealer::new(draft, &meter).unwrap()
    }

    /// A dealer that follows one hand.
    fn weak_two() -> TableDealer {
        let mut problem = Problem::new();
        let spades = problem.length(Seat::North, Suit::Spades);
        let points = problem.points(Seat::North, SuitFunction::hcp());
        problem.require(Formula::between(spades, 6, 13));
        problem.require(Formula::between(points, 10, 12));
        let meter = Meter::new(Budget::default());
        let prepared = Prepared::new(&problem, &meter).unwrap();
        let layout = Layout::new(&prepared, Tracked::One(Seat::North), Needs::ALL);
        TableDealer::new(Draft::new(layout, true, 0, &meter).unwrap(), &meter).unwrap()
    }

    /// Words of a block, some of them 0: such a word must be drawn again wherever the bound is no power of two.
    fn words(zeros_every: usize) -> Ahead {
        let mut words = Ahead::new(BlockWords::new(Stream::Sampler, &Key::from_seed(5), 1));
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
