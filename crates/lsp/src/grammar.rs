//! Grammars with the words of the language for other tools: TextMate, and the queries of tree-sitter.

use croupier::script::{WordCategory, words};

/// Regular expression of a call in a rule of a bidding system: `1N`, `2C!`, `(P)`, `P*`, `?`.
const CALL: &str = r"(?:\(\s*)?(?:(?i:pass|p\*?|x{1,2}|r?dbl|(?:re)?double|any|[1-7](?:nt?|[cdhs]))!?|\?|\*)(?:\s*\))?";

/// Returns the spellings of a class of words, longest first, so that the regular expression prefers the longest match.
fn spellings(category: WordCategory) -> Vec<String> {
    let mut list: Vec<String> = words()
        .filter(|word| word.category == category)
        .flat_map(|word| std::iter::once(word.name).chain(word.aliases))
        .map(str::to_owned)
        .collect();
    list.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    list.dedup();
    list
}

fn rule(scope: &str, pattern: &str) -> serde_json::Value {
    serde_json::json!({ "name": format!("{scope}.dealer"), "match": pattern })
}

fn word_rule(scope: &str, category: WordCategory, before: &str, after: &str) -> serde_json::Value {
    rule(
        scope,
        &format!(
            "{before}\\b(?i:{})\\b{after}",
            spellings(category).join("|")
        ),
    )
}

/// Returns the TextMate grammar, for VS Code and others.
#[must_use]
pub fn textmate() -> String {
    let comment = |begin: &str, end: &str, scope: &str| serde_json::json!({ "name": format!("comment.{scope}.dealer"), "begin": begin, "end": end });
    let grammar = serde_json::json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Dealer",
        "scopeName": "source.dealer",
        "patterns": [
            comment("//", "$", "line.double-slash"),
            comment("#", "$", "line.number-sign"),
            comment("/\\*", "\\*/", "block"),
            { "name": "string.quoted.double.dealer", "begin": "\"", "end": "\"" },
            {
                "match": "\\b(shape)\\s*(\\{[^}]*\\})",
                "captures": {
                    "1": { "name": "support.function.dealer" },
                    "2": { "name": "constant.other.shape.dealer" }
                }
            },
            rule("variable.parameter", "\\$[0-9]"),
            rule("constant.character.escape", "\\\\n"),
            {
                "match": "\\b([A-Za-z]\\w*)\\s*(=)(?![=<>!])",
                "captures": {
                    "1": { "name": "entity.name.variable.dealer" },
                    "2": { "name": "keyword.operator.assignment.dealer" }
                }
            },
            // The calls of a rule of a bidding system: `1N-P-2C!:`.
            {
                "match": format!("^\\s*(-*{CALL}(?:[-\\s]*{CALL})*)\\s*(:)"),
                "captures": {
                    "1": { "name": "entity.name.function.dealer" },
                    "2": { "name": "punctuation.separator.dealer" }
                }
            },
            rule("keyword.control", "^\\s*otherwise(?=\\s*\")"),
            rule("variable.language", "\\b(me|partner|lho|rho)(?=\\s*[,)])|\\bposition\\b"),
            word_rule("support.function", WordCategory::Function, "", "(?=\\s*[({])"),
            word_rule("keyword.operator.logical", WordCategory::Operator, "", ""),
            word_rule("keyword.control", WordCategory::Statement, "", ""),
            word_rule("support.function.action", WordCategory::Action, "", ""),
            word_rule("support.constant", WordCategory::Value, "", ""),
            word_rule("support.constant.term", WordCategory::Term, "", ""),
            word_rule("support.constant.metric", WordCategory::Metric, "(?<=metric\\()\\s*", ""),
            rule("support.constant", "\\b(clubs?|diamonds?|hearts?|spades?)\\b"),
            rule("constant.other.shape", "\\b(?=[0-9x]*x)[0-9x]{4}\\b"),
            rule("constant.other.card", "\\b([2-9TJQKA][CDHS]|[CDHS](?=[AKQJT2-9])A?K?Q?J?T?9?8?7?6?5?4?3?2?|[xz][1-7][CDHSN]x{0,2})\\b"),
            rule("constant.numeric", "\\b[0-9]+(\\.[0-9]*)?|\\.[0-9]+"),
            rule("keyword.operator", "&&|\\|\\||==|!=|<=|>=|[-+*/%<>!?:]"),
            rule("variable.other", "\\b[A-Za-z]\\w*\\b"),
        ]
    });
    serde_json::to_string_pretty(&grammar).unwrap_or_default() + "\n"
}

/// Returns the highlight query of the tree-sitter grammar.
#[must_use]
pub fn highlights() -> String {
    let quoted = |category: WordCategory| {
        let list: Vec<String> = spellings(category)
            .iter()
            .map(|word| format!("\"{word}\""))
            .collect();
        list.join(" ")
    };
    let mut text = String::from(
        "; Made from the tables of the language; the words are not to be edited here.\n\n(identifier) @variable\n",
    );
    for (category, capture) in [
        (WordCategory::Value, "constant.builtin"),
        (WordCategory::Term, "constant.builtin"),
        (WordCategory::Action, "function.macro"),
        (WordCategory::Statement, "keyword"),
    ] {
        text += &format!(
            "((identifier) @{capture}\n  (#any-of? @{capture} {}))\n",
            quoted(category)
        );
    }
    text += "((identifier) @constant.builtin\n  (#any-of? @constant.builtin \"club\" \"clubs\" \"diamond\" \"diamonds\" \"heart\" \"hearts\" \"spade\" \"spades\"))\n";
    text += "((identifier) @constant\n  (#match? @constant \"^([TJQKA][CDHS]|[CDHS][AKQJT2-9]+|[xz][1-7][CDHSN]x{0,2})$\"))\n\n";
    text += "(call function: (identifier) @function)\n";
    text += &format!(
        "(call function: (identifier) @function.builtin\n  (#any-of? @function.builtin {}))\n",
        quoted(WordCategory::Function)
    );
    text += &format!(
        "(call function: (identifier) @function.macro\n  (#any-of? @function.macro {}))\n",
        quoted(WordCategory::Action)
    );
    text += "(definition name: (identifier) @variable)\n(rule (auction) @function)\n\n";
    text += "[\"condition\" \"action\" \"predeal\" \"produce\" \"generate\" \"seed\" \"startboard\" \"dealer\" \"opener\" \"vulnerable\" \"title\" \"otherwise\" \"import\" \"pointcount\" \"altcount\" \"level\"] @keyword\n";
    text += "[\"average\" \"frequency\" \"bktfreq\"] @function.macro\n";
    text += "[\"and\" \"or\" \"not\" \"any\"] @keyword.operator\n";
    text += "[\"&&\" \"||\" \"==\" \"!=\" \"<\" \"<=\" \">\" \">=\" \"+\" \"-\" \"*\" \"/\" \"%\" \"!\" \"?\" \":\" \"=\"] @operator\n";
    text += "[\"(\" \")\"] @punctuation.bracket\n[\",\"] @punctuation.delimiter\n";
    text += "(number) @number\n(distribution) @constant\n(card) @constant\n(holding) @constant\n(seat) @constant.builtin\n(suit) @function.builtin\n(braces) @constant\n(string) @string\n(newline) @string.escape\n(parameter) @variable.parameter\n(comment) @comment\n";
    text
}
