//! Slow work on many items, spread over threads, with the results in order.
//!
//! Solving takes milliseconds an item, so items are handed out one by one: a thread that drew easy
//! deals simply takes more of them. The order of results, and so any output, is that of the items,
//! however many threads there are.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// How many results per thread may wait for an earlier one. A slow item stops the others only when
/// they are that far ahead; memory stays bounded.
pub(crate) const AHEAD: usize = 32;

/// The search of a double-dummy solver recurses deeply; this is address space, not memory.
const STACK: usize = 16 << 20;

/// The number of threads to use when `wanted` is 0: one for each core.
#[must_use]
pub fn threads(wanted: usize) -> usize {
    match wanted {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        n => n,
    }
}

/// Applies `work` to every item on several threads and hands the results to `sink` in item order.
///
/// Each thread makes itself one `worker` (a solver, a buffer) and keeps it. `sink` runs on the
/// calling thread; when it breaks, no new item is begun and its value is returned.
///
/// ```
/// use std::ops::ControlFlow;
///
/// let mut squares = Vec::new();
/// let end = engine::parallel::ordered_map(4, 1..=5, || (), |(), n| n * n, |square| {
///     squares.push(square);
///     ControlFlow::<()>::Continue(())
/// });
/// assert!(end.is_continue());
/// assert_eq!(squares, [1, 4, 9, 16, 25]);
/// ```
/// Where fewer threads can be had, fewer work; where there is none, the calling thread does.
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

/// Like [`ordered_map`], with at most `ahead` results, and at least one for each thread, that wait for an earlier one.
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

/// Starts a thread with a stack that a solver can work on. Returns whether the system could.
pub(crate) fn spawn<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    body: impl FnOnce() + Send + 'scope,
) -> bool {
    thread::Builder::new()
        .stack_size(STACK)
        .spawn_scoped(scope, body)
        .is_ok()
}

/// Hands the results on in order, keeping those that came early.
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

/// The items not yet begun, numbered.
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

    /// A panic elsewhere ends the run anyway; the state itself is always consistent.
    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next item, as soon as it is not too far ahead of what was delivered.
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

    /// The items that no thread has taken.
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

/// Lets the other threads go when one dies, so that its panic is reported instead of waited for.
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
