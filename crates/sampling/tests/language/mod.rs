//! A small parser of dealer conditions for the tests. It turns a text into a [`Problem`] for the sampler and,
//! independently, into a predicate on deals.
#![allow(dead_code, reason = "each test program uses its own part")]

use cards::notation::suit_holdings;
use cards::{
    BySeat, BySuit, Card, CardSet, Deal, Holding, Rank, Seat, Shape, ShapeSet, Side, Suit,
};
use croupier_sampling::{Feature, Formula, Holder, Problem, SuitFunction, Term};

/// A number, defined for a deal and, if it is simple, for the sampler.
#[derive(Clone, Debug)]
enum Number {
    Constant(i32),
    Length(Seat, Suit),
    Points(&'static str, Seat, Option<Suit>),
    HasCard(Seat, Card),
    Sum(Box<Number>, Box<Number>),
    Difference(Box<Number>, Box<Number>),
}

#[derive(Clone, Debug)]
enum Condition {
    Compare(Number, &'static str, Number),
    Shape(Seat, ShapeSet),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

fn loser_count(held: Holding) -> i32 {
    let has = |rank| i32::from(held.contains(rank));
    let (ace, king, queen) = (has(Rank::ACE), has(Rank::KING), has(Rank::QUEEN));
    match held.len() {
        0 => 0,
        1 => 1 - ace,
        2 => 2 - ace - king,
        _ => 3 - ace - king - queen,
    }
}

fn rank_points(name: &str) -> Option<[i32; 13]> {
    let top = |a, k, q, j, t| [0, 0, 0, 0, 0, 0, 0, 0, t, j, q, k, a];
    Some(match name {
        "hcp" => top(4, 3, 2, 1, 0),
        "controls" => top(2, 1, 0, 0, 0),
        "aces" => top(1, 0, 0, 0, 0),
        "kings" => top(0, 1, 0, 0, 0),
        "tens" => top(0, 0, 0, 0, 1),
        "top3" => top(1, 1, 1, 0, 0),
        "c13" => top(6, 4, 2, 1, 0),
        // The Kaplan count 4.5 3 1.5 0.75 0.25 on the x100 scale of dotted numbers.
        "bumrap" => top(450, 300, 150, 75, 25),
        _ => return None,
    })
}

fn function(name: &str) -> SuitFunction {
    match rank_points(name) {
        Some(values) => SuitFunction::points(values),
        None => SuitFunction::tabulate(loser_count),
    }
}

fn points_of(name: &str, held: Holding) -> i32 {
    match rank_points(name) {
        Some(values) => held.iter().map(|rank| values[rank.index()]).sum(),
        None => loser_count(held),
    }
}

impl Number {
    fn of(&self, deal: &Deal) -> i32 {
        match self {
            Number::Constant(value) => *value,
            Number::Length(seat, suit) => deal[*seat].holding(*suit).len() as i32,
            Number::Points(name, seat, suit) => Suit::ALL
                .into_iter()
                .filter(|other| suit.is_none_or(|suit| suit == *other))
                .map(|suit| points_of(name, deal[*seat].holding(suit)))
                .sum(),
            Number::HasCard(seat, card) => i32::from(deal[*seat].contains(*card)),
            Number::Sum(a, b) => a.of(deal) + b.of(deal),
            Number::Difference(a, b) => a.of(deal) - b.of(deal),
        }
    }

    /// Adds `factor` times this number to a linear form.
    fn linear(&self, factor: i32, form: &mut Vec<(Number, i32)>, constant: &mut i32) {
        match self {
            Number::Constant(value) => *constant += factor * value,
            Number::Sum(a, b) => {
                a.linear(factor, form, constant);
                b.linear(factor, form, constant);
            }
            Number::Difference(a, b) => {
                a.linear(factor, form, constant);
                b.linear(-factor, form, constant);
            }
            simple => form.push((simple.clone(), factor)),
        }
    }

    fn term(&self, problem: &mut Problem) -> Term {
        match self {
            Number::Length(seat, suit) => problem.length(*seat, *suit),
            Number::Points(name, seat, None) => problem.points(*seat, function(name)),
            Number::Points(name, seat, Some(suit)) => {
                problem.suit_points(*seat, *suit, function(name))
            }
            Number::HasCard(seat, card) => {
                let rank = card.rank();
                let has = SuitFunction::tabulate(|held| i32::from(held.contains(rank)));
                problem.suit_points(*seat, card.suit(), has)
            }
            _ => unreachable!("only simple numbers are in a linear form"),
        }
    }

    /// Returns the same number for both hands of a side, if `other` is that of the partner.
    fn with_partner(&self, other: &Number, problem: &mut Problem) -> Option<Term> {
        let side = |seat: Seat| -> Side { seat.side() };
        match (self, other) {
            (Number::Length(a, s), Number::Length(b, t)) if a.partner() == *b && s == t => {
                Some(Term::Length(Holder::Side(side(*a)), *s))
            }
            (Number::Points(p, a, s), Number::Points(q, b, t))
                if p == q && a.partner() == *b && s == t && rank_points(p).is_some() =>
            {
                let functions = BySuit::from_fn(|suit| {
                    let counts = s.is_none_or(|only| only == suit);
                    counts.then(|| function(p))
                });
                let holder = Holder::Side(side(*a));
                Some(problem.feature(Feature { holder, functions }))
            }
            _ => None,
        }
    }
}

fn compare(op: &str, a: i32, b: i32) -> bool {
    match op {
        "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        _ => a >= b,
    }
}

impl Condition {
    fn of(&self, deal: &Deal) -> bool {
        match self {
            Condition::Compare(a, op, b) => compare(op, a.of(deal), b.of(deal)),
            Condition::Shape(seat, set) => {
                Shape::of(deal[*seat]).is_some_and(|it| set.contains(it))
            }
            Condition::Not(inner) => !inner.of(deal),
            Condition::And(list) => list.iter().all(|it| it.of(deal)),
            Condition::Or(list) => list.iter().any(|it| it.of(deal)),
        }
    }

    fn formula(&self, problem: &mut Problem) -> Formula {
        let mut all = |list: &[Condition]| list.iter().map(|it| it.formula(problem)).collect();
        match self {
            Condition::And(list) => Formula::All(all(list)),
            Condition::Or(list) => Formula::Any(all(list)),
            Condition::Not(inner) => inner.formula(problem).negate(),
            Condition::Shape(seat, set) => {
                let set = *set;
                let terms = Suit::DESCENDING
                    .map(|suit| problem.length(*seat, suit))
                    .to_vec();
                Formula::atom(terms, move |lengths| {
                    let lengths = [0, 1, 2, 3].map(|i: usize| lengths[i] as u8);
                    Shape::new(lengths).is_some_and(|shape| set.contains(shape))
                })
            }
            Condition::Compare(a, op, b) => {
                let (mut form, mut constant) = (Vec::new(), 0);
                a.linear(1, &mut form, &mut constant);
                b.linear(-1, &mut form, &mut constant);
                let (mut terms, mut factors) = (Vec::new(), Vec::new());
                while let Some((number, factor)) = form.pop() {
                    let partner = form.iter().enumerate().find_map(|(place, (other, same))| {
                        let sum = number.with_partner(other, problem);
                        sum.filter(|_| *same == factor).map(|sum| (place, sum))
                    });
                    terms.push(match partner {
                        Some((place, sum)) => {
                            form.remove(place);
                            sum
                        }
                        None => number.term(problem),
                    });
                    factors.push(factor);
                }
                let op: &'static str = op;
                Formula::atom(terms, move |values| {
                    let sum: i32 = values.iter().zip(&factors).map(|(v, f)| v * f).sum();
                    compare(op, sum + constant, 0)
                })
            }
        }
    }
}

/// A condition read from text.
pub struct ConditionText {
    predeal: BySeat<CardSet>,
    condition: Condition,
}

impl ConditionText {
    /// Reads a condition, with an optional `predeal ...;` before it.
    pub fn read(text: &str) -> ConditionText {
        let mut predeal = BySeat([CardSet::EMPTY; 4]);
        let mut rest = text;
        if let Some((before, after)) = text.split_once(';') {
            let mut words = before.trim_start_matches("predeal").split_whitespace();
            while let (Some(seat), Some(cards)) = (words.next(), words.next()) {
                predeal[read_seat(seat)] = suit_holdings(cards).unwrap();
            }
            rest = after;
        }
        let mut reader = Reader { rest };
        let condition = reader.any();
        assert!(reader.peek().is_empty(), "left over: {}", reader.rest);
        ConditionText { predeal, condition }
    }

    /// Returns the problem for the sampler.
    pub fn problem(&self) -> Problem {
        let mut problem = Problem::new();
        problem.predeal(self.predeal).unwrap();
        let parts = match &self.condition {
            Condition::And(list) => list.clone(),
            other => vec![other.clone()],
        };
        for part in parts {
            let formula = part.formula(&mut problem);
            problem.require(formula);
        }
        problem
    }

    /// Returns whether a deal satisfies the condition, by evaluating it directly.
    pub fn accepts(&self, deal: &Deal) -> bool {
        let mut fixed = self.predeal.into_iter();
        fixed.all(|(seat, cards)| deal[seat].contains_all(cards)) && self.condition.of(deal)
    }

    /// Returns the predealt cards.
    pub fn predealt(&self) -> BySeat<CardSet> {
        self.predeal
    }
}

fn read_seat(word: &str) -> Seat {
    word.parse().unwrap()
}

fn read_suit(word: &str) -> Option<Suit> {
    Suit::ALL
        .into_iter()
        .find(|suit| suit.name().eq_ignore_ascii_case(word))
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let two = ["==", "!=", "<=", ">="];
        if let Some(op) = two.iter().find(|op| self.rest.starts_with(**op)) {
            return &self.rest[..op.len()];
        }
        let word = |c: char| c.is_ascii_alphanumeric();
        match self.rest.find(|c| !word(c)) {
            Some(0) => &self.rest[..1],
            Some(end) => &self.rest[..end],
            None => self.rest,
        }
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.rest = &self.rest[token.len()..];
        token
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        if found {
            self.next();
        }
        found
    }

    fn any(&mut self) -> Condition {
        let mut list = vec![self.all()];
        while self.eat("or") {
            list.push(self.all());
        }
        if list.len() == 1 {
            list.remove(0)
        } else {
            Condition::Or(list)
        }
    }

    fn all(&mut self) -> Condition {
        let mut list = vec![self.one()];
        while self.eat("and") {
            list.push(self.one());
        }
        if list.len() == 1 {
            list.remove(0)
        } else {
            Condition::And(list)
        }
    }

    fn one(&mut self) -> Condition {
        if self.eat("not") {
            return Condition::Not(Box::new(self.one()));
        }
        if self.eat("(") {
            let inner = self.any();
            assert!(self.eat(")"));
            return inner;
        }
        if self.eat("shape") {
            return self.shape();
        }
        let left = self.sum();
        let ops = ["==", "!=", "<=", ">=", "<", ">"];
        let token = self.peek();
        match ops.into_iter().find(|op| *op == token) {
            Some(op) => {
                self.next();
                Condition::Compare(left, op, self.sum())
            }
            None => Condition::Compare(left, "!=", Number::Constant(0)),
        }
    }

    fn sum(&mut self) -> Number {
        let mut sum = self.number();
        loop {
            if self.eat("+") {
                sum = Number::Sum(Box::new(sum), Box::new(self.number()));
            } else if self.eat("-") {
                sum = Number::Difference(Box::new(sum), Box::new(self.number()));
            } else {
                return sum;
            }
        }
    }

    fn number(&mut self) -> Number {
        let word = self.next();
        if let Ok(value) = word.parse() {
            return Number::Constant(value);
        }
        assert!(self.eat("("), "after {word}");
        let seat = read_seat(self.next());
        let argument = self.eat(",").then(|| self.next());
        assert!(self.eat(")"));
        if let Some(suit) = read_suit(word) {
            return Number::Length(seat, suit);
        }
        if word == "hascard" {
            return Number::HasCard(seat, argument.unwrap().parse().unwrap());
        }
        let names = [
            "hcp", "controls", "losers", "aces", "kings", "tens", "top3", "c13", "bumrap",
        ];
        let name = names.into_iter().find(|name| *name == word);
        Number::Points(name.expect(word), seat, argument.and_then(read_suit))
    }

    fn shape(&mut self) -> Condition {
        assert!(self.eat("("));
        let seat = read_seat(self.next());
        assert!(self.eat(","));
        let mut set = ShapeSet::EMPTY;
        let mut remove = false;
        loop {
            let any = self.eat("any");
            for shape in Shape::all().filter(|shape| fits(self.rest.trim_start(), any, *shape)) {
                if remove {
                    set.remove(shape)
                } else {
                    set.insert(shape)
                }
            }
            self.next();
            match self.next() {
                "+" | "," => remove = false,
                "-" => remove = true,
                _ => return Condition::Shape(seat, set),
            }
        }
    }
}

fn fits(text: &str, any: bool, shape: Shape) -> bool {
    let pattern: Vec<Option<u8>> = text[..4]
        .chars()
        .map(|c| c.to_digit(10).map(|digit| digit as u8))
        .collect();
    let matches = |order: [usize; 4]| {
        let lengths = shape.lengths();
        let mut places = order.iter().zip(&pattern);
        places.all(|(&place, want)| want.is_none_or(|want| lengths[place] == want))
    };
    if !any {
        return matches([0, 1, 2, 3]);
    }
    (0..256).any(|code: usize| {
        let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        let mut seen = [false; 4];
        order.iter().for_each(|&place| seen[place] = true);
        seen == [true; 4] && matches(order)
    })
}
