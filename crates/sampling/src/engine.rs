//! Drawing: from the tables to a deal.

use cards::{CardSet, Deal, Seat};
use shuffle::Words;

use crate::cells::Cell;
use crate::draft::{Draft, Estimate, TooLarge};
use crate::draws::{below_wide, several};
use crate::halves::{Half, NONE};
use crate::subsets::{Subsets, deposit};
use crate::tables::{self, Pair, Tables};

/// Counts and draws the deals of one layout.
pub(crate) struct Engine {
    pub(crate) draft: Draft,
    pub(crate) tables: Tables,
    pub(crate) estimate: Estimate,
    guide: Vec<u32>,
    shift: u32,
    subsets: &'static Subsets,
    /// Seats that nobody asks about, in order, with their free places.
    rest: Vec<(Seat, usize)>,
    /// For a side: its first seat and that seat's free places.
    split: Option<(Seat, usize)>,
}

/// The guide table has at most this many entries.
const LARGEST_GUIDE: u32 = 20;

impl Engine {
    pub(crate) fn new(draft: Draft, most_bytes: f64) -> Result<Engine, TooLarge> {
        let estimate = draft.estimate();
        let tables = tables::build(&draft, most_bytes)?;
        let layout = &draft.layout;
        let places = |seat: Seat| 13 - layout.fixed[seat.index()].len();
        let tracked: Vec<Seat> = layout.seats[..2].iter().flatten().copied().collect();
        let rest = Seat::ALL
            .into_iter()
            .filter(|seat| !tracked.contains(seat))
            .map(|seat| (seat, places(seat)))
            .collect();
        let split = (layout.seats[0].len() == 2).then(|| {
            let seat = layout.seats[0][0];
            (seat, places(seat))
        });
        let mut engine = Engine {
            estimate,
            guide: Vec::new(),
            shift: 0,
            subsets: Subsets::shared(),
            rest,
            split,
            tables,
            draft,
        };
        engine.make_guide();
        Ok(engine)
    }

    fn make_guide(&mut self) {
        let total = self.tables.total();
        let wanted = (2 * self.tables.rows.len().max(1))
            .ilog2()
            .clamp(1, LARGEST_GUIDE);
        self.shift = (u128::BITS - total.leading_zeros()).saturating_sub(wanted);
        let mut row = 0;
        let entries = (total >> self.shift) + 1;
        self.guide = (0..entries)
            .map(|entry| {
                while row + 1 < self.tables.ends.len()
                    && self.tables.ends[row] <= entry << self.shift
                {
                    row += 1;
                }
                row as u32
            })
            .collect();
    }

    /// The hands A and B can take the free cards in this many ways (times the ways of C and D where
    /// their lengths matter).
    pub(crate) fn total(&self) -> u128 {
        self.tables.total()
    }

    /// A deal, each of those that satisfy the conditions exactly equally likely. There must be one.
    pub(crate) fn draw(&self, words: &mut impl Words) -> Deal {
        let mut number = below_wide(words, self.total());
        let mut place = self.guide[(number >> self.shift) as usize] as usize;
        while self.tables.ends[place] <= number {
            place += 1;
        }
        if place > 0 {
            number -= self.tables.ends[place - 1];
        }
        let row = self.tables.rows[place];
        let pair = &self.tables.pairs[row.pair as usize];
        let x = row.x as usize;
        let y = self.draw_y(pair, x, number);
        let (other_x, other_y) = self.draw_completion(words, pair, x, y);
        let mut taken = [0u64; 2];
        let halves = &self.draft.halves;
        let [_, width] = halves[0].size();
        let ways = self.tables.ways[pair.first as usize + x * width + y];
        self.draw_half(words, &halves[0], pair, (x, y), Some(ways), &mut taken);
        self.draw_half(
            words,
            &halves[1],
            pair,
            (other_x, other_y),
            None,
            &mut taken,
        );
        self.complete_deal(words, pair, taken)
    }

    /// `number` is uniform below the row's weight, so it serves for the choice of y as well.
    #[inline]
    fn draw_y(&self, pair: &Pair, x: usize, mut number: u128) -> usize {
        let [_, width] = self.draft.halves[0].size();
        let ways = &self.tables.ways[pair.first as usize + x * width..][..width];
        let rest = &self.tables.completions[pair.completions as usize + x * width..][..width];
        let factor = u128::from(pair.factor);
        for (y, (&ways, &rest)) in ways.iter().zip(rest).enumerate() {
            let weight = u128::from(ways) * u128::from(rest) * factor;
            if number < weight {
                return y;
            }
            number -= weight;
        }
        width - 1
    }

    #[inline]
    fn draw_completion(
        &self,
        words: &mut impl Words,
        pair: &Pair,
        x: usize,
        y: usize,
    ) -> (usize, usize) {
        let [_, width] = self.draft.halves[0].size();
        let place = pair.completions as usize + x * width + y;
        let mut number = words.below(self.tables.completions[place]);
        let matrix = &self.tables.matrices[pair.matrix as usize];
        let [_, columns] = self.draft.halves[1].size();
        let sums = &self.tables.sums[pair.sums as usize..];
        for (other, &total) in self.draft.totals[0].with(x).iter().enumerate() {
            let row = &sums[other * (columns + 1)..][..=columns];
            if row[columns] == 0 {
                continue;
            }
            for &(from, to) in self.tables.runs.get(matrix[total as usize], y) {
                let (from, to) = (from as usize, to as usize);
                let weight = row[to] - row[from];
                if number < weight {
                    let target = number + row[from];
                    let mut at = from;
                    while row[at + 1] <= target {
                        at += 1;
                    }
                    return (other, at);
                }
                number -= weight;
            }
        }
        (0, 0)
    }

    /// Draws the features of the blocks of a half, then their cards.
    #[inline]
    fn draw_half(
        &self,
        words: &mut impl Words,
        half: &Half,
        pair: &Pair,
        (x, y): (usize, usize),
        ways: Option<u64>,
        taken: &mut [u64; 2],
    ) {
        let (first, second) = half.blocks;
        let cell = |place: usize| self.draft.cells[place].get(pair.a[place], pair.b[place]);
        let (rests_x, rests_y) = (half.rests(0, x), half.rests(1, y));
        let one = cell(first);
        let Some(second) = second else {
            // The only value that leaves nothing for the block that is not there.
            let alone =
                |rests: &[u32]| rests.iter().position(|&rest| rest == 0).unwrap_or(0) as u32;
            self.draw_block(
                words,
                first,
                one,
                pair,
                (alone(rests_x), alone(rests_y)),
                taken,
            );
            return;
        };
        let other = cell(second);
        let ways = ways.unwrap_or_else(|| self.ways_of_half_two(pair, x, y));
        let mut number = words.below(ways);
        let mut found = ((0, 0), (0, 0));
        for entry in &one.entries {
            let rest = (rests_x[entry.x as usize], rests_y[entry.y as usize]);
            let weight = entry.weight * other.weight(rest.0, rest.1);
            if number < weight {
                found = ((entry.x, entry.y), rest);
                break;
            }
            number -= weight;
        }
        self.draw_block(words, first, one, pair, found.0, taken);
        self.draw_block(words, second, other, pair, found.1, taken);
    }

    fn ways_of_half_two(&self, pair: &Pair, x: usize, y: usize) -> u64 {
        let [_, columns] = self.draft.halves[1].size();
        let row = &self.tables.sums[pair.sums as usize + x * (columns + 1)..];
        row[y + 1] - row[y]
    }

    /// Draws the cards that A and B take from a block, given their features in it.
    #[inline]
    fn draw_block(
        &self,
        words: &mut impl Words,
        place: usize,
        cell: &Cell,
        pair: &Pair,
        (x, y): (u32, u32),
        taken: &mut [u64; 2],
    ) {
        let choices = cell.choices(x, y);
        let mut choice = &choices[0];
        if choices.len() > 1 {
            let mut number = words.below(cell.weight(x, y));
            for candidate in choices {
                choice = candidate;
                if number < candidate.weight {
                    break;
                }
                number -= candidate.weight;
            }
        }
        let block = &self.draft.blocks[place];
        let [pattern, one, other] = several(words, choice.bounds);
        let [marks_a, marks_b] = block.patterns[choice.first as usize + pattern as usize];
        let (a, b) = (usize::from(pair.a[place]), usize::from(pair.b[place]));
        let spots = block.spot_count();
        let wanted = a - usize::from(choice.marks[0]);
        let spots_a = self.lay(spots, wanted, one, block.spots);
        let cards_a = marks_a | spots_a;
        let cards_b = if block.splits_b {
            let left = block.spots & !spots_a;
            let wanted_b = b - usize::from(choice.marks[1]);
            marks_b | self.lay(spots - wanted, wanted_b, other, left)
        } else {
            self.lay(block.size() - a, b, other, block.cards & !cards_a)
        };
        taken[0] |= block.place(cards_a);
        taken[1] |= block.place(cards_b);
    }

    /// Subset number `index` of `count` out of the `size` positions of a mask.
    #[inline]
    fn lay(&self, size: usize, count: usize, index: u64, mask: u32) -> u32 {
        if count == 0 {
            return 0;
        }
        deposit(self.subsets.get(size, count, index), u64::from(mask)) as u32
    }

    /// `count` of the cards of a mask, uniformly.
    #[inline]
    fn some_of(&self, words: &mut impl Words, mask: u64, count: usize) -> u64 {
        let size = mask.count_ones() as usize;
        if count == 0 || count == size {
            return if count == 0 { 0 } else { mask };
        }
        let index = words.below(crate::choose(size, count));
        deposit(self.subsets.get(size, count, index), mask)
    }

    fn complete_deal(&self, words: &mut impl Words, pair: &Pair, taken: [u64; 2]) -> Deal {
        let layout = &self.draft.layout;
        let mut hands = layout.fixed;
        let give = |hands: &mut [CardSet; 4], seat: Seat, cards: u64| {
            hands[seat.index()] = CardSet(hands[seat.index()].0 | cards);
        };
        match self.split {
            Some((seat, places)) => {
                let cards = self.some_of(words, taken[0], places);
                give(&mut hands, seat, cards);
                give(&mut hands, layout.seats[0][1], taken[0] & !cards);
            }
            None => give(&mut hands, layout.seats[0][0], taken[0]),
        }
        if let Some(&seat) = layout.seats[1].first() {
            give(&mut hands, seat, taken[1]);
        }
        let mut left = layout.deck.0 & !taken[0] & !taken[1];
        if pair.sharing != NONE {
            let cards = self.share(words, pair, left);
            give(&mut hands, layout.seats[2][0], cards);
            give(&mut hands, layout.seats[3][0], left & !cards);
            return Deal::from_valid_hands(hands);
        }
        for &(seat, places) in &self.rest {
            let cards = self.some_of(words, left, places);
            give(&mut hands, seat, cards);
            left &= !cards;
        }
        Deal::from_valid_hands(hands)
    }

    /// What C takes of the cards left, by a shape that the conditions on C and D allow.
    fn share(&self, words: &mut impl Words, pair: &Pair, left: u64) -> u64 {
        let sharing = &self.tables.sharings[pair.sharing as usize];
        let number = words.below(sharing.ways());
        let place = sharing.shapes.partition_point(|&(_, end)| end <= number);
        let (shape, _) = sharing.shapes[place];
        let mut cards = 0;
        for (block, &count) in self.draft.blocks.iter().zip(&shape) {
            let pile = left & block.place(block.cards);
            cards |= self.some_of(words, pile, usize::from(count));
        }
        cards
    }
}
