//! The two semaphores that synchronise dealer and server.
//!
//! A server opens them by their names in the page. The names are random, so that other programs cannot create them first,
//! and only the owner may open them. The dealer removes the names after the first reply. If it is killed before that, the
//! names remain, but its locks on them do not: the next dealer finds them unlocked and removes them.

use std::ffi::CString;
use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::ptr::NonNull;
use std::time::Duration;

/// The folder of named semaphores, and the prefix of their file names: glibc uses this one, musl none.
const FOLDER: &str = "/dev/shm";
const PREFIXES: [&str; 2] = ["sem.", ""];

/// Number of letters of a name after `/q_sem_`. The page has room for 31 in all; these represent 96 random bits.
const LETTERS: usize = 24;

/// A named semaphore. Dropping the value closes and removes it.
pub(crate) struct Semaphore {
    raw: NonNull<libc::sem_t>,
    name: CString,
    named: bool,
    /// The file of the name. It is locked as long as the name exists.
    lock: Option<File>,
}

// SAFETY: POSIX semaphores may be used from any thread of the process that opened them.
unsafe impl Send for Semaphore {}

/// Creates two semaphores: for queries and for replies.
pub(crate) fn create_both() -> io::Result<(Semaphore, Semaphore)> {
    remove_left_behind(Path::new(FOLDER));
    Ok((create('q')?, create('r')?))
}

fn create(letter: char) -> io::Result<Semaphore> {
    /// Maximum number of names that are tried. Another process may remove a file before it is locked.
    const ATTEMPTS: usize = 100;
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..ATTEMPTS {
        let name = format!("/{letter}_sem_{}", unguessable()?);
        match Semaphore::create(&name) {
            Ok(semaphore) => return Ok(semaphore),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// Returns random hexadecimal digits from the system's generator.
fn unguessable() -> io::Result<String> {
    let mut bytes = [0u8; LETTERS / 2];
    // SAFETY: the buffer has the size that is passed to the system.
    let filled = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if filled != bytes.len() as isize {
        return Err(io::Error::last_os_error());
    }
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Removes the semaphores of killed dealers: those with a name of this program that no process has locked.
fn remove_left_behind(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    // SAFETY: the call takes nothing and cannot fail.
    let owner = unsafe { libc::geteuid() };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(is_ours) {
            continue;
        }
        let Ok(file) = File::open(entry.path()) else {
            continue;
        };
        let mine = file
            .metadata()
            .is_ok_and(|data| data.is_file() && data.uid() == owner);
        if mine && file.try_lock().is_ok() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Returns whether a file name has the form of this program's semaphores.
fn is_ours(name: &str) -> bool {
    let rest = name.strip_prefix(PREFIXES[0]).unwrap_or(name);
    let letters = rest.strip_prefix("q_sem_").or(rest.strip_prefix("r_sem_"));
    letters.is_some_and(|letters| {
        letters.len() == LETTERS && letters.bytes().all(|letter| letter.is_ascii_hexdigit())
    })
}

/// Opens and locks the file of a semaphore. Another dealer may remove it as a leftover just before it is locked; then the
/// result is an error, and the caller chooses another name.
fn locked(name: &str) -> io::Result<File> {
    let gone = || io::Error::from(io::ErrorKind::AlreadyExists);
    let name = name.trim_start_matches('/');
    let files = PREFIXES.map(|prefix| Path::new(FOLDER).join(format!("{prefix}{name}")));
    let file = files.iter().find_map(|path| File::open(path).ok());
    let file = file.ok_or_else(gone)?;
    match file.try_lock() {
        Ok(()) if file.metadata()?.nlink() == 0 => Err(gone()),
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(gone()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

impl Semaphore {
    /// Creates a semaphore of value 0, or returns an `AlreadyExists` error.
    fn create(text: &str) -> io::Result<Semaphore> {
        let name = CString::new(text)?;
        let (flags, mode, value) = (libc::O_CREAT | libc::O_EXCL, 0o600 as libc::c_uint, 0);
        // SAFETY: the name is NUL-terminated, and O_CREAT comes with mode and value as it must.
        let raw = unsafe { libc::sem_open(name.as_ptr(), flags, mode, value as libc::c_uint) };
        let mut semaphore = match NonNull::new(raw) {
            Some(raw) if raw.as_ptr() != libc::SEM_FAILED => Semaphore {
                raw,
                name,
                named: true,
                lock: None,
            },
            _ => return Err(io::Error::last_os_error()),
        };
        semaphore.lock = Some(locked(text)?);
        Ok(semaphore)
    }

    /// Returns the name that other processes open.
    pub(crate) fn name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// Adds one to the value.
    pub(crate) fn post(&self) -> io::Result<()> {
        // SAFETY: `raw` is an open semaphore.
        match unsafe { libc::sem_post(self.raw.as_ptr()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Waits until the value is positive and subtracts one. Returns `false` if the time ended before.
    pub(crate) fn wait(&self, time: Duration) -> io::Result<bool> {
        let deadline = deadline_in(time)?;
        loop {
            // SAFETY: `raw` is an open semaphore and `deadline` a valid time.
            if unsafe { libc::sem_timedwait(self.raw.as_ptr(), &deadline) } == 0 {
                return Ok(true);
            }
            let error = io::Error::last_os_error();
            match error.raw_os_error() {
                Some(libc::ETIMEDOUT) => return Ok(false),
                Some(libc::EINTR) => {}
                _ => return Err(error),
            }
        }
    }

    /// Removes the name. Processes that have opened the semaphore can still use it.
    pub(crate) fn unlink(&mut self) {
        if std::mem::take(&mut self.named) {
            // SAFETY: the name is NUL-terminated. If the name no longer exists, the call only fails.
            unsafe { libc::sem_unlink(self.name.as_ptr()) };
            self.lock = None;
        }
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        self.unlink();
        // SAFETY: `raw` was opened by `create` and is not used after this.
        unsafe { libc::sem_close(self.raw.as_ptr()) };
    }
}

/// Returns the time `time` from now, on the clock of semaphores.
fn deadline_in(time: Duration) -> io::Result<libc::timespec> {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `now` is a valid place for the answer.
    if unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut now) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let nanoseconds = now.tv_nsec + libc::c_long::from(time.subsec_nanos());
    let seconds = libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX / 2);
    Ok(libc::timespec {
        tv_sec: now.tv_sec.saturating_add(seconds) + nanoseconds / 1_000_000_000,
        tv_nsec: nanoseconds % 1_000_000_000,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn file_of(semaphore: &Semaphore) -> Option<std::path::PathBuf> {
        let name = semaphore.name();
        let name = name.trim_start_matches('/');
        let files = PREFIXES.map(|prefix| Path::new(FOLDER).join(format!("{prefix}{name}")));
        files.into_iter().find(|path| path.exists())
    }

    #[test]
    fn names_are_long_random_and_the_owners_alone() {
        let (mut query, reply) = create_both().unwrap();
        assert_eq!((query.name().len(), reply.name().len()), (31, 31));
        assert_ne!(query.name()[7..], reply.name()[7..]);
        let path = file_of(&query).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        query.unlink();
        assert!(!path.exists());
    }

    #[test]
    fn files_of_a_killed_dealer_are_removed_and_files_in_use_stay() {
        let alive = create('q').unwrap();
        // A killed dealer leaves the name, but not the lock.
        let mut dead = create('r').unwrap();
        dead.lock = None;
        let path = file_of(&dead).unwrap();
        remove_left_behind(Path::new(FOLDER));
        assert!(!path.exists());
        assert!(file_of(&alive).is_some());
    }

    #[test]
    fn only_names_of_our_semaphores_are_recognised() {
        let letters = "0123456789abcdef01234567";
        assert!(is_ours(&format!("sem.q_sem_{letters}")));
        assert!(is_ours(&format!("r_sem_{letters}")));
        for other in ["sem.q_sem_030657", "sem.q_sem_", "q_sem_x", "sem.other"] {
            assert!(!is_ours(other), "{other}");
        }
    }
}
