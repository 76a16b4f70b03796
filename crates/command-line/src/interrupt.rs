//! Reasons to end before the work is done: Ctrl-C and other signals, and limits of time and memory.
//!
//! They concern the whole process, so their state is the process's too. A command that listens is asked first, and ends
//! with what is complete; a second signal, or a limit that it does not heed in time, ends it there and then. Whatever
//! way it ends, files that were not complete are removed and the exit status says why.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::Duration;

use signal_hook::consts::SIGINT;
use tempfile::NamedTempFile;

use crate::failure::ShownPath;

/// Exit status after a limit of time or memory, as that of timeout(1).
pub const LIMIT: u8 = 124;
/// Exit status after Ctrl-C: 128 and the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// How long a command may take to end after a signal that comes only once; Ctrl-C can be pressed again.
const FAREWELL: Duration = Duration::from_secs(10);

/// Why the work is to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// Ctrl-C, or a signal that asks for an end.
    Signal(i32),
    /// So many seconds are over.
    Time(f64),
    /// More than so many megabytes are in use.
    Memory(u64),
}

impl Cause {
    /// The exit status.
    #[must_use]
    pub fn status(self) -> u8 {
        match self {
            Cause::Signal(number) => u8::try_from(128 + number).unwrap_or(INTERRUPTED),
            Cause::Time(_) | Cause::Memory(_) => LIMIT,
        }
    }

    /// What happened, for the beginning of a message.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Cause::Signal(_) => "interrupted".to_owned(),
            Cause::Time(seconds) => format!("the time is up (--time {seconds})"),
            Cause::Memory(megabytes) => format!("the memory is used up (--memory {megabytes})"),
        }
    }
}

/// What the process knows about its end.
#[derive(Default)]
struct Process {
    /// Becomes true when the work is to end.
    flag: Arc<AtomicBool>,
    cause: OnceLock<Cause>,
    /// Whether somebody looks at the flag.
    heeded: AtomicBool,
    /// Files that are not complete, each with its final name.
    unfinished: Mutex<Vec<(PathBuf, PathBuf)>>,
    /// How far slow work has come: what is counted, and how many.
    counted: OnceLock<&'static str>,
    done: AtomicU64,
}

static PROCESS: LazyLock<Process> = LazyLock::new(Process::default);

fn unfinished() -> MutexGuard<'static, Vec<(PathBuf, PathBuf)>> {
    let files = PROCESS.unfinished.lock();
    files.unwrap_or_else(PoisonError::into_inner)
}

/// Asks for an end. The first cause counts; says whether this is it.
pub fn ask(cause: Cause) -> bool {
    let first = PROCESS.cause.set(cause).is_ok();
    PROCESS.flag.store(true, Ordering::SeqCst);
    first
}

/// Whether somebody listens when an end is asked for.
#[must_use]
pub fn is_heeded() -> bool {
    PROCESS.heeded.load(Ordering::SeqCst)
}

/// Ends the process there and then. Files that are not complete are gone; a limit is told, with how far the work came.
pub fn enforce(cause: Cause) -> ! {
    // Held to the end: no file begins any more.
    let files = unfinished();
    let mut told = String::new();
    for (temporary, path) in files.iter() {
        // If it has taken its place by now, it is complete.
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
    if !matches!(cause, Cause::Signal(_)) {
        eprintln!("{}: {}{told}", program(), cause.text());
    }
    std::process::exit(i32::from(cause.status()));
}

/// The name that messages of this process begin with.
fn program() -> String {
    let first = std::env::args_os().next();
    first.map_or_else(|| "croupier".to_owned(), |name| crate::program_name(&name))
}

/// Begins a file that is removed if the process ends before it is complete. `path` is its final name.
///
/// # Errors
/// If it cannot be made.
pub fn begin(
    path: &Path,
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    catch_signals();
    // An end has to wait until the file is known.
    let mut files = unfinished();
    let file = make()?;
    files.push((file.path().to_owned(), path.to_owned()));
    Ok(file)
}

/// The file is complete, or gone.
pub fn finished(temporary: &Path) {
    unfinished().retain(|(known, _)| known != temporary);
}

/// Work that is counted has begun; `what` names the items in the plural.
pub fn counts(what: &'static str) {
    let _ = PROCESS.counted.set(what);
}

/// So many more items are finished.
pub fn advance(items: u64) {
    PROCESS.done.fetch_add(items, Ordering::Relaxed);
}

/// Starts a thread that the process relies on to end in time. Without it the process ends at once, with one line.
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

/// Whether the process was started with this signal ignored, as by nohup or in the background of a script.
#[cfg(unix)]
fn ignored(signal: i32) -> bool {
    // SAFETY: all zeros are a valid `sigaction`; the call fills it in and changes nothing.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut now) == 0
            && now.sa_sigaction == libc::SIG_IGN
    }
}

/// Hands every signal that asks for an end to `heard`, on a thread of its own. Without a handler the signals still end the
/// program, only less politely.
#[cfg(unix)]
fn listen(heard: impl Fn(i32) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter();
    let wanted = wanted.filter(|&signal| !ignored(signal));
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        in_background("signals", move || signals.forever().for_each(heard));
    }
}

/// The same where Ctrl-C is all there is and nothing waits for it.
#[cfg(not(unix))]
fn listen(heard: impl Fn(i32) + Send + 'static) {
    /// How often it is looked whether Ctrl-C came.
    const GLANCE: Duration = Duration::from_millis(50);
    let came = Arc::new(AtomicBool::new(false));
    if signal_hook::flag::register(SIGINT, Arc::clone(&came)).is_ok() {
        in_background("signals", move || {
            loop {
                std::thread::sleep(GLANCE);
                if came.swap(false, Ordering::SeqCst) {
                    heard(SIGINT);
                }
            }
        });
    }
}

fn catch_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        listen(|signal| {
            let cause = Cause::Signal(signal);
            // Whoever says it twice means it.
            if !(ask(cause) && is_heeded()) {
                enforce(cause);
            }
            if signal != SIGINT {
                in_background("farewell", move || {
                    std::thread::sleep(FAREWELL);
                    enforce(cause);
                });
            }
        });
    });
}

/// Whether the work is to end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on: the first signal and limits only ask, and whoever holds this ends with what is complete.
    #[must_use]
    pub fn watch() -> Interrupt {
        PROCESS.heeded.store(true, Ordering::SeqCst);
        catch_signals();
        Interrupt::unheeded()
    }

    /// What will come, for somebody who is not able to listen yet.
    #[must_use]
    pub fn unheeded() -> Interrupt {
        Interrupt(Arc::clone(&PROCESS.flag))
    }

    /// What becomes true, for those who look themselves.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether the work is to end.
    #[must_use]
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Why.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        PROCESS.cause.get().copied().filter(|_| self.came())
    }

    /// Why, for the beginning of a message.
    #[must_use]
    pub fn text(&self) -> String {
        self.cause().unwrap_or(Cause::Signal(SIGINT)).text()
    }

    /// The exit status of a command that ended early.
    #[must_use]
    pub fn status(&self) -> u8 {
        self.cause().map_or(INTERRUPTED, Cause::status)
    }

    /// How a program ends that has written what was complete.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self.came() {
            true => ExitCode::from(self.status()),
            false => ExitCode::SUCCESS,
        }
    }
}
