//! `assize laws --mutation-score`: which mutants of the verifier the vectors kill.

use std::collections::BTreeSet;

use assize::{
    exit::Exit,
    mutation_score::{Counts, MutationScore, State},
};
use assize_corpus::{store::Store, vector::id_of};
use serde_json::json;

use super::{CliError, Format, output, unknown};

/// What the vectors by themselves are expected to kill, in percent.
const ENOUGH: f64 = 90.0;

/// Shows the whole record, or the row of one law with what only its vectors kill.
pub(super) fn run(slug: Option<&str>, format: Format) -> Result<Exit, CliError> {
    let store = Store::embedded();
    let score = MutationScore::read(&store).map_err(CliError::bug)?;
    match (slug, format) {
        (None, Format::Json) => output::json(&score)?,
        (None, Format::Human) => output::say(&all(&score, &store.below("vectors/").filter_map(id_of).collect()))?,
        (Some(slug), format) => {
            let row = score.laws.iter().find(|row| row.law == slug);
            let row = row.ok_or_else(|| unknown(slug, score.laws.iter().map(|row| row.law.as_str())))?;
            let only = score.alone(slug);
            match format {
                Format::Json => {
                    output::json(&json!({"law": row.law, "kills": row.kills, "alone": row.alone, "only": only}))?;
                }
                Format::Human => {
                    let kills = output::counted(row.kills, "mutant", "mutants");
                    let mut text = format!(
                        "{}: its vectors kill {kills} of the verifier; {} of them nothing else kills\n",
                        output::paint().strong(&row.law),
                        row.alone
                    );
                    for mutant in only {
                        text.push_str(&format!("  {mutant}\n"));
                    }
                    output::say(&text)?;
                }
            }
        }
    }
    Ok(Exit::Conforms)
}

fn all(score: &MutationScore, ids: &BTreeSet<&str>) -> String {
    let header =
        ["module", "by vectors", "score", "killed", "tested", "timeout", "crashed", "survived", "argued", "unviable"];
    let modules = score.modules.iter().map(|row| (row.module.as_str(), &row.counts));
    let mut text = output::table(header, modules.chain([("total", &score.total)]).map(cells));
    let rows = score.laws.iter().map(|row| [row.law.clone(), row.kills.to_string(), row.alone.to_string()]);
    text.push('\n');
    text.push_str(&output::table(["law", "kills", "alone"], rows));
    text.push_str("\nsurvivors\n");
    for survivor in &score.survivors {
        let why = match (survivor.state, &survivor.why) {
            (State::Candidate, _) => "only a part of the corpus was put to it".to_owned(),
            (state, Some(why)) => format!("{}: {why}", state.name()),
            (state, None) => state.name().to_owned(),
        };
        text.push_str(&format!("  {}\n    {why}\n", survivor.mutant()));
    }
    if score.survivors.is_empty() {
        text.push_str("  none\n");
    }
    text.push_str("\nalone: what no other law's vectors kill; `assize laws SLUG --mutation-score` names it\n");
    text.push_str(&format!("left out as text for people: {}\n", score.excluded.join("  ")));
    text.push_str(&format!("how: cargo-mutants {}. {}\n", score.cargo_mutants, score.method));
    if score.candidate > 0 {
        text.push_str(&format!("a draft: {} candidates\n", score.candidate));
    }
    if score.unjudged > 0 {
        let mutants = output::counted(score.unjudged, "mutant", "mutants");
        text.push_str(&format!("not judged yet, and in no score: {mutants}\n"));
    }
    if score.judged_by(ids) {
        text.push_str(&format!("recorded for all {}\n", output::counted(score.cases, "case", "cases")));
    } else {
        let now = ids.len();
        text.push_str(&format!("recorded for {} of {now} cases: the corpus has moved on\n", score.cases));
    }
    text.push_str(&headline(score));
    text
}

/// Both scores, with the modules in which the vectors by themselves catch less than nine of ten.
fn headline(score: &MutationScore) -> String {
    let low = score.modules.iter().filter(|row| row.counts.by_vectors.is_some_and(|score| score < ENOUGH));
    let low: Vec<_> = low.map(|row| format!("{} {}", row.module, percent(row.counts.by_vectors))).collect();
    let below = if low.is_empty() { String::new() } else { format!("; below {ENOUGH} %: {}", low.join(", ")) };
    format!(
        "killed by the vectors alone: {}{below}\nkilled by `cargo test -p assize-corpus`, other tests included: {}\n",
        percent(score.total.by_vectors),
        percent(score.total.score)
    )
}

fn cells((name, counts): (&str, &Counts)) -> [String; 10] {
    [
        name.to_owned(),
        percent(counts.by_vectors),
        percent(counts.score),
        counts.killed.to_string(),
        counts.tested.to_string(),
        counts.timeout.to_string(),
        counts.crashed.to_string(),
        counts.survived.to_string(),
        counts.argued.to_string(),
        counts.unviable.to_string(),
    ]
}

fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "-".to_owned(), |score| format!("{score:.1} %"))
}
