//! `assize reply build`: what the reference builder makes of a script.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::reply;
use serde_json::{Value, json};

use super::{CliError, Format, input, output, refused};

const EXAMPLES: &str = "\
Examples:
  assize reply build script.json
  echo '{\"calls\": [{\"method\": \"denied\", \"code\": \"EN-WRITE-D-002\"}, {\"method\": \"success\"}]}' |
    assize reply build -

A script is {\"registry\"?, \"calls\": [{\"method\", \"code\"?, \"data\"?}, ...], \"mutate\"?: {\"of\", \"member\",
\"value\"}}. One builder makes the calls in order and goes on after one that raises: this is
what a builder of your own has to answer to the same script.

Exit codes:
  0  each call gave a reply or raised
  3  unreadable: no JSON, or another shape";

/// Make the calls of a script on the reference builder.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The script; - is standard input.
    #[arg(value_name = "SCRIPT")]
    script: PathBuf,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, bytes) = input::document(&args.script)?;
    let built = reply::build(&bytes).map_err(|why| refused(&name, &why, "reply build"))?;
    let exit = Exit::Conforms;
    match args.format {
        Format::Json => {
            let results = built.replies.iter().map(|made| made.as_ref().map(reply::Reply::members));
            let results: Vec<_> = results.map(|members| members.map_or(Value::Null, Value::from)).collect();
            output::json(&json!({
                "file": name, "results": results, "mutated": built.mutated, "exit_code": exit.code(),
            }))?;
        }
        Format::Human => {
            let mut text = String::new();
            for (index, made) in built.replies.iter().enumerate() {
                let told = made.as_ref().map_or_else(
                    || "raised".to_owned(),
                    |made| {
                        let data = Value::from(made.data().clone()).to_string();
                        format!("{} {} {}", made.kind().letter(), made.code(), output::clean(&data))
                    },
                );
                text.push_str(&format!("{index}  {told}\n"));
            }
            if let Some(mutated) = built.mutated {
                text.push_str(if mutated { "the reply was changed\n" } else { "the reply cannot be changed\n" });
            }
            output::out(text.as_bytes())?;
        }
    }
    Ok(exit)
}
