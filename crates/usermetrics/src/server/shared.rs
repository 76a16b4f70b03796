//! The page and the two semaphores that dealer and server share, each behind a safe type.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::time::Duration;

use super::page::PAGE;

/// A page of memory that a child process can map too, through its descriptor.
pub(crate) struct SharedPage {
    descriptor: OwnedFd,
    start: NonNull<u8>,
}

// SAFETY: the mapping is reached only through `&mut self` or `&self` methods that copy bytes, and it is
// not tied to the thread that made it.
unsafe impl Send for SharedPage {}

impl SharedPage {
    /// A fresh page, all zero. It has no name in the file system, so nothing is left behind if the
    /// dealer is killed.
    pub(crate) fn new() -> io::Result<SharedPage> {
        // SAFETY: the name is a NUL-terminated string; the call has no other requirement.
        let raw = unsafe { libc::memfd_create(c"dealer_mmap".as_ptr(), libc::MFD_CLOEXEC) };
        if raw < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: `raw` is an open descriptor that nobody else owns.
        let descriptor = unsafe { OwnedFd::from_raw_fd(raw) };
        // SAFETY: the descriptor is open.
        if unsafe { libc::ftruncate(descriptor.as_raw_fd(), PAGE as libc::off_t) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping of a whole file of PAGE bytes, at an address of the system's choice.
        let start = unsafe {
            let any = std::ptr::null_mut();
            libc::mmap(
                any,
                PAGE,
                access,
                libc::MAP_SHARED,
                descriptor.as_raw_fd(),
                0,
            )
        };
        match NonNull::new(start.cast::<u8>()) {
            Some(start) if start.as_ptr().cast() != libc::MAP_FAILED => {
                Ok(SharedPage { descriptor, start })
            }
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// The descriptor by which a child process maps the page.
    pub(crate) fn descriptor(&self) -> i32 {
        self.descriptor.as_raw_fd()
    }

    /// Copies bytes into the page. Between a query and its reply the page belongs to the server.
    pub(crate) fn write(&mut self, place: usize, bytes: &[u8]) {
        assert!(
            place <= PAGE && bytes.len() <= PAGE - place,
            "beyond the page"
        );
        // SAFETY: the range lies within the mapping of PAGE bytes, which lives as long as `self`; no
        // reference into it exists, and `bytes`, being a reference, does not overlap it.
        unsafe {
            self.start
                .as_ptr()
                .add(place)
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
    }

    /// Copies bytes out of the page.
    pub(crate) fn read(&self, place: usize, bytes: &mut [u8]) {
        assert!(
            place <= PAGE && bytes.len() <= PAGE - place,
            "beyond the page"
        );
        // SAFETY: as in `write`, in the other direction.
        unsafe {
            self.start
                .as_ptr()
                .add(place)
                .copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len());
        }
    }
}

impl Drop for SharedPage {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this size and is not used after this.
        unsafe { libc::munmap(self.start.as_ptr().cast(), PAGE) };
    }
}

/// A named semaphore, closed and removed with its value.
pub(crate) struct Semaphore {
    raw: NonNull<libc::sem_t>,
    name: CString,
    named: bool,
}

// SAFETY: POSIX semaphores may be used from any thread of the process that opened them.
unsafe impl Send for Semaphore {}

impl Semaphore {
    /// A new semaphore of value 0, or an `AlreadyExists` error.
    pub(crate) fn create(name: &str) -> io::Result<Semaphore> {
        let name = CString::new(name)?;
        let (flags, mode, value) = (libc::O_CREAT | libc::O_EXCL, 0o666 as libc::c_uint, 0);
        // SAFETY: the name is NUL-terminated, and O_CREAT comes with mode and value as it must.
        let raw = unsafe { libc::sem_open(name.as_ptr(), flags, mode, value as libc::c_uint) };
        match NonNull::new(raw) {
            Some(raw) if raw.as_ptr() != libc::SEM_FAILED => Ok(Semaphore {
                raw,
                name,
                named: true,
            }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// The name by which another process opens it.
    pub(crate) fn name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// Adds one.
    pub(crate) fn post(&self) -> io::Result<()> {
        // SAFETY: `raw` is an open semaphore.
        match unsafe { libc::sem_post(self.raw.as_ptr()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Waits until the value is positive and takes one off. `false` if that did not happen in time.
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

    /// Removes the name; who has opened the semaphore keeps it.
    pub(crate) fn unlink(&mut self) {
        if std::mem::take(&mut self.named) {
            // SAFETY: the name is NUL-terminated. That it may be gone already is no matter.
            unsafe { libc::sem_unlink(self.name.as_ptr()) };
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

/// The moment that lies `time` ahead, on the clock that semaphores are timed by.
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

/// A copy of this process's standard error for a child to write to.
pub(crate) fn copy_of_standard_error() -> io::Result<OwnedFd> {
    // SAFETY: the call takes plain numbers; a closed standard error makes it fail.
    match unsafe { libc::fcntl(libc::STDERR_FILENO, libc::F_DUPFD_CLOEXEC, 3) } {
        raw if raw >= 0 => {
            // SAFETY: `raw` is an open descriptor that nobody else owns.
            Ok(unsafe { OwnedFd::from_raw_fd(raw) })
        }
        _ => Err(io::Error::last_os_error()),
    }
}
