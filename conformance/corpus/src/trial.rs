//! One case, from file to outcome.
//!
//! Design: section 2 (life of a vector). What is tried here is one case in one order; ordering, time and processes are
//! the runner's business.

use thiserror::Error;

use crate::{
    agreement::{Judgement, Outcome, judge},
    disk::{Folder, FolderError},
    testee::{Request, Testee},
    vector::Case,
};

/// A question, and the folder that lives as long as it.
#[derive(Debug)]
pub struct Prepared {
    /// The question.
    pub request: Request,
    /// The folder of its files, if it is asked with one.
    pub folder: Option<Folder>,
}

/// Why a case cannot be put.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct PrepareError(#[from] FolderError);

impl PrepareError {
    /// The outcome that this gives the case.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        let outcome = match self.0 {
            FolderError::Unavailable { .. } => Outcome::NotApplicable,
            _ => Outcome::NotRun,
        };
        Judgement::noted(outcome, self.to_string())
    }
}

/// Turns a case into a question, with its files on disk.
///
/// # Errors
/// The files cannot be laid out here.
pub fn prepare(case: &Case) -> Result<Prepared, PrepareError> {
    let folder = if case.wants_root() {
        Some(Folder::create(&case.files)?)
    } else {
        None
    };
    let root = folder.as_ref().map(|folder| folder.path().to_path_buf());
    Ok(Prepared {
        request: case.request(root),
        folder,
    })
}

/// Puts a case to a testee and judges the answer.
pub fn run(case: &Case, testee: &mut dyn Testee) -> Judgement {
    match prepare(case) {
        Ok(prepared) => judge(case, &testee.answer(&prepared.request)),
        Err(error) => error.judgement(),
    }
}
