#!/usr/bin/env python3
"""The sealed comparator as a testee: `contracts/reference/comparator.py` with ATP/1, unchanged to the last character.

The comparator knows nothing of modes. Asked in law mode (`--declare law`) it does what it always does, and fails
wherever the specification's text and its code differ; `assize errata` lists where.
"""

import argparse
import builtins
import errno
import hashlib
import io
import json
import os
import sys
from pathlib import Path

from atp import BAD_INPUT, accept, reject, serve

TOP = Path(__file__).resolve().parents[2]
COMPARATOR = "contracts/reference/comparator.py"
STAGE_ORDER = "contracts/sovereign/stage-order-v1.json"

# Every class under which an abort is compared; anything else is a fault of this shim.
ABORTS = {"ValueError", "UnicodeEncodeError", "TypeError", "KeyError", "AttributeError", "RecursionError"}

# The interpreter's own limit (ruling NUM-07), even if the environment sets another one.
INTEGER_DIGITS = 4300
LARGEST_DESCRIPTOR = 2**31 - 1

# What the comparator's load_stage_order has to open. No path of a turn entry can be this object.
STAGE_ORDER_DOCUMENT = object()


class Unsealed(Exception):
    """A sealed file is not what its seal says."""


def sealed(path):
    """The bytes of a sealed file, checked before anything is done with them."""
    try:
        seals = json.loads((TOP / "contracts/sealed.json").read_text(encoding="utf-8"))
        octets = (TOP / path).read_bytes()
    except (OSError, ValueError) as error:
        raise Unsealed(f"{path}: {error}; run the shim from a complete copy of the repository") from error
    owed = [seal["sha256"] for seal in seals if seal["path"] == path]
    found = hashlib.sha256(octets).hexdigest()
    if owed != [found]:
        raise Unsealed(
            f"{path} has SHA-256 {found}, contracts/sealed.json says {owed}; restore the file from version control"
        )
    return octets


def abort_class(error):
    """The class under which an abort is compared: the two that only refine ValueError count as ValueError."""
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return "ValueError"
    return type(error).__name__


class Comparator:
    """The comparator's module, with an `open` of its own in front of the built-in one."""

    def __init__(self, source, stage_order):
        self.stage_order = stage_order
        self.home = os.getcwd()
        self.document = None
        self.rooted = False
        self.module = {"__name__": "comparator", "__builtins__": builtins, "open": self.open}
        exec(compile(source, "comparator.py", "exec", dont_inherit=True), self.module)

    def open(self, path, mode, encoding):
        """What the comparator calls to open a file; the working directory is the case's folder."""
        if path is STAGE_ORDER_DOCUMENT:
            return io.TextIOWrapper(io.BytesIO(self.document), encoding=encoding)
        if isinstance(path, int) and 0 <= path <= LARGEST_DESCRIPTOR:
            # A descriptor number. Standard input is the protocol's, so every descriptor counts as closed.
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if not self.rooted:
            raise FileNotFoundError(errno.ENOENT, "the case has no folder")
        return io.open(path, mode, encoding=encoding)

    def answer(self, request):
        """Answers `sovereign.compare`, in whatever mode it is asked."""
        self.document = request.docs.get("stage_order", self.stage_order)
        self.rooted = request.root is not None
        try:
            if self.rooted:
                os.chdir(request.root)
            return self.compare(request.docs["bundle_a"], request.docs["bundle_b"])
        finally:
            # The folder is removed after the case, and a process must not be in a folder that no longer exists.
            os.chdir(self.home)

    def compare(self, bundle_a, bundle_b):
        """One comparison: a report, or the class of what stopped it."""
        try:
            lookup = self.module["load_stage_order"](STAGE_ORDER_DOCUMENT)
        except Exception as error:
            return aborted(error)
        try:
            loaded_a = json.loads(bundle_a.decode("utf-8"))
            loaded_b = json.loads(bundle_b.decode("utf-8"))
        except (ValueError, RecursionError):
            # A bundle that does not load is a ValueError, for whatever reason.
            return reject("ABORT", exception="ValueError")
        try:
            report = self.module["compare"](loaded_a, loaded_b, lookup)
        except Exception as error:
            return aborted(error)
        return accept(report=json.dumps(report, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def aborted(error):
    """The answer for an exception that the comparator let escape."""
    name = abort_class(error)
    if name not in ABORTS:
        raise error
    return reject("ABORT", exception=name)


def declared(arguments):
    """The modes that the command line asks to declare."""
    parser = argparse.ArgumentParser(
        description="The sealed Python comparator as a testee of Assize (ATP/1 over standard input and output).",
        epilog="The comparator knows no modes and always does the same. Declaring `law` asks what its code makes of "
        "the specification's text: run that with the expectations file that `assize errata --expectations` writes.",
    )
    parser.add_argument(
        "--declare",
        action="append",
        choices=["reference", "law"],
        metavar="MODE",
        help="declare sovereign.compare in this mode, reference or law; repeatable; reference when absent",
    )
    modes = parser.parse_args(arguments).declare or ["reference"]
    return list(dict.fromkeys(modes))


def main():
    """Serves one session."""
    modes = declared(sys.argv[1:])
    sys.set_int_max_str_digits(INTEGER_DIGITS)
    try:
        comparator = Comparator(sealed(COMPARATOR), sealed(STAGE_ORDER))
    except Unsealed as error:
        print(f"comparator shim: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    ops = {"sovereign.compare": {"mode": modes}}
    shim = {"name": "assize-comparator-shim", "version": "1"}
    serve("sovereign-comparator", "1.2.1", ops, comparator.answer, in_flight=8, shim=shim)


if __name__ == "__main__":
    main()
