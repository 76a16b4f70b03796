//! Writing of a whole file at once.

use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;
use crate::new_file::NewFile;

/// Writes a file, which appears only when it is complete; `-` is standard output.
///
/// # Errors
/// If it cannot be written; the message contains the path.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    let mut file = NewFile::output(path)?;
    file.write_all(bytes)?;
    file.finish().map(drop)
}
