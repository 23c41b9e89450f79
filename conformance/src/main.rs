//! The command line of Assize.

mod cli;

use std::process::ExitCode;

use assize::testee::process;

fn main() -> ExitCode {
    // Before anything else: a launcher of testees has one thread, and is small.
    match process::enter() {
        Some(code) => ExitCode::from(code),
        None => {
            process::start_nothing_else();
            std::process::Termination::report(cli::main())
        }
    }
}
