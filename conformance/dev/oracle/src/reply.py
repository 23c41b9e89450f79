"""A second source for the reply system: codes and envelopes. `reply_registry.py` has registries, `reply_use.py` the rest.

It was written from specification and rulings alone; laws have short ids here (R05, M02) and slugs in `LAWS`. Where a
ruling lets a second law be named besides, it is left out.

Every operation takes its document as bytes and gives an answer of the operations table, `{"is": "accept", "out": {...}}` or
`{"is": "reject", "codes": [...], "out": {...}}`. A finding has `law`, `class`, `blame` in traces, `pointer` and `severity`. A
trace is judged up to its first illegal step; findings are those of that step.

What no ruling settles is told beside the answer: `open` lists laws, each with a place where a lawful reader may name it or
not (`*`: every law); a finding lacks its `class` or `blame` where that is open; and with `refusable` A_INPUT is an answer too.
"""

import json
import math
import re

LAWS = {
    "R01": "one-outcome",
    "R02": "type-closed",
    "R03": "no-auxiliary-outcome",
    "R05": "code-shape",
    "R06": "layer-closed",
    "R07": "layer-type-matrix",
    "R08": "area-registered",
    "R09": "area-not-tool-name",
    "R10": "contract-area-gate",
    "R11": "number-from-one",
    "R14": "code-unique",
    "R15": "code-never-reused",
    "R16": "single-registry",
    "R17": "code-registered",
    "R18": "legacy-retired",
    "R19": "reply-shape",
    "R20": "type-agrees",
    "R22": "envelope-members",
    "R23": "status-agrees",
    "R24": "error-agrees",
    "R27": "single-builder",
    "R28": "builder-api",
    "R29": "no-forbidden-methods",
    "R30": "terminal-freeze",
    "R31": "terminal-return",
    "R34": "wrapper-pure",
    "R35": "crash-is-error",
    "R36": "no-raw-return",
    "R37": "axes-distinct",
    "M01": "result-sound",
    "M02": "envelope-carried",
    "M03": "flag-agrees",
    "M04": "content-present",
    "M05": "schema-covers-envelope",
    "M07": "no-protocol-error",
}

# The types that each layer may give.
LAYERS = {"WA": "SIE", "EN": "SDE", "CT": "SIE", "MCP": "SIE"}
AREAS = {"SYS", "RES", "VIS", "IO", "READ", "WRITE", "EXEC", "DB", "PARSE", "VAL", "GATE", "LOG", "CFG"}
NO_AREAS = {"OPEN", "CLOSE"}
METHODS = {"success": "S", "invalid": "I", "denied": "D", "error": "E"}
FORBIDDEN_METHODS = {"info", "warn", "fail"}
STATUS = {"S": "success", "I": "invalid", "D": "denied", "E": "error"}
AUXILIARY = {"info", "warn", "warning", "warnings", "partial", "partial_success", "soft_error"}
MEMBERS = ("status", "reply_type", "data", "meta", "error")

SHAPE = re.compile("([A-Z]+)-([A-Z]+)-([A-Z])-([0-9]{3})")

# The MCP revisions: whether a result has structured content, and whether it has a result type.
REVISIONS = {
    "2024-11-05": (False, False),
    "2025-03-26": (False, False),
    "2025-06-18": (True, False),
    "2025-11-25": (True, False),
    "2026-07-28": (True, True),
}


class Rejected(Exception):
    """Input that cannot be judged, with its one code."""


def owed(condition):
    """Rejects a document that is not of the operation's shape."""
    if not condition:
        raise Rejected("A_INPUT")


class Report:
    """Findings, one for each law and place, and advice."""

    def __init__(self):
        self.findings = {}
        self.advice = []
        self.open = set()
        self.refusable = False
        # Broken somewhere, though under which law is open.
        self.unlawful = False

    def find(self, law, pointer, kind="meaning", blame=None):
        """A finding; a kind or a blame of None is left out."""
        finding = {"law": f"reply/{LAWS[law]}", "class": kind, "blame": blame, "pointer": pointer, "severity": "error"}
        finding = {name: value for name, value in finding.items() if value is not None}
        self.findings.setdefault((pointer, finding["law"]), finding)

    def leave(self, laws, pointer):
        """Leaves it open whether these laws are named at a place."""
        self.open |= {(f"reply/{LAWS[law]}" if law in LAWS else law, pointer) for law in laws.split()}

    def advise(self, law, text, pointer):
        self.advice.append({"law": f"reply/{LAWS[law]}", "text": text, "pointer": pointer})

    def answer(self, always=(), **accepted):
        """`always` goes with a rejection too."""
        beside = {"open": sorted(self.open), "refusable": self.refusable}
        if not self.findings and not self.unlawful:
            return {"is": "accept", "out": {**dict(always), **accepted, "advice": self.advice}, **beside}
        findings = [self.findings[place] for place in sorted(self.findings)]
        codes = sorted({finding["law"] for finding in findings})
        return {"is": "reject", "codes": codes, "out": {**dict(always), "findings": findings}, **beside}


# Input


def unique(members):
    value = dict(members)
    if len(value) < len(members):
        raise ValueError("a name comes twice")
    return value


def finite(token):
    value = float(token)
    if not math.isfinite(value):
        raise ValueError("not finite")
    return value


def no_constant(token):
    raise ValueError(token)


def read(document):
    """The value of a JSON text: UTF-8, unique names, finite numbers, nothing after it."""
    try:
        text = document.decode("utf-8")
        return json.loads(text, object_pairs_hook=unique, parse_float=finite, parse_constant=no_constant)
    except RecursionError:
        raise Rejected("A_LIMIT") from None
    except ValueError:
        raise Rejected("A_JSON") from None


def answering(decide):
    def answer(document):
        try:
            return decide(document)
        except Rejected as rejected:
            return {"is": "reject", "codes": [str(rejected)], "out": {}}

    return answer


def step(pointer, name):
    return f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}"


# Code


def judge_code(report, text, pointer, areas=frozenset(), blame=None):
    """Holds a text to the code grammar. Its type segment, or None when the shape is broken."""

    def find(law):
        report.find(law, pointer, blame=blame)

    match = SHAPE.fullmatch(text)
    if match is None:
        find("R05")
        return None
    layer, area, kind, number = match.groups()
    if layer not in LAYERS:
        find("R06")
    if area in NO_AREAS:
        find("R10")
    if area in NO_AREAS or area not in AREAS | areas:
        find("R08")
    if kind not in STATUS:
        find("R02")
    elif layer in LAYERS and kind not in LAYERS[layer]:
        find("R07")
    if number == "000":
        report.advise("R11", "numbers start from 001", pointer)
    return kind


@answering
def code(document):
    """`reply.code`."""
    report = Report()
    try:
        text = document.decode("utf-8")
    except UnicodeDecodeError:
        report.find("R05", "")
        return report.answer()
    judge_code(report, text, "")
    if report.findings:
        return report.answer()
    layer, area, kind, number = text.split("-")
    return report.answer(layer=layer, area=area, type=kind, number=int(number))


# Envelope


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def judge_status(report, value, at):
    status, kind = value.get("status"), value.get("reply_type")
    place = f"{at}/status"
    if "status" not in value:
        return
    if not isinstance(status, str):
        report.find("R22", place, "form")
        return
    if status.lower() in AUXILIARY:
        report.find("R03", place)
    if kind is None:
        return
    others = set(STATUS.values()) - {STATUS[kind]}
    if kind == "S" and status != "success":
        report.find("R23", place)
    elif status in others and not (status == "error" and kind in "ID"):
        report.find("R23", place)
    elif status != STATUS[kind]:
        report.advise("R23", f"the usual word is {STATUS[kind]}", place)


def judge_meta(report, meta, at):
    if not isinstance(meta, dict) or not meta:
        # An empty one lacks members, and has a value that it cannot have.
        report.find("R22", at, "form" if meta != {} else None)
        return
    trace_id, duration = meta.get("trace_id"), meta.get("duration_ms")
    for name, sound in (
        ("trace_id", isinstance(trace_id, str) and trace_id != ""),
        ("duration_ms", is_number(duration) and duration >= 0),
    ):
        if not sound:
            report.find("R22", f"{at}/{name}", "form" if name in meta else "gap")


def judge_error(report, value, at):
    """The error member, and a code at the top level that has to agree with it. `reply_type` is one of four, or says nothing."""
    kind, error, top = value.get("reply_type"), value.get("error"), value.get("code")
    if kind is None and value.get("status") in list(STATUS.values()):
        # The status alone contradicts the error then, and under which law is open; so is what is said of the code further.
        report.leave("R23", f"{at}/status")
        report.leave("R24", f"{at}/error")
        report.leave("*", f"{at}/error/code")
        report.leave("*", f"{at}/code")
    if kind == "S":
        if error is not None:
            # A text is of the wrong kind besides.
            report.find("R24", f"{at}/error", "meaning" if isinstance(error, dict) else None)
        if isinstance(top, str):
            judge_agreeing(report, top, kind, f"{at}/code")
        elif "code" in value:
            report.find("R05", f"{at}/code", None)
        return
    if not isinstance(error, dict):
        if error is not None:
            report.find("R24", f"{at}/error", "form")
        elif "error" in value and kind is not None:
            report.find("R24", f"{at}/error", "meaning")
        return
    code = error.get("code")
    if not isinstance(code, str):
        report.find("R24", f"{at}/error/code", "form" if "code" in error else "gap")
        return
    if kind is None:
        judge_code(report, code, f"{at}/error/code")
    else:
        judge_agreeing(report, code, kind, f"{at}/error/code")
    if "code" in value and top != code:
        report.find("R20", f"{at}/code")


def judge_agreeing(report, code, kind, pointer, blame=None):
    """A code that has to be sound and of a type."""
    segment = judge_code(report, code, pointer, blame=blame)
    if segment in STATUS and segment != kind:
        report.find("R20", pointer, blame=blame)


def judge_envelope(report, value, at=""):
    for name in MEMBERS:
        if name not in value:
            report.find("R22", f"{at}/{name}", "gap")
    for name in value:
        if name in AUXILIARY:
            report.find("R03", f"{at}/{name}")
        elif name not in MEMBERS and name != "code":
            report.advise("R22", "not listed", step(at, name))
    kind = value.get("reply_type")
    if "reply_type" in value and not isinstance(kind, str):
        # Of the wrong kind, and none of the four: one of both laws is named.
        report.leave("R02 R22", f"{at}/reply_type")
        report.unlawful = True
    elif "reply_type" in value and kind not in STATUS:
        report.find("R02", f"{at}/reply_type")
    if kind not in list(STATUS):
        value = {**value, "reply_type": None}
    judge_status(report, value, at)
    if not isinstance(value.get("data", {}), (dict, type(None))):
        report.find("R22", f"{at}/data", "form")
    if "meta" in value:
        judge_meta(report, value["meta"], f"{at}/meta")
    judge_error(report, value, at)


@answering
def envelope(document):
    """`reply.envelope`."""
    value, report = read(document), Report()
    if isinstance(value, dict):
        judge_envelope(report, value)
    else:
        # It has none of the members; whether it is told of once or of each is open.
        report.find("R22", "", None)
        for name in ("", *(f"/{name}" for name in MEMBERS)):
            report.leave("R22", name)
    return report.answer()
