//! Bytes that become a file at once.

use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;
use crate::new_file::NewFile;

/// Writes a file that appears whole or not at all; `-` is standard output.
///
/// # Errors
/// If it cannot be written; the message names it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.finish().map(drop)
}
