//! Filters such as `[flush draw]`, `[top pair+]` or `[any pair & !flush draw]`: hands by their strength on the board.

use cards::CardSet;

use super::names::nearest;
use super::{RangeContext, RangeError, RangeProblem};
use crate::Game;
use crate::strength::{Made, Strength, classify};

/// A filter on a board: alternatives (`|` or `,`) of conditions that hold together (`&`).
pub(super) struct Filter {
    game: Game,
    board: CardSet,
    alternatives: Vec<Vec<Condition>>,
}

struct Condition {
    negated: bool,
    test: Test,
}

#[derive(Clone, Copy)]
enum Test {
    /// A made hand between two, best first.
    Made(Made, Made),
    /// A draw.
    Draw(fn(&Strength) -> bool),
}

/// The words of filters that are not made hands.
const WORDS: [(&str, Test); 14] = [
    ("any pair", Test::Made(Made::StraightFlush, Made::WeakPair)),
    ("pair", Test::Made(Made::Overpair, Made::WeakPair)),
    (
        "middle pair",
        Test::Made(Made::SecondPair, Made::SecondPair),
    ),
    ("bottom pair", Test::Made(Made::WeakPair, Made::WeakPair)),
    ("no pair", Test::Made(Made::AceHigh, Made::Nothing)),
    ("air", Test::Made(Made::Nothing, Made::Nothing)),
    ("flush draw", Test::Draw(|s| s.draws.flush)),
    (
        "straight draw",
        Test::Draw(|s| s.draws.open_ended || s.draws.gutshot),
    ),
    ("oesd", Test::Draw(|s| s.draws.open_ended)),
    (
        "open-ended straight draw",
        Test::Draw(|s| s.draws.open_ended),
    ),
    ("gutshot", Test::Draw(|s| s.draws.gutshot)),
    (
        "backdoor flush draw",
        Test::Draw(|s| s.draws.backdoor_flush),
    ),
    ("overcards", Test::Draw(|s| s.draws.overcards)),
    ("draw", Test::Draw(|s| s.draws.any())),
];

/// Returns the letters alone, so that blanks and hyphens do not matter.
fn letters_only(words: &str) -> String {
    let letters = words.chars().filter(|c| !c.is_whitespace() && *c != '-');
    letters.collect::<String>().to_lowercase()
}

impl Filter {
    pub(super) fn read(
        words: &str,
        position: usize,
        setting: &RangeContext,
    ) -> Result<Filter, RangeError> {
        if !setting.game.has_two_hole_cards() {
            return Err(RangeError::new(position, RangeProblem::FilterGame));
        }
        let mut alternatives = Vec::new();
        let mut place = position;
        for alternative in words.split([',', '|']) {
            let mut conditions = Vec::new();
            for word in alternative.split('&') {
                let blanks = word.chars().take_while(|c| c.is_whitespace()).count();
                conditions.push(Condition::read(word, place + blanks)?);
                place += word.chars().count() + 1;
            }
            alternatives.push(conditions);
        }
        if setting.board.len() < 3 {
            return Err(RangeError::new(position, RangeProblem::FilterBoard));
        }
        Ok(Filter {
            game: setting.game,
            board: setting.board,
            alternatives,
        })
    }

    pub(super) fn fits(&self, hand: CardSet) -> bool {
        let strength = classify(self.game, hand, self.board);
        let all = |conditions: &Vec<Condition>| conditions.iter().all(|c| c.fits(&strength));
        self.alternatives.iter().any(all)
    }
}

impl Condition {
    fn read(word: &str, position: usize) -> Result<Condition, RangeError> {
        let word = word.trim();
        let (negated, word) = match word.strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, word),
        };
        let (and_better, name) = match word.strip_suffix('+') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let name = letters_only(name);
        let made = Made::ALL
            .iter()
            .map(|&made| (made.name(), Test::Made(made, made)));
        let found = WORDS
            .into_iter()
            .chain(made)
            .find(|(own, _)| letters_only(own) == name);
        let unknown = || {
            let names = WORDS.iter().map(|&(own, _)| own);
            let near = nearest(&word.to_lowercase(), names.chain(Made::ALL.map(Made::name)));
            RangeError::new(position, RangeProblem::Filter(word.to_string(), near))
        };
        let test = match found.ok_or_else(unknown)?.1 {
            Test::Made(_, worst) if and_better => Test::Made(Made::StraightFlush, worst),
            Test::Draw(_) if and_better => return Err(unknown()),
            test => test,
        };
        Ok(Condition { negated, test })
    }

    fn fits(&self, strength: &Strength) -> bool {
        let fits = match self.test {
            Test::Made(best, worst) => (best..=worst).contains(&strength.made),
            Test::Draw(has) => has(strength),
        };
        fits != self.negated
    }
}
