//! Which program we are asked to be. This must be known before any other switch is read.

use std::ffi::{OsStr, OsString};

use script::plan::Mode;

/// The environment variable that chooses a dialect when no switch does.
pub const VARIABLE: &str = "CROUPIER_COMPAT";

/// Finds the dialect and takes the switch that names it out of `words` (the arguments after the
/// program's name). The first `--compat X`, `--compat=X` or `--legacy` before `--` decides, then
/// the environment, then the name of the program.
///
/// # Errors
/// If a dialect is named that does not exist.
pub fn choose(
    program: &OsStr,
    words: &mut Vec<OsString>,
    environment: Option<OsString>,
) -> Result<Mode, String> {
    for at in 0..words.len() {
        let word = words[at].to_string_lossy().into_owned();
        match word.as_str() {
            "--" => break,
            "--legacy" => {
                words.remove(at);
                return Ok(Mode::Exe);
            }
            "--compat" => {
                words.remove(at);
                if at == words.len() {
                    return Err("--compat needs v1, exe or v2".into());
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
    Ok(match crate::program_name(program).as_str() {
        "dealerv1" => Mode::V1,
        "dealerv2" => Mode::V2,
        _ => Mode::Native,
    })
}

fn named(name: &str, where_from: &str) -> Result<Mode, String> {
    match name {
        "v1" => Ok(Mode::V1),
        "exe" => Ok(Mode::Exe),
        "v2" => Ok(Mode::V2),
        "native" => Ok(Mode::Native),
        other => Err(format!(
            "{where_from}: there is no dialect {other:?}; use v1, exe or v2"
        )),
    }
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
        );
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
    fn then_the_environment_then_the_name() {
        assert_eq!(choose_from("dealerv2", "f", Some("v1")).0, Ok(Mode::V1));
        assert_eq!(choose_from("/usr/bin/dealerv2", "f", None).0, Ok(Mode::V2));
        assert_eq!(choose_from("dealerv1", "f", Some("")).0, Ok(Mode::V1));
        assert_eq!(choose_from("dealer", "f", None).0, Ok(Mode::Native));
    }
}
