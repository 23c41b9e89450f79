"""Verbs whose time once grew faster than their input; `growth.py` has their exponents, and those of all others."""

import growth
from processes import Figure, Row, Way

# A row of growth's table, how many entries, and the most seconds of processor that it should take.
WORKS = (("kernel run, executed, promoted", 10_000, 1.0), ("audit, unknown members", 100_000, None))


def way(sitting, name, entries):
    words, made, *_ = growth.VERBS[name]
    folder = sitting.folder(f"{name.replace(' ', '-')}-{entries}", lambda here: growth.write(here, "input.json", made(entries)))
    return Way([sitting.assize, *("input.json" if word == "FILE" else word for word in words.split())], folder, ends=(0, 1))


def rows(sitting):
    for name, entries, most in WORKS:
        count = sitting.scaled(entries)
        yield Row(f"{name}, {count:,}", lambda: {"assize": way(sitting, name, count)}, [Figure("assize", "cpu", most=most)])
