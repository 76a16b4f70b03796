//! Memory limit of the process: when it is reached, requests in progress are cancelled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use api::RequestError;

/// Interval between measurements of the memory.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// Increase in megabytes after which requests are cancelled again. The allocator does not always return freed memory to
/// the system.
const STEP: f64 = 32.0;

/// Requests in progress.
pub struct RequestsInProgress {
    /// Memory limit in megabytes.
    limit: Option<u64>,
    list: Arc<Mutex<Vec<Weak<ActiveRequest>>>>,
}

/// A request in progress.
pub struct ActiveRequest {
    /// Cancellation flag.
    pub cancel: Arc<AtomicBool>,
    /// Whether it was cancelled because of the memory limit.
    exhausted: AtomicBool,
    limit: u64,
}

impl ActiveRequest {
    /// Returns an error if the request was cancelled because of the memory limit.
    pub fn exhausted(&self) -> Option<RequestError> {
        self.exhausted.load(Ordering::Relaxed).then(|| {
            let text = format!(
                "the memory of the server is used up (--memory {})",
                self.limit
            );
            RequestError::limit(text)
        })
    }
}

impl RequestsInProgress {
    /// Starts watching the memory, if there is a limit.
    pub fn new(memory: Option<(u64, fn() -> f64)>) -> RequestsInProgress {
        let list: Arc<Mutex<Vec<Weak<ActiveRequest>>>> = Arc::default();
        if let Some((limit, in_use)) = memory {
            let in_progress = Arc::clone(&list);
            let watch = move || watch(limit as f64, in_use, &in_progress);
            // `serve` has checked that threads can be started.
            let _ = std::thread::Builder::new().spawn(watch);
        }
        RequestsInProgress {
            limit: memory.map(|(limit, _)| limit),
            list,
        }
    }

    /// Adds a request that can be cancelled with `cancel`.
    pub fn add(&self, cancel: Arc<AtomicBool>) -> Arc<ActiveRequest> {
        let request = Arc::new(ActiveRequest {
            cancel,
            exhausted: AtomicBool::new(false),
            limit: self.limit.unwrap_or(0),
        });
        if self.limit.is_some() {
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            list.retain(|known| known.strong_count() > 0);
            list.push(Arc::downgrade(&request));
        }
        request
    }
}

/// Cancels the requests whenever more than `limit` megabytes are in use.
fn watch(limit: f64, in_use: fn() -> f64, in_progress: &Mutex<Vec<Weak<ActiveRequest>>>) {
    let mut threshold = limit;
    loop {
        let now = in_use();
        if now > threshold {
            let list = in_progress.lock().unwrap_or_else(PoisonError::into_inner);
            for request in list.iter().filter_map(Weak::upgrade) {
                request.exhausted.store(true, Ordering::Relaxed);
                request.cancel.store(true, Ordering::Relaxed);
            }
            threshold = now + STEP;
        } else if now <= limit {
            threshold = limit;
        }
        std::thread::sleep(CHECK_INTERVAL);
    }
}
