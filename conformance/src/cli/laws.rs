//! `assize laws`: what there is to obey.

use std::path::PathBuf;

use assize::{
    catalogue::{self, LawEntry, SYSTEMS},
    exit::Exit,
    suggest,
};
use assize_corpus::{
    lint,
    store::Store,
    vector::{Case, DeclaredLaw, law_of},
};
use serde_json::json;

use super::{Format, error::CliError, input, output};

mod book;
mod force;
mod mutation_score;
mod sentences;

const EXAMPLES: &str = "\
Examples:
  assize laws                            every law
  assize laws sovereign                  those of a system
  assize laws sovereign/float-ban        one of them, with its cases
  assize laws --format json
  assize laws --force                    with what right the parts of their cases bind
  assize laws --sentences                what the specifications ask, sentence by sentence, and what holds it
  assize laws kernel --sentences         that of one system
  assize laws --mutation-score                    what the vectors kill of all mutants of the verifier
  assize laws canon/rfc8785 --mutation-score      what those of one law kill
  assize laws --book pages                        a page for each law, in Markdown

Exit codes:
  0   listed, or written
  3   --book: the folder is not empty, or cannot be written
  64  no law of that name, or no system that has a specification";

/// List the laws with their statements and the number of cases.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One law in detail, by its slug; or all laws of a system.
    #[arg(value_name = "SLUG|SYSTEM")]
    slug: Option<String>,
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Read declarations, rulings and places below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR", conflicts_with = "mutation_score")]
    contracts: Option<PathBuf>,
    /// Show what the vectors kill of the verifier's mutants, as recorded for the corpus that was built in.
    #[arg(long, conflicts_with = "corpus")]
    mutation_score: bool,
    /// Count by force what the parts of the cases bind with: verdicts, outputs and codes.
    #[arg(long, conflicts_with = "mutation_score")]
    force: bool,
    /// Show the register of sentences: what each sentence of the specifications asks, the laws that hold it, and by how many cases.
    #[arg(long, conflicts_with_all = ["mutation_score", "force"])]
    sentences: bool,
    /// Write a page for each law to this folder, in Markdown, with a list and a table of contents; it has to be empty or absent.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["slug", "mutation_score", "force", "sentences", "format"])]
    book: Option<PathBuf>,
    /// How the list is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let store = input::store(args.corpus.as_deref(), args.contracts.as_deref())?;
    if args.sentences {
        return sentences::run(&store, args.slug.as_deref(), args.format);
    }
    if let Some(folder) = &args.book {
        return book::run(&store, folder);
    }
    let slug = args.slug.as_deref().map(|slug| now(slug, &store)).transpose()?;
    if args.mutation_score {
        return mutation_score::run(slug.as_deref(), args.format);
    }
    let laws = catalogue::laws(&store).map_err(|error| CliError::unreadable(error, "restore the corpus"))?;
    if args.force {
        return force::run(&store, &laws, slug.as_deref(), args.format);
    }
    let system = slug.as_deref().filter(|slug| SYSTEMS.contains(slug));
    let is_listed = |law: &LawEntry| system.is_none_or(|system| law.slug.split('/').next() == Some(system));
    let laws: Vec<_> = laws.into_iter().filter(is_listed).collect();
    match (slug.as_deref().filter(|_| system.is_none()), args.format) {
        (None, Format::Json) => output::json(&json!({"laws": laws}))?,
        (None, Format::Human) => output::say(&all(&laws))?,
        (Some(slug), format) => {
            let law = laws.iter().find(|law| law.slug == *slug);
            let law = law.ok_or_else(|| unknown(slug, laws.iter().map(|law| law.slug.as_str())))?;
            match format {
                Format::Json => output::json(law)?,
                Format::Human => output::say(&one(law, &store))?,
            }
        }
    }
    Ok(Exit::Conforms)
}

/// The slug of today for that of a law which has handed on its cases.
fn now(slug: &str, store: &Store) -> Result<String, CliError> {
    if store.has(&DeclaredLaw::path(slug)) {
        return Ok(slug.to_owned());
    }
    let mut renamed = input::renamed(store)?.into_iter();
    let now = renamed.find(|(former, _)| law_of(former) == slug).map(|(_, now)| law_of(&now).to_owned());
    if let Some(now) = &now {
        output::note(&format!("the cases of {slug} are those of {now} now"));
    }
    Ok(now.unwrap_or_else(|| slug.to_owned()))
}

fn unknown<'l>(slug: &str, laws: impl Iterator<Item = &'l str>) -> CliError {
    CliError::unknown("law", slug, &suggest::matches(slug, laws, 3), "assize laws")
}

fn all(laws: &[LawEntry]) -> String {
    let rows = laws.iter().map(|law| {
        let open = if law.open.is_empty() { String::new() } else { law.open.len().to_string() };
        let cases = if law.unjudged.is_some() { "not judged".to_owned() } else { law.cases.len().to_string() };
        [law.slug.clone(), cases, open, law.section.clone(), law.statement.clone()]
    });
    let mut text = output::table(["law", "cases", "open", "section", "statement"], rows);
    let cases: usize = laws.iter().map(|law| law.cases.len()).sum();
    let unjudged = laws.iter().filter(|law| law.unjudged.is_some()).count();
    text.push_str(&format!(
        "\n{}, {unjudged} of them not judged, {}; `assize laws SLUG` shows one of them\n",
        output::counted(laws.len(), "law", "laws"),
        output::counted(cases, "case", "cases")
    ));
    text
}

fn one(law: &LawEntry, store: &Store) -> String {
    let paint = output::paint();
    let mut text = format!("{}: {}\n\n  {}\n\n", paint.strong(&law.slug), law.title, law.statement);
    let mut facts = vec![("spec", format!("{}, {}", law.document, law.section)), ("origin", law.origin.clone())];
    match &law.unjudged {
        Some(why) => facts.push(("not judged", why.clone())),
        None => facts.extend([("module", law.module.clone()), ("operations", law.operations.join(", "))]),
    }
    for (name, fact) in facts {
        text.push_str(&format!("  {name:<12}{fact}\n"));
    }
    if law.unjudged.is_some() {
        return text;
    }
    if !law.worlds.is_empty() {
        text.push_str("\nsearched whole\n");
    }
    for world in &law.worlds {
        text.push_str(&format!(
            "  {}, to a bound of {}: {}\n    not searched: {}\n",
            world.name,
            world.reach(),
            world.found(),
            world.outside
        ));
    }
    text.push_str("\nopen questions\n");
    if law.open.is_empty() {
        text.push_str("  none\n");
    }
    for question in &law.open {
        text.push_str(&format!("  - {question}\n"));
    }
    let path = |id: &String| format!("vectors/{id}.json");
    let cases = law.cases.iter().filter_map(|id| Case::load(store, &path(id)).ok());
    let refused = cases.filter(lint::refusing).count();
    let count = output::counted(law.cases.len(), "case", "cases");
    text.push_str(&format!("\n{count}, of which {refused} have to be refused\n"));
    for id in &law.cases {
        text.push_str(&format!("  {id}\n"));
    }
    text.push_str(&format!("\nrun them: assize certify --filter {}\n", law.slug));
    text
}
