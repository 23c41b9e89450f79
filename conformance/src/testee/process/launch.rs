//! How a testee is started, and what a report says about that.

use std::{
    collections::{BTreeMap, BTreeSet},
    env::{self, consts::EXE_SUFFIX},
    ffi::{OsStr, OsString},
    fs, io, iter,
    path::{self, Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
};

use assize_corpus::disk::Scratch;
use serde::Serialize;

#[cfg(target_os = "linux")]
use {
    super::seal::{CASES, Launched, Plan, TEMPORARY, Unstarted},
    assize_corpus::disk::Below,
};

use super::{
    Begun, Process, Tap, Timing,
    barred::{Untaken, lawful},
    containment::{self, Bounds, Containment, Held},
    descendants, digests, group,
    seal::{self, Offer, Reading, Seal},
    subject::{Snapshot, Subject, SubjectInfo},
    unstarted::StartError,
    watch::Watch,
};

/// The variable by which processes of a session are recognised.
const SESSION: &str = "ASSIZE_SESSION";

/// Everything that a start depends on.
#[derive(Debug, Clone)]
pub struct Launch {
    /// Program and arguments. A program without a slash is searched on the path of this process; any other is a path from
    /// the working folder.
    pub argv: Vec<OsString>,
    /// Working folder; that of this process if none is given.
    pub directory: Option<PathBuf>,
    /// Names of the environment variables that are handed on; all others are not.
    pub environment: Vec<String>,
    /// The longest line that is accepted, without its line feed.
    pub line: usize,
    /// Seconds of CPU time that each process of the testee may use.
    pub cpu_s: Option<u64>,
    /// Mebibytes of data that each process of the testee may have.
    pub memory_mb: Option<u64>,
    /// What time is counted by.
    pub timing: Timing,
    /// How it is kept from what is not its own; nothing leaves it what its user can reach.
    pub seal: Option<Seal>,
    /// What it consists of: that is digested, and a sealed testee reads that.
    pub subject: Subject,
}

/// What was started.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CommandInfo {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Working folder, where one was configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Names of the environment variables that were handed on.
    pub environment: Vec<String>,
    /// The program and every argument that names a file, with their digests.
    pub files: Vec<FileInfo>,
    /// All files of its subject; nothing for a run that certifies nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectInfo>,
    /// What was added to its runtime: packages, virtual environments; nothing where nothing was, and where no statement was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<SubjectInfo>,
}

/// A file of the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileInfo {
    /// Which word of the command; 0 is the program.
    pub argument: usize,
    /// Base name of the file.
    pub name: String,
    /// Digest of its bytes.
    pub sha256: String,
}

/// A command, and the files of its subject at one moment.
#[derive(Debug, Clone)]
pub struct Look {
    /// The command.
    pub command: CommandInfo,
    snapshot: Result<Snapshot, Untaken>,
    runtime: Option<Taken>,
}

/// Why a runtime has no digest. Which folder it was, and where, is nobody's business, and another one elsewhere.
const UNREAD: &str = "there are too many files, or one that cannot be read";

/// Files of a runtime, or why they could not be taken.
type Taken = Result<Arc<Snapshot>, Untaken>;

impl Look {
    /// The command as it was here, with the names of what is not the same any more.
    #[must_use]
    pub fn since(&self, now: &Self) -> CommandInfo {
        let mut command = self.command.clone();
        let Some(subject) = &mut command.subject else { return command };
        let (was, is) = (&self.command.files, &now.command.files);
        let gone = was.iter().filter(|file| !is.contains(file));
        // A word that names a file by now named none before: nobody knows what it was in between.
        let new = is.iter().filter(|file| !was.iter().any(|known| known.argument == file.argument));
        subject.changed = gone.chain(new).map(|file| file.name.clone()).collect();
        match (&self.snapshot, &now.snapshot) {
            (Ok(before), Ok(after)) => subject.changed.extend(after.changes(before)),
            (Ok(_), Err(untaken)) => subject.changed.push(untaken.why.clone()),
            (Err(_), _) => {}
        }
        match (&self.runtime, &now.runtime, &mut command.runtime) {
            (Some(Ok(before)), after, Some(runtime)) => {
                runtime.changed = match after {
                    Some(Ok(after)) => after.changes(before),
                    Some(Err(untaken)) => vec![untaken.why.clone()],
                    None => vec!["nothing of it is there any more".to_owned()],
                }
            }
            (None, Some(_), _) => subject.changed.push("its runtime, to which something was added".to_owned()),
            _ => {}
        }
        command
    }
}

impl Launch {
    /// Starts a process. Every complete line from it passes through `tap` before the harness sees it.
    ///
    /// # Errors
    /// The program or its working folder does not exist, or the system refuses; the text says what to do.
    pub fn start(&self, tap: Option<Tap>) -> Result<Process, StartError> {
        let program = self.program()?;
        let scratch = Scratch::new().map_err(|error| {
            StartError::or_short(error, |error| StartError::Scratch { folder: env::temp_dir(), error })
        })?;
        let session = format!("{:032x}", fastrand::u128(..));

        containment::subreaper();
        let begun = match self.launcher().map_err(StartError::Short)? {
            #[cfg(target_os = "linux")]
            Some((seal, offer)) => self.sealed(seal, &offer, &program, scratch.path(), &session)?,
            _ => self.plain(&program, scratch.path(), &session)?,
        };
        let mark = format!("{SESSION}={session}");
        let process = Process::new(begun, scratch, mark, self, tap);
        process.map_err(|error| StartError::or_short(error, StartError::contain(&program)))
    }

    /// Starts it as a child of this process, with what that process can reach.
    fn plain(&self, program: &Path, scratch: &Path, session: &str) -> Result<Begun, StartError> {
        let mut command = Command::new(program);
        command.args(self.argv.iter().skip(1)).env_clear().envs(self.variables(scratch, session));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        group::prepare(&mut command, self.argv.first().map_or(OsStr::new(""), OsString::as_os_str));
        let child = descendants::spawn(&mut command);
        let child = child.map_err(|error| StartError::or_short(error, StartError::spawn(program)))?;
        Ok(Begun { child, watch: Watch::default(), temporary: scratch.to_owned(), below: None, limited: false })
    }

    /// Starts it through the launcher, with what its seal leaves it.
    #[cfg(target_os = "linux")]
    fn sealed(
        &self,
        seal: &Seal,
        offer: &Offer,
        program: &Path,
        scratch: &Path,
        session: &str,
    ) -> Result<Begun, StartError> {
        let contain = |error: io::Error| StartError::or_short(error, StartError::contain(program));
        // Links are followed here: the folder has one name inside.
        let scratch = scratch.canonicalize().map_err(contain)?;
        let (temporary, cases) = (scratch.join(TEMPORARY), scratch.join(CASES));
        if !offer.namespaces {
            fs::create_dir(&temporary).and_then(|()| fs::create_dir(&cases)).map_err(contain)?;
        }
        let base = self.base();
        let reading = self.reading(seal, program);
        let words = |paths: Vec<PathBuf>| paths.into_iter().map(PathBuf::into_os_string).collect();
        let plan = Plan {
            program: program.into(),
            argv: self.argv.clone(),
            environment: self.variables(&temporary, session),
            directory: base.into(),
            scratch: scratch.clone().into(),
            readable: words(reading.paths),
            writable: words(seal.writable.clone()),
            hidden: words(reading.hidden),
            open: reading.open,
            cpu_s: self.cpu_s,
            memory_mb: self.memory_mb,
            ..Plan::nobody()
        };
        let launched = seal::start(&seal.launcher, offer.namespaces, &plan);
        let Launched { child, held, init } = launched.map_err(|why| match why {
            Unstarted::Short(why) => StartError::Short(why),
            Unstarted::Program(error) => StartError::spawn(program)(error),
            Unstarted::Refused(error) => StartError::contain(program)(error),
        })?;
        let below = match &init {
            Some(init) => init.below(&scratch),
            None => Below { here: cases.clone(), there: cases },
        };
        let begun = Begun { child, watch: Watch::over(init), temporary, below: Some(below), limited: true };
        if held != offer.held {
            let error = io::Error::other("what holds for it is not what this system offered before");
            begun.end();
            return Err(contain(error));
        }
        Ok(begun)
    }

    /// What containment this system offers for it. A process that cannot be contained like that is not started.
    #[must_use]
    pub fn containment(&self) -> Containment {
        // A system that is short now is asked again at the start, and nothing begins there without an answer.
        let Ok(Some((seal, offer))) = self.launcher() else { return self.bounds().containment(Held::default()) };
        let open = self.program().map_or(seal.open, |program| self.reading(seal, &program).open);
        let contained = self.bounds().containment(Held { measures: &offer.held, open });
        // By the one name that it has however it was written.
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone()).to_string_lossy().into_owned();
        let readable: BTreeSet<_> = seal.readable.iter().map(real).collect();
        Containment { readable: readable.into_iter().collect(), ..contained }
    }

    /// Whether its seal lets it read a path.
    pub(crate) fn may_read(&self, path: &Path) -> bool {
        let (Some(seal), Ok(program), Ok(path)) = (&self.seal, self.program(), path.canonicalize()) else {
            return true;
        };
        let reading = self.reading(seal, &program);
        reading.open
            || reading.paths.iter().filter_map(|known| known.canonicalize().ok()).any(|known| path.starts_with(known))
    }

    /// The launcher and what it holds to, where there is one and the system offers anything; or why that cannot be told now.
    fn launcher(&self) -> Result<Option<(&Seal, Offer)>, String> {
        let Some(seal) = &self.seal else { return Ok(None) };
        Ok(seal::offer(&seal.launcher)?.map(|offer| (seal, offer)))
    }

    fn reading(&self, seal: &Seal, program: &Path) -> Reading {
        seal::reading(seal, self.named(), &self.base(), program, self.argv.get(1..).unwrap_or_default())
    }

    /// The whole environment.
    fn variables(&self, scratch: &Path, session: &str) -> Vec<(OsString, OsString)> {
        let own = [("LANG", OsStr::new("C.UTF-8")), ("LC_ALL", OsStr::new("C.UTF-8")), (SESSION, OsStr::new(session))];
        let temporary = ["TMPDIR", "TEMP", "TMP"].map(|name| (name, scratch.as_os_str()));
        let handed_on = self.handed_on().map(|(name, value)| (name.into(), value));
        let own = own.into_iter().chain(temporary).map(|(name, value)| (name.into(), value.to_owned()));
        // What the harness sets comes last, and wins.
        handed_on.chain(own).collect()
    }

    /// The command, with digests of the program and of every argument that names a file which can be read.
    #[must_use]
    pub fn info(&self) -> CommandInfo {
        let base = self.base();
        let arguments = self.argv.iter().skip(1).map(|word| Some(base.join(word)));
        let words = iter::once(self.program().ok()).chain(arguments).enumerate();
        let files = words.filter_map(|(argument, path)| {
            let path = path?;
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some(FileInfo { argument, name, sha256: digests::digest(&path).ok()? })
        });
        let mut environment: Vec<_> = self.handed_on().map(|(name, _)| name.to_owned()).collect();
        environment.sort();
        environment.dedup();
        CommandInfo {
            argv: self.argv.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            directory: self.directory.as_ref().map(|folder| folder.to_string_lossy().into_owned()),
            environment,
            files: files.collect(),
            subject: None,
            runtime: None,
        }
    }

    /// The command, with the files of its subject as they are now.
    #[must_use]
    pub fn look(&self) -> Look {
        let named = self.named();
        let names = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let (roots, paths) = match named.as_slice() {
            [] => (vec![self.base()], vec![".".to_owned()]),
            some => (some.to_vec(), some.iter().map(names).collect()),
        };
        let snapshot = match self.bare_interpreter() {
            Some(name) if named.is_empty() => {
                Err(format!("{name} runs other programs, and nothing says which files are this one's").into())
            }
            _ => Snapshot::without_keys(&roots, &self.subject.apart),
        };
        let files = self.info();
        // What is named as an argument can be read and started, wherever it lies.
        let arguments = files
            .files
            .iter()
            .filter_map(|file| Some((self.argv.get(file.argument).filter(|_| file.argument > 0)?, file)));
        let base = self.base();
        let judged = arguments.map(|(word, file)| lawful(&base.join(word), &file.sha256, true));
        let snapshot = judged.collect::<Result<(), Untaken>>().and(snapshot);
        let subject = match &snapshot {
            Ok(snapshot) => snapshot.info(paths),
            Err(untaken) => undigested(paths, &untaken.why),
        };
        Look { command: CommandInfo { subject: Some(subject), ..files }, snapshot, runtime: None }
    }

    /// The same, with what was added to its runtime, where that is not the system's.
    #[must_use]
    pub fn look_at_all(&self) -> Look {
        let mut look = self.look();
        let Some((names, runtime)) = self.runtime() else { return look };
        let info = match &runtime {
            Ok(runtime) => runtime.info(names),
            Err(_) => undigested(names, UNREAD),
        };
        // Elsewhere than in its own files it is no better.
        if let (Err(Untaken { why, barred: true }), Some(subject)) = (&runtime, &mut look.command.subject) {
            *subject = undigested(subject.paths.clone(), why);
            look.snapshot = Err(why.clone().into());
        }
        look.command.runtime = Some(info);
        look.runtime = Some(runtime);
        look
    }

    /// What was added to its runtime and is not of its subject, with base names; nothing where nothing was.
    fn runtime(&self) -> Option<(Vec<String>, Taken)> {
        /// What was read before by this process: packages can be many, and a run is made more than once.
        static KNOWN: Mutex<BTreeMap<Vec<PathBuf>, Arc<Snapshot>>> = Mutex::new(BTreeMap::new());
        let base = self.base();
        let roots = match seal::added(&self.program().ok()?, &base) {
            Ok(roots) => roots,
            Err(why) => return Some((vec!["packages".to_owned()], Err(why.into()))),
        };
        let own = Some(self.named()).filter(|named| !named.is_empty()).unwrap_or_else(|| vec![base]);
        let own: Vec<PathBuf> = own.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let roots: Vec<PathBuf> =
            roots.into_iter().filter(|root| !own.iter().any(|own| root.starts_with(own))).collect();
        if roots.is_empty() {
            return None;
        }
        // The harness's own file is hidden from a testee, wherever it is installed.
        let apart: Vec<PathBuf> =
            self.subject.apart.iter().cloned().chain(own).chain(env::current_exe().ok()).collect();
        let names =
            roots.iter().map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned());
        let names = names.collect();
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        // Not held while files are read: that is done by threads which may do other work of this kind meanwhile.
        let before = known().get(&roots).cloned();
        let taken = match before {
            Some(before) => Snapshot::again(&roots, &apart, &before),
            None => Snapshot::added(&roots, &apart),
        };
        let taken = taken.map(Arc::new);
        if let Ok(taken) = &taken {
            known().insert(roots, Arc::clone(taken));
        }
        Some((names, taken))
    }

    /// The program, if it interprets others and no argument names one.
    fn bare_interpreter(&self) -> Option<String> {
        let program = self.program().ok().filter(|program| seal::interprets(program))?;
        let base = self.base();
        let bare = !self.argv.iter().skip(1).any(|word| names_one(&base, word));
        bare.then(|| program.file_name().unwrap_or_default().to_string_lossy().into_owned())
    }

    pub(super) fn bounds(&self) -> Bounds {
        Bounds { cpu_s: self.cpu_s, memory_mb: self.memory_mb }
    }

    /// The variables that are handed on and set.
    fn handed_on(&self) -> impl Iterator<Item = (&str, OsString)> {
        // A name that no variable can have would make the lookup panic.
        let names = self.environment.iter().filter(|name| !name.is_empty() && !name.contains(['=', '\0']));
        names.filter_map(|name| Some((name.as_str(), env::var_os(name)?)))
    }

    /// The working folder, from which paths start.
    fn base(&self) -> PathBuf {
        let folder = self.directory.as_deref().unwrap_or(Path::new("."));
        path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
    }

    /// What a caller says that it consists of.
    fn named(&self) -> Vec<PathBuf> {
        let base = self.base();
        self.subject.named.iter().map(|path| base.join(path)).collect()
    }

    /// The file that is started: searched once, so that it is the one whose digest is reported.
    fn program(&self) -> Result<PathBuf, StartError> {
        let name = self.argv.first().filter(|name| !name.is_empty()).ok_or(StartError::Empty)?;
        let base = self.base();
        if !base.is_dir() {
            return Err(StartError::Directory(base));
        }
        let is_path = name.as_encoded_bytes().iter().any(|byte| path::is_separator(char::from(*byte)));
        let folders = if is_path {
            vec![base]
        } else {
            let path = env::var_os("PATH").unwrap_or_default();
            env::split_paths(&path).map(|folder| base.join(folder)).collect()
        };
        let mut spellings = vec![name.clone()];
        if !EXE_SUFFIX.is_empty() {
            let mut suffixed = name.clone();
            suffixed.push(EXE_SUFFIX);
            spellings.push(suffixed);
        }
        let mut other = None;
        for file in folders.iter().flat_map(|folder| spellings.iter().map(|name| folder.join(name))) {
            if is_executable(&file) {
                return Ok(file);
            }
            if other.is_none() && file.exists() {
                other = Some(file);
            }
        }
        Err(match other {
            Some(file) => StartError::NotExecutable(file),
            None if is_path => StartError::NoFile(name.into()),
            None => StartError::NotFound(name.to_string_lossy().into_owned()),
        })
    }
}

/// Files that have no digest.
fn undigested(paths: Vec<String>, why: &str) -> SubjectInfo {
    SubjectInfo { paths, undigested: Some(why.to_owned()), ..SubjectInfo::default() }
}

/// Whether a word names something of a folder: by its path, or as a module, with dots for slashes and without an ending.
fn names_one(base: &Path, word: &OsStr) -> bool {
    if word.is_empty() || base.join(word).exists() {
        return !word.is_empty();
    }
    let module = base.join(word.to_string_lossy().replace('.', "/"));
    let entries = module.parent().and_then(|folder| fs::read_dir(folder).ok());
    entries.into_iter().flatten().flatten().any(|entry| Path::new(&entry.file_name()).file_stem() == module.file_name())
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}
