"""The registry of codes over its revisions (KE-58): every rule asks the earlier revisions again, and keeps nothing in between."""

import re

from kernel_values import Rejected

LAW = "kernel/registry-versions"
VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)", re.ASCII)
NAME = re.compile(r"[EI]_[A-Z0-9_]+", re.ASCII)


def is_revision(value):
    if not isinstance(value, dict) or set(value) != {"version", "codes"}:
        return False
    version, codes = value["version"], value["codes"]
    if not isinstance(version, str) or not VERSION.fullmatch(version) or not isinstance(codes, dict):
        return False
    return all(type(meaning) is str for meaning in codes.values())


def numbers(revision):
    """The three numbers. Of two decimal numbers the longer is the higher, so that none has to be computed."""
    return [(len(digits), digits) for digits in revision["version"].split(".")]


def shown(name):
    """A name as text that UTF-8 can hold."""
    return name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def faults(revisions, index):
    """The codes at fault in one revision, None for its version."""
    revision = revisions[index]
    codes, major = revision["codes"], numbers(revision)[0]
    for code, meaning in codes.items():
        if not NAME.fullmatch(code):
            yield code
        same = [earlier for earlier in revisions[:index] if numbers(earlier)[0] == major and code in earlier["codes"]]
        if same and same[-1]["codes"][code] != meaning:
            yield code
    if index == 0:
        return
    before = revisions[index - 1]
    old, new = numbers(before), numbers(revision)
    if not old < new:
        yield None
    if not new[0] > old[0]:
        yield from before["codes"].keys() - codes.keys()
    if not new[:2] > old[:2]:
        yield from codes.keys() - before["codes"].keys()


def findings(revisions):
    """The findings of a list of revisions, oldest first."""
    if not isinstance(revisions, list) or not revisions or not all(map(is_revision, revisions)):
        raise Rejected("A_INPUT")
    found = {}
    for index in range(len(revisions)):
        for code in faults(revisions, index):
            name = None if code is None else shown(code)
            place = "version" if name is None else "codes/" + name.replace("~", "~0").replace("/", "~1")
            pointer = f"/{index}/{place}"
            found[pointer] = {"law": LAW, "code": name, "pointer": pointer, "severity": "error"}
    return [found[pointer] for pointer in sorted(found)]
