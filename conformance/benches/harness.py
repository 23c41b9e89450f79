"""The harness: the whole corpus in one process and over the pipe, with temporary folders on disk and in memory; and how soon it starts."""

import os
import tempfile

from processes import Figure, Row, Way

MEMORY = "/dev/shm"


def rows(sitting):
    places = {"on disk": tempfile.gettempdir()}
    if os.path.isdir(MEMORY):
        places["in memory"] = MEMORY
    verb = [sitting.assize, "certify", "--seed", "1"]
    # The folder of the testee is its subject, which is digested.
    nothing = sitting.folder("nothing", lambda here: None)
    for title, words, most in (("in process", verb, 0.35), ("over the pipe", [*verb, "--", sitting.assize, "testee"], 0.9)):
        every = lambda: {place: Way(words, nothing, {"TMPDIR": folder}) for place, folder in places.items()}
        yield Row(f"certify {title}", every, [figure for place in places for figure in (Figure(place, "wall", most=most), Figure(place, "cpu"))])
    starts = {"true": Way(["true"]), "version": Way([sitting.assize, "--version"]), "laws": Way([sitting.assize, "laws"])}
    yield Row("start", lambda: starts, [Figure(name, "wall") for name in starts])
