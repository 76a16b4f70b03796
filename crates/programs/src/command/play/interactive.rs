//! Stepping through a recorded play on the terminal.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use croupier::cards::{Card, CardSet, Seat, Side, Suit};
use croupier::solver::{Choices, Position, Solver};

use super::RecordedPlay;
use crate::failure::Failure;

/// The commands, as the last line of the screen shows them.
const HELP: &str = "Enter next, b back, m next mistake, t N trick N, s start, e end, a card (hk) tries it, f file's play, q quit";

/// The command for the next record, if a board has several.
const OTHER_TABLE: &str = "o other table";

/// Runs the dialogue on standard input and output. The records are those of one board; the first is shown first.
///
/// # Errors
/// If a card of the recorded play is impossible, or the terminal cannot be read or written.
pub(super) fn run(
    tasks: &[RecordedPlay],
    solver: impl Fn() -> Solver,
) -> Result<ExitCode, Failure> {
    let mut shown = 0;
    let mut stepper = Stepper::new(&tasks[shown], solver())?;
    let clears = io::stdout().is_terminal();
    let mut lines = io::stdin().lock().lines();
    let mut message = String::new();
    loop {
        let mut out = io::stdout().lock();
        if clears {
            out.write_all(b"\x1b[2J\x1b[H")?;
        }
        if tasks.len() > 1 {
            writeln!(out, "Table {} of {}", shown + 1, tasks.len())?;
        }
        write!(out, "{}", stepper.screen())?;
        if !message.is_empty() {
            writeln!(out, "{message}")?;
        }
        match tasks.len() {
            1 => write!(out, "{HELP}\n> ")?,
            _ => write!(out, "{HELP}, {OTHER_TABLE}\n> ")?,
        }
        out.flush()?;
        drop(out);
        let Some(line) = lines.next() else {
            break;
        };
        message = match stepper.execute(line?.trim()) {
            Answer::Other => {
                shown = (shown + 1) % tasks.len();
                stepper = Stepper::new(&tasks[shown], solver())?;
                String::new()
            }
            Answer::Shown => String::new(),
            Answer::Message(text) => text,
            Answer::End => break,
        };
        if !clears {
            println!();
        }
    }
    if clears {
        println!();
    }
    Ok(ExitCode::SUCCESS)
}

/// Result of a command.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// The screen shows it.
    Shown,
    /// A text to show below the screen.
    Message(String),
    /// The next record of the board is wanted.
    Other,
    /// The dialogue ends.
    End,
}

/// A position in a play, with the ways that lead from it.
struct Stepper<'a> {
    task: &'a RecordedPlay,
    solver: Solver,
    /// The play in the file.
    recorded: Vec<Card>,
    /// The cards played so far. They are the beginning of the recorded play, or a line of the user's own.
    played: Vec<Card>,
}

/// A trick, or the beginning of one.
struct Trick {
    leader: Seat,
    cards: Vec<Card>,
}

impl<'a> Stepper<'a> {
    fn new(task: &'a RecordedPlay, solver: Solver) -> Result<Stepper<'a>, Failure> {
        let stepper = Stepper {
            task,
            solver,
            recorded: task.cards().to_vec(),
            played: Vec::new(),
        };
        let mut position = stepper.start();
        for (number, &card) in (1..).zip(&stepper.recorded) {
            let played = position.play(card);
            played.map_err(|error| task.failure(format!("card {number} of the play: {error}")))?;
        }
        Ok(stepper)
    }

    fn start(&self) -> Position {
        let task = self.task;
        Position::opening(&task.deal, task.declarer, task.contract.strain)
    }

    /// Returns the position after the cards played so far, the tricks of North-South, and all tricks.
    fn position(&self) -> (Position, u8, Vec<Trick>) {
        let mut position = self.start();
        let (mut north_south, mut tricks) = (0, Vec::new());
        for &card in &self.played {
            if position.trick().is_empty() {
                tricks.push(Trick {
                    leader: position.leader(),
                    cards: Vec::new(),
                });
            }
            tricks
                .last_mut()
                .expect("a trick has begun")
                .cards
                .push(card);
            let winner = position.play(card);
            let winner = winner.expect("only cards that can be played are added");
            north_south += u8::from(winner.is_some_and(|seat| seat.side() == Side::NorthSouth));
        }
        (position, north_south, tricks)
    }

    /// Returns the recorded card that comes next, if the recorded play was followed so far.
    fn next_recorded(&self) -> Option<Card> {
        let follows = self.recorded.starts_with(&self.played);
        self.recorded
            .get(self.played.len())
            .copied()
            .filter(|_| follows)
    }

    /// Executes a command.
    fn execute(&mut self, command: &str) -> Answer {
        let command = command.to_lowercase();
        let mut words = command.split_whitespace();
        match (words.next(), words.next()) {
            // Enter, and the arrows to the right and left, as terminals send them.
            (None | Some("n" | "\u{1b}[c"), None) => match self.next_recorded() {
                Some(card) => self.played.push(card),
                None => return Answer::Message(self.why_no_next()),
            },
            (Some("b" | "\u{1b}[d"), None) => {
                if self.played.pop().is_none() {
                    return Answer::Message("This is the opening lead.".to_owned());
                }
            }
            (Some("s"), None) => self.played.clear(),
            (Some("e"), None) => self.played = self.recorded.clone(),
            (Some("f"), None) => self.return_to_record(),
            (Some("m"), None) => return self.next_mistake(),
            (Some("t"), Some(number)) => return self.trick(number),
            (Some("o"), None) => return Answer::Other,
            (Some("q" | "quit" | "exit"), None) => return Answer::End,
            _ => return self.try_card(&command),
        }
        Answer::Shown
    }

    fn why_no_next(&self) -> String {
        match self.recorded.starts_with(&self.played) {
            true => "The recorded play ends here; a card tries how it could go on.".to_owned(),
            false => "You left the recorded play; f returns to it, b takes a card back.".to_owned(),
        }
    }

    /// Takes back the cards that are not in the recorded play.
    fn return_to_record(&mut self) {
        let pairs = self.played.iter().zip(&self.recorded);
        let common = pairs
            .take_while(|(played, recorded)| played == recorded)
            .count();
        self.played.truncate(common);
    }

    /// Goes to the position before the next recorded card that costs a trick.
    fn next_mistake(&mut self) -> Answer {
        self.return_to_record();
        let start = self.start();
        let reviewed = self.solver.review(&start, &self.recorded);
        let reviewed = reviewed.expect("the play was checked at the start");
        let mut mistakes = (0..).zip(&reviewed).filter(|(_, card)| card.cost > 0);
        // The position before a mistake shows it already.
        let next = mistakes.find(|(place, _)| *place > self.played.len());
        let here = reviewed
            .get(self.played.len())
            .is_some_and(|card| card.cost > 0);
        match next {
            Some((place, _)) => self.played = self.recorded[..place].to_vec(),
            None if here => return Answer::Message("This is the last mistake.".to_owned()),
            None => return Answer::Message("No further card costs a trick.".to_owned()),
        }
        Answer::Shown
    }

    /// Goes to the beginning of a trick of the recorded play.
    fn trick(&mut self, number: &str) -> Answer {
        let tricks = self.recorded.len().div_ceil(4);
        match number.parse::<usize>() {
            Ok(number) if (1..=tricks).contains(&number) => {
                self.played = self.recorded[..4 * (number - 1)].to_vec();
                Answer::Shown
            }
            _ => Answer::Message(format!("The recorded play has the tricks 1 to {tricks}.")),
        }
    }

    /// Plays a card of the user's choice.
    fn try_card(&mut self, text: &str) -> Answer {
        let Ok(card) = text.parse::<Card>() else {
            return Answer::Message(format!(
                "{text:?} is neither a command nor a card; write a card as hk or h10"
            ));
        };
        match self.position().0.play(card) {
            Ok(_) => {
                self.played.push(card);
                Answer::Shown
            }
            Err(error) => Answer::Message(format!("{error}.")),
        }
    }

    /// Returns the text of the screen.
    fn screen(&mut self) -> String {
        let (position, north_south, tricks) = self.position();
        let mut out = self.heading();
        out.push('\n');
        out.push_str(&self.compass(&position));
        out.push('\n');
        let done = tricks.iter().filter(|trick| trick.cards.len() == 4).count() as u8;
        let declarer_won = self.declarers(north_south, done);
        let defence_won = done - declarer_won;
        let _ = writeln!(
            out,
            "Tricks: declarer {declarer_won}, defence {defence_won}"
        );
        if let Some(trick) = tricks.last() {
            let _ = writeln!(out, "Trick {}: {}", tricks.len(), trick_text(trick));
        }
        if position.tricks_left() > 0 {
            let choices = self.solver.choices(&position);
            let is_declarers = position.to_play().side() == self.task.declarer.side();
            let won = if is_declarers {
                declarer_won
            } else {
                defence_won
            };
            self.add_choices(&mut out, &position, &choices, (is_declarers, won));
        }
        out
    }

    fn heading(&self) -> String {
        let (task, board) = (self.task, &self.task.board);
        let (_, dealer, vulnerable) = board.place();
        let number = board
            .number
            .map_or("Deal".to_owned(), |number| format!("Board {number}"));
        let own = match self.recorded.starts_with(&self.played) {
            true => "",
            false => " (your own line)",
        };
        format!(
            "{number}: {} by {}, dealer {}, vulnerable {}; card {} of {}{own}\n",
            task.contract,
            task.declarer.name(),
            dealer.name(),
            vulnerable.pbn(),
            self.played.len(),
            self.recorded.len(),
        )
    }

    /// Returns the hands around the table.
    fn compass(&self, position: &Position) -> String {
        const WIDTH: usize = 26;
        let hands = position.hands();
        let block = |seat: Seat| -> Vec<String> {
            let mark = if position.to_play() == seat && position.tricks_left() > 0 {
                "> "
            } else {
                ""
            };
            let title = format!(
                "{mark}{} {}",
                capitalised(seat.name()),
                self.task.player(seat)
            );
            let suits = Suit::DESCENDING.map(|suit| {
                let ranks = hands[seat.index()].holding(suit).to_string();
                format!(
                    "{} {}",
                    suit.symbol(),
                    if ranks.is_empty() { "–" } else { &ranks }
                )
            });
            std::iter::once(title.trim_end().to_owned())
                .chain(suits)
                .collect()
        };
        let mut out = String::new();
        let mut middle = |seat| {
            for line in block(seat) {
                let _ = writeln!(out, "{:WIDTH$}{line}", "");
            }
        };
        middle(Seat::North);
        let sides = block(Seat::West).into_iter().zip(block(Seat::East));
        let sides: Vec<String> = sides
            .map(|(west, east)| format!("{west:0$}{east}\n", 2 * WIDTH))
            .collect();
        let mut south = String::new();
        for line in block(Seat::South) {
            let _ = writeln!(south, "{:WIDTH$}{line}", "");
        }
        out + &sides.concat() + &south
    }

    /// Adds the cards of the hand to play by the tricks that declarer gets with them.
    fn add_choices(
        &self,
        out: &mut String,
        position: &Position,
        choices: &Choices,
        (is_declarers, won): (bool, u8),
    ) {
        let seat = capitalised(position.to_play().name());
        let _ = writeln!(out, "{seat} to play. Declarer's tricks after each card:");
        let best = choices.best();
        let mut values: Vec<u8> = choices
            .distinct()
            .iter()
            .map(|choice| choice.tricks)
            .collect();
        values.dedup();
        for value in values {
            let same = choices
                .distinct()
                .iter()
                .filter(|choice| choice.tricks == value);
            let cards = same.fold(CardSet::EMPTY, |cards, choice| cards | choice.cards());
            let total = won + value;
            let declarers = if is_declarers { total } else { 13 - total };
            let cost = match best - value {
                0 => String::new(),
                cost => format!("  costs {cost}"),
            };
            let _ = writeln!(out, "  {declarers:2}  {}{cost}", cards_text(cards));
        }
        if let Some(card) = self.next_recorded() {
            let cost = best - choices.tricks(card).unwrap_or(best);
            let cost = match cost {
                0 => "costs nothing".to_owned(),
                cost => format!("costs {cost}; better: {}", cards_text(choices.best_cards())),
            };
            let _ = writeln!(out, "Played: {}, {cost}", card_text(card));
        }
    }

    /// Returns declarer's tricks, given the tricks of North-South and the number of all tricks.
    fn declarers(&self, north_south: u8, all: u8) -> u8 {
        match self.task.declarer.side() {
            Side::NorthSouth => north_south,
            Side::EastWest => all - north_south,
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

fn card_text(card: Card) -> String {
    format!("{}{}", card.suit().symbol(), card.rank().letter())
}

/// Returns cards suit by suit, the highest first: `♠KQ ♥2`.
fn cards_text(cards: CardSet) -> String {
    let suits = Suit::DESCENDING.into_iter().filter_map(|suit| {
        let ranks = cards.holding(suit);
        (!ranks.is_empty()).then(|| format!("{}{ranks}", suit.symbol()))
    });
    suits.collect::<Vec<_>>().join(" ")
}

/// Returns the cards of a trick with their seats.
fn trick_text(trick: &Trick) -> String {
    let cards = trick.cards.iter().enumerate().map(|(i, &card)| {
        let seat = trick.leader.clockwise(i);
        format!("{} {}", seat.name(), card_text(card))
    });
    cards.collect::<Vec<_>>().join(", ")
}
