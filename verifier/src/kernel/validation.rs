//! A triplet as a step of its own: the five stages, and then whether every value has a canonical form.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.3, `validate_triplet`; rulings KE-33, KE-34, KE-55. What one of them
//! finds keeps none of the others from being told. Nothing is written.

use super::laws::canonical_form::without_form;
use super::laws::path_safety::Tokens;
use super::laws::stage_pipeline::{Candidate, validate_triplet};
use super::model::home::Stop;
use super::model::issue::Issues;
use super::model::member::{Misfit, Object};
use crate::json::{JsonPointer, NodeRef};

/// Everything that is to be said of the triplet of a step.
///
/// # Errors
/// If the stem is not a string, which no step judges.
pub(crate) fn validate(step: &Object<'_>) -> Result<Issues, Misfit> {
    let mut tokens = Tokens::default();
    let stem = match step.get("stem") {
        Some(_) => tokens.stem(&step.string("stem")?).map(|stem| stem.to_string()),
        // No stem names no type.
        None => Some(String::new()),
    };
    let stem = match tokens.accepted(stem) {
        Ok(stem) => stem,
        Err(Stop::Refused(refused)) => return Ok(refused),
        // Tokens are read without a home.
        Err(Stop::Home(_)) => String::new(),
    };
    let raw = |name| step.get(name).map(NodeRef::raw);
    let candidate = Candidate {
        stem: &stem,
        // What is missing is not an object either.
        body: raw("body").unwrap_or(b"null"),
        links: raw("links").unwrap_or(b"null"),
        manifest: raw("manifest").unwrap_or(b"{}"),
    };
    let mut issues = validate_triplet(&candidate).as_slice().to_vec();
    for name in ["body", "links", "manifest"] {
        if let Some(value) = step.get(name) {
            issues.extend(without_form(value, JsonPointer::root().member(name)));
        }
    }
    Ok(Issues::sorted(issues))
}
