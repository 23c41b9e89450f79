"""A second source for the reply system: codes, registries and envelopes. `reply_use.py` has traces, tool results and call sites.

It was written from the fact sheet alone and names laws by the sheet's ids (R05, M02); `LAWS` has their slugs. Where a ruling
lets a second law be named besides, it is left out.

Every operation takes its document as bytes and gives an answer of the operations table, `{"is": "accept", "out": {...}}` or
`{"is": "reject", "codes": [...], "out": {...}}`. A finding has `law`, `class`, `blame` in traces, `pointer` and `severity`. A
trace is judged up to its first illegal step; findings are those of that step.
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

    def find(self, law, pointer, kind="meaning", blame=None):
        finding = {"law": f"reply/{LAWS[law]}", "class": kind, "pointer": pointer, "severity": "error"}
        if blame is not None:
            finding["blame"] = blame
        self.findings.setdefault((pointer, finding["law"]), finding)

    def advise(self, law, text, pointer):
        self.advice.append({"law": f"reply/{LAWS[law]}", "text": text, "pointer": pointer})

    def answer(self, always=(), **accepted):
        """`always` goes with a rejection too."""
        if not self.findings:
            return {"is": "accept", "out": {**dict(always), **accepted, "advice": self.advice}}
        findings = [self.findings[place] for place in sorted(self.findings)]
        codes = sorted({finding["law"] for finding in findings})
        return {"is": "reject", "codes": codes, "out": {**dict(always), "findings": findings}}


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


# Registry


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_mapping(value):
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def check_registries(value):
    owed(isinstance(value, dict) and isinstance(value.get("registries"), list) and value["registries"])
    for one in value["registries"]:
        owed(isinstance(one, dict) and isinstance(one.get("active"), list))
        owed(all(isinstance(row, dict) and isinstance(row.get("code"), str) for row in one["active"]))
        owed(is_texts(one.get("retired", [])) and is_mapping(one.get("aliases", {})))
        areas = one.get("areas", [])
        owed(isinstance(areas, list))
        owed(all(isinstance(area, dict) and isinstance(area.get("area"), str) for area in areas))
    owed(is_texts(value.get("used", [])) and is_texts(value.get("tools", [])))
    earlier = value.get("earlier", [])
    owed(isinstance(earlier, list))
    for revision in earlier:
        owed(isinstance(revision, dict) and is_mapping(revision.get("codes")) and is_texts(revision.get("retired", [])))


def is_legacy(code):
    """Whether the text before the first hyphen is no layer; the texts of lower case and the like are no legacy names."""
    layer = code.partition("-")[0]
    return re.fullmatch("[A-Z]+", layer) is not None and layer not in LAYERS


def declared(one):
    """The areas that codes may use: a declaration without a document adds none."""
    return {area["area"] for area in one.get("areas", []) if area.get("document")}


def judge_areas(report, one, tools, pointer):
    names = {name.lower() for tool in tools for name in (tool, tool.partition("_")[2]) if name}
    for index, area in enumerate(one.get("areas", [])):
        place, name = f"{pointer}/areas/{index}", area["area"]
        if name in AREAS:
            continue
        if name in NO_AREAS:
            report.find("R10", place)
        if name.lower() in names:
            report.find("R09", place)
        if not area.get("document") or re.fullmatch("[A-Z]+", name) is None:
            report.find("R08", place)


def judge_active(report, one, pointer):
    seen = set()
    for index, row in enumerate(one["active"]):
        place, code = f"{pointer}/active/{index}", row["code"]
        if judge_code(report, code, place, declared(one)) is not None:
            layer, area, kind, number = code.split("-")
            segments = {"layer": layer, "area": area, "type": kind, "number": int(number)}
            for name in segments.keys() & row.keys():
                if row[name] != segments[name]:
                    report.find("R20" if name == "type" else "R37", place)
        if is_legacy(code):
            report.find("R18", place)
        if code in seen:
            report.find("R14", place)
        seen.add(code)
        if code in one.get("retired", []):
            report.find("R15", place)


def judge_aliases(report, one, pointer):
    active = {row["code"] for row in one["active"]}
    for old, new in one.get("aliases", {}).items():
        place = step(f"{pointer}/aliases", old)
        if is_legacy(old):
            report.find("R18", place)
        else:
            report.advise("R18", "an alias keeps an old code in use", place)
        if new not in active:
            report.find("R17", place)
        kinds = [SHAPE.fullmatch(name) for name in (old, new)]
        if all(kinds) and kinds[0][3] != kinds[1][3]:
            report.advise("R20", "the alias changes the type", place)


def judge_history(report, earlier, newest):
    """R15 over the revisions, the newest last."""
    if not earlier and not newest.get("retired"):
        report.advise("R15", "not checked: neither earlier revisions nor retired codes", "")
    revisions = []
    for index, revision in enumerate(earlier):
        codes = [(code, key, step(f"/earlier/{index}/codes", code)) for code, key in revision["codes"].items()]
        revisions.append((codes, revision.get("retired", [])))
    rows = enumerate(newest["active"])
    codes = [(row["code"], row.get("message_key"), f"/registries/0/active/{index}") for index, row in rows]
    revisions.append((codes, newest.get("retired", [])))

    meaning, gone, listed = {}, set(), set()
    for codes, retired in revisions:
        for code, key, pointer in codes:
            if code in gone or None not in (key, meaning.get(code)) and meaning[code] != key:
                report.find("R15", pointer)
        present = {code for code, _, _ in codes}
        for code, key, _ in codes:
            meaning[code] = key or meaning.get(code)
        gone = (gone | meaning.keys()) - present | set(retired)
        listed |= set(retired)
    for code in sorted((meaning.keys() & gone) - listed):
        report.advise("R15", "removed, and not listed as retired", "/earlier")


@answering
def registry(document):
    """`reply.registry`."""
    value = read(document)
    check_registries(value)
    report = Report()
    registries = value["registries"]
    for index, one in enumerate(registries):
        pointer = f"/registries/{index}"
        if index > 0:
            report.find("R16", pointer)
        judge_areas(report, one, value.get("tools", []), pointer)
        judge_active(report, one, pointer)
        judge_aliases(report, one, pointer)
    judge_history(report, value.get("earlier", []), registries[0])
    for index, code in enumerate(value.get("used", [])):
        judge_use(report, code, registries[0], f"/used/{index}")
        if SHAPE.fullmatch(code) is None:
            report.find("R05", f"/used/{index}")
    return report.answer()


def judge_use(report, code, one, pointer):
    if is_legacy(code) or code in one.get("retired", []) or all(row["code"] != code for row in one["active"]):
        report.find("R17", pointer)
    if is_legacy(code):
        report.find("R18", pointer)


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
        report.find("R22", at, "form")
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
    if kind == "S":
        if error is not None:
            report.find("R24", f"{at}/error")
        if isinstance(top, str):
            judge_agreeing(report, top, kind, f"{at}/code")
        return
    if not isinstance(error, dict):
        if error is not None:
            report.find("R24", f"{at}/error", "form")
        elif "error" in value and kind is not None:
            report.find("R24", f"{at}/error")
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
    if "reply_type" in value and (not isinstance(kind, str) or kind not in STATUS):
        report.find("R02", f"{at}/reply_type")
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
    value = read(document)
    owed(isinstance(value, dict))
    report = Report()
    judge_envelope(report, value)
    return report.answer()
