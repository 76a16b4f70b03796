//! Divides a run into parts, as for several machines, and merges them.

use croupier::{Error, Job, NoDeals, Partial};

pub(crate) fn main() -> Result<(), Error> {
    let script =
        "condition hcp(north) >= 15  action average hcp(south), frequency (hcp(south), 0, 25)";
    let session = Job::new(script).seed(1).generate(100_000).prepare()?;
    let mut parts = Vec::new();
    for range in session.shards(4)? {
        let part = session.run_range(range, false)?; // on another machine: send it as JSON
        parts.push(serde_json::to_string(&part).expect("a part can be serialised"));
    }
    let read = parts
        .iter()
        .rev()
        .map(|text| serde_json::from_str(text).expect("a serialised part can be read"));
    let outcome = Partial::merge_all(read)?.outcome(0, &mut NoDeals)?;
    println!("{} of {} deals", outcome.produced, outcome.generated);
    assert_eq!(outcome.tables, session.run(&mut NoDeals)?.tables);
    Ok(())
}
