//! The table of functions. A new function of the language is a new row here.

use cards::{ShapeSet, Side, Suit};
use valuation::{HandRule, SuitArgument};

use super::auctions;
use super::{
    ACE_OF_SPADES, Argument, Arguments, Function, ONE_NOTRUMP, Parameter, Scale, needed, optional,
};
use crate::plan::interval::{self, Interval};
use crate::plan::{AuctionQuery, Counter, LoserRule, Node, PlanContents, ShapeId, SideOrSeat};
use crate::word::{Since, Word};

const SEAT: &[Parameter] = &[needed(Argument::Seat)];
const SEAT_AND_SUIT: &[Parameter] = &[needed(Argument::Seat), needed(Argument::Suit)];
const SEAT_AND_OPTIONAL_SUIT: &[Parameter] = &[needed(Argument::Seat), optional(Argument::Suit)];

/// The row of a suit length: `clubs(north)`.
macro_rules! length {
    ($plural:literal, $singular:literal, $suit:expr) => {
        Function {
            word: Word::Suit($suit),
            spellings: &[$plural, $singular],
            since: Since::V1,
            signature: concat!($plural, "(compass)"),
            parameters: SEAT,
            doc: concat!("How many ", $plural, " the hand has."),
            scale: Scale::Units,
            cost: 1,
            node: |a| Node::Length(a.seat(), $suit),
            arguments: |node| match *node {
                Node::Length(seat, suit) if suit == $suit => Some(Arguments::of(seat, None)),
                _ => None,
            },
            range: |_, _| Interval::new(0, 13),
        }
    };
}

/// The row of a counter, a table of values per rank: `hcp(north)`, `aces(north, spades)`.
macro_rules! counter {
    ($word:expr, $counter:expr, [$name:literal $(, $alias:literal)*], $doc:literal) => {
        Function {
            word: $word,
            spellings: &[$name $(, $alias)*],
            since: Since::V1,
            signature: concat!($name, "(compass[, suit])"),
            parameters: SEAT_AND_OPTIONAL_SUIT,
            doc: $doc,
            scale: Scale::Units,
            cost: 2,
            node: |a| Node::Count {
                counter: $counter,
                seat: a.seat(),
                suit: a.suit,
            },
            arguments: |node| match *node {
                Node::Count { counter, seat, suit } if counter == $counter => {
                    Some(Arguments::of(seat, suit))
                }
                _ => None,
            },
            range: count_range,
        }
    };
}

fn count_range(plan: &PlanContents, node: &Node) -> Interval {
    match *node {
        Node::Count { counter, suit, .. } => {
            interval::count(&plan.counters[counter.index()], suit.is_some())
        }
        _ => Interval::FULL,
    }
}

/// Returns the row of a function of one hand that `valuation` defines: number `RULE` of [`HandRule::ALL`].
const fn hand_rule<const RULE: usize>(since: Since) -> Function {
    let row = HandRule::ALL[RULE].row();
    Function {
        word: Word::HandRule(HandRule::ALL[RULE]),
        spellings: row.spellings,
        since,
        signature: row.signature,
        parameters: match row.suit {
            SuitArgument::Absent => SEAT,
            SuitArgument::Optional => SEAT_AND_OPTIONAL_SUIT,
            SuitArgument::Required => SEAT_AND_SUIT,
        },
        doc: row.documentation,
        scale: match row.is_scaled {
            true => Scale::Hundredths,
            false => Scale::Units,
        },
        cost: row.cost,
        node: |a| Node::HandValue {
            rule: HandRule::ALL[RULE],
            seat: a.seat(),
            suit: match HandRule::ALL[RULE].row().suit {
                SuitArgument::Required => a.suit.or(Some(Suit::Spades)),
                SuitArgument::Absent | SuitArgument::Optional => a.suit,
            },
        },
        arguments: |node| match *node {
            Node::HandValue { rule, seat, suit } if rule.index() == RULE => {
                Some(Arguments::of(seat, suit))
            }
            _ => None,
        },
        range: |_, node| match *node {
            Node::HandValue { rule, suit, .. } => {
                let row = rule.row();
                let (low, high) = match suit {
                    Some(_) => row.range_of_suit,
                    None => row.range_of_hand,
                };
                Interval::new(low, high)
            }
            _ => Interval::FULL,
        },
    }
}

/// All functions, the common ones first.
pub(crate) const FUNCTIONS: &[Function] = &[
    counter!(
        Word::Hcp,
        Counter::Hcp,
        ["hcp", "hcps"],
        "High-card points: 4 3 2 1, unless `pointcount` says otherwise."
    ),
    length!("clubs", "club", Suit::Clubs),
    length!("diamonds", "diamond", Suit::Diamonds),
    length!("hearts", "heart", Suit::Hearts),
    length!("spades", "spade", Suit::Spades),
    Function {
        word: Word::Shape,
        spellings: &["shape"],
        since: Since::V1,
        signature: "shape(compass, shapes)",
        parameters: &[needed(Argument::Seat), needed(Argument::Shapes)],
        doc: "Whether the hand has one of the shapes: `any 4333 + 5xxx - 5xx0`, spades first; `shape{compass, ...}` takes the longer notation.",
        scale: Scale::Units,
        cost: 3,
        node: |a| Node::Shape(a.seat(), a.shapes.unwrap_or(ShapeId(0))),
        arguments: |node| match *node {
            Node::Shape(seat, id) => Some(Arguments {
                shapes: Some(id),
                ..Arguments::of(seat, None)
            }),
            _ => None,
        },
        range: |plan, node| match *node {
            Node::Shape(_, id) => match plan.shapes.get(id.0 as usize).map(ShapeSet::len) {
                Some(0) => Interval::only(0),
                Some(cards::Shape::COUNT) => Interval::only(1),
                _ => Interval::TRUTH,
            },
            _ => Interval::TRUTH,
        },
    },
    Function {
        word: Word::Balanced,
        spellings: &["balanced"],
        since: Since::Native,
        signature: "balanced(compass)",
        parameters: SEAT,
        doc: "Whether the hand is 4333, 4432 or 5332 in any order.",
        scale: Scale::Units,
        cost: 3,
        // The parser sets the shapes.
        node: |a| Node::Shape(a.seat(), a.shapes.unwrap_or(ShapeId(0))),
        arguments: |_| None,
        range: |_, _| Interval::TRUTH,
    },
    Function {
        word: Word::Hascard,
        spellings: &["hascard"],
        since: Since::V1,
        signature: "hascard(compass, card)",
        parameters: &[needed(Argument::Seat), needed(Argument::Card)],
        doc: "Whether the hand holds the card, written rank first: `AS`, `TD`, `2C`.",
        scale: Scale::Units,
        cost: 1,
        node: |a| Node::HasCard(a.seat(), a.card.unwrap_or(ACE_OF_SPADES)),
        arguments: |node| match *node {
            Node::HasCard(seat, card) => Some(Arguments {
                card: Some(card),
                ..Arguments::of(seat, None)
            }),
            _ => None,
        },
        range: |_, _| Interval::TRUTH,
    },
    Function {
        word: Word::Losers,
        spellings: &["losers", "loser"],
        since: Since::V1,
        signature: "losers(compass[, suit])",
        parameters: SEAT_AND_OPTIONAL_SUIT,
        doc: "Losing tricks: in each suit the missing ones of ace, king and queen, at most as many as its cards.",
        scale: Scale::Units,
        cost: 5,
        node: |a| Node::Losers {
            rule: LoserRule::Cards,
            seat: a.seat(),
            suit: a.suit,
        },
        arguments: |node| match *node {
            Node::Losers { seat, suit, .. } => Some(Arguments::of(seat, suit)),
            _ => None,
        },
        range: |_, node| match node {
            Node::Losers { suit: Some(_), .. } => Interval::new(0, 3),
            _ => Interval::new(0, 12),
        },
    },
    counter!(
        Word::Controls,
        Counter::Controls,
        ["controls", "control"],
        "Controls: ace 2, king 1."
    ),
    counter!(
        Word::Pt(4),
        Counter::Pt(4),
        ["aces", "ace", "pt4"],
        "How many aces the hand has."
    ),
    counter!(
        Word::Pt(3),
        Counter::Pt(3),
        ["kings", "king", "pt3"],
        "How many kings the hand has."
    ),
    counter!(
        Word::Pt(2),
        Counter::Pt(2),
        ["queens", "queen", "pt2"],
        "How many queens the hand has."
    ),
    counter!(
        Word::Pt(1),
        Counter::Pt(1),
        ["jacks", "jack", "pt1"],
        "How many jacks the hand has."
    ),
    counter!(
        Word::Pt(0),
        Counter::Pt(0),
        ["tens", "ten", "pt0"],
        "How many tens the hand has."
    ),
    counter!(
        Word::Pt(5),
        Counter::Pt(5),
        ["top2", "pt5"],
        "How many of the two highest cards of each suit the hand has."
    ),
    counter!(
        Word::Pt(6),
        Counter::Pt(6),
        ["top3", "pt6"],
        "How many of the three highest cards of each suit the hand has."
    ),
    counter!(
        Word::Pt(7),
        Counter::Pt(7),
        ["top4", "pt7"],
        "How many of the four highest cards of each suit the hand has."
    ),
    counter!(
        Word::Pt(8),
        Counter::Pt(8),
        ["top5", "pt8"],
        "How many of the five highest cards of each suit the hand has."
    ),
    counter!(
        Word::Pt(9),
        Counter::Pt(9),
        ["c13", "pt9"],
        "Points with ace 6, king 4, queen 2, jack 1."
    ),
    hand_rule::<{ HandRule::QUALITY.index() }>(Since::V1),
    hand_rule::<{ HandRule::CCCC.index() }>(Since::V1),
    hand_rule::<{ HandRule::LTC.index() }>(Since::V2),
    Function {
        word: Word::Tricks,
        spellings: &["dds", "tricks", "trick"],
        since: Since::V1,
        signature: "tricks(compass, strain)",
        parameters: &[needed(Argument::Seat), needed(Argument::Strain)],
        doc: "Double-dummy tricks of the seat as declarer in the strain; `tricks` and `dds` are the same.",
        scale: Scale::Units,
        cost: 300_000,
        node: |a| Node::Tricks(a.seat(), a.strain()),
        arguments: |node| match *node {
            Node::Tricks(seat, strain) => Some(Arguments {
                strain: Some(strain),
                ..Arguments::of(seat, None)
            }),
            _ => None,
        },
        range: |_, _| Interval::new(0, 13),
    },
    Function {
        word: Word::LeadTricks,
        spellings: &["leadtricks", "leadtrick"],
        since: Since::Native,
        signature: "leadtricks(compass, strain)",
        parameters: &[needed(Argument::Seat), needed(Argument::Strain)],
        doc: "Double-dummy tricks of the seat as declarer for each card of the leader, whose hand is predealt: an average or a frequency table a card.",
        scale: Scale::Units,
        cost: 900_000,
        node: |a| Node::LeadTricks(a.seat(), a.strain(), None),
        arguments: |node| match *node {
            Node::LeadTricks(seat, strain, _) => Some(Arguments {
                strain: Some(strain),
                ..Arguments::of(seat, None)
            }),
            _ => None,
        },
        range: |_, _| Interval::new(0, 13),
    },
    Function {
        word: Word::Estimate,
        spellings: &["estimate"],
        since: Since::Native,
        signature: "estimate(compass, strain)",
        parameters: &[needed(Argument::Seat), needed(Argument::Strain)],
        doc: "Tricks of the seat's side in the strain in hundredths, estimated from the four hands without solving; off by 0.65 tricks in a suit, 0.9 in notrump.",
        scale: Scale::Hundredths,
        cost: 600,
        node: |a| Node::Estimate(a.seat(), a.strain()),
        arguments: |node| match *node {
            Node::Estimate(seat, strain) => Some(Arguments {
                strain: Some(strain),
                ..Arguments::of(seat, None)
            }),
            _ => None,
        },
        range: |_, _| Interval::new(0, 1300),
    },
    Function {
        word: Word::Par,
        spellings: &["par"],
        since: Since::V2,
        signature: "par(side[, vulnerability])",
        parameters: &[needed(Argument::Side), optional(Argument::Vulnerability)],
        doc: "The side's score at par, when both sides bid and play perfectly.",
        scale: Scale::Units,
        cost: 5_000_000,
        node: |a| Node::Par(a.side(), a.vulnerability),
        arguments: |node| match *node {
            Node::Par(side, vulnerability) => Some(Arguments {
                side: Some(side),
                vulnerability,
                ..Arguments::default()
            }),
            _ => None,
        },
        range: |_, _| Interval::new(-8_000, 8_000),
    },
    auctions::BIDS,
    auctions::CONTRACT,
    auctions::DECLARER,
    Function {
        word: Word::Opc,
        spellings: &["opc"],
        since: Since::V2,
        signature: "opc(side[, strain])",
        parameters: &[needed(Argument::Side), optional(Argument::Strain)],
        doc: "Darricades' optimal point count of the partnership, times 100.",
        scale: Scale::Hundredths,
        cost: 600,
        node: |a| Node::Opc(a.side(), a.strain),
        arguments: |node| match *node {
            Node::Opc(side, strain) => Some(Arguments {
                side: Some(side),
                strain,
                ..Arguments::default()
            }),
            _ => None,
        },
        range: |_, _| Interval::FULL,
    },
    Function {
        word: Word::Score,
        spellings: &["score"],
        since: Since::V1,
        signature: "score(nv|vul, contract, tricks) or score(side)",
        parameters: &[
            needed(Argument::Vulnerable),
            needed(Argument::Contract),
            needed(Argument::Value),
        ],
        doc: "Duplicate score of a contract with this number of tricks: `score(vul, x4S, tricks(north, spades))`. `score(NS)` is the side's score, double dummy, of the contract that the deal's auction reaches.",
        scale: Scale::Units,
        cost: 1,
        node: |a| match a.side {
            Some(side) => Node::Auction(AuctionQuery::Score(side)),
            None => Node::Score {
                vulnerable: a.vulnerable == Some(true),
                contract: a.contract.unwrap_or(ONE_NOTRUMP),
                tricks: a.value(),
            },
        },
        arguments: |node| match *node {
            Node::Auction(AuctionQuery::Score(side)) => Some(Arguments {
                side: Some(side),
                ..Arguments::default()
            }),
            Node::Score {
                vulnerable,
                contract,
                tricks,
            } => Some(Arguments {
                vulnerable: Some(vulnerable),
                contract: Some(contract),
                ..Arguments::of_value(tricks)
            }),
            _ => None,
        },
        range: |plan, node| match *node {
            Node::Score {
                vulnerable,
                contract,
                tricks,
            } => interval::score(contract, vulnerable, plan.interval(tricks)),
            _ => Interval::FULL,
        },
    },
    Function {
        word: Word::Imps,
        spellings: &["imps", "imp"],
        since: Since::V1,
        signature: "imps(difference)",
        parameters: &[needed(Argument::Value)],
        doc: "The difference of two scores in IMPs.",
        scale: Scale::Units,
        cost: 1,
        node: |a| Node::Imps(a.value()),
        arguments: |node| match *node {
            Node::Imps(value) => Some(Arguments::of_value(value)),
            _ => None,
        },
        range: |plan, node| match *node {
            Node::Imps(difference) => {
                let range = plan.interval(difference);
                let imps = |d| interval::imps_of(plan.mode, d);
                Interval::new(imps(range.min), imps(range.max))
            }
            _ => Interval::FULL,
        },
    },
    Function {
        word: Word::Abs,
        spellings: &["abs"],
        since: Since::Native,
        signature: "abs(value)",
        parameters: &[needed(Argument::Value)],
        doc: "The value without its sign.",
        scale: Scale::Free,
        cost: 1,
        node: |a| Node::Abs(a.value()),
        arguments: |node| match *node {
            Node::Abs(value) => Some(Arguments::of_value(value)),
            _ => None,
        },
        range: |plan, node| match *node {
            Node::Abs(value) => plan.interval(value).absolute(),
            _ => Interval::FULL,
        },
    },
    Function {
        word: Word::Rnd,
        spellings: &["rnd"],
        since: Since::V1,
        signature: "rnd(limit)",
        parameters: &[needed(Argument::Value)],
        doc: "A random number from 0 to limit - 1, drawn anew wherever it stands.",
        scale: Scale::Free,
        cost: 1,
        node: |a| Node::Rnd(a.value()),
        arguments: |node| match *node {
            Node::Rnd(value) => Some(Arguments::of_value(value)),
            _ => None,
        },
        range: |plan, node| match *node {
            Node::Rnd(limit) => interval::rnd(plan.interval(limit), !plan.mode.is_v1()),
            _ => Interval::FULL,
        },
    },
    Function {
        word: Word::UserEval,
        spellings: &["usereval"],
        since: Since::V2,
        signature: "usereval(tag, side or compass[, suit], index)",
        parameters: &[
            needed(Argument::Number),
            needed(Argument::SideOrSeat),
            optional(Argument::Suit),
            needed(Argument::Number),
        ],
        doc: "A result of DealerV2's user evaluations, by the number of the evaluation and of the result.",
        scale: Scale::Free,
        cost: 300,
        node: |a| Node::UserEval {
            tag: a.tag.unwrap_or(0),
            subject: a.subject.unwrap_or(SideOrSeat::Side(Side::NorthSouth)),
            strain: a.strain,
            index: a.index.unwrap_or(0),
        },
        arguments: |node| match *node {
            Node::UserEval {
                tag,
                subject,
                strain,
                index,
            } => Some(Arguments {
                tag: Some(tag),
                subject: Some(subject),
                strain,
                index: Some(index),
                ..Arguments::default()
            }),
            _ => None,
        },
        range: |_, _| Interval::FULL,
    },
];
