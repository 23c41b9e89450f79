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

/// The call that takes the place of one whose method does not exist, from the name of the method to the last bracket: `info` and `warn`
/// become a success that holds what they said, and `fail` the method that its code asks for.
pub(crate) fn instead(
    method: &str,
    arguments: &[Argument],
    code: Option<&str>,
    text: &str,
    family: Family,
) -> Option<String> {
    let written = |span: Span| text.get(span.start..span.end);
    if method == "fail" {
        let kind = code?.split('-').nth(2)?;
        let due = match kind {
            "I" => "invalid",
            "D" => "denied",
            "E" => "error",
            _ => return None,
        };
        // The code has to come first, since its name is not taken over.
        let first = arguments.first().filter(|one| one.name.is_none() && !one.spread);
        let all = first.map(|one| one.value.span.start).zip(arguments.last().map(|one| one.value.span.end));
        let (start, end) = all?;
        let due = if family == Family::Go { capital(due) } else { due.to_owned() };
        return Some(format!("{due}({})", written(Span { start, end })?));
    }
    // What data a success takes is for its type to say.
    if family.is_typed() {
        return None;
    }
    let key = if method == "info" { "info" } else { "warnings" };
    match arguments {
        [] => Some("success()".to_owned()),
        [one] if !one.spread && is_data(one) => {
            let data = written(one.value.span)?;
            Some(if one.name.is_some() { format!("success(data={data})") } else { format!("success({data})") })
        }
        [one] if !one.spread && one.name.is_none() && is_text(&one.value) => {
            let said = written(one.value.span)?;
            Some(if family == Family::Python {
                format!("success(data={{\"{key}\": [{said}]}})")
            } else {
                format!("success({{ {key}: [{said}] }})")
            })
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
