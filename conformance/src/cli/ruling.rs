//! A ruling, as people and machines are shown it.

use assize_corpus::vector::ruling::{Decision, Ruling};
use serde::Serialize;

use super::{Format, error::CliError, output};

/// A ruling with the system that it belongs to.
#[derive(Serialize)]
pub(crate) struct Shown<'a> {
    pub(crate) system: &'a str,
    #[serde(flatten)]
    pub(crate) ruling: &'a Ruling,
}

/// Writes a ruling to standard output.
pub(crate) fn show(system: &str, ruling: &Ruling, format: Format) -> Result<(), CliError> {
    match format {
        Format::Json => output::json(&Shown { system, ruling }),
        Format::Human => output::say(&human(system, ruling)),
    }
}

/// A ruling as a paragraph.
pub(crate) fn human(system: &str, ruling: &Ruling) -> String {
    let paint = output::paint();
    let mut text = format!("{}  {system}: {}\n", paint.strong(&ruling.id), ruling.point);
    let mut line = |name: &str, value: &str| text.push_str(&format!("  {name:<11}{value}\n"));
    for place in &ruling.places {
        line("place", &format!("{}, {}", place.document, place.section));
    }
    for (name, value) in [("text", &ruling.text), ("code", &ruling.code)] {
        if let Some(value) = value {
            line(name, value);
        }
    }
    for (behaviour, words) in ruling.behaviours() {
        text.push_str(&weighed(behaviour.name(), words, ruling.code.as_deref().unwrap_or_default()));
    }
    let mut line = |name: &str, value: &str| text.push_str(&format!("  {name:<11}{value}\n"));
    match &ruling.ruling {
        Decision::One(answer) => line("ruling", answer),
        Decision::Modes { law, reference } => {
            line("law", law);
            line("reference", reference);
        }
    }
    line("stands", ruling.stands.described());
    if let Some(why) = &ruling.excluded {
        line("excluded", why);
    }
    text
}

/// How a part of what code does weighs; its words only where they are not all of `code`.
pub(super) fn weighed(behaviour: &str, words: &str, code: &str) -> String {
    let words = if words == code { String::new() } else { format!(": {words}") };
    format!("  behaviour  {behaviour}{words}\n")
}
