//! Compares counts with the exact fractions of `data/exact-counts.csv`.

use crate::language::ConditionText;
use croupier_sampling::{Budget, Sampler};

struct Row {
    id: String,
    condition: String,
    hits: u128,
    out_of: u128,
}

fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/exact-counts.csv");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(row).collect()
}

/// Splits `id,seats,condition,hits,out_of,unit,probability`; the condition may be quoted.
fn row(line: &str) -> Row {
    let mut start = line.splitn(3, ',');
    let id = start.next().unwrap().to_owned();
    let rest = start.nth(1).unwrap();
    let mut end = rest.rsplitn(5, ',');
    let (_probability, _unit) = (end.next(), end.next());
    let out_of = end.next().unwrap().parse().unwrap();
    let hits = end.next().unwrap().parse().unwrap();
    let condition = end.next().unwrap().trim_matches('"').to_owned();
    Row {
        id,
        condition,
        hits,
        out_of,
    }
}

#[test]
fn counts_are_equal_integers() {
    let rows = rows();
    assert_eq!(rows.len(), 38);
    for row in rows {
        let text = ConditionText::read(&row.condition);
        let sampler = Sampler::new(&text.problem(), Budget::default()).expect(&row.id);
        assert!(sampler.is_complete(), "{}", row.id);
        assert!(equal(&row, &sampler), "{}: {:?}", row.id, sampler.count());
    }
}

fn equal(row: &Row, sampler: &Sampler) -> bool {
    let count = sampler.count();
    let common = gcd(row.out_of, count.out_of());
    count.hits() * (row.out_of / common) == row.hits * (count.out_of() / common)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
