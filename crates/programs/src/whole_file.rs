//! Files that appear whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::failure::Failure;

/// Writes a file under another name and then gives it its own, so that nobody ever sees half of it and an error leaves
/// what was there before. `-` is standard output; what is no file, such as a pipe, is written directly.
///
/// # Errors
/// If it cannot be written; the message names it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    replace(path, bytes).map_err(|error| Failure::runtime(format!("{}: {error}", path.display())))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return fs::write(path, bytes);
    }
    // A link stays one: what it names is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mode = fs::metadata(&path).map_or(0o666, |data| data.permissions().mode() & 0o7777);
    let mut file = tempfile::Builder::new()
        .prefix(".croupier-")
        .permissions(fs::Permissions::from_mode(mode))
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
