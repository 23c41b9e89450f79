//! The scratch folder of an implementation: made anew, filled by its client, and read for what was installed.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use assize_verifier::digest::Digest;

use super::{
    client::{self, Ended, Stop},
    kept::Contents,
    table::Entry,
    words::Filled,
};

/// How much of the end of what a client said is quoted.
const LINES: usize = 3;
/// The longest line that is quoted, in characters.
const LINE: usize = 300;
/// So much of the end of what a command says is looked at for them, in bytes.
const QUOTED: u64 = 64 << 10;
/// The largest report that is read, in bytes.
const LARGEST: u64 = 1 << 30;
/// Most files of which the digest is kept: more tell people nothing, and a lock file or a list tells as much.
const MOST_RECORDED: usize = 10_000;
/// Where what a command says is written, below the scratch folder.
const LOG: &str = "said.log";

/// The folder in which an implementation is installed.
#[derive(Debug)]
pub struct Scratch<'e> {
    entry: &'e Entry,
    /// The folder that holds the table, with the shims and adapters that it names.
    table: PathBuf,
    folder: PathBuf,
    cache: PathBuf,
}

impl<'e> Scratch<'e> {
    /// The folder of this implementation below `scratch`, which is absolute; nothing is made yet.
    #[must_use]
    pub fn new(entry: &'e Entry, table: &Path, scratch: &Path) -> Self {
        let client = entry.implementation.client.as_deref().unwrap_or("path");
        Self {
            entry,
            table: table.to_owned(),
            folder: scratch.join("entries").join(entry.implementation.slug()),
            cache: scratch.join("cache").join(client),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Installs it, in an empty folder: copies its shim, and runs every step of its client.
    ///
    /// # Errors
    /// Its path leads nowhere, a file cannot be copied, or a step does not start, fails or takes too long.
    pub fn install(&self, stop: Stop<'_>) -> Result<Contents, Ended> {
        let refused = |what: &Path| {
            let what = what.display().to_string();
            move |error: io::Error| Ended::Failed(format!("{what}: {error}"))
        };
        if let Some(path) = self.path().filter(|path| !path.exists()) {
            return Err(Ended::Failed(format!("nothing installs it, and it is not at {}", path.display())));
        }
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).map_err(refused(&self.folder))?;
        }
        for folder in [&self.folder, &self.cache] {
            fs::create_dir_all(folder).map_err(refused(folder))?;
        }
        let files = self.entry.client.files.iter().map(|copied| (&copied.from, copied.to.as_str()));
        let adapter = self.entry.adapter.iter().map(|adapter| (adapter, self.adapter()));
        for (from, to) in files.chain(adapter) {
            let (from, to) = (self.table.join(from), self.folder.join(to));
            let parent = to.parent().unwrap_or(&self.folder);
            fs::create_dir_all(parent).map_err(refused(parent))?;
            fs::copy(&from, &to).map_err(refused(&from))?;
        }
        let environment = self.environment().map_err(Ended::Failed)?;
        for step in &self.entry.client.steps {
            for argv in self.step(step).map_err(Ended::Failed)? {
                let log = self.folder.join(LOG);
                let code = client::run(&argv, &self.folder, &environment, &log, stop)?;
                if code != 0 {
                    let said = argv.iter().take(3).map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
                    return Err(Ended::Failed(format!("{said} exited with {code}: {}", last_lines(&log))));
                }
            }
        }
        let files = self.recorded()?;
        Ok(Contents { packages: self.entry.packages.clone(), files })
    }

    /// Runs a command in the folder, and returns its exit code with the end of what it said.
    ///
    /// # Errors
    /// It does not start, or takes too long.
    pub fn run(&self, argv: &[OsString], stop: Stop<'_>) -> Result<(i32, String), Ended> {
        let log = self.folder.join(LOG);
        let code = client::run(argv, &self.folder, &[], &log, stop)?;
        Ok((code, last_lines(&log)))
    }

    /// All that the last command said.
    #[must_use]
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&read_whole(&self.folder.join(LOG)).unwrap_or_default()).into_owned()
    }

    /// A place in the folder where nothing is, for what a run of this program writes: a client may have laid something there.
    ///
    /// # Errors
    /// What is there cannot be removed.
    pub fn result(&self, name: &str) -> Result<PathBuf, Ended> {
        let path = self.folder.join(name);
        client::clear(&path).map_err(|error| Ended::Failed(format!("{}: {error}", path.display())))?;
        Ok(path)
    }

    /// How its shim is started, from its folder.
    ///
    /// # Errors
    /// A name in braces has no value for it.
    pub fn command(&self) -> Result<Vec<OsString>, String> {
        self.words(&self.entry.client.command, &[])
    }

    /// What its shim may read beside its folder.
    ///
    /// # Errors
    /// A name in braces has no value for it.
    pub fn readable(&self) -> Result<Vec<OsString>, String> {
        self.words(&self.entry.client.readable, &[])
    }

    fn environment(&self) -> Result<Vec<(String, String)>, String> {
        let filled = |(name, value): (&String, &String)| {
            let value = self.words(std::slice::from_ref(value), &[])?.pop().unwrap_or_default();
            Ok((name.clone(), value.to_string_lossy().into_owned()))
        };
        self.entry.client.environment.iter().map(filled).collect()
    }

    /// The commands that a step comes to: one for each package where it says `{package}`.
    fn step(&self, step: &[String]) -> Result<Vec<Vec<OsString>>, String> {
        if !step.iter().any(|word| word.contains("{package}")) {
            return Ok(vec![self.words(step, &[])?]);
        }
        self.entry.packages.iter().map(|package| self.words(step, &[("package", package)])).collect()
    }

    fn words(&self, words: &[String], more: &[(&'static str, &str)]) -> Result<Vec<OsString>, String> {
        let (folder, cache) = (self.folder.to_string_lossy(), self.cache.to_string_lossy());
        let implementation = &self.entry.implementation;
        let adapter = self.adapter();
        let stem = adapter.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or_default();
        let mut values = vec![
            ("name", implementation.name.as_str()),
            ("version", implementation.version.as_str()),
            ("folder", &*folder),
            ("cache", &*cache),
        ];
        if self.entry.adapter.is_some() {
            values.extend([("adapter", adapter), ("stem", stem)]);
        }
        let path = self.path().map(|path| path.to_string_lossy().into_owned());
        values.extend(path.iter().map(|path| ("path", path.as_str())));
        values.extend(more);
        let filled = Filled { values: &values };
        let mut argv = Vec::with_capacity(words.len());
        for word in words {
            if word == "{packages}" {
                argv.extend(self.entry.packages.iter().map(OsString::from));
                continue;
            }
            let word = filled.word(word).map_err(|name| {
                format!("{word:?} has {{{name}}}, and the table says nothing of it for {}", implementation.label())
            })?;
            argv.push(word.into());
        }
        Ok(argv)
    }

    /// Where it lies, if nothing installs it: a relative path begins at the folder of the table.
    fn path(&self) -> Option<PathBuf> {
        Some(self.table.join(self.entry.path.as_ref()?))
    }

    /// Where its adapter is, from its folder on.
    fn adapter(&self) -> &str {
        let own = self.entry.adapter.as_deref().unwrap_or_default();
        self.entry.client.adapter.as_deref().unwrap_or_else(|| own.rsplit('/').next().unwrap_or(own))
    }

    /// The digests of what tells what was installed.
    fn recorded(&self) -> Result<BTreeMap<String, String>, Ended> {
        let mut files = BTreeMap::new();
        let mut open: Vec<String> = self.entry.client.record.clone();
        while let Some(name) = open.pop() {
            let path = self.folder.join(&name);
            let broken = |error: io::Error| Ended::Failed(format!("{}: {error}", path.display()));
            // A link may lead anywhere: what it leads to is not what was installed here.
            let kind = fs::symlink_metadata(&path).map_err(broken)?.file_type();
            if kind.is_dir() {
                for entry in fs::read_dir(&path).map_err(broken)? {
                    let last = entry.map_err(broken)?.file_name();
                    open.push(format!("{name}/{}", last.to_string_lossy()));
                }
            } else if !kind.is_file() {
                return Err(Ended::Failed(format!(
                    "{}: neither file nor folder, and nothing tells what it stands for: name in `record` what the client writes",
                    path.display()
                )));
            } else {
                if files.len() == MOST_RECORDED {
                    return Err(Ended::Failed(format!(
                        "what `record` names holds more than {MOST_RECORDED} files: name less in the table, such as a lock file"
                    )));
                }
                let bytes = fs::read(&path).map_err(broken)?;
                files.insert(name, Digest::of(&bytes).to_hex());
            }
        }
        Ok(files)
    }
}

/// A file that a run of this program has written; nothing where none is there. A pipe in its place would be waited for.
#[must_use]
pub fn read_whole(path: &Path) -> Option<Vec<u8>> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() || found.len() > LARGEST {
        return None;
    }
    fs::read(path).ok()
}

/// The last bytes of a file.
fn end_of(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut file = fs::File::open(path)?;
    let from = file.metadata()?.len().saturating_sub(QUOTED);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(QUOTED).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The end of what a command said: what people look for first.
fn last_lines(log: &Path) -> String {
    let said = end_of(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&said);
    let mut lines: Vec<String> = text
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(LINES)
        .map(|line| line.trim().chars().take(LINE).collect())
        .collect();
    lines.reverse();
    lines.join(" / ")
}
