//! `language.toml`.

use std::collections::BTreeMap;

use minijinja::Error;
use regex_lite::Regex;
use serde::{Deserialize, Serialize};

use super::{CONFIG, LanguageError};

/// All that the generator must know of a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Name of its folder.
    pub name: String,
    /// Other names by which a user may call it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Name for people.
    pub title: String,
    /// Names of packages.
    pub package: Package,
    /// How strings are written.
    pub strings: Strings,
    /// Wire types and what they are in the language.
    pub types: Types,
    /// Words that no identifier may be.
    #[serde(default)]
    pub reserved: Reserved,
    /// Comment lines by file name or extension; `{}` is the text.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// What text must not hold inside a comment.
    #[serde(default)]
    pub comments: Comments,
    /// What to run in an emitted project.
    pub commands: Commands,
    /// Whether the toolchain is here.
    pub probe: Probe,
    /// What a review of an emitted project asks of it, with tools that nothing else here needs.
    #[serde(default)]
    pub review: Vec<Review>,
    /// What a program of this language reads beside itself.
    #[serde(default)]
    pub runtime: Runtime,
    /// What a package that verifies carries, where there is one for this language.
    #[serde(default)]
    pub verifier: Option<Verifier>,
    /// Which file goes where.
    pub files: Vec<FileRule>,
}

/// A package that verifies.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verifier {
    /// Where the core lies in it.
    pub core: String,
    /// What lies there.
    #[serde(default)]
    pub carries: Carries,
    /// Commands that fetch what runs or builds the core, after those that set up any project.
    #[serde(default)]
    pub setup: Vec<Vec<String>>,
    /// Commands that build it, after those that build any project.
    #[serde(default)]
    pub build: Vec<Vec<String>>,
    /// The command that runs its shim, where it is another than that of any project.
    #[serde(default)]
    pub shim: Option<Vec<String>>,
}

/// In which form a package carries the core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Carries {
    /// A WebAssembly module: one file.
    #[default]
    Module,
    /// The sources of its crates, which the package compiles: a folder.
    Sources,
}

impl Carries {
    /// The form, for people.
    #[must_use]
    pub fn form(self) -> &'static str {
        match self {
            Self::Module => "the core as a WebAssembly module",
            Self::Sources => "the core's sources",
        }
    }
}

/// How a package may be called.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// What it is called when nothing else is said.
    pub default: String,
    /// Regular expression of what is a name.
    pub pattern: String,
    /// The same for people.
    pub help: String,
}

/// How a string literal is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strings {
    /// What stands before and after it.
    pub quote: String,
    /// Characters with a spelling of their own.
    pub escapes: BTreeMap<char, String>,
    /// Any other character that is not printable ASCII: a number in a format such as `\u{:04x}` or `\{:03o}`.
    pub unicode: String,
    /// The same for characters beyond the BMP.
    #[serde(default)]
    pub astral: Option<String>,
    /// Whether such a character is two UTF-16 units instead.
    #[serde(default)]
    pub utf16: bool,
    /// Whether every byte of UTF-8 is written by itself instead.
    #[serde(default)]
    pub bytes: bool,
}

/// What the wire types are called.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Types {
    /// Bytes.
    pub bytes: String,
    /// JSON text.
    pub text: String,
    /// A string.
    pub string: String,
    /// An integer.
    pub integer: String,
    /// A boolean.
    pub boolean: String,
    /// An array of strings.
    pub strings: String,
    /// Any plain JSON.
    pub json: String,
    /// `{}` or null.
    pub nullable: String,
}

impl Types {
    /// The type of this name, if there is one.
    pub(crate) fn find(&self, wire: &str) -> Option<&str> {
        let known = [
            ("bytes", &self.bytes),
            ("text", &self.text),
            ("string", &self.string),
            ("integer", &self.integer),
            ("boolean", &self.boolean),
            ("strings", &self.strings),
            ("json", &self.json),
        ];
        known.into_iter().find(|(name, _)| *name == wire).map(|(_, spelled)| spelled.as_str())
    }
}

/// Words that no identifier may be.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reserved {
    /// The words.
    pub words: Vec<String>,
    /// What is put after an identifier that is one of them.
    pub suffix: String,
}

/// What text must not hold inside a comment.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comments {
    /// What would end or bend a comment, and what stands for it; one after the other, in sorted order.
    #[serde(default)]
    pub replace: BTreeMap<String, String>,
}

/// What to run in the folder of an emitted project; every command is a program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Once, before anything else.
    #[serde(default)]
    pub setup: Vec<Vec<String>>,
    /// Builds suite and shim.
    #[serde(default)]
    pub build: Vec<Vec<String>>,
    /// The suite.
    pub test: Vec<Vec<String>>,
    /// The shim.
    pub shim: Vec<String>,
    /// The cases of one law.
    pub law: Vec<String>,
    /// The environment variable that puts any ATP/1 command, a JSON array, behind the suite's interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
}

/// How to see whether the toolchain is here.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Commands that succeed if it is.
    pub commands: Vec<Vec<String>>,
    /// What is missing if one fails.
    pub missing: String,
}

/// A tool that finds nothing in an emitted project.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// Succeeds if the tool is there.
    pub probe: Vec<String>,
    /// Succeeds if it finds nothing.
    pub command: Vec<String>,
}

/// What a program of this language reads beside itself and the installation that starts it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runtime {
    /// Names of the programs that start one; a star stands for anything.
    pub programs: Vec<String>,
    /// Folders. The first name may be `~` or a variable, as in `$JAVA_HOME`; the last may hold a star.
    pub folders: Vec<String>,
}

/// Where files of the language's folder go.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRule {
    /// What they are a part of.
    pub part: Part,
    /// A file, or a folder that is taken whole.
    pub from: String,
    /// A template of the path, or of the folder, in the project.
    pub to: String,
    /// Whether there is one for each of something.
    #[serde(default)]
    pub each: Each,
}

/// What a file is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The suite.
    Suite,
    /// The kit.
    Kit,
    /// Suite and kit.
    Both,
    /// The implementer's files, implementing nothing.
    Stubs,
    /// The implementer's files, as a worked example.
    Example,
    /// A package that verifies: its face, and what answers suite and kit through that.
    Verifier,
}

/// What a file is repeated for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Each {
    /// Nothing.
    #[default]
    Once,
    /// Every law.
    Law,
    /// Every system.
    System,
}

impl Config {
    /// Whether everything that is named is there and every pattern can be used.
    pub(super) fn check(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<(), LanguageError> {
        let broken = |message: String| Err(LanguageError::broken(CONFIG, message));
        for rule in &self.files {
            let folder = format!("{}/", rule.from);
            if !files.keys().any(|path| *path == rule.from || path.starts_with(&folder)) {
                return broken(format!("files: {:?} is not there: add it, or remove the rule", rule.from));
            }
        }
        if let Err(error) = Regex::new(&self.package.pattern) {
            return broken(format!("package.pattern: {error}"));
        }
        for pattern in [Some(&self.strings.unicode), self.strings.astral.as_ref()].into_iter().flatten() {
            if let Err(error) = self.strings.number(pattern, 0) {
                return broken(format!("strings: {error}"));
            }
        }
        Ok(())
    }

    /// Whether a package may be called so.
    #[must_use]
    pub fn takes_package(&self, name: &str) -> bool {
        Regex::new(&self.package.pattern).is_ok_and(|pattern| pattern.is_match(name))
    }
}

/// The place of a number in a pattern, and how it is written there.
type Place = (&'static str, fn(u32) -> String);

impl Strings {
    /// A string literal.
    ///
    /// # Errors
    /// A pattern for numbers has no place for one.
    pub fn literal(&self, text: &str) -> Result<String, Error> {
        let mut written = self.quote.clone();
        for letter in text.chars() {
            if let Some(escape) = self.escapes.get(&letter) {
                written.push_str(escape);
            } else if matches!(letter, ' '..='~') {
                written.push(letter);
            } else if self.bytes {
                for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                    written.push_str(&self.number(&self.unicode, byte.into())?);
                }
            } else if u32::from(letter) <= 0xffff || self.utf16 {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    written.push_str(&self.number(&self.unicode, (*unit).into())?);
                }
            } else {
                let pattern = self.astral.as_ref().unwrap_or(&self.unicode);
                written.push_str(&self.number(pattern, letter.into())?);
            }
        }
        written.push_str(&self.quote);
        Ok(written)
    }

    /// A number in the place that a pattern keeps for it.
    fn number(&self, pattern: &str, number: u32) -> Result<String, Error> {
        let places: [Place; 5] = [
            ("{:04x}", |number| format!("{number:04x}")),
            ("{:08x}", |number| format!("{number:08x}")),
            ("{:02x}", |number| format!("{number:02x}")),
            ("{:x}", |number| format!("{number:x}")),
            ("{:03o}", |number| format!("{number:03o}")),
        ];
        match places.iter().find(|(place, _)| pattern.contains(place)) {
            Some((place, write)) => Ok(pattern.replacen(place, &write(number), 1)),
            None => Err(Error::new(
                minijinja::ErrorKind::InvalidOperation,
                format!("{pattern:?} holds none of {{:04x}}, {{:08x}}, {{:02x}}, {{:x}}, {{:03o}}"),
            )),
        }
    }
}
