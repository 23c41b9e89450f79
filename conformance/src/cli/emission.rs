//! What `emit` and `init` share: the language, the cases, and what is said about a project on disk.

use std::{collections::BTreeMap, path::Path};

use assize::{
    emission::{self, EmissionError},
    expectations::Expectations,
    selection::Selection,
    suite::Suite,
};
use assize_corpus::operation;
use assize_generators::{
    collection::{Collection, Known},
    language::Language,
    plan::PlanError,
    project::{Parameters, ProjectError, Written},
};

use super::{error::CliError, input, output};

/// The language of this name, or of this folder; a name beside a folder must be the one that the folder gives.
pub(crate) fn language(name: Option<&str>, folder: Option<&Path>) -> Result<Language, CliError> {
    let found = match (name, folder) {
        (_, Some(folder)) => Language::folder(folder),
        (Some(name), None) => Language::built_in(name),
        (None, None) => {
            let known = Language::names().join(", ");
            return Err(CliError::usage("no language was named", format!("add --lang with one of {known}")));
        }
    };
    let language = found.map_err(|error| CliError::usage(error, "`assize emit --help` says what a language is"))?;
    match name.filter(|name| !language.answers_to(name)) {
        Some(name) => {
            let message = format!("the folder holds the language {:?} and not {name:?}", language.config.name);
            Err(CliError::usage(message, "correct one of the two"))
        }
        None => Ok(language),
    }
}

/// Names of all operations, in the published order.
pub(crate) fn operations() -> Vec<&'static str> {
    operation::table().operations.iter().map(|operation| operation.name.as_str()).collect()
}

/// The suite below a folder, or the one that was built in.
pub(crate) fn suite(corpus: Option<&Path>) -> Result<Suite, CliError> {
    let store = input::corpus(corpus)?;
    Suite::load(&store).map_err(|error| CliError::unreadable(error, "restore the corpus"))
}

/// The known failures of an expectations file.
pub(crate) fn known(suite: &Suite, path: &Path) -> Result<BTreeMap<String, Known>, CliError> {
    let bytes = input::read(path)?;
    let expectations = Expectations::parse(&path.display().to_string(), &bytes)?;
    emission::known(suite, &expectations).map_err(failed)
}

/// The cases that an emission is made of.
pub(crate) fn collect(suite: &Suite, parameters: &Parameters) -> Result<Collection, CliError> {
    let selection = Selection {
        filters: parameters.laws.clone(),
        systems: parameters.systems.clone(),
        modes: parameters.modes.clone(),
        ..Selection::default()
    };
    let (operations, known) = (&parameters.operations, parameters.known.clone());
    let collection = emission::collect(suite, &selection, operations, known).map_err(failed)?;
    if collection.total() == 0 {
        return Err(CliError::unreadable("the selection takes no case", "`assize laws` lists what there is"));
    }
    Ok(collection)
}

fn failed(error: EmissionError) -> CliError {
    match error {
        EmissionError::Expectations(error) => error.into(),
        error => CliError::unreadable(error, "`assize vectors check` lists all that is wrong with a corpus"),
    }
}

/// A plan that could not be made.
pub(crate) fn unplanned(error: PlanError) -> CliError {
    match error {
        PlanError::Package { .. } => CliError::usage(error, "see --package"),
        PlanError::NoVerifier { .. } => CliError::usage(error, "name another language"),
        error => CliError::unreadable(error, "a language that ships and fails so is a bug of assize: report it"),
    }
}

/// A project that could not be read or written.
pub(crate) fn unwritten(folder: &Path, error: ProjectError) -> CliError {
    let help = match &error {
        ProjectError::Foreign { .. } => "move them away or name another folder; nothing was written",
        ProjectError::Edited { .. } => {
            "keep changes in files of your own; delete a generated file to have it written anew; nothing was written"
        }
        ProjectError::Emitted => "bring it up to date with `assize emit --update`, or name another folder",
        ProjectError::Absent => "emit into it first, without --check or --update",
        ProjectError::Manifest(_) => "restore the file, or emit into an empty folder",
        _ => "check that the folder exists and may be read and written",
    };
    CliError::unreadable(format!("{}: {error}", folder.display()), help)
}

/// What a write did, in a sentence.
pub(crate) fn summary(written: &Written) -> String {
    let mut text = output::counted(written.written, "file written", "files written");
    if written.same > 0 {
        text.push_str(&format!(", {} as they were", written.same));
    }
    if !written.removed.is_empty() {
        text.push_str(&format!(", {} removed", written.removed.len()));
    }
    if !written.kept.is_empty() {
        text.push_str(&format!(", {} of yours kept", written.kept.len()));
    }
    text
}
