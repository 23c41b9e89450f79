"""From a question to a typed request, and from what the implementation returns to an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import jsontext
from .answers import Answer, Content, Doc, Reject, Unsupported
from .interface import Implementation
from .operation import Operation, Output
from .operations import OPERATIONS


@dataclass(frozen=True)
class Question:
    """What is asked: arguments as `jsontext.loads` reads them, documents as bytes, and the case's folder."""

    op: str
    args: Mapping[str, Any]
    docs: Mapping[str, bytes]
    root: Path | None


def ask(implementation: Implementation, question: Question) -> Answer:
    """What the implementation answers. Whatever it raises comes through, `Unsupported` included."""
    operation = OPERATIONS.get(question.op)
    if operation is None:
        raise Unsupported(question.op)
    return _answer(operation, getattr(implementation, operation.method)(request_of(operation, question)))


def request_of(operation: Operation, question: Question) -> Any:
    """The operation's request for a question."""
    fields: dict[str, Any] = {}
    for argument in operation.arguments:
        if argument.name in question.args:
            value = question.args[argument.name]
            fields[argument.field] = jsontext.dumps(value) if argument.type == "any" else value
    for document in operation.inputs:
        if document.name in question.docs:
            fields[document.field] = question.docs[document.name]
    if operation.root:
        fields["root"] = question.root
    return operation.request(**fields)


def _answer(operation: Operation, said: object) -> Answer:
    if isinstance(said, Answer):
        # What travelled here is judged as it travelled, whatever the interface would say to it.
        return said
    if isinstance(said, Reject):
        kinds = {field.name: field.kind for field in operation.rejected}
        out = {name: _output(name, kinds.get(name, "value"), value) for name, value in said.out.items()}
        return Answer("reject", said.codes, out)
    if isinstance(said, operation.accepted):
        return Answer("accept", frozenset(), {field.name: _field(field, said) for field in operation.outputs})
    expected = f"{operation.accepted.__name__} or Reject"
    raise TypeError(f"{operation.method} returned {type(said).__name__}, not {expected}")


def _field(field: Output, said: object) -> Content:
    return _output(field.name, field.kind, getattr(said, field.field))


def _output(name: str, kind: str, value: Any) -> Content:
    """One output in the form in which it is judged; an implementation that has none of that form is at fault."""
    if kind == "bytes":
        if not isinstance(value, bytes):
            raise TypeError(f"the output {name} is {type(value).__name__}, not bytes")
        return value
    if kind == "doc":
        if not isinstance(value, str):
            raise TypeError(f"the output {name} is {type(value).__name__}, not str with JSON text")
        value.encode("utf-8")
        return Doc(value)
    return jsontext.loads(jsontext.dumps(value))
