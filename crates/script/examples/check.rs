//! Checks a script and explains its plan: `cargo run -p croupier-script --example check -- script.dl [v1|v2]`.

use croupier_script::plan::Mode;
use croupier_script::{CompileOptions, ScriptSource, compile};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let mode = match arguments.next().as_deref() {
        Some("v1") => Mode::V1,
        Some("v2") => Mode::V2,
        _ => Mode::Native,
    };
    let source = ScriptSource::new(name.clone(), std::fs::read(name)?);
    let options = CompileOptions {
        mode,
        ..CompileOptions::default()
    };
    match compile(&source, &options) {
        Ok((plan, warnings)) => {
            warnings.iter().for_each(|w| eprint!("{}", w.render()));
            print!("{}", plan.explain());
        }
        Err(errors) => errors.iter().for_each(|e| eprint!("{}", e.render())),
    }
    Ok(())
}
