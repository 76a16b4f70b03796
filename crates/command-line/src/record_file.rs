//! Files that grow record by record, and hold whole records at every moment.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::new_file::with_name;

/// Records are handed to the system in pieces of about this size,
const PIECE: usize = 1 << 16;
/// or after this time, so that not much is lost with a process that is killed.
const LONGEST: Duration = Duration::from_millis(500);

/// Where the new records go, and what a record is: so many bytes, or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Into an empty file.
    Anew {
        /// The bytes of a record; lines if none.
        record: Option<u64>,
    },
    /// Behind what there is, which has to consist of whole records too.
    AtEnd {
        /// The bytes of a record; lines if none.
        record: Option<u64>,
    },
    /// Behind whatever there is.
    Anywhere,
}

/// A file that is written record by record. No other process writes it at the same time. Every write of a caller is one
/// or several whole records, and that is how they reach the file: also a full disk leaves no half of a record. Only the
/// system can cut one in two: it copies page by page, and `kill -9` ends it between two of them. Such a file is not
/// appended to.
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// Pipes and devices cannot be cut.
    regular: bool,
    record: Option<u64>,
    pending: Vec<u8>,
    handed_on: Instant,
    /// Whether nothing stood in the file before.
    pub is_new: bool,
}

impl RecordFile {
    /// Opens the file and keeps other processes away from it.
    ///
    /// # Errors
    /// If it cannot be opened, another process writes it, or it does not end with a whole record.
    pub fn open(path: &Path, start: Start) -> io::Result<RecordFile> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let data = file.metadata()?;
        let regular = data.is_file();
        if regular {
            lock(&file)?;
        }
        let mut length = file.metadata()?.len();
        let record = match start {
            Start::Anew { record } | Start::AtEnd { record } => record,
            Start::Anywhere => None,
        };
        match start {
            Start::Anew { .. } if regular => {
                file.set_len(0)?;
                length = 0;
            }
            Start::AtEnd { record } if regular => whole_records(path, length, record)?,
            _ => {}
        }
        Ok(RecordFile {
            path: path.to_owned(),
            file,
            regular,
            record,
            pending: Vec::with_capacity(PIECE),
            handed_on: Instant::now(),
            is_new: length == 0,
        })
    }

    fn hand_on(&mut self) -> io::Result<()> {
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

    /// After a failure: removes the part of a record at the end of what was written.
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
            // That the file cannot be cut either is not worth a second message.
            let _ = self
                .file
                .metadata()
                .and_then(|data| self.file.set_len(data.len().saturating_sub(stump)));
        }
        with_name(&self.path, &error)
    }
}

impl Write for RecordFile {
    /// Takes whole records.
    fn write(&mut self, records: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(records);
        if self.pending.len() >= PIECE || self.handed_on.elapsed() >= LONGEST {
            self.hand_on()?;
        }
        Ok(records.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_on()
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        // Whoever wants to know whether that goes well flushes before.
        let _ = self.hand_on();
    }
}

/// Makes sure that a file ends with a whole record.
fn whole_records(path: &Path, length: u64, record: Option<u64>) -> io::Result<()> {
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

/// Keeps other processes away from a file, or refuses it.
///
/// # Errors
/// If another process has it.
pub fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is writing this file")),
        // A file system without locks is no reason to refuse.
        Err(TryLockError::Error(_)) => Ok(()),
    }
}
