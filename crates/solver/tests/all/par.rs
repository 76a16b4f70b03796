//! Par scores and contracts, compared with DealerV2's output and with a second implementation on arbitrary tables.

use cards::{Seat, Side, Strain, TrickTable, Vulnerability};
use contract_bridge::{self as bridge};
use croupier_solver::{par, par_report};
use pons_dds::{TrickCountRow, TrickCountTable};
use proptest::prelude::*;

fn table(numbers: &[u8]) -> TrickTable {
    let mut rows = [[0; 5]; 4];
    for (i, &tricks) in numbers.iter().enumerate() {
        rows[i / 5][i % 5] = tricks;
    }
    TrickTable::new(rows).expect("tricks up to 13")
}

/// The expected output of DealerV2. Two lines for each deal: first twenty tricks and four par contracts, then par
/// scores, for NS and EW not vulnerable, then for NS with the other three vulnerabilities.
#[test]
fn par_agrees_with_dealer_v2_on_thirty_tables() {
    let golden = include_str!("../data/par.txt");
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
fn par_is_zero_if_neither_side_makes_a_contract() {
    let par = par(&table(&[6; 20]), Vulnerability::NorthSouth);
    assert_eq!(par.score, 0);
    assert!(par.contracts.is_empty());
    assert_eq!(par.to_string(), " 0N  by N ns");
}

#[test]
fn seven_notrump_for_both_sides_goes_to_the_side_that_bids_first() {
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
            .expect("par with a score has a contract");
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

    /// The tables include some that no deal has.
    #[test]
    fn par_agrees_with_a_second_implementation_on_arbitrary_tables(
        numbers in proptest::collection::vec(0u8..=13, 20),
    ) {
        check_against_second_opinion(&table(&numbers))?;
        check_report(&table(&numbers))?;
    }

    /// Tables like those of real deals: partners nearly equal, the two sides together near thirteen tricks.
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
        check_report(&table(&numbers))?;
        check_contracts(&table(&numbers))?;
    }
}

/// Checks the reports for all dealers: there is a contract unless the score is 0, and every contract scores par.
fn check_report(table: &TrickTable) -> Result<(), TestCaseError> {
    for vulnerability in Vulnerability::ALL {
        for dealer in Seat::ALL {
            let report = par_report(table, vulnerability, dealer);
            prop_assert_eq!(report.contracts.is_empty(), report.score == 0);
            for found in &report.contracts {
                let seat = found.declarer.unwrap_or(found.side.seats()[0]);
                let tricks = i32::from(table.tricks(seat, found.contract.strain));
                let score = found
                    .contract
                    .score(vulnerability.includes(found.side), tricks);
                let sign = if found.side == Side::NorthSouth {
                    1
                } else {
                    -1
                };
                prop_assert_eq!(sign * score, report.score, "{} {}", table, found);
                prop_assert_eq!(
                    tricks,
                    i32::from(found.contract.tricks_needed()) + i32::from(found.over)
                );
            }
        }
    }
    Ok(())
}

/// Checks that the report has the other algorithm's score for the side that bids first, and all of its contracts, at
/// some level of their strain. Not for arbitrary tables: where both sides take more than half of the tricks in one
/// strain, which no deal has, the other algorithm is greedy and may miss a better bid.
fn check_contracts(table: &TrickTable) -> Result<(), TestCaseError> {
    for vulnerability in Vulnerability::ALL {
        for dealer in Seat::ALL {
            let report = par_report(table, vulnerability, dealer);
            let first = par::score_when_first(table, vulnerability, dealer.side());
            prop_assert_eq!(
                report.score,
                first,
                "{} {:?} {:?}",
                table,
                vulnerability,
                dealer
            );
        }
        let report = par_report(table, vulnerability, Seat::North);
        for theirs in par(table, vulnerability).contracts {
            let ours = report.contracts.iter().find(|ours| {
                (ours.side, ours.contract.strain, ours.declarer)
                    == (theirs.side, theirs.strain, theirs.declarer)
            });
            prop_assert!(
                ours.is_some(),
                "{} {:?} {:?} {}",
                table,
                vulnerability,
                theirs,
                report
            );
        }
    }
    Ok(())
}

#[test]
fn par_reports_are_written_as_players_write_them() {
    use Vulnerability::{Both, EastWest, None, NorthSouth};
    let text = |ns: [u8; 5], ew: [u8; 5], vulnerability| {
        let table = TrickTable::new([ns, ew, ns, ew]).unwrap();
        par_report(&table, vulnerability, Seat::North).to_string()
    };
    // Order of the numbers: clubs, diamonds, hearts, spades, notrump.
    let (major, weak) = ([6, 7, 7, 10, 8], [6, 5, 6, 3, 4]);
    assert_eq!(text(major, weak, Both), "NS 4S= (+620)");
    assert_eq!(
        text([6, 7, 7, 11, 8], [6, 5, 6, 2, 4], Both),
        "NS 4S+1 (+650)"
    );
    assert_eq!(
        text([6, 6, 6, 7, 10], [5, 5, 5, 5, 3], EastWest),
        "NS 3NT+1 (+430)"
    );
    // The side with ten tricks in notrump can outbid four hearts.
    assert_eq!(
        text([4, 5, 4, 7, 10], [8, 8, 9, 6, 3], None),
        "EW 5H*-2 (+300)"
    );
    assert_eq!(
        text([5, 6, 5, 7, 9], [8, 7, 9, 6, 4], NorthSouth),
        "EW 4H*-1 (+100)"
    );
    assert_eq!(
        text([5, 6, 5, 7, 9], [8, 7, 9, 6, 4], EastWest),
        "EW 4H*-1 (+200)"
    );
    assert_eq!(
        text([8, 5, 9, 9, 7], [5, 8, 4, 4, 6], None),
        "NS 3S=, NS 3H= (+140)"
    );
    assert_eq!(text([6; 5], [6; 5], None), "Pass (0)");
}

#[test]
fn the_partner_who_takes_more_tricks_is_named() {
    let mut rows = [
        [6, 7, 7, 10, 8],
        [6, 5, 6, 3, 4],
        [6, 7, 7, 9, 8],
        [6, 5, 6, 3, 4],
    ];
    let report = par_report(
        &TrickTable::new(rows).unwrap(),
        Vulnerability::None,
        Seat::East,
    );
    assert_eq!(report.to_string(), "N 4S= (+420)");
    assert_eq!(report.contracts[0].text(), "4S=");
    rows[2][3] = 11;
    let report = par_report(
        &TrickTable::new(rows).unwrap(),
        Vulnerability::None,
        Seat::East,
    );
    assert_eq!(report.to_string(), "S 4S+1 (+450)");
}

#[test]
fn a_contract_that_both_sides_make_goes_to_the_side_of_the_dealer() {
    let table = table(&[6, 6, 6, 6, 7, 6, 6, 6, 6, 7, 6, 6, 6, 6, 7, 6, 6, 6, 6, 7]);
    let report = |dealer| par_report(&table, Vulnerability::None, dealer).to_string();
    assert_eq!(report(Seat::South), "NS 1NT= (+90)");
    assert_eq!(report(Seat::West), "EW 1NT= (-90)");
}
