//! `assize drift`: what sweeps of the same artefacts judged otherwise.

use std::path::PathBuf;

use assize::{
    exit::Exit,
    sweep::{Change, Drift, StoreError, drift_page},
};

use super::{CliError, Format, output};

const EXAMPLES: &str = "\
Artefacts are the same where kind, paths and options are, in whichever order they stand. Of the last two sweeps it is told
what is judged otherwise: another verdict, another exit code, other laws that are broken. What all of them counted is told beside one
another. Of a sweep that was broken off the rows that are there count.

Examples:
  assize drift monday tuesday
  assize drift monday tuesday wednesday --html week.html

Exit codes:
  0   no artefact is judged worse than before
  1   one has a larger exit code, or breaks a law that it kept
  3   a folder holds no results that can be read
  64  wrong usage";

/// Tell what sweeps of the same artefacts judged otherwise, one after the other.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folders of two sweeps or more, as given to --out, the earliest first.
    #[arg(value_name = "SWEEP", num_args = 2.., required = true)]
    sweeps: Vec<PathBuf>,
    /// Show at most so many of the artefacts that are judged otherwise; all are counted.
    #[arg(long, value_name = "N", default_value_t = 100)]
    most: u32,
    /// Also write a page with counts by law and verdict over all sweeps.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// How it is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let most = usize::try_from(args.most).unwrap_or(usize::MAX);
    let drift = Drift::of(&args.sweeps, most).map_err(unread)?;
    if let Some(file) = &args.html {
        let page = drift_page(&drift).map_err(CliError::bug)?.ok_or_else(|| CliError::bug("fewer than two sweeps"))?;
        output::atomically(file, page.as_bytes())?;
    }
    match args.format {
        Format::Json => output::json(&drift)?,
        Format::Human => output::say(&text(&drift))?,
    }
    Ok(if drift.worse == 0 { Exit::Conforms } else { Exit::Violates })
}

fn text(drift: &Drift) -> String {
    let mut text = String::new();
    let rows = drift.changes.iter().map(|change| {
        let way = if change.worse { "worse" } else { "" };
        [named(change), change.before.verdict.clone(), change.after.verdict.clone(), way.to_owned(), laws(change)]
    });
    if !drift.changes.is_empty() {
        text.push_str(&output::table(["artefact", "before", "now", "", "laws"], rows));
        let left = drift.changed.saturating_sub(drift.changes.len() as u64);
        if left > 0 {
            text.push_str(&format!("and {left} more, which --most shows\n"));
        }
        text.push('\n');
    }
    if !drift.laws.is_empty() {
        let laws = drift.laws.iter();
        let laws = laws.map(|(law, turned)| [law.clone(), turned.begin.to_string(), turned.cease.to_string()]);
        text.push_str(&output::table(["law", "begin to break it", "keep it again"], laws));
        text.push('\n');
    }
    text.push_str(&format!(
        "{} judged alike, {} otherwise, {} of them worse; {} new, {} gone\n",
        output::counted(drift.same, "artefact", "artefacts"),
        drift.changed,
        drift.worse,
        drift.new,
        drift.gone
    ));
    text
}

fn named(change: &Change) -> String {
    let kind = change.kind.as_deref().unwrap_or("-");
    output::clean(&output::middle(&format!("{kind} {}", change.paths.join(" ")))).into_owned()
}

/// The laws that it begins to break, and with a minus those that it keeps again.
fn laws(change: &Change) -> String {
    let begins = change.begins.iter().map(|law| format!("+{law}"));
    let ceases = change.ceases.iter().map(|law| format!("-{law}"));
    begins.chain(ceases).collect::<Vec<_>>().join(" ")
}

fn unread(error: StoreError) -> CliError {
    CliError::unreadable(error, "name folders that `assize sweep` was given with --out")
}
