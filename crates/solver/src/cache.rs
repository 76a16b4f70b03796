//! Cache of the results of one deal, so that no search is repeated.

use cards::{Deal, Seat, Strain, TrickTable};

use crate::{SeatSet, Solver};

/// Bounds on the tricks of a declarer, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Lower bound on the tricks.
    pub low: u8,
    /// Upper bound on the tricks.
    pub high: u8,
}

impl Bounds {
    /// The bounds before any search.
    pub const UNKNOWN: Bounds = Bounds { low: 0, high: 13 };

    const fn exact(tricks: u8) -> Bounds {
        Bounds {
            low: tricks,
            high: tricks,
        }
    }

    /// Returns whether the tricks are at least `tricks`, or `None` if the bounds do not decide it.
    #[must_use]
    pub const fn at_least(self, tricks: u8) -> Option<bool> {
        if self.low >= tricks {
            Some(true)
        } else if self.high < tricks {
            Some(false)
        } else {
            None
        }
    }

    /// Narrows the bounds with the answer to "at least `tricks`?".
    pub fn learn(&mut self, tricks: u8, at_least: bool) {
        match at_least {
            true => self.low = self.low.max(tricks),
            false => self.high = self.high.min(tricks.saturating_sub(1)),
        }
    }
}

/// With bounds this close, counting takes at most two yes-or-no searches, which cost less than a full count.
const NARROW: u8 = 3;
/// Bounds on the twenty results of one deal.
///
/// The cache does not store the deal. Clear it, or create another one, for the next deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealCache {
    bounds: [[Bounds; 5]; 4],
}

impl Default for DealCache {
    fn default() -> Self {
        DealCache::new()
    }
}

impl From<&TrickTable> for DealCache {
    /// Creates a cache in which every result is known, for example from a library file. It never calls the solver.
    fn from(table: &TrickTable) -> Self {
        DealCache {
            bounds: table.rows().map(|row| row.map(Bounds::exact)),
        }
    }
}

impl DealCache {
    /// Creates an empty cache.
    #[must_use]
    pub const fn new() -> Self {
        DealCache {
            bounds: [[Bounds::UNKNOWN; 5]; 4],
        }
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = DealCache::new();
    }

    /// Returns the bounds on one result.
    #[must_use]
    pub const fn bounds(&self, declarer: Seat, strain: Strain) -> Bounds {
        self.bounds[declarer as usize][strain as usize]
    }

    /// Returns the result if the cache holds it.
    #[must_use]
    pub const fn known(&self, declarer: Seat, strain: Strain) -> Option<u8> {
        let bounds = self.bounds(declarer, strain);
        if bounds.low == bounds.high {
            Some(bounds.low)
        } else {
            None
        }
    }

    fn learn(&mut self, declarer: Seat, strain: Strain, tricks: u8) {
        self.bounds[declarer.index()][strain.index()] = Bounds::exact(tricks);
    }

    /// Returns whether `declarer` takes at least `tricks`. Searches only if the bounds do not decide it.
    pub fn at_least(
        &mut self,
        solver: &mut Solver,
        deal: &Deal,
        declarer: Seat,
        strain: Strain,
        tricks: u8,
    ) -> bool {
        let bounds = &mut self.bounds[declarer.index()][strain.index()];
        if let Some(answer) = bounds.at_least(tricks) {
            return answer;
        }
        let answer = solver.at_least(deal, declarer, strain, tricks);
        bounds.learn(tricks, answer);
        answer
    }

    /// Returns the tricks of `declarer`. Searches only between the bounds.
    pub fn tricks(
        &mut self,
        solver: &mut Solver,
        deal: &Deal,
        declarer: Seat,
        strain: Strain,
    ) -> u8 {
        let Bounds { low, high } = self.bounds(declarer, strain);
        if high - low > NARROW {
            let tricks = solver.tricks(deal, declarer, strain);
            self.learn(declarer, strain, tricks);
            return tricks;
        }
        loop {
            let Bounds { low, high } = self.bounds(declarer, strain);
            if low == high {
                return low;
            }
            self.at_least(solver, deal, declarer, strain, (low + high).div_ceil(2));
        }
    }

    /// Solves the missing results of these declarers in one strain. Searching them together is cheaper, because they
    /// share most of the transposition table.
    pub fn solve(&mut self, solver: &mut Solver, deal: &Deal, declarers: SeatSet, strain: Strain) {
        let wide = |seat: &Seat| {
            let Bounds { low, high } = self.bounds(*seat, strain);
            high - low > NARROW
        };
        let row = solver.results(deal, strain, declarers.iter().filter(wide).collect());
        for (seat, tricks) in Seat::ALL.into_iter().zip(row) {
            if let Some(tricks) = tricks {
                self.learn(seat, strain, tricks);
            }
        }
        for declarer in declarers.iter() {
            self.tricks(solver, deal, declarer, strain);
        }
    }

    /// Returns the results of some declarers in all strains; 0 for the other declarers.
    pub fn rows(&mut self, solver: &mut Solver, deal: &Deal, declarers: SeatSet) -> TrickTable {
        let mut table = TrickTable::default();
        for strain in Strain::ALL {
            self.solve(solver, deal, declarers, strain);
            for seat in declarers.iter() {
                table.set(seat, strain, self.tricks(solver, deal, seat, strain));
            }
        }
        table
    }

    /// Returns all twenty results.
    pub fn table(&mut self, solver: &mut Solver, deal: &Deal) -> TrickTable {
        if *self == DealCache::new() {
            // For an empty cache, the solver's own order of strains and leaders is faster.
            *self = DealCache::from(&solver.table(deal));
        }
        self.rows(solver, deal, SeatSet::ALL)
    }
}
