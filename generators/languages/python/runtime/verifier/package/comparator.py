"""The specification's comparator, answered by the verifier: the same function, the same reports, the same exceptions.

`compare(bundle_a, bundle_b, stage_lookup)` takes the place of the function of that name in the specification's
`comparator.py` (Sovereign Capability & Replay Spec v1.2.1, section C): two bundles as `json.load` gives them, and the
stages as `load_stage_order` does. Turn files are opened as there, by paths from the working directory. Whether there is
a report, and what stands in it, is decided in the core alone (`sovereign.compare`, mode `reference`). Where the core
says that the comparator would raise, the specification's own text is run for the exception: only Python has its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from . import _core
from .verifier.asking import Rejected as _Rejected
from .verifier.asking import ask
from .verifier.errors import FaultError

__all__ = ["compare", "compare_bytes", "load_stage_order"]

# What `json.load` gives: of other types, which only look alike, no JSON text could be made that says the same.
_SCALARS = frozenset({str, int, float, bool, type(None)})

# Two halves of one character apart, which a text holds together.
_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")

# Members of a report and of a mismatch, in the order in which the comparator makes them.
_REPORT = ("contract_version", "report_id", "run_id", "status", "exit_code", "mismatches")
_MISMATCH = (
    "turn_id",
    "stage_name",
    "ordinal",
    "surface",
    "path",
    "expected_digest",
    "actual_digest",
    "reason_code",
    "diagnostic",
)

_STAGES = 100_000


def load_stage_order(path: str) -> dict[str, int]:
    """Stages by name, as the specification's function loads them; OSError, ValueError or KeyError if not."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    return {name: index for index, name in enumerate(data["stage_order"])}


def compare(bundle_a: Any, bundle_b: Any, stage_lookup: dict[str, int]) -> dict[str, Any]:
    """The report of a comparison.

    Raises what the specification's comparator raises for the same bundles; TypeError also where a bundle or the lookup
    is not what `json.load` and `load_stage_order` give (a tuple, a subclass, an index that is negative or given twice).
    """
    order = _order(stage_lookup)
    for name, bundle in (("bundle_a", bundle_a), ("bundle_b", bundle_b)):
        _plain(name, bundle)
    return _compare(bundle_a, bundle_b, order, lambda: (bundle_a, bundle_b, stage_lookup))


def compare_bytes(bundle_a: bytes, bundle_b: bytes, stage_order: bytes) -> dict[str, Any]:
    """The report of a comparison of bundles and a stage order as they lie in their files.

    Raises as `compare`, and ValueError, RecursionError or KeyError for what would not load.
    """

    def loaded() -> tuple[Any, Any, dict[str, int]]:
        names = json.loads(stage_order.decode("utf-8"))["stage_order"]
        lookup: dict[str, int] = {name: index for index, name in enumerate(names)}
        return json.loads(bundle_a.decode("utf-8")), json.loads(bundle_b.decode("utf-8")), lookup

    a, b, lookup = loaded()
    return _compare(a, b, _order(lookup), loaded)


def _compare(a: Any, b: Any, order: bytes, again: Callable[[], tuple[Any, Any, dict[str, int]]]) -> dict[str, Any]:
    files: dict[str, bytes] = {}
    a, b = _with_files(a, files), _with_files(b, files)
    docs = {"bundle_a": _dumped(a), "bundle_b": _dumped(b), "stage_order": order}
    said = ask("sovereign.compare", {"mode": "reference"}, docs, {"report": "doc"}, files)
    if isinstance(said, _Rejected):
        raise _exception(said, again)
    report = json.loads(said.output("report"))
    made = {name: report[name] for name in _REPORT}
    made["mismatches"] = [{name: row[name] for name in _MISMATCH} for row in report["mismatches"]]
    return made


def _plain(where: str, value: Any) -> None:
    """TypeError unless a JSON text says the same as a value."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        kind = type(value)
        if kind is dict:
            for name in value:
                if type(name) is not str:
                    raise TypeError(f"{where} has the name {name!r}, which is no string")
            waiting.extend(value.values())
        elif kind is list:
            waiting.extend(value)
        elif kind not in _SCALARS:
            raise TypeError(f"{where} holds {kind.__name__}, which json.load does not give")


def _dumped(bundle: Any) -> bytes:
    text = json.dumps(bundle, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        if _HALVES.search(text):
            raise TypeError("a string holds two halves of a character apart, which json.load does not give") from None
        return json.dumps(bundle).encode("ascii")


@lru_cache(maxsize=8)
def _of_names(names: tuple[tuple[Any, int], ...]) -> bytes:
    by_index = {index: name for name, index in names}
    if len(by_index) < len(names):
        raise TypeError("stage_lookup gives an index twice, which load_stage_order does not")
    # Of a name that stands twice the later index counts, so that the last one fills gaps.
    last = max(by_index, default=-1)
    return _dumped({"stage_order": [by_index.get(index, by_index[last]) for index in range(last + 1)]})


def _order(stage_lookup: dict[str, int]) -> bytes:
    """The document that the lookup was loaded from, or one that gives the same."""
    if type(stage_lookup) is not dict:
        raise TypeError(f"stage_lookup is {type(stage_lookup).__name__}, and load_stage_order gives dict")
    for name, index in stage_lookup.items():
        if type(name) not in _SCALARS or type(index) is not int or not 0 <= index < _STAGES:
            raise TypeError(f"stage_lookup gives {name!r} the index {index!r}, which load_stage_order does not")
    return _of_names(tuple(stage_lookup.items()))


def _with_files(bundle: Any, files: dict[str, bytes]) -> Any:
    """The bundle with each turn's paths replaced by the one that the comparator would read, whose bytes are put there.

    What is not shaped as a bundle stays as it is.
    """
    turns = bundle.get("turn_results") if type(bundle) is dict else None
    if type(turns) is not list:
        return bundle
    return {**bundle, "turn_results": [_with_file(turn, files) for turn in turns]}


def _with_file(turn: Any, files: dict[str, bytes]) -> Any:
    if type(turn) is not dict or "paths" not in turn:
        return turn
    try:
        octets = _first(sorted(turn["paths"]))
    except TypeError:
        # Neither would the comparator open it.
        return turn
    if octets is None:
        return {**turn, "paths": []}
    name = str(len(files))
    files[name] = octets
    return {**turn, "paths": [name]}


def _first(paths: Iterable[Any]) -> bytes | None:
    """The bytes of the first path that opens, as the comparator looks for it."""
    for path in paths:
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError:
            continue
        except ValueError:
            # No file can be called so, and the comparator looks no further.
            return None
    return None


def _exception(said: _Rejected, again: Callable[[], tuple[Any, Any, dict[str, int]]]) -> Exception:
    """What the specification's text raises, if it is what the core says."""
    expected = said.out.get("exception")
    try:
        _specified()["compare"](*again())
    except Exception as error:
        # Readers refine ValueError, and it is one to the core.
        read = isinstance(error, (json.JSONDecodeError, UnicodeDecodeError))
        if expected == ("ValueError" if read else type(error).__name__):
            return error.with_traceback(None)
        return FaultError(f"the core says {expected}, and the comparator raises {type(error).__name__}: {error}")
    return FaultError(f"the core says {expected}, and the comparator raises nothing")


@cache
def _specified() -> dict[str, Any]:
    """The specification's module, from its text."""
    module: dict[str, Any] = {"__name__": "comparator"}
    exec(compile(_core.COMPARATOR, "comparator.py", "exec", dont_inherit=True), module)
    return module
