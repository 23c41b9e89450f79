"""Tools whose builder is used in a wrong order, or not at all."""

import json

from mcp import server as mcp

from reply import Reply, ReplyBuilder
from reply import mcp_safe_tool as safe


@mcp.tool()
@safe
def forbidden(name: str):
    rb = ReplyBuilder()
    rb.info("begun")  # fault: reply/no-forbidden-methods
    warn = rb.warn
    warn("slow")  # fault: reply/no-forbidden-methods
    getattr(rb, "fail")("WA-READ-E-001")  # fault: reply/no-forbidden-methods
    rb.partial({"name": name})  # fault: reply/builder-api
    return rb.success({"name": name})


@mcp.tool()
@safe
def late(name: str):
    rb = ReplyBuilder()
    if name == "a":
        reply = rb.error("WA-READ-E-001")  # fault: reply/terminal-return
        print("failed")
        return reply
    if name == "b":
        rb.error("WA-READ-E-001")  # fault: reply/terminal-return
        return rb.success()  # fault: reply/terminal-freeze
    if name == "c":
        reply = rb.error("WA-READ-E-001")
        return reply
    if name == "d":
        reply = rb.denied("EN-WRITE-D-001")
    elif name == "e":
        reply = rb.success()
    else:
        reply = rb.invalid("WA-RES-I-001")
    return reply


@mcp.tool()
@safe
def second(name: str):
    rb = ReplyBuilder()
    if name:
        return rb.invalid("WA-RES-I-001")
    other = ReplyBuilder()  # fault: reply/single-builder
    return other.success()


@mcp.tool()
@safe
def direct(name: str):
    if name:
        return Reply("S", "WA-RES-S-001", {})  # fault: reply/single-builder
    return {  # fault: reply/envelope-separation reply/no-raw-return
        "status": "success",
        "reply_type": "S",
        "data": {},
        "meta": {},
        "error": None,
    }


@mcp.tool()
@safe
def raw(name: str):
    rb = ReplyBuilder()
    if name == "text":
        return "done"  # fault: reply/no-raw-return
    if name == "dictionary":
        answer = {"done": True}
        return answer  # fault: reply/no-raw-return
    if name == "json":
        return json.dumps({"done": True})  # fault: reply/no-raw-return
    if name == "nothing":
        return  # fault: reply/no-raw-return
    return rb.success() if name else None  # fault: reply/no-raw-return


@mcp.tool()
@safe
def forgetful(name: str):  # fault: reply/no-raw-return
    rb = ReplyBuilder()
    rb.success({"name": name})


@mcp.tool()
def unsafe(name: str):  # fault: reply/crash-is-error
    return ReplyBuilder().success({"name": name})


@safe
@mcp.tool()
def outside(name: str):  # fault: reply/crash-is-error
    return ReplyBuilder().success({"name": name})
