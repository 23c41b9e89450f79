//! `assize.toml`: how to start a testee, and how to ask it.
//!
//! Schema: `contracts/interface/config.schema.json`; protocol: rules 6, 7 and 9. A value that makes no sense is an error
//! here and never a surprise in the run; whether the command starts shows only when it is started.

use std::path::{Path, PathBuf};

use assize_corpus::operation;
use serde::Deserialize;
use toml::Spanned;

pub use crate::toml_file::ConfigError;
use crate::{
    catalogue::SYSTEMS,
    protocol::Limits,
    toml_file::{TomlFile, element, quoted},
};

/// Modes that a case can be asked in.
pub const MODES: [&str; 2] = ["law", "reference"];

/// Variables that a testee gets where the configuration names none.
pub const ENVIRONMENT: &[&str] = if cfg!(windows) {
    &["PATH", "PATHEXT", "USERPROFILE", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "TZ"]
} else {
    &["PATH", "HOME", "USER", "TZ"]
};

/// Variables that the harness sets itself: a UTF-8 locale, and a scratch folder.
pub const OWN_ENVIRONMENT: [&str; 3] = ["LANG", "LC_ALL", "TMPDIR"];

/// Most processes at a time.
pub const MOST_JOBS: u64 = 1024;

/// What `assize.toml` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Working folder of the testee; nothing for the caller's.
    pub directory: Option<PathBuf>,
    /// Names of the variables that are handed on.
    pub environment: Vec<String>,
    /// Files and folders that the testee may read beside its own.
    pub readable: Vec<PathBuf>,
    /// What the testee consists of, beside its program and the files among its arguments; empty: the working folder.
    pub subject: Vec<PathBuf>,
    /// Modes; empty takes all.
    pub modes: Vec<String>,
    /// Systems; empty takes all.
    pub systems: Vec<String>,
    /// Certification levels; empty takes all.
    pub levels: Vec<String>,
    /// The file of known failures.
    pub expectations: Option<PathBuf>,
    /// Processes at a time.
    pub jobs: Option<usize>,
    /// Seed of orders and samples.
    pub seed: Option<u32>,
    /// Limits, with the defaults where none are given.
    pub limits: Limits,
}

impl Config {
    /// Reads the bytes of a file; `name` is what errors call it.
    ///
    /// # Errors
    /// The bytes are not UTF-8 or not TOML, a key is unknown or missing, or a value makes no sense.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, ConfigError> {
        let file = TomlFile::new(name, bytes)?;
        let written: Written = file.read(&[("command", COMMAND)])?;
        let levels: Vec<&str> = operation::table()
            .levels
            .iter()
            .flat_map(|level| std::iter::once(&level.name).chain(&level.aliases).map(String::as_str))
            .collect();
        Ok(Self {
            command: command(&file, written.command)?,
            directory: path(&file, "directory", written.directory)?,
            environment: environment(&file, written.environment)?,
            readable: paths(&file, "readable", written.readable)?,
            subject: paths(&file, "subject", written.subject)?,
            modes: names(&file, "modes", written.modes, &MODES)?,
            systems: names(&file, "systems", written.systems, &SYSTEMS)?,
            levels: names(&file, "levels", written.levels, &levels)?,
            expectations: path(&file, "expectations", written.expectations)?,
            jobs: number(&file, "jobs", written.jobs, 1, MOST_JOBS)?,
            seed: number(&file, "seed", written.seed, 0, u32::MAX.into())?,
            limits: limits(&file, written.limits)?,
        })
    }

    /// The same with paths that start from the folder of the file.
    #[must_use]
    pub fn below(mut self, folder: &Path) -> Self {
        for path in [&mut self.directory, &mut self.expectations]
            .into_iter()
            .flatten()
            .chain(&mut self.readable)
            .chain(&mut self.subject)
        {
            *path = folder.join(&path);
        }
        self
    }
}

/// The file as it is written, every value with its place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    command: Spanned<Vec<Spanned<String>>>,
    directory: Option<Spanned<String>>,
    environment: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    readable: Vec<Spanned<String>>,
    #[serde(default)]
    subject: Vec<Spanned<String>>,
    #[serde(default)]
    modes: Vec<Spanned<String>>,
    #[serde(default)]
    systems: Vec<Spanned<String>>,
    #[serde(default)]
    levels: Vec<Spanned<String>>,
    expectations: Option<Spanned<String>>,
    jobs: Option<Spanned<u64>>,
    seed: Option<Spanned<u64>>,
    #[serde(default)]
    limits: WrittenLimits,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct WrittenLimits {
    line: Option<Spanned<u64>>,
    case_ms: Option<Spanned<u64>>,
    start_ms: Option<Spanned<u64>>,
    ends: Option<Spanned<u64>>,
    cpu_s: Option<Spanned<u64>>,
    memory_mb: Option<Spanned<u64>>,
}

/// What to write under `command`.
const COMMAND: &str = r#"write how the testee is started, word by word: command = ["python3", "shim.py"]"#;

fn command(file: &TomlFile<'_>, words: Spanned<Vec<Spanned<String>>>) -> Result<Vec<String>, ConfigError> {
    if words.get_ref().first().is_none_or(|program| program.get_ref().is_empty()) {
        return Err(file.error("`command`", &words, "names no program", COMMAND));
    }
    words.into_inner().into_iter().map(|word| file.plain(&element("command"), word)).collect()
}

fn environment(file: &TomlFile<'_>, names: Option<Vec<Spanned<String>>>) -> Result<Vec<String>, ConfigError> {
    let Some(names) = names else {
        return Ok(ENVIRONMENT.iter().map(|name| (*name).to_owned()).collect());
    };
    file.distinct("environment", &names)?;
    let label = element("environment");
    let name = |name: Spanned<String>| {
        let text = name.get_ref();
        if text.is_empty() || text.contains('=') {
            let message = format!("is {}, no name of a variable", quoted(text));
            return Err(file.error(&label, &name, message, "write names only: the values are those of the caller"));
        }
        if OWN_ENVIRONMENT.contains(&text.as_str()) {
            let message = format!("is {}, which the harness sets itself", quoted(text));
            let help = "leave it out: the testee gets a UTF-8 locale and a scratch folder";
            return Err(file.error(&label, &name, message, help));
        }
        file.plain(&label, name)
    };
    names.into_iter().map(name).collect()
}

fn names(
    file: &TomlFile<'_>,
    key: &str,
    names: Vec<Spanned<String>>,
    known: &[&str],
) -> Result<Vec<String>, ConfigError> {
    file.distinct(key, &names)?;
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.get_ref().as_str())) {
        return Err(file.unknown(&element(key), unknown, known));
    }
    Ok(names.into_iter().map(Spanned::into_inner).collect())
}

fn path(file: &TomlFile<'_>, key: &str, path: Option<Spanned<String>>) -> Result<Option<PathBuf>, ConfigError> {
    let Some(path) = path else {
        return Ok(None);
    };
    let label = format!("`{key}`");
    if path.get_ref().is_empty() {
        let help = "write a path, relative to this file, or leave the key out";
        return Err(file.error(&label, &path, "is empty", help));
    }
    file.plain(&label, path).map(|path| Some(path.into()))
}

fn paths(file: &TomlFile<'_>, key: &str, paths: Vec<Spanned<String>>) -> Result<Vec<PathBuf>, ConfigError> {
    file.distinct(key, &paths)?;
    let label = element(key);
    let path = |path: Spanned<String>| {
        if path.get_ref().is_empty() {
            return Err(file.error(&label, &path, "is empty", "write a path, relative to this file, or leave it out"));
        }
        file.plain(&label, path).map(PathBuf::from)
    };
    paths.into_iter().map(path).collect()
}

fn number<N: TryFrom<u64>>(
    file: &TomlFile<'_>,
    key: &str,
    value: Option<Spanned<u64>>,
    least: u64,
    most: u64,
) -> Result<Option<N>, ConfigError> {
    let value = value.map(|value| file.number(key, &value, least..=most)).transpose()?;
    // Every range fits the type that it is asked for.
    Ok(value.and_then(|value| N::try_from(value).ok()))
}

fn limits(file: &TomlFile<'_>, written: WrittenLimits) -> Result<Limits, ConfigError> {
    const HOUR_MS: u64 = 3_600_000;
    /// A limit that 0 switches off.
    fn or_none(given: Option<u64>, default: Option<u64>) -> Option<u64> {
        given.map_or(default, |limit| (limit > 0).then_some(limit))
    }
    let default = Limits::default();
    Ok(Limits {
        line: number(file, "line", written.line, 1024, 1 << 30)?.unwrap_or(default.line),
        case_ms: number(file, "case_ms", written.case_ms, 1, HOUR_MS)?.unwrap_or(default.case_ms),
        start_ms: number(file, "start_ms", written.start_ms, 1, HOUR_MS)?.unwrap_or(default.start_ms),
        ends: number(file, "ends", written.ends, 1, 1_000_000)?.unwrap_or(default.ends),
        cpu_s: or_none(number(file, "cpu_s", written.cpu_s, 0, 604_800)?, default.cpu_s),
        memory_mb: or_none(number(file, "memory_mb", written.memory_mb, 0, 16_777_216)?, default.memory_mb),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
command = ["python3", "shims/mine.py"]
directory = "work"
environment = ["PATH", "JAVA_HOME"]
readable = ["../common"]
subject = ["src"]
modes = ["law"]
systems = ["canon", "sovereign"]
levels = ["auditor"]
expectations = "known.toml"
jobs = 2
seed = 7
[limits]
line = 4096
case_ms = 100
start_ms = 200
ends = 3
cpu_s = 0
memory_mb = 512
"#;

    #[test]
    fn every_key_is_read() {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let config = Config::parse("assize.toml", WHOLE.as_bytes()).unwrap();
        let expected = Config {
            command: owned(&["python3", "shims/mine.py"]),
            directory: Some("work".into()),
            environment: owned(&["PATH", "JAVA_HOME"]),
            readable: vec!["../common".into()],
            subject: vec!["src".into()],
            modes: owned(&["law"]),
            systems: owned(&["canon", "sovereign"]),
            levels: owned(&["auditor"]),
            expectations: Some("known.toml".into()),
            jobs: Some(2),
            seed: Some(7),
            limits: Limits { line: 4096, case_ms: 100, start_ms: 200, ends: 3, cpu_s: None, memory_mb: Some(512) },
        };
        assert_eq!(config, expected);
    }

    #[test]
    fn a_command_is_enough() {
        let config = Config::parse("assize.toml", br#"command = ["x"]"#).unwrap();
        assert_eq!((config.limits.clone(), config.jobs, config.seed), (Limits::default(), None, None));
        assert_eq!(config.environment, ENVIRONMENT);
        assert!(config.modes.is_empty() && config.systems.is_empty() && config.levels.is_empty());
        assert_eq!(config.clone().below(Path::new("up")), config);
        let none = Config::parse("assize.toml", b"command = ['x']\nenvironment = []\n[limits]\nends = 1").unwrap();
        assert_eq!((none.environment.len(), none.limits), (0, Limits { ends: 1, ..Limits::default() }));
    }

    #[test]
    fn paths_start_from_the_folder_of_the_file() {
        let config = Config::parse("x/assize.toml", WHOLE.as_bytes()).unwrap().below(Path::new("x"));
        assert_eq!(config.directory, Some(Path::new("x").join("work")));
        assert_eq!(config.expectations, Some(Path::new("x").join("known.toml")));
        assert_eq!(config.readable, [Path::new("x").join("../common")]);
        assert_eq!(config.subject, [Path::new("x").join("src")]);
        let absolute = if cfg!(windows) { "C:/y" } else { "/y" };
        let text = format!("command = ['x']\ndirectory = '{absolute}'");
        let config = Config::parse("x/assize.toml", text.as_bytes()).unwrap().below(Path::new("x"));
        assert_eq!(config.directory, Some(absolute.into()));
    }

    /// Replaces the first line that starts with `key` by `line`.
    #[track_caller]
    fn check(key: &str, line: &str, shown: &str, help: &str) {
        let at = WHOLE.lines().position(|line| line.starts_with(key)).unwrap();
        let lines: Vec<_> = WHOLE.lines().enumerate().map(|(n, old)| if n == at { line } else { old }).collect();
        let error = Config::parse("a.toml", lines.join("\n").as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), format!("a.toml:{shown}"));
        assert!(error.help().contains(help), "{}", error.help());
    }

    #[test]
    fn what_cannot_be_meant_is_an_error_with_its_place() {
        check("command", "comand = ['x']", "2:1: `comand` is not a key", "did you mean command?");
        check("command", "", "1:1: `command` is missing", "python3");
        check("command", "command = []", "2:11: `command` names no program", "python3");
        check("command", "command = ['']", "2:11: `command` names no program", "python3");
        check("command", "command = 'x y'", "2:11: invalid type: string \"x y\", expected a sequence", "in brackets");
        check("command", r#"command = ["x", "\u0000"]"#, "2:17: an element of `command` holds a NUL character", "");
        check("directory", "directory = ''", "3:13: `directory` is empty", "relative");
        check(
            "environment",
            "environment = ['A=b']",
            "4:16: an element of `environment` is \"A=b\", no name of a variable",
            "",
        );
        check(
            "environment",
            "environment = ['LC_ALL']",
            "4:16: an element of `environment` is \"LC_ALL\", which the harness sets itself",
            "leave it out",
        );
        check("readable", "readable = ['']", "5:13: an element of `readable` is empty", "relative");
        check("subject", "subject = ['']", "6:12: an element of `subject` is empty", "relative");
        check("modes", "modes = ['lax']", "7:10: an element of `modes` is \"lax\", an unknown name", "mean law?");
        check(
            "systems",
            "systems = ['canon', 'soverein']",
            "8:21: an element of `systems` is \"soverein\", an unknown name",
            "did you mean sovereign?",
        );
        check("levels", "levels = ['x']", "9:11: an element of `levels` is \"x\", an unknown name", "auditor");
        check("jobs", "jobs = 0", "11:8: `jobs` is 0, out of range", "1 to 1024");
        check("seed", "seed = 4294967296", "12:8: `seed` is 4294967296, out of range", "4294967295");
        check("case_ms", "case_s = 1", "15:1: `case_s` is not a key", "did you mean case_ms?");
        check("case_ms", "case_ms = 0", "15:11: `case_ms` is 0, out of range", "1 to 3600000");
        let error = Config::parse("a.toml", b"command = ['x']\nlimits = 1").unwrap_err();
        assert_eq!(error.to_string(), "a.toml:2:10: invalid type: integer `1`, expected a table");
    }
}
