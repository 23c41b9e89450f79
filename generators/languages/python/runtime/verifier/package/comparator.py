"""The specification's comparator, answered by the verifier: the same function, the same reports, the same exceptions.

`compare(bundle_a, bundle_b, stage_lookup)` takes the place of the function of that name in the specification's
`comparator.py` (Sovereign Capability & Replay Spec v1.2.1, section C): two bundles as `json.load` gives them, and the
stages as `load_stage_order` does. Turn files are opened as there, by paths from the working directory, in the same
order and no others, but for two exceptions: where the comparator raises over what stands in a file, those of later
turns are opened too; and where the first file of a turn does not load, the second, if it is small and plain.
Whether there is a report, and what stands in it, is decided in the core alone (`sovereign.compare`, mode `reference`).
Where the core says that the comparator would raise, the specification's own text is run for the exception, over the
same bytes: only Python has its words.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from types import CodeType
from typing import IO, Any, TypeAlias

from . import _core
from .verifier.asking import Rejected as _Rejected
from .verifier.asking import ask
from .verifier.errors import FaultError, LimitError

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

# What the comparator looks for before it compares, and then compares before it joins turns.
_CHECKED = ("contract_version", "run_envelope", "registry_digest", "digests", "turn_results")
_DIGESTS = ("policy_digest", "runtime_profile_digest", "contract_registry_snapshot_digest")

# Bytes that the core takes with one question.
_BYTES = 256 << 20
# Bytes that are read at once.
_PART = 1 << 16
# Bytes of a file that is small.
_SMALL = 1 << 20
# Values in a bundle. One that holds a part twice may have far more of them than it takes memory.
_VALUES = 1 << 24
# Indexes that no name has: a name that stands twice in the order leaves one.
_GAPS = 100_000

# How the opening of each path ended, in their order: with bytes, or with what was raised.
_Opened: TypeAlias = "list[tuple[Any, bytes | Exception]]"
_Again: TypeAlias = "Callable[[], tuple[Any, Any, dict[str, int]]]"


def load_stage_order(path: str) -> dict[str, int]:
    """Stages by name, as the specification's function loads them; OSError, ValueError or KeyError if not."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    return {name: index for index, name in enumerate(data["stage_order"])}


def compare(bundle_a: Any, bundle_b: Any, stage_lookup: dict[str, int]) -> dict[str, Any]:
    """The report of a comparison.

    Raises what the specification's comparator raises for the same bundles, and besides:

    - TypeError where a bundle or the lookup is not what `json.load` and `load_stage_order` give: a tuple, a subclass, a
      list inside itself, an index that is negative or given twice.
    - LimitError of kind `size` for more than 256 MiB of bundles and turn files together, 16,777,216 values in a bundle
      or 100,000 indexes without a name; of kind `depth` for what is nested too deep for the core, or for this Python
      where the comparator would not look into it.
    - FaultError where the core breaks.
    """
    order = _order(stage_lookup)
    for name, bundle in (("bundle_a", bundle_a), ("bundle_b", bundle_b)):
        _plain(name, bundle)
    return _compare(bundle_a, bundle_b, order, lambda: (bundle_a, bundle_b, stage_lookup))


def compare_bytes(bundle_a: bytes, bundle_b: bytes, stage_order: bytes) -> dict[str, Any]:
    """The report of a comparison of bundles and a stage order as they lie in their files.

    Raises as `compare`, and ValueError, RecursionError, KeyError or TypeError for what would not load.
    """

    def loaded() -> tuple[Any, Any, dict[str, int]]:
        names = json.loads(stage_order.decode("utf-8"))["stage_order"]
        lookup: dict[str, int] = {name: index for index, name in enumerate(names)}
        return json.loads(bundle_a.decode("utf-8")), json.loads(bundle_b.decode("utf-8")), lookup

    a, b, lookup = loaded()
    return _compare(a, b, _order(lookup), loaded)


def _compare(a: Any, b: Any, order: bytes, again: _Again) -> dict[str, Any]:
    opened: _Opened = []
    try:
        a, b, files = _with_files(a, b, opened)
        docs = {"bundle_a": _dumped(a), "bundle_b": _dumped(b), "stage_order": order}
    except RecursionError:
        raise _exception("RecursionError", again, opened) from None
    said = ask("sovereign.compare", {"mode": "reference"}, docs, {"report": "doc"}, files)
    if isinstance(said, _Rejected):
        raise _exception(said.out.get("exception"), again, opened)
    report = json.loads(said.output("report"))
    made = {name: report[name] for name in _REPORT}
    made["mismatches"] = [{name: row[name] for name in _MISMATCH} for row in report["mismatches"]]
    return made


def _plain(where: str, value: Any) -> None:
    """TypeError unless a JSON text says the same as a value, and LimitError for more values than are looked at."""
    # The containers that are being walked, each with what is left of it.
    walked = [(0, iter((value,)))]
    inside: set[int] = set()
    count = 1
    while walked:
        of, members = walked[-1]
        for value in members:
            kind = type(value)
            if kind in _SCALARS:
                continue
            if kind is not dict and kind is not list:
                raise TypeError(f"{where} holds {kind.__name__}, which json.load does not give")
            if id(value) in inside:
                raise TypeError(f"{where} holds a {kind.__name__} that is inside itself, which json.load does not give")
            count += len(value)
            if count > _VALUES:
                raise LimitError("size", f"{where} holds more than {_VALUES} values")
            if kind is dict:
                for name in value:
                    if type(name) is not str:
                        raise TypeError(f"{where} has the name {name!r}, which is no string")
            inside.add(id(value))
            walked.append((id(value), iter(value.values() if kind is dict else value)))
            break
        else:
            walked.pop()
            inside.discard(of)


def _dumped(bundle: Any) -> bytes:
    try:
        text = json.dumps(bundle, ensure_ascii=False, separators=(",", ":"))
    except ValueError as error:
        # An integer of too many digits; what is inside itself was found before.
        raise TypeError(f"no JSON text can be made: {error}") from error
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
    if last + 1 - len(by_index) > _GAPS:
        raise LimitError("size", f"stage_lookup leaves more than {_GAPS} indexes without a name")
    return _dumped({"stage_order": [by_index.get(index, by_index[last]) for index in range(last + 1)]})


def _order(stage_lookup: dict[str, int]) -> bytes:
    """The document that the lookup was loaded from, or one that gives the same."""
    if type(stage_lookup) is not dict:
        raise TypeError(f"stage_lookup is {type(stage_lookup).__name__}, and load_stage_order gives dict")
    for name, index in stage_lookup.items():
        if type(name) not in _SCALARS or type(index) is not int or index < 0:
            raise TypeError(f"stage_lookup gives {name!r} an index that load_stage_order does not")
    return _of_names(tuple(stage_lookup.items()))


def _with_files(a: Any, b: Any, opened: _Opened) -> tuple[Any, Any, dict[str, bytes]]:
    """Both bundles, where each turn that is read names one file, and these files; `opened` says how each was opened.

    What the comparator would not read stays as it is.
    """
    files: dict[str, bytes] = {}
    room = _BYTES
    turns: list[dict[int, Any]] = [{}, {}]
    try:
        for pair in _read_turns(a, b):
            for side, (index, turn) in enumerate(pair):
                octets = _first(sorted(turn["paths"]), room, opened)
                if octets is None:
                    turns[side][index] = {**turn, "paths": []}
                    break
                room -= len(octets)
                name = str(len(files))
                files[name] = octets
                turns[side][index] = {**turn, "paths": [name]}
                # Of the second nothing is read where the first does not load. To load it takes as long as all that the
                # core does, and is spared where nobody is the worse for reading.
                if side == 0 and not _harmless(pair[1][1]) and not _is_json(octets):
                    break
    except (TypeError, KeyError):
        # The comparator raises it here too, and opens nothing more.
        pass
    return _replaced(a, turns[0]), _replaced(b, turns[1]), files


def _read_turns(a: Any, b: Any) -> Iterator[tuple[tuple[int, Any], tuple[int, Any]]]:
    """The turns that the comparator reads, in its order, each with its index; TypeError or KeyError where it raises."""
    if type(a) is not dict or type(b) is not dict:
        return
    if any(name not in a or name not in b for name in _CHECKED):
        return
    _ = a["run_envelope"]["run_id"]
    if a["registry_digest"] != b["registry_digest"]:
        return
    for name in _DIGESTS:
        # Only whether they can be compared matters here.
        _ = a["digests"][name] != b["digests"][name]
    # Of turns with one id the last counts.
    of_a, of_b = map(_by_id, (a["turn_results"], b["turn_results"]))
    for turn_id in sorted(of_a.keys() | of_b.keys()):
        if turn_id in of_a and turn_id in of_b:
            pair = of_a[turn_id], of_b[turn_id]
            _ = pair[0][1]["turn_result_digest"] != pair[1][1]["turn_result_digest"]
            yield pair


def _by_id(turns: Any) -> dict[Any, tuple[int, Any]]:
    return {turn["turn_id"]: (index, turn) for index, turn in enumerate(turns)}


def _replaced(bundle: Any, turns: dict[int, Any]) -> Any:
    if not turns:
        return bundle
    return {**bundle, "turn_results": [turns.get(index, turn) for index, turn in enumerate(bundle["turn_results"])]}


def _first(paths: list[Any], room: int, opened: _Opened) -> bytes | None:
    """The bytes of the first path that opens, as the comparator looks for it."""
    for path in paths:
        try:
            with open(path, "rb") as file:
                octets = _read(file, room)
        except OSError as error:
            opened.append((path, error))
        except ValueError as error:
            # No file can be called so, and the comparator looks no further.
            opened.append((path, error))
            return None
        except TypeError as error:
            opened.append((path, error))
            raise
        else:
            opened.append((path, octets))
            return octets
    return None


def _read(file: IO[bytes], room: int) -> bytes:
    """All of a file; LimitError where that is more than there is room for."""
    parts = []
    while True:
        wanted = min(_PART, room + 1)
        part = file.read(wanted)
        room -= len(part)
        if room < 0:
            raise LimitError("size", f"the turn files hold more than {_BYTES} bytes together")
        parts.append(part)
        if len(part) < wanted:
            return b"".join(parts)


def _harmless(turn: dict[str, Any]) -> bool:
    """Whether a turn names small plain files and nothing else: no pipe, device or descriptor, and none of the system's
    own, which have no size.
    """
    paths = turn.get("paths")
    if type(paths) is not list:
        return False
    for path in paths:
        if type(path) is not str:
            return False
        try:
            said = os.stat(path)
        except (OSError, ValueError):
            return False
        if not stat.S_ISREG(said.st_mode) or not 0 < said.st_size <= _SMALL:
            return False
    return True


def _is_json(octets: bytes) -> bool:
    try:
        json.loads(octets.decode("utf-8"))
    except ValueError:
        return False
    except RecursionError:
        # The core says what comes of it.
        return True
    return True


def _exception(expected: Any, again: _Again, opened: _Opened) -> Exception:
    """What the specification's text raises, if it is what the core says."""
    left = iter(opened)

    def reopen(path: Any, *_: Any, **__: Any) -> IO[str]:
        """A file as it was read before: it might be another by now, and a descriptor is closed."""
        # What was read besides is passed over.
        for was, said in left:
            if was == path:
                if isinstance(said, Exception):
                    raise said
                return io.TextIOWrapper(io.BytesIO(said), encoding="utf-8")
        raise FaultError(f"the comparator opens {path!r}, which was not read")

    module: dict[str, Any] = {"__name__": "comparator", "open": reopen}
    exec(_specified(), module)
    try:
        module["compare"](*again())
    except FaultError as error:
        return error
    except Exception as error:
        # Readers refine ValueError, and it is one to the core.
        read = isinstance(error, (json.JSONDecodeError, UnicodeDecodeError))
        raised = "ValueError" if read else type(error).__name__
        # How deep it may go depends on who calls.
        if raised in (expected, "RecursionError"):
            return error.with_traceback(None)
        words = f"raises {raised}: {error}"
    else:
        words = "raises nothing"
    if expected == "RecursionError":
        return LimitError("depth", f"bundles or turn files are nested too deep, though the comparator {words} here")
    return FaultError(f"the core says {expected}, and the comparator {words}")


@cache
def _specified() -> CodeType:
    """The specification's module."""
    return compile(_core.COMPARATOR, "comparator.py", "exec", dont_inherit=True)
