//! What is wrong with a server, each thing told once.

use std::collections::{BTreeMap, btree_map::Entry};

use serde::Serialize;

use crate::rules::{Force, Rule};

/// Different findings that are kept; a server that says something else each time fills no memory.
const MOST: usize = 1000;
/// Letters of a message that quotes a server.
const LONGEST: usize = 300;

/// The start of what a server said, as long as a report quotes it.
pub(crate) fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// A breach of a rule or of a reply law, seen once or many times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule, or the law by its name with the system.
    pub rule: String,
    /// How it binds.
    pub force: Force,
    /// Where it is written.
    pub section: String,
    /// The revision that was spoken.
    pub revision: String,
    /// The tool, where one was called or listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What the server was asked when it showed.
    pub asked: String,
    /// Where in the message; the first time.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// How often it was seen.
    pub times: u64,
}

/// What was asked, and of which tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked {
    pub(crate) what: String,
    pub(crate) tool: Option<String>,
}

/// Rule, revision, question and message.
type Key = (String, String, Asked, String);

/// Findings in the order in which they were first seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    kept: Vec<Finding>,
    places: BTreeMap<Key, usize>,
    /// How many were not kept.
    pub(crate) omitted: u64,
    /// Whether what is judged came over HTTP.
    pub(crate) over_http: bool,
}

impl Findings {
    /// A breach of a rule of the table; nothing in a revision in which it does not stand.
    pub(crate) fn breach(&mut self, rule: Rule, revision: &str, asked: &Asked, pointer: &str, message: &str) {
        let rule = if self.over_http { rule.over_http() } else { rule };
        if let Some(row) = rule.row(revision) {
            self.add((row.rule, row.force, row.section), revision, asked, pointer, message);
        }
    }

    /// A finding of any kind: rule or law, its force and where it is written.
    pub(crate) fn add(&mut self, of: (&str, Force, &str), revision: &str, asked: &Asked, pointer: &str, message: &str) {
        let (rule, force, section) = of;
        let message = cut(message);
        let key = (rule.to_owned(), revision.to_owned(), asked.clone(), message.clone());
        match self.places.entry(key) {
            Entry::Occupied(place) => {
                if let Some(known) = self.kept.get_mut(*place.get()) {
                    known.times = known.times.saturating_add(1);
                }
            }
            Entry::Vacant(_) if self.kept.len() >= MOST => self.omitted = self.omitted.saturating_add(1),
            Entry::Vacant(place) => {
                place.insert(self.kept.len());
                self.kept.push(Finding {
                    rule: rule.to_owned(),
                    force,
                    section: section.to_owned(),
                    revision: revision.to_owned(),
                    tool: asked.tool.clone(),
                    asked: asked.what.clone(),
                    pointer: cut(pointer),
                    message,
                    times: 1,
                });
            }
        }
    }

    /// Whether a rule is broken anywhere.
    pub(crate) fn has(&self, rule: Rule) -> bool {
        self.kept.iter().any(|finding| finding.rule == rule.id())
    }

    /// All of them.
    pub(crate) fn into_kept(self) -> Vec<Finding> {
        self.kept
    }
}

impl Asked {
    pub(crate) fn of(what: &str) -> Self {
        Self { what: cut(what), tool: None }
    }

    pub(crate) fn of_tool(what: &str, tool: &str) -> Self {
        Self { what: cut(what), tool: Some(cut(tool)) }
    }
}
