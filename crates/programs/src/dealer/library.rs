//! A library of solved deals, mapped into memory.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A library file in memory.
pub struct LibraryFile {
    map: Option<Mmap>,
}

impl LibraryFile {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or mapped.
    pub fn open(path: &Path) -> io::Result<LibraryFile> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(LibraryFile { map: None });
        }
        // SAFETY: the map is only read, and as plain bytes: whatever they are, they are valid. If
        // another program cuts the file short meanwhile the system ends us; there is no library
        // format in which that would go well.
        let map = unsafe { Mmap::map(&file)? };
        Ok(LibraryFile { map: Some(map) })
    }
}

impl AsRef<[u8]> for LibraryFile {
    fn as_ref(&self) -> &[u8] {
        self.map.as_deref().unwrap_or_default()
    }
}
