//! `assize reply tool-result`: the response of an MCP server to one call, as it was captured.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::{
    json::NodeRef,
    reply::{self, ToolResult},
};
use serde_json::json;

use super::{CliError, Format, advice, exit, findings, human, input, output, refused};

const VERB: &str = "reply tool-result";

const EXAMPLES: &str = "\
Examples:
  assize reply tool-result captured.json
  capture-a-call | assize reply tool-result - --format json

A captured result is {\"protocol_version\", \"tool\", \"arguments\"?, \"response\"}: the revision that was agreed
on, the tool as tools/list has it, what it was given, and the whole JSON-RPC response. Where the arguments
do not pass the tool's inputSchema, or with \"listed\": false in the tool, a response without an envelope
is no breach. Without inputSchema or arguments the tool's \"arguments_valid\" says whether they pass.

Exit codes:
  0  lawful, or outside of the laws
  1  findings
  3  unreadable: no JSON, another shape, an unknown revision, or a schema that cannot be applied";

/// Judge the captured response to one call of a tool.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The captured result; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, bytes) = input::document(&args.file)?;
    let valid = arguments_valid(&name, &bytes)?;
    let question = match valid {
        Some(valid) => stated(&name, &bytes, valid)?,
        None => bytes,
    };
    let ToolResult { judgement: found, skip } =
        reply::tool_result(&question).map_err(|why| refused(&name, &why, VERB))?;
    let exit = exit(&found);
    match args.format {
        Format::Json => output::json(&json!({
            "file": name, "lawful": found.is_lawful(), "skip": skip, "arguments_valid": valid,
            "findings": findings(&found), "advice": advice(&found), "exit_code": exit.code(),
        }))?,
        Format::Human => {
            let why = skip.map_or_else(String::new, |why| format!("outside of the laws: {why}\n"));
            output::say(&format!("{why}{}", human(&name, &found, output::paint())))?;
        }
    }
    Ok(exit)
}

/// Whether the arguments pass the input schema, where both are there.
fn arguments_valid(name: &str, bytes: &[u8]) -> Result<Option<bool>, CliError> {
    let document = reply::read(bytes).map_err(|why| refused(name, &why, VERB))?;
    let tool = document.root().get("tool");
    let schema = tool.and_then(|tool| tool.get("inputSchema"));
    let (Some(schema), Some(arguments)) = (schema, document.root().get("arguments")) else { return Ok(None) };
    let breach = reply::breach_of_declared(schema, arguments).map_err(|why| {
        let help = "leave out `arguments`, and state `arguments_valid` in the tool";
        CliError::unreadable(format!("{name}: /tool/inputSchema cannot be applied: {why}"), help)
    })?;
    let valid = breach.is_none();
    let said = tool.and_then(|tool| tool.get("arguments_valid")).map(NodeRef::raw);
    if said.is_some_and(|said| said != if valid { b"true".as_slice() } else { b"false" }) {
        let message = format!("{name}: /tool/arguments_valid is not what the input schema says of the arguments");
        return Err(CliError::unreadable(message, "leave it out"));
    }
    Ok(Some(valid))
}

/// The same document, in which the tool says whether the arguments pass; every other byte stays.
fn stated(name: &str, bytes: &[u8], valid: bool) -> Result<Vec<u8>, CliError> {
    let document = reply::read(bytes).map_err(|why| refused(name, &why, VERB))?;
    let tool = document.root().get("tool").filter(|tool| tool.is_object() && tool.get("arguments_valid").is_none());
    let Some(tool) = tool else { return Ok(bytes.to_vec()) };
    // Behind the brace; an object with an input schema has members behind this one.
    let (before, after) = bytes.split_at_checked(tool.span().0.saturating_add(1)).unwrap_or((bytes, &[]));
    Ok([before, format!("\"arguments_valid\":{valid},").as_bytes(), after].concat())
}
