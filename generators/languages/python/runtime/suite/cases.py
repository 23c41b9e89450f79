"""The vectors: one case a line, one file a law, and a manifest that says how many there are."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from . import force
from .jsontext import Number
from .judge import Check

VECTORS = Path(__file__).resolve().parent.parent / "vectors"


class VectorError(Exception):
    """The vectors are not what they were when they were written."""


@dataclass(frozen=True)
class Entry:
    """A file, folder or link that a case lays out."""

    path: str
    kind: str
    octets: bytes
    target: str


@dataclass(frozen=True)
class Known:
    """A failure that is known: the outcome that is expected, and why."""

    outcome: str
    reason: str
    link: str | None


@dataclass(frozen=True)
class Case:
    """One question with everything that judges the answer."""

    id: str
    law: str
    op: str
    args: dict[str, Any]
    docs: dict[str, bytes]
    needs_root: bool
    entries: tuple[Entry, ...]
    rationale: str
    spec: str
    alternatives: list[list[Check]]
    known: Known | None


@dataclass(frozen=True)
class Law:
    """What the manifest says of one law."""

    slug: str
    count: int
    path: Path
    sha256: str

    def octets(self) -> bytes:
        """The exact bytes of the law's file."""
        return self.path.read_bytes()


@dataclass(frozen=True)
class Manifest:
    """The laws, and the failures that are known."""

    laws: dict[str, Law]
    known: dict[str, Known]
    total: int


@cache
def manifest() -> Manifest:
    """The manifest beside the vectors."""
    listed = json.loads((VECTORS / "manifest.json").read_text(encoding="utf-8"))
    if listed["form"] != "assize-pack/v2":
        raise VectorError(f"vectors/manifest.json has the form {listed['form']}, which this suite cannot read")
    laws = {law["slug"]: Law(law["slug"], law["count"], _path(law["file"]), law["sha256"]) for law in listed["laws"]}
    known = {entry["id"]: _known(entry) for entry in listed["known"]}
    return Manifest(laws, known, listed["total"])


@cache
def cases_of(slug: str) -> tuple[Case, ...]:
    """The cases of a law, in the order of its file."""
    law = manifest().laws.get(slug)
    if law is None:
        raise VectorError(f"vectors/manifest.json does not know the law {slug}")
    return tuple(_case(law, line) for line in law.octets().splitlines())


def complaint(law: Law) -> str | None:
    """How a law's file differs from what the manifest says of it, if it does."""
    octets = law.octets()
    found = hashlib.sha256(octets).hexdigest()
    if found != law.sha256:
        return f"{law.path.name} of {law.slug} has SHA-256 {found}, not {law.sha256}"
    count = len(octets.splitlines())
    if count != law.count:
        return f"{law.slug} has {count} cases, not {law.count}"
    return None


def _path(file: str) -> Path:
    """A file of the manifest, whose paths start at the project's root."""
    return VECTORS.parent / file


def _known(entry: dict[str, Any]) -> Known:
    # How a process breaks is seen from outside alone; in here it is a fault.
    outcome = "FAULT" if entry["outcome"] in ("CRASH", "TIMEOUT", "PROTOCOL") else entry["outcome"]
    return Known(outcome, entry["reason"], entry.get("link"))


def _case(law: Law, line: bytes) -> Case:
    fields = json.loads(line.decode("ascii"), parse_int=Number, parse_float=Number)
    if fields["law"] != law.slug:
        raise VectorError(f"the case {fields['id']} stands among those of {law.slug}")
    return Case(
        id=fields["id"],
        law=law.slug,
        op=fields["op"],
        args=fields["args"],
        docs={name: base64.b64decode(text, validate=True) for name, text in fields["in"].items()},
        needs_root=fields["root"],
        entries=tuple(_entry(entry) for entry in fields["files"]),
        rationale=fields["rationale"],
        spec=fields["spec"],
        alternatives=[[_check(check) for check in checks] for checks in fields["expect"]],
        known=manifest().known.get(fields["id"]),
    )


def _entry(fields: dict[str, Any]) -> Entry:
    octets = base64.b64decode(fields.get("base64", ""), validate=True)
    return Entry(fields["path"], fields["kind"], octets, fields.get("to", ""))


def _check(fields: dict[str, Any]) -> Check:
    (kind,) = fields.keys() - {"pointer", "force"}
    expected = fields[kind]
    if kind == "base64":
        expected = base64.b64decode(expected, validate=True)
    elif kind == "most":
        expected = int(expected.token)
    return Check(fields["pointer"], kind, expected, force.parsed(fields["force"]))
