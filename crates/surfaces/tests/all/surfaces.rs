//! Every surface processes its seeds, its regression corpus, and a few thousand mutated inputs.
//!
//! A failure names a file with the input, in `target/findings`. Inputs of former failures stay in
//! `fuzz/regressions/NAME`.

use std::fs;
use std::path::PathBuf;

use croupier_surfaces::run::{RunLength, feed, run};
use croupier_surfaces::{Surface, all, find};

fn root() -> PathBuf {
    croupier_surfaces::seeds::root()
}

/// Returns the inputs of former failures of the surface.
fn regressions(surface: &Surface) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = root().join("fuzz/regressions").join(surface.name);
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

/// Ends the process of a surface with a message. A panic here would be recorded, and its message suppressed.
fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(1);
}

fn holds(name: &str) {
    let surface = find(name).unwrap();
    for (path, input) in regressions(surface) {
        if let Err(message) = feed(surface, &input) {
            fail(&format!("{}: {message}", path.display()));
        }
    }
    let folder = root().join("target/findings");
    match run(surface, 1, RunLength::Inputs(surface.inputs), &folder) {
        Err(finding) => fail(&finding.to_string()),
        Ok(account) => {
            if account.inputs <= surface.inputs {
                fail(&format!("{name} has no seeds"));
            }
            if account.kinds <= 3 {
                fail(&format!(
                    "{name}: all answers are alike, so little was tried"
                ));
            }
        }
    }
}

/// Runs each test in a process of its own, because panics of all threads are recorded and must be attributed to one
/// test.
fn in_its_own_process(test: &str, body: impl Fn()) {
    const CHILD: &str = "SURFACE";
    if std::env::var(CHILD).is_ok_and(|chosen| chosen == test) {
        return body();
    }
    let program = std::env::current_exe().unwrap();
    let output = std::process::Command::new(program)
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, test)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

macro_rules! surfaces_hold {
    ($($test:ident => $name:literal),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                in_its_own_process(stringify!($test), || holds($name));
            }
        )*

        #[test]
        fn every_surface_is_tested() {
            let tested = [$($name),*];
            assert_eq!(all().map(|surface| surface.name).collect::<Vec<_>>(), tested);
        }
    };
}

surfaces_hold! {
    script => "script",
    layout => "layout",
    columns => "columns",
    paths => "paths",
    runs => "runs",
    shapes => "shapes",
    pbn => "pbn",
    lin => "lin",
    zrd => "zrd",
    dl52 => "dl52",
    csv => "csv",
    json => "json",
    pages => "pages",
    dup => "dup",
    bri => "bri",
    dge => "dge",
    dlm => "dlm",
    handviewer => "handviewer",
    partials => "partials",
    profiles => "profiles",
    played => "played",
    ranges => "ranges",
    histories => "histories",
    modules => "modules",
    metric_server => "metric-server",
    command_lines => "command-lines",
    questions => "questions",
    http => "http",
    bombs => "bombs",
    editor => "editor",
}

/// The runner detects a violated guarantee and keeps its input.
#[test]
fn a_violated_guarantee_is_reported_and_its_input_is_kept() {
    static BROKEN: Surface = Surface {
        name: "broken",
        about: "Breaks on a brace.",
        feed: |input| {
            assert!(!input.contains(&b'{'), "a brace");
            u64::from(input.len() > 3)
        },
        seeds: || vec![b"words".to_vec()],
        words: || vec!["x{x".to_owned()],
        inputs: 0,
    };
    in_its_own_process(
        "a_violated_guarantee_is_reported_and_its_input_is_kept",
        || {
            let folder = std::env::temp_dir().join(format!("surfaces-{}", std::process::id()));
            let finding = run(&BROKEN, 1, RunLength::Inputs(100_000), &folder).unwrap_err();
            assert!(finding.message.contains("a brace"), "{finding}");
            assert!(fs::read(&finding.path).unwrap().contains(&b'{'));
            fs::remove_dir_all(folder).unwrap();
        },
    );
}

/// cargo-fuzz has a target for every surface, and the page about reliability a line.
#[test]
fn every_surface_has_a_target_and_a_line_in_the_documentation() {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    let page = fs::read_to_string(root().join("docs/dev/reliability.md")).unwrap();
    for surface in all() {
        let name = surface.name;
        let target =
            fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{name}.rs"))).unwrap();
        assert!(
            target.contains(&format!("find(\"{name}\")")),
            "fuzz_targets/{name}.rs"
        );
        assert!(
            manifest.contains(&format!("name = \"{name}\"\n")),
            "fuzz/Cargo.toml: {name}"
        );
        assert!(
            page.contains(&format!("| `{name}` |")),
            "docs/dev/reliability.md: {name}"
        );
    }
    let targets = fs::read_dir(root().join("fuzz/fuzz_targets"))
        .unwrap()
        .count();
    assert_eq!(targets, all().count(), "targets without a surface");
}
