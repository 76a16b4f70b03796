//! Generates random scripts together with their meaning.
//!
//! A script is generated around a deal, the witness: predealt cards and lengths are taken from it, and bounds are close
//! to its values. So every script has a deal, however rare, and the sampler is useful for most conditions.

use cards::{Card, Deal, Seat, Side, Strain, Suit};

use super::dice::SeededRandom;
use super::language::{
    Arithmetic, Bound, COUNTERS, Comparison, Expression, Names, ShapeItem, cards_text, usual_tables,
};
use super::statements::Script;
use super::values::SUITS;

/// The metrics of a side that scripts use by name, in the order of their tags.
const METRICS: [&str; 15] = [
    "bergen",
    "bissell",
    "dkp",
    "goren",
    "kaplan",
    "karpin",
    "karpin_b",
    "knr",
    "larsson",
    "larsson_b",
    "pavlicek",
    "sheinwold",
    "zar",
    "zar_advanced",
    "roth",
];

/// Generates one script.
pub struct ScriptGenerator<'a> {
    dice: &'a mut SeededRandom,
    /// The deal that the script is generated around.
    witness: Deal,
    names: Names,
    /// Whether the script uses double-dummy tricks.
    solves: bool,
}

impl ScriptGenerator<'_> {
    /// Generates a script; `classes` is whether it has classes for levelling.
    pub fn write(dice: &mut SeededRandom, predeals: bool, classes: bool) -> Script {
        let witness = dice.deal();
        let names = Names {
            tables: usual_tables().to_vec(),
            ..Names::default()
        };
        let mut generator = ScriptGenerator {
            dice,
            witness,
            names,
            solves: false,
        };
        let mut script = Script::default();
        let mut lines = generator.counters();
        if predeals {
            lines.extend(generator.predeal(&mut script));
        }
        lines.extend(generator.parameters(&mut script));
        lines.extend(generator.variables(classes, &mut script));
        if !generator.dice.once_in(12) {
            if generator.dice.once_in(10) {
                // Only the last condition of a script counts.
                let replaced = generator.test(1).text(&generator.names);
                lines.push(format!("condition {replaced}"));
            }
            let condition = generator.condition();
            lines.push(format!("condition {}", condition.text(&generator.names)));
            script.condition = Some(condition);
        }
        lines.extend(generator.actions(&mut script));
        script.text = lines.join("\n") + "\n";
        script.names = generator.names;
        script.solves = generator.solves;
        script
    }

    fn seat(&mut self) -> Seat {
        self.dice.one_of(&Seat::ALL)
    }

    fn suit(&mut self) -> Suit {
        self.dice.one_of(&SUITS)
    }

    fn side(&mut self) -> Side {
        self.dice.one_of(&Side::ALL)
    }

    /// Generates redefined counters, now and then.
    fn counters(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.dice.once_in(10) {
            let counter = self.dice.below(COUNTERS.len());
            let values: Vec<i32> = (0..5).map(|_| self.dice.below(7) as i32).collect();
            self.names.tables[counter] = [0; 13];
            self.names.tables[counter][..5].copy_from_slice(&values);
            let values: Vec<String> = values.iter().map(i32::to_string).collect();
            let values = values.join(" ");
            lines.push(match counter {
                10 if self.dice.once_in(2) => format!("pointcount {values}"),
                _ => format!("altcount {counter} {values}"),
            });
        }
        lines
    }

    /// Predeals cards and lengths of the witness.
    fn predeal(&mut self, script: &mut Script) -> Vec<String> {
        let mut items = Vec::new();
        if self.dice.once_in(3) {
            for _ in 0..=self.dice.below(3) {
                let seat = self.seat();
                if script.cards.iter().any(|&(other, _)| other == seat) {
                    continue;
                }
                let mut held: Vec<Card> = self.witness.hand(seat).iter().collect();
                let count = match self.dice.once_in(8) {
                    true => 13,
                    false => 1 + self.dice.below(6),
                };
                while held.len() > count {
                    held.swap_remove(self.dice.below(held.len()));
                }
                items.push(format!("{seat} {}", cards_text(&held)));
                script
                    .cards
                    .extend(held.into_iter().map(|card| (seat, card)));
            }
        }
        if !self.dice.once_in(3) {
            for _ in 0..=self.dice.below(4) {
                let (seat, suit) = (self.seat(), self.suit());
                let known = |&(one, other, _): &(Seat, Suit, u8)| (one, other) == (seat, suit);
                if !script.lengths.iter().any(known) {
                    let cards = self.witness.hand(seat).iter();
                    let length = cards.filter(|card| card.suit() == suit).count() as u8;
                    items.push(format!("{suit}({seat}) == {length}"));
                    script.lengths.push((seat, suit, length));
                }
            }
        }
        items.iter().map(|item| format!("predeal {item}")).collect()
    }

    /// Generates texts for `$n`, in the script or from the caller.
    fn parameters(&mut self, script: &mut Script) -> Vec<String> {
        let mut lines = Vec::new();
        while self.dice.once_in(6) {
            let number = self.dice.below(10);
            if self.names.parameters[number].is_some() {
                break;
            }
            let value = match self.dice.once_in(2) {
                true => Expression::Number(self.dice.below(12) as i32),
                false => self.number(0),
            };
            let text = value.text(&self.names);
            self.names.parameters[number] = Some(value);
            match self.dice.once_in(2) {
                true => lines.push(format!("# param {number} = {text}")),
                false => script.given.push((number, text)),
            }
        }
        lines
    }

    fn variables(&mut self, classes: bool, script: &mut Script) -> Vec<String> {
        let mut lines = Vec::new();
        let count = self.dice.below(4) + if classes { 2 } else { 0 };
        for place in 0..count {
            let class = classes && place >= count - 2;
            let value = match class || self.dice.once_in(2) {
                true => self.test(1),
                false => self.number(1),
            };
            let name = match class {
                true => format!("HandType_C{}", place + 2 - count),
                false => format!("v{place}"),
            };
            lines.push(format!("{name} = {}", value.text(&self.names)));
            self.names.variables.push((name, value));
            if class {
                script.classes.push(place);
            }
        }
        lines
    }

    fn actions(&mut self, script: &mut Script) -> Vec<String> {
        let mut list = Vec::new();
        for _ in 0..=self.dice.below(3) {
            let value = match self.dice.below(60) {
                0 => self.tricks(),
                1..=20 => self.test(1),
                _ => self.number(1),
            };
            let text = value.text(&self.names);
            list.push(match self.dice.once_in(3) {
                true => format!("printoneline({text})"),
                false => format!("average \"of {}\" {text}", list.len()),
            });
            script.actions.push(value);
        }
        vec![format!("action {}", list.join(", "))]
    }

    /// Generates a condition that the witness satisfies: several parts, some for each hand.
    fn condition(&mut self) -> Expression {
        let parts = self.dice.one_of(&[1, 1, 1, 2, 2, 3]);
        let mut list: Vec<Expression> = (0..parts).map(|_| self.true_test()).collect();
        if self.dice.once_in(80) {
            let tricks = self.tricks();
            let value = tricks.value(&self.witness, &self.names);
            list.push(compare(Comparison::AtLeast, tricks, value - 3));
        }
        if self.dice.once_in(15) {
            let out_of = 2 + self.dice.below(5) as u32;
            let below = 1 + self.dice.below(out_of as usize) as u32;
            list.push(Expression::Chance(out_of, below));
        }
        match list.len() {
            1 => list.remove(0),
            _ => Expression::And(list),
        }
    }

    /// Generates a test that the witness passes.
    fn true_test(&mut self) -> Expression {
        let depth = self.dice.one_of(&[0, 0, 0, 0, 1, 2]);
        let test = self.test(depth);
        match test.holds(&self.witness, &self.names) {
            true => test,
            false => Expression::Not(Box::new(test)),
        }
    }

    /// Generates any test; bounds are close to the values of the witness.
    fn test(&mut self, depth: u32) -> Expression {
        let kinds = if depth == 0 { 12 } else { 18 };
        match self.dice.below(kinds) {
            0 => self.shapes(),
            1 => {
                let seat = self.seat();
                let bounds = [(); 4].map(|()| self.bound());
                Expression::Braces(seat, bounds)
            }
            2 => Expression::Balanced(self.seat()),
            3 => {
                let seat = self.seat();
                Expression::HasCard(seat, self.card())
            }
            4..=6 => self.points_range(),
            7..=9 => self.comparison(depth.min(1)),
            10 => {
                let (seat, suit) = (self.seat(), self.suit());
                self.bounded(Expression::Length(seat, suit), 1)
            }
            11 => match self.names.variables.len() {
                0 => self.comparison(0),
                count => Expression::Variable(self.dice.below(count)),
            },
            12 | 13 => Expression::And(self.tests(depth - 1)),
            14 | 15 => Expression::Or(self.tests(depth - 1)),
            16 => Expression::Not(Box::new(self.test(depth - 1))),
            _ => {
                let [test, yes, no] = [(); 3].map(|()| Box::new(self.test(depth - 1)));
                Expression::Choose(test, yes, no)
            }
        }
    }

    fn tests(&mut self, depth: u32) -> Vec<Expression> {
        let count = 2 + self.dice.below(2);
        (0..count).map(|_| self.test(depth)).collect()
    }

    /// Generates a range of points of a hand within a few of the witness, as in most scripts.
    fn points_range(&mut self) -> Expression {
        let seat = self.seat();
        let points = Expression::Points(10, seat, None);
        let value = points.value(&self.witness, &self.names);
        let low = value - self.dice.below(4) as i32;
        match self.dice.below(3) {
            0 => Expression::Range(low, Box::new(points), low + 4),
            1 => compare(Comparison::AtLeast, points, low),
            _ => compare(Comparison::AtMost, points, low + 3),
        }
    }

    fn comparison(&mut self, depth: u32) -> Expression {
        let number = self.number(depth);
        let spread = match number {
            Expression::Cccc(_) | Expression::Ltc(..) | Expression::Opc(..) => 200,
            Expression::Quality(..) => 100,
            _ => 2,
        };
        if self.dice.once_in(5) {
            let other = self.number(depth);
            let comparison = self.dice.one_of(&Comparison::ALL).0;
            return Expression::Compare(comparison, Box::new(number), Box::new(other));
        }
        self.bounded(number, spread)
    }

    /// Compares a number with one that is at most `spread` away from that of the witness.
    fn bounded(&mut self, number: Expression, spread: usize) -> Expression {
        let value = number.value(&self.witness, &self.names);
        let bound = value + self.dice.below(2 * spread + 1) as i32 - spread as i32;
        let comparison = self.dice.one_of(&Comparison::ALL).0;
        compare(comparison, number, bound)
    }

    fn number(&mut self, depth: u32) -> Expression {
        let seat = self.seat();
        let suit = Some(self.suit()).filter(|_| self.dice.once_in(3));
        match self.dice.below(if depth == 0 { 16 } else { 22 }) {
            0..=2 => Expression::Length(seat, self.suit()),
            3 | 4 => Expression::Points(10, seat, suit),
            5 => Expression::Points(self.dice.below(COUNTERS.len()), seat, suit),
            6 => Expression::Controls(seat, suit),
            7 => Expression::Losers(seat, suit),
            8 => Expression::Ltc(seat, suit),
            9 => Expression::Cccc(seat),
            10 => Expression::Quality(seat, self.suit()),
            11 => self.metric(),
            12 => match self.dice.once_in(4) {
                true => Expression::Opc(self.side(), self.strain()),
                false => self.sum_of_a_side(),
            },
            13 => self.sum_of_a_side(),
            14 => match self.names.variables.len() {
                0 => Expression::Number(self.dice.below(14) as i32),
                count => Expression::Variable(self.dice.below(count)),
            },
            15 => {
                let known = |number: &usize| self.names.parameters[*number].is_some();
                let known: Vec<usize> = (0..10).filter(known).collect();
                match known[..] {
                    [] => Expression::Points(10, seat, None),
                    _ => Expression::Parameter(self.dice.one_of(&known)),
                }
            }
            16 => Expression::Abs(Box::new(self.difference(depth))),
            17 => self.difference(depth),
            18 => self.arithmetic(Arithmetic::Plus, depth),
            19 => {
                let times = Expression::Number(1 + self.dice.below(3) as i32);
                let number = Box::new(self.number(depth - 1));
                Expression::Arithmetic(Arithmetic::Times, number, Box::new(times))
            }
            20 => self.quotient(depth),
            _ => match self.dice.below(4) {
                3 => {
                    let (level, strain) = (1 + self.dice.below(7) as u8, self.strain());
                    let (suit, vulnerable) = (self.suit(), self.dice.once_in(2));
                    let [one, other] =
                        [seat, seat.partner()].map(|seat| Box::new(Expression::Length(seat, suit)));
                    let tricks = Expression::Arithmetic(Arithmetic::Plus, one, other);
                    let strain = strain.unwrap_or(Strain::Notrump);
                    Expression::Score(level, strain, vulnerable, Box::new(tricks))
                }
                0 => Expression::Negative(Box::new(self.number(depth - 1))),
                1 => Expression::Imps(Box::new(self.hundreds(depth))),
                _ => {
                    let test = Box::new(self.test(0));
                    let [yes, no] = [(); 2].map(|()| Box::new(self.number(depth - 1)));
                    Expression::Choose(test, yes, no)
                }
            },
        }
    }

    fn tricks(&mut self) -> Expression {
        self.solves = true;
        Expression::Tricks(self.seat(), self.dice.one_of(&Strain::ALL))
    }

    fn strain(&mut self) -> Option<Strain> {
        (!self.dice.once_in(3)).then(|| self.dice.one_of(&Strain::ALL))
    }

    fn sum_of_a_side(&mut self) -> Expression {
        let seat = self.seat();
        let suit = self.suit();
        let of = |seat: Seat, points: bool| match points {
            true => Expression::Points(10, seat, None),
            false => Expression::Length(seat, suit),
        };
        let points = self.dice.once_in(2);
        let [one, other] = [seat, seat.partner()].map(|seat| Box::new(of(seat, points)));
        Expression::Arithmetic(Arithmetic::Plus, one, other)
    }

    /// Generates a metric. Redefined counters change metrics, so scripts that have them use none here.
    fn metric(&mut self) -> Expression {
        let seat = self.seat();
        if self.names.tables != usual_tables() {
            return Expression::Losers(seat, None);
        }
        let place = self.dice.below(METRICS.len());
        let (name, flat) = (METRICS[place], self.dice.once_in(3));
        match self.dice.below(5) {
            0 => Expression::UserEval(place as i32, seat.side(), self.dice.below(6)),
            1 | 2 => Expression::SideMetric(name, seat.side(), flat),
            _ => Expression::HandMetric(name, seat, flat),
        }
    }

    fn arithmetic(&mut self, operation: Arithmetic, depth: u32) -> Expression {
        let [left, right] = [(); 2].map(|()| Box::new(self.number(depth - 1)));
        Expression::Arithmetic(operation, left, right)
    }

    fn difference(&mut self, depth: u32) -> Expression {
        self.arithmetic(Arithmetic::Minus, depth)
    }

    fn hundreds(&mut self, depth: u32) -> Expression {
        let hundred = Box::new(Expression::Number(100));
        let difference = Box::new(self.difference(depth));
        Expression::Arithmetic(Arithmetic::Times, difference, hundred)
    }

    /// Generates a division that cannot fail, by a number or by a length plus 1.
    fn quotient(&mut self, depth: u32) -> Expression {
        let operation = self
            .dice
            .one_of(&[Arithmetic::DividedBy, Arithmetic::Remainder]);
        let divisor = match self.dice.once_in(2) {
            true => Expression::Number(2 + self.dice.below(4) as i32),
            false => {
                let length = Box::new(Expression::Length(self.seat(), self.suit()));
                let one = Box::new(Expression::Number(1));
                Expression::Arithmetic(Arithmetic::Plus, length, one)
            }
        };
        let number = Box::new(self.number(depth - 1));
        Expression::Arithmetic(operation, number, Box::new(divisor))
    }

    fn card(&mut self) -> Card {
        Card::from_index(self.dice.below(52)).expect("one of 52")
    }

    fn bound(&mut self) -> Bound {
        let length = self.dice.below(6) as u8;
        match self.dice.below(7) {
            0 => Bound::AtLeast(length.min(3)),
            1 => Bound::AtMost(length.max(3)),
            2 => Bound::Between(length.min(2), length.max(4)),
            3 => Bound::Exactly(length.clamp(2, 4)),
            _ => Bound::Any,
        }
    }

    /// Generates shapes in the classic notation.
    fn shapes(&mut self) -> Expression {
        let seat = self.seat();
        let mut items: Vec<ShapeItem> = Vec::new();
        for number in 0..=self.dice.below(4) {
            items.push(ShapeItem {
                taken_away: number > 0 && self.dice.once_in(4),
                any_order: self.dice.once_in(2),
                lengths: self.lengths(),
            });
        }
        Expression::Shapes(seat, items)
    }

    /// Generates four lengths that a hand may have, some of them open.
    fn lengths(&mut self) -> [Option<u8>; 4] {
        let hand = self.dice.deal().hand(Seat::North);
        let length = |suit: Suit| hand.iter().filter(|card| card.suit() == suit).count() as u8;
        let lengths = SUITS.map(length);
        let open = self.dice.below(4);
        let wide = lengths.map(|length| length > 9);
        let mut place = 0;
        lengths.map(|length| {
            place += 1;
            // A length must be a single digit.
            (place > open && !wide.contains(&true)).then_some(length)
        })
    }
}

fn compare(comparison: Comparison, number: Expression, bound: i32) -> Expression {
    let bound = match bound {
        0.. => Expression::Number(bound),
        _ => Expression::Negative(Box::new(Expression::Number(-bound))),
    };
    Expression::Compare(comparison, Box::new(number), Box::new(bound))
}
