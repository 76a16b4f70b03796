//! A part that is dealt in steps, saved and continued equals the part dealt at once.

use croupier_session::{Error, Job, PartError, PartState, Partial, SamplerUse, Session};

const SCRIPT: &str = "condition hcp(north) >= 15
                      action average \"points\" hcp(south), frequency (spades(south), 0, 13)";

fn session(script: &str) -> Session {
    let job = Job::new(script).seed(11).sampler(SamplerUse::Off);
    job.generate(60_000).produce(900).prepare().unwrap()
}

/// Writes and reads a checkpoint as files do.
fn saved(part: &Partial) -> Partial {
    serde_json::from_str(&serde_json::to_string(part).unwrap()).unwrap()
}

#[test]
fn steps_with_checkpoints_between_them_give_the_part_dealt_at_once() {
    for range in [0..60_000, 5_000..23_456, 30_000..30_000] {
        let whole = session(SCRIPT).run_range(range.clone(), true).unwrap();
        let mut checkpoint = None;
        let mut steps = 0;
        loop {
            // Every step is a process of its own, which reads the checkpoint of the one before.
            let own = session(SCRIPT);
            let mut part = match checkpoint.take() {
                None => own.start_part(range.clone(), true).unwrap(),
                Some(done) => own.resume_part(range.clone(), true, done).unwrap(),
            };
            let state = part.advance(3_000).unwrap();
            checkpoint = Some(saved(&part.partial()));
            steps += 1;
            if state == PartState::Whole {
                break;
            }
            assert_eq!(state, PartState::More);
        }
        assert!(steps > 1 || range.is_empty(), "{range:?}: {steps} steps");
        assert_eq!(checkpoint.unwrap(), saved(&whole), "{range:?}");
    }
}

#[test]
fn a_checkpoint_of_another_run_range_or_kind_is_refused() {
    let own = session(SCRIPT);
    let mut part = own.start_part(0..40_000, false).unwrap();
    part.advance(5_000).unwrap();
    let done = part.partial();
    assert!(own.resume_part(0..40_000, false, done.clone()).is_ok());
    let refused = |session: &Session, range, keeps_deals, done| match session.resume_part(
        range,
        keeps_deals,
        done,
    ) {
        Err(Error::Part(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the checkpoint was accepted"),
    };
    let other = session("condition hcp(north) >= 16 action average hcp(south)");
    refused(&other, 0..40_000, false, done.clone());
    assert_eq!(
        refused(&own, 0..40_000, true, done.clone()),
        PartError::DealsMissing
    );
    assert_eq!(
        refused(&own, 1_024..40_000, false, done.clone()),
        PartError::Damaged
    );
    let mut counted_twice = done;
    counted_twice.parts[0].produced += 1;
    assert_eq!(
        refused(&own, 0..40_000, false, counted_twice),
        PartError::Damaged
    );
}
