//! Predealt cards and lengths. At least one deal must have them all.

use cards::{BySeat, BySuit, Card, CardSet, Seat, Suit};

use crate::ast::PredealItem;
use crate::diagnostic::{Report, Reports};
use crate::plan::{Mode, Span};

/// A value for each suit of each seat.
type SeatSuitTable<T> = BySeat<BySuit<T>>;

/// Cards and lengths that are fixed before dealing.
#[derive(Debug, Default)]
pub(crate) struct Predeal {
    pub cards: BySeat<CardSet>,
    /// The cards in the order in which the script names them.
    pub order: Vec<(Seat, Card)>,
    pub lengths: SeatSuitTable<Option<u8>>,
    /// Whether DealerV2 ignores its predeal switches because the script predeals no cards. It then still deals by its predeal
    /// routine.
    pub nothing_by_switch: bool,
}

/// Cards that the caller predeals, with their places.
pub(crate) type SwitchCards = BySeat<Option<(CardSet, Span)>>;

struct Check<'a> {
    predeal: Predeal,
    reports: &'a mut Reports,
    mode: Mode,
}

/// Checks each item and adds it to the predeal.
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
    // DealerV2 uses the switches only if the script predeals cards too, and then ignores the cards of the script.
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
                    // DealerV2 ignores the script's cards, but first reports those that the switches deal too. It does so at the
                    // end of the script.
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
        // The item is dropped, so that one mistake gives one message.
        self.predeal.lengths[seat][suit] = None;
        self.reports.add(report);
    }

    /// Reports E509 if no deal has all the cards and lengths so far.
    fn compatible(&mut self, span: Span) {
        let Some(why) = impossible(&self.predeal) else {
            return;
        };
        self.reports.add(Report::error("E509", span, why));
        // One message of this class is enough.
        self.predeal.lengths = Default::default();
    }
}

/// Returns a card in words: `ace of spades (AS)`.
fn spelt(card: Card) -> String {
    format!("the card {}{}", card.rank(), card.suit().letter())
}

/// Returns the reason why no deal has these cards and lengths; none if there is a deal.
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

/// Returns whether a table of lengths, seats by suits, exists whose sums are all 13 and that has the fixed lengths and
/// at least the fixed cards. The algorithm starts from the cards and fixed lengths and places the remaining cards along
/// augmenting paths.
fn has_deal(predeal: &Predeal) -> bool {
    let each = |of: &dyn Fn(Seat, Suit) -> i32| -> SeatSuitTable<i32> {
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

/// Gives one more card to `seat`, and moves other cards between suits if necessary.
fn augment(
    start: Seat,
    flow: &mut SeatSuitTable<i32>,
    (low, high): (&SeatSuitTable<i32>, &SeatSuitTable<i32>),
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
