//! What the systems call by different names.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;

/// A word of the command line, or a part of one, from its bytes. Where names are not made of bytes it is read as UTF-8.
#[must_use]
pub fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    return String::from_utf8_lossy(bytes).into_owned().into();
}

/// Fills `bytes` from this place of a file; other threads may read elsewhere meanwhile.
///
/// # Errors
/// If it cannot be read, or ends before.
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

/// Whether standard output was closed when the process began.
#[must_use]
pub fn stdout_was_closed() -> bool {
    #[cfg(target_os = "linux")]
    return closed_stdout::CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_os = "linux"))]
    false
}

/// A closed standard output, found before the standard library opens the null device in its place: then everything
/// would be written to nowhere and the status be 0. The device that is always full takes its place, so that the first
/// write is an error.
#[cfg(target_os = "linux")]
mod closed_stdout {
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn replace_closed() {
        // SAFETY: the calls take plain numbers and a text that ends with zero.
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

    // SAFETY: the section holds pointers to functions that are called before `main`; this one uses nothing that is set
    // up later.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEFORE_MAIN: extern "C" fn() = replace_closed;
}

/// The date of today, `YYYY.MM.DD`, in the time zone of the user.
#[must_use]
pub fn today() -> String {
    const FORMAT: &str = "%Y.%m.%d";
    match std::env::var("TZ") {
        Ok(zone) if !is_time_zone(&zone) => chrono::Utc::now().format(FORMAT).to_string(),
        _ => chrono::Local::now().format(FORMAT).to_string(),
    }
}

/// Whether the variable `TZ` can be looked up: a file that it names has to be a short regular file. A device would be read
/// for ever.
fn is_time_zone(zone: &str) -> bool {
    /// The longest files of the database of time zones have 4 kB.
    const LONGEST: u64 = 1 << 20;
    const FOLDERS: [&str; 4] = [
        "/usr/share/zoneinfo",
        "/share/zoneinfo",
        "/etc/zoneinfo",
        "/usr/share/lib/zoneinfo",
    ];
    let name = zone.strip_prefix(':').unwrap_or(zone);
    // An absolute name replaces the folder.
    let files = FOLDERS.iter().map(|folder| Path::new(folder).join(name));
    files
        .filter_map(|file| std::fs::metadata(file).ok())
        .all(|data| data.is_file() && data.len() <= LONGEST)
}

/// Memory that the process has now, in millions of bytes.
#[cfg(target_os = "linux")]
#[must_use]
pub fn megabytes_in_use() -> f64 {
    statm(1) / 1e6
}

/// Bytes by the entry of this number in the table of the process's memory: 0 is address space, 1 memory in use.
#[cfg(target_os = "linux")]
fn statm(entry: usize) -> f64 {
    // The numbers count pages of four kilobytes, or whatever pages have here.
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split_whitespace().nth(entry)?.parse::<f64>().ok());
    // SAFETY: the call takes a plain number and gives one.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0.0) * page as f64
}

/// Bytes of address space that the process may still take, where that is limited (`ulimit -v`).
#[cfg(target_os = "linux")]
#[must_use]
pub fn address_space_left() -> Option<u64> {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the call fills the structure in and changes nothing else.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
    let limited = known && limit.rlim_cur != libc::RLIM_INFINITY;
    limited.then(|| limit.rlim_cur.saturating_sub(statm(0) as u64))
}

/// Bytes of address space that the process may still take: elsewhere it is not known.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn address_space_left() -> Option<u64> {
    None
}

/// The most memory that the process has had, in millions of bytes.
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

/// Memory that the process has now, in millions of bytes.
#[cfg(windows)]
#[must_use]
pub fn megabytes_in_use() -> f64 {
    use windows_sys::Win32::System::ProcessStatus::{
        K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS,
    };
    use windows_sys::Win32::System::Threading::GetCurrentProcess;
    let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    // SAFETY: all zeros are valid counters, and the call fills in as many bytes as it is told.
    let counters = unsafe {
        let mut counters: PROCESS_MEMORY_COUNTERS = std::mem::zeroed();
        K32GetProcessMemoryInfo(GetCurrentProcess(), &mut counters, size);
        counters
    };
    counters.WorkingSetSize as f64 / 1e6
}
