//! `surfaces`: runs the mutator over every function that processes untrusted input, on any compiler.
//!
//! ```text
//!   surfaces list     the names and descriptions
//! surfaces run NAME SECONDS [SEED]    feed mutated inputs; findings go to target/findings
//! surfaces feed NAME FILE...          feed these files
//! surfaces seeds NAME FOLDER          write the seeds, as a first corpus for cargo-fuzz
//! surfaces dictionary NAME            print the words as a dictionary of libFuzzer
//! surfaces bomb DEALER SECONDS [SEED] give scripts that ask for a lot to a program, within --time and --memory
//! ```

#[path = "surfaces/bomb.rs"]
mod bomb;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use croupier_surfaces::run::{RunLength, feed, run};
use croupier_surfaces::{Surface, all, find};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match answer(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("surfaces: {message}");
            ExitCode::FAILURE
        }
    }
}

fn answer(words: &[&str]) -> Result<(), String> {
    match words {
        ["list"] => {
            for surface in all() {
                println!("{:16} {}", surface.name, surface.about);
            }
            Ok(())
        }
        ["run", name, seconds] => mutate(named(name)?, seconds, "1"),
        ["run", name, seconds, seed] => mutate(named(name)?, seconds, seed),
        ["feed", name, files @ ..] => {
            let surface = named(name)?;
            files.iter().try_for_each(|file| {
                let input = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
                feed(surface, &input).map_err(|message| format!("{file}: {message}"))?;
                Ok(())
            })
        }
        ["seeds", name, folder] => seeds(named(name)?, Path::new(folder)),
        ["dictionary", name] => {
            // libFuzzer rejects a dictionary with an empty word.
            for word in (named(name)?.words)().into_iter().filter(|it| !it.is_empty()) {
                let bytes = word.bytes().map(|byte| format!("\\x{byte:02x}"));
                println!("\"{}\"", bytes.collect::<String>());
            }
            Ok(())
        }
        ["bomb", dealer, seconds] => bomb::against(dealer, seconds, "1"),
        ["bomb", dealer, seconds, seed] => bomb::against(dealer, seconds, seed),
        _ => Err(
            "usage: surfaces list | run NAME SECONDS [SEED] | feed NAME FILE... | seeds NAME FOLDER | dictionary NAME | bomb DEALER SECONDS [SEED]"
                .to_owned(),
        ),
    }
}

fn named(name: &str) -> Result<&'static Surface, String> {
    find(name).ok_or_else(|| format!("there is no surface {name:?}; `surfaces list` shows them"))
}

fn mutate(surface: &'static Surface, seconds: &str, seed: &str) -> Result<(), String> {
    let wrong = |text: &str| format!("{text:?} is not a number");
    let time = Duration::from_secs(seconds.parse().map_err(|_| wrong(seconds))?);
    let seed = seed.parse().map_err(|_| wrong(seed))?;
    let findings = PathBuf::from("target/findings");
    let account = run(surface, seed, RunLength::Time(time), &findings)
        .map_err(|finding| finding.to_string())?;
    println!(
        "{:16} {:>9} inputs, {:>5} kinds of answers, slowest {:>7.1} ms, {:>5} MiB",
        surface.name,
        account.inputs,
        account.kinds,
        account.slowest.as_secs_f64() * 1e3,
        account.memory >> 20
    );
    Ok(())
}

fn seeds(surface: &Surface, folder: &Path) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(wrong)?;
    for (number, seed) in (surface.seeds)().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number:05}")), seed).map_err(wrong)?;
    }
    Ok(())
}
