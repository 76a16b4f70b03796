//! Reads values of a tree. Every mistake is recorded with its path, line and column.

use crate::problem::ProfileMessage;
use crate::tree::{Entry, Tree, Value};

/// Collects errors and warnings while a tree is read.
pub(crate) struct Decoder<'a> {
    text: &'a str,
    pub errors: Vec<ProfileMessage>,
    pub warnings: Vec<ProfileMessage>,
}

/// A value with its path.
#[derive(Clone)]
pub(crate) struct At<'t> {
    pub tree: &'t Tree,
    pub path: String,
}

/// The fields of a table that have not been read yet.
pub(crate) struct Fields<'t> {
    entries: &'t [Entry],
    seen: Vec<bool>,
    at: usize,
    path: String,
}

impl<'a> Decoder<'a> {
    pub fn new(text: &'a str) -> Self {
        Decoder {
            text,
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub fn error(&mut self, at: usize, path: &str, message: impl Into<String>) {
        self.errors.push(ProfileMessage::new(
            self.text,
            at,
            path.to_owned(),
            message.into(),
        ));
    }

    pub fn warn(&mut self, at: usize, path: &str, message: impl Into<String>) {
        self.warnings.push(ProfileMessage::new(
            self.text,
            at,
            path.to_owned(),
            message.into(),
        ));
    }

    fn wrong_kind<T>(&mut self, value: &At, wanted: &str) -> Option<T> {
        let found = value.tree.value.kind();
        self.error(
            value.tree.at,
            &value.path,
            format!("expected {wanted}, found {found}"),
        );
        None
    }

    pub fn text(&mut self, value: &At) -> Option<String> {
        match &value.tree.value {
            Value::Text(text) => Some(text.clone()),
            _ => self.wrong_kind(value, "text"),
        }
    }

    pub fn boolean(&mut self, value: &At) -> Option<bool> {
        match &value.tree.value {
            Value::Bool(b) => Some(*b),
            _ => self.wrong_kind(value, "true or false"),
        }
    }

    pub fn number(&mut self, value: &At) -> Option<f64> {
        match &value.tree.value {
            Value::Number(n) if n.is_finite() => Some(*n),
            _ => self.wrong_kind(value, "a number"),
        }
    }

    /// Reads a whole number between two limits.
    pub fn whole(&mut self, value: &At, low: i64, high: i64) -> Option<i64> {
        let n = self.number(value)?;
        if n.fract() == 0.0 && n >= low as f64 && n <= high as f64 {
            Some(n as i64)
        } else {
            let message = format!("{n} should be a whole number from {low} to {high}");
            self.error(value.tree.at, &value.path, message);
            None
        }
    }

    /// Reads one of a list of words, in any case.
    pub fn word<T: Copy>(&mut self, value: &At, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(value)?;
        let found = words
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(&text));
        if found.is_none() {
            let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = format!(
                "unknown value {text:?}; it should be one of {}",
                all.join(", ")
            );
            self.error(value.tree.at, &value.path, message);
        }
        found.map(|(_, meaning)| *meaning)
    }

    pub fn list<'t>(&mut self, value: &At<'t>) -> Option<Vec<At<'t>>> {
        match &value.tree.value {
            Value::List(items) => Some(
                items
                    .iter()
                    .enumerate()
                    .map(|(i, tree)| At {
                        tree,
                        path: format!("{}[{i}]", value.path),
                    })
                    .collect(),
            ),
            _ => self.wrong_kind(value, "a list"),
        }
    }

    pub fn fields<'t>(&mut self, value: &At<'t>) -> Option<Fields<'t>> {
        match &value.tree.value {
            Value::Table(entries) => Some(Fields {
                entries,
                seen: vec![false; entries.len()],
                at: value.tree.at,
                path: value.path.clone(),
            }),
            _ => self.wrong_kind(value, "a table"),
        }
    }

    /// Takes a field that must be present.
    pub fn required<'t>(&mut self, fields: &mut Fields<'t>, key: &str) -> Option<At<'t>> {
        let found = fields.take(key);
        if found.is_none() {
            let path = fields.path_of(key);
            self.error(fields.at, &path, format!("the field {key:?} is missing"));
        }
        found
    }

    /// Warns about the remaining fields and returns them.
    pub fn unknown(&mut self, fields: Fields) -> crate::model::Extra {
        let mut extra = crate::model::Extra::new();
        for (entry, seen) in fields.entries.iter().zip(&fields.seen) {
            if !seen {
                let path = fields.path_of(&entry.key);
                self.warn(
                    entry.key_at,
                    &path,
                    format!("unknown field {:?} has no effect", entry.key),
                );
                extra.insert(entry.key.clone(), entry.value.value.to_json());
            }
        }
        extra
    }
}

impl<'t> Fields<'t> {
    pub fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// Takes a field, unless it is absent or null. The last value of a repeated field counts.
    pub fn take(&mut self, key: &str) -> Option<At<'t>> {
        let mut found = None;
        for (entry, seen) in self.entries.iter().zip(&mut self.seen) {
            if entry.key == key {
                *seen = true;
                found = Some(&entry.value);
            }
        }
        let tree = found.filter(|tree| !matches!(tree.value, Value::Null))?;
        Some(At {
            tree,
            path: self.path_of(key),
        })
    }

    /// Takes all fields with their names.
    pub fn take_all(&mut self) -> Vec<(String, At<'t>)> {
        self.seen.fill(true);
        self.entries
            .iter()
            .map(|e| {
                (
                    e.key.clone(),
                    At {
                        tree: &e.value,
                        path: self.path_of(&e.key),
                    },
                )
            })
            .collect()
    }
}
