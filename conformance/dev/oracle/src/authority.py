"""A second source for the authority system: ledger, graph, engine and replay, written from contract and rulings alone.

Canonical bytes are those of Python's own `json.dumps`, digests those of `hashlib`. Replay takes the short way: the engine runs
again on what the ledger recorded and the records must come out the same, byte for byte. Only a difference is looked at, to name
its law.

Every operation takes its document as bytes or text and gives an answer of the operations table, `{"is": "accept", "out": {...}}`
or `{"is": "reject", "codes": [...]}`, with documents in `out` as Python values.

The interpreter's own limits stay in force: about 990 levels, and integers of 4,300 digits. What is over them is A_LIMIT.
"""

import collections
import json

# `version` and `canonicalize` are asked of this module.
from authority_change import version  # noqa: F401
from authority_values import (
    H,
    Rejected,
    answering,
    canonicalize,  # noqa: F401
    closed,
    has_canonical_form,
    is_integer,
    read,
    same,
)

RECORD = {"v", "ts", "kind", "parent", "payload", "payload_hash", "record_hash"}
SUCCESS = ["seedpack", "proposal", "commit", "commit", "artifact"]
REFUSAL = ["seedpack", "proposal", "artifact"]

# The smallest legal value of each limit.
POLICY = {"max_interpretations": 1, "max_nodes": 1, "max_depth": 1, "contradiction_budget": 0, "max_steps": 1}
TIE_BREAK = "lexicographic"

# What the engine holds against max_steps when it decides on a refusal.
STEPS = 2
SUGGESTIONS = {
    "empty_proposal": "Increase proposer output or check proposer configuration",
    "contradictions_exceeded": "Increase contradiction_budget or reduce assumption overlap",
    "max_steps_exceeded": "Increase max_steps or reduce exploration depth",
}

INVARIANTS = ["no_cycles", "all_edges_reference_nodes", "deterministic_ids"]
REPLAY_INSTRUCTIONS = "Replay by validating ledger chain and rebuilding DAG from records"

ACYCLIC = ("depends_on", "refines")
EDGE_KINDS = (*ACYCLIC, "contradicts")


# Ledger


def append(records, ts, kind, payload):
    """Adds a record to the end of a ledger, linked and hashed."""
    record = {
        "v": 1,
        "ts": ts,
        "kind": kind,
        "parent": records[-1]["record_hash"] if records else None,
        "payload_hash": H(payload),
    }
    records.append({**record, "payload": payload, "record_hash": H(record)})


def check_chain(records):
    """Rejects at the first record that does not hold."""
    if not isinstance(records, list):
        raise Rejected("A_INPUT")
    last_hash = None
    for record in records:
        if not closed(record, RECORD):
            raise Rejected("authority/record-shape")
        if not has_canonical_form(record["payload"]):
            raise Rejected("authority/canonical-form")
        if H(record["payload"]) != record["payload_hash"]:
            raise Rejected("authority/ledger-integrity")
        if record["parent"] != last_hash:
            raise Rejected("authority/parent-linkage")
        metadata = {name: record[name] for name in ("v", "ts", "kind", "parent", "payload_hash")}
        if not has_canonical_form(metadata):
            raise Rejected("authority/canonical-form")
        if H(metadata) != record["record_hash"]:
            raise Rejected("authority/ledger-integrity")
        last_hash = record["record_hash"]


@answering
def chain(document):
    """`authority.chain`."""
    check_chain(read(document))
    return {}


@answering
def append_record(document, ts, kind, payload):
    """`authority.append`."""
    records = read(document)
    check_chain(records)
    value = read(payload)
    if not all(has_canonical_form(part) for part in (ts, kind, value)):
        raise Rejected("A_VALUE")
    append(records, ts, kind, value)
    return {"record": records[-1]}


# Graph


class Graph:
    """Nodes and edges with derived ids, in the order they were added."""

    def __init__(self, run_id):
        self.run_id = run_id
        self.nodes = {}
        self.edges = {}

    def add_node(self, kind, payload):
        payload_hash = H(payload)
        id = H({"t": "node", "run_id": self.run_id, "kind": kind, "payload_hash": payload_hash})
        self.nodes.setdefault(id, {"id": id, "kind": kind, "payload": payload, "payload_hash": payload_hash})
        return id

    def add_edge(self, kind, start, end):
        """The edge's id, or None for an edge that would break an invariant: that one is not added."""
        id = H({"t": "edge", "run_id": self.run_id, "kind": kind, "from": start, "to": end})
        if id not in self.edges:
            if kind in EDGE_KINDS and start == end or kind in ACYCLIC and self.reaches(end, start):
                return None
            self.edges[id] = {"id": id, "kind": kind, "from_id": start, "to_id": end}
        return id

    def reaches(self, start, goal):
        """Whether a path of acyclic edges leads from one node to another."""
        successors = {}
        for edge in self.edges.values():
            if edge["kind"] in ACYCLIC:
                successors.setdefault(edge["from_id"], []).append(edge["to_id"])
        seen, waiting = {start}, [start]
        while waiting:
            for node in successors.get(waiting.pop(), []):
                if node not in seen:
                    seen.add(node)
                    waiting.append(node)
        return goal in seen

    def root_hash(self):
        return H({"node_ids": sorted(self.nodes), "edge_ids": sorted(self.edges)})

    def full(self):
        """The graph with all members."""
        return {"nodes": list(self.nodes.values()), "edges": list(self.edges.values())}

    def recorded(self):
        """The graph as record 3 keeps it."""
        return {
            "nodes": [{"id": node["id"], "kind": node["kind"]} for node in self.nodes.values()],
            "edges": [
                {"id": edge["id"], "kind": edge["kind"], "from": edge["from_id"], "to": edge["to_id"]}
                for edge in self.edges.values()
            ],
        }


def is_operation(operation):
    if closed(operation, {"node"}):
        node = operation["node"]
        return closed(node, {"kind", "payload"}) and isinstance(node["kind"], str)
    if closed(operation, {"edge"}):
        edge = operation["edge"]
        ends = closed(edge, {"kind", "from", "to"}) and is_integer(edge["from"]) and is_integer(edge["to"])
        return ends and isinstance(edge["kind"], str)
    return False


@answering
def dag(run_id, document):
    """`authority.dag`."""
    operations = read(document)
    if not isinstance(operations, list) or not all(map(is_operation, operations)):
        raise Rejected("A_INPUT")
    graph = Graph(run_id)
    # The id of the node that each operation so far stands for.
    nodes = []
    results = []
    for operation in operations:
        id, error = None, "authority/dag-invariants"
        try:
            if "node" in operation:
                id = graph.add_node(**operation["node"])
            else:
                edge = operation["edge"]
                ends = [nodes[end] if 0 <= end < len(nodes) else None for end in (edge["from"], edge["to"])]
                if None not in ends:
                    id = graph.add_edge(edge["kind"], *ends)
        except ValueError:
            error = "authority/canonical-form"
        nodes.append(id if "node" in operation else None)
        results.append({"error": error} if id is None else {"id": id})
    return {
        "results": results,
        "node_count": len(graph.nodes),
        "edge_count": len(graph.edges),
        "dag_root_hash": graph.root_hash(),
    }


# Engine


def is_policy_summary(summary):
    return closed(summary, POLICY) and all(is_integer(summary[name]) and summary[name] >= POLICY[name] for name in POLICY)


def is_interpretation(value):
    if not closed(value, {"name", "assumptions", "intent_summary"}) or not isinstance(value["assumptions"], list):
        return False
    assumptions = value["assumptions"]
    texts = [value["name"], value["intent_summary"], *assumptions]
    return all(isinstance(text, str) for text in texts) and len(set(assumptions)) == len(assumptions)


def holders(interpretations):
    """How many interpretations hold each assumption."""
    return collections.Counter(
        assumption for interpretation in interpretations for assumption in interpretation["assumptions"]
    )


def winner(interpretations):
    """The cheapest one. Pruning never takes it away: a legal policy keeps the first at least."""
    count = holders(interpretations)

    def cost(interpretation):
        assumptions = interpretation["assumptions"]
        shared = sum(count[assumption] - 1 for assumption in assumptions)
        return len(interpretation["intent_summary"]) + 10 * len(assumptions) + 5 * shared

    return min(interpretations, key=lambda interpretation: (cost(interpretation), interpretation["name"]))


def reason_codes(interpretations, policy):
    """Why a run is refused, if it is. Under a legal policy max_nodes is never exceeded and pruning leaves somebody."""
    codes = [] if interpretations else ["empty_proposal"]
    contradictions = sum(count - 1 for count in holders(interpretations).values())
    # Without interpretations the sum is 0, and no legal budget is less.
    if contradictions > policy["contradiction_budget"]:
        codes.append(f"contradictions_exceeded:{contradictions}>{policy['contradiction_budget']}")
    if STEPS > policy["max_steps"]:
        codes.append(f"max_steps_exceeded:{STEPS}>{policy['max_steps']}")
    return codes


def engine(inputs):
    """(records, graph, summary hash, artefacts) of a run on legal inputs. A commit hash among them is taken as it is."""
    run_id, interpretations = inputs["run_id"], inputs["interpretations"]
    seed = {"seed_text": inputs["seed_text"], "seed_hash": H(inputs["seed_text"])}
    policy = {name: inputs["policy"][name] for name in POLICY}
    graph = Graph(run_id)
    records = []

    def record(kind, payload):
        append(records, f"{inputs['ts_base']}#{len(records):04d}", kind, payload)

    record("seedpack", {**seed, "pin": inputs["pin"], "policy_summary": policy})
    record("proposal", {"interpretations": interpretations})

    codes = reason_codes(interpretations, policy)
    if codes:
        report = {
            "run_id": run_id,
            "seed_hash": seed["seed_hash"],
            "reason_codes": codes,
            "evidence_record_hashes": [earlier["record_hash"] for earlier in records],
            "policy_suggestions": [SUGGESTIONS[code.partition(":")[0]] for code in codes],
            "status": "refused",
        }
        record("artifact", {"refusal": report})
        return records, graph, None, {"refusal": report}

    chosen = winner(interpretations)
    source, confidence = inputs.get("proposal_source", "heuristic"), inputs.get("proposal_confidence")
    proposal_hash = H({"source": source, "confidence": confidence, "value": interpretations})
    commit_hash = H({"value": chosen, "accepted_from": proposal_hash})
    record("commit", {"interpretation": chosen, "commit_hash": inputs.get("commit_hash", commit_hash)})

    seed_node = graph.add_node("seed", seed)
    intent = graph.add_node("interpretation", {"name": chosen["name"], "intent_summary": chosen["intent_summary"]})
    graph.add_edge("refines", seed_node, intent)
    for assumption in chosen["assumptions"]:
        graph.add_edge("depends_on", intent, graph.add_node("assumption", {"assumption": assumption}))
    record("commit", graph.recorded())

    blueprint = {
        "run_id": run_id,
        "seed_hash": seed["seed_hash"],
        "intent_root_node_id": intent,
        "pinned_target": inputs["pin"],
        "invariants": INVARIANTS,
        "module_contracts": [],
    }
    summary = {
        "ledger_last_hash": records[-1]["record_hash"],
        "dag_root_hash": graph.root_hash(),
        "artifact_hashes": {"blueprint": H(blueprint)},
    }
    pack = {**summary, "expected_summary_hash": H(summary), "replay_instructions": REPLAY_INSTRUCTIONS}
    artifacts = {"blueprint": blueprint, "verification": pack}
    record("artifact", artifacts)
    return records, graph, pack["expected_summary_hash"], artifacts


def check_inputs(inputs):
    """Rejects what the engine is not defined for."""
    required = {"run_id", "seed_text", "pin", "policy", "interpretations", "ts_base"}
    optional = {"proposal_source", "proposal_confidence"}
    if not isinstance(inputs, dict) or not required <= set(inputs) <= required | optional:
        raise Rejected("A_INPUT")
    texts = [inputs["run_id"], inputs["seed_text"], inputs["ts_base"], inputs.get("proposal_source", "")]
    policy, interpretations = inputs["policy"], inputs["interpretations"]
    if not all(isinstance(text, str) for text in texts) or not isinstance(policy, dict):
        raise Rejected("A_INPUT")
    limits = {name: value for name, value in policy.items() if name != "deterministic_tiebreak"}
    if not is_policy_summary(limits) or policy.get("deterministic_tiebreak", TIE_BREAK) != TIE_BREAK:
        raise Rejected("A_INPUT")
    if not isinstance(interpretations, list) or not all(map(is_interpretation, interpretations)):
        raise Rejected("A_INPUT")
    if not has_canonical_form(inputs):
        raise Rejected("A_VALUE")


@answering
def run(document):
    """`authority.run`."""
    inputs = read(document)
    check_inputs(inputs)
    records, graph, summary_hash, artifacts = engine(inputs)
    success = summary_hash is not None
    return {
        "outcome": "success" if success else "refusal",
        "dag_root_hash": graph.root_hash() if success else None,
        "summary_hash": summary_hash,
        "ledger_last_hash": records[-1]["record_hash"],
        "records": records,
        "dag": graph.full(),
        "artifacts": artifacts,
    }


# Replay


def token_base(records):
    """The base of the tokens, once the envelope of each record is lawful: its version, its token and its kind."""
    kinds = {len(REFUSAL): REFUSAL, len(SUCCESS): SUCCESS}.get(len(records))
    if kinds is None:
        raise Rejected("authority/run-records")
    for place, record in enumerate(records):
        if not is_integer(record["v"]) or record["v"] != 1:
            raise Rejected("authority/record-shape")
        if not isinstance(record["ts"], str) or not isinstance(record["kind"], str):
            raise Rejected("authority/record-shape")
        base = records[0]["ts"].removesuffix("#0000")
        if record["kind"] != kinds[place] or record["ts"] != f"{base}#{place:04d}":
            raise Rejected("authority/run-records")
    return base


def recovered_inputs(records):
    """The inputs of the run that a ledger records. A run id that cannot be found is left to `first_difference`."""
    base = token_base(records)
    seed, proposal, *_, artifact = [record["payload"] for record in records]
    if not closed(seed, {"seed_text", "seed_hash", "pin", "policy_summary"}) or not isinstance(seed["seed_text"], str):
        raise Rejected("authority/run-records")
    if seed["seed_hash"] != H(seed["seed_text"]):
        raise Rejected("authority/run-records")
    if not is_policy_summary(seed["policy_summary"]):
        raise Rejected("authority/policy-bounds")
    if not closed(proposal, {"interpretations"}) or not isinstance(proposal["interpretations"], list):
        raise Rejected("authority/run-records")
    if not all(map(is_interpretation, proposal["interpretations"])):
        raise Rejected("authority/proposal-boundary")
    return {
        "run_id": run_id_of(artifact, "refusal" if len(records) == len(REFUSAL) else "blueprint") or "",
        "seed_text": seed["seed_text"],
        "pin": seed["pin"],
        "policy": seed["policy_summary"],
        "interpretations": proposal["interpretations"],
        "ts_base": base,
    }


def run_id_of(payload, name):
    """The run id in an artefact of the last record, or None."""
    artifact = payload.get(name) if isinstance(payload, dict) else None
    run_id = artifact.get("run_id") if isinstance(artifact, dict) else None
    return run_id if isinstance(run_id, str) else None


def first_difference(records, inputs):
    """The law of the first place where a ledger is not what the engine makes of its inputs.

    Records 0 and 1 are the inputs and agree. The stored commit hash is taken as given, so that what follows from it can be judged:
    when all else agrees, it is the only fault.
    """
    stored = [record["payload"] for record in records]
    decision = stored[2]
    if closed(decision, {"interpretation", "commit_hash"}):
        inputs = {**inputs, "commit_hash": decision["commit_hash"]}
    due = [record["payload"] for record in engine(inputs)[0]]
    if len(stored) != len(due):
        return "authority/refusal"
    if not closed(decision, due[2]):
        return "authority/run-records"
    if len(due) == len(REFUSAL):
        return "authority/refusal"

    if not same(decision["interpretation"], due[2]["interpretation"]):
        return "authority/cost-and-collapse"
    if not closed(stored[3], due[3]) or not closed(stored[4], due[4]) or run_id_of(stored[4], "blueprint") is None:
        return "authority/run-records"
    if not same(stored[3], due[3]):
        return "authority/dag-ids"

    pack, pack_due = stored[4]["verification"], due[4]["verification"]
    if not same(stored[4]["blueprint"], due[4]["blueprint"]) or not closed(pack, pack_due):
        return "authority/artifact-hashes"
    if any(not same(pack[name], pack_due[name]) for name in ("replay_instructions", "artifact_hashes")):
        return "authority/artifact-hashes"
    return "authority/commit-source" if same(pack, pack_due) else "authority/summary-hash"


@answering
def replay(document, source="heuristic", confidence=None):
    """`authority.replay`."""
    records = read(document)
    check_chain(records)
    inputs = {**recovered_inputs(records), "proposal_source": source, "proposal_confidence": confidence}
    again, _, summary_hash, artifacts = engine(inputs)
    if not same(records, again):
        raise Rejected(first_difference(records, inputs))
    pack = artifacts.get("verification", {})
    return {
        "outcome": "success" if pack else "refusal",
        "summary_hash": summary_hash,
        "dag_root_hash": pack.get("dag_root_hash"),
        "artifact_hashes": pack.get("artifact_hashes", {}),
    }
