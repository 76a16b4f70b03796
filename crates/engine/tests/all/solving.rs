//! Compares runs with the double-dummy solver with the published tables.

use std::ops::ControlFlow;

use crate::common::{plan, rows};
use cards::{Deal, Seat, Strain, TrickTable};
use croupier_engine::{
    Options, ProducedDeal, RunDeals, SeriesDeal, SeriesSource, Tally, TrickCounts, run,
};
use script::plan::Mode;

/// Returns the first deals of the vectors with their tables.
fn solved(count: usize) -> Vec<(Deal, TrickTable)> {
    rows("dds.csv")
        .into_iter()
        .take(count)
        .map(|row| {
            let mut table = TrickTable::default();
            for strain in Strain::ALL {
                for seat in Seat::ALL {
                    let name = match strain {
                        Strain::Notrump => format!("NT_{}", seat.letter()),
                        _ => format!("{}_{}", strain.letter(), seat.letter()),
                    };
                    table.set(seat, strain, row[&name].parse().unwrap());
                }
            }
            (row["deal"].parse().unwrap(), table)
        })
        .collect()
}

const SCRIPT: &str = "condition hcp(south)+hcp(north)>=15 and dds(south,hearts)>=7
    action printes(dds(north,spades),par(NS)), average tricks(south,hearts),
    evalcontract(NS,z2H,nv), printrpt(trix(deal))";

#[test]
fn tricks_thresholds_and_tables_are_those_of_the_vectors_with_any_number_of_threads() {
    let deals = solved(24);
    let expected: Vec<(u64, Deal, TrickTable)> = deals
        .iter()
        .enumerate()
        .filter(|(_, (deal, table))| {
            valuation::hcp(deal[Seat::South]) + valuation::hcp(deal[Seat::North]) >= 15
                && table.tricks(Seat::South, Strain::Hearts) >= 7
        })
        .map(|(number, &(deal, table))| (number as u64, deal, table))
        .collect();
    assert!(expected.len() > 3);
    let plan = plan(Mode::Native, SCRIPT);
    for (threads, stored) in [(1, false), (2, false), (2, true)] {
        let list = deals.iter().map(|&(deal, table)| {
            Ok(SeriesDeal {
                deal,
                tricks: stored.then_some(table),
            })
        });
        let source = SeriesSource::new(list);
        let source = if stored { source.with_tricks() } else { source };
        let options = Options {
            threads,
            ..Options::default()
        };
        let mut seen = Vec::new();
        let mut sink = |deal: &ProducedDeal<'_>| {
            let table = deal.tricks.expect("trix needs the table");
            let spades = i32::from(table.tricks(Seat::North, Strain::Spades));
            let par = solver::par(&table, cards::Vulnerability::None).score;
            assert_eq!(deal.values(0), [spades, par]);
            seen.push((deal.index, deal.deal, table));
            ControlFlow::Continue(())
        };
        let report = run(&plan, RunDeals::Blocks(&source), &options, &mut sink).unwrap();
        assert_eq!(seen, expected);
        assert_eq!(
            (report.generated, report.produced),
            (24, expected.len() as u64)
        );
        let mut counts = TrickCounts::default();
        for (_, _, table) in &expected {
            counts.add(i32::from(table.tricks(Seat::South, Strain::Hearts)));
        }
        assert_eq!(report.tallies[2], Some(Tally::Tricks(counts)));
        let Some(Tally::Average(average)) = &report.tallies[1] else {
            panic!("an average")
        };
        let sum: u64 = counts
            .0
            .iter()
            .zip(0u64..)
            .map(|(count, tricks)| count * tricks)
            .sum();
        assert_eq!(average.sum, i128::from(sum));
    }
}

#[test]
fn stored_results_are_used_without_solving() {
    let (deal, mut table) = solved(1)[0];
    table.set(Seat::North, Strain::Clubs, 13);
    let source = SeriesSource::new(
        [Ok(SeriesDeal {
            deal,
            tricks: Some(table),
        })]
        .into_iter(),
    );
    let plan = plan(
        Mode::Native,
        "condition dds(north,clubs)==13 action printes(dds(north,clubs))",
    );
    let mut values = Vec::new();
    let mut sink = |deal: &ProducedDeal<'_>| {
        values.extend_from_slice(deal.values(0));
        ControlFlow::Continue(())
    };
    run(
        &plan,
        RunDeals::Blocks(&source.with_tricks()),
        &Options::default(),
        &mut sink,
    )
    .unwrap();
    assert_eq!(values, [13]);
}

#[test]
fn a_solving_run_stops_with_the_deal_that_completes_it() {
    let deals = solved(24);
    let plan = plan(
        Mode::Native,
        "condition dds(east,notrump)>=7 action printes(1)",
    );
    let second = deals
        .iter()
        .enumerate()
        .filter(|(_, (_, table))| table.tricks(Seat::East, Strain::Notrump) >= 7)
        .map(|(number, _)| number as u64)
        .nth(1)
        .unwrap();
    for threads in [1, 3] {
        let source = SeriesSource::new(deals.iter().map(|&(deal, _)| Ok(deal.into())));
        let options = Options {
            produce: 2,
            threads,
            ..Options::default()
        };
        let mut sink = |_: &ProducedDeal<'_>| ControlFlow::Continue(());
        let report = run(&plan, RunDeals::Blocks(&source), &options, &mut sink).unwrap();
        assert_eq!((report.generated, report.produced), (second + 1, 2));
    }
}
