//! Numbers for single suits that bound a number of the whole shape.
//!
//! Some numbers, such as Zar's distribution or the best ruffing value, depend on all four lengths together. A number
//! for each length can be chosen so that their sum over the suits of a hand is never less, and rarely much more.

use cards::BySuit;

use super::side::HandFacts;

/// A number for every length of a suit.
pub(super) type ByLength = [i32; 14];

/// Changes of the numbers of one to three lengths.
type Move = Vec<(usize, i32)>;

/// Returns a number for each length, so that the sum over the suits of any hand is at least `of` of its lengths, for
/// any order of suits.
pub(super) fn cover(of: impl Fn(&HandFacts) -> i32) -> ByLength {
    let patterns = patterns();
    let values =
        patterns.map(|lengths| of(&HandFacts::of_lengths(BySuit(lengths.map(|n| n as i32)))));
    let most = values.iter().copied().max().unwrap_or(0);
    let mut numbers = [most.div_euclid(4) + 1; 14];
    let sum =
        |numbers: &ByLength, pattern: &[usize; 4]| pattern.map(|n| numbers[n]).iter().sum::<i32>();
    let moves = improvements(&patterns);
    let covers = |numbers: &ByLength| {
        let mut all = patterns.iter().zip(&values);
        all.all(|(pattern, value)| sum(numbers, pattern) >= *value)
    };
    // Apply the best step that still covers all patterns, until there is none. Every step lowers a positive integer
    // sum.
    let better = |numbers: &ByLength| {
        moves.iter().find_map(|step| {
            let mut next = *numbers;
            step.iter().for_each(|&(length, by)| next[length] += by);
            covers(&next).then_some(next)
        })
    };
    while let Some(next) = better(&numbers) {
        numbers = next;
    }
    numbers
}

/// Returns the 39 patterns of a hand, longest suit first.
fn patterns() -> [[usize; 4]; 39] {
    let mut list = [[0; 4]; 39];
    let mut count = 0;
    for a in 4..=13 {
        for b in 0..=a.min(13 - a) {
            for c in 0..=b.min(13 - a - b) {
                let d = 13 - a - b - c;
                if d <= c {
                    list[count] = [a, b, c, d];
                    count += 1;
                }
            }
        }
    }
    list
}

/// Returns the weight of a pattern: about the root of its frequency, because rare shapes occur with rare values.
fn weight(pattern: &[usize; 4]) -> i64 {
    const CHOOSE: [u64; 14] = [
        1, 13, 78, 286, 715, 1287, 1716, 1716, 1287, 715, 286, 78, 13, 1,
    ];
    let hands: u64 = pattern.iter().map(|&n| CHOOSE[n]).product();
    let alike = pattern.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let orders = [24, 12, 4, 1][alike];
    (hands * orders).isqrt().max(1) as i64
}

/// Returns the steps that lower the weighted sum of all patterns, those that lower it most first.
fn improvements(patterns: &[[usize; 4]; 39]) -> Vec<Move> {
    let mut price = [0i64; 14];
    for pattern in patterns {
        let weight = weight(pattern);
        pattern.iter().for_each(|&n| price[n] += weight);
    }
    let mut moves: Vec<Move> = Vec::new();
    for i in 0..14 {
        moves.push(vec![(i, -1)]);
        for j in (0..14).filter(|&j| j != i) {
            for (down, up) in [(1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (3, 2), (2, 3)] {
                moves.push(vec![(i, -down), (j, up)]);
            }
            for k in (j + 1..14).filter(|&k| k != i) {
                moves.push(vec![(i, -1), (j, 1), (k, 1)]);
                moves.push(vec![(i, 1), (j, -1), (k, -1)]);
            }
        }
    }
    let gain = |step: &Move| {
        step.iter()
            .map(|&(n, by)| price[n] * i64::from(by))
            .sum::<i64>()
    };
    moves.retain(|step| gain(step) < 0);
    moves.sort_by_key(gain);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_39_patterns() {
        let list = patterns();
        assert!(
            list.iter()
                .all(|lengths| lengths.iter().sum::<usize>() == 13)
        );
        assert!(list.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(list[0], [4, 3, 3, 3]);
        assert_eq!(list[38], [13, 0, 0, 0]);
    }

    /// Zar's distribution is met exactly by the most frequent patterns.
    #[test]
    fn distribution_is_covered_closely() {
        let distribution = |hand: &HandFacts| {
            let [longest, second, _, shortest] = hand.sorted_lengths();
            2 * longest + second - shortest
        };
        let numbers = cover(distribution);
        let mut exactly = 0;
        for pattern in patterns() {
            let sum: i32 = pattern.map(|n| numbers[n]).iter().sum();
            let value = distribution(&HandFacts::of_lengths(BySuit(pattern.map(|n| n as i32))));
            assert!(sum >= value, "{pattern:?}");
            exactly += i32::from(sum == value);
        }
        assert!(exactly >= 6, "{numbers:?}");
    }

    /// A number that is already a sum over the suits is covered exactly.
    #[test]
    fn sums_are_covered_exactly() {
        let numbers = cover(|hand| hand.shortness);
        for pattern in patterns() {
            let sum: i32 = pattern.map(|n| numbers[n]).iter().sum();
            let hand = HandFacts::of_lengths(BySuit(pattern.map(|n| n as i32)));
            assert_eq!(sum, hand.shortness, "{pattern:?}");
        }
    }
}
