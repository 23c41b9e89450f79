//! How tests start programs.

use std::{
    env,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// The Python interpreter's own path. What `PATH` names may be a script that looks for it and costs more than a test at each start.
pub(crate) static PYTHON: LazyLock<PathBuf> = LazyLock::new(|| {
    let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let output = output.expect("python3 starts");
    PathBuf::from(String::from_utf8(output.stdout).expect("the path is UTF-8").trim_end())
});

/// The search path of this process, after the folder of the interpreter.
static SEARCHED: LazyLock<OsString> = LazyLock::new(|| {
    let folders = PYTHON.parent().map(Path::to_path_buf).into_iter();
    let all = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.chain(env::split_paths(&all))).expect("no folder holds a separator")
});

/// A command that finds, and whose children find, the interpreter itself.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.env("PATH", &*SEARCHED);
    // Nothing appears among the packages of the interpreter while another test digests them.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
