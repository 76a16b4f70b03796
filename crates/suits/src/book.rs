//! A table of the chances of all suit combinations.
//!
//! The table does not contain the combinations: they are those of the catalogue, in its order. All chances are
//! numerators over the number of ways to deal 26 cards to two hands. A record has a byte with the first number of
//! tricks that is not certain (low four bits), the number of chances between 0 and 1 that follow (three bits), and
//! whether the best average is below the sum of the chances (the highest bit); then a two-byte index for each of these
//! chances, and one for the difference. The indices refer to the list of all values at the start of the table: their
//! number in two bytes, and three bytes for each.

use std::cmp::Reverse;
use std::fmt;

use cards::{Holding, Rank};

use crate::catalogue::catalogue;
use crate::combination::Combination;
use crate::fraction::Fraction;
use crate::problem::{VacantPlaces, WeightedCombination, binomial};
use crate::solver::{SuitGoal, SuitSolution, SuitSolver};

/// The table, made by `examples/table.rs`.
const TABLE: &[u8] = include_bytes!("../data/chances.bin");

/// A combination of the catalogue with its chances if nothing is known of the other suits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// The combination.
    pub combination: Combination,
    /// Chances of the combination for each number of tricks.
    pub solution: SuitSolution,
}

impl CatalogueEntry {
    /// Returns the chances that are in doubt, and the last certain one: `3: 100, 4: 82.78, 5: 26.57`.
    #[must_use]
    pub fn chances_text(&self) -> String {
        let chances = &self.solution.chances;
        let is_certain = |chance: &&Fraction| **chance == Fraction::ONE;
        let certain = chances.iter().filter(is_certain).count();
        let all = chances.iter().zip(1..).skip(certain.saturating_sub(1));
        let shown = all.filter(|(chance, _)| **chance > Fraction::ZERO);
        let texts: Vec<String> = shown
            .map(|(chance, tricks)| match *chance == Fraction::ONE {
                true => format!("{tricks}: 100"),
                false => format!("{tricks}: {:.2}", chance.percent()),
            })
            .collect();
        texts.join(", ")
    }

    /// Computes the first play of the line with the best average; takes about a millisecond.
    #[must_use]
    pub fn best_play(&self) -> String {
        let problem = WeightedCombination::new(self.combination, VacantPlaces::default());
        let line = problem.ok().and_then(|problem| {
            let mut solver = SuitSolver::new(problem);
            solver.line(&SuitGoal::Average).ok()
        });
        line.map_or_else(String::new, |line| line.first_play())
    }
}

/// Ace, king, queen and jack.
const HONOURS: Holding = Holding(0b1_1110_0000_0000);

/// A kind of combinations. The default selects all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookSelection {
    /// The number of cards of both hands together.
    pub fit: Option<u8>,
    /// Exactly these of ace, king, queen and jack are missing.
    pub missing: Option<Holding>,
    /// The lengths of the two hands, in any order.
    pub split: Option<(u8, u8)>,
}

/// The reason why a text selects no combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BookSelectionError {
    /// A letter that is none of A, K, Q and J.
    NotAnHonour(char),
    /// Not two lengths such as `5-3`.
    NotTwoLengths(String),
}

impl fmt::Display for BookSelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookSelectionError::NotAnHonour(letter) => {
                write!(f, "{letter:?} is none of A, K, Q and J")
            }
            BookSelectionError::NotTwoLengths(text) => {
                write!(f, "{text:?} is not two lengths, for example 5-3")
            }
        }
    }
}

impl std::error::Error for BookSelectionError {}

impl BookSelection {
    /// Parses missing honours, such as `KQ`; `-` is none.
    ///
    /// # Errors
    /// If a letter is none of A, K, Q and J.
    pub fn honours(text: &str) -> Result<Holding, BookSelectionError> {
        let mut cards = Holding::EMPTY;
        for letter in text.chars().filter(|letter| *letter != '-') {
            let rank = Rank::from_letter(letter).filter(|&rank| HONOURS.contains(rank));
            cards.insert(rank.ok_or(BookSelectionError::NotAnHonour(letter))?);
        }
        Ok(cards)
    }

    /// Parses two lengths, such as `5-3`.
    ///
    /// # Errors
    /// If the text is not two lengths.
    pub fn lengths(text: &str) -> Result<(u8, u8), BookSelectionError> {
        let lengths = text
            .split_once('-')
            .and_then(|(one, other)| Some((one.trim().parse().ok()?, other.trim().parse().ok()?)));
        lengths.ok_or_else(|| BookSelectionError::NotTwoLengths(text.to_owned()))
    }

    fn includes(&self, combination: Combination) -> bool {
        let lengths = [combination.north().len(), combination.south().len()];
        let missing = combination.missing() & HONOURS;
        let is_fit = |fit: u8| combination.cards().len() == usize::from(fit);
        let is_split = |(one, other): (u8, u8)| {
            let wanted = [one, other].map(usize::from);
            lengths == wanted || lengths == [wanted[1], wanted[0]]
        };
        self.fit.is_none_or(is_fit)
            && self.missing.is_none_or(|honours| missing == honours)
            && self.split.is_none_or(is_split)
    }
}

/// The chances of all suit combinations.
#[derive(Clone, Debug)]
pub struct Book {
    entries: Vec<CatalogueEntry>,
}

fn total() -> u128 {
    binomial(26, 13)
}

/// Returns a fraction as a numerator over [`total`].
fn numerator(fraction: Fraction) -> u32 {
    (fraction.numerator() as u128 * total() / fraction.denominator()) as u32
}

impl Book {
    /// Reads the embedded table.
    #[must_use]
    pub fn shipped() -> Book {
        let mut reader = Reader { rest: TABLE };
        let values: Vec<u32> = (0..reader.number(2)).map(|_| reader.number(3)).collect();
        let entries = catalogue().into_iter().map(|combination| {
            let head = reader.number(1);
            let (certain, between) = ((head & 15) as usize - 1, head >> 4 & 7);
            let mut value = || {
                values
                    .get(reader.number(2) as usize)
                    .copied()
                    .unwrap_or(0)
                    .into()
            };
            let mut chances: Vec<u128> = vec![total(); certain];
            chances.extend((0..between).map(|_| value()));
            let difference = if head >> 7 == 1 { value() } else { 0 };
            chances.resize(combination.tricks(), 0);
            let average = chances.iter().sum::<u128>() - difference;
            let share = |numerator: u128| Fraction::share(numerator, total());
            let solution = SuitSolution {
                chances: chances.into_iter().map(share).collect(),
                average: share(average),
            };
            CatalogueEntry {
                combination,
                solution,
            }
        });
        Book {
            entries: entries.collect(),
        }
    }

    /// Returns the entries, in the order of the catalogue.
    #[must_use]
    pub fn entries(&self) -> &[CatalogueEntry] {
        &self.entries
    }

    /// Returns the entries of a kind in the order of printed tables: the longer fit first, then the higher honours, then the
    /// longer hand.
    #[must_use]
    pub fn select(&self, selection: BookSelection) -> Vec<&CatalogueEntry> {
        let entries = self.entries.iter();
        let mut entries: Vec<&CatalogueEntry> = entries
            .filter(|entry| selection.includes(entry.combination))
            .collect();
        entries.sort_by_key(|entry| {
            let combination = entry.combination;
            let missing = combination.missing();
            let longer = combination.tricks();
            (
                missing.len(),
                missing & HONOURS,
                Reverse(longer),
                Reverse(combination.cards()),
            )
        });
        entries
    }

    /// Returns the chances of a combination.
    #[must_use]
    pub fn solution(&self, combination: Combination) -> Option<&SuitSolution> {
        let (canonical, _) = combination.canonical();
        let key = canonical.catalogue_key();
        let place = self
            .entries
            .binary_search_by_key(&key, |entry| entry.combination.catalogue_key());
        Some(&self.entries[place.ok()?].solution)
    }
}

/// Encodes the chances of all combinations, in the order of the catalogue. `None` if they do not fit the format, which
/// happens only if they are wrong.
#[must_use]
pub fn encode(solutions: &[SuitSolution]) -> Option<Vec<u8>> {
    let inner = |solution: &SuitSolution| -> Vec<u32> {
        let chances = solution.chances.iter().copied();
        let between = chances.filter(|&chance| chance > Fraction::ZERO && chance < Fraction::ONE);
        between.map(numerator).collect()
    };
    let difference = |solution: &SuitSolution| -> u32 {
        let average = solution.average;
        let average = average.numerator() as u128 * total() / average.denominator();
        let sum: u128 = solution
            .chances
            .iter()
            .map(|&chance| u128::from(numerator(chance)))
            .sum();
        (sum - average) as u32
    };
    let mut values: Vec<u32> = Vec::new();
    for solution in solutions {
        values.extend(inner(solution));
        values.push(difference(solution));
    }
    values.sort_unstable();
    values.dedup();
    let number = u16::try_from(values.len()).ok()?;
    let mut table = number.to_le_bytes().to_vec();
    for value in &values {
        table.extend_from_slice(&value.to_le_bytes()[..3]);
    }
    let place = |value: u32| values.binary_search(&value).unwrap_or(0) as u16;
    for solution in solutions {
        let certain = solution
            .chances
            .iter()
            .filter(|&&chance| chance == Fraction::ONE)
            .count();
        let (inner, difference) = (inner(solution), difference(solution));
        if inner.len() > 7 {
            return None;
        }
        let is_below = u8::from(difference > 0);
        table.push((certain + 1) as u8 | (inner.len() as u8) << 4 | is_below << 7);
        for value in inner
            .into_iter()
            .chain((difference > 0).then_some(difference))
        {
            table.extend_from_slice(&place(value).to_le_bytes());
        }
    }
    Some(table)
}

struct Reader {
    rest: &'static [u8],
}

impl Reader {
    /// Reads a number of `bytes` bytes, lowest first. Returns 0 after the end, which a test excludes.
    fn number(&mut self, bytes: usize) -> u32 {
        let (now, rest) = self.rest.split_at(bytes.min(self.rest.len()));
        self.rest = rest;
        now.iter()
            .rev()
            .fold(0, |number, &byte| number << 8 | u32::from(byte))
    }
}
