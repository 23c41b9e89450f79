//! The command line of Assize.

mod cli;

use assize::exit::Exit;

fn main() -> Exit {
    cli::main()
}
