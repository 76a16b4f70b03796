//! What is known about one deal, so that no question is asked twice.

use cards::{Deal, Seat, Strain, TrickTable};

use crate::{Seats, Solver};

/// The tricks of a declarer lie between these two numbers, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least so many.
    pub low: u8,
    /// At most so many.
    pub high: u8,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { low: 0, high: 13 };

    const fn exact(tricks: u8) -> Bounds {
        Bounds {
            low: tricks,
            high: tricks,
        }
    }

    /// Whether the bounds alone tell if there are at least so many tricks.
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

    /// What is known besides when this is the answer to whether there are at least so many tricks.
    pub fn learn(&mut self, tricks: u8, at_least: bool) {
        match at_least {
            true => self.low = self.low.max(tricks),
            false => self.high = self.high.min(tricks.saturating_sub(1)),
        }
    }
}

/// Counting a result whose bounds are this close takes at most two yes-or-no questions, which cost
/// less than a count.
const NARROW: u8 = 3;
/// What is known of the twenty results of one deal.
///
/// The cache does not remember the deal: clear it (or make another) for the next one.
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
    /// Everything is known, for example from a library file: the solver will never be asked.
    fn from(table: &TrickTable) -> Self {
        DealCache {
            bounds: table.rows().map(|row| row.map(Bounds::exact)),
        }
    }
}

impl DealCache {
    /// Nothing is known yet.
    #[must_use]
    pub const fn new() -> Self {
        DealCache {
            bounds: [[Bounds::UNKNOWN; 5]; 4],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = DealCache::new();
    }

    /// What is known about one result.
    #[must_use]
    pub const fn bounds(&self, declarer: Seat, strain: Strain) -> Bounds {
        self.bounds[declarer as usize][strain as usize]
    }

    /// The result, if it is known.
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

    /// Whether `declarer` takes at least `tricks`; asks only if it is not known.
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

    /// The tricks of `declarer`; asks only for what is not known.
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

    /// The results of these declarers in one strain, asked for together: they share most of the search.
    pub fn solve(&mut self, solver: &mut Solver, deal: &Deal, declarers: Seats, strain: Strain) {
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

    /// The results of some declarers in all strains; 0 for the others.
    pub fn rows(&mut self, solver: &mut Solver, deal: &Deal, declarers: Seats) -> TrickTable {
        let mut table = TrickTable::default();
        for strain in Strain::ALL {
            self.solve(solver, deal, declarers, strain);
            for seat in declarers.iter() {
                table.set(seat, strain, self.tricks(solver, deal, seat, strain));
            }
        }
        table
    }

    /// All twenty results.
    pub fn table(&mut self, solver: &mut Solver, deal: &Deal) -> TrickTable {
        if *self == DealCache::new() {
            // With nothing known, the solver has the better order.
            *self = DealCache::from(&solver.table(deal));
        }
        self.rows(solver, deal, Seats::ALL)
    }
}
