//! Compares all slots of all metrics with recorded values of the reference's own evaluation server, exactly.

use crate::data;

use cards::{Deal, Side, notation};
use croupier_valuation::metrics::{self, MetricError, Slots};
use data::read;

fn deals() -> Vec<Deal> {
    let table = read("metrics/deals.csv");
    assert_eq!(table.rows.len(), 600);
    table
        .rows
        .iter()
        .map(|row| {
            let hands = [1, 2, 3, 4].map(|seat| notation::hand(&row[seat]).unwrap());
            Deal::new(hands).unwrap()
        })
        .collect()
}

/// Compares a file of expected values with `answer`. Returns how many numbers were compared.
fn compare(file: &str, deals: &[Deal], answer: impl Fn(&Deal, Side) -> Slots) -> usize {
    let table = read(file);
    let slots: Vec<usize> = table.header[2..]
        .iter()
        .map(|name| name[1..].parse().unwrap())
        .collect();
    for row in &table.rows {
        let number: usize = row[0].parse().unwrap();
        let side = match row[1].as_str() {
            "NS" => Side::NorthSouth,
            "EW" => Side::EastWest,
            other => panic!("side {other}"),
        };
        let found = answer(&deals[number - 1], side);
        for (&slot, expected) in slots.iter().zip(&row[2..]) {
            assert!(found.is_filled(slot), "{file}: slot {slot} is not filled");
            assert_eq!(
                found[slot].to_string(),
                *expected,
                "{file} slot {slot} of {row:?}"
            );
        }
    }
    table.rows.len() * slots.len()
}

#[test]
fn every_slot_of_every_metric_over_all_deals() {
    let deals = deals();
    let mut compared = 0;
    for metric in metrics::list() {
        let tag = metric.tag;
        compared += compare(&format!("metrics/tag{tag:02}.csv"), &deals, |deal, side| {
            metrics::evaluate(tag, deal, side).unwrap()
        });
    }
    // All numbers of the thirty files: 738 slots of 1200 sides, and two lines of 128 of the syntax test.
    assert_eq!(compared, 885_856);
}

#[test]
fn an_unknown_tag_is_an_error_and_the_answer_of_the_reference_is_known() {
    let deals = deals();
    assert_eq!(
        metrics::evaluate(28, &deals[0], Side::NorthSouth),
        Err(MetricError::Unknown(28))
    );
    let compared = compare("metrics/tag28.csv", &deals, |deal, _| {
        metrics::unknown_tag(deal)
    });
    assert_eq!(compared, 4800);
}

#[test]
fn orders_to_stop_a_server_are_errors() {
    let deal = deals()[0];
    for tag in [-1, i32::MIN, 81] {
        let answer = metrics::evaluate(tag, &deal, Side::EastWest);
        assert_eq!(answer, Err(MetricError::Stop(tag)));
    }
}

#[test]
fn letters_select_the_same_metrics() {
    let deals = deals();
    for metric in metrics::list() {
        let Some(letter) = metric.letter else {
            continue;
        };
        for deal in &deals[..20] {
            let by_letter = metrics::evaluate(letter as i32, deal, Side::EastWest);
            assert_eq!(
                by_letter,
                metrics::evaluate(metric.tag, deal, Side::EastWest)
            );
        }
    }
}

#[test]
fn labels_name_exactly_the_slots_that_a_metric_fills() {
    let deal = deals()[0];
    for metric in metrics::list() {
        let filled = metrics::evaluate(metric.tag, &deal, Side::NorthSouth).unwrap();
        let filled: Vec<usize> = filled.filled().map(|(slot, _)| slot).collect();
        let labelled: Vec<usize> = metric.labels().iter().map(|label| label.slot).collect();
        assert_eq!(labelled, filled, "{}", metric.name);
    }
}
