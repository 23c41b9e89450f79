//! `assize laws --teeth`: which mutants of the verifier the vectors kill.

use assize::{
    exit::Exit,
    teeth::{ModuleRow, State, Teeth},
};
use assize_corpus::store::Store;
use serde_json::json;

use super::{Format, Trouble, output, unknown};

/// Shows the whole record, or the row of one law with what only its vectors kill.
pub(super) fn run(slug: Option<&str>, format: Format) -> Result<Exit, Trouble> {
    let teeth = Teeth::read(&Store::embedded()).map_err(Trouble::bug)?;
    match (slug, format) {
        (None, Format::Json) => output::json(&teeth)?,
        (None, Format::Human) => output::out(all(&teeth).as_bytes())?,
        (Some(slug), format) => {
            let row = teeth.laws.iter().find(|row| row.law == slug);
            let row = row.ok_or_else(|| unknown(slug, teeth.laws.iter().map(|row| row.law.as_str())))?;
            let only = teeth.alone(slug);
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
                    output::out(text.as_bytes())?;
                }
            }
        }
    }
    Ok(Exit::Conforms)
}

fn all(teeth: &Teeth) -> String {
    let header = [
        "module",
        "score",
        "by vectors",
        "killed",
        "tested",
        "timeout",
        "crashed",
        "survived",
        "equivalent",
        "unviable",
    ];
    let total = teeth.total();
    let mut text = output::table(header, teeth.modules.iter().chain([&total]).map(cells));
    let rows = teeth.laws.iter().map(|row| [row.law.clone(), row.kills.to_string(), row.alone.to_string()]);
    text.push('\n');
    text.push_str(&output::table(["law", "kills", "alone"], rows));
    text.push_str("\nsurvivors\n");
    for survivor in &teeth.survivors {
        let why = match (survivor.state, &survivor.why) {
            (State::Candidate, _) => "only a part of the corpus was put to it",
            (State::Equivalent, Some(why)) => why,
            _ => "open",
        };
        text.push_str(&format!("  {}\n    {why}\n", survivor.mutant()));
    }
    if teeth.survivors.is_empty() {
        text.push_str("  none\n");
    }
    let score = percent(teeth.score);
    text.push_str(&format!("\nscore {score}: {} cases, cargo-mutants {}", teeth.cases, teeth.cargo_mutants));
    if teeth.candidate + teeth.unjudged > 0 {
        text.push_str(&format!("; a draft: {} candidates, {} not judged", teeth.candidate, teeth.unjudged));
    }
    text.push_str("\nalone: what no other law's vectors kill; `assize laws SLUG --teeth` names it\n");
    text.push_str(&format!("left out as text for people: {}\n", teeth.excluded.join("  ")));
    text
}

fn cells(row: &ModuleRow) -> [String; 10] {
    let counts = [row.killed, row.tested, row.timeout, row.crashed, row.survived, row.equivalent, row.unviable];
    let [killed, tested, timeout, crashed, survived, equivalent, unviable] = counts.map(|count| count.to_string());
    [
        row.module.clone(),
        percent(row.score),
        percent(row.by_vectors),
        killed,
        tested,
        timeout,
        crashed,
        survived,
        equivalent,
        unviable,
    ]
}

fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "-".to_owned(), |score| format!("{score:.1} %"))
}
