//! The words of the language.

use std::collections::HashMap;
use std::sync::OnceLock;

use cards::{Seat, Suit};
use valuation::HandRule;

use crate::function::{FUNCTIONS, Parameter};
use crate::plan::Mode;

/// A keyword. Singular and plural, and the different names of a counter, are one word.
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
    /// `tricks` and `dds`.
    Tricks,
    LeadTricks,
    Estimate,
    Score,
    Imps,
    Abs,
    Balanced,
    Hascard,
    Shape,
    Any,
    Rnd,
    Deal,
    UserEval,
    ParContract,
    Trix,
    /// A function of one hand that `valuation` defines.
    HandRule(HandRule),
    Par,
    Opc,
    Bids,
    Contract,
    Declarer,
}

/// The oldest dialect that has a word. Newer dialects have it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Since {
    V1,
    V2,
    Native,
}

impl Since {
    /// Returns the newest words that `mode` has.
    fn newest(mode: Mode) -> Since {
        match mode {
            Mode::V1 | Mode::Exe => Since::V1,
            Mode::V2 => Since::V2,
            Mode::Native => Since::Native,
        }
    }
}

/// The category of a word, for editors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordCategory {
    /// Begins a statement: `condition`, `predeal`, `produce`.
    Statement,
    /// Prints or counts deals: `printall`, `average`.
    Action,
    /// A function of the deal or of numbers: `hcp`, `imps`.
    Function,
    /// `and`, `or`, `not`.
    Operator,
    /// A fixed value: `north`, `hearts`, `notrump`, `vul`, `all`.
    Value,
    /// An item in the lists of `csvrpt` and `printrpt`: `deal`, `trix`.
    Term,
    /// A valuation in `metric(...)`.
    Metric,
}

/// A word that is not a function.
struct Row {
    /// The usual spelling first.
    spellings: &'static [&'static str],
    word: Word,
    since: Since,
    category: WordCategory,
    signature: &'static str,
    doc: &'static str,
}

const fn row(
    spellings: &'static [&'static str],
    word: Word,
    since: Since,
    category: WordCategory,
    signature: &'static str,
    doc: &'static str,
) -> Row {
    Row {
        spellings,
        word,
        since,
        category,
        signature,
        doc,
    }
}

/// All words that are not functions; the functions are in [`FUNCTIONS`].
#[rustfmt::skip]
const ROWS: &[Row] = {
    use WordCategory::*;
    use Since::*;
    &[
        row(&["and"], Word::And, V1, Operator, "a and b", "Whether both hold; `&&` is the same."),
        row(&["or"], Word::Or, V1, Operator, "a or b", "Whether at least one holds; `||` is the same."),
        row(&["not"], Word::Not, V1, Operator, "not a", "Whether the operand right after it does not hold; `!` is the same."),
        row(&["condition"], Word::Condition, V1, Statement, "condition expression", "Which deals are produced; the word itself may be left out."),
        row(&["action"], Word::Action, V1, Statement, "action action, ...", "What is done with the produced deals."),
        row(&["produce"], Word::Produce, V1, Statement, "produce number", "Stop when this many deals have been produced."),
        row(&["generate"], Word::Generate, V1, Statement, "generate number", "Stop when this many deals have been looked at."),
        row(&["predeal"], Word::Predeal, V1, Statement, "predeal compass cards ... | suit(compass) == number", "Cards or lengths that a hand has in every deal: `predeal north SAK,H2`."),
        row(&["dealer"], Word::Dealer, V1, Statement, "dealer compass", "The seat that deals every board."),
        row(&["vulnerable"], Word::Vulnerable, V1, Statement, "vulnerable none|NS|EW|all", "The side that is vulnerable on every board."),
        row(&["pointcount"], Word::Pointcount, V1, Statement, "pointcount ace king queen ...", "What `hcp` counts, ace first."),
        row(&["altcount"], Word::Altcount, V1, Statement, "altcount number ace king queen ...", "What `pt0` to `pt9` (numbers 0 to 9) or `hcp` (10) count, ace first."),
        row(&["seed"], Word::Seed, V2, Statement, "seed number", "The seed of the deals: the same seed and script give the same deals."),
        row(&["title"], Word::Title, V2, Statement, "title \"text\"", "A title for printed boards and files."),
        row(&["opener"], Word::Opener, V2, Statement, "opener compass", "The opener for `opc`."),
        row(&["startboard"], Word::Startboard, V2, Statement, "startboard number", "The number of the first board."),
        row(&["printall"], Word::PrintAll, V1, Action, "printall", "Prints all four hands side by side."),
        row(&["print"], Word::Print, V1, Action, "print(compass, ...)", "Prints the hands of these seats, each on pages of its own."),
        row(&["printew"], Word::PrintEw, V1, Action, "printew", "Prints West and East."),
        row(&["printns"], Word::PrintNs, V2, Action, "printns", "Prints North and South."),
        row(&["printside"], Word::PrintSide, V2, Action, "printside(NS|EW)", "Prints the two hands of a side."),
        row(&["printpbn"], Word::PrintPbn, V1, Action, "printpbn", "Prints the deal as a PBN game."),
        row(&["printcompact"], Word::PrintCompact, V1, Action, "printcompact[(value)]", "Prints each hand on a line, and the value if there is one."),
        row(&["printoneline"], Word::PrintOneLine, V1, Action, "printoneline[(value)]", "Prints the deal on one line, and the value if there is one."),
        row(&["printes"], Word::PrintEs, V1, Action, "printes(value or \"text\" or \\n, ...)", "Prints values and texts."),
        row(&["average"], Word::Average, V1, Action, "average [\"text\"] value", "The mean of a value over the produced deals."),
        row(&["frequency"], Word::Frequency, V1, Action, "frequency [\"text\"] (value, low, high[, value, low, high])", "How often each value occurs; with two values, a table of both."),
        row(&["bktfreq"], Word::BktFreq, V2, Action, "bktfreq [\"text\"] (value, low, high, size[, value, low, high, size])", "How often values occur in ranges of a size."),
        row(&["evalcontract"], Word::EvalContract, V1, Action, "evalcontract(NS|EW, contract, nv|vul)", "How a contract fares: mean score, how often it makes, missed games and slams."),
        row(&["csvrpt"], Word::CsvRpt, V2, Action, "csvrpt(term, ...)", "A line of comma-separated values for each deal."),
        row(&["printrpt"], Word::PrintRpt, V2, Action, "printrpt(term, ...)", "A line of values for each deal."),
        row(&["export"], Word::Export, V2, Action, "export(compass or side)", "Prints hands as predeal switches for another run."),
        row(&["north"], Word::Seat(Seat::North), V1, Value, "north", "The seat North."),
        row(&["east"], Word::Seat(Seat::East), V1, Value, "east", "The seat East."),
        row(&["south"], Word::Seat(Seat::South), V1, Value, "south", "The seat South."),
        row(&["west"], Word::Seat(Seat::West), V1, Value, "west", "The seat West."),
        row(&["notrump", "notrumps"], Word::Notrump, V1, Value, "notrump", "The strain without trumps."),
        row(&["NS"], Word::NsSide, V1, Value, "NS", "The side North and South."),
        row(&["EW"], Word::EwSide, V1, Value, "EW", "The side East and West."),
        row(&["nv"], Word::Nv, V1, Value, "nv", "Declarer is not vulnerable."),
        row(&["vul"], Word::Vul, V1, Value, "vul", "Declarer is vulnerable."),
        row(&["ns"], Word::NsVul, V1, Value, "ns", "North and South are vulnerable."),
        row(&["ew"], Word::EwVul, V1, Value, "ew", "East and West are vulnerable."),
        row(&["all"], Word::All, V1, Value, "all", "Both sides are vulnerable."),
        row(&["both"], Word::Both, V2, Value, "both", "Both sides are vulnerable."),
        row(&["none"], Word::None, V1, Value, "none", "Nobody is vulnerable."),
        row(&["any"], Word::Any, V1, Value, "any 4333", "A shape in any order of the suits."),
        row(&["deal"], Word::Deal, V2, Term, "deal", "All four hands, in a report."),
        row(&["trix"], Word::Trix, V2, Term, "trix(compass) or trix(deal)", "Double-dummy tricks in all strains, in a report."),
        row(&["parcontract"], Word::ParContract, V2, Term, "parcontract[(vulnerability)]", "The contract of the par score, in a report."),
    ]
};

/// Returns every spelling with its word and the oldest dialect that has it.
fn spelt() -> impl Iterator<Item = (&'static str, Word, Since)> {
    let functions = FUNCTIONS.iter().flat_map(|f| {
        let spelt = f.spellings.iter();
        // v1 has `tricks`, but not its other name `dds`.
        let since = |s| if s == "dds" { Since::V2 } else { f.since };
        spelt.map(move |&s| (s, f.word, since(s)))
    });
    let others = ROWS
        .iter()
        .flat_map(|r| r.spellings.iter().map(|&s| (s, r.word, r.since)));
    functions.chain(others)
}

/// A word of the language, for editors and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordEntry {
    /// The usual spelling.
    pub name: &'static str,
    /// Other spellings of the same word.
    pub aliases: Vec<&'static str>,
    /// The category of the word.
    pub category: WordCategory,
    /// Syntax with its arguments; optional ones in brackets.
    pub signature: &'static str,
    /// Types of the arguments of a function, in order.
    pub parameters: &'static [Parameter],
    /// Meaning in one sentence.
    pub documentation: &'static str,
}

/// Returns every word of the language: statements, actions, functions, operators, values, terms of reports, and
/// metrics.
///
/// ```
/// let hcp = croupier_script::words().find(|word| word.name == "hcp").unwrap();
/// assert_eq!(hcp.signature, "hcp(compass[, suit])");
/// assert_eq!(hcp.category, croupier_script::WordCategory::Function);
/// ```
pub fn words() -> impl Iterator<Item = WordEntry> {
    let functions = FUNCTIONS.iter().map(|f| WordEntry {
        name: f.spellings[0],
        aliases: f.spellings[1..].to_vec(),
        category: WordCategory::Function,
        signature: f.signature,
        parameters: f.parameters,
        documentation: f.doc,
    });
    let rows = ROWS.iter().map(|r| WordEntry {
        name: r.spellings[0],
        aliases: r.spellings[1..].to_vec(),
        category: r.category,
        signature: r.signature,
        parameters: &[],
        documentation: r.doc,
    });
    let plain = |name, category, signature, documentation| WordEntry {
        name,
        aliases: Vec::new(),
        category,
        signature,
        parameters: &[],
        documentation,
    };
    let contextual = [
        plain(
            "metric",
            WordCategory::Function,
            crate::function::METRIC,
            "A value of a built-in or user metric, by name: `metric(bumrap, north)`.",
        ),
        plain(
            "import",
            WordCategory::Statement,
            "import \"file\"",
            "Reads another file's statements as if they stood here.",
        ),
        plain(
            "level",
            WordCategory::Statement,
            "level [class[ = share], ...]",
            "Produces the classes of deals in these shares.",
        ),
    ];
    let metrics = valuation::metrics::list().iter().map(move |metric| {
        plain(
            metric.name,
            WordCategory::Metric,
            metric.name,
            metric.summary,
        )
    });
    functions.chain(rows).chain(contextual).chain(metrics)
}

/// Length of the longest word. Longer names are not looked up.
const LONGEST: usize = 12;

impl Word {
    /// Returns the word with this exact spelling, in any dialect.
    pub fn from_spelling(text: &[u8]) -> Option<Word> {
        Word::in_dialect(text, Mode::Native)
    }

    /// Returns the word with this exact spelling, if `mode` has it. A newer word is an ordinary name there.
    pub fn in_dialect(text: &[u8], mode: Mode) -> Option<Word> {
        if text.len() > LONGEST {
            return None;
        }
        let &(word, since) = lookup().get(text)?;
        (since <= Since::newest(mode)).then_some(word)
    }

    /// Returns the word with this spelling in any case.
    pub fn in_any_case(text: &[u8]) -> Option<Word> {
        if text.len() > LONGEST {
            return None;
        }
        Word::from_spelling(&text.to_ascii_lowercase())
    }

    /// Returns whether a script may define a variable of this spelling because v1 does not have the word.
    pub fn is_newer_than_v1(text: &[u8]) -> bool {
        lookup()
            .get(text)
            .is_some_and(|&(_, since)| since != Since::V1)
    }

    /// Returns the spelling that differs from `text` only in case.
    pub fn in_other_case(text: &[u8]) -> Option<&'static str> {
        spelt()
            .map(|(spelling, ..)| spelling)
            .find(|s| s.as_bytes() != text && s.as_bytes().eq_ignore_ascii_case(text))
    }

    fn category(self) -> WordCategory {
        let row = ROWS.iter().find(|r| r.word == self);
        row.map_or(WordCategory::Function, |r| r.category)
    }

    /// Returns whether the word begins a statement.
    pub fn starts_statement(self) -> bool {
        self.category() == WordCategory::Statement
    }

    /// Returns whether the word is an action.
    pub fn is_action(self) -> bool {
        self.category() == WordCategory::Action
    }

    /// Returns whether the word is a function of the language.
    pub fn is_function(self) -> bool {
        self.category() == WordCategory::Function
    }
}

fn lookup() -> &'static HashMap<&'static [u8], (Word, Since)> {
    static TABLE: OnceLock<HashMap<&'static [u8], (Word, Since)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        spelt()
            .map(|(spelling, word, since)| (spelling.as_bytes(), (word, since)))
            .collect()
    })
}

/// Returns the spellings of all words that satisfy `wanted`.
pub(crate) fn spellings(wanted: impl Fn(Word) -> bool) -> impl Iterator<Item = &'static str> {
    spelt()
        .filter(move |&(_, word, _)| wanted(word))
        .map(|(spelling, ..)| spelling)
}

/// Returns the candidate nearest to `text`, if it is at most two edits away (one for very short words).
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

/// Returns the edit distance with transpositions (insert, delete, replace, swap neighbours), ignoring case. Stops
/// counting above `most`.
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
    fn edit_distances_are_counted_up_to_a_limit() {
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
    fn no_word_is_spelt_twice_and_each_documents_itself() {
        let mut seen = std::collections::HashSet::new();
        assert!(spelt().all(|(s, ..)| seen.insert(s)));
        for word in words() {
            assert!(!word.documentation.is_empty(), "{}", word.name);
            assert!(!word.signature.is_empty(), "{}", word.name);
        }
    }

    #[test]
    fn no_word_is_longer_than_the_limit() {
        assert!(spelt().all(|(s, ..)| s.len() <= LONGEST));
    }
}
