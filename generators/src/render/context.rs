//! What templates see.

use assize_corpus::operation::{Argument, Class, Input, Kind, Operation, Out, Table};
use serde::Serialize;
use serde_json::Value;

use crate::{
    GENERATOR,
    collection::{Collection, Law, LawCases},
    language::{Commands, Config},
};

/// Everything that a template can name, but for the law or system that it is repeated for.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Context {
    package: String,
    generator: &'static str,
    revision: String,
    total: usize,
    language: LanguageContext,
    /// What is emitted: `suite`, `kit`.
    parts: Vec<&'static str>,
    pub(crate) commands: Option<Commands>,
    pub(crate) laws: Vec<LawContext>,
    pub(crate) systems: Vec<SystemContext>,
    operations: Vec<OperationContext>,
}

#[derive(Debug, Clone, Serialize)]
struct LanguageContext {
    name: String,
    title: String,
}

/// A law.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LawContext {
    pub(crate) slug: String,
    system: String,
    name: String,
    title: String,
    statement: String,
    spec: String,
    count: usize,
    file: String,
}

/// A system with its laws.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SystemContext {
    pub(crate) name: String,
    laws: Vec<LawContext>,
}

#[derive(Debug, Clone, Serialize)]
struct OperationContext {
    name: String,
    system: String,
    verb: String,
    summary: String,
    root: bool,
    root_description: Option<String>,
    args: Vec<Member>,
    inputs: Vec<Member>,
    accept: Vec<Member>,
    reject: Vec<Member>,
    codes: Vec<String>,
    /// The laws that its cases are about, as they are stated.
    laws: Vec<Law>,
}

/// What is said of an output, with its values where the list is closed.
fn told(out: &Out) -> String {
    match &out.values {
        Some(values) => {
            let listed: Vec<_> =
                values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
            format!("{} One of {}.", out.description, listed.join(", "))
        }
        None => out.description.clone(),
    }
}

/// An argument, an input or an output.
#[derive(Debug, Clone, Serialize)]
struct Member {
    name: String,
    /// What it is on the wire: a key of `types` in `language.toml`.
    wire: &'static str,
    /// Of an argument or input.
    required: bool,
    nullable: bool,
    /// Of an argument: `string`, `array` or `any`. Of an output: that of a value, or `text` or `bytes`.
    #[serde(rename = "type")]
    class: String,
    /// Of an output: `doc`, `bytes` or `value`.
    kind: Option<&'static str>,
    /// Of an input: `json` or `bytes`.
    form: Option<String>,
    values: Option<Vec<Value>>,
    description: String,
}

impl Context {
    /// What a project of this collection says, before its commands are known. Its cases lie below `folder`.
    pub(crate) fn new(
        config: &Config,
        package: &str,
        parts: Vec<&'static str>,
        collection: &Collection,
        table: &Table,
        folder: &str,
    ) -> Self {
        let laws: Vec<LawContext> = collection.laws.iter().map(|law| LawContext::new(law, folder)).collect();
        let mut systems: Vec<SystemContext> = Vec::new();
        for law in &laws {
            match systems.last_mut().filter(|system| system.name == law.system) {
                Some(system) => system.laws.push(law.clone()),
                None => systems.push(SystemContext { name: law.system.clone(), laws: vec![law.clone()] }),
            }
        }
        let operations = table.operations.iter().filter(|operation| collection.operations.contains(&operation.name));
        Self {
            package: package.to_owned(),
            generator: GENERATOR,
            revision: collection.revision.clone(),
            total: collection.total(),
            language: LanguageContext { name: config.name.clone(), title: config.title.clone() },
            parts,
            commands: None,
            laws,
            systems,
            operations: operations.map(|operation| OperationContext::new(operation, collection)).collect(),
        }
    }
}

impl Context {
    /// The corpus, as people are told of it.
    pub(crate) fn revision(&self) -> &str {
        self.revision.get(..12).unwrap_or(&self.revision)
    }
}

impl LawContext {
    fn new(LawCases { law, cases }: &LawCases, folder: &str) -> Self {
        let (system, name) = law.slug.split_once('/').unwrap_or((law.slug.as_str(), ""));
        Self {
            slug: law.slug.clone(),
            system: system.to_owned(),
            name: name.to_owned(),
            title: law.title.clone(),
            statement: law.statement.clone(),
            spec: law.spec.clone(),
            count: cases.len(),
            file: format!("{folder}/{}.jsonl", law.slug),
        }
    }
}

impl OperationContext {
    fn new(operation: &Operation, collection: &Collection) -> Self {
        // What the harness derives is sent by nobody.
        let sent = |outs: &[Out]| outs.iter().filter(|out| !out.observed).map(Member::output).collect();
        let asked = |law: &&LawCases| law.cases.iter().any(|case| case.op == operation.name);
        let verb = operation.name.split_once('.').map_or("", |(_, verb)| verb);
        Self {
            name: operation.name.clone(),
            system: operation.system.clone(),
            verb: verb.to_owned(),
            summary: operation.summary.clone(),
            root: operation.root,
            root_description: operation.root_description.clone(),
            args: operation.args.iter().map(Member::argument).collect(),
            inputs: operation.inputs.iter().map(Member::input).collect(),
            accept: sent(&operation.accept),
            reject: sent(&operation.reject.out),
            codes: operation.reject.codes.iter().map(|code| code.code.clone()).collect(),
            laws: collection.laws.iter().filter(asked).map(|law| law.law.clone()).collect(),
        }
    }
}

impl Member {
    fn argument(argument: &Argument) -> Self {
        let wire = match argument.kind.as_str() {
            "array" => "strings",
            "any" => "text",
            _ => "string",
        };
        Self {
            name: argument.name.clone(),
            wire,
            required: argument.required,
            nullable: !argument.required,
            class: argument.kind.clone(),
            kind: None,
            form: None,
            values: argument.values.clone(),
            description: argument.description.clone(),
        }
    }

    fn input(input: &Input) -> Self {
        Self {
            name: input.name.clone(),
            wire: "bytes",
            required: input.required,
            nullable: !input.required,
            class: "bytes".to_owned(),
            kind: None,
            form: Some(input.form.clone()),
            values: None,
            description: input.description.clone(),
        }
    }

    fn output(out: &Out) -> Self {
        let wire = match (out.kind, out.class) {
            (Kind::Doc, _) => "text",
            (Kind::Bytes, _) => "bytes",
            (Kind::Value, Some(Class::String)) => "string",
            (Kind::Value, Some(Class::Integer)) => "integer",
            (Kind::Value, Some(Class::Boolean)) => "boolean",
            (Kind::Value, Some(Class::Strings)) => "strings",
            (Kind::Value, Some(Class::Json) | None) => "json",
        };
        Self {
            name: out.name.clone(),
            wire,
            required: true,
            nullable: out.nullable,
            class: wire.to_owned(),
            kind: Some(out.kind.name()),
            form: None,
            values: out.values.clone(),
            description: told(out),
        }
    }
}
