//! Compares holdings, hands and pairs with values of the reference programs, exactly. `data/values/README.md` names
//! their sources.

use crate::data;

use cards::{Holding, Seat, Suit, notation};
use croupier_valuation::{
    FourCs, FourCsVersion, HandPair, OpcHand, OpcParts, Opener, cccc, controls, losers, ltc, opc,
    quality, suit_controls, suit_losers, suit_ltc,
};
use data::{Table, read};

/// Returns the holdings of a file with the number in the named column.
fn by_holding(table: &Table, column: &str) -> Vec<(Holding, i32)> {
    let value = table
        .header
        .iter()
        .position(|name| name == column)
        .expect(column);
    let rows: Vec<_> = table
        .rows
        .iter()
        .map(|row| {
            let text = if row[0] == "-" { "" } else { &row[0] };
            let holding = notation::holding(text, Suit::Spades).unwrap();
            assert_eq!(holding.len().to_string(), row[1]);
            (holding, row[value].parse().unwrap())
        })
        .collect();
    assert_eq!(rows.len(), 4096);
    rows
}

#[test]
fn losers_and_controls_of_every_listed_holding() {
    let table = read("values/losers.csv");
    for column in ["losers_v1", "losers_v2"] {
        for (holding, expected) in by_holding(&table, column) {
            assert_eq!(suit_losers(holding), expected, "{column} of {holding}");
        }
    }
    for column in ["controls_v1", "controls_v2"] {
        for (holding, expected) in by_holding(&table, column) {
            assert_eq!(suit_controls(holding), expected, "{column} of {holding}");
        }
    }
}

#[test]
fn ltc_of_every_listed_holding() {
    for (holding, expected) in by_holding(&read("values/ltc.csv"), "ltc") {
        assert_eq!(suit_ltc(holding), expected, "{holding}");
    }
}

#[test]
fn quality_of_every_listed_holding() {
    for (file, dialect) in [
        ("values/quality-v1.csv", FourCsVersion::V1),
        ("values/quality-v2.csv", FourCsVersion::V2),
    ] {
        for (holding, expected) in by_holding(&read(file), "quality") {
            assert_eq!(quality(holding, dialect), expected, "{dialect:?} {holding}");
        }
    }
}

#[test]
fn cccc_losers_controls_and_ltc_of_every_listed_hand() {
    for (file, dialect) in [
        ("values/cccc-v1.csv", FourCsVersion::V1),
        ("values/cccc-v2.csv", FourCsVersion::V2),
    ] {
        let table = read(file);
        assert_eq!(table.rows.len(), 5000);
        for row in &table.rows {
            let hand = notation::hand(&row[0]).unwrap();
            let mut found = vec![cccc(hand, dialect), losers(hand), controls(hand)];
            if dialect == FourCsVersion::V2 {
                found.push(ltc(hand));
            }
            let expected: Vec<i32> = row[1..]
                .iter()
                .map(|value| value.parse().unwrap())
                .collect();
            assert_eq!(found, expected, "{dialect:?} {hand}");
            assert_eq!(FourCs::of(hand, dialect).total, found[0]);
        }
    }
}

fn pair(opener: &str, north_east: &str, south_west: &str) -> HandPair {
    let opener: Seat = opener.parse().unwrap();
    HandPair {
        north_east: notation::hand(north_east).unwrap(),
        south_west: notation::hand(south_west).unwrap(),
        opener: Opener::from(opener),
    }
}

#[test]
fn opc_of_every_listed_pair() {
    let table = read("values/opc.csv");
    assert_eq!(table.rows.len(), 1000);
    for row in &table.rows {
        let count = opc(&pair(&row[1], &row[2], &row[3]));
        let [clubs, diamonds, hearts, spades] = count.suits.0;
        let found = [
            count.longest(),
            clubs,
            diamonds,
            hearts,
            spades,
            count.notrump,
        ];
        let expected: Vec<i32> = row[4..]
            .iter()
            .map(|value| value.parse().unwrap())
            .collect();
        assert_eq!(found[..], expected, "{row:?}");
    }
}

/// Converts a figure in points to hundredths.
fn hundredths(text: &str) -> i32 {
    let points: f64 = text.parse().unwrap();
    (points * 100.0).round() as i32
}

/// Returns the named figures of one hand of `opc-parts.csv`, prefix `sw` or `ne`.
fn hand_figures(prefix: &str, hand: &OpcHand) -> Vec<(String, i32)> {
    let mut figures = vec![
        (format!("{prefix}_H"), hand.honours.total()),
        (format!("{prefix}_L"), hand.capped_length),
        (format!("{prefix}_Sy"), hand.synergy.total()),
        (format!("{prefix}_ADJ"), hand.adjustment),
    ];
    let mut per_suit = |name: String, values: cards::BySuit<i32>| {
        for suit in Suit::ALL {
            figures.push((format!("{name}_{}", suit.letter()), values[suit]));
        }
    };
    per_suit(format!("{prefix}_H"), hand.honours);
    per_suit(format!("{prefix}_L"), hand.length);
    per_suit(format!("{prefix}_D"), hand.distribution);
    per_suit(format!("{prefix}_Sy"), hand.synergy);
    per_suit(format!("{prefix}_HF"), hand.fit_honours);
    per_suit(format!("{prefix}_MISFIT"), hand.misfit);
    per_suit(format!("{prefix}_WASTE"), hand.waste);
    per_suit(format!("DFIT_{prefix}"), hand.dfit);
    figures
}

fn pair_figures(parts: &OpcParts) -> Vec<(String, i32)> {
    let hands = [&parts.south_west, &parts.north_east];
    let sum = |of: fn(&OpcHand) -> i32| hands.iter().map(|hand| of(hand)).sum::<i32>();
    let mut figures = hand_figures("sw", hands[0]);
    figures.extend(hand_figures("ne", hands[1]));
    let named = [
        ("H", sum(|hand| hand.honours.total())),
        ("L", sum(|hand| hand.capped_length)),
        ("Sy", sum(|hand| hand.synergy.total())),
        ("ADJ", sum(|hand| hand.adjustment)),
        ("HL", parts.hl),
        ("HF", sum(|hand| hand.fit_honours.total())),
        ("FN", parts.fit_length.total()),
        ("MISFIT", sum(|hand| hand.misfit.total())),
        ("MIRROR", parts.mirror),
        ("WASTE", parts.waste),
        ("NOWASTE", parts.no_waste),
        ("BASE", parts.base),
        ("C", parts.opc.suits[Suit::Clubs]),
        ("D", parts.opc.suits[Suit::Diamonds]),
        ("H", parts.opc.suits[Suit::Hearts]),
        ("S", parts.opc.suits[Suit::Spades]),
        ("NT", parts.opc.notrump),
        ("longest", parts.opc.longest()),
        ("ql_suit", 100 * parts.opc.quick_losers_suit),
        ("ql_nt", 100 * parts.opc.quick_losers_notrump),
    ];
    figures.extend(named.map(|(name, value)| (name.to_string(), value)));
    figures
}

#[test]
fn opc_and_every_intermediate_figure_of_every_listed_pair() {
    let table = read("values/opc-parts.csv");
    assert_eq!(table.rows.len(), 400);
    for row in &table.rows {
        let parts = OpcParts::of(&pair(&row[0], &row[1], &row[2]));
        let figures = pair_figures(&parts);
        // Opener, two hands and the suit of the longest fit are not figures.
        assert_eq!(figures.len(), table.header.len() - 4);
        for (column, name) in table.header.iter().enumerate().skip(3) {
            if name == "longest_suit" {
                assert_eq!(
                    parts.opc.longest_fit.letter().to_string(),
                    row[column],
                    "{row:?}"
                );
                continue;
            }
            // "H" occurs twice: the honour points, and later the count with hearts as trumps.
            let mut same = figures.iter().filter(|(known, _)| known == name);
            let nth = table.header[..column]
                .iter()
                .filter(|&earlier| earlier == name)
                .count();
            let (_, found) = same.nth(nth).expect(name);
            assert_eq!(*found, hundredths(&row[column]), "{name} of {row:?}");
        }
    }
}
