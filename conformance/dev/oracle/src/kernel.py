"""A second source for the kernel system, written from the specification and the rulings alone: the five operations.

Each takes its documents as bytes or text and gives an answer of the operations table, `{"is": "accept", "out": {...}}` or
`{"is": "reject", "codes": [...]}`, without what no ruling settles; `whole` in it says whether nothing was left out.
"""

import re

import kernel_audit
import kernel_index as index
import kernel_registry
from kernel_replay import replay_run
from kernel_steps import emit_event, resolve_capability, validate_triplet
from kernel_trace import write_trace_artifacts
from kernel_turn import authorize, compare_runs, execute_turn, start_run
from kernel_values import (
    COMMITTED,
    OPEN,
    REGISTRY,
    TRIPLET,
    Banned,
    Failed,
    Rejected,
    Unsettled,
    canonical,
    is_refs,
    is_triplet,
    issue_key,
    parse,
    read,  # noqa: F401  The crate looks it up in this module.
    read_document,
    readable,
    refs_path,
    scope_of,
    settled,
    sha256,
    stem_of,
    token,
    triplet_path,
)

POINTS = "build before-switch between-renames after-switch before-cleanup".split()
OBJECT, STRING, FLAG = dict, str, bool
TURN = {"run_id": STRING, "turn_id": STRING}
MEMBERS = {
    "stage_triplet": {**TURN, "stem": STRING, "body": OBJECT, "links": OBJECT, "manifest": OBJECT},
    "stage_deletions": {**TURN, "stems": list},
    "validate_links": {**TURN, "stem": STRING},
    "promote": TURN,
    "finish_run": {"run_id": STRING, "outcome": STRING, "commit": FLAG},
    "start_run": {"request": OBJECT},
    "execute_turn": {"request": OBJECT},
    "authorize_tool_call": {"request": OBJECT},
    "compare_runs": {"request": OBJECT},
    "replay_run": {"run_descriptor": OBJECT},
    "write_trace_artifacts": {"run_id": STRING, "trace_bundle": OBJECT},
    "emit_event": {**dict.fromkeys("level stage code location text".split(), STRING), "pairs": OBJECT},
    "validate_triplet": {},
    "resolve_capability": {},
    "read_triplet": {"scope": STRING, "stem": STRING},
    "read_refs": {"scope": STRING, "ref_type": STRING, "ref_id": STRING},
    "write_file": {"path": STRING, "text": STRING},
    "make_dir": {"path": STRING},
    "remove_path": {"path": STRING},
    "crash": {**TURN, "at": STRING},
}
# Members that may be missing.
OPTIONAL = {
    "finish_run": {"keep_evidence": FLAG},
    "validate_triplet": {"stem": STRING},
    "resolve_capability": {"context": OBJECT},
}
ONE_OF = {"outcome": ("PASS", "FAIL"), "at": POINTS, "scope": ("committed", "staging")}

# One line: none of these, and no line feed at its end.
BREAKS = re.compile("[\r\n\u2028\u2029\u0085]")
EVENT = re.compile(r"\[(INFO|FAIL)\] \[STAGE:([^\]]+)\] \[CODE:([^\]]+)\] \[LOC:(.*?)\] (.*?) \|(?: (.*))?\Z")

# Emitted by the repository, and in no registry: whether the union has it is not settled.
DOUBTFUL = {"I_REF_INDEX_LAG"}


def answering(decide):
    """Makes a function answer with the settled part of what it returns, or with the code it was rejected with."""

    def answer(*arguments):
        try:
            out, whole = settled(decide(*arguments))
        except Rejected as rejected:
            return {"is": "reject", "codes": [str(rejected)]}, True
        except Unsettled:
            return {"is": "accept", "out": {}}, False
        return {"is": "accept", "out": out}, whole

    answer.__doc__ = decide.__doc__
    return answer


# Scenarios


@answering
def scenario(operations):
    """`kernel.scenario`."""
    operations = read_document(operations)
    if not isinstance(operations, list) or not all(map(lawful, operations)):
        raise Rejected("A_INPUT")
    home = index.Home()
    return {"steps": [step(home, operation) for operation in operations], "view": view(home)}


def lawful(operation):
    """Whether an operation is known and has its members."""
    if not isinstance(operation, dict) or operation.get("op") not in MEMBERS:
        return False
    members, optional = MEMBERS[operation["op"]], OPTIONAL.get(operation["op"], {})
    if not all(is_a(operation.get(name), kind) for name, kind in members.items()):
        return False
    if not all(name not in operation or is_a(operation[name], kind) for name, kind in optional.items()):
        return False
    for name, words in ONE_OF.items():
        if name in operation and operation[name] not in words:
            return False
    if operation.get("scope") == "staging" and not all(isinstance(operation.get(name), str) for name in TURN):
        return False
    parts = operation.get("path", "inside").split("/")
    return not any(part in ("", ".", "..") for part in parts)


def is_a(value, kind):
    """Whether a value is of a type; a banned number is not a string, though it is kept as one."""
    return isinstance(value, kind) and not isinstance(value, Banned)


def step(home, operation):
    try:
        return OPERATIONS[operation["op"]](home, operation)
    except Failed as failure:
        result = {"outcome": "FAIL", "issues": sorted(failure.issues, key=issue_key)}
        if operation["op"] == "promote":
            return {**result, "promoted_stems": []}
        # Nor is it settled which of its members a failed step has.
        return {**result, "digests": OPEN} if operation["op"] not in ("validate_links", "stage_deletions") else result


def passing(issues=(), **members):
    return {"outcome": "PASS", "issues": list(issues), **members}


def ids(operation):
    return operation["run_id"], operation["turn_id"]


def stage_triplet(home, operation):
    parts = {name: operation[name] for name in ("body", "links", "manifest")}
    return passing(digests=index.stage_triplet(home, *ids(operation), operation["stem"], parts))


def stage_deletions(home, operation):
    index.stage_deletions(home, *ids(operation), operation["stems"])
    return passing()


def validate_links(home, operation):
    missing, issues = index.validate_links(home, *ids(operation), operation["stem"])
    return {"outcome": "FAIL" if missing else "PASS", "issues": issues}


def promote(home, operation):
    stems, issues = index.promote(home, *ids(operation))
    return passing(issues, promoted_stems=stems)


def crash(home, operation):
    try:
        index.promote(home, *ids(operation), operation["at"])
    except Failed:
        # A promotion that is refused has stopped as well (KE-42).
        pass
    # With the process goes what it had executed (KE-51).
    home.executed.clear()
    return {"outcome": None, "issues": []}


def finish_run(home, operation):
    arguments = operation["outcome"], operation["commit"], operation.get("keep_evidence", False)
    failed, turns, stems, issues = index.finish_run(home, operation["run_id"], *arguments)
    # Of a run that failed it is not settled whether the step passes; of a promotion that stopped, which stems it names.
    outcome = OPEN if operation["outcome"] == "FAIL" else "FAIL" if failed else "PASS"
    stems = OPEN if failed and turns else stems
    return {"outcome": outcome, "issues": issues, "promoted_turns": turns, "promoted_stems": stems}


def scope(operation):
    return COMMITTED if operation["scope"] == "committed" else scope_of(*ids(operation))


def read_triplet(home, operation):
    path = triplet_path(scope(operation), stem_of(operation["stem"]))
    record = parse(home[path], path, is_triplet) if path in home else None
    return passing(record=record)


def read_refs(home, operation):
    path = refs_path(scope(operation), operation["ref_type"], operation["ref_id"])
    if path not in home:
        return passing(sources=None, record=OPEN)
    return passing(sources=parse(home[path], path, is_refs)["sources"], record=OPEN)


def write_file(home, operation):
    home[operation["path"]] = operation["text"].encode("utf-8")
    return {"outcome": None, "issues": []}


def make_dir(home, operation):
    home[operation["path"]] = None
    return {"outcome": None, "issues": []}


def remove_path(home, operation):
    home.remove(operation["path"])
    return {"outcome": None, "issues": []}


OPERATIONS = {
    "stage_triplet": stage_triplet,
    "stage_deletions": stage_deletions,
    "validate_links": validate_links,
    "promote": promote,
    "finish_run": finish_run,
    "start_run": lambda home, operation: start_run(home, operation["request"]),
    "execute_turn": lambda home, operation: execute_turn(home, operation["request"]),
    "authorize_tool_call": lambda home, operation: authorize(operation["request"]),
    "compare_runs": lambda home, operation: compare_runs(operation["request"]),
    "replay_run": replay_run,
    "write_trace_artifacts": write_trace_artifacts,
    "emit_event": lambda home, operation: emit_event(operation),
    "validate_triplet": lambda home, operation: validate_triplet(operation),
    "resolve_capability": lambda home, operation: resolve_capability(operation),
    "read_triplet": read_triplet,
    "read_refs": read_refs,
    "write_file": write_file,
    "make_dir": make_dir,
    "remove_path": remove_path,
    "crash": crash,
}


def view(home):
    """Committed state, and what is staged."""
    folder = f"{COMMITTED}/refs/by_id/"
    refs = [(path[len(folder) : -len(".json")].replace("/", ":"), path) for path in home.below(folder[:-1])]
    objects = [path.rpartition("/")[2] for path in home.below(f"{COMMITTED}/objects")]
    intact = all(sha256(home[path]) == path.rpartition("/")[2] for path in home.below(f"{COMMITTED}/objects"))
    staged = staging(home)
    try:
        ledger = home.runs()
    except Failed:
        ledger = OPEN
    return {
        "triplets": {
            stem: [record[name] for name in TRIPLET]
            for stem, record in readable(home, home.triplets(COMMITTED), is_triplet)
        },
        "refs": {
            name: [[source[member] for member in index.SOURCE] for source in record["sources"]]
            for name, record in readable(home, refs, is_refs)
            if name == ":".join(map(token, (record["type"], record["id"])))
        },
        "objects": sorted(objects) if intact else OPEN,
        "staged_triplets": staged if home.staging_settled else OPEN,
        "ledger": ledger,
    }


def staging(home):
    """The turns with staged records, each record as it is read (KE-48)."""
    turns = {}
    for path in home.below("index/staging"):
        scope = "/".join(path.split("/")[:4])
        records = readable(home, home.triplets(scope), is_triplet)
        # Whether a turn without any is listed is not settled.
        listed = {stem: {name: record[name] for name in TRIPLET} for stem, record in records}
        turns[scope.removeprefix("index/")] = listed or OPEN
    return turns


# The other operations


@answering
def issue_order(issues):
    """`kernel.issue_order`."""
    issues = read_document(issues)
    if not isinstance(issues, list) or not all(isinstance(item, dict) for item in issues):
        raise Rejected("A_INPUT")
    return {"issues": sorted(issues, key=issue_key)}


@answering
def event(line):
    """`kernel.event`."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Rejected("kernel/event-format") from None
    match = EVENT.match(text)
    if BREAKS.search(text) or not match:
        raise Rejected("kernel/event-format")
    findings = [] if match[3] in REGISTRY else [{"law": "kernel/code-registry", "code": OPEN}]
    members = dict(zip("level stage code location text pairs".split(), match.groups("")))
    return {**members, "findings": OPEN if match[3] in DOUBTFUL else findings}


@answering
def audit(files, before=None, operation=None, outcome=None):
    """`kernel.audit` of a home folder, given as a dict from relative path to bytes, None for a folder."""
    snapshot = read_document(before) if before is not None else None
    if before is not None and not isinstance(snapshot, dict):
        raise Rejected("A_INPUT")
    return {"findings": kernel_audit.findings(index.Home(files), snapshot, operation, outcome)}


@answering
def registry(revisions):
    """`kernel.registry`."""
    return {"findings": kernel_registry.findings(read_document(revisions))}


def ask(operation, arguments, documents, files):
    """The answer to one question: documents by name, the home folder's files by path."""
    if operation == "kernel.audit":
        answer, _ = audit(files, documents.get("before"), arguments.get("operation"), arguments.get("outcome"))
    else:
        answer, _ = ANSWERS[operation](*documents.values())
    return answer


ANSWERS = {
    "kernel.scenario": scenario,
    "kernel.issue_order": issue_order,
    "kernel.event": event,
    "kernel.registry": registry,
}
