//! `croupier.Script`, and the exceptions of jobs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use croupier::cards::Seat;
use croupier::scenarios::OrBundle;
use croupier::script::plan::{Action, ReportTerm};
use croupier::script::{Dialect, Severity};
use croupier::session::{Error, FileLoader, Job, JobSpec, Session};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::value_error;

create_exception!(
    croupier,
    ScriptError,
    PyValueError,
    "The script is wrong. `line`, `column`, `code` and `message` are those of the first error, `diagnostics` has all; \
     the text shows each place with a caret below it."
);
create_exception!(
    croupier,
    DealError,
    PyRuntimeError,
    "The script is right, but it gives no result: an expression failed on a deal, or the settings exclude each other."
);

/// Converts a message to a dictionary.
fn diagnostic<'py>(
    py: Python<'py>,
    message: &croupier::session::Diagnostic,
) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("code", message.code)?;
    entry.set_item("file", message.place.file.to_string())?;
    entry.set_item("line", message.place.line)?;
    entry.set_item("column", message.place.column)?;
    entry.set_item("message", in_python_terms(&message.message))?;
    entry.set_item("notes", message.notes.clone())?;
    Ok(entry)
}

/// Returns a message with the names of Python's arguments instead of those of switches.
fn in_python_terms(text: &str) -> String {
    let mut text = text.to_owned();
    for number in 0..10 {
        let switch = format!("option -{number}");
        let argument = format!("argument _{number}");
        text = text.replace(
            &format!("({switch} is not given or empty)"),
            &format!("(give it as _{number}=)"),
        );
        text = text.replace(&switch, &argument);
    }
    for seat in Seat::ALL {
        let letter = seat.letter();
        let argument = format!("predeal[\"{letter}\"]");
        text = text.replace(
            &format!("option -{letter}"),
            &format!("argument {argument}"),
        );
        if let Some(rest) = text.strip_prefix(&format!("-{letter}:")) {
            text = format!("{argument}:{rest}");
        }
    }
    text
}

/// Returns the exception for messages about a script.
pub fn script_error(py: Python<'_>, messages: &[croupier::session::Diagnostic]) -> PyResult<PyErr> {
    let text: String = messages
        .iter()
        .map(|message| in_python_terms(&message.render()))
        .collect();
    let error = ScriptError::new_err(text.trim_end().to_owned());
    let value = error.value(py);
    let entries: PyResult<Vec<_>> = messages.iter().map(|it| diagnostic(py, it)).collect();
    if let Some(first) = messages.first() {
        value.setattr("code", first.code)?;
        value.setattr("line", first.place.line)?;
        value.setattr("column", first.place.column)?;
        value.setattr("message", in_python_terms(&first.message))?;
    }
    value.setattr("diagnostics", entries?)?;
    Ok(error)
}

/// Converts the error of a job to a Python exception.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Script(messages) => script_error(py, messages).unwrap_or_else(|error| error),
        Error::Run { .. } | Error::Supply(_) | Error::Mixture(_) => {
            DealError::new_err(error.to_string())
        }
        _ => value_error(error),
    }
}

/// Parses the name of a dialect.
pub fn dialect(name: &str) -> PyResult<Dialect> {
    match name.to_ascii_lowercase().as_str() {
        "croupier" => Ok(Dialect::default()),
        name => name.parse().map_err(value_error),
    }
}

/// A compiled script. Several threads can use it at the same time.
///
/// `Script("condition hcp(north) >= $1", _1=15)`: keyword arguments `_0` to `_9` are the texts of `$0` to `$9`. A
/// script given as text cannot import files; `Script.from_file` reads a file, which may import others in its folder.
#[pyclass(module = "croupier", frozen, name = "Script")]
pub struct Script {
    pub spec: JobSpec,
    text: String,
    warnings: Vec<String>,
}

impl Script {
    /// Compiles the script of a job.
    pub fn read(
        py: Python<'_>,
        job: Job,
        text: String,
        variables: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Script> {
        let mut job = job;
        for (name, value) in variables.into_iter().flatten() {
            let name: String = name.extract()?;
            let number = name
                .strip_prefix('_')
                .and_then(|digit| digit.parse().ok())
                .filter(|&n: &usize| n < 10);
            let number = number.ok_or_else(|| {
                pyo3::exceptions::PyTypeError::new_err(format!(
                    "unexpected keyword argument {name:?}; script variables are _0 to _9"
                ))
            })?;
            job = job.variable(number, value.str()?.to_string());
        }
        let session = py
            .detach(|| job.prepare())
            .map_err(|error| raise(py, &error))?;
        let warnings = session
            .warnings()
            .iter()
            .map(|warning| in_python_terms(warning.render().trim_end()))
            .collect();
        Ok(Script {
            spec: session.spec().clone(),
            text,
            warnings,
        })
    }
}

/// A script that evaluates expressions, their smallest and largest values, and warnings about them.
type CompiledValues = (Script, Vec<(i32, i32)>, Vec<String>);

/// Returns the exception for an expression that cannot be compiled. It begins on line `line` of the script.
fn value_fault(
    py: Python<'_>,
    name: &str,
    text: &str,
    line: usize,
    messages: &[croupier::session::Diagnostic],
) -> PyErr {
    let mut shown = String::new();
    for message in messages.iter().filter(|it| it.severity == Severity::Error) {
        let place = message.place.line as usize;
        let within = text.lines().nth(place.wrapping_sub(line));
        let _ = write!(shown, "{name}: {}", in_python_terms(&message.message));
        if let Some(source) = within {
            let caret = " ".repeat(message.place.column.saturating_sub(1) as usize);
            let _ = write!(shown, "\n    {source}\n    {caret}^");
        }
        shown.push('\n');
    }
    let error = script_error(py, messages).unwrap_or_else(|error| error);
    let _ = error.value(py).setattr("args", (shown.trim_end(),));
    error
}

impl Script {
    /// Returns this script, its condition replaced by one that always holds, with an action that reports expressions;
    /// its text, and the session or the errors.
    fn reporting(&self, texts: &[String]) -> PyResult<(String, Result<Session, Error>)> {
        let terms: Vec<String> = texts.iter().map(|text| format!("(\n{text}\n)")).collect();
        let report = format!("\ncondition 1\naction printrpt({})\n", terms.join(","));
        let mut spec = self.spec.clone();
        let mut bytes = spec.script.bytes().to_vec();
        bytes.extend_from_slice(report.as_bytes());
        spec.script = bytes.into();
        spec.actions = None;
        let text = format!("{}{report}", self.text);
        Ok((text, Job::from_spec(spec).prepare()))
    }
}

#[pymethods]
impl Script {
    #[new]
    #[pyo3(signature = (text, *, name="script", dialect="native", **variables))]
    fn new(
        py: Python<'_>,
        text: String,
        name: &str,
        dialect: &str,
        variables: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Script> {
        let job = Job::new(text.clone())
            .name(name)
            .dialect(self::dialect(dialect)?);
        Script::read(py, job, text, variables)
    }

    /// Reads a script from a file.
    #[staticmethod]
    #[pyo3(signature = (path, *, dialect="native", **variables))]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        dialect: &str,
        variables: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Script> {
        let bytes = std::fs::read(&path).map_err(|error| crate::files::with_name(error, &path))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let name = Path::new(&path).display().to_string();
        let job = Job::new(bytes)
            .name(name)
            .dialect(self::dialect(dialect)?)
            .imports(OrBundle(FileLoader));
        Script::read(py, job, text, variables)
    }

    /// Returns the script with text appended. It uses the imports of this script.
    fn extended(&self, py: Python<'_>, text: &str) -> PyResult<Script> {
        let mut spec = self.spec.clone();
        let mut bytes = spec.script.bytes().to_vec();
        bytes.extend_from_slice(text.as_bytes());
        spec.script = bytes.into();
        Script::read(
            py,
            Job::from_spec(spec),
            format!("{}{text}", self.text),
            None,
        )
    }

    /// Compiles expressions one by one, each with its name in messages, and returns a script that evaluates them all,
    /// their smallest and largest possible values, and warnings about them. They may use names that this script defines.
    fn with_values(
        &self,
        py: Python<'_>,
        values: Vec<(String, String)>,
    ) -> PyResult<CompiledValues> {
        let mut ranges = Vec::new();
        let mut warnings = Vec::new();
        let own = self.warnings.len();
        for (name, text) in &values {
            let lines = String::from_utf8_lossy(self.spec.script.bytes())
                .matches('\n')
                .count();
            let (_, session) = self.reporting(std::slice::from_ref(text))?;
            let session = session.map_err(|error| match error {
                Error::Script(messages) => value_fault(py, name, text, lines + 4, &messages),
                other => raise(py, &other),
            })?;
            let Some(Action::PrintReport(terms)) = session.plan().actions.first() else {
                return Err(value_error(format!(
                    "{name}: {text:?} is not one expression"
                )));
            };
            let [ReportTerm::Value(node)] = terms[..] else {
                return Err(value_error(format!(
                    "{name}: {text:?} is not one expression"
                )));
            };
            let facts = session.plan().facts_of(node);
            ranges.push((facts.min, facts.max));
            let more = session.warnings().iter().skip(own);
            warnings.extend(
                more.filter(|it| it.code == "W12")
                    .map(|it| format!("{name}: {}", it.message)),
            );
        }
        let texts: Vec<String> = values.into_iter().map(|(_, text)| text).collect();
        let (text, session) = self.reporting(&texts)?;
        let session = session.map_err(|error| raise(py, &error))?;
        let script = Script {
            spec: JobSpec {
                actions: Some(vec![0]),
                ..session.spec().clone()
            },
            text,
            warnings: Vec::new(),
        };
        Ok((script, ranges, warnings))
    }

    /// Text of the script.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Name of the script in messages.
    #[getter]
    fn name(&self) -> &str {
        &self.spec.name
    }

    /// Warnings about the script.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Script({:?})", self.text)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Script>()
            .is_ok_and(|other| other.get().spec == self.spec)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.text.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let this = slf.get();
        let spec = serde_json::to_string(&this.spec).map_err(value_error)?;
        Ok((
            slf.get_type().getattr("_restored")?,
            (spec, this.text.clone()),
        ))
    }

    #[staticmethod]
    fn _restored(py: Python<'_>, spec: &str, text: String) -> PyResult<Script> {
        let spec = serde_json::from_str(spec).map_err(value_error)?;
        Script::read(py, Job::from_spec(spec), text, None)
    }
}
