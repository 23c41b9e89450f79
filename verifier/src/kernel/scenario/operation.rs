//! Operations as they are read: a closed object each, with members of the stated types.

use super::damage::InsidePath;
use crate::json::{JsonPointer, JsonStr, Kind, NodeRef};
use crate::kernel::finish_run::Ending;
use crate::kernel::laws::capability::{Authorization, Plan, authorize_tool_call, resolve_capability};
use crate::kernel::laws::event_format::emit;
use crate::kernel::laws::run_comparison::{RunComparison, compare_runs};
use crate::kernel::model::crash_point::CrashPoint;
use crate::kernel::model::issue::{Issues, Outcome};
use crate::kernel::model::member::{Misfit, Object};
use crate::kernel::validation::validate;
use crate::rejection::Rejection;

/// A token of an operation, as it was read.
pub(crate) type Token<'d> = JsonStr<'d>;

#[derive(Debug)]
pub(crate) enum Operation<'d> {
    StageTriplet {
        run: Token<'d>,
        turn: Token<'d>,
        stem: Token<'d>,
        body: NodeRef<'d>,
        links: NodeRef<'d>,
        manifest: NodeRef<'d>,
    },
    StageDeletions {
        run: Token<'d>,
        turn: Token<'d>,
        stems: Vec<Token<'d>>,
    },
    ValidateLinks {
        run: Token<'d>,
        turn: Token<'d>,
        stem: Token<'d>,
    },
    Promote {
        run: Token<'d>,
        turn: Token<'d>,
    },
    FinishRun {
        run: Token<'d>,
        ending: Ending,
    },
    StartRun {
        request: NodeRef<'d>,
    },
    ExecuteTurn {
        request: NodeRef<'d>,
    },
    AuthorizeToolCall(Authorization),
    CompareRuns(RunComparison),
    ReplayRun {
        descriptor: NodeRef<'d>,
    },
    WriteTraceArtifacts {
        run: Token<'d>,
        bundle: NodeRef<'d>,
    },
    EmitEvent(Result<String, Issues>),
    ValidateTriplet(Issues),
    ResolveCapability(Result<Plan, Issues>),
    ReadTriplet {
        scope: Scope<'d>,
        stem: Token<'d>,
    },
    ReadReferences {
        scope: Scope<'d>,
        kind: String,
        id: String,
    },
    WriteFile {
        path: InsidePath,
        text: String,
    },
    MakeDir {
        path: InsidePath,
    },
    RemovePath {
        path: InsidePath,
    },
    Crash {
        run: Token<'d>,
        turn: Token<'d>,
        at: CrashPoint,
    },
}

/// Where a record is read.
#[derive(Debug)]
pub(crate) enum Scope<'d> {
    Committed,
    Staging { run: Token<'d>, turn: Token<'d> },
}

/// Every operation: its name, and the members that it has to have. What a step fails for may be missing here.
const OPERATIONS: [(&str, &[&str]); 20] = [
    ("stage_triplet", &["op", "run_id", "turn_id", "stem", "body", "links", "manifest"]),
    ("stage_deletions", &["op", "run_id", "turn_id", "stems"]),
    ("validate_links", &["op", "run_id", "turn_id", "stem"]),
    ("promote", &["op", "run_id", "turn_id"]),
    ("finish_run", &["op", "run_id", "outcome", "commit"]),
    ("start_run", &["op", "request"]),
    ("execute_turn", &["op", "request"]),
    ("authorize_tool_call", &["op", "request"]),
    ("compare_runs", &["op", "request"]),
    ("replay_run", &["op", "run_descriptor"]),
    ("write_trace_artifacts", &["op", "run_id", "trace_bundle"]),
    ("emit_event", &["op", "level", "stage", "code", "location", "text", "pairs"]),
    ("validate_triplet", &["op"]),
    ("resolve_capability", &["op"]),
    ("read_triplet", &["op", "scope", "stem"]),
    ("read_refs", &["op", "scope", "ref_type", "ref_id"]),
    ("write_file", &["op", "path", "text"]),
    ("make_dir", &["op", "path"]),
    ("remove_path", &["op", "path"]),
    ("crash", &["op", "run_id", "turn_id", "at"]),
];

/// Every operation of a scenario: its name, and the members that it has to have.
pub fn scenario_operations() -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    OPERATIONS.iter()
}

impl<'d> Operation<'d> {
    pub(crate) fn read(node: NodeRef<'d>, place: JsonPointer) -> Result<(&'static str, Self), Rejection> {
        let op = node.get("op").and_then(NodeRef::as_string);
        let known = |(name, _): &&(&str, &[&str])| op.as_ref().is_some_and(|op| *op == **name);
        let Some((name, required)) = scenario_operations().find(known) else {
            return Err(Misfit::new(place.member("op"), "no such operation").into());
        };
        let members = Object::with(node, place, required)?;
        Ok((name, Self::of(name, &members)?))
    }

    fn of(name: &str, members: &Object<'d>) -> Result<Self, Rejection> {
        let token = |name| members.string(name);
        let path = || {
            let path = InsidePath::parse(&members.text("path")?);
            path.ok_or_else(|| members.misfit("path", "it leads out of the home, or names the home itself"))
        };
        Ok(match name {
            "stage_triplet" => Self::StageTriplet {
                run: token("run_id")?,
                turn: token("turn_id")?,
                stem: token("stem")?,
                body: members.object("body")?,
                links: members.object("links")?,
                manifest: members.object("manifest")?,
            },
            "stage_deletions" => {
                let stem = |(node, place): (NodeRef<'d>, _)| {
                    node.as_string().ok_or_else(|| Misfit::new(place, "a string is due"))
                };
                let stems: Result<_, _> = members.elements("stems")?.map(stem).collect();
                Self::StageDeletions { run: token("run_id")?, turn: token("turn_id")?, stems: stems? }
            }
            "validate_links" => {
                Self::ValidateLinks { run: token("run_id")?, turn: token("turn_id")?, stem: token("stem")? }
            }
            "promote" => Self::Promote { run: token("run_id")?, turn: token("turn_id")? },
            "finish_run" => Self::FinishRun { run: token("run_id")?, ending: ending(members)? },
            "start_run" => Self::StartRun { request: members.object("request")? },
            "execute_turn" => Self::ExecuteTurn { request: members.object("request")? },
            "authorize_tool_call" => Self::AuthorizeToolCall(authorize_tool_call(members.object("request")?)?),
            "compare_runs" => Self::CompareRuns(compare_runs(members.object("request")?)?),
            "replay_run" => Self::ReplayRun { descriptor: members.object("run_descriptor")? },
            "write_trace_artifacts" => {
                Self::WriteTraceArtifacts { run: token("run_id")?, bundle: members.object("trace_bundle")? }
            }
            "emit_event" => Self::EmitEvent(emit(members)?),
            "validate_triplet" => Self::ValidateTriplet(validate(members)?),
            "resolve_capability" => Self::ResolveCapability(resolve_capability(members)?),
            "read_triplet" => Self::ReadTriplet { scope: scope(members)?, stem: token("stem")? },
            "read_refs" => Self::ReadReferences {
                scope: scope(members)?,
                kind: members.text("ref_type")?,
                id: members.text("ref_id")?,
            },
            "write_file" => Self::WriteFile { path: path()?, text: members.text("text")? },
            "make_dir" => Self::MakeDir { path: path()? },
            "remove_path" => Self::RemovePath { path: path()? },
            // The last of the table.
            _ => {
                let at = CrashPoint::from_name(&members.text("at")?);
                let at = at.ok_or_else(|| members.misfit("at", "no point of a promotion"))?;
                Self::Crash { run: token("run_id")?, turn: token("turn_id")?, at }
            }
        })
    }
}

fn scope<'d>(members: &Object<'d>) -> Result<Scope<'d>, Misfit> {
    let scope = members.string("scope")?;
    if scope == "committed" {
        Ok(Scope::Committed)
    } else if scope == "staging" {
        Ok(Scope::Staging { run: members.string("run_id")?, turn: members.string("turn_id")? })
    } else {
        Err(members.misfit("scope", "committed or staging is due"))
    }
}

fn ending(members: &Object<'_>) -> Result<Ending, Misfit> {
    let flag = |name| match members.get(name).map(NodeRef::kind) {
        Some(Kind::True) => Ok(true),
        Some(Kind::False) => Ok(false),
        _ => Err(members.misfit(name, "true or false is due")),
    };
    let outcome = Outcome::from_name(&members.text("outcome")?);
    Ok(Ending {
        outcome: outcome.ok_or_else(|| members.misfit("outcome", "PASS or FAIL is due"))?,
        commit: flag("commit")?,
        keep_evidence: members.get("keep_evidence").is_some() && flag("keep_evidence")?,
    })
}
