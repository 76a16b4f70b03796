//! Files that appear only when they are complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::failure::{Failure, ShownPath};
use crate::interrupt;

/// Beginning and end of the names of temporary files.
const PREFIX: &str = ".croupier-";
const SUFFIX: &str = ".part";

/// Minimum age of a temporary file before it is removed. Another process may not have locked a younger one yet.
const MIN_AGE: Duration = Duration::from_secs(60);

/// Whether existing files may not be replaced by outputs of commands.
static PROTECTS_EXISTING: AtomicBool = AtomicBool::new(false);

/// Protects existing files: from now on [`check_output`] refuses them.
pub fn protect_existing() {
    PROTECTS_EXISTING.store(true, Ordering::Relaxed);
}

/// Checks that an output of a command would not replace a file. Standard output (`-`), pipes and devices are no files.
///
/// # Errors
/// If the file exists and is protected.
pub fn check_output(path: &Path) -> Result<(), Failure> {
    let exists = std::fs::metadata(path).is_ok_and(|data| data.is_file());
    match exists && path.as_os_str() != "-" && PROTECTS_EXISTING.load(Ordering::Relaxed) {
        true => Err(Failure::usage(format!(
            "{}: the file exists; --force replaces it",
            path.shown()
        ))),
        false => Ok(()),
    }
}

/// A file that is written under a temporary name in the same folder and renamed when it is complete. Until then, and
/// after any interruption, an existing file of that name stays as it was.
///
/// An incomplete file is locked. One without a lock was left by a killed process; it is removed when the next file is
/// created in the folder.
pub struct NewFile {
    path: PathBuf,
    writer: BufWriter<File>,
    /// Temporary path. `None` for a pipe or device, which is written directly.
    temporary: Option<TemporaryPath>,
    /// Whether an existing file of the same name is kept.
    keeps_existing: bool,
}

/// Temporary path of an incomplete file. Dropping it removes the file.
struct TemporaryPath(Option<TempPath>);

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        if let Some(temporary) = &self.0 {
            interrupt::finish_file(temporary);
        }
    }
}

impl NewFile {
    /// Creates the file of this name.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> Result<NewFile, Failure> {
        NewFile::with_mode(path, 0o666)
    }

    /// Creates the file as [`Self::create`] does, but does not replace an existing file unless the user allows it
    /// ([`protect_existing`]).
    ///
    /// # Errors
    /// If the file exists and is protected, or cannot be created.
    pub fn output(path: &Path) -> Result<NewFile, Failure> {
        check_output(path)?;
        NewFile::create(path)
    }

    /// Creates the file as [`Self::create`] does, for a secret: no other user can read the file at any time, and an
    /// existing file is never replaced.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn secret(path: &Path) -> Result<NewFile, Failure> {
        let file = NewFile::with_mode(path, 0o600)?;
        Ok(NewFile {
            keeps_existing: true,
            ..file
        })
    }

    /// Creates the file as [`Self::create`] does. No file of this name may exist now or when the new one is complete.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create_new(path: &Path) -> Result<NewFile, Failure> {
        let file = NewFile::create(path)?;
        Ok(NewFile {
            keeps_existing: true,
            ..file
        })
    }

    /// Creates the file as [`Self::create`] does, with the permissions of the existing file that it replaces.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn replace(path: &Path) -> Result<NewFile, Failure> {
        let file = NewFile::create(path)?;
        let wrong = |error: io::Error| failure(path, &error);
        let permissions = std::fs::metadata(path).map_err(wrong)?.permissions();
        let changed = file.writer.get_ref().set_permissions(permissions);
        changed.map_err(wrong).map(|()| file)
    }

    fn with_mode(path: &Path, mode: u32) -> Result<NewFile, Failure> {
        let wrong = |error: io::Error| failure(path, &error);
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            let file = File::options().write(true).open(path).map_err(wrong)?;
            return Ok(NewFile {
                path: path.to_owned(),
                writer: BufWriter::new(file),
                temporary: None,
                keeps_existing: false,
            });
        }
        // If the path is a link, its target is replaced, not the link.
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = match place.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        remove_abandoned(folder);
        let begun = interrupt::begin_file(path, || begin(folder, mode)).map_err(wrong)?;
        let (file, temporary) = begun.into_parts();
        let temporary = Some(TemporaryPath(Some(temporary)));
        // On a file system without locks, continue without a lock.
        let _ = file.try_lock();
        Ok(NewFile {
            path: place,
            writer: BufWriter::with_capacity(1 << 16, file),
            temporary,
            keeps_existing: false,
        })
    }

    /// Renames the complete file to its final name. Returns it, still locked, so that the caller can append.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the file cannot be renamed.
    pub fn finish(mut self) -> Result<File, Failure> {
        let wrong = |error: io::Error| failure(&self.path, &error);
        self.writer.flush().map_err(wrong)?;
        let file = self.writer.get_ref().try_clone().map_err(wrong)?;
        let Some(mut unfinished) = self.temporary.take() else {
            return Ok(file);
        };
        // The content must be on the disk before the rename: otherwise a crash of the machine could leave an empty file
        // in the place of a complete one.
        file.sync_all().map_err(wrong)?;
        if let Some(temporary) = unfinished.0.take() {
            let name = temporary.to_path_buf();
            let moved = match self.keeps_existing {
                true => temporary.persist_noclobber(&self.path),
                false => temporary.persist(&self.path),
            };
            interrupt::finish_file(&name);
            moved.map_err(|error| failure(&self.path, &error.error))?;
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

/// Returns the error with the name of the file, so that callers need not add it.
pub(crate) fn with_name(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.shown()))
}

/// Creates the temporary file. On systems without permission bits, the folder determines who may read it.
fn begin(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut file = Builder::new();
    file.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    file.tempfile_in(folder)
}

/// Removes incomplete files of killed processes from the folder: temporary files without a lock.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let ours = name.starts_with(PREFIX) && name.ends_with(SUFFIX);
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) && is_abandoned(&entry.path())
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let age = file.metadata().and_then(|data| data.modified());
    age.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > MIN_AGE))
        && file.try_lock().is_ok()
}

fn failure(path: &Path, error: &io::Error) -> Failure {
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
    fn abandoned_temporary_files_are_removed_and_locked_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - 2 * MIN_AGE;
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
        // A dropped file leaves no temporary file either.
        drop(NewFile::create(&folder.path().join("b.txt")).unwrap());
        assert_eq!(names(folder.path()), there);
    }

    #[test]
    fn an_existing_file_stays_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boards.pbn");
        std::fs::write(&path, b"old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["boards.pbn"]);
    }

    #[test]
    fn secrets_and_new_files_replace_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, b"old").unwrap();
        for create in [NewFile::secret, NewFile::create_new] {
            let mut file = create(&path).unwrap();
            file.write_all(b"new").unwrap();
            assert!(file.finish().is_err());
            assert_eq!(std::fs::read(&path).unwrap(), b"old");
        }
        assert_eq!(names(folder.path()), ["key"]);
    }

    #[cfg(unix)]
    #[test]
    fn secrets_are_readable_by_their_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let mut file = NewFile::secret(&path).unwrap();
        file.write_all(b"key").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            assert_eq!(mode(&entry.unwrap().path()), 0o600);
        }
        file.finish().unwrap();
        assert_eq!(mode(&path), 0o600);
    }
}
