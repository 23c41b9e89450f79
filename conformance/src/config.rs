//! `assize.toml`: how to start a testee, and how to ask it.
//!
//! Schema: `contracts/interface/config.schema.json`; protocol: rules 6, 7 and 9. A value that cannot be meant is an error
//! here and never a surprise in the run; whether the command starts is found out by starting it.

use std::path::{Path, PathBuf};

use assize_corpus::operation;

pub use crate::toml_file::ConfigError;
use crate::{
    catalogue::SYSTEMS,
    protocol::Limits,
    toml_file::{Located, Table, TomlFile, quoted},
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
    /// The bytes are not UTF-8 or not TOML, a key is unknown or missing, or a value cannot be meant.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, ConfigError> {
        let file = TomlFile::new(name, bytes)?;
        let mut top = file.top()?;
        top.only(&[
            "command",
            "directory",
            "environment",
            "modes",
            "systems",
            "levels",
            "expectations",
            "jobs",
            "seed",
            "limits",
        ])?;
        let levels: Vec<&str> = operation::table().levels.iter().map(|level| level.name.as_str()).collect();
        Ok(Self {
            command: command(&mut top)?,
            directory: path(&mut top, "directory")?,
            environment: environment(&mut top)?,
            modes: names(&mut top, "modes", &MODES)?,
            systems: names(&mut top, "systems", &SYSTEMS)?,
            levels: names(&mut top, "levels", &levels)?,
            expectations: path(&mut top, "expectations")?,
            jobs: number(&mut top, "jobs", 1, MOST_JOBS)?,
            seed: number(&mut top, "seed", 0, u32::MAX.into())?,
            limits: limits(&mut top)?,
        })
    }

    /// The same with paths that start from the folder of the file.
    #[must_use]
    pub fn below(mut self, folder: &Path) -> Self {
        for path in [&mut self.directory, &mut self.expectations].into_iter().flatten() {
            *path = folder.join(&path);
        }
        self
    }
}

fn command(top: &mut Table<'_>) -> Result<Vec<String>, ConfigError> {
    let help = r#"write how the testee is started, word by word: command = ["python3", "shim.py"]"#;
    let value = top.demand("command", help)?;
    let nobody = value.error("names no program", help);
    let words = value.texts(false)?;
    if words.first().is_none_or(|program| program.value.is_empty()) {
        return Err(nobody);
    }
    words.into_iter().map(Located::plain).collect()
}

fn environment(top: &mut Table<'_>) -> Result<Vec<String>, ConfigError> {
    let Some(value) = top.take("environment") else {
        return Ok(ENVIRONMENT.iter().map(|name| (*name).to_owned()).collect());
    };
    let name = |name: Located<'_, String>| {
        if name.value.is_empty() || name.value.contains('=') {
            let message = format!("is {}, no name of a variable", quoted(&name.value));
            return Err(name.error(message, "write names only: the values are those of the caller"));
        }
        if OWN_ENVIRONMENT.contains(&name.value.as_str()) {
            let message = format!("is {}, which the harness sets itself", quoted(&name.value));
            return Err(name.error(message, "leave it out: the testee gets a UTF-8 locale and a scratch folder"));
        }
        name.plain()
    };
    value.texts(true)?.into_iter().map(name).collect()
}

fn names(top: &mut Table<'_>, key: &str, known: &[&str]) -> Result<Vec<String>, ConfigError> {
    let Some(value) = top.take(key) else {
        return Ok(Vec::new());
    };
    value.texts(true)?.into_iter().map(|name| name.one_of(known)).collect()
}

fn path(top: &mut Table<'_>, key: &str) -> Result<Option<PathBuf>, ConfigError> {
    let Some(value) = top.take(key) else {
        return Ok(None);
    };
    let text = value.text()?;
    if text.value.is_empty() {
        return Err(text.error("is empty", "write a path, relative to this file, or leave the key out"));
    }
    text.plain().map(|text| Some(text.into()))
}

fn number<N: TryFrom<u64>>(table: &mut Table<'_>, key: &str, least: u64, most: u64) -> Result<Option<N>, ConfigError> {
    let value = table.take(key).map(|value| value.number(least..=most)).transpose()?;
    // Every range fits the type that it is asked for.
    Ok(value.and_then(|value| N::try_from(value).ok()))
}

fn limits(top: &mut Table<'_>) -> Result<Limits, ConfigError> {
    const HOUR_MS: u64 = 3_600_000;
    /// A limit that 0 switches off.
    fn or_none(given: Option<u64>, default: Option<u64>) -> Option<u64> {
        given.map_or(default, |limit| (limit > 0).then_some(limit))
    }
    let default = Limits::default();
    let Some(value) = top.take("limits") else {
        return Ok(default);
    };
    let mut table = value.table()?;
    table.only(&["line", "case_ms", "start_ms", "ends", "cpu_s", "memory_mb"])?;
    Ok(Limits {
        line: number(&mut table, "line", 1024, 1 << 30)?.unwrap_or(default.line),
        case_ms: number(&mut table, "case_ms", 1, HOUR_MS)?.unwrap_or(default.case_ms),
        start_ms: number(&mut table, "start_ms", 1, HOUR_MS)?.unwrap_or(default.start_ms),
        ends: number(&mut table, "ends", 1, 1_000_000)?.unwrap_or(default.ends),
        cpu_s: or_none(number(&mut table, "cpu_s", 0, 604_800)?, default.cpu_s),
        memory_mb: or_none(number(&mut table, "memory_mb", 0, 16_777_216)?, default.memory_mb),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
command = ["python3", "shims/mine.py"]
directory = "work"
environment = ["PATH", "JAVA_HOME"]
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
        check("command", "comand = ['x']", "2:1: `comand` is no key", "did you mean command?");
        check("command", "", "1:1: `command` is missing", "python3");
        check("command", "command = []", "2:11: `command` names no program", "python3");
        check("command", "command = ['']", "2:11: `command` names no program", "python3");
        check("command", "command = 'x y'", "2:11: `command` is a string, not an array of strings", "");
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
        check("modes", "modes = ['lax']", "5:10: an element of `modes` is \"lax\", an unknown name", "mean law?");
        check(
            "systems",
            "systems = ['canon', 'soverein']",
            "6:21: an element of `systems` is \"soverein\", an unknown name",
            "did you mean sovereign?",
        );
        check("levels", "levels = ['x']", "7:11: an element of `levels` is \"x\", an unknown name", "auditor");
        check("jobs", "jobs = 0", "9:8: `jobs` is 0, out of range", "1 to 1024");
        check("seed", "seed = 4294967296", "10:8: `seed` is 4294967296, out of range", "4294967295");
        check("case_ms", "case_s = 1", "13:1: `case_s` is no key in `limits`", "did you mean case_ms?");
        check("case_ms", "case_ms = 0", "13:11: `case_ms` is 0, out of range", "1 to 3600000");
        let error = Config::parse("a.toml", b"command = ['x']\nlimits = 1").unwrap_err();
        assert_eq!(error.to_string(), "a.toml:2:10: `limits` is a whole number, not a table");
    }
}
