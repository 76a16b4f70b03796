//! The roundings of the metrics. Arguments are hundredths of a point unless stated otherwise.

/// Rounds to the nearest whole point, halves away from zero.
pub(super) const fn half_up(value: i32) -> i32 {
    if value < 0 {
        -((50 - value) / 100)
    } else {
        (value + 50) / 100
    }
}

/// Rounds by Pavlicek's method: values close to a half are rounded up only with good spot cards (`body` of twelve or
/// more). Negative values are truncated towards zero.
pub(super) const fn by_body(value: i32, body: i32) -> i32 {
    if value < 0 {
        return value / 100;
    }
    let up = match value % 100 {
        0..45 => false,
        45..=55 => body >= 12,
        _ => true,
    };
    value / 100 + up as i32
}

/// Rounds a number of thirds of a point to the nearest whole point (there are no ties).
pub(super) const fn third(thirds: i32) -> i32 {
    if thirds < 0 {
        -((1 - thirds) / 3)
    } else {
        (thirds + 1) / 3
    }
}

/// Returns the least sum of `numbers` numbers after [`by_body`]: each loses at most 55 hundredths.
pub(super) const fn least_whole(sum: i32, numbers: i32) -> i32 {
    -(55 * numbers - sum).div_euclid(100)
}

/// Returns the greatest sum of `numbers` nonnegative numbers after [`by_body`]: each gains at most 55 hundredths.
pub(super) const fn most_whole(sum: i32, numbers: i32) -> i32 {
    (sum + 55 * numbers).div_euclid(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_away_from_zero() {
        assert_eq!([1050, -50, -150, -25].map(half_up), [11, -1, -2, 0]);
    }

    #[test]
    fn values_near_a_half_go_up_only_with_body() {
        assert_eq!(
            [1044, 1045, 1055, 1056].map(|value| by_body(value, 11)),
            [10, 10, 10, 11]
        );
        assert_eq!(
            [1044, 1045, 1055, 1056].map(|value| by_body(value, 12)),
            [10, 11, 11, 11]
        );
        assert_eq!([-75, -275].map(|value| by_body(value, 12)), [0, -2]);
    }

    #[test]
    fn thirds_go_to_the_nearest() {
        assert_eq!([-2, -1, 1, 2, 3].map(third), [-1, 0, 0, 1, 1]);
    }
}
