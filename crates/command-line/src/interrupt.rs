//! Early end of the process: Ctrl-C and other signals, and limits of time and memory.
//!
//! The state is global because signals and limits concern the whole process. A command that polls [`Interrupt`] gets a
//! request first and ends with its complete results. A second signal, or a limit to which the command does not react in
//! time, ends the process at once. In both cases incomplete files are removed, and the exit status shows the cause.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::Duration;

use signal_hook::consts::SIGINT;
use tempfile::NamedTempFile;

use crate::failure::ShownPath;

/// Exit status after a limit of time or memory, as in timeout(1).
pub const LIMIT: u8 = 124;
/// Exit status after Ctrl-C: 128 plus the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// Time that a command has to end after a signal that is sent only once. (Ctrl-C can be pressed again.)
const SIGNAL_GRACE: Duration = Duration::from_secs(10);

/// Cause of an early end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EarlyEnd {
    /// Ctrl-C, or another signal that requests an end. Holds the number of the signal.
    Signal(i32),
    /// The time limit in seconds was reached.
    Time(f64),
    /// The memory limit in megabytes was reached.
    Memory(u64),
}

impl EarlyEnd {
    /// Returns the exit status.
    #[must_use]
    pub fn status(self) -> u8 {
        match self {
            EarlyEnd::Signal(number) => u8::try_from(128 + number).unwrap_or(INTERRUPTED),
            EarlyEnd::Time(_) | EarlyEnd::Memory(_) => LIMIT,
        }
    }

    /// Describes the cause, for the beginning of a message.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            EarlyEnd::Signal(_) => "interrupted".to_owned(),
            EarlyEnd::Time(seconds) => format!("the time is up (--time {seconds})"),
            EarlyEnd::Memory(megabytes) => format!("the memory is used up (--memory {megabytes})"),
        }
    }
}

/// Global state of the early end.
#[derive(Default)]
struct Process {
    /// Set when the process has to end.
    flag: Arc<AtomicBool>,
    cause: OnceLock<EarlyEnd>,
    /// Whether a command polls the flag.
    polled: AtomicBool,
    /// Incomplete files: temporary path and final path.
    unfinished: Mutex<Vec<(PathBuf, PathBuf)>>,
    /// Progress of slow work: name of the items, in the plural.
    counted: OnceLock<&'static str>,
    done: AtomicU64,
}

static PROCESS: LazyLock<Process> = LazyLock::new(Process::default);

fn unfinished() -> MutexGuard<'static, Vec<(PathBuf, PathBuf)>> {
    let files = PROCESS.unfinished.lock();
    files.unwrap_or_else(PoisonError::into_inner)
}

/// Requests the end of the process. Only the first cause is kept. Returns whether `cause` is the first.
pub fn request(cause: EarlyEnd) -> bool {
    let first = PROCESS.cause.set(cause).is_ok();
    PROCESS.flag.store(true, Ordering::SeqCst);
    first
}

/// Returns whether a command polls for requests to end.
#[must_use]
pub fn is_polled() -> bool {
    PROCESS.polled.load(Ordering::SeqCst)
}

/// Ends the process at once. Removes incomplete files; for a limit, prints it and how far the work came.
pub fn end_process(cause: EarlyEnd) -> ! {
    // Holding this lock until the end prevents that new files are begun.
    let files = unfinished();
    let mut told = String::new();
    for (temporary, path) in files.iter() {
        // If the file was renamed meanwhile, it is complete.
        if std::fs::remove_file(temporary).is_ok() {
            told += &format!("; {} is not written", path.shown());
        }
    }
    if let Some(what) = PROCESS.counted.get() {
        told = format!(
            ": {} {what} done{told}",
            PROCESS.done.load(Ordering::Relaxed)
        );
    }
    if !matches!(cause, EarlyEnd::Signal(_)) {
        eprintln!("{}: {}{told}", program(), cause.text());
    }
    std::process::exit(i32::from(cause.status()));
}

/// Returns the name with which messages of this process begin.
fn program() -> String {
    let first = std::env::args_os().next();
    first.map_or_else(|| "croupier".to_owned(), |name| crate::program_name(&name))
}

/// Creates a temporary file that is removed if the process ends before it is complete. `path` is its final name.
///
/// # Errors
/// If it cannot be created.
pub fn begin_file(
    path: &Path,
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    catch_signals();
    // Holding the lock, an early end waits until the file is in the list.
    let mut files = unfinished();
    let file = make()?;
    files.push((file.path().to_owned(), path.to_owned()));
    Ok(file)
}

/// Removes the file from the list of incomplete files.
pub fn finish_file(temporary: &Path) {
    unfinished().retain(|(known, _)| known != temporary);
}

/// Sets the name of the counted items, in the plural.
pub fn set_counted_items(what: &'static str) {
    let _ = PROCESS.counted.set(what);
}

/// Adds `items` finished items.
pub fn add_items(items: u64) {
    PROCESS.done.fetch_add(items, Ordering::Relaxed);
}

/// Starts a thread that is necessary to end the process in time. If that fails, ends the process with a message.
pub(crate) fn in_background(name: &str, body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(name.to_owned());
    if let Err(error) = thread.spawn(body) {
        eprintln!(
            "{}: no thread can be started ({error}); allow more processes, as with ulimit -u",
            program()
        );
        std::process::exit(1);
    }
}

/// Returns whether the process was started with this signal ignored, as by nohup or in the background of a script.
#[cfg(unix)]
fn ignored(signal: i32) -> bool {
    // SAFETY: all zeros are a valid `sigaction`; the call fills it in and changes nothing else.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut now) == 0
            && now.sa_sigaction == libc::SIG_IGN
    }
}

/// Calls `handler` for every signal that requests an end, on a thread of its own. If no handler can be installed, signals
/// still end the process, but without its partial results.
#[cfg(unix)]
fn listen(handler: impl Fn(i32) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter();
    let wanted = wanted.filter(|&signal| !ignored(signal));
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        in_background("signals", move || signals.forever().for_each(handler));
    }
}

/// Calls `handler` for Ctrl-C by polling a flag, on systems without Unix signals.
#[cfg(not(unix))]
fn listen(handler: impl Fn(i32) + Send + 'static) {
    /// Interval at which the flag of Ctrl-C is polled.
    const POLL_INTERVAL: Duration = Duration::from_millis(50);
    let is_requested = Arc::new(AtomicBool::new(false));
    if signal_hook::flag::register(SIGINT, Arc::clone(&is_requested)).is_ok() {
        in_background("signals", move || {
            loop {
                std::thread::sleep(POLL_INTERVAL);
                if is_requested.swap(false, Ordering::SeqCst) {
                    handler(SIGINT);
                }
            }
        });
    }
}

fn catch_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        listen(|signal| {
            let cause = EarlyEnd::Signal(signal);
            // A second signal ends the process at once.
            if !(request(cause) && is_polled()) {
                end_process(cause);
            }
            if signal != SIGINT {
                in_background("farewell", move || {
                    std::thread::sleep(SIGNAL_GRACE);
                    end_process(cause);
                });
            }
        });
    });
}

/// Flag that requests the end of the work.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Returns the flag and registers the caller as polling it: the first signal, and limits, then only set the flag,
    /// and the caller must end with its complete results.
    #[must_use]
    pub fn watch() -> Interrupt {
        PROCESS.polled.store(true, Ordering::SeqCst);
        catch_signals();
        Interrupt::peek()
    }

    /// Returns the flag without registering the caller as polling it.
    #[must_use]
    pub fn peek() -> Interrupt {
        Interrupt(Arc::clone(&PROCESS.flag))
    }

    /// Returns the flag itself, for code that polls an `AtomicBool`.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Returns whether the work has to end.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the cause of the end.
    #[must_use]
    pub fn cause(&self) -> Option<EarlyEnd> {
        PROCESS.cause.get().copied().filter(|_| self.is_requested())
    }

    /// Describes the cause, for the beginning of a message.
    #[must_use]
    pub fn text(&self) -> String {
        self.cause().unwrap_or(EarlyEnd::Signal(SIGINT)).text()
    }

    /// Returns the exit status of a command that ended early.
    #[must_use]
    pub fn status(&self) -> u8 {
        self.cause().map_or(INTERRUPTED, EarlyEnd::status)
    }

    /// Returns the exit code of a command that ended early and wrote its complete results.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self.is_requested() {
            true => ExitCode::from(self.status()),
            false => ExitCode::SUCCESS,
        }
    }
}
