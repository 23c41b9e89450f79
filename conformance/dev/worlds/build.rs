//! Makes the tests find the very libpython they were linked with, as the oracle's own `build.rs` says.

fn main() {
    pyo3_build_config::add_libpython_rpath_link_args();
}
