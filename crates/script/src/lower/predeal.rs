//! Predealt cards and lengths: together they must leave at least one deal.

use cards::{BySeat, BySuit, Card, CardSet, Seat, Suit};

use crate::ast::PredealItem;
use crate::diagnostic::{Report, Reports};
use crate::plan::{Mode, Span};

/// Something for every suit of every seat.
type Table<T> = BySeat<BySuit<T>>;

/// What is fixed before dealing.
#[derive(Debug, Default)]
pub(crate) struct Predeal {
    pub cards: BySeat<CardSet>,
    /// The same cards in the order in which they are named.
    pub order: Vec<(Seat, Card)>,
    pub lengths: Table<Option<u8>>,
    /// DealerV2 with predeal switches but no predealt cards in the script: deals by its predeal routine.
    pub nothing_by_switch: bool,
}

/// The cards given by the caller, each with its place.
pub(crate) type SwitchCards = BySeat<Option<(CardSet, Span)>>;

struct Check<'a> {
    predeal: Predeal,
    reports: &'a mut Reports,
    mode: Mode,
}

/// Checks the items one by one and adds them up.
pub(crate) fn predeal(
    items: &[PredealItem],
    switches: &SwitchCards,
    mode: Mode,
    end: Span,
    reports: &mut Reports,
) -> Predeal {
    let mut check = Check {
        predeal: Predeal::default(),
        reports,
        mode,
    };
    let by_switch = switches.values().any(Option::is_some);
    let script_cards = items.iter().any(|i| matches!(i, PredealItem::Cards { .. }));
    // DealerV2 takes the switches only if the script predeals cards too, and then drops the script's.
    let take_switches = by_switch && (mode != Mode::V2 || script_cards);
    if take_switches {
        for (seat, switch) in switches {
            if let Some((cards, span)) = *switch {
                check.cards(seat, cards, span);
            }
        }
    }
    check.predeal.nothing_by_switch = by_switch && !take_switches;
    let mut warned = false;
    for item in items {
        match *item {
            PredealItem::Cards { seat, cards, span } => {
                let replaced = take_switches && (mode == Mode::V2 || switches[seat].is_some());
                let by_switches = check
                    .predeal
                    .cards
                    .values()
                    .fold(CardSet::EMPTY, |all, &s| all | s);
                if !replaced {
                    check.cards(seat, cards, span);
                } else if mode == Mode::V2 && !(by_switches & cards).is_empty() {
                    // DealerV2 drops the script's cards, but not before it has seen that they are dealt already. It looks at
                    // the switches after it has read the whole script.
                    let message = "this card is predealt by a switch too";
                    let report =
                        Report::error("E501", span, message).classic(end, "Card predealt twice");
                    check.reports.add(report);
                }
            }
            PredealItem::Length {
                seat,
                suit,
                length,
                what,
                span,
            } => {
                check.length(seat, suit, length, what, span);
                if mode.is_v1() && !warned {
                    warned = true;
                    check.reports.add(Report::warning(
                        "W07",
                        span,
                        "this mode ignores predealt lengths, as dealer does",
                    ));
                }
            }
        }
    }
    if mode.is_v1() {
        check.predeal.lengths = Default::default();
    }
    check.predeal
}

pub(crate) fn capital(seat: Seat) -> String {
    let name = seat.name();
    name[..1].to_ascii_uppercase() + &name[1..]
}

fn capital_suit(suit: Suit) -> String {
    let name = suit.name();
    name[..1].to_ascii_uppercase() + &name[1..name.len() - 1]
}

impl Check<'_> {
    fn cards(&mut self, seat: Seat, cards: CardSet, span: Span) {
        for other in Seat::ALL {
            let twice = self.predeal.cards[other] & cards;
            if let Some(card) = twice.iter().next() {
                let message = if other == seat {
                    format!("{} is dealt twice to {seat}", spelt(card))
                } else {
                    format!("{} is dealt twice: to {other} and to {seat}", spelt(card))
                };
                let report =
                    Report::error("E501", span, message).classic(span, "Card predealt twice");
                return self.reports.add(report);
            }
        }
        let hand = self.predeal.cards[seat] | cards;
        if hand.len() > 13 {
            let message = format!("{seat} gets {} cards; a hand has 13", hand.len());
            let report = Report::error("E502", span, message)
                .classic(span, "More than 13 cards for one player");
            return self.reports.add(report);
        }
        self.predeal.cards[seat] = hand;
        self.predeal
            .order
            .extend(cards.iter().map(|card| (seat, card)));
        if !self.mode.is_v1() {
            self.compatible(span);
        }
    }

    fn length(&mut self, seat: Seat, suit: Suit, length: u8, what: Span, span: Span) {
        if let Some(first) = self.predeal.lengths[seat][suit] {
            let message = format!("the length of {seat}'s {suit} is already given: {first}");
            let classic = format!(
                "{}'s {} suit has length already set to {first}",
                capital(seat),
                capital_suit(suit)
            );
            return self
                .reports
                .add(Report::error("E503", what, message).classic(span, classic));
        }
        self.predeal.lengths[seat][suit] = Some(length);
        let lengths = &self.predeal.lengths;
        let sum = |list: [Option<u8>; 4]| -> (u32, bool) {
            (
                list.iter().flatten().map(|&n| u32::from(n)).sum(),
                list.iter().all(Option::is_some),
            )
        };
        let (hand, hand_full) = sum(lengths[seat].0);
        let (whole, suit_full) = sum(lengths.map(|of_seat| of_seat[suit]).0);
        let report = if hand > 13 {
            Report::error(
                "E504",
                span,
                format!("the lengths of {seat} add up to {hand}, more than 13"),
            )
            .classic(span, format!("Suit lengths too long for {}", capital(seat)))
        } else if whole > 13 {
            Report::error(
                "E505",
                span,
                format!("the lengths of the {suit} add up to {whole}, more than 13"),
            )
            .classic(span, format!("Too many {}s", capital_suit(suit)))
        } else if self.mode.is_v1() {
            return;
        } else if hand_full && hand != 13 {
            Report::error(
                "E506",
                span,
                format!("the four lengths of {seat} add up to {hand}, not to 13"),
            )
        } else if suit_full && whole != 13 {
            Report::error(
                "E506",
                span,
                format!("the lengths of the {suit} in the four hands add up to {whole}, not to 13"),
            )
        } else {
            return self.compatible(span);
        };
        // The item does not count, so that one mistake makes one message.
        self.predeal.lengths[seat][suit] = None;
        self.reports.add(report);
    }

    /// E509 unless some deal has all the cards and lengths so far.
    fn compatible(&mut self, span: Span) {
        let Some(why) = impossible(&self.predeal) else {
            return;
        };
        self.reports.add(Report::error("E509", span, why));
        // One such message is enough.
        self.predeal.lengths = Default::default();
    }
}

/// `ace of spades (AS)`
fn spelt(card: Card) -> String {
    format!("the card {}{}", card.rank(), card.suit().letter())
}

/// Why cards and lengths exclude each other; none if they do not.
fn impossible(predeal: &Predeal) -> Option<String> {
    for seat in Seat::ALL {
        for suit in Suit::ALL {
            let held = predeal.cards[seat].holding(suit).len();
            if let Some(length) = predeal.lengths[seat][suit]
                && held > usize::from(length)
            {
                return Some(format!(
                    "{seat} holds {held} predealt {suit} but shall have {length}"
                ));
            }
        }
    }
    (!has_deal(predeal)).then(|| {
        "the predealt cards and lengths exclude each other: no deal has them all".to_owned()
    })
}

/// Whether there is a table of lengths, seats by suits, with all sums 13, that has the given lengths and room for
/// the given cards. Starting from the cards and fixed lengths, the remaining cards are placed along augmenting paths.
fn has_deal(predeal: &Predeal) -> bool {
    let each = |of: &dyn Fn(Seat, Suit) -> i32| -> Table<i32> {
        BySeat::from_fn(|seat| BySuit::from_fn(|suit| of(seat, suit)))
    };
    let length = |seat: Seat, suit: Suit| predeal.lengths[seat][suit].map(i32::from);
    let held = |seat: Seat, suit: Suit| predeal.cards[seat].holding(suit).len() as i32;
    let low = each(&|seat, suit| length(seat, suit).unwrap_or(held(seat, suit)));
    let high = each(&|seat, suit| length(seat, suit).unwrap_or(13));
    let mut flow = low;
    let mut hands = flow.map(|lengths| 13 - lengths.total());
    let mut suits = BySuit::from_fn(|suit| 13 - flow.map(|lengths| lengths[suit]).total());
    if hands.values().chain(suits.values()).any(|&need| need < 0) {
        return false;
    }
    while let Some(start) = Seat::ALL.into_iter().find(|&seat| hands[seat] > 0) {
        if !augment(start, &mut flow, (&low, &high), &mut suits) {
            return false;
        }
        hands[start] -= 1;
    }
    true
}

/// Gives one more card to a seat, shifting others between suits if need be.
fn augment(
    start: Seat,
    flow: &mut Table<i32>,
    (low, high): (&Table<i32>, &Table<i32>),
    suits: &mut BySuit<i32>,
) -> bool {
    let mut came_from: BySuit<Option<Seat>> = BySuit::default();
    let mut back: BySeat<Option<Suit>> = BySeat::default();
    let mut queue = vec![start];
    let mut visited = BySeat([false; 4]);
    visited[start] = true;
    while let Some(seat) = queue.pop() {
        for suit in Suit::ALL {
            if came_from[suit].is_some() || flow[seat][suit] >= high[seat][suit] {
                continue;
            }
            came_from[suit] = Some(seat);
            if suits[suit] > 0 {
                suits[suit] -= 1;
                let mut suit = suit;
                while let Some(seat) = came_from[suit] {
                    flow[seat][suit] += 1;
                    let Some(before) = back[seat] else { break };
                    flow[seat][before] -= 1;
                    suit = before;
                }
                return true;
            }
            for other in Seat::ALL {
                if !visited[other] && flow[other][suit] > low[other][suit] {
                    visited[other] = true;
                    back[other] = Some(suit);
                    queue.push(other);
                }
            }
        }
    }
    false
}
