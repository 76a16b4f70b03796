//! Par as players write it: `NS 3H=`, `EW 4S*-1`, with all contracts that score the same.
//!
//! [`par()`](crate::par()) follows DealerV2, as scripts expect. This module plays the auction out instead: after each
//! bid the other side passes or bids again, whichever is better for it, and a contract that fails is doubled.

use std::fmt;

use cards::{Contract, Doubling, Seat, Side, Strain, TrickTable, Vulnerability};

/// Number of bids: seven levels of five strains.
const BIDS: usize = 35;

/// The par score of a board and all contracts that reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParReport {
    /// Score of North-South.
    pub score: i32,
    /// The contracts, the highest first; empty if the board is passed out.
    pub contracts: Vec<ParResult>,
}

/// A contract that reaches par, its declarer and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParResult {
    /// Level, strain and doubling. A game that makes overtricks is shown at the level of the game, a part score at the
    /// level it makes.
    pub contract: Contract,
    /// The lowest level of this strain with the same score.
    pub lowest_level: u8,
    /// The declaring side.
    pub side: Side,
    /// The partner who must declare; `None` if either can.
    pub declarer: Option<Seat>,
    /// Overtricks, or undertricks if negative.
    pub over: i8,
}

impl ParResult {
    /// Returns the declarers: `N`, `E`, `S`, `W`, `NS` or `EW`.
    #[must_use]
    pub fn declarers(&self) -> &'static str {
        match self.declarer {
            None => self.side.letters(),
            Some(seat) => ["N", "E", "S", "W"][seat.index()],
        }
    }

    /// Returns the result that follows the contract: `=`, `+1`, `-2`.
    #[must_use]
    pub fn result(&self) -> String {
        match self.over {
            0 => "=".to_owned(),
            over => format!("{over:+}"),
        }
    }

    /// Returns contract and result without the declarers: `3H=`, `3NT+1`, `4S*-1`.
    #[must_use]
    pub fn text(&self) -> String {
        let strain = match self.contract.strain {
            Strain::Notrump => "NT".to_owned(),
            suit => suit.letter().to_string(),
        };
        let doubled = match self.contract.doubling {
            Doubling::Undoubled => "",
            Doubling::Doubled | Doubling::Redoubled => "*",
        };
        format!(
            "{}{strain}{doubled}{}",
            self.contract.level(),
            self.result()
        )
    }
}

impl fmt::Display for ParResult {
    /// Writes `NS 3H=`, `N 3NT+1`, `EW 4S*-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.declarers(), self.text())
    }
}

impl ParReport {
    /// Returns the contracts alone: `NS 3H=, NS 3S=`, or `Pass`.
    #[must_use]
    pub fn contracts_text(&self) -> String {
        if self.contracts.is_empty() {
            return "Pass".to_owned();
        }
        let texts: Vec<String> = self.contracts.iter().map(ParResult::to_string).collect();
        texts.join(", ")
    }
}

impl fmt::Display for ParReport {
    /// Writes `NS 3H=, NS 3S= (+140)` or `Pass (0)`. The score is North-South's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.score > 0 { "+" } else { "" };
        write!(f, "{} ({sign}{})", self.contracts_text(), self.score)
    }
}

/// Returns the par of a board, with all contracts. The dealer matters only where the side that bids first can buy the
/// contract.
///
/// ```
/// use cards::{Seat, TrickTable, Vulnerability};
/// let [ns, ew] = [[5, 7, 6, 9, 5], [8, 5, 7, 4, 7]];
/// let table = TrickTable::new([ns, ew, ns, ew]).unwrap();
/// let par = croupier_solver::par_report(&table, Vulnerability::None, Seat::North);
/// assert_eq!(par.score, 140);
/// assert_eq!(par.contracts[0].text(), "3S=");
/// assert_eq!(par.to_string(), "NS 3S= (+140)");
/// ```
#[must_use]
pub fn par_report(table: &TrickTable, vulnerability: Vulnerability, dealer: Seat) -> ParReport {
    let auction = Auction {
        table,
        vulnerability,
    };
    let (values, score) = auction.values(dealer.side());
    let mut contracts: Vec<ParResult> = Vec::new();
    if score == 0 {
        return ParReport { score, contracts };
    }
    // A stable contract has the par score, and the other side has no better bid above it.
    let stable = |bid: usize, side: Side| {
        let others = side.opponents();
        let tempting = |bid: usize| better(others, auction.score(bid, others), score);
        let needed = auction.score(bid, side) * sign(side) > 0 || (0..bid).any(tempting);
        values[bid][side.index()] == score
            && auction.score(bid, side) == score
            && !(bid + 1..BIDS).any(tempting)
            && needed
    };
    for bid in (0..BIDS).rev() {
        for side in Side::ALL.into_iter().filter(|&side| stable(bid, side)) {
            auction.collect(&mut contracts, bid, side);
        }
    }
    // A sacrifice can score the same as another contract with overtricks. Then only the sacrifices are listed.
    if contracts.iter().any(|found| found.over < 0) {
        contracts.retain(|found| found.over < 0);
    }
    contracts.sort_by_key(|found| {
        let contract = found.contract;
        std::cmp::Reverse((contract.level(), contract.strain))
    });
    ParReport { score, contracts }
}

fn sign(side: Side) -> i32 {
    match side {
        Side::NorthSouth => 1,
        Side::EastWest => -1,
    }
}

/// Returns whether a side prefers the first score of North-South to the second.
fn better(side: Side, one: i32, other: i32) -> bool {
    one * sign(side) > other * sign(side)
}

fn strain_of(bid: usize) -> Strain {
    Strain::ALL[bid % 5]
}

fn level_of(bid: usize) -> u8 {
    (bid / 5) as u8 + 1
}

struct Auction<'a> {
    table: &'a TrickTable,
    vulnerability: Vulnerability,
}

impl Auction<'_> {
    /// Returns the contract as played when it takes `tricks` tricks: doubled if it fails.
    fn contract(bid: usize, tricks: u8) -> Contract {
        let level = level_of(bid);
        let doubling = match tricks < level + 6 {
            true => Doubling::Doubled,
            false => Doubling::Undoubled,
        };
        Contract::new(level, strain_of(bid), doubling).expect("a bid has a level 1 to 7")
    }

    /// Returns North-South's score if this bid of a side is the last.
    fn score(&self, bid: usize, side: Side) -> i32 {
        let tricks = self.table.best(side, strain_of(bid));
        let vulnerable = self.vulnerability.includes(side);
        sign(side) * Auction::contract(bid, tricks).score(vulnerable, i32::from(tricks))
    }

    /// Returns the value of each bid of each side, and the value of the auction if `first` deals.
    fn values(&self, first: Side) -> ([[i32; 2]; BIDS], i32) {
        let mut values = [[0; 2]; BIDS];
        // The best value that each side reaches with a bid above the current one.
        let mut above: [Option<i32>; 2] = [None; 2];
        let raised = |side: Side, above: [Option<i32>; 2], pass: i32| match above[side.index()] {
            Some(bid) if better(side, bid, pass) => bid,
            _ => pass,
        };
        for bid in (0..BIDS).rev() {
            let reached = Side::ALL.map(|side| {
                let pass = self.score(bid, side);
                raised(side.opponents(), above, pass)
            });
            values[bid] = reached;
            for side in Side::ALL {
                above[side.index()] = Some(raised(side, above, reached[side.index()]));
            }
        }
        // Before the first bid each of the four players may open, the dealer first. A side must make its opening bid;
        // otherwise seven notrump would be an advance sacrifice against a grand slam that was never bid.
        let openings = Side::ALL.map(|side| {
            let makes = |&bid: &usize| self.score(bid, side) * sign(side) > 0;
            let reached = (0..BIDS).filter(makes).map(|bid| values[bid][side.index()]);
            reached.max_by_key(|value| value * sign(side))
        });
        let second = first.opponents();
        let mut value = 0;
        for side in [second, first, second, first] {
            value = raised(side, openings, value);
        }
        (values, value)
    }

    /// Adds a contract, or lowers the level of a listed contract of the same strain.
    fn collect(&self, contracts: &mut Vec<ParResult>, bid: usize, side: Side) {
        let strain = strain_of(bid);
        let best = self.table.best(side, strain);
        let [one, other] = side.seats();
        let declarer = match [one, other].map(|seat| self.table.tricks(seat, strain) == best) {
            [true, true] => None,
            [true, false] => Some(one),
            [false, _] => Some(other),
        };
        let contract = Auction::contract(bid, best);
        let found = ParResult {
            contract,
            lowest_level: contract.level(),
            side,
            declarer,
            over: best as i8 - contract.tricks_needed() as i8,
        };
        let known = contracts
            .iter_mut()
            .find(|known| known.side == side && known.contract.strain == strain);
        match known {
            None => contracts.push(found),
            Some(known) => {
                known.lowest_level = known.lowest_level.min(contract.level());
                if is_game(contract) {
                    known.contract = contract;
                    known.over = found.over;
                }
            }
        }
    }
}

/// Returns whether the contract, undoubled, scores a game bonus.
fn is_game(contract: Contract) -> bool {
    contract.level()
        >= match contract.strain {
            Strain::Notrump => 3,
            Strain::Hearts | Strain::Spades => 4,
            Strain::Clubs | Strain::Diamonds => 5,
        }
}
