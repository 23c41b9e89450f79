"""Guards at run time for tools that answer with replies: one builder, and one wrapper that makes the envelope.

Canonical Reply System Architecture, sections 9 to 12; ruling RE-44. What a call gives, what it raises and how an
envelope looks is the core's answer (`reply.build`, `reply.wrap`, `reply.envelope`). Here a trace id is made and time
is measured, which the core cannot do; and it is remembered which call of an invocation was terminal, which the next
question tells the core.

    @server.tool()
    @mcp_safe_tool
    def read(path: str) -> Reply:
        rb = ReplyBuilder()
        if path.startswith("/"):
            return rb.denied("EN-RES-D-001", {"path": path})
        return rb.success({"text": ...})
"""

from __future__ import annotations

import functools
import inspect
import json
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, ParamSpec, overload

from . import verifier
from .verifier.errors import AssizeError

__all__ = ["Reply", "ReplyBuilder", "ReplyError", "mcp_safe_tool"]

Envelope = dict[str, Any]
P = ParamSpec("P")

# Characters of an exception that are told.
_TOLD = 10_000


class ReplyError(RuntimeError):
    """A call that gives no reply.

    Its code is none, of another type or not registered, its data has no JSON form, or the builder is frozen.
    """


class _Invocation:
    """What the builders of one invocation share."""

    def __init__(self) -> None:
        # Whether a call gave a reply, and the terminal one, after which none does.
        self.called = False
        self.terminal: _Call | None = None


@dataclass(frozen=True)
class _Call:
    method: str
    code: str | None
    # JSON texts, which nobody can change later.
    data: str | None
    registry: str | None

    def text(self, with_data: bool = True) -> str:
        members = {"method": json.dumps(self.method)}
        if self.code is not None:
            members["code"] = _json(self.code)
        if with_data and self.data is not None:
            members["data"] = self.data
        return "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"


# The invocation that a wrapper runs.
_RUNNING: ContextVar[_Invocation | None] = ContextVar("invocation", default=None)


@contextmanager
def _running(of: _Invocation) -> Iterator[None]:
    before = _RUNNING.get()
    _RUNNING.set(of)
    try:
        yield
    finally:
        # A coroutine that nobody awaits to its end may be closed while another invocation runs.
        if _RUNNING.get() is of:
            _RUNNING.set(before)


@dataclass(frozen=True)
class Reply:
    """What a tool returns; a builder alone makes one that a wrapper takes."""

    reply_type: str
    code: str
    _call: _Call = field(repr=False, compare=False)
    _of: _Invocation = field(repr=False, compare=False)

    @property
    def data(self) -> Any:
        """A copy of the data as it was at the call."""
        return None if self._call.data is None else json.loads(self._call.data)


class ReplyBuilder:
    """Makes the replies of one invocation. After `invalid`, `denied` or `error` it is frozen, and every call raises.

    Inside `mcp_safe_tool` all builders of an invocation, and all copies of one, are frozen together.
    """

    def __init__(self, registry: Any = None) -> None:
        """A registry, as `json.load` gives it, says which codes there are; ReplyError for what has no JSON form."""
        self._registry = None if registry is None else _json(registry)
        self._of = _RUNNING.get() or _Invocation()

    def __copy__(self) -> ReplyBuilder:
        return self

    def __deepcopy__(self, _: Any) -> ReplyBuilder:
        return self

    def __reduce__(self) -> str:
        raise TypeError("a builder is not pickled: what came of it would not be frozen with it")

    def success(self, data: Any = None, code: str | None = None) -> Reply:
        """The operation was done. Not terminal; what is only told is a success too."""
        return self._make("success", data, code)

    def invalid(self, code: str, data: Any = None) -> Reply:
        """The request is malformed, or not executable as stated. Return it at once."""
        return self._make("invalid", data, code)

    def denied(self, code: str, data: Any = None) -> Reply:
        """Governance refuses a valid request. Return it at once."""
        return self._make("denied", data, code)

    def error(self, code: str, data: Any = None) -> Reply:
        """The system failed. Return it at once."""
        return self._make("error", data, code)

    def _make(self, method: str, data: Any, code: str | None) -> Reply:
        of = _RUNNING.get() or self._of
        call = _Call(method, code, None if data is None else _json(data), self._registry)
        # What a call gives depends on itself and on a terminal one before it, which was one by its own registry.
        before = of.terminal
        if before is None:
            said = verifier.reply_build(script=_script(call.registry, [call.text()]))
        else:
            said = verifier.reply_build(script=_script(before.registry, [before.text(False), call.text()]))
        result = said.results[-1] if isinstance(said, verifier.ReplyBuildAccepted) else {"got": "raised"}
        if result["got"] == "raised":
            raise ReplyError(f"{method}({code!r}) gives no reply here")
        of.called = True
        if result["reply_type"] != "S":
            of.terminal = call
        return Reply(result["reply_type"], result["code"], call, of)


@overload
def mcp_safe_tool(tool: Callable[P, Awaitable[Reply]]) -> Callable[P, Awaitable[Envelope]]: ...


@overload
def mcp_safe_tool(tool: Callable[P, Reply]) -> Callable[P, Envelope]: ...


def mcp_safe_tool(tool: Callable[P, Any]) -> Callable[P, Any]:
    """Wraps a tool, which returns a `Reply`: what is called gives the envelope, and raises no Exception.

    An exception that the tool lets escape becomes an envelope of type E, as does a value that is no reply of this
    invocation, or a reply beside which there is a terminal one. Signature and documentation are the tool's, so that a
    server's own decorator may stand above. A tool may be a function, a method, a partial or an object that is called;
    where it gives an awaitable, that is awaited.
    """
    if inspect.iscoroutinefunction(_function(tool)):

        async def run_later(*args: P.args, **named: P.kwargs) -> Envelope:
            return await _finish(lambda: tool(*args, **named), _Invocation(), time.perf_counter())

        return _signed(run_later, tool)

    def run(*args: P.args, **named: P.kwargs) -> Any:
        of, began = _Invocation(), time.perf_counter()
        with _running(of):
            try:
                said = tool(*args, **named)
                waits = inspect.isawaitable(said)
            except Exception as error:
                said, waits = error, False
        return _finish(lambda: said, of, began) if waits else _envelope(said, of, began)

    return _signed(run, tool)


async def _finish(tool: Callable[[], Any], of: _Invocation, began: float) -> Envelope:
    with _running(of):
        try:
            said = await tool()
        except Exception as error:
            said = error
    return _envelope(said, of, began)


def _signed(wrapper: Callable[P, Any], tool: Callable[P, Any]) -> Callable[P, Any]:
    """Says what the tool is, and that an envelope comes of it, as a server reads it."""
    of, function = _unbound(tool), _function(tool)
    functools.update_wrapper(wrapper, of, updated=())
    wrapper.__name__ = getattr(of, "__name__", type(of).__name__)
    vars(wrapper)["__wrapped__"] = function
    vars(wrapper)["__signature__"] = inspect.signature(tool).replace(return_annotation=Envelope)
    wrapper.__annotations__ = {**inspect.get_annotations(function), "return": Envelope}
    return wrapper


def _unbound(tool: Callable[P, Any]) -> Callable[P, Any]:
    while isinstance(tool, functools.partial):
        tool = tool.func
    return tool


def _function(tool: Callable[P, Any]) -> Callable[P, Any]:
    """What is called in the end: a function, or the method by which an object is called."""
    of = _unbound(tool)
    return of if inspect.isroutine(of) else type(of).__call__


def _envelope(said: Any, of: _Invocation, began: float) -> Envelope:
    """The envelope of what a tool gave or raised; whatever is wrong with that, there is one."""
    meta = {"trace_id": uuid.uuid4().hex, "duration_ms": round((time.perf_counter() - began) * 1000, 3)}
    try:
        if isinstance(said, Reply):
            return _lawful(_of_reply(said, of), meta)
    except Exception as error:
        said = error
    try:
        text = f": {str(said)[:_TOLD]}" if isinstance(said, Exception) else " is no reply"
        text = (type(said).__name__ + text).encode("utf-8", "backslashreplace").decode("utf-8")
        return _lawful(_wrapped(_script(None, [], throw=_json(text))), meta)
    except Exception:
        # What an escaped exception gives, of which nothing could be told.
        return {"status": "error", "reply_type": "E", "data": {}, "meta": meta, "error": {"code": "MCP-SYS-E-001"}}


def _of_reply(reply: Reply, of: _Invocation) -> Envelope:
    call = reply._call
    # Of another invocation, perhaps of a thread that this one started, a reply is taken where there is no other.
    if reply._of is not of and of.called:
        raise ReplyError("the reply is of another invocation")
    terminal = reply._of.terminal
    if terminal is not None and terminal is not call:
        raise ReplyError(f"{terminal.method}({terminal.code!r}) was called, and another reply is returned")
    envelope = _wrapped(_script(call.registry, [call.text()], **{"return": "0"}))
    if call.data is not None:
        # As the tool gave it, in whatever spelling.
        envelope["data"] = reply.data
    return envelope


def _wrapped(script: str) -> Envelope:
    made = verifier.reply_wrap(script=script)
    if isinstance(made, verifier.Rejected):
        raise AssizeError(f"there is no envelope: {sorted(made.codes)}")
    envelope: Envelope = json.loads(made.envelopes[0])
    return envelope


def _lawful(envelope: Envelope, meta: Envelope) -> Envelope:
    envelope["meta"].update(meta)
    judged = verifier.reply_envelope(envelope=_json(envelope))
    if isinstance(judged, verifier.Rejected):
        raise AssizeError(f"the envelope is unlawful: {sorted(judged.codes)}")
    return envelope


def _script(registry: str | None, calls: list[str], **more: str) -> str:
    members = {"calls": f"[{','.join(calls)}]", **more}
    if registry is not None:
        members["registry"] = registry
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"


def _json(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ReplyError(f"what has no JSON form is in no reply: {error}") from error
