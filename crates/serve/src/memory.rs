//! The memory of the process: when it is used up, the requests that are being answered are ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use api::Problem;

/// How often the memory is measured.
const GLANCE: Duration = Duration::from_millis(5);

/// Megabytes beyond the last end at which requests are ended again: memory that was freed is not always given back.
const STEP: f64 = 32.0;

/// The requests that are being answered.
pub struct Working {
    /// Megabytes that the process may use.
    limit: Option<u64>,
    list: Arc<Mutex<Vec<Weak<Request>>>>,
}

/// A request that is being answered.
pub struct Request {
    /// Ends the work when it becomes true.
    pub cancel: Arc<AtomicBool>,
    /// Whether it was ended for want of memory.
    exhausted: AtomicBool,
    limit: u64,
}

impl Request {
    /// The reason for which a request was ended, if that was its memory.
    pub fn exhausted(&self) -> Option<Problem> {
        self.exhausted.load(Ordering::Relaxed).then(|| {
            let text = format!(
                "the memory of the server is used up (--memory {})",
                self.limit
            );
            Problem::limit(text)
        })
    }
}

impl Working {
    /// Watches from now on, if there is a limit of memory.
    pub fn new(memory: Option<(u64, fn() -> f64)>) -> Working {
        let list: Arc<Mutex<Vec<Weak<Request>>>> = Arc::default();
        if let Some((limit, in_use)) = memory {
            let working = Arc::clone(&list);
            let watch = move || watch(limit as f64, in_use, &working);
            // `serve` has made sure that there are threads.
            let _ = std::thread::Builder::new().spawn(watch);
        }
        Working {
            limit: memory.map(|(limit, _)| limit),
            list,
        }
    }

    /// Notes a request that can be ended through `cancel`.
    pub fn add(&self, cancel: Arc<AtomicBool>) -> Arc<Request> {
        let request = Arc::new(Request {
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

/// Ends the requests whenever more than `limit` megabytes are in use.
fn watch(limit: f64, in_use: fn() -> f64, working: &Mutex<Vec<Weak<Request>>>) {
    let mut threshold = limit;
    loop {
        let now = in_use();
        if now > threshold {
            let list = working.lock().unwrap_or_else(PoisonError::into_inner);
            for request in list.iter().filter_map(Weak::upgrade) {
                request.exhausted.store(true, Ordering::Relaxed);
                request.cancel.store(true, Ordering::Relaxed);
            }
            threshold = now + STEP;
        } else if now <= limit {
            threshold = limit;
        }
        std::thread::sleep(GLANCE);
    }
}
