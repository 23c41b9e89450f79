//! One question with the answers that are right.

use std::collections::BTreeMap;

use crate::{
    base64,
    json::{self, Value},
    question::JsonText,
};

/// One question with the answers that are right.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) law: String,
    pub(super) op: String,
    /// As they are spelled: an argument of any type goes to the implementation as it stands.
    pub(super) args: BTreeMap<String, JsonText>,
    pub(super) documents: BTreeMap<String, Vec<u8>>,
    /// Whether a folder with the files is there.
    pub(super) root: bool,
    pub(super) files: Vec<File>,
    pub(super) rationale: String,
    pub(super) spec: String,
    /// Alternatives: every check of one of them has to hold.
    pub(super) expect: Vec<Vec<Check>>,
}

/// An entry of a case's folder.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) kind: Kind,
}

/// What stands at a path.
#[derive(Debug)]
pub(super) enum Kind {
    Directory,
    File(Vec<u8>),
    Unreadable(Vec<u8>),
    Symlink(String),
}

/// Looks at one place of an answer.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) pointer: String,
    /// With what right.
    pub(super) force: Force,
    pub(super) demand: Demand,
}

/// The right with which a check binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Force {
    /// A sentence of a specification.
    Spec,
    /// A ruling, by its id.
    Ruling(String),
    /// A convention of the protocol.
    Interface,
}

/// What a check demands.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// The value is equal to that of this JSON text.
    Canonical(String),
    /// The set of codes.
    Codes(Vec<String>),
    /// The set of those codes that a specification registers.
    Registered(Vec<String>),
    /// What a bytes output holds.
    Bytes(Vec<u8>),
    /// What a doc output spells.
    Text(String),
    /// A doc output that is the canonical text of its value.
    Spelled,
    /// An object.
    Object,
    /// The only names that an object may have.
    Within(Vec<String>),
    /// The only names under which an object may have more than an empty array or object.
    Filled(Vec<String>),
    /// An array.
    Array,
    /// How many items an array may have.
    Most(usize),
    /// Nothing.
    Absent,
    /// Nothing, or an array or object that holds nothing.
    Empty,
}

impl Case {
    pub(super) fn new(line: &str) -> Result<Self, String> {
        let raw = json::raw_members(line).map_err(|error| error.to_string())?;
        let case = json::parse(line).map_err(|error| error.to_string())?;
        let missing = || "no case: a member is missing or of another type".to_owned();
        let args = raw.get("args").map(|args| json::raw_members(args));
        let args = args.ok_or_else(missing)?.map_err(|error| error.to_string())?;
        let mut documents = BTreeMap::new();
        if let Some(Value::Object(members)) = case.get("in") {
            for (name, member) in members {
                documents.insert(name.clone(), member.text().and_then(base64::decode).ok_or_else(missing)?);
            }
        }
        let mut files = Vec::new();
        if let Some(Value::Array(items)) = case.get("files") {
            for item in items {
                files.push(File::new(item).ok_or_else(missing)?);
            }
        }
        let mut expect = Vec::new();
        if let Some(Value::Array(alternatives)) = case.get("expect") {
            for alternative in alternatives {
                let Value::Array(checks) = alternative else { return Err(missing()) };
                expect.push(checks.iter().map(Check::new).collect::<Result<Vec<_>, _>>()?);
            }
        }
        if expect.is_empty() {
            return Err("nothing is expected".to_owned());
        }
        let text = |name| text(&case, name).ok_or_else(missing);
        Ok(Self {
            id: text("id")?,
            law: text("law")?,
            op: text("op")?,
            args: args.into_iter().map(|(name, text)| (name, JsonText(text.to_owned()))).collect(),
            documents,
            root: case.get("root") == Some(&Value::Literal("true")),
            files,
            rationale: text("rationale")?,
            spec: text("spec")?,
            expect,
        })
    }
}

impl File {
    fn new(value: &Value) -> Option<Self> {
        let content = || base64::decode(value.get("base64")?.text()?);
        let kind = match value.get("kind")?.text()? {
            "directory" => Kind::Directory,
            "file" => Kind::File(content()?),
            "unreadable" => Kind::Unreadable(content()?),
            "symlink" => Kind::Symlink(text(value, "to")?),
            _ => return None,
        };
        Some(Self { path: text(value, "path")?, kind })
    }
}

impl Check {
    fn new(value: &Value) -> Result<Self, String> {
        let Value::Object(members) = value else { return Err("a check is not an object".to_owned()) };
        let mut demands = members.iter().filter(|(name, _)| !matches!(name.as_str(), "pointer" | "force"));
        let pointer = text(value, "pointer").ok_or("a check has no pointer")?;
        let (Some((name, demanded)), None) = (demands.next(), demands.next()) else {
            return Err(format!("the check of {pointer:?} is not of one kind"));
        };
        let demand =
            Demand::new(name, demanded).ok_or_else(|| format!("the check of {pointer:?} has an unknown {name:?}"))?;
        let force = value.get("force").and_then(Value::text).and_then(Force::new);
        let force = force.ok_or_else(|| format!("the check of {pointer:?} has an unknown force"))?;
        Ok(Self { pointer, force, demand })
    }
}

impl Force {
    fn new(text: &str) -> Option<Self> {
        match text {
            "spec" => Some(Self::Spec),
            "interface" => Some(Self::Interface),
            ruling => ruling.strip_prefix("ruling ").map(|id| Self::Ruling(id.to_owned())),
        }
    }

    /// As it is written.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Spec => "spec".to_owned(),
            Self::Ruling(id) => format!("ruling {id}"),
            Self::Interface => "interface".to_owned(),
        }
    }
}

impl Demand {
    fn new(name: &str, value: &Value) -> Option<Self> {
        let yes = |demand| (*value == Value::Literal("true")).then_some(demand);
        let text = || value.text().map(str::to_owned);
        match (name, value) {
            ("canonical", _) => text().map(Self::Canonical),
            ("codes", _) => value.strings().map(Self::Codes),
            ("registered", _) => value.strings().map(Self::Registered),
            ("base64", _) => value.text().and_then(base64::decode).map(Self::Bytes),
            ("text", _) => text().map(Self::Text),
            ("spelled", _) => yes(Self::Spelled),
            ("object", _) => yes(Self::Object),
            ("within", _) => value.strings().map(Self::Within),
            ("filled", _) => value.strings().map(Self::Filled),
            ("array", _) => yes(Self::Array),
            ("most", Value::Number(token)) => token.parse().ok().map(Self::Most),
            ("absent", _) => yes(Self::Absent),
            ("empty", _) => yes(Self::Empty),
            _ => None,
        }
    }
}

/// A member that is a string.
pub(super) fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.text().map(str::to_owned)
}
