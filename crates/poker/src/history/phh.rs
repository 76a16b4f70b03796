//! The format PHH (Poker Hand History, by the Universal, Open, Free, and Transparent Computer Poker Research Group): a TOML
//! document with the actions as short texts. A document with several hands (PHHS) has a numbered table for each.

use toml::{Table, Value};

use super::{Act, Chips, Event, HandHistory, HistoryError, HistoryPlayer, board_cards, held_cards};
use crate::Game;

/// A variant of the format: its code, the game, and the number of draws.
const VARIANTS: [(&str, Game, usize); 11] = [
    ("FT", Game::Holdem, 0),
    ("NT", Game::Holdem, 0),
    ("NS", SHORT_DECK, 0),
    ("PO", Game::Omaha, 0),
    ("FO/8", Game::OmahaHiLo, 0),
    ("F7S", Game::Stud, 0),
    ("F7S/8", Game::StudHiLo, 0),
    ("FR", Game::Razz, 0),
    ("N2L1D", Game::DeuceToSeven, 1),
    ("F2L3D", Game::DeuceToSeven, 3),
    ("FB", Game::Badugi, 3),
];

const SHORT_DECK: Game = Game::ShortDeck {
    trips_beat_straight: false,
};

/// Reads one hand, or the hands of numbered tables.
pub(super) fn read(text: &str) -> Result<Vec<HandHistory>, HistoryError> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map(|span| {
            let start = span.start.min(text.len());
            1 + text.as_bytes()[..start]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count()
        });
        let place = line.map_or_else(|| "PHH".to_owned(), |line| format!("line {line}"));
        HistoryError::at(place, error.message().replace('\n', " "))
    })?;
    if table.contains_key("variant") {
        return Ok(vec![hand(&table, None)?]);
    }
    let mut hands: Vec<(&String, &Table)> = table
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_table()?)))
        .collect();
    hands.sort_by_key(|(name, _)| name.parse().unwrap_or(u64::MAX));
    if hands.is_empty() {
        return Err(HistoryError::whole(
            "the field variant is missing; a PHH file has it, and an OHH file begins with {",
        ));
    }
    let numbered = (1..).zip(hands);
    numbered
        .map(|(number, (name, table))| {
            hand(table, Some(name)).map_err(|error| error.in_hand(number))
        })
        .collect()
}

fn hand(table: &Table, section: Option<&str>) -> Result<HandHistory, HistoryError> {
    let variant = table.get("variant").and_then(Value::as_str);
    let variant =
        variant.ok_or_else(|| HistoryError::at("variant", "the field is missing or no text"))?;
    let Some(&(_, game, draws)) = VARIANTS.iter().find(|(code, ..)| *code == variant) else {
        let codes = VARIANTS.map(|(code, ..)| code).join(", ");
        let problem = format!("unknown variant {variant:?}; known are {codes}");
        return Err(HistoryError::at("variant", problem));
    };
    let stacks = amounts(table, "starting_stacks")?
        .ok_or_else(|| HistoryError::at("starting_stacks", "the field is missing"))?;
    let count = stacks.len();
    if !(2..=crate::MAX_PLAYERS).contains(&count) {
        let problem = format!("{count} players; 2 to {} are possible", crate::MAX_PLAYERS);
        return Err(HistoryError::at("starting_stacks", problem));
    }
    let names = table.get("players").and_then(Value::as_array);
    let player = |number: usize| {
        let name = names
            .and_then(|names| names.get(number))
            .and_then(Value::as_str);
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        name.map_or_else(|| format!("p{}", number + 1), str::to_owned)
    };
    let mut events = forced_bets(table, count)?;
    let bring_in = number(table, "bring_in")?.unwrap_or(Chips::ZERO);
    let actions = table.get("actions").and_then(Value::as_array);
    let actions =
        actions.ok_or_else(|| HistoryError::at("actions", "the field is missing or no list"))?;
    let mut acted = false;
    for (place, action) in (1..).zip(actions) {
        let text = action.as_str().unwrap_or("");
        let wrong =
            |problem: String| HistoryError::at(format!("action {place} ({text:?})"), problem);
        let event = match event(text, count, bring_in).map_err(wrong)? {
            Some(event) => event,
            None => continue,
        };
        // The dealer acts between two rounds of betting.
        let deals = matches!(event, Event::Deal { .. } | Event::Board(_));
        let discards = matches!(
            event,
            Event::Act {
                act: Act::Discard(_),
                ..
            }
        );
        if acted && (deals || discards) {
            events.push(Event::NextRound);
        }
        acted = match event {
            Event::Act { .. } | Event::Post { .. } => !discards,
            Event::Deal { .. } | Event::Board(_) => false,
            _ => acted,
        };
        events.push(event);
    }
    let name = table.get("hand").and_then(|hand| match hand {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        _ => None,
    });
    Ok(HandHistory {
        name: name.or(section.map(str::to_owned)),
        game,
        draws,
        players: stacks
            .into_iter()
            .enumerate()
            .map(|(number, stack)| HistoryPlayer {
                name: player(number),
                stack,
            })
            .collect(),
        events,
    })
}

/// Returns the antes and blinds. With two players both lists are in reverse order.
fn forced_bets(table: &Table, count: usize) -> Result<Vec<Event>, HistoryError> {
    let mut events = Vec::new();
    for (field, is_live) in [("antes", false), ("blinds_or_straddles", true)] {
        let Some(mut amounts) = amounts(table, field)? else {
            continue;
        };
        if amounts.len() != count {
            let problem = format!("{} numbers for {count} players", amounts.len());
            return Err(HistoryError::at(field, problem));
        }
        if count == 2 {
            amounts.reverse();
        }
        for (player, amount) in amounts.into_iter().enumerate() {
            let amount =
                amount.ok_or_else(|| HistoryError::at(field, "an amount is not finite"))?;
            if amount > Chips::ZERO {
                events.push(Event::Post {
                    player,
                    amount,
                    is_live,
                });
            }
        }
    }
    Ok(events)
}

/// Reads an action such as `p2 cbr 300`; `None` for a comment alone.
fn event(text: &str, players: usize, bring_in: Chips) -> Result<Option<Event>, String> {
    let text = text.split('#').next().unwrap_or("");
    let words: Vec<&str> = text.split_whitespace().collect();
    let player = |word: &str| -> Result<usize, String> {
        let number = word
            .strip_prefix('p')
            .and_then(|number| number.parse().ok());
        let number = number.filter(|number| (1..=players).contains(number));
        number
            .map(|number| number - 1)
            .ok_or_else(|| format!("{word:?} is not a player from p1 to p{players}"))
    };
    Ok(Some(match words[..] {
        [] => return Ok(None),
        ["d", "db", ref cards @ ..] if !cards.is_empty() => {
            Event::Board(board_cards(&cards.concat())?)
        }
        ["d", "dh", who, ref cards @ ..] if !cards.is_empty() => Event::Deal {
            player: player(who)?,
            cards: held_cards(&cards.concat())?,
        },
        [who, "pb"] => Event::Post {
            player: player(who)?,
            amount: bring_in,
            is_live: true,
        },
        [who, "f"] => act(player(who)?, Act::Fold),
        [who, "cc"] => act(player(who)?, Act::CheckOrCall),
        [who, "cbr", amount] => {
            let chips = amount.parse().ok().and_then(Chips::from_f64);
            let chips = chips.ok_or_else(|| format!("{amount:?} is not an amount of chips"))?;
            act(player(who)?, Act::BetTo(chips))
        }
        [who, "sd", ref cards @ ..] => {
            let cards = held_cards(&cards.concat())?;
            act(player(who)?, Act::Discard(cards))
        }
        [who, "sm"] => Event::Show {
            player: player(who)?,
            cards: Vec::new(),
        },
        [who, "sm", ref cards @ ..] => Event::Show {
            player: player(who)?,
            cards: match cards {
                ["-"] => Vec::new(),
                cards => held_cards(&cards.concat())?,
            },
        },
        _ => {
            return Err(
                "unknown action; known are d db CARDS, d dh PLAYER CARDS, and pN with f, cc, cbr AMOUNT, pb, sd or sm"
                    .to_owned(),
            );
        }
    }))
}

fn act(player: usize, act: Act) -> Event {
    Event::Act { player, act }
}

/// Reads a list of amounts; an infinite one is `None`.
fn amounts(table: &Table, field: &str) -> Result<Option<Vec<Option<Chips>>>, HistoryError> {
    let Some(value) = table.get(field) else {
        return Ok(None);
    };
    let wrong = || HistoryError::at(field, "a list of amounts that are not negative is needed");
    let list = value.as_array().ok_or_else(wrong)?;
    let amounts = list.iter().map(|value| match value {
        Value::Float(amount) if *amount == f64::INFINITY => Ok(None),
        value => chips(value).map(Some).ok_or_else(wrong),
    });
    amounts.collect::<Result<_, _>>().map(Some)
}

fn number(table: &Table, field: &str) -> Result<Option<Chips>, HistoryError> {
    let value = table.get(field).map(|value| {
        chips(value)
            .ok_or_else(|| HistoryError::at(field, "an amount that is not negative is needed"))
    });
    value.transpose()
}

fn chips(value: &Value) -> Option<Chips> {
    match value {
        Value::Integer(amount) => Chips::from_f64(*amount as f64),
        Value::Float(amount) => Chips::from_f64(*amount),
        _ => None,
    }
}
