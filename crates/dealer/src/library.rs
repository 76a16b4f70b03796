//! A library of solved deals in a file.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use croupier::session::LibraryData;

use crate::failure::ShownPath;
use crate::system::read_exact_at;

/// A library file, read on demand. It is not mapped into memory: if another program truncates a mapped file, the
/// process crashes; with reads it gets an error.
pub struct LibraryFile {
    path: PathBuf,
    file: File,
    size: u64,
}

impl LibraryFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be opened or does not support reading at any position.
    pub fn open(path: &Path) -> io::Result<LibraryFile> {
        let file = File::open(path)?;
        let data = file.metadata()?;
        if !data.is_file() {
            return Err(io::Error::other("a library has to be a file"));
        }
        Ok(LibraryFile {
            path: path.to_owned(),
            file,
            size: data.len(),
        })
    }
}

impl LibraryData for LibraryFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.file, bytes, at).map_err(|error| {
            let name = self.path.shown();
            match error.kind() {
                io::ErrorKind::UnexpectedEof => io::Error::new(
                    error.kind(),
                    format!("{name} has become shorter while it was being read"),
                ),
                kind => io::Error::new(kind, format!("{name}: {error}")),
            }
        })
    }
}
