//! A run of the mutator over a surface, with limits on time and memory, and detection of panics on any thread.

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use crate::{Mutator, Surface};

/// Time after which an input counts as hanging. All work of a surface has far lower limits.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Memory above which a process counts as exhausted by its input.
pub const MEMORY: u64 = 2 << 30;
/// Maximum number of inputs with new classes that are kept.
const KEPT: usize = 4000;

/// Length of a run.
#[derive(Clone, Copy, Debug)]
pub enum RunLength {
    /// A number of inputs.
    Inputs(u64),
    /// A time.
    Time(Duration),
}

/// Statistics of a run.
#[derive(Clone, Debug, Default)]
pub struct RunStatistics {
    /// Number of inputs.
    pub inputs: u64,
    /// Number of different classes of answers.
    pub kinds: usize,
    /// Longest time of one input.
    pub slowest: Duration,
    /// Peak memory of the process in bytes.
    pub memory: u64,
}

/// A violated guarantee.
#[derive(Debug)]
pub struct Finding {
    /// Description of the violation.
    pub message: String,
    /// Path of the input.
    pub path: PathBuf,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

static PANICKED: AtomicBool = AtomicBool::new(false);
static MESSAGE: Mutex<String> = Mutex::new(String::new());

/// Records the panics of all threads, because servers catch theirs.
fn watch_panics() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        std::panic::set_hook(Box::new(|information| {
            let mut message = MESSAGE.lock().unwrap_or_else(PoisonError::into_inner);
            if !PANICKED.swap(true, Ordering::SeqCst) {
                *message = information.to_string();
            }
        }));
    });
}

/// Processes one input.
///
/// # Errors
/// The message of a panic on any thread.
pub fn feed(surface: &Surface, input: &[u8]) -> Result<u64, String> {
    watch_panics();
    let kind = catch_unwind(AssertUnwindSafe(|| (surface.feed)(input)));
    if PANICKED.swap(false, Ordering::SeqCst) {
        let message = MESSAGE.lock().unwrap_or_else(PoisonError::into_inner);
        return Err(message.clone());
    }
    kind.map_err(|_| "a panic without a message".to_owned())
}

/// Returns the peak memory of the process, where the system reports it.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// Ends the process if one input hangs. The input was written to its file before.
struct Watchdog {
    started: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
}

impl Watchdog {
    fn new(name: &'static str, current: PathBuf) -> Watchdog {
        let started = Arc::new(AtomicU64::new(u64::MAX));
        let ended = Arc::new(AtomicBool::new(false));
        let (seen, gone) = (Arc::clone(&started), Arc::clone(&ended));
        let clock = Instant::now();
        std::thread::spawn(move || {
            let mut last = (u64::MAX, Instant::now());
            while !gone.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(200));
                let number = seen.load(Ordering::Relaxed);
                if number != last.0 {
                    last = (number, Instant::now());
                } else if number != u64::MAX && last.1.elapsed() > ANSWER_TIMEOUT {
                    eprintln!(
                        "{name}: input {number} hangs after {:?}; it is in {}",
                        clock.elapsed(),
                        current.display()
                    );
                    std::process::abort();
                }
            }
        });
        Watchdog { started, ended }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Processes the seeds, then mutated inputs until the budget is used up. Inputs of findings are kept in the folder; an
/// input that ends the process is there too, in the file `NAME.current`.
///
/// # Errors
/// The first violated guarantee.
pub fn run(
    surface: &'static Surface,
    seed: u64,
    budget: RunLength,
    folder: &Path,
) -> Result<RunStatistics, Finding> {
    let file_error = |error: io::Error| Finding {
        message: error.to_string(),
        path: folder.to_owned(),
    };
    fs::create_dir_all(folder).map_err(file_error)?;
    let current_path = folder.join(format!("{}.current", surface.name));
    let current = File::create(&current_path).map_err(file_error)?;
    let watchdog = Watchdog::new(surface.name, current_path.clone());
    let start = Instant::now();
    let mut account = RunStatistics::default();
    let mut kinds = HashSet::new();
    let before = peak_memory();
    let mut inputs = (surface.seeds)();
    let seeds = inputs.len();
    let mut mutator = Mutator::new(seed, &(surface.words)());
    loop {
        let number = account.inputs as usize;
        let done = match budget {
            RunLength::Inputs(inputs) => number as u64 >= inputs + seeds as u64,
            RunLength::Time(time) => start.elapsed() >= time,
        };
        if done {
            break;
        }
        let input = match inputs.get(number).filter(|_| number < seeds) {
            Some(seed) => seed.clone(),
            None => mutator.next(&inputs),
        };
        let _ = current.set_len(0);
        let _ = current.write_all_at(&input, 0);
        watchdog.started.store(number as u64, Ordering::Relaxed);
        let began = Instant::now();
        let answer = feed(surface, &input);
        let took = began.elapsed();
        watchdog.started.store(u64::MAX, Ordering::Relaxed);
        account.inputs += 1;
        account.slowest = account.slowest.max(took);
        if number.is_multiple_of(64) || took > Duration::from_millis(20) {
            account.memory = peak_memory();
        }
        let broken = match answer {
            Ok(kind) => {
                if kinds.insert(kind) && number >= seeds && inputs.len() < seeds + KEPT {
                    inputs.push(input.clone());
                }
                (account.memory > before.max(MEMORY / 4) + MEMORY)
                    .then(|| format!("the process needed {} MiB", account.memory >> 20))
            }
            Err(message) => Some(message),
        };
        if let Some(message) = broken {
            let path = folder.join(format!("{}-{number:06}", surface.name));
            fs::write(&path, &input).map_err(file_error)?;
            return Err(Finding { message, path });
        }
    }
    account.kinds = kinds.len();
    drop(watchdog);
    let _ = fs::remove_file(current_path);
    Ok(account)
}
