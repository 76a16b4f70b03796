//! Drawing: from the tables to a deal.

use cards::{BySeat, CardSet, Deal, Seat};
use shuffle::Words;

use crate::drawing::completing::Completing;
use crate::drawing::draws::{below_wide, split, word_for};
use crate::drawing::guide::Guide;
use crate::drawing::lay::Lay;
use crate::drawing::lengths::LengthDealer;
use crate::drawing::subsets::Subsets;
use crate::setup::budget::{Estimate, GaveUp, Meter};
use crate::setup::draft::Draft;
use crate::tables::cell::{Cell, Choice, Ways};
use crate::tables::half::NONE;
use crate::tables::pairs::{self, Pair, Row, Tables};
use crate::tables::shape::Taken;

/// Counts and draws the deals of one layout.
pub(crate) struct TableDealer {
    pub(crate) draft: Draft,
    pub(crate) tables: Tables,
    pub(crate) estimate: Estimate,
    guide: Guide,
    subsets: &'static Subsets,
    /// Values of B in half 1 and of A in half 2, the most frequent first: scans end sooner.
    frequent: [Vec<u32>; 2],
    /// Seats that nobody asks about, in order, with their free places.
    rest: Vec<(Seat, usize)>,
    /// For a side: its first seat and that seat's free places.
    split: Option<(Seat, usize)>,
    /// The random words that [`TableDealer::complete_deal`] takes where nobody cares how C and D share the rest.
    words_of_rest: usize,
    /// Whether B has no features, so that what completes a row is a value of A alone, and each has its list.
    alone: bool,
    completing: Completing,
    /// Whether there is a second tracked hand.
    has_b: bool,
    /// The same deals drawn faster, where only lengths of one hand are asked for.
    pub(crate) lengths: Option<LengthDealer>,
}

/// What is decided about a deal before its cards are laid out, and the random words that tell the cards.
///
/// Finding it is a chain of searches whose ends cannot be foreseen. Laying out the cards is not, so it is done for several
/// deals together, and one does not wait for the searches of the next.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pair: &'a Pair,
    /// For each pile the way in which A and B get their features, and the word for its patterns and spots.
    choices: [&'a Choice; MOST_PILES],
    words: [u64; MOST_PILES],
    /// What C takes, if C and D have a sharing.
    shape: Taken,
}

const MOST_PILES: usize = 4;

impl TableDealer {
    pub(crate) fn new(draft: Draft, meter: &Meter<'_>) -> Result<TableDealer, GaveUp> {
        let estimate = draft.estimate(meter)?;
        let tables = meter.commit(&estimate, || pairs::build(&draft, meter))?;
        let layout = &draft.layout;
        let places = |seat: Seat| 13 - layout.fixed[seat].len();
        let tracked: Vec<Seat> = layout.seats[..2].iter().flatten().copied().collect();
        let rest: Vec<(Seat, usize)> = Seat::ALL
            .into_iter()
            .filter(|seat| !tracked.contains(seat))
            .map(|seat| (seat, places(seat)))
            .collect();
        let split = (layout.seats[0].len() == 2).then(|| {
            let seat = layout.seats[0][0];
            (seat, places(seat))
        });
        let side: Vec<(Seat, usize)> = layout.seats[0]
            .iter()
            .map(|&seat| (seat, places(seat)))
            .collect();
        let words_of_side = if split.is_some() {
            words_of_hands(&side)
        } else {
            0
        };
        let mut dealer = TableDealer {
            has_b: !layout.seats[1].is_empty(),
            alone: false,
            completing: Completing::default(),
            words_of_rest: words_of_side + words_of_hands(&rest),
            estimate,
            guide: Guide::new(&tables.rows),
            subsets: Subsets::shared(),
            frequent: Default::default(),
            rest,
            split,
            tables,
            draft,
            lengths: None,
        };
        dealer.find_frequent();
        dealer.completing = Completing::new(&dealer.draft, &dealer.tables, &dealer.frequent[1]);
        let mut halves = dealer.draft.halves.iter();
        dealer.alone = dealer.completing.is_exact() && halves.all(|half| half.size()[1] == 1);
        dealer.lengths = LengthDealer::of(&dealer);
        Ok(dealer)
    }

    /// Searches go through all values again, also those that complete nothing.
    #[cfg(test)]
    pub(crate) fn forget_lists(&mut self) {
        self.completing = Completing::all(&self.draft, &self.tables, &self.frequent[1]);
        self.alone = false;
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

    /// The hands A and B can take the free cards in this many ways (times the ways of C and D where
    /// their lengths matter).
    pub(crate) fn total(&self) -> u128 {
        self.tables.total()
    }

    /// A deal, each of those that satisfy the conditions exactly equally likely. There must be one.
    #[inline(always)]
    pub(crate) fn draw(&self, lay: impl Lay, words: &mut impl Words) -> Deal {
        let mut found = self.nothing_found();
        self.find(words, &mut found);
        self.lay_out(lay, words, &found)
    }

    /// Room for [`TableDealer::find`].
    pub(crate) fn nothing_found(&self) -> Found<'_> {
        Found {
            pair: &self.tables.pairs[0],
            choices: [&Choice::NOTHING; MOST_PILES],
            words: [0; MOST_PILES],
            shape: Taken::default(),
        }
    }

    /// Draws what the deal has: a pair of shapes, features, and how they come about. It is written in place, because
    /// reading back many small writes as a few large ones takes long.
    #[inline(always)]
    pub(crate) fn find<'a>(&'a self, words: &mut impl Words, found: &mut Found<'a>) {
        let number = below_wide(words, self.total());
        let (row, before) = self.guide.find(&self.tables.rows, number);
        let pair = &self.tables.pairs[row.pair as usize];
        let (x, y) = (
            row.x as usize,
            self.draw_y(row, pair, number - before, row.end - before),
        );
        let (other_x, other_y) = self.draw_completion(words, row, pair, y);
        found.pair = pair;
        self.draw_half(words, 0, (x, y), found);
        self.draw_half(words, 1, (other_x, other_y), found);
        if pair.sharing != NONE {
            let sharing = &self.tables.sharings[pair.sharing as usize];
            let number = words.below(sharing.ways());
            let place = sharing.shapes.partition_point(|&(_, end)| end <= number);
            found.shape = sharing.shapes[place].0;
        }
    }

    /// The random words that [`TableDealer::lay_out`] takes, unless one has to be drawn again.
    #[inline(always)]
    pub(crate) fn words_to_lay_out(&self, found: &Found<'_>) -> usize {
        let pair = found.pair;
        if pair.sharing == NONE {
            return self.words_of_rest;
        }
        let piles = self.draft.piles.iter().enumerate();
        piles
            .map(|(place, pile)| {
                let size = pile.size - usize::from(pair.a[place]) - usize::from(pair.b[place]);
                let count = usize::from(found.shape[place]);
                usize::from(count != 0 && count != size) * Subsets::words(size)
            })
            .sum()
    }

    /// No deal takes more random words than this, unless one has to be drawn again.
    pub(crate) fn most_words(&self) -> usize {
        /// Two for the row, one for what completes it, one for each half, one for how the others share.
        const SEARCHES: usize = 6;
        SEARCHES + 2 * MOST_PILES + self.words_of_rest.max(MOST_PILES * Subsets::words(26))
    }

    /// Lays out the cards.
    #[inline(always)]
    pub(crate) fn lay_out(&self, lay: impl Lay, words: &mut impl Words, found: &Found<'_>) -> Deal {
        let mut taken = [0u64; 2];
        for place in 0..self.draft.piles.len() {
            self.lay_pile(lay, place, found, &mut taken);
        }
        self.complete_deal(lay, words, found, taken)
    }

    /// `number` is uniform below the row's weight, so it serves for the choice of y as well.
    #[inline(always)]
    fn draw_y(&self, row: &Row, pair: &Pair, mut number: u128, weight: u128) -> usize {
        let [_, width] = self.draft.halves[0].size();
        if width == 1 {
            return 0;
        }
        let ways = &self.tables.ways[row.ways as usize..][..width];
        let rest = &self.tables.completions[row.completions as usize..][..width];
        let mut last = 0;
        if let (Ok(_), Ok(mut number)) = (u64::try_from(weight), u64::try_from(number)) {
            // No weight is larger than that of the row.
            for &y in &self.frequent[0] {
                let y = y as usize;
                let weight = ways[y] * rest[y] * pair.factor;
                if number < weight {
                    return y;
                }
                number -= weight;
                last = y;
            }
            return last;
        }
        let factor = u128::from(pair.factor);
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
        row: &Row,
        pair: &Pair,
        y: usize,
    ) -> (usize, usize) {
        let x = row.x as usize;
        let mut number = words.below(self.tables.completions[row.completions as usize + y]);
        let matrix = &self.tables.matrices[pair.matrix as usize];
        let [_, columns] = self.draft.halves[1].size();
        let sums = &self.tables.sums[pair.sums as usize..];
        let others = self.completing.of(pair.matrix, x);
        if self.alone {
            // The same as below with one column and one run.
            for &other in others {
                let weight = sums[2 * other as usize + 1];
                if number < weight {
                    return (other as usize, 0);
                }
                number -= weight;
            }
            return (0, 0);
        }
        let totals = self.draft.totals[0].with(x);
        for &other in others {
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

    /// Draws the features of the piles of a half, and how they come about.
    #[inline(always)]
    fn draw_half<'a>(
        &'a self,
        words: &mut impl Words,
        number: usize,
        (x, y): (usize, usize),
        found: &mut Found<'a>,
    ) {
        let half = &self.draft.halves[number];
        let (first, second) = half.piles;
        let cell = self.cell(first, found.pair);
        let Some(second) = second else {
            let (x, y) = (half.alone(0, x), half.alone(1, y));
            draw_choice(words, cell, cell.ways(x, y), first, found);
            return;
        };
        let (rests_x, rests_y) = (half.rests(0, x), half.rests(1, y));
        let other = self.cell(second, found.pair);
        let mut left = words.below(self.ways(number, found.pair, x, y));
        for entry in &cell.entries {
            let ways = other.ways(rests_x[entry.x as usize], rests_y[entry.y as usize]);
            let weight = entry.ways.weight * ways.weight;
            if left < weight {
                draw_choice(words, cell, entry.ways, first, found);
                draw_choice(words, other, ways, second, found);
                return;
            }
            left -= weight;
        }
    }

    #[inline(always)]
    pub(crate) fn cell(&self, place: usize, pair: &Pair) -> &Cell {
        self.draft.cells[place].get(pair.a[place], pair.b[place])
    }

    /// The number of ways to get these features in a half.
    #[inline(always)]
    pub(crate) fn ways(&self, half: usize, pair: &Pair, x: usize, y: usize) -> u64 {
        let [_, columns] = self.draft.halves[half].size();
        if half == 0 {
            return self.tables.ways[pair.first as usize + x * columns + y];
        }
        let row = &self.tables.sums[pair.sums as usize + x * (columns + 1)..];
        row[y + 1] - row[y]
    }

    /// The cards that A and B take from a pile, given how they get their features in it.
    #[inline(always)]
    fn lay_pile(&self, lay: impl Lay, place: usize, found: &Found<'_>, taken: &mut [u64; 2]) {
        let (choice, pair) = (found.choices[place], found.pair);
        let pile = &self.draft.piles[place];
        let [pattern, one, other] = split(found.words[place], choice.bounds);
        let [marks_a, marks_b] = pile.patterns[choice.first as usize + pattern as usize];
        let (a, b) = (usize::from(pair.a[place]), usize::from(pair.b[place]));
        let spots = pile.spot_count;
        let wanted = a - usize::from(choice.marks[0]);
        let spots_a = self.chosen(lay, spots, wanted, one, pile.spots);
        let cards_a = marks_a | spots_a;
        taken[0] |= pile.place(cards_a);
        if !self.has_b {
            return;
        }
        let cards_b = if pile.splits_b {
            let left = pile.spots & !spots_a;
            let wanted_b = b - usize::from(choice.marks[1]);
            marks_b | self.chosen(lay, spots - wanted, wanted_b, other, left)
        } else {
            self.chosen(lay, pile.size - a, b, other, pile.cards & !cards_a)
        };
        taken[1] |= pile.place(cards_b);
    }

    /// Subset number `index` of `count` out of the `size` positions of a mask.
    #[inline(always)]
    fn chosen(&self, lay: impl Lay, size: usize, count: usize, index: u64, mask: u32) -> u32 {
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
        found: &Found<'_>,
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
        if found.pair.sharing != NONE {
            let cards = self.share(lay, words, &found.shape, left);
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

    /// What C takes of the cards left, by its shape.
    #[inline(always)]
    fn share(&self, lay: impl Lay, words: &mut impl Words, shape: &Taken, left: u64) -> u64 {
        let mut cards = 0;
        for (pile, &count) in self.draft.piles.iter().zip(shape) {
            let pile = left & pile.place(pile.cards);
            cards |= self.some_of(lay, words, pile, usize::from(count));
        }
        cards
    }
}

/// Draws one of the ways, and the word that tells the patterns and spots of it.
#[inline(always)]
fn draw_choice<'a>(
    words: &mut impl Words,
    cell: &'a Cell,
    ways: Ways,
    place: usize,
    found: &mut Found<'a>,
) {
    let number = words.below_if(ways.choices > 1, ways.weight);
    let choice = cell.choice(ways, number);
    found.choices[place] = choice;
    found.words[place] = word_for(words, choice.weight);
}

/// The random words for the cards of hands that nobody asks about: as many as [`TableDealer::some_of`] takes.
fn words_of_hands(rest: &[(Seat, usize)]) -> usize {
    let mut left: usize = rest.iter().map(|&(_, places)| places).sum();
    let hands = rest.iter().map(|&(_, places)| {
        let size = left;
        left -= places;
        usize::from(places != 0 && places != size) * Subsets::words(size)
    });
    hands.sum()
}
