//! Divides work among threads; the sums do not depend on the division.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Sums the contributions of all items to a row of `sums` numbers. Every thread makes its own worker and takes the next
/// item. The numbers are exact integers, so the order does not matter.
pub(crate) fn sum_in_parallel<W>(
    threads: usize,
    items: usize,
    sums: usize,
    make_worker: impl Fn() -> W + Sync,
) -> Vec<u128>
where
    W: FnMut(usize, &mut [u128]),
{
    let next = AtomicUsize::new(0);
    let run = || {
        let mut worker = make_worker();
        let mut total = vec![0u128; sums];
        loop {
            let item = next.fetch_add(1, Ordering::Relaxed);
            if item >= items {
                return total;
            }
            worker(item, &mut total);
        }
    };
    if threads <= 1 || items <= 1 {
        return run();
    }
    let parts = std::thread::scope(|scope| {
        let wanted = threads.min(items);
        let start = || std::thread::Builder::new().spawn_scoped(scope, run).ok();
        let handles: Vec<_> = (0..wanted).map_while(|_| start()).collect();
        // The calling thread does the work of threads that could not be started.
        let own = (handles.len() < wanted).then(run);
        let joined = handles.into_iter().map(|handle| {
            handle
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        joined.chain(own).collect::<Vec<_>>()
    });
    let mut total = vec![0u128; sums];
    for part in parts {
        for (sum, value) in total.iter_mut().zip(part) {
            *sum += value;
        }
    }
    total
}
