//! A table of the chances of all suit combinations.
//!
//! The table does not contain the combinations: they are those of the catalogue, in its order. All chances are
//! numerators over the number of ways to deal 26 cards to two hands. A record has a byte with the first number of
//! tricks that is not certain (low four bits), the number of chances between 0 and 1 that follow (three bits), and
//! whether the best average is below the sum of the chances (the highest bit); then a two-byte index for each of these
//! chances, and one for the difference. The indices refer to the list of all values at the start of the table: their
//! number in two bytes, and three bytes for each.

use crate::catalogue::catalogue;
use crate::combination::Combination;
use crate::fraction::Fraction;
use crate::problem::binomial;
use crate::solver::SuitSolution;

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
