//! Runs independent jobs on several threads.

use std::sync::{Mutex, PoisonError};

/// Runs every job on up to `threads` threads. Each thread takes the next remaining job and has its own state.
pub(super) fn for_each<J: Send, S: Default>(
    threads: usize,
    jobs: &mut [J],
    work: impl Fn(&mut J, &mut S) + Sync,
) {
    let workers = threads.min(jobs.len());
    let queue = Mutex::new(jobs.iter_mut());
    let run = || {
        let mut state = S::default();
        loop {
            let job = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            match job {
                Some(job) => work(job, &mut state),
                None => break,
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(run);
        }
        run();
    });
}
