"""A second source for the reply system, continued: what agents do, and what builders and wrappers make. See `reply.py`."""

from reply import METHODS, STATUS, Report, answering, judge_code, owed, read
from reply_registry import check_registries, declared, is_registered

ACTIONS = {"S": "proceed", "I": "correct-and-retry", "D": "escalate", "E": "stop"}


@answering
def action(document):
    """`reply.action`."""
    value, report = read(document), Report()
    if not isinstance(value, dict):
        # It lacks every member; whether it is told of as a whole or by them is open.
        report.find("R22", "", None)
        return report.answer()
    kind = value.get("reply_type")
    if not isinstance(kind, str):
        report.find("R22", "/reply_type", "form" if "reply_type" in value else "gap")
        return report.answer()
    if kind not in STATUS:
        report.find("R02", "/reply_type")
        return report.answer()
    trace_id = None
    if kind == "E":
        meta = value.get("meta")
        trace_id = meta.get("trace_id") if isinstance(meta, dict) else None
        if not isinstance(meta, dict):
            report.find("R22", "/meta", "form" if "meta" in value else "gap")
        elif not isinstance(trace_id, str) or not trace_id:
            report.find("R22", "/meta/trace_id", "form" if "trace_id" in meta else "gap")
    answer = report.answer(action=ACTIONS[kind], trace_id=trace_id)
    # An action has no advice.
    answer["out"].pop("advice", None)
    return answer


# Builders and wrappers


class Raised(Exception):
    """A call that gave no reply."""


class Builder:
    """One builder, by the state machine of the rulings: open until it has given a terminal reply."""

    def __init__(self, registry):
        self.registry = registry
        self.frozen = False

    def is_sound(self, code, kind):
        """Whether a code is lawful, of this type and, where there is a registry, registered."""
        report = Report()
        areas = declared(self.registry) if self.registry else frozenset()
        of = judge_code(report, code, "", areas)
        registered = self.registry is None or is_registered(code, self.registry)
        return not report.findings and of == kind and registered

    def call(self, method, code=None, data=None):
        if self.frozen or method not in METHODS or not isinstance(data, (dict, type(None))):
            raise Raised
        kind = METHODS[method]
        if code is None and kind == "S":
            code = "MCP-SYS-S-001"
        elif code is None or not self.is_sound(code, kind):
            raise Raised
        self.frozen = kind != "S"
        return {"got": "reply", "reply_type": kind, "code": code, "data": {} if data is None else data}


def is_index(value):
    return isinstance(value, int) and not isinstance(value, bool)


def read_script(document, report):
    """The script, its builder's registry, and its calls by name of parameter."""
    script = read(document)
    owed(isinstance(script, dict))
    registry = script.get("registry")
    if registry is not None:
        check_registries(report, registry)
        registry = registry["registries"][0]
    owed(isinstance(script.get("calls"), list))
    calls = []
    for call in script["calls"]:
        owed(isinstance(call, dict) and isinstance(call.get("method"), str))
        owed(call.get("code") is None or isinstance(call["code"], str))
        calls.append({name: call[name] for name in ("method", "code", "data") if name in call})
    return script, registry, calls


def has_half_pair(value):
    """Whether a text in it holds a surrogate alone, which not every language has texts for."""
    if isinstance(value, str):
        return any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return any(has_half_pair(name) or has_half_pair(held) for name, held in value.items())
    return isinstance(value, list) and any(has_half_pair(item) for item in value)


@answering
def build(document):
    """`reply.build`. Data that holds half a pair may be raised for, as what a language cannot express."""
    report = Report()
    script, registry, calls = read_script(document, report)
    builder, results = Builder(registry), []
    for call in calls:
        try:
            if has_half_pair(call.get("data")):
                raise Raised
            results.append(builder.call(**call))
        except Raised:
            results.append({"got": "raised"})
    mutated, mutate = None, script.get("mutate")
    if mutate is not None:
        owed(isinstance(mutate, dict) and is_index(mutate.get("of")))
        owed(mutate.get("member") in ("reply_type", "code", "data"))
        owed(0 <= mutate["of"] < len(results) and results[mutate["of"]]["got"] == "reply")
        mutated = False
    return plain(report.answer(results=results, mutated=mutated))


@answering
def wrap(document):
    """`reply.wrap`, as far as a second run can know it: the reply that both envelopes tell of, and whether the tool crashed, so that any
    code of an error will do."""
    report = Report()
    script, registry, calls = read_script(document, report)
    owed(isinstance(script.get("arguments"), (dict, type(None))))
    back, thrown = script.get("return"), script.get("throw")
    owed((back is None) != (thrown is None))
    owed(is_index(back) and 0 <= back < len(calls) if thrown is None else isinstance(thrown, str))
    builder, replies = Builder(registry), []
    try:
        for call in calls:
            if has_half_pair(call.get("data")):
                raise Raised
            replies.append(builder.call(**call))
        if thrown is not None:
            raise Raised
        told = replies[back]
    except Raised:
        codes = {row["code"] for row in registry["active"]} if registry else set()
        told = {"reply_type": "E", "crash": True, "codes": sorted(code for code in codes if builder.is_sound(code, "E"))}
    told["declares"] = bool(registry and declared(registry))
    return plain(report.answer(told=told))


def plain(answer):
    """An answer without advice, which these operations have not."""
    answer["out"].pop("advice", None)
    return answer
