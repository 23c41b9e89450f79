//! A line of the manifest as the command line of its verb: what the verb refuses is refused in its own words.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Component, Path, PathBuf},
    slice,
};

use assize::sweep::{Asked, Judged, Needs};
use assize_archives::{Damage, Held, Place, Scope};
use clap::Command;
use serde_json::Value;

use super::super::{
    CliError,
    seen::{Inside, Seen},
};

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

    /// Where a path of the manifest leads.
    fn place(&self, path: &str) -> Result<Spot, CliError> {
        match assize_archives::place(path).map_err(damaged)? {
            Place::Plain(path) => self.below(&path).map(Spot::Disk),
            Place::Member { archive, inner, .. } => Ok(Spot::Archive { archive: self.below(&archive)?, inner }),
        }
    }

    /// A path below the root however it is spelled, links included.
    fn below(&self, path: &str) -> Result<PathBuf, CliError> {
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

/// Where a path leads.
enum Spot {
    Disk(PathBuf),
    Archive { archive: PathBuf, inner: String },
}

/// How paths begin that lead into an archive.
pub(super) fn begin(archive: &Path) -> PathBuf {
    let mut begin = archive.as_os_str().to_owned();
    begin.push("!");
    begin.into()
}

/// What an archive gave for a line.
pub(super) fn inside(needs: &Needs, held: &Held) -> Inside {
    Inside { begin: begin(&needs.archive), held: held.clone() }
}

fn damaged(damage: Damage) -> CliError {
    CliError::unreadable(damage.message, damage.help)
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
    /// The archive that the line leads into, where that was read for it.
    pub(super) archive: Option<&'a Path>,
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
        if self.is_reference() && !self.gives("root") {
            // Without one the verb would take the folder in which the sweep was started.
            let is_inside = |path: &String| matches!(self.root.place(path), Ok(Spot::Archive { .. }));
            let top = self.archive.filter(|_| self.asked.paths.iter().any(is_inside)).map(begin);
            line.push(option("root", top.as_ref().unwrap_or(&self.root.folder).as_os_str()));
        }
        line.push("--".into());
        for path in &self.asked.paths {
            line.push(self.path(path)?.into());
        }
        Ok(line)
    }

    /// What is given for an option, once or in a list.
    fn given(&self, name: &str) -> impl Iterator<Item = &Value> {
        let values = match self.asked.options.get(name) {
            Some(Value::Array(values)) => values.as_slice(),
            Some(value) => slice::from_ref(value),
            None => &[],
        };
        values.iter().filter(|value| !value.is_null())
    }

    fn gives(&self, name: &str) -> bool {
        self.given(name).next().is_some()
    }

    fn is_reference(&self) -> bool {
        self.given("mode").any(|mode| mode.as_str() == Some("reference"))
    }

    /// A path as the verb is given it.
    fn path(&self, path: &str) -> Result<PathBuf, CliError> {
        match self.root.place(path)? {
            Spot::Disk(place) if self.archive.is_some_and(|archive| place.starts_with(begin(archive))) => {
                let message = format!("{path:?}: a folder that is called as the archive of the line is written");
                Err(CliError::unreadable(message, "give the folder another name"))
            }
            Spot::Disk(place) => Ok(place),
            Spot::Archive { archive, inner, .. } if self.archive == Some(archive.as_path()) => {
                let begin = begin(&archive);
                Ok(if inner.is_empty() { begin } else { begin.join(inner) })
            }
            Spot::Archive { .. } => {
                let message = format!("{path:?}: leads into another archive than the rest of the line");
                Err(CliError::unreadable(message, "name paths of one archive in a line, or unpack one of them"))
            }
        }
    }

    /// What is read of an archive for this line; none where it leads into none, or cannot be judged.
    pub(super) fn needs(&self) -> Option<Needs> {
        let mut needs: Option<Needs> = None;
        let mut add = |path: &str, scopes: &dyn Fn(String) -> Vec<Scope>| -> Option<()> {
            let Place::Member { archive, kind, inner } = assize_archives::place(path).ok()? else { return Some(()) };
            let archive = self.root.below(&archive).ok()?;
            let needs = needs.get_or_insert_with(|| Needs { archive: archive.clone(), kind, scopes: Vec::new() });
            needs.scopes.extend(scopes(inner));
            (needs.archive == archive).then_some(())
        };
        for name in self.asked.options.keys() {
            let takes = self.kind.options.iter().find(|(known, _)| *known == name.replace('_', "-"));
            if takes.is_none_or(|(_, takes)| *takes != Takes::Path) {
                continue;
            }
            let scope = |path| vec![if name == "root" { Scope::Folder(path) } else { Scope::File(path) }];
            for path in self.given(name).filter_map(Value::as_str) {
                add(path, &scope)?;
            }
        }
        let is_pair = self.kind.paths == 2;
        for path in &self.asked.paths {
            add(path, &|path: String| match is_pair && !self.gives("root") {
                _ if self.kind.folder => vec![Scope::Folder(path)],
                false => vec![Scope::File(path)],
                true if self.is_reference() => vec![Scope::Folder(String::new())],
                // Bundles name files from their own folder.
                true => vec![Scope::Folder(path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned())],
            })?;
        }
        needs
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
            Takes::Path => line.push(option(name, self.path(&text)?.as_os_str())),
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
