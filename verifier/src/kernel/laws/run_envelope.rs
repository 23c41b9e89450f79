//! kernel/run-envelope: a run begins with an envelope of its own, and changes nothing.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1, `start_run`; rulings KE-33, KE-52. The layout has no place for a run
//! that was started and has staged nothing: it is known as long as the process goes on.

use crate::canon::compose;
use crate::files::HomeReader;
use crate::json::{JsonPointer, NodeRef};
use crate::kernel::laws::path_safety::{refusal, run_folder};
use crate::kernel::model::executed::Executed;
use crate::kernel::model::home::{HomeFailure, Stop, kind};
use crate::kernel::model::issue::{CONTRACT, Issues};
use crate::kernel::model::layout::Tree;
use crate::kernel::model::ledger::Ledger;
use crate::kernel::model::token::RunId;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/run-envelope");

/// What the text of a member has to be.
type Fits = fn(&str) -> bool;

/// What a request may say.
const MEMBERS: [(&str, Fits); 7] = [
    ("contract_version", |version| version == CONTRACT),
    ("workflow_id", |id| !id.is_empty()),
    ("run_id", |id| RunId::parse(id).is_some()),
    ("policy_profile_ref", |_| true),
    ("model_profile_ref", |_| true),
    ("visibility_mode", |mode| matches!(mode, LOCAL_ONLY | "local_offline")),
    ("snapshot_semantics", |semantics| matches!(semantics, "none" | "turn_scoped" | "run_scoped")),
];

/// What it has to say.
const OWED: [&str; 2] = ["contract_version", "workflow_id"];

/// The visibility of a run whose request names none.
const LOCAL_ONLY: &str = "local_only";

/// Starts a run, unless there is one of its name. Gives the envelope, canonical.
pub(crate) fn start_run(home: &dyn HomeReader, request: NodeRef<'_>, executed: &mut Executed) -> Result<Vec<u8>, Stop> {
    let wrong = misfits(request);
    if !wrong.is_empty() {
        return Err(Stop::Refused(Issues::sorted(wrong.into_iter().map(refusal).collect())));
    }
    let runs = Runs { home, ledger: ledger(home)?, executed };
    let run = match text(request, "run_id").as_deref().and_then(RunId::parse) {
        Some(run) if runs.are_with(&run)? => return Err(refusal(JsonPointer::root().member("run_id")).into()),
        Some(run) => run,
        None => runs.fresh()?,
    };
    let said = |name| text(request, name).map_or_else(|| b"null".to_vec(), |said| compose::string(&said));
    let mode = text(request, "visibility_mode").unwrap_or_else(|| LOCAL_ONLY.to_owned());
    let envelope = compose::object(&[
        ("contract_version", compose::string(CONTRACT)),
        ("run_id", compose::string(run.as_str())),
        ("workflow_id", said("workflow_id")),
        ("policy_profile_ref", said("policy_profile_ref")),
        ("model_profile_ref", said("model_profile_ref")),
        ("visibility_mode", compose::string(&mode)),
    ]);
    executed.start(run);
    Ok(envelope)
}

/// Members that are missing, that nobody knows, or that are not what they have to be.
fn misfits(request: NodeRef<'_>) -> Vec<JsonPointer> {
    let place = |name: &str| JsonPointer::root().member(name);
    let mut wrong: Vec<_> = OWED.iter().filter(|name| request.get(name).is_none()).map(|name| place(name)).collect();
    for (name, value) in request.members() {
        let name = name.decode();
        let known = MEMBERS.iter().find(|(known, _)| name == **known);
        let value = value.as_string();
        let fits = |(_, fits): &(&str, Fits)| value.as_ref().and_then(|value| value.to_str()).is_some_and(fits);
        if !known.is_some_and(fits) {
            wrong.push(place(&name.to_text_lossy()));
        }
    }
    wrong
}

fn text(request: NodeRef<'_>, name: &str) -> Option<String> {
    request.get(name)?.as_string()?.to_str().map(str::to_owned)
}

/// A ledger that cannot be read stops promotions alone (KE-31) and names no run here.
fn ledger(home: &dyn HomeReader) -> Result<Ledger, HomeFailure> {
    match Ledger::load(home, &Tree::committed()) {
        Ok(ledger) => Ok(ledger),
        Err(Stop::Refused(_)) => Ok(Ledger::default()),
        Err(Stop::Home(failure)) => Err(failure),
    }
}

/// The runs of a home and of the process.
struct Runs<'h> {
    home: &'h dyn HomeReader,
    ledger: Ledger,
    executed: &'h Executed,
}

impl Runs<'_> {
    /// Whether one has this name: it was started, has promoted a turn, or has a folder of staged ones.
    fn are_with(&self, run: &RunId) -> Result<bool, HomeFailure> {
        let known = self.executed.is_started(run) || self.ledger.runs.contains_key(run);
        Ok(known || kind(self.home, &run_folder(run))?.is_some())
    }

    /// The first name of a count that none has, nor has executed a turn under.
    fn fresh(&self) -> Result<RunId, HomeFailure> {
        let mut number = 1_u64;
        loop {
            let run = RunId(format!("run-{number:04}"));
            if !self.are_with(&run)? && !self.executed.has_turns(&run) {
                return Ok(run);
            }
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{HomeFiles, MemoryHome};
    use crate::json::{Dialect, Document};
    use crate::kernel::model::token::{Turn, TurnId};

    fn start(home: &MemoryHome, request: &str, executed: &mut Executed) -> Result<String, Stop> {
        let text = format!(r#"{{"contract_version": "kernel_api/v1", "workflow_id": "w"{request}}}"#);
        let document = Document::parse(text.as_bytes(), &Dialect::STRICT).expect("JSON");
        start_run(home, document.root(), executed).map(|envelope| String::from_utf8(envelope).expect("UTF-8"))
    }

    #[test]
    fn a_name_that_is_made_up_is_nobody_else_s() {
        let mut home = MemoryHome::default();
        let ledger = br#"{"lsi_version":"lsi/v1","runs":{"run-0002":"turn-0001"}}"#;
        home.create_folder("index/staging/run-0001").expect("a folder");
        home.create_folder("index/committed/index").expect("a folder");
        home.create("index/committed/index/run_ledger.json", ledger).expect("a ledger");
        let mut executed = Executed::default();
        let run = |name| RunId::parse(name).expect("a run");
        executed.add(&Turn { run: run("run-0003"), id: TurnId::parse("turn-0001").expect("a turn") });
        executed.start(run("run-0004"));
        for made in ["run-0005", "run-0006"] {
            let envelope = start(&home, "", &mut executed).expect("an envelope");
            assert!(envelope.contains(&format!(r#""run_id":"{made}""#)), "{envelope}");
        }
        for taken in ["run-0001", "run-0002", "run-0004", "run-0005"] {
            let request = format!(r#", "run_id": "{taken}""#);
            let refused = refusal(JsonPointer::from_text("/run_id")).into();
            assert_eq!(start(&home, &request, &mut executed), Err(refused), "{taken}");
        }
        // A run needs no start to execute a turn, and may have one afterwards.
        assert!(start(&home, r#", "run_id": "run-0003""#, &mut executed).is_ok());
    }
}
