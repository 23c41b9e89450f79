//! Operations as a document gives them, and what each of them answers.
//!
//! Spec: `contracts/interface/operations`, `kernel.scenario`; rulings KE-32 to KE-57. Every operation is read
//! before the first one runs, so that a scenario outside of the domain writes nothing. Tokens are another matter: a
//! stem, run or turn that is refused makes its step fail (KE-33).

mod damage;
mod operation;

use super::index::Index;
use crate::canon::compose;
use crate::files::HomeFiles;
use crate::json::{Elements, JsonErrorKind, JsonPointer};

use crate::kernel::laws::path_safety::Tokens;
use crate::kernel::laws::staging::Triplet;
use crate::kernel::model::home::{HomeFailure, Stop};
use crate::kernel::model::issue::{Issue, Issues, Outcome};
use crate::kernel::model::layout::Tree;
use crate::kernel::model::member::{self, Misfit};
use crate::kernel::model::record::{RefRecord, Source, TripletRecord, hex};
use crate::kernel::model::token::{Stem, Turn};
use crate::rejection::Rejection;
use damage::{make_dir, remove_path, write_file};
pub use operation::scenario_operations;
use operation::{Operation, Scope, Token};

/// A list of operations that can run: each was read, and is read again when it runs, since all of them together would take
/// more room than their text.
#[derive(Debug)]
pub struct Scenario<'t> {
    operations: Elements<'t>,
}

/// What became of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The operation's name.
    pub op: &'static str,
    /// Whether it went through; none for damage and crashes.
    pub outcome: Option<Outcome>,
    /// What it said.
    pub issues: Issues,
    /// What it answers beside these two, each as canonical JSON.
    pub members: Vec<(&'static str, Vec<u8>)>,
}

/// What became of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// What the home holds in the end, as a canonical document.
    pub view: Vec<u8>,
}

impl<'t> Scenario<'t> {
    /// Reads an array of operations: the elements of a document, or none if it is no array.
    ///
    /// # Errors
    /// If a member name is repeated anywhere. If it is no such array: an operation that nobody knows, a member that is
    /// missing or of another type, a path that leads out of the home. Members that nobody knows are passed over.
    pub fn read(operations: Option<Elements<'t>>) -> Result<Self, Rejection> {
        let operations = operations.ok_or_else(|| Misfit::new(JsonPointer::root(), "an array of operations is due"))?;
        let mut refused = None;
        // Of repeated names the last is told, of operations that cannot be read the first.
        for (index, document) in operations.documents().enumerate().rev() {
            member::unrepeated(document.root())
                .map_err(|value| operations.objection(JsonErrorKind::RepeatedName, index, value.span().0))?;
            refused = Operation::read(document.root(), JsonPointer::root().index(index)).err().or(refused);
        }
        refused.map_or(Ok(Self { operations }), Err)
    }

    /// Runs the operations against a home, one after the other.
    ///
    /// # Errors
    /// If the home does not do what it is asked.
    pub fn run(self, home: &mut dyn HomeFiles) -> Result<Report, HomeFailure> {
        let mut steps = Vec::with_capacity(self.operations.len());
        let mut index = self.run_each(home, |step| steps.push(step))?;
        Ok(Report { steps, view: index.view()? })
    }

    /// The same, with each step handed over as soon as it is done; gives the index, of which the view can be had. The text of
    /// operations that were done goes, if it is held here.
    ///
    /// # Errors
    /// If the home does not do what it is asked.
    pub fn run_each<'h>(
        self,
        home: &'h mut dyn HomeFiles,
        mut done: impl FnMut(Step),
    ) -> Result<Index<'h>, HomeFailure> {
        let mut index = Index::new(home);
        let (mut stopped, mut place) = (false, 0..);
        self.operations.consume(|document| {
            // Each of them was read before.
            let at = JsonPointer::root().index(place.next().unwrap_or_default());
            let Ok((op, operation)) = Operation::read(document.root(), at) else { return Ok(()) };
            // Damage is done to what is there, but a kernel that was stopped comes back before anything else happens.
            if stopped {
                index.recover()?;
            }
            stopped = matches!(operation, Operation::Crash { .. });
            let (outcome, issues, members) = operation.run(&mut index)?;
            done(Step { op, outcome, issues, members });
            Ok(())
        })?;
        Ok(index)
    }
}

impl Step {
    /// The step's result as a canonical document.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let outcome = self.outcome.map_or_else(|| b"null".to_vec(), |outcome| compose::string(outcome.name()));
        let issues = compose::array(self.issues.as_slice().iter().map(Issue::canonical));
        let mut members = vec![("outcome", outcome), ("issues", issues)];
        members.extend(self.members.iter().cloned());
        compose::object(&members)
    }
}

type Answer = (Option<Outcome>, Issues, Vec<(&'static str, Vec<u8>)>);

impl Operation<'_> {
    fn run(&self, index: &mut Index<'_>) -> Result<Answer, HomeFailure> {
        match self {
            Self::StageTriplet { run, turn, stem, body, links, manifest } => {
                let staged = turn_and_stem(run, turn, stem).and_then(|(turn, stem)| {
                    let triplet = Triplet::new(stem, body.raw(), links.raw(), manifest.raw())?;
                    index.stage_triplet(&turn, &triplet)
                });
                answer(staged, Issues::default(), |record| vec![("digests", or_null(record, digests))])
            }
            Self::StageDeletions { run, turn, stems } => {
                let mut tokens = Tokens::default();
                let turn = tokens.turn(run, turn);
                let stems: Vec<_> = stems.iter().filter_map(|stem| tokens.stem(stem)).collect();
                let staged = tokens.accepted(turn).and_then(|turn| index.stage_deletions(&turn, &stems));
                answer(staged, Issues::default(), |_| Vec::new())
            }
            Self::ValidateLinks { run, turn, stem } => {
                let found = turn_and_stem(run, turn, stem).and_then(|(turn, stem)| index.validate_links(&turn, &stem));
                let issues = found.as_ref().ok().cloned().unwrap_or_default();
                answer(found, issues, |_| Vec::new())
            }
            Self::Promote { run, turn } => {
                let promoted = one_turn(run, turn).and_then(|turn| index.promote(&turn));
                let issues = promoted.as_ref().map(|promoted| promoted.issues.clone()).unwrap_or_default();
                answer(promoted, issues, |promoted| {
                    vec![("promoted_stems", texts(promoted.map(|promoted| promoted.stems).iter().flatten()))]
                })
            }
            Self::FinishRun { run, ending } => {
                let mut tokens = Tokens::default();
                let run = tokens.run(run);
                let finished = tokens.accepted(run).and_then(|run| Ok(index.finish_run(&run, *ending)?));
                let issues = finished.as_ref().map(|summary| summary.issues.clone()).unwrap_or_default();
                let outcome = finished.as_ref().ok().map(|summary| summary.outcome);
                let (judged, issues, members) = answer(finished, issues, |summary| {
                    let summary = summary.as_ref();
                    vec![
                        ("promoted_turns", texts(summary.map(|summary| &summary.turns).into_iter().flatten())),
                        ("promoted_stems", texts(summary.map(|summary| &summary.stems).into_iter().flatten())),
                    ]
                })?;
                Ok((outcome.or(judged), issues, members))
            }
            Self::StartRun { request } => answer(index.start_run(*request), Issues::default(), |envelope| {
                vec![("run_envelope", or_null(envelope, |envelope| envelope))]
            }),
            Self::ExecuteTurn { request } => {
                let result = index.execute_turn(*request)?;
                let members = vec![("turn_result", result.canonical())];
                Ok((Some(result.outcome()), result.issues, members))
            }
            Self::AuthorizeToolCall(made) => {
                let issues = made.issue().map(Issues::from).unwrap_or_default();
                Ok((Some(made.outcome()), issues, vec![("decision", made.record.clone())]))
            }
            Self::CompareRuns(compared) => {
                Ok((Some(compared.outcome()), compared.issues.clone(), vec![("report", compared.report())]))
            }
            Self::ReplayRun { descriptor } => {
                let replay = index.replay_run(*descriptor)?;
                let members = vec![("report", or_null(replay.report, |report| report))];
                Ok((Some(replay.issues.outcome()), replay.issues, members))
            }
            Self::WriteTraceArtifacts { run, bundle } => {
                let mut tokens = Tokens::default();
                let run = tokens.run(run);
                let written = tokens.accepted(run).and_then(|run| index.write_trace_artifacts(&run, *bundle));
                answer(written, Issues::default(), |artifacts| {
                    vec![("artifacts", or_null(artifacts, |artifacts| artifacts.rows()))]
                })
            }
            Self::EmitEvent(emitted) => answer(emitted.clone().map_err(Stop::Refused), Issues::default(), |line| {
                vec![("line", or_null(line, |line| compose::string(&line)))]
            }),
            Self::ValidateTriplet(issues) => Ok((Some(issues.outcome()), issues.clone(), Vec::new())),
            Self::ResolveCapability(resolved) => {
                let issues = resolved.as_ref().map(|plan| plan.issues.clone()).unwrap_or_default();
                answer(resolved.clone().map_err(Stop::Refused), issues, |plan| {
                    vec![("capability_plan", or_null(plan, |plan| plan.canonical))]
                })
            }
            Self::ReadTriplet { scope, stem } => {
                let mut tokens = Tokens::default();
                let (tree, stem) = (scope.tree(&mut tokens), tokens.stem(stem));
                let found = tokens.accepted(tree.zip(stem)).and_then(|(tree, stem)| index.read_triplet(&tree, &stem));
                answer(found, Issues::default(), |record| {
                    vec![("record", or_null(record.flatten(), |record| record.canonical()))]
                })
            }
            Self::ReadReferences { scope, kind, id } => {
                let mut tokens = Tokens::default();
                let tree = scope.tree(&mut tokens);
                let found = tokens.accepted(tree).and_then(|tree| index.read_references(&tree, kind, id));
                answer(found, Issues::default(), |record| vec![("sources", or_null(record.flatten(), sources))])
            }
            Self::WriteFile { path, text } => write_file(index.as_it_is(), path, text).map(|()| silent()),
            Self::MakeDir { path } => make_dir(index.as_it_is(), path).map(|()| silent()),
            Self::RemovePath { path } => remove_path(index.as_it_is(), path).map(|()| silent()),
            Self::Crash { run, turn, at } => match one_turn(run, turn) {
                Ok(turn) => index.crash(&turn, *at).map(|()| silent()),
                Err(_) => {
                    index.forget();
                    Ok(silent())
                }
            },
        }
    }
}

impl Scope<'_> {
    fn tree(&self, tokens: &mut Tokens) -> Option<Tree> {
        match self {
            Self::Committed => Some(Tree::committed()),
            Self::Staging { run, turn } => tokens.turn(run, turn).map(|turn| Tree::staged(&turn)),
        }
    }
}

fn one_turn(run: &Token<'_>, turn: &Token<'_>) -> Result<Turn, Stop> {
    let mut tokens = Tokens::default();
    let turn = tokens.turn(run, turn);
    tokens.accepted(turn)
}

fn turn_and_stem(run: &Token<'_>, turn: &Token<'_>, stem: &Token<'_>) -> Result<(Turn, Stem), Stop> {
    let mut tokens = Tokens::default();
    let (turn, stem) = (tokens.turn(run, turn), tokens.stem(stem));
    tokens.accepted(turn.zip(stem))
}

/// The answer of an operation that was done, with these issues, or was refused; its members are due either way.
fn answer<T>(
    done: Result<T, Stop>,
    issues: Issues,
    members: impl FnOnce(Option<T>) -> Vec<(&'static str, Vec<u8>)>,
) -> Result<Answer, HomeFailure> {
    match done {
        Ok(done) => Ok((Some(issues.outcome()), issues, members(Some(done)))),
        Err(Stop::Refused(refused)) => Ok((Some(Outcome::Fail), refused, members(None))),
        Err(Stop::Home(failure)) => Err(failure),
    }
}

/// What is answered to damage and crashes.
fn silent() -> Answer {
    (None, Issues::default(), Vec::new())
}

fn or_null<T>(value: Option<T>, written: impl FnOnce(T) -> Vec<u8>) -> Vec<u8> {
    value.map_or_else(|| b"null".to_vec(), written)
}

fn digests(record: TripletRecord) -> Vec<u8> {
    compose::object(&record.digests().map(|(name, digest)| (name, hex(digest))))
}

fn sources(record: RefRecord) -> Vec<u8> {
    compose::array(record.sources.iter().map(Source::canonical))
}

fn texts(values: impl Iterator<Item = impl ToString>) -> Vec<u8> {
    compose::array(values.map(|value| compose::string(&value.to_string())))
}

// Turn results are held against the contract of the sovereign system.
#[cfg(test)]
#[cfg(feature = "sovereign")]
mod tests;
