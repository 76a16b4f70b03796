//! Generator of random scripts in the classic language, each determined by its number.

use std::fmt::Write as _;

/// A small random generator. A script can be generated again from its number.
pub struct SeededRandom(u64);

impl SeededRandom {
    pub fn new(number: u64) -> SeededRandom {
        SeededRandom(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

const SEATS: [&str; 4] = ["north", "east", "south", "west"];
const SUITS: [&str; 8] = [
    "clubs", "diamonds", "hearts", "spades", "club", "diamond", "heart", "spade",
];
const COUNTS: [&str; 27] = [
    "hcp", "hcps", "controls", "control", "losers", "loser", "tens", "jacks", "queens", "kings",
    "aces", "ten", "jack", "queen", "king", "ace", "top2", "top3", "top4", "top5", "c13", "pt0",
    "pt3", "pt5", "pt7", "pt8", "pt9",
];

/// Generator of scripts.
pub struct ScriptGenerator {
    pub dice: SeededRandom,
    /// Unused names for variables; when there are none left, `v0`, `v1` and so on.
    names: Vec<String>,
    variables: Vec<String>,
    shapes: usize,
}

impl ScriptGenerator {
    /// Creates the generator of script `number`.
    pub fn new(number: u64) -> ScriptGenerator {
        ScriptGenerator::with_names(number, &[])
    }

    /// Creates the generator of script `number`, which uses some of these names for variables.
    pub fn with_names(number: u64, names: &[String]) -> ScriptGenerator {
        ScriptGenerator {
            dice: SeededRandom::new(number + 1),
            names: names.to_vec(),
            variables: Vec::new(),
            shapes: 0,
        }
    }

    /// Returns the definition of a new variable.
    pub fn definition(&mut self) -> String {
        let value = self.expression(2);
        let name = match self.names.len() as u64 {
            0 => format!("v{}", self.variables.len()),
            left => self.names.swap_remove(self.dice.below(left) as usize),
        };
        self.variables.push(name.clone());
        format!("{name} = {value}")
    }

    /// Returns a defined variable, or `0` if there is none.
    pub fn variable(&mut self) -> String {
        match self.variables.len() as u64 {
            0 => "0".to_owned(),
            count => self.variables[self.dice.below(count) as usize].clone(),
        }
    }

    fn seat(&mut self) -> &'static str {
        self.dice.pick(&SEATS)
    }

    fn suit(&mut self) -> &'static str {
        self.dice.pick(&SUITS)
    }

    fn number(&mut self) -> String {
        match self.dice.below(6) {
            0 => format!("-{}", self.dice.between(1, 999)),
            1 => self.dice.between(10_000, 99_999).to_string(),
            2 => format!("{:04}", self.dice.between(0, 9999)),
            _ => self.dice.between(0, 40).to_string(),
        }
    }

    /// Returns a value of a hand.
    fn value(&mut self) -> String {
        let (seat, suit) = (self.seat(), self.suit());
        match self.dice.below(9) {
            0 => format!("{suit}({seat})"),
            1 => format!("cccc({seat})"),
            2 => format!("quality({seat},{suit})"),
            3 => {
                let rank = self.dice.pick(&[
                    "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A",
                ]);
                format!(
                    "hascard({seat},{rank}{})",
                    self.dice.pick(&["C", "D", "H", "S"])
                )
            }
            4 if self.shapes < 28 => self.shape(),
            5 => format!("{}({seat}, {suit})", self.dice.pick(&COUNTS)),
            _ => format!("{}({seat})", self.dice.pick(&COUNTS)),
        }
    }

    fn shape(&mut self) -> String {
        self.shapes += 1;
        let mut list = String::new();
        for item in 0..self.dice.between(1, 4) {
            let sign = if item == 0 {
                ""
            } else {
                self.dice.pick(&[" + ", " - ", ", ", " "])
            };
            let any = self.dice.pick(&["", "any "]);
            let shape = self.dice.pick(&[
                "4333", "4432", "5332", "5422", "4441", "5431", "5440", "6322", "6xxx", "xxxx",
                "5xx4", "x2x2", "7xxx", "0xxx", "33xx", "111x", "54xx",
            ]);
            let _ = write!(list, "{sign}{any}{shape}");
        }
        format!("shape({}, {list})", self.seat())
    }

    pub fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.dice.below(4) {
                0 => self.number(),
                1 if !self.variables.is_empty() => self.variable(),
                _ => self.value(),
            };
        }
        let inner = depth - 1;
        match self.dice.below(16) {
            0 => format!("({})", self.expression(inner)),
            1 => format!("not {}", self.operand(inner)),
            2 => format!("!{}", self.operand(inner)),
            3 => format!(
                "{} ? {} : {}",
                self.operand(inner),
                self.expression(inner),
                self.expression(inner)
            ),
            4 => format!("{} / {}", self.operand(inner), self.dice.between(1, 9)),
            5 => format!("{} % {}", self.operand(inner), self.dice.between(2, 17)),
            6 => {
                let contract = format!(
                    "x{}{}",
                    self.dice.between(1, 7),
                    self.dice.pick(&["C", "D", "H", "S", "N"])
                );
                format!(
                    "score({},{contract},{})",
                    self.dice.pick(&["nv", "vul"]),
                    self.expression(inner)
                )
            }
            7 => format!(
                "{}({})",
                self.dice.pick(&["imps", "imp"]),
                self.expression(inner)
            ),
            8 if self.dice.one_in(3) => format!("rnd({})", self.expression(inner)),
            _ => {
                let operator = self.dice.pick(&[
                    "+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "&&", "||", " and ", " or ",
                    "+", "-", ">=", "<=",
                ]);
                // A minus and a negative number need a blank between them.
                format!("{} {operator} {}", self.operand(inner), self.operand(inner))
            }
        }
    }

    /// Returns an expression that needs no parentheses in any context.
    fn operand(&mut self, depth: u32) -> String {
        if self.dice.one_in(3) {
            self.expression(0)
        } else {
            format!("({})", self.expression(depth))
        }
    }

    /// Returns a condition that holds often enough.
    pub fn condition(&mut self) -> String {
        let (seat, suit) = (self.seat(), self.suit());
        match self.dice.below(6) {
            0 => format!("hcp({seat}) >= {}", self.dice.between(5, 13)),
            1 => format!(
                "{suit}({seat}) >= {} and hcp({seat}) < {}",
                self.dice.between(2, 5),
                self.dice.between(10, 20)
            ),
            2 => format!("{} or hcp({seat})>9", self.expression(1)),
            3 => format!(
                "losers({seat}) <= {} || rnd(3) == 0",
                self.dice.between(5, 8)
            ),
            4 => format!(
                "shape({seat}, any 4333 + any 4432 + any 5332 + any 5xxx) && not hascard({seat},2C)"
            ),
            _ => self.expression(2),
        }
    }

    fn text(&mut self) -> &'static str {
        self.dice.pick(&[
            "\"label\"",
            "\"\"",
            "\"two words\"",
            "\"100% \\n\"",
            "\"a: b\"",
            "\"line\nbreak\"",
        ])
    }

    pub fn action(&mut self) -> String {
        let label = if self.dice.one_in(3) {
            String::new()
        } else {
            format!("{} ", self.text())
        };
        let low = self.dice.between(-3, 12);
        let high = low + self.dice.between(-1, 12);
        match self.dice.below(14) {
            0 => "printall".into(),
            1 => "printew".into(),
            2 => "printpbn".into(),
            3 => "printcompact".into(),
            4 => format!("printcompact({})", self.expression(1)),
            5 => "printoneline".into(),
            6 => format!("printoneline({})", self.expression(1)),
            7 | 8 => {
                let items: Vec<String> = (0..self.dice.between(1, 5))
                    .map(|_| match self.dice.below(3) {
                        0 => self.text().to_owned(),
                        1 => "\\n".to_owned(),
                        _ => self.expression(1),
                    })
                    .collect();
                format!("printes({})", items.join(", "))
            }
            9 => {
                let seats: Vec<&str> = (0..self.dice.between(1, 4)).map(|_| self.seat()).collect();
                format!("print({})", seats.join(","))
            }
            10 | 11 => format!("average {label}{}", self.expression(2)),
            12 => format!("frequency {label}({}, {low}, {high})", self.expression(1)),
            _ => {
                let (low2, high2) = (self.dice.between(-2, 8), self.dice.between(8, 15));
                format!(
                    "frequency {label}({}, {low}, {high}, {}, {low2}, {high2})",
                    self.expression(1),
                    self.expression(1)
                )
            }
        }
    }

    /// Returns predealt cards for some seats, in any order of seats and suits.
    fn predeal(&mut self) -> String {
        let mut pack: Vec<usize> = (0..52).collect();
        let mut text = String::from("predeal");
        for _ in 0..self.dice.between(1, 5) {
            let seat = self.seat();
            let mut holdings = Vec::new();
            for _ in 0..self.dice.between(1, 2) {
                let suit = self.dice.below(4) as usize;
                let mut ranks: Vec<usize> = Vec::new();
                for _ in 0..self.dice.between(0, 2) {
                    let free: Vec<usize> = pack
                        .iter()
                        .copied()
                        .filter(|card| card / 13 == suit)
                        .collect();
                    if free.is_empty() {
                        continue;
                    }
                    let card = free[self.dice.below(free.len() as u64) as usize];
                    pack.retain(|&other| other != card);
                    ranks.push(card % 13);
                }
                ranks.sort_unstable();
                let ranks: String = ranks
                    .iter()
                    .map(|&rank| b"AKQJT98765432"[rank] as char)
                    .collect();
                holdings.push(format!("{}{ranks}", ["S", "H", "D", "C"][suit]));
            }
            let _ = write!(text, " {seat} {}", holdings.join(","));
        }
        text
    }

    fn statement(&mut self) -> String {
        match self.dice.below(9) {
            0 => format!("dealer {}", self.seat()),
            1 => format!(
                "vulnerable {}",
                self.dice.pick(&["none", "NS", "EW", "all", "ns", "ew"])
            ),
            2 | 3 => self.predeal(),
            4 => {
                let values: Vec<String> = (0..self.dice.between(0, 13))
                    .map(|_| self.dice.between(-2, 9).to_string())
                    .collect();
                format!("pointcount {}", values.join(" "))
            }
            5 => {
                // In v1's memory, counters 1 and 8 are followed by `losers`, which it then computes from memory that it
                // does not own.
                let index = self
                    .dice
                    .pick(&["0", "2", "3", "4", "5", "6", "7", "9", "10", "11"]);
                let values: Vec<String> = (0..self.dice.between(0, 6))
                    .map(|_| self.dice.between(-1, 9).to_string())
                    .collect();
                format!("altcount {index} {}", values.join(" "))
            }
            6 => self
                .dice
                .pick(&[
                    "// a comment",
                    "# a comment",
                    "/* a block\n comment */",
                    "/* FOE <x> */",
                ])
                .to_owned(),
            _ => self.definition(),
        }
    }

    pub fn script(&mut self) -> String {
        let mut lines = vec![format!("generate {}", self.dice.between(1, 800))];
        if !self.dice.one_in(4) {
            lines.push(format!("produce {}", self.dice.between(1, 25)));
        }
        for _ in 0..self.dice.between(0, 6) {
            let statement = self.statement();
            lines.push(statement);
        }
        if !self.dice.one_in(5) {
            // A bare condition that begins with a suit would belong to a predeal before it, and one
            // that begins with a number to a pointcount.
            let condition = self.condition();
            let bare = ["hcp", "losers", "shape"]
                .iter()
                .any(|word| condition.starts_with(word));
            let word = if bare {
                self.dice.pick(&["condition ", ""])
            } else {
                "condition "
            };
            lines.push(format!("{word}{condition}"));
        }
        if !self.dice.one_in(12) {
            let actions: Vec<String> = (0..self.dice.between(1, 4))
                .map(|_| self.action())
                .collect();
            lines.push(format!("action {}", actions.join(",\n  ")));
        }
        lines.join("\n") + "\n"
    }

    pub fn switches(&mut self) -> Vec<String> {
        let mut switches = vec!["-s".to_owned(), self.dice.between(-50, 100_000).to_string()];
        for (switch, chance) in [
            ("-v", 6),
            ("-q", 6),
            ("-2", 6),
            ("-3", 6),
            ("-u", 12),
            ("-m", 12),
        ] {
            if self.dice.one_in(chance) {
                switches.push(switch.to_owned());
            }
        }
        if self.dice.one_in(6) {
            switches.push(format!("-p{}", self.dice.between(0, 12)));
        }
        switches
    }
}
