//! Tests of declarer play.

mod layouts;
mod questions;
mod textbook;

use cards::Card;
use cards::notation::hand;
use croupier_declarer::PlayQuestion;

/// Returns the question of `declared` with declarer's hand, dummy, and the cards played, such as "HK H2".
fn question(declared: &str, declarer: &str, dummy: &str, played: &str) -> PlayQuestion {
    let (declarer, dummy) = (hand(declarer).unwrap(), hand(dummy).unwrap());
    let mut question = PlayQuestion::new(declared.parse().unwrap(), declarer, dummy).unwrap();
    for card in cards_of(played) {
        question.play(card).unwrap();
    }
    question
}

fn cards_of(text: &str) -> Vec<Card> {
    text.split_whitespace()
        .map(|card| card.parse().unwrap())
        .collect()
}
