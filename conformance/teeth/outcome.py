"""What became of mutants: reads a `mutants.out` folder and the logs in it.

cargo-mutants calls every failure of the tests a catch. Here a kill is a failing vector, and what failed otherwise is told
apart: a run that its limits ended, one that broke off, and one that says nothing about the mutant, which is trouble.
"""

import json
import pathlib
import re
from typing import NamedTuple

import mutant
from mutant import Trouble

KILLED, TIMEOUT, CRASHED, UNVIABLE = "killed", "timeout", "crashed", "unviable"
# Every vector passes, and another test of the corpus crate fails: what no operation shows.
TESTED = "tested"
# Of a run that left out a part of the corpus a survivor is not one yet.
SURVIVED, CANDIDATE = "survived", "candidate"
BITTEN = (KILLED, TESTED, TIMEOUT, CRASHED)
ENDED = ("9", "24")  # SIGKILL and SIGXCPU: limits of CPU time are kept by these

FAILED = re.compile(r"^test vector::(\S+)\.json\s+\.\.\. FAILED$|^ {4}vector::(\S+)\.json$", re.MULTILINE)
OTHER = re.compile(r"^test (?!vector::)(\S+) \.\.\. FAILED$", re.MULTILINE)
RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; \d+ ignored; \d+ measured; (\d+) filtered out", re.MULTILINE)
SIGNAL = re.compile(r"\(signal: (\d+)")
BROKEN = re.compile(r"^error(\[E\d+\])?: .*\n[\s\S]*could not compile `assize-", re.MULTILINE)


class Outcome(NamedTuple):
    """What became of one mutant, with the laws whose vectors failed."""

    kind: str
    laws: frozenset = frozenset()


class Run(NamedTuple):
    """One `mutants.out` folder: outcomes by name, the names without one, and the cases that the corpus had."""

    outcomes: dict
    unjudged: list
    cases: int
    version: str


def law_of(case):
    """The law of a case: the first two segments of its id."""
    return "/".join(case.split("/")[:2])


def judged(summary, log):
    """The outcome that a log tells, and the number of cases of the corpus; 0 where no vector was run."""
    if summary == "Unviable":
        if SIGNAL.search(log) or not BROKEN.search(log):
            raise Trouble("the build failed for another reason than the mutant")
        return Outcome(UNVIABLE), 0
    results = RESULT.findall(log)
    passed, failed, left_out = (sum(int(row[at]) for row in results) for at in range(3))
    ids = {first or second for first, second in FAILED.findall(log)}
    others = set(OTHER.findall(log))
    # Where other tests ran beside the vectors, the sum is no number of cases.
    cases = 0 if len(results) > 1 else passed + failed + left_out
    if results and failed != len(ids) + len(others):
        raise Trouble(f"{failed} tests failed, and the log names {len(ids) + len(others)}")
    if ids:
        return Outcome(KILLED, frozenset(map(law_of, ids))), cases
    if others:
        return Outcome(TESTED), cases
    signal = SIGNAL.search(log)
    if summary == "Timeout" or signal and signal[1] in ENDED:
        return Outcome(TIMEOUT), cases
    if signal:
        return Outcome(CRASHED), cases
    if summary == "MissedMutant" and passed:
        return Outcome(CANDIDATE if left_out else SURVIVED), cases
    raise Trouble(f"{summary}, and no vector failed or passed")


def read(folder):
    """Reads a folder, named itself or by the one that it lies in."""
    folder = pathlib.Path(folder)
    if (folder / "mutants.out").is_dir():
        folder /= "mutants.out"
    try:
        listed = json.loads((folder / "mutants.json").read_text(encoding="utf-8"))
        ran = json.loads((folder / "outcomes.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Trouble(f"{folder}: no outcomes of cargo-mutants: {error}") from error
    patterns = mutant.excluded_patterns()
    outcomes, most = {}, 0
    for one in ran["outcomes"]:
        if one["scenario"] == "Baseline":
            if one["summary"] != "Success":
                raise Trouble(f"{folder}: the corpus fails without a mutant")
            continue
        name = one["scenario"]["Mutant"]["name"]
        if mutant.is_excluded(name, patterns):
            continue
        log = folder / one["log_path"]
        try:
            outcomes[name], cases = judged(one["summary"], log.read_text(encoding="utf-8", errors="replace"))
        except (OSError, Trouble) as error:
            raise Trouble(f"{name}: {error}\n  see {log}") from error
        most = max(most, cases)
    names = [one["name"] for one in listed if not mutant.is_excluded(one["name"], patterns)]
    unjudged = [name for name in names if name not in outcomes]
    return Run(outcomes, unjudged, most, ran["cargo_mutants_version"])
