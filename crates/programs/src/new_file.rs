//! Files that appear whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::failure::Failure;

/// Exit status after Ctrl-C: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// A file that is written under another name beside its place and moved there when it is complete. Whatever happens before,
/// also Ctrl-C, leaves what was there.
pub struct NewFile {
    path: PathBuf,
    writer: BufWriter<File>,
    /// Its present name; a pipe or a device has none, it is written as it comes.
    temporary: Option<TempPath>,
}

impl NewFile {
    /// Begins the file of this name.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn create(path: &Path) -> Result<NewFile, Failure> {
        NewFile::with_mode(path, 0o666)
    }

    /// The same for a secret: nobody else may read it, at no time.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn secret(path: &Path) -> Result<NewFile, Failure> {
        NewFile::with_mode(path, 0o600)
    }

    fn with_mode(path: &Path, mode: u32) -> Result<NewFile, Failure> {
        let wrong = |error: io::Error| named(path, &error);
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            let file = File::options().write(true).open(path).map_err(wrong)?;
            return Ok(NewFile {
                path: path.to_owned(),
                writer: BufWriter::new(file),
                temporary: None,
            });
        }
        // What a link points to is replaced, not the link.
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = match place.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let (file, temporary) = begin(folder, mode).map_err(wrong)?.into_parts();
        forget_on_interrupt(&temporary).map_err(wrong)?;
        Ok(NewFile {
            path: place,
            writer: BufWriter::with_capacity(1 << 16, file),
            temporary: Some(temporary),
        })
    }

    /// Everything is written: the file takes its place.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the file cannot be moved.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.writer
            .flush()
            .map_err(|error| named(&self.path, &error))?;
        match self.temporary {
            Some(temporary) => temporary
                .persist(&self.path)
                .map_err(|error| named(&self.path, &error.error)),
            None => Ok(()),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(unix)]
fn begin(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    tempfile::Builder::new()
        .prefix(".croupier-")
        .suffix(".part")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)
}

fn named(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::runtime(format!("{}: {error}", path.display())),
    }
}

/// Ctrl-C removes the unfinished file, also while the program waits for its input.
fn forget_on_interrupt(temporary: &Path) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let temporary = temporary.to_owned();
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            // If it has taken its place by now, it is complete.
            let _ = std::fs::remove_file(&temporary);
            std::process::exit(INTERRUPTED);
        }
    });
    Ok(())
}
