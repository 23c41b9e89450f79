//! The embedded interpreter is the one that the build found.

use assize_oracle::{libpython_folder, python_version};

#[test]
fn the_interpreter_is_a_python_3() {
    let version = python_version().expect("an interpreter");
    println!("{version}");
    assert!(version.starts_with("3."), "{version}");
}

/// A libpython of the same name elsewhere would run as well, and nobody would notice.
#[cfg(target_os = "linux")]
#[test]
fn the_libpython_is_the_linked_one() {
    python_version().expect("an interpreter");
    let maps = std::fs::read_to_string("/proc/self/maps").expect("a map of this process");
    let mut loaded: Vec<_> = maps
        .lines()
        .filter_map(|line| line.find('/').and_then(|at| line.get(at..)))
        .filter(|path| path.contains("libpython"))
        .collect();
    loaded.dedup();
    println!("{loaded:?}");
    let folder = std::fs::canonicalize(libpython_folder()).expect("the folder of the linked libpython");
    for path in loaded {
        let path = std::fs::canonicalize(path).expect("a loaded library");
        assert!(path.starts_with(&folder), "{} is not in {}", path.display(), folder.display());
    }
}
