//! The operation table: `contracts/interface/operations/`, typed.
//!
//! It is the closed list that every testee answers: what all have in common in one file, and the operations and levels of
//! each system in a file of its name. This module looks up; it judges no document and calls nothing.

use std::{collections::BTreeMap, sync::OnceLock};

use assize_verifier::{law::Law, operation::Output};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    closed::ClosedPlaces,
    force::Places,
    source::LoadError,
    store::{self, Store},
    table,
};

/// The folder in which the table lies in a store.
pub const FOLDER: &str = "contracts/interface/operations/";

/// What no system owns.
const COMMON: &str = "common";

/// All operations.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// In their published order: that of the systems, and of each system's file.
    pub operations: Vec<Operation>,
    /// Codes that every operation with `reject.common` may give.
    pub common_rejects: Vec<Code>,
    /// Codes of ours that single operations may give besides.
    pub own_codes: Vec<Code>,
    /// What the certification levels group.
    pub levels: Vec<Level>,
}

/// `common.json`; what else stands there is for readers of the table.
#[derive(Deserialize)]
struct Common {
    common_rejects: Vec<Code>,
    own_codes: Vec<Code>,
}

/// `<system>.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfSystem {
    operations: Vec<Operation>,
    levels: Vec<Level>,
}

/// One operation.
#[derive(Debug, Clone, Deserialize)]
pub struct Operation {
    /// `system.verb`.
    pub name: String,
    /// The system: that of the file.
    #[serde(skip)]
    pub system: String,
    /// What it does, in a sentence.
    pub summary: String,
    /// Arguments.
    pub args: Vec<Argument>,
    /// Documents.
    #[serde(rename = "in")]
    pub inputs: Vec<Input>,
    /// Whether it is asked with a folder.
    pub root: bool,
    /// What lies in that folder.
    pub root_description: Option<String>,
    /// Outputs of an acceptance.
    pub accept: Vec<Out>,
    /// What a rejection may say.
    pub reject: Reject,
    /// Places that bind with the same force in all its cases, as far as a case does not say otherwise.
    #[serde(default)]
    pub force: Places,
    /// Objects of its answers that have no members but the expected ones, whatever the agreement.
    #[serde(default)]
    pub closed: ClosedPlaces,
    /// Kinds of the steps that its scenarios are made of, for an operation that has any.
    #[serde(default)]
    pub steps: Vec<String>,
    /// Prefix of the laws it can name.
    pub laws: String,
}

/// An argument.
#[derive(Debug, Clone, Deserialize)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// `string`, `array`, or `any`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether it must be there.
    pub required: bool,
    /// The closed list of values, if there is one.
    pub values: Option<Vec<Value>>,
    /// Former spellings of values, each with the value that it stands for: a testee may declare one instead.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    /// For people.
    pub description: String,
}

/// A document.
#[derive(Debug, Clone, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Whether it must be there.
    pub required: bool,
    /// `json` or `bytes`.
    pub form: String,
    /// For people.
    pub description: String,
}

/// An output.
#[derive(Debug, Clone, Deserialize)]
pub struct Out {
    /// Its name.
    pub name: String,
    /// How it travels.
    pub kind: Kind,
    /// What a value is; documents and bytes are what their kind says.
    #[serde(rename = "type")]
    pub class: Option<Class>,
    /// Whether a value may be null.
    #[serde(default)]
    pub nullable: bool,
    /// The closed list of values, if there is one; in the file perhaps a column of a table of a specification (`crate::table`).
    pub values: Option<Vec<Value>>,
    /// Whether a testee may leave it undeclared: it is then not compared.
    #[serde(default)]
    pub optional: bool,
    /// Whether the harness derives it from the answer and from what lies in the folder: no testee sends it.
    #[serde(default)]
    pub observed: bool,
    /// For people.
    pub description: String,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A string.
    String,
    /// A number without fraction and exponent.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// An array of strings.
    Strings,
    /// Any plain JSON.
    Json,
}

/// How an output travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// JSON text.
    Doc,
    /// Bytes.
    Bytes,
    /// Plain JSON.
    Value,
}

impl Kind {
    /// How an output travels.
    #[must_use]
    pub fn of(output: &Output) -> Self {
        match output {
            Output::Doc(_) => Self::Doc,
            Output::Bytes(_) => Self::Bytes,
            Output::Value(_) => Self::Value,
        }
    }

    /// The name in the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Doc => "doc",
            Self::Bytes => "bytes",
            Self::Value => "value",
        }
    }
}

/// What a rejection may say.
#[derive(Debug, Clone, Deserialize)]
pub struct Reject {
    /// Whether the common codes apply too.
    pub common: bool,
    /// Codes of its own.
    pub codes: Vec<Code>,
    /// Outputs.
    pub out: Vec<Out>,
}

/// A code; one that ends in `/*` stands for any law of that system.
#[derive(Debug, Clone, Deserialize)]
pub struct Code {
    /// The code.
    pub code: String,
    /// For these values of an argument only.
    pub when: Option<serde_json::Map<String, Value>>,
    /// What it says, where no specification does.
    #[serde(default)]
    pub description: Option<String>,
}

/// A certification level.
#[derive(Debug, Clone, Deserialize)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// Former names.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What must be declared for it.
    pub operations: Vec<Need>,
    /// Its laws, where it takes not all that its operations are asked for.
    #[serde(default)]
    pub laws: Vec<String>,
    /// What a testee has to be capable of for it.
    #[serde(default, rename = "owes")]
    pub owed: Owed,
}

/// What a level owes beside its operations; by default a nesting of 64 alone, since one that reads next to nothing holds no level. See
/// the protocol, Capabilities.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Owed {
    /// A reader of texts, not of values.
    pub text: bool,
    /// A limit on nesting that is not lower than this.
    pub max_depth: u64,
    /// A limit on integers that is not lower than this, in digits.
    pub max_integer: Option<String>,
    /// No limit on integers.
    pub every_integer: bool,
    /// Steps of scenarios.
    pub steps: Vec<String>,
}

impl Default for Owed {
    fn default() -> Self {
        Self { text: false, max_depth: 64, max_integer: None, every_integer: false, steps: Vec::new() }
    }
}

/// What a level needs: an operation, perhaps for some values of its arguments.
#[derive(Debug, Clone, Deserialize)]
pub struct Need {
    /// The operation.
    pub op: String,
    /// Argument values, by argument.
    #[serde(default)]
    pub args: BTreeMap<String, Vec<String>>,
}

impl Table {
    /// Merges the files of the folder. `read` gives the content of one; a system need not have any.
    fn merge<B: AsRef<[u8]>>(read: impl Fn(&str) -> Result<Option<B>, LoadError>) -> Result<Self, LoadError> {
        let mut table = Self::default();
        let path = file(COMMON);
        let common = read(&path)?.ok_or_else(|| wrong(&path, "no such file"))?;
        Common { common_rejects: table.common_rejects, own_codes: table.own_codes } = parse(&path, common.as_ref())?;
        for system in Law::SYSTEMS {
            let path = file(system);
            let Some(octets) = read(&path)? else { continue };
            let mut part: Value = parse(&path, octets.as_ref())?;
            table::resolve(&mut part, &|file| {
                let octets = read(file)?.ok_or_else(|| wrong(file, "no such file"))?;
                parse(file, octets.as_ref())
            })?;
            let part: OfSystem = serde_json::from_value(part).map_err(|error| wrong(&path, &error.to_string()))?;
            let named = |operation: &Operation| operation.name.split('.').next() == Some(system);
            if let Some(stray) = part.operations.iter().find(|operation| !named(operation)) {
                return Err(wrong(&path, &format!("{} is an operation of another system", stray.name)));
            }
            table.operations.extend(
                part.operations.into_iter().map(|operation| Operation { system: system.to_owned(), ..operation }),
            );
            table.levels.extend(part.levels);
        }
        Ok(table)
    }

    /// The level of this name, or of this former name.
    #[must_use]
    pub fn level(&self, name: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.name == name || level.aliases.iter().any(|alias| alias == name))
    }

    /// The operation of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.name == name)
    }
}

impl Argument {
    /// The value that a spelling stands for: itself, unless it is a former one.
    #[must_use]
    pub fn meant<'a>(&'a self, spelling: &'a str) -> &'a str {
        self.aliases.get(spelling).map_or(spelling, String::as_str)
    }

    /// A value's own spelling and its former ones, the own one first.
    pub fn spellings<'a>(&'a self, value: &'a str) -> impl Iterator<Item = &'a str> {
        let former =
            self.aliases.iter().filter(move |(_, meant)| *meant == value).map(|(spelling, _)| spelling.as_str());
        std::iter::once(value).chain(former)
    }
}

impl Operation {
    /// The argument of this name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.args.iter().find(|argument| argument.name == name)
    }

    /// How the output of this name travels, in an acceptance or a rejection.
    #[must_use]
    pub fn kind(&self, accepts: bool, name: &str) -> Option<Kind> {
        let outs = if accepts { &self.accept } else { &self.reject.out };
        outs.iter().find(|out| out.name == name).map(|out| out.kind)
    }

    /// The outputs that the harness derives, in an acceptance or a rejection.
    pub fn observed(&self, accepts: bool) -> impl Iterator<Item = &Out> {
        let outs = if accepts { &self.accept } else { &self.reject.out };
        outs.iter().filter(|out| out.observed)
    }

    /// Whether part of an answer is judged by what the harness derives from it: who has no harness cannot judge it.
    #[must_use]
    pub fn is_observed(&self) -> bool {
        [true, false].into_iter().any(|accepts| self.observed(accepts).next().is_some())
    }

    /// Whether a rejection may carry `code` under these arguments.
    #[must_use]
    pub fn may_reject(&self, code: &str, args: &serde_json::Map<String, Value>, common: &[Code]) -> bool {
        let own = self.reject.codes.iter().any(|known| {
            let named = match known.code.strip_suffix('*') {
                Some(prefix) => code.starts_with(prefix),
                None => code == known.code,
            };
            named && known.applies(args)
        });
        own || self.reject.common && common.iter().any(|known| known.code == code)
    }
}

impl Code {
    /// Whether a question with these arguments can be answered so.
    #[must_use]
    pub fn applies(&self, args: &serde_json::Map<String, Value>) -> bool {
        self.when.iter().flatten().all(|(name, values)| holds(values, args.get(name)))
    }
}

fn holds(values: &Value, given: Option<&Value>) -> bool {
    match (values, given) {
        (Value::Array(values), Some(given)) => values.contains(given),
        _ => false,
    }
}

/// The file of a system, or of what all have in common.
fn file(name: &str) -> String {
    format!("{FOLDER}{name}.json")
}

fn wrong(file: &str, message: &str) -> LoadError {
    LoadError::new(file, "the file", message, "restore it")
}

fn parse<T: serde::de::DeserializeOwned>(file: &str, octets: &[u8]) -> Result<T, LoadError> {
    serde_json::from_slice(octets).map_err(|error| wrong(file, &error.to_string()))
}

/// The table that was built in. When it cannot be read it is empty, and the lint says why.
#[must_use]
pub fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::merge(|path| Ok(store::embedded(path))).unwrap_or_default())
}

/// Reads the table of a store.
///
/// # Errors
/// A file is absent, has another shape or is of no system.
pub fn load(store: &Store) -> Result<Table, LoadError> {
    let known = |path: &&str| [COMMON].iter().chain(&Law::SYSTEMS).any(|name| file(name) == **path);
    if let Some(stray) = store.below(FOLDER).find(|path| !known(path)) {
        return Err(LoadError::new(
            stray,
            "the file",
            "no system with laws is called so",
            "declare the system, or remove it",
        ));
    }
    Table::merge(|path| {
        let octets = store.has(path).then(|| store.read(path)).transpose();
        octets.map_err(|error| wrong(path, &error.to_string()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_built_in_table() {
        let table = load(&Store::embedded()).unwrap();
        let compare = table.find("sovereign.compare").unwrap();
        assert!(compare.root);
        assert_eq!(compare.kind(true, "report"), Some(Kind::Doc));
        assert_eq!(compare.kind(false, "report"), None);
        let mode = |mode: &str| serde_json::Map::from_iter([("mode".to_owned(), Value::from(mode))]);
        assert!(compare.may_reject("ABORT", &mode("reference"), &table.common_rejects));
        assert!(!compare.may_reject("ABORT", &mode("law"), &table.common_rejects));
        assert!(!compare.may_reject("A_JSON", &mode("law"), &table.common_rejects));
        let chain = table.find("authority.chain").unwrap();
        assert!(chain.may_reject("authority/replay", &mode("law"), &table.common_rejects));
    }

    #[test]
    fn a_table_that_is_not_whole_is_refused() {
        let whole = || Store::embedded();
        let files = || {
            whole()
                .below("contracts/")
                .filter(|path| path.starts_with(FOLDER) || path.contains("/tables/"))
                .map(|path| (path.to_owned(), whole().read(path).unwrap().into_owned()))
                .collect::<Vec<_>>()
        };
        let refused = |files: Vec<(String, Vec<u8>)>| load(&Store::memory(files)).unwrap_err().to_string();
        assert_eq!(load(&Store::memory(files())).unwrap().operations.len(), table().operations.len());
        assert!(
            refused(files().into_iter().filter(|(path, _)| *path != file(COMMON)).collect()).contains("no such file")
        );
        let with = |path: String, text: &[u8]| refused(files().into_iter().chain([(path, text.to_owned())]).collect());
        assert!(with(format!("{FOLDER}none.json"), b"{}").contains("no system with laws is called so"));
        let kernel = whole().read(&file("kernel")).unwrap().into_owned();
        assert!(with(file("reply"), &kernel).contains("kernel.scenario is an operation of another system"));
    }

    #[test]
    fn closed_lists_are_columns_of_tables() {
        let listed = |op: &str, name: &str| {
            let operation = table().find(op).unwrap();
            operation.accept.iter().find(|out| out.name == name).unwrap().values.clone().unwrap()
        };
        assert_eq!(listed("reply.code", "type"), ["S", "I", "D", "E"]);
        assert_eq!(listed("authority.run", "outcome"), ["success", "refusal"]);
        let mut without = Store::embedded()
            .below("contracts/")
            .map(|path| (path.to_owned(), Store::embedded().read(path).unwrap().into_owned()))
            .collect::<BTreeMap<_, _>>();
        without.remove("contracts/reply/tables/types.json");
        let refused = load(&Store::memory(without)).unwrap_err();
        assert_eq!(
            (refused.file.as_str(), refused.message.as_str()),
            ("contracts/reply/tables/types.json", "no such file")
        );
    }

    #[test]
    fn every_value_has_a_type_and_nothing_else_has() {
        let table = table();
        for operation in &table.operations {
            for out in operation.accept.iter().chain(&operation.reject.out) {
                let typed = out.class.is_some();
                assert_eq!(typed, out.kind == Kind::Value, "{} {}", operation.name, out.name);
                assert!(typed || !out.nullable, "{} {}", operation.name, out.name);
            }
        }
        let deny = table.find("sovereign.deny_code").and_then(|operation| operation.accept.first()).unwrap();
        assert_eq!((deny.class, deny.nullable), (Some(Class::String), true));
    }
}
