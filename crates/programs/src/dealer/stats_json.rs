//! `--stats-json`: what a run has counted as one JSON object, with the names that dealer3 gives them.

use std::io::{self, Write};
use std::ops::ControlFlow;

use cards::Deal;
use engine::{ProducedDeal, Progress, Sink, mixture};
use serde_json::{Value, json};
use session::{Ended, Outcome, Session, Table, TableData};

use crate::failure::Failure;

/// Keeps the deals on their way to the sink, to tell their classes afterwards.
pub struct Collecting<'a> {
    /// Where they go.
    pub sink: &'a mut dyn Sink,
    /// The deals so far.
    pub deals: &'a mut Vec<Deal>,
}

impl Sink for Collecting<'_> {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.deals.push(deal.deal);
        match self.sink.wants_deals() {
            true => self.sink.on_deal(deal),
            false => ControlFlow::Continue(()),
        }
    }

    fn on_progress(&mut self, progress: Progress) {
        self.sink.on_progress(progress);
    }
}

/// Prints the object. `deals` are the produced deals, to tell their classes.
///
/// # Errors
/// If it cannot be printed.
pub fn print(session: &Session, outcome: &Outcome, deals: &[Deal]) -> Result<(), Failure> {
    let settings = session.settings();
    let object = json!({
        "produced": outcome.produced,
        "generated": outcome.generated,
        "seed": settings.seed.key.seed().map_or_else(
            || Value::from(settings.seed.to_string()),
            Value::from,
        ),
        "seconds": outcome.seconds,
        "timed_out": outcome.ended == Ended::TimedOut,
        "averages": outcome.tables.iter().filter_map(average).collect::<Vec<_>>(),
        "frequencies": outcome.tables.iter().filter_map(frequency).collect::<Vec<_>>(),
        "hand_types": hand_types(session, deals),
    });
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &object).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

fn average(table: &Table) -> Option<Value> {
    let TableData::Average { moments, .. } = &table.data else {
        return None;
    };
    Some(json!({
        "label": table.title(),
        "value": moments.mean(),
        "deviation": moments.deviation(),
        "count": moments.count,
    }))
}

fn frequency(table: &Table) -> Option<Value> {
    let TableData::Frequency { counts, .. } = &table.data else {
        return None;
    };
    let scale = counts.scale;
    let bins = (0..scale.buckets)
        .map(|bucket| json!({ "value": scale.name(bucket), "count": counts.count(bucket) }));
    Some(json!({
        "label": table.title(),
        "min": scale.low,
        "max": scale.name(scale.buckets) - 1,
        "size": scale.size,
        "bins": bins.collect::<Vec<_>>(),
        "below": counts.below(),
        "above": counts.above(),
        "total": counts.total(),
    }))
}

fn hand_types(session: &Session, deals: &[Deal]) -> Vec<Value> {
    let types = mixture::hand_types(session.plan());
    if types.is_empty() {
        return Vec::new();
    }
    let nodes: Vec<_> = types.iter().map(|(_, node)| *node).collect();
    let options = engine::Options::default();
    let classes = mixture::class_of_each(session.plan(), &nodes, deals, &options);
    let of = |(number, (name, _)): (usize, &(String, _))| {
        let produced = classes.iter().filter(|&&c| c == Some(number)).count();
        json!({
            "name": name,
            "produced": produced,
            "share": produced as f64 / deals.len().max(1) as f64,
        })
    };
    types.iter().enumerate().map(of).collect()
}
