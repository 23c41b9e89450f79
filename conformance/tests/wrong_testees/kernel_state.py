"""A kernel, the second source of plain Python, with one entry too many in what it shows of its state.

Each variant adds an entry to one map of the view and changes nothing that the expectations list: what catches it is that the map is
closed. It declares `kernel.scenario` alone, and every law named here has cases that list the members of a view one by one.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "dev" / "oracle" / "src"))

import kernel  # noqa: E402
from atp import accept, reject, serve  # noqa: E402
from kernel_values import OPEN, canonical  # noqa: E402
from register import enter  # noqa: E402

OPS = {"kernel.scenario": {}}


def answer(request):
    """The second source's answer as it travels."""
    found = kernel.ask(request.op, request.args, request.docs, {})
    if found["is"] == "reject":
        return reject(*found["codes"])
    return accept(**json.loads(canonical(found["out"])))


def honest_kernel():
    """Nothing: the second source as it is."""


enter(honest_kernel, "honest", {}, lambda: serve("honest-kernel", "1", OPS, answer))


def planted(*laws):
    """Enters a function that adds to a view; the laws are the ones whose cases have to catch it."""

    def enter_it(function):
        shown = kernel.view

        def run():
            kernel.view = lambda home: function(home, shown(home))
            serve(function.__name__.replace("_", "-"), "1", OPS, answer)

        return enter(function, "kernel", {"laws": list(laws)}, run)

    return enter_it


def is_known(value):
    """Whether a part of the view is settled, so that it is shown."""
    return value is not OPEN


@planted("kernel/fortress", "kernel/link-visibility")
def staged_shows_as_committed(home, view):
    """Shows what is staged among the committed triplets, under a stem that committed does not have."""
    for records in filter(is_known, view["staged_triplets"].values() if is_known(view["staged_triplets"]) else ()):
        for stem, record in records.items():
            view["triplets"].setdefault(stem, list(record.values()))
    return view


@planted("kernel/link-visibility", "kernel/shadowing")
def staged_references_show_as_committed(home, view):
    """Shows a reference that is staged as one of committed, where committed has no record for it."""
    staged = (path for path in home.below("index/staging") if "/refs/by_id/" in path)
    for path in staged:
        name = path.rpartition("/refs/by_id/")[2].removesuffix(".json").replace("/", ":")
        sources = json.loads(home[path])["sources"]
        view["refs"].setdefault(name, [list(source.values()) for source in sources])
    return view


@planted("kernel/fortress", "kernel/run-envelope")
def every_run_in_the_ledger(home, view):
    """Names runs in the ledger that have promoted nothing: those with staging, and one of its own."""
    if is_known(view["ledger"]):
        runs = {path.split("/")[2] for path in home.below("index/staging")} | {"run-of-the-kernel"}
        view["ledger"] = {**dict.fromkeys(runs, "turn-0000"), **view["ledger"]}
    return view


@planted("kernel/fortress")
def discarded_turns_stay(home, view):
    """Shows the turn after the last promoted one of every run as staged, as if nothing had been thrown away."""
    if is_known(view["staged_triplets"]):
        for run, turn in (view["ledger"] if is_known(view["ledger"]) else {}).items():
            following = f"staging/{run}/turn-{int(turn[5:]) + 1:04}"
            view["staged_triplets"].setdefault(following, {"left": {"stem": "left"}})
    return view


@planted("kernel/link-visibility", "kernel/turn-sequence")
def a_copy_beside_what_is_staged(home, view):
    """Shows every staged record a second time in its turn, with another stem."""
    if is_known(view["staged_triplets"]):
        for records in filter(is_known, view["staged_triplets"].values()):
            records.update({f"{stem}.copy": record for stem, record in list(records.items())})
    return view
