//! The unusual turn: every step of the comparator on the arena, with Python's rules and exceptions in Python's order.
//!
//! Spec: Sealed comparator v1.2.1, `compare` (steps 4b to 7) and `compare_issues`; the rulings TURN, TRN, DEC and ISS.

use std::collections::HashMap;

use super::bundle::StageLookup;
use super::join::TurnId;
use super::python::{self, Value};
use super::turn_file::Scratch;
use super::{Abort, Cell, Row, Surface, equal, foreign, reason, subscript, turn_row};
use crate::canon::{Canonicalizer, Rules};
use crate::digest::Digest;
use crate::json::{Dialect, Document, Kind, NodeRef};
use crate::sovereign::laws::{issue_multiplicity, safe_boundary};

/// Compares a turn whose texts are in `scratch`.
pub(super) fn compare(
    id: &TurnId<'_>,
    stages: &StageLookup,
    scratch: &Scratch,
    rows: &mut Vec<Row>,
) -> Result<(), Abort> {
    let Some(document_a) = load(&scratch.a)? else { return missing(id, rows) };
    let Some(document_b) = load(&scratch.b)? else { return missing(id, rows) };
    let (a, b) = (document_a.root(), document_b.root());
    for name in ["prior_state_digest", "proposed_state_digest", "inputs_digest"] {
        let digest_a = subscript(subscript(a, "transition")?, name)?;
        let digest_b = subscript(subscript(b, "transition")?, name)?;
        if !equal(digest_a, digest_b) {
            let path = Cell::Text(format!("/transition/{name}").into());
            rows.push(turn_row(
                id,
                Surface::Transition,
                path,
                foreign(digest_a),
                foreign(digest_b),
                reason::EQUIVALENCE,
            ));
        }
    }
    compare_decisions(id, decisions(a)?, decisions(b)?, rows)?;
    compare_issues(id, stages, a, b, rows)
}

/// Reads a turn file; a ValueError is missing input, too much nesting escapes.
fn load(text: &[u8]) -> Result<Option<Document<'_>>, Abort> {
    match Document::parse(text, &Dialect::PYTHON) {
        Ok(document) => Ok(Some(document)),
        Err(error) => match Abort::of_reading(error.kind) {
            Abort::RecursionError => Err(Abort::RecursionError),
            _ => Ok(None),
        },
    }
}

fn missing(id: &TurnId<'_>, rows: &mut Vec<Row>) -> Result<(), Abort> {
    rows.push(turn_row(id, Surface::Schema, id.path("/paths"), Cell::Null, Cell::Null, reason::INPUT_MISSING));
    Ok(())
}

/// `canonical_serialize(value)`.
fn canonical(node: NodeRef<'_>) -> Result<Vec<u8>, Abort> {
    canonical_by(Canonicalizer::new(Rules::PARITY), node)
}

fn canonical_by(mut canonicalizer: Canonicalizer, node: NodeRef<'_>) -> Result<Vec<u8>, Abort> {
    let mut out = Vec::with_capacity(node.raw().len());
    match canonicalizer.append_node(node, &mut out) {
        Ok(None) => Ok(out),
        Ok(Some(refusal)) => Err(Abort::of_refusal(refusal)),
        Err(error) => Err(Abort::of_reading(error.kind)),
    }
}

/// The elements that iterating a value gives, where each has to be an object: characters and names never are.
fn objects<'d>(value: NodeRef<'d>) -> Result<Vec<NodeRef<'d>>, Abort> {
    match value.kind() {
        Kind::Array => Ok(value.elements().collect()),
        Kind::String if value.raw() == b"\"\"" => Ok(Vec::new()),
        Kind::Object if value.members().next().is_none() => Ok(Vec::new()),
        _ => Err(Abort::TypeError),
    }
}

/// `sorted(turn["capabilities"]["decisions"], key=lambda d: d["ordinal"])`.
fn decisions(turn: NodeRef<'_>) -> Result<Vec<(Value, NodeRef<'_>)>, Abort> {
    let mut keyed = Vec::new();
    for record in objects(subscript(subscript(turn, "capabilities")?, "decisions")?)? {
        keyed.push((Value::of(subscript(record, "ordinal")?), record));
    }
    Ok(python::sort(keyed, &|(a, _), (b, _)| a.less_than(b))?)
}

fn compare_decisions(
    id: &TurnId<'_>,
    a: Vec<(Value, NodeRef<'_>)>,
    b: Vec<(Value, NodeRef<'_>)>,
    rows: &mut Vec<Row>,
) -> Result<(), Abort> {
    let capability = |path: String, ordinal: Cell, expected: Cell, actual: Cell| Row {
        stage_name: Cell::Name("capability"),
        ordinal,
        ..turn_row(id, Surface::DecisionRecord, Cell::Text(path.into()), expected, actual, reason::EQUIVALENCE)
    };
    if a.len() != b.len() {
        rows.push(capability("/capabilities/decisions".into(), Cell::Number(0), Cell::Null, Cell::Null));
        return Ok(());
    }
    for (rank, ((_, record_a), (_, record_b))) in a.into_iter().zip(b).enumerate() {
        let (bytes_a, bytes_b) = (canonical(record_a)?, canonical(record_b)?);
        if bytes_a != bytes_b {
            let ordinal = foreign(subscript(record_a, "ordinal")?);
            let (expected, actual) = (Cell::Digest(Digest::of(&bytes_a)), Cell::Digest(Digest::of(&bytes_b)));
            rows.push(capability(format!("/capabilities/decisions/{rank}"), ordinal, expected, actual));
        }
    }
    Ok(())
}

/// `get_issue_key`, with the location's node for its spelling.
struct Key<'d> {
    parts: [Value; 4],
    location: NodeRef<'d>,
}

/// A bucket of the multimap: its key in the spelling that came first, and each side's issues.
struct Bucket<'d> {
    key: Key<'d>,
    a: Vec<NodeRef<'d>>,
    b: Vec<NodeRef<'d>>,
}

fn compare_issues(
    id: &TurnId<'_>,
    stages: &StageLookup,
    turn_a: NodeRef<'_>,
    turn_b: NodeRef<'_>,
    rows: &mut Vec<Row>,
) -> Result<(), Abort> {
    // Both lists are iterated before anything is sorted; an absent member is an empty list.
    let (issues_a, issues_b) = (turn_a.get("issues"), turn_b.get("issues"));
    let mut buckets: Vec<Bucket<'_>> = Vec::new();
    let mut by_key: HashMap<Vec<u8>, usize> = HashMap::new();
    for (side_b, issues) in [(false, issues_a), (true, issues_b)] {
        let issues = issues.map(objects).transpose()?.unwrap_or_default();
        for issue in issues {
            let (key, hash) = key(issue, stages)?;
            let at = *by_key.entry(hash).or_insert(buckets.len());
            if at == buckets.len() {
                buckets.push(Bucket { key, a: Vec::new(), b: Vec::new() });
            }
            if let Some(bucket) = buckets.get_mut(at) {
                if side_b { bucket.b.push(issue) } else { bucket.a.push(issue) }
            }
        }
    }
    let less =
        |a: &Bucket<'_>, b: &Bucket<'_>| python::less_than_in_sequence(a.key.parts.iter().zip(&b.key.parts), false);
    for bucket in python::sort(buckets, &less)? {
        compare_bucket(id, &bucket, rows)?;
    }
    Ok(())
}

/// Builds a key and its hash, raising what Python raises, in the order in which it does.
fn key<'d>(issue: NodeRef<'d>, stages: &StageLookup) -> Result<(Key<'d>, Vec<u8>), Abort> {
    let stage = stages.index_of(&Value::of(subscript(issue, "stage")?))?;
    let location = subscript(issue, "location")?;
    let code = subscript(issue, "code")?;
    let details = Digest::of(&canonical(subscript(issue, "details")?)?).to_hex();
    let parts = [
        Value::Int(stage.to_string().into()),
        Value::of(location),
        Value::of(code),
        Value::Str(details.into_bytes().into()),
    ];
    let mut hash = Vec::new();
    for part in &parts {
        let part = part.hash_key()?;
        // The length keeps the parts apart.
        hash.extend_from_slice(&part.len().to_le_bytes());
        hash.extend_from_slice(&part);
    }
    Ok((Key { parts, location }, hash))
}

fn compare_bucket(id: &TurnId<'_>, bucket: &Bucket<'_>, rows: &mut Vec<Row>) -> Result<(), Abort> {
    let a = normalized(&bucket.a)?;
    let b = normalized(&bucket.b)?;
    let path = || foreign(bucket.key.location);
    if a.len() != b.len() {
        let (expected, actual) = (Cell::Digest(list_digest(&a)), Cell::Digest(list_digest(&b)));
        rows.push(turn_row(id, Surface::Issue, path(), expected, actual, reason::EQUIVALENCE));
        return Ok(());
    }
    for ((digest_a, issue_a, _), (digest_b, _, _)) in a.iter().zip(&b) {
        if digest_a != digest_b {
            let stage_name = foreign(subscript(*issue_a, "stage")?);
            let (expected, actual) = (Cell::Digest(*digest_a), Cell::Digest(*digest_b));
            rows.push(Row {
                stage_name,
                ..turn_row(id, Surface::Issue, path(), expected, actual, reason::EQUIVALENCE)
            });
        }
    }
    Ok(())
}

type Normalized<'d> = (Digest, NodeRef<'d>, Vec<u8>);

/// One side of a bucket without messages, in order of digests.
fn normalized<'d>(issues: &[NodeRef<'d>]) -> Result<Vec<Normalized<'d>>, Abort> {
    let mut out = Vec::with_capacity(issues.len());
    for issue in issues {
        let bytes = canonical_by(safe_boundary::issue_canonicalizer(Rules::PARITY), *issue)?;
        out.push((Digest::of(&bytes), *issue, bytes));
    }
    out.sort_by_key(|(digest, _, _)| *digest);
    Ok(out)
}

fn list_digest(issues: &[Normalized<'_>]) -> Digest {
    if issues.is_empty() {
        return issue_multiplicity::missing();
    }
    let items: Vec<&[u8]> = issues.iter().map(|(_, _, bytes)| &**bytes).collect();
    Digest::of(&[b"[", &*items.join(&b","[..]), b"]"].concat())
}
