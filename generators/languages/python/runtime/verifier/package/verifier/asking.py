"""From a call to a frame, and from a frame to a result. Nothing is decided here."""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import _core
from ..answers import Json
from ..jsontext import Number
from .errors import FaultError, LimitError, QuestionError, UnsupportedError
from .trees import Changes, Content, Directory, Files, Link, read_tree

# Systems that a replay result may name, by what Python calls them.
_PLATFORMS = {"darwin": "macos", "linux": "linux", "win32": "windows"}

# A number of more digits is kept as its token: `int` refuses it.
_DIGITS = 4000


@dataclass(frozen=True)
class JsonText:
    """An argument as JSON text, which keeps the spelling of its numbers."""

    text: str


@dataclass(frozen=True)
class Rejected:
    """The verifier refuses: a judgement, which an exception never is.

    codes: A set.
    out: Outputs by name, where a rejection has some.
    changes: What the operation changed of its files.
    """

    codes: frozenset[str]
    out: Mapping[str, Json] = field(default_factory=dict)
    changes: Changes = field(default_factory=dict)


@dataclass(frozen=True)
class Said:
    """An acceptance."""

    out: Mapping[str, Json]
    changes: Changes

    def output(self, name: str) -> Any:
        """An output, or None where it is absent."""
        return self.out.get(name)


def ask(
    op: str,
    args: Mapping[str, Json | JsonText | None],
    docs: Mapping[str, Content | None],
    kinds: Mapping[str, str],
    files: Files | None = None,
) -> Said | Rejected:
    """Puts a question to the core. `kinds` says of each output whether it is a `doc`, `bytes` or a `value`."""
    said = read(_core.answer(frame(op, args, docs, files)))
    kind = said.get("t")
    if kind == "error":
        if said["kind"] in ("size", "depth"):
            raise LimitError(said["kind"], said["message"])
        raise QuestionError(said["message"])
    if kind == "unsupported":
        raise UnsupportedError(f"the core does not answer {said['feature']}")
    if kind != "answer":
        raise FaultError(f"{said.get('kind')}: {said.get('message')}")
    out = {name: _output(kinds.get(name, "value"), value) for name, value in said.get("out", {}).items()}
    changes = {path: _change(change) for path, change in said.get("files", {}).items()}
    if said["is"] == "accept":
        return Said(out, changes)
    return Rejected(frozenset(said["codes"]), out, changes)


def frame(
    op: str,
    args: Mapping[str, Json | JsonText | None],
    docs: Mapping[str, Content | None],
    files: Files | None = None,
) -> bytes:
    """The question as the core reads it: a line, and behind it all bytes."""
    behind: list[bytes | bytearray | memoryview] = []
    at = 0

    def put(what: str, content: Content) -> str:
        nonlocal at
        octets = _octets(what, content)
        behind.append(octets)
        at += len(octets)
        return f'{{"at":{at - len(octets)},"len":{len(octets)}}}'

    line = [f'{{"op":{_text("the operation", op)},"args":{{']
    line.append(
        ",".join(f"{_text(name, name)}:{_argument(name, value)}" for name, value in args.items() if value is not None)
    )
    line.append('},"in":{')
    line.append(
        ",".join(f"{_text(name, name)}:{put(name, content)}" for name, content in docs.items() if content is not None)
    )
    line.append("}")
    if files is not None:
        tree = read_tree(files) if isinstance(files, os.PathLike) else files
        entries = []
        for path, entry in tree.items():
            if isinstance(entry, Directory):
                said = '{"kind":"directory"}'
            elif isinstance(entry, Link):
                to = "" if entry.to is None else f',"to":{_text(path, entry.to)}'
                said = f'{{"kind":"symlink"{to}}}'
            else:
                said = put(path, entry)
            entries.append(f"{_text('a path', path)}:{said}")
        line.append(',"files":{' + ",".join(entries) + "}")
    platform = _PLATFORMS.get(sys.platform)
    line.append("}\n" if platform is None else f',"platform":"{platform}"}}\n')
    return b"".join(["".join(line).encode("utf-8"), *behind])


def _octets(what: str, content: Content) -> bytes | bytearray | memoryview:
    if isinstance(content, str):
        return _encoded(what, content)
    if isinstance(content, os.PathLike):
        return Path(content).read_bytes()
    # A view counts items, and not always bytes.
    return content.cast("B") if isinstance(content, memoryview) else content


def _encoded(what: str, text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise QuestionError(f"{what} holds a lone surrogate, which has no UTF-8 form") from error


def _text(what: str, text: str) -> str:
    _encoded(what, text)
    return json.dumps(text, ensure_ascii=False)


def _argument(name: str, value: Json | JsonText) -> str:
    """An argument as one JSON value in one line: a text might hold anything, and the line ends at its feed."""
    try:
        if isinstance(value, JsonText):
            # Its numbers are the core's to read, however many digits they have.
            json.loads(value.text, parse_int=str, parse_float=str, parse_constant=_no_value)
            text = value.text.replace("\n", " ")
        else:
            text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except RecursionError as error:
        raise LimitError("depth", f"{name} is nested too deep") from error
    except (TypeError, ValueError) as error:
        raise QuestionError(f"{name} is no JSON value: {error}") from error
    _encoded(name, text)
    return text


def _no_value(name: str) -> None:
    raise ValueError(f"{name} is none")


def read(answer: bytes) -> dict[str, Any]:
    try:
        said = json.loads(answer, parse_int=_integer, parse_float=_fraction)
    except (ValueError, RecursionError) as error:
        raise FaultError(f"the core's answer cannot be read: {error}") from error
    if not isinstance(said, dict):
        raise FaultError("the core's answer is no object")
    return said


def _integer(token: str) -> int | Number:
    return Number(token) if len(token) > _DIGITS or token == "-0" else int(token)


def _fraction(token: str) -> float | Number:
    """A float where that has the token's spelling; a token that would be spelled otherwise stays one."""
    value = float(token)
    return value if repr(value) == token else Number(token)


def _output(kind: str, value: Any) -> Any:
    return base64.b64decode(value) if kind == "bytes" and isinstance(value, str) else value


def _change(change: Any) -> bytes | Directory | None:
    if change is None:
        return None
    return base64.b64decode(change["b64"]) if "b64" in change else Directory()
