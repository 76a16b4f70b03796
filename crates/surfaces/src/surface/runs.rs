//! Scripts in every dialect, run over some deals and reported as events.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use api::check::Dialect;
use api::run::{PreparedScript, RunEvent, RunOptions, RunRequest};
use script::DIALECTS;

use crate::observed::Observed;
use crate::surface::question::limits;
use crate::surface::script::with_choice;
use crate::{Surface, seeds};

/// Whole runs.
pub static RUNS: Surface = Surface {
    name: "runs",
    about: "Any text as a script in any dialect (the first byte chooses), run over a few hundred deals: events that add up, tables and text, or a problem.",
    feed,
    seeds: || with_choice(3, Vec::new()),
    words: seeds::language,
    inputs: 60,
};

fn feed(input: &[u8]) -> u64 {
    let Some((&choice, text)) = input.split_first() else {
        return 0;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return 1;
    };
    let mut observed = Observed::default();
    let request = RunRequest {
        script: text.to_owned(),
        dialect: Dialect(DIALECTS[usize::from(choice) % DIALECTS.len()].dialect),
        seed: Some("7".to_owned()),
        produce: Some(6),
        generate: Some(400),
        ..RunRequest::default()
    };
    let options = RunOptions {
        deals: 50,
        cells: 1 << 14,
        threads: 1,
        time: Some(Duration::from_secs(2)),
        cancel: Arc::default(),
        text: 1 << 16,
    };
    let prepared = match PreparedScript::new(&request, &limits(), options) {
        Ok(prepared) => prepared,
        Err(problem) => {
            assert!(!problem.message.is_empty(), "a refusal has a reason");
            return observed.message(&problem.message).number();
        }
    };
    let mut told = 0;
    let mut ended = false;
    prepared.run(&mut |event| {
        assert!(!ended, "nothing after the end");
        match event {
            RunEvent::Deals { deals } => told += deals.len() as u64,
            RunEvent::End {
                produced,
                generated,
                tables,
                text,
                ..
            } => {
                ended = true;
                assert!(produced <= 6 && generated <= 400 && told <= produced);
                assert!(serde_json::to_string(&tables).is_ok());
                observed
                    .note(tables.len())
                    .about(text.len())
                    .about(produced as usize);
            }
            RunEvent::Problem { problem } => {
                ended = true;
                observed.message(&problem.message);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert!(ended, "a run has an end");
    observed.number()
}
