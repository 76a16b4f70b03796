//! Detection of the type of a user's file: a WebAssembly module or a program.

use std::path::Path;

use crate::UserMetricError;

/// The first bytes of a WebAssembly binary.
const MAGIC: &[u8] = b"\0asm";

/// Returns whether the file is a WebAssembly module (binary or text) and not a program.
pub(crate) fn is_module(path: &Path) -> Result<bool, UserMetricError> {
    let has_extension = |wanted: &str| {
        path.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
    };
    if has_extension("wat") || has_extension("wasm") {
        return Ok(true);
    }
    let mut start = [0; MAGIC.len()];
    let opened = std::fs::File::open(path);
    let read = opened.and_then(|mut file| std::io::Read::read(&mut file, &mut start));
    match read {
        Ok(count) => Ok(&start[..count] == MAGIC),
        // A program can be executable without being readable.
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Ok(false),
        Err(error) => Err(UserMetricError::CannotOpen {
            path: path.display().to_string(),
            reason: error.to_string(),
        }),
    }
}
