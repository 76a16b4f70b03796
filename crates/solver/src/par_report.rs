//! Par as people say it: `NS 3H=`, `EW 4S*-1`, with every contract that comes to the same.
//!
//! [`par()`](crate::par()) answers what scripts ask and chooses as DealerV2 does. Here the auction is played out: a side that holds
//! the last bid is left in it or outbid, whichever is better for the other side, and a contract that fails is doubled.

use std::fmt;

use cards::{Contract, Doubling, Seat, Side, Strain, TrickTable, Vulnerability};

/// Seven levels of five strains.
const BIDS: usize = 35;

/// The par score of a board and all contracts that reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParReport {
    /// From North-South's point of view.
    pub score: i32,
    /// The contracts, the highest first; empty if the board is passed out.
    pub contracts: Vec<ParResult>,
}

/// A contract that reaches par, who plays it and how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParResult {
    /// Level, strain and doubling. A game that makes more is at the level of the game, a part-score at the level it makes.
    pub contract: Contract,
    /// The lowest level of the same strain that ends with the same score.
    pub lowest_level: u8,
    /// The declaring side.
    pub side: Side,
    /// The one partner who must declare, or nobody if either can.
    pub declarer: Option<Seat>,
    /// Tricks above (or below) the contract.
    pub over: i8,
}

impl ParResult {
    /// `N`, `E`, `S`, `W`, `NS` or `EW`.
    #[must_use]
    pub fn declarers(&self) -> &'static str {
        match self.declarer {
            None => self.side.letters(),
            Some(seat) => ["N", "E", "S", "W"][seat.index()],
        }
    }

    /// What follows the contract: `=`, `+1`, `-2`.
    #[must_use]
    pub fn result(&self) -> String {
        match self.over {
            0 => "=".to_owned(),
            over => format!("{over:+}"),
        }
    }

    /// Contract and result without the declarers: `3H=`, `3NT+1`, `4S*-1`.
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
    /// `NS 3H=`, `N 3NT+1`, `EW 4S*-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.declarers(), self.text())
    }
}

impl ParReport {
    /// The contracts alone: `NS 3H=, NS 3S=`, or `Pass`.
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
    /// `NS 3H=, NS 3S= (+140)`; `Pass (0)`. The score is North-South's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.score > 0 { "+" } else { "" };
        write!(f, "{} ({sign}{})", self.contracts_text(), self.score)
    }
}

/// The par of a board: score and all contracts, as people say them. The dealer matters only where either side can buy the
/// contract by bidding first.
///
/// ```
/// use cards::{Seat, TrickTable, Vulnerability};
/// let [ns, ew] = [[5, 7, 6, 9, 5], [8, 5, 7, 4, 7]];
/// let table = TrickTable::new([ns, ew, ns, ew]).unwrap();
/// let par = solver::par_texts(&table, Vulnerability::None, Seat::North);
/// assert_eq!(par.score, 140);
/// assert_eq!(par.contracts[0].text(), "3S=");
/// assert_eq!(par.to_string(), "NS 3S= (+140)");
/// ```
#[must_use]
pub fn par_texts(table: &TrickTable, vulnerability: Vulnerability, dealer: Seat) -> ParReport {
    let auction = Auction {
        table,
        vulnerability,
    };
    let (values, score) = auction.values(dealer.side());
    let mut contracts: Vec<ParResult> = Vec::new();
    if score == 0 {
        return ParReport { score, contracts };
    }
    // A contract in which the others may leave the side, and over which they have nothing better to try.
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
    // A sacrifice may happen to cost what an overtrick brings; the line of the auction is the sacrifice.
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

/// Whether a side likes the one score of North-South better than the other.
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
    /// The contract as it is played with so many tricks.
    fn contract(bid: usize, tricks: u8) -> Contract {
        let level = level_of(bid);
        let doubling = match tricks < level + 6 {
            true => Doubling::Doubled,
            false => Doubling::Undoubled,
        };
        Contract::new(level, strain_of(bid), doubling).expect("a bid has a level 1 to 7")
    }

    /// North-South's score if this bid of a side is the last.
    fn score(&self, bid: usize, side: Side) -> i32 {
        let tricks = self.table.best(side, strain_of(bid));
        let vulnerable = self.vulnerability.includes(side);
        sign(side) * Auction::contract(bid, tricks).score(vulnerable, i32::from(tricks))
    }

    /// What each bid of each side leads to, and what the auction leads to if `first` deals.
    fn values(&self, first: Side) -> ([[i32; 2]; BIDS], i32) {
        let mut values = [[0; 2]; BIDS];
        // The best that a side reaches with a bid above the one looked at.
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
        // Nobody has bid yet: each of the four may, the dealer first. A side that fails has nothing to open with; else seven
        // notrump would be a sacrifice in advance over a grand slam that nobody has bid.
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

    /// Adds a contract, or notes that one of the strain is reached at a lower level too.
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

/// Whether the contract, undoubled, is worth a game.
fn is_game(contract: Contract) -> bool {
    contract.level()
        >= match contract.strain {
            Strain::Notrump => 3,
            Strain::Hearts | Strain::Spades => 4,
            Strain::Clubs | Strain::Diamonds => 5,
        }
}
