//! The table of implementations: who they are, and how each ecosystem's client installs them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::{kept::Implementation, words};
use crate::{
    config::ConfigError,
    toml_file::{TomlFile, element, quoted},
};

/// What stands in braces, everywhere.
const EVERYWHERE: [&str; 7] = ["name", "version", "adapter", "stem", "folder", "cache", "path"];
/// What a step can say beside it.
const PACKAGES: [&str; 2] = ["package", "packages"];

/// A table that makes sense.
#[derive(Debug, Clone)]
pub struct Table {
    /// Each version of each implementation, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One implementation in one version.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// Who it is.
    pub implementation: Implementation,
    /// The filters of what it is asked.
    pub filter: Vec<String>,
    /// How it is installed and started.
    pub client: Client,
    /// Its adapter, from the folder of the table on.
    pub adapter: Option<String>,
    /// The packages that it needs, its own first, as the client spells them.
    pub packages: Vec<String>,
    /// Where it lies, if nothing installs it.
    pub path: Option<String>,
}

/// How an ecosystem's client installs, and how what it installed is started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Client {
    /// Files that are copied into the scratch folder.
    pub files: Vec<Copied>,
    /// Where the adapter goes; nothing for its own name.
    pub adapter: Option<String>,
    /// Commands that are run one after the other in the scratch folder, without a shell.
    pub steps: Vec<Vec<String>>,
    /// Variables of these commands, beside those that are there.
    pub environment: BTreeMap<String, String>,
    /// Files and folders that tell what was installed.
    pub record: Vec<String>,
    /// How the shim is started.
    pub command: Vec<String>,
    /// Files and folders that it may read beside its scratch folder and its runtime.
    pub readable: Vec<String>,
}

/// A file that is copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Copied {
    /// From the folder of the table on.
    pub from: String,
    /// From the scratch folder on.
    pub to: String,
}

impl Table {
    /// Reads the bytes of a table; `name` is what errors call it, and the files that it names lie below `folder`.
    ///
    /// # Errors
    /// The bytes are not UTF-8 or not TOML, a key is unknown or missing, or a value makes no sense.
    pub fn parse(name: &str, bytes: &[u8], folder: &Path) -> Result<Self, ConfigError> {
        let file = TomlFile::new(name, bytes)?;
        let written: Written = file.read(&[
            ("filter", r#"write what is asked: filter = ["canon/rfc8785"]"#),
            ("name", r#"write what it is called: name = "rfc8785""#),
        ])?;
        let reader = Reader { file: &file, folder, clients: clients(&file, folder, written.client)? };
        let filter = texts(&file, "filter", written.filter)?;
        let mut entries = Vec::new();
        let mut seen = BTreeSet::new();
        for implementation in written.implementation {
            let place = implementation.name.clone();
            for entry in reader.entries(implementation, &filter)? {
                let slug = entry.implementation.slug();
                if slug.is_empty() || !seen.insert(slug.to_ascii_lowercase()) {
                    let label = quoted(&entry.implementation.label());
                    let message = format!("is {label}, whose file would have another's name or none");
                    return Err(file.error("`name`", &place, message, "name each implementation once"));
                }
                entries.push(entry);
            }
        }
        Ok(Self { entries })
    }
}

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    filter: Vec<Spanned<String>>,
    #[serde(default)]
    client: BTreeMap<String, Spanned<WrittenClient>>,
    #[serde(default)]
    implementation: Vec<WrittenImplementation>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct WrittenClient {
    extends: Option<Spanned<String>>,
    language: Option<Spanned<String>>,
    files: Option<Vec<WrittenCopied>>,
    adapter: Option<Spanned<String>>,
    package: Option<Spanned<String>>,
    steps: Option<Vec<Spanned<Vec<Spanned<String>>>>>,
    environment: Option<BTreeMap<String, Spanned<String>>>,
    record: Option<Vec<Spanned<String>>>,
    command: Option<Spanned<Vec<Spanned<String>>>>,
    readable: Option<Vec<Spanned<String>>>,
}

impl WrittenClient {
    /// What it says itself, and where it says nothing what the other says.
    fn or(self, other: Self) -> Self {
        Self {
            extends: self.extends,
            language: self.language.or(other.language),
            files: self.files.or(other.files),
            adapter: self.adapter.or(other.adapter),
            package: self.package.or(other.package),
            steps: self.steps.or(other.steps),
            environment: self.environment.or(other.environment),
            record: self.record.or(other.record),
            command: self.command.or(other.command),
            readable: self.readable.or(other.readable),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct WrittenCopied {
    from: Spanned<String>,
    to: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct WrittenImplementation {
    name: Spanned<String>,
    client: Spanned<String>,
    #[serde(default)]
    versions: Vec<Spanned<String>>,
    adapter: Option<Spanned<String>>,
    package: Option<Spanned<String>>,
    #[serde(default)]
    with: Vec<Spanned<String>>,
    claims: Option<Spanned<String>>,
    link: Option<Spanned<String>>,
    bound: Option<bool>,
    filter: Option<Vec<Spanned<String>>>,
    path: Option<Spanned<String>>,
}

/// What each ecosystem's name stands for.
struct Ecosystem {
    language: String,
    package: Option<String>,
    client: Client,
    needs_adapter: bool,
}

struct Reader<'r> {
    file: &'r TomlFile<'r>,
    folder: &'r Path,
    clients: BTreeMap<String, Ecosystem>,
}

impl Reader<'_> {
    fn entries(&self, written: WrittenImplementation, filter: &[String]) -> Result<Vec<Entry>, ConfigError> {
        let file = self.file;
        let Some(ecosystem) = self.clients.get(written.client.get_ref()) else {
            let known: Vec<&str> = self.clients.keys().map(String::as_str).collect();
            return Err(file.unknown("`client`", &written.client, &known));
        };
        if ecosystem.needs_adapter && written.adapter.is_none() {
            let help = "write the file that calls it, from the folder of this file on: adapter = \"python/canon.py\"";
            return Err(file.error("`name`", &written.name, "has no `adapter`, which its client uses", help));
        }
        if written.path.is_none() && written.versions.is_empty() {
            let help = "write what is installed: versions = [\"1.0\"]";
            return Err(file.error("`name`", &written.name, "has neither `versions` nor a `path`", help));
        }
        file.distinct("versions", &written.versions)?;
        let client_name = written.client.into_inner();
        let name = file.filled("`name`", written.name, "write what it is called")?;
        let adapter = written.adapter.map(|adapter| existing(file, self.folder, "`adapter`", adapter)).transpose()?;
        let package = written.package.map(|package| spelling(file, package)).transpose()?;
        let package = package.as_ref().or(ecosystem.package.as_ref());
        let with = texts(file, "with", written.with)?;
        let plain = |label, text: Option<Spanned<String>>| text.map(|text| file.plain(label, text)).transpose();
        let (claims, link, path) =
            (plain("`claims`", written.claims)?, plain("`link`", written.link)?, plain("`path`", written.path)?);
        let filter = match written.filter {
            Some(own) => texts(file, "filter", own)?,
            None => filter.to_vec(),
        };
        let mut versions = texts(file, "versions", written.versions)?;
        if versions.is_empty() {
            versions.push(String::new());
        }
        let entry = |version: String| {
            let values = [("name", name.as_str()), ("version", version.as_str())];
            let own = package.and_then(|package| words::Filled { values: &values }.word(package).ok());
            Entry {
                packages: own.into_iter().chain(with.iter().cloned()).collect(),
                implementation: Implementation {
                    name: name.clone(),
                    version,
                    language: ecosystem.language.clone(),
                    client: path.is_none().then(|| client_name.clone()),
                    claims: claims.clone(),
                    link: link.clone(),
                    bound: written.bound.unwrap_or(true),
                },
                filter: filter.clone(),
                client: ecosystem.client.clone(),
                adapter: adapter.clone(),
                path: path.clone(),
            }
        };
        Ok(versions.into_iter().map(entry).collect())
    }
}

fn clients(
    file: &TomlFile<'_>,
    folder: &Path,
    written: BTreeMap<String, Spanned<WrittenClient>>,
) -> Result<BTreeMap<String, Ecosystem>, ConfigError> {
    let client = |(name, client): (&String, &Spanned<WrittenClient>)| {
        let whole = match &client.get_ref().extends {
            Some(base) => client.get_ref().clone().or(extended(file, base, &written)?),
            None => client.get_ref().clone(),
        };
        Ok((name.clone(), ecosystem(file, folder, client, whole)?))
    };
    written.iter().map(client).collect()
}

/// The client that another extends.
fn extended(
    file: &TomlFile<'_>,
    base: &Spanned<String>,
    written: &BTreeMap<String, Spanned<WrittenClient>>,
) -> Result<WrittenClient, ConfigError> {
    let Some(client) = written.get(base.get_ref()) else {
        let known: Vec<&str> = written.keys().map(String::as_str).collect();
        return Err(file.unknown("`extends`", base, &known));
    };
    if client.get_ref().extends.is_some() {
        let message = format!("is {}, which extends another itself", quoted(base.get_ref()));
        return Err(file.error("`extends`", base, message, "name the one that says it all"));
    }
    Ok(client.get_ref().clone())
}

fn ecosystem(
    file: &TomlFile<'_>,
    folder: &Path,
    place: &Spanned<WrittenClient>,
    written: WrittenClient,
) -> Result<Ecosystem, ConfigError> {
    let missing = |key: &str, help: &str| file.error(&format!("`{key}`"), place, "is missing", help);
    let Some(language) = written.language else {
        return Err(missing("language", r#"write what it is written in: language = "python""#));
    };
    let Some(command) = written.command else {
        return Err(missing("command", r#"write how the shim is started: command = ["python3", "{adapter}"]"#));
    };
    let known = |key: &str, word: Spanned<String>, more: &[&str]| {
        let names: Vec<&str> = EVERYWHERE.iter().chain(more).copied().collect();
        if let Some(name) = words::names(word.get_ref()).find(|name| !names.contains(name)) {
            let message = format!("has {{{name}}}, which stands for nothing there");
            return Err(file.error(&element(key), &word, message, format!("known: {}", names.join(", "))));
        }
        file.plain(&element(key), word)
    };
    let list = |key: &str, words: Vec<Spanned<String>>, more: &[&str]| -> Result<Vec<String>, ConfigError> {
        words.into_iter().map(|word| known(key, word, more)).collect()
    };
    let nonempty = |key: &str, words: Spanned<Vec<Spanned<String>>>, more: &[&str]| {
        if words.get_ref().first().is_none_or(|program| program.get_ref().is_empty()) {
            let help = "write the program and its arguments, word by word";
            return Err(file.error(&format!("`{key}`"), &words, "names no program", help));
        }
        list(key, words.into_inner(), more)
    };
    let files = written.files.unwrap_or_default().into_iter().map(|copied| {
        let from = existing(file, folder, "`from`", copied.from)?;
        let to = match copied.to {
            Some(to) => within(file, "`to`", to)?,
            None => last(&from).to_owned(),
        };
        Ok(Copied { from, to })
    });
    let environment = written.environment.unwrap_or_default().into_iter();
    let environment = environment.map(|(name, value)| Ok((name, known("environment", value, &[])?)));
    let client = Client {
        files: files.collect::<Result<_, ConfigError>>()?,
        adapter: written.adapter.map(|to| within(file, "`adapter`", to)).transpose()?,
        steps: written
            .steps
            .unwrap_or_default()
            .into_iter()
            .map(|step| nonempty("steps", step, &PACKAGES))
            .collect::<Result<_, ConfigError>>()?,
        environment: environment.collect::<Result<_, ConfigError>>()?,
        record: written
            .record
            .unwrap_or_default()
            .into_iter()
            .map(|path| within(file, "`record`", path))
            .collect::<Result<_, _>>()?,
        command: nonempty("command", command, &[])?,
        readable: list("readable", written.readable.unwrap_or_default(), &[])?,
    };
    let package = written.package.map(|package| spelling(file, package));
    let all = client.steps.iter().flatten().chain(&client.command);
    let needs_adapter = all.flat_map(|word| words::names(word)).any(|name| ["adapter", "stem"].contains(&name));
    Ok(Ecosystem {
        language: file.filled("`language`", language, "write what it is written in")?,
        package: package.transpose()?,
        client,
        needs_adapter,
    })
}

/// How a package is spelled.
fn spelling(file: &TomlFile<'_>, package: Spanned<String>) -> Result<String, ConfigError> {
    let other = words::names(package.get_ref()).find(|name| !["name", "version"].contains(name)).map(str::to_owned);
    if let Some(name) = other {
        let message = format!("has {{{name}}}, which stands for nothing there");
        return Err(file.error("`package`", &package, message, "known: name, version"));
    }
    file.plain("`package`", package)
}

/// The last part of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn texts(file: &TomlFile<'_>, key: &str, texts: Vec<Spanned<String>>) -> Result<Vec<String>, ConfigError> {
    texts.into_iter().map(|text| file.filled(&element(key), text, "write something, or leave it out")).collect()
}

/// A path that stays below its folder.
fn within(file: &TomlFile<'_>, label: &str, path: Spanned<String>) -> Result<String, ConfigError> {
    let inside = |part: &str| !["", ".", ".."].contains(&part) && !part.contains(['\\', ':', '\0']);
    if path.get_ref().split('/').all(inside) {
        return Ok(path.into_inner());
    }
    let message = format!("is {}, which is no path below its folder", quoted(path.get_ref()));
    Err(file.error(label, &path, message, "write names with slashes between them, like src/main.rs"))
}

/// A path below the folder of the table at which there is a file.
fn existing(file: &TomlFile<'_>, folder: &Path, label: &str, path: Spanned<String>) -> Result<String, ConfigError> {
    let place = file.place(&path);
    let written = within(file, label, path)?;
    let found: PathBuf = folder.join(&written);
    if found.is_file() {
        return Ok(written);
    }
    let help = format!("there is no file {}", found.display());
    Err(file.error_there(place, format!("{label} is {}, which is not there", quoted(&written)), help))
}
