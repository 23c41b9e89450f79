//! A file that is added to a language is built in too: without this only a change of a known file would be noticed.

fn main() {
    println!("cargo:rerun-if-changed=languages");
}
