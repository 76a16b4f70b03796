//! Files from which a run continues: each holds the last state of one run and is replaced as a whole.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::failure::Failure;
use crate::new_file::NewFile;
use crate::record_file;

/// A checkpoint file, locked against other runs while it is open. A reader always finds a complete state in it.
pub struct CheckpointFile {
    path: PathBuf,
    /// Handle that holds the lock on the current file.
    _lock: Option<File>,
}

impl CheckpointFile {
    /// Opens the file and returns its content. If there is no file, creates it with the content that `fresh` returns,
    /// and returns `None`.
    ///
    /// # Errors
    /// If another run has locked the file, if it cannot be read or created, or if `fresh` fails.
    pub fn open(
        path: &Path,
        fresh: impl Fn() -> Result<Vec<u8>, Failure>,
    ) -> Result<(CheckpointFile, Option<Vec<u8>>), Failure> {
        let wrong = |error: io::Error| Failure::at(path, error);
        let locked = |file: File| CheckpointFile {
            path: path.to_owned(),
            _lock: Some(file),
        };
        loop {
            let file = match File::open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let mut file = NewFile::create_new(path)?;
                    file.write_all(&fresh()?)?;
                    match file.finish() {
                        Ok(file) => return Ok((locked(file), None)),
                        // Another run created the file first; it holds the lock.
                        Err(_) if path.exists() => continue,
                        Err(failure) => return Err(failure),
                    }
                }
                Err(error) => return Err(wrong(error)),
            };
            record_file::lock(&file).map_err(wrong)?;
            // The run that held the lock may have replaced the file.
            let mine = file.try_clone().and_then(Handle::from_file);
            if Handle::from_path(path).ok() != Some(mine.map_err(wrong)?) {
                continue;
            }
            let mut content = Vec::new();
            (&file).read_to_end(&mut content).map_err(wrong)?;
            return Ok((locked(file), Some(content)));
        }
    }

    /// Replaces the content. The file keeps the old content until the new one is complete, and stays locked.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn replace(&mut self, content: &[u8]) -> Result<(), Failure> {
        let mut file = NewFile::create(&self.path)?;
        file.write_all(content)?;
        // Windows cannot replace an open file, so close it first.
        if cfg!(windows) {
            self._lock = None;
        }
        self._lock = Some(file.finish()?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(path: &Path) -> (CheckpointFile, Option<Vec<u8>>) {
        CheckpointFile::open(path, || Ok(b"fresh".to_vec())).unwrap()
    }

    #[test]
    fn a_run_continues_from_the_last_state() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part.json");
        let (mut file, content) = opened(&path);
        assert_eq!(content, None);
        assert_eq!(std::fs::read(&path).unwrap(), b"fresh");
        file.replace(b"first").unwrap();
        file.replace(b"second").unwrap();
        drop(file);
        let (_, content) = opened(&path);
        assert_eq!(content.unwrap(), b"second");
    }

    #[test]
    fn a_file_belongs_to_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part.json");
        let refusal = || {
            let other = CheckpointFile::open(&path, || panic!("the file exists"));
            other.err().unwrap().to_string()
        };
        let (mut file, _) = opened(&path);
        assert!(refusal().contains("another run is writing this file"));
        // The lock moves to the new file.
        file.replace(b"first").unwrap();
        assert!(refusal().contains("another run is writing this file"));
        drop(file);
        assert_eq!(opened(&path).1.unwrap(), b"first");
    }

    #[test]
    fn a_failed_start_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part.json");
        let failed = CheckpointFile::open(&path, || Err(Failure::runtime("no deal")));
        assert!(failed.err().unwrap().to_string().contains("no deal"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
