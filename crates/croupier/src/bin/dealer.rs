//! The program `dealer`: the drop-in successor of the classic.

use std::process::ExitCode;

fn main() -> ExitCode {
    croupier::dealer::main(std::env::args_os())
}
