//! The program `dealer`: the drop-in successor of the classic.

use std::process::ExitCode;

fn main() -> ExitCode {
    programs::dealer::main(std::env::args_os())
}
