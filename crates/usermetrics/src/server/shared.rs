//! A safe type for the page of memory that dealer and server share.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;

use super::page::PAGE;

/// A page of memory that a child process can also map, by its descriptor.
pub(crate) struct SharedPage {
    descriptor: OwnedFd,
    start: NonNull<u8>,
}

// SAFETY: only methods with `&mut self` or `&self` that copy bytes use the mapping, and it does not belong
// to a thread.
unsafe impl Send for SharedPage {}

impl SharedPage {
    /// Creates a page of zeros. It has no name in the file system, so that a killed dealer leaves no file, and
    /// only its owner may open it. Its size is sealed: if a server could shorten it, the dealer would crash.
    pub(crate) fn new() -> io::Result<SharedPage> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a NUL-terminated string; the call has no other requirement.
        let raw = unsafe { libc::memfd_create(c"dealer_mmap".as_ptr(), flags) };
        if raw < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: `raw` is an open descriptor that nobody else owns.
        let descriptor = unsafe { OwnedFd::from_raw_fd(raw) };
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: the descriptor is open, and the calls take plain numbers besides.
        let prepared = unsafe {
            libc::fchmod(raw, 0o600) == 0
                && libc::ftruncate(raw, PAGE as libc::off_t) == 0
                && libc::fcntl(raw, libc::F_ADD_SEALS, seals) == 0
        };
        if !prepared {
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

    /// Returns the descriptor that a child process uses to map the page.
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

/// Duplicates the standard error of this process for a child process.
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
