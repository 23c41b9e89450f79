//! What the tables of the bank say about its programs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// One trial: a program, how it is started, and what has to become of it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) family: String,
    pub(super) program: String,
    /// The first line of the program.
    pub(super) trick: String,
    /// Whether it is sealed.
    pub(super) sealed: bool,
    /// What has to become of it.
    pub(super) end: End,
    /// How the command that refuses has to end.
    pub(super) exit: i32,
    /// What it has to say, in parts, each with its alternatives between bars.
    pub(super) says: Vec<String>,
    /// What is added to the folder of the trial.
    pub(super) with: Vec<With>,
    /// Limits that are other than hours.
    pub(super) limits: BTreeMap<String, u64>,
}

/// What has to become of a testee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum End {
    /// The run writes no statement, and says why.
    NoStatement,
    /// There is one, and who checks it refuses it.
    StatementRefused,
    /// The harness is gone.
    NoHarness,
}

impl End {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NoStatement => "no statement",
            Self::StatementRefused => "statement refused",
            Self::NoHarness => "no harness",
        }
    }
}

/// What a trial has beside its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum With {
    /// Questions that nobody can know, as a run has them unless they are left out.
    Challenges,
    /// A table of all questions of the corpus, with their answers.
    Answers,
    /// A copy of the harness among its files.
    CopyOfTheHarness,
    /// The same, with a byte behind it, which it does not feel.
    PaddedCopyOfTheHarness,
    /// A second name of the harness among its files.
    LinkToTheHarness,
    /// A copy of the harness beside its files, named as an argument.
    HarnessAsArgument,
    /// A statement of an honest run, with the answers of another program.
    ForgedStatement,
    /// The reader of files in the place of the canonicalizer.
    Files,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    testee: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    program: String,
    #[serde(default = "yes")]
    sealed: bool,
    #[serde(default = "no_statement")]
    end: End,
    exit: i32,
    says: Vec<String>,
    #[serde(default)]
    with: Vec<With>,
    #[serde(default)]
    limits: BTreeMap<String, u64>,
}

fn yes() -> bool {
    true
}

fn no_statement() -> End {
    End::NoStatement
}

impl Row {
    /// Family and program.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.family, self.program)
    }

    /// The file of the program.
    pub(super) fn file(&self) -> PathBuf {
        folder().join(&self.family).join(&self.program).with_extension("py")
    }

    /// Whether the trial has this.
    pub(super) fn has(&self, with: With) -> bool {
        self.with.contains(&with)
    }
}

/// The folder of the bank.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile_testees")
}

/// The folders of its families.
fn families() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut families: Vec<_> = entries.filter(|path| path.join("table.toml").exists()).collect();
    families.sort();
    families
}

/// Every row, by family and in the order of its table.
pub(super) fn listed() -> Vec<Row> {
    let mut rows = Vec::new();
    for family in families() {
        let name = family.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(family.join("table.toml")).unwrap();
        let table: Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for Entry { program, sealed, end, exit, says, with, limits } in table.testee {
            let mut row =
                Row { family: name.clone(), program, trick: String::new(), sealed, end, exit, says, with, limits };
            let text = fs::read_to_string(row.file()).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
            row.trick = text.split("\"\"\"").nth(1).unwrap_or_default().trim().to_owned();
            rows.push(row);
        }
    }
    rows
}

/// The programs that lie in the folders of families.
pub(super) fn programs() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for family in families() {
        for entry in fs::read_dir(&family).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "py") {
                let [family, program] =
                    [&family, &path].map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
                names.insert(format!("{family}/{program}"));
            }
        }
    }
    names
}
