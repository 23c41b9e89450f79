//! `assize explain`: one case, readable.

mod document;
mod machine;

use std::path::PathBuf;

use assize::{catalogue::law_of, exit::Exit, suggest};
use assize_corpus::{
    agreement::{Judgement, Outcome, Terms, judge},
    node::Node,
    testee::{Answer, Output},
    trial::Posed,
    vector::{
        Agreement, Case, Entry, Provenance, Verdict, id_of, is_case,
        ruling::{Rulings, named},
    },
};
use serde_json::Value;

use super::{Format, error::CliError, input, output, ruling};

const EXAMPLES: &str = "\
Examples:
  assize explain canon/rfc8785/array-order-kept
  assize explain vectors/canon/rfc8785/array-order-kept.json --format json
  assize explain EP-27                                 a ruling that cases rest on
  assize explain canon/rfc8785/mine --corpus DIR       a case of your own corpus

Long JSON without white space is indented. Any other text stands as it is; what does not
show itself is escaped, a byte order mark as <U+FEFF>, a byte that is not text as \\xNN.

Exit codes:
  0   explained
  3   the case does not load
  64  no case and no ruling of that name";

/// Explain one case: why it exists, what goes in, what has to come out, and what the built-in verifier answers; or one ruling.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The case: its id, or its path below the repository; or the id of a ruling.
    #[arg(value_name = "CASE|RULING")]
    case: String,
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Read rulings and declarations below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    contracts: Option<PathBuf>,
    /// How the case is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let store = input::store(args.corpus.as_deref(), args.contracts.as_deref())?;
    let id = args.case.trim_start_matches("./").trim_start_matches("vectors/").trim_end_matches(".json");
    let former = if store.has(&format!("vectors/{id}.json")) { None } else { input::renamed(&store)?.remove(id) };
    if let Some(now) = &former {
        output::note(&format!("{id} is called {now} now"));
    }
    let id = former.as_deref().unwrap_or(id);
    let path = format!("vectors/{id}.json");
    let rulings = Rulings::load(&store).map_err(|error| CliError::unreadable(error, "restore the contracts"))?;
    if let Some((system, ruling)) = rulings.find(id) {
        ruling::show(system, ruling, args.format)?;
        return Ok(Exit::Conforms);
    }
    if !store.has(&path) || !is_case(&path) {
        let known = store.below("vectors/").filter_map(id_of);
        if args.corpus.is_none() {
            output::note("a case of another corpus than the one that was built in: add --corpus DIR");
        }
        return Err(CliError::unknown("case", id, &suggest::matches(id, known, 3), "assize laws SLUG"));
    }
    let case =
        Case::load(&store, &path).map_err(|error| CliError::unreadable(error, "`assize vectors check` says more"))?;
    let judged = JudgedAnswer::of(&case);
    match args.format {
        Format::Json => output::json(&machine::Explained::of(&case, &rulings, &judged))?,
        Format::Human => {
            let [about, documents, outcome] = human(&case, &rulings, &judged);
            output::say(&about)?;
            // As they are: lines of a document are its own.
            output::out(documents.as_bytes())?;
            output::say(&outcome)?;
        }
    }
    Ok(Exit::Conforms)
}

/// The built-in verifier's answer, and what comes of it.
struct JudgedAnswer {
    answer: Option<Answer>,
    judgement: Judgement,
}

impl JudgedAnswer {
    fn of(case: &Case) -> Self {
        let answer = Posed::new(case).and_then(|mut posed| {
            let answer = posed.answer();
            posed.observed(answer)
        });
        match answer {
            Ok(answer) => Self { judgement: judge(case, &answer, &Terms::default()), answer: Some(answer) },
            Err(error) => Self { answer: None, judgement: error.judgement() },
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn provenance(provenance: &Provenance) -> String {
    match provenance {
        Provenance::Comparator => "comparator".to_owned(),
        Provenance::Ruling(id) => format!("ruling {id}"),
        Provenance::Arithmetic => "arithmetic".to_owned(),
        Provenance::Rfc8785 => "rfc8785".to_owned(),
        Provenance::Hand => "hand".to_owned(),
    }
}

/// What binds with what right: the verdict's first, then the places that differ.
fn force(case: &Case) -> String {
    let places = case.force.places.iter().map(|(place, force)| format!("{}: {force}", place.text));
    std::iter::once(case.force.verdict.to_string()).chain(places).collect::<Vec<_>>().join("; ")
}

fn agreement(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Exact => "exact",
        Agreement::Located => "located",
        Agreement::Verdict => "verdict",
    }
}

fn alone(case: &Case) -> String {
    format!("assize certify --filter {}", case.id)
}

/// What the case is about, its documents and answers, and what came of it.
fn human(case: &Case, rulings: &Rulings, judged: &JudgedAnswer) -> [String; 3] {
    let paint = output::paint();
    let mut text = format!("{}\n\n  {}\n\n", paint.strong(&case.id), case.rationale);
    let args = Node::from(&Value::Object(case.args.clone())).canonical();
    let mut facts = vec![
        ("law", law_of(&case.id).to_owned()),
        ("spec", format!("{}, {}", case.spec.document, case.spec.section)),
        ("force", force(case)),
        ("provenance", provenance(&case.provenance)),
        ("asks", format!("{} {args}", case.op)),
    ];
    facts.extend(Some(("flags", case.flags.join(", "))).filter(|_| !case.flags.is_empty()));
    facts.extend(Some(("rows", case.rows.join(", "))).filter(|_| !case.rows.is_empty()));
    facts.extend(case.twin.iter().map(|twin| ("twin", twin.clone())));
    facts.extend(case.pair.iter().map(|pair| ("pair", pair.clone())));
    for (name, fact) in facts {
        text.push_str(&format!("  {name:<12}{fact}\n"));
    }
    for (system, ruling) in named(case).into_iter().filter_map(|id| rulings.find(id)) {
        text.push('\n');
        text.push_str(&ruling::human(system, ruling));
    }
    let about = std::mem::take(&mut text);
    for (name, document) in &case.inputs {
        text.push_str(&format!("\nin {name}\n"));
        block(&document.bytes(), &mut text);
    }
    for (path, entry) in &case.files {
        text.push_str(&format!("\nfile {}\n", output::clean(path)));
        match entry {
            Entry::File(document) => block(&document.bytes(), &mut text),
            Entry::Directory => text.push_str("  a folder\n"),
            Entry::Symlink { to } => text.push_str(&format!("  a symbolic link to {}\n", output::clean(to))),
            Entry::Unreadable { text: inside } => {
                text.push_str("  without permission to be read:\n");
                block(inside.as_bytes(), &mut text);
            }
        }
    }
    for expect in case.answers() {
        text.push_str(&format!("\nexpected, agreement {}\n", agreement(case.agreement)));
        let out = expect.out.iter().map(|(name, expected)| (name.as_str(), expected.node.canonical()));
        verdict(expect.is == Verdict::Accept, expect.codes.iter().map(String::as_str), out, &mut text);
    }
    text.push_str("\nthe built-in verifier\n");
    write_answer(judged, &mut text);
    let documents = std::mem::take(&mut text);
    let outcome = judged.judgement.outcome;
    let word = if outcome == Outcome::Pass { paint.good(outcome.name()) } else { paint.bad(outcome.name()) };
    text.push_str(&format!("\n{word}\n"));
    for mismatch in &judged.judgement.mismatches {
        text.push_str(&format!("  - {}\n", output::clean(&mismatch.to_string())));
    }
    if let Some(note) = &judged.judgement.note {
        text.push_str(&format!("  - {}\n", output::clean(note)));
    }
    text.push_str(&format!("alone: {}\n", alone(case)));
    text.push_str(&format!(
        "  from the sources: cargo test -p assize-corpus --test vectors -- --exact vector::{}.json\n",
        case.id
    ));
    [about, documents, text]
}

fn write_answer(judged: &JudgedAnswer, text: &mut String) {
    match &judged.answer {
        None => text.push_str("  was not asked\n"),
        Some(Answer::Unsupported { feature }) => text.push_str(&format!("  unsupported: {feature}\n")),
        Some(Answer::Fault { kind, message }) => {
            text.push_str(&format!("  fault, {kind}: {}\n", output::clean(message)));
        }
        Some(Answer::Accept { out }) => verdict(true, [].into_iter(), outs(out), text),
        Some(Answer::Reject { codes, out }) => verdict(false, codes.iter().map(String::as_str), outs(out), text),
    }
}

fn outs(out: &std::collections::BTreeMap<String, Output>) -> impl Iterator<Item = (&str, String)> {
    out.iter().map(|(name, output)| {
        let shown = match output {
            Output::Doc(text) => text.clone(),
            Output::Value(value) => value.to_string(),
            Output::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => format!("{} bytes: {text}", bytes.len()),
                Err(_) => format!("{} bytes: hex {}", bytes.len(), hex(bytes)),
            },
        };
        (name.as_str(), shown)
    })
}

fn verdict<'a>(
    accepts: bool,
    codes: impl Iterator<Item = &'a str>,
    out: impl Iterator<Item = (&'a str, String)>,
    text: &mut String,
) {
    let codes: Vec<_> = codes.collect();
    match accepts {
        true => text.push_str("  accept\n"),
        false => text.push_str(&format!("  reject {}\n", codes.join(", "))),
    }
    for (name, shown) in out {
        match document::lines(shown.as_bytes()).as_slice() {
            [line] => text.push_str(&format!("  {name}: {line}\n")),
            lines => {
                text.push_str(&format!("  {name}:\n"));
                text.extend(lines.iter().map(|line| format!("    {line}\n")));
            }
        }
    }
}

/// A document, indented below its name.
fn block(bytes: &[u8], text: &mut String) {
    for line in document::lines(bytes) {
        text.push_str(&format!("  {line}\n"));
    }
}
