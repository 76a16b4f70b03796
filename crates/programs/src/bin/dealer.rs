//! The program `dealer`: the drop-in successor of the classic.

use std::process::ExitCode;

fn main() -> ExitCode {
    match programs::choose_processor_path() {
        Ok(()) => programs::dealer::main(std::env::args_os()),
        Err(failure) => failure.report("dealer"),
    }
}
