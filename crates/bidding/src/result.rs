//! Results of auctions: score, difference to par, and missed games and slams.

use cards::{Contract, Side, Strain, TrickTable, Vulnerability, scoring};
use studies::{DeclaredContract, Estimate, Moments};

/// The value of an auction on a board whose double-dummy results are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardResult {
    /// The contract; `None` if the board was passed out.
    pub declared: Option<DeclaredContract>,
    /// The tricks of the declarer, double dummy.
    pub tricks: Option<u8>,
    /// The score of North-South.
    pub score: i32,
    /// The par score of North-South.
    pub par: i32,
}

impl BoardResult {
    /// Computes the value of a contract, or of passing the board out.
    #[must_use]
    pub fn new(
        declared: Option<DeclaredContract>,
        table: &TrickTable,
        vulnerability: Vulnerability,
        par: i32,
    ) -> BoardResult {
        let tricks = declared.map(|it| table.tricks(it.declarer, it.contract.strain));
        BoardResult {
            declared,
            tricks,
            score: north_south_score(declared.zip(tricks), vulnerability),
            par,
        }
    }

    /// Returns the points of North-South above par.
    #[must_use]
    pub const fn to_par(&self) -> i32 {
        self.score - self.par
    }

    /// Returns the IMPs of North-South above par.
    #[must_use]
    pub const fn imps_to_par(&self) -> i32 {
        scoring::imps(self.to_par())
    }

    /// Returns whether the declarer takes the tricks of the contract.
    #[must_use]
    pub fn is_made(&self) -> bool {
        let needed = self.declared.map(|it| it.contract.tricks_needed());
        self.tricks
            .zip(needed)
            .is_some_and(|(taken, needed)| taken >= needed)
    }
}

/// Returns the score of North-South for a contract and its tricks; 0 if there is no contract.
#[must_use]
pub fn north_south_score(
    played: Option<(DeclaredContract, u8)>,
    vulnerability: Vulnerability,
) -> i32 {
    played.map_or(0, |(declared, tricks)| {
        declared.score(tricks, vulnerability, Side::NorthSouth)
    })
}

/// The category of a contract by its bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bonus {
    /// Below game.
    Partscore,
    /// Game, below slam.
    Game,
    /// Six or seven.
    Slam,
}

impl Bonus {
    /// Returns the category of a bid. Doubles do not count.
    #[must_use]
    pub fn of(bid: Contract) -> Bonus {
        let game = match bid.strain {
            Strain::Notrump => 3,
            Strain::Hearts | Strain::Spades => 4,
            Strain::Clubs | Strain::Diamonds => 5,
        };
        match bid.level() {
            6.. => Bonus::Slam,
            level if level >= game => Bonus::Game,
            _ => Bonus::Partscore,
        }
    }

    /// Returns the highest category that a side makes double dummy with its best declarer.
    fn makeable(table: &TrickTable, side: Side) -> Bonus {
        let of = |strain| {
            let level = table.best(side, strain).checked_sub(6);
            let bid = Contract::new(level?, strain, cards::Doubling::Undoubled)?;
            Some(Bonus::of(bid))
        };
        let kinds = Strain::ALL.into_iter().filter_map(of);
        kinds.max().unwrap_or(Bonus::Partscore)
    }
}

/// Smallest and largest difference of two scores on a board: a redoubled contract, vulnerable and down thirteen, against its
/// opposite.
pub const POINTS: (f64, f64) = (-15_200.0, 15_200.0);

/// Smallest and largest number of IMPs on a board.
pub const IMPS: (f64, f64) = (-24.0, 24.0);

/// Counts over boards that were bid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BiddingSummary {
    /// Boards.
    pub boards: u64,
    /// Boards without a bid.
    pub passed_out: u64,
    /// Contracts by category: partscores, games, slams.
    pub reached: [u64; 3],
    /// Number of contracts in each category that are made.
    pub made: [u64; 3],
    /// Boards on which a side makes a game or slam but the contract is not a game of this side.
    pub missed_games: u64,
    /// Boards on which a side makes a slam but the contract is not a slam of this side.
    pub missed_slams: u64,
    points: Moments,
    imps: Moments,
    distance: Moments,
}

impl BiddingSummary {
    /// Adds a board with its double-dummy results.
    pub fn add(&mut self, result: &BoardResult, table: &TrickTable) {
        self.boards += 1;
        self.points.add(result.to_par());
        self.imps.add(result.imps_to_par());
        self.distance.add(result.imps_to_par().abs());
        match result.declared {
            None => self.passed_out += 1,
            Some(declared) => {
                let kind = Bonus::of(declared.contract) as usize;
                self.reached[kind] += 1;
                self.made[kind] += u64::from(result.is_made());
            }
        }
        let bid = |side| {
            let declared = result.declared.filter(|it| it.declarer.side() == side);
            declared.map_or(Bonus::Partscore, |it| Bonus::of(it.contract))
        };
        let missed = |kind: Bonus| {
            let missed = |side| Bonus::makeable(table, side) >= kind && bid(side) < kind;
            u64::from(Side::ALL.into_iter().any(missed))
        };
        self.missed_games += missed(Bonus::Game);
        self.missed_slams += missed(Bonus::Slam);
    }

    /// Returns the mean of North-South's points above par.
    #[must_use]
    pub fn points_to_par(&self) -> Estimate {
        self.points.mean(POINTS)
    }

    /// Returns the mean of North-South's IMPs above par.
    #[must_use]
    pub fn imps_to_par(&self) -> Estimate {
        self.imps.mean(IMPS)
    }

    /// Returns the mean of IMPs away from par, in either direction.
    #[must_use]
    pub fn distance_to_par(&self) -> Estimate {
        self.distance.mean((0.0, IMPS.1))
    }
}
