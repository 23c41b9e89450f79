//! What is known of implementations, as a site that needs nothing else: an index, a page and a badge for each implementation, a page
//! for each law.
//!
//! Everything follows from kept results and one corpus: the same of both give the same bytes. No page makes a request, and each
//! is whole without its script. Grades and numbers are those of the reports: nothing is judged here.

mod alike;
mod entry;
mod implementation;
mod index;
mod law;
mod stored;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use assize_generators::files::Files;
use minijinja::{
    Environment, context,
    value::{Serde, Value},
};
use serde::Serialize;
use thiserror::Error;

use crate::{
    bench::Kept,
    report::html::{self, policy},
    suite::Suite,
};
use entry::Entry;

const FRAME: &str = include_str!("gallery/frame.html");
const INDEX: &str = include_str!("gallery/index.html");
const IMPLEMENTATION: &str = include_str!("gallery/implementation.html");
const LAW: &str = include_str!("gallery/law.html");
const STYLE: &str = include_str!("gallery/style.css");
const SCRIPT: &str = include_str!("gallery/script.js");

/// Why there is no gallery.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GalleryError {
    /// There is nothing to show.
    #[error("there is no result to show")]
    Empty,
    /// A kept result holds what no run has written.
    #[error("{}: the report of {label} cannot be shown: {why}", file.display())]
    Report {
        /// Where it is kept.
        file: PathBuf,
        /// Name and version.
        label: String,
        /// What is wrong with it.
        why: String,
        /// The command that asks it again.
        again: String,
    },
    /// Two results would have one page.
    #[error("{} and {} would have the same page, {page}", first.display(), second.display())]
    Page {
        /// Where one is kept.
        first: PathBuf,
        /// Where the other is.
        second: PathBuf,
        /// The page.
        page: String,
    },
    /// The results cannot be written as JSON, or a template names something that is not there: a bug.
    #[error("a page cannot be written: {0:#}")]
    Written(String),
}

impl From<minijinja::Error> for GalleryError {
    fn from(error: minijinja::Error) -> Self {
        Self::Written(format!("{error:#}"))
    }
}

/// Every file of the site by its path; `index.html` is where a reader begins. The suite gives laws their statements, and the
/// inputs of cases where it is the one that was asked. Results come with the files that they are kept in.
///
/// # Errors
/// There is no result, or one that cannot be shown.
pub fn site(kept: &BTreeMap<PathBuf, Kept>, suite: &Suite) -> Result<Files, GalleryError> {
    let entries = read(kept)?;
    let pages = Pages::new()?;
    let mut files = Files::default();
    let index = index::Index::of(&entries, suite);
    files.generated("index.html", pages.page("index.html", "", "Assize gallery", &index)?);
    for law in index.laws() {
        let page = law::Page::of(law, &entries, suite);
        files.generated(law::path(law), pages.page("law.html", "../../", &format!("{law} - Assize gallery"), &page)?);
    }
    for entry in &entries {
        let title = format!("{}: {} - Assize gallery", entry.label(), entry.word());
        let page = implementation::Page::of(entry, &entries, suite);
        files.generated(entry.page(), pages.page("implementation.html", "../", &title, &page)?);
        files.generated(entry.badge(), entry.drawing().into_bytes());
        let mut result =
            serde_json::to_vec_pretty(entry.kept).map_err(|error| GalleryError::Written(error.to_string()))?;
        result.push(b'\n');
        files.generated(entry.result(), result);
    }
    Ok(files)
}

/// The results with their reports, in the order of the pages; each has a page of its own.
fn read(kept: &BTreeMap<PathBuf, Kept>) -> Result<Vec<Entry<'_>>, GalleryError> {
    if kept.is_empty() {
        return Err(GalleryError::Empty);
    }
    let mut entries = kept.iter().map(|(file, kept)| Entry::read(file, kept)).collect::<Result<Vec<_>, _>>()?;
    entries.sort_by(Entry::order);
    let mut pages: BTreeMap<String, &Path> = BTreeMap::new();
    for entry in &entries {
        let page = entry.page();
        // Two names that differ in capitals alone are one file on some disks.
        if let Some(first) = pages.insert(page.to_ascii_lowercase(), entry.file) {
            return Err(GalleryError::Page { first: first.to_owned(), second: entry.file.to_owned(), page });
        }
    }
    Ok(entries)
}

/// What all pages are rendered by.
struct Pages {
    environment: Environment<'static>,
    style: String,
    script: String,
    policy: String,
}

impl Pages {
    fn new() -> Result<Self, GalleryError> {
        let mut environment = html::environment()?;
        for (name, template) in
            [("gallery.html", FRAME), ("index.html", INDEX), ("implementation.html", IMPLEMENTATION), ("law.html", LAW)]
        {
            environment.add_template(name, template)?;
        }
        let (style, script) = (format!("{}{STYLE}", html::STYLE), format!("{}{SCRIPT}", html::SCRIPT));
        let policy = policy(&style, &script);
        Ok(Self { environment, style, script, policy })
    }

    /// A page; `root` leads from it to the folder of the index.
    fn page(&self, name: &str, root: &str, title: &str, page: &impl Serialize) -> Result<Vec<u8>, GalleryError> {
        let text = self.environment.get_template(name)?.render(context! {
            page => Value::from(Serde(page)),
            root,
            title => crate::clean::clean(title),
            policy => self.policy.as_str(),
            style => Value::from_safe_string(self.style.clone()),
            script => Value::from_safe_string(self.script.clone()),
        })?;
        Ok(text.into_bytes())
    }
}
