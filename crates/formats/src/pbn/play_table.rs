//! The table OptimumPlayTable of PBN 2.1: the optimal cards at each turn of the play.

use cards::{CardSet, Suit, notation};

use crate::{Board, ExtraTag};

/// Name of the table's tag.
const NAME: &str = "OptimumPlayTable";
/// The columns, wide enough for thirteen cards of a suit.
const COLUMNS: &str = "S\\13L;H\\13L;D\\13L;C\\13L";
/// Width of a column without the blank after it.
const WIDTH: usize = 13;

/// Adds the table to a board, in place of one that it has. `rows` are the optimal cards of the hand that plays the first
/// card, the second card and so on, in the order of play.
///
/// ```
/// use cards::notation::holdings;
/// use croupier_formats::{Board, pbn};
///
/// let mut board = Board::default();
/// pbn::set_optimum_play(&mut board, &[holdings("KQ86..QJ.K").unwrap()]);
/// let extras = board.extras.as_ref().unwrap();
/// assert_eq!(extras.tags[0].section, "KQ86          -             QJ            K");
/// assert_eq!(pbn::optimum_play(&board).unwrap()[0], holdings("KQ86..QJ.K").unwrap());
/// ```
pub fn set_optimum_play(board: &mut Board, rows: &[CardSet]) {
    let extras = board.extras.get_or_insert_default();
    extras.tags.retain(|tag| !is_table(tag));
    extras.tags.push(ExtraTag {
        name: NAME.to_owned(),
        value: COLUMNS.to_owned(),
        section: rows.iter().map(row).collect::<Vec<_>>().join("\n"),
    });
}

/// Returns the optimal cards in the table of a board, in the order of play; `None` if it has no table with the four
/// suits as columns.
#[must_use]
pub fn optimum_play(board: &Board) -> Option<Vec<CardSet>> {
    let tags = &board.extras.as_ref()?.tags;
    let table = tags.iter().find(|tag| is_table(tag))?;
    let columns = table.value.split(';').map(|column| {
        let name = column.trim().split('\\').next().unwrap_or_default();
        Suit::ALL
            .into_iter()
            .find(|suit| suit.letter().to_string().eq_ignore_ascii_case(name))
    });
    let columns: Vec<Suit> = columns.collect::<Option<_>>()?;
    let read = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_whole = words.len() == columns.len();
        let holding = |(suit, word): (&Suit, &&str)| {
            let holding = notation::holding(word, *suit).ok()?;
            Some(holding.in_suit(*suit))
        };
        let holdings = columns.iter().zip(&words).map(holding);
        let cards: Option<Vec<CardSet>> = holdings.collect();
        let cards = cards.filter(|_| is_whole)?.into_iter();
        Some(cards.fold(CardSet::EMPTY, |all, holding| all | holding))
    };
    table.section.lines().map(read).collect()
}

fn is_table(tag: &ExtraTag) -> bool {
    tag.name.eq_ignore_ascii_case(NAME)
}

/// Formats the optimal cards of a turn, spades first.
fn row(cards: &CardSet) -> String {
    let cell = |suit: &Suit| {
        let cards = *cards & CardSet::of_suit(*suit);
        let ranks: String = cards.iter().map(|card| card.rank().letter()).collect();
        let ranks = if ranks.is_empty() { "-" } else { &ranks };
        format!("{ranks:WIDTH$} ")
    };
    let cells: String = Suit::ALL.iter().rev().map(cell).collect();
    cells.trim_end().to_owned()
}
