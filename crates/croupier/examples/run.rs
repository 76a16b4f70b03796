//! Runs a script: deals, values and tables as data.

use croupier::{Collected, Error, Job, TableData};

pub(crate) fn main() -> Result<(), Error> {
    let script = "strong = hcp(north) >= 20
                  condition strong and spades(south) >= 4
                  action printoneline(hcp(south)), average \"points\" hcp(south)";
    let Collected { deals, outcome } = Job::new(script).seed(1).produce(5).collect()?;
    for dealt in &deals {
        println!(
            "{}  {}: {}",
            dealt.deal, outcome.columns[0].name, dealt.values[0]
        );
    }
    if let TableData::Average { moments, .. } = &outcome.tables[0].data {
        println!(
            "mean {:.2} of {} deals",
            moments.mean().unwrap_or(0.0),
            moments.count
        );
    }
    Ok(())
}
