//! Writes what a target judged for a file of generator bytes, as a find: `decode TARGET FILE`.
//!
//! For the crash files of libFuzzer. Add the note, and store it below `fuzz/regressions/TARGET`.

use std::process::ExitCode;

use assize_fuzzing::targets;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, file] = arguments.as_slice() else {
        let names: Vec<_> = targets::ALL.iter().map(|target| target.name).collect();
        eprintln!("usage: decode TARGET FILE\ntargets: {}", names.join(", "));
        return ExitCode::from(64);
    };
    let Some(target) = targets::ALL.iter().find(|target| target.name == name) else {
        eprintln!("no target `{name}`; without arguments the targets are listed");
        return ExitCode::from(64);
    };
    let octets = match std::fs::read(file) {
        Ok(octets) => octets,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(3);
        }
    };
    match (target.decode)(&octets) {
        Some(find) => {
            print!("{}", find.text());
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("{file}: stands for no input of {name}");
            ExitCode::FAILURE
        }
    }
}
