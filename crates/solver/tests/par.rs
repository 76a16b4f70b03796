//! Par scores and contracts: DealerV2's answers, and a second implementation on arbitrary tables.

use cards::{Seat, Side, Strain, TrickTable, Vulnerability};
use contract_bridge::{self as bridge};
use pons_dds::{TrickCountRow, TrickCountTable};
use proptest::prelude::*;
use solver::par;

fn table(numbers: &[u8]) -> TrickTable {
    let mut rows = [[0; 5]; 4];
    for (i, &tricks) in numbers.iter().enumerate() {
        rows[i / 5][i % 5] = tricks;
    }
    TrickTable::new(rows).expect("tricks up to 13")
}

/// The golden case of DealerV2: two lines a deal, first twenty tricks and four par contracts, then
/// par scores: NS and EW not vulnerable, then NS for the other three vulnerabilities.
#[test]
fn par_agrees_with_dealer_v2_on_thirty_tables() {
    let golden = include_str!("data/par.txt");
    let lines: Vec<&str> = golden
        .lines()
        .take_while(|line| line.starts_with(' '))
        .collect();
    assert_eq!(lines.len(), 60);
    for pair in lines.chunks(2) {
        let fields: Vec<&str> = pair[0][1..].split(',').collect();
        let tricks: Vec<u8> = fields[..20]
            .iter()
            .map(|field| field.parse().unwrap())
            .collect();
        let scores: Vec<i32> = pair[1][1..]
            .split(',')
            .map(|field| field.parse().unwrap())
            .collect();
        let table = table(&tricks);
        for (i, vulnerability) in Vulnerability::ALL.into_iter().enumerate() {
            let par = par(&table, vulnerability);
            assert_eq!(format!("'{par}'"), fields[20 + i], "{table}");
            let expected = if i == 0 { scores[0] } else { scores[i + 1] };
            assert_eq!(par.score, expected, "{table} {vulnerability:?}");
        }
        assert_eq!(scores[1], -scores[0]);
    }
}

#[test]
fn nobody_makes_anything_is_a_par_of_zero() {
    let par = par(&table(&[6; 20]), Vulnerability::NorthSouth);
    assert_eq!(par.score, 0);
    assert!(par.contracts.is_empty());
    assert_eq!(par.to_string(), " 0N  by N ns");
}

#[test]
fn seven_notrump_for_both_sides_goes_to_whoever_bids_first() {
    let table = table(&[13; 20]);
    for vulnerability in Vulnerability::ALL {
        for (first, sign) in [(Side::NorthSouth, 1), (Side::EastWest, -1)] {
            let score = par::score_when_first(&table, vulnerability, first);
            let grand = if vulnerability.includes(first) {
                2220
            } else {
                1520
            };
            assert_eq!(score, sign * grand);
        }
    }
}

fn second_opinion(table: &TrickTable, vulnerability: Vulnerability) -> [pons_dds::Par; 2] {
    let mut flags = pons_dds::Vulnerability::NONE;
    flags.set(
        pons_dds::Vulnerability::NS,
        vulnerability.includes(Side::NorthSouth),
    );
    flags.set(
        pons_dds::Vulnerability::EW,
        vulnerability.includes(Side::EastWest),
    );
    let rows = Strain::ALL.map(|strain| {
        let [n, e, s, w] = Seat::ALL.map(|seat| table.tricks(seat, strain));
        TrickCountRow::new(n, e, s, w)
    });
    pons_dds::calculate_pars(TrickCountTable(rows), flags)
}

fn check_against_second_opinion(table: &TrickTable) -> Result<(), TestCaseError> {
    for vulnerability in Vulnerability::ALL {
        let ours = par(table, vulnerability);
        let [theirs, other] = second_opinion(table, vulnerability);
        prop_assert_eq!(ours.score, theirs.score, "{} {:?}", table, vulnerability);
        let east_west = par::score_when_first(table, vulnerability, Side::EastWest);
        prop_assert_eq!(
            east_west.abs(),
            other.score.abs(),
            "{} {:?}",
            table,
            vulnerability
        );
        let Some(first) = ours.contracts.first() else {
            prop_assert!(theirs.contracts.is_empty());
            continue;
        };
        let theirs = theirs
            .contracts
            .first()
            .expect("a contract goes with the score");
        prop_assert_eq!(
            first.level,
            theirs.contract.bid.level.get(),
            "{} {:?}",
            table,
            vulnerability
        );
        prop_assert_eq!(first.strain.index(), theirs.contract.bid.strain as usize);
        prop_assert_eq!(
            first.sacrifice,
            theirs.contract.penalty != bridge::Penalty::Undoubled
        );
        let declarer = Seat::from_index(theirs.declarer as usize);
        prop_assert!(first.side == declarer.side());
        prop_assert!(first.declarer.is_none_or(|seat| seat == declarer));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Tables that no deal has.
    #[test]
    fn par_agrees_with_a_second_implementation_on_arbitrary_tables(
        numbers in proptest::collection::vec(0u8..=13, 20),
    ) {
        check_against_second_opinion(&table(&numbers))?;
    }

    /// Tables as deals have them: partners nearly equal, the two sides nearly thirteen together.
    #[test]
    fn par_agrees_with_a_second_implementation_on_likely_tables(
        north in proptest::collection::vec(0u8..=13, 5),
        wobble in proptest::collection::vec(-1i8..=1, 15),
    ) {
        let near = |tricks: u8, change: i8| (tricks as i8 + change).clamp(0, 13) as u8;
        let mut numbers = north.clone();
        for (seat, changes) in wobble.chunks(5).enumerate() {
            for (strain, &change) in changes.iter().enumerate() {
                let base = if seat == 1 { north[strain] } else { 13 - north[strain] };
                numbers.push(near(base, change));
            }
        }
        check_against_second_opinion(&table(&numbers))?;
    }
}
