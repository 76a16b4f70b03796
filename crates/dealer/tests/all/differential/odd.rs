//! Unusual scripts: a valid one with odd tokens, layouts and characters inserted.

use super::generator::{ScriptGenerator, SeededRandom};

/// Tokens with a meaning in some place. Decimals and `$1` are left out: all dialects of croupier accept them, the
/// classic program does not.
const TOKENS: &[&str] = &[
    "(",
    ")",
    ",",
    "+",
    "-",
    "*",
    "/ 3",
    "% 7",
    "?",
    ":",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "!",
    "and",
    "or",
    "not",
    "any",
    "xxxx",
    "5xxx",
    "4333",
    "55555",
    "444",
    "AS",
    "2c",
    "SAKQ",
    "x3NX",
    "x8N",
    "north",
    "NORTH",
    "ns",
    "ALL",
    "spades",
    "hcp",
    "hcp(west)",
    "shape(east, any 5xxx)",
    "condition",
    "action",
    "produce",
    "generate",
    "printall",
    "average",
    "frequency",
    "pointcount",
    "altcount 3",
    "predeal",
    "dealer",
    "vulnerable",
    "007",
    "99999",
    "-",
    "\"text\"",
    "\"",
    "@",
    "^",
    "~",
    ";",
    ".",
    "[",
    "]",
    "{",
    "}",
    "_",
    "v0",
    "v9",
    "é",
    "rnd(5)",
    "imps(400)",
    "score(vul,x3N,9)",
    "c13(south)",
    "top5(west,hearts)",
    "hascard(north,TC)",
    "printes(\\n)",
    "0",
    "z3N",
    "x3Nx",
    "par",
    "par(NS)",
    "deal",
    "both",
    "abs",
    "metric(",
    "import \"x\"",
    "level",
    "title",
    "\0",
];

/// Text that may stand between any two tokens.
const GAPS: &[&str] = &[
    " ",
    "\t",
    "\r",
    "\n",
    "\x0c",
    "\x0b",
    "  \n\n",
    "/* FOE <x> */",
    "/**/",
    "/* a * b ** c */",
    "/*/ E */",
    "// O\n",
    "# F <\n",
    "#\n",
    "//\n",
    "/* two\nlines <E> */",
    "\n\n/* E */\n/* F */",
];

/// Returns the script with this number, and switches that keep its run short.
pub fn script(number: u64) -> (Vec<u8>, Vec<String>) {
    let mut generator = ScriptGenerator::new(number);
    let (text, mut switches) = (generator.script(), generator.switches());
    // The command line overrides the script, with any number in it.
    switches.push("-g400".to_owned());
    let dice = &mut generator.dice;
    let mut pieces = pieces(&text);
    for _ in 0..dice.between(1, 3) {
        change(&mut pieces, dice);
    }
    (pieces.concat(), switches)
}

/// Splits a script into words, numbers, texts, single signs, and the gaps between them.
fn pieces(text: &str) -> Vec<Vec<u8>> {
    let kind = |letter: char| match letter {
        letter if letter.is_ascii_alphanumeric() || letter == '_' => 0,
        letter if letter.is_whitespace() => 1,
        _ => 2,
    };
    let mut pieces: Vec<String> = Vec::new();
    let mut last = 2;
    for letter in text.chars() {
        let this = kind(letter);
        match pieces.last_mut().filter(|_| this == last && this != 2) {
            Some(piece) => piece.push(letter),
            None => pieces.push(letter.to_string()),
        }
        last = this;
    }
    pieces.into_iter().map(String::into_bytes).collect()
}

fn change(pieces: &mut Vec<Vec<u8>>, dice: &mut SeededRandom) {
    let at = dice.below(pieces.len() as u64) as usize;
    match dice.below(10) {
        0..=2 => pieces.insert(at, dice.pick(GAPS).as_bytes().to_vec()),
        3 => pieces.insert(at, format!(" {} ", dice.pick(TOKENS)).into_bytes()),
        4 => pieces[at] = dice.pick(TOKENS).as_bytes().to_vec(),
        5 => drop(pieces.remove(at)),
        6 => {
            let copy = pieces[at].clone();
            pieces.insert(at, copy);
        }
        7 => pieces[at].make_ascii_uppercase(),
        8 => {
            let to = dice.below(pieces.len() as u64) as usize;
            pieces.swap(at, to);
        }
        _ => {
            let byte = dice.between(0, 255) as u8;
            let place = dice.below(pieces[at].len() as u64 + 1) as usize;
            pieces[at].insert(place, byte);
        }
    }
    if pieces.is_empty() {
        pieces.push(b"\n".to_vec());
    }
}

/// Returns whether the classic program uses memory that it does not own, or averages over no deals; then the output
/// cannot be compared.
pub fn is_undefined(script: &[u8]) -> bool {
    let text = String::from_utf8_lossy(script);
    // These need programs that are lost, or end the process.
    let foreign = ["tricks", "evalcontract"];
    // Counters 1 and 8 are followed by `losers`, which is then computed from memory that the program does not own.
    // Counters outside 0 to 11 are written outside the array.
    let mut counters = text.split("altcount").skip(1).map(|rest| {
        let digit = rest.find(|letter: char| letter.is_ascii_digit());
        let digits = &rest[digit.unwrap_or(rest.len())..];
        let end = digits.find(|letter: char| !letter.is_ascii_digit());
        let negative = digit.is_some_and(|at| rest[..at].ends_with('-'));
        (
            negative,
            digits[..end.unwrap_or(digits.len())].parse::<u32>(),
        )
    });
    // Averages over no deal at all.
    let negative_limit = ["generate", "produce"].iter().any(|word| {
        let mut after = text.split(word).skip(1);
        after.any(|rest| rest.trim_start().starts_with('-'))
    });
    // A quirk of its grammar: an error in the second expression of a table, and nowhere else.
    let capital_or = text.contains("frequency") && text.contains("OR");
    negative_limit
        || capital_or
        || foreign.iter().any(|word| text.contains(word))
        || is_for_v2(&text)
        || counters.any(|(negative, number)| {
            negative || !matches!(number, Ok(0 | 2..=7 | 9..=11) | Err(_))
        })
}

/// Returns whether the script has syntax that DealerV2 and all dialects of croupier accept, but the classic program
/// does not: decimals, `$1`, and a minus before anything but a number.
fn is_for_v2(text: &str) -> bool {
    let code = without_comments(text);
    let pieces = pieces(&code);
    let pieces = pieces.iter().map(|piece| String::from_utf8_lossy(piece));
    let pieces: Vec<_> = pieces.filter(|piece| !piece.trim().is_empty()).collect();
    let ends_value = |piece: &str| {
        let word = piece.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        let keyword = [
            "and",
            "or",
            "not",
            "condition",
            "average",
            "action",
            "none",
            "all",
            "ns",
            "NS",
            "ew",
            "EW",
        ];
        piece == ")" || word && !keyword.contains(&piece)
    };
    let starts_number = |piece: &str| piece.starts_with(|letter: char| letter.is_ascii_digit());
    let minus = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| &pieces[before]);
        let after = pieces.get(at + 1).map_or("", |after| after);
        pieces[at] == "-" && !ends_value(before) && !starts_number(after)
    };
    let decimal = code
        .as_bytes()
        .windows(2)
        .any(|two| b".$".contains(&two[0]) && two[1].is_ascii_digit());
    decimal || (0..pieces.len()).any(minus)
}

fn without_comments(text: &str) -> String {
    let (mut code, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        code.push_str(&rest[..at]);
        code.push(' ');
        let end = match rest[at..].starts_with("/*") {
            true => rest[at + 2..].find("*/").map(|end| at + 2 + end + 2),
            false => rest[at..].find('\n').map(|end| at + end),
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
    code + rest
}
