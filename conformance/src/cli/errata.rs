//! `assize errata`: where a specification's text and its code differ, or where the text contradicts itself.

use assize::{catalogue, exit::Exit, expectations, suggest};
use assize_corpus::{errata::Erratum, store::Store, vector::ruling::Rulings};
use serde_json::json;

use super::{Format, error::CliError, output, ruling};

const EXAMPLES: &str = "\
Examples:
  assize errata              every erratum
  assize errata NUM-04       one of them, with its vectors
  assize errata EP-11        one of a system with one mode
  assize errata EP-28        a ruling on a point that is not an erratum
  assize errata --lawful     every ruling by which something that other code does is lawful
  assize errata --format json
  assize errata --expectations > known.toml    what the sealed comparator fails in law mode, for `certify --expectations`

Exit codes:
  0   listed
  64  no erratum and no ruling of that name";

/// List every place where a text and its code disagree, or the text with itself; with the ruling and the vectors.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One erratum alone: its row of the behaviour table, or its ruling.
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// How the list is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Every ruling by which something that other code does leads to no more than a remark, an erratum or not.
    #[arg(long, conflicts_with = "id")]
    lawful: bool,
    /// Write the known failures of the sealed comparator in law mode instead: a file for `certify --expectations`.
    #[arg(long, conflicts_with_all = ["id", "format", "lawful"])]
    expectations: bool,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    if args.expectations {
        let known = expectations::known_failures(&Store::embedded()).map_err(CliError::bug)?;
        output::out(known.as_bytes())?;
        return Ok(Exit::Conforms);
    }
    let list = if args.lawful { catalogue::lawful } else { catalogue::errata };
    let errata = list(&Store::embedded()).map_err(CliError::bug)?;
    match (&args.id, args.format) {
        (None, Format::Json) => output::json(&json!({"errata": errata}))?,
        (None, Format::Human) => {
            let mut text: String = errata.iter().map(|erratum| one(erratum, Some(SHOWN))).collect();
            let what = if args.lawful { "rulings by which code is lawful" } else { "errata" };
            text.push_str(&format!("{} {what}; `assize errata ID` lists all vectors of one\n", errata.len()));
            output::say(&text)?;
        }
        (Some(id), format) => {
            let Some(erratum) = errata.iter().find(|erratum| erratum.is_called(id)) else {
                // A ruling on a point where text and code agree.
                let rulings = Rulings::load(&Store::embedded()).map_err(CliError::bug)?;
                if let Some((system, ruling)) = rulings.find(id) {
                    ruling::show(system, ruling, format)?;
                    return Ok(Exit::Conforms);
                }
                let near = suggest::matches(id, errata.iter().map(|erratum| erratum.id.as_str()), 3);
                return Err(CliError::unknown("erratum", id, &near, "assize errata"));
            };
            match format {
                Format::Json => output::json(erratum)?,
                Format::Human => output::say(&one(erratum, None))?,
            }
        }
    }
    Ok(Exit::Conforms)
}

/// Vectors of a mode that the whole list shows.
const SHOWN: usize = 2;

/// One erratum as a paragraph, with at most this many vectors of each mode. A system with one mode needs no name for it.
fn one(erratum: &Erratum, most: Option<usize>) -> String {
    let paint = output::paint();
    let mut text = format!(
        "{}  {}, {}: {}\n",
        paint.strong(&erratum.id),
        erratum.system,
        erratum.document,
        erratum.sections.join("; ")
    );
    text.push_str(&format!("  text       {}\n  code       {}\n", erratum.text, erratum.code));
    for (behaviour, words) in &erratum.behaviour {
        text.push_str(&ruling::weighed(behaviour, words, &erratum.code));
    }
    let modes = erratum.two_modes();
    for (mode, ruling) in &erratum.ruling {
        let label = if modes { mode } else { "ruling" };
        text.push_str(&format!("  {label:<11}{ruling}\n"));
    }
    if let Some(why) = &erratum.excluded {
        text.push_str(&format!("  excluded   {why}\n"));
    }
    for (mode, ids) in &erratum.vectors {
        let note = if modes { format!(" ({mode})") } else { String::new() };
        let shown = most.unwrap_or(ids.len());
        for id in ids.iter().take(shown) {
            text.push_str(&format!("  vector     {id}{note}\n"));
        }
        if let Some(rest) = ids.len().checked_sub(shown).filter(|rest| *rest > 0) {
            text.push_str(&format!("             and {rest} more{note}\n"));
        }
    }
    text.push('\n');
    text
}
