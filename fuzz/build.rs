//! Makes the targets find the very libpython they were linked with, as the build file of `assize-oracle` says.

fn main() {
    pyo3_build_config::add_libpython_rpath_link_args();
}
