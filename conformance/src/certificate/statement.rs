//! The in-toto statement around a claim.
//!
//! Spec: in-toto Attestation Framework, Statement v1 and test-result predicate v0.1. Everything in it but [`Claim`] follows
//! from the claim, so a statement that says one thing to a reader of in-toto and another to us is refused.

use std::collections::BTreeMap;

use assize_corpus::node::Node;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    claim::{CONTRACT, Claim, LawClaim},
    contradiction::{self, Contradiction},
    difference::{Difference, differences},
    shape::{Contract, ShapeError},
};
use crate::report::{LevelState, RunGrade};

/// Type of a statement.
pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

/// Type of a predicate.
pub const PREDICATE_TYPE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// Type of a statement.
    #[serde(rename = "_type")]
    pub kind: String,
    /// The files that ran.
    pub subject: Vec<Resource>,
    /// Type of a predicate.
    pub predicate_type: String,
    /// What is said about them.
    pub predicate: Predicate,
}

/// What is said about the subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Predicate {
    /// In one word.
    pub result: TestResult,
    /// What the run was made from.
    pub configuration: Vec<Resource>,
    /// Held levels, as `level/<name>`, and laws of which every case of the suite passed.
    pub passed_tests: Vec<String>,
    /// Laws with failures: against a ruling, or named by the expectations file.
    pub warned_tests: Vec<String>,
    /// Always empty: a run with other failures is not certified.
    pub failed_tests: Vec<String>,
    /// Everything else.
    pub assize: Claim,
}

/// The result in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TestResult {
    /// Everything that was asked conforms strictly.
    Passed,
    /// There were failures against rulings, or failures that the expectations file names, or rulings were left out.
    Warned,
}

impl TestResult {
    /// The name in statements.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "PASSED",
            Self::Warned => "WARNED",
        }
    }
}

/// A name and a digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// The name.
    pub name: String,
    /// Its digest.
    pub digest: DigestSet,
}

/// The one digest that is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestSet {
    /// SHA-256 in lower-case hexadecimal digits.
    pub sha256: String,
}

/// A text that is not the statement of a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StatementError {
    /// A statement of another kind.
    #[error("{pointer} is {found}, not {wanted:?}")]
    Kind {
        /// Where that is said.
        pointer: &'static str,
        /// What it says.
        found: String,
        /// What it should say.
        wanted: &'static str,
    },
    /// Another shape than the contract's.
    #[error("the statement: {0}")]
    Shape(#[from] serde_json::Error),
    /// A member breaks the schema.
    #[error("the statement, {0}")]
    Member(ShapeError),
    /// It cannot be true.
    #[error("the statement cannot be true: {0}")]
    Contradiction(#[from] Contradiction),
}

impl StatementError {
    /// Whether it is a statement, and cannot be true.
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        matches!(self, Self::Contradiction(_))
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Kind { pointer: "/predicate/assize/contract", .. } => {
                "use the version of assize that this contract belongs to"
            }
            Self::Kind { .. } => {
                "name a statement that `assize certify` wrote, or a certificate that `assize sign` made of one"
            }
            _ => "the signer signed something that assize does not write: ask the signer",
        }
    }
}

impl Statement {
    /// The statement that a claim makes.
    #[must_use]
    pub fn around(claim: Claim) -> Self {
        let resource = |name: &str, sha256: &str| Resource {
            name: name.to_owned(),
            digest: DigestSet { sha256: sha256.to_owned() },
        };
        let mut configuration = vec![
            resource("corpus", &claim.suite.sha256),
            resource("laws", &claim.suite.laws_sha256),
            resource("operations", &claim.suite.operations_sha256),
            resource("harness", &claim.harness.sha256),
        ];
        configuration.extend(claim.expectations.iter().map(|file| resource("expectations", &file.sha256)));
        let laws =
            |holds: fn(&LawClaim) -> bool| claim.laws.iter().filter(move |law| holds(law)).map(|law| law.slug.clone());
        // A reader who knows in-toto alone must not take a part for the whole.
        let whole = |law: &LawClaim| law.counts.pass > 0 && law.counts.pass == law.in_suite;
        let held = claim.levels_in(LevelState::Held).map(|level| format!("level/{}", level.name));
        let (passed_tests, warned_tests) =
            (held.chain(laws(whole)).collect(), laws(|law| law.counts.fail > 0).collect());
        Self {
            kind: STATEMENT_TYPE.to_owned(),
            subject: subject(&claim),
            predicate_type: PREDICATE_TYPE.to_owned(),
            predicate: Predicate {
                result: if claim.grade == RunGrade::ConformsStrictly { TestResult::Passed } else { TestResult::Warned },
                configuration,
                passed_tests,
                warned_tests,
                failed_tests: Vec::new(),
                assize: claim,
            },
        }
    }

    /// As a node.
    ///
    /// # Errors
    /// None is known.
    pub(super) fn node(&self) -> Result<Node, StatementError> {
        let text = serde_json::to_string(self)?;
        Node::parse(&text).map_err(|error| StatementError::Member(error.into()))
    }

    /// Reads a statement. Whether a signature over it holds is another question.
    ///
    /// # Errors
    /// It is not a certificate of a version that is known here, or cannot be true.
    pub fn parse(payload: &[u8]) -> Result<Self, StatementError> {
        let (text, node) = Contract::read(payload).map_err(StatementError::Member)?;
        let kinds: [(&'static str, &[&str], &'static str); 3] = [
            ("/_type", &["_type"], STATEMENT_TYPE),
            ("/predicateType", &["predicateType"], PREDICATE_TYPE),
            ("/predicate/assize/contract", &["predicate", "assize", "contract"], CONTRACT),
        ];
        for (pointer, path, wanted) in kinds {
            let member = path.iter().try_fold(&node, |node, name| node.member(name));
            if member.and_then(Node::text) != Some(wanted) {
                let found = member.map_or("not there".to_owned(), Node::canonical);
                return Err(StatementError::Kind { pointer, found, wanted });
            }
        }
        Contract::Certificate.judge(text).map_err(StatementError::Member)?;
        let statement: Self = serde_json::from_str(text)?;
        contradiction::check(&statement.predicate.assize)?;
        // What in-toto may add is not looked at; what it does not know has one spelling.
        let written = Self::around(statement.predicate.assize.clone());
        let added =
            |difference: &Difference| difference.surplus && !difference.member.starts_with("/predicate/assize/");
        let found = differences(&node, &written.node()?);
        match found.iter().find(|difference| !added(difference)) {
            None => Ok(statement),
            Some(difference) => Err(Contradiction {
                member: difference.member.clone(),
                why: format!("it does not follow from {}: {}", source(&difference.member), difference.message),
            }
            .into()),
        }
    }
}

/// What a member that in-toto sees follows from.
fn source(member: &str) -> &'static str {
    match member.split('/').nth(2) {
        _ if member.starts_with("/subject") => {
            "command.files (argument, name, sha256), command.subject.sha256 and command.runtime.sha256, or harness.sha256"
        }
        Some("result") => "grade",
        Some("configuration") => {
            "suite (sha256, laws_sha256, operations_sha256), harness.sha256 and expectations.sha256"
        }
        Some("passedTests") => "levels (name, state) and laws (slug, counts, in_suite)",
        Some("warnedTests") => "laws (slug, counts.fail)",
        _ => "the claim",
    }
}

/// The files that ran: each content once, under a name that no other has.
fn subject(claim: &Claim) -> Vec<Resource> {
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    let built_in = ("assize".to_owned(), &claim.harness.sha256);
    let files = claim.command.iter().flat_map(|command| &command.files);
    let mut subject: Vec<Resource> = Vec::new();
    let mut add = |name: String, sha256: &String| {
        subject.push(Resource { name, digest: DigestSet { sha256: sha256.clone() } });
    };
    if claim.command.is_none() {
        add(built_in.0, built_in.1);
    }
    for file in files {
        let name = match names.get(&file.name) {
            None => file.name.clone(),
            Some(sha256) if *sha256 == file.sha256 => continue,
            Some(_) => format!("{} (argument {})", file.name, file.argument),
        };
        names.insert(name.clone(), &file.sha256);
        add(name, &file.sha256);
    }
    // No file has these names.
    if let Some(command) = &claim.command {
        let subject = command.subject.iter().map(|subject| ("subject/", &subject.sha256));
        let runtime = command.runtime.iter().filter_map(|runtime| Some(("runtime/", runtime.sha256.as_ref()?)));
        for (name, sha256) in subject.chain(runtime) {
            add(name.to_owned(), sha256);
        }
    }
    subject
}
