//! The sources of a project: their call sites for the verifier, what they show besides, and what is allowed in them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use assize_source::{Allow, Cache, Edit, Found, Options, Place, Site, SourceError, Tree, Unusable};
use assize_verifier::law::Law;

use super::{
    CliError,
    collect::File,
    input, output,
    row::{Row, Seen},
};

/// What is read of a project's sources, and what things are called there.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Args {
    /// Sources in Python, TypeScript, JavaScript, Go or Java, from which call sites are taken.
    #[arg(long, value_name = "DIR", conflicts_with = "call_sites")]
    source: Option<PathBuf>,
    /// A file or folder below DIR that is left out, or all whose names end so: `*_test.go`.
    #[arg(long, value_name = "PATH", requires = "source")]
    exclude: Vec<String>,
    /// A class or function that gives a builder, beside ReplyBuilder.
    #[arg(long, value_name = "NAME", requires = "source")]
    builder: Vec<String>,
    /// A variable that holds a builder where nothing else is known about it, beside rb.
    #[arg(long, value_name = "NAME", requires = "source")]
    variable: Vec<String>,
    /// A decorator, annotation or function that makes a tool safe, beside mcp_safe_tool, mcpSafeTool and McpSafeTool.
    #[arg(long, value_name = "NAME", requires = "source")]
    wrapper: Vec<String>,
    /// A decorator, annotation or method that registers a tool, beside tool, add_tool, registerTool and addTool.
    #[arg(long, value_name = "NAME", requires = "source")]
    tool: Vec<String>,
    /// What runs before have read below DIR: only what has changed since is parsed again. It is made where it is not.
    #[arg(long, value_name = "FILE", requires = "source")]
    cache: Option<PathBuf>,
}

/// Sources that were read.
pub(super) struct Sources {
    root: PathBuf,
    pub(super) tree: Tree,
}

/// What the sources make of rows: those that count, those that are worth a look, and how many are allowed.
pub(super) struct Sorted {
    pub(super) findings: Vec<Row>,
    pub(super) advice: Vec<Row>,
    pub(super) allowed: usize,
}

impl Args {
    pub(super) fn read(&self) -> Result<Option<Sources>, CliError> {
        let Some(root) = &self.source else { return Ok(None) };
        let mut options = Options::default();
        let names = &mut options.names;
        for (all, more) in [
            (&mut names.builders, &self.builder),
            (&mut names.variables, &self.variable),
            (&mut names.wrappers, &self.wrapper),
            (&mut names.tools, &self.tool),
        ] {
            all.extend(more.iter().cloned());
        }
        options.exclude = self.exclude.iter().map(|path| path.trim_end_matches('/').to_owned()).collect();
        let tree = match &self.cache {
            Some(path) => {
                let path = followed(path)?;
                let mut cache = kept(&path)?;
                read_again(root, &options, &path, &mut cache)
            }
            None => assize_source::read(root, &options),
        };
        let tree = tree.map_err(|error| match error {
            SourceError::Threads(_) => CliError::bug(error),
            error => CliError::unreadable(error, "name a folder of sources after --source"),
        })?;
        Ok(Some(Sources { root: root.clone(), tree }))
    }
}

/// Where a cache lies: what takes the place of a file would take that of a link to it.
fn followed(path: &Path) -> Result<PathBuf, CliError> {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        return Ok(path.to_path_buf());
    }
    path.canonicalize().map_err(|error| {
        let message = format!("{}: a link that leads to no file: {error}", path.display());
        CliError::unreadable(message, "name the file itself after --cache")
    })
}

/// What an earlier run has kept. The file is replaced at the end, so one that no run has written is refused; one that another version has
/// written, or that is torn, is worth a note.
fn kept(path: &Path) -> Result<Cache, CliError> {
    if !path.exists() {
        return Ok(Cache::default());
    }
    let (name, bytes) = (path.display(), input::read(path)?);
    if bytes.is_empty() {
        return Ok(Cache::default());
    }
    match Cache::parse(bytes) {
        Err(why @ Unusable::Foreign) => {
            let message = format!("{name}: {why}, and is not overwritten");
            Err(CliError::unreadable(message, "name another file after --cache, or move this one away"))
        }
        Err(why) => {
            output::note(&format!("{name} is not used: {why}"));
            Ok(Cache::default())
        }
        Ok(cache) => Ok(cache),
    }
}

/// Reads with a cache. What is wrong with an entry, and a place that cannot be written, are worth a note and change nothing else.
fn read_again(root: &Path, options: &Options, path: &Path, cache: &mut Cache) -> Result<Tree, SourceError> {
    let name = path.display();
    let tree = assize_source::read_again(root, options, cache)?;
    if cache.damaged() > 0 {
        let files = output::counted(cache.damaged(), "file", "files");
        output::note(&format!("{name} is damaged: {files} parsed again"));
    }
    if let Some(Err(why)) = cache.to_write().map(|bytes| output::atomically(path, bytes)) {
        output::note(&format!("{why}; no cache is kept"));
    }
    Ok(tree)
}

impl Sources {
    /// Their call sites, as if a linter had written them to a file.
    pub(super) fn file(&self) -> Result<File, CliError> {
        let bytes = self.tree.call_sites().map_err(CliError::bug)?.into_bytes();
        Ok(File { name: self.root.display().to_string(), bytes })
    }

    /// What a file is called where the command runs.
    pub(super) fn name(&self, file: &str) -> String {
        if self.root == Path::new(".") { file.to_owned() } else { self.root.join(file).display().to_string() }
    }

    /// Puts rows of call sites where these stand, adds what no call site shows, and takes out what is allowed.
    pub(super) fn sort(&self, findings: Vec<Row>, advice: Vec<Row>) -> Result<Sorted, CliError> {
        let mut sorted = Sorted { findings: Vec::new(), advice: Vec::new(), allowed: 0 };
        for row in findings {
            match self.tree.site(&row.pointer) {
                None => sorted.findings.push(row),
                Some(site) if !site.is_judged(row.law.slug()) => {}
                Some(site) if site.certain => sorted.findings.push(self.placed(row, site)),
                Some(site) => {
                    let mut row = self.placed(row, site);
                    row.message.push_str(" (if this is the code that arrives here)");
                    sorted.advice.push(row);
                }
            }
        }
        for row in advice {
            let site = self.tree.site(&row.pointer);
            sorted.advice.push(match site {
                Some(site) => self.placed(row, site),
                None => row,
            });
        }
        for found in &self.tree.findings {
            sorted.findings.push(self.found(found)?);
        }
        let mut used = vec![false; self.tree.allowed.len()];
        let before = sorted.findings.len();
        sorted.findings.retain(|row| !self.is_allowed(row, &mut used));
        sorted.allowed = before - sorted.findings.len();
        sorted.advice.retain(|row| !self.is_allowed(row, &mut used));
        for found in &self.tree.advice {
            let row = self.found(found)?;
            if !self.is_allowed(&row, &mut used) {
                sorted.advice.push(row);
            }
        }
        for (allow, used) in self.tree.allowed.iter().zip(used) {
            if !used {
                sorted.advice.push(self.vain(allow));
            }
        }
        for skipped in &self.tree.skipped {
            let message = format!("not judged: the file {}", skipped.why);
            sorted.advice.push(self.row(ENFORCED, &skipped.file, None, "", message));
        }
        Ok(sorted)
    }

    fn placed(&self, row: Row, site: &Site) -> Row {
        let law = row.law;
        let place = site.place_of(law.slug());
        let mut placed = self.row(law, &place.file, Some(place), site.subject(law.slug()), row.message);
        if let Some(literal) =
            site.literal.as_ref().filter(|literal| literal.file != place.file || literal.line != place.line)
        {
            placed.message.push_str(&format!(" (written at {}:{})", self.name(&literal.file), literal.line));
        }
        Row { pointer: row.pointer, ..placed }
    }

    fn found(&self, found: &Found) -> Result<Row, CliError> {
        let law = Law::find(found.law).ok_or_else(|| CliError::bug(format!("no law is called {}", found.law)))?;
        Ok(self.row(law, &found.place.file, Some(&found.place), &found.subject, found.message.clone()))
    }

    fn row(&self, law: Law, file: &str, place: Option<&Place>, subject: &str, message: String) -> Row {
        Row {
            law,
            file: self.name(file),
            line: place.and_then(|place| u64::try_from(place.line).ok()),
            revision: None,
            subject: subject.to_owned(),
            pointer: String::new(),
            message,
            seen: place.map(Seen::of),
        }
    }

    /// Whether a comment allows it where it stands.
    fn is_allowed(&self, row: &Row, used: &mut [bool]) -> bool {
        let mut is = false;
        for (allow, used) in self.tree.allowed.iter().zip(used) {
            let here = row.seen.is_some() && self.name(&allow.place.file) == row.file;
            if here
                && u64::try_from(allow.line).ok() == row.line
                && allow.law == row.law.slug()
                && !allow.reason.is_empty()
            {
                *used = true;
                is = true;
            }
        }
        is
    }

    fn vain(&self, allow: &Allow) -> Row {
        let message = if allow.reason.is_empty() {
            "allows nothing without a reason: say why after the law"
        } else {
            "allows what is not there: remove it"
        };
        self.row(ENFORCED, &allow.place.file, Some(&allow.place), &allow.law, message.to_owned())
    }

    /// What a row is mended by, if that needs no judgement: codes that are only spelled otherwise, and methods that do not exist.
    pub(super) fn edit(&self, row: &Row, registered: &std::collections::BTreeSet<String>) -> Option<Edit> {
        // Of several codes, each may ask for something else.
        let site = self.tree.site(&row.pointer).filter(|site| site.alone)?;
        if row.law == FORBIDDEN {
            return site.edit.clone();
        }
        if row.law != SHAPE && row.law != REGISTERED {
            return None;
        }
        let assize_source::Code::Known(code) = &site.code else { return None };
        let due = assize_source::spelling(code, registered)?;
        let place = site.literal.clone()?;
        let text = std::fs::read_to_string(self.root.join(&place.file)).ok()?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let written = text.get(place.start..place.end)?;
        written.contains(code.as_str()).then(|| Edit::new(place.clone(), written.replacen(code.as_str(), due, 1)))
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }
}

const ENFORCED: Law = Law::named("reply/enforced");
const FORBIDDEN: Law = Law::named("reply/no-forbidden-methods");
const REGISTERED: Law = Law::named("reply/code-registered");
const SHAPE: Law = Law::named("reply/code-shape");
