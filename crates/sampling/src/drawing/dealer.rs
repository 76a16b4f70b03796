//! Draws a deal from the tables.

use cards::{BySeat, CardSet, Deal, Seat};
use shuffle::RandomWords;

use crate::drawing::completion_lists::CompletionLists;
use crate::drawing::deposit::Deposit;
use crate::drawing::draws::{below_wide, split, word_for};
use crate::drawing::guide::Guide;
use crate::drawing::lengths::LengthDealer;
use crate::drawing::subsets::Subsets;
use crate::setup::budget::{CostMeter, SetupCost, SetupError};
use crate::setup::draft::Draft;
use crate::tables::cell::{Cell, Choice, Ways};
use crate::tables::half::NONE;
use crate::tables::pairs::{self, Pair, Row, Tables};
use crate::tables::shape::Taken;

/// Counts and draws the deals of one layout.
pub(crate) struct TableDealer {
    pub(crate) draft: Draft,
    pub(crate) tables: Tables,
    pub(crate) estimate: SetupCost,
    guide: Guide,
    subsets: &'static Subsets,
    /// Values of B in half 1 and of A in half 2, the most frequent first, so that scans are short.
    frequent: [Vec<u32>; 2],
    /// Seats that no condition is about, in order, with their free places.
    rest: Vec<(Seat, usize)>,
    /// For a side: its first seat and that seat's free places.
    split: Option<(Seat, usize)>,
    /// Number of random words that [`TableDealer::complete_deal`] takes if no condition is about C and D.
    words_of_rest: usize,
    /// Whether B has no features. Then a row is completed by a value of A alone, and each has its list.
    alone: bool,
    completion_lists: CompletionLists,
    /// Whether there is a second tracked hand.
    has_b: bool,
    /// A faster dealer for the same deals, if only lengths of one hand matter.
    pub(crate) lengths: Option<LengthDealer>,
}

/// The choices for a deal before its cards are laid out, and the random words that select the cards.
///
/// Making the choices is a chain of searches with unpredictable branches. Laying out the cards is not, so it is done
/// for several deals together and does not wait for the searches of the next deal.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pair: &'a Pair,
    /// For each pile, the group of patterns, and the word that selects pattern and spots.
    choices: [&'a Choice; MAX_PILES],
    words: [u64; MAX_PILES],
    /// The cards that C takes from each pile, if a condition depends on the lengths of C or D.
    shape: Taken,
}

const MAX_PILES: usize = 4;

impl TableDealer {
    pub(crate) fn new(draft: Draft, meter: &CostMeter<'_>) -> Result<TableDealer, SetupError> {
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
            completion_lists: CompletionLists::default(),
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
        dealer.completion_lists =
            CompletionLists::new(&dealer.draft, &dealer.tables, &dealer.frequent[1]);
        let mut halves = dealer.draft.halves.iter();
        dealer.alone = dealer.completion_lists.is_exact() && halves.all(|half| half.size()[1] == 1);
        dealer.lengths = LengthDealer::of(&dealer);
        Ok(dealer)
    }

    /// Makes searches scan all values, including those that cannot be completed to a deal. Tests compare both ways.
    #[cfg(test)]
    pub(crate) fn forget_lists(&mut self) {
        self.completion_lists = CompletionLists::all(&self.draft, &self.tables, &self.frequent[1]);
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

    /// Returns the number of ways in which A and B can take the free cards, times the number of ways of C and D if a
    /// condition depends on their lengths.
    pub(crate) fn total(&self) -> u128 {
        self.tables.total()
    }

    /// Draws a deal, all exactly equally likely. There must be one.
    #[inline(always)]
    pub(crate) fn draw(&self, deposit: impl Deposit, words: &mut impl RandomWords) -> Deal {
        let mut found = self.nothing_found();
        self.find(words, &mut found);
        self.lay_out(deposit, words, &found)
    }

    /// Returns an empty value for [`TableDealer::find`].
    pub(crate) fn nothing_found(&self) -> Found<'_> {
        Found {
            pair: &self.tables.pairs[0],
            choices: [&Choice::NOTHING; MAX_PILES],
            words: [0; MAX_PILES],
            shape: Taken::default(),
        }
    }

    /// Draws the pair of shapes, the features, and the groups that give them. Writes into `found`, because returning it
    /// would copy many small fields.
    #[inline(always)]
    pub(crate) fn find<'a>(&'a self, words: &mut impl RandomWords, found: &mut Found<'a>) {
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

    /// Returns the number of random words that [`TableDealer::lay_out`] takes, unless one is rejected.
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

    /// Returns the largest number of random words of a deal, unless one is rejected.
    pub(crate) fn max_words(&self) -> usize {
        /// Two for the row, one for its completion, one for each half, one for the sharing.
        const SEARCHES: usize = 6;
        SEARCHES + 2 * MAX_PILES + self.words_of_rest.max(MAX_PILES * Subsets::words(26))
    }

    /// Lays out the cards.
    #[inline(always)]
    pub(crate) fn lay_out(
        &self,
        deposit: impl Deposit,
        words: &mut impl RandomWords,
        found: &Found<'_>,
    ) -> Deal {
        let mut taken = [0u64; 2];
        for place in 0..self.draft.piles.len() {
            self.lay_pile(deposit, place, found, &mut taken);
        }
        self.complete_deal(deposit, words, found, taken)
    }

    /// Draws y. `number` is uniform below the row's weight, so no further random word is needed.
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
            // No weight is larger than that of the row, so 64 bits are enough.
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
        words: &mut impl RandomWords,
        row: &Row,
        pair: &Pair,
        y: usize,
    ) -> (usize, usize) {
        let x = row.x as usize;
        let mut number = words.below(self.tables.completions[row.completions as usize + y]);
        let matrix = &self.tables.matrices[pair.matrix as usize];
        let [_, columns] = self.draft.halves[1].size();
        let sums = &self.tables.sums[pair.sums as usize..];
        let others = self.completion_lists.of(pair.matrix, x);
        if self.alone {
            // The loop below, for one column and one run.
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

    /// Draws the features of the piles of a half, and the groups that give them.
    #[inline(always)]
    fn draw_half<'a>(
        &'a self,
        words: &mut impl RandomWords,
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

    /// Returns the number of ways to get these features in a half.
    #[inline(always)]
    pub(crate) fn ways(&self, half: usize, pair: &Pair, x: usize, y: usize) -> u64 {
        let [_, columns] = self.draft.halves[half].size();
        if half == 0 {
            return self.tables.ways[pair.first as usize + x * columns + y];
        }
        let row = &self.tables.sums[pair.sums as usize + x * (columns + 1)..];
        row[y + 1] - row[y]
    }

    /// Adds the cards that A and B take from a pile, given their group of patterns in it.
    #[inline(always)]
    fn lay_pile(
        &self,
        deposit: impl Deposit,
        place: usize,
        found: &Found<'_>,
        taken: &mut [u64; 2],
    ) {
        let (choice, pair) = (found.choices[place], found.pair);
        let pile = &self.draft.piles[place];
        let [pattern, one, other] = split(found.words[place], choice.bounds);
        let [marks_a, marks_b] = pile.patterns[choice.first as usize + pattern as usize];
        let (a, b) = (usize::from(pair.a[place]), usize::from(pair.b[place]));
        let spots = pile.spot_count;
        let wanted = a - usize::from(choice.marks[0]);
        let spots_a = self.chosen(deposit, spots, wanted, one, pile.spots);
        let cards_a = marks_a | spots_a;
        taken[0] |= pile.place(cards_a);
        if !self.has_b {
            return;
        }
        let cards_b = if pile.splits_b {
            let left = pile.spots & !spots_a;
            let wanted_b = b - usize::from(choice.marks[1]);
            marks_b | self.chosen(deposit, spots - wanted, wanted_b, other, left)
        } else {
            self.chosen(deposit, pile.size - a, b, other, pile.cards & !cards_a)
        };
        taken[1] |= pile.place(cards_b);
    }

    /// Returns subset number `index` of `count` of the `size` positions of a mask.
    #[inline(always)]
    fn chosen(
        &self,
        deposit: impl Deposit,
        size: usize,
        count: usize,
        index: u64,
        mask: u32,
    ) -> u32 {
        deposit.deposit(self.subsets.get(size, count, index), u64::from(mask)) as u32
    }

    /// Draws `count` of the cards of a mask, uniformly.
    #[inline(always)]
    fn some_of(
        &self,
        deposit: impl Deposit,
        words: &mut impl RandomWords,
        mask: u64,
        count: usize,
    ) -> u64 {
        let size = mask.count_ones() as usize;
        if count == 0 || count == size {
            return if count == 0 { 0 } else { mask };
        }
        deposit.deposit(self.subsets.some(words, size, count), mask)
    }

    #[inline(always)]
    fn complete_deal(
        &self,
        deposit: impl Deposit,
        words: &mut impl RandomWords,
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
                let cards = self.some_of(deposit, words, taken[0], places);
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
            let cards = self.share(deposit, words, &found.shape, left);
            give(&mut hands, layout.seats[2][0], cards);
            give(&mut hands, layout.seats[3][0], left & !cards);
            return Deal::from_valid_hands(hands.0);
        }
        for &(seat, places) in &self.rest {
            let cards = self.some_of(deposit, words, left, places);
            give(&mut hands, seat, cards);
            left &= !cards;
        }
        Deal::from_valid_hands(hands.0)
    }

    /// Draws the cards that C takes of those left, given its shape.
    #[inline(always)]
    fn share(
        &self,
        deposit: impl Deposit,
        words: &mut impl RandomWords,
        shape: &Taken,
        left: u64,
    ) -> u64 {
        let mut cards = 0;
        for (pile, &count) in self.draft.piles.iter().zip(shape) {
            let pile = left & pile.place(pile.cards);
            cards |= self.some_of(deposit, words, pile, usize::from(count));
        }
        cards
    }
}

/// Draws a group, and the word that selects its pattern and spots.
#[inline(always)]
fn draw_choice<'a>(
    words: &mut impl RandomWords,
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

/// Returns the number of random words that [`TableDealer::some_of`] takes to deal the hands that no condition is about.
fn words_of_hands(rest: &[(Seat, usize)]) -> usize {
    let mut left: usize = rest.iter().map(|&(_, places)| places).sum();
    let hands = rest.iter().map(|&(_, places)| {
        let size = left;
        left -= places;
        usize::from(places != 0 && places != size) * Subsets::words(size)
    });
    hands.sum()
}
