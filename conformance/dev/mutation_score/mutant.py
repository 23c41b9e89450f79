"""Mutants and their keys: what a mutant is called when lines have moved.

A key is the file, the function with its type, what is replaced, and the ordinal among mutants of the same three in source
order. cargo-mutants decides which mutants there are; `.cargo/mutants.toml` leaves out what is text for people.
"""

import hashlib
import json
import pathlib
import re
import tomllib
from collections import Counter
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONFIG = ROOT / ".cargo" / "mutants.toml"
SOURCES = "verifier/src/"
CONTRACTS = ROOT / "contracts"
OTHERS = "others"
META = re.compile(r"[\\.+*?()|\[\]{}^$#&~-]")


class Trouble(Exception):
    """What ends a command without an answer."""


def read_json(path, kind):
    """The value in a file, which has to be of this kind: an object (`dict`) or a list."""
    try:
        value = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Trouble(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(value, kind):
        raise Trouble(f"{path}: holds {type(value).__name__}, not {kind.__name__}")
    return value


def systems():
    """The systems that have laws, in their published order."""
    declared = [read_json(path, dict) for path in CONTRACTS.glob("*/system.json")]
    declared.sort(key=lambda system: (system["position"], system["name"]))
    return [system["name"] for system in declared if (CONTRACTS / "laws" / system["name"]).is_dir()]


MODULES = tuple(systems())


class Key(NamedTuple):
    """The lasting name of a mutant; keys sort as they are listed."""

    file: str
    function: str
    replacement: str
    ordinal: int

    def __str__(self):
        place = f" in {self.function}" if self.function else ""
        number = f" ({self.ordinal})" if self.ordinal > 1 else ""
        return f"{self.file}: {self.replacement}{place}{number}"

    @property
    def module(self):
        """The module that the file belongs to; what all modules share is under others."""
        name = self.file.removeprefix(SOURCES).split("/")[0].removesuffix(".rs")
        return name if name in MODULES else OTHERS


def sources():
    """The digest of every file that can have mutants."""
    digest = lambda path: hashlib.sha256(path.read_bytes()).hexdigest()
    files = sorted((ROOT / SOURCES).rglob("*.rs"))
    return {path.relative_to(ROOT).as_posix(): digest(path) for path in files}


def excluded_patterns():
    """The patterns of mutants that are not asked about."""
    return tomllib.loads(CONFIG.read_text(encoding="utf-8"))["exclude_re"]


def is_excluded(name, patterns):
    """Whether cargo-mutants leaves out a mutant of this name."""
    return any(re.search(pattern, name) for pattern in patterns)


def _unnumbered(mutant):
    """File, function and replacement of a mutant as cargo-mutants lists it."""
    function = (mutant["function"] or {}).get("function_name", "")
    if mutant["genre"] == "FnValue":
        return mutant["file"], function, f"replace body with {mutant['replacement']}"
    # The name is `FILE:LINE:COLUMN: WHAT in FUNCTION`; outside functions the last part is absent.
    what = mutant["name"].split(": ", 1)[1]
    return mutant["file"], function, what.removesuffix(f" in {function}") if function else what


def keys(listing):
    """From the names in a whole listing, which hold lines and columns, to keys."""
    place = lambda mutant: (mutant["span"]["start"]["line"], mutant["span"]["start"]["column"], mutant["name"])
    counted, found = Counter(), {}
    for mutant in sorted(listing, key=lambda mutant: (mutant["file"], place(mutant))):
        same = _unnumbered(mutant)
        counted[same] += 1
        found[mutant["name"]] = Key(*same, counted[same])
    return found


def chosen(names, commit, count):
    """A number of the mutants, by a hash of key and commit: another commit gives another sample, and nobody chooses."""
    rank = lambda name: hashlib.sha256("\n".join(map(str, (*names[name], commit))).encode()).digest()
    return sorted(sorted(names, key=rank)[:count])


def unfiltered(listing):
    """Names of the mutants that cargo-mutants 27.1.0 runs in spite of `--re`: it always runs deletions of fields."""
    return {one["name"] for one in listing if one["genre"] == "StructField"}


def exactly(name):
    """A regular expression that matches only this name."""
    return f"^{META.sub(lambda found: chr(92) + found[0], name)}$"
