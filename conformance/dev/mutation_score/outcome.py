"""What became of mutants: reads a `mutants.out` folder and the logs in it.

cargo-mutants calls every failure of the tests a catch. Here a kill is a failing vector, and other failures are told
apart: a run that its limits ended, one that crashed, and one that says nothing about the mutant, which is trouble.
"""

import pathlib
import re
from typing import NamedTuple

import mutant
from mutant import Trouble, read_json

KILLED, TIMEOUT, CRASHED, UNVIABLE = "killed", "timeout", "crashed", "unviable"
# Every vector passes, and another test of the corpus crate fails: what no operation shows.
TESTED = "tested"
# A survivor of a run that left out a part of the corpus is not one yet.
SURVIVED, CANDIDATE = "survived", "candidate"
# No run has judged it: it counts neither way.
UNJUDGED = "unjudged"
BITTEN = (KILLED, TESTED, TIMEOUT, CRASHED)
ENDED = ("9", "24")  # SIGKILL and SIGXCPU: limits of CPU time are kept by these

CASE = re.compile(r"^test vector::(\S+)\.json\s+\.\.\. (?:ok|FAILED)$", re.MULTILINE)
FAILED = re.compile(r"^test vector::(\S+)\.json\s+\.\.\. FAILED$|^ {4}vector::(\S+)\.json$", re.MULTILINE)
OTHER = re.compile(r"^test (?!vector::)(\S+) \.\.\. FAILED$", re.MULTILINE)
RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; \d+ ignored; \d+ measured; (\d+) filtered out", re.MULTILINE)
SIGNAL = re.compile(r"\(signal: (\d+)")
# What a mutant can do to a build: an error of the compiler or of a lint, with its place in the verifier. Modules that follow from
# declarations are named by their whole path.
REFUSED = re.compile(r"^error(?:\[E\d+\])?: .*\n +--> (?:/.*/)?verifier/src/", re.MULTILINE)
UNBUILT = "error: could not compile `assize-verifier`"
# What it cannot do, no matter what else the log says.
ELSEWHERE = re.compile(
    r"\(os error \d+\)|No space left|linking with |linker |could not compile `(?!assize-verifier`)|internal compiler error"
)


class Outcome(NamedTuple):
    """What became of one mutant, with the laws whose vectors failed."""

    kind: str
    laws: frozenset = frozenset()


class Run(NamedTuple):
    """One `mutants.out` folder: outcomes by name, and the names without one.

    `beside` has the names that other tests judged as well as the vectors; `cases` the ids of the corpus, where all of it ran.
    """

    outcomes: dict
    unjudged: list
    beside: frozenset
    cases: frozenset
    version: str


def law_of(case):
    """The law of a case: the first two segments of its id."""
    return "/".join(case.split("/")[:2])


def judged(summary, log):
    """The outcome that a log shows."""
    if summary == "Unviable":
        if SIGNAL.search(log) or ELSEWHERE.search(log) or not (UNBUILT in log and REFUSED.search(log)):
            raise Trouble("the build failed for another reason than the mutant")
        return Outcome(UNVIABLE)
    results = RESULT.findall(log)
    passed, failed, left_out = (sum(int(row[at]) for row in results) for at in range(3))
    ids = {first or second for first, second in FAILED.findall(log)}
    others = set(OTHER.findall(log))
    if results and failed != len(ids) + len(others):
        raise Trouble(f"{failed} tests failed, and the log names {len(ids) + len(others)}")
    if ids:
        return Outcome(KILLED, frozenset(map(law_of, ids)))
    if others:
        return Outcome(TESTED)
    signal = SIGNAL.search(log)
    if summary == "Timeout" or signal and signal[1] in ENDED:
        return Outcome(TIMEOUT)
    if signal:
        return Outcome(CRASHED)
    # Without a line for a vector, only other tests ran.
    if summary == "MissedMutant" and passed and CASE.search(log):
        return Outcome(CANDIDATE if left_out else SURVIVED)
    raise Trouble(f"{summary}, and no vector failed or passed")


def cases_of(log):
    """The ids of the corpus, if a log has all of it and nothing else; otherwise none."""
    results = RESULT.findall(log)
    ids = frozenset(CASE.findall(log))
    whole = len(results) == 1 and results[0][2] == "0" and len(ids) == int(results[0][0]) + int(results[0][1])
    return ids if whole else frozenset()


def read(folder):
    """Reads a folder, which is named itself or by its parent."""
    folder = pathlib.Path(folder)
    if (folder / "mutants.out").is_dir():
        folder /= "mutants.out"
    listed = read_json(folder / "mutants.json", list)
    ran = read_json(folder / "outcomes.json", dict)
    try:
        return _run(folder, listed, ran)
    except (LookupError, TypeError) as error:
        raise Trouble(f"{folder}: no outcomes of cargo-mutants: {type(error).__name__} {error}") from error


def _run(folder, listed, ran):
    patterns = mutant.excluded_patterns()
    outcomes, beside, cases = {}, set(), frozenset()
    for one in ran["outcomes"]:
        if one["scenario"] == "Baseline":
            if one["summary"] != "Success":
                raise Trouble(f"{folder}: the corpus fails without a mutant")
            continue
        name = one["scenario"]["Mutant"]["name"]
        if mutant.is_excluded(name, patterns):
            continue
        path = folder / one["log_path"]
        try:
            log = path.read_text(encoding="utf-8", errors="replace")
            outcomes[name] = judged(one["summary"], log)
        except (OSError, Trouble) as error:
            raise Trouble(f"{name}: {error}\n  see {path}") from error
        if len(RESULT.findall(log)) > 1:
            beside.add(name)
        cases = max(cases, cases_of(log), key=len)
    names = [one["name"] for one in listed if not mutant.is_excluded(one["name"], patterns)]
    unjudged = [name for name in names if name not in outcomes]
    return Run(outcomes, unjudged, frozenset(beside), cases, ran["cargo_mutants_version"])
