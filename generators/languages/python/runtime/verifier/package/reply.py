"""Guards at run time for tools that answer with replies: one builder, and one wrapper that makes the envelope.

Canonical Reply System Architecture, sections 9 to 12; ruling RE-44. What a call gives, what it raises and how an
envelope looks is the core's answer (`reply.build`, `reply.wrap`, `reply.envelope`). Here a trace id is made and time
is measured, which the core cannot do; and it is remembered which call of an invocation was terminal, which the next
question tells the core.

    @server.tool()
    @mcp_safe_tool(result=CallToolResult)
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
import logging
import sys
import time
import traceback
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

from . import verifier
from .verifier.errors import AssizeError

__all__ = ["Reply", "ReplyBuilder", "ReplyError", "mcp_safe_tool"]

Envelope = dict[str, Any]
P = ParamSpec("P")
R = TypeVar("R")

# Characters of an exception that are told to the core, and to the log with its traceback.
_TOLD = 10_000
_LOGGED = 100_000

# Levels of an envelope that a server is given: the protocol's library never answers with more than some 250.
_LEVELS = 200

_LOG = logging.getLogger(__name__)


class ReplyError(RuntimeError):
    """A call that gives no reply.

    Its code is none, of another type or not registered, its data has no JSON form, or the builder is frozen.
    """


class _Invocation:
    """What the builders of one invocation share."""

    def __init__(self, registry: str | None = None) -> None:
        # Whether a call gave a reply, and the terminal one, after which none does.
        self.called = False
        self.terminal: _Call | None = None
        # The first call that gave none.
        self.refused: ReplyError | None = None
        # The one registry: what the wrapper was given, or the first builder that has one.
        self.registry = registry


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
        """A registry, as `json.load` gives it, says which codes there are; without one it is that of the invocation.

        ReplyError for what is no registry.
        """
        self._registry = _known(registry)
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
        try:
            return self._made(of, method, data, code)
        except ReplyError as error:
            of.refused = of.refused or error
            raise

    def _made(self, of: _Invocation, method: str, data: Any, code: str | None) -> Reply:
        registry = of.registry if self._registry is None else self._registry
        of.registry = of.registry or registry
        if registry != of.registry:
            raise ReplyError("there is another registry in this invocation")
        call = _Call(method, code, None if data is None else _json(data), registry)
        # What a call gives depends on itself and on a terminal one before it, which was one by its own registry.
        before = of.terminal
        result = _built(call, call.registry) if before is None else _built(call, before.registry, before.text(False))
        of.called = True
        if result["reply_type"] != "S":
            of.terminal = call
        return Reply(result["reply_type"], result["code"], call, of)


@dataclass(frozen=True)
class _Guard(Generic[R]):
    """What `mcp_safe_tool` was told."""

    result: Callable[..., R] | None
    structured: bool
    registry: str | None
    loud: bool | None

    @overload
    def __call__(self, tool: Callable[P, Awaitable[Reply]], /) -> Callable[P, Awaitable[R]]: ...

    @overload
    def __call__(self, tool: Callable[P, Reply], /) -> Callable[P, R]: ...

    def __call__(self, tool: Callable[P, Any], /) -> Callable[P, Any]:
        if inspect.iscoroutinefunction(_function(tool)):

            async def run_later(*args: P.args, **named: P.kwargs) -> R:
                return await self._finish(lambda: tool(*args, **named), _Invocation(self.registry), time.perf_counter())

            return self._signed(run_later, tool)

        def run(*args: P.args, **named: P.kwargs) -> Any:
            of, began = _Invocation(self.registry), time.perf_counter()
            with _running(of):
                try:
                    said = tool(*args, **named)
                    waits = inspect.isawaitable(said)
                except (Exception, SystemExit) as error:
                    said, waits = error, False
            return self._finish(lambda: said, of, began) if waits else self._end(said, of, began)

        return self._signed(run, tool)

    async def _finish(self, tool: Callable[[], Any], of: _Invocation, began: float) -> R:
        with _running(of):
            try:
                said = await tool()
            except (Exception, SystemExit) as error:
                said = error
        return self._end(said, of, began)

    def _end(self, said: Any, of: _Invocation, began: float) -> R:
        """What a server gets of what a tool gave or raised; whatever is wrong with that, there is something lawful."""
        meta = {"trace_id": uuid.uuid4().hex, "duration_ms": round((time.perf_counter() - began) * 1000, 3)}
        loud = _development() if self.loud is None else self.loud
        try:
            if loud and of.refused is not None and isinstance(said, Reply):
                raise of.refused
            return self._lawful(_of_said(said, of), meta)
        except (Exception, SystemExit) as error:
            broken = error
        # A log that breaks is no reason for a tool to give nothing.
        with suppress(Exception, SystemExit):
            _LOG.error("trace %s: %s", meta["trace_id"], _at_length(broken))
        if loud:
            raise broken
        try:
            return self._lawful(_of_crash(broken, of.registry), meta)
        except (Exception, SystemExit):
            # What an escaped exception gives, of which nothing could be told.
            error_alone = {"code": "MCP-SYS-E-001"}
            return self._sent({"status": "error", "reply_type": "E", "data": {}, "meta": meta, "error": error_alone})

    def _lawful(self, envelope: Envelope, meta: Envelope) -> R:
        envelope["meta"].update(meta)
        sent = self._sent(envelope)
        judged: object
        if self.result is None:
            judged = verifier.reply_envelope(envelope=_json(envelope))
        else:
            judged = verifier.reply_tool_result(result=_question(sent, self.structured))
        if isinstance(judged, verifier.Rejected):
            raise AssizeError(f"what the tool gives is unlawful: {sorted(judged.codes)}")
        return sent

    def _sent(self, envelope: Envelope) -> R:
        if self.result is None:
            return cast(R, envelope)
        text = json.dumps(envelope, allow_nan=False, ensure_ascii=False)
        if _levels(envelope) > _LEVELS:
            raise ReplyError(f"what is nested deeper than {_LEVELS} levels is in no result")
        content = [{"type": "text", "text": text}]
        parts: Envelope = {"structuredContent": envelope} if self.structured else {}
        return self.result(content=content, isError=envelope["reply_type"] != "S", **parts)

    def _signed(self, wrapper: Callable[P, Any], tool: Callable[P, Any]) -> Callable[P, Any]:
        """Says what the tool is, and what comes of it, as a server reads it."""
        of = _unbound(tool)
        # Of an object that is called the members are its own, and no marks for a server.
        functools.update_wrapper(wrapper, of, updated=("__dict__",) if inspect.isroutine(of) else ())
        wrapper.__name__ = getattr(of, "__name__", type(of).__name__)
        vars(wrapper)["__wrapped__"] = _function(tool)
        # From an envelope, and from nothing else, a server of the protocol's library makes an output schema.
        gives: Any = Envelope if self.structured or not isinstance(self.result, type) else self.result
        signature = _signature(tool).replace(return_annotation=gives)
        vars(wrapper)["__signature__"] = signature
        named = {name: by.annotation for name, by in signature.parameters.items() if by.annotation is not by.empty}
        wrapper.__annotations__ = {**named, "return": gives}
        return wrapper


@overload
def mcp_safe_tool(tool: Callable[P, Awaitable[Reply]], /) -> Callable[P, Awaitable[Envelope]]: ...


@overload
def mcp_safe_tool(tool: Callable[P, Reply], /) -> Callable[P, Envelope]: ...


@overload
def mcp_safe_tool(*, registry: Any = None, loud: bool | None = None) -> _Guard[Envelope]: ...


@overload
def mcp_safe_tool(
    *, result: Callable[..., R], structured: bool = True, registry: Any = None, loud: bool | None = None
) -> _Guard[R]: ...


def mcp_safe_tool(
    tool: Any = None,
    /,
    *,
    result: Callable[..., Any] | None = None,
    structured: bool = True,
    registry: Any = None,
    loud: bool | None = None,
) -> Any:
    """Wraps a tool, which returns a `Reply`: what is called gives the envelope, and raises no Exception.

    An exception that the tool lets escape becomes an envelope of type E, as does a value that is no reply of this
    invocation, or a reply beside which there is a terminal one; the log has what it was, under the trace id. Signature
    and documentation are the tool's, so that a server's own decorator may stand above. A tool may be a function, a
    method, a partial or an object that is called; where it gives an awaitable, that is awaited.

    A server wants more than an envelope: `result` makes its result of `content`, `structuredContent` and `isError`, as
    `CallToolResult` of the protocol's library does, or `dict`. Without it such a server says of every type that it is
    no error. `structuredContent` came with 2025-06-18: for clients of earlier revisions there is `structured=False`.
    What 2026-07-28 asks for besides, `resultType`, the library adds, and `dict` does not. It is known from 1.20 on.

    `registry`, as `json.load` gives it, says which codes the builders of the tool take. While `loud`, which is Python's
    development mode (`python3 -X dev`) where nothing is said, what would become an E is raised instead, and so is what
    a builder refused, also where the tool has caught it.
    """
    guard = _Guard(result, structured, _known(registry), loud)
    return guard if tool is None else guard(tool)


def _development() -> bool:
    return sys.flags.dev_mode


def _unbound(tool: Callable[P, Any]) -> Callable[P, Any]:
    while isinstance(tool, functools.partial):
        tool = tool.func
    return tool


def _function(tool: Callable[P, Any]) -> Callable[P, Any]:
    """What is called in the end: a function, or the method by which an object is called."""
    of = _unbound(tool)
    return of if inspect.isroutine(of) else type(of).__call__


def _signature(tool: Callable[P, Any]) -> inspect.Signature:
    """With types, and not with their names, which a server would not look up where the tool was written."""
    try:
        return inspect.signature(tool, eval_str=True)
    except Exception:
        return inspect.signature(tool)


def _of_said(said: Any, of: _Invocation) -> Envelope:
    if isinstance(said, BaseException):
        raise said
    if not isinstance(said, Reply):
        raise ReplyError(f"{type(said).__name__} is no reply")
    call = said._call
    # Of another invocation, perhaps of a thread that this one started, a reply is taken where there is no other.
    if said._of is not of and of.called:
        raise ReplyError("the reply is of another invocation")
    terminal = said._of.terminal
    if terminal is not None and terminal is not call:
        raise ReplyError(f"{terminal.method}({terminal.code!r}) was called, and another reply is returned")
    # One that was made where the invocation is not known, in a thread, is held to the registry of the invocation too.
    registry = call.registry if of.registry is None else of.registry
    if call.registry != registry:
        if call.registry is not None:
            raise ReplyError("the reply is made by another registry")
        _built(call, registry)
    envelope = _wrapped(_script(registry, [call.text()], **{"return": "0"}))
    if call.data is not None:
        # As the tool gave it, in whatever spelling.
        envelope["data"] = said.data
    return envelope


def _of_crash(broken: BaseException, registry: str | None) -> Envelope:
    text = f"{type(broken).__name__}: {str(broken)[:_TOLD]}".encode("utf-8", "backslashreplace").decode("utf-8")
    return _wrapped(_script(registry, [], throw=_json(text)))


def _at_length(broken: BaseException) -> str:
    try:
        # What it is stands at its end, behind its causes.
        return "".join(traceback.format_exception(broken))[-_LOGGED:]
    except (Exception, SystemExit):
        return type(broken).__name__


def _built(call: _Call, registry: str | None, *before: str) -> dict[str, Any]:
    """What the core makes of a call, by a registry and after others."""
    said = verifier.reply_build(script=_script(registry, [*before, call.text()]))
    if isinstance(said, verifier.Rejected):
        raise ReplyError(f"{call.method}({call.code!r}) is no call: {sorted(said.codes)}")
    result: dict[str, Any] = said.results[-1]
    if result["got"] == "raised":
        raise ReplyError(f"{call.method}({call.code!r}) gives no reply here")
    return result


def _wrapped(script: str) -> Envelope:
    made = verifier.reply_wrap(script=script)
    if isinstance(made, verifier.Rejected):
        raise AssizeError(f"there is no envelope: {sorted(made.codes)}")
    envelope: Envelope = json.loads(made.envelopes[0])
    return envelope


def _levels(value: Any) -> int:
    levels, row = 0, [value]
    while row:
        levels += 1
        row = [inner for outer in row for inner in _inside(outer)]
    return levels


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _question(sent: Any, structured: bool) -> str:
    """Whether a result is lawful, as a library writes it that has a way of its own."""
    dump = getattr(sent, "model_dump_json", None)
    text = _json(sent) if dump is None else dump(by_alias=True, exclude_none=True)
    revision = "2025-06-18" if structured else "2024-11-05"
    response = f'{{"jsonrpc":"2.0","id":0,"result":{text}}}'
    return f'{{"protocol_version":"{revision}","tool":{{"name":"tool"}},"response":{response}}}'


def _script(registry: str | None, calls: list[str], **more: str) -> str:
    members = {"calls": f"[{','.join(calls)}]", **more}
    if registry is not None:
        members["registry"] = registry
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"


def _known(registry: Any) -> str | None:
    """A registry in one spelling, so that equal ones are the same; ReplyError for what is none."""
    if registry is None:
        return None
    return _held(_json(registry, sort_keys=True))


@functools.lru_cache(maxsize=16)
def _held(registry: str) -> str:
    """The same; a registry that builders are given at every invocation is looked at once."""
    said = verifier.reply_build(script=_script(registry, []))
    if isinstance(said, verifier.Rejected):
        raise ReplyError(f"this is no registry: {sorted(said.codes)}")
    return registry


def _json(value: Any, sort_keys: bool = False) -> str:
    try:
        return json.dumps(value, allow_nan=False, sort_keys=sort_keys)
    except (TypeError, ValueError, RecursionError) as error:
        raise ReplyError(f"what has no JSON form is in no reply: {error}") from error
