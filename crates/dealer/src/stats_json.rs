//! `--stats-json`: prints the results of a run as one JSON object, with the key names of dealer3.

use std::io::{self, Write};

use croupier::session::{Ended, HandType, Origin, Outcome, Session, Table, TableData};
use serde_json::{Value, json};

use crate::failure::Failure;

/// Prints the object. `types` are the classes of the script, `levels` the classes for levelling only.
///
/// # Errors
/// If standard output cannot be written.
pub fn print(
    session: &Session,
    outcome: &Outcome,
    types: &[HandType],
    levels: &[HandType],
) -> Result<(), Failure> {
    let share = |it: &HandType| {
        json!({
            "name": it.name,
            "produced": it.produced,
            "share": it.produced as f64 / outcome.produced.max(1) as f64,
        })
    };
    let mut object = json!({
        "produced": outcome.produced,
        "generated": outcome.generated,
        "seconds": outcome.seconds,
        "timed_out": outcome.ended == Ended::TimedOut,
        "averages": outcome.tables.iter().filter_map(average).collect::<Vec<_>>(),
        "frequencies": outcome.tables.iter().filter_map(frequency).collect::<Vec<_>>(),
        "hand_types": types.iter().map(share).collect::<Vec<_>>(),
        "level_types": levels.iter().map(share).collect::<Vec<_>>(),
    });
    let (name, origin) = origin(session, outcome);
    object[name] = origin;
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &object).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// Returns the key and value that identify the deals. The key "seed" is used only for a seed.
fn origin(session: &Session, outcome: &Outcome) -> (&'static str, Value) {
    match &outcome.origin {
        Origin::Seed(seed) => {
            let number = session.settings().seed.key.seed().map(Value::from);
            ("seed", number.unwrap_or_else(|| seed.clone().into()))
        }
        Origin::Commitment(commitment) => ("commitment", commitment.clone().into()),
        Origin::Library { start, .. } => ("library_start", (*start).into()),
        Origin::Given => ("seed", Value::Null),
    }
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
