//! Conditions of `shape{...}`: arithmetic on the lengths `s h d c`.
//!
//! The steps are in one vector, operands first, and all are evaluated in that order. So a long sum needs no recursion,
//! and every value is defined (a division by zero makes the comparison false).

use std::ops::Range;

use super::fd::ShapeDiagnostic;
use crate::plan::Comparison;

/// One step of the computation.
#[derive(Clone, Copy, Debug)]
enum Step {
    Number(f64),
    /// Length of a suit by position: spades 0 .. clubs 3.
    Length(usize),
    Major,
    Minor,
    Negate(usize),
    Not(usize),
    Both(usize, usize),
    Either(usize, usize),
    Xor(usize, usize),
    Compare(Comparison, usize, usize),
    Add(usize, usize),
    Subtract(usize, usize),
    Multiply(usize, usize),
    Divide(usize, usize),
    Modulo(usize, usize),
    Choose(usize, usize, usize),
}

/// A parsed condition.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    steps: Vec<Step>,
    /// Whether each suit is mentioned, spades first.
    pub mentions: [bool; 4],
    pub mentions_major: bool,
    pub mentions_minor: bool,
    /// Whether it is the number 0 alone, which fdp reads as no condition.
    pub is_zero: bool,
}

impl Condition {
    /// Returns whether the condition holds for these suit lengths. `major` and `minor` are the positions of the suits
    /// that `M` and `m` mean.
    pub fn holds(&self, lengths: [u8; 4], major: usize, minor: usize) -> bool {
        let mut values: Vec<f64> = Vec::with_capacity(self.steps.len());
        let truth = |b: bool| f64::from(u8::from(b));
        for step in &self.steps {
            let v = |i: usize| values[i];
            let value = match *step {
                Step::Number(n) => n,
                Step::Length(place) => f64::from(lengths[place]),
                Step::Major => f64::from(lengths[major]),
                Step::Minor => f64::from(lengths[minor]),
                Step::Negate(a) => -v(a),
                Step::Not(a) => truth(!is_true(v(a))),
                Step::Both(a, b) => truth(is_true(v(a)) && is_true(v(b))),
                Step::Either(a, b) => truth(is_true(v(a)) || is_true(v(b))),
                Step::Xor(a, b) => truth(is_true(v(a)) != is_true(v(b))),
                Step::Compare(how, a, b) => truth(how.holds(v(a), v(b))),
                Step::Add(a, b) => v(a) + v(b),
                Step::Subtract(a, b) => v(a) - v(b),
                Step::Multiply(a, b) => v(a) * v(b),
                Step::Divide(_, b) if v(b) == 0.0 => f64::NAN,
                Step::Divide(a, b) => v(a) / v(b),
                Step::Modulo(a, b) => modulo(v(a), v(b)),
                Step::Choose(test, yes, _) if is_true(v(test)) => v(yes),
                Step::Choose(_, _, no) => v(no),
            };
            values.push(value);
        }
        values.last().is_some_and(|&value| is_true(value))
    }
}

fn is_true(value: f64) -> bool {
    value != 0.0 && !value.is_nan()
}

/// Returns the remainder of whole numbers, with the sign of the divisor.
fn modulo(a: f64, b: f64) -> f64 {
    let (a, b) = (a.trunc(), b.trunc());
    if b == 0.0 || !a.is_finite() || !b.is_finite() {
        return f64::NAN;
    }
    a - b * (a / b).floor()
}

/// Maximum depth of parentheses.
const DEEPEST: usize = 200;

/// The parser of conditions.
pub(crate) struct Parser<'t> {
    text: &'t [u8],
    pub at: usize,
    depth: usize,
    steps: Vec<Step>,
    mentions: [bool; 4],
    mentions_major: bool,
    mentions_minor: bool,
}

type Parsed = Result<usize, ShapeDiagnostic>;

impl<'t> Parser<'t> {
    /// Reads the condition behind the colon at `colon`. Returns it with the offset of its end.
    pub fn read(text: &'t [u8], colon: usize) -> Result<(Condition, usize), ShapeDiagnostic> {
        let mut parser = Parser {
            text,
            at: colon + 1,
            depth: 0,
            steps: Vec::new(),
            mentions: [false; 4],
            mentions_major: false,
            mentions_minor: false,
        };
        parser.blanks();
        if parser.ends() {
            return Err(ShapeDiagnostic::error(
                "E416",
                colon..colon + 1,
                "the condition after this `:` is empty",
            ));
        }
        let start = parser.at;
        parser.either()?;
        parser.blanks();
        if !parser.ends() {
            return Err(parser.unexpected());
        }
        let is_zero = text[start..parser.at].trim_ascii() == b"0";
        let condition = Condition {
            steps: parser.steps,
            mentions: parser.mentions,
            mentions_major: parser.mentions_major,
            mentions_minor: parser.mentions_minor,
            is_zero,
        };
        Ok((condition, parser.at))
    }

    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    /// Returns whether the condition ends here: at the end, at a single `|`, or at a sign that separates terms.
    fn ends(&self) -> bool {
        match self.peek() {
            None => true,
            Some(b'|') => self.depth == 0 && self.text.get(self.at + 1) != Some(&b'|'),
            Some(b'+' | b'-') => self.depth == 0 && self.is_separator(),
            _ => false,
        }
    }

    fn is_separator(&self) -> bool {
        self.at > 0 && self.text[self.at - 1] == b' ' && self.text.get(self.at + 1) == Some(&b' ')
    }

    fn unexpected(&self) -> ShapeDiagnostic {
        let range: Range<usize> = self.at..self.at + 1;
        match self.peek() {
            None => {
                ShapeDiagnostic::error("E416", self.at..self.at, "the condition is not complete")
            }
            Some(b'=') => ShapeDiagnostic::error("E416", range, "to compare write `==`"),
            Some(b')') => ShapeDiagnostic::error("E416", range, "this `)` has no partner"),
            Some(_) => {
                let text = String::from_utf8_lossy(&self.text[self.at..]);
                let c = text.chars().next().unwrap_or(' ');
                ShapeDiagnostic::error(
                    "E416",
                    range,
                    format!(
                        "`{c}` does not fit in the condition; it may use s h d c M m, numbers, + - * / %, comparisons, `,` and or xor not ( )"
                    ),
                )
            }
        }
    }

    /// Takes a word such as `or`. Returns false if it is not next.
    fn word(&mut self, word: &str) -> bool {
        self.blanks();
        let rest = &self.text[self.at..];
        let found = rest.starts_with(word.as_bytes())
            && !rest
                .get(word.len())
                .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        if found {
            self.at += word.len();
        }
        found
    }

    fn sign(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = self.text[self.at..].starts_with(sign.as_bytes());
        if found {
            self.at += sign.len();
        }
        found
    }

    fn either(&mut self) -> Parsed {
        let mut left = self.all()?;
        loop {
            if self.word("or") {
                let right = self.all()?;
                left = self.push(Step::Either(left, right));
            } else if self.word("xor") {
                let right = self.all()?;
                left = self.push(Step::Xor(left, right));
            } else {
                return Ok(left);
            }
        }
    }

    fn all(&mut self) -> Parsed {
        let mut left = self.negation()?;
        while self.sign(",") || self.word("and") {
            let right = self.negation()?;
            left = self.push(Step::Both(left, right));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed {
        let mut count = 0;
        while self.word("not") {
            count += 1;
        }
        let mut value = self.choice()?;
        for _ in 0..count {
            value = self.push(Step::Not(value));
        }
        Ok(value)
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            let range = self.at..self.at + 1;
            return Err(ShapeDiagnostic::error(
                "E416",
                range,
                "the condition is nested too deep",
            ));
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn choice(&mut self) -> Parsed {
        let test = self.alternative()?;
        if !self.sign("?") {
            return Ok(test);
        }
        // Inside `? :` a `|` or sign does not end the condition, because the depth is greater.
        let yes = self.deeper(Self::choice)?;
        if !self.sign(":") {
            return Err(ShapeDiagnostic::error(
                "E416",
                self.at..self.at + 1,
                "expected `:` to go with the `?`",
            ));
        }
        let no = self.deeper(Self::choice)?;
        Ok(self.push(Step::Choose(test, yes, no)))
    }

    fn alternative(&mut self) -> Parsed {
        let mut left = self.conjunction()?;
        while self.sign("||") {
            let right = self.conjunction()?;
            left = self.push(Step::Either(left, right));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.equality()?;
        while self.sign("&&") {
            let right = self.equality()?;
            left = self.push(Step::Both(left, right));
        }
        Ok(left)
    }

    fn equality(&mut self) -> Parsed {
        self.chain(
            Self::relation,
            &[("==", Comparison::Equal), ("!=", Comparison::NotEqual)],
        )
    }

    fn relation(&mut self) -> Parsed {
        self.chain(
            Self::sum,
            &[
                ("<=", Comparison::LessEqual),
                (">=", Comparison::GreaterEqual),
                ("<", Comparison::Less),
                (">", Comparison::Greater),
            ],
        )
    }

    /// Reads a chain of comparisons: `a < b < c` means `a < b and b < c`.
    fn chain(&mut self, operand: fn(&mut Self) -> Parsed, signs: &[(&str, Comparison)]) -> Parsed {
        let mut last = operand(self)?;
        let mut result = None;
        while let Some(&(_, how)) = signs.iter().find(|(sign, _)| self.sign(sign)) {
            let next = operand(self)?;
            let pair = self.push(Step::Compare(how, last, next));
            result = Some(match result {
                None => pair,
                Some(before) => self.push(Step::Both(before, pair)),
            });
            last = next;
        }
        Ok(result.unwrap_or(last))
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            self.blanks();
            if self.ends() {
                return Ok(left);
            }
            if self.sign("+") {
                let right = self.product()?;
                left = self.push(Step::Add(left, right));
            } else if self.sign("-") {
                let right = self.product()?;
                left = self.push(Step::Subtract(left, right));
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.unary()?;
        loop {
            if self.sign("*") {
                let right = self.unary()?;
                left = self.push(Step::Multiply(left, right));
            } else if self.sign("/") {
                let right = self.unary()?;
                left = self.push(Step::Divide(left, right));
            } else if self.sign("%") {
                let right = self.unary()?;
                left = self.push(Step::Modulo(left, right));
            } else {
                return Ok(left);
            }
        }
    }

    fn unary(&mut self) -> Parsed {
        let mut signs = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                Some(b'!') if self.text.get(self.at + 1) != Some(&b'=') => signs.push(b'!'),
                Some(b'-') if !self.ends() => signs.push(b'-'),
                _ => break,
            }
            self.at += 1;
        }
        let mut value = self.primary()?;
        for sign in signs.into_iter().rev() {
            let step = match sign {
                b'!' => Step::Not(value),
                _ => Step::Negate(value),
            };
            value = self.push(step);
        }
        Ok(value)
    }

    fn primary(&mut self) -> Parsed {
        self.blanks();
        let start = self.at;
        match self.peek() {
            Some(b'0'..=b'9') => {
                while self.peek().is_some_and(|b| b.is_ascii_digit()) {
                    self.at += 1;
                }
                let digits = String::from_utf8_lossy(&self.text[start..self.at]);
                let value = digits.parse().unwrap_or(f64::INFINITY);
                Ok(self.push(Step::Number(value)))
            }
            Some(b'(') => {
                self.at += 1;
                let value = self.deeper(Self::either)?;
                if !self.sign(")") {
                    if self.peek().is_none() {
                        return Err(ShapeDiagnostic::error(
                            "E412",
                            start..start + 1,
                            "this `(` is not closed",
                        ));
                    }
                    return Err(self.unexpected());
                }
                Ok(value)
            }
            Some(letter)
                if !self
                    .text
                    .get(start + 1)
                    .is_some_and(u8::is_ascii_alphanumeric) =>
            {
                let step = match letter {
                    b's' | b'S' => Step::Length(0),
                    b'h' | b'H' => Step::Length(1),
                    b'd' | b'D' => Step::Length(2),
                    b'c' | b'C' => Step::Length(3),
                    b'M' => Step::Major,
                    b'm' => Step::Minor,
                    _ => return Err(self.unexpected()),
                };
                match step {
                    Step::Length(place) => self.mentions[place] = true,
                    Step::Major => self.mentions_major = true,
                    _ => self.mentions_minor = true,
                }
                self.at += 1;
                Ok(self.push(step))
            }
            _ => Err(self.unexpected()),
        }
    }
}
