//! One case, from file to outcome.
//!
//! What is tried here is one case in one order; ordering, time and processes are the runner's business.

use assize_verifier::operation::NoFiles;
use thiserror::Error;

use crate::{
    agreement::{Judgement, Outcome, Terms, judge},
    disk::{Below, CaseRoot, Folder, FolderError},
    handler::answer_with,
    held::Held,
    observe::observed_with,
    testee::{Answer, Request},
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
    let folder = case.wants_root().then(|| Folder::create(&case.files)).transpose()?;
    let root = folder.as_ref().map(|folder| folder.path().to_path_buf());
    Ok(Prepared { request: case.request(root), folder })
}

/// The same, with the files below a folder that the testee may see at another path.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_below(case: &Case, below: Option<&Below>) -> Result<Prepared, PrepareError> {
    let Some(below) = below.filter(|_| case.wants_root()) else { return prepare(case) };
    let folder = Folder::create_below(&case.files, below)?;
    Ok(Prepared { request: case.request(Some(folder.path().to_path_buf())), folder: Some(folder) })
}

/// Puts a case to the verifier and judges the answer, with nothing left out.
#[must_use]
pub fn verify(case: &Case) -> Judgement {
    match Posed::new(case).and_then(Posed::answered) {
        Ok(answer) => judge(case, &answer, &Terms::default()),
        Err(error) => error.judgement(),
    }
}

/// A question to the verifier. It is called, so that files need no folder where memory holds them.
#[derive(Debug)]
pub struct Posed<'c> {
    request: Request,
    files: Files<'c>,
}

/// Where the files of a question to the verifier are.
#[derive(Debug)]
enum Files<'c> {
    None,
    Held(Held<'c>),
    Laid(Folder),
}

impl<'c> Posed<'c> {
    /// Turns a case into a question.
    ///
    /// # Errors
    /// The files can neither be held nor laid out.
    pub fn new(case: &'c Case) -> Result<Self, PrepareError> {
        let files = match case.wants_root().then(|| Held::new(&case.files)).transpose()? {
            None => Files::None,
            Some(Some(held)) => Files::Held(held),
            Some(None) => Files::Laid(Folder::create(&case.files)?),
        };
        Ok(Self { request: case.request(None), files })
    }

    /// The question.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What the verifier answers.
    #[must_use]
    pub fn answer(&mut self) -> Answer {
        match &mut self.files {
            Files::None => answer_with(&self.request, &mut NoFiles),
            Files::Held(held) => answer_with(&self.request, held),
            Files::Laid(folder) => answer_with(&self.request, &mut CaseRoot::new(folder.here())),
        }
    }

    /// An answer with what is observed of it, once nothing more is asked.
    ///
    /// # Errors
    /// Its files had to be laid out for it, and could not be.
    pub fn observed(self, answer: Answer) -> Result<Answer, PrepareError> {
        let answer = match &self.files {
            Files::None => observed_with(&self.request, &NoFiles, answer),
            Files::Held(held) => observed_with(&self.request, held, answer),
            Files::Laid(folder) => observed_with(&self.request, &CaseRoot::new(folder.here()), answer),
        };
        let fault = if let Files::Held(held) = self.files { held.fault() } else { None };
        fault.map_or(Ok(answer), |fault| Err(fault.into()))
    }

    fn answered(mut self) -> Result<Answer, PrepareError> {
        let answer = self.answer();
        self.observed(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::{observe::observed, testee::Testee};

    /// Accepts, after it has looked at its folder.
    #[derive(Default)]
    struct Looks {
        seen: Option<PathBuf>,
        files: Vec<String>,
    }

    impl Testee for Looks {
        fn answer(&mut self, request: &Request) -> Answer {
            self.seen.clone_from(&request.root);
            if let Some(root) = &request.root {
                let names = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name());
                self.files = names.map(|name| name.into_string().unwrap()).collect();
            }
            Answer::accept::<String>([])
        }
    }

    fn case(op: &str, files: &str) -> Case {
        let text = format!(
            r#"{{"id":"a/b/c","op":"{op}","spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r","provenance":"hand",
                "files":{files},"expect":{{"is":"accept"}},"agreement":"verdict"}}"#
        );
        Case::parse("c.json", text.as_bytes()).unwrap()
    }

    /// Puts a case to a testee and judges the answer, with nothing left out.
    fn run(case: &Case, testee: &mut dyn Testee) -> Judgement {
        match prepare(case) {
            Ok(prepared) => {
                let answer = observed(&prepared.request, testee.answer(&prepared.request));
                judge(case, &answer, &Terms::default())
            }
            Err(error) => error.judgement(),
        }
    }

    #[test]
    fn a_folder_is_there_for_the_question_and_gone_after_it() {
        let mut testee = Looks::default();
        let judgement = run(&case("sovereign.compare", r#"{"a.json":{"json":{"a": 1}}}"#), &mut testee);
        assert_eq!((judgement.outcome, testee.files.as_slice()), (Outcome::Pass, &["a.json".to_owned()][..]));
        assert!(!testee.seen.unwrap().exists());
    }

    #[test]
    fn an_operation_that_reads_files_always_gets_a_folder() {
        let mut testee = Looks::default();
        run(&case("sovereign.select_path", "{}"), &mut testee);
        assert!(testee.seen.is_some() && testee.files.is_empty());
        run(&case("sovereign.order", "{}"), &mut testee);
        assert_eq!(testee.seen, None);
    }

    #[test]
    fn what_cannot_be_laid_out_is_not_run() {
        let mut testee = Looks::default();
        let outside = run(&case("sovereign.compare", r#"{"../x":{"text":""}}"#), &mut testee);
        assert_eq!(outside.outcome, Outcome::NotRun);
        assert!(outside.note.is_some_and(|note| note.contains("leads upwards")));
        let unreadable = run(&case("sovereign.compare", r#"{"x":{"kind":"unreadable","text":""}}"#), &mut testee);
        assert!(matches!(unreadable.outcome, Outcome::Pass | Outcome::NotApplicable));
    }
}
