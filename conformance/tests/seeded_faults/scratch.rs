//! A copy of the workspace that can be spoiled, and the corpus run over it.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use super::outcome::{self, Ran};

use crate::support::program;

/// What a build of the vectors needs: Cargo reads every member's manifest, and tests read contracts, vectors and the book.
const PARTS: [&str; 10] = [
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE",
    "rust-toolchain.toml",
    "conformance",
    "contracts",
    "docs",
    "generators",
    "vectors",
    "verifier",
];
/// Where the build of mutants puts dependencies, and what Cargo knows about them.
const TAKEN_OVER: [&str; 3] = ["mutants/.fingerprint", "mutants/build", "mutants/deps"];
/// A folder inside the folder of what is built.
const TEMPORARY: &str = env!("CARGO_TARGET_TMPDIR");
/// Folders that tools leave behind.
const LITTER: [&str; 2] = ["target", "__pycache__"];
/// A run of the whole corpus takes a few seconds; what takes so long does not end, however busy the machine is.
const LONGEST: Duration = Duration::from_secs(600);
/// On a busy machine, what takes so many times as long as the unspoiled run does not end.
const TIMES: u32 = 10;

/// What is built in the copy, and which earlier build is used for it.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    /// The vectors alone, where mutants are built and by their profile: what no mistake changes is built once for all.
    Mutants,
    /// Any test, by the profile of the tests that run now and in the same folder: dependencies are built already.
    Tests,
}

/// A program that Cargo has built in the copy.
pub(crate) struct Built {
    /// The folder of its package, from the top.
    pub(crate) folder: String,
    /// The name of the test, or of the program.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) program: PathBuf,
}

/// The copy, the folder that it is built in, and the right to use both.
pub(crate) struct Scratch {
    tree: PathBuf,
    /// Where Cargo puts what it has built.
    target: PathBuf,
    build: Build,
    /// How long a run may take.
    patience: Duration,
    /// Held while the copy is in use: two runs at once would judge each other's changes.
    lock: Arc<File>,
}

impl Scratch {
    /// Makes the copy, or brings the one of the last run up to date.
    pub(crate) fn new(repository: &Path, build: Build) -> Self {
        // Below the target folder, so that a second run builds little and `cargo clean` removes it.
        let place = Path::new(TEMPORARY).join("seeded_faults");
        fs::create_dir_all(&place).unwrap();
        let lock = File::create(place.join("lock")).unwrap();
        lock.lock().unwrap();
        let target = match build {
            Build::Mutants => Path::new(TEMPORARY).with_file_name("mutation-score-build"),
            // What is built goes to the folder of the repository's own build, except programs, which have no version.
            Build::Tests => place.join("built"),
        };
        let lock = Arc::new(lock);
        let scratch = Self { tree: place.join("tree"), target, build, patience: LONGEST * TIMES, lock };
        scratch.copy(repository);
        if matches!(build, Build::Tests) {
            scratch.rename();
        }
        scratch
    }

    /// Another copy with a folder of its own for what is built, to be spoiled at the same time. Dependencies are taken over
    /// from this one, which has to be built.
    pub(crate) fn beside(&self, repository: &Path, number: usize) -> Self {
        let another = |path: &Path| {
            let mut name = path.file_name().unwrap().to_owned();
            name.push(format!("-{number}"));
            path.with_file_name(name)
        };
        let target = another(&self.target);
        if !target.exists() {
            // Under its own name only when it is complete: what is cut short would be taken for built.
            let begun = target.with_extension("begun");
            for part in TAKEN_OVER {
                take_over(&self.target.join(part), &begun.join(part)).unwrap_or_else(|error| panic!("{part}: {error}"));
            }
            fs::rename(begun, &target).unwrap();
        }
        let lock = Arc::clone(&self.lock);
        let scratch = Self { tree: another(&self.tree), target, build: self.build, patience: self.patience, lock };
        scratch.copy(repository);
        scratch
    }

    /// Makes the copy equal to the repository.
    fn copy(&self, repository: &Path) {
        fs::create_dir_all(&self.tree).unwrap();
        for part in PARTS {
            update(&repository.join(part), &self.tree.join(part)).unwrap_or_else(|error| panic!("{part}: {error}"));
        }
    }

    /// Gives the packages another version. Cargo tells packages apart by name, version and place in the workspace: of the
    /// same version, what is built of the copy would replace what is built of the repository.
    fn rename(&self) {
        let (ours, other) = (concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\"\n"), "\nversion = \"0.0.0\"\n");
        // A package of the workspace asks for exactly the version of another.
        let (asked, asked_other) = (concat!("\"=", env!("CARGO_PKG_VERSION"), "\", path"), "\"=0.0.0\", path");
        for file in ["Cargo.toml", "Cargo.lock"] {
            let path = self.tree.join(file);
            let text = fs::read_to_string(&path).unwrap();
            // Packages from elsewhere have a source.
            let renamed = text.split_inclusive("\n\n").map(|part| match part.contains("\nsource = ") {
                true => part.to_owned(),
                false => part.replace(ours, other).replace(asked, asked_other),
            });
            let renamed: String = renamed.collect();
            assert_ne!(renamed, text, "{file}: no package of version {}", env!("CARGO_PKG_VERSION"));
            fs::write(path, renamed).unwrap();
        }
    }

    /// The copy itself.
    pub(crate) fn tree(&self) -> &Path {
        &self.tree
    }

    /// The verifier's sources in the copy.
    pub(crate) fn sources(&self) -> PathBuf {
        self.tree.join("verifier/src")
    }

    /// What the vectors say while a source file has this text: those of one law; with them the rest of its system's where these
    /// show no specification broken, and all of them where these are silent.
    pub(crate) fn spoiled(&self, file: &str, text: &str, law: &str) -> Ran {
        let path = self.sources().join(file);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, text).unwrap();
        let ran = match self.vectors() {
            Ok(binary) => {
                let own = self.judge(&binary, &format!("vector::{law}/"));
                match &own {
                    Ran::Judged { failed, .. } if failed.is_empty() => self.judge(&binary, ""),
                    Ran::Judged { .. } if !own.violates() => {
                        self.judge(&binary, &format!("vector::{}/", system_of(law)))
                    }
                    _ => own,
                }
            }
            Err(why) => Ran::Unbuildable(why),
        };
        fs::write(&path, whole).unwrap();
        ran
    }

    /// What the vectors say to the copy as it is. The time that this takes measures what a spoiled copy may take.
    pub(crate) fn unspoiled(&mut self) -> Ran {
        self.patience = LONGEST * TIMES;
        let binary = match self.vectors() {
            Ok(binary) => binary,
            Err(why) => return Ran::Unbuildable(why),
        };
        let began = Instant::now();
        let ran = self.judge(&binary, "");
        self.patience = LONGEST.max(began.elapsed() * TIMES);
        ran
    }

    /// What the vectors of one law say to the copy as it is.
    pub(crate) fn law(&self, law: &str) -> Ran {
        match self.vectors() {
            Ok(binary) => self.judge(&binary, &format!("vector::{law}/")),
            Err(why) => Ran::Unbuildable(why),
        }
    }

    /// The test binary of the vectors, or the first error of the compiler.
    fn vectors(&self) -> Result<PathBuf, String> {
        let vectors = self.built(&["vectors"])?.into_iter().find(|built| built.name == "vectors");
        vectors.map(|built| built.program).ok_or_else(|| "Cargo names no test binary".to_owned())
    }

    /// Every test of one of these names, and the programs that they run; or the first error of the compiler.
    pub(crate) fn built(&self, tests: &[&str]) -> Result<Vec<Built>, String> {
        let built = self.cargo().args(tests.iter().flat_map(|test| ["--test", test])).output().unwrap();
        if !built.status.success() {
            let said = String::from_utf8_lossy(&built.stderr);
            let rendered = messages(&built.stdout).find_map(|message| {
                let compiler = message.get("message")?;
                let is_error = compiler.get("level")?.as_str()? == "error";
                if is_error { compiler.get("rendered")?.as_str().map(str::to_owned) } else { None }
            });
            return Err(rendered.unwrap_or_else(|| said.into_owned()));
        }
        let of_message = |message: serde_json::Value| {
            let program = PathBuf::from(message.get("executable")?.as_str()?);
            let folder = Path::new(message.get("manifest_path")?.as_str()?).parent()?.strip_prefix(&self.tree).ok()?;
            let name = message.get("target")?.get("name")?.as_str()?.to_owned();
            Some(Built { folder: folder.to_str()?.to_owned(), name, program })
        };
        Ok(messages(&built.stdout).filter_map(of_message).collect())
    }

    /// Cargo in the copy, to build tests.
    fn cargo(&self) -> Command {
        let mut cargo = program(env!("CARGO"));
        cargo.args(["test", "--no-run", "--message-format", "json", "--offline", "--locked", "--target-dir"]);
        cargo.arg(&self.target).current_dir(&self.tree).stdin(Stdio::null());
        match self.build {
            Build::Mutants => cargo.args(["--profile", "mutants", "-p", "assize-corpus"]),
            // Of the whole workspace, since the features of dependencies are those of what is built; only the fuzz targets
            // add none, and their tests cost the most.
            Build::Tests => cargo
                .args(["--workspace", "--exclude", "assize-fuzzing"])
                .env("CARGO_BUILD_BUILD_DIR", Path::new(TEMPORARY).parent().unwrap()),
        };
        cargo
    }

    /// What the vectors say whose test names contain a text.
    fn judge(&self, binary: &Path, filter: &str) -> Ran {
        // Into a file: a pipe that nobody empties would hold the run up.
        let output = self.target.join("vectors.txt");
        let mut vectors = Command::new(binary)
            .arg(filter)
            .current_dir(self.tree.join("vectors"))
            .stdin(Stdio::null())
            .stdout(File::create(&output).unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while vectors.try_wait().unwrap().is_none() {
            if began.elapsed() > self.patience {
                vectors.kill().unwrap();
                vectors.wait().unwrap();
                return Ran::Timeout;
            }
            thread::sleep(Duration::from_millis(20));
        }
        outcome::read(&String::from_utf8_lossy(&fs::read(&output).unwrap()))
    }
}

/// The folder of a law's system: `canon` of `canon/rfc8785`.
fn system_of(law: &str) -> &str {
    law.split_once('/').map_or(law, |(system, _)| system)
}

/// Cargo's messages, one JSON object a line.
fn messages(stdout: &[u8]) -> impl Iterator<Item = serde_json::Value> {
    stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

/// Makes a copy equal to its original and touches nothing that is equal already, since Cargo looks at times.
fn update(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if from.is_symlink() {
        return link(&fs::read_link(from)?, to);
    }
    if !from.is_dir() {
        let new = fs::read(from)?;
        return if fs::read(to).is_ok_and(|old| old == new) { Ok(()) } else { fs::write(to, new) };
    }
    fs::create_dir_all(to)?;
    let (wanted, there) = (names(from)?, names(to)?);
    for name in there.difference(&wanted) {
        let extra = to.join(name);
        if extra.is_dir() { fs::remove_dir_all(extra)? } else { fs::remove_file(extra)? }
    }
    wanted.iter().try_for_each(|name| update(&from.join(name), &to.join(name)))
}

/// Copies what was built, with the times that Cargo goes by.
fn take_over(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        return fs::read_dir(from)?.try_for_each(|entry| {
            let entry = entry?;
            take_over(&entry.path(), &to.join(entry.file_name()))
        });
    }
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(fs::metadata(from)?.modified()?)
}

/// A link stays one: the verifier's contracts are the repository's in the copy too.
#[cfg(unix)]
fn link(target: &Path, to: &Path) -> io::Result<()> {
    if fs::read_link(to).is_ok_and(|old| old == target) {
        return Ok(());
    }
    if to.is_dir() {
        fs::remove_dir_all(to)?;
    }
    std::os::unix::fs::symlink(target, to)
}

fn names(folder: &Path) -> io::Result<BTreeSet<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let names: io::Result<BTreeSet<String>> = names.collect();
    names.map(|names| names.into_iter().filter(|name| !LITTER.contains(&name.as_str())).collect())
}
