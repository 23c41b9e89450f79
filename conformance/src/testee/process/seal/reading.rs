//! What a sealed testee may read: its subject, its runtime, the system's libraries, and what a configuration adds.
//!
//! The subject is what a caller names, or the working folder; beside it the program, and every argument that is a file. The runtime is the folder above that of
//! the program, where an installation begins, and what the data of its language names. Nothing is run to find that out.

use std::{
    collections::BTreeSet,
    env,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use assize_generators::language::{Language, Runtime};

use super::Seal;

/// Libraries and programs of the system, and what these read at their start. Nothing here is anybody's own.
const SYSTEM: &[&str] = &[
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/share",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
];

/// Folders that programs of an installation lie in.
const PROGRAMS: &[&str] = &["bin", "sbin", "Scripts", "shims"];
/// What shows that an installation lies above such a folder.
const INSTALLATION: &[&str] = &["lib", "lib64", "libexec", "pyvenv.cfg"];
/// Programs that run other programs, beside those of the languages that are known here.
const INTERPRETERS: &[&str] = &[
    "bash", "beam*", "bun", "busybox", "dash", "deno", "dotnet", "elixir", "env", "erl", "escript", "guile*", "julia",
    "lua*", "mono", "node*", "npx", "perl*", "php*", "Rscript", "ruby*", "sh", "ts-node", "tsx", "uv", "wasmtime",
    "zsh",
];
/// Folders of an installation that hold what somebody adds to it, whatever else it comes with.
const PACKAGES: &[&str] = &["dist-packages", "gems", "node_modules", "site-packages", "site_perl", "site_ruby"];
/// Folders of the system in which such folders are somebody's own.
const ADDED: &[&str] = &["/usr/local/lib", "/usr/local/lib64"];
/// The most files and folders among which such folders are looked for.
const LOOKED_AT: usize = 200_000;
/// Interpreters that start interpreters.
const DEPTH: usize = 4;
/// The longest first line of a script that counts.
const FIRST_LINE: u64 = 512;

/// What a testee may read, and what it must not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Files and folders, from the root.
    pub(crate) paths: Vec<PathBuf>,
    /// Files and folders that are hidden in these.
    pub(crate) hidden: Vec<PathBuf>,
    /// Whether that is the whole system.
    pub(crate) open: bool,
}

/// What a command may read; `base` is its working folder, `named` what else it consists of, if anything is named.
pub(crate) fn reading(
    seal: &Seal,
    named: Vec<PathBuf>,
    base: &Path,
    program: &Path,
    arguments: &[OsString],
) -> Reading {
    let files = arguments.iter().map(|word| base.join(word)).filter(|path| path.is_file());
    let own = if named.is_empty() { vec![base.to_owned()] } else { named };
    let subject: Vec<PathBuf> = own.into_iter().chain([program.to_owned()]).chain(files).collect();
    let configured: Vec<PathBuf> = seal.readable.iter().map(|path| base.join(path)).collect();
    let root = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path.parent().is_none());
    let open = seal.open || configured.iter().chain(&subject).any(root);
    // What the command itself names is meant to be read, the harness too.
    let named: BTreeSet<PathBuf> = subject.iter().filter_map(|path| path.canonicalize().ok()).collect();
    // One whose real name cannot be had is hidden by the name that it has, or nothing is started.
    let hidden = seal
        .hidden
        .iter()
        .map(|path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.clone()));
    let hidden = hidden.filter(|path| !named.contains(path)).collect();
    let mut paths: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    let Runtimes { programs, installations, data, .. } = runtime(program, base);
    paths.extend(programs.into_iter().chain(installations).chain(data));
    paths.extend(subject);
    paths.extend(configured);
    Reading { paths, hidden, open }
}

/// What a program runs on.
#[derive(Debug, Default)]
struct Runtimes {
    /// The program, and what interprets it.
    programs: BTreeSet<PathBuf>,
    /// The installations of these.
    installations: BTreeSet<PathBuf>,
    /// What the data of their language names.
    data: BTreeSet<PathBuf>,
    /// Whether any of them runs other programs.
    interprets: bool,
}

/// What of a runtime somebody may have added to it, by real names, so that an implementation may lie there: packages, virtual environments, what
/// lies in a home, and interpreters that no argument names. The system's own folders and the rest of an installation are not among it.
///
/// # Errors
/// There is too much to look through.
pub(crate) fn added(program: &Path, base: &Path) -> Result<Vec<PathBuf>, String> {
    let Runtimes { programs, installations, data, interprets } = runtime(program, base);
    let system: Vec<PathBuf> = SYSTEM.iter().filter_map(|path| Path::new(path).canonicalize().ok()).collect();
    // Folders of `/etc` that a language names are the system's too.
    let of_system = |path: &Path| path.starts_with("/etc") || system.iter().any(|known| path.starts_with(known));
    let own = |paths: BTreeSet<PathBuf>| {
        let real = paths.into_iter().filter_map(|path| path.canonicalize().ok());
        real.filter(|path| !of_system(path)).collect::<BTreeSet<_>>()
    };
    let mut found = own(programs);
    // The program is digested by itself.
    if let Ok(program) = program.canonicalize() {
        found.remove(&program);
    }
    let (environments, mut left): (Vec<_>, Vec<_>) =
        own(installations).into_iter().partition(|path| path.join("pyvenv.cfg").exists());
    // A virtual environment that says so has nothing of the installation below it but the language's own.
    let alone = environments.iter().any(|path| is_alone(path));
    if alone {
        left.clear();
    }
    found.extend(environments);
    found.extend(own(data));
    if interprets && !alone {
        left.extend(ADDED.iter().filter_map(|path| Path::new(path).canonicalize().ok()));
    }
    let mut seen = 0;
    while let Some(folder) = left.pop() {
        // What cannot be read here, no testee reads.
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen > LOOKED_AT {
                return Err(format!("{} and its like hold more than {LOOKED_AT} files and folders", folder.display()));
            }
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            if PACKAGES.iter().any(|name| entry.file_name() == *name) {
                found.insert(entry.path());
            } else if !found.contains(&entry.path()) {
                left.push(entry.path());
            }
        }
    }
    let within = |path: &PathBuf| path.ancestors().skip(1).any(|above| found.contains(above));
    Ok(found.iter().filter(|path| !within(path)).cloned().collect())
}

/// Whether a virtual environment says that it has no packages but its own; where it says nothing, it has them.
fn is_alone(environment: &Path) -> bool {
    let said = settings(environment, "include-system-site-packages");
    said.iter().any(|value| value.eq_ignore_ascii_case("false"))
}

/// The values of a name in what a virtual environment says of itself; none where nothing does.
fn settings(environment: &Path, wanted: &str) -> Vec<String> {
    let text = fs::read_to_string(environment.join("pyvenv.cfg")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once('='));
    lines.filter(|(name, _)| name.trim() == wanted).map(|(_, value)| value.trim().to_owned()).collect()
}

/// The installations of a program and of what interprets it.
fn runtime(program: &Path, base: &Path) -> Runtimes {
    let (mut found, mut names) = (Runtimes::default(), BTreeSet::new());
    let mut next = vec![(program.to_owned(), 0)];
    while let Some((program, depth)) = next.pop() {
        let real = program.canonicalize().ok();
        for path in [Some(&program), real.as_ref()].into_iter().flatten() {
            names.extend(path.file_name().map(OsStr::to_owned));
            // What lies above another program may be the program itself, and is for its caller to name.
            if interprets(path) {
                found.interprets = true;
                found.installations.extend(installation(path));
            }
        }
        if depth < DEPTH {
            next.extend(interpreters(&program, base).into_iter().map(|found| (found, depth + 1)));
        }
        found.programs.insert(program);
    }
    for language in languages() {
        if names.iter().any(|name| language.programs.iter().any(|pattern| fits(pattern, name))) {
            found.data.extend(language.folders.iter().flat_map(|folder| places(folder)));
        }
    }
    found
}

/// What lies above the folder of a program, and above that of the installation that a virtual environment is made from.
fn installation(program: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else { return Vec::new() };
    let called =
        |names: &[&str], path: &Path| path.file_name().is_some_and(|name| names.iter().any(|known| name == *known));
    let Some(above) = folder.parent().filter(|_| called(PROGRAMS, folder)) else { return Vec::new() };
    // These hold far more than an installation.
    let shared = ["/", "/usr", "/usr/local"].iter().map(PathBuf::from).chain(home().into_iter().flat_map(|home| {
        let own = home.join(".local");
        home.ancestors().map(Path::to_owned).chain([own]).collect::<Vec<_>>()
    }));
    let real = above.canonicalize().unwrap_or_else(|_| above.to_owned());
    if shared.into_iter().any(|shared| shared == above || shared == real)
        || !called(&["shims"], folder) && !INSTALLATION.iter().any(|name| above.join(name).exists())
    {
        return Vec::new();
    }
    let mut found = vec![above.to_owned()];
    for home in settings(above, "home") {
        let program = Path::new(&home).join("python");
        // A virtual environment may be made from another one; the chain ends with the first that is none.
        found.extend(if program.starts_with(above) { Vec::new() } else { installation(&program) });
        found.extend(program.canonicalize().ok().iter().flat_map(|program| installation(program)));
    }
    found
}

/// The program that a script names in its first line; after `env` that is one of the path.
fn interpreters(program: &Path, base: &Path) -> Vec<PathBuf> {
    let Ok(file) = File::open(program) else { return Vec::new() };
    let mut line = Vec::new();
    if !program.is_file() || BufReader::new(file).take(FIRST_LINE).read_until(b'\n', &mut line).is_err() {
        return Vec::new();
    }
    let line = String::from_utf8_lossy(&line);
    let Some(words) = line.strip_prefix("#!") else { return Vec::new() };
    let mut words = words.split_whitespace();
    let Some(interpreter) = words.next().map(|word| base.join(word)) else { return Vec::new() };
    let behind = words.find(|word| !word.starts_with('-') && !word.contains('='));
    let is_env = interpreter.file_name().is_some_and(|name| name == "env");
    let found = behind.filter(|_| is_env).and_then(|name| on_path(name, base));
    [Some(interpreter), found].into_iter().flatten().collect()
}

/// Whether a program runs other programs, of which its own file says nothing.
pub(crate) fn interprets(program: &Path) -> bool {
    let real = program.canonicalize().ok();
    let names = [Some(program), real.as_deref()].into_iter().flatten().filter_map(Path::file_name);
    let known = || languages().iter().flat_map(|language| &language.programs).map(String::as_str);
    names.into_iter().any(|name| known().chain(INTERPRETERS.iter().copied()).any(|pattern| fits(pattern, name)))
}

fn on_path(name: &str, base: &Path) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| base.join(folder).join(name)).find(|file| file.is_file())
}

fn home() -> Option<PathBuf> {
    env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
}

/// What every language says about its toolchain.
fn languages() -> &'static [Runtime] {
    static LANGUAGES: OnceLock<Vec<Runtime>> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        let languages = Language::names().into_iter().filter_map(|name| Language::built_in(&name).ok());
        languages.map(|language| language.config.runtime).collect()
    })
}

/// Whether a name fits a pattern, in which one star stands for anything.
fn fits(pattern: &str, name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    match pattern.split_once('*') {
        Some((start, end)) => name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => *name == *pattern,
    }
}

/// The folders that a pattern names: it may begin with `~` or a variable, and its last name may hold a star.
fn places(pattern: &str) -> Vec<PathBuf> {
    let path = Path::new(pattern);
    let mut parts = path.components();
    let first = parts.next().and_then(|part| part.as_os_str().to_str()).unwrap_or_default();
    let start = match first.strip_prefix('$') {
        Some(variable) => env::var_os(variable).map(PathBuf::from),
        None if first == "~" => home(),
        None => Some(PathBuf::from(first)),
    };
    let Some(whole) = start.map(|start| start.join(parts.as_path())).filter(|path| path.is_absolute()) else {
        return Vec::new();
    };
    let (Some(above), Some(name)) = (whole.parent(), whole.file_name().and_then(OsStr::to_str)) else {
        return Vec::new();
    };
    if !name.contains('*') {
        return vec![whole];
    }
    let entries = fs::read_dir(above).into_iter().flatten().flatten();
    entries.filter(|entry| fits(name, &entry.file_name())).map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(readable: &[&Path], hidden: &[&Path]) -> Seal {
        let owned = |paths: &[&Path]| paths.iter().map(|path| path.to_path_buf()).collect();
        Seal {
            launcher: "x".into(),
            readable: owned(readable),
            writable: Vec::new(),
            hidden: owned(hidden),
            open: false,
        }
    }

    #[test]
    fn a_pattern_holds_one_star() {
        for (pattern, name, holds) in [
            ("python*", "python3.11", true),
            ("python*", "pytho", false),
            ("node", "node", true),
            ("node", "nodes", false),
            ("a*b", "ab", true),
            ("a*b", "a", false),
        ] {
            assert_eq!(fits(pattern, OsStr::new(name)), holds, "{pattern} {name}");
        }
    }

    #[test]
    fn the_subject_is_the_folder_the_program_and_the_files_that_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let (base, other) = (folder.path().join("work"), folder.path().join("other"));
        fs::create_dir(&base).unwrap();
        fs::write(&other, "x").unwrap();
        let words = ["../other".into(), "--flag".into(), "nowhere".into(), base.clone().into_os_string()];
        let read = reading(&seal(&[Path::new("extra")], &[]), Vec::new(), &base, Path::new("/bin/sh"), &words);
        for path in [&base, &base.join("../other"), Path::new("/bin/sh"), &base.join("extra"), Path::new("/usr/lib")] {
            assert!(read.paths.iter().any(|known| known == path), "{path:?}: {read:?}");
        }
        assert!(!read.open && !read.paths.iter().any(|path| path.starts_with("/root") || path == Path::new("/etc")));
    }

    #[test]
    fn a_subject_that_is_named_stands_for_the_working_folder() {
        let (base, own) = (Path::new("/base"), PathBuf::from("/own"));
        let read = reading(&seal(&[], &[]), vec![own.clone()], base, Path::new("/bin/sh"), &[]);
        assert!(read.paths.contains(&own) && !read.paths.iter().any(|path| path == base), "{read:?}");
    }

    #[test]
    fn what_the_command_names_is_not_hidden_from_it() {
        let folder = tempfile::tempdir().unwrap();
        let (key, tool) = (folder.path().join("key"), folder.path().join("tool"));
        fs::write(&key, "x").unwrap();
        fs::write(&tool, "x").unwrap();
        let read = reading(&seal(&[], &[&key, &tool]), Vec::new(), folder.path(), &tool, &[]);
        assert_eq!(read.hidden, [key.canonicalize().unwrap()]);
    }

    #[test]
    fn the_root_as_a_readable_folder_is_everything() {
        assert!(reading(&seal(&[Path::new("/")], &[]), Vec::new(), Path::new("/bin"), Path::new("/bin/sh"), &[]).open);
        assert!(reading(&seal(&[], &[]), Vec::new(), Path::new("/"), Path::new("/bin/sh"), &[]).open);
    }

    #[test]
    fn a_virtual_environment_brings_what_it_was_made_from() {
        let folder = tempfile::tempdir().unwrap();
        let (made, from) = (folder.path().join("venv"), folder.path().join("python"));
        for path in [made.join("bin"), from.join("bin"), from.join("lib")] {
            fs::create_dir_all(path).unwrap();
        }
        fs::write(made.join("pyvenv.cfg"), format!("home = {}\nx = y\n", from.join("bin").display())).unwrap();
        let found = installation(&made.join("bin").join("python3"));
        assert!(found.contains(&made) && found.contains(&from), "{found:?}");
        assert!(installation(&folder.path().join("venv").join("python3")).is_empty());
        assert!(installation(Path::new("/usr/bin/python3")).is_empty());
    }

    #[test]
    fn packages_and_virtual_environments_are_what_was_added() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (made, from) = (root.join("venv"), root.join("python"));
        for path in ["venv/bin", "python/bin", "python/lib/python3/site-packages/x/node_modules", "python/lib/own"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        fs::write(made.join("pyvenv.cfg"), format!("home = {}\n", from.join("bin").display())).unwrap();
        let program = made.join("bin").join("python3");
        fs::write(&program, "").unwrap();
        let mut found = added(&program, &root).unwrap();
        found.retain(|path| path.starts_with(&root));
        assert_eq!(found, [from.join("lib/python3/site-packages"), made.clone()]);
        // One that has no packages but its own.
        fs::write(
            made.join("pyvenv.cfg"),
            format!("home = {}\ninclude-system-site-packages = false\n", from.join("bin").display()),
        )
        .unwrap();
        let mut found = added(&program, &root).unwrap();
        found.retain(|path| path.starts_with(&root));
        assert_eq!(found, [made]);
        // Another program is for its caller to name.
        let other = from.join("bin").join("other");
        fs::write(&other, "").unwrap();
        assert_eq!(added(&other, &root).unwrap(), Vec::<PathBuf>::new());
        // An interpreter that a script names is no argument.
        let script = root.join("script");
        fs::write(&script, format!("#!{}\n", other.display())).unwrap();
        assert_eq!(added(&script, &root).unwrap(), [other]);
    }

    #[test]
    fn a_script_brings_its_interpreter() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        fs::write(&script, "#!/usr/bin/env -S sh -e\n").unwrap();
        let found = interpreters(&script, folder.path());
        assert_eq!(found.first().map(PathBuf::as_path), Some(Path::new("/usr/bin/env")));
        assert!(found.iter().any(|path| path.ends_with("sh")), "{found:?}");
    }
}
