//! Random scripts in a random layout. Most of them compile.

/// A random generator with a fixed seed.
pub struct SeededRandom(u64);

impl SeededRandom {
    pub fn new(seed: u64) -> SeededRandom {
        SeededRandom(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Returns the script of a seed.
pub fn script(seed: u64) -> String {
    ScriptGenerator::script(seed)
}

/// Generates a script with random layout.
struct ScriptGenerator {
    random: SeededRandom,
    out: String,
    names: Vec<String>,
}

impl ScriptGenerator {
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    /// Writes a token after random blanks, line ends and comments.
    fn token(&mut self, text: &str) {
        let gap = match self.below(40) {
            0 => "\n",
            1 => "\n\n\n",
            2 => "  \t ",
            3 => " /* a note */ ",
            4 => " // to the end\n",
            5 => "\n# a line\n",
            6 => "\n/* a\n block */\n",
            7..20 => "",
            _ => " ",
        };
        let glued = gap.is_empty()
            && self
                .out
                .ends_with(|c: char| c.is_alphanumeric() || "_\"<>=!&|/".contains(c))
            && !matches!(text, "(" | ")" | ",");
        self.out.push_str(if glued { " " } else { gap });
        self.out.push_str(text);
    }

    fn value(&mut self, depth: u64) {
        let seat = ["north", "east", "south", "west"];
        match self.below(if depth > 4 { 4 } else { 10 }) {
            0 => {
                let number = self.below(20).to_string();
                self.token(&number);
            }
            1 | 2 => {
                let function = self.pick(&["hcp", "spades", "hearts", "controls", "losers"]);
                self.token(function);
                self.token("(");
                let seat = self.pick(&seat);
                self.token(seat);
                self.token(")");
            }
            3 if !self.names.is_empty() => {
                let at = self.below(self.names.len() as u64) as usize;
                let name = self.names[at].clone();
                self.token(&name);
            }
            3 | 4 => {
                for text in ["shape", "(", "north", ","] {
                    self.token(text);
                }
                let shape = self.pick(&["any 4333 + any 5332 - 5xxx", "5xxx", "any 4432"]);
                self.token(shape);
                self.token(")");
            }
            5 => {
                let sign = self.pick(&["-", "not", "!"]);
                self.token(sign);
                self.token("(");
                self.expression(depth + 1);
                self.token(")");
            }
            6 => {
                self.token("(");
                self.expression(depth + 1);
                self.token("?");
                self.expression(depth + 1);
                self.token(":");
                self.expression(depth + 1);
                self.token(")");
            }
            _ => {
                self.token("(");
                self.expression(depth + 1);
                self.token(")");
            }
        }
    }

    fn expression(&mut self, depth: u64) {
        self.value(depth);
        for _ in 0..self.below(4) {
            let sign = self.pick(&[
                "and", "or", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*",
            ]);
            self.token(sign);
            self.value(depth + 1);
        }
    }

    fn action(&mut self) {
        match self.below(7) {
            0 => self.token("printall"),
            1 => {
                for text in ["printoneline", "("] {
                    self.token(text);
                }
                self.expression(1);
                self.token(")");
            }
            2 => {
                for text in [
                    "printes",
                    "(",
                    "\"a, b\"",
                    ",",
                    "hcp(north)",
                    ",",
                    "\\n",
                    ")",
                ] {
                    self.token(text);
                }
            }
            3 => {
                for text in ["frequency", "\"table (x)\"", "("] {
                    self.token(text);
                }
                self.expression(1);
                for text in [",", "0", ",", "12", ")"] {
                    self.token(text);
                }
            }
            4 => {
                for text in ["print", "(", "north", ",", "south", ")"] {
                    self.token(text);
                }
            }
            5 => {
                self.token("average");
                self.expression(1);
            }
            _ => {
                self.token("average");
                self.token("\"the mean\"");
                self.expression(1);
            }
        }
    }

    fn script(seed: u64) -> String {
        let mut writer = ScriptGenerator {
            random: SeededRandom::new(seed),
            out: String::new(),
            names: Vec::new(),
        };
        if writer.below(2) == 0 {
            writer.token("produce");
            writer.token("12");
        }
        if writer.below(4) == 0 {
            for text in ["predeal", "north", "SAK", ",", "H2", "south", "DA"] {
                writer.token(text);
            }
        }
        for number in 0..writer.below(5) {
            let name = format!("n{number}");
            writer.out.push('\n');
            writer.token(&name);
            writer.token("=");
            writer.expression(0);
            writer.names.push(name);
        }
        if writer.below(3) > 0 {
            writer.token("condition");
        } else {
            writer.out.push('\n');
        }
        writer.expression(0);
        writer.token("action");
        writer.action();
        for _ in 0..writer.below(4) {
            writer.token(",");
            writer.action();
        }
        writer.out
    }
}
