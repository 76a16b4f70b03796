//! Functions that differ between operating systems.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;

/// Converts bytes of a command line to an `OsString`. On systems where these are not bytes, decodes UTF-8.
#[must_use]
pub fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    return String::from_utf8_lossy(bytes).into_owned().into();
}

/// Fills `bytes` from offset `at` of a file. Other threads may read at other offsets at the same time.
///
/// # Errors
/// If the file cannot be read or ends earlier.
pub fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, at);
    #[cfg(windows)]
    {
        let (mut bytes, mut at) = (bytes, at);
        while !bytes.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => (bytes, at) = (&mut bytes[read..], at + read as u64),
            }
        }
        Ok(())
    }
}

/// Returns whether standard output was closed when the process started.
#[must_use]
pub fn stdout_was_closed() -> bool {
    #[cfg(target_os = "linux")]
    return closed_stdout::CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_os = "linux"))]
    false
}

/// Detection of a closed standard output, before the standard library replaces it with the null device. Then all output
/// would be lost and the exit status be 0. `/dev/full` takes its place, so that the first write is an error.
#[cfg(target_os = "linux")]
mod closed_stdout {
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn replace_closed() {
        // SAFETY: the calls take integers and a NUL-terminated string.
        unsafe {
            if libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) != -1 {
                return;
            }
            CLOSED.store(true, Ordering::Relaxed);
            let full = libc::open(c"/dev/full".as_ptr(), libc::O_WRONLY);
            if full >= 0 && full != libc::STDOUT_FILENO {
                libc::dup2(full, libc::STDOUT_FILENO);
                libc::close(full);
            }
        }
    }

    // SAFETY: the section holds pointers to functions that are called before `main`; this function uses nothing that is
    // initialised later.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEFORE_MAIN: extern "C" fn() = replace_closed;
}

/// Returns today's date, `YYYY.MM.DD`, in the user's time zone.
#[must_use]
pub fn today() -> String {
    const FORMAT: &str = "%Y.%m.%d";
    match std::env::var("TZ") {
        Ok(zone) if !is_time_zone(&zone) => chrono::Utc::now().format(FORMAT).to_string(),
        _ => chrono::Local::now().format(FORMAT).to_string(),
    }
}

/// Returns whether the value of `TZ` is safe to use: a file that it names must be a short regular file. Reading a
/// device would not end.
fn is_time_zone(zone: &str) -> bool {
    /// Maximum length of a time zone file. The longest in the database have 4 kB.
    const LONGEST: u64 = 1 << 20;
    const FOLDERS: [&str; 4] = [
        "/usr/share/zoneinfo",
        "/share/zoneinfo",
        "/etc/zoneinfo",
        "/usr/share/lib/zoneinfo",
    ];
    let name = zone.strip_prefix(':').unwrap_or(zone);
    // Joining an absolute name replaces the folder.
    let files = FOLDERS.iter().map(|folder| Path::new(folder).join(name));
    files
        .filter_map(|file| std::fs::metadata(file).ok())
        .all(|data| data.is_file() && data.len() <= LONGEST)
}

/// Returns the memory in use, in millions of bytes.
#[cfg(target_os = "linux")]
#[must_use]
pub fn megabytes_in_use() -> f64 {
    statm(1) / 1e6
}

/// Returns an entry of `/proc/self/statm` in bytes: 0 is address space, 1 memory in use.
#[cfg(target_os = "linux")]
fn statm(entry: usize) -> f64 {
    // The file counts pages; their size is often, but not always, four kilobytes.
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split_whitespace().nth(entry)?.parse::<f64>().ok());
    // SAFETY: the call takes and returns an integer.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0.0) * page as f64
}

/// Returns the bytes of address space that are left if it is limited (`ulimit -v`).
#[cfg(target_os = "linux")]
#[must_use]
pub fn address_space_left() -> Option<u64> {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the call fills in the structure and changes nothing else.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
    let limited = known && limit.rlim_cur != libc::RLIM_INFINITY;
    limited.then(|| limit.rlim_cur.saturating_sub(statm(0) as u64))
}

/// Returns `None`: the limit on address space is known on Linux only.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn address_space_left() -> Option<u64> {
    None
}

/// Returns the maximum memory that was in use, in millions of bytes. These systems do not report the current use.
#[cfg(all(unix, not(target_os = "linux")))]
#[must_use]
pub fn megabytes_in_use() -> f64 {
    // SAFETY: all zeros are a valid `rusage`, and the call fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let unit = if cfg!(target_os = "macos") {
        1.0
    } else {
        1024.0
    };
    usage.ru_maxrss as f64 * unit / 1e6
}

/// Returns the memory in use, in millions of bytes.
#[cfg(windows)]
#[must_use]
pub fn megabytes_in_use() -> f64 {
    use windows_sys::Win32::System::ProcessStatus::{
        K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS,
    };
    use windows_sys::Win32::System::Threading::GetCurrentProcess;
    let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    // SAFETY: all zeros are valid counters, and the call fills in at most the number of bytes that it gets as an
    // argument.
    let counters = unsafe {
        let mut counters: PROCESS_MEMORY_COUNTERS = std::mem::zeroed();
        K32GetProcessMemoryInfo(GetCurrentProcess(), &mut counters, size);
        counters
    };
    counters.WorkingSetSize as f64 / 1e6
}
