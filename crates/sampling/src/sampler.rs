//! The sampler: counts the deals that satisfy conditions, and draws exactly uniformly from them.

use cards::{BySeat, Deal, Seat};
use shuffle::{BlockWords, Key, RandomWords, Stream};

use crate::binomial::{arrangements, choose};
use crate::count::{Count, CountUnit};
use crate::drawing::alternatives::Alternatives;
use crate::drawing::dealer::TableDealer;
#[cfg(target_arch = "x86_64")]
use crate::drawing::deposit::Pdep;
use crate::drawing::deposit::{Deposit, Portable};
use crate::drawing::lookahead::{self, LookaheadWords};
use crate::points::PointDealer;
use crate::problem::filter::Prepared;
use crate::problem::{Formula, Problem};
use crate::setup::budget::{Budget, CostMeter, SetupCost, SetupError};
use crate::setup::choice;
use crate::setup::draft::Draft;
use crate::setup::layout::{Layout, Tracked};
use crate::setup::needs::Needs;
use crate::tables::half::NONE;

/// Number of candidates in a block, which share a stream of random words.
pub const BLOCK: u64 = 1024;

/// Counts the deals that satisfy a problem's conditions, and draws from them.
pub struct Sampler {
    core: Option<Backend>,
    count: Count,
    covered: Vec<bool>,
    tracked: Tracked,
}

/// The method that counts and draws.
enum Backend {
    Tables(Box<TableDealer>),
    Points(PointDealer),
    Alternatives(Box<Alternatives>),
}

impl Backend {
    /// Draws a deal. Returns `None` if one of several alternatives gave a deal that belongs to another.
    #[inline(always)]
    fn draw(&self, deposit: impl Deposit, words: &mut impl RandomWords) -> Option<Deal> {
        match self {
            Backend::Tables(dealer) => Some(dealer.draw(deposit, words)),
            Backend::Points(points) => Some(points.draw(deposit, words)),
            Backend::Alternatives(alternatives) => alternatives.candidate(words),
        }
    }

    /// Compiles [`Backend::draw`] for processors that have these instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn draw_with_pdep(&self, pdep: Pdep, words: &mut impl RandomWords) -> Option<Deal> {
        self.draw(pdep, words)
    }

    /// Calls `push` with the results of [`BLOCK`] calls of [`Backend::draw`].
    #[inline(always)]
    fn draw_block(
        &self,
        deposit: impl Deposit,
        words: &mut LookaheadWords,
        mut push: impl FnMut(Option<Deal>),
    ) {
        let count = BLOCK as usize;
        match self {
            Backend::Tables(dealer) => match &dealer.lengths {
                Some(lengths) => {
                    lengths.deals(dealer, deposit, words, count, |deal| push(Some(deal)));
                }
                None => lookahead::deals(dealer, deposit, words, count, |deal| push(Some(deal))),
            },
            _ => (0..count).for_each(|_| push(self.draw(deposit, words))),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn draw_block_with_pdep(
        &self,
        pdep: Pdep,
        words: &mut LookaheadWords,
        push: impl FnMut(Option<Deal>),
    ) {
        self.draw_block(pdep, words, push);
    }
}

impl Sampler {
    /// Creates a sampler for as much of the problem as the budget allows.
    ///
    /// # Errors
    /// Returns an error if nothing useful fits the budget.
    pub fn new(problem: &Problem, budget: Budget) -> Result<Sampler, SetupError> {
        Sampler::with_meter(problem, &CostMeter::new(budget))
    }

    /// Creates a sampler with a meter, which several set-ups can share and which can stop them. Unless it is stopped,
    /// the result depends only on the problem and the budget.
    ///
    /// # Errors
    /// Returns an error if nothing useful fits the rest of the budget, or if the set-up was stopped.
    pub fn with_meter(problem: &Problem, meter: &CostMeter<'_>) -> Result<Sampler, SetupError> {
        let prepared = Prepared::new(problem, meter)?;
        if prepared.impossible {
            return Ok(Sampler::impossible(&prepared));
        }
        let sampler = choice::choose(&prepared, meter)?;
        match problem.is_covered_by(&sampler.covered) {
            true => Ok(sampler),
            false => Err(SetupError::TooExpensive),
        }
    }

    /// Creates a sampler for use with [`Sampler::candidates`]. If the tables cannot express a disjunction, each of its
    /// alternatives may get its own sampler, provided that candidates become rarer. Then [`Sampler::count`] counts a
    /// deal once for each alternative that it satisfies.
    ///
    /// # Errors
    /// Returns an error if nothing useful fits the rest of the budget, or if the set-up was stopped.
    pub fn with_alternatives(
        problem: &Problem,
        meter: &CostMeter<'_>,
    ) -> Result<Sampler, SetupError> {
        /// Alternatives are used only if they reduce the probability of candidates at least by this factor.
        const MAX_RATIO: f64 = 0.7;
        /// All alternatives together cost about as much as the whole problem. With less than this share of the budget
        /// left they are not tried.
        const MIN_BUDGET_SHARE: f64 = 0.6;
        let splits = |formula: &Formula| matches!(formula, Formula::Any(list) if list.len() > 1);
        let share = match problem.conjuncts.iter().any(splits) {
            true => 0.7 * meter.left(),
            false => meter.left(),
        };
        let sampler = meter.at_most(share, || Sampler::with_meter(problem, meter));
        let whole = match sampler {
            Ok(sampler) if sampler.is_complete() => return Ok(sampler),
            Err(SetupError::Stopped) => return Err(SetupError::Stopped),
            other => other.ok(),
        };
        let open = |number: usize| whole.as_ref().is_none_or(|whole| !whole.covered[number]);
        let disjunction = |(number, formula): (usize, &Formula)| {
            (splits(formula) && open(number)).then_some(number)
        };
        let conjuncts = problem.conjuncts.iter().enumerate();
        let Some(number) = conjuncts.into_iter().find_map(disjunction) else {
            return whole.ok_or(SetupError::TooExpensive);
        };
        if meter.left() < MIN_BUDGET_SHARE * meter.spent() {
            return whole.ok_or(SetupError::TooExpensive);
        }
        let alternatives = match Alternatives::new(problem, number, meter) {
            Ok(alternatives) => alternatives,
            Err(SetupError::Stopped) => return Err(SetupError::Stopped),
            Err(SetupError::TooExpensive) => return whole.ok_or(SetupError::TooExpensive),
        };
        let split = alternatives.count().probability();
        match whole {
            Some(whole) if split > MAX_RATIO * whole.count().probability() => Ok(whole),
            // Each alternative has its own sampler, which covers at least the conditions that must be covered.
            _ => Ok(Sampler {
                covered: (0..problem.conjuncts.len())
                    .map(|number| problem.must_cover.contains(&number))
                    .collect(),
                tracked: Tracked::One(Seat::North),
                count: alternatives.count(),
                core: (alternatives.count().hits() > 0)
                    .then(|| Backend::Alternatives(Box::new(alternatives))),
            }),
        }
    }

    /// Creates a sampler with given tracked hands. `order` permutes the suits within the tables, and `merge` allows two
    /// suits in one pile; neither changes any count.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded.
    pub fn tracking(
        problem: &Problem,
        tracked: Tracked,
        order: usize,
        merge: bool,
        budget: Budget,
    ) -> Result<Sampler, SetupError> {
        let meter = &CostMeter::new(budget);
        let prepared = Prepared::new(problem, meter)?;
        if prepared.impossible {
            return Ok(Sampler::impossible(&prepared));
        }
        let layout = Layout::new(&prepared, tracked, Needs::ALL);
        Sampler::build(&prepared, layout, (order, merge), meter)
    }

    /// Creates a sampler for conditions that no deal satisfies.
    pub(crate) fn impossible(prepared: &Prepared<'_>) -> Sampler {
        let count = Count::new(0, all_deals(prepared), CountUnit::Deals);
        Sampler {
            core: None,
            count,
            covered: vec![true; prepared.problem.conjuncts.len()],
            tracked: Tracked::One(Seat::North),
        }
    }

    /// Creates a sampler that follows the points of all four hands, if that is possible.
    pub(crate) fn by_points(
        prepared: &Prepared<'_>,
        meter: &CostMeter<'_>,
    ) -> Result<Sampler, SetupError> {
        let points = PointDealer::new(prepared, meter)?;
        let count = Count::new(points.total(), all_deals(prepared), CountUnit::Deals);
        let conjuncts = prepared.problem.conjuncts.iter();
        Ok(Sampler {
            covered: conjuncts.map(|conjunct| !conjunct.has_unknown()).collect(),
            tracked: Tracked::Points,
            core: (count.hits() > 0).then_some(Backend::Points(points)),
            count,
        })
    }

    pub(crate) fn build(
        prepared: &Prepared<'_>,
        layout: Layout,
        (order, merge): (usize, bool),
        meter: &CostMeter<'_>,
    ) -> Result<Sampler, SetupError> {
        let draft = Draft::new(layout, merge, order, meter)?;
        let dealer = TableDealer::new(draft, meter)?;
        let count = count(prepared, &dealer);
        Ok(Sampler {
            covered: dealer.draft.layout.covered.clone(),
            tracked: dealer.draft.layout.tracked,
            core: (count.hits() > 0).then(|| Backend::Tables(Box::new(dealer))),
            count,
        })
    }

    /// Returns the exact number of deals (or hands) that satisfy the covered conditions.
    #[must_use]
    pub fn count(&self) -> Count {
        self.count
    }

    /// Returns whether every condition is covered. If not, [`Sampler::count`] is an upper bound, and you must test the
    /// deals for the other conditions.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.covered.iter().all(|&covered| covered)
    }

    /// Returns for each condition, in the order of [`Problem::require`], whether the sampler covers it fully.
    #[must_use]
    pub fn covered(&self) -> &[bool] {
        &self.covered
    }

    /// Returns the hands that the tables follow.
    #[must_use]
    pub fn tracked(&self) -> Tracked {
        self.tracked
    }

    /// Returns the estimated cost of the set-up.
    #[must_use]
    pub fn estimate(&self) -> Option<SetupCost> {
        match self.core.as_ref()? {
            Backend::Tables(dealer) => Some(dealer.estimate),
            Backend::Points(_) | Backend::Alternatives(_) => None,
        }
    }

    /// Returns the memory of the tables, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.core {
            None => 0,
            Some(Backend::Tables(dealer)) => dealer.tables.bytes(),
            Some(Backend::Points(points)) => points.bytes(),
            Some(Backend::Alternatives(alternatives)) => alternatives.bytes(),
        }
    }

    /// Draws a deal that satisfies the covered conditions, all exactly equally likely; `None` if there is none.
    #[inline]
    pub fn draw(&self, words: &mut impl RandomWords) -> Option<Deal> {
        let core = self.core.as_ref()?;
        loop {
            // Only alternatives ever need a second try.
            if let Some(deal) = self.candidate_of(core, words) {
                return Some(deal);
            }
        }
    }

    #[inline]
    fn candidate_of(&self, core: &Backend, words: &mut impl RandomWords) -> Option<Deal> {
        #[cfg(target_arch = "x86_64")]
        if let Some(pdep) = Pdep::find() {
            // SAFETY: a Pdep exists only where the processor has these instructions.
            return unsafe { core.draw_with_pdep(pdep, words) };
        }
        core.draw(Portable::new(), words)
    }

    /// Returns the exact number of deals that satisfy the covered conditions.
    #[must_use]
    pub fn deals(&self) -> u128 {
        match &self.core {
            None => 0,
            Some(Backend::Tables(dealer)) => dealer.total() * completions(dealer),
            Some(Backend::Points(points)) => points.total(),
            Some(Backend::Alternatives(alternatives)) => alternatives.count().hits(),
        }
    }

    /// Writes the 1024 deals of a block, which depend only on the key, the number of the block and the problem. Writes
    /// nothing if no deal satisfies the conditions.
    pub fn block(&self, key: &Key, block: u64, into: &mut Vec<Deal>) {
        into.clear();
        match &self.core {
            None => (),
            // Only alternatives can give a candidate without a deal.
            Some(Backend::Alternatives(_)) => {
                let mut words = BlockWords::new(Stream::Sampler, key, block);
                into.extend((0..BLOCK).map_while(|_| self.draw(&mut words)));
            }
            Some(core) => {
                into.reserve(BLOCK as usize);
                self.candidates_of(core, key, block, |deal| {
                    if let Some(deal) = deal {
                        into.push(deal);
                    }
                });
            }
        }
    }

    /// Writes the 1024 candidates of a block: deals that satisfy the covered conditions, or `None` for a candidate that
    /// counts as a deal that plain dealing would have rejected. A candidate has the probability of [`Sampler::count`].
    /// Only a sampler made by [`Sampler::with_alternatives`] gives `None`.
    pub fn candidates(&self, key: &Key, block: u64, into: &mut Vec<Option<Deal>>) {
        into.clear();
        if let Some(core) = &self.core {
            into.reserve(BLOCK as usize);
            self.candidates_of(core, key, block, |deal| into.push(deal));
        }
    }

    fn candidates_of(&self, core: &Backend, key: &Key, block: u64, push: impl FnMut(Option<Deal>)) {
        let mut words = LookaheadWords::new(BlockWords::new(Stream::Sampler, key, block));
        #[cfg(target_arch = "x86_64")]
        if let Some(pdep) = Pdep::find() {
            // SAFETY: a Pdep exists only where the processor has these instructions.
            return unsafe { core.draw_block_with_pdep(pdep, &mut words, push) };
        }
        core.draw_block(Portable::new(), &mut words, push);
    }

    /// Returns deal number `number` of a key.
    #[must_use]
    pub fn sample(&self, key: &Key, number: u64) -> Option<Deal> {
        let mut words = BlockWords::new(Stream::Sampler, key, number / BLOCK);
        let before = number % BLOCK;
        (0..before).try_for_each(|_| self.draw(&mut words).map(|_| ()))?;
        self.draw(&mut words)
    }
}

fn places_before(prepared: &Prepared<'_>) -> BySeat<usize> {
    prepared.problem.fixed.map(|hand| 13 - hand.len())
}

fn all_deals(prepared: &Prepared<'_>) -> u128 {
    arrangements(places_before(prepared))
}

/// Returns the count in the smallest unit that is exact.
fn count(prepared: &Prepared<'_>, dealer: &TableDealer) -> Count {
    let layout = &dealer.draft.layout;
    let before = places_before(prepared);
    let free = before.total();
    let extra_elsewhere = |mine: &[Seat]| {
        let others = Seat::ALL.into_iter().filter(|seat| !mine.contains(seat));
        others.into_iter().any(|seat| prepared.holds_more(seat))
    };
    let total = dealer.total();
    match layout.tracked {
        Tracked::One(a) if !extra_elsewhere(&[a]) => {
            let all = choose(free, before[a]);
            return Count::new(total, u128::from(all), CountUnit::Hands(a));
        }
        Tracked::Two(a, b) if !shares(dealer) && !extra_elsewhere(&[a, b]) => {
            let [of_a, of_b] = [a, b].map(|seat| before[seat]);
            let all = u128::from(choose(free, of_a)) * u128::from(choose(free - of_a, of_b));
            return Count::new(total, all, CountUnit::Pairs(a, b));
        }
        Tracked::Side(side) if !extra_elsewhere(&[]) => {
            let cards = side.seats().map(|seat| before[seat]).iter().sum();
            let all = choose(free, cards);
            return Count::new(total, u128::from(all), CountUnit::SideCards(side));
        }
        _ => (),
    }
    Count::new(
        total * completions(dealer),
        all_deals(prepared),
        CountUnit::Deals,
    )
}

fn shares(dealer: &TableDealer) -> bool {
    let pairs = &dealer.tables.pairs;
    pairs.first().is_some_and(|pair| pair.sharing != NONE)
}

/// Returns the number of deals for each set of tracked cards.
fn completions(dealer: &TableDealer) -> u128 {
    let layout = &dealer.draft.layout;
    if shares(dealer) {
        return 1;
    }
    let places = |seat: Seat| 13 - layout.fixed[seat].len();
    let mut rest = BySeat([0; 4]);
    for seat in Seat::ALL {
        if !layout.seats[0].contains(&seat) && !layout.seats[1].contains(&seat) {
            rest[seat] = places(seat);
        }
    }
    let split = match layout.seats[0][..] {
        [one, other] => choose(places(one) + places(other), places(one)),
        _ => 1,
    };
    arrangements(rest) * u128::from(split)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::feature::SuitFunction;
    use cards::Suit;

    /// Returns the problem that North has six or more spades and 10-12 points.
    fn weak_two() -> Problem {
        let mut problem = Problem::new();
        let spades = problem.length(Seat::North, Suit::Spades);
        let points = problem.points(Seat::North, SuitFunction::hcp());
        problem.require(Formula::between(spades, 6, 13));
        problem.require(Formula::between(points, 10, 12));
        problem
    }

    fn dealer(spoil: Option<u64>) -> TableDealer {
        let problem = weak_two();
        let meter = CostMeter::new(Budget::default());
        let prepared = Prepared::new(&problem, &meter).unwrap();
        let layout = Layout::new(&prepared, Tracked::One(Seat::North), Needs::ALL);
        let mut draft = Draft::new(layout, true, 0, &meter).unwrap_or_else(|_| unreachable!());
        if let Some(parts) = spoil {
            // The largest entry of six spades.
            let spades = draft
                .piles
                .iter()
                .position(|pile| pile.suits == [Suit::Spades]);
            draft.cells[spades.unwrap()].list[0].spoil(parts);
        }
        TableDealer::new(draft, &meter).unwrap_or_else(|_| unreachable!())
    }

    #[test]
    fn a_wrong_weight_changes_the_count() {
        assert_eq!(dealer(None).total(), 8_973_193_160);
        assert_ne!(dealer(Some(100)).total(), 8_973_193_160);
    }

    /// Returns the sum of (observed - expected)^2 / expected over spade lengths 6 to 9 and longer; the shares are
    /// those of the exact counts of each length.
    fn chi_square(dealer: &TableDealer) -> f64 {
        let exact = [7_156_885_014u64, 1_575_717_174, 220_529_880, 19_063_926];
        let all = 8_973_193_160u64;
        let mut words = BlockWords::new(Stream::Sampler, &Key::from_seed(16), 0);
        let draws = 200_000;
        let mut seen = [0u32; 5];
        for _ in 0..draws {
            let spades = dealer.draw(Portable::new(), &mut words)[Seat::North]
                .holding(Suit::Spades)
                .len();
            seen[(spades - 6).min(4)] += 1;
        }
        let rest = all - exact.iter().sum::<u64>();
        let shares = exact.iter().copied().chain([rest]);
        shares
            .zip(seen)
            .map(|(share, seen)| {
                let expected = share as f64 / all as f64 * f64::from(draws);
                (f64::from(seen) - expected).powi(2) / expected
            })
            .sum()
    }

    /// A chi-square with four degrees of freedom exceeds 33 once in a million runs.
    #[test]
    fn a_wrong_weight_changes_the_deals() {
        assert!(chi_square(&dealer(None)) < 33.0);
        assert!(chi_square(&dealer(Some(2))) > 33.0);
    }
}
