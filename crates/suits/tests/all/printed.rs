//! A reader of printed lines, which knows only the words and the cards.

use std::collections::HashMap;

use cards::{Holding, Rank};
use croupier_suits::{Combination, LineDescription, rank_name};

use crate::replay::{EAST, NORTH, SOUTH, WEST, choices, top_tricks, without};

type Hands = [Holding; 4];

/// A card of each hand of a trick in the order of play; third hand may not have played yet.
struct Course {
    leader: usize,
    lead: Rank,
    second: Option<Rank>,
    third: Option<Rank>,
}

fn lowest(hand: Holding) -> Option<Rank> {
    hand.iter().last()
}

fn rank_of(word: &str) -> Rank {
    let found = Rank::ALL.into_iter().find(|&rank| rank_name(rank) == word);
    found.unwrap_or_else(|| panic!("{word:?} is no card"))
}

fn holder(rank: Rank, hands: Hands) -> usize {
    let holder = [NORTH, SOUTH]
        .into_iter()
        .find(|&hand| hands[hand].contains(rank));
    holder.unwrap_or_else(|| panic!("declarer does not hold the {}", rank_name(rank)))
}

fn hand_of(word: &str) -> usize {
    match word {
        "North" => NORTH,
        "East" => EAST,
        "South" => SOUTH,
        "West" => WEST,
        word => panic!("{word:?} is no hand"),
    }
}

fn partner(hand: usize) -> usize {
    (hand + 2) % 4
}

/// Returns the leader, his card, and the card of third hand.
fn lead(play: &str, hands: Hands) -> (usize, Rank, Option<Rank>) {
    let low_from = |leader: usize| lowest(hands[leader]).expect("the leader has a card");
    let to_low = |card: Rank| {
        let leader = holder(card, hands);
        (leader, card, lowest(hands[partner(leader)]))
    };
    if let Some(card) = play
        .strip_prefix("cash the ")
        .or(play.strip_prefix("run the "))
    {
        return to_low(rank_of(card));
    }
    if let Some(card) = play.strip_prefix("low to the ") {
        let card = rank_of(card);
        let leader = partner(holder(card, hands));
        return (leader, low_from(leader), Some(card));
    }
    let from = play.strip_prefix("duck a round from ");
    if let Some(hand) = from.or(play.strip_prefix("lead low from ")) {
        let leader = hand_of(hand);
        return (leader, low_from(leader), lowest(hands[partner(leader)]));
    }
    let card = play.strip_prefix("lead the ").expect("a play in words");
    if let Some((card, third)) = card.split_once(" to the ") {
        let card = rank_of(card);
        return (holder(card, hands), card, Some(rank_of(third)));
    }
    let (card, _) = card.split_once(" from ").expect("a hand");
    to_low(rank_of(card))
}

/// Returns whether a card is one of those in a text such as `low or shows out` or `the king or queen`.
fn is_shown(text: &str, card: Option<Rank>, missing: &Missing) -> bool {
    text.split(" or ").any(|word| match (word, card) {
        ("shows out", card) => card.is_none(),
        (_, None) => false,
        ("low", Some(card)) => missing.lowest.contains(card),
        ("an honour", Some(card)) => missing.honours.contains(card),
        (word, Some(card)) => rank_of(word.trim_start_matches("the ")) == card,
    })
}

/// The defenders' cards at the start, in groups without a card of declarer's between them.
struct Missing {
    lowest: Holding,
    honours: Holding,
}

impl Missing {
    fn new(combination: Combination) -> Missing {
        let mut groups = vec![Holding::EMPTY];
        for rank in Rank::ALL {
            match combination.missing().contains(rank) {
                true => groups.last_mut().unwrap().insert(rank),
                false if !groups.last().unwrap().is_empty() => groups.push(Holding::EMPTY),
                false => {}
            }
        }
        groups.retain(|group| !group.is_empty());
        let are_honours =
            |group: &&Holding| group.len() > 1 && group.iter().all(|rank| rank >= Rank::TEN);
        Missing {
            lowest: groups.first().copied().unwrap_or(Holding::EMPTY),
            honours: groups
                .iter()
                .find(are_honours)
                .copied()
                .unwrap_or(Holding::EMPTY),
        }
    }
}

/// Plays the words of a line.
struct Reader {
    missing: Missing,
    /// Tricks from the play with this number of a description on.
    known: HashMap<(*const LineDescription, usize, Hands), u8>,
}

impl Reader {
    /// Returns whether a condition holds; `None` if it needs the card of fourth hand, which is not known.
    fn holds(
        &self,
        condition: &str,
        course: &Course,
        fourth: Option<Option<Rank>>,
    ) -> Option<bool> {
        let condition = condition.strip_prefix("if ").unwrap_or(condition);
        let (second, fourth_hand) = ((course.leader + 1) % 4, (course.leader + 3) % 4);
        let mut needs_fourth = false;
        let mut card_of = |hand: usize| match hand {
            hand if hand == second => course.second,
            hand if hand == fourth_hand => {
                needs_fourth |= fourth.is_none();
                fourth.unwrap_or(None)
            }
            _ => panic!("{condition:?} names a hand of declarer"),
        };
        let low = |card: Option<Rank>| card.is_some_and(|it| self.missing.lowest.contains(it));
        let holds = match condition {
            "otherwise" => true,
            "it wins" | "it loses" => {
                let ours = Some(course.lead).max(course.third);
                let wins = ours > card_of(second).max(card_of(fourth_hand));
                wins == (condition == "it wins")
            }
            "both play low" => low(card_of(second)) && low(card_of(fourth_hand)),
            "only low cards appear" => [second, fourth_hand]
                .into_iter()
                .all(|hand| card_of(hand).is_none_or(|card| low(Some(card)))),
            list => list.split(", or ").any(|course| {
                course.split(" and ").all(|part| {
                    let (hand, shown) = part.split_once(' ').expect("a hand");
                    let shown = shown.strip_prefix("plays ").unwrap_or(shown);
                    is_shown(shown, card_of(hand_of(hand)), &self.missing)
                })
            }),
        };
        (!needs_fourth).then_some(holds)
    }

    /// Returns the tricks against best defence from the play with number `place` of a description on.
    fn tricks(&mut self, line: &LineDescription, place: usize, hands: Hands) -> u8 {
        let plays: Vec<&str> = line.text.split(", then ").collect();
        let key = (std::ptr::from_ref(line), place, hands);
        if place == plays.len() || plays[place] == "take the top tricks" || line.text.is_empty() {
            return top_tricks(hands);
        }
        if let Some(&tricks) = self.known.get(&key) {
            return tricks;
        }
        let (leader, card, third) = lead(plays[place], hands);
        assert!(hands[leader].contains(card), "{}", plays[place]);
        let cases = match place + 1 == plays.len() {
            true => &line.cases[..],
            false => &[],
        };
        let mut worst = u8::MAX;
        for second in choices(hands[(leader + 1) % 4]) {
            let mut course = Course {
                leader,
                lead: card,
                second,
                third,
            };
            let answers = cases
                .iter()
                .filter(|(_, case)| case.text.starts_with("play "));
            let answer = answers
                .clone()
                .find(|(condition, _)| self.holds(condition, &course, None) == Some(true));
            let tricks = match answer {
                Some((_, answer)) => {
                    let (play, _) = answer
                        .text
                        .split_once(", then ")
                        .unwrap_or((&answer.text, ""));
                    course.third = match play {
                        "play low" => lowest(hands[partner(leader)]),
                        play => Some(rank_of(play.strip_prefix("play the ").expect("a card"))),
                    };
                    let rest = answer.text.contains(", then ").then_some((answer, 1));
                    self.after_third(&course, &answer.cases, rest, hands)
                }
                None => {
                    let rest = (place + 1 < plays.len()).then_some((line, place + 1));
                    self.after_third(&course, cases, rest, hands)
                }
            };
            worst = worst.min(tricks);
        }
        self.known.insert(key, worst);
        worst
    }

    /// Returns the tricks against the worst card of fourth hand. `rest` is the next play if no case decides.
    fn after_third(
        &mut self,
        course: &Course,
        cases: &[(String, LineDescription)],
        rest: Option<(&LineDescription, usize)>,
        hands: Hands,
    ) -> u8 {
        let [second, third, fourth] = [1, 2, 3].map(|steps| (course.leader + steps) % 4);
        if let Some(card) = course.third {
            assert!(
                hands[third].contains(card),
                "third hand has no {}",
                rank_name(card)
            );
        }
        let mut worst = u8::MAX;
        for card in choices(hands[fourth]) {
            let mut after = hands;
            after[course.leader] = without(after[course.leader], Some(course.lead));
            after[second] = without(after[second], course.second);
            after[third] = without(after[third], course.third);
            after[fourth] = without(after[fourth], card);
            let wins = Some(course.lead).max(course.third) > course.second.max(card);
            let case = cases.iter().find(|(condition, case)| {
                !case.text.starts_with("play ")
                    && self.holds(condition, course, Some(card)) == Some(true)
            });
            let tricks = match (rest, case) {
                (Some((line, place)), _) => self.tricks(line, place, after),
                (None, Some((_, case))) => self.tricks(case, 0, after),
                (None, None) => top_tricks(after),
            };
            worst = worst.min(u8::from(wins) + tricks);
        }
        worst
    }
}

/// Returns a function from West's cards to the tricks that the words of a line take.
pub fn reader(outline: &LineDescription, combination: Combination) -> impl FnMut(Holding) -> u8 {
    let mut reader = Reader {
        missing: Missing::new(combination),
        known: HashMap::new(),
    };
    move |west| {
        let east = combination.missing() - west;
        let hands = [combination.north(), east, combination.south(), west];
        reader.tricks(outline, 0, hands)
    }
}
