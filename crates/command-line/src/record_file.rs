//! Files that grow record by record and always hold complete records.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::new_file::with_name;

/// Size in bytes at which buffered records are written.
const BUFFER_BYTES: usize = 1 << 16;
/// Maximum time before buffered records are written, so that little is lost if the process is killed.
const FLUSH_INTERVAL: Duration = Duration::from_millis(500);

/// Position of new records, and the format of a record: a fixed number of bytes, or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// Replace the file.
    Truncate {
        /// Length of a record in bytes; `None` for lines.
        record: Option<u64>,
    },
    /// Append to the file, which must consist of complete records.
    Append {
        /// Length of a record in bytes; `None` for lines.
        record: Option<u64>,
    },
    /// Append to the file without a check.
    AppendUnchecked,
}

/// A file that is written record by record, locked against other processes. Every write of a caller consists of
/// complete records, and they reach the file complete: after a failed write, as on a full disk, the partial record is
/// removed. Only `kill -9` can leave a partial record, because the system copies page by page. Such a file is refused
/// when it is opened for appending.
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// Whether this is a regular file. Pipes and devices cannot be truncated.
    regular: bool,
    record: Option<u64>,
    pending: Vec<u8>,
    handed_on: Instant,
    /// Whether the file was empty.
    pub is_new: bool,
}

impl RecordFile {
    /// Opens the file and locks it against other processes.
    ///
    /// # Errors
    /// If it cannot be opened, another process writes to it, or it does not end with a complete record.
    pub fn open(path: &Path, start: OpenMode) -> io::Result<RecordFile> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let data = file.metadata()?;
        let regular = data.is_file();
        if regular {
            lock(&file)?;
        }
        let mut length = file.metadata()?.len();
        let record = match start {
            OpenMode::Truncate { record } | OpenMode::Append { record } => record,
            OpenMode::AppendUnchecked => None,
        };
        match start {
            OpenMode::Truncate { .. } if regular => {
                file.set_len(0)?;
                length = 0;
            }
            OpenMode::Append { record } if regular => check_complete_records(path, length, record)?,
            _ => {}
        }
        Ok(RecordFile {
            path: path.to_owned(),
            file,
            regular,
            record,
            pending: Vec::with_capacity(BUFFER_BYTES),
            handed_on: Instant::now(),
            is_new: length == 0,
        })
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        self.handed_on = Instant::now();
        let pending = std::mem::take(&mut self.pending);
        let mut written = 0;
        while written < pending.len() {
            match self.file.write(&pending[written..]) {
                Ok(0) => return Err(self.cut(&pending[..written], io::ErrorKind::WriteZero.into())),
                Ok(more) => written += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.cut(&pending[..written], error)),
            }
        }
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    /// Truncates the file after its last complete record when a write has failed. Returns `error`.
    fn cut(&self, written: &[u8], error: io::Error) -> io::Error {
        let whole = match self.record {
            Some(record) => written.len() - written.len() % record as usize,
            None => written
                .iter()
                .rposition(|&byte| byte == b'\n')
                .map_or(0, |at| at + 1),
        };
        let stump = (written.len() - whole) as u64;
        if self.regular && stump > 0 {
            // An error of truncating is ignored; the first error is reported.
            let _ = self
                .file
                .metadata()
                .and_then(|data| self.file.set_len(data.len().saturating_sub(stump)));
        }
        with_name(&self.path, &error)
    }
}

impl Write for RecordFile {
    /// Buffers complete records.
    fn write(&mut self, records: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(records);
        if self.pending.len() >= BUFFER_BYTES || self.handed_on.elapsed() >= FLUSH_INTERVAL {
            self.write_buffer()?;
        }
        Ok(records.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_buffer()
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        // Callers that need to know the result flush before dropping.
        let _ = self.write_buffer();
    }
}

/// Checks that a file ends with a complete record.
fn check_complete_records(path: &Path, length: u64, record: Option<u64>) -> io::Result<()> {
    let what = match record {
        Some(record) if !length.is_multiple_of(record) => {
            let whole = length - length % record;
            format!(
                "its length is no multiple of {record} bytes, so its last record is not whole (the first {whole} bytes are whole records) or it is another kind of file"
            )
        }
        None if length > 0 && !ends_with_a_line(path)? => {
            "its last line has no end, so it may be half a line that a killed run left behind; complete or remove it".to_owned()
        }
        _ => return Ok(()),
    };
    Err(io::Error::other(format!(
        "{what}; w: in front of the name starts it anew"
    )))
}

fn ends_with_a_line(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Locks a file against other processes.
///
/// # Errors
/// If another process has locked it.
pub fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is writing this file")),
        // On a file system without locks, continue without a lock.
        Err(TryLockError::Error(_)) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: OpenMode = OpenMode::Append { record: None };
    const PAIRS: OpenMode = OpenMode::Append { record: Some(2) };

    fn refusal(path: &Path, mode: OpenMode) -> String {
        RecordFile::open(path, mode).err().unwrap().to_string()
    }

    #[test]
    fn records_are_appended_to_complete_records_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let mut file = RecordFile::open(&path, LINES).unwrap();
        assert!(file.is_new);
        file.write_all(b"one\n").unwrap();
        drop(file);
        let mut file = RecordFile::open(&path, LINES).unwrap();
        assert!(!file.is_new);
        file.write_all(b"two\n").unwrap();
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo\n");

        std::fs::write(&path, b"one\ntw").unwrap();
        assert!(refusal(&path, LINES).contains("its last line has no end"));
        std::fs::write(&path, b"abc").unwrap();
        let text = refusal(&path, PAIRS);
        assert!(
            text.contains("the first 2 bytes are whole records"),
            "{text}"
        );
        // The file is unchanged after a refusal.
        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
        drop(RecordFile::open(&path, OpenMode::AppendUnchecked).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
        assert!(
            RecordFile::open(&path, OpenMode::Truncate { record: None })
                .unwrap()
                .is_new
        );
        assert_eq!(std::fs::read(&path).unwrap(), b"");
    }

    #[test]
    fn a_file_is_written_by_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let first = RecordFile::open(&path, LINES).unwrap();
        assert!(refusal(&path, LINES).contains("another run is writing this file"));
        drop(first);
        assert!(RecordFile::open(&path, LINES).is_ok());
    }

    #[test]
    fn a_partial_record_is_removed_after_a_failed_write() {
        let folder = tempfile::tempdir().unwrap();
        let cases: [(Option<u64>, &[u8], &[u8]); 4] = [
            (None, b"one\ntwo\nthr", b"one\ntwo\n"),
            (None, b"one\n", b"one\n"),
            (Some(4), b"abcdefg", b"abcd"),
            (Some(4), b"ab", b""),
        ];
        for (record, written, left) in cases {
            let path = folder.path().join("records");
            let file = RecordFile::open(&path, OpenMode::Truncate { record }).unwrap();
            std::fs::write(&path, written).unwrap();
            let error = file.cut(written, io::Error::other("disk full"));
            assert!(error.to_string().contains("disk full"), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), left);
        }
    }
}
