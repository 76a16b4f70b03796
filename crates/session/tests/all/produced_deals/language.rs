//! Expressions of the dealer language with an independent evaluator: [`Expression::text`] is the script,
//! [`Expression::value`] counts card by card. Nothing here uses the planner, the sampler or the evaluators; values that
//! have test vectors of their own (`cccc`, `quality`, `opc`, metrics, tricks) come from the crates that compute them.

use cards::{Card, Deal, Rank, Seat, Side, Strain, Suit};
use valuation::FourCsVersion;

use super::values::{
    SUITS, by_suit, honours, imps, length, lengths, losers, ltc, metric, places, score, slot,
    tricks,
};

/// The names of the counters that a script may redefine. The index is the number of `altcount`.
pub const COUNTERS: [&str; 11] = [
    "tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13", "hcp",
];

/// Values of the ranks, the ace first.
pub type RankTable = [i32; 13];

/// Returns the tables of [`COUNTERS`] before a script redefines them.
pub fn usual_tables() -> [RankTable; 11] {
    let tops: [&[i32]; 11] = [
        &[0, 0, 0, 0, 1],
        &[0, 0, 0, 1],
        &[0, 0, 1],
        &[0, 1],
        &[1],
        &[1, 1],
        &[1, 1, 1],
        &[1, 1, 1, 1],
        &[1, 1, 1, 1, 1],
        &[6, 4, 2, 1],
        &[4, 3, 2, 1],
    ];
    tops.map(|top| {
        let mut table = [0; 13];
        table[..top.len()].copy_from_slice(top);
        table
    })
}

/// One item of a list of shapes: lengths in the order spades, hearts, diamonds, clubs; `None` is any length.
#[derive(Clone, Debug)]
pub struct ShapeItem {
    pub taken_away: bool,
    pub any_order: bool,
    pub lengths: [Option<u8>; 4],
}

/// One length in braces.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    Any,
    Exactly(u8),
    AtLeast(u8),
    AtMost(u8),
    Between(u8, u8),
}

/// A comparison.
#[derive(Clone, Copy, Debug)]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    pub const ALL: [(Comparison, &str); 6] = [
        (Comparison::Equal, "=="),
        (Comparison::Unequal, "!="),
        (Comparison::Less, "<"),
        (Comparison::AtMost, "<="),
        (Comparison::Greater, ">"),
        (Comparison::AtLeast, ">="),
    ];

    fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

/// Arithmetic on two values.
#[derive(Clone, Copy, Debug)]
pub enum Arithmetic {
    Plus,
    Minus,
    Times,
    DividedBy,
    Remainder,
}

type Boxed = Box<Expression>;

/// An expression; every value except 0 is true.
#[derive(Clone, Debug)]
pub enum Expression {
    Number(i32),
    Length(Seat, Suit),
    /// A counter of [`COUNTERS`].
    Points(usize, Seat, Option<Suit>),
    Controls(Seat, Option<Suit>),
    Losers(Seat, Option<Suit>),
    Ltc(Seat, Option<Suit>),
    Cccc(Seat),
    Quality(Seat, Suit),
    HasCard(Seat, Card),
    Shapes(Seat, Vec<ShapeItem>),
    Braces(Seat, [Bound; 4]),
    Balanced(Seat),
    Opc(Side, Option<Strain>),
    /// The value of a side in its best fit or in notrump.
    SideMetric(&'static str, Side, bool),
    /// The value of a hand in its side's best fit or in notrump.
    HandMetric(&'static str, Seat, bool),
    /// A slot of the metric with a tag.
    UserEval(i32, Side, usize),
    /// The score of an undoubled contract: level, strain, whether it is vulnerable, tricks.
    Score(u8, Strain, bool, Boxed),
    /// Double-dummy tricks.
    Tricks(Seat, Strain),
    Imps(Boxed),
    Abs(Boxed),
    Negative(Boxed),
    Arithmetic(Arithmetic, Boxed, Boxed),
    Compare(Comparison, Boxed, Boxed),
    /// `low <= value <= high`
    Range(i32, Boxed, i32),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Boxed),
    Choose(Boxed, Boxed, Boxed),
    /// `rnd(n) < m` with `m` of at least 1: it may hold on any deal, so it counts as true here.
    Chance(u32, u32),
    /// A variable of the script, by its index.
    Variable(usize),
    /// `$n`, whose text is in parentheses.
    Parameter(usize),
}

/// The names that expressions refer to.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Name and expression of every variable, in order of definition.
    pub variables: Vec<(String, Expression)>,
    /// The expressions of `$0` to `$9`.
    pub parameters: [Option<Expression>; 10],
    /// The tables of [`COUNTERS`].
    pub tables: Vec<RankTable>,
}

impl ShapeItem {
    fn matches(&self, held: [u8; 4]) -> bool {
        let fits = |order: [usize; 4]| {
            let mut wanted = order.into_iter().map(|place| self.lengths[place]);
            held.into_iter()
                .all(|length| wanted.next().flatten().is_none_or(|it| it == length))
        };
        match self.any_order {
            true => orders().any(fits),
            false => fits([0, 1, 2, 3]),
        }
    }

    fn text(&self) -> String {
        let digit = |length: &Option<u8>| length.map_or("x".to_owned(), |it| it.to_string());
        let digits: String = self.lengths.iter().map(digit).collect();
        match self.any_order {
            true => format!("any {digits}"),
            false => digits,
        }
    }
}

/// Returns all orders of four places.
fn orders() -> impl Iterator<Item = [usize; 4]> {
    (0..256)
        .map(|number: usize| [0, 2, 4, 6].map(|shift| number >> shift & 3))
        .filter(|order| (0..4).all(|place| order.contains(&place)))
}

impl Bound {
    fn holds(self, length: u8) -> bool {
        match self {
            Bound::Any => true,
            Bound::Exactly(wanted) => length == wanted,
            Bound::AtLeast(low) => length >= low,
            Bound::AtMost(high) => length <= high,
            Bound::Between(low, high) => low <= length && length <= high,
        }
    }

    fn text(self) -> String {
        match self {
            Bound::Any => "x".to_owned(),
            Bound::Exactly(length) => length.to_string(),
            Bound::AtLeast(low) => format!("{low}+"),
            Bound::AtMost(high) => format!("{high}-"),
            Bound::Between(low, high) => format!("[{low}-{high}]"),
        }
    }
}

impl Expression {
    /// Returns the expression as a script writes it; every compound expression is in parentheses.
    pub fn text(&self, names: &Names) -> String {
        let call = |word: &str, seat: Seat, suit: &Option<Suit>| match suit {
            Some(suit) => format!("{word}({seat}, {suit})"),
            None => format!("{word}({seat})"),
        };
        let joined = |list: &[Expression], word: &str| {
            let parts: Vec<String> = list.iter().map(|part| part.text(names)).collect();
            format!("({})", parts.join(word))
        };
        let notrump = |is: bool| if is { ", notrump" } else { "" };
        match self {
            Expression::Number(number) => number.to_string(),
            Expression::Length(seat, suit) => format!("{suit}({seat})"),
            Expression::Points(counter, seat, suit) => call(COUNTERS[*counter], *seat, suit),
            Expression::Controls(seat, suit) => call("controls", *seat, suit),
            Expression::Losers(seat, suit) => call("losers", *seat, suit),
            Expression::Ltc(seat, suit) => call("ltc", *seat, suit),
            Expression::Cccc(seat) => format!("cccc({seat})"),
            Expression::Quality(seat, suit) => format!("quality({seat}, {suit})"),
            Expression::HasCard(seat, card) => {
                let (rank, suit) = (card.rank().letter(), card.suit().letter());
                format!("hascard({seat}, {rank}{suit})")
            }
            Expression::Shapes(seat, items) => {
                let mut list = String::new();
                for item in items {
                    let sign = match (list.is_empty(), item.taken_away) {
                        (true, _) => "",
                        (false, true) => " - ",
                        (false, false) => " + ",
                    };
                    list += sign;
                    list += &item.text();
                }
                format!("shape({seat}, {list})")
            }
            Expression::Braces(seat, bounds) => {
                let bounds: String = bounds.iter().map(|bound| bound.text()).collect();
                format!("shape{{{seat}, {bounds}}}")
            }
            Expression::Balanced(seat) => format!("balanced({seat})"),
            Expression::Opc(side, None) => format!("opc({})", side.letters()),
            Expression::Opc(side, Some(strain)) => format!("opc({}, {strain})", side.letters()),
            Expression::SideMetric(name, side, flat) => {
                format!("metric({name}, {}{})", side.letters(), notrump(*flat))
            }
            Expression::HandMetric(name, seat, flat) => {
                format!("metric({name}, {seat}{})", notrump(*flat))
            }
            Expression::UserEval(tag, side, slot) => {
                format!("usereval({tag}, {}, {slot})", side.letters())
            }
            Expression::Score(level, strain, vulnerable, tricks) => {
                let vulnerable = if *vulnerable { "vul" } else { "nv" };
                let contract = format!("x{level}{}", strain.letter());
                format!("score({vulnerable}, {contract}, {})", tricks.text(names))
            }
            Expression::Tricks(seat, strain) => format!("tricks({seat}, {strain})"),
            Expression::Imps(value) => format!("imps({})", value.text(names)),
            Expression::Abs(value) => format!("abs({})", value.text(names)),
            Expression::Negative(value) => format!("(-({}))", value.text(names)),
            Expression::Arithmetic(operation, left, right) => {
                let sign = match operation {
                    Arithmetic::Plus => '+',
                    Arithmetic::Minus => '-',
                    Arithmetic::Times => '*',
                    Arithmetic::DividedBy => '/',
                    Arithmetic::Remainder => '%',
                };
                format!("({} {sign} {})", left.text(names), right.text(names))
            }
            Expression::Compare(comparison, left, right) => {
                let sign = Comparison::ALL[*comparison as usize].1;
                format!("({} {sign} {})", left.text(names), right.text(names))
            }
            Expression::Range(low, value, high) => {
                format!("({low} <= {} <= {high})", value.text(names))
            }
            Expression::And(list) => joined(list, " and "),
            Expression::Or(list) => joined(list, " or "),
            Expression::Not(part) => format!("(not ({}))", part.text(names)),
            Expression::Choose(test, yes, no) => {
                let [test, yes, no] = [test, yes, no].map(|part| part.text(names));
                format!("({test} ? {yes} : {no})")
            }
            Expression::Chance(out_of, below) => format!("(rnd({out_of}) < {below})"),
            Expression::Variable(place) => names.variables[*place].0.clone(),
            Expression::Parameter(number) => format!("(${number})"),
        }
    }

    /// Returns whether the expression holds on a deal.
    pub fn holds(&self, deal: &Deal, names: &Names) -> bool {
        self.value(deal, names) != 0
    }

    /// Returns the value on a deal.
    pub fn value(&self, deal: &Deal, names: &Names) -> i32 {
        let value = |part: &Expression| part.value(deal, names);
        match self {
            Expression::Number(number) => *number,
            Expression::Length(seat, suit) => length(deal, *seat, *suit).into(),
            Expression::Points(counter, seat, suit) => {
                let table = &names.tables[*counter];
                places(deal, *seat, *suit).map(|place| table[place]).sum()
            }
            Expression::Controls(seat, suit) => places(deal, *seat, *suit)
                .map(|place| [2, 1].get(place).copied().unwrap_or(0))
                .sum(),
            Expression::Losers(seat, suit) => {
                by_suit(*suit, |suit| losers(&honours(deal, *seat, suit)))
            }
            Expression::Ltc(seat, suit) => by_suit(*suit, |suit| ltc(&honours(deal, *seat, suit))),
            Expression::Cccc(seat) => valuation::cccc(deal.hand(*seat), FourCsVersion::V2),
            Expression::Quality(seat, suit) => {
                valuation::quality(deal.hand(*seat).holding(*suit), FourCsVersion::V2)
            }
            Expression::HasCard(seat, card) => i32::from(deal.hand(*seat).contains(*card)),
            Expression::Shapes(seat, items) => {
                let held = lengths(deal, *seat);
                let mut is_in = false;
                for item in items.iter().filter(|item| item.matches(held)) {
                    is_in = !item.taken_away;
                }
                i32::from(is_in)
            }
            Expression::Braces(seat, bounds) => {
                let mut pairs = lengths(deal, *seat).into_iter().zip(bounds);
                i32::from(pairs.all(|(length, bound)| bound.holds(length)))
            }
            Expression::Balanced(seat) => {
                let mut held = lengths(deal, *seat);
                held.sort_unstable();
                i32::from([[3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5]].contains(&held))
            }
            Expression::Opc(side, strain) => {
                let opc = valuation::opc(&valuation::HandPair::of(deal, *side, Seat::West));
                strain.map_or_else(|| opc.longest(), |strain| opc.strain(strain))
            }
            Expression::SideMetric(name, side, flat) => {
                metric(name, deal, *side, if *flat { 0 } else { 3 })
            }
            Expression::HandMetric(name, seat, flat) => {
                let second = usize::from(matches!(seat, Seat::South | Seat::West));
                let first = if *flat { 1 } else { 4 };
                metric(name, deal, seat.side(), first + second)
            }
            Expression::UserEval(tag, side, number) => slot(*tag, deal, *side, *number),
            Expression::Score(level, strain, vulnerable, tricks) => {
                score((*level).into(), *strain, *vulnerable, value(tricks))
            }
            Expression::Tricks(seat, strain) => tricks(deal, *seat, *strain),
            Expression::Imps(difference) => imps(value(difference)),
            Expression::Abs(part) => value(part).wrapping_abs(),
            Expression::Negative(part) => value(part).wrapping_neg(),
            Expression::Arithmetic(operation, left, right) => {
                let (left, right) = (value(left), value(right));
                match operation {
                    Arithmetic::Plus => left.wrapping_add(right),
                    Arithmetic::Minus => left.wrapping_sub(right),
                    Arithmetic::Times => left.wrapping_mul(right),
                    Arithmetic::DividedBy => left / right,
                    Arithmetic::Remainder => left % right,
                }
            }
            Expression::Compare(comparison, left, right) => {
                i32::from(comparison.holds(value(left), value(right)))
            }
            Expression::Range(low, part, high) => i32::from((*low..=*high).contains(&value(part))),
            Expression::And(list) => i32::from(list.iter().all(|part| part.holds(deal, names))),
            Expression::Or(list) => i32::from(list.iter().any(|part| part.holds(deal, names))),
            Expression::Not(part) => i32::from(value(part) == 0),
            Expression::Choose(test, yes, no) => match test.holds(deal, names) {
                true => value(yes),
                false => value(no),
            },
            Expression::Chance(..) => 1,
            Expression::Variable(place) => value(&names.variables[*place].1),
            Expression::Parameter(number) => {
                let text = names.parameters[*number].as_ref();
                text.map_or(0, value)
            }
        }
    }
}

/// Returns the cards of a predeal as a script writes them: `SAK,H2`.
pub fn cards_text(cards: &[Card]) -> String {
    let suits = SUITS.into_iter().filter_map(|suit| {
        let mut ranks: Vec<Rank> = cards
            .iter()
            .filter(|card| card.suit() == suit)
            .map(|card| card.rank())
            .collect();
        ranks.sort_by_key(|rank| std::cmp::Reverse(rank.index()));
        let ranks: String = ranks.iter().map(|rank| rank.letter()).collect();
        (!ranks.is_empty()).then(|| format!("{}{ranks}", suit.letter()))
    });
    suits.collect::<Vec<_>>().join(",")
}
