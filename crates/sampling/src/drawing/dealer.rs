//! Drawing: from the tables to a deal.

use cards::{BySeat, CardSet, Deal, Seat};
use shuffle::Words;

use crate::drawing::draws::{below_wide, several};
use crate::drawing::lay::Lay;
use crate::drawing::subsets::Subsets;
use crate::setup::budget::{Estimate, GaveUp, Meter};
use crate::setup::draft::Draft;
use crate::tables::cell::Cell;
use crate::tables::half::NONE;
use crate::tables::pairs::{self, Pair, Tables};

/// Counts and draws the deals of one layout.
pub(crate) struct TableDealer {
    pub(crate) draft: Draft,
    pub(crate) tables: Tables,
    pub(crate) estimate: Estimate,
    guide: Vec<u32>,
    shift: u32,
    subsets: &'static Subsets,
    /// Values of B in half 1 and of A in half 2, the most frequent first: scans end sooner.
    frequent: [Vec<u32>; 2],
    /// Seats that nobody asks about, in order, with their free places.
    rest: Vec<(Seat, usize)>,
    /// For a side: its first seat and that seat's free places.
    split: Option<(Seat, usize)>,
}

/// The guide table has at most this many entries.
const LARGEST_GUIDE: u32 = 20;

impl TableDealer {
    pub(crate) fn new(draft: Draft, meter: &Meter<'_>) -> Result<TableDealer, GaveUp> {
        let estimate = draft.estimate(meter)?;
        let tables = meter.commit(&estimate, || pairs::build(&draft, meter))?;
        let layout = &draft.layout;
        let places = |seat: Seat| 13 - layout.fixed[seat].len();
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
        let mut dealer = TableDealer {
            estimate,
            guide: Vec::new(),
            shift: 0,
            subsets: Subsets::shared(),
            frequent: Default::default(),
            rest,
            split,
            tables,
            draft,
        };
        dealer.make_guide();
        dealer.find_frequent();
        Ok(dealer)
    }

    fn find_frequent(&mut self) {
        let [_, width] = self.draft.halves[0].size();
        let [rows, columns] = self.draft.halves[1].size();
        let mut of_b = vec![0f64; width];
        for (place, &ways) in self.tables.ways.iter().enumerate() {
            of_b[place % width] += ways as f64;
        }
        let mut of_a = vec![0f64; rows];
        for table in self.tables.sums.chunks((rows * (columns + 1)).max(1)) {
            for (mass, row) in of_a.iter_mut().zip(table.chunks(columns + 1)) {
                *mass += row[columns] as f64;
            }
        }
        self.frequent = [of_b, of_a].map(|mass| {
            let mut order: Vec<u32> = (0..mass.len() as u32).collect();
            order.sort_by(|&one, &other| mass[other as usize].total_cmp(&mass[one as usize]));
            order
        });
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
    #[inline(always)]
    pub(crate) fn draw(&self, lay: impl Lay, words: &mut impl Words) -> Deal {
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
        self.draw_half(lay, words, 0, pair, (x, y), &mut taken);
        self.draw_half(lay, words, 1, pair, (other_x, other_y), &mut taken);
        self.complete_deal(lay, words, pair, taken)
    }

    /// `number` is uniform below the row's weight, so it serves for the choice of y as well.
    #[inline(always)]
    fn draw_y(&self, pair: &Pair, x: usize, mut number: u128) -> usize {
        let [_, width] = self.draft.halves[0].size();
        let ways = &self.tables.ways[pair.first as usize + x * width..][..width];
        let rest = &self.tables.completions[pair.completions as usize + x * width..][..width];
        let factor = u128::from(pair.factor);
        let mut last = 0;
        for &y in &self.frequent[0] {
            let y = y as usize;
            let weight = u128::from(ways[y]) * u128::from(rest[y]) * factor;
            if number < weight {
                return y;
            }
            number -= weight;
            last = y;
        }
        last
    }

    #[inline(always)]
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
        let totals = self.draft.totals[0].with(x);
        for &other in &self.frequent[1] {
            let other = other as usize;
            let total = totals[other];
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

    /// Draws the features of the piles of a half, then their cards.
    #[inline(always)]
    fn draw_half(
        &self,
        lay: impl Lay,
        words: &mut impl Words,
        number: usize,
        pair: &Pair,
        (x, y): (usize, usize),
        taken: &mut [u64; 2],
    ) {
        let half = &self.draft.halves[number];
        let (first, second) = half.piles;
        let (rests_x, rests_y) = (half.rests(0, x), half.rests(1, y));
        let Some(second) = second else {
            // The only value that leaves nothing for the pile that is not there.
            let alone =
                |rests: &[u32]| rests.iter().position(|&rest| rest == 0).unwrap_or(0) as u32;
            let features = (alone(rests_x), alone(rests_y));
            self.draw_pile(lay, words, first, pair, features, taken);
            return;
        };
        let other = self.cell(second, pair);
        let mut left = words.below(self.ways(number, pair, x, y));
        let mut found = ((0, 0), (0, 0));
        for entry in &self.cell(first, pair).entries {
            let rest = (rests_x[entry.x as usize], rests_y[entry.y as usize]);
            let weight = entry.weight * other.weight(rest.0, rest.1);
            if left < weight {
                found = ((entry.x, entry.y), rest);
                break;
            }
            left -= weight;
        }
        self.draw_pile(lay, words, first, pair, found.0, taken);
        self.draw_pile(lay, words, second, pair, found.1, taken);
    }

    #[inline(always)]
    fn cell(&self, place: usize, pair: &Pair) -> &Cell {
        self.draft.cells[place].get(pair.a[place], pair.b[place])
    }

    /// The number of ways to get these features in a half.
    #[inline(always)]
    fn ways(&self, half: usize, pair: &Pair, x: usize, y: usize) -> u64 {
        let [_, columns] = self.draft.halves[half].size();
        if half == 0 {
            return self.tables.ways[pair.first as usize + x * columns + y];
        }
        let row = &self.tables.sums[pair.sums as usize + x * (columns + 1)..];
        row[y + 1] - row[y]
    }

    /// Draws the cards that A and B take from a pile, given their features in it.
    #[inline(always)]
    fn draw_pile(
        &self,
        lay: impl Lay,
        words: &mut impl Words,
        place: usize,
        pair: &Pair,
        (x, y): (u32, u32),
        taken: &mut [u64; 2],
    ) {
        let cell = self.cell(place, pair);
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
        let pile = &self.draft.piles[place];
        let [pattern, one, other] = several(words, choice.bounds);
        let [marks_a, marks_b] = pile.patterns[choice.first as usize + pattern as usize];
        let (a, b) = (usize::from(pair.a[place]), usize::from(pair.b[place]));
        let spots = pile.spot_count;
        let wanted = a - usize::from(choice.marks[0]);
        let spots_a = self.chosen(lay, spots, wanted, one, pile.spots);
        let cards_a = marks_a | spots_a;
        let cards_b = if pile.splits_b {
            let left = pile.spots & !spots_a;
            let wanted_b = b - usize::from(choice.marks[1]);
            marks_b | self.chosen(lay, spots - wanted, wanted_b, other, left)
        } else {
            self.chosen(lay, pile.size - a, b, other, pile.cards & !cards_a)
        };
        taken[0] |= pile.place(cards_a);
        taken[1] |= pile.place(cards_b);
    }

    /// Subset number `index` of `count` out of the `size` positions of a mask.
    #[inline(always)]
    fn chosen(&self, lay: impl Lay, size: usize, count: usize, index: u64, mask: u32) -> u32 {
        if count == 0 {
            return 0;
        }
        lay.lay(self.subsets.get(size, count, index), u64::from(mask)) as u32
    }

    /// `count` of the cards of a mask, uniformly.
    #[inline(always)]
    fn some_of(&self, lay: impl Lay, words: &mut impl Words, mask: u64, count: usize) -> u64 {
        let size = mask.count_ones() as usize;
        if count == 0 || count == size {
            return if count == 0 { 0 } else { mask };
        }
        lay.lay(self.subsets.some(words, size, count), mask)
    }

    #[inline(always)]
    fn complete_deal(
        &self,
        lay: impl Lay,
        words: &mut impl Words,
        pair: &Pair,
        taken: [u64; 2],
    ) -> Deal {
        let layout = &self.draft.layout;
        let mut hands = layout.fixed;
        let give = |hands: &mut BySeat<CardSet>, seat: Seat, cards: u64| {
            hands[seat] |= CardSet(cards);
        };
        match self.split {
            Some((seat, places)) => {
                let cards = self.some_of(lay, words, taken[0], places);
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
            let cards = self.share(lay, words, pair, left);
            give(&mut hands, layout.seats[2][0], cards);
            give(&mut hands, layout.seats[3][0], left & !cards);
            return Deal::from_valid_hands(hands.0);
        }
        for &(seat, places) in &self.rest {
            let cards = self.some_of(lay, words, left, places);
            give(&mut hands, seat, cards);
            left &= !cards;
        }
        Deal::from_valid_hands(hands.0)
    }

    /// What C takes of the cards left, by a shape that the conditions on C and D allow.
    #[inline(always)]
    fn share(&self, lay: impl Lay, words: &mut impl Words, pair: &Pair, left: u64) -> u64 {
        let sharing = &self.tables.sharings[pair.sharing as usize];
        let number = words.below(sharing.ways());
        let place = sharing.shapes.partition_point(|&(_, end)| end <= number);
        let (shape, _) = sharing.shapes[place];
        let mut cards = 0;
        for (pile, &count) in self.draft.piles.iter().zip(&shape) {
            let pile = left & pile.place(pile.cards);
            cards |= self.some_of(lay, words, pile, usize::from(count));
        }
        cards
    }
}
