//! Evaluation servers: programs that communicate by a shared page and two semaphores, with the protocol of
//! DealerV2.
//!
//! The dealer writes a query and the deal into the page and posts the query semaphore. The server writes
//! the results and posts the reply semaphore. A negative tag stops the server. The server is started with
//! an empty environment and the descriptor of the page as its first argument; all other data are in the
//! page.

mod page;
mod semaphore;
mod shared;

use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::{Evaluator, MetricRequest, MetricResults, ProgramLimits, UserMetricError};
use page::{HEADER, PAGE, Page, WRITTEN, results_of};
use semaphore::Semaphore;
use shared::{SharedPage, copy_of_standard_error};

/// Interval at which a waiting dealer checks that its server is still running.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// Maximum time that a server may need to stop. Then it is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// A running evaluation server. Dropping the value stops it.
pub struct Server {
    path: String,
    limits: ProgramLimits,
    page: Page,
    shared: SharedPage,
    query: Semaphore,
    reply: Semaphore,
    child: Child,
    log: Option<PathBuf>,
    failed: Option<UserMetricError>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("path", &self.path)
            .field("pid", &self.child.id())
            .finish()
    }
}

impl Server {
    /// Starts the program. The protocol has no handshake, so a program that is not a server fails in the
    /// first evaluation.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(path: &Path, limits: ProgramLimits) -> Result<Server, UserMetricError> {
        let name = path.display().to_string();
        Server::try_start(path, limits).map_err(|error| UserMetricError::CannotOpen {
            path: name,
            reason: format!("cannot start the evaluation server: {error}"),
        })
    }

    fn try_start(path: &Path, limits: ProgramLimits) -> io::Result<Server> {
        let mut shared = SharedPage::new()?;
        let (query, reply) = semaphore::create_both()?;
        let standard_error = copy_of_standard_error().ok();
        let error_descriptor = standard_error.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        let map = format!("/proc/{}/fd/{}", std::process::id(), shared.descriptor());
        let (level, own_level) = limits.debug;
        let page = Page::new(&map, &query.name(), &reply.name(), error_descriptor).marked(level);
        shared.write(0, &page.bytes[..]);
        let (log, messages) = match own_level {
            0 => (None, Stdio::inherit()),
            _ => new_log().map(|(log, file)| (Some(log), Stdio::from(file)))?,
        };
        let mut command = command(path, shared.descriptor(), error_descriptor, own_level);
        let child = command.stderr(messages).spawn()?;
        let path = path.display().to_string();
        Ok(Server {
            path,
            limits,
            page,
            shared,
            query,
            reply,
            child,
            log,
            failed: None,
        })
    }

    /// Returns the file of the server's messages, if the server has a debug level of its own.
    pub fn log(&self) -> Option<&Path> {
        self.log.as_deref()
    }

    /// Returns the process id of the server.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    fn ask(&mut self, request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        if let Some(status) = self.ended()? {
            return Err(status);
        }
        self.page.ask(request);
        self.shared.write(WRITTEN.start, &self.page.bytes[WRITTEN]);
        self.query.post().map_err(|error| self.broken(error))?;
        self.await_reply()?;
        // The server has opened the semaphores. Their names are removed, so that a killed dealer leaves none behind.
        self.query.unlink();
        self.reply.unlink();
        self.check_reply(request)?;
        let place = results_of(request.side);
        let mut results = [0; 4 * crate::SLOTS];
        self.shared.read(place.start, &mut results);
        Ok(self.page.answered(request, &results))
    }

    fn await_reply(&mut self) -> Result<(), UserMetricError> {
        let start = Instant::now();
        loop {
            let left = self.limits.time.saturating_sub(start.elapsed());
            if self
                .reply
                .wait(left.min(CHECK_INTERVAL))
                .map_err(|error| self.broken(error))?
            {
                return Ok(());
            }
            if let Some(ended) = self.ended()? {
                // The server may have replied just before it ended.
                let replied = self
                    .reply
                    .wait(Duration::ZERO)
                    .map_err(|error| self.broken(error))?;
                return if replied { Ok(()) } else { Err(ended) };
            }
            if left.is_zero() {
                let path = self.path.clone();
                return Err(UserMetricError::TimeOut {
                    path,
                    limit: self.limits.time,
                });
            }
        }
    }

    /// Returns an error if the server has broken the protocol, because its results are then unreliable. It may
    /// write only to the results of the requested side and reorder the cards, and it must reply once.
    fn check_reply(&self, request: &MetricRequest<'_>) -> Result<(), UserMetricError> {
        let bad = |reason: &str| UserMetricError::BadReply {
            path: self.path.clone(),
            reason: reason.to_string(),
        };
        if self
            .reply
            .wait(Duration::ZERO)
            .map_err(|error| self.broken(error))?
        {
            return Err(bad("it replied more than once to one query"));
        }
        let mut now = [0; PAGE];
        self.shared.read(0, &mut now);
        if now[HEADER] != self.page.bytes[HEADER] {
            return Err(bad("it overwrote the header of the shared page"));
        }
        let other = results_of(request.side.opponents());
        if now[other.clone()] != self.page.bytes[other] {
            return Err(bad(
                "it overwrote the results of the side it was not asked about",
            ));
        }
        Ok(())
    }

    /// Returns how the server ended, if it has.
    fn ended(&mut self) -> Result<Option<UserMetricError>, UserMetricError> {
        let status = self.child.try_wait().map_err(|error| self.broken(error))?;
        Ok(status.map(|status| UserMetricError::Ended {
            path: self.path.clone(),
            status: describe(status),
        }))
    }

    /// Converts a system error of the communication with the server.
    fn broken(&self, error: io::Error) -> UserMetricError {
        UserMetricError::BadReply {
            path: self.path.clone(),
            reason: error.to_string(),
        }
    }

    /// Stops the server and waits for its end, at most for [`STOP_TIMEOUT`].
    fn stop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        if self.failed.is_none() {
            self.page.quit();
            self.shared.write(WRITTEN.start, &self.page.bytes[WRITTEN]);
            if self.query.post().is_ok() && self.leaves_within(STOP_TIMEOUT.min(self.limits.time)) {
                return;
            }
        }
        // Both fail only if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn leaves_within(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        let mut pause = Duration::from_micros(100);
        while start.elapsed() < time {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return true;
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(CHECK_INTERVAL);
        }
        false
    }
}

impl Evaluator for Server {
    fn evaluate(&mut self, request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if request.tag < 0 {
            return Err(UserMetricError::NegativeTag(request.tag));
        }
        self.ask(request).inspect_err(|error| {
            // After a failure the states of dealer and server may differ, so the server is not used again.
            self.failed = Some(error.clone());
            self.stop();
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Creates a file for the messages of a server, with the name that DealerV2 uses.
fn new_log() -> io::Result<(PathBuf, File)> {
    let folder = std::env::temp_dir();
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..100 {
        let random = RandomState::new().build_hasher().finish() % 36u64.pow(6);
        let name =
            (0..6).map(|place| char::from_digit((random / 36u64.pow(place) % 36) as u32, 36));
        let name: String = name.flatten().collect();
        let path = folder.join(format!("DealerServer_{name}.log"));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Returns the command that starts the server. `level` is its debug level; 0 is not passed.
fn command(path: &Path, page: i32, error_descriptor: i32, level: u8) -> Command {
    // The system searches the directories of PATH for a name without a slash.
    let program = match path.components().count() {
        1 if path.is_relative() => PathBuf::from(".").join(path),
        _ => path.to_path_buf(),
    };
    let mut command = Command::new(program);
    command.arg0(path).arg(format!("{page:4}")).env_clear();
    if level > 0 {
        command.arg(format!("{level:4}"));
    }
    // SAFETY: between fork and exec the closure makes only async-signal-safe system calls.
    unsafe {
        command.pre_exec(move || {
            for descriptor in [page, error_descriptor] {
                if descriptor >= 0 && libc::fcntl(descriptor, libc::F_SETFD, 0) != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            // The system kills the server when the dealer is killed.
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(())
        });
    }
    command
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "it is gone".to_string(),
    }
}
