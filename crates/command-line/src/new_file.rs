//! Files that appear whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::failure::{Failure, ShownPath};
use crate::interrupt;

/// How the names of files begin and end that are not complete.
const PREFIX: &str = ".croupier-";
const SUFFIX: &str = ".part";

/// A file younger than this may be one that another process is about to lock.
const YOUNG: Duration = Duration::from_secs(60);

/// A file that is written under another name beside its place and moved there when it is complete. Whatever happens before,
/// also Ctrl-C, leaves what was there.
///
/// As long as it is not complete it is locked. One that nobody has locked was left by a process that was killed; the next
/// file that is made in the folder removes it.
pub struct NewFile {
    path: PathBuf,
    writer: BufWriter<File>,
    /// Its present name; a pipe or a device has none, it is written as it comes.
    temporary: Option<Unfinished>,
    /// Whether a file that has the name by then stays.
    yields: bool,
}

/// The name of a file that is not complete. The file goes with it.
struct Unfinished(Option<TempPath>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(temporary) = &self.0 {
            interrupt::finished(temporary);
        }
    }
}

impl NewFile {
    /// Begins the file of this name.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn create(path: &Path) -> Result<NewFile, Failure> {
        NewFile::with_mode(path, 0o666)
    }

    /// The same for a secret: nobody else may read it, at no time, and it never takes the place of another.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn secret(path: &Path) -> Result<NewFile, Failure> {
        let file = NewFile::with_mode(path, 0o600)?;
        Ok(NewFile {
            yields: true,
            ..file
        })
    }

    /// The same for a file that must not be there yet, nor when this one is complete.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn first(path: &Path) -> Result<NewFile, Failure> {
        let file = NewFile::create(path)?;
        Ok(NewFile {
            yields: true,
            ..file
        })
    }

    /// The same for a file that is there: it keeps its permissions.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn like(path: &Path) -> Result<NewFile, Failure> {
        let file = NewFile::create(path)?;
        let wrong = |error: io::Error| named(path, &error);
        let permissions = std::fs::metadata(path).map_err(wrong)?.permissions();
        let changed = file.writer.get_ref().set_permissions(permissions);
        changed.map_err(wrong).map(|()| file)
    }

    fn with_mode(path: &Path, mode: u32) -> Result<NewFile, Failure> {
        let wrong = |error: io::Error| named(path, &error);
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            let file = File::options().write(true).open(path).map_err(wrong)?;
            return Ok(NewFile {
                path: path.to_owned(),
                writer: BufWriter::new(file),
                temporary: None,
                yields: false,
            });
        }
        // What a link points to is replaced, not the link.
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = match place.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        remove_left_behind(folder);
        let begun = interrupt::begin(path, || begin(folder, mode)).map_err(wrong)?;
        let (file, temporary) = begun.into_parts();
        let temporary = Some(Unfinished(Some(temporary)));
        // A file system without locks is no reason to refuse.
        let _ = file.try_lock();
        Ok(NewFile {
            path: place,
            writer: BufWriter::with_capacity(1 << 16, file),
            temporary,
            yields: false,
        })
    }

    /// Everything is written: the file takes its place. It is still locked, for those who go on writing there.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the file cannot be moved.
    pub fn finish(mut self) -> Result<File, Failure> {
        let wrong = |error: io::Error| named(&self.path, &error);
        self.writer.flush().map_err(wrong)?;
        let file = self.writer.get_ref().try_clone().map_err(wrong)?;
        let Some(mut unfinished) = self.temporary.take() else {
            return Ok(file);
        };
        // What a name leads to must be on the disk before the name: otherwise a crash of the machine could leave an
        // empty file where there was a whole one.
        file.sync_all().map_err(wrong)?;
        if let Some(temporary) = unfinished.0.take() {
            let name = temporary.to_path_buf();
            let moved = match self.yields {
                true => temporary.persist_noclobber(&self.path),
                false => temporary.persist(&self.path),
            };
            interrupt::finished(&name);
            moved.map_err(|error| named(&self.path, &error.error))?;
        }
        Ok(file)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes);
        written.map_err(|error| with_name(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.writer.flush();
        flushed.map_err(|error| with_name(&self.path, &error))
    }
}

/// The error with the name of the file; whoever hands it on need not add it.
pub(crate) fn with_name(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.shown()))
}

/// Begins a file; who may read it is a matter of its folder where permissions are not bits.
fn begin(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut file = Builder::new();
    file.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    file.tempfile_in(folder)
}

/// Removes what killed processes left in the folder: files that are not complete and that nobody writes.
fn remove_left_behind(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let ours = name.starts_with(PREFIX) && name.ends_with(SUFFIX);
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) && is_left(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn is_left(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let age = file.metadata().and_then(|data| data.modified());
    age.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > YOUNG))
        && file.try_lock().is_ok()
}

fn named(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::at(path, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_process_left_goes_and_what_is_being_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - 2 * YOUNG;
        let leave = |name: &str, time: SystemTime| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(time).unwrap();
            file
        };
        drop(leave(".croupier-dead.part", old));
        drop(leave(".croupier-young.part", SystemTime::now()));
        drop(leave("mine.part", old));
        let written = leave(".croupier-alive.part", old);
        written.lock().unwrap();
        let mut file = NewFile::create(&folder.path().join("a.txt")).unwrap();
        file.write_all(b"whole").unwrap();
        assert!(!folder.path().join("a.txt").exists());
        file.finish().unwrap();
        let there = [
            ".croupier-alive.part",
            ".croupier-young.part",
            "a.txt",
            "mine.part",
        ];
        assert_eq!(names(folder.path()), there);
        // One that is given up leaves nothing either.
        drop(NewFile::create(&folder.path().join("b.txt")).unwrap());
        assert_eq!(names(folder.path()), there);
    }
}
