//! `assize laws --sentences`: what the specifications ask, sentence by sentence, and what holds it.

use std::collections::BTreeSet;

use assize::{catalogue, exit::Exit, suggest};
use assize_corpus::{
    sentences::{Counts, Register, Row},
    store::Store,
    vector::ruling::{Beyond, Documents},
};
use serde::Serialize;
use serde_json::json;

use super::{CliError, Format, output};

/// One system.
#[derive(Debug, Serialize)]
struct System<'r> {
    system: &'r str,
    /// How many there are.
    sentences: usize,
    /// Those that some case can judge.
    held: usize,
    /// Those that nothing can judge.
    unjudged: usize,
    /// Of those that are held, those that too few cases hold.
    thin: usize,
    rows: Vec<&'r Row>,
    laws: Vec<LawRow<'r>>,
    beyond: &'r [Beyond],
}

/// A law that sentences name.
#[derive(Debug, Serialize)]
struct LawRow<'r> {
    law: &'r str,
    /// How many name it.
    sentences: usize,
    #[serde(flatten)]
    counts: Counts,
}

impl<'r> System<'r> {
    fn new(system: &'r str, register: &'r Register) -> Self {
        let rows: Vec<&Row> = register.rows.iter().filter(|row| row.system == system).collect();
        let named: BTreeSet<&str> = rows.iter().flat_map(|row| &row.laws).map(|law| law.law.as_str()).collect();
        let of = |law: &'r str| LawRow {
            law,
            sentences: rows.iter().filter(|row| row.laws.iter().any(|holder| holder.law == law)).count(),
            counts: register.cases.get(law).copied().unwrap_or_default(),
        };
        Self {
            system,
            sentences: rows.len(),
            held: rows.iter().filter(|row| row.is_held()).count(),
            unjudged: rows.iter().filter(|row| !row.is_held()).count(),
            thin: rows.iter().filter(|row| row.thin.is_some()).count(),
            laws: named.into_iter().map(of).collect(),
            rows,
            beyond: register.beyond.get(system).map_or(&[], Vec::as_slice),
        }
    }

    fn counted(&self) -> String {
        let [sentences, held, unjudged, thin] = [self.sentences, self.held, self.unjudged, self.thin];
        let all = output::counted(sentences, "sentence", "sentences");
        format!("{all}: {held} held by laws, {thin} of them by few cases; {unjudged} that nothing can judge")
    }
}

/// Shows the register of all systems, or of one.
pub(super) fn run(store: &Store, system: Option<&str>, format: Format) -> Result<Exit, CliError> {
    let corpus = catalogue::corpus(store);
    if let Some(error) = corpus.errors.first() {
        return Err(CliError::unreadable(error, "`assize vectors check` says more"));
    }
    let files = Documents::load(store).map_err(|error| CliError::unreadable(error, "restore the contracts"))?;
    let register = Register::new(&files, &corpus);
    let known: Vec<&str> = catalogue::SYSTEMS.into_iter().filter(|name| register.beyond.contains_key(*name)).collect();
    if let Some(name) = system.filter(|name| !known.contains(name)) {
        let near = suggest::matches(name, known.iter().copied(), 3);
        return Err(CliError::unknown("registered system", name, &near, "assize laws --sentences"));
    }
    let shown = known.into_iter().filter(|name| system.is_none_or(|system| system == *name));
    let systems: Vec<System<'_>> = shown.map(|name| System::new(name, &register)).collect();
    match format {
        Format::Json => output::json(&json!({"systems": systems}))?,
        Format::Human => output::say(&human(&systems))?,
    }
    Ok(Exit::Conforms)
}

fn human(systems: &[System<'_>]) -> String {
    let mut text = String::new();
    for system in systems {
        of_system(&mut text, system);
    }
    let totals = systems.iter().map(|system| {
        let numbers = [system.sentences, system.held, system.thin, system.unjudged].map(|number| number.to_string());
        let [sentences, held, thin, unjudged] = numbers;
        [system.system.to_owned(), sentences, held, thin, unjudged]
    });
    text.push_str(&output::table(["system", "sentences", "held", "by few cases", "not judged"], totals));
    let sum = |count: fn(&System<'_>) -> usize| systems.iter().map(count).sum::<usize>();
    text.push_str(&format!(
        "\n{}: {} held, {} of them by few cases; {} that nothing can judge\n",
        output::counted(sum(|system| system.sentences), "sentence", "sentences"),
        sum(|system| system.held),
        sum(|system| system.thin),
        sum(|system| system.unjudged),
    ));
    text
}

fn of_system(text: &mut String, system: &System<'_>) {
    let paint = output::paint();
    text.push_str(&format!("{}: {}\n", paint.strong(system.system), system.counted()));
    let mut place = ("", "");
    for row in &system.rows {
        if place.0 != row.document {
            text.push_str(&format!("\n  {}\n", row.document));
        }
        if place != (row.document.as_str(), row.section.as_str()) {
            text.push_str(&format!("\n  {}\n", row.section));
        }
        place = (&row.document, &row.section);
        text.push_str(&format!("    {:>2}  {}\n        {}\n", row.n, row.says, held_by(row)));
        if let Some(thin) = &row.thin {
            text.push_str(&format!("        by few cases: {thin}\n"));
        }
    }
    let rows = system.laws.iter().map(|row| {
        [row.law.to_owned(), row.sentences.to_string(), row.counts.cases.to_string(), row.counts.can_fail.to_string()]
    });
    text.push('\n');
    text.push_str(&output::table(["law", "sentences", "cases", "can fail"], rows));
    if !system.beyond.is_empty() {
        text.push_str("\nlaws that no sentence asks for\n");
    }
    for beyond in system.beyond {
        text.push_str(&format!("  {}: {}\n", beyond.law, beyond.why));
    }
    text.push('\n');
}

/// The laws of a sentence with as many cases as judge it, and how many of these can fail; or why there are none.
fn held_by(row: &Row) -> String {
    if let Some(why) = &row.unjudged {
        let laws: Vec<&str> = row.laws.iter().map(|law| law.law.as_str()).collect();
        let laws = if laws.is_empty() { String::new() } else { format!(" ({})", laws.join(", ")) };
        return format!("not judged{laws}: {why}");
    }
    let laws = row.laws.iter().map(|law| match law.counts.can_fail == law.counts.cases {
        true => format!("{} {}", law.law, law.counts.cases),
        false => format!("{} {} ({} can fail)", law.law, law.counts.cases, law.counts.can_fail),
    });
    laws.collect::<Vec<_>>().join(", ")
}
