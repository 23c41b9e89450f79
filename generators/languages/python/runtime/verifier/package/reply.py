"""Guards at run time for tools that answer with replies: one builder, and one wrapper that makes the envelope.

Canonical Reply System Architecture, sections 9 to 12; ruling RE-44. What a call gives, what it raises and how an
envelope looks is decided in the core alone (`reply.build`, `reply.wrap`, `reply.envelope`); here a trace id is made and
time is measured, which the core cannot do.

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
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ParamSpec, overload

from . import verifier
from .verifier.errors import AssizeError

__all__ = ["Reply", "ReplyBuilder", "ReplyError", "mcp_safe_tool"]

Envelope = dict[str, Any]
P = ParamSpec("P")


class ReplyError(RuntimeError):
    """A call that gives no reply: its code is none, of another type or not registered, or the builder is frozen."""


@dataclass(frozen=True)
class Reply:
    """What a tool returns; a builder alone makes one."""

    reply_type: str
    code: str
    data: Any
    _calls: tuple[Mapping[str, Any], ...] = field(repr=False, compare=False)
    _registry: Any = field(repr=False, compare=False)


class ReplyBuilder:
    """Makes the replies of one invocation. After `invalid`, `denied` or `error` it is frozen, and every call raises."""

    def __init__(self, registry: Any = None) -> None:
        """A registry, as `json.load` gives it, says which codes there are."""
        self._registry = registry
        self._calls: tuple[Mapping[str, Any], ...] = ()

    def success(self, data: Any = None, code: str | None = None) -> Reply:
        """The operation was done. Not terminal; what is only told is a success too."""
        return self._call("success", data, code)

    def invalid(self, code: str, data: Any = None) -> Reply:
        """The request is malformed, or not executable as stated. Return it at once."""
        return self._call("invalid", data, code)

    def denied(self, code: str, data: Any = None) -> Reply:
        """Governance refuses a valid request. Return it at once."""
        return self._call("denied", data, code)

    def error(self, code: str, data: Any = None) -> Reply:
        """The system failed. Return it at once."""
        return self._call("error", data, code)

    def _call(self, method: str, data: Any, code: str | None) -> Reply:
        given = {"method": method, "code": code, "data": data}
        calls = (*self._calls, {name: value for name, value in given.items() if value is not None})
        said = verifier.reply_build(script=_script(self._registry, calls, {}))
        result = said.results[-1] if isinstance(said, verifier.ReplyBuildAccepted) else {"got": "raised"}
        if result["got"] == "raised":
            raise ReplyError(f"{method}({code!r}) gives no reply here")
        self._calls = calls
        return Reply(result["reply_type"], result["code"], data, calls, self._registry)


@overload
def mcp_safe_tool(tool: Callable[P, Awaitable[Reply]]) -> Callable[P, Awaitable[Envelope]]: ...


@overload
def mcp_safe_tool(tool: Callable[P, Reply]) -> Callable[P, Envelope]: ...


def mcp_safe_tool(tool: Callable[P, Any]) -> Callable[P, Any]:
    """Wraps a tool, which returns a `Reply`: what is called gives the envelope.

    An exception that the tool lets escape, or a value that is no reply, becomes an envelope of type E. Signature and
    documentation are the tool's, so that a server's own decorator may stand above. AssizeError where the core finds the
    envelope unlawful.
    """
    if inspect.iscoroutinefunction(tool):

        @functools.wraps(tool)
        async def run_later(*args: P.args, **named: P.kwargs) -> Envelope:
            began = time.perf_counter()
            try:
                said = await tool(*args, **named)
            except Exception as error:
                said = error
            return _envelope(said, began)

        return _signed(run_later, tool)

    @functools.wraps(tool)
    def run(*args: P.args, **named: P.kwargs) -> Envelope:
        began = time.perf_counter()
        try:
            said = tool(*args, **named)
        except Exception as error:
            said = error
        return _envelope(said, began)

    return _signed(run, tool)


def _signed(wrapper: Callable[P, Any], tool: Callable[P, Any]) -> Callable[P, Any]:
    """Says that the wrapper gives an envelope, as a server reads it."""
    signature = inspect.signature(tool).replace(return_annotation=Envelope)
    vars(wrapper)["__signature__"] = signature
    wrapper.__annotations__ = {**tool.__annotations__, "return": Envelope}
    return wrapper


def _envelope(said: Any, began: float) -> Envelope:
    if isinstance(said, Reply):
        script = _script(said._registry, said._calls, {"return": len(said._calls) - 1})
    else:
        text = f"{type(said).__name__}: {said}" if isinstance(said, Exception) else f"{type(said).__name__} is no reply"
        script = _script(None, (), {"throw": text.encode("utf-8", "backslashreplace").decode("utf-8")})
    made = verifier.reply_wrap(script=script)
    if isinstance(made, verifier.Rejected):
        raise AssizeError(f"there is no envelope: {sorted(made.codes)}")
    envelope: Envelope = json.loads(made.envelopes[0])
    if isinstance(said, Reply) and said.data is not None:
        # As the tool gave it, in whatever spelling.
        envelope["data"] = said.data
    envelope["meta"]["trace_id"] = uuid.uuid4().hex
    envelope["meta"]["duration_ms"] = round((time.perf_counter() - began) * 1000, 3)
    judged = verifier.reply_envelope(envelope=json.dumps(envelope))
    if isinstance(judged, verifier.Rejected):
        raise AssizeError(f"the envelope is unlawful: {sorted(judged.codes)}")
    return envelope


def _script(registry: Any, calls: tuple[Mapping[str, Any], ...], more: Mapping[str, Any]) -> str:
    script: dict[str, Any] = {"calls": list(calls), **more}
    if registry is not None:
        script["registry"] = registry
    try:
        return json.dumps(script, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ReplyError(f"what has no JSON form is in no reply: {error}") from error
