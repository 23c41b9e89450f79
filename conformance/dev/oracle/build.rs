//! Makes the tests find the very libpython they were linked with.
//!
//! Without the link argument a test still runs, but on whichever libpython of that name the loader meets first. The folder
//! is handed on as well, so that `tests/interpreter.rs` can check what was loaded.

fn main() {
    pyo3_build_config::add_libpython_rpath_link_args();
    let folder = pyo3_build_config::get().lib_dir().unwrap_or_default();
    println!("cargo::rustc-env=ASSIZE_ORACLE_LIBPYTHON_FOLDER={folder}");
}
