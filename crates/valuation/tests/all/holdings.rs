//! Compares the tables over all 8192 holdings with slow second definitions, written from the method's own tables of
//! patterns instead of its rules.

use cards::{CardSet, Holding, Rank, Suit};
use croupier_valuation::{
    FourCsVersion, HandPair, OpcParts, Opener, PointTable, quality, suit_controls, suit_hcp,
    suit_losers, suit_losers_by_tables, suit_ltc,
};

fn holdings() -> impl Iterator<Item = Holding> {
    (0..1 << 13).map(Holding)
}

/// Returns the `count` highest cards, small ones written `x`: "AKx".
fn top_cards(holding: Holding, count: usize) -> String {
    let name = |rank: Rank| {
        if rank >= Rank::TEN {
            rank.letter()
        } else {
            'x'
        }
    };
    holding.iter().take(count).map(name).collect()
}

#[test]
fn points_are_sums_over_the_cards() {
    for holding in holdings() {
        assert_eq!(suit_hcp(holding), PointTable::HCP.suit(holding));
        assert_eq!(suit_controls(holding), PointTable::CONTROLS.suit(holding));
        let by_rank: i32 = holding.iter().map(|rank| PointTable::C13.rank(rank)).sum();
        assert_eq!(by_rank, PointTable::C13.suit(holding));
    }
}

#[test]
fn losers_by_pattern_of_the_first_three_cards() {
    for holding in holdings() {
        let pattern = top_cards(holding, 3);
        let expected = match pattern.len() {
            0 => 0,
            1 => i32::from(pattern != "A"),
            2 if pattern == "AK" => 0,
            2 => {
                if pattern.starts_with(['A', 'K']) {
                    1
                } else {
                    2
                }
            }
            _ => 3 - pattern.chars().filter(|card| "AKQ".contains(*card)).count() as i32,
        };
        assert_eq!(suit_losers(holding), expected, "{holding}");
    }
}

#[test]
fn ltc_by_the_table_of_49_patterns() {
    const PATTERNS: [(i32, &str); 16] = [
        (0, "A"),
        (50, "K"),
        (100, "Q J T x"),
        (0, "AK"),
        (50, "AQ"),
        (100, "AJ AT Ax KQ KJ KT Kx"),
        (200, "QJ QT Qx JT Jx Tx xx"),
        (0, "AKQ"),
        (50, "AKJ AQJ"),
        (100, "AKT AKx AQT AQx KQJ KQT KQx"),
        (150, "AJT KJT"),
        (200, "AJx ATx Axx KJx KTx Kxx QJT QJx"),
        (250, "QTx Qxx"),
        (300, "JTx Jxx Txx xxx"),
        (0, ""),
        (0, ""),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for holding in holdings().skip(1) {
        let pattern = top_cards(holding, 3);
        let (expected, _) = PATTERNS
            .iter()
            .find(|(_, patterns)| patterns.split(' ').any(|known| known == pattern))
            .expect("every pattern is in the table");
        assert_eq!(suit_ltc(holding), *expected, "{holding}");
        seen.insert(pattern);
    }
    // A void is the forty-ninth case.
    assert_eq!(suit_ltc(Holding::EMPTY), 0);
    assert_eq!(seen.len() + 1, 49);
}

#[test]
fn the_dialects_differ_in_the_ten_of_a_long_suit_only() {
    let mut different = 0;
    for holding in holdings() {
        let [v1, v2] =
            [FourCsVersion::V1, FourCsVersion::V2].map(|dialect| quality(holding, dialect));
        let long_ten = holding.len() >= 7 && holding.contains(Rank::TEN);
        assert_eq!(
            v2 - v1,
            if long_ten {
                5 * holding.len() as i32
            } else {
                0
            },
            "{holding}"
        );
        different += usize::from(v1 != v2);
    }
    assert_eq!(different, 2510);
}

#[test]
fn quality_never_needs_rounding_and_stays_in_range() {
    for holding in holdings() {
        let [v1, v2] =
            [FourCsVersion::V1, FourCsVersion::V2].map(|dialect| quality(holding, dialect));
        assert!(v1 % 5 == 0 && (0..=1300).contains(&v1), "{holding}");
        assert!(v2 % 5 == 0 && (0..=1365).contains(&v2), "{holding}");
    }
}

/// Returns H of the Optimal Point Count, from the author's tables.
fn opc_honours(holding: Holding) -> i32 {
    let has = |rank| holding.contains(rank);
    let any = |ranks: &[Rank]| ranks.iter().any(|&rank| has(rank));
    let (ace, king, queen, jack, ten) = (Rank::ACE, Rank::KING, Rank::QUEEN, Rank::JACK, Rank::TEN);
    match top_cards(holding, 3).as_str() {
        "" => 0,
        "A" => 350,
        "K" => 200,
        "Q" => 50,
        single if single.len() == 1 => 0,
        "AK" => 650,
        "AQ" => 550,
        "AJ" => 500,
        "AT" | "Ax" | "KQ" => 450,
        "KJ" => 400,
        "KT" => 350,
        "Kx" => 300,
        "QJ" => 200,
        "QT" => 150,
        "Qx" => 100,
        "JT" => 50,
        pair if pair.len() == 2 => 0,
        _ => {
            let mut sum = 0;
            sum += if has(ace) { 450 } else { 0 };
            sum += if has(king) { 300 } else { 0 };
            sum += match has(queen) {
                true if any(&[ace, king, jack]) => 200,
                true => 150,
                false => 0,
            };
            sum += match has(jack) {
                true if any(&[ace, king, queen, ten]) => 100,
                true => 50,
                false => 0,
            };
            sum += match has(ten) {
                true if any(&[queen, jack]) => 100,
                true if has(king) => 50,
                _ => 0,
            };
            let sequence = has(jack) && has(ten) && has(Rank::NINE) && any(&[ace, king, queen]);
            sum + if sequence { 100 } else { 0 }
        }
    }
}

#[test]
fn honour_points_of_the_optimal_point_count_by_its_tables() {
    for holding in holdings() {
        let hand = holding.in_suit(Suit::Hearts);
        let parts = OpcParts::of(&HandPair {
            south_west: hand,
            north_east: CardSet::EMPTY,
            opener: Opener::SouthWest,
        });
        assert_eq!(
            parts.south_west.honours[Suit::Hearts],
            opc_honours(holding),
            "{holding}"
        );
    }
}

#[test]
fn losers_by_the_standard_tables_are_the_losers() {
    for holding in holdings() {
        let by_tables = suit_losers_by_tables(holding, &PointTable::CONTROLS, &PointTable::TOP3);
        assert_eq!(by_tables, suit_losers(holding), "{holding}");
    }
}

#[test]
fn redefined_tables_change_the_classic_losers() {
    let suit = |text: &str| cards::notation::holding(text, Suit::Spades).unwrap();
    // altcount 1 0 2 1: the controls table becomes A 0, K 2, Q 1.
    let controls = PointTable::from_top(&[0, 2, 1]).unwrap();
    let losers = |text| suit_losers_by_tables(suit(text), &controls, &PointTable::TOP3);
    assert_eq!([losers("K"), losers("A")], [0, 1]);
    // altcount 8 0 0 0 1: top3 counts jacks instead.
    let top3 = PointTable::from_top(&[0, 0, 0, 1]).unwrap();
    let losers = |text| suit_losers_by_tables(suit(text), &PointTable::CONTROLS, &top3);
    assert_eq!([losers("AKQ"), losers("J32")], [3, 2]);
    // Sums outside the classic's lists use the last entry.
    let wild = PointTable::from_top(&[i32::MAX, -5]).unwrap();
    let losers = |text| suit_losers_by_tables(suit(text), &wild, &wild);
    assert_eq!(
        [losers("A"), losers("K"), losers("AK"), losers("K2")],
        [0, 1, 0, 2]
    );
}
