//! Checks of a script: its errors and warnings, and its settings.

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier::scenarios::{Bundle, OrBundle};
use croupier::script::Severity;
use croupier::script::plan::Plan;
use croupier::session::{BundledImports, Error, Job, Session};
use serde::{Deserialize, Serialize};

use crate::boards::{self, seat_letter, vulnerability_name};
pub use crate::names::Dialect;
use crate::{RequestError, RequestLimits};

/// A request to check a script.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Text of the script.
    pub script: String,
    /// Dialect of the script.
    #[serde(default)]
    pub dialect: Dialect,
    /// Files that the script may import: name and text.
    #[serde(default)]
    pub imports: BTreeMap<String, String>,
    /// Texts for `$0` to `$9`.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
}

/// A change of the text that repairs a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fix {
    /// Description of the change.
    pub title: String,
    /// Replacements, in order of position.
    pub edits: Vec<Edit>,
}

/// A replacement of a part of the script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Edit {
    /// Offset of the first replaced UTF-16 unit.
    pub from: usize,
    /// Offset after the last replaced unit.
    pub to: usize,
    /// New text.
    pub text: String,
}

/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Severity))]
#[serde(rename_all = "lowercase")]
pub enum SeverityName {
    /// The script cannot run.
    Error,
    /// The script can run.
    Warning,
}

/// A message about a place in the script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Diagnostic {
    /// Severity: an error prevents the script from running, a warning does not.
    pub severity: SeverityName,
    /// Code of the message, such as `E203`.
    pub code: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Offset of the first marked UTF-16 unit of the script.
    pub from: usize,
    /// Offset after the last marked unit.
    pub to: usize,
    /// Description of the fault and how to correct it.
    pub message: String,
    /// Additional notes.
    pub notes: Vec<String>,
    /// The message as printed on a terminal, with the source line and a caret.
    pub text: String,
    /// A repair, if one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// Settings of a script.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScriptSettings {
    /// Value of `title`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub title: Option<String>,
    /// Value of `produce`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub produce: Option<u64>,
    /// Value of `generate`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub generate: Option<u64>,
    /// Value of `seed`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub seed: Option<i64>,
    /// Value of `dealer`.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<crate::boards::SeatName>))]
    pub dealer: Option<String>,
    /// Value of `vulnerable`.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<crate::boards::VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// Whether the script has a condition.
    pub condition: bool,
    /// Names of the variables.
    pub variables: Vec<String>,
}

/// Result of a check.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Checked {
    /// Errors and warnings, errors first.
    pub diagnostics: Vec<Diagnostic>,
    /// Settings, if the script has no errors.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub settings: Option<ScriptSettings>,
}

/// Checks a script.
///
/// # Errors
/// If the script is too long. Errors in the script are part of the result.
pub fn check(request: Check, limits: &RequestLimits) -> Result<Checked, RequestError> {
    let read = job(&request, limits)?.seed(1).prepare();
    let translate = |list: &[croupier::script::Diagnostic]| {
        let list = list.iter();
        list.map(|it| diagnostic(&request.script, it)).collect()
    };
    match read {
        Ok(session) => Ok(Checked {
            diagnostics: translate(session.warnings()),
            settings: Some(settings(session.plan())),
        }),
        Err(Error::Script(errors)) => Ok(Checked {
            diagnostics: translate(&errors),
            settings: None,
        }),
        Err(other) => Err(RequestError::of_session(&request.script, other)),
    }
}

/// Creates a job with a script that may import bundled scenarios and the files of the request.
///
/// # Errors
/// If a text is too long, or a parameter is not 0 to 9.
pub(crate) fn job(request: &Check, limits: &RequestLimits) -> Result<Job, RequestError> {
    limits.script(&request.script)?;
    let mut files = BundledImports::new();
    for (name, text) in &request.imports {
        limits.script(text)?;
        files = files.with(name.as_str(), text.as_str());
    }
    let job = Job::new(request.script.as_str());
    // The error of `Bundle` explains that only scenarios can be imported.
    let job = match request.imports.is_empty() {
        true => job.imports(Bundle),
        false => job.imports(OrBundle(files)),
    };
    let mut job = job
        .dialect(request.dialect.0)
        .solver_memory(limits.solver_memory)
        .cancel(Arc::clone(&limits.cancel));
    for (number, text) in &request.variables {
        limits.script(text)?;
        let number = number.parse().map_err(|_| {
            let number = boards::shortened(number);
            RequestError::request(format!("{number:?} is not a parameter: 0 to 9"))
        })?;
        job = job.variable(number, text.as_str());
    }
    if let Some(open) = limits.robots {
        job = job.robots(open(None)?);
    }
    Ok(match &limits.metrics {
        Some(metrics) => job.metrics(Arc::clone(metrics)),
        None => job,
    })
}

/// Prepares a session for questions about a script. Its seed is fixed, so that a question always has one answer.
///
/// # Errors
/// If the script is too long or has errors.
pub(crate) fn session(request: &Check, limits: &RequestLimits) -> Result<Session, RequestError> {
    let job = job(request, limits)?.seed(1);
    job.without_threads_or_clock()
        .prepare()
        .map_err(|error| RequestError::of_session(&request.script, error))
}

/// Converts a message of the compiler; positions are counted in UTF-16 units, as in browsers.
#[must_use]
pub fn diagnostic(text: &str, it: &croupier::script::Diagnostic) -> Diagnostic {
    let own = it.place.file == "script";
    let units = |byte: u32| {
        let mut byte = (byte as usize).min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        text[..byte].encode_utf16().count()
    };
    let (from, to) = match own {
        true => (units(it.place.bytes.start), units(it.place.bytes.end)),
        false => (0, 0),
    };
    Diagnostic {
        severity: match it.severity {
            Severity::Error => SeverityName::Error,
            Severity::Warning => SeverityName::Warning,
        },
        code: it.code.to_owned(),
        line: it.place.line,
        column: it.place.column,
        from,
        to,
        message: it.message.clone(),
        notes: it.notes.clone(),
        text: it.render(),
        fix: it.fix.as_ref().filter(|_| own).map(|fix| Fix {
            title: fix.title.clone(),
            edits: fix
                .edits
                .iter()
                .map(|(bytes, text)| Edit {
                    from: units(bytes.start),
                    to: units(bytes.end),
                    text: text.clone(),
                })
                .collect(),
        }),
    }
}

fn settings(plan: &Plan) -> ScriptSettings {
    let own = &plan.settings;
    ScriptSettings {
        title: own.title.clone(),
        produce: own.produce,
        generate: own.generate,
        seed: own.seed,
        dealer: own.dealer.map(seat_letter),
        vulnerable: own.vulnerable.map(vulnerability_name),
        condition: plan.condition.is_some(),
        variables: plan.variables.iter().map(|it| it.name.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(script: &str) -> Checked {
        let request = Check {
            script: script.to_owned(),
            ..Check::default()
        };
        check(request, &RequestLimits::default()).unwrap()
    }

    #[test]
    fn places_are_counted_in_the_units_of_browsers() {
        let found = checked("# ♠ 😀\ncondition hcp(nrth) > 3");
        let first = &found.diagnostics[0];
        assert_eq!((first.line, first.code.as_str()), (2, "E306"));
        let text: Vec<u16> = "# ♠ 😀\ncondition hcp(nrth) > 3".encode_utf16().collect();
        assert_eq!(
            String::from_utf16(&text[first.from..first.to]).unwrap(),
            "nrth"
        );
    }

    #[test]
    fn an_assignment_in_a_condition_can_be_mended() {
        let found = checked("condition hcp(north) = 15");
        let fix = found.diagnostics[0].fix.clone().unwrap();
        assert_eq!(fix.edits[0].text, "==");
    }

    #[test]
    fn no_file_is_read() {
        let found = checked("import \"/etc/hostname\"\ncondition 1");
        assert!(found.settings.is_none());
        let text = &found.diagnostics[0].message;
        assert!(text.contains("/etc/hostname"), "{text}");
    }
}
