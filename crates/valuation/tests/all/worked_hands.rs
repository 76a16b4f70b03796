//! The worked hands of the documentation, slot by slot.

use cards::{CardSet, Suit, notation};
use croupier_valuation::{FourCs, FourCsVersion, HandPair, OpcParts, Opener, metrics};

fn hand(text: &str) -> CardSet {
    notation::hand(text).unwrap()
}

/// Returns the first slots of a metric for North and South.
#[track_caller]
fn check(tag: i32, north: &str, south: &str, expected: &str) {
    let slots = metrics::evaluate_hands(tag, hand(north), hand(south)).unwrap();
    let expected: Vec<i32> = expected
        .split(' ')
        .map(|value| value.parse().unwrap())
        .collect();
    assert_eq!(slots.values()[..expected.len()], expected, "tag {tag}");
}

#[test]
fn nine_spades_between_two_hands() {
    let cases = [
        (0, "22 12 10 31 17 14 0 2 0 0 0 0 3 0 0 0 0 0 0 0 3 0 1 0"),
        (1, "24 15 9 24 15 9 0 6 1 8 2 0 5 3 0 -1"),
        (2, "25 15 10 28 15 13 -1 2 2 0 0 0 0 0 2 0 3 0"),
        (3, "21 11 10 29 15 14 -2 0 3 0 1 0 0 0 0 2 1 0 1 0"),
        (4, "25 15 10 30 18 12 0 2 0 3 0 0 0 2"),
        (5, "24 14 10 27 15 12 -1 2 0 1 0 0 2 0"),
        (
            6,
            "24 14 10 27 15 12 2675 1475 1200 2375 1375 1000 -1 2 0 1 0 0 2 0",
        ),
        (
            7,
            "27 15 12 31 17 14 3100 1680 1420 2750 1530 1220 675 300 555 1530 0 150 0 3 600 200 420 \
             1220 200 0 0 4",
        ),
        (8, "23 13 10 26 13 13 -1 0 0 1 0 0 0 0 0 3"),
        (
            9,
            "23 13 10 26 13 13 2625 1325 1300 2325 1325 1000 -1 0 0 1 0 0 0 0 0 3",
        ),
        (10, "21 11 10 30 17 13 -2 0 0 3 3 0 0 0 0 0 0 2 1 0"),
        (11, "23 13 10 29 16 13 -1 0 0 1 3 0 200 -1 0 0 0 2 3 150"),
        (
            12,
            "54 30 24 54 30 24 27 15 12 27 15 12 -1 4 14 0 3 0 3 11 0 4",
        ),
        (
            13,
            "54 30 24 60 32 28 30 16 14 27 15 12 0 2 0 0 2 2 3 11 0 4",
        ),
        (14, "24 14 10 29 16 13 2 -1 3 0 0 1 1 3 0 0 2 0 0 0 0 3"),
        (
            20,
            "22 12 10 2250 1200 1050 3 4 0 400 200 600 200 0 500 350",
        ),
        (
            23,
            "22 12 10 2175 1175 1000 3 4 0 375 200 600 150 0 525 325",
        ),
        (
            25,
            "21 11 10 2140 1140 1000 3 4 0 380 180 580 180 0 500 320",
        ),
        (
            27,
            "22 12 10 2225 1225 1000 3 4 0 400 200 625 150 0 525 325",
        ),
        (
            88,
            "31 24 28 29 30 27 27 31 26 26 30 29 42 41 29 22 24 25 21 25 24 24 27 23 23 21 23 42 46 24",
        ),
        (50, "24 14 10 27 15 12 24 14 10 27 15 12 3 9 3 9 0 0 2 0"),
        (
            51,
            "23 13 10 26 13 13 23 13 10 26 13 13 0 0 3 9 0 0 0 0 0 3",
        ),
    ];
    for (tag, expected) in cases {
        check(tag, "AQ963.K.KJ752.84", "KT74.AJ65.8.Q732", expected);
    }
}

#[test]
fn two_hands_without_a_fit() {
    let cases = [
        (0, "21 11 10 26 14 12"),
        (1, "29 14 15 29 14 15 3 2 0 9 3 0 12 0 0 0"),
        (2, "27 14 13 27 14 13"),
        (3, "20 10 10 20 10 10"),
        (4, "27 14 13 27 14 13 -2 2 2 0 0 2 0 0"),
        (5, "25 13 12 25 13 12"),
        (7, "30 14 16 24 11 13 2330 1070 1260 2930 1370 1560"),
        (8, "25 13 12 25 13 12 -1 1 1 0 0 0 1 0 0 0"),
        (10, "21 10 11 22 11 11"),
        (11, "21 11 10 27 14 13 -2 0 0 0 3 0 150 -1 0 0 0 3 0 250"),
        (
            12,
            "58 29 29 58 29 29 28 14 14 28 14 14 -1 3 15 0 8 -1 4 15 0 2",
        ),
        (13, "58 29 29 63 32 31 31 16 15 28 14 14 0 3 0 0 2 0"),
        (14, "24 12 12 22 12 10 1 -1 3 1 0 0 0 0 2 -1 3 1 1 0 0 0"),
        (23, "20 10 10 2100 1050 1050 8 2 450 175 50 375 300 0 750 0"),
    ];
    for (tag, expected) in cases {
        check(tag, "KJ9842.Q.QT65.A9", "5.AK8754.J2.K864", expected);
    }
}

#[test]
fn a_square_dummy_counts_less_than_nothing_for_pavlicek() {
    let (north, south) = ("AKQ32.A32.AK2.32", "654.7654.543.987");
    check(10, north, south, "20 20 0 20 21 0");
    let set = metrics::evaluate_hands(40, hand(north), hand(south)).unwrap();
    assert_eq!(set.values()[60..66], [20, 20, 0, 20, 21, -1]);
}

#[test]
fn four_cs_of_the_worked_hands() {
    // Honours, quality, shape and total, first as the classic dealer counts, then as DealerV2 does.
    let cases = [
        ("AK842.QJ5.KT9.72", [825, 560, 0, 1385], [825, 560, 0, 1385]),
        (
            "Q4.AQ83.K9852.J6",
            [650, 475, 100, 1225],
            [625, 475, 100, 1200],
        ),
        (
            "AQJ5.KT98.QJT3.7",
            [800, 600, 100, 1500],
            [800, 600, 200, 1600],
        ),
        (
            "KJT9842.Q.A63.A5",
            [850, 570, 200, 1620],
            [850, 605, 200, 1655],
        ),
        (
            "T7.AQ987654.K.83",
            [450, 600, 300, 1350],
            [450, 600, 300, 1350],
        ),
        ("T85.754.9542.873", [0, 15, -50, -35], [0, 15, -50, 0]),
        (
            ".QT986532.AJ.KJ4",
            [650, 460, 300, 1410],
            [650, 500, 300, 1450],
        ),
        (
            "K.Q.J.AKQT987654",
            [650, 1060, 500, 2210],
            [650, 1110, 600, 2360],
        ),
    ];
    for (text, v1, v2) in cases {
        for (dialect, expected) in [(FourCsVersion::V1, v1), (FourCsVersion::V2, v2)] {
            let parts = FourCs::of(hand(text), dialect);
            let found = [
                parts.honours.total(),
                parts.quality.total(),
                parts.shape,
                parts.total,
            ];
            assert_eq!(found, expected, "{dialect:?} {text}");
        }
    }
}

/// One worked pair of the Optimal Point Count.
struct WorkedPair {
    south_west: &'static str,
    north_east: &'static str,
    opener: Opener,
    /// Clubs, diamonds, hearts, spades, notrump.
    figures: [i32; 5],
    longest: Suit,
    /// In a suit, in notrump.
    quick_losers: [i32; 2],
}

const fn pair(
    south_west: &'static str,
    north_east: &'static str,
    opener: Opener,
    figures: [i32; 5],
    longest: Suit,
    quick_losers: [i32; 2],
) -> WorkedPair {
    WorkedPair {
        south_west,
        north_east,
        opener,
        figures,
        longest,
        quick_losers,
    }
}

#[test]
fn optimal_points_of_the_worked_pairs() {
    use Opener::{NorthEast, SouthWest};
    use Suit::{Clubs, Diamonds, Hearts, Spades};
    let solid = "AKQJT98765432";
    let pairs = [
        // Flat hands of identical shape.
        pair(
            "KQ73.A94.K82.J65",
            "AJ64.K75.Q93.A42",
            SouthWest,
            [2450; 5],
            Spades,
            [1, 1],
        ),
        // A 5-3 fit and a singleton with the short trumps, opened by either hand.
        pair(
            "AQJ84.K6.KT95.83",
            "K95.A842.7.QJ976",
            SouthWest,
            [2650, 2750, 2650, 2950, 2550],
            Spades,
            [3, 3],
        ),
        pair(
            "AQJ84.K6.KT95.83",
            "K95.A842.7.QJ976",
            NorthEast,
            [2850, 2650, 2850, 2950, 2450],
            Spades,
            [3, 3],
        ),
        // Five facing two; hearts and clubs tie for the longest fit.
        pair(
            "AKT75.Q964.K3.82",
            "J2.KJ73.8.AT9654",
            SouthWest,
            [2700, 2500, 3000, 2600, 2400],
            Hearts,
            [2, 2],
        ),
        // Both hands shortest in the same suit.
        pair(
            "AKJ5.7.Q962.KQ84",
            "QT94.2.KJ75.A763",
            SouthWest,
            [3200, 3200, 2900, 3200, 2600],
            Spades,
            [2, 3],
        ),
        // Five trumps on both sides: half points survive.
        pair(
            "AQT962.83.K7.QJ4",
            "KJ873.A6.AQ54.T9",
            SouthWest,
            [3550, 3450, 3450, 3600, 3450],
            Spades,
            [2, 2],
        ),
        // Misfits and wasted honours.
        pair(
            "AK9754.KQ2..QJ83",
            "3.AJT.QJT9852.65",
            SouthWest,
            [2400, 2200, 2400, 2400, 1600],
            Spades,
            [2, 4],
        ),
        // A lone ace facing a singleton.
        pair(
            "A.KQT94.9532.J74",
            "8.J2.AKQJ64.T983",
            NorthEast,
            [3350, 3450, 3250, 3150, 2750],
            Diamonds,
            [3, 3],
        ),
        // Small cards facing a void.
        pair(
            "9853.KQJ84.A72.8",
            ".AT963.4.AKJ9754",
            SouthWest,
            [4050, 3650, 4250, 3650, 2650],
            Hearts,
            [0, 2],
        ),
        // Two worthless hands.
        pair(
            "9762.852.T43.643",
            "T83.974.952.8752",
            SouthWest,
            [0; 5],
            Spades,
            [8, 8],
        ),
        // The lower of two longest fits has more shortness.
        pair(
            "A.AKT864.AK53.Q3",
            "T63.Q3.9642.A952",
            SouthWest,
            [3350, 3650, 3350, 3150, 2750],
            Diamonds,
            [0, 0],
        ),
        // Of three longest fits the lowest is ignored.
        pair(
            ".T876.AQJ973.Q97",
            "KT87642.KJ9.8.53",
            NorthEast,
            [1350, 1550, 1350, 1350, 750],
            Spades,
            [3, 4],
        ),
        // Four kings and four queens, no ace.
        pair(
            "KQ4.KQ7.KQ82.KQ5",
            "985.T93.A4.A9742",
            SouthWest,
            [2900; 5],
            Clubs,
            [2, 2],
        ),
        // No eight-card fit.
        pair(
            "KT82.J96.5.K9653",
            "AJ3.Q432.Q8432.2",
            NorthEast,
            [900, 900, 900, 900, 400],
            Spades,
            [4, 5],
        ),
        // Four facing four, and the same short suit.
        pair(
            "AKJ4.9872.4.Q642",
            "Q97.AK53.86.T873",
            NorthEast,
            [2400, 2100, 2400, 2100, 2000],
            Hearts,
            [3, 4],
        ),
        pair(
            "KT85.AQ76.Q654.T",
            "J632.K9842.T8.62",
            SouthWest,
            [2100, 2300, 2400, 2600, 1900],
            Hearts,
            [4, 5],
        ),
    ];
    for worked in pairs {
        check_pair(&worked, hand(worked.south_west), hand(worked.north_east));
    }
    // Thirteen spades facing thirteen hearts.
    let (spades, hearts) = (format!("{solid}..."), format!(".{solid}.."));
    let extreme = pair(
        "",
        "",
        SouthWest,
        [5000, 5000, 6200, 5400, 3700],
        Hearts,
        [0, 4],
    );
    check_pair(&extreme, hand(&spades), hand(&hearts));
}

fn check_pair(worked: &WorkedPair, south_west: CardSet, north_east: CardSet) {
    let opc = OpcParts::of(&HandPair {
        north_east,
        south_west,
        opener: worked.opener,
    })
    .opc;
    let [clubs, diamonds, hearts, spades] = opc.suits.0;
    let name = format!("{south_west} facing {north_east}");
    assert_eq!(
        [clubs, diamonds, hearts, spades, opc.notrump],
        worked.figures,
        "{name}"
    );
    assert_eq!(opc.longest_fit, worked.longest, "{name}");
    assert_eq!(
        [opc.quick_losers_suit, opc.quick_losers_notrump],
        worked.quick_losers,
        "{name}"
    );
}
