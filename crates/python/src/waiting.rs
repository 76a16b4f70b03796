//! Long work without the interpreter lock: other Python threads continue, Ctrl-C works, progress is reported.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Interval at which signals are checked and progress is reported. Delays below 0.1 seconds are hardly noticed.
const POLL_INTERVAL: Duration = Duration::from_millis(40);
/// Time that a cancelled worker has to end before the call returns without waiting for it.
const CANCEL_TIME: Duration = Duration::from_millis(60);
/// Stack size of a worker, because the double-dummy search recurses deeply. It is reserved address space, not used
/// memory.
const STACK: usize = 16 << 20;

/// State that a worker shares with the call that waits for it.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// Cancellation flag.
    pub cancel: Arc<AtomicBool>,
    /// Amount of work done.
    done: Arc<AtomicU64>,
    /// Python function that is called at intervals. If it raises an exception, the work is cancelled.
    poll: Option<Arc<Py<PyAny>>>,
}

impl Link {
    /// Creates a link whose waiting call also calls `poll` at intervals.
    pub fn polling(poll: Option<&Bound<'_, PyAny>>) -> Link {
        Link {
            poll: poll.map(|poll| Arc::new(poll.clone().unbind())),
            ..Link::default()
        }
    }

    /// Reports the amount of work done.
    pub fn set_done(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// Returns whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Calls the caller's progress function when the amount done has changed.
struct ProgressReporter<'a, 'py> {
    progress: Option<&'a Bound<'py, PyAny>>,
    told: Option<u64>,
}

impl ProgressReporter<'_, '_> {
    fn report(&mut self, link: &Link) -> PyResult<()> {
        let Some(progress) = self.progress else {
            return Ok(());
        };
        let done = link.done.load(Ordering::Relaxed);
        if self.told != Some(done) {
            self.told = Some(done);
            progress.call1((done,))?;
        }
        Ok(())
    }
}

/// Message of a worker.
enum Message<E, T> {
    Event(E),
    Done(T),
}

/// Sends events to the waiting call. An error means that the call has ended.
pub struct Events<E, T>(SyncSender<Message<E, T>>);

impl<E, T> Events<E, T> {
    /// Sends an event, and waits while the receiver is busy.
    pub fn send(&self, event: E) -> Result<(), ()> {
        self.0.send(Message::Event(event)).map_err(|_| ())
    }
}

/// Runs `work` on a separate thread and waits for it without holding the interpreter lock. Events are handled on the
/// calling thread. `progress` is called with the amount done, at intervals and at the end.
///
/// # Errors
/// The exception of a signal handler (Ctrl-C), of `progress` or of `on_event`; the work is then cancelled.
pub fn wait<E: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    link: &Link,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Events<E, T>) -> T + Send + 'static,
    mut on_event: impl FnMut(E) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, messages) = sync_channel(2);
    // The lock is needed only because the receiver is not `Sync`, and the closure runs without the interpreter lock.
    let messages = Mutex::new(messages);
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        let events = Events(sender);
        let answer = work(&events);
        let _ = events.0.send(Message::Done(answer));
    })?;
    let mut teller = ProgressReporter {
        progress,
        told: None,
    };
    let end = listen(py, link, &messages, &mut teller, &mut on_event);
    if end.is_err() {
        link.cancel.store(true, Ordering::Relaxed);
        drop(messages);
        py.detach(|| {
            let patient = Instant::now() + CANCEL_TIME;
            while !worker.is_finished() && Instant::now() < patient {
                thread::sleep(Duration::from_millis(1));
            }
        });
    }
    let answer = end?;
    teller.report(link)?;
    Ok(answer)
}

fn listen<E: Send, T: Send>(
    py: Python<'_>,
    link: &Link,
    messages: &Mutex<Receiver<Message<E, T>>>,
    teller: &mut ProgressReporter<'_, '_>,
    on_event: &mut impl FnMut(E) -> PyResult<()>,
) -> PyResult<T> {
    let mut looked = Instant::now();
    loop {
        let message = py.detach(|| {
            let messages = messages.lock().unwrap_or_else(PoisonError::into_inner);
            messages.recv_timeout(POLL_INTERVAL)
        });
        match message {
            Ok(Message::Done(answer)) => return Ok(answer),
            Ok(Message::Event(event)) => on_event(event)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "internal error: a worker thread died",
                ));
            }
        }
        if looked.elapsed() >= POLL_INTERVAL {
            looked = Instant::now();
            py.check_signals()?;
            if let Some(poll) = &link.poll {
                poll.call0(py)?;
            }
            teller.report(link)?;
        }
    }
}
