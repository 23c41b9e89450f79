"""Fills the folders of its cases, which the harness removes."""

import os

from hostile import attempts


def fill():
    cases = os.path.join(os.path.dirname(os.environ["TMPDIR"]), "cases")
    for number in range(100_000):
        os.mkdir(os.path.join(cases, str(number)))


attempts(fill)
