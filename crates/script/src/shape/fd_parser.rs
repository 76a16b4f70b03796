//! The parser of the notation in braces.

use std::ops::Range;

use super::condition;
use super::fd::{Alternative, Body, Fixed, Letter, ShapeDiagnostic, Spec, Term};
use super::lengths::Lengths;

/// The parser of one expression.
pub(super) struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    pub warnings: Vec<ShapeDiagnostic>,
}

type Parsed<T> = Result<T, ShapeDiagnostic>;

fn letter(byte: u8) -> Option<Letter> {
    Some(match byte {
        b's' | b'S' => Letter::Suit(0),
        b'h' | b'H' => Letter::Suit(1),
        b'd' | b'D' => Letter::Suit(2),
        b'c' | b'C' => Letter::Suit(3),
        b'M' => Letter::Major,
        b'm' => Letter::Minor,
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t [u8]) -> Parser<'t> {
        Parser {
            text,
            at: 0,
            warnings: Vec::new(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    pub fn terms(&mut self) -> Parsed<Vec<Term>> {
        self.blanks();
        let mut sign = self.at..self.at;
        let mut minus = false;
        if let Some(byte @ (b'+' | b'-')) = self.peek() {
            minus = byte == b'-';
            sign = self.at..self.at + 1;
            self.at += 1;
        }
        let mut terms = Vec::new();
        loop {
            terms.push(self.term(minus, sign.clone())?);
            self.blanks();
            match self.peek() {
                None => return Ok(terms),
                Some(byte @ (b'+' | b'-')) => {
                    minus = byte == b'-';
                    sign = self.at..self.at + 1;
                    self.at += 1;
                }
                Some(_) => return Err(self.unexpected("expected `+`, `-`, `|` or `:`")),
            }
            self.blanks();
            if self.at == self.text.len() {
                return Err(ShapeDiagnostic::error(
                    "E205",
                    sign,
                    "this sign lacks a shape after it",
                ));
            }
        }
    }

    fn term(&mut self, minus: bool, sign: Range<usize>) -> Parsed<Term> {
        let mut alternatives = vec![self.alternative()?];
        loop {
            self.blanks();
            if self.peek() != Some(b'|') {
                break;
            }
            self.at += 1;
            alternatives.push(self.alternative()?);
        }
        Ok(Term {
            minus,
            sign,
            alternatives,
        })
    }

    fn alternative(&mut self) -> Parsed<Alternative> {
        let body = self.body()?;
        self.blanks();
        if self.peek() != Some(b':') {
            return Ok(Alternative {
                body,
                condition: None,
            });
        }
        let colon = self.at;
        let (condition, end) = condition::Parser::read(self.text, colon)?;
        self.at = end;
        let count = |letter| {
            body.fixed
                .iter()
                .filter(|f| f.letter == Some(letter))
                .count()
        };
        for (mentioned, letter, name) in [
            (condition.mentions_major, Letter::Major, 'M'),
            (condition.mentions_minor, Letter::Minor, 'm'),
        ] {
            if mentioned && count(letter) > 1 {
                let at = self.text[colon..end]
                    .iter()
                    .position(|&b| b == name as u8)
                    .map_or(colon, |p| colon + p);
                return Err(ShapeDiagnostic::error(
                    "E416",
                    at..at + 1,
                    format!("`{name}` is ambiguous here: the shape uses it twice; name the suits"),
                ));
            }
        }
        Ok(Alternative {
            body,
            condition: Some(condition),
        })
    }

    /// Reads four lengths.
    fn body(&mut self) -> Parsed<Body> {
        self.blanks();
        let start = self.at;
        let mut body = Body::default();
        if self.text[self.at..].starts_with(b"any")
            && !self
                .text
                .get(self.at + 3)
                .is_some_and(u8::is_ascii_alphabetic)
            || self.text[self.at..].starts_with(b"anyx")
        {
            self.at += 3;
            self.any_body(&mut body)?;
        } else {
            self.plain_body(&mut body)?;
        }
        let mut end = self.at;
        while end > start && self.text[end - 1] == b' ' {
            end -= 1;
        }
        body.range = start..end.max(start + 1);
        let count = body.count();
        if count != 4 {
            let lengths = if count == 1 { "length" } else { "lengths" };
            return Err(ShapeDiagnostic::error(
                "E411",
                body.range,
                format!("a shape has 4 lengths, this one has {count} {lengths}"),
            ));
        }
        check_letters(&body)?;
        self.warn_about_order(&body);
        Ok(body)
    }

    /// Reads the lengths of `any 5+4+xx`.
    fn any_body(&mut self, body: &mut Body) -> Parsed<()> {
        loop {
            self.blanks();
            match self.peek() {
                Some(b'+' | b'-') => {
                    let count = body.group.len();
                    if !self.is_modifier(body.group.last(), count, false) {
                        return Ok(());
                    }
                    self.modify(body.group.last_mut())?;
                }
                None | Some(b':' | b'|') => return Ok(()),
                Some(_) => {
                    let spec = self.spec()?;
                    body.group.push(spec);
                }
            }
        }
    }

    fn plain_body(&mut self, body: &mut Body) -> Parsed<()> {
        let prefix = self.peek().and_then(letter).is_some();
        loop {
            self.blanks();
            let at = self.at;
            match self.peek() {
                None | Some(b':' | b'|') => return Ok(()),
                Some(b'(') => {
                    self.group(body)?;
                    self.blanks();
                    return match self.peek() {
                        None | Some(b':' | b'|' | b'+' | b'-') => Ok(()),
                        Some(_) => Err(self.unexpected("nothing can follow the parentheses")),
                    };
                }
                Some(b'+' | b'-') => {
                    let count = body.count();
                    if !self.is_modifier(body.fixed.last().map(|f| &f.spec), count, false) {
                        return Ok(());
                    }
                    self.modify(body.fixed.last_mut().map(|f| &mut f.spec))?;
                }
                Some(byte) => {
                    let mut bound = None;
                    if prefix && letter(byte).is_some() {
                        bound = letter(byte);
                        self.at += 1;
                        self.blanks();
                    }
                    let mut spec = self.spec()?;
                    if !prefix {
                        // `5+s`: the modifier may come before the letter.
                        self.blanks();
                        if let Some(b'+' | b'-') = self.peek()
                            && self.is_modifier(Some(&spec), body.count() + 1, false)
                            && self.is_followed_by_letter()
                        {
                            self.modify(Some(&mut spec))?;
                        }
                        self.blanks();
                        if let Some(found) = self.peek().and_then(letter) {
                            bound = Some(found);
                            self.at += 1;
                        }
                    }
                    body.fixed.push(Fixed {
                        spec,
                        letter: bound,
                        range: at..self.at,
                    });
                }
            }
        }
    }

    fn is_followed_by_letter(&self) -> bool {
        let next = self.text[self.at + 1..].iter().find(|&&b| b != b' ');
        next.is_some_and(|&b| letter(b).is_some())
    }

    /// Returns whether the sign here changes the length before it, rather than separates terms. `count` lengths have
    /// been read.
    fn is_modifier(&self, last: Option<&Spec>, count: usize, in_group: bool) -> bool {
        let before = self.at == 0 || self.text[self.at - 1] == b' ';
        let after = self.text.get(self.at + 1) == Some(&b' ');
        if before && after {
            return false;
        }
        if in_group || count < 4 {
            return true;
        }
        let bare = last.is_some_and(|spec| !spec.complete);
        let next = self.text[self.at + 1..].iter().find(|&&b| b != b' ');
        bare && matches!(next, None | Some(b'+' | b'-' | b':' | b'|'))
    }

    /// Applies the sign at the current place to a length.
    fn modify(&mut self, spec: Option<&mut Spec>) -> Parsed<()> {
        let sign = self.peek();
        let Some(spec) = spec.filter(|spec| !spec.complete) else {
            return Err(self.unexpected("a `+` or `-` here must follow a single digit"));
        };
        let length = spec.lengths.0.trailing_zeros() as u8;
        if sign == Some(b'+') {
            spec.lengths = Lengths::from_to(length, 13);
            spec.plus = true;
        } else {
            spec.lengths = Lengths::from_to(0, length);
        }
        spec.complete = true;
        self.at += 1;
        Ok(())
    }

    fn group(&mut self, body: &mut Body) -> Parsed<()> {
        let open = self.at;
        self.at += 1;
        loop {
            self.blanks();
            match self.peek() {
                None => {
                    return Err(ShapeDiagnostic::error(
                        "E412",
                        open..open + 1,
                        "this `(` is not closed",
                    ));
                }
                Some(b')') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'(') => return Err(self.unexpected("parentheses cannot be nested")),
                Some(b'+' | b'-') => {
                    if !self.is_modifier(body.group.last(), 0, true) {
                        return Err(ShapeDiagnostic::error(
                            "E412",
                            open..open + 1,
                            "this `(` is not closed before the next term",
                        ));
                    }
                    self.modify(body.group.last_mut())?;
                }
                Some(byte) if letter(byte).is_some() => {
                    return Err(self.unexpected("a suit letter cannot stand inside parentheses"));
                }
                Some(_) => {
                    let spec = self.spec()?;
                    body.group.push(spec);
                }
            }
        }
    }

    /// Reads `x`, a digit or `[...]`.
    fn spec(&mut self) -> Parsed<Spec> {
        match self.peek() {
            Some(b'x') => {
                self.at += 1;
                Ok(Spec {
                    lengths: Lengths::ANY,
                    open: true,
                    complete: true,
                    plus: false,
                })
            }
            Some(digit @ b'0'..=b'9') => {
                self.at += 1;
                Ok(Spec {
                    lengths: Lengths::one(digit - b'0'),
                    open: false,
                    complete: false,
                    plus: false,
                })
            }
            Some(b'[') => self.bracket(),
            Some(byte) if letter(byte).is_some() => {
                Err(self.unexpected("a suit letter must stand directly after its length"))
            }
            _ => Err(self.unexpected("expected a length: a digit, `x` or `[...]`")),
        }
    }

    fn bracket(&mut self) -> Parsed<Spec> {
        let open = self.at;
        let length = self.text[open..]
            .iter()
            .position(|&b| b == b']')
            .ok_or_else(|| {
                ShapeDiagnostic::error("E412", open..open + 1, "this `[` is not closed")
            })?;
        let range = open..open + length + 1;
        let inside = String::from_utf8_lossy(&self.text[open + 1..open + length]).into_owned();
        let wrong = |what: String| ShapeDiagnostic::error("E415", range.clone(), what);
        let lengths = if inside.contains(',') || inside.contains("..") {
            number_list(&inside).map_err(wrong)?
        } else {
            digit_list(&inside).map_err(wrong)?
        };
        self.at = range.end;
        Ok(Spec {
            lengths,
            open: false,
            complete: true,
            plus: false,
        })
    }

    fn unexpected(&self, why: &str) -> ShapeDiagnostic {
        let rest = String::from_utf8_lossy(&self.text[self.at.min(self.text.len())..]).into_owned();
        match rest.chars().next() {
            None => ShapeDiagnostic::error(
                "E414",
                self.at..self.at,
                format!("the shape is not complete; {why}"),
            ),
            Some(')' | ']') => ShapeDiagnostic::error(
                "E412",
                self.at..self.at + 1,
                format!("this `{}` has no partner", &rest[..1]),
            ),
            Some(c) => ShapeDiagnostic::error(
                "E414",
                self.at..self.at + 1,
                format!("`{c}` does not fit in a shape here; {why}"),
            ),
        }
    }

    fn warn_about_order(&mut self, body: &Body) {
        let first_free = body.fixed.iter().position(|f| f.letter.is_none());
        if let Some(free) = first_free
            && let Some(late) = body.fixed[free..].iter().find(|f| f.letter.is_some())
        {
            self.warnings.push(ShapeDiagnostic::error(
                "W-FD-ORDER",
                late.range.clone(),
                "DealerV2 gives the letter to the first length; put lengths with a letter first to mean the same everywhere",
            ));
        }
    }
}

/// Checks that no suit occurs twice and that there are enough majors for each `M` and minors for each `m`.
fn check_letters(body: &Body) -> Parsed<()> {
    let mut used = [false; 4];
    let mut classes = [0_usize; 2];
    for fixed in &body.fixed {
        let Some(letter) = fixed.letter else { continue };
        let class = match letter {
            Letter::Suit(place) => {
                if used[place] {
                    return Err(ShapeDiagnostic::error(
                        "E413",
                        fixed.range.clone(),
                        format!("the suit {} is used twice", ["s", "h", "d", "c"][place]),
                    ));
                }
                used[place] = true;
                place / 2
            }
            Letter::Major => 0,
            Letter::Minor => 1,
        };
        classes[class] += 1;
        if classes[class] > 2 {
            let (kind, name) = [("major", "M"), ("minor", "m")][class];
            return Err(ShapeDiagnostic::error(
                "E413",
                fixed.range.clone(),
                format!(
                    "there is no {kind} left for this length: `{name}` and the {kind}s named make more than two"
                ),
            ));
        }
    }
    Ok(())
}

/// Reads `013-68`: each digit is a length, a minus makes a range.
fn digit_list(text: &str) -> Result<Lengths, String> {
    let bytes: Vec<u8> = text.bytes().filter(|&b| b != b' ').collect();
    let mut set = 0;
    let mut at = 0;
    while at < bytes.len() {
        let low = bytes[at];
        if !low.is_ascii_digit() {
            return Err(format!("`{}` in the brackets is not a digit", low as char));
        }
        let (high, length) = match bytes.get(at + 1..at + 3) {
            Some(&[b'-', high]) if high.is_ascii_digit() => (high, 3),
            _ if bytes.get(at + 1) == Some(&b'-') => {
                return Err("a range in brackets is two digits with `-` between".to_owned());
            }
            _ => (low, 1),
        };
        if high < low {
            return Err(format!(
                "the range {}-{} is reversed; write {1}-{0}",
                low as char, high as char
            ));
        }
        set |= Lengths::from_to(low - b'0', high - b'0').0;
        at += length;
    }
    if set == 0 {
        return Err("the brackets are empty".to_owned());
    }
    Ok(Lengths(set))
}

/// Reads `0,2,10..12`.
fn number_list(text: &str) -> Result<Lengths, String> {
    let number = |text: &str| -> Result<u8, String> {
        let text = text.trim();
        match text.parse::<u8>() {
            Ok(n) if n <= 13 => Ok(n),
            Ok(_) => Err(format!("{text} is more than 13 cards")),
            Err(_) => Err(format!(
                "`{text}` in the brackets is not a number from 0 to 13"
            )),
        }
    };
    let mut set = 0;
    for item in text.split(',') {
        let (low, high) = match item.split_once("..") {
            Some((low, high)) => (number(low)?, number(high)?),
            None => (number(item)?, number(item)?),
        };
        if high < low {
            return Err(format!(
                "the range {low}..{high} is reversed; write {high}..{low}"
            ));
        }
        set |= Lengths::from_to(low, high).0;
    }
    Ok(Lengths(set))
}
