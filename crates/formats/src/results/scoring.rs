//! Scores of tables against each other, and the ranking by their sums.

use std::collections::BTreeMap;

use super::{BoardResults, EventResults, TableResult};

/// A way to score the tables of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Two points for each lower score, one for each equal score.
    Matchpoints,
    /// The average IMPs against each other table.
    CrossImps,
    /// IMPs against the datum: the average score without the highest and the lowest if there are at least five
    /// scores, rounded to tens.
    Butler,
    /// IMPs of two teams: open room against closed room.
    Teams,
}

/// The largest differences that are worth 0, 1, 2 … IMPs (Laws of Duplicate Bridge 2017, Law 78B).
const IMP_LIMITS: [u32; 24] = [
    10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1090, 1290, 1490, 1740,
    1990, 2240, 2490, 2990, 3490, 3990,
];

/// Returns the IMPs of a difference by the official table.
///
/// ```
/// use croupier_formats::results::official_imps;
/// assert_eq!([10, 20, 420, 430, 1200, -4000].map(official_imps), [0, 1, 9, 10, 15, -24]);
/// ```
#[must_use]
pub fn official_imps(difference: i32) -> i32 {
    let size = difference.unsigned_abs();
    let imps = IMP_LIMITS.iter().filter(|&&limit| size > limit).count() as i32;
    imps * difference.signum()
}

/// A pair or a team in a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedEntry {
    /// Rank, from 1. Equal totals share a rank.
    pub rank: usize,
    /// The number or the names of the pair, or the team.
    pub name: String,
    /// Number of boards with a score.
    pub boards: usize,
    /// Sum of the scores.
    pub total: f64,
    /// The highest possible sum; `None` for IMPs.
    pub top: Option<f64>,
}

impl RankedEntry {
    /// Returns the share of the highest possible sum in percent.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        self.top
            .filter(|&top| top > 0.0)
            .map(|top| 100.0 * self.total / top)
    }

    /// Returns the value by which entries are ordered.
    fn order(&self) -> f64 {
        self.percent().unwrap_or(self.total)
    }
}

impl BoardResults {
    /// Returns the points of North-South and East-West for each table; `None` for a table without a score.
    #[must_use]
    pub fn points(&self, scoring: Scoring) -> Vec<Option<[f64; 2]>> {
        let scores: Vec<i32> = self.tables.iter().filter_map(|table| table.score).collect();
        let others = scores.len().saturating_sub(1) as f64;
        let points = |table: &TableResult| {
            let ours = table.score?;
            Some(match scoring {
                Scoring::Matchpoints => {
                    let won = |&theirs: &i32| 1.0 + f64::from((ours - theirs).signum());
                    // The comparison includes the table itself, which counts as equal.
                    let sum = scores.iter().map(won).sum::<f64>() - 1.0;
                    [sum, 2.0 * others - sum]
                }
                // Subtraction from 0 gives no negative zero.
                Scoring::CrossImps if others == 0.0 => [0.0, 0.0],
                Scoring::CrossImps => {
                    let sum: i32 = scores
                        .iter()
                        .map(|theirs| official_imps(ours - theirs))
                        .sum();
                    let mean = f64::from(sum) / others;
                    [mean, 0.0 - mean]
                }
                Scoring::Butler => {
                    let imps = f64::from(official_imps(ours - datum(&scores)));
                    [imps, 0.0 - imps]
                }
                Scoring::Teams => {
                    let other = self
                        .tables
                        .iter()
                        .find(|other| other.is_closed != table.is_closed);
                    let imps = f64::from(official_imps(ours - other?.score?));
                    [imps, 0.0 - imps]
                }
            })
        };
        self.tables.iter().map(points).collect()
    }
}

/// Returns the average score, rounded to tens, without the highest and the lowest of at least five.
fn datum(scores: &[i32]) -> i32 {
    let mut scores = scores.to_vec();
    scores.sort_unstable();
    let kept = match scores.len() {
        0 => return 0,
        5.. => &scores[1..scores.len() - 1],
        _ => &scores[..],
    };
    let mean = f64::from(kept.iter().sum::<i32>()) / kept.len() as f64;
    10 * (mean / 10.0).round() as i32
}

impl EventResults {
    /// Returns the scoring that suits the results: that of teams if each board has one result of each room.
    #[must_use]
    pub fn default_scoring(&self) -> Scoring {
        let is_match = |board: &BoardResults| {
            let closed = board.tables.iter().filter(|table| table.is_closed).count();
            board.tables.len() <= 2 && closed <= 1 && board.tables.len() - closed <= 1
        };
        let has_rooms = self
            .boards
            .iter()
            .flat_map(|board| &board.tables)
            .any(|table| table.is_closed);
        match has_rooms && self.boards.iter().all(is_match) {
            true => Scoring::Teams,
            false => Scoring::Matchpoints,
        }
    }

    /// Returns the pairs or teams in order. Pairs that played fewer boards are compared by their percentage.
    #[must_use]
    pub fn ranking(&self, scoring: Scoring) -> Vec<RankedEntry> {
        let mut sums: BTreeMap<String, (usize, f64, f64)> = BTreeMap::new();
        let teams = self.teams.clone();
        let teams = teams.unwrap_or([
            "North-South in the open room".to_owned(),
            "East-West in the open room".to_owned(),
        ]);
        for board in &self.boards {
            let points = board.points(scoring);
            let top = 2.0 * points.iter().flatten().count().saturating_sub(1) as f64;
            for (table, points) in board.tables.iter().zip(points) {
                let Some(points) = points else { continue };
                // A board of a match counts once, for the open room.
                if scoring == Scoring::Teams && table.is_closed {
                    continue;
                }
                let names = match scoring {
                    Scoring::Teams => teams.clone(),
                    _ => [table.north_south.clone(), table.east_west.clone()],
                };
                for (name, points) in names.into_iter().zip(points) {
                    let sum = sums.entry(name).or_default();
                    *sum = (sum.0 + 1, sum.1 + points, sum.2 + top);
                }
            }
        }
        let mut entries: Vec<RankedEntry> = sums
            .into_iter()
            .map(|(name, (boards, total, top))| RankedEntry {
                rank: 0,
                name,
                boards,
                total,
                top: (scoring == Scoring::Matchpoints).then_some(top),
            })
            .collect();
        entries.sort_by(|a, b| b.order().total_cmp(&a.order()));
        for i in 0..entries.len() {
            let is_tie = i > 0 && entries[i].order() == entries[i - 1].order();
            entries[i].rank = if is_tie { entries[i - 1].rank } else { i + 1 };
        }
        entries
    }
}
