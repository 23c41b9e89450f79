//! `assize codes`: which operation refuses with which code.

use assize::{exit::Exit, suggest};
use assize_corpus::operation::{self, Code, Operation};
use serde_json::{Value, json};

use super::{Format, error::CliError, output};

const EXAMPLES: &str = "\
Examples:
  assize codes                       every operation
  assize codes canon.bytes           the codes of each profile
  assize codes --format json

Exit codes:
  0   listed
  64  no operation of that name";

/// List the codes with which each operation refuses, and under which arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One operation.
    #[arg(value_name = "OPERATION")]
    operation: Option<String>,
    /// How the list is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let table = operation::table();
    if let Some(name) = args.operation.as_deref().filter(|name| table.find(name).is_none()) {
        let known = table.operations.iter().map(|operation| operation.name.as_str());
        return Err(CliError::unknown("operation", name, &suggest::matches(name, known, 3), "assize codes"));
    }
    let wanted = |operation: &&Operation| args.operation.as_ref().is_none_or(|name| *name == operation.name);
    let operations: Vec<&Operation> = table.operations.iter().filter(wanted).collect();
    match args.format {
        Format::Json => {
            let listed: Vec<Value> = operations.iter().map(|operation| machine(operation)).collect();
            output::json(&json!({"operations": listed}))?;
        }
        Format::Human => {
            let rows = operations.iter().flat_map(|operation| {
                let rows = codes(operation).map(|code| [operation.name.clone(), code.code.clone(), when(code)]);
                rows.collect::<Vec<_>>()
            });
            let mut text = output::table(["operation", "code", "where"], rows);
            text.push_str(
                "\nA code that ends in /* stands for every law of that name's beginning: `assize laws` lists them.\n",
            );
            output::say(&text)?;
        }
    }
    Ok(Exit::Conforms)
}

/// Every code of an operation: its own, then those that it shares with others.
fn codes(operation: &Operation) -> impl Iterator<Item = &Code> {
    let common = operation::table().common_rejects.iter().filter(|_| operation.reject.common);
    operation.reject.codes.iter().chain(common)
}

/// The arguments under which a code is given; nothing, where it is under all.
fn when(code: &Code) -> String {
    let values = |values: &Value| match values {
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        value => plain(value),
    };
    let given = code.when.iter().flatten().map(|(name, given)| format!("{name}: {}", values(given)));
    given.collect::<Vec<_>>().join("; ")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn machine(operation: &Operation) -> Value {
    let codes = codes(operation).map(|code| json!({"code": code.code, "when": code.when}));
    json!({"name": operation.name, "codes": codes.collect::<Vec<_>>()})
}
