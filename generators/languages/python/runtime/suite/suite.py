"""The suite's side of pytest: parameters of the tests of a law, and the one check that they share."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from . import exits, force, jsontext
from .adapter import adapted
from .answers import Unsupported
from .binding import Binding, bind
from .cases import Case, cases_of
from .declaration import Declaration, SetupError, undeclared
from .dispatch import Question, ask
from .folder import CannotLayOut, case_folder
from .force import Weight
from .judge import BROKEN_PROMISE, FAULT, PASS, Judgement, judge

OUTCOMES = "ASSIZE_OUTCOMES"


class Remark(UserWarning):
    """An answer differs from a convention of the protocol alone, and passes."""


@cache
def binding() -> Binding:
    """The implementation that this run judges: one for all tests of the process."""
    try:
        with exits.raised():
            return adapted() or bind()
    except SystemExit as error:
        raise SetupError(f"implementation.py ends the process where it is imported: SystemExit: {error}") from error


@cache
def counted() -> Weight:
    """The least weight that fails a test of this run."""
    return force.counted()


def parameters(slug: str) -> list[Any]:
    """The cases of a law as parameters of its test, named by their ids."""
    declared = binding().declared
    return [pytest.param(case, id=case.id, marks=_marks(case, declared)) for case in cases_of(slug)]


def _marks(case: Case, declared: Declaration) -> list[pytest.MarkDecorator]:
    feature = undeclared(declared, case.op, case.args)
    return [pytest.mark.skip(reason=f"{feature} is not declared")] if feature else []


def ids(items: Sequence[pytest.Item]) -> list[str]:
    """The ids of the cases among the tests of a run, skipped ones included."""
    cases = [item.callspec.params.get("case") for item in items if hasattr(item, "callspec")]
    return [case.id for case in cases if isinstance(case, Case)]


def is_filtered(config: pytest.Config) -> bool:
    """Whether the command line asks for some of the tests only."""
    options = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "stepwise")
    whole = (config.rootpath, config.rootpath / "tests")
    named = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    return any(config.getoption(option, None) for option in options) or not all(path in whole for path in named)


def check(case: Case, binding: Binding, rerun: str) -> None:
    """Asks the implementation, and fails the test unless its answer conforms or is known not to."""
    try:
        with case_folder(case.entries) if case.needs_root else nullcontext() as root:
            judgement = _judged(case, binding, root)
    except CannotLayOut as error:
        pytest.skip(str(error))
    _record(case, judgement)
    known = case.known
    if known and judgement.outcome == known.outcome:
        pytest.xfail(f"{known.outcome}: {known.reason} {known.link or ''}".rstrip())
    if known and judgement.outcome == PASS:
        pytest.fail(f"{case.id} passes, but is known as {known.outcome}: remove the stale entry", pytrace=False)
    if judgement.weight is None:
        return
    if known or judgement.weight >= counted():
        pytest.fail(_message(case, judgement, rerun), pytrace=False)
    if judgement.weight is Weight.RULING:
        pytest.skip(f"against ruling {', '.join(judgement.rulings)}: {_brief(case, judgement)}")
    warnings.warn(_brief(case, judgement), Remark, stacklevel=2)


def _judged(case: Case, binding: Binding, root: Path | None) -> Judgement:
    """The judgement of a case. Whatever is raised in here is the implementation's."""
    try:
        with exits.raised():
            answer = ask(binding.implementation, Question(case.op, case.args, case.docs, root))
    except Unsupported:
        return Judgement(BROKEN_PROMISE, note=f"{case.op} is declared, and Unsupported")
    except (Exception, SystemExit):
        return Judgement(FAULT, note=traceback.format_exc())
    return judge(case.alternatives, answer)


def _record(case: Case, judgement: Judgement) -> None:
    """Adds the outcome to the file in ASSIZE_OUTCOMES, if there is one."""
    file = os.environ.get(OUTCOMES)
    if file:
        with open(file, "a", encoding="utf-8", newline="\n") as outcomes:
            weight = "" if judgement.weight is None else f"\t{judgement.weight.name.lower()}"
            outcomes.write(f"{case.id}\t{judgement.outcome}{weight}\n")


def _brief(case: Case, judgement: Judgement) -> str:
    places = ", ".join(miss.pointer for miss in judgement.misses)
    return f"{judgement.outcome} of {case.id} at {places}; {force.FAIL_ON}=remark shows more"


def _message(case: Case, judgement: Judgement, rerun: str) -> str:
    lines = [
        f"{judgement.outcome}: {case.id}",
        f"law: {case.law} ({case.spec})",
        f"asked: {case.op} {jsontext.dumps(case.args)}",
        f"because: {case.rationale}",
        *map(str, judgement.misses),
        *judgement.note.splitlines(),
        f"again: {rerun}",
        f"the case: assize explain {case.id}",
    ]
    if case.known:
        lines.append(f"known as {case.known.outcome}, which this is not: the entry is stale")
    return "\n".join(lines)
