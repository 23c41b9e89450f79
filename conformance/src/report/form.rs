//! The forms that a report can be written in, and which of them a file name asks for.

use std::path::Path;

use clap::ValueEnum;
use thiserror::Error;

use super::{Paint, Report, annotations, badge, html, json, junit, markdown, tap, text};
use crate::suite::Suite;

/// What a report is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people.
    #[value(name = "human")]
    Text,
    /// For machines; stable.
    Json,
    /// JUnit XML.
    Junit,
    /// TAP 14.
    Tap,
    /// A summary for a pull request.
    Markdown,
    /// A page for a browser.
    Html,
    /// A badge in SVG.
    Badge,
    /// Commands that code hosts show at the lines of files.
    Annotations,
}

impl Form {
    /// Every form with the extensions that ask for it; one without is asked for by its name.
    pub const ALL: [(Self, &[&str]); 8] = [
        (Self::Text, &["txt"]),
        (Self::Json, &["json"]),
        (Self::Junit, &["xml"]),
        (Self::Tap, &["tap"]),
        (Self::Markdown, &["md"]),
        (Self::Html, &["html", "htm"]),
        (Self::Badge, &["svg"]),
        (Self::Annotations, &[]),
    ];

    /// The form that the extension of a file asks for, in capitals or not.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|(_, known)| known.contains(&extension.as_str())).map(|(form, _)| form)
    }
}

/// A report that cannot be written. None of these is known to happen: each is a bug.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// As JSON.
    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// As XML.
    #[error("the report cannot be written as JUnit XML: {0}")]
    Junit(#[from] quick_junit::SerializeError),
    /// As a page.
    #[error("the report cannot be written as HTML: {0:#}")]
    Html(#[from] minijinja::Error),
}

/// The report in a form; the suite gives a page the exact input of what failed, and a summary the places that it is against. Only text
/// is ever painted.
///
/// # Errors
/// None is known.
pub fn write(report: &Report, suite: &Suite, form: Form, paint: Paint) -> Result<Vec<u8>, ReportError> {
    Ok(match form {
        Form::Text => text(report, paint),
        Form::Json => json(report)?,
        Form::Junit => junit(report)?,
        Form::Tap => tap(report),
        Form::Markdown => markdown(report, suite),
        Form::Html => html(report, suite)?,
        Form::Badge => badge(report),
        Form::Annotations => annotations(report, suite),
    }
    .into_bytes())
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};

    #[test]
    fn the_extension_names_the_form() {
        for (path, form) in [
            ("a.txt", Some(Form::Text)),
            ("a/b.json", Some(Form::Json)),
            ("junit.XML", Some(Form::Junit)),
            ("a.tap", Some(Form::Tap)),
            ("a.md", Some(Form::Markdown)),
            ("a.html", Some(Form::Html)),
            ("a.htm", Some(Form::Html)),
            ("a.tar.svg", Some(Form::Badge)),
            ("a.pdf", None),
            ("json", None),
            (".json", None),
        ] {
            assert_eq!(Form::of_path(Path::new(path)), form, "{path}");
        }
    }

    #[test]
    fn every_form_ends_its_last_line() {
        for (name, report, suite) in fixture::all() {
            for (form, _) in Form::ALL {
                let bytes = write(&report, &suite, form, Paint::Plain).unwrap();
                assert!(bytes.ends_with(b"\n") && !bytes.ends_with(b"\n\n"), "{name} as {form:?}");
            }
        }
    }
}
