//! Selection of the dialect. The dialect must be known before any other switch is parsed.

use std::ffi::{OsStr, OsString};

use croupier::script::dialect::{self, DIALECTS, Dialect};
use croupier::script::plan::Mode;

/// Environment variable that selects a dialect when no switch does.
pub const VARIABLE: &str = "CROUPIER_COMPAT";

/// Finds the dialect and removes the switch that names it from `words` (the arguments after the program's name). The
/// first `--compat X`, `--compat=X` or `--legacy` before `--` decides, then the environment, then the name of the
/// program.
///
/// # Errors
/// If the named dialect does not exist.
pub fn choose(
    program: &OsStr,
    words: &mut Vec<OsString>,
    environment: Option<OsString>,
) -> Result<Dialect, String> {
    for at in 0..words.len() {
        let word = words[at].to_string_lossy().into_owned();
        match word.as_str() {
            "--" => break,
            "--legacy" => {
                words.remove(at);
                return Ok(Mode::Exe.into());
            }
            "--compat" => {
                words.remove(at);
                if at == words.len() {
                    return Err(format!("--compat needs {}", dialect::names()));
                }
                return named(&words.remove(at).to_string_lossy(), "--compat");
            }
            other => {
                if let Some(name) = other.strip_prefix("--compat=") {
                    let name = name.to_owned();
                    words.remove(at);
                    return named(&name, "--compat");
                }
            }
        }
    }
    if let Some(name) = environment.filter(|name| !name.is_empty()) {
        return named(&name.to_string_lossy(), VARIABLE);
    }
    let program = crate::shared::program_name(program);
    let linked = DIALECTS
        .iter()
        .find(|row| row.link == Some(program.as_str()));
    Ok(linked.map_or_else(Dialect::default, |row| row.dialect))
}

/// Returns whether `name` is a name of this program: `dealer`, or that of a link which chooses a dialect.
#[must_use]
pub fn is_program_name(name: &str) -> bool {
    name == "dealer" || DIALECTS.iter().any(|row| row.link == Some(name))
}

fn named(name: &str, where_from: &str) -> Result<Dialect, String> {
    name.parse()
        .map_err(|error| format!("{where_from}: {error}"))
}

/// Translates switches of dealer3 to native ones: `-2` exchanges hands, `-X` shows the statistics, `-q` and `-f none`
/// print no deals. Statistics are hidden unless `-v` is given. `--level-measure` and `--level-timeout` are dropped:
/// they limit a measurement that croupier does not need.
pub fn from_dealer3(words: &[OsString]) -> Vec<OsString> {
    let mut ours: Vec<OsString> = vec!["-v".into()];
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().and_then(|next| next.to_str());
        match word.to_str() {
            Some("--") => {
                ours.push(word.clone());
                break;
            }
            Some("-0" | "-2" | "-3") => {
                ours.push("-x".into());
                ours.push(word.to_string_lossy()[1..].into());
            }
            Some("-X") => ours.push("--stats-on".into()),
            Some("-q" | "--quiet" | "-fnone" | "--format=none") => ours.push("--no-deals".into()),
            Some("-f" | "--format") if next == Some("none") => {
                words.next();
                ours.push("--no-deals".into());
            }
            Some("--level-measure" | "--level-timeout") => {
                words.next();
            }
            Some(text)
                if text.starts_with("--level-measure=") || text.starts_with("--level-timeout=") => {
            }
            _ => ours.push(word.clone()),
        }
    }
    ours.extend(words.cloned());
    ours
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose_from(
        program: &str,
        line: &str,
        environment: Option<&str>,
    ) -> (Result<Mode, String>, String) {
        let mut words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let mode = choose(
            OsStr::new(program),
            &mut words,
            environment.map(OsString::from),
        )
        .map(|dialect| dialect.mode);
        let rest: Vec<String> = words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        (mode, rest.join(" "))
    }

    #[test]
    fn the_first_switch_wins_and_is_removed() {
        assert_eq!(
            choose_from("dealer", "-p 3 --compat v1 --legacy f", None),
            (Ok(Mode::V1), "-p 3 --legacy f".into())
        );
        assert_eq!(
            choose_from("dealer", "--legacy", Some("v2")),
            (Ok(Mode::Exe), String::new())
        );
        assert_eq!(
            choose_from("dealer", "--compat=v2 x", None),
            (Ok(Mode::V2), "x".into())
        );
        assert_eq!(
            choose_from("dealer", "-- --legacy", None),
            (Ok(Mode::Native), "-- --legacy".into())
        );
        assert!(choose_from("dealer", "--compat v3", None).0.is_err());
        assert!(choose_from("dealer", "--compat", None).0.is_err());
    }

    #[test]
    fn dealer3_has_switches_of_its_own() {
        let mut words: Vec<OsString> = vec!["--compat".into(), "dealer3".into(), "-2".into()];
        let dialect = choose(OsStr::new("dealer"), &mut words, None).unwrap();
        assert!(dialect.dealer3 && dialect.mode == Mode::Native);
        assert_eq!(from_dealer3(&words), ["-v", "-x", "2"]);
        let ours = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let ours = from_dealer3(&words);
            let ours = ours.iter().map(|word| word.to_string_lossy().into_owned());
            ours.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(ours("-q --stats-json x"), "-v --no-deals --stats-json x");
        assert_eq!(ours("-f none x -f lin"), "-v --no-deals x -f lin");
        assert_eq!(
            ours("--level-measure 500 --level-timeout=9 --level x"),
            "-v --level x"
        );
    }

    #[test]
    fn then_the_environment_then_the_name() {
        assert_eq!(choose_from("dealerv2", "f", Some("v1")).0, Ok(Mode::V1));
        assert_eq!(choose_from("/usr/bin/dealerv2", "f", None).0, Ok(Mode::V2));
        assert_eq!(choose_from("dealerv1", "f", Some("")).0, Ok(Mode::V1));
        assert_eq!(choose_from("dealer", "f", None).0, Ok(Mode::Native));
    }
}
