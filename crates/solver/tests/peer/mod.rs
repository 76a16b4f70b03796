//! Debian's libdds as an independent solver, called through a small program that is compiled here.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use cards::{Card, CardSet, Deal, Holding, Rank, Seat, Strain, Suit, TrickTable};
use croupier_solver::Position;

use crate::common::DDS_STRAINS;

/// The packages to install.
const REQUIRED: &str =
    "the second solver needs a C++ compiler and libdds: apt-get install g++ libdds-dev";

/// A running libdds process with one thread.
pub struct Libdds {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    nanoseconds: u64,
}

impl Libdds {
    /// Compiles and starts the program.
    ///
    /// # Panics
    /// If the compiler or the library is missing: the comparison must not be skipped silently.
    pub fn start(name: &str) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peer/libdds.cpp");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let compiled = Command::new("c++")
            .arg("-O2")
            .arg(source)
            .args(["-ldds", "-o"])
            .arg(&program)
            .output()
            .unwrap_or_else(|error| panic!("{REQUIRED}\nc++: {error}"));
        let errors = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{REQUIRED}\n{errors}");
        let mut child = Command::new(&program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let questions = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Libdds {
            child,
            questions,
            answers,
            nanoseconds: 0,
        }
    }

    /// Returns the CPU time that libdds reported for the last result.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds)
    }

    fn request(&mut self, question: &str) -> Vec<i64> {
        let pipe = self.questions.as_mut().expect("open until dropped");
        writeln!(pipe, "{question}").expect("libdds reads its standard input");
        let mut line = String::new();
        self.answers
            .read_line(&mut line)
            .expect("libdds writes a line for each request");
        let mut numbers = line
            .split_whitespace()
            .map(|word| word.parse().expect("a number"));
        self.nanoseconds = numbers.next().expect("libdds writes its CPU time first") as u64;
        numbers.collect()
    }

    /// Returns all twenty results.
    pub fn table(&mut self, deal: &Deal) -> TrickTable {
        let numbers = self.request(&format!("T {}", cards(deal)));
        let mut table = TrickTable::default();
        for (i, &tricks) in numbers.iter().enumerate() {
            let strain = DDS_STRAINS[i / 4];
            table.set(Seat::from_index(i % 4), strain, tricks as u8);
        }
        table
    }

    /// Returns the tricks of a declarer.
    pub fn tricks(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> u8 {
        let question = format!("C {}", board(deal, declarer, strain));
        13 - self.request(&question)[0] as u8
    }

    /// Returns whether a declarer takes at least `tricks`, which must be 1 to 13.
    pub fn at_least(&mut self, deal: &Deal, declarer: Seat, strain: Strain, tricks: u8) -> bool {
        let question = format!("G {} {}", board(deal, declarer, strain), 14 - tricks);
        self.request(&question)[0] == 0
    }

    /// Solves a position in the play: for the best card only, or for all cards. Returns the tricks of the best card.
    pub fn position(&mut self, position: &Position, best_only: bool) -> u8 {
        let dds_suit = |suit: Suit| 3 - suit.index();
        let table = (0..3).map(|place| match position.trick().get(place) {
            Some(card) => format!("{} {}", dds_suit(card.suit()), card.rank().index() + 2),
            None => "0 0".to_owned(),
        });
        let trump = DDS_STRAINS
            .iter()
            .position(|&other| other == position.strain())
            .expect("DDS has the same five strains");
        let question = format!(
            "P {} {trump} {} {} {}",
            holdings(position.hands()),
            position.leader().index(),
            if best_only { 1 } else { 3 },
            table.collect::<Vec<_>>().join(" ")
        );
        let numbers = self.request(&question);
        let tricks = numbers.chunks(4).map(|card| card[3] as u8);
        tricks.max().expect("a card to play")
    }

    /// Returns every card of the opening leader with the defence's tricks, spade ace first.
    pub fn leads(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> Vec<(Card, u8)> {
        let numbers = self.request(&format!("L {}", board(deal, declarer, strain)));
        let mut leads = Vec::new();
        for lead in numbers.chunks(4) {
            let suit = Suit::DESCENDING[lead[0] as usize];
            let highest = Card::new(suit, Rank::ALL[lead[1] as usize - 2]);
            let equals = Holding((lead[2] >> 2) as u16).in_suit(suit);
            let all = std::iter::once(highest).chain(equals);
            leads.extend(all.map(|card| (card, lead[3] as u8)));
        }
        leads.sort_by_key(|&(card, _)| std::cmp::Reverse(card));
        leads
    }
}

impl Drop for Libdds {
    fn drop(&mut self) {
        drop(self.questions.take());
        let _ = self.child.wait();
    }
}

fn cards(deal: &Deal) -> String {
    holdings(deal.hands())
}

fn holdings(hands: [CardSet; 4]) -> String {
    let holding =
        |seat: Seat, suit: Suit| format!("{:x}", hands[seat.index()].holding(suit).0 << 2);
    let hands = Seat::ALL
        .iter()
        .flat_map(|&seat| Suit::DESCENDING.map(|suit| holding(seat, suit)));
    hands.collect::<Vec<_>>().join(",")
}

fn board(deal: &Deal, declarer: Seat, strain: Strain) -> String {
    let trump = DDS_STRAINS
        .iter()
        .position(|&other| other == strain)
        .expect("DDS has the same five strains");
    format!("{} {trump} {}", cards(deal), declarer.next().index())
}
