//! A line of the manifest as the command line of its verb: what the verb refuses is refused in its own words.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Component, Path, PathBuf},
};

use assize::sweep::{Asked, Judged};
use clap::Command;
use serde_json::Value;

use super::super::{CliError, seen::Seen};

/// Where the paths of a manifest start, and what none may lead to.
#[derive(Debug)]
pub(super) struct Root {
    folder: PathBuf,
    /// Without links; none where it cannot be told.
    real: Option<PathBuf>,
    results: Option<PathBuf>,
}

impl Root {
    pub(super) fn new(folder: &Path, results: &Path) -> Self {
        let real = |path: &Path| path.canonicalize().ok();
        Self { folder: folder.to_path_buf(), real: real(folder), results: real(results) }
    }

    /// A path of the manifest: below the root however it is spelled, links included.
    fn place(&self, path: &str) -> Result<PathBuf, CliError> {
        const HELP: &str = "write paths from the folder of the manifest, or name a folder that holds all with --root";
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if path.is_empty() || path.contains('\0') || !Path::new(path).components().all(plain) {
            return Err(CliError::unreadable(format!("{path:?}: leads out of the folder of the sweep"), HELP));
        }
        let place = self.folder.join(path);
        // What is not there is for the verb to find out.
        if let (Some(found), Some(real)) = (self.found(path), &self.real) {
            if !found.starts_with(real) {
                return Err(CliError::unreadable(
                    format!("{path:?}: a link leads out of the folder of the sweep"),
                    HELP,
                ));
            }
            if self.results.as_ref().is_some_and(|results| results.starts_with(&found)) {
                let message = format!("{path:?}: the results of the sweep lie in it");
                return Err(CliError::unreadable(message, "name another folder with --out"));
            }
        }
        Ok(place)
    }

    /// Where a path leads, links followed; none where nothing is there. Neighbours are listed one after the other, so that most
    /// paths have the folder of the one before, and where that leads is known as long as it is the same folder.
    fn found(&self, path: &str) -> Option<PathBuf> {
        thread_local! {
            static LAST: RefCell<Option<(PathBuf, Identity, PathBuf)>> = const { RefCell::new(None) };
        }
        let place = self.folder.join(path);
        let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else {
            return place.canonicalize().ok();
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Some(identity) = identity(folder) else { return place.canonicalize().ok() };
        let place = LAST.with_borrow_mut(|last| {
            if last.as_ref().is_none_or(|(of, was, _)| of != folder || *was != identity) {
                *last = Some((folder.to_path_buf(), identity, folder.canonicalize().ok()?));
            }
            last.as_ref().map(|(_, _, real)| real.join(name))
        })?;
        if fs::symlink_metadata(&place).ok()?.is_symlink() { place.canonicalize().ok() } else { Some(place) }
    }
}

/// What tells one folder from all others: device and number.
type Identity = (u64, u64);

/// Which folder a path leads to now; none where that cannot be told.
#[cfg(unix)]
fn identity(folder: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(folder).ok().map(|found| (found.dev(), found.ino()))
}

/// Here no folder has a number.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}

/// A kind of artefact.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// The verb that judges one alone.
    pub(super) verb: &'static str,
    /// How many paths it has.
    pub(super) paths: usize,
    /// Whether it is a folder.
    pub(super) folder: bool,
    /// Options of the verb that a line may give.
    pub(super) options: &'static [(&'static str, Takes)],
    /// The verb's own judgement.
    pub(super) judge: fn(&Request<'_>, &Seen) -> Result<Judged, CliError>,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// A text as on the command line.
    Text,
    /// A path below the root.
    Path,
    /// Nothing: it is there or not.
    Nothing,
}

/// A line that is understood.
pub(super) struct Request<'a> {
    pub(super) kind: &'static Kind,
    pub(super) asked: &'a Asked,
    pub(super) root: &'a Root,
}

thread_local! {
    /// The command lines of verbs, each built once a thread.
    static COMMANDS: RefCell<BTreeMap<&'static str, Command>> = const { RefCell::new(BTreeMap::new()) };
}

impl<'a> Request<'a> {
    /// The arguments of the verb, with some that the sweep gives it.
    pub(super) fn parsed<A: clap::Args>(&self, given: &[&str]) -> Result<A, CliError> {
        let line = self.line(given)?;
        COMMANDS.with_borrow_mut(|commands| {
            let verb = self.kind.verb;
            let command = commands.entry(verb).or_insert_with(|| A::augment_args(Command::new(verb)));
            let matches = command.try_get_matches_from_mut(line);
            matches.and_then(|matches| A::from_arg_matches(&matches)).map_err(|error| self.refused(&error))
        })
    }

    fn line(&self, given: &[&str]) -> Result<Vec<OsString>, CliError> {
        let mut line: Vec<OsString> = vec![self.kind.verb.into()];
        line.extend(given.iter().map(OsString::from));
        for (name, value) in &self.asked.options {
            let spelled = name.replace('_', "-");
            let Some((name, takes)) = self.kind.options.iter().find(|(known, _)| *known == spelled) else {
                let known: Vec<_> = self.kind.options.iter().map(|(name, _)| *name).collect();
                let help = match known.as_slice() {
                    [] => "it has none".to_owned(),
                    known => format!("it has {}", known.join(", ")),
                };
                return Err(CliError::usage(format!("a {} has no option {name:?}", self.kind.name), help));
            };
            self.option(name, *takes, value, &mut line)?;
        }
        let reference = self.asked.options.get("mode").and_then(Value::as_str) == Some("reference");
        if reference && !self.asked.options.contains_key("root") {
            // Without one the verb would take the folder in which the sweep was started.
            line.push(option("root", self.root.folder.as_os_str()));
        }
        line.push("--".into());
        for path in &self.asked.paths {
            line.push(self.root.place(path)?.into());
        }
        Ok(line)
    }

    fn option(&self, name: &str, takes: Takes, value: &Value, line: &mut Vec<OsString>) -> Result<(), CliError> {
        let text = match value {
            Value::Null => return Ok(()),
            Value::Array(values) => {
                return values.iter().try_for_each(|value| self.option(name, takes, value, line));
            }
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        match takes {
            Takes::Text => line.push(option(name, text.as_ref())),
            Takes::Path => line.push(option(name, self.root.place(&text)?.as_os_str())),
            Takes::Nothing if text == "true" => line.push(format!("--{name}").into()),
            Takes::Nothing if text == "false" => {}
            Takes::Nothing => {
                let message = format!("the option {name:?} is true or false, not {text:?}");
                return Err(CliError::usage(message, "write true where it is wanted"));
            }
        }
        Ok(())
    }

    /// What the verb says of its command line, in one.
    fn refused(&self, error: &clap::Error) -> CliError {
        let text = error.to_string();
        let said =
            text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage") && !line.starts_with("For more"));
        let said: Vec<_> = said.filter(|line| !line.is_empty()).collect();
        let said = said.join("; ");
        let help = format!("see `assize {} --help` for its options", self.kind.verb);
        CliError::usage(said.trim_start_matches("error: "), help)
    }
}

fn option(name: &str, value: &std::ffi::OsStr) -> OsString {
    let mut option = OsString::from(format!("--{name}="));
    option.push(value);
    option
}
