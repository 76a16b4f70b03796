//! Columns of random numbers: `rnd` for many deals at a time.

use shuffle::{BLOCK_DEALS, DealRandom, RandomWords};

use super::operation::ColumnId;
use super::slots::Columns;
use super::view::View;
use crate::source::Batch;

/// A column of random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    pub column: ColumnId,
    /// Exclusive limit of the numbers: from 0 up to below it, or from 0 down to above it if it is negative. Never 0.
    pub limit: i32,
}

/// Makes all draws of the selected deals. The draws of a deal depend on its number alone.
pub(super) fn draw(
    draws: &[Draw],
    batch: &Batch,
    view: &View,
    random: &mut DealRandom,
    columns: &mut Columns<'_>,
) {
    match *draws {
        [] => {}
        // The first words of consecutive deals are generated together.
        [only] if batch.numbers.is_empty() && view.is_whole() && view.is_dense() => {
            let mut words = [0; BLOCK_DEALS];
            let words = &mut words[..view.lanes];
            random.first_words(batch.first, words);
            let column = &mut columns[only.column];
            for (lane, &word) in words.iter().enumerate() {
                let value = first_draw(word, only.limit).unwrap_or_else(|| {
                    random.restart(batch.number(lane));
                    drawn(random, only.limit)
                });
                column.set(lane, value);
            }
        }
        _ => view.for_each(|lane, place| {
            random.restart(batch.number(place));
            for draw in draws {
                columns[draw.column].set(lane, drawn(random, draw.limit));
            }
        }),
    }
}

fn drawn(random: &mut DealRandom, limit: i32) -> i32 {
    random.rnd(i64::from(limit)) as i32
}

/// Returns the number that the first word decides, or `None` if [`RandomWords::below`] might have to draw again.
#[inline]
fn first_draw(word: u64, limit: i32) -> Option<i32> {
    let size = u64::from(limit.unsigned_abs());
    let product = u128::from(word) * u128::from(size);
    let value = (product >> 64) as i32;
    (product as u64 >= size).then_some(if limit < 0 { -value } else { value })
}

#[cfg(test)]
mod tests {
    use shuffle::Key;

    use super::*;

    /// A fixed sequence of words.
    struct Given(Vec<u64>);

    impl RandomWords for Given {
        fn word(&mut self) -> u64 {
            self.0.remove(0)
        }
    }

    #[test]
    fn a_first_word_draws_what_the_stream_draws() {
        let mut random = DealRandom::new(&Key::from_seed(7), 0);
        for limit in [1, 2, 3, 100, -100, i32::MAX, i32::MIN, -1] {
            for number in 0..500 {
                random.restart(number);
                let word = random.word();
                random.restart(number);
                assert_eq!(first_draw(word, limit), Some(drawn(&mut random, limit)));
            }
            // A word that may need another draw is left undecided; a decided value must equal the stream's.
            for word in [0, 1, u64::MAX, u64::MAX / 3 + 1] {
                let expected = Given(vec![word, u64::MAX]).rnd(i64::from(limit)) as i32;
                assert!(first_draw(word, limit).is_none_or(|value| value == expected));
            }
        }
        assert_eq!(first_draw(0, 3), None);
    }
}
