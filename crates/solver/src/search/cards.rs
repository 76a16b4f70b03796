//! Sets of cards in the representation of the search: sixteen bits for each suit, the deuce lowest, trumps in the
//! lowest suit.

/// A set of cards. Bit 16 * suit + rank is the card.
pub(crate) type Cards = u64;

/// The lowest suit: trumps, unless the strain is notrump.
pub(crate) const TRUMPS: Cards = 0xffff;
/// The bit above the ace of every suit. It separates cards of different suits.
pub(crate) const FENCE: Cards = 0x2000_2000_2000_2000;
/// The highest bit of every suit's sixteen.
const HIGH: u64 = 0x8000_8000_8000_8000;

/// Returns all cards of a suit.
#[inline(always)]
pub(crate) fn suit(suit: u32) -> Cards {
    TRUMPS << (16 * suit)
}

/// Returns the suit of a card.
#[inline(always)]
pub(crate) fn suit_of(card: u32) -> u32 {
    card >> 4
}

/// Returns the number of the highest card.
#[inline(always)]
pub(crate) fn highest(cards: Cards) -> u32 {
    63 - cards.leading_zeros()
}

/// Returns the number of the lowest card.
#[inline(always)]
pub(crate) fn lowest(cards: Cards) -> u32 {
    cards.trailing_zeros()
}

/// Returns the highest card as a set.
#[inline(always)]
pub(crate) fn top(cards: Cards) -> Cards {
    1 << highest(cards)
}

/// Returns the lowest card as a set.
#[inline(always)]
pub(crate) fn bottom(cards: Cards) -> Cards {
    cards & cards.wrapping_neg()
}

/// Returns all bits above one card.
#[inline(always)]
pub(crate) fn above(card: Cards) -> Cards {
    !(card * 2 - 1)
}

/// Returns the `n`-th highest card as a set; 1 is the highest. The set must hold at least `n` cards.
#[inline(always)]
pub(crate) fn nth_highest(mut cards: Cards, n: i32) -> Cards {
    for _ in 1..n {
        cards ^= top(cards);
    }
    top(cards)
}

/// Returns all bits from the lowest card of each suit upwards.
#[inline(always)]
pub(crate) fn fill_up(cards: Cards) -> Cards {
    cards | (HIGH.wrapping_sub(cards) & !HIGH)
}

/// Returns all bits from the highest card of each suit downwards.
#[inline(always)]
pub(crate) fn fill_down(cards: Cards) -> Cards {
    let cards = cards | (cards >> 1 & 0x7fff_7fff_7fff_7fff);
    let cards = cards | (cards >> 2 & 0x3fff_3fff_3fff_3fff);
    let cards = cards | (cards >> 4 & 0x0fff_0fff_0fff_0fff);
    cards | (cards >> 8 & 0x00ff_00ff_00ff_00ff)
}

/// Counts the cards of each suit; each count is in the sixteen bits of its suit.
#[inline(always)]
pub(crate) fn counts(cards: Cards) -> u64 {
    let pairs = cards - (cards >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    (bytes + (bytes >> 8)) & 0x00ff_00ff_00ff_00ff
}

/// Returns the highest card of every sequence in `cards`. Only cards in `all` separate two others.
#[inline(always)]
pub(crate) fn sequence_tops(cards: Cards, all: Cards) -> Cards {
    // Spread each card downwards over ranks that are no longer in play: 1, 2, 4 and 8 at a time.
    let mut reached = cards;
    let mut gone = !(all | FENCE);
    reached |= gone & (reached >> 1);
    gone &= gone >> 1;
    reached |= gone & (reached >> 2);
    gone &= gone >> 2;
    reached |= gone & (reached >> 4);
    gone &= gone >> 4;
    reached |= gone & (reached >> 8);
    cards & !(reached >> 1)
}

/// The number of cards of each hand in each suit: 16 bits for each seat, 4 bits for each suit.
pub(crate) type Lengths = u64;

/// Returns the lengths of four hands.
pub(crate) fn lengths(hands: &[Cards; 4]) -> Lengths {
    let mut lengths = 0;
    for (seat, hand) in hands.iter().enumerate() {
        for s in 0..4 {
            lengths |= u64::from((hand & suit(s)).count_ones()) << (16 * seat + 4 * s as usize);
        }
    }
    lengths
}

/// Returns one card of a seat in a suit, to be subtracted from the lengths.
#[inline(always)]
pub(crate) fn one_card(seat: usize, suit: u32) -> Lengths {
    1 << (16 * seat as u32 + 4 * suit)
}

/// The lengths of the four suits of one hand.
#[derive(Clone, Copy)]
pub(crate) struct Shape(u64);

impl Shape {
    #[inline(always)]
    pub(crate) fn of(lengths: Lengths, seat: usize) -> Shape {
        Shape(lengths >> (16 * (seat & 3)))
    }

    /// Returns the number of cards in a suit.
    #[inline(always)]
    pub(crate) fn len(self, suit: u32) -> i32 {
        (self.0 >> (4 * suit) & 15) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes `sequence_tops` one card at a time.
    fn sequence_tops_slowly(cards: Cards, all: Cards) -> Cards {
        let mut tops = 0;
        for card in 0..64 {
            if cards >> card & 1 == 0 {
                continue;
            }
            let next = (card + 1..16 * (card / 16) + 14)
                .find(|&c| c % 16 == 13 || all >> c & 1 != 0)
                .expect("the fence bit is above every card");
            if next % 16 == 13 || cards >> next & 1 == 0 {
                tops |= 1 << card;
            }
        }
        tops
    }

    #[test]
    fn sequences_are_found_over_cards_that_are_gone() {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state ^ state >> 29
        };
        for _ in 0..20_000 {
            let all = random() & random() & 0x1fff_1fff_1fff_1fff;
            let cards = all & random();
            assert_eq!(sequence_tops(cards, all), sequence_tops_slowly(cards, all));
            let each = [0, 1, 2, 3].map(|s| u64::from((all & suit(s)).count_ones()));
            let packed = each[0] | each[1] << 16 | each[2] << 32 | each[3] << 48;
            assert_eq!(counts(all), packed);
        }
        for all in [0x1fff_1fff_1fff_1fff, 0x1000_0001_1001_1fff, 0] {
            assert_eq!(sequence_tops(all, all), sequence_tops_slowly(all, all));
        }
    }
}
