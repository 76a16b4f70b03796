//! Slow work on many items, spread over threads, with the results in order.
//!
//! Solving takes milliseconds per item, so threads take items one by one: a thread with easy deals takes more of them.
//! Results are in the order of the items, for any number of threads.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// Maximum number of results per thread that wait for an earlier one. It bounds the memory; a slow item delays the
/// others only when they are that far ahead.
pub(crate) const AHEAD: usize = 32;

/// Stack size of a thread in bytes, because the double-dummy search recurses deeply. It is address space, not memory.
const STACK: usize = 16 << 20;

/// Returns the number of threads to use: `wanted`, or one for each core if that is 0.
#[must_use]
pub fn threads(wanted: usize) -> usize {
    match wanted {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        n => n,
    }
}

/// Applies `work` to every item on several threads and passes the results to `sink` in item order.
///
/// Each thread creates one `worker` (a solver, a buffer) and keeps it. `sink` runs on the calling thread; when it
/// breaks, no new item is begun and its value is returned.
///
/// ```
/// use std::ops::ControlFlow;
///
/// let mut squares = Vec::new();
/// let end = croupier_engine::parallel::ordered_map(4, 1..=5, || (), |(), n| n * n, |square| {
///     squares.push(square);
///     ControlFlow::<()>::Continue(())
/// });
/// assert!(end.is_continue());
/// assert_eq!(squares, [1, 4, 9, 16, 25]);
/// ```
/// If the system cannot start all threads, fewer work; if it can start none, the calling thread does the work.
pub fn ordered_map<I, O, W, B>(
    threads: usize,
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I) -> O + Sync,
    sink: impl FnMut(O) -> ControlFlow<B>,
) -> ControlFlow<B>
where
    O: Send,
{
    let ahead = self::threads(threads) * AHEAD;
    ordered_map_within(threads, ahead, items, worker, work, sink)
}

/// Works like [`ordered_map`], but at most `ahead` results, and at least one per thread, wait for an earlier one.
pub(crate) fn ordered_map_within<I, O, W, B>(
    threads: usize,
    ahead: usize,
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I) -> O + Sync,
    mut sink: impl FnMut(O) -> ControlFlow<B>,
) -> ControlFlow<B>
where
    O: Send,
{
    let threads = self::threads(threads);
    let mut items = items.into_iter();
    if threads == 1 {
        let mut worker = worker();
        return items.try_for_each(|item| sink(work(&mut worker, item)));
    }
    let queue = Queue::new(items, ahead.max(threads));
    let (sender, results) = mpsc::channel();
    let end = thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads {
            let (queue, worker, work, sender) = (&queue, &worker, &work, sender.clone());
            let body = move || {
                let _guard = StopOnPanic(queue);
                let mut worker = worker();
                while let Some((number, item)) = queue.take() {
                    if sender.send((number, work(&mut worker, item))).is_err() {
                        return;
                    }
                }
            };
            if !spawn(scope, body) {
                break;
            }
            started += 1;
        }
        drop(sender);
        if started == 0 {
            return None;
        }
        let end = deliver(&queue, &results, &mut sink);
        queue.stop();
        Some(end)
    });
    end.unwrap_or_else(|| {
        let mut worker = worker();
        let mut rest = queue.into_items();
        rest.try_for_each(|item| sink(work(&mut worker, item)))
    })
}

/// Starts a thread with a stack that is large enough for a solver. Returns whether the system could start it.
pub(crate) fn spawn<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    body: impl FnOnce() + Send + 'scope,
) -> bool {
    thread::Builder::new()
        .stack_size(STACK)
        .spawn_scoped(scope, body)
        .is_ok()
}

/// Passes the results on in order and keeps those that arrive early.
fn deliver<I: Iterator, O, B>(
    queue: &Queue<I>,
    results: &mpsc::Receiver<(usize, O)>,
    sink: &mut impl FnMut(O) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            sink(result)?;
            next += 1;
            queue.delivered(next);
        }
    }
    ControlFlow::Continue(())
}

/// The numbered items that no thread has taken yet.
struct Queue<I> {
    state: Mutex<State<I>>,
    moved: Condvar,
    window: usize,
}

struct State<I> {
    items: I,
    next: usize,
    delivered: usize,
    stopped: bool,
}

impl<I: Iterator> Queue<I> {
    fn new(items: I, window: usize) -> Self {
        Queue {
            state: Mutex::new(State {
                items,
                next: 0,
                delivered: 0,
                stopped: false,
            }),
            moved: Condvar::new(),
            window,
        }
    }

    /// Locks the state. A poisoned lock is ignored: a panic ends the run anyway, and the state is always consistent.
    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next item, as soon as it is not too far ahead of the delivered results.
    fn take(&self) -> Option<(usize, I::Item)> {
        let mut state = self
            .moved
            .wait_while(self.lock(), |state| {
                !state.stopped && state.next >= state.delivered + self.window
            })
            .unwrap_or_else(PoisonError::into_inner);
        if state.stopped {
            return None;
        }
        match state.items.next() {
            Some(item) => {
                let number = state.next;
                state.next += 1;
                Some((number, item))
            }
            None => {
                state.stopped = true;
                None
            }
        }
    }

    /// Returns the items that no thread has taken.
    fn into_items(self) -> I {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        state.items
    }

    fn delivered(&self, count: usize) {
        self.lock().delivered = count;
        self.moved.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.moved.notify_all();
    }
}

/// Stops the other threads when one panics, so that the panic is reported instead of blocking the run.
struct StopOnPanic<'a, I: Iterator>(&'a Queue<I>);

impl<I: Iterator> Drop for StopOnPanic<'_, I> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(threads: usize, items: usize, slow: impl Fn(usize) -> bool + Sync) -> Vec<usize> {
        let mut seen = Vec::new();
        let work = |count: &mut usize, item| {
            *count += 1;
            if slow(item) {
                thread::sleep(std::time::Duration::from_millis(5));
            }
            item
        };
        let end = ordered_map(
            threads,
            0..items,
            || 0,
            work,
            |item| {
                seen.push(item);
                ControlFlow::<()>::Continue(())
            },
        );
        assert_eq!(end, ControlFlow::Continue(()));
        seen
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        let expected: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 3, 8] {
            assert_eq!(collect(threads, 1000, |item| item % 97 == 0), expected);
        }
        assert!(collect(4, 0, |_| false).is_empty());
    }

    #[test]
    fn a_slow_first_item_holds_the_others_back_without_losing_any() {
        assert_eq!(collect(4, 500, |item| item == 0).len(), 500);
    }

    #[test]
    fn the_sink_can_stop_an_endless_stream() {
        for threads in [1, 4] {
            let mut count = 0;
            let end = ordered_map(
                threads,
                0u64..,
                || (),
                |(), item| item,
                |item| {
                    count += 1;
                    if item == 41 {
                        ControlFlow::Break(item)
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
            assert_eq!(end, ControlFlow::Break(41));
            assert_eq!(count, 42);
        }
    }

    #[test]
    #[should_panic(expected = "scoped thread panicked")]
    fn a_panic_in_a_worker_ends_the_run() {
        let _ = ordered_map(
            2,
            0..1000,
            || (),
            |(), item| assert_ne!(item, 500),
            |()| ControlFlow::<()>::Continue(()),
        );
    }
}
