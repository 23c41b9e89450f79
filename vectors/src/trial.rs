//! One case, from file to outcome.
//!
//! What is tried here is one case in one order; ordering, time and processes are the runner's business.

use thiserror::Error;

use crate::{
    agreement::{Judgement, Outcome, Terms, judge},
    disk::{Below, Folder, FolderError},
    observe::observed,
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
    prepare_in(case, &mut None)
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

/// The same, in a folder that is to spare, if there is one.
fn prepare_in(case: &Case, spare: &mut Option<Folder>) -> Result<Prepared, PrepareError> {
    let folder = match (case.wants_root(), spare.take()) {
        (true, Some(folder)) => Some(folder.reuse(&case.files)?),
        (true, None) => Some(Folder::create(&case.files)?),
        (false, kept) => {
            *spare = kept;
            None
        }
    };
    let root = folder.as_ref().map(|folder| folder.path().to_path_buf());
    Ok(Prepared { request: case.request(root), folder })
}

/// Puts a case to a testee and judges the answer, with nothing left out.
pub fn run(case: &Case, testee: &mut dyn Testee) -> Judgement {
    match prepare(case) {
        Ok(prepared) => {
            let answer = observed(&prepared.request, testee.answer(&prepared.request));
            judge(case, &answer, &Terms::default())
        }
        Err(error) => error.judgement(),
    }
}

/// Puts one case after the other, all in one folder: for testees that write nothing.
#[derive(Debug, Default)]
pub struct Series {
    spare: Option<Folder>,
}

impl Series {
    /// Hands a question to `ask`, while its files are there.
    ///
    /// # Errors
    /// The files cannot be laid out here.
    pub fn put<A>(&mut self, case: &Case, ask: impl FnOnce(&Prepared) -> A) -> Result<A, PrepareError> {
        let prepared = prepare_in(case, &mut self.spare)?;
        let answer = ask(&prepared);
        self.spare = prepared.folder.or(self.spare.take());
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::testee::Answer;

    /// Accepts, after it has looked at its folder.
    #[derive(Default)]
    struct Looks {
        seen: Option<PathBuf>,
        files: Vec<String>,
    }

    impl Looks {
        /// The folder of a question and what lies in it.
        fn looked(&mut self, request: &Request) -> (Option<PathBuf>, Vec<String>) {
            self.answer(request);
            (self.seen.take(), std::mem::take(&mut self.files))
        }
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
    fn a_series_is_asked_in_one_folder_and_leaves_none() {
        let (mut series, mut testee) = (Series::default(), Looks::default());
        let mut ask = |op: &str, files: &str| series.put(&case(op, files), |prepared| testee.looked(&prepared.request));
        let (first, _) = ask("sovereign.compare", r#"{"a.json":{"json":1}}"#).unwrap();
        let first = first.unwrap();
        assert_eq!(ask("sovereign.order", "{}").unwrap().0, None);
        let again = ask("sovereign.compare", r#"{"b.json":{"json":1}}"#).unwrap();
        assert_eq!(again, (Some(first.clone()), vec!["b.json".to_owned()]));
        assert!(ask("sovereign.compare", r#"{"../x":{"text":""}}"#).is_err());
        assert!(!first.exists());
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
