//! What can be mended without knowing what was meant.

use std::collections::BTreeSet;

use crate::{
    Family, Place,
    syntax::{Argument, Expr, Kind, Span},
};

/// A stretch of a file and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Edit {
    /// Where.
    pub place: Place,
    /// What stands there then.
    pub text: String,
}

impl Edit {
    /// This text at a place.
    #[must_use]
    pub fn new(place: Place, text: String) -> Self {
        Self { place, text }
    }
}

/// The registered code that a text is another spelling of: in another case, with other dashes, with spaces around it, or with a
/// number of fewer digits. None where the text is registered itself.
#[must_use]
pub fn spelling<'r>(text: &str, registered: &'r BTreeSet<String>) -> Option<&'r str> {
    if registered.contains(text) {
        return None;
    }
    let upper = text.trim().to_ascii_uppercase();
    let dashes = ['-', '_', '.', '/', ':', ' ', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2212}'];
    let parts: Vec<&str> = upper.split(dashes).collect();
    let [layer, area, kind, number] = parts.as_slice() else { return None };
    let short = !number.is_empty() && number.len() < 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = if short { format!("{number:0>3}") } else { (*number).to_owned() };
    registered.get(&format!("{layer}-{area}-{kind}-{number}")).map(String::as_str)
}

/// What takes the place of a stretch of a call whose method does not exist: `info` and `warn` become a success that holds what they
/// said, and `fail` the method that its code asks for. Where the arguments stay what they are, it is the name of the method alone.
pub(crate) fn instead(
    (method, name): (&str, Span),
    end: usize,
    arguments: &[Argument],
    code: Option<&str>,
    text: &str,
    family: Family,
) -> Option<(Span, String)> {
    let written = |span: Span| text.get(span.start..span.end);
    // What is called by another name of its own is no word of the method.
    if family.method(written(name)?) != method || !text.get(name.end..)?.starts_with('(') {
        return None;
    }
    let renamed = |to: &str| Some((name, to.to_owned()));
    if method == "fail" {
        let kind = code?.split('-').nth(2)?;
        let due = match kind {
            "I" => "invalid",
            "D" => "denied",
            "E" => "error",
            _ => return None,
        };
        // The code has to come first, since its name is not taken over.
        arguments.first().filter(|one| one.name.is_none() && !one.spread)?;
        return if family == Family::Go { renamed(&capital(due)) } else { renamed(due) };
    }
    // What data a success takes is for its type to say.
    if family.is_typed() {
        return None;
    }
    let key = if method == "info" { "info" } else { "warnings" };
    match arguments {
        [] => renamed("success"),
        [one] if !one.spread && is_data(one) => renamed("success"),
        [one] if !one.spread && one.name.is_none() && is_text(&one.value) => {
            let at = one.value.span;
            // A comment in the brackets would be lost.
            let around = [written(Span { start: name.end, end: at.start })?, written(Span { start: at.end, end })?];
            if around.iter().any(|part| part.contains(|one: char| !one.is_whitespace() && !"(),".contains(one))) {
                return None;
            }
            let said = written(at)?;
            let text = if family == Family::Python {
                format!("success(data={{\"{key}\": [{said}]}})")
            } else {
                format!("success({{ {key}: [{said}] }})")
            };
            Some((Span { start: name.start, end }, text))
        }
        _ => None,
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn is_data(argument: &Argument) -> bool {
    argument.name.as_deref() == Some("data")
        || (argument.name.is_none() && matches!(argument.value.plain().kind, Kind::Object(_)))
}

fn is_text(value: &Expr) -> bool {
    matches!(value.plain().kind, Kind::Text(_) | Kind::Template(_))
}
