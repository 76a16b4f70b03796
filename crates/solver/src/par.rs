//! Par: the score when both sides bid as well as the cards allow.
//!
//! The rules and the choice among equal contracts are those of DealerV2, so that scripts give the same output. Strains
//! are compared in its order: notrump before spades, clubs last.

use std::fmt;

use cards::{Contract, Doubling, Seat, Side, Strain, TrickTable, Vulnerability};

/// The strains in the order of par: notrump, spades, hearts, diamonds, clubs.
const RANKED: [Strain; 5] = Strain::DESCENDING;

/// Number of overtricks that earn no bonus, by level: the contract can be shown lower by this number of levels. One row
/// each for notrump, the majors and the minors.
const HARMLESS_OVERTRICKS: [[i32; 7]; 3] = [
    [0, 1, 0, 1, 2, 0, 0],
    [0, 1, 2, 0, 1, 0, 0],
    [0, 1, 2, 3, 0, 0, 0],
];

/// The par score of a deal and the contracts that reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Par {
    /// Score of North-South.
    pub score: i32,
    /// The contracts, the one to show first; empty if neither side can make a contract.
    pub contracts: Vec<ParContract>,
    /// The vulnerability for which par was computed.
    pub vulnerability: Vulnerability,
}

/// A contract that reaches par.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParContract {
    /// Level, 1 to 7.
    pub level: u8,
    /// Denomination of the contract.
    pub strain: Strain,
    /// Whether the contract goes down doubled and still is the best result for its side.
    pub sacrifice: bool,
    /// The declaring side.
    pub side: Side,
    /// The partner who takes more tricks; `None` if both take the same number.
    pub declarer: Option<Seat>,
    /// Overtricks of a contract that makes.
    pub overtricks: u8,
}

impl ParContract {
    /// Returns level, strain and doubling.
    ///
    /// # Panics
    /// Never for a contract that [`par`] returned: its level is 1 to 7.
    #[must_use]
    pub fn contract(&self) -> Contract {
        let doubling = match self.sacrifice {
            true => Doubling::Doubled,
            false => Doubling::Undoubled,
        };
        Contract::new(self.level, self.strain, doubling).expect("a par contract has a level 1 to 7")
    }

    /// Returns the declarers: `N`, `E`, `S`, `W`, `NS` or `EW`.
    #[must_use]
    pub fn declarers(&self) -> &'static str {
        match self.declarer {
            None => self.side.letters(),
            Some(seat) => ["N", "E", "S", "W"][seat.index()],
        }
    }
}

impl fmt::Display for Par {
    /// Writes the text of `parcontract`, such as ` 3S  by NS none` or ` 4D* by EW ns`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vulnerable = self.vulnerability.word();
        let Some(first) = self.contracts.first() else {
            return write!(f, " 0N  by N {vulnerable}");
        };
        let mark = if first.sacrifice { '*' } else { ' ' };
        let (level, strain) = (first.level, first.strain.letter());
        write!(
            f,
            "{level:2}{strain}{mark} by {} {vulnerable}",
            first.declarers()
        )
    }
}

/// Returns the par of a table when North-South bid first, which is the meaning of `par` in scripts.
///
/// ```
/// use cards::{TrickTable, Vulnerability};
/// let [ns, ew] = [[5, 7, 6, 9, 5], [8, 5, 7, 4, 7]];
/// let table = TrickTable::new([ns, ew, ns, ew]).unwrap();
/// let par = croupier_solver::par(&table, Vulnerability::None);
/// assert_eq!(par.score, 140);
/// assert_eq!(par.to_string(), " 3S  by NS none");
/// ```
#[must_use]
pub fn par(table: &TrickTable, vulnerability: Vulnerability) -> Par {
    let auction = Auction::new(table, vulnerability);
    let mut lists = Side::ALL.map(|first| auction.contracts(first));
    remove_outbid_contracts(&mut lists);
    let [(score, contracts), _] = lists;
    Par {
        score,
        contracts,
        vulnerability,
    }
}

/// Returns the par score, as a score of North-South, when `first` opens the bidding.
///
/// The score depends on `first` only on the rare deals where each side makes a contract if it bids first.
#[must_use]
pub fn score_when_first(table: &TrickTable, vulnerability: Vulnerability, first: Side) -> i32 {
    let score = Auction::new(table, vulnerability).search(first, &[]).score;
    match first {
        Side::NorthSouth => score,
        Side::EastWest => -score,
    }
}

/// The last good bid that a search found.
#[derive(Clone, Copy)]
struct FinalBid {
    /// Score of the side that bid first.
    score: i32,
    /// Index of the strain in [`RANKED`]; -1 before the first bid.
    strain: i32,
    /// Tricks that the contract requires.
    tricks: i32,
    /// Undertricks of a sacrifice.
    short: i32,
}

/// The auction whose result is par: the most tricks of each side in each strain, and the vulnerability.
struct Auction<'a> {
    table: &'a TrickTable,
    /// Tricks, by side and by index in [`RANKED`].
    best: [[i32; 5]; 2],
    vulnerable: [bool; 2],
}

impl<'a> Auction<'a> {
    fn new(table: &'a TrickTable, vulnerability: Vulnerability) -> Self {
        Auction {
            table,
            best: Side::ALL.map(|side| RANKED.map(|strain| i32::from(table.best(side, strain)))),
            vulnerable: Side::ALL.map(|side| vulnerability.includes(side)),
        }
    }

    /// Returns the score for bidding exactly the tricks made.
    fn made(&self, side: usize, strain: usize, tricks: i32) -> i32 {
        Contract::new((tricks - 6) as u8, RANKED[strain], Doubling::Undoubled)
            .map_or(0, |contract| contract.score(self.vulnerable[side], tricks))
    }

    /// Returns the best final contract when `first` opens, without the strains in `excluded`.
    fn search(&self, first: Side, excluded: &[i32]) -> FinalBid {
        let mut state = FinalBid {
            score: 0,
            strain: -1,
            tricks: 6,
            short: 0,
        };
        let mut second = false;
        let mut once = false;
        loop {
            let improved = self.bid(first, second, excluded, &mut state);
            if !improved && once {
                return state;
            }
            once = true;
            second = !second;
        }
    }

    /// Plays one side's turn: the best of its bids and sacrifices above the current contract. Returns whether it bid.
    fn bid(&self, first: Side, second: bool, excluded: &[i32], state: &mut FinalBid) -> bool {
        let side = (first.index() + usize::from(second)) % 2;
        let (last_strain, last_tricks) = (state.strain, state.tricks);
        let mut improved = false;
        for strain in self.strains_by_value(side, excluded, state) {
            let tricks = self.best[side][strain as usize];
            let (value, short) =
                if tricks > state.tricks || (tricks == state.tricks && strain < state.strain) {
                    (self.made(side, strain as usize, tricks), 0)
                } else {
                    let mut short = last_tricks - tricks;
                    if strain >= last_strain {
                        if last_tricks == 13 {
                            continue;
                        }
                        short += 1;
                    }
                    if short <= 0 {
                        continue;
                    }
                    (penalty(short, self.vulnerable[side]), short)
                };
            let better = if second {
                -value < state.score
            } else {
                value > state.score
            };
            if better {
                let short = if value > 0 { 0 } else { short };
                *state = FinalBid {
                    score: if second { -value } else { value },
                    strain,
                    tricks: tricks + short,
                    short,
                };
                improved = true;
            }
        }
        improved
    }

    /// Returns the strains in the order in which they are tried: the most valuable first.
    fn strains_by_value(&self, side: usize, excluded: &[i32], state: &FinalBid) -> Vec<i32> {
        let value = |&strain: &i32| {
            let tricks = self.best[side][strain as usize];
            if tricks > state.tricks || (tricks == state.tricks && strain < state.strain) {
                self.made(side, strain as usize, tricks)
            } else {
                penalty(state.tricks - tricks, self.vulnerable[side])
            }
        };
        let mut strains: Vec<i32> = (0..5).filter(|strain| !excluded.contains(strain)).collect();
        strains.sort_by_key(|strain| -value(strain));
        strains
    }

    /// Returns North-South's score and all contracts that reach it when `first` opens the bidding.
    fn contracts(&self, first: Side) -> (i32, Vec<ParContract>) {
        let best = self.search(first, &[]);
        if best.score == 0 {
            return (0, Vec::new());
        }
        let mut found = vec![best];
        let mut excluded = vec![best.strain];
        while excluded.len() < 5 {
            let next = self.search(first, &excluded);
            if next.score != best.score {
                break;
            }
            found.push(next);
            excluded.push(next.strain);
        }
        let winners = if best.score > 0 {
            first
        } else {
            first.opponents()
        };
        let contracts = if best.short > 0 {
            found.sort_by_key(|outcome| outcome.strain);
            let sacrifice = |outcome: &FinalBid| self.sacrifice(outcome, winners.opponents());
            found.iter().map(sacrifice).collect()
        } else {
            found
                .iter()
                .map(|outcome| self.made_contract(outcome, winners))
                .collect()
        };
        let score = match first {
            Side::NorthSouth => best.score,
            Side::EastWest => -best.score,
        };
        (score, contracts)
    }

    fn sacrifice(&self, outcome: &FinalBid, side: Side) -> ParContract {
        let strain = RANKED[outcome.strain as usize];
        ParContract {
            level: (outcome.tricks - 6) as u8,
            strain,
            sacrifice: true,
            side,
            declarer: self.declarer(side, strain),
            overtricks: 0,
        }
    }

    /// Returns a contract that makes, at the lowest level that scores the same and is safe from a sacrifice.
    fn made_contract(&self, outcome: &FinalBid, side: Side) -> ParContract {
        let strain = RANKED[outcome.strain as usize];
        let level = outcome.tricks - 6;
        let family = [0, 1, 1, 2, 2][outcome.strain as usize];
        let cap = HARMLESS_OVERTRICKS[family][level as usize - 1];
        let overtricks = self.safe_overtricks(outcome, side).min(cap).max(0);
        ParContract {
            level: (level - overtricks) as u8,
            strain,
            sacrifice: false,
            side,
            declarer: self.declarer(side, strain),
            overtricks: overtricks as u8,
        }
    }

    /// Returns how many levels below its tricks the contract can stop without giving the defenders a cheap sacrifice.
    fn safe_overtricks(&self, outcome: &FinalBid, side: Side) -> i32 {
        let defenders = side.opponents().index();
        let theirs = &self.best[defenders];
        let vulnerable = self.vulnerable[defenders];
        let most = theirs.iter().copied().max().unwrap_or(0);
        let outranks = (0..outcome.strain).any(|strain| theirs[strain as usize] == most);
        let extra = i32::from(!outranks);
        let score = outcome.score.abs();

        let mut low = outcome.tricks - most - 1 + extra;
        while low > 0 && score >= -penalty(outcome.tricks - low - most + extra, vulnerable) {
            low -= 1;
        }
        if side == Side::EastWest {
            let in_strain = theirs[outcome.strain as usize];
            while low > 0 && score > -penalty(outcome.tricks - low - in_strain, vulnerable) {
                low -= 1;
            }
        }
        low
    }

    fn declarer(&self, side: Side, strain: Strain) -> Option<Seat> {
        let [a, b] = side.seats();
        let (ours, theirs) = (self.table.tricks(a, strain), self.table.tricks(b, strain));
        match ours.cmp(&theirs) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(a),
            std::cmp::Ordering::Less => Some(b),
        }
    }
}

/// Returns the penalty for `short` doubled undertricks. The formula also applies to values below one.
fn penalty(short: i32, vulnerable: bool) -> i32 {
    if vulnerable {
        -(300 * short - 100)
    } else if short <= 3 {
        -(200 * short - 100)
    } else {
        -(300 * short - 400)
    }
}

/// Removes from each side's list the contracts that the other side's best contract outbids, but never all.
fn remove_outbid_contracts(lists: &mut [(i32, Vec<ParContract>); 2]) {
    // Strength of a contract: tricks first, then the strain.
    let strength = |contract: &ParContract| (contract.level + contract.overtricks, contract.strain);
    let highest = |side: Side, list: &[ParContract]| {
        list.iter()
            .filter(|contract| contract.side == side)
            .map(strength)
            .max()
    };
    let [north_south, east_west] = Side::ALL.map(|side| highest(side, &lists[side.index()].1));
    let (Some(north_south), Some(east_west)) = (north_south, east_west) else {
        return;
    };
    for ((_, list), limit) in lists.iter_mut().zip([east_west, north_south]) {
        let first = list[0];
        list.retain(|contract| strength(contract) >= limit);
        if list.is_empty() {
            list.push(first);
        }
    }
}
