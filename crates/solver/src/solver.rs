//! The double-dummy library, spoken to in our own words.
//!
//! This is the only file that knows which library answers; exchanging it means rewriting this file.

use cards::{CardSet, Deal, Seat, Strain, Suit, TrickTable};
use contract_bridge::{self as bridge, FullDeal};
use pons_dds::{Board, CurrentTrick, Objective, Target, TrickCount};

use crate::lead::{Lead, Leads};

/// Answers double-dummy questions; one for each thread.
///
/// Making one takes about 2 ms and 10 MB; its memory grows to about 80 MB while it works and is
/// reused from question to question.
pub struct Solver {
    library: Box<pons_dds::Solver>,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// A solver with nothing in its memory yet.
    #[must_use]
    pub fn new() -> Self {
        Solver {
            library: Box::new(pons_dds::Solver::new(bridge::Strain::Notrump)),
        }
    }

    /// A solver whose memory never grows beyond about `megabytes`.
    ///
    /// Answers do not depend on the limit; below about 100 they take several times as long.
    #[must_use]
    pub fn with_memory(megabytes: u32) -> Self {
        let megabytes = megabytes.max(16);
        let library = pons_dds::Solver::with_memory(bridge::Strain::Notrump, megabytes, megabytes);
        Solver {
            library: Box::new(library),
        }
    }

    /// Tricks taken by `declarer`, the hand to the left leading.
    ///
    /// The library walks from seven tricks to the answer and keeps its memory on the way. Starting
    /// from a good guess with [`Solver::at_least`], which begins anew each time, is a tenth slower
    /// (the benchmark measures both).
    #[must_use]
    pub fn tricks(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> u8 {
        let best = self.ask(deal, declarer, strain, Target::Any(None));
        13 - best.first().map_or(0, |lead| lead.tricks)
    }

    /// Whether `declarer` takes at least `tricks`: a yes or no that costs a fraction of the count.
    #[must_use]
    pub fn at_least(&mut self, deal: &Deal, declarer: Seat, strain: Strain, tricks: u8) -> bool {
        match tricks {
            0 => true,
            1..=13 => {
                // Declarer has them unless the defence can take what is left and one more.
                let defence = Target::Any(Some(TrickCount::new(14 - tricks)));
                self.ask(deal, declarer, strain, defence).is_empty()
            }
            _ => false,
        }
    }

    /// The results of all four declarers in one strain, North first.
    ///
    /// They share one search memory: four cost about as much as two asked for singly.
    #[must_use]
    pub fn strain(&mut self, deal: &Deal, strain: Strain) -> [u8; 4] {
        self.library.set_strain(library_strain(strain));
        let row = self.library.solve(library_deal(deal));
        Seat::ALL.map(|seat| row.get(library_seat(seat)).get())
    }

    /// All twenty results.
    #[must_use]
    pub fn table(&mut self, deal: &Deal) -> TrickTable {
        let mut table = TrickTable::default();
        for strain in Strain::ALL {
            let row = self.strain(deal, strain);
            for seat in Seat::ALL {
                table.set(seat, strain, row[seat.index()]);
            }
        }
        table
    }

    /// What every opening lead of the hand to the left of `declarer` is worth, best first.
    #[must_use]
    pub fn leads(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> Leads {
        Leads::new(self.ask(deal, declarer, strain, Target::Legal))
    }

    /// The opening leads after which the defence takes at least `tricks`, equals included.
    ///
    /// Much cheaper than [`Solver::leads`] when it is enough to know which leads beat a contract.
    #[must_use]
    pub fn leads_taking(
        &mut self,
        deal: &Deal,
        declarer: Seat,
        strain: Strain,
        tricks: u8,
    ) -> CardSet {
        match tricks {
            0 => deal.hand(declarer.next()),
            1..=13 => {
                let target = Target::All(Some(TrickCount::new(tricks)));
                let leads = self.ask(deal, declarer, strain, target);
                leads
                    .iter()
                    .fold(CardSet::EMPTY, |cards, lead| cards | lead.cards())
            }
            _ => CardSet::EMPTY,
        }
    }

    /// The opening leads that meet `target`, counted in tricks for the defence.
    fn ask(&mut self, deal: &Deal, declarer: Seat, strain: Strain, target: Target) -> Vec<Lead> {
        let leader = library_seat(declarer.next());
        let trick = CurrentTrick::new(library_strain(strain), leader);
        let board = Board::try_new(library_deal(deal).into(), trick)
            .expect("a complete deal with no card played is a board");
        let found = self.library.solve_board(&Objective { board, target });
        found.plays.iter().map(lead).collect()
    }
}

fn lead(play: &pons_dds::Play) -> Lead {
    let suit = Suit::from_index(play.card.suit as usize);
    let rank = cards::Rank::ALL[usize::from(play.card.rank.get()) - 2];
    Lead {
        card: cards::Card::new(suit, rank),
        equals: cards::Holding(play.equals.to_bits() >> 2).in_suit(suit),
        tricks: play.score.get(),
    }
}

fn library_strain(strain: Strain) -> bridge::Strain {
    bridge::Strain::ASC[strain.index()]
}

fn library_seat(seat: Seat) -> bridge::Seat {
    bridge::Seat::ALL[seat.index()]
}

fn library_deal(deal: &Deal) -> FullDeal {
    let hand = |seat: Seat| {
        // The library keeps a deuce in bit 2.
        let [clubs, diamonds, hearts, spades] = Suit::ALL
            .map(|suit| bridge::Holding::from_bits_truncate(deal.hand(seat).holding(suit).0 << 2));
        bridge::Hand::new(clubs, diamonds, hearts, spades)
    };
    bridge::deal::Builder::new()
        .north(hand(Seat::North))
        .east(hand(Seat::East))
        .south(hand(Seat::South))
        .west(hand(Seat::West))
        .build_full()
        .expect("a deal is four disjoint hands of thirteen")
}
