//! All suit combinations up to equal cards and exchange of the hands.

use cards::{Holding, Rank};

use crate::combination::Combination;

/// The number of combinations in the catalogue. It excludes the one in which declarer has no card (the 159,094th).
pub const CATALOGUE_SIZE: usize = 159_093;

/// The owner of a card, in the order in which [`Word`]s are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    North,
    South,
    Defenders,
}

/// The owners of the ranks, ace first. Among cards without a defenders' card between them those of North come first.
pub(crate) type Word = [Owner; 13];

fn canonical_word(combination: Combination) -> Word {
    let owner = |rank: Rank| match () {
        () if combination.north().contains(rank) => Owner::North,
        () if combination.south().contains(rank) => Owner::South,
        () => Owner::Defenders,
    };
    let mut word = Rank::ALL.map(owner);
    word.reverse();
    for run in word.split_mut(|owner| *owner == Owner::Defenders) {
        run.sort_unstable();
    }
    word
}

fn of_word(word: &Word) -> Option<Combination> {
    let cards_of = |owner: Owner| -> Holding {
        let ranks = Rank::ALL.into_iter().rev().zip(word);
        ranks
            .filter(|(_, other)| **other == owner)
            .map(|(rank, _)| rank)
            .collect()
    };
    Combination::new(cards_of(Owner::North), cards_of(Owner::South)).ok()
}

impl Combination {
    /// Returns the member of the catalogue that is equal to this combination, and whether its hands are exchanged.
    ///
    /// ```
    /// use croupier_suits::Combination;
    ///
    /// let combination = Combination::parse("5432", "AQT98").unwrap();
    /// let (canonical, exchanged) = combination.canonical();
    /// assert_eq!(canonical.to_string(), "AQT98/5432");
    /// assert!(exchanged);
    /// ```
    #[must_use]
    pub fn canonical(self) -> (Combination, bool) {
        let (mine, swapped) = (canonical_word(self), canonical_word(self.swapped()));
        let exchanged = swapped < mine;
        let word = if exchanged { swapped } else { mine };
        (of_word(&word).unwrap_or(self), exchanged)
    }

    /// Returns the sort key of a member of the catalogue.
    pub(crate) fn catalogue_key(self) -> (usize, Word) {
        (self.missing().len(), canonical_word(self))
    }
}

/// Returns every combination of the catalogue: by the number of missing cards, then by the owners of the cards from the
/// ace down (North, South, defenders).
#[must_use]
pub fn catalogue() -> Vec<Combination> {
    fn extend(word: &mut Word, length: usize, found: &mut Vec<Combination>) {
        if length == 13 {
            let combination = of_word(word);
            found.extend(combination.filter(|it| it.canonical() == (*it, false)));
            return;
        }
        for owner in [Owner::North, Owner::South, Owner::Defenders] {
            let is_unsorted =
                owner == Owner::North && length > 0 && word[length - 1] == Owner::South;
            if !is_unsorted {
                word[length] = owner;
                extend(word, length + 1, found);
            }
        }
    }
    let mut found = Vec::with_capacity(CATALOGUE_SIZE);
    extend(&mut [Owner::North; 13], 0, &mut found);
    found.sort_by_key(|combination| combination.missing().len());
    found
}
