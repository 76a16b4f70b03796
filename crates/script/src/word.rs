//! The words of the language.

use cards::{Seat, Suit};

/// A keyword. Singular and plural, and the several names of a counter, are one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word {
    And,
    Or,
    Not,
    Generate,
    Produce,
    Dealer,
    Vulnerable,
    Predeal,
    Pointcount,
    Altcount,
    Condition,
    Action,
    Seed,
    Title,
    Opener,
    Startboard,
    Print,
    PrintAll,
    PrintEw,
    PrintNs,
    PrintSide,
    PrintPbn,
    PrintCompact,
    PrintOneLine,
    PrintEs,
    Average,
    Frequency,
    BktFreq,
    EvalContract,
    CsvRpt,
    PrintRpt,
    Export,
    Nv,
    Vul,
    /// `NS`
    NsSide,
    /// `EW`
    EwSide,
    /// `ns`
    NsVul,
    /// `ew`
    EwVul,
    All,
    None,
    Both,
    Seat(Seat),
    Suit(Suit),
    Notrump,
    Hcp,
    /// `pt0` .. `pt9` and their names.
    Pt(u8),
    Losers,
    Controls,
    Quality,
    Cccc,
    /// `tricks` and `dds`.
    Tricks,
    Score,
    Imps,
    Hascard,
    Shape,
    Any,
    Rnd,
    Deal,
    UserEval,
    ParContract,
    Trix,
    Ltc,
    Par,
    Opc,
}

/// Every spelling with its word; the flag marks the words that only v2 knows.
const WORDS: &[(&str, Word, bool)] = &[
    ("and", Word::And, false),
    ("or", Word::Or, false),
    ("not", Word::Not, false),
    ("generate", Word::Generate, false),
    ("produce", Word::Produce, false),
    ("dealer", Word::Dealer, false),
    ("vulnerable", Word::Vulnerable, false),
    ("predeal", Word::Predeal, false),
    ("pointcount", Word::Pointcount, false),
    ("altcount", Word::Altcount, false),
    ("condition", Word::Condition, false),
    ("action", Word::Action, false),
    ("print", Word::Print, false),
    ("printall", Word::PrintAll, false),
    ("printew", Word::PrintEw, false),
    ("printpbn", Word::PrintPbn, false),
    ("printcompact", Word::PrintCompact, false),
    ("printoneline", Word::PrintOneLine, false),
    ("printes", Word::PrintEs, false),
    ("average", Word::Average, false),
    ("frequency", Word::Frequency, false),
    ("evalcontract", Word::EvalContract, false),
    ("nv", Word::Nv, false),
    ("vul", Word::Vul, false),
    ("ns", Word::NsVul, false),
    ("NS", Word::NsSide, false),
    ("ew", Word::EwVul, false),
    ("EW", Word::EwSide, false),
    ("all", Word::All, false),
    ("none", Word::None, false),
    ("north", Word::Seat(Seat::North), false),
    ("east", Word::Seat(Seat::East), false),
    ("south", Word::Seat(Seat::South), false),
    ("west", Word::Seat(Seat::West), false),
    ("club", Word::Suit(Suit::Clubs), false),
    ("clubs", Word::Suit(Suit::Clubs), false),
    ("diamond", Word::Suit(Suit::Diamonds), false),
    ("diamonds", Word::Suit(Suit::Diamonds), false),
    ("heart", Word::Suit(Suit::Hearts), false),
    ("hearts", Word::Suit(Suit::Hearts), false),
    ("spade", Word::Suit(Suit::Spades), false),
    ("spades", Word::Suit(Suit::Spades), false),
    ("notrump", Word::Notrump, false),
    ("notrumps", Word::Notrump, false),
    ("hcp", Word::Hcp, false),
    ("hcps", Word::Hcp, false),
    ("pt0", Word::Pt(0), false),
    ("ten", Word::Pt(0), false),
    ("tens", Word::Pt(0), false),
    ("pt1", Word::Pt(1), false),
    ("jack", Word::Pt(1), false),
    ("jacks", Word::Pt(1), false),
    ("pt2", Word::Pt(2), false),
    ("queen", Word::Pt(2), false),
    ("queens", Word::Pt(2), false),
    ("pt3", Word::Pt(3), false),
    ("king", Word::Pt(3), false),
    ("kings", Word::Pt(3), false),
    ("pt4", Word::Pt(4), false),
    ("ace", Word::Pt(4), false),
    ("aces", Word::Pt(4), false),
    ("pt5", Word::Pt(5), false),
    ("top2", Word::Pt(5), false),
    ("pt6", Word::Pt(6), false),
    ("top3", Word::Pt(6), false),
    ("pt7", Word::Pt(7), false),
    ("top4", Word::Pt(7), false),
    ("pt8", Word::Pt(8), false),
    ("top5", Word::Pt(8), false),
    ("pt9", Word::Pt(9), false),
    ("c13", Word::Pt(9), false),
    ("loser", Word::Losers, false),
    ("losers", Word::Losers, false),
    ("control", Word::Controls, false),
    ("controls", Word::Controls, false),
    ("quality", Word::Quality, false),
    ("cccc", Word::Cccc, false),
    ("trick", Word::Tricks, false),
    ("tricks", Word::Tricks, false),
    ("score", Word::Score, false),
    ("imp", Word::Imps, false),
    ("imps", Word::Imps, false),
    ("hascard", Word::Hascard, false),
    ("shape", Word::Shape, false),
    ("any", Word::Any, false),
    ("rnd", Word::Rnd, false),
    ("seed", Word::Seed, true),
    ("title", Word::Title, true),
    ("opener", Word::Opener, true),
    ("startboard", Word::Startboard, true),
    ("both", Word::Both, true),
    ("printns", Word::PrintNs, true),
    ("printside", Word::PrintSide, true),
    ("deal", Word::Deal, true),
    ("csvrpt", Word::CsvRpt, true),
    ("printrpt", Word::PrintRpt, true),
    ("bktfreq", Word::BktFreq, true),
    ("export", Word::Export, true),
    ("usereval", Word::UserEval, true),
    ("parcontract", Word::ParContract, true),
    ("trix", Word::Trix, true),
    ("ltc", Word::Ltc, true),
    ("dds", Word::Tricks, true),
    ("par", Word::Par, true),
    ("opc", Word::Opc, true),
];

/// The longest word, so that long names need no search.
const LONGEST: usize = 12;

impl Word {
    /// The word with this exact spelling.
    pub fn from_spelling(text: &[u8]) -> Option<Word> {
        if text.len() > LONGEST {
            return None;
        }
        lookup().get(text).map(|&(word, _)| word)
    }

    /// Whether a script may use this spelling as a variable by defining it.
    pub fn is_soft_spelling(text: &[u8]) -> bool {
        lookup().get(text).is_some_and(|&(_, soft)| soft)
    }

    /// The spelling that equals `text` except for upper and lower case.
    pub fn in_other_case(text: &[u8]) -> Option<&'static str> {
        WORDS
            .iter()
            .map(|&(spelling, ..)| spelling)
            .find(|s| s.as_bytes() != text && s.as_bytes().eq_ignore_ascii_case(text))
    }

    /// Whether the word begins a statement.
    pub fn starts_statement(self) -> bool {
        use Word::*;
        matches!(
            self,
            Generate
                | Produce
                | Dealer
                | Vulnerable
                | Predeal
                | Pointcount
                | Altcount
                | Condition
                | Action
                | Seed
                | Title
                | Opener
                | Startboard
        )
    }

    /// Whether the word is an action.
    pub fn is_action(self) -> bool {
        use Word::*;
        matches!(
            self,
            Print
                | PrintAll
                | PrintEw
                | PrintNs
                | PrintSide
                | PrintPbn
                | PrintCompact
                | PrintOneLine
                | PrintEs
                | Average
                | Frequency
                | BktFreq
                | EvalContract
                | CsvRpt
                | PrintRpt
                | Export
        )
    }

    /// Whether the word is a function of the language.
    pub fn is_function(self) -> bool {
        use Word::*;
        matches!(
            self,
            Suit(_)
                | Hcp
                | Pt(_)
                | Losers
                | Controls
                | Quality
                | Cccc
                | Tricks
                | Score
                | Imps
                | Hascard
                | Shape
                | Rnd
                | UserEval
                | Ltc
                | Par
                | Opc
        )
    }
}

fn lookup() -> &'static std::collections::HashMap<&'static [u8], (Word, bool)> {
    static TABLE: std::sync::OnceLock<std::collections::HashMap<&'static [u8], (Word, bool)>> =
        std::sync::OnceLock::new();
    TABLE.get_or_init(|| {
        WORDS
            .iter()
            .map(|&(spelling, word, soft)| (spelling.as_bytes(), (word, soft)))
            .collect()
    })
}

/// Spellings of all words that satisfy `wanted`, and the contextual `metric` among functions.
pub(crate) fn spellings(wanted: impl Fn(Word) -> bool) -> impl Iterator<Item = &'static str> {
    WORDS
        .iter()
        .filter(move |&&(_, word, _)| wanted(word))
        .map(|&(spelling, ..)| spelling)
}

/// The candidate nearest to `text`, if it is at most two edits away (one for very short words).
pub(crate) fn nearest<'a>(
    text: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let most = if text.chars().count() <= 2 { 1 } else { 2 };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = edit_distance(text, candidate, most);
        if distance <= most
            && distance < candidate.len()
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edit distance with transpositions (insert, delete, change, swap neighbours), case-insensitive at half price
/// being none: a word that differs only in case has distance 0. Stops counting above `most`.
pub(crate) fn edit_distance(a: &str, b: &str, most: usize) -> usize {
    let a: Vec<char> = a.chars().take(65).map(|c| c.to_ascii_lowercase()).collect();
    let b: Vec<char> = b.chars().take(65).map(|c| c.to_ascii_lowercase()).collect();
    if a.len().abs_diff(b.len()) > most || a.len() > 64 || b.len() > 64 {
        return most + 1;
    }
    let mut rows = [
        vec![0; b.len() + 1],
        vec![0; b.len() + 1],
        (0..=b.len()).collect::<Vec<usize>>(),
    ];
    for i in 1..=a.len() {
        rows.rotate_left(1);
        let [older, old, new] = &mut rows;
        new[0] = i;
        for j in 1..=b.len() {
            let change = old[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            new[j] = change.min(old[j] + 1).min(new[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                new[j] = new[j].min(older[j - 2] + 1);
            }
        }
    }
    rows[2][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(edit_distance("hpc", "hcp", 2), 1);
        assert_eq!(edit_distance("losrs", "losers", 2), 1);
        assert_eq!(edit_distance("abc", "xyz", 2), 3);
        assert_eq!(edit_distance("", "ab", 2), 2);
    }

    #[test]
    fn nearest_word() {
        assert_eq!(
            nearest("printal", spellings(Word::is_action)),
            Some("printall")
        );
        assert_eq!(nearest("q", ["s", "h"]), None);
    }

    #[test]
    fn no_word_is_longer_than_the_limit() {
        assert!(WORDS.iter().all(|(s, ..)| s.len() <= LONGEST));
    }
}
