//! Translates demands to a problem for the exact sampler.

use cards::{BySeat, Deal, Seat, Shape, ShapeSet, Suit};
use sampling::{Budget, Count, Formula, Problem, Sampler, SuitFunction};
use shuffle::RandomWords;

use crate::demand::Demand;
use crate::scenario::SubprofileError;

/// Returns the problem with the demands on these seats.
pub(crate) fn problem(demands: &BySeat<Demand>, seats: &[Seat]) -> Problem {
    let mut problem = Problem::new();
    for &seat in seats {
        let demand = &demands[seat];
        require_shapes(&mut problem, seat, demand.shapes());
        let (low, high) = (demand.standard.total_min_hcp, demand.standard.total_max_hcp);
        if low > 0 || high < 37 {
            let points = problem.points(seat, SuitFunction::hcp());
            problem.require(Formula::between(points, low.into(), high.into()));
        }
        for (suit, range) in demand.ranges() {
            if range.min_hcp > 0 || range.max_hcp < 10 {
                let points = problem.suit_points(seat, suit, SuitFunction::hcp());
                problem.require(Formula::between(
                    points,
                    range.min_hcp.into(),
                    range.max_hcp.into(),
                ));
            }
        }
    }
    problem
}

fn require_shapes(problem: &mut Problem, seat: Seat, shapes: ShapeSet) {
    if shapes.len() == Shape::COUNT {
        return;
    }
    // A range for one suit is cheaper for the sampler than a set of whole shapes.
    let mut boxed = ShapeSet::full();
    let mut ranges = Vec::new();
    for (place, suit) in Suit::DESCENDING.into_iter().enumerate() {
        let lengths = || shapes.iter().map(|shape| shape.lengths()[place]);
        let (Some(low), Some(high)) = (lengths().min(), lengths().max()) else {
            continue;
        };
        if low > 0 || high < 13 {
            ranges.push((suit, low, high));
        }
        boxed = Shape::all()
            .filter(|shape| {
                boxed.contains(*shape) && (low..=high).contains(&shape.lengths()[place])
            })
            .collect();
    }
    if boxed == shapes {
        // Drop ranges that follow from the others, most often an upper limit.
        for (suit, low, high) in needed_ranges(&ranges, &shapes) {
            let length = problem.length(seat, suit);
            problem.require(Formula::between(length, low.into(), high.into()));
        }
    } else {
        problem.require(Formula::shape_in(seat, shapes));
    }
}

/// Returns the ranges that are needed to describe exactly these shapes; redundant ones are dropped one by one.
fn needed_ranges(ranges: &[(Suit, u8, u8)], shapes: &ShapeSet) -> Vec<(Suit, u8, u8)> {
    let described = |ranges: &[(Suit, u8, u8)]| -> ShapeSet {
        Shape::all()
            .filter(|shape| {
                ranges.iter().all(|&(suit, low, high)| {
                    (low..=high).contains(&shape.lengths()[3 - suit.index()])
                })
            })
            .collect()
    };
    let mut needed = ranges.to_vec();
    for &range in ranges {
        let fewer: Vec<_> = needed
            .iter()
            .copied()
            .filter(|other| *other != range)
            .collect();
        if described(&fewer) == *shapes {
            needed = fewer;
        }
    }
    needed
}

/// The cost limits of a sampler. They are higher than for a script, because a profile deals many boards for few
/// combinations.
const BUDGET: Budget = Budget {
    nanoseconds: 250e6,
    search: 250e6,
    bytes: 128e6,
};

/// Draws candidates for a board exactly uniformly from the deals that satisfy the part of the demands that the sampler
/// covers. The caller checks the rest.
pub(crate) struct Exact {
    sampler: Option<Sampler>,
}

impl Exact {
    /// Creates a sampler for all four seats.
    ///
    /// # Errors
    /// If no deal satisfies the demands.
    pub fn new(demands: &BySeat<Demand>) -> Result<Exact, SubprofileError> {
        let sampler = Sampler::new(&problem(demands, &Seat::ALL), BUDGET).ok();
        match &sampler {
            Some(sampler) if sampler.count().hits() == 0 => {
                Err(SubprofileError::Impossible(conflicting_seats(demands)))
            }
            _ => Ok(Exact { sampler }),
        }
    }

    /// Draws a deal that satisfies at least the covered part.
    pub fn candidate(&self, words: &mut impl RandomWords) -> Deal {
        match self
            .sampler
            .as_ref()
            .and_then(|sampler| sampler.draw(words))
        {
            Some(deal) => deal,
            None => crate::strategy::random_deal(words),
        }
    }

    /// Returns the memory of the tables in bytes.
    pub fn bytes(&self) -> usize {
        self.sampler.as_ref().map_or(0, Sampler::bytes)
    }
}

/// Names the smallest set of seats whose demands exclude each other.
fn conflicting_seats(demands: &BySeat<Demand>) -> String {
    let mut sets: Vec<Vec<Seat>> = (1..16u32)
        .map(|bits| {
            Seat::ALL
                .into_iter()
                .filter(|seat| bits >> seat.index() & 1 == 1)
                .collect()
        })
        .collect();
    sets.sort_by_key(Vec::len);
    let impossible = |seats: &Vec<Seat>| {
        Sampler::new(&problem(demands, seats), BUDGET)
            .is_ok_and(|sampler| sampler.count().hits() == 0)
    };
    let names = |seats: Vec<Seat>| {
        seats
            .iter()
            .map(|seat| seat.name())
            .collect::<Vec<_>>()
            .join(", ")
    };
    match sets.into_iter().find(impossible) {
        Some(seats) if seats.len() == 1 => format!("no hand satisfies {}", names(seats)),
        Some(seats) => format!("no deal satisfies {} together", names(seats)),
        None => "no deal satisfies all four seats together".to_owned(),
    }
}

/// The exact probabilities of the demands of a board.
#[derive(Clone, Debug)]
pub struct Tightness {
    /// For each seat, the probability that a random hand satisfies its demand.
    pub seats: [Count; 4],
    /// For each pair of seats, the probability that both hands satisfy their demands.
    pub pairs: Vec<(Seat, Seat, Count)>,
    /// The probability that all four hands satisfy their demands. It is an upper bound if three or more seats have point
    /// ranges.
    pub all: Option<Count>,
    /// Whether `all` is exact.
    pub exact: bool,
}

impl Tightness {
    /// Computes the counts for the demands of one board; `None` if a count would be too expensive.
    #[must_use]
    pub fn of(demands: &BySeat<Demand>) -> Option<Tightness> {
        let sampler = |seats: &[Seat]| Sampler::new(&problem(demands, seats), BUDGET).ok();
        let complete = |seats: &[Seat]| Some(sampler(seats).filter(Sampler::is_complete)?.count());
        let [n, e, s, w] = Seat::ALL.map(|seat| complete(&[seat]));
        let mut pairs = Vec::new();
        for (i, a) in Seat::ALL.into_iter().enumerate() {
            for b in Seat::ALL.into_iter().skip(i + 1) {
                pairs.push((a, b, complete(&[a, b])?));
            }
        }
        let all = sampler(&Seat::ALL);
        Some(Tightness {
            seats: [n?, e?, s?, w?],
            pairs,
            exact: all.as_ref().is_some_and(Sampler::is_complete),
            all: all.map(|sampler| sampler.count()),
        })
    }

    /// Formats the counts as a text table.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::from("who              probability   one random deal in\n");
        for (who, count) in self.rows() {
            text.push_str(&format!(
                "{who:<14} {:>13.6e} {:>20.1}\n",
                count.probability(),
                1.0 / count.probability()
            ));
        }
        if !self.exact && self.all.is_some() {
            text.push_str("(all four: an upper bound, since three or more seats ask for points)\n");
        }
        text
    }

    /// Returns the counts as JSON. Integers are strings, because they exceed the range of JSON numbers.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        self.rows()
            .into_iter()
            .map(|(who, count)| {
                let exact = who != "all four" || self.exact;
                serde_json::json!({
                    "who": who, "count": count.hits().to_string(), "out_of": count.out_of().to_string(),
                    "probability": count.probability(), "exact": exact,
                })
            })
            .collect()
    }

    /// Returns all counts with the names of their seats.
    #[must_use]
    pub fn rows(&self) -> Vec<(String, Count)> {
        let seats = Seat::ALL
            .into_iter()
            .map(|seat| (seat.to_string(), self.seats[seat.index()]));
        let pairs = self
            .pairs
            .iter()
            .map(|(a, b, count)| (format!("{a}, {b}"), *count));
        let all = self.all.map(|count| ("all four".to_owned(), count));
        seats.chain(pairs).chain(all).collect()
    }
}
