//! The format Open Hand History (OHH, version 1.4.6): a JSON object for each hand, one after the other in a file.

use cards::CardSet;
use serde_json::{Deserializer, Value};

use super::{Act, Chips, Event, HandHistory, HistoryError, HistoryPlayer, board_cards, held_cards};
use crate::Game;

/// Reads all hands of a text.
pub(super) fn read(text: &str) -> Result<Vec<HandHistory>, HistoryError> {
    let mut hands = Vec::new();
    for (number, value) in (1..).zip(Deserializer::from_str(text).into_iter::<Value>()) {
        let value =
            value.map_err(|error| HistoryError::whole(error.to_string()).in_hand(number))?;
        let object = value.get("ohh").unwrap_or(&value);
        hands.push(hand(object).map_err(|error| error.in_hand(number))?);
    }
    Ok(hands)
}

fn hand(object: &Value) -> Result<HandHistory, HistoryError> {
    let list = |field: &str| {
        let list = object.get(field).and_then(Value::as_array);
        list.ok_or_else(|| HistoryError::at(field, "the field is missing or no list"))
    };
    let mut ids = Vec::new();
    let mut players = Vec::new();
    for player in list("players")? {
        let id = player.get("id").filter(|id| !id.is_null());
        ids.push(id.ok_or_else(|| HistoryError::at("players", "a player has no id"))?);
        let name = player
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or("")
            .trim();
        let stack = player.get("starting_stack").and_then(Value::as_f64);
        players.push(HistoryPlayer {
            name: match name {
                "" => format!("p{}", ids.len()),
                name => name.to_owned(),
            },
            stack: stack.and_then(Chips::from_f64),
        });
    }
    if !(2..=crate::MAX_PLAYERS).contains(&players.len()) {
        let problem = format!(
            "{} players; 2 to {} are possible",
            players.len(),
            crate::MAX_PLAYERS
        );
        return Err(HistoryError::at("players", problem));
    }
    let mut events = Vec::new();
    let mut dealt = 0;
    let mut board = CardSet::EMPTY;
    for (place, round) in list("rounds")?.iter().enumerate() {
        let street = round.get("street").and_then(Value::as_str).unwrap_or("");
        let number = place + 1;
        let wrong =
            |problem: String| HistoryError::at(format!("round {number} ({street})"), problem);
        let on_board = board_cards(&cards_text(round.get("cards"))).map_err(wrong)?;
        let actions = round.get("actions").and_then(Value::as_array);
        let actions = actions.map_or(&[][..], Vec::as_slice);
        // The board of a hand that is run twice appears again from some street on, when no decision is left.
        if (board | on_board).len() > 5 {
            continue;
        }
        if place > 0 && !street.eq_ignore_ascii_case("showdown") {
            events.push(Event::NextRound);
        }
        if !on_board.is_empty() {
            board |= on_board;
            events.push(Event::Board(on_board));
        }
        for (place, action) in (1..).zip(actions) {
            let kind = action.get("action").and_then(Value::as_str).unwrap_or("");
            let wrong = |problem: String| {
                HistoryError::at(
                    format!("round {number} ({street}), action {place} ({kind})"),
                    problem,
                )
            };
            if let Some(event) = event(action, kind, &ids).map_err(wrong)? {
                if let Event::Deal { cards, .. } = &event {
                    dealt = dealt.max(cards.len());
                }
                events.push(event);
            }
        }
    }
    let kind = object.get("game_type").and_then(Value::as_str);
    let kind =
        kind.ok_or_else(|| HistoryError::at("game_type", "the field is missing or no text"))?;
    let game = game(kind, dealt).map_err(|problem| HistoryError::at("game_type", problem))?;
    let name = object.get("game_number").and_then(Value::as_str);
    Ok(HandHistory {
        name: name.filter(|name| !name.is_empty()).map(str::to_owned),
        game,
        draws: 0,
        players,
        events,
    })
}

/// Returns the game. Omaha with five or six cards has no name of its own, so the number of cards decides.
fn game(kind: &str, cards: usize) -> Result<Game, String> {
    let letters = kind.chars().filter(char::is_ascii_alphanumeric);
    let plain = letters.collect::<String>().to_ascii_lowercase();
    Ok(match (plain.as_str(), cards) {
        ("holdem", _) => Game::Holdem,
        ("omaha", 5) => Game::Omaha5,
        ("omaha", 6) => Game::Omaha6,
        ("omaha", _) => Game::Omaha,
        ("omahahilo", 5) => Game::Omaha5HiLo,
        ("omahahilo", _) => Game::OmahaHiLo,
        ("stud", _) => Game::Stud,
        ("studhilo", _) => Game::StudHiLo,
        _ => {
            return Err(format!(
                "{kind:?} does not determine the game; Holdem, Omaha, OmahaHiLo, Stud and StudHiLo do"
            ));
        }
    })
}

fn event(action: &Value, kind: &str, ids: &[&Value]) -> Result<Option<Event>, String> {
    let amount = || {
        let amount = action.get("amount").and_then(Value::as_f64);
        let chips = amount.and_then(Chips::from_f64);
        chips.ok_or_else(|| "an amount that is not negative is needed".to_owned())
    };
    let cards = || held_cards(&cards_text(action.get("cards")).replace(['X', 'x'], "?"));
    let player = || {
        let id = action.get("player_id").unwrap_or(&Value::Null);
        let place = ids.iter().position(|known| *known == id);
        place.ok_or_else(|| format!("player_id {id} is no player of the hand"))
    };
    let post = |is_live: bool| -> Result<Event, String> {
        Ok(Event::Post {
            player: player()?,
            amount: amount()?,
            is_live,
        })
    };
    let act = |act: Act| -> Result<Event, String> {
        Ok(Event::Act {
            player: player()?,
            act,
        })
    };
    Ok(Some(match kind {
        "Dealt Cards" => Event::Deal {
            player: player()?,
            cards: cards()?,
        },
        "Shows Cards" | "Mucks Cards" => Event::Show {
            player: player()?,
            cards: cards()?,
        },
        "Post Ante" | "Post Dead" => post(false)?,
        "Post SB" | "Post BB" | "Straddle" | "Post Extra Blind" => post(true)?,
        "Fold" => act(Act::Fold)?,
        "Check" => act(Act::Put(Chips::ZERO))?,
        "Bet" | "Raise" | "Call" => act(Act::Put(amount()?))?,
        "Added Chips" | "Sits Down" | "Stands Up" => return Ok(None),
        _ => return Err("unknown action".to_owned()),
    }))
}

/// Returns cards, which are a list of texts, one text, or missing, as one text.
fn cards_text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(cards)) => cards.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::HeldCard;

    #[test]
    fn the_number_of_cards_decides_between_the_kinds_of_omaha() {
        assert_eq!(game("Omaha", 5), Ok(Game::Omaha5));
        assert_eq!(game("OmahaHiLo", 4), Ok(Game::OmahaHiLo));
        assert_eq!(game("omaha hi/lo", 5), Ok(Game::Omaha5HiLo));
        assert!(game("Draw", 5).unwrap_err().contains("does not determine"));
        let held: Vec<HeldCard> = held_cards("??Ah").unwrap();
        assert!(held[0].is_none() && held[1].is_some());
    }
}
