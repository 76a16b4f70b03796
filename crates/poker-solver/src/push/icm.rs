//! The independent chip model: the value of stacks in prizes.

/// Returns every player's expected prize (Malmuth and Harville): the probability to come first is the share of the
/// chips, the probability to come second is the share of the chips without the first player's, and so on. Players
/// without chips have finished last; they share the last prizes equally.
///
/// At most 16 players; the work grows as 2 to the number of players.
///
/// ```
/// use croupier_poker_solver::push::icm::prizes;
/// let found = prizes(&[5000.0, 3000.0, 2000.0], &[50.0, 30.0, 20.0]);
/// assert!((found[0] - 38.393).abs() < 0.001);
/// assert!((found.iter().sum::<f64>() - 100.0).abs() < 1e-9);
/// ```
#[must_use]
pub fn prizes(stacks: &[f64], payouts: &[f64]) -> Vec<f64> {
    let payout = |place: usize| payouts.get(place).copied().unwrap_or(0.0);
    let live: Vec<usize> = (0..stacks.len())
        .filter(|&player| stacks[player] > 0.0)
        .collect();
    let mut result = vec![0.0; stacks.len()];
    let out = stacks.len() - live.len();
    if out > 0 {
        let shared: f64 = (live.len()..stacks.len()).map(payout).sum();
        for player in (0..stacks.len()).filter(|&player| stacks[player] <= 0.0) {
            result[player] = shared / out as f64;
        }
    }
    // The probability that a set of players takes the first places, in any order.
    let mut chance = vec![0.0; 1 << live.len()];
    chance[0] = 1.0;
    for set in 0..chance.len() {
        let place = set.count_ones() as usize;
        let inside = |number: usize| set >> number & 1 == 1;
        let rest: f64 = (0..live.len())
            .filter(|&n| !inside(n))
            .map(|n| stacks[live[n]])
            .sum();
        for number in (0..live.len()).filter(|&number| !inside(number)) {
            let next = chance[set] * stacks[live[number]] / rest;
            result[live[number]] += next * payout(place);
            chance[set | 1 << number] += next;
        }
    }
    result
}
