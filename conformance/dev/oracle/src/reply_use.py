"""A second source for the reply system, continued: traces, MCP tool results and call sites. See `reply.py`."""

import json
import re

import reply
import reply_make
import reply_registry
from reply import (
    FORBIDDEN_METHODS,
    LAYERS,
    METHODS,
    REVISIONS,
    STATUS,
    Rejected,
    Report,
    answering,
    judge_agreeing,
    judge_code,
    judge_envelope,
    owed,
    read,
)
from reply_registry import check_registries, declared, is_registered, judge_use

# Trace


def is_text(value):
    return isinstance(value, str)


def is_index(value):
    return type(value) is int


def is_reply(value):
    return isinstance(value, dict) and is_text(value.get("reply_type")) and (value.get("code") is None or is_text(value["code"]))


# What each event owes, and the test of it.
EVENTS = {
    "new": {"b": is_index},
    "call": {"b": is_index, "method": is_text, "got": ("reply", "raised").__contains__},
    "direct": {"reply_type": is_text},
    "work": {},
    "return": {},
    "throw": {},
    "emit": {"reply_type": is_text},
}
RETURNED = {"of": lambda value: is_index(value) and value >= 0, "callee": is_reply, "raw": ("dict", "text", "none").__contains__}


def check_event(report, event):
    owed(isinstance(event, dict) and is_text(event.get("op")) and event["op"] in EVENTS)
    for name, test in EVENTS[event["op"]].items():
        owed(name in event and test(event[name]))
    if event["op"] in ("call", "direct", "emit"):
        owed(event.get("code") is None or is_text(event["code"]))
    if event["op"] == "direct" and event.get("code") is None:
        # Listed among its fields; but a reply without a code may be told of, too.
        report.refusable = True
    if event["op"] == "return":
        given = [name for name in RETURNED if event.get(name) is not None]
        owed(len(given) == 1 and RETURNED[given[0]](event[given[0]]))


def blamed(event):
    """Whose fault an illegal call is."""
    return ["tool", "builder"] if event.get("got") == "reply" else ["tool"]


# What can be wrong with a code that stands for a type.
CODE_LAWS = "R02 R05 R06 R07 R08 R10 R11 R20"


class Invocation:
    """What is known after some steps, and the findings of the first illegal one."""

    def __init__(self, report):
        self.report = report
        # Builders that were made, and those that are frozen.
        self.made, self.frozen = set(), set()
        # The replies by the step that made them: (type, code).
        self.replies = {}
        # The step of a terminal reply that is not returned yet.
        self.pending = None
        # (type, code) of what was returned, or "throw".
        self.outcome = None
        self.emitted = False

    def find(self, *laws, blame):
        for law in laws:
            self.report.find(law, f"/steps/{self.place}", blame=blame)

    def take(self, place, event):
        self.place = place
        frozen = event["op"] == "call" and event["b"] in self.frozen
        awaited = event["op"] == "return" and event.get("of") == self.pending
        if self.pending is not None and not awaited and not frozen:
            # Of an envelope that leaves too early it is not settled who hurried.
            self.find("R31", blame={"call": blamed(event), "emit": None}.get(event["op"], ["tool"]))
        getattr(self, f"on_{event['op']}")(event)

    def on_new(self, event):
        if self.made:
            self.find("R27", blame=["tool"])
        self.made.add(event["b"])

    def on_direct(self, event):
        self.find("R27", blame=["tool"])

    def on_work(self, event):
        pass

    def on_call(self, event):
        method, code, data = event["method"], event.get("code"), event.get("data")
        blame, place = blamed(event), f"/steps/{self.place}"
        if event["b"] not in self.made:
            self.find("R27", blame=blame)
        if method in FORBIDDEN_METHODS:
            self.find("R29", blame=blame)
        elif method not in METHODS:
            self.find("R28", blame=blame)
        elif method != "success" and code is None:
            self.find("R28", blame=blame)
        if event["b"] in self.frozen:
            self.find("R30", blame=blame)
            if self.pending is not None:
                self.find("R31", blame=blame)
            # What else is wrong with a call that must not be made at all.
            self.report.leave(CODE_LAWS + " R19", place)
            return
        if self.outcome is not None:
            self.find("R01", blame=blame)
        if code is not None and method in METHODS:
            judge_agreeing(self.report, code, METHODS[method], place, blame)
        elif code is not None:
            judge_code(self.report, code, place, blame=blame)
        if data is not None and not isinstance(data, dict):
            self.find("R19", blame=blame)
        if method not in METHODS:
            return
        if event["got"] == "reply":
            self.replies[self.place] = (METHODS[method], code)
            if method != "success":
                self.frozen.add(event["b"])
                self.pending = self.place

    def on_return(self, event):
        if self.outcome is not None:
            self.find("R01", blame=["tool"])
        if event.get("raw") is not None:
            self.find("R36", blame=["tool"])
            return
        callee = event.get("callee")
        if callee is None:
            # Asked here: an earlier step that breaks a law is the verdict, whatever follows.
            owed(event["of"] in self.replies)
            self.outcome = self.replies[event["of"]]
            self.pending = None
            return
        kind, code = callee["reply_type"], callee.get("code")
        if code is None:
            self.find("R19", blame=["tool"])
        self.judge_told(kind, code, ["tool"])
        self.outcome = (kind, code)

    def judge_told(self, kind, code, blame):
        """A type, and a code where there is one, as they are recorded."""
        if kind not in STATUS:
            self.find("R02", blame=blame)
            self.report.leave("R20", f"/steps/{self.place}")
        if code is not None:
            judge_agreeing(self.report, code, kind, f"/steps/{self.place}", blame)

    def on_throw(self, event):
        if self.outcome is not None:
            self.find("R01", blame=["tool"])
        self.outcome = "throw"

    def on_emit(self, event):
        kind, code = event["reply_type"], event.get("code")
        if kind not in STATUS:
            self.find("R02", blame=["wrapper"])
        if self.outcome is None or self.emitted:
            self.find("R01", blame=["wrapper"])
        elif self.outcome == "throw":
            if kind != "E":
                self.find("R35", blame=["wrapper"])
            self.judge_told(kind, code, ["wrapper"])
        elif kind != self.outcome[0] or code != self.outcome[1] and not (kind == "S" and None in (code, self.outcome[1])):
            self.find("R34", blame=["wrapper"])
        elif self.outcome[1] is None:
            # The returned reply showed no code that this one could be held to.
            self.judge_told(kind, code, ["wrapper"])
        self.emitted = True

    def end(self, place):
        self.place = place
        if self.outcome is None:
            self.find("R01", *(["R31"] if self.pending is not None else []), blame=["tool"])


@answering
def trace(document):
    """`reply.trace`."""
    value, report = read(document), Report()
    owed(isinstance(value, dict) and isinstance(value.get("steps"), list))
    steps = value["steps"]
    for event in steps:
        check_event(report, event)
    invocation = Invocation(report)
    for place, event in enumerate(steps):
        invocation.take(place, event)
        if report.findings:
            return report.answer({"first_illegal": place})
    invocation.end(len(steps))
    return report.answer({"first_illegal": len(steps) if report.findings else None})


# Tool result

KINDS = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": is_text,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": is_index,
}


def accepts(schema, value, root):
    """A small part of JSON Schema: type, const, enum, required, properties, additionalProperties, maxLength, pattern, anyOf, $ref."""
    if isinstance(schema, bool):
        return schema
    if "$ref" in schema:
        target = root
        for name in schema["$ref"].split("/")[1:]:
            target = target[name]
        if not accepts(target, value, root):
            return False
        if "draft-07" in root.get("$schema", ""):
            return True
    kinds = schema.get("type", list(KINDS))
    if not any(KINDS[kind](value) for kind in ([kinds] if is_text(kinds) else kinds)):
        return False
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        return False
    if is_text(value) and len(value) > schema.get("maxLength", len(value)):
        return False
    if is_text(value) and re.search(schema.get("pattern", ""), value) is None:
        return False
    if "anyOf" in schema and not any(accepts(one, value, root) for one in schema["anyOf"]):
        return False
    if not isinstance(value, dict):
        return True
    known = schema.get("properties", {})
    return all(name in value for name in schema.get("required", [])) and all(
        accepts(known.get(name, schema.get("additionalProperties", True)), item, root) for name, item in value.items()
    )


def sample(kind):
    error = None if kind == "S" else {"code": {"D": "EN-SYS-D-001"}.get(kind, f"MCP-SYS-{kind}-001")}
    meta = {"trace_id": "req-123", "duration_ms": 12}
    return {"status": STATUS[kind], "reply_type": kind, "data": {}, "meta": meta, "error": error}


def is_envelope(value):
    return isinstance(value, dict) and "reply_type" in value


def envelopes_in_text(content):
    """The envelopes among the text blocks, each with its place."""
    found = []
    for index, block in enumerate(content):
        if isinstance(block, dict) and block.get("type") == "text" and is_text(block.get("text")):
            try:
                value = read(block["text"].encode())
            except Rejected:
                continue
            if is_envelope(value):
                found.append((value, f"/response/result/content/{index}/text"))
    return found


def judge_schema(report, tool):
    schema = tool.get("outputSchema")
    if schema is not None:
        owed(isinstance(schema, dict))
        covers = all(accepts(schema, sample(kind), schema) for kind in STATUS)
        if schema.get("type") != "object" or not covers:
            report.find("M05", "/tool/outputSchema")


def carried(report, result, structured_allowed):
    """The envelope in a result and its place, or None."""
    content = result.get("content")
    place = "/response/result/structuredContent"
    texts = envelopes_in_text(content) if isinstance(content, list) else []
    if "structuredContent" not in result:
        if len(texts) != 1:
            report.find("M02", "/response/result/content")
        return texts[0] if texts else None
    structured = result["structuredContent"]
    if not structured_allowed:
        report.find("M02", place)
    if isinstance(structured, dict) and set(structured) == {"result"}:
        report.advise("M02", "the envelope is wrapped", place)
        structured, place = structured["result"], f"{place}/result"
    if not is_envelope(structured):
        report.find("M02", place)
        return texts[0] if texts else None
    for text, pointer in texts:
        if text != structured:
            report.find("M02", pointer)
    if not texts:
        report.advise("M04", "no text for clients that read nothing else", "/response/result/content")
    return structured, place


def judge_result(report, result, protocol_version):
    structured_allowed, typed = REVISIONS[protocol_version]
    place = "/response/result"
    if typed and result.get("resultType") != "complete":
        report.find("M01", f"{place}/resultType")
    if not result.keys() & {"content", "structuredContent", "isError"}:
        report.find("M01", place)
        return
    flag = result.get("isError", False)
    if not isinstance(flag, bool):
        report.find("M01", f"{place}/isError")
    if not isinstance(result.get("content"), list):
        report.find("M04", f"{place}/content")
    found = carried(report, result, structured_allowed)
    if found is not None:
        envelope, place = found
        judge_envelope(report, envelope, place)
        if isinstance(flag, bool) and envelope["reply_type"] in list(STATUS) and flag != (envelope["reply_type"] != "S"):
            report.find("M03", "/response/result/isError")


@answering
def tool_result(document):
    """`reply.tool_result`."""
    value = read(document)
    owed(isinstance(value, dict) and value.get("protocol_version") in list(REVISIONS))
    tool, response = value.get("tool"), value.get("response")
    owed(isinstance(tool, dict) and is_text(tool.get("name")) and isinstance(response, dict))
    report = Report()
    result = response.get("result")
    alone = isinstance(result, dict) and "error" not in response
    if alone and REVISIONS[value["protocol_version"]][1] and result.get("resultType") == "input_required":
        return report.answer(skip="input_required is not an outcome yet")
    in_scope = tool.get("listed", True) and tool.get("arguments_valid", True)
    if not in_scope and no_envelope(result):
        return report.answer(skip="the call never reached the tool")
    judge_schema(report, tool)
    if ("result" in response) == ("error" in response):
        report.find("M01", "/response")
    elif "error" in response:
        report.find("M07", "/response/error")
    elif not isinstance(result, dict):
        report.find("M01", "/response/result")
    else:
        judge_result(report, result, value["protocol_version"])
    return report.answer(skip=None)


def no_envelope(result):
    if not isinstance(result, dict):
        return True
    structured, content = result.get("structuredContent"), result.get("content")
    alone = isinstance(structured, dict) and set(structured) == {"result"}
    wrapped = structured["result"] if alone else None
    texts = envelopes_in_text(content) if isinstance(content, list) else []
    return not is_envelope(structured) and not is_envelope(wrapped) and not texts


# Source


SITE = ("file", "line", "receiver", "method", "code", "returned")


def check_site(report, site):
    owed(isinstance(site, dict) and is_text(site.get("file")) and is_index(site.get("line")))
    owed(isinstance(site.get("returned"), bool))
    owed(all(site.get(name) is None or is_text(site[name]) for name in ("receiver", "method", "code")))
    # Only of the code it is said that it may be null, and of none that it may be absent or empty.
    report.refusable = report.refusable or not set(SITE) <= set(site) or site["file"] == ""


def judge_site(report, site, one, pointer):
    receiver, method, code = (site.get(name) for name in ("receiver", "method", "code"))
    if receiver is None:
        report.find("R36", pointer)
        # What else is told of a site that has no reply to judge.
        report.leave("R17 R18 R27 R28 R29 R31 " + CODE_LAWS, pointer)
        return
    if code is not None:
        segment = judge_code(report, code, pointer, declared(one))
        if receiver is not None and method in METHODS and segment in STATUS and segment != METHODS[method]:
            report.find("R20", pointer)
        judge_use(report, code, one, pointer)
        # Legacy is a matter of registries and of what they list as used; a site may be told of it besides.
        if code.partition("-")[0] not in LAYERS:
            report.leave("R17 R18" if is_registered(code, one) else "R18", pointer)
    if method is None:
        report.find("R27", pointer)
    elif method in FORBIDDEN_METHODS:
        report.find("R29", pointer)
    elif method not in METHODS:
        report.find("R28", pointer)
    elif method != "success":
        if code is None:
            report.find("R28", pointer)
        if site["returned"] is False:
            report.find("R31", pointer)


@answering
def source(document):
    """`reply.source`."""
    value, report = read(document), Report()
    owed(isinstance(value, dict) and isinstance(value.get("call_sites"), list))
    check_registries(report, value.get("registry"))
    for site in value["call_sites"]:
        check_site(report, site)
    for index, site in enumerate(value["call_sites"]):
        judge_site(report, site, value["registry"]["registries"][0], f"/call_sites/{index}")
    return report.answer()


OPERATIONS = {
    "reply.code": reply.code,
    "reply.registry": reply_registry.registry,
    "reply.envelope": reply.envelope,
    "reply.trace": trace,
    "reply.tool_result": tool_result,
    "reply.source": source,
    "reply.action": reply_make.action,
    "reply.build": reply_make.build,
    "reply.wrap": reply_make.wrap,
}


def ask(operation, document):
    """The answer to an operation, as a JSON text; what is not Unicode text in a pointer is replaced."""
    return re.sub("[\ud800-\udfff]", "\ufffd", json.dumps(OPERATIONS[operation](document), ensure_ascii=False))
