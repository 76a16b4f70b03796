//! Loaders for `import`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use script::{LoadError, Loaded, Loader, ScriptSource};

use crate::spec::ImportedText;

/// A loader without files. Its error message reveals nothing about any file.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoImports;

impl Loader for NoImports {
    fn load(&self, _: &str, _: &str) -> Result<Loaded, LoadError> {
        Err(LoadError::Refused(
            "scripts cannot import files here".into(),
        ))
    }
}

/// A loader for the files of one folder and the folders below it.
#[derive(Clone, Debug)]
pub struct FolderImports {
    root: PathBuf,
}

impl FolderImports {
    /// Loads files of this folder. A path in a script is relative to the importing file if that is in the folder too,
    /// else to the folder.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn new(folder: impl Into<PathBuf>) -> std::io::Result<FolderImports> {
        let root = folder.into().canonicalize()?;
        Ok(FolderImports { root })
    }
}

impl Loader for FolderImports {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        // All errors have the same message, so that it reveals nothing about files outside the folder.
        let refused =
            || LoadError::Refused("there is no such file in the folder of scripts".into());
        let folder = PathBuf::from(importer)
            .parent()
            .map_or_else(|| self.root.clone(), |folder| self.root.join(folder));
        let file = folder.join(path).canonicalize().map_err(|_| refused())?;
        let name = file.strip_prefix(&self.root).map_err(|_| refused())?;
        let text = std::fs::read(&file).map_err(|_| refused())?;
        let name = name.to_string_lossy().into_owned();
        Ok(Loaded {
            identity: name.clone(),
            source: ScriptSource::new(name, text),
        })
    }
}

/// A loader for texts that the program contains.
#[derive(Clone, Debug, Default)]
pub struct BundledImports {
    texts: BTreeMap<String, Vec<u8>>,
}

impl BundledImports {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> BundledImports {
        BundledImports::default()
    }

    /// Adds a text under the name that scripts import.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> BundledImports {
        self.texts.insert(name.into(), text.into());
        self
    }
}

impl<N: Into<String>, T: Into<Vec<u8>>> FromIterator<(N, T)> for BundledImports {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(texts: I) -> Self {
        let texts = texts.into_iter().map(|(n, t)| (n.into(), t.into()));
        BundledImports {
            texts: texts.collect(),
        }
    }
}

impl Loader for BundledImports {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let beside = importer.rsplit_once('/').map(|(folder, _)| folder);
        let beside = beside.map(|folder| format!("{folder}/{path}"));
        let found = beside
            .into_iter()
            .chain([path.to_owned()])
            .find_map(|name| Some((self.texts.get(&name)?, name)));
        let (text, name) = found
            .ok_or_else(|| LoadError::Refused("there is no script of this name here".into()))?;
        Ok(Loaded {
            identity: name.clone(),
            source: ScriptSource::new(name, text.as_slice()),
        })
    }
}

/// Records the texts that another loader finds, so that the job can be repeated without it.
pub(crate) struct Recording<'a> {
    loader: &'a dyn Loader,
    found: Mutex<Vec<ImportedText>>,
}

impl<'a> Recording<'a> {
    pub fn new(loader: &'a dyn Loader) -> Recording<'a> {
        Recording {
            loader,
            found: Mutex::default(),
        }
    }

    pub fn found(self) -> Vec<ImportedText> {
        self.found.into_inner().unwrap_or_default()
    }
}

impl Loader for Recording<'_> {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let loaded = self.loader.load(importer, path)?;
        if let Ok(mut found) = self.found.lock() {
            found.push(ImportedText {
                importer: importer.to_owned(),
                path: path.to_owned(),
                identity: loaded.identity.clone(),
                name: loaded.source.name.clone(),
                text: loaded.source.text.clone().into(),
            });
        }
        Ok(loaded)
    }
}

/// Finds the recorded texts.
pub(crate) struct Recorded<'a>(pub &'a [ImportedText]);

impl Loader for Recorded<'_> {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let found = self
            .0
            .iter()
            .find(|import| import.importer == importer && import.path == path);
        let import = found.ok_or_else(|| {
            LoadError::Refused("the job does not hold the text of this file".into())
        })?;
        Ok(Loaded {
            identity: import.identity.clone(),
            source: ScriptSource::new(import.name.clone(), import.text.bytes()),
        })
    }
}
