import functools
import time
import uuid

from .builder import ReplyBuilder


def mcp_safe_tool(tool):
    @functools.wraps(tool)
    def run(*args, **kwargs):
        began = time.monotonic()
        try:
            reply = tool(*args, **kwargs)
        except Exception as crash:
            reply = crashed(crash)
        return envelope(reply, began)

    def crashed(crash):
        return ReplyBuilder().error("MCP-SYS-E-001", data={"kind": type(crash).__name__})

    return run


def envelope(reply, began):
    return {
        "status": "success" if reply.reply_type == "S" else "error",
        "reply_type": reply.reply_type,
        "data": reply.data,
        "meta": {"trace_id": str(uuid.uuid4()), "duration_ms": time.monotonic() - began},
        "error": None,
    }
