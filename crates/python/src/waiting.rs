//! Long work away from the interpreter: other Python threads run on, Ctrl-C is heard, progress is told.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often signals are looked for and progress is told. A quarter of what a person notices.
const TICK: Duration = Duration::from_millis(40);
/// How long a stopped worker may take to end before nobody waits for it any more.
const PATIENCE: Duration = Duration::from_millis(60);
/// The search of a double-dummy solver recurses deeply; this is address space, not memory.
const STACK: usize = 16 << 20;

/// What a worker shares with the call that waits for it.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// Set when nobody wants the answer any more.
    pub cancel: Arc<AtomicBool>,
    /// How much is done.
    done: Arc<AtomicU64>,
}

impl Link {
    /// Tells how much is done.
    pub fn set_done(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Hands what has been done to the caller's function, when it has changed.
struct Teller<'a, 'py> {
    progress: Option<&'a Bound<'py, PyAny>>,
    told: Option<u64>,
}

impl Teller<'_, '_> {
    fn tell(&mut self, link: &Link) -> PyResult<()> {
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

/// What comes from a worker.
enum Message<E, T> {
    Event(E),
    Done(T),
}

/// Sends events to the waiting call; an error means that nobody listens any more.
pub struct Events<E, T>(SyncSender<Message<E, T>>);

impl<E, T> Events<E, T> {
    /// Sends one; waits while the receiver is busy.
    pub fn send(&self, event: E) -> Result<(), ()> {
        self.0.send(Message::Event(event)).map_err(|_| ())
    }
}

/// Runs `work` on a thread of its own and waits for it without holding the interpreter. Its events are handled on
/// the calling thread. `progress` is called with the amount done, now and then and at the end.
///
/// # Errors
/// What a signal handler (Ctrl-C), `progress` or `on_event` raises; the work is then told to stop.
pub fn wait<E: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    link: &Link,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Events<E, T>) -> T + Send + 'static,
    mut on_event: impl FnMut(E) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, messages) = sync_channel(2);
    // Behind a lock only because a receiver may not be looked at from the closure that runs without the interpreter.
    let messages = Mutex::new(messages);
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        let events = Events(sender);
        let answer = work(&events);
        let _ = events.0.send(Message::Done(answer));
    })?;
    let mut teller = Teller {
        progress,
        told: None,
    };
    let end = listen(py, link, &messages, &mut teller, &mut on_event);
    if end.is_err() {
        link.cancel.store(true, Ordering::Relaxed);
        drop(messages);
        py.detach(|| {
            let patient = Instant::now() + PATIENCE;
            while !worker.is_finished() && Instant::now() < patient {
                thread::sleep(Duration::from_millis(1));
            }
        });
    }
    let answer = end?;
    teller.tell(link)?;
    Ok(answer)
}

fn listen<E: Send, T: Send>(
    py: Python<'_>,
    link: &Link,
    messages: &Mutex<Receiver<Message<E, T>>>,
    teller: &mut Teller<'_, '_>,
    on_event: &mut impl FnMut(E) -> PyResult<()>,
) -> PyResult<T> {
    let mut looked = Instant::now();
    loop {
        let message = py.detach(|| {
            let messages = messages.lock().unwrap_or_else(PoisonError::into_inner);
            messages.recv_timeout(TICK)
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
        if looked.elapsed() >= TICK {
            looked = Instant::now();
            py.check_signals()?;
            teller.tell(link)?;
        }
    }
}
