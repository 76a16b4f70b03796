//! Recorded calls of programs that bid and play: many positions at once, and the answers of another solver.
#![allow(dead_code)]

use cards::{Card, CardSet, Rank, Seat, Strain, Suit, notation};
use croupier_solver::{Choices, Position};

/// Positions that a program solved in one call, and the answers that it got.
pub struct RecordedCall {
    pub positions: Vec<Position>,
    /// Tricks of the side to play in each position.
    pub answers: Answers,
}

/// Answers to a call.
pub enum Answers {
    /// Tricks after the best card of each position.
    Best(Vec<u8>),
    /// Some cards that can be played, and the tricks after each of them in each position.
    Cards(Vec<(Card, Vec<u8>)>),
}

impl RecordedCall {
    /// Returns the first position for which the choices differ from the answers.
    pub fn difference(&self, choices: &[Choices]) -> Option<usize> {
        (0..self.positions.len()).find(|&place| match &self.answers {
            Answers::Best(tricks) => choices[place].best() != tricks[place],
            Answers::Cards(rows) => rows
                .iter()
                .any(|(card, tricks)| choices[place].tricks(*card) != Some(tricks[place])),
        })
    }
}

/// Reads the calls of `data/recorded-calls.txt`, whose first lines describe the format.
pub fn read_compact(text: &str) -> Vec<RecordedCall> {
    let mut calls: Vec<RecordedCall> = Vec::new();
    let mut head = (Strain::Notrump, Seat::North, Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let card = |word: &&str| word.parse::<Card>().expect("a card");
        if words[0] == "call" {
            let mut parts = words[3..].split(|word| *word == "=");
            let trick = parts.next().expect("cards on the table");
            head = (
                words[1]
                    .chars()
                    .next()
                    .and_then(Strain::from_letter)
                    .expect("a strain"),
                words[2].parse().expect("a leader"),
                trick.iter().map(card).collect(),
            );
            let answers = match parts.next() {
                Some(cards) => {
                    Answers::Cards(cards.iter().map(|word| (card(word), Vec::new())).collect())
                }
                None => Answers::Best(Vec::new()),
            };
            calls.push(RecordedCall {
                positions: Vec::new(),
                answers,
            });
            continue;
        }
        let call = calls.last_mut().expect("a call before its positions");
        let (strain, leader, trick) = &head;
        call.positions
            .push(position(&words[..4], *strain, *leader, trick));
        let numbers = words[4..].iter().map(|word| word.parse().expect("tricks"));
        match &mut call.answers {
            Answers::Best(tricks) => tricks.extend(numbers),
            Answers::Cards(rows) => {
                for ((_, tricks), number) in rows.iter_mut().zip(numbers) {
                    tricks.push(number);
                }
            }
        }
    }
    calls
}

/// Reads the calls of a recording with an object in each line, as in benchmarks/testdata of github.com/dds-bridge/dds.
/// Lines that are not calls, and calls that ask for other answers, are left out.
pub fn read_recording(text: &str) -> Vec<RecordedCall> {
    text.lines().filter_map(recorded_call).collect()
}

fn recorded_call(line: &str) -> Option<RecordedCall> {
    if !line.contains("\"t\":\"solve\"") {
        return None;
    }
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let list = |text: &str| -> Option<Vec<usize>> {
        text.split(',')
            .filter(|it| !it.is_empty())
            .map(number)
            .collect()
    };
    // Notrump, spades, hearts, diamonds, clubs.
    let strain = Strain::from_index(4 - number(field(line, "strain_i", &[',', '}'])?)?);
    let leader = Seat::from_index(number(field(line, "leader_i", &[',', '}'])?)?);
    let trick = list(field(line, "current_trick", &[']'])?.strip_prefix('[')?)?;
    let trick: Vec<Card> = trick.into_iter().map(numbered).collect();
    let hands = field(line, "hands_pbn", &[']'])?.strip_prefix('[')?;
    let positions = hands.split(',').map(|text| {
        let hands = text.trim_matches('"').strip_prefix("N:")?;
        let words: Vec<&str> = hands.split_whitespace().collect();
        (words.len() == 4).then(|| position(&words, strain, leader, &trick))
    });
    let positions: Vec<Position> = positions.collect::<Option<_>>()?;
    let result = field(line, "result", &['}'])?.strip_prefix('{')?;
    let mut rows = Vec::new();
    for part in result.split("],") {
        let (key, numbers) = part.split_once(':')?;
        let numbers = list(numbers.trim_start_matches('[').trim_end_matches(']'))?;
        let numbers = numbers.into_iter().map(|number| number as u8).collect();
        match key.trim_matches('"') {
            "max" => {
                return Some(RecordedCall {
                    positions,
                    answers: Answers::Best(numbers),
                });
            }
            key => rows.push((numbered(number(key)?), numbers)),
        }
    }
    Some(RecordedCall {
        positions,
        answers: Answers::Cards(rows),
    })
}

/// Returns the text of a field up to one of the `ends`.
fn field<'a>(line: &'a str, name: &str, ends: &[char]) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
    Some(&rest[..rest.find(ends)?])
}

/// Returns the card of a number: spades from ace to deuce, then hearts, diamonds and clubs.
fn numbered(number: usize) -> Card {
    Card::new(Suit::DESCENDING[number / 13], Rank::ALL[12 - number % 13])
}

fn position(hands: &[&str], strain: Strain, leader: Seat, trick: &[Card]) -> Position {
    let hand = |place: usize| -> CardSet { notation::holdings(hands[place]).expect("a hand") };
    let hands = [hand(0), hand(1), hand(2), hand(3)];
    Position::new(hands, strain, leader, trick).expect("a position")
}
